//! What the own rule deduces, as snapshots: all matches in their order, each with what it shows and why.
//!
//! `cargo insta test --review` shows what a change of a rule, or of Pinion, makes of it.

use my_solver::solver_for;
use pinion::grid::formats::read_one;
use pinion::render::explained;

/// Every match as text: small, in a fixed order, and readable in a review.
fn matches(grid: &str, technique: &str) -> String {
    let puzzle = read_one(grid, None).expect("a grid");
    let solver = solver_for(&puzzle);
    let found = solver.find_all(&puzzle.state(), Some(technique)).expect("the name is known");
    assert!(found.cuts.is_empty(), "no limit may hide a match");
    let lines = found.steps.iter().flat_map(|step| explained(solver.geometry(), step, 2));
    lines.map(|line| format!("{line}\n")).collect()
}

const GRID: &str = "
1234 1234 34   34
1234 1234 1234 1234
1234 1234 1234 1234
1234 1234 1234 1234
";

#[test]
fn two_cells_in_a_row_and_a_box() {
    insta::assert_snapshot!(matches(GRID, "two_cells"), @r"
    Two Cells: 3/4 in r1c34, r1 => r1c12<>34
      The candidates of r1c3 and r1c4 together exclude the candidates 3 and 4 in r1c1 and r1c2.
    Two Cells: 3/4 in r1c34, b2 => r2c34<>34
      The candidates of r1c3 and r1c4 together exclude the candidates 3 and 4 in r2c3 and r2c4.
    ");
}

#[test]
fn nothing_where_one_of_them_has_a_third_candidate() {
    insta::assert_snapshot!(matches(&GRID.replace("34   34", "34   134"), "two_cells"), @"");
}
