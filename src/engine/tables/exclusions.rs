//! Combinations of digits for a few cells.
//!
//! In: cells and a state. Out: their candidates that are in no combination that leaves every almost locked set enough
//! digits.
//!
//! An almost locked set here has at most four unsolved cells of one house and fewer than n digits more than cells, where n
//! cells are filled. It loses a digit to a filled cell that holds the digit and sees all its places.

use super::bit_rows;
use super::board::Tables;
use super::index::{CandidateSet, DIGITS, Index};
use crate::engine::matches::Halt;
use crate::grid::{Bits, Digit, DigitSet};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Cells of an almost locked set, at most.
const LOCKED_CELLS: usize = 4;

/// The almost locked sets of a state by their surplus of digits over cells, with what they can lose.
#[derive(Default)]
pub(crate) struct Exclusions {
    /// For each surplus and each candidate (digit × cells + cell), the sets that lose a digit to it, as bits.
    takers: RefCell<Vec<Rc<Takers>>>,
}

/// For each candidate, the sets that lose a digit to it.
struct Takers {
    words: usize,
    bits: Vec<u64>,
}

impl Takers {
    fn new<const W: usize>(tables: &Tables<W>, facts: &Index<W>, surplus: usize) -> Self {
        let sets = locked_sets(tables, facts, surplus);
        let words = bit_rows::words_for(sets.len());
        let mut bits = vec![0; words * tables.size * tables.cell_count];
        for (number, set) in sets.iter().enumerate() {
            for digit in facts.digits(set).iter() {
                let holders = *set & facts.places[digit.index()];
                let takers = tables.seeing_every(&holders) & facts.places[digit.index()];
                for cell in takers.iter() {
                    let begin = (digit.index() * tables.cell_count + cell) * words;
                    bit_rows::set(&mut bits[begin..], number);
                }
            }
        }
        Takers { words, bits }
    }

    /// Returns true if one set loses a digit to each of these candidates, whose digits all differ.
    fn all_take(&self, candidates: &[usize]) -> bool {
        (0..self.words)
            .any(|word| candidates.iter().fold(u64::MAX, |all, &one| all & self.bits[one * self.words + word]) != 0)
    }
}

/// Every set of unsolved cells of one house with exactly `surplus` digits more than cells.
fn locked_sets<const W: usize>(tables: &Tables<W>, facts: &Index<W>, surplus: usize) -> Vec<Bits<W>> {
    let mut found = BTreeSet::new();
    for house in &tables.house {
        grow(facts, *house & facts.unsolved, Bits::EMPTY, (0, DigitSet::EMPTY), surplus, &mut found);
    }
    found.into_iter().collect()
}

fn grow<const W: usize>(
    facts: &Index<W>,
    mut rest: Bits<W>,
    set: Bits<W>,
    (count, digits): (usize, DigitSet),
    surplus: usize,
    found: &mut BTreeSet<Bits<W>>,
) {
    // Every cell more can bring the surplus down by one.
    if count > 0 && digits.len() > surplus + LOCKED_CELLS {
        return;
    }
    if count > 0 && digits.len() == count + surplus {
        found.insert(set);
    }
    while count < LOCKED_CELLS
        && let Some(cell) = rest.pop()
    {
        grow(facts, rest, set | Bits::single(cell), (count + 1, digits | facts.candidates[cell]), surplus, found);
    }
}

impl Exclusions {
    fn takers<const W: usize>(&self, tables: &Tables<W>, facts: &Index<W>, surplus: usize) -> Rc<Takers> {
        let mut known = self.takers.borrow_mut();
        while known.len() <= surplus {
            let next = Takers::new(tables, facts, known.len());
            known.push(Rc::new(next));
        }
        Rc::clone(&known[surplus])
    }

