//! Bounds on names, derived from the conditions of a rule.
//!
//! In: conditions, and the names that have values. Out: data in terms of the rule, independent of any board or state.
//!
//! - [`RuleFacts`]: declarations and constants of a rule.
//! - [`count`]: the least and the greatest number of members of a set.
//! - [`narrow`]: restrictions of the domain from which a name is chosen.

mod count;
mod narrow;

pub(super) use count::{CountClaim, NO_LIMIT};
pub(super) use narrow::{EstimatedNarrowing, Narrowing, narrowings};

use crate::lang::ir::{Choose, Expr, HouseClass, Kind, Origin, VarId, VarShape, Variant};

/// A variant and the values of its parameters.
#[derive(Clone, Copy)]
pub(crate) struct RuleFacts<'a> {
    pub variant: &'a Variant,
    pub args: &'a [u32],
}

impl<'a> RuleFacts<'a> {
    /// Returns the value of a number that consists of constants and parameters.
    pub fn constant(self, expr: &Expr) -> Option<i64> {
        expr.constant(self.args)
    }

    /// Returns the statement that chooses a name.
    pub fn choice(self, var: VarId) -> Option<&'a Choose> {
        self.variant.choice(var)
    }

    /// Returns true if the expression is the name of a single cell, digit, house or candidate.
    pub fn is_single_name(self, expr: &Expr) -> bool {
        let Expr::Var(name) = expr else { return false };
        let var = self.variant.var(*name);
        var.shape == VarShape::Single && var.origin != Origin::Let
    }

    /// Returns true if the name is a set that may be empty.
    pub fn may_be_empty(self, var: VarId) -> bool {
        if self.variant.var(var).shape == VarShape::Single {
            return false;
        }
        let least = self.choice(var).and_then(|choose| self.constant(&choose.size.as_ref()?.0));
        least.is_none_or(|least| least <= 0)
    }

    /// Returns true if the expression is a set of houses that may be empty. A set of boxes may always be empty, because
    /// not every board has boxes.
    pub fn may_be_no_house(self, expr: &Expr) -> bool {
        match expr {
            Expr::Var(var) => matches!(self.variant.var(*var).kind, Kind::House(_)) && self.may_be_empty(*var),
            Expr::AllHouses(class) => *class == HouseClass::Box,
            Expr::HousesOf(class, cells) => *class == HouseClass::Box || !self.is_single_name(cells),
            // Even if `a` has a house, the result may have none.
            Expr::Intersection(a, _) | Expr::Difference(a, _) | Expr::Filter { set: a, .. } => self.are_houses(a),
            Expr::Union(parts) => parts.iter().all(|part| self.may_be_no_house(part)),
            _ => false,
        }
    }

    fn are_houses(self, expr: &Expr) -> bool {
        match expr {
            Expr::Var(var) => matches!(self.variant.var(*var).kind, Kind::House(_)),
            Expr::AllHouses(_) | Expr::HousesOf(..) => true,
            Expr::Intersection(a, _) | Expr::Difference(a, _) | Expr::Filter { set: a, .. } => self.are_houses(a),
            Expr::Union(parts) => parts.first().is_some_and(|part| self.are_houses(part)),
            _ => false,
        }
    }
}
