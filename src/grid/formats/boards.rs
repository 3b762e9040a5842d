//! Determines the board of a puzzle text. In: the number of cells, the board that the caller requires, maps of regions, features that
//! other programs name. Out: the shared [`Geometry`].
//!
//! [`BoardChoice`] is the set of boards that a text may be for. [`MapSearch`] is the result of a search for a map of irregular regions
//! above or below a puzzle. [`Features`] describe a board as other programs do: the shape of its regions, and named features.

use super::TextPosition;
use super::error::{self, FormatError};
use super::lines::{LineKind, TextLine, bare_cells};
use super::puzzle::{CellMark, text_of};
use super::{offset, position_at};
use crate::grid::geometry::box_numbers;
use crate::grid::{BoardError, BoardSpec, Cell, Digit, ExtraHouse, Geometry, HouseKind, Regions};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock};

/// The boards that a text may be for.
#[derive(Clone, Copy, Default)]
pub(super) struct BoardChoice<'a> {
    /// The board that the caller requires; `None` for every standard board.
    pub required: Option<&'a Arc<Geometry>>,
}

impl BoardChoice<'_> {
    /// Returns true if a text may be for a board of this size.
    pub fn has_size(self, size: usize) -> bool {
        match self.required {
            Some(board) => board.size() == size,
            None => BoardSpec::usual_box_shape(size).is_some(),
        }
    }

    /// Returns the sizes of boards that a text may be for, smallest first.
    pub fn sizes(self) -> impl DoubleEndedIterator<Item = usize> {
        SIZES.filter(move |&size| self.has_size(size))
    }

    /// Returns the board of a size.
    pub fn board(self, size: usize) -> Option<Arc<Geometry>> {
        match self.required {
            Some(board) => (board.size() == size).then(|| Arc::clone(board)),
            None => standard_board(size),
        }
    }

    /// Returns the board of a size, or an error for the text at `position`.
    pub fn board_at(self, size: usize, position: TextPosition) -> Result<Arc<Geometry>, FormatError> {
        self.board(size).ok_or_else(|| {
            FormatError::new(error::LENGTH, position, format!("there is no {size}×{size} board to read this on"))
        })
    }

    /// Builds the board of a line that has a puzzle and then regions, with one symbol for each cell: after `jigsaw=`, after another label
    /// such as `Regions:`, or without a label in the third field or a later one. Returns `None` if the line has no regions, and an error
    /// if the regions do not fit a board.
    pub fn board_of_note(self, line: usize, text: &str) -> Result<Option<Arc<Geometry>>, FormatError> {
        let board_of_map =
            |map: &str| self.board_with_regions(position_at(line, text, offset(map, text)), map).map(Some);
        if let Some(at) = text.find(NOTE_OF_MAP) {
            let note = text[at + NOTE_OF_MAP.len()..].trim_start_matches(ends_field);
            return board_of_map(note.split(ends_field).next().unwrap_or_default());
        }
        let fields: Vec<&str> =
            text.split(|c| ends_field(c) || matches!(c, ':' | '=')).filter(|field| !field.is_empty()).collect();
        let has_label = |index: usize| {
            let before_map = text[..offset(fields[index], text)].trim_end_matches(ends_field);
            before_map.ends_with([':', '=']) && is_label_of_map(fields[index - 1])
        };
        // Regions have as many symbols as the puzzle, which stands before them.
        let mut earlier_lengths = FxHashSet::default();
        let mut has_length_of_map = |field: &str| {
            let length = field.chars().count();
            !earlier_lengths.insert(length) && size_with_cells(length).is_some()
        };
        let maps: Vec<usize> = (0..fields.len()).filter(|&index| has_length_of_map(fields[index])).collect();
        let map = maps.iter().find(|&&index| has_label(index));
        let map = map.or_else(|| maps.iter().find(|&&index| index >= 2 && is_region_map(fields[index])));
        map.map_or(Ok(None), |&index| board_of_map(fields[index]))
    }

    /// Builds the required or the standard board with these regions in place of its own; `symbols` has one symbol for each cell. Returns
    /// an error if the regions do not fit a board.
    pub fn board_with_regions(self, position: TextPosition, symbols: &str) -> Result<Arc<Geometry>, FormatError> {
        let count = symbols.chars().count();
        let board = match (self.required, size_with_cells(count)) {
            (Some(board), _) => Geometry::new(board.spec().with_jigsaw(symbols)),
            (None, Some(size)) => Geometry::new(spec_with_usual_regions(size).with_jigsaw(symbols)),
            (None, None) => Err(BoardError(format!("the regions of {count} cells are given; no board has that many"))),
        };
        board.map(Arc::new).map_err(|error| {
            let help = "write one symbol for each cell after `jigsaw=`, the same for all cells of a region";
            FormatError::new(error::REGIONS, position, error.0).with_help(help)
        })
    }

    /// Returns the size of the board with `count` cells, if the text may be for that board.
    pub fn allowed_size_with_cells(self, count: usize) -> Option<usize> {
        size_with_cells(count).filter(|&size| self.has_size(size))
    }

    /// Returns the size of the board with `count` candidates.
    pub fn size_with_candidates(self, count: usize) -> Option<usize> {
        self.sizes().find(|size| size.pow(3) == count)
    }

    /// Explains a wrong number of cells: why no board has `count` cells, or else which puzzle length is nearest.
    pub fn explain_cell_count(self, count: usize) -> String {
        if let Some(explanation) = self.explain_missing_board(count) {
            return explanation;
        }
        let puzzles = self.sizes().map(|n| (n * n, format!("a {n}×{n} puzzle has {}", n * n)));
        let lists = self.sizes().map(|n| (n.pow(3), format!("{n}×{n} candidate lists have {}", n.pow(3))));
        let nearest = puzzles.chain(lists).min_by_key(|(length, _)| length.abs_diff(count));
        nearest.map(|(_, description)| description).unwrap_or_default()
    }

    /// Explains why no board has `count` cells, if the count is a square or the number of cells of a puzzle of overlapping grids.
    fn explain_missing_board(self, count: usize) -> Option<String> {
        const OVERLAPPING: [(usize, &str); 4] =
            [(369, "samurai"), (405, "samurai"), (441, "samurai"), (153, "twodoku")];
        if self.required.is_none()
            && let Some((_, name)) = OVERLAPPING.iter().find(|(cells, _)| *cells == count)
        {
            return Some(format!("a {name} puzzle of overlapping grids? Pinion reads one grid at a time"));
        }
        // The range also has sizes just below and above those of boards, 4 to 25.
        let size = (3..=30).find(|size| size * size == count)?;
        if self.has_size(size) {
            return None;
        }
        Some(match self.required {
            Some(board) => format!("that is {size}×{size}, and the board has {} rows", board.size()),
            None => no_standard_board(size),
        })
    }
}

