//! Searches rules in states. In: checked rules, a board, a state. Out: [`Match`]es.
//!
//! [`Engine::new`] compiles every member of every technique for one board; [`Engine::position`] derives the tables of a
//! state; [`Position::find`] searches one member in the state.
//!
//! In reading order:
//!
//! - `matches`: results as data, limits. `length`: length of the argument behind a match.
//! - `compile`: all members of a rulebook as programs; `error`: the reasons why a rule has no program. `bounds`: bounds
//!   on names, derived from the conditions. `plan`: the order in which names are chosen, and the program.
//! - `tables`: a board and a state as bit sets, with everything derived from them.
//! - `search`: one member in one state. `machine` runs its program, `chain` searches chains and loops, `suppose`
//!   explores assumptions, `reach` computes which candidates links can eliminate at all. `views`: the grid with digits
//!   and columns (or digits and rows) exchanged. `merge`: matches that become one step.
//!
//! ```text
//! Technique ──bounds, plan──▶ Program ─┐
//! State ──tables──▶ Facts ─────────────┴─▶ search ──machine──▶ reports ──merge──▶ Match
//! ```

mod bounds;
mod chain;
mod compile;
mod error;
mod length;
mod machine;
mod matches;
mod merge;
mod plan;
mod reach;
mod search;
mod suppose;
mod tables;
mod views;

pub use matches::{
    Case, CaseEnd, ChainNode, ChainStep, FamilyIndex, Halt, Inference, LimitHit, Limits, Match, MemberId, Part,
    SearchMode, SearchOutcome, SourceMatch, Value,
};
pub use tables::facts::ContradictedDigits;
pub use views::Lens;

use crate::grid::{Candidate, Geometry, State};
use crate::lang::ir::{LinkSource, Space, Technique};
use compile::Compiled;
pub use compile::RuleKnowledge;
pub use error::{NoPlan, PlanError};
use search::StateSearch;
use serde::Serialize;
use std::fmt::Display;
use std::sync::Arc;
use suppose::PositionCache;
use tables::templates::TemplateMemory;

/// A rulebook compiled for one board.
pub struct Engine {
    geometry: Arc<Geometry>,
    techniques: Arc<[Technique]>,
    compiled: Compiled,
    tables: AnyTables,
}

/// Tables of bit sets with as many machine words as the board needs. A 9×9 board needs two.
enum AnyTables {
    Two(tables::Boards<2>),
    Four(tables::Boards<4>),
    Ten(tables::Boards<10>),
}

impl Engine {
    /// Compiles every member of every technique. A technique has a member for each value of its parameters that fits
    /// the board, each variant, and the grid and each view. Members of one technique are ordered by arguments, then by
    /// variant, then by view, the grid first.
    ///
    /// # Errors
    /// One error for each technique or link source that cannot be compiled.
    pub fn new(
        geometry: Arc<Geometry>,
        techniques: &[Technique],
        sources: &[LinkSource],
    ) -> Result<Engine, Vec<PlanError>> {
        Engine::with_knowledge(geometry, techniques, sources, &|_| RuleKnowledge::Unproved)
    }

    /// Compiles a rulebook as [`Engine::new`] does. `knowledge` returns what is known about a technique or link source,
    /// given its id. A sound rule about a single digit is searched only if some candidate of the digit is in no
    /// template (placement of the digit in all houses), because a sound rule can eliminate only such candidates.
    ///
    /// # Errors
    /// One error for each technique or link source that cannot be compiled.
    pub fn with_knowledge(
        geometry: Arc<Geometry>,
        techniques: &[Technique],
        sources: &[LinkSource],
        knowledge: &dyn Fn(&str) -> RuleKnowledge,
    ) -> Result<Engine, Vec<PlanError>> {
        let techniques: Arc<[Technique]> = techniques.into();
        let compiled = Compiled::new(&geometry, &techniques, sources, knowledge)?;
        let has_views = compiled.members.iter().any(|member| member.space != Space::Rc);
        let tables = match geometry.cell_count() {
            0..=128 => AnyTables::Two(tables::Boards::new(&geometry, has_views)),
            129..=256 => AnyTables::Four(tables::Boards::new(&geometry, has_views)),
            _ => AnyTables::Ten(tables::Boards::new(&geometry, has_views)),
        };
        Ok(Engine { geometry, techniques, compiled, tables })
    }

