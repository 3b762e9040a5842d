//! Patterns in the graph of nodes and links in a running program. In: a pattern's specification and registers. Out:
//! each of its occurrences in the registers of its names; and what a link source finds, as pairs of nodes.

use super::super::chain::{
    Admit, Coloured, Graph, Group, Hit, Links, LoopHit, Pair, Place, RingHit, Search, TargetRows,
};
use super::super::chain::{clusters, gone, loops, rings};
use super::super::matches::{LimitHit, Limits};
use super::super::plan::{Candidates, ChainSpec, Conclusion, EndRegs, EndSpec, GraphShape, Output, Program, Set};
use super::super::tables::bit_rows::{bits, has, meet, set, words_for};
use super::super::tables::index::CandidateSet;
use super::{Machine, SearchContext, start};
use crate::grid::{Bits, Candidate, DigitSet, HouseSet};
use crate::lang::ir::Length;
use std::borrow::Cow;
use std::rc::Rc;

/// What a search found, and which of it is bound now.
#[derive(Default)]
pub(super) struct GraphState {
    /// What chains and loops were looked for in.
    pub graph: Option<Rc<Graph>>,
    pub found: Occurrences,
    pub next: usize,
    /// The nodes that may be used.
    pub allowed: Vec<u64>,
}

#[derive(Default)]
pub(super) enum Occurrences {
    #[default]
    None,
    Chains(Vec<Hit>),
    /// Each with the place of its first colour, as clusters.
    Loops(Vec<(LoopHit, usize)>),
    Clusters(Vec<(Coloured, usize)>),
    Rings(Vec<RingHit>),
}

/// Runs a link source; `take` gets each pair of its ends until it says `false`.
pub(in crate::engine) fn pairs<const W: usize>(
    program: &Program,
    ends: &[(Output, Output); 2],
    context: &SearchContext<'_, W>,
    limits: &Limits,
    take: &mut dyn FnMut(Pair<W>) -> bool,
) {
    let mut machine = start(program, context, limits);
    machine.run(&mut |machine| match ends.map(|end| machine.group(end)) {
        [Some(a), Some(b)] => take(machine.pair([a, b])),
        _ => true,
    });
}

impl<'m, const W: usize> Machine<'m, W> {
    fn group(&self, (digit, cells): (Output, Output)) -> Option<Group<W>> {
        match (digit, cells) {
            (Output::Set(Set::D(digit)), Output::Set(Set::C(cells))) => {
                Some(Group { digit: self.regs.d(digit).first()?.index(), cells: *self.regs.c(cells) })
            }
            _ => None,
        }
    }

    fn pair(&self, ends: [Group<W>; 2]) -> Pair<W> {
        let (mut cells, mut houses) = (Bits::EMPTY, HouseSet::EMPTY);
        for output in &self.program.outputs {
            match *output {
                Output::Set(Set::C(reg)) => cells |= *self.regs.c(reg),
                Output::Set(Set::H(reg)) => houses |= *self.regs.h(reg),
                _ => {}
            }
        }
        let extra =
            if self.conclusions.is_empty() { Vec::new() } else { self.conclusions.lists(self.context.tables).0 };
        Pair { ends, cells, houses, extra, guardians: self.conclusions.guardians() }
    }

    /// Starts a search.
    pub(super) fn start_graph(&mut self, number: usize) {
        let Some(links) = self.context.links else { return };
        let spec = &self.program.graphs[number];
        let on = spec.on.map(|reg| self.regs.d(reg));
        let mut state = GraphState::default();
        if on.is_some_and(|on| links.count(&spec.strong, on, spec.least.1) < spec.least.0) {
            self.graphs[number] = state;
            return;
        }
        state.found = match &spec.shape {
            GraphShape::Chain(chain) => {
                let graph = links.graph(&spec.strong, chain.weak);
                state.allowed = allowed(&graph, on, |_| true);
                let hits = self.chain_hits(links, &graph, chain, &state.allowed);
                state.graph = Some(graph);
                Occurrences::Chains(hits)
            }
            &GraphShape::Loop { length, weak, colours, .. } => {
                let graph = links.graph(&spec.strong, weak);
                // Of a node with several candidates not all are true.
                state.allowed = allowed(&graph, on, |node| colours.is_none() || links.is_single(node));
                // A chain that a loop is made of has one link less.
                let any = Length { low: 1, high: None, ..length };
                let mut admit = self.admit(links, &graph, &state.allowed, any);
                admit.complete = spec.strong.iter().all(|&source| links.has_extras(source));
                let (found, cut) = loops(&admit, length, colours.is_some());
                cut.into_iter().for_each(|limit| self.note(limit));
                state.graph = Some(graph);
                let ways = if colours.is_some() { 2 } else { 1 };
                Occurrences::Loops(
                    found.into_iter().flat_map(|one| (0..ways).map(move |way| (one.clone(), way))).collect(),
                )
            }
            GraphShape::Cluster { .. } => {
                let found = clusters(links, &spec.strong, on).into_iter();
                Occurrences::Clusters(found.flat_map(|one| [(one.clone(), 0), (one, 1)]).collect())
            }
            &GraphShape::Ring { low, guardians, .. } => {
                let some = Conclusion::Some { of: Candidates::Set(guardians) };
                let plain = self.program.concludes_only(|one| *one == some);
                let (found, cut) =
                    rings(links, &spec.strong, on, low as usize, self.target_rows(links, plain).as_ref());
                if cut {
                    self.note(LimitHit::Loops);
                }
                Occurrences::Rings(found)
            }
        };
        self.graphs[number] = state;
    }

