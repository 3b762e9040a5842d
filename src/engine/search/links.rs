//! The strong links that a search needs. In: the graphs and suppositions of its program. Out: their link sources run, and
//! kept with the state.

use super::Indexed;
use crate::engine::chain::{Links, Pair};
use crate::engine::compiled::PairProgram;
use crate::engine::machine::{self, SearchContext};
use crate::engine::matches::Limits;
use crate::engine::plan::Program;
use std::collections::BTreeSet;

/// Maximum strong links kept for one state: nearly empty grids of large boards have more than there is memory for.
pub(super) const MOST: usize = 500_000;

impl<const W: usize> Indexed<'_, W> {
    /// Derives the strong links that a program asks for.
    pub(super) fn prepare_links(&mut self, program: &Program, limits: &Limits) {
        let graphs = program.graphs.iter().flat_map(|graph| graph.strong.iter().copied());
        let wanted: BTreeSet<usize> = graphs.chain(program.supposes.iter().flat_map(|one| one.by.sources())).collect();
        if program.graphs.is_empty() && wanted.is_empty() {
            return;
        }
        let names = &self.compiled.source_names;
        let mut links = self.links.take().unwrap_or_else(|| Links::new(self.tables, &self.facts, names));
        let mut derived = self.derived;
        for source in wanted {
            if !links.has_source(source) {
                links.begin_source(source);
                let halt = Limits { halt: limits.halt, ..Limits::default() };
                self.pairs(&self.compiled.sources[source].program().pairs, &halt, &mut |pair| {
                    derived += 1;
                    let more = derived <= MOST;
                    if more {
                        links.add_pair(self.tables, &self.facts, source, pair);
                    }
                    more
                });
            }
        }
        (self.links, self.derived) = (Some(links), derived);
    }

    fn pairs(
        &self,
        PairProgram { program, ends }: &PairProgram,
        limits: &Limits,
        take: &mut dyn FnMut(Pair<W>) -> bool,
    ) {
        let context = SearchContext {
            tables: self.tables,
            facts: &self.facts,
            links: None,
            supposing: None,
            rows: &[],
            scope: self.facts.plain_scope(),
            ranked: machine::Ranked::No,
        };
        machine::pairs(program, ends, &context, limits, take);
    }

    /// Adds what follows where just one end of a link is true, if a search asked for it and it is not known yet.
    pub(super) fn complete_links(&mut self, program: &Program, limits: &Limits) -> bool {
        if !self.links.as_ref().is_some_and(Links::wants_extras) {
            return false;
        }
        let Some(mut links) = self.links.take() else { return false };
        for &source in program.graphs.iter().flat_map(|graph| &graph.strong) {
            if !links.has_extras(source) {
                let said = self.compiled.sources[source].program().extra.as_ref();
                let mut pairs = Vec::new();
                if let Some(program) = said {
                    self.pairs(program, &Limits { halt: limits.halt, ..Limits::default() }, &mut |pair| {
                        pairs.push(pair);
                        true
                    });
                }
                links.add_extras(&self.facts, source, pairs);
            }
        }
        self.links = Some(links);
        true
    }
}
