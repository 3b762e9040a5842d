//! The solver's loop. In: a rulebook, a board, a profile, a state. Out: the next step; a [`Walk`], the matches and
//! guesses up to the solution; or a [`Path`], the steps made from a walk.
//!
//! Ranks are tried in the order of the profile, and after each step the search starts again with the first rank.

use super::build::{name_of, step_of};
use super::cheapest::EliminationTimes;
use super::path::{ChosenMatch, CostTally, Cut, Move, Outcome, Path, PathCursor, Walk};
use super::profile::Profile;
use super::proof_record::{AddedRuleSoundness, BoardSoundness, Soundness, built_in_name};
use super::ranking::{Rank, Ranking, row_of};
use super::rulebook::Rulebook;
use super::step::Step;
use crate::engine::{
    Engine, LimitHit, Limits, Match, MemberId, NoPlan, PathCache, PlanError, Position, RuleKnowledge, SearchMode,
    SearchOutcome,
};
use crate::grid::{Candidate, DigitSet, Geometry, State};
use crate::lang::ir::{Technique, member_label};
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
    /// Indexes of members that are not ranked because they are not sound enough.
    withheld: Vec<usize>,
    /// Indexes of built-in members that are proved to find nothing on this board.
    idle: Vec<usize>,
}

/// An observer of the searches of a solver, for measurements.
pub trait Watch {
    /// Is called before the search for a member, given by its index in [`Solver::members`].
    fn begin(&mut self, _member: usize) {}
    /// Is called after the search, with the number of matches.
    fn end(&mut self, _member: usize, _matches: usize) {}
}

pub struct Unwatched;

impl Watch for Unwatched {}

/// Searches on one position, each reported to an observer.
pub(super) struct WatchedSearches<'p, 'w> {
    position: Position<'p>,
    limits: Limits,
    watch: &'w mut dyn Watch,
}

impl WatchedSearches<'_, '_> {
    /// Searches for a member. `longest` limits the length of chains.
    pub fn find(&mut self, member: usize, search: SearchMode, longest: u32) -> SearchOutcome {
        self.watch.begin(member);
        let result = self.position.find(member, search, &Limits { max_length: longest, ..self.limits });
        self.watch.end(member, result.matches.len());
        result
    }
}

/// The action of a walk when no technique finds anything.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WhenStuck {
    Stop,
    Guess,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NextStep {
    /// The step; `None` if no technique finds anything.
    pub step: Option<Step>,
    /// Searches that a limit cut short before the step was found.
    pub cuts: Vec<Cut>,
}

impl Solver {
    /// Compiles a rulebook for a board.
    ///
    /// The solver does not contain techniques that cannot be compiled, see [`Solver::plan_errors`]. On boards where
    /// cells see each other without sharing a house, it does not contain techniques that assume one solution:
    /// exchanging digits within houses need not give a second solution there. Built-in members that are not proved on
    /// this board are searched only by name, see [`Solver::withheld`]. Built-in members that are proved to find nothing
    /// on this board are not searched. Added rules count as unproved: they are used, and their steps are marked.
    pub fn new(rulebook: &Rulebook, geometry: &Arc<Geometry>, profile: &Profile, limits: Limits) -> Solver {
        Solver::with_soundness(&AddedRuleSoundness::default(), rulebook, geometry, profile, limits)
    }

