//! Expressions and conditions as written. In: the parser. Out: trees that do not know kinds yet.

use super::{Comparison, Ident, Span};
use serde::{Deserialize, Serialize};

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expr {
    /// Place of the whole.
    pub span: Span,
    /// Content of the expression.
    pub kind: ExprKind,
}

/// Content of an expression.
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
    Call(Ident, Box<Noun>),
    /// `cells seeing every s`: the first word, the determiner, the cells.
    Seeing(Ident, Option<(Determiner, Span)>, Vec<Element>),
    /// `candidates excluded by every K`: the determiner, the candidates.
    Excluded(Option<(Determiner, Span)>, Vec<Element>),
    /// `a + b + c`: the first, then what follows.
    Chain(Box<Expr>, Vec<Binary>),
    /// `( … )`: an expression or a condition.
    Paren(Box<Condition>),
    /// `those c in X with C`
    Those(Box<Those>),
}

/// `those c in X with C for d in D`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Those {
    /// The running name.
    pub index: Ident,
    /// Set that is filtered.
    pub over: Expr,
    /// Condition on a member.
    pub when: Condition,
    /// Loops around the condition.
    pub each: Vec<Each>,
}

/// `+ b`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binary {
    /// The operator.
    pub operator: Operator,
    /// Place of the sign.
    pub sign: Span,
    /// Right of it.
    pub right: Expr,
}

/// Between expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `&`
    And,
}

/// `D` or `D in C`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Element {
    /// Place of the whole.
    pub span: Span,
    /// Before `in`.
    pub left: Expr,
    /// After `in`.
    pub place: Option<Expr>,
}

/// `z in A, B`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noun {
    /// Place of the whole.
    pub span: Span,
    /// At least one.
    pub elements: Vec<Element>,
}

/// Before a noun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Determiner {
    /// `every`
    Every,
    /// `some`
    Some,
    /// `no`
    No,
}

/// A condition, or an expression that may turn out to be one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition {
    /// Joined by `and`.
    And(Vec<Condition>),
    /// Joined by `or`.
    Or(Vec<Condition>),
    /// `and` and `or` without parentheses: an error; where the two words stand.
    Mixed(Span, Span),
    /// `not`, where it stands.
    Not(Box<Condition>, Span),
    /// `some link by group`
    LinkedBy((Determiner, Span), Ident),
    /// `givens allow {x, y} in s`: the digits and, as their place, the cells.
    GivensAllow(Element),
    /// Anything else.
    Clause(Box<Clause>),
}

/// `every s has d`, `#s = 3`, `z in s`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clause {
    /// Place of the whole.
    pub span: Span,
    /// `every`, `some`, `no`.
    pub determiner: Option<(Determiner, Span)>,
    /// Subject of the sentence.
    pub subject: Noun,
    /// Statement about the subject; absent after a bare noun.
    pub predicate: Option<Predicate>,
}

/// Statement about a noun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Predicate {
    /// `= 3`
    Compare(Comparison, Element),
    /// `within A`
    Within(Element),
    /// `disjoint A`
    Disjoint(Element),
    /// `has x, y`, `sees every s`
    Relation {
        /// The relation.
        relation: Relation,
        /// Place of the word.
        word: Span,
        /// Before the list.
        determiner: Option<(Determiner, Span)>,
        /// None after a bare `parallel`.
        to: Option<Noun>,
    },
    /// `in one house`: the word after `one`.
    InOne(Ident),
    /// `connected`
    Connected(Span),
    /// `closed`
    Closed,
    /// `closed between k, l`
    ClosedBetween(Expr, Expr),
}

/// Relations that a list follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Relation {
    /// `has`
    Has,
    /// `lacks`
    Lacks,
    /// `sees`
    Sees,
    /// `meeting`
    Meeting,
    /// `avoiding`
    Avoiding,
    /// `through`
    Through,
    /// `crossing`
    Crossing,
    /// `parallel`
    Parallel,
}

/// `for d in D`, `for some d in D`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Each {
    /// Place of the whole.
    pub span: Span,
    /// `some`, if it says so.
    pub determiner: Option<(Determiner, Span)>,
    /// The running name.
    pub index: Ident,
    /// Set that the loop runs over.
    pub over: Expr,
}

impl Noun {
    /// Lists the expressions, if none has a place.
    pub fn exprs(&self) -> Option<Vec<&Expr>> {
        self.elements.iter().map(|element| element.place.is_none().then_some(&element.left)).collect()
    }
}

impl Element {
    /// The name, if it is nothing but a name.
    pub fn as_name(&self) -> Option<&Ident> {
        self.left.as_name().filter(|_| self.place.is_none())
    }
}

impl Expr {
    /// The name, if it is nothing but a name.
    pub fn as_name(&self) -> Option<&Ident> {
        match &self.kind {
            ExprKind::Name(ident) => Some(ident),
            _ => None,
        }
    }
}
