//! The strong links that a search needs. In: the graphs and suppositions of its program. Out: their link sources run, and
//! kept with the state.

use super::{Indexed, max_als_cells};
use crate::engine::chain::{Links, Pair};
use crate::engine::compile::PairProgram;
use crate::engine::machine::{self, SearchContext};
use crate::engine::matches::Limits;
use crate::engine::plan::{Class, Program};
use std::collections::BTreeSet;

/// Maximum strong links kept for one state: nearly empty grids of large boards have more than there is memory for.
pub(super) const MOST: usize = 500_000;

impl<const W: usize> Indexed<'_, W> {
    /// Derives the strong links that a program asks for; where `class` is given, only what is in reach of it counts.
    pub(super) fn prepare_links(&mut self, program: &Program, class: Option<Class>, limits: &Limits) {
        let graphs = program.graphs.iter().flat_map(|graph| graph.strong.iter().copied());
        let wanted: BTreeSet<usize> = graphs.chain(program.supposes.iter().flat_map(|one| one.by.sources())).collect();
        if program.graphs.is_empty() && wanted.is_empty() {
            return;
        }
        let names = &self.compiled.source_names;
        let mut links = self.links.take().unwrap_or_else(|| Links::new(self.tables, &self.facts, names));
        let mut derived_links = self.derived_links;
        let within = self.bound(program, class);
        for source in wanted {
            let pairs = &self.compiled.sources[source].program().pairs;
            let within = within.filter(|&class| pairs.program.class == Some(class));
            if !links.has_source(source, within) {
                links.begin_source(source, within);
                self.pairs(pairs, within, limits, &mut |pair| {
                    derived_links += 1;
                    let more = derived_links <= MOST;
                    if more {
                        links.add_pair(self.tables, &self.facts, source, pair);
                    }
                    more
                });
            }
        }
        (self.links, self.derived_links) = (Some(links), derived_links);
    }

    /// The class in whose reach all is that the links of a program show, if it is the widest: what is left out for another
    /// would be looked for again.
    fn bound(&self, program: &Program, class: Option<Class>) -> Option<Class> {
        let known = |&source: &usize| self.compiled.sources[source].program().pairs.program.class.is_some();
        let by_links = || program.shows_by_links() && program.graphs.iter().flat_map(|graph| &graph.strong).all(known);
        class.filter(|&class| class == Class::Sets && by_links())
    }

    /// Runs a link source; what it finds does not depend on the limits of the search, but for its end.
    fn pairs(
        &self,
        PairProgram { program, ends }: &PairProgram,
        within: Option<Class>,
        limits: &Limits,
        take: &mut dyn FnMut(Pair<W>) -> bool,
    ) {
        let of = |class: Class| self.facts.scope(self.tables, class, max_als_cells(limits));
        let scope = within.map_or(self.facts.unrestricted_scope(), of);
        let context = SearchContext {
            tables: self.tables,
            facts: &self.facts,
            links: None,
            supposing: None,
            rows: &[],
            scope,
            ranked: machine::Ranked::No,
        };
        machine::pairs(program, ends, &context, &Limits { halt: limits.halt, ..Limits::default() }, take);
    }

    /// Adds what follows where just one end of a link is true, if a search asked for it and it is not known yet.
    pub(super) fn complete_links(&mut self, program: &Program, class: Option<Class>, limits: &Limits) -> bool {
        if !self.links.as_ref().is_some_and(Links::wants_extras) {
            return false;
        }
        let Some(mut links) = self.links.take() else { return false };
        let within = self.bound(program, class);
        for &source in program.graphs.iter().flat_map(|graph| &graph.strong) {
            if !links.has_extras(source) {
                let said = self.compiled.sources[source].program().extra.as_ref();
                let mut pairs = Vec::new();
                if let Some(program) = said {
                    let within = within.filter(|&class| program.program.class == Some(class));
                    self.pairs(program, within, limits, &mut |pair| {
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
