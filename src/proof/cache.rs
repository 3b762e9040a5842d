//! Cache keys for verdicts. In: a member, its link sources, all techniques, a board, the version of the prover. Out: a
//! key. If anything that the proof depends on changes, the key changes, too. The command line stores verdicts under
//! these keys.

use super::implied::Member;
use crate::grid::{BoardSpec, Geometry};
use crate::lang::ir::{
    Conclusion, ItemName, Join, LinkNode, LinkSource, Statement, Technique, Var, VarId, Variant, dependencies,
    reachable,
};
use serde::Serialize;
use std::collections::BTreeMap;

/// The input of a proof. Titles, names of steps, comments and examples are left out, because no proof depends on them.
#[derive(Serialize)]
struct ProofKey<'t> {
    version: &'t str,
    board: &'t BoardSpec,
    args: &'t [u32],
    has_views: bool,
    assumes_one_solution: bool,
    variant: VariantKey<'t>,
    sources: Vec<SourceKey<'t>>,
    /// By id, the techniques that the variant uses under assumptions, directly or through other techniques.
    used: BTreeMap<&'t str, RuleKey<'t>>,
}

#[derive(Serialize)]
struct VariantKey<'t> {
    vars: &'t [Var],
    body: &'t [Statement],
    conclusions: &'t [Conclusion],
    guardians: &'t [VarId],
    join: &'t Option<Join>,
}

#[derive(Serialize)]
struct SourceKey<'t> {
    id: &'t str,
    ends: [LinkNode; 2],
    pattern: VariantKey<'t>,
}

#[derive(Serialize)]
struct RuleKey<'t> {
    ranges: Vec<(u32, Option<u32>)>,
    has_views: bool,
    assumes_one_solution: bool,
    variants: Vec<VariantKey<'t>>,
}

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
    let key = ProofKey {
        version,
        board: geometry.spec(),
        args,
        has_views: !technique.views.is_empty(),
        assumes_one_solution: technique.assumes_one_solution,
        variant: variant_key(variant),
        sources: sources.iter().map(source_key).collect(),
        used: used_techniques(variant, rules).map(|rule| (rule.id.as_str(), rule_key(rule))).collect(),
    };
    // Postcard writes no names, so renaming a field or variant of the IR changes no key. Postcard numbers the variants,
    // so a new variant changes no key if it is the last of its enum.
    let bytes = postcard::to_allocvec(&key).ok()?;
    Some(blake3::hash(&bytes).to_hex().to_string())
}

fn variant_key(variant: &Variant) -> VariantKey<'_> {
    let Variant { vars, body, conclusions, guardians, join, .. } = variant;
    VariantKey { vars, body, conclusions, guardians, join }
}

fn source_key(source: &LinkSource) -> SourceKey<'_> {
    SourceKey { id: &source.id, ends: [source.left, source.right], pattern: variant_key(&source.pattern) }
}

fn rule_key(technique: &Technique) -> RuleKey<'_> {
    RuleKey {
        ranges: technique.params.iter().map(|param| (param.low, param.high)).collect(),
        has_views: !technique.views.is_empty(),
        assumes_one_solution: technique.assumes_one_solution,
        variants: technique.variants.iter().map(variant_key).collect(),
    }
}

/// Returns the techniques that a variant uses, directly or through other techniques.
fn used_techniques<'t>(variant: &'t Variant, rules: &'t [Technique]) -> impl Iterator<Item = &'t Technique> {
    let names: Vec<ItemName<'t>> = variant.uses().map(|(id, _)| ItemName::Technique(id)).collect();
    let graph = if names.is_empty() { Default::default() } else { dependencies(rules.iter(), &[]) };
    let ids = reachable(&graph, names);
    rules.iter().filter(move |rule| ids.contains(&ItemName::Technique(&rule.id)))
}
