//! What follows from a supposed literal by links alone. In: a graph and a literal. Out: the nodes that become true or
//! false, each by the chain with the fewest links.
//!
//! A true node makes what it excludes false, a false one makes its strong partners true; nothing needs two reasons. The
//! search is breadth first, neighbours in order of their numbers, and the first chain to a node is kept. Of several
//! contradictions the one with the fewest links in all counts; among equals a node that is both true and false comes
//! first, then cells, then houses, each by number (houses by digit first).

use super::board::Ground;
use super::graph::{Edge, Graph};
use super::literal::Literal;
use crate::engine::chain::Group;
use crate::engine::matches::{Case, CaseEnd, ChainStep, Inference, SourceMatch};
use crate::engine::tables::BoardMasks;
use crate::grid::{Bits, Candidate, Cell, Digit, HouseId};
use std::collections::VecDeque;
use std::rc::Rc;

/// A node, and whether it is true.
type Point = (u16, bool);

/// How a point was reached: the number of links, and the node before.
type Way = Option<(u32, u16)>;

/// What one literal reaches.
pub(super) struct Reach<const W: usize> {
    graph: Rc<Graph<W>>,
    supposed: Literal,
    on: Vec<Way>,
    off: Vec<Way>,
    /// For each candidate (by the number of its own node) the nearest node that is false and has it.
    gone: Vec<Option<(u32, u16)>>,
    /// For each digit the candidates that are false.
    false_cells: Vec<Bits<W>>,
    end: Option<(u32, CaseEnd, Vec<Point>)>,
}

impl<const W: usize> Reach<W> {
    /// Follows the links from a literal through at most a number of strong ones.
    pub fn new(
        tables: &BoardMasks<W>,
        ground: &Ground<W>,
        graph: &Rc<Graph<W>>,
        supposed: Literal,
        most: Option<u32>,
    ) -> Reach<W> {
        let nodes = graph.nodes.len();
        let mut reach = Reach {
            graph: Rc::clone(graph),
            supposed,
            on: vec![None; nodes],
            off: vec![None; nodes],
            gone: vec![None; graph.singles],
            false_cells: vec![Bits::EMPTY; tables.size],
            end: None,
        };
        if let Some(start) = graph.of(supposed.0) {
            reach.follow(graph, (start, supposed.1), most.unwrap_or(u32::MAX));
        }
        reach.note_candidates(graph);
        reach.end = reach.clash(tables, ground);
        reach
    }

    fn way(&self, (node, on): Point) -> Way {
        if on { self.on[usize::from(node)] } else { self.off[usize::from(node)] }
    }

    fn follow(&mut self, graph: &Graph<W>, start: Point, most: u32) {
        let mut queue = VecDeque::from([(start, 0, 0)]);
        self.set(start, (0, start.0));
        while let Some(((node, on), links, strong)) = queue.pop_front() {
            let mut reach = |other: u16| {
                if self.way((other, !on)).is_none() {
                    self.set((other, !on), (links + 1, node));
                    queue.push_back(((other, !on), links + 1, strong + u32::from(!on)));
                }
            };
            if on {
                graph.weak(node).for_each(&mut reach);
            } else if strong < most {
                graph.strong(node).iter().for_each(|edge| reach(edge.to));
            }
        }
    }

    fn set(&mut self, (node, on): Point, way: (u32, u16)) {
        let list = if on { &mut self.on } else { &mut self.off };
        list[usize::from(node)] = Some(way);
    }

    /// A candidate is false where a node that has it is.
    fn note_candidates(&mut self, graph: &Graph<W>) {
        for (number, Group { digit, cells }) in graph.nodes.iter().enumerate() {
            let Some((links, _)) = self.off[number] else { continue };
            self.false_cells[*digit] |= *cells;
            for own in graph.candidates(number as u16).filter_map(|candidate| graph.of(candidate)) {
                let known = &mut self.gone[usize::from(own)];
                if known.is_none_or(|best| (links, number as u16) < best) {
                    *known = Some((links, number as u16));
                }
            }
        }
    }

    /// The nearest false node that has the candidate.
    fn gone(&self, candidate: Candidate) -> Option<(u32, u16)> {
        self.gone[usize::from(self.graph.of(candidate)?)]
    }

    /// Whether it comes to a contradiction.
    pub fn refuted(&self) -> bool {
        self.end.is_some()
    }

