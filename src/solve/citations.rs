//! Collects citations, the facts that a step rests on. In: the matches of a step with their rules, or the chain that an
//! assumption leads to. Out: [`Cites`].
//!
//! The values of names and the links of a chain are cited directly. Some facts have no name in the rule:
//!
//! - `require d in row(p) within X` rests on the row, and `… for some h in houses` on the house that satisfies the
//!   condition.
//! - Clusters and rings are bound as sets of candidates, so they rest on the houses of their links.
//! - A candidate that occurs in no combination of some cells rests on [`blocking_sets`]: every combination with the
//!   candidate would leave a set of cells fewer digits than cells.
//! - A candidate that occurs in no placement of its digit on the board rests on all houses.

use super::build::chain_of;
use super::step::{CitedLink, Cites, chain_pairs};
use super::view::MatchContext;
use crate::engine::{ChainNode, ChainStep, SourceMatch, Value};
use crate::eval::Evaluator;
use crate::grid::{Candidate, Cell, Digit, Geometry, HouseId, State};
use crate::lang::ir::{Condition, Expr, Kind, Node, Statement, VarId, Variant};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
struct Citations {
    cells: BTreeSet<Cell>,
    houses: BTreeSet<HouseId>,
    links: Vec<CitedLink>,
}

pub(super) fn cites_of(contexts: &[MatchContext], state: &State) -> Cites {
    let mut cites = Citations::default();
    for context in contexts {
        context.rule_match.bindings.iter().flatten().for_each(|value| cites.add_value(context, state, value));
        cites.add_chain(context.grid, state, &chain_of(context));
        // The values of a match in a view are houses of the view's board, not houses of the grid.
        if context.is_on_grid() {
            cites.add_houses_of_candidate_sets(context, state);
            cites.add_unnamed_facts(context);
        }
    }
    cites.finish(state)
}

/// Returns the citations of a chain under a supposition. `state` is the position before the supposition, in which the
/// links hold.
pub(super) fn cites_of_chain(chain: &[ChainStep], geometry: &Geometry, state: &State) -> Cites {
    let mut cites = Citations::default();
    cites.add_chain(geometry, state, chain);
    cites.finish(state)
}

impl Citations {
    fn finish(mut self, state: &State) -> Cites {
        self.houses.extend(self.links.iter().filter(|link| link.strong).filter_map(|link| link.house));
        Cites {
            cells: self.cells.into_iter().map(|cell| (cell, state.candidates(cell))).collect(),
            houses: self.houses.into_iter().collect(),
            links: self.links,
        }
    }

    fn add_chain(&mut self, grid: &Geometry, state: &State, chain: &[ChainStep]) {
        self.cells.extend(chain.iter().flat_map(|step| &step.node.cells));
        for source_match in chain.iter().filter_map(|step| step.source_match.as_ref()) {
            self.cells.extend(&source_match.cells);
            self.houses.extend(&source_match.houses);
        }
        for (from, to) in chain_pairs(chain) {
            let a = &from.node;
            let b = &to.node;
            let same_digit = a.digit == b.digit;
            let same_cells = a.cells == b.cells;
            let house = if same_digit && !same_cells { shared_house(grid, state, a, b, to.strong) } else { None };
            let is_in_one_cell_or_house = if same_digit { house.is_some() } else { same_cells };
            if let Some(source_match) = &to.source_match
                && !(is_in_one_cell_or_house && has_only_ends(source_match, a, b))
            {
                // The link follows from the cells and houses of its source, which are cited above.
                continue;
            }
            let link = CitedLink { from: a.clone(), to: b.clone(), strong: to.strong, house };
            if !self.links.contains(&link) {
                self.links.push(link);
            }
        }
    }

    fn add_value(&mut self, context: &MatchContext, state: &State, value: &Value) {
        if !context.is_on_grid() {
            let (houses, cells) = context.lens.citations(value, context.grid, state);
            self.houses.extend(houses);
            self.cells.extend(cells);
            return;
        }
        match value {
            Value::Cells(bound) => self.cells.extend(bound),
            Value::Houses(bound) => self.houses.extend(bound),
            Value::Candidates(bound) => self.cells.extend(bound.iter().map(|candidate| candidate.cell)),
            Value::Family(bound) => self.cells.extend(bound.iter().flat_map(|(_, cells)| cells)),
            Value::Digits(_) | Value::Number(_) | Value::Places(_) => {}
        }
    }

