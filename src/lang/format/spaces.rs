//! Blanks between the tokens of a line. In: its tokens. Out: for each whether a blank stands before it.

use crate::lang::parse::layout::Line;
use crate::lang::parse::tokens::{Class, Token};
use crate::lang::words;

/// A token with its text.
#[derive(Clone, Debug)]
pub struct Word {
    /// As written; a text of several lines is one of these.
    pub text: String,
    /// True if a blank stands before it.
    pub gap: bool,
    /// Number of brackets open before it.
    pub depth: usize,
}

/// Words of one place only that are followed by an expression; after other names a bracket belongs to the name.
const SPACED: &[&str] = &["of", "linking", "between"];

/// The tokens of a line with their blanks.
pub fn words(source: &str, line: &Line) -> Vec<Word> {
    let texts: Vec<&str> = line.tokens.iter().map(|token| text(source, token)).collect();
    let spacer = Spacer { tokens: &line.tokens, texts: &texts, opens: line.opens, eureka: eureka(&texts) };
    let tight = spacer.named_links();
    let mut depth = 0usize;
    let mut out = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let closes = matches!(*text, ")" | "]" | "}");
        depth = depth.saturating_sub(usize::from(closes));
        let gap = at > 0 && !tight.contains(&at) && spacer.gap(at, depth);
        out.push(Word { text: (*text).to_owned(), gap, depth });
        depth += usize::from(matches!(*text, "(" | "[" | "{"));
    }
    out
}

fn text<'s>(source: &'s str, token: &Token) -> &'s str {
    source.get(token.span.clone()).unwrap_or("")
}

/// Returns true if the line has nodes such as `(x=y)A`.
fn eureka(texts: &[&str]) -> bool {
    texts.first() == Some(&"chain") || texts.starts_with(&["strong", "link"])
}

struct Spacer<'a> {
    tokens: &'a [Token],
    texts: &'a [&'a str],
    opens: bool,
    eureka: bool,
}

impl Spacer<'_> {
    /// In `=h=` and `-h-`: the places of the name and of the mark after it.
    fn named_links(&self) -> Vec<usize> {
        let mut out = Vec::new();
        let (mut at, mut depth) = (0, 0usize);
        while self.eureka && at < self.texts.len() {
            match self.texts[at] {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                mark @ ("=" | "-") if depth == 0 && self.texts.get(at + 2) == Some(&mark) => {
                    out.extend([at + 1, at + 2]);
                    at += 2;
                }
                _ => {}
            }
            at += 1;
        }
        out
    }

    fn adjacent(&self, at: usize) -> bool {
        self.tokens[at - 1].span.end == self.tokens[at].span.start
    }

    /// Returns true if a blank belongs between the token before `at` and the one at `at`.
    fn gap(&self, at: usize, depth: usize) -> bool {
        let (before, here) = (self.texts[at - 1], self.texts[at]);
        if here == "{" && self.opens && at + 1 == self.texts.len() {
            return true;
        }
        if self.texts[0] == "finds" && at > 1 && here != "," && before != "," {
            return !self.adjacent(at);
        }
        match (before, here) {
            (_, "," | ":" | ")" | "]" | "}") => false,
            ("(" | "[" | "{" | "#", _) => false,
            ("," | ":", _) => true,
            (_, "[") => !self.adjacent(at),
            (_, "..") => false,
            ("..", _) => self.tokens[at].class == Class::Word && depth == 0,
            ("=" | "-", _) | (_, "=" | "-") if self.eureka && depth > 0 => false,
            (_, "(") if self.tokens[at - 1].class == Class::Word => {
                words::is_reserved(before) || SPACED.contains(&before) || !self.adjacent(at)
            }
            (")", name) if self.eureka && self.tokens[at].class == Class::Word => words::is_reserved(name),
            _ => true,
        }
    }
}
