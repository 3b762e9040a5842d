//! Texts with placeholders. In: a string of the file. Out: its parts, each with its place, so that a mistake in a title is shown inside
//! of the title.

use super::grammar::{self, Build, Rule};
use super::layout::LogicalLine;
use super::tokens::{self, Token};
use super::{ItemReader, text_at};
use crate::lang::ast::{Ident, Noun, Raw, Span, Text, TextPart};
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::line_ends::all_as_lf;

/// Maximum depth of texts inside of texts.
const DEEPEST: usize = 4;

/// Maximum number of opening brackets in a placeholder.
const MOST_BRACKETS: usize = 16;

impl ItemReader<'_> {
    /// Reads a string with its quotes.
    pub fn text(&mut self, span: Span) -> Text {
        let inside = span.start + 1..span.end.saturating_sub(1).max(span.start + 1);
        Text { parts: self.parts(inside, 0), span }
    }

    /// Reads a text without placeholders.
    pub fn raw(&self, span: Span) -> Raw {
        let text = text_at(self.source, &span);
        let quotes = if text.starts_with("\"\"\"") { 3 } else { 1 };
        let text = text.get(quotes..text.len().saturating_sub(quotes)).unwrap_or("");
        Raw { text: all_as_lf(text).into_owned(), span }
    }

    fn parts(&mut self, inside: Span, depth: usize) -> Vec<TextPart> {
        let source = self.source;
        let mut parts = Vec::new();
        let mut at = inside.start;
        while let Some(rest) = source.get(at..inside.end).filter(|rest| !rest.is_empty()) {
            let literal = rest.find(['{', '}']).unwrap_or(rest.len());
            if literal > 0 {
                let text = rest.get(..literal).unwrap_or("");
                // `\{` is a brace, not a placeholder.
                let brace = rest.get(literal..literal + 1);
                let (text, end) = match text.strip_suffix('\\').zip(brace) {
                    Some((text, brace)) => (format!("{text}{brace}"), literal + 1),
                    None => (text.to_owned(), literal),
                };
                parts.push(TextPart::Plain(Raw { text, span: at..at + end }));
                at += end;
                continue;
            }
            let Some(length) = balanced(rest) else {
                let problem = match rest.starts_with('{') {
                    true => SyntaxProblem::OpenPlaceholder,
                    false => SyntaxProblem::StrayBrace,
                };
                self.found.push(problem.at(&(at..at + 1)));
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
        if text.chars().filter(|c| "([{".contains(*c)).count() > MOST_BRACKETS {
            self.found.push(SyntaxProblem::DeepPlaceholder.at(&span));
            return None;
        }
        if text.trim().is_empty() {
            self.found.push(SyntaxProblem::EmptyPlaceholder.at(&span));
            return None;
        }
        let start = inside.start;
        let moved = tokens::tokens(text)
            .into_iter()
            .map(|Token { class, span }| Token { class, span: span.start + start..span.end + start });
        let line = LogicalLine { span: inside, tokens: moved.collect(), ..LogicalLine::default() };
        match grammar::read_text(Rule::hole_line, text, source, &line) {
            Ok(node) => Noun::build(node).ok().map(|value| TextPart::Placeholder { span, value }),
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
        for piece in split_at_commas(source.get(inside)?) {
            let start = at + piece.len() - piece.trim_start().len();
            let text = piece.trim();
            let place = start..start + text.len();
            at += piece.len() + 1;
            if let Some(rest) = text.strip_prefix("else ") {
                if depth >= DEEPEST {
                    self.found.push(SyntaxProblem::DeepText.at(&place));
                    return None;
                }
                let span = place.end - rest.trim_start().len()..place.end;
                otherwise = Some(Text { parts: self.parts(span.clone(), depth + 1), span });
            } else if text.is_empty() || otherwise.is_some() {
                let place = place.start..place.end.max(place.start + 1);
                let problem = if text.is_empty() { SyntaxProblem::MissingWord } else { SyntaxProblem::ElseNotLast };
                self.found.push(problem.at(&place));
                return None;
            } else {
                words.push(Raw { text: text.to_owned(), span: place });
            }
        }
        Some(TextPart::WordChoice { span, param, words, otherwise })
    }
}

/// Returns the length of a placeholder that begins here, with placeholders inside of it.
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

/// Splits at commas outside of placeholders.
fn split_at_commas(text: &str) -> Vec<&str> {
    let mut depth = 0usize;
    let pieces = text.split(|mark| {
        match mark {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        mark == ',' && depth == 0
    });
    pieces.collect()
}
