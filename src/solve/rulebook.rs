//! The rulebook. In: rule files as (name, text). Out: [`Rulebook`]: techniques and link sources in the order of the
//! files, the diagnostics of each file, and the ids of unchanged built-in rules.

use crate::grid::{BoardSpec, Geometry};
use crate::lang::book::Book;
pub use crate::lang::book::RuleFile;
use crate::lang::ir::{Dependencies, ItemName, LinkSource, Technique, dependencies, reachable, with_dependencies};
use crate::lang::{self, stored_book};
use petgraph::visit::Reversed;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Techniques and link sources, with the files they came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rulebook {
    book: Book,
    /// Ids of unchanged built-in techniques and link sources. A rule is changed if a user's rule replaces it or a rule that
    /// it uses.
    unchanged: BTreeSet<String>,
    /// Number of built-in files. A user's rule may replace a rule of these files, but no other.
    built_in_files: usize,
    boards: Vec<BoardSpec>,
}

impl Rulebook {
    /// Returns the built-in rulebook, which was read and checked when the program was built.
    pub fn embedded() -> Rulebook {
        let book = stored_book::read(embedded::CHECKED, embedded::RULES).unwrap_or_else(|| {
            let files = embedded::RULES.iter().map(|(name, text)| (name.to_string(), text.to_string()));
            Book::default().with_files(files)
        });
        let sources = book.sources.iter().map(|source| &source.id);
        let unchanged = book.techniques.iter().map(|technique| &technique.id).chain(sources).cloned().collect();
        let built_in_files = book.files.len();
        Rulebook { book, unchanged, built_in_files, boards: Vec::new() }
    }

    /// Adds a board that examples may name.
    pub fn with_board(mut self, board: BoardSpec) -> Rulebook {
        self.boards.push(board);
        self
    }

    /// Returns an added or built-in board by its name.
    ///
    /// # Errors
    /// A message if there is no such board.
    pub fn board(&self, name: &str) -> Result<Arc<Geometry>, String> {
        let added = self.boards.iter().find(|board| board.name == name).cloned();
        let spec = added.or_else(|| BoardSpec::named(name)).ok_or_else(|| {
            let variants: Vec<String> = BoardSpec::variants().into_iter().map(|spec| spec.name).collect();
            let variants = variants.join(", ");
            format!("there is no board `{name}`; known are sizes such as 9x9, and {variants}. Give a file with --board")
        })?;
        Geometry::new(spec).map(Arc::new).map_err(|error| format!("there is no board `{name}`: {error}"))
    }

    /// Adds files, then checks all files together; see [`Book::with_files`]. An added rule may replace a built-in rule, but
    /// no rule of another added file.
    pub fn with(mut self, files: impl IntoIterator<Item = (String, String)>) -> Rulebook {
        let old_count = self.book.files.len();
        self.book = self.book.with_files(files);
        self.book.report_clashes(self.built_in_files);
        for id in self.book.files[old_count..].iter().flat_map(|file| file.techniques.iter().chain(&file.sources)) {
            self.unchanged.remove(id);
        }
        self.unmark_users_of_replaced_rules();
        self
    }

    /// Removes the ids of rules that use a replaced rule from `unchanged`, because their proofs used the built-in rule.
    fn unmark_users_of_replaced_rules(&mut self) {
        let graph = self.dependencies();
        let changed: Vec<ItemName> = graph.nodes().filter(|item| !self.unchanged.contains(item.id())).collect();
        let users: Vec<String> = reachable(Reversed(&graph), changed).iter().map(|item| item.id().to_owned()).collect();
        self.unchanged.retain(|id| !users.contains(id));
    }

    /// Returns the dependency graph of techniques and link sources.
    pub fn dependencies(&self) -> Dependencies<'_> {
        dependencies(self.book.techniques.iter(), &self.book.sources)
    }

    /// Removes the techniques that assume a unique solution, for puzzles that may have several solutions.
    pub fn without_uniqueness(mut self) -> Rulebook {
        Technique::remove_uniqueness_techniques(&mut self.book.techniques);
        self
    }

    pub fn techniques(&self) -> &[Technique] {
        &self.book.techniques
    }

    /// Appends all techniques that the given techniques use, by joining their steps or under suppositions.
    pub fn with_dependencies(&self, techniques: Vec<Technique>) -> Vec<Technique> {
        with_dependencies(techniques, self.techniques())
    }

    /// Returns true if a technique or link source and everything that it uses is built in. The
    /// [`ProofRecord`](super::ProofRecord) applies only to built-in rules that use only built-in rules.
    pub fn is_built_in(&self, id: &str) -> bool {
        self.unchanged.contains(id)
    }

    pub fn sources(&self) -> &[LinkSource] {
        &self.book.sources
    }

    /// Returns the spans of the statements and conclusions of each variant of a technique, as bytes of its file; see
    /// [`lang::statement_spans`].
    pub fn statement_spans(&self, technique: &str) -> Vec<Vec<Range<usize>>> {
        let file = self.file_of(technique);
        file.map_or_else(Vec::new, |file| self.statement_spans_in(&lang::parse(&file.text).0, technique))
    }

    /// Like [`Rulebook::statement_spans`], for a parsed file.
    pub fn statement_spans_in(&self, tree: &lang::ast::File, technique: &str) -> Vec<Vec<Range<usize>>> {
        lang::statement_spans(tree, technique, &self.book.patterns)
    }

    /// Returns the files, in the order they were added.
    pub fn files(&self) -> &[RuleFile] {
        &self.book.files
    }

    /// Returns the file of a technique: the last that defines it.
    pub fn file_of(&self, technique: &str) -> Option<&RuleFile> {
        self.book.files.iter().rev().find(|file| file.techniques.iter().any(|id| id == technique))
    }
}

/// Built-in rules, profiles and catalogues, which the build script writes as (name, text) pairs. The checked rulebook is
/// stored, too, for [`stored_book::read`]; it is empty if a file has errors.
pub mod embedded {
    include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

    /// The record of proofs, for [`ProofRecord::read`](super::super::ProofRecord::read).
    pub const PROVED: &str = include_str!("../../rules/proved.txt");
}
