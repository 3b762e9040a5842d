//! Why a step holds, in a sentence. In: a step. Out: the author's words where the rule has them, else words
//! made from the form of the conclusion: none of them knows any technique.

use super::words::{digits_and, list, place};
use crate::engine::ChainStep;
use crate::grid::{Candidate, DigitSet, Geometry, notation};
use crate::solve::{Deduction, Step};

/// The reason.
pub fn reason(geometry: &Geometry, step: &Step) -> String {
    if let Some(because) = &step.because {
        return sentence(because);
    }
    if let Some(told) = chain_reason(geometry, step) {
        return told;
    }
    let sentences: Vec<String> = step.claims.iter().filter_map(|claim| claim_reason(geometry, claim, step)).collect();
    sentences.join(" ")
}

fn claim_reason(geometry: &Geometry, claim: &Deduction, step: &Step) -> Option<String> {
    match claim {
        Deduction::Some(candidates) if candidates.len() == 1 => {
            Some(format!("{} must be true.", place(geometry, candidates[0])))
        }
        Deduction::Some(candidates) => Some(format!(
            "One of {} must be true; what all of them exclude is false.",
            nouns(geometry, candidates)
        )),
        Deduction::Eliminate(candidates) => {
            let shown = still_there(candidates, &step.eliminations);
            (!shown.is_empty()).then(|| format!("The pattern needs its digits for itself, so {} is false.", nouns(geometry, &shown)).replace_plural(shown.len()))
        }
        Deduction::Place(candidates) => {
            let shown = still_there(candidates, &step.placements);
            (!shown.is_empty()).then(|| {
                let placed: Vec<String> = shown.iter().map(|&candidate| place(geometry, candidate)).collect();
                format!("Nothing else is left for {}.", list(&placed, "and"))
            })
        }
    }
}

/// Of what a rule says, what is new on the board.
fn still_there(said: &[Candidate], new: &[Candidate]) -> Vec<Candidate> {
    said.iter().copied().filter(|candidate| new.contains(candidate)).collect()
}

/// If the first node is false, every node behind a strong link is true, down to the last.
fn chain_reason(geometry: &Geometry, step: &Step) -> Option<String> {
    let (first, last) = (step.chain.first()?, step.chain.last()?);
    let ends = [first.node, last.node];
    let about_ends = step.claims.iter().any(|claim| match claim {
        Deduction::Some(candidates) => candidates.len() == 2 && ends.iter().all(|end| candidates.contains(end)),
        _ => false,
    });
    if !about_ends || !last.strong {
        return None;
    }
    let said = |node: Candidate| format!("{} is {}", notation::cell(geometry, node.cell), node.digit);
    let strong = |step: &&ChainStep| step.strong;
    let follows: Vec<String> = step.chain[1..].iter().filter(strong).map(|step| said(step.node)).collect();
    let ends = if first.node.digit == last.node.digit {
        format!("one of the ends is {}, and what sees both ends is not", first.node.digit)
    } else {
        format!("{} or {}, and what excludes both is false", said(first.node), said(last.node))
    };
    let start = format!("{} is not {}", notation::cell(geometry, first.node.cell), first.node.digit);
    let more = step.claims.len() > 1;
    let tail = if more { " The same holds for the other conclusions." } else { "" };
    Some(format!("If {start}, then {}: so {ends}.{tail}", list(&follows, "and")))
}

/// `the candidates 3 in r5c5, r5c9 and r4c4`, grouped by their digits.
fn nouns(geometry: &Geometry, candidates: &[Candidate]) -> String {
    let mut groups: Vec<(DigitSet, Vec<crate::grid::Cell>)> = Vec::new();
    let mut cells: Vec<_> = candidates.iter().map(|candidate| candidate.cell).collect();
    cells.sort_unstable();
    cells.dedup();
    for cell in cells {
        let digits: DigitSet =
            candidates.iter().filter(|candidate| candidate.cell == cell).map(|candidate| candidate.digit).collect();
        match groups.iter_mut().find(|(known, _)| *known == digits) {
            Some((_, members)) => members.push(cell),
            None => groups.push((digits, vec![cell])),
        }
    }
    let group = |(digits, cells): &(DigitSet, Vec<crate::grid::Cell>)| {
        format!("{} in {}", digits_and(*digits), notation::cells(geometry, cells))
    };
    let parts: Vec<String> = groups.iter().map(group).collect();
    let word = if candidates.len() == 1 { "the candidate" } else { "the candidates" };
    format!("{word} {}", list(&parts, "and"))
}

/// Ends a sentence and begins it with a capital, as far as the author has not; a cell stays small.
fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || text.ends_with(['.', '!', '?']) { text.to_string() } else { format!("{text}.") }
}

trait Plural {
    fn replace_plural(self, count: usize) -> String;
}

impl Plural for String {
    fn replace_plural(self, count: usize) -> String {
        if count == 1 { self } else { self.replace(" is false.", " are false.") }
    }
}
