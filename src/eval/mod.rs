//! The reference evaluator: expressions and conditions, evaluated literally.
//!
//! In: a variant, its arguments, a board, a state and a value for each name. Out: values, truth, conclusions.
//!
//! The evaluator is slow and simple on purpose. Explanations take names and sentences from it, and tests compare the compiled search
//! with it; the two share no code.

mod condition;
mod effects;
pub mod elements;
mod templates;

pub use condition::compares;

use crate::engine::{FamilyIndex, Match, Value};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, HouseKind, State};
use crate::lang::ir::{Condition, Expr, HouseClass, Measure, VarId, Variant};
use elements::{Element, candidates_in, cells_in, digits_in, elements, houses_in, of_kind, of_same_kind};
use std::collections::BTreeSet;
use std::fmt;

/// Evaluates expressions and conditions of a rule, given the values of its names.
#[derive(Clone, Debug)]
pub struct Evaluator<'a> {
    variant: &'a Variant,
    args: &'a [u32],
    geometry: &'a Geometry,
    state: &'a State,
    bindings: Vec<Option<Value>>,
    /// The match that the values come from, if any. Names of steps may refer to its conclusions and links.
    of: Option<&'a Match>,
    /// Measures of a match: names with ids from [`VarId::for_measure`] on stand for these.
    measures: &'a [Measure],
    /// For each candidate (cell × size + digit), the number of the change that removed it, or 0.
    changes: &'a [u32],
    halt: HaltCheck<'a>,
}

/// Check that ends long evaluations early. Once it returns true, values are meaningless.
#[derive(Clone, Copy, Default)]
struct HaltCheck<'a>(Option<&'a dyn Fn() -> bool>);

impl HaltCheck<'_> {
    fn is_due(self) -> bool {
        self.0.is_some_and(|asked| asked())
    }
}

impl fmt::Debug for HaltCheck<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Halt").field(&self.0.is_some()).finish()
    }
}

