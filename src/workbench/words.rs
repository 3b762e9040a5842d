//! Requirements with values in them. In: a condition and what the names stand for. Out: a sentence that says why it holds;
//! what makes it fail is said in [`super::shortfall`].

use super::requirement::is_plain;
use crate::engine::{Lens, Value};
use crate::eval::Evaluator;
use crate::grid::{Cell, DigitSet, Geometry, HouseId, State, notation};
use crate::lang::ir::{Comparison, Condition, Expr, Kind, Operand, Origin, Param, Printer, VarId, VarShape, Variant};
use crate::solve::{ViewContext, text_of};

/// A case of a rule with a value for each name.
pub struct Told<'a> {
    /// The rule.
    pub variant: &'a Variant,
    /// The same with the values in place of the names, and of the parameters.
    named: Variant,
    params: Vec<Param>,
    /// The board that the rule sees, and the board as it is.
    pub(super) geometry: &'a Geometry,
    grid: &'a Geometry,
    lens: Lens,
    pub(super) state: &'a State,
    /// Able to judge conditions.
    pub evaluator: Evaluator<'a>,
}

impl<'a> Told<'a> {
    /// Takes a value for each name, as in a match.
    pub fn new(
        (variant, params): (&'a Variant, &'a [Param]),
        args: &'a [u32],
        context: &'a ViewContext<'a>,
        bindings: &[Option<Value>],
    ) -> Told<'a> {
        let (geometry, state) = (context.geometry(), context.state());
        let evaluator = Evaluator::new(variant, args, geometry, state, bindings);
        let pinned = |(param, value): (&Param, &u32)| Param { name: value.to_string(), ..param.clone() };
        let params = params.iter().zip(args).map(pinned).collect();
        let (grid, lens, named) = (context.grid, context.lens, variant.clone());
        let told = Told { variant, params, named, geometry, grid, lens, state, evaluator };
        let mut named = variant.clone();
        for (var, value) in named.vars.iter_mut().zip(bindings) {
            if let (Some(value), true) = (value, var.shape != VarShape::Family && var.origin != Origin::Index) {
                var.name = told.text(value);
            }
        }
        Told { named, ..told }
    }

    /// A value as it is in the grid.
    pub(super) fn text(&self, value: &Value) -> String {
        value_text(&self.lens.value(value), self.grid)
    }

    pub(super) fn printer(&self) -> Printer<'_> {
        Printer { variant: &self.named, params: &self.params }
    }

    /// What an expression stands for.
    pub fn value(&self, expr: &Expr) -> String {
        self.text(&self.evaluator.value(expr))
    }

    /// A condition that holds, with the values that make it hold.
    pub fn holds(&self, condition: &Condition) -> String {
        let said = self.printer().condition(condition);
        let more: Vec<String> = match condition {
            Condition::Sees(a, b) => match self.houses_of(a, b) {
                Some(houses) => vec![houses],
                None => self.values(condition),
            },
            Condition::Conjugate(digit, a, b) => self.house_of(digit, a, b).into_iter().collect(),
            Condition::AlmostLocked(cells, _) => vec![self.value(&Expr::Digits(Box::new(cells.clone())))],
            Condition::Not(part) if matches!(part.as_ref(), Condition::Equal(..)) => self.values(part),
            Condition::ForAll(..) => return self.facts(condition).join("; "),
            Condition::Exactly(..) | Condition::Equal(..) | Condition::Compare(_, Comparison::Equal, _) => Vec::new(),
            Condition::Has(cells, _) | Condition::Lacks(cells, _) => self.digits_in(&cells.of).into_iter().collect(),
            _ => self.values(condition),
        };
        if more.is_empty() { said } else { format!("{said} ({})", more.join("; ")) }
    }

    /// A condition that holds, and what makes it hold: one for each value of a running name.
    pub fn facts(&self, condition: &Condition) -> Vec<String> {
        let Condition::ForAll(index, of, part) = condition else { return vec![self.holds(condition)] };
        let one = |one: &Each| format!("{} = {}: {}", self.name(*index), one.index, one.told.holds(&one.part));
        self.each(*index, of, part).iter().map(one).collect()
    }

    /// What the expressions of a condition stand for, where their words do not say it.
    pub(super) fn values(&self, condition: &Condition) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for expr in condition.exprs().into_iter().filter(|expr| !is_plain(expr)) {
            let said = format!("{} is {}", self.printer().expr(expr), self.value(expr));
            if !out.contains(&said) {
                out.push(said);
            }
        }
        out
    }

    pub(super) fn cells(&self, expr: &Expr) -> Vec<Cell> {
        match self.evaluator.value(expr) {
            Value::Cells(cells) => cells,
            Value::Candidates(list) => list.iter().map(|one| one.cell).collect(),
            _ => Vec::new(),
        }
    }

    /// The houses by which one cell sees another.
    fn houses_of(&self, a: &Operand, b: &Operand) -> Option<String> {
        let (a, b) = (self.cells(&a.of), self.cells(&b.of));
        let ([a], [b]) = (a.as_slice(), b.as_slice()) else { return None };
        let shared = self.geometry.houses_of(*a).iter().filter(|house| self.geometry.houses_of(*b).contains(house));
        // In a view a house can be a digit.
        let name = |house| match self.lens.value(&Value::Houses(vec![house])) {
            Value::Digits(digit) => format!("digit {}", notation::digits(digit)),
            _ => self.text(&Value::Houses(vec![house])),
        };
        let names: Vec<String> = shared.map(|&house| name(house)).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// Where a digit has these places and no others.
    fn house_of(&self, digit: &Expr, a: &Expr, b: &Expr) -> Option<String> {
        let Value::Digits(digits) = self.evaluator.value(digit) else { return None };
        let has = |cell: &Cell| !(self.state.candidates(*cell) & digits).is_empty();
        let ends: Vec<Cell> = [self.cells(a), self.cells(b)].concat().into_iter().filter(has).collect();
        let only = |house: &&HouseId| {
            let house = self.geometry.house(**house);
            let places = house.cells.iter().filter(|cell| has(cell)).collect::<Vec<_>>();
            house.cells.len() == self.geometry.size()
                && places.iter().all(|cell| ends.contains(cell))
                && ends.iter().all(|cell| places.contains(&cell))
        };
        let house = *self.geometry.houses_of(*ends.first()?).iter().find(only)?;
        let house = self.text(&Value::Houses(vec![house]));
        Some(format!("the only places for {} in {house}", self.value(digit)))
    }

    pub(super) fn digits_in(&self, of: &Expr) -> Option<String> {
        let cells = self.cells(of);
        let [cell] = cells.as_slice() else { return None };
        Some(format!("{} has {}", self.text(&Value::Cells(vec![*cell])), self.candidates(*cell)))
    }

    fn candidates(&self, cell: Cell) -> String {
        match self.state.value(cell) {
            Some(digit) => format!("{}, solved", self.text(&Value::Digits(DigitSet::single(digit)))),
            None => self.text(&Value::Digits(self.state.candidates(cell))),
        }
    }

    pub(super) fn name(&self, name: VarId) -> &str {
        &self.variant.var(name).name
    }

    /// One for each value of a running name. A member of a family is spoken of as a thing of its own.
    pub(super) fn each(&self, index: VarId, of: &Expr, part: &Condition) -> Vec<Each<'_>> {
        let members: Vec<Value> = match self.evaluator.value(of) {
            Value::Digits(digits) => digits.iter().map(|digit| Value::Digits(DigitSet::single(digit))).collect(),
            Value::Cells(cells) => cells.iter().map(|&cell| Value::Cells(vec![cell])).collect(),
            Value::Houses(houses) => houses.iter().map(|&house| Value::Houses(vec![house])).collect(),
            Value::Candidates(list) => list.iter().map(|&one| Value::Candidates(vec![one])).collect(),
            _ => Vec::new(),
        };
        members.into_iter().map(|value| self.with(index, value, part)).collect()
    }

    fn with(&self, index: VarId, value: Value, part: &Condition) -> Each<'_> {
        let mut named = self.named.clone();
        let text = self.text(&value);
        named.vars[index.0].name.clone_from(&text);
        let mut evaluator = self.evaluator.with(index, value);
        let families = (0..self.variant.vars.len())
            .map(VarId)
            .filter(|&var| self.variant.var(var).shape == VarShape::Family && !condition_has(part, &Expr::Var(var)));
        let mut part = part.clone();
        for family in families {
            let member = Expr::Member(family, index);
            let cells = evaluator.value(&member);
            named.vars[family.0].name = self.text(&cells);
            part = part.map_exprs(&|expr| (*expr == member).then_some(Expr::Var(family)));
            evaluator = evaluator.with(family, cells);
        }
        let (variant, params, geometry, state) = (self.variant, self.params.clone(), self.geometry, self.state);
        let (grid, lens) = (self.grid, self.lens);
        Each { index: text, part, told: Told { variant, params, named, geometry, grid, lens, state, evaluator } }
    }
}

/// What a condition says for one value of its running name.
pub(super) struct Each<'a> {
    pub index: String,
    pub part: Condition,
    pub told: Told<'a>,
}

/// Whether an expression stands anywhere in a condition.
fn condition_has(condition: &Condition, wanted: &Expr) -> bool {
    fn in_expr(expr: &Expr, wanted: &Expr) -> bool {
        expr == wanted || expr.children().into_iter().any(|child| in_expr(child, wanted))
    }
    condition.exprs().into_iter().any(|expr| in_expr(expr, wanted))
        || condition.parts().into_iter().any(|part| condition_has(part, wanted))
}

/// A value in the field's notation; `nothing` where it is empty.
pub fn value_text(value: &Value, geometry: &Geometry) -> String {
    let text = text_of(value, geometry);
    if text.is_empty() { "nothing".into() } else { text }
}

/// The kinds of names that are shown as the cast of a match.
pub fn is_shown(variant: &Variant, name: VarId) -> bool {
    let var = variant.var(name);
    matches!(var.origin, Origin::Chosen | Origin::Pattern) && var.kind != Kind::Number
}
