//! A rule as lines of text, and rewordings that keep its meaning.

/// A line between the braces of a rule.
#[derive(Clone, Debug)]
pub enum Line {
    /// `require CONDITION`, with the condition in parentheses.
    Require {
        condition: String,
        /// Text after the condition, such as ` for d in D`, or empty.
        for_clause: String,
    },
    /// Any other line.
    Other(String),
}

/// A rule that the compiler may refuse.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The text before the opening brace.
    pub header: String,
    pub lines: Vec<Line>,
    /// The names that the rule declares.
    pub names: Vec<String>,
}

/// A change of words that keeps the meaning of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    Unchanged,
    /// Each condition C becomes `(C) or (C)`.
    Doubled,
    /// Each condition C becomes `not (not C)`.
    NegatedTwice,
    /// The lines stand in reverse order.
    Reversed,
    /// Each name is replaced. The later a name is declared, the earlier its replacement comes in the alphabet.
    Renamed,
}

impl Wording {
    pub const REWORDINGS: [Wording; 4] = [Wording::Doubled, Wording::NegatedTwice, Wording::Reversed, Wording::Renamed];
}

impl Rule {
    /// Splits the text of one rule into lines.
    pub fn read(text: &str) -> Rule {
        let mut text_lines = text.lines();
        let header = text_lines.next().unwrap_or_default().trim_end_matches(" {").to_owned();
        let mut lines = Vec::new();
        let mut names = Vec::new();
        for text_line in text_lines.take_while(|text_line| *text_line != "}") {
            let text_line = text_line.trim();
            match text_line.strip_prefix("require ") {
                // `(C for d in D)` is no condition, and `not (… = {c})` would not bind c: such lines stay as they are.
                Some(condition) if !condition.contains(" for ") && !condition.contains('{') => {
                    lines.push(Line::Require { condition: format!("({condition})"), for_clause: String::new() });
                }
                _ => {
                    if let Some((name, _)) = text_line.split_once(": ")
                        && !name.contains(['(', '[', ' '])
                    {
                        names.push(name.to_owned());
                    }
                    lines.push(Line::Other(text_line.to_owned()));
                }
            }
        }
        Rule { header, lines, names }
    }

    pub fn text(&self, wording: Wording) -> String {
        let line_text = |line: &Line| match line {
            Line::Require { condition, for_clause } => match wording {
                Wording::Doubled => format!("  require {condition} or {condition}{for_clause}\n"),
                Wording::NegatedTwice => format!("  require not (not {condition}){for_clause}\n"),
                Wording::Unchanged | Wording::Reversed | Wording::Renamed => {
                    format!("  require {condition}{for_clause}\n")
                }
            },
            Line::Other(text) => format!("  {text}\n"),
        };
        let mut lines: Vec<String> = self.lines.iter().map(line_text).collect();
        if wording == Wording::Reversed {
            lines.reverse();
        }
        let text = format!("{} {{\n{}}}\n", self.header, lines.concat());
        if wording == Wording::Renamed { renamed(&text, &self.names) } else { text }
    }
}

/// Replaces each name: the first declared name becomes `w999`, the second one `w998`, and so on.
fn renamed(text: &str, names: &[String]) -> String {
    let mut renamed_text = String::new();
    let mut word = String::new();
    // The final `\0` ends the last word.
    for character in text.chars().chain(['\0']) {
        if character.is_ascii_alphanumeric() || character == '_' {
            word.push(character);
            continue;
        }
        match names.iter().position(|name| *name == word) {
            Some(index) => renamed_text.push_str(&format!("w{:03}", 999 - index)),
            None => renamed_text.push_str(&word),
        }
        word.clear();
        if character != '\0' {
            renamed_text.push(character);
        }
    }
    renamed_text
}