    /// Adds the houses of the links of clusters and rings: houses in which all places of a digit, at least two, are
    /// bound candidates.
    fn add_houses_of_candidate_sets(&mut self, context: &MatchContext, state: &State) {
        if !context.rule_match.chain.is_empty() {
            return;
        }
        let mut bound_cells: BTreeMap<Digit, BTreeSet<Cell>> = BTreeMap::new();
        for value in context.rule_match.bindings.iter().flatten() {
            let Value::Candidates(candidates) = value else { continue };
            for candidate in candidates {
                bound_cells.entry(candidate.digit).or_default().insert(candidate.cell);
            }
        }
        for (&digit, cells) in &bound_cells {
            for (index, house) in context.grid.houses().iter().enumerate() {
                let mut places = house.cells.iter().filter(|&&cell| state.candidates(cell).has(digit));
                if places.clone().count() > 1 && places.all(|cell| cells.contains(cell)) {
                    self.houses.insert(HouseId(index as u16));
                }
            }
        }
    }

    fn add_unnamed_facts(&mut self, context: &MatchContext) {
        for statement in &context.variant.body {
            let conditions = match statement {
                Statement::Require(condition) => std::slice::from_ref(condition),
                Statement::Choose(choose) => &choose.such_that[..],
                _ => continue,
            };
            conditions.iter().for_each(|condition| self.add_condition(context, condition));
        }
        for conclusion in &context.variant.conclusions {
            self.add_combinations(context, &conclusion.claim.candidates());
        }
    }

    fn add_condition(&mut self, context: &MatchContext, condition: &Condition) {
        self.add_houses_of_limited_places(context, condition);
        if Node::Condition(condition).has(
            &|part| matches!(part, Node::Condition(Condition::Exists(name, ..)) if is_house(context.variant, *name)),
        ) {
            self.add_witness_houses(context.variant, &context.evaluator(), condition);
        }
    }

    /// Adds a witness for each `for some h in houses` inside a condition: the first house that satisfies the `for some`.
    /// Inside a `for all`, adds a witness for each iteration.
    fn add_witness_houses(&mut self, variant: &Variant, evaluator: &Evaluator<'_>, condition: &Condition) {
        match condition {
            Condition::ForAll(variable, range, part) => {
                let iterations = evaluator.for_each_member(*variable, range);
                iterations.iter().for_each(|iteration| self.add_witness_houses(variant, iteration, part));
            }
            Condition::And(parts) => parts.iter().for_each(|part| self.add_witness_houses(variant, evaluator, part)),
            Condition::Or(parts) => {
                if let Some(part) = parts.iter().find(|part| evaluator.holds(part)) {
                    self.add_witness_houses(variant, evaluator, part);
                }
            }
            Condition::Exists(variable, range, part) => {
                let iterations = evaluator.for_each_member(*variable, range);
                let Some(witness) = iterations.into_iter().find(|iteration| iteration.holds(part)) else { return };
                if holds_without(&witness, part, &mut vec![*variable]) {
                    return;
                }
                if is_house(variant, *variable)
                    && let Value::Houses(houses) = witness.value(&Expr::Var(*variable))
                {
                    self.houses.extend(houses);
                }
                self.add_witness_houses(variant, &witness, part);
            }
            _ => {}
        }
    }

    /// Adds the houses in `d in row(p) within …`: the condition limits the places of digits in these houses.
    fn add_houses_of_limited_places(&mut self, context: &MatchContext, condition: &Condition) {
        match condition {
            Condition::ForAll(_, _, part) => self.add_houses_of_limited_places(context, part),
            Condition::And(parts) => parts.iter().for_each(|part| self.add_houses_of_limited_places(context, part)),
            Condition::Within(Expr::CellsOf(subject), _) => self.add_houses_of_places(context, subject),
            Condition::Within(subject, _) => self.add_houses_of_places(context, subject),
            _ => {}
        }
    }

