//! Chains, loops, clusters, rings and suppositions. In: Eureka notation, headers and blocks as written. Out: their checked form; the
//! links of chains alternate.

use super::declare::opposite;
use super::names::{Lowering, NameRole, Symbol};
use super::value::{Shape, TypedExpr};
use super::{ErrorReported, LowerResult, uses};
use crate::lang::ast::{self, Binding, ChainUnit, EndPoint, EurekaLink, EurekaNode, Ident, LinkBlock, Span};
use crate::lang::codes::{ChainProblem, KindProblem, Problem};
use crate::lang::ir::{
    CaseResult, Cases, Chain, ChainEnd, Claim, Cluster, Conclusion, Condition, Expr, Graph, HouseClass,
    InferenceMethods, Kind, Length, LengthUnit, LinkShape, Literal, Loop, Ring, RuleRef, Statement, Suppose, Trail,
    TrailLink, TrailNode, VarId, VarShape, WeakLinks,
};
use crate::lang::words;

/// Units that the length of a chain may have.
const UNITS: &[LengthUnit] = &[LengthUnit::Cells, LengthUnit::StrongLinks, LengthUnit::Links];

/// A link between two candidates, as written.
struct LinkStep<'s> {
    link: &'s EurekaLink,
    /// True if it joins two digits of one cell in one pair of parentheses.
    inside: bool,
}

