//! `pinion test`: runs the examples, near misses and snapshots of rules, or the cases of a regression library.
//!
//! - `mod.rs`: options, and the loading of the tested rules.
//! - `rules.rs`: examples and snapshots of rules, the result of each test, and the summary.
//! - `snapshots.rs`: snapshots beside rule files, and their review.
//! - `strength.rs`: mutants and coverage.
//! - `library.rs`: the cases of a regression library.

mod library;
mod rules;
mod snapshots;
mod strength;

use crate::cli::input::{read_rule_file, rule_files, without_duplicates};
use crate::cli::prelude::*;
use crate::cli::rules::print_diagnostics;
use crate::lang::ast::Item;
use crate::lang::parse;
use crate::solve::{RuleFile, fold_name};
use crate::workbench::names::names;
use clap::ValueEnum;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Unreferenced {
    /// Do nothing
    Ignore,
    /// Name them
    #[default]
    Warn,
    /// Name them and fail
    Reject,
    /// Delete them
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

In an example, the rule must find exactly the deductions that the example lists; in a near miss, nothing. A rule with
neither an example nor a snapshot fails. Without a path Pinion tests the built-in rulebook.

A test file has positions: NAME.test for the rules of NAME.pinion beside it, all.test for all rules of the folder. All
matches of a rule on a position are compared with a snapshot in the folder snapshots. Nothing is written without
--accept, --review or --pending; after --pending `cargo insta review` works too.

A library has one case on each line, :code:digits:cells:deleted:eliminations:placements:extra. The code means a technique
(rules/catalogues/hodoku.ron). Some match must show exactly the deductions of the case; no match may show them if the code
ends in -x. Cases without a known rule count as not covered. The exit code is 0 if nothing failed.")]
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
    /// Treatment of snapshots that no test makes any more
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    unreferenced: Unreferenced,
    /// Also name the members of families, names of steps and requirements that no test covers
    #[arg(long, conflicts_with = "library")]
    coverage: bool,
    /// Drop or weaken each requirement in turn, and name the changes that neither a test nor a proof notices
    #[arg(long, conflicts_with = "library")]
    mutate: bool,
    /// Write the results to this file as JUnit XML
    #[arg(long, value_name = "FILE", conflicts_with = "library")]
    junit: Option<PathBuf>,
    /// Show every rule; for every failed case of a library, show the deductions that were found instead
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: RunTimeArg,
}

impl TestArgs {
    fn writes_files(&self) -> bool {
        self.accept || self.review || self.pending || self.unreferenced == Unreferenced::Delete
    }
}

/// Tests some files like `pinion test`. The bool is true if all files could be parsed.
pub fn test_files(files: &[PathBuf], global: &Global, out: &mut Output) -> Result<(Exit, bool), CommandError> {
    let args = TestArgs { paths: files.to_vec(), ..TestArgs::default() };
    rules::run(&args, global, out)
}

pub fn run(args: &TestArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    args.time.begin();
    match &args.library {
        Some(_) if out.is_for_diagnostics() => Err(Failure::usage(
            "this format shows places in rule files, and cases of a library have none; use --format text or json",
        )
        .into()),
        Some(file) => library::run(args, file, global, out),
        None => rules::run(args, global, out).map(|(exit, _)| exit),
    }
}

/// The rules of the tested files, with the other rules of the rulebook.
pub struct TestedRules {
    pub rulebook: Rulebook,
    pub ids: Vec<String>,
    /// Index of the first tested file in the rulebook. All later files are tested, too.
    first_file: usize,
    pub is_filtered: bool,
    pub broken_files: usize,
    pub highest_exit: Exit,
}

impl TestedRules {
    /// Reads files and folders. Without a path, all rules are tested: the built-in rulebook and the files of `--rules`.
    pub fn read(paths: &[PathBuf], global: &Global) -> TestedRules {
        let mut highest_exit = Exit::Done;
        let added_paths = find_rule_files(&global.rules, &mut highest_exit);
        let tested_paths = find_rule_files(paths, &mut highest_exit);
        // A file that is both added and tested counts as tested.
        let all_paths = without_duplicates(added_paths.into_iter().chain(tested_paths.iter().cloned()).collect());
        let (tested_paths, added_paths): (Vec<PathBuf>, Vec<PathBuf>) =
            all_paths.into_iter().partition(|path| tested_paths.contains(path));
        let base = Rulebook::embedded().with(read_files(&added_paths, &mut highest_exit));
        let first_file = if paths.is_empty() { 0 } else { base.files().len() };
        let rulebook = base.with(read_files(&tested_paths, &mut highest_exit));
        let files = &rulebook.files()[first_file..];
        let broken_files = files.iter().filter(|file| file.has_errors()).count();
        files.iter().for_each(print_diagnostics);
        if broken_files > 0 {
            highest_exit = highest_exit.max(Exit::Unsuccessful);
        }
        let ids = tested_ids(&rulebook, files);
        TestedRules { rulebook, ids, first_file, is_filtered: false, broken_files, highest_exit }
    }

    pub fn files(&self) -> &[RuleFile] {
        &self.rulebook.files()[self.first_file..]
    }

    /// Keeps the techniques that have `text` in their id or in one of their names.
    fn filter(&mut self, text: &str) {
        let text = fold_name(text);
        let mut techniques = self.techniques();
        techniques.retain(|technique| {
            fold_name(&technique.id).contains(&text)
                || names(technique).iter().any(|name| fold_name(name).contains(&text))
        });
        self.ids = techniques.into_iter().map(|technique| technique.id.clone()).collect();
        self.is_filtered = true;
    }

    fn file_of(&self, id: &str) -> &str {
        self.rulebook.file_of(id).map_or("", |file| &file.name)
    }

    pub fn techniques(&self) -> Vec<&Technique> {
        self.rulebook.techniques().iter().filter(|technique| self.ids.contains(&technique.id)).collect()
    }
}

/// Finds rule files like [`rule_files`]. Reports failures, and raises `highest_exit` to the exit code of a failure.
pub fn find_rule_files(paths: &[PathBuf], highest_exit: &mut Exit) -> Vec<PathBuf> {
    let found = rule_files(paths);
    for failure in &found.failures {
        *highest_exit = failure.report().max(*highest_exit);
    }
    found.paths
}

/// Reads rule files as (name, text). Reports failures, and raises `highest_exit` to the exit code of a failure.
pub fn read_files(paths: &[PathBuf], highest_exit: &mut Exit) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for path in paths {
        match read_rule_file(path) {
            Ok(file) => files.push(file),
            Err(failure) => *highest_exit = failure.report().max(*highest_exit),
        }
    }
    files
}

/// Returns the ids of the techniques that `files` declare or have examples of.
fn tested_ids(rulebook: &Rulebook, files: &[RuleFile]) -> Vec<String> {
    let mut ids = BTreeSet::new();
    for file in files {
        ids.extend(file.techniques.iter().cloned());
        for item in parse(&file.text).0.items {
            if let Item::Example(example) = item {
                ids.insert(example.id.name);
            }
        }
    }
    let techniques = rulebook.techniques().iter().map(|technique| technique.id.clone());
    techniques.filter(|id| ids.contains(id)).collect()
}