pub(super) const SIZES: std::ops::RangeInclusive<usize> = 4..=25;

/// Number of cells of the smallest puzzle, 4×4.
pub(super) const SMALLEST_PUZZLE: usize = 16;

/// Number of cells of the shortest row.
pub(super) const SHORTEST_ROW: usize = *SIZES.start();

/// Returns the size of the boards with this number of cells, standard or not.
pub(super) fn size_with_cells(cells: usize) -> Option<usize> {
    SIZES.into_iter().find(|size| size * size == cells)
}

pub(super) fn has_repetition<T: PartialEq>(items: &[T]) -> bool {
    items.iter().enumerate().any(|(at, item)| items[..at].contains(item))
}

pub(super) fn no_standard_board(size: usize) -> String {
    let sizes = "puzzles of 4, 6, 8, 9, 10, 12, 16 and 25 rows are read";
    match size {
        4..=25 => format!("a {size}×{size} puzzle has no usual boxes: {sizes}, others with a board file (`--board`)"),
        _ => format!("there is no {size}×{size} board: {sizes}"),
    }
}

/// Prefix of the region symbols in the note of a puzzle.
const NOTE_OF_MAP: &str = "jigsaw=";

/// Returns true for the characters between the fields of a line.
fn ends_field(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '"' | '\'')
}

/// Words of labels of a map of regions, in lower case.
const LABELS_OF_MAP: [&str; 6] = ["region", "jigsaw", "layout", "shape", "area", "box"];

/// Returns true if a label ends with a word of [`LABELS_OF_MAP`], in the singular or plural.
fn is_label_of_map(label: &str) -> bool {
    let lower = label.to_ascii_lowercase();
    LABELS_OF_MAP.iter().any(|word| lower.trim_end_matches('s').ends_with(word))
}

