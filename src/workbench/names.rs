//! Names of techniques. In: a technique. Out: every name that its steps may have, as far as it is known without a step; the
//! technique that a name stands for.

use crate::lang::ir::{Space, Technique};
use crate::solve::{Rulebook, fold_name, member_names, targets_named};
use std::collections::BTreeSet;

/// The size of the board whose members are named.
const SIZE: u32 = 9;

/// Every name of a technique, its members and its cases on the common board, without repetition.
pub fn names(technique: &Technique) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    // A technique that joins steps builds its names from theirs.
    if technique.variants.iter().any(|variant| variant.join.is_some()) {
        return out;
    }
    for args in technique.members(SIZE) {
        for variant in 0..technique.variants.len() {
            for space in [Space::Rc].into_iter().chain(technique.views.iter().map(|view| view.space)) {
                let known = member_names(technique, variant, &args, space);
                let title = known.can_be_title.then_some(known.title);
                out.extend(title.into_iter().chain(known.by_shape.into_iter().map(|shape| shape.name)));
            }
        }
    }
    let mut seen = BTreeSet::new();
    out.retain(|name| seen.insert(name.clone()));
    out
}

/// Finds a technique by its id, by a name of its steps, or by a name that another program uses.
pub fn technique<'r>(rulebook: &'r Rulebook, typed: &str) -> Option<&'r Technique> {
    let wanted = fold_name(typed);
    let all = rulebook.techniques();
    let by_id = all.iter().find(|technique| fold_name(&technique.id) == wanted);
    let by_name =
        by_id.or_else(|| all.iter().find(|technique| names(technique).iter().any(|name| fold_name(name) == wanted)));
    by_name.or_else(|| {
        let targets = targets_named(typed)?;
        all.iter().find(|technique| targets.iter().any(|target| target.technique == technique.id))
    })
}
