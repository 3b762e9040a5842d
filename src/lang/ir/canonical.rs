//! Canonical forms of expressions, conditions, conclusions and graph patterns under a renaming. Two parts of rules have
//! equal canonical forms if they differ only in the order of commuting operands or in the names of loop variables.

use super::{
    Claim, Cluster, Conclusion, Condition, Expr, Graph, Incidence, LinkShape, Loop, OpenChain, PredicateId, Quantifier,
    VarId,
};

/// Returns the canonical loop variable of a loop that contains `depth` nested loops. Canonical ids count down from
/// `usize::MAX - 1`, so they differ from the ids of a rule's names. `usize::MAX` is reserved for the loop variable of a
/// conclusion (`engine/plan/symmetry.rs`).
fn loop_var(depth: usize) -> VarId {
    VarId(usize::MAX - 1 - depth)
}

impl Expr {
    /// Returns the maximum number of nested loop variables.
    fn loop_depth(&self) -> usize {
        let children = self.children().into_iter().map(Expr::loop_depth).max().unwrap_or(0);
        match self {
            Expr::Filter { condition, .. } => children.max(1 + condition.loop_depth()),
            _ => children,
        }
    }

    /// Returns the canonical form, with every name replaced by `map` and loop variables numbered by their depth.
    pub fn canonical_under(&self, map: &dyn Fn(VarId) -> VarId) -> Expr {
        let mut copy = self.clone();
        copy.canonicalize(map);
        copy
    }

    fn canonicalize(&mut self, map: &dyn Fn(VarId) -> VarId) {
        for child in self.children_mut() {
            child.canonicalize(map);
        }
        match self {
            Expr::Var(var) => *var = map(*var),
            Expr::Member(family, index) => (*family, *index) = (map(*family), map(*index)),
            Expr::Union(parts) => parts.sort(),
            Expr::Intersection(a, b) | Expr::Add(a, b) => sort_pair(a, b),
            Expr::Difference(left, right) => *self = canonical_difference(left, right),
            Expr::Filter { var, condition, .. } => {
                let new_var = loop_var(condition.loop_depth());
                let old_var = std::mem::replace(var, new_var);
                condition.canonicalize(&|name| if name == old_var { new_var } else { map(name) });
            }
            _ => {}
        }
    }
}

impl Condition {
    /// Returns the maximum number of nested loop variables.
    fn loop_depth(&self) -> usize {
        let parts = self.parts().into_iter().map(Condition::loop_depth);
        let inside = parts.chain(self.exprs().into_iter().map(Expr::loop_depth)).max().unwrap_or(0);
        inside + usize::from(matches!(self, Condition::ForAll(..) | Condition::Exists(..)))
    }

    /// Returns the canonical form, with every name replaced by `map` and loop variables numbered by their depth.
    pub fn canonical_under(&self, map: &dyn Fn(VarId) -> VarId) -> Condition {
        let mut copy = self.clone();
        copy.canonicalize(map);
        copy
    }

    fn canonicalize(&mut self, map: &dyn Fn(VarId) -> VarId) {
        if let Condition::ForAll(..) | Condition::Exists(..) = self {
            *self = self.canonical_quantifiers(map);
            return;
        }
        self.change_parts(&|expr| expr.canonicalize(map), &|part| part.canonicalize(map));
        match self {
            Condition::Equal(a, b) | Condition::Disjoint(a, b) => sort_pair(a, b),
            Condition::Exactly(_, members) => {
                members.iter_mut().for_each(|member| *member = map(*member));
                members.sort();
            }
            Condition::Sees(a, b) if a.quantifier == Quantifier::Every && b.quantifier == Quantifier::Every => {
                sort_pair(a, b);
            }
            // Every incidence except `through` is symmetric.
            Condition::Incident(a, incidence, b) if *incidence != Incidence::Through => sort_pair(a, b),
            // The second and the third argument commute: the two lines of `closed between`, or the two ends of a link.
            Condition::Predicate(id @ (PredicateId::ClosedBetween | PredicateId::Conjugate), args, definition)
                if args[1] > args[2] =>
            {
                args.swap(1, 2);
                **definition = id.definition(args);
            }
            Condition::And(parts) | Condition::Or(parts) => parts.sort(),
            _ => {}
        }
    }

