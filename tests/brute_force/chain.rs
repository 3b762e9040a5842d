//! Follows open chains by depth-first search. In: a chain, link sources, a state. Out: the candidates at which a chain
//! from a given start can end.
//!
//! Strong and weak links alternate; the first and the last link are strong, and no node is visited twice. Only the
//! shortest chain between two ends counts: if it is shorter than the rule's minimum, longer ones between the same ends do
//! not count either.

use super::{Bounds, naive_matches};
use pinion::engine::Value;
use pinion::eval::Evaluator;
use pinion::eval::elements::{Element, elements};
use pinion::grid::{Candidate, DigitSet, Geometry, State};
use pinion::lang::ir::{ChainEnd, Expr, Graph, LengthUnit, LinkNode, LinkSource, OpenChain, VarId, WeakLinks};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

type CandidateSet = BTreeSet<Candidate>;

/// An open chain of a rule, with the strong links that it may use in one state.
pub(super) struct ChainRule<'a> {
    graph: &'a Graph,
    chain: &'a OpenChain,
    geometry: &'a Geometry,
    strong_links: BTreeMap<Candidate, CandidateSet>,
    max_strong_links: usize,
    /// Names of the start, of the `on` digits (`chain on d …`), and of the far end.
    pub names: Vec<VarId>,
    /// Names of the start and of the `on` digits: with them, [`ChainRule::ends`] can be computed.
    pub start_names: Vec<VarId>,
    candidates: Vec<Candidate>,
    /// Ends by start and `on` digits.
    cache: RefCell<BTreeMap<(Candidate, DigitSet), CandidateSet>>,
}