    /// Like [`Solver::new`], with the soundness of added rules on this board: refuted rules are withheld, and proved
    /// rules are searched faster.
    pub fn with_soundness(
        added: &AddedRuleSoundness,
        rulebook: &Rulebook,
        geometry: &Arc<Geometry>,
        profile: &Profile,
        limits: Limits,
    ) -> Solver {
        let mut techniques = Cow::Borrowed(rulebook.techniques());
        let mut sources = Cow::Borrowed(rulebook.sources());
        let mut plan_errors = Vec::new();
        if geometry.has_extra_pairs() {
            let refused = Technique::remove_uniqueness_techniques(techniques.to_mut()).into_iter();
            plan_errors.extend(
                refused.map(|technique| PlanError { technique: technique.id, reason: NoPlan::UniquenessNotSound }),
            );
        }
        let board_soundness = BoardSoundness { rulebook, added, board: built_in_name(geometry) };
        // Techniques that do not compile are removed until the remaining techniques compile.
        let mut is_complete = true;
        let engine = loop {
            let compiled = Engine::with_knowledge(Arc::clone(geometry), &techniques, &sources, &|id| {
                match board_soundness.trust(id, geometry.size() as u32) {
                    // The proof record was made with all rules. A plan may need a rule, named in `suppose` or `strong:`, that
                    // has been removed, so only the soundness is still certain.
                    RuleKnowledge::SoundAndPlannable | RuleKnowledge::SoundAndEmpty if !is_complete => {
                        RuleKnowledge::Sound
                    }
                    trust => trust,
                }
            });
            match compiled {
                Ok(engine) => break engine,
                Err(errors) => {
                    is_complete = false;
                    techniques.to_mut().retain(|technique| errors.iter().all(|error| error.technique != technique.id));
                    sources.to_mut().retain(|source| errors.iter().all(|error| error.technique != source.id));
                    plan_errors.extend(errors);
                }
            }
        };
        let techniques = Arc::clone(engine.techniques());
        let mut soundness = Vec::new();
        let mut withheld = Vec::new();
        let mut idle = Vec::new();
        for (index, MemberId { technique, args, variant, .. }) in engine.members().iter().enumerate() {
            let technique = &techniques[*technique];
            soundness.push(board_soundness.of_member(technique, args, *variant));
            if board_soundness.withholds(technique, soundness[index]) {
                withheld.push(index);
            }
            if board_soundness.is_idle(technique, args, *variant) {
                idle.push(index);
            }
        }
        let (engine, ranking) = (Arc::new(engine), Ranking::default());
        let unranked = Solver {
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
        unranked.reordered(profile)
    }

    /// Returns a solver with the order of another profile, without compiling the rules again.
    pub fn reordered(&self, profile: &Profile) -> Solver {
        let profile = profile.resolved(&self.techniques);
        let skipped = [&self.withheld[..], &self.idle].concat();
        let ranking = Ranking::new(&profile, &self.techniques, self.members(), &skipped);
        let limits = profile.limits(self.limits);
        Solver { profile, ranking, limits, ..self.clone() }
    }

    /// Returns the profile. Its rows name techniques by id, see [`Profile::resolved`].
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    pub fn geometry(&self) -> &Arc<Geometry> {
        self.engine.geometry()
    }

    /// Returns the techniques and link sources that do not compile for this board, with the reasons.
    pub fn plan_errors(&self) -> &[PlanError] {
        &self.plan_errors
    }

    /// Returns the members that are searched only by name, as indexes into [`Solver::members`]: built-in members that
    /// are not proved on this board, and added members that are refuted on it.
    pub fn withheld(&self) -> &[usize] {
        &self.withheld
    }

    /// Returns the soundness of a member on this board, given by its index in [`Solver::members`].
    pub fn soundness(&self, member: usize) -> Soundness {
        self.soundness[member]
    }

    /// Returns true if a technique in use assumes one solution.
    pub fn assumes_one_solution(&self) -> bool {
        let mut members = self.ranking.ranks.iter().flat_map(|rank| &rank.members);
        members.any(|&member| self.techniques[self.members()[member].technique].assumes_one_solution)
    }

    pub fn techniques(&self) -> &[Technique] {
        &self.techniques
    }

    /// Returns the members of all techniques, in the engine's order.
    pub fn members(&self) -> &[MemberId] {
        self.engine.members()
    }

    /// Returns the ranking: the members in the profile's order, and the profile's rows for which there is no rule.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// Finds the next step. The cost of the step is the cost of the first use of its technique.
    pub fn next(&self, state: &State) -> NextStep {
        let elimination_times = EliminationTimes::new(self.geometry(), state);
        let (chosen, cuts) = self.find_next((state, &elimination_times), &PathCache::default(), &mut Unwatched);
        let step = chosen.map(|chosen| {
            let step = self.step_of(&chosen.rule_match, state);
            Step { cost: CostTally::default().add_use(&self.ranking, &chosen, &step.name), ..step }
        });
        NextStep { step, cuts }
    }

    /// Solves a puzzle until it is solved, contradicts itself, or no technique finds anything.
    pub fn solve(&self, start: State) -> Path {
        self.walk(start, &mut Unwatched).path(self)
    }

    /// Like [`Solver::solve`], but guesses if no technique finds anything, and takes a guess back if it leads to a
    /// contradiction; see [`Trial`](super::Trial).
    pub fn solve_guessing(&self, start: State) -> Path {
        self.walk_with(start, &mut Unwatched, WhenStuck::Guess).path(self)
    }

    /// Finds the moves of a path, with an observer of every search.
    pub fn walk(&self, start: State, watch: &mut dyn Watch) -> Walk {
        self.walk_with(start, watch, WhenStuck::Stop)
    }

    fn walk_with(&self, start: State, watch: &mut dyn Watch, when_stuck: WhenStuck) -> Walk {
        let geometry = self.geometry();
        let mut cursor = PathCursor::new(start.clone());
        let path_cache = PathCache::default();
        let mut elimination_times = EliminationTimes::new(geometry, &start);
        let mut moves = Vec::new();
        let mut cuts = Vec::new();
        let outcome = loop {
            let next_move = if let Some(contradiction) = cursor.state().contradiction(geometry) {
                match cursor.step_that_retracts_guess(contradiction) {
                    Some(step) => Move::Trial(Box::new(step)),
                    None => break Outcome::Broken(contradiction),
                }
            } else if cursor.state().is_solved() {
                break Outcome::Solved;
            } else {
                let (chosen, new_cuts) = self.find_next((cursor.state(), &elimination_times), &path_cache, watch);
                cuts.extend(new_cuts);
                if let Some(chosen) = chosen {
                    Move::Match(chosen)
                } else if when_stuck == WhenStuck::Guess
                    && let Some(guess) = cursor.next_guess(geometry)
                {
                    Move::Trial(Box::new(guess))
                } else {
                    break Outcome::Stuck;
                }
            };
            next_move.carry_out(geometry, &mut cursor);
            match &next_move {
                Move::Match(chosen) => elimination_times.add(&chosen.rule_match),
                Move::Trial(_) => elimination_times = EliminationTimes::new(geometry, cursor.state()),
            }
            moves.push(next_move);
        };
        cuts.sort();
        cuts.dedup();
        Walk { start, moves, outcome, end: cursor.state, cuts }
    }

    /// Finds the next match: the first match of the first rank that has one, or the cheapest match of ranks that
    /// compete by price.
    fn find_next(
        &self,
        (state, elimination_times): (&State, &EliminationTimes<'_>),
        path_cache: &PathCache,
        watch: &mut dyn Watch,
    ) -> (Option<ChosenMatch>, Vec<Cut>) {
        let position = self.engine.position_on_path(state, path_cache);
        let mut searches = WatchedSearches { position, limits: self.limits, watch };
        let mut cache = BTreeMap::new();
        let mut cuts = Vec::new();
        let mut start = 0;
        while let Some(rank) = self.ranking.ranks.get(start) {
            let competing = self.ranking.competing_ranks(start);
            let end = competing.end;
            let chosen = if rank.compares_matches() {
                self.find_cheapest(competing, (state, &elimination_times.times), &mut cache, &mut cuts, &mut searches)
            } else {
                self.find_first(start, state, &mut cache, &mut cuts, &mut searches)
            };
            if chosen.is_some() {
                return (chosen, cuts);
            }
            // A rank that does not compare matches competes with no other rank, so none is left out.
            start = end;
        }
        (None, cuts)
    }

    /// Finds the first match of a rank. `cache` holds the results of complete searches, by member.
    fn find_first(
        &self,
        rank_index: usize,
        state: &State,
        cache: &mut BTreeMap<usize, SearchOutcome>,
        cuts: &mut Vec<Cut>,
        searches: &mut WatchedSearches<'_, '_>,
    ) -> Option<ChosenMatch> {
        let rank = &self.ranking.ranks[rank_index];
        for &member in &rank.members {
            let first = if rank.shares_members {
                let found = cache.entry(member).or_insert_with(|| searches.find(member, SearchMode::All, u32::MAX));
                self.add_cuts(cuts, member, &found.limits);
                found.matches.iter().find(|rule_match| self.belongs(rule_match, rank, state)).cloned()
            } else {
                let found = searches.find(member, SearchMode::First, u32::MAX);
                self.add_cuts(cuts, member, &found.limits);
                found.matches.into_iter().next()
            };
            let Some(first) = first else { continue };
            let rule_match = self.adapted_to_profile_row(rank, &first, state).into_owned();
            if has_effect(&rule_match, state) {
                let price = self.own_price(rank, &rule_match, state);
                return Some(ChosenMatch { rule_match, rank: rank_index, price });
            }
        }
        None
    }

    /// Adapts a match to its row. If the row has `eliminates`, placements are replaced by eliminations of the other
    /// candidates of the cell.
    pub(super) fn adapted_to_profile_row<'m>(
        &self,
        rank: &Rank,
        rule_match: &'m Match,
        state: &State,
    ) -> Cow<'m, Match> {
        if rule_match.placements.is_empty() || !rank.row.is_some_and(|row| self.profile.rows[row].eliminates) {
            return Cow::Borrowed(rule_match);
        }
        let mut rule_match = rule_match.clone();
        for Candidate { cell, digit } in std::mem::take(&mut rule_match.placements) {
            let other_digits = state.candidates(cell) - DigitSet::single(digit);
            rule_match.eliminations.extend(other_digits.iter().map(|digit| Candidate::new(digit, cell)));
        }
        rule_match.eliminations.sort_unstable();
        rule_match.eliminations.dedup();
        Cow::Owned(rule_match)
    }

