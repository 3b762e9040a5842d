//! Nodes of fixed chains. In: cells and digits. Out: literals for `group` and for the last places of a digit in a house.

use super::value::Cells;
use super::{Encoder, Refusal};
use crate::lang::ir::{Condition, Expr};
use crate::proof::solver::Lit;

impl Encoder<'_> {
    /// The last places of a digit in some house: two cells, or two sets of cells together. Without a board the house is one that the world has for
    /// this condition.
    pub(super) fn conjugate(
        &mut self,
        condition: &Condition,
        digit: &Expr,
        a: &Expr,
        b: &Expr,
    ) -> Result<Lit, Refusal> {
        let digits = self.digit_set(digit)?;
        let (a, b) = (self.cell_set(a)?, self.cell_set(b)?);
        let slot = self.unnamed.conjugate.iter().find(|(known, _)| known == condition).map(|(_, house)| *house);
        if self.world.open {
            let house = slot.ok_or(Refusal::LinkInFor)?;
            let may = self.last_two(house, &digits, &a, &b);
            return Ok(self.circuit.between(Lit::FALSE, may));
        }
        let mut ways = Vec::new();
        for house in 0..self.world.houses.len() {
            ways.push(self.last_two(house, &digits, &a, &b));
        }
        let some = self.circuit.or(ways);
        let alike = self.same_places(&digits, &a, &b);
        Ok(self.circuit.and2(some, !alike))
    }

    /// Whether two sets of cells have a digit in the same places.
    fn same_places(&mut self, digits: &[Lit], a: &Cells, b: &Cells) -> Lit {
        let mut parts = Vec::new();
        for cell in 0..self.world.count() {
            let other = self.circuit.same(a.bits[cell], b.bits[cell]);
            let has = self.has(cell, digits);
            parts.push(self.circuit.or2(!has, other));
        }
        self.circuit.and(parts)
    }

    /// Whether the digit's places in the house are just those in the two sets together, and each has one.
    fn last_two(&mut self, house: usize, digits: &[Lit], a: &Cells, b: &Cells) -> Lit {
        let mut parts = Vec::new();
        let mut ends = [vec![a.rest], vec![b.rest]];
        for cell in 0..self.world.count() {
            let holds = self.world.houses[house].holds[cell];
            let mut present = Vec::new();
            for (digit, &is) in digits.iter().enumerate().filter(|(_, is)| **is != Lit::FALSE) {
                present.push(self.circuit.and2(is, self.world.cells[cell].candidate[digit]));
                // A digit with places in a house has none that is solved, also where its places are not in the world.
                let value = self.world.value(&mut self.circuit, cell, digit);
                parts.push(!self.circuit.and([holds, is, value]));
            }
            let present = self.circuit.or(present);
            let named = [a, b].map(|set| self.circuit.and2(set.bits[cell], present));
            let place = self.circuit.and2(holds, present);
            let one = self.circuit.or(named);
            parts.push(self.circuit.same(place, one));
            ends.iter_mut().zip(named).for_each(|(end, here)| end.push(here));
        }
        for end in ends {
            parts.push(self.circuit.or(end));
        }
        self.circuit.and(parts)
    }

    /// One unsolved cell, or all unsolved cells of a box and a line, two or more. Without a board only that they see
    /// each other.
    pub(super) fn group(&mut self, cells: &Expr) -> Result<Lit, Refusal> {
        let set = self.cell_set(cells)?;
        if self.world.open {
            let mut parts = Vec::new();
            for a in 0..set.bits.len() {
                for b in a + 1..set.bits.len() {
                    parts.push(self.circuit.or([!set.bits[a], !set.bits[b], self.world.sees(a, b)]));
                }
            }
            let may = self.circuit.and(parts);
            return Ok(self.circuit.between(Lit::FALSE, may));
        }
        let houses = self.world.houses.clone();
        let mut ways = vec![self.circuit.exactly(&set.bits, 1)];
        for boxed in houses.iter().filter(|house| house.boxed == Lit::TRUE) {
            for line in houses.iter().filter(|house| house.row == Lit::TRUE || house.column == Lit::TRUE) {
                let shared: Vec<Lit> =
                    boxed.holds.iter().zip(&line.holds).map(|(&x, &y)| self.circuit.and2(x, y)).collect();
                if shared.iter().filter(|&&lit| lit == Lit::TRUE).count() < 2 {
                    continue;
                }
                let mut parts = vec![self.circuit.at_least(&set.bits, 2)];
                for (cell, &here) in shared.iter().enumerate() {
                    let wanted = self.circuit.and2(here, self.world.cells[cell].unsolved);
                    parts.push(self.circuit.same(set.bits[cell], wanted));
                }
                ways.push(self.circuit.and(parts));
            }
        }
        Ok(self.circuit.or(ways))
    }
}
