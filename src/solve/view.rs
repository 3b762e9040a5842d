//! Evaluates a rule's expressions and fills its texts for a match. In: a match, its technique, its state. Out: values of
//! expressions; titles and sentences without placeholders; values as text; the candidates of rings in order.

use super::names::{filled_with, header, view_title_with_name};
use crate::engine::{FamilyIndex, Lens, Match, Value};
use crate::eval::Evaluator;
use crate::grid::{Candidate, Cell, DigitSet, Geometry, State, notation};
use crate::lang::ir::{Expr, LinkShape, Space, Statement, Technique, Template, TemplatePart, VarId, Variant};

/// A position as a technique sees it: the grid itself, or the grid translated to the board of a view.
pub struct ViewedPosition<'a> {
    /// The board of the puzzle.
    pub grid: &'a Geometry,
    /// The translation between the puzzle and the view.
    pub lens: Lens,
    state: &'a State,
    /// Board and position of the view; `None` if the technique sees the grid itself.
    view: Option<(Geometry, State)>,
    /// Times of eliminations, see [`EliminationTimes`](super::cheapest::EliminationTimes); empty if unknown.
    elimination_times: &'a [u32],
}

impl<'a> ViewedPosition<'a> {
    /// Translates a position to the board of `space`.
    pub fn new(grid: &'a Geometry, state: &'a State, space: Space) -> ViewedPosition<'a> {
        let lens = Lens::new(grid.size(), space);
        let view = if lens.is_grid() { None } else { Some((Geometry::latin(grid.size()), lens.state_in_view(state))) };
        ViewedPosition { grid, lens, state, view, elimination_times: &[] }
    }

    /// Adds the times of eliminations, unless the technique sees a view: the times are indexed by candidates of the grid.
    pub fn with_elimination_times(self, elimination_times: &'a [u32]) -> ViewedPosition<'a> {
        let elimination_times = if self.view.is_some() { &[] } else { elimination_times };
        ViewedPosition { elimination_times, ..self }
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

pub struct MatchContext<'a> {
    pub rule_match: &'a Match,
    pub technique: &'a Technique,
    pub variant: &'a Variant,
    /// The board of the puzzle.
    pub grid: &'a Geometry,
    /// The translation between the puzzle and the view.
    pub lens: Lens,
    position: &'a ViewedPosition<'a>,
}

impl<'a> MatchContext<'a> {
    pub fn new(rule_match: &'a Match, technique: &'a Technique, position: &'a ViewedPosition<'a>) -> MatchContext<'a> {
        let variant = &technique.variants[rule_match.member.variant];
        MatchContext { rule_match, technique, variant, grid: position.grid, lens: position.lens, position }
    }

    /// Returns the position that the rule sees.
    pub fn state(&self) -> &'a State {
        self.position.state()
    }

    /// Returns true if the rule sees the grid itself, and not a view of it.
    pub fn is_on_grid(&self) -> bool {
        self.lens.is_grid()
    }

    /// Returns an evaluator with the values of the match.
    pub fn evaluator(&self) -> Evaluator<'a> {
        let (board, state) = (self.position.geometry(), self.state());
        let args = &self.rule_match.member.args;
        let mut evaluator = Evaluator::new(self.variant, args, board, state, &self.rule_match.bindings);
        evaluator.found = Some(self.rule_match);
        evaluator.removals = self.position.elimination_times;
        evaluator
    }

    pub fn value(&self, expr: &Expr) -> Value {
        self.evaluator().value(expr)
    }

    /// Returns the candidates of an expression: one list, or one for each value of the loop variable of `for_each`.
    pub fn candidates(&self, expr: &Expr, for_each: Option<&(VarId, Expr)>) -> Vec<Vec<Candidate>> {
        let evaluator = self.evaluator();
        let Some((variable, range)) = for_each else {
            return vec![as_candidates(evaluator.value(expr))];
        };
        let values = singletons(&evaluator.value(range)).into_iter();
        values.map(|value| as_candidates(evaluator.with_value(*variable, value).value(expr))).collect()
    }

    /// Returns the candidates that a name is bound to; empty if the name has no value or a value of another kind.
    pub fn bound_candidates(&self, name: VarId) -> &'a [Candidate] {
        match &self.rule_match.bindings[name.0] {
            Some(Value::Candidates(list)) => list,
            _ => &[],
        }
    }

    /// Returns the first title that exists: of the view, of the variant, of the header, or else the id. `name` fills
    /// `{name}` in the title of a `join`.
    pub fn title(&self, name: &str) -> String {
        let space = self.rule_match.member.space;
        match view_title_with_name(self.technique, space) {
            Some(view_title) => self.fill(view_title, &self.title_in(Space::Rc, name)),
            None => self.title_in(space, name),
        }
    }

    fn title_in(&self, space: Space, name: &str) -> String {
        let variant_title = if space == Space::Rc { self.variant.title.as_ref() } else { None };
        match variant_title.or(header(self.technique, space)) {
            Some(template) => self.fill(template, name),
            None => self.technique.id.clone(),
        }
    }

    /// Returns the author's reason for a step of one or several matches; `None` in a view, because the reason is about
    /// the grid. If the matches differ in the value of one placeholder only, the reason names the digits of all
    /// matches. Otherwise the result is the reason of the first match.
    pub fn because(contexts: &[MatchContext], title: &str) -> Option<String> {
        let first = contexts.first()?;
        if !first.is_on_grid() {
            return None;
        }
        let because = first.variant.because.as_ref()?;
        let differing = because.parts.iter().filter(|part| {
            let value = first.placeholder(part);
            contexts.iter().any(|context| context.placeholder(part) != value)
        });
        let differing: Vec<&TemplatePart> = differing.collect();
        // One placeholder may occur several times.
        let is_only_one = differing.iter().all(|part| *part == differing[0]);
        Some(first.sentence(because, title, &|part| {
            if is_only_one && differing.contains(&part) {
                combined_value(contexts, part)
            } else {
                first.placeholder(part)
            }
        }))
    }

    /// Returns the author's headline for a step of one or several matches, with values in short form; `None` in a view.
    /// A placeholder without a value is dropped with the word that contains it.
    pub fn says(contexts: &[MatchContext], title: &str) -> Option<String> {
        let first = contexts.first()?;
        if !first.is_on_grid() {
            return None;
        }
        let text = first.filled(first.variant.says.as_ref()?, title, &|part| {
            let text = match first.ring_text(part) {
                Some(text) => text,
                None => combined_value(contexts, part).map_or_else(String::new, |value| {
                    headline_value(first.grid, &value, &|cell| first.state().candidates(cell))
                }),
            };
            Some(if text.is_empty() { EMPTY.to_string() } else { text })
        });
        Some(text.split_whitespace().filter(|word| !word.contains(EMPTY)).collect::<Vec<_>>().join(" "))
    }

    /// Writes the candidates of a ring in order, from the first back to the first; `None` if the placeholder is no
    /// ring.
    fn ring_text(&self, part: &TemplatePart) -> Option<String> {
        let TemplatePart::Var(var) = part else { return None };
        ring_in_order(self, *var).map(|list| notation::closed_chain(self.grid, &list))
    }

    /// Returns the name of the first `called` line whose condition holds, or else the title.
    pub fn name(&self, title: &str) -> String {
        let evaluator = self.evaluator();
        let mut shapes = self.variant.step_titles.iter();
        let shape = shapes.find(|shape| shape.when.as_ref().is_none_or(|when| evaluator.holds(when)));
        let Some(shape) = shape else { return title.to_string() };
        match view_title_with_name(self.technique, self.rule_match.member.space) {
            Some(view_title) => self.fill(view_title, &self.fill(&shape.title, &self.title_in(Space::Rc, ""))),
            None => self.fill(&shape.title, title),
        }
    }

    /// Fills the placeholders of a text.
    pub fn fill(&self, template: &Template, name: &str) -> String {
        self.sentence(template, name, &|part| self.placeholder(part))
    }

    /// Fills the placeholders of a sentence. Before a value with a single member, `one of`, `all of` and `at least one
    /// of` are dropped.
    fn sentence(&self, template: &Template, name: &str, value: &dyn Fn(&TemplatePart) -> Option<Value>) -> String {
        let text = self.filled(template, name, &|part| {
            let value = value(part)?;
            let marker = if singletons(&value).len() == 1 { SINGLE } else { "" };
            let words = match &self.lens.value_in_grid(&value) {
                Value::Digits(digits) => digits_in_words(*digits),
                Value::Houses(houses) => notation::houses_in_words(self.grid, houses),
                other => value_text(other, self.grid),
            };
            Some(format!("{marker}{words}"))
        });
        // A longer phrase contains a shorter phrase, so it is dropped first. The empty phrase drops the remaining markers.
        let dropped = ["at least one of ", "one of ", "all of ", ""].map(|phrase| format!("{phrase}{SINGLE}"));
        dropped.iter().fold(text, |text, phrase| text.replace(phrase, ""))
    }

    fn filled(&self, template: &Template, name: &str, value: &dyn Fn(&TemplatePart) -> Option<String>) -> String {
        let args = &self.rule_match.member.args;
        filled_with(self.technique, template, args, name, value).unwrap_or_else(|| self.technique.id.clone())
    }

    /// Returns the value that fills a placeholder.
    fn placeholder(&self, part: &TemplatePart) -> Option<Value> {
        match part {
            TemplatePart::Var(var) => self.rule_match.bindings.get(var.0)?.clone(),
            TemplatePart::Value(expr) => Some(self.evaluator().value(expr)),
            _ => None,
        }
    }
}

