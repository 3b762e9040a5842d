//! The world of one board: every cell, digit and house of it. In: a geometry. Out: a [`World`] in which only
//! the state and its solution are open.

use super::world::{HouseLits, World};
use crate::grid::{Cell, Geometry, HouseKind};
use crate::proof::circuit::Circuit;
use crate::proof::solver::Lit;

/// Builds the world and demands a valid state with its solution.
pub(in crate::proof) fn board_world(circuit: &mut Circuit, geometry: &Geometry) -> World {
    let digits = vec![Lit::TRUE; geometry.size()];
    let exists = vec![Lit::TRUE; geometry.cell_count()];
    let mut world = World::new(circuit, digits, &exists, false, &mut |_, a, b| {
        Lit::constant(geometry.sees(Cell(a as u16), Cell(b as u16)))
    });
    for house in geometry.houses() {
        let mut holds = vec![Lit::FALSE; geometry.cell_count()];
        house.cells.iter().for_each(|cell| holds[cell.index()] = Lit::TRUE);
        let is = |kind: HouseKind| Lit::constant(house.kind == kind);
        let [row, column, boxed] = [HouseKind::Row, HouseKind::Column, HouseKind::Box].map(is);
        let lits = HouseLits { exists: Lit::TRUE, holds, row, column, boxed };
        world.boxes = if boxed == Lit::TRUE { boxed } else { world.boxes };
        // Only a house as large as the board holds every digit.
        let among = (house.cells.len() == geometry.size()).then(|| geometry.cell_count());
        world.add_house(circuit, lits, &vec![among; geometry.size()]);
    }
    world
}
