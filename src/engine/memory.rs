//! Memory along a path. In: results of searches in its states. Out: [`Memory`], for the next state.

use super::suppose::PositionCache;
use super::tables::templates::TemplateMemory;

/// Search results kept from earlier states of a path.
#[derive(Default)]
pub struct Memory {
    pub(super) two: Remembered<2>,
    pub(super) four: Remembered<4>,
    pub(super) ten: Remembered<10>,
}

/// The memory for boards of one width.
#[derive(Clone, Default)]
pub(super) struct Remembered<const W: usize> {
    pub known: TemplateMemory<W>,
    pub positions: PositionCache<W>,
}
