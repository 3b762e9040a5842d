//! Evaluates conclusions and measures of a match by their definition. In: conclusions, names with values, the match. Out:
//! eliminations and placements that change the state; numbers for the name and the price of the step.

use super::Evaluator;
use super::elements::{candidates_in, cells_in};
use crate::engine::{ChainStep, Value};
use crate::grid::{Candidate, Cell};
use crate::lang::ir::{Claim, Expr, MatchNumber, Measure, Quantifier};
use std::collections::BTreeSet;

#[derive(Default)]
struct ConclusionEffects {
    eliminations: BTreeSet<Candidate>,
    placements: BTreeSet<Candidate>,
}

impl Evaluator<'_> {
    /// Returns the eliminations and the placements of all conclusions, each in order. Only candidates that are present are
    /// listed, and no elimination that a placement implies.
    pub fn conclusions(&self) -> (Vec<Candidate>, Vec<Candidate>) {
        let mut effects = ConclusionEffects::default();
        for conclusion in &self.variant.conclusions {
            match &conclusion.for_each {
                None => self.conclude(&conclusion.claim, &mut effects),
                Some((index, set)) => {
                    for inner in self.for_each_member(*index, set) {
                        inner.conclude(&conclusion.claim, &mut effects);
                    }
                }
            }
        }
        let ConclusionEffects { mut eliminations, placements } = effects;
        eliminations.retain(|&eliminated| !placements.iter().any(|&placed| self.geometry.excludes(placed, eliminated)));
        (eliminations.into_iter().collect(), placements.into_iter().collect())
    }

    fn conclude(&self, claim: &Claim, effects: &mut ConclusionEffects) {
        let guardians = self.guardians();
        match claim {
            Claim::Eliminate(candidates) => {
                for candidate in self.present_candidates(candidates) {
                    if self.all_exclude(&guardians, candidate) {
                        effects.eliminations.insert(candidate);
                    }
                }
            }
            Claim::Place(candidates) => {
                for candidate in self.present_candidates(candidates) {
                    self.add_one_true(guardians.iter().copied().chain([candidate]).collect(), effects);
                }
            }
            // The conclusions of a loop depend on its nodes, and bindings do not include nodes.
            Claim::Links { .. } => {}
            Claim::SomeTrue(candidates) => {
                self.add_one_true(guardians.into_iter().chain(self.present_candidates(candidates)).collect(), effects);
            }
        }
    }

    /// Returns the guardians of the rule: the conclusion holds unless one of them is true.
    fn guardians(&self) -> BTreeSet<Candidate> {
        self.variant.guardians.iter().flat_map(|name| self.present_candidates(&Expr::Var(*name))).collect()
    }

    fn all_exclude(&self, members: &BTreeSet<Candidate>, candidate: Candidate) -> bool {
        members.iter().all(|&member| self.geometry.excludes(member, candidate))
    }

    /// Adds the effects of the fact that one of some candidates is true.
    fn add_one_true(&self, candidates: BTreeSet<Candidate>, effects: &mut ConclusionEffects) {
        if candidates.len() == 1 {
            effects.placements.extend(candidates);
        } else if !candidates.is_empty() {
            let present = self.all_candidates().into_iter();
            effects.eliminations.extend(present.filter(|&candidate| self.all_exclude(&candidates, candidate)));
        }
    }

    /// Returns the candidates that every member of a set excludes, or that some member excludes if `every` is false.
    pub(super) fn excluded_candidates(&self, every: bool, set: &Expr) -> Vec<Candidate> {
        let members: BTreeSet<Candidate> = self.present_candidates(set).into_iter().collect();
        let mut candidates = self.all_candidates();
        candidates.retain(|&candidate| {
            if every {
                !members.is_empty() && self.all_exclude(&members, candidate)
            } else {
                members.iter().any(|&member| self.geometry.excludes(member, candidate))
            }
        });
        candidates
    }

    fn all_candidates(&self) -> Vec<Candidate> {
        self.geometry.cells().flat_map(|cell| self.candidates_of(cell)).collect()
    }

    pub(super) fn candidates_of(&self, cell: Cell) -> Vec<Candidate> {
        self.state.candidates(cell).iter().map(|digit| Candidate::new(digit, cell)).collect()
    }
}

