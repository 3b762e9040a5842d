//! What has changed on the way from state to state. In: the states of a path, one after the other, and which searches
//! found nothing. Out: for a search the cells whose candidates are others than when it last found nothing.
//!
//! On a path candidates only go. Where one is back, as when a guess is taken back, everything is new.

use crate::grid::{Bits, DigitSet};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The way so far.
#[derive(Clone)]
pub(super) struct Since<const W: usize> {
    inner: RefCell<Inner>,
}

#[derive(Clone, Default)]
struct Inner {
    /// The candidates of the last state.
    candidates: Vec<DigitSet>,
    /// Its number; that of the first is 1.
    number: usize,
    /// For each cell the state in which its candidates changed last.
    changed: Vec<usize>,
    /// For each member the last state in which it found nothing.
    empty: BTreeMap<usize, usize>,
}

impl<const W: usize> Default for Since<W> {
    fn default() -> Self {
        Since { inner: RefCell::default() }
    }
}

impl<const W: usize> Since<W> {
    /// Goes on to the next state; returns its number.
    pub fn arrive(&self, candidates: &[DigitSet]) -> usize {
        let mut inner = self.inner.borrow_mut();
        inner.number += 1;
        let number = inner.number;
        let follows = inner.candidates.len() == candidates.len()
            && candidates.iter().zip(&inner.candidates).all(|(now, before)| now.within(*before));
        if !follows {
            inner.empty.clear();
            inner.changed = vec![number; candidates.len()];
            inner.candidates = candidates.to_vec();
            return number;
        }
        for (cell, now) in candidates.iter().enumerate() {
            if inner.candidates[cell] != *now {
                inner.changed[cell] = number;
                inner.candidates[cell] = *now;
            }
        }
        number
    }

    /// The cells that have changed since a member found nothing; `None` where it never did.
    pub fn changed(&self, member: usize) -> Option<Bits<W>> {
        let inner = self.inner.borrow();
        let empty = *inner.empty.get(&member)?;
        let later = |&(_, changed): &(usize, &usize)| *changed > empty;
        Some(inner.changed.iter().enumerate().filter(later).map(|(cell, _)| cell).collect())
    }

    /// A member found nothing in a state.
    pub fn found_nothing(&self, member: usize, number: usize) {
        let mut inner = self.inner.borrow_mut();
        if inner.number == number {
            inner.empty.insert(member, number);
        }
    }
}
