//! Drawing inferences from a supposed literal. In: a state and a literal, then rounds of inferences, or matches of rules. Out: a
//! [`Trace`].
//!
//! The order is fixed. It goes by rounds: a round draws all inferences that the position after the round before it
//! allows, first the last candidates of cells, by cell, then the last places of digits in houses, by digit and house.
//! An inference that an earlier one of its round has taken the ground from is left out. Of several contradictions after a
//! round the one that needs the fewest inferences ends the case; among equals cells come first, by number, then houses,
//! by digit and house.

use super::{Made, NONE, Needs, Trace};
use crate::engine::matches::{CaseEnd, Inference, LimitHit, Match};
use crate::engine::suppose::board::Ground;
use crate::engine::suppose::literal::Literal;
use crate::engine::tables::BoardMasks;
use crate::engine::tables::index::CandidateSet;
use crate::grid::{Bits, Candidate, Cell, Digit, HouseId, HouseSet};

/// How many steps there is room for at first.
const USUAL_STEPS: usize = 64;

/// Draws inferences from a literal.
pub(in crate::engine::suppose) struct Tracer<'g, const W: usize> {
    tables: &'g BoardMasks<W>,
    ground: &'g Ground<W>,
    trace: Trace<W>,
    /// What the last round changed.
    cells: Bits<W>,
    houses: Vec<HouseSet>,
}

impl<'g, const W: usize> Tracer<'g, W> {
    pub fn new(tables: &'g BoardMasks<W>, ground: &'g Ground<W>, supposed: Literal) -> Self {
        let count = tables.size * tables.cell_count;
        let trace = Trace {
            now: ground.start.clone(),
            supposed,
            made: Vec::with_capacity(USUAL_STEPS),
            reasons: Vec::new(),
            cell_count: tables.cell_count,
            gone: vec![NONE; count],
            put: vec![NONE; count],
            end: None,
            unfinished: false,
            limits: Vec::new(),
        };
        // Where the state allows inferences before anything is supposed, the first round looks at everything.
        let (cells, houses) = match ground.quiet {
            true => (Bits::EMPTY, vec![HouseSet::EMPTY; tables.size]),
            false => (ground.unsolved, ground.wanted.clone()),
        };
        let mut tracer = Tracer { tables, ground, trace, cells, houses };
        let step = tracer.step(None);
        match supposed.1 {
            true => tracer.put(step, supposed.0),
            false => tracer.take(step, supposed.0.digit.index(), Bits::single(supposed.0.cell.index())),
        }
        tracer
    }

    /// What was drawn. A contradiction has all that it needs; otherwise each step gets its reasons, since any may be asked for.
    pub fn finish(mut self) -> Trace<W> {
        if !self.trace.refuted() {
            self.add_reasons(vec![true; self.trace.made.len()]);
        }
        self.trace
    }

    pub fn trace(&self) -> &Trace<W> {
        &self.trace
    }

    pub fn note(&mut self, limits: impl IntoIterator<Item = LimitHit>) {
        for limit in limits {
            if !self.trace.limits.contains(&limit) {
                self.trace.limits.push(limit);
            }
        }
    }

    /// Rounds until nothing follows, or a contradiction does; or until one would need more than `most` inferences, since each
    /// round looks only at what the round before has changed.
    pub fn singles(&mut self, most: u32) {
        for round in 0.. {
            if round > most {
                self.trace.unfinished = true;
                return;
            }
            let drawn = self.drawn().unwrap_or_else(|ends| {
                self.trace.end = self.shortest(ends);
                Vec::new()
            });
            self.cells = Bits::EMPTY;
            self.houses.fill(HouseSet::EMPTY);
            if drawn.is_empty() {
                return;
            }
            for (inference, candidate) in drawn {
                let (digit, cell) = (candidate.digit.index(), candidate.cell.index());
                if self.trace.now.places[digit].has(cell) && !self.trace.now.placed[digit].has(cell) {
                    let step = self.step(Some(inference));
                    self.put(step, candidate);
                }
            }
        }
    }

