//! Boards of puzzle texts. In: the number of characters, the board that the caller wants, maps of regions, features that other
//! programs name. Out: the shared [`Geometry`].
//!
//! [`BoardChoice`] is the set of boards that a text may be for. [`MapSearch`] is a map of irregular regions beside a puzzle. [`Features`] describe
//! a board as other programs do: the shape of its regions, and named extras.

use super::TextPosition;
use super::error::{self, FormatError};
use super::lines::{LineKind, bare_cells, kind_of};
use super::position_at;
use super::puzzle::{CellMark, text_of};
use crate::grid::{BoardError, BoardSpec, Cell, Digit, ExtraHouse, Geometry, HouseKind, Regions, notation};
use std::sync::{Arc, Mutex, OnceLock};

/// The boards a text may be for: the one that the caller names, or else every standard one.
#[derive(Clone, Copy, Default)]
pub(super) struct BoardChoice<'a> {
    pub required: Option<&'a Arc<Geometry>>,
}

impl BoardChoice<'_> {
    /// Returns true if there is a board of this size.
    pub fn has_size(self, size: usize) -> bool {
        self.required.map_or_else(|| Geometry::standard_sizes().any(|known| known == size), |only| only.size() == size)
    }

    /// Returns the sizes, smallest first.
    pub fn sizes(self) -> impl DoubleEndedIterator<Item = usize> {
        SIZES.filter(move |&size| self.has_size(size))
    }

    /// Returns the board of a size.
    pub fn board(self, size: usize) -> Option<Arc<Geometry>> {
        match self.required {
            Some(geometry) => (geometry.size() == size).then(|| Arc::clone(geometry)),
            None => standard(size),
        }
    }

    /// Returns the board of a size, for a text that begins at a place.
    pub fn board_at(self, size: usize, position: TextPosition) -> Result<Arc<Geometry>, FormatError> {
        self.board(size).ok_or_else(|| {
            FormatError::new(error::LENGTH, position, format!("there is no {size}×{size} board to read this on"))
        })
    }

    /// Builds the board of a line whose note gives regions (`jigsaw=…`): those of the caller's board or of the standard board are
    /// replaced.
    ///
    /// # Errors
    /// When the regions do not fit a board.
    pub fn board_of_note(self, line: usize, text: &str) -> Result<Option<Arc<Geometry>>, FormatError> {
        let Some(at) = text.find(JIGSAW) else { return Ok(None) };
        let start = at + JIGSAW.len();
        let symbols = text[start..].split_whitespace().next().unwrap_or_default();
        self.board_with_regions(position_at(line, text, start), symbols).map(Some)
    }

    /// Builds the board with these regions, one symbol for each cell; the rest is the caller's board or the standard one.
    ///
    /// # Errors
    /// When the regions do not fit a board.
    pub fn board_with_regions(self, position: TextPosition, symbols: &str) -> Result<Arc<Geometry>, FormatError> {
        let count = symbols.chars().count();
        let board = match (self.required, size_with_cells(count)) {
            (Some(board), _) => Geometry::new(board.spec().with_jigsaw(symbols)),
            (None, Some(size)) => Geometry::new(usual_board(size).with_jigsaw(symbols)),
            (None, None) => Err(BoardError(format!("the regions of {count} cells are given; no board has that many"))),
        };
        board.map(Arc::new).map_err(|error| {
            let help = "write one sign for each cell after `jigsaw=`, the same for all cells of a region";
            FormatError::new(error::REGIONS, position, error.0).with_help(help)
        })
    }

    /// Returns the size whose square is `count`.
    pub fn size_with_cells(self, count: usize) -> Option<usize> {
        size_with_cells(count).filter(|&size| self.has_size(size))
    }

    /// Returns the size whose cube is `count`.
    pub fn size_with_candidates(self, count: usize) -> Option<usize> {
        self.sizes().find(|size| size.pow(3) == count)
    }

    /// Describes the puzzle length nearest to `count`, for messages.
    pub fn describe_nearest_length(self, count: usize) -> String {
        let puzzles = self.sizes().map(|n| (n * n, format!("a {n}×{n} puzzle has {}", n * n)));
        let lists = self.sizes().map(|n| (n.pow(3), format!("{n}×{n} candidate lists have {}", n.pow(3))));
        let nearest = puzzles.chain(lists).min_by_key(|(length, _)| length.abs_diff(count));
        self.why_no_board(count).or(nearest.map(|(_, words)| words)).unwrap_or_default()
    }

    /// Explains why there is no board of this many cells, if the number is a square or known from overlapping grids.
    fn why_no_board(self, count: usize) -> Option<String> {
        const OVERLAPPING: [(usize, &str); 4] =
            [(369, "samurai"), (405, "samurai"), (441, "samurai"), (153, "twodoku")];
        if let (None, Some((_, name))) = (self.required, OVERLAPPING.iter().find(|(cells, _)| *cells == count)) {
            return Some(format!("a {name} puzzle of overlapping grids? Pinion reads one grid at a time"));
        }
        let size = (3..=30).find(|size| size * size == count).filter(|&size| !self.has_size(size))?;
        Some(match self.required {
            Some(board) => format!("that is {size}×{size}, and the board has {} rows", board.size()),
            None => no_usual_board(size),
        })
    }
}

