//! Rules that are searched only where almost locked sets and houses refute something: what they eliminate is refuted by these.
//!
//! Against the solution but for the candidate that goes, nothing else is wrong, and it is found.

use crate::aim::{next, states, wrong};
use crate::common;
use pinion::engine::{Aim, Engine, Limits, Memory, Search};
use pinion::grid::{Candidate, Digit, DigitSet, Geometry, State};
use pinion::proof::{Uniqueness, uniqueness};
use pinion::solve::Rulebook;
use std::collections::BTreeSet;

/// What was found, and by which techniques.
type Seen = (usize, BTreeSet<String>);

/// Looks at so many of the candidates that a rule eliminates from a state.
fn look(engine: &Engine, (state, solution): (&State, &[Digit]), each: usize, (found, ids): &mut Seen) {
    let refutes = |&member: &usize| engine.plan_text(member).contains("only where almost locked sets and houses");
    let refuting: Vec<usize> = (0..engine.members().len()).filter(refutes).collect();
    let mut listing = engine.on(state);
    for &member in &refuting {
        let gone = listing.find(member, Search::Effects, &Limits::default()).matches.into_iter();
        let gone: BTreeSet<Candidate> = gone.flat_map(|one| one.eliminations).collect();
        let id = &engine.techniques()[engine.members()[member].technique].id;
        for candidate in gone.iter().step_by(gone.len().div_ceil(each).max(1)) {
            let mut digits = solution.to_vec();
            digits[candidate.cell.index()] = candidate.digit;
            let (aim, memory) = (Aim::against(&digits), Memory::default());
            let aimed = engine.aimed(state, &aim, &memory).find(member, Search::Effects, &Limits::default());
            assert_eq!(wrong(&aimed, &digits).0, BTreeSet::from([*candidate]), "{id}");
            *found += 1;
            ids.insert(id.clone());
        }
    }
}

fn engine(size: usize) -> Engine {
    let rulebook = Rulebook::embedded();
    let engine = Engine::new(common::geometry(size), rulebook.techniques(), rulebook.sources());
    engine.expect("the rulebook compiles")
}

#[test]
fn what_rules_eliminate_that_refute_is_refuted() {
    let engine = engine(9);
    let (states_looked, each) = if cfg!(debug_assertions) { (2, 2) } else { (12, 12) };
    let mut seen = Seen::default();
    for state in states().into_iter().step_by(3).take(states_looked) {
        let Uniqueness::One(solution) = uniqueness(engine.geometry(), &state) else { panic!("one solution") };
        look(&engine, (&state, &solution), each, &mut seen);
    }
    let (found, ids) = seen;
    assert!(found > 20 * states_looked && ids.len() > 15, "{found} found, by {ids:?}");
}

/// A valid grid, and a state in which two cells of five have their digit and the others it and one or two more, told by
/// chance.
fn made_up(geometry: &Geometry, random: &mut u64) -> (State, Vec<Digit>) {
    let size = geometry.size();
    let (high, wide) = (2, size / 2);
    let digit = |row: usize, column: usize| Digit(((column + wide * (row % high) + row / high) % size) as u8);
    let solution: Vec<Digit> = geometry.cells().map(|cell| digit(geometry.row(cell), geometry.column(cell))).collect();
    let mut state = State::empty(geometry);
    for cell in geometry.cells() {
        let right = solution[cell.index()];
        assert!(geometry.peers(cell).iter().all(|peer| solution[peer.index()] != right), "the grid is valid");
        if next(random) % 5 < 2 {
            state.place(geometry, cell, right);
            continue;
        }
        let mut digits = DigitSet::single(right);
        (0..1 + next(random) % 2).for_each(|_| digits.insert(Digit((next(random) % size) as u8)));
        state.restrict(cell, digits);
    }
    (state, solution)
}

/// On larger boards, where sets of more than six cells are not known, neither to rules nor to what refutes.
#[test]
fn what_they_eliminate_on_a_larger_board_is_refuted_by_the_sets_that_are_known() {
    let engine = engine(10);
    let (states_looked, each) = if cfg!(debug_assertions) { (1, 1) } else { (6, 6) };
    let (mut random, mut seen) = (5, Seen::default());
    for _ in 0..states_looked {
        let (state, solution) = made_up(engine.geometry(), &mut random);
        look(&engine, (&state, &solution), each, &mut seen);
    }
    let (found, ids) = seen;
    assert!(found > 10 * states_looked && ids.len() > 10, "{found} found, by {ids:?}");
}
