//! What follows. In: nouns (digits × cells) from the conclusions of a match. Out: candidates that become
//! false and candidates that become true, only those still open in the state.

use super::super::tables::BoardMasks;
use super::super::tables::facts::Facts;
use super::super::tables::index::CandidateSet;
use super::super::tables::index::DIGITS;
use crate::grid::{Bits, Candidate, Cell, Digit, DigitSet};

/// Conclusions gathered for one match.
pub(super) struct Conclusions<const W: usize> {
    out: [Bits<W>; DIGITS],
    placed: [Bits<W>; DIGITS],
    /// The digits of which something is in these.
    touched: DigitSet,
    /// Candidates put aside, and what every one of them excludes; `None` where there are none.
    guards: Option<Box<(CandidateSet<W>, Option<CandidateSet<W>>)>>,
}

impl<const W: usize> Conclusions<W> {
    pub fn new() -> Self {
        Conclusions {
            out: [Bits::EMPTY; DIGITS],
            placed: [Bits::EMPTY; DIGITS],
            touched: DigitSet::EMPTY,
            guards: None,
        }
    }

    pub fn clear(&mut self) {
        for digit in self.touched.iter() {
            self.out[digit.index()] = Bits::EMPTY;
            self.placed[digit.index()] = Bits::EMPTY;
        }
        self.touched = DigitSet::EMPTY;
        self.guards = None;
    }

    /// Puts candidates aside: what is concluded holds, or one of them is true.
    pub fn guard(&mut self, facts: &Facts<'_, W>, nouns: &[(DigitSet, Bits<W>)]) {
        let mut all = members(facts, nouns);
        if let Some(known) = &self.guards {
            all = all.zip(&known.0, |a, b| a | b);
        }
        if !all.is_empty() {
            self.guards = Some(Box::new((all, None)));
        }
    }

    /// Works out what the candidates put aside exclude, before something is eliminated: links do not ask for it.
    pub fn weigh_guards(&mut self, tables: &BoardMasks<W>, facts: &Facts<'_, W>) {
        if let Some(guards) = &mut self.guards
            && guards.1.is_none()
        {
            guards.1 = Some(excluded(tables, facts, &guards.0));
        }
    }

    /// The candidates of the nouns are false.
    pub fn eliminate(&mut self, facts: &Facts<'_, W>, nouns: &[(DigitSet, Bits<W>)]) {
        for (digits, cells) in nouns {
            for digit in digits.iter() {
                let mut gone = facts.places[digit.index()] & *cells;
                if let Some(known) = self.guards.as_ref().and_then(|guards| guards.1.as_ref()) {
                    gone &= known.0[digit.index()];
                }
                self.out[digit.index()] |= gone;
                self.touched.insert(digit);
            }
        }
    }

    /// The candidates of the nouns are true.
    pub fn place(&mut self, tables: &BoardMasks<W>, facts: &Facts<'_, W>, nouns: &[(DigitSet, Bits<W>)]) {
        let mut placed = members(facts, nouns);
        if let Some(guards) = self.guards.as_deref().map(|guards| guards.0) {
            while let Some(number) = placed.pop(tables.cell_count) {
                let one = CandidateSet::single(number, tables.cell_count);
                self.one_is_true(tables, facts, one.zip(&guards, |a, b| a | b));
            }
            return;
        }
        self.put(&placed);
    }

    fn put(&mut self, placed: &CandidateSet<W>) {
        for digit in placed.digits().iter() {
            self.placed[digit.index()] |= placed.0[digit.index()];
            self.touched.insert(digit);
        }
    }

    /// At least one candidate of the nouns is true: what each of them excludes is false; one alone is true.
    pub fn some(&mut self, tables: &BoardMasks<W>, facts: &Facts<'_, W>, nouns: &[(DigitSet, Bits<W>)]) {
        if self.guards.is_none()
            && let Some(digit) = only_digit(nouns)
        {
            return self.some_of_one(tables, facts, digit, nouns);
        }
        let mut all = members(facts, nouns);
        if let Some(guards) = &self.guards {
            all = all.zip(&guards.0, |a, b| a | b);
        }
        self.one_is_true(tables, facts, all);
    }

    /// The same for candidates of one digit: only those that all of them see are excluded.
    fn some_of_one(
        &mut self,
        tables: &BoardMasks<W>,
        facts: &Facts<'_, W>,
        digit: Digit,
        nouns: &[(DigitSet, Bits<W>)],
    ) {
        let places = facts.places[digit.index()];
        let members = nouns.iter().fold(Bits::EMPTY, |all, (_, cells)| all | (places & *cells));
        match members.len() {
            0 => return,
            1 => self.placed[digit.index()] |= members,
            _ => self.out[digit.index()] |= places & tables.seeing_every(&members),
        }
        self.touched.insert(digit);
    }

