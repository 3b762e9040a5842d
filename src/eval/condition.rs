//! Conditions, word for word. In: a condition and names with values. Out: true or false.

use super::elements::{Element, houses_in, of_kind};
use super::{Evaluator, in_class};
use crate::engine::Value;
use crate::grid::{Cell, DigitSet, HouseId, HouseKind};
use crate::lang::ir::{Comparison, Condition, Expr, HouseClass, Incidence, Operand, Quantifier, VarId};
use std::collections::BTreeSet;

impl Evaluator<'_> {
    /// Returns true if the condition holds.
    pub fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Compare(a, how, b) => compares(self.number(a), *how, self.number(b)),
            Condition::Equal(a, b) => self.equal(a, b),
            Condition::Exactly(set, names) => self.exactly(set, names),
            Condition::Within(a, b) => {
                let a = self.set(a);
                !a.is_empty() && a.is_subset(&self.set(b))
            }
            Condition::Disjoint(Expr::Var(a), Expr::Var(b)) if a == b => self.are_disjoint(*a),
            Condition::Disjoint(a, b) => self.set(a).is_disjoint(&self.set(b)),
            Condition::Some(a) => !self.set(a).is_empty(),
            Condition::No(a) => self.set(a).is_empty(),
            Condition::Sees(a, b) => self.sees(a, b),
            Condition::Has(cells, digits) => self.has(cells, self.digits(digits)),
            Condition::Lacks(cells, digits) => self.lacks(cells, self.digits(digits)),
            Condition::Incident(a, how, b) => self.lie(a, *how, b),
            Condition::Connected(cells) => self.connected(&self.cells(cells)),
            Condition::AlmostLocked(cells, over) => self.almost_locked(cells, *over),
            Condition::GivensAllow(cells, digits) => self.givens_allow(cells, digits),
            Condition::Predicate(_, _, definition) => self.holds(definition),
            Condition::ForAll(index, of, part) => self.for_each_member(*index, of).iter().all(|with| with.holds(part)),
            Condition::Exists(index, of, part) => self.for_each_member(*index, of).iter().any(|with| with.holds(part)),
            Condition::And(parts) => parts.iter().all(|part| self.holds(part)),
            Condition::Or(parts) => parts.iter().any(|part| self.holds(part)),
            Condition::Not(part) => !self.holds(part),
        }
    }

    /// Returns an evaluator for each member of a set, with the running name (the loop variable) bound to the member.
    pub fn for_each_member(&self, index: VarId, of: &Expr) -> Vec<Self> {
        let kind = self.variant.var(index).kind;
        self.set(of)
            .into_iter()
            .map(|element| self.with_value(index, of_kind(kind, &BTreeSet::from([element]))))
            .collect()
    }

    fn equal(&self, a: &Expr, b: &Expr) -> bool {
        match (self.value(a), self.value(b)) {
            (Value::Number(a), Value::Number(b)) => a == b,
            _ => self.set(a) == self.set(b),
        }
    }

    /// Returns true if the set consists of the values of these names, all different.
    fn exactly(&self, set: &Expr, names: &[VarId]) -> bool {
        let set = self.set(set);
        let named: BTreeSet<Element> = names.iter().flat_map(|name| self.set(&Expr::Var(*name))).collect();
        set.len() == names.len() && set == named
    }

    fn quantified(&self, side: &Operand, test: impl Fn(Cell) -> bool) -> bool {
        let cells = self.cells(&side.cells);
        match side.quantifier {
            Quantifier::Every => cells.into_iter().all(test),
            Quantifier::Some => cells.into_iter().any(test),
        }
    }

    fn sees(&self, a: &Operand, b: &Operand) -> bool {
        self.quantified(a, |left| self.quantified(b, |right| self.geometry.sees(left, right)))
    }

    fn has(&self, cells: &Operand, digits: DigitSet) -> bool {
        self.quantified(cells, |cell| digits.iter().all(|digit| self.may_hold(cell, digit)))
    }

    fn lacks(&self, cells: &Operand, digits: DigitSet) -> bool {
        self.quantified(cells, |cell| !digits.iter().any(|digit| self.may_hold(cell, digit)))
    }

    /// Returns true if each house of `a` is in relation `how` to each house of `b`, or to its cells.
    fn lie(&self, a: &Expr, how: Incidence, b: &Expr) -> bool {
        let left = houses_in(&self.set(a));
        match self.value(b) {
            Value::Houses(right) => left.iter().all(|a| right.iter().all(|b| self.houses_lie(*a, how, *b))),
            _ => {
                let cells = self.cells(b);
                left.iter().all(|a| self.cells_lie(*a, how, &cells))
            }
        }
    }

    fn houses_lie(&self, a: HouseId, how: Incidence, b: HouseId) -> bool {
        let kinds = (self.geometry.house(a).kind, self.geometry.house(b).kind);
        match how {
            Incidence::Crossing => {
                matches!(kinds, (HouseKind::Row, HouseKind::Column) | (HouseKind::Column, HouseKind::Row))
            }
            Incidence::Parallel => {
                matches!(kinds, (HouseKind::Row, HouseKind::Row) | (HouseKind::Column, HouseKind::Column))
            }
            _ => self.cells_lie(a, how, &self.geometry.house(b).cells),
        }
    }

    fn cells_lie(&self, house: HouseId, how: Incidence, cells: &[Cell]) -> bool {
        let here = &self.geometry.house(house).cells;
        match how {
            Incidence::Meeting => cells.iter().any(|cell| here.contains(cell)),
            Incidence::Avoiding => !cells.iter().any(|cell| here.contains(cell)),
            Incidence::Through => cells.iter().all(|cell| here.contains(cell)),
            // Cells cross nothing and are parallel to nothing.
            Incidence::Crossing | Incidence::Parallel => false,
        }
    }

    pub fn in_one(&self, cells: &[Cell], class: HouseClass) -> bool {
        let houses = self.geometry.houses().iter().filter(|house| in_class(class, house.kind));
        houses.into_iter().any(|house| cells.iter().all(|cell| house.cells.contains(cell)))
    }

    fn connected(&self, cells: &[Cell]) -> bool {
        let Some(&first) = cells.first() else { return true };
        let mut reached = BTreeSet::from([first]);
        loop {
            let outside = cells.iter().copied().filter(|cell| !reached.contains(cell));
            let more: Vec<Cell> =
                outside.filter(|cell| reached.iter().any(|other| self.geometry.sees(*cell, *other))).collect();
            if more.is_empty() {
                return reached.len() == cells.len();
            }
            reached.extend(more);
        }
    }

    /// Returns all groups: the unsolved cells, and the unsolved cells that a box and a line share.
    pub fn groups(&self) -> Vec<Vec<Cell>> {
        let mut out: BTreeSet<Vec<Cell>> =
            self.unsolved(self.geometry.cells()).into_iter().map(|cell| vec![cell]).collect();
        let boxes = self.houses(HouseClass::Box);
        for line in self.houses(HouseClass::Line) {
            for house in &boxes {
                let held = &self.geometry.house(*house).cells;
                let shared = self.geometry.house(line).cells.iter().copied().filter(|cell| held.contains(cell));
                let shared = self.unsolved(shared);
                out.extend((shared.len() > 1).then_some(shared));
            }
        }
        out.into_iter().collect()
    }
}

