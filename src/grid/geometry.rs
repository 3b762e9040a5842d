//! Boards: their description and the tables derived from it. In: RON text, names. Out: [`BoardSpec`], everything in which boards
//! differ; [`Geometry`], checked, with the houses and peers of every cell.
//!
//! Rows and columns are on every board; a description adds boxes or irregular regions, further houses, and cells that see each
//! other without sharing a house. Rules speak only of houses and of seeing, so they need nothing else.

use super::ids::{Candidate, Cell, HouseId};
use super::notation;
use serde::{Deserialize, Serialize};
use std::fmt;

include!(concat!(env!("OUT_DIR"), "/boards.rs"));

/// Description of a board, as a board file gives it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardSpec {
    /// Name as printed and as given on the command line, e.g. `9x9`.
    pub name: String,
    /// Digits, rows and columns: 4 to 25.
    pub size: usize,
    /// Boxes, irregular regions, or none.
    #[serde(default)]
    pub regions: Regions,
    /// Houses besides rows, columns and regions.
    #[serde(default)]
    pub extra: Vec<ExtraHouse>,
    /// Offsets (rows, columns): a cell sees the cell that lies so far from it, and is seen by it.
    #[serde(default)]
    pub sees: Vec<(i8, i8)>,
}

/// The division of a board into boxes or irregular regions. Each part is a house of the kind `Box`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Regions {
    /// Boxes of the usual shape for the size.
    #[default]
    Usual,
    /// Rectangles that tile the board.
    Boxes {
        /// Height of a box in rows.
        rows: usize,
        /// Width of a box in columns.
        columns: usize,
    },
    /// Any shapes: one sign for each cell, row by row, equal for all cells of a region. Blanks and line ends in the texts are
    /// ignored. Regions are numbered in the sorted order of their signs.
    Jigsaw(Vec<String>),
    /// No regions: a Latin square.
    None,
}

/// A house besides rows, columns and regions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtraHouse {
    /// Name, e.g. `diagonal 1`.
    pub name: String,
    /// Cells in notation, as many as the board has digits: `r234c234`.
    pub cells: String,
}

/// The sizes with a usual shape of box: (size, rows of a box, columns of a box).
const USUAL: [(usize, usize, usize); 8] =
    [(4, 2, 2), (6, 2, 3), (8, 2, 4), (9, 3, 3), (10, 2, 5), (12, 3, 4), (16, 4, 4), (25, 5, 5)];

impl BoardSpec {
    /// Returns the board of a size with boxes of the usual shape: 4, 6, 8, 9, 10, 12, 16 or 25.
    pub fn standard(size: usize) -> Option<BoardSpec> {
        let (rows, columns) = BoardSpec::usual_boxes(size)?;
        Some(BoardSpec::of_regions(format!("{size}x{size}"), size, Regions::Boxes { rows, columns }))
    }

    /// Returns a board without further houses and without moves of `sees`.
    pub(super) fn of_regions(name: String, size: usize, regions: Regions) -> BoardSpec {
        BoardSpec { name, size, regions, extra: Vec::new(), sees: Vec::new() }
    }

    /// Returns the board of a size whose boxes have these numbers of rows and columns: `6x6:3x2`.
    pub fn with_boxes(size: usize, rows: usize, columns: usize) -> Option<BoardSpec> {
        if rows < 2 || columns < 2 || rows.checked_mul(columns) != Some(size) || !(4..=25).contains(&size) {
            return None;
        }
        let usual = BoardSpec::standard(size).filter(|board| board.boxes() == Some((rows, columns)));
        let name = format!("{size}x{size}:{rows}x{columns}");
        Some(usual.unwrap_or_else(|| BoardSpec::of_regions(name, size, Regions::Boxes { rows, columns })))
    }

    /// Returns the boards of a size with rectangular boxes.
    pub(super) fn all_with_boxes(size: usize) -> impl Iterator<Item = BoardSpec> {
        (2..size).filter_map(move |rows| BoardSpec::with_boxes(size, rows, size / rows))
    }

    /// Returns the sizes that have boxes of a usual shape.
    pub fn standard_sizes() -> impl Iterator<Item = usize> {
        USUAL.iter().map(|(size, ..)| *size)
    }

    /// Parses a board file; `source` names it in errors. [`Geometry::new`](super::Geometry::new) checks the cells.
    ///
    /// # Errors
    /// If the text is no board, with the place in it.
    pub fn read(source: &str, text: &str) -> Result<BoardSpec, BoardError> {
        ron::Options::default()
            .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
            .from_str(text)
            .map_err(|error| BoardError(format!("{source}:{}: {}", error.span.start, error.code)))
    }