    fn one_is_true(&mut self, tables: &BoardMasks<W>, facts: &Facts<'_, W>, members: CandidateSet<W>) {
        let out = match members.len() {
            0 => return,
            1 => {
                self.put(&members);
                return;
            }
            _ => excluded(tables, facts, &members),
        };
        for digit in out.digits().iter() {
            self.out[digit.index()] |= out.0[digit.index()];
            self.touched.insert(digit);
        }
    }

    /// These candidates are false.
    pub fn gone(&mut self, candidates: impl Iterator<Item = Candidate>) {
        for one in candidates {
            let known = self.guards.as_ref().and_then(|guards| guards.1.as_ref());
            let allowed = known.is_none_or(|known| known.0[one.digit.index()].has(one.cell.index()));
            if allowed {
                self.out[one.digit.index()].insert(one.cell.index());
                self.touched.insert(one.digit);
            }
        }
    }

    /// Whether nothing was concluded.
    pub fn is_empty(&self) -> bool {
        self.touched.is_empty()
    }

    /// The candidates put aside.
    pub fn guardians(&self) -> Vec<Candidate> {
        self.guards.as_ref().map(|guards| guards.0.list()).unwrap_or_default()
    }

    /// Whether anything changes that counts.
    pub fn has_effect(&self, facts: &Facts<'_, W>) -> bool {
        self.touched.iter().map(Digit::index).any(|digit| match &facts.aim {
            None => !self.out[digit].is_empty() || !self.placed[digit].is_empty(),
            Some(aimed) => aimed.wants_some(digit, &self.out[digit], &self.placed[digit]),
        })
    }

    /// Eliminations and placements in order of cell, then digit. What a placement implies is not listed; that the candidate
    /// itself is false is not implied, and a rule that says both is wrong.
    pub fn lists(&self, tables: &BoardMasks<W>) -> (Vec<Candidate>, Vec<Candidate>) {
        let placements = sorted(&self.placed);
        let mut out = self.out;
        for placed in &placements {
            let (cell, digit) = (placed.cell.index(), placed.digit.index());
            let itself = out[digit].has(cell);
            out.iter_mut().for_each(|cells| cells.remove(cell));
            out[digit] -= tables.peers[cell];
            if itself {
                out[digit].insert(cell);
            }
        }
        (sorted(&out), placements)
    }
}

/// The digit that all nouns speak of, if there is one alone.
fn only_digit<const W: usize>(nouns: &[(DigitSet, Bits<W>)]) -> Option<Digit> {
    let (digits, _) = nouns.first()?;
    let alone = digits.len() == 1 && nouns.iter().all(|(others, _)| others == digits);
    alone.then(|| digits.first()).flatten()
}

pub(super) fn members<const W: usize>(facts: &Facts<'_, W>, nouns: &[(DigitSet, Bits<W>)]) -> CandidateSet<W> {
    let mut members = CandidateSet::EMPTY;
    for (digits, cells) in nouns {
        for digit in digits.iter() {
            members.0[digit.index()] |= facts.places[digit.index()] & *cells;
        }
    }
    members
}

/// What every one of some candidates excludes: one of another digit only in its own cell.
pub(super) fn excluded<const W: usize>(
    tables: &BoardMasks<W>,
    facts: &Facts<'_, W>,
    members: &CandidateSet<W>,
) -> CandidateSet<W> {
    let mut out = CandidateSet::EMPTY;
    let digits = members.digits();
    // What excludes members of another digit is in their cell: so it is of the one digit that is in several cells.
    let spread: DigitSet = digits.iter().filter(|digit| !members.0[digit.index()].is_one()).collect();
    let targets = match spread.len() {
        0 => DigitSet::all(tables.size),
        1 => spread,
        _ => DigitSet::EMPTY,
    };
    for target in targets.iter().map(Digit::index) {
        let mut excluded = facts.places[target];
        for digit in digits.iter() {
            let cells = &members.0[digit.index()];
            excluded &= match digit.index() == target {
                true => tables.seeing_every(cells),
                false if cells.len() == 1 => *cells,
                false => Bits::EMPTY,
            };
        }
        out.0[target] = excluded;
    }
    out
}

fn sorted<const W: usize>(by_digit: &[Bits<W>; DIGITS]) -> Vec<Candidate> {
    let mut list: Vec<Candidate> = (0..DIGITS)
        .flat_map(|digit| by_digit[digit].iter().map(move |cell| Candidate::new(Digit(digit as u8), Cell(cell as u16))))
        .collect();
    list.sort();
    list
}
