//! The table of all formats that are written, with their capabilities, and the writers of the simple formats. In: a puzzle and a
//! format. Out: the text and the details that the text loses, or an error if the format cannot hold the puzzle.
//!
//! [`write`] decides with the table [`FORMATS`]. Writers get a [`PuzzleView`]. The writers of formats that are recognized by their
//! shape (characters on a line, rows, lists) are at the end of this file; the others are beside their readers.

use super::boards::{Feature, Features, RegionShape, region_symbols};
use super::error::{self, FormatError};
use super::puzzle::Puzzle;
use super::{markup, records, solver_sites, sudokupad};
use crate::grid::draw::{candidate_grid, candidate_line, line_with_placed, puzzle_line};
use crate::grid::{Cell, Digit, DigitSet, State, notation};

/// A format for clues on the standard 9×9 board.
const CLUES: Capabilities = Capabilities {
    sizes: &[9],
    distinguishes_placed: false,
    candidates: CandidateSupport::No,
    lone_candidates: LoneCandidates::Marked,
    regions: RegionSupport::Usual,
    features: &[],
};

/// A format for clues on every standard board.
const ALL_SIZES: Capabilities = Capabilities { sizes: &[], ..CLUES };

/// A format for clues, placed digits and eliminated candidates on the standard 9×9 board.
const PROGRESS: Capabilities =
    Capabilities { distinguishes_placed: true, candidates: CandidateSupport::Progress, ..CLUES };

const FPUZZLES: Capabilities = Capabilities {
    distinguishes_placed: true,
    candidates: CandidateSupport::EitherKind,
    regions: RegionSupport::AnyOrNone,
    features: ALL_FEATURES.split_at(ALL_FEATURES.len() - 1).0,
    ..ALL_SIZES
};

/// `OtherOffsets`, which only JSON can hold, is last.
#[rustfmt::skip]
const ALL_FEATURES: &[Feature] = &[
    Feature::Rising, Feature::Falling, Feature::Windows, Feature::Disjoint, Feature::Knight, Feature::King,
    Feature::OtherHouses, Feature::OtherOffsets,
];

/// A format for clues on the standard 9×9 board, one puzzle on each line.
const BY_SHAPE: Format = Format {
    name: "",
    about: "",
    write: |_| Err(String::new()),
    capabilities: CLUES,
    header: None,
    footer: None,
    is_multiline: false,
    detected_by: DetectedBy::Shape,
};
const MULTILINE: Format = Format { is_multiline: true, ..BY_SHAPE };
const BY_BEGINNING: Format = Format { detected_by: DetectedBy::Beginning, ..BY_SHAPE };

