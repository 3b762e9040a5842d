//! Breaks the symmetries of the board. In: names bound on a board. Out: clauses that keep one of many placements that differ
//! by an exchange of rows, columns, bands or stacks.
//!
//! Rules speak of houses and visibility only, so a result for a placement holds for its image under every permutation of
//! cells that preserves the houses. The exchanges used here are checked against the board; if one of them does not preserve
//! it, none is used.

use super::encode::{Bound, Encoder};
use super::solver::Lit;
use crate::grid::{Geometry, House, HouseKind};
use crate::lang::ir::{VarId, VarShape};
use std::collections::BTreeSet;

/// Demands that the names, in their order, touch rows and columns from the top and the left on.
pub(super) fn break_symmetry(encoder: &mut Encoder<'_>, geometry: &Geometry) {
    let Some((height, width)) = geometry.spec().boxes() else { return };
    if !kept(geometry, height, width) {
        return;
    }
    let mut rows = Axis::new(geometry.size(), height);
    let mut columns = Axis::new(geometry.size(), width);
    for id in (0..encoder.scope.variant.vars.len()).map(VarId) {
        if encoder.scope.variant.var(id).shape != VarShape::Single {
            continue;
        }
        match encoder.scope.bound[id.0].clone() {
            Some(Bound::Cells(cells)) => {
                rows.by_cell(encoder, &cells.bits, |cell| cell / geometry.size());
                columns.by_cell(encoder, &cells.bits, |cell| cell % geometry.size());
            }
            Some(Bound::Candidate { cell, .. }) => {
                rows.by_cell(encoder, &cell, |cell| cell / geometry.size());
                columns.by_cell(encoder, &cell, |cell| cell % geometry.size());
            }
            Some(Bound::Houses(houses)) => {
                let houses: Vec<(&House, Lit)> = geometry.houses().iter().zip(houses.bits).collect();
                let across = geometry.size() / width;
                rows.by_house(encoder, &houses, HouseKind::Row, &|index| index / across);
                columns.by_house(encoder, &houses, HouseKind::Column, &|index| index % across);
            }
            _ => {}
        }
    }
}

/// Rows in bands, or columns in stacks, and which of them the names so far have touched.
struct Axis {
    group: usize,
    lines: Vec<Lit>,
    groups: Vec<Lit>,
}

impl Axis {
    fn new(size: usize, group: usize) -> Axis {
        Axis { group, lines: vec![Lit::FALSE; size], groups: vec![Lit::FALSE; size / group] }
    }

    fn by_cell(&mut self, encoder: &mut Encoder<'_>, bits: &[Lit], line_of: impl Fn(usize) -> usize) {
        let mut ways = vec![Vec::new(); self.lines.len()];
        bits.iter().enumerate().for_each(|(cell, &bit)| ways[line_of(cell)].push(bit));
        let lines: Vec<Lit> = ways.into_iter().map(|ways| encoder.circuit.or(ways)).collect();
        let groups = self.groups_of(encoder, &lines);
        self.touch(encoder, &lines, &groups);
    }

    fn by_house(
        &mut self,
        encoder: &mut Encoder<'_>,
        houses: &[(&House, Lit)],
        kind: HouseKind,
        group_of_box: &dyn Fn(usize) -> usize,
    ) {
        let mut lines = vec![Lit::FALSE; self.lines.len()];
        let of_kind = houses.iter().filter(|(house, _)| house.kind == kind);
        of_kind.for_each(|&(house, bit)| lines[house.index] = bit);
        let mut groups = self.groups_of(encoder, &lines);
        for &(house, bit) in houses.iter().filter(|(house, _)| house.kind == HouseKind::Box) {
            let group = group_of_box(house.index);
            groups[group] = encoder.circuit.or2(groups[group], bit);
        }
        self.touch(encoder, &lines, &groups);
    }

    fn groups_of(&self, encoder: &mut Encoder<'_>, lines: &[Lit]) -> Vec<Lit> {
        lines.chunks(self.group).map(|chunk| encoder.circuit.or(chunk.iter().copied())).collect()
    }

    /// Lets a line that is not the first of its group be used only after the line before it, and a group only after the
    /// group before it.
    fn touch(&mut self, encoder: &mut Encoder<'_>, lines: &[Lit], groups: &[Lit]) {
        for line in (0..lines.len()).filter(|line| line % self.group != 0) {
            encoder.circuit.imply(lines[line], self.lines[line - 1]);
        }
        for (&group, &before) in groups[1..].iter().zip(&self.groups) {
            encoder.circuit.imply(group, before);
        }
        for (touched, &now) in self.lines.iter_mut().zip(lines) {
            *touched = encoder.circuit.or2(*touched, now);
        }
        for (touched, &now) in self.groups.iter_mut().zip(groups) {
            *touched = encoder.circuit.or2(*touched, now);
        }
    }
}

/// Returns true if every exchange of neighbouring rows of a band, bands, columns of a stack, and stacks maps houses to
/// houses of their kind and preserves visibility.
fn kept(geometry: &Geometry, height: usize, width: usize) -> bool {
    let size = geometry.size();
    let houses: BTreeSet<(HouseKind, Vec<usize>)> = geometry
        .houses()
        .iter()
        .map(|house| (house.kind, house.cells.iter().map(|cell| cell.index()).collect()))
        .collect();
    let image = |cell: usize, lines: &[usize], rows: bool| match rows {
        true => lines[cell / size] * size + cell % size,
        false => cell / size * size + lines[cell % size],
    };
    let is_kept = |lines: Vec<usize>, rows: bool| {
        let houses_kept = houses.iter().all(|(kind, cells)| {
            let mut moved: Vec<usize> = cells.iter().map(|&cell| image(cell, &lines, rows)).collect();
            moved.sort_unstable();
            houses.contains(&(*kind, moved))
        });
        houses_kept
            && geometry.cells().all(|cell| {
                let moved = crate::grid::Cell(image(cell.index(), &lines, rows) as u16);
                geometry
                    .peers(cell)
                    .iter()
                    .all(|peer| geometry.sees(moved, crate::grid::Cell(image(peer.index(), &lines, rows) as u16)))
            })
    };
    let exchanges = |group: usize| exchanges(size, group);
    exchanges(height).into_iter().all(|lines| is_kept(lines, true))
        && exchanges(width).into_iter().all(|lines| is_kept(lines, false))
}

/// Exchanges of neighbouring lines of a group and of neighbouring groups, as images of the lines.
fn exchanges(size: usize, group: usize) -> Vec<Vec<usize>> {
    let identity: Vec<usize> = (0..size).collect();
    let mut out = Vec::new();
    for line in (1..size).filter(|line| line % group != 0) {
        let mut lines = identity.clone();
        lines.swap(line - 1, line);
        out.push(lines);
    }
    for start in (group..size).step_by(group) {
        let mut lines = identity.clone();
        (0..group).for_each(|line| lines.swap(start - group + line, start + line));
        out.push(lines);
    }
    out
}
