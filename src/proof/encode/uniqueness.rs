//! Consequences of a single solution. In: `closed`, `givens allow`, and the pattern of a rule that assumes one solution.
//! Out: their literals, and exchanges: second grids made from the solution.
//!
//! A grid that breaks no house and stays within the digits that the puzzle leaves open is the solution. In particular this
//! holds for a grid described as a change of the solution: two digits x and y exchanged on a closed set, two lines exchanged
//! on a set that is closed between them, or the other of two candidates in every unsolved cell. Each such sentence is a
//! clause; no search for the right grid is made.

use super::names::Bound;
use super::values::{Candidates, Cells, Lits};
use super::{Encoder, Refusal};
use crate::lang::ir::{
    Choose, Condition, Expr, Kind, Operand, Origin, PredicateId, Quantifier, Statement, VarId, VarShape,
};
use crate::proof::circuit::{members, pairs};
use crate::proof::solver::Lit;

impl Encoder<'_> {
    /// `givens allow D in S`.
    pub(super) fn givens_allow(&mut self, side: &Operand, digits: &Expr) -> Result<Lit, Refusal> {
        let (cells, digits) = (self.cell_set(&side.cells)?, self.digit_set(digits)?);
        let every = side.quantifier == Quantifier::Every;
        let mut outer = Vec::new();
        for (cell, here) in members(&cells.bits) {
            let holds = self.circuit.every_implies(pairs(&digits, &self.world.cells[cell].open));
            outer.push(self.circuit.quantified(every, [(here, holds)]));
        }
        let known = if every { self.circuit.and(outer) } else { self.circuit.or(outer) };
        Ok(self.unless_outside(known, cells.rest, every))
    }

    fn members_in(&self, house: usize) -> Vec<usize> {
        (0..self.world.count()).filter(|&cell| self.world.houses[house].holds[cell] == Lit::TRUE).collect()
    }

    fn in_a_house(&self, a: usize, b: usize) -> bool {
        self.world.houses.iter().any(|house| house.holds[a] == Lit::TRUE && house.holds[b] == Lit::TRUE)
    }

    /// Each two cells of a board that see each other.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let count = self.world.count();
        let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        all.filter(|&(a, b)| self.world.sees(a, b) == Lit::TRUE).collect()
    }

    /// Demands of every second grid that the pattern speaks of that it is the solution or none of the puzzle, and names the
    /// exchanges.
    pub fn demand_exchanges(&mut self) -> Result<(), Refusal> {
        let variant = self.scope.variant;
        let mut conditions = Vec::new();
        for statement in &variant.body {
            if !matches!(statement, Statement::Choose(Choose { for_each: Some(_), .. })) {
                conditions.extend(statement.conditions(&variant.vars).into_owned());
            }
        }
        while let Some(condition) = conditions.pop() {
            if let Some([set]) = condition.args_of(PredicateId::Closed) {
                self.exchange_digits(set, Lit::TRUE)?;
            } else if let Some([set, k, l]) = condition.args_of(PredicateId::ClosedBetween) {
                self.exchange_lines(set, k, l)?;
            } else if let Condition::And(parts) = condition {
                conditions.extend(parts);
            }
        }
        if self.exchange.is_empty() {
            self.exchange_where_closed()?;
            self.take_others()?;
        }
        Ok(())
    }

    /// Exchanges two named digits on sets of cells that the rule does not call closed, if they are closed. The smallest
    /// closed set is a rectangle.
    fn exchange_where_closed(&mut self) -> Result<(), Refusal> {
        let variant = self.scope.variant;
        for choose in variant.choices().filter(|choose| choose.for_each.is_none()) {
            let declared = variant.var(choose.var);
            let cells = (declared.kind, declared.shape) == (Kind::Cell, VarShape::Set);
            if !cells || self.world.open || self.size(choose)?.0 < 4 {
                continue;
            }
            let set = Expr::from(choose.var);
            let closed = self.condition(&PredicateId::Closed.applied_to(vec![set.clone()]))?;
            self.exchange_digits(&set, closed)?;
        }
        Ok(())
    }

    /// Exchanges each two named digits on a set, if it is closed.
    fn exchange_digits(&mut self, set: &Expr, closed: Lit) -> Result<(), Refusal> {
        let cells = self.cell_set(set)?;
        let variant = self.scope.variant;
        let mut named: Vec<(usize, &str)> = Vec::new();
        for (var, bound) in variant.vars.iter().zip(&self.scope.bound) {
            if let (VarShape::Single, Some(Bound::Digits(bits))) = (var.shape, bound) {
                named.extend(bits.iter().position(|&bit| bit == Lit::TRUE).map(|digit| (digit, var.name.as_str())));
            }
        }
        for (at, &(x, first)) in named.iter().enumerate() {
            for &(y, second) in &named[at + 1..] {
                self.swap_digits(&cells, closed, x, y);
                self.exchange.push(format!("{first} and {second} exchanged on {}", self.words(set)));
            }
        }
        Ok(())
    }

    /// Adds: some cell of the set holds a third digit, or is not allowed both digits.
    ///
    /// Otherwise the exchange would be a second grid. Suppose it gives a cell c the digit x, and a cell e that sees c has x
    /// too. If e is in the set, both held y before. Otherwise e held x before and, as the set is closed, a house of both has
    /// a third cell, of the set, that sees both and holds x or y: neither is possible.
    fn swap_digits(&mut self, cells: &Cells, closed: Lit, x: usize, y: usize) {
        let none = !self.circuit.or(cells.bits.iter().copied());
        let mut ways = vec![none, cells.rest, !closed];
        for (cell, here) in members(&cells.bits) {
            let lits = &self.world.cells[cell];
            let holds = self.circuit.or2(lits.solution[x], lits.solution[y]);
            let stays = !self.circuit.and([holds, lits.open[x], lits.open[y]]);
            ways.push(self.circuit.and2(here, stays));
        }
        self.circuit.clause(&ways);
    }

    /// Exchanges the two lines on a set that is closed between them. If the set has as many cells in each line as there are
    /// digits in D and holds no others, both lines have exactly D in it, and every other house keeps its digits. So, with
    /// one solution, a cell of the set holds a digit outside of D, or is not allowed all of D.
    fn exchange_lines(&mut self, set: &Expr, k: &Expr, l: &Expr) -> Result<(), Refusal> {
        if self.world.open {
            return Err(Refusal::NoBoard("lines exchanged"));
        }
        let cells = self.cell_set(set)?;
        let variant = self.scope.variant;
        for id in 0..variant.vars.len() {
            // Sets of digits, chosen or worked out.
            let var = &variant.vars[id];
            let single = var.shape == VarShape::Single && var.origin != Origin::Let;
            if var.kind != Kind::Digit || var.origin == Origin::Index || single {
                continue;
            }
            let Lits::Digits(digits) = self.value(&VarId(id).into())? else { continue };
            let mut ways = vec![!self.circuit.or(cells.bits.iter().copied())];
            for line in [k, l] {
                let line = self.cell_set(&Expr::HouseCells(Box::new(line.clone())))?;
                let here = self.circuit.each_both(pairs(&cells.bits, &line.bits));
                let most = self.digits();
                let (size, wanted) = (self.circuit.counts(&here, most), self.circuit.counts(&digits, most));
                ways.extend(self.circuit.each_both(pairs(&wanted, &size).map(|(wanted, size)| (wanted, !size))));
            }
            for (cell, here) in members(&cells.bits) {
                let lits = &self.world.cells[cell];
                for (digit, &of) in digits.iter().enumerate() {
                    ways.push(self.circuit.and([here, !of, lits.solution[digit]]));
                    ways.push(self.circuit.and([here, of, !lits.open[digit]]));
                }
            }
            self.circuit.clause(&ways);
            let [k, l, on] = [k, l, set].map(|expr| self.words(expr));
            self.exchange.push(format!("{k} and {l} exchanged on {on}"));
        }
        Ok(())
    }

    /// Replaces the digit of every unsolved cell by its candidate that is neither true nor among those the rule mentions.
    fn take_others(&mut self) -> Result<(), Refusal> {
        if self.world.open {
            return Err(Refusal::NoBoard("a second grid"));
        }
        // Cells that see each other without a house could still clash, and a house that lacks digits could hold both of
        // two places.
        let partial = self.world.placed.iter().any(|digits| digits.contains(&false));
        if partial || self.pairs().into_iter().any(|(a, b)| !self.in_a_house(a, b)) {
            return Ok(());
        }
        let variant = self.scope.variant;
        for (var, value) in variant.lets() {
            if variant.var(var).kind != Kind::Candidate {
                continue;
            }
            let excepted = self.candidates(value)?;
            self.other_grid_fails(&excepted);
            let name = &variant.var(var).name;
            self.exchange.push(format!("in every unsolved cell the other candidate, {name} aside"));
        }
        Ok(())
    }

    /// Adds: some mentioned candidate is true. Otherwise the rest leaves two candidates in each unsolved cell and two places
    /// for each unsolved digit of a house. The solution takes one of each two, so the other ones form a second grid; each
    /// digit that is unsolved in a house has its place among the rest, so none is missing.
    fn other_grid_fails(&mut self, excepted: &Candidates) {
        let digits = self.digits();
        let mut left = Vec::with_capacity(excepted.bits.len());
        let mut ways = vec![!self.circuit.or(self.world.cells.iter().map(|cell| cell.unsolved))];
        for (lits, excepted) in self.world.cells.iter().zip(excepted.bits.chunks(digits)) {
            for (digit, &excepted) in excepted.iter().enumerate() {
                ways.push(self.circuit.and2(excepted, lits.solution[digit]));
                left.push(self.circuit.and2(lits.candidate[digit], !excepted));
            }
            let two = self.circuit.exactly(&left[left.len() - digits..], 2);
            ways.push(self.circuit.and2(lits.unsolved, !two));
        }
        for house in 0..self.world.houses.len() {
            let cells = self.members_in(house);
            for digit in 0..digits {
                let places: Vec<Lit> = cells.iter().map(|&cell| left[cell * digits + digit]).collect();
                let (some, two) = (self.circuit.or(places.iter().copied()), self.circuit.exactly(&places, 2));
                ways.push(self.circuit.and2(some, !two));
            }
        }
        self.circuit.clause(&ways);
    }

    fn words(&self, expr: &Expr) -> String {
        expr.as_var().map_or_else(|| "a set".into(), |name| self.scope.variant.var(name).name.clone())
    }
}

/// For each cell, a literal: it is a given. If `wanted` holds, all other cells are allowed every digit.
pub(crate) fn givens(encoder: &mut Encoder<'_>, wanted: Lit) -> Vec<Lit> {
    let mut out = Vec::new();
    for lits in &encoder.world.cells {
        let given = encoder.circuit.fresh();
        encoder.circuit.imply(given, !lits.unsolved);
        for (open, solution) in pairs(&lits.open, &lits.solution) {
            encoder.circuit.clause(&[!wanted, !given, solution, !open]);
            encoder.circuit.clause(&[!wanted, given, open]);
        }
        out.push(given);
    }
    out
}
