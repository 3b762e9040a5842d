//! Lists the possible values of families and of almost locked sets.

use super::{Search, subsets};
use pinion::engine::{FamilyIndex, Value};
use pinion::eval::Evaluator;
use pinion::eval::elements::{Element, cells_in, elements};
use pinion::grid::{Cell, DigitSet};
use pinion::lang::ir::{Choose, Condition, Expr, Kind, PredicateId, VarId};
use std::collections::BTreeSet;

impl Search<'_> {
    /// Calls `visit` with each possible value of a family such as `pincer[d]: cell … for d in D`.
    pub(super) fn families(&self, evaluator: &Evaluator<'_>, choose: &Choose, visit: &mut dyn FnMut(Value)) {
        let Some((_, index_set)) = &choose.for_each else { return };
        let mut indices: Vec<FamilyIndex> = Vec::new();
        for element in elements(&evaluator.value(index_set)) {
            match element {
                Element::Digit(digit) => indices.push(FamilyIndex::Digit(digit)),
                Element::Cell(cell) => indices.push(FamilyIndex::Cell(cell)),
                Element::House(_) | Element::Candidate(_) => unreachable!("an index is a digit or a cell"),
            }
        }
        let possible_members: Vec<Vec<Cell>> = match choose.size {
            Some(_) => self.locked_sets(evaluator, choose),
            None => {
                let cells = cells_in(&self.elements_of_kind(evaluator, Kind::Cell));
                cells.into_iter().map(|cell| vec![cell]).collect()
            }
        };
        self.each_family(evaluator, choose, &indices, &possible_members, &mut Vec::new(), visit);
    }

    /// Extends `family` by a member for each of `indices` in every possible way, and calls `visit` with each result.
    ///
    /// Members that are single cells differ. A member that violates a condition is skipped at once.
    fn each_family(
        &self,
        evaluator: &Evaluator<'_>,
        choose: &Choose,
        indices: &[FamilyIndex],
        possible_members: &[Vec<Cell>],
        family: &mut Vec<(FamilyIndex, Vec<Cell>)>,
        visit: &mut dyn FnMut(Value),
    ) {
        let Some((index, later_indices)) = indices.split_first() else {
            return visit(Value::Family(family.clone()));
        };
        let has_single_cells = choose.size.is_none();
        for member in possible_members {
            if has_single_cells && family.iter().any(|(_, other)| other == member) {
                continue;
            }
            family.push((*index, member.clone()));
            if self.count_value() && self.last_member_fits(evaluator, choose, family) {
                self.each_family(evaluator, choose, later_indices, possible_members, family, visit);
            }
            family.pop();
        }
    }

    /// Returns false if the last member of an incomplete family violates a condition that can be tested already.
    fn last_member_fits(
        &self,
        evaluator: &Evaluator<'_>,
        choose: &Choose,
        family: &[(FamilyIndex, Vec<Cell>)],
    ) -> bool {
        let (Some((index_name, _)), Some((index, _))) = (&choose.for_each, family.last()) else { return true };
        let index_value = match *index {
            FamilyIndex::Digit(digit) => Value::Digits(DigitSet::single(digit)),
            FamilyIndex::Cell(cell) => Value::Cells(vec![cell]),
        };
        let extended =
            evaluator.with_value(choose.var, Value::Family(family.to_vec())).with_value(*index_name, index_value);
        for condition in &choose.such_that {
            // The family as a whole has no value yet.
            let is_testable =
                !uses_whole_family(condition, choose.var) && self.are_bound(&extended, &condition.free_names());
            if is_testable && !extended.holds(condition) {
                return false;
            }
        }
        true
    }

    /// Returns the sets of unsolved cells of one house that have an allowed size and the degree of the choice, each set once.
    pub(super) fn locked_sets(&self, evaluator: &Evaluator<'_>, choose: &Choose) -> Vec<Vec<Cell>> {
        let Some((low, high)) = &choose.size else { return Vec::new() };
        let low = evaluator.number(low).max(1) as usize;
        let degree = choose.such_that.iter().find_map(|condition| match condition {
            Condition::AlmostLocked(_, degree) => Some(*degree),
            _ => None,
        });
        let mut sets = BTreeSet::new();
        for house_cells in evaluator.unsolved_by_house() {
            let house_cells: Vec<Element> = house_cells.into_iter().map(Element::Cell).collect();
            let high = match high {
                Some(high) => evaluator.number(high).max(0) as usize,
                None => house_cells.len(),
            };
            for size in low..=high.min(house_cells.len()) {
                subsets(&house_cells, size, &mut Vec::new(), &mut |members| {
                    let cells = cells_in(&members.iter().copied().collect());
                    if degree.is_none_or(|degree| evaluator.is_almost_locked(&cells, degree)) {
                        sets.insert(cells);
                    }
                });
            }
        }
        sets.into_iter().collect()
    }
}

/// Returns true if a choice is one of almost locked sets.
pub(super) fn is_almost_locked(choose: &Choose) -> bool {
    choose.such_that.iter().any(|condition| matches!(condition, Condition::AlmostLocked(..)))
}

/// Returns true if a choice is one of groups: the unsolved cells that a box and a line share, or one unsolved cell.
pub(super) fn is_group(choose: &Choose) -> bool {
    choose.such_that.iter().any(|condition| matches!(condition, Condition::Predicate(PredicateId::Group, ..)))
}

/// Returns true if a condition uses a family as a whole, and not only one member of it.
fn uses_whole_family(condition: &Condition, family: VarId) -> bool {
    let names_family = matches!(condition, Condition::Exactly(_, names) if names.contains(&family));
    names_family
        || condition.exprs().into_iter().any(|expr| expr_uses_whole_family(expr, family))
        || condition.parts().into_iter().any(|part| uses_whole_family(part, family))
}

fn expr_uses_whole_family(expr: &Expr, family: VarId) -> bool {
    *expr == Expr::Var(family) || expr.children().into_iter().any(|child| expr_uses_whole_family(child, family))
}
