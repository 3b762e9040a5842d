//! Lowers chains, loops, clusters and rings, and checks that the links of a chain alternate.

use super::names::{Lowering, NameRole};
use super::{ErrorReported, LowerResult};
use crate::lang::ast::{self, ChainUnit, EndPoint, EurekaLink, EurekaNode, Ident, LinkBlock, Span};
use crate::lang::codes::{ChainProblem, Problem};
use crate::lang::ir::{
    ChainEnd, Claim, Cluster, Conclusion, Expr, FixedChain, FixedChainLink, Graph, HouseClass, Kind, Length,
    LengthUnit, LinkNode, LinkShape, Loop, OpenChain, Ring, VarId, VarShape, WeakLinks,
};

const CHAIN_UNITS: &[LengthUnit] = &[LengthUnit::Cells, LengthUnit::StrongLinks, LengthUnit::Links];

const LOOP_UNITS: &[LengthUnit] = &[LengthUnit::StrongLinks, LengthUnit::Links];

/// A link between two consecutive candidates of a chain in Eureka notation.
struct LinkStep<'s> {
    link: &'s EurekaLink,
    /// True if the link joins two digits inside one pair of parentheses, as in `(x=y)A`.
    is_in_parentheses: bool,
}

impl Lowering<'_> {
    /// Lowers a chain in Eureka notation; `span` are the bytes of the line.
    pub fn fixed_chain(&mut self, chain: &ast::FixedChain, span: &Span) -> LowerResult<FixedChain> {
        // Each node with the bytes of its digit.
        let mut nodes: Vec<LowerResult<(LinkNode, &Span)>> = Vec::new();
        let mut steps = Vec::new();
        for (position, node) in chain.nodes.iter().enumerate() {
            if position > 0 {
                steps.extend(chain.links.get(position - 1).map(|link| LinkStep { link, is_in_parentheses: false }));
            }
            steps.extend(node.links.iter().map(|link| LinkStep { link, is_in_parentheses: true }));
            let cells = self.cell_or_set_name(&node.cell).ok();
            for digit in &node.digits {
                let digit_name = self.chain_name(digit, Kind::Digit);
                let node = digit_name.ok().zip(cells).map(|(digit, cells)| LinkNode { digit, cells });
                nodes.push(node.map(|node| (node, &digit.span)).ok_or(ErrorReported));
            }
        }
        self.check_alternation(&steps, span)?;
        let nodes: Vec<(LinkNode, &Span)> = nodes.into_iter().collect::<LowerResult<_>>()?;
        let pairs: Vec<_> = steps.iter().zip(nodes.windows(2)).collect();
        let links = self.check_all(&pairs, |lowering, (step, pair)| {
            let check = lowering.check_step(step, pair[0], pair[1]);
            let house = step.link.house.as_ref();
            let house = house.map(|house| lowering.chain_name(house, Kind::House(HouseClass::Any))).transpose();
            check?;
            Ok(FixedChainLink { strong: step.link.strong, house: house? })
        })?;
        Ok(FixedChain { nodes: nodes.into_iter().map(|(node, _)| node).collect(), links })
    }

    /// Checks that strong and weak links alternate and that the first and the last link are strong.
    fn check_alternation(&self, steps: &[LinkStep], span: &Span) -> LowerResult<()> {
        for pair in steps.windows(2) {
            if pair[0].link.strong == pair[1].link.strong {
                let (word, mark, other) = if pair[0].link.strong { ("strong", "=", "-") } else { ("weak", "-", "=") };
                let problem = ChainProblem::NotAlternating { word, mark, other };
                return self.fail(problem.at_both(&pair[1].link.span, &pair[0].link.span));
            }
        }
        for (step, end) in [(steps.first(), "begins"), (steps.last(), "ends")] {
            if let Some(step) = step
                && !step.link.strong
            {
                return self.fail(ChainProblem::WeakEnd { end }.at(&step.link.span));
            }
        }
        if steps.is_empty() {
            return self.fail(ChainProblem::NoLink.at(span));
        }
        Ok(())
    }

    /// Checks that a link joins two digits of one cell or two cells of one digit. `a_span` and `b_span` are the bytes
    /// of the digits of the two nodes.
    fn check_step(
        &self,
        step: &LinkStep,
        (a, a_span): (LinkNode, &Span),
        (b, b_span): (LinkNode, &Span),
    ) -> LowerResult<()> {
        if a == b {
            return self.fail(ChainProblem::LinkToItself.at_both(b_span, a_span));
        }
        if a.digit != b.digit && a.cells != b.cells {
            let (first, second) = (&self.symbols[a.digit.0].name, &self.symbols[b.digit.0].name);
            let problem = ChainProblem::LinkOfNothing { first: first.clone(), second: second.clone() };
            let diagnostic = problem.at(&step.link.span).label(a_span.clone(), format!("digit {first}"));
            return self.fail(diagnostic.label(b_span.clone(), format!("digit {second}")));
        }
        if let Some(house) = &step.link.house
            && (step.is_in_parentheses || a.cells == b.cells)
        {
            return self.fail(ChainProblem::HouseInCell.at(&house.span));
        }
        if a.cells == b.cells && self.is_cell_set(a.cells) { self.check_link_in_set(a.cells, step) } else { Ok(()) }
    }

    /// Checks a link between two digits of a set of cells. The link must be strong, and the set must be an almost
    /// locked set with one digit more than cells: in a solution, at most one of its digits is missing.
    fn check_link_in_set(&self, set: VarId, step: &LinkStep) -> LowerResult<()> {
        let symbol = &self.symbols[set.0];
        let name = symbol.name.clone();
        let problem = match (symbol.role, step.link.strong) {
            (NameRole::Als(1) | NameRole::Plain, true) => return Ok(()),
            (NameRole::Als(degree), true) => ChainProblem::LinkInAls { name, degree },
            (NameRole::Group, _) => ChainProblem::LinkInGroup { name },
            (_, _) => ChainProblem::LinkInSet { name },
        };
        self.fail(problem.at_both(&step.link.span, &symbol.span))
    }

    pub fn node(&mut self, node: &EurekaNode) -> LowerResult<LinkNode> {
        let digit = node.digits.first().map(|digit| self.chain_name(digit, Kind::Digit));
        let cell = self.cell_or_set_name(&node.cell);
        Ok(LinkNode { digit: digit.ok_or(ErrorReported)??, cells: cell? })
    }

    fn chain_end(&mut self, end: &EndPoint) -> LowerResult<ChainEnd> {
        match end {
            EndPoint::At(node) => {
                // The cell of an end must be a single cell.
                let cell = self.chain_name(&node.cell, Kind::Cell);
                let node = self.node(node)?;
                cell?;
                Ok(ChainEnd::At(node))
            }
            EndPoint::Candidate(ident) => match self.find(&ident.name) {
                Some(id) if self.symbols[id.0].role == NameRole::Node => {
                    self.count_mention(id);
                    Ok(ChainEnd::Candidate(id))
                }
                _ => self.chain_name(ident, Kind::Candidate).map(ChainEnd::Candidate),
            },
        }
    }

    fn cell_or_set_name(&mut self, ident: &Ident) -> LowerResult<VarId> {
        match self.find(&ident.name) {
            Some(id) if self.is_cell_set(id) => {
                self.count_mention(id);
                Ok(id)
            }
            _ => self.chain_name(ident, Kind::Cell),
        }
    }

    fn is_cell_set(&self, id: VarId) -> bool {
        let symbol = &self.symbols[id.0];
        symbol.kind == Some(Kind::Cell) && symbol.shape == VarShape::Set
    }

    pub fn chain(&mut self, chain: &ast::Chain) -> LowerResult<Graph> {
        let digits = self.on_digits(chain.on.as_ref());
        let (from, to) = (self.chain_end(&chain.from), self.chain_end(&chain.to));
        let length = self.length(&chain.length, "a chain", CHAIN_UNITS);
        let links = self.link_block(&chain.links, &chain.span, "chain");
        let (digits, from, to, length, (strong, weak)) = (digits?, from?, to?, length?, links?);
        self.check_on_digits(chain, digits.as_ref())?;
        if from == to && matches!(from, ChainEnd::At(_)) {
            return self.fail(ChainProblem::ChainToItself.at_both(&end_span(&chain.to), &end_span(&chain.from)));
        }
        Ok(Graph { digits, strong, shape: LinkShape::Chain(OpenChain { from, to, length, weak }) })
    }

    /// Reports a name after `on` that only the chain binds. The digits must be known before the search for the chain
    /// begins.
    fn check_on_digits(&self, chain: &ast::Chain, digits: Option<&Expr>) -> LowerResult<()> {
        let names = digits.map(Expr::names).unwrap_or_default();
        let mut symbols = names.into_iter().map(|name| &self.symbols[name.0]);
        let bound_by_chain =
            symbols.find(|symbol| chain.span.start <= symbol.span.start && symbol.span.end <= chain.span.end);
        let Some(symbol) = bound_by_chain else { return Ok(()) };
        let on_span = chain.on.as_ref().map_or(&symbol.span, |on| &on.span);
        let problem = ChainProblem::OnOwnName { name: symbol.name.clone(), is_digit: symbol.kind == Some(Kind::Digit) };
        self.fail(problem.at_both(on_span, &symbol.span))
    }

    pub fn loop_pattern(&mut self, pattern: &ast::Loop) -> LowerResult<Graph> {
        let digits = self.on_digits(pattern.on.as_ref());
        let length = self.length(&pattern.length, "a loop", LOOP_UNITS);
        let links = self.link_block(&pattern.links, &pattern.span, "loop");
        let name = self.declared_var(&pattern.name);
        let colours = pattern.colours.as_ref().map(|colours| self.colours(colours)).transpose();
        let (digits, length, (strong, weak), name, colours) = (digits?, length?, links?, name?, colours?);
        Ok(Graph { digits, strong, shape: LinkShape::Loop(Loop { name, colours, length, weak }) })
    }

    pub fn cluster(&mut self, pattern: &ast::Cluster) -> LowerResult<Graph> {
        let digits = self.on_digits(pattern.on.as_ref());
        let strong = self.strong_sources(&pattern.links, &pattern.span, "cluster");
        let colours = self.colours(&pattern.colours);
        let (digits, strong, colours) = (digits?, strong?, colours?);
        Ok(Graph { digits, strong, shape: LinkShape::Cluster(Cluster { colours }) })
    }

    /// Finds the two names of `coloured blue, green`.
    fn colours(&mut self, [first, second]: &[Ident; 2]) -> LowerResult<[VarId; 2]> {
        Ok([self.declared_var(first)?, self.declared_var(second)?])
    }

    pub fn ring(&mut self, pattern: &ast::Ring) -> LowerResult<Graph> {
        let digits = self.on_digits(pattern.on.as_ref());
        let low = self.ring_length(&pattern.length);
        let strong = self.strong_sources(&pattern.links, &pattern.span, "ring");
        let (name, guardians) = (self.declared_var(&pattern.name), self.declared_var(&pattern.guardians));
        let (digits, low, strong, name, guardians) = (digits?, low?, strong?, name?, guardians?);
        Ok(Graph { digits, strong, shape: LinkShape::Ring(Ring { name, low, guardians }) })
    }

    /// Lowers the digits of `on d`.
    pub fn on_digits(&mut self, on: Option<&ast::Expr>) -> LowerResult<Option<Expr>> {
        let Some(on) = on else { return Ok(None) };
        let on = self.expr(on)?;
        self.require_digits(&on, "the value of `on`").map(Some)
    }

    /// Returns the link sources and the weak links of a block. `owner` is the word for the construct with the block,
    /// and `header` is the span of the construct's header.
    pub fn link_block(
        &self,
        block: &LinkBlock,
        header: &Span,
        owner: &'static str,
    ) -> LowerResult<(Vec<String>, WeakLinks)> {
        if block.broken {
            return Err(ErrorReported);
        }
        if block.strong.is_empty() {
            return self.fail(ChainProblem::NoStrongLine { owner }.at(header));
        }
        if let [(_, first), (_, second), ..] = block.weak.as_slice() {
            return self.fail(ChainProblem::SecondWeakLine { owner }.at_both(second, first));
        }
        let weak = block.weak.first().map_or(WeakLinks::Any, |(weak, _)| *weak);
        let mut strong: Vec<String> = Vec::new();
        for ident in block.strong.iter().flatten() {
            if !strong.contains(&ident.name) {
                strong.push(ident.name.clone());
            }
        }
        Ok((strong, weak))
    }

    /// Returns the link sources of a cluster or a ring. A `weak:` line is an error, because each link of a cluster or a
    /// ring is both strong and weak.
    fn strong_sources(&self, block: &LinkBlock, header: &Span, owner: &'static str) -> LowerResult<Vec<String>> {
        let links = self.link_block(block, header, owner);
        if let Some((_, span)) = block.weak.first() {
            return self.fail(ChainProblem::WeakLine { owner }.at(span));
        }
        links.map(|(strong, _)| strong)
    }

    /// Lowers a length, and reports a unit that is not in `units`. `owner` is the construct with the length: `a chain`.
    fn length(&self, length: &ast::ChainLength, owner: &'static str, units: &[LengthUnit]) -> LowerResult<Length> {
        let unit = match length.unit {
            ChainUnit::Cells => Some(LengthUnit::Cells),
            ChainUnit::StrongLinks => Some(LengthUnit::StrongLinks),
            ChainUnit::Links => Some(LengthUnit::Links),
            ChainUnit::Candidates => None,
        };
        let Some(unit) = unit.filter(|unit| units.contains(unit)) else {
            let units = match units.contains(&LengthUnit::Cells) {
                true => "`cells`, `strong links` or `links`",
                false => "`strong links` or `links`",
            };
            return self.fail(ChainProblem::LengthUnit { owner, units }.at(&length.span));
        };
        let (low, high) = (length.low, length.high);
        match high {
            Some(high) if high < low => self.fail(ChainProblem::EmptyLength { low, high }.at(&length.span)),
            _ if low == 0 => self.fail(ChainProblem::NoLength { owner }.at(&length.span)),
            _ => Ok(Length { low, high, unit }),
        }
    }

    /// Lowers `5.. candidates` to its minimum.
    fn ring_length(&self, length: &ast::ChainLength) -> LowerResult<u32> {
        if length.unit == ChainUnit::Candidates && length.high.is_none() && length.low >= 3 {
            return Ok(length.low);
        }
        self.fail(ChainProblem::RingLength.at(&length.span))
    }

    /// Lowers `conclude every link of K`; `outside` is true for `… outside its cells`.
    pub fn every_link(&mut self, name: &Ident, outside: bool) -> LowerResult<Conclusion> {
        let id = self.mentioned_var(name)?;
        let symbol = &self.symbols[id.0];
        if symbol.role == NameRole::Loop {
            return Ok(Conclusion { claim: Claim::Links { loop_name: id, outside_cells: outside }, for_each: None });
        }
        self.fail(ChainProblem::NoLoop { name: name.name.clone() }.at_both(&name.span, &symbol.span))
    }
}

fn end_span(end: &EndPoint) -> Span {
    match end {
        EndPoint::At(node) => node.span.clone(),
        EndPoint::Candidate(ident) => ident.span.clone(),
    }
}
