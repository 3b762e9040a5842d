//! The transitive closure of the links.
//!
//! A literal is a node together with its truth. Each literal carries a row of mark bits; the closure returns, for a literal,
//! the union of the rows of everything that follows from it.
//!
//! Literals that imply one another form a group (a strongly connected component) and have equal results. The result of a
//! group is the union of its marks and of the results of the groups it leads to.

use super::bit_rows;
use super::csr::Lists;
use std::ops::Range;

/// A node with whether it is true.
pub(crate) type Literal = (usize, bool);

/// Links between nodes.
pub(crate) trait LinkLists {
    /// For each node, the nodes that it excludes if true (`held`), or that are true if it is false.
    fn lists(&self, held: bool) -> &Lists;
    /// Number of words in a row of marks.
    fn words(&self) -> usize;
    /// Adds the marks of a literal to a row.
    fn note(&self, literal: Literal, row: &mut [u64]);
}

/// The closure, computed on demand.
#[derive(Default)]
pub(crate) struct Closure {
    /// Progress for each false node, and for each true node.
    seen: [Vec<Progress>; 2],
    /// For each group, the marks of everything it leads to, itself included.
    leads: Vec<u64>,
    /// Empty between two walks.
    path: OpenWalk,
}

/// Progress of a literal.
#[derive(Clone, Copy)]
enum Progress {
    No,
    /// Index among the literals whose groups are not complete.
    Open(u32),
    Group(u32),
}

/// The literals from which a walk still has to go on, each after the one that led to it.
#[derive(Default)]
struct OpenWalk {
    visits: Vec<Visit>,
    /// Marks that each visited literal is known to lead to.
    led: Vec<u64>,
    /// The literals whose groups are not complete.
    open: Vec<Literal>,
}

struct Visit {
    literal: Literal,
    /// Index among the literals whose groups are not complete (`place`), and the smallest such index that it is known to
    /// reach (`low`).
    place: u32,
    low: u32,
    /// The places of its links that are still to be followed.
    links: Range<usize>,
}

/// Largest initial allocation for results, in words; large boards seldom need all of them.
const MOST_ROOM: usize = 1 << 20;

impl Closure {
    pub fn new(links: &impl LinkLists) -> Self {
        let seen = [(); 2].map(|()| vec![Progress::No; links.lists(true).len()]);
        // A row for each of two literals.
        let room = (2 * links.lists(true).len() * links.words()).min(MOST_ROOM);
        Closure { seen, leads: Vec::with_capacity(room), path: OpenWalk::default() }
    }

    fn seen(&self, (node, held): Literal) -> Progress {
        self.seen[usize::from(held)][node]
    }

    /// Completes the groups of everything that a literal leads to: Tarjan's algorithm, which collects the results on the
    /// way.
    fn walk(&mut self, links: &impl LinkLists, start: Literal) {
        let words = links.words();
        let path = &mut std::mem::take(&mut self.path);
        self.visit(links, start, path);
        while let Some(last) = path.visits.len().checked_sub(1) {
            let visit = &mut path.visits[last];
            let Some(place) = visit.links.next() else {
                self.leave(words, path);
                continue;
            };
            let held = visit.literal.1;
            let next = (links.lists(held).member(place), !held);
            match self.seen(next) {
                // Most lead nowhere: they need no group.
                Progress::No if links.lists(!held).places(next.0).is_empty() => {
                    links.note(next, &mut path.led[last * words..][..words])
                }
                Progress::No => self.visit(links, next, path),
                Progress::Open(place) => visit.low = visit.low.min(place),
                Progress::Group(group) => {
                    bit_rows::add(
                        &mut path.led[last * words..][..words],
                        &self.leads[group as usize * words..][..words],
                    );
                }
            }
        }
        self.path = std::mem::take(path);
    }

    fn visit(&mut self, links: &impl LinkLists, literal: Literal, path: &mut OpenWalk) {
        let place = path.open.len() as u32;
        self.seen[usize::from(literal.1)][literal.0] = Progress::Open(place);
        path.open.push(literal);
        path.visits.push(Visit { literal, place, low: place, links: links.lists(literal.1).places(literal.0) });
        let begin = path.led.len();
        path.led.resize(begin + links.words(), 0);
        links.note(literal, &mut path.led[begin..]);
    }

    /// Goes back to the literal before the last. The last leads to all of its group and what that leads to, if it leads to none
    /// before itself.
    fn leave(&mut self, words: usize, path: &mut OpenWalk) {
        let Some(visit) = path.visits.pop() else { return };
        let (before, led) = path.led.split_at_mut(path.visits.len() * words);
        if visit.low == visit.place {
            let group = (self.leads.len() / words) as u32;
            self.leads.extend_from_slice(led);
            for (node, held) in path.open.drain(visit.place as usize..) {
                self.seen[usize::from(held)][node] = Progress::Group(group);
            }
        }
        if let Some(last) = path.visits.last_mut() {
            last.low = last.low.min(visit.low);
            let begin = before.len() - words;
            bit_rows::add(&mut before[begin..], led);
        }
        path.led.truncate(path.visits.len() * words);
    }

    /// Marks of everything that a literal leads to, computed on first use.
    pub fn led(&mut self, links: &impl LinkLists, literal: Literal) -> &[u64] {
        if let Progress::No = self.seen(literal) {
            self.walk(links, literal);
        }
        match self.seen(literal) {
            Progress::Group(group) => &self.leads[group as usize * links.words()..][..links.words()],
            Progress::No | Progress::Open(_) => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Links given as lists; the mark of a literal is one bit.
    struct TestLinks([Lists; 2]);

    impl LinkLists for TestLinks {
        fn lists(&self, held: bool) -> &Lists {
            &self.0[usize::from(held)]
        }

        fn words(&self) -> usize {
            1
        }

        fn note(&self, literal: Literal, row: &mut [u64]) {
            row[0] |= bit(literal);
        }
    }

    fn bit((node, held): Literal) -> u64 {
        1 << (2 * node + usize::from(held))
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
        assert_eq!(closure.led(&links, (0, true)), [from_first]);
        assert_eq!(closure.led(&links, (2, true)), [marks(&[(2, true), (0, false)])]);
        assert_eq!(closure.led(&links, (1, true)), [marks(&[(1, true)])]);
    }

    #[test]
    fn literals_of_a_circle_lead_to_each_other_and_beyond() {
        let links = links(&[&[], &[0, 3], &[], &[]], &[&[1], &[], &[], &[2]]);
        let mut closure = Closure::new(&links);
        let all = marks(&[(0, true), (1, false), (3, true), (2, false)]);
        assert_eq!(closure.led(&links, (0, true)), [all]);
        assert_eq!(closure.led(&links, (1, false)), [all]);
        assert_eq!(closure.led(&links, (3, true)), [marks(&[(3, true), (2, false)])]);
    }
}
