//! The candidate graph of one state. In: facts and the pairs that link sources yield. Out: live candidates
//! numbered densely in order of cell and digit, strong links as lists for each source, weak links as rows
//! derived from the board.

use super::super::facts::Facts;
use super::super::tables::Tables;
use crate::grid::{Candidate, Cell, Digit, DigitSet};

/// A node: a live candidate by its number.
pub(crate) type Node = u16;

/// The graph.
pub(crate) struct Links {
    nodes: Vec<Candidate>,
    number: Vec<Node>,
    size: usize,
    /// For each node those it excludes: first its cell's other digits, then its digit's other places.
    weak: Vec<Vec<Node>>,
    /// How many of a node's weak links stay in its cell.
    in_cell: Vec<usize>,
    /// For each link source the strong links of each node, ascending.
    strong: Vec<Option<Vec<Vec<Node>>>>,
}

impl Links {
    pub fn new<const W: usize>(tables: &Tables<W>, facts: &Facts<'_, W>, sources: usize) -> Links {
        let mut nodes = Vec::new();
        let mut number = vec![Node::MAX; tables.cell_count * tables.size];
        for cell in 0..tables.cell_count {
            for digit in facts.candidates[cell].iter() {
                number[cell * tables.size + digit.index()] = nodes.len() as Node;
                nodes.push(Candidate::new(digit, Cell(cell as u16)));
            }
        }
        let mut links = Links {
            nodes,
            number,
            size: tables.size,
            weak: Vec::new(),
            in_cell: Vec::new(),
            strong: vec![None; sources],
        };
        for &Candidate { cell, digit } in &links.nodes {
            let others = facts.candidates[cell.index()] - DigitSet::single(digit);
            let mut row: Vec<Node> = others.iter().map(|other| links.at(cell.index(), other.index())).collect();
            links.in_cell.push(row.len());
            let places = facts.places[digit.index()] & tables.peers[cell.index()];
            row.extend(places.iter().map(|place| links.at(place, digit.index())));
            links.weak.push(row);
        }
        links
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn candidate(&self, node: Node) -> Candidate {
        self.nodes[usize::from(node)]
    }

    fn at(&self, cell: usize, digit: usize) -> Node {
        self.number[cell * self.size + digit]
    }

    /// The node of a candidate, if it is live.
    pub fn node(&self, cell: Cell, digit: Digit) -> Option<Node> {
        let node = self.at(cell.index(), digit.index());
        (node != Node::MAX).then_some(node)
    }

    pub fn has_source(&self, source: usize) -> bool {
        self.strong[source].is_some()
    }

    /// Stores what a link source found.
    pub fn add_source(&mut self, source: usize, pairs: &[(Candidate, Candidate)]) {
        let mut lists = vec![Vec::new(); self.nodes.len()];
        for (a, b) in pairs {
            if let (Some(a), Some(b)) = (self.node(a.cell, a.digit), self.node(b.cell, b.digit)) {
                lists[usize::from(a)].push(b);
                lists[usize::from(b)].push(a);
            }
        }
        for list in &mut lists {
            list.sort_unstable();
            list.dedup();
        }
        self.strong[source] = Some(lists);
    }

    /// Strong links of a node from one source.
    pub fn strong(&self, source: usize, node: Node) -> &[Node] {
        self.strong[source].as_ref().map_or(&[], |lists| &lists[usize::from(node)])
    }

    /// Weak links inside the node's cell.
    pub fn weak_in_cell(&self, node: Node) -> &[Node] {
        &self.weak[usize::from(node)][..self.in_cell[usize::from(node)]]
    }

    /// Weak links to other places of the node's digit.
    pub fn weak_of_digit(&self, node: Node) -> &[Node] {
        &self.weak[usize::from(node)][self.in_cell[usize::from(node)]..]
    }
}
