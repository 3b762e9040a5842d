//! Queries on rules: lines by kind, and the parts of expressions and conditions.

use super::{Choose, Condition, Expr, Graph, PredicateId, Statement, Suppose, VarId, Variant};

impl Variant {
    pub fn choices(&self) -> impl Iterator<Item = &Choose> {
        self.body.iter().filter_map(|statement| match statement {
            Statement::Choose(choose) => Some(choose),
            _ => None,
        })
    }

    pub fn choice(&self, name: VarId) -> Option<&Choose> {
        self.choices().find(|choose| choose.var == name)
    }

    /// Returns the `let` names with their values.
    pub fn lets(&self) -> impl Iterator<Item = (VarId, &Expr)> {
        self.body.iter().filter_map(|statement| match statement {
            Statement::Let { var, value } => Some((*var, value)),
            _ => None,
        })
    }

    /// Returns the value of a `let` name.
    pub fn definition(&self, name: VarId) -> Option<&Expr> {
        self.lets().find(|(var, _)| *var == name).map(|(_, value)| value)
    }

    pub fn suppositions(&self) -> impl Iterator<Item = &Suppose> {
        self.body.iter().filter_map(Statement::supposition)
    }
}

impl Statement {
    /// Returns true for a graph pattern or a supposition, which cannot be expressed as conditions.
    pub fn is_graph_or_supposition(&self) -> bool {
        matches!(self, Statement::Graph(_) | Statement::Suppose(_))
    }

    /// Returns the pattern of a chain of open length, a loop, a cluster or a ring.
    pub fn graph(&self) -> Option<&Graph> {
        match self {
            Statement::Graph(graph) => Some(graph),
            _ => None,
        }
    }

    pub fn supposition(&self) -> Option<&Suppose> {
        match self {
            Statement::Suppose(suppose) => Some(suppose),
            _ => None,
        }
    }
}

impl Condition {
    /// Returns the arguments, if the condition is this named predicate.
    pub fn args_of(&self, predicate: PredicateId) -> Option<&[Expr]> {
        match self {
            Condition::Predicate(id, args, _) if *id == predicate => Some(args),
            _ => None,
        }
    }
}

impl From<VarId> for Expr {
    fn from(name: VarId) -> Expr {
        Expr::Var(name)
    }
}

impl Expr {
    /// Evaluates a number under the parameter values `args`; `None` for an expression that depends on the grid.
    pub fn constant(&self, args: &[u32]) -> Option<i64> {
        match self {
            Expr::Number(value) => Some(i64::from(*value)),
            Expr::Param(index) => args.get(*index).map(|&value| i64::from(value)),
            Expr::Add(a, b) => Some(a.constant(args)? + b.constant(args)?),
            Expr::Subtract(a, b) => Some(a.constant(args)? - b.constant(args)?),
            _ => None,
        }
    }

    pub fn as_var(&self) -> Option<VarId> {
        match self {
            Expr::Var(name) => Some(*name),
            _ => None,
        }
    }

    pub fn is(&self, name: VarId) -> bool {
        self.as_var() == Some(name)
    }

    /// Returns true if the expression is the set of all cells of the houses of this name.
    pub fn is_house_cells_of(&self, name: VarId) -> bool {
        matches!(self, Expr::HouseCells(houses) if houses.is(name))
    }

    /// Returns the members of a union; for another expression, the expression as the only member.
    pub fn parts(&self) -> &[Expr] {
        match self {
            Expr::Union(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// Returns the digits and the cells of `D in C`.
    pub fn as_candidates(&self) -> Option<(&Expr, &Expr)> {
        match self {
            Expr::CandidatesIn(digits, cells) => Some((digits, cells)),
            _ => None,
        }
    }
}
