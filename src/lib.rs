//! Pinion: a rule engine that solves Sudoku the way people do. Every technique is a pattern file.
//!
//! Data flows one way, and each arrow is a function:
//!
//! ```text
//! rule text ──lang::parse──▶ ast::File ──lang::lower──▶ ir::Technique ──Engine::new × Geometry──▶ Engine ─┐
//! puzzle text ──grid::formats::read_one──▶ Puzzle ──state──▶ State ──Engine::position──▶ Position ──────────────┤
//!                                                                                            Position::find
//!                                                                                                         ▼
//!                  Path ◀──Solver::solve── Step (conclusions, values of names, cited cells) ◀── Match
//!                    └──▶ render (lines of text, records for JSON and RON, DOT)
//! ```
//!
//! Start with [`Rules`]: it loads rules, finds their matches, solves puzzles, and proves and tests rules.
//!
//! ```
//! use pinion::Rules;
//!
//! let rule = r#"
//! technique last_place "Last Place" {
//!   h: house
//!   d: digit
//!   require d in h = {c}
//!   place d in c
//!   because "{c} is the only place for {d} in {h}"
//! }
//! "#;
//! let rules = Rules::built_in().with("mine.pinion", rule)?;
//!
//! let puzzle = "8.9..3..4.24...61..7...6.297.2.4.......3.2.......5.1.225.1...4..47...83.1..7..2.5";
//! let path = rules.solve(puzzle)?;
//! for step in &path.steps {
//!     println!("{}\n    {}", step.text, step.reason);
//! }
//! assert_eq!(path.outcome, "solved");
//!
//! let mine = rules.find(puzzle, "last_place")?;
//! assert!(mine.iter().all(|step| step.placements.len() == 1));
//! # Ok::<(), pinion::Error>(())
//! ```
//!
//! [`candidate_graph`] returns the candidates of a puzzle as a graph of [`petgraph`].
//!
//! `tests/author/` is a crate that snapshot-tests the deductions of its own rules.
//!
//! The modules are for the program, tests and benches of this repository, and may change with every version:
//!
//! - `grid`: boards, positions, puzzle formats, notation.
//! - `lang`: compiles rule text to checked rules (IR), with diagnostics.
//! - `engine`: compiles checked rules to plans, and finds their matches in positions.
//! - `eval`: evaluates expressions, conditions and sentences, in the simplest code.
//! - `solve`: the rulebook, profiles, steps and paths.
//! - `render`: steps and paths as text, records and pictures.
//! - `proof`: uniqueness of solutions and soundness of rules; independent of the engine, so each checks the other.
//! - `workbench`: tools for authors of rules: tests, lints, mutants, near misses.
//! - `editor`: rule files in an editor: completions, hover texts, definitions.
//! - `playground`: requests and responses of the web page, as JSON.
//! - `cli`: the commands.

#![warn(missing_docs)]

mod facade;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod editor;
#[doc(hidden)]
pub mod engine;
#[doc(hidden)]
pub mod eval;
#[doc(hidden)]
pub mod grid;
#[doc(hidden)]
pub mod lang;
#[doc(hidden)]
pub mod playground;
#[doc(hidden)]
pub mod proof;
#[doc(hidden)]
pub mod render;
#[doc(hidden)]
pub mod solve;
#[doc(hidden)]
pub mod workbench;

pub use facade::{Error, Rules, candidate_graph};
#[doc(inline)]
pub use grid::formats::FormatError;
#[doc(inline)]
pub use lang::ir::Example;
/// The graph library of [`CandidateGraph`], in the version that Pinion uses.
pub use petgraph;
#[doc(inline)]
pub use proof::{Counterexample, Status, Verdict};
#[doc(inline)]
pub use render::{
    BindingRecord, CandidateGraph, CandidateLink, CandidateRecord, CaseRecord, CellRecord, InferenceRecord, LinkRecord,
    PathRecord, StepRecord, WrongRecord,
};
#[doc(inline)]
pub use workbench::examples::{CheckedExample, Verdict as TestVerdict};
