//! Pinion's own records: JSON objects and comma separated values. In: an object or a line. Out: [`Content`], and the way back.
//!
//! A JSON object has `puzzle` (one character a cell, `+` before placed digits), `candidates` (d characters a cell) with
//! `candidates_are` puzzle or progress, `open` (d characters a cell: digits that the puzzle left possible, if its clues don't show
//! it and candidates were eliminated since), `board` (a name, or a whole description) and `note`. JSON of programs whose form has a
//! reader goes to it from here; other documents are read by `documents`.
//!
//! Comma separated values have a heading that names five columns. Files with other columns are read line by line: the puzzle is the
//! first field that is one.

use super::boards::{self, Features, RegionShape};
use super::error::{FormatError, broken};
use super::puzzle::Content;
use super::table::PuzzleView;
use super::values::{NodeGroup, ValueNode};
use super::{arrays, programs, sudokupad};
use crate::grid::draw::{candidate_line, lists_line};
use crate::grid::{BoardSpec, Digit, DigitSet, Geometry};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// The record of Pinion's own form.
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

/// A board by its name, or described.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Board {
    Name(String),
    Spec(BoardSpec),
}

/// The keys of the record.
pub(super) const OWN_KEYS: [&str; 6] = ["puzzle", "candidates", "candidates_are", "open", "board", "note"];

/// Returns true if a line begins an object: `{5}` is a list of candidates.
pub(super) fn begins_object(line: &str) -> bool {
    let Some(inside) = line.trim_start().strip_prefix('{').map(str::trim_start) else { return false };
    let word = inside.len() - inside.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len();
    let named = inside.starts_with(char::is_alphabetic) && inside[word..].trim_start().starts_with(':');
    named || inside.is_empty() || inside.starts_with(['"', '}', '\''])
}

/// Reads an object of a form that has a reader of its own.
pub(super) fn known(object: &NodeGroup<'_>) -> Option<Result<Content, FormatError>> {
    if object.get("givenDigits").is_some() {
        return Some(programs::read_coach_json(&object.to_json()));
    }
    if has_objects(object, "cells") || object.get("ce").is_some() {
        return Some(sudokupad::read(&object.to_json()));
    }
    if has_objects(object, "grid") && !object.get("grid").is_some_and(arrays::has_candidate_lists) {
        return Some(sudokupad::read_fpuzzles(&object.to_json()));
    }
    let has_board = object.get("board").is_none_or(|board| board.list().is_none());
    let puzzle = object.get("puzzle").and_then(ValueNode::scalar).unwrap_or_default();
    let is_own = boards::size_with_cells(cells_in(puzzle)).is_some() && has_board;
    let mut texts = OWN_KEYS.iter().filter(|key| **key != "board").filter_map(|key| object.get(key));
    (is_own && texts.all(|value| value.scalar().is_some())).then(|| {
        let mut record = object.to_json();
        record.retain(|key, value| OWN_KEYS.contains(&key.as_str()) && (key != "note" || value.is_string()));
        record.insert("puzzle".into(), Json::String(puzzle.to_string()));
        own(serde_json::from_value(record.into()).map_err(|error| broken(error.to_string()))?)
    })
}

/// Returns true if a key has rows of objects, or of lists.
fn has_objects(object: &NodeGroup<'_>, key: &str) -> bool {
    let row = object.get(key).and_then(|value| value.list()?.values().next());
    row.and_then(|row| row.list()?.values().next()).is_some_and(ValueNode::is_group)
}

/// Returns the number of cells in a text of digits, some of them with a `+` before.
fn cells_in(puzzle: &str) -> usize {
    puzzle.chars().filter(|&symbol| symbol != '+').count()
}

/// Returns true if nothing else in an object of a known form is a puzzle: what Pinion prints as JSON has states in it.
pub(super) fn is_whole(object: &NodeGroup<'_>) -> bool {
    let cells = object.get("puzzle");
    object.get("status").is_some() || cells.is_none_or(|cells| cells.scalar().is_none())
}

fn own(record: JsonRecord) -> Result<Content, FormatError> {
    let count = cells_in(&record.puzzle);
    let size = boards::size_with_cells(count);
    let size = size.ok_or_else(|| broken(format!("its puzzle has {count} cells; no board has that many")))?;
    let mut content = Content::new(size)?;
    if let Some(board) = record.board {
        content.board = board.features(content.size)?;
    }
    let (mut index, mut placed) = (0, false);
    let cells = content.read_cells(&record.puzzle.replace('+', ""))?;
    for symbol in record.puzzle.chars() {
        if symbol == '+' {
            placed = true;
            continue;
        }
        let list = if placed { &mut content.placed } else { &mut content.givens };
        list[index] = cells[index];
        (index, placed) = (index + 1, false);
    }
    if let Some(candidates) = &record.candidates {
        content.lists = lists(candidates, "candidates", content.size)?.into_iter().map(Some).collect();
        content.lists_only = record.candidates_are.as_deref() != Some("progress");
        content.initial_candidates = record.open.map(|open| lists(&open, "open", content.size)).transpose()?;
        if content.lists_only && content.initial_candidates.is_some() {
            return Err(broken("it has both `open` and candidates that are the puzzle")
                .with_help("if candidates were deleted, write `\"candidates_are\": \"progress\"`"));
        }
    }
    content.note = record.note.unwrap_or_default();
    Ok(content)
}

