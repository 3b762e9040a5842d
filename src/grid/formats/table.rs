//! Every format that is written, with the data it can hold, and the writers of the simple formats. In: a puzzle and the name of a format.
//! Out: the text with the details that it loses, or an error if the format cannot hold the puzzle.
//!
//! [`FORMATS`] is the table; [`write`] decides with it. Writers get a [`PuzzleView`]. Those of formats recognised by their shape
//! (characters on a line, rows, lists) stand at the end; the others stand beside their readers.

use super::boards::{Features, RegionShape, signs};
use super::error::{self, FormatError};
use super::puzzle::Puzzle;
use super::{markup, programs, records, sudokupad};
use crate::grid::draw::{candidate_grid, candidate_line, puzzle_line};
use crate::grid::{Cell, Digit, DigitSet, State, notation};

const NINE: &[usize] = &[9];

/// Clues on the standard 9×9 board.
const CLUES: Holds =
    Holds { sizes: NINE, placed: false, lists: Lists::No, lone: Lone::Marked, regions: Shapes::Usual, variants: &[] };

const SHAPE: Format = Format {
    name: "",
    about: "",
    holds: CLUES,
    head: None,
    foot: None,
    lines: false,
    detected_by: DetectedBy::Shape,
    write: line,
};

const MARKED: Format = Format { detected_by: DetectedBy::Beginning, ..SHAPE };

const ALL_VARIANTS: &[Variant] = &[
    Variant::Diagonals,
    Variant::Windows,
    Variant::Disjoint,
    Variant::Knight,
    Variant::King,
    Variant::Houses,
    Variant::Sees,
];

/// All but the last of these.
const ALL_BUT_SEES: &[Variant] = ALL_VARIANTS.split_at(ALL_VARIANTS.len() - 1).0;

const FPUZZLES: Holds = Holds {
    sizes: &[],
    placed: true,
    lists: Lists::Both,
    lone: Lone::Marked,
    regions: Shapes::AnyOrNone,
    variants: &[Variant::Diagonals, Variant::Disjoint, Variant::Knight, Variant::King, Variant::Houses],
};

