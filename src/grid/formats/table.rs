//! Every format that is written, with the data it can hold, and the writers of the simple formats. In: a puzzle and the name of a format.
//! Out: the text with the details that it loses, or an error if the format cannot hold the puzzle.
//!
//! [`FORMATS`] is the table; [`write`] decides with it. Writers get a [`PuzzleView`]. Those of formats recognised by their shape
//! (characters on a line, rows, lists) stand at the end; the others stand beside their readers.

use super::boards::{Feature, Features, RegionShape, region_symbols};
use super::error::{self, FormatError};
use super::puzzle::Puzzle;
use super::{markup, programs, records, sudokupad};
use crate::grid::draw::{candidate_grid, candidate_line, line_with_placed, puzzle_line};
use crate::grid::{Cell, Digit, DigitSet, State, notation};

/// Clues on the standard 9×9 board.
const CLUES: Capabilities = Capabilities {
    sizes: &[9],
    placed: false,
    candidates: CandidateSupport::No,
    lone: LoneCandidates::Marked,
    regions: RegionSupport::Usual,
    features: &[],
};

/// Clues on every standard board.
const ALL_SIZES: Capabilities = Capabilities { sizes: &[], ..CLUES };

/// Clues and what was placed or eliminated since.
const PROGRESS: Capabilities = Capabilities { placed: true, candidates: CandidateSupport::Progress, ..CLUES };

const FPUZZLES: Capabilities = Capabilities {
    placed: true,
    candidates: CandidateSupport::Both,
    regions: RegionSupport::AnyOrNone,
    features: &[
        Feature::Rising,
        Feature::Falling,
        Feature::Disjoint,
        Feature::Knight,
        Feature::King,
        Feature::Houses,
        Feature::Windows,
    ],
    ..ALL_SIZES
};

const ALL_FEATURES: &[Feature] = &[
    Feature::Rising,
    Feature::Falling,
    Feature::Windows,
    Feature::Disjoint,
    Feature::Knight,
    Feature::King,
    Feature::Houses,
    Feature::Sees,
];

/// Every format.
#[rustfmt::skip]
pub static FORMATS: [Format; 20] = [
    Format::new("81", "one character for each cell, then its regions where it is a jigsaw", line)
        .capabilities(Capabilities { regions: RegionSupport::Any, ..ALL_SIZES }),
    Format::new("729", "d characters for each cell: digit d in its place, or a dot", candidates)
        .capabilities(Capabilities { candidates: CandidateSupport::Puzzle, lone: LoneCandidates::ByPeers, regions: RegionSupport::Any, ..ALL_SIZES }),
    Format::new("rows", "a row on each line", rows).capabilities(ALL_SIZES).on_lines(),
    Format::new("pm", "a grid of candidates with borders", pencilmarks)
        .capabilities(Capabilities { candidates: CandidateSupport::Puzzle, ..ALL_SIZES }).on_lines(),
    Format::new("hodoku", "a line of a HoDoKu library", library).capabilities(Capabilities { sizes: &[], ..PROGRESS }),
    Format::new("susser", "one character for each cell, `+` before placed digits, then deleted candidates", susser)
        .capabilities(Capabilities { sizes: &[], regions: RegionSupport::Any, ..PROGRESS }),
    Format::new("sdm", "81 digits on a line, 0 for an empty cell", |view| Ok(view.digits('0'))),
    Format::new("sdk", "a file of SudoCue: [Puzzle], and [State]", sdk).capabilities(Capabilities { placed: true, ..CLUES }).on_lines(),
    Format::new("sdx", "a file of SudoCue: candidates, `u` before placed digits", sdx)
        .capabilities(Capabilities { placed: true, candidates: CandidateSupport::Both, lone: LoneCandidates::ByPeers, ..CLUES }).on_lines(),
    Format::new("ss", "a file of Simple Sudoku", simple).on_lines(),
    Format::new("s9b", "a grid of sudokuwiki.org", programs::write_s9b)
        .capabilities(Capabilities {
            regions: RegionSupport::Any, features: &[Feature::Rising, Feature::Falling, Feature::Windows], ..PROGRESS
        })
        .detected_by(DetectedBy::Beginning),
    Format::new("sudokuwiki-url", "a link to sudokuwiki.org", programs::write_s9b_link)
        .capabilities(Capabilities { regions: RegionSupport::Any, ..PROGRESS }).detected_by(DetectedBy::Beginning),
    Format::new("sudokuexchange-url", "a link to sudokuexchange.com", exchange).detected_by(DetectedBy::Beginning),
    Format::new("sudokupad", "a link to sudokupad.app", sudokupad::write)
        .capabilities(Capabilities { placed: false, candidates: CandidateSupport::Progress, ..FPUZZLES }).detected_by(DetectedBy::Beginning),
    Format::new("f-puzzles", "a link to f-puzzles.com", sudokupad::write_fpuzzles)
        .capabilities(FPUZZLES).detected_by(DetectedBy::Beginning),
    Format::new("sudokucoach", "a state of sudoku.coach", programs::write_coach)
        .capabilities(Capabilities { sizes: &[4, 6, 8, 9], ..PROGRESS }).detected_by(DetectedBy::Beginning),
    Format::new("opensudoku", "a file of OpenSudoku, in XML", markup::write_game)
        .capabilities(PROGRESS).detected_by(DetectedBy::Beginning).between(markup::GAMES_HEADER, Some(markup::GAMES_FOOTER)),
    Format::new("iss", "a constraint string of the Interactive Sudoku Solver", programs::write_iss)
        .capabilities(Capabilities {
            candidates: CandidateSupport::Puzzle,
            lone: LoneCandidates::No,
            regions: RegionSupport::AnyOrNone,
            features: ALL_FEATURES.split_at(ALL_FEATURES.len() - 1).0,
            ..ALL_SIZES
        })
        .detected_by(DetectedBy::Beginning),
    Format::new("csv", "comma separated values with a heading", records::write_csv)
        .capabilities(Capabilities { placed: true, candidates: CandidateSupport::Both, regions: RegionSupport::AnyOrNone, ..ALL_SIZES })
        .detected_by(DetectedBy::Heading).between(records::CSV_HEADER, None),
    Format::new("jsonl", "one JSON object a line; it holds every puzzle", records::write_json)
        .capabilities(Capabilities {
            placed: true, candidates: CandidateSupport::All, regions: RegionSupport::AnyOrNone, features: ALL_FEATURES, ..ALL_SIZES
        })
        .detected_by(DetectedBy::Beginning),
];