    /// What counts, where not everything does and the pattern is all that the rule speaks of.
    fn target_rows(&self, links: &Links<W>, plain: bool) -> Option<TargetRows> {
        (plain && self.context.scope.is_partial).then(|| TargetRows::new(links, self.context.scope))
    }

    pub(super) fn admit<'a>(
        &self,
        links: &'a Links<W>,
        graph: &'a Graph,
        allowed: &[u64],
        length: Length,
    ) -> Admit<'a, W>
    where
        'm: 'a,
    {
        let Limits { chain_links: most_links, max_length: longest, first_found, .. } = *self.limits;
        let (tables, allowed) = (self.context.tables, allowed.to_vec());
        Admit { tables, links, graph, allowed, complete: true, length, most_links, longest, first_found }
    }

    fn chain_hits(&mut self, links: &Links<W>, graph: &Graph, spec: &ChainSpec, allowed: &[u64]) -> Vec<Hit> {
        let node = |place: Place| graph.nodes[usize::from(place)];
        let mut starts: Vec<Place> = bits(allowed)
            .map(|start| start as Place)
            .filter(|&start| self.may_start(links, spec, node(start)))
            .filter(|&start| graph.strong(start).iter().any(|edge| has(allowed, usize::from(edge.to))))
            .collect();
        if starts.is_empty() {
            return Vec::new();
        }
        let admit = self.admit(links, graph, allowed, spec.length);
        let mut search = Search::new(&admit);
        let mut hits = Vec::new();
        let crowded = spec.ends_only && graph.len() > 2 * links.candidates();
        let target_rows = (spec.plain && (crowded || self.context.scope.is_partial))
            .then(|| TargetRows::new(links, self.context.scope));
        let promising = target_rows.as_ref().map(|target_rows| search.promising_in(target_rows, spec.back));
        starts.retain(|&start| promising.as_ref().is_none_or(|promising| promising[usize::from(start)]));
        let counts = |a: u16, b: u16| target_rows.as_ref().is_none_or(|target_rows| target_rows.counts(links, a, b));
        for start in starts {
            let excluded = links.excluded(node(start));
            hits.extend(search.hits(start).filter(|hit| {
                (hit.to == start) == spec.back
                    && (!spec.ordered || start < hit.to)
                    && (!spec.ends_only || meet(excluded, links.excluded(node(hit.to))))
                    && self.may_bind(links, spec, node(start), node(hit.to))
                    && counts(node(start), node(hit.to))
            }));
        }
        if search.cut {
            self.note(LimitHit::ChainLinks);
        }
        hits.sort_unstable();
        hits
    }

    /// Whether a node agrees with what is bound of the first end.
    fn may_start(&self, links: &Links<W>, spec: &ChainSpec, node: u16) -> bool {
        let EndSpec::One(end) = &spec.from else { return true };
        links.is_single(node) && self.is_bound_to(end, links.candidate(usize::from(node)))
    }

    /// Whether the ends of a chain agree with what is bound of the last, and with each other where both use one name.
    fn may_bind(&self, links: &Links<W>, spec: &ChainSpec, from: u16, to: u16) -> bool {
        let EndSpec::One(last) = &spec.to else { return true };
        if !links.is_single(to) || !self.is_bound_to(last, links.candidate(usize::from(to))) {
            return false;
        }
        let EndSpec::One(first) = &spec.from else { return true };
        let [a, b] = [from, to].map(|node| links.candidate(usize::from(node)));
        (first.digit.0 != last.digit.0 || a.digit == b.digit) && (first.cell.0 != last.cell.0 || a.cell == b.cell)
    }

    /// Whether a candidate is what is bound of an end.
    fn is_bound_to(&self, end: &EndRegs, candidate: Candidate) -> bool {
        (!end.digit_bound || self.regs.v(end.digit.0) == candidate.digit.index())
            && (!end.cell_bound || self.regs.v(end.cell.0) == candidate.cell.index())
    }

    /// The next occurrence.
    pub(super) fn next_graph(&mut self, number: usize) -> bool {
        let Some(links) = self.context.links else { return false };
        let state = &mut self.graphs[number];
        let at = state.next;
        let candidates = &mut self.regs.candidates;
        match (&state.found, &self.program.graphs[number].shape, &state.graph) {
            (Occurrences::Chains(hits), GraphShape::Chain(chain), Some(graph)) => {
                let Some(ends) = hits.get(at).map(|hit| [hit.from, hit.to]) else { return false };
                let [from, to] = ends.map(|place| graph.nodes[usize::from(place)]);
                self.set_end(links, &chain.from, from);
                self.set_end(links, &chain.to, to);
            }
            (Occurrences::Loops(list), &GraphShape::Loop { name, colours, .. }, Some(graph)) => {
                let Some((one, first)) = list.get(at) else { return false };
                let nodes = one.places.iter().map(|&place| *links.group(graph.nodes[usize::from(place)]));
                candidates[usize::from(name)] = marks(nodes.clone());
                for (colour, &reg) in colours.iter().flatten().enumerate() {
                    candidates[usize::from(reg)] = marks(nodes.clone().skip((colour + first) % 2).step_by(2));
                }
            }
            (Occurrences::Clusters(list), GraphShape::Cluster { colours }, _) => {
                let Some((one, first)) = list.get(at) else { return false };
                for (colour, &reg) in colours.iter().enumerate() {
                    candidates[usize::from(reg)] = numbered(links, &one.colours[(colour + first) % 2]);
                }
            }
            (Occurrences::Rings(list), &GraphShape::Ring { name, guardians, .. }, _) => {
                let Some(one) = list.get(at) else { return false };
                candidates[usize::from(name)] = numbered(links, &one.nodes);
                candidates[usize::from(guardians)] = numbered(links, &one.guardians);
            }
            _ => return false,
        }
        self.graphs[number].next += 1;
        true
    }

    fn set_end(&mut self, links: &Links<W>, end: &EndSpec, node: u16) {
        match *end {
            EndSpec::One(EndRegs { digit, cell, .. }) => {
                let candidate = links.candidate(usize::from(node));
                self.regs.values[usize::from(digit.0)] = u16::from(candidate.digit.0);
                self.regs.digits[usize::from(digit.1)] = DigitSet::single(candidate.digit);
                self.regs.values[usize::from(cell.0)] = candidate.cell.0;
                self.regs.cells[usize::from(cell.1)] = Bits::single(candidate.cell.index());
            }
            EndSpec::Node(reg) => {
                self.regs.candidates[usize::from(reg)] = marks(std::iter::once(*links.group(node)));
            }
        }
    }

    /// Concludes what a loop shows, or only what counts outside of its cells.
    pub(super) fn conclude_links(&mut self, number: usize, outside: bool) {
        let (Some(links), state) = (self.context.links, &self.graphs[number]) else { return };
        if let Occurrences::Loops(list) = &state.found
            && let Some((one, _)) = state.next.checked_sub(1).and_then(|at| list.get(at))
        {
            self.conclusions.weigh_guards(self.context.tables, self.context.facts);
            let numbers = match &state.graph {
                Some(graph) if outside => Cow::Owned(gone(graph, links, &one.places, outside)),
                _ => Cow::Borrowed(&one.gone),
            };
            self.conclusions.gone(numbers.iter().map(|&number| links.candidate(number)));
        }
    }
}

/// The nodes with a digit of `on` that a pattern may have.
fn allowed(graph: &Graph, on: Option<DigitSet>, may: impl Fn(u16) -> bool) -> Vec<u64> {
    let mut row = vec![0; words_for(graph.len())];
    for (place, (&digit, &node)) in graph.digits.iter().zip(&graph.nodes).enumerate() {
        if on.is_none_or(|on| on.0 >> digit & 1 == 1) && may(node) {
            set(&mut row, place);
        }
    }
    row
}

fn marks<const W: usize>(groups: impl Iterator<Item = Group<W>>) -> CandidateSet<W> {
    let mut out = CandidateSet::EMPTY;
    groups.for_each(|group| out.0[group.digit] |= group.cells);
    out
}

fn numbered<const W: usize>(links: &Links<W>, numbers: &[usize]) -> CandidateSet<W> {
    let one = |number: &usize| {
        let Candidate { cell, digit } = links.candidate(*number);
        Group { digit: digit.index(), cells: Bits::single(cell.index()) }
    };
    marks(numbers.iter().map(one))
}
