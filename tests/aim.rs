//! A search that is aimed against some digits shows of every technique just what its full listing shows against them.
//!
//! Against the solution nothing is ever found, so the digits are made up: then a great deal is.

use crate::common;
use crate::common::states::side_by_side;
use pinion::engine::{Aim, Engine, Found, Limits, Memory, Search, Trust};
use pinion::grid::formats::read_many;
use pinion::grid::{Candidate, Digit, State};
use pinion::proof::{Uniqueness, uniqueness};
use pinion::solve::{Rulebook, untrue};
use std::collections::BTreeSet;

/// States of puzzles, each from the middle of its path.
const STATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/states/middle.txt");

/// Without optimisation each state is looked at for one part of the techniques, so that each technique has its states.
const PARTS: usize = if cfg!(debug_assertions) { 6 } else { 2 };

/// The number of states, at least one for each part.
const FEW: usize = if cfg!(debug_assertions) { PARTS } else { 12 };

/// How many ways there are to make digits up.
const WAYS: usize = 4;

/// What is wrong of matches: eliminations, and placements.
pub(crate) type Wrong = (BTreeSet<Candidate>, BTreeSet<Candidate>);

pub(crate) fn wrong(found: &Found, digits: &[Digit]) -> Wrong {
    let mut all = Wrong::default();
    for one in found.matches.iter().filter_map(|one| untrue(&one.eliminations, &one.placements, digits)) {
        all.0.extend(one.eliminations);
        all.1.extend(one.placements);
    }
    all
}

/// A number that follows another as by chance.
pub(crate) fn next(random: &mut u64) -> usize {
    *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*random >> 33) as usize
}

/// A digit for each cell: the solution with a few other digits, a valid grid that is not the solution, any candidate of each
/// cell, or any digit at all.
fn made_up(state: &State, solution: &[Digit], way: usize, random: &mut u64) -> Vec<Digit> {
    let geometry = common::geometry(9);
    let shift = 1 + next(random) % 8;
    let digit = |cell: pinion::grid::Cell| {
        let right = solution[cell.index()];
        let candidates: Vec<Digit> = state.candidates(cell).iter().collect();
        let number = next(random);
        let some = candidates.get(number % candidates.len().max(1)).copied().unwrap_or(right);
        match way % WAYS {
            0 if !number.is_multiple_of(7) => right,
            0 | 2 => some,
            1 => Digit((right.0 + shift as u8) % 9),
            _ => Digit((number % 9) as u8),
        }
    };
    geometry.cells().map(digit).collect()
}

/// What one state came to.
#[derive(Default)]
struct Looked {
    /// Searches that were compared.
    compared: usize,
    /// Of these, those that found something wrong.
    some: usize,
    broken: Vec<String>,
}

/// Compares some of the members on a state, for digits made up in every way.
fn look(engines: &[Engine; 2], number: usize, state: &State) -> Looked {
    let [plain, trusting] = engines;
    let Uniqueness::One(solution) = uniqueness(plain.geometry(), state) else {
        panic!("state {number} has one solution")
    };
    let mut random = 7 + number as u64;
    let ways: Vec<Vec<Digit>> = (0..WAYS).map(|way| made_up(state, &solution, way, &mut random)).collect();
    let aims: Vec<Aim> = ways.iter().map(|digits| Aim::against(digits)).collect();
    let (limits, memory) = (Limits::default(), Memory::default());
    let mut listing = plain.on(state);
    let mut looked = Looked::default();
    let memories: Vec<Memory> = aims.iter().map(|_| Memory::default()).collect();
    let mut searches: Vec<_> =
        aims.iter().zip(&memories).map(|(aim, memory)| trusting.aimed(state, aim, memory)).collect();
    let right = Aim::against(&solution);
    let mut against = plain.aimed(state, &right, &memory);
    for member in (number % PARTS..plain.members().len()).step_by(PARTS) {
        let all = listing.find(member, Search::Effects, &limits);
        let id = &plain.members()[member];
        let name = format!("{} {:?} {} on state {number}", plain.techniques()[id.technique].id, id.args, id.variant);
        if !against.find(member, Search::Effects, &limits).matches.is_empty() {
            looked.broken.push(format!("{name}: something against the solution"));
        }
        for (way, (search, digits)) in searches.iter_mut().zip(&ways).enumerate() {
            let aimed = search.find(member, Search::Effects, &limits);
            if !all.limits.is_empty() || !aimed.limits.is_empty() {
                continue;
            }
            looked.compared += 1;
            let (wanted, found) = (wrong(&all, digits), wrong(&aimed, digits));
            looked.some += usize::from(!wanted.0.is_empty() || !wanted.1.is_empty());
            // Each match that is told says something that counts, and nothing else.
            let only = aimed.matches.iter().all(|one| {
                let told = untrue(&one.eliminations, &one.placements, digits);
                told.is_some_and(|told| {
                    (told.eliminations, told.placements) == (one.eliminations.clone(), one.placements.clone())
                })
            });
            if wanted != found || !only {
                looked.broken.push(format!("{name}, way {way}: {wanted:?}, aimed {found:?}"));
            }
        }
    }
    looked
}