/// Writes a puzzle, or says why the format cannot hold it.
type FormatWriter = fn(&PuzzleView<'_>) -> Result<String, String>;

impl Format {
    /// Describes a format of clues on the standard 9×9 board, one puzzle a line, that is recognized by its shape.
    const fn new(name: &'static str, about: &'static str, write: FormatWriter) -> Format {
        Format {
            name,
            about,
            capabilities: CLUES,
            header: None,
            footer: None,
            is_multiline: false,
            detected_by: DetectedBy::Shape,
            write,
        }
    }

    const fn capabilities(self, capabilities: Capabilities) -> Format {
        Format { capabilities, ..self }
    }

    const fn on_lines(self) -> Format {
        Format { is_multiline: true, ..self }
    }

    const fn detected_by(self, detected_by: DetectedBy) -> Format {
        Format { detected_by, ..self }
    }

    const fn between(self, header: &'static str, footer: Option<&'static str>) -> Format {
        Format { header: Some(header), footer, ..self }
    }

    /// Returns the format of a name.
    pub fn named(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name.eq_ignore_ascii_case(name))
    }
}

/// Data that a format can hold besides clues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// The sizes of its boards; every size where none is named.
    pub sizes: &'static [usize],
    /// True if the format distinguishes placed digits from clues.
    pub placed: bool,
    /// The candidates of cells.
    pub candidates: CandidateSupport,
    /// A cell that is not solved and has one candidate.
    pub lone: LoneCandidates,
    /// The regions of a board.
    pub regions: RegionSupport,
    /// Other features of a board.
    pub features: &'static [Feature],
}

/// A format.
pub struct Format {
    /// Name on the command line.
    pub name: &'static str,
    /// Description, for lists of formats.
    pub about: &'static str,
    /// Data that it can hold besides clues.
    pub capabilities: Capabilities,
    /// Text before the first puzzle of a file.
    pub header: Option<&'static str>,
    /// Text after the last puzzle.
    pub footer: Option<&'static str>,
    /// True if a puzzle takes several lines; an empty line then separates it from the next.
    pub is_multiline: bool,
    /// Property by which the reader recognizes the format.
    pub detected_by: DetectedBy,
    write: FormatWriter,
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
pub enum CandidateSupport {
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
pub enum LoneCandidates {
    /// Marked in the text.
    Marked,
    /// By peers: a cell looks solved if no peer lists its digit.
    ByPeers,
    /// None: the cell looks solved.
    No,
}

/// Regions in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionSupport {
    /// Only the usual boxes.
    Usual,
    /// Any regions.
    Any,
    /// Any regions, or none.
    AnyOrNone,
}

/// The features of boards in words.
const FEATURES: [(Feature, &str); 7] = [
    (Feature::Rising, "diagonals"),
    (Feature::Falling, "diagonals"),
    (Feature::Windows, "windows"),
    (Feature::Disjoint, "disjoint groups"),
    (Feature::Knight, "cells a knight's move apart"),
    (Feature::King, "cells that touch at a corner"),
    (Feature::Sees, "other cells that see each other"),
];

/// A puzzle in a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenPuzzle {
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
        let digits_only =
            Puzzle { candidates: None, lists_only: false, initial_candidates: None, ..puzzle.clone() }.state();
        let more =
            puzzle.initial_candidates.is_some() || state.values_and_candidates() != digits_only.values_and_candidates();
        let listed = puzzle.candidates.is_some() && more;
        PuzzleView { puzzle, state, features: Features::of_board(&puzzle.geometry), listed }
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

