//! The board as data: cells, houses, who sees whom.
//!
//! In: a [`BoardSpec`] (size and shape of the boxes). Out: a [`Geometry`], checked and with its derived
//! tables (houses of a cell, peers). Rules speak only of houses and of seeing, so they need nothing else.

use super::ids::{Cell, HouseId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a board file says: everything else follows.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BoardSpec {
    /// Name as printed and as given on the command line, e.g. `9x9`.
    pub name: String,
    /// Digits, rows and columns: 4 to 25.
    pub size: usize,
    /// Height of a box in rows.
    pub box_rows: usize,
    /// Width of a box in columns.
    pub box_columns: usize,
}

/// The kinds of house. Rows and columns are lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum HouseKind {
    /// A row.
    Row,
    /// A column.
    Column,
    /// A box.
    Box,
}

/// A set of `size` cells that holds every digit once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct House {
    /// Row, column or box.
    pub kind: HouseKind,
    /// Number among its kind, from zero.
    pub index: usize,
    /// Its cells in board order.
    pub cells: Vec<Cell>,
}

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.kind {
            HouseKind::Row => "row",
            HouseKind::Column => "column",
            HouseKind::Box => "box",
        };
        write!(f, "{word} {}", self.index + 1)
    }
}

/// Why a board cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardError(pub String);

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BoardError {}

/// A board: its houses and, derived from them, the houses and peers of every cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    spec: BoardSpec,
    houses: Vec<House>,
    houses_of: Vec<Vec<HouseId>>,
    peers: Vec<Vec<Cell>>,
}

/// The sizes with a standard shape of box: (size, rows of a box, columns of a box).
const STANDARD: [(usize, usize, usize); 8] =
    [(4, 2, 2), (6, 2, 3), (8, 2, 4), (9, 3, 3), (10, 2, 5), (12, 3, 4), (16, 4, 4), (25, 5, 5)];

impl Geometry {
    /// The plain board of a size, if Pinion knows its boxes: 4, 6, 8, 9, 10, 12, 16, 25.
    pub fn standard(size: usize) -> Option<Geometry> {
        let (_, box_rows, box_columns) = *STANDARD.iter().find(|(known, ..)| *known == size)?;
        Geometry::new(BoardSpec { name: format!("{size}x{size}"), size, box_rows, box_columns }).ok()
    }

    /// The sizes that [`Geometry::standard`] knows.
    pub fn standard_sizes() -> impl Iterator<Item = usize> {
        STANDARD.iter().map(|(size, ..)| *size)
    }

    /// Builds a board from its description.
    ///
    /// # Errors
    /// When the size is not 4 to 25, or the boxes do not tile it.
    pub fn new(spec: BoardSpec) -> Result<Geometry, BoardError> {
        let BoardSpec { size, box_rows, box_columns, .. } = spec;
        if !(4..=25).contains(&size) {
            return Err(BoardError(format!("a board has 4 to 25 rows, not {size}")));
        }
        if box_rows * box_columns != size || !size.is_multiple_of(box_rows) || !size.is_multiple_of(box_columns) {
            return Err(BoardError(format!(
                "boxes of {box_rows} rows and {box_columns} columns do not tile a board of {size}"
            )));
        }
        Ok(Geometry::of_houses(spec, build_houses(size, box_rows, box_columns)))
    }

    /// The board of rows and columns only, without boxes.
    pub fn latin(size: usize) -> Geometry {
        let mut houses = build_houses(size, 1, size);
        houses.retain(|house| house.kind != HouseKind::Box);
        let spec = BoardSpec { name: format!("{size}x{size} without boxes"), size, box_rows: 1, box_columns: size };
        Geometry::of_houses(spec, houses)
    }

    fn of_houses(spec: BoardSpec, houses: Vec<House>) -> Geometry {
        let size = spec.size;
        let mut houses_of = vec![Vec::new(); size * size];
        for (id, house) in houses.iter().enumerate() {
            for cell in &house.cells {
                houses_of[cell.index()].push(HouseId(id as u16));
            }
        }
        let peers = (0..size * size).map(|cell| peers_of(cell, &houses_of, &houses)).collect();
        Geometry { spec, houses, houses_of, peers }
    }

    /// The description this board was built from.
    pub fn spec(&self) -> &BoardSpec {
        &self.spec
    }

    /// Digits, rows and columns.
    pub fn size(&self) -> usize {
        self.spec.size
    }

    /// How many cells.
    pub fn cell_count(&self) -> usize {
        self.spec.size * self.spec.size
    }

    /// All cells in board order.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.cell_count()).map(|cell| Cell(cell as u16))
    }

    /// Rows, then columns, then boxes.
    pub fn houses(&self) -> &[House] {
        &self.houses
    }

    /// One house.
    pub fn house(&self, id: HouseId) -> &House {
        &self.houses[id.index()]
    }

    /// The houses that hold a cell.
    pub fn houses_of(&self, cell: Cell) -> &[HouseId] {
        &self.houses_of[cell.index()]
    }

    /// The cells that share a house with `cell`, in board order, without itself.
    pub fn peers(&self, cell: Cell) -> &[Cell] {
        &self.peers[cell.index()]
    }

    /// Whether two different cells cannot hold the same digit.
    pub fn sees(&self, a: Cell, b: Cell) -> bool {
        self.peers(a).binary_search(&b).is_ok()
    }

    /// The cell in a row and a column, both from zero.
    pub fn cell(&self, row: usize, column: usize) -> Cell {
        Cell((row * self.size() + column) as u16)
    }

    /// Row of a cell, from zero.
    pub fn row(&self, cell: Cell) -> usize {
        cell.index() / self.size()
    }

    /// Column of a cell, from zero.
    pub fn column(&self, cell: Cell) -> usize {
        cell.index() % self.size()
    }
}

fn build_houses(size: usize, box_rows: usize, box_columns: usize) -> Vec<House> {
    let boxes_across = size / box_columns;
    let number = |kind, row: usize, column: usize| match kind {
        HouseKind::Row => row,
        HouseKind::Column => column,
        HouseKind::Box => row / box_rows * boxes_across + column / box_columns,
    };
    let mut houses = Vec::with_capacity(3 * size);
    for kind in [HouseKind::Row, HouseKind::Column, HouseKind::Box] {
        for index in 0..size {
            let cells = (0..size * size)
                .filter(|cell| number(kind, cell / size, cell % size) == index)
                .map(|cell| Cell(cell as u16))
                .collect();
            houses.push(House { kind, index, cells });
        }
    }
    houses
}

fn peers_of(cell: usize, houses_of: &[Vec<HouseId>], houses: &[House]) -> Vec<Cell> {
    let mut peers: Vec<Cell> = houses_of[cell]
        .iter()
        .flat_map(|id| houses[id.index()].cells.iter().copied())
        .filter(|peer| peer.index() != cell)
        .collect();
    peers.sort_unstable();
    peers.dedup();
    peers
}
