//! Which cells and houses of a world each name may stand for. In: a variant and a world's shape. Out: a
//! [`Layout`], read when the names are bound.

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
    /// For each digit one of these.
    PerDigit(Vec<Vec<usize>>),
    /// Names of digits and numbers: nothing to say.
    Nothing,
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
    let domains = variant.vars.iter().map(|var| match (var.kind, var.shape) {
        (Kind::Cell, VarShape::Family) => Domain::PerDigit(vec![of(cells); digits]),
        (Kind::Cell | Kind::Candidate, _) => Domain::Among(of(cells)),
        (Kind::House(_), _) => Domain::Among(of(houses)),
        _ => Domain::Nothing,
    });
    Layout::new(domains.collect())
}
