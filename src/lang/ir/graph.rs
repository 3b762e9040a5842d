//! Loops, clusters and rings of the checked form: patterns in the graph of nodes and links, of any size.
//!
//! A node is a set of candidates of one digit: a candidate, or what a link source has as an end. Two nodes are linked
//! weakly where every candidate of one excludes every candidate of the other; that is derived from the board.

use super::{Expr, Length, VarId, Weak};
use serde::{Deserialize, Serialize};

/// Strong and weak links in turn, back to the start: of each link just one end is true.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Loop {
    /// `on d`: the digits that nodes may have; `None` is any.
    pub on: Option<Expr>,
    /// All candidates of its nodes: a set.
    pub name: VarId,
    /// The candidates of every other node, and of those between them: all of one are true and all of the other false. Both
    /// ways to name the two are tried. `None` where only its links are spoken of.
    pub colours: Option<[VarId; 2]>,
    /// How long it may be; [`LengthUnit::StrongLinks`](super::LengthUnit) of n are 2n links.
    pub length: Length,
    /// Names of link sources.
    pub strong: Vec<String>,
    /// Which weak links it may use.
    pub weak: Weak,
}

/// A whole component of candidates joined by links that are strong and weak at once, in two colours: all of one colour
/// are true and all of the other are false, one way or the other. Both ways to name the two are tried.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cluster {
    /// `on d`: the digits of its candidates; `None` is any.
    pub on: Option<Expr>,
    /// The candidates of each colour: two sets, neither empty.
    pub colours: [VarId; 2],
    /// Names of link sources. Links of nodes with more than one candidate are left out.
    pub strong: Vec<String>,
}

/// An odd number of candidates in a circle, each next two joined by a link that is strong and weak at once once its
/// source's guardians are put aside. Without the guardians it cannot be, so one of them is true.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ring {
    /// `on d`: the digits of its candidates; `None` is any.
    pub on: Option<Expr>,
    /// The candidates of the circle: a set.
    pub name: VarId,
    /// Minimum number of candidates.
    pub low: u32,
    /// The guardians of all its links together: a set.
    pub guardians: VarId,
    /// Names of link sources.
    pub strong: Vec<String>,
}
