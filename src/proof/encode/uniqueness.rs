//! Consequences of the assumption that the puzzle has one solution. In: conditions `givens allow`, and the pattern of a
//! rule that assumes one solution. Out: the literals of `givens allow`, and clauses about second grids. A second grid
//! is made from the solution by an exchange.
//!
//! If a grid has no digit twice in a house and only digits that the givens allow, the grid is the solution. Three kinds
//! of second grids are made from the solution. In the first, two digits x and y are exchanged on a closed set. In the
//! second, two lines are exchanged on a set that is closed between the lines. In the third, every unsolved cell gets
//! the other of its two candidates. A clause for each of these grids says: the grid has a digit twice in a house, has a
//! digit that the givens forbid, or is the solution.

use super::names::NameLits;
use super::values::{Candidates, Cells, Lits};
use super::{Encoder, Refusal};
use crate::lang::ir::{Choose, Condition, Expr, Kind, Operand, Origin, PredicateId, Statement, VarId, VarShape};
use crate::proof::circuit::{members, pairs};
use crate::proof::solver::Lit;

/// Number of cells of the smallest closed set, a rectangle.
const SMALLEST_CLOSED_SET: i64 = 4;

impl Encoder<'_> {
    /// Returns the literal for `givens allow D in S`.
    pub(super) fn givens_allow(&mut self, operand: &Operand, digits: &Expr) -> Result<Lit, Refusal> {
        let (cells, digits) = (self.cell_set(&operand.cells)?, self.digit_set(digits)?);
        Ok(self.holds_for_cells(operand.quantifier, &cells, |this, cell| {
            this.circuit.every_implies(pairs(&digits, &this.world.cells[cell].allowed))
        }))
    }

    fn cells_of_house(&self, house: usize) -> Vec<usize> {
        (0..self.world.cell_count()).filter(|&cell| self.world.houses[house].holds[cell] == Lit::TRUE).collect()
    }

    /// Returns true if some cells of the board see each other without sharing a house.
    fn has_pairs_without_house(&self) -> bool {
        let count = self.world.cell_count();
        let mut pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        pairs.any(|(a, b)| {
            let mut houses = self.world.houses.iter();
            self.world.sees(a, b) == Lit::TRUE
                && !houses.any(|house| house.holds[a] == Lit::TRUE && house.holds[b] == Lit::TRUE)
        })
    }

    /// Adds the clauses about the second grids that the pattern mentions. If the pattern mentions none, adds clauses
    /// about the second grids that can be made with its sets and names. Describes each second grid in `second_grids`.
    pub fn add_second_grids(&mut self) -> Result<(), Refusal> {
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
        if self.second_grids.is_empty() {
            self.exchange_digits_where_closed()?;
            self.take_other_candidates()?;
        }
        Ok(())
    }

    /// Exchanges named digits on each set of cells of a rule that does not require its sets to be closed. The clauses
    /// apply only if the set is closed.
    fn exchange_digits_where_closed(&mut self) -> Result<(), Refusal> {
        let variant = self.scope.variant;
        for choose in variant.choices().filter(|choose| choose.for_each.is_none()) {
            let declared = variant.var(choose.var);
            let is_cell_set = (declared.kind, declared.shape) == (Kind::Cell, VarShape::Set);
            if !is_cell_set || self.world.is_open || self.size(choose)?.0 < SMALLEST_CLOSED_SET {
                continue;
            }
            let set = Expr::from(choose.var);
            let is_closed = self.condition(&PredicateId::Closed.applied_to(vec![set.clone()]))?;
            self.exchange_digits(&set, is_closed)?;
        }
        Ok(())
    }

    /// Exchanges any two named digits on a set. The clauses apply only if `is_closed` is true.
    fn exchange_digits(&mut self, set: &Expr, is_closed: Lit) -> Result<(), Refusal> {
        let cells = self.cell_set(set)?;
        let variant = self.scope.variant;
        let mut named: Vec<(usize, &str)> = Vec::new();
        for (var, bound) in variant.vars.iter().zip(&self.scope.values) {
            if let (VarShape::Single, Some(NameLits::Digits(bits))) = (var.shape, bound) {
                named.extend(bits.iter().position(|&bit| bit == Lit::TRUE).map(|digit| (digit, var.name.as_str())));
            }
        }
        for (index, &(x, x_name)) in named.iter().enumerate() {
            for &(y, y_name) in &named[index + 1..] {
                self.exclude_digit_exchange(&cells, is_closed, x, y);
                self.second_grids.push(format!("{x_name} and {y_name} exchanged on {}", self.name_of(set)));
            }
        }
        Ok(())
    }

    /// Adds the clause: some cell of the set holds a third digit, or the givens forbid x or y in the cell.
    ///
    /// Without such a cell, the exchange of x and y would give a second grid without conflicts. To see this, assume a
    /// conflict: the exchange puts x into a cell c, and a peer e of c has x, too. If e is in the set, both cells held y
    /// before the exchange, which is impossible. If e is outside of the set, e held x before the exchange. The set is
    /// closed, so a house of c and e has a third cell in the set. That cell sees c and e, and held x or y before the
    /// exchange. This is impossible as well, because e held x and c held y.
    fn exclude_digit_exchange(&mut self, cells: &Cells, is_closed: Lit, x: usize, y: usize) {
        let is_empty = !self.circuit.or(cells.bits.iter().copied());
        let mut ways = vec![is_empty, cells.has_unmodelled, !is_closed];
        for (cell, is_member) in members(&cells.bits) {
            let lits = &self.world.cells[cell];
            let holds_x_or_y = self.circuit.or2(lits.solution[x], lits.solution[y]);
            let cannot_exchange = !self.circuit.and([holds_x_or_y, lits.allowed[x], lits.allowed[y]]);
            ways.push(self.circuit.and2(is_member, cannot_exchange));
        }
        self.circuit.add_clause(&ways);
    }

    /// Exchanges two lines on a set that is closed between the lines, for each set D of digits in the pattern.
    ///
    /// Assume that the set has as many cells in each line as D has digits, and that its cells hold only digits of D.
    /// Then each line has exactly the digits of D in the set, and the exchange leaves the digits of every other house
    /// unchanged. So in a puzzle with one solution, some cell of the set holds a digit outside of D, or the givens
    /// forbid some digit of D in a cell of the set.
    fn exchange_lines(&mut self, set: &Expr, k: &Expr, l: &Expr) -> Result<(), Refusal> {
        if self.world.is_open {
            return Err(Refusal::NoBoard("lines exchanged"));
        }
        let cells = self.cell_set(set)?;
        let variant = self.scope.variant;
        for id in 0..variant.vars.len() {
            let var = &variant.vars[id];
            let is_single = var.shape == VarShape::Single && var.origin != Origin::Let;
            if var.kind != Kind::Digit || var.origin == Origin::Index || is_single {
                continue;
            }
            let Lits::Digits(digits) = self.value(&VarId(id).into())? else { continue };
            let mut ways = vec![!self.circuit.or(cells.bits.iter().copied())];
            for line in [k, l] {
                let line = self.cell_set(&Expr::HouseCells(Box::new(line.clone())))?;
                let in_line = self.circuit.and_each(pairs(&cells.bits, &line.bits));
                let most = self.digits();
                let cell_count = self.circuit.thresholds(&in_line, most);
                let digit_count = self.circuit.thresholds(&digits, most);
                let has_fewer_cells = pairs(&digit_count, &cell_count).map(|(digits, cells)| (digits, !cells));
                ways.extend(self.circuit.and_each(has_fewer_cells));
            }
            for (cell, is_member) in members(&cells.bits) {
                let lits = &self.world.cells[cell];
                for (digit, &in_digits) in digits.iter().enumerate() {
                    ways.push(self.circuit.and([is_member, !in_digits, lits.solution[digit]]));
                    ways.push(self.circuit.and([is_member, in_digits, !lits.allowed[digit]]));
                }
            }
            self.circuit.add_clause(&ways);
            let [k, l, set] = [k, l, set].map(|expr| self.name_of(expr));
            self.second_grids.push(format!("{k} and {l} exchanged on {set}"));
        }
        Ok(())
    }

    /// For each set of candidates that the rule defines, makes a second grid: every unsolved cell has two candidates
    /// outside of the set, and the grid has the candidate that is not the cell's solution.
    fn take_other_candidates(&mut self) -> Result<(), Refusal> {
        if self.world.is_open {
            return Err(Refusal::NoBoard("a second grid"));
        }
        // The argument fails on two kinds of boards. Peers without a common house could get the same digit in the
        // second grid, and a house with fewer cells than digits need not have every digit.
        let has_partial_house = self.world.modelled_places.iter().any(|digits| digits.contains(&false));
        if has_partial_house || self.has_pairs_without_house() {
            return Ok(());
        }
        let variant = self.scope.variant;
        for (var, value) in variant.lets() {
            if variant.var(var).kind != Kind::Candidate {
                continue;
            }
            let excepted = self.candidates(value)?;
            self.exclude_other_candidates(&excepted);
            let name = &variant.var(var).name;
            self.second_grids
                .push(format!("in every unsolved cell the other candidate, without the candidates {name}"));
        }
        Ok(())
    }

    /// Adds the clause "an excepted candidate is true, or the other candidates do not pair up".
    ///
    /// The other candidates pair up if, without the excepted candidates, each unsolved cell has two candidates and each
    /// unsolved digit of a house has two places. If no excepted candidate is true, the solution takes one candidate of
    /// each pair, and the remaining candidates form a second grid. No house lacks a digit in the second grid, because
    /// one of the digit's two places in the house is in the solution and the other is in the second grid.
    fn exclude_other_candidates(&mut self, excepted: &Candidates) {
        let digits = self.digits();
        let mut remaining = Vec::with_capacity(excepted.bits.len());
        let mut ways = vec![!self.circuit.or(self.world.cells.iter().map(|cell| cell.unsolved))];
        for (lits, excepted) in self.world.cells.iter().zip(excepted.bits.chunks(digits)) {
            for (digit, &is_excepted) in excepted.iter().enumerate() {
                ways.push(self.circuit.and2(is_excepted, lits.solution[digit]));
                remaining.push(self.circuit.and2(lits.candidate[digit], !is_excepted));
            }
            let has_two = self.circuit.exactly(&remaining[remaining.len() - digits..], 2);
            ways.push(self.circuit.and2(lits.unsolved, !has_two));
        }
        for house in 0..self.world.houses.len() {
            let cells = self.cells_of_house(house);
            for digit in 0..digits {
                let places: Vec<Lit> = cells.iter().map(|&cell| remaining[cell * digits + digit]).collect();
                let has_some = self.circuit.or(places.iter().copied());
                let has_two = self.circuit.exactly(&places, 2);
                ways.push(self.circuit.and2(has_some, !has_two));
            }
        }
        self.circuit.add_clause(&ways);
    }

    fn name_of(&self, expr: &Expr) -> String {
        expr.as_var().map_or_else(|| "a set".into(), |name| self.scope.variant.var(name).name.clone())
    }
}

/// Returns, for each cell, the literal "the cell is a given". If `applies` is true, the givens allow every digit in all
/// other cells.
pub(crate) fn givens(encoder: &mut Encoder<'_>, applies: Lit) -> Vec<Lit> {
    let mut out = Vec::new();
    for lits in &encoder.world.cells {
        let is_given = encoder.circuit.fresh();
        encoder.circuit.imply(is_given, !lits.unsolved);
        for (allowed, solution) in pairs(&lits.allowed, &lits.solution) {
            encoder.circuit.add_clause(&[!applies, !is_given, solution, !allowed]);
            encoder.circuit.add_clause(&[!applies, is_given, allowed]);
        }
        out.push(is_given);
    }
    out
}
