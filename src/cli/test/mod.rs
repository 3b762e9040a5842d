//! `pinion test`. In: files with cases. Out: which of them the rules pass.

mod case;
mod library;

use super::args::{Global, ProfileArg};
use super::exit::{Exit, Stop};
use super::output::Output;
use clap::Args;
use std::path::PathBuf;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion test --library reglib.txt
  pinion test --library reglib.txt --code 0300 --verbose

A library has one case a line, :code:digits:cells:deleted:eliminations:placements:extra. The code names a technique
(rules/peers/hodoku.ron); some match of it must show just what the case lists, or, where the code ends in -x, none may.
Each line of the table is a code. Cases whose technique has no rule count as not covered.
The exit code is 0 if no case failed.";

/// Options.
#[derive(Args, Debug)]
pub struct TestArgs {
    /// Run the cases of a regression library
    #[arg(long, value_name = "FILE", required = true)]
    library: PathBuf,
    /// Only cases whose code begins like this; may be given more than once
    #[arg(long, value_name = "CODE")]
    code: Vec<String>,
    /// Show every case that failed, with what was found instead
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    profile: ProfileArg,
}

/// Tests.
pub fn run(args: &TestArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    library::run(args, global, out)
}
