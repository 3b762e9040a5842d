//! Logical lines and items. In: tokens. Out: the text with comments and continued newlines turned into blanks (every byte keeps its
//! place), the lines in it with errors of brackets and strings, and for each item its comment, its header and its lines, whatever
//! braces are missing: an item begins in column 1 even where the one before it was never closed.

use super::tokens::{Token, TokenClass, weight};
use crate::lang::ast::Span;
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::words::{self, ITEMS};
use std::ops::Range;

/// Maximum depth of brackets; deeper text is a mistake and would overflow the stack.
const DEEPEST: usize = 32;
/// Maximum number of tokens in a line, also for the sake of the stack.
const LONGEST: usize = 2000;
/// The largest number that a rule may write.
const LARGEST: u32 = 1_000_000;

/// One statement, header or closing brace.
#[derive(Clone, Debug, Default)]
pub struct LogicalLine {
    /// Bytes, without comments at the end.
    pub span: Range<usize>,
    /// Blanks before it.
    pub indent: usize,
    /// Ends in the `{` of a block.
    pub opens: bool,
    /// Is a `}`.
    pub closes: bool,
    /// Is a `///` comment.
    pub doc: bool,
    /// Has an error that was reported already.
    pub broken: bool,
    /// Tokens of the line.
    pub tokens: Vec<Token>,
}

impl LogicalLine {
    /// Returns the text of a token; nothing behind the last one.
    pub fn word<'s>(&self, source: &'s str, at: usize) -> &'s str {
        self.tokens.get(at).map_or("", |token| token.text(source))
    }

    /// Returns the place of the first token.
    pub fn first_token(&self) -> Span {
        self.tokens.first().map_or(&self.span, |token| &token.span).clone()
    }

    /// Returns the place of the `{` that opens its block.
    pub fn brace(&self) -> Span {
        self.span.end.saturating_sub(1)..self.span.end
    }
}

/// A text cut into lines.
#[derive(Default)]
pub struct LineLayout {
    pub masked: String,
    pub lines: Vec<LogicalLine>,
    pub comments: Vec<Range<usize>>,
    pub found: Vec<Diagnostic>,
}

/// Cuts a text into lines.
pub fn layout(source: &str, tokens: &[Token]) -> LineLayout {
    let mut cutter = Cutter { source, tokens, masked: source.as_bytes().to_vec(), out: LineLayout::default() };
    if source.starts_with('\u{feff}') {
        cutter.blank(0..3);
    }
    let mut at = 0;
    while at < tokens.len() {
        at = cutter.line(at);
    }
    let mut out = cutter.out;
    out.masked = String::from_utf8(cutter.masked).unwrap_or_else(|_| source.to_owned());
    out
}

struct Cutter<'a> {
    source: &'a str,
    tokens: &'a [Token],
    masked: Vec<u8>,
    out: LineLayout,
}

