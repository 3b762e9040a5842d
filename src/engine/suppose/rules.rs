//! What follows from a supposed literal by techniques. In: a state, a literal, members of the rulebook in order. Out: a
//! [`Trace`] of everything that follows.
//!
//! Last candidates and last places come first, to the end; then the first technique of the list that finds something does
//! its first match, and all begins again. A position under a supposition is a state like any other.

use super::board::Ground;
use super::reads::Reader;
use super::trace::{Trace, Tracer};
use super::{Literal, Supposing};
use crate::engine::matches::{LimitHit, Limits, Match, Search};
use crate::engine::search::Indexed;
use crate::grid::{Candidate, Cell, Digit, State};

impl<const W: usize> Supposing<'_, W> {
    /// Draws everything.
    pub(super) fn by_rules(
        &self,
        ground: &Ground<W>,
        members: &[usize],
        literal: Literal,
        limits: &Limits,
    ) -> Trace<W> {
        let mut tracer = Tracer::new(&self.boards.plain, ground, literal);
        tracer.singles();
        let mut steps = 0;
        while !tracer.trace().refuted() {
            let state = self.state_of(ground, tracer.trace());
            if state.is_solved() {
                break;
            }
            if steps >= limits.suppositions {
                tracer.note([LimitHit::Suppositions]);
                break;
            }
            let (found, hit) = self.first(&state, members, limits);
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

    /// The first match of the first member that has one.
    fn first(&self, state: &State, members: &[usize], limits: &Limits) -> (Option<Match>, Vec<LimitHit>) {
        let mut indexed = Indexed::new(self.compiled, self.boards, state);
        let mut hit = Vec::new();
        for &member in members {
            let found = indexed.find(member, Search::First, limits);
            hit.extend(found.limits);
            if let Some(first) = found.matches.into_iter().next() {
                return (Some(first), hit);
            }
        }
        (None, hit)
    }

    /// The position as it is by now.
    fn state_of(&self, ground: &Ground<W>, trace: &Trace<W>) -> State {
        let mut state = self.state.clone();
        for (digit, places) in ground.start.places.iter().enumerate() {
            let digit_of = |cell: usize| Candidate::new(Digit(digit as u8), Cell(cell as u16));
            (*places - trace.now.places[digit]).iter().for_each(|cell| {
                state.eliminate(digit_of(cell));
            });
            for candidate in trace.now.placed[digit].iter().map(digit_of) {
                state.place(&self.boards.geometry, candidate.cell, candidate.digit);
            }
        }
        state
    }
}
