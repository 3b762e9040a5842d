//! Conclusions and measures of a match, evaluated literally. In: conclusions, names with values, the match. Out: eliminations and
//! placements that change the state; numbers for its name and its price.

use super::Evaluator;
use super::elements::{candidates_in, cells_in};
use crate::engine::{ChainStep, Match, Value};
use crate::grid::{Candidate, Cell};
use crate::lang::ir::{Claim, Expr, MatchNumber, Measure, Quantifier};
use std::collections::BTreeSet;

impl Evaluator<'_> {
    /// The effect of all conclusions: eliminations and placements, each in order. Only candidates that are
    /// present are listed, and no elimination that a placement implies.
    pub fn conclusions(&self) -> (Vec<Candidate>, Vec<Candidate>) {
        let mut effect = Effect::default();
        for conclusion in &self.variant.conclusions {
            match &conclusion.for_each {
                None => self.conclude(&conclusion.claim, &mut effect),
                Some((index, of)) => {
                    self.for_each_member(*index, of)
                        .iter()
                        .for_each(|with| with.conclude(&conclusion.claim, &mut effect));
                }
            }
        }
        let Effect { mut eliminated, placed } = effect;
        eliminated.retain(|one| !placed.iter().any(|true_one| self.geometry.excludes(*true_one, *one)));
        (eliminated.into_iter().collect(), placed.into_iter().collect())
    }

    fn conclude(&self, claim: &Claim, effect: &mut Effect) {
        let guardians = self.guardians();
        match claim {
            Claim::Eliminate(expr) => {
                let present = self.present(expr).into_iter();
                effect.eliminated.extend(present.filter(|one| self.excludes_all(&guardians, *one)));
            }
            Claim::Place(expr) => {
                for one in self.present(expr) {
                    self.one_is_true(guardians.iter().copied().chain([one]).collect(), effect);
                }
            }
            // A loop's conclusions depend on its nodes, and bindings don't include those.
            Claim::Links { .. } => {}
            Claim::Some(expr) => self.one_is_true(guardians.into_iter().chain(self.present(expr)).collect(), effect),
        }
    }

    /// Candidates excepted by the rule: one of them is true, or the conclusion holds.
    fn guardians(&self) -> BTreeSet<Candidate> {
        self.variant.guardians.iter().flat_map(|name| self.present(&Expr::Var(*name))).collect()
    }

    /// Returns true if every one of some candidates excludes a candidate.
    fn excludes_all(&self, members: &BTreeSet<Candidate>, one: Candidate) -> bool {
        members.iter().all(|member| self.geometry.excludes(*member, one))
    }

    fn one_is_true(&self, members: BTreeSet<Candidate>, effect: &mut Effect) {
        if members.len() == 1 {
            effect.placed.extend(members);
        } else if !members.is_empty() {
            let present = self.all_present().into_iter();
            effect.eliminated.extend(present.filter(|one| self.excludes_all(&members, *one)));
        }
    }

    /// The candidates that every (some) one of these excludes.
    pub(super) fn excluded(&self, every: bool, of: &Expr) -> Vec<Candidate> {
        let members: BTreeSet<Candidate> = self.present(of).into_iter().collect();
        let mut all = self.all_present();
        all.retain(|one| match every {
            true => !members.is_empty() && self.excludes_all(&members, *one),
            false => members.iter().any(|member| self.geometry.excludes(*member, *one)),
        });
        all
    }

    fn all_present(&self) -> Vec<Candidate> {
        self.geometry.cells().flat_map(|cell| self.candidates_of(cell)).collect()
    }

    /// The candidates of a cell.
    pub(super) fn candidates_of(&self, cell: Cell) -> Vec<Candidate> {
        self.state.candidates(cell).iter().map(|digit| Candidate::new(digit, cell)).collect()
    }
}

/// Eliminations and placements of conclusions.
#[derive(Default)]
struct Effect {
    eliminated: BTreeSet<Candidate>,
    placed: BTreeSet<Candidate>,
}

