//! Logical lines. In: tokens. Out: the text with comments and continued newlines turned into blanks (every
//! byte keeps its place) and the lines in it, with what is wrong about brackets and strings.

use super::size::weight;
use super::tokens::{Class, Token};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::words;
use std::ops::Range;

/// Brackets inside brackets, at most; deeper text is a mistake and would use up the stack.
const DEEPEST: usize = 32;
/// Tokens of a line, at most; for the same reason.
const LONGEST: usize = 2000;
/// The largest number that a rule may write.
const LARGEST: u32 = 1_000_000;

/// One statement, header or closing brace.
#[derive(Clone, Debug)]
pub struct Line {
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
    /// Something is wrong that was already said.
    pub broken: bool,
    /// Tokens of the line.
    pub tokens: Vec<Token>,
}

/// A text cut into lines.
pub struct Layout {
    pub masked: String,
    pub lines: Vec<Line>,
    pub comments: Vec<Range<usize>>,
    pub found: Vec<Diagnostic>,
}

/// Cuts a text.
pub fn layout(source: &str, tokens: &[Token]) -> Layout {
    let mut cutter = Cutter {
        source,
        tokens,
        masked: source.as_bytes().to_vec(),
        out: Layout { masked: String::new(), lines: Vec::new(), comments: Vec::new(), found: Vec::new() },
    };
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
    out: Layout,
}

