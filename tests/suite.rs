//! All tests as one program, so that the library is linked once. Each area has its file.

/// The plain evaluator keeps its values in maps: half of what it does is to allocate.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// The tests of the author's crate know that crate by its name.
extern crate self as my_solver;
pub use library::my_solver::rules;

mod brute_force;
mod cli;
mod codes;
mod common;
mod corpus;
mod docs;
mod editors;
mod embedded;
mod eureka;
mod format;
mod fuzz;
mod fuzz_lang;
mod fuzz_rules;
mod generated;
mod grid;
mod guess;
mod halt;
mod headlines;
mod house;
mod lang;
mod laws;
mod lengths;
mod library;
mod lowering;
mod oracle;
mod plain;
mod playground;
mod proof;
mod proof_boards;
mod proof_graph;
mod proof_ir;
mod proof_suppose;
mod refutation;
mod refute;
mod render;
mod rules;
mod scene;
mod shortcuts;
mod stages;
mod standing;
mod steps;
mod suppose;
mod workbench;
