//! Open chains by depth-first search. In: a chain, the strong links of its sources. Out: the ends that simple
//! chains reach from a start: no node twice, strong and weak links in turn, strong ones first and last. Between
//! two ends only the shortest chain counts: where it is shorter than the rule asks, there is none.

use super::{Bounds, naive_matches};
use pinion::engine::Value;
use pinion::eval::Evaluator;
use pinion::eval::elements::{Element, elements};
use pinion::grid::{Candidate, Cell, DigitSet, Geometry, State};
use pinion::lang::ir::{ChainEnd, Expr, Graph, LengthUnit, LinkNode, LinkSource, OpenChain, VarId, WeakLinks};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

type Ends = BTreeSet<Candidate>;

/// A chain with the strong links it may use in this state.
pub(super) struct ChainRule<'a> {
    graph: &'a Graph,
    chain: &'a OpenChain,
    geometry: &'a Geometry,
    strong: BTreeMap<Candidate, Ends>,
    most_links: usize,
    /// The names it speaks of.
    pub names: Vec<VarId>,
    /// Names that fix the start of the chain.
    pub first_names: Vec<VarId>,
    all: Vec<Candidate>,
    known: RefCell<BTreeMap<(Candidate, DigitSet), Ends>>,
}

impl<'a> ChainRule<'a> {
    pub fn new(
        graph: &'a Graph,
        chain: &'a OpenChain,
        geometry: &'a Geometry,
        state: &'a State,
        sources: &[LinkSource],
        most_links: usize,
    ) -> ChainRule<'a> {
        let mut strong: BTreeMap<Candidate, Ends> = BTreeMap::new();
        for source in sources.iter().filter(|source| graph.strong.contains(&source.id)) {
            for (a, b) in strong_links(source, geometry, state) {
                strong.entry(a).or_default().insert(b);
                strong.entry(b).or_default().insert(a);
            }
        }
        let mut first_names = names_of(chain.from);
        first_names.extend(graph.digits.iter().flat_map(Expr::names));
        let names = first_names.iter().copied().chain(names_of(chain.to)).collect();
        let here = |cell: Cell| state.candidates(cell).iter().map(move |digit| Candidate::new(digit, cell));
        let all = geometry.cells().flat_map(here).collect();
        ChainRule { graph, chain, geometry, strong, most_links, names, first_names, all, known: RefCell::default() }
    }

    /// Returns true if a chain leads from one end to the other.
    pub fn holds(&self, now: &Evaluator<'_>) -> bool {
        end(now, self.chain.to).is_some_and(|to| self.ends(now).contains(&to))
    }

    /// Returns the possible values of a name of the far end, once the start is known.
    pub fn ends_for(&self, now: &Evaluator<'_>, name: VarId) -> Option<BTreeSet<Element>> {
        match self.chain.to {
            ChainEnd::At(node) if node.cells == name => {
                Some(self.ends(now).iter().map(|one| Element::Cell(one.cell)).collect())
            }
            ChainEnd::At(node) if node.digit == name => {
                Some(self.ends(now).iter().map(|one| Element::Digit(one.digit)).collect())
            }
            ChainEnd::Candidate(var) if var == name => {
                Some(self.ends(now).into_iter().map(Element::Candidate).collect())
            }
            _ => None,
        }
    }

    fn ends(&self, now: &Evaluator<'_>) -> Ends {
        let Some(from) = end(now, self.chain.from) else { return Ends::new() };
        let on = match self.graph.digits.as_ref().map(|on| now.value(on)) {
            Some(Value::Digits(digits)) => digits,
            _ => DigitSet::all(self.geometry.size()),
        };
        if let Some(ends) = self.known.borrow().get(&(from, on)) {
            return ends.clone();
        }
        let mut shortest = BTreeMap::new();
        if self.all.contains(&from) && on.has(from.digit) {
            self.follow(&mut vec![from], 1, on, &mut shortest);
        }
        let low = self.chain.length.low as usize;
        let ends: Ends = shortest.into_iter().filter(|(_, length)| *length >= low).map(|(end, _)| end).collect();
        self.known.borrow_mut().insert((from, on), ends.clone());
        ends
    }

    /// Goes on from the last node with a strong link, the `strong`-th, and then with a weak one. Notes for
    /// each end the length of the shortest chain to it.
    fn follow(
        &self,
        path: &mut Vec<Candidate>,
        strong: usize,
        on: DigitSet,
        shortest: &mut BTreeMap<Candidate, usize>,
    ) {
        let Some(&last) = path.last() else { return };
        for &next in self.strong.get(&last).into_iter().flatten() {
            if path.contains(&next) || !on.has(next.digit) {
                continue;
            }
            path.push(next);
            let length = self.measure(path, strong);
            if !self.too_long(length) {
                let known = shortest.entry(next).or_insert(length);
                *known = length.min(*known);
                if strong < self.most_links {
                    self.go_on(path, strong, on, shortest);
                }
            }
            path.pop();
        }
    }

    fn go_on(&self, path: &mut Vec<Candidate>, strong: usize, on: DigitSet, shortest: &mut BTreeMap<Candidate, usize>) {
        let Some(&last) = path.last() else { return };
        for &then in self.all.iter().filter(|then| self.weak(last, **then) && on.has(then.digit)) {
            if !path.contains(&then) {
                path.push(then);
                self.follow(path, strong + 1, on, shortest);
                path.pop();
            }
        }
    }

    fn measure(&self, path: &[Candidate], strong: usize) -> usize {
        match self.chain.length.unit {
            LengthUnit::StrongLinks => strong,
            LengthUnit::Links => path.len() - 1,
            LengthUnit::Cells => 1 + path.windows(2).filter(|pair| pair[0].cell != pair[1].cell).count(),
        }
    }

    fn too_long(&self, length: usize) -> bool {
        self.chain.length.high.is_some_and(|high| length > high as usize)
    }

    fn weak(&self, a: Candidate, b: Candidate) -> bool {
        let in_cell = a.cell == b.cell && a.digit != b.digit;
        let of_digit = a.digit == b.digit && self.geometry.sees(a.cell, b.cell);
        match self.chain.weak {
            WeakLinks::Any => in_cell || of_digit,
            WeakLinks::Cell => in_cell,
            WeakLinks::SameDigit => of_digit,
        }
    }
}

