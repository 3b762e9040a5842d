//! Which board a text is for. In: how many characters it has, and the board that the caller wants, if any.
//! Out: the size and the shared [`Geometry`].

use super::error::{self, FormatError};
use super::lines::{LineKind, bare_cells, kind_of};
use super::puzzle::Mark;
use crate::grid::{BoardSpec, Geometry};
use std::sync::{Arc, OnceLock};

/// The boards a text may be for: the one that the caller names, or else every standard one.
#[derive(Clone, Copy)]
pub(super) struct Boards<'a> {
    pub only: Option<&'a Arc<Geometry>>,
}

impl Boards<'_> {
    /// Whether a board of this size is among them.
    pub fn has(self, size: usize) -> bool {
        self.sizes().contains(&size)
    }

    /// The sizes, smallest first.
    pub fn sizes(self) -> Vec<usize> {
        match self.only {
            Some(geometry) => vec![geometry.size()],
            None => Geometry::standard_sizes().collect(),
        }
    }

    /// The board of a size.
    pub fn board(self, size: usize) -> Option<Arc<Geometry>> {
        match self.only {
            Some(geometry) => (geometry.size() == size).then(|| Arc::clone(geometry)),
            None => standard(size),
        }
    }

    /// The size whose square is `count`.
    pub fn with_cells(self, count: usize) -> Option<usize> {
        self.sizes().into_iter().find(|size| size * size == count)
    }

    /// The size whose cube is `count`.
    pub fn with_candidates(self, count: usize) -> Option<usize> {
        self.sizes().into_iter().find(|size| size.pow(3) == count)
    }

    /// What a text of this length was probably meant to be: the nearest length, in words.
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

/// What begins the signs of irregular regions in the note of a puzzle.
const JIGSAW: &str = "jigsaw=";

/// The board of a line whose note gives its regions: the one that the caller names, or the plain one, with these.
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

/// The board with these regions, one sign for each cell: otherwise the one that the caller names, or the plain one.
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
    /// How many characters are cells of the puzzle.
    pub cells: usize,
    /// How many bytes of the rest of the line are the map.
    pub length: usize,
}

/// The region map after a puzzle: the second of two fields of one length, or the second half of one of twice the length.
pub(super) fn region_map(marks: &[Mark], rest: &str) -> Option<RegionMap> {
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

/// The map of regions that begins at a line, on one line or on n. Labels, borders and blank lines may stand before it.
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

/// The signs of a row of a map: letters and digits, all together or all apart.
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

/// The characters of a line that are neither blanks nor separators.
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

/// The standard boards, each built once: a file of thousands of puzzles shares one.
fn standard(size: usize) -> Option<Arc<Geometry>> {
    static BUILT: [OnceLock<Option<Arc<Geometry>>>; 26] = [const { OnceLock::new() }; 26];
    BUILT.get(size)?.get_or_init(|| Geometry::standard(size).map(Arc::new)).clone()
}
