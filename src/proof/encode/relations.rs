//! How houses lie, and sets of cells. In: houses and cells as literals. Out: literals for `meeting`,
//! `crossing`, `in one house` and `connected`.

use super::names::declaration;
use super::value::{Cells, Houses, Value};
use super::{Encoder, Refusal};
use crate::lang::ir::{Expr, HouseClass, Incidence};
use crate::proof::solver::Lit;

/// Without a board ways through no more cells are followed.
const MOST_JOINED: usize = 9;

impl Encoder<'_> {
    /// Each house of the left lies so with each house of the right, or with the cells of the right.
    pub(super) fn lie(&mut self, a: &Expr, how: Incidence, b: &Expr) -> Result<Lit, Refusal> {
        if how == Incidence::Missing {
            let (a, b) = (self.cell_set(a)?, self.cell_set(b)?);
            return Ok(self.apart_sets(&a, &b));
        }
        let left = self.house_set(a)?;
        let (allowed, beyond) = match self.value(b)? {
            Value::Houses(right) => (self.lying_with(how, &right)?, right.rest),
            _ if matches!(how, Incidence::Crossing | Incidence::Parallel) => {
                return Err(Refusal::CrossingLines);
            }
            _ => {
                let right = self.cell_set(b)?;
                (self.touching(&right, how == Incidence::Through), Lit::FALSE)
            }
        };
        let mut parts = Vec::new();
        for (&is, &fits) in left.bits.iter().zip(&allowed) {
            parts.push(self.circuit.or2(!is, fits));
        }
        let known = self.circuit.and(parts);
        let outside = self.circuit.or2(left.rest, beyond);
        let must = self.circuit.and2(known, !outside);
        Ok(self.circuit.between(must, known))
    }

    /// For each house whether it lies in this way to every one of `houses` that is in the world.
    fn lying_with(&mut self, how: Incidence, houses: &Houses) -> Result<Vec<Lit>, Refusal> {
        let mut all = vec![Vec::new(); self.world.houses.len()];
        for (house, &is) in houses.bits.iter().enumerate().filter(|(_, is)| **is != Lit::FALSE) {
            let fits = match how {
                Incidence::Crossing | Incidence::Parallel => self.lines(house, how == Incidence::Parallel),
                _ => {
                    let one = self.one_house(house);
                    let cells = self.cells_of_houses(&one);
                    self.touching(&cells, how == Incidence::Through)
                }
            };
            for (parts, fits) in all.iter_mut().zip(fits) {
                parts.push(self.circuit.or2(!is, fits));
            }
        }
        Ok(all.into_iter().map(|parts| self.circuit.and(parts)).collect())
    }

    fn apart_sets(&mut self, a: &Cells, b: &Cells) -> Lit {
        let mut common = Vec::new();
        for (&x, &y) in a.bits.iter().zip(&b.bits) {
            common.push(self.circuit.and2(x, y));
        }
        let here = !self.circuit.or(common);
        let open = self.circuit.and2(a.rest, b.rest);
        let must = self.circuit.and2(here, !open);
        self.circuit.between(must, here)
    }

    /// For each house whether it is a line that runs along this one, or across it.
    fn lines(&mut self, along: usize, parallel: bool) -> Vec<Lit> {
        let (row, column) = (self.world.houses[along].row, self.world.houses[along].column);
        let (same, other) = if parallel { (row, column) } else { (column, row) };
        let mut out = Vec::new();
        for line in self.world.houses.clone() {
            let ways = [self.circuit.and2(line.row, same), self.circuit.and2(line.column, other)];
            out.push(self.circuit.or(ways));
        }
        out
    }

    /// For each house whether it holds some (every) one of these cells.
    fn touching(&mut self, cells: &Cells, every: bool) -> Vec<Lit> {
        let mut out = Vec::new();
        for house in 0..self.world.houses.len() {
            let mut parts = Vec::new();
            for (cell, &is) in cells.bits.iter().enumerate() {
                let holds = self.world.houses[house].holds[cell];
                parts.push(if every { self.circuit.or2(!is, holds) } else { self.circuit.and2(is, holds) });
            }
            let known = if every { self.circuit.and(parts) } else { self.circuit.or(parts) };
            let (must, may) = match (cells.rest, every) {
                (Lit::FALSE, _) => (known, known),
                (_, true) => (Lit::FALSE, known),
                (_, false) => (known, Lit::TRUE),
            };
            out.push(self.circuit.between(must, may));
        }
        out
    }

    /// `in one house`. Without a board there may be a house that no name stands for, but then these cells see
    /// each other.
    pub(super) fn in_one(&mut self, cells: &Expr, class: HouseClass) -> Result<Lit, Refusal> {
        let cells = self.cell_set(cells)?;
        let all = self.touching(&cells, true);
        let mut ways = Vec::new();
        for (house, &holds) in all.iter().enumerate() {
            let right = self.in_class(house, class);
            ways.push(self.circuit.and2(right, holds));
        }
        let known = self.circuit.or(ways);
        if !self.world.open {
            return Ok(known);
        }
        let mut pairs = Vec::new();
        for a in 0..cells.bits.len() {
            for b in a + 1..cells.bits.len() {
                pairs.push(self.circuit.or([!cells.bits[a], !cells.bits[b], self.world.sees(a, b)]));
            }
        }
        let may = self.circuit.and(pairs);
        let must = self.circuit.and2(known, may);
        Ok(self.circuit.between(must, may))
    }

    /// `connected`: from the first of these cells all are reached along cells that see each other.
    pub(super) fn connected(&mut self, cells: &Expr) -> Result<Lit, Refusal> {
        let most = self.most_members(cells);
        let cells = self.cell_set(cells)?;
        if cells.rest != Lit::FALSE {
            return Err(Refusal::Unbounded("`connected`"));
        }
        let members: Vec<usize> = (0..cells.bits.len()).filter(|&c| cells.bits[c] != Lit::FALSE).collect();
        // Ways through many cells that may not be there are dear, and no rule is true because its cells are connected.
        if self.world.open && most.min(members.len()) > MOST_JOINED {
            return Ok(self.circuit.fresh());
        }
        let mut reached = Vec::new();
        let mut earlier = Lit::FALSE;
        for &cell in &members {
            reached.push(self.circuit.and2(cells.bits[cell], !earlier));
            earlier = self.circuit.or2(earlier, cells.bits[cell]);
        }
        for _ in 1..most.min(members.len()) {
            let before = reached.clone();
            for (i, &cell) in members.iter().enumerate() {
                let mut ways = Vec::new();
                for (j, &other) in members.iter().enumerate().filter(|(j, _)| *j != i) {
                    ways.push(self.circuit.and2(before[j], self.world.sees(cell, other)));
                }
                let some = self.circuit.or(ways);
                let joins = self.circuit.and2(cells.bits[cell], some);
                reached[i] = self.circuit.or2(before[i], joins);
            }
        }
        let mut parts = Vec::new();
        for (i, &cell) in members.iter().enumerate() {
            parts.push(self.circuit.or2(!cells.bits[cell], reached[i]));
        }
        Ok(self.circuit.and(parts))
    }

    /// A bound on how many cells an expression stands for, and so on the length of a way through them.
    fn most_members(&self, cells: &Expr) -> usize {
        let declared = match cells {
            Expr::Var(var) => declaration(self.scope.variant, *var).and_then(|choose| self.size(choose).ok()),
            _ => None,
        };
        declared.and_then(|(_, high)| usize::try_from(high).ok()).unwrap_or(usize::MAX)
    }
}
