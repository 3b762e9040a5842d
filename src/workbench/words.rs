//! Requirements with values in them. In: a condition and what the names stand for. Out: a sentence that says why it holds
//! or what makes it fail.

use super::requirement::is_plain;
use crate::engine::Value;
use crate::engine::eval::Evaluator;
use crate::grid::{Cell, DigitSet, Geometry, State, notation};
use crate::lang::ir::{
    Comparison, Condition, Expr, Kind, Operand, Origin, Param, Printer, Quantifier, VarId, VarShape, Variant,
};
use crate::solve::text_of;

/// A case of a rule with a value for each name.
pub struct Told<'a> {
    /// The rule.
    pub variant: &'a Variant,
    params: &'a [Param],
    /// The same with the values in place of the names.
    named: Variant,
    geometry: &'a Geometry,
    state: &'a State,
    /// Able to judge conditions.
    pub evaluator: Evaluator<'a>,
}

impl<'a> Told<'a> {
    /// Takes a value for each name, as in a match.
    pub fn new(
        (variant, params): (&'a Variant, &'a [Param]),
        args: &'a [u32],
        (geometry, state): (&'a Geometry, &'a State),
        bindings: &[Option<Value>],
    ) -> Told<'a> {
        let evaluator = Evaluator::new(variant, args, geometry, state, bindings);
        let mut named = variant.clone();
        for (var, value) in named.vars.iter_mut().zip(bindings) {
            if let (Some(value), true) = (value, var.shape != VarShape::Family && var.origin != Origin::Index) {
                var.name = value_text(value, geometry);
            }
        }
        Told { variant, params, named, geometry, state, evaluator }
    }

    fn printer(&self) -> Printer<'_> {
        Printer { variant: &self.named, params: self.params }
    }

    /// What an expression stands for.
    pub fn value(&self, expr: &Expr) -> String {
        value_text(&self.evaluator.value(expr), self.geometry)
    }

    /// A condition that holds, with the values that make it hold.
    pub fn holds(&self, condition: &Condition) -> String {
        let said = self.printer().condition(condition);
        let more: Vec<String> = match condition {
            Condition::Sees(a, b) => self.houses_of(a, b).into_iter().collect(),
            Condition::Exactly(..) | Condition::Equal(..) | Condition::Compare(_, Comparison::Equal, _) => Vec::new(),
            Condition::Has(cells, _) | Condition::Lacks(cells, _) => self.digits_in(&cells.of).into_iter().collect(),
            _ => self.values(condition),
        };
        if more.is_empty() { said } else { format!("{said} ({})", more.join("; ")) }
    }

    /// What the expressions of a condition stand for, where their words do not say it.
    fn values(&self, condition: &Condition) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for expr in condition.exprs().into_iter().filter(|expr| !is_plain(expr)) {
            let said = format!("{} is {}", self.printer().expr(expr), self.value(expr));
            if !out.contains(&said) {
                out.push(said);
            }
        }
        out
    }

    fn cells(&self, expr: &Expr) -> Vec<Cell> {
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
        let names: Vec<String> = shared.map(|&house| self.geometry.house(house).to_string()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    fn digits_in(&self, of: &Expr) -> Option<String> {
        let cells = self.cells(of);
        let [cell] = cells.as_slice() else { return None };
        let one = Value::Cells(vec![*cell]);
        Some(format!("{} has {}", value_text(&one, self.geometry), self.candidates(*cell)))
    }

    fn candidates(&self, cell: Cell) -> String {
        match self.state.value(cell) {
            Some(digit) => format!("{digit}, solved"),
            None => digits_text(self.state.candidates(cell)),
        }
    }

    /// What makes a condition fail, and by how much: 1 is nearest.
    pub fn fails(&self, condition: &Condition) -> (String, usize) {
        let x = |expr: &Expr| self.printer().expr(expr);
        match condition {
            Condition::Exactly(set, names) => self.not_exactly(set, names),
            Condition::Compare(a, _, b) => {
                let (left, right) = (self.evaluator.number(a), self.evaluator.number(b));
                let side = |expr: &Expr, value| match is_plain(expr) {
                    true => format!("{value}"),
                    false => format!("{} is {value}", x(expr)),
                };
                let words = format!("{}, and {}", side(a, left), side(b, right));
                (words, left.abs_diff(right).clamp(1, 99) as usize)
            }
            Condition::Sees(a, b) => (format!("{} does not see {}", self.side(a), self.side(b)), 3),
            Condition::Has(cells, digits) => (self.lacking(cells, digits, true), 1),
            Condition::Lacks(cells, digits) => (self.lacking(cells, digits, false), 1),
            Condition::Within(a, b) => self.not_within(a, b),
            Condition::Disjoint(a, b) => {
                let shared = Expr::Intersection(Box::new(a.clone()), Box::new(b.clone()));
                (format!("{} and {} share {}", x(a), x(b), self.value(&shared)), 2)
            }
            Condition::Some(of) => (format!("there is no {}", x(of)), 1),
            Condition::No(of) => (format!("there is {}: {}", x(of), self.value(of)), self.size(of)),
            Condition::Equal(a, b) => {
                let words = format!("{} is {}, and {} is {}", x(a), self.value(a), x(b), self.value(b));
                let less = |a: &Expr, b: &Expr| Expr::Difference(Box::new(a.clone()), Box::new(b.clone()));
                (words, (self.size(&less(a, b)) + self.size(&less(b, a))).max(1))
            }
            Condition::Conjugate(digit, a, b) => self.not_conjugate(digit, a, b),
            Condition::ForAll(index, of, part) => self.not_for_all(*index, of, part),
            Condition::And(parts) => {
                let failing: Vec<_> =
                    parts.iter().filter(|part| !self.evaluator.holds(part)).map(|part| self.fails(part)).collect();
                let words: Vec<&str> = failing.iter().map(|(words, _)| words.as_str()).collect();
                (words.join("; "), failing.iter().map(|(_, by)| by).sum())
            }
            Condition::AlmostLocked(cells, _) => {
                let digits = Expr::Digits(Box::new(cells.clone()));
                (format!("{} has {}", x(cells), self.value(&digits)), 1)
            }
            other => {
                let values = self.values(other);
                let why = if values.is_empty() { String::new() } else { format!(": {}", values.join("; ")) };
                (format!("it is not so that {}{why}", self.printer().condition(other)), 3)
            }
        }
    }

    fn size(&self, expr: &Expr) -> usize {
        usize::try_from(self.evaluator.number(expr)).unwrap_or(0)
    }

    fn side(&self, side: &Operand) -> String {
        let single = self.cells(&side.of).len() == 1;
        let word = match side.quantifier {
            _ if single => "",
            Quantifier::Every => "every ",
            Quantifier::Some => "some ",
        };
        format!("{word}{}", self.printer().expr(&side.of))
    }

    /// `pincer2 would be r2c8, which has 3, 5, 7: one candidate too many`.
    fn not_exactly(&self, set: &Expr, names: &[VarId]) -> (String, usize) {
        let wanted = Expr::Union(names.iter().map(|&name| Expr::Var(name)).collect());
        let less = |a: &Expr, b: &Expr| Expr::Difference(Box::new(a.clone()), Box::new(b.clone()));
        let (extra, missing) = (self.size(&less(set, &wanted)), self.size(&less(&wanted, set)));
        let thing = match (set, self.evaluator.value(set)) {
            (Expr::Digits(of), _) if matches!(**of, Expr::Var(_) | Expr::Member(..)) => "candidate",
            (_, Value::Digits(_)) => "digit",
            (_, Value::Cells(_)) => "place",
            _ => "member",
        };
        let mut words = Vec::new();
        if extra > 0 {
            words.push(format!("{} too many ({})", counted(extra, thing), self.value(&less(set, &wanted))));
        }
        if missing > 0 {
            words.push(format!("{} missing ({})", counted(missing, thing), self.value(&less(&wanted, set))));
        }
        let what = match set {
            Expr::Digits(of) => match of.as_ref() {
                Expr::Var(name) if self.variant.var(*name).shape == VarShape::Single => {
                    let name = &self.variant.var(*name).name;
                    format!("{name} would be {}, which has {}", self.value(of), self.value(set))
                }
                of => format!("{} has {}", self.value(of), self.value(set)),
            },
            _ => format!("{} is {}", self.printer().expr(set), self.value(set)),
        };
        (format!("{what}: {}", words.join(", ")), (extra + missing).max(1))
    }

    fn lacking(&self, cells: &Operand, digits: &Expr, has: bool) -> String {
        let digits = self.value(digits);
        let side = self.side(cells);
        let words = match has {
            true => format!("{side} does not have {digits}"),
            false => format!("{side} does not lack {digits}"),
        };
        match self.digits_in(&cells.of) {
            Some(here) => format!("{words}: {here}"),
            None => words,
        }
    }

    fn not_within(&self, a: &Expr, b: &Expr) -> (String, usize) {
        let x = |expr: &Expr| self.printer().expr(expr);
        if self.size(a) == 0 {
            return (format!("there is no {}", x(a)), 1);
        }
        let outside = Expr::Difference(Box::new(a.clone()), Box::new(b.clone()));
        let words = match is_plain(a) {
            true => format!("{} is not in {}", x(a), x(b)),
            false => format!("of {} {} is not in {}", x(a), self.value(&outside), x(b)),
        };
        (words, self.size(&outside).max(1))
    }

    /// Where else the digit stands in the houses that hold both cells.
    fn not_conjugate(&self, digit: &Expr, a: &Expr, b: &Expr) -> (String, usize) {
        let ends = [self.cells(a), self.cells(b)].concat();
        let digit_set = match self.evaluator.value(digit) {
            Value::Digits(digits) => digits,
            _ => DigitSet::EMPTY,
        };
        let has = |cell: &Cell| !(self.state.candidates(*cell) & digit_set).is_empty();
        let holds_both = |house: &&crate::grid::House| ends.iter().all(|cell| house.cells.contains(cell));
        let others = self.geometry.houses().iter().filter(holds_both).map(|house| {
            let other: Vec<Cell> = house.cells.iter().copied().filter(|cell| has(cell) && !ends.contains(cell)).collect();
            (other.len(), format!("{house} has {} in {} too", self.value(digit), cells_text(self.geometry, &other)))
        });
        let words = self.printer().condition(&Condition::Conjugate(digit.clone(), a.clone(), b.clone()));
        if let Some(cell) = ends.iter().find(|cell| !has(cell)) {
            let cell = cells_text(self.geometry, &[*cell]);
            return (format!("{words} is no strong link: {cell} has no {}", self.value(digit)), 1);
        }
        match others.min() {
            Some((count, why)) => (format!("{words} is no strong link: {why}"), count.max(1)),
            None => (format!("{words} is no strong link: no house holds both"), 4),
        }
    }

    fn not_for_all(&self, index: VarId, of: &Expr, part: &Condition) -> (String, usize) {
        let name = &self.variant.var(index).name;
        let (mut words, mut by) = (Vec::new(), 0);
        for (value, told) in self.each(index, of) {
            if !told.evaluator.holds(part) {
                let (why, how_far) = told.fails(part);
                words.push(format!("for {name} = {value}: {why}"));
                by += how_far;
            }
        }
        (words.join("; "), by.max(1))
    }

    /// One for each value of a running name.
    pub(super) fn each(&self, index: VarId, of: &Expr) -> Vec<(String, Told<'_>)> {
        let members: Vec<Value> = match self.evaluator.value(of) {
            Value::Digits(digits) => digits.iter().map(|digit| Value::Digits(DigitSet::single(digit))).collect(),
            Value::Cells(cells) => cells.iter().map(|&cell| Value::Cells(vec![cell])).collect(),
            Value::Houses(houses) => houses.iter().map(|&house| Value::Houses(vec![house])).collect(),
            Value::Candidates(list) => list.iter().map(|&one| Value::Candidates(vec![one])).collect(),
            _ => Vec::new(),
        };
        let with = |value: Value| {
            let mut named = self.named.clone();
            let text = value_text(&value, self.geometry);
            named.vars[index.0].name.clone_from(&text);
            let evaluator = self.evaluator.with(index, value);
            let (variant, params, geometry, state) = (self.variant, self.params, self.geometry, self.state);
            (text, Told { variant, params, named, geometry, state, evaluator })
        };
        members.into_iter().map(with).collect()
    }
}

/// `1 candidate`, `2 candidates`.
fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("one {thing}") } else { format!("{count} {thing}s") }
}

fn cells_text(geometry: &Geometry, cells: &[Cell]) -> String {
    text_of(&Value::Cells(cells.to_vec()), geometry)
}

fn digits_text(digits: DigitSet) -> String {
    notation::digits(digits).replace(',', ", ")
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
