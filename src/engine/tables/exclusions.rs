//! Combinations of digits for a few cells.
//!
//! In: cells and a state. Out: the candidates of the cells that are in no combination. A combination fills each cell
//! with one of its candidates. No two of these candidates exclude each other, and every almost locked set keeps at
//! least as many digits as it has cells.
//!
//! A filled cell takes a digit from a set if the cell holds the digit and sees all places of the digit in the set. Only
//! almost locked sets of at most four unsolved cells of one house are considered. Their surplus (digits minus cells) is
//! less than the number of filled cells, because a larger surplus can't be used up.

use super::als::AlsSearch;
use super::bit_rows;
use super::board::BoardMasks;
use super::index::{CandidateSet, DIGITS, Index};
use crate::engine::matches::Halt;
use crate::grid::{Bits, Digit, DigitSet};
use std::cell::RefCell;
use std::rc::Rc;

/// Maximum number of cells of an almost locked set.
const MAX_LOCKED_CELLS: usize = 4;

/// The almost locked sets of a state, with the digits that the sets can lose; filled on demand.
#[derive(Default)]
pub(crate) struct Exclusions {
    /// For each surplus, the losses of the sets with this surplus.
    by_surplus: RefCell<Vec<Rc<Losses>>>,
}

/// For each candidate (digit × cells + cell), the sets that lose its digit if the candidate is true, as a bit row.
struct Losses {
    words: usize,
    rows: Vec<u64>,
}

impl Losses {
    fn new<const W: usize>(tables: &BoardMasks<W>, facts: &Index<W>, surplus: usize) -> Self {
        let sets = AlsSearch::run(tables, facts, surplus, MAX_LOCKED_CELLS).found;
        let words = bit_rows::words_for(sets.len());
        let mut rows = vec![0; words * tables.size * tables.cell_count];
        for (number, (set, digits)) in sets.iter().enumerate() {
            for digit in digits.iter() {
                let places = *set & facts.places[digit.index()];
                let seeing = tables.seeing_every(&places) & facts.places[digit.index()];
                for cell in seeing.iter() {
                    let begin = (digit.index() * tables.cell_count + cell) * words;
                    bit_rows::set(&mut rows[begin..], number);
                }
            }
        }
        Losses { words, rows }
    }

    /// Returns true if some set loses a digit to each of these candidates, whose digits all differ.
    fn some_set_loses_to_all(&self, candidates: &[usize]) -> bool {
        (0..self.words).any(|word| {
            let words = candidates.iter().map(|&candidate| self.rows[candidate * self.words + word]);
            words.fold(u64::MAX, |common, word| common & word) != 0
        })
    }
}

impl Exclusions {
    fn losses<const W: usize>(&self, tables: &BoardMasks<W>, facts: &Index<W>, surplus: usize) -> Rc<Losses> {
        let mut by_surplus = self.by_surplus.borrow_mut();
        while by_surplus.len() <= surplus {
            let next = Losses::new(tables, facts, by_surplus.len());
            by_surplus.push(Rc::new(next));
        }
        Rc::clone(&by_surplus[surplus])
    }

    /// Finds the candidates of the cells, among the candidates `wanted`, that are in no combination. Subtracts the work
    /// from `budget`. Returns `None` if the budget is used up or the search is halted.
    pub fn in_none<const W: usize>(
        &self,
        tables: &BoardMasks<W>,
        facts: &Index<W>,
        (cells, wanted): (&Bits<W>, &[Bits<W>; DIGITS]),
        (budget, halt): (&mut u64, Halt),
    ) -> Option<CandidateSet<W>> {
        let cells = *cells & facts.unsolved;
        let losses = (0..cells.len()).map(|surplus| self.losses(tables, facts, surplus)).collect();
        let mut uncovered = CandidateSet::EMPTY;
        (0..tables.size).for_each(|digit| uncovered.0[digit] = wanted[digit] & cells);
        let mut search = CombinationSearch {
            tables,
            facts,
            losses,
            cells: cells.iter().collect(),
            uncovered,
            chosen: Vec::new(),
            subset: Vec::new(),
            budget,
            halt,
        };
        search.extend();
        if *search.budget == 0 || halt.is_due() {
            return None;
        }
        Some(search.uncovered)
    }
}

