//! Chains, and what has a block like theirs. In: lines. Out: their syntax trees.

use super::ItemReader;
use super::grammar::{self, ParseNode, Rule};
use super::layout::LogicalLine;
use super::phrase::{TransposeOption, TreeBuilder, inner};
use crate::lang::ast::{
    Cases, Chain, ChainLength, ChainUnit, Cluster, End, Expr, Ident, InferenceMethods, Link, Links, Loop, Ring, Shows,
    StatementKind, Stop, Suppose, Trail, WeakLinks,
};
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::words;

impl ItemReader<'_> {
    /// Reads a statement with its block.
    pub fn with_block(&mut self, head: &LogicalLine, lines: &[LogicalLine]) -> Option<StatementKind> {
        let rule = match self.word(head, 0) {
            "loop" => Rule::loop_line,
            "cluster" => Rule::cluster_line,
            "ring" => Rule::ring_line,
            "suppose" => Rule::suppose_links_line,
            _ => Rule::open_chain_line,
        };
        let node = if head.broken { None } else { self.node(rule, head) };
        // Read the block even if the header has an error.
        let links = self.links(lines);
        let kind = TreeBuilder { offset: head.span.start }.block(node?, links);
        if kind.is_none() {
            self.found.push(grammar::unread(head));
        }
        kind
    }

    fn links(&mut self, lines: &[LogicalLine]) -> Links {
        let mut out = Links::default();
        for line in lines {
            match self.chain_line(line) {
                Some(ChainLine::Strong(names)) => out.strong.push(names),
                Some(ChainLine::Weak(weak)) => out.weak.push((weak, line.span.clone())),
                None => out.broken = true,
            }
        }
        out
    }

    fn chain_line(&mut self, line: &LogicalLine) -> Option<ChainLine> {
        if line.broken {
            return None;
        }
        let rule = match self.word(line, 0) {
            "strong" => Rule::strong_line,
            "weak" => Rule::weak_line,
            word => {
                let near = words::nearest(word, ["strong", "weak"]).map(str::to_owned);
                let span = line.tokens.first().map_or(line.span.clone(), |token| token.span.clone());
                let problem = SyntaxProblem::NotInLinks { word: word.to_owned(), near };
                self.found.push(problem.at(&span));
                return None;
            }
        };
        let node = self.node(rule, line)?;
        let at = TreeBuilder { offset: line.span.start };
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

impl TreeBuilder {
    fn block(self, node: ParseNode, links: Links) -> Option<StatementKind> {
        Some(match node.as_rule() {
            Rule::open_chain => StatementKind::Chain(self.chain(node, links)?),
            Rule::loop_ => StatementKind::Loop(self.loop_(node, links)?),
            Rule::cluster => StatementKind::Cluster(self.cluster(node, links)?),
            Rule::ring => StatementKind::Ring(self.ring(node, links)?),
            Rule::suppose_links => StatementKind::Suppose(self.suppose_links(node, links)?),
            _ => return None,
        })
    }

    fn chain(self, node: ParseNode, links: Links) -> Option<Chain> {
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
        Some(Chain { span, on, from, to, length, shortest, links })
    }

    fn end(self, node: ParseNode) -> Option<End> {
        let stop = self.stop(node)?;
        Some(if stop.digits.is_empty() { End::Candidate(stop.cell) } else { End::At(stop) })
    }

    fn length(self, node: ParseNode) -> Option<ChainLength> {
        let span = self.span(&node);
        let (mut numbers, mut open, mut unit) = (Vec::new(), false, ChainUnit::Links);
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::number => numbers.push(self.number(&part)?),
                Rule::dots => open = true,
                Rule::w_cells => unit = ChainUnit::Cells,
                Rule::w_candidates => unit = ChainUnit::Candidates,
                Rule::k_strong => unit = ChainUnit::StrongLinks,
                _ => {}
            }
        }
        let low = *numbers.first()?;
        let high = numbers.get(1).copied().or(if open { None } else { Some(low) });
        Some(ChainLength { span, low, high, unit })
    }

    fn loop_(self, node: ParseNode, links: Links) -> Option<Loop> {
        let span = self.span(&node);
        let shortest = inner(node.clone(), Rule::w_shortest).next().map(|word| self.span(&word));
        let colours = self.colours(&node);
        let (mut names, on, length) = self.header(node)?;
        Some(Loop { span, name: names.pop()?, on, colours, length: length?, shortest, links })
    }

    fn cluster(self, node: ParseNode, links: Links) -> Option<Cluster> {
        let span = self.span(&node);
        let colours = self.colours(&node)?;
        let (_, on, _) = self.header(node)?;
        Some(Cluster { span, on, colours, links })
    }

    /// `coloured blue, green`
    fn colours(self, header: &ParseNode) -> Option<[Ident; 2]> {
        let colours = inner(header.clone(), Rule::colours).next()?;
        let names: Vec<Ident> = inner(colours, Rule::name).map(|name| self.ident(&name)).collect();
        names.try_into().ok()
    }

    fn ring(self, node: ParseNode, links: Links) -> Option<Ring> {
        let span = self.span(&node);
        let (mut names, on, length) = self.header(node)?;
        let guardians = names.pop()?;
        Some(Ring { span, name: names.pop()?, on, length: length?, guardians, links })
    }

    /// Reads the names, `on …` and the length of a header.
    fn header(self, node: ParseNode) -> Option<(Vec<Ident>, Option<Expr>, Option<ChainLength>)> {
        let (mut names, mut on, mut length) = (Vec::new(), None, None);
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::name => names.push(self.ident(&part)),
                Rule::sum => on = Some(self.sum(part)?),
                Rule::length => length = Some(self.length(part)?),
                _ => {}
            }
        }
        Some((names, on, length))
    }

    fn suppose_links(self, node: ParseNode, links: Links) -> Option<Suppose> {
        let span = self.span(&node);
        let (_, on, most) = self.header(node.clone())?;
        let (cases, shows) = self.cases_and_shows(node)?;
        Some(Suppose { span, cases, means: InferenceMethods::Links(on, most, links), shows })
    }

    /// `suppose p using singles, …`, `suppose p using rules …, …`
    pub fn suppose(self, node: ParseNode) -> Option<Suppose> {
        let span = self.span(&node);
        let means = node.clone().into_inner().find_map(|part| match part.as_rule() {
            Rule::singles => {
                let on = inner(part, Rule::sum).next().map(|node| self.sum(node)).transpose_();
                on.map(InferenceMethods::Singles)
            }
            Rule::strata => {
                let members = inner(part, Rule::instance).map(|node| self.member(node)).collect::<Option<_>>();
                members.map(InferenceMethods::Rules)
            }
            _ => None,
        });
        let (cases, shows) = self.cases_and_shows(node)?;
        Some(Suppose { span, cases, means: means?, shows })
    }

    fn cases_and_shows(self, node: ParseNode) -> Option<(Cases, Shows)> {
        let (mut cases, mut shows) = (None, None);
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::cases => cases = Some(self.cases(part)?),
                Rule::shows => {
                    let not = inner(part.clone(), Rule::k_not).next().map(|not| self.span(&not));
                    let without = inner(part.clone(), Rule::without).next().map(|without| self.span(&without));
                    let name = inner(part, Rule::name).next().map(|name| self.ident(&name));
                    let all_imply = |name| Shows::AllImply(not, name, without);
                    shows = Some(name.map_or(Shows::Contradiction, all_imply));
                }
                _ => {}
            }
        }
        Some((cases?, shows?))
    }

    fn cases(self, node: ParseNode) -> Option<Cases> {
        let (mut name, mut not, mut each) = (None, None, None);
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::name => name = Some(self.ident(&part)),
                Rule::opposite => not = inner(part, Rule::name).next().map(|name| self.ident(&name)),
                Rule::noun => each = Some(self.noun(part)?),
                _ => {}
            }
        }
        match (name, not, each) {
            (Some(name), Some(again), None) => Some(Cases::Either(name, again)),
            (Some(name), None, None) => Some(Cases::One(name)),
            (None, Some(name), None) => Some(Cases::Not(name)),
            (None, None, Some(noun)) => Some(Cases::Each(noun)),
            _ => None,
        }
    }

    pub fn trail(self, node: ParseNode) -> Option<Trail> {
        let (mut stops, mut links) = (Vec::new(), Vec::new());
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::stop => stops.push(self.stop(part)?),
                Rule::link => links.push(self.link(part)),
                _ => {}
            }
        }
        Some(Trail { stops, links })
    }

    /// `(x=y)A`, and the simpler `(x)A` of ends and link sources.
    pub fn stop(self, node: ParseNode) -> Option<Stop> {
        let span = self.span(&node);
        let (mut names, mut links) = (Vec::new(), Vec::new());
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::name => names.push(self.ident(&part)),
                Rule::mark => links.push(self.link(part)),
                _ => {}
            }
        }
        let cell = names.pop()?;
        Some(Stop { span, digits: names, links, cell })
    }

    fn link(self, node: ParseNode) -> Link {
        let span = self.span(&node);
        let strong = node.as_str().starts_with('=');
        let house = inner(node, Rule::name).next().map(|node| self.ident(&node));
        Link { span, strong, house }
    }
}
