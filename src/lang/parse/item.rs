//! Items and examples. In: the lines of one. Out: its syntax tree. A header that cannot be read still leaves an item with
//! its name, so that nothing else is reported because of it.

use super::ItemReader;
use super::grammar::{ParseNode, Rule};
use super::layout::{BodyLine, ItemLines, LogicalLine};
use super::phrase::{TreeBuilder, inner};
use super::tokens::TokenClass;
use crate::lang::ast::{
    DocLine, Example, Ident, Item, Member, Number, Param, Pattern, RuleList, Source, Span, Statement, StatementKind,
    Stop, Technique, View,
};
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::words;

impl ItemReader<'_> {
    /// Reads an item.
    pub fn item(&mut self, piece: ItemLines) -> Option<Item> {
        let span = piece.head.span.start..piece.end;
        let doc = self.doc(&piece.doc);
        let first = self.word(&piece.head, 0);
        // A misspelt first word was reported; read the lines as those of the item that was meant.
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
                    // Names in an unreadable header may be parameters.
                    let kind = StatementKind::Broken(self.names(&piece.head));
                    body.push(Statement { span: piece.head.span.clone(), kind });
                }
                Some(Item::Technique(Technique { body, ..head }))
            }
        }
    }

    fn doc(&self, lines: &[LogicalLine]) -> Vec<DocLine> {
        let line = |line: &LogicalLine| {
            let text = self.source.get(line.span.clone()).unwrap_or("").trim_start_matches('/');
            let text = text.strip_prefix(' ').unwrap_or(text).trim_end().to_owned();
            DocLine { text, span: line.span.clone() }
        };
        lines.iter().map(line).collect()
    }

    /// Returns the name of an item with an unreadable header: its second word, if it has one.
    pub fn lost(&self, head: &LogicalLine) -> Ident {
        let at = if self.word(head, 0) == "strong" { 2 } else { 1 };
        let token = head.tokens.get(at).filter(|token| token.class == TokenClass::Word);
        let span = token.map_or(head.span.clone(), |token| token.span.clone());
        let name = token.map_or("", |_| self.word(head, at)).to_owned();
        Ident { name, span }
    }

    fn technique_head(&mut self, line: &LogicalLine, span: Span, doc: Vec<DocLine>) -> Technique {
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
        let at = TreeBuilder { offset: line.span.start };
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
    fn view(&mut self, at: TreeBuilder, node: ParseNode) -> Option<View> {
        let mut parts = node.into_inner();
        let space = at.ident(&parts.next()?);
        Some(View { space, title: self.text(at.span(&parts.next()?)) })
    }

    fn pattern_head(&mut self, line: &LogicalLine) -> Option<Ident> {
        let node = self.node(Rule::pattern_line, line)?;
        inner(node, Rule::name).next().map(|node| TreeBuilder { offset: line.span.start }.ident(&node))
    }

    /// `rules basics = corners, subsets(2)`
    fn rule_list(&mut self, line: &LogicalLine, span: Span, doc: Vec<DocLine>) -> RuleList {
        let node = if line.broken { None } else { self.node(Rule::group_line, line) };
        let at = TreeBuilder { offset: line.span.start };
        let read = node.and_then(|node| {
            let id = at.ident(&inner(node.clone(), Rule::name).next()?);
            Some((id, inner(node, Rule::instance).map(|node| at.member(node)).collect::<Option<Vec<_>>>()?))
        });
        let broken = read.is_none();
        let (id, members) = read.unwrap_or_else(|| (self.lost(line), Vec::new()));
        RuleList { span, doc, id, members, broken }
    }

    fn link_head(&mut self, line: &LogicalLine) -> Option<(Ident, Stop, Stop)> {
        if line.broken {
            return None;
        }
        let node = self.node(Rule::link_line, line)?;
        let at = TreeBuilder { offset: line.span.start };
        let id = at.ident(&inner(node.clone(), Rule::name).next()?);
        let mut nodes = inner(node, Rule::node);
        Some((id, at.stop(nodes.next()?)?, at.stop(nodes.next()?)?))
    }

    fn body(&mut self, nodes: Vec<BodyLine>) -> Vec<Statement> {
        nodes.into_iter().map(|node| self.body_node(node)).collect()
    }

    fn body_node(&mut self, node: BodyLine) -> Statement {
        match node {
            BodyLine::Plain(line) => {
                let statement = self.statement(&line);
                // If a chain lacks its block, reading the header reports the missing `{`.
                Statement { span: line.span, ..statement }
            }
            BodyLine::Block(head, lines) if words::BLOCKS.contains(&self.word(&head, 0)) => {
                let end = lines.last().map_or(head.span.end, |line| line.span.end);
                let kind = self.with_block(&head, &lines).unwrap_or_else(|| StatementKind::Broken(self.names(&head)));
                Statement { span: head.span.start..end, kind }
            }
            BodyLine::Block(head, lines) => {
                if self.word(&head, 0) == "for" {
                    self.block_of_for(&head, &lines);
                } else if !head.broken {
                    let brace = head.span.end - 1..head.span.end;
                    let help =
                        "in a technique only chains, loops, clusters, rings and `suppose … using links` have a block";
                    self.found.push(SyntaxProblem::NoBlock.at(&brace).help(help));
                }
                let names = lines.iter().chain([&head]).flat_map(|line| self.names(line)).collect();
                Statement { span: head.span, kind: StatementKind::Broken(names) }
            }
        }
    }
}

