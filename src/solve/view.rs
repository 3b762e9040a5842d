//! A match seen through its rule. In: a match, its technique, the state it was found in. Out: values of
//! expressions, truth of conditions, templates filled in.

use crate::engine::eval::Evaluator;
use crate::engine::{Match, Value};
use crate::grid::{Candidate, DigitSet, Geometry, State, notation};
use crate::lang::ir::{Condition, Expr, Technique, Template, TemplatePart, VarId, Variant};

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
        Evaluator::new(self.geometry, self.state, &self.found.member.args, &self.found.bindings)
    }

    /// The value of an expression.
    pub fn value(&self, expr: &Expr) -> Option<Value> {
        self.evaluator().value(expr).ok()
    }

    /// Whether a condition holds; one that cannot be judged does not.
    pub fn holds(&self, condition: &Condition) -> bool {
        self.evaluator().holds(condition).unwrap_or(false)
    }

    /// The candidates that an expression stands for, once or for each digit of a running name.
    pub fn candidates(&self, expr: &Expr, per: Option<&(VarId, Expr)>) -> Vec<Vec<Candidate>> {
        let Some((index, over)) = per else {
            return vec![as_candidates(self.value(expr))];
        };
        let Some(Value::Digits(digits)) = self.value(over) else { return Vec::new() };
        let mut bindings = self.found.bindings.clone();
        let mut each = |digit| {
            bindings[index.0] = Some(Value::Digits(DigitSet::single(digit)));
            let args = &self.found.member.args;
            as_candidates(Evaluator::new(self.geometry, self.state, args, &bindings).value(expr).ok())
        };
        digits.iter().map(&mut each).collect()
    }

    /// The title of the case, the header's title, or the id.
    pub fn title(&self) -> String {
        let template = self.variant.title.as_ref().or(self.technique.title.as_ref());
        template.map_or_else(|| self.technique.id.clone(), |template| self.fill(template, ""))
    }

    /// The first name by shape whose condition holds, else the title.
    pub fn name(&self, title: &str) -> String {
        let called = self.variant.called.iter().find(|called| called.when.as_ref().is_none_or(|when| self.holds(when)));
        called.map_or_else(|| title.to_string(), |called| self.fill(&called.title, title))
    }

    /// Text with its holes filled.
    pub fn fill(&self, template: &Template, name: &str) -> String {
        let args = &self.found.member.args;
        let hole = |part: &TemplatePart| match part {
            TemplatePart::Var(var) => self.found.bindings[var.0].clone(),
            TemplatePart::Value(expr) => self.value(expr),
            _ => None,
        };
        template.fill(&self.technique.params, args, name, &|part| {
            hole(part).map_or_else(|| "?".to_string(), |value| text_of(&value, self.geometry))
        })
    }
}

fn as_candidates(value: Option<Value>) -> Vec<Candidate> {
    match value {
        Some(Value::Candidates(candidates)) => candidates,
        _ => Vec::new(),
    }
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
            let one = |candidate: &Candidate| format!("({}){}", candidate.digit, notation::cell(geometry, candidate.cell));
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