/// The sizes of boards.
pub(super) const SIZES: std::ops::RangeInclusive<usize> = 4..=25;

/// Returns the size of the boards with this number of cells.
pub(super) fn size_with_cells(cells: usize) -> Option<usize> {
    SIZES.into_iter().find(|size| size * size == cells)
}

/// Returns true if some item stands twice.
pub(super) fn has_twice<T: PartialEq>(items: &[T]) -> bool {
    items.iter().enumerate().any(|(at, item)| items[..at].contains(item))
}

/// Returns the message for a size without usual boxes; it lists the sizes that have some.
pub(super) fn no_usual_board(size: usize) -> String {
    let known = "puzzles of 4, 6, 8, 9, 10, 12, 16 and 25 rows are read";
    match size {
        4..=25 => format!("a {size}×{size} puzzle has no usual boxes: {known}, others with a board file (`--board`)"),
        _ => format!("there is no {size}×{size} board: {known}"),
    }
}

/// Prefix of the region symbols in the note of a puzzle.
const JIGSAW: &str = "jigsaw=";

/// A region map that follows a puzzle.
pub(super) struct InlineRegionMap {
    /// One symbol for each cell.
    pub symbols: String,
    /// Number of characters that are cells of the puzzle.
    pub cells: usize,
    /// Bytes of the rest of the line that are the map.
    pub length: usize,
}

/// Returns the region map after a puzzle: a second field as long as the puzzle, or the second half of a single field.
pub(super) fn region_map(marks: &[CellMark], rest: &str) -> Option<InlineRegionMap> {
    let count = marks.len();
    let field = rest.trim_start_matches([' ', '\t', ',', ';']).split([' ', '\t', ',', ';']).next().unwrap_or_default();
    if !rest.starts_with(':') && field.len() == count {
        let length = rest.find(field).unwrap_or_default() + field.len();
        return is_region_map(field).then(|| InlineRegionMap { symbols: field.to_string(), cells: count, length });
    }
    if count % 2 == 1 || size_with_cells(count).is_some() {
        return None;
    }
    let symbols = text_of(&marks[count / 2..]);
    is_region_map(&symbols).then_some(InlineRegionMap { symbols, cells: count / 2, length: 0 })
}

/// Returns true if a line may stand between a puzzle and the map of its regions.
pub(super) fn is_before_regions(text: &str) -> bool {
    const LABELS: [&str; 6] = ["region", "jigsaw", "layout", "shape", "area", "box"];
    let lower = text.to_ascii_lowercase();
    let is_label = LABELS.iter().any(|word| lower.contains(word)) && !lower.contains(JIGSAW);
    is_label || matches!(kind_of(text), LineKind::Blank | LineKind::Comment | LineKind::Border)
}

/// The lines above or below a puzzle, as far as they are a map of its regions.
pub(super) enum MapSearch {
    /// There is none.
    Absent,
    /// The lines so far may begin one.
    Unfinished,
    /// One symbol for each cell, and the line after the map.
    Found(String, usize),
    /// A map that lacks something, and the line after it.
    Damaged(usize),
}