    /// Canonicalizes a run of nested quantifiers: all are `ForAll`, or all are `Exists`. The run ends before a
    /// quantifier whose set depends on a loop variable of the run. Quantifiers of a run commute, so they are sorted by
    /// their sets.
    fn canonical_quantifiers(&self, map: &dyn Fn(VarId) -> VarId) -> Condition {
        let mut quantified: Vec<(VarId, &Expr)> = Vec::new();
        let mut inner = self;
        while let Condition::ForAll(index, set, part) | Condition::Exists(index, set, part) = inner {
            let names = set.names();
            let is_same_kind = std::mem::discriminant(inner) == std::mem::discriminant(self);
            if !is_same_kind || quantified.iter().any(|(outer, _)| names.contains(outer)) {
                break;
            }
            quantified.push((*index, set));
            inner = part;
        }
        let mut loops: Vec<(Expr, VarId)> =
            quantified.into_iter().map(|(index, set)| (set.canonical_under(map), index)).collect();
        loops.sort_by(|(left, _), (right, _)| left.cmp(right));
        let depth = inner.loop_depth();
        let inner = inner.canonical_under(&|var| match loops.iter().position(|(_, index)| *index == var) {
            Some(position) => loop_var(depth + position),
            None => map(var),
        });
        let quantifier = if matches!(self, Condition::ForAll(..)) { Condition::ForAll } else { Condition::Exists };
        let mut result = inner;
        // The first set becomes the innermost quantifier.
        for (position, (set, _)) in loops.into_iter().enumerate() {
            result = quantifier(loop_var(depth + position), set, Box::new(result));
        }
        result
    }
}

impl Conclusion {
    /// Returns the canonical form, with every name replaced by `map`, including the loop variable of the conclusion. A
    /// caller for which this name makes no difference maps it to a fixed id.
    pub fn canonical_under(&self, map: &dyn Fn(VarId) -> VarId) -> Conclusion {
        let mut copy = self.clone();
        match &mut copy.claim {
            Claim::SomeTrue(candidates) | Claim::Eliminate(candidates) | Claim::Place(candidates) => {
                candidates.canonicalize(map);
            }
            Claim::Links { loop_name, .. } => *loop_name = map(*loop_name),
        }
        if let Some((index, set)) = &mut copy.for_each {
            *index = map(*index);
            set.canonicalize(map);
        }
        copy
    }
}

impl Graph {
    /// Returns the canonical form with every name replaced by `map`. The two colours are sorted. The two ends of a
    /// chain are sorted, because a chain can be read from either end.
    pub fn canonical_under(&self, map: &dyn Fn(VarId) -> VarId) -> Graph {
        let mut copy = self.clone();
        if let Some(digits) = &mut copy.digits {
            digits.canonicalize(map);
        }
        for name in copy.shape.names_mut() {
            *name = map(*name);
        }
        match &mut copy.shape {
            LinkShape::Chain(OpenChain { from, to, .. }) => sort_pair(from, to),
            LinkShape::Loop(Loop { colours: Some([a, b]), .. }) | LinkShape::Cluster(Cluster { colours: [a, b] }) => {
                sort_pair(a, b);
            }
            LinkShape::Loop(_) | LinkShape::Ring(_) => {}
        }
        copy
    }
}

/// Returns `left - right` with all subtracted sets in one sorted union, so that `a - b - c` equals `a - {c, b}`.
fn canonical_difference(left: &Expr, right: &Expr) -> Expr {
    let (minuend, subtracted_before) = match left {
        Expr::Difference(minuend, subtracted) => (minuend.as_ref(), subtracted.parts()),
        other => (other, &[][..]),
    };
    let mut subtracted = [subtracted_before, right.parts()].concat();
    subtracted.sort();
    let right = if subtracted.len() == 1 { subtracted.remove(0) } else { Expr::Union(subtracted) };
    Expr::Difference(Box::new(minuend.clone()), Box::new(right))
}

/// Puts two operands that commute in order, the smaller operand first.
fn sort_pair<T: Ord>(a: &mut T, b: &mut T) {
    if a > b {
        std::mem::swap(a, b);
    }
}
