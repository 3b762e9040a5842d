//! Examples and near misses. In: examples as written. Out: examples of the techniques of this file, and those
//! that name others.

use super::{ItemScope, Lowered, uses};
use crate::lang::ast::{self, Raw};
use crate::lang::codes::{ExampleProblem, Problem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir;

/// Checks all examples of a file and gives them to their techniques.
pub fn examples(known: &ItemScope, out: &mut Lowered) -> Vec<Diagnostic> {
    let file = known.file;
    let mut found = Vec::new();
    for example in file.examples() {
        let before = found.len();
        check(example, &mut found);
        let mut after = Vec::new();
        found.extend(uses::techniques_of(&example.after, known, &mut after));
        if example.broken || found.len() > before {
            continue;
        }
        let here = file.technique(&example.id.name);
        if let Some(technique) = here.filter(|technique| !technique.broken) {
            let params: Vec<ir::Param> = technique.params.iter().map(param).collect();
            found.extend(arguments(example, &params));
        }
        let checked = lowered(example, after);
        match out.techniques.iter_mut().find(|technique| technique.id == example.id.name) {
            Some(technique) => technique.examples.push(checked),
            None if here.is_none() => out.loose_examples.push((example.id.name.clone(), checked)),
            None => {}
        }
    }
    found
}

fn check(example: &ast::Example, found: &mut Vec<Diagnostic>) {
    let place = example.id.span.clone();
    let word = if example.near_miss { "near miss" } else { "example" };
    if example.grids.is_empty() && !example.broken {
        found.push(ExampleProblem::NoGrid { word }.at(&place));
    }
    if let [first, second, ..] = example.grids.as_slice() {
        found.push(ExampleProblem::TwoGrids { word }.at_both(&second.span, &first.span));
    }
    if let [first, second, ..] = example.boards.as_slice() {
        found.push(ExampleProblem::TwoBoards { word }.at_both(&second.span, &first.span));
    }
    if example.grids.iter().any(|grid| grid.text.trim().is_empty()) {
        found.push(ExampleProblem::EmptyGrid { word }.at(&place));
    }
    match (example.near_miss, example.finds.first()) {
        (true, Some(finds)) => {
            let place = finds.first().map_or(place, |raw| raw.span.clone());
            found.push(ExampleProblem::FindsInNearMiss.at(&place));
        }
        (false, None) if !example.broken && !lists_itself(example) => {
            found.push(ExampleProblem::NoFinds.at(&place));
        }
        _ => {}
    }
    for line in example.finds.iter().filter(|_| !example.near_miss) {
        let faults = whole(line).into_iter().filter_map(|raw| Some((fault(&raw.text)?, raw)));
        // Report `3 in r1c2` once.
        let most = if line.iter().any(|raw| is_word(&raw.text)) { 1 } else { line.len() };
        for (problem, raw) in faults.take(most) {
            let tidy = raw.text.split_whitespace().collect::<String>().to_ascii_lowercase();
            let tidy = Some(tidy).filter(|tidy| *tidy != raw.text && fault(tidy).is_none());
            found.push(ExampleProblem::NoDeduction { problem, tidy }.at(&raw.span));
        }
    }
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphabetic())
}

/// Returns the deductions of a line, with pieces that blanks have separated joined again.
fn whole(line: &[Raw]) -> Vec<Raw> {
    let mut out: Vec<Raw> = Vec::new();
    for raw in line {
        match out.last_mut().filter(|_| raw.text.starts_with(|c: char| !c.is_alphabetic())) {
            Some(last) => {
                last.text = format!("{} {}", last.text, raw.text);
                last.span.end = raw.span.end;
            }
            None => out.push(raw.clone()),
        }
    }
    out
}

/// Returns true if the grid is a library line, which lists the deductions itself.
fn lists_itself(example: &ast::Example) -> bool {
    example.grids.first().is_some_and(|grid| grid.text.trim_start().starts_with(':'))
}

/// Returns the fault in a text that should be a deduction such as `r1c2<>3`.
fn fault(text: &str) -> Option<&'static str> {
    let Some(rest) = text.strip_prefix('r').and_then(after_digits) else {
        return Some("begins with a row such as `r1`");
    };
    let Some(rest) = rest.strip_prefix('c').and_then(after_digits) else {
        return Some("a column such as `c2` follows the row");
    };
    let (digits, places) = match (rest.strip_prefix("<>"), rest.strip_prefix('=')) {
        (Some(digits), _) => (digits, false),
        (None, Some(digits)) => (digits, true),
        (None, None) => return Some("`<>` or `=` follows the cell"),
    };
    match after_digits(digits) {
        None => Some("a digit follows the sign"),
        Some(rest) if !rest.is_empty() => Some("nothing follows the digits"),
        _ if text.contains('0') => Some("rows, columns and digits begin with 1"),
        _ if places && digits.len() > 1 => Some("a cell takes one digit only"),
        _ => None,
    }
}

/// Returns the rest of a text that begins with digits.
fn after_digits(text: &str) -> Option<&str> {
    Some(text.trim_start_matches(|c: char| c.is_ascii_digit())).filter(|rest| rest.len() < text.len())
}

/// Returns the checked form of a parameter.
pub fn param(written: &ast::Param) -> ir::Param {
    ir::Param { name: written.name.name.clone(), low: written.low, high: written.high }
}

/// Returns true if a parameter takes a value.
pub fn is_allowed(value: u32, param: &ir::Param) -> bool {
    param.low <= value && param.high.is_none_or(|high| value <= high)
}

/// Checks the arguments of an example against the parameters of its technique.
pub fn arguments(example: &ast::Example, params: &[ir::Param]) -> Vec<Diagnostic> {
    let id = &example.id;
    if example.args.len() > params.len() || (!example.args.is_empty() && example.args.len() < params.len()) {
        let (given, wanted) = (example.args.len(), params.len());
        let place = example.args.first().map_or(id.span.clone(), |first| first.span.clone());
        return vec![ExampleProblem::Arguments { id: id.name.clone(), wanted, given }.at(&place)];
    }
    let mut out = Vec::new();
    for (number, param) in example.args.iter().zip(params).filter(|(number, param)| !is_allowed(number.value, param)) {
        let (name, value) = (param.name.clone(), number.value);
        let problem = ExampleProblem::ArgumentOutside { name, low: param.low, high: param.high, value };
        out.push(problem.at(&number.span));
    }
    out
}

fn lowered(example: &ast::Example, after: Vec<ir::RuleRef>) -> ir::Example {
    ir::Example {
        title: example.title.as_ref().map(|title| title.text.clone()),
        args: example.args.iter().map(|number| number.value).collect(),
        after,
        board: example.boards.first().map(|board| board.text.clone()),
        grid: example.grids.first().map(|grid| grid.text.clone()).unwrap_or_default(),
        finds: example.finds.iter().map(|line| joined(line)).collect(),
        near_miss: example.near_miss,
    }
}

fn joined(line: &[Raw]) -> String {
    line.iter().map(|raw| raw.text.as_str()).collect::<Vec<_>>().join(" ")
}
