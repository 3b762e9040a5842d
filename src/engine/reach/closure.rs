//! Where a candidate leads. In: a [`Web`]. Out: the candidates that lead to their own negation.
//!
//! Links lead both ways: where a node that is true makes another one false, the other makes it false, too. So what a
//! candidate that stands leads to stands as well, and need not be followed again.

use super::web::Web;
use crate::engine::facts::Facts;
use crate::engine::marks::Marks;
use crate::engine::rows;
use crate::engine::tables::Tables;
use crate::grid::Digit;

/// Room for the walk from one candidate; all are rows of nodes.
pub(super) struct Closure<'w, 's, const W: usize> {
    web: &'w Web<W>,
    tables: &'w Tables<W>,
    facts: &'w Facts<'s, W>,
    /// Nodes that are false.
    dead: Vec<u64>,
    /// Those of them whose consequences are known.
    done: Vec<u64>,
    /// The nodes that the candidate excludes; they exclude it.
    goal: Vec<u64>,
    /// Nodes that are true.
    held: Vec<u64>,
    /// Those that became so last.
    front: Vec<u64>,
}

impl<'w, 's, const W: usize> Closure<'w, 's, W> {
    pub fn new(web: &'w Web<W>, tables: &'w Tables<W>, facts: &'w Facts<'s, W>) -> Self {
        let row = || vec![0; web.words[tables.size]];
        let (dead, done, goal, held, front) = (row(), row(), row(), row(), row());
        Closure { web, tables, facts, dead, done, goal, held, front }
    }

    /// The candidates that lead to their own negation; `known` are some of them.
    pub fn refuted(mut self, known: &Marks<W>) -> Marks<W> {
        let (mut out, mut stands) = (*known, Marks::EMPTY);
        for digit in 0..self.tables.size {
            for cell in self.facts.places[digit].iter() {
                if out.0[digit].has(cell) || stands.0[digit].has(cell) {
                    continue;
                }
                if self.returns(digit, cell) {
                    out.0[digit].insert(cell);
                } else {
                    self.add_held(&mut stands);
                }
            }
        }
        out
    }

    /// Adds the candidates that the last walk came to.
    fn add_held(&self, to: &mut Marks<W>) {
        let mut digit = 0;
        for node in rows::bits(&self.held) {
            digit = self.digit_from(digit, node);
            if let Some(cell) = self.web.cell(node) {
                to.0[digit].insert(cell);
            }
        }
    }

    /// The digit of a node, which is this one or later.
    #[inline]
    fn digit_from(&self, mut digit: usize, node: usize) -> usize {
        while self.web.words[digit + 1] * 64 <= node {
            digit += 1;
        }
        digit
    }

    /// Whether a candidate leads to something that excludes it.
    fn returns(&mut self, digit: usize, cell: usize) -> bool {
        let web = self.web;
        for row in [&mut self.dead, &mut self.done, &mut self.held, &mut self.front] {
            row.fill(0);
        }
        let block = web.words[digit]..web.words[digit + 1];
        web.excluded(digit, self.tables.cell_count, &self.tables.peers[cell], &mut self.dead[block]);
        self.exclude_in_cell(digit, cell);
        self.goal.copy_from_slice(&self.dead);
        loop {
            if !self.go_on() {
                return false;
            }
            if rows::meet(&self.front, &self.goal) {
                return true;
            }
            self.spread();
        }
    }

    /// The other candidates of a cell are false.
    #[inline]
    fn exclude_in_cell(&mut self, digit: usize, cell: usize) {
        for other in self.facts.candidates[cell].iter().map(Digit::index).filter(|&other| other != digit) {
            if let Some(node) = self.web.candidate(other, cell, self.tables.cell_count) {
                rows::set(&mut self.dead, node);
            }
        }
    }

    /// What follows where the nodes that are newly false are; `false` where nothing does.
    fn go_on(&mut self) -> bool {
        self.front.fill(0);
        for at in 0..self.dead.len() {
            let mut fresh = self.dead[at] & !self.done[at];
            self.done[at] |= fresh;
            while fresh != 0 {
                let node = at * 64 + fresh.trailing_zeros() as usize;
                fresh &= fresh - 1;
                rows::add(&mut self.front, self.web.strong(node));
            }
        }
        let mut some = 0;
        for (front, held) in self.front.iter_mut().zip(&mut self.held) {
            *front &= !*held;
            *held |= *front;
            some |= *front;
        }
        some != 0
    }

    /// What the nodes that are newly true exclude.
    fn spread(&mut self) {
        let (web, mut digit) = (self.web, 0);
        for at in 0..self.front.len() {
            let mut fresh = self.front[at];
            while fresh != 0 {
                let node = at * 64 + fresh.trailing_zeros() as usize;
                fresh &= fresh - 1;
                digit = self.digit_from(digit, node);
                let block = web.words[digit]..web.words[digit + 1];
                let row = web.weak(node, block.len());
                rows::add(&mut self.dead[block], row);
                if let Some(cell) = web.cell(node) {
                    self.exclude_in_cell(digit, cell);
                }
            }
        }
    }
}
