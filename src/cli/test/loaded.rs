//! Rules to be tested. In: paths. Out: the rulebook with them, and which techniques are meant; one file that cannot be
//! read does not keep the others from being tested.

use super::super::args::Global;
use super::super::exit::{Exit, Failure};
use super::super::input::{each_once, rule_file, rule_files};
use super::super::rules::tell;
use crate::lang::ast::Item;
use crate::lang::ir::Technique;
use crate::lang::parse;
use crate::solve::{RuleFile, Rulebook, folded};
use crate::workbench::names::names;
use std::path::PathBuf;

/// What is tested.
pub struct Loaded {
    /// Everything that the rules may refer to.
    pub rulebook: Rulebook,
    /// Ids of the techniques that are meant, in the order of the rulebook.
    pub ids: Vec<String>,
    /// Where its own files begin among those of the rulebook.
    own: usize,
    /// How many files are meant.
    pub count: usize,
    /// Whether nothing was left out by a filter.
    pub whole: bool,
    /// How many of them have errors.
    pub broken: usize,
    /// The worst of what could not be read.
    pub worst: Exit,
}

impl Loaded {
    /// Reads files and folders; without any, the embedded rulebook is meant, with the rules added to every command.
    pub fn read(paths: &[PathBuf], global: &Global) -> Loaded {
        let mut worst = Exit::Done;
        let (added, meant) = (found(&global.rules, &mut worst), found(paths, &mut worst));
        let all = each_once(added.into_iter().chain(meant.iter().cloned()).collect());
        let (meant, added): (Vec<PathBuf>, Vec<PathBuf>) = all.into_iter().partition(|file| meant.contains(file));
        let base = Rulebook::embedded().with(read(&added, &mut worst));
        let own = base.files().len();
        let rulebook = base.with(read(&meant, &mut worst));
        let files = if paths.is_empty() { rulebook.files() } else { &rulebook.files()[own..] };
        let broken = files.iter().filter(|file| file.has_errors()).count();
        files.iter().for_each(tell);
        let ids = meant_by(&rulebook, files);
        let count = files.len();
        let own = rulebook.files().len() - count;
        let worst = if broken > 0 { worst.max(Exit::Short) } else { worst };
        Loaded { rulebook, ids, own, count, whole: true, broken, worst }
    }

    /// The files that are meant.
    pub fn files(&self) -> &[RuleFile] {
        &self.rulebook.files()[self.own..]
    }

    /// Keeps the techniques that have a text in their id or in one of their names.
    pub fn keep(&mut self, filter: &str) {
        let wanted = folded(filter);
        let has = |technique: &&Technique| {
            folded(&technique.id).contains(&wanted)
                || names(technique).iter().any(|name| folded(name).contains(&wanted))
        };
        let kept: Vec<String> = self.techniques().into_iter().filter(has).map(|one| one.id.clone()).collect();
        self.ids = kept;
        self.whole = false;
    }

    /// The techniques that are meant.
    pub fn techniques(&self) -> Vec<&Technique> {
        self.rulebook.techniques().iter().filter(|technique| self.ids.contains(&technique.id)).collect()
    }
}

/// Finds the rule files that some paths stand for; says what cannot be found.
pub fn found(paths: &[PathBuf], worst: &mut Exit) -> Vec<PathBuf> {
    let found = rule_files(paths);
    found.failures.iter().for_each(|failure| refused(failure, worst));
    found.paths
}

/// Reads rule files; says what cannot be read.
pub fn read(files: &[PathBuf], worst: &mut Exit) -> Vec<(String, String)> {
    files.iter().filter_map(|file| rule_file(file).map_err(|failure| refused(&failure, worst)).ok()).collect()
}

fn refused(failure: &Failure, worst: &mut Exit) {
    failure.tell();
    *worst = (*worst).max(failure.exit);
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