    /// Finds a board by its name: one with usual boxes (`9x9`, `9`), one with boxes of a shape (`6x6:3x2`) or one of
    /// [`BoardSpec::variants`]. Case, blanks, `-` and `_` are ignored.
    pub fn named(name: &str) -> Option<BoardSpec> {
        let wanted = folded(name);
        if let Some((board, boxes)) = wanted.split_once(':') {
            let (size, _) = numbers_around_x(board).filter(|(rows, columns)| rows == columns)?;
            let (rows, columns) = numbers_around_x(boxes)?;
            return BoardSpec::with_boxes(size, rows, columns);
        }
        let size = match wanted.split_once('x') {
            Some((rows, columns)) if rows == columns => rows.parse().ok(),
            Some(_) => None,
            None => wanted.parse().ok(),
        };
        size.and_then(BoardSpec::standard)
            .or_else(|| BoardSpec::variants().into_iter().find(|spec| folded(&spec.name) == wanted))
    }

    /// Returns the built-in variants, by file name.
    pub fn variants() -> Vec<BoardSpec> {
        BOARDS.iter().filter_map(|(name, text)| BoardSpec::read(name, text).ok()).collect()
    }

    /// Returns the rows and columns of the usual boxes of a size, if it has any.
    pub(super) fn usual_boxes(size: usize) -> Option<(usize, usize)> {
        USUAL.iter().find(|(known, ..)| *known == size).map(|&(_, rows, columns)| (rows, columns))
    }

    /// Returns the rows and columns of a box, if the boxes are rectangles.
    pub fn boxes(&self) -> Option<(usize, usize)> {
        match self.regions {
            Regions::Usual => BoardSpec::usual_boxes(self.size),
            Regions::Boxes { rows, columns } => Some((rows, columns)),
            Regions::Jigsaw(_) | Regions::None => None,
        }
    }

    /// Returns the board with irregular regions in place of its own; `signs` has one sign for each cell.
    pub fn with_jigsaw(&self, signs: &str) -> BoardSpec {
        let (name, regions) = (format!("{} jigsaw", self.name), Regions::Jigsaw(vec![signs.to_string()]));
        BoardSpec { name, regions, ..self.clone() }
    }
}

/// Reads `3x2`.
fn numbers_around_x(text: &str) -> Option<(usize, usize)> {
    let (rows, columns) = text.split_once('x')?;
    Some((rows.parse().ok()?, columns.parse().ok()?))
}

fn folded(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

/// The kinds of house. Rows and columns are lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum HouseKind {
    /// A row.
    Row,
    /// A column.
    Column,
    /// A box, or an irregular region.
    Box,
    /// Any other: a diagonal, a window …
    Extra,
}

/// A set of `size` cells that holds every digit once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct House {
    /// Row, column, box or another.
    pub kind: HouseKind,
    /// Number among its kind, from zero.
    pub index: usize,
    /// Name on this board, unless that is its kind and number.
    pub name: Option<String>,
    /// Cells in board order.
    pub cells: Vec<Cell>,
}

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match (&self.name, self.kind) {
            (Some(name), _) => return f.write_str(name),
            (None, HouseKind::Row) => "row",
            (None, HouseKind::Column) => "column",
            (None, HouseKind::Box) => "box",
            (None, HouseKind::Extra) => "house",
        };
        write!(f, "{word} {}", self.index + 1)
    }
}

/// Why a board cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BoardError(pub String);

/// A board: its houses and, derived from them, the houses and peers of every cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    spec: BoardSpec,
    houses: Vec<House>,
    houses_of: Vec<Vec<HouseId>>,
    peers: Vec<Vec<Cell>>,
    extra_pairs: bool,
}

/// The most houses that sets of houses can hold.
const MOST_HOUSES: usize = 128;

impl Geometry {
    /// Builds the board of a size with usual boxes: 4, 6, 8, 9, 10, 12, 16 or 25.
    pub fn standard(size: usize) -> Option<Geometry> {
        Geometry::new(BoardSpec::standard(size)?).ok()
    }

    /// Returns the sizes of [`Geometry::standard`].
    pub fn standard_sizes() -> impl Iterator<Item = usize> {
        BoardSpec::standard_sizes()
    }

