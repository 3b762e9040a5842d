//! What is supposed, and by what means. In: nothing. Out: the data types [`Literal`] and [`By`].

use crate::grid::{Candidate, DigitSet};
use crate::lang::ir::WeakLinks;

/// A candidate, and whether it is true.
pub(in crate::engine) type Literal = (Candidate, bool);

/// What may be used under a supposition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::engine) enum By {
    /// Links of these digits from these sources, with a limit on how many strong ones a chain has.
    Links(Option<DigitSet>, Vec<usize>, WeakLinks, Option<u32>),
    /// Last candidates and last places.
    Singles(Option<DigitSet>),
    /// These members too.
    Rules(Vec<usize>),
}
