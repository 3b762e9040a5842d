//! Lowers chains, loops, clusters, rings and suppositions, and checks that the links of a chain alternate.

use super::declare::opposite_name;
use super::names::{Lowering, NameRole};
use super::rule_list::append_techniques;
use super::typed_expr::{Shape, TypedExpr};
use super::{ErrorReported, LowerResult};
use crate::lang::ast::{self, Binding, ChainUnit, EndPoint, EurekaLink, EurekaNode, Ident, LinkBlock, Span, TermList};
use crate::lang::codes::{ChainProblem, KindProblem, Problem};
use crate::lang::ir::{
    CaseResult, Cases, ChainEnd, Claim, Cluster, Conclusion, Condition, Expr, FixedChain, FixedChainLink, Graph,
    HouseClass, InferenceMethods, Kind, Length, LengthUnit, LinkNode, LinkShape, Literal, Loop, OpenChain, Ring,
    RuleRef, Statement, Suppose, VarId, VarShape, WeakLinks,
};
use crate::lang::words;

/// Units that the length of a chain may have.
const CHAIN_UNITS: &[LengthUnit] = &[LengthUnit::Cells, LengthUnit::StrongLinks, LengthUnit::Links];

/// Units that the length of a loop may have.
const LOOP_UNITS: &[LengthUnit] = &[LengthUnit::StrongLinks, LengthUnit::Links];

/// A link between two consecutive candidates of a chain in Eureka notation.
struct LinkStep<'s> {
    link: &'s EurekaLink,
    /// True if the link joins two digits inside one pair of parentheses, as in `(x=y)A`.
    in_parentheses: bool,
}

