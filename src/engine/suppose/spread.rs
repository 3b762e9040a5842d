//! What a supposed literal comes to by links alone, without reasons. In: a graph, the state, a literal. Out: what is true
//! and false then, or that it is a contradiction. The chains behind it are found again where something is told of them.
//!
//! Nodes are bits in rows. Without a bound on links, what each literal comes to is put together from what those behind it come
//! to; with one, all nodes that are as many links away are done at once.

use super::board::Ground;
use super::graph::Graph;
use super::literal::Literal;
use crate::engine::tables::BoardMasks;
use crate::engine::tables::bit_rows;
use crate::engine::tables::closure::{self, Closure, LinkLists};
use crate::engine::tables::csr::Lists;
use crate::grid::{Bits, HouseSet};
use std::cell::RefCell;

/// What all suppositions by the links of a graph have in common.
pub(super) struct Rows<const W: usize> {
    words: usize,
    /// For each node of several candidates these, by the number of their own nodes.
    members: Vec<u64>,
    /// The nodes that are candidates.
    singles: Vec<u64>,
    /// For each digit its places in each house that lacks it.
    places: Vec<Vec<Bits<W>>>,
    /// Whether the state contradicts itself.
    broken: bool,
    /// What leads where.
    closure: RefCell<Closure>,
}

/// A row has the nodes that are true, then those that are false.
impl<const W: usize> LinkLists for Graph<W> {
    #[inline]
    fn lists(&self, held: bool) -> &Lists {
        &self.lists[usize::from(held)]
    }

    fn words(&self) -> usize {
        2 * bit_rows::words_for(self.nodes.len())
    }

    #[inline]
    fn add_marks(&self, (node, held): closure::Literal, row: &mut [u64]) {
        let half = row.len() / 2;
        bit_rows::set(if held { row } else { &mut row[half..] }, node);
    }
}

impl<const W: usize> Rows<W> {
    pub fn new(tables: &BoardMasks<W>, ground: &Ground<W>, graph: &Graph<W>) -> Self {
        let words = bit_rows::words_for(graph.nodes.len());
        let groups = graph.singles as u16..graph.nodes.len() as u16;
        let members = groups.flat_map(|group| row(words, graph.candidates(group).filter_map(|one| graph.of(one))));
        let members = members.collect();
        let of = |(places, wanted): (&Bits<W>, &HouseSet)| -> Vec<Bits<W>> {
            wanted.iter().map(|house| *places & tables.cells_of_house[house]).collect()
        };
        let places: Vec<Vec<Bits<W>>> = ground.start.places.iter().zip(&ground.wanted).map(of).collect();
        let broken = places.iter().flatten().any(Bits::is_empty) || !ground.has_candidates(&[]);
        let singles = row(words, 0..graph.singles as u16);
        let closure = RefCell::new(Closure::new(graph));
        Rows { words, members, singles, places, broken, closure }
    }

    fn of<'r>(&self, rows: &'r [u64], node: usize) -> &'r [u64] {
        &rows[node * self.words..(node + 1) * self.words]
    }

    /// For each digit what is true, then for each digit what is false; `None` where it comes to a contradiction.
    pub fn outcome(
        &self,
        ground: &Ground<W>,
        graph: &Graph<W>,
        supposed: Literal,
        most: Option<u32>,
    ) -> Option<Vec<Bits<W>>> {
        let size = self.places.len();
        let mut sets = vec![Bits::EMPTY; 2 * size];
        if self.broken {
            return None;
        }
        let Some(start) = graph.of(supposed.0) else { return Some(sets) };
        let start = (usize::from(start), supposed.1);
        let (mut closure, spread);
        let (on, off) = match most {
            Some(most) => {
                spread = self.spread(graph, start, most);
                (&spread[1][..], &spread[0][..])
            }
            None => {
                closure = self.closure.borrow_mut();
                closure.consequences(graph, start).split_at(self.words)
            }
        };
        if bit_rows::meet(on, off) {
            return None;
        }
        let mut gone = off.to_vec();
        bit_rows::intersect(&mut gone, &self.singles);
        groups(off, graph.singles).for_each(|group| bit_rows::add(&mut gone, self.of(&self.members, group)));
        let lost = |group: usize| bit_rows::first_beyond(self.of(&self.members, group), &gone).is_none();
        if bit_rows::meet(on, &gone) || groups(on, graph.singles).any(lost) {
            return None;
        }
        let mut note = |row: &[u64], first: usize| {
            for node in bit_rows::bits(row).take_while(|&node| node < graph.singles) {
                let group = &graph.nodes[node];
                sets[first + group.digit] |= group.cells;
            }
        };
        note(on, 0);
        note(&gone, size);
        let gone = &sets[size..];
        let has_places = |(places, gone): (&Vec<Bits<W>>, &Bits<W>)| {
            gone.is_empty() || !places.iter().any(|places| places.within(gone))
        };
        let stands = ground.has_candidates(gone) && self.places.iter().zip(gone).all(has_places);
        stands.then_some(sets)
    }

    /// What is false and true then, by at most `most` strong links.
    fn spread(&self, graph: &Graph<W>, (start, mut holds): (usize, bool), most: u32) -> [Vec<u64>; 2] {
        let mut known = [vec![0; self.words], vec![0; self.words]];
        let (mut front, mut next, mut strong) = (vec![0; self.words], vec![0; self.words], 0);
        bit_rows::set(&mut front, start);
        while !bit_rows::is_empty(&front) {
            bit_rows::add(&mut known[usize::from(holds)], &front);
            strong += u32::from(!holds);
            if strong > most || bit_rows::meet(&known[0], &known[1]) {
                break;
            }
            next.fill(0);
            let lists = graph.lists(holds);
            let linked = bit_rows::bits(&front).flat_map(|node| lists.positions(node)).map(|place| lists.member(place));
            linked.for_each(|node| bit_rows::set(&mut next, node));
            holds = !holds;
            std::mem::swap(&mut front, &mut next);
            bit_rows::remove(&mut front, &known[usize::from(holds)]);
        }
        known
    }
}

fn row(words: usize, nodes: impl Iterator<Item = u16>) -> Vec<u64> {
    let mut row = vec![0; words];
    nodes.for_each(|node| bit_rows::set(&mut row, usize::from(node)));
    row
}

/// The nodes of several candidates in a row, counted from the first of them.
fn groups(row: &[u64], singles: usize) -> impl Iterator<Item = usize> + '_ {
    let word = singles / 64;
    let later = row.get(word..).unwrap_or_default();
    bit_rows::bits(later).filter_map(move |bit| (word * 64 + bit).checked_sub(singles))
}
