//! Expressions as literals. In: an expression whose names have values. Out: its [`Value`].

use super::names::Bound;
use super::open_world::single_houses;
use super::value::{Candidates, Cells, Houses, Number, Value};
use super::{Encoder, Refusal};
use crate::lang::ir::{Expr, HouseClass, Kind, Origin, Statement, VarId};
use crate::proof::solver::Lit;

impl Encoder<'_> {
    /// The value of an expression.
    pub fn value(&mut self, expr: &Expr) -> Result<Value, Refusal> {
        let key = (expr.clone(), self.running_in(expr));
        if let Some(known) = self.scope.memo.get(&key) {
            return Ok(known.clone());
        }
        self.circuit.spent()?;
        let value = self.compute(expr)?;
        self.circuit.remember(self.world.count());
        self.scope.memo.insert(key, value.clone());
        Ok(value)
    }

    /// Members that the names in an expression run over now, in the order of the names; others do not change its value.
    fn running_in(&self, expr: &Expr) -> Vec<Option<usize>> {
        expr.names().into_iter().map(|name| self.scope.running[name.0]).collect()
    }

    pub fn digit_set(&mut self, expr: &Expr) -> Result<Vec<Lit>, Refusal> {
        match self.value(expr)? {
            Value::Digits(bits) => Ok(bits),
            _ => Err(Refusal::Needs("digits")),
        }
    }

    /// Cells; houses as their cells, candidates as the cells that hold one.
    pub fn cell_set(&mut self, expr: &Expr) -> Result<Cells, Refusal> {
        match self.value(expr)? {
            Value::Cells(cells) => Ok(cells),
            Value::Houses(houses) => Ok(self.cells_of_houses(&houses)),
            Value::Candidates(candidates) => Ok(self.cells_of_candidates(&candidates)),
            _ => Err(Refusal::Needs("cells")),
        }
    }

    pub fn house_set(&mut self, expr: &Expr) -> Result<Houses, Refusal> {
        match self.value(expr)? {
            Value::Houses(houses) => Ok(houses),
            _ => Err(Refusal::Needs("houses")),
        }
    }

    pub fn candidates(&mut self, expr: &Expr) -> Result<Candidates, Refusal> {
        match self.value(expr)? {
            Value::Candidates(candidates) => Ok(candidates),
            _ => Err(Refusal::Needs("candidates")),
        }
    }

    pub fn number(&mut self, expr: &Expr) -> Result<Number, Refusal> {
        match self.value(expr)? {
            Value::Number(number) => Ok(number),
            _ => Err(Refusal::NeedsNumber),
        }
    }

    fn compute(&mut self, expr: &Expr) -> Result<Value, Refusal> {
        match expr {
            Expr::Var(var) => self.name(*var),
            Expr::Member(family, index) => self.member(*family, *index),
            Expr::Those { var, of, when } => self.those(*var, of, when),
            Expr::Overlap(of) => self.overlap(of).map(Value::Cells),
            Expr::InNone(of) => self.solution_members(of, false).map(Value::Candidates),
            Expr::Excluded { every, of } => self.excluded_by(*every, of).map(Value::Candidates),
            Expr::InEvery(of) => self.solution_members(of, true).map(Value::Candidates),
            Expr::AllDigits => Ok(Value::Digits(self.world.digits.clone())),
            Expr::AllCells => {
                let bits = self.world.cells.iter().map(|cell| cell.unsolved).collect();
                let rest = self.beyond();
                Ok(Value::Cells(Cells::with_rest(bits, rest, Vec::new())))
            }
            Expr::AllHouses(class) => {
                let bits = (0..self.world.houses.len()).map(|house| self.in_class(house, *class)).collect();
                let some = if *class == HouseClass::Box { self.world.boxes } else { Lit::TRUE };
                let rest = if self.world.open { self.part_of(&[some]) } else { Lit::FALSE };
                Ok(Value::Houses(Houses::new(bits, rest)))
            }
            Expr::Union(parts) => self.union(parts),
            Expr::Intersection(a, b) => self.intersection(a, b),
            Expr::Difference(a, b) => self.difference(a, b),
            Expr::Digits(of) => self.digits_of(of).map(Value::Digits),
            Expr::Values(of) => self.values_of(of).map(Value::Digits),
            Expr::CellsOf(of) => self.cell_set(of).map(Value::Cells),
            Expr::Cells(of) => self.unsolved_of(of).map(Value::Cells),
            Expr::In(digits, cells) => self.noun(digits, cells).map(Value::Candidates),
            Expr::Seeing { every, of } => self.seeing(*every, of).map(Value::Cells),
            Expr::HousesOf(class, of) => self.houses_of(*class, of).map(Value::Houses),
            Expr::Number(value) => Ok(Value::Number(Number::constant(i64::from(*value)))),
            Expr::Param(index) => {
                let value = self.scope.args.get(*index).ok_or(Refusal::Parameter)?;
                Ok(Value::Number(Number::constant(i64::from(*value))))
            }
            Expr::Count(of) => self.count(of).map(Value::Number),
            Expr::Add(a, b) => self.sum(a, b, false).map(Value::Number),
            Expr::Subtract(a, b) => self.sum(a, b, true).map(Value::Number),
            Expr::Times(digits, cells) => self.times(digits, cells).map(Value::Number),
        }
    }

    /// Literal: a set that is not limited to the world has members outside of it.
    pub fn beyond(&mut self) -> Lit {
        if self.world.open { self.circuit.fresh() } else { Lit::FALSE }
    }

    /// A free literal that implies all of these; false if one of them is constantly false.
    pub fn part_of(&mut self, of: &[Lit]) -> Lit {
        if of.contains(&Lit::FALSE) {
            return Lit::FALSE;
        }
        let part = self.circuit.fresh();
        of.iter().for_each(|&whole| self.circuit.imply(part, whole));
        part
    }

    fn name(&mut self, var: VarId) -> Result<Value, Refusal> {
        let declared = self.scope.variant.var(var);
        if let Some(member) = self.scope.running[var.0] {
            return match declared.kind {
                Kind::Digit => Ok(Value::Digits(self.one(self.digits(), member))),
                Kind::Cell => Ok(Value::Cells(Cells::closed(self.one(self.world.count(), member)))),
                Kind::House(_) => Ok(Value::Houses(self.one_house(member))),
                Kind::Candidate => {
                    let bits = self.one(self.world.count() * self.digits(), member);
                    Ok(Value::Candidates(Candidates::closed(bits, self.digits())))
                }
                Kind::Number => Err(Refusal::RunsOverNumbers),
            };
        }
        if declared.origin == Origin::Let {
            let value = self.scope.variant.body.iter().find_map(|statement| match statement {
                Statement::Let { var: defined, value } if *defined == var => Some(value),
                _ => None,
            });
            return self.value(value.ok_or_else(|| Refusal::Unbound(declared.name.clone()))?);
        }
        match self.scope.bound[var.0].clone() {
            Some(Bound::Digits(bits)) => Ok(Value::Digits(bits)),
            Some(Bound::Cells(cells)) => Ok(Value::Cells(cells)),
            Some(Bound::Houses(houses)) => Ok(Value::Houses(houses)),
            Some(Bound::Family(members)) => self.all_of(var, &members).map(Value::Cells),
            Some(Bound::Candidate { digit, cell }) => {
                let pairs = cell.iter().flat_map(|&c| digit.iter().map(move |&d| (c, d)));
                let bits = pairs.map(|(c, d)| self.circuit.and2(c, d)).collect();
                Ok(Value::Candidates(Candidates::closed(bits, digit.len())))
            }
            Some(Bound::Candidates(all)) => Ok(Value::Candidates(all)),
            None => Err(Refusal::Unbound(declared.name.clone())),
        }
    }

    fn member(&mut self, family: VarId, index: VarId) -> Result<Value, Refusal> {
        let Some(Bound::Family(members)) = self.scope.bound[family.0].clone() else {
            return Err(Refusal::NoFamily);
        };
        if let Some(member) = self.scope.running[index.0] {
            // Values past the last member have cells without a modelled set: nothing is known about them.
            return Ok(Value::Cells(members.get(member).cloned().unwrap_or_else(|| self.any_cells())));
        }
        let (index, outside) = self.members(&Expr::Var(index))?;
        let later = self.circuit.or(index.iter().skip(members.len()).copied().chain([outside]));
        let count = self.world.count();
        let mut bits = Vec::with_capacity(count);
        for cell in 0..count {
            let mut ways = Vec::new();
            for (member, &is) in members.iter().zip(&index) {
                ways.push(self.circuit.and2(member.bits[cell], is));
            }
            let known = self.circuit.or(ways);
            let may = self.circuit.or2(known, later);
            bits.push(self.circuit.between(known, may));
        }
        let closed = later == Lit::FALSE && members.iter().all(|member| member.rest == Lit::FALSE);
        let rest = if closed { Lit::FALSE } else { self.beyond() };
        Ok(Value::Cells(Cells::with_rest(bits, rest, Vec::new())))
    }

    fn unsolved_of(&mut self, of: &Expr) -> Result<Cells, Refusal> {
        // Cells with candidates are unsolved.
        if let Value::Candidates(of) = self.value(of)? {
            return Ok(self.cells_of_candidates(&of));
        }
        let all = self.cell_set(of)?;
        let bits = (0..all.bits.len()).map(|c| self.circuit.and2(all.bits[c], self.world.cells[c].unsolved)).collect();
        let rest = self.part_of(&[all.rest]);
        Ok(Cells { bits, rest, ..all })
    }

    pub(super) fn cells_of_houses(&mut self, houses: &Houses) -> Cells {
        if let Some(house) = houses.only.filter(|_| self.world.open) {
            let all = houses.bits[house];
            let holds = self.world.houses[house].holds.clone();
            let bits = holds.into_iter().map(|holds| self.circuit.and2(all, holds)).collect();
            return Cells::with_rest(bits, self.part_of(&[all]), vec![house]);
        }
        let members: Vec<usize> = (0..houses.bits.len()).filter(|&h| houses.bits[h] != Lit::FALSE).collect();
        let mut bits = Vec::with_capacity(self.world.count());
        for cell in 0..self.world.count() {
            let mut ways = Vec::new();
            for &house in &members {
                ways.push(self.circuit.and2(houses.bits[house], self.world.houses[house].holds[cell]));
            }
            let some = self.circuit.or(ways);
            bits.push(match houses.rest {
                Lit::FALSE => some,
                _ => {
                    let may = self.circuit.or([some, houses.rest]);
                    self.circuit.between(some, may)
                }
            });
        }
        let none = members.is_empty() && houses.rest == Lit::FALSE;
        let rest = if none { Lit::FALSE } else { self.beyond() };
        Cells::with_rest(bits, rest, Vec::new())
    }

    fn cells_of_candidates(&mut self, candidates: &Candidates) -> Cells {
        let digits = self.digits();
        let bits = candidates.bits.chunks(digits).map(|cell| self.circuit.or(cell.iter().copied())).collect();
        let rest = self.circuit.or(candidates.rest.iter().copied());
        Cells::with_rest(bits, rest, Vec::new())
    }

    /// For each digit, a literal: some unmodelled cell of the set has it as a candidate. False if the set lies in a house in
    /// which a modelled cell holds the digit.
    pub(super) fn outside_candidates(&mut self, cells: &Cells) -> Vec<Lit> {
        let digits = self.digits();
        if cells.rest == Lit::FALSE {
            return vec![Lit::FALSE; digits];
        }
        if let Some(known) = &cells.has {
            return known.clone();
        }
        let mut out = Vec::with_capacity(digits);
        for digit in 0..digits {
            let some = self.part_of(&[cells.rest, self.world.digits[digit]]);
            for &house in &cells.inside {
                for cell in 0..self.world.count() {
                    let value = self.world.value(&mut self.circuit, cell, digit);
                    let here = self.world.houses[house].holds[cell];
                    self.circuit.clause(&[!some, !here, !value]);
                }
            }
            out.push(some);
        }
        out
    }

    fn noun(&mut self, digits: &Expr, cells: &Expr) -> Result<Candidates, Refusal> {
        let (digits, cells) = (self.digit_set(digits)?, self.cell_set(cells)?);
        let mut bits = Vec::with_capacity(digits.len() * cells.bits.len());
        for (cell, &here) in cells.bits.iter().enumerate() {
            for (digit, &is) in digits.iter().enumerate() {
                bits.push(match (here, is) {
                    (Lit::FALSE, _) | (_, Lit::FALSE) => Lit::FALSE,
                    _ => self.circuit.and([here, is, self.world.cells[cell].candidate[digit]]),
                });
            }
        }
        let outside = self.outside_candidates(&cells);
        let rest = outside.iter().zip(&digits).map(|(&some, &is)| self.circuit.and2(some, is)).collect();
        Ok(Candidates::new(bits, rest))
    }

    fn digits_of(&mut self, of: &Expr) -> Result<Vec<Lit>, Refusal> {
        let digits = self.digits();
        if let Value::Candidates(all) = self.value(of)? {
            let of_digit = |digit: usize| all.of_digit(digit, digits).chain([all.rest[digit]]).collect::<Vec<_>>();
            return Ok((0..digits).map(|digit| self.circuit.or(of_digit(digit))).collect());
        }
        let cells = self.cell_set(of)?;
        let mut ways = self.outside_candidates(&cells).into_iter().map(|some| vec![some]).collect::<Vec<_>>();
        for (cell, &here) in cells.bits.iter().enumerate().filter(|(_, here)| **here != Lit::FALSE) {
            for (digit, ways) in ways.iter_mut().enumerate() {
                ways.push(self.circuit.and2(here, self.world.cells[cell].candidate[digit]));
            }
        }
        Ok(ways.into_iter().map(|ways| self.circuit.or(ways)).collect())
    }

    fn values_of(&mut self, of: &Expr) -> Result<Vec<Lit>, Refusal> {
        let cells = self.cell_set(of)?;
        let mut out = Vec::new();
        for digit in 0..self.digits() {
            let mut ways = vec![self.outside_value(&cells, digit)];
            for (cell, &here) in cells.bits.iter().enumerate().filter(|(_, here)| **here != Lit::FALSE) {
                let value = self.world.value(&mut self.circuit, cell, digit);
                ways.push(self.circuit.and2(here, value));
            }
            out.push(self.circuit.or(ways));
        }
        Ok(out)
    }

    /// Literal: an unmodelled solved cell of the set holds the digit. False if the set lies in a house whose place for the
    /// digit is modelled.
    fn outside_value(&mut self, cells: &Cells, digit: usize) -> Lit {
        if cells.rest == Lit::FALSE || cells.inside.iter().any(|&house| self.world.placed[house][digit]) {
            return Lit::FALSE;
        }
        let some = self.part_of(&[cells.rest, self.world.digits[digit]]);
        for &house in &cells.inside {
            for cell in 0..self.world.count() {
                let here = self.world.houses[house].holds[cell];
                let lits = &self.world.cells[cell];
                let (candidate, solution) = (lits.candidate[digit], lits.solution[digit]);
                self.circuit.clause(&[!some, !here, !solution]);
                self.circuit.clause(&[!some, !here, !candidate]);
            }
        }
        some
    }

    fn seeing(&mut self, every: bool, of: &Expr) -> Result<Cells, Refusal> {
        let of = self.cell_set(of)?;
        let members: Vec<usize> = (0..of.bits.len()).filter(|&c| of.bits[c] != Lit::FALSE).collect();
        let mut bits = Vec::with_capacity(of.bits.len());
        for cell in 0..of.bits.len() {
            let unsolved = self.world.cells[cell].unsolved;
            let mut parts = Vec::with_capacity(members.len());
            for &member in &members {
                let sees = self.world.sees(cell, member);
                parts.push(if every {
                    self.circuit.or2(!of.bits[member], sees)
                } else {
                    self.circuit.and2(of.bits[member], sees)
                });
            }
            let known = if every { self.circuit.and(parts) } else { self.circuit.or(parts) };
            let (must, may) = match (of.rest, every) {
                (Lit::FALSE, _) => (known, known),
                (_, true) => (Lit::FALSE, known),
                (_, false) => (known, Lit::TRUE),
            };
            let sees = self.circuit.between(must, may);
            bits.push(self.circuit.and2(unsolved, sees));
        }
        let rest = self.beyond();
        Ok(Cells::with_rest(bits, rest, Vec::new()))
    }

    /// Houses of a class through a named cell, if all of them are modelled.
    fn through(&self, class: HouseClass, of: &Expr) -> Option<Vec<usize>> {
        let Expr::Var(var) = of else { return None };
        let own = |class: &HouseClass| self.unnamed.through.iter().find(|(c, v, _)| c == class && v == var);
        let houses = single_houses(&class).iter().map(|class| own(class).map(|(.., house)| *house));
        houses.collect::<Option<Vec<usize>>>().filter(|houses| !houses.is_empty())
    }

    fn houses_of(&mut self, class: HouseClass, of: &Expr) -> Result<Houses, Refusal> {
        let count = self.world.houses.len();
        match self.through(class, of).as_deref() {
            Some([house]) => return Ok(self.one_house(*house)),
            Some(houses) => {
                let exists = |house: usize| self.world.houses[house].exists;
                let bits: Vec<Lit> =
                    (0..count).map(|house| if houses.contains(&house) { exists(house) } else { Lit::FALSE }).collect();
                return Ok(Houses::new(self.with_same(&bits), Lit::FALSE));
            }
            None => {}
        }
        let cells = self.cell_set(of)?;
        let mut bits = Vec::with_capacity(count);
        for house in 0..count {
            let right = self.in_class(house, class);
            let mut ways = Vec::new();
            for (cell, &here) in cells.bits.iter().enumerate() {
                ways.push(self.circuit.and2(here, self.world.houses[house].holds[cell]));
            }
            let some = self.circuit.or(ways);
            let may = if cells.rest == Lit::FALSE { some } else { Lit::TRUE };
            let meets = self.circuit.between(some, may);
            bits.push(self.circuit.and2(right, meets));
        }
        let rest = self.beyond();
        Ok(Houses::new(bits, rest))
    }
}
