//! Which cells and houses of a world each name may stand for. In: a variant and a world's shape. Out: a
//! [`Layout`], read when the names are bound.

use super::names::declaration;
use crate::lang::ir::{Kind, VarId, VarShape, Variant};

/// What a name may stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::proof) enum Domain {
    /// This one; by the choice of the world.
    Fixed(usize),
    /// One (or some) of these.
    Among(Vec<usize>),
    /// Exactly these: a set whose members the world was made for.
    All(Vec<usize>),
    /// For each value of the index one of these; or some of these, for a family of sets.
    PerIndex(Vec<Vec<usize>>),
    /// A set of any size: cells of the world, at least these where they are there, and cells outside.
    Open(OpenSet),
    /// For each value of the index such a set; values past the last one are cells of no interest.
    OpenPerIndex(Vec<OpenSet>),
    /// Names of digits and numbers: nothing to say.
    Nothing,
}

/// A set of any size in the world of names alone: for some digits, where the set has the digit in the solution,
/// the cell that has it is in the world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::proof) struct OpenSet {
    /// A digit and the cell that is the digit's place in the set, if no cell picked before is.
    pub places: Vec<(usize, usize)>,
    /// Whether the set lies in one house, so that it has a digit in one place at most.
    pub once: bool,
    /// Whether it may have no cell at all.
    pub may_be_empty: bool,
    /// The named houses that the whole set lies in.
    pub inside: Vec<usize>,
}

/// A domain for each name.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Layout {
    domains: Vec<Domain>,
}

impl Layout {
    /// A layout with one domain for each name of the variant.
    pub fn new(domains: Vec<Domain>) -> Layout {
        Layout { domains }
    }

    /// The domain of a name.
    pub fn of(&self, var: VarId) -> &Domain {
        self.domains.get(var.0).unwrap_or(&Domain::Nothing)
    }
}

/// On a board every name may stand for everything of its kind.
pub(in crate::proof) fn board_layout(variant: &Variant, cells: usize, houses: usize, digits: usize) -> Layout {
    let of = |count: usize| (0..count).collect::<Vec<usize>>();
    let domains = (0..variant.vars.len()).map(VarId).map(|id| match (variant.var(id).kind, variant.var(id).shape) {
        (Kind::Cell, VarShape::Family) => match index_kind(variant, id) {
            Some(Kind::Cell) => Domain::PerIndex(vec![of(cells); cells]),
            _ => Domain::PerIndex(vec![of(cells); digits]),
        },
        (Kind::Cell | Kind::Candidate, _) => Domain::Among(of(cells)),
        (Kind::House(_), _) => Domain::Among(of(houses)),
        _ => Domain::Nothing,
    });
    Layout::new(domains.collect())
}

/// What the index of a family runs over.
pub(in crate::proof) fn index_kind(variant: &Variant, family: VarId) -> Option<Kind> {
    declaration(variant, family)?.per.as_ref().map(|(index, _)| variant.var(*index).kind)
}
