//! Fuzz target `puzzles`, shared with the test suite.
#![no_main]

#[path = "../../tests/fuzz/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::run("puzzles", bytes));
