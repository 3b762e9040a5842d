//! Expressions as literals. In: an expression whose names have values. Out: its [`Lits`].

use super::names::NameLits;
use super::open_world::{HouseSlot, single_house_classes};
use super::sets::TemplateTest;
use super::values::{Candidates, Cells, Houses, Lits, Members, NumberLits, Restriction};
use super::{Encoder, Refusal, one_hot};
use crate::lang::ir::{Expr, HouseClass, Kind, Origin, Quantifier, VarId};
use crate::proof::circuit::{Circuit, members, pairs};
use crate::proof::solver::Lit;

impl Encoder<'_> {
    /// Returns the value of an expression. The value is computed once for each combination of loop members.
    pub fn value(&mut self, expr: &Expr) -> Result<Lits, Refusal> {
        // The value depends on the loop variables among the names of the expression only.
        let loop_members = expr.names().into_iter().map(|name| self.scope.loop_members[name.0]).collect();
        let key = (expr.clone(), loop_members);
        if let Some(value) = self.scope.memo.get(&key) {
            return Ok(value.clone());
        }
        self.circuit.check_limits()?;
        let value = self.compute(expr)?;
        self.circuit.charge(self.world.cell_count());
        self.scope.memo.insert(key, value.clone());
        Ok(value)
    }

    pub fn digit_set(&mut self, expr: &Expr) -> Result<Vec<Lit>, Refusal> {
        let Lits::Digits(bits) = self.value(expr)? else { return Err(Refusal::Needs("digits")) };
        Ok(bits)
    }

    /// Returns a set of cells. A set of houses stands for the cells of the houses, a set of candidates for the cells of
    /// the candidates.
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

    pub(super) fn members(&mut self, set: &Expr) -> Result<Members, Refusal> {
        let value = self.value(set)?;
        value.members(&mut self.circuit)
    }

    fn compute(&mut self, expr: &Expr) -> Result<Lits, Refusal> {
        Ok(match expr {
            Expr::Var(var) => self.name(*var)?,
            Expr::Member(family, index) => Lits::Cells(self.family_member(*family, *index)?),
            Expr::Filter { var, set, condition } => self.filter(*var, set, condition)?,
            Expr::Overlap(houses) => Lits::Cells(self.overlap(houses)?),
            Expr::InNoTemplate(set) => Lits::Candidates(self.template_candidates(set, TemplateTest::InNone)?),
            Expr::Excluded { every, candidates } => Lits::Candidates(self.excluded_by(quantifier(*every), candidates)?),
            Expr::InEveryTemplate(set) => Lits::Candidates(self.template_candidates(set, TemplateTest::InEvery)?),
            Expr::AllDigits => Lits::Digits(self.world.digits.clone()),
            Expr::AllCells => {
                let bits = self.world.cells.iter().map(|cell| cell.unsolved).collect();
                Lits::Cells(Cells::with_unmodelled(bits, self.free_unmodelled()))
            }
            Expr::AllHouses(class) => Lits::Houses(self.all_houses(*class)),
            Expr::Union(parts) => self.union(parts)?,
            Expr::Intersection(a, b) => self.restricted(a, Restriction::Intersection, b)?,
            Expr::Difference(a, b) => self.restricted(a, Restriction::Difference, b)?,
            Expr::Digits(set) => Lits::Digits(self.digits_of(set)?),
            Expr::Values(cells) => Lits::Digits(self.values_of(cells)?),
            Expr::HouseCells(houses) => Lits::Cells(self.cell_set(houses)?),
            Expr::CellsOf(set) => Lits::Cells(self.unsolved_cells(set)?),
            Expr::CandidatesIn(digits, cells) => Lits::Candidates(self.candidates_in(digits, cells)?),
            Expr::Seeing { every, cells } => Lits::Cells(self.seeing(quantifier(*every), cells)?),
            Expr::HousesOf(class, cells) => Lits::Houses(self.houses_of(*class, cells)?),
            Expr::Number(value) => Lits::Number(NumberLits::constant(i64::from(*value))),
            Expr::Param(index) => {
                let value = self.scope.args.get(*index).ok_or(Refusal::Construct("a parameter without a value"))?;
                Lits::Number(NumberLits::constant(i64::from(*value)))
            }
            Expr::Count(set) => Lits::Number(self.count(set)?),
            Expr::Add(a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                Lits::Number(self.sum(a, b))
            }
            Expr::Subtract(a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                Lits::Number(self.difference(a, b))
            }
            Expr::MaxOccurrences(digits, cells) => Lits::Number(self.times(digits, cells)?),
        })
    }

    /// Makes the literal "the set has unmodelled members" for a set about which nothing is known.
    pub fn free_unmodelled(&mut self) -> Lit {
        if self.world.is_open { self.circuit.fresh() } else { Lit::FALSE }
    }

    /// Makes a free literal that implies all of `lits`. If a literal of `lits` is constantly false, returns the false
    /// literal.
    pub fn free_implying(&mut self, lits: &[Lit]) -> Lit {
        if lits.contains(&Lit::FALSE) {
            return Lit::FALSE;
        }
        let free = self.circuit.fresh();
        lits.iter().for_each(|&lit| self.circuit.imply(free, lit));
        free
    }

    fn all_houses(&mut self, class: HouseClass) -> Houses {
        let bits = (0..self.world.houses.len()).map(|house| self.in_class(house, class)).collect();
        let has_unmodelled = if self.world.is_open {
            let has_some = if class == HouseClass::Box { self.world.has_boxes } else { Lit::TRUE };
            self.free_implying(&[has_some])
        } else {
            Lit::FALSE
        };
        Houses::new(bits, has_unmodelled)
    }

    fn name(&mut self, var: VarId) -> Result<Lits, Refusal> {
        let declared = self.scope.variant.var(var);
        if let Some(member) = self.scope.loop_members[var.0] {
            return self.loop_member(declared.kind, member);
        }
        if declared.origin == Origin::Let {
            let definition = self.scope.variant.definition(var);
            return self.value(definition.ok_or_else(|| Refusal::Unbound(declared.name.clone()))?);
        }
        Ok(match self.scope.values[var.0].clone() {
            Some(NameLits::Digits(bits)) => Lits::Digits(bits),
            Some(NameLits::Cells(cells)) => Lits::Cells(cells),
            Some(NameLits::Houses(houses)) => Lits::Houses(houses),
            Some(NameLits::Family(members)) => Lits::Cells(self.family_union(var, &members)?),
            Some(NameLits::Candidate { digit, cell }) => {
                let pairs = cell.iter().flat_map(|&cell| digit.iter().map(move |&digit| (cell, digit)));
                Lits::Candidates(Candidates::modelled(self.circuit.and_each(pairs), self.digits()))
            }
            Some(NameLits::Candidates(candidates)) => Lits::Candidates(candidates),
            None => return Err(Refusal::Unbound(declared.name.clone())),
        })
    }

    /// Returns the value of a loop variable that stands for the element with index `member`.
    fn loop_member(&mut self, kind: Kind, member: usize) -> Result<Lits, Refusal> {
        let digits = self.digits();
        Ok(match kind {
            Kind::Digit => Lits::Digits(one_hot(digits, member)),
            Kind::Cell => Lits::Cells(Cells::modelled(one_hot(self.world.cell_count(), member))),
            Kind::House(_) => Lits::Houses(self.single_house(member)),
            Kind::Candidate => {
                let bits = one_hot(self.world.cell_count() * digits, member);
                Lits::Candidates(Candidates::modelled(bits, digits))
            }
            Kind::Number => return Err(Refusal::Construct("a loop variable for numbers")),
        })
    }

    fn family_member(&mut self, family: VarId, index: VarId) -> Result<Cells, Refusal> {
        let Some(NameLits::Family(members)) = self.scope.values[family.0].clone() else {
            return Err(Refusal::Construct("members of a name that is not a family"));
        };
        if let Some(member) = self.scope.loop_members[index.0] {
            // A value of the index past the last modelled member has a set of cells about which nothing is known.
            return Ok(members.get(member).cloned().unwrap_or_else(|| self.any_cells()));
        }
        let index = self.members(&Expr::Var(index))?;
        let is_past_last =
            self.circuit.or(index.bits.iter().skip(members.len()).copied().chain([index.has_unmodelled]));
        let mut bits = Vec::with_capacity(self.world.cell_count());
        for cell in 0..self.world.cell_count() {
            let member_bits = members.iter().map(|member| member.bits[cell]);
            let in_modelled = self.circuit.any_pair_true(member_bits.zip(index.bits.iter().copied()));
            bits.push(self.weakened_by_unmodelled(in_modelled, is_past_last, Quantifier::Some));
        }
        let all_modelled =
            is_past_last == Lit::FALSE && members.iter().all(|member| member.has_unmodelled == Lit::FALSE);
        let has_unmodelled = if all_modelled { Lit::FALSE } else { self.free_unmodelled() };
        Ok(Cells::with_unmodelled(bits, has_unmodelled))
    }

    fn unsolved_cells(&mut self, set: &Expr) -> Result<Cells, Refusal> {
        // Cells with candidates are unsolved.
        if let Lits::Candidates(candidates) = self.value(set)? {
            return Ok(self.cells_of_candidates(&candidates));
        }
        let cells = self.cell_set(set)?;
        let unsolved = self.world.cells.iter().map(|cell| cell.unsolved);
        let bits = self.circuit.and_each(cells.bits.iter().copied().zip(unsolved));
        let has_unmodelled = self.free_implying(&[cells.has_unmodelled]);
        Ok(Cells { bits, has_unmodelled, ..cells })
    }

    pub(super) fn cells_of_houses(&mut self, houses: &Houses) -> Cells {
        if let Some(house) = houses.only_member
            && self.world.is_open
        {
            let is_member = houses.bits[house];
            let holds = self.world.houses[house].holds.iter();
            let bits = self.circuit.and_each(holds.map(|&holds| (is_member, holds)));
            let has_unmodelled = self.free_implying(&[is_member]);
            return Cells { houses_of_unmodelled: vec![house], ..Cells::with_unmodelled(bits, has_unmodelled) };
        }
        let mut bits = Vec::with_capacity(self.world.cell_count());
        for cell in 0..self.world.cell_count() {
            let holds = self.world.houses.iter().map(|house| house.holds[cell]);
            let in_modelled = self.circuit.any_pair_true(houses.bits.iter().copied().zip(holds));
            bits.push(self.weakened_by_unmodelled(in_modelled, houses.has_unmodelled, Quantifier::Some));
        }
        let is_empty = members(&houses.bits).next().is_none() && houses.has_unmodelled == Lit::FALSE;
        let has_unmodelled = if is_empty { Lit::FALSE } else { self.free_unmodelled() };
        Cells::with_unmodelled(bits, has_unmodelled)
    }

    fn cells_of_candidates(&mut self, candidates: &Candidates) -> Cells {
        let digits = self.digits();
        let bits = candidates.bits.chunks(digits).map(|cell| self.circuit.or(cell.iter().copied())).collect();
        Cells::with_unmodelled(bits, self.circuit.or(candidates.has_unmodelled.iter().copied()))
    }

    /// Returns, for each digit, the literal "an unmodelled cell of the set has the digit as a candidate". The literal
    /// is false if a modelled cell holds the digit in a house that contains all unmodelled cells of the set.
    pub(super) fn digits_of_unmodelled(&mut self, cells: &Cells) -> Vec<Lit> {
        let digits = self.digits();
        if cells.has_unmodelled == Lit::FALSE {
            return vec![Lit::FALSE; digits];
        }
        if let Some(digits_of_unmodelled) = &cells.digits_of_unmodelled {
            return digits_of_unmodelled.clone();
        }
        let mut out = Vec::with_capacity(digits);
        for digit in 0..digits {
            let has_digit = self.free_implying(&[cells.has_unmodelled, self.world.digits[digit]]);
            for &house in &cells.houses_of_unmodelled {
                for cell in 0..self.world.cell_count() {
                    let is_value = self.world.has_value(&mut self.circuit, cell, digit);
                    let holds = self.world.houses[house].holds[cell];
                    self.circuit.add_clause(&[!has_digit, !holds, !is_value]);
                }
            }
            out.push(has_digit);
        }
        out
    }

    fn candidates_in(&mut self, digits: &Expr, cells: &Expr) -> Result<Candidates, Refusal> {
        let (digits, cells) = (self.digit_set(digits)?, self.cell_set(cells)?);
        let mut bits = Vec::with_capacity(digits.len() * cells.bits.len());
        for (&in_cells, lits) in cells.bits.iter().zip(&self.world.cells) {
            for (in_digits, candidate) in pairs(&digits, &lits.candidate) {
                bits.push(match (in_cells, in_digits) {
                    (Lit::FALSE, _) | (_, Lit::FALSE) => Lit::FALSE,
                    _ => self.circuit.and([in_cells, in_digits, candidate]),
                });
            }
        }
        let has_unmodelled = self.digits_of_unmodelled(&cells);
        Ok(Candidates::new(bits, self.circuit.and_each(pairs(&has_unmodelled, &digits))))
    }

    fn digits_of(&mut self, set: &Expr) -> Result<Vec<Lit>, Refusal> {
        if let Lits::Candidates(candidates) = self.value(set)? {
            return Ok(self.digits_in(&candidates));
        }
        let cells = self.cell_set(set)?;
        let mut ways: Vec<Vec<Lit>> = self.digits_of_unmodelled(&cells).into_iter().map(|lit| vec![lit]).collect();
        for (cell, is_member) in members(&cells.bits) {
            for (ways, &candidate) in ways.iter_mut().zip(&self.world.cells[cell].candidate) {
                ways.push(self.circuit.and2(is_member, candidate));
            }
        }
        Ok(ways.into_iter().map(|ways| self.circuit.or(ways)).collect())
    }

    /// Returns, for each digit, the literal "some member has the digit".
    pub(super) fn digits_in(&mut self, candidates: &Candidates) -> Vec<Lit> {
        let digits = self.digits();
        let by_digit = candidates.has_unmodelled.iter().enumerate().map(|(digit, has_unmodelled)| {
            let of_digit = candidates.bits.iter().skip(digit).step_by(digits);
            self.circuit.or(of_digit.chain([has_unmodelled]).copied())
        });
        by_digit.collect()
    }

    fn values_of(&mut self, cells: &Expr) -> Result<Vec<Lit>, Refusal> {
        let cells = self.cell_set(cells)?;
        let values = (0..self.digits()).map(|digit| {
            let mut ways = vec![self.unmodelled_has_value(&cells, digit)];
            for (cell, is_member) in members(&cells.bits) {
                let is_value = self.world.has_value(&mut self.circuit, cell, digit);
                ways.push(self.circuit.and2(is_member, is_value));
            }
            self.circuit.or(ways)
        });
        Ok(values.collect())
    }

    /// Returns the literal "an unmodelled solved cell of the set holds the digit". The literal is false if the digit's
    /// place is modelled in a house that contains all unmodelled cells of the set.
    fn unmodelled_has_value(&mut self, cells: &Cells, digit: usize) -> Lit {
        let mut houses = cells.houses_of_unmodelled.iter();
        if cells.has_unmodelled == Lit::FALSE || houses.any(|&house| self.world.modelled_places[house][digit]) {
            return Lit::FALSE;
        }
        let has_value = self.free_implying(&[cells.has_unmodelled, self.world.digits[digit]]);
        for &house in &cells.houses_of_unmodelled {
            for (lits, &holds) in self.world.cells.iter().zip(&self.world.houses[house].holds) {
                self.circuit.add_clause(&[!has_value, !holds, !lits.solution[digit]]);
                self.circuit.add_clause(&[!has_value, !holds, !lits.candidate[digit]]);
            }
        }
        has_value
    }

    fn seeing(&mut self, quantifier: Quantifier, cells: &Expr) -> Result<Cells, Refusal> {
        let cells = self.cell_set(cells)?;
        let bits = self.world.cells.iter().enumerate().map(|(cell, lits)| {
            let pairs = cells.bits.iter().enumerate().map(|(member, &bit)| (bit, self.world.sees(cell, member)));
            let sees_modelled = self.circuit.quantified(quantifier, pairs);
            let sees = weakened_if_open(&mut self.circuit, sees_modelled, cells.has_unmodelled, quantifier);
            self.circuit.and2(lits.unsolved, sees)
        });
        Ok(Cells::with_unmodelled(bits.collect(), self.free_unmodelled()))
    }

    /// Returns the houses of a class through a cell if `cell` is a name and all these houses are modelled, otherwise
    /// `None`.
    fn modelled_houses_through(&self, class: HouseClass, cell: &Expr) -> Option<Vec<usize>> {
        let Expr::Var(cell) = cell else { return None };
        let mut houses = Vec::new();
        for class in single_house_classes(&class) {
            let mut slots = self.slots.houses.iter();
            houses.push(slots.position(|slot| matches!(slot, HouseSlot::Through(a, b) if (a, b) == (class, cell)))?);
        }
        (!houses.is_empty()).then_some(houses)
    }

    fn houses_of(&mut self, class: HouseClass, cells: &Expr) -> Result<Houses, Refusal> {
        let count = self.world.houses.len();
        if let Some(houses) = self.modelled_houses_through(class, cells) {
            if let &[house] = houses.as_slice() {
                return Ok(self.single_house(house));
            }
            let mut bits = vec![Lit::FALSE; count];
            houses.into_iter().for_each(|house| bits[house] = self.world.houses[house].exists);
            return Ok(Houses::new(self.with_aliases(&bits), Lit::FALSE));
        }
        let cells = self.cell_set(cells)?;
        let bits = (0..count).map(|house| {
            let in_class = self.in_class(house, class);
            let meets_modelled = self.circuit.any_pair_true(pairs(&cells.bits, &self.world.houses[house].holds));
            let meets = weakened_if_open(&mut self.circuit, meets_modelled, cells.has_unmodelled, Quantifier::Some);
            self.circuit.and2(in_class, meets)
        });
        Ok(Houses::new(bits.collect(), self.free_unmodelled()))
    }
}

fn quantifier(every: bool) -> Quantifier {
    if every { Quantifier::Every } else { Quantifier::Some }
}

/// Turns a fact about the modelled members of a set into a literal about all members. If the set may have unmodelled
/// members, "every modelled member" is only a necessary condition, and "some modelled member" only a sufficient
/// condition.
pub(super) fn weakened_if_open(circuit: &mut Circuit, fact: Lit, has_unmodelled: Lit, quantifier: Quantifier) -> Lit {
    match (has_unmodelled, quantifier) {
        (Lit::FALSE, _) => fact,
        (_, Quantifier::Every) => circuit.between(Lit::FALSE, fact),
        (_, Quantifier::Some) => circuit.between(fact, Lit::TRUE),
    }
}
