//! Cache keys for verdicts. In: a member, its link sources, the known techniques, a board, the version of the prover. Out: a
//! key that changes with everything the proof depends on. The command line stores results under these keys.

use crate::grid::{BoardSpec, Geometry};
use crate::lang::ir::{
    Conclusion, Declared, Join, LinkSource, Statement, Technique, Var, VarId, Variant, dependencies, reachable,
};
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
    /// Techniques used under assumptions, directly or through others.
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

/// The key of one member's verdict; `None` if the technique has no such case.
pub fn cache_key(
    (technique, args, variant): (&Technique, &[u32], usize),
    sources: &[LinkSource],
    rules: &[Technique],
    geometry: &Geometry,
    version: &str,
) -> Option<String> {
    let variant = technique.variants.get(variant)?;
    let used = used(variant, rules).map(|rule| (rule.id.as_str(), part(rule))).collect();
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
    // A trait object, so that serialization is compiled once for all RON written by the program.
    let text = ron::to_string(&proved as &dyn erased_serde::Serialize).ok()?;
    Some(blake3::hash(text.as_bytes()).to_hex().to_string())
}

fn case(variant: &Variant) -> Case<'_> {
    let Variant { vars, body, conclusions, guardians, join, .. } = variant;
    Case { vars, body, conclusions, guardians, join }
}

fn part(technique: &Technique) -> Used<'_> {
    Used {
        ranges: technique.params.iter().map(|param| (param.low, param.high)).collect(),
        has_views: !technique.views.is_empty(),
        assumes_one_solution: technique.assumes_one_solution,
        cases: technique.variants.iter().map(case).collect(),
    }
}

/// Techniques that a case names, and those they name.
fn used<'t>(variant: &'t Variant, rules: &'t [Technique]) -> impl Iterator<Item = &'t Technique> {
    let mut names = variant.uses().map(|(id, _)| Declared::Technique(id)).peekable();
    let graph = names.peek().map(|_| dependencies(rules.iter(), &[])).unwrap_or_default();
    let ids = reachable(&graph, names);
    rules.iter().filter(move |rule| ids.contains(&Declared::Technique(&rule.id)))
}
