//! A step as text. In: a step. Out: a headline with name, pattern and deductions, then the reason and the cases.
//!
//! The pattern of a headline is the author's text (`says`), a chain, or the values that the rule chose, such as `5/6/9
//! in r4c78,r9c8`. A pattern contains values, never names of the rule.
//!
//! Two kinds of values are special. A *family* has a set of cells for each digit or cell (`for d in …`). A *place* is a
//! digit in a house; the names of a rule that sees a view of the grid have places as values.

use super::line::{Line, Role};
use super::names::BoardNames;
use crate::engine::Value;
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, HouseKind, notation};
use crate::solve::{BoundName, Soundness, Step, cells_with_digits, headline_value};
use std::collections::HashMap;
use std::hash::BuildHasher;

/// Indentation of the inferences below their supposition, and of the parts of a step below its headline.
pub(super) const INDENT: usize = 2;

/// A step with the names of its board. Methods of this type write all text about the step.
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
    StepWords::new(geometry, step).lines(indent)
}

/// Writes the deductions of a step: `r1c1=4 r5c46<>3`.
pub fn effect(geometry: &Geometry, step: &Step) -> Line {
    StepWords::new(geometry, step).effect()
}

/// Finds repeated headlines in a list of matches: different rules with the same step name may find the same pattern.
#[derive(Debug, Default)]
pub struct Headlines {
    /// For the hash of each headline: the hash of the first rule with the headline, and the index of the match. Hashes take
    /// less memory than texts.
    first: HashMap<u64, (u64, usize)>,
    count: usize,
}

impl Headlines {
    /// Adds a match to the list, unless an earlier match of another rule has the same headline. In that case, returns the
    /// index of the earlier match. Matches of one rule are all listed, because their reasons differ.
    pub fn add(&mut self, geometry: &Geometry, step: &Step) -> Option<usize> {
        let hasher = self.first.hasher();
        let rule = hasher.hash_one(&step.technique);
        let line = hasher.hash_one(headline(geometry, step).to_string());
        let (first_rule, first_index) = *self.first.entry(line).or_insert((rule, self.count));
        if first_rule != rule {
            return Some(first_index);
        }
        self.count += 1;
        None
    }
}

#[derive(Default)]
struct PatternValues<'s> {
    digits: Vec<Digit>,
    cells: Vec<&'s [Cell]>,
    houses: Vec<&'s [HouseId]>,
    families_and_places: Vec<String>,
    candidates: Vec<String>,
}

