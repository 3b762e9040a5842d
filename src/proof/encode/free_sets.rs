//! Sets of any size in the world of names alone. In: declarations. Out: slots for the places that digits have in each
//! set, and what a declaration says of where the set lies.

use super::free::{DIGITS, Plan};
use super::layout::{Domain, OpenSet, index_kind};
use super::names::{constant, declaration};
use crate::lang::ir::{Condition, Expr, HouseClass, Kind, VarId, VarShape};
use crate::proof::circuit::Circuit;

impl Plan<'_> {
    /// A set of any size is known by what holds of all of it, and by the places that digits have in it in the
    /// solution: of the digits that have places in houses, and of its own index.
    pub fn open_sets(&mut self, circuit: &mut Circuit, places: usize) {
        let indices = self.exists.len();
        for id in self.chosen() {
            if self.variant.var(id).kind != Kind::Cell || !self.is_open(id) {
                continue;
            }
            let inside = self.inside(id);
            let (once, may_be_empty) = (self.in_a_house(id), self.may_be_empty(id));
            if self.variant.var(id).shape == VarShape::Set {
                let places = (0..places).map(|digit| (digit, self.slot(circuit.fresh()))).collect();
                self.domains[id.0] = Domain::Open(OpenSet { places, once, may_be_empty, inside });
                continue;
            }
            let of_cells = index_kind(self.variant, id) == Some(Kind::Cell);
            let mut members = Vec::new();
            for index in 0..if of_cells { indices } else { DIGITS } {
                let digits = (0..places).chain((!of_cells && index >= places).then_some(index));
                let places = digits.map(|digit| (digit, self.slot(circuit.fresh()))).collect();
                members.push(OpenSet { places, once, may_be_empty, inside: inside.clone() });
            }
            self.domains[id.0] = Domain::OpenPerIndex(members);
        }
    }

    /// The named houses that a declaration says a set lies in.
    fn inside(&self, id: VarId) -> Vec<usize> {
        let mut out = Vec::new();
        for condition in self.said_of(id) {
            if let Condition::Within(of, all) = condition
                && is_whole(of, id)
            {
                self.holding(all, &mut out);
            }
        }
        out
    }

    /// What the declaration of a name says.
    fn said_of(&self, id: VarId) -> &[Condition] {
        declaration(self.variant, id).map_or(&[], |choose| &choose.such_that)
    }

    /// Whether a declaration says that all cells of a set lie in one house.
    fn in_a_house(&self, id: VarId) -> bool {
        self.said_of(id).iter().any(|condition| match condition {
            Condition::AlmostLocked(of, _) | Condition::InOne(of, _) | Condition::Group(of) => is_whole(of, id),
            Condition::Within(of, all) => is_whole(of, id) && self.lies_in_a_house(all),
            _ => false,
        })
    }

    /// Whether some house holds all these cells.
    fn lies_in_a_house(&self, cells: &Expr) -> bool {
        let single = |expr: &Expr| matches!(expr, Expr::Var(var) if self.variant.var(*var).shape == VarShape::Single);
        match cells {
            Expr::CellsOf(of) => match of.as_ref() {
                Expr::HousesOf(class, of) => {
                    single(of) && matches!(class, HouseClass::Row | HouseClass::Column | HouseClass::Box)
                }
                house => single(house),
            },
            Expr::Intersection(a, b) => self.lies_in_a_house(a) || self.lies_in_a_house(b),
            Expr::Difference(of, _) | Expr::Cells(of) | Expr::In(_, of) => self.lies_in_a_house(of),
            _ => false,
        }
    }

    fn may_be_empty(&self, id: VarId) -> bool {
        let least = declaration(self.variant, id).and_then(|choose| choose.size.as_ref());
        let locked = self.said_of(id).iter().any(|one| matches!(one, Condition::AlmostLocked(..)));
        !locked && least.and_then(|(low, _)| constant(low, self.args)).is_none_or(|low| low < 1)
    }

    fn holding(&self, cells: &Expr, out: &mut Vec<usize>) {
        match cells {
            Expr::CellsOf(of) => {
                if let Expr::Var(var) = of.as_ref()
                    && let Domain::Fixed(house) = self.domains[var.0]
                {
                    out.push(house);
                }
            }
            Expr::Intersection(a, b) => {
                self.holding(a, out);
                self.holding(b, out);
            }
            Expr::Difference(of, _) | Expr::Cells(of) | Expr::In(_, of) => self.holding(of, out),
            _ => {}
        }
    }
}

/// Whether an expression is all of a set, or of a member of a family, that has this name.
fn is_whole(expr: &Expr, id: VarId) -> bool {
    matches!(expr, Expr::Var(of) | Expr::Member(of, _) if *of == id)
}
