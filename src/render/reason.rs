//! Why a step holds, in a sentence. In: a step. Out: the author's words where the rule has them, else words
//! made from the form of the conclusion: none of them knows any technique.

use super::cases::{conclusion, falls, said};
use super::path::contradiction_words;
use super::words::{crossing, digits_and, list, place};
use crate::engine::{ChainNode, ChainStep, Value};
use crate::grid::{Candidate, Cell, DigitSet, Geometry, HouseKind, notation};
use crate::solve::{Deduction, Step, Trial};

/// The reason.
pub fn reason(geometry: &Geometry, step: &Step) -> String {
    if let Some(because) = &step.because {
        return sentence(because);
    }
    if let Some(trial) = step.trial {
        return trial_reason(geometry, step, trial);
    }
    if !step.cases.is_empty() {
        return cases_reason(geometry, step);
    }
    let told = chain_reason(geometry, step);
    let rest = step.claims.iter().filter(|claim| told.is_none() || !about_ends(claim, &step.chain));
    let mut gone: Vec<Candidate> = Vec::new();
    let mut others: Vec<String> = Vec::new();
    for claim in rest {
        match claim {
            Deduction::Eliminate(candidates) => gone.extend(candidates),
            claim => others.extend(claim_reason(geometry, claim, step)),
        }
    }
    let all = told.iter().cloned().chain(places(geometry, step)).chain(others).chain(no_room(geometry, gone, step));
    all.collect::<Vec<_>>().join(" ")
}

/// What the lines of a rule say is false, in one sentence.
fn no_room(geometry: &Geometry, mut said: Vec<Candidate>, step: &Step) -> Option<String> {
    said.sort_unstable();
    said.dedup();
    let shown = still_there(&said, &step.eliminations);
    (!shown.is_empty()).then(|| format!("The pattern leaves no room for {}.", nouns(geometry, &shown)))
}

/// Why a guess is made or taken back.
fn trial_reason(geometry: &Geometry, step: &Step, trial: Trial) -> String {
    match (trial, step.cites.cells.first()) {
        (Trial::Guess, Some((cell, digits))) => {
            let cell = notation::cell(geometry, *cell);
            format!("No technique finds anything. No cell has fewer candidates than {cell}: {}.", digits_and(*digits))
        }
        (Trial::Guess, None) => String::new(),
        (Trial::TakenBack(found), _) => {
            let gone: Vec<String> = step.eliminations.iter().map(|&one| said(geometry, (one, true))).collect();
            format!("With {}, {}.", list(&gone, "and"), contradiction_words(geometry, found))
        }
    }
}

/// What the cases come to, in a sentence.
fn cases_reason(geometry: &Geometry, step: &Step) -> String {
    let supposed: Vec<String> = step.cases.iter().map(|case| said(geometry, case.supposed)).collect();
    let end = conclusion(geometry, step);
    match step.cases.iter().all(falls) {
        true => format!("To suppose {} comes to a contradiction. {end}", list(&supposed, "or")),
        false if supposed.len() == 1 => format!("{} is supposed. {end}", supposed[0]),
        false => format!("The cases are {}. {end}", list(&supposed, "and")),
    }
}

/// Where each digit can stand in its house, if the step was found in a view of the grid.
fn places(geometry: &Geometry, step: &Step) -> Option<String> {
    let mut said = Vec::new();
    for binding in step.bindings.iter().filter(|binding| binding.free) {
        let Value::Places(places) = &binding.value else { continue };
        for &(house, digit) in places {
            let kind = if geometry.house(house).kind == HouseKind::Row { "column" } else { "row" };
            let lines = crossing(geometry, step, house, digit);
            let numbers: Vec<String> = lines.iter().map(|line| line[1..].to_string()).collect();
            said.push(format!("{digit} in {} stands in {kind} {}", geometry.house(house), list(&numbers, "or")));
        }
    }
    (!said.is_empty()).then(|| format!("{}.", list(&said, "and")))
}

fn claim_reason(geometry: &Geometry, claim: &Deduction, step: &Step) -> Option<String> {
    match claim {
        Deduction::Some(candidates) if candidates.len() == 1 => {
            Some(format!("{} must be true.", place(geometry, candidates[0])))
        }
        Deduction::Some(candidates) => {
            Some(format!("One of {} must be true; what all of them exclude is false.", nouns(geometry, candidates)))
        }
        Deduction::Eliminate(candidates) => no_room(geometry, candidates.clone(), step),
        Deduction::Place(candidates) => {
            let shown = still_there(candidates, &step.placements);
            let placed: Vec<String> = shown.iter().map(|&candidate| place(geometry, candidate)).collect();
            (!shown.is_empty()).then(|| format!("The pattern leaves only {}.", list(&placed, "and")))
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
    if !last.strong || !step.claims.iter().any(|claim| about_ends(claim, &step.chain)) {
        return None;
    }
    let said = |node: &ChainNode| match node.only() {
        Some(one) => format!("{} is {}", notation::cell(geometry, one.cell), one.digit),
        None => format!("{} is in {}", node.digit, notation::cells(geometry, &node.cells)),
    };
    let strong = |step: &&ChainStep| step.strong;
    let follows: Vec<String> = step.chain[1..].iter().filter(strong).map(|step| said(&step.node)).collect();
    let ends = if first.node.digit == last.node.digit {
        format!("one of the ends is {}, and what sees both ends is not", first.node.digit)
    } else {
        format!("{} or {}, and what excludes both is false", said(&first.node), said(&last.node))
    };
    let start = match first.node.only() {
        Some(one) => format!("{} is not {}", notation::cell(geometry, one.cell), one.digit),
        None => format!("{} is not in {}", first.node.digit, notation::cells(geometry, &first.node.cells)),
    };
    Some(format!("If {start}, then {}: so {ends}.", list(&follows, "and")))
}

/// Whether a conclusion is what the chain shows: one of its ends is true.
fn about_ends(claim: &Deduction, chain: &[ChainStep]) -> bool {
    let (Deduction::Some(candidates), [first, .., last]) = (claim, chain) else { return false };
    let mut ends: Vec<Candidate> = first.node.candidates().chain(last.node.candidates()).collect();
    ends.sort_unstable();
    ends.dedup();
    *candidates == ends
}

/// `the candidates 3 in r5c5, r5c9 and r4c4`, grouped by their digits.
fn nouns(geometry: &Geometry, candidates: &[Candidate]) -> String {
    let mut groups: Vec<(DigitSet, Vec<Cell>)> = Vec::new();
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
    let group =
        |(digits, cells): &(DigitSet, Vec<Cell>)| format!("{} in {}", digits_and(*digits), in_words(geometry, cells));
    let parts: Vec<String> = groups.iter().map(group).collect();
    let word = if candidates.len() == 1 { "the candidate" } else { "the candidates" };
    format!("{word} {}", list(&parts, "and"))
}

/// A few cells are named one by one, more of them in groups.
fn in_words(geometry: &Geometry, cells: &[Cell]) -> String {
    const FEW: usize = 5;
    if cells.len() > FEW {
        return notation::cells(geometry, cells);
    }
    let names: Vec<String> = cells.iter().map(|&cell| notation::cell(geometry, cell)).collect();
    list(&names, "and")
}

/// Ends a sentence, if its author has not.
fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || text.ends_with(['.', '!', '?']) { text.to_string() } else { format!("{text}.") }
}
