//! Templates of digits and combinations of cells, word for word. In: digits or cells. Out: the candidates that are in none of
//! them, or in every one.

use super::Evaluator;
use crate::engine::Value;
use crate::grid::{Candidate, Cell, Digit, DigitSet};
use crate::lang::ir::Expr;
use std::collections::BTreeSet;

/// Maximum number of templates examined; with more, the result is unknown.
const MOST: usize = 2_000_000;

/// Cells of an almost locked set, at most.
const LOCKED_CELLS: usize = 4;

impl Evaluator<'_> {
    /// The candidates that are in no template of the digits, or in no combination of the cells.
    pub(super) fn in_none(&self, of: &Expr) -> Vec<Candidate> {
        match self.value(of) {
            Value::Digits(digits) => {
                self.by_templates(digits, |templates, cell| !templates.iter().any(|template| template.contains(&cell)))
            }
            _ => self.in_no_combination(&self.cells(of)),
        }
    }

    /// The candidates that are in every template of their digit.
    pub(super) fn in_every(&self, of: &Expr) -> Vec<Candidate> {
        self.by_templates(self.digits(of), all_have)
    }

    /// Candidates of some digits whose cell passes a test of their templates; none of a digit if its templates are unknown.
    fn by_templates(&self, digits: DigitSet, test: fn(&[Vec<Cell>], Cell) -> bool) -> Vec<Candidate> {
        let mut out = Vec::new();
        for (digit, templates) in self.templates_together(digits) {
            let Some(templates) = templates else { continue };
            let cells = self.geometry.cells().filter(|cell| self.state.candidates(*cell).has(digit));
            out.extend(cells.filter(|cell| test(&templates, *cell)).map(|cell| Candidate::new(digit, cell)));
        }
        out
    }

    /// Templates of each digit that avoid cells which every template of another digit has, in rounds until nothing changes.
    fn templates_together(&self, digits: DigitSet) -> Vec<(Digit, Option<Vec<Vec<Cell>>>)> {
        let mut all: Vec<_> = digits.iter().map(|digit| (digit, self.templates(digit))).collect();
        loop {
            let before = all.clone();
            for (digit, templates) in &mut all {
                let others = before.iter().filter(|(other, _)| other != digit);
                let others: Vec<&Vec<Vec<Cell>>> = others.filter_map(|(_, templates)| templates.as_ref()).collect();
                templates.iter_mut().for_each(|templates| {
                    templates.retain(|one| !one.iter().any(|cell| others.iter().any(|other| all_have(other, *cell))));
                });
            }
            if all == before {
                return all;
            }
        }
    }

    /// Every template of a digit.
    fn templates(&self, digit: Digit) -> Option<Vec<Vec<Cell>>> {
        let placed: Vec<Cell> = self.geometry.cells().filter(|cell| self.state.value(*cell) == Some(digit)).collect();
        let mut out = Vec::new();
        let mut tried = 0;
        self.fill(digit, 0, &mut placed.clone(), &mut out, &mut tried)?;
        Some(out)
    }

    fn fill(
        &self,
        digit: Digit,
        row: usize,
        chosen: &mut Vec<Cell>,
        out: &mut Vec<Vec<Cell>>,
        tried: &mut usize,
    ) -> Option<()> {
        *tried += 1;
        if *tried > MOST || self.halt.is_due() {
            return None;
        }
        if row == self.geometry.size() {
            let full = self.geometry.houses().iter().filter(|house| house.cells.len() == self.geometry.size());
            if full.into_iter().all(|house| house.cells.iter().any(|cell| chosen.contains(cell))) {
                out.push(chosen.clone());
            }
            return Some(());
        }
        if chosen.iter().any(|cell| self.geometry.row(*cell) == row) {
            return self.fill(digit, row + 1, chosen, out, tried);
        }
        for column in 0..self.geometry.size() {
            let cell = self.geometry.cell(row, column);
            let free = !chosen.iter().any(|other| self.geometry.sees(cell, *other));
            if free && self.state.candidates(cell).has(digit) {
                chosen.push(cell);
                self.fill(digit, row + 1, chosen, out, tried)?;
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
            if locked.iter().all(|set| self.enough(set, combination)) && !self.halt.is_due() {
                possible.extend(combination.iter().copied());
            }
        });
        cells.iter().flat_map(|cell| self.candidates_of(*cell)).filter(|one| !possible.contains(one)).collect()
    }

    fn each_combination(&self, cells: &[Cell], chosen: &mut Vec<Candidate>, visit: &mut dyn FnMut(&[Candidate])) {
        let Some((first, rest)) = cells.split_first() else { return visit(chosen) };
        if self.halt.is_due() {
            return;
        }
        for one in self.candidates_of(*first) {
            if !chosen.iter().any(|other| self.geometry.excludes(*other, one)) {
                chosen.push(one);
                self.each_combination(rest, chosen, visit);
                chosen.pop();
            }
        }
    }

    /// Sets of unsolved cells of one house that have 0 to `most - 1` digits more than cells.
    fn locked_sets(&self, most: usize) -> BTreeSet<Vec<Cell>> {
        let mut out = BTreeSet::new();
        for house in self.geometry.houses() {
            self.grow_locked(&self.unsolved(house.cells.iter().copied()), &mut Vec::new(), most, &mut out);
        }
        out
    }

    fn grow_locked(&self, rest: &[Cell], set: &mut Vec<Cell>, most: usize, out: &mut BTreeSet<Vec<Cell>>) {
        if self.halt.is_due() {
            return;
        }
        let digits = set.iter().fold(DigitSet::EMPTY, |all, cell| all | self.state.candidates(*cell)).len();
        if !set.is_empty() && (set.len()..set.len() + most).contains(&digits) {
            out.insert(set.clone());
        }
        if set.len() < LOCKED_CELLS {
            for (index, cell) in rest.iter().enumerate() {
                set.push(*cell);
                self.grow_locked(&rest[index + 1..], set, most, out);
                set.pop();
            }
        }
    }

    /// Returns true if the set keeps at least as many digits as it has cells.
    fn enough(&self, set: &[Cell], combination: &[Candidate]) -> bool {
        let all = set.iter().fold(DigitSet::EMPTY, |all, cell| all | self.state.candidates(*cell));
        let lost = combination.iter().filter(|one| {
            let mut holders = set.iter().filter(|cell| self.state.candidates(**cell).has(one.digit));
            holders.all(|cell| self.geometry.sees(one.cell, *cell))
        });
        let lost: DigitSet = lost.map(|one| one.digit).collect();
        (all - lost).len() >= set.len()
    }

    /// The cells that two or more of these houses share.
    pub(super) fn overlap(&self, houses: &Expr) -> Vec<Cell> {
        let houses = super::houses_in(&self.set(houses));
        let cells = self.geometry.cells();
        cells
            .filter(|cell| houses.iter().filter(|house| self.geometry.house(**house).cells.contains(cell)).count() > 1)
            .collect()
    }
}

/// Returns true if there are templates and all of them have the cell.
fn all_have(templates: &[Vec<Cell>], cell: Cell) -> bool {
    !templates.is_empty() && templates.iter().all(|template| template.contains(&cell))
}
