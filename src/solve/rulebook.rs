//! The rules at hand. In: rule files as (name, text). Out: [`Rulebook`]: techniques and link sources in the
//! order of the files, and what is wrong with each file.
//!
//! A later file replaces a technique or link source of the same id in its place, else it adds one at the
//! end. A file that cannot be read takes nothing away from the others. A file may use the patterns of every
//! file that was loaded before or with it.

use super::embedded;
use crate::lang::diagnostic::{Diagnostic, Severity};
use crate::lang::ir::{LinkSource, Technique};
use crate::lang::{self, Lowered, Patterns};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::ops::Range;

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
pub struct Rulebook {
    techniques: Vec<Technique>,
    sources: Vec<LinkSource>,
    patterns: Patterns,
    files: Vec<RuleFile>,
    /// Techniques that the binary carries, all of them proved; a rule of the user's own with the name is not.
    trusted: BTreeSet<String>,
}

impl Rulebook {
    /// The rulebook that the binary carries.
    pub fn embedded() -> Rulebook {
        let files = embedded::rules().iter().map(|(name, text)| (name.to_string(), text.to_string()));
        let mut book = Rulebook::default().with(files);
        book.trusted = book.techniques.iter().map(|technique| technique.id.clone()).collect();
        book
    }

    /// Adds files, then checks what they say about each other.
    pub fn with(mut self, files: impl IntoIterator<Item = (String, String)>) -> Rulebook {
        let old = self.files.len();
        let mut trees = Vec::new();
        let mut read = Vec::new();
        // Files are read side by side: that is most of what loading a rulebook takes.
        let files: Vec<(String, String)> = files.into_iter().collect();
        let parsed: Vec<_> = files.par_iter().map(|(_, text)| lang::parse(text)).collect();
        for ((name, text), (tree, diagnostics)) in files.into_iter().zip(parsed) {
            self.patterns.add(&tree);
            trees.push(tree);
            read.push((name, text, diagnostics));
        }
        let mut loose = Vec::new();
        let lowered: Vec<_> = trees.par_iter().map(|tree| lang::lower_with(tree, &self.patterns)).collect();
        for ((name, text, mut diagnostics), lowered) in read.into_iter().zip(lowered) {
            let (Lowered { techniques, sources, loose_examples }, more) = lowered;
            diagnostics.extend(more);
            loose.extend(loose_examples);
            self.files.push(RuleFile {
                name,
                text,
                diagnostics,
                techniques: techniques.iter().map(|technique| technique.id.clone()).collect(),
                sources: sources.iter().map(|source| source.id.clone()).collect(),
            });
            techniques.iter().for_each(|one| {
                self.trusted.remove(&one.id);
            });
            techniques.into_iter().for_each(|one| put(&mut self.techniques, one, |technique| &technique.id));
            sources.into_iter().for_each(|one| put(&mut self.sources, one, |source| &source.id));
        }
        for (file, tree) in self.files[old..].iter_mut().zip(&trees) {
            file.diagnostics.extend(lang::check_across(tree, &self.techniques, &self.sources, &self.patterns));
            file.diagnostics.sort_by_key(Diagnostic::start);
        }
        for (id, example) in loose {
            if let Some(technique) = self.techniques.iter_mut().find(|technique| technique.id == id) {
                technique.examples.push(example);
            }
        }
        self
    }

    /// The rulebook without the techniques that assume one solution: for puzzles that may have several.
    pub fn without_uniqueness(mut self) -> Rulebook {
        Technique::without_one_solution(&mut self.techniques);
        self
    }

    /// Techniques in order.
    pub fn techniques(&self) -> &[Technique] {
        &self.techniques
    }

    /// Techniques, then those they are made with: whose steps they join, or which they use under a supposition, and theirs.
    pub fn with_used(&self, mut all: Vec<Technique>) -> Vec<Technique> {
        let mut at = 0;
        while at < all.len() {
            let new = |id: &&str| all.iter().all(|known| known.id != **id);
            let uses: BTreeSet<String> = all[at].uses().iter().filter(|id| new(id)).map(ToString::to_string).collect();
            all.extend(self.techniques().iter().filter(|other| uses.contains(&other.id)).cloned());
            at += 1;
        }
        all
    }

    /// Whether a technique is one that the binary carries: each of these is proved.
    pub fn is_trusted(&self, technique: &str) -> bool {
        self.trusted.contains(technique)
    }

    /// Link sources in order.
    pub fn sources(&self) -> &[LinkSource] {
        &self.sources
    }

    /// Where the statements of a technique stand in its file, for each case; see [`lang::places`].
    pub fn places(&self, technique: &str) -> Vec<Vec<Range<usize>>> {
        let file = self.file_of(technique);
        file.map_or_else(Vec::new, |file| lang::places(&lang::parse(&file.text).0, technique, &self.patterns))
    }

    /// The files, in the order they were added.
    pub fn files(&self) -> &[RuleFile] {
        &self.files
    }

    /// The file that a technique in force comes from: the last that has it.
    pub fn file_of(&self, technique: &str) -> Option<&RuleFile> {
        self.files.iter().rev().find(|file| file.techniques.iter().any(|id| id == technique))
    }
}

fn put<T>(list: &mut Vec<T>, one: T, id: impl Fn(&T) -> &String) {
    match list.iter_mut().find(|old| id(old) == id(&one)) {
        Some(old) => *old = one,
        None => list.push(one),
    }
}
