//! A step as text. In: a step. Out: a headline with its name, its pattern and its deductions; below it the reason and the cases.
//!
//! The pattern of a headline is the author's (`says`), a chain, or the values that the rule chose, such as `5/6/9 in r4c78,r9c8`. It
//! contains values only, never names of the rule.

use super::line::{Line, Role};
use super::names::BoardNames;
use crate::engine::Value;
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, HouseKind, notation};
use crate::solve::{BoundName, Soundness, Step, cells_with_digits, headline_value};
use std::collections::HashMap;
use std::hash::BuildHasher;

/// Columns of one level: cases below their supposition, the steps of a joined step.
pub(super) const INDENT: usize = 2;

/// A step with the names of its board. All text about a step is written by methods of this type.
#[derive(Clone, Copy)]
pub(super) struct StepWords<'a> {
    pub names: BoardNames<'a>,
    pub step: &'a Step,
}

/// Writes a step in one line: `Name: 1/2/3 in r4c4,r5c59 => r5c46<>3`.
pub fn headline(geometry: &Geometry, step: &Step) -> Line {
    StepWords::new(geometry, step).headline()
}

/// Writes the pattern of a step: the part of its headline between the name and the deductions.
pub fn pattern(geometry: &Geometry, step: &Step) -> Line {
    StepWords::new(geometry, step).pattern()
}

/// Writes a step with its reason and its cases below the headline, indented by `indent` columns.
pub fn step_lines(geometry: &Geometry, step: &Step, indent: usize) -> Vec<Line> {
    StepWords::new(geometry, step).explained(indent)
}

/// Writes the deductions of a step: `r1c1=4 r5c46<>3`.
pub fn effect(geometry: &Geometry, step: &Step) -> Line {
    StepWords::new(geometry, step).effect()
}

/// Headlines of the matches in a list. Rules with one name may find the same pattern, and a reader wants each line once.
#[derive(Debug, Default)]
pub struct Headlines {
    /// For each headline the rule and the index of its first match. Rule and headline are hashes, which take less memory than texts.
    first: HashMap<u64, (u64, usize)>,
    count: usize,
}

impl Headlines {
    /// Adds a match to the list. If another rule has produced its headline already, returns the index of that match instead, from
    /// zero. Matches of one rule are all listed; their reasons differ.
    pub fn add(&mut self, geometry: &Geometry, step: &Step) -> Option<usize> {
        let hasher = self.first.hasher();
        let (rule, line) = (hasher.hash_one(&step.technique), hasher.hash_one(headline(geometry, step).to_string()));
        let first = *self.first.entry(line).or_insert((rule, self.count));
        let is_copy = first.0 != rule;
        self.count += usize::from(!is_copy);
        is_copy.then_some(first.1)
    }
}

/// Values that a pattern shows, by kind.
#[derive(Default)]
struct PatternValues<'s> {
    digits: Vec<Digit>,
    cells: Vec<&'s [Cell]>,
    houses: Vec<&'s [HouseId]>,
    /// Families, and digits in houses, as text.
    others: Vec<String>,
    /// Sets of candidates, as text.
    candidates: Vec<String>,
}

