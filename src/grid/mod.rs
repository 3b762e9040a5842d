//! Boards, positions and puzzle texts. In: puzzle texts and board descriptions. Out: [`Geometry`] (a board), [`State`] (a position),
//! typed ids and sets. Imports nothing else of Pinion.
//!
//! Files in reading order: `ids` (cells, digits, houses, candidates, and sets of them), `geometry` (board descriptions and boards),
//! `state` (values and candidates of a position), `notation` (reads and writes `r1c25<>4`), `draw` (writes positions as text),
//! `canonical` (one form for equivalent puzzles), `formats` (reads and writes puzzle texts of all kinds).
//!
//! Data flow: text → `formats` → [`formats::Puzzle`] → [`State`] on a [`Geometry`]; back to text by `formats` and `draw`.

mod canonical;
pub mod draw;
pub mod formats;
mod geometry;
mod ids;
pub mod notation;
mod state;

pub use canonical::{NoCanonicalForm, canonical};
pub use geometry::{BoardError, BoardSpec, ExtraHouse, Geometry, House, HouseKind, Regions};
pub use ids::{Bits, Candidate, Cell, Digit, DigitSet, HouseId, HouseSet};
pub use state::{Contradiction, State};