/// Marker before a value with a single member, in a sentence that is being filled.
const SINGLE: &str = "\u{1}";

/// Marker in place of an empty value, in a headline that is being filled.
const EMPTY: char = '\0';

/// Combines the values that several matches have for a placeholder: the union of digits; for other kinds the first
/// value.
fn combined_value(contexts: &[MatchContext], part: &TemplatePart) -> Option<Value> {
    contexts.iter().filter_map(|context| context.placeholder(part)).reduce(|a, b| match (a, b) {
        (Value::Digits(a), Value::Digits(b)) => Value::Digits(a | b),
        (a, _) => a,
    })
}

/// Returns each member of a value as a value with one member.
fn singletons(value: &Value) -> Vec<Value> {
    match value {
        Value::Digits(digits) => digits.iter().map(|digit| Value::Digits(DigitSet::single(digit))).collect(),
        Value::Cells(cells) => cells.iter().map(|&cell| Value::Cells(vec![cell])).collect(),
        Value::Houses(houses) => houses.iter().map(|&house| Value::Houses(vec![house])).collect(),
        Value::Candidates(list) => list.iter().map(|&candidate| Value::Candidates(vec![candidate])).collect(),
        Value::Number(_) | Value::Family(_) | Value::Places(_) => Vec::new(),
    }
}

