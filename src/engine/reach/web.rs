//! Nodes and what links them, ready to be followed. In: a [`Draft`]. Out: [`Web`]: for each node a row of the nodes that it
//! excludes, and one of those that are true where it is false.
//!
//! A node is a digit in some cells. Nodes are numbered digit by digit, so that what excludes what by a digit is worked out in
//! the few words of a row that have the nodes of the digit: its block. Besides, a candidate excludes the others of its cell.

use super::draft::{Draft, NONE};
use crate::engine::tables::Tables;
use crate::engine::tables::closure::LinkRows;
use crate::engine::tables::marks::DIGITS;
use crate::engine::tables::rows;
use crate::grid::Bits;
use std::ops::Range;

/// Nodes and links.
pub(super) struct Web<const W: usize> {
    /// How many words a row has.
    words: usize,
    /// How many nodes there are.
    count: usize,
    size: usize,
    cell_count: usize,
    /// For each digit its first node; at the end how many nodes there are.
    first: [usize; DIGITS + 1],
    /// For each digit and cell the node of the candidate.
    candidate: Vec<u32>,
    /// For each digit and cell the nodes of the digit that have the cell: where they begin in `having`.
    place: Vec<u32>,
    having: Vec<u64>,
    /// For each digit the cells that its nodes have.
    used: [Bits<W>; DIGITS],
    /// For each node those that it excludes.
    weak: Vec<u64>,
    /// For each node those that are true where it is false.
    strong: Vec<u64>,
}

impl<const W: usize> Web<W> {
    /// The nodes and links that were found.
    pub fn of(tables: &Tables<W>, draft: &Draft<W>) -> Self {
        let mut first = [0; DIGITS + 1];
        for digit in 0..DIGITS {
            first[digit + 1] = first[digit] + draft.nodes.get(digit).map_or(0, Vec::len);
        }
        let (count, words) = (first[DIGITS], rows::words_for(first[DIGITS]));
        let mut web = Web {
            words,
            count,
            size: tables.size,
            cell_count: tables.cell_count,
            first,
            candidate: draft.single.clone(),
            place: vec![NONE; tables.size * tables.cell_count],
            having: Vec::new(),
            used: [Bits::EMPTY; DIGITS],
            weak: vec![0; count * words],
            strong: vec![0; count * words],
        };
        for link in draft.ends.windows(2).map(|ends| &draft.linked[ends[0]..ends[1]]) {
            for &(digit, number) in link {
                let node = first[digit] + number as usize;
                let row = &mut web.strong[node * words..][..words];
                let others = link.iter().map(|&(digit, number)| first[digit] + number as usize);
                others.filter(|&other| other != node).for_each(|other| rows::set(row, other));
            }
        }
        draft.nodes.iter().enumerate().for_each(|(digit, nodes)| web.add_digit(tables, digit, nodes));
        web.add_cells(draft);
        web
    }

    /// Notes which nodes of a digit exclude which.
    fn add_digit(&mut self, tables: &Tables<W>, digit: usize, nodes: &[Bits<W>]) {
        let (first, block, before) = (self.first[digit], self.block(digit), self.having.len());
        let board = digit * self.cell_count;
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
            }
        }
        let mut by_cell = vec![0; self.having.len() - before];
        let row_of = |web: &Self, cell: usize| web.place[board + cell] as usize - before;
        for cell in self.used[digit].iter() {
            let row = row_of(self, cell);
            self.excluded(digit, &tables.peers[cell], &mut by_cell[row..row + block.len()]);
        }
        // What excludes a node of several cells, each of them excludes.
        for (at, cells) in nodes.iter().enumerate() {
            let begin = (first + at) * self.words;
            self.weak[begin + block.start..begin + block.end].fill(!0);
            for cell in cells.iter() {
                let row = row_of(self, cell);
                rows::keep(&mut self.weak[begin + block.start..], &by_cell[row..row + block.len()]);
            }
        }
    }

    /// Notes that the candidates of a cell exclude one another.
    fn add_cells(&mut self, draft: &Draft<W>) {
        let mut weak = std::mem::take(&mut self.weak);
        for (digit, nodes) in draft.nodes.iter().enumerate() {
            for (at, cells) in nodes.iter().enumerate().filter(|(_, cells)| cells.is_one()) {
                let begin = (self.first[digit] + at) * self.words;
                if let Some(cell) = cells.first() {
                    self.others(digit, cell).for_each(|other| rows::set(&mut weak[begin..], other));
                }
            }
        }
        self.weak = weak;
    }

    /// The words of a row that have the nodes of a digit.
    fn block(&self, digit: usize) -> Range<usize> {
        let (first, end) = (self.first[digit], self.first[digit + 1]);
        if first == end { 0..0 } else { first / 64..end.div_ceil(64) }
    }

    /// The nodes of a digit all of whose cells are among these, into a row of its block.
    fn excluded(&self, digit: usize, seen: &Bits<W>, row: &mut [u64]) {
        let (first, end) = (self.first[digit], self.first[digit + 1]);
        row.fill(!0);
        if let Some(word) = row.first_mut() {
            *word = !0 << (first % 64);
        }
        if let Some(word) = row.last_mut().filter(|_| end % 64 > 0) {
            *word &= (1 << (end % 64)) - 1;
        }
        for cell in (self.used[digit] - *seen).iter() {
            let place = self.place[digit * self.cell_count + cell] as usize;
            rows::take(row, &self.having[place..place + row.len()]);
        }
    }

    /// The nodes that are other candidates of a cell.
    fn others(&self, digit: usize, cell: usize) -> impl Iterator<Item = usize> {
        (0..self.size).filter(move |&other| other != digit).filter_map(move |other| self.candidate(other, cell))
    }

    /// The nodes that a candidate excludes which is none itself, into a row.
    pub fn excluded_by(&self, digit: usize, cell: usize, peers: &Bits<W>, row: &mut [u64]) {
        row.fill(0);
        self.excluded(digit, peers, &mut row[self.block(digit)]);
        self.others(digit, cell).for_each(|node| rows::set(row, node));
    }

    /// The node of a candidate.
    #[inline]
    pub fn candidate(&self, digit: usize, cell: usize) -> Option<usize> {
        let node = self.candidate[digit * self.cell_count + cell];
        (node != NONE).then_some(node as usize)
    }
}

impl<const W: usize> LinkRows for Web<W> {
    fn count(&self) -> usize {
        self.count
    }

    fn words(&self) -> usize {
        self.words
    }

    #[inline]
    fn weak(&self, node: usize) -> &[u64] {
        &self.weak[node * self.words..][..self.words]
    }

    #[inline]
    fn strong(&self, node: usize) -> &[u64] {
        &self.strong[node * self.words..][..self.words]
    }
}