/// Returns the map of regions after a puzzle: either a second field as long as the puzzle, or the second half of a single field.
/// `marks` are the characters of the first field, `rest` is the text after this field. Returns one symbol for each cell, the number of
/// marks that are cells of the puzzle, and the end of the map as a byte offset in `rest`: 0 if the marks contain the map.
pub(super) fn inline_region_map(marks: &[CellMark], rest: &str) -> Option<(String, usize, usize)> {
    let count = marks.len();
    let field = rest.trim_start_matches([' ', '\t', ',', ';']).split([' ', '\t', ',', ';']).next().unwrap_or_default();
    // A field after a colon lists deleted candidates and is no map.
    if !rest.starts_with(':') && field.len() == count {
        if !is_region_map(field) {
            return None;
        }
        let end = rest.find(field).unwrap_or_default() + field.len();
        return Some((field.to_string(), count, end));
    }
    if count % 2 == 1 || size_with_cells(count).is_some() {
        return None;
    }
    let symbols = text_of(&marks[count / 2..]);
    if is_region_map(&symbols) { Some((symbols, count / 2, 0)) } else { None }
}

/// Returns true if the line may stand before a map of regions: a label, a comment, a border or a blank line.
pub(super) fn may_precede_region_map(line: &TextLine) -> bool {
    let lower = line.to_ascii_lowercase();
    let is_label = LABELS_OF_MAP.iter().any(|word| lower.contains(word)) && !lower.contains(NOTE_OF_MAP);
    is_label || matches!(line.kind, LineKind::Blank | LineKind::Comment | LineKind::Border)
}

/// Result of a search for a map of regions above or below a puzzle.
pub(super) enum MapSearch {
    /// The lines are no map.
    Absent,
    /// The lines may be the beginning of a map; more lines are needed.
    Unfinished,
    /// One symbol for each cell, and the index of the line after the map.
    Found(String, usize),
    /// Lines that resemble a map and are damaged. Contains the index of the next line.
    Damaged(usize),
}

const MAX_LINES_BEFORE_MAP: usize = 4;

/// Searches for a map of regions from a line on. A map is one line of n² symbols, or n lines of n symbols. Labels, borders and blank
/// lines may precede it. `is_complete` is true if no lines will follow those in `lines`.
pub(super) fn region_map_at(lines: &[TextLine], from: usize, is_complete: bool) -> MapSearch {
    // A line with `.` is a row of a puzzle; maps have no `.`.
    if lines.get(from).is_some_and(|line| bare_cells(line).is_some_and(|cells| cells.contains('.'))) {
        return MapSearch::Absent;
    }
    let mut near = (from..lines.len()).take(MAX_LINES_BEFORE_MAP + 1);
    let Some(first) = near.find(|&at| !may_precede_region_map(&lines[at])) else {
        return MapSearch::Absent;
    };
    let first_row = without_separators(&lines[first]);
    let width = first_row.chars().count();
    // A line that is longer than any row can only be a whole map.
    if width > *SIZES.end() {
        return if is_region_map(&first_row) { MapSearch::Found(first_row, first + 1) } else { MapSearch::Absent };
    }
    let (mut rows, mut end): (Vec<String>, usize) = (Vec::new(), first);
    while end < lines.len() && rows.len() <= width {
        if lines[end].kind != LineKind::Border {
            let Some(row) = row_of_map(&lines[end]) else { break };
            rows.push(row);
        }
        end += 1;
        let is_square = rows.len() == width && rows.iter().all(|row| row.chars().count() == width);
        if is_square && is_region_map(&rows.concat()) {
            return MapSearch::Found(rows.concat(), end);
        }
    }
    // Sixteen symbols are a map of 4×4, unless rows of a 16×16 map follow.
    if rows.len() == 1 && (is_complete || end < lines.len()) && is_region_map(&rows[0]) {
        return MapSearch::Found(rows.concat(), end);
    }
    // In most rows of a map, a region has several cells; a row of a puzzle repeats no digit.
    let looks_like_map = rows.iter().filter(|row| repeats_a_symbol(row)).count() * 2 > rows.len();
    let can_continue = end == lines.len() && rows.len() < width && !is_complete;
    // A map with one row too many or too few, or with up to two rows of a wrong width, is damaged. Less regular lines are other text.
    let full_rows = rows.iter().filter(|row| row.chars().count() == width).count();
    let is_nearly_square = rows.len() >= *SIZES.start() && rows.len().abs_diff(width) <= 1 && full_rows + 2 >= width;
    if looks_like_map && can_continue {
        MapSearch::Unfinished
    } else if looks_like_map && is_nearly_square {
        MapSearch::Damaged(end)
    } else {
        MapSearch::Absent
    }
}

