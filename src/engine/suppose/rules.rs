//! What follows from a supposed literal by techniques. In: a state, a literal, members of the rulebook in order. Out: what it
//! comes to; and for what is reported a [`Trace`] of everything that follows.
//!
//! Last candidates and last places come first, to the end; then the first technique of the list that finds something does
//! its first match, and all begins again. A position under a supposition is a state like any other, so what it comes to
//! does not depend on how it was reached: many literals lead to the same positions, and these are gone on from once.

use super::board::{Ground, Marked};
use super::reads::Reader;
use super::trace::{Trace, Tracer};
use super::{By, Known, Literal, Outcome, Supposing, sets_of};
use crate::engine::matches::{LimitHit, Limits, Match, Search};
use crate::engine::search::Indexed;
use crate::grid::{Bits, Candidate, Cell, Digit, State};
use std::collections::BTreeMap;
use std::rc::Rc;

/// For the places of all digits how many steps are left to the end, and the end.
pub(super) type Ends<const W: usize> = BTreeMap<Vec<Bits<W>>, (usize, Rc<Outcome<W>>)>;

/// Adds limits that were hit.
fn note(hit: &mut Vec<LimitHit>, more: &[LimitHit]) {
    more.iter().for_each(|limit| {
        if !hit.contains(limit) {
            hit.push(*limit);
        }
    });
}

impl<const W: usize> Supposing<'_, W> {
    /// Draws everything: by the shortest chains and trees, unless these come to something else than what was found.
    ///
    /// What was found took each time what came to hand. Of most techniques both come to the same end, but nothing forces an
    /// author's to: what a first match changes may be what another match needs.
    pub(super) fn by_rules(&self, known: &Known<W>, by: &By, literal: Literal, limits: &Limits) -> Trace<W> {
        let By::Rules(members) = by else { return Tracer::new(&self.boards.plain, &known.ground, literal).finish() };
        let shortest = self.drawn(&known.ground, (members, Search::First), literal, limits);
        let sets = (!shortest.refuted()).then(|| sets_of(&known.ground, &shortest.now));
        match self.outcome(by, known, literal, limits).sets == sets {
            true => shortest,
            false => self.drawn(&known.ground, (members, Search::Any), literal, limits),
        }
    }

    fn drawn(
        &self,
        ground: &Ground<W>,
        (members, search): (&[usize], Search),
        literal: Literal,
        limits: &Limits,
    ) -> Trace<W> {
        let mut tracer = Tracer::new(&self.boards.plain, ground, literal);
        tracer.singles();
        let mut steps = 0;
        while !tracer.trace().refuted() {
            let state = self.state_of(ground, &tracer.trace().now);
            if state.is_solved() {
                break;
            }
            if steps >= limits.suppositions {
                tracer.note([LimitHit::Suppositions]);
                break;
            }
            let (found, hit) = self.first(&state, members, search, limits);
            tracer.note(hit);
            let Some(found) = found else { break };
            let reading = |member: usize| self.compiled.makeup[member].reading;
            let member = |one: &Match| self.compiled.members.iter().position(|id| *id == one.member).unwrap_or(0);
            let reads = Reader::new(self.boards, &state, &reading, &member).of(&found);
            tracer.rule(found, reads.as_ref());
            tracer.singles();
            steps += 1;
        }
        tracer.finish()
    }

    /// What a position without last candidates and last places comes to.
    pub(super) fn ended_by_rules(
        &self,
        known: &Known<W>,
        members: &[usize],
        end: Marked<W>,
        limits: &Limits,
    ) -> Rc<Outcome<W>> {
        let (mut now, mut hit) = (end, Vec::new());
        // The positions on the way, and how many steps there are from the last of them to the end.
        let mut way: Vec<Vec<Bits<W>>> = Vec::new();
        let (left, sets) = loop {
            if let Some((steps, outcome)) = known.ends.borrow().get(&now.places)
                && way.len() + steps <= limits.suppositions
            {
                note(&mut hit, &outcome.limits);
                break (steps + 1, outcome.sets.clone());
            }
            way.push(now.places.clone());
            let state = self.state_of(&known.ground, &now);
            if state.is_solved() {
                break (0, Some(sets_of(&known.ground, &now)));
            }
            if way.len() > limits.suppositions {
                note(&mut hit, &[LimitHit::Suppositions]);
                break (0, Some(sets_of(&known.ground, &now)));
            }
            let (found, cut) = self.first(&state, members, Search::Effect, limits);
            note(&mut hit, &cut);
            let Some(Match { eliminations, placements, .. }) = found else {
                break (0, Some(sets_of(&known.ground, &now)));
            };
            match known.ground.go_on(&self.boards.plain, now, &eliminations, &placements) {
                Some(then) => now = then,
                None => break (1, None),
            }
        };
        // What a limit cut short is no end.
        let whole = !hit.contains(&LimitHit::Suppositions);
        let outcome = Rc::new(Outcome { sets, limits: hit });
        if whole {
            let ends = way.into_iter().rev().enumerate();
            known.ends.borrow_mut().extend(ends.map(|(steps, places)| (places, (left + steps, Rc::clone(&outcome)))));
        }
        outcome
    }

    /// Some match of the first member that has one.
    fn first(
        &self,
        state: &State,
        members: &[usize],
        search: Search,
        limits: &Limits,
    ) -> (Option<Match>, Vec<LimitHit>) {
        let mut indexed = Indexed::new(self.compiled, self.boards, state, None);
        let mut hit = Vec::new();
        for &member in members {
            let found = indexed.find(member, search, limits);
            hit.extend(found.limits);
            if let Some(first) = found.matches.into_iter().next() {
                return (Some(first), hit);
            }
        }
        (None, hit)
    }

    /// The position as it is by now.
    fn state_of(&self, ground: &Ground<W>, now: &Marked<W>) -> State {
        let mut state = self.state.clone();
        for (digit, places) in ground.start.places.iter().enumerate() {
            let digit_of = |cell: usize| Candidate::new(Digit(digit as u8), Cell(cell as u16));
            (*places - now.places[digit]).iter().for_each(|cell| {
                state.eliminate(digit_of(cell));
            });
            for candidate in now.placed[digit].iter().map(digit_of) {
                state.place(&self.boards.geometry, candidate.cell, candidate.digit);
            }
        }
        state
    }
}
