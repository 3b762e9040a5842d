//! The direct parts of expressions and conditions, and the replacement of expressions inside of them.

use super::{Condition, Expr, Node, VarId};

/// Defines functions that return the direct parts: one version for shared references, one for mutable references.
macro_rules! direct_parts {
    ($children:ident, $exprs:ident, $parts:ident, $iter:ident $(, $mutable:ident)?) => {
        impl Expr {
            /// Returns the direct subexpressions, without those in the condition of a filter.
            pub fn $children(&$($mutable)? self) -> Vec<&$($mutable)? Expr> {
                match self {
                    Expr::Union(parts) => parts.$iter().collect(),
                    Expr::Intersection(a, b)
                    | Expr::Difference(a, b)
                    | Expr::CandidatesIn(a, b)
                    | Expr::Add(a, b)
                    | Expr::Subtract(a, b)
                    | Expr::MaxOccurrences(a, b) => vec![a, b],
                    Expr::Digits(child)
                    | Expr::Values(child)
                    | Expr::HouseCells(child)
                    | Expr::CellsOf(child)
                    | Expr::HousesOf(_, child)
                    | Expr::Count(child)
                    | Expr::Overlap(child)
                    | Expr::InNoTemplate(child)
                    | Expr::InEveryTemplate(child)
                    | Expr::Filter { set: child, .. }
                    | Expr::Excluded { candidates: child, .. }
                    | Expr::Seeing { cells: child, .. } => vec![child],
                    Expr::Var(_)
                    | Expr::Member(..)
                    | Expr::AllDigits
                    | Expr::AllCells
                    | Expr::AllHouses(_)
                    | Expr::Number(_)
                    | Expr::Param(_) => Vec::new(),
                }
            }
        }

        impl Condition {
            /// Returns the direct expressions, without those of nested conditions.
            pub fn $exprs(&$($mutable)? self) -> Vec<&$($mutable)? Expr> {
                match self {
                    Condition::Compare(a, _, b)
                    | Condition::Equal(a, b)
                    | Condition::Within(a, b)
                    | Condition::Disjoint(a, b)
                    | Condition::Incident(a, _, b) => vec![a, b],
                    Condition::Exactly(set, _)
                    | Condition::NotEmpty(set)
                    | Condition::No(set)
                    | Condition::Connected(set)
                    | Condition::AlmostLocked(set, _)
                    | Condition::ForAll(_, set, _)
                    | Condition::Exists(_, set, _) => vec![set],
                    Condition::Sees(a, b) => vec![&$($mutable)? a.cells, &$($mutable)? b.cells],
                    Condition::Has(operand, digits)
                    | Condition::Lacks(operand, digits)
                    | Condition::GivensAllow(operand, digits) => vec![&$($mutable)? operand.cells, digits],
                    Condition::Predicate(_, args, _) => args.$iter().collect(),
                    Condition::And(_) | Condition::Or(_) | Condition::Not(_) => Vec::new(),
                }
            }

            /// Returns the directly nested conditions, without the definition of a named predicate.
            pub fn $parts(&$($mutable)? self) -> Vec<&$($mutable)? Condition> {
                match self {
                    Condition::And(parts) | Condition::Or(parts) => parts.$iter().collect(),
                    Condition::Not(part) | Condition::ForAll(_, _, part) | Condition::Exists(_, _, part) => vec![part],
                    _ => Vec::new(),
                }
            }
        }
    };
}

direct_parts!(children, exprs, parts, iter);
direct_parts!(children_mut, exprs_mut, parts_mut, iter_mut, mut);

impl Expr {
    /// Returns the names that the expression uses, except for the loop variables of filters in it.
    pub fn names(&self) -> Vec<VarId> {
        Node::Expr(self).names()
    }

    /// Returns a copy in which `swap` replaces subexpressions, outermost first. `None` from `swap` keeps a
    /// subexpression and continues inside it.
    pub fn map(&self, swap: &dyn Fn(&Expr) -> Option<Expr>) -> Expr {
        let mut copy = self.clone();
        copy.replace(swap);
        copy
    }

    fn replace(&mut self, swap: &dyn Fn(&Expr) -> Option<Expr>) {
        if let Some(replacement) = swap(self) {
            *self = replacement;
            return;
        }
        for child in self.children_mut() {
            child.replace(swap);
        }
        if let Expr::Filter { condition, .. } = self {
            condition.replace_exprs(swap);
        }
    }
}

impl Condition {
    /// Returns a copy in which `swap` replaces expressions, as in [`Expr::map`].
    pub fn map_exprs(&self, swap: &dyn Fn(&Expr) -> Option<Expr>) -> Condition {
        let mut copy = self.clone();
        copy.replace_exprs(swap);
        copy
    }

    fn replace_exprs(&mut self, swap: &dyn Fn(&Expr) -> Option<Expr>) {
        self.change_parts(&|expr| expr.replace(swap), &|part| part.replace_exprs(swap));
    }

    /// Changes the direct expressions and conditions. Loop variables and the names of [`Condition::Exactly`] are not
    /// changed.
    pub(super) fn change_parts(&mut self, expr: &dyn Fn(&mut Expr), part: &dyn Fn(&mut Condition)) {
        self.exprs_mut().into_iter().for_each(expr);
        self.parts_mut().into_iter().for_each(part);
        if let Condition::Predicate(id, args, definition) = self {
            **definition = id.definition(args);
        }
    }

    /// Returns the names that the condition uses, sorted, without its own loop variables.
    pub fn free_names(&self) -> Vec<VarId> {
        let mut names = Node::Condition(self).names();
        names.sort_unstable();
        names.dedup();
        names
    }
}