    /// Carries out a match that reads these candidates; `None` is everything that came before.
    pub fn rule(&mut self, found: Match, reads: Option<&CandidateSet<W>>) {
        let (begin, mut reasons) = (self.trace.reasons.len(), std::mem::take(&mut self.trace.reasons));
        match reads {
            None => reasons.extend(0..self.trace.made.len() as u16),
            Some(reads) => {
                for (digit, cells) in reads.0.iter().enumerate().take(self.tables.size) {
                    let here = *cells & self.ground.start.places[digit];
                    here.iter().for_each(|cell| self.why(digit, cell, &mut |reason| reasons.push(reason)));
                }
            }
        }
        let (eliminations, placements) = (found.eliminations.clone(), found.placements.clone());
        self.trace.reasons = reasons;
        let step = self.step(Some(Inference::Rule(Box::new(found))));
        self.trace.made[usize::from(step)].reasons = begin..self.trace.reasons.len();
        placements.into_iter().for_each(|candidate| self.put(step, candidate));
        for candidate in eliminations {
            self.take(step, candidate.digit.index(), Bits::single(candidate.cell.index()));
        }
    }

    /// Adds an inference, without reasons.
    fn step(&mut self, inference: Option<Inference>) -> u16 {
        let count = inference.as_ref().map_or(0, Inference::count);
        self.trace.made.push(Made { inference, reasons: 0..0, count });
        (self.trace.made.len() - 1) as u16
    }

    fn put(&mut self, step: u16, candidate: Candidate) {
        let (digit, cell) = (candidate.digit.index(), candidate.cell.index());
        self.trace.now.placed[digit].insert(cell);
        self.trace.put[digit * self.tables.cell_count + cell] = step;
        if self.ground.looks_at(digit) {
            self.take(step, digit, self.tables.peers[cell]);
        }
        let mut others = self.trace.now.cells[cell];
        others.remove(candidate.digit);
        for other in self.ground.seen(others).iter() {
            self.take(step, other.index(), Bits::single(cell));
        }
    }

    /// Candidates of a digit are false, where they were not yet.
    fn take(&mut self, step: u16, digit: usize, cells: Bits<W>) {
        let gone = self.trace.now.places[digit] & cells;
        self.trace.now.places[digit] -= gone;
        self.cells |= gone;
        for cell in gone.iter() {
            self.trace.now.cells[cell].remove(Digit(digit as u8));
            self.houses[digit] |= self.tables.houses_of[cell] & self.ground.wanted[digit];
            self.trace.gone[digit * self.tables.cell_count + cell] = step;
        }
    }

    /// What made a candidate true or false.
    fn why(&self, digit: usize, cell: usize, take: &mut dyn FnMut(u16)) {
        let number = digit * self.tables.cell_count + cell;
        [self.trace.gone[number], self.trace.put[number]].into_iter().filter(|&step| step != NONE).for_each(take);
    }

    /// Why all candidates of a cell but one (or all) are false.
    fn why_cell(&self, cell: usize, but: Option<Digit>, take: &mut dyn FnMut(u16)) {
        let others = self.ground.start.cells[cell].iter().filter(|&digit| Some(digit) != but);
        others.for_each(|digit| self.why(digit.index(), cell, take));
    }

    /// Why all places of a digit in a house but one (or all) are false.
    fn why_house(&self, digit: usize, house: usize, but: Option<usize>, take: &mut dyn FnMut(u16)) {
        let places = self.ground.start.places[digit] & self.tables.cells_of_house[house];
        places.iter().filter(|&cell| Some(cell) != but).for_each(|cell| self.why(digit, cell, take));
    }

