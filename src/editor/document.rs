//! A file as an editor sees it. In: its text. Out: positions as lines and UTF-16 units, words at positions, the item around
//! a position. Tables and files over the size limit have neither words nor items.

use crate::lang::line_ends::lone_cr_as_lf;
use crate::lang::words::is_free;
use crate::lang::{TokenClass, ast, token_spans};
use crate::solve::embedded;
use std::ops::Range;
use std::sync::OnceLock;

/// Size limit for analysis, in bytes.
pub const MAX_ANALYZED_BYTES: usize = 1024 * 1024;
/// Distance in bytes between stored UTF-16 offsets, so that a position in a long line is found without reading all of it.
const STRIDE: usize = 512;

/// A file.
pub struct Document {
    /// The contents of the file.
    pub text: String,
    /// True if the editor has the file open.
    pub is_open: bool,
    /// The syntax tree, as far as the text parses.
    pub tree: ast::File,
    /// True if the text has no tokens.
    pub is_plain_text: bool,
    lines: Vec<usize>,
    /// Units of UTF-16 before each line.
    units: Vec<usize>,
    /// UTF-16 offsets at regular distances, for texts beyond ASCII: byte offset of a character, and the units before it.
    marks: Vec<(usize, usize)>,
}

impl Document {
    /// Reads a text.
    pub fn new(text: String) -> Document {
        let tree = if text.len() > MAX_ANALYZED_BYTES { ast::File::default() } else { crate::lang::parse(&text).0 };
        Document { tree, is_plain_text: text.len() > MAX_ANALYZED_BYTES, ..Document::plain_text(text) }
    }

    /// Wraps a text that is no rule file.
    pub fn plain_text(text: String) -> Document {
        let (mut lines, mut units, mut at, mut unit) = (vec![0], vec![0], 0, 0);
        for line in lone_cr_as_lf(&text).split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            at += line.len();
            unit += line.encode_utf16().count();
            lines.push(at);
            units.push(unit);
        }
        let marks = if text.is_ascii() { Vec::new() } else { marks(&text) };
        Document { text, is_open: false, tree: ast::File::default(), is_plain_text: true, lines, units, marks }
    }

    /// Number of UTF-16 units before a byte offset.
    pub fn unit(&self, at: usize) -> usize {
        let at = (0..=at.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0);
        match self.marks.get(at / STRIDE) {
            None => at,
            Some(&(from, units)) => units + self.text[from..at].encode_utf16().count(),
        }
    }

    /// The byte after a number of units of UTF-16.
    pub fn byte(&self, unit: usize) -> usize {
        let line = self.units.partition_point(|start| *start <= unit) - 1;
        self.offset((line, unit - self.units[line]))
    }

    /// The line of a byte and its place in the line in units of UTF-16, both from zero.
    pub fn position(&self, at: usize) -> (usize, usize) {
        let at = (0..=at.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0);
        let line = self.lines.partition_point(|start| *start <= at) - 1;
        (line, self.unit(at) - self.units[line])
    }

    /// Byte offset of a position; the end of the line if the line is shorter.
    pub fn offset(&self, (line, mut left): (usize, usize)) -> usize {
        let Some(&start) = self.lines.get(line) else { return self.text.len() };
        let mut at = start;
        for letter in self.text[start..].chars() {
            if matches!(letter, '\n' | '\r') || left < letter.len_utf16() {
                break;
            }
            left -= letter.len_utf16();
            at += letter.len_utf8();
        }
        at
    }

    /// Words of the text, including those in placeholders of sentences, but not in comments.
    pub fn words(&self) -> Vec<Range<usize>> {
        let mut out = Vec::new();
        if self.is_plain_text {
            return out;
        }
        for (class, span) in token_spans(&self.text) {
            match class {
                TokenClass::Word => out.push(span),
                TokenClass::Text => out.extend(self.placeholders(span)),
                _ => {}
            }
        }
        out
    }

    /// Words between braces.
    fn placeholders(&self, span: Range<usize>) -> Vec<Range<usize>> {
        let mut out = Vec::new();
        let mut from = span.start;
        while let Some(open) = self.text[from..span.end].find('{').map(|at| from + at + 1) {
            let close = self.text[open..span.end].find('}').map_or(span.end, |at| open + at);
            let inside = token_spans(&self.text[open..close]).into_iter();
            let words = inside.filter(|(class, _)| *class == TokenClass::Word);
            out.extend(words.map(|(_, word)| open + word.start..open + word.end));
            from = close;
        }
        out
    }

    /// The word at a place, or the one that ends there.
    pub fn word_at(&self, at: usize) -> Option<Range<usize>> {
        self.words().into_iter().find(|word| word.start <= at && at <= word.end)
    }

    /// Span of the item around a byte offset.
    pub fn item_at(&self, at: usize) -> Option<Range<usize>> {
        let mut spans = self.tree.items.iter().map(ast::Item::span);
        spans.find(|span| span.start <= at && at <= span.end).cloned()
    }

    /// The names in an item, each once.
    pub fn names_in(&self, item: &Range<usize>) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for word in self.words().into_iter().filter(|word| item.start <= word.start && word.end <= item.end) {
            let name = &self.text[word];
            if is_free(name) && !out.iter().any(|known| known == name) {
                out.push(name.to_string());
            }
        }
        out
    }
}

fn marks(text: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::with_capacity(text.len() / STRIDE + 1);
    let mut units = 0;
    for (at, letter) in text.char_indices() {
        // The character in which a mark lies.
        while out.len() * STRIDE < at + letter.len_utf8() {
            out.push((at, units));
        }
        units += letter.len_utf16();
    }
    out.push((text.len(), units));
    out
}

/// The rule files of the program.
pub fn built_in_documents() -> &'static [(&'static str, Document)] {
    static READ: OnceLock<Vec<(&'static str, Document)>> = OnceLock::new();
    READ.get_or_init(|| embedded::rules().iter().map(|(name, text)| (*name, Document::new((*text).into()))).collect())
}
