//! The body of a rule as a flat list of conditions. In: a variant. Out: [`Constraints`]: what must hold, over
//! which names, which names are chosen and by whom.

use crate::engine::bounds::{EstimatedNarrowing, RuleFacts, narrowings};
use crate::lang::ir::{
    Cases, Choose, Comparison, Condition, Expr, Graph, InferenceMethods, Kind, LinkNode, Literal, Operand, Origin,
    Quantifier, Statement, Suppose, VarId, VarShape, Variant,
};

/// One condition and the names it needs.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    pub condition: Condition,
    pub names: Vec<VarId>,
    /// The same without names that the rule defines, where it has some: what it says of the others.
    pub inlined: Option<Box<Constraint>>,
}

impl Constraint {
    pub fn new(condition: Condition) -> Constraint {
        let names = condition.free_names();
        Constraint { condition, names, inlined: None }
    }

    /// How it narrows a name, given those that have values.
    pub fn narrowing(
        &self,
        known: RuleFacts<'_>,
        bound: &dyn Fn(VarId) -> bool,
        var: VarId,
    ) -> Vec<EstimatedNarrowing> {
        match &self.inlined {
            _ if self.names.contains(&var) => narrowings(known, bound, (&self.condition, &self.names), var),
            Some(inlined) => inlined.narrowing(known, bound, var),
            None => Vec::new(),
        }
    }
}

/// Bounds on how many cells, as the declaration has them.
pub(super) type Size = (Expr, Option<Expr>);

/// A family as it was declared: the conditions on a member speak of [`Expr::Var`] of the family.
#[derive(Clone, Debug)]
pub(super) struct Family {
    pub var: VarId,
    pub index: VarId,
    pub of: Expr,
    /// How many cells each member has; one where there is none.
    pub size: Option<Size>,
    pub conditions: Vec<Constraint>,
}

/// The rule's body, flat.
#[derive(Clone, Debug, Default)]
pub(super) struct Constraints {
    pub list: Vec<Constraint>,
    pub families: Vec<Family>,
    /// Chains, loops, clusters, rings.
    pub graphs: Vec<Graph>,
    pub supposes: Vec<Suppose>,
    pub sets: Vec<Choose>,
    pub lets: Vec<(VarId, Expr)>,
    /// The two ends of a link source; a technique has none.
    pub ends: Vec<LinkNode>,
}

impl Constraints {
    pub fn of(variant: &Variant) -> Constraints {
        let mut out = Constraints::default();
        for statement in &variant.body {
            match statement {
                Statement::Choose(choose) => out.choose(choose, variant),
                Statement::Let { var, value } => out.lets.push((*var, value.clone())),
                Statement::Graph(graph) => out.graphs.push(graph.clone()),
                Statement::Suppose(suppose) => out.supposes.push(suppose.clone()),
                Statement::Require(_) | Statement::FixedChain(_) => {
                    statement.conditions(&variant.vars).iter().for_each(|condition| out.require(condition));
                }
            }
        }
        out.inline();
        out
    }

    fn choose(&mut self, choose: &Choose, variant: &Variant) {
        match (&choose.for_each, variant.var(choose.var).shape) {
            (Some((index, of)), _) => {
                let family = choose.var;
                let conditions = choose.such_that.iter().map(|c| as_single(c, family, *index)).collect::<Vec<_>>();
                let mut flat = Constraints::default();
                conditions.iter().for_each(|condition| flat.require(condition));
                let (size, of) = (choose.size.clone(), of.clone());
                self.families.push(Family { var: family, index: *index, of, size, conditions: flat.list });
            }
            (None, shape) => {
                if shape == VarShape::Set {
                    self.sets.push(choose.clone());
                }
                choose.such_that.iter().for_each(|condition| self.require(condition));
            }
        }
    }

    fn require(&mut self, condition: &Condition) {
        split(condition).into_iter().for_each(|part| self.add(part));
    }

    fn add(&mut self, condition: Condition) {
        // Where some are left when others are taken away, there are some: that can be decided earlier.
        if let Condition::NotEmpty(Expr::Difference(all, _)) = &condition {
            self.add(Condition::NotEmpty(all.as_ref().clone()));
        }
        if !self.list.iter().any(|known| known.condition == condition) {
            self.list.push(Constraint::new(condition));
        }
    }