/// Returns true if the row repeats a symbol that does not stand for an empty cell.
fn repeats_a_symbol(row: &str) -> bool {
    has_repetition(&row.chars().filter(|symbol| !matches!(symbol, '0' | 'x' | 'X')).collect::<Vec<_>>())
}

/// Returns the symbols of a row of a map: letters and digits, without separators (`112233`), with a separator between each two, or with
/// bars between groups (`112|233`) or regions (`1|222|33`). Lists of candidates, as in `23 4 | 3 1` or `23|4|3|1`, are no row of a map.
fn row_of_map(line: &str) -> Option<String> {
    let symbols = without_separators(line);
    let groups: Vec<Vec<&str>> =
        line.split('|').map(|group| group.split([' ', '\t', ',']).filter(|word| !word.is_empty()).collect()).collect();
    let words: Vec<&str> = groups.concat();
    let is_one_symbol = |word: &&str| word.chars().count() == 1;
    // A list of candidates has no digit twice.
    let may_be_lists = words.iter().any(is_one_symbol) && !words.iter().any(|word| repeats_a_symbol(word));
    let has_undivided_groups = groups.iter().all(|group| group.len() <= 1);
    let is_uniform = words.iter().all(is_one_symbol) || has_undivided_groups && !may_be_lists;
    // Boards have 4 to 25 columns; a damaged row may lack a symbol or have one more.
    let is_row = (3..=26).contains(&symbols.chars().count()) && symbols.chars().all(char::is_alphanumeric);
    (is_uniform && is_row).then_some(symbols)
}

pub(super) fn damaged_map(position: TextPosition) -> FormatError {
    let message = "this looks like a map of regions, but a map has n rows of n symbols, and each symbol occurs n times";
    FormatError::new(error::REGIONS, position, message).with_help("write n symbols, each for the n cells of one region")
}

/// Returns true if the lines after a puzzle may be the first rows of a map of regions. This test is weaker than [`region_map_at`], for
/// callers that can wait for more lines: the rows only need an equal width.
pub(super) fn may_continue_region_map(lines: &[TextLine], from: usize) -> bool {
    let Some(first) = (from..lines.len()).find(|&at| !may_precede_region_map(&lines[at])) else {
        return lines.len() < from + MAX_LINES_BEFORE_MAP;
    };
    let rows = lines[first..].iter().filter(|line| line.kind != LineKind::Border);
    let width = without_separators(&lines[first]).chars().count();
    SIZES.contains(&width)
        && first <= from + MAX_LINES_BEFORE_MAP
        && rows.clone().all(|line| without_separators(line).chars().count() == width)
        && rows.count() < width
}

fn without_separators(line: &str) -> String {
    line.chars().filter(|c| !(c.is_whitespace() || "|,".contains(*c))).collect()
}

/// Returns true if each of n symbols occurs n times and some row repeats a symbol. Symbols without a repetition may be a solved grid.
pub(super) fn is_region_map(symbols: &str) -> bool {
    let symbols: Vec<char> = symbols.chars().collect();
    let Some(size) = size_with_cells(symbols.len()) else { return false };
    let mut sorted = symbols.clone();
    sorted.sort_unstable();
    let all_have_n_cells = sorted.chunk_by(|a, b| a == b).all(|region| region.len() == size);
    all_have_n_cells && symbols.chunks(size).any(has_repetition)
}

/// Returns the description of a board with [`Regions::Usual`]. If the size has no usual boxes, the description is valid only after the
/// caller has replaced the regions.
fn spec_with_usual_regions(size: usize) -> BoardSpec {
    BoardSpec::with_regions_only(format!("{size}x{size}"), size, Regions::Usual)
}