/// Every format.
pub static FORMATS: [Format; 20] = [
    Format {
        name: "81",
        about: "one character for each cell, then its regions where it is a jigsaw",
        holds: Holds { sizes: &[], regions: Shapes::Any, ..CLUES },
        ..SHAPE
    },
    Format {
        name: "729",
        about: "d characters for each cell: digit d in its place, or a dot",
        holds: Holds { sizes: &[], lists: Lists::Puzzle, lone: Lone::ByPeers, regions: Shapes::Any, ..CLUES },
        write: candidates,
        ..SHAPE
    },
    Format {
        name: "rows",
        about: "a row on each line",
        holds: Holds { sizes: &[], ..CLUES },
        lines: true,
        write: rows,
        ..SHAPE
    },
    Format {
        name: "pm",
        about: "a grid of candidates with borders",
        holds: Holds { sizes: &[], lists: Lists::Puzzle, ..CLUES },
        lines: true,
        write: pencilmarks,
        ..SHAPE
    },
    Format {
        name: "hodoku",
        about: "a line of a HoDoKu library",
        holds: Holds { sizes: &[], placed: true, lists: Lists::Progress, ..CLUES },
        write: library,
        ..SHAPE
    },
    Format {
        name: "susser",
        about: "one character for each cell, `+` before placed digits, then deleted candidates",
        holds: Holds { sizes: &[], placed: true, lists: Lists::Progress, regions: Shapes::Any, ..CLUES },
        write: susser,
        ..SHAPE
    },
    Format { name: "sdm", about: "81 digits on a line, 0 for an empty cell", write: zeros, ..SHAPE },
    Format {
        name: "sdk",
        about: "a file of SudoCue: [Puzzle], and [State]",
        holds: Holds { placed: true, ..CLUES },
        lines: true,
        write: sdk,
        ..SHAPE
    },
    Format {
        name: "sdx",
        about: "a file of SudoCue: candidates, `u` before placed digits",
        holds: Holds { placed: true, lists: Lists::Both, lone: Lone::ByPeers, ..CLUES },
        lines: true,
        write: sdx,
        ..SHAPE
    },
    Format { name: "ss", about: "a file of Simple Sudoku", lines: true, write: simple, ..SHAPE },
    Format {
        name: "s9b",
        about: "a grid of sudokuwiki.org",
        holds: Holds {
            placed: true,
            lists: Lists::Progress,
            regions: Shapes::Any,
            variants: &[Variant::Diagonals, Variant::Windows],
            ..CLUES
        },
        write: programs::write_s9b,
        ..MARKED
    },
    Format {
        name: "sudokuwiki-url",
        about: "a link to sudokuwiki.org",
        holds: Holds { placed: true, lists: Lists::Progress, regions: Shapes::Any, ..CLUES },
        write: programs::write_s9b_link,
        ..MARKED
    },
    Format { name: "sudokuexchange-url", about: "a link to sudokuexchange.com", write: exchange, ..MARKED },
    Format {
        name: "sudokupad",
        about: "a link to sudokupad.app",
        holds: Holds { placed: false, lists: Lists::Progress, ..FPUZZLES },
        write: sudokupad::write,
        ..MARKED
    },
    Format {
        name: "f-puzzles",
        about: "a link to f-puzzles.com",
        holds: FPUZZLES,
        write: sudokupad::write_fpuzzles,
        ..MARKED
    },
    Format {
        name: "sudokucoach",
        about: "a state of sudoku.coach",
        holds: Holds { sizes: &[4, 6, 8, 9], placed: true, lists: Lists::Progress, ..CLUES },
        write: programs::write_coach,
        ..MARKED
    },
    Format {
        name: "opensudoku",
        about: "a file of OpenSudoku, in XML",
        holds: Holds { placed: true, lists: Lists::Progress, ..CLUES },
        head: Some(markup::GAMES_HEAD),
        foot: Some(markup::GAMES_FOOT),
        write: markup::write_game,
        ..MARKED
    },
    Format {
        name: "iss",
        about: "a constraint string of the Interactive Sudoku Solver",
        holds: Holds {
            sizes: &[],
            lists: Lists::Puzzle,
            lone: Lone::No,
            regions: Shapes::AnyOrNone,
            variants: ALL_BUT_SEES,
            ..CLUES
        },
        write: programs::write_iss,
        ..MARKED
    },
    Format {
        name: "csv",
        about: "comma separated values with a heading",
        holds: Holds {
            sizes: &[],
            placed: true,
            lists: Lists::Both,
            lone: Lone::Marked,
            regions: Shapes::AnyOrNone,
            variants: &[],
        },
        head: Some(records::CSV_HEAD),
        detected_by: DetectedBy::Heading,
        write: records::write_csv,
        ..SHAPE
    },
    Format {
        name: "jsonl",
        about: "one JSON object a line; it holds every puzzle",
        holds: Holds {
            sizes: &[],
            placed: true,
            lists: Lists::All,
            lone: Lone::Marked,
            regions: Shapes::AnyOrNone,
            variants: ALL_VARIANTS,
        },
        write: records::write_json,
        ..MARKED
    },
];

impl Format {
    /// Returns the format of a name.
    pub fn named(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name.eq_ignore_ascii_case(name))
    }
}

/// Data that a format can hold besides clues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holds {
    /// The sizes of its boards; every size where none is named.
    pub sizes: &'static [usize],
    /// True if the format distinguishes placed digits from clues.
    pub placed: bool,
    /// The candidates of cells.
    pub lists: Lists,
    /// A cell that is not solved and has one candidate.
    pub lone: Lone,
    /// The regions of a board.
    pub regions: Shapes,
    /// Other features of a board.
    pub variants: &'static [Variant],
}

/// A format.
pub struct Format {
    /// Name on the command line.
    pub name: &'static str,
    /// Description, for lists of formats.
    pub about: &'static str,
    /// Data that it can hold besides clues.
    pub holds: Holds,
    /// Text before the first puzzle of a file.
    pub head: Option<&'static str>,
    /// Text after the last puzzle.
    pub foot: Option<&'static str>,
    /// True if a puzzle takes several lines; an empty line then separates it from the next.
    pub lines: bool,
    /// Property by which the reader recognizes the format.
    pub detected_by: DetectedBy,
    pub(super) write: fn(&PuzzleView<'_>) -> Result<String, String>,
}

/// Property by which the reader recognizes a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DetectedBy {
    /// Numbers of lines and of characters or groups on each.
    Shape,
    /// Beginning of the text.
    Beginning,
    /// The heading of the file.
    Heading,
}

/// Candidates in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lists {
    /// No candidates.
    No,
    /// The candidates left in the course of play.
    Progress,
    /// The candidates that are the puzzle itself.
    Puzzle,
    /// Either, marked as one or the other.
    Both,
    /// The candidates left, and those that the puzzle left possible.
    All,
}

