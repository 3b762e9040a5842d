//! Guessing: off unless it is asked for, marked in every step that has to do with it, and taken back when wrong.

use crate::common::{PUZZLES, geometry, puzzles, solver};
use pinion::engine::Limits;
use pinion::grid::formats::read_one;
use pinion::proof::{Uniqueness, uniqueness};
use pinion::render::{PathOptions, PathRecord, path_lines, unstyled};
use pinion::solve::{Outcome, PathCursor, Profile, Rulebook, Solver, Trial, embedded};

/// A solver that knows the last place of a digit in a house and nothing else.
fn simple() -> Solver {
    let (name, text) = embedded::rules().iter().find(|(name, _)| name.contains("hidden_single")).expect("it is there");
    let rulebook = Rulebook::default().with([(name.to_string(), text.to_string())]);
    Solver::new(&rulebook, &geometry(9), &Profile::default(), Limits::default())
}

#[test]
fn guesses_solve_what_techniques_do_not() {
    let solver = simple();
    let mut back = 0;
    for text in PUZZLES {
        let state = read_one(text, None).expect("a puzzle").state();
        let Uniqueness::One(solution) = uniqueness(solver.geometry(), &state) else { panic!("one solution") };
        let path = solver.solve_guessing(state.clone());
        assert_eq!(path.outcome, Outcome::Solved);
        let mut cursor = PathCursor::new(path.start.clone());
        for step in &path.steps {
            assert_eq!(step.guesses, cursor.guesses() - usize::from(matches!(step.trial, Some(Trial::TakenBack(_)))));
            // A step that rests on no guess is true. A wrong guess is withdrawn only after it was refuted.
            if step.guesses == 0 && step.trial != Some(Trial::Guess) {
                assert!(step.eliminations.iter().all(|gone| solution[gone.cell.index()] != gone.digit), "{step:?}");
                assert!(step.placements.iter().all(|put| solution[put.cell.index()] == put.digit), "{step:?}");
            }
            back += usize::from(matches!(step.trial, Some(Trial::TakenBack(_))));
            cursor.apply(solver.geometry(), step);
        }
        let end = cursor.state().clone();
        assert_eq!(end, path.end);
        assert!(solver.geometry().cells().all(|cell| end.value(cell) == Some(solution[cell.index()])));
        // Without being told to it guesses nothing.
        assert_eq!(solver.solve(state).guesses(), 0);
    }
    assert!(back > 0, "some guess is wrong");
}

#[test]
fn nothing_is_guessed_where_techniques_do() {
    let solver = solver(9);
    let state = puzzles()[0].state();
    assert_eq!(solver.solve_guessing(state.clone()), solver.solve(state));
}

#[test]
fn a_puzzle_without_a_solution_stays_broken() {
    let solver = simple();
    let mut state = read_one(PUZZLES[6], None).expect("a puzzle").state();
    let Uniqueness::One(solution) = uniqueness(solver.geometry(), &state) else { panic!("one solution") };
    let cell = solver.geometry().cells().find(|&cell| state.candidates(cell).len() > 2).expect("an open cell");
    state.eliminate(pinion::grid::Candidate::new(solution[cell.index()], cell));
    let path = solver.solve_guessing(state);
    assert!(matches!(path.outcome, Outcome::Broken(_)));
    assert!(path.guesses() > 0);
}

#[test]
fn guesses_are_marked() {
    let solver = simple();
    let found = solver.solve_guessing(read_one(PUZZLES[5], None).expect("a puzzle").state());
    let told = unstyled(&path_lines(
        solver.geometry(),
        &found,
        PathOptions { steps: true, grids: false, cost: false, width: None },
    ));
    let lines: Vec<&str> = told.lines().filter(|line| !line.contains("Hidden")).collect();
    let record = PathRecord::new(solver.geometry(), &found);
    assert_eq!(record.steps.iter().filter(|step| step.guess.as_deref() == Some("made")).count(), found.guesses());
    assert!(record.steps.iter().any(|step| step.guess.is_none() && step.guess_count > 0));
    let about = |line: &&&str| line.contains("uess") || line.contains("candidates than") || line.contains("With ");
    let shown: Vec<&str> = lines.iter().filter(about).take(8).chain(lines.iter().rev().take(2)).copied().collect();
    insta::assert_snapshot!(shown.join("\n"));
}
