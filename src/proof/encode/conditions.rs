//! Conditions as literals. In: a condition whose names have values. Out: a literal that says it holds.

use super::names::{Bound, declaration};
use super::value::{Cells, Houses, Value};
use super::{Encoder, Refusal};
use crate::lang::ir::{Condition, Expr, HouseClass, Incidence, Operand, PredicateId, Quantifier, VarId};
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
            Condition::Lie(a, how, b) => self.lie(a, *how, b),
            Condition::Connected(cells) => self.connected(cells),
            Condition::AlmostLocked(cells, over) => self.almost_locked(cells, i64::from(*over)),
            Condition::GivensAllow(side, digits) => self.givens_allow(side, digits),
            Condition::Holds(_, _, definition) if !self.world.open => self.condition(definition),
            Condition::Holds(id, args, _) => self.predicate(condition, *id, args),
            Condition::ForAll(index, of, part) => self.every(*index, of, part),
            Condition::Exists(index, of, part) => Ok(!self.every(*index, of, &Condition::Not(part.clone()))?),
            Condition::And(parts) => {
                let parts = self.all(parts)?;
                Ok(self.circuit.and(parts))
            }
            Condition::Or(parts) => {
                let parts = self.all(parts)?;
                Ok(self.circuit.or(parts))
            }
            Condition::Not(part) => Ok(!self.condition(part)?),
        }
    }

    /// Literal for a named predicate without a board: what follows from it there. Its definition would say nothing, because houses that
    /// no name stands for decide it.
    fn predicate(&mut self, condition: &Condition, id: PredicateId, args: &[Expr]) -> Result<Lit, Refusal> {
        match id {
            PredicateId::InOne(class) => self.in_one(&args[0], class),
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

    fn all(&mut self, parts: &[Condition]) -> Result<Vec<Lit>, Refusal> {
        parts.iter().map(|part| self.condition(part)).collect()
    }

    /// The literals of a set and, at the end, whether anything outside the world is a member.
    pub(super) fn members(&mut self, of: &Expr) -> Result<(Vec<Lit>, Lit), Refusal> {
        Ok(match self.value(of)? {
            Value::Digits(bits) => (bits, Lit::FALSE),
            Value::Cells(cells) => (cells.bits, cells.rest),
            Value::Houses(houses) => (houses.bits, houses.rest),
            Value::Candidates(all) => {
                let rest = self.circuit.or(all.rest.iter().copied());
                (all.bits, rest)
            }
            Value::Number(_) => return Err(Refusal::NeedsSet),
        })
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
        let mut parts = vec![some];
        for (&x, &y) in a.iter().zip(&b) {
            parts.push(self.circuit.or2(!x, y));
        }
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
        let [(a, a_rest), (b, b_rest)] = self.two_sets(a, b)?;
        let mut parts = Vec::new();
        for (&x, &y) in a.iter().zip(&b) {
            parts.push(!self.circuit.and2(x, y));
        }
        let here = self.circuit.and(parts);
        let open = self.circuit.and2(a_rest, b_rest);
        let must = self.circuit.and2(here, !open);
        Ok(self.circuit.between(must, here))
    }

    fn equal(&mut self, a: &Expr, b: &Expr) -> Result<Lit, Refusal> {
        let sets = self.two_sets(a, b)?;
        Ok(self.same_sets(&sets[0], &sets[1]))
    }

    fn same_sets(&mut self, a: &(Vec<Lit>, Lit), b: &(Vec<Lit>, Lit)) -> Lit {
        let mut parts = Vec::new();
        for (&x, &y) in a.0.iter().zip(&b.0) {
            parts.push(self.circuit.same(x, y));
        }
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
            Value::Houses(houses) => self.each_once(&houses),
            _ => sets[1].0.clone(),
        };
        let count = self.circuit.exactly(&members, names.len() as i64);
        Ok(self.circuit.and2(same, count))
    }

    fn see(&mut self, a: &Operand, b: &Operand) -> Result<Lit, Refusal> {
        let (x, y) = (self.cell_set(&a.of)?, self.cell_set(&b.of)?);
        let (every_a, every_b) = (a.quantifier == Quantifier::Every, b.quantifier == Quantifier::Every);
        let mut outer = Vec::new();
        for i in (0..x.bits.len()).filter(|&i| x.bits[i] != Lit::FALSE) {
            let mut inner = Vec::new();
            for j in (0..y.bits.len()).filter(|&j| y.bits[j] != Lit::FALSE) {
                let sees = self.world.sees(i, j);
                inner.push(self.quantified(every_b, y.bits[j], sees));
            }
            let one = if every_b { self.circuit.and(inner) } else { self.circuit.or(inner) };
            outer.push(self.quantified(every_a, x.bits[i], one));
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

    pub(super) fn quantified(&mut self, every: bool, member: Lit, holds: Lit) -> Lit {
        if every { self.circuit.or2(!member, holds) } else { self.circuit.and2(member, holds) }
    }

    fn options(&mut self, side: &Operand, digits: &Expr, lacks: bool) -> Result<Lit, Refusal> {
        let (cells, digits) = (self.cell_set(&side.of)?, self.digit_set(digits)?);
        let every = side.quantifier == Quantifier::Every;
        let mut outer = Vec::new();
        for (cell, &here) in cells.bits.iter().enumerate().filter(|(_, here)| **here != Lit::FALSE) {
            let mut parts = Vec::new();
            for (digit, &wanted) in digits.iter().enumerate().filter(|(_, wanted)| **wanted != Lit::FALSE) {
                let option = self.world.option(&mut self.circuit, cell, digit);
                parts.push(self.circuit.or2(!wanted, if lacks { !option } else { option }));
            }
            let holds = self.circuit.and(parts);
            outer.push(self.quantified(every, here, holds));
        }
        let known = if every { self.circuit.and(outer) } else { self.circuit.or(outer) };
        Ok(self.unless_outside(known, cells, every))
    }

    /// Weakens a fact about the modelled cells if the set may have others.
    pub(super) fn unless_outside(&mut self, known: Lit, cells: Cells, every: bool) -> Lit {
        let (must, may) = match every {
            true => (self.circuit.and2(known, !cells.rest), known),
            false => (known, self.circuit.or2(known, cells.rest)),
        };
        self.circuit.between(must, may)
    }

    fn every(&mut self, index: VarId, of: &Expr, part: &Condition) -> Result<Lit, Refusal> {
        let (members, rest) = self.members(of)?;
        let mut parts = Vec::new();
        for (member, &is) in members.iter().enumerate().filter(|(_, is)| **is != Lit::FALSE) {
            let outer = self.scope.running[index.0].replace(member);
            let holds = self.condition(part);
            self.scope.running[index.0] = outer;
            let holds = holds?;
            parts.push(self.circuit.or2(!is, holds));
        }
        let known = self.circuit.and(parts);
        let must = self.circuit.and2(known, !rest);
        Ok(self.circuit.between(must, known))
    }
}

/// Without a board ways through no more cells are followed.
const MOST_JOINED: usize = 9;

impl Encoder<'_> {
    /// Each house of the left lies so with each house of the right, or with the cells of the right.
    pub(super) fn lie(&mut self, a: &Expr, how: Incidence, b: &Expr) -> Result<Lit, Refusal> {
        if how == Incidence::Missing {
            let (a, b) = (self.cell_set(a)?, self.cell_set(b)?);
            return Ok(self.disjoint_sets(&a, &b));
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

    /// For each house, a literal: it is related in this way to every modelled house of `houses`.
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

    fn disjoint_sets(&mut self, a: &Cells, b: &Cells) -> Lit {
        let mut common = Vec::new();
        for (&x, &y) in a.bits.iter().zip(&b.bits) {
            common.push(self.circuit.and2(x, y));
        }
        let here = !self.circuit.or(common);
        let open = self.circuit.and2(a.rest, b.rest);
        let must = self.circuit.and2(here, !open);
        self.circuit.between(must, here)
    }

    /// For each house, a literal: it is a line parallel or perpendicular to `along`.
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

    /// For each house, a literal: it holds some (or every) one of these cells.
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

    /// Upper bound on the cells of an expression, and so on the length of a path through them.
    fn most_members(&self, cells: &Expr) -> usize {
        let declared = match cells {
            Expr::Var(var) => declaration(self.scope.variant, *var).and_then(|choose| self.size(choose).ok()),
            _ => None,
        };
        declared.and_then(|(_, high)| usize::try_from(high).ok()).unwrap_or(usize::MAX)
    }
}
