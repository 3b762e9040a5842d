//! `pinion test`. In: rule files, or a library of cases. Out: which of their examples, near misses and cases hold.
//!
//! - `mod.rs`: options and the rules to be tested.
//! - `rules.rs`: examples and snapshots of rules, the result of each test, and the summary.
//! - `snapshots.rs`: snapshots beside rule files, and their review.
//! - `strength.rs`: mutants and coverage.
//! - `library.rs`: the cases of a regression library.

mod library;
mod rules;
mod snapshots;
mod strength;

use crate::cli::input::{each_once, rule_file, rule_files};
use crate::cli::prelude::*;
use crate::cli::rules::print_findings;
use crate::lang::ast::Item;
use crate::lang::ir::Technique;
use crate::lang::parse;
use crate::solve::{RuleFile, fold_name};
use crate::workbench::names::names;
use clap::ValueEnum;

/// Treatment of stale snapshots.
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

/// Run the examples of rules, or cases of a library
#[derive(Args, Debug, Default)]
#[command(after_help = "\
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
without a known rule count as not covered. The exit code is 0 if nothing failed.")]
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

/// Runs the tests.
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

/// The rules to be tested.
pub struct TestedRules {
    /// Everything that the rules may refer to.
    pub rulebook: Rulebook,
    /// Ids of the techniques that are meant, in the order of the rulebook.
    pub ids: Vec<String>,
    /// Index of the first tested file among those of the rulebook.
    own: usize,
    /// Number of tested files.
    pub count: usize,
    /// True if no filter left a technique out.
    pub whole: bool,
    /// Number of tested files with errors.
    pub broken: usize,
    /// The worst of what could not be read.
    pub worst: Exit,
}

impl TestedRules {
    /// Reads files and folders; without any, the embedded rulebook is meant, with the rules added to every command.
    pub fn read(paths: &[PathBuf], global: &Global) -> TestedRules {
        let mut worst = Exit::Done;
        let (added, meant) = (found(&global.rules, &mut worst), found(paths, &mut worst));
        let all = each_once(added.into_iter().chain(meant.iter().cloned()).collect());
        let (meant, added): (Vec<PathBuf>, Vec<PathBuf>) = all.into_iter().partition(|file| meant.contains(file));
        let base = Rulebook::embedded().with(read(&added, &mut worst));
        let own = base.files().len();
        let rulebook = base.with(read(&meant, &mut worst));
        let files = if paths.is_empty() { rulebook.files() } else { &rulebook.files()[own..] };
        let broken = files.iter().filter(|file| file.has_errors()).count();
        files.iter().for_each(print_findings);
        let ids = meant_by(&rulebook, files);
        let count = files.len();
        let own = rulebook.files().len() - count;
        let worst = if broken > 0 { worst.max(Exit::Short) } else { worst };
        TestedRules { rulebook, ids, own, count, whole: true, broken, worst }
    }

    /// The files that are meant.
    pub fn files(&self) -> &[RuleFile] {
        &self.rulebook.files()[self.own..]
    }

    /// Keeps the techniques that have a text in their id or in one of their names.
    pub fn keep(&mut self, filter: &str) {
        let wanted = fold_name(filter);
        let mut kept = self.techniques();
        kept.retain(|one| {
            fold_name(&one.id).contains(&wanted) || names(one).iter().any(|name| fold_name(name).contains(&wanted))
        });
        self.ids = kept.into_iter().map(|one| one.id.clone()).collect();
        self.whole = false;
    }

    /// The name of the file that declares a technique.
    fn file_of(&self, id: &str) -> &str {
        self.rulebook.file_of(id).map_or("", |file| &file.name)
    }

    /// The techniques that are meant.
    pub fn techniques(&self) -> Vec<&Technique> {
        self.rulebook.techniques().iter().filter(|technique| self.ids.contains(&technique.id)).collect()
    }
}

/// Finds the rule files that some paths stand for; says what cannot be found.
pub fn found(paths: &[PathBuf], worst: &mut Exit) -> Vec<PathBuf> {
    let found = rule_files(paths);
    *worst = found.failures.iter().map(Failure::report).fold(*worst, Exit::max);
    found.paths
}

/// Reads rule files; says what cannot be read.
pub fn read(files: &[PathBuf], worst: &mut Exit) -> Vec<(String, String)> {
    let (files, failures): (Vec<_>, Vec<_>) = files.iter().map(|file| rule_file(file)).partition(Result::is_ok);
    *worst = failures.iter().filter_map(|one| one.as_ref().err()).map(Failure::report).fold(*worst, Exit::max);
    files.into_iter().flatten().collect()
}

/// Techniques that files declare, or have examples of.
fn meant_by(rulebook: &Rulebook, files: &[RuleFile]) -> Vec<String> {
    let mut ids: Vec<String> = files.iter().flat_map(|file| file.techniques.clone()).collect();
    for file in files {
        ids.extend(parse(&file.text).0.items.into_iter().filter_map(|item| match item {
            Item::Example(example) => Some(example.id.name),
            _ => None,
        }));
    }
    let known = rulebook.techniques().iter().map(|technique| technique.id.clone());
    known.filter(|id| ids.contains(id)).collect()
}
