//! Which board a text is for. In: how many characters it has, and the board that the caller wants, if any.
//! Out: the size and the shared [`Geometry`].

use super::error::{self, FormatError};
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
    let refuse = |words: String| {
        let place = (line, text[..start].chars().count() + 1);
        let help = "after `jigsaw=` stands one sign for each cell, the same for all cells of a region";
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
        (None, None) => return Err(refuse(format!("the regions of {count} cells are given; no board has so many"))),
    };
    Geometry::new(spec.with_jigsaw(signs)).map(|board| Some(Arc::new(board))).map_err(|error| refuse(error.0))
}

/// The standard boards, each built once: a file of thousands of puzzles shares one.
fn standard(size: usize) -> Option<Arc<Geometry>> {
    static BUILT: [OnceLock<Option<Arc<Geometry>>>; 26] = [const { OnceLock::new() }; 26];
    BUILT.get(size)?.get_or_init(|| Geometry::standard(size).map(Arc::new)).clone()
}
