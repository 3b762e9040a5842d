//! Lines that are too long. In: the words of a logical line. Out: the lines of text that it takes.

use super::WIDTH;
use super::spaces::Word;
use crate::lang::parse::layout::{Line, is_binding};
use crate::lang::words;

/// Blanks before a line that goes on, beyond those of its statement.
const HANGING: usize = 4;

/// Writes words as lines that begin in the column of the statement and go on further to the right. `goes_on`: they
/// follow other words of the same statement.
pub fn lines(source: &str, line: &Line, words: &[Word], from: usize, indent: usize, goes_on: bool) -> Vec<String> {
    let mut out = Vec::new();
    let mut first = 0;
    while first < words.len() {
        let indent = if goes_on || !out.is_empty() { indent + HANGING } else { indent };
        let rest = &words[first..];
        let end = if width(rest, indent) <= WIDTH {
            rest.len()
        } else {
            let breaks = |after: usize| can_break(source, line, words, first + after, from);
            place(rest, indent, breaks).unwrap_or(rest.len())
        };
        out.push(format!("{}{}", " ".repeat(indent), joined(&rest[..end])));
        first += end;
    }
    out
}

/// Words on one line.
fn joined(words: &[Word]) -> String {
    let mut out = String::new();
    for (at, word) in words.iter().enumerate() {
        if word.gap && at > 0 {
            out.push(' ');
        }
        out.push_str(&word.text);
    }
    out
}

/// Columns up to the end of the first line of the words' text.
fn width(words: &[Word], indent: usize) -> usize {
    indent + joined(words).lines().next().map_or(0, |line| line.chars().count())
}

/// Returns the number of words on the first line: up to the loosest joint that fits (the last of several), or the first joint if none fits.
fn place(words: &[Word], indent: usize, breaks: impl Fn(usize) -> bool) -> Option<usize> {
    let joints: Vec<usize> = (1..words.len()).filter(|&after| breaks(after)).collect();
    let looseness = |&after: &usize| (words[after - 1].depth, rank(&words[after - 1].text));
    let fitting = joints.iter().filter(|&&after| width(&words[..after], indent) <= WIDTH);
    fitting.min_by_key(|after| (looseness(after), usize::MAX - **after)).or(joints.first()).copied()
}

fn rank(word: &str) -> u8 {
    match word {
        "and" | "or" => 0,
        "," => 1,
        _ => 2,
    }
}

/// Returns true if the line may be broken before the word `at`: the word before it shows that more follows, and it does not
/// look like the beginning of a statement.
fn can_break(source: &str, line: &Line, words: &[Word], at: usize, from: usize) -> bool {
    let (before, word) = (words[at - 1].text.as_str(), &words[at]);
    let hangs = matches!(before, "," | "+" | "-" | "&" | "and" | "or");
    let begins = words::ITEMS.contains(&word.text.as_str())
        || words::STATEMENTS.contains(&word.text.as_str())
        || word.text == "one"
        || matches!(word.text.as_str(), "}" | "{" | ")" | "]")
        || is_binding(source, &line.tokens, from + at);
    hangs && word.gap && !begins
}
