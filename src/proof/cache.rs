//! Names for results that may be kept. In: a member, its link sources, a board, the version of the prover. Out: a
//! key that is another one as soon as any of these changes; the command line stores results under it.

use crate::grid::Geometry;
use crate::lang::ir::{LinkSource, Technique};
use serde::Serialize;

/// The parts of a technique that a proof depends on: no titles, names of steps, comments or examples.
#[derive(Serialize)]
struct Proved<'t> {
    version: &'t str,
    board: &'t crate::grid::BoardSpec,
    args: &'t [u32],
    assumes_one_solution: bool,
    vars: &'t [crate::lang::ir::Var],
    body: &'t [crate::lang::ir::Statement],
    conclusions: &'t [crate::lang::ir::Conclusion],
    guardians: &'t [crate::lang::ir::VarId],
    has_views: bool,
    sources: &'t [LinkSource],
}

/// The key of one member's verdict. `None` where there is no such case, or where it joins steps of another technique,
/// whose verdict it then has.
pub fn cache_key(
    technique: &Technique,
    args: &[u32],
    variant: usize,
    sources: &[LinkSource],
    geometry: &Geometry,
    version: &str,
) -> Option<String> {
    let variant = technique.variants.get(variant)?;
    if variant.join.is_some() {
        return None;
    }
    let proved = Proved {
        version,
        board: geometry.spec(),
        args,
        assumes_one_solution: technique.assumes_one_solution,
        vars: &variant.vars,
        body: &variant.body,
        conclusions: &variant.conclusions,
        guardians: &variant.guardians,
        has_views: !technique.views.is_empty(),
        sources,
    };
    let text = ron::to_string(&proved).ok()?;
    Some(blake3::hash(text.as_bytes()).to_hex().to_string())
}
