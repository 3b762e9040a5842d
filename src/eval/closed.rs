//! Closed sets of cells, and what the puzzle leaves open, word for word. In: cells, lines, digits. Out: truth.

use super::Evaluator;
use super::things::houses_in;
use crate::grid::{Cell, HouseKind};
use crate::lang::ir::{Expr, Operand, Quantifier};

impl Evaluator<'_> {
    /// No house, and no two cells that see each other otherwise, holds just one of the cells.
    pub(super) fn closed(&self, cells: &Expr) -> bool {
        let set = self.cells(cells);
        self.every_unit(|unit, _| unit.iter().filter(|cell| set.contains(cell)).count() != 1)
    }

    /// The cells lie in two parallel lines, with every cell the one at its place in the other line, and every
    /// other house holds both of them or neither.
    pub(super) fn closed_between(&self, cells: &Expr, k: &Expr, l: &Expr) -> bool {
        let set = self.cells(cells);
        let (k, l) = (houses_in(&self.set(k)), houses_in(&self.set(l)));
        let ([k], [l]) = (k.as_slice(), l.as_slice()) else { return false };
        let lines = (self.geometry.house(*k), self.geometry.house(*l));
        if k == l || lines.0.kind != lines.1.kind || !matches!(lines.0.kind, HouseKind::Row | HouseKind::Column) {
            return false;
        }
        let pairs: Vec<(Cell, Cell)> = lines.0.cells.iter().copied().zip(lines.1.cells.iter().copied()).collect();
        let whole = |pair: &(Cell, Cell)| set.contains(&pair.0) == set.contains(&pair.1);
        let here: Vec<(Cell, Cell)> = pairs.iter().copied().filter(|pair| set.contains(&pair.0)).collect();
        let in_lines = |cell: &Cell| lines.0.cells.contains(cell) || lines.1.cells.contains(cell);
        let is_line = |unit: &[Cell]| unit == lines.0.cells.as_slice() || unit == lines.1.cells.as_slice();
        set.iter().all(in_lines)
            && pairs.iter().all(whole)
            && self.every_unit(|unit, _| {
                is_line(unit) || here.iter().all(|pair| unit.contains(&pair.0) == unit.contains(&pair.1))
            })
    }

    /// The puzzle leaves every one of the digits possible in each (some) of the cells.
    pub(super) fn givens_allow(&self, side: &Operand, digits: &Expr) -> bool {
        let digits = self.digits(digits);
        let open = |cell: &Cell| digits.within(self.state.open(*cell));
        let cells = self.cells(&side.of);
        match side.quantifier {
            Quantifier::Every => cells.iter().all(open),
            Quantifier::Some => cells.iter().any(open),
        }
    }
}
