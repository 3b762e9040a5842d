//! Canonical layout. In: a text that can be read. Out: the text with canonical indentation, empty lines and comments. Below
//! the writer of lines stand the two decisions that it needs: blanks between tokens, and places where a long line breaks.

use super::WIDTH;
use crate::lang::parse::layout::{LogicalLine, is_binding, layout};
use crate::lang::parse::tokens::{Token, TokenClass, text_at, tokens};
use crate::lang::words;
use std::ops::Range;

/// Writes a text in canonical layout.
pub fn lay_out(source: &str) -> String {
    let layout = layout(source, &tokens(source));
    let mut writer = LineWriter { source, out: Vec::new(), depth: 0, last: None };
    let mut comments = layout.comments.iter().peekable();
    for line in &layout.lines {
        while let Some(comment) = comments.next_if(|comment| comment.start < line.span.start) {
            writer.comment(comment);
        }
        let mut inside = Vec::new();
        while let Some(comment) = comments.next_if(|comment| comment.start < line.span.end) {
            inside.push(comment.clone());
        }
        let trailing = comments.next_if(|comment| same_line(source, line.span.end, comment.start));
        inside.extend(trailing.cloned());
        writer.line(line, &inside);
    }
    comments.for_each(|comment| writer.comment(comment));
    let mut text = writer.out.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn same_line(source: &str, end: usize, start: usize) -> bool {
    source.get(end..start).is_some_and(|between| !between.contains('\n'))
}

/// Kind of the line written last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Open,
    Close,
    Doc,
    Comment,
    Line,
}

struct LineWriter<'a> {
    source: &'a str,
    out: Vec<String>,
    depth: usize,
    /// Kind of the last line, and its end in the source.
    last: Option<(Last, usize)>,
}

impl LineWriter<'_> {
    fn indent(&self) -> usize {
        2 * self.depth
    }

    /// Writes an empty line if one belongs before the line at `start`.
    fn space(&mut self, start: usize, closes: bool, rule_list: bool) {
        let Some((last, end)) = self.last else { return };
        let between = self.source.get(end..start).unwrap_or("");
        let written = between.matches('\n').count() > 1;
        let wanted = match last {
            Last::Open | Last::Doc => false,
            _ if closes => false,
            Last::Close if self.depth == 0 => true,
            Last::Line if self.depth == 0 && !rule_list => true,
            _ => written,
        };
        if wanted {
            self.out.push(String::new());
        }
    }

    fn comment(&mut self, span: &Range<usize>) {
        self.space(span.start, false, false);
        let text = format!("{}{}", " ".repeat(self.indent()), self.remark(span));
        self.out.push(text);
        self.last = Some((Last::Comment, span.end));
    }

    /// Returns a comment with a blank after its slashes.
    fn remark(&self, span: &Range<usize>) -> String {
        let text = text_at(self.source, span).trim_end();
        let words = text.trim_start_matches('/');
        let slashes = &text[..text.len() - words.len()];
        let gap = if words.is_empty() || words.starts_with([' ', '\t']) { "" } else { " " };
        format!("{slashes}{gap}{words}")
    }

    fn line(&mut self, line: &LogicalLine, comments: &[Range<usize>]) {
        if line.closes {
            self.depth = self.depth.saturating_sub(1);
        }
        self.space(line.span.start, line.closes, line.word(self.source, 0) == "rules");
        if line.doc {
            let text = format!("{}{}", " ".repeat(self.indent()), self.remark(&line.span));
            self.out.push(text);
        } else {
            self.statement(line, comments);
        }
        let last = match () {
            () if line.opens => Last::Open,
            () if line.closes => Last::Close,
            () if line.doc => Last::Doc,
            () => Last::Line,
        };
        self.depth += usize::from(line.opens);
        self.last = Some((last, comments.last().map_or(line.span.end, |comment| comment.end.max(line.span.end))));
    }

    /// Writes a logical line; a comment in the middle stays between the same words.
    fn statement(&mut self, line: &LogicalLine, comments: &[Range<usize>]) {
        let mut words = spaced_words(self.source, line);
        for word in &mut words {
            if word.text.contains('\n') {
                word.text = block_of_text(&word.text, self.indent());
            }
        }
        let mut from = 0;
        for comment in comments {
            let to = line.tokens.partition_point(|token| token.span.start < comment.start);
            self.out.extend(wrapped_lines(self.source, line, &words[from..to], from, self.indent()));
            let end = to.checked_sub(1).map_or(0, |last| line.tokens[last].span.end);
            let remark = self.remark(comment);
            match self.out.last_mut() {
                Some(text) if to > from && same_line(self.source, end, comment.start) => {
                    text.push(' ');
                    text.push_str(&remark);
                }
                _ => self.out.push(format!("{}{remark}", " ".repeat(self.indent() + 4))),
            }
            from = to;
        }
        self.out.extend(wrapped_lines(self.source, line, &words[from..], from, self.indent()));
    }
}

