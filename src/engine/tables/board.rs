//! A board as bit sets. In: a [`Geometry`]. Out: [`BoardMasks`]: peers, houses and the houses of a class as bit masks
//! of `W` words, computed once for an engine.
//!
//! A relation is a condition that depends only on the board, such as `k crossing l`. [`RowTable`] lists the tuples of
//! houses, digits and cells that satisfy a relation, in order and with skip indexes.

use crate::grid::{Bits, Cell, Geometry, HouseKind, HouseSet};
use crate::lang::ir::HouseClass;
use std::ops::Range;
use std::sync::Arc;

pub(crate) struct BoardMasks<const W: usize> {
    pub size: usize,
    pub cell_count: usize,
    pub peers: Vec<Bits<W>>,
    pub cells_of_house: Vec<Bits<W>>,
    /// For each house, its intersections with boxes and lines that have at least two cells.
    pub parts: Vec<Vec<Bits<W>>>,
    /// Pairs of cells that see each other without a house in common.
    pub extra_peer_pairs: Vec<Bits<W>>,
    pub houses_of: Vec<HouseSet>,
    /// For each cell, its houses with as many cells as there are digits.
    pub whole_houses_of: Vec<HouseSet>,
    pub cells: Bits<W>,
    houses: HouseSet,
    rows: HouseSet,
    columns: HouseSet,
    boxes: HouseSet,
}

/// The board, and the board of its views if rules are searched in views.
pub(crate) struct Boards<const W: usize> {
    pub geometry: Arc<Geometry>,
    pub grid: BoardMasks<W>,
    pub view: Option<(Geometry, BoardMasks<W>)>,
}

impl<const W: usize> Boards<W> {
    pub fn new(geometry: &Arc<Geometry>, has_views: bool) -> Self {
        let board = has_views.then(|| Geometry::latin(geometry.size()));
        let view = board.map(|board| (board.clone(), BoardMasks::new(&board)));
        Boards { geometry: Arc::clone(geometry), grid: BoardMasks::new(geometry), view }
    }
}

impl<const W: usize> BoardMasks<W> {
    pub fn new(geometry: &Geometry) -> Self {
        let mut tables = BoardMasks {
            parts: Vec::new(),
            size: geometry.size(),
            cell_count: geometry.cell_count(),
            peers: geometry
                .cells()
                .map(|cell| geometry.peers(cell).iter().map(|peer| peer.index()).collect())
                .collect(),
            cells_of_house: geometry
                .houses()
                .iter()
                .map(|house| house.cells.iter().map(|cell| cell.index()).collect())
                .collect(),
            extra_peer_pairs: extra_peer_pairs(geometry),
            houses_of: geometry
                .cells()
                .map(|cell| geometry.houses_of(cell).iter().map(|house| house.index()).collect())
                .collect(),
            whole_houses_of: geometry.cells().map(|cell| whole_houses(geometry, cell)).collect(),
            cells: Bits::below(geometry.cell_count()),
            houses: Bits::below(geometry.houses().len()),
            rows: houses_of_kind(geometry, HouseKind::Row),
            columns: houses_of_kind(geometry, HouseKind::Column),
            boxes: houses_of_kind(geometry, HouseKind::Box),
        };
        tables.parts = (0..tables.cells_of_house.len()).map(|house| tables.parts_of(house)).collect();
        tables
    }

    /// Returns the intersections of a box with each line, of a line with each box, or of any other house with each
    /// intersection of a box and a line.
    fn parts_of(&self, house: usize) -> Vec<Bits<W>> {
        let cells = self.cells_of_house[house];
        let lines = self.class(HouseClass::Line);
        let parts: Vec<Bits<W>> = if self.boxes.has(house) {
            lines.iter().map(|other| self.cells_of_house[other]).collect()
        } else if lines.has(house) {
            self.boxes.iter().map(|other| self.cells_of_house[other]).collect()
        } else {
            lines
                .iter()
                .flat_map(|line| {
                    self.boxes.iter().map(move |other| self.cells_of_house[line] & self.cells_of_house[other])
                })
                .collect()
        };
        parts.into_iter().map(|part| part & cells).filter(|part| part.len() > 1).collect()
    }

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

    /// Returns the cells that see every one of `cells`.
    #[inline]
    pub fn seeing_every(&self, cells: &Bits<W>) -> Bits<W> {
        let mut seen = self.cells;
        cells.iter().for_each(|cell| seen &= self.peers[cell]);
        seen
    }

    /// Returns the cells that see at least one of `cells`.
    #[inline]
    pub fn seeing_some(&self, cells: &Bits<W>) -> Bits<W> {
        let mut seen = Bits::EMPTY;
        cells.iter().for_each(|cell| seen |= self.peers[cell]);
        seen
    }

    #[inline]
    pub fn cells_of(&self, houses: &HouseSet) -> Bits<W> {
        let mut cells = Bits::EMPTY;
        houses.iter().for_each(|house| cells |= self.cells_of_house[house]);
        cells
    }

    /// Returns the houses that hold at least one of `cells`.
    #[inline]
    pub fn houses_meeting(&self, cells: &Bits<W>) -> HouseSet {
        let mut houses = HouseSet::EMPTY;
        cells.iter().for_each(|cell| houses |= self.houses_of[cell]);
        houses
    }

