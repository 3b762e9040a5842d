//! Cache keys for verdicts. In: a member (a technique with arguments, and one of its variants), its link sources, all techniques, a board, the version of the prover. Out: a
//! key. If anything that the proof depends on changes, the key changes, too. The command line stores verdicts under
//! these keys.

use super::implied::Member;
use crate::grid::Geometry;
use crate::lang::ir::{ItemName, LinkSource, Technique, Variant, dependencies, reachable};
use serde::Serialize;
use std::collections::BTreeMap;

/// Returns the key of a member's verdict, or `None` if the technique has no variant with the member's index.
pub fn cache_key(
    member: Member<'_>,
    sources: &[LinkSource],
    rules: &[Technique],
    geometry: &Geometry,
    version: &str,
) -> Option<String> {
    let Member { technique, args, variant } = member;
    let variant = technique.variants.get(variant)?;
    let sources: Vec<_> = sources
        .iter()
        .map(|source| (&source.id, [source.left, source.right], input_of_variant(&source.pattern)))
        .collect();
    // By id, the techniques that the variant uses under suppositions, directly or through other techniques.
    let used: BTreeMap<&str, _> =
        used_techniques(variant, rules).map(|rule| (rule.id.as_str(), input_of_rule(rule))).collect();
    let member = (args, !technique.views.is_empty(), technique.assumes_one_solution, input_of_variant(variant));
    // Postcard writes no names, so renaming a field or an enum case of the IR changes no key. Postcard numbers the cases
    // of an enum, so a new case changes no key if it is the last one.
    let bytes = postcard::to_allocvec(&(version, geometry.spec(), member, sources, used)).ok()?;
    Some(blake3::hash(&bytes).to_hex().to_string())
}

/// Returns the input of a proof. Titles, names of steps, comments and examples are left out, because no proof depends on
/// them.
fn input_of_variant(variant: &Variant) -> impl Serialize + '_ {
    let Variant { vars, body, conclusions, guardians, join, .. } = variant;
    (vars, body, conclusions, guardians, join)
}

fn input_of_rule(technique: &Technique) -> impl Serialize + '_ {
    let ranges: Vec<(u32, Option<u32>)> = technique.params.iter().map(|param| (param.low, param.high)).collect();
    let variants: Vec<_> = technique.variants.iter().map(input_of_variant).collect();
    (ranges, !technique.views.is_empty(), technique.assumes_one_solution, variants)
}

/// Returns the techniques that a variant uses, directly or through other techniques.
fn used_techniques<'t>(variant: &'t Variant, rules: &'t [Technique]) -> impl Iterator<Item = &'t Technique> {
    let names: Vec<ItemName<'t>> = variant.uses().map(|(id, _)| ItemName::Technique(id)).collect();
    let graph = if names.is_empty() { Default::default() } else { dependencies(rules.iter(), &[]) };
    let ids = reachable(&graph, names);
    rules.iter().filter(move |rule| ids.contains(&ItemName::Technique(&rule.id)))
}
