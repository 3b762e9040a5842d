//! A solver with rules of its own: the built-in rulebook and what lies in `rules/`.

use pinion::{Error, Rules};

/// The rules at hand.
///
/// # Errors
/// Where a rule cannot be read.
pub fn rules() -> Result<Rules, Error> {
    Rules::built_in().with("two_cells.pinion", include_str!("../rules/two_cells.pinion"))
}
