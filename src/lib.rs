//! Pinion: a rule engine that solves Sudoku the way people do, its techniques all in pattern files.

pub mod cli;
pub mod engine;
pub mod grid;
pub mod lang;
pub mod proof;
pub mod render;
pub mod solve;
