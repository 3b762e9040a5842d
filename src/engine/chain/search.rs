//! Open chains, shortest first. In: the candidate graph and what a rule admits. Out: for each start the nodes
//! that are true if it is false, with the length of the shortest chain to each, and the path of one of them.
//!
//! The search is breadth first from every start over (node, what is known of it). A link costs what the
//! rule's unit counts; among chains of one length those with fewer links come first, and among these the
//! ones that reach smaller nodes first.

use super::links::{Links, Node};
use crate::engine::matches::{ChainNode, ChainStep};
use crate::grid::DigitSet;
use crate::lang::ir::{Length, LengthUnit, Weak};
use std::collections::VecDeque;

/// What a rule admits.
pub(crate) struct Admit<'a> {
    pub links: &'a Links,
    pub on: Option<DigitSet>,
    pub strong: Vec<usize>,
    pub weak: Weak,
    pub length: Length,
    /// Nothing longer is looked at (strong links).
    pub most_links: usize,
}

/// A chain from one node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hit {
    /// In the rule's unit.
    pub length: u32,
    /// All links.
    pub links: u32,
    pub from: Node,
    pub to: Node,
}

/// How many nodes are looked at for a simple chain where the first is none.
const MOST_VISITS: usize = 20_000;

/// Distance of a node that was not reached.
const FAR: (u32, u32) = (u32::MAX, u32::MAX);

/// Working memory of the search, kept from start to start.
pub(crate) struct Search<'a> {
    admit: &'a Admit<'a>,
    /// Distances and parents of nodes shown true.
    on: Vec<((u32, u32), Node)>,
    /// Of nodes shown false.
    off: Vec<((u32, u32), Node)>,
    /// Whether the limit on strong links cut something.
    pub cut: bool,
}

impl<'a> Search<'a> {
    pub fn new(admit: &'a Admit<'a>) -> Self {
        let nodes = admit.links.len();
        Search { admit, on: vec![(FAR, 0); nodes], off: vec![(FAR, 0); nodes], cut: false }
    }

    /// The ends of all admitted chains from `start`, in order of length, then links, then node.
    pub fn hits(&mut self, start: Node) -> Vec<Hit> {
        self.run(start);
        let Length { low, high, .. } = self.admit.length;
        let mut hits = Vec::new();
        for (to, &((length, links), _)) in self.on.iter().enumerate() {
            let admitted = links != u32::MAX && length >= low && high.is_none_or(|high| length <= high);
            if admitted && to != usize::from(start) {
                hits.push(Hit { length, links, from: start, to: to as Node });
            }
        }
        hits
    }

    /// The nodes of a shortest chain; `None` where every one of them holds a node twice (then a shorter conclusion is
    /// inside).
    pub fn path(&mut self, hit: Hit) -> Option<Vec<ChainStep>> {
        self.run(hit.from);
        self.first_path(hit).or_else(|| self.other_path(hit))
    }

    /// The chain that the search met first, if it is simple.
    fn first_path(&self, hit: Hit) -> Option<Vec<ChainStep>> {
        let mut steps = Vec::new();
        let mut seen = vec![false; self.admit.links.len()];
        let (mut node, mut strong) = (hit.to, true);
        loop {
            if std::mem::replace(&mut seen[usize::from(node)], true) {
                return None;
            }
            steps.push(ChainStep { strong, node: ChainNode::single(self.admit.links.candidate(node)), via: None });
            if node == hit.from {
                // Reached as true, the start holds without the rest of the chain: it is in it twice.
                if strong {
                    return None;
                }
                break;
            }
            node = if strong { self.on[usize::from(node)].1 } else { self.off[usize::from(node)].1 };
            strong = !strong;
        }
        steps.reverse();
        Some(steps)
    }

    /// Another chain that is as short and simple. Whether there is one must not depend on what was met first.
    fn other_path(&self, hit: Hit) -> Option<Vec<ChainStep>> {
        let mut chain = vec![(hit.to, true)];
        let mut visits = MOST_VISITS;
        self.back(hit.from, &mut chain, &mut visits).then(|| {
            let step = |&(node, strong): &(Node, bool)| {
                let node = ChainNode::single(self.admit.links.candidate(node));
                ChainStep { strong, node, via: None }
            };
            chain.iter().rev().map(step).collect()
        })
    }

