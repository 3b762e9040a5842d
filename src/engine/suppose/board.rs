//! Last candidates of cells and last places in houses, to the end, on bit sets. In: a state and a supposed literal.
//! Out: what is left of each digit, and whether the state contradicts itself. Nothing is remembered of the reasons:
//! what is reported is gone through again by [`Trace`](super::trace::Trace).
//!
//! Each inference is of the form "all but one are false, so this one is true" or "this one is true, so that one is
//! false". Such inferences never take anything back, so the end, and whether it is a contradiction, does not depend on
//! their order.

use super::literal::Literal;
use super::positions::Place;
use crate::engine::tables::BoardMasks;
use crate::engine::tables::facts::Facts;
use crate::grid::{Bits, Candidate, DigitSet, HouseSet};

/// How many candidates that were found true there is room for at first.
const USUAL_QUEUE: usize = 32;

/// A position under a supposition.
#[derive(Clone)]
pub(super) struct Marked<const W: usize> {
    /// For each digit its candidates that are not false.
    pub places: Vec<Bits<W>>,
    /// Those of them that are true.
    pub placed: Vec<Bits<W>>,
    /// For each cell its digits that are not false; none where it was solved before.
    pub cells: Vec<DigitSet>,
}

/// What inferences are drawn from, and which ones.
pub(super) struct Ground<const W: usize> {
    /// The state itself.
    pub start: Marked<W>,
    /// The cells without a value.
    pub unsolved: Bits<W>,
    /// For each digit the cells that have it as their value.
    solved: Vec<Bits<W>>,
    /// For each digit the houses that lack it.
    pub wanted: Vec<HouseSet>,
    /// If only places of these digits are looked at: cells say nothing then, and no other candidate becomes true or false.
    pub on: Option<DigitSet>,
    /// Whether nothing follows before something is supposed.
    pub quiet: bool,
}

impl<const W: usize> Ground<W> {
    pub fn new(tables: &BoardMasks<W>, facts: &Facts<'_, W>, on: Option<DigitSet>) -> Self {
        let digits = 0..tables.size;
        let start = Marked {
            places: facts.places[digits.clone()].to_vec(),
            placed: vec![Bits::EMPTY; tables.size],
            cells: facts.candidates.to_vec(),
        };
        let mut wanted = vec![HouseSet::EMPTY; tables.size];
        for (house, cells) in tables.cells_of_house.iter().enumerate() {
            let here = cells.iter().fold(DigitSet::EMPTY, |all, cell| all | facts.values[cell]);
            digits.clone().filter(|&digit| here.0 >> digit & 1 == 0).for_each(|digit| wanted[digit].insert(house));
        }
        let mut solved = vec![Bits::EMPTY; tables.size];
        for (cell, value) in facts.values.iter().enumerate() {
            value.iter().for_each(|digit| solved[digit.index()].insert(cell));
        }
        let mut ground = Ground { start, unsolved: facts.unsolved, solved, wanted, on, quiet: false };
        let mut run = Run { tables, ground: &ground, now: ground.start.clone(), queue: Vec::new() };
        ground.quiet = run.survey() && run.queue.is_empty();
        ground
    }

    /// Whether every cell keeps a candidate if these of each digit are false.
    pub fn has_candidates(&self, gone: &[Bits<W>]) -> bool {
        let left = |digit: usize| self.start.places[digit] - gone.get(digit).copied().unwrap_or(Bits::EMPTY);
        self.unsolved.within(&(0..self.start.places.len()).fold(Bits::EMPTY, |all, digit| all | left(digit)))
    }

    /// A position as it is known by: for each digit the cells that can have it or have it.
    pub fn place_of(&self, position: &Marked<W>) -> Place<W> {
        position.places.iter().zip(&self.solved).map(|(places, solved)| *places | *solved).collect()
    }

    /// Whether every cell of a position has one digit.
    pub fn is_solved(&self, place: &[Bits<W>]) -> bool {
        place.iter().map(Bits::len).sum::<usize>() == self.start.cells.len()
    }

    /// A position without last candidates from what it is known by.
    pub fn marked(&self, place: &[Bits<W>]) -> Marked<W> {
        let places: Vec<Bits<W>> = place.iter().zip(&self.solved).map(|(all, solved)| *all - *solved).collect();
        let (mut once, mut twice) = (Bits::EMPTY, Bits::EMPTY);
        let mut cells = vec![DigitSet::EMPTY; self.start.cells.len()];
        for (digit, places) in places.iter().enumerate() {
            twice |= once & *places;
            once |= *places;
            places.iter().for_each(|cell| cells[cell].0 |= 1 << digit);
        }
        let placed = places.iter().map(|places| *places - twice).collect();
        Marked { places, placed, cells }
    }

    /// Whether houses say where a digit goes.
    pub fn looks_at(&self, digit: usize) -> bool {
        self.on.is_none_or(|on| on.0 >> digit & 1 == 1)
    }

    /// Those of some digits that are looked at.
    pub fn seen(&self, digits: DigitSet) -> DigitSet {
        self.on.map_or(digits, |on| digits & on)
    }