/// All formats that are written.
#[rustfmt::skip]
pub static FORMATS: [Format; 20] = [
    Format { name: "81", about: "one character for each cell, then its regions where it is a jigsaw", write: write_line,
        capabilities: Capabilities { regions: RegionSupport::Any, ..ALL_SIZES }, ..BY_SHAPE },
    Format { name: "729", about: "d characters for each cell: digit d in its place, or a dot", write: write_candidate_line,
        capabilities: Capabilities { candidates: CandidateSupport::Puzzle, lone_candidates: LoneCandidates::ByPeers, regions: RegionSupport::Any, ..ALL_SIZES }, ..BY_SHAPE },
    Format { name: "rows", about: "a row on each line", write: write_rows, capabilities: ALL_SIZES, ..MULTILINE },
    Format { name: "pm", about: "a grid of candidates with borders", write: write_candidate_grid,
        capabilities: Capabilities { candidates: CandidateSupport::Puzzle, ..ALL_SIZES }, ..MULTILINE },
    Format { name: "hodoku", about: "a line of a HoDoKu library", write: write_hodoku, capabilities: Capabilities { sizes: &[], ..PROGRESS }, ..BY_SHAPE },
    Format { name: "susser", about: "one character for each cell, `+` before placed digits, then deleted candidates",
        write: |view| Ok(digits_and_deleted_candidates(view)? + &jigsaw_note(view)),
        capabilities: Capabilities { sizes: &[], regions: RegionSupport::Any, ..PROGRESS }, ..BY_SHAPE },
    Format { name: "sdm", about: "81 digits on a line, 0 for an empty cell", write: |view| Ok(view.digits('0')), ..BY_SHAPE },
    Format { name: "sdk", about: "a file of SudoCue: [Puzzle], and [State]", write: write_sdk,
        capabilities: Capabilities { distinguishes_placed: true, ..CLUES }, ..MULTILINE },
    Format { name: "sdx", about: "a file of SudoCue: candidates, `u` before placed digits", write: write_sdx,
        capabilities: Capabilities { distinguishes_placed: true, candidates: CandidateSupport::EitherKind, lone_candidates: LoneCandidates::ByPeers, ..CLUES }, ..MULTILINE },
    Format { name: "ss", about: "a file of Simple Sudoku", write: write_simple_sudoku, ..MULTILINE },
    Format { name: "s9b", about: "a grid of sudokuwiki.org", write: solver_sites::write_sudokuwiki,
        capabilities: Capabilities { regions: RegionSupport::Any, features: ALL_FEATURES.split_at(3).0, ..PROGRESS }, ..BY_BEGINNING },
    Format { name: "sudokuwiki-url", about: "a link to sudokuwiki.org", write: solver_sites::write_sudokuwiki_link,
        capabilities: Capabilities { regions: RegionSupport::Any, ..PROGRESS }, ..BY_BEGINNING },
    Format { name: "sudokuexchange-url", about: "a link to sudokuexchange.com",
        write: |view| Ok(format!("https://sudokuexchange.com/play/?s={}", view.digits('0'))), ..BY_BEGINNING },
    Format { name: "sudokupad", about: "a link to sudokupad.app", write: sudokupad::write,
        capabilities: Capabilities { distinguishes_placed: false, candidates: CandidateSupport::Progress, ..FPUZZLES }, ..BY_BEGINNING },
    Format { name: "f-puzzles", about: "a link to f-puzzles.com", write: sudokupad::write_fpuzzles, capabilities: FPUZZLES, ..BY_BEGINNING },
    Format { name: "sudokucoach", about: "a state of sudoku.coach", write: solver_sites::write_coach,
        capabilities: Capabilities { sizes: &[4, 6, 8, 9], ..PROGRESS }, ..BY_BEGINNING },
    Format { name: "opensudoku", about: "a file of OpenSudoku, in XML", write: markup::write_game,
        capabilities: PROGRESS, header: Some(markup::GAMES_HEADER), footer: Some(markup::GAMES_FOOTER), ..BY_BEGINNING },
    Format { name: "iss", about: "a constraint string of the Interactive Sudoku Solver", write: solver_sites::write_iss,
        capabilities: Capabilities { distinguishes_placed: false, candidates: CandidateSupport::Puzzle, lone_candidates: LoneCandidates::No, ..FPUZZLES }, ..BY_BEGINNING },
    Format { name: "csv", about: "comma separated values with a heading", write: records::write_csv,
        capabilities: Capabilities { features: &[], ..FPUZZLES }, detected_by: DetectedBy::Heading, header: Some(records::CSV_HEADER), ..BY_SHAPE },
    Format { name: "jsonl", about: "one JSON object a line; it holds every puzzle", write: records::write_json,
        capabilities: Capabilities { candidates: CandidateSupport::WithInitial, features: ALL_FEATURES, ..FPUZZLES }, ..BY_BEGINNING },
];

/// Writes a puzzle. The error is the reason why the format cannot hold the puzzle.
type FormatWriter = fn(&PuzzleView<'_>) -> Result<String, String>;

impl Format {
    /// Finds a format by its name, in any case.
    pub fn named(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name.eq_ignore_ascii_case(name))
    }
}

/// The data that a format can hold besides clues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Sizes of the boards; empty for every size.
    pub sizes: &'static [usize],
    /// True if the format distinguishes placed digits from clues.
    pub distinguishes_placed: bool,
    /// Kinds of candidate lists.
    pub candidates: CandidateSupport,
    /// Notation of an unsolved cell with one candidate.
    pub lone_candidates: LoneCandidates,
    /// Kinds of regions.
    pub regions: RegionSupport,
    /// Other features of a board.
    pub features: &'static [Feature],
}

/// A format that is written.
pub struct Format {
    /// Name on the command line.
    pub name: &'static str,
    /// Description, for lists of formats.
    pub about: &'static str,
    /// Data that the format can hold besides clues.
    pub capabilities: Capabilities,
    /// Text before the first puzzle of a file.
    pub header: Option<&'static str>,
    /// Text after the last puzzle of a file.
    pub footer: Option<&'static str>,
    /// True if a puzzle takes several lines; an empty line then separates puzzles.
    pub is_multiline: bool,
    /// Property by which the reader recognizes the format.
    pub detected_by: DetectedBy,
    write: FormatWriter,
}

