//! Suppositions as text: a tree that reads downwards. In: a step with cases. Out: lines: what is supposed, what follows,
//! one inference a line, and how it ends; then what follows from all cases. A step inside that supposes something
//! itself has its own tree below it.

use super::eureka::eureka;
use super::line::{Line, Role};
use super::text::headline;
use super::words::list;
use crate::engine::{CaseEnd, ChainStep};
use crate::grid::{Candidate, Geometry, notation};
use crate::solve::{CaseStep, InnerStep, Step};

/// How far a level stands in.
const INDENT: usize = 2;

/// The cases of a step and its conclusion; nothing where it has none.
pub fn cases(geometry: &Geometry, step: &Step, indent: usize) -> Vec<Line> {
    if step.cases.is_empty() {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for (what, cases) in by_supposition(step) {
        lines.push(line(indent, Role::Quiet, supposed(geometry, what)));
        lines.extend(cases.into_iter().flat_map(|one| case(geometry, one, indent + INDENT)));
    }
    lines.push(line(indent, Role::Quiet, conclusion(geometry, step)));
    lines
}

/// The cases under each supposition. A step of several matches has the same supposition more than once, and then perhaps
/// the same contradiction, which is told once.
fn by_supposition(step: &Step) -> Vec<((Candidate, bool), Vec<&CaseStep>)> {
    let mut out: Vec<((Candidate, bool), Vec<&CaseStep>)> = Vec::new();
    for case in &step.cases {
        match out.iter_mut().find(|(what, _)| *what == case.supposed) {
            Some((_, known)) if !known.contains(&case) => known.push(case),
            Some(_) => {}
            None => out.push((case.supposed, vec![case])),
        }
    }
    out
}

fn line(indent: usize, role: Role, text: String) -> Line {
    Line::text(" ".repeat(indent)).and(role, text)
}

fn case(geometry: &Geometry, case: &CaseStep, inside: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for inner in &case.inferences {
        match inner {
            InnerStep::Step(step) => {
                lines.push(Line::text(" ".repeat(inside)).join(headline(geometry, step)));
                lines.extend(cases(geometry, step, inside + INDENT));
            }
            InnerStep::Links { chain, .. } => {
                let told = Line::text(" ".repeat(inside)).and(Role::Pattern, eureka(geometry, chain));
                lines.push(told.and(Role::Quiet, format!(": {}", chain_end(geometry, chain))));
            }
            InnerStep::Naked(..) | InnerStep::Hidden(..) => {
                lines.push(line(inside, Role::Quiet, inference(geometry, inner)));
            }
        }
    }
    if !is_said(case) {
        lines.push(line(inside, Role::Quiet, end(geometry, case)));
    }
    lines
}

/// Whether the last inference of a case is what it shows.
fn is_said(case: &CaseStep) -> bool {
    let CaseEnd::Shows(candidate, holds) = case.end else { return false };
    match case.inferences.last() {
        Some(InnerStep::Naked(one, _) | InnerStep::Hidden(one, ..)) => (*one, true) == (candidate, holds),
        Some(InnerStep::Links { chain, .. }) => {
            chain.last().is_some_and(|last| last.strong == holds && last.node.only() == Some(candidate))
        }
        Some(InnerStep::Step(_)) | None => false,
    }
}

/// `Suppose r4c5 = 3.`
pub fn supposed(geometry: &Geometry, what: (Candidate, bool)) -> String {
    format!("Suppose {}.", said(geometry, what))
}

/// `r4c5 = 3`, `r4c5 is not 3`.
pub fn said(geometry: &Geometry, (candidate, holds): (Candidate, bool)) -> String {
    let how = if holds { "=" } else { "is not" };
    format!("{} {how} {}", notation::cell(geometry, candidate.cell), candidate.digit)
}

/// An inference in one line.
pub fn inference(geometry: &Geometry, inner: &InnerStep) -> String {
    match inner {
        InnerStep::Naked(one, why) => {
            format!("{}: nothing else is left there{}", said(geometry, (*one, true)), since(geometry, why))
        }
        InnerStep::Hidden(one, house, why) => {
            let (shown, house) = (said(geometry, (*one, true)), geometry.house(*house));
            format!("{shown}: the last place for {} in {house}{}", one.digit, since(geometry, why))
        }
        InnerStep::Links { chain, .. } => format!("{}: {}", eureka(geometry, chain), chain_end(geometry, chain)),
        InnerStep::Step(step) => headline(geometry, step).to_string(),
    }
}

/// `, since r4c5 = 3 and r4c67<>2`: what was said before and makes it so.
fn since(geometry: &Geometry, why: &[(Candidate, bool)]) -> String {
    let placed = why.iter().filter(|(_, holds)| *holds).map(|&one| said(geometry, one));
    let gone: Vec<Candidate> = why.iter().filter(|(_, holds)| !holds).map(|(one, _)| *one).collect();
    let gone = (!gone.is_empty()).then(|| notation::deductions(geometry, &gone, &[]).replace(' ', ", "));
    let words: Vec<String> = placed.chain(gone).collect();
    if words.is_empty() { String::new() } else { format!(", since {}", list(&words, "and")) }
}

/// What the last node of a chain says.
fn chain_end(geometry: &Geometry, chain: &[ChainStep]) -> String {
    let Some(ChainStep { strong, node, .. }) = chain.last() else { return String::new() };
    match node.only() {
        Some(one) => said(geometry, (one, *strong)),
        None => {
            let not = if *strong { "" } else { "not " };
            format!("{} is {not}in {}", node.digit, notation::cells(geometry, &node.cells))
        }
    }
}

/// How a case ends, in one line.
pub fn end(geometry: &Geometry, case: &CaseStep) -> String {
    let since = since(geometry, &case.since);
    match &case.end {
        CaseEnd::Shows(candidate, holds) if (*candidate, *holds) == case.supposed => {
            format!("{}: this is the supposition", said(geometry, case.supposed))
        }
        CaseEnd::Shows(candidate, holds) => format!("so {}{since}", said(geometry, (*candidate, *holds))),
        CaseEnd::EmptyCell(cell) => {
            format!("{} has no candidate left{since}: a contradiction", notation::cell(geometry, *cell))
        }
        CaseEnd::EmptyHouse(house, digit) => {
            format!("{} has no place left for {digit}{since}: a contradiction", geometry.house(*house))
        }
        CaseEnd::Both(node) => {
            let cells = notation::cells(geometry, &node.cells);
            format!("({}){cells} would be both true and false: a contradiction", node.digit)
        }
    }
}

/// Whether a case is a contradiction.
pub fn falls(case: &CaseStep) -> bool {
    !matches!(case.end, CaseEnd::Shows(..))
}

/// What follows from all cases: `So r4c5 is not 3.`, `In every case r2c2 = 5.`
pub fn conclusion(geometry: &Geometry, step: &Step) -> String {
    let placed = step.placements.iter().map(|&one| said(geometry, (one, true)));
    let gone = step.eliminations.iter().map(|&one| said(geometry, (one, false)));
    let shown: Vec<String> = match step.placements.len() + step.eliminations.len() {
        0..=4 => placed.chain(gone).collect(),
        _ => vec![notation::deductions(geometry, &step.eliminations, &step.placements)],
    };
    let groups = by_supposition(step);
    let falling = groups.iter().filter(|(_, cases)| cases.iter().all(|case| falls(case))).count();
    let opening = match groups.len() - falling {
        0 => "So",
        1 if groups.len() > 1 => "In the remaining case",
        1 => "So",
        _ if falling > 0 => "In every remaining case",
        2 if groups[0].0.0 == groups[1].0.0 => "In both cases",
        _ => "In every case",
    };
    format!("{opening} {}.", list(&shown, "and"))
}
