//! A match seen through its rule. In: a match, its technique, the state it was found in. Out: values of expressions, truth of conditions;
//! names and sentences filled in; values as text; rings in order.

use super::names::{filled_with, frame, header};
use crate::engine::{FamilyIndex, Lens, Match, Value};
use crate::eval::Evaluator;
use crate::grid::{Candidate, Cell, DigitSet, Geometry, State, notation};
use crate::lang::ir::{Expr, LinkShape, Space, Statement, Technique, Template, TemplatePart, VarId, Variant};

/// A position as a view of a technique shows it: the grid itself, or a board of rows and columns made from it.
pub struct ViewContext<'a> {
    /// The board of the puzzle.
    pub grid: &'a Geometry,
    /// The translation between the puzzle and the view.
    pub lens: Lens,
    state: &'a State,
    view: Option<(Geometry, State)>,
    /// Times of eliminations, if known; see [`Changes`](super::changes::Changes).
    changes: &'a [u32],
}

impl<'a> ViewContext<'a> {
    /// Views a position.
    pub fn new(grid: &'a Geometry, state: &'a State, space: Space) -> ViewContext<'a> {
        let lens = Lens::new(grid.size(), space);
        let view = (!lens.is_grid()).then(|| (Geometry::latin(grid.size()), lens.state(state)));
        ViewContext { grid, lens, state, view, changes: &[] }
    }

    /// Adds the times of eliminations; a view of rows and columns has none.
    pub fn after(self, changes: &'a [u32]) -> ViewContext<'a> {
        let changes = if self.view.is_some() { &[] } else { changes };
        ViewContext { changes, ..self }
    }

    /// Returns the board that the rule sees.
    pub fn geometry(&self) -> &Geometry {
        self.view.as_ref().map_or(self.grid, |(board, _)| board)
    }

    /// Returns the position that the rule sees.
    pub fn state(&self) -> &State {
        self.view.as_ref().map_or(self.state, |(_, state)| state)
    }
}

/// A match with its rule and its position.
pub struct View<'a> {
    pub found: &'a Match,
    pub technique: &'a Technique,
    pub variant: &'a Variant,
    /// The board of the puzzle.
    pub grid: &'a Geometry,
    /// The translation between the puzzle and the view.
    pub lens: Lens,
    geometry: &'a Geometry,
    changes: &'a [u32],
    /// The position that the rule sees.
    pub state: &'a State,
}

impl<'a> View<'a> {
    /// Views a match on the position of its space.
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

