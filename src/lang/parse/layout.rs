//! Splits a file into logical lines and groups the lines into items.
//!
//! Comments and newlines inside a logical line are masked by blanks, so every byte keeps its position. An item keyword
//! in the first column begins an item even if the previous item has no closing brace.

use super::tokens::{Token, TokenClass, tokens, weight};
use crate::lang::ast::Span;
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::words::{self, ITEMS};
use std::ops::Range;

/// Maximum depth of brackets. Deeper nesting could overflow the stack of the parser.
const MAX_DEPTH: usize = 32;
/// Maximum number of tokens in a logical line. A longer line could overflow the stack of the parser.
const MAX_LENGTH: usize = 2000;
const MAX_NUMBER: u32 = 1_000_000;

/// A statement, a header, a closing brace or a `///` comment. A logical line may extend over several lines of text.
#[derive(Clone, Debug, Default)]
pub struct LogicalLine<'s> {
    /// Bytes of the line, without a comment at its end.
    pub span: Range<usize>,
    /// Number of bytes between the start of the line of text and the first token.
    pub indent: usize,
    pub kind: LineKind,
    /// True if the line has an error that is reported already.
    pub is_broken: bool,
    pub tokens: Vec<Token<'s>>,
}

/// The kind of a line, by its first or last token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineKind {
    /// A line of a block, or the line of a rule list.
    #[default]
    Plain,
    /// A line that ends with the `{` of a block.
    OpensBlock,
    /// A `}`.
    ClosesBlock,
    /// A `///` comment.
    Doc,
    /// A `//` comment. Comments are no logical lines; only the formatter has lines of this kind.
    Comment,
}

impl<'s> LogicalLine<'s> {
    pub fn opens_block(&self) -> bool {
        self.kind == LineKind::OpensBlock
    }

    /// Returns the text of the token at a position; empty beyond the last token.
    pub fn word(&self, position: usize) -> &'s str {
        self.tokens.get(position).map_or("", |token| token.text)
    }

    pub fn first_token(&self) -> Span {
        self.tokens.first().map_or(&self.span, |token| &token.span).clone()
    }

    /// Returns the span of the `{` at the end of the line.
    pub fn brace(&self) -> Span {
        self.span.end.saturating_sub(1)..self.span.end
    }
}

#[derive(Default)]
pub struct LineLayout<'s> {
    /// The text with comments and continued newlines replaced by blanks.
    pub masked: String,
    pub lines: Vec<LogicalLine<'s>>,
    /// Bytes of each `//` comment.
    pub comments: Vec<Range<usize>>,
    pub diagnostics: Vec<Diagnostic>,
}

pub fn layout(source: &str) -> LineLayout<'_> {
    let masked = source.as_bytes().to_vec();
    let mut splitter = LineSplitter { source, tokens: tokens(source), masked, layout: LineLayout::default() };
    if source.starts_with('\u{feff}') {
        // The byte order mark has three bytes.
        splitter.mask(0..3);
    }
    let mut position = 0;
    while position < splitter.tokens.len() {
        position = splitter.read_line(position);
    }
    let LineSplitter { masked, mut layout, .. } = splitter;
    layout.masked = String::from_utf8(masked).unwrap_or_else(|_| source.to_owned());
    layout
}

struct LineSplitter<'s> {
    source: &'s str,
    tokens: Vec<Token<'s>>,
    masked: Vec<u8>,
    layout: LineLayout<'s>,
}

