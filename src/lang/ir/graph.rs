//! Patterns of the checked form in the graph of nodes and links, of any size: chains, loops, clusters and rings.
//!
//! A node is a set of candidates of one digit: a candidate, or what a link source has as an end. Two nodes are linked
//! weakly where every candidate of one excludes every candidate of the other; that is derived from the board.

use super::{Chain, ChainEnd, Expr, Length, TrailNode, VarId, WeakLinks};
use serde::{Deserialize, Serialize};

/// A pattern in the graph of nodes and links.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Graph {
    /// `on d`: the digits that nodes may have; `None` is any.
    pub digits: Option<Expr>,
    /// Names of link sources, as in `strong: cell, house`.
    pub strong: Vec<String>,
    /// The arrangement of its links.
    pub shape: LinkShape,
}

/// An arrangement of strong and weak links.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LinkShape {
    /// From one end to the other.
    Chain(Chain),
    /// Closed.
    Loop(Loop),
    /// A component in two colours.
    Cluster(Cluster),
    /// A closed walk of odd length, except for guardians.
    Ring(Ring),
}

impl Graph {
    /// Returns the open chain, if it is one.
    pub fn chain(&self) -> Option<&Chain> {
        match &self.shape {
            LinkShape::Chain(chain) => Some(chain),
            _ => None,
        }
    }

    /// Returns the names that a match of it gives values to.
    pub fn names(&self) -> Vec<VarId> {
        match &self.shape {
            LinkShape::Chain(chain) => [chain.from, chain.to].into_iter().flat_map(ChainEnd::names).collect(),
            LinkShape::Loop(one) => std::iter::once(one.name).chain(one.colours.into_iter().flatten()).collect(),
            LinkShape::Cluster(one) => one.colours.to_vec(),
            LinkShape::Ring(one) => vec![one.name, one.guardians],
        }
    }
}

impl ChainEnd {
    /// Returns its names: a digit and a cell, or a candidate.
    pub fn names(self) -> Vec<VarId> {
        match self {
            ChainEnd::At(TrailNode { digit, cell }) => vec![digit, cell],
            ChainEnd::Candidate(name) => vec![name],
        }
    }
}

/// Strong and weak links in turn, back to the start: of each link just one end is true.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Loop {
    /// All candidates of its nodes: a set.
    pub name: VarId,
    /// The candidates of every other node, and of those between them: all of one are true and all of the other false. Both
    /// ways to name the two are tried. `None` where only its links are spoken of.
    pub colours: Option<[VarId; 2]>,
    /// Allowed length; n [`LengthUnit::StrongLinks`](super::LengthUnit) are 2n links.
    pub length: Length,
    /// Which weak links it may use.
    pub weak: WeakLinks,
}

/// A whole component of candidates joined by links that are strong and weak at once, in two colours: all of one colour
/// are true and all of the other are false, one way or the other. Both ways to name the two are tried. Links of nodes with
/// more than one candidate are left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cluster {
    /// The candidates of each colour: two sets, neither empty.
    pub colours: [VarId; 2],
}

/// An odd number of candidates in a circle, each next two joined by a link that is strong and weak at once once its
/// source's guardians are excepted. Without a true guardian such a circle is impossible, so one of them is true.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ring {
    /// The candidates of the circle: a set.
    pub name: VarId,
    /// Minimum number of candidates.
    pub low: u32,
    /// The guardians of all its links together: a set.
    pub guardians: VarId,
}
