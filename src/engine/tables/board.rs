//! A board as bit sets. In: a [`Geometry`]. Out: [`Tables`]: peers, houses and the houses of a class as
//! masks that are `W` words wide, computed once for an engine.

use crate::grid::{Bits, Cell, Geometry, HouseId, HouseKind, HouseSet};
use crate::lang::ir::HouseClass;
use std::sync::Arc;

/// The masks that the machine looks up.
pub(in crate::engine) struct Tables<const W: usize> {
    pub size: usize,
    pub cell_count: usize,
    /// For each cell, its peers.
    pub peers: Vec<Bits<W>>,
    /// For each house, its cells.
    pub house: Vec<Bits<W>>,
    /// For each house, its intersections with boxes and lines that have at least two cells.
    pub parts: Vec<Vec<Bits<W>>>,
    /// Pairs of cells that see each other without a house in common.
    pub pairs: Vec<Bits<W>>,
    /// For each cell, its houses.
    pub houses_of: Vec<HouseSet>,
    /// For each cell, its houses with as many cells as there are digits.
    pub whole_houses_of: Vec<HouseSet>,
    /// All cells.
    pub cells: Bits<W>,
    houses: HouseSet,
    rows: HouseSet,
    columns: HouseSet,
    boxes: HouseSet,
}

/// The board, and the board of its views if rules are searched in views.
pub(in crate::engine) struct Boards<const W: usize> {
    pub geometry: Arc<Geometry>,
    pub grid: Tables<W>,
    /// The board of the views.
    pub view: Option<(Geometry, Tables<W>)>,
}

impl<const W: usize> Boards<W> {
    pub fn new(geometry: &Arc<Geometry>, views: bool) -> Self {
        let view = views.then(|| Geometry::latin(geometry.size()));
        let view = view.map(|board| (Tables::new(&board), board)).map(|(tables, board)| (board, tables));
        Boards { geometry: Arc::clone(geometry), grid: Tables::new(geometry), view }
    }
}

impl<const W: usize> Tables<W> {
    pub fn new(geometry: &Geometry) -> Self {
        let of_kind = |kind: HouseKind| {
            geometry.houses().iter().enumerate().filter(|(_, house)| house.kind == kind).map(|(id, _)| id).collect()
        };
        let mut tables = Tables {
            parts: Vec::new(),
            size: geometry.size(),
            cell_count: geometry.cell_count(),
            peers: geometry
                .cells()
                .map(|cell| geometry.peers(cell).iter().map(|peer| peer.index()).collect())
                .collect(),
            house: geometry
                .houses()
                .iter()
                .map(|house| house.cells.iter().map(|cell| cell.index()).collect())
                .collect(),
            pairs: pairs(geometry),
            houses_of: geometry
                .cells()
                .map(|cell| geometry.houses_of(cell).iter().map(|house| house.index()).collect())
                .collect(),
            whole_houses_of: geometry.cells().map(|cell| whole_houses(geometry, cell)).collect(),
            cells: Bits::below(geometry.cell_count()),
            houses: Bits::below(geometry.houses().len()),
            rows: of_kind(HouseKind::Row),
            columns: of_kind(HouseKind::Column),
            boxes: of_kind(HouseKind::Box),
        };
        tables.parts = (0..tables.house.len()).map(|house| tables.parts_of(house)).collect();
        tables
    }

    /// Intersections of a house: of a box with each line, of a line with each box, of any other house with each box and line
    /// together.
    fn parts_of(&self, house: usize) -> Vec<Bits<W>> {
        let cells = self.house[house];
        let with = |other: usize| self.house[other] & cells;
        let parts: Vec<Bits<W>> = if self.boxes.has(house) {
            self.class(HouseClass::Line).iter().map(with).collect()
        } else if self.class(HouseClass::Line).has(house) {
            self.boxes.iter().map(with).collect()
        } else {
            let lines = self.class(HouseClass::Line);
            lines.iter().flat_map(|line| self.boxes.iter().map(move |other| with(line) & self.house[other])).collect()
        };
        parts.into_iter().filter(|part| part.len() > 1).collect()
    }

    /// The houses of a class.
    #[inline]
    pub fn class(&self, class: HouseClass) -> HouseSet {
        match class {
            HouseClass::Any => self.houses,
            HouseClass::Row => self.rows,
            HouseClass::Column => self.columns,
            HouseClass::Box => self.boxes,
            HouseClass::Line => self.rows | self.columns,
        }
    }

    /// The cells that see every one of `cells`.
    #[inline]
    pub fn seeing_every(&self, cells: &Bits<W>) -> Bits<W> {
        let mut seen = self.cells;
        cells.iter().for_each(|cell| seen &= self.peers[cell]);
        seen
    }

    /// The cells that see at least one of `cells`.
    #[inline]
    pub fn seeing_some(&self, cells: &Bits<W>) -> Bits<W> {
        let mut seen = Bits::EMPTY;
        cells.iter().for_each(|cell| seen |= self.peers[cell]);
        seen
    }

    /// The cells of any of `houses`.
    #[inline]
    pub fn cells_of(&self, houses: &HouseSet) -> Bits<W> {
        let mut cells = Bits::EMPTY;
        houses.iter().for_each(|house| cells |= self.house[house]);
        cells
    }

    /// The houses that hold at least one of `cells`.
    #[inline]
    pub fn houses_meeting(&self, cells: &Bits<W>) -> HouseSet {
        let mut houses = HouseSet::EMPTY;
        cells.iter().for_each(|cell| houses |= self.houses_of[cell]);
        houses
    }

    /// The houses that hold every one of `cells`.
    #[inline]
    pub fn houses_through(&self, cells: &Bits<W>) -> HouseSet {
        let mut houses = self.houses;
        cells.iter().for_each(|cell| houses &= self.houses_of[cell]);
        houses
    }

    /// The order in which inferences visit cells, from others: 0 for the same cells, then cells in their box, row, column, and
    /// elsewhere.
    pub fn nearness(&self, from: &Bits<W>, to: &Bits<W>) -> usize {
        let both = self.houses_through(&(*from | *to));
        let classes = [HouseClass::Box, HouseClass::Row, HouseClass::Column];
        let shared = || classes.iter().position(|&class| !(both & self.class(class)).is_empty());
        if from == to { 0 } else { 1 + shared().unwrap_or(classes.len()) }
    }

    /// Lines perpendicular to every one of `houses`, or parallel if `same`; boxes have no direction.
    pub fn lines_by_direction(&self, houses: &HouseSet, same: bool) -> HouseSet {
        let mut lines = self.rows | self.columns;
        for house in houses.iter() {
            let row = self.rows.has(house);
            let line = row || self.columns.has(house);
            lines &= match (line, row == same) {
                (false, _) => HouseSet::EMPTY,
                (true, true) => self.rows,
                (true, false) => self.columns,
            };
        }
        lines
    }
}

fn whole_houses(geometry: &Geometry, cell: Cell) -> HouseSet {
    let whole = |house: &&HouseId| geometry.houses()[house.index()].cells.len() == geometry.size();
    geometry.houses_of(cell).iter().filter(whole).map(|house| house.index()).collect()
}

fn pairs<const W: usize>(geometry: &Geometry) -> Vec<Bits<W>> {
    let share_no_house =
        |a: Cell, b: Cell| !geometry.houses_of(a).iter().any(|house| geometry.houses_of(b).contains(house));
    let later = |a: Cell| geometry.peers(a).iter().copied().filter(move |&b| a < b && share_no_house(a, b));
    geometry.cells().flat_map(|a| later(a).map(move |b| Bits::from_iter([a.index(), b.index()]))).collect()
}
