//! Conditions as literals. In: a condition whose names have values. Out: a literal that is true iff the condition
//! holds.

use super::exprs::weakened_if_open;
use super::names::NameLits;
use super::values::{Cells, Houses, Lits, Members};
use super::{Encoder, Refusal};
use crate::lang::ir::{Condition, Expr, HouseClass, Incidence, Operand, PredicateId, Quantifier, VarId};
use crate::proof::circuit::{members, pairs};
use crate::proof::solver::Lit;

/// Charge for reading a condition, in literals. A condition that the board decides adds no literal, but reading the
/// condition takes time.
const CONDITION_CHARGE: usize = 4;

impl Encoder<'_> {
    pub fn condition(&mut self, condition: &Condition) -> Result<Lit, Refusal> {
        self.circuit.check_limits()?;
        self.circuit.charge(CONDITION_CHARGE);
        match condition {
            Condition::Compare(a, op, b) => self.compare(a, *op, b),
            Condition::Equal(a, b) => {
                let [a, b] = self.two_sets(a, b)?;
                Ok(self.equal_sets(&a, &b))
            }
            Condition::Exactly(set, members) => self.exactly(set, members),
            Condition::Within(a, b) => self.within(a, b),
            Condition::Disjoint(a, b) => self.disjoint(a, b),
            Condition::NotEmpty(set) => self.not_empty(set),
            Condition::No(set) => Ok(!self.not_empty(set)?),
            Condition::Sees(a, b) => self.sees(a, b),
            Condition::Has(cells, digits) => self.digits_in_cells(cells, digits, true),
            Condition::Lacks(cells, digits) => self.digits_in_cells(cells, digits, false),
            Condition::Incident(a, incidence, b) => self.incident(a, *incidence, b),
            Condition::Connected(cells) => self.connected(cells),
            Condition::AlmostLocked(cells, surplus) => self.almost_locked(cells, *surplus as usize),
            Condition::GivensAllow(cells, digits) => self.givens_allow(cells, digits),
            Condition::Predicate(_, _, definition) if !self.world.is_open => self.condition(definition),
            Condition::Predicate(id, args, _) => self.predicate(condition, *id, args),
            Condition::ForAll(index, set, test) => self.for_all(*index, set, test),
            Condition::Exists(index, set, test) => Ok(!self.for_all(*index, set, &Condition::Not(test.clone()))?),
            Condition::And(parts) | Condition::Or(parts) => {
                let is_and = matches!(condition, Condition::And(_));
                let parts = parts.iter().map(|part| self.condition(part)).collect::<Result<Vec<Lit>, _>>()?;
                Ok(if is_and { self.circuit.and(parts) } else { self.circuit.or(parts) })
            }
            Condition::Not(condition) => Ok(!self.condition(condition)?),
        }
    }

    /// Returns the literal for a named predicate in the open world. Clauses state consequences of the predicate. The
    /// predicate's definition is not encoded, because its truth depends on unmodelled houses.
    fn predicate(&mut self, condition: &Condition, id: PredicateId, args: &[Expr]) -> Result<Lit, Refusal> {
        match id {
            PredicateId::InOneHouse(class) => self.in_one_house(&args[0], class),
            PredicateId::Group => {
                let cells = self.cell_set(&args[0])?;
                let necessary = self.all_see_each_other(&cells);
                Ok(self.circuit.between(Lit::FALSE, necessary))
            }
            PredicateId::Closed | PredicateId::ClosedBetween => {
                self.cell_set(&args[0])?;
                Ok(self.circuit.fresh())
            }
            PredicateId::Conjugate => self.conjugate(condition, &args[0], [&args[1], &args[2]]),
        }
    }

    /// Returns the members of two sets of one kind. If only one of them is a set of candidates, the cells of these
    /// candidates take its place.
    fn two_sets(&mut self, a: &Expr, b: &Expr) -> Result<[Members; 2], Refusal> {
        let sets = [self.members(a)?, self.members(b)?];
        // Sets of one kind have the same number of literals.
        if sets[0].bits.len() == sets[1].bits.len() {
            return Ok(sets);
        }
        Ok([self.cell_set(a)?.members(), self.cell_set(b)?.members()])
    }

    fn not_empty(&mut self, set: &Expr) -> Result<Lit, Refusal> {
        let members = self.members(set)?;
        Ok(self.circuit.or(members.lits()))
    }

    /// Returns the literal that is true iff the first set is not empty and a subset of the second.
    fn within(&mut self, a: &Expr, b: &Expr) -> Result<Lit, Refusal> {
        let [a, b] = self.two_sets(a, b)?;
        let not_empty = self.circuit.or(a.lits());
        let mut parts = self.circuit.or_each(pairs(&a.bits, &b.bits).map(|(a, b)| (!a, b)));
        parts.push(not_empty);
        let modelled_within = self.circuit.and(parts);
        let sufficient = self.circuit.and2(modelled_within, !a.has_unmodelled);
        let unmodelled_within = self.circuit.or2(!a.has_unmodelled, b.has_unmodelled);
        let necessary = self.circuit.and2(modelled_within, unmodelled_within);
        Ok(self.circuit.between(sufficient, necessary))
    }

    fn disjoint(&mut self, a: &Expr, b: &Expr) -> Result<Lit, Refusal> {
        // `f disjoint f` for a family f: no two members of f have a common cell.
        if a == b
            && let Expr::Var(family) = a
            && let Some(NameLits::Family(members)) = self.scope.values[family.0].clone()
        {
            return self.pairwise_disjoint(*family, &members);
        }
        let [a, b] = self.two_sets(a, b)?;
        Ok(self.disjoint_sets(&a, &b))
    }

    fn disjoint_sets(&mut self, a: &Members, b: &Members) -> Lit {
        let modelled_disjoint = !self.circuit.any_pair_true(pairs(&a.bits, &b.bits));
        let both_have_unmodelled = self.circuit.and2(a.has_unmodelled, b.has_unmodelled);
        self.weakened_by_unmodelled(modelled_disjoint, both_have_unmodelled, Quantifier::Every)
    }

    fn equal_sets(&mut self, a: &Members, b: &Members) -> Lit {
        let parts: Vec<Lit> = pairs(&a.bits, &b.bits).map(|(a, b)| self.circuit.iff(a, b)).collect();
        let modelled_equal = self.circuit.and(parts);
        let unmodelled_equal = self.circuit.iff(a.has_unmodelled, b.has_unmodelled);
        let sufficient = self.circuit.and([modelled_equal, !a.has_unmodelled, !b.has_unmodelled]);
        let necessary = self.circuit.and2(modelled_equal, unmodelled_equal);
        self.circuit.between(sufficient, necessary)
    }

    /// Returns the literal that is true iff the set consists of the values of these names, all different.
    fn exactly(&mut self, set: &Expr, names: &[VarId]) -> Result<Lit, Refusal> {
        let list = Expr::Union(names.iter().map(|&name| Expr::Var(name)).collect());
        let [set, listed] = self.two_sets(set, &list)?;
        let equal = self.equal_sets(&set, &listed);
        let distinct = match self.value(&list)? {
            Lits::Houses(houses) => self.distinct_houses(&houses),
            _ => listed.bits,
        };
        let count = self.circuit.exactly(&distinct, names.len() as i64);
        Ok(self.circuit.and2(equal, count))
    }

    fn sees(&mut self, a: &Operand, b: &Operand) -> Result<Lit, Refusal> {
        let left = self.cell_set(&a.cells)?;
        let right = self.cell_set(&b.cells)?;
        let mut outer = Vec::new();
        for (cell, is_member) in members(&left.bits) {
            let pairs = right.bits.iter().enumerate().map(|(other, &bit)| (bit, self.world.sees(cell, other)));
            let sees_right = self.circuit.quantified(b.quantifier, pairs);
            outer.push(self.circuit.quantified(a.quantifier, [(is_member, sees_right)]));
        }
        let modelled_see = self.circuit.every_or_some(a.quantifier, outer);
        if left.has_unmodelled == Lit::FALSE && right.has_unmodelled == Lit::FALSE {
            return Ok(modelled_see);
        }
        if a.quantifier == Quantifier::Some || b.quantifier == Quantifier::Some {
            return Err(Refusal::NeedsAllCells("`sees some`"));
        }
        let sufficient = self.circuit.and([modelled_see, !left.has_unmodelled, !right.has_unmodelled]);
        Ok(self.circuit.between(sufficient, modelled_see))
    }

    /// Returns the literal for a condition `has`, or `lacks`.
    fn digits_in_cells(&mut self, operand: &Operand, digits: &Expr, has: bool) -> Result<Lit, Refusal> {
        let (cells, digits) = (self.cell_set(&operand.cells)?, self.digit_set(digits)?);
        Ok(self.holds_for_cells(operand.quantifier, &cells, |this, cell| {
            let mut parts = Vec::new();
            for (digit, is_wanted) in members(&digits) {
                let can_hold = this.world.can_hold(&mut this.circuit, cell, digit);
                parts.push(this.circuit.or2(!is_wanted, can_hold.signed(has)));
            }
            this.circuit.and(parts)
        }))
    }

    /// Returns the literal for a test of every (or some) cell of a set.
    pub(super) fn holds_for_cells(
        &mut self,
        quantifier: Quantifier,
        cells: &Cells,
        mut test: impl FnMut(&mut Self, usize) -> Lit,
    ) -> Lit {
        let mut outer = Vec::new();
        for (cell, is_member) in members(&cells.bits) {
            let holds = test(self, cell);
            outer.push(self.circuit.quantified(quantifier, [(is_member, holds)]));
        }
        let modelled_hold = self.circuit.every_or_some(quantifier, outer);
        self.weakened_by_unmodelled(modelled_hold, cells.has_unmodelled, quantifier)
    }

    /// Weakens a fact about every (or some) modelled member of a set. If `has_unmodelled` is true, the set has
    /// unmodelled members, about which the fact says nothing.
    pub(super) fn weakened_by_unmodelled(&mut self, fact: Lit, has_unmodelled: Lit, quantifier: Quantifier) -> Lit {
        let (sufficient, necessary) = match quantifier {
            Quantifier::Every => (self.circuit.and2(fact, !has_unmodelled), fact),
            Quantifier::Some => (fact, self.circuit.or2(fact, has_unmodelled)),
        };
        self.circuit.between(sufficient, necessary)
    }

    fn for_all(&mut self, index: VarId, set: &Expr, test: &Condition) -> Result<Lit, Refusal> {
        let Members { bits, has_unmodelled } = self.members(set)?;
        let mut parts = Vec::new();
        for (member, is_member) in members(&bits) {
            let holds = self.with_loop_variable(index, member, |this| this.condition(test))?;
            parts.push(self.circuit.or2(!is_member, holds));
        }
        let modelled_hold = self.circuit.and(parts);
        Ok(self.weakened_by_unmodelled(modelled_hold, has_unmodelled, Quantifier::Every))
    }
}