/// Distinction between solved cells and unsolved cells with one candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lone {
    /// Marked in the text.
    Marked,
    /// By peers: a cell looks solved if no peer lists its digit.
    ByPeers,
    /// None: the cell looks solved.
    No,
}

/// Regions in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shapes {
    /// Only the usual boxes.
    Usual,
    /// Any regions.
    Any,
    /// Any regions, or none.
    AnyOrNone,
}

/// Features of boards that formats know by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// One diagonal, or both.
    Diagonals,
    /// The four windows.
    Windows,
    /// Disjoint groups.
    Disjoint,
    /// Cells a knight's move apart.
    Knight,
    /// Cells that touch at a corner.
    King,
    /// Any other house.
    Houses,
    /// Any other pairs of cells that see each other.
    Sees,
}

/// A puzzle in a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text, without a newline at its end.
    pub text: String,
    /// Details that were lost: predicates whose subject is the name of the format.
    pub lost: Vec<&'static str>,
}

/// A puzzle as writers look at it.
pub(super) struct PuzzleView<'p> {
    pub puzzle: &'p Puzzle,
    pub state: State,
    pub features: Features,
    /// True if the candidates don't follow from the digits.
    listed: bool,
}

impl<'p> PuzzleView<'p> {
    pub fn new(puzzle: &'p Puzzle) -> PuzzleView<'p> {
        let state = puzzle.state();
        let digits_only = Puzzle { candidates: None, lists_only: false, open: None, ..puzzle.clone() }.state();
        let more = puzzle.open.is_some() || state.parts() != digits_only.parts();
        let listed = puzzle.candidates.is_some() && more;
        PuzzleView { puzzle, state, features: Features::of(&puzzle.geometry), listed }
    }

    pub fn size(&self) -> usize {
        self.puzzle.geometry.size()
    }

    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        self.puzzle.geometry.cells()
    }

    /// Returns the digit that stands in a cell.
    pub fn digit(&self, cell: Cell) -> Option<Digit> {
        self.puzzle.digit(cell)
    }

    /// Returns true if the digit of a cell is a clue.
    pub fn is_given(&self, cell: Cell) -> bool {
        self.puzzle.givens[cell.index()].is_some()
    }

    /// Returns true if the candidates don't follow from the digits.
    pub fn has_lists(&self) -> bool {
        self.listed
    }

    /// Returns the candidates of an unsolved cell, if they don't follow from the digits.
    pub fn list(&self, cell: Cell) -> Option<DigitSet> {
        (self.listed && self.digit(cell).is_none()).then(|| self.state.candidates(cell))
    }

    /// Returns the digits in one line, with a sign for an empty cell.
    pub fn digits(&self, blank: char) -> String {
        self.cells().map(|cell| self.digit(cell).map_or(blank, Digit::symbol)).collect()
    }

    /// Returns the digits in one line, `+` before placed ones.
    pub fn marked_digits(&self) -> String {
        let shown = |cell| match self.digit(cell) {
            None => ".".to_string(),
            Some(digit) if self.is_given(cell) => digit.to_string(),
            Some(digit) => format!("+{digit}"),
        };
        self.cells().map(shown).collect()
    }

    /// Returns houses besides rows, columns and regions that are no diagonals or disjoint groups; windows are among them.
    pub fn other_houses(&self) -> Vec<(String, Vec<Cell>)> {
        let named =
            Features { windows: self.features.windows, houses: self.features.houses.clone(), ..Features::default() };
        named.all_houses(self.size())
    }

    /// Refuses to write a list without a candidate.
    pub fn refuse_empty_cells(&self) -> Result<(), String> {
        let state = &self.state;
        match self.cells().find(|&cell| state.value(cell).is_none() && state.candidates(cell).is_empty()) {
            Some(cell) => Err(format!("{} has no candidate left", notation::cell(&self.puzzle.geometry, cell))),
            None => Ok(()),
        }
    }

    /// Returns true if an unsolved cell with one candidate would be read back as solved.
    fn looks_solved(&self, holds: Holds) -> bool {
        let geometry = &self.puzzle.geometry;
        let shows = |peer: &Cell, digit: Digit| {
            self.state.value(*peer) == Some(digit) || self.state.candidates(*peer).has(digit)
        };
        let one =
            |cell: &Cell| self.state.candidates(*cell).first().filter(|_| self.state.candidates(*cell).len() == 1);
        match holds.lone {
            Lone::Marked => false,
            Lone::No => self.listed && self.cells().any(|cell| one(&cell).is_some()),
            Lone::ByPeers => self.cells().any(|cell| {
                one(&cell).is_some_and(|digit| !geometry.peers(cell).iter().any(|peer| shows(peer, digit)))
            }),
        }
    }

