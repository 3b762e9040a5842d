//! A file as an editor sees it. In: its text. Out: places as lines and characters of UTF-16, words at places, the item around a place.

use crate::lang::words::is_reserved;
use crate::lang::{TokenClass, ast, token_spans};
use serde_json::{Value, json};
use std::ops::Range;

/// A file.
pub struct Document {
    /// Its text.
    pub text: String,
    /// Whether the editor has it open.
    pub open: bool,
    /// What was read of it.
    pub tree: ast::File,
    lines: Vec<usize>,
}

impl Document {
    /// Reads a text.
    pub fn new(text: String) -> Document {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let tree = crate::lang::parse(&text).0;
        Document { text, open: false, tree, lines }
    }

    /// A place as the editor says it.
    pub fn position(&self, at: usize) -> Value {
        let at = (0..=at.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0);
        let line = self.lines.partition_point(|start| *start <= at) - 1;
        let character = self.text[self.lines[line]..at].encode_utf16().count();
        json!({ "line": line, "character": character })
    }

    /// Two places.
    pub fn range(&self, span: &Range<usize>) -> Value {
        json!({ "start": self.position(span.start), "end": self.position(span.end) })
    }

    /// The byte of a place; the end of its line where it has no such character.
    pub fn offset(&self, position: &Value) -> usize {
        let (line, mut left) = (as_number(&position["line"]), as_number(&position["character"]));
        let Some(&start) = self.lines.get(line) else { return self.text.len() };
        let mut at = start;
        for letter in self.text[start..].chars() {
            if letter == '\n' || left < letter.len_utf16() {
                break;
            }
            left -= letter.len_utf16();
            at += letter.len_utf8();
        }
        at
    }

    /// Words of the text, those in the placeholders of sentences too; comments have none.
    pub fn words(&self) -> Vec<Range<usize>> {
        let mut out = Vec::new();
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

    /// What a name of an item stands for around a place: the item's span.
    pub fn item_at(&self, at: usize) -> Option<Range<usize>> {
        let mut spans = self.tree.items.iter().map(|item| match item {
            ast::Item::Technique(one) => &one.span,
            ast::Item::Pattern(one) => &one.span,
            ast::Item::Source(one) => &one.span,
            ast::Item::RuleList(one) => &one.span,
            ast::Item::Example(one) => &one.span,
        });
        spans.find(|span| span.start <= at && at <= span.end).cloned()
    }

    /// The names in an item, each once.
    pub fn names_in(&self, item: &Range<usize>) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for word in self.words().into_iter().filter(|word| item.start <= word.start && word.end <= item.end) {
            let name = &self.text[word];
            if !is_reserved(name) && !crate::lang::words::is_built_in(name) && !out.iter().any(|known| known == name) {
                out.push(name.to_string());
            }
        }
        out
    }
}

fn as_number(value: &Value) -> usize {
    value.as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(0)
}
