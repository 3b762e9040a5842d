//! The solver's loop. In: a rulebook, a board, a profile, a state. Out: the next step, a [`Walk`] or a [`Path`].
//!
//! The simplest technique is tried first. After each step the search starts again with the simplest.

use super::build::{name_of, step_of};
use super::cheapest::Changes;
use super::path::{CostTally, Cut, Move, Outcome, Path, Replay, ChosenMatch, Walk};
use super::profile::{Profile, member_label};
use super::proof_record::{AddedSoundness, BoardSoundness, Soundness, built_in_name};
use super::ranking::{Rank, Ranking, row_of};
use super::rulebook::Rulebook;
use super::step::Step;
use crate::engine::{
    Engine, Found, LimitHit, Limits, Match, MemberId, Memory, NoPlan, PlanError, Position, Search, Trust,
};
use crate::grid::{Candidate, Geometry, State};
use crate::lang::ir::Technique;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A rulebook compiled for one board, with the order of one profile.
#[derive(Clone)]
pub struct Solver {
    pub(super) engine: Arc<Engine>,
    pub(super) techniques: Arc<[Technique]>,
    pub(super) profile: Profile,
    pub(super) ranking: Ranking,
    pub(super) limits: Limits,
    plan_errors: Vec<PlanError>,
    /// Soundness of each member on this board.
    soundness: Vec<Soundness>,
    /// Indexes of members that are left out because they are not sound enough.
    withheld: Vec<usize>,
    /// Indexes of built-in members that are proved to find nothing on this board.
    idle: Vec<usize>,
}

/// An observer of the searches of a solver, for measurements.
pub trait Watch {
    /// Called before the search for a member, given by its index in [`Solver::members`].
    fn begin(&mut self, _member: usize) {}
    /// Called after the search, with the number of matches.
    fn end(&mut self, _member: usize, _matches: usize) {}
}

/// An observer that does nothing.
pub struct Unwatched;

impl Watch for Unwatched {}

/// Searches on one position, each reported to an observer.
pub(super) struct WatchedSearches<'p, 'w> {
    position: Position<'p>,
    limits: Limits,
    watch: &'w mut dyn Watch,
}

impl WatchedSearches<'_, '_> {
    /// Searches for a member, with chains up to the length `longest`.
    pub fn find(&mut self, member: usize, search: Search, longest: u32) -> Found {
        self.watch.begin(member);
        let found = self.position.find(member, search, &Limits { longest, ..self.limits });
        self.watch.end(member, found.matches.len());
        found
    }
}

/// What a walk does when no technique finds anything.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WhenStuck {
    Stop,
    Guess,
}

/// The result of [`Solver::next`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NextStep {
    /// The step, if a technique finds one.
    pub step: Option<Step>,
    /// Searches before it that a limit cut short.
    pub cuts: Vec<Cut>,
}

impl Solver {
    /// Compiles a rulebook for a board.
    ///
    /// Techniques that cannot be compiled are left out, see [`Solver::plan_errors`]; so are techniques that assume one solution, on boards where
    /// cells see each other without sharing a house. Built-in members that are not proved on this board are searched only by name, see
    /// [`Solver::withheld`]; those that are proved to find nothing here are not searched either. Added rules count as unproved: they are used,
    /// and their steps are marked.
    pub fn new(rulebook: &Rulebook, geometry: &Arc<Geometry>, profile: &Profile, limits: Limits) -> Solver {
        Solver::with_soundness(&AddedSoundness::default(), rulebook, geometry, profile, limits)
    }

