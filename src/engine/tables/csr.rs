//! Adjacency lists of graphs. [`Lists`] stores lists in compressed sparse rows: one after the other in a single vector.
//! [`NumbersByKey`] groups numbers by a key. [`weak_links`] lists, for each node of a chain, the nodes that it
//! excludes.

use super::bit_rows;
use std::ops::Range;

/// Lists of numbers, stored one after the other in a single vector.
pub(crate) struct Lists {
    /// Start of each list in `members`, and the end of the last list.
    begin: Vec<u32>,
    members: Vec<u32>,
}

impl Lists {
    /// Makes an empty table with room for about `lists` lists.
    pub fn with_room(lists: usize) -> Lists {
        let mut begin = Vec::with_capacity(lists + 1);
        begin.push(0);
        Lists { begin, members: Vec::new() }
    }

    #[inline]
    pub fn add(&mut self, members: impl IntoIterator<Item = u32>) {
        self.members.extend(members);
    }

    #[inline]
    pub fn push(&mut self, member: u32) {
        self.members.push(member);
    }

    /// Ends the current list and begins the next one.
    #[inline]
    pub fn end(&mut self) {
        self.begin.push(self.members.len() as u32);
    }

    pub fn len(&self) -> usize {
        self.begin.len() - 1
    }

    /// The positions of a list's members among the members of all lists.
    #[inline]
    pub fn positions(&self, list: usize) -> Range<usize> {
        self.begin[list] as usize..self.begin[list + 1] as usize
    }

    #[inline]
    pub fn list(&self, list: usize) -> impl Iterator<Item = usize> {
        self.members[self.positions(list)].iter().map(|&member| member as usize)
    }

    /// The member at a position among the members of all lists.
    #[inline]
    pub fn member(&self, position: usize) -> usize {
        self.members[position] as usize
    }
}

/// Marker for an absent number.
pub(crate) const NONE: u32 = u32::MAX;

/// Numbers grouped by a key, as linked lists. Each number has at most one key.
pub(crate) struct NumbersByKey {
    /// For each key, the number added last, or [`NONE`].
    last: Vec<u32>,
    /// For each number, the number added before it with the same key, or [`NONE`].
    previous: Vec<u32>,
}

impl NumbersByKey {
    pub fn new(keys: usize, numbers: usize) -> NumbersByKey {
        NumbersByKey { last: vec![NONE; keys], previous: vec![NONE; numbers] }
    }

    #[inline]
    pub fn add(&mut self, key: usize, number: usize) {
        self.previous[number] = std::mem::replace(&mut self.last[key], number as u32);
    }

    /// The numbers of a key, the latest first.
    #[inline]
    pub fn numbers(&self, key: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(present(self.last[key]), move |&number| present(self.previous[number]))
    }
}

fn present(number: u32) -> Option<usize> {
    if number == NONE { None } else { Some(number as usize) }
}

/// Lists, for each node, the nodes that it excludes: single candidates in order, then larger nodes.
///
/// `members` has the candidates of each node; `excluded` returns the candidates that a node excludes, as bits. Only
/// pairs of nodes for which `is_wanted` returns true are listed. No two nodes consist of the same single candidate.
pub(crate) fn weak_links<'r>(
    members: &Lists,
    candidates: usize,
    excluded: impl Fn(usize) -> &'r [u64],
    is_wanted: impl Fn(usize, usize) -> bool,
) -> Lists {
    // For each candidate, the node that has only this candidate.
    let mut single_nodes = vec![NONE; candidates];
    // Larger nodes by their first candidate only: a node that excludes a larger node excludes its first candidate.
    let mut larger_nodes = NumbersByKey::new(candidates, members.len());
    for node in 0..members.len() {
        let mut own = members.list(node);
        match (own.next(), own.next()) {
            (Some(candidate), None) => single_nodes[candidate] = node as u32,
            (Some(first), Some(_)) => larger_nodes.add(first, node),
            (None, _) => {}
        }
    }
    let mut weak = Lists::with_room(members.len());
    let mut larger = Vec::new();
    for node in 0..members.len() {
        let row = excluded(node);
        for candidate in bit_rows::bits(row) {
            if let Some(other) = present(single_nodes[candidate])
                && is_wanted(node, other)
            {
                weak.push(other as u32);
            }
            // The first member of these nodes is `candidate`.
            let others = larger_nodes.numbers(candidate).filter(|&other| {
                is_wanted(node, other) && members.list(other).skip(1).all(|member| bit_rows::has(row, member))
            });
            larger.extend(others.map(|other| other as u32));
        }
        larger.sort_unstable();
        weak.add(larger.drain(..));
        weak.end();
    }
    weak
}
