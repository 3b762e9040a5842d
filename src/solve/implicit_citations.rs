//! Citations of facts that no name of the rule stands for. In: a match seen through its rule. Out: houses and cells.
//!
//! - `require d in row(p) within X` rests on the row, and `… for some h in houses` on the house that fits.
//! - A candidate that occurs in no combination of some cells rests on sets around these cells: every combination with it would leave one of
//!   them fewer digits than cells ([`blocking_sets`]).
//! - A candidate that occurs in no placement of its digit rests on all houses.

use super::view::View;
use crate::engine::Value;
use crate::eval::Evaluator;
use crate::grid::{Candidate, Cell, DigitSet, Geometry, HouseId, State};
use crate::lang::ir::{Condition, Expr, Kind, Node, Statement, VarId};
use std::collections::BTreeSet;

/// Adds the citations. A view of rows and columns has none, since its houses are not those of the grid.
pub(super) fn cite(view: &View, state: &State, cells: &mut BTreeSet<Cell>, houses: &mut BTreeSet<HouseId>) {
    if !view.lens.is_grid() {
        return;
    }
    for statement in &view.variant.body {
        match statement {
            Statement::Require(condition) => in_condition(view, condition, houses),
            Statement::Choose(choose) => {
                choose.such_that.iter().for_each(|condition| in_condition(view, condition, houses));
            }
            _ => {}
        }
    }
    for conclusion in &view.variant.conclusions {
        cite_combinations(view, state, &conclusion.claim.noun(), cells, houses);
    }
}

fn in_condition(view: &View, condition: &Condition, houses: &mut BTreeSet<HouseId>) {
    whole_houses(view, condition, houses);
    let chooses_house =
        |part: Node<'_>| matches!(part, Node::Condition(Condition::Exists(name, ..)) if is_house(view, *name));
    if Node::Condition(condition).has(&chooses_house) {
        some_house(view, &view.evaluator(), condition, houses);
    }
}

fn is_house(view: &View, name: VarId) -> bool {
    matches!(view.variant.var(name).kind, Kind::House(..))
}

