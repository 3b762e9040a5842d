//! Writes a text without syntax errors in canonical layout. [`LineWriter`] writes indentation, empty lines and
//! comments. [`Spacer`] decides where blanks stand between tokens. [`wrapped_lines`] breaks long lines.

use super::WIDTH;
use crate::lang::parse::layout::{CONTINUATION_TOKENS, LineKind, LogicalLine, is_binding, layout};
use crate::lang::parse::tokens::{Token, TokenClass, text_at};
use crate::lang::words;
use std::ops::Range;

pub fn canonical_text(source: &str) -> String {
    let layout = layout(source);
    let mut writer = LineWriter { source, lines: Vec::new(), depth: 0, previous: None };
    let mut comments = layout.comments.iter().peekable();
    for line in &layout.lines {
        while let Some(comment) = comments.next_if(|comment| comment.start < line.span.start) {
            writer.write_comment(comment);
        }
        let mut line_comments = Vec::new();
        while let Some(comment) = comments.next_if(|comment| comment.start < line.span.end) {
            line_comments.push(comment.clone());
        }
        let trailing = comments.next_if(|comment| is_same_row(source, line.span.end, comment.start));
        line_comments.extend(trailing.cloned());
        writer.write_line(line, &line_comments);
    }
    for comment in comments {
        writer.write_comment(comment);
    }
    let mut text = writer.lines.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn is_same_row(source: &str, end: usize, start: usize) -> bool {
    source.get(end..start).is_some_and(|between| !between.contains('\n'))
}

struct LineWriter<'a> {
    source: &'a str,
    lines: Vec<String>,
    depth: usize,
    /// The kind of the previous line, and its end in the source.
    previous: Option<(LineKind, usize)>,
}

impl LineWriter<'_> {
    fn indent(&self) -> usize {
        2 * self.depth
    }

    /// Writes an empty line if the layout has one before `line`, which starts at byte `start`. `line` is `None` for a
    /// comment.
    fn write_empty_line(&mut self, start: usize, line: Option<&LogicalLine>) {
        let Some((previous, end)) = self.previous else { return };
        let is_rule_list = line.is_some_and(|line| line.word(0) == "rules");
        let between = self.source.get(end..start).unwrap_or("");
        let is_in_source = between.matches('\n').count() > 1;
        // An empty line stands between two items (rule lists may be together), and none after the beginning of a block and
        // after documentation; elsewhere as in the source.
        let is_wanted = match previous {
            LineKind::OpensBlock | LineKind::Doc => false,
            _ if line.is_some_and(|line| line.kind == LineKind::ClosesBlock) => false,
            LineKind::ClosesBlock if self.depth == 0 => true,
            LineKind::Plain if self.depth == 0 && !is_rule_list => true,
            _ => is_in_source,
        };
        if is_wanted {
            self.lines.push(String::new());
        }
    }

    fn write_comment(&mut self, span: &Range<usize>) {
        self.write_empty_line(span.start, None);
        let text = format!("{}{}", " ".repeat(self.indent()), self.comment_text(span));
        self.lines.push(text);
        self.previous = Some((LineKind::Comment, span.end));
    }

    /// Returns a comment with a blank after the slashes.
    fn comment_text(&self, span: &Range<usize>) -> String {
        let text = text_at(self.source, span).trim_end();
        let words = text.trim_start_matches('/');
        let slashes = &text[..text.len() - words.len()];
        let gap = if words.is_empty() || words.starts_with([' ', '\t']) { "" } else { " " };
        format!("{slashes}{gap}{words}")
    }

    /// Writes a line with the comments inside and after the line.
    fn write_line(&mut self, line: &LogicalLine, comments: &[Range<usize>]) {
        if line.kind == LineKind::ClosesBlock {
            self.depth = self.depth.saturating_sub(1);
        }
        self.write_empty_line(line.span.start, Some(line));
        if line.kind == LineKind::Doc {
            let text = format!("{}{}", " ".repeat(self.indent()), self.comment_text(&line.span));
            self.lines.push(text);
        } else {
            self.write_statement(line, comments);
        }
        self.depth += usize::from(line.opens_block());
        self.previous =
            Some((line.kind, comments.last().map_or(line.span.end, |comment| comment.end.max(line.span.end))));
    }

    /// Writes a logical line. A comment inside the line stays between the same words.
    fn write_statement(&mut self, line: &LogicalLine, comments: &[Range<usize>]) {
        let mut words = spaced_words(line);
        for word in &mut words {
            if word.text.contains('\n') {
                word.text = indented_string(&word.text, self.indent());
            }
        }
        let mut start = 0;
        for comment in comments {
            let end = line.tokens.partition_point(|token| token.span.start < comment.start);
            self.lines.extend(wrapped_lines(line, &words[start..end], start, self.indent()));
            let end_byte = end.checked_sub(1).map_or(0, |last| line.tokens[last].span.end);
            let comment_text = self.comment_text(comment);
            match self.lines.last_mut() {
                Some(text) if end > start && is_same_row(self.source, end_byte, comment.start) => {
                    text.push(' ');
                    text.push_str(&comment_text);
                }
                _ => self.lines.push(format!("{}{comment_text}", " ".repeat(self.indent() + 4))),
            }
            start = end;
        }
        self.lines.extend(wrapped_lines(line, &words[start..], start, self.indent()));
    }
}