/// A search for combinations. Each combination *covers* its candidates.
struct CombinationSearch<'a, 'b, const W: usize> {
    tables: &'a BoardMasks<W>,
    facts: &'a Index<W>,
    /// For each surplus, the losses of the sets with this surplus.
    losses: Vec<Rc<Losses>>,
    /// The cells in the order in which they are filled.
    cells: Vec<usize>,
    /// Wanted candidates that are in no combination found.
    uncovered: CandidateSet<W>,
    /// The candidates chosen for the first cells, as pairs of digit and cell.
    chosen: Vec<(usize, usize)>,
    /// Buffer for a subset of the chosen candidates, by their numbers.
    subset: Vec<usize>,
    budget: &'b mut u64,
    halt: Halt,
}

/// Maximum number of candidates of a subset that costs no budget. There are only a few subsets of this size.
const FREE_SUBSET: usize = 4;

impl<const W: usize> CombinationSearch<'_, '_, W> {
    /// Fills the next cell with each of its candidates in turn, unless the combination can then cover nothing new.
    fn extend(&mut self) {
        if self.spend_budget() {
            return;
        }
        let Some(&cell) = self.cells.get(self.chosen.len()) else {
            for &(digit, cell) in &self.chosen {
                self.uncovered.0[digit].remove(cell);
            }
            return;
        };
        // Try uncovered candidates first, so that few combinations are needed.
        let candidates = self.facts.candidates[cell];
        let uncovered: DigitSet = candidates.iter().filter(|digit| self.uncovered.0[digit.index()].has(cell)).collect();
        for digit in uncovered.iter().chain((candidates - uncovered).iter()).map(Digit::index) {
            let peers = &self.tables.peers[cell];
            let is_excluded = self.chosen.iter().any(|&(other_digit, other)| other_digit == digit && peers.has(other));
            self.chosen.push((digit, cell));
            if !is_excluded && !self.starves_a_set() && self.can_cover_more() {
                self.extend();
            }
            self.chosen.pop();
        }
    }

    /// Subtracts one unit of work from the budget. Returns true if the budget is used up or the search is halted.
    fn spend_budget(&mut self) -> bool {
        *self.budget = self.budget.saturating_sub(1);
        *self.budget == 0 || self.halt.is_due()
    }

    /// Returns true if the chosen candidates, including the last one, leave some set fewer digits than cells.
    fn starves_a_set(&mut self) -> bool {
        let mut subset = std::mem::take(&mut self.subset);
        subset.clear();
        let chosen = std::mem::take(&mut self.chosen);
        let starves = chosen.split_last().is_some_and(|(last, earlier)| {
            subset.push(self.candidate_number(*last));
            self.some_subset_starves(earlier, 1 << last.0, &mut subset)
        });
        (self.subset, self.chosen) = (subset, chosen);
        starves
    }

    fn candidate_number(&self, (digit, cell): (usize, usize)) -> usize {
        digit * self.tables.cell_count + cell
    }

    /// Returns true if `subset`, or `subset` with some candidates of `rest`, starves a set: the set loses more digits
    /// than its surplus. Also returns true if the budget is used up or the search is halted. All candidates of a subset
    /// have different digits; `digits` is the bit mask of these digits.
    fn some_subset_starves(&mut self, rest: &[(usize, usize)], digits: u32, subset: &mut Vec<usize>) -> bool {
        if subset.len() > FREE_SUBSET && self.spend_budget() {
            return true;
        }
        if self.losses[subset.len() - 1].some_set_loses_to_all(subset) {
            return true;
        }
        (0..rest.len()).any(|index| {
            let (digit, _) = rest[index];
            if digits >> digit & 1 == 1 {
                return false;
            }
            subset.push(self.candidate_number(rest[index]));
            let starves = self.some_subset_starves(&rest[index + 1..], digits | 1 << digit, subset);
            subset.pop();
            starves
        })
    }

    /// Returns true if a combination with the chosen candidates can cover an uncovered candidate.
    fn can_cover_more(&self) -> bool {
        let mut open_cells = self.cells[self.chosen.len()..].iter();
        self.chosen.iter().any(|&(digit, cell)| self.uncovered.0[digit].has(cell))
            || open_cells.any(|&cell| self.uncovered.0.iter().any(|cells| cells.has(cell)))
    }
}