impl Lowering<'_> {
    pub fn trail(&mut self, trail: &ast::Trail, span: &Span) -> LowerResult<Trail> {
        let mut nodes = Vec::new();
        let mut places: Vec<Span> = Vec::new();
        let mut steps = Vec::new();
        let mut failed = false;
        for (at, stop) in trail.stops.iter().enumerate() {
            if at > 0 {
                steps.extend(trail.links.get(at - 1).map(|link| LinkStep { link, inside: false }));
            }
            steps.extend(stop.links.iter().map(|link| LinkStep { link, inside: true }));
            let cell = self.cells_name(&stop.cell);
            for digit in &stop.digits {
                match (self.single(digit, Kind::Digit, false), &cell) {
                    (Ok(digit), Ok(cell)) => nodes.push(TrailNode { digit, cell: *cell }),
                    _ => failed = true,
                }
                places.push(digit.span.clone());
            }
        }
        failed |= self.check_marks(&steps, span).is_err();
        if failed {
            return Err(super::ErrorReported);
        }
        let mut links = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            let (Some(a), Some(b)) = (nodes.get(at), nodes.get(at + 1)) else { continue };
            failed |= self.check_step(*a, *b, step, &places[at..]).is_err();
            let house = step.link.house.as_ref().map(|house| self.single(house, Kind::House(HouseClass::Any), false));
            match house.transpose() {
                Ok(house) => links.push(TrailLink { strong: step.link.strong, house }),
                Err(_) => failed = true,
            }
        }
        if failed { Err(super::ErrorReported) } else { Ok(Trail { nodes, links }) }
    }

    /// Strong and weak links alternate, and both ends are strong.
    fn check_marks(&mut self, steps: &[LinkStep], span: &Span) -> LowerResult<()> {
        for pair in steps.windows(2) {
            if pair[0].link.strong == pair[1].link.strong {
                let (word, mark, other) = if pair[0].link.strong { ("strong", "=", "-") } else { ("weak", "-", "=") };
                let problem = ChainProblem::NotAlternating { word, mark, other };
                return self.fail(problem.at_both(&pair[1].link.span, &pair[0].link.span));
            }
        }
        for (step, end) in [(steps.first(), "begins"), (steps.last(), "ends")] {
            if let Some(step) = step.filter(|step| !step.link.strong) {
                return self.fail(ChainProblem::WeakEnd { end }.at(&step.link.span));
            }
        }
        if steps.is_empty() {
            return self.fail(ChainProblem::NoLink.at(span));
        }
        Ok(())
    }

    /// A link joins two digits of a cell or two cells of a digit.
    fn check_step(&mut self, a: TrailNode, b: TrailNode, step: &LinkStep, places: &[Span]) -> LowerResult<()> {
        let (here, next) = match places {
            [here, next, ..] => (here, next),
            _ => (&step.link.span, &step.link.span),
        };
        if a == b {
            return self.fail(ChainProblem::LinkToItself.at_both(next, here));
        }
        if a.digit != b.digit && a.cell != b.cell {
            let (first, second) = (self.symbols[a.digit.0].name.clone(), self.symbols[b.digit.0].name.clone());
            let problem = ChainProblem::LinkOfNothing { first: first.clone(), second: second.clone() };
            let diagnostic = problem.at(&step.link.span).label(here.clone(), format!("digit {first}"));
            return self.fail(diagnostic.label(next.clone(), format!("digit {second}")));
        }
        if let Some(house) = step.link.house.as_ref().filter(|_| step.inside || a.cell == b.cell) {
            return self.fail(ChainProblem::HouseInCell.at(&house.span));
        }
        if a.cell == b.cell && self.is_cells(a.cell) { self.check_in_set(a.cell, step) } else { Ok(()) }
    }

    /// Two digits of a set of cells: not both are missing from an almost locked set, and nothing else is known of them.
    fn check_in_set(&mut self, set: VarId, step: &LinkStep) -> LowerResult<()> {
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

    pub fn node(&mut self, stop: &EurekaNode) -> LowerResult<TrailNode> {
        let digit = stop.digits.first().map(|digit| self.single(digit, Kind::Digit, false));
        let cell = self.cells_name(&stop.cell);
        Ok(TrailNode { digit: digit.ok_or(super::ErrorReported)??, cell: cell? })
    }

    fn end(&mut self, end: &EndPoint) -> LowerResult<ChainEnd> {
        match end {
            EndPoint::At(stop) => {
                let cell = self.single(&stop.cell, Kind::Cell, false);
                self.node(stop).and_then(|node| cell.map(|_| ChainEnd::At(node)))
            }
            EndPoint::Candidate(ident) => self.node_name(ident).map(ChainEnd::Candidate),
        }
    }

    /// A candidate that is chosen, or the name of a node.
    fn node_name(&mut self, ident: &Ident) -> LowerResult<VarId> {
        match self.find(&ident.name) {
            Some(id) if self.symbols[id.0].role == NameRole::Node => {
                self.mention(id);
                Ok(id)
            }
            _ => self.single(ident, Kind::Candidate, false),
        }
    }

    /// A cell, or a set of cells that has a name.
    fn cells_name(&mut self, ident: &Ident) -> LowerResult<VarId> {
        match self.find(&ident.name) {
            Some(id) if self.is_cells(id) => {
                self.mention(id);
                Ok(id)
            }
            _ => self.single(ident, Kind::Cell, false),
        }
    }

    fn is_cells(&self, id: VarId) -> bool {
        let symbol = &self.symbols[id.0];
        symbol.kind == Some(Kind::Cell) && symbol.shape == VarShape::Set
    }

    pub fn chain(&mut self, chain: &ast::Chain) -> LowerResult<Graph> {
        let on = self.on(chain.on.as_ref(), "what a chain is `on`");
        let (from, to) = (self.end(&chain.from), self.end(&chain.to));
        let length = self.length(&chain.length, "a chain", UNITS);
        let links = self.links(&chain.links, &chain.span, "chain");
        let (on, from, to, length, (strong, weak)) = (on?, from?, to?, length?, links?);
        self.known_before(chain, on.as_ref())?;
        if from == to && matches!(from, ChainEnd::At(_)) {
            return self.fail(ChainProblem::ChainToItself.at_both(&end_span(&chain.to), &end_span(&chain.from)));
        }
        Ok(Graph { digits: on, strong, shape: LinkShape::Chain(Chain { from, to, length, weak }) })
    }

    /// Reports `on` with a name that only the chain binds: its value is needed before the chain is searched.
    fn known_before(&mut self, chain: &ast::Chain, on: Option<&Expr>) -> LowerResult<()> {
        let names = on.map(Expr::names).unwrap_or_default();
        let mut symbols = names.into_iter().map(|name| &self.symbols[name.0]);
        let own = symbols.find(|Symbol { span, .. }| chain.span.start <= span.start && span.end <= chain.span.end);
        let Some(symbol) = own else { return Ok(()) };
        let (name, declared) = (symbol.name.clone(), symbol.span.clone());
        let place = chain.on.as_ref().map_or(&declared, |on| &on.span);
        let problem = ChainProblem::OnOwnName { name, digit: symbol.kind == Some(Kind::Digit) };
        self.fail(problem.at_both(place, &declared))
    }
}

fn end_span(end: &EndPoint) -> Span {
    match end {
        EndPoint::At(stop) => stop.span.clone(),
        EndPoint::Candidate(ident) => ident.span.clone(),
    }
}

