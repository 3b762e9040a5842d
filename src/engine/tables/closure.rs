//! Where links lead. In: for each node the nodes that it excludes, those that are true where it is false, and what is noted
//! of it as a row of bits. Out: for a node that is true or false, what is noted of all that is true or false then.
//!
//! A node may be true or false, and what a link says leads from one of these literals to another. Literals that lead to one
//! another form a group and lead to the same; what a group leads to is put together from what the groups behind it lead
//! to.

use super::bit_rows;
use super::csr::Lists;
use std::ops::Range;

/// A node with whether it is true.
pub(in crate::engine) type Literal = (usize, bool);

/// Links between nodes.
pub(in crate::engine) trait LinkLists {
    /// For each node those that it excludes if it is true, or those that are true where it is false.
    fn lists(&self, held: bool) -> &Lists;
    /// How many words a row of notes has.
    fn words(&self) -> usize;
    /// Adds what is noted of a literal.
    fn note(&self, literal: Literal, row: &mut [u64]);
}

/// What leads where, as far as it was asked for.
#[derive(Default)]
pub(in crate::engine) struct Closure {
    /// What is known of each node that is false, and of each that is true.
    seen: [Vec<Seen>; 2],
    /// For each group what is noted of all that it leads to; itself among them.
    leads: Vec<u64>,
    /// Empty between two walks.
    path: Path,
}

/// What is known of a literal.
#[derive(Clone, Copy)]
enum Seen {
    No,
    /// Its place among the literals whose groups are not complete.
    Open(u32),
    Group(u32),
}

/// The literals from which a walk still has to go on, each after the one that led to it.
#[derive(Default)]
struct Path {
    visits: Vec<Visit>,
    /// What is noted of all that each is known to lead to.
    led: Vec<u64>,
    /// The literals whose groups are not complete.
    open: Vec<Literal>,
}

struct Visit {
    literal: Literal,
    /// Its place among the literals whose groups are not complete, and the first of these that it is known to lead to.
    place: u32,
    low: u32,
    /// The places of its links that are still to be followed.
    links: Range<usize>,
}

/// Most room (words) that is made at once for what groups lead to; of more, large boards seldom need all.
const MOST_ROOM: usize = 1 << 20;

impl Closure {
    pub fn new(links: &impl LinkLists) -> Self {
        let seen = [(); 2].map(|()| vec![Seen::No; links.lists(true).len()]);
        // A row for each of two literals.
        let room = (2 * links.lists(true).len() * links.words()).min(MOST_ROOM);
        Closure { seen, leads: Vec::with_capacity(room), path: Path::default() }
    }

    fn seen(&self, (node, held): Literal) -> Seen {
        self.seen[usize::from(held)][node]
    }

    /// Completes the groups of all that a literal leads to: Tarjan's algorithm, with what groups lead to put together on the
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
                Seen::No if links.lists(!held).places(next.0).is_empty() => {
                    links.note(next, &mut path.led[last * words..][..words])
                }
                Seen::No => self.visit(links, next, path),
                Seen::Open(place) => visit.low = visit.low.min(place),
                Seen::Group(group) => {
                    bit_rows::add(
                        &mut path.led[last * words..][..words],
                        &self.leads[group as usize * words..][..words],
                    );
                }
            }
        }
        self.path = std::mem::take(path);
    }

    fn visit(&mut self, links: &impl LinkLists, literal: Literal, path: &mut Path) {
        let place = path.open.len() as u32;
        self.seen[usize::from(literal.1)][literal.0] = Seen::Open(place);
        path.open.push(literal);
        path.visits.push(Visit { literal, place, low: place, links: links.lists(literal.1).places(literal.0) });
        let begin = path.led.len();
        path.led.resize(begin + links.words(), 0);
        links.note(literal, &mut path.led[begin..]);
    }

    /// Goes back to the literal before the last. The last leads to all of its group and what that leads to, if it leads to none
    /// before itself.
    fn leave(&mut self, words: usize, path: &mut Path) {
        let Some(visit) = path.visits.pop() else { return };
        let (before, led) = path.led.split_at_mut(path.visits.len() * words);
        if visit.low == visit.place {
            let group = (self.leads.len() / words) as u32;
            self.leads.extend_from_slice(led);
            for (node, held) in path.open.drain(visit.place as usize..) {
                self.seen[usize::from(held)][node] = Seen::Group(group);
            }
        }
        if let Some(last) = path.visits.last_mut() {
            last.low = last.low.min(visit.low);
            let begin = before.len() - words;
            bit_rows::add(&mut before[begin..], led);
        }
        path.led.truncate(path.visits.len() * words);
    }

    /// What is noted of all that a literal leads to; it is found out when it is first asked for.
    pub fn led(&mut self, links: &impl LinkLists, literal: Literal) -> &[u64] {
        if let Seen::No = self.seen(literal) {
            self.walk(links, literal);
        }
        match self.seen(literal) {
            Seen::Group(group) => &self.leads[group as usize * links.words()..][..links.words()],
            Seen::No | Seen::Open(_) => &[],
        }
    }
}
