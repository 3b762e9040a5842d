//! Limits that end the search of a user's rule: a halt flag that is raised while cells are chosen, and the memory for choices.

use crate::common::geometry;
use pinion::engine::{Engine, Halt, LimitHit, Limits, SearchMode};
use pinion::grid::State;
use pinion::lang::compile;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

static OVER: AtomicBool = AtomicBool::new(false);

/// The rule finds nothing and would go on for far longer than the flag needs.
#[test]
fn a_loop_of_choices_ends_when_the_time_is_over() {
    let rule = "technique long \"Long\" {\n  A, B, C, D, E: cell\n  \
                require #(digits(A) + digits(B) + digits(C) + digits(D) + digits(E)) > 9\n  \
                eliminate digits(A) from cells seeing A, B\n}\n";
    let board = geometry(9);
    let state = State::empty(&board);
    let engine = Engine::new(board, &compile(rule).0.techniques, &[]).expect("a plan");
    let limits =
        Limits { halt: Halt { time: Some(&OVER), ..Halt::default() }, instructions: u64::MAX, ..Limits::default() };
    let flag = thread::spawn(|| {
        thread::sleep(Duration::from_millis(50));
        OVER.store(true, Ordering::Relaxed);
    });
    let found = engine.position(&state).find(0, SearchMode::All, &limits);
    flag.join().expect("it ends");
    assert_eq!((found.matches.len(), found.limits), (0, vec![LimitHit::Time]));
}

#[test]
fn a_search_without_memory_says_so() {
    static USED_UP: AtomicBool = AtomicBool::new(true);
    let board = geometry(9);
    let state = State::empty(&board);
    let rule = "technique any \"Any\" {\n  c: cell = {d}\n  place d in c\n}\n";
    let engine = Engine::new(board, &compile(rule).0.techniques, &[]).expect("a plan");
    let limits = Limits { halt: Halt { memory: Some(&USED_UP), ..Halt::default() }, ..Limits::default() };
    assert_eq!(engine.position(&state).find(0, SearchMode::All, &limits).limits, vec![LimitHit::Memory]);
}

/// An empty board of 25 rows has forty million sets of three cells.
#[test]
fn the_sets_of_a_choice_have_a_limit() {
    let rule = "technique many \"Many\" {\n  s: cells[3]\n  require #digits(s) > 25\n  eliminate digits(s) from s\n}\n";
    let board = geometry(25);
    let state = State::empty(&board);
    let engine = Engine::new(board, &compile(rule).0.techniques, &[]).expect("a plan");
    let limits = Limits { instructions: u64::MAX, ..Limits::default() };
    let found = engine.position(&state).find(0, SearchMode::All, &limits);
    assert_eq!((found.matches.len(), found.limits), (0, vec![LimitHit::Instructions]));
}

/// A combination of many cells is work of one instruction each time that it is tried, and counts as more.
#[test]
fn combinations_of_many_cells_count_as_work() {
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