/// Most lines between a puzzle and the map of its regions.
const MOST_BEFORE: usize = 4;

/// Returns the map of regions that begins at a line, on one line or on n. Labels, borders and blank lines may stand before it.
pub(super) fn map_at(lines: &[&str], from: usize, complete: bool) -> MapSearch {
    // A line with `.` is a row of a puzzle, not of a map.
    if lines.get(from).is_some_and(|line| bare_cells(line).is_some_and(|cells| cells.contains('.'))) {
        return MapSearch::Absent;
    }
    let Some(first) = (from..lines.len()).take(MOST_BEFORE + 1).find(|&at| !is_before_regions(lines[at])) else {
        return MapSearch::Absent;
    };
    let size = cells_of(lines[first]).chars().count();
    if size > 25 {
        let symbols = cells_of(lines[first]);
        return if is_region_map(&symbols) { MapSearch::Found(symbols, first + 1) } else { MapSearch::Absent };
    }
    let (mut rows, mut end): (Vec<String>, usize) = (Vec::new(), first);
    while end < lines.len() && rows.len() <= size {
        if kind_of(lines[end]) != LineKind::Border {
            let Some(row) = row_of_map(lines[end]) else { break };
            rows.push(row);
        }
        end += 1;
        let map = if rows.len() == size { rows.concat() } else { String::new() };
        if rows.iter().all(|row| row.chars().count() == size) && is_region_map(&map) {
            return MapSearch::Found(map, end);
        }
    }
    // Sixteen symbols are a map of 4×4 unless rows of 16×16 follow.
    if rows.len() == 1 && (complete || end < lines.len()) && is_region_map(&rows[0]) {
        return MapSearch::Found(rows.concat(), end);
    }
    let full = rows.iter().filter(|row| row.chars().count() == size).count();
    if rows.iter().filter(|row| repeats_a_sign(row)).count() * 2 <= rows.len() {
        MapSearch::Absent
    } else if end == lines.len() && rows.len() < size && !complete {
        MapSearch::Unfinished
    } else if rows.len() >= 4 && rows.len().abs_diff(size) <= 1 && full + 2 >= size {
        MapSearch::Damaged(end)
    } else {
        MapSearch::Absent
    }
}

/// Returns true if the row has a symbol, other than those for empty cells, more than once.
fn repeats_a_sign(row: &str) -> bool {
    has_twice(&row.chars().filter(|symbol| !matches!(symbol, '0' | 'x' | 'X')).collect::<Vec<_>>())
}

/// Returns the symbols of a row of a map: letters and digits, with blanks between all of them or none.
fn row_of_map(line: &str) -> Option<String> {
    let symbols = cells_of(line);
    let words: Vec<&str> = line.split([' ', '\t', '|', ',']).filter(|word| !word.is_empty()).collect();
    let even = words.len() == 1 || words.iter().all(|word| word.chars().count() == 1) || line.contains('|');
    (even && symbols.chars().all(char::is_alphanumeric) && (3..=26).contains(&symbols.chars().count()))
        .then_some(symbols)
}

/// Refuses a puzzle beside a map of regions that makes no board.
pub(super) fn damaged_map(position: TextPosition) -> FormatError {
    let message = "this looks like a map of regions, but it has not n rows of n signs, each for n cells";
    FormatError::new(error::REGIONS, position, message).with_help("write n signs, each for the n cells of one region")
}

/// Returns true if a map of regions may have begun below a puzzle, and its last rows are not there yet.
pub(super) fn is_map_open(lines: &[&str], from: usize) -> bool {
    let Some(first) = (from..lines.len()).find(|&at| !is_before_regions(lines[at])) else {
        return lines.len() < from + MOST_BEFORE;
    };
    let rows = lines[first..].iter().filter(|line| kind_of(line) != LineKind::Border);
    let size = cells_of(lines[first]).chars().count();
    SIZES.contains(&size)
        && first <= from + MOST_BEFORE
        && rows.clone().all(|line| cells_of(line).chars().count() == size)
        && rows.count() < size
}