impl Lowering<'_> {
    pub fn loop_(&mut self, written: &ast::Loop) -> LowerResult<Graph> {
        let on = self.on(written.on.as_ref(), "what a loop is `on`");
        let length = self.length(&written.length, "a loop", &[LengthUnit::StrongLinks, LengthUnit::Links]);
        let links = self.links(&written.links, &written.span, "loop");
        let name = self.introduced(&written.name);
        let colours = written.colours.as_ref().map(|colours| self.colours(colours)).transpose();
        let (on, length, (strong, weak), name, colours) = (on?, length?, links?, name?, colours?);
        Ok(Graph { digits: on, strong, shape: LinkShape::Loop(Loop { name, colours, length, weak }) })
    }

    pub fn cluster(&mut self, written: &ast::Cluster) -> LowerResult<Graph> {
        let on = self.on(written.on.as_ref(), "what a cluster is `on`");
        let links = self.links(&written.links, &written.span, "cluster");
        let weak = self.no_weak(&written.links, "cluster");
        let colours = self.colours(&written.colours);
        let (on, (strong, _), colours) = (on?, links?, colours?);
        weak?;
        Ok(Graph { digits: on, strong, shape: LinkShape::Cluster(Cluster { colours }) })
    }

    /// `coloured blue, green`
    fn colours(&mut self, [first, second]: &[Ident; 2]) -> LowerResult<[VarId; 2]> {
        let (first, second) = (self.introduced(first), self.introduced(second));
        Ok([first?, second?])
    }

    pub fn ring(&mut self, written: &ast::Ring) -> LowerResult<Graph> {
        let on = self.on(written.on.as_ref(), "what a ring is `on`");
        let low = self.ring_length(&written.length);
        let links = self.links(&written.links, &written.span, "ring");
        let weak = self.no_weak(&written.links, "ring");
        let (name, guardians) = (self.introduced(&written.name), self.introduced(&written.guardians));
        let (on, low, (strong, _), name, guardians) = (on?, low?, links?, name?, guardians?);
        weak?;
        Ok(Graph { digits: on, strong, shape: LinkShape::Ring(Ring { name, low, guardians }) })
    }

    /// `on d`
    pub fn on(&mut self, on: Option<&ast::Expr>, who: &str) -> LowerResult<Option<Expr>> {
        let Some(on) = on else { return Ok(None) };
        let on = self.expr(on)?;
        self.digits_of(&on, who).map(Some)
    }

    /// The block of a chain and of what is like one: its sources and its weak links.
    pub fn links(&mut self, links: &LinkBlock, header: &Span, what: &str) -> LowerResult<(Vec<String>, WeakLinks)> {
        if links.broken {
            return Err(ErrorReported);
        }
        if links.strong.is_empty() {
            return self.fail(ChainProblem::NoStrongLine { what: what.to_owned() }.at(header));
        }
        if let [(_, first), (_, second), ..] = links.weak.as_slice() {
            return self.fail(ChainProblem::SecondWeakLine { what: what.to_owned() }.at_both(second, first));
        }
        let weak = links.weak.first().map_or(WeakLinks::Any, |(weak, _)| *weak);
        let mut strong: Vec<String> = Vec::new();
        for name in links.strong.iter().flatten().map(|ident| &ident.name) {
            if !strong.contains(name) {
                strong.push(name.clone());
            }
        }
        Ok((strong, weak))
    }

    /// Links that are strong and weak at once need no weak ones between.
    fn no_weak(&mut self, links: &LinkBlock, what: &str) -> LowerResult<()> {
        let Some((_, place)) = links.weak.first() else { return Ok(()) };
        self.fail(ChainProblem::WeakLine { what: what.to_owned() }.at(place))
    }

    /// A length in one of some units.
    pub fn length(&mut self, length: &ast::ChainLength, what: &str, units: &[LengthUnit]) -> LowerResult<Length> {
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
            return self.fail(ChainProblem::LengthUnit { what: what.to_owned(), units }.at(&length.span));
        };
        let (low, high) = (length.low, length.high);
        match high {
            Some(high) if high < low => self.fail(ChainProblem::EmptyLength { low, high }.at(&length.span)),
            _ if low == 0 => self.fail(ChainProblem::NoLength { what: what.to_owned() }.at(&length.span)),
            _ => Ok(Length { low, high, unit }),
        }
    }

    /// `5.. candidates`
    fn ring_length(&mut self, length: &ast::ChainLength) -> LowerResult<u32> {
        if length.unit == ChainUnit::Candidates && length.high.is_none() && length.low >= 3 {
            return Ok(length.low);
        }
        self.fail(ChainProblem::RingLength.at(&length.span))
    }

    /// `conclude every link of K`, `… outside its cells`
    pub fn every_link(&mut self, name: &Ident, outside: bool) -> LowerResult<Conclusion> {
        let id = self.mentioned(name)?;
        if self.symbols[id.0].role == NameRole::Loop {
            return Ok(Conclusion { claim: Claim::Links { of: id, outside }, for_each: None });
        }
        let declared = self.symbols[id.0].span.clone();
        self.fail(ChainProblem::NoLoop { name: name.name.clone() }.at_both(&name.span, &declared))
    }
}

