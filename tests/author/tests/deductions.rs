//! Snapshots of the deductions of the crate's own rule.
//!
//! `cargo insta test --review` shows how a change of a rule, or of Pinion, changes them.

use my_solver::rules;

/// Returns the text and the reason of every match, in a fixed order, for review in a snapshot.
fn matches_as_text(grid: &str, technique: &str) -> String {
    let steps = rules().and_then(|rules| rules.find(grid, technique)).expect("the rule and the grid can be read");
    steps.iter().map(|step| format!("{}\n  {}\n", step.text, step.reason)).collect()
}

const GRID: &str = "
1234 1234 34   34
1234 1234 1234 1234
1234 1234 1234 1234
1234 1234 1234 1234
";

#[test]
fn two_cells_in_a_row_and_a_box() {
    insta::assert_snapshot!(matches_as_text(GRID, "two_cells"), @r"
    Two Cells: 3/4 in r1c34, r1 => r1c12<>34
      The candidates of r1c3 and r1c4 together exclude the candidates 3 and 4 in r1c1 and r1c2.
    Two Cells: 3/4 in r1c34, b2 => r2c34<>34
      The candidates of r1c3 and r1c4 together exclude the candidates 3 and 4 in r2c3 and r2c4.
    ");
}

#[test]
fn no_match_if_one_of_the_cells_has_a_third_candidate() {
    insta::assert_snapshot!(matches_as_text(&GRID.replace("34   34", "34   134"), "two_cells"), @"");
}