/// Returns the characters of a line that are neither blanks nor separators.
fn cells_of(line: &str) -> String {
    line.chars().filter(|c| !(c.is_whitespace() || "|,".contains(*c))).collect()
}

/// Returns true if each of n symbols occurs n times and some row has one twice. Without such a row, it would be a solution.
pub(super) fn is_region_map(symbols: &str) -> bool {
    let symbols: Vec<char> = symbols.chars().collect();
    let Some(size) = size_with_cells(symbols.len()) else { return false };
    let mut sorted = symbols.clone();
    sorted.sort_unstable();
    let even = sorted.chunk_by(|a, b| a == b).all(|same| same.len() == size);
    even && symbols.chunks(size).any(has_twice)
}

/// Returns the description of the board of a size with the usual boxes, even if there are none.
fn usual_board(size: usize) -> BoardSpec {
    BoardSpec::with_regions_only(format!("{size}x{size}"), size, Regions::Usual)
}

/// Returns the standard boards, each built once: a file of thousands of puzzles shares one.
fn standard(size: usize) -> Option<Arc<Geometry>> {
    static BUILT: [OnceLock<Option<Arc<Geometry>>>; 26] = [const { OnceLock::new() }; 26];
    BUILT.get(size)?.get_or_init(|| Geometry::standard(size).map(Arc::new)).clone()
}

/// The regions of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum RegionShape {
    /// The usual boxes of its size.
    #[default]
    Usual,
    /// The number of the region of each cell.
    Regions(Vec<usize>),
    /// Rows and columns only.
    None,
}

/// A feature of boards that formats know by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// The diagonal from the lower left.
    Rising,
    /// The diagonal from the upper left.
    Falling,
    /// The four windows of 9×9.
    Windows,
    /// Cells in the same place of their boxes.
    Disjoint,
    /// Cells a knight's move from each other.
    Knight,
    /// Cells that touch at a corner.
    King,
    /// Any other house.
    Houses,
    /// Any other pairs of cells that see each other.
    Sees,
}

/// The cells of each house of a feature, on a board of a size.
type HousesOfSize = fn(usize) -> Vec<Vec<Cell>>;

/// The features that are houses: the word of their names (`window 1`), the number of the first, and their cells.
const HOUSES: [(Feature, &str, usize, HousesOfSize); 4] = [
    (Feature::Falling, "diagonal", 1, |size| vec![(0..size).map(|at| cell(size, at, at)).collect()]),
    (Feature::Rising, "diagonal", 2, |size| vec![(0..size).map(|at| cell(size, at, size - 1 - at)).collect()]),
    (Feature::Windows, "window", 1, windows),
    (Feature::Disjoint, "group", 1, disjoint),
];

/// The features that are offsets of cells that see each other.
const OFFSETS: [(Feature, &[(i8, i8)]); 2] =
    [(Feature::Knight, &[(1, -2), (1, 2), (2, -1), (2, 1)]), (Feature::King, &[(1, -1), (1, 1)])];

/// Differences of a board from the standard one of its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Features {
    pub shape: RegionShape,
    /// A bit for each feature of [`HOUSES`] and [`OFFSETS`].
    feature_bits: u8,
    /// Other houses, with their names.
    pub houses: Vec<(String, Vec<Cell>)>,
    /// Other offsets of cells that see each other.
    sees: Vec<(i8, i8)>,
}

impl Features {
    /// Returns true if the board has a feature.
    pub fn has(&self, feature: Feature) -> bool {
        match feature {
            Feature::Houses => !self.houses.is_empty(),
            Feature::Sees => !self.sees.is_empty(),
            _ => self.feature_bits >> feature as u8 & 1 == 1,
        }
    }

    /// Adds a feature of [`HOUSES`] or [`OFFSETS`].
    pub fn add(&mut self, feature: Feature) {
        self.feature_bits |= 1 << feature as u8;
    }

