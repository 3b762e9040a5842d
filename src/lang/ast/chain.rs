//! Syntax trees of chains, loops, clusters, rings and suppositions. Kinds are not checked yet.

use super::{Expr, Ident, RuleName, Span, TermList, WeakLinks};
use serde::{Deserialize, Serialize};

/// `(x=y)A - (y)B = …`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedChain {
    pub nodes: Vec<EurekaNode>,
    /// The links between consecutive nodes; one link fewer than nodes.
    pub links: Vec<EurekaLink>,
}

/// `(x=y)A`: one or several digits of a cell, with the links between them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EurekaNode {
    pub span: Span,
    /// The digits, at least one.
    pub digits: Vec<Ident>,
    /// The links between consecutive digits; one link fewer than digits.
    pub links: Vec<EurekaLink>,
    /// The cell, or a set of cells.
    pub cell: Ident,
}

/// `=`, `-`, `=h=`, `-h-`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EurekaLink {
    pub span: Span,
    /// True for `=`, false for `-`.
    pub strong: bool,
    /// The house in `=h=` or `-h-`; `None` for `=` and `-`.
    pub house: Option<Ident>,
}

/// `chain on d from … { … }`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    pub span: Span,
    pub on: Option<Expr>,
    pub from: EndPoint,
    pub to: EndPoint,
    pub length: ChainLength,
    pub shortest: Option<Span>,
    pub links: LinkBlock,
}

/// The block of a chain, loop, cluster, ring or supposition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkBlock {
    /// The names in each `strong:` line.
    pub strong: Vec<Vec<Ident>>,
    /// The `weak:` lines, each with its bytes; a valid block has at most one.
    pub weak: Vec<(WeakLinks, Span)>,
    /// True if a line of the block is unreadable.
    pub broken: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EndPoint {
    /// `(z)A`: a digit in a cell.
    At(EurekaNode),
    /// `p`: a candidate.
    Candidate(Ident),
}

/// `2..4 strong links`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainLength {
    /// Bytes of the length.
    pub span: Span,
    pub low: u32,
    pub high: Option<u32>,
    pub unit: ChainUnit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChainUnit {
    Cells,
    StrongLinks,
    Links,
    Candidates,
}

/// `loop K on d coloured A, B, 2.. strong links, shortest { … }`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loop {
    pub span: Span,
    pub name: Ident,
    pub on: Option<Expr>,
    pub colours: Option<[Ident; 2]>,
    pub length: ChainLength,
    pub shortest: Option<Span>,
    pub links: LinkBlock,
}

/// `cluster on d coloured blue, green { … }`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cluster {
    pub span: Span,
    pub on: Option<Expr>,
    pub colours: [Ident; 2],
    pub links: LinkBlock,
}

/// `ring K on d, 5.. candidates, odd, guardians G { … }`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ring {
    pub span: Span,
    pub name: Ident,
    pub on: Option<Expr>,
    pub length: ChainLength,
    pub guardians: Ident,
    pub links: LinkBlock,
}

/// `suppose p using singles, reaches contradiction`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suppose {
    pub span: Span,
    pub cases: Cases,
    pub methods: InferenceMethods,
    pub shows: CaseResult,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cases {
    /// `p`
    Name(Ident),
    /// `not p`
    Not(Ident),
    /// `p, or not q`. In a valid rule, both names are the same.
    Either(Ident, Ident),
    /// `each of K`
    Each(TermList),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum InferenceMethods {
    /// `links on d, 0..3 strong links { … }`: the digits, the length and the block.
    Links(Option<Expr>, Option<ChainLength>, LinkBlock),
    /// `singles on d`: the digits.
    Singles(Option<Expr>),
    /// `rules a, b(2)`
    Rules(Vec<RuleName>),
}

/// The result that every case of a supposition must have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CaseResult {
    /// `reaches contradiction`
    Contradiction,
    /// `all imply q`, `all imply not q without contradiction`. The fields are the bytes of `not`, the name, and the
    /// bytes of `without contradiction`.
    AllImply(Option<Span>, Ident, Option<Span>),
}