    /// The state gone through to the end without a supposition; `None` where it contradicts itself.
    pub fn base(&self, tables: &BoardMasks<W>) -> Option<Marked<W>> {
        let mut run = Run { tables, ground: self, now: self.start.clone(), queue: Vec::new() };
        run.survey().then(|| run.finish())?.then_some(run.now)
    }

    /// What follows if a position gone through to the end is changed, to the end; `None` is a contradiction.
    pub fn go_on(
        &self,
        tables: &BoardMasks<W>,
        from: Marked<W>,
        gone: &[Candidate],
        put: &[Candidate],
    ) -> Option<Marked<W>> {
        let queue = put.iter().map(|one| (one.digit.0, one.cell.0)).collect();
        let mut run = Run { tables, ground: self, now: from, queue };
        let taken = gone.iter().all(|one| {
            let (digit, cell) = (one.digit.index(), one.cell.index());
            !run.now.places[digit].has(cell) || run.take(digit, Bits::single(cell))
        });
        (taken && run.finish()).then_some(run.now)
    }

    /// What follows from a literal, given the [`base`](Self::base).
    pub fn end(&self, tables: &BoardMasks<W>, base: &Marked<W>, literal: Literal) -> Follows<W> {
        let (digit, cell) = (literal.0.digit.index(), literal.0.cell.index());
        let mut run = Run { tables, ground: self, now: base.clone(), queue: Vec::with_capacity(USUAL_QUEUE) };
        let holds = match literal.1 {
            true => {
                run.queue.push((digit as u8, cell as u16));
                true
            }
            false if run.now.places[digit].has(cell) => run.take(digit, Bits::single(cell)),
            false => true,
        };
        // What a false candidate makes true makes it false, so both have the same end.
        if let (true, false, Some(&first)) = (holds, literal.1, run.queue.first()) {
            return Follows::From(first);
        }
        Follows::End((holds && run.finish()).then_some(run.now))
    }
}

/// What follows from a literal.
pub(super) enum Follows<const W: usize> {
    /// The same as from this candidate (digit and cell) being true.
    From((u8, u16)),
    /// This; `None` is a contradiction.
    End(Option<Marked<W>>),
}

struct Run<'g, const W: usize> {
    tables: &'g BoardMasks<W>,
    ground: &'g Ground<W>,
    now: Marked<W>,
    /// Candidates (digit and cell) found true.
    queue: Vec<(u8, u16)>,
}

impl<const W: usize> Run<'_, W> {
    /// Looks at everything once; `false` is a contradiction.
    fn survey(&mut self) -> bool {
        let ground = self.ground;
        if ground.on.is_none() && !ground.unsolved.iter().all(|cell| self.look_at_cell(cell)) {
            return false;
        }
        (0..self.tables.size).all(|digit| self.look_at_houses(digit, ground.wanted[digit]))
    }

    fn finish(&mut self) -> bool {
        while let Some((digit, cell)) = self.queue.pop() {
            if !self.place(usize::from(digit), usize::from(cell)) {
                return false;
            }
        }
        true
    }

    fn place(&mut self, digit: usize, cell: usize) -> bool {
        if self.now.placed[digit].has(cell) {
            return true;
        }
        if !self.now.places[digit].has(cell) {
            return false;
        }
        self.now.placed[digit].insert(cell);
        let seen = self.now.places[digit] & self.tables.peers[cell];
        if self.ground.looks_at(digit) && !seen.is_empty() && !self.take(digit, seen) {
            return false;
        }
        let mut others = self.now.cells[cell];
        others.0 &= !(1 << digit);
        self.ground.seen(others).iter().all(|other| self.take(other.index(), Bits::single(cell)))
    }

    /// Candidates of a digit are false.
    fn take(&mut self, digit: usize, gone: Bits<W>) -> bool {
        if self.now.placed[digit].meets(&gone) {
            return false;
        }
        self.now.places[digit] -= gone;
        let mut houses = HouseSet::EMPTY;
        for cell in gone.iter() {
            self.now.cells[cell].0 &= !(1 << digit);
            houses |= self.tables.houses_of[cell];
            if self.ground.on.is_none() && !self.look_at_cell(cell) {
                return false;
            }
        }
        self.look_at_houses(digit, houses & self.ground.wanted[digit])
    }

    fn look_at_cell(&mut self, cell: usize) -> bool {
        let left = self.now.cells[cell];
        if left.0 & left.0.wrapping_sub(1) == 0 {
            let Some(last) = left.first() else { return false };
            if !self.now.placed[last.index()].has(cell) {
                self.queue.push((last.0, cell as u16));
            }
        }
        true
    }

    fn look_at_houses(&mut self, digit: usize, houses: HouseSet) -> bool {
        if !self.ground.looks_at(digit) {
            return true;
        }
        for house in houses.iter() {
            let left = self.now.places[digit] & self.tables.cells_of_house[house];
            match left.len() {
                0 => return false,
                1 => {
                    if let Some(cell) = left.first().filter(|&cell| !self.now.placed[digit].has(cell)) {
                        self.queue.push((digit as u8, cell as u16));
                    }
                }
                _ => {}
            }
        }
        true
    }
}
