//! Lists of numbers, one behind the other. In: the members of each list, in turn. Out: each list as a slice.

use std::ops::Range;

/// Lists in one piece of memory.
pub(in crate::engine) struct Lists {
    /// Where each list begins; at the end where the last one ends.
    begin: Vec<u32>,
    members: Vec<u32>,
}

impl Lists {
    /// No list yet; there will be about as many.
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

    /// How many lists have ended.
    pub fn len(&self) -> usize {
        self.begin.len() - 1
    }

    /// The places of a list's members among all.
    #[inline]
    pub fn places(&self, list: usize) -> Range<usize> {
        self.begin[list] as usize..self.begin[list + 1] as usize
    }

    /// The member at a place.
    #[inline]
    pub fn member(&self, place: usize) -> usize {
        self.members[place] as usize
    }
}
