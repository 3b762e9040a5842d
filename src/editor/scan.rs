//! A tolerant scanner for RON tables. In: any text. Out: fields and strings with their spans and enclosing fields, even if
//! the table does not parse, and the context of a position.

use super::names::is_letter;
use crate::lang::line_ends::lone_cr_as_lf;
use std::ops::Range;

/// A field or a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableToken {
    /// The fields around it, outermost first; of a string the last is the field that it is the value of, or part of.
    pub path: Vec<String>,
    /// The bracket that it stands in directly, by number.
    pub group: usize,
    /// The name of the field, or the string without its quotes.
    pub text: String,
    /// Byte range of the token; for a string, without the quotes.
    pub span: Range<usize>,
    /// True for a string.
    pub is_string: bool,
}

impl TableToken {
    /// Returns true if the token is a rule name.
    pub fn names_rule(&self) -> bool {
        self.is_string && self.path.last().is_some_and(|field| field == "technique" || field == "after")
    }
}

/// Context of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionContext {
    /// The fields around it.
    pub path: Vec<String>,
    /// The bracket that it stands in.
    pub group: usize,
    /// True if the innermost bracket is a struct's, and a field may begin here.
    pub begins_field: bool,
    /// True inside a string.
    pub in_string: bool,
}

/// A table.
pub struct Scan {
    /// In order.
    pub tokens: Vec<TableToken>,
    /// Context of the requested position.
    pub context: PositionContext,
}

/// An open bracket.
struct Frame {
    group: usize,
    is_list: bool,
    /// The field whose value is being read.
    field: Option<String>,
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    asked: usize,
    frames: Vec<Frame>,
    groups: usize,
    tokens: Vec<TableToken>,
    context: Option<PositionContext>,
}

/// Scans a table; `asked` is the position whose context is wanted.
pub fn scan(text: &str, asked: usize) -> Scan {
    let text = &*lone_cr_as_lf(text);
    let mut scanner = Scanner { text, at: 0, asked, frames: Vec::new(), groups: 0, tokens: Vec::new(), context: None };
    while scanner.at < text.len() {
        scanner.step();
    }
    scanner.look(text.len(), false);
    Scan { tokens: scanner.tokens, context: scanner.context.unwrap_or_default() }
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn path(&self) -> Vec<String> {
        self.frames.iter().filter_map(|frame| frame.field.clone()).collect()
    }

    fn group(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.group)
    }

    /// Notes what stands around the place that was asked about, once the reading is past it.
    fn look(&mut self, end: usize, in_string: bool) {
        if self.context.is_none() && self.asked <= end {
            let top = self.frames.last();
            let begins_field = top.is_some_and(|frame| !frame.is_list && frame.field.is_none());
            self.context = Some(PositionContext { path: self.path(), group: self.group(), begins_field, in_string });
        }
    }

    fn step(&mut self) {
        let rest = self.rest();
        let first = rest.chars().next().unwrap_or('\n');
        match first {
            '/' if rest.starts_with("//") => self.skip(rest.find('\n').unwrap_or(rest.len()), false),
            '/' if rest.starts_with("/*") => self.skip(rest.find("*/").map_or(rest.len(), |end| end + 2), false),
            '"' => self.string(),
            '(' | '[' | '{' => {
                self.skip(1, false);
                self.groups += 1;
                self.frames.push(Frame { group: self.groups, is_list: first == '[', field: None });
            }
            ')' | ']' | '}' => {
                self.look(self.at, false);
                self.frames.pop();
                self.at += 1;
            }
            ',' => {
                self.look(self.at, false);
                self.at += 1;
                if let Some(frame) = self.frames.last_mut().filter(|frame| !frame.is_list) {
                    frame.field = None;
                }
            }
            c if c.is_alphabetic() || c == '_' => self.word(rest.find(|c| !is_letter(c)).unwrap_or(rest.len())),
            c => self.skip(c.len_utf8(), false),
        }
    }

    fn skip(&mut self, length: usize, in_string: bool) {
        self.look(self.at + length - 1, in_string);
        self.at += length;
    }

    /// A word; with a colon behind it a field.
    fn word(&mut self, length: usize) {
        self.look(self.at + length, false);
        let span = self.at..self.at + length;
        self.at = span.end;
        let name = self.text[span.clone()].to_owned();
        let is_field = self.rest().trim_start().starts_with(':');
        if is_field && self.frames.last().is_some_and(|frame| !frame.is_list) {
            let (path, group) = (self.path(), self.group());
            self.tokens.push(TableToken { path, group, text: name.clone(), span, is_string: false });
            if let Some(frame) = self.frames.last_mut() {
                frame.field = Some(name);
            }
        }
    }

    /// A string, up to its closing quote or the end of the text.
    fn string(&mut self) {
        let start = self.at + 1;
        let mut escaped = false;
        let close = self.text[start..].char_indices().find(|(_, letter)| {
            let closes = *letter == '"' && !escaped;
            escaped = *letter == '\\' && !escaped;
            closes
        });
        let end = close.map_or(self.text.len(), |(at, _)| start + at);
        // Before the first quote the place is not yet in the string.
        self.look(self.at, false);
        self.look(end, true);
        let (path, group, text) = (self.path(), self.group(), self.text[start..end].to_owned());
        self.tokens.push(TableToken { path, group, text, span: start..end, is_string: true });
        self.at = (end + 1).min(self.text.len());
    }
}