    /// Returns the digits in one line, with a symbol for an empty cell.
    pub fn digits(&self, blank: char) -> String {
        self.cells().map(|cell| self.digit(cell).map_or(blank, Digit::symbol)).collect()
    }

    /// Returns the digits in one line, `+` before placed ones.
    pub fn marked_digits(&self) -> String {
        line_with_placed(&self.puzzle.geometry, |cell| self.digit(cell).map(|digit| (digit, self.is_given(cell))))
    }

    /// Refuses to write a list without a candidate.
    pub fn refuse_empty_cells(&self) -> Result<(), String> {
        let state = &self.state;
        match self.cells().find(|&cell| state.value(cell).is_none() && state.candidates(cell).is_empty()) {
            Some(cell) => Err(format!("{} has no candidate left", notation::cell(&self.puzzle.geometry, cell))),
            None => Ok(()),
        }
    }

    /// Refuses lists that don't follow from the digits if one is without a candidate.
    pub fn refuse_empty_lists(&self) -> Result<(), String> {
        if self.listed { self.refuse_empty_cells() } else { Ok(()) }
    }

    /// Returns true if an unsolved cell with one candidate would be read back as solved.
    fn looks_solved(&self, holds: Capabilities) -> bool {
        let (geometry, state) = (&self.puzzle.geometry, &self.state);
        let mut lone = self.cells().filter(|&cell| state.candidates(cell).len() == 1);
        match holds.lone {
            LoneCandidates::Marked => false,
            LoneCandidates::No => self.listed && lone.next().is_some(),
            LoneCandidates::ByPeers => lone.any(|cell| {
                let digits = state.candidates(cell);
                geometry.peers(cell).iter().all(|&peer| (state.possible_digits(peer) & digits).is_empty())
            }),
        }
    }

    /// Names a necessary part of the puzzle that the format cannot hold.
    fn refused(&self, holds: Capabilities) -> Option<String> {
        let (board, size) = (&self.features, self.size());
        if !holds.sizes.is_empty() && !holds.sizes.contains(&size) {
            return Some(format!("a {size}×{size} puzzle"));
        }
        let without_digit = self.cells().all(|cell| self.digit(cell).is_none());
        if without_digit && (!self.listed || holds.candidates == CandidateSupport::No) {
            return Some("a puzzle without a digit".into());
        }
        match (&board.shape, holds.regions) {
            (RegionShape::Usual, _) | (_, RegionSupport::AnyOrNone) | (RegionShape::Regions(_), RegionSupport::Any) => {
            }
            (RegionShape::None, _) => return Some("a board without regions".into()),
            (RegionShape::Regions(_), _) => return Some("the regions of its board".into()),
        }
        if let Some((_, words)) =
            FEATURES.iter().find(|(feature, _)| board.has(*feature) && !holds.features.contains(feature))
        {
            return Some(format!("a board with {words}"));
        }
        if !(board.houses.is_empty() || holds.features.contains(&Feature::Houses)) {
            return Some(format!(
                "a board with the house {}",
                board.house_descriptions(&self.puzzle.geometry).join(", ")
            ));
        }
        (self.listed && self.puzzle.lists_only && holds.candidates == CandidateSupport::No)
            .then(|| "candidates, and they are all of this puzzle".into())
    }