impl<'a> StepWords<'a> {
    pub fn new(board: &'a Geometry, step: &'a Step) -> StepWords<'a> {
        StepWords { names: BoardNames::new(board), step }
    }

    /// Returns the words for another step on the same board.
    pub fn of(self, step: &'a Step) -> StepWords<'a> {
        StepWords { step, ..self }
    }

    pub fn headline(self) -> Line {
        let pattern = self.pattern();
        let colon = if pattern.pieces.is_empty() { "" } else { ": " };
        let doubt = match self.step.soundness {
            Soundness::Proved => "",
            Soundness::Unproved => " (not proved)",
            Soundness::Refuted => " (refuted)",
        };
        let line = Line::styled(Role::Name, &self.step.name).with(Role::Plain, colon).join(pattern);
        line.with(Role::Plain, " => ").join(self.effect()).with(Role::Failure, doubt)
    }

    fn effect(self) -> Line {
        let placed = self.names.deductions(&[], &self.step.placements);
        let eliminated = self.names.deductions(&self.step.eliminations, &[]);
        let gap = if placed.is_empty() || eliminated.is_empty() { "" } else { " " };
        Line::styled(Role::Placement, placed).with(Role::Plain, gap).with(Role::Elimination, eliminated)
    }

    fn explained(self, indent: usize) -> Vec<Line> {
        let mut lines = vec![self.headline()];
        if !self.step.joined.is_empty() {
            for part in &self.step.joined {
                let part = self.of(part).explained(INDENT);
                lines.extend(part.into_iter().map(|line| Line::indent(indent).join(line)));
            }
            return lines;
        }
        let reason = self.reason();
        // The tree of cases contains the default sentence, but not the author's.
        if !reason.is_empty() && (self.step.cases.is_empty() || self.step.because.is_some()) {
            lines.push(Line::indent(indent).with(Role::Quiet, reason));
        }
        lines.extend(self.cases(indent));
        lines
    }

    /// Writes the pattern. A step that joins others has the patterns of all of them, each once.
    fn pattern(self) -> Line {
        if !self.step.joined.is_empty() {
            let mut parts: Vec<Line> = Vec::new();
            for part in self.step.joined.iter().map(|part| self.of(part).pattern()) {
                if !part.pieces.is_empty() && !parts.contains(&part) {
                    parts.push(part);
                }
            }
            return parts.into_iter().reduce(|line, part| line.with(Role::Plain, "; ").join(part)).unwrap_or_default();
        }
        if let Some(says) = &self.step.says {
            return Line::styled(Role::Pattern, says);
        }
        let values = self.values();
        if self.step.chain.is_empty() {
            return Line::styled(Role::Pattern, values);
        }
        let values = if values.is_empty() { values } else { format!("; {values}") };
        Line::styled(Role::Pattern, self.names.chain(&self.step.chain)).with(Role::Plain, values)
    }

    /// Writes the values that the rule chose and its chain does not show.
    fn values(self) -> String {
        let values = self.pattern_values();
        let mut digits = values.digits;
        if let ([cells], true, true) = (values.cells.as_slice(), digits.is_empty(), values.others.is_empty()) {
            digits = self.digits_of_all(cells).iter().collect();
        }
        let named: DigitSet = digits.iter().copied().collect();
        // Single cells whose digits are all named play the same part, so they form one group.
        let grouped = values.cells.iter().all(|cells| self.digits_of_all(cells).within(named));
        let (single, sets): (Vec<&[Cell]>, Vec<&[Cell]>) =
            values.cells.iter().copied().partition(|cells| grouped && cells.len() == 1);
        let mut places: Vec<String> = Vec::new();
        if !single.is_empty() {
            places.push(self.names.cells(&single.concat()));
        }
        places.extend(sets.into_iter().map(|cells| match self.digits_of_all(cells).within(named) {
            true => self.names.cells(cells),
            false => cells_with_digits(self.names.board, cells, &|cell| self.step.digits_of(cell)),
        }));
        places.extend(values.others);
        places.extend(values.houses.iter().map(|houses| self.names.houses(houses)));
        let digits: Vec<String> = digits.iter().map(Digit::to_string).collect();
        let pattern = joined_parts([digits.join("/"), places.join(", ")], " in ");
        let guardians = self.guardians().map(|list| format!(" but for {}", self.names.candidates(list)));
        joined_parts([pattern, values.candidates.join(" / ")], ", ") + &guardians.collect::<String>()
    }

    pub fn digits_of_all(self, cells: &[Cell]) -> DigitSet {
        cells.iter().fold(DigitSet::EMPTY, |all, &cell| all | self.step.digits_of(cell))
    }

    /// Candidates that the rule names as guardians: either its conclusion holds, or one of these is true.
    pub fn guardians(self) -> impl Iterator<Item = &'a [Candidate]> {
        self.step.bindings.iter().filter(|binding| binding.guards).filter_map(|binding| match &binding.value {
            Value::Candidates(list) if !list.is_empty() => Some(list.as_slice()),
            _ => None,
        })
    }

    fn pattern_values(self) -> PatternValues<'a> {
        let step = self.step;
        let mut out = PatternValues::default();
        let (mut digits, mut in_candidates) = (Vec::new(), DigitSet::EMPTY);
        for binding in step.bindings.iter().filter(|binding| binding.free && !self.is_shown_elsewhere(binding)) {
            match &binding.value {
                Value::Digits(list) => digits.extend(list.iter()),
                Value::Cells(cells) => out.cells.push(cells),
                Value::Houses(houses) => out.houses.push(houses),
                Value::Candidates(list) => {
                    in_candidates = list.iter().fold(in_candidates, |all, one| all | DigitSet::single(one.digit));
                    out.candidates.push(match binding.circle {
                        true => notation::circle(self.names.board, list),
                        false => self.names.candidates(list),
                    });
                }
                Value::Family(_) => {
                    out.others.push(headline_value(self.names.board, &binding.value, &|cell| step.digits_of(cell)));
                }
                Value::Places(places) => out.others.extend(places.iter().map(|&(house, digit)| {
                    let mut houses = self.crossing(house, digit);
                    houses.push(house);
                    houses.sort_unstable();
                    format!("{digit} in {}", self.names.houses(&houses))
                })),
                Value::Number(_) => {}
            }
        }
        for digit in digits {
            if !in_candidates.has(digit) && !out.digits.contains(&digit) {
                out.digits.push(digit);
            }
        }
        out.cells.dedup();
        // Cells of placements are in the effect; they are part of the pattern only if there is nothing else.
        let has_others = !out.houses.is_empty() || !out.others.is_empty() || !out.candidates.is_empty();
        if has_others || !out.cells.iter().all(|cells| self.places_in_all(cells)) {
            out.cells.retain(|cells| !self.places_in_all(cells));
        }
        out
    }

    /// Returns true if the step places a digit in each of the cells.
    fn places_in_all(self, cells: &[Cell]) -> bool {
        cells.iter().all(|cell| self.step.placements.iter().any(|one| one.cell == *cell))
    }

    /// Returns true if a value is empty, or is shown by the chain, its ends, the cases or the effect.
    fn is_shown_elsewhere(self, binding: &BoundName) -> bool {
        let step = self.step;
        match &binding.value {
            _ if binding.in_chain && !step.chain.is_empty() => true,
            Value::Cells(cells) => cells.is_empty(),
            Value::Digits(digits) => digits.iter().all(|digit| {
                step.chain.first().into_iter().chain(step.chain.last()).any(|end| end.node.digit == digit)
            }),
            Value::Houses(houses) => houses.iter().all(|&house| self.crosses_places(house)),
            Value::Candidates(list) => list.iter().all(|one| {
                !step.cases.is_empty() && (step.eliminations.contains(one) || step.placements.contains(one))
            }),
            Value::Family(_) | Value::Places(_) | Value::Number(_) => false,
        }
    }

    /// Returns true if a line is shown with digits in houses that it crosses.
    fn crosses_places(self, line: HouseId) -> bool {
        self.step.bindings.iter().filter(|binding| binding.free).any(|binding| {
            matches!(&binding.value, Value::Places(places)
                if places.iter().any(|&(house, digit)| self.crossing(house, digit).contains(&line)))
        })
    }

    /// Lines that cross a row or column in the cells where it had the digit before the step.
    pub fn crossing(self, house: HouseId, digit: Digit) -> Vec<HouseId> {
        let board = self.names.board;
        let house = board.house(house);
        let other = if house.kind == HouseKind::Row { HouseKind::Column } else { HouseKind::Row };
        let cells = house.cells.iter().filter(|&&cell| self.step.digits_of(cell).has(digit));
        let lines = cells.filter_map(|&cell| board.houses_of(cell).iter().find(|id| board.house(**id).kind == other));
        lines.copied().collect()
    }
}

/// Joins the parts that are not empty.
fn joined_parts(parts: [String; 2], gap: &str) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(gap)
}
