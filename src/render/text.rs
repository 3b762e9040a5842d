//! A step as text. In: a step. Out: one line with the name, the pattern and what follows, one line with the
//! reason; between them the chain, if there is one.

use super::cases::cases;
use super::eureka::eureka;
use super::reason::reason;
use super::scene::{Line, Role};
use super::words::{crossing, digits_set};
use crate::engine::{FamilyIndex, Value};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, notation};
use crate::solve::{Binding, Step, text_of};

/// How far the reason of a step that is joined stands in.
const INDENT: usize = 2;

/// The step in one line: `Name: pivot r5c5 {1,2,3}; z = 3 => r5c46<>3`.
pub fn headline(geometry: &Geometry, step: &Step) -> Line {
    let things = pattern(geometry, step);
    // The chains of joined steps are told with them.
    let no_chain = step.chain.is_empty() || !step.joined.is_empty();
    let colon = if things.is_empty() && no_chain { "" } else { ": " };
    let mut line = Line::of(Role::Name, &step.name).and(Role::Plain, colon);
    if no_chain {
        line = line.and(Role::Plain, things);
    } else {
        line = line.and(Role::Chain, eureka(geometry, &step.chain));
        line = line.and(Role::Plain, if things.is_empty() { things } else { format!("; {things}") });
    }
    line.and(Role::Plain, " => ").join(effect(geometry, step))
}

/// The step with its reason and its cases, indented below it.
pub fn explained(geometry: &Geometry, step: &Step, indent: usize) -> Vec<Line> {
    let mut lines = vec![headline(geometry, step)];
    if !step.joined.is_empty() {
        for part in &step.joined {
            let told = explained(geometry, part, INDENT);
            lines.extend(told.into_iter().map(|line| Line::plain(" ".repeat(indent)).join(line)));
        }
        return lines;
    }
    let reason = reason(geometry, step);
    // Of cases the tree says all that the sentence does, unless the author has one.
    if !reason.is_empty() && (step.cases.is_empty() || step.because.is_some()) {
        lines.push(Line::plain(" ".repeat(indent)).and(Role::Quiet, reason));
    }
    lines.extend(cases(geometry, step, indent));
    lines
}

/// What a step does to the board: `r1c1=4 r5c46<>3`.
pub fn effect(geometry: &Geometry, step: &Step) -> Line {
    let placed = notation::deductions(geometry, &[], &step.placements);
    let gone = notation::deductions(geometry, &step.eliminations, &[]);
    let between = if placed.is_empty() || gone.is_empty() { "" } else { " " };
    Line::of(Role::Placement, placed).and(Role::Plain, between).and(Role::Elimination, gone)
}

/// What the rule's names stand for: houses and cells, then digits that the rule concludes about.
fn pattern(geometry: &Geometry, step: &Step) -> String {
    let free = || step.bindings.iter().filter(|binding| binding.free);
    let things: Vec<String> = step
        .bindings
        .iter()
        .filter(|binding| (binding.free || binding.guards) && !is_told(step, &binding.value))
        .filter(|binding| is_shared(step, binding))
        .filter_map(|binding| thing(geometry, step, binding))
        .collect();
    // A placement names its digit itself.
    let concluded = |binding: &&Binding| binding.concluded && !step.eliminations.is_empty() && is_shared(step, binding);
    let digits: Vec<String> = free().filter(concluded).filter_map(digit).collect();
    [things.join(", "), digits.join(", ")].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// Whether a name stands for the same in all steps that are joined.
fn is_shared(step: &Step, binding: &Binding) -> bool {
    let has = |part: &Step| part.bindings.iter().any(|one| (&one.name, &one.value) == (&binding.name, &binding.value));
    step.joined.iter().all(has)
}

/// Whether a chain has the cells or candidates anyway, or cases and what follows from them name the candidates.
fn is_told(step: &Step, value: &Value) -> bool {
    let in_chain = |cell: &Cell| step.chain.iter().any(|link| link.node.cells.contains(cell));
    let is_node = |one: &Candidate| step.chain.iter().any(|link| link.node.candidates().any(|node| node == *one));
    let in_cases = |one: &Candidate| {
        let shown = step.eliminations.iter().chain(&step.placements);
        step.cases.iter().map(|case| &case.supposed.0).chain(shown).any(|known| known == one)
    };
    match value {
        Value::Cells(cells) => cells.iter().all(in_chain),
        Value::Candidates(list) if !step.chain.is_empty() => list.iter().all(is_node),
        Value::Candidates(list) if !step.cases.is_empty() => list.iter().all(in_cases),
        _ => false,
    }
}

fn thing(geometry: &Geometry, step: &Step, binding: &Binding) -> Option<String> {
    let name = &binding.name;
    let with_digits = |cells: &[Cell]| {
        let digits = cells.iter().fold(DigitSet::EMPTY, |all, &cell| all | step.digits_of(cell));
        format!("{} {}", notation::cells(geometry, cells), digits_set(digits))
    };
    match &binding.value {
        Value::Cells(cells) if cells.is_empty() => None,
        Value::Cells(cells) => Some(format!("{name} {}", with_digits(cells))),
        Value::Houses(houses) => {
            let houses: Vec<String> = houses.iter().map(|&id| geometry.house(id).to_string()).collect();
            Some(format!("{name} {}", houses.join(" + ")))
        }
        Value::Candidates(candidates) if candidates.is_empty() => None,
        Value::Candidates(list) if binding.circle => {
            let again = list.iter().chain(list.first());
            let nodes: Vec<String> = again.map(|&one| notation::candidates(geometry, &[one])).collect();
            Some(format!("{name} {}", nodes.join(" - ")))
        }
        Value::Candidates(_) => Some(format!("{name} {}", text_of(&binding.value, geometry))),
        Value::Family(members) => {
            // Of sets it is not plain which belongs to what.
            let sets = members.iter().any(|(_, cells)| cells.len() > 1);
            let member = |(index, cells): &(FamilyIndex, Vec<Cell>)| match index {
                _ if !sets => with_digits(cells),
                FamilyIndex::Digit(digit) => format!("{digit}: {}", with_digits(cells)),
                FamilyIndex::Cell(cell) => format!("{}: {}", notation::cell(geometry, *cell), with_digits(cells)),
            };
            Some(format!("{name} {}", members.iter().map(member).collect::<Vec<_>>().join(", ")))
        }
        Value::Places(places) => {
            let stands = |&(house, digit): &(HouseId, Digit)| {
                let lines = crossing(geometry, step, house, digit);
                format!("{digit} in {} {{{}}}", geometry.house(house), lines.join(","))
            };
            Some(format!("{name} {}", places.iter().map(stands).collect::<Vec<_>>().join(", ")))
        }
        Value::Digits(_) | Value::Number(_) => None,
    }
}

fn digit(binding: &Binding) -> Option<String> {
    match &binding.value {
        Value::Digits(digits) if digits.len() == 1 => Some(format!("{} = {}", binding.name, digits.first()?)),
        Value::Digits(digits) => Some(format!("{} = {}", binding.name, digits_set(*digits))),
        Value::Number(number) => Some(format!("{} = {number}", binding.name)),
        _ => None,
    }
}
