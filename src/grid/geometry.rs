//! Boards. In: RON text, names. Out: [`BoardSpec`], the description of a board; [`Geometry`], a checked board with its houses and the
//! peers of every cell.
//!
//! Every board has rows and columns. A description adds boxes or irregular regions, extra houses, and cells that see each other
//! without sharing a house. Rules refer only to houses and to cells that see each other.

use super::ids::{Candidate, Cell, HouseId};
use super::notation;
use serde::{Deserialize, Serialize};
use std::fmt;

// Defines `BOARDS`: name and text of each file in the folder of boards. Written by build.rs.
include!(concat!(env!("OUT_DIR"), "/boards.rs"));

/// Description of a board: the content of a board file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardSpec {
    /// Name as printed and as given on the command line, e.g. `9x9`.
    pub name: String,
    /// Number of digits, of rows and of columns: 4 to 25.
    pub size: usize,
    /// Boxes, irregular regions, or none.
    #[serde(default)]
    pub regions: Regions,
    /// Houses other than rows, columns and regions.
    #[serde(default)]
    pub extra: Vec<ExtraHouse>,
    /// Offsets (rows down, columns right) between cells that see each other, such as `(1, 2)` for a knight's move.
    #[serde(default)]
    pub sees: Vec<(i8, i8)>,
}

/// The division of a board into boxes or irregular regions. Each box or region is a house of the kind `Box`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Regions {
    /// Boxes of the usual shape for the size, such as 2 rows by 3 columns on 6×6.
    #[default]
    Usual,
    /// Rectangular boxes that tile the board.
    Boxes {
        /// Height of a box in rows.
        rows: usize,
        /// Width of a box in columns.
        columns: usize,
    },
    /// Regions of any shape. The texts, without blanks and line ends, have one symbol for each cell, row by row. The cells with equal
    /// symbols are a region. Regions are numbered in the sorted order of their symbols.
    Jigsaw(Vec<String>),
    /// No regions: a Latin square.
    None,
}

/// A house other than a row, column or region.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtraHouse {
    /// Name, e.g. `diagonal 1`.
    pub name: String,
    /// Cells in notation, one for each digit of the board: `r234c234`.
    pub cells: String,
}

/// The sizes with a usual box shape: (size, rows of a box, columns of a box).
const USUAL_BOX_SHAPES: [(usize, usize, usize); 8] =
    [(4, 2, 2), (6, 2, 3), (8, 2, 4), (9, 3, 3), (10, 2, 5), (12, 3, 4), (16, 4, 4), (25, 5, 5)];

impl BoardSpec {
    /// Returns the board of a size with boxes of the usual shape: 4, 6, 8, 9, 10, 12, 16 or 25.
    pub fn standard(size: usize) -> Option<BoardSpec> {
        let (rows, columns) = BoardSpec::usual_box_shape(size)?;
        Some(BoardSpec::with_regions_only(format!("{size}x{size}"), size, Regions::Boxes { rows, columns }))
    }

    /// Returns a board without extra houses and without `sees` offsets.
    pub(super) fn with_regions_only(name: String, size: usize, regions: Regions) -> BoardSpec {
        BoardSpec { name, size, regions, extra: Vec::new(), sees: Vec::new() }
    }

    /// Returns the board of a size whose boxes have these numbers of rows and columns, such as `6x6:3x2`. Returns `None` if such boxes
    /// do not tile a board.
    pub fn with_boxes(size: usize, rows: usize, columns: usize) -> Option<BoardSpec> {
        if rows < 2 || columns < 2 || rows.checked_mul(columns) != Some(size) || !(4..=25).contains(&size) {
            return None;
        }
        if BoardSpec::usual_box_shape(size) == Some((rows, columns)) {
            return BoardSpec::standard(size);
        }
        let name = format!("{size}x{size}:{rows}x{columns}");
        Some(BoardSpec::with_regions_only(name, size, Regions::Boxes { rows, columns }))
    }

    /// Returns the sizes that have a usual box shape.
    pub fn standard_sizes() -> impl Iterator<Item = usize> {
        USUAL_BOX_SHAPES.iter().map(|(size, ..)| *size)
    }

    /// Parses a board file; `source` names it in errors. [`Geometry::new`](super::Geometry::new) checks the cells.
    ///
    /// # Errors
    /// If the text is no board description. The error contains the position in the text.
    pub fn read(source: &str, text: &str) -> Result<BoardSpec, BoardError> {
        ron::Options::default()
            .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
            .from_str(text)
            .map_err(|error| BoardError(format!("{source}:{}: {}", error.span.start, error.code)))
    }

