//! Items. In: the lines of one. Out: its syntax tree. A header that cannot be read still leaves an item with
//! its name, so that nothing else is reported because of it.

use super::Reader;
use super::grammar::{Node, Rule};
use super::layout::Line;
use super::phrase::{Builder, inner};
use super::pieces::{self, Piece};
use super::tokens::Class;
use crate::lang::ast::{
    DocLine, Ident, Item, Member, Number, Param, Pattern, RuleList, Source, Span, Statement, StatementKind, Stop,
    Technique, View,
};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::words;

impl Reader<'_> {
    /// Reads an item.
    pub fn item(&mut self, piece: Piece) -> Option<Item> {
        let span = piece.head.span.start..piece.end;
        let doc = self.doc(&piece.doc);
        let first = self.word(&piece.head, 0);
        // A slip in the first word was reported; the lines are read as those of the item that was meant.
        let meant = words::ITEMS.iter().copied().find(|word| *word == first);
        match meant.or_else(|| words::nearest(first, words::ITEMS.iter().copied()))? {
            "strong" => {
                let head = self.link_head(&piece.head);
                let body = self.body(piece.body);
                let nowhere =
                    Stop { span: span.clone(), digits: Vec::new(), links: Vec::new(), cell: self.lost(&piece.head) };
                let broken = head.is_none();
                let (id, left, right) = head.unwrap_or_else(|| (self.lost(&piece.head), nowhere.clone(), nowhere));
                Some(Item::Source(Source { span, doc, id, left, right, body, broken }))
            }
            "pattern" => {
                let id = if piece.head.broken { None } else { self.pattern_head(&piece.head) };
                let (broken, id) = (id.is_none(), id.unwrap_or_else(|| self.lost(&piece.head)));
                let body = self.body(piece.body);
                Some(Item::Pattern(Pattern { span, doc, id, body, broken }))
            }
            "rules" => Some(Item::RuleList(self.rule_list(&piece.head, span, doc))),
            "example" | "near_miss" => self.example(piece, span, doc).map(Item::Example),
            _ => {
                let head = self.technique_head(&piece.head, span, doc);
                let mut body = self.body(piece.body);
                if head.broken {
                    // Parameters that could not be read are not unknown.
                    let kind = StatementKind::Broken(self.names(&piece.head));
                    body.push(Statement { span: piece.head.span.clone(), kind });
                }
                Some(Item::Technique(Technique { body, ..head }))
            }
        }
    }

    fn doc(&self, lines: &[Line]) -> Vec<DocLine> {
        let line = |line: &Line| {
            let text = self.source.get(line.span.clone()).unwrap_or("").trim_start_matches('/');
            let text = text.strip_prefix(' ').unwrap_or(text).trim_end().to_owned();
            DocLine { text, span: line.span.clone() }
        };
        lines.iter().map(line).collect()
    }

    /// The name of an item whose header cannot be read: its second word, if that is one.
    pub fn lost(&self, head: &Line) -> Ident {
        let at = if self.word(head, 0) == "strong" { 2 } else { 1 };
        let token = head.tokens.get(at).filter(|token| token.class == Class::Word);
        let span = token.map_or(head.span.clone(), |token| token.span.clone());
        let name = token.map_or("", |_| self.word(head, at)).to_owned();
        Ident { name, span }
    }

    fn technique_head(&mut self, line: &Line, span: Span, doc: Vec<DocLine>) -> Technique {
        let id = self.lost(line);
        let lost = Technique {
            span,
            doc,
            id,
            params: Vec::new(),
            title: None,
            views: Vec::new(),
            assuming: None,
            body: Vec::new(),
            broken: true,
        };
        if line.broken {
            return lost;
        }
        let Some(node) = self.node(Rule::technique_line, line) else { return lost };
        let at = Builder { offset: line.span.start };
        let mut out = Technique { broken: false, ..lost };
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::head => {
                    for piece in part.into_inner() {
                        match piece.as_rule() {
                            Rule::name => out.id = at.ident(&piece),
                            Rule::params => {
                                out.params = inner(piece, Rule::param).filter_map(|node| at.param(node)).collect()
                            }
                            _ => {}
                        }
                    }
                }
                Rule::string => out.title = Some(self.text(at.span(&part))),
                Rule::also => out.views = inner(part, Rule::space).filter_map(|node| self.view(at, node)).collect(),
                Rule::k_assuming => out.assuming = Some(at.span(&part)),
                _ => {}
            }
        }
        out
    }

    /// `rn "Title"`
    fn view(&mut self, at: Builder, node: Node) -> Option<View> {
        let mut parts = node.into_inner();
        let space = at.ident(&parts.next()?);
        Some(View { space, title: self.text(at.span(&parts.next()?)) })
    }

    fn pattern_head(&mut self, line: &Line) -> Option<Ident> {
        let node = self.node(Rule::pattern_line, line)?;
        inner(node, Rule::name).next().map(|node| Builder { offset: line.span.start }.ident(&node))
    }

    /// `rules basics = corners, subsets(2)`
    fn rule_list(&mut self, line: &Line, span: Span, doc: Vec<DocLine>) -> RuleList {
        let node = if line.broken { None } else { self.node(Rule::group_line, line) };
        let at = Builder { offset: line.span.start };
        let read = node.and_then(|node| {
            let id = at.ident(&inner(node.clone(), Rule::name).next()?);
            Some((id, inner(node, Rule::instance).map(|node| at.member(node)).collect::<Option<Vec<_>>>()?))
        });
        let broken = read.is_none();
        let (id, members) = read.unwrap_or_else(|| (self.lost(line), Vec::new()));
        RuleList { span, doc, id, members, broken }
    }

    fn link_head(&mut self, line: &Line) -> Option<(Ident, Stop, Stop)> {
        if line.broken {
            return None;
        }
        let node = self.node(Rule::link_line, line)?;
        let at = Builder { offset: line.span.start };
        let id = at.ident(&inner(node.clone(), Rule::name).next()?);
        let mut nodes = inner(node, Rule::node);
        Some((id, at.stop(nodes.next()?)?, at.stop(nodes.next()?)?))
    }

    fn body(&mut self, nodes: Vec<pieces::Node>) -> Vec<Statement> {
        nodes.into_iter().map(|node| self.body_node(node)).collect()
    }

    fn body_node(&mut self, node: pieces::Node) -> Statement {
        match node {
            pieces::Node::Line(line) => {
                let statement = self.statement(&line);
                // A chain without its block: the header was read, and says that `{` is missing.
                Statement { span: line.span, ..statement }
            }
            pieces::Node::Block(head, lines) if words::BLOCKS.contains(&self.word(&head, 0)) => {
                let end = lines.last().map_or(head.span.end, |line| line.span.end);
                let kind = self.with_block(&head, &lines).unwrap_or_else(|| StatementKind::Broken(self.names(&head)));
                Statement { span: head.span.start..end, kind }
            }
            pieces::Node::Block(head, lines) => {
                if self.word(&head, 0) == "for" {
                    self.block_of_for(&head, &lines);
                } else if !head.broken {
                    let brace = head.span.end - 1..head.span.end;
                    let help =
                        "in a technique only chains, loops, clusters, rings and `suppose … using links` have a block";
                    self.found.push(
                        Diagnostic::error("E0106", brace, "this line has no block", "`{` is not expected").help(help),
                    );
                }
                let names = lines.iter().chain([&head]).flat_map(|line| self.names(line)).collect();
                Statement { span: head.span, kind: StatementKind::Broken(names) }
            }
        }
    }
}

