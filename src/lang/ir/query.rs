//! Questions that several readers ask of a rule. In: a rule, or a part of one. Out: the lines of a kind, and the parts of an expression or
//! a condition of a form.

use super::{Choose, Condition, Expr, PredicateId, Statement, Suppose, VarId, Variant};

impl Variant {
    /// The lines that choose a value.
    pub fn choices(&self) -> impl Iterator<Item = &Choose> {
        self.body.iter().filter_map(|statement| match statement {
            Statement::Choose(choose) => Some(choose),
            _ => None,
        })
    }

    /// The line that chooses the value of a name.
    pub fn choice(&self, name: VarId) -> Option<&Choose> {
        self.choices().find(|choose| choose.var == name)
    }

    /// The defined names with their values.
    pub fn lets(&self) -> impl Iterator<Item = (VarId, &Expr)> {
        self.body.iter().filter_map(|statement| match statement {
            Statement::Let { var, value } => Some((*var, value)),
            _ => None,
        })
    }

    /// The value of a defined name.
    pub fn definition(&self, name: VarId) -> Option<&Expr> {
        self.lets().find(|(defined, _)| *defined == name).map(|(_, value)| value)
    }

    /// The lines that suppose something.
    pub fn suppositions(&self) -> impl Iterator<Item = &Suppose> {
        self.body.iter().filter_map(Statement::supposition)
    }
}

impl Statement {
    /// Returns true if it is a pattern of links or supposes something, so that it stands for no conditions on names.
    pub fn is_graph_or_supposition(&self) -> bool {
        matches!(self, Statement::Graph(_) | Statement::Suppose(_))
    }

    /// Returns what is supposed, if it is a line that supposes something.
    pub fn supposition(&self) -> Option<&Suppose> {
        match self {
            Statement::Suppose(suppose) => Some(suppose),
            _ => None,
        }
    }
}

impl Condition {
    /// Returns the arguments of a named predicate, if the condition is that it holds.
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
    /// Returns the value of a number that depends on parameters only.
    pub fn constant(&self, args: &[u32]) -> Option<i64> {
        match self {
            Expr::Number(value) => Some(i64::from(*value)),
            Expr::Param(index) => args.get(*index).map(|&value| i64::from(value)),
            Expr::Add(a, b) => Some(a.constant(args)? + b.constant(args)?),
            Expr::Subtract(a, b) => Some(a.constant(args)? - b.constant(args)?),
            _ => None,
        }
    }

    /// Returns the name, if the expression is nothing else.
    pub fn as_var(&self) -> Option<VarId> {
        match self {
            Expr::Var(name) => Some(*name),
            _ => None,
        }
    }

    /// Returns true if the expression is this name.
    pub fn is(&self, name: VarId) -> bool {
        self.as_var() == Some(name)
    }

    /// Returns true if it is a number or a parameter, not computed.
    pub fn is_given(&self) -> bool {
        matches!(self, Expr::Number(_) | Expr::Param(_))
    }

    /// Returns true if the expression is all cells of the houses of this name.
    pub fn is_house_cells_of(&self, name: VarId) -> bool {
        matches!(self, Expr::HouseCells(houses) if houses.is(name))
    }

    /// Returns the parts of a union; of another expression itself alone.
    pub fn parts(&self) -> &[Expr] {
        match self {
            Expr::Union(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// Returns the digits and the cells of `D in C`.
    pub fn as_candidates(&self) -> Option<(&Expr, &Expr)> {
        match self {
            Expr::In(digits, cells) => Some((digits, cells)),
            _ => None,
        }
    }
}
