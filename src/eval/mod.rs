//! The reference evaluator: expressions and conditions, evaluated literally.
//!
//! In: a variant, its arguments, a board, a state and a value for each name. Out: values, truth, conclusions.
//!
//! The evaluator is slow and simple on purpose. Explanations use its values, and tests compare the engine with the
//! evaluator, which shares no code with the engine.

mod condition;
mod effects;
pub mod elements;
mod templates;

pub use condition::comparison_holds;

use crate::engine::{FamilyIndex, Match, Value};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, House, HouseId, HouseKind, State};
use crate::lang::ir::{Condition, Expr, HouseClass, Measure, VarId, Variant};
use elements::{Element, candidates_in, cells_in, digits_in, elements, houses_in, value_of_kind, value_of_same_kind};
use std::collections::BTreeSet;

/// Evaluates expressions and conditions of a rule, given the values of its names.
#[derive(Clone)]
pub struct Evaluator<'a> {
    variant: &'a Variant,
    args: &'a [u32],
    geometry: &'a Geometry,
    state: &'a State,
    bindings: Vec<Option<Value>>,
    /// The match that the values come from, if any. Step names may refer to its conclusions and links.
    pub found: Option<&'a Match>,
    /// Numbers about the match. The variable [`VarId::for_measure`]`(n)` stands for the n-th of them. Default: the
    /// measures of step names.
    pub measures: &'a [Measure],
    /// For each candidate (cell × size + digit), the number of the change that removed it, or 0.
    pub removals: &'a [u32],
    /// Check that ends long evaluations early.
    cancellation: Option<&'a dyn Fn() -> bool>,
}

