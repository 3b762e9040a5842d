//! The parts that what a match reads is made of. In: nothing. Out: [`Reads`], sets of [`Atom`]s, and what is known of the
//! value of a cell register.

use super::super::instr::Reg;
use std::collections::BTreeSet;

/// Some cells of which the candidates are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom {
    /// Those in a register.
    Cells(Reg),
    /// Those in a register, and all that see one of these: all of their houses.
    Near(Reg),
    /// Those in a register, and if there are several all that see every one of these: a spot is all cells of a box and a
    /// line that are not solved yet.
    Spot(Reg),
    /// More than can be told.
    All,
}

/// What is read.
pub(super) type Reads = BTreeSet<Atom>;

/// What is known of the value of a cell register.
#[derive(Clone, Debug)]
pub(super) enum Cells {
    /// It follows from what is read. `base` holds its cells.
    Fixed { read: Reads, base: Reads },
    /// Whether a cell is in it depends on that cell, too.
    Each(Pointwise),
}

/// A set that is told cell by cell.
#[derive(Clone, Debug)]
pub(super) struct Pointwise {
    /// What is read apart from the cell itself.
    pub read: Reads,
    /// Cells that hold all that can be in it.
    pub cover: Option<Reads>,
    /// Whether it depends on the houses of the cell as well.
    pub near: bool,
    /// Whether a cell can only ever leave it, as candidates go.
    pub shrinks: bool,
}

impl Cells {
    pub fn fixed(read: Reads, base: Atom) -> Cells {
        Cells::Fixed { read, base: Reads::from([base]) }
    }

    /// Cells by what they have as candidates.
    pub fn pointwise(read: Reads, shrinks: bool) -> Cells {
        Cells::Each(Pointwise { read, cover: None, near: false, shrinks })
    }

    /// What must be read apart from single cells.
    pub fn read(&self) -> &Reads {
        match self {
            Cells::Fixed { read, .. } => read,
            Cells::Each(each) => &each.read,
        }
    }

    /// Cells that hold all of it.
    pub fn cover(&self) -> Option<&Reads> {
        match self {
            Cells::Fixed { base, .. } => Some(base),
            Cells::Each(each) => each.cover.as_ref(),
        }
    }

    /// What is read where the whole value is wanted.
    pub fn whole(&self) -> Reads {
        match self {
            Cells::Fixed { read, .. } => read.clone(),
            Cells::Each(each) => {
                let cover = each.cover.clone().filter(|_| !each.near);
                union(&each.read, &cover.unwrap_or_else(all))
            }
        }
    }

    /// What is read where the candidates in its cells are wanted.
    pub fn contents(&self) -> Reads {
        union(&self.whole(), &self.cover().cloned().unwrap_or_else(all))
    }

    /// What is read where it is only wanted that something is in it, or what can be lost of it is no matter.
    pub fn lasting(&self) -> Reads {
        match self {
            Cells::Each(each) if each.shrinks && !each.near => each.read.clone(),
            _ => self.whole(),
        }
    }

    /// What is read where one of its cells, the one in a register, was chosen.
    pub fn chosen(&self, one: Reg) -> Reads {
        match self {
            Cells::Fixed { read, .. } => read.clone(),
            Cells::Each(each) => {
                let atom = if each.near { Atom::Near(one) } else { Atom::Cells(one) };
                union(&each.read, &Reads::from([atom]))
            }
        }
    }
}

pub(super) fn union(a: &Reads, b: &Reads) -> Reads {
    a.union(b).copied().collect()
}

fn all() -> Reads {
    Reads::from([Atom::All])
}

/// a & b.
pub(super) fn both(a: &Cells, b: &Cells) -> Cells {
    let read = union(a.read(), b.read());
    match (a, b) {
        (Cells::Fixed { base, .. }, Cells::Fixed { .. }) => Cells::Fixed { read, base: base.clone() },
        _ => Cells::Each(Pointwise {
            read,
            cover: a.cover().or(b.cover()).cloned(),
            near: near(a) || near(b),
            shrinks: shrinks(a) && shrinks(b),
        }),
    }
}

/// a | b.
pub(super) fn either(a: &Cells, b: &Cells) -> Cells {
    let read = union(a.read(), b.read());
    let cover = a.cover().zip(b.cover()).map(|(a, b)| union(a, b));
    match (a, b, &cover) {
        (Cells::Fixed { .. }, Cells::Fixed { .. }, Some(base)) => Cells::Fixed { read, base: base.clone() },
        _ => Cells::Each(Pointwise { read, cover, near: near(a) || near(b), shrinks: shrinks(a) && shrinks(b) }),
    }
}

/// a - b.
pub(super) fn difference(a: &Cells, b: &Cells) -> Cells {
    let read = union(a.read(), b.read());
    match (a, b) {
        (Cells::Fixed { base, .. }, Cells::Fixed { .. }) => Cells::Fixed { read, base: base.clone() },
        _ => Cells::Each(Pointwise {
            read,
            cover: a.cover().cloned(),
            near: near(a) || near(b),
            shrinks: shrinks(a) && matches!(b, Cells::Fixed { .. }),
        }),
    }
}

fn near(cells: &Cells) -> bool {
    matches!(cells, Cells::Each(each) if each.near)
}

fn shrinks(cells: &Cells) -> bool {
    match cells {
        Cells::Fixed { .. } => true,
        Cells::Each(each) => each.shrinks,
    }
}