    /// Goes on from the last node of a chain towards the start, through nodes that lie on shortest chains.
    fn back(&self, start: Node, chain: &mut Vec<(Node, bool)>, visits: &mut usize) -> bool {
        let Some(&(node, on)) = chain.last() else { return false };
        if node == start || *visits == 0 {
            return node == start && !on;
        }
        *visits -= 1;
        let here = if on { self.on[usize::from(node)].0 } else { self.off[usize::from(node)].0 };
        for before in self.leading_to(node, on) {
            let there = if on { self.off[usize::from(before)].0 } else { self.on[usize::from(before)].0 };
            let fits = there != FAR && (there.0 + self.cost(before, node, on), there.1 + 1) == here;
            if fits && chain.iter().all(|&(known, _)| known != before) {
                chain.push((before, !on));
                if self.back(start, chain, visits) {
                    return true;
                }
                chain.pop();
            }
        }
        false
    }

    /// The nodes with a link to this one, strong to a true one and weak to a false one.
    fn leading_to(&self, node: Node, on: bool) -> Vec<Node> {
        let links = self.admit.links;
        let mut out: Vec<Node> = Vec::new();
        if on {
            self.admit.strong.iter().for_each(|&source| out.extend(links.strong(source, node)));
        } else {
            if self.admit.weak != Weak::SameDigit {
                out.extend(links.weak_in_cell(node));
            }
            if self.admit.weak != Weak::Cell {
                out.extend(links.weak_of_digit(node));
            }
        }
        out.sort_unstable();
        out.dedup();
        out.retain(|&before| self.allowed(before));
        out
    }

    fn allowed(&self, node: Node) -> bool {
        self.admit.on.is_none_or(|digits| digits.has(self.admit.links.candidate(node).digit))
    }

    fn cost(&self, a: Node, b: Node, strong: bool) -> u32 {
        match self.admit.length.unit {
            LengthUnit::Links => 1,
            LengthUnit::StrongLinks => u32::from(strong),
            LengthUnit::Cells => u32::from(self.admit.links.candidate(a).cell != self.admit.links.candidate(b).cell),
        }
    }

    /// Fills distances and parents from a start that is supposed false.
    fn run(&mut self, start: Node) {
        self.on.fill((FAR, 0));
        self.off.fill((FAR, 0));
        if !self.allowed(start) {
            return;
        }
        // A chain of cells counts its first cell.
        let first = u32::from(self.admit.length.unit == LengthUnit::Cells);
        self.off[usize::from(start)] = ((first, 0), start);
        let mut queue = VecDeque::from([(start, false, (first, 0))]);
        while let Some((node, on, at)) = queue.pop_front() {
            let known = if on { self.on[usize::from(node)].0 } else { self.off[usize::from(node)].0 };
            if known != at {
                continue;
            }
            if on {
                self.leave_true(node, at, &mut queue);
            } else {
                self.leave_false(node, at, &mut queue);
            }
        }
    }

    /// A false node makes its strong partners true.
    fn leave_false(&mut self, node: Node, at: (u32, u32), queue: &mut VecDeque<(Node, bool, (u32, u32))>) {
        if at.1 as usize >= 2 * self.admit.most_links {
            self.cut = true;
            return;
        }
        for &source in &self.admit.strong {
            for i in 0..self.admit.links.strong(source, node).len() {
                self.reach(node, self.admit.links.strong(source, node)[i], true, at, queue);
            }
        }
    }

    /// A true node makes what it excludes false.
    fn leave_true(&mut self, node: Node, at: (u32, u32), queue: &mut VecDeque<(Node, bool, (u32, u32))>) {
        let links = self.admit.links;
        if self.admit.weak != Weak::SameDigit {
            links.weak_in_cell(node).iter().for_each(|&next| self.reach(node, next, false, at, queue));
        }
        if self.admit.weak != Weak::Cell {
            links.weak_of_digit(node).iter().for_each(|&next| self.reach(node, next, false, at, queue));
        }
    }

    fn reach(
        &mut self,
        node: Node,
        next: Node,
        on: bool,
        at: (u32, u32),
        queue: &mut VecDeque<(Node, bool, (u32, u32))>,
    ) {
        if !self.allowed(next) {
            return;
        }
        let cost = self.cost(node, next, on);
        let there = (at.0 + cost, at.1 + 1);
        let known = if on { &mut self.on[usize::from(next)] } else { &mut self.off[usize::from(next)] };
        if there < known.0 {
            *known = (there, node);
            match cost {
                0 => queue.push_front((next, on, there)),
                _ => queue.push_back((next, on, there)),
            }
        }
    }
}
