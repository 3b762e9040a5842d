//! The loop of a human solver. In: a rulebook, a board, a profile, a state. Out: the next step, or a [`Path`].
//!
//! The simplest technique is tried first, and after each success the search starts again at the simplest.

use super::build::step_of;
use super::guess::Replay;
use super::order::{Rank, Ranking, row_of};
use super::path::{Cut, Outcome, Path};
use super::profile::{Profile, member_label};
use super::rulebook::Rulebook;
use super::standing::{Standing, name_of};
use super::step::Step;
use super::tally::Tally;
use crate::engine::{Engine, Found, LimitHit, Limits, MemberId, Memory, PlanError, Position, Search};
use crate::grid::{Geometry, State};
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
    /// Members of the binary's own rules that are not proved on this board, by their places.
    unproved: Vec<usize>,
}

/// Why no second solution can be made by an exchange of digits on some boards.
const NO_EXCHANGE: &str = "it assumes one solution; here cells see each other without sharing a house, so an exchange of \
    digits that keeps every house need not give a second solution";

/// Is told of every search while a puzzle is solved: how long each takes is not the solver's business.
pub trait Watch {
    /// A member is searched now, by its place in [`Solver::members`].
    fn begin(&mut self, member: usize);
    /// It was, and found so many matches.
    fn end(&mut self, member: usize, matches: usize);
}

