//! Conditions as literals. In: a condition whose names have values. Out: a literal that says it holds.

use super::exprs::known_or_open;
use super::names::Bound;
use super::values::{Cells, Houses, Lits};
use super::{Encoder, Refusal};
use crate::lang::ir::{Condition, Expr, HouseClass, Incidence, Operand, PredicateId, Quantifier, VarId};
use crate::proof::circuit::{members, pairs};
use crate::proof::solver::Lit;

/// Cost of reading a condition, in literals.
const CONDITION: usize = 4;

impl Encoder<'_> {
    /// Literal that is true iff the condition holds.
    pub fn condition(&mut self, condition: &Condition) -> Result<Lit, Refusal> {
        self.circuit.spent()?;
        // Conditions that the board decides leave no literal, but take time.
        self.circuit.remember(CONDITION);
        match condition {
            Condition::Compare(a, op, b) => self.compare(a, *op, b),
            Condition::Equal(a, b) => self.equal(a, b),
            Condition::Exactly(set, members) => self.exactly(set, members),
            Condition::Within(a, b) => self.within(a, b),
            Condition::Disjoint(a, b) => self.disjoint(a, b),
            Condition::Some(of) => self.some(of),
            Condition::No(of) => Ok(!self.some(of)?),
            Condition::Sees(a, b) => self.see(a, b),
            Condition::Has(side, digits) => self.options(side, digits, false),
            Condition::Lacks(side, digits) => self.options(side, digits, true),
            Condition::Incident(a, how, b) => self.lie(a, *how, b),
            Condition::Connected(cells) => self.connected(cells),
            Condition::AlmostLocked(cells, over) => self.almost_locked(cells, *over as usize),
            Condition::GivensAllow(side, digits) => self.givens_allow(side, digits),
            Condition::Predicate(_, _, definition) if !self.world.open => self.condition(definition),
            Condition::Predicate(id, args, _) => self.predicate(condition, *id, args),
            Condition::ForAll(index, of, part) => self.every(*index, of, part),
            Condition::Exists(index, of, part) => Ok(!self.every(*index, of, &Condition::Not(part.clone()))?),
            Condition::And(parts) | Condition::Or(parts) => {
                let parts = parts.iter().map(|part| self.condition(part)).collect::<Result<Vec<Lit>, Refusal>>()?;
                Ok(if matches!(condition, Condition::And(_)) {
                    self.circuit.and(parts)
                } else {
                    self.circuit.or(parts)
                })
            }
            Condition::Not(part) => Ok(!self.condition(part)?),
        }
    }

    /// Literal for a named predicate without a board: what follows from it there. Its definition would say nothing, because houses that
    /// no name stands for decide it.
    fn predicate(&mut self, condition: &Condition, id: PredicateId, args: &[Expr]) -> Result<Lit, Refusal> {
        match id {
            PredicateId::InOneHouse(class) => self.in_one(&args[0], class),
            PredicateId::Group => {
                let set = self.cell_set(&args[0])?;
                let may = self.each_two_see(&set);
                Ok(self.circuit.between(Lit::FALSE, may))
            }
            PredicateId::Closed | PredicateId::ClosedBetween => {
                self.cell_set(&args[0])?;
                Ok(self.circuit.fresh())
            }
            PredicateId::Conjugate => self.conjugate(condition, &args[0], [&args[1], &args[2]]),
        }
    }

    /// Two sets in a common form: if only one holds candidates, it is replaced by its cells.
    fn two_sets(&mut self, a: &Expr, b: &Expr) -> Result<[(Vec<Lit>, Lit); 2], Refusal> {
        let (x, y) = (self.members(a)?, self.members(b)?);
        if x.0.len() == y.0.len() {
            return Ok([x, y]);
        }
        let (a, b) = (self.cell_set(a)?, self.cell_set(b)?);
        Ok([(a.bits, a.rest), (b.bits, b.rest)])
    }

    fn some(&mut self, of: &Expr) -> Result<Lit, Refusal> {
        let (bits, rest) = self.members(of)?;
        Ok(self.circuit.or(bits.into_iter().chain([rest])))
    }

    fn within(&mut self, a: &Expr, b: &Expr) -> Result<Lit, Refusal> {
        let [(a, a_rest), (b, b_rest)] = self.two_sets(a, b)?;
        let some = self.circuit.or(a.iter().copied().chain([a_rest]));
        let mut parts = self.circuit.each_either(pairs(&a, &b).map(|(a, b)| (!a, b)));
        parts.push(some);
        let here = self.circuit.and(parts);
        let (must, may) = (self.circuit.and2(here, !a_rest), self.circuit.or2(!a_rest, b_rest));
        let may = self.circuit.and2(here, may);
        Ok(self.circuit.between(must, may))
    }

    fn disjoint(&mut self, a: &Expr, b: &Expr) -> Result<Lit, Refusal> {
        if let (Expr::Var(family), true) = (a, a == b)
            && let Some(Bound::Family(members)) = self.scope.bound[family.0].clone()
        {
            return self.pairwise_disjoint(*family, &members);
        }
        let [a, b] = self.two_sets(a, b)?;
        Ok(self.disjoint_sets(&a, &b))
    }

    fn disjoint_sets(&mut self, (a, a_rest): &(Vec<Lit>, Lit), (b, b_rest): &(Vec<Lit>, Lit)) -> Lit {
        let here = !self.circuit.some_both(pairs(a, b));
        let open = self.circuit.and2(*a_rest, *b_rest);
        self.unless_outside(here, open, true)
    }

    fn equal(&mut self, a: &Expr, b: &Expr) -> Result<Lit, Refusal> {
        let sets = self.two_sets(a, b)?;
        Ok(self.same_sets(&sets[0], &sets[1]))
    }

    fn same_sets(&mut self, a: &(Vec<Lit>, Lit), b: &(Vec<Lit>, Lit)) -> Lit {
        let parts: Vec<Lit> = pairs(&a.0, &b.0).map(|(a, b)| self.circuit.same(a, b)).collect();
        let here = self.circuit.and(parts);
        let outside = self.circuit.same(a.1, b.1);
        let (must, may) = (self.circuit.and([here, !a.1, !b.1]), self.circuit.and2(here, outside));
        self.circuit.between(must, may)
    }

    /// As many members as names, and just these.
    fn exactly(&mut self, set: &Expr, names: &[VarId]) -> Result<Lit, Refusal> {
        let list = Expr::Union(names.iter().map(|&name| Expr::Var(name)).collect());
        let sets = self.two_sets(set, &list)?;
        let same = self.same_sets(&sets[0], &sets[1]);
        let members = match self.value(&list)? {
            Lits::Houses(houses) => self.each_once(&houses),
            _ => sets[1].0.clone(),
        };
        let count = self.circuit.exactly(&members, names.len() as i64);
        Ok(self.circuit.and2(same, count))
    }

    fn see(&mut self, a: &Operand, b: &Operand) -> Result<Lit, Refusal> {
        let (x, y) = (self.cell_set(&a.cells)?, self.cell_set(&b.cells)?);
        let (every_a, every_b) = (a.quantifier == Quantifier::Every, b.quantifier == Quantifier::Every);
        let mut outer = Vec::new();
        for (i, is) in members(&x.bits) {
            let sees = y.bits.iter().enumerate().map(|(j, &bit)| (bit, self.world.sees(i, j)));
            let one = self.circuit.quantified(every_b, sees);
            outer.push(self.circuit.quantified(every_a, [(is, one)]));
        }
        let known = if every_a { self.circuit.and(outer) } else { self.circuit.or(outer) };
        match (every_a && every_b, x.rest == Lit::FALSE && y.rest == Lit::FALSE) {
            (_, true) => Ok(known),
            (true, _) => {
                let must = self.circuit.and([known, !x.rest, !y.rest]);
                Ok(self.circuit.between(must, known))
            }
            _ => Err(Refusal::Unbounded("`sees some`")),
        }
    }

    fn options(&mut self, side: &Operand, digits: &Expr, lacks: bool) -> Result<Lit, Refusal> {
        let (cells, digits) = (self.cell_set(&side.cells)?, self.digit_set(digits)?);
        let every = side.quantifier == Quantifier::Every;
        let mut outer = Vec::new();
        for (cell, &here) in cells.bits.iter().enumerate().filter(|(_, here)| **here != Lit::FALSE) {
            let mut parts = Vec::new();
            for (digit, &wanted) in digits.iter().enumerate().filter(|(_, wanted)| **wanted != Lit::FALSE) {
                let option = self.world.option(&mut self.circuit, cell, digit);
                parts.push(self.circuit.or2(!wanted, if lacks { !option } else { option }));
            }
            let holds = self.circuit.and(parts);
            outer.push(self.circuit.quantified(every, [(here, holds)]));
        }
        let known = if every { self.circuit.and(outer) } else { self.circuit.or(outer) };
        Ok(self.unless_outside(known, cells.rest, every))
    }

    /// Weakens a fact about the modelled members of a set that has others if `rest` holds.
    pub(super) fn unless_outside(&mut self, known: Lit, rest: Lit, every: bool) -> Lit {
        let (must, may) = match every {
            true => (self.circuit.and2(known, !rest), known),
            false => (known, self.circuit.or2(known, rest)),
        };
        self.circuit.between(must, may)
    }

    fn every(&mut self, index: VarId, of: &Expr, part: &Condition) -> Result<Lit, Refusal> {
        let (bits, rest) = self.members(of)?;
        let mut parts = Vec::new();
        for (member, is) in members(&bits) {
            let holds = self.with_running(index, member, |this| this.condition(part))?;
            parts.push(self.circuit.or2(!is, holds));
        }
        let known = self.circuit.and(parts);
        Ok(self.unless_outside(known, rest, true))
    }
}

