//! Boards as data. In: RON text, names. Out: [`BoardSpec`]: everything that tells one board from another.
//!
//! Rows and columns are on every board; boxes (or irregular regions), further houses and cells that see each other
//! without sharing a house are said here.

use super::geometry::BoardError;
use serde::{Deserialize, Serialize};

include!(concat!(env!("OUT_DIR"), "/boards.rs"));

/// What a board file says: everything else follows.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardSpec {
    /// Name as printed and as given on the command line, e.g. `9x9`.
    pub name: String,
    /// Digits, rows and columns: 4 to 25.
    pub size: usize,
    /// What takes the place of boxes.
    #[serde(default)]
    pub regions: Regions,
    /// Houses besides rows, columns and regions.
    #[serde(default)]
    pub extra: Vec<ExtraHouse>,
    /// Offsets (rows, columns): a cell sees the cell that lies so far from it, and is seen by it.
    #[serde(default)]
    pub sees: Vec<(i8, i8)>,
}

/// The houses of kind box.
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
    /// Any shapes: for each cell a sign, row by row, all cells of a region with the same one. Blanks and the way
    /// it is cut into lines mean nothing. Regions are numbered in the order of their signs.
    Jigsaw(Vec<String>),
    /// There are none: a Latin square.
    None,
}

/// A house besides rows, columns and regions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtraHouse {
    /// Its name, e.g. `diagonal 1`.
    pub name: String,
    /// Its cells in notation, as many as the board has digits: `r234c234`.
    pub cells: String,
}

/// The sizes with a usual shape of box: (size, rows of a box, columns of a box).
const USUAL: [(usize, usize, usize); 8] =
    [(4, 2, 2), (6, 2, 3), (8, 2, 4), (9, 3, 3), (10, 2, 5), (12, 3, 4), (16, 4, 4), (25, 5, 5)];

impl BoardSpec {
    /// The plain board of a size, if it has a usual shape of box: 4, 6, 8, 9, 10, 12, 16, 25.
    pub fn plain(size: usize) -> Option<BoardSpec> {
        let (rows, columns) = usual(size)?;
        Some(BoardSpec {
            name: format!("{size}x{size}"),
            size,
            regions: Regions::Boxes { rows, columns },
            extra: Vec::new(),
            sees: Vec::new(),
        })
    }

    /// The board of a size whose boxes have these many rows and columns: `6x6:3x2`.
    pub fn with_boxes(size: usize, rows: usize, columns: usize) -> Option<BoardSpec> {
        if rows < 2 || columns < 2 || rows.checked_mul(columns) != Some(size) || !(4..=25).contains(&size) {
            return None;
        }
        let plain = BoardSpec::plain(size).filter(|plain| plain.boxes() == Some((rows, columns)));
        Some(plain.unwrap_or_else(|| BoardSpec {
            name: format!("{size}x{size}:{rows}x{columns}"),
            size,
            regions: Regions::Boxes { rows, columns },
            extra: Vec::new(),
            sees: Vec::new(),
        }))
    }

    /// The boards of a size with rectangular boxes.
    pub(super) fn all_with_boxes(size: usize) -> impl Iterator<Item = BoardSpec> {
        (2..size).filter_map(move |rows| BoardSpec::with_boxes(size, rows, size / rows))
    }

    /// The board of rows and columns only.
    pub(super) fn without_regions(size: usize) -> BoardSpec {
        let name = format!("{size}x{size} without boxes");
        BoardSpec { name, size, regions: Regions::None, extra: Vec::new(), sees: Vec::new() }
    }

    /// The sizes that [`BoardSpec::plain`] knows.
    pub fn plain_sizes() -> impl Iterator<Item = usize> {
        USUAL.iter().map(|(size, ..)| *size)
    }

    /// Reads a board file; `source` names it in errors. The cells are looked at by
    /// [`Geometry::new`](super::Geometry::new).
    ///
    /// # Errors
    /// With the place in the text.
    pub fn read(source: &str, text: &str) -> Result<BoardSpec, BoardError> {
        ron::Options::default()
            .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
            .from_str(text)
            .map_err(|error| {
                let at = error.span.start;
                BoardError(format!("{source}:{}:{}: {}", at.line, at.col, error.code))
            })
    }

    /// A board of the binary by its name: a plain one (`9x9`, `9`), one with boxes of a shape (`6x6:3x2`) or one of
    /// [`BoardSpec::variants`]. Small and capital
    /// letters, blanks, `-` and `_` make no difference.
    pub fn named(name: &str) -> Option<BoardSpec> {
        let wanted = folded(name);
        if let Some((board, boxes)) = wanted.split_once(':') {
            let pair = |text: &str| {
                let (rows, columns) = text.split_once('x')?;
                Some((rows.parse().ok()?, columns.parse().ok()?))
            };
            let size = pair(board).filter(|(rows, columns)| rows == columns).map(|(rows, _)| rows);
            let (rows, columns) = pair(boxes)?;
            return BoardSpec::with_boxes(size?, rows, columns);
        }
        let size = match wanted.split_once('x') {
            Some((rows, columns)) if rows == columns => rows.parse().ok(),
            Some(_) => None,
            None => wanted.parse().ok(),
        };
        size.and_then(BoardSpec::plain)
            .or_else(|| BoardSpec::variants().into_iter().find(|spec| folded(&spec.name) == wanted))
    }

    /// The variants that the binary carries, by file name.
    pub fn variants() -> Vec<BoardSpec> {
        BOARDS.iter().filter_map(|(name, text)| BoardSpec::read(name, text).ok()).collect()
    }

    /// Height and width of the boxes, if they are rectangles.
    pub fn boxes(&self) -> Option<(usize, usize)> {
        match self.regions {
            Regions::Usual => usual(self.size),
            Regions::Boxes { rows, columns } => Some((rows, columns)),
            Regions::Jigsaw(_) | Regions::None => None,
        }
    }

    /// The same board with irregular regions, one sign a cell.
    pub fn with_jigsaw(&self, signs: &str) -> BoardSpec {
        let mut spec = self.clone();
        spec.name = format!("{} jigsaw", self.name);
        spec.regions = Regions::Jigsaw(vec![signs.to_string()]);
        spec
    }
}

fn usual(size: usize) -> Option<(usize, usize)> {
    USUAL.iter().find(|(known, ..)| *known == size).map(|&(_, rows, columns)| (rows, columns))
}

fn folded(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}