    /// Finds a board by its name: a standard board (`9x9`, `9`), a board with boxes of a given shape (`6x6:3x2`) or one of
    /// [`BoardSpec::variants`]. Case, blanks, `-` and `_` are ignored.
    pub fn named(name: &str) -> Option<BoardSpec> {
        let normalized = normalized_name(name);
        if let Some((board, boxes)) = name.split_once(':') {
            let (size, columns_of_board) = numbers_around_x(board)?;
            let (rows, columns) = numbers_around_x(boxes)?;
            return if size == columns_of_board { BoardSpec::with_boxes(size, rows, columns) } else { None };
        }
        let size = match numbers_around_x(name) {
            Some((rows, columns)) if rows == columns => Some(rows),
            Some(_) => None,
            None => number(name),
        };
        size.and_then(BoardSpec::standard)
            .or_else(|| BoardSpec::variants().into_iter().find(|spec| normalized_name(&spec.name) == normalized))
    }

    /// Returns the built-in boards that are no standard boards, sorted by file name.
    pub fn variants() -> Vec<BoardSpec> {
        BOARDS.iter().filter_map(|(name, text)| BoardSpec::read(name, text).ok()).collect()
    }

    /// Returns the rows and columns of the usual boxes of a size, if it has any.
    pub(super) fn usual_box_shape(size: usize) -> Option<(usize, usize)> {
        let shape = USUAL_BOX_SHAPES.iter().find(|(usual_size, ..)| *usual_size == size);
        shape.map(|&(_, rows, columns)| (rows, columns))
    }

    /// Returns the rows and columns of a box, if the boxes are rectangles.
    pub fn boxes(&self) -> Option<(usize, usize)> {
        match self.regions {
            Regions::Usual => BoardSpec::usual_box_shape(self.size),
            Regions::Boxes { rows, columns } => Some((rows, columns)),
            Regions::Jigsaw(_) | Regions::None => None,
        }
    }

    /// Returns the description with irregular regions in place of its own; `symbols` has one symbol for each cell.
    pub fn with_jigsaw(&self, symbols: &str) -> BoardSpec {
        let (name, regions) = (format!("{} jigsaw", self.name), Regions::Jigsaw(vec![symbols.to_string()]));
        BoardSpec { name, regions, ..self.clone() }
    }
}

/// Reads `3x2`.
fn numbers_around_x(text: &str) -> Option<(usize, usize)> {
    let (rows, columns) = text.split_once(['x', 'X'])?;
    Some((number(rows)?, number(columns)?))
}

/// Reads a number without a sign. Blanks around the number are ignored.
fn number(text: &str) -> Option<usize> {
    let digits = text.trim();
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

fn normalized_name(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

/// The kind of a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum HouseKind {
    Row,
    Column,
    /// A box, or an irregular region.
    Box,
    /// Any other house, such as a diagonal or a window.
    Extra,
}

/// A set of `size` cells that holds every digit once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct House {
    /// Row, column, box or extra house.
    pub kind: HouseKind,
    /// Number among the houses of its kind, from zero.
    pub index: usize,
    /// Name of its own; `None` if the house is called by its kind and number.
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

/// Error for a board that cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BoardError(pub String);

/// A board: its houses, and the houses and peers of every cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    spec: BoardSpec,
    houses: Vec<House>,
    houses_of: Vec<Vec<HouseId>>,
    /// Peers of each cell, sorted.
    peers: Vec<Vec<Cell>>,
    has_extra_pairs: bool,
}

/// Capacity of a [`HouseSet`](super::HouseSet).
const MOST_HOUSES: usize = 128;

impl Geometry {
    /// Builds the board of a size with usual boxes: 4, 6, 8, 9, 10, 12, 16 or 25.
    pub fn standard(size: usize) -> Option<Geometry> {
        Geometry::new(BoardSpec::standard(size)?).ok()
    }

    /// Builds the board that has only rows and columns.
    pub fn latin(size: usize) -> Geometry {
        let spec = BoardSpec::with_regions_only(format!("{size}x{size} without boxes"), size, Regions::None);
        Geometry::with_houses(spec, rows_and_columns(size))
    }

