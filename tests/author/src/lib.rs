//! A solver with a rule of its own, from `rules/`, beside the built-in rules.

use pinion::{Error, Rules};

/// Returns the built-in rules and the rule of this crate.
///
/// # Errors
/// Returns an error if the rule cannot be read.
pub fn rules() -> Result<Rules, Error> {
    Rules::built_in().with("two_cells.pinion", include_str!("../rules/two_cells.pinion"))
}
