//! Chains. In: Eureka notation and open chains as written. Out: trails and chains whose links alternate.

use super::Checked;
use super::names::{Role, Rule};
use crate::lang::ast::{self, End, Ident, Link, Span, Stop};
use crate::lang::codes::{ChainProblem, Problem};
use crate::lang::ir::{
    Chain, ChainEnd, Expr, Graph, HouseClass, Kind, LengthUnit, LinkShape, Trail, TrailLink, TrailNode, VarId, VarShape,
};

/// Units that the length of a chain may have.
const UNITS: &[LengthUnit] = &[LengthUnit::Cells, LengthUnit::StrongLinks, LengthUnit::Links];

/// A link between two candidates, as written.
struct LinkStep<'s> {
    link: &'s Link,
    /// True if it joins two digits of one cell in one pair of parentheses.
    inside: bool,
}

impl Rule<'_> {
    pub fn trail(&mut self, trail: &ast::Trail, span: &Span) -> Checked<Trail> {
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
    fn check_marks(&mut self, steps: &[LinkStep], span: &Span) -> Checked<()> {
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
    fn check_step(&mut self, a: TrailNode, b: TrailNode, step: &LinkStep, places: &[Span]) -> Checked<()> {
        let place = |at: usize| places.get(at).cloned().unwrap_or_else(|| step.link.span.clone());
        if a == b {
            return self.fail(ChainProblem::LinkToItself.at_both(&place(1), &place(0)));
        }
        if a.digit != b.digit && a.cell != b.cell {
            let (first, second) = (self.symbols[a.digit.0].name.clone(), self.symbols[b.digit.0].name.clone());
            let problem = ChainProblem::LinkOfNothing { first: first.clone(), second: second.clone() };
            let diagnostic = problem.at(&step.link.span).label(place(0), format!("digit {first}"));
            return self.fail(diagnostic.label(place(1), format!("digit {second}")));
        }
        if let Some(house) = step.link.house.as_ref().filter(|_| step.inside || a.cell == b.cell) {
            return self.fail(ChainProblem::HouseInCell.at(&house.span));
        }
        if a.cell == b.cell && self.is_cells(a.cell) { self.check_in_set(a.cell, step) } else { Ok(()) }
    }

    /// Two digits of a set of cells: not both are missing from an almost locked set, and nothing else is known of them.
    fn check_in_set(&mut self, set: VarId, step: &LinkStep) -> Checked<()> {
        let symbol = &self.symbols[set.0];
        let name = symbol.name.clone();
        let problem = match (symbol.role, step.link.strong) {
            (Role::Als(1) | Role::Plain, true) => return Ok(()),
            (Role::Als(degree), true) => ChainProblem::LinkInAls { name, degree },
            (Role::Group, _) => ChainProblem::LinkInGroup { name },
            (_, _) => ChainProblem::LinkInSet { name },
        };
        let declared = symbol.span.clone();
        self.fail(problem.at_both(&step.link.span, &declared))
    }

    pub fn node(&mut self, stop: &Stop) -> Checked<TrailNode> {
        let digit = stop.digits.first().map(|digit| self.single(digit, Kind::Digit, false));
        let cell = self.cells_name(&stop.cell);
        match digit {
            Some(digit) => Ok(TrailNode { digit: digit?, cell: cell? }),
            None => Err(super::ErrorReported),
        }
    }

    fn end(&mut self, end: &End) -> Checked<ChainEnd> {
        match end {
            End::At(stop) => {
                let cell = self.single(&stop.cell, Kind::Cell, false);
                self.node(stop).and_then(|node| cell.map(|_| ChainEnd::At(node)))
            }
            End::Candidate(ident) => self.node_name(ident).map(ChainEnd::Candidate),
        }
    }

    /// A candidate that is chosen, or the name of a node.
    fn node_name(&mut self, ident: &Ident) -> Checked<VarId> {
        match self.find(&ident.name) {
            Some(id) if self.symbols[id.0].role == Role::Node => {
                self.mention(id);
                Ok(id)
            }
            _ => self.single(ident, Kind::Candidate, false),
        }
    }

    /// A cell, or a set of cells that has a name.
    fn cells_name(&mut self, ident: &Ident) -> Checked<VarId> {
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

    pub fn chain(&mut self, chain: &ast::Chain) -> Checked<Graph> {
        let on = self.on(chain.on.as_ref(), "what a chain is `on`");
        let (from, to) = (self.end(&chain.from), self.end(&chain.to));
        let length = self.length(&chain.length, "a chain", UNITS);
        let links = self.links(&chain.links, &chain.span, "chain");
        let (on, from, to, length, (strong, weak)) = (on?, from?, to?, length?, links?);
        self.known_before(chain, on.as_ref())?;
        if from == to && matches!(from, ChainEnd::At(_)) {
            return self.fail(ChainProblem::ChainToItself.at_both(&end_span(&chain.to), &end_span(&chain.from)));
        }
        Ok(Graph { on, strong, shape: LinkShape::Chain(Chain { from, to, length, weak }) })
    }

    /// Reports `on` with a name that only the chain binds: its value is needed before the chain is searched.
    fn known_before(&mut self, chain: &ast::Chain, on: Option<&Expr>) -> Checked<()> {
        let names = on.map(Expr::names).unwrap_or_default();
        let inside = |span: &Span| chain.span.start <= span.start && span.end <= chain.span.end;
        let own = names.into_iter().map(|name| &self.symbols[name.0]).find(|symbol| inside(&symbol.span));
        let Some(symbol) = own else { return Ok(()) };
        let (name, declared) = (symbol.name.clone(), symbol.span.clone());
        let place = chain.on.as_ref().map_or(&declared, |on| &on.span);
        let problem = ChainProblem::OnOwnName { name, digit: symbol.kind == Some(Kind::Digit) };
        self.fail(problem.at_both(place, &declared))
    }
}

fn end_span(end: &End) -> Span {
    match end {
        End::At(stop) => stop.span.clone(),
        End::Candidate(ident) => ident.span.clone(),
    }
}