    /// Returns lists details of the puzzle that the format loses.
    fn lost(&self, holds: Capabilities) -> Vec<&'static str> {
        let mut lost = Vec::new();
        if self.looks_solved(holds) {
            lost.push("shows cells with one candidate as solved");
        }
        if !holds.placed && self.puzzle.placed.iter().any(Option::is_some) {
            lost.push("does not tell placed digits from clues");
        }
        if self.puzzle.initial_candidates.is_some() && holds.candidates != CandidateSupport::All {
            lost.push("does not say which candidates the puzzle had before some were deleted");
        } else if self.listed {
            match (holds.candidates, self.puzzle.lists_only) {
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
/// When the format cannot hold the puzzle: another one would be read from the text.
pub fn write(puzzle: &Puzzle, format: &Format) -> Result<WrittenPuzzle, FormatError> {
    let view = PuzzleView::new(puzzle);
    let (name, holds) = (format.name, format.capabilities);
    let text = match view.refused(holds) {
        Some(words) => Err(format!("`{name}` cannot hold {words}")),
        None => (format.write)(&view).map_err(|words| format!("`{name}` cannot hold this puzzle: {words}")),
    };
    let text = text.map_err(|words| {
        let error = FormatError::new(error::CANNOT_HOLD, (puzzle.line, 1), words);
        error.with_help("jsonl holds every puzzle; docs/formats.md says what each format holds")
    })?;
    Ok(WrittenPuzzle { text, lost: view.lost(holds) })
}

/// Writes `81`: the digits, then the regions of a jigsaw.
fn line(view: &PuzzleView<'_>) -> Result<String, String> {
    let note = if view.puzzle.note.is_empty() { String::new() } else { format!(" {}", view.puzzle.note) };
    let regions = match &view.features.shape {
        RegionShape::Regions(numbers) if !view.puzzle.note.contains("jigsaw=") => {
            format!(" {}", region_symbols(numbers))
        }
        _ => String::new(),
    };
    Ok(view.digits('.') + &regions + &note)
}

fn exchange(view: &PuzzleView<'_>) -> Result<String, String> {
    Ok(format!("https://sudokuexchange.com/play/?s={}", view.digits('0')))
}

/// Writes `729`.
fn candidates(view: &PuzzleView<'_>) -> Result<String, String> {
    view.refuse_empty_cells()?;
    Ok(candidate_line(&view.puzzle.geometry, &view.state) + &jigsaw(view))
}

fn susser(view: &PuzzleView<'_>) -> Result<String, String> {
    Ok(position(view)? + &jigsaw(view))
}

/// Writes `hodoku`.
fn library(view: &PuzzleView<'_>) -> Result<String, String> {
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
        let given = view.puzzle.givens[cell.index()];
        state.set_initial_candidates(cell, given.map_or(DigitSet::all(view.size()), DigitSet::single));
    }
    Ok(puzzle_line(&view.puzzle.geometry, &state))
}

fn jigsaw(view: &PuzzleView<'_>) -> String {
    match &view.features.shape {
        RegionShape::Regions(numbers) => format!(" jigsaw={}", region_symbols(numbers)),
        _ => String::new(),
    }
}

fn rows(view: &PuzzleView<'_>) -> Result<String, String> {
    Ok(rows_of(view, "", |cell| symbol(view.digit(cell))))
}

/// Writes a row on each line, with a text for each cell and a separator between two.
fn rows_of(view: &PuzzleView<'_>, separator: &str, text: impl Fn(Cell) -> String) -> String {
    let cells: Vec<String> = view.cells().map(text).collect();
    cells.chunks(view.size()).map(|row| row.join(separator)).collect::<Vec<_>>().join("\n")
}

/// Writes a digit, or a point for an empty cell.
fn symbol(digit: Option<Digit>) -> String {
    digit.map_or('.', Digit::symbol).to_string()
}

/// Writes `pm`.
fn pencilmarks(view: &PuzzleView<'_>) -> Result<String, String> {
    view.refuse_empty_cells()?;
    Ok(candidate_grid(&view.puzzle.geometry, &view.state).trim_end().to_string())
}

/// Writes `ss`.
fn simple(view: &PuzzleView<'_>) -> Result<String, String> {
    let rows = rows(view)?;
    let rows: Vec<String> = rows.lines().map(|row| format!("{}|{}|{}", &row[..3], &row[3..6], &row[6..])).collect();
    Ok(rows.chunks(3).map(|band| band.join("\n")).collect::<Vec<_>>().join("\n-----------\n"))
}

fn sdk(view: &PuzzleView<'_>) -> Result<String, String> {
    let clues = rows_of(view, "", |cell| symbol(view.puzzle.givens[cell.index()]));
    let heading = if view.puzzle.note.is_empty() { String::new() } else { format!("#D{}\n", view.puzzle.note) };
    let state = match view.puzzle.placed.iter().any(Option::is_some) {
        true => format!("\n[State]\n{}", rows(view)?),
        false => String::new(),
    };
    Ok(format!("{heading}[Puzzle]\n{clues}{state}"))
}

fn sdx(view: &PuzzleView<'_>) -> Result<String, String> {
    view.refuse_empty_cells()?;
    let text = rows_of(view, " ", |cell| match view.digit(cell) {
        Some(digit) if view.is_given(cell) => digit.to_string(),
        Some(digit) => format!("u{digit}"),
        None => view.state.candidates(cell).iter().map(Digit::symbol).collect(),
    });
    Ok(text)
}