impl Cutter<'_> {
    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text(self.source))
    }

    fn class(&self, at: usize) -> Option<TokenClass> {
        self.tokens.get(at).map(|token| token.class)
    }

    fn blank(&mut self, span: Range<usize>) {
        if let Some(bytes) = self.masked.get_mut(span) {
            bytes.fill(b' ');
        }
    }

    fn comment(&mut self, at: usize) {
        let span = self.tokens[at].span.clone();
        self.blank(span.clone());
        self.out.comments.push(span);
    }

    /// Reads one line from the token `at` and returns the first token of the next.
    fn line(&mut self, mut at: usize) -> usize {
        match self.class(at) {
            Some(TokenClass::Newline) | None => return at + 1,
            Some(TokenClass::Comment) => {
                self.comment(at);
                return at + 1;
            }
            class if class == Some(TokenClass::Doc) || self.text(at) == "}" => {
                self.push(vec![self.tokens[at].clone()], Vec::new());
                return at + 1;
            }
            _ => {}
        }
        let first = at;
        let mut taken = Vec::new();
        let mut brackets: Vec<Token> = Vec::new();
        loop {
            match self.class(at) {
                None => break,
                Some(TokenClass::Comment | TokenClass::Doc) => self.comment(at),
                Some(TokenClass::Newline) if self.continues(first, &taken, &brackets, at) => {
                    self.blank(self.tokens[at].span.clone());
                }
                Some(TokenClass::Newline) => break,
                _ => {
                    self.bracket(first, at, &mut brackets);
                    taken.push(self.tokens[at].clone());
                }
            }
            at += 1;
        }
        self.push(taken, brackets);
        at
    }

    /// Updates the stack of open brackets; the `{` of a block does not count.
    fn bracket(&self, first: usize, at: usize, brackets: &mut Vec<Token>) {
        if self.class(at) != Some(TokenClass::Mark) {
            return;
        }
        match self.text(at) {
            "{" if brackets.is_empty() && self.ends_line(at) && self.may_open(first) => {}
            "(" | "[" | "{" => brackets.push(self.tokens[at].clone()),
            // A wrong closing bracket is left to the grammar; it closes nothing here.
            ")" | "]" | "}" if brackets.last().is_some_and(|open| closer(open.text(self.source)) == self.text(at)) => {
                brackets.pop();
            }
            _ => {}
        }
    }

    fn ends_line(&self, at: usize) -> bool {
        matches!(self.class(at + 1), None | Some(TokenClass::Newline | TokenClass::Comment | TokenClass::Doc))
    }

    /// Returns true if the line that begins at `first` can open a block; most statements cannot.
    fn may_open(&self, first: usize) -> bool {
        let word = self.text(first);
        words::BLOCKS.contains(&word) || !(words::STATEMENTS.contains(&word) || self.is_binding(first))
    }

    /// Returns true if the line continues after the newline at `at`.
    fn continues(&self, first: usize, taken: &[Token], brackets: &[Token], at: usize) -> bool {
        let last = taken.last().map_or("", |token| token.text(self.source));
        let hangs = matches!(last, "," | "+" | "-" | "&" | "and" | "or");
        if brackets.is_empty() && !hangs {
            return false;
        }
        let mut next = at;
        while matches!(self.class(next), Some(TokenClass::Newline | TokenClass::Comment)) {
            next += 1;
        }
        let header = self.text(first) == "technique" && !brackets.is_empty();
        self.class(next).is_some() && !(self.begins_statement(next) && !(header && self.is_binding(next)))
    }

    fn begins_statement(&self, at: usize) -> bool {
        let word = self.text(at);
        ITEMS.contains(&word)
            || (word == "one" && self.text(at + 1) == "step")
            || (word == "}" && self.ends_line(at))
            || self.class(at) == Some(TokenClass::Doc)
            || words::STATEMENTS.contains(&word)
            || self.is_binding(at)
    }

    fn is_binding(&self, at: usize) -> bool {
        is_binding(self.source, self.tokens, at)
    }

    fn push(&mut self, tokens: Vec<Token>, brackets: Vec<Token>) {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return };
        let span = first.span.start..last.span.end;
        let line_start = self.source.get(..span.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let text = first.text(self.source);
        let (closes, doc) = (text == "}", first.class == TokenClass::Doc);
        let is_block = last.text(self.source) == "{" && last.class == TokenClass::Mark && tokens.len() > 1;
        let opens = is_block && !brackets.iter().any(|open| open.span == last.span);
        let indent = span.start - line_start;
        let findings = self.findings(&tokens, &brackets);
        let broken = !findings.is_empty();
        self.out.found.extend(findings);
        self.out.lines.push(LogicalLine { span, indent, opens, closes, doc, broken, tokens });
    }

    fn findings(&self, tokens: &[Token], brackets: &[Token]) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        if let Some(deep) = self.too_deep(tokens) {
            out.push(SyntaxProblem::TooDeep { deep: DEEPEST + 1 }.at(&deep));
        } else if let Some(span) = self.too_long(tokens) {
            out.push(SyntaxProblem::LongLine { most: LONGEST }.at(&span));
        } else if let Some(open) = brackets.first() {
            out.push(self.not_closed(open, tokens));
        }
        for token in tokens {
            let text = token.text(self.source);
            if token.class == TokenClass::OpenText {
                let close = if text.starts_with("\"\"\"") { "\"\"\"" } else { "\"" };
                out.push(SyntaxProblem::TextNotClosed { close }.at(&token.span));
            } else if token.class == TokenClass::Number && text.parse::<u32>().map_or(true, |number| number > LARGEST) {
                out.push(SyntaxProblem::LargeNumber { largest: LARGEST }.at(&token.span));
            }
        }
        out
    }

    fn not_closed(&self, open: &Token, tokens: &[Token]) -> Diagnostic {
        let mark = open.text(self.source);
        let item = tokens.first().is_some_and(|first| words::ITEMS.contains(&first.text(self.source)));
        if mark == "{" && item {
            return SyntaxProblem::MoreAfterBrace.at(&open.span);
        }
        let what = if mark == "{" { "this set" } else { "this bracket" };
        let end = tokens.last().map_or(open.span.end, |last| last.span.end);
        let problem = SyntaxProblem::NotClosed { what, open: mark.to_owned(), close: closer(mark) };
        problem.at_both(&open.span, &(end..end))
    }

    /// Finds the token that makes the line too long; each placeholder in a text counts.
    fn too_long(&self, tokens: &[Token]) -> Option<Range<usize>> {
        let mut length = 0;
        tokens.iter().find_map(|token| {
            length += weight(token, token.text(self.source));
            let end = if token.class == TokenClass::Text { token.span.start + 1 } else { token.span.end };
            (length > LONGEST).then_some(token.span.start..end)
        })
    }

    /// Finds the bracket that is too deep.
    fn too_deep(&self, tokens: &[Token]) -> Option<Range<usize>> {
        let mut depth = 0usize;
        for token in tokens.iter().filter(|token| token.class == TokenClass::Mark) {
            match token.text(self.source) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > DEEPEST {
                return Some(token.span.clone());
            }
        }
        None
    }
}