impl<'a> StepWords<'a> {
    pub fn new(board: &'a Geometry, step: &'a Step) -> StepWords<'a> {
        StepWords { names: BoardNames::new(board), step }
    }

    pub fn for_step(self, step: &'a Step) -> StepWords<'a> {
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

    fn lines(self, indent: usize) -> Vec<Line> {
        let mut lines = vec![self.headline()];
        if !self.step.parts.is_empty() {
            for part in &self.step.parts {
                let part_lines = self.for_step(part).lines(INDENT);
                lines.extend(part_lines.into_iter().map(|line| Line::indent(indent).join(line)));
            }
            return lines;
        }
        let reason = self.reason();
        // `reason` is the sentence of the rule's author or a default sentence. The tree of cases already ends with the
        // default sentence.
        if !reason.is_empty() && (self.step.cases.is_empty() || self.step.because.is_some()) {
            lines.push(Line::indent(indent).with(Role::Quiet, reason));
        }
        lines.extend(self.cases(indent));
        lines
    }

    /// Writes the pattern. The pattern of a step with parts consists of the patterns of the parts, each once.
    fn pattern(self) -> Line {
        if !self.step.parts.is_empty() {
            let mut patterns: Vec<Line> = Vec::new();
            for pattern in self.step.parts.iter().map(|part| self.for_step(part).pattern()) {
                if !pattern.pieces.is_empty() && !patterns.contains(&pattern) {
                    patterns.push(pattern);
                }
            }
            let pattern = patterns.into_iter().reduce(|line, pattern| line.with(Role::Plain, "; ").join(pattern));
            return pattern.unwrap_or_default();
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

    /// Writes the values that the rule chose and its chain does not show: `5/6/9 in r4c78,r9c8`.
    fn values(self) -> String {
        let values = self.pattern_values();
        let mut digits = values.digits;
        if let [cells] = values.cells.as_slice()
            && digits.is_empty()
            && values.families_and_places.is_empty()
        {
            digits = self.digits_of_all(cells).iter().collect();
        }
        let named_digits: DigitSet = digits.iter().copied().collect();
        // Single cells are written together, as `5/6 in r4c78`, if the pattern names all digits of all cells.
        let can_group_singles = values.cells.iter().all(|cells| self.digits_of_all(cells).within(named_digits));
        let (singles, sets): (Vec<&[Cell]>, Vec<&[Cell]>) =
            values.cells.iter().copied().partition(|cells| can_group_singles && cells.len() == 1);
        let mut places: Vec<String> = Vec::new();
        if !singles.is_empty() {
            places.push(self.names.cells(&singles.concat()));
        }
        for cells in sets {
            places.push(if self.digits_of_all(cells).within(named_digits) {
                self.names.cells(cells)
            } else {
                cells_with_digits(self.names.board, cells, &|cell| self.step.digits_of(cell))
            });
        }
        places.extend(values.families_and_places);
        places.extend(values.houses.iter().map(|houses| self.names.houses(houses)));
        let digits: Vec<String> = digits.iter().map(Digit::to_string).collect();
        let pattern = join_nonempty([digits.join("/"), places.join(", ")], " in ");
        let guardians = self.guardians().map(|guardians| format!(" but for {}", self.names.candidates(guardians)));
        join_nonempty([pattern, values.candidates.join(" / ")], ", ") + &guardians.collect::<String>()
    }

    pub fn digits_of_all(self, cells: &[Cell]) -> DigitSet {
        cells.iter().fold(DigitSet::EMPTY, |union, &cell| union | self.step.digits_of(cell))
    }

    /// Returns the sets of guardians. If no candidate of a set is true, the conclusion of the rule holds.
    pub fn guardians(self) -> impl Iterator<Item = &'a [Candidate]> {
        self.step.bindings.iter().filter(|binding| binding.is_guardian).filter_map(|binding| match &binding.value {
            Value::Candidates(candidates) if !candidates.is_empty() => Some(candidates.as_slice()),
            _ => None,
        })
    }

    fn pattern_values(self) -> PatternValues<'a> {
        let step = self.step;
        let mut values = PatternValues::default();
        let mut digits = Vec::new();
        let mut digits_of_candidates = DigitSet::EMPTY;
        for binding in step.bindings.iter().filter(|binding| binding.is_chosen && !self.is_shown_elsewhere(binding)) {
            match &binding.value {
                Value::Digits(list) => digits.extend(list.iter()),
                Value::Cells(cells) => values.cells.push(cells),
                Value::Houses(houses) => values.houses.push(houses),
                Value::Candidates(candidates) => {
                    for candidate in candidates {
                        digits_of_candidates = digits_of_candidates | DigitSet::single(candidate.digit);
                    }
                    values.candidates.push(if binding.is_ring {
                        notation::closed_chain(self.names.board, candidates)
                    } else {
                        self.names.candidates(candidates)
                    });
                }
                Value::Family(_) => {
                    values
                        .families_and_places
                        .push(headline_value(self.names.board, &binding.value, &|cell| step.digits_of(cell)));
                }
                // A digit in a row, with the columns where it can go: `5 in r2c37`.
                Value::Places(places) => values.families_and_places.extend(places.iter().map(|&(house, digit)| {
                    let mut houses = self.crossing_lines(house, digit);
                    houses.push(house);
                    houses.sort_unstable();
                    format!("{digit} in {}", self.names.houses(&houses))
                })),
                Value::Number(_) => {}
            }
        }
        for digit in digits {
            if !digits_of_candidates.has(digit) && !values.digits.contains(&digit) {
                values.digits.push(digit);
            }
        }
        values.cells.dedup();
        // The deductions name the cells in which the step places a digit. The pattern names these cells only if it has
        // nothing else to name.
        let names_only_solved_cells = values.cells.iter().all(|cells| self.solves_all(cells))
            && values.houses.is_empty()
            && values.families_and_places.is_empty()
            && values.candidates.is_empty();
        if !names_only_solved_cells {
            values.cells.retain(|cells| !self.solves_all(cells));
        }
        values
    }

    fn solves_all(self, cells: &[Cell]) -> bool {
        cells.iter().all(|cell| self.step.placements.iter().any(|placed| placed.cell == *cell))
    }

    /// Returns true if a value is empty, or if the chain, the cases or the deductions show it.
    fn is_shown_elsewhere(self, binding: &BoundName) -> bool {
        let step = self.step;
        match &binding.value {
            _ if binding.in_chain && !step.chain.is_empty() => true,
            Value::Cells(cells) => cells.is_empty(),
            Value::Digits(digits) => digits.iter().all(|digit| {
                let mut ends = step.chain.first().into_iter().chain(step.chain.last());
                ends.any(|end| end.node.digit == digit)
            }),
            Value::Houses(houses) => houses.iter().all(|&house| self.is_shown_with_place(house)),
            Value::Candidates(candidates) => candidates.iter().all(|candidate| {
                !step.cases.is_empty() && (step.eliminations.contains(candidate) || step.placements.contains(candidate))
            }),
            Value::Family(_) | Value::Places(_) | Value::Number(_) => false,
        }
    }

    /// Returns true if the text of a place contains the line, as `5 in r2c37` contains columns 3 and 7.
    fn is_shown_with_place(self, line: HouseId) -> bool {
        self.step.bindings.iter().filter(|binding| binding.is_chosen).any(|binding| {
            matches!(&binding.value, Value::Places(places)
                if places.iter().any(|&(house, digit)| self.crossing_lines(house, digit).contains(&line)))
        })
    }

    /// Returns the lines that cross a house in the cells that had the digit before the step: columns that cross a row, or
    /// rows that cross any other house.
    pub fn crossing_lines(self, house: HouseId, digit: Digit) -> Vec<HouseId> {
        let board = self.names.board;
        let house = board.house(house);
        let crossing = if house.kind == HouseKind::Row { HouseKind::Column } else { HouseKind::Row };
        let cells = house.cells.iter().filter(|&&cell| self.step.digits_of(cell).has(digit));
        let lines =
            cells.filter_map(|&cell| board.houses_of(cell).iter().find(|id| board.house(**id).kind == crossing));
        lines.copied().collect()
    }
}

fn join_nonempty(texts: [String; 2], gap: &str) -> String {
    texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(gap)
}
