//! Nodes and what links them, ready to be followed. In: a [`Draft`]. Out: [`Web`]: for each node the nodes that it excludes, and
//! those that are true where it is false.

use super::draft::{Draft, NONE};
use crate::engine::tables::closure::{LinkLists, Literal};
use crate::engine::tables::lists::Lists;
use crate::engine::tables::rows;

/// For each node those that it excludes, and those that are true where it is false.
pub(super) struct WebLists {
    weak: Lists,
    strong: Lists,
}

/// Nodes and links. What is noted of a node that is true is the candidates that it excludes.
pub(super) struct Web<'d, const W: usize> {
    pub draft: &'d Draft<W>,
    pub lists: &'d WebLists,
}

/// Numbers by a key, the latest first.
struct ByKey {
    last: Vec<u32>,
    before: Vec<u32>,
}

impl ByKey {
    fn new(keys: usize, numbers: usize) -> ByKey {
        ByKey { last: vec![NONE; keys], before: vec![NONE; numbers] }
    }

    fn add(&mut self, key: usize, number: usize) {
        self.before[number] = std::mem::replace(&mut self.last[key], number as u32);
    }

    fn of(&self, key: usize) -> impl Iterator<Item = usize> {
        let known = |number: u32| (number != NONE).then_some(number as usize);
        std::iter::successors(known(self.last[key]), move |&number| known(self.before[number]))
    }
}

impl WebLists {
    /// The nodes and links that were found.
    pub fn of<const W: usize>(draft: &Draft<W>, cell_count: usize) -> Self {
        WebLists { weak: weak(draft, cell_count), strong: strong(draft) }
    }
}

/// For each node those that it excludes: other candidates of its cell, and nodes of its digit in cells that it sees.
fn weak<const W: usize>(draft: &Draft<W>, cell_count: usize) -> Lists {
    let size = draft.candidates.last().map_or(0, |(digit, _)| digit + 1);
    // Nodes of several cells by their digit and first cell.
    let mut first = ByKey::new(size * cell_count, draft.nodes.len());
    for (number, node) in draft.nodes.iter().enumerate().filter(|(_, node)| !node.cells.is_one()) {
        node.cells.first().into_iter().for_each(|cell| first.add(node.digit * cell_count + cell, number));
    }
    let mut weak = Lists::with_room(draft.nodes.len());
    for node in &draft.nodes {
        for cell in node.seen.iter() {
            weak.add(draft.single(node.digit, cell));
            let others = first.of(node.digit * cell_count + cell);
            let excluded = others.filter(|&other| draft.nodes[other].cells.within(&node.seen));
            weak.add(excluded.map(|other| other as u32));
        }
        if let Some(cell) = node.cells.first().filter(|_| node.cells.is_one()) {
            let others = (0..size).filter(|&digit| digit != node.digit);
            weak.add(others.filter_map(|digit| draft.single(digit, cell)));
        }
        weak.end();
    }
    weak
}

/// For each node those that are true where it is false: the others of its links, each once.
fn strong<const W: usize>(draft: &Draft<W>) -> Lists {
    let (nodes, linked) = (draft.nodes.len(), &draft.linked);
    let mut places = ByKey::new(nodes, linked.len());
    linked.iter().enumerate().for_each(|(place, &node)| places.add(node as usize, place));
    let links = || draft.ends.windows(2).map(|ends| ends[0]..ends[1]);
    let link_of: Vec<u32> = links().zip(0..).flat_map(|(places, link)| places.map(move |_| link)).collect();
    let (mut strong, mut known) = (Lists::with_room(nodes), vec![NONE; nodes]);
    for node in 0..nodes {
        known[node] = node as u32;
        for link in places.of(node).map(|place| link_of[place] as usize) {
            for &other in &linked[draft.ends[link]..draft.ends[link + 1]] {
                if std::mem::replace(&mut known[other as usize], node as u32) != node as u32 {
                    strong.add([other]);
                }
            }
        }
        strong.end();
    }
    strong
}

impl<const W: usize> LinkLists for Web<'_, W> {
    #[inline]
    fn lists(&self, held: bool) -> &Lists {
        if held { &self.lists.weak } else { &self.lists.strong }
    }

    fn words(&self) -> usize {
        rows::words_for(self.draft.candidates.len())
    }

    #[inline]
    fn note(&self, (node, held): Literal, row: &mut [u64]) {
        if held {
            rows::add(row, self.draft.excluded.row(node));
        }
    }
}
