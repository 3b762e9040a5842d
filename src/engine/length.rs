//! Length of the argument behind a match.
//!
//! In: a match and the position where it was found. Out: the number of candidates that the argument calls true or false, on
//! the chain and in each case from the assumption to its end.
//!
//! Indirect consequences count if a later inference rests on them: other candidates of a cell, other places of a digit.

use super::matches::{Case, CaseEnd, ChainStep, Inference, Match, Value};
use crate::grid::{Candidate, Cell, Digit, Geometry, HouseId, State};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A candidate, and whether it is true.
type Fact = (Candidate, bool);

impl Match {
    /// Counts the candidates that the chain or the cases call true or false, assumptions included.
    pub fn length(&self, geometry: &Geometry, state: &State) -> u32 {
        let cases: u32 = self.cases.iter().map(|case| length_of(case, geometry, state)).sum();
        self.chain.len() as u32 + cases
    }
}

fn length_of(case: &Case, geometry: &Geometry, state: &State) -> u32 {
    if let Some(length) = case.counted {
        return length;
    }
    let chains = case.inferences.iter().map(|inference| match inference {
        Inference::Links(chain) => Some(chain.len() as u32),
        _ => None,
    });
    if let Some(sum) = chains.sum::<Option<u32>>() {
        return sum.max(1);
    }
    let mut reasons = Reasons { geometry, state, known: FxHashMap::default(), more: 0 };
    reasons.add(case.supposed, Vec::new());
    for inference in &case.inferences {
        reasons.infer(inference);
    }
    reasons.to_the_end(&case.end) + reasons.more
}

/// Facts derived under an assumption, each with the order of its derivation and the facts it directly rests on.
struct Reasons<'a> {
    geometry: &'a Geometry,
    state: &'a State,
    known: FxHashMap<Fact, (usize, Vec<Fact>)>,
    /// Length contributed by techniques used under the assumption.
    more: u32,
}

impl Reasons<'_> {
    /// Adds a fact. A true candidate makes its peers and the other candidates of its cell false.
    fn add(&mut self, fact: Fact, because: Vec<Fact>) {
        let now = self.known.len();
        if self.known.contains_key(&fact) {
            return;
        }
        self.known.insert(fact, (now, because));
        if !fact.1 {
            return;
        }
        let Candidate { digit, cell } = fact.0;
        let peers = self.geometry.peers(cell);
        let (before, after) = peers.split_at(peers.partition_point(|peer| *peer < cell));
        let own = self.state.candidates(cell).iter().map(|other| Candidate::new(other, cell));
        let [before, after] = [before, after].map(|cells| cells.iter().map(move |&peer| Candidate::new(digit, peer)));
        for one in before.chain(own.filter(|other| other.digit != digit)).chain(after) {
            if self.state.has(one) && !self.known.contains_key(&(one, false)) {
                self.known.insert((one, false), (self.known.len(), vec![fact]));
            }
        }
    }

    fn infer(&mut self, inference: &Inference) {
        match inference {
            Inference::Naked(one) => {
                let others = self.cell_of(one.cell).into_iter().filter(|other| other.0 != *one);
                self.add((*one, true), others.collect());
            }
            Inference::Hidden(one, house) => {
                let others = self.house_of(*house, one.digit).into_iter().filter(|other| other.0 != *one);
                self.add((*one, true), others.collect());
            }
            Inference::Links(chain) => chain.windows(2).for_each(|pair| self.link(&pair[0], &pair[1])),
            Inference::Rule(found) => {
                self.more += found.length(self.geometry, self.state);
                let because: Vec<Fact> = self.touched(found);
                found.eliminations.iter().for_each(|&one| self.add((one, false), because.clone()));
                found.placements.iter().for_each(|&one| self.add((one, true), because.clone()));
            }
        }
    }

    fn link(&mut self, from: &ChainStep, to: &ChainStep) {
        let because: Vec<Fact> = from.node.candidates().map(|one| (one, from.strong)).collect();
        to.node.candidates().for_each(|one| self.add((one, to.strong), because.clone()));
    }

    /// Candidates eliminated so far in the cells that the match binds.
    fn touched(&self, found: &Match) -> Vec<Fact> {
        let values = found.bindings.iter().flatten();
        let cells: BTreeSet<Cell> = values
            .filter_map(|value| if let Value::Cells(cells) = value { Some(cells) } else { None })
            .flatten()
            .copied()
            .collect();
        cells.into_iter().flat_map(|cell| self.cell_of(cell)).filter(|fact| self.known.contains_key(fact)).collect()
    }

    fn cell_of(&self, cell: Cell) -> Vec<Fact> {
        self.state.candidates(cell).iter().map(|digit| (Candidate::new(digit, cell), false)).collect()
    }

    fn house_of(&self, house: HouseId, digit: Digit) -> Vec<Fact> {
        let places = self.geometry.house(house).cells.iter().map(|&cell| Candidate::new(digit, cell));
        places.filter(|&place| self.state.has(place)).map(|place| (place, false)).collect()
    }

    /// Counts the facts up to an end. If a cell or house has no candidate left, its last one is true because of the others
    /// and false by its own argument; both arguments count.
    fn to_the_end(&self, end: &CaseEnd) -> u32 {
        let all = match end {
            CaseEnd::Shows(one, holds) => return self.before(&[(*one, *holds)]),
            CaseEnd::Both(node) => {
                return node.candidates().flat_map(|one| [true, false].map(|holds| self.before(&[(one, holds)]))).sum();
            }
            CaseEnd::EmptyCell(cell) => self.cell_of(*cell),
            CaseEnd::EmptyHouse(house, digit) => self.house_of(*house, *digit),
        };
        let last = all.iter().max_by_key(|fact| self.known.get(*fact).map_or(0, |(when, _)| *when));
        let Some(last) = last.copied() else { return 0 };
        let others: Vec<Fact> = all.into_iter().filter(|fact| *fact != last).collect();
        self.before(&[last]) + 1 + self.before(&others)
    }

    /// Counts `ends` and all facts they rest on.
    fn before(&self, ends: &[Fact]) -> u32 {
        let mut seen: BTreeSet<Fact> = BTreeSet::new();
        let mut open: Vec<Fact> = ends.to_vec();
        while let Some(fact) = open.pop() {
            if let Some((_, because)) = self.known.get(&fact)
                && seen.insert(fact)
            {
                open.extend(because.iter().copied());
            }
        }
        seen.len() as u32
    }
}
