//! Chains in the IR: chains of fixed length in Eureka notation, chains of open length, and the sources of strong links.

use super::{Condition, Expr, Kind, Operand, PredicateId, Var, VarId, VarShape, Variant};
use serde::{Deserialize, Serialize};

/// A chain of fixed length. Strong and weak links alternate, and the first and the last link are strong. So at least
/// one of the two end nodes is true.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FixedChain {
    /// At least two nodes.
    pub nodes: Vec<LinkNode>,
    /// The links between consecutive nodes; one link fewer than nodes.
    pub links: Vec<FixedChainLink>,
}

/// A digit in a cell or in a set of cells. With a set of cells, the node consists of all candidates of the digit in
/// these cells, and at least one candidate must be present.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LinkNode {
    pub digit: VarId,
    /// A name of kind cell. Its value is one cell or a set of cells.
    pub cells: VarId,
}

/// A link of a fixed chain, from a node to the next node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FixedChainLink {
    /// True for a strong link (`=`), false for a weak link (`-`).
    pub strong: bool,
    /// The house in `=h=` or `-h-` that contains both nodes; `None` if the rule names no house.
    pub house: Option<VarId>,
}

/// A source of strong links: a pattern over two nodes that are not both false.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkSource {
    /// The name used in `strong:`.
    pub id: String,
    /// The lines of its `///` comment.
    pub doc: Vec<String>,
    pub left: LinkNode,
    pub right: LinkNode,
    /// The pattern under which the link exists. Its guardians are for rings: the link holds unless a guardian is true.
    /// The conclusions of the pattern are for loops: they hold if exactly one of the two nodes is true.
    pub pattern: Variant,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OpenChain {
    pub from: ChainEnd,
    /// Last end. If `to` and `from` are the same name, the chain returns to its first node, and the first node is true.
    pub to: ChainEnd,
    pub length: Length,
    pub weak: WeakLinks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ChainEnd {
    /// `(z)A`: a digit and a cell.
    At(LinkNode),
    /// `p`: a name of kind candidate. A single name is the candidate at the end. A name of a set stands for any node,
    /// and the chain binds the name to the candidates of the node.
    Candidate(VarId),
}

impl ChainEnd {
    /// Returns the names of the end: a digit and a cell, or a candidate.
    pub fn names(mut self) -> Vec<VarId> {
        self.names_mut().into_iter().map(|name| *name).collect()
    }

    pub(super) fn names_mut(&mut self) -> Vec<&mut VarId> {
        match self {
            ChainEnd::At(LinkNode { digit, cells }) => vec![digit, cells],
            ChainEnd::Candidate(name) => vec![name],
        }
    }
}

/// Bounds on the length of a chain, both inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Length {
    pub low: u32,
    pub high: Option<u32>,
    pub unit: LengthUnit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LengthUnit {
    /// Strong links. A chain with n strong links has 2n nodes.
    StrongLinks,
    /// All links, strong and weak.
    Links,
    /// Runs of consecutive nodes in one cell.
    Cells,
}

/// The weak links that a chain may use. Weak links are derived from the board, never declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum WeakLinks {
    Any,
    /// Weak links between two digits of a cell.
    Cell,
    /// Weak links between two candidates of one digit.
    SameDigit,
}

impl FixedChain {
    /// Returns the names of the nodes, followed by the names of the houses of the links.
    pub fn names(&self) -> Vec<VarId> {
        let nodes = self.nodes.iter().flat_map(|node| [node.digit, node.cells]);
        nodes.chain(self.links.iter().filter_map(|link| link.house)).collect()
    }