/// Indents a text of several lines by two columns more than the statement.
fn block_of_text(text: &str, indent: usize) -> String {
    let inside = text.trim_start_matches("\"\"\"").trim_end_matches("\"\"\"");
    let lines: Vec<String> = inside.lines().map(|line| line.trim_end().replace('\t', " ")).collect();
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(0);
    let last = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
    // Text after the opening quotes does not determine the column width.
    let others = lines[first..last].iter().skip(usize::from(first == 0)).filter(|line| !line.is_empty());
    let cut = others.map(|line| line.chars().take_while(|c| c.is_whitespace()).count()).min().unwrap_or(0);
    let mut out = vec!["\"\"\"".to_owned()];
    for (at, line) in lines[first..last].iter().enumerate() {
        let line: String = match first + at {
            0 => line.trim_start().to_owned(),
            _ => line.chars().skip(cut).collect(),
        };
        out.push(if line.trim().is_empty() { String::new() } else { format!("{}{line}", " ".repeat(indent + 2)) });
    }
    out.push(format!("{}\"\"\"", " ".repeat(indent)));
    out.join("\n")
}

/// A token with its text.
#[derive(Clone, Debug)]
pub struct Word {
    /// Text of the token; may span several lines.
    pub text: String,
    /// True if a blank stands before it.
    pub gap: bool,
    /// Number of brackets open before it.
    pub depth: usize,
}

/// Words before an expression, which need a blank before `(`; after other names a bracket belongs to the name.
const SPACED: &[&str] = &["of", "linking", "between"];

/// Returns the tokens of a line with their blanks.
fn spaced_words(source: &str, line: &LogicalLine) -> Vec<Word> {
    let texts: Vec<&str> = line.tokens.iter().map(|token| token.text(source)).collect();
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
    /// Finds, in `=h=` and `-h-`, the name and the mark after it, which stand without blanks.
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
            ("..", _) => self.tokens[at].class == TokenClass::Word && depth == 0,
            ("=" | "-", _) | (_, "=" | "-") if self.eureka && depth > 0 => false,
            (_, "(") if self.tokens[at - 1].class == TokenClass::Word => {
                words::is_reserved(before) || SPACED.contains(&before) || !self.adjacent(at)
            }
            (")", name) if self.eureka && self.tokens[at].class == TokenClass::Word => words::is_reserved(name),
            _ => true,
        }
    }
}

/// Additional indentation of continuation lines.
const HANGING: usize = 4;

/// Writes words of a statement from the word `from` on as lines. The statement begins in its column and continues further to the right.
fn wrapped_lines(source: &str, line: &LogicalLine, words: &[Word], from: usize, indent: usize) -> Vec<String> {
    let mut out = Vec::new();
    let mut first = 0;
    while first < words.len() {
        let indent = if from > 0 || !out.is_empty() { indent + HANGING } else { indent };
        let rest = &words[first..];
        let mut end = rest.len();
        if width(rest, indent) > WIDTH {
            let joints = (1..rest.len()).filter(|after| can_break(source, line, words, first + after, from));
            end = loosest_joint(rest, indent, joints.collect()).unwrap_or(end);
        }
        out.push(format!("{}{}", " ".repeat(indent), joined(&rest[..end])));
        first += end;
    }
    out
}

/// Joins words into one line.
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

/// Returns the width of the words, up to the first line end in their text.
fn width(words: &[Word], indent: usize) -> usize {
    indent + joined(words).lines().next().map_or(0, |line| line.chars().count())
}

/// Returns the number of words on the first line: up to the loosest joint that fits (the last of several), or the first joint if none fits.
fn loosest_joint(words: &[Word], indent: usize, joints: Vec<usize>) -> Option<usize> {
    let fitting = joints.iter().filter(|&&after| width(&words[..after], indent) <= WIDTH);
    let loosest = fitting.min_by_key(|&&after| {
        let last = &words[after - 1];
        (last.depth, rank(&last.text), usize::MAX - after)
    });
    loosest.or(joints.first()).copied()
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
fn can_break(source: &str, line: &LogicalLine, words: &[Word], at: usize, from: usize) -> bool {
    let (before, word) = (words[at - 1].text.as_str(), &words[at]);
    let hangs = matches!(before, "," | "+" | "-" | "&" | "and" | "or");
    let begins = words::ITEMS.contains(&word.text.as_str())
        || words::STATEMENTS.contains(&word.text.as_str())
        || word.text == "one"
        || matches!(word.text.as_str(), "}" | "{" | ")" | "]")
        || is_binding(source, &line.tokens, from + at);
    hangs && word.gap && !begins
}
