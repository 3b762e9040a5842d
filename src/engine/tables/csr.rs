//! Lists of numbers, one behind the other. In: the members of each list, in turn; or numbers with their keys. Out: each list; for
//! nodes with the candidates they exclude, the nodes that each excludes.

use super::bit_rows;
use std::ops::Range;

/// Lists in one piece of memory.
pub(crate) struct Lists {
    /// Start of each list, and the end of the last one.
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

    /// Adds to the list that has not ended.
    #[inline]
    pub fn add(&mut self, members: impl IntoIterator<Item = u32>) {
        self.members.extend(members);
    }

    /// Ends a list; the next one begins.
    #[inline]
    pub fn end(&mut self) {
        self.begin.push(self.members.len() as u32);
    }

    /// Number of finished lists.
    pub fn len(&self) -> usize {
        self.begin.len() - 1
    }

    /// The places of a list's members among all.
    #[inline]
    pub fn places(&self, list: usize) -> Range<usize> {
        self.begin[list] as usize..self.begin[list + 1] as usize
    }

    /// The members of a list.
    #[inline]
    pub fn list(&self, list: usize) -> impl Iterator<Item = usize> {
        self.members[self.places(list)].iter().map(|&member| member as usize)
    }

    /// The member at a place.
    #[inline]
    pub fn member(&self, place: usize) -> usize {
        self.members[place] as usize
    }
}

/// Absence of a number.
pub(crate) const NONE: u32 = u32::MAX;

/// Numbers by a key, the latest first; each has one key at most.
pub(crate) struct ByKey {
    last: Vec<u32>,
    before: Vec<u32>,
}

impl ByKey {
    pub fn new(keys: usize, numbers: usize) -> ByKey {
        ByKey { last: vec![NONE; keys], before: vec![NONE; numbers] }
    }

    #[inline]
    pub fn add(&mut self, key: usize, number: usize) {
        self.before[number] = std::mem::replace(&mut self.last[key], number as u32);
    }

    /// The numbers of a key.
    #[inline]
    pub fn of(&self, key: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(known(self.last[key]), move |&number| known(self.before[number]))
    }
}

fn known(number: u32) -> Option<usize> {
    (number != NONE).then_some(number as usize)
}

/// Lists, for each node, the nodes that it excludes and that pass `counts`: single candidates in order, then larger nodes.
///
/// `members` has the candidates of each node, `excluded` those that a node excludes. A candidate has at most one node of its
/// own.
pub(crate) fn weak_links<'r>(
    members: &Lists,
    candidates: usize,
    excluded: impl Fn(usize) -> &'r [u64],
    counts: impl Fn(usize, usize) -> bool,
) -> Lists {
    let mut single = vec![NONE; candidates];
    // Nodes of several candidates, by the first of them.
    let mut first = ByKey::new(candidates, members.len());
    for node in 0..members.len() {
        let mut own = members.list(node);
        match (own.next(), own.next()) {
            (Some(candidate), None) => single[candidate] = node as u32,
            (Some(candidate), Some(_)) => first.add(candidate, node),
            (None, _) => {}
        }
    }
    let (mut weak, mut larger) = (Lists::with_room(members.len()), Vec::new());
    for node in 0..members.len() {
        let row = excluded(node);
        for candidate in bit_rows::bits(row) {
            weak.add(known(single[candidate]).filter(|&other| counts(node, other)).map(|other| other as u32));
            let others = first
                .of(candidate)
                .filter(|&other| counts(node, other) && members.list(other).all(|member| bit_rows::has(row, member)));
            larger.extend(others.map(|other| other as u32));
        }
        larger.sort_unstable();
        weak.add(larger.drain(..));
        weak.end();
    }
    weak
}
