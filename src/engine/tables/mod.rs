//! Tables of a board and of a state. In: a board, a state. Out: [`facts::Facts`]: what the state says, indexed, and the tables that are
//! filled when a search first asks for them.
//!
//! [`board`] is the board as bit sets, [`index`] a state as bit sets; all others are derived from these and thrown away
//! with the state.

pub(super) mod als;
mod als_links;
pub(super) mod bit_rows;
pub(super) mod board;
pub(super) mod board_tables;
pub(super) mod candidate_set;
pub(super) mod closure;
pub(super) mod csr;
pub(super) mod exclusions;
pub(super) mod facts;
pub(super) mod index;
pub(super) mod templates;
pub(super) mod wanted;
pub(super) mod weak;

pub(super) use board::{Boards, Tables};
