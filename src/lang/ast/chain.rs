//! Syntax trees of chains, loops, clusters, rings and suppositions. Kinds are not checked yet.

use super::{Expr, Ident, RuleName, Span, TermList, WeakLinks};
use serde::{Deserialize, Serialize};

/// `(x=y)A - (y)B = …`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedChain {
    /// The nodes, in order.
    pub nodes: Vec<EurekaNode>,
    /// The links between consecutive nodes; one link fewer than nodes.
    pub links: Vec<EurekaLink>,
}

/// `(x=y)A`: one or several digits of a cell, with the links between them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EurekaNode {
    /// Bytes of the node.
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
    /// Bytes of the link.
    pub span: Span,
    /// True for `=`, false for `-`.
    pub strong: bool,
    /// The house in `=h=` or `-h-`; `None` for `=` and `-`.
    pub house: Option<Ident>,
}

/// `chain on d from … { … }`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    /// Bytes of the header.
    pub span: Span,
    /// The digits after `on`.
    pub on: Option<Expr>,
    /// The end after `from`.
    pub from: EndPoint,
    /// The end after `to`.
    pub to: EndPoint,
    /// `3.. cells`
    pub length: ChainLength,
    /// Bytes of the word `shortest`.
    pub shortest: Option<Span>,
    /// The lines of the block.
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

/// An end of a chain.
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
    /// Minimum.
    pub low: u32,
    /// Maximum, if given.
    pub high: Option<u32>,
    /// Unit of both numbers.
    pub unit: ChainUnit,
}

/// The unit of a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChainUnit {
    /// `cells`
    Cells,
    /// `strong links`
    StrongLinks,
    /// `links`
    Links,
    /// `candidates`
    Candidates,
}

/// `loop K on d coloured A, B, 2.. strong links, shortest { … }`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loop {
    /// Bytes of the header.
    pub span: Span,
    /// The name of the loop.
    pub name: Ident,
    /// The digits after `on`.
    pub on: Option<Expr>,
    /// The two names after `coloured`.
    pub colours: Option<[Ident; 2]>,
    /// `2.. strong links`
    pub length: ChainLength,
    /// Bytes of the word `shortest`.
    pub shortest: Option<Span>,
    /// The lines of the block.
    pub links: LinkBlock,
}

/// `cluster on d coloured blue, green { … }`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cluster {
    /// Bytes of the header.
    pub span: Span,
    /// The digits after `on`.
    pub on: Option<Expr>,
    /// The two names after `coloured`.
    pub colours: [Ident; 2],
    /// The lines of the block.
    pub links: LinkBlock,
}

/// `ring K on d, 5.. candidates, odd, guardians G { … }`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ring {
    /// Bytes of the header.
    pub span: Span,
    /// The name of the ring.
    pub name: Ident,
    /// The digits after `on`.
    pub on: Option<Expr>,
    /// `5.. candidates`
    pub length: ChainLength,
    /// The name of the set of guardians.
    pub guardians: Ident,
    /// The lines of the block.
    pub links: LinkBlock,
}

/// `suppose p using singles, reaches contradiction`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suppose {
    /// Bytes of the header.
    pub span: Span,
    /// The cases after `suppose`.
    pub cases: Cases,
    /// The methods after `using`.
    pub methods: InferenceMethods,
    /// The result that every case must have.
    pub shows: CaseResult,
}

/// The cases of a supposition.
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

/// The methods of inference under a supposition.
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
