//! The canonical form of what a rule says. In: expressions, conditions and lines of a rule, and other names for those in them.
//! Out: copies with these names; two that differ only in the order of commuting parts, or in what they call their running
//! names, are the same.

use super::{
    Chain, ChainEnd, Claim, Cluster, Conclusion, Condition, Expr, Graph, Incidence, LinkShape, Loop, Operand,
    PredicateId, Quantifier, Ring, TrailNode, VarId,
};

/// A name for what runs `depth` running names above the innermost; no rule has as many names.
fn running(depth: usize) -> VarId {
    VarId(usize::MAX - 1 - depth)
}

impl Expr {
    /// Returns the greatest number of running names in use at once inside.
    fn depth(&self) -> usize {
        let inside = self.children().into_iter().map(Expr::depth).max().unwrap_or(0);
        match self {
            Expr::Filter { when, .. } => inside.max(1 + when.depth()),
            _ => inside,
        }
    }

    /// Returns the expression with every name replaced and commuting parts in canonical order. Running names are numbered by
    /// their depth.
    pub fn renamed(&self, map: &dyn Fn(VarId) -> VarId) -> Expr {
        let go = |x: &Expr| x.renamed(map);
        match self {
            Expr::Var(var) => Expr::Var(map(*var)),
            Expr::Member(family, index) => Expr::Member(map(*family), map(*index)),
            Expr::Union(parts) => Expr::Union(sorted(parts.iter().map(go).collect())),
            Expr::Intersection(a, b) => {
                let (a, b) = ordered(go(a), go(b));
                Expr::Intersection(Box::new(a), Box::new(b))
            }
            Expr::Difference(all, without) => less(go(all), go(without)),
            Expr::Add(a, b) => {
                let (a, b) = ordered(go(a), go(b));
                Expr::Add(Box::new(a), Box::new(b))
            }
            Expr::Filter { var, of, when } => {
                let name = running(when.depth());
                let when = when.renamed(&|other| if other == *var { name } else { map(other) });
                Expr::Filter { var: name, of: Box::new(go(of)), when: Box::new(when) }
            }
            other => other.rebuilt(&go),
        }
    }
}

impl Condition {
    /// Returns the greatest number of running names in use at once inside.
    fn depth(&self) -> usize {
        let parts = self.parts().into_iter().map(Condition::depth);
        let inside = parts.chain(self.exprs().into_iter().map(Expr::depth)).max().unwrap_or(0);
        inside + usize::from(matches!(self, Condition::ForAll(..) | Condition::Exists(..)))
    }

    /// Returns the condition with every name replaced and commuting parts in canonical order. Running names are numbered by
    /// their depth.
    pub fn renamed(&self, map: &dyn Fn(VarId) -> VarId) -> Condition {
        let x = |expr: &Expr| expr.renamed(map);
        let all = |parts: &[Condition]| sorted(parts.iter().map(|part| part.renamed(map)).collect());
        let operand = |side: &Operand| Operand { quantifier: side.quantifier, cells: x(&side.cells) };
        match self {
            Condition::Equal(a, b) => {
                let (a, b) = ordered(x(a), x(b));
                Condition::Equal(a, b)
            }
            Condition::Disjoint(a, b) => {
                let (a, b) = ordered(x(a), x(b));
                Condition::Disjoint(a, b)
            }
            Condition::Exactly(set, members) => {
                Condition::Exactly(x(set), sorted(members.iter().map(|&member| map(member)).collect()))
            }
            Condition::Sees(a, b) => sees(operand(a), operand(b)),
            Condition::Incident(a, how, b) => lie(x(a), *how, x(b)),
            Condition::Predicate(id @ (PredicateId::ClosedBetween | PredicateId::Conjugate), args, _) => {
                let mut args: Vec<Expr> = args.iter().map(x).collect();
                args[1..].sort();
                id.applied_to(args)
            }
            Condition::ForAll(..) | Condition::Exists(..) => self.quantified(map),
            Condition::And(parts) => Condition::And(all(parts)),
            Condition::Or(parts) => Condition::Or(all(parts)),
            other => other.rebuilt(&x, &|part| part.renamed(map)),
        }
    }