/// Returns true if a declaration begins at a token: `name:`, `a, b:`, `p[d]:`
pub fn is_binding(source: &str, tokens: &[Token], mut at: usize) -> bool {
    loop {
        if tokens.get(at).map(|token| token.class) != Some(TokenClass::Word) {
            return false;
        }
        at += 1;
        let mut marks = tokens[at..].iter().map(|token| token.text(source));
        if marks.next() == Some("[") && marks.nth(1) == Some("]") {
            at += 3;
        }
        match tokens.get(at).map(|token| token.text(source)) {
            Some(":") => return true,
            Some(",") => at += 1,
            _ => return false,
        }
    }
}

fn closer(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// The lines of an item.
pub struct ItemLines {
    pub doc: Vec<LogicalLine>,
    pub head: LogicalLine,
    pub body: Vec<BodyLine>,
    pub end: usize,
}

/// A line, or a line with a block.
pub enum BodyLine {
    Single(LogicalLine),
    Block(LogicalLine, Vec<LogicalLine>),
}

/// Groups lines into items.
pub fn group(source: &str, lines: Vec<LogicalLine>) -> (Vec<ItemLines>, Vec<Diagnostic>) {
    let mut grouper = Grouper { source, out: Vec::new(), found: Vec::new(), open: None, doc: Vec::new(), lost: false };
    for line in lines {
        grouper.line(line);
    }
    grouper.finish(None);
    grouper.stray_doc();
    (grouper.out, grouper.found)
}

struct Grouper<'a> {
    source: &'a str,
    out: Vec<ItemLines>,
    found: Vec<Diagnostic>,
    open: Option<OpenItem>,
    doc: Vec<LogicalLine>,
    /// True in lines outside of any item, after the first was reported.
    lost: bool,
}

/// An item whose `}` is still missing.
struct OpenItem {
    item: ItemLines,
    block: Option<(LogicalLine, Vec<LogicalLine>)>,
}

impl OpenItem {
    fn close_block(&mut self) {
        if let Some((head, lines)) = self.block.take() {
            self.item.body.push(BodyLine::Block(head, lines));
        }
    }
}

