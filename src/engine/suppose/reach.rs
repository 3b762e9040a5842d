//! What follows from a supposed literal by links alone. In: a graph and a literal. Out: the nodes that become true or
//! false, each by the chain with the fewest links.
//!
//! A true node makes what it excludes false, a false one makes its strong partners true; nothing needs two reasons. The
//! search is breadth first, neighbours in order of their numbers, and the first chain to a node is kept. Of several
//! contradictions the one with the fewest links in all counts; among equals a node that is both true and false comes
//! first, then cells, then houses, each by number (houses by digit first).

use super::Literal;
use super::board::Ground;
use super::graph::{Edge, Graph};
use crate::engine::matches::{Case, CaseEnd, ChainStep, Inference, Via};
use crate::engine::tables::Tables;
use crate::grid::{Candidate, Cell, Digit, HouseId};
use std::collections::VecDeque;
use std::rc::Rc;

/// A node, and whether it is true.
type Point = (u16, bool);

/// How a point was reached: the number of links, and the node before.
type Way = Option<(u32, u16)>;

/// What one literal reaches.
pub(super) struct Reach {
    graph: Rc<Graph>,
    supposed: Literal,
    on: Vec<Way>,
    off: Vec<Way>,
    /// For each candidate (by the number of its own node) the nearest node that is false and has it.
    gone: Vec<Option<(u32, u16)>>,
    end: Option<(u32, CaseEnd, Vec<Point>)>,
}

impl Reach {
    /// Follows the links from a literal through at most so many strong ones.
    pub fn new<const W: usize>(
        tables: &Tables<W>,
        ground: &Ground<W>,
        graph: &Rc<Graph>,
        supposed: Literal,
        most: Option<u32>,
    ) -> Reach {
        let nodes = graph.nodes.len();
        let mut reach = Reach {
            graph: Rc::clone(graph),
            supposed,
            on: vec![None; nodes],
            off: vec![None; nodes],
            gone: vec![None; nodes],
            end: None,
        };
        if let Some(&start) = graph.single.get(&supposed.0) {
            reach.follow((start, supposed.1), most.unwrap_or(u32::MAX));
        }
        reach.note_candidates();
        reach.end = reach.clash(tables, ground);
        reach
    }

    fn way(&self, (node, on): Point) -> Way {
        if on { self.on[usize::from(node)] } else { self.off[usize::from(node)] }
    }

    fn follow(&mut self, start: Point, most: u32) {
        let graph = Rc::clone(&self.graph);
        let mut queue = VecDeque::from([(start, 0, 0)]);
        self.set(start, (0, start.0));
        while let Some(((node, on), links, strong)) = queue.pop_front() {
            let at = usize::from(node);
            let next: Vec<u16> = match on {
                true => graph.weak[at].clone(),
                false if strong < most => graph.strong[at].iter().map(|edge| edge.to).collect(),
                false => Vec::new(),
            };
            for other in next {
                if self.way((other, !on)).is_none() {
                    self.set((other, !on), (links + 1, node));
                    queue.push_back(((other, !on), links + 1, strong + u32::from(!on)));
                }
            }
        }
    }

    fn set(&mut self, (node, on): Point, way: (u32, u16)) {
        let list = if on { &mut self.on } else { &mut self.off };
        list[usize::from(node)] = Some(way);
    }

    /// A candidate is false where a node that has it is.
    fn note_candidates(&mut self) {
        for (number, node) in self.graph.nodes.iter().enumerate() {
            let Some((links, _)) = self.off[number] else { continue };
            for candidate in node.candidates() {
                if let Some(&own) = self.graph.single.get(&candidate) {
                    let known = &mut self.gone[usize::from(own)];
                    if known.is_none_or(|best| (links, number as u16) < best) {
                        *known = Some((links, number as u16));
                    }
                }
            }
        }
    }

    /// The nearest false node that has the candidate.
    fn gone(&self, candidate: Candidate) -> Option<(u32, u16)> {
        self.gone[usize::from(*self.graph.single.get(&candidate)?)]
    }

    /// Whether it comes to a contradiction.
    pub fn refuted(&self) -> bool {
        self.end.is_some()
    }

