//! What a step rests on that no name of its rule stands for. In: a match seen through its rule. Out: houses and cells.
//!
//! `require d in row(p) within X` is a fact of the row, although the rule has no name for it. What is in no way to fill
//! cells rests on the sets around them, which would lose too many digits; what is in no way to place digits on all houses.

use super::around::blocking;
use super::view::View;
use crate::engine::Value;
use crate::grid::{Cell, HouseId, State};
use crate::lang::ir::{Condition, Expr, Statement};
use std::collections::BTreeSet;

/// Adds them; a view of rows and columns speaks of other houses.
pub(super) fn cite(view: &View, state: &State, cells: &mut BTreeSet<Cell>, houses: &mut BTreeSet<HouseId>) {
    if !view.lens.is_plain() {
        return;
    }
    for statement in &view.variant.body {
        match statement {
            Statement::Require(condition) => whole_houses(view, condition, houses),
            Statement::Choose(choose) => {
                choose.such_that.iter().for_each(|condition| whole_houses(view, condition, houses));
            }
            _ => {}
        }
    }
    for conclusion in &view.variant.conclusions {
        filled(view, state, &conclusion.claim.noun(), cells, houses);
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
