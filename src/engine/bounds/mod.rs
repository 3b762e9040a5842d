//! Bounds: what a name must hold, may hold, and how many, whatever way an author says it. In: the conditions of a rule, and
//! which names have values. Out: how many members a set has ([`count`]), what narrows the choice of a name ([`narrow`]), and
//! what can be tested before all names have values ([`early`]). Plain data, in the terms of the rule: nothing here knows of
//! registers or of a state.

mod count;
mod narrow;
mod rule_facts;

pub(super) use count::{CountClaim, MOST};
pub(super) use narrow::{Narrowed, Narrowing, narrowing};
pub(super) use rule_facts::{Known, names_of};