impl<'s> LineSplitter<'s> {
    /// Returns the text of the token at a position; empty beyond the last token.
    fn text(&self, position: usize) -> &'s str {
        self.tokens.get(position).map_or("", |token| token.text)
    }

    fn class(&self, position: usize) -> Option<TokenClass> {
        self.tokens.get(position).map(|token| token.class)
    }

    fn mask(&mut self, span: Range<usize>) {
        if let Some(bytes) = self.masked.get_mut(span) {
            bytes.fill(b' ');
        }
    }

    fn add_comment(&mut self, position: usize) {
        let span = self.tokens[position].span.clone();
        self.mask(span.clone());
        self.layout.comments.push(span);
    }

    /// Reads the logical line that begins at the token `position`, and returns the position of the token after it.
    fn read_line(&mut self, mut position: usize) -> usize {
        match self.class(position) {
            Some(TokenClass::Newline) | None => return position + 1,
            Some(TokenClass::Comment) => {
                self.add_comment(position);
                return position + 1;
            }
            class if class == Some(TokenClass::Doc) || self.text(position) == "}" => {
                self.add_line(vec![self.tokens[position].clone()], Vec::new());
                return position + 1;
            }
            _ => {}
        }
        let first = position;
        let mut line_tokens = Vec::new();
        let mut brackets: Vec<Token> = Vec::new();
        loop {
            match self.class(position) {
                None => break,
                Some(TokenClass::Comment | TokenClass::Doc) => self.add_comment(position),
                Some(TokenClass::Newline) if self.continues(first, &line_tokens, &brackets, position) => {
                    self.mask(self.tokens[position].span.clone());
                }
                Some(TokenClass::Newline) => break,
                _ => {
                    self.update_brackets(first, position, &mut brackets);
                    line_tokens.push(self.tokens[position].clone());
                }
            }
            position += 1;
        }
        self.add_line(line_tokens, brackets);
        position
    }

    /// Updates the stack of open brackets by the token `position`, except for the `{` of a block. `first` is the first
    /// token of the line.
    fn update_brackets(&self, first: usize, position: usize, brackets: &mut Vec<Token<'s>>) {
        if self.class(position) != Some(TokenClass::Mark) {
            return;
        }
        match self.text(position) {
            "{" if brackets.is_empty() && self.ends_text_line(position) && self.may_open(first) => {}
            "(" | "[" | "{" => brackets.push(self.tokens[position].clone()),
            // The grammar reports a closing bracket that does not match.
            mark @ (")" | "]" | "}") if brackets.last().is_some_and(|open| closing_bracket(open.text) == mark) => {
                brackets.pop();
            }
            _ => {}
        }
    }

    /// Returns true if only a comment follows the token `position` in its line of text.
    fn ends_text_line(&self, position: usize) -> bool {
        matches!(self.class(position + 1), None | Some(TokenClass::Newline | TokenClass::Comment | TokenClass::Doc))
    }

    /// Returns true if the line that begins at the token `first` can open a block: a statement such as `suppose`, or
    /// the header of an item, which may be misspelt.
    fn may_open(&self, first: usize) -> bool {
        let word = self.text(first);
        let is_statement = words::STATEMENTS.contains(&word) || self.is_binding(first);
        words::BLOCKS.contains(&word) || !is_statement
    }

    /// Returns true if the line continues after the newline at `position`: the line ends with a comma or an operator
    /// ([`CONTINUATION_TOKENS`]) or has an open bracket, and the next line of text begins no statement.
    fn continues(&self, first: usize, line_tokens: &[Token], brackets: &[Token], position: usize) -> bool {
        let last = line_tokens.last().map_or("", |token| token.text);
        if brackets.is_empty() && !CONTINUATION_TOKENS.contains(&last) {
            return false;
        }
        let mut next = position;
        while matches!(self.class(next), Some(TokenClass::Newline | TokenClass::Comment)) {
            next += 1;
        }
        // `n: 2..4` in the parameter list of a header looks like a binding.
        let is_param = self.text(first) == "technique" && !brackets.is_empty() && self.is_binding(next);
        self.class(next).is_some() && (is_param || !self.begins_statement(next))
    }

    fn begins_statement(&self, position: usize) -> bool {
        let word = self.text(position);
        ITEMS.contains(&word)
            || (word == "one" && self.text(position + 1) == "step")
            || (word == "}" && self.ends_text_line(position))
            || self.class(position) == Some(TokenClass::Doc)
            || words::STATEMENTS.contains(&word)
            || self.is_binding(position)
    }

    fn is_binding(&self, position: usize) -> bool {
        is_binding(&self.tokens, position)
    }

    /// Adds a line. `brackets` are the brackets that are still open at the end of the line.
    fn add_line(&mut self, tokens: Vec<Token<'s>>, brackets: Vec<Token>) {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return };
        let span = first.span.start..last.span.end;
        let line_start =
            self.source.get(..span.start).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
        let ends_with_brace = last.text == "{" && last.class == TokenClass::Mark && tokens.len() > 1;
        let kind = match first.text {
            "}" => LineKind::ClosesBlock,
            _ if first.class == TokenClass::Doc => LineKind::Doc,
            _ if ends_with_brace && !brackets.iter().any(|open| open.span == last.span) => LineKind::OpensBlock,
            _ => LineKind::Plain,
        };
        let indent = span.start - line_start;
        let diagnostics = self.check_line(&tokens, &brackets);
        let is_broken = !diagnostics.is_empty();
        self.layout.diagnostics.extend(diagnostics);
        let line = LogicalLine { span, indent, kind, is_broken, tokens };
        self.layout.lines.push(line);
    }

    /// Checks brackets, length, strings and numbers.
    fn check_line(&self, tokens: &[Token], brackets: &[Token]) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        if let Some(span) = self.too_deep(tokens) {
            diagnostics.push(SyntaxProblem::TooDeep { deep: MAX_DEPTH + 1 }.at(&span));
        } else if let Some(span) = self.too_long(tokens) {
            diagnostics.push(SyntaxProblem::LongLine { most: MAX_LENGTH }.at(&span));
        } else if let Some(open) = brackets.first() {
            diagnostics.push(self.not_closed(open, tokens));
        }
        for token in tokens {
            if token.class == TokenClass::OpenText {
                let close = if token.text.starts_with("\"\"\"") { "\"\"\"" } else { "\"" };
                diagnostics.push(SyntaxProblem::TextNotClosed { close }.at(&token.span));
            } else if token.class == TokenClass::Number
                && !token.text.parse().is_ok_and(|number: u32| number <= MAX_NUMBER)
            {
                diagnostics.push(SyntaxProblem::LargeNumber { largest: MAX_NUMBER }.at(&token.span));
            }
        }
        diagnostics
    }

    /// Returns the diagnostic for a bracket that is still open at the end of its line.
    fn not_closed(&self, open: &Token, tokens: &[Token]) -> Diagnostic {
        let mark = open.text;
        let is_header = tokens.first().is_some_and(|first| words::ITEMS.contains(&first.text));
        // The `{` at the end of a header is not among the brackets, so more text follows this `{`.
        if mark == "{" && is_header {
            return SyntaxProblem::MoreAfterBrace.at(&open.span);
        }
        let construct = if mark == "{" { "this set" } else { "this bracket" };
        let end = tokens.last().map_or(open.span.end, |last| last.span.end);
        let problem = SyntaxProblem::NotClosed { construct, open: mark.to_owned(), close: closing_bracket(mark) };
        problem.at_both(&open.span, &(end..end))
    }

    /// Finds the token that makes the line too long. Each placeholder in a string counts as a token.
    fn too_long(&self, tokens: &[Token]) -> Option<Range<usize>> {
        let mut length = 0;
        for token in tokens {
            length += weight(token);
            if length > MAX_LENGTH {
                // A string may be long, so only its opening quote is marked.
                let end = if token.class == TokenClass::Text { token.span.start + 1 } else { token.span.end };
                return Some(token.span.start..end);
            }
        }
        None
    }

    /// Finds the bracket that exceeds [`MAX_DEPTH`].
    fn too_deep(&self, tokens: &[Token]) -> Option<Range<usize>> {
        let mut depth = 0usize;
        for token in tokens.iter().filter(|token| token.class == TokenClass::Mark) {
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > MAX_DEPTH {
                return Some(token.span.clone());
            }
        }
        None
    }
}

