//! BoardChoice of puzzle texts. In: the number of characters, the board that the caller wants, maps of regions, features that other
//! programs name. Out: the shared [`Geometry`].
//!
//! [`BoardChoice`] are the boards a text may be for. [`MapOfRegions`] is a map of irregular regions beside a puzzle. [`Features`] describe
//! a board as other programs do: the shape of its regions, and named extras.

use super::error::{self, FormatError};
use super::lines::{LineKind, bare_cells, kind_of};
use super::puzzle::CellMark;
use crate::grid::{BoardSpec, Cell, Digit, ExtraHouse, Geometry, HouseKind, Regions, notation};
use std::sync::{Arc, Mutex, OnceLock};

/// The boards a text may be for: the one that the caller names, or else every standard one.
#[derive(Clone, Copy)]
pub(super) struct BoardChoice<'a> {
    pub only: Option<&'a Arc<Geometry>>,
}

impl BoardChoice<'_> {
    /// Returns true if there is a board of this size.
    pub fn has(self, size: usize) -> bool {
        self.sizes().contains(&size)
    }

    /// Returns the sizes, smallest first.
    pub fn sizes(self) -> Vec<usize> {
        match self.only {
            Some(geometry) => vec![geometry.size()],
            None => Geometry::standard_sizes().collect(),
        }
    }

    /// Returns the board of a size.
    pub fn board(self, size: usize) -> Option<Arc<Geometry>> {
        match self.only {
            Some(geometry) => (geometry.size() == size).then(|| Arc::clone(geometry)),
            None => standard(size),
        }
    }

    /// Returns the size whose square is `count`.
    pub fn with_cells(self, count: usize) -> Option<usize> {
        self.sizes().into_iter().find(|size| size * size == count)
    }

    /// Returns the size whose cube is `count`.
    pub fn with_candidates(self, count: usize) -> Option<usize> {
        self.sizes().into_iter().find(|size| size.pow(3) == count)
    }

    /// Describes the puzzle length nearest to `count`, for messages.
    pub fn nearest(self, count: usize) -> String {
        let puzzles = self.sizes().into_iter().map(|n| (n * n, format!("a {n}×{n} puzzle has {}", n * n)));
        let lists = self.sizes().into_iter().map(|n| (n.pow(3), format!("{n}×{n} candidate lists have {}", n.pow(3))));
        if let Some(words) = self.without_board(count) {
            return words;
        }
        let nearest = puzzles.chain(lists).min_by_key(|(length, _)| length.abs_diff(count));
        nearest.map(|(_, words)| words).unwrap_or_default()
    }

    /// Says why a number of cells is no board, where it is a square or that of overlapping grids.
    fn without_board(self, count: usize) -> Option<String> {
        const OVERLAPPING: [(usize, &str); 4] =
            [(369, "samurai"), (405, "samurai"), (441, "samurai"), (153, "twodoku")];
        if let (None, Some((_, name))) = (self.only, OVERLAPPING.iter().find(|(cells, _)| *cells == count)) {
            return Some(format!("a {name} puzzle of overlapping grids? Pinion reads one grid at a time"));
        }
        let size = (3..=30).find(|size| size * size == count).filter(|&size| !self.has(size))?;
        Some(match self.only {
            Some(board) => format!("that is {size}×{size}, and the board has {} rows", board.size()),
            None => no_usual_board(size),
        })
    }
}

/// Says what is read in place of a size that has no usual boxes.
pub(super) fn no_usual_board(size: usize) -> String {
    let known = "puzzles of 4, 6, 8, 9, 10, 12, 16 and 25 rows are read";
    match size {
        4..=25 => format!("a {size}×{size} puzzle has no usual boxes: {known}, others with a board file (`--board`)"),
        _ => format!("there is no {size}×{size} board: {known}"),
    }
}

/// Prefix of the region signs in the note of a puzzle.
const JIGSAW: &str = "jigsaw=";

