//! What a step rests on that no name of its rule stands for. In: a match seen through its rule. Out: houses and cells.
//!
//! `require d in row(p) within X` is a fact of the row, although the rule has no name for it; `… for some h in houses` is one of the
//! house that fits. What is in no way to fill
//! cells rests on the sets around them, which would lose too many digits; what is in no way to place digits on all houses.

use super::around::blocking;
use super::view::View;
use crate::engine::Value;
use crate::eval::Evaluator;
use crate::grid::{Cell, HouseId, State};
use crate::lang::ir::{Condition, Expr, Kind, Statement, VarId};
use std::collections::BTreeSet;

/// Adds them; a view of rows and columns speaks of other houses.
pub(super) fn cite(view: &View, state: &State, cells: &mut BTreeSet<Cell>, houses: &mut BTreeSet<HouseId>) {
    if !view.lens.is_plain() {
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
        filled(view, state, &conclusion.claim.noun(), cells, houses);
    }
}

fn in_condition(view: &View, condition: &Condition, houses: &mut BTreeSet<HouseId>) {
    whole_houses(view, condition, houses);
    let chooses_house = |part: &Condition| matches!(part, Condition::Exists(name, ..) if is_house(view, *name));
    if condition.any(&chooses_house) {
        some_house(view, &view.evaluator(), condition, houses);
    }
}

fn is_house(view: &View, name: VarId) -> bool {
    matches!(view.variant.var(name).kind, Kind::House(..))
}

/// The first house that fits where a condition demands some house, for each value of the names around it.
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

/// Returns true if a condition holds by an alternative that mentions none of some running names.
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

/// The houses of which it is said where digits can go.
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
        let mut names = Vec::new();
        of.names(&mut names);
        let known = names.iter().all(|name| view.found.bindings.get(name.0).is_some_and(Option::is_some));
        if let (true, Value::Houses(found)) = (known, view.value(expr)) {
            houses.extend(found);
        }
    }
    expr.children().into_iter().for_each(|child| houses_in(view, child, houses));
}

/// What combinations and templates rest on.
fn filled(view: &View, state: &State, noun: &Expr, cells: &mut BTreeSet<Cell>, houses: &mut BTreeSet<HouseId>) {
    if let Expr::InNone(of) | Expr::InEvery(of) = noun {
        match view.value(of) {
            Value::Cells(filled) => {
                cells.extend(blocking(view.grid, state, &filled, &view.found.eliminations));
            }
            _ => houses.extend((0..view.grid.houses().len()).map(|house| HouseId(house as u16))),
        }
    }
    noun.children().into_iter().for_each(|child| filled(view, state, child, cells, houses));
}
