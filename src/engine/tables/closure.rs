//! Where links lead. In: for each node the nodes that it excludes, and those that are true where it is false. Out: for a node
//! that is true or false, all nodes that are true or false then.
//!
//! A node may be true or false, and what a link says leads from one of these literals to another. Literals that lead to one
//! another form a group and lead to the same; what a group leads to is put together from what the groups behind it lead
//! to.

use super::rows;

/// A node with whether it is true.
pub(in crate::engine) type Literal = (usize, bool);

/// Links between nodes, as rows of bits.
pub(in crate::engine) trait LinkRows {
    /// How many nodes there are.
    fn count(&self) -> usize;
    /// How many words a row has.
    fn words(&self) -> usize;
    /// Those that a node excludes.
    fn weak(&self, node: usize) -> &[u64];
    /// Those that are true where a node is false.
    fn strong(&self, node: usize) -> &[u64];
}

/// What leads where, as far as it was asked for.
#[derive(Default)]
pub(in crate::engine) struct Closure {
    /// What is known of each node that is false, and of each that is true.
    seen: [Vec<Seen>; 2],
    /// For each group the nodes that it makes true, then those that it makes false; itself among them.
    leads: Vec<u64>,
    /// Empty between two walks.
    path: Path,
}

/// What is known of a literal.
#[derive(Clone, Copy)]
enum Seen {
    No,
    /// Its place among the literals whose groups are not complete.
    Open(usize),
    Group(usize),
}

/// The literals from which a walk still has to go on, each after the one that led to it.
#[derive(Default)]
struct Path {
    visits: Vec<Visit>,
    /// What each is known to lead to.
    led: Vec<u64>,
    /// The literals whose groups are not complete.
    open: Vec<Literal>,
}

struct Visit {
    literal: Literal,
    /// Its place among the literals whose groups are not complete, and the first of these that it is known to lead to.
    place: usize,
    low: usize,
    /// The words of its links before this one lead to nothing new: what it is known to lead to only grows.
    word: usize,
}

/// Most room (words) that is made at once for what groups lead to; of more, large boards seldom need all.
const MOST_ROOM: usize = 1 << 20;

impl Closure {
    pub fn new(links: &impl LinkRows) -> Self {
        let seen = [(); 2].map(|()| vec![Seen::No; links.count()]);
        // Two literals for each node, for each literal a row of two.
        let room = (4 * links.count() * links.words()).min(MOST_ROOM);
        Closure { seen, leads: Vec::with_capacity(room), path: Path::default() }
    }

    fn seen(&self, (node, held): Literal) -> Seen {
        self.seen[usize::from(held)][node]
    }

    /// Completes the groups of all that a literal leads to: Tarjan's algorithm, with what groups lead to put together on the
    /// way.
    fn walk(&mut self, links: &impl LinkRows, start: Literal) {
        let row = links.words() * 2;
        let path = &mut std::mem::take(&mut self.path);
        self.visit(row, start, path);
        while let Some(last) = path.visits.len().checked_sub(1) {
            let (visit, led) = (&mut path.visits[last], &mut path.led[last * row..][..row]);
            match next(links, visit, led) {
                None => self.leave(row, path),
                Some(next) => match self.seen(next) {
                    Seen::No => self.visit(row, next, path),
                    Seen::Open(place) => {
                        visit.low = visit.low.min(place);
                        set(led, next);
                    }
                    Seen::Group(group) => rows::add(led, &self.leads[group * row..][..row]),
                },
            }
        }
        self.path = std::mem::take(path);
    }

    fn visit(&mut self, row: usize, literal: Literal, path: &mut Path) {
        let place = path.open.len();
        self.seen[usize::from(literal.1)][literal.0] = Seen::Open(place);
        path.open.push(literal);
        path.visits.push(Visit { literal, place, low: place, word: 0 });
        let begin = path.led.len();
        path.led.resize(begin + row, 0);
        set(&mut path.led[begin..], literal);
    }

    /// Goes back to the literal before the last. The last leads to all of its group and what that leads to, if it leads to none
    /// before itself.
    fn leave(&mut self, row: usize, path: &mut Path) {
        let Some(visit) = path.visits.pop() else { return };
        let (before, led) = path.led.split_at_mut(path.visits.len() * row);
        if visit.low == visit.place {
            let group = self.leads.len() / row;
            self.leads.extend_from_slice(led);
            for (node, held) in path.open.drain(visit.place..) {
                self.seen[usize::from(held)][node] = Seen::Group(group);
            }
        }
        if let Some(last) = path.visits.last_mut() {
            last.low = last.low.min(visit.low);
            let begin = before.len() - row;
            rows::add(&mut before[begin..], led);
        }
        path.led.truncate(path.visits.len() * row);
    }

    /// What a literal leads to; it is found out when it is first asked for.
    /// First the nodes that are true, then those that are false.
    pub fn led(&mut self, links: &impl LinkRows, literal: Literal) -> (&[u64], &[u64]) {
        if let Seen::No = self.seen(literal) {
            self.walk(links, literal);
        }
        let row = links.words() * 2;
        let led: &[u64] = match self.seen(literal) {
            Seen::Group(group) => &self.leads[group * row..][..row],
            Seen::No | Seen::Open(_) => &[],
        };
        led.split_at(led.len() / 2)
    }
}

/// A literal that one leads to and that is not in a row yet.
#[inline]
fn next(links: &impl LinkRows, visit: &mut Visit, row: &[u64]) -> Option<Literal> {
    let (node, held) = visit.literal;
    let (on, off) = row.split_at(links.words());
    let (linked, known) = if held { (links.weak(node), off) } else { (links.strong(node), on) };
    let next = rows::first_beyond(&linked[visit.word..], &known[visit.word..]);
    let next = next.map(|bit| visit.word * 64 + bit);
    visit.word = next.map_or(links.words(), |bit| bit / 64);
    next.map(|node| (node, !held))
}

/// Puts a literal into a row of nodes that are true and nodes that are false.
#[inline]
fn set(row: &mut [u64], (node, held): Literal) {
    let words = row.len() / 2;
    rows::set(if held { row } else { &mut row[words..] }, node);
}
