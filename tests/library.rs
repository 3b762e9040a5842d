//! The crate of a solver's author in `tests/author`, as a part of this suite: it compiles and runs as it stands.

#[path = "author/src/lib.rs"]
pub mod my_solver;

#[path = "author/tests/deductions.rs"]
mod deductions;