/// Property by which the reader recognizes a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DetectedBy {
    /// The number of lines, and of characters or groups on each line.
    Shape,
    /// The beginning of the text.
    Beginning,
    /// The header of the file.
    Heading,
}

/// The kinds of candidate lists that a format can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CandidateSupport {
    /// No candidates.
    No,
    /// Candidates that remain in the course of play.
    Progress,
    /// Candidates that are the puzzle itself.
    Puzzle,
    /// Either kind, and the text says which.
    EitherKind,
    /// Either kind, or remaining candidates together with the initial candidates of the puzzle.
    WithInitial,
}

/// The distinction between solved cells and unsolved cells with one candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoneCandidates {
    /// The text marks unsolved or solved cells.
    Marked,
    /// A cell with one candidate counts as solved if no peer lists the digit.
    ByPeers,
    /// A cell with one candidate always counts as solved.
    No,
}

/// The kinds of regions that a format can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionSupport {
    /// Only the usual boxes.
    Usual,
    /// Any regions.
    Any,
    /// Any regions, or none.
    AnyOrNone,
}

const FEATURE_DESCRIPTIONS: [(Feature, &str); 7] = [
    (Feature::Rising, "diagonals"),
    (Feature::Falling, "diagonals"),
    (Feature::Windows, "windows"),
    (Feature::Disjoint, "disjoint groups"),
    (Feature::Knight, "cells a knight's move apart"),
    (Feature::King, "cells that touch at a corner"),
    (Feature::OtherOffsets, "other cells that see each other"),
];

/// The text of a puzzle in a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenPuzzle {
    /// The text, without a newline at its end.
    pub text: String,
    /// Descriptions of lost details, each a predicate for the name of the format: `does not hold deleted candidates`.
    pub lost: Vec<&'static str>,
}

/// A puzzle with derived data for writers.
pub(super) struct PuzzleView<'p> {
    pub puzzle: &'p Puzzle,
    pub state: State,
    pub features: Features,
    /// True if the puzzle has candidates that don't follow from the digits.
    pub has_lists: bool,
}

impl<'p> PuzzleView<'p> {
    pub fn new(puzzle: &'p Puzzle) -> PuzzleView<'p> {
        let state = puzzle.state();
        let without_lists = Puzzle { candidates: None, ..puzzle.clone() }.state();
        let has_lists = puzzle.candidates.is_some()
            && (puzzle.initial_candidates.is_some()
                || state.values_and_candidates() != without_lists.values_and_candidates());
        PuzzleView { puzzle, state, features: Features::of_board(&puzzle.geometry), has_lists }
    }

    pub fn size(&self) -> usize {
        self.puzzle.geometry.size()
    }

    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        self.puzzle.geometry.cells()
    }

    pub fn is_given(&self, cell: Cell) -> bool {
        self.puzzle.givens[cell.index()].is_some()
    }

    /// Returns the candidates of an unsolved cell, if the puzzle has candidates that don't follow from the digits.
    pub fn list(&self, cell: Cell) -> Option<DigitSet> {
        if self.has_lists && self.puzzle.digit(cell).is_none() { Some(self.state.candidates(cell)) } else { None }
    }

    /// Returns the digits in one line, with `blank` for an empty cell.
    pub fn digits(&self, blank: char) -> String {
        self.cells().map(|cell| self.puzzle.digit(cell).map_or(blank, Digit::symbol)).collect()
    }

    /// Returns the digits in one line, with `+` before placed digits.
    pub fn marked_digits(&self) -> String {
        line_with_placed(&self.puzzle.geometry, |cell| {
            self.puzzle.digit(cell).map(|digit| (digit, self.is_given(cell)))
        })
    }

    /// Refuses a puzzle in which an unsolved cell has no candidate.
    pub fn refuse_empty_cells(&self) -> Result<(), String> {
        let state = &self.state;
        match self.cells().find(|&cell| state.value(cell).is_none() && state.candidates(cell).is_empty()) {
            Some(cell) => Err(format!("{} has no candidate left", notation::cell(&self.puzzle.geometry, cell))),
            None => Ok(()),
        }
    }

    /// Refuses a puzzle with an empty list, if its lists don't follow from the digits.
    pub fn refuse_empty_lists(&self) -> Result<(), String> {
        if self.has_lists { self.refuse_empty_cells() } else { Ok(()) }
    }