/// The pairs of candidates that a source links, both present.
fn strong_links(source: &LinkSource, geometry: &Geometry, state: &State) -> Vec<(Candidate, Candidate)> {
    let mut out = Vec::new();
    let matches = naive_matches(&source.pattern, &[], geometry, state, &[], Bounds::links(0));
    for bindings in matches.into_iter().flatten() {
        let now = Evaluator::new(&source.pattern, &[], geometry, state, &bindings);
        let ends = (end(&now, ChainEnd::At(source.left)), end(&now, ChainEnd::At(source.right)));
        if let (Some(left), Some(right)) = ends
            && state.has(left)
            && state.has(right)
        {
            out.push((left, right));
        }
    }
    out
}

fn names_of(end: ChainEnd) -> Vec<VarId> {
    match end {
        ChainEnd::At(node) => vec![node.digit, node.cells],
        ChainEnd::Candidate(var) => vec![var],
    }
}

/// The candidate that an end stands for, once its names have values.
fn end(now: &Evaluator<'_>, end: ChainEnd) -> Option<Candidate> {
    let only = |name: VarId| elements(&now.value(&Expr::Var(name))).into_iter().next();
    match end {
        ChainEnd::At(LinkNode { digit, cells }) => match (only(digit)?, only(cells)?) {
            (Element::Digit(digit), Element::Cell(cell)) => Some(Candidate::new(digit, cell)),
            _ => None,
        },
        ChainEnd::Candidate(var) => match only(var)? {
            Element::Candidate(candidate) => Some(candidate),
            _ => None,
        },
    }
}