    /// Like [`Solver::new`], with the soundness of added rules on this board: refuted ones are left out, and proved ones are searched faster.
    pub fn with_soundness(
        added: &AddedSoundness,
        rulebook: &Rulebook,
        geometry: &Arc<Geometry>,
        profile: &Profile,
        limits: Limits,
    ) -> Solver {
        let mut techniques = Cow::Borrowed(rulebook.techniques());
        let mut sources = Cow::Borrowed(rulebook.sources());
        let mut plan_errors = Vec::new();
        if geometry.has_extra_pairs() {
            let refused = Technique::remove_uniqueness_rules(techniques.to_mut()).into_iter();
            plan_errors
                .extend(refused.map(|technique| PlanError { technique: technique.id, reason: NoPlan::NoExchange }));
        }
        let proved = BoardSoundness { rulebook, added, board: built_in_name(geometry) };
        // Techniques that do not compile are removed until the rest does.
        let mut is_complete = true;
        let engine = loop {
            match Engine::with_trust(Arc::clone(geometry), &techniques, &sources, &|id| {
                match proved.trust(id, geometry.size() as u32) {
                    // A rule that it uses may be left out.
                    Trust::Planned | Trust::Idle if !is_complete => Trust::Sound,
                    trust => trust,
                }
            }) {
                Ok(engine) => break engine,
                Err(errors) => {
                    is_complete = false;
                    let before = techniques.len() + sources.len();
                    techniques.to_mut().retain(|technique| errors.iter().all(|error| error.technique != technique.id));
                    sources.to_mut().retain(|source| errors.iter().all(|error| error.technique != source.id));
                    plan_errors.extend(errors);
                    if techniques.len() + sources.len() == before {
                        techniques = Cow::default();
                        sources = Cow::default();
                    }
                }
            }
        };
        let techniques = Arc::clone(engine.techniques());
        let (mut soundness, mut withheld, mut idle) = (Vec::new(), Vec::new(), Vec::new());
        for (at, MemberId { technique, args, variant, .. }) in engine.members().iter().enumerate() {
            let technique = &techniques[*technique];
            soundness.push(proved.member(technique, args, *variant));
            if proved.withholds(technique, soundness[at]) {
                withheld.push(at);
            }
            if proved.is_idle(technique, args, *variant) {
                idle.push(at);
            }
        }
        let (engine, ranking) = (Arc::new(engine), Ranking::default());
        let unordered = Solver {
            engine,
            techniques,
            profile: Profile::empty(),
            ranking,
            limits,
            plan_errors,
            soundness,
            withheld,
            idle,
        };
        unordered.reordered(profile)
    }

    /// Returns a solver with the order of another profile; nothing is compiled again.
    pub fn reordered(&self, profile: &Profile) -> Solver {
        let profile = profile.resolved(&self.techniques);
        let unused = [&self.withheld[..], &self.idle].concat();
        let ranking = Ranking::new(&profile, &self.techniques, self.members(), &unused);
        let limits = profile.limits(self.limits);
        Solver { profile, ranking, limits, ..self.clone() }
    }

    /// Returns the profile, with names replaced by ids.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns the board.
    pub fn geometry(&self) -> &Arc<Geometry> {
        self.engine.geometry()
    }

    /// Returns the techniques and link sources that do not compile for this board, with the reasons.
    pub fn plan_errors(&self) -> &[PlanError] {
        &self.plan_errors
    }

    /// Returns the members that are searched only by name, as indexes into [`Solver::members`]: built-in ones that are not proved on this
    /// board, and added ones that are refuted there.
    pub fn withheld(&self) -> &[usize] {
        &self.withheld
    }

    /// Returns the soundness of a member on this board, given by its index in [`Solver::members`].
    pub fn soundness(&self, member: usize) -> Soundness {
        self.soundness[member]
    }

    /// Returns true if a technique in use assumes one solution.
    pub fn assumes_one_solution(&self) -> bool {
        let mut used = self.ranking.ranks.iter().flat_map(|rank| &rank.members);
        used.any(|&at| self.techniques[self.members()[at].technique].assumes_one_solution)
    }

    /// Returns the compiled techniques.
    pub fn techniques(&self) -> &[Technique] {
        &self.techniques
    }

    /// Returns the members of all techniques, in the engine's order.
    pub fn members(&self) -> &[MemberId] {
        self.engine.members()
    }

