//! Why a step holds, in a sentence. In: a step. Out: the author's words where the rule has them, else words
//! made from the form of the conclusion: none of them knows any technique.

use super::cases::{conclusion, falls, said};
use super::words::{contradiction_words, crossing, digits_and, list, place};
use crate::engine::{ChainNode, ChainStep, Value};
use crate::grid::{Candidate, Cell, DigitSet, Geometry, HouseKind, notation};
use crate::solve::{Deduction, LinkTold, Step, Trial, links_told};

/// The reason.
pub fn reason(geometry: &Geometry, step: &Step) -> String {
    if let Some(because) = &step.because {
        return [sentence(because)].into_iter().chain(guarded(geometry, step)).collect::<Vec<_>>().join(" ");
    }
    if let Some(trial) = step.trial {
        return trial_reason(geometry, step, trial);
    }
    if !step.joined.is_empty() {
        return step.joined.iter().map(|part| reason(geometry, part)).collect::<Vec<_>>().join(" ");
    }
    if !step.cases.is_empty() {
        return cases_reason(geometry, step);
    }
    if let Some(told) = round(geometry, step) {
        return told;
    }
    let told = chain_reason(geometry, step);
    let rest = step.claims.iter().filter(|claim| told.is_none() || !about_ends(claim, &step.chain));
    // Of several things that are so, those that change nothing are not told.
    let several = step.claims.len() > 1;
    let rest = rest.filter(|claim| !several || matters(geometry, claim, step));
    let mut gone: Vec<Candidate> = Vec::new();
    let mut others: Vec<String> = Vec::new();
    for claim in rest {
        match claim {
            Deduction::Eliminate(candidates) => gone.extend(candidates),
            claim => others.extend(claim_reason(geometry, claim, step)),
        }
    }
    let parts = told.iter().cloned().chain(places(geometry, step)).chain(others);
    let parts = parts.chain(no_room(geometry, gone, step)).chain(guarded(geometry, step));
    parts.collect::<Vec<_>>().join(" ")
}

/// What the lines of a rule say is false, in one sentence.
fn no_room(geometry: &Geometry, mut said: Vec<Candidate>, step: &Step) -> Option<String> {
    said.sort_unstable();
    said.dedup();
    let shown = still_there(&said, &step.eliminations);
    (!shown.is_empty()).then(|| {
        let (pattern, several) = pattern_words(geometry, step);
        format!("{pattern} {} {}.", if several { "exclude" } else { "excludes" }, nouns(geometry, &shown))
    })
}

/// What a step rests on, at the beginning of a sentence, and whether that is several things: the cells of the pattern, or
/// where its houses have its digits, or candidates.
fn pattern_words(geometry: &Geometry, step: &Step) -> (String, bool) {
    let (mut cells, mut houses, mut digits) = (Vec::new(), Vec::new(), DigitSet::EMPTY);
    let mut candidates: Vec<Candidate> = Vec::new();
    for binding in step.bindings.iter().filter(|binding| binding.free) {
        match &binding.value {
            Value::Cells(list) => cells.extend(list),
            Value::Family(members) => cells.extend(members.iter().flat_map(|(_, list)| list)),
            Value::Houses(list) => houses.extend(list),
            Value::Digits(list) => digits = digits | *list,
            Value::Candidates(list) => candidates.extend(list),
            // They are told in the sentence before.
            Value::Places(_) => return ("These places".into(), true),
            Value::Number(_) => {}
        }
    }
    cells.sort_unstable();
    cells.dedup();
    candidates.retain(|one| !step.eliminations.contains(one) && !step.placements.contains(one));
    match (cells.as_slice(), digits.is_empty()) {
        (&[cell], _) => (format!("The candidates of {}", notation::cell(geometry, cell)), true),
        ([_, ..], _) => (format!("The candidates of {} together", in_words(geometry, &cells)), true),
        _ if !candidates.is_empty() => (upper(&nouns(geometry, &candidates)), candidates.len() > 1),
        _ if houses.is_empty() => ("The position".into(), false),
        (_, true) => (upper(&notation::houses_in_words(geometry, &houses)), houses.len() > 1),
        (_, false) => {
            let houses = notation::houses_in_words(geometry, &houses);
            (format!("The places of {} in {houses}", digits_and(digits)), true)
        }
    }
}

/// What if the pattern fails because of candidates that were put aside.
fn guarded(geometry: &Geometry, step: &Step) -> Option<String> {
    let aside = step.bindings.iter().filter(|binding| binding.guards).find_map(|binding| match &binding.value {
        Value::Candidates(list) if !list.is_empty() => Some(list),
        _ => None,
    });
    let list = aside?;
    let these = notation::candidates(geometry, list);
    match list.len() {
        1 => Some(format!("Otherwise {these} is true, and excludes the same.")),
        _ => Some(format!("Otherwise one of {these} is true, and each of them excludes the same.")),
    }
}

/// Whether a claim shows something: of a disjunction, what all of its candidates exclude.
fn matters(geometry: &Geometry, claim: &Deduction, step: &Step) -> bool {
    match claim {
        Deduction::Some(list) if list.len() > 1 => !shown_by(geometry, list, step).is_empty(),
        _ => true,
    }
}

