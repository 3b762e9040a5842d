//! What counts of a search in the graph. In: an aim in a state. Out: rows of candidates by number; and whether any chain
//! or loop can show something that counts.
//!
//! All nodes that would be false if the aim's digits stood are supposed false at once. What is reached from one of them
//! is reached from all; where none of them comes out true, no chain leads from one of them to another. Against the
//! solution sound links never lead that far, and nothing more need be searched.

use super::graph::{Graph, Place};
use super::links::{Links, Node};
use super::search::Search;
use crate::engine::tables::bit_rows;
use crate::engine::tables::facts::Wanted;
use crate::engine::tables::index::CandidateSet;

/// An aim by the numbers of candidates.
pub(crate) struct TargetRows {
    /// Candidates whose elimination counts.
    gone: Vec<u64>,
    /// Candidates whose placement counts.
    put: Vec<u64>,
    /// Candidates that the rule can eliminate, wanted or not.
    reach: Vec<u64>,
}

impl TargetRows {
    pub fn new<const W: usize>(links: &Links<W>, scope: &Wanted<W>) -> TargetRows {
        let row = |marks: &CandidateSet<W>| {
            let mut row = vec![0; bit_rows::words_for(links.candidates())];
            let numbers = marks.list().into_iter().filter_map(|one| links.number(one));
            numbers.for_each(|number| bit_rows::set(&mut row, number));
            row
        };
        TargetRows { gone: row(&scope.eliminations), put: row(&scope.placements), reach: row(&scope.reach) }
    }

    /// Whether what two nodes show counts if one of them is true; a node with itself is true.
    pub fn counts<const W: usize>(&self, links: &Links<W>, a: Node, b: Node) -> bool {
        if a == b && links.is_single(a) {
            return bit_rows::has(&self.put, usize::from(a));
        }
        let both = links.excluded(a).iter().zip(links.excluded(b));
        both.zip(&self.gone).any(|((a, b), gone)| a & b & gone != 0)
    }

    /// Candidates by which a wanted effect can be found: those whose elimination is wanted, and those within reach that a
    /// wanted placement excludes. The shortest rings may show such a candidate false and no wanted one.
    pub fn targets<const W: usize>(&self, links: &Links<W>) -> Vec<u64> {
        let mut out = self.gone.clone();
        for number in bit_rows::bits(&self.put) {
            bit_rows::add(&mut out, links.excluded(number as Node));
        }
        bit_rows::intersect(&mut out, &self.reach);
        out
    }

    /// The nodes that may be an end of a chain whose ends show something that counts.
    fn ends<const W: usize>(&self, links: &Links<W>, graph: &Graph, back: bool) -> Vec<Place> {
        let may = |&place: &Place| {
            let node = graph.nodes[usize::from(place)];
            match back {
                true => self.counts(links, node, node),
                false => bit_rows::meet(links.excluded(node), &self.gone),
            }
        };
        (0..graph.len() as Place).filter(may).collect()
    }
}

impl<const W: usize> Search<'_, W> {
    /// Nodes that may be an end of a chain whose ends show something that counts; none where there surely is no such
    /// chain.
    pub fn promising_in(&mut self, target_rows: &TargetRows, back: bool) -> Vec<bool> {
        let mut promising = vec![false; self.admit.graph.len()];
        let ends = target_rows.ends(self.admit.links, self.admit.graph, back);
        if !self.returns(&ends) {
            return promising;
        }
        if !back {
            return self.promising(&target_rows.gone);
        }
        ends.into_iter().for_each(|place| promising[usize::from(place)] = true);
        promising
    }
}

/// For each candidate of a row the nodes that exclude it.
pub(super) fn excluding<const W: usize>(links: &Links<W>, graph: &Graph, only: &[u64]) -> Vec<Vec<Place>> {
    let mut excluding: Vec<Vec<Place>> = vec![Vec::new(); links.candidates()];
    let counts = |target: &usize| bit_rows::has(only, *target);
    for (place, &node) in graph.nodes.iter().enumerate() {
        let targets = bit_rows::bits(links.excluded(node)).filter(counts);
        targets.for_each(|target| excluding[target].push(place as Place));
    }
    excluding
}