    /// The steps that a single rests on at first hand: nothing takes back what a step has done, so they are what has taken the
    /// others before it.
    fn why_single(&self, step: usize, take: &mut dyn FnMut(u16)) {
        let earlier = &mut |reason: u16| {
            if usize::from(reason) < step {
                take(reason);
            }
        };
        match self.trace.made[step].inference {
            Some(Inference::Naked(one)) => self.why_cell(one.cell.index(), Some(one.digit), earlier),
            Some(Inference::Hidden(one, house)) => {
                self.why_house(one.digit.index(), house.index(), Some(one.cell.index()), earlier);
            }
            _ => {}
        }
    }

    /// The cells to look at, in order.
    fn touched_cells(&self) -> Bits<W> {
        if self.ground.on.is_none() { self.cells } else { Bits::EMPTY }
    }

    /// What a round draws: inferences, and what they place; or contradictions.
    fn drawn(&self) -> Result<Vec<(Inference, Candidate)>, Vec<CaseEnd>> {
        let now = &self.trace.now;
        let (mut drawn, mut ends) = (Vec::new(), Vec::new());
        for cell in self.touched_cells().iter() {
            match (now.cells[cell].len(), now.cells[cell].first()) {
                (1, Some(digit)) if !now.placed[digit.index()].has(cell) => {
                    let candidate = Candidate::new(digit, Cell(cell as u16));
                    drawn.push((Inference::Naked(candidate), candidate));
                }
                (0, _) => ends.push(CaseEnd::EmptyCell(Cell(cell as u16))),
                _ => {}
            }
        }
        for (digit, houses) in self.houses.iter().enumerate().filter(|&(digit, _)| self.ground.looks_at(digit)) {
            let (places, placed) = (now.places[digit], now.placed[digit]);
            for house in houses.iter() {
                let left = places & self.tables.cells_of_house[house];
                match left.first() {
                    Some(cell) if left.is_one() && !placed.has(cell) => {
                        let candidate = Candidate::new(Digit(digit as u8), Cell(cell as u16));
                        drawn.push((Inference::Hidden(candidate, HouseId(house as u16)), candidate));
                    }
                    None => ends.push(CaseEnd::EmptyHouse(HouseId(house as u16), Digit(digit as u8))),
                    Some(_) => {}
                }
            }
        }
        if ends.is_empty() { Ok(drawn) } else { Err(ends) }
    }

    /// The contradiction that needs the fewest inferences, with all steps that it rests on.
    fn shortest(&mut self, ends: Vec<CaseEnd>) -> Option<(CaseEnd, Needs)> {
        let mut needed = vec![false; self.trace.made.len()];
        let mut reasons = Vec::with_capacity(ends.len());
        for end in &ends {
            let mut list = Vec::new();
            let take = &mut |reason| list.push(reason);
            match *end {
                CaseEnd::EmptyCell(cell) => self.why_cell(cell.index(), None, take),
                CaseEnd::EmptyHouse(house, digit) => self.why_house(digit.index(), house.index(), None, take),
                CaseEnd::Shows(..) | CaseEnd::TrueAndFalse(_) => {}
            }
            list.iter().for_each(|&reason| needed[usize::from(reason)] = true);
            reasons.push(list);
        }
        self.add_reasons(needed);
        let ends = ends.into_iter().zip(reasons).map(|(end, reasons)| (end, self.trace.behind(&reasons)));
        ends.min_by_key(|(_, needs)| self.trace.size(needs))
    }

    /// Notes the reasons of some steps, and of all that they rest on.
    fn add_reasons(&mut self, mut needed: Vec<bool>) {
        for step in (0..needed.len()).rev() {
            if !needed[step] {
                continue;
            }
            let (begin, mut reasons) = (self.trace.reasons.len(), std::mem::take(&mut self.trace.reasons));
            self.why_single(step, &mut |reason| reasons.push(reason));
            self.trace.reasons = reasons;
            if self.trace.reasons.len() > begin {
                self.trace.made[step].reasons = begin..self.trace.reasons.len();
            }
            self.trace.reasons_of(step).iter().for_each(|&reason| needed[usize::from(reason)] = true);
        }
    }
}