impl<'a> ChainRule<'a> {
    pub fn new(
        graph: &'a Graph,
        chain: &'a OpenChain,
        geometry: &'a Geometry,
        state: &'a State,
        sources: &[LinkSource],
        max_strong_links: usize,
    ) -> ChainRule<'a> {
        let mut strong_links: BTreeMap<Candidate, CandidateSet> = BTreeMap::new();
        for source in sources.iter().filter(|source| graph.strong.contains(&source.id)) {
            for (a, b) in links_of_source(source, geometry, state) {
                strong_links.entry(a).or_default().insert(b);
                strong_links.entry(b).or_default().insert(a);
            }
        }
        let mut start_names = chain.from.names();
        start_names.extend(graph.digits.iter().flat_map(Expr::names));
        let names = start_names.iter().copied().chain(chain.to.names()).collect();
        let mut candidates = Vec::new();
        for cell in geometry.cells() {
            candidates.extend(state.candidates(cell).iter().map(|digit| Candidate::new(digit, cell)));
        }
        ChainRule {
            graph,
            chain,
            geometry,
            strong_links,
            max_strong_links,
            names,
            start_names,
            candidates,
            cache: RefCell::default(),
        }
    }

    /// Returns true if a chain leads from one end to the other. Both ends have values.
    pub fn holds(&self, evaluator: &Evaluator<'_>) -> bool {
        end_candidate(evaluator, self.chain.to).is_some_and(|to| self.ends(evaluator).contains(&to))
    }

    /// Returns the values that the chain leaves for a name of its far end, or `None` for any other name.
    pub fn ends_for(&self, evaluator: &Evaluator<'_>, name: VarId) -> Option<BTreeSet<Element>> {
        let element: fn(Candidate) -> Element = match self.chain.to {
            ChainEnd::At(node) if node.cells == name => |end| Element::Cell(end.cell),
            ChainEnd::At(node) if node.digit == name => |end| Element::Digit(end.digit),
            ChainEnd::Candidate(var) if var == name => Element::Candidate,
            _ => return None,
        };
        Some(self.ends(evaluator).into_iter().map(element).collect())
    }

    /// Returns the candidates at which a chain from the start can end.
    fn ends(&self, evaluator: &Evaluator<'_>) -> CandidateSet {
        let Some(start) = end_candidate(evaluator, self.chain.from) else { return CandidateSet::new() };
        let digits = match self.graph.digits.as_ref().map(|on| evaluator.value(on)) {
            Some(Value::Digits(digits)) => digits,
            _ => DigitSet::all(self.geometry.size()),
        };
        if let Some(ends) = self.cache.borrow().get(&(start, digits)) {
            return ends.clone();
        }
        let mut shortest = BTreeMap::new();
        if self.candidates.contains(&start) && digits.has(start.digit) {
            self.follow_strong(&mut vec![start], 1, digits, &mut shortest);
        }
        let min_length = self.chain.length.low as usize;
        let long_enough = shortest.into_iter().filter(|(_, length)| *length >= min_length);
        let ends: CandidateSet = long_enough.map(|(end, _)| end).collect();
        self.cache.borrow_mut().insert((start, digits), ends.clone());
        ends
    }

    /// Continues `path` by each strong link from its last node, and then by weak links. The new link is strong link number
    /// `number`. Records in `shortest` the length of the shortest chain to each end.
    fn follow_strong(
        &self,
        path: &mut Vec<Candidate>,
        number: usize,
        digits: DigitSet,
        shortest: &mut BTreeMap<Candidate, usize>,
    ) {
        let last = path[path.len() - 1];
        for &next in self.strong_links.get(&last).into_iter().flatten() {
            if path.contains(&next) || !digits.has(next.digit) {
                continue;
            }
            path.push(next);
            let length = self.length(path, number);
            let is_too_long = self.chain.length.high.is_some_and(|high| length > high as usize);
            if !is_too_long {
                let best = shortest.entry(next).or_insert(length);
                *best = length.min(*best);
                if number < self.max_strong_links {
                    self.follow_weak(path, number, digits, shortest);
                }
            }
            path.pop();
        }
    }

    /// Continues `path`, which has `strong_links` strong links, by each weak link from its last node.
    fn follow_weak(
        &self,
        path: &mut Vec<Candidate>,
        strong_links: usize,
        digits: DigitSet,
        shortest: &mut BTreeMap<Candidate, usize>,
    ) {
        let last = path[path.len() - 1];
        for &next in &self.candidates {
            if self.is_weak_link(last, next) && digits.has(next.digit) && !path.contains(&next) {
                path.push(next);
                self.follow_strong(path, strong_links + 1, digits, shortest);
                path.pop();
            }
        }
    }

    /// Returns the length of a path in the unit of the rule.
    fn length(&self, path: &[Candidate], strong_links: usize) -> usize {
        match self.chain.length.unit {
            LengthUnit::StrongLinks => strong_links,
            LengthUnit::Links => path.len() - 1,
            LengthUnit::Cells => 1 + path.windows(2).filter(|pair| pair[0].cell != pair[1].cell).count(),
        }
    }

    fn is_weak_link(&self, a: Candidate, b: Candidate) -> bool {
        let in_one_cell = a.cell == b.cell && a.digit != b.digit;
        let of_one_digit = a.digit == b.digit && self.geometry.sees(a.cell, b.cell);
        match self.chain.weak {
            WeakLinks::Any => in_one_cell || of_one_digit,
            WeakLinks::Cell => in_one_cell,
            WeakLinks::SameDigit => of_one_digit,
        }
    }
}

/// Returns the pairs of present candidates that a source links.
fn links_of_source(source: &LinkSource, geometry: &Geometry, state: &State) -> Vec<(Candidate, Candidate)> {
    // The pattern of a link source has neither parameters nor chains, so the search needs no arguments and no link sources.
    let matches = naive_matches(&source.pattern, &[], geometry, state, &[], Bounds::without_chains());
    let mut links = Vec::new();
    for bindings in matches.expect("no limit on the number of values") {
        let evaluator = Evaluator::new(&source.pattern, &[], geometry, state, &bindings);
        let left = end_candidate(&evaluator, ChainEnd::At(source.left));
        let right = end_candidate(&evaluator, ChainEnd::At(source.right));
        if let (Some(left), Some(right)) = (left, right)
            && state.has(left)
            && state.has(right)
        {
            links.push((left, right));
        }
    }
    links
}

/// Returns the candidate at an end of a chain whose names have values.
fn end_candidate(evaluator: &Evaluator<'_>, end: ChainEnd) -> Option<Candidate> {
    let first_element = |name: VarId| elements(&evaluator.value(&Expr::Var(name))).into_iter().next();
    match end {
        ChainEnd::At(LinkNode { digit, cells }) => match (first_element(digit)?, first_element(cells)?) {
            (Element::Digit(digit), Element::Cell(cell)) => Some(Candidate::new(digit, cell)),
            _ => None,
        },
        ChainEnd::Candidate(var) => match first_element(var)? {
            Element::Candidate(candidate) => Some(candidate),
            _ => None,
        },
    }
}
