//! What follows from a supposed literal, one inference after the other. In: a literal and what can be inferred of one that was
//! told. Out: everything that was told up to the end or to the first contradiction, each with the reasons it was first told for.
//!
//! First in, first out: what is true is followed before what is false, and of each the one that was told first. This is
//! for profiles that ask for the argument found first ([`Limits::first_found`]); others get the shortest.
//!
//! [`Limits::first_found`]: crate::engine::matches::Limits::first_found

use super::graph::{Edge, Graph};
use super::literal::Literal;
use crate::engine::matches::{Case, CaseEnd, ChainNode, ChainStep, Inference, LimitHit, Match, SourceMatch};
use crate::grid::{Candidate, Cell, Digit, HouseId};
use std::collections::VecDeque;
use std::rc::Rc;

/// The place of something told in the list of all.
pub(super) type At = u32;

const NONE: At = At::MAX;

/// By what something is told.
#[derive(Clone, Copy)]
pub(super) enum Because {
    /// It is what is supposed.
    Supposed,
    /// A true one excludes it.
    Excluded,
    /// A strong link.
    Linked(Edge),
    /// It is the last candidate of its cell.
    Cell,
    /// It is the last place in this house.
    House(HouseId),
    /// A match of a rule, by its number.
    Rule(usize),
}

/// A node that is true or false.
struct Told {
    node: u16,
    holds: bool,
    because: Because,
    /// What it directly rests on.
    parents: Vec<At>,
}

/// What nodes are.
pub(super) enum Nodes<const W: usize> {
    /// Those of a graph.
    Graph(Rc<Graph<W>>),
    /// Candidates: digit × cells + cell.
    Candidates(usize),
}

impl<const W: usize> Nodes<W> {
    fn told(&self, node: u16) -> ChainNode {
        match self {
            Nodes::Graph(graph) => graph.told(node),
            Nodes::Candidates(cells) => {
                let (digit, cell) = (usize::from(node) / cells, usize::from(node) % cells);
                ChainNode { digit: Digit(digit as u8), cells: vec![Cell(cell as u16)] }
            }
        }
    }

    fn of(&self, one: Candidate) -> Option<u16> {
        match self {
            Nodes::Graph(graph) => graph.of(one),
            Nodes::Candidates(cells) => Some((one.digit.index() * cells + one.cell.index()) as u16),
        }
    }

    fn len(&self, size: usize) -> usize {
        match self {
            Nodes::Graph(graph) => graph.nodes.len(),
            Nodes::Candidates(cells) => size * cells,
        }
    }
}

/// Matches, each with the nodes that it rests on if these are false (`None` is everything), and limits that were hit.
pub(super) type ByRules = (Vec<(Match, Option<Vec<u16>>)>, Vec<LimitHit>);

/// What can be inferred of what was told.
pub(super) trait Ahead<const W: usize> {
    /// What a true node excludes, in order.
    fn if_true(&mut self, node: u16) -> Vec<u16>;
    /// What a false node leaves, in order: a node, by what, and which others must be false for it. It is gone afterwards.
    fn if_false(&mut self, node: u16) -> Vec<(u16, Because, Vec<u16>)>;
    /// Matches of rules.
    fn rules(&mut self) -> ByRules;
}

/// Everything that was told.
pub(super) struct Queue<const W: usize> {
    supposed: Literal,
    nodes: Nodes<W>,
    told: Vec<Told>,
    /// For each node where it is told to be false, and where to be true.
    at: [Vec<At>; 2],
    open: [VecDeque<At>; 2],
    /// Two that contradict each other, the true one first.
    end: Option<[At; 2]>,
    matches: Vec<Match>,
    pub limits: Vec<LimitHit>,
}

impl<const W: usize> Queue<W> {
    pub fn new(nodes: Nodes<W>, size: usize, supposed: Literal, ahead: &mut dyn Ahead<W>) -> Queue<W> {
        let count = nodes.len(size);
        let at = [vec![NONE; count], vec![NONE; count]];
        let (told, matches, limits) = (Vec::new(), Vec::new(), Vec::new());
        let mut queue = Queue { supposed, nodes, told, at, open: Default::default(), end: None, matches, limits };
        if let Some(node) = queue.nodes.of(supposed.0) {
            queue.tell(node, supposed.1, Because::Supposed, Vec::new());
            while queue.end.is_none() && queue.go_on(ahead) {}
        }
        queue
    }

    /// Tells a node unless it is told already; its opposite ends all.
    fn tell(&mut self, node: u16, holds: bool, because: Because, parents: Vec<At>) {
        let (same, other) =
            (self.at[usize::from(holds)][usize::from(node)], self.at[usize::from(!holds)][usize::from(node)]);
        if self.end.is_some() || (same != NONE && other == NONE) {
            return;
        }
        let now = self.told.len() as At;
        self.told.push(Told { node, holds, because, parents });
        if other != NONE {
            self.end = Some(if holds { [now, other] } else { [other, now] });
            return;
        }
        self.at[usize::from(holds)][usize::from(node)] = now;
        self.open[usize::from(holds)].push_back(now);
    }

