//! What a format can hold, and what of a puzzle it loses. In: a puzzle and a format. Out: [`View`] for the writers, a text
//! with remarks about what it does not say, or why the puzzle cannot be written so.

use super::error::{self, FormatError};
use super::features::{Features, Shape};
use super::puzzle::{Puzzle, cell_name};
use crate::grid::{Cell, Digit, DigitSet, State};

/// What a format can hold besides clues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holds {
    /// The sizes of its boards; every size where none is named.
    pub sizes: &'static [usize],
    /// Whether placed digits are told from clues.
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
    /// Its name on the command line.
    pub name: &'static str,
    /// What it looks like.
    pub about: &'static str,
    /// What it can hold besides clues.
    pub holds: Holds,
    /// What stands before the first puzzle of a file.
    pub head: Option<&'static str>,
    /// What stands after the last.
    pub foot: Option<&'static str>,
    /// Whether a puzzle has several lines, so that an empty one parts it from the next.
    pub lines: bool,
    /// How it is told from others when it is read.
    pub told_by: ToldBy,
    pub(super) write: fn(&View<'_>) -> Result<String, String>,
}

/// How a format is told from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToldBy {
    /// How many characters or groups there are on a line, and how many lines.
    Shape,
    /// What its text begins with.
    Beginning,
    /// The heading of the file.
    Heading,
}

/// Candidates in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lists {
    /// There are none.
    No,
    /// They are what is left of the puzzle.
    Progress,
    /// They are the puzzle itself.
    Puzzle,
    /// Either, and it says which.
    Both,
    /// What is left, and what the puzzle left possible.
    All,
}

/// How a format tells an unsolved cell with one candidate from a solved one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lone {
    /// It says so.
    Told,
    /// Where no peer has the digit, the cell looks solved.
    ByPeers,
    /// The cell looks solved.
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
    /// What it does not say, each in words that go on after the name of the format.
    pub lost: Vec<&'static str>,
}

/// A puzzle as writers look at it.
pub(super) struct View<'p> {
    pub puzzle: &'p Puzzle,
    pub state: State,
    pub features: Features,
    /// Whether the candidates say more than the digits do.
    listed: bool,
}

impl<'p> View<'p> {
    pub fn new(puzzle: &'p Puzzle) -> View<'p> {
        let state = puzzle.state();
        let digits_only = Puzzle { candidates: None, lists_only: false, open: None, ..puzzle.clone() }.state();
        let more = puzzle.open.is_some() || state.parts() != digits_only.parts();
        let listed = puzzle.candidates.is_some() && more;
        View { puzzle, state, features: Features::of(&puzzle.geometry), listed }
    }

    pub fn size(&self) -> usize {
        self.puzzle.geometry.size()
    }

    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        self.puzzle.geometry.cells()
    }

    /// The digit that stands in a cell.
    pub fn digit(&self, cell: Cell) -> Option<Digit> {
        self.puzzle.digit(cell)
    }

    /// Whether the digit of a cell is a clue.
    pub fn is_given(&self, cell: Cell) -> bool {
        self.puzzle.givens[cell.index()].is_some()
    }

    /// Whether the candidates say more than the digits do.
    pub fn has_lists(&self) -> bool {
        self.listed
    }

    /// What an unsolved cell may hold, where that says more than the digits do.
    pub fn list(&self, cell: Cell) -> Option<DigitSet> {
        (self.listed && self.digit(cell).is_none()).then(|| self.state.candidates(cell))
    }

    /// The digits in one line, with a sign for an empty cell.
    pub fn digits(&self, blank: char) -> String {
        self.cells().map(|cell| self.digit(cell).map_or(blank, Digit::symbol)).collect()
    }

    /// The digits in one line, `+` before placed ones.
    pub fn marked_digits(&self) -> String {
        let shown = |cell| match self.digit(cell) {
            None => ".".to_string(),
            Some(digit) if self.is_given(cell) => digit.to_string(),
            Some(digit) => format!("+{digit}"),
        };
        self.cells().map(shown).collect()
    }

    /// Houses besides rows, columns and regions that are no diagonals or disjoint groups; windows are among them.
    pub fn other_houses(&self) -> Vec<(String, Vec<Cell>)> {
        let named =
            Features { windows: self.features.windows, houses: self.features.houses.clone(), ..Features::default() };
        named.all_houses(self.size())
    }

    /// A list that is written must have a candidate.
    pub fn refuse_empty_cells(&self) -> Result<(), String> {
        let state = &self.state;
        match self.cells().find(|&cell| state.value(cell).is_none() && state.candidates(cell).is_empty()) {
            Some(cell) => Err(format!("{} has no candidate left", cell_name(&self.puzzle.geometry, cell))),
            None => Ok(()),
        }
    }

    /// Whether an unsolved cell with one candidate would be read as solved.
    fn looks_solved(&self, holds: Holds) -> bool {
        let geometry = &self.puzzle.geometry;
        let shows = |peer: &Cell, digit: Digit| {
            self.state.value(*peer) == Some(digit) || self.state.candidates(*peer).has(digit)
        };
        let one =
            |cell: &Cell| self.state.candidates(*cell).first().filter(|_| self.state.candidates(*cell).len() == 1);
        match holds.lone {
            Lone::Told => false,
            Lone::No => self.listed && self.cells().any(|cell| one(&cell).is_some()),
            Lone::ByPeers => self.cells().any(|cell| {
                one(&cell).is_some_and(|digit| !geometry.peers(cell).iter().any(|peer| shows(peer, digit)))
            }),
        }
    }

    /// What of the puzzle the format cannot do without.
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
            (Shape::Usual, _) | (_, Shapes::AnyOrNone) | (Shape::Regions(_), Shapes::Any) => {}
            (Shape::None, _) => return Some("a board without regions".into()),
            (Shape::Regions(_), _) => return Some("the regions of its board".into()),
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

    /// What of the puzzle the format does not say.
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
    let view = View::new(puzzle);
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