/// Nobody watches.
struct Unwatched;

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
    /// rules that are not proved on this board are searched only when they are asked for by name, see [`Solver::unproved`].
    pub fn new(rulebook: &Rulebook, geometry: &Arc<Geometry>, profile: &Profile, limits: Limits) -> Solver {
        let mut techniques = Cow::Borrowed(rulebook.techniques());
        let mut sources = Cow::Borrowed(rulebook.sources());
        let mut left_out = Vec::new();
        if geometry.has_extra_pairs() {
            let refused = Technique::without_one_solution(techniques.to_mut()).into_iter();
            left_out
                .extend(refused.map(|technique| PlanError { technique: technique.id, message: NO_EXCHANGE.into() }));
        }
        let proved = ProvedHere { rulebook, board: name_of(geometry) };
        let engine = loop {
            let trusted = |id: &str| proved.whole(id, geometry.size() as u32);
            match Engine::trusting(Arc::clone(geometry), &techniques, &sources, &trusted) {
                Ok(engine) => break engine,
                Err(errors) => {
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
        let (all, hold) = (engine.members(), |member: &MemberId| {
            proved.member(&techniques[member.technique], &member.args, member.variant)
        });
        let unproved: Vec<usize> = (0..all.len()).filter(|&at| !hold(&all[at])).collect();
        let ranking = Ranking::new(&profile, &techniques, all, &unproved);
        Solver { engine: Arc::new(engine), techniques, profile, ranking, limits, left_out, unproved }
    }

    /// The same rules in the order of another profile; nothing is compiled again.
    pub fn reordered(&self, profile: &Profile) -> Solver {
        let profile = profile.resolved(&self.techniques);
        let ranking = Ranking::new(&profile, &self.techniques, self.engine.members(), &self.unproved);
        let (engine, techniques, left_out) = (Arc::clone(&self.engine), self.techniques.clone(), self.left_out.clone());
        Solver { engine, techniques, profile, ranking, limits: self.limits, left_out, unproved: self.unproved.clone() }
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

    /// Members of the binary's own rules that are not proved on this board, by their places in [`Solver::members`].
    pub fn unproved(&self) -> &[usize] {
        &self.unproved
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
        self.next_counted(state, &Memory::default(), &mut Tally::default(), &mut Unwatched)
    }

    /// Steps until the grid is solved, contradicts itself, or no technique finds anything.
    pub fn solve(&self, start: State) -> Path {
        self.solve_watched(start, &mut Unwatched)
    }

    /// The same, telling of every search.
    pub fn solve_watched(&self, start: State, watch: &mut dyn Watch) -> Path {
        self.run(start, watch, false)
    }

    /// The same, but where no technique finds anything it guesses, and takes the guess back if it comes to a
    /// contradiction; see [`Trial`](super::Trial).
    pub fn solve_guessing(&self, start: State) -> Path {
        self.run(start, &mut Unwatched, true)
    }

    fn run(&self, start: State, watch: &mut dyn Watch, guessing: bool) -> Path {
        let geometry = self.geometry();
        let mut replay = Replay::new(start.clone());
        let (memory, mut tally) = (Memory::default(), Tally::default());
        let mut steps = Vec::new();
        let mut cuts = Vec::new();
        let outcome = loop {
            let step = match replay.state().contradiction(geometry) {
                Some(found) => match replay.take_back(found) {
                    Some(step) => step,
                    None => break Outcome::Broken(found),
                },
                None if replay.state().is_solved() => break Outcome::Solved,
                None => {
                    let next = self.next_counted(replay.state(), &memory, &mut tally, watch);
                    cuts.extend(next.cuts);
                    let guess = || replay.guess(geometry).filter(|_| guessing);
                    match next.step.map(|step| Step { guesses: replay.guesses(), ..step }).or_else(guess) {
                        Some(step) => step,
                        None => break Outcome::Stuck,
                    }
                }
            };
            replay.apply(geometry, &step);
            steps.push(step);
        };
        cuts.sort();
        cuts.dedup();
        let cost = tally.finish(&self.profile, &self.ranking);
        Path { start, steps, outcome, end: replay.into_state(), cuts, cost }
    }

    fn next_counted(&self, state: &State, memory: &Memory, tally: &mut Tally, watch: &mut dyn Watch) -> Next {
        let mut position = self.engine.on_path(state, memory);
        let mut find = |member: usize, search: Search| {
            watch.begin(member);
            let found = position.find(member, search, &self.limits);
            watch.end(member, found.matches.len());
            found
        };
        let mut whole = BTreeMap::new();
        let mut cuts = Vec::new();
        for (place, rank) in self.ranking.ranks.iter().enumerate() {
            for &member in &rank.members {
                let step = if rank.shared {
                    let found = whole.entry(member).or_insert_with(|| find(member, Search::All));
                    cuts.extend(self.cuts(member, &found.limits));
                    self.first_of(rank, found, state)
                } else {
                    let found = find(member, Search::First);
                    cuts.extend(self.cuts(member, &found.limits));
                    self.steps_of(&found, state).next()
                };
                if let Some(mut step) = step.filter(|step| changes(step, state)) {
                    step.cost = tally.count(&self.profile, place, rank, &step.name);
                    return Next { step: Some(step), cuts };
                }
            }
        }
        Next { step: None, cuts }
    }

    /// The first match that belongs to this rank rather than to another one of the same member.
    fn first_of(&self, rank: &Rank, found: &Found, state: &State) -> Option<Step> {
        self.steps_of(found, state).find(|step| {
            let technique = &self.techniques[step.member.technique];
            row_of(&self.profile, technique, &step.member, &step.name) == rank.row
        })
    }

    fn steps_of<'a>(&'a self, found: &'a Found, state: &'a State) -> impl Iterator<Item = Step> + 'a {
        found.matches.iter().map(move |found| step_of(found, &self.techniques, self.geometry(), state))
    }

    pub(super) fn cuts(&self, member: usize, limits: &[LimitHit]) -> Vec<Cut> {
        let member = self.member_label(&self.engine.members()[member]);
        limits.iter().map(|&limit| Cut { member: member.clone(), limit }).collect()
    }

    /// `id` or `id(4)`.
    pub fn member_label(&self, member: &MemberId) -> String {
        member_label(&self.techniques[member.technique].id, &member.args)
    }

    pub(super) fn position<'s>(&'s self, state: &'s State) -> Position<'s> {
        self.engine.on(state)
    }
}

/// What is known of the binary's own rules on a board; what a user adds is the user's business.
struct ProvedHere<'a> {
    rulebook: &'a Rulebook,
    /// The board, if it is one of ours.
    board: Option<&'a str>,
}

impl ProvedHere<'_> {
    /// Whether a member may be used without being asked for.
    fn member(&self, technique: &Technique, args: &[u32], variant: usize) -> bool {
        !self.rulebook.is_own(&technique.id) || Standing::embedded().holds((technique, args, variant), self.board)
    }

    /// Whether a technique, all of it, or a link source is known to be sound.
    fn whole(&self, id: &str, size: u32) -> bool {
        let technique = self.rulebook.techniques().iter().find(|technique| technique.id == id);
        self.rulebook.is_own(id)
            && technique.is_none_or(|one| {
                let cases = 0..one.variants.len();
                one.members(size).iter().all(|args| cases.clone().all(|variant| self.member(one, args, variant)))
            })
    }
}

/// Carries out what a step shows.
pub fn apply(step: &Step, geometry: &Geometry, state: &mut State) {
    for &candidate in &step.eliminations {
        state.eliminate(candidate);
    }
    for placement in &step.placements {
        state.place(geometry, placement.cell, placement.digit);
    }
}

/// Whether a step does anything: the loop must not stand still.
fn changes(step: &Step, state: &State) -> bool {
    step.eliminations.iter().any(|&candidate| state.has(candidate))
        || step.placements.iter().any(|placement| state.value(placement.cell).is_none())
}
