//! What a match says by its rule. In: a match in view. Out: [`Deduction`]s, one for each set of candidates that a conclusion
//! speaks of.

use super::step::Deduction;
use super::view::View;
use crate::grid::Candidate;
use crate::lang::ir::{Claim, Conclusion};

/// What all conclusions say, in their order.
pub(super) fn claims_of<'v>(view: &'v View) -> impl Iterator<Item = Deduction> + 'v {
    view.variant.conclusions.iter().flat_map(|conclusion| deductions_of(view, conclusion))
}

/// What one conclusion says.
pub(super) fn deductions_of(view: &View, conclusion: &Conclusion) -> Vec<Deduction> {
    let sets = view.candidates(&conclusion.claim.noun(), conclusion.per.as_ref());
    let wrap = match conclusion.claim {
        Claim::Some(_) => Deduction::Some,
        Claim::Eliminate(_) => Deduction::Eliminate,
        Claim::Place(_) => Deduction::Place,
        Claim::Links { .. } => return links_of(view),
    };
    let in_grid = |set: Vec<Candidate>| {
        let mut set: Vec<Candidate> = set.into_iter().map(|one| view.lens.candidate(one)).collect();
        set.sort_unstable();
        set
    };
    sets.into_iter().filter(|set| !set.is_empty()).map(in_grid).map(wrap).collect()
}

/// What a loop shows of its weak links: one end of each is true.
fn links_of(view: &View) -> Vec<Deduction> {
    let chain = &view.found.chain;
    let before = chain.last().into_iter().chain(chain);
    let weak = before.zip(chain).filter(|(_, to)| !to.strong);
    let ends = weak.map(|(from, to)| {
        let mut ends: Vec<Candidate> = from.node.candidates().chain(to.node.candidates()).collect();
        ends.sort_unstable();
        Deduction::Some(ends)
    });
    ends.collect()
}