/// The eliminations of a step that each of these candidates excludes.
fn shown_by(geometry: &Geometry, list: &[Candidate], step: &Step) -> Vec<Candidate> {
    step.eliminations.iter().copied().filter(|gone| list.iter().all(|one| geometry.excludes(*one, *gone))).collect()
}

/// What a loop shows, link by link.
fn round(geometry: &Geometry, step: &Step) -> Option<String> {
    if !step.chain.first().is_some_and(|first| first.strong) {
        return None;
    }
    let mut left = step.eliminations.clone();
    let mut parts = Vec::new();
    for told in links_told(&step.chain, &step.cites) {
        let (mut shown, words) = link_shows(geometry, step, &told);
        shown.retain(|one| left.contains(one));
        left.retain(|one| !shown.contains(one));
        if !shown.is_empty() {
            parts.push(format!("{words}, so {}", notation::deductions(geometry, &shown, &[])));
        }
    }
    if !left.is_empty() {
        parts.push(format!("all of it together excludes {}", nouns(geometry, &left)));
    }
    Some(format!("Exactly one end of each link of the loop is true: {}.", parts.join("; ")))
}

/// What a link of a loop shows, and what of it is so: a weak one that one of its ends is true, a strong one through a set
/// of cells that the set lacks one of two digits and has all others.
fn link_shows(geometry: &Geometry, step: &Step, told: &LinkTold<'_>) -> (Vec<Candidate>, String) {
    let (from, to) = (&told.link.from, &told.link.to);
    if !told.link.strong {
        let ends: Vec<Candidate> = from.candidates().chain(to.candidates()).collect();
        let written = |node: &ChainNode| format!("({}){}", node.digit, notation::cells(geometry, &node.cells));
        return (shown_by(geometry, &ends, step), format!("{} or {}", written(from), written(to)));
    }
    let set = told.via.map(|via| via.cells.as_slice()).filter(|cells| cells.len() > 1 && from.digit != to.digit);
    let shown = set.map_or_else(Vec::new, |set| kept(geometry, step, told, set));
    let digits: DigitSet = shown.iter().map(|one| one.digit).collect();
    let cells = notation::cells(geometry, set.unwrap_or_default());
    (shown, format!("{cells} lacks {} or {} alone and has {}", from.digit, to.digit, digits_and(digits)))
}

/// What a set on a strong link of a loop shows: it lacks one of the two digits, so it has all others.
fn kept(geometry: &Geometry, step: &Step, told: &LinkTold<'_>, set: &[Cell]) -> Vec<Candidate> {
    let ends = DigitSet::single(told.link.from.digit) | DigitSet::single(told.link.to.digit);
    let keeps = |gone: &Candidate| {
        let mut places = set.iter().filter(|cell| step.digits_of(**cell).has(gone.digit)).peekable();
        !ends.has(gone.digit) && places.peek().is_some() && places.all(|&cell| geometry.sees(cell, gone.cell))
    };
    step.eliminations.iter().copied().filter(keeps).collect()
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

/// How the cases end, in a sentence.
fn cases_reason(geometry: &Geometry, step: &Step) -> String {
    let supposed: Vec<String> = step.cases.iter().map(|case| said(geometry, case.supposed)).collect();
    let end = conclusion(geometry, step);
    match step.cases.iter().all(falls) {
        true => format!("Supposing {} leads to a contradiction. {end}", list(&supposed, "or")),
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
            let numbers: Vec<String> = lines.iter().map(|&line| (geometry.house(line).index + 1).to_string()).collect();
            said.push(format!("{digit} in {} is in {kind} {}", geometry.house(house), list(&numbers, "or")));
        }
    }
    (!said.is_empty()).then(|| format!("{}.", list(&said, "and")))
}

fn claim_reason(geometry: &Geometry, claim: &Deduction, step: &Step) -> Option<String> {
    match claim {
        Deduction::Some(candidates) if candidates.len() == 1 => {
            Some(format!("{} must be true.", place(geometry, candidates[0])))
        }
        Deduction::Some(candidates) => Some(format!(
            "One of {} must be true; candidates that all of them exclude are false.",
            nouns(geometry, candidates)
        )),
        Deduction::Eliminate(candidates) => no_room(geometry, candidates.clone(), step),
        Deduction::Place(candidates) => {
            let shown = still_there(candidates, &step.placements);
            let placed: Vec<String> = shown.iter().map(|&candidate| place(geometry, candidate)).collect();
            (!shown.is_empty()).then(|| {
                let (pattern, several) = pattern_words(geometry, step);
                format!("{pattern} {} only {}.", if several { "leave" } else { "leaves" }, list(&placed, "and"))
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
        format!("one of the ends is {}, and cells that see both are not", first.node.digit)
    } else {
        format!("{} or {}, and candidates that both exclude are false", said(&first.node), said(&last.node))
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

/// Ends a sentence, if its author has not; one that begins with a word, such as the name of a house, begins large.
fn sentence(text: &str) -> String {
    let text = text.trim();
    let end = if text.is_empty() || text.ends_with(['.', '!', '?']) { "" } else { "." };
    let word = text.split_whitespace().next().unwrap_or_default();
    if word.chars().all(char::is_alphabetic) { format!("{}{end}", upper(text)) } else { format!("{text}{end}") }
}

/// With a large first letter.
fn upper(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}
