//! Citations: the facts that a step rests on. In: the matches of a step seen through their rule, or the chain of a case. Out: [`Cites`].
//!
//! Values of names and the links of a chain are cited as they are. No name stands for these facts:
//!
//! - `require d in row(p) within X` rests on the row, and `… for some h in houses` on the house that fits.
//! - Clusters and rings are bound as sets of candidates, so they rest on the houses that join them.
//! - A candidate that occurs in no combination of some cells rests on sets around these cells: every combination with it would leave one of
//!   them fewer digits than cells ([`blocking_sets`]).
//! - A candidate that occurs in no placement of its digit rests on all houses.

use super::build::chain_of;
use super::step::{CitedLink, Cites, chain_pairs};
use super::view::MatchView;
use crate::engine::{ChainNode, ChainStep, Value};
use crate::eval::Evaluator;
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State};
use crate::lang::ir::{Condition, Expr, Kind, Node, Statement, VarId, Variant};
use std::collections::{BTreeMap, BTreeSet};

/// Citations that are being collected.
#[derive(Default)]
struct Citations {
    cells: BTreeSet<Cell>,
    houses: BTreeSet<HouseId>,
    links: Vec<CitedLink>,
}

/// Returns the citations of all parts of a step together.
pub(super) fn cites_of(views: &[MatchView], state: &State) -> Cites {
    let mut cites = Citations::default();
    for view in views {
        view.found.bindings.iter().flatten().for_each(|value| cites.add_value(view, state, value));
        cites.add_chain(view.grid, state, &chain_of(view));
        // The houses of a view are not those of the grid.
        if view.lens.is_grid() {
            cites.add_candidate_sets(view, state);
            cites.add_implicit(view, state);
        }
    }
    cites.finish(state)
}

