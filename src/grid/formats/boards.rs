//! Which board a text is for. In: how many characters it has, and the board that the caller wants, if any.
//! Out: the size and the shared [`Geometry`].

use super::error::{self, FormatError};
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
        let nearest = puzzles.chain(lists).min_by_key(|(length, _)| length.abs_diff(count));
        nearest.map(|(_, words)| words).unwrap_or_default()
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

/// Whether n signs stand n times each, and some row has one twice: otherwise it is a solution.
fn is_region_map(signs: &str) -> bool {
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