/// Builds the board of a line whose note gives its regions, on the caller's board or the standard one.
///
/// # Errors
/// When the regions do not fit a board.
pub(super) fn jigsaw(
    line: usize,
    text: &str,
    only: Option<&Arc<Geometry>>,
) -> Result<Option<Arc<Geometry>>, FormatError> {
    let Some(at) = text.find(JIGSAW) else { return Ok(None) };
    let start = at + JIGSAW.len();
    let signs = text[start..].split_whitespace().next().unwrap_or_default();
    of_regions((line, text[..start].chars().count() + 1), signs, only).map(Some)
}

/// Builds the board with these regions, one sign for each cell; the rest is the caller's board or the standard one.
///
/// # Errors
/// When the regions do not fit a board.
pub(super) fn of_regions(
    place: (usize, usize),
    signs: &str,
    only: Option<&Arc<Geometry>>,
) -> Result<Arc<Geometry>, FormatError> {
    let refuse = |words: String| {
        let help = "write one sign for each cell after `jigsaw=`, the same for all cells of a region";
        FormatError::new(error::REGIONS, place, words).help(help)
    };
    let count = signs.chars().count();
    let size = (4..=25).find(|size| size * size == count);
    let spec = match (only, size) {
        (Some(board), _) => board.spec().clone(),
        (None, Some(size)) => BoardSpec {
            name: format!("{size}x{size}"),
            size,
            regions: Default::default(),
            extra: Vec::new(),
            sees: Vec::new(),
        },
        (None, None) => return Err(refuse(format!("the regions of {count} cells are given; no board has that many"))),
    };
    Geometry::new(spec.with_jigsaw(signs)).map(Arc::new).map_err(|error| refuse(error.0))
}

/// A region map that follows a puzzle.
pub(super) struct RegionMap {
    /// One sign for each cell.
    pub signs: String,
    /// Characters that are cells of the puzzle.
    pub cells: usize,
    /// Bytes of the rest of the line that are the map.
    pub length: usize,
}

/// Returns the region map after a puzzle: the second of two fields of one length, or the second half of one of twice the length.
pub(super) fn region_map(marks: &[CellMark], rest: &str) -> Option<RegionMap> {
    let count = marks.len();
    let map = |cells: usize, signs: String, length| is_region_map(&signs).then_some(RegionMap { signs, cells, length });
    let field = rest.trim_start_matches([' ', '\t', ',', ';']).split([' ', '\t', ',', ';']).next().unwrap_or_default();
    if !rest.starts_with(':') && field.len() == count {
        let length = rest.find(field).unwrap_or_default() + field.len();
        return map(count, field.to_string(), length);
    }
    if count % 2 == 1 || (4..=25).any(|size: usize| size * size == count) {
        return None;
    }
    map(count / 2, marks[count / 2..].iter().map(|mark| mark.symbol).collect(), 0)
}

/// Returns true if a line may stand between a puzzle and the map of its regions.
pub(super) fn is_before_regions(text: &str) -> bool {
    const LABELS: [&str; 6] = ["region", "jigsaw", "layout", "shape", "area", "box"];
    let lower = text.to_ascii_lowercase();
    let is_label = LABELS.iter().any(|word| lower.contains(word)) && !lower.contains(JIGSAW);
    is_label || matches!(kind_of(text), LineKind::Blank | LineKind::Comment | LineKind::Border)
}

/// The lines above or below a puzzle, as far as they are a map of its regions.
pub(super) enum MapOfRegions {
    /// There is none.
    Absent,
    /// The lines so far may begin one.
    Unfinished,
    /// One sign for each cell, and the line after the map.
    Whole(String, usize),
    /// A map that lacks something, and the line after it.
    Spoilt(usize),
}

