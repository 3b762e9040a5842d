//! Link sources that almost locked sets and houses go on by. In: a link source. Out: whether it is one.

use super::names::Names;
use crate::lang::ir::{Condition, Expr, LinkSource, VarId};

/// Whether a link is that of two digits of an almost locked set (one cell is one), or of the places of a digit in a house.
pub(super) fn is_plain(source: &LinkSource) -> bool {
    let LinkSource { left, right, pattern, .. } = source;
    let names = Names::of(pattern, &[]);
    let set = Expr::Var(left.cell);
    let inside = left.cell == right.cell
        && names.conditions.iter().any(|condition| match condition {
            Condition::AlmostLocked(of, 1) => *of == set,
            Condition::Exactly(Expr::Digits(of), digits) => {
                **of == set && digits.len() == 2 && digits.contains(&left.digit) && digits.contains(&right.digit)
            }
            _ => false,
        });
    let in_house = left.digit == right.digit
        && names.conditions.iter().any(|condition| match condition {
            Condition::Exactly(Expr::Cells(noun), cells) => {
                is_house(noun, left.digit)
                    && cells.len() == 2
                    && cells.contains(&left.cell)
                    && cells.contains(&right.cell)
            }
            Condition::Equal(noun, both) => {
                let parts = Expr::Union(vec![Expr::Var(left.cell), Expr::Var(right.cell)]);
                is_house(noun, left.digit) && *both == Expr::In(Box::new(Expr::Var(left.digit)), Box::new(parts))
            }
            _ => false,
        });
    pattern.guardians.is_empty() && (inside || in_house)
}

/// Whether a noun is a digit in a house.
fn is_house(noun: &Expr, digit: VarId) -> bool {
    let Expr::In(of, cells) = noun else { return false };
    let house = matches!(cells.as_ref(), Expr::CellsOf(house) if matches!(house.as_ref(), Expr::Var(_)));
    **of == Expr::Var(digit) && house
}
