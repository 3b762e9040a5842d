//! Examples and near misses. In: examples as written. Out: examples of the techniques of this file, and those
//! that name others.

use super::{Known, Lowered, rule_list};
use crate::lang::ast::{self, Item, Raw};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir;

/// Checks all examples of a file and gives them to their techniques.
pub fn examples(known: &Known, out: &mut Lowered) -> Vec<Diagnostic> {
    let file = known.file;
    let mut found = Vec::new();
    for item in &file.items {
        let Item::Example(example) = item else { continue };
        let before = found.len();
        check(example, &mut found);
        let mut after = Vec::new();
        found.extend(rule_list::expand(&example.after, known, &mut after));
        if example.broken || found.len() > before {
            continue;
        }
        let here = file.items.iter().find_map(|item| match item {
            Item::Technique(technique) if technique.id.name == example.id.name => Some(technique),
            _ => None,
        });
        if let Some(technique) = here.filter(|technique| !technique.broken) {
            let params: Vec<ir::Param> = technique
                .params
                .iter()
                .map(|param| ir::Param { name: param.name.name.clone(), low: param.low, high: param.high })
                .collect();
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
        let help = "add a line `grid \"…\"` with the puzzle in any format";
        found.push(
            Diagnostic::error("E0601", place.clone(), format!("this {word} has no grid"), "no `grid` line").help(help),
        );
    }
    if let [first, second, ..] = example.grids.as_slice() {
        let diagnostic =
            Diagnostic::error("E0606", second.span.clone(), format!("this {word} has two grids"), "the second");
        found.push(diagnostic.label(first.span.clone(), "the first").help("make two of it"));
    }
    if let [first, second, ..] = example.boards.as_slice() {
        let diagnostic =
            Diagnostic::error("E0606", second.span.clone(), format!("this {word} has two boards"), "the second");
        found.push(
            diagnostic.label(first.span.clone(), "the first").help("a grid belongs to one board: write two examples"),
        );
    }
    if example.grids.iter().any(|grid| grid.text.trim().is_empty()) {
        found.push(Diagnostic::error(
            "E0601",
            place.clone(),
            format!("the grid of this {word} is empty"),
            "nothing in `grid`",
        ));
    }
    match (example.near_miss, example.finds.first()) {
        (true, Some(finds)) => {
            let place = finds.first().map_or(place, |raw| raw.span.clone());
            let help = "leave `finds` out: a near miss is a grid on which the rule finds nothing";
            found.push(Diagnostic::error("E0605", place, "a near miss finds nothing", "not here").help(help));
        }
        (false, None) if !example.broken && !lists_itself(example) => {
            let help = "add `finds r1c2<>3` with the deductions of a match, or make it a `near_miss`";
            found.push(
                Diagnostic::error("E0602", place, "this example does not say what is found", "no `finds` line")
                    .help(help),
            );
        }
        _ => {}
    }
    let slips = |line: &Vec<Raw>| {
        let slips = whole(line).into_iter().filter_map(|raw| Some((deduction(&raw.text)?, raw)));
        // `3 in r1c2` is one slip.
        let most = if line.iter().any(|raw| is_word(&raw.text)) { 1 } else { line.len() };
        slips.take(most).collect::<Vec<_>>()
    };
    for (problem, raw) in example.finds.iter().filter(|_| !example.near_miss).flat_map(slips) {
        let tidy = raw.text.split_whitespace().collect::<String>().to_ascii_lowercase();
        let help = match tidy != raw.text && deduction(&tidy).is_none() {
            true => format!("write `{tidy}`, in small letters and without blanks"),
            false => "`r1c2<>3` takes 3 from row 1, column 2; `r1c2=3` places it; `r12c4<>56` is all of them at once"
                .to_owned(),
        };
        found.push(Diagnostic::error("E0604", raw.span, "this is not a deduction", problem).help(help));
    }
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphabetic())
}

/// The deductions of a line; what blanks have cut to pieces is one.
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
fn deduction(text: &str) -> Option<&'static str> {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let Some(rest) = text.strip_prefix('r').filter(|rest| digits(rest) > 0) else {
        return Some("begins with a row such as `r1`");
    };
    let rest = rest.get(digits(rest)..).unwrap_or("");
    let Some(rest) = rest.strip_prefix('c').filter(|rest| digits(rest) > 0) else {
        return Some("a column such as `c2` follows the row");
    };
    let rest = rest.get(digits(rest)..).unwrap_or("");
    let (rest, places) = match (rest.strip_prefix("<>"), rest.strip_prefix('=')) {
        (Some(rest), _) => (rest, false),
        (None, Some(rest)) => (rest, true),
        (None, None) => return Some("`<>` or `=` follows the cell"),
    };
    let count = digits(rest);
    match () {
        () if count == 0 => Some("a digit follows the sign"),
        () if count < rest.len() => Some("nothing follows the digits"),
        () if text.contains('0') => Some("rows, columns and digits begin with 1"),
        () if places && count > 1 => Some("a cell takes one digit only"),
        () => None,
    }
}

/// The member of the family that an example names.
pub fn arguments(example: &ast::Example, params: &[ir::Param]) -> Vec<Diagnostic> {
    let id = &example.id;
    if example.args.len() > params.len() || (!example.args.is_empty() && example.args.len() < params.len()) {
        let (given, wanted) = (example.args.len(), params.len());
        let place = example.args.first().map_or(id.span.clone(), |first| first.span.clone());
        let message = format!("`{}` has {}, not {given}", id.name, count(wanted));
        return vec![Diagnostic::error("E0603", place, message, "this many are given")];
    }
    let mut out = Vec::new();
    for (number, param) in example.args.iter().zip(params) {
        let too_large = param.high.is_some_and(|high| number.value > high);
        if number.value < param.low || too_large {
            let high = param.high.map_or("half of the board's size".to_owned(), |high| high.to_string());
            let message = format!("`{}` runs from {} to {high}", param.name, param.low);
            out.push(Diagnostic::error("E0603", number.span.clone(), message, format!("{} is outside", number.value)));
        }
    }
    out
}

fn count(params: usize) -> String {
    match params {
        0 => "no parameter".to_owned(),
        1 => "one parameter".to_owned(),
        many => format!("{many} parameters"),
    }
}

fn lowered(example: &ast::Example, after: Vec<ir::RuleRef>) -> ir::Example {
    let join = |finds: &Vec<Raw>| finds.iter().map(|raw| raw.text.as_str()).collect::<Vec<_>>().join(" ");
    ir::Example {
        title: example.title.as_ref().map(|title| title.text.clone()),
        args: example.args.iter().map(|number| number.value).collect(),
        after,
        board: example.boards.first().map(|board| board.text.clone()),
        grid: example.grids.first().map(|grid| grid.text.clone()).unwrap_or_default(),
        finds: example.finds.iter().map(join).collect(),
        near_miss: example.near_miss,
    }
}
