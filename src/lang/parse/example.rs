//! Examples and near misses. In: the lines of one. Out: its grid and its `finds` lines as written.

use super::Reader;
use super::grammar::Rule;
use super::layout::Line;
use super::phrase::{Builder, inner};
use super::pieces::{Node, Piece};
use crate::lang::ast::{DocLine, Example, Span};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::words;

impl Reader<'_> {
    pub fn example(&mut self, piece: Piece, span: Span, doc: Vec<DocLine>) -> Option<Example> {
        let near_miss = self.word(&piece.head, 0) == "near_miss";
        let id = self.lost(&piece.head);
        let mut out = Example {
            span,
            doc,
            near_miss,
            id,
            args: Vec::new(),
            title: None,
            after: Vec::new(),
            boards: Vec::new(),
            grids: Vec::new(),
            finds: Vec::new(),
            broken: false,
        };
        if piece.head.broken || self.example_head(&piece.head, &mut out).is_none() {
            out.broken = true;
        }
        for node in piece.body {
            match node {
                Node::Line(line) => self.example_line(&line, &mut out),
                Node::Block(head, _) => {
                    let brace = head.span.end.saturating_sub(1)..head.span.end;
                    let text = "`{` is not expected";
                    self.found.push(Diagnostic::error("E0106", brace, "this line has no block", text));
                    out.broken = true;
                }
            }
        }
        Some(out)
    }

    fn example_head(&mut self, line: &Line, out: &mut Example) -> Option<()> {
        let node = self.node(Rule::example_line, line)?;
        let at = Builder { offset: line.span.start };
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::instance => {
                    let member = at.member(part)?;
                    (out.id, out.args) = (member.id, member.args);
                }
                Rule::string => out.title = Some(self.raw(at.span(&part))),
                _ => {}
            }
        }
        Some(())
    }

    fn example_line(&mut self, line: &Line, out: &mut Example) {
        let read = if line.broken { None } else { self.read_example_line(line, out) };
        if read.is_none() {
            out.broken = true;
        }
    }

    fn read_example_line(&mut self, line: &Line, out: &mut Example) -> Option<()> {
        let rule = match self.word(line, 0) {
            "grid" => Rule::grid_line,
            "finds" => Rule::finds_line,
            "after" => Rule::after_line,
            "board" => Rule::board_line,
            word => {
                let help = match words::nearest(word, ["grid", "finds", "after", "board"]) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if word.starts_with('"') => format!("write `grid {word}`"),
                    None => "an example holds `grid \"…\"`, `board \"…\"`, `after …` and `finds …` lines".to_owned(),
                };
                let span = line.tokens.first().map_or(line.span.clone(), |token| token.span.clone());
                let message = format!("`{word}` cannot stand in an example");
                self.found.push(Diagnostic::error("E0102", span, message, "not expected here").help(help));
                return None;
            }
        };
        let node = self.node(rule, line)?;
        let at = Builder { offset: line.span.start };
        if rule == Rule::grid_line {
            let text = node.into_inner().find(|node| matches!(node.as_rule(), Rule::string | Rule::long_string))?;
            out.grids.push(self.raw(at.span(&text)));
        } else if rule == Rule::board_line {
            out.boards.extend(inner(node, Rule::string).map(|node| self.raw(at.span(&node))));
        } else if rule == Rule::after_line {
            out.after.extend(inner(node, Rule::instance).filter_map(|node| at.member(node)));
        } else {
            let raw = |span: Span| crate::lang::ast::Raw {
                text: self.source.get(span.clone()).unwrap_or("").to_owned(),
                span,
            };
            out.finds.push(inner(node, Rule::deduction).map(|node| raw(at.span(&node))).collect());
        }
        Some(())
    }
}
