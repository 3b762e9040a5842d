//! Chains, loops, clusters, rings and suppositions as written. In: the parser. Out: trees that do not know kinds yet.

use super::{Expr, Ident, Noun, RuleName, Span, WeakLinks};
use serde::{Deserialize, Serialize};

/// `(x=y)A - (y)B = …`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trail {
    /// In order.
    pub stops: Vec<EurekaNode>,
    /// Between the stops; one fewer.
    pub links: Vec<EurekaLink>,
}

/// `(x=y)A`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Stop")]
pub struct EurekaNode {
    /// Place of the whole.
    pub span: Span,
    /// The digits.
    pub digits: Vec<Ident>,
    /// The links between them.
    pub links: Vec<EurekaLink>,
    /// The cell.
    pub cell: Ident,
}

/// `=`, `-`, `=h=`, `-h-`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Link")]
pub struct EurekaLink {
    /// Place of the whole.
    pub span: Span,
    /// True for `=`.
    pub strong: bool,
    /// The house between the marks.
    pub house: Option<Ident>,
}

/// `chain on d from … { … }`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    /// The header.
    pub span: Span,
    /// `on d`
    pub on: Option<Expr>,
    /// `from …`
    pub from: EndPoint,
    /// `to …`
    pub to: EndPoint,
    /// `3.. cells`
    pub length: ChainLength,
    /// `shortest`
    pub shortest: Option<Span>,
    /// The block.
    pub links: LinkBlock,
}

/// The block of a chain and of what is like one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Links")]
pub struct LinkBlock {
    /// The `strong:` lines.
    pub strong: Vec<Vec<Ident>>,
    /// The `weak:` lines.
    pub weak: Vec<(WeakLinks, Span)>,
    /// True if a line of the block could not be read.
    pub broken: bool,
}

/// `(z)A` or `p`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EndPoint {
    /// A digit in a cell.
    At(EurekaNode),
    /// A candidate.
    Candidate(Ident),
}

/// `2..4 strong links`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainLength {
    /// Place of the whole.
    pub span: Span,
    /// Lowest value.
    pub low: u32,
    /// Highest value, if given.
    pub high: Option<u32>,
    /// The things counted.
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
    /// The header.
    pub span: Span,
    /// `K`
    pub name: Ident,
    /// `on d`
    pub on: Option<Expr>,
    /// `coloured A, B`
    pub colours: Option<[Ident; 2]>,
    /// `2.. strong links`
    pub length: ChainLength,
    /// `shortest`
    pub shortest: Option<Span>,
    /// The block.
    pub links: LinkBlock,
}

/// `cluster on d coloured blue, green { … }`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cluster {
    /// The header.
    pub span: Span,
    /// `on d`
    pub on: Option<Expr>,
    /// `blue, green`
    pub colours: [Ident; 2],
    /// The block.
    pub links: LinkBlock,
}

/// `ring K on d, 5.. candidates, odd, guardians G { … }`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ring {
    /// The header.
    pub span: Span,
    /// `K`
    pub name: Ident,
    /// `on d`
    pub on: Option<Expr>,
    /// `5.. candidates`
    pub length: ChainLength,
    /// `G`
    pub guardians: Ident,
    /// The block.
    pub links: LinkBlock,
}

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
    pub shows: CaseResult,
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
    Links(Option<Expr>, Option<ChainLength>, LinkBlock),
    /// `singles on d`
    Singles(Option<Expr>),
    /// `rules a, b(2)`
    Rules(Vec<RuleName>),
}

/// Result that every case of a supposition must have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CaseResult {
    /// `reaches contradiction`
    Contradiction,
    /// `all imply q`, `all imply not q without contradiction`: where `not` stands, the name, and where `without
    /// contradiction` stands.
    AllImply(Option<Span>, Ident, Option<Span>),
}