/// Returns the citations of a chain under a supposition. Its links hold in the position of the supposition, whatever was inferred before.
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

    /// Adds the cells, houses and links that a chain rests on.
    fn add_chain(&mut self, grid: &Geometry, state: &State, chain: &[ChainStep]) {
        self.cells.extend(chain.iter().flat_map(|step| &step.node.cells));
        for via in chain.iter().filter_map(|step| step.via.as_ref()) {
            self.cells.extend(&via.cells);
            self.houses.extend(&via.houses);
        }
        for (from, to) in chain_pairs(chain) {
            let (a, b) = (&from.node, &to.node);
            let (same_digit, same_cells) = (a.digit == b.digit, a.cells == b.cells);
            let house = if same_digit && !same_cells { shared_house(grid, state, a, b, to.strong) } else { None };
            if let Some(via) = &to.via {
                let only_ends = via.cells.iter().all(|cell| a.cells.contains(cell) || b.cells.contains(cell));
                // A link that rests on further cells or houses follows from these, which are cited already.
                if !same_digit && !same_cells || same_digit && house.is_none() || !only_ends {
                    continue;
                }
            }
            let link = CitedLink { from: a.clone(), to: b.clone(), strong: to.strong, house };
            if !self.links.contains(&link) {
                self.links.push(link);
            }
        }
    }

    /// Adds the cells and houses of a name's value.
    fn add_value(&mut self, view: &MatchView, state: &State, value: &Value) {
        if !view.lens.is_grid() {
            let (houses, cells) = view.lens.cited(value, view.grid, state);
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

    /// Adds the houses that join clusters and rings: those in which a digit has no place outside.
    fn add_candidate_sets(&mut self, view: &MatchView, state: &State) {
        if !view.found.chain.is_empty() {
            return;
        }
        let mut bound: BTreeMap<Digit, BTreeSet<Cell>> = BTreeMap::new();
        for value in view.found.bindings.iter().flatten() {
            let Value::Candidates(list) = value else { continue };
            for one in list {
                bound.entry(one.digit).or_default().insert(one.cell);
            }
        }
        for (&digit, cells) in &bound {
            for (number, house) in view.grid.houses().iter().enumerate() {
                let mut places = house.cells.iter().filter(|&&cell| state.candidates(cell).has(digit));
                if places.clone().count() > 1 && places.all(|cell| cells.contains(cell)) {
                    self.houses.insert(HouseId(number as u16));
                }
            }
        }
    }

    /// Adds facts that no name of the rule stands for.
    fn add_implicit(&mut self, view: &MatchView, state: &State) {
        for statement in &view.variant.body {
            let conditions = match statement {
                Statement::Require(condition) => std::slice::from_ref(condition),
                Statement::Choose(choose) => &choose.such_that[..],
                _ => continue,
            };
            conditions.iter().for_each(|condition| self.add_condition(view, condition));
        }
        for conclusion in &view.variant.conclusions {
            self.add_combinations(view, state, &conclusion.claim.candidates());
        }
    }

    fn add_condition(&mut self, view: &MatchView, condition: &Condition) {
        self.add_whole_houses(view, condition);
        if Node::Condition(condition)
            .has(&|part| matches!(part, Node::Condition(Condition::Exists(name, ..)) if is_house(view.variant, *name)))
        {
            self.add_fitting_house(view.variant, &view.evaluator(), condition);
        }
    }

    /// Adds the first house that satisfies a condition about some house, for each value of the names around it.
    fn add_fitting_house(&mut self, variant: &Variant, evaluator: &Evaluator<'_>, condition: &Condition) {
        match condition {
            Condition::ForAll(name, of, part) => {
                evaluator
                    .for_each_member(*name, of)
                    .iter()
                    .for_each(|with| self.add_fitting_house(variant, with, part));
            }
            Condition::And(parts) => parts.iter().for_each(|part| self.add_fitting_house(variant, evaluator, part)),
            Condition::Or(parts) => {
                let part = parts.iter().find(|part| evaluator.holds(part));
                part.into_iter().for_each(|part| self.add_fitting_house(variant, evaluator, part));
            }
            Condition::Exists(name, of, part) => {
                let fitting = evaluator.for_each_member(*name, of).into_iter().find(|with| with.holds(part));
                let Some(with) = fitting.filter(|with| !holds_without(with, part, &mut vec![*name])) else { return };
                if let (true, Value::Houses(found)) = (is_house(variant, *name), with.value(&Expr::Var(*name))) {
                    self.houses.extend(found);
                }
                self.add_fitting_house(variant, &with, part);
            }
            _ => {}
        }
    }

    /// Adds the houses that a condition restricts the places of digits in.
    fn add_whole_houses(&mut self, view: &MatchView, condition: &Condition) {
        match condition {
            Condition::ForAll(_, _, part) => self.add_whole_houses(view, part),
            Condition::And(parts) => parts.iter().for_each(|part| self.add_whole_houses(view, part)),
            Condition::Within(Expr::UnsolvedCells(noun), _) => self.add_houses_of_places(view, noun),
            Condition::Within(noun, _) => self.add_houses_of_places(view, noun),
            _ => {}
        }
    }

    /// Adds the houses that `d in …` names.
    fn add_houses_of_places(&mut self, view: &MatchView, noun: &Expr) {
        let Expr::In(_, places) = noun else { return };
        Node::Expr(places).walk(&mut |node| {
            if let Node::Expr(expr @ Expr::HousesOf(_, of)) = node {
                let is_bound =
                    of.names().iter().all(|name| view.found.bindings.get(name.0).is_some_and(Option::is_some));
                if let (true, Value::Houses(found)) = (is_bound, view.value(expr)) {
                    self.houses.extend(found);
                }
            }
            matches!(node, Node::Expr(_))
        });
    }

    /// Adds the citations of combinations (`in no way to fill`) and of placements of digits.
    fn add_combinations(&mut self, view: &MatchView, state: &State, noun: &Expr) {
        Node::Expr(noun).walk(&mut |node| {
            if let Node::Expr(Expr::InNoTemplate(of) | Expr::InEveryTemplate(of)) = node {
                match view.value(of) {
                    Value::Cells(filled) => {
                        self.cells.extend(blocking_sets(view.grid, state, &filled, &view.found.eliminations));
                    }
                    _ => self.houses.extend((0..view.grid.houses().len()).map(|house| HouseId(house as u16))),
                }
            }
            matches!(node, Node::Expr(_))
        });
    }
}

/// Returns the first house that contains all cells of both nodes; for a strong link, the first in which the digit has no other place.
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

/// Returns true if a condition holds by an alternative that mentions none of `names`.
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

/// The most cells of a blocking set.
const LARGEST_SET: usize = 4;

/// Unsolved cells of one house, and their digits.
struct BlockingSet {
    cells: Vec<Cell>,
    digits: DigitSet,
}

/// Returns the cells of sets that forbid every combination of `cells` with a candidate of `eliminated`. Prefers sets that are used already,
/// then small ones.
fn blocking_sets(grid: &Geometry, state: &State, cells: &[Cell], eliminated: &[Candidate]) -> BTreeSet<Cell> {
    let mut sets: Vec<BlockingSet> = Vec::new();
    for house in grid.houses() {
        let open: Vec<Cell> = house.cells.iter().copied().filter(|&cell| state.value(cell).is_none()).collect();
        grow(state, &open, cells.len(), &mut Vec::new(), DigitSet::EMPTY, &mut sets);
    }
    sets.sort_by(|a, b| (a.cells.len(), &a.cells).cmp(&(b.cells.len(), &b.cells)));
    let mut taken: Vec<&BlockingSet> = Vec::new();
    for filling in combinations(grid, state, cells) {
        let is_eliminated = filling.iter().any(|one| eliminated.contains(one));
        if is_eliminated && !taken.iter().any(|set| set.blocks(grid, state, &filling)) {
            taken.extend(sets.iter().find(|set| set.blocks(grid, state, &filling)));
        }
    }
    taken.iter().flat_map(|set| set.cells.iter().copied()).collect()
}

impl BlockingSet {
    /// Returns true if a combination leaves the set fewer digits than it has cells.
    fn blocks(&self, grid: &Geometry, state: &State, filling: &[Candidate]) -> bool {
        let mut left = self.digits;
        for one in filling.iter().filter(|one| self.digits.has(one.digit)) {
            let mut holders = self.cells.iter().filter(|&&cell| state.candidates(cell).has(one.digit));
            if holders.all(|cell| grid.peers(one.cell).contains(cell)) {
                left.remove(one.digit);
            }
        }
        left.len() < self.cells.len()
    }
}

/// Adds all sets that extend `chosen` by cells of `rest` and have fewer surplus digits than there are cells to fill.
fn grow(
    state: &State,
    rest: &[Cell],
    fill: usize,
    chosen: &mut Vec<Cell>,
    digits: DigitSet,
    sets: &mut Vec<BlockingSet>,
) {
    for (at, &cell) in rest.iter().enumerate() {
        let more = digits | state.candidates(cell);
        chosen.push(cell);
        if (chosen.len()..chosen.len() + fill).contains(&more.len()) {
            sets.push(BlockingSet { cells: chosen.clone(), digits: more });
        }
        if chosen.len() < LARGEST_SET && more.len() < LARGEST_SET + fill {
            grow(state, &rest[at + 1..], fill, chosen, more, sets);
        }
        chosen.pop();
    }
}

/// Returns all combinations of candidates of the unsolved cells in which no two exclude each other.
fn combinations(grid: &Geometry, state: &State, cells: &[Cell]) -> Vec<Vec<Candidate>> {
    let mut combinations: Vec<Vec<Candidate>> = vec![Vec::new()];
    for &cell in cells.iter().filter(|&&cell| state.value(cell).is_none()) {
        let here: Vec<Candidate> = state.candidates(cell).iter().map(|digit| Candidate::new(digit, cell)).collect();
        combinations = combinations
            .iter()
            .flat_map(|filling| here.iter().map(move |one| (filling, one)))
            .filter(|(filling, one)| !filling.iter().any(|other| grid.excludes(*other, **one)))
            .map(|(filling, one)| filling.iter().copied().chain([*one]).collect())
            .collect();
    }
    combinations
}
