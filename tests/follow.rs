//! A search may go on from what was found on the states before. It must find what a search that knows nothing of them finds,
//! whatever was eliminated on the way.

use crate::common::{self, plenty};
use pinion::engine::{Engine, Limits, Memory, Search};
use pinion::grid::formats::read_many;
use pinion::grid::{Candidate, State};
use pinion::solve::Rulebook;
use proptest::prelude::*;
use std::sync::OnceLock;

/// States of puzzles, each from the middle of its path.
const STATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/states/middle.txt");

/// The techniques are divided into this many parts, which alternate.
const PARTS: usize = 9;

fn states() -> &'static [State] {
    static STATES_READ: OnceLock<Vec<State>> = OnceLock::new();
    STATES_READ.get_or_init(|| {
        let text = std::fs::read_to_string(STATES).expect("the states are readable");
        read_many(&text, None).into_iter().map(|puzzle| puzzle.expect("a good puzzle").state()).collect()
    })
}

/// The members that suppose nothing: suppositions have their own tests.
fn following() -> &'static [usize] {
    static FOLLOWING: OnceLock<Vec<usize>> = OnceLock::new();
    FOLLOWING.get_or_init(|| {
        let follows = |&member: &usize| !engine().plan_text(member).contains("; supposition");
        (0..engine().members().len()).filter(follows).collect()
    })
}

fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let rulebook = Rulebook::embedded();
        Engine::new(common::geometry(9), rulebook.techniques(), rulebook.sources()).expect("the rulebook compiles")
    })
}

/// Eliminates one candidate of a cell that has several, told by a number; places what is left alone.
fn change(state: &mut State, number: usize) {
    let geometry = common::geometry(9);
    let open: Vec<Candidate> = geometry
        .cells()
        .filter(|&cell| state.candidates(cell).len() > 1)
        .flat_map(|cell| state.candidates(cell).iter().map(move |digit| Candidate::new(digit, cell)))
        .collect();
    let Some(&gone) = open.get(number % open.len().max(1)) else { return };
    state.eliminate(gone);
    if let (1, Some(digit)) = (state.candidates(gone.cell).len(), state.candidates(gone.cell).first()) {
        state.place(&geometry, gone.cell, digit);
    }
}

/// Searches with and without what was found before, along some changes; returns how many searches followed one that found
/// nothing, and how many of these found something.
fn compare(start: &State, changes: &[Vec<usize>], part: usize) -> (usize, usize) {
    let (engine, memory, limits) = (engine(), Memory::default(), Limits::default());
    let members: Vec<usize> = following().iter().copied().skip(part % PARTS).step_by(PARTS).collect();
    let mut empty = vec![false; engine.members().len()];
    let (mut followed, mut new) = (0, 0);
    let mut state = start.clone();
    for numbers in std::iter::once(&Vec::new()).chain(changes) {
        numbers.iter().for_each(|&number| change(&mut state, number));
        let mut with = engine.on_path(&state, &memory);
        let mut without = engine.on(&state);
        for &member in &members {
            let search = if member % 5 == 0 { Search::All } else { Search::First };
            let (fresh, later) = (without.find(member, search, &limits), with.find(member, search, &limits));
            assert_eq!(fresh.matches, later.matches, "{:?} after {changes:?}", engine.members()[member]);
            followed += usize::from(empty[member]);
            new += usize::from(empty[member] && !later.matches.is_empty());
            empty[member] = later.matches.is_empty();
        }
    }
    (followed, new)
}

proptest! {
    #![proptest_config(plenty(12))]

    #[test]
    fn a_search_that_follows_finds_what_a_fresh_one_finds(
        state in 0..1_000usize,
        changes in prop::collection::vec(prop::collection::vec(0..10_000usize, 1..4), 1..5),
        part in 0..PARTS,
    ) {
        let states = states();
        compare(&states[state % states.len()], &changes, part);
    }
}

/// The law would hold of searches that never follow, or of changes that never bring anything new.
#[test]
fn searches_follow_and_find_something_new() {
    let states = states();
    let one_by_one: Vec<Vec<usize>> =
        (0..5).map(|number| vec![1 + number * 37, 5 + number * 61, 9 + number * 83]).collect();
    let each = (0..PARTS).step_by(4).map(|part| compare(&states[part % states.len()], &one_by_one, part));
    let (followed, new) = each.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(followed > 60 && new > 2, "{followed} followed, {new} of them found something");
}