    /// Returns an evaluator with the values of the match.
    pub fn evaluator(&self) -> Evaluator<'a> {
        Evaluator::new(self.variant, &self.found.member.args, self.geometry, self.state, &self.found.bindings)
            .about(self.found)
            .after(self.changes)
    }

    /// Returns the value of an expression.
    pub fn value(&self, expr: &Expr) -> Value {
        self.evaluator().value(expr)
    }

    /// Returns the candidates of an expression, once or for each value of a running name.
    pub fn candidates(&self, expr: &Expr, per: Option<&(VarId, Expr)>) -> Vec<Vec<Candidate>> {
        let evaluator = self.evaluator();
        let Some((index, over)) = per else {
            return vec![as_candidates(evaluator.value(expr))];
        };
        let each = singles(&evaluator.value(over));
        each.into_iter().map(|one| as_candidates(evaluator.with(*index, one).value(expr))).collect()
    }

    /// Returns the first title that exists: of the view, of the case, of the header, or else the id. `name` is the title that a join builds
    /// on.
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

    /// Returns the author's reason. Views of rows and columns have none, since it speaks of the grid.
    pub fn because(&self, title: &str) -> Option<String> {
        View::because_of(std::slice::from_ref(self), title)
    }

    /// Returns the author's reason for a step of several matches. If its values differ in one set of digits only, it names the digits of all
    /// matches; otherwise it is the reason of the first match.
    pub fn because_of(views: &[View], title: &str) -> Option<String> {
        let first = views.first().filter(|first| first.lens.is_grid())?;
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

    /// Returns the author's headline for a step of several matches, with values in short form. Digits of all matches are united. A word
    /// whose value is empty is left out.
    pub fn says(views: &[View], title: &str) -> Option<String> {
        let first = views.first().filter(|first| first.lens.is_grid())?;
        let says = first.variant.says.as_ref()?;
        let value = |part: &TemplatePart| {
            let text = first.ring_text(part).unwrap_or_else(|| {
                let united = views.iter().filter_map(|view| view.placeholder(part)).reduce(united);
                united.map_or_else(String::new, |value| short(first.grid, &value, &|cell| first.state.candidates(cell)))
            });
            Some(if text.is_empty() { EMPTY.to_string() } else { text })
        };
        let text = first.filled(says, title, &value);
        Some(text.split_whitespace().filter(|word| !word.contains(EMPTY)).collect::<Vec<_>>().join(" "))
    }

    /// Writes the candidates of a ring in order, back to the first.
    fn ring_text(&self, part: &TemplatePart) -> Option<String> {
        let TemplatePart::Var(var) = part else { return None };
        ring_in_order(self, *var).map(|list| notation::circle(self.grid, &list))
    }

    /// Returns the first name by shape whose condition holds, or else the title.
    pub fn name(&self, title: &str) -> String {
        let evaluator = self.evaluator();
        let mut names = self.variant.called.iter();
        let called = names.find(|called| called.when.as_ref().is_none_or(|when| evaluator.holds(when)));
        let Some(called) = called else { return title.to_string() };
        match frame(self.technique, self.found.member.space) {
            Some(frame) => self.fill(frame, &self.fill(&called.title, &self.title_in(Space::Rc, ""))),
            None => self.fill(&called.title, title),
        }
    }

    /// Fills the placeholders of a text.
    pub fn fill(&self, template: &Template, name: &str) -> String {
        self.sentence(template, name, &|part| self.placeholder(part))
    }

    /// Fills the placeholders of a sentence; `one of` and the like are dropped before a single member.
    fn sentence(&self, template: &Template, name: &str, value: &dyn Fn(&TemplatePart) -> Option<Value>) -> String {
        let text = self.filled(template, name, &|part| {
            let value = value(part)?;
            let alone = if singles(&value).len() == 1 { ALONE } else { "" };
            let words = match &self.lens.value(&value) {
                Value::Digits(digits) => with_and(&notation::digits(*digits).replace(',', ", ")),
                Value::Houses(houses) => notation::houses_in_words(self.grid, houses),
                other => text_of(other, self.grid),
            };
            Some(format!("{alone}{words}"))
        });
        let words = ["at least one of ", "one of ", "all of ", ""].map(|words| format!("{words}{ALONE}"));
        words.iter().fold(text, |text, words| text.replace(words, ""))
    }

    fn filled(&self, template: &Template, name: &str, value: &dyn Fn(&TemplatePart) -> Option<String>) -> String {
        let args = &self.found.member.args;
        filled_with(self.technique, template, args, name, value).unwrap_or_else(|| self.technique.id.clone())
    }

    /// Returns the value that fills a placeholder.
    fn placeholder(&self, part: &TemplatePart) -> Option<Value> {
        match part {
            TemplatePart::Var(var) => self.found.bindings.get(var.0)?.clone(),
            TemplatePart::Value(expr) => Some(self.evaluator().value(expr)),
            _ => None,
        }
    }
}

/// Marks a value of a single member in a sentence that is being filled: it needs no `one of`.
const ALONE: &str = "\u{1}";

/// Marks an empty value in a headline that is being filled.
const EMPTY: char = '\0';

/// Combines the values that two matches have for a placeholder: the union of digits, otherwise the first value.
fn united(a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Digits(a), Value::Digits(b)) => Value::Digits(a | b),
        (a, _) => a,
    }
}

/// Returns the members of a value, each as a value of its own.
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
fn with_and(list: &str) -> String {
    list.rsplit_once(", ").map_or_else(|| list.to_string(), |(most, last)| format!("{most} and {last}"))
}