impl Evaluator<'_> {
    pub(super) fn measure(&self, measure: &Measure) -> Value {
        Value::Number(match measure {
            Measure::Eliminated => {
                return Value::Candidates(self.found.map(|found| found.eliminations.clone()).unwrap_or_default());
            }
            Measure::Placed => {
                return Value::Candidates(self.found.map(|found| found.placements.clone()).unwrap_or_default());
            }
            Measure::First(cells) => return Value::Cells(self.cells(cells).into_iter().min().into_iter().collect()),
            Measure::LinkedBy(quantifier, source) => self.is_linked_by(*quantifier, source).into(),
            Measure::MatchNumber(MatchNumber::Length) => {
                self.found.map_or(0, |found| found.length(self.geometry, self.state).into())
            }
            Measure::MatchNumber(MatchNumber::Returns) => self.found.map_or(0, |found| count_returns(&found.chain)),
            Measure::Above(number, thresholds) => {
                let number = self.number(number);
                thresholds.iter().filter(|&&threshold| number > i64::from(threshold)).count() as i64
            }
            Measure::Largest(cells) => {
                let sizes = self.cells(cells).into_iter().map(|cell| self.state.candidates(cell).len());
                sizes.max().unwrap_or(0) as i64
            }
            Measure::Rank(cells) => self.rank(&self.cells(cells)),
            Measure::Fold(fold, numbers) => {
                let numbers = numbers.iter().map(|number| self.number(number));
                numbers.reduce(|a, b| fold.apply(a, b)).unwrap_or(0)
            }
            Measure::Nth { of_cell, members, number } => self.nth_member_number(*of_cell, members, *number),
            Measure::Since(digits, cells) => self.last_removal(digits, cells),
        })
    }

    /// Returns true if every (or some) strong link of the match comes from a source.
    fn is_linked_by(&self, quantifier: Quantifier, source: &str) -> bool {
        let chain = self.found.map(|found| found.chain.as_slice()).unwrap_or_default();
        let mut sources = chain
            .iter()
            .filter_map(|step| step.source_match.as_ref())
            .map(|source_match| &source_match.source)
            .peekable();
        match quantifier {
            Quantifier::Some => sources.any(|other| other == source),
            Quantifier::Every => sources.peek().is_some() && sources.all(|other| other == source),
        }
    }

    /// Returns the digit, or the number of the cell, of the n-th member; both count from one. Returns 0 if there is no such
    /// member.
    fn nth_member_number(&self, of_cell: bool, members: &Expr, number: u32) -> i64 {
        let members = self.set(members);
        let candidates =
            candidates_in(&members).into_iter().map(|candidate| (candidate.digit.index(), candidate.cell.index()));
        let cells = cells_in(&members).into_iter().map(|cell| (0, cell.index()));
        let mut indices: Vec<(usize, usize)> = candidates.chain(cells).collect();
        indices.sort_unstable();
        let Some(position) = (number as usize).checked_sub(1) else { return 0 };
        let Some(&(digit, cell)) = indices.get(position) else { return 0 };
        1 + if of_cell { cell } else { digit } as i64
    }

    fn last_removal(&self, digits: &Expr, cells: &Expr) -> i64 {
        let (digits, size) = (self.digits(digits), self.geometry.size());
        let cells = self.cells(cells).into_iter();
        let candidates = cells.flat_map(|cell| digits.iter().map(move |digit| cell.index() * size + digit.index()));
        candidates.filter_map(|candidate| self.removals.get(candidate)).copied().max().unwrap_or(0).into()
    }

    /// Returns the rank of a set of cells among all sets of cells of one house; 0 if no house has them all.
    ///
    /// The sets are ordered house by house, and within a house like words in a dictionary whose letters are the cells.
    fn rank(&self, cells: &[Cell]) -> i64 {
        let mut houses = self.geometry.houses().iter().enumerate();
        let Some((number, house)) = houses.find(|(_, house)| cells.iter().all(|cell| house.cells.contains(cell)))
        else {
            return 0;
        };
        let mut cells_left = cells.len();
        let mut rank = (number as i64) << house.cells.len();
        for (position, cell) in house.cells.iter().enumerate() {
            if cells_left == 0 {
                break;
            }
            // Before a word come its prefixes, and all words with an earlier letter at the first difference.
            if cells.contains(cell) {
                cells_left -= 1;
                rank += 1;
            } else {
                rank += 1_i64 << (house.cells.len() - 1 - position);
            }
        }
        rank
    }
}

/// Counts the nodes that revisit a cell of an earlier node. Consecutive nodes in the same cells and the closing node of a
/// loop don't count.
fn count_returns(chain: &[ChainStep]) -> i64 {
    let mut visited: BTreeSet<Cell> = BTreeSet::new();
    let mut count = 0;
    for (index, step) in chain.iter().enumerate() {
        let cells = &step.node.cells;
        let stays = index > 0 && chain[index - 1].node.cells == *cells;
        let closes_loop = index + 1 == chain.len() && chain[0].node.cells == *cells;
        if !stays && !closes_loop && cells.iter().any(|cell| visited.contains(cell)) {
            count += 1;
        }
        visited.extend(cells);
    }
    count
}
