//! Lists of numbers, one behind the other. In: the members of each list, in turn; or numbers with their keys. Out: each list.

use std::ops::Range;

/// Lists in one piece of memory.
pub(in crate::engine) struct Lists {
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

/// CandidateSet the absence of a number.
pub(in crate::engine) const NONE: u32 = u32::MAX;

/// Numbers by a key, the latest first; each has one key at most.
pub(in crate::engine) struct ByKey {
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
        let known = |number: u32| (number != NONE).then_some(number as usize);
        std::iter::successors(known(self.last[key]), move |&number| known(self.before[number]))
    }
}