impl<'a> Evaluator<'a> {
    /// Takes a value for each name, by `VarId`; running names (loop variables, as in `for d in D`) have none.
    pub fn new(
        variant: &'a Variant,
        args: &'a [u32],
        geometry: &'a Geometry,
        state: &'a State,
        bindings: &[Option<Value>],
    ) -> Evaluator<'a> {
        let mut bindings = bindings.to_vec();
        bindings.resize(variant.vars.len().max(bindings.len()), None);
        let measures = &variant.measures;
        Evaluator {
            variant,
            args,
            geometry,
            state,
            bindings,
            of: None,
            measures,
            changes: &[],
            halt: HaltCheck::default(),
        }
    }

    /// Returns a copy that knows the effects and links of a match.
    pub fn with_match(self, found: &'a Match) -> Evaluator<'a> {
        Evaluator { of: Some(found), ..self }
    }

    /// Returns the evaluator with the measures of a price in place of those of step names.
    pub fn with_measures(self, measures: &'a [Measure]) -> Evaluator<'a> {
        Evaluator { measures, ..self }
    }

    /// Returns the evaluator with a question to end long evaluations by. Once it was answered with yes, values say nothing.
    pub fn with_halt_check(self, asked: &'a dyn Fn() -> bool) -> Evaluator<'a> {
        Evaluator { halt: HaltCheck(Some(asked)), ..self }
    }

    /// Returns a copy that knows when candidates were removed.
    pub fn with_removals(self, changes: &'a [u32]) -> Evaluator<'a> {
        Evaluator { changes, ..self }
    }

    /// Returns a copy of the evaluator in which `name` has `value`.
    pub fn with_value(&self, name: VarId, value: Value) -> Evaluator<'a> {
        let mut more = self.clone();
        // Running names of definitions come after those of the rule.
        if name.0 >= more.bindings.len() {
            more.bindings.resize(name.0 + 1, None);
        }
        more.bindings[name.0] = Some(value);
        more
    }

    /// The values of the names.
    pub fn bindings(&self) -> &[Option<Value>] {
        &self.bindings
    }

    /// The value of an expression. A name without a value counts as the empty set.
    pub fn value(&self, expr: &Expr) -> Value {
        match expr {
            Expr::Number(_) | Expr::Param(_) | Expr::Count(_) => Value::Number(self.number(expr)),
            Expr::Add(..) | Expr::Subtract(..) | Expr::MaxOccurrences(..) => Value::Number(self.number(expr)),
            Expr::Var(name) => self.name(*name),
            Expr::Member(family, index) => self.member(*family, *index),
            Expr::Filter { var, set: of, condition: when } => self.those(*var, of, when),
            Expr::Overlap(of) => Value::Cells(self.overlap(of)),
            Expr::InNoTemplate(of) => Value::Candidates(self.in_none(of)),
            Expr::InEveryTemplate(of) => Value::Candidates(self.in_every(of)),
            Expr::Excluded { every, candidates: of } => Value::Candidates(self.excluded(*every, of)),
            Expr::AllDigits => Value::Digits(DigitSet::all(self.geometry.size())),
            Expr::AllCells => Value::Cells(self.unsolved(self.geometry.cells())),
            Expr::AllHouses(class) => Value::Houses(self.houses(*class)),
            Expr::Union(parts) => self.union(parts),
            Expr::Intersection(a, b) => self.combine(a, b, |a, b| a & b),
            Expr::Difference(a, b) => self.combine(a, b, |a, b| a - b),
            Expr::Digits(of) => Value::Digits(self.digits_of(of)),
            Expr::Values(of) => {
                Value::Digits(self.cells(of).iter().filter_map(|cell| self.state.value(*cell)).collect())
            }
            Expr::HouseCells(of) => Value::Cells(self.cells_of_houses(of)),
            Expr::UnsolvedCells(of) => Value::Cells(self.open_cells(of)),
            Expr::In(digits, cells) => Value::Candidates(self.candidates_among(digits, cells)),
            Expr::Seeing { every, cells: of } => Value::Cells(self.seeing(*every, &self.cells(of))),
            Expr::HousesOf(class, of) => Value::Houses(self.houses_with(*class, &self.cells(of))),
        }
    }

    /// The value of a number; of anything else, how many members it has.
    pub fn number(&self, expr: &Expr) -> i64 {
        match expr {
            Expr::Number(number) => i64::from(*number),
            Expr::Param(index) => self.args.get(*index).copied().map_or(0, i64::from),
            Expr::Add(a, b) => self.number(a).saturating_add(self.number(b)),
            Expr::Subtract(a, b) => self.number(a).saturating_sub(self.number(b)),
            Expr::MaxOccurrences(digit, cells) => self.times(digit, cells),
            Expr::Count(of) => self.set(of).len() as i64,
            Expr::Var(name) if name.measure_index().is_some() => match self.name(*name) {
                Value::Number(number) => number,
                value => elements(&value).len() as i64,
            },
            other => self.set(other).len() as i64,
        }
    }

    /// The members of an expression.
    pub fn set(&self, expr: &Expr) -> BTreeSet<Element> {
        elements(&self.value(expr))
    }

    fn cells(&self, expr: &Expr) -> Vec<Cell> {
        // Candidates stand for their cells.
        match self.value(expr) {
            Value::Candidates(list) => cells_in(&list.iter().map(|one| Element::Cell(one.cell)).collect()),
            value => cells_in(&elements(&value)),
        }
    }

    fn digits(&self, expr: &Expr) -> DigitSet {
        digits_in(&self.set(expr))
    }

    fn name(&self, name: VarId) -> Value {
        if let Some(measure) = name.measure_index().and_then(|index| self.measures.get(index)) {
            return self.measure(measure);
        }
        match self.bindings.get(name.0) {
            Some(Some(family @ Value::Family(_))) => Value::Cells(cells_in(&elements(family))),
            Some(Some(value)) => value.clone(),
            _ => of_kind(self.variant.var(name).kind, &BTreeSet::new()),
        }
    }

    fn member(&self, family: VarId, index: VarId) -> Value {
        let Some(Some(Value::Family(members))) = self.bindings.get(family.0) else {
            return Value::Cells(Vec::new());
        };
        let wanted = match self.set(&Expr::Var(index)).first() {
            Some(Element::Digit(digit)) => Some(FamilyIndex::Digit(*digit)),
            Some(Element::Cell(cell)) => Some(FamilyIndex::Cell(*cell)),
            _ => None,
        };
        let member = members.iter().find(|(known, _)| Some(*known) == wanted);
        Value::Cells(member.map(|(_, cells)| cells.clone()).unwrap_or_default())
    }

    /// The members of a set for which a condition holds.
    fn those(&self, var: VarId, of: &Expr, when: &Condition) -> Value {
        let kept = self.for_each_member(var, of).into_iter().filter(|with| with.holds(when));
        let members = kept.flat_map(|with| with.set(&Expr::Var(var)));
        of_kind(self.variant.var(var).kind, &members.collect())
    }

    fn union(&self, parts: &[Expr]) -> Value {
        let Some(first) = parts.first() else {
            return Value::Digits(DigitSet::EMPTY);
        };
        of_same_kind(&self.value(first), &parts.iter().flat_map(|part| self.set(part)).collect())
    }

    fn combine(
        &self,
        a: &Expr,
        b: &Expr,
        how: fn(&BTreeSet<Element>, &BTreeSet<Element>) -> BTreeSet<Element>,
    ) -> Value {
        let model = self.value(a);
        of_same_kind(&model, &how(&elements(&model), &self.set(b)))
    }

    fn digits_of(&self, of: &Expr) -> DigitSet {
        match self.value(of) {
            Value::Digits(digits) => digits,
            Value::Candidates(list) => list.iter().map(|one| one.digit).collect(),
            value => cells_in(&elements(&value)).iter().flat_map(|cell| self.state.candidates(*cell).iter()).collect(),
        }
    }

    fn unsolved(&self, cells: impl IntoIterator<Item = Cell>) -> Vec<Cell> {
        cells.into_iter().filter(|cell| self.state.value(*cell).is_none()).collect()
    }

    fn open_cells(&self, of: &Expr) -> Vec<Cell> {
        self.unsolved(match self.value(of) {
            Value::Houses(_) => self.cells_of_houses(of),
            _ => self.cells(of),
        })
    }

    fn cells_of_houses(&self, of: &Expr) -> Vec<Cell> {
        let houses = houses_in(&self.set(of));
        let cells = houses.iter().flat_map(|house| self.geometry.house(*house).cells.iter().copied());
        cells.collect::<BTreeSet<Cell>>().into_iter().collect()
    }

    fn candidates_among(&self, digits: &Expr, cells: &Expr) -> Vec<Candidate> {
        let digits = self.digits(digits);
        let candidates = self.cells(cells).into_iter().flat_map(|cell| self.candidates_of(cell));
        candidates.filter(|one| digits.has(one.digit)).collect()
    }

    /// The unsolved cells that see every one (or some) of these.
    fn seeing(&self, every: bool, cells: &[Cell]) -> Vec<Cell> {
        self.unsolved(self.geometry.cells().filter(|cell| match every {
            true => cells.iter().all(|other| self.geometry.sees(*cell, *other)),
            false => cells.iter().any(|other| self.geometry.sees(*cell, *other)),
        }))
    }

    fn houses(&self, class: HouseClass) -> Vec<HouseId> {
        let houses = (0..self.geometry.houses().len()).map(|index| HouseId(index as u16));
        houses.filter(|house| in_class(class, self.geometry.house(*house).kind)).collect()
    }

    fn houses_with(&self, class: HouseClass, cells: &[Cell]) -> Vec<HouseId> {
        let mut houses = self.houses(class);
        houses.retain(|house| cells.iter().any(|cell| self.geometry.house(*house).cells.contains(cell)));
        houses
    }

    /// The most cells of a set that can hold a digit together: no two of them see each other. A solved
    /// cell can hold its value only.
    fn times(&self, digit: &Expr, cells: &Expr) -> i64 {
        let Some(digit) = self.digits(digit).first() else {
            return 0;
        };
        let able: Vec<Cell> = self.cells(cells).into_iter().filter(|cell| self.may_hold(*cell, digit)).collect();
        self.most_unseen(&able)
    }

    fn most_unseen(&self, cells: &[Cell]) -> i64 {
        let Some((first, rest)) = cells.split_first().filter(|_| !self.halt.is_due()) else {
            return 0;
        };
        let distinct: Vec<Cell> = rest.iter().copied().filter(|cell| !self.geometry.sees(*first, *cell)).collect();
        (1 + self.most_unseen(&distinct)).max(self.most_unseen(rest))
    }

    /// Returns true if the cell has the digit as a candidate or as its value.
    fn may_hold(&self, cell: Cell, digit: Digit) -> bool {
        self.state.candidates(cell).has(digit) || self.state.value(cell) == Some(digit)
    }

    /// The candidates of an expression that are still present.
    pub fn present(&self, expr: &Expr) -> Vec<Candidate> {
        candidates_in(&self.set(expr)).into_iter().filter(|one| self.state.has(*one)).collect()
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