    /// The techniques that were compiled.
    pub fn techniques(&self) -> &Arc<[Technique]> {
        &self.techniques
    }

    /// The board for which the engine was compiled.
    pub fn geometry(&self) -> &Arc<Geometry> {
        &self.geometry
    }

    /// Every compiled member.
    pub fn members(&self) -> &[MemberId] {
        &self.compiled.members
    }

    /// Prepares searches in a state.
    pub fn position<'e>(&'e self, state: &'e State) -> Position<'e> {
        self.start(state, None, None)
    }

    /// Prepares searches in a state of a path. Facts derived in earlier states are reused if they are still valid;
    /// searches find the same matches as with [`Engine::position`].
    pub fn position_on_path<'e>(&'e self, state: &'e State, path_cache: &'e PathCache) -> Position<'e> {
        self.start(state, Some(path_cache), None)
    }

    /// Prepares searches for deductions that contradict the digits of an aim. All searches with one path cache must
    /// have the same aim.
    ///
    /// Every search works like [`SearchMode::AllEffects`]. No rule counts as sound, because wrong deductions are
    /// wanted.
    pub fn position_against<'e>(
        &'e self,
        state: &'e State,
        aim: &'e ContradictedDigits,
        path_cache: &'e PathCache,
    ) -> Position<'e> {
        self.start(state, Some(path_cache), Some(aim))
    }

    fn start<'e>(
        &'e self,
        state: &'e State,
        path_cache: Option<&'e PathCache>,
        aim: Option<&'e ContradictedDigits>,
    ) -> Position<'e> {
        let compiled = &self.compiled;
        let two = path_cache.map(|cache| &cache.two);
        let four = path_cache.map(|cache| &cache.four);
        let ten = path_cache.map(|cache| &cache.ten);
        let search = match &self.tables {
            AnyTables::Two(tables) => AnySearch::Two(Box::new(StateSearch::new(compiled, tables, state, two, aim))),
            AnyTables::Four(tables) => AnySearch::Four(Box::new(StateSearch::new(compiled, tables, state, four, aim))),
            AnyTables::Ten(tables) => AnySearch::Ten(Box::new(StateSearch::new(compiled, tables, state, ten, aim))),
        };
        Position { search }
    }

    /// Returns the plan of a member. The text has one instruction a line, with the reasons for its order.
    pub fn plan(&self, member: usize) -> impl Display + Serialize + '_ {
        self.compiled.program(member)
    }

    /// Returns the plan of a link source, by its index among the compiled sources.
    pub fn source_plan(&self, source: usize) -> impl Display + Serialize + '_ {
        &self.compiled.sources[source].program().pairs.program
    }
}

/// A state with the facts derived from it, ready for searches.
pub struct Position<'e> {
    search: AnySearch<'e>,
}

enum AnySearch<'e> {
    Two(Box<StateSearch<'e, 2>>),
    Four(Box<StateSearch<'e, 4>>),
    Ten(Box<StateSearch<'e, 10>>),
}

impl Position<'_> {
    /// Returns the candidates that a member can eliminate at all, because links lead to them. `None` if the
    /// eliminations of the member do not follow from links.
    pub fn reach(&self, member: usize, limits: &Limits) -> Option<Vec<Candidate>> {
        match &self.search {
            AnySearch::Two(state) => state.reach(member, limits),
            AnySearch::Four(state) => state.reach(member, limits),
            AnySearch::Ten(state) => state.reach(member, limits),
        }
    }

    /// Searches one member, by its index in [`Engine::members`].
    pub fn find(&mut self, member: usize, search: SearchMode, limits: &Limits) -> SearchOutcome {
        match &mut self.search {
            AnySearch::Two(state) => state.find(member, search, limits),
            AnySearch::Four(state) => state.find(member, search, limits),
            AnySearch::Ten(state) => state.find(member, search, limits),
        }
    }
}

/// Facts kept from earlier states of a path.
#[derive(Default)]
pub struct PathCache {
    two: WidthCache<2>,
    four: WidthCache<4>,
    ten: WidthCache<10>,
}

/// The part of a path cache for boards whose cell sets have `W` machine words.
#[derive(Clone, Default)]
struct WidthCache<const W: usize> {
    templates: TemplateMemory<W>,
    positions: PositionCache<W>,
}
