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

pub use loaded::{Loaded, found, read};

use super::args::{Global, ProfileArg};
use super::exit::{Exit, Failure, Stop};
use super::limits::RunTimeArg;
use super::output::Output;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion test my-rule.pinion
  pinion test
  pinion test my-rules/ --review
  pinion test my-rules/ --unreferenced reject --junit results.xml
  pinion test --library reglib.txt
  pinion test --library reglib.txt --code 0300 --verbose

An example must show exactly the deductions that it lists, a near miss none. A rule with neither an example nor a
snapshot fails. Without a path Pinion tests the built-in rulebook.

Positions in NAME.test are for the rules of NAME.pinion beside it, those in all.test for all rules of the folder. All
that a rule finds on a position is compared with a snapshot in the folder snapshots. Nothing is written without
--accept, --review or --pending; after --pending `cargo insta review` works too.

A library has one case a line, :code:digits:cells:deleted:eliminations:placements:extra. The code means a technique
(rules/catalogues/hodoku.ron); some match must show exactly what the case lists, or none if the code ends in -x. Cases
without a known rule count as not covered. The exit code is 0 if nothing failed.";

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
    /// Rule files, or folders of .pinion files [default: the built-in rulebook]
    #[arg(value_name = "PATH", conflicts_with = "library")]
    paths: Vec<PathBuf>,
    /// A board file whose name examples may give in their `board` line; repeatable
    #[arg(long, value_name = "FILE", conflicts_with = "library")]
    board: Vec<String>,
    /// Run the cases of a regression library
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
    /// Only cases of a library whose code begins like this; repeatable
    #[arg(long, value_name = "CODE", requires = "library")]
    code: Vec<String>,
    /// Only techniques with this text in their id or in one of their names
    #[arg(long, value_name = "TEXT", conflicts_with = "library")]
    filter: Option<String>,
    /// Accept every snapshot that is new or changed
    #[arg(long, conflicts_with_all = ["library", "review"])]
    accept: bool,
    /// Show new and changed snapshots one at a time and ask
    #[arg(long, conflicts_with = "library")]
    review: bool,
    /// Write snapshots that are new or changed beside the accepted ones, as .snap.new
    #[arg(long, conflicts_with_all = ["library", "accept"])]
    pending: bool,
    /// Write no snapshots: the default
    #[arg(long, hide = true, conflicts_with_all = ["library", "accept", "review", "pending"])]
    check: bool,
    /// What to do with snapshots that no test makes any more
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    unreferenced: Unreferenced,
    /// Also name the members of families, names of steps and requirements that no test covers
    #[arg(long, conflicts_with = "library")]
    coverage: bool,
    /// Drop or weaken each requirement in turn, and name the changes that no test and no proof notices
    #[arg(long, conflicts_with = "library")]
    mutate: bool,
    /// Write the results to this file as JUnit XML
    #[arg(long, value_name = "FILE", conflicts_with = "library")]
    junit: Option<PathBuf>,
    /// Show every rule, and every failed case of a library with what was found instead
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: RunTimeArg,
}

impl TestArgs {
    /// Returns true if files of the project are to be written or deleted.
    fn writes(&self) -> bool {
        self.accept || self.review || self.pending || self.unreferenced == Unreferenced::Delete
    }
}

/// Tests some files, as `pinion test` does, and whether they could be read.
pub fn test_files(files: &[PathBuf], global: &Global, out: &mut Output) -> Result<(Exit, bool), Stop> {
    let args = TestArgs { paths: files.to_vec(), ..TestArgs::default() };
    rules::run(&args, global, out)
}

/// Tests.
pub fn run(args: &TestArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    args.time.begin();
    match &args.library {
        Some(_) if out.annotates() => {
            Err(Failure::usage("cases of a library stand in no rule file; use --format text or json").into())
        }
        Some(file) => library::run(args, file, global, out),
        None => rules::run(args, global, out).map(|(exit, _)| exit),
    }
}
