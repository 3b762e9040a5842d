//! What a supposed literal comes to by links alone, without reasons. In: a graph, the state, a literal. Out: what is true
//! and false then, or that it is a contradiction. The chains behind it are found again where something is told of them.
//!
//! Nodes are bits in rows, so all nodes that are as many links away are done at once.

use super::board::Ground;
use super::graph::Graph;
use super::literal::Literal;
use crate::engine::tables::Tables;
use crate::engine::tables::rows;
use crate::grid::Bits;
use std::cell::RefCell;

/// The links of a graph as rows of bits.
pub(super) struct Rows {
    words: usize,
    weak: Vec<u64>,
    strong: Vec<u64>,
    /// For each node its candidates, by the number of their own nodes.
    members: Vec<u64>,
    /// Whether the state contradicts itself.
    broken: bool,
    /// Room for the rows that are worked with.
    room: RefCell<Room>,
}

/// Rows that are worked with: what is known to be false and true, what was found last and what comes next, and the candidates
/// that are false.
#[derive(Default)]
struct Room {
    known: [Vec<u64>; 2],
    front: Vec<u64>,
    next: Vec<u64>,
    gone: Vec<u64>,
}

impl Room {
    fn clear(&mut self, words: usize) {
        let [off, on] = &mut self.known;
        for row in [off, on, &mut self.front, &mut self.next, &mut self.gone] {
            row.clear();
            row.resize(words, 0);
        }
    }
}

impl Rows {
    pub fn new<const W: usize>(tables: &Tables<W>, ground: &Ground<W>, graph: &Graph<W>) -> Rows {
        let words = rows::words_for(graph.nodes.len());
        let nodes = |of: &dyn Fn(usize) -> Vec<u16>| -> Vec<u64> {
            (0..graph.nodes.len()).flat_map(|node| row(words, of(node).into_iter())).collect()
        };
        let weak = nodes(&|node| graph.weak[node].clone());
        let strong = nodes(&|node| graph.strong[node].iter().map(|edge| edge.to).collect());
        let members = nodes(&|node| graph.candidates(node as u16).filter_map(|one| graph.of(one)).collect());
        let broken = (0..tables.size).any(|digit| !ground.has_places(tables, digit, &Bits::EMPTY))
            || !ground.has_candidates(&[]);
        Rows { words, weak, strong, members, broken, room: RefCell::default() }
    }

    fn of<'r>(&self, rows: &'r [u64], node: usize) -> &'r [u64] {
        &rows[node * self.words..(node + 1) * self.words]
    }

    /// For each digit what is true, then for each digit what is false; `None` where it comes to a contradiction.
    pub fn outcome<const W: usize>(
        &self,
        (tables, ground): (&Tables<W>, &Ground<W>),
        graph: &Graph<W>,
        supposed: Literal,
        most: Option<u32>,
    ) -> Option<Vec<Bits<W>>> {
        let size = tables.size;
        let mut sets = vec![Bits::EMPTY; 2 * size];
        if self.broken {
            return None;
        }
        let Some(start) = graph.of(supposed.0) else { return Some(sets) };
        let mut room = self.room.borrow_mut();
        room.clear(self.words);
        let Room { known, front, next, gone } = &mut *room;
        let (mut holds, mut strong) = (supposed.1, 0);
        rows::set(front, usize::from(start));
        while !rows::is_empty(front) {
            rows::add(&mut known[usize::from(holds)], front);
            if rows::meet(&known[0], &known[1]) {
                return None;
            }
            if !holds {
                strong += 1;
                if most.is_some_and(|most| strong > most) {
                    break;
                }
            }
            next.fill(0);
            let links = if holds { &self.weak } else { &self.strong };
            rows::bits(front).for_each(|node| rows::add(next, self.of(links, node)));
            holds = !holds;
            front.iter_mut().zip(next.iter().zip(&known[usize::from(holds)])).for_each(|(front, (next, known))| {
                *front = next & !known;
            });
        }
        let [off, on] = known;
        rows::bits(off).for_each(|node| rows::add(gone, self.of(&self.members, node)));
        let lost = |row: &[u64]| row.iter().zip(gone.iter()).all(|(row, gone)| row & !gone == 0);
        if rows::bits(on).any(|node| lost(self.of(&self.members, node))) {
            return None;
        }
        let mut note = |row: &[u64], first: usize| {
            for node in rows::bits(row).take_while(|&node| node < graph.singles) {
                let group = &graph.nodes[node];
                sets[first + group.digit] |= group.cells;
            }
        };
        note(on, 0);
        note(gone, size);
        let gone = &sets[size..];
        let stands = ground.has_candidates(gone)
            && (0..size).all(|digit| gone[digit].is_empty() || ground.has_places(tables, digit, &gone[digit]));
        stands.then_some(sets)
    }
}

fn row(words: usize, nodes: impl Iterator<Item = u16>) -> Vec<u64> {
    let mut row = vec![0; words];
    nodes.for_each(|node| rows::set(&mut row, usize::from(node)));
    row
}