fn as_candidates(value: Value) -> Vec<Candidate> {
    match value {
        Value::Candidates(candidates) => candidates,
        _ => Vec::new(),
    }
}

/// Writes `a`, `a and b` or `a, b and c`. `conjunction` is the word before the last item.
pub fn join_words(items: &[String], conjunction: &str) -> String {
    match items {
        [] => String::new(),
        [item] => item.clone(),
        [front @ .., last] => format!("{} {conjunction} {last}", front.join(", ")),
    }
}

/// Writes `1, 2 and 3`.
pub fn digits_in_words(digits: DigitSet) -> String {
    join_words(&digits.iter().map(|digit| digit.to_string()).collect::<Vec<_>>(), "and")
}

/// Writes a value in Sudoku notation.
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

/// Writes a value in the short form of headlines: `5/6/9`, `r4c78`, `r139`, `(5)r1c25`. A family has a set of cells for
/// each index; the sets are written one by one, with their indexes and the `digits` of their cells.
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
    let all_digits = cells.iter().fold(DigitSet::EMPTY, |union, &cell| union | digits(cell));
    format!("{} {{{}}}", notation::cells(geometry, cells), notation::digits_short(all_digits))
}

/// Returns the candidates of a ring in order, from its first candidate towards the smaller of the two neighbours. A match
/// binds a ring as a set, so its links are derived again by [`are_linked`]. `None` if the name is no ring, or if the ring
/// has links that [`are_linked`] does not know.
pub(super) fn ring_in_order(context: &MatchContext, name: VarId) -> Option<Vec<Candidate>> {
    let ring = context.variant.body.iter().filter_map(Statement::graph).find_map(|graph| match &graph.shape {
        LinkShape::Ring(ring) if ring.name == name => Some(ring),
        _ => None,
    })?;
    let bindings = &context.rule_match.bindings;
    let Some(Value::Candidates(members)) = &bindings[ring.name.0] else { return None };
    let Some(Value::Candidates(guardians)) = &bindings[ring.guardians.0] else { return None };
    let mut neighbours: Vec<Vec<usize>> = Vec::new();
    for a in members {
        let linked = (0..members.len()).filter(|&b| *a != members[b] && are_linked(context, *a, members[b], guardians));
        neighbours.push(linked.collect());
    }
    let mut order = vec![0];
    if !close_ring(&neighbours, &mut order) {
        return None;
    }
    Some(order.into_iter().map(|index| members[index]).collect())
}

/// Returns true if exactly one of two candidates is true when all guardians are false. Apart from guardians, the two are
/// then the only candidates of their cell or the only places of their digit in a house.
fn are_linked(context: &MatchContext, a: Candidate, b: Candidate, guardians: &[Candidate]) -> bool {
    let groups: Vec<Vec<Candidate>> = if a.cell == b.cell {
        vec![context.state().candidates(a.cell).iter().map(|digit| Candidate::new(digit, a.cell)).collect()]
    } else if a.digit == b.digit {
        let shared =
            context.grid.houses_of(a.cell).iter().filter(|house| context.grid.houses_of(b.cell).contains(house));
        let places = shared.map(|&house| context.grid.house(house).cells.iter());
        places.map(|cells| cells.map(|&cell| Candidate::new(a.digit, cell)).collect()).collect()
    } else {
        return false;
    };
    groups.iter().any(|group| {
        let mut others = group.iter().filter(|candidate| ![a, b].contains(candidate));
        others.all(|candidate| !context.state().has(*candidate) || guardians.contains(candidate))
    })
}

/// Extends `path` to a cycle through all candidates by backtracking. Returns false if there is no such cycle.
fn close_ring(neighbours: &[Vec<usize>], path: &mut Vec<usize>) -> bool {
    let first = path[0];
    let last = path[path.len() - 1];
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