/// Returns a string with three quotes. The lines of the string are indented by two columns more than the statement.
fn indented_string(text: &str, indent: usize) -> String {
    let inside = text.trim_start_matches("\"\"\"").trim_end_matches("\"\"\"");
    let lines: Vec<String> = inside.lines().map(|line| line.trim_end().replace('\t', " ")).collect();
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(0);
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
    // Text on the line of the opening quotes has no indentation.
    let indented = lines[first..end].iter().skip(usize::from(first == 0)).filter(|line| !line.is_empty());
    let old_indent = indented.map(|line| line.chars().take_while(|c| c.is_whitespace()).count()).min().unwrap_or(0);
    let mut out = vec!["\"\"\"".to_owned()];
    for (position, line) in lines[first..end].iter().enumerate() {
        let line: String = match first + position {
            0 => line.trim_start().to_owned(),
            _ => line.chars().skip(old_indent).collect(),
        };
        out.push(if line.trim().is_empty() { String::new() } else { format!("{}{line}", " ".repeat(indent + 2)) });
    }
    out.push(format!("{}\"\"\"", " ".repeat(indent)));
    out.join("\n")
}

/// A token to be written.
#[derive(Clone, Debug)]
pub struct Word {
    /// Text of the token; may span several lines.
    pub text: String,
    /// True if a blank is written before the token.
    pub gap: bool,
    /// Number of open brackets before the token.
    pub depth: usize,
}

/// Words with a blank before `(`, in addition to keywords. After any other word, `(` begins a list of arguments.
const BLANK_BEFORE_BRACKET: &[&str] = &["of", "linking", "between"];

fn spaced_words(line: &LogicalLine) -> Vec<Word> {
    let spacer = Spacer { tokens: &line.tokens, opens_block: line.opens_block(), is_eureka: is_eureka(line) };
    let link_positions = spacer.named_links();
    let mut depth = 0usize;
    let mut out = Vec::new();
    for (position, &Token { text, .. }) in line.tokens.iter().enumerate() {
        let closes = matches!(text, ")" | "]" | "}");
        depth = depth.saturating_sub(usize::from(closes));
        let gap = position > 0 && !link_positions.contains(&position) && spacer.has_gap(position, depth);
        out.push(Word { text: text.to_owned(), gap, depth });
        depth += usize::from(matches!(text, "(" | "[" | "{"));
    }
    out
}

/// Returns true if the line has nodes such as `(x=y)A`.
fn is_eureka(line: &LogicalLine) -> bool {
    line.word(0) == "chain" || (line.word(0) == "strong" && line.word(1) == "link")
}

/// Decides on blanks between the tokens of a line.
struct Spacer<'a> {
    tokens: &'a [Token<'a>],
    /// True if the line ends with the `{` of a block.
    opens_block: bool,
    /// True if the line has nodes such as `(x=y)A`.
    is_eureka: bool,
}