impl<'a> Evaluator<'a> {
    /// Makes an evaluator. `bindings` has a value for each name, by `VarId`, and `None` for a loop variable (`d` in
    /// `for d in D`).
    pub fn new(
        variant: &'a Variant,
        args: &'a [u32],
        geometry: &'a Geometry,
        state: &'a State,
        bindings: &[Option<Value>],
    ) -> Evaluator<'a> {
        let mut bindings = bindings.to_vec();
        bindings.resize(variant.vars.len().max(bindings.len()), None);
        Evaluator {
            variant,
            args,
            geometry,
            state,
            bindings,
            found: None,
            measures: &variant.measures,
            removals: &[],
            cancellation: None,
        }
    }

    /// Sets a check that ends long evaluations early. Once the check returns true, values are meaningless.
    pub fn with_cancellation(self, is_cancelled: &'a dyn Fn() -> bool) -> Evaluator<'a> {
        Evaluator { cancellation: Some(is_cancelled), ..self }
    }

    fn is_cancelled(&self) -> bool {
        self.cancellation.is_some_and(|is_cancelled| is_cancelled())
    }

    /// Returns a copy of the evaluator in which `name` has `value`.
    pub fn with_value(&self, name: VarId, value: Value) -> Evaluator<'a> {
        let mut inner = self.clone();
        // The ids of loop variables in definitions come after the ids of the rule's names.
        if name.0 >= inner.bindings.len() {
            inner.bindings.resize(name.0 + 1, None);
        }
        inner.bindings[name.0] = Some(value);
        inner
    }

    pub fn bindings(&self) -> &[Option<Value>] {
        &self.bindings
    }

    /// Returns the value of an expression. A name without a value counts as the empty set.
    pub fn value(&self, expr: &Expr) -> Value {
        match expr {
            Expr::Number(_) | Expr::Param(_) | Expr::Count(_) => Value::Number(self.number(expr)),
            Expr::Add(..) | Expr::Subtract(..) | Expr::MaxOccurrences(..) => Value::Number(self.number(expr)),
            Expr::Var(name) => self.value_of_name(*name),
            Expr::Member(family, index) => self.member_of_family(*family, *index),
            Expr::Filter { var, set, condition } => self.filter(*var, set, condition),
            Expr::Overlap(houses) => Value::Cells(self.overlap(houses)),
            Expr::InNoTemplate(subject) => Value::Candidates(self.in_no_template(subject)),
            Expr::InEveryTemplate(digits) => Value::Candidates(self.in_every_template(digits)),
            Expr::Excluded { every, candidates } => Value::Candidates(self.excluded_candidates(*every, candidates)),
            Expr::AllDigits => Value::Digits(DigitSet::all(self.geometry.size())),
            Expr::AllCells => Value::Cells(self.unsolved(self.geometry.cells())),
            Expr::AllHouses(class) => Value::Houses(self.houses(*class)),
            Expr::Union(parts) => self.union_of(parts),
            Expr::Intersection(a, b) => self.combine(a, b, |a, b| a & b),
            Expr::Difference(a, b) => self.combine(a, b, |a, b| a - b),
            Expr::Digits(set) => Value::Digits(self.digits_of(set)),
            Expr::Values(cells) => {
                Value::Digits(self.cells(cells).iter().filter_map(|cell| self.state.value(*cell)).collect())
            }
            Expr::HouseCells(houses) => Value::Cells(self.house_cells(houses)),
            Expr::CellsOf(set) => Value::Cells(self.unsolved_cells(set)),
            Expr::CandidatesIn(digits, cells) => Value::Candidates(self.candidates_in(digits, cells)),
            Expr::Seeing { every, cells } => Value::Cells(self.cells_seeing(*every, &self.cells(cells))),
            Expr::HousesOf(class, cells) => Value::Houses(self.houses_with_some(*class, &self.cells(cells))),
        }
    }

    /// Returns the value of a number, or the number of members of a set.
    pub fn number(&self, expr: &Expr) -> i64 {
        match expr {
            Expr::Number(number) => i64::from(*number),
            Expr::Param(index) => self.args.get(*index).copied().map_or(0, i64::from),
            Expr::Add(a, b) => self.number(a).saturating_add(self.number(b)),
            Expr::Subtract(a, b) => self.number(a).saturating_sub(self.number(b)),
            Expr::MaxOccurrences(digit, cells) => self.max_occurrences(digit, cells),
            Expr::Count(set) => self.set(set).len() as i64,
            Expr::Var(name) if name.measure_index().is_some() => match self.value_of_name(*name) {
                Value::Number(number) => number,
                value => elements(&value).len() as i64,
            },
            set => self.set(set).len() as i64,
        }
    }

    /// Returns the members of an expression.
    pub fn set(&self, expr: &Expr) -> BTreeSet<Element> {
        elements(&self.value(expr))
    }

    /// Returns the cells of an expression. Candidates stand for their cells.
    fn cells(&self, expr: &Expr) -> Vec<Cell> {
        match self.value(expr) {
            Value::Candidates(list) => cells_in(&list.iter().map(|candidate| Element::Cell(candidate.cell)).collect()),
            value => cells_in(&elements(&value)),
        }
    }

    fn digits(&self, expr: &Expr) -> DigitSet {
        digits_in(&self.set(expr))
    }

    fn value_of_name(&self, name: VarId) -> Value {
        if let Some(measure) = name.measure_index().and_then(|index| self.measures.get(index)) {
            return self.measure(measure);
        }
        match self.bindings.get(name.0) {
            Some(Some(family @ Value::Family(_))) => Value::Cells(cells_in(&elements(family))),
            Some(Some(value)) => value.clone(),
            _ => value_of_kind(self.variant.var(name).kind, &BTreeSet::new()),
        }
    }

    fn member_of_family(&self, family: VarId, index: VarId) -> Value {
        let Some(Some(Value::Family(members))) = self.bindings.get(family.0) else {
            return Value::Cells(Vec::new());
        };
        let index = match self.set(&Expr::Var(index)).first() {
            Some(Element::Digit(digit)) => FamilyIndex::Digit(*digit),
            Some(Element::Cell(cell)) => FamilyIndex::Cell(*cell),
            _ => return Value::Cells(Vec::new()),
        };
        let member = members.iter().find(|(member_index, _)| *member_index == index);
        Value::Cells(member.map(|(_, cells)| cells.clone()).unwrap_or_default())
    }

    fn filter(&self, var: VarId, set: &Expr, condition: &Condition) -> Value {
        let kept = self.for_each_member(var, set).into_iter().filter(|inner| inner.holds(condition));
        let members = kept.flat_map(|inner| inner.set(&Expr::Var(var)));
        value_of_kind(self.variant.var(var).kind, &members.collect())
    }

    fn union_of(&self, parts: &[Expr]) -> Value {
        let Some(first) = parts.first() else {
            return Value::Digits(DigitSet::EMPTY);
        };
        value_of_same_kind(&self.value(first), &parts.iter().flat_map(|part| self.set(part)).collect())
    }

    fn combine(
        &self,
        a: &Expr,
        b: &Expr,
        operation: fn(&BTreeSet<Element>, &BTreeSet<Element>) -> BTreeSet<Element>,
    ) -> Value {
        let a = self.value(a);
        value_of_same_kind(&a, &operation(&elements(&a), &self.set(b)))
    }

    fn digits_of(&self, set: &Expr) -> DigitSet {
        match self.value(set) {
            Value::Digits(digits) => digits,
            Value::Candidates(list) => list.iter().map(|candidate| candidate.digit).collect(),
            value => self.candidate_digits(&cells_in(&elements(&value))),
        }
    }

    /// Returns the digits that are a candidate of some of these cells.
    fn candidate_digits(&self, cells: &[Cell]) -> DigitSet {
        cells.iter().fold(DigitSet::EMPTY, |digits, cell| digits | self.state.candidates(*cell))
    }

    /// Returns the unsolved ones of some cells.
    pub fn unsolved(&self, cells: impl IntoIterator<Item = Cell>) -> Vec<Cell> {
        cells.into_iter().filter(|cell| self.state.value(*cell).is_none()).collect()
    }

    fn unsolved_cells(&self, set: &Expr) -> Vec<Cell> {
        self.unsolved(match self.value(set) {
            Value::Houses(_) => self.house_cells(set),
            _ => self.cells(set),
        })
    }

    fn house_cells(&self, houses: &Expr) -> Vec<Cell> {
        let houses = houses_in(&self.set(houses));
        let cells = houses.iter().flat_map(|house| self.geometry.house(*house).cells.iter().copied());
        cells.collect::<BTreeSet<Cell>>().into_iter().collect()
    }

    /// Returns the cells that two or more of these houses share.
    fn overlap(&self, houses: &Expr) -> Vec<Cell> {
        let houses: Vec<&House> = houses_in(&self.set(houses)).iter().map(|&id| self.geometry.house(id)).collect();
        let cells = self.geometry.cells();
        cells.filter(|cell| houses.iter().filter(|house| house.cells.contains(cell)).count() > 1).collect()
    }

    fn candidates_in(&self, digits: &Expr, cells: &Expr) -> Vec<Candidate> {
        let digits = self.digits(digits);
        let candidates = self.cells(cells).into_iter().flat_map(|cell| self.candidates_of(cell));
        candidates.filter(|candidate| digits.has(candidate.digit)).collect()
    }

    /// Returns the unsolved cells that see every one of these cells, or some of them if `every` is false.
    fn cells_seeing(&self, every: bool, cells: &[Cell]) -> Vec<Cell> {
        self.unsolved(self.geometry.cells().filter(|cell| {
            let sees = |other: &Cell| self.geometry.sees(*cell, *other);
            if every { cells.iter().all(sees) } else { cells.iter().any(sees) }
        }))
    }

    fn houses(&self, class: HouseClass) -> Vec<HouseId> {
        let houses = (0..self.geometry.houses().len()).map(|index| HouseId(index as u16));
        houses.filter(|house| in_class(class, self.geometry.house(*house).kind)).collect()
    }

    /// Returns the houses of a class that contain some of these cells.
    fn houses_with_some(&self, class: HouseClass, cells: &[Cell]) -> Vec<HouseId> {
        let mut houses = self.houses(class);
        houses.retain(|house| cells.iter().any(|cell| self.geometry.house(*house).cells.contains(cell)));
        houses
    }

    /// Returns the largest number of cells of a set that can hold a digit at the same time: no two of them see each other.
    fn max_occurrences(&self, digit: &Expr, cells: &Expr) -> i64 {
        let Some(digit) = self.digits(digit).first() else { return 0 };
        let mut cells = self.cells(cells);
        cells.retain(|cell| self.can_hold(*cell, digit));
        self.max_independent(&cells)
    }

    /// Returns the size of the largest subset in which no two cells see each other.
    fn max_independent(&self, cells: &[Cell]) -> i64 {
        let Some((first, rest)) = cells.split_first() else { return 0 };
        if self.is_cancelled() {
            return 0;
        }
        let unseen: Vec<Cell> = rest.iter().copied().filter(|cell| !self.geometry.sees(*first, *cell)).collect();
        (1 + self.max_independent(&unseen)).max(self.max_independent(rest))
    }

    /// Returns true if the cell has the digit as a candidate or as its value.
    fn can_hold(&self, cell: Cell, digit: Digit) -> bool {
        self.state.candidates(cell).has(digit) || self.state.value(cell) == Some(digit)
    }

    /// Returns the candidates of an expression that are still present.
    pub fn present_candidates(&self, expr: &Expr) -> Vec<Candidate> {
        candidates_in(&self.set(expr)).into_iter().filter(|candidate| self.state.has(*candidate)).collect()
    }
}

/// Returns true if a kind of house belongs to a class.
pub fn in_class(class: HouseClass, kind: HouseKind) -> bool {
    match class {
        HouseClass::Any => true,
        HouseClass::Row => kind == HouseKind::Row,
        HouseClass::Column => kind == HouseKind::Column,
        HouseClass::Box => kind == HouseKind::Box,
        HouseClass::Line => matches!(kind, HouseKind::Row | HouseKind::Column),
    }
}