/// Adds the first house that satisfies a condition about some house, for each value of the names around it.
fn some_house(view: &View, evaluator: &Evaluator<'_>, condition: &Condition, houses: &mut BTreeSet<HouseId>) {
    match condition {
        Condition::ForAll(name, of, part) => {
            evaluator.each(*name, of).iter().for_each(|with| some_house(view, with, part, houses));
        }
        Condition::And(parts) => parts.iter().for_each(|part| some_house(view, evaluator, part, houses)),
        Condition::Or(parts) => {
            let part = parts.iter().find(|part| evaluator.holds(part));
            part.into_iter().for_each(|part| some_house(view, evaluator, part, houses));
        }
        Condition::Exists(name, of, part) => {
            let fitting = evaluator.each(*name, of).into_iter().find(|with| with.holds(part));
            let Some(with) = fitting.filter(|with| !holds_without(with, part, &mut vec![*name])) else { return };
            if let (true, Value::Houses(found)) = (is_house(view, *name), with.value(&Expr::Var(*name))) {
                houses.extend(found);
            }
            some_house(view, &with, part, houses);
        }
        _ => {}
    }
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

/// Adds the houses that a condition restricts the places of digits in.
fn whole_houses(view: &View, condition: &Condition, houses: &mut BTreeSet<HouseId>) {
    match condition {
        Condition::ForAll(_, _, part) => whole_houses(view, part, houses),
        Condition::And(parts) => parts.iter().for_each(|part| whole_houses(view, part, houses)),
        Condition::Within(Expr::Cells(noun), _) => places(view, noun, houses),
        Condition::Within(noun, _) => places(view, noun, houses),
        _ => {}
    }
}

fn places(view: &View, noun: &Expr, houses: &mut BTreeSet<HouseId>) {
    if let Expr::In(_, places) = noun {
        houses_in(view, places, houses);
    }
}

fn houses_in(view: &View, expr: &Expr, houses: &mut BTreeSet<HouseId>) {
    if let Expr::HousesOf(_, of) = expr {
        let known = of.names().iter().all(|name| view.found.bindings.get(name.0).is_some_and(Option::is_some));
        if let (true, Value::Houses(found)) = (known, view.value(expr)) {
            houses.extend(found);
        }
    }
    expr.children().into_iter().for_each(|child| houses_in(view, child, houses));
}

/// Adds the citations of combinations (`in no way to fill`) and of placements of digits.
fn cite_combinations(
    view: &View,
    state: &State,
    noun: &Expr,
    cells: &mut BTreeSet<Cell>,
    houses: &mut BTreeSet<HouseId>,
) {
    if let Expr::InNone(of) | Expr::InEvery(of) = noun {
        match view.value(of) {
            Value::Cells(filled) => {
                cells.extend(blocking_sets(view.grid, state, &filled, &view.found.eliminations));
            }
            _ => houses.extend((0..view.grid.houses().len()).map(|house| HouseId(house as u16))),
        }
    }
    noun.children().into_iter().for_each(|child| cite_combinations(view, state, child, cells, houses));
}

/// The most cells of a blocking set.
const LARGEST_SET: usize = 4;

/// A set of cells of one house, and its digits.
struct HouseSet {
    cells: Vec<Cell>,
    digits: DigitSet,
}

/// Returns the cells of sets that forbid every combination of `cells` with a candidate of `eliminated`. Prefers sets that are used already,
/// then small ones.
fn blocking_sets(grid: &Geometry, state: &State, cells: &[Cell], eliminated: &[Candidate]) -> BTreeSet<Cell> {
    let mut sets: Vec<HouseSet> = Vec::new();
    for house in grid.houses() {
        let open: Vec<Cell> = house.cells.iter().copied().filter(|&cell| state.value(cell).is_none()).collect();
        grow(state, &open, cells.len(), &mut Vec::new(), DigitSet::EMPTY, &mut sets);
    }
    sets.sort_by(|a, b| (a.cells.len(), &a.cells).cmp(&(b.cells.len(), &b.cells)));
    let mut taken: Vec<&HouseSet> = Vec::new();
    for filling in combinations(grid, state, cells) {
        let is_eliminated = filling.iter().any(|one| eliminated.contains(one));
        if is_eliminated && !taken.iter().any(|set| is_short(grid, state, set, &filling)) {
            taken.extend(sets.iter().find(|set| is_short(grid, state, set, &filling)));
        }
    }
    taken.iter().flat_map(|set| set.cells.iter().copied()).collect()
}

/// Adds all sets that extend `chosen` by cells of `rest` and have fewer surplus digits than there are cells to fill.
fn grow(state: &State, rest: &[Cell], fill: usize, chosen: &mut Vec<Cell>, digits: DigitSet, sets: &mut Vec<HouseSet>) {
    for (at, &cell) in rest.iter().enumerate() {
        let more = digits | state.candidates(cell);
        chosen.push(cell);
        if (chosen.len()..chosen.len() + fill).contains(&more.len()) {
            sets.push(HouseSet { cells: chosen.clone(), digits: more });
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
        let mut longer = Vec::new();
        for filling in &combinations {
            for one in state.candidates(cell).iter().map(|digit| Candidate::new(digit, cell)) {
                let is_free = |other: &Candidate| other.digit != one.digit || !grid.peers(cell).contains(&other.cell);
                if filling.iter().all(is_free) {
                    longer.push(filling.iter().copied().chain([one]).collect());
                }
            }
        }
        combinations = longer;
    }
    combinations
}

/// Returns true if a combination leaves a set fewer digits than it has cells.
fn is_short(grid: &Geometry, state: &State, set: &HouseSet, filling: &[Candidate]) -> bool {
    let takes_digit = |one: &&Candidate| {
        let mut holders = set.cells.iter().filter(|&&cell| state.candidates(cell).has(one.digit)).peekable();
        holders.peek().is_some() && holders.all(|cell| grid.peers(one.cell).contains(cell))
    };
    let lost: DigitSet = filling.iter().filter(takes_digit).map(|one| one.digit).collect();
    set.digits.len() - lost.len() < set.cells.len()
}