/// Returns the map of regions that begins at a line, on one line or on n. Labels, borders and blank lines may stand before it.
pub(super) fn map_at(lines: &[&str], from: usize, complete: bool) -> MapOfRegions {
    const MOST_BEFORE: usize = 4;
    // No map has a point.
    if lines.get(from).is_some_and(|line| bare_cells(line).is_some_and(|cells| cells.contains('.'))) {
        return MapOfRegions::Absent;
    }
    let Some(first) = (from..lines.len()).take(MOST_BEFORE + 1).find(|&at| !is_before_regions(lines[at])) else {
        return MapOfRegions::Absent;
    };
    let size = cells_of(lines[first]).chars().count();
    if size > 25 {
        let signs = cells_of(lines[first]);
        return if is_region_map(&signs) { MapOfRegions::Whole(signs, first + 1) } else { MapOfRegions::Absent };
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
            return MapOfRegions::Whole(map, end);
        }
    }
    let twice = |row: &&String| {
        row.chars()
            .enumerate()
            .any(|(at, sign)| !matches!(sign, '0' | 'x' | 'X') && row.chars().take(at).any(|other| other == sign))
    };
    // Sixteen signs are a map of 4×4 unless rows of 16×16 follow.
    if rows.len() == 1 && (complete || end < lines.len()) && is_region_map(&rows[0]) {
        return MapOfRegions::Whole(rows.concat(), end);
    }
    let full = rows.iter().filter(|row| row.chars().count() == size).count();
    match rows.iter().filter(twice).count() * 2 > rows.len() {
        true if end == lines.len() && rows.len() < size && !complete => MapOfRegions::Unfinished,
        true if rows.len() >= 4 && rows.len() + 1 >= size && rows.len() <= size + 1 && full + 2 >= size => {
            MapOfRegions::Spoilt(end)
        }
        _ => MapOfRegions::Absent,
    }
}

/// Returns the signs of a row of a map: letters and digits, with blanks between all of them or none.
fn row_of_map(line: &str) -> Option<String> {
    let signs = cells_of(line);
    let words = || line.split([' ', '\t', '|', ',']).filter(|word| !word.is_empty());
    let even = words().count() == 1 || words().all(|word| word.chars().count() == 1) || line.contains('|');
    (even && signs.chars().all(char::is_alphanumeric) && (3..=26).contains(&signs.chars().count())).then_some(signs)
}

/// Refuses a puzzle beside a map of regions that makes no board.
pub(super) fn spoilt_map(place: (usize, usize)) -> FormatError {
    let words = "this looks like a map of regions, but it has not n rows of n signs, each for n cells";
    FormatError::new(error::REGIONS, place, words).help("write n signs, each for the n cells of one region")
}

/// Returns true if a map of regions may have begun below a puzzle, and its last rows are not there yet.
pub(super) fn is_map_open(lines: &[&str], from: usize) -> bool {
    const MOST_BEFORE: usize = 4;
    let Some(first) = (from..lines.len()).find(|&at| !is_before_regions(lines[at])) else {
        return lines.len() < from + MOST_BEFORE;
    };
    let size = cells_of(lines[first]).chars().count();
    let is_row = |line: &&str| cells_of(line).chars().count() == size;
    let rows = lines[first..].iter().filter(|line| kind_of(line) != LineKind::Border);
    (4..=25).contains(&size) && first <= from + MOST_BEFORE && rows.clone().all(is_row) && rows.count() < size
}

/// Returns the characters of a line that are neither blanks nor separators.
fn cells_of(line: &str) -> String {
    line.chars().filter(|c| !(c.is_whitespace() || "|,".contains(*c))).collect()
}

/// Returns true if n signs stand n times each, and some row has one twice; otherwise it is a solution.
pub(super) fn is_region_map(signs: &str) -> bool {
    let signs: Vec<char> = signs.chars().collect();
    let Some(size) = (4..=25).find(|size| size * size == signs.len()) else { return false };
    let mut sorted = signs.clone();
    sorted.sort_unstable();
    let even = sorted.chunk_by(|a, b| a == b).all(|same| same.len() == size);
    even && signs.chunks(size).any(|row| row.iter().enumerate().any(|(at, sign)| row[..at].contains(sign)))
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

/// Differences of a board from the standard one of its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Features {
    pub shape: RegionShape,
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

/// A feature of boards that other programs switch on by a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoardFlag {
    Rising,
    Falling,
    Windows,
    Disjoint,
    Knight,
    King,
}

