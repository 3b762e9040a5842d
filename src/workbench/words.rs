//! Requirements with values in them. In: a condition and what the names stand for. Out: a sentence that says why it holds
//! or what makes it fail.

use super::requirement::is_plain;
use crate::engine::eval::Evaluator;
use crate::engine::{Lens, Value};
use crate::grid::{Cell, DigitSet, Geometry, State};
use crate::lang::ir::{
    Comparison, Condition, Expr, Kind, Operand, Origin, Param, Printer, Quantifier, Space, VarId, VarShape, Variant,
};
use crate::solve::text_of;

/// A position as the view of a member shows it.
pub struct Sight<'a> {
    grid: &'a Geometry,
    board: Option<Geometry>,
    lens: Lens,
    state: State,
}

impl<'a> Sight<'a> {
    /// Looks at a position.
    pub fn new(grid: &'a Geometry, state: &State, space: Space) -> Sight<'a> {
        let lens = Lens::new(grid.size(), space);
        let board = (!lens.is_plain()).then(|| Geometry::latin(grid.size()));
        Sight { grid, board, lens, state: lens.state(state) }
    }
}

/// A case of a rule with a value for each name.
pub struct Told<'a> {
    /// The rule.
    pub variant: &'a Variant,
    /// The same with the values in place of the names, and of the parameters.
    named: Variant,
    params: Vec<Param>,
    /// The board that the rule sees, and the board as it is.
    geometry: &'a Geometry,
    grid: &'a Geometry,
    lens: Lens,
    state: &'a State,
    /// Able to judge conditions.
    pub evaluator: Evaluator<'a>,
}

impl<'a> Told<'a> {
    /// Takes a value for each name, as in a match.
    pub fn new(
        (variant, params): (&'a Variant, &'a [Param]),
        args: &'a [u32],
        sight: &'a Sight<'a>,
        bindings: &[Option<Value>],
    ) -> Told<'a> {
        let (geometry, state) = (sight.board.as_ref().unwrap_or(sight.grid), &sight.state);
        let evaluator = Evaluator::new(variant, args, geometry, state, bindings);
        let pinned = |(param, value): (&Param, &u32)| Param { name: value.to_string(), ..param.clone() };
        let params = params.iter().zip(args).map(pinned).collect();
        let (grid, lens, named) = (sight.grid, sight.lens, variant.clone());
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
    fn text(&self, value: &Value) -> String {
        value_text(&self.lens.value(value), self.grid)
    }

    fn printer(&self) -> Printer<'_> {
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
            Condition::Sees(a, b) => self.houses_of(a, b).into_iter().collect(),
            Condition::ForAll(index, of, part) => {
                let each = self.each(*index, of, part);
                let said = each
                    .iter()
                    .map(|one| format!("{} = {}: {}", self.name(*index), one.index, one.told.holds(&one.part)));
                return said.collect::<Vec<_>>().join("; ");
            }
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
        let names: Vec<String> = shared.map(|&house| self.text(&Value::Houses(vec![house]))).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    fn digits_in(&self, of: &Expr) -> Option<String> {
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

    /// What makes a condition fail, and by how much: 1 is nearest.
    pub fn fails(&self, condition: &Condition) -> (String, usize) {
        let x = |expr: &Expr| self.printer().expr(expr);
        match condition {
            Condition::Exactly(set, names) => self.not_exactly(set, names),
            Condition::Compare(a, how, b) => self.not_compared(a, *how, b),
            Condition::Sees(a, b) => (format!("{} does not see {}", self.side(a), self.side(b)), 3),
            Condition::Has(cells, digits) => (self.lacking(cells, digits, true), 2),
            Condition::Lacks(cells, digits) => (self.lacking(cells, digits, false), 1),
            Condition::Within(a, b) => self.not_within(a, b),
            Condition::Disjoint(a, b) => {
                let shared = Expr::Intersection(Box::new(a.clone()), Box::new(b.clone()));
                (format!("{} and {} share {}", x(a), x(b), self.value(&shared)), 2)
            }
            Condition::Some(of) => (format!("there is no {}", x(of)), 3),
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

    /// `#(1 in row 2) is 3, not 2`.
    fn not_compared(&self, a: &Expr, how: Comparison, b: &Expr) -> (String, usize) {
        let (left, right) = (self.evaluator.number(a), self.evaluator.number(b));
        let word = match how {
            Comparison::Equal => "not ",
            Comparison::NotEqual => "and so is ",
            Comparison::Less => "not less than ",
            Comparison::LessEqual => "more than ",
            Comparison::Greater => "not more than ",
            Comparison::GreaterEqual => "less than ",
        };
        let side = if is_plain(b) { String::new() } else { format!("{}, which is ", self.printer().expr(b)) };
        let words = format!("{} is {left}, {word}{side}{right}", self.printer().expr(a));
        (words, left.abs_diff(right).clamp(1, 99) as usize)
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
                Expr::Var(name) if self.variant.var(*name).shape != VarShape::Set => {
                    let name = self.name(*name);
                    format!("{name} would be {}, which has {}", self.value(of), self.value(set))
                }
                of => format!("{} has {}", self.value(of), self.value(set)),
            },
            _ => format!("{} is {}", self.printer().expr(set), self.value(set)),
        };
        (format!("{what}: {}", words.join(", ")), (extra + 2 * missing).max(1))
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
            return (format!("there is no {}", x(a)), 3);
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
            let other: Vec<Cell> =
                house.cells.iter().copied().filter(|cell| has(cell) && !ends.contains(cell)).collect();
            let words = format!("{house} has {} in {} too", self.value(digit), self.text(&Value::Cells(other.clone())));
            (other.len(), words)
        });
        let words = self.printer().condition(&Condition::Conjugate(digit.clone(), a.clone(), b.clone()));
        if let Some(cell) = ends.iter().find(|cell| !has(cell)) {
            let cell = self.text(&Value::Cells(vec![*cell]));
            return (format!("{words} is no strong link: {cell} has no {}", self.value(digit)), 1);
        }
        match others.min() {
            Some((count, why)) => (format!("{words} is no strong link: {why}"), count.max(1)),
            None => (format!("{words} is no strong link: no house holds both"), 4),
        }
    }

    fn not_for_all(&self, index: VarId, of: &Expr, part: &Condition) -> (String, usize) {
        let (mut words, mut by) = (Vec::new(), 0);
        for one in self.each(index, of, part) {
            if !one.told.evaluator.holds(&one.part) {
                let (why, how_far) = one.told.fails(&one.part);
                words.push(format!("for {} = {}: {why}", self.name(index), one.index));
                by += how_far;
            }
        }
        (words.join("; "), by.max(1))
    }

    fn name(&self, name: VarId) -> &str {
        &self.variant.var(name).name
    }

    /// One for each value of a running name. A member of a family is spoken of as a thing of its own.
    fn each(&self, index: VarId, of: &Expr, part: &Condition) -> Vec<Each<'_>> {
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
struct Each<'a> {
    index: String,
    part: Condition,
    told: Told<'a>,
}

/// Whether an expression stands anywhere in a condition.
fn condition_has(condition: &Condition, wanted: &Expr) -> bool {
    fn in_expr(expr: &Expr, wanted: &Expr) -> bool {
        expr == wanted || expr.children().into_iter().any(|child| in_expr(child, wanted))
    }
    condition.exprs().into_iter().any(|expr| in_expr(expr, wanted))
        || condition.parts().into_iter().any(|part| condition_has(part, wanted))
}

/// `1 candidate`, `2 candidates`.
fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("one {thing}") } else { format!("{count} {thing}s") }
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
