//! A match seen through its rule. In: a match, its technique, the state it was found in. Out: values of
//! expressions, truth of conditions, templates filled in.

use super::names::filled_with;
use crate::engine::eval::Evaluator;
use crate::engine::{Match, Value};
use crate::grid::{Candidate, DigitSet, Geometry, State, notation};
use crate::lang::ir::{Called, Expr, Technique, Template, TemplatePart, VarId, Variant};

/// A match with all that is needed to speak about it.
pub struct View<'a> {
    pub found: &'a Match,
    pub technique: &'a Technique,
    pub variant: &'a Variant,
    pub geometry: &'a Geometry,
    pub state: &'a State,
}

impl<'a> View<'a> {
    pub fn new(found: &'a Match, technique: &'a Technique, geometry: &'a Geometry, state: &'a State) -> View<'a> {
        let variant = &technique.variants[found.member.variant];
        View { found, technique, variant, geometry, state }
    }

    fn evaluator(&self) -> Evaluator<'a> {
        Evaluator::new(self.variant, &self.found.member.args, self.geometry, self.state, &self.found.bindings)
    }

    /// The candidates that an expression stands for, once or for each digit of a running name.
    pub fn candidates(&self, expr: &Expr, per: Option<&(VarId, Expr)>) -> Vec<Vec<Candidate>> {
        let evaluator = self.evaluator();
        let Some((index, over)) = per else {
            return vec![as_candidates(evaluator.value(expr))];
        };
        let Value::Digits(digits) = evaluator.value(over) else { return Vec::new() };
        let single = |digit| Value::Digits(DigitSet::single(digit));
        digits.iter().map(|digit| as_candidates(evaluator.with(*index, single(digit)).value(expr))).collect()
    }

    /// The title of the case, the header's title, or the id.
    pub fn title(&self) -> String {
        let template = self.variant.title.as_ref().or(self.technique.title.as_ref());
        template.map_or_else(|| self.technique.id.clone(), |template| self.fill(template, ""))
    }

    /// The first name by shape whose condition holds, else the title.
    pub fn name(&self, title: &str) -> String {
        let evaluator = self.evaluator();
        let holds = |called: &&Called| called.when.as_ref().is_none_or(|when| evaluator.holds(when));
        let called = self.variant.called.iter().find(holds);
        called.map_or_else(|| title.to_string(), |called| self.fill(&called.title, title))
    }

    /// Text with its holes filled.
    pub fn fill(&self, template: &Template, name: &str) -> String {
        let said = |value: &Value| match value {
            Value::Digits(digits) => digits_and(*digits),
            other => text_of(other, self.geometry),
        };
        let value = |part: &TemplatePart| match part {
            TemplatePart::Var(var) => self.found.bindings[var.0].as_ref().map(said),
            TemplatePart::Value(expr) => Some(said(&self.evaluator().value(expr))),
            _ => None,
        };
        let args = &self.found.member.args;
        filled_with(self.technique, template, args, name, &value).unwrap_or_else(|| self.technique.id.clone())
    }
}

fn as_candidates(value: Value) -> Vec<Candidate> {
    match value {
        Value::Candidates(candidates) => candidates,
        _ => Vec::new(),
    }
}

/// `1`, `1 and 2`, `1, 2 and 5`.
fn digits_and(digits: DigitSet) -> String {
    let text = notation::digits(digits).replace(',', ", ");
    text.rsplit_once(", ").map(|(most, last)| format!("{most} and {last}")).unwrap_or(text)
}

/// A value in the field's notation.
pub fn text_of(value: &Value, geometry: &Geometry) -> String {
    match value {
        Value::Digits(digits) => notation::digits(*digits),
        Value::Cells(cells) => notation::cells(geometry, cells),
        Value::Houses(houses) => {
            let names: Vec<String> = houses.iter().map(|id| geometry.house(*id).to_string()).collect();
            names.join(", ")
        }
        Value::Candidates(candidates) => {
            let one =
                |candidate: &Candidate| format!("({}){}", candidate.digit, notation::cell(geometry, candidate.cell));
            candidates.iter().map(one).collect::<Vec<_>>().join(", ")
        }
        Value::Number(number) => number.to_string(),
        Value::Family(members) => {
            let mut cells: Vec<_> = members.iter().map(|(_, cell)| *cell).collect();
            cells.sort_unstable();
            cells.dedup();
            notation::cells(geometry, &cells)
        }
    }
}
