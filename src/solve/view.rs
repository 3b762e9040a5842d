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
pub struct MatchView<'a> {
    pub found: &'a Match,
    pub technique: &'a Technique,
    pub variant: &'a Variant,
    /// The board of the puzzle.
    pub grid: &'a Geometry,
    /// The translation between the puzzle and the view.
    pub lens: Lens,
    /// The position of the puzzle, and as the rule sees it.
    context: &'a ViewContext<'a>,
}

impl<'a> MatchView<'a> {
    /// Views a match on the position of its space.
    pub fn new(found: &'a Match, technique: &'a Technique, context: &'a ViewContext<'a>) -> MatchView<'a> {
        let variant = &technique.variants[found.member.variant];
        MatchView { found, technique, variant, grid: context.grid, lens: context.lens, context }
    }

    /// Returns the position that the rule sees.
    pub fn state(&self) -> &'a State {
        self.context.state()
    }

    /// Returns an evaluator with the values of the match.
    pub fn evaluator(&self) -> Evaluator<'a> {
        let (board, state) = (self.context.geometry(), self.state());
        Evaluator::new(self.variant, &self.found.member.args, board, state, &self.found.bindings)
            .with_match(self.found)
            .with_removals(self.context.changes)
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
        each.into_iter().map(|one| as_candidates(evaluator.with_value(*index, one).value(expr))).collect()
    }

    /// Returns the candidates that a name is bound to; none if it has another value or none.
    pub fn bound_candidates(&self, name: VarId) -> &'a [Candidate] {
        match &self.found.bindings[name.0] {
            Some(Value::Candidates(list)) => list,
            _ => &[],
        }
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

    /// Returns the author's reason for a step of one or several matches. Views of rows and columns have none, since it speaks of the grid.
    /// If the values of the matches differ in one set of digits only, it names the digits of all; otherwise it is the reason of the first.
    pub fn because(views: &[MatchView], title: &str) -> Option<String> {
        let first = views.first().filter(|first| first.lens.is_grid())?;
        let because = first.variant.because.as_ref()?;
        let mut differing = because.parts.iter().filter(|part| {
            let value = first.placeholder(part);
            views.iter().any(|view| view.placeholder(part) != value)
        });
        let one = differing.next().filter(|one| differing.all(|other| other == *one));
        Some(first.sentence(because, title, &|part| match one {
            Some(one) if one == part => united(views, part),
            _ => first.placeholder(part),
        }))
    }

    /// Returns the author's headline for a step of several matches, with values in headline_value form. Digits of all matches are united. A word
    /// whose value is empty is left out.
    pub fn says(views: &[MatchView], title: &str) -> Option<String> {
        let first = views.first().filter(|first| first.lens.is_grid())?;
        let text = first.filled(first.variant.says.as_ref()?, title, &|part| {
            let text = first.ring_text(part).or_else(|| {
                Some(headline_value(first.grid, &united(views, part)?, &|cell| first.state().candidates(cell)))
            });
            Some(text.filter(|text| !text.is_empty()).unwrap_or_else(|| EMPTY.to_string()))
        });
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
        let mut names = self.variant.step_titles.iter();
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
                Value::Digits(digits) => digits_and(*digits),
                Value::Houses(houses) => notation::houses_in_words(self.grid, houses),
                other => value_text(other, self.grid),
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

/// Combines the values that several matches have for a placeholder: the union of digits, otherwise the first value.
fn united(views: &[MatchView], part: &TemplatePart) -> Option<Value> {
    views.iter().filter_map(|view| view.placeholder(part)).reduce(|a, b| match (a, b) {
        (Value::Digits(a), Value::Digits(b)) => Value::Digits(a | b),
        (a, _) => a,
    })
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

/// Writes `a`, `a and b` or `a, b and c`; `last` is the word before the last item.
pub fn join_words(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., end] => format!("{} {last} {end}", most.join(", ")),
    }
}

/// Writes digits as `1, 2 and 3`.
pub fn digits_and(digits: DigitSet) -> String {
    join_words(&digits.iter().map(|digit| digit.to_string()).collect::<Vec<_>>(), "and")
}

/// Writes a value in the field's notation.
pub fn value_text(value: &Value, geometry: &Geometry) -> String {
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

/// Writes a value in the headline_value form of headlines: `5/6/9`, `r4c78`, `r139`, `(5)r1c25`. A family of sets is written set by set, with the
/// `digits` of their cells, so that a reader sees which set belongs to which index.
pub fn headline_value(geometry: &Geometry, value: &Value, digits: &dyn Fn(Cell) -> DigitSet) -> String {
    match value {
        Value::Digits(digits) => notation::digits_short(*digits),
        Value::Houses(houses) => notation::houses(geometry, houses),
        Value::Family(members) if members.iter().any(|(_, cells)| cells.len() > 1) => {
            let members = members.iter().map(|(index, cells)| {
                let index = match index {
                    FamilyIndex::Digit(digit) => digit.to_string(),
                    FamilyIndex::Cell(cell) => notation::cell(geometry, *cell),
                };
                format!("{index}: {}", cells_with_digits(geometry, cells, digits))
            });
            members.collect::<Vec<_>>().join(", ")
        }
        other => value_text(other, geometry),
    }
}

/// Writes cells with their candidates: `r1c12 {3/5/7}`.
pub fn cells_with_digits(geometry: &Geometry, cells: &[Cell], digits: &dyn Fn(Cell) -> DigitSet) -> String {
    let all = cells.iter().fold(DigitSet::EMPTY, |all, &cell| all | digits(cell));
    format!("{} {{{}}}", notation::cells(geometry, cells), notation::digits_short(all))
}

/// Returns the candidates of a ring in order, from the first to the smaller of its two neighbours and around. A ring is bound as a set, so
/// its links are found again: two candidates are neighbours if, apart from guardians, their cell has no others or a house of both no other
/// place. `None` if the name is no ring, or has links of another kind.
pub(super) fn ring_in_order(view: &MatchView, name: VarId) -> Option<Vec<Candidate>> {
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
fn are_linked(view: &MatchView, a: Candidate, b: Candidate, guardians: &[Candidate]) -> bool {
    let groups: Vec<Vec<Candidate>> = if a.cell == b.cell {
        vec![view.state().candidates(a.cell).iter().map(|digit| Candidate::new(digit, a.cell)).collect()]
    } else if a.digit == b.digit {
        let shared = view.grid.houses_of(a.cell).iter().filter(|house| view.grid.houses_of(b.cell).contains(house));
        let places = shared.map(|&house| view.grid.house(house).cells.iter());
        places.map(|cells| cells.map(|&cell| Candidate::new(a.digit, cell)).collect()).collect()
    } else {
        return false;
    };
    // The link holds if every other candidate of the cell, or of the digit in the house, is absent or a guardian.
    groups
        .iter()
        .any(|all| all.iter().all(|one| [a, b].contains(one) || !view.state().has(*one) || guardians.contains(one)))
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