impl Reader<'_> {
    /// `for d in D {`, as others write it.
    fn block_of_for(&mut self, head: &Line, lines: &[Line]) {
        let text = |span: Span| self.source.get(span).unwrap_or("").trim();
        let each = text(head.span.start..head.span.end - 1);
        let help = match lines.first() {
            Some(line) => {
                format!("it stands at the end of the line that it repeats: `{} {each}`", text(line.span.clone()))
            }
            None => "it stands at the end of the line that it repeats".to_owned(),
        };
        let place = head.tokens.first().map_or(head.span.clone(), |token| token.span.clone());
        let message = "`for` begins no statement and has no block";
        self.found.push(Diagnostic::error("E0102", place, message, "not expected here").help(help));
    }
}

impl Builder {
    /// `subsets(2)`
    pub fn member(self, node: Node) -> Option<Member> {
        let span = self.span(&node);
        let (mut id, mut args) = (None, Vec::new());
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::name => id = Some(self.ident(&part)),
                Rule::values => {
                    let number = |node| Some(Number { value: self.number(&node)?, span: self.span(&node) });
                    args = inner(part, Rule::number).map(number).collect::<Option<_>>()?;
                }
                _ => {}
            }
        }
        Some(Member { span, id: id?, args })
    }

    fn param(self, node: Node) -> Option<Param> {
        let span = self.span(&node);
        let (mut name, mut numbers) = (None, Vec::new());
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::name => name = Some(self.ident(&part)),
                Rule::number => numbers.push(self.number(&part)?),
                _ => {}
            }
        }
        Some(Param { span, name: name?, low: *numbers.first()?, high: numbers.get(1).copied() })
    }
}
