//! Tables of a board and of a state. In: a board, a state. Out: [`facts::Facts`]: what the state says, indexed, and the tables that are
//! filled when a search first asks for them.
//!
//! [`board`] is the board as bit sets, [`index`] a state as bit sets; all others are derived from these and thrown away
//! with the state.

pub(super) mod aim;
pub(super) mod board;
pub(super) mod closure;
mod doubly_linked;
pub(super) mod exclusions;
pub(super) mod facts;
pub(super) mod index;
mod linked_triples;
pub(super) mod listed;
pub(super) mod lists;
pub(super) mod locked;
pub(super) mod marks;
pub(super) mod rows;
pub(super) mod scope;
pub(super) mod sets;
pub(super) mod templates;
pub(super) mod weak;

pub(super) use board::{Boards, Tables};
