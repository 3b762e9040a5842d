//! What follows from a supposed literal by techniques. In: a state, a literal, members of the rulebook in order. Out: what it
//! comes to; and for what is reported a [`Trace`] of everything that follows.
//!
//! Last candidates and last places come first, to the end; then the first technique of the list that finds something does
//! all that it shows (of suppositions one match, which are dear), and all begins again. What is told takes one match each
//! time. A position under a supposition is a state like any other, so what it comes to does not depend on how it was
//! reached: many literals lead to the same positions, and these are gone on from once.

use super::board::{Ground, Marked};
use super::reads::Reader;
use super::trace::{Trace, Tracer};
use super::{By, Known, Literal, Outcome, Supposing, sets_of};
use crate::engine::Remembered;
use crate::engine::matches::{Found, LimitHit, Limits, Match, Search};
use crate::engine::search::Indexed;
use crate::grid::{Bits, Candidate, Cell, Digit, State};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// For the places of all digits how many steps are left to the end, and the end; only ever looked up.
pub(super) type Ends<const W: usize> = FxHashMap<Vec<Bits<W>>, (usize, Rc<Outcome<W>>)>;

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
    pub(super) fn by_rules(
        &self,
        known: &Known<W>,
        (by, members): (&By, &[usize]),
        literal: Literal,
        limits: &Limits,
    ) -> Trace<W> {
        let first = |state: &State| self.first((state, None), members, |_| Search::First, limits);
        let shortest = self.drawn(&known.ground, &first, literal, limits);
        let sets = (!shortest.refuted()).then(|| sets_of(&known.ground, &shortest.now));
        if self.outcome(by, known, literal, limits).sets == sets {
            return shortest;
        }
        let told = |member: usize| if self.hasty(member).one() { Search::Any } else { Search::All };
        self.drawn(&known.ground, &|state| self.first((state, None), members, told, limits), literal, limits)
    }

    fn drawn(&self, ground: &Ground<W>, next: &dyn Fn(&State) -> Found, literal: Literal, limits: &Limits) -> Trace<W> {
        let reading = |member: usize| self.compiled.makeup[member].reading;
        let member = |one: &Match| self.compiled.members.iter().position(|id| *id == one.member).unwrap_or(0);
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
            let Found { matches, limits } = next(&state);
            tracer.note(limits);
            if matches.is_empty() {
                break;
            }
            for one in matches {
                if !tracer.trace().refuted() {
                    let reads = Reader::new(self.boards, &state, &reading, &member).of(&one);
                    tracer.rule(one, reads.as_ref());
                    tracer.singles();
                }
            }
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
        // What is in vain on the state itself need be looked for only where something has changed.
        let memory = known.memory.get_or_init(|| self.looked_through(known, members, limits)).clone();
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
            let Found { matches: found, limits: cut } =
                self.first((&state, Some(&memory)), members, |member| self.hasty(member), limits);
            note(&mut hit, &cut);
            if found.is_empty() {
                break (0, Some(sets_of(&known.ground, &now)));
            }
            let all = |list: fn(&Match) -> &Vec<Candidate>| found.iter().flat_map(list).copied().collect::<Vec<_>>();
            let (gone, put) = (all(|one| &one.eliminations), all(|one| &one.placements));
            match known.ground.go_on(&self.boards.plain, now, &gone, &put) {
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

    /// How a member is searched where only the end counts: all that it shows at once, but of suppositions one.
    fn hasty(&self, member: usize) -> Search {
        if self.compiled.makeup[member].supposes { Search::Effect } else { Search::Effects }
    }

    /// What is found in vain on the state before anything is supposed.
    fn looked_through(&self, known: &Known<W>, members: &[usize], limits: &Limits) -> Remembered<W> {
        let memory = Remembered::default();
        if let Some(base) = &known.base {
            let state = self.state_of(&known.ground, base);
            let mut indexed = Indexed::new(self.compiled, self.boards, &state, Some(&memory), None);
            for &member in members.iter().filter(|&&member| !self.compiled.makeup[member].supposes) {
                indexed.find(member, Search::Effect, limits);
            }
        }
        memory
    }

    /// What the first member finds that finds anything.
    fn first(
        &self,
        (state, memory): (&State, Option<&Remembered<W>>),
        members: &[usize],
        search: impl Fn(usize) -> Search,
        limits: &Limits,
    ) -> Found {
        let mut indexed = Indexed::new(self.compiled, self.boards, state, memory, None);
        let mut all = Found::default();
        for &member in members {
            let found = indexed.find(member, search(member), limits);
            all.limits.extend(found.limits);
            if !found.matches.is_empty() {
                return Found { matches: found.matches, ..all };
            }
        }
        all
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
