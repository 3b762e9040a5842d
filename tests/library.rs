//! The programs in `examples/`, and the crate of a solver's author in `tests/author`, as parts of this suite: they compile
//! and run as they stand, without a program of their own for each.

#[path = "../examples/find_matches.rs"]
mod find_matches;
#[path = "../examples/load_rules.rs"]
mod load_rules;
#[path = "../examples/prove.rs"]
mod prove;
#[path = "../examples/solve.rs"]
mod solve;
#[path = "../examples/test_rules.rs"]
mod test_rules;

#[path = "author/src/lib.rs"]
pub mod my_solver;

#[path = "author/tests/deductions.rs"]
mod deductions;

#[test]
fn the_examples_run() {
    load_rules::main();
    find_matches::main();
    solve::main();
    test_rules::main();
    prove::main();
}
