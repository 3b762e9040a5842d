//! Length of the argument behind a match.
//!
//! In: a match and the state where it was found. Out: the number of candidates that the argument shows true or false:
//! the nodes of the chain and, in each case, the facts from the assumption to the end of the case. A fact on which the
//! end does not rest is not counted.

use super::matches::{Case, CaseEnd, ChainStep, Inference, Match, Value};
use crate::grid::{Candidate, Cell, Digit, Geometry, HouseId, State};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A candidate with its truth value.
type Fact = (Candidate, bool);

impl Match {
    /// Counts the candidates that the chain or the cases show true or false, assumptions included.
    pub fn length(&self, geometry: &Geometry, state: &State) -> u32 {
        let cases: u32 = self.cases.iter().map(|case| length_of(case, geometry, state)).sum();
        self.chain.len() as u32 + cases
    }
}

fn length_of(case: &Case, geometry: &Geometry, state: &State) -> u32 {
    if let Some(length) = case.known_length {
        return length;
    }
    let chain_lengths = case.inferences.iter().map(|inference| match inference {
        Inference::Links(chain) => Some(chain.len() as u32),
        _ => None,
    });
    // If all inferences are chains, every node of these chains counts.
    if let Some(sum) = chain_lengths.sum::<Option<u32>>() {
        return sum.max(1);
    }
    let mut derivation = Derivation { geometry, state, facts: FxHashMap::default(), nested_length: 0 };
    derivation.add(case.supposed, Vec::new());
    for inference in &case.inferences {
        derivation.infer(inference);
    }
    derivation.length_to(&case.end) + derivation.nested_length
}

struct Reason {
    /// Number of facts derived before this fact.
    order: usize,
    /// The facts on which this fact directly rests.
    because: Vec<Fact>,
}

/// The facts derived under an assumption.
struct Derivation<'a> {
    geometry: &'a Geometry,
    state: &'a State,
    facts: FxHashMap<Fact, Reason>,
    /// Total length of the matches of techniques used under the assumption.
    nested_length: u32,
}

impl Derivation<'_> {
    /// Adds a fact unless the fact is already derived. For a true candidate, also adds that the candidates
    /// excluded by this candidate are false.
    fn add(&mut self, fact: Fact, because: Vec<Fact>) {
        if self.facts.contains_key(&fact) {
            return;
        }
        self.facts.insert(fact, Reason { order: self.facts.len(), because });
        let (candidate, is_true) = fact;
        if !is_true {
            return;
        }
        let Candidate { digit, cell } = candidate;
        let mut excluded: Vec<Candidate> =
            self.geometry.peers(cell).iter().map(|&peer| Candidate::new(digit, peer)).collect();
        excluded.extend(self.state.candidates(cell).iter().map(|other| Candidate::new(other, cell)));
        excluded.retain(|&other| other != candidate && self.state.has(other));
        // Add the facts in board order, because the order of derivation affects the result.
        excluded.sort();
        excluded.into_iter().for_each(|candidate| self.add((candidate, false), vec![fact]));
    }

    fn infer(&mut self, inference: &Inference) {
        match inference {
            Inference::Naked(candidate) => self.add_last(*candidate, self.cell_absences(candidate.cell)),
            Inference::Hidden(candidate, house) => {
                self.add_last(*candidate, self.house_absences(*house, candidate.digit));
            }
            Inference::Links(chain) => chain.windows(2).for_each(|pair| self.add_link(&pair[0], &pair[1])),
            Inference::Rule(found) => {
                self.nested_length += found.length(self.geometry, self.state);
                let because = self.eliminated_in_pattern(found);
                found.eliminations.iter().for_each(|&candidate| self.add((candidate, false), because.clone()));
                found.placements.iter().for_each(|&candidate| self.add((candidate, true), because.clone()));
            }
        }
    }

    /// Adds that a candidate is true because all other candidates of a cell, or all other places in a house, are false.
    fn add_last(&mut self, candidate: Candidate, mut absences: Vec<Fact>) {
        absences.retain(|(other, _)| *other != candidate);
        self.add((candidate, true), absences);
    }

    /// Adds the node `to`, which follows from the node `from`. The first node is marked as not strong, even if it is
    /// assumed to be true. A later node is true after a strong link, false after a weak link.
    fn add_link(&mut self, from: &ChainStep, to: &ChainStep) {
        let because: Vec<Fact> = from.node.candidates().map(|candidate| (candidate, from.strong)).collect();
        to.node.candidates().for_each(|candidate| self.add((candidate, to.strong), because.clone()));
    }

    /// Returns the derived eliminations in the cells of a match.
    fn eliminated_in_pattern(&self, found: &Match) -> Vec<Fact> {
        let mut cells = BTreeSet::new();
        for value in found.bindings.iter().flatten() {
            if let Value::Cells(bound) = value {
                cells.extend(bound.iter().copied());
            }
        }
        let absences = cells.into_iter().flat_map(|cell| self.cell_absences(cell));
        absences.filter(|fact| self.facts.contains_key(fact)).collect()
    }

    /// Returns, for each candidate of a cell, the fact that it is false.
    fn cell_absences(&self, cell: Cell) -> Vec<Fact> {
        self.state.candidates(cell).iter().map(|digit| (Candidate::new(digit, cell), false)).collect()
    }

    /// Returns, for each place of a digit in a house, the fact that the candidate is false.
    fn house_absences(&self, house: HouseId, digit: Digit) -> Vec<Fact> {
        let places = self.geometry.house(house).cells.iter().map(|&cell| Candidate::new(digit, cell));
        places.filter(|&place| self.state.has(place)).map(|place| (place, false)).collect()
    }

    /// Counts the facts on which an end rests. An empty cell or house rests on two arguments: the candidate eliminated
    /// last is true because all other candidates are false, and it is false for the reason of its elimination. The
    /// facts of both arguments count.
    fn length_to(&self, end: &CaseEnd) -> u32 {
        let absences = match end {
            CaseEnd::Shows(candidate, holds) => return self.count_with_reasons(&[(*candidate, *holds)]),
            CaseEnd::TrueAndFalse(node) => {
                let facts = node.candidates().flat_map(|candidate| [(candidate, true), (candidate, false)]);
                return facts.map(|fact| self.count_with_reasons(&[fact])).sum();
            }
            CaseEnd::EmptyCell(cell) => self.cell_absences(*cell),
            CaseEnd::EmptyHouse(house, digit) => self.house_absences(*house, *digit),
        };
        let latest = absences.iter().max_by_key(|fact| self.facts.get(*fact).map_or(0, |reason| reason.order));
        let Some(&latest) = latest else { return 0 };
        let others: Vec<Fact> = absences.into_iter().filter(|fact| *fact != latest).collect();
        self.count_with_reasons(&[latest]) + 1 + self.count_with_reasons(&others)
    }

    /// Counts `ends` and all facts on which `ends` rest, directly or through other facts.
    fn count_with_reasons(&self, ends: &[Fact]) -> u32 {
        let mut counted: BTreeSet<Fact> = BTreeSet::new();
        let mut work_list: Vec<Fact> = ends.to_vec();
        while let Some(fact) = work_list.pop() {
            if let Some(reason) = self.facts.get(&fact)
                && counted.insert(fact)
            {
                work_list.extend(reason.because.iter().copied());
            }
        }
        counted.len() as u32
    }
}
