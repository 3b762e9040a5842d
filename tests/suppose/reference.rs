//! The meaning of suppositions by plain counting, without bit boards, orders or caches. In: a state and a rule. Out: the
//! effects of its matches as text.

use pinion::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State, notation};
use pinion::lang::ir::*;
use std::collections::BTreeSet;
use std::sync::Arc;

type Literal = (Candidate, bool);

/// States of full grids with random candidates left, on boards of some sizes.
pub fn random_states(sizes: &[usize], count: u64) -> impl Iterator<Item = (Arc<Geometry>, State)> {
    let sizes = sizes.to_vec();
    (0..count).map(move |number| {
        let board = crate::common::geometry(sizes[number as usize % sizes.len()]);
        let state = random_state(&board, number);
        (board, state)
    })
}

fn random_state(board: &Geometry, number: u64) -> State {
    let mut random = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = |below: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % below
    };
    let (rows, columns) = board.spec().boxes().expect("a board with boxes");
    let truth = |cell: Cell| {
        let row = board.row(cell);
        Digit(((board.column(cell) + row % rows * columns + row / rows) % board.size()) as u8)
    };
    let mut state = State::empty(board);
    let (given, kept) = (20 + next(40), 2 + next(3));
    for cell in board.cells() {
        if next(100) < given {
            state.place(board, cell, truth(cell));
        }
    }
    for cell in board.cells() {
        let others: Vec<Digit> = state.candidates(cell).iter().filter(|digit| *digit != truth(cell)).collect();
        for digit in others {
            if next(kept + 2) > kept {
                state.eliminate(Candidate::new(digit, cell));
            }
        }
    }
    state
}

/// The candidates known to be true or false.
struct Known {
    candidates: Vec<Candidate>,
    holds: BTreeSet<Candidate>,
    fails: BTreeSet<Candidate>,
    refuted: bool,
}

struct Judge<'a> {
    board: &'a Geometry,
    state: &'a State,
}