/// Returns true if a binding begins at the token `position`: `name:`, `a, b:`, `p[d]:`
pub fn is_binding(tokens: &[Token], mut position: usize) -> bool {
    loop {
        if tokens.get(position).map(|token| token.class) != Some(TokenClass::Word) {
            return false;
        }
        position += 1;
        let text_at = |position: usize| tokens.get(position).map_or("", |token| token.text);
        // `[`, the index, `]`
        if text_at(position) == "[" && text_at(position + 2) == "]" {
            position += 3;
        }
        match text_at(position) {
            ":" => return true,
            "," => position += 1,
            _ => return false,
        }
    }
}

fn closing_bracket(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// Tokens after which a logical line continues in the next line of text.
pub const CONTINUATION_TOKENS: &[&str] = &[",", "+", "-", "&", "and", "or"];

pub struct ItemLines<'s> {
    pub doc: Vec<LogicalLine<'s>>,
    pub head: LogicalLine<'s>,
    pub body: Vec<BodyLine<'s>>,
    /// The byte after the item.
    pub end: usize,
}

pub struct BodyLine<'s> {
    pub line: LogicalLine<'s>,
    /// The lines of its block; `None` for a line without a block.
    pub block: Option<Vec<LogicalLine<'s>>>,
}

pub fn group(lines: Vec<LogicalLine>) -> (Vec<ItemLines>, Vec<Diagnostic>) {
    let mut grouper = Grouper::default();
    for line in lines {
        grouper.add_line(line);
    }
    grouper.finish_unclosed(None);
    grouper.report_stray_doc();
    (grouper.items, grouper.diagnostics)
}