    /// Returns true if an unsolved cell with one candidate would be read back as solved.
    fn would_read_back_as_solved(&self, capabilities: Capabilities) -> bool {
        let (geometry, state) = (&self.puzzle.geometry, &self.state);
        let mut lone_cells = self.cells().filter(|&cell| state.candidates(cell).len() == 1);
        match capabilities.lone_candidates {
            LoneCandidates::Marked => false,
            LoneCandidates::No => self.has_lists && lone_cells.next().is_some(),
            LoneCandidates::ByPeers => lone_cells.any(|cell| {
                let digits = state.candidates(cell);
                geometry.peers(cell).iter().all(|&peer| (state.possible_digits(peer) & digits).is_empty())
            }),
        }
    }

    /// Describes a necessary part of the puzzle that the format cannot hold.
    fn refused_part(&self, capabilities: Capabilities) -> Option<String> {
        let (board, size) = (&self.features, self.size());
        if !capabilities.sizes.is_empty() && !capabilities.sizes.contains(&size) {
            return Some(format!("a {size}×{size} puzzle"));
        }
        let has_no_digit = self.cells().all(|cell| self.puzzle.digit(cell).is_none());
        if has_no_digit && capabilities.candidates == CandidateSupport::No {
            return Some("a puzzle without a digit".into());
        }
        match (&board.shape, capabilities.regions) {
            (RegionShape::Usual, _) | (_, RegionSupport::AnyOrNone) | (RegionShape::Regions(_), RegionSupport::Any) => {
            }
            (RegionShape::None, _) => return Some("a board without regions".into()),
            (RegionShape::Regions(_), _) => return Some("the regions of its board".into()),
        }
        if let Some((_, description)) = FEATURE_DESCRIPTIONS
            .iter()
            .find(|(feature, _)| board.has(*feature) && !capabilities.features.contains(feature))
        {
            return Some(format!("a board with {description}"));
        }
        if !(board.other_houses.is_empty() || capabilities.features.contains(&Feature::OtherHouses)) {
            let houses = board.other_houses.iter();
            let houses =
                houses.map(|(name, cells)| format!("{name} ({})", notation::cells(&self.puzzle.geometry, cells)));
            return Some(format!("a board with the house {}", houses.collect::<Vec<_>>().join(", ")));
        }
        if self.has_lists && self.puzzle.lists_are_puzzle && capabilities.candidates == CandidateSupport::No {
            return Some("candidates, and they are all of this puzzle".into());
        }
        None
    }

    fn lost_details(&self, capabilities: Capabilities) -> Vec<&'static str> {
        let mut lost = Vec::new();
        if self.would_read_back_as_solved(capabilities) {
            lost.push("shows cells with one candidate as solved");
        }
        if !capabilities.distinguishes_placed && self.puzzle.placed.iter().any(Option::is_some) {
            lost.push("does not tell placed digits from clues");
        }
        if self.puzzle.initial_candidates.is_some() && capabilities.candidates != CandidateSupport::WithInitial {
            lost.push("does not say which candidates the puzzle had before some were deleted");
        } else if self.has_lists {
            match (capabilities.candidates, self.puzzle.lists_are_puzzle) {
                (CandidateSupport::No, false) => lost.push("does not hold deleted candidates"),
                (CandidateSupport::Puzzle, false) => {
                    lost.push("does not tell deleted candidates from those that the puzzle never had")
                }
                (CandidateSupport::Progress, true) => {
                    lost.push("does not say that the candidates are the puzzle itself")
                }
                _ => {}
            }
        }
        lost
    }
}

/// Writes a puzzle in a format.
///
/// # Errors
/// If the format cannot hold the puzzle, so that another puzzle would be read from the text.
pub fn write(puzzle: &Puzzle, format: &Format) -> Result<WrittenPuzzle, FormatError> {
    let view = PuzzleView::new(puzzle);
    if !view.has_lists && view.cells().all(|cell| view.puzzle.digit(cell).is_none()) {
        let message = "a puzzle without a digit cannot be written";
        let error = FormatError::new(error::CANNOT_HOLD, (puzzle.line, 1), message);
        return Err(error.with_help("every reader refuses an empty grid: write a puzzle with a clue"));
    }
    let (name, capabilities) = (format.name, format.capabilities);
    let text = match view.refused_part(capabilities) {
        Some(part) => Err(format!("`{name}` cannot hold {part}")),
        None => (format.write)(&view).map_err(|reason| format!("`{name}` cannot hold this puzzle: {reason}")),
    };
    let text = text.map_err(|message| {
        let error = FormatError::new(error::CANNOT_HOLD, (puzzle.line, 1), message);
        error.with_help("jsonl holds every puzzle; docs/formats.md says what each format holds")
    })?;
    Ok(WrittenPuzzle { text, lost: view.lost_details(capabilities) })
}

