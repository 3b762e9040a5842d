//! Where a candidate leads. In: a [`Web`]. Out: the candidates that lead to their own negation.
//!
//! A node may be true or false, and what a link says leads from one of these literals to another. Literals that lead to one
//! another form a group and lead to the same; what a group leads to is put together from what the groups behind it lead
//! to. A link that leads from one literal to another leads from the negation of the other to that of the one, so the same
//! rows serve both ways.

use super::web::Web;
use crate::engine::facts::Facts;
use crate::engine::marks::Marks;
use crate::engine::rows;
use crate::engine::tables::Tables;
use crate::grid::Digit;

/// A node with whether it is true.
type Literal = (usize, bool);

/// What leads where.
pub(super) struct Closure<'w, 's, const W: usize> {
    steps: Steps<'w, 's, W>,
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
    /// How many of its links were looked at, and how many nodes of the next.
    from: (usize, usize),
    /// Its place among the literals whose groups are not complete, and the first of these that it is known to lead to.
    place: usize,
    low: usize,
}

impl<'w, 's, const W: usize> Closure<'w, 's, W> {
    pub fn new(web: &'w Web<W>, tables: &'w Tables<W>, facts: &'w Facts<'s, W>) -> Self {
        let words = web.words;
        let steps = Steps { web, tables, facts, words };
        let seen = [(); 2].map(|()| vec![Seen::No; words * 64]);
        Closure { steps, seen, leads: Vec::new(), path: Path::default() }
    }

    fn seen(&self, (node, held): Literal) -> Seen {
        self.seen[usize::from(held)][node]
    }

    /// Completes the groups of all that a literal leads to: Tarjan's algorithm, with what groups lead to put together on the
    /// way.
    fn walk(&mut self, start: Literal) {
        let row = self.steps.words * 2;
        let path = &mut std::mem::take(&mut self.path);
        self.visit(start, path);
        while let Some(last) = path.visits.len().checked_sub(1) {
            let (visit, led) = (&mut path.visits[last], &mut path.led[last * row..]);
            match self.steps.next(visit.literal, led, &mut visit.from) {
                None => self.leave(path),
                Some(next) => match self.seen(next) {
                    Seen::No => self.visit(next, path),
                    Seen::Open(place) => {
                        visit.low = visit.low.min(place);
                        self.steps.set(led, next);
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
        path.visits.push(Visit { literal, from: (0, 0), place, low: place });
        let begin = path.led.len();
        path.led.resize(begin + self.steps.words * 2, 0);
        self.steps.set(&mut path.led[begin..], literal);
    }

    /// Goes back to the literal before the last. The last leads to all of its group and what that leads to, if it leads to none
    /// before itself.
    fn leave(&mut self, path: &mut Path) {
        let row = self.steps.words * 2;
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

    /// The candidates that lead to their own negation; `known` are some of them.
    pub fn refuted(mut self, known: &Marks<W>) -> Marks<W> {
        let words = self.steps.words;
        let (mut out, mut goal) = (*known, vec![0; words]);
        for digit in 0..self.steps.tables.size {
            for cell in (self.steps.facts.places[digit] - known.0[digit]).iter() {
                let returns = match self.steps.node(digit, cell) {
                    Some(node) => rows::has(&self.led((node, true))[words..], node),
                    None => self.returns(digit, cell, &mut goal),
                };
                if returns {
                    out.0[digit].insert(cell);
                }
            }
        }
        out
    }

    /// Whether a candidate that is no node leads to something that excludes it.
    fn returns(&mut self, digit: usize, cell: usize, goal: &mut [u64]) -> bool {
        let Steps { web, tables, words, .. } = self.steps;
        goal.fill(0);
        web.excluded(digit, tables.cell_count, &tables.peers[cell], &mut goal[web.block(digit)]);
        self.steps.others(digit, cell).for_each(|node| rows::set(goal, node));
        rows::bits(goal).any(|node| rows::meet(&self.led((node, false))[..words], goal))
    }

    /// What a literal leads to; it is found out when it is first asked for.
    fn led(&mut self, literal: Literal) -> &[u64] {
        if let Seen::No = self.seen(literal) {
            self.walk(literal);
        }
        let row = self.steps.words * 2;
        match self.seen(literal) {
            Seen::Group(group) => &self.leads[group * row..][..row],
            Seen::No | Seen::Open(_) => &[],
        }
    }
}

/// Where literals lead by one link.
struct Steps<'w, 's, const W: usize> {
    web: &'w Web<W>,
    tables: &'w Tables<W>,
    facts: &'w Facts<'s, W>,
    /// Words of a row of nodes.
    words: usize,
}

impl<const W: usize> Steps<'_, '_, W> {
    #[inline]
    fn node(&self, digit: usize, cell: usize) -> Option<usize> {
        self.web.candidate(digit, cell, self.tables.cell_count)
    }

    /// The nodes that are other candidates of a cell.
    #[inline]
    fn others(&self, digit: usize, cell: usize) -> impl Iterator<Item = usize> {
        let others = self.facts.candidates[cell].iter().map(Digit::index).filter(move |&other| other != digit);
        others.filter_map(move |other| self.node(other, cell))
    }

    /// Puts a literal into a row of nodes that are true and nodes that are false.
    #[inline]
    fn set(&self, row: &mut [u64], (node, held): Literal) {
        rows::set(if held { row } else { &mut row[self.words..] }, node);
    }

    /// A literal that one leads to and that is not in a row yet, to which it is added before the next is asked for. Of links
    /// those before `from` were looked at, and so many nodes of the next.
    #[inline]
    fn next(&self, (node, is_held): Literal, row: &[u64], from: &mut (usize, usize)) -> Option<Literal> {
        let (held, dead) = row.split_at(self.words);
        if !is_held {
            for &link in self.web.links(node).iter().skip(from.0) {
                let mut others = self.web.linked(link)[from.1..].iter().map(|&other| other as usize);
                if let Some(at) = others.position(|other| other != node && !rows::has(held, other)) {
                    from.1 += at + 1;
                    return Some((self.web.linked(link)[from.1 - 1] as usize, true));
                }
                *from = (from.0 + 1, 0);
            }
            return None;
        }
        let digit = self.web.digit(node);
        let block = self.web.block(digit);
        let weak = self.web.weak(node, block.len());
        let seen = rows::first_beyond(weak, &dead[block.clone()]).map(|bit| block.start * 64 + bit);
        let other = || self.others(digit, self.web.cell(node)?).find(|&other| !rows::has(dead, other));
        seen.or_else(other).map(|node| (node, false))
    }
}
