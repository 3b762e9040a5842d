//! What a rule eliminates lies in the reach of its class, and what is searched within reach is all that there is.

use crate::aim::{next, states};
use pinion::engine::{Engine, Limits, MemberId, Search};
use pinion::grid::{BoardSpec, Candidate, Digit, DigitSet, Geometry, State};
use pinion::lang::compile;
use pinion::lang::diagnostic::Severity;
use pinion::proof::solutions;
use pinion::solve::Rulebook;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What was found within reach, by which techniques, and how many searches had nothing in reach.
#[derive(Default)]
struct Seen {
    found: usize,
    ids: BTreeSet<String>,
    idle: usize,
}

fn engine(board: &Arc<Geometry>) -> Engine {
    let rulebook = Rulebook::embedded();
    Engine::new(Arc::clone(board), rulebook.techniques(), rulebook.sources()).expect("the rulebook compiles")
}

/// Searches each member that has a class within reach and in full.
fn look(engine: &Engine, state: &State, search: Search, seen: &mut Seen) {
    let limits = Limits { instructions: 1_000_000, ..Limits::default() };
    let in_full = Limits { in_full: true, ..limits };
    let (mut position, mut full) = (engine.on(state), engine.on(state));
    for (number, member) in engine.members().iter().enumerate() {
        let Some(reach) = position.reach(number, &limits) else { continue };
        let reach: BTreeSet<Candidate> = reach.into_iter().collect();
        let (bounded, all) = (position.find(number, search, &limits), full.find(number, search, &in_full));
        let MemberId { technique, .. } = member;
        let id = &engine.techniques()[*technique].id;
        for one in &all.matches {
            for gone in &one.eliminations {
                assert!(reach.contains(gone), "{id} eliminates {gone:?} out of reach in\n{state:?}");
            }
        }
        // A limit may cut a search where there is nothing to find.
        if all.limits.is_empty() {
            assert_eq!(bounded.matches, all.matches, "{id} in\n{state:?}");
        }
        seen.idle += usize::from(reach.is_empty());
        seen.found += all.matches.len();
        if !all.matches.is_empty() {
            seen.ids.insert(id.clone());
        }
    }
}

/// A state of a solved grid in which some cells have their digit and the others it and others, told by chance; now and then a
/// cell lacks its digit.
fn made_up(board: &Geometry, solution: &[Digit], random: &mut u64) -> State {
    let mut state = State::empty(board);
    // Fewer cells are open on a large board, or there is no end of sets.
    let solved = if board.size() > 9 { 17 } else { 8 };
    for cell in board.cells() {
        let right = solution[cell.index()];
        if next(random) % 20 < solved {
            state.place(board, cell, right);
            continue;
        }
        let mut digits = DigitSet::EMPTY;
        if !next(random).is_multiple_of(40) {
            digits.insert(right);
        }
        let count = 2 + next(random) % 2;
        while digits.len() < count {
            digits.insert(Digit((next(random) % board.size()) as u8));
        }
        state.restrict(cell, digits);
    }
    state
}

fn board(name: &str) -> Arc<Geometry> {
    let plain = name.parse().ok().and_then(BoardSpec::standard);
    let spec = plain.or_else(|| BoardSpec::named(name)).expect("a board");
    Arc::new(Geometry::new(spec).expect("a good board"))
}

#[test]
fn eliminations_are_within_reach() {
    let engine = engine(&board("9"));
    let mut seen = Seen::default();
    for state in states().into_iter().step_by(if cfg!(debug_assertions) { 7 } else { 1 }) {
        look(&engine, &state, Search::First, &mut seen);
    }
    assert!(seen.found > 50 && seen.ids.len() > 12, "{} {:?} {}", seen.found, seen.ids, seen.idle);
}