impl Spacer<'_> {
    /// Returns the positions of the name and of the second mark of each link such as `=h=` or `-h-`. No blank stands
    /// before these tokens.
    fn named_links(&self) -> Vec<usize> {
        let mut out = Vec::new();
        let mut position = 0;
        let mut depth = 0usize;
        while self.is_eureka && position < self.tokens.len() {
            match self.tokens[position].text {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                mark @ ("=" | "-")
                    if depth == 0 && self.tokens.get(position + 2).is_some_and(|token| token.text == mark) =>
                {
                    out.extend([position + 1, position + 2]);
                    position += 2;
                }
                _ => {}
            }
            position += 1;
        }
        out
    }

    /// Returns true if no blank stands before the token `position` in the source.
    fn is_adjacent(&self, position: usize) -> bool {
        self.tokens[position - 1].span.end == self.tokens[position].span.start
    }

    /// Returns true if a blank belongs before the token `position`. `depth` is the number of open brackets before the
    /// token.
    fn has_gap(&self, position: usize, depth: usize) -> bool {
        let previous = self.tokens[position - 1].text;
        let current = self.tokens[position].text;
        if current == "{" && self.opens_block && position + 1 == self.tokens.len() {
            return true;
        }
        // Deductions such as `r1c2<>5` are written as in the source.
        if self.tokens[0].text == "finds" && position > 1 && current != "," && previous != "," {
            return !self.is_adjacent(position);
        }
        match (previous, current) {
            (_, "," | ":" | ")" | "]" | "}") => false,
            ("(" | "[" | "{" | "#", _) => false,
            ("," | ":", _) => true,
            (_, "[") => !self.is_adjacent(position),
            (_, "..") => false,
            // `2.. strong links`, but `[2..n]`.
            ("..", _) => self.tokens[position].class == TokenClass::Word && depth == 0,
            ("=" | "-", _) | (_, "=" | "-") if self.is_eureka && depth > 0 => false,
            (_, "(") if self.tokens[position - 1].class == TokenClass::Word => {
                words::is_reserved(previous) || BLANK_BEFORE_BRACKET.contains(&previous) || !self.is_adjacent(position)
            }
            // A node such as `(d)A`.
            (")", name) if self.is_eureka && self.tokens[position].class == TokenClass::Word => {
                words::is_reserved(name)
            }
            _ => true,
        }
    }
}

const HANGING: usize = 4;

/// Breaks words of a statement into lines. `start` is the position of the first word in the statement. The first line
/// of the statement is indented by `indent`, and each further line by [`HANGING`] more.
fn wrapped_lines(line: &LogicalLine, words: &[Word], start: usize, indent: usize) -> Vec<String> {
    let mut out = Vec::new();
    let mut first = 0;
    while first < words.len() {
        let indent = if start > 0 || !out.is_empty() { indent + HANGING } else { indent };
        let rest = &words[first..];
        let mut end = rest.len();
        if width(rest, indent) > WIDTH {
            let break_points = (1..rest.len()).filter(|count| can_break(line, words, first + count, start));
            end = best_break(rest, indent, break_points.collect()).unwrap_or(end);
        }
        out.push(format!("{}{}", " ".repeat(indent), join_words(&rest[..end])));
        first += end;
    }
    out
}

fn join_words(words: &[Word]) -> String {
    let mut out = String::new();
    for (position, word) in words.iter().enumerate() {
        if word.gap && position > 0 {
            out.push(' ');
        }
        out.push_str(&word.text);
    }
    out
}

/// Returns the width of a line of words, in characters. If a word contains a newline, only the text before the newline
/// counts.
fn width(words: &[Word], indent: usize) -> usize {
    indent + join_words(words).lines().next().map_or(0, |line| line.chars().count())
}

/// Chooses the number of words on the first line from `break_points`: of those that fit into the line, the one in the fewest
/// brackets, then the one with the lowest [`break_rank`], then the last. If none fits, the first is chosen.
fn best_break(words: &[Word], indent: usize, break_points: Vec<usize>) -> Option<usize> {
    let fitting = break_points.iter().filter(|&&count| width(&words[..count], indent) <= WIDTH);
    let best = fitting.min_by_key(|&&count| {
        let last = &words[count - 1];
        (last.depth, break_rank(&last.text), usize::MAX - count)
    });
    best.or(break_points.first()).copied()
}

/// Returns the rank of a break after a word. The lowest rank is best.
fn break_rank(word: &str) -> u8 {
    match word {
        "and" | "or" => 0,
        "," => 1,
        _ => 2,
    }
}

/// Returns true if the line may be broken before the word `position`: the line continues after the previous word, and the
/// word does not look like the beginning of a statement, such as `one step per`.
fn can_break(line: &LogicalLine, words: &[Word], position: usize, start: usize) -> bool {
    let previous = words[position - 1].text.as_str();
    let word = &words[position];
    let begins_statement = words::ITEMS.contains(&word.text.as_str())
        || words::STATEMENTS.contains(&word.text.as_str())
        || word.text == "one"
        || matches!(word.text.as_str(), "}" | "{" | ")" | "]")
        || is_binding(&line.tokens, start + position);
    CONTINUATION_TOKENS.contains(&previous) && word.gap && !begins_statement
}
