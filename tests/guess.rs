//! Guesses: only on request, marked in every step that depends on them, and withdrawn when they are wrong.

use crate::common::{PUZZLES, geometry, puzzles, solver};
use pinion::engine::Limits;
use pinion::grid::Candidate;
use pinion::grid::formats::read_one;
use pinion::proof::{Uniqueness, uniqueness};
use pinion::render::{PathOptions, PathRecord, path_lines, unstyled};
use pinion::solve::{Outcome, PathCursor, Profile, Rulebook, Solver, Trial, embedded};

/// Returns a solver whose only technique is the hidden single.
fn hidden_single_solver() -> Solver {
    let (name, text) =
        embedded::RULES.iter().find(|(name, _)| name.contains("hidden_single")).expect("in the rulebook");
    let rulebook = Rulebook::default().with([(name.to_string(), text.to_string())]);
    Solver::new(&rulebook, &geometry(9), &Profile::default(), Limits::default())
}

#[test]
fn guesses_solve_puzzles_that_the_techniques_do_not_solve() {
    let solver = hidden_single_solver();
    let mut withdrawn_guesses = 0;
    for text in PUZZLES {
        let state = read_one(text, None).expect("a puzzle").state();
        let Uniqueness::One(solution) = uniqueness(solver.geometry(), &state) else { panic!("one solution") };
        let path = solver.solve_guessing(state.clone());
        assert_eq!(path.outcome, Outcome::Solved);
        let mut cursor = PathCursor::new(path.start.clone());
        for step in &path.steps {
            let withdrawn = usize::from(matches!(step.trial, Some(Trial::TakenBack(_))));
            withdrawn_guesses += withdrawn;
            assert_eq!(step.guesses, cursor.guesses() - withdrawn);
            // The conclusions of a step that depends on no guess are true.
            if step.guesses == 0 && step.trial != Some(Trial::Guess) {
                let is_true = |candidate: &Candidate| solution[candidate.cell.index()] == candidate.digit;
                assert!(!step.eliminations.iter().any(is_true), "{step:?}");
                assert!(step.placements.iter().all(is_true), "{step:?}");
            }
            cursor.apply(solver.geometry(), step);
        }
        let end = cursor.state().clone();
        assert_eq!(end, path.end);
        assert!(solver.geometry().cells().all(|cell| end.value(cell) == Some(solution[cell.index()])));
        // Without a request the solver does not guess.
        assert_eq!(solver.solve(state).guesses(), 0);
    }
    assert!(withdrawn_guesses > 0);
}

#[test]
fn nothing_is_guessed_if_the_techniques_solve_the_puzzle() {
    let solver = solver(9);
    let state = puzzles()[0].state();
    assert_eq!(solver.solve_guessing(state.clone()), solver.solve(state));
}

#[test]
fn guesses_show_that_a_puzzle_has_no_solution() {
    let solver = hidden_single_solver();
    let mut state = read_one(PUZZLES[6], None).expect("a puzzle").state();
    let Uniqueness::One(solution) = uniqueness(solver.geometry(), &state) else { panic!("one solution") };
    let cell = solver.geometry().cells().find(|&cell| state.candidates(cell).len() > 2).expect("an open cell");
    state.eliminate(Candidate::new(solution[cell.index()], cell));
    let path = solver.solve_guessing(state);
    assert!(matches!(path.outcome, Outcome::Broken(_)));
    assert!(path.guesses() > 0);
}

#[test]
fn guesses_are_marked() {
    let solver = hidden_single_solver();
    let path = solver.solve_guessing(read_one(PUZZLES[5], None).expect("a puzzle").state());
    let record = PathRecord::new(solver.geometry(), &path);
    assert_eq!(record.steps.iter().filter(|step| step.guess.as_deref() == Some("made")).count(), path.guesses());
    assert!(record.steps.iter().any(|step| step.guess.is_none() && step.guess_count > 0));
    let options = PathOptions { steps: true, grids: false, cost: false, width: None };
    let text = unstyled(&path_lines(solver.geometry(), &path, options));
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains("Hidden")).collect();
    // The first eight lines about guesses, then the last two lines in reverse order.
    let is_about_guess = |line: &str| ["uess", "candidates than", "With "].iter().any(|words| line.contains(words));
    let mut shown: Vec<&str> = lines.iter().copied().filter(|line| is_about_guess(line)).take(8).collect();
    shown.extend(lines.iter().rev().take(2));
    insta::assert_snapshot!(shown.join("\n"));
}
