//! Almost locked sets, word for word. In: a set of cells, or a family of such sets. Out: whether it is what the
//! condition says.

use super::Evaluator;
use crate::engine::Value;
use crate::grid::{Cell, DigitSet};
use crate::lang::ir::{Expr, HouseClass, VarId};
use std::collections::BTreeSet;

impl Evaluator<'_> {
    /// Unsolved cells of one house, at least one, with exactly this many digits more than cells.
    pub(super) fn almost_locked(&self, cells: &Expr, over: u32) -> bool {
        self.is_locked(&self.cells(cells), over)
    }

    /// The same of a list of cells.
    pub fn is_locked(&self, cells: &[Cell], over: u32) -> bool {
        let digits = cells.iter().fold(DigitSet::EMPTY, |all, cell| all | self.state.candidates(*cell));
        !cells.is_empty()
            && cells.iter().all(|cell| self.state.value(*cell).is_none())
            && self.in_one(cells, HouseClass::Any)
            && digits.len() == cells.len() + over as usize
    }

    /// `petal disjoint`: no two members of a family have a cell in common.
    pub(super) fn apart(&self, name: VarId) -> bool {
        match self.bindings.get(name.0) {
            Some(Some(Value::Family(members))) => {
                let mut seen = BTreeSet::new();
                members.iter().flat_map(|(_, cells)| cells).all(|cell| seen.insert(*cell))
            }
            _ => self.set(&Expr::Var(name)).is_empty(),
        }
    }

    /// The unsolved cells of each house.
    pub fn house_cells(&self) -> Vec<Vec<Cell>> {
        self.geometry.houses().iter().map(|house| self.unsolved(house.cells.iter().copied())).collect()
    }
}