    /// Returns the words of a format for the features of the board.
    pub fn words<'w>(&self, words: &[(&'w str, Feature)]) -> Vec<&'w str> {
        words.iter().filter(|(_, feature)| self.has(*feature)).map(|(word, _)| *word).collect()
    }

    /// Returns the features of a board.
    pub fn of(geometry: &Geometry) -> Features {
        let mut found = Features { shape: region_shape_of(geometry), ..Features::default() };
        let extra = geometry.houses().iter().filter(|house| house.kind == HouseKind::Extra);
        found.houses = extra.map(|house| (house.to_string(), sorted(&house.cells))).collect();
        for (feature, _, _, houses) in HOUSES {
            let wanted = houses(geometry.size());
            if !wanted.is_empty() && wanted.iter().all(|cells| found.houses.iter().any(|(_, house)| house == cells)) {
                found.houses.retain(|(_, house)| !wanted.contains(house));
                found.add(feature);
            }
        }
        let turned = geometry.spec().sees.iter().map(|&offset| offset.max((-offset.0, -offset.1)));
        found.sees = turned.filter(|&(rows, columns)| rows != 0 && columns != 0).collect();
        found.sees.sort_unstable();
        found.sees.dedup();
        for (feature, offsets) in OFFSETS {
            if offsets.iter().all(|offset| found.sees.contains(offset)) {
                found.sees.retain(|offset| !offsets.contains(offset));
                found.add(feature);
            }
        }
        found
    }

    /// Returns true for the standard board of a size.
    pub fn is_standard(&self) -> bool {
        *self == Features::default()
    }

    /// Returns the board of a size with these features. If the caller names a board, the features are added to it.
    pub fn board(&self, size: usize, line: usize, boards: BoardChoice<'_>) -> Result<Arc<Geometry>, FormatError> {
        if let Some(only) = boards.required.filter(|only| only.size() != size) {
            let message = format!("a {size}×{size} puzzle; the board has {} rows", only.size());
            return Err(FormatError::new(error::LENGTH, (line, 1), message));
        }
        if self.is_standard() {
            let board = boards.board(size);
            return board.ok_or_else(|| FormatError::new(error::LENGTH, (line, 1), no_usual_board(size)));
        }
        let base = boards.required.map(|only| only.spec().clone());
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
        if base.is_none()
            && let Some((spec, _)) = variants().iter().find(|(spec, features)| spec.size == size && features == self)
        {
            return spec.clone();
        }
        let mut spec = base.cloned().unwrap_or_else(|| usual_board(size));
        match &self.shape {
            RegionShape::Usual => {}
            RegionShape::None => spec.regions = Regions::None,
            RegionShape::Regions(numbers) => spec = spec.with_jigsaw(&region_symbols(numbers)),
        }
        for (name, cells) in self.all_houses(size) {
            let cells = cells.iter().map(|&cell| cell_name(cell, size).to_lowercase());
            let house = ExtraHouse { name, cells: cells.collect::<Vec<_>>().join(" ") };
            if !spec.extra.iter().any(|known| known.name == house.name) {
                spec.extra.push(house);
            }
        }
        let named = OFFSETS.iter().filter(|(feature, _)| self.has(*feature)).flat_map(|(_, offsets)| *offsets);
        for &offset in named.chain(&self.sees) {
            if !spec.sees.contains(&offset) {
                spec.sees.push(offset);
            }
        }
        spec
    }

    /// Returns all houses besides rows, columns and regions.
    pub fn all_houses(&self, size: usize) -> Vec<(String, Vec<Cell>)> {
        let mut all = Vec::new();
        for (_, word, first, houses) in HOUSES.iter().filter(|(feature, ..)| self.has(*feature)) {
            all.extend((*first..).zip(houses(size)).map(|(number, cells)| (format!("{word} {number}"), cells)));
        }
        all.extend(self.houses.iter().cloned());
        all
    }

    /// Returns the windows, and the houses without a feature of their own.
    pub fn other_houses(&self, size: usize) -> Vec<(String, Vec<Cell>)> {
        let feature_bits = self.feature_bits & 1 << Feature::Windows as u8;
        Features { feature_bits, houses: self.houses.clone(), ..Features::default() }.all_houses(size)
    }

    /// Returns the cells of other houses as notation, for messages.
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