impl Features {
    /// Returns the switch of a feature.
    pub fn flag(&mut self, flag: BoardFlag) -> &mut bool {
        match flag {
            BoardFlag::Rising => &mut self.rising,
            BoardFlag::Falling => &mut self.falling,
            BoardFlag::Windows => &mut self.windows,
            BoardFlag::Disjoint => &mut self.disjoint,
            BoardFlag::Knight => &mut self.knight,
            BoardFlag::King => &mut self.king,
        }
    }

    /// Returns the words of a format for the features that are on.
    pub fn words<'w>(&self, words: &[(&'w str, BoardFlag)]) -> Vec<&'w str> {
        let mut features = self.clone();
        words.iter().filter(|(_, flag)| *features.flag(*flag)).map(|(word, _)| *word).collect()
    }

    /// Returns the features of a board.
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

    /// Returns true for the standard board of a size.
    pub fn is_standard(&self) -> bool {
        *self == Features::default()
    }

    /// Returns the board of a size with these features; on a board that the caller names they are added to what it has.
    pub fn board(&self, size: usize, line: usize, boards: BoardChoice<'_>) -> Result<Arc<Geometry>, FormatError> {
        let refuse = |words: String| FormatError::new(error::LENGTH, (line, 1), words);
        if let Some(only) = boards.only.filter(|only| only.size() != size) {
            return Err(refuse(format!("a {size}×{size} puzzle; the board has {} rows", only.size())));
        }
        if self.is_standard() {
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
            RegionShape::Usual => {}
            RegionShape::None => spec.regions = Regions::None,
            RegionShape::Regions(numbers) => spec = spec.with_jigsaw(&signs(numbers)),
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

    /// Returns all houses besides rows, columns and regions.
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
    let features = |spec: BoardSpec| Some((spec.clone(), Features::of(&Geometry::new(spec).ok()?)));
    KNOWN.get_or_init(|| BoardSpec::variants().into_iter().filter_map(features).collect())
}

/// Returns one sign for each cell, the same for all cells of a region.
pub(super) fn signs(numbers: &[usize]) -> String {
    numbers.iter().map(|&number| Digit(number.min(24) as u8).symbol()).collect()
}

/// Returns the numbers of regions from one sign for each cell, in the order in which the signs first stand.
pub(super) fn numbers(signs: &str) -> Vec<usize> {
    numbered(signs.chars())
}

/// Returns the numbers of regions from a mark of any kind for each cell.
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

/// Returns the number of the usual box of each cell, if the size has one.
pub(super) fn usual_boxes(size: usize) -> Option<Vec<usize>> {
    let (rows, columns) = BoardSpec::standard(size)?.boxes()?;
    Some((0..size * size).map(|cell| cell / size / rows * (size / columns) + cell % size / columns).collect())
}

/// Returns the shape that has these regions: the usual one where they are the usual boxes.
pub(super) fn shape(size: usize, numbers: Vec<usize>) -> RegionShape {
    let numbers = numbered(numbers.into_iter());
    match usual_boxes(size) {
        Some(usual) if usual == numbers => RegionShape::Usual,
        _ => RegionShape::Regions(numbers),
    }
}

/// Returns true if these regions are the usual boxes.
pub(super) fn is_usual(signs: &str) -> bool {
    shape(signs.chars().count().isqrt(), numbers(signs)) == RegionShape::Usual
}

fn shape_of(geometry: &Geometry) -> RegionShape {
    let numbers: Option<Vec<usize>> = geometry.cells().map(|cell| geometry.region(cell)).collect();
    numbers.map_or(RegionShape::None, |numbers| shape(geometry.size(), numbers))
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
    let Some((rows, columns)) = BoardSpec::standard(size).and_then(|spec| spec.boxes()) else { return Vec::new() };
    let place = |cell: usize| cell / size % rows * columns + cell % size % columns;
    let group = |at| (0..size * size).filter(|&cell| place(cell) == at).map(|cell| Cell(cell as u16)).collect();
    (0..size).map(group).collect()
}