impl Lowering<'_> {
    /// Lowers a chain in Eureka notation; `span` are the bytes of the line.
    pub fn trail(&mut self, trail: &ast::FixedChain, span: &Span) -> LowerResult<FixedChain> {
        let mut nodes = Vec::new();
        // Bytes of the digit of each node.
        let mut digit_spans: Vec<Span> = Vec::new();
        let mut steps = Vec::new();
        let mut failed = false;
        for (position, node) in trail.nodes.iter().enumerate() {
            if position > 0 {
                steps.extend(trail.links.get(position - 1).map(|link| LinkStep { link, in_parentheses: false }));
            }
            steps.extend(node.links.iter().map(|link| LinkStep { link, in_parentheses: true }));
            let cell = self.cell_or_set_name(&node.cell);
            for digit in &node.digits {
                match (self.chain_name(digit, Kind::Digit), &cell) {
                    (Ok(digit), Ok(cell)) => nodes.push(LinkNode { digit, cells: *cell }),
                    _ => failed = true,
                }
                digit_spans.push(digit.span.clone());
            }
        }
        failed |= self.check_alternation(&steps, span).is_err();
        if failed {
            return Err(ErrorReported);
        }
        let mut links = Vec::new();
        for (position, step) in steps.iter().enumerate() {
            let (Some(a), Some(b)) = (nodes.get(position), nodes.get(position + 1)) else { continue };
            let (a_span, b_span) = (&digit_spans[position], &digit_spans[position + 1]);
            failed |= self.check_step(step, (*a, a_span), (*b, b_span)).is_err();
            let house = step.link.house.as_ref().map(|house| self.chain_name(house, Kind::House(HouseClass::Any)));
            match house.transpose() {
                Ok(house) => links.push(FixedChainLink { strong: step.link.strong, house }),
                Err(_) => failed = true,
            }
        }
        if failed { Err(ErrorReported) } else { Ok(FixedChain { nodes, links }) }
    }

    /// Checks that strong and weak links alternate and that the first and the last link are strong.
    fn check_alternation(&mut self, steps: &[LinkStep], span: &Span) -> LowerResult<()> {
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

    /// Checks that a link joins two digits of a cell or two cells of a digit. Each node comes with the bytes of its
    /// digit.
    fn check_step(
        &mut self,
        step: &LinkStep,
        (a, a_span): (LinkNode, &Span),
        (b, b_span): (LinkNode, &Span),
    ) -> LowerResult<()> {
        if a == b {
            return self.fail(ChainProblem::LinkToItself.at_both(b_span, a_span));
        }
        if a.digit != b.digit && a.cells != b.cells {
            let (first, second) = (self.symbols[a.digit.0].name.clone(), self.symbols[b.digit.0].name.clone());
            let problem = ChainProblem::LinkOfNothing { first: first.clone(), second: second.clone() };
            let diagnostic = problem.at(&step.link.span).label(a_span.clone(), format!("digit {first}"));
            return self.fail(diagnostic.label(b_span.clone(), format!("digit {second}")));
        }
        if let Some(house) = &step.link.house
            && (step.in_parentheses || a.cells == b.cells)
        {
            return self.fail(ChainProblem::HouseInCell.at(&house.span));
        }
        if a.cells == b.cells && self.is_cell_set(a.cells) { self.check_link_in_set(a.cells, step) } else { Ok(()) }
    }

    /// Checks a link between two digits of a set of cells. Only an almost locked set with one digit more than cells has
    /// such links: at most one of its digits is missing.
    fn check_link_in_set(&mut self, set: VarId, step: &LinkStep) -> LowerResult<()> {
        let symbol = &self.symbols[set.0];
        let name = symbol.name.clone();
        let problem = match (symbol.role, step.link.strong) {
            (NameRole::Als(1) | NameRole::Plain, true) => return Ok(()),
            (NameRole::Als(degree), true) => ChainProblem::LinkInAls { name, degree },
            (NameRole::Group, _) => ChainProblem::LinkInGroup { name },
            (_, _) => ChainProblem::LinkInSet { name },
        };
        let declared = symbol.span.clone();
        self.fail(problem.at_both(&step.link.span, &declared))
    }

    /// Lowers a node with one digit.
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

    /// Finds the name of a cell or of a set of cells.
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
        let digits = self.on_digits(chain.on.as_ref(), "what a chain is `on`");
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

    /// Reports `on` with a name that only the chain binds: the digits must be known before the search begins.
    fn check_on_digits(&mut self, chain: &ast::Chain, digits: Option<&Expr>) -> LowerResult<()> {
        let names = digits.map(Expr::names).unwrap_or_default();
        let mut symbols = names.into_iter().map(|name| &self.symbols[name.0]);
        let bound_by_chain =
            symbols.find(|symbol| chain.span.start <= symbol.span.start && symbol.span.end <= chain.span.end);
        let Some(symbol) = bound_by_chain else { return Ok(()) };
        let (name, declared) = (symbol.name.clone(), symbol.span.clone());
        let on_span = chain.on.as_ref().map_or(&declared, |on| &on.span);
        let problem = ChainProblem::OnOwnName { name, is_digit: symbol.kind == Some(Kind::Digit) };
        self.fail(problem.at_both(on_span, &declared))
    }

    pub fn loop_pattern(&mut self, pattern: &ast::Loop) -> LowerResult<Graph> {
        let digits = self.on_digits(pattern.on.as_ref(), "what a loop is `on`");
        let length = self.length(&pattern.length, "a loop", LOOP_UNITS);
        let links = self.link_block(&pattern.links, &pattern.span, "loop");
        let name = self.declared_var(&pattern.name);
        let colours = pattern.colours.as_ref().map(|colours| self.colours(colours)).transpose();
        let (digits, length, (strong, weak), name, colours) = (digits?, length?, links?, name?, colours?);
        Ok(Graph { digits, strong, shape: LinkShape::Loop(Loop { name, colours, length, weak }) })
    }

    pub fn cluster(&mut self, pattern: &ast::Cluster) -> LowerResult<Graph> {
        let digits = self.on_digits(pattern.on.as_ref(), "what a cluster is `on`");
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
        let digits = self.on_digits(pattern.on.as_ref(), "what a ring is `on`");
        let low = self.ring_length(&pattern.length);
        let strong = self.strong_sources(&pattern.links, &pattern.span, "ring");
        let (name, guardians) = (self.declared_var(&pattern.name), self.declared_var(&pattern.guardians));
        let (digits, low, strong, name, guardians) = (digits?, low?, strong?, name?, guardians?);
        Ok(Graph { digits, strong, shape: LinkShape::Ring(Ring { name, low, guardians }) })
    }

    /// Lowers the digits of `on d`. `role` is the subject of the error if they are of another kind.
    fn on_digits(&mut self, on: Option<&ast::Expr>, role: &str) -> LowerResult<Option<Expr>> {
        let Some(on) = on else { return Ok(None) };
        let on = self.expr(on)?;
        self.require_digits(&on, role).map(Some)
    }

    /// Returns the link sources and the weak links of a block. `owner` is the word for the construct with the block,
    /// and `header` its header.
    fn link_block(
        &mut self,
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

    /// Returns the link sources of a cluster or a ring. Its links are both strong and weak, so a `weak:` line is an
    /// error.
    fn strong_sources(&mut self, block: &LinkBlock, header: &Span, owner: &'static str) -> LowerResult<Vec<String>> {
        let links = self.link_block(block, header, owner);
        if let Some((_, span)) = block.weak.first() {
            return self.fail(ChainProblem::WeakLine { owner }.at(span));
        }
        links.map(|(strong, _)| strong)
    }

    /// Lowers a length, which must have one of some units. `owner` is the construct with the length: `a chain`.
    fn length(&mut self, length: &ast::ChainLength, owner: &'static str, units: &[LengthUnit]) -> LowerResult<Length> {
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
    fn ring_length(&mut self, length: &ast::ChainLength) -> LowerResult<u32> {
        if length.unit == ChainUnit::Candidates && length.high.is_none() && length.low >= 3 {
            return Ok(length.low);
        }
        self.fail(ChainProblem::RingLength.at(&length.span))
    }

    /// Lowers `conclude every link of K`; `outside` is true for `… outside its cells`.
    pub fn every_link(&mut self, name: &Ident, outside: bool) -> LowerResult<Conclusion> {
        let id = self.mentioned_var(name)?;
        if self.symbols[id.0].role == NameRole::Loop {
            return Ok(Conclusion { claim: Claim::Links { of: id, outside }, for_each: None });
        }
        let declared = self.symbols[id.0].span.clone();
        self.fail(ChainProblem::NoLoop { name: name.name.clone() }.at_both(&name.span, &declared))
    }

    /// Appends the statements of a supposition.
    pub fn suppose(&mut self, suppose: &ast::Suppose, statements: &mut Vec<Statement>) -> LowerResult<()> {
        let cases = self.cases(&suppose.cases);
        let methods = self.inference_methods(&suppose.methods, &suppose.span);
        let shows = match &suppose.shows {
            ast::CaseResult::Contradiction => Ok(CaseResult::Contradiction),
            ast::CaseResult::AllImply(not, name, without) => self.implied_literal(name, not.is_some()).map(|literal| {
                if without.is_some() { CaseResult::AllImplyWithout(literal) } else { CaseResult::AllImply(literal) }
            }),
        };
        let is_negated = matches!(suppose.shows, ast::CaseResult::AllImply(Some(_), ..));
        let suppose = Suppose { cases: cases?, methods: methods?, shows: shows? };
        let implied = suppose.shows.literal();
        statements.push(Statement::Suppose(suppose));
        if let Some(literal) = implied
            && is_negated
        {
            // `all imply not q` requires a false candidate, so only negations are matches.
            statements.push(Statement::Require(Condition::NotEmpty(literal.fails.into())));
        }
        Ok(())
    }

    /// Returns the literal of `all imply q` or, if `not` is true, of `all imply not q`.
    fn implied_literal(&mut self, name: &Ident, not: bool) -> LowerResult<Literal> {
        let literal = self.literal(self.declared_var(name)?);
        Ok(if not { literal.opposite() } else { literal })
    }

    fn cases(&mut self, cases: &ast::Cases) -> LowerResult<Cases> {
        match cases {
            ast::Cases::Name(name) => self.supposed_name(name, false),
            ast::Cases::Not(name) => self.supposed_name(name, true),
            ast::Cases::Either(first, second) => {
                match (self.supposed_name(first, false)?, self.supposed_name(second, true)?) {
                    (Cases::Candidate(p), Cases::Not(q)) if p == q => Ok(Cases::Either(p)),
                    (Cases::Candidate(_), Cases::Not(_)) => {
                        let problem = ChainProblem::OtherCases { name: first.name.clone() };
                        self.fail(problem.at_both(&second.span, &first.span))
                    }
                    _ => self.fail(ChainProblem::EitherLiteral { name: first.name.clone() }.at(&first.span)),
                }
            }
            ast::Cases::Each(terms) => {
                let value = self.term_list(terms)?;
                if value.kind == Kind::Candidate {
                    return Ok(Cases::Each(value.expr));
                }
                self.fail(KindProblem::SupposedOther { actual: value.description() }.at(&value.span))
            }
        }
    }

    /// Lowers `p` or, if `not` is true, `not p`, where p is a candidate or a literal.
    fn supposed_name(&mut self, name: &Ident, not: bool) -> LowerResult<Cases> {
        let id = self.mentioned_var(name)?;
        let symbol = &self.symbols[id.0];
        let kind = symbol.kind.ok_or(ErrorReported)?;
        if symbol.role == NameRole::Literal {
            self.supposed_literals.push(id);
            let literal = self.literal(id);
            return Ok(Cases::Literal(if not { literal.opposite() } else { literal }));
        }
        if kind == Kind::Candidate && symbol.shape == VarShape::Single {
            return Ok(if not { Cases::Not(id) } else { Cases::Candidate(id) });
        }
        let declared = symbol.span.clone();
        let (actual, are_candidates) = (symbol.description(), kind == Kind::Candidate);
        let problem = ChainProblem::NotSupposable { name: name.name.clone(), actual, are_candidates };
        self.fail(problem.at_both(&name.span, &declared))
    }

    fn inference_methods(&mut self, methods: &ast::InferenceMethods, header: &Span) -> LowerResult<InferenceMethods> {
        match methods {
            ast::InferenceMethods::Singles(on) => {
                Ok(InferenceMethods::Singles { digits: self.on_digits(on.as_ref(), "what singles are `on`")? })
            }
            ast::InferenceMethods::Links(on, length, block) => {
                let digits = self.on_digits(on.as_ref(), "what links are `on`");
                let most = length.as_ref().map(|length| self.max_strong_links(length)).transpose();
                let (strong, weak) = self.link_block(block, header, "supposition")?;
                Ok(InferenceMethods::Links { digits: digits?, strong, weak, most: most? })
            }
            ast::InferenceMethods::Rules(members) => {
                let scope = self.scope.ok_or(ErrorReported)?;
                let mut rules: Vec<RuleRef> = Vec::new();
                for diagnostic in append_techniques(members, &scope, &mut rules) {
                    self.report(diagnostic);
                }
                if rules.is_empty() { Err(ErrorReported) } else { Ok(InferenceMethods::Rules(rules)) }
            }
        }
    }

    /// Lowers `0..3 strong links` to its maximum.
    fn max_strong_links(&mut self, length: &ast::ChainLength) -> LowerResult<u32> {
        match (length.low, length.high, length.unit) {
            (0, Some(high), ChainUnit::StrongLinks) => Ok(high),
            _ => self.fail(ChainProblem::CaseLength.at(&length.span)),
        }
    }

    /// Returns both variables of a literal, given the variable with its name.
    pub fn literal(&self, holds: VarId) -> Literal {
        let opposite = opposite_name(&self.symbols[holds.0].name);
        let fails = self.symbols.iter().position(|symbol| symbol.name == opposite);
        Literal { holds, fails: fails.map_or(holds, VarId) }
    }

    /// Returns the candidate of a literal, whether it is true or false, as the value of the literal's name in an
    /// expression.
    pub fn literal_candidate(&mut self, id: VarId, span: Span) -> TypedExpr {
        let Literal { holds, fails } = self.literal(id);
        let both = Expr::Union(vec![holds.into(), fails.into()]);
        TypedExpr::new(both, Kind::Candidate, Shape::Single, span)
    }

    /// Reports a literal with qualifiers: its value is given by the supposition alone.
    pub fn refuse_qualifiers(&mut self, binding: &Binding) -> LowerResult<()> {
        let Some(qualifier) = binding.qualifiers.first() else { return Ok(()) };
        self.fail(ChainProblem::RestrictedLiteral.at(&qualifier.span))
    }

    /// Reports literals that no supposition binds.
    pub fn check_literals(&mut self, bindings: &[&Binding]) {
        let literals = bindings.iter().filter(|binding| binding.kind.name == words::LITERAL);
        for (name, _) in literals.flat_map(|binding| &binding.names) {
            if self.find(&name.name).is_some_and(|id| !self.supposed_literals.contains(&id)) {
                self.report(ChainProblem::LiteralUnused { name: name.name.clone() }.at(&name.span));
            }
        }
    }

    /// Lowers `conclude q` or, if `not` is true, `conclude not q`, to two claims of which one is about the empty set.
    pub fn conclude_literal(&mut self, not: bool, name: &Ident) -> LowerResult<Vec<Conclusion>> {
        let id = self.mentioned_var(name)?;
        let symbol = &self.symbols[id.0];
        if symbol.role == NameRole::Literal {
            let literal = self.literal(id);
            let Literal { holds, fails } = if not { literal.opposite() } else { literal };
            let claims = [Claim::Place(holds.into()), Claim::Eliminate(fails.into())];
            return Ok(claims.map(|claim| Conclusion { claim, for_each: None }).to_vec());
        }
        let kind = symbol.kind.ok_or(ErrorReported)?;
        let (declared, actual) = (symbol.span.clone(), symbol.description());
        let instead = match (kind, symbol.shape) {
            (Kind::Candidate, _) if not => Some("eliminate"),
            (Kind::Candidate, VarShape::Single) => Some("place"),
            (Kind::Candidate, _) => Some("conclude some"),
            _ => None,
        };
        self.fail(ChainProblem::NoLiteral { name: name.name.clone(), actual, instead }.at_both(&name.span, &declared))
    }

    /// Reports literals in a claim: a literal itself says whether its candidate is true or false.
    pub fn refuse_literals(&mut self, terms: &TermList) -> LowerResult<()> {
        for name in terms.terms.iter().filter_map(|term| term.as_name()) {
            if self.find(&name.name).is_some_and(|id| self.symbols[id.0].role == NameRole::Literal) {
                return self.fail(ChainProblem::LiteralInClaim { name: name.name.clone() }.at(&name.span));
            }
        }
        Ok(())
    }
}

fn end_span(end: &EndPoint) -> Span {
    match end {
        EndPoint::At(node) => node.span.clone(),
        EndPoint::Candidate(ident) => ident.span.clone(),
    }
}
