//! Domains of families and of almost locked sets. In: the values so far. Out: every choice of a member for each index, and
//! every set of unsolved cells of one house.

use super::{Naive, subsets};
use pinion::engine::{FamilyIndex, Value};
use pinion::eval::Evaluator;
use pinion::eval::elements::{Element, cells_in, elements};
use pinion::grid::{Cell, DigitSet};
use pinion::lang::ir::{Choose, Condition, Expr, Kind};
use std::collections::BTreeSet;

impl Naive<'_> {
    /// Every family, one after the other.
    pub(super) fn families(&self, now: &Evaluator<'_>, choose: &Choose, visit: &mut dyn FnMut(Value)) {
        let Some((_, of)) = &choose.for_each else { return };
        let index = |thing| match thing {
            Element::Digit(digit) => Some(FamilyIndex::Digit(digit)),
            Element::Cell(cell) => Some(FamilyIndex::Cell(cell)),
            _ => None,
        };
        let indices: Vec<FamilyIndex> = elements(&now.value(of)).into_iter().filter_map(index).collect();
        let members: Vec<Vec<Cell>> = match choose.size {
            Some(_) => self.locked_sets(now, choose),
            None => cells_in(&self.all_of(now, Kind::Cell)).into_iter().map(|cell| vec![cell]).collect(),
        };
        self.each_family(now, choose, &indices, &members, &mut Vec::new(), visit);
    }

    /// Every way to choose a member for each index; single cells are all different. The relations of the choice that
    /// can be tested are tested for each member.
    fn each_family(
        &self,
        now: &Evaluator<'_>,
        choose: &Choose,
        indices: &[FamilyIndex],
        all: &[Vec<Cell>],
        members: &mut Vec<(FamilyIndex, Vec<Cell>)>,
        visit: &mut dyn FnMut(Value),
    ) {
        let Some((index, rest)) = indices.split_first() else {
            return visit(Value::Family(members.clone()));
        };
        for member in all {
            if choose.size.is_none() && members.iter().any(|(_, other)| other == member) {
                continue;
            }
            members.push((*index, member.clone()));
            if self.tries() && self.member_fits(now, choose, *index, members) {
                self.each_family(now, choose, rest, all, members, visit);
            }
            members.pop();
        }
    }

    fn member_fits(
        &self,
        now: &Evaluator<'_>,
        choose: &Choose,
        index: FamilyIndex,
        members: &[(FamilyIndex, Vec<Cell>)],
    ) -> bool {
        let Some((name, _)) = &choose.for_each else { return true };
        let single = match index {
            FamilyIndex::Digit(digit) => Value::Digits(DigitSet::single(digit)),
            FamilyIndex::Cell(cell) => Value::Cells(vec![cell]),
        };
        let with = now.with_value(choose.var, Value::Family(members.to_vec())).with_value(*name, single);
        // The union of all members is not known yet, so only what speaks of this member can be tested.
        let speaks_of_all = |part: &Condition| uses_whole(part, choose.var);
        let mut ready =
            choose.such_that.iter().filter(|part| !speaks_of_all(part) && self.all_bound(&with, &part.free_names()));
        ready.all(|part| with.holds(part))
    }

    /// Every set of unsolved cells of one house, of the sizes that the choice allows, each once.
    pub(super) fn locked_sets(&self, now: &Evaluator<'_>, choose: &Choose) -> Vec<Vec<Cell>> {
        let Some((low, high)) = &choose.size else { return Vec::new() };
        let low = now.number(low).max(1) as usize;
        let over = choose.such_that.iter().find_map(|part| match part {
            Condition::AlmostLocked(_, over) => Some(*over),
            _ => None,
        });
        let mut sets = BTreeSet::new();
        for house in now.unsolved_by_house() {
            let house: Vec<Element> = house.into_iter().map(Element::Cell).collect();
            let high = high.as_ref().map_or(house.len(), |high| now.number(high).max(0) as usize);
            for size in low..=high.min(house.len()) {
                subsets(&house, size, &mut Vec::new(), &mut |members| {
                    let cells = cells_in(&members.iter().copied().collect());
                    if over.is_none_or(|over| now.is_almost_locked(&cells, over)) {
                        sets.insert(cells);
                    }
                });
            }
        }
        sets.into_iter().collect()
    }
}

/// Returns true if almost locked sets are chosen.
pub(super) fn is_almost_locked(choose: &Choose) -> bool {
    choose.for_each.is_none() && choose.such_that.iter().any(|part| matches!(part, Condition::AlmostLocked(..)))
}

/// Returns true if a condition uses a family as a whole rather than one member of it.
fn uses_whole(condition: &Condition, family: pinion::lang::ir::VarId) -> bool {
    fn in_expr(expr: &Expr, family: pinion::lang::ir::VarId) -> bool {
        *expr == Expr::Var(family) || expr.children().into_iter().any(|child| in_expr(child, family))
    }
    let named = matches!(condition, Condition::Exactly(_, names) if names.contains(&family));
    named
        || condition.exprs().into_iter().any(|expr| in_expr(expr, family))
        || condition.parts().into_iter().any(|part| uses_whole(part, family))
}
