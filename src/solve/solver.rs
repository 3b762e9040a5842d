//! The loop of a human solver. In: a rulebook, a board, a profile, a state. Out: the next step, or a [`Path`].
//!
//! The simplest technique is tried first, and after each success the search starts again at the simplest.

use super::build::step_of;
use super::changes::Changes;
use super::guess::Replay;
use super::order::{Rank, Ranking, row_of};
use super::path::{Cut, Outcome, Path};
use super::profile::Profile;
use super::row::member_label;
use super::rulebook::Rulebook;
use super::standing::{Knowledge, ProvedHere, Soundness, name_of};
use super::step::Step;
use super::tally::Tally;
use super::walk::{Move, Taken, Walk};
use crate::engine::{Engine, LimitHit, Limits, Match, MemberId, Memory, NoPlan, PlanError, Position, Search, Trust};
use crate::grid::{Candidate, Geometry, State};
use crate::lang::ir::Technique;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A rulebook ready to work on one board in the order of one profile.
pub struct Solver {
    pub(super) engine: Arc<Engine>,
    pub(super) techniques: Arc<[Technique]>,
    pub(super) profile: Profile,
    pub(super) ranking: Ranking,
    pub(super) limits: Limits,
    left_out: Vec<PlanError>,
    /// The soundness of each member on this board.
    soundness: Vec<Soundness>,
    /// Members that are left out because they are not sound enough, by their places.
    withheld: Vec<usize>,
    /// Members of the binary's own rules that are proved to find nothing on this board.
    idle: Vec<usize>,
}

/// Is told of every search while a puzzle is solved: how long each takes is not the solver's business.
pub trait Watch {
    /// A member is searched now, by its place in [`Solver::members`].
    fn begin(&mut self, member: usize);
    /// It was, and found this many matches.
    fn end(&mut self, member: usize, matches: usize);
}

/// Nobody watches.
pub struct Unwatched;

impl Watch for Unwatched {
    fn begin(&mut self, _: usize) {}

    fn end(&mut self, _: usize, _: usize) {}
}

/// The next step of a state, if a technique finds one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Next {
    /// The step.
    pub step: Option<Step>,
    /// Searches that a limit cut short before it was found.
    pub cuts: Vec<Cut>,
}

impl Solver {
    /// Compiles a rulebook. A technique that cannot be compiled is left out, see [`Solver::left_out`]; so are techniques
    /// that assume one solution, on boards where cells see each other without sharing a house. Members of the binary's own
    /// rules that are not proved on this board are searched only when they are asked for by name, see [`Solver::withheld`];
    /// those that are proved to find nothing here are not searched either.
    /// Of added rules nothing is known: they are used, and their steps are marked.
    pub fn new(rulebook: &Rulebook, geometry: &Arc<Geometry>, profile: &Profile, limits: Limits) -> Solver {
        Solver::knowing(&Knowledge::default(), rulebook, geometry, profile, limits)
    }

    /// Like [`Solver::new`], with the soundness of added rules on this board: refuted ones are left out, and searches for proved ones
    /// are faster.
    pub fn knowing(
        added: &Knowledge,
        rulebook: &Rulebook,
        geometry: &Arc<Geometry>,
        profile: &Profile,
        limits: Limits,
    ) -> Solver {
        let mut techniques = Cow::Borrowed(rulebook.techniques());
        let mut sources = Cow::Borrowed(rulebook.sources());
        let mut left_out = Vec::new();
        if geometry.has_extra_pairs() {
            let refused = Technique::without_one_solution(techniques.to_mut()).into_iter();
            left_out.extend(refused.map(|technique| PlanError { technique: technique.id, reason: NoPlan::NoExchange }));
        }
        let proved = ProvedHere { rulebook, added, board: name_of(geometry) };
        let mut whole = true;
        let engine = loop {
            let trust = |id: &str| match proved.trust(id, geometry.size() as u32) {
                // What it uses may be left out.
                Trust::Planned | Trust::Idle if !whole => Trust::Sound,
                trust => trust,
            };
            match Engine::trusting(Arc::clone(geometry), &techniques, &sources, &trust) {
                Ok(engine) => break engine,
                Err(errors) => {
                    whole = false;
                    let before = techniques.len() + sources.len();
                    techniques.to_mut().retain(|technique| errors.iter().all(|error| error.technique != technique.id));
                    sources.to_mut().retain(|source| errors.iter().all(|error| error.technique != source.id));
                    left_out.extend(errors);
                    if techniques.len() + sources.len() == before {
                        techniques = Cow::default();
                        sources = Cow::default();
                    }
                }
            }
        };
        let techniques = Arc::clone(engine.techniques());
        let profile = profile.resolved(&techniques);
        let (all, of) = (engine.members(), |member: &MemberId| &techniques[member.technique]);
        let soundness: Vec<Soundness> =
            all.iter().map(|member| proved.member(of(member), &member.args, member.variant)).collect();
        let is_idle = |one: &MemberId| proved.is_idle(of(one), &one.args, one.variant);
        let withheld: Vec<usize> = (0..all.len()).filter(|&at| proved.withholds(of(&all[at]), soundness[at])).collect();
        let idle: Vec<usize> = (0..all.len()).filter(|&at| is_idle(&all[at])).collect();
        let ranking = Ranking::new(&profile, &techniques, all, &[&withheld[..], &idle].concat());
        let limits = profile.limits(limits);
        Solver { engine: Arc::new(engine), techniques, profile, ranking, limits, left_out, soundness, withheld, idle }
    }

