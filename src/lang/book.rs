//! Rule files read together. In: files as (name, text), in order. Out: [`Book`]: techniques and link sources in the
//! order of the files, and what is wrong with each file.
//!
//! A later file replaces a technique or link source of the same id in its place, else it adds one at the
//! end. A file that cannot be read takes nothing away from the others. A file may use the patterns of every
//! file that was loaded before or with it.

use super::ast::Span;
use super::codes::{NameProblem, Problem};
use super::diagnostic::{Diagnostic, has_errors, line_and_column};
use super::ir::{ItemName, LinkSource, Technique};
use super::line_ends::lone_cr_as_lf;
use super::lower::{LoadedRules, Lowered, Patterns, check_loaded, complete_joins, declared, lower_with};
use super::parse::parse;
use std::collections::BTreeMap;

/// A rule file with its findings and the ids of its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFile {
    /// Name in messages.
    pub name: String,
    /// Text of the file.
    pub text: String,
    /// Findings, in order of place.
    pub diagnostics: Vec<Diagnostic>,
    /// Ids of its techniques.
    pub techniques: Vec<String>,
    /// Ids of its link sources.
    pub sources: Vec<String>,
}

impl RuleFile {
    /// Returns true if any finding is an error.
    pub fn has_errors(&self) -> bool {
        has_errors(&self.diagnostics)
    }
}

/// Techniques and link sources, with the files they came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    /// In order.
    pub techniques: Vec<Technique>,
    /// In order.
    pub sources: Vec<LinkSource>,
    /// Patterns and rule lists that added files may use.
    pub patterns: Patterns,
    /// In the order they were added.
    pub files: Vec<RuleFile>,
}

impl Book {
    /// Adds files, then checks the names that they take from each other.
    pub fn with(mut self, files: impl IntoIterator<Item = (String, String)>) -> Book {
        let old = self.files.len();
        let mut trees = Vec::new();
        for (name, text) in files {
            let text = lone_cr_as_lf(&text).into_owned();
            let (tree, diagnostics) = parse(&text);
            self.patterns.add(&tree);
            trees.push(tree);
            self.files.push(RuleFile { name, text, diagnostics, techniques: Vec::new(), sources: Vec::new() });
        }
        let mut loose = Vec::new();
        for (at, tree) in (old..).zip(&trees) {
            let (lowered, found) = lower_with(tree, &self.patterns, &|item| declared_at(item, &self.files));
            let Lowered { techniques, sources, loose_examples } = lowered;
            let file = &mut self.files[at];
            file.diagnostics.extend(found);
            file.techniques = techniques.iter().map(|technique| technique.id.clone()).collect();
            file.sources = sources.iter().map(|source| source.id.clone()).collect();
            loose.extend(loose_examples);
            techniques.into_iter().for_each(|one| put(&mut self.techniques, one, |technique| &technique.id));
            sources.into_iter().for_each(|one| put(&mut self.sources, one, |source| &source.id));
        }
        complete_joins(&mut self.techniques);
        let Book { techniques, sources, patterns, files } = &mut self;
        let loaded = LoadedRules::new(techniques, sources, patterns);
        for (at, tree) in (old..).zip(&trees) {
            let found = check_loaded(tree, &loaded, &|item| declared_at(item, files));
            files[at].diagnostics.extend(found);
            files[at].diagnostics.sort_by_key(Diagnostic::start);
        }
        for (id, example) in loose {
            if let Some(technique) = self.techniques.iter_mut().find(|technique| technique.id == id) {
                technique.examples.push(example);
            }
        }
        self
    }
}

impl Book {
    /// Reports rules of one name in different files, at both places. Rules of the first `carried` files may be replaced.
    pub fn report_clashes(&mut self, carried: usize) {
        let mut found = Vec::new();
        let mut first: BTreeMap<ItemName, usize> = BTreeMap::new();
        for (at, file) in self.files.iter().enumerate().skip(carried) {
            let techniques = file.techniques.iter().map(|id| ItemName::Technique(id));
            for rule in techniques.chain(file.sources.iter().map(|id| ItemName::LinkSource(id))) {
                let other = *first.entry(rule).or_insert(at);
                if other != at {
                    found.extend(clash(rule, &self.files[other], file).map(|error| (other, error)));
                    found.extend(clash(rule, file, &self.files[other]).map(|error| (at, error)));
                }
            }
        }
        for (here, found) in found {
            let file = &mut self.files[here];
            if !file.diagnostics.contains(&found) {
                file.diagnostics.push(found);
                file.diagnostics.sort_by_key(Diagnostic::start);
            }
        }
    }
}

/// Returns the error for one of two files that have a rule of the same name.
fn clash(rule: ItemName, here: &RuleFile, there: &RuleFile) -> Option<Diagnostic> {
    let what = if matches!(rule, ItemName::Technique(_)) { "technique" } else { "strong link" };
    let (line, column) = line_and_column(&there.text, place(rule, there)?.start);
    let other = format!("{}:{line}:{column}", there.name);
    Some(NameProblem::ItemInTwoFiles { what, id: rule.id().to_owned(), other }.at(&place(rule, here)?))
}

/// Finds the name of an item in its file.
fn place(item: ItemName, file: &RuleFile) -> Option<Span> {
    let items = parse(&file.text).0.items;
    items.iter().filter_map(declared).find(|(one, _)| *one == item).map(|(_, id)| id.span.clone())
}

/// Finds the line that declares an item, in the last file that has it, as `file:line`.
fn declared_at(item: ItemName, files: &[RuleFile]) -> Option<String> {
    files.iter().rev().filter(|file| file.text.contains(item.id())).find_map(|file| {
        let (line, _) = line_and_column(&file.text, place(item, file)?.start);
        Some(format!("{}:{line}", file.name))
    })
}

fn put<T>(list: &mut Vec<T>, one: T, id: impl Fn(&T) -> &String) {
    match list.iter_mut().find(|old| id(old) == id(&one)) {
        Some(old) => *old = one,
        None => list.push(one),
    }
}