/// Without a board ways through no more cells are followed.
const MOST_JOINED: usize = 9;

impl Encoder<'_> {
    /// Each house of the left lies so with each house of the right, or with the cells of the right.
    pub(super) fn lie(&mut self, a: &Expr, how: Incidence, b: &Expr) -> Result<Lit, Refusal> {
        if how == Incidence::Avoiding {
            let (a, b) = (self.cell_set(a)?, self.cell_set(b)?);
            return Ok(self.disjoint_sets(&(a.bits, a.rest), &(b.bits, b.rest)));
        }
        let left = self.house_set(a)?;
        let (allowed, beyond) = match self.value(b)? {
            Lits::Houses(right) => (self.lying_with(how, &right)?, right.rest),
            _ if matches!(how, Incidence::Crossing | Incidence::Parallel) => {
                return Err(Refusal::Construct("lines that cells cross"));
            }
            _ => {
                let right = self.cell_set(b)?;
                (self.touching(&right, how == Incidence::Through), Lit::FALSE)
            }
        };
        let known = self.circuit.every_implies(pairs(&left.bits, &allowed));
        let outside = self.circuit.or2(left.rest, beyond);
        Ok(self.unless_outside(known, outside, true))
    }

    /// For each house, a literal: it is related in this way to every modelled house of `houses`.
    fn lying_with(&mut self, how: Incidence, houses: &Houses) -> Result<Vec<Lit>, Refusal> {
        let mut all = vec![Vec::new(); self.world.houses.len()];
        for (house, is) in members(&houses.bits) {
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

    /// For each house, a literal: it is a line parallel or perpendicular to `along`.
    fn lines(&mut self, along: usize, parallel: bool) -> Vec<Lit> {
        let (row, column) = (self.world.houses[along].row, self.world.houses[along].column);
        let (same, other) = if parallel { (row, column) } else { (column, row) };
        let houses = self.world.houses.iter();
        houses.map(|line| self.circuit.some_both([(line.row, same), (line.column, other)])).collect()
    }

    /// For each house, a literal: it holds some (or every) one of these cells.
    fn touching(&mut self, cells: &Cells, every: bool) -> Vec<Lit> {
        let mut out = Vec::new();
        for house in &self.world.houses {
            let known = self.circuit.quantified(every, pairs(&cells.bits, &house.holds));
            out.push(known_or_open(&mut self.circuit, known, cells.rest, every));
        }
        out
    }

    /// `in one house` without a board: there may be a house that no name stands for, but then these cells see each other.
    fn in_one(&mut self, cells: &Expr, class: HouseClass) -> Result<Lit, Refusal> {
        let cells = self.cell_set(cells)?;
        let all = self.touching(&cells, true);
        let mut ways = Vec::new();
        for (house, &holds) in all.iter().enumerate() {
            let right = self.in_class(house, class);
            ways.push(self.circuit.and2(right, holds));
        }
        let known = self.circuit.or(ways);
        let may = self.each_two_see(&cells);
        let must = self.circuit.and2(known, may);
        Ok(self.circuit.between(must, may))
    }

    /// Literal that is true iff each two modelled cells of a set see each other.
    fn each_two_see(&mut self, set: &Cells) -> Lit {
        let mut pairs = Vec::new();
        for a in 0..set.bits.len() {
            for b in a + 1..set.bits.len() {
                pairs.push(self.circuit.or([!set.bits[a], !set.bits[b], self.world.sees(a, b)]));
            }
        }
        self.circuit.and(pairs)
    }

    /// `connected`: from the first of these cells all are reached along cells that see each other.
    pub(super) fn connected(&mut self, cells: &Expr) -> Result<Lit, Refusal> {
        let most = self.most_members(cells);
        let cells = self.cell_set(cells)?;
        if cells.rest != Lit::FALSE {
            return Err(Refusal::Unbounded("`connected`"));
        }
        let bits: Vec<(usize, Lit)> = members(&cells.bits).collect();
        // Ways through many cells that may not be there are expensive, and no rule is true because its cells are connected.
        if self.world.open && most.min(bits.len()) > MOST_JOINED {
            return Ok(self.circuit.fresh());
        }
        let mut reached = Vec::new();
        let mut earlier = Lit::FALSE;
        for &(_, is) in &bits {
            reached.push(self.circuit.and2(is, !earlier));
            earlier = self.circuit.or2(earlier, is);
        }
        for _ in 1..most.min(bits.len()) {
            let before = reached.clone();
            for (at, &(cell, is)) in bits.iter().enumerate() {
                let others = bits.iter().map(|&(other, _)| self.world.sees(cell, other));
                let some = self.circuit.some_both(before.iter().copied().zip(others));
                let joins = self.circuit.and2(is, some);
                reached[at] = self.circuit.or2(before[at], joins);
            }
        }
        Ok(self.circuit.every_implies(bits.iter().map(|&(_, is)| is).zip(reached)))
    }

    /// Upper bound on the cells of an expression, and so on the length of a path through them.
    fn most_members(&self, cells: &Expr) -> usize {
        let declared = match cells {
            Expr::Var(var) => self.scope.variant.choice(*var).and_then(|choose| self.size(choose).ok()),
            _ => None,
        };
        declared.and_then(|(_, high)| usize::try_from(high).ok()).unwrap_or(usize::MAX)
    }
}