    /// Builds a board from its description.
    ///
    /// # Errors
    /// If the size is not 4 to 25, the regions do not tile the board, or an extra house does not have one cell for each digit.
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
        let mut houses = rows_and_columns(size);
        houses.extend(regions(&mut spec)?);
        // The cells of extra houses are written in notation, and a board is needed to read notation.
        let base = Geometry::with_houses(spec, houses);
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
        for (index, extra) in base.spec.extra.iter().enumerate() {
            if base.spec.extra[..index].iter().any(|earlier| earlier.name == extra.name) {
                return Err(BoardError(format!("two extra houses have the name `{}`", extra.name)));
            }
        }
        let mut board = if base.spec.extra.is_empty() { base } else { Geometry::with_houses(base.spec, houses) };
        board.add_extra_pairs();
        Ok(board)
    }

    fn with_houses(spec: BoardSpec, houses: Vec<House>) -> Geometry {
        let mut houses_of = vec![Vec::new(); spec.size * spec.size];
        for (id, house) in houses.iter().enumerate() {
            for cell in &house.cells {
                houses_of[cell.index()].push(HouseId(id as u16));
            }
        }
        let peers = (0..houses_of.len()).map(|cell| peers_of(cell, &houses_of, &houses)).collect();
        Geometry { spec, houses, houses_of, peers, has_extra_pairs: false }
    }

    /// Makes each cell a peer of the cells at the `sees` offsets of the description.
    fn add_extra_pairs(&mut self) {
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
                    let peers = &mut self.peers[a.index()];
                    if let Err(position) = peers.binary_search(&b) {
                        peers.insert(position, b);
                        self.has_extra_pairs = true;
                    }
                }
            }
        }
    }

    /// Returns true if some cells see each other without sharing a house.
    pub fn has_extra_pairs(&self) -> bool {
        self.has_extra_pairs
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

    /// Returns the number of digits, of rows and of columns.
    pub fn size(&self) -> usize {
        self.spec.size
    }

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

    pub fn house(&self, id: HouseId) -> &House {
        &self.houses[id.index()]
    }

    pub fn houses_of(&self, cell: Cell) -> &[HouseId] {
        &self.houses_of[cell.index()]
    }

    /// Returns the other cells that see `cell`, in board order.
    pub fn peers(&self, cell: Cell) -> &[Cell] {
        &self.peers[cell.index()]
    }

    /// Returns true if two different cells cannot hold the same digit.
    pub fn sees(&self, a: Cell, b: Cell) -> bool {
        self.peers(a).binary_search(&b).is_ok()
    }

    /// Returns true if two candidates cannot both be true: two digits in one cell, or one digit in two cells that see each other.
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

fn rows_and_columns(size: usize) -> Vec<House> {
    let mut houses = Vec::new();
    for (kind, line_stride, cell_stride) in [(HouseKind::Row, size, 1), (HouseKind::Column, 1, size)] {
        for index in 0..size {
            let cells = (0..size).map(|at| Cell((index * line_stride + at * cell_stride) as u16)).collect();
            houses.push(House { kind, index, name: None, cells });
        }
    }
    houses
}

/// Returns the boxes or regions. Replaces [`Regions::Usual`] in the description by the box shape, so that equal boards have equal
/// descriptions.
fn regions(spec: &mut BoardSpec) -> Result<Vec<House>, BoardError> {
    let size = spec.size;
    let is_jigsaw = matches!(spec.regions, Regions::Jigsaw(_));
    let numbers = match &spec.regions {
        Regions::None => return Ok(Vec::new()),
        Regions::Jigsaw(symbols) => jigsaw_numbers(size, symbols)?,
        Regions::Boxes { rows, columns } => box_numbers(size, *rows, *columns)?,
        Regions::Usual => {
            let (rows, columns) = BoardSpec::usual_box_shape(size).ok_or_else(|| {
                BoardError(format!("boxes of a {size}×{size} board have no usual shape: say its `regions`"))
            })?;
            spec.regions = Regions::Boxes { rows, columns };
            box_numbers(size, rows, columns)?
        }
    };
    let houses = (0..size).map(|index| {
        let cells = (0..numbers.len()).filter(|&cell| numbers[cell] == index).map(|cell| Cell(cell as u16)).collect();
        let name = if is_jigsaw { Some(format!("region {}", index + 1)) } else { None };
        House { kind: HouseKind::Box, index, name, cells }
    });
    Ok(houses.collect())
}

/// Returns for each cell the index of its box.
pub(super) fn box_numbers(size: usize, rows: usize, columns: usize) -> Result<Vec<usize>, BoardError> {
    if rows.checked_mul(columns) != Some(size) {
        return Err(BoardError(format!("boxes of {rows} rows and {columns} columns do not tile a board of {size}")));
    }
    let box_of = |cell: usize| {
        let row = cell / size;
        let column = cell % size;
        row / rows * (size / columns) + column / columns
    };
    Ok((0..size * size).map(box_of).collect())
}

/// Returns for each cell the index of its region.
fn jigsaw_numbers(size: usize, lines: &[String]) -> Result<Vec<usize>, BoardError> {
    let symbols: Vec<char> = lines.iter().flat_map(|line| line.chars()).filter(|c| !c.is_whitespace()).collect();
    if symbols.len() != size * size {
        let count = symbols.len();
        let cells = size * size;
        return Err(BoardError(format!("the regions are given for {count} cells; the board has {cells}")));
    }
    let mut distinct = symbols.clone();
    distinct.sort_unstable();
    distinct.dedup();
    for symbol in &distinct {
        let count = symbols.iter().filter(|other| *other == symbol).count();
        if count != size {
            return Err(BoardError(format!("the region `{symbol}` has {count} cells; it must have {size}")));
        }
    }
    Ok(symbols.iter().map(|symbol| distinct.partition_point(|other| other < symbol)).collect())
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
