//! Whether a changed rule would be right. In: near misses. Out: the same with the prover's word on each change.

use super::asked::Asked;
use super::near::NearMisses;
use crate::proof::{ProofLimits, Prover, Status};
use std::collections::BTreeMap;

/// Asks the prover, with little time, whether the changed rules would be sound: of each change once, for the first few.
pub fn judge(asked: &Asked<'_>, found: &mut NearMisses, most: usize) {
    let limits = ProofLimits { anywhere: 20_000, board: 20_000, shrink: 0, ..ProofLimits::default() };
    let (geometry, sources) = (asked.geometry.as_ref(), asked.rulebook.sources());
    let prover = Prover::new(geometry, sources).with_rules(asked.rulebook.techniques()).with_limits(limits);
    let mut known: BTreeMap<(String, Option<usize>), String> = BTreeMap::new();
    for miss in &mut found.misses {
        let Some(changed) = &miss.changed else { continue };
        let change = (miss.change.clone(), miss.line);
        if !known.contains_key(&change) && (known.len() >= most || (asked.enough)()) {
            continue;
        }
        let args: Vec<u32> = changed.params.iter().map(|param| param.low).collect();
        let verdict = known.entry(change).or_insert_with(|| match prover.prove(changed, &args, 0).status {
            Status::Proved { every_board: true, .. } | Status::Supposed { every_board: true, sound: true } => {
                "that rule would be right, on every board".into()
            }
            status if status.is_proved() => format!("that rule would be right on {}", geometry.spec().name),
            Status::Refuted(_) => "that rule would be wrong: there are grids on which it fails".into(),
            _ => "whether that rule would be right was not settled in a short time".into(),
        });
        miss.verdict = Some(verdict.clone());
    }
}
