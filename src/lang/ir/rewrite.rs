//! Walks over the checked form. In: expressions and conditions. Out: the names in them, what is inside, copies with parts
//! replaced.

use super::{Condition, Expr, Node, Operand, VarId};

impl Expr {
    /// The expressions directly inside.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            Expr::Union(parts) => parts.iter().collect(),
            Expr::Intersection(a, b)
            | Expr::Difference(a, b)
            | Expr::In(a, b)
            | Expr::Add(a, b)
            | Expr::Subtract(a, b)
            | Expr::MaxOccurrences(a, b) => vec![a, b],
            Expr::Digits(x)
            | Expr::Values(x)
            | Expr::HouseCells(x)
            | Expr::UnsolvedCells(x)
            | Expr::HousesOf(_, x)
            | Expr::Count(x)
            | Expr::Overlap(x)
            | Expr::InNoTemplate(x)
            | Expr::InEveryTemplate(x)
            | Expr::Filter { of: x, .. }
            | Expr::Excluded { of: x, .. }
            | Expr::Seeing { of: x, .. } => vec![x],
            _ => Vec::new(),
        }
    }

    /// Returns the names that the expression uses, without those that run over sets inside it.
    pub fn names(&self) -> Vec<VarId> {
        Node::Expr(self).names()
    }

    /// Returns the expression with its direct parts replaced.
    pub(super) fn rebuilt(&self, change: &dyn Fn(&Expr) -> Expr) -> Expr {
        let go = |x: &Expr| Box::new(change(x));
        match self {
            Expr::Union(parts) => Expr::Union(parts.iter().map(change).collect()),
            Expr::Intersection(a, b) => Expr::Intersection(go(a), go(b)),
            Expr::Difference(a, b) => Expr::Difference(go(a), go(b)),
            Expr::In(a, b) => Expr::In(go(a), go(b)),
            Expr::Add(a, b) => Expr::Add(go(a), go(b)),
            Expr::Subtract(a, b) => Expr::Subtract(go(a), go(b)),
            Expr::MaxOccurrences(a, b) => Expr::MaxOccurrences(go(a), go(b)),
            Expr::Digits(x) => Expr::Digits(go(x)),
            Expr::Values(x) => Expr::Values(go(x)),
            Expr::HouseCells(x) => Expr::HouseCells(go(x)),
            Expr::UnsolvedCells(x) => Expr::UnsolvedCells(go(x)),
            Expr::HousesOf(class, x) => Expr::HousesOf(*class, go(x)),
            Expr::Count(x) => Expr::Count(go(x)),
            Expr::Overlap(x) => Expr::Overlap(go(x)),
            Expr::InNoTemplate(x) => Expr::InNoTemplate(go(x)),
            Expr::InEveryTemplate(x) => Expr::InEveryTemplate(go(x)),
            Expr::Filter { var, of, when } => Expr::Filter { var: *var, of: go(of), when: when.clone() },
            Expr::Seeing { every, of } => Expr::Seeing { every: *every, of: go(of) },
            Expr::Excluded { every, of } => Expr::Excluded { every: *every, of: go(of) },
            leaf => leaf.clone(),
        }
    }
}

impl Expr {
    /// Returns the expression with every part that `swap` knows replaced, outermost first.
    pub fn map(&self, swap: &dyn Fn(&Expr) -> Option<Expr>) -> Expr {
        if let Some(swapped) = swap(self) {
            return swapped;
        }
        match self.rebuilt(&|inside| inside.map(swap)) {
            Expr::Filter { var, of, when } => Expr::Filter { var, of, when: Box::new(when.map_exprs(swap)) },
            rebuilt => rebuilt,
        }
    }
}

impl Condition {
    /// Returns the condition with every expression that `swap` knows replaced.
    pub fn map_exprs(&self, swap: &dyn Fn(&Expr) -> Option<Expr>) -> Condition {
        self.rebuilt(&|expr| expr.map(swap), &|part| part.map_exprs(swap))
    }

    /// Returns the condition with its direct parts replaced; names that it binds stay.
    pub(super) fn rebuilt(&self, x: &dyn Fn(&Expr) -> Expr, part: &dyn Fn(&Condition) -> Condition) -> Condition {
        let inner = |inside: &Condition| Box::new(part(inside));
        let operand = |side: &Operand| Operand { quantifier: side.quantifier, cells: x(&side.cells) };
        match self {
            Condition::Compare(a, op, b) => Condition::Compare(x(a), *op, x(b)),
            Condition::Equal(a, b) => Condition::Equal(x(a), x(b)),
            Condition::Exactly(set, members) => Condition::Exactly(x(set), members.clone()),
            Condition::Within(a, b) => Condition::Within(x(a), x(b)),
            Condition::Disjoint(a, b) => Condition::Disjoint(x(a), x(b)),
            Condition::Some(a) => Condition::Some(x(a)),
            Condition::No(a) => Condition::No(x(a)),
            Condition::Sees(a, b) => Condition::Sees(operand(a), operand(b)),
            Condition::Has(a, b) => Condition::Has(operand(a), x(b)),
            Condition::Lacks(a, b) => Condition::Lacks(operand(a), x(b)),
            Condition::Incident(a, how, b) => Condition::Incident(x(a), *how, x(b)),
            Condition::Connected(a) => Condition::Connected(x(a)),
            Condition::AlmostLocked(a, over) => Condition::AlmostLocked(x(a), *over),
            Condition::GivensAllow(a, b) => Condition::GivensAllow(operand(a), x(b)),
            Condition::Predicate(id, args, _) => id.applied_to(args.iter().map(x).collect()),
            Condition::ForAll(index, of, inside) => Condition::ForAll(*index, x(of), inner(inside)),
            Condition::Exists(index, of, inside) => Condition::Exists(*index, x(of), inner(inside)),
            Condition::And(parts) => Condition::And(parts.iter().map(part).collect()),
            Condition::Or(parts) => Condition::Or(parts.iter().map(part).collect()),
            Condition::Not(inside) => Condition::Not(inner(inside)),
        }
    }

    /// The expressions directly inside, not those of conditions inside.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Condition::Compare(a, _, b)
            | Condition::Equal(a, b)
            | Condition::Within(a, b)
            | Condition::Disjoint(a, b)
            | Condition::Incident(a, _, b) => vec![a, b],
            Condition::Exactly(x, _)
            | Condition::Some(x)
            | Condition::No(x)
            | Condition::Connected(x)
            | Condition::AlmostLocked(x, _)
            | Condition::ForAll(_, x, _)
            | Condition::Exists(_, x, _) => vec![x],
            Condition::Sees(a, b) => vec![&a.cells, &b.cells],
            Condition::Has(a, x) | Condition::Lacks(a, x) | Condition::GivensAllow(a, x) => vec![&a.cells, x],
            Condition::Predicate(_, args, _) => args.iter().collect(),
            Condition::And(_) | Condition::Or(_) | Condition::Not(_) => Vec::new(),
        }
    }

    /// The conditions directly inside; of a named predicate none, since its definition says no more than its word.
    pub fn parts(&self) -> Vec<&Condition> {
        match self {
            Condition::And(parts) | Condition::Or(parts) => parts.iter().collect(),
            Condition::Not(part) | Condition::ForAll(_, _, part) | Condition::Exists(_, _, part) => vec![part],
            _ => Vec::new(),
        }
    }

    /// The names that must have a value before the condition can be judged: running names are left out.
    pub fn free_names(&self) -> Vec<VarId> {
        let mut names = Node::Condition(self).names();
        names.sort_unstable();
        names.dedup();
        names
    }
}