#[derive(Default)]
struct Grouper<'s> {
    items: Vec<ItemLines<'s>>,
    diagnostics: Vec<Diagnostic>,
    /// An item whose `}` has not been read.
    open: Option<ItemLines<'s>>,
    /// True if the `}` of the block of the last line of the open item has not been read.
    is_block_open: bool,
    /// The `///` lines of the next item.
    doc: Vec<LogicalLine<'s>>,
    /// True if a line after the previous item is reported already. Only the first line between two items is reported.
    is_outside_reported: bool,
}

impl<'s> Grouper<'s> {
    fn begins_item(line: &LogicalLine) -> bool {
        let word = line.word(0);
        ITEMS.contains(&word) && (word != "strong" || line.word(1) == "link")
    }

    fn add_line(&mut self, line: LogicalLine<'s>) {
        // An item keyword inside an open item begins a new item only in the first column.
        let begins_item = Self::begins_item(&line) && (line.indent == 0 || self.open.is_none());
        if self.open.is_some() && line.kind != LineKind::Doc && !begins_item {
            // The open item continues, so a `///` comment before this line belongs to no item.
            self.report_stray_doc();
            self.doc.clear();
        }
        if begins_item {
            self.finish_unclosed(Some(&line));
            let is_rule_list = line.word(0) == "rules" && !line.opens_block();
            self.begin_item(line);
            if is_rule_list {
                // A rule list has only one line.
                self.end_item();
            }
        } else if line.kind == LineKind::Doc {
            self.add_doc_line(line);
        } else if line.kind == LineKind::ClosesBlock {
            self.close(&line);
        } else if let Some(brace) = self.unclosed_block(&line) {
            let label = "this line stands outside of it";
            self.diagnostics.push(SyntaxProblem::NeverClosed.at(&brace).label(line.span.clone(), label));
            self.is_block_open = false;
            self.add_line(line);
        } else if self.is_late_brace(&line) {
            // The missing `{` is reported at the header.
        } else if let Some(item) = &mut self.open {
            item.end = line.span.end;
            match item.body.last_mut() {
                Some(BodyLine { block: Some(lines), .. }) if self.is_block_open => lines.push(line),
                _ => {
                    self.is_block_open = line.opens_block();
                    let block = if self.is_block_open { Some(Vec::new()) } else { None };
                    item.body.push(BodyLine { line, block });
                }
            }
        } else {
            self.add_outside_line(line);
        }
    }

    /// Returns true for a `{` alone on the line below a header. The `{` should stand at the end of the header.
    fn is_late_brace(&self, line: &LogicalLine) -> bool {
        let Some(item) = &self.open else { return false };
        line.tokens.len() == 1 && line.word(0) == "{" && !item.head.opens_block() && item.body.is_empty()
    }

    /// Returns the `{` of the open block if the line's indentation shows that the line is outside the block.
    fn unclosed_block(&self, line: &LogicalLine) -> Option<Span> {
        if !self.is_block_open {
            return None;
        }
        let head = &self.open.as_ref()?.body.last()?.line;
        // A block of `for` is an error, and its lines may be indented like the lines of the technique.
        let is_outside =
            line.indent <= head.indent && head.word(0) != "for" && words::STATEMENTS.contains(&line.word(0));
        if is_outside { Some(head.brace()) } else { None }
    }

