//! `pinion test`. In: rule files, or a library of cases. Out: which of their examples, near misses and cases hold.

mod case;
mod examples;
mod library;
mod loaded;

use super::args::{Global, ProfileArg};
use super::exit::{Exit, Stop};
use super::output::Output;
use clap::Args;
use std::path::PathBuf;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion test my-rule.pinion
  pinion test
  pinion test --library reglib.txt
  pinion test --library reglib.txt --code 0300 --verbose

Every example of the rules in these files must show just the deductions that it lists, and no near miss any. A rule
without an example fails. Without a path the built-in rulebook is tested.

A library has one case a line, :code:digits:cells:deleted:eliminations:placements:extra. The code names a technique
(rules/peers/hodoku.ron); some match of it must show just what the case lists, or, where the code ends in -x, none may.
Each line of the table is a code. Cases whose technique has no rule count as not covered.
The exit code is 0 if nothing failed.";

/// Options.
#[derive(Args, Debug)]
pub struct TestArgs {
    /// Rule files, or folders of .pinion files; none is the built-in rulebook
    #[arg(value_name = "PATH", conflicts_with = "library")]
    paths: Vec<PathBuf>,
    /// Run the cases of a regression library
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
    /// Of a library, only cases whose code begins like this; may be given more than once
    #[arg(long, value_name = "CODE", requires = "library")]
    code: Vec<String>,
    /// Show every rule, and every case of a library that failed, with what was found instead
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    profile: ProfileArg,
}

/// Tests.
pub fn run(args: &TestArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    match &args.library {
        Some(file) => library::run(args, file, global, out),
        None => examples::run(args, global, out),
    }
}
