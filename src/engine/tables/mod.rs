//! Tables of a board and of a state as bit sets. In: a board, a state. Out: [`facts::Facts`]: the index of the state, and the
//! tables that are filled when a search first asks for them.
//!
//! In reading order:
//!
//! - `board`: the board as bit sets, and relations that depend only on the board.
//! - `index`: a state as bit sets; sets of candidates. All other tables are derived from `board` and `index`, and dropped
//!   with the state.
//! - `facts`: everything derived from a state, and the eliminations and placements to which a search is limited.
//! - `templates`: complete placements of a digit. `exclusions`: combinations of digits for a few cells.
//! - `als`: almost locked sets and groups. `als_links`: sequences of two or three linked sets.
//! - `bit_rows`, `csr`: rows of bits and lists of numbers for graphs. `closure`: the transitive closure of links.
//!
//! ```text
//! Geometry ──▶ BoardMasks ─┐
//! State ──────────────▶ Index ──▶ Facts ──▶ Templates, Exclusions, AlsTable, Wanted
//! ```

pub(super) mod als;
mod als_links;
pub(super) mod bit_rows;
pub(super) mod board;
pub(super) mod closure;
pub(super) mod csr;
pub(super) mod exclusions;
pub(super) mod facts;
pub(super) mod index;
pub(super) mod templates;

pub(super) use board::{BoardMasks, Boards};