    /// Builds the board of rows and columns only, without boxes.
    pub fn latin(size: usize) -> Geometry {
        let spec = BoardSpec::of_regions(format!("{size}x{size} without boxes"), size, Regions::None);
        Geometry::of_houses(spec, lines(size))
    }

    /// Builds a board from its description.
    ///
    /// # Errors
    /// If the size is not 4 to 25, the regions do not tile it, or an extra house has not one cell for each digit.
    pub fn new(mut spec: BoardSpec) -> Result<Geometry, BoardError> {
        let size = spec.size;
        if !(4..=25).contains(&size) {
            return Err(BoardError(format!("a board has 4 to 25 rows, not {size}")));
        }
        if let Some((rows, columns)) = spec.sees.iter().find(|&&(rows, columns)| {
            (rows, columns) == (0, 0) || usize::from(rows.unsigned_abs().max(columns.unsigned_abs())) >= size
        }) {
            return Err(BoardError(format!("in `sees`, ({rows}, {columns}) leads from no cell to another")));
        }
        let mut houses = lines(size);
        houses.extend(regions(&mut spec)?);
        let base = Geometry::of_houses(spec, houses);
        let mut houses = base.houses.clone();
        for extra in &base.spec.extra {
            let cells = notation::read_cells(&base, &extra.cells)
                .map_err(|error| BoardError(format!("the house `{}`: {error}", extra.name)))?;
            if cells.len() != size {
                let (name, count) = (&extra.name, cells.len());
                return Err(BoardError(format!("the house `{name}` has {count} cells; it must have {size}")));
            }
            let index = houses.len() - base.houses.len();
            houses.push(House { kind: HouseKind::Extra, index, name: Some(extra.name.clone()), cells });
        }
        if houses.len() > MOST_HOUSES {
            return Err(BoardError(format!("a board has at most {MOST_HOUSES} houses, not {}", houses.len())));
        }
        let mut board = if base.spec.extra.is_empty() { base } else { Geometry::of_houses(base.spec, houses) };
        board.add_pairs();
        Ok(board)
    }

    fn of_houses(spec: BoardSpec, houses: Vec<House>) -> Geometry {
        let mut houses_of = vec![Vec::new(); spec.size * spec.size];
        for (id, house) in houses.iter().enumerate() {
            for cell in &house.cells {
                houses_of[cell.index()].push(HouseId(id as u16));
            }
        }
        let peers = (0..houses_of.len()).map(|cell| peers_of(cell, &houses_of, &houses)).collect();
        Geometry { spec, houses, houses_of, peers, extra_pairs: false }
    }

    /// Adds the cells that see each other by their distance.
    fn add_pairs(&mut self) {
        let lines = 0..self.size() as isize;
        for &(rows, columns) in &self.spec.sees.clone() {
            for cell in self.cells() {
                let row = self.row(cell) as isize + isize::from(rows);
                let column = self.column(cell) as isize + isize::from(columns);
                if !(lines.contains(&row) && lines.contains(&column)) {
                    continue;
                }
                let other = self.cell(row as usize, column as usize);
                for (a, b) in [(cell, other), (other, cell)] {
                    if let (true, Err(place)) = (a != b, self.peers[a.index()].binary_search(&b)) {
                        self.peers[a.index()].insert(place, b);
                        self.extra_pairs = true;
                    }
                }
            }
        }
    }

    /// Returns true if some cells see each other without sharing a house.
    pub fn has_extra_pairs(&self) -> bool {
        self.extra_pairs
    }

    /// Returns the index of the region that holds a cell, from zero, if the board has regions.
    pub fn region(&self, cell: Cell) -> Option<usize> {
        let mut houses = self.houses_of(cell).iter().map(|&id| self.house(id));
        houses.find(|house| house.kind == HouseKind::Box).map(|house| house.index)
    }

    /// Returns the description this board was built from.
    pub fn spec(&self) -> &BoardSpec {
        &self.spec
    }

    /// Returns the number of digits, which is that of rows and of columns.
    pub fn size(&self) -> usize {
        self.spec.size
    }

    /// Returns the number of cells.
    pub fn cell_count(&self) -> usize {
        self.spec.size * self.spec.size
    }

