//! Evaluates conditions by their definition. In: a condition, and names with values. Out: true or false.

use super::Evaluator;
use super::elements::{Element, houses_in, value_of_kind};
use crate::engine::Value;
use crate::grid::{Cell, HouseId, HouseKind};
use crate::lang::ir::{Comparison, Condition, Expr, HouseClass, Incidence, Operand, Quantifier, VarId};
use std::collections::BTreeSet;

impl Evaluator<'_> {
    pub fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Compare(a, comparison, b) => comparison_holds(self.number(a), *comparison, self.number(b)),
            Condition::Equal(a, b) => self.are_equal(a, b),
            Condition::Exactly(set, names) => self.consists_of(set, names),
            Condition::Within(a, b) => {
                // The empty set is within no set. Otherwise `d in house within X` would hold for every X if d is solved.
                let a = self.set(a);
                !a.is_empty() && a.is_subset(&self.set(b))
            }
            // `disjoint` of a single family has the family's name twice, and means that its members are pairwise disjoint.
            Condition::Disjoint(Expr::Var(a), Expr::Var(b)) if a == b => self.has_disjoint_members(*a),
            Condition::Disjoint(a, b) => self.set(a).is_disjoint(&self.set(b)),
            Condition::NotEmpty(set) => !self.set(set).is_empty(),
            Condition::No(set) => self.set(set).is_empty(),
            Condition::Sees(a, b) => self.sees(a, b),
            Condition::Has(cells, digits) | Condition::Lacks(cells, digits) => {
                let (digits, has) = (self.digits(digits), matches!(condition, Condition::Has(..)));
                self.holds_for_cells(cells, |cell| digits.iter().all(|digit| self.can_hold(cell, digit) == has))
            }
            Condition::Incident(a, incidence, b) => self.are_incident(a, *incidence, b),
            Condition::Connected(cells) => self.is_connected(&self.cells(cells)),
            Condition::AlmostLocked(cells, degree) => self.is_almost_locked(&self.cells(cells), *degree),
            Condition::GivensAllow(cells, digits) => {
                let digits = self.digits(digits);
                self.holds_for_cells(cells, |cell| digits.within(self.state.initial_candidates(cell)))
            }
            Condition::Predicate(_, _, definition) => self.holds(definition),
            Condition::ForAll(index, set, part) => {
                self.for_each_member(*index, set).iter().all(|inner| inner.holds(part))
            }
            Condition::Exists(index, set, part) => {
                self.for_each_member(*index, set).iter().any(|inner| inner.holds(part))
            }
            Condition::And(parts) => parts.iter().all(|part| self.holds(part)),
            Condition::Or(parts) => parts.iter().any(|part| self.holds(part)),
            Condition::Not(part) => !self.holds(part),
        }
    }

    /// Returns an evaluator for each member of a set, with the loop variable `index` bound to the member.
    pub fn for_each_member(&self, index: VarId, set: &Expr) -> Vec<Self> {
        let kind = self.variant.var(index).kind;
        self.set(set)
            .into_iter()
            .map(|element| self.with_value(index, value_of_kind(kind, &BTreeSet::from([element]))))
            .collect()
    }

    fn are_equal(&self, a: &Expr, b: &Expr) -> bool {
        match (self.value(a), self.value(b)) {
            (Value::Number(a), Value::Number(b)) => a == b,
            _ => self.set(a) == self.set(b),
        }
    }

    /// Returns true if the set consists of the values of these names, all different.
    fn consists_of(&self, set: &Expr, names: &[VarId]) -> bool {
        let set = self.set(set);
        let listed: BTreeSet<Element> = names.iter().flat_map(|name| self.set(&Expr::Var(*name))).collect();
        set.len() == names.len() && set == listed
    }

    /// Returns true if every (or some) cell of an operand passes a test.
    fn holds_for_cells(&self, operand: &Operand, test: impl Fn(Cell) -> bool) -> bool {
        let cells = self.cells(&operand.cells);
        match operand.quantifier {
            Quantifier::Every => cells.into_iter().all(test),
            Quantifier::Some => cells.into_iter().any(test),
        }
    }

    fn sees(&self, a: &Operand, b: &Operand) -> bool {
        self.holds_for_cells(a, |left| self.holds_for_cells(b, |right| self.geometry.sees(left, right)))
    }

    /// Returns true if each house of `a` is in the relation to each house of `b`, or to the cells of `b`.
    fn are_incident(&self, a: &Expr, incidence: Incidence, b: &Expr) -> bool {
        let left = houses_in(&self.set(a));
        match self.value(b) {
            Value::Houses(right) => {
                left.iter().all(|a| right.iter().all(|b| self.is_incident_to_house(*a, incidence, *b)))
            }
            _ => {
                let cells = self.cells(b);
                left.iter().all(|a| self.is_incident_to_cells(*a, incidence, &cells))
            }
        }
    }

    fn is_incident_to_house(&self, a: HouseId, incidence: Incidence, b: HouseId) -> bool {
        let kinds = (self.geometry.house(a).kind, self.geometry.house(b).kind);
        match incidence {
            Incidence::Crossing => {
                matches!(kinds, (HouseKind::Row, HouseKind::Column) | (HouseKind::Column, HouseKind::Row))
            }
            Incidence::Parallel => {
                matches!(kinds, (HouseKind::Row, HouseKind::Row) | (HouseKind::Column, HouseKind::Column))
            }
            _ => self.is_incident_to_cells(a, incidence, &self.geometry.house(b).cells),
        }
    }

    fn is_incident_to_cells(&self, house: HouseId, incidence: Incidence, cells: &[Cell]) -> bool {
        let house = &self.geometry.house(house).cells;
        match incidence {
            Incidence::Meeting => cells.iter().any(|cell| house.contains(cell)),
            Incidence::Avoiding => !cells.iter().any(|cell| house.contains(cell)),
            Incidence::Through => cells.iter().all(|cell| house.contains(cell)),
            // Only lines cross or are parallel.
            Incidence::Crossing | Incidence::Parallel => false,
        }
    }

    /// Returns true if the cells are unsolved, in one house, and have `degree` more candidate digits than there are cells.
    pub fn is_almost_locked(&self, cells: &[Cell], degree: u32) -> bool {
        let mut houses = self.geometry.houses().iter();
        !cells.is_empty()
            && cells.iter().all(|cell| self.state.value(*cell).is_none())
            && houses.any(|house| cells.iter().all(|cell| house.cells.contains(cell)))
            && self.candidate_digits(cells).len() == cells.len() + degree as usize
    }

    /// Returns true if no two members of a family have a cell in common. A name that is no family is disjoint from itself
    /// only if its value is empty.
    fn has_disjoint_members(&self, name: VarId) -> bool {
        match self.bindings.get(name.0) {
            Some(Some(Value::Family(members))) => {
                let cells: Vec<&Cell> = members.iter().flat_map(|(_, cells)| cells).collect();
                BTreeSet::from_iter(&cells).len() == cells.len()
            }
            _ => self.set(&Expr::Var(name)).is_empty(),
        }
    }

    /// Returns true if all cells can be reached from the first cell in steps between cells that see each other.
    fn is_connected(&self, cells: &[Cell]) -> bool {
        let Some(&first) = cells.first() else { return true };
        let mut reached = BTreeSet::from([first]);
        loop {
            let outside = cells.iter().copied().filter(|cell| !reached.contains(cell));
            let next: Vec<Cell> =
                outside.filter(|cell| reached.iter().any(|other| self.geometry.sees(*cell, *other))).collect();
            if next.is_empty() {
                return reached.len() == cells.len();
            }
            reached.extend(next);
        }
    }

    /// Returns all groups, each once: every unsolved cell, and the unsolved cells that a box and a line share if there are
    /// at least two.
    pub fn groups(&self) -> Vec<Vec<Cell>> {
        let mut out: BTreeSet<Vec<Cell>> =
            self.unsolved(self.geometry.cells()).into_iter().map(|cell| vec![cell]).collect();
        let boxes = self.houses(HouseClass::Box);
        for line in self.houses(HouseClass::Line) {
            for house in &boxes {
                let box_cells = &self.geometry.house(*house).cells;
                let line_cells = self.geometry.house(line).cells.iter().copied();
                let shared = self.unsolved(line_cells.filter(|cell| box_cells.contains(cell)));
                if shared.len() > 1 {
                    out.insert(shared);
                }
            }
        }
        out.into_iter().collect()
    }

    /// Returns the unsolved cells of each house.
    pub fn unsolved_by_house(&self) -> Vec<Vec<Cell>> {
        self.geometry.houses().iter().map(|house| self.unsolved(house.cells.iter().copied())).collect()
    }
}

/// Returns true if the comparison of two numbers holds.
pub fn comparison_holds(a: i64, comparison: Comparison, b: i64) -> bool {
    match comparison {
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::Greater => a > b,
        Comparison::GreaterEqual => a >= b,
    }
}
