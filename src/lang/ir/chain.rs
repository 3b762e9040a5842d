//! Chains of the checked form: fixed ones in Eureka notation and open ones, and the sources of strong links.

use super::{Condition, Expr, Kind, Operand, PredicateId, Quantifier, Var, VarId, VarShape, Variant};
use serde::{Deserialize, Serialize};

/// A chain of fixed length: nodes and, between each two, a link. Begins and ends with a strong link, and
/// strong and weak ones alternate, so its left end or its right end is true.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Trail {
    /// At least two nodes.
    pub nodes: Vec<TrailNode>,
    /// One fewer.
    pub links: Vec<TrailLink>,
}

/// A digit in a cell, or in a set of cells. For a set, the node is its candidates there, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TrailNode {
    /// A name of kind digit.
    pub digit: VarId,
    /// A name of kind cell: one cell, or a set.
    pub cell: VarId,
}

/// The link to the next node, with the house it lies in where the author named it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TrailLink {
    /// `=` or `-`.
    pub strong: bool,
    /// The name in `=h=` or `-h-`.
    pub house: Option<VarId>,
}

/// A source of strong links: a pattern over two nodes that are not both false.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkSource {
    /// The name used in `strong:`.
    pub id: String,
    /// The lines of its `///` comment.
    pub doc: Vec<String>,
    /// One end.
    pub left: TrailNode,
    /// The other end.
    pub right: TrailNode,
    /// The pattern that makes the link. Its guardians are candidates without which the link would hold: only rings take such
    /// links. Its conclusions follow if exactly one end is true: loops use them.
    pub pattern: Variant,
}

/// A chain of open length from one end to the other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Chain {
    /// First end.
    pub from: ChainEnd,
    /// Last end. The same name as `from` means a chain back to its first node, which is then true.
    pub to: ChainEnd,
    /// Allowed length.
    pub length: Length,
    /// Which weak links it may use.
    pub weak: WeakLinks,
}

/// An end of an open chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ChainEnd {
    /// `(z)A`: a digit and a cell.
    At(TrailNode),
    /// `p`: a name of kind candidate. One thing is a candidate, a set is the candidates of any node.
    Candidate(VarId),
}

/// Bounds on the length, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Length {
    /// At least.
    pub low: u32,
    /// At most, if there is a bound.
    pub high: Option<u32>,
    /// Unit of the numbers.
    pub unit: LengthUnit,
}

/// The unit of the length of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LengthUnit {
    /// Strong links: n of them are 2n nodes.
    StrongLinks,
    /// All links.
    Links,
    /// Runs of nodes in one cell.
    Cells,
}

/// Which weak links a chain may use; they are always derived from the board, never declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum WeakLinks {
    /// All.
    Any,
    /// Between two digits of a cell.
    Cell,
    /// Between two places of a digit.
    SameDigit,
}

impl Trail {
    /// Returns the names of its nodes and of the houses of its links.
    pub fn names(&self) -> Vec<VarId> {
        let nodes = self.nodes.iter().flat_map(|node| [node.digit, node.cell]);
        nodes.chain(self.links.iter().filter_map(|link| link.house)).collect()
    }

    /// Returns the links as conditions on the names, given the declarations they refer to.
    ///
    /// A strong link in one cell: its candidates are the two digits; in a set of cells: it is almost locked. A strong
    /// link of one digit: in some house it has these places only. A weak link is exclusion: one cell, or one digit
    /// where each place of the one end sees each of the other. A named house holds both ends.
    pub fn conditions(&self, vars: &[Var]) -> Vec<Condition> {
        let is_set = |node: &TrailNode| vars[node.cell.0].shape != VarShape::Single;
        let mut out = Vec::new();
        for node in &self.nodes {
            out.push(match is_set(node) {
                true => Condition::Some(node.candidates()),
                false => Condition::Has(Operand::every(Expr::Var(node.cell)), Expr::Var(node.digit)),
            });
        }
        for (link, pair) in self.links.iter().zip(self.nodes.windows(2)) {
            let (a, b) = (pair[0], pair[1]);
            let sets = is_set(&a) || is_set(&b);
            if let Some(house) = link.house {
                debug_assert!(matches!(vars[house.0].kind, Kind::House(_)));
                out.extend(if sets {
                    sets_in_house(link.strong, house, a, b)
                } else {
                    in_house(link.strong, house, a, b)
                });
            } else {
                out.extend(anywhere(link.strong, sets, a, b));
            }
        }
        out
    }
}

impl TrailNode {
    /// Returns the candidates of the node.
    fn candidates(&self) -> Expr {
        Expr::In(Box::new(Expr::Var(self.digit)), Box::new(Expr::Var(self.cell)))
    }

    /// The cells that have its digit.
    fn places(&self) -> Expr {
        Expr::UnsolvedCells(Box::new(self.candidates()))
    }
}

fn in_house(strong: bool, house: VarId, a: TrailNode, b: TrailNode) -> Vec<Condition> {
    let cells = Expr::HouseCells(Box::new(Expr::Var(house)));
    if strong {
        let places = Expr::UnsolvedCells(Box::new(Expr::In(Box::new(Expr::Var(a.digit)), Box::new(cells))));
        vec![Condition::Exactly(places, vec![a.cell, b.cell])]
    } else {
        vec![Condition::Within(Expr::Var(a.cell), cells.clone()), Condition::Within(Expr::Var(b.cell), cells)]
    }
}

fn sets_in_house(strong: bool, house: VarId, a: TrailNode, b: TrailNode) -> Vec<Condition> {
    let cells = Expr::HouseCells(Box::new(Expr::Var(house)));
    if strong {
        let places = Expr::UnsolvedCells(Box::new(Expr::In(Box::new(Expr::Var(a.digit)), Box::new(cells))));
        vec![Condition::Equal(places, Expr::Union(vec![a.places(), b.places()]))]
    } else {
        vec![
            Condition::Within(a.places(), cells.clone()),
            Condition::Within(b.places(), cells),
            Condition::Disjoint(a.places(), b.places()),
        ]
    }
}

fn anywhere(strong: bool, sets: bool, a: TrailNode, b: TrailNode) -> Vec<Condition> {
    match (strong, a.cell == b.cell) {
        (true, true) if sets => vec![Condition::AlmostLocked(Expr::Var(a.cell), 1)],
        (true, true) => vec![Condition::Exactly(Expr::Digits(Box::new(Expr::Var(a.cell))), vec![a.digit, b.digit])],
        (true, false) => vec![PredicateId::Conjugate.applied_to([a.digit, a.cell, b.cell].map(Expr::Var).to_vec())],
        (false, true) => Vec::new(),
        (false, false) if sets => vec![Condition::Sees(Operand::every(a.places()), Operand::every(b.places()))],
        (false, false) => vec![Condition::Sees(Operand::every(Expr::Var(a.cell)), Operand::every(Expr::Var(b.cell)))],
    }
}

impl Operand {
    /// Each member of a set.
    pub fn every(of: Expr) -> Operand {
        Operand { quantifier: Quantifier::Every, cells: of }
    }
}