    /// Finds the candidates among `counts` in the cells that are in no combination. Subtracts the work from `budget`;
    /// returns `None` if it is used up or the search is halted.
    pub fn in_none<const W: usize>(
        &self,
        tables: &Tables<W>,
        facts: &Index<W>,
        (cells, counts): (&Bits<W>, &[Bits<W>; DIGITS]),
        (budget, halt): (&mut u64, Halt),
    ) -> Option<CandidateSet<W>> {
        let cells = *cells & facts.unsolved;
        let takers = (0..cells.len()).map(|surplus| self.takers(tables, facts, surplus)).collect();
        let order: Vec<usize> = cells.iter().collect();
        let mut left = CandidateSet::EMPTY;
        (0..tables.size).for_each(|digit| left.0[digit] = counts[digit] & cells);
        let (chosen, members) = (Vec::new(), Vec::new());
        let mut search = CombinationSearch { tables, facts, takers, order, left, chosen, members, budget, halt };
        search.fill();
        (*search.budget > 0 && !halt.is_due()).then_some(search.left)
    }
}

struct CombinationSearch<'a, 'b, const W: usize> {
    tables: &'a Tables<W>,
    facts: &'a Index<W>,
    takers: Vec<Rc<Takers>>,
    order: Vec<usize>,
    /// Candidates that were in no combination so far.
    left: CandidateSet<W>,
    chosen: Vec<(usize, usize)>,
    /// Room for the candidates that one set may lose digits to.
    members: Vec<usize>,
    budget: &'b mut u64,
    halt: Halt,
}

/// Parts of a combination of at most this many candidates are few, and cost nothing.
const FEW: usize = 4;

impl<const W: usize> CombinationSearch<'_, '_, W> {
    fn fill(&mut self) {
        if self.is_over() {
            return;
        }
        let Some(&cell) = self.order.get(self.chosen.len()) else {
            for &(digit, cell) in &self.chosen {
                self.left.0[digit].remove(cell);
            }
            return;
        };
        // Digits not yet seen in a combination come first.
        let all = self.facts.candidates[cell];
        let new: DigitSet = all.iter().filter(|digit| self.left.0[digit.index()].has(cell)).collect();
        for digit in new.iter().chain(DigitSet(all.0 & !new.0).iter()).map(Digit::index) {
            let clash = self.chosen.iter().any(|&(d, c)| d == digit && self.tables.peers[cell].has(c));
            self.chosen.push((digit, cell));
            if !clash && !self.starves() && self.is_new() {
                self.fill();
            }
            self.chosen.pop();
        }
    }

    /// Takes one unit of work off the budget; returns true if it is used up or the search is halted.
    fn is_over(&mut self) -> bool {
        *self.budget = self.budget.saturating_sub(1);
        *self.budget == 0 || self.halt.is_due()
    }

    /// Returns true if the chosen candidates, including the last one, leave some set too few digits.
    fn starves(&mut self) -> bool {
        let mut members = std::mem::take(&mut self.members);
        members.clear();
        let chosen = std::mem::take(&mut self.chosen);
        let starves = chosen.split_last().is_some_and(|(last, before)| {
            members.push(self.number(*last));
            self.starves_with(before, 1 << last.0, &mut members)
        });
        (self.members, self.chosen) = (members, chosen);
        starves
    }

    fn number(&self, (digit, cell): (usize, usize)) -> usize {
        digit * self.tables.cell_count + cell
    }

    /// Tries every part of `rest`, one candidate for a digit, together with `members`. True without a set if the search is over.
    fn starves_with(&mut self, rest: &[(usize, usize)], digits: u32, members: &mut Vec<usize>) -> bool {
        if (members.len() > FEW && self.is_over()) || self.takers[members.len() - 1].all_take(members) {
            return true;
        }
        (0..rest.len()).any(|index| {
            let (digit, _) = rest[index];
            if digits >> digit & 1 == 1 {
                return false;
            }
            members.push(self.number(rest[index]));
            let starves = self.starves_with(&rest[index + 1..], digits | 1 << digit, members);
            members.pop();
            starves
        })
    }

    /// Returns true if continuing can still find a candidate that no earlier combination had.
    fn is_new(&self) -> bool {
        let mut open = self.order[self.chosen.len()..].iter();
        self.chosen.iter().any(|&(digit, cell)| self.left.0[digit].has(cell))
            || open.any(|&cell| self.left.0.iter().any(|cells| cells.has(cell)))
    }
}