/// Maximum number of cells for which `connected` is encoded in the open world.
const MAX_CONNECTED: usize = 9;

impl Encoder<'_> {
    /// Returns the literal that is true iff each house of `a` is in relation `incidence` to each house of `b`, or to
    /// the cells of `b`.
    fn incident(&mut self, a: &Expr, incidence: Incidence, b: &Expr) -> Result<Lit, Refusal> {
        if incidence == Incidence::Avoiding {
            let (a, b) = (self.cell_set(a)?, self.cell_set(b)?);
            return Ok(self.disjoint_sets(&a.members(), &b.members()));
        }
        let left = self.house_set(a)?;
        let (related, right_has_unmodelled) = match self.value(b)? {
            Lits::Houses(right) => (self.related_to_every(incidence, &right)?, right.has_unmodelled),
            _ if matches!(incidence, Incidence::Crossing | Incidence::Parallel) => {
                return Err(Refusal::Construct("crossing or parallel cells"));
            }
            _ => {
                let right = self.cell_set(b)?;
                (self.houses_with_cells(&right, cells_met(incidence)), Lit::FALSE)
            }
        };
        let modelled_related = self.circuit.every_implies(pairs(&left.bits, &related));
        let has_unmodelled = self.circuit.or2(left.has_unmodelled, right_has_unmodelled);
        Ok(self.weakened_by_unmodelled(modelled_related, has_unmodelled, Quantifier::Every))
    }

    /// Returns, for each house, the literal "the house is in relation `incidence` to every modelled house of `houses`".
    fn related_to_every(&mut self, incidence: Incidence, houses: &Houses) -> Result<Vec<Lit>, Refusal> {
        let mut parts = vec![Vec::new(); self.world.houses.len()];
        for (house, is_member) in members(&houses.bits) {
            let related = match incidence {
                Incidence::Crossing | Incidence::Parallel => self.lines(house, incidence),
                _ => {
                    let single = self.single_house(house);
                    let cells = self.cells_of_houses(&single);
                    self.houses_with_cells(&cells, cells_met(incidence))
                }
            };
            for (parts, is_related) in parts.iter_mut().zip(related) {
                parts.push(self.circuit.or2(!is_member, is_related));
            }
        }
        Ok(parts.into_iter().map(|parts| self.circuit.and(parts)).collect())
    }

    /// Returns, for each house, the literal "the house is a line parallel (or, for `crossing`, perpendicular) to
    /// `house`".
    fn lines(&mut self, house: usize, incidence: Incidence) -> Vec<Lit> {
        let (is_row, is_column) = (self.world.houses[house].is_row, self.world.houses[house].is_column);
        let (for_rows, for_columns) =
            if incidence == Incidence::Parallel { (is_row, is_column) } else { (is_column, is_row) };
        let houses = self.world.houses.iter();
        houses
            .map(|line| self.circuit.any_pair_true([(line.is_row, for_rows), (line.is_column, for_columns)]))
            .collect()
    }

    /// Returns, for each house, the literal "the house holds every (or some) cell of the set".
    fn houses_with_cells(&mut self, cells: &Cells, quantifier: Quantifier) -> Vec<Lit> {
        let holding = self.world.houses.iter().map(|house| {
            let holds_modelled = self.circuit.quantified(quantifier, pairs(&cells.bits, &house.holds));
            weakened_if_open(&mut self.circuit, holds_modelled, cells.has_unmodelled, quantifier)
        });
        holding.collect()
    }

    /// Returns the literal for `in one house` in the open world. An unmodelled house may hold the cells; in that case
    /// the cells see each other.
    fn in_one_house(&mut self, cells: &Expr, class: HouseClass) -> Result<Lit, Refusal> {
        let cells = self.cell_set(cells)?;
        let holds_all = self.houses_with_cells(&cells, Quantifier::Every);
        let mut ways = Vec::new();
        for (house, &holds_all) in holds_all.iter().enumerate() {
            let in_class = self.in_class(house, class);
            ways.push(self.circuit.and2(in_class, holds_all));
        }
        let in_modelled_house = self.circuit.or(ways);
        let necessary = self.all_see_each_other(&cells);
        let sufficient = self.circuit.and2(in_modelled_house, necessary);
        Ok(self.circuit.between(sufficient, necessary))
    }

    /// Returns the literal that is true iff any two modelled cells of a set see each other.
    fn all_see_each_other(&mut self, cells: &Cells) -> Lit {
        let count = cells.bits.len();
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        let parts = pairs.map(|(a, b)| self.circuit.or([!cells.bits[a], !cells.bits[b], self.world.sees(a, b)]));
        let parts: Vec<Lit> = parts.collect();
        self.circuit.and(parts)
    }

    /// Returns the literal that is true iff every cell of the set can be reached from the first cell by steps between
    /// cells of the set that see each other.
    pub(super) fn connected(&mut self, cells: &Expr) -> Result<Lit, Refusal> {
        let max_members = self.max_members(cells);
        let cells = self.cell_set(cells)?;
        if cells.has_unmodelled != Lit::FALSE {
            return Err(Refusal::NeedsAllCells("`connected`"));
        }
        let cells: Vec<(usize, Lit)> = members(&cells.bits).collect();
        let max_path = max_members.min(cells.len());
        // Paths through many possible cells take many clauses, and no rule is sound only because its cells are
        // connected. So the literal stays free.
        if self.world.is_open && max_path > MAX_CONNECTED {
            return Ok(self.circuit.fresh());
        }
        let mut reached = Vec::new();
        let mut some_earlier = Lit::FALSE;
        for &(_, is_member) in &cells {
            reached.push(self.circuit.and2(is_member, !some_earlier));
            some_earlier = self.circuit.or2(some_earlier, is_member);
        }
        for _ in 1..max_path {
            let reached_before = reached.clone();
            for (index, &(cell, is_member)) in cells.iter().enumerate() {
                let sees = cells.iter().map(|&(other, _)| self.world.sees(cell, other));
                let sees_reached = self.circuit.any_pair_true(reached_before.iter().copied().zip(sees));
                let is_joined = self.circuit.and2(is_member, sees_reached);
                reached[index] = self.circuit.or2(reached_before[index], is_joined);
            }
        }
        Ok(self.circuit.every_implies(cells.iter().map(|&(_, is_member)| is_member).zip(reached)))
    }

    /// Returns an upper bound on the number of cells of an expression: the declared size for a name, otherwise
    /// `usize::MAX`.
    fn max_members(&self, cells: &Expr) -> usize {
        if let Expr::Var(var) = cells
            && let Some(choose) = self.scope.variant.choice(*var)
            && let Ok((_, high)) = self.size(choose)
        {
            return usize::try_from(high).unwrap_or(usize::MAX);
        }
        usize::MAX
    }
}

/// Returns the cells that a house must hold to be in a relation to a set: every cell of the set or some cell.
fn cells_met(incidence: Incidence) -> Quantifier {
    if incidence == Incidence::Through { Quantifier::Every } else { Quantifier::Some }
}
