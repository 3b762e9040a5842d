//! A board as other programs describe it: the shape of its regions, and named extras. In: [`Geometry`], or what a
//! document says. Out: [`Features`], and the board that has them.

use super::boards::Boards;
use super::error::{self, FormatError};
use crate::grid::{BoardSpec, Cell, Digit, ExtraHouse, Geometry, HouseKind, Regions, notation};
use std::sync::{Arc, Mutex, OnceLock};

/// The regions of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Shape {
    /// The usual boxes of its size.
    #[default]
    Usual,
    /// The number of the region of each cell.
    Regions(Vec<usize>),
    /// Rows and columns only.
    None,
}

/// What tells a board from the plain one of its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Features {
    pub shape: Shape,
    /// The diagonal from the lower left.
    pub rising: bool,
    /// The diagonal from the upper left.
    pub falling: bool,
    /// The four windows of 9×9.
    pub windows: bool,
    /// Cells in the same place of their boxes.
    pub disjoint: bool,
    pub knight: bool,
    pub king: bool,
    /// Other houses, with their names.
    pub houses: Vec<(String, Vec<Cell>)>,
    /// Other offsets of cells that see each other.
    pub sees: Vec<(i8, i8)>,
}

const KNIGHT: [(i8, i8); 4] = [(1, -2), (1, 2), (2, -1), (2, 1)];
const KING: [(i8, i8); 2] = [(1, -1), (1, 1)];

impl Features {
    /// The features of a board.
    pub fn of(geometry: &Geometry) -> Features {
        let size = geometry.size();
        let mut found = Features { shape: shape_of(geometry), ..Features::default() };
        let extra = geometry.houses().iter().filter(|house| house.kind == HouseKind::Extra);
        let mut left: Vec<(String, Vec<Cell>)> = extra.map(|house| (house.to_string(), sorted(&house.cells))).collect();
        let mut take = |wanted: Vec<Vec<Cell>>| {
            let all = !wanted.is_empty() && wanted.iter().all(|cells| left.iter().any(|(_, house)| house == cells));
            if all {
                left.retain(|(_, house)| !wanted.contains(house));
            }
            all
        };
        found.falling = take(vec![falling(size)]);
        found.rising = take(vec![rising(size)]);
        found.windows = take(windows(size));
        found.disjoint = take(disjoint(size));
        found.houses = left;
        let turned =
            |&(rows, columns): &(i8, i8)| if (rows, columns) < (0, 0) { (-rows, -columns) } else { (rows, columns) };
        let mut sees: Vec<(i8, i8)> = geometry.spec().sees.iter().map(turned).collect();
        sees.retain(|&(rows, columns)| rows != 0 && columns != 0);
        sees.sort_unstable();
        sees.dedup();
        let mut take = |wanted: &[(i8, i8)]| {
            let all = wanted.iter().all(|offset| sees.contains(offset));
            if all {
                sees.retain(|offset| !wanted.contains(offset));
            }
            all
        };
        found.knight = take(&KNIGHT);
        found.king = take(&KING);
        found.sees = sees;
        found
    }

    /// Whether it is the plain board of its size.
    pub fn is_plain(&self) -> bool {
        *self == Features::default()
    }

    /// The board of a size with these features; on a board that the caller names they are added to what it has.
    pub fn board(&self, size: usize, line: usize, boards: Boards<'_>) -> Result<Arc<Geometry>, FormatError> {
        let refuse = |words: String| FormatError::new(error::LENGTH, (line, 1), words);
        if let Some(only) = boards.only.filter(|only| only.size() != size) {
            return Err(refuse(format!("a {size}×{size} puzzle; the board has {} rows", only.size())));
        }
        if self.is_plain() {
            return boards.board(size).ok_or_else(|| refuse(super::boards::no_usual_board(size)));
        }
        let base = boards.only.map(|only| only.spec().clone());
        let mut last = LAST.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(built) =
            last.as_ref().filter(|built| built.size == size && built.features == *self && built.base == base)
        {
            return Ok(Arc::clone(&built.board));
        }
        let board = Geometry::new(self.spec(size, base.as_ref()))
            .map(Arc::new)
            .map_err(|wrong| FormatError::new(error::REGIONS, (line, 1), wrong.0))?;
        *last = Some(Built { size, features: self.clone(), base, board: Arc::clone(&board) });
        Ok(board)
    }

    fn spec(&self, size: usize, base: Option<&BoardSpec>) -> BoardSpec {
        let known = || variants().iter().find(|(spec, features)| spec.size == size && features == self);
        if let Some((spec, _)) = base.is_none().then(known).flatten() {
            return spec.clone();
        }
        let mut spec = base.cloned().unwrap_or_else(|| BoardSpec {
            name: format!("{size}x{size}"),
            size,
            regions: Regions::Usual,
            extra: Vec::new(),
            sees: Vec::new(),
        });
        match &self.shape {
            Shape::Usual => {}
            Shape::None => spec.regions = Regions::None,
            Shape::Regions(numbers) => spec = spec.with_jigsaw(&signs(numbers)),
        }
        for (name, cells) in self.all_houses(size) {
            let cells = cells.iter().map(|cell| format!("r{}c{}", cell.index() / size + 1, cell.index() % size + 1));
            let house = ExtraHouse { name, cells: cells.collect::<Vec<_>>().join(" ") };
            if !spec.extra.iter().any(|known| known.name == house.name) {
                spec.extra.push(house);
            }
        }
        let offsets = [(self.knight, &KNIGHT[..]), (self.king, &KING[..]), (true, &self.sees[..])];
        for &offset in offsets.iter().filter(|(on, _)| *on).flat_map(|(_, offsets)| *offsets) {
            if !spec.sees.contains(&offset) {
                spec.sees.push(offset);
            }
        }
        spec
    }

