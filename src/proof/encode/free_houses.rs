//! Houses of the world of names alone. In: what each is there for. Out: houses that hold some of the cells, with a place
//! for each digit that counts, and which of them may be one.

use super::Unnamed;
use super::free::{DIGITS, Slot};
use super::layout::{Domain, Layout};
use super::names::differ;
use super::world::{HouseLits, World};
use crate::lang::ir::{HouseClass, Variant};
use crate::proof::circuit::Circuit;
use crate::proof::solver::Lit;

/// Adds a house for each slot. The place of digit k in it is one of the cells picked before, or the k-th of its
/// own slots from `first` on, which is there for nothing else.
pub(super) fn add_houses(
    circuit: &mut Circuit,
    world: &mut World,
    slots: &[Slot],
    layout: &Layout,
    (first, places): (usize, usize),
) -> Unnamed {
    let mut unnamed = Unnamed::default();
    world.boxes = circuit.fresh();
    for (house, slot) in slots.iter().enumerate() {
        let class = match slot {
            Slot::Named(_, class) | Slot::Through(class, _) => *class,
            Slot::Conjugate(_) => HouseClass::Any,
        };
        let [row, column, boxed] = kinds(circuit, class);
        // The box of a cell is there where the board has boxes; what has a name is there.
        let exists = match slot {
            Slot::Through(HouseClass::Box, _) => world.boxes,
            _ => Lit::TRUE,
        };
        let boxed = circuit.and2(boxed, exists);
        circuit.imply(boxed, world.boxes);
        let mut holds: Vec<Lit> = (0..world.count()).map(|_| circuit.fresh()).collect();
        holds.iter().for_each(|&holds| circuit.imply(holds, exists));
        if let Slot::Through(class, var) = slot
            && let Domain::Fixed(cell) = layout.of(*var)
        {
            holds[*cell] = exists;
            unnamed.through.push((*class, *var, house));
        }
        if let Slot::Conjugate(condition) = slot {
            unnamed.conjugate.push((condition.clone(), house));
        }
        for (cell, &holds) in world.cells.iter().zip(&holds) {
            circuit.imply(holds, cell.exists);
        }
        let own = first + house * places;
        for digit in 0..places {
            let cell = &world.cells[own + digit];
            circuit.imply(cell.exists, holds[own + digit]);
            circuit.imply(cell.exists, cell.solution[digit]);
        }
        let among: Vec<Option<usize>> = (0..DIGITS).map(|digit| (digit < places).then_some(own + digit + 1)).collect();
        world.add_house(circuit, HouseLits { exists, holds, row, column, boxed }, &among);
    }
    unnamed
}

/// Whether a house of a class is a row, a column, a box.
fn kinds(circuit: &mut Circuit, class: HouseClass) -> [Lit; 3] {
    match class {
        HouseClass::Row => [Lit::TRUE, Lit::FALSE, Lit::FALSE],
        HouseClass::Column => [Lit::FALSE, Lit::TRUE, Lit::FALSE],
        HouseClass::Box => [Lit::FALSE, Lit::FALSE, Lit::TRUE],
        HouseClass::Line => {
            let row = circuit.fresh();
            [row, !row, Lit::FALSE]
        }
        HouseClass::Any => {
            let kinds = [circuit.fresh(), circuit.fresh(), circuit.fresh()];
            circuit.at_most_one(&kinds);
            kinds
        }
    }
}

/// Two rows, columns or boxes share no cell, a row and a column one at most; two names may stand for one
/// house where the language does not say that they differ.
pub(super) fn same_houses(circuit: &mut Circuit, world: &mut World, slots: &[Slot], variant: &Variant) {
    for b in 0..slots.len() {
        let mut row = Vec::new();
        for a in 0..b {
            let apart = match (&slots[a], &slots[b]) {
                (Slot::Named(x, _), Slot::Named(y, _)) => x == y || differ(variant, *x, *y),
                _ => false,
            };
            let apart = apart || other_class(&world.houses[a], &world.houses[b]);
            let same = if apart { Lit::FALSE } else { circuit.fresh() };
            two_houses(circuit, &world.houses[a], &world.houses[b], same);
            row.push(same);
        }
        world.same.push(row);
    }
}

/// Whether one house is of a class that the other is not.
fn other_class(a: &HouseLits, b: &HouseLits) -> bool {
    let pairs = [(a.row, b.row), (a.column, b.column), (a.boxed, b.boxed)];
    pairs.into_iter().any(|(x, y)| x.is_constant() && y == !x)
}

fn two_houses(circuit: &mut Circuit, a: &HouseLits, b: &HouseLits, same: Lit) {
    circuit.clause(&[!same, a.exists]);
    circuit.clause(&[!same, b.exists]);
    for (x, y) in [(a.row, b.row), (a.column, b.column), (a.boxed, b.boxed)] {
        circuit.clause(&[!same, !x, y]);
        circuit.clause(&[!same, x, !y]);
        for (&p, &q) in a.holds.iter().zip(&b.holds) {
            circuit.clause(&[same, !x, !y, !p, !q]);
        }
    }
    for (&p, &q) in a.holds.iter().zip(&b.holds) {
        circuit.clause(&[!same, !p, q]);
        circuit.clause(&[!same, p, !q]);
    }
    for (x, y) in [(a.row, b.column), (a.column, b.row)] {
        for p in 0..a.holds.len() {
            for q in p + 1..a.holds.len() {
                circuit.clause(&[!x, !y, !a.holds[p], !b.holds[p], !a.holds[q], !b.holds[q]]);
            }
        }
    }
}
