//! Parses texts with placeholders, such as the title `"Locked {n: Pair, Triple}"`. Each piece keeps its bytes in the
//! file, so that diagnostics can point into the text.

use super::grammar::{self, Build, Rule};
use super::layout::LogicalLine;
use super::tokens::{self, Token};
use super::{ItemReader, text_at};
use crate::lang::ast::{Ident, RawText, Span, TermList, Text, TextPart};
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::line_ends::all_as_lf;

/// Maximum nesting depth of texts after `else`.
const MAX_DEPTH: usize = 4;

/// Maximum number of opening brackets in a placeholder. Deeply nested brackets could overflow the stack.
const MAX_BRACKETS: usize = 16;

impl ItemReader<'_> {
    /// Parses a string with placeholders; `span` includes the quotes.
    pub fn text(&mut self, span: Span) -> Text {
        let inside = span.start + 1..span.end.saturating_sub(1).max(span.start + 1);
        Text { parts: self.parts(inside, 0), span }
    }

    /// Reads a string without placeholders; `span` includes the quotes.
    pub fn raw_text(&self, span: Span) -> RawText {
        let text = text_at(self.source, &span);
        let quotes = if text.starts_with("\"\"\"") { 3 } else { 1 };
        let text = text.get(quotes..text.len().saturating_sub(quotes)).unwrap_or("");
        RawText { text: all_as_lf(text).into_owned(), span }
    }

    /// Parses the text between the quotes. `depth` counts the texts after `else` that enclose this text.
    fn parts(&mut self, inside: Span, depth: usize) -> Vec<TextPart> {
        let source = self.source;
        let mut parts = Vec::new();
        let mut start = inside.start;
        while start < inside.end {
            let Some(rest) = source.get(start..inside.end) else { break };
            let literal_length = rest.find(['{', '}']).unwrap_or(rest.len());
            if literal_length > 0 {
                let literal = &rest[..literal_length];
                let brace = rest.get(literal_length..literal_length + 1);
                let (text, length) = match (literal.strip_suffix('\\'), brace) {
                    // `\{` is a brace, not a placeholder.
                    (Some(literal), Some(brace)) => (format!("{literal}{brace}"), literal_length + 1),
                    _ => (literal.to_owned(), literal_length),
                };
                parts.push(TextPart::Plain(RawText { text, span: start..start + length }));
                start += length;
                continue;
            }
            let Some(length) = placeholder_length(rest) else {
                let is_open = rest.starts_with('{');
                let problem = if is_open { SyntaxProblem::OpenPlaceholder } else { SyntaxProblem::StrayBrace };
                self.diagnostics.push(problem.at(&(start..start + 1)));
                break;
            };
            parts.extend(self.placeholder(start..start + length, depth));
            start += length;
        }
        parts
    }

    /// Parses `{n}`, `{#s}` or `{n: Pair, Triple}`; `span` includes the braces.
    fn placeholder(&mut self, span: Span, depth: usize) -> Option<TextPart> {
        let source = self.source;
        let inside = span.start + 1..span.end - 1;
        let text = source.get(inside.clone())?;
        let name: String = text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let name_start = inside.start + text.len() - text.trim_start().len();
        let rest = source.get(name_start + name.len()..inside.end)?;
        if !name.is_empty() && rest.trim_start().starts_with(':') {
            let words_start = inside.end - rest.len() + rest.find(':')? + 1;
            let param = Ident { span: name_start..name_start + name.len(), name };
            return self.word_choice(span, param, words_start..inside.end, depth);
        }
        if text.chars().filter(|c| "([{".contains(*c)).count() > MAX_BRACKETS {
            self.diagnostics.push(SyntaxProblem::DeepPlaceholder.at(&span));
            return None;
        }
        if text.trim().is_empty() {
            self.diagnostics.push(SyntaxProblem::EmptyPlaceholder.at(&span));
            return None;
        }
        let mut tokens = tokens::tokens(text);
        for Token { span, .. } in &mut tokens {
            *span = inside.start + span.start..inside.start + span.end;
        }
        let line = LogicalLine { span: inside, tokens, ..LogicalLine::default() };
        match grammar::read_text(Rule::placeholder_line, text, &line) {
            Ok(node) => TermList::build(node).ok().map(|value| TextPart::Placeholder { span, value }),
            Err(diagnostic) => {
                self.diagnostics.push(diagnostic);
                None
            }
        }
    }

    /// Parses the words of `{n: Pair, Triple, else …}`; `inside` are the bytes after the colon.
    fn word_choice(&mut self, span: Span, param: Ident, inside: Span, depth: usize) -> Option<TextPart> {
        let source = self.source;
        let mut words = Vec::new();
        let mut otherwise = None;
        let mut piece_start = inside.start;
        for piece in split_at_commas(source.get(inside)?) {
            let start = piece_start + piece.len() - piece.trim_start().len();
            let text = piece.trim();
            let word_span = start..start + text.len();
            piece_start += piece.len() + 1;
            if let Some(rest) = text.strip_prefix("else ") {
                if depth >= MAX_DEPTH {
                    self.diagnostics.push(SyntaxProblem::DeepText.at(&word_span));
                    return None;
                }
                let span = word_span.end - rest.trim_start().len()..word_span.end;
                otherwise = Some(Text { parts: self.parts(span.clone(), depth + 1), span });
            } else if text.is_empty() || otherwise.is_some() {
                let word_span = word_span.start..word_span.end.max(word_span.start + 1);
                let problem = if text.is_empty() { SyntaxProblem::MissingWord } else { SyntaxProblem::ElseNotLast };
                self.diagnostics.push(problem.at(&word_span));
                return None;
            } else {
                words.push(RawText { text: text.to_owned(), span: word_span });
            }
        }
        Some(TextPart::WordChoice { span, param, words, otherwise })
    }
}

/// Returns the length of the placeholder at the beginning of a text, including nested placeholders; `None` if its
/// braces do not match.
fn placeholder_length(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (position, mark) in text.char_indices() {
        match mark {
            '{' => depth += 1,
            '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(position + 1);
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
