//! Patterns of any size in the graph of nodes and links: chains, loops, clusters and rings.
//!
//! A node is a set of candidates of one digit: a single candidate, or the end of a strong link. Two nodes have a weak
//! link if every candidate of one node excludes every candidate of the other node. Weak links are derived from the
//! board.

use super::{Expr, Length, OpenChain, VarId, WeakLinks};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Graph {
    /// `on d`: the digits that nodes may have; `None`: any digit.
    pub digits: Option<Expr>,
    /// Names of link sources, as in `strong: cell, house`.
    pub strong: Vec<String>,
    pub shape: LinkShape,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LinkShape {
    Chain(OpenChain),
    Loop(Loop),
    Cluster(Cluster),
    Ring(Ring),
}

impl Graph {
    pub fn chain(&self) -> Option<&OpenChain> {
        match &self.shape {
            LinkShape::Chain(chain) => Some(chain),
            _ => None,
        }
    }

    /// Returns the names that a match of the pattern binds.
    pub fn names(&self) -> Vec<VarId> {
        self.shape.clone().names_mut().into_iter().map(|name| *name).collect()
    }
}

impl LinkShape {
    /// Returns the names that a match of the pattern binds, for replacement.
    pub(super) fn names_mut(&mut self) -> Vec<&mut VarId> {
        match self {
            LinkShape::Chain(OpenChain { from, to, .. }) => {
                from.names_mut().into_iter().chain(to.names_mut()).collect()
            }
            LinkShape::Loop(pattern) => {
                [&mut pattern.name].into_iter().chain(pattern.colours.iter_mut().flatten()).collect()
            }
            LinkShape::Cluster(pattern) => pattern.colours.iter_mut().collect(),
            LinkShape::Ring(pattern) => vec![&mut pattern.name, &mut pattern.guardians],
        }
    }
}

/// A closed chain of alternating strong and weak links. Exactly one node of each link is true.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Loop {
    pub name: VarId,
    /// The names of two sets: the candidates of every other node, and the candidates of the remaining nodes. The nodes
    /// of one set are all true, and the nodes of the other set are all false. Each set is tried under both names.
    /// `None` if the rule names no colours.
    pub colours: Option<[VarId; 2]>,
    /// Allowed length. A loop of n [`LengthUnit::StrongLinks`](super::LengthUnit) has 2n links.
    pub length: Length,
    pub weak: WeakLinks,
}

/// A connected component of candidates, joined by links that are both strong and weak. The component has two colours:
/// all candidates of one colour are true, and all candidates of the other colour are false. Each colour is tried under
/// both names. Links whose nodes have several candidates are ignored.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cluster {
    /// The candidates of each colour: two non-empty sets.
    pub colours: [VarId; 2],
}

/// An odd cycle of candidates. Exactly one of two consecutive candidates is true, unless a guardian of their link is
/// true. Truth cannot alternate around an odd cycle, so at least one guardian is true.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ring {
    pub name: VarId,
    pub low: u32,
    /// The set of guardians of all links.
    pub guardians: VarId,
}
