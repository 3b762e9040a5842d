//! The transitive closure of the links.
//!
//! A literal is a node together with its truth value. The caller gives each literal a row of mark bits. The closure of
//! a literal is the union of the marks of all literals that follow from the literal.
//!
//! Literals that imply one another form a group (a strongly connected component) and have equal closures. The closure
//! of a group is the union of its marks and of the closures of the groups that it leads to.

use super::bit_rows;
use super::csr::Lists;
use std::ops::Range;

/// A node with its truth value.
pub(crate) type Literal = (usize, bool);

/// Links between nodes.
pub(crate) trait LinkLists {
    /// With `is_true`, lists for each node the nodes that are false if the node is true. Without `is_true`, lists for
    /// each node the nodes that are true if the node is false.
    fn lists(&self, is_true: bool) -> &Lists;
    /// Number of words in a row of marks.
    fn words(&self) -> usize;
    /// Adds the marks of a literal to a row.
    fn add_marks(&self, literal: Literal, row: &mut [u64]);
}

/// The closure, computed on demand.
#[derive(Default)]
pub(crate) struct Closure {
    /// Progress for each false node, and for each true node.
    progress: [Vec<Progress>; 2],
    /// For each group, the marks of the group and of everything that it leads to.
    group_rows: Vec<u64>,
    /// Buffers of the current walk; empty between two walks.
    walk: TarjanWalk,
}

#[derive(Clone, Copy)]
enum Progress {
    Unvisited,
    /// Index in [`TarjanWalk::open`].
    Open(u32),
    /// Number of the complete group.
    Group(u32),
}

#[derive(Default)]
struct TarjanWalk {
    /// The path from the first literal to the current one.
    visits: Vec<Visit>,
    /// For each visit, the marks of everything that its literal is known to lead to.
    rows: Vec<u64>,
    /// The literals whose groups are not complete.
    open: Vec<Literal>,
}

struct Visit {
    literal: Literal,
    /// Index in [`TarjanWalk::open`].
    index: u32,
    /// The smallest index in [`TarjanWalk::open`] that the literal is known to reach.
    low: u32,
    /// Positions of the links that are still to be followed.
    links: Range<usize>,
}

/// Largest initial allocation for rows of groups, in words. Large boards seldom need more.
const MAX_ROOM: usize = 1 << 20;

impl Closure {
    pub fn new(links: &impl LinkLists) -> Self {
        let nodes = links.lists(true).len();
        let progress = [(); 2].map(|()| vec![Progress::Unvisited; nodes]);
        // At most one group for each literal.
        let room = (2 * nodes * links.words()).min(MAX_ROOM);
        Closure { progress, group_rows: Vec::with_capacity(room), walk: TarjanWalk::default() }
    }

    fn progress(&self, (node, is_true): Literal) -> Progress {
        self.progress[usize::from(is_true)][node]
    }

    /// Finds the groups of a literal and of everything that it leads to, with their rows, by Tarjan's algorithm.
    fn complete(&mut self, links: &impl LinkLists, start: Literal) {
        let words = links.words();
        let walk = &mut std::mem::take(&mut self.walk);
        self.visit(links, start, walk);
        while let Some(last) = walk.visits.len().checked_sub(1) {
            let visit = &mut walk.visits[last];
            let Some(position) = visit.links.next() else {
                self.leave(words, walk);
                continue;
            };
            let is_true = visit.literal.1;
            let next = (links.lists(is_true).member(position), !is_true);
            match self.progress(next) {
                // Most literals lead nowhere. They need no group: only their own marks are added.
                Progress::Unvisited if links.lists(!is_true).positions(next.0).is_empty() => {
                    links.add_marks(next, &mut walk.rows[last * words..][..words])
                }
                Progress::Unvisited => self.visit(links, next, walk),
                Progress::Open(index) => visit.low = visit.low.min(index),
                Progress::Group(group) => {
                    let group_row = &self.group_rows[group as usize * words..][..words];
                    bit_rows::add(&mut walk.rows[last * words..][..words], group_row);
                }
            }
        }
        self.walk = std::mem::take(walk);
    }

