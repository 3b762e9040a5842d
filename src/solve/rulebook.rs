//! The rules at hand. In: rule files as (name, text). Out: [`Rulebook`]: techniques and link sources in the
//! order of the files, what is wrong with each file, and which techniques are the binary's own.

use super::embedded;
use crate::grid::{BoardSpec, Geometry};
use crate::lang::book::Book;
pub use crate::lang::book::RuleFile;
use crate::lang::ir::{Declared, Dependencies, LinkSource, Technique, dependencies, reachable, with_used};
use crate::lang::{self, kept};
use petgraph::visit::Reversed;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Techniques and link sources, with the files they came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rulebook {
    book: Book,
    /// Techniques and link sources that are as the binary carries them, with all that they are made with: neither they nor
    /// that was replaced by what a user calls so.
    own: BTreeSet<String>,
    /// The number of files that the binary carries; only their rules may be replaced by others of the same name.
    carried: usize,
    /// Boards of the user that examples may name.
    boards: Vec<BoardSpec>,
}

impl Rulebook {
    /// The rulebook that the binary carries: as it was read and checked when the program was built.
    pub fn embedded() -> Rulebook {
        let book = kept::read(embedded::checked(), embedded::rules()).unwrap_or_else(|| {
            let files = embedded::rules().iter().map(|(name, text)| (name.to_string(), text.to_string()));
            Book::default().with(files)
        });
        let sources = book.sources.iter().map(|source| &source.id);
        let own = book.techniques.iter().map(|technique| &technique.id).chain(sources).cloned().collect();
        let carried = book.files.len();
        Rulebook { book, own, carried, boards: Vec::new() }
    }

    /// Adds a board that examples may name.
    pub fn with_board(mut self, board: BoardSpec) -> Rulebook {
        self.boards.push(board);
        self
    }

    /// A board by its name: one that was added, or one that the binary carries.
    ///
    /// # Errors
    /// When there is none, in words.
    pub fn board(&self, name: &str) -> Result<Arc<Geometry>, String> {
        let own = self.boards.iter().find(|board| board.name == name).cloned();
        let spec = own.or_else(|| BoardSpec::named(name)).ok_or_else(|| {
            let known: Vec<String> = BoardSpec::variants().into_iter().map(|spec| spec.name).collect();
            let known = known.join(", ");
            format!("there is no board `{name}`; known are sizes such as 9x9, and {known}. Give a file with --board")
        })?;
        Geometry::new(spec).map(Arc::new).map_err(|error| format!("there is no board `{name}`: {error}"))
    }

    /// Adds files, then checks what they say about each other; see [`Book::with`]. A rule may replace one that the binary carries,
    /// not one of another added file.
    pub fn with(mut self, files: impl IntoIterator<Item = (String, String)>) -> Rulebook {
        let old = self.book.files.len();
        self.book = self.book.with(files);
        self.book.report_clashes(self.carried);
        for id in self.book.files[old..].iter().flat_map(|file| file.techniques.iter().chain(&file.sources)) {
            self.own.remove(id);
        }
        self.disown_users();
        self
    }

    /// Disowns every technique that is made with something that is not the binary's own: it was proved with the other.
    fn disown_users(&mut self) {
        let graph = self.dependencies();
        let foreign: Vec<Declared> = graph.nodes().filter(|one| !self.own.contains(one.id())).collect();
        let lost: Vec<String> = reachable(Reversed(&graph), foreign).iter().map(|one| one.id().to_owned()).collect();
        self.own.retain(|id| !lost.contains(id));
    }

    /// The graph of techniques and link sources: what uses what.
    pub fn dependencies(&self) -> Dependencies<'_> {
        dependencies(self.book.techniques.iter(), &self.book.sources)
    }

    /// The rulebook without the techniques that assume one solution: for puzzles that may have several.
    pub fn without_uniqueness(mut self) -> Rulebook {
        Technique::without_one_solution(&mut self.book.techniques);
        self
    }

    /// Techniques in order.
    pub fn techniques(&self) -> &[Technique] {
        &self.book.techniques
    }

    /// Techniques, then those they are made with: whose steps they join, or which they use under a supposition, and theirs.
    pub fn with_used(&self, all: Vec<Technique>) -> Vec<Technique> {
        with_used(all, self.techniques())
    }

    /// Whether a technique or link source is one that the binary carries, with all that it is made with: what
    /// [`Standing`](super::Standing) says is said of these.
    pub fn is_own(&self, id: &str) -> bool {
        self.own.contains(id)
    }

    /// Link sources in order.
    pub fn sources(&self) -> &[LinkSource] {
        &self.book.sources
    }

    /// Where the statements and conclusions of a technique stand in its file, for each case; see [`lang::places`].
    pub fn places(&self, technique: &str) -> Vec<Vec<Range<usize>>> {
        let file = self.file_of(technique);
        file.map_or_else(Vec::new, |file| self.places_in(&lang::parse(&file.text).0, technique))
    }

    /// The places of [`Rulebook::places`] in a file that is parsed already.
    pub fn places_in(&self, tree: &lang::ast::File, technique: &str) -> Vec<Vec<Range<usize>>> {
        lang::places(tree, technique, &self.book.patterns)
    }

    /// The files, in the order they were added.
    pub fn files(&self) -> &[RuleFile] {
        &self.book.files
    }

    /// The file that a technique in force comes from: the last that has it.
    pub fn file_of(&self, technique: &str) -> Option<&RuleFile> {
        self.book.files.iter().rev().find(|file| file.techniques.iter().any(|id| id == technique))
    }
}
