//! Nodes and what links them, ready to be followed. In: a [`Draft`]. Out: [`Web`]: for each node the nodes that it excludes, and
//! those that are true where it is false.

use super::draft::Draft;
use crate::engine::tables::bit_rows;
use crate::engine::tables::closure::{LinkLists, Literal};
use crate::engine::tables::csr::weak_links;
use crate::engine::tables::csr::{Lists, NONE, NumbersByKey};

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

impl WebLists {
    /// The nodes and links that were found.
    pub fn of<const W: usize>(draft: &Draft<W>) -> Self {
        let excluded = |node| draft.excluded.row(node);
        let weak = weak_links(&draft.members, draft.candidates.len(), excluded, |_, _| true);
        WebLists { weak, strong: strong(draft) }
    }
}

/// For each node those that are true where it is false: the others of its links, each once.
fn strong<const W: usize>(draft: &Draft<W>) -> Lists {
    let (nodes, linked) = (draft.members.len(), &draft.linked);
    let mut places = NumbersByKey::new(nodes, linked.len());
    linked.iter().enumerate().for_each(|(place, &node)| places.add(node as usize, place));
    let links = || draft.ends.windows(2).map(|ends| ends[0]..ends[1]);
    let link_of: Vec<u32> = links().zip(0..).flat_map(|(places, link)| places.map(move |_| link)).collect();
    let (mut strong, mut known) = (Lists::with_room(nodes), vec![NONE; nodes]);
    for node in 0..nodes {
        known[node] = node as u32;
        for link in places.numbers(node).map(|place| link_of[place] as usize) {
            for &other in &linked[draft.ends[link]..draft.ends[link + 1]] {
                if std::mem::replace(&mut known[other as usize], node as u32) != node as u32 {
                    strong.push(other);
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
        bit_rows::words_for(self.draft.candidates.len())
    }

    #[inline]
    fn add_marks(&self, (node, held): Literal, row: &mut [u64]) {
        if held {
            bit_rows::add(row, self.draft.excluded.row(node));
        }
    }
}