    /// Adds the houses that occur in X of `d in X`, except houses that depend on a name without a value.
    fn add_houses_of_places(&mut self, context: &MatchContext, subject: &Expr) {
        let Expr::CandidatesIn(_, places) = subject else { return };
        Node::Expr(places).walk(&mut |node| {
            if let Node::Expr(expr @ Expr::HousesOf(_, of)) = node {
                let is_bound =
                    of.names().iter().all(|name| context.rule_match.bindings.get(name.0).is_some_and(Option::is_some));
                if is_bound && let Value::Houses(houses) = context.value(expr) {
                    self.houses.extend(houses);
                }
            }
            // Conditions inside are not visited.
            matches!(node, Node::Expr(_))
        });
    }

    /// Adds the citations of `in_no_template(d)`, `in_every_template(d)` and `in_no_combination(s)`. Templates belong
    /// to digits, combinations to cells.
    fn add_combinations(&mut self, context: &MatchContext, expression: &Expr) {
        Node::Expr(expression).walk(&mut |node| {
            if let Node::Expr(Expr::InNoTemplate(of) | Expr::InEveryTemplate(of)) = node {
                match context.value(of) {
                    Value::Cells(filled) => {
                        let eliminated = &context.rule_match.eliminations;
                        self.cells.extend(blocking_sets(&context.evaluator(), &filled, eliminated));
                    }
                    _ => self.houses.extend((0..context.grid.houses().len()).map(|house| HouseId(house as u16))),
                }
            }
            // Conditions inside are not visited.
            matches!(node, Node::Expr(_))
        });
    }
}

/// Returns true if the match of a link source has no cells besides those of the two nodes that it links.
fn has_only_ends(source_match: &SourceMatch, a: &ChainNode, b: &ChainNode) -> bool {
    source_match.cells.iter().all(|cell| a.cells.contains(cell) || b.cells.contains(cell))
}

/// Returns the first house that contains all cells of both nodes. For a strong link, the digit must have no other place in
/// the house.
fn shared_house(grid: &Geometry, state: &State, a: &ChainNode, b: &ChainNode, strong: bool) -> Option<HouseId> {
    let ends: Vec<Cell> = a.cells.iter().chain(&b.cells).copied().collect();
    grid.houses_of(*a.cells.first()?).iter().copied().find(|house| {
        let mut cells = grid.house(*house).cells.iter();
        ends.iter().all(|cell| grid.houses_of(*cell).contains(house))
            && !(strong && cells.any(|cell| state.has(Candidate::new(a.digit, *cell)) && !ends.contains(cell)))
    })
}

fn is_house(variant: &Variant, name: VarId) -> bool {
    matches!(variant.var(name).kind, Kind::House(..))
}

/// Returns true if a condition holds for all values of `names`. An `or` holds for all values if a branch without these
/// names holds.
fn holds_without(evaluator: &Evaluator<'_>, condition: &Condition, names: &mut Vec<VarId>) -> bool {
    match condition {
        Condition::ForAll(name, _, part) => {
            names.push(*name);
            holds_without(evaluator, part, names)
        }
        Condition::Or(parts) => parts.iter().any(|part| holds_without(evaluator, part, names)),
        other => !other.free_names().iter().any(|name| names.contains(name)) && evaluator.holds(other),
    }
}

/// Returns the cells of sets that forbid every combination of `cells` that contains a candidate of `eliminated`.
/// Prefers sets that are used already, then small sets.
fn blocking_sets(evaluator: &Evaluator<'_>, cells: &[Cell], eliminated: &[Candidate]) -> BTreeSet<Cell> {
    let mut sets: Vec<Vec<Cell>> = evaluator.locked_sets(cells.len()).into_iter().collect();
    sets.sort_by_key(Vec::len);
    let mut used: Vec<&Vec<Cell>> = Vec::new();
    evaluator.each_combination(&evaluator.unsolved(cells.iter().copied()), &mut Vec::new(), &mut |combination| {
        let has_eliminated = combination.iter().any(|candidate| eliminated.contains(candidate));
        if has_eliminated && used.iter().all(|set| evaluator.keeps_enough_digits(set, combination)) {
            used.extend(sets.iter().find(|set| !evaluator.keeps_enough_digits(set, combination)));
        }
    });
    used.into_iter().flatten().copied().collect()
}
