//! Nodes and what links them, ready to be followed. In: a [`Draft`]. Out: [`Web`]: for each node the nodes that it excludes,
//! and those that are true where it is false.
//!
//! A node is a digit in some cells. Nodes of one digit stand side by side, so that what excludes what by a digit is a short
//! row; besides, a candidate excludes the others of its cell.

use super::draft::{Draft, NONE};
use crate::engine::facts::DIGITS;
use crate::engine::rows;
use crate::engine::tables::Tables;
use crate::grid::Bits;
use std::ops::Range;

/// Nodes and links. Nodes are numbered digit by digit; the block of a digit is the words of a row that have its nodes.
pub(super) struct Web<const W: usize> {
    /// How many words a row of all nodes has.
    pub words: usize,
    /// For each digit its first node; at the end how many nodes there are.
    first: [usize; DIGITS + 1],
    /// The digit of each node.
    digit: Vec<u8>,
    /// The cell of each node that is a candidate.
    cell: Vec<u16>,
    /// For each digit and cell the node of the candidate.
    candidate: Vec<u32>,
    /// For each digit and cell the nodes of the digit that have the cell: where they begin in `having`.
    place: Vec<u32>,
    having: Vec<u64>,
    /// For each digit the cells that its nodes have.
    used: [Bits<W>; DIGITS],
    /// For each node where the nodes of its digit that it excludes begin in `weak`.
    begin: Vec<u32>,
    weak: Vec<u64>,
    /// For each node where the links begin that it is in.
    link_begin: Vec<u32>,
    /// The links of each node: where their nodes begin and end.
    links: Vec<[u32; 2]>,
    /// The nodes of all links.
    linked: Vec<u32>,
}

impl<const W: usize> Web<W> {
    /// The nodes and links that were found.
    pub fn of(tables: &Tables<W>, draft: &Draft<W>) -> Self {
        let Draft { nodes, single, linked, ends, .. } = draft;
        let mut first = [0; DIGITS + 1];
        for digit in 0..DIGITS {
            first[digit + 1] = first[digit] + nodes.get(digit).map_or(0, Vec::len);
        }
        let count = first[DIGITS];
        let linked: Vec<u32> = linked.iter().map(|&(digit, number)| first[digit] as u32 + number).collect();
        let links: Vec<[u32; 2]> = ends.windows(2).map(|ends| [ends[0] as u32, ends[1] as u32]).collect();
        let mut web = Web {
            words: rows::words_for(count),
            first,
            digit: Vec::with_capacity(count),
            cell: vec![u16::MAX; count],
            candidate: single.clone(),
            place: vec![NONE; tables.size * tables.cell_count],
            having: Vec::new(),
            used: [Bits::EMPTY; DIGITS],
            begin: Vec::with_capacity(count),
            weak: Vec::new(),
            link_begin: vec![0; count + 1],
            links: Vec::new(),
            linked,
        };
        web.note_links(&links);
        nodes.iter().enumerate().for_each(|(digit, nodes)| web.add_digit(tables, digit, nodes));
        web
    }

    /// Notes for each node the links that it is in.
    fn note_links(&mut self, links: &[[u32; 2]]) {
        for &node in &self.linked {
            self.link_begin[node as usize + 1] += 1;
        }
        for node in 1..self.link_begin.len() {
            self.link_begin[node] += self.link_begin[node - 1];
        }
        let mut next = self.link_begin.clone();
        self.links = vec![[0; 2]; self.linked.len()];
        for link in links {
            for &node in &self.linked[link[0] as usize..link[1] as usize] {
                self.links[next[node as usize] as usize] = *link;
                next[node as usize] += 1;
            }
        }
    }

    fn add_digit(&mut self, tables: &Tables<W>, digit: usize, nodes: &[Bits<W>]) {
        let (first, block) = (self.first[digit], self.block(digit));
        let before = self.having.len();
        let board = digit * tables.cell_count;
        self.digit.resize(first + nodes.len(), digit as u8);
        for (at, cells) in nodes.iter().enumerate() {
            self.used[digit] |= *cells;
            for cell in cells.iter() {
                if self.place[board + cell] == NONE {
                    self.place[board + cell] = self.having.len() as u32;
                    self.having.resize(self.having.len() + block.len(), 0);
                }
                rows::set(&mut self.having[self.place[board + cell] as usize..], first + at - block.start * 64);
            }
            if let Some(cell) = cells.first().filter(|_| cells.is_one()) {
                self.candidate[board + cell] += first as u32;
                self.cell[first + at] = cell as u16;
            }
        }
        let count = block.len();
        let mut by_cell = vec![0; self.having.len() - before];
        let row_of = |web: &Self, cell: usize| web.place[board + cell] as usize - before;
        for cell in self.used[digit].iter() {
            let row = row_of(self, cell);
            self.excluded(digit, tables.cell_count, &tables.peers[cell], &mut by_cell[row..row + count]);
        }
        // What excludes a node of several cells, each of them excludes.
        for cells in nodes {
            let begin = self.weak.len();
            self.begin.push(begin as u32);
            self.weak.resize(begin + count, !0);
            for cell in cells.iter() {
                let row = row_of(self, cell);
                rows::keep(&mut self.weak[begin..], &by_cell[row..row + count]);
            }
        }
    }

    /// The words of a row that have the nodes of a digit.
    #[inline]
    pub fn block(&self, digit: usize) -> Range<usize> {
        let (first, end) = (self.first[digit], self.first[digit + 1]);
        if first == end { 0..0 } else { first / 64..end.div_ceil(64) }
    }

    /// The nodes of a digit all of whose cells are among these, into a row of its block.
    pub fn excluded(&self, digit: usize, cell_count: usize, seen: &Bits<W>, row: &mut [u64]) {
        let (first, end) = (self.first[digit], self.first[digit + 1]);
        row.fill(!0);
        if let Some(word) = row.first_mut() {
            *word = !0 << (first % 64);
        }
        if let Some(word) = row.last_mut().filter(|_| end % 64 > 0) {
            *word &= (1 << (end % 64)) - 1;
        }
        for cell in (self.used[digit] - *seen).iter() {
            let place = self.place[digit * cell_count + cell] as usize;
            rows::take(row, &self.having[place..place + row.len()]);
        }
    }

    /// The node of a candidate.
    #[inline]
    pub fn candidate(&self, digit: usize, cell: usize, cell_count: usize) -> Option<usize> {
        let node = self.candidate[digit * cell_count + cell];
        (node != NONE).then_some(node as usize)
    }

    /// The digit of a node.
    #[inline]
    pub fn digit(&self, node: usize) -> usize {
        usize::from(self.digit[node])
    }

    /// The cell of a node that is a candidate.
    #[inline]
    pub fn cell(&self, node: usize) -> Option<usize> {
        let cell = self.cell[node];
        (cell != u16::MAX).then_some(usize::from(cell))
    }

    /// Those of its digit that a node excludes, in a row of so many words: its block.
    #[inline]
    pub fn weak(&self, node: usize, words: usize) -> &[u64] {
        &self.weak[self.begin[node] as usize..][..words]
    }

    /// The links that a node is in: where it is false, all others of one are true.
    #[inline]
    pub fn links(&self, node: usize) -> &[[u32; 2]] {
        &self.links[self.link_begin[node] as usize..self.link_begin[node + 1] as usize]
    }

    /// The nodes of a link.
    #[inline]
    pub fn linked(&self, [begin, end]: [u32; 2]) -> &[u32] {
        &self.linked[begin as usize..end as usize]
    }
}