impl Grouper<'_> {
    fn begins_item(&self, line: &LogicalLine) -> bool {
        let word = line.word(self.source, 0);
        ITEMS.contains(&word) && (word != "strong" || line.word(self.source, 1) == "link")
    }

    fn line(&mut self, line: LogicalLine) {
        if self.open.is_some() && !line.doc && !(self.begins_item(&line) && line.indent == 0) {
            // The open item continues, so the comment belongs to no item.
            self.stray_doc();
            self.doc.clear();
        }
        if self.begins_item(&line) && (line.indent == 0 || self.open.is_none()) {
            self.finish(Some(&line));
            // A rule list is one line.
            let whole = line.word(self.source, 0) == "rules" && !line.opens;
            self.begin(line);
            if whole {
                self.end();
            }
        } else if line.doc {
            self.doc_line(line);
        } else if line.closes {
            self.close(&line);
        } else if let Some(brace) = self.left_open(&line) {
            let words = "this line stands outside of it";
            self.found.push(SyntaxProblem::NeverClosed.at(&brace).label(line.span.clone(), words));
            self.open.iter_mut().for_each(OpenItem::close_block);
            self.line(line);
        } else if self.is_late_brace(&line) {
            // The missing `{` is reported at the header.
        } else if let Some(open) = &mut self.open {
            open.item.end = line.span.end;
            match &mut open.block {
                Some((_, lines)) => lines.push(line),
                None if line.opens => open.block = Some((line, Vec::new())),
                None => open.item.body.push(BodyLine::Single(line)),
            }
        } else {
            self.outside(line);
        }
    }

    /// Returns true for a `{` alone on the line below a header that should end with it.
    fn is_late_brace(&self, line: &LogicalLine) -> bool {
        let Some(OpenItem { item, block: None }) = &self.open else { return false };
        line.tokens.len() == 1 && line.word(self.source, 0) == "{" && !item.head.opens && item.body.is_empty()
    }

    /// Returns the `{` of an open block that this line has left, judging by its indentation.
    fn left_open(&self, line: &LogicalLine) -> Option<Span> {
        let (head, _) = self.open.as_ref()?.block.as_ref()?;
        // The block of a `for`, an error, is read as lines of the technique.
        let outside = line.indent <= head.indent
            && head.word(self.source, 0) != "for"
            && words::STATEMENTS.contains(&line.word(self.source, 0));
        outside.then(|| head.brace())
    }

    fn begin(&mut self, head: LogicalLine) {
        let end = head.span.end;
        let doc = std::mem::take(&mut self.doc);
        self.lost = false;
        self.open = Some(OpenItem { item: ItemLines { doc, head, body: Vec::new(), end }, block: None });
    }

    /// Ends the open item at its `}`, or, if `next` or the end of the file comes first, with an error.
    fn finish(&mut self, next: Option<&LogicalLine>) {
        let Some(mut open) = self.open.take() else { return };
        let head = &open.item.head;
        if head.opens {
            let (end, words) = match next.map(|next| &next.span) {
                Some(next) => (next.start..next.end.min(next.start + 9), "the next item begins here"),
                None => (open.item.end..open.item.end, "the file ends here"),
            };
            self.found.push(SyntaxProblem::NeverClosed.at(&head.brace()).label(end, words));
        }
        open.close_block();
        self.out.push(open.item);
    }

    fn close(&mut self, line: &LogicalLine) {
        let Some(open) = &mut self.open else {
            if !std::mem::replace(&mut self.lost, true) {
                self.found.push(SyntaxProblem::ClosesNothing.at(&line.span));
            }
            return;
        };
        open.item.end = line.span.end;
        let head_indent = open.item.head.indent;
        match &open.block {
            // A brace in the column of the item closes the item; its inner block was left open.
            Some((head, _)) if head.indent > line.indent && line.indent == head_indent => {
                let words = "this `}` stands where the one of the whole item belongs";
                self.found.push(SyntaxProblem::NeverClosed.at(&head.brace()).label(line.span.clone(), words));
                self.end();
            }
            Some(_) => open.close_block(),
            None => self.end(),
        }
    }

    fn end(&mut self) {
        if let Some(mut open) = self.open.take() {
            open.close_block();
            self.out.push(open.item);
        }
    }

    fn doc_line(&mut self, line: LogicalLine) {
        if self.open.as_ref().is_none_or(|open| line.indent == 0 && open.item.head.indent == 0) {
            self.doc.push(line);
        } else {
            self.found.push(SyntaxProblem::StrayDoc.at(&line.span));
        }
    }

    fn stray_doc(&mut self) {
        if let Some(line) = self.doc.first() {
            self.found.push(SyntaxProblem::StrayDoc.at(&line.span));
        }
    }

    /// Handles a line between items. Only the first of several is reported.
    fn outside(&mut self, line: LogicalLine) {
        let word = line.word(self.source, 0).to_owned();
        let near = words::nearest(&word, ITEMS);
        if !self.lost && !line.broken {
            let statement = words::STATEMENTS.contains(&word.as_str()) || line.word(self.source, 1) == ":";
            let problem = match statement {
                true => SyntaxProblem::OutsideTechnique { word: word.clone() },
                false => SyntaxProblem::NoItem { word: word.clone() },
            };
            let help = match near {
                _ if matches!(word.as_str(), "#" | "/" | "-" | "%" | ";") => "a comment begins with `//`".to_owned(),
                _ if word == "near" => "write `near_miss`".to_owned(),
                _ if matches!(word.as_str(), "rule" | "def" | "strategy" | "fn") => {
                    "a rule begins with `technique`".to_owned()
                }
                Some(near) => format!("did you mean `{near}`?"),
                None if statement => "put it between the `{` and the `}` of a technique".to_owned(),
                None => "a file holds `technique`, `pattern`, `strong link`, `rules`, `example` and `near_miss` items"
                    .to_owned(),
            };
            self.found.push(problem.at(&line.first_token()).help(help));
        }
        self.lost = true;
        if line.opens {
            self.begin(LogicalLine { broken: true, ..line });
        }
    }
}