    /// The same rules in the order of another profile; nothing is compiled again.
    pub fn reordered(&self, profile: &Profile) -> Solver {
        let profile = profile.resolved(&self.techniques);
        let unused = [&self.withheld[..], &self.idle].concat();
        let ranking = Ranking::new(&profile, &self.techniques, self.engine.members(), &unused);
        let limits = profile.limits(self.limits);
        let (engine, techniques, left_out) = (Arc::clone(&self.engine), self.techniques.clone(), self.left_out.clone());
        let (soundness, withheld, idle) = (self.soundness.clone(), self.withheld.clone(), self.idle.clone());
        Solver { engine, techniques, profile, ranking, limits, left_out, soundness, withheld, idle }
    }

    /// The profile in force.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The board it works on.
    pub fn geometry(&self) -> &Arc<Geometry> {
        self.engine.geometry()
    }

    /// Techniques and link sources that do not compile for this board, and why.
    pub fn left_out(&self) -> &[PlanError] {
        &self.left_out
    }

    /// Members that are searched only when they are asked for by name, by their places in [`Solver::members`]: built-in ones that are
    /// not proved on this board, and added ones that are refuted there.
    pub fn withheld(&self) -> &[usize] {
        &self.withheld
    }

    /// The soundness of a member on this board, by its place in [`Solver::members`].
    pub fn soundness(&self, member: usize) -> Soundness {
        self.soundness[member]
    }

    /// Whether a technique in use assumes that there is one solution.
    pub fn assumes_one_solution(&self) -> bool {
        let used = self.ranking.ranks.iter().flat_map(|rank| &rank.members);
        used.clone().any(|&at| self.techniques[self.members()[at].technique].assumes_one_solution)
    }

    /// The techniques that were compiled.
    pub fn techniques(&self) -> &[Technique] {
        &self.techniques
    }

    /// Their members, in the engine's order.
    pub fn members(&self) -> &[MemberId] {
        self.engine.members()
    }

    /// The order of work, and rows of the profile without a rule.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The next step only, priced as a first use.
    pub fn next(&self, state: &State) -> Next {
        let changes = Changes::new(self.geometry(), state);
        let (taken, cuts) = self.look((state, &changes), &Memory::default(), &mut Unwatched);
        let step = taken.map(|taken| {
            let step = self.told(&taken, state);
            Step { cost: Tally::default().count(&self.ranking, (taken.place, taken.price), &step.name), ..step }
        });
        Next { step, cuts }
    }

    /// Steps until the grid is solved, contradicts itself, or no technique finds anything.
    pub fn solve(&self, start: State) -> Path {
        self.solve_watched(start, &mut Unwatched)
    }

    /// The same, telling of every search.
    pub fn solve_watched(&self, start: State, watch: &mut dyn Watch) -> Path {
        self.walk(start, watch, false).path(self)
    }

    /// The same, but where no technique finds anything it guesses, and takes the guess back if it leads to a
    /// contradiction; see [`Trial`](super::Trial).
    pub fn solve_guessing(&self, start: State) -> Path {
        self.walk(start, &mut Unwatched, true).path(self)
    }

    /// The way to the end, without words: for who wants no more than how it ends.
    pub fn ends(&self, start: State) -> Outcome {
        self.walk(start, &mut Unwatched, false).outcome
    }