    /// All houses besides rows, columns and regions.
    pub fn all_houses(&self, size: usize) -> Vec<(String, Vec<Cell>)> {
        let named = |on: bool, word: &str, houses: Vec<Vec<Cell>>| -> Vec<(String, Vec<Cell>)> {
            let houses = houses.into_iter().filter(|_| on).zip(1..);
            houses.map(|(cells, number)| (format!("{word} {number}"), cells)).collect()
        };
        let mut all = named(self.falling, "diagonal", vec![falling(size)]);
        all.extend(self.rising.then(|| ("diagonal 2".to_string(), rising(size))));
        all.extend(named(self.windows, "window", windows(size)));
        all.extend(named(self.disjoint, "group", disjoint(size)));
        all.extend(self.houses.iter().cloned());
        all
    }

    /// The cells of other houses as notation, for messages.
    pub fn house_names(&self, geometry: &Geometry) -> Vec<String> {
        self.houses.iter().map(|(name, cells)| format!("{name} ({})", notation::cells(geometry, cells))).collect()
    }
}

/// The board that was built last: a file of thousands of puzzles shares one.
struct Built {
    size: usize,
    features: Features,
    base: Option<BoardSpec>,
    board: Arc<Geometry>,
}

static LAST: Mutex<Option<Built>> = Mutex::new(None);

/// The variants that the binary carries, with their features.
fn variants() -> &'static [(BoardSpec, Features)] {
    static KNOWN: OnceLock<Vec<(BoardSpec, Features)>> = OnceLock::new();
    let features = |spec: BoardSpec| Some((spec.clone(), Features::of(&Geometry::new(spec).ok()?)));
    KNOWN.get_or_init(|| BoardSpec::variants().into_iter().filter_map(features).collect())
}

/// One sign for each cell, the same for all cells of a region.
pub(super) fn signs(numbers: &[usize]) -> String {
    numbers.iter().map(|&number| Digit(number.min(24) as u8).symbol()).collect()
}

/// The numbers of regions from one sign for each cell, in the order in which the signs first stand.
pub(super) fn numbers(signs: &str) -> Vec<usize> {
    numbered(signs.chars())
}

/// The numbers of regions from a mark of any kind for each cell.
pub(super) fn numbered<T: PartialEq>(marks: impl Iterator<Item = T>) -> Vec<usize> {
    let mut known: Vec<T> = Vec::new();
    let mut number = |mark: T| {
        known.iter().position(|other| *other == mark).unwrap_or_else(|| {
            known.push(mark);
            known.len() - 1
        })
    };
    marks.map(&mut number).collect()
}

/// The number of the usual box of each cell, if the size has one.
pub(super) fn usual_boxes(size: usize) -> Option<Vec<usize>> {
    let (rows, columns) = BoardSpec::plain(size)?.boxes()?;
    Some((0..size * size).map(|cell| cell / size / rows * (size / columns) + cell % size / columns).collect())
}

/// The shape that has these regions: the usual one where they are the usual boxes.
pub(super) fn shape(size: usize, numbers: Vec<usize>) -> Shape {
    let numbers = numbered(numbers.into_iter());
    match usual_boxes(size) {
        Some(usual) if usual == numbers => Shape::Usual,
        _ => Shape::Regions(numbers),
    }
}

/// Returns true if these regions are the usual boxes.
pub(super) fn is_usual(signs: &str) -> bool {
    shape(signs.chars().count().isqrt(), numbers(signs)) == Shape::Usual
}

fn shape_of(geometry: &Geometry) -> Shape {
    let numbers: Option<Vec<usize>> = geometry.cells().map(|cell| geometry.region(cell)).collect();
    numbers.map_or(Shape::None, |numbers| shape(geometry.size(), numbers))
}

pub(super) fn sorted(cells: &[Cell]) -> Vec<Cell> {
    let mut cells = cells.to_vec();
    cells.sort_unstable();
    cells
}

fn cell(size: usize, row: usize, column: usize) -> Cell {
    Cell((row * size + column) as u16)
}

fn falling(size: usize) -> Vec<Cell> {
    (0..size).map(|at| cell(size, at, at)).collect()
}

fn rising(size: usize) -> Vec<Cell> {
    (0..size).map(|at| cell(size, at, size - 1 - at)).collect()
}

fn windows(size: usize) -> Vec<Vec<Cell>> {
    let window = |(top, left): (usize, usize)| (0..9).map(|at| cell(9, top + at / 3, left + at % 3)).collect();
    if size == 9 { [(1, 1), (1, 5), (5, 1), (5, 5)].map(window).to_vec() } else { Vec::new() }
}

fn disjoint(size: usize) -> Vec<Vec<Cell>> {
    let Some((rows, columns)) = BoardSpec::plain(size).and_then(|spec| spec.boxes()) else { return Vec::new() };
    let place = |cell: usize| cell / size % rows * columns + cell % size % columns;
    let group = |at| (0..size * size).filter(|&cell| place(cell) == at).map(|cell| Cell(cell as u16)).collect();
    (0..size).map(group).collect()
}
