//! What techniques do with positions under suppositions, kept for the states of a path. In: a position without last
//! candidates and last places, techniques in order. Out: the position after the first of them that finds something,
//! if that was found out before.
//!
//! A position is a state like any other, so what is done with it depends on the techniques alone, not on how it was
//! reached: many literals lead to the same ones, and so do states that differ in a last candidate or a last place. Lists of
//! techniques that begin alike share what the beginning does.

use crate::engine::matches::{LimitHit, Limits};
use crate::grid::Bits;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Maximum words of cached positions.
const MOST_WORDS: usize = 1_000_000;

/// For each digit the cells that can have it or have it.
pub(super) type Place<const W: usize> = Rc<[Bits<W>]>;

/// What comes next of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Next<const W: usize> {
    /// This position; `None` is a contradiction.
    Then(Option<Place<W>>),
    /// Nothing: no technique finds anything.
    Stuck,
    /// It is not known, but this many techniques of the list find nothing.
    After(usize),
}

/// What was found out of a position.
#[derive(Clone)]
struct Known<const W: usize> {
    /// The techniques that find nothing, and the one that finds something, if there is one.
    members: Rc<[usize]>,
    then: Option<Option<Place<W>>>,
    /// Limits that were hit, each with the number of members before the one that hit it.
    limits: Vec<(usize, LimitHit)>,
}

/// Positions and what comes next of them; only ever looked up.
#[derive(Clone, Default)]
pub(in crate::engine) struct PositionCache<const W: usize> {
    known: RefCell<FxHashMap<Place<W>, Known<W>>>,
    /// The limits it was found out with.
    limits: RefCell<Option<Limits>>,
}

impl<const W: usize> PositionCache<W> {
    /// Says with which limits is searched: what was found out with others is forgotten.
    pub(super) fn within(&self, limits: &Limits) {
        if self.limits.replace(Some(*limits)).is_some_and(|before| before != *limits) {
            self.known.borrow_mut().clear();
        }
    }

    /// What techniques do with a position, and the limits that were hit on the way.
    pub(super) fn next(&self, place: &[Bits<W>], members: &[usize]) -> (Next<W>, Vec<(usize, LimitHit)>) {
        let known = self.known.borrow();
        let Some(known) = known.get(place) else { return (Next::After(0), Vec::new()) };
        let same = known.members.iter().zip(members).take_while(|(a, b)| a == b).count();
        let next = match &known.then {
            Some(then) if same == known.members.len() => Next::Then(then.clone()),
            // Where one found something, it is none of these.
            _ if same == members.len() => Next::Stuck,
            _ => Next::After(same),
        };
        let cut = known.limits.iter().filter(|(before, _)| *before < same).copied();
        (next, cut.collect())
    }

    /// Notes that the first techniques find nothing in a position, or all but the last, which leads to `then`.
    pub(super) fn note(
        &self,
        place: Place<W>,
        members: &[usize],
        then: Option<Option<Place<W>>>,
        limits: Vec<(usize, LimitHit)>,
    ) {
        let mut known = self.known.borrow_mut();
        if known.len() * place.len() * W * 2 > MOST_WORDS {
            known.clear();
        }
        known.insert(place, Known { members: members.into(), then, limits });
    }
}
