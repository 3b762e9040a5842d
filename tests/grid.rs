//! Puzzle formats, notation, drawing and the number of solutions. The tests on puzzle collections are ignored, because the
//! collections are not in the repository: `PINION_DATA` names their folder.

#[path = "grid/boards.rs"]
mod boards;
#[path = "grid/collections.rs"]
mod collections;
#[path = "grid/documents.rs"]
mod documents;
#[path = "grid/drawing_round_trips.rs"]
mod drawing_round_trips;
#[path = "grid/drawings.rs"]
mod drawings;
#[path = "grid/encodings.rs"]
mod encodings;
#[path = "grid/format_round_trips.rs"]
mod format_round_trips;
#[path = "grid/formats.rs"]
mod formats;
#[path = "grid/misread.rs"]
mod misread;
#[path = "grid/misread_documents.rs"]
mod misread_documents;
#[path = "grid/misread_layouts.rs"]
mod misread_layouts;
#[path = "grid/notation.rs"]
mod notation;
#[path = "grid/solutions.rs"]
mod solutions;
#[path = "grid/unusual_layouts.rs"]
mod unusual_layouts;

use pinion::grid::{Geometry, formats::Puzzle};
use std::sync::Arc;

/// A puzzle with one solution, which is [`EASY_SOLVED`].
pub const EASY: &str = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
pub const EASY_SOLVED: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// A grid of candidate lists, separated by blanks.
pub const LISTS: &str = "
    69 27  3    189  128 4     16  5  127
    1  247 8    6    5   3     9   47 247
    69 5   24   7    12  19    146 8  3
    25 8   6    25   3   7     14  9  14
    7  9   12   4    6   12    8   3  5
    4  3   15   1589 18  1589  7   2  6
    3  6   47   28   9   28    5   1  47
    25 12  9    15   47  6     3   47 8
    8  14  457  3    47  15    2   6  9
";

pub fn read_puzzle(text: &str) -> Puzzle {
    pinion::grid::formats::read_one(text, None).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub fn standard_board(size: usize) -> Arc<Geometry> {
    Arc::new(Geometry::standard(size).expect("a standard size"))
}