impl Judge<'_> {
    fn candidates(&self) -> Vec<Candidate> {
        let of = |cell: Cell| self.state.candidates(cell).iter().map(move |digit| Candidate::new(digit, cell));
        self.board.cells().flat_map(of).collect()
    }

    fn exclude(&self, a: Candidate, b: Candidate) -> bool {
        a != b && (a.cell == b.cell || (a.digit == b.digit && self.board.sees(a.cell, b.cell)))
    }

    /// Candidates of which one is true: of each unsolved cell, and of each digit that a house lacks.
    fn truths(&self, cells: bool, digits: DigitSet) -> Vec<Vec<Candidate>> {
        let all = self.candidates();
        let mut out = Vec::new();
        for cell in self.board.cells().filter(|&cell| cells && self.state.value(cell).is_none()) {
            out.push(all.iter().copied().filter(|one| one.cell == cell).collect());
        }
        for house in self.board.houses() {
            let values: DigitSet = house.cells.iter().filter_map(|&cell| self.state.value(cell)).collect();
            for digit in (digits - values).iter() {
                out.push(
                    all.iter().copied().filter(|one| one.digit == digit && house.cells.contains(&one.cell)).collect(),
                );
            }
        }
        out
    }

    fn follow(&self, by: &InferenceMethods, supposed: Literal, digits: DigitSet) -> Known {
        let mut known =
            Known { candidates: self.candidates(), holds: BTreeSet::new(), fails: BTreeSet::new(), refuted: false };
        if supposed.1 {
            known.holds.insert(supposed.0)
        } else {
            known.fails.insert(supposed.0)
        };
        match by {
            InferenceMethods::Singles { digits: on } => self.singles(&mut known, on.as_ref().map(|_| digits)),
            InferenceMethods::Links { most, .. } => self.links(&mut known, supposed, *most),
            InferenceMethods::Rules(_) => unreachable!("techniques have tests of their own"),
        }
        known
    }

    /// Again and again: all but one are false, one is true.
    fn singles(&self, known: &mut Known, on: Option<DigitSet>) {
        let digits = on.unwrap_or(DigitSet::all(self.board.size()));
        let truths = self.truths(on.is_none(), digits);
        loop {
            let before = (known.holds.len(), known.fails.len());
            for truth in &truths {
                let left: Vec<Candidate> = truth.iter().copied().filter(|one| !known.fails.contains(one)).collect();
                match left.as_slice() {
                    [] => known.refuted = true,
                    [last] => {
                        known.holds.insert(*last);
                    }
                    _ => {}
                }
            }
            for &one in &known.holds {
                let excluded = known.candidates.iter().filter(|other| self.exclude(one, **other));
                known.fails.extend(excluded.filter(|other| digits.has(other.digit)));
            }
            known.refuted |= known.holds.iter().any(|one| known.fails.contains(one));
            if known.refuted || before == (known.holds.len(), known.fails.len()) {
                return;
            }
        }
    }

    /// Layer by layer: a true candidate makes others false, a false one of two makes the other true.
    fn links(&self, known: &mut Known, supposed: Literal, most: Option<u32>) {
        let truths = self.truths(true, DigitSet::all(self.board.size()));
        let mut layer = vec![supposed];
        let mut strong = 0;
        while !layer.is_empty() {
            let mut next = Vec::new();
            if layer[0].1 {
                for (one, _) in layer {
                    next.extend(
                        known.candidates.iter().filter(|other| self.exclude(one, **other)).map(|other| (*other, false)),
                    );
                }
            } else if most.is_none_or(|most| strong < most) {
                strong += 1;
                for (one, _) in layer {
                    let pairs = truths.iter().filter(|truth| truth.len() == 2 && truth.contains(&one));
                    next.extend(pairs.flatten().filter(|other| **other != one).map(|other| (*other, true)));
                }
            }
            next.retain(|&(one, holds)| if holds { known.holds.insert(one) } else { known.fails.insert(one) });
            layer = next;
        }
        let none = |truth: &Vec<Candidate>| truth.iter().all(|one| known.fails.contains(one));
        known.refuted = known.holds.iter().any(|one| known.fails.contains(one)) || truths.iter().any(none);
    }

    /// Returns the literals that a rule supposes together, one group for each case.
    fn groups(&self, suppose: &Suppose, vars: &[Var]) -> Vec<Vec<Literal>> {
        let all = self.candidates();
        match &suppose.cases {
            Cases::Candidate(_) => all.iter().map(|&one| vec![(one, true)]).collect(),
            Cases::Not(_) => all.iter().map(|&one| vec![(one, false)]).collect(),
            Cases::Literal(_) => all.iter().flat_map(|&one| [vec![(one, true)], vec![(one, false)]]).collect(),
            Cases::Either(_) => all.iter().map(|&one| vec![(one, true), (one, false)]).collect(),
            Cases::Each(_) => {
                let cells = vars[0].kind == Kind::Cell;
                let digits = if cells { DigitSet::EMPTY } else { DigitSet::all(self.board.size()) };
                let truths = self.truths(cells, digits).into_iter();
                truths.map(|truth| truth.into_iter().map(|one| (one, true)).collect()).collect()
            }
        }
    }
}

/// The effects that a rule of [`build`](super::rule_forms) must have.
pub fn expected_effects(board: &Geometry, state: &State, variant: &Variant) -> BTreeSet<String> {
    let judge = Judge { board, state };
    let Some(Statement::Suppose(suppose)) = variant.body.last() else { panic!("it supposes something") };
    let (all, groups) = (judge.candidates(), judge.groups(suppose, &variant.vars));
    let mut out = BTreeSet::new();
    let mut add = |(one, holds): Literal| {
        let (gone, put) = if holds { (vec![], vec![one]) } else { (vec![one], vec![]) };
        out.insert(notation::deductions(board, &gone, &put));
    };
    for group in groups {
        // `on` is always the digits of what is supposed.
        let digits = group.iter().map(|(one, _)| one.digit).collect();
        let ends: Vec<Known> = group.iter().map(|&literal| judge.follow(&suppose.methods, literal, digits)).collect();
        match suppose.shows {
            CaseResult::Contradiction => {
                if let [one] = group.as_slice()
                    && ends[0].refuted
                {
                    add((one.0, !one.1));
                }
            }
            CaseResult::AllImplyWithoutContradiction(_) if ends.iter().any(|end| end.refuted) => {}
            CaseResult::AllImply(_) | CaseResult::AllImplyWithoutContradiction(_) => {
                let standing: Vec<&Known> = ends.iter().filter(|end| !end.refuted).collect();
                for &one in all.iter().filter(|_| !standing.is_empty()) {
                    if standing.iter().all(|end| end.holds.contains(&one)) {
                        add((one, true));
                    }
                    if standing.iter().all(|end| end.fails.contains(&one)) {
                        add((one, false));
                    }
                }
            }
        }
    }
    out
}