    /// Returns the chain as conditions on its names; `vars` are the declarations of the names.
    ///
    /// - Strong link between two digits of one cell: the cell has exactly these two candidates.
    /// - Strong link between two digits of a set of cells: the set is almost locked.
    /// - Strong link of one digit: some house has the digit in these two nodes only.
    /// - Weak link: the nodes have the same cell, or they have the same digit and every cell of one node sees every
    ///   cell of the other node.
    /// - A link with a house: both nodes lie in the house.
    pub fn conditions(&self, vars: &[Var]) -> Vec<Condition> {
        let is_set = |node: &LinkNode| vars[node.cells.0].shape != VarShape::Single;
        let mut conditions: Vec<Condition> = Vec::new();
        for node in &self.nodes {
            conditions.push(match is_set(node) {
                true => Condition::NotEmpty(node.candidates()),
                false => Condition::Has(Operand::every(Expr::Var(node.cells)), Expr::Var(node.digit)),
            });
        }
        for (link, pair) in self.links.iter().zip(self.nodes.windows(2)) {
            let a = pair[0];
            let b = pair[1];
            let has_set = is_set(&a) || is_set(&b);
            conditions.extend(match link.house {
                Some(house) => {
                    debug_assert!(matches!(vars[house.0].kind, Kind::House(_)));
                    if has_set {
                        sets_in_house(link.strong, house, a, b)
                    } else {
                        cells_in_house(link.strong, house, a, b)
                    }
                }
                None => link_in_any_house(link.strong, has_set, a, b),
            });
        }
        conditions
    }
}

impl LinkNode {
    fn candidates(&self) -> Expr {
        Expr::CandidatesIn(Box::new(Expr::Var(self.digit)), Box::new(Expr::Var(self.cells)))
    }

    /// Returns the cells of the node that have its digit as a candidate.
    fn candidate_cells(&self) -> Expr {
        Expr::CellsOf(Box::new(self.candidates()))
    }
}

/// Returns the cells of a house that have the digit of a node as a candidate.
fn digit_cells_in_house(node: LinkNode, house: VarId) -> Expr {
    let cells = Expr::HouseCells(Box::new(Expr::Var(house)));
    Expr::CellsOf(Box::new(Expr::CandidatesIn(Box::new(Expr::Var(node.digit)), Box::new(cells))))
}

/// Returns the conditions of a link between single cells in a house.
fn cells_in_house(strong: bool, house: VarId, a: LinkNode, b: LinkNode) -> Vec<Condition> {
    if strong {
        return vec![Condition::Exactly(digit_cells_in_house(a, house), vec![a.cells, b.cells])];
    }
    let house_cells = Expr::HouseCells(Box::new(Expr::Var(house)));
    [a, b].map(|node| Condition::Within(Expr::Var(node.cells), house_cells.clone())).to_vec()
}

/// Returns the conditions of a link in a house between nodes of which at least one has a set of cells.
fn sets_in_house(strong: bool, house: VarId, a: LinkNode, b: LinkNode) -> Vec<Condition> {
    if strong {
        let both = Expr::Union(vec![a.candidate_cells(), b.candidate_cells()]);
        return vec![Condition::Equal(digit_cells_in_house(a, house), both)];
    }
    let house_cells = Expr::HouseCells(Box::new(Expr::Var(house)));
    vec![
        Condition::Within(a.candidate_cells(), house_cells.clone()),
        Condition::Within(b.candidate_cells(), house_cells),
        Condition::Disjoint(a.candidate_cells(), b.candidate_cells()),
    ]
}

/// Returns the conditions of a link without a named house; `has_set` is true if a node has a set of cells.
fn link_in_any_house(strong: bool, has_set: bool, a: LinkNode, b: LinkNode) -> Vec<Condition> {
    let is_in_one_cell = a.cells == b.cells;
    if strong && is_in_one_cell {
        return vec![match has_set {
            true => Condition::AlmostLocked(Expr::Var(a.cells), 1),
            false => Condition::Exactly(Expr::Digits(Box::new(Expr::Var(a.cells))), vec![a.digit, b.digit]),
        }];
    }
    if strong {
        return vec![PredicateId::Conjugate.applied_to([a.digit, a.cells, b.cells].map(Expr::Var).to_vec())];
    }
    if is_in_one_cell {
        // Two digits of a cell exclude each other without a further condition.
        return Vec::new();
    }
    let cells = |node: LinkNode| if has_set { node.candidate_cells() } else { Expr::Var(node.cells) };
    vec![Condition::Sees(Operand::every(cells(a)), Operand::every(cells(b)))]
}
