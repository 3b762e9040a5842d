//! Reads and writes Pinion's own records: JSON objects and comma separated values.
//!
//! The keys of a JSON object are `board` (a name or a description), `note`, and:
//!
//! - `puzzle`: one character for each cell, `+` before placed digits.
//! - `candidates`: n characters for each cell; with `candidates_are`: "puzzle" if the lists are the puzzle, "progress"
//!   if they are the lists of a player.
//! - `open`: the lists with which the puzzle began, n characters for each cell, if it is made of lists and candidates are eliminated.
//!
//! JSON objects of other programs are passed to their readers from here. Comma separated values have a header with five columns.

use super::boards::{self, Features, RegionShape};
use super::error::{FormatError, broken};
use super::puzzle::Content;
use super::table::PuzzleView;
use super::values::{NodeGroup, ValueNode};
use super::{cell_entry, solver_sites, sudokupad};
use crate::grid::draw::{candidate_line, lists_line};
use crate::grid::{BoardSpec, Digit, DigitSet, Geometry};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

#[derive(Serialize, Deserialize)]
struct JsonRecord {
    puzzle: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    candidates: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    candidates_are: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    open: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    board: Option<Board>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Board {
    Name(String),
    Spec(BoardSpec),
}

pub(super) const OWN_KEYS: [&str; 6] = ["puzzle", "candidates", "candidates_are", "open", "board", "note"];

/// Returns true if a line begins a JSON object. `{5}` is no object but a list of candidates.
pub(super) fn begins_object(line: &str) -> bool {
    let Some(inside) = line.trim_start().strip_prefix('{').map(str::trim_start) else { return false };
    let after_word = inside.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    let has_key = inside.starts_with(char::is_alphabetic) && after_word.trim_start().starts_with(':');
    has_key || inside.is_empty() || inside.starts_with(['"', '}', '\''])
}

/// Reads an object of Pinion, sudoku.coach, SudokuPad or f-puzzles. Returns `None` for other objects.
pub(super) fn read_known_object(object: &NodeGroup<'_>) -> Option<Result<Content, FormatError>> {
    if object.get("givenDigits").is_some() {
        return Some(solver_sites::read_coach_json(&object.to_json()));
    }
    if has_objects(object, "cells") || object.get("ce").is_some() {
        return Some(sudokupad::read(&object.to_json()));
    }
    if has_objects(object, "grid") && !object.get("grid").is_some_and(cell_entry::has_candidate_lists) {
        return Some(sudokupad::read_fpuzzles(&object.to_json()));
    }
    let puzzle = object.get("puzzle").and_then(ValueNode::scalar).unwrap_or_default();
    let has_puzzle = boards::size_with_cells(cell_count(puzzle)).is_some();
    // Under `board`, other programs store a grid.
    let board_is_grid = object.get("board").is_some_and(|board| board.list().is_some());
    let mut texts = OWN_KEYS.iter().filter(|key| **key != "board").filter_map(|key| object.get(key));
    if !has_puzzle || board_is_grid || !texts.all(|value| value.scalar().is_some()) {
        return None;
    }
    let mut record = object.to_json();
    record.retain(|key, value| OWN_KEYS.contains(&key.as_str()) && (key != "note" || value.is_string()));
    record.insert("puzzle".into(), Json::String(puzzle.to_string()));
    let record = serde_json::from_value(record.into()).map_err(|error| broken(error.to_string()));
    Some(record.and_then(content_of))
}

/// Returns true if the value under a key is a list of rows whose cells are objects or lists.
fn has_objects(object: &NodeGroup<'_>, key: &str) -> bool {
    let row = object.get(key).and_then(|value| value.list()?.values().next());
    row.and_then(|row| row.list()?.values().next()).is_some_and(ValueNode::is_group)
}

/// Returns the number of cells in a text with one character for each cell and a `+` before placed digits.
fn cell_count(puzzle: &str) -> usize {
    puzzle.chars().filter(|&symbol| symbol != '+').count()
}

/// Returns true if no other value of a known object is a puzzle. Pinion's own output has a `status`; its further grids belong to steps.
pub(super) fn has_no_other_puzzle(object: &NodeGroup<'_>) -> bool {
    let has_cells = object.get("puzzle").is_some_and(|value| value.scalar().is_some());
    object.get("status").is_some() || !has_cells
}

fn content_of(record: JsonRecord) -> Result<Content, FormatError> {
    let count = cell_count(&record.puzzle);
    let size = boards::size_with_cells(count);
    let size = size.ok_or_else(|| broken(format!("its puzzle has {count} cells; no board has that many")))?;
    let mut content = Content::new(size)?;
    if let Some(board) = record.board {
        content.board = board.features(content.size)?;
    }
    let (mut index, mut is_placed) = (0, false);
    let cells = content.read_cells(&record.puzzle.replace('+', ""))?;
    for symbol in record.puzzle.chars() {
        if symbol == '+' {
            is_placed = true;
            continue;
        }
        let digits = if is_placed { &mut content.placed } else { &mut content.givens };
        digits[index] = cells[index];
        (index, is_placed) = (index + 1, false);
    }
    if let Some(candidates) = &record.candidates {
        content.lists = read_lists(candidates, "candidates", content.size)?.into_iter().map(Some).collect();
        content.lists_are_puzzle = record.candidates_are.as_deref() != Some("progress");
        if let Some(open) = &record.open {
            content.initial_candidates = Some(read_lists(open, "open", content.size)?);
        }
        if content.lists_are_puzzle && content.initial_candidates.is_some() {
            return Err(broken("it has both `open` and candidates that are the puzzle")
                .with_help("if candidates were deleted, write `\"candidates_are\": \"progress\"`"));
        }
    }
    content.note = record.note.unwrap_or_default();
    Ok(content)
}

/// Reads the candidates of each cell from n characters for each cell.
fn read_lists(text: &str, name: &str, size: usize) -> Result<Vec<DigitSet>, FormatError> {
    let symbols: Vec<char> = text.chars().collect();
    if symbols.len() != size.pow(3) {
        let (count, needed) = (symbols.len(), size.pow(3));
        return Err(broken(format!("its `{name}` has {count} characters; {needed} are needed")));
    }
    let all = DigitSet::all(size);
    let lists = symbols.chunks(size).map(|list| list.iter().filter_map(|&symbol| Digit::from_symbol(symbol)).collect());
    Ok(lists.map(|list: DigitSet| list & all).collect())
}

impl Board {
    fn features(self, size: usize) -> Result<Features, FormatError> {
        let spec = match self {
            Board::Spec(spec) => spec,
            Board::Name(name) => BoardSpec::named(&name).ok_or_else(|| {
                broken(format!("the board `{name}` is not known"))
                    .with_help("give it with `--board`, or write its description")
            })?,
        };
        if spec.size != size {
            return Err(broken(format!("its board has {} rows, and its puzzle {size}", spec.size)));
        }
        let board = Geometry::new(spec).map_err(|error| broken(format!("its board is invalid: {error}")))?;
        Ok(Features::of_board(&board))
    }
}

fn record_without_board(view: &PuzzleView<'_>) -> JsonRecord {
    let geometry = &view.puzzle.geometry;
    let candidates_are = if view.puzzle.lists_are_puzzle { "puzzle" } else { "progress" };
    JsonRecord {
        puzzle: view.marked_digits(),
        candidates: view.has_lists.then(|| candidate_line(geometry, &view.state)),
        candidates_are: view.has_lists.then(|| candidates_are.to_string()),
        open: view
            .puzzle
            .initial_candidates
            .as_ref()
            .map(|_| lists_line(geometry, |cell| view.state.initial_candidates(cell))),
        board: None,
        note: (!view.puzzle.note.is_empty()).then(|| view.puzzle.note.clone()),
    }
}

pub(super) fn write_json(view: &PuzzleView<'_>) -> Result<String, String> {
    let spec = view.puzzle.geometry.spec();
    let is_found_by_name = BoardSpec::named(&spec.name)
        .and_then(|named| Geometry::new(named).ok())
        .is_some_and(|board| board.spec() == spec);
    let board = if view.features.is_standard() {
        None
    } else if is_found_by_name {
        Some(Board::Name(spec.name.clone()))
    } else {
        Some(Board::Spec(spec.clone()))
    };
    serde_json::to_string(&JsonRecord { board, ..record_without_board(view) }).map_err(|error| error.to_string())
}

pub(super) const CSV_HEADER: &str = "puzzle,candidates,candidates_are,regions,note";

/// Value of the column `regions` for a board that has only rows and columns.
const NO_REGIONS: &str = "none";

pub(super) fn read_csv(line: &str) -> Result<Content, FormatError> {
    let fields = csv_fields(line);
    let [puzzle, candidates, candidates_are, regions, note] = fields.as_slice() else {
        return Err(broken(format!("the line has {} fields; the heading names 5", fields.len())));
    };
    let has_lists = !candidates.is_empty();
    let mut content = content_of(JsonRecord {
        puzzle: puzzle.clone(),
        candidates: has_lists.then(|| candidates.clone()),
        candidates_are: has_lists.then(|| candidates_are.clone()),
        open: None,
        board: None,
        note: Some(note.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(note).to_string()),
    })?;
    content.board.shape = match regions.as_str() {
        "" => RegionShape::Usual,
        NO_REGIONS => RegionShape::None,
        symbols if symbols.chars().count() == content.size * content.size => {
            boards::region_shape(content.size, boards::region_numbers(symbols.chars()))
        }
        symbols => return Err(broken(format!("its regions are given for {} cells", symbols.chars().count()))),
    };
    Ok(content)
}

/// Writes a text as a field, in quotes if necessary. An apostrophe protects a text that a spreadsheet would take for a formula.
pub fn csv_field(text: &str) -> String {
    let guard = if is_formula(text) { "'" } else { "" };
    if text.contains([',', ';', '"', '\n', '\r', '\t']) {
        format!("\"{guard}{}\"", text.replace('"', "\"\""))
    } else {
        format!("{guard}{text}")
    }
}

/// Returns true if a spreadsheet takes the text for a formula, perhaps after apostrophes and blanks.
fn is_formula(text: &str) -> bool {
    let text = text.trim_start_matches(['\'', ' ', '\u{a0}']);
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

/// Splits a line at commas. In quotes, a comma is part of the field, and two quotes are one.
fn csv_fields(line: &str) -> Vec<String> {
    let mut fields = Vec::new();
    let mut field = String::new();
    let mut is_quoted = false;
    let mut symbols = line.chars().peekable();
    while let Some(symbol) = symbols.next() {
        match symbol {
            '"' if is_quoted && symbols.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(std::mem::take(&mut field)),
            _ => field.push(symbol),
        }
    }
    fields.push(field);
    fields
}

pub(super) fn write_csv(view: &PuzzleView<'_>) -> Result<String, String> {
    let record = record_without_board(view);
    let candidates = record.candidates.unwrap_or_default();
    let candidates_are = record.candidates_are.unwrap_or_default();
    let regions = match &view.features.shape {
        RegionShape::Usual => String::new(),
        RegionShape::None => NO_REGIONS.to_string(),
        RegionShape::Regions(numbers) => boards::region_symbols(numbers),
    };
    let note = csv_field(&view.puzzle.note);
    Ok(format!("{},{candidates},{candidates_are},{regions},{note}", record.puzzle))
}
