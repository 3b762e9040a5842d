//! A sample crate that uses Pinion as a library, from `tests/author`: its code compiles and its tests pass.

#[path = "author/src/lib.rs"]
pub mod my_solver;

#[path = "author/tests/deductions.rs"]
mod deductions;