/// Writes `81`: the digits, the regions of a jigsaw, and the note.
fn write_line(view: &PuzzleView<'_>) -> Result<String, String> {
    let note = if view.puzzle.note.is_empty() { String::new() } else { format!(" {}", view.puzzle.note) };
    let regions = match &view.features.shape {
        RegionShape::Regions(numbers) if !view.puzzle.note.contains("jigsaw=") => {
            format!(" {}", region_symbols(numbers))
        }
        _ => String::new(),
    };
    Ok(view.digits('.') + &regions + &note)
}

fn write_candidate_line(view: &PuzzleView<'_>) -> Result<String, String> {
    view.refuse_empty_cells()?;
    Ok(candidate_line(&view.puzzle.geometry, &view.state) + &jigsaw_note(view))
}

fn write_hodoku(view: &PuzzleView<'_>) -> Result<String, String> {
    let text = digits_and_deleted_candidates(view)?;
    let (cells, deleted) = text.split_once(':').unwrap_or((&text, ""));
    // Code 0000 and digit x stand for no technique in particular.
    Ok(format!(":0000:x:{cells}:{deleted}:::"))
}

/// Writes the digits, with `+` before placed digits, and after a colon the deleted candidates.
fn digits_and_deleted_candidates(view: &PuzzleView<'_>) -> Result<String, String> {
    if view.cells().all(|cell| view.puzzle.digit(cell).is_none()) {
        return Err("it has no digit".into());
    }
    let mut state = view.state.clone();
    for cell in view.cells() {
        let given = view.puzzle.givens[cell.index()];
        state.set_initial_candidates(cell, given.map_or(DigitSet::all(view.size()), DigitSet::single));
    }
    Ok(puzzle_line(&view.puzzle.geometry, &state))
}

/// Returns the note with the regions of a jigsaw, which the reader looks for after a puzzle.
fn jigsaw_note(view: &PuzzleView<'_>) -> String {
    match &view.features.shape {
        RegionShape::Regions(numbers) => format!(" jigsaw={}", region_symbols(numbers)),
        _ => String::new(),
    }
}

fn write_rows(view: &PuzzleView<'_>) -> Result<String, String> {
    Ok(join_rows(view, "", |cell| digit_or_point(view.puzzle.digit(cell))))
}

/// Writes a line for each row, with a text for each cell and a separator between two cells.
fn join_rows(view: &PuzzleView<'_>, separator: &str, text_of: impl Fn(Cell) -> String) -> String {
    let cells: Vec<String> = view.cells().map(text_of).collect();
    cells.chunks(view.size()).map(|row| row.join(separator)).collect::<Vec<_>>().join("\n")
}

fn digit_or_point(digit: Option<Digit>) -> String {
    digit.map_or('.', Digit::symbol).to_string()
}

fn write_candidate_grid(view: &PuzzleView<'_>) -> Result<String, String> {
    view.refuse_empty_cells()?;
    Ok(candidate_grid(&view.puzzle.geometry, &view.state).trim_end().to_string())
}

fn write_simple_sudoku(view: &PuzzleView<'_>) -> Result<String, String> {
    let rows = write_rows(view)?;
    let rows: Vec<String> = rows.lines().map(|row| format!("{}|{}|{}", &row[..3], &row[3..6], &row[6..])).collect();
    Ok(rows.chunks(3).map(|band| band.join("\n")).collect::<Vec<_>>().join("\n-----------\n"))
}

fn write_sdk(view: &PuzzleView<'_>) -> Result<String, String> {
    let clues = join_rows(view, "", |cell| digit_or_point(view.puzzle.givens[cell.index()]));
    let description = if view.puzzle.note.is_empty() { String::new() } else { format!("#D{}\n", view.puzzle.note) };
    let has_placed_digits = view.puzzle.placed.iter().any(Option::is_some);
    let state = if has_placed_digits { format!("\n[State]\n{}", write_rows(view)?) } else { String::new() };
    Ok(format!("{description}[Puzzle]\n{clues}{state}"))
}

fn write_sdx(view: &PuzzleView<'_>) -> Result<String, String> {
    view.refuse_empty_cells()?;
    let text = join_rows(view, " ", |cell| match view.puzzle.digit(cell) {
        Some(digit) if view.is_given(cell) => digit.to_string(),
        Some(digit) => format!("u{digit}"),
        None => view.state.candidates(cell).iter().map(Digit::symbol).collect(),
    });
    Ok(text)
}
