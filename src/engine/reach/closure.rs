//! Where a candidate leads. In: a [`Web`]. Out: the candidates that lead to their own negation.
//!
//! A node may be true or false, and what a link says leads from one of these literals to another. Literals that lead to one
//! another form a group and lead to the same; what a group leads to is put together from what the groups behind it lead
//! to. A link that leads from one literal to another leads from the negation of the other to that of the one, so the same
//! rows serve both ways.

use super::web::Web;
use crate::engine::tables::Tables;
use crate::engine::tables::index::Index;
use crate::engine::tables::marks::Marks;
use crate::engine::tables::rows;

/// A node with whether it is true.
type Literal = (usize, bool);

/// What leads where.
pub(super) struct Closure<'w, const W: usize> {
    web: &'w Web<W>,
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

impl<'w, const W: usize> Closure<'w, W> {
    pub fn new(web: &'w Web<W>) -> Self {
        let seen = [(); 2].map(|()| vec![Seen::No; web.count]);
        // Two literals for each node, for each literal a row of two.
        let room = (4 * web.count * web.words).min(MOST_ROOM);
        Closure { web, seen, leads: Vec::with_capacity(room), path: Path::default() }
    }

    fn seen(&self, (node, held): Literal) -> Seen {
        self.seen[usize::from(held)][node]
    }

    /// Completes the groups of all that a literal leads to: Tarjan's algorithm, with what groups lead to put together on the
    /// way.
    fn walk(&mut self, start: Literal) {
        let row = self.web.words * 2;
        let path = &mut std::mem::take(&mut self.path);
        self.visit(start, path);
        while let Some(last) = path.visits.len().checked_sub(1) {
            let (visit, led) = (&mut path.visits[last], &mut path.led[last * row..][..row]);
            match self.next(visit, led) {
                None => self.leave(path),
                Some(next) => match self.seen(next) {
                    Seen::No => self.visit(next, path),
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

    fn visit(&mut self, literal: Literal, path: &mut Path) {
        let place = path.open.len();
        self.seen[usize::from(literal.1)][literal.0] = Seen::Open(place);
        path.open.push(literal);
        path.visits.push(Visit { literal, place, low: place, word: 0 });
        let begin = path.led.len();
        path.led.resize(begin + self.web.words * 2, 0);
        set(&mut path.led[begin..], literal);
    }

    /// Goes back to the literal before the last. The last leads to all of its group and what that leads to, if it leads to none
    /// before itself.
    fn leave(&mut self, path: &mut Path) {
        let row = self.web.words * 2;
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

    /// A literal that one leads to and that is not in a row yet.
    #[inline]
    fn next(&self, visit: &mut Visit, row: &[u64]) -> Option<Literal> {
        let (node, held) = visit.literal;
        let (on, off) = row.split_at(self.web.words);
        let (links, known) = if held { (self.web.weak(node), off) } else { (self.web.strong(node), on) };
        let next = rows::first_beyond(&links[visit.word..], &known[visit.word..]);
        let next = next.map(|bit| visit.word * 64 + bit);
        visit.word = next.map_or(self.web.words, |bit| bit / 64);
        next.map(|node| (node, !held))
    }

    /// The candidates that lead to their own negation; `known` are some of them.
    pub fn refuted(mut self, tables: &Tables<W>, facts: &Index<W>, known: &Marks<W>) -> Marks<W> {
        let words = self.web.words;
        let (mut out, mut goal) = (*known, vec![0; words]);
        for digit in 0..tables.size {
            for cell in (facts.places[digit] - known.0[digit]).iter() {
                let returns = match self.web.candidate(digit, cell) {
                    Some(node) => rows::has(&self.led((node, true))[words..], node),
                    None => {
                        self.web.excluded_by(digit, cell, &tables.peers[cell], &mut goal);
                        self.returns(&goal)
                    }
                };
                if returns {
                    out.0[digit].insert(cell);
                }
            }
        }
        out
    }

    /// Whether a candidate that is no node, and excludes some nodes, leads to something that excludes it.
    fn returns(&mut self, excluded: &[u64]) -> bool {
        let words = self.web.words;
        rows::bits(excluded).any(|node| rows::meet(&self.led((node, false))[..words], excluded))
    }

    /// What a literal leads to; it is found out when it is first asked for.
    fn led(&mut self, literal: Literal) -> &[u64] {
        if let Seen::No = self.seen(literal) {
            self.walk(literal);
        }
        let row = self.web.words * 2;
        match self.seen(literal) {
            Seen::Group(group) => &self.leads[group * row..][..row],
            Seen::No | Seen::Open(_) => &[],
        }
    }
}

/// Puts a literal into a row of nodes that are true and nodes that are false.
#[inline]
fn set(row: &mut [u64], (node, held): Literal) {
    let words = row.len() / 2;
    rows::set(if held { row } else { &mut row[words..] }, node);
}
