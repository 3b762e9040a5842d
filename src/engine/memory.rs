//! What is remembered along a path. In: what searches found on its states. Out: [`Memory`], for the next state.

use super::suppose::PositionCache;
use super::tables::templates::Known;

/// What was found on the states of a path so far, for the next one.
#[derive(Default)]
pub struct Memory {
    pub(super) two: Remembered<2>,
    pub(super) four: Remembered<4>,
    pub(super) ten: Remembered<10>,
}

/// The memory for boards of one width.
#[derive(Clone, Default)]
pub(super) struct Remembered<const W: usize> {
    pub known: Known<W>,
    pub positions: PositionCache<W>,
}
