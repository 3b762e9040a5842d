//! Patterns in the graph of nodes and links. In: a state's facts and what link sources find. Out: shortest chains, loops,
//! clusters in two colours, odd rings.

mod clusters;
mod first_found;
mod graph;
mod links;
mod loops;
mod odd;
mod preferred;
mod promising;
mod rings;
mod search;
mod target_rows;

pub(super) use clusters::{Coloured, clusters};
pub(super) use graph::{Graph, Place};
pub(super) use links::{Group, Links, Pair};
pub(super) use loops::{LoopHit, gone, loops};
pub(super) use rings::{RingHit, rings};
pub(super) use search::{Admit, Hit, Search};
pub(super) use target_rows::TargetRows;