    /// Appends a literal to the path.
    fn visit(&mut self, links: &impl LinkLists, literal: Literal, walk: &mut TarjanWalk) {
        let index = walk.open.len() as u32;
        self.progress[usize::from(literal.1)][literal.0] = Progress::Open(index);
        walk.open.push(literal);
        walk.visits.push(Visit { literal, index, low: index, links: links.lists(literal.1).positions(literal.0) });
        let begin = walk.rows.len();
        walk.rows.resize(begin + links.words(), 0);
        links.add_marks(literal, &mut walk.rows[begin..]);
    }

    /// Removes the last literal of the path. If the literal reaches no earlier open literal, the literal and all later
    /// open literals form a group.
    fn leave(&mut self, words: usize, walk: &mut TarjanWalk) {
        let Some(visit) = walk.visits.pop() else { return };
        let (earlier_rows, row) = walk.rows.split_at_mut(walk.visits.len() * words);
        if visit.low == visit.index {
            let group = (self.group_rows.len() / words) as u32;
            self.group_rows.extend_from_slice(row);
            for (node, is_true) in walk.open.drain(visit.index as usize..) {
                self.progress[usize::from(is_true)][node] = Progress::Group(group);
            }
        }
        if let Some(previous) = walk.visits.last_mut() {
            previous.low = previous.low.min(visit.low);
            let begin = earlier_rows.len() - words;
            bit_rows::add(&mut earlier_rows[begin..], row);
        }
        walk.rows.truncate(walk.visits.len() * words);
    }

    /// Returns the marks of everything that a literal leads to, computed on first use.
    pub fn consequences(&mut self, links: &impl LinkLists, literal: Literal) -> &[u64] {
        if let Progress::Unvisited = self.progress(literal) {
            self.complete(links, literal);
        }
        match self.progress(literal) {
            Progress::Group(group) => &self.group_rows[group as usize * links.words()..][..links.words()],
            // Not reached: a complete walk leaves no literal open.
            Progress::Unvisited | Progress::Open(_) => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Links given as lists; the mark of a literal is one bit.
    struct TestLinks([Lists; 2]);

    impl LinkLists for TestLinks {
        fn lists(&self, is_true: bool) -> &Lists {
            &self.0[usize::from(is_true)]
        }

        fn words(&self) -> usize {
            1
        }

        fn add_marks(&self, literal: Literal, row: &mut [u64]) {
            row[0] |= bit(literal);
        }
    }

    fn bit((node, is_true): Literal) -> u64 {
        1 << (2 * node + usize::from(is_true))
    }

    fn marks(literals: &[Literal]) -> u64 {
        literals.iter().fold(0, |all, &literal| all | bit(literal))
    }

    /// `if_false` and `if_true` list, for each node, the nodes that become true or false.
    fn links(if_false: &[&[u32]], if_true: &[&[u32]]) -> TestLinks {
        TestLinks([if_false, if_true].map(|nodes| {
            let mut lists = Lists::with_room(nodes.len());
            for implied in nodes {
                lists.add(implied.iter().copied());
                lists.end();
            }
            lists
        }))
    }

    #[test]
    fn a_literal_leads_along_links_of_both_kinds() {
        let links = links(&[&[], &[2], &[]], &[&[1], &[], &[0]]);
        let mut closure = Closure::new(&links);
        let from_first = marks(&[(0, true), (1, false), (2, true), (0, false)]);
        assert_eq!(closure.consequences(&links, (0, true)), [from_first]);
        assert_eq!(closure.consequences(&links, (2, true)), [marks(&[(2, true), (0, false)])]);
        assert_eq!(closure.consequences(&links, (1, true)), [marks(&[(1, true)])]);
    }

    #[test]
    fn literals_of_a_circle_lead_to_each_other_and_beyond() {
        let links = links(&[&[], &[0, 3], &[], &[]], &[&[1], &[], &[], &[2]]);
        let mut closure = Closure::new(&links);
        let all = marks(&[(0, true), (1, false), (3, true), (2, false)]);
        assert_eq!(closure.consequences(&links, (0, true)), [all]);
        assert_eq!(closure.consequences(&links, (1, false)), [all]);
        assert_eq!(closure.consequences(&links, (3, true)), [marks(&[(3, true), (2, false)])]);
    }
}