    /// Renames a quantifier and the quantifiers of the same sort directly inside. They commute unless one runs over a name of
    /// another, so they are put in the order of their sets.
    fn quantified(&self, map: &dyn Fn(VarId) -> VarId) -> Condition {
        let (mut loops, mut part): (Vec<(VarId, &Expr)>, _) = (Vec::new(), self);
        while let Condition::ForAll(index, of, inner) | Condition::Exists(index, of, inner) = part {
            let names = of.names();
            let same_sort = std::mem::discriminant(part) == std::mem::discriminant(self);
            if !same_sort || loops.iter().any(|(outer, _)| names.contains(outer)) {
                break;
            }
            loops.push((*index, of));
            part = inner;
        }
        let mut loops: Vec<(Expr, VarId)> = loops.into_iter().map(|(index, of)| (of.renamed(map), index)).collect();
        loops.sort_by(|one, other| one.0.cmp(&other.0));
        let depth = part.depth();
        let place = |var: VarId| loops.iter().position(|(_, index)| *index == var);
        let part = part.renamed(&|var| place(var).map_or_else(|| map(var), |at| running(depth + at)));
        let make = if matches!(self, Condition::ForAll(..)) { Condition::ForAll } else { Condition::Exists };
        let loops = loops.into_iter().enumerate();
        loops.fold(part, |part, (at, (of, _))| make(running(depth + at), of, Box::new(part)))
    }
}

impl Conclusion {
    /// Returns the conclusion with every name replaced.
    pub fn renamed(&self, map: &dyn Fn(VarId) -> VarId) -> Conclusion {
        let claim = match &self.claim {
            Claim::Some(noun) => Claim::Some(noun.renamed(map)),
            Claim::Eliminate(noun) => Claim::Eliminate(noun.renamed(map)),
            Claim::Place(noun) => Claim::Place(noun.renamed(map)),
            Claim::Links { of, outside } => Claim::Links { of: map(*of), outside: *outside },
        };
        Conclusion { claim, for_each: self.for_each.as_ref().map(|(index, of)| (map(*index), of.renamed(map))) }
    }
}

impl Graph {
    /// Returns a copy with every name replaced, in canonical order of what commutes. A chain reads both ways: its smaller
    /// end comes first.
    pub fn renamed(&self, map: &dyn Fn(VarId) -> VarId) -> Graph {
        let colours = |[a, b]: [VarId; 2]| <[VarId; 2]>::from(ordered(map(a), map(b)));
        let end = |end: ChainEnd| match end {
            ChainEnd::At(node) => ChainEnd::At(TrailNode { digit: map(node.digit), cell: map(node.cell) }),
            ChainEnd::Candidate(var) => ChainEnd::Candidate(map(var)),
        };
        let shape = match &self.shape {
            LinkShape::Chain(one) => {
                let (from, to) = ordered(end(one.from), end(one.to));
                LinkShape::Chain(Chain { from, to, ..one.clone() })
            }
            LinkShape::Loop(one) => {
                LinkShape::Loop(Loop { name: map(one.name), colours: one.colours.map(colours), ..one.clone() })
            }
            LinkShape::Cluster(one) => LinkShape::Cluster(Cluster { colours: colours(one.colours) }),
            LinkShape::Ring(one) => {
                LinkShape::Ring(Ring { name: map(one.name), guardians: map(one.guardians), ..one.clone() })
            }
        };
        Graph { digits: self.digits.as_ref().map(|digits| digits.renamed(map)), strong: self.strong.clone(), shape }
    }
}

fn sees(a: Operand, b: Operand) -> Condition {
    if a.quantifier == Quantifier::Every && b.quantifier == Quantifier::Every {
        let (a, b) = ordered(a, b);
        return Condition::Sees(a, b);
    }
    Condition::Sees(a, b)
}

fn lie(a: Expr, how: Incidence, b: Expr) -> Condition {
    if how == Incidence::Through {
        return Condition::Incident(a, how, b);
    }
    let (a, b) = ordered(a, b);
    Condition::Incident(a, how, b)
}

/// `a - b - c` and `a - {c, b}` are one.
fn less(all: Expr, without: Expr) -> Expr {
    let flat = |expr: Expr| match expr {
        Expr::Union(parts) => parts,
        one => vec![one],
    };
    let (all, mut parts) = match all {
        Expr::Difference(all, before) => (all, flat(*before)),
        other => (Box::new(other), Vec::new()),
    };
    parts.extend(flat(without));
    let mut parts = sorted(parts);
    let without = if parts.len() == 1 { parts.remove(0) } else { Expr::Union(parts) };
    Expr::Difference(all, Box::new(without))
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort();
    items
}

fn ordered<T: Ord>(a: T, b: T) -> (T, T) {
    if a <= b { (a, b) } else { (b, a) }
}