/// Returns a standard board. Each is built once, so that all puzzles of a file share one.
fn standard_board(size: usize) -> Option<Arc<Geometry>> {
    static BOARD_OF_SIZE: [OnceLock<Option<Arc<Geometry>>>; *SIZES.end() + 1] =
        [const { OnceLock::new() }; *SIZES.end() + 1];
    BOARD_OF_SIZE.get(size)?.get_or_init(|| Geometry::standard(size).map(Arc::new)).clone()
}

/// The regions of a board, compared with the usual boxes of its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum RegionShape {
    /// The usual boxes.
    #[default]
    Usual,
    /// Other regions: for each cell the number of its region. Regions are numbered by their first cells.
    Regions(Vec<usize>),
    /// No regions, only rows and columns.
    None,
}

/// A feature of a board. Formats have names for most features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// The diagonal from the lower left is a house.
    Rising,
    /// The diagonal from the upper left is a house.
    Falling,
    /// The four windows of 9×9 are houses.
    Windows,
    /// The cells in the same position of all boxes are a house.
    Disjoint,
    /// Cells a knight's move apart see each other.
    Knight,
    /// Cells that touch at a corner see each other.
    King,
    /// The board has other extra houses.
    OtherHouses,
    /// Cells at other offsets see each other.
    OtherOffsets,
}

/// The houses of a feature on a board of the given size, each as its sorted cells.
type HousesOfSize = fn(usize) -> Vec<Vec<Cell>>;

/// The features that add houses: (feature, noun and first number of the houses' names, such as `window 1`, cells of the houses).
const HOUSE_FEATURES: [(Feature, &str, usize, HousesOfSize); 4] = [
    (Feature::Falling, "diagonal", 1, |size| vec![(0..size).map(|at| cell_at(size, at, at)).collect()]),
    (Feature::Rising, "diagonal", 2, |size| vec![(0..size).map(|at| cell_at(size, at, size - 1 - at)).collect()]),
    (Feature::Windows, "window", 1, windows),
    (Feature::Disjoint, "group", 1, disjoint_groups),
];

/// The features that add offsets (rows, columns) of cells that see each other.
const OFFSET_FEATURES: [(Feature, &[(i8, i8)]); 2] =
    [(Feature::Knight, &[(1, -2), (1, 2), (2, -1), (2, 1)]), (Feature::King, &[(1, -1), (1, 1)])];

/// Differences of a board from the standard board of its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Features {
    pub shape: RegionShape,
    /// Features of [`HOUSE_FEATURES`] and [`OFFSET_FEATURES`].
    pub named: BTreeSet<Feature>,
    /// Other extra houses: name and sorted cells.
    pub other_houses: Vec<(String, Vec<Cell>)>,
    /// Other offsets of cells that see each other.
    other_offsets: Vec<(i8, i8)>,
}

impl Features {
    pub fn has(&self, feature: Feature) -> bool {
        match feature {
            Feature::OtherHouses => !self.other_houses.is_empty(),
            Feature::OtherOffsets => !self.other_offsets.is_empty(),
            _ => self.named.contains(&feature),
        }
    }