/// Returns the digits of each cell, of d characters for each.
fn lists(text: &str, name: &str, size: usize) -> Result<Vec<DigitSet>, FormatError> {
    let marks: Vec<char> = text.chars().collect();
    if marks.len() != size.pow(3) {
        let (count, wanted) = (marks.len(), size.pow(3));
        return Err(broken(format!("its `{name}` has {count} characters; {wanted} are needed")));
    }
    let all = DigitSet::all(size);
    let lists = marks.chunks(size).map(|list| list.iter().filter_map(|&mark| Digit::from_symbol(mark)).collect());
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

/// Returns the record of a puzzle, without its board.
fn record(view: &PuzzleView<'_>) -> JsonRecord {
    let geometry = &view.puzzle.geometry;
    let are = if view.puzzle.lists_only { "puzzle" } else { "progress" };
    JsonRecord {
        puzzle: view.marked_digits(),
        candidates: view.has_lists().then(|| candidate_line(geometry, &view.state)),
        candidates_are: view.has_lists().then(|| are.to_string()),
        open: view
            .puzzle
            .initial_candidates
            .as_ref()
            .map(|_| lists_line(geometry, |cell| view.state.initial_candidates(cell))),
        board: None,
        note: Some(view.puzzle.note.clone()).filter(|note| !note.is_empty()),
    }
}

/// Writes the object on one line.
pub(super) fn write_json(view: &PuzzleView<'_>) -> Result<String, String> {
    let spec = view.puzzle.geometry.spec();
    let known = BoardSpec::named(&spec.name)
        .and_then(|known| Geometry::new(known).ok())
        .is_some_and(|board| board.spec() == spec);
    let board = if known { Board::Name(spec.name.clone()) } else { Board::Spec(spec.clone()) };
    let board = (!view.features.is_standard()).then_some(board);
    serde_json::to_string(&JsonRecord { board, ..record(view) }).map_err(|error| error.to_string())
}

/// The heading.
pub(super) const CSV_HEADER: &str = "puzzle,candidates,candidates_are,regions,note";

/// Field for a board of rows and columns only.
const NO_REGIONS: &str = "none";

/// Reads a line below the heading.
pub(super) fn read_csv(line: &str) -> Result<Content, FormatError> {
    let fields = csv_fields(line);
    let [puzzle, candidates, are, regions, note] = fields.as_slice() else {
        return Err(broken(format!("the line has {} fields; the heading names 5", fields.len())));
    };
    let has_lists = !candidates.is_empty();
    let mut content = own(JsonRecord {
        puzzle: puzzle.clone(),
        candidates: has_lists.then(|| candidates.clone()),
        candidates_are: has_lists.then(|| are.clone()),
        open: None,
        board: None,
        note: Some(stripped(note).to_string()),
    })?;
    content.board.shape = match regions.as_str() {
        "" => RegionShape::Usual,
        NO_REGIONS => RegionShape::None,
        symbols if symbols.chars().count() == content.size * content.size => {
            boards::region_shape(content.size, boards::region_numbers_of_symbols(symbols))
        }
        symbols => return Err(broken(format!("its regions are given for {} cells", symbols.chars().count()))),
    };
    Ok(content)
}

/// Writes a text of others as a field, in quotes if it needs them. An apostrophe stands before what a spreadsheet would take for a
/// formula.
pub fn csv_field(text: &str) -> String {
    let guard = if is_formula(text) { "'" } else { "" };
    match text.contains([',', ';', '"', '\n', '\r', '\t']) {
        true => format!("\"{guard}{}\"", text.replace('"', "\"\"")),
        false => format!("{guard}{text}"),
    }
}

/// Returns the text of a field without the apostrophe of [`csv_field`].
fn stripped(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(text)
}

/// Returns true if a spreadsheet takes a text for a formula, perhaps behind apostrophes and blanks.
fn is_formula(text: &str) -> bool {
    let text = text.trim_start_matches(['\'', ' ', '\u{a0}']);
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

/// Fields between commas; in quotes a comma is one, and two quotes are one.
pub(super) fn csv_fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    let mut symbols = line.chars().peekable();
    while let Some(symbol) = symbols.next() {
        let last = fields.last_mut().filter(|_| symbol != ',' || quoted);
        match (symbol, last) {
            ('"', Some(field)) if quoted && symbols.next_if_eq(&'"').is_some() => field.push('"'),
            ('"', _) => quoted = !quoted,
            (_, Some(field)) => field.push(symbol),
            (_, None) => fields.push(String::new()),
        }
    }
    fields
}

/// Writes a line below the heading.
pub(super) fn write_csv(view: &PuzzleView<'_>) -> Result<String, String> {
    let record = record(view);
    let (candidates, are) = (record.candidates.unwrap_or_default(), record.candidates_are.unwrap_or_default());
    let regions = match &view.features.shape {
        RegionShape::Usual => String::new(),
        RegionShape::None => NO_REGIONS.to_string(),
        RegionShape::Regions(numbers) => boards::region_symbols(numbers),
    };
    let note = csv_field(&view.puzzle.note);
    Ok(format!("{},{candidates},{are},{regions},{note}", record.puzzle))
}
