//! What follows from a supposed literal by techniques. In: a state, a literal, members of the rulebook in order. Out: what it
//! comes to; and for what is reported a [`Trace`] of everything that follows.
//!
//! Last candidates and last places come first, to the end; then the first technique of the list that finds something does
//! all that it shows (of dear suppositions one match), and all begins again. What is told takes one match each
//! time. Many literals lead to the same positions, and each is worked out once ([`PositionCache`]).

use super::board::{Ground, Marked};
use super::literal::{By, Literal};
use super::positions::{Next, Place, PositionCache};
use super::reads::Reader;
use super::trace::{Trace, Tracer};
use super::{Known, Outcome, Supposing, sets_of};
use crate::engine::WidthCache;
use crate::engine::matches::{LimitHit, Limits, Match, SearchMode, SearchOutcome};
use crate::engine::search::StateSearch;
use crate::grid::{Candidate, Cell, Digit, State};
use std::rc::Rc;

/// Adds limits that were hit.
fn note(hit: &mut Vec<LimitHit>, more: impl IntoIterator<Item = LimitHit>) {
    more.into_iter().for_each(|limit| {
        if !hit.contains(&limit) {
            hit.push(limit);
        }
    });
}

impl<const W: usize> Supposing<'_, W> {
    /// Draws everything: by the shortest chains and trees, unless these do not come as far as what was found.
    ///
    /// What was found took each time all that came to hand. Taken one after the other it mostly comes as far in the end, but
    /// in more steps, and nothing forces an author's techniques to: what a first match changes may be what another match
    /// needs. Then it is told as it was found.
    pub(super) fn by_rules(
        &self,
        known: &Known<W>,
        (by, members): (&By, &[usize]),
        literal: Literal,
        limits: &Limits,
    ) -> Trace<W> {
        let outcome = self.outcome(by, known, literal, limits);
        let reaches = |trace: &Trace<W>| match &outcome.sets {
            _ if trace.refuted() => true,
            None => false,
            Some(wanted) => sets_of(&known.ground, &trace.now).iter().zip(wanted).all(|(all, some)| some.within(all)),
        };
        let first = |state: &State| self.first((state, None), members, |_| SearchMode::First, limits);
        let shortest = self.drawn(&known.ground, &first, literal, limits.steps_per_assumption);
        if reaches(&shortest) {
            return shortest;
        }
        let supposes = |member: usize| self.compiled.members_info[member].supposes;
        let one = |member: usize| if supposes(member) { SearchMode::AnyMatch } else { SearchMode::All };
        let next = |state: &State| self.first((state, None), members, one, limits);
        let single = self.drawn(&known.ground, &next, literal, usize::MAX);
        if reaches(&single) {
            return single;
        }
        let found = |member: usize| {
            if self.cheapest_search(member).wants_one() { SearchMode::AnyMatch } else { SearchMode::All }
        };
        let next = |state: &State| self.first((state, None), members, found, limits);
        self.drawn(&known.ground, &next, literal, limits.steps_per_assumption)
    }

    /// Applies what `next` finds, at most `most` times.
    fn drawn(
        &self,
        ground: &Ground<W>,
        next: &dyn Fn(&State) -> SearchOutcome,
        literal: Literal,
        most: usize,
    ) -> Trace<W> {
        let reading = |member: usize| self.compiled.members_info[member].reading;
        let member = |one: &Match| self.compiled.members.iter().position(|id| *id == one.member).unwrap_or(0);
        let mut tracer = Tracer::new(&self.boards.grid, ground, literal);
        tracer.singles(u32::MAX);
        let mut steps = 0;
        while !tracer.trace().refuted() {
            let state = self.state_of(ground, &tracer.trace().now);
            if state.is_solved() {
                break;
            }
            if steps >= most {
                tracer.note([LimitHit::Suppositions]);
                break;
            }
            let SearchOutcome { matches, limits } = next(&state);
            tracer.note(limits);
            if matches.is_empty() {
                break;
            }
            for one in matches {
                if !tracer.trace().refuted() {
                    let reads = Reader::new(self.boards, &state, &reading, &member).of(&one);
                    tracer.rule(one, reads.as_ref());
                    tracer.singles(u32::MAX);
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
        let (ground, mut hit, mut steps) = (&known.ground, Vec::new(), 0);
        let mut now = ground.place_of(&end);
        let end = loop {
            if ground.is_solved(&now) {
                break Some(now);
            }
            if steps >= limits.steps_per_assumption {
                note(&mut hit, [LimitHit::Suppositions]);
                break Some(now);
            }
            let (next, cut) = self.next(known, &now, members, limits);
            note(&mut hit, cut.into_iter().map(|(_, limit)| limit));
            match next {
                Next::Then(Some(then)) => now = then,
                Next::Then(None) => break None,
                Next::Stuck | Next::After(_) => break Some(now),
            }
            steps += 1;
        };
        let sets = end.map(|end| sets_of(ground, &ground.marked(&end)));
        Rc::new(Outcome { sets, limits: hit })
    }

    /// What the first member that finds something makes of a position.
    fn next(
        &self,
        known: &Known<W>,
        now: &Place<W>,
        members: &[usize],
        limits: &Limits,
    ) -> (Next<W>, Vec<(usize, LimitHit)>) {
        let cache = self.positions();
        cache.within(limits);
        let (next, mut cut) = cache.next(now, members);
        let Next::After(before) = next else { return (next, cut) };
        let from = known.ground.marked(now);
        let state = self.state_of(&known.ground, &from);
        let cheapest_search = |member: usize| self.cheapest_search(member);
        let (found, count, more) =
            self.first_of((&state, Some(&known.memory)), (members, before), cheapest_search, limits);
        cut.extend(more);
        let all = |list: fn(&Match) -> &Vec<Candidate>| found.iter().flat_map(list).copied().collect::<Vec<_>>();
        let (gone, put) = (all(|one| &one.eliminations), all(|one| &one.placements));
        let then = (!found.is_empty()).then(|| {
            let then = known.ground.go_on(&self.boards.grid, from, &gone, &put);
            then.map(|then| known.ground.place_of(&then))
        });
        cache.note(Rc::clone(now), &members[..count], then.clone(), cut.clone());
        (then.map_or(Next::Stuck, Next::Then), cut)
    }

    /// What is known of positions: on a path that of the states before, too.
    fn positions(&self) -> &PositionCache<W> {
        self.path.map_or(&self.memo.positions, |memory| &memory.positions)
    }

    /// How a member is searched where only the end counts: all that it shows at once, but one match of what supposes something
    /// and compares cases, or goes on by techniques: to list all of that is dear.
    fn cheapest_search(&self, member: usize) -> SearchMode {
        if self.compiled.members_info[member].is_quick { SearchMode::AllEffects } else { SearchMode::AnyEffects }
    }

    /// What the first member finds that finds anything.
    pub(super) fn first(
        &self,
        at: (&State, Option<&WidthCache<W>>),
        members: &[usize],
        search: impl Fn(usize) -> SearchMode,
        limits: &Limits,
    ) -> SearchOutcome {
        let (matches, _, cut) = self.first_of(at, (members, 0), search, limits);
        SearchOutcome { matches, limits: cut.into_iter().map(|(_, limit)| limit).collect() }
    }

    /// The same, if it is known that the first members find nothing; with it how many were searched in all, and the limits
    /// that were hit, each with the number of members before the one that hit it.
    fn first_of(
        &self,
        (state, memory): (&State, Option<&WidthCache<W>>),
        (members, before): (&[usize], usize),
        search: impl Fn(usize) -> SearchMode,
        limits: &Limits,
    ) -> (Vec<Match>, usize, Vec<(usize, LimitHit)>) {
        let mut indexed = StateSearch::new(self.compiled, self.boards, state, memory, None);
        let mut cut = Vec::new();
        for (at, &member) in members.iter().enumerate().skip(before) {
            let found = indexed.find(member, search(member), limits);
            cut.extend(found.limits.into_iter().map(|limit| (at, limit)));
            if !found.matches.is_empty() {
                return (found.matches, at + 1, cut);
            }
        }
        (Vec::new(), members.len(), cut)
    }

    /// The position as it is by now.
    pub(super) fn state_of(&self, ground: &Ground<W>, now: &Marked<W>) -> State {
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
