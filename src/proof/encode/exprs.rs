//! Expressions as literals. In: an expression whose names have values. Out: its [`Lits`].

use super::names::Bound;
use super::open_world::single_houses;
use super::values::{Candidates, Cells, Houses, Lits, NumberLits};
use super::{Encoder, Refusal, one_hot};
use crate::lang::ir::{Expr, HouseClass, Kind, Origin, Statement, VarId};
use crate::proof::circuit::{Circuit, members, pairs};
use crate::proof::solver::Lit;

impl Encoder<'_> {
    /// The value of an expression.
    pub fn value(&mut self, expr: &Expr) -> Result<Lits, Refusal> {
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
        let Lits::Digits(bits) = self.value(expr)? else { return Err(Refusal::Needs("digits")) };
        Ok(bits)
    }

    /// Cells; houses as their cells, candidates as the cells that hold one.
    pub fn cell_set(&mut self, expr: &Expr) -> Result<Cells, Refusal> {
        match self.value(expr)? {
            Lits::Cells(cells) => Ok(cells),
            Lits::Houses(houses) => Ok(self.cells_of_houses(&houses)),
            Lits::Candidates(candidates) => Ok(self.cells_of_candidates(&candidates)),
            _ => Err(Refusal::Needs("cells")),
        }
    }

    pub fn house_set(&mut self, expr: &Expr) -> Result<Houses, Refusal> {
        let Lits::Houses(houses) = self.value(expr)? else { return Err(Refusal::Needs("houses")) };
        Ok(houses)
    }

    pub fn candidates(&mut self, expr: &Expr) -> Result<Candidates, Refusal> {
        let Lits::Candidates(candidates) = self.value(expr)? else { return Err(Refusal::Needs("candidates")) };
        Ok(candidates)
    }

    pub fn number(&mut self, expr: &Expr) -> Result<NumberLits, Refusal> {
        let Lits::Number(number) = self.value(expr)? else { return Err(Refusal::NeedsNumber) };
        Ok(number)
    }

    /// A literal for each member of a set and, at the end, one for an unmodelled member.
    pub(super) fn members(&mut self, of: &Expr) -> Result<(Vec<Lit>, Lit), Refusal> {
        let value = self.value(of)?;
        value.members(&mut self.circuit)
    }

    fn compute(&mut self, expr: &Expr) -> Result<Lits, Refusal> {
        Ok(match expr {
            Expr::Var(var) => self.name(*var)?,
            Expr::Member(family, index) => Lits::Cells(self.member(*family, *index)?),
            Expr::Filter { var, set: of, condition: when } => self.those(*var, of, when)?,
            Expr::Overlap(of) => Lits::Cells(self.overlap(of)?),
            Expr::InNoTemplate(of) => Lits::Candidates(self.solution_members(of, false)?),
            Expr::Excluded { every, candidates: of } => Lits::Candidates(self.excluded_by(*every, of)?),
            Expr::InEveryTemplate(of) => Lits::Candidates(self.solution_members(of, true)?),
            Expr::AllDigits => Lits::Digits(self.world.digits.clone()),
            Expr::AllCells => {
                let bits = self.world.cells.iter().map(|cell| cell.unsolved).collect();
                Lits::Cells(Cells::with_rest(bits, self.beyond()))
            }
            Expr::AllHouses(class) => {
                let bits = (0..self.world.houses.len()).map(|house| self.in_class(house, *class)).collect();
                let some = if *class == HouseClass::Box { self.world.boxes } else { Lit::TRUE };
                let rest = if self.world.open { self.part_of(&[some]) } else { Lit::FALSE };
                Lits::Houses(Houses::new(bits, rest))
            }
            Expr::Union(parts) => self.union(parts)?,
            Expr::Intersection(a, b) => self.intersection(a, b, false)?,
            Expr::Difference(a, b) => self.intersection(a, b, true)?,
            Expr::Digits(of) => Lits::Digits(self.digits_of(of)?),
            Expr::Values(of) => Lits::Digits(self.values_of(of)?),
            Expr::HouseCells(of) => Lits::Cells(self.cell_set(of)?),
            Expr::UnsolvedCells(of) => Lits::Cells(self.unsolved_of(of)?),
            Expr::In(digits, cells) => Lits::Candidates(self.candidates_in(digits, cells)?),
            Expr::Seeing { every, cells: of } => Lits::Cells(self.seeing(*every, of)?),
            Expr::HousesOf(class, of) => Lits::Houses(self.houses_of(*class, of)?),
            Expr::Number(value) => Lits::Number(NumberLits::constant(i64::from(*value))),
            Expr::Param(index) => {
                let value = self.scope.args.get(*index).ok_or(Refusal::Construct("a parameter without a value"))?;
                Lits::Number(NumberLits::constant(i64::from(*value)))
            }
            Expr::Count(of) => Lits::Number(self.count(of)?),
            Expr::Add(a, b) => Lits::Number(self.sum(a, b, false)?),
            Expr::Subtract(a, b) => Lits::Number(self.sum(a, b, true)?),
            Expr::MaxOccurrences(digits, cells) => Lits::Number(self.times(digits, cells)?),
        })
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

    fn name(&mut self, var: VarId) -> Result<Lits, Refusal> {
        let declared = self.scope.variant.var(var);
        let digits = self.digits();
        if let Some(member) = self.scope.running[var.0] {
            return Ok(match declared.kind {
                Kind::Digit => Lits::Digits(one_hot(digits, member)),
                Kind::Cell => Lits::Cells(Cells::closed(one_hot(self.world.count(), member))),
                Kind::House(_) => Lits::Houses(self.one_house(member)),
                Kind::Candidate => {
                    let bits = one_hot(self.world.count() * digits, member);
                    Lits::Candidates(Candidates::closed(bits, digits))
                }
                Kind::Number => return Err(Refusal::Construct("a name that runs over numbers")),
            });
        }
        if declared.origin == Origin::Let {
            let value = self.scope.variant.body.iter().find_map(|statement| match statement {
                Statement::Let { var: defined, value } if *defined == var => Some(value),
                _ => None,
            });
            return self.value(value.ok_or_else(|| Refusal::Unbound(declared.name.clone()))?);
        }
        Ok(match self.scope.bound[var.0].clone() {
            Some(Bound::Digits(bits)) => Lits::Digits(bits),
            Some(Bound::Cells(cells)) => Lits::Cells(cells),
            Some(Bound::Houses(houses)) => Lits::Houses(houses),
            Some(Bound::Family(members)) => Lits::Cells(self.all_of(var, &members)?),
            Some(Bound::Candidate { digit, cell }) => {
                let bits = cell.iter().flat_map(|&cell| digit.iter().map(move |&digit| (cell, digit)));
                Lits::Candidates(Candidates::closed(self.circuit.each_both(bits), digits))
            }
            Some(Bound::Candidates(all)) => Lits::Candidates(all),
            None => return Err(Refusal::Unbound(declared.name.clone())),
        })
    }

    fn member(&mut self, family: VarId, index: VarId) -> Result<Cells, Refusal> {
        let Some(Bound::Family(members)) = self.scope.bound[family.0].clone() else {
            return Err(Refusal::Construct("members of what is not a family"));
        };
        if let Some(member) = self.scope.running[index.0] {
            // Values past the last member have cells without a modelled set: nothing is known about them.
            return Ok(members.get(member).cloned().unwrap_or_else(|| self.any_cells()));
        }
        let (index, outside) = self.members(&Expr::Var(index))?;
        let later = self.circuit.or(index.iter().skip(members.len()).copied().chain([outside]));
        let mut bits = Vec::with_capacity(self.world.count());
        for cell in 0..self.world.count() {
            let here = members.iter().map(|member| member.bits[cell]);
            let known = self.circuit.some_both(here.zip(index.iter().copied()));
            let may = self.circuit.or2(known, later);
            bits.push(self.circuit.between(known, may));
        }
        let closed = later == Lit::FALSE && members.iter().all(|member| member.rest == Lit::FALSE);
        let rest = if closed { Lit::FALSE } else { self.beyond() };
        Ok(Cells::with_rest(bits, rest))
    }

    fn unsolved_of(&mut self, of: &Expr) -> Result<Cells, Refusal> {
        // Cells with candidates are unsolved.
        if let Lits::Candidates(of) = self.value(of)? {
            return Ok(self.cells_of_candidates(&of));
        }
        let all = self.cell_set(of)?;
        let unsolved = self.world.cells.iter().map(|cell| cell.unsolved);
        let bits = self.circuit.each_both(all.bits.iter().copied().zip(unsolved));
        let rest = self.part_of(&[all.rest]);
        Ok(Cells { bits, rest, ..all })
    }

    pub(super) fn cells_of_houses(&mut self, houses: &Houses) -> Cells {
        if let Some(house) = houses.only.filter(|_| self.world.open) {
            let all = houses.bits[house];
            let bits = self.circuit.each_both(self.world.houses[house].holds.iter().map(|&holds| (all, holds)));
            return Cells { inside: vec![house], ..Cells::with_rest(bits, self.part_of(&[all])) };
        }
        let mut bits = Vec::with_capacity(self.world.count());
        for cell in 0..self.world.count() {
            let holds = self.world.houses.iter().map(|house| house.holds[cell]);
            let some = self.circuit.some_both(houses.bits.iter().copied().zip(holds));
            let may = self.circuit.or2(some, houses.rest);
            bits.push(self.circuit.between(some, may));
        }
        let none = members(&houses.bits).next().is_none() && houses.rest == Lit::FALSE;
        let rest = if none { Lit::FALSE } else { self.beyond() };
        Cells::with_rest(bits, rest)
    }

    fn cells_of_candidates(&mut self, candidates: &Candidates) -> Cells {
        let digits = self.digits();
        let bits = candidates.bits.chunks(digits).map(|cell| self.circuit.or(cell.iter().copied())).collect();
        Cells::with_rest(bits, self.circuit.or(candidates.rest.iter().copied()))
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

    fn candidates_in(&mut self, digits: &Expr, cells: &Expr) -> Result<Candidates, Refusal> {
        let (digits, cells) = (self.digit_set(digits)?, self.cell_set(cells)?);
        let mut bits = Vec::with_capacity(digits.len() * cells.bits.len());
        for (&here, lits) in cells.bits.iter().zip(&self.world.cells) {
            for (is, candidate) in pairs(&digits, &lits.candidate) {
                bits.push(match (here, is) {
                    (Lit::FALSE, _) | (_, Lit::FALSE) => Lit::FALSE,
                    _ => self.circuit.and([here, is, candidate]),
                });
            }
        }
        let outside = self.outside_candidates(&cells);
        Ok(Candidates::new(bits, self.circuit.each_both(pairs(&outside, &digits))))
    }

    fn digits_of(&mut self, of: &Expr) -> Result<Vec<Lit>, Refusal> {
        if let Lits::Candidates(all) = self.value(of)? {
            return Ok(self.digits_in(&all));
        }
        let cells = self.cell_set(of)?;
        let mut ways = self.outside_candidates(&cells).into_iter().map(|some| vec![some]).collect::<Vec<_>>();
        for (cell, here) in members(&cells.bits) {
            for (ways, &candidate) in ways.iter_mut().zip(&self.world.cells[cell].candidate) {
                ways.push(self.circuit.and2(here, candidate));
            }
        }
        Ok(ways.into_iter().map(|ways| self.circuit.or(ways)).collect())
    }

    /// For each digit, a literal: some member has it.
    pub(super) fn digits_in(&mut self, of: &Candidates) -> Vec<Lit> {
        let digits = self.digits();
        let with =
            (0..digits).map(|digit| of.bits.iter().skip(digit).step_by(digits).chain([&of.rest[digit]]).copied());
        with.map(|ways| self.circuit.or(ways)).collect()
    }

    fn values_of(&mut self, of: &Expr) -> Result<Vec<Lit>, Refusal> {
        let cells = self.cell_set(of)?;
        let mut out = Vec::new();
        for digit in 0..self.digits() {
            let mut ways = vec![self.outside_value(&cells, digit)];
            for (cell, here) in members(&cells.bits) {
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
            for (lits, &here) in self.world.cells.iter().zip(&self.world.houses[house].holds) {
                self.circuit.clause(&[!some, !here, !lits.solution[digit]]);
                self.circuit.clause(&[!some, !here, !lits.candidate[digit]]);
            }
        }
        some
    }

    fn seeing(&mut self, every: bool, of: &Expr) -> Result<Cells, Refusal> {
        let of = self.cell_set(of)?;
        let mut bits = Vec::with_capacity(of.bits.len());
        for (cell, lits) in self.world.cells.iter().enumerate() {
            let sees = of.bits.iter().enumerate().map(|(member, &is)| (is, self.world.sees(cell, member)));
            let known = self.circuit.quantified(every, sees);
            let sees = known_or_open(&mut self.circuit, known, of.rest, every);
            bits.push(self.circuit.and2(lits.unsolved, sees));
        }
        Ok(Cells::with_rest(bits, self.beyond()))
    }

    /// Houses of a class through a named cell, if all of them are modelled.
    fn through(&self, class: HouseClass, of: &Expr) -> Option<Vec<usize>> {
        let Expr::Var(var) = of else { return None };
        let mut houses = Vec::new();
        for class in single_houses(&class) {
            let (.., house) = self.unnamed.through.iter().find(|(c, v, _)| c == class && v == var)?;
            houses.push(*house);
        }
        Some(houses).filter(|houses| !houses.is_empty())
    }

    fn houses_of(&mut self, class: HouseClass, of: &Expr) -> Result<Houses, Refusal> {
        let count = self.world.houses.len();
        if let Some(houses) = self.through(class, of) {
            if let &[house] = houses.as_slice() {
                return Ok(self.one_house(house));
            }
            let mut bits = vec![Lit::FALSE; count];
            houses.into_iter().for_each(|house| bits[house] = self.world.houses[house].exists);
            return Ok(Houses::new(self.with_same(&bits), Lit::FALSE));
        }
        let cells = self.cell_set(of)?;
        let mut bits = Vec::with_capacity(count);
        for house in 0..count {
            let right = self.in_class(house, class);
            let some = self.circuit.some_both(pairs(&cells.bits, &self.world.houses[house].holds));
            let meets = known_or_open(&mut self.circuit, some, cells.rest, false);
            bits.push(self.circuit.and2(right, meets));
        }
        Ok(Houses::new(bits, self.beyond()))
    }
}

/// Weakens a fact about every (or some) modelled member of a set to what it says if the set may have others: about all
/// members a necessary condition, about some member a sufficient one.
pub(super) fn known_or_open(circuit: &mut Circuit, known: Lit, rest: Lit, every: bool) -> Lit {
    match (rest, every) {
        (Lit::FALSE, _) => known,
        (_, true) => circuit.between(Lit::FALSE, known),
        (_, false) => circuit.between(known, Lit::TRUE),
    }
}
