//! Pinion: a rule engine that solves Sudoku the way people do, its techniques all in pattern files.
//!
//! Data flows one way, and each arrow is a function:
//!
//! ```text
//! rule text ──lang::parse──▶ ast::File ──lang::lower──▶ ir::Technique ──Engine::new × Geometry──▶ Engine ─┐
//! puzzle text ──grid::formats::read_one──▶ Puzzle ──state──▶ State ──Engine::on──▶ Position ──────────────┤
//!                                                                                            Position::find
//!                                                                                                         ▼
//!                Path ◀──Solver::solve── Step (conclusions, names with values, what it rests on) ◀── Match
//!                  └──▶ render (lines of text, records for JSON and RON, DOT)
//! ```
//!
//! - [`grid`]: boards, positions, puzzle formats, notation.
//! - [`lang`]: rule text to a checked form, with everything that is wrong with it.
//! - [`engine`]: the checked form to plans, positions to matches.
//! - [`solve`]: the rulebook, profiles, steps and whole paths.
//! - [`render`]: steps in words.
//! - [`proof`]: whether a puzzle has one solution and a rule is right; shares nothing with the engine, so that each
//!   checks the other.
//! - [`workbench`]: tools for authors of rules: puzzles and examples.
//! - [`cli`]: the commands.
//!
//! A program for each of loading rules, finding matches, solving, testing and proving stands in `examples/`; a crate that
//! snapshot-tests what its own rules deduce, in `tests/author/`.
//!
//! # Example
//!
//! A rule of one's own beside the built-in rulebook, and a puzzle solved with its reasons:
//!
//! ```
//! use pinion::engine::Limits;
//! use pinion::grid::formats::read_one;
//! use pinion::render::explained;
//! use pinion::solve::{Outcome, Profile, Rulebook, Solver};
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
//! let rules = Rulebook::embedded().with([("mine.pinion".to_string(), rule.to_string())]);
//! assert!(rules.files().iter().all(|file| file.diagnostics.is_empty()));
//!
//! let puzzle = read_one("8.9..3..4.24...61..7...6.297.2.4.......3.2.......5.1.225.1...4..47...83.1..7..2.5", None).unwrap();
//! let solver = Solver::new(&rules, &puzzle.geometry, &Profile::default(), Limits::default());
//! let path = solver.solve(puzzle.state());
//! for step in &path.steps {
//!     for line in explained(solver.geometry(), step, 4) {
//!         println!("{line}");
//!     }
//! }
//! assert_eq!(path.outcome, Outcome::Solved);
//!
//! let mine = solver.find_all(&puzzle.state(), Some("last_place")).unwrap();
//! assert!(mine.steps.iter().all(|step| step.placements.len() == 1));
//! ```

pub mod cli;
pub mod engine;
pub mod grid;
pub mod lang;
pub mod proof;
pub mod render;
pub mod solve;
pub mod workbench;
