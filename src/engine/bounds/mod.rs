//! Bounds on names, read off the conditions of a rule.
//!
//! In: conditions, and the names that have values. Out: plain data in terms of the rule, without registers or states.
//!
//! - [`rule_facts`]: declarations and constants.
//! - [`count`]: least and largest number of members of a set, equal for equivalent conditions.
//! - [`narrow`]: the domains from which a name is chosen.

mod count;
mod narrow;
mod rule_facts;

pub(super) use count::{CountClaim, MOST};
pub(super) use narrow::{Narrowed, Narrowing, narrowing};
pub(super) use rule_facts::RuleFacts;
