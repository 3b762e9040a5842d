//! Checks examples and near misses, and adds them to their techniques.

use super::rule_list::append_techniques;
use super::{ItemScope, Lowered};
use crate::lang::ast::{self, RawText};
use crate::lang::codes::{ExampleProblem, Problem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir;

/// Checks all examples of a file. Adds each example to its technique in `lowered`, or to [`Lowered::loose_examples`] if
/// the technique is in another file.
pub fn examples(scope: &ItemScope, lowered: &mut Lowered) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for example in scope.file.examples() {
        let count_before = diagnostics.len();
        check(example, &mut diagnostics);
        let mut after = Vec::new();
        diagnostics.extend(append_techniques(&example.after, scope, &mut after));
        if example.broken || diagnostics.len() > count_before {
            continue;
        }
        let technique_in_file = scope.file.technique(&example.id.name);
        if let Some(technique) = technique_in_file
            && !technique.broken
        {
            let params: Vec<ir::Param> = technique.params.iter().map(param).collect();
            diagnostics.extend(arguments(example, &params));
        }
        let lowered_example = lower(example, after);
        match lowered.techniques.iter_mut().find(|technique| technique.id == example.id.name) {
            Some(technique) => technique.examples.push(lowered_example),
            None if technique_in_file.is_none() => {
                lowered.loose_examples.push((example.id.name.clone(), lowered_example));
            }
            // The technique has errors, so the example is dropped.
            None => {}
        }
    }
    diagnostics
}

fn check(example: &ast::Example, diagnostics: &mut Vec<Diagnostic>) {
    let id_span = example.id.span.clone();
    let item = if example.near_miss { "near miss" } else { "example" };
    if example.grids.is_empty() && !example.broken {
        diagnostics.push(ExampleProblem::NoGrid { item }.at(&id_span));
    }
    if let [first, second, ..] = example.grids.as_slice() {
        diagnostics.push(ExampleProblem::TwoGrids { item }.at_both(&second.span, &first.span));
    }
    if let [first, second, ..] = example.boards.as_slice() {
        diagnostics.push(ExampleProblem::TwoBoards { item }.at_both(&second.span, &first.span));
    }
    if example.grids.iter().any(|grid| grid.text.trim().is_empty()) {
        diagnostics.push(ExampleProblem::EmptyGrid { item }.at(&id_span));
    }
    if example.near_miss {
        if let Some(finds) = example.finds.first() {
            let span = finds.first().map_or(id_span, |deduction| deduction.span.clone());
            diagnostics.push(ExampleProblem::FindsInNearMiss.at(&span));
        }
        return;
    }
    if example.finds.is_empty() && !example.broken && !is_library_line(example) {
        diagnostics.push(ExampleProblem::NoFinds.at(&id_span));
    }
    for deductions in &example.finds {
        check_deductions(deductions, diagnostics);
    }
}

/// Returns true if the grid is a library line, which contains the deductions itself.
fn is_library_line(example: &ast::Example) -> bool {
    example.grids.first().is_some_and(|grid| grid.text.trim_start().starts_with(':'))
}

fn check_deductions(deductions: &[RawText], diagnostics: &mut Vec<Diagnostic>) {
    // A sentence such as `3 in r1c2` is reported once, not for each word.
    let has_words = deductions.iter().any(|deduction| deduction.text.chars().all(|c| c.is_ascii_alphabetic()));
    let limit = if has_words { 1 } else { deductions.len() };
    let deductions = join_split_deductions(deductions);
    let faulty = deductions.iter().filter_map(|deduction| Some((deduction, fault(&deduction.text)?)));
    for (deduction, fault_text) in faulty.take(limit) {
        let tidy = deduction.text.split_whitespace().collect::<String>().to_ascii_lowercase();
        let tidy = if tidy != deduction.text && fault(&tidy).is_none() { Some(tidy) } else { None };
        diagnostics.push(ExampleProblem::NoDeduction { fault: fault_text, tidy }.at(&deduction.span));
    }
}

/// Joins the pieces of a deduction with blanks, such as `r1c2 <> 3`. A piece that does not begin with a letter
/// continues the preceding piece.
fn join_split_deductions(pieces: &[RawText]) -> Vec<RawText> {
    let mut deductions: Vec<RawText> = Vec::new();
    for piece in pieces {
        let continues = piece.text.starts_with(|c: char| !c.is_alphabetic());
        match deductions.last_mut() {
            Some(last) if continues => {
                last.text = format!("{} {}", last.text, piece.text);
                last.span.end = piece.span.end;
            }
            _ => deductions.push(piece.clone()),
        }
    }
    deductions
}

/// Returns a description of the fault in a deduction such as `r1c2<>3`; `None` for a valid deduction.
fn fault(text: &str) -> Option<&'static str> {
    let Some(rest) = text.strip_prefix('r').and_then(skip_digits) else {
        return Some("begins with a row such as `r1`");
    };
    let Some(rest) = rest.strip_prefix('c').and_then(skip_digits) else {
        return Some("a column such as `c2` follows the row");
    };
    let (digits, is_placement) = match (rest.strip_prefix("<>"), rest.strip_prefix('=')) {
        (Some(digits), _) => (digits, false),
        (None, Some(digits)) => (digits, true),
        (None, None) => return Some("`<>` or `=` follows the cell"),
    };
    match skip_digits(digits) {
        None => Some("a digit follows the sign"),
        Some(rest) if !rest.is_empty() => Some("nothing follows the digits"),
        _ if text.contains('0') => Some("rows, columns and digits begin with 1"),
        _ if is_placement && digits.len() > 1 => Some("a cell takes one digit only"),
        _ => None,
    }
}

/// Returns the text after the leading digits; `None` for a text without leading digits.
fn skip_digits(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < text.len() { Some(rest) } else { None }
}

pub fn param(param: &ast::Param) -> ir::Param {
    ir::Param { name: param.name.name.clone(), low: param.low, high: param.high }
}

/// Returns true if a value is in the range of a parameter. The board may still restrict an open range.
pub fn is_allowed(value: u32, param: &ir::Param) -> bool {
    param.low <= value && param.high.is_none_or(|high| value <= high)
}

pub fn arguments(example: &ast::Example, params: &[ir::Param]) -> Vec<Diagnostic> {
    let id = &example.id;
    let Some(first) = example.args.first() else { return Vec::new() };
    if example.args.len() != params.len() {
        let given = example.args.len();
        let wanted = params.len();
        return vec![ExampleProblem::Arguments { id: id.name.clone(), wanted, given }.at(&first.span)];
    }
    let mut diagnostics = Vec::new();
    for (number, param) in example.args.iter().zip(params) {
        if !is_allowed(number.value, param) {
            let (name, value) = (param.name.clone(), number.value);
            let problem = ExampleProblem::ArgumentOutside { name, low: param.low, high: param.high, value };
            diagnostics.push(problem.at(&number.span));
        }
    }
    diagnostics
}

fn lower(example: &ast::Example, after: Vec<ir::RuleRef>) -> ir::Example {
    let finds = example.finds.iter().map(|deductions| {
        let texts: Vec<&str> = deductions.iter().map(|deduction| deduction.text.as_str()).collect();
        texts.join(" ")
    });
    ir::Example {
        title: example.title.as_ref().map(|title| title.text.clone()),
        args: example.args.iter().map(|number| number.value).collect(),
        after,
        board: example.boards.first().map(|board| board.text.clone()),
        grid: example.grids.first().map(|grid| grid.text.clone()).unwrap_or_default(),
        finds: finds.collect(),
        near_miss: example.near_miss,
    }
}