impl Cutter<'_> {
    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).and_then(|token| self.source.get(token.span.clone())).unwrap_or("")
    }

    fn class(&self, at: usize) -> Option<Class> {
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

    /// Reads one line from the token `at`; the place of the next.
    fn line(&mut self, mut at: usize) -> usize {
        match self.class(at) {
            Some(Class::Newline) | None => return at + 1,
            Some(Class::Comment) => {
                self.comment(at);
                return at + 1;
            }
            Some(Class::Doc) => {
                self.push(vec![self.tokens[at].clone()], Vec::new());
                return at + 1;
            }
            _ if self.text(at) == "}" => {
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
                Some(Class::Comment | Class::Doc) => self.comment(at),
                Some(Class::Newline) if self.goes_on(first, &taken, &brackets, at) => {
                    self.blank(self.tokens[at].span.clone());
                }
                Some(Class::Newline) => break,
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

    /// Keeps account of open brackets; the `{` of a block is none.
    fn bracket(&self, first: usize, at: usize, brackets: &mut Vec<Token>) {
        if self.class(at) != Some(Class::Mark) {
            return;
        }
        match self.text(at) {
            "{" if brackets.is_empty() && self.ends_line(at) && self.may_open(first) => {}
            "(" | "[" | "{" => brackets.push(self.tokens[at].clone()),
            // A wrong closer is the grammar's business; it only must not close what it does not fit.
            ")" | "]" | "}" if brackets.last().is_some_and(|open| closer(self.mark(open)) == self.text(at)) => {
                brackets.pop();
            }
            _ => {}
        }
    }

    fn mark(&self, token: &Token) -> &str {
        self.source.get(token.span.clone()).unwrap_or("")
    }

    fn ends_line(&self, at: usize) -> bool {
        matches!(self.class(at + 1), None | Some(Class::Newline | Class::Comment | Class::Doc))
    }

    /// Returns true if the line that begins at `first` can open a block; most statements cannot.
    fn may_open(&self, first: usize) -> bool {
        let word = self.text(first);
        words::BLOCKS.contains(&word) || !(words::STATEMENTS.contains(&word) || self.is_binding(first))
    }

    /// Returns true if the line continues after the newline at `at`.
    fn goes_on(&self, first: usize, taken: &[Token], brackets: &[Token], at: usize) -> bool {
        let last = taken.last().map_or("", |token| self.mark(token));
        let hangs = matches!(last, "," | "+" | "-" | "&" | "and" | "or");
        if brackets.is_empty() && !hangs {
            return false;
        }
        let mut next = at;
        while matches!(self.class(next), Some(Class::Newline | Class::Comment)) {
            next += 1;
        }
        let header = self.text(first) == "technique" && !brackets.is_empty();
        self.class(next).is_some() && !(self.begins_statement(next) && !(header && self.is_binding(next)))
    }

    fn begins_statement(&self, at: usize) -> bool {
        let word = self.text(at);
        let item = words::ITEMS.contains(&word) || (word == "one" && self.text(at + 1) == "step");
        let alone = word == "}" && self.ends_line(at);
        item || alone || self.class(at) == Some(Class::Doc) || words::STATEMENTS.contains(&word) || self.is_binding(at)
    }

    fn is_binding(&self, at: usize) -> bool {
        is_binding(self.source, self.tokens, at)
    }

    fn push(&mut self, tokens: Vec<Token>, brackets: Vec<Token>) {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return };
        let span = first.span.start..last.span.end;
        let line_start = self.source.get(..span.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let text = self.mark(first);
        let (closes, doc) = (text == "}", first.class == Class::Doc);
        let is_block = self.mark(last) == "{" && last.class == Class::Mark && tokens.len() > 1;
        let opens = is_block && !brackets.iter().any(|open| open.span == last.span);
        let indent = span.start - line_start;
        let findings = self.findings(&tokens, &brackets);
        let broken = !findings.is_empty();
        self.out.found.extend(findings);
        self.out.lines.push(Line { span, indent, opens, closes, doc, broken, tokens });
    }

    fn findings(&self, tokens: &[Token], brackets: &[Token]) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        if let Some(deep) = self.too_deep(tokens) {
            let text = format!("{} brackets deep", DEEPEST + 1);
            out.push(
                Diagnostic::error("E0107", deep, "brackets are nested too deeply", text)
                    .help("give the inner part a name with `let` and use the name here"),
            );
        } else if let Some(span) = self.too_long(tokens) {
            let text = format!("more than {LONGEST} words and marks");
            out.push(
                Diagnostic::error("E0107", span, "this line is too long", text)
                    .help("divide it: several `require` lines mean the same as one with `and`"),
            );
        } else if let Some(open) = brackets.first() {
            out.push(self.not_closed(open, tokens));
        }
        for token in tokens {
            let text = self.mark(token);
            if token.class == Class::OpenText {
                let close = if text.starts_with("\"\"\"") { "\"\"\"" } else { "\"" };
                let help = format!("close it with `{close}`");
                out.push(
                    Diagnostic::error("E0105", token.span.clone(), "this text is not closed", "begins here").help(help),
                );
            } else if token.class == Class::Number && text.parse::<u32>().map_or(true, |number| number > LARGEST) {
                let text = format!("larger than {LARGEST}");
                out.push(Diagnostic::error("E0108", token.span.clone(), "this number is too large", text));
            }
        }
        out
    }

    fn not_closed(&self, open: &Token, tokens: &[Token]) -> Diagnostic {
        let mark = self.mark(open);
        let item = tokens.first().is_some_and(|first| words::ITEMS.contains(&self.mark(first)));
        if mark == "{" && item {
            let help = "end the line after `{`, and write each statement on a line of its own";
            let message = "a `{` that opens a block is the last mark of its line";
            return Diagnostic::error("E0106", open.span.clone(), message, "more follows on this line").help(help);
        }
        let message = format!("{} is not closed", if mark == "{" { "this set" } else { "this bracket" });
        let end = tokens.last().map_or(open.span.end, |last| last.span.end);
        Diagnostic::error("E0104", open.span.clone(), message, format!("`{mark}` opens here"))
            .label(end..end, format!("no `{}` up to here", closer(mark)))
    }

    /// The token with which the line is too long; a placeholder in a text is longer than a word.
    fn too_long(&self, tokens: &[Token]) -> Option<Range<usize>> {
        let mut length = 0;
        tokens.iter().find_map(|token| {
            length += weight(token, self.mark(token));
            let end = if token.class == Class::Text { token.span.start + 1 } else { token.span.end };
            (length > LONGEST).then_some(token.span.start..end)
        })
    }

    /// The bracket that is too deep.
    fn too_deep(&self, tokens: &[Token]) -> Option<Range<usize>> {
        let mut depth = 0usize;
        for token in tokens.iter().filter(|token| token.class == Class::Mark) {
            match self.mark(token) {
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
    let text = |at: usize| tokens.get(at).and_then(|token: &Token| source.get(token.span.clone())).unwrap_or("");
    loop {
        if tokens.get(at).map(|token| token.class) != Some(Class::Word) {
            return false;
        }
        at += 1;
        if text(at) == "[" && text(at + 2) == "]" {
            at += 3;
        }
        match text(at) {
            ":" => return true,
            "," => at += 1,
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