/// Returns the variants that the binary carries, with their features.
fn variants() -> &'static [(BoardSpec, Features)] {
    static KNOWN: OnceLock<Vec<(BoardSpec, Features)>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let boards = BoardSpec::variants().into_iter().filter_map(|spec| Geometry::new(spec).ok());
        boards.map(|board| (board.spec().clone(), Features::of(&board))).collect()
    })
}

/// Returns one symbol for each cell, the same for all cells of a region.
pub(super) fn region_symbols(numbers: &[usize]) -> String {
    numbers.iter().map(|&number| Digit(number.min(24) as u8).symbol()).collect()
}

/// Returns the numbers of regions from one symbol for each cell, in the order in which the symbols first stand.
pub(super) fn region_numbers_of_symbols(symbols: &str) -> Vec<usize> {
    region_numbers(symbols.chars())
}

/// Returns the numbers of regions from a mark of any kind for each cell.
pub(super) fn region_numbers<T: PartialEq>(marks: impl Iterator<Item = T>) -> Vec<usize> {
    let mut known: Vec<T> = Vec::new();
    let numbers = marks.map(|mark| {
        known.iter().position(|other| *other == mark).unwrap_or_else(|| {
            known.push(mark);
            known.len() - 1
        })
    });
    numbers.collect()
}

/// Returns the number of the usual box of each cell, if the size has one.
pub(super) fn usual_box_numbers(size: usize) -> Option<Vec<usize>> {
    let (rows, columns) = BoardSpec::usual_box_shape(size)?;
    Some((0..size * size).map(|cell| cell / size / rows * (size / columns) + cell % size / columns).collect())
}

/// Returns the shape that has these regions: the usual one where they are the usual boxes.
pub(super) fn region_shape(size: usize, numbers: Vec<usize>) -> RegionShape {
    let numbers = region_numbers(numbers.into_iter());
    match usual_box_numbers(size) {
        Some(usual) if usual == numbers => RegionShape::Usual,
        _ => RegionShape::Regions(numbers),
    }
}

/// Returns true if these regions are the usual boxes.
pub(super) fn are_usual_boxes(symbols: &str) -> bool {
    region_shape(symbols.chars().count().isqrt(), region_numbers_of_symbols(symbols)) == RegionShape::Usual
}

fn region_shape_of(geometry: &Geometry) -> RegionShape {
    let numbers: Option<Vec<usize>> = geometry.cells().map(|cell| geometry.region(cell)).collect();
    numbers.map_or(RegionShape::None, |numbers| region_shape(geometry.size(), numbers))
}

pub(super) fn sorted(cells: &[Cell]) -> Vec<Cell> {
    let mut cells = cells.to_vec();
    cells.sort_unstable();
    cells
}

fn cell(size: usize, row: usize, column: usize) -> Cell {
    Cell((row * size + column) as u16)
}

/// Writes `R1C2`.
pub(super) fn cell_name(cell: Cell, size: usize) -> String {
    format!("R{}C{}", cell.index() / size + 1, cell.index() % size + 1)
}

/// Reads `R1C2`, counted from one.
pub(super) fn cell_named(name: &str, size: usize) -> Option<Cell> {
    let (row, column) = name.strip_prefix(['R', 'r'])?.split_once(['C', 'c'])?;
    let (row, column): (usize, usize) = (row.parse().ok()?, column.parse().ok()?);
    let on_board = (1..=size).contains(&row) && (1..=size).contains(&column);
    on_board.then(|| cell(size, row - 1, column - 1))
}

fn windows(size: usize) -> Vec<Vec<Cell>> {
    let corners = [(1, 1), (1, 5), (5, 1), (5, 5)].into_iter().filter(|_| size == 9);
    corners.map(|(top, left)| (0..9).map(|at| cell(9, top + at / 3, left + at % 3)).collect()).collect()
}

fn disjoint(size: usize) -> Vec<Vec<Cell>> {
    let Some((rows, columns)) = BoardSpec::usual_box_shape(size) else { return Vec::new() };
    let mut groups = vec![Vec::new(); size];
    for at in 0..size * size {
        groups[at / size % rows * columns + at % size % columns].push(Cell(at as u16));
    }
    groups
}