    /// Says of each condition on defined names what it says of the names they are made of.
    fn inline(&mut self) {
        let defined = |expr: &Expr| match expr {
            Expr::Var(name) => self.lets.iter().find(|(var, _)| var == name).map(|(_, value)| value.clone()),
            _ => None,
        };
        for constraint in &mut self.list {
            let mut inlined = constraint.condition.clone();
            // A definition may use earlier ones.
            for _ in 0..self.lets.len() {
                inlined = inlined.map_exprs(&defined);
            }
            if inlined != constraint.condition {
                constraint.inlined = Some(Box::new(Constraint::new(inlined)));
            }
        }
        let all: Vec<Condition> =
            self.list.iter().map(|one| one.inlined.as_deref().unwrap_or(one).condition.clone()).collect();
        let said: Vec<bool> = all.iter().map(|condition| self.of_each_part(condition)).collect();
        let mut said = said.into_iter();
        self.list.retain(|_| !said.next().unwrap_or(false));
    }

    /// `S open to D` is said of every part of S: of the first cells it can be asked before the last are chosen. `true` where
    /// all is said of parts.
    fn of_each_part(&mut self, condition: &Condition) -> bool {
        let Condition::GivensAllow(side, digits) = condition else { return false };
        let Operand { quantifier: Quantifier::Every, cells: Expr::Union(parts) } = side else { return false };
        let mut all = true;
        for part in parts {
            let side = Operand { quantifier: Quantifier::Every, cells: part.clone() };
            let condition = Condition::GivensAllow(side, digits.clone());
            let named = matches!(part, Expr::Var(_));
            if named {
                self.add(condition.clone());
            }
            all &= self.of_each_part(&condition) || named;
        }
        all
    }
}

/// The parts of a condition: `and` is split, and `= {a, b}` also says how many there are before a and b are known.
pub(super) fn split(condition: &Condition) -> Vec<Condition> {
    match condition {
        Condition::And(parts) => parts.iter().flat_map(split).collect(),
        Condition::Exactly(set, members) => {
            let count = Expr::Count(Box::new(set.clone()));
            let members = Expr::Number(members.len() as u32);
            vec![Condition::Compare(count, Comparison::Equal, members), condition.clone()]
        }
        other => vec![other.clone()],
    }
}

/// Whether two names stand for single things of one kind, which the language says are different.
pub(super) fn differ(variant: &Variant, a: VarId, b: VarId) -> bool {
    let (x, y) = (variant.var(a), variant.var(b));
    let named = |origin| matches!(origin, Origin::Chosen | Origin::Pattern);
    a != b
        && x.kind == y.kind
        && x.shape == VarShape::Single
        && y.shape == VarShape::Single
        && named(x.origin)
        && named(y.origin)
        && !matches!(x.kind, Kind::Number | Kind::Candidate)
}

fn as_single(condition: &Condition, family: VarId, index: VarId) -> Condition {
    condition.map_exprs(&|expr| match expr {
        Expr::Member(f, i) if *f == family && *i == index => Some(Expr::Var(family)),
        _ => None,
    })
}

/// The names that must have a value before, and those that get one.
pub(super) fn suppose_names(suppose: &Suppose) -> (Vec<VarId>, Vec<VarId>) {
    let (mut needs, mut gives) = (Vec::new(), Vec::new());
    match &suppose.cases {
        Cases::Candidate(name) | Cases::Not(name) | Cases::Either(name) => needs.push(*name),
        Cases::Literal(Literal { holds, fails }) => gives.extend([*holds, *fails]),
        Cases::Each(of) => needs.extend(of.names()),
    }
    if let InferenceMethods::Links { digits: Some(on), .. } | InferenceMethods::Singles { digits: Some(on) } =
        &suppose.methods
    {
        needs.extend(on.names());
    }
    if let Some(Literal { holds, fails }) = suppose.shows.literal() {
        gives.extend([holds, fails]);
    }
    (needs, gives)
}