/// Writes a value in the field's notation.
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
            let places = places.iter().map(|(house, digit)| format!("{digit} in {}", geometry.house(*house)));
            places.collect::<Vec<_>>().join(", ")
        }
    }
}

/// Writes a value in the short form of headlines: `5/6/9`, `r4c78`, `r139`, `(5)r1c25`. A family of sets is written set by set, with the
/// `digits` of their cells, so that a reader sees which set belongs to which index.
pub fn short(geometry: &Geometry, value: &Value, digits: &dyn Fn(Cell) -> DigitSet) -> String {
    match value {
        Value::Digits(digits) => notation::digits_short(*digits),
        Value::Houses(houses) => notation::houses(geometry, houses),
        Value::Family(members) if members.iter().any(|(_, cells)| cells.len() > 1) => {
            let members = members.iter().map(|(index, cells)| {
                let index = match index {
                    FamilyIndex::Digit(digit) => digit.to_string(),
                    FamilyIndex::Cell(cell) => notation::cell(geometry, *cell),
                };
                format!("{index}: {}", with_digits(geometry, cells, digits))
            });
            members.collect::<Vec<_>>().join(", ")
        }
        other => text_of(other, geometry),
    }
}

/// Writes cells with their candidates: `r1c12 {3/5/7}`.
pub fn with_digits(geometry: &Geometry, cells: &[Cell], digits: &dyn Fn(Cell) -> DigitSet) -> String {
    let all = cells.iter().fold(DigitSet::EMPTY, |all, &cell| all | digits(cell));
    format!("{} {{{}}}", notation::cells(geometry, cells), notation::digits_short(all))
}

/// Returns the candidates of a ring in order, from the first to the smaller of its two neighbours and around. A ring is bound as a set, so
/// its links are found again: two candidates are neighbours if, apart from guardians, their cell has no others or a house of both no other
/// place. `None` if the name is no ring, or has links of another kind.
pub(super) fn ring_in_order(view: &View, name: VarId) -> Option<Vec<Candidate>> {
    let ring = view.variant.body.iter().filter_map(Statement::graph).find_map(|graph| match &graph.shape {
        LinkShape::Ring(ring) if ring.name == name => Some(ring),
        _ => None,
    })?;
    let bindings = &view.found.bindings;
    let (Some(Value::Candidates(all)), Some(Value::Candidates(guardians))) =
        (&bindings[ring.name.0], &bindings[ring.guardians.0])
    else {
        return None;
    };
    let neighbours: Vec<Vec<usize>> = all
        .iter()
        .map(|a| (0..all.len()).filter(|&b| *a != all[b] && are_linked(view, *a, all[b], guardians)).collect())
        .collect();
    let mut order = vec![0];
    close_ring(&neighbours, &mut order).then(|| order.into_iter().map(|at| all[at]).collect())
}

/// Returns true if exactly one of two candidates is true when the guardians are false.
fn are_linked(view: &View, a: Candidate, b: Candidate, guardians: &[Candidate]) -> bool {
    let is_other = |one: Candidate| ![a, b].contains(&one) && view.state.has(one) && !guardians.contains(&one);
    if a.cell == b.cell {
        return !view.state.candidates(a.cell).iter().any(|digit| is_other(Candidate::new(digit, a.cell)));
    }
    let mut shared = view.grid.houses_of(a.cell).iter().filter(|house| view.grid.houses_of(b.cell).contains(house));
    a.digit == b.digit
        && shared.any(|&house| {
            let mut cells = view.grid.house(house).cells.iter();
            !cells.any(|&cell| is_other(Candidate::new(a.digit, cell)))
        })
}

/// Extends a path through all candidates and back to the first; returns false if there is no such ring.
fn close_ring(neighbours: &[Vec<usize>], path: &mut Vec<usize>) -> bool {
    let (first, last) = (path[0], path[path.len() - 1]);
    if path.len() == neighbours.len() {
        return neighbours[last].contains(&first);
    }
    for &next in &neighbours[last] {
        if !path.contains(&next) {
            path.push(next);
            if close_ring(neighbours, path) {
                return true;
            }
            path.pop();
        }
    }
    false
}
