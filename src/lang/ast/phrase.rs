//! Syntax trees of expressions and conditions. Kinds are not checked yet.

use super::{Comparison, Ident, Span};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExprKind {
    /// `x`
    Name(Ident),
    /// `pincer[d]`
    Member(Ident, Ident),
    /// `3`
    Number(u32),
    /// `{x, y}`
    Set(Vec<Expr>),
    /// `#s`
    Count(Box<Expr>),
    /// `digits(s)`
    Call(Ident, Box<TermList>),
    /// `cells seeing every s`: the word before `seeing`, the determiner with its bytes, and the seen cells.
    Seeing(Ident, Option<(Determiner, Span)>, Vec<Term>),
    /// `candidates excluded by every K`: the determiner with its bytes, and the candidates.
    Excluded(Option<(Determiner, Span)>, Vec<Term>),
    /// `a + b + c`: the first operand, then each operator with its right operand.
    Infix(Box<Expr>, Vec<Infix>),
    /// `( … )`: an expression or a condition; lowering checks which of the two is needed.
    Paren(Box<Condition>),
    /// `those c in X with C`
    Filter(Box<Filter>),
}

/// `those c in X with C for d in D`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    pub loop_var: Ident,
    pub set: Expr,
    pub condition: Condition,
    pub for_clauses: Vec<ForClause>,
}

/// `+ b`: an operator with its right operand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Infix {
    pub operator: Operator,
    /// Bytes of the operator.
    pub sign: Span,
    pub right: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operator {
    Plus,
    Minus,
    /// `&`
    And,
}

/// `D` or `D in C`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Term {
    pub span: Span,
    /// The expression, before `in`.
    pub expr: Expr,
    /// The cells or houses after `in`; `None` without `in`.
    pub place: Option<Expr>,
}

/// `z in A, B`: a list of terms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermList {
    pub span: Span,
    /// The terms, at least one.
    pub terms: Vec<Term>,
}

/// A word before a list of terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Determiner {
    Every,
    Some,
    No,
}

/// A condition, or an expression where a condition is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition {
    /// Conditions joined by `and`.
    And(Vec<Condition>),
    /// Conditions joined by `or`.
    Or(Vec<Condition>),
    /// An error: `and` and `or` without parentheses. The fields are the bytes of an `and` and of an `or`.
    Mixed(Span, Span),
    /// `not C`: the condition, and the bytes of `not`.
    Not(Box<Condition>, Span),
    /// `some link by group`
    LinkedBy((Determiner, Span), Ident),
    /// `givens allow {x, y} in s`
    GivensAllow(Term),
    /// Any other condition.
    Clause(Box<Clause>),
}

/// `every s has d`, `#s = 3`, `z in s`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clause {
    pub span: Span,
    /// The determiner before the subject, with its bytes.
    pub determiner: Option<(Determiner, Span)>,
    pub subject: TermList,
    /// The predicate; `None` if the clause is only a list of terms.
    pub predicate: Option<Predicate>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Predicate {
    /// `= 3`
    Compare(Comparison, Term),
    /// `within A`
    Within(Term),
    /// `disjoint A`
    Disjoint(Term),
    /// `has x, y`, `sees every s`
    Relation {
        relation: Relation,
        /// Bytes of the word of the relation.
        word: Span,
        determiner: Option<(Determiner, Span)>,
        /// The object; `None` after `parallel` without an object.
        object: Option<TermList>,
    },
    /// `in one house`: the word after `one`.
    InOneHouse(Ident),
    /// `connected`: the bytes of the word.
    Connected(Span),
    Closed,
    /// `closed between k, l`
    ClosedBetween(Expr, Expr),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Relation {
    Has,
    Lacks,
    Sees,
    Meeting,
    Avoiding,
    Through,
    Crossing,
    Parallel,
}

/// `for d in D`, `for some d in D`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForClause {
    pub span: Span,
    pub determiner: Option<(Determiner, Span)>,
    pub loop_var: Ident,
    pub set: Expr,
}

impl TermList {
    /// Returns the expressions of the terms; `None` if a term has an `in`.
    pub fn exprs(&self) -> Option<Vec<&Expr>> {
        self.terms.iter().map(|term| if term.place.is_none() { Some(&term.expr) } else { None }).collect()
    }

    /// Returns the names, if every term is a name.
    pub fn names(&self) -> Option<Vec<&Ident>> {
        self.terms.iter().map(Term::as_name).collect()
    }
}

impl Term {
    pub fn as_name(&self) -> Option<&Ident> {
        if self.place.is_some() {
            return None;
        }
        self.expr.as_name()
    }
}

impl Expr {
    pub fn as_name(&self) -> Option<&Ident> {
        match &self.kind {
            ExprKind::Name(ident) => Some(ident),
            _ => None,
        }
    }
}
