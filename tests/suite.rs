//! All tests as one program, so that the library is linked once. Each module tests one area.

// The evaluator keeps its values in maps and spends half of its time on allocation. This allocator is faster than the
// usual one.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// `library` includes the sample crate `my_solver`, whose tests import it by that name.
extern crate self as my_solver;
pub use library::my_solver::rules;

mod brute_force;
mod chain_lengths;
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
mod headlines;
mod house;
mod lang;
mod laws;
mod library;
mod lowering;
mod oracle;
mod playground;
mod proof;
mod proof_boards;
mod proof_graph;
mod proof_ir;
mod proof_record;
mod proof_suppose;
mod reader_explanations;
mod render;
mod rules;
mod sat_refutations;
mod scene;
mod search_limits;
mod search_refutations;
mod shortcuts;
mod stages;
mod steps;
mod suppose;
mod workbench;
