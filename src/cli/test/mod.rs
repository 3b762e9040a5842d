//! `pinion test`. In: rule files, or a library of cases. Out: which of their examples, near misses and cases hold.

mod examples;
mod junit;
mod library;
mod loaded;
mod outcome;
mod review;
mod rules;
mod snapshots;
mod strength;

pub use loaded::Loaded;

use super::args::{Global, ProfileArg};
use super::exit::{Exit, Stop};
use super::output::Output;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion test my-rule.pinion
  pinion test
  pinion test my-rules/ --review
  pinion test my-rules/ --check --unreferenced reject --junit results.xml
  pinion test --library reglib.txt
  pinion test --library reglib.txt --code 0300 --verbose

Every example of the rules in these files must show just the deductions that it lists, and no near miss any. A rule
without an example fails. Without a path the built-in rulebook is tested.

Positions in NAME.test are for the rules of NAME.pinion beside it, those in all.test for all rules of the folder. All that
a rule finds on each is compared with a snapshot in the folder snapshots there; `cargo insta review` reads them too.

A library has one case a line, :code:digits:cells:deleted:eliminations:placements:extra. The code names a technique
(rules/catalogues/hodoku.ron); some match of it must show just what the case lists, or, where the code ends in -x, none may.
Each line of the table is a code. Cases whose technique has no rule count as not covered.
The exit code is 0 if nothing failed.";

/// What becomes of stale snapshots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Unreferenced {
    /// Nothing
    Ignore,
    /// They are named
    #[default]
    Warn,
    /// They make the test fail
    Reject,
    /// They are deleted
    Delete,
}

/// Options.
#[derive(Args, Debug, Default)]
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
    /// Only techniques with this text in their id or in one of their names
    #[arg(long, value_name = "TEXT", conflicts_with = "library")]
    filter: Option<String>,
    /// Accept every snapshot that is new or changed
    #[arg(long, conflicts_with_all = ["library", "review", "check"])]
    accept: bool,
    /// Show new and changed snapshots one at a time and ask
    #[arg(long, conflicts_with_all = ["library", "check"])]
    review: bool,
    /// Write no pending snapshots
    #[arg(long, conflicts_with = "library")]
    check: bool,
    /// What becomes of snapshots that no test makes any more
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    unreferenced: Unreferenced,
    /// Say which members of families, names and requirements no test brings about or notices
    #[arg(long, conflicts_with = "library")]
    coverage: bool,
    /// Drop or weaken each requirement in turn, and say where neither a test nor a proof notices
    #[arg(long, conflicts_with = "library")]
    mutate: bool,
    /// Write the results to this file as JUnit XML
    #[arg(long, value_name = "FILE", conflicts_with = "library")]
    junit: Option<PathBuf>,
    /// Show every rule, and every case of a library that failed, with what was found instead
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    profile: ProfileArg,
}

/// Tests some files, as `pinion test` does, and whether they could be read.
pub fn test_files(files: &[PathBuf], global: &Global, out: &mut Output) -> Result<(Exit, bool), Stop> {
    let args = TestArgs { paths: files.to_vec(), ..TestArgs::default() };
    rules::run(&args, global, out)
}

/// Tests.
pub fn run(args: &TestArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    match &args.library {
        Some(file) => library::run(args, file, global, out),
        None => rules::run(args, global, out).map(|(exit, _)| exit),
    }
}