    /// Returns the price of a match if the price of its rank is a formula.
    pub(super) fn own_price(&self, rank: &Rank, rule_match: &Match, state: &State) -> Option<u32> {
        rank.formula.as_ref()?.evaluate(rule_match, &self.techniques, (self.geometry(), state), &[])
    }

    /// Returns true if a match belongs to this rank, and not to another rank with the same member.
    pub(super) fn belongs(&self, rule_match: &Match, rank: &Rank, state: &State) -> bool {
        let name = name_of(rule_match, &self.techniques, self.geometry(), state);
        let technique = &self.techniques[rule_match.member.technique];
        row_of(&self.profile, technique, &rule_match.member, &name, rank.row) == rank.row
    }

    /// Turns a match into a step, with the soundness of its rule.
    pub(super) fn step_of(&self, rule_match: &Match, state: &State) -> Step {
        let step = step_of(rule_match, &self.techniques, self.geometry(), state);
        // Few members are unproved, so only these are compared with the step's member.
        let mut unproved = self.members().iter().zip(&self.soundness).filter(|(_, soundness)| !soundness.is_proved());
        let own = unproved.find(|(member, _)| **member == step.member);
        Step { soundness: own.map_or(Soundness::Proved, |(_, soundness)| *soundness), ..step }
    }

    pub(super) fn cut(&self, member: usize, limit: LimitHit) -> Cut {
        Cut { member: self.member_label(&self.members()[member]), limit }
    }

    /// Adds the limits that cut a search short. If time or memory ran out, only the first search that was cut short is
    /// reported.
    pub(super) fn add_cuts(&self, cuts: &mut Vec<Cut>, member: usize, limits: &[LimitHit]) {
        let has_ended = cuts.iter().any(Cut::ends_run);
        let new = limits.iter().map(|&limit| self.cut(member, limit));
        cuts.extend(new.filter(|cut| !has_ended || !cut.ends_run()));
    }

    /// Returns the label of a member: `id` or `id(4)`.
    pub fn member_label(&self, member: &MemberId) -> String {
        member_label(&self.techniques[member.technique].id, &member.args)
    }
}

/// Returns true if a match changes the state. The solver skips other matches, because it would find them again forever.
pub(super) fn has_effect(rule_match: &Match, state: &State) -> bool {
    rule_match.eliminations.iter().any(|&candidate| state.has(candidate))
        || rule_match.placements.iter().any(|placement| state.value(placement.cell).is_none())
}
