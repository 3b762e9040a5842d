//! Every step of every puzzle of a collection against its solution. The collections lie in the folder that
//! `PINION_DATA` names; without it there is nothing to do.

use crate::common::{geometry, solver};
use pinion::engine::Limits;
use pinion::grid::Geometry;
use pinion::grid::formats::read_many;
use pinion::proof::{Uniqueness, uniqueness};
use pinion::solve::{Profile, Rulebook, Solver, apply};
use std::path::PathBuf;

fn data() -> Option<PathBuf> {
    std::env::var_os("PINION_DATA").map(PathBuf::from)
}

/// Checks the puzzles of one file that have one solution; returns (puzzles, steps, solved).
fn check(file: &str, solver: &Solver) -> (usize, usize, usize) {
    let Some(folder) = data() else { return (0, 0, 0) };
    let text = std::fs::read_to_string(folder.join(file)).expect("the collection is readable");
    let (mut puzzles, mut steps, mut solved) = (0, 0, 0);
    for puzzle in read_many(&text, Some(solver.geometry())).into_iter().flatten() {
        let start = puzzle.state();
        let Uniqueness::One(solution) = uniqueness(solver.geometry(), &start) else { continue };
        let path = solver.solve(start.clone());
        let mut state = start;
        for step in &path.steps {
            let wrong = step.eliminations.iter().find(|gone| solution[gone.cell.index()] == gone.digit);
            assert_eq!(wrong, None, "{file}: {} ({})", step.name, puzzle.note);
            let wrong = step.placements.iter().find(|placed| solution[placed.cell.index()] != placed.digit);
            assert_eq!(wrong, None, "{file}: {} ({})", step.name, puzzle.note);
            apply(step, solver.geometry(), &mut state);
        }
        puzzles += 1;
        steps += path.steps.len();
        solved += usize::from(state.is_solved());
    }
    println!("{file}: {puzzles} puzzles, {steps} steps, none wrong, {solved} solved");
    (puzzles, steps, solved)
}

#[test]
fn every_step_of_every_collection_is_right() {
    if data().is_none() {
        return;
    }
    let solver = solver(9);
    let files = [
        "top1465.txt",
        "17-clue-5000.txt",
        "hardest-375.txt",
        "hardest-rated-500.txt",
        "se-rated-2000.txt",
        "se-ladder.txt",
        "tridagon-300.txt",
        "pencilmarks-100.txt",
        "sukaku-rated-500.txt",
        "reglib-half.txt",
        "technique/exemplars.txt",
        "technique/whips-and-more.txt",
    ];
    let steps: usize = files.iter().map(|file| check(file, &solver).1).sum();
    assert!(steps > 10_000, "only {steps} steps were checked");
}

#[test]
fn every_board_size_is_solved_as_far_as_the_rules_reach() {
    if data().is_none() {
        return;
    }
    let rulebook = Rulebook::embedded();
    for size in Geometry::standard_sizes().filter(|&size| size != 9) {
        let solver = Solver::new(&rulebook, &geometry(size), &Profile::default(), Limits::default());
        let (puzzles, steps, _) = check(&format!("variants/plain_{size}x{size}.txt"), &solver);
        assert!(puzzles > 0 && steps > 0, "{size}: nothing was read");
        if size >= 16 {
            check(&format!("variants/found_plain_{size}x{size}.txt"), &solver);
        }
    }
}
