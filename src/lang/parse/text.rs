//! The inside of a string. In: a string with placeholders. Out: its parts, each with its place, so that a mistake
//! in a title is shown inside of the title.

use super::Reader;
use super::grammar::{self, Rule};
use super::layout::Line;
use super::phrase::Builder;
use super::tokens;
use crate::lang::ast::{Ident, Raw, Span, Text, TextPart};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::line_ends::all_as_lf;

/// Texts inside of texts, at most.
const DEEPEST: usize = 4;

impl Reader<'_> {
    /// A string with its quotes.
    pub fn text(&mut self, span: Span) -> Text {
        let inside = span.start + 1..span.end.saturating_sub(1).max(span.start + 1);
        Text { parts: self.parts(inside, 0), span }
    }

    /// The text without placeholders, for what is shown as it is.
    pub fn raw(&self, span: Span) -> Raw {
        let text = self.source.get(span.clone()).unwrap_or("");
        let quotes = if text.starts_with("\"\"\"") { 3 } else { 1 };
        let text = text.get(quotes..text.len().saturating_sub(quotes)).unwrap_or("");
        Raw { text: all_as_lf(text).into_owned(), span }
    }

    fn parts(&mut self, inside: Span, depth: usize) -> Vec<TextPart> {
        let source = self.source;
        let mut parts = Vec::new();
        let mut at = inside.start;
        while let Some(rest) = source.get(at..inside.end).filter(|rest| !rest.is_empty()) {
            let plain = rest.find(['{', '}']).unwrap_or(rest.len());
            if plain > 0 {
                let text = rest.get(..plain).unwrap_or("");
                // `\{` is a brace, not a placeholder.
                let brace = rest.get(plain..plain + 1);
                let (text, end) = match text.strip_suffix('\\').zip(brace) {
                    Some((text, brace)) => (format!("{text}{brace}"), plain + 1),
                    None => (text.to_owned(), plain),
                };
                parts.push(TextPart::Plain(Raw { text, span: at..at + end }));
                at += end;
                continue;
            }
            let Some(length) = balanced(rest) else {
                let message = if rest.starts_with('{') {
                    "this placeholder is not closed"
                } else {
                    "this `}` closes no placeholder"
                };
                let help = "`{…}` in a text is a placeholder that a value fills; a brace is written `\\{`";
                self.found.push(Diagnostic::error("E0111", at..at + 1, message, "in this text").help(help));
                break;
            };
            parts.extend(self.placeholder(at..at + length, depth));
            at += length;
        }
        parts
    }

    /// `{n}`, `{n: Pair, Triple}`, `{#s}`.
    fn placeholder(&mut self, span: Span, depth: usize) -> Option<TextPart> {
        let source = self.source;
        let inside = span.start + 1..span.end - 1;
        let text = source.get(inside.clone())?;
        let name: String = text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let name_at = inside.start + text.len() - text.trim_start().len();
        let after = source.get(name_at + name.len()..inside.end)?;
        if !name.is_empty() && after.trim_start().starts_with(':') {
            let words_at = inside.end - after.len() + after.find(':')? + 1;
            let param = Ident { span: name_at..name_at + name.len(), name };
            return self.words(span, param, words_at..inside.end, depth);
        }
        let shift = |token: tokens::Token| tokens::Token {
            span: token.span.start + inside.start..token.span.end + inside.start,
            ..token
        };
        let tokens: Vec<_> = tokens::tokens(text).into_iter().map(shift).collect();
        let line =
            Line { span: inside.clone(), indent: 0, opens: false, closes: false, doc: false, broken: false, tokens };
        if text.chars().filter(|c| "([{".contains(*c)).count() > 16 {
            self.found.push(Diagnostic::error("E0107", span, "brackets are nested too deeply", "in this placeholder"));
            return None;
        }
        if text.trim().is_empty() {
            self.found.push(Diagnostic::error("E0111", span, "this placeholder is empty", "nothing to show here"));
            return None;
        }
        match grammar::read_text(Rule::hole_line, text, source, &line) {
            Ok(node) => {
                let value = Builder { offset: inside.start }.noun(node)?;
                Some(TextPart::Placeholder { span, value })
            }
            Err(diagnostic) => {
                self.found.push(diagnostic);
                None
            }
        }
    }

    fn words(&mut self, span: Span, param: Ident, inside: Span, depth: usize) -> Option<TextPart> {
        let source = self.source;
        let (mut words, mut otherwise) = (Vec::new(), None);
        let mut at = inside.start;
        for piece in pieces(source.get(inside.clone())?) {
            let start = at + piece.len() - piece.trim_start().len();
            let text = piece.trim();
            let place = start..start + text.len();
            at += piece.len() + 1;
            if let Some(rest) = text.strip_prefix("else ") {
                if depth >= DEEPEST {
                    self.found.push(Diagnostic::error("E0107", place, "texts are nested too deeply", "one more here"));
                    return None;
                }
                let skipped = text.len() - rest.trim_start().len();
                let inner = place.start + skipped..place.end;
                otherwise = Some(Text { parts: self.parts(inner.clone(), depth + 1), span: inner });
            } else if text.is_empty() || otherwise.is_some() {
                let text = if text.is_empty() { "a word is missing here" } else { "`else …` comes last" };
                let place = place.start..place.end.max(place.start + 1);
                self.found.push(Diagnostic::error("E0111", place, "these words cannot be read", text));
                return None;
            } else {
                words.push(Raw { text: text.to_owned(), span: place });
            }
        }
        Some(TextPart::Words { span, param, words, otherwise })
    }
}

/// The length of a placeholder that begins here, placeholders inside of it included.
fn balanced(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, mark) in text.char_indices() {
        match mark {
            '{' => depth += 1,
            '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Divides at the commas that stand in no placeholder.
fn pieces(text: &str) -> Vec<&str> {
    let (mut out, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (at, mark) in text.char_indices() {
        match mark {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                out.push(text.get(start..at).unwrap_or(""));
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(text.get(start..).unwrap_or(""));
    out
}
