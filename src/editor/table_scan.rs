//! A tolerant scanner for tables (profiles, boards and catalogues, in RON); a table need not parse. In: any text, and a byte
//! offset. Out: the field names and strings with their byte ranges and enclosing fields, and the context of the offset.

use super::names::is_in_word;
use crate::lang::line_ends::lone_cr_as_lf;
use std::ops::Range;

/// The name of a field, or a string, in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableToken {
    /// Names of the enclosing fields, outermost first. For a string, the last field is the field whose value is or
    /// contains the string.
    pub path: Vec<String>,
    /// Number of the innermost bracket around the token, by order of opening; 0 outside of brackets.
    pub group: usize,
    /// The name of the field, or the string without its quotes.
    pub text: String,
    /// Byte range of the token; for a string, without the quotes.
    pub span: Range<usize>,
    /// True for a string, false for the name of a field.
    pub is_string: bool,
}

impl TableToken {
    pub fn names_rule(&self) -> bool {
        self.is_string && self.path.last().is_some_and(|field| field == "technique" || field == "after")
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionContext {
    /// Names of the enclosing fields, outermost first.
    pub path: Vec<String>,
    /// Number of the innermost bracket, by order of opening; 0 outside of brackets.
    pub group: usize,
    /// True if a field name may begin at the position, directly inside the bracket of a struct.
    pub begins_field: bool,
    pub in_string: bool,
}

pub struct TableScan {
    pub tokens: Vec<TableToken>,
    pub context: PositionContext,
}

struct Frame {
    group: usize,
    is_list: bool,
    /// The field whose value is being read.
    field: Option<String>,
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// Byte offset of the position whose context is requested.
    position: usize,
    frames: Vec<Frame>,
    /// Number of brackets opened so far.
    group_count: usize,
    tokens: Vec<TableToken>,
    context: Option<PositionContext>,
}

/// Scans a table, and determines the context of the byte offset `position`.
pub fn scan_table(text: &str, position: usize) -> TableScan {
    let text = &*lone_cr_as_lf(text);
    let mut scanner =
        Scanner { text, at: 0, position, frames: Vec::new(), group_count: 0, tokens: Vec::new(), context: None };
    while scanner.at < text.len() {
        scanner.step();
    }
    scanner.record_context(text.len(), false);
    TableScan { tokens: scanner.tokens, context: scanner.context.unwrap_or_default() }
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

    /// Records the context of the requested position. Does nothing if the position lies after `end` or a context is
    /// already recorded.
    fn record_context(&mut self, end: usize, in_string: bool) {
        if self.context.is_none() && self.position <= end {
            let top = self.frames.last();
            let begins_field = top.is_some_and(|frame| !frame.is_list && frame.field.is_none());
            self.context = Some(PositionContext { path: self.path(), group: self.group(), begins_field, in_string });
        }
    }

    fn step(&mut self) {
        let rest = self.rest();
        let first = rest.chars().next().unwrap_or('\n');
        match first {
            '/' if rest.starts_with("//") => self.skip(rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => self.skip(rest.find("*/").map_or(rest.len(), |end| end + 2)),
            '"' => self.scan_string(),
            '(' | '[' | '{' => {
                self.skip(1);
                self.group_count += 1;
                self.frames.push(Frame { group: self.group_count, is_list: first == '[', field: None });
            }
            ')' | ']' | '}' => {
                self.record_context(self.at, false);
                self.frames.pop();
                self.at += 1;
            }
            ',' => {
                self.record_context(self.at, false);
                self.at += 1;
                if let Some(frame) = self.frames.last_mut()
                    && !frame.is_list
                {
                    frame.field = None;
                }
            }
            c if c.is_alphabetic() || c == '_' => self.scan_word(rest.find(|c| !is_in_word(c)).unwrap_or(rest.len())),
            c => self.skip(c.len_utf8()),
        }
    }

    /// Skips bytes outside of words and strings. A position directly after the bytes belongs to the next token.
    fn skip(&mut self, length: usize) {
        self.record_context(self.at + length - 1, false);
        self.at += length;
    }

    /// Scans a word. A word with a colon after it is the name of a field. A position directly after a word belongs to the
    /// word.
    fn scan_word(&mut self, length: usize) {
        self.record_context(self.at + length, false);
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

    /// Scans a string up to its closing quote or the end of the text.
    fn scan_string(&mut self) {
        let start = self.at + 1;
        let mut end = self.text.len();
        let mut is_escaped = false;
        for (at, character) in self.text[start..].char_indices() {
            if character == '"' && !is_escaped {
                end = start + at;
                break;
            }
            is_escaped = character == '\\' && !is_escaped;
        }
        // A position before the first quote is not in the string.
        self.record_context(self.at, false);
        self.record_context(end, true);
        let (path, group, text) = (self.path(), self.group(), self.text[start..end].to_owned());
        self.tokens.push(TableToken { path, group, text, span: start..end, is_string: true });
        self.at = (end + 1).min(self.text.len());
    }
}
