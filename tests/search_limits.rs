//! Limits that end the search of a rule: the time, the memory, and the number of instructions.

use crate::common::geometry;
use pinion::engine::{Engine, Halt, LimitHit, Limits, SearchMode};
use pinion::grid::State;
use pinion::lang::compile;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Without the limit the search would take much longer than the 50 milliseconds after which the flag is set.
#[test]
fn a_search_ends_when_the_time_is_over() {
    static TIME_IS_OVER: AtomicBool = AtomicBool::new(false);
    let rule = "technique long \"Long\" {\n  A, B, C, D, E: cell\n  \
                require #(digits(A) + digits(B) + digits(C) + digits(D) + digits(E)) > 9\n  \
                eliminate digits(A) from cells seeing A, B\n}\n";
    let board = geometry(9);
    let state = State::empty(&board);
    let engine = Engine::new(board, &compile(rule).0.techniques, &[]).expect("a plan");
    let limits = Limits {
        halt: Halt { time: Some(&TIME_IS_OVER), ..Halt::default() },
        instructions: u64::MAX,
        ..Limits::default()
    };
    let flag = thread::spawn(|| {
        thread::sleep(Duration::from_millis(50));
        TIME_IS_OVER.store(true, Ordering::Relaxed);
    });
    let found = engine.position(&state).find(0, SearchMode::All, &limits);
    flag.join().expect("the thread ends");
    assert_eq!((found.matches.len(), found.limits), (0, vec![LimitHit::Time]));
}

#[test]
fn a_search_ends_when_the_memory_is_used_up() {
    static MEMORY_IS_USED_UP: AtomicBool = AtomicBool::new(true);
    let board = geometry(9);
    let state = State::empty(&board);
    let rule = "technique any \"Any\" {\n  c: cell = {d}\n  place d in c\n}\n";
    let engine = Engine::new(board, &compile(rule).0.techniques, &[]).expect("a plan");
    let limits = Limits { halt: Halt { memory: Some(&MEMORY_IS_USED_UP), ..Halt::default() }, ..Limits::default() };
    assert_eq!(engine.position(&state).find(0, SearchMode::All, &limits).limits, vec![LimitHit::Memory]);
}

/// An empty 25×25 board has forty million sets of three cells.
#[test]
fn a_choice_of_many_sets_reaches_the_limit_of_instructions() {
    let rule = "technique many \"Many\" {\n  s: cells[3]\n  require #digits(s) > 25\n  eliminate digits(s) from s\n}\n";
    let board = geometry(25);
    let state = State::empty(&board);
    let engine = Engine::new(board, &compile(rule).0.techniques, &[]).expect("a plan");
    let limits = Limits { instructions: u64::MAX, ..Limits::default() };
    let found = engine.position(&state).find(0, SearchMode::All, &limits);
    assert_eq!((found.matches.len(), found.limits), (0, vec![LimitHit::Instructions]));
}

/// A single instruction tries all combinations of the cells, so the limit counts it by the work that it does.
#[test]
fn combinations_of_many_cells_reach_the_limit_of_instructions() {
    let board = geometry(9);
    let state = State::empty(&board);
    for rule in [
        "technique all \"All\" {\n  let x = lines\n  place in_no_combination(x)\n}\n",
        "technique most \"Most\" {\n  h: houses[2]\n  conclude some in_no_combination(h)\n}\n",
    ] {
        let engine = Engine::new(board.clone(), &compile(rule).0.techniques, &[]).expect("a plan");
        let limits = Limits { instructions: 20_000, ..Limits::default() };
        let found = engine.position(&state).find(0, SearchMode::All, &limits);
        assert_eq!((found.matches.len(), found.limits), (0, vec![LimitHit::Instructions]), "{rule}");
    }
}

/// The members of a family are chosen by one instruction, which is the first choice of this rule.
#[test]
fn a_family_of_cells_that_uses_up_the_instructions_is_reported() {
    let rule = "technique spread \"Spread\" {\n  f[i]: cell has i for i in digits\n  require every cells sees every f\n  \
                eliminate digits(cells) from f\n}\n";
    let board = geometry(9);
    let state = State::empty(&board);
    let engine = Engine::new(board, &compile(rule).0.techniques, &[]).expect("a plan");
    let limits = Limits { instructions: 20_000, ..Limits::default() };
    let found = engine.position(&state).find(0, SearchMode::All, &limits);
    assert_eq!((found.matches.len(), found.limits), (0, vec![LimitHit::Instructions]));
}
