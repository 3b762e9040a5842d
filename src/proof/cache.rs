//! Names for results that may be kept. In: a member, its link sources, the techniques at hand, a board, the version of
//! the prover. Out: a key that is another one as soon as any of these changes, as far as it has a part in the proof; the
//! command line stores results under it.

use crate::grid::{BoardSpec, Geometry};
use crate::lang::ir::{Conclusion, InferenceMethods, Join, LinkSource, Statement, Technique, Var, VarId, Variant};
use serde::Serialize;
use std::collections::BTreeMap;

/// The parts of a technique that a proof depends on: no titles, names of steps, comments or examples.
#[derive(Serialize)]
struct Proved<'t> {
    version: &'t str,
    board: &'t BoardSpec,
    args: &'t [u32],
    has_views: bool,
    assumes_one_solution: bool,
    case: Case<'t>,
    sources: Vec<Link<'t>>,
    /// What it uses under suppositions, and what that uses.
    used: BTreeMap<&'t str, Used<'t>>,
}

#[derive(Serialize)]
struct Case<'t> {
    vars: &'t [Var],
    body: &'t [Statement],
    conclusions: &'t [Conclusion],
    guardians: &'t [VarId],
    join: &'t Option<Join>,
}

#[derive(Serialize)]
struct Link<'t> {
    id: &'t str,
    ends: [crate::lang::ir::TrailNode; 2],
    pattern: Case<'t>,
}

#[derive(Serialize)]
struct Used<'t> {
    ranges: Vec<(u32, Option<u32>)>,
    has_views: bool,
    assumes_one_solution: bool,
    cases: Vec<Case<'t>>,
}

/// The key of one member's verdict. `None` where there is no such case.
pub fn cache_key(
    (technique, args, variant): (&Technique, &[u32], usize),
    sources: &[LinkSource],
    rules: &[Technique],
    geometry: &Geometry,
    version: &str,
) -> Option<String> {
    let variant = technique.variants.get(variant)?;
    let mut used = BTreeMap::new();
    add_used(variant, rules, &mut used);
    let link = |source: &'_ LinkSource| [source.left, source.right];
    let proved = Proved {
        version,
        board: geometry.spec(),
        args,
        has_views: !technique.views.is_empty(),
        assumes_one_solution: technique.assumes_one_solution,
        case: case(variant),
        sources: sources
            .iter()
            .map(|source| Link { id: &source.id, ends: link(source), pattern: case(&source.pattern) })
            .collect(),
        used,
    };
    // As a trait object, so that the form is compiled once for all that the program writes in it.
    let text = ron::to_string(&proved as &dyn erased_serde::Serialize).ok()?;
    Some(blake3::hash(text.as_bytes()).to_hex().to_string())
}

fn case(variant: &Variant) -> Case<'_> {
    let Variant { vars, body, conclusions, guardians, join, .. } = variant;
    Case { vars, body, conclusions, guardians, join }
}

/// Adds the techniques that a variant names, and those that they name.
fn add_used<'t>(variant: &'t Variant, rules: &'t [Technique], used: &mut BTreeMap<&'t str, Used<'t>>) {
    let mut names: Vec<&str> = variant.join.iter().map(|join| join.technique.as_str()).collect();
    for statement in &variant.body {
        if let Statement::Suppose(suppose) = statement
            && let InferenceMethods::Rules(rules) = &suppose.by
        {
            names.extend(rules.iter().map(|rule| rule.technique.as_str()));
        }
    }
    for name in names {
        let Some(technique) = rules.iter().find(|rule| rule.id == name) else { continue };
        if used.contains_key(technique.id.as_str()) {
            continue;
        }
        used.insert(
            &technique.id,
            Used {
                ranges: technique.params.iter().map(|param| (param.low, param.high)).collect(),
                has_views: !technique.views.is_empty(),
                assumes_one_solution: technique.assumes_one_solution,
                cases: technique.variants.iter().map(case).collect(),
            },
        );
        technique.variants.iter().for_each(|variant| add_used(variant, rules, used));
    }
}
