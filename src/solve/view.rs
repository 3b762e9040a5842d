//! A match seen through its rule. In: a match, its technique, the state it was found in. Out: values of
//! expressions, truth of conditions, names and sentences filled in.

use super::circle;
use super::names::{filled_with, frame, header};
use super::short::short;
use crate::engine::{Lens, Match, Value};
use crate::eval::Evaluator;
use crate::grid::{Candidate, Digit, DigitSet, Geometry, HouseId, State, notation};
use crate::lang::ir::{Called, Condition, Expr, Space, Technique, Template, TemplatePart, VarId, Variant};

/// A position as the view of a member shows it.
pub struct ViewContext<'a> {
    /// The board as it is.
    pub grid: &'a Geometry,
    /// How it is seen.
    pub lens: Lens,
    state: &'a State,
    view: Option<(Geometry, State)>,
    /// When candidates went, where that is known.
    changes: &'a [u32],
}

impl<'a> ViewContext<'a> {
    /// Looks at a position.
    pub fn new(grid: &'a Geometry, state: &'a State, space: Space) -> ViewContext<'a> {
        let lens = Lens::new(grid.size(), space);
        let view = (!lens.is_plain()).then(|| (Geometry::latin(grid.size()), lens.state(state)));
        ViewContext { grid, lens, state, view, changes: &[] }
    }

    /// The same, knowing when candidates went; a view does not say.
    pub fn after(self, changes: &'a [u32]) -> ViewContext<'a> {
        let changes = if self.view.is_some() { &[] } else { changes };
        ViewContext { changes, ..self }
    }

    /// The board that the rule sees.
    pub fn geometry(&self) -> &Geometry {
        self.view.as_ref().map_or(self.grid, |(board, _)| board)
    }

    /// The position that the rule sees.
    pub fn state(&self) -> &State {
        self.view.as_ref().map_or(self.state, |(_, state)| state)
    }
}

/// A match with all that is needed to speak about it.
pub struct View<'a> {
    pub found: &'a Match,
    pub technique: &'a Technique,
    pub variant: &'a Variant,
    /// The board as it is.
    pub grid: &'a Geometry,
    /// How the match sees it.
    pub lens: Lens,
    geometry: &'a Geometry,
    changes: &'a [u32],
    /// The state as the space of the match shows it.
    pub state: &'a State,
}