    /// Names a necessary part of the puzzle that the format cannot hold.
    fn refused(&self, holds: Holds) -> Option<String> {
        let (board, size) = (&self.features, self.size());
        if !holds.sizes.is_empty() && !holds.sizes.contains(&size) {
            return Some(format!("a {size}×{size} puzzle"));
        }
        let without_digit = self.cells().all(|cell| self.digit(cell).is_none());
        if without_digit && (!self.listed || holds.lists == Lists::No) {
            return Some("a puzzle without a digit".into());
        }
        match (&board.shape, holds.regions) {
            (RegionShape::Usual, _) | (_, Shapes::AnyOrNone) | (RegionShape::Regions(_), Shapes::Any) => {}
            (RegionShape::None, _) => return Some("a board without regions".into()),
            (RegionShape::Regions(_), _) => return Some("the regions of its board".into()),
        }
        let holds_houses = holds.variants.contains(&Variant::Houses);
        let checks = [
            (board.rising || board.falling, Variant::Diagonals, "diagonals"),
            (board.windows && !holds_houses, Variant::Windows, "windows"),
            (board.disjoint, Variant::Disjoint, "disjoint groups"),
            (board.knight, Variant::Knight, "cells a knight's move apart"),
            (board.king, Variant::King, "cells that touch at a corner"),
            (!board.sees.is_empty(), Variant::Sees, "other cells that see each other"),
        ];
        if let Some((.., words)) = checks.iter().find(|(on, variant, _)| *on && !holds.variants.contains(variant)) {
            return Some(format!("a board with {words}"));
        }
        if !board.houses.is_empty() && !holds_houses {
            return Some(format!("a board with the house {}", board.house_names(&self.puzzle.geometry).join(", ")));
        }
        (self.listed && self.puzzle.lists_only && holds.lists == Lists::No)
            .then(|| "candidates, and they are all of this puzzle".into())
    }

    /// Returns lists details of the puzzle that the format loses.
    fn lost(&self, holds: Holds) -> Vec<&'static str> {
        let mut lost = Vec::new();
        if self.looks_solved(holds) {
            lost.push("shows cells with one candidate as solved");
        }
        if !holds.placed && self.puzzle.placed.iter().any(Option::is_some) {
            lost.push("does not tell placed digits from clues");
        }
        if self.puzzle.open.is_some() && holds.lists != Lists::All {
            lost.push("does not say which candidates the puzzle had before some were deleted");
        } else if self.listed {
            match (holds.lists, self.puzzle.lists_only) {
                (Lists::No, false) => lost.push("does not hold deleted candidates"),
                (Lists::Puzzle, false) => {
                    lost.push("does not tell deleted candidates from those that the puzzle never had")
                }
                (Lists::Progress, true) => lost.push("does not say that the candidates are the puzzle itself"),
                _ => {}
            }
        }
        lost
    }
}

/// Writes a puzzle in a format.
///
/// # Errors
/// When the format cannot hold the puzzle: another one would be read from the text.
pub fn write(puzzle: &Puzzle, format: &Format) -> Result<Written, FormatError> {
    let view = PuzzleView::new(puzzle);
    let refuse = |words: String| {
        let error = FormatError::new(error::CANNOT_HOLD, (puzzle.line, 1), words);
        error.help("jsonl holds every puzzle; docs/formats.md says what each format holds")
    };
    if let Some(words) = view.refused(format.holds) {
        return Err(refuse(format!("`{}` cannot hold {words}", format.name)));
    }
    let text =
        (format.write)(&view).map_err(|words| refuse(format!("`{}` cannot hold this puzzle: {words}", format.name)))?;
    Ok(Written { text, lost: view.lost(format.holds) })
}

/// Writes `81`: the digits, then the regions of a jigsaw.
pub(super) fn line(view: &PuzzleView<'_>) -> Result<String, String> {
    let note = if view.puzzle.note.is_empty() { String::new() } else { format!(" {}", view.puzzle.note) };
    let regions = match &view.features.shape {
        RegionShape::Regions(numbers) if !view.puzzle.note.contains("jigsaw=") => format!(" {}", signs(numbers)),
        _ => String::new(),
    };
    Ok(view.digits('.') + &regions + &note)
}

