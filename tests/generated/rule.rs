//! A rule as lines. In: lines, or a text. Out: its text, as it is or said another way that must mean the same.

/// A line between the braces.
#[derive(Clone, Debug)]
pub enum Line {
    /// `require CONDITION for …`: the condition, in parentheses, and what follows it.
    Require(String, String),
    /// Any other line.
    Other(String),
}

/// A rule, not yet checked.
#[derive(Clone, Debug)]
pub struct Rule {
    pub header: String,
    pub lines: Vec<Line>,
    /// The names that it declares.
    pub names: Vec<String>,
}

/// A way to say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    Unchanged,
    /// Each condition C as `(C) or (C)`.
    Doubled,
    /// Each condition C as `not (not C)`.
    NegatedTwice,
    /// The lines in reverse order.
    Reversed,
    /// Other names, of another order in the alphabet.
    Renamed,
}

impl Wording {
    pub const REWORDINGS: [Wording; 4] = [Wording::Doubled, Wording::NegatedTwice, Wording::Reversed, Wording::Renamed];
}

impl Rule {
    /// A rule of one technique as a text has it.
    pub fn read(text: &str) -> Rule {
        let mut lines = text.lines();
        let header = lines.next().unwrap_or_default().trim_end_matches(" {").to_owned();
        let line = |line: &str| match line.trim().strip_prefix("require ") {
            // Conditions under a `for` and declarations of names stay as they are.
            Some(when) if !when.contains(" for ") && !when.contains('{') => {
                Line::Require(format!("({when})"), String::new())
            }
            _ => Line::Other(line.trim().to_owned()),
        };
        let lines: Vec<Line> = lines.take_while(|line| *line != "}").map(line).collect();
        let declares = |line: &Line| match line {
            Line::Other(text) => text.split_once(": ").map(|(name, _)| name.to_owned()),
            Line::Require(..) => None,
        };
        let names = lines.iter().filter_map(declares).filter(|name| !name.contains(['(', '[', ' '])).collect();
        Rule { header, lines, names }
    }

    /// The text of the rule.
    pub fn text(&self, said: Wording) -> String {
        let line = |line: &Line| match (line, said) {
            (Line::Require(when, each), Wording::Doubled) => format!("  require {when} or {when}{each}\n"),
            (Line::Require(when, each), Wording::NegatedTwice) => format!("  require not (not {when}){each}\n"),
            (Line::Require(when, each), _) => format!("  require {when}{each}\n"),
            (Line::Other(text), _) => format!("  {text}\n"),
        };
        let mut lines: Vec<String> = self.lines.iter().map(line).collect();
        if said == Wording::Reversed {
            lines.reverse();
        }
        let text = format!("{} {{\n{}}}\n", self.header, lines.concat());
        if said == Wording::Renamed { renamed(&text, &self.names) } else { text }
    }
}

/// The text with every name replaced by one that comes the earlier in the alphabet the later the name was declared.
fn renamed(text: &str, names: &[String]) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for at in text.chars().chain(['\0']) {
        if at.is_ascii_alphanumeric() || at == '_' {
            word.push(at);
            continue;
        }
        match names.iter().position(|name| *name == word) {
            Some(index) => out.push_str(&format!("w{:03}", 999 - index)),
            None => out.push_str(&word),
        }
        word.clear();
        out.extend((at != '\0').then_some(at));
    }
    out
}
