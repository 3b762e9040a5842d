//! Open chains, shortest first. In: a graph and what a rule admits. Out: for each start the nodes that are true if it is
//! false, with the length of the shortest chain to each, and the nodes of such a chain.
//!
//! The search is breadth first from a start over (node, what is known of it). A link costs what the rule's unit counts;
//! among chains of one length those with fewer links come first. No parents are kept: a chain that is reported is found
//! by walking back from its end through nodes that lie on shortest chains, smaller nodes first.

use super::graph::{Graph, Place};
use super::links::Links;
use super::preferred::PreferredPath;
use crate::engine::tables::BoardMasks;
use crate::engine::tables::bit_rows;
use crate::lang::ir::{Length, LengthUnit};
use std::collections::VecDeque;

/// What a rule admits.
pub(crate) struct Admit<'a, const W: usize> {
    pub tables: &'a BoardMasks<W>,
    pub links: &'a Links<W>,
    pub graph: &'a Graph,
    /// The nodes that may be used.
    pub allowed: Vec<u64>,
    pub length: Length,
    /// Whether all that loops show is known of the strong links.
    pub complete: bool,
    /// Nothing longer is looked at (strong links).
    pub most_links: usize,
    /// Nobody wants to know of chains with more nodes.
    pub longest: u32,
    /// Whether of loops those count that are found first.
    pub first_found: bool,
}

/// A chain from one node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hit {
    /// In the rule's unit.
    pub length: u32,
    /// All links.
    pub links: u32,
    pub from: Place,
    pub to: Place,
}

/// How many nodes are looked at for a simple chain where the first is none.
pub(super) const MOST_VISITS: usize = 20_000;

/// Length and links of a chain in one number, length first.
pub(super) type Cost = u32;

/// Cost of a node that was not reached.
pub(super) const FAR: Cost = Cost::MAX;

fn cost(length: u32, links: u32) -> Cost {
    length << 16 | links
}

/// Working memory of the search, kept from start to start.
pub(crate) struct Search<'a, const W: usize> {
    pub(super) admit: &'a Admit<'a, W>,
    /// Where the costs were counted from.
    pub(super) start: Option<Place>,
    /// Costs of nodes shown true.
    pub(super) on: Vec<Cost>,
    /// Of nodes shown false.
    pub(super) off: Vec<Cost>,
    pub(super) seen: Vec<u64>,
    /// Nodes that were reached last, as bits.
    pub(super) front: Vec<u64>,
    pub(super) back: Vec<u64>,
    queue: VecDeque<(Place, bool, Cost)>,
    /// Whether the limit on strong links cut something.
    pub cut: bool,
}

impl<'a, const W: usize> Search<'a, W> {
    pub fn new(admit: &'a Admit<'a, W>) -> Self {
        let nodes = admit.graph.len();
        let row = || vec![0; bit_rows::words_for(nodes)];
        let (seen, front, back, queue) = (row(), row(), row(), VecDeque::new());
        let (on, off) = (vec![FAR; nodes], vec![FAR; nodes]);
        Search { admit, start: None, on, off, seen, front, back, queue, cut: false }
    }

