//! The lines of a file, one below the other. In: a text that can be read. Out: the same with canonical indentation,
//! empty lines and comments.

use super::{spaces, wrap};
use crate::lang::parse::layout::{Line, layout};
use crate::lang::parse::tokens::tokens;
use std::ops::Range;

/// Lays a text out.
pub fn lay_out(source: &str) -> String {
    let layout = layout(source, &tokens(source));
    let mut writer = Writer { source, out: Vec::new(), depth: 0, last: None };
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

struct Writer<'a> {
    source: &'a str,
    out: Vec<String>,
    depth: usize,
    /// Kind of the last line, and its end in the source.
    last: Option<(Last, usize)>,
}

impl Writer<'_> {
    fn indent(&self) -> usize {
        2 * self.depth
    }

    /// An empty line, where one belongs before what begins at `start`.
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

    /// A comment with a blank after its slashes.
    fn remark(&self, span: &Range<usize>) -> String {
        let text = self.source.get(span.clone()).unwrap_or("").trim_end();
        let words = text.trim_start_matches('/');
        let slashes = &text[..text.len() - words.len()];
        let gap = if words.is_empty() || words.starts_with([' ', '\t']) { "" } else { " " };
        format!("{slashes}{gap}{words}")
    }

    fn line(&mut self, line: &Line, comments: &[Range<usize>]) {
        if line.closes {
            self.depth = self.depth.saturating_sub(1);
        }
        let rule_list = line.tokens.first().is_some_and(|token| self.source.get(token.span.clone()) == Some("rules"));
        self.space(line.span.start, line.closes, rule_list);
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

    /// A logical line; a comment in the middle of it stays between the same words.
    fn statement(&mut self, line: &Line, comments: &[Range<usize>]) {
        let mut words = spaces::words(self.source, line);
        for word in &mut words {
            if word.text.contains('\n') {
                word.text = block_of_text(&word.text, self.indent());
            }
        }
        let mut from = 0;
        for comment in comments {
            let to = line.tokens.partition_point(|token| token.span.start < comment.start);
            let lines = wrap::lines(self.source, line, &words[from..to], from, self.indent(), from > 0);
            self.out.extend(lines);
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
        let lines = wrap::lines(self.source, line, &words[from..], from, self.indent(), from > 0);
        self.out.extend(lines);
    }
}

/// A text of several lines with its lines two columns further right than the statement.
fn block_of_text(text: &str, indent: usize) -> String {
    let inside = text.trim_start_matches("\"\"\"").trim_end_matches("\"\"\"");
    let lines: Vec<String> = inside.lines().map(|line| line.trim_end().replace('\t', " ")).collect();
    let blank = |line: &String| line.trim().is_empty();
    let first = lines.iter().position(|line| !blank(line)).unwrap_or(0);
    let last = lines.iter().rposition(|line| !blank(line)).map_or(first, |last| last + 1);
    let left = |line: &String| line.chars().count() - line.trim_start().chars().count();
    // Text after the opening quotes does not determine the column width.
    let others = lines[first..last].iter().skip(usize::from(first == 0)).filter(|line| !blank(line));
    let cut = others.map(left).min().unwrap_or(0);
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