    /// Returns a format's names of the features that the board has; `names` lists the format's names of all features.
    pub fn names<'n>(&self, names: &[(&'n str, Feature)]) -> Vec<&'n str> {
        names.iter().filter(|(_, feature)| self.has(*feature)).map(|(name, _)| *name).collect()
    }

    pub fn of_board(geometry: &Geometry) -> Features {
        let regions: Option<Vec<usize>> = geometry.cells().map(|cell| geometry.region(cell)).collect();
        let shape = regions.map_or(RegionShape::None, |numbers| region_shape(geometry.size(), numbers));
        let mut features = Features { shape, ..Features::default() };
        let extra = geometry.houses().iter().filter(|house| house.kind == HouseKind::Extra);
        features.other_houses = extra.map(|house| (house.to_string(), sorted(&house.cells))).collect();
        for (feature, _, _, houses_of_size) in HOUSE_FEATURES {
            let houses = houses_of_size(geometry.size());
            let other_houses = features.other_houses.iter().map(|(_, house)| house);
            if !houses.is_empty() && houses.iter().all(|cells| other_houses.clone().any(|house| house == cells)) {
                features.other_houses.retain(|(_, house)| !houses.contains(house));
                features.named.insert(feature);
            }
        }
        // An offset and its opposite stand for the same pairs of cells. Cells in one row or column see each other anyway.
        let canonical = geometry.spec().sees.iter().map(|&offset| offset.max((-offset.0, -offset.1)));
        features.other_offsets = canonical.filter(|&(rows, columns)| rows != 0 && columns != 0).collect();
        features.other_offsets.sort_unstable();
        features.other_offsets.dedup();
        for (feature, offsets) in OFFSET_FEATURES {
            if offsets.iter().all(|offset| features.other_offsets.contains(offset)) {
                features.other_offsets.retain(|offset| !offsets.contains(offset));
                features.named.insert(feature);
            }
        }
        features
    }

    pub fn is_standard(&self) -> bool {
        *self == Features::default()
    }

    /// Returns the board of a size with these features. If the caller requires a board, the features are added to that board.
    pub fn board(&self, size: usize, line: usize, boards: BoardChoice<'_>) -> Result<Arc<Geometry>, FormatError> {
        if let Some(required) = boards.required
            && required.size() != size
        {
            let message = format!("a {size}×{size} puzzle; the board has {} rows", required.size());
            return Err(FormatError::new(error::LENGTH, (line, 1), message));
        }
        if self.is_standard() {
            let board = boards.board(size);
            return board.ok_or_else(|| FormatError::new(error::LENGTH, (line, 1), no_standard_board(size)));
        }
        /// The board that was built last, with its description as given to [`Geometry::new`]. All puzzles of a file share this board.
        static LAST_BOARD: Mutex<Option<(BoardSpec, Arc<Geometry>)>> = Mutex::new(None);
        let spec = self.spec(size, boards.required.map(|required| required.spec()));
        let mut cache = LAST_BOARD.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((last_spec, board)) = &*cache
            && *last_spec == spec
        {
            return Ok(Arc::clone(board));
        }
        let board = Geometry::new(spec.clone()).map(Arc::new);
        let board = board.map_err(|error| FormatError::new(error::REGIONS, (line, 1), error.0))?;
        *cache = Some((spec, Arc::clone(&board)));
        Ok(board)
    }

    /// Returns the description of the board: `base` with the features added, a built-in board with exactly these features, or the
    /// usual board with the features added.
    fn spec(&self, size: usize, base: Option<&BoardSpec>) -> BoardSpec {
        if base.is_none()
            && let Some((spec, _)) =
                built_in_boards().iter().find(|(spec, features)| spec.size == size && features == self)
        {
            return spec.clone();
        }
        let mut spec = base.cloned().unwrap_or_else(|| spec_with_usual_regions(size));
        match &self.shape {
            RegionShape::Usual => {}
            RegionShape::None => spec.regions = Regions::None,
            RegionShape::Regions(numbers) => spec = spec.with_jigsaw(&region_symbols(numbers)),
        }
        for (name, cells) in self.all_houses(size) {
            let cells = cells.iter().map(|&cell| cell_name(cell, size).to_lowercase());
            let house = ExtraHouse { name, cells: cells.collect::<Vec<_>>().join(" ") };
            if !spec.extra.iter().any(|other| other.name == house.name) {
                spec.extra.push(house);
            }
        }
        let features = OFFSET_FEATURES.iter().filter(|(feature, _)| self.has(*feature));
        for &offset in features.flat_map(|(_, offsets)| *offsets).chain(&self.other_offsets) {
            if !spec.sees.contains(&offset) {
                spec.sees.push(offset);
            }
        }
        spec
    }

    /// Returns the name and cells of every extra house.
    pub fn all_houses(&self, size: usize) -> Vec<(String, Vec<Cell>)> {
        let mut houses = Vec::new();
        for (_, noun, first, houses_of_size) in HOUSE_FEATURES.iter().filter(|(feature, ..)| self.has(*feature)) {
            let numbered = (*first..).zip(houses_of_size(size));
            houses.extend(numbered.map(|(number, cells)| (format!("{noun} {number}"), cells)));
        }
        houses.extend(self.other_houses.iter().cloned());
        houses
    }

    /// Returns the extra houses that f-puzzles has no key for: the windows, and the houses of [`Feature::OtherHouses`].
    pub fn houses_without_fpuzzles_key(&self, size: usize) -> Vec<(String, Vec<Cell>)> {
        let named = &self.named & &BTreeSet::from([Feature::Windows]);
        Features { named, other_houses: self.other_houses.clone(), ..Features::default() }.all_houses(size)
    }
}

