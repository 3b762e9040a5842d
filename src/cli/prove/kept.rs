//! What earlier runs proved of added rules. In: a rulebook and a board. Out: the techniques of which every member is proved.

use super::cache::Cache;
use crate::grid::Geometry;
use crate::lang::ir::Technique;
use crate::solve::Rulebook;
use std::collections::BTreeSet;

/// The added techniques of a rulebook that earlier runs proved on a board, every member of each.
pub fn known(rulebook: &Rulebook, geometry: &Geometry) -> BTreeSet<String> {
    let cache = Cache::open(false);
    let proved = |technique: &Technique, (args, case): &(Vec<u32>, usize)| {
        let key = cache.key((technique, args, *case), rulebook.sources(), rulebook.techniques(), geometry);
        let record = key.and_then(|key| cache.find(&key).ok().flatten());
        record.is_some_and(|record| record.status == "proved")
    };
    let all = |one: &&Technique| one.cases(geometry.size() as u32).iter().all(|case| proved(one, case));
    let added = rulebook.techniques().iter().filter(|one| !rulebook.is_own(&one.id));
    added.filter(all).map(|one| one.id.clone()).collect()
}