impl Evaluator<'_> {
    /// Returns the value of a measure of the match that the evaluator is about.
    pub(super) fn measure(&self, measure: &Measure) -> Value {
        Value::Number(match measure {
            Measure::Eliminated => {
                return Value::Candidates(self.of.map(|of| of.eliminations.clone()).unwrap_or_default());
            }
            Measure::Placed => return Value::Candidates(self.of.map(|of| of.placements.clone()).unwrap_or_default()),
            Measure::First(of) => return Value::Cells(self.cells(of).into_iter().min().into_iter().collect()),
            Measure::LinkedBy(how, source) => self.linked_by(*how, source).into(),
            Measure::MatchNumber(what) => self.of.map_or(0, |of| self.of_match(*what, of)),
            Measure::Above(of, marks) => {
                let number = self.number(of);
                marks.iter().filter(|&&mark| number > i64::from(mark)).count() as i64
            }
            Measure::Largest(of) => {
                let sizes = self.cells(of).into_iter().map(|cell| self.state.candidates(cell).len());
                sizes.max().unwrap_or(0) as i64
            }
            Measure::Rank(of) => self.rank(&self.cells(of)),
            Measure::Fold(how, of) => of.iter().map(|one| self.number(one)).reduce(|a, b| how.apply(a, b)).unwrap_or(0),
            Measure::Nth { of_cell, members, number } => self.nth(*of_cell, members, *number),
            Measure::Since(digits, cells) => self.since(digits, cells),
        })
    }

    /// Returns true if some (or every) strong link of the match comes from a source.
    fn linked_by(&self, how: Quantifier, source: &str) -> bool {
        let chain = self.of.map(|of| of.chain.as_slice()).unwrap_or_default();
        let by: Vec<bool> = chain.iter().filter_map(|step| step.via.as_ref()).map(|via| via.source == source).collect();
        match how {
            Quantifier::Some => by.contains(&true),
            Quantifier::Every => !by.is_empty() && !by.contains(&false),
        }
    }

    fn of_match(&self, what: MatchNumber, of: &Match) -> i64 {
        match what {
            MatchNumber::Length => of.length(self.geometry, self.state).into(),
            MatchNumber::Returns => returns(&of.chain),
        }
    }

    fn nth(&self, cell: bool, of: &Expr, number: u32) -> i64 {
        let all = self.set(of);
        let candidates = candidates_in(&all).into_iter().map(|one| (one.digit.index(), one.cell.index()));
        let cells = cells_in(&all).into_iter().map(|one| (0, one.index()));
        let mut numbers: Vec<(usize, usize)> = candidates.chain(cells).collect();
        numbers.sort_unstable();
        let one = (number as usize).checked_sub(1).and_then(|at| numbers.get(at));
        one.map_or(0, |&(digit, at)| 1 + if cell { at } else { digit } as i64)
    }

    fn since(&self, digits: &Expr, cells: &Expr) -> i64 {
        let (digits, size) = (self.digits(digits), self.geometry.size());
        let cells = self.cells(cells).into_iter();
        let numbers = cells.flat_map(|cell| digits.iter().map(move |digit| cell.index() * size + digit.index()));
        numbers.filter_map(|number| self.changes.get(number)).copied().max().unwrap_or(0).into()
    }

    /// The number of some cells among all sets of cells that lie in one house: house by house, in each as words in a
    /// dictionary whose letters are the cells; 0 where no house has them all.
    fn rank(&self, cells: &[Cell]) -> i64 {
        let mut houses = self.geometry.houses().iter().enumerate();
        let Some((number, house)) = houses.find(|(_, house)| cells.iter().all(|cell| house.cells.contains(cell)))
        else {
            return 0;
        };
        let mut left = cells.len();
        let mut rank = (number as i64) << house.cells.len();
        for (at, cell) in house.cells.iter().enumerate() {
            if left == 0 {
                break;
            }
            // A word comes after what it begins with, and after all words that have a letter before its next one.
            if cells.contains(cell) {
                left -= 1;
                rank += 1;
            } else {
                rank += 1_i64 << (house.cells.len() - 1 - at);
            }
        }
        rank
    }
}

/// Counts the nodes that revisit a cell of an earlier node. Consecutive nodes in the same cells and the closing node of a loop
/// don't count.
fn returns(chain: &[ChainStep]) -> i64 {
    let mut known: BTreeSet<Cell> = BTreeSet::new();
    let mut count = 0;
    for (at, step) in chain.iter().enumerate() {
        let cells = &step.node.cells;
        let stays = at > 0 && chain[at - 1].node.cells == *cells;
        let closes = at + 1 == chain.len() && chain[0].node.cells == *cells;
        count += i64::from(!stays && !closes && cells.iter().any(|cell| known.contains(cell)));
        known.extend(cells);
    }
    count
}