impl ItemReader<'_> {
    /// Reports `for d in D {`, a habit from other languages.
    fn block_of_for(&mut self, head: &LogicalLine, lines: &[LogicalLine]) {
        let text = |span: Span| self.source.get(span).unwrap_or("").trim();
        let each = text(head.span.start..head.span.end - 1);
        let repeated = lines.first().map(|line| format!("{} {each}", text(line.span.clone())));
        let place = head.tokens.first().map_or(head.span.clone(), |token| token.span.clone());
        self.found.push(SyntaxProblem::BlockOfFor { repeated }.at(&place));
    }
}

impl TreeBuilder {
    /// `subsets(2)`
    pub fn member(self, node: ParseNode) -> Option<Member> {
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

    fn param(self, node: ParseNode) -> Option<Param> {
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

impl ItemReader<'_> {
    pub fn example(&mut self, piece: ItemLines, span: Span, doc: Vec<DocLine>) -> Option<Example> {
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
                BodyLine::Plain(line) => self.example_line(&line, &mut out),
                BodyLine::Block(head, _) => {
                    let brace = head.span.end.saturating_sub(1)..head.span.end;
                    self.found.push(SyntaxProblem::NoBlock.at(&brace));
                    out.broken = true;
                }
            }
        }
        Some(out)
    }

    fn example_head(&mut self, line: &LogicalLine, out: &mut Example) -> Option<()> {
        let node = self.node(Rule::example_line, line)?;
        let at = TreeBuilder { offset: line.span.start };
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

    fn example_line(&mut self, line: &LogicalLine, out: &mut Example) {
        let read = if line.broken { None } else { self.read_example_line(line, out) };
        if read.is_none() {
            out.broken = true;
        }
    }

    fn read_example_line(&mut self, line: &LogicalLine, out: &mut Example) -> Option<()> {
        let rule = match self.word(line, 0) {
            "grid" => Rule::grid_line,
            "finds" => Rule::finds_line,
            "after" => Rule::after_line,
            "board" => Rule::board_line,
            word => {
                let near = words::nearest(word, ["grid", "finds", "after", "board"]).map(str::to_owned);
                let span = line.tokens.first().map_or(line.span.clone(), |token| token.span.clone());
                let problem = SyntaxProblem::NotInExample { word: word.to_owned(), near };
                self.found.push(problem.at(&span));
                return None;
            }
        };
        let node = self.node(rule, line)?;
        let at = TreeBuilder { offset: line.span.start };
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