    fn begin_item(&mut self, head: LogicalLine<'s>) {
        let end = head.span.end;
        let doc = std::mem::take(&mut self.doc);
        self.is_outside_reported = false;
        self.open = Some(ItemLines { doc, head, body: Vec::new(), end });
    }

    /// Ends the open item without a `}`. The item `next` follows, or the file ends (`None`).
    fn finish_unclosed(&mut self, next: Option<&LogicalLine>) {
        let Some(item) = &self.open else { return };
        if item.head.opens_block() {
            let (end, label) = match next.map(|next| &next.span) {
                // The label covers up to 9 bytes, the length of the longest item keyword.
                Some(next) => (next.start..next.end.min(next.start + 9), "the next item begins here"),
                None => (item.end..item.end, "the file ends here"),
            };
            self.diagnostics.push(SyntaxProblem::NeverClosed.at(&item.head.brace()).label(end, label));
        }
        self.end_item();
    }

    /// Closes the open block or item at a `}`.
    fn close(&mut self, line: &LogicalLine) {
        let Some(item) = &mut self.open else {
            if !self.is_outside_reported {
                self.diagnostics.push(SyntaxProblem::ClosesNothing.at(&line.span));
            }
            self.is_outside_reported = true;
            return;
        };
        item.end = line.span.end;
        match item.body.last() {
            // A `}` in the column of the item closes the item, so the `}` of the block inside is missing.
            Some(BodyLine { line: head, .. })
                if self.is_block_open && head.indent > line.indent && line.indent == item.head.indent =>
            {
                let label = "this `}` is in the column of the item, so it closes the item";
                self.diagnostics.push(SyntaxProblem::NeverClosed.at(&head.brace()).label(line.span.clone(), label));
                self.end_item();
            }
            _ if self.is_block_open => self.is_block_open = false,
            _ => self.end_item(),
        }
    }

    fn end_item(&mut self) {
        self.is_block_open = false;
        self.items.extend(self.open.take());
    }

    fn add_doc_line(&mut self, line: LogicalLine<'s>) {
        // In the first column, the comment belongs to the next item, and the `}` of the open item is missing.
        if self.open.as_ref().is_none_or(|item| line.indent == 0 && item.head.indent == 0) {
            self.doc.push(line);
        } else {
            self.diagnostics.push(SyntaxProblem::StrayDoc.at(&line.span));
        }
    }

    /// Reports a `///` comment that belongs to no item.
    fn report_stray_doc(&mut self) {
        if let Some(line) = self.doc.first() {
            self.diagnostics.push(SyntaxProblem::StrayDoc.at(&line.span));
        }
    }

    fn add_outside_line(&mut self, line: LogicalLine<'s>) {
        let word = line.word(0).to_owned();
        let nearest_item = words::nearest(&word, ITEMS);
        if !self.is_outside_reported && !line.is_broken {
            let is_statement = words::STATEMENTS.contains(&word.as_str()) || line.word(1) == ":";
            let problem = match is_statement {
                true => SyntaxProblem::OutsideTechnique { word: word.clone() },
                false => SyntaxProblem::NoItem { word: word.clone() },
            };
            let help = match word.as_str() {
                "#" | "/" | "-" | "%" | ";" => "a comment begins with `//`".to_owned(),
                "near" => "write `near_miss`".to_owned(),
                "rule" | "def" | "strategy" | "fn" => "a rule begins with `technique`".to_owned(),
                _ => match nearest_item {
                    Some(item) => format!("did you mean `{item}`?"),
                    None if is_statement => "put the line between the `{` and the `}` of a technique".to_owned(),
                    None => {
                        "a file holds `technique`, `pattern`, `strong link`, `rules`, `example` and `near_miss` items"
                            .to_owned()
                    }
                },
            };
            self.diagnostics.push(problem.at(&line.first_token()).help(help));
        }
        self.is_outside_reported = true;
        if line.opens_block() {
            self.begin_item(LogicalLine { is_broken: true, ..line });
        }
    }
}
