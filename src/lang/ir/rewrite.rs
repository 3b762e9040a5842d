//! The direct children of expressions and conditions, and copies with children replaced.

use super::{Condition, Expr, Node, Operand, VarId};

impl Expr {
    /// Returns the direct subexpressions.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            Expr::Union(parts) => parts.iter().collect(),
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

    /// Returns the names that the expression uses, except for the loop variables of filters in it.
    pub fn names(&self) -> Vec<VarId> {
        Node::Expr(self).names()
    }

    /// Returns a copy in which `change` replaces each direct subexpression. The condition of a filter is not changed.
    pub(super) fn map_children(&self, change: &dyn Fn(&Expr) -> Expr) -> Expr {
        let boxed = |child: &Expr| Box::new(change(child));
        match self {
            Expr::Union(parts) => Expr::Union(parts.iter().map(change).collect()),
            Expr::Intersection(a, b) => Expr::Intersection(boxed(a), boxed(b)),
            Expr::Difference(a, b) => Expr::Difference(boxed(a), boxed(b)),
            Expr::CandidatesIn(digits, cells) => Expr::CandidatesIn(boxed(digits), boxed(cells)),
            Expr::Add(a, b) => Expr::Add(boxed(a), boxed(b)),
            Expr::Subtract(a, b) => Expr::Subtract(boxed(a), boxed(b)),
            Expr::MaxOccurrences(digit, cells) => Expr::MaxOccurrences(boxed(digit), boxed(cells)),
            Expr::Digits(set) => Expr::Digits(boxed(set)),
            Expr::Values(cells) => Expr::Values(boxed(cells)),
            Expr::HouseCells(houses) => Expr::HouseCells(boxed(houses)),
            Expr::CellsOf(set) => Expr::CellsOf(boxed(set)),
            Expr::HousesOf(class, cells) => Expr::HousesOf(*class, boxed(cells)),
            Expr::Count(set) => Expr::Count(boxed(set)),
            Expr::Overlap(houses) => Expr::Overlap(boxed(houses)),
            Expr::InNoTemplate(set) => Expr::InNoTemplate(boxed(set)),
            Expr::InEveryTemplate(digits) => Expr::InEveryTemplate(boxed(digits)),
            Expr::Filter { var, set, condition } => {
                Expr::Filter { var: *var, set: boxed(set), condition: condition.clone() }
            }
            Expr::Seeing { every, cells } => Expr::Seeing { every: *every, cells: boxed(cells) },
            Expr::Excluded { every, candidates } => Expr::Excluded { every: *every, candidates: boxed(candidates) },
            leaf => leaf.clone(),
        }
    }

    /// Returns a copy in which `swap` replaces subexpressions, outermost first. `None` from `swap` keeps a
    /// subexpression and continues inside it.
    pub fn map(&self, swap: &dyn Fn(&Expr) -> Option<Expr>) -> Expr {
        if let Some(replacement) = swap(self) {
            return replacement;
        }
        match self.map_children(&|child| child.map(swap)) {
            Expr::Filter { var, set, condition } => {
                Expr::Filter { var, set, condition: Box::new(condition.map_exprs(swap)) }
            }
            expr => expr,
        }
    }
}

impl Condition {
    /// Returns a copy in which `swap` replaces expressions, as in [`Expr::map`].
    pub fn map_exprs(&self, swap: &dyn Fn(&Expr) -> Option<Expr>) -> Condition {
        self.map_children(&|expr| expr.map(swap), &|part| part.map_exprs(swap))
    }

    /// Returns a copy in which `expr` and `part` replace the direct expressions and conditions. Loop variables and the
    /// names of [`Condition::Exactly`] are not changed.
    pub(super) fn map_children(
        &self,
        expr: &dyn Fn(&Expr) -> Expr,
        part: &dyn Fn(&Condition) -> Condition,
    ) -> Condition {
        let boxed = |child: &Condition| Box::new(part(child));
        let operand = |side: &Operand| Operand { quantifier: side.quantifier, cells: expr(&side.cells) };
        match self {
            Condition::Compare(a, comparison, b) => Condition::Compare(expr(a), *comparison, expr(b)),
            Condition::Equal(a, b) => Condition::Equal(expr(a), expr(b)),
            Condition::Exactly(set, members) => Condition::Exactly(expr(set), members.clone()),
            Condition::Within(a, b) => Condition::Within(expr(a), expr(b)),
            Condition::Disjoint(a, b) => Condition::Disjoint(expr(a), expr(b)),
            Condition::NotEmpty(set) => Condition::NotEmpty(expr(set)),
            Condition::No(set) => Condition::No(expr(set)),
            Condition::Sees(a, b) => Condition::Sees(operand(a), operand(b)),
            Condition::Has(cells, digits) => Condition::Has(operand(cells), expr(digits)),
            Condition::Lacks(cells, digits) => Condition::Lacks(operand(cells), expr(digits)),
            Condition::Incident(a, incidence, b) => Condition::Incident(expr(a), *incidence, expr(b)),
            Condition::Connected(cells) => Condition::Connected(expr(cells)),
            Condition::AlmostLocked(cells, degree) => Condition::AlmostLocked(expr(cells), *degree),
            Condition::GivensAllow(cells, digits) => Condition::GivensAllow(operand(cells), expr(digits)),
            Condition::Predicate(id, args, _) => id.applied_to(args.iter().map(expr).collect()),
            Condition::ForAll(index, set, inner) => Condition::ForAll(*index, expr(set), boxed(inner)),
            Condition::Exists(index, set, inner) => Condition::Exists(*index, expr(set), boxed(inner)),
            Condition::And(parts) => Condition::And(parts.iter().map(part).collect()),
            Condition::Or(parts) => Condition::Or(parts.iter().map(part).collect()),
            Condition::Not(inner) => Condition::Not(boxed(inner)),
        }
    }

    /// Returns the direct expressions, without those of nested conditions.
    pub fn exprs(&self) -> Vec<&Expr> {
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
            Condition::Sees(a, b) => vec![&a.cells, &b.cells],
            Condition::Has(operand, digits)
            | Condition::Lacks(operand, digits)
            | Condition::GivensAllow(operand, digits) => vec![&operand.cells, digits],
            Condition::Predicate(_, args, _) => args.iter().collect(),
            Condition::And(_) | Condition::Or(_) | Condition::Not(_) => Vec::new(),
        }
    }

    /// Returns the directly nested conditions, without the definition of a named predicate.
    pub fn parts(&self) -> Vec<&Condition> {
        match self {
            Condition::And(parts) | Condition::Or(parts) => parts.iter().collect(),
            Condition::Not(part) | Condition::ForAll(_, _, part) | Condition::Exists(_, _, part) => vec![part],
            _ => Vec::new(),
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