impl Lowering<'_> {
    pub fn suppose(&mut self, written: &ast::Suppose, out: &mut Vec<Statement>) -> LowerResult<()> {
        let cases = self.cases(&written.cases);
        let methods = self.means(&written.means, &written.span);
        let shows = match &written.shows {
            ast::CaseResult::Contradiction => Ok(CaseResult::Contradiction),
            ast::CaseResult::AllImply(not, name, without) => self.introduced(name).map(|id| {
                let literal = self.literal(id);
                let literal = if not.is_some() { literal.opposite() } else { literal };
                if without.is_some() { CaseResult::AllImplyWithout(literal) } else { CaseResult::AllImply(literal) }
            }),
        };
        let suppose = Suppose { cases: cases?, methods: methods?, shows: shows? };
        let said_false = matches!(written.shows, ast::CaseResult::AllImply(Some(_), ..));
        let false_one = suppose.shows.literal().filter(|_| said_false).map(|literal| literal.fails);
        out.push(Statement::Suppose(suppose));
        out.extend(false_one.map(|name| Statement::Require(Condition::Some(name.into()))));
        Ok(())
    }

    fn cases(&mut self, cases: &ast::Cases) -> LowerResult<Cases> {
        match cases {
            ast::Cases::One(name) => self.supposed(name, false),
            ast::Cases::Not(name) => self.supposed(name, true),
            ast::Cases::Either(first, second) => {
                let (case, other) = (self.supposed(first, false)?, self.supposed(second, true)?);
                match (case, other) {
                    (Cases::Candidate(p), Cases::Not(again)) if p == again => Ok(Cases::Either(p)),
                    (Cases::Candidate(_), Cases::Not(_)) => {
                        let problem = ChainProblem::OtherCases { name: first.name.clone() };
                        self.fail(problem.at_both(&second.span, &first.span))
                    }
                    _ => self.fail(ChainProblem::EitherLiteral { name: first.name.clone() }.at(&first.span)),
                }
            }
            ast::Cases::Each(noun) => {
                let value = self.noun(noun)?;
                if value.kind == Kind::Candidate {
                    return Ok(Cases::Each(value.expr));
                }
                self.fail(KindProblem::SupposedOther { what: value.what() }.at(&value.span))
            }
        }
    }

    /// A candidate or a literal by its name, or the opposite.
    fn supposed(&mut self, name: &Ident, not: bool) -> LowerResult<Cases> {
        let id = self.mentioned(name)?;
        let symbol = &self.symbols[id.0];
        let kind = symbol.kind.ok_or(ErrorReported)?;
        match (symbol.role, kind, symbol.shape) {
            (NameRole::Literal, ..) => {
                self.literals.push(id);
                let literal = self.literal(id);
                Ok(Cases::Literal(if not { literal.opposite() } else { literal }))
            }
            (_, Kind::Candidate, VarShape::Single) if not => Ok(Cases::Not(id)),
            (_, Kind::Candidate, VarShape::Single) => Ok(Cases::Candidate(id)),
            (_, kind, _) => {
                let declared = symbol.span.clone();
                let (is, candidates) = (symbol.what(), kind == Kind::Candidate);
                let problem = ChainProblem::NotSupposable { name: name.name.clone(), is, candidates };
                self.fail(problem.at_both(&name.span, &declared))
            }
        }
    }

    fn means(&mut self, means: &ast::InferenceMethods, header: &Span) -> LowerResult<InferenceMethods> {
        match means {
            ast::InferenceMethods::Singles(on) => {
                Ok(InferenceMethods::Singles { digits: self.on(on.as_ref(), "what singles are `on`")? })
            }
            ast::InferenceMethods::Links(on, most, links) => {
                let on = self.on(on.as_ref(), "what links are `on`");
                let most = most.as_ref().map(|most| self.most(most)).transpose();
                let (strong, weak) = self.links(links, header, "supposition")?;
                Ok(InferenceMethods::Links { digits: on?, strong, weak, most: most? })
            }
            ast::InferenceMethods::Rules(members) => {
                let known = self.known.ok_or(ErrorReported)?;
                let mut rules: Vec<RuleRef> = Vec::new();
                let found = uses::techniques_of(members, &known, &mut rules);
                found.into_iter().for_each(|diagnostic| self.note(diagnostic));
                if rules.is_empty() { Err(ErrorReported) } else { Ok(InferenceMethods::Rules(rules)) }
            }
        }
    }

    /// `0..3 strong links`
    fn most(&mut self, length: &ast::ChainLength) -> LowerResult<u32> {
        match (length.low, length.high, length.unit) {
            (0, Some(high), ast::ChainUnit::StrongLinks) => Ok(high),
            _ => self.fail(ChainProblem::CaseLength.at(&length.span)),
        }
    }

    /// Returns both names of a literal.
    pub fn literal(&self, holds: VarId) -> Literal {
        let fails = opposite(&self.symbols[holds.0].name);
        let fails = self.symbols.iter().position(|symbol| symbol.name == fails);
        Literal { holds, fails: fails.map_or(holds, VarId) }
    }

    /// A literal where a set stands: its candidate, whatever is said of it.
    pub fn either_way(&mut self, id: VarId, span: Span) -> LowerResult<TypedExpr> {
        let Literal { holds, fails } = self.literal(id);
        let both = Expr::Union(vec![holds.into(), fails.into()]);
        Ok(TypedExpr::new(both, Kind::Candidate, Shape::One, span))
    }

    /// A literal has no relations: what it may be is up to the supposition.
    pub fn alone(&mut self, binding: &Binding) -> LowerResult<()> {
        let Some(qualifier) = binding.qualifiers.first() else { return Ok(()) };
        self.fail(ChainProblem::RestrictedLiteral.at(&qualifier.span))
    }

    /// Literals that are declared and not supposed.
    pub fn check_literals(&mut self, bindings: &[&Binding]) {
        let literals = bindings.iter().filter(|binding| binding.kind.name == words::LITERAL);
        for (name, _) in literals.flat_map(|binding| &binding.names) {
            if self.find(&name.name).is_some_and(|id| !self.literals.contains(&id)) {
                self.note(ChainProblem::LiteralUnused { name: name.name.clone() }.at(&name.span));
            }
        }
    }

    /// `conclude q`, `conclude not p`
    pub fn conclude_literal(&mut self, not: bool, name: &Ident) -> LowerResult<Vec<Conclusion>> {
        let id = self.mentioned(name)?;
        let symbol = &self.symbols[id.0];
        if symbol.role == NameRole::Literal {
            let literal = self.literal(id);
            let Literal { holds, fails } = if not { literal.opposite() } else { literal };
            let claims = [Claim::Place(holds.into()), Claim::Eliminate(fails.into())];
            return Ok(claims.map(|claim| Conclusion { claim, for_each: None }).to_vec());
        }
        let kind = symbol.kind.ok_or(ErrorReported)?;
        let (declared, is) = (symbol.span.clone(), symbol.what());
        let instead = match (kind, symbol.shape, not) {
            (Kind::Candidate, _, true) => Some("eliminate"),
            (Kind::Candidate, VarShape::Single, _) => Some("place"),
            (Kind::Candidate, ..) => Some("conclude some"),
            _ => None,
        };
        self.fail(ChainProblem::NoLiteral { name: name.name.clone(), is, instead }.at_both(&name.span, &declared))
    }

    /// Reports literals among the candidates of a claim: the claim itself says which candidates are true and which are false.
    pub fn no_literal(&mut self, noun: &ast::Noun) -> LowerResult<()> {
        for element in &noun.elements {
            let Some(name) = element.as_name() else { continue };
            if self.find(&name.name).is_some_and(|id| self.symbols[id.0].role == NameRole::Literal) {
                return self.fail(ChainProblem::LiteralInClaim { name: name.name.clone() }.at(&name.span));
            }
        }
        Ok(())
    }
}