    /// Returns all cells in board order.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.cell_count()).map(|cell| Cell(cell as u16))
    }

    /// Returns all houses: rows, then columns, then boxes or regions, then extra houses in the order of the board file.
    pub fn houses(&self) -> &[House] {
        &self.houses
    }

    /// Returns one house.
    pub fn house(&self, id: HouseId) -> &House {
        &self.houses[id.index()]
    }

    /// Returns the houses that hold a cell.
    pub fn houses_of(&self, cell: Cell) -> &[HouseId] {
        &self.houses_of[cell.index()]
    }

    /// Returns the cells that see `cell`, in board order, without itself.
    pub fn peers(&self, cell: Cell) -> &[Cell] {
        &self.peers[cell.index()]
    }

    /// Returns true if two different cells cannot hold the same digit.
    pub fn sees(&self, a: Cell, b: Cell) -> bool {
        self.peers(a).binary_search(&b).is_ok()
    }

    /// Returns true if two candidates cannot both be true: two digits of a cell, or a digit in cells that see each other.
    pub fn excludes(&self, a: Candidate, b: Candidate) -> bool {
        if a.cell == b.cell { a.digit != b.digit } else { a.digit == b.digit && self.sees(a.cell, b.cell) }
    }

    /// Returns the cell in a row and a column, both from zero.
    pub fn cell(&self, row: usize, column: usize) -> Cell {
        Cell((row * self.size() + column) as u16)
    }

    /// Returns the row of a cell, from zero.
    pub fn row(&self, cell: Cell) -> usize {
        cell.index() / self.size()
    }

    /// Returns the column of a cell, from zero.
    pub fn column(&self, cell: Cell) -> usize {
        cell.index() % self.size()
    }
}

/// Returns the rows, then the columns.
fn lines(size: usize) -> Vec<House> {
    let kinds = [(HouseKind::Row, size, 1), (HouseKind::Column, 1, size)];
    let lines = kinds.into_iter().flat_map(|kind| (0..size).map(move |index| (kind, index)));
    let house = lines.map(|((kind, distance, step), index)| {
        let cells = (0..size).map(|at| Cell((index * distance + at * step) as u16)).collect();
        House { kind, index, name: None, cells }
    });
    house.collect()
}

/// Returns the boxes or regions. Writes a usual shape out in the description, so that equal boards have equal descriptions.
fn regions(spec: &mut BoardSpec) -> Result<Vec<House>, BoardError> {
    let size = spec.size;
    if spec.regions == Regions::Usual {
        let Some((rows, columns)) = spec.boxes() else {
            return Err(BoardError(format!("boxes of a {size}×{size} board have no usual shape: say its `regions`")));
        };
        spec.regions = Regions::Boxes { rows, columns };
    }
    let (signs, word) = match &spec.regions {
        Regions::None | Regions::Usual => return Ok(Vec::new()),
        Regions::Boxes { rows, columns } => (box_numbers(size, *rows, *columns)?, None),
        Regions::Jigsaw(signs) => (jigsaw_numbers(size, signs)?, Some("region")),
    };
    let house = (0..size).map(|index| {
        let cells = (0..signs.len()).filter(|&cell| signs[cell] == index).map(|cell| Cell(cell as u16)).collect();
        House { kind: HouseKind::Box, index, name: word.map(|word| format!("{word} {}", index + 1)), cells }
    });
    Ok(house.collect())
}

/// Returns the number of its box for each cell.
fn box_numbers(size: usize, rows: usize, columns: usize) -> Result<Vec<usize>, BoardError> {
    if rows.checked_mul(columns) != Some(size) {
        return Err(BoardError(format!("boxes of {rows} rows and {columns} columns do not tile a board of {size}")));
    }
    let across = size / columns;
    Ok((0..size * size).map(|cell| cell / size / rows * across + cell % size / columns).collect())
}

/// Returns the number of its region for each cell.
fn jigsaw_numbers(size: usize, lines: &[String]) -> Result<Vec<usize>, BoardError> {
    let signs: Vec<char> = lines.iter().flat_map(|line| line.chars()).filter(|c| !c.is_whitespace()).collect();
    if signs.len() != size * size {
        let (count, cells) = (signs.len(), size * size);
        return Err(BoardError(format!("the regions are given for {count} cells; the board has {cells}")));
    }
    let mut known = signs.clone();
    known.sort_unstable();
    known.dedup();
    for sign in &known {
        let count = signs.iter().filter(|other| *other == sign).count();
        if count != size {
            return Err(BoardError(format!("the region `{sign}` has {count} cells; it must have {size}")));
        }
    }
    Ok(signs.iter().map(|sign| known.binary_search(sign).unwrap_or_default()).collect())
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