impl<'a> View<'a> {
    /// A match on the position that its space shows.
    pub fn new(found: &'a Match, technique: &'a Technique, context: &'a ViewContext<'a>) -> View<'a> {
        let variant = &technique.variants[found.member.variant];
        let (geometry, state) = (context.geometry(), context.state());
        View {
            found,
            technique,
            variant,
            grid: context.grid,
            lens: context.lens,
            geometry,
            changes: context.changes,
            state,
        }
    }

    /// An evaluator with the values of the match.
    pub fn evaluator(&self) -> Evaluator<'a> {
        Evaluator::new(self.variant, &self.found.member.args, self.geometry, self.state, &self.found.bindings)
            .about(self.found)
            .after(self.changes)
    }

    /// The value of an expression.
    pub fn value(&self, expr: &Expr) -> Value {
        self.evaluator().value(expr)
    }

    /// Whether a condition is true.
    pub fn holds(&self, condition: &Condition) -> bool {
        self.evaluator().holds(condition)
    }

    /// The candidates that an expression stands for, once or for each value of a running name.
    pub fn candidates(&self, expr: &Expr, per: Option<&(VarId, Expr)>) -> Vec<Vec<Candidate>> {
        let evaluator = self.evaluator();
        let Some((index, over)) = per else {
            return vec![as_candidates(evaluator.value(expr))];
        };
        let each = singles(&evaluator.value(over));
        each.into_iter().map(|one| as_candidates(evaluator.with(*index, one).value(expr))).collect()
    }

    /// The title of the view, of the case, the header's title, or the id; `name` is what a join builds it on.
    pub fn title(&self, name: &str) -> String {
        let space = self.found.member.space;
        match frame(self.technique, space) {
            Some(frame) => self.fill(frame, &self.title_in(Space::Rc, name)),
            None => self.title_in(space, name),
        }
    }

    fn title_in(&self, space: Space, name: &str) -> String {
        let case = self.variant.title.as_ref().filter(|_| space == Space::Rc);
        let template = case.or(header(self.technique, space));
        template.map_or_else(|| self.technique.id.clone(), |template| self.fill(template, name))
    }

    /// The author's sentence for why it holds. It speaks of the grid as it is, so a view has none.
    pub fn because(&self, title: &str) -> Option<String> {
        View::because_of(std::slice::from_ref(self), title)
    }

    /// The author's sentence for all matches that one step was put together of. If they differ in one value of it alone, and
    /// that is digits, it names the digits of all; else it is that of the first match.
    pub fn because_of(views: &[View], title: &str) -> Option<String> {
        let first = views.first().filter(|first| first.lens.is_plain())?;
        let because = first.variant.because.as_ref()?;
        let differs = |part: &&TemplatePart| views.iter().any(|view| view.placeholder(part) != first.placeholder(part));
        let mut differing = because.parts.iter().filter(differs);
        let one = differing.next().filter(|one| differing.all(|other| other == *one));
        let value = |part: &TemplatePart| match one {
            Some(one) if one == part => views.iter().filter_map(|view| view.placeholder(part)).reduce(united),
            _ => first.placeholder(part),
        };
        Some(first.sentence(because, title, &value))
    }

    /// The author's headline for all matches that one step was put together of: values in short, digits that differ
    /// between the matches together. A word with a value that is empty is left out.
    pub fn says(views: &[View], title: &str) -> Option<String> {
        let first = views.first().filter(|first| first.lens.is_plain())?;
        let says = first.variant.says.as_ref()?;
        let value = |part: &TemplatePart| {
            let text = first.around(part).unwrap_or_else(|| {
                let united = views.iter().filter_map(|view| view.placeholder(part)).reduce(united);
                united.map_or_else(String::new, |value| short(first.grid, &value, &|cell| first.state.candidates(cell)))
            });
            Some(if text.is_empty() { EMPTY.to_string() } else { text })
        };
        let text = first.filled(says, title, &value);
        Some(text.split_whitespace().filter(|word| !word.contains(EMPTY)).collect::<Vec<_>>().join(" "))
    }

    /// The candidates of a ring in their order, back to the first.
    fn around(&self, part: &TemplatePart) -> Option<String> {
        let TemplatePart::Var(var) = part else { return None };
        circle::in_order(self, *var).map(|list| notation::circle(self.grid, &list))
    }

    /// The first name by shape whose condition holds, else the title.
    pub fn name(&self, title: &str) -> String {
        let evaluator = self.evaluator();
        let holds = |called: &&Called| called.when.as_ref().is_none_or(|when| evaluator.holds(when));
        let Some(called) = self.variant.called.iter().find(holds) else { return title.to_string() };
        match frame(self.technique, self.found.member.space) {
            Some(frame) => self.fill(frame, &self.fill(&called.title, &self.title_in(Space::Rc, ""))),
            None => self.fill(&called.title, title),
        }
    }

    /// Text with its placeholders filled.
    pub fn fill(&self, template: &Template, name: &str) -> String {
        self.sentence(template, name, &|part| self.placeholder(part))
    }

    fn sentence(&self, template: &Template, name: &str, value: &dyn Fn(&TemplatePart) -> Option<Value>) -> String {
        let said = |value: &Value| match &self.lens.value(value) {
            Value::Digits(digits) => joined(&notation::digits(*digits).replace(',', ", ")),
            Value::Houses(houses) => notation::houses_in_words(self.grid, houses),
            other => text_of(other, self.grid),
        };
        let marked = |value: &Value| match singles(value).len() {
            1 => format!("{ALONE}{}", said(value)),
            _ => said(value),
        };
        let text = self.filled(template, name, &|part| value(part).as_ref().map(marked));
        let words = ["at least one of ", "one of ", "all of ", ""].map(|words| format!("{words}{ALONE}"));
        words.iter().fold(text, |text, words| text.replace(words, ""))
    }

    fn filled(&self, template: &Template, name: &str, value: &dyn Fn(&TemplatePart) -> Option<String>) -> String {
        let args = &self.found.member.args;
        filled_with(self.technique, template, args, name, value).unwrap_or_else(|| self.technique.id.clone())
    }

    /// The value that fills a placeholder.
    fn placeholder(&self, part: &TemplatePart) -> Option<Value> {
        match part {
            TemplatePart::Var(var) => self.found.bindings.get(var.0)?.clone(),
            TemplatePart::Value(expr) => Some(self.evaluator().value(expr)),
            _ => None,
        }
    }
}

/// Stands in a sentence before a value of one member: it needs no `one of`.
const ALONE: char = '\u{1}';

/// Stands in a headline where a value has nothing to show.
const EMPTY: char = '\0';

/// What two matches have for one placeholder: digits together, of other things the first.
fn united(a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Digits(a), Value::Digits(b)) => Value::Digits(a | b),
        (a, _) => a,
    }
}

/// The members of a value, each as a value of its own.
fn singles(value: &Value) -> Vec<Value> {
    match value {
        Value::Digits(digits) => digits.iter().map(|digit| Value::Digits(DigitSet::single(digit))).collect(),
        Value::Cells(cells) => cells.iter().map(|&cell| Value::Cells(vec![cell])).collect(),
        Value::Houses(houses) => houses.iter().map(|&house| Value::Houses(vec![house])).collect(),
        Value::Candidates(list) => list.iter().map(|&one| Value::Candidates(vec![one])).collect(),
        Value::Number(_) | Value::Family(_) | Value::Places(_) => Vec::new(),
    }
}

fn as_candidates(value: Value) -> Vec<Candidate> {
    match value {
        Value::Candidates(candidates) => candidates,
        _ => Vec::new(),
    }
}

/// `1`, `1 and 2`, `1, 2 and 5`.
fn joined(list: &str) -> String {
    list.rsplit_once(", ").map_or_else(|| list.to_string(), |(most, last)| format!("{most} and {last}"))
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
        Value::Candidates(candidates) => notation::candidates(geometry, candidates),
        Value::Number(number) => number.to_string(),
        Value::Family(members) => {
            let mut cells: Vec<_> = members.iter().flat_map(|(_, cells)| cells).copied().collect();
            cells.sort_unstable();
            cells.dedup();
            notation::cells(geometry, &cells)
        }
        Value::Places(places) => {
            let one = |(house, digit): &(HouseId, Digit)| format!("{digit} in {}", geometry.house(*house));
            places.iter().map(one).collect::<Vec<_>>().join(", ")
        }
    }
}
