//! Items. In: the lines of one. Out: its syntax tree. A header that cannot be read still leaves an item with
//! its name, so that nothing else is reported because of it.

use super::Reader;
use super::grammar::{self, Node, Rule};
use super::layout::Line;
use super::phrase::{Builder, inner};
use super::pieces::{self, Piece};
use super::tokens::Class;
use crate::lang::ast::{
    Chain, ChainLength, ChainUnit, DocLine, End, Ident, Item, Param, Pattern, Source, Span, Statement, StatementKind,
    Stop, Technique, View, WeakLinks,
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
            "example" | "near_miss" => self.example(piece, span, doc).map(Item::Example),
            _ => {
                let head = self.technique_head(&piece.head, span, doc);
                let body = self.body(piece.body);
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
            pieces::Node::Block(head, lines) if self.word(&head, 0) == "chain" => {
                let end = lines.last().map_or(head.span.end, |line| line.span.end);
                let kind = match self.open_chain(&head, &lines) {
                    Some(chain) => StatementKind::Chain(chain),
                    None => StatementKind::Broken(self.names(&head)),
                };
                Statement { span: head.span.start..end, kind }
            }
            pieces::Node::Block(head, lines) => {
                if !head.broken {
                    let brace = head.span.end - 1..head.span.end;
                    let help = "in a technique only `chain from … to …` has a block";
                    self.found.push(
                        Diagnostic::error("E0106", brace, "this line has no block", "`{` is not expected").help(help),
                    );
                }
                let names = lines.iter().chain([&head]).flat_map(|line| self.names(line)).collect();
                Statement { span: head.span, kind: StatementKind::Broken(names) }
            }
        }
    }

    fn open_chain(&mut self, head: &Line, lines: &[Line]) -> Option<Chain> {
        let node = if head.broken { None } else { self.node(Rule::open_chain_line, head) };
        let at = Builder { offset: head.span.start };
        let mut chain = node.and_then(|node| {
            let chain = at.chain(node);
            if chain.is_none() {
                self.found.push(grammar::unread(head));
            }
            chain
        });
        for line in lines {
            let read = self.chain_line(line);
            if let Some(chain) = &mut chain {
                match read {
                    Some(ChainLine::Strong(names)) => chain.strong.push(names),
                    Some(ChainLine::Weak(weak)) => chain.weak.push((weak, line.span.clone())),
                    None => chain.broken = true,
                }
            }
        }
        chain
    }

    fn chain_line(&mut self, line: &Line) -> Option<ChainLine> {
        if line.broken {
            return None;
        }
        let rule = match self.word(line, 0) {
            "strong" => Rule::strong_line,
            "weak" => Rule::weak_line,
            word => {
                let help = match words::nearest(word, ["strong", "weak"]) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "the block of a chain holds `strong: …` and `weak: …`".to_owned(),
                };
                let message = format!("`{word}` cannot stand in a chain");
                let span = line.tokens.first().map_or(line.span.clone(), |token| token.span.clone());
                self.found.push(Diagnostic::error("E0102", span, message, "not expected here").help(help));
                return None;
            }
        };
        let node = self.node(rule, line)?;
        let at = Builder { offset: line.span.start };
        if rule == Rule::strong_line {
            return Some(ChainLine::Strong(inner(node, Rule::name).map(|node| at.ident(&node)).collect()));
        }
        let word =
            node.into_inner().find(|node| matches!(node.as_rule(), Rule::w_any | Rule::w_cell | Rule::w_same))?;
        Some(ChainLine::Weak(match word.as_rule() {
            Rule::w_any => WeakLinks::Any,
            Rule::w_cell => WeakLinks::Cell,
            _ => WeakLinks::SameDigit,
        }))
    }
}

enum ChainLine {
    Strong(Vec<Ident>),
    Weak(WeakLinks),
}

impl Builder {
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

    fn chain(self, node: Node) -> Option<Chain> {
        let span = self.span(&node);
        let (mut on, mut ends, mut length, mut shortest) = (None, Vec::new(), None, None);
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::sum => on = Some(self.sum(part)?),
                Rule::end => ends.push(self.end(part)?),
                Rule::length => length = Some(self.length(part)?),
                Rule::w_shortest => shortest = Some(self.span(&part)),
                _ => {}
            }
        }
        let mut ends = ends.into_iter();
        let (from, to, length) = (ends.next()?, ends.next()?, length?);
        Some(Chain { span, on, from, to, length, shortest, strong: Vec::new(), weak: Vec::new(), broken: false })
    }

    fn end(self, node: Node) -> Option<End> {
        let stop = self.stop(node)?;
        Some(if stop.digits.is_empty() { End::Candidate(stop.cell) } else { End::At(stop) })
    }

    fn length(self, node: Node) -> Option<ChainLength> {
        let span = self.span(&node);
        let (mut numbers, mut open, mut unit) = (Vec::new(), false, ChainUnit::Links);
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::number => numbers.push(self.number(&part)?),
                Rule::dots => open = true,
                Rule::w_cells => unit = ChainUnit::Cells,
                Rule::k_strong => unit = ChainUnit::StrongLinks,
                _ => {}
            }
        }
        let low = *numbers.first()?;
        let high = numbers.get(1).copied().or(if open { None } else { Some(low) });
        Some(ChainLength { span, low, high, unit })
    }
}