    /// Returns the houses that hold every one of `cells`.
    #[inline]
    pub fn houses_through(&self, cells: &Bits<W>) -> HouseSet {
        let mut houses = self.houses;
        cells.iter().for_each(|cell| houses &= self.houses_of[cell]);
        houses
    }

    /// Returns the sort key of a link from the cells `from` to the cells `to`: 0 if the cells are equal, 1 if all cells
    /// are in one box, 2 in one row, 3 in one column, otherwise 4. Smaller keys are tried first.
    pub fn nearness(&self, from: &Bits<W>, to: &Bits<W>) -> usize {
        if from == to {
            return 0;
        }
        let common = self.houses_through(&(*from | *to));
        let classes = [HouseClass::Box, HouseClass::Row, HouseClass::Column];
        1 + classes.iter().position(|&class| !(common & self.class(class)).is_empty()).unwrap_or(classes.len())
    }

    /// Returns the lines that are parallel (or perpendicular, if not `parallel`) to every one of `houses`. Empty if one
    /// of `houses` is not a line.
    pub fn lines_by_direction(&self, houses: &HouseSet, parallel: bool) -> HouseSet {
        let mut lines = self.rows | self.columns;
        for house in houses.iter() {
            let is_row = self.rows.has(house);
            if !is_row && !self.columns.has(house) {
                return HouseSet::EMPTY;
            }
            lines &= if is_row == parallel { self.rows } else { self.columns };
        }
        lines
    }
}

fn houses_of_kind(geometry: &Geometry, kind: HouseKind) -> HouseSet {
    geometry.houses().iter().enumerate().filter(|(_, house)| house.kind == kind).map(|(id, _)| id).collect()
}

fn whole_houses(geometry: &Geometry, cell: Cell) -> HouseSet {
    let houses = geometry.houses_of(cell).iter().map(|house| house.index());
    houses.filter(|&house| geometry.houses()[house].cells.len() == geometry.size()).collect()
}

fn extra_peer_pairs<const W: usize>(geometry: &Geometry) -> Vec<Bits<W>> {
    let mut pairs = Vec::new();
    for a in geometry.cells() {
        for &b in geometry.peers(a).iter().filter(|&&b| a < b) {
            if !geometry.houses_of(a).iter().any(|house| geometry.houses_of(b).contains(house)) {
                pairs.push(Bits::from_iter([a.index(), b.index()]));
            }
        }
    }
    pairs
}

/// The tuples of one relation as sorted rows. A row has `width` single values, then sets of cells.
pub(crate) struct RowTable {
    pub width: usize,
    /// The single values, row after row.
    pub numbers: Vec<u16>,
    /// For each element of `numbers`, the next row with another prefix. The prefix of a row ends with the column of the
    /// element.
    pub next_different: Vec<u32>,
    /// For each number, the first row that begins with this number or a larger one.
    starts: Vec<u32>,
    /// The sets of cells of the rows, one after the other, as bit masks.
    pub sets: Vec<u64>,
}

impl RowTable {
    /// Makes the table from unsorted rows. A row has a list of numbers for each name: one number for each of the first
    /// `width` names, the cells of a set for each later name.
    pub fn new<const W: usize>(mut rows: Vec<Vec<Vec<u16>>>, width: usize) -> RowTable {
        rows.sort_unstable();
        let last = rows.last().map_or(0, |row| first_number(row));
        let starts =
            (0..=last + 1).map(|number| rows.partition_point(|row| first_number(row) < number) as u32).collect();
        let mut sets = Vec::new();
        for cells in rows.iter().flat_map(|row| &row[width..]) {
            let cells: Bits<W> = cells.iter().map(|&cell| usize::from(cell)).collect();
            sets.extend(cells.0);
        }
        let numbers: Vec<u16> = rows.iter().flat_map(|row| row[..width].concat()).collect();
        let next_different = next_different(&numbers, width);
        RowTable { width, numbers, next_different, starts, sets }
    }

    /// Returns the range of the rows that begin with `first`; without `first`, the range of all rows.
    pub fn range(&self, first: Option<usize>) -> Range<usize> {
        match first {
            Some(first) => self.start(first)..self.start(first + 1),
            None => 0..self.row_count(),
        }
    }

    fn start(&self, number: usize) -> usize {
        self.starts.get(number).map_or(self.row_count(), |&row| row as usize)
    }

    fn row_count(&self) -> usize {
        self.numbers.len() / self.width
    }
}

fn first_number(row: &[Vec<u16>]) -> usize {
    row.iter().flatten().next().map_or(0, |&number| usize::from(number))
}

/// Returns [`RowTable::next_different`] for sorted rows.
fn next_different(numbers: &[u16], width: usize) -> Vec<u32> {
    let count = numbers.len() / width.max(1);
    let mut out = vec![count as u32; numbers.len()];
    for row in (1..count).rev() {
        let previous = &numbers[(row - 1) * width..][..width];
        let own = &numbers[row * width..][..width];
        let equal_columns = previous.iter().zip(own).take_while(|(a, b)| a == b).count();
        for column in 0..width {
            out[(row - 1) * width + column] =
                if column < equal_columns { out[row * width + column] } else { row as u32 };
        }
    }
    out
}
