//! Suppositions as written. In: the parser. Out: trees that do not know kinds yet.

use super::{ChainLength, Expr, Ident, Links, Member, Noun, Span};
use serde::{Deserialize, Serialize};

/// `suppose p using singles, reaches contradiction`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suppose {
    /// The header.
    pub span: Span,
    /// Cases.
    pub cases: Cases,
    /// After `using`.
    pub means: InferenceMethods,
    /// Result that every case must have.
    pub shows: Shows,
}

/// Cases of a supposition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cases {
    /// `p`
    One(Ident),
    /// `not p`
    Not(Ident),
    /// `p, or not p`
    Either(Ident, Ident),
    /// `each of K`
    Each(Noun),
}

/// After `using`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum InferenceMethods {
    /// `links on d, 0..3 strong links`, with the block.
    Links(Option<Expr>, Option<ChainLength>, Links),
    /// `singles on d`
    Singles(Option<Expr>),
    /// `rules a, b(2)`
    Rules(Vec<Member>),
}

/// Result that every case of a supposition must have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shows {
    /// `reaches contradiction`
    Contradiction,
    /// `all imply q`, `all imply not q without contradiction`: where `not` stands, the name, and where `without
    /// contradiction` stands.
    AllImply(Option<Span>, Ident, Option<Span>),
}
