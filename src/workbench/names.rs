//! Names of techniques. In: a technique, or a name. Out: the names that steps of the technique can have, without names that depend on the
//! match; the technique with the name.

use crate::lang::ir::Technique;
use crate::solve::{Rulebook, fold_name, member_names, targets_named};
use std::collections::BTreeSet;

/// Names are listed for the members on boards of this size.
const SIZE: u32 = 9;

/// Returns every name of a technique, its members and its variants, without repetition.
pub fn names(technique: &Technique) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    // The names of a `join` are built from names of its steps.
    if technique.variants.iter().any(|variant| variant.join.is_some()) {
        return names;
    }
    for args in technique.members(SIZE) {
        for variant in 0..technique.variants.len() {
            for space in technique.spaces() {
                let member_names = member_names(technique, variant, &args, space);
                if member_names.can_be_title {
                    names.push(member_names.title);
                }
                names.extend(member_names.by_shape.into_iter().map(|shape| shape.name));
            }
        }
    }
    let mut listed = BTreeSet::new();
    names.retain(|name| listed.insert(name.clone()));
    names
}

/// Finds a technique by its id, by a name of its steps, or by a name in another program.
pub fn technique<'r>(rulebook: &'r Rulebook, typed: &str) -> Option<&'r Technique> {
    let typed_name = fold_name(typed);
    let mut techniques = rulebook.techniques().iter();
    if let Some(technique) = techniques.clone().find(|technique| fold_name(&technique.id) == typed_name) {
        return Some(technique);
    }
    let mut by_name = techniques.clone();
    if let Some(technique) = by_name.find(|technique| names(technique).iter().any(|name| fold_name(name) == typed_name))
    {
        return Some(technique);
    }
    let targets = targets_named(typed)?;
    techniques.find(|technique| targets.iter().any(|target| target.technique == technique.id))
}