    /// Goes on from the next; whether there was something to go on from.
    fn go_on(&mut self, ahead: &mut dyn Ahead<W>) -> bool {
        if let Some(at) = self.open[1].pop_front() {
            for node in ahead.if_true(self.told[at as usize].node) {
                self.tell(node, false, Because::Excluded, vec![at]);
            }
            return true;
        }
        if let Some(at) = self.open[0].pop_front() {
            for (node, because, others) in ahead.if_false(self.told[at as usize].node) {
                let mut parents = vec![at];
                parents.extend(others.into_iter().map(|other| self.at[0][usize::from(other)]).filter(|&at| at != NONE));
                self.tell(node, true, because, parents);
            }
            return true;
        }
        self.by_rules(ahead)
    }

    fn by_rules(&mut self, ahead: &mut dyn Ahead<W>) -> bool {
        let (found, limits) = ahead.rules();
        self.limits.extend(limits);
        let before = self.told.len();
        for (one, reads) in found {
            let parents: Vec<At> = match reads {
                Some(reads) => {
                    reads.into_iter().map(|node| self.at[0][usize::from(node)]).filter(|&at| at != NONE).collect()
                }
                None => (0..before as At).collect(),
            };
            let because = Because::Rule(self.matches.len());
            let shown =
                one.eliminations.iter().map(|&one| (one, false)).chain(one.placements.iter().map(|&one| (one, true)));
            for (candidate, holds) in shown {
                if let Some(node) = self.nodes.of(candidate) {
                    self.tell(node, holds, because, parents.clone());
                }
            }
            self.matches.push(one);
        }
        self.told.len() > before
    }

    /// Whether it comes to a contradiction.
    pub fn refuted(&self) -> bool {
        self.end.is_some()
    }

    /// Where a literal is told, if it is.
    pub fn find(&self, (candidate, holds): Literal) -> Option<At> {
        let own = self.nodes.of(candidate).map(|node| self.at[usize::from(holds)][usize::from(node)]);
        own.filter(|&at| at != NONE)
    }

    /// The candidates that are told, those that are true first, in the order in which they were told.
    pub fn literals(&self) -> Vec<Literal> {
        let of = |holds: bool| {
            let told = self.told.iter().filter(move |one| one.holds == holds);
            told.filter_map(move |one| self.nodes.told(one.node).only().map(|candidate| (candidate, holds)))
        };
        of(true).chain(of(false)).collect()
    }

    fn ends(&self, shows: Option<Literal>) -> Vec<At> {
        match shows {
            Some(literal) => self.find(literal).into_iter().collect(),
            None => self.end.into_iter().flatten().collect(),
        }
    }

    /// How much is told up to an end: `None` is the contradiction, of which both sides count.
    pub fn count(&self, shows: Option<Literal>) -> u32 {
        self.ends(shows).into_iter().map(|end| self.behind(&[end]).len() as u32).sum()
    }

    /// What some rest on, and these, in the order in which they were told.
    fn behind(&self, ends: &[At]) -> Vec<At> {
        let mut needed = vec![false; self.told.len()];
        ends.iter().for_each(|&end| needed[end as usize] = true);
        for at in (0..self.told.len()).rev() {
            if needed[at] {
                self.told[at].parents.iter().for_each(|&parent| needed[parent as usize] = true);
            }
        }
        (0..self.told.len()).filter(|&at| needed[at]).map(|at| at as At).collect()
    }

    /// The inferences that an end needs; `via` says what makes a strong link.
    pub fn case(&self, shows: Option<Literal>, via: &dyn Fn(Edge) -> Option<SourceMatch>) -> Case {
        let ends = self.ends(shows);
        let inferences = match &self.nodes {
            Nodes::Graph(_) => {
                let chains = ends.iter().map(|&end| self.chain(end, via)).filter(|chain| chain.len() > 1);
                chains.map(Inference::Links).collect()
            }
            Nodes::Candidates(_) => self.inferences(&ends),
        };
        let end = match (shows, self.end) {
            (None, Some([end, _])) => CaseEnd::TrueAndFalse(self.nodes.told(self.told[end as usize].node)),
            (Some((candidate, holds)), _) => CaseEnd::Shows(candidate, holds),
            (None, None) => CaseEnd::Shows(self.supposed.0, self.supposed.1),
        };
        Case { supposed: self.supposed, inferences, end, known_length: Some(self.count(shows)) }
    }

    fn inferences(&self, ends: &[At]) -> Vec<Inference> {
        let mut last_rule = None;
        let one = |at: At| {
            let told = &self.told[at as usize];
            let candidate = self.nodes.told(told.node).only()?;
            match told.because {
                Because::Cell => Some(Inference::Naked(candidate)),
                Because::House(house) => Some(Inference::Hidden(candidate, house)),
                Because::Rule(number) if last_rule.replace(number) != Some(number) => {
                    Some(Inference::Rule(Box::new(self.matches[number].clone())))
                }
                _ => None,
            }
        };
        self.behind(ends).into_iter().filter_map(one).collect()
    }

    /// From what is supposed to an end.
    fn chain(&self, end: At, via: &dyn Fn(Edge) -> Option<SourceMatch>) -> Vec<ChainStep> {
        let mut steps = Vec::new();
        let mut at = Some(end);
        while let Some(told) = at.map(|at| &self.told[at as usize]) {
            let by = match told.because {
                Because::Linked(edge) => via(edge),
                _ => None,
            };
            let strong = told.holds && !told.parents.is_empty();
            steps.push(ChainStep { strong, node: self.nodes.told(told.node), source_match: by });
            at = told.parents.first().copied();
        }
        steps.reverse();
        steps
    }
}