/// Returns true if two numbers compare like this.
pub fn compares(a: i64, how: Comparison, b: i64) -> bool {
    match how {
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::Greater => a > b,
        Comparison::GreaterEqual => a >= b,
    }
}

impl Evaluator<'_> {
    /// Returns true if the clues leave all these digits possible in every cell, or in some cell, as the operand says.
    pub(super) fn givens_allow(&self, side: &Operand, digits: &Expr) -> bool {
        let digits = self.digits(digits);
        self.quantified(side, |cell| digits.within(self.state.initial_candidates(cell)))
    }
}

impl Evaluator<'_> {
    /// Returns true if the cells are unsolved, in one house, and have `over` more candidate digits than there are cells.
    pub(super) fn almost_locked(&self, cells: &Expr, over: u32) -> bool {
        self.is_almost_locked(&self.cells(cells), over)
    }

    /// Returns true if `cells` are an almost locked set of degree `over`.
    pub fn is_almost_locked(&self, cells: &[Cell], over: u32) -> bool {
        let digits = cells.iter().fold(DigitSet::EMPTY, |all, cell| all | self.state.candidates(*cell));
        !cells.is_empty()
            && cells.iter().all(|cell| self.state.value(*cell).is_none())
            && self.in_one(cells, HouseClass::Any)
            && digits.len() == cells.len() + over as usize
    }

    /// `petal disjoint`: no two members of a family have a cell in common.
    pub(super) fn are_disjoint(&self, name: VarId) -> bool {
        match self.bindings.get(name.0) {
            Some(Some(Value::Family(members))) => {
                let mut seen = BTreeSet::new();
                members.iter().flat_map(|(_, cells)| cells).all(|cell| seen.insert(*cell))
            }
            _ => self.set(&Expr::Var(name)).is_empty(),
        }
    }

    /// The unsolved cells of each house.
    pub fn house_cells(&self) -> Vec<Vec<Cell>> {
        self.geometry.houses().iter().map(|house| self.unsolved(house.cells.iter().copied())).collect()
    }
}