    /// The candidates that are true and those that are false, the supposed one too.
    pub fn holds(&self) -> impl Iterator<Item = Candidate> + '_ {
        self.graph.single.iter().filter(|(_, node)| self.on[usize::from(**node)].is_some()).map(|(one, _)| *one)
    }

    /// Those that are false.
    pub fn fails(&self) -> impl Iterator<Item = Candidate> + '_ {
        self.graph.single.iter().filter(|(_, node)| self.gone[usize::from(**node)].is_some()).map(|(one, _)| *one)
    }

    /// The contradiction with the fewest links.
    fn clash<const W: usize>(&self, tables: &Tables<W>, ground: &Ground<W>) -> Option<(u32, CaseEnd, Vec<Point>)> {
        let both = (0..self.graph.nodes.len()).filter_map(|number| self.both(number as u16));
        let unsolved = ground.unsolved.iter();
        let cells = unsolved.filter_map(|cell| {
            let here = ground.start.cells[cell].iter().map(|digit| Candidate::new(digit, Cell(cell as u16)));
            let (links, points) = self.all_gone(here)?;
            Some((links, CaseEnd::EmptyCell(Cell(cell as u16)), points))
        });
        let wanted = (0..tables.size).flat_map(|digit| ground.wanted[digit].iter().map(move |house| (digit, house)));
        let houses = wanted.filter_map(|(digit, house)| {
            let places = ground.start.places[digit] & tables.house[house];
            let here = places.cells().map(|cell| Candidate::new(Digit(digit as u8), cell));
            let (links, points) = self.all_gone(here)?;
            Some((links, CaseEnd::EmptyHouse(HouseId(house as u16), Digit(digit as u8)), points))
        });
        both.chain(cells).chain(houses).min_by_key(|(links, ..)| *links)
    }

    /// A node that is true and false, or true with every candidate false.
    fn both(&self, number: u16) -> Option<(u32, CaseEnd, Vec<Point>)> {
        let (there, _) = self.way((number, true))?;
        let node = &self.graph.nodes[usize::from(number)];
        let whole = self.way((number, false)).map(|(links, _)| (links, vec![(number, false)]));
        let (links, mut points) = whole.into_iter().chain(self.all_gone(node.candidates())).min_by_key(|one| one.0)?;
        points.push((number, true));
        Some((there + links, CaseEnd::Both(node.clone()), points))
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
            Some((candidate, true)) => {
                self.graph.single.get(&candidate).map(|&node| (node, true)).into_iter().collect()
            }
            Some((candidate, false)) => self.gone(candidate).map(|(_, node)| (node, false)).into_iter().collect(),
        }
    }

    /// How many links an end needs: `None` is the contradiction.
    pub fn count(&self, shows: Option<Literal>) -> u32 {
        self.points(shows).into_iter().filter_map(|point| self.way(point)).map(|(links, _)| links).sum()
    }

    /// The chains that an end needs, the shortest first.
    pub fn case(&self, shows: Option<Literal>, via: &dyn Fn(Edge) -> Option<Via>) -> Case {
        let mut points = self.points(shows);
        points.sort_by_key(|&point| (self.way(point), point));
        let chains = points.into_iter().map(|point| self.chain(point, via)).filter(|chain| chain.len() > 1);
        let end = match (shows, &self.end) {
            (None, Some((_, end, _))) => end.clone(),
            (Some((candidate, holds)), _) => CaseEnd::Shows(candidate, holds),
            (None, None) => CaseEnd::Shows(self.supposed.0, self.supposed.1),
        };
        Case { supposed: self.supposed, inferences: chains.map(Inference::Links).collect(), end }
    }

    /// From what is supposed to a point.
    fn chain(&self, end: Point, via: &dyn Fn(Edge) -> Option<Via>) -> Vec<ChainStep> {
        let mut steps = Vec::new();
        let mut point = end;
        while let Some((links, before)) = self.way(point) {
            let (node, strong) = (self.graph.nodes[usize::from(point.0)].clone(), point.1);
            if links == 0 {
                // The first node has no link before it.
                steps.push(ChainStep { strong: false, node, via: None });
                break;
            }
            let mut edges = self.graph.strong[usize::from(before)].iter();
            let edge = edges.find(|edge| strong && edge.to == point.0);
            steps.push(ChainStep { strong, node, via: edge.and_then(|edge| via(*edge)) });
            point = (before, !point.1);
        }
        steps.reverse();
        steps
    }
}