    /// The way to the end, telling of every search.
    pub fn walk(&self, start: State, watch: &mut dyn Watch, guessing: bool) -> Walk {
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
                    let (taken, cut) = self.look((replay.state(), &changes), &memory, watch);
                    cuts.extend(cut);
                    let guess = || replay.guess(geometry).filter(|_| guessing).map(|step| Move::Trial(Box::new(step)));
                    match taken.map(Move::Taken).or_else(guess) {
                        Some(next) => next,
                        None => break Outcome::Stuck,
                    }
                }
            };
            next.carry_out(geometry, &mut replay);
            match &next {
                Move::Taken(taken) => changes.note(&taken.found),
                Move::Trial(_) => changes = Changes::new(geometry, replay.state()),
            }
            moves.push(next);
        };
        cuts.sort();
        cuts.dedup();
        Walk { start, moves, outcome, end: replay.into_state(), cuts }
    }

    /// The first match of the first member that finds one.
    fn look(
        &self,
        (state, history): (&State, &Changes<'_>),
        memory: &Memory,
        watch: &mut dyn Watch,
    ) -> (Option<Taken>, Vec<Cut>) {
        let mut position = self.engine.on_path(state, memory);
        let mut find = |member: usize, search: Search, longest: u32| {
            watch.begin(member);
            let found = position.find(member, search, &Limits { longest, ..self.limits });
            watch.end(member, found.matches.len());
            found
        };
        let mut whole = BTreeMap::new();
        let mut cuts = Vec::new();
        let mut place = 0;
        while let Some(rank) = self.ranking.ranks.get(place) {
            if rank.list.is_some() || rank.formula.is_some() || !rank.order.is_empty() || rank.alike.is_some() {
                let together = |next: &&Rank| rank.list.is_some() && next.list == rank.list;
                let end = place + self.ranking.ranks[place..].iter().take_while(together).count().max(1);
                let taken = self.cheapest(place..end, (state, history.list()), &mut whole, &mut cuts, &mut find);
                if taken.is_some() {
                    return (taken, cuts);
                }
                place = end;
                continue;
            }
            for &member in &rank.members {
                let found = if rank.shared {
                    let found = whole.entry(member).or_insert_with(|| find(member, Search::All, u32::MAX));
                    self.add_cuts(&mut cuts, member, &found.limits);
                    found.matches.iter().find(|found| self.belongs(found, rank, state)).cloned()
                } else {
                    let found = find(member, Search::First, u32::MAX);
                    self.add_cuts(&mut cuts, member, &found.limits);
                    found.matches.into_iter().next()
                };
                let found = found.map(|found| self.as_the_row_says(rank, &found, state).into_owned());
                if let Some(found) = found.filter(|found| changes(found, state)) {
                    let price = self.own_price(rank, &found, state);
                    return (Some(Taken { found, place, price }), cuts);
                }
            }
            place += 1;
        }
        (None, cuts)
    }

    /// A match of a row that puts nothing takes the other candidates of the cells instead.
    pub(super) fn as_the_row_says<'m>(&self, rank: &Rank, found: &'m Match, state: &State) -> Cow<'m, Match> {
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

    /// The price of a match where it depends on the match.
    pub(super) fn own_price(&self, rank: &Rank, found: &Match, state: &State) -> Option<u32> {
        rank.formula.as_ref()?.of(found, &self.techniques, (self.geometry(), state), &[])
    }

    /// Whether a match belongs to this rank rather than to another one of the same member.
    pub(super) fn belongs(&self, found: &Match, rank: &Rank, state: &State) -> bool {
        let step = step_of(found, &self.techniques, self.geometry(), state);
        let technique = &self.techniques[found.member.technique];
        row_of(&self.profile, technique, &found.member, (&step.name, rank.row)) == rank.row
    }

    /// The step that a match is.
    pub(super) fn told(&self, taken: &Taken, state: &State) -> Step {
        self.marked(step_of(&taken.found, &self.techniques, self.geometry(), state))
    }

    /// A step with the soundness of its rule.
    pub(super) fn marked(&self, step: Step) -> Step {
        let mut unproved = self.members().iter().zip(&self.soundness).filter(|(_, one)| **one != Soundness::Proved);
        let soundness = unproved.find(|(member, _)| **member == step.member).map_or(Soundness::Proved, |(_, one)| *one);
        Step { soundness, ..step }
    }

    pub(super) fn cuts(&self, member: usize, limits: &[LimitHit]) -> Vec<Cut> {
        let label = || self.member_label(&self.engine.members()[member]);
        limits.iter().map(|&limit| Cut { member: label(), limit }).collect()
    }

    /// Adds what cut a search short; that time or memory was used up is said once, of the first search that it cut.
    pub(super) fn add_cuts(&self, cuts: &mut Vec<Cut>, member: usize, limits: &[LimitHit]) {
        let of_all = |limit| matches!(limit, LimitHit::Time | LimitHit::Memory);
        let over = cuts.iter().any(|cut| of_all(cut.limit));
        cuts.extend(self.cuts(member, limits).into_iter().filter(|cut| !over || !of_all(cut.limit)));
    }

    /// `id` or `id(4)`.
    pub fn member_label(&self, member: &MemberId) -> String {
        member_label(&self.techniques[member.technique].id, &member.args)
    }

    pub(super) fn position<'s>(&'s self, state: &'s State) -> Position<'s> {
        self.engine.on(state)
    }
}

/// Whether a match does anything: the loop must not stand still.
pub(super) fn changes(found: &Match, state: &State) -> bool {
    found.eliminations.iter().any(|&candidate| state.has(candidate))
        || found.placements.iter().any(|placement| state.value(placement.cell).is_none())
}