/// Returns the built-in boards that are no standard boards, with their features.
fn built_in_boards() -> &'static [(BoardSpec, Features)] {
    static BOARDS: OnceLock<Vec<(BoardSpec, Features)>> = OnceLock::new();
    BOARDS.get_or_init(|| {
        let boards = BoardSpec::variants().into_iter().filter_map(|spec| Geometry::new(spec).ok());
        boards.map(|board| (board.spec().clone(), Features::of_board(&board))).collect()
    })
}

/// Returns one symbol for each cell, equal for all cells of a region. A board has at most 25 regions. All further regions share the last
/// symbol; building the board then fails in nearly all cases, because a region has a wrong number of cells.
pub(super) fn region_symbols(numbers: &[usize]) -> String {
    numbers.iter().map(|&number| Digit(number.min(*SIZES.end() - 1) as u8).symbol()).collect()
}

/// Returns the region number of each cell from its label or symbol, numbered by first occurrence.
pub(super) fn region_numbers<T: PartialEq>(labels: impl Iterator<Item = T>) -> Vec<usize> {
    let mut distinct: Vec<T> = Vec::new();
    let mut numbers = Vec::new();
    for label in labels {
        let number = distinct.iter().position(|other| *other == label).unwrap_or(distinct.len());
        if number == distinct.len() {
            distinct.push(label);
        }
        numbers.push(number);
    }
    numbers
}

/// Returns for each cell the number of its usual box, if the size has usual boxes.
pub(super) fn usual_box_numbers(size: usize) -> Option<Vec<usize>> {
    let (rows, columns) = BoardSpec::usual_box_shape(size)?;
    box_numbers(size, rows, columns).ok()
}

/// Returns the shape with these regions: [`RegionShape::Usual`] if the regions are the usual boxes.
pub(super) fn region_shape(size: usize, numbers: Vec<usize>) -> RegionShape {
    let numbers = region_numbers(numbers.into_iter());
    match usual_box_numbers(size) {
        Some(usual) if usual == numbers => RegionShape::Usual,
        _ => RegionShape::Regions(numbers),
    }
}

pub(super) fn are_usual_boxes(symbols: &str) -> bool {
    region_shape(symbols.chars().count().isqrt(), region_numbers(symbols.chars())) == RegionShape::Usual
}

pub(super) fn sorted(cells: &[Cell]) -> Vec<Cell> {
    let mut cells = cells.to_vec();
    cells.sort_unstable();
    cells
}

fn cell_at(size: usize, row: usize, column: usize) -> Cell {
    Cell((row * size + column) as u16)
}

/// Writes `R1C2`.
pub(super) fn cell_name(cell: Cell, size: usize) -> String {
    format!("R{}C{}", cell.index() / size + 1, cell.index() % size + 1)
}

/// Reads `R1C2`; rows and columns count from one.
pub(super) fn cell_named(name: &str, size: usize) -> Option<Cell> {
    let (row, column) = name.strip_prefix(['R', 'r'])?.split_once(['C', 'c'])?;
    let (row, column): (usize, usize) = (row.parse().ok()?, column.parse().ok()?);
    let is_on_board = (1..=size).contains(&row) && (1..=size).contains(&column);
    is_on_board.then(|| cell_at(size, row - 1, column - 1))
}

fn windows(size: usize) -> Vec<Vec<Cell>> {
    const CORNERS: [(usize, usize); 4] = [(1, 1), (1, 5), (5, 1), (5, 5)];
    if size != 9 {
        return Vec::new();
    }
    CORNERS.map(|(top, left)| (0..9).map(|at| cell_at(9, top + at / 3, left + at % 3)).collect()).to_vec()
}

/// Returns the groups of cells in the same position of all boxes.
fn disjoint_groups(size: usize) -> Vec<Vec<Cell>> {
    let Some((rows, columns)) = BoardSpec::usual_box_shape(size) else { return Vec::new() };
    let mut groups = vec![Vec::new(); size];
    for at in 0..size * size {
        let (row, column) = (at / size, at % size);
        groups[row % rows * columns + column % columns].push(Cell(at as u16));
    }
    groups
}
