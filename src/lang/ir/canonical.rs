//! Canonical forms of expressions, conditions, conclusions and graph patterns under a renaming. Two parts of rules have
//! equal canonical forms if they differ only in the order of commuting operands or in the names of loop variables.

use super::{
    ChainEnd, Claim, Cluster, Conclusion, Condition, Expr, Graph, Incidence, LinkNode, LinkShape, Loop, OpenChain,
    Operand, PredicateId, Quantifier, Ring, VarId,
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
        let go = |expr: &Expr| expr.canonical_under(map);
        match self {
            Expr::Var(var) => Expr::Var(map(*var)),
            Expr::Member(family, index) => Expr::Member(map(*family), map(*index)),
            Expr::Union(parts) => Expr::Union(sorted(parts.iter().map(go).collect())),
            Expr::Intersection(a, b) => in_order(Expr::Intersection, Box::new(go(a)), Box::new(go(b))),
            Expr::Difference(left, right) => canonical_difference(go(left), go(right)),
            Expr::Add(a, b) => in_order(Expr::Add, Box::new(go(a)), Box::new(go(b))),
            Expr::Filter { var, set, condition } => {
                let new_var = loop_var(condition.loop_depth());
                let condition = condition.canonical_under(&|name| if name == *var { new_var } else { map(name) });
                Expr::Filter { var: new_var, set: Box::new(go(set)), condition: Box::new(condition) }
            }
            other => other.map_children(&go),
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
        let expr = |expr: &Expr| expr.canonical_under(map);
        let sorted_parts = |parts: &[Condition]| sorted(parts.iter().map(|part| part.canonical_under(map)).collect());
        let operand = |side: &Operand| Operand { quantifier: side.quantifier, cells: expr(&side.cells) };
        match self {
            Condition::Equal(a, b) => in_order(Condition::Equal, expr(a), expr(b)),
            Condition::Disjoint(a, b) => in_order(Condition::Disjoint, expr(a), expr(b)),
            Condition::Exactly(set, members) => {
                Condition::Exactly(expr(set), sorted(members.iter().map(|&member| map(member)).collect()))
            }
            Condition::Sees(a, b) if a.quantifier == Quantifier::Every && b.quantifier == Quantifier::Every => {
                in_order(Condition::Sees, operand(a), operand(b))
            }
            // Every incidence except `through` is symmetric.
            Condition::Incident(a, incidence, b) if *incidence != Incidence::Through => {
                in_order(|a, b| Condition::Incident(a, *incidence, b), expr(a), expr(b))
            }
            // The second and the third argument commute: the two lines of `closed between`, or the two ends of a link.
            Condition::Predicate(id @ (PredicateId::ClosedBetween | PredicateId::Conjugate), args, _) => {
                let mut args: Vec<Expr> = args.iter().map(expr).collect();
                args[1..].sort();
                id.applied_to(args)
            }
            Condition::ForAll(..) | Condition::Exists(..) => self.canonical_quantifiers(map),
            Condition::And(parts) => Condition::And(sorted_parts(parts)),
            Condition::Or(parts) => Condition::Or(sorted_parts(parts)),
            other => other.map_children(&expr, &|part| part.canonical_under(map)),
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
        let claim = match &self.claim {
            Claim::SomeTrue(candidates) => Claim::SomeTrue(candidates.canonical_under(map)),
            Claim::Eliminate(candidates) => Claim::Eliminate(candidates.canonical_under(map)),
            Claim::Place(candidates) => Claim::Place(candidates.canonical_under(map)),
            Claim::Links { loop_name, outside_cells } => {
                Claim::Links { loop_name: map(*loop_name), outside_cells: *outside_cells }
            }
        };
        Conclusion {
            claim,
            for_each: self.for_each.as_ref().map(|(index, set)| (map(*index), set.canonical_under(map))),
        }
    }
}

impl Graph {
    /// Returns the canonical form with every name replaced by `map`. The two colours are sorted. The two ends of a
    /// chain are sorted, because a chain can be read from either end.
    pub fn canonical_under(&self, map: &dyn Fn(VarId) -> VarId) -> Graph {
        let colours = |[a, b]: [VarId; 2]| in_order(|a, b| [a, b], map(a), map(b));
        let end = |end: ChainEnd| match end {
            ChainEnd::At(node) => ChainEnd::At(LinkNode { digit: map(node.digit), cells: map(node.cells) }),
            ChainEnd::Candidate(var) => ChainEnd::Candidate(map(var)),
        };
        let shape = match &self.shape {
            LinkShape::Chain(chain) => {
                let chain =
                    in_order(|from, to| OpenChain { from, to, ..chain.clone() }, end(chain.from), end(chain.to));
                LinkShape::Chain(chain)
            }
            LinkShape::Loop(pattern) => LinkShape::Loop(Loop {
                name: map(pattern.name),
                colours: pattern.colours.map(colours),
                ..pattern.clone()
            }),
            LinkShape::Cluster(pattern) => LinkShape::Cluster(Cluster { colours: colours(pattern.colours) }),
            LinkShape::Ring(pattern) => {
                LinkShape::Ring(Ring { name: map(pattern.name), guardians: map(pattern.guardians), ..pattern.clone() })
            }
        };
        Graph {
            digits: self.digits.as_ref().map(|digits| digits.canonical_under(map)),
            strong: self.strong.clone(),
            shape,
        }
    }
}

/// Returns `left - right` with all subtracted sets in one sorted union, so that `a - b - c` equals `a - {c, b}`.
fn canonical_difference(left: Expr, right: Expr) -> Expr {
    let (minuend, mut subtracted) = match left {
        Expr::Difference(minuend, subtracted) => (minuend, subtracted.parts().to_vec()),
        other => (Box::new(other), Vec::new()),
    };
    subtracted.extend_from_slice(right.parts());
    let mut subtracted = sorted(subtracted);
    let right = if subtracted.len() == 1 { subtracted.remove(0) } else { Expr::Union(subtracted) };
    Expr::Difference(minuend, Box::new(right))
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort();
    items
}

/// Builds a node from two operands that commute, with the smaller operand first.
fn in_order<T: Ord, N>(build: impl Fn(T, T) -> N, a: T, b: T) -> N {
    if a <= b { build(a, b) } else { build(b, a) }
}