    /// The contradiction with the fewest links.
    fn clash(&self, tables: &BoardMasks<W>, ground: &Ground<W>) -> Option<(u32, CaseEnd, Vec<Point>)> {
        let gone = |digit: usize| &self.false_cells[digit];
        let on = (0..self.graph.nodes.len()).filter(|&number| self.on[number].is_some());
        let none_left = |group: &Group<W>| group.cells.within(gone(group.digit));
        let both = on.filter(|&number| self.off[number].is_some() || none_left(&self.graph.nodes[number]));
        let both = both.filter_map(|number| self.both(number as u16));
        let left = (0..tables.size).fold(Bits::EMPTY, |all, digit| all | (ground.start.places[digit] - *gone(digit)));
        let cells = (ground.unsolved - left).iter().filter_map(|cell| {
            let here = ground.start.cells[cell].iter().map(|digit| Candidate::new(digit, Cell(cell as u16)));
            let (links, points) = self.all_gone(here)?;
            Some((links, CaseEnd::EmptyCell(Cell(cell as u16)), points))
        });
        let wanted = (0..tables.size).flat_map(|digit| ground.wanted[digit].iter().map(move |house| (digit, house)));
        let houses = wanted.filter_map(|(digit, house)| {
            let places = ground.start.places[digit] & tables.cells_of_house[house];
            if !places.within(gone(digit)) {
                return None;
            }
            let here = places.cells().map(|cell| Candidate::new(Digit(digit as u8), cell));
            let (links, points) = self.all_gone(here)?;
            Some((links, CaseEnd::EmptyHouse(HouseId(house as u16), Digit(digit as u8)), points))
        });
        both.chain(cells).chain(houses).min_by_key(|(links, ..)| *links)
    }

    /// A node that is true and false, or true with every candidate false.
    fn both(&self, number: u16) -> Option<(u32, CaseEnd, Vec<Point>)> {
        let (there, _) = self.way((number, true))?;
        let whole = self.way((number, false)).map(|(links, _)| (links, vec![(number, false)]));
        let apart = self.all_gone(self.graph.candidates(number));
        let (links, mut points) = whole.into_iter().chain(apart).min_by_key(|one| one.0)?;
        points.push((number, true));
        Some((there + links, CaseEnd::TrueAndFalse(self.graph.told(number)), points))
    }

    /// The chains that make all of these false, with the number of their links.
    fn all_gone(&self, candidates: impl Iterator<Item = Candidate>) -> Option<(u32, Vec<Point>)> {
        let mut points: Vec<Point> = Vec::new();
        for candidate in candidates {
            let point = (self.gone(candidate)?.1, false);
            if !points.contains(&point) {
                points.push(point);
            }
        }
        let links = points.iter().filter_map(|&point| self.way(point)).map(|(links, _)| links).sum();
        Some((links, points))
    }

    fn points(&self, shows: Option<Literal>) -> Vec<Point> {
        match shows {
            None => self.end.as_ref().map_or_else(Vec::new, |(_, _, points)| points.clone()),
            Some((candidate, true)) => self.graph.of(candidate).map(|node| (node, true)).into_iter().collect(),
            Some((candidate, false)) => self.gone(candidate).map(|(_, node)| (node, false)).into_iter().collect(),
        }
    }

    /// How many links an end needs: `None` is the contradiction.
    pub fn count(&self, shows: Option<Literal>) -> u32 {
        self.points(shows).into_iter().filter_map(|point| self.way(point)).map(|(links, _)| links).sum()
    }

    /// The chains that an end needs, the shortest first.
    pub fn case(&self, shows: Option<Literal>, via: &dyn Fn(Edge) -> Option<SourceMatch>) -> Case {
        let mut points = self.points(shows);
        points.sort_by_key(|&point| (self.way(point), point));
        let chains = points.into_iter().map(|point| self.chain(point, via)).filter(|chain| chain.len() > 1);
        let end = match (shows, &self.end) {
            (None, Some((_, end, _))) => end.clone(),
            (Some((candidate, holds)), _) => CaseEnd::Shows(candidate, holds),
            (None, None) => CaseEnd::Shows(self.supposed.0, self.supposed.1),
        };
        Case { supposed: self.supposed, inferences: chains.map(Inference::Links).collect(), end, known_length: None }
    }

    /// From what is supposed to a point.
    fn chain(&self, end: Point, via: &dyn Fn(Edge) -> Option<SourceMatch>) -> Vec<ChainStep> {
        let mut steps = Vec::new();
        let mut point = end;
        while let Some((links, before)) = self.way(point) {
            let (node, strong) = (self.graph.told(point.0), point.1);
            if links == 0 {
                // The first node has no link before it.
                steps.push(ChainStep { strong: false, node, source_match: None });
                break;
            }
            let mut edges = self.graph.strong(before).iter();
            let edge = edges.find(|edge| strong && edge.to == point.0);
            steps.push(ChainStep { strong, node, source_match: edge.and_then(|edge| via(*edge)) });
            point = (before, !point.1);
        }
        steps.reverse();
        steps
    }
}