    /// Returns the order of members, and the profile's rows without a rule.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// Finds the next step, priced as a first use.
    pub fn next(&self, state: &State) -> NextStep {
        let changes = Changes::new(self.geometry(), state);
        let (taken, cuts) = self.find_next((state, &changes), &Memory::default(), &mut Unwatched);
        let step = taken.map(|taken| {
            let step = self.step_of(&taken.found, state);
            Step { cost: CostTally::default().count(&self.ranking, &taken, &step.name), ..step }
        });
        NextStep { step, cuts }
    }

    /// Solves a puzzle until it is solved, contradicts itself, or no technique finds anything.
    pub fn solve(&self, start: State) -> Path {
        self.walk(start, &mut Unwatched).path(self)
    }

    /// Like [`Solver::solve`], but guesses if no technique finds anything, and takes a guess back if it leads to a contradiction; see
    /// [`Trial`](super::Trial).
    pub fn solve_guessing(&self, start: State) -> Path {
        self.walk_with(start, &mut Unwatched, WhenStuck::Guess).path(self)
    }

    /// Finds the moves of a path without words, with an observer of every search.
    pub fn walk(&self, start: State, watch: &mut dyn Watch) -> Walk {
        self.walk_with(start, watch, WhenStuck::Stop)
    }

    fn walk_with(&self, start: State, watch: &mut dyn Watch, when_stuck: WhenStuck) -> Walk {
        let geometry = self.geometry();
        let mut replay = Replay::new(start.clone());
        let (memory, mut changes) = (Memory::default(), Changes::new(geometry, &start));
        let (mut moves, mut cuts) = (Vec::new(), Vec::new());
        let outcome = loop {
            let next = match replay.state().contradiction(geometry) {
                Some(found) => match replay.take_back(found) {
                    Some(step) => Move::Trial(Box::new(step)),
                    None => break Outcome::Broken(found),
                },
                None if replay.state().is_solved() => break Outcome::Solved,
                None => {
                    let (taken, cut) = self.find_next((replay.state(), &changes), &memory, watch);
                    cuts.extend(cut);
                    let guess =
                        if when_stuck == WhenStuck::Guess && taken.is_none() { replay.guess(geometry) } else { None };
                    match (taken, guess) {
                        (Some(taken), _) => Move::ChosenMatch(taken),
                        (None, Some(step)) => Move::Trial(Box::new(step)),
                        (None, None) => break Outcome::Stuck,
                    }
                }
            };
            next.carry_out(geometry, &mut replay);
            match &next {
                Move::ChosenMatch(taken) => changes.add(&taken.found),
                Move::Trial(_) => changes = Changes::new(geometry, replay.state()),
            }
            moves.push(next);
        };
        cuts.sort();
        cuts.dedup();
        Walk { start, moves, outcome, end: replay.state, cuts }
    }