pub(crate) fn states() -> Vec<State> {
    let text = std::fs::read_to_string(STATES).expect("the states are readable");
    read_many(&text, None).into_iter().map(|puzzle| puzzle.expect("a good puzzle").state()).collect()
}

fn engines() -> [Engine; 2] {
    let rulebook = Rulebook::embedded();
    let (techniques, sources) = (rulebook.techniques(), rulebook.sources());
    let engine = |trust: Trust| Engine::trusting(common::geometry(9), techniques, sources, &|_| trust);
    [Trust::Nothing, Trust::Planned].map(|trust| engine(trust).expect("the rulebook compiles"))
}

/// Members of every technique, on states of hard and easy puzzles.
#[test]
fn an_aimed_search_shows_what_a_full_one_shows_against_the_digits() {
    compare(&states().into_iter().enumerate().take(FEW).collect::<Vec<_>>());
}

/// The same on every state for every part.
#[test]
#[ignore = "long: for release builds"]
fn an_aimed_search_shows_the_same_on_all_states() {
    let all = states().into_iter().enumerate();
    let parts = |(number, state): (usize, State)| (0..PARTS).map(move |part| (number * PARTS + part, state.clone()));
    compare(&all.flat_map(parts).collect::<Vec<_>>());
}

fn compare(few: &[(usize, State)]) {
    let engines = engines();
    let looked = side_by_side(few, |(number, state)| look(&engines, *number, state));
    let broken: Vec<&String> = looked.iter().flat_map(|one| &one.broken).collect();
    let sum = |of: fn(&Looked) -> usize| looked.iter().map(of).sum::<usize>();
    let (compared, some) = (sum(|one| one.compared), sum(|one| one.some));
    println!("{compared} searches compared, {some} with something wrong, {} broken", broken.len());
    assert!(broken.is_empty(), "{} broken of {compared}: {broken:#?}", broken.len());
    assert!(compared > 100 * few.len() && some > 20 * few.len(), "{some} of {compared} searches found something wrong");
}

/// A search may go on from what was found on the states before, with an aim as without.
#[test]
fn an_aimed_search_with_memory_finds_what_a_fresh_one_finds() {
    let [engine, _] = engines();
    let limits = Limits::default();
    let follows = |&member: &usize| !engine.plan_text(member).contains("; supposition");
    let following: Vec<usize> = (0..engine.members().len()).filter(follows).collect();
    let (mut later, mut some) = (0, 0);
    for (number, state) in states().into_iter().enumerate().skip(3).step_by(5).take(3) {
        let mut random = 3 + number as u64;
        let Uniqueness::One(solution) = uniqueness(engine.geometry(), &state) else { panic!("one solution") };
        let aim = Aim::against(&made_up(&state, &solution, 0, &mut random));
        let (memory, mut now) = (Memory::default(), state);
        let mut empty = vec![false; engine.members().len()];
        for _ in 0..6 {
            let fresh = Memory::default();
            let (mut with, mut without) = (engine.aimed(&now, &aim, &memory), engine.aimed(&now, &aim, &fresh));
            for &member in following.iter().skip(number % PARTS).step_by(PARTS) {
                let wanted = without.find(member, Search::Effects, &limits);
                let found = with.find(member, Search::Effects, &limits);
                let id = &engine.techniques()[engine.members()[member].technique].id;
                assert_eq!(wanted.matches, found.matches, "{id} on state {number}");
                later += usize::from(empty[member]);
                some += usize::from(empty[member] && !found.matches.is_empty());
                empty[member] = found.matches.is_empty();
            }
            (0..3).for_each(|_| eliminate_one(&mut now, next(&mut random)));
        }
    }
    assert!(
        later > 100 && some > 2,
        "{later} searches followed one that found nothing, {some} of them found something"
    );
}

/// Eliminates one candidate of a cell that has several, told by a number.
fn eliminate_one(state: &mut State, number: usize) {
    let geometry = common::geometry(9);
    let open: Vec<Candidate> = geometry
        .cells()
        .filter(|&cell| state.candidates(cell).len() > 2)
        .flat_map(|cell| state.candidates(cell).iter().map(move |digit| Candidate::new(digit, cell)))
        .collect();
    if let Some(&gone) = open.get(number % open.len().max(1)) {
        state.eliminate(gone);
    }
}