    /// The ends of all admitted chains from `start`, in order of node.
    pub fn hits(&mut self, start: Place) -> impl Iterator<Item = Hit> + '_ {
        self.run(start);
        let (Length { low, high, .. }, longest) = (self.admit.length, self.admit.longest);
        self.on.iter().enumerate().filter(|(_, on)| **on != FAR).filter_map(move |(to, &on)| {
            let (length, links) = (on >> 16, on & 0xffff);
            let fits = length >= low && high.is_none_or(|high| length <= high) && links < longest;
            fits.then_some(Hit { length, links, from: start, to: to as Place })
        })
    }

    /// The nodes of a shortest chain, of those the one whose strong links are of the sources named first, as far as
    /// possible; `None` where every one of them holds a node twice (then a shorter conclusion is inside). A chain back to
    /// its start has it at both ends.
    pub fn path(&mut self, hit: Hit) -> Option<Vec<Place>> {
        self.run(hit.from);
        PreferredPath::of(self, hit.from).chain(hit.to)
    }

    /// The nodes of at most `most` simple chains that are no more than `slack` longer than the shortest; says as well
    /// whether there may be more.
    pub fn paths(&mut self, hit: Hit, most: usize, slack: u32) -> (Vec<Vec<Place>>, bool) {
        self.run(hit.from);
        let limit = if slack == 0 { cost(hit.length, hit.links) } else { cost(hit.length + slack, 0xffff) };
        let mut back = Back {
            search: self,
            start: hit.from,
            chain: vec![hit.to],
            limit,
            visits: MOST_VISITS,
            most,
            found: Vec::new(),
            cut: false,
        };
        back.go(true, 0);
        (back.found, back.cut)
    }

    pub(super) fn step(&self, a: Place, b: Place, strong: bool) -> Cost {
        let length = match self.admit.length.unit {
            LengthUnit::Links => 1,
            LengthUnit::StrongLinks => u32::from(strong),
            LengthUnit::Cells => {
                let cells = |place: Place| &self.admit.links.group(self.admit.graph.nodes[usize::from(place)]).cells;
                u32::from(cells(a) != cells(b))
            }
        };
        cost(length, 1)
    }

    /// Fills the costs from a start that is supposed false.
    fn run(&mut self, start: Place) {
        if self.start == Some(start) {
            return;
        }
        self.spread(&[start]);
        self.start = Some(start);
    }

    /// The same from several starts at once: what each reaches, at the least cost.
    pub(super) fn spread(&mut self, starts: &[Place]) {
        self.start = None;
        self.on.fill(FAR);
        self.off.fill(FAR);
        match self.admit.length.unit {
            LengthUnit::Cells => self.by_cells(starts),
            LengthUnit::Links | LengthUnit::StrongLinks => self.by_links(starts),
        }
    }

    /// Where all links of a kind cost the same, what is reached with the same number of links is reached at once.
    fn by_links(&mut self, starts: &[Place]) {
        let graph = self.admit.graph;
        let (mut front, mut back) = (std::mem::take(&mut self.front), std::mem::take(&mut self.back));
        front.fill(0);
        self.seen.fill(0);
        starts.iter().filter(|&&start| bit_rows::has(&self.admit.allowed, usize::from(start))).for_each(|&start| {
            bit_rows::set(&mut front, usize::from(start));
            self.off[usize::from(start)] = 0;
        });
        let mut at = 0;
        while front.iter().any(|&word| word != 0) && (at & 0xffff) + 1 < self.admit.longest {
            if (at & 0xffff) as usize >= 2 * self.admit.most_links {
                self.cut = true;
                break;
            }
            // A false node makes its strong partners true …
            at += cost(1, 1);
            back.fill(0);
            for place in bit_rows::bits(&front) {
                for edge in graph.strong(place as Place) {
                    let to = usize::from(edge.to);
                    if self.on[to] == FAR && bit_rows::has(&self.admit.allowed, to) {
                        self.on[to] = at;
                        bit_rows::set(&mut back, to);
                    }
                }
            }
            // … and a true one what it excludes false.
            at += cost(u32::from(self.admit.length.unit == LengthUnit::Links), 1);
            front.fill(0);
            for place in bit_rows::bits(&back) {
                bit_rows::add(&mut front, graph.weak(place as Place));
            }
            for (word, (seen, allowed)) in front.iter_mut().zip(self.seen.iter_mut().zip(&self.admit.allowed)) {
                *word &= allowed & !*seen;
                *seen |= *word;
            }
            for place in bit_rows::bits(&front) {
                // A start is false already.
                self.off[place] = self.off[place].min(at);
            }
        }
        (self.front, self.back) = (front, back);
    }

    /// Where a link may cost nothing, the nearest node comes first.
    fn by_cells(&mut self, starts: &[Place]) {
        self.queue.clear();
        // A chain counts its first cell.
        let first = cost(1, 0);
        for &start in starts.iter().filter(|&&start| bit_rows::has(&self.admit.allowed, usize::from(start))) {
            self.off[usize::from(start)] = first;
            self.queue.push_back((start, false, first));
        }
        while let Some((place, on, at)) = self.queue.pop_front() {
            let known = if on { self.on[usize::from(place)] } else { self.off[usize::from(place)] };
            if known == at {
                self.leave(place, on, at);
            }
        }
    }

    /// A false node makes its strong partners true; a true one makes what it excludes false.
    fn leave(&mut self, place: Place, on: bool, at: Cost) {
        let graph = self.admit.graph;
        if on {
            for (word, &row) in graph.weak(place).iter().enumerate() {
                let mut fresh = row & self.admit.allowed[word];
                while fresh != 0 {
                    let next = word * 64 + fresh.trailing_zeros() as usize;
                    fresh &= fresh - 1;
                    self.reach(place, next as Place, false, at);
                }
            }
        } else if (at & 0xffff) as usize >= 2 * self.admit.most_links {
            self.cut = true;
        } else {
            for edge in graph.strong(place) {
                if bit_rows::has(&self.admit.allowed, usize::from(edge.to)) {
                    self.reach(place, edge.to, true, at);
                }
            }
        }
    }

    fn reach(&mut self, place: Place, next: Place, on: bool, at: Cost) {
        let there = at + self.step(place, next, on);
        let known = if on { &mut self.on[usize::from(next)] } else { &mut self.off[usize::from(next)] };
        if there < *known {
            *known = there;
            match there >> 16 == at >> 16 {
                true => self.queue.push_front((next, on, there)),
                false => self.queue.push_back((next, on, there)),
            }
        }
    }
}

/// The walk back from an end.
struct Back<'s, 'a, const W: usize> {
    search: &'s Search<'a, W>,
    start: Place,
    /// From the end.
    chain: Vec<Place>,
    /// No chain costs more.
    limit: Cost,
    visits: usize,
    most: usize,
    found: Vec<Vec<Place>>,
    cut: bool,
}

impl<const W: usize> Back<'_, '_, W> {
    /// Goes on from the last node, which is true or false, towards the start; `spent` is the cost from there to the end.
    fn go(&mut self, on: bool, spent: Cost) {
        let Some(&place) = self.chain.last() else { return };
        if place == self.start && !on {
            if self.found.len() == self.most {
                self.cut = true;
                return;
            }
            self.found.push(self.chain.iter().rev().copied().collect());
            return;
        }
        if self.visits == 0 || self.cut {
            self.cut = true;
            return;
        }
        self.visits -= 1;
        let search = self.search;
        let fits = |before: Place| {
            let there = if on { search.off[usize::from(before)] } else { search.on[usize::from(before)] };
            bit_rows::has(&search.admit.allowed, usize::from(before))
                && there != FAR
                && there + search.step(before, place, on) + spent <= self.limit
        };
        let graph = search.admit.graph;
        let before: Vec<Place> = match on {
            true => graph.strong(place).iter().map(|edge| edge.to).filter(|&to| fits(to)).collect(),
            false => bit_rows::bits(graph.weak(place)).map(|to| to as Place).filter(|&to| fits(to)).collect(),
        };
        for next in before {
            // The start may come twice only as both ends.
            let ends = next == self.start && on && self.chain[1..].iter().all(|&known| known != next);
            if ends || !self.chain.contains(&next) {
                self.chain.push(next);
                self.go(!on, spent + search.step(next, place, on));
                self.chain.pop();
            }
        }
    }
}
