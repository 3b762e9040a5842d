//! Chains. In: the candidate graph of a state. Out: shortest chains between candidates.

mod links;
mod search;

pub(super) use links::Links;
pub(super) use search::{Admit, Hit, Search};