#[test]
fn eliminations_are_within_reach_on_every_board() {
    let count = if cfg!(debug_assertions) { 1 } else { 6 };
    let (mut random, mut seen) = (5, Seen::default());
    for name in ["6", "9", "12", "windoku", "anti_knight", "diagonal", "disjoint_groups"] {
        let board = board(name);
        let engine = engine(&board);
        let solution = solutions(&board, &State::empty(&board), 1).into_iter().next().expect("a solved grid");
        let more = if name == "6" { 10 * count } else { count };
        for _ in 0..more {
            let search = if name == "6" { Search::All } else { Search::First };
            look(&engine, &made_up(&board, &solution, &mut random), search, &mut seen);
        }
    }
    assert!(seen.found > 50 && seen.ids.len() > 15, "{} {:?}", seen.found, seen.ids);
}

/// The class that the plan of a rule says.
fn class_of(text: &str) -> Option<String> {
    let (lowered, found) = compile(text);
    assert!(found.iter().all(|one| one.severity != Severity::Error), "{found:?}");
    let rulebook = Rulebook::embedded();
    let mut sources = rulebook.sources().to_vec();
    sources.extend(lowered.sources);
    let engine = Engine::new(board("9"), &lowered.techniques, &sources).expect("good rules");
    let plan = engine.plan_text(0);
    plan.lines().find_map(|line| line.strip_prefix("; only what is in reach of ").map(String::from))
}

#[test]
fn the_class_is_told_by_the_text() {
    let rule = |body: &str| format!("technique mine \"Mine\" {{\n{body}\n}}\n");
    let apart = rule("  A: cell = {x, z}\n  B: cell = {y, z}\n  conclude some z in A, B");
    assert_eq!(class_of(&apart), None, "one cell may be x and the other y");
    let wing = rule(
        "  pivot: cell = {x, y}\n  A: cell = {x, z} sees pivot\n  B: cell = {y, z} sees pivot\n  conclude some z in A, B",
    );
    assert_eq!(class_of(&wing).as_deref(), Some("cells"));
    let kite = rule("  chain (d)A = (d)P - (d)Q = (d)B\n  conclude some d in A, B");
    assert_eq!(class_of(&kite).as_deref(), Some("links"), "a strong link between two cells is one of a house");
    // It takes both pincers to leave the pivot without a digit.
    let three = rule(
        "  pivot: cell = {x, y, z}\n  A: cell = {x, z} sees pivot\n  B: cell = {y, z} sees pivot\n  \
         conclude some z in pivot, A, B",
    );
    assert_eq!(class_of(&three), None);
    let sets = rule(
        "  A, B: als\n  x: digit linking A, B\n  z: digit\n  require some z in A and some z in B\n  conclude some z in A, B",
    );
    assert_eq!(class_of(&sets).as_deref(), Some("sets"));
    // The running digit may be the one that links the other two.
    let ring = rule(
        "  A, B, C: als disjoint\n  x: digit linking A, B\n  y: digit linking B, C\n  z: digit linking C, A\n  \
         eliminate d from cells seeing every d in A for d in (digits(A) - x) - z",
    );
    assert_eq!(class_of(&ring).as_deref(), Some("sets"));
    // Nothing says that the sets have z.
    let bare = rule("  A, B: als\n  x: digit linking A, B\n  z: digit\n  conclude some z in A, B");
    assert_eq!(class_of(&bare), None);
    let chain = |strong: &str| {
        rule(&format!(
            "  chain from p to q, 2.. strong links {{\n    strong: {strong}\n    weak: any\n  }}\n  conclude some p, q"
        ))
    };
    assert_eq!(class_of(&chain("cell, house")).as_deref(), Some("links"));
    assert_eq!(class_of(&chain("cell, group")).as_deref(), Some("groups"));
    assert_eq!(class_of(&chain("house, als")).as_deref(), Some("sets"));
    // A source of an author's own is a class's by what it says.
    let own = "strong link twin (x)A = (x)B {\n  A, B: cell = {x, y}\n  require A sees B\n}\n";
    assert_eq!(class_of(&(chain("twin") + own)).as_deref(), Some("cells"));
    let loose = "strong link twin (x)A = (x)B {\n  x, y: digit\n  A, B: cell has x, y\n  require A sees B\n}\n";
    assert_eq!(class_of(&(chain("twin") + loose)), None);
}
