//! One inference at a time for [`Queue`](super::queue::Queue). In: a graph of links, or a position and what may be used. Out: what a
//! true or a false node says, in a fixed order: first in its cell, then in its box, its row, its column, and in what else it
//! lies; there by digit or by cell.

use super::Supposing;
use super::board::{Ground, Marked};
use super::graph::{Edge, Graph};
use super::queue::{Ahead, Because, ByRules};
use super::reads::Reader;
use crate::engine::matches::{LimitHit, Limits, Match, SearchMode};
use crate::engine::tables::BoardMasks;
use crate::grid::{Bits, HouseId};
use crate::lang::ir::HouseClass;

/// Links in the order in which they are followed.
pub(super) struct Order {
    weak: Vec<Vec<u16>>,
    strong: Vec<Vec<Edge>>,
}

impl Order {
    pub fn new<const W: usize>(tables: &BoardMasks<W>, graph: &Graph<W>) -> Order {
        let nodes = 0..graph.nodes.len() as u16;
        let weak = nodes.clone().map(|from| {
            let mut list: Vec<u16> = graph.weak(from).collect();
            list.sort_by_key(|&to| near(tables, graph, from, to));
            list
        });
        let strong = nodes.map(|from| {
            let mut list = graph.strong(from).to_vec();
            list.sort_by_key(|edge| near(tables, graph, from, edge.to));
            list
        });
        Order { weak: weak.collect(), strong: strong.collect() }
    }
}

/// Where a node comes among the neighbours of another.
fn near<const W: usize>(tables: &BoardMasks<W>, graph: &Graph<W>, from: u16, to: u16) -> (usize, u16) {
    let [a, b] = [from, to].map(|node| &graph.nodes[usize::from(node)].cells);
    (tables.nearness(a, b), to)
}

impl<const W: usize> Ahead<W> for &Order {
    fn if_true(&mut self, node: u16) -> Vec<u16> {
        self.weak[usize::from(node)].clone()
    }

    fn if_false(&mut self, node: u16) -> Vec<(u16, Because, Vec<u16>)> {
        self.strong[usize::from(node)].iter().map(|&edge| (edge.to, Because::Linked(edge), Vec::new())).collect()
    }

    fn rules(&mut self) -> ByRules {
        (Vec::new(), Vec::new())
    }
}

/// Last candidates and last places of a position that gets poorer, and rules where these say nothing more.
pub(super) struct Singles<'a, const W: usize> {
    tables: &'a BoardMasks<W>,
    ground: &'a Ground<W>,
    now: Marked<W>,
    rules: Option<(&'a Supposing<'a, W>, &'a [usize], &'a Limits)>,
    /// How often rules were asked.
    asked: usize,
}

impl<'a, const W: usize> Singles<'a, W> {
    pub fn new(
        tables: &'a BoardMasks<W>,
        ground: &'a Ground<W>,
        rules: Option<(&'a Supposing<'a, W>, &'a [usize], &'a Limits)>,
    ) -> Self {
        Singles { tables, ground, now: ground.start.clone(), rules, asked: 0 }
    }

    fn node(&self, digit: usize, cell: usize) -> u16 {
        (digit * self.tables.cell_count + cell) as u16
    }

    fn of(&self, node: u16) -> (usize, usize) {
        (usize::from(node) / self.tables.cell_count, usize::from(node) % self.tables.cell_count)
    }

    /// The houses of a cell, boxes first.
    fn houses(&self, cell: usize) -> Vec<usize> {
        let (own, boxes) = (self.tables.houses_of[cell], self.tables.class(HouseClass::Box));
        (own & boxes).iter().chain((own - boxes).iter()).collect()
    }

    /// The other of the two candidates that a cell has left.
    fn last_candidate(&self, digit: usize, cell: usize) -> Option<(u16, Because, Vec<u16>)> {
        let left = self.now.cells[cell];
        if self.ground.on.is_some() || left.len() != 2 {
            return None;
        }
        let other = left.iter().find(|other| other.index() != digit)?;
        let gone = self.ground.start.cells[cell].iter().filter(|&one| !left.has(one));
        Some((self.node(other.index(), cell), Because::Cell, gone.map(|one| self.node(one.index(), cell)).collect()))
    }

    /// The other of the two places that a digit has left in a house.
    fn last_place(&self, digit: usize, cell: usize, house: usize) -> Option<(u16, Because, Vec<u16>)> {
        let here = self.tables.cells_of_house[house];
        let left = self.now.places[digit] & here;
        if left.len() != 2 || !self.ground.wanted[digit].has(house) {
            return None;
        }
        let other = left.iter().find(|&other| other != cell)?;
        let gone = (self.ground.start.places[digit] & here) - left;
        let gone = gone.iter().map(|one| self.node(digit, one)).collect();
        Some((self.node(digit, other), Because::House(HouseId(house as u16)), gone))
    }
}

impl<const W: usize> Ahead<W> for Singles<'_, W> {
    fn if_true(&mut self, node: u16) -> Vec<u16> {
        let (digit, cell) = self.of(node);
        self.now.placed[digit].insert(cell);
        let others = self.now.cells[cell].iter().filter(|other| other.index() != digit && self.ground.on.is_none());
        let mut out: Vec<u16> = others.map(|other| self.node(other.index(), cell)).collect();
        let mut seen =
            if self.ground.looks_at(digit) { self.now.places[digit] & self.tables.peers[cell] } else { Bits::EMPTY };
        for house in self.houses(cell) {
            let here = seen & self.tables.cells_of_house[house];
            out.extend(here.iter().map(|other| self.node(digit, other)));
            seen -= here;
        }
        out.extend(seen.iter().map(|other| self.node(digit, other)));
        out
    }

    fn if_false(&mut self, node: u16) -> Vec<(u16, Because, Vec<u16>)> {
        let (digit, cell) = self.of(node);
        let houses = if self.ground.looks_at(digit) { self.houses(cell) } else { Vec::new() };
        let places = houses.into_iter().filter_map(|house| self.last_place(digit, cell, house));
        let left = self.last_candidate(digit, cell).into_iter().chain(places).collect();
        self.now.places[digit].remove(cell);
        self.now.cells[cell].0 &= !(1 << digit);
        left
    }

    fn rules(&mut self) -> ByRules {
        let Some((supposing, members, limits)) = self.rules else { return (Vec::new(), Vec::new()) };
        if self.asked >= limits.steps_per_assumption {
            return (Vec::new(), vec![LimitHit::Suppositions]);
        }
        self.asked += 1;
        let state = supposing.state_of(self.ground, &self.now);
        if state.is_solved() {
            return (Vec::new(), Vec::new());
        }
        let found = supposing.first((&state, None), members, |_| SearchMode::All, limits);
        let reading = |member: usize| supposing.compiled.members_info[member].reading;
        let member = |one: &Match| supposing.compiled.members.iter().position(|id| *id == one.member).unwrap_or(0);
        let with = |one: Match| {
            let reads = Reader::new(supposing.boards, &state, &reading, &member).of(&one);
            let nodes = reads.map(|marks| {
                let of = |digit: usize| {
                    (marks.0[digit] & self.ground.start.places[digit]).iter().map(move |cell| (digit, cell))
                };
                (0..self.tables.size).flat_map(of).map(|(digit, cell)| self.node(digit, cell)).collect()
            });
            (one, nodes)
        };
        (found.matches.into_iter().map(with).collect(), found.limits)
    }
}
