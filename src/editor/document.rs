//! A file in an editor: its text, and conversions between byte offsets and editor positions (line and UTF-16 offset).
//! Also finds the words of the text and the item around a position. A table (a profile, a board or a catalogue, in RON) and a
//! file over the size limit have neither words nor items.

use crate::lang::line_ends::lone_cr_as_lf;
use crate::lang::words::can_be_name;
use crate::lang::{TokenClass, ast, token_spans};
use crate::solve::embedded;
use std::ops::Range;
use std::sync::OnceLock;

/// Size limit for analysis, in bytes.
pub const MAX_ANALYZED_BYTES: usize = 1024 * 1024;
/// Distance in bytes between two stored UTF-16 offsets. The stored offsets make it unnecessary to read a long line from
/// its beginning.
const STRIDE: usize = 512;

pub struct Document {
    pub text: String,
    pub is_open: bool,
    /// The syntax tree, as far as the text parses. Empty if `has_syntax_tree` is false.
    pub tree: ast::File,
    /// True for a rule file within the size limit; false for a table and for a file over the size limit.
    pub has_syntax_tree: bool,
    line_starts: Vec<usize>,
    /// Byte offset and UTF-16 offset of a character at every multiple of [`STRIDE`] bytes. Empty for an ASCII text.
    checkpoints: Vec<(usize, usize)>,
}

impl Document {
    pub fn new(text: String) -> Document {
        let has_syntax_tree = text.len() <= MAX_ANALYZED_BYTES;
        let tree = if has_syntax_tree { crate::lang::parse(&text).0 } else { ast::File::default() };
        Document { tree, has_syntax_tree, ..Document::without_syntax_tree(text) }
    }

    /// Creates a document that is not analyzed as a rule file.
    pub fn without_syntax_tree(text: String) -> Document {
        let mut line_starts = vec![0];
        line_starts.extend(lone_cr_as_lf(&text).match_indices('\n').map(|(end, _)| end + 1));
        let checkpoints = if text.is_ascii() { Vec::new() } else { utf16_checkpoints(&text) };
        let tree = ast::File::default();
        Document { text, is_open: false, tree, has_syntax_tree: false, line_starts, checkpoints }
    }

    /// Returns the byte offset of the character that contains the byte at `at`.
    fn character_start(&self, at: usize) -> usize {
        (0..=at.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0)
    }

    pub fn utf16_offset(&self, at: usize) -> usize {
        let at = self.character_start(at);
        match self.checkpoints.get(at / STRIDE) {
            // In an ASCII text, byte offsets and UTF-16 offsets are equal.
            None => at,
            Some(&(checkpoint, units)) => units + self.text[checkpoint..at].encode_utf16().count(),
        }
    }

    pub fn byte_offset(&self, unit: usize) -> usize {
        let line = self.line_starts.partition_point(|start| self.utf16_offset(*start) <= unit) - 1;
        self.offset((line, unit - self.utf16_offset(self.line_starts[line])))
    }

    /// Returns the line of a byte offset and the UTF-16 offset within the line, both counted from zero.
    pub fn position(&self, at: usize) -> (usize, usize) {
        let at = self.character_start(at);
        let line = self.line_starts.partition_point(|start| *start <= at) - 1;
        (line, self.utf16_offset(at) - self.utf16_offset(self.line_starts[line]))
    }

    /// Returns the byte offset of a position. A position is a line and a UTF-16 offset within the line, both counted
    /// from zero. For a position beyond the end of the line, returns the end of the line.
    pub fn offset(&self, (line, utf16_offset): (usize, usize)) -> usize {
        let Some(&start) = self.line_starts.get(line) else { return self.text.len() };
        let mut at = start;
        let mut remaining_units = utf16_offset;
        for character in self.text[start..].chars() {
            if matches!(character, '\n' | '\r') || remaining_units < character.len_utf16() {
                break;
            }
            remaining_units -= character.len_utf16();
            at += character.len_utf8();
        }
        at
    }

    /// Returns the byte ranges of the words in the text. Words in placeholders of strings are included; words in
    /// comments are not.
    pub fn words(&self) -> Vec<Range<usize>> {
        let mut words = Vec::new();
        if !self.has_syntax_tree {
            return words;
        }
        for (class, span) in token_spans(&self.text) {
            match class {
                TokenClass::Word => words.push(span),
                TokenClass::Text => words.extend(self.words_in_placeholders(span)),
                _ => {}
            }
        }
        words
    }

    fn words_in_placeholders(&self, span: Range<usize>) -> Vec<Range<usize>> {
        let mut words = Vec::new();
        let mut from = span.start;
        while let Some(open) = self.text[from..span.end].find('{').map(|at| from + at + 1) {
            let close = self.text[open..span.end].find('}').map_or(span.end, |at| open + at);
            for (class, word) in token_spans(&self.text[open..close]) {
                if class == TokenClass::Word {
                    words.push(open + word.start..open + word.end);
                }
            }
            from = close;
        }
        words
    }

    /// Returns the word that contains the byte offset or ends at the byte offset.
    pub fn word_at(&self, at: usize) -> Option<Range<usize>> {
        self.words().into_iter().find(|word| word.start <= at && at <= word.end)
    }

    pub fn item_at(&self, at: usize) -> Option<Range<usize>> {
        let mut spans = self.tree.items.iter().map(ast::Item::span);
        spans.find(|span| span.start <= at && at <= span.end).cloned()
    }

    /// Returns the names in an item without repetitions, ordered by first occurrence.
    pub fn names_in(&self, item: &Range<usize>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for word in self.words().into_iter().filter(|word| item.start <= word.start && word.end <= item.end) {
            let name = &self.text[word];
            if can_be_name(name) && !names.iter().any(|other| other == name) {
                names.push(name.to_string());
            }
        }
        names
    }
}

/// Returns, for every multiple of [`STRIDE`], the byte and UTF-16 offset of the character that contains that byte.
fn utf16_checkpoints(text: &str) -> Vec<(usize, usize)> {
    let mut checkpoints = Vec::with_capacity(text.len() / STRIDE + 1);
    let mut units = 0;
    for (at, character) in text.char_indices() {
        while checkpoints.len() * STRIDE < at + character.len_utf8() {
            checkpoints.push((at, units));
        }
        units += character.len_utf16();
    }
    checkpoints.push((text.len(), units));
    checkpoints
}

/// Returns the built-in rule files, each with its name.
pub fn built_in_documents() -> &'static [(&'static str, Document)] {
    static DOCUMENTS: OnceLock<Vec<(&'static str, Document)>> = OnceLock::new();
    DOCUMENTS
        .get_or_init(|| embedded::RULES.iter().map(|(name, text)| (*name, Document::new((*text).into()))).collect())
}