    /// Finds the first match of the first member that has one, or the cheapest of a list.
    fn find_next(
        &self,
        (state, history): (&State, &Changes<'_>),
        memory: &Memory,
        watch: &mut dyn Watch,
    ) -> (Option<ChosenMatch>, Vec<Cut>) {
        let position = self.engine.on_path(state, memory);
        let mut searches = WatchedSearches { position, limits: self.limits, watch };
        let mut whole = BTreeMap::new();
        let mut cuts = Vec::new();
        let mut place = 0;
        while let Some(rank) = self.ranking.ranks.get(place) {
            if rank.list.is_some() || rank.formula.is_some() || !rank.order.is_empty() || rank.groups.is_some() {
                let others = self.ranking.ranks[place + 1..].iter();
                let end = place + 1 + others.take_while(|next| rank.list.is_some() && next.list == rank.list).count();
                let taken = self.cheapest(place..end, (state, &history.times), &mut whole, &mut cuts, &mut searches);
                if taken.is_some() {
                    return (taken, cuts);
                }
                place = end;
                continue;
            }
            for &member in &rank.members {
                let found = if rank.shares_members {
                    let found = whole.entry(member).or_insert_with(|| searches.find(member, Search::All, u32::MAX));
                    self.add_cuts(&mut cuts, member, &found.limits);
                    found.matches.iter().find(|found| self.belongs(found, rank, state)).cloned()
                } else {
                    let found = searches.find(member, Search::First, u32::MAX);
                    self.add_cuts(&mut cuts, member, &found.limits);
                    found.matches.into_iter().next()
                };
                let found = found.map(|found| self.adapted_to_row(rank, &found, state).into_owned());
                if let Some(found) = found.filter(|found| has_effect(found, state)) {
                    let price = self.own_price(rank, &found, state);
                    return (Some(ChosenMatch { found, place, price }), cuts);
                }
            }
            place += 1;
        }
        (None, cuts)
    }

    /// Adapts a match to its row: in a row that `eliminates`, a placement becomes the elimination of the cell's other candidates.
    pub(super) fn adapted_to_row<'m>(&self, rank: &Rank, found: &'m Match, state: &State) -> Cow<'m, Match> {
        if found.placements.is_empty() || !rank.row.is_some_and(|row| self.profile.rows[row].eliminates) {
            return Cow::Borrowed(found);
        }
        let mut found = found.clone();
        for Candidate { cell, digit } in std::mem::take(&mut found.placements) {
            let others = state.candidates(cell).iter().filter(|&other| other != digit);
            found.eliminations.extend(others.map(|other| Candidate::new(other, cell)));
        }
        found.eliminations.sort_unstable();
        found.eliminations.dedup();
        Cow::Owned(found)
    }

    /// Returns the price of a match, if the price depends on the match.
    pub(super) fn own_price(&self, rank: &Rank, found: &Match, state: &State) -> Option<u32> {
        rank.formula.as_ref()?.of(found, &self.techniques, (self.geometry(), state), &[])
    }

    /// Returns true if a match belongs to this rank rather than to another one of the same member.
    pub(super) fn belongs(&self, found: &Match, rank: &Rank, state: &State) -> bool {
        let name = name_of(found, &self.techniques, self.geometry(), state);
        let technique = &self.techniques[found.member.technique];
        row_of(&self.profile, technique, &found.member, &name, rank.row) == rank.row
    }

    /// Turns a match into a step, with the soundness of its rule.
    pub(super) fn step_of(&self, found: &Match, state: &State) -> Step {
        let step = step_of(found, &self.techniques, self.geometry(), state);
        let mut unproved = self.members().iter().zip(&self.soundness).filter(|(_, one)| **one != Soundness::Proved);
        let soundness = unproved.find(|(member, _)| **member == step.member).map_or(Soundness::Proved, |(_, one)| *one);
        Step { soundness, ..step }
    }

    pub(super) fn cut(&self, member: usize, limit: LimitHit) -> Cut {
        Cut { member: self.member_label(&self.members()[member]), limit }
    }

    /// Adds the limits that cut a search short. Time or memory that is used up is reported once, for the first search that it cut.
    pub(super) fn add_cuts(&self, cuts: &mut Vec<Cut>, member: usize, limits: &[LimitHit]) {
        let has_ended = cuts.iter().any(Cut::ends_run);
        let new = limits.iter().map(|&limit| self.cut(member, limit));
        cuts.extend(new.filter(|cut| !has_ended || !cut.ends_run()));
    }

    /// `id` or `id(4)`.
    pub fn member_label(&self, member: &MemberId) -> String {
        member_label(&self.techniques[member.technique].id, &member.args)
    }
}

/// Returns true if a match changes the state; otherwise the loop would not end.
pub(super) fn has_effect(found: &Match, state: &State) -> bool {
    found.eliminations.iter().any(|&candidate| state.has(candidate))
        || found.placements.iter().any(|placement| state.value(placement.cell).is_none())
}
