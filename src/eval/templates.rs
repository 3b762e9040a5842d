//! Enumerates templates of digits and combinations of cells by their definition. In: digits or cells. Out: the candidates
//! that are in no template or combination, or in every template.
//!
//! A template of a digit is a set of cells, one in each house, that could all hold the digit. A combination of some cells
//! has a candidate for each cell. No candidate excludes another, and every almost locked set keeps enough digits.

use super::Evaluator;
use crate::engine::Value;
use crate::grid::{Candidate, Cell, Digit, DigitSet};
use crate::lang::ir::Expr;
use std::collections::BTreeSet;

/// Maximum number of partial templates examined; with more, the templates of the digit count as unknown.
const MAX_TRIED: usize = 2_000_000;

/// Maximum number of cells of an almost locked set that combinations respect.
const MAX_LOCKED_CELLS: usize = 4;

/// The cells of a template, row by row.
type DigitTemplate = Vec<Cell>;

impl Evaluator<'_> {
    /// Returns the candidates that are in no template of the digits, or in no combination of the cells.
    pub(super) fn in_no_template(&self, subject: &Expr) -> Vec<Candidate> {
        match self.value(subject) {
            Value::Digits(digits) => self.candidates_by_templates(digits, none_has),
            _ => self.in_no_combination(&self.cells(subject)),
        }
    }

    /// Returns the candidates that are in every template of their digit.
    pub(super) fn in_every_template(&self, digits: &Expr) -> Vec<Candidate> {
        self.candidates_by_templates(self.digits(digits), all_have)
    }

    /// Returns the candidates of some digits whose cells pass a test on the digit's templates. Digits with unknown templates
    /// are skipped.
    fn candidates_by_templates(&self, digits: DigitSet, test: fn(&[DigitTemplate], Cell) -> bool) -> Vec<Candidate> {
        let mut out = Vec::new();
        for (digit, templates) in self.joint_templates(digits) {
            let Some(templates) = templates else { continue };
            for cell in self.geometry.cells() {
                if self.state.candidates(cell).has(digit) && test(&templates, cell) {
                    out.push(Candidate::new(digit, cell));
                }
            }
        }
        out
    }

    /// Returns the templates of each digit, or `None` if they are unknown. If all templates of a digit have a cell, then the
    /// templates of other digits with this cell are removed, until nothing changes.
    fn joint_templates(&self, digits: DigitSet) -> Vec<(Digit, Option<Vec<DigitTemplate>>)> {
        let mut by_digit: Vec<_> = digits.iter().map(|digit| (digit, self.templates(digit))).collect();
        loop {
            let previous = by_digit.clone();
            for (digit, templates) in &mut by_digit {
                let Some(templates) = templates else { continue };
                let others = previous.iter().filter(|(other, _)| other != digit);
                let others: Vec<&Vec<DigitTemplate>> = others.filter_map(|(_, templates)| templates.as_ref()).collect();
                templates
                    .retain(|template| !template.iter().any(|cell| others.iter().any(|other| all_have(other, *cell))));
            }
            if by_digit == previous {
                return by_digit;
            }
        }
    }

    /// Returns every template of a digit, or `None` if there are too many.
    fn templates(&self, digit: Digit) -> Option<Vec<DigitTemplate>> {
        let mut cells: DigitTemplate =
            self.geometry.cells().filter(|cell| self.state.value(*cell) == Some(digit)).collect();
        let mut out = Vec::new();
        let mut tried = 0;
        self.complete_template(digit, 0, &mut cells, &mut out, &mut tried)?;
        Some(out)
    }

    /// Appends to `out` all templates that complete the cells `chosen` from a row on. `None` if the limit is reached.
    fn complete_template(
        &self,
        digit: Digit,
        row: usize,
        chosen: &mut DigitTemplate,
        out: &mut Vec<DigitTemplate>,
        tried: &mut usize,
    ) -> Option<()> {
        *tried += 1;
        if *tried > MAX_TRIED || self.is_cancelled() {
            return None;
        }
        if row == self.geometry.size() {
            let mut houses = self.geometry.houses().iter().filter(|house| house.cells.len() == self.geometry.size());
            if houses.all(|house| house.cells.iter().any(|cell| chosen.contains(cell))) {
                out.push(chosen.clone());
            }
            return Some(());
        }
        if chosen.iter().any(|cell| self.geometry.row(*cell) == row) {
            return self.complete_template(digit, row + 1, chosen, out, tried);
        }
        for column in 0..self.geometry.size() {
            let cell = self.geometry.cell(row, column);
            let is_free = !chosen.iter().any(|other| self.geometry.sees(cell, *other));
            if is_free && self.state.candidates(cell).has(digit) {
                chosen.push(cell);
                self.complete_template(digit, row + 1, chosen, out, tried)?;
                chosen.pop();
            }
        }
        Some(())
    }

    fn in_no_combination(&self, cells: &[Cell]) -> Vec<Candidate> {
        let cells = self.unsolved(cells.iter().copied());
        let locked = self.locked_sets(cells.len());
        let mut possible = BTreeSet::new();
        self.each_combination(&cells, &mut Vec::new(), &mut |combination| {
            if locked.iter().all(|set| self.keeps_enough_digits(set, combination)) && !self.is_cancelled() {
                possible.extend(combination.iter().copied());
            }
        });
        let candidates = cells.iter().flat_map(|cell| self.candidates_of(*cell));
        candidates.filter(|candidate| !possible.contains(candidate)).collect()
    }

    /// Visits every choice of a candidate for each cell that extends the candidates `chosen`, none excluding another.
    pub fn each_combination(&self, cells: &[Cell], chosen: &mut Vec<Candidate>, visit: &mut dyn FnMut(&[Candidate])) {
        let Some((first, rest)) = cells.split_first() else { return visit(chosen) };
        if self.is_cancelled() {
            return;
        }
        for candidate in self.candidates_of(*first) {
            if !chosen.iter().any(|other| self.geometry.excludes(*other, candidate)) {
                chosen.push(candidate);
                self.each_combination(rest, chosen, visit);
                chosen.pop();
            }
        }
    }

    /// Returns the sets of unsolved cells of one house that have fewer than `surplus_end` digits more than cells.
    pub fn locked_sets(&self, surplus_end: usize) -> BTreeSet<Vec<Cell>> {
        let mut out = BTreeSet::new();
        for house in self.geometry.houses() {
            self.grow_locked(&self.unsolved(house.cells.iter().copied()), &mut Vec::new(), surplus_end, &mut out);
        }
        out
    }

    /// Inserts into `out` the almost locked sets that extend `set` by cells of `rest`.
    fn grow_locked(&self, rest: &[Cell], set: &mut Vec<Cell>, surplus_end: usize, out: &mut BTreeSet<Vec<Cell>>) {
        if self.is_cancelled() {
            return;
        }
        let digits = self.candidate_digits(set).len();
        if !set.is_empty() && (set.len()..set.len() + surplus_end).contains(&digits) {
            out.insert(set.clone());
        }
        if set.len() < MAX_LOCKED_CELLS && digits < MAX_LOCKED_CELLS + surplus_end {
            for (index, cell) in rest.iter().enumerate() {
                set.push(*cell);
                self.grow_locked(&rest[index + 1..], set, surplus_end, out);
                set.pop();
            }
        }
    }

    /// Returns true if the set keeps at least as many digits as it has cells. The set loses the digit of a candidate in the
    /// combination if the candidate sees all cells of the set that can hold the digit.
    pub fn keeps_enough_digits(&self, set: &[Cell], combination: &[Candidate]) -> bool {
        let mut digits = self.candidate_digits(set);
        for candidate in combination {
            let mut cells = set.iter().filter(|cell| self.state.candidates(**cell).has(candidate.digit));
            if cells.all(|cell| self.geometry.sees(candidate.cell, *cell)) {
                digits = digits - DigitSet::single(candidate.digit);
            }
        }
        digits.len() >= set.len()
    }
}

/// Returns true if there are templates and all of them have the cell.
fn all_have(templates: &[DigitTemplate], cell: Cell) -> bool {
    !templates.is_empty() && templates.iter().all(|template| template.contains(&cell))
}

fn none_has(templates: &[DigitTemplate], cell: Cell) -> bool {
    !templates.iter().any(|template| template.contains(&cell))
}