/// Writes `sdm`.
pub(super) fn zeros(view: &PuzzleView<'_>) -> Result<String, String> {
    Ok(view.digits('0'))
}

/// Writes `sudokuexchange-url`.
pub(super) fn exchange(view: &PuzzleView<'_>) -> Result<String, String> {
    Ok(format!("https://sudokuexchange.com/play/?s={}", view.digits('0')))
}

/// Writes `729`.
pub(super) fn candidates(view: &PuzzleView<'_>) -> Result<String, String> {
    view.refuse_empty_cells()?;
    Ok(candidate_line(&view.puzzle.geometry, &view.state) + &jigsaw(view))
}

/// Writes `susser`.
pub(super) fn susser(view: &PuzzleView<'_>) -> Result<String, String> {
    Ok(position(view)? + &jigsaw(view))
}

/// Writes `hodoku`.
pub(super) fn library(view: &PuzzleView<'_>) -> Result<String, String> {
    let text = position(view)?;
    let (cells, deleted) = text.split_once(':').unwrap_or((&text, ""));
    Ok(format!(":0000:x:{cells}:{deleted}:::"))
}

/// Writes digits, `+` before placed ones, and after a colon the candidates that were taken away.
fn position(view: &PuzzleView<'_>) -> Result<String, String> {
    if view.cells().all(|cell| view.digit(cell).is_none()) {
        return Err("it has no digit".into());
    }
    let mut state = view.state.clone();
    for cell in view.cells() {
        let open = view.puzzle.givens[cell.index()]
            .map_or(crate::grid::DigitSet::all(view.size()), crate::grid::DigitSet::single);
        state.set_open(cell, open);
    }
    Ok(puzzle_line(&view.puzzle.geometry, &state))
}

fn jigsaw(view: &PuzzleView<'_>) -> String {
    match &view.features.shape {
        RegionShape::Regions(numbers) => format!(" jigsaw={}", signs(numbers)),
        _ => String::new(),
    }
}

/// Writes `rows`.
pub(super) fn rows(view: &PuzzleView<'_>) -> Result<String, String> {
    Ok(rows_of(view, view.size(), |cell| view.digit(cell)))
}

fn rows_of(view: &PuzzleView<'_>, size: usize, digit: impl Fn(Cell) -> Option<Digit>) -> String {
    let row = |row: usize| -> String {
        (0..size).map(|column| digit(view.puzzle.geometry.cell(row, column)).map_or('.', Digit::symbol)).collect()
    };
    (0..size).map(row).collect::<Vec<_>>().join("\n")
}

/// Writes `pm`.
pub(super) fn pencilmarks(view: &PuzzleView<'_>) -> Result<String, String> {
    view.refuse_empty_cells()?;
    Ok(candidate_grid(&view.puzzle.geometry, &view.state).trim_end().to_string())
}

/// Writes `ss`.
pub(super) fn simple(view: &PuzzleView<'_>) -> Result<String, String> {
    let rows = rows_of(view, 9, |cell| view.digit(cell));
    let parted: Vec<String> = rows.lines().map(|row| format!("{}|{}|{}", &row[..3], &row[3..6], &row[6..])).collect();
    Ok(parted.chunks(3).map(|band| band.join("\n")).collect::<Vec<_>>().join("\n-----------\n"))
}

/// Writes `sdk`.
pub(super) fn sdk(view: &PuzzleView<'_>) -> Result<String, String> {
    let clues = rows_of(view, 9, |cell| view.puzzle.givens[cell.index()]);
    let heading = if view.puzzle.note.is_empty() { String::new() } else { format!("#D{}\n", view.puzzle.note) };
    let state = match view.puzzle.placed.iter().any(Option::is_some) {
        true => format!("\n[State]\n{}", rows_of(view, 9, |cell| view.digit(cell))),
        false => String::new(),
    };
    Ok(format!("{heading}[Puzzle]\n{clues}{state}"))
}

/// Writes `sdx`.
pub(super) fn sdx(view: &PuzzleView<'_>) -> Result<String, String> {
    view.refuse_empty_cells()?;
    let shown = |cell| match view.digit(cell) {
        Some(digit) if view.is_given(cell) => digit.to_string(),
        Some(digit) => format!("u{digit}"),
        None => view.state.candidates(cell).iter().map(Digit::symbol).collect(),
    };
    let row =
        |row: usize| (0..9).map(|column| shown(view.puzzle.geometry.cell(row, column))).collect::<Vec<_>>().join(" ");
    Ok((0..9).map(row).collect::<Vec<_>>().join("\n"))
}
