//! Rule files read together. In: files as (name, text), in order. Out: [`Book`]: techniques and link sources in the
//! order of the files, and what is wrong with each file.
//!
//! A later file replaces a technique or link source of the same id in its place, else it adds one at the
//! end. A file that cannot be read takes nothing away from the others. A file may use the patterns of every
//! file that was loaded before or with it.

use super::ast::{Item, Span};
use super::diagnostic::{Diagnostic, Severity, line_and_column};
use super::ir::{Declared, LinkSource, Technique};
use super::line_ends::lone_cr_as_lf;
use super::lower::{Loaded, Lowered, Patterns, check_loaded, complete_joins, lower_with};
use super::parse::parse;
use std::collections::BTreeMap;

/// A rule file and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFile {
    /// What it is called in messages.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What is wrong with it, in order of place.
    pub diagnostics: Vec<Diagnostic>,
    /// Ids of its techniques.
    pub techniques: Vec<String>,
    /// Ids of its link sources.
    pub sources: Vec<String>,
}

impl RuleFile {
    /// Whether any finding is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|finding| finding.severity == Severity::Error)
    }
}

/// Techniques and link sources, with the files they came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    /// In order.
    pub techniques: Vec<Technique>,
    /// In order.
    pub sources: Vec<LinkSource>,
    /// What files that are added may use.
    pub patterns: Patterns,
    /// In the order they were added.
    pub files: Vec<RuleFile>,
}

impl Book {
    /// Adds files, then checks what they say about each other.
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
        let loaded = Loaded::new(techniques, sources, patterns);
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
        let mut clashes = Vec::new();
        let mut first: BTreeMap<(Sort, &str), usize> = BTreeMap::new();
        for (at, file) in self.files.iter().enumerate().skip(carried) {
            let techniques = file.techniques.iter().map(|id| (Sort::Technique, id.as_str()));
            for rule in techniques.chain(file.sources.iter().map(|id| (Sort::Source, id.as_str()))) {
                let other = *first.entry(rule).or_insert(at);
                if other != at {
                    clashes.push((rule.0, rule.1.to_owned(), other, at));
                }
            }
        }
        for (sort, id, a, b) in clashes {
            for (here, there) in [(a, b), (b, a)] {
                let found = clash(sort, &id, &self.files[here], &self.files[there]);
                let file = &mut self.files[here];
                if let Some(found) = found.filter(|found| !file.diagnostics.contains(found)) {
                    file.diagnostics.push(found);
                    file.diagnostics.sort_by_key(Diagnostic::start);
                }
            }
        }
    }
}

/// The two sorts of rules that files refer to by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Technique,
    Source,
}

/// The error in one of two files that have a rule of one name.
fn clash(sort: Sort, id: &str, here: &RuleFile, there: &RuleFile) -> Option<Diagnostic> {
    let what = if sort == Sort::Technique { "technique" } else { "strong link" };
    let (line, column) = line_and_column(&there.text, place(sort, id, there)?.start);
    let message = format!("two files have a {what} `{id}`");
    let text = format!("also at {}:{line}:{column}", there.name);
    let help = "give one of them another name, or leave one of the files out";
    Some(Diagnostic::error("E0208", place(sort, id, here)?, message, text).help(help))
}

/// Finds the name of a rule in its file.
fn place(sort: Sort, id: &str, file: &RuleFile) -> Option<Span> {
    let names = parse(&file.text).0.items.into_iter().filter_map(|item| match item {
        Item::Technique(one) if sort == Sort::Technique => Some(one.id),
        Item::Source(one) if sort == Sort::Source => Some(one.id),
        _ => None,
    });
    names.into_iter().find(|name| name.name == id).map(|name| name.span)
}

/// Finds the line that declares an item, in the last file that has it, as `file:line`.
fn declared_at(item: Declared, files: &[RuleFile]) -> Option<String> {
    let keyword = match item {
        Declared::Technique(_) => "technique",
        Declared::LinkSource(_) => "strong link",
        Declared::Pattern(_) => "pattern",
        Declared::RuleList(_) => "rules",
    };
    files.iter().rev().find_map(|file| {
        let line = file.text.lines().position(|line| {
            let name = line.trim_start().strip_prefix(keyword).map(str::trim_start);
            let after = name.and_then(|name| name.strip_prefix(item.id()));
            after.is_some_and(|after| !after.starts_with(|next: char| next == '_' || next.is_alphanumeric()))
        })?;
        Some(format!("{}:{}", file.name, line + 1))
    })
}

fn put<T>(list: &mut Vec<T>, one: T, id: impl Fn(&T) -> &String) {
    match list.iter_mut().find(|old| id(old) == id(&one)) {
        Some(old) => *old = one,
        None => list.push(one),
    }
}
