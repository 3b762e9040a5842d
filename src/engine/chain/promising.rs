//! Where chains can end. In: a graph and what a rule admits. Out: the nodes that may be an end of a chain whose ends
//! exclude a candidate together.

use super::graph::Place;
use super::search::{FAR, Search};
use super::target_rows::excluding;
use crate::engine::tables::bit_rows;
use crate::lang::ir::LengthUnit;

impl<const W: usize> Search<'_, W> {
    /// Nodes that may be an end of a chain whose two ends exclude a candidate of a row together; the others surely are not.
    ///
    /// All nodes that exclude a candidate are supposed false at once: where none of them then comes out true, there is
    /// no chain between two of them. In graphs with many more nodes than candidates that is much less than a search from
    /// each node.
    pub(super) fn promising(&mut self, only: &[u64]) -> Vec<bool> {
        let (graph, links) = (self.admit.graph, self.admit.links);
        let excluding = excluding(links, graph, only);
        let mut promising = vec![false; graph.len()];
        for places in excluding.iter().filter(|places| places.len() > 1) {
            if places.iter().all(|&place| promising[usize::from(place)]) {
                continue;
            }
            if self.returns(places) {
                places.iter().for_each(|&place| promising[usize::from(place)] = true);
            }
        }
        promising
    }

    /// Whether one of some nodes comes out true where all of them are supposed false.
    pub(super) fn returns(&mut self, starts: &[Place]) -> bool {
        if self.admit.length.unit == LengthUnit::Cells {
            self.spread(starts);
            return starts.iter().any(|&start| self.on[usize::from(start)] != FAR);
        }
        self.start = None;
        let graph = self.admit.graph;
        let (mut front, mut back) = (std::mem::take(&mut self.front), std::mem::take(&mut self.back));
        let (mut goal, mut known) = (vec![0; front.len()], vec![0; front.len()]);
        starts.iter().for_each(|&start| bit_rows::set(&mut goal, usize::from(start)));
        front.iter_mut().zip(goal.iter().zip(&self.admit.allowed)).for_each(|(front, (goal, may))| *front = goal & may);
        self.seen.fill(0);
        let (mut found, mut links) = (false, 0);
        while !found && front.iter().any(|&word| word != 0) {
            if links >= 2 * self.admit.most_links {
                self.cut = true;
                break;
            }
            links += 2;
            back.fill(0);
            for place in bit_rows::bits(&front) {
                graph.strong(place as Place).iter().for_each(|edge| bit_rows::set(&mut back, usize::from(edge.to)));
            }
            for (word, (known, allowed)) in back.iter_mut().zip(known.iter_mut().zip(&self.admit.allowed)) {
                *word &= allowed & !*known;
                *known |= *word;
            }
            found = bit_rows::meet(&back, &goal);
            front.fill(0);
            for place in bit_rows::bits(&back) {
                bit_rows::add(&mut front, graph.weak(place as Place));
            }
            for (word, (seen, allowed)) in front.iter_mut().zip(self.seen.iter_mut().zip(&self.admit.allowed)) {
                *word &= allowed & !*seen;
                *seen |= *word;
            }
        }
        (self.front, self.back) = (front, back);
        found
    }
}
