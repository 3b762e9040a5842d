//! The board and what stands on it. In: puzzle text and board descriptions. Out: [`Geometry`], [`State`],
//! typed ids and sets. Imports nothing else of Pinion.

mod board;
mod canonical;
pub mod draw;
pub mod formats;
mod geometry;
mod ids;
pub mod notation;
mod sets;
mod state;

pub use board::{BoardSpec, ExtraHouse, Regions};
pub use canonical::{NoCanonicalForm, canonical};
pub use geometry::{BoardError, Geometry, House, HouseKind};
pub use ids::{Candidate, Cell, Digit, HouseId};
pub use sets::{Bits, DigitSet, HouseSet};
pub use state::{Contradiction, State};
