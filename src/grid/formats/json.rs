//! Puzzles as JSON, one object a line or a whole document: Pinion's own, those of the pages that pack theirs into links, and
//! any object that holds a grid. In: text or an object. Out: [`Content`], and the way back.
//!
//! Pinion's own has `puzzle` (one character a cell, `+` before placed digits), `candidates` (d characters a cell)
//! with `candidates_are` puzzle or progress, `open` (d characters a cell: what the puzzle left possible, where
//! its clues do not say so and candidates were taken away since), `board` (a name, or a whole description) and `note`.

use super::content::{Content, Wrong};
use super::features::Features;
use super::hold::View;
use super::{coach, fpuzzles, sudokupad};
use crate::grid::draw::{candidate_line, lists_line};
use crate::grid::{BoardSpec, Digit, DigitSet, Geometry};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The record of Pinion's own form.
#[derive(Serialize, Deserialize)]
struct Record {
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

/// Whether a line begins an object: `{5}` is a list of candidates.
pub(super) fn begins(line: &str) -> bool {
    let inside = line.trim_start().strip_prefix('{').map(str::trim_start);
    inside.is_some_and(|inside| inside.is_empty() || inside.starts_with(['"', '}', '\'']))
}

/// Where the object that begins the text ends.
pub(super) fn end(text: &str) -> Option<usize> {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for (at, sign) in text.char_indices() {
        match sign {
            _ if escaped => escaped = false,
            '\\' if in_text => escaped = true,
            '"' => in_text = !in_text,
            '{' | '[' if !in_text => depth += 1,
            '}' | ']' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && !in_text && matches!(sign, '}' | ']') {
            return Some(at + 1);
        }
    }
    None
}

/// Reads an object.
pub(super) fn read(text: &str) -> Result<Content, Wrong> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| Wrong::broken(format!("it cannot be parsed: {error}")))?;
    let object = value.as_object().ok_or_else(|| Wrong::broken("it is not an object"))?;
    if object.get("givenDigits").is_some() {
        return coach::read_json(object);
    }
    if object.get("cells").or_else(|| object.get("ce")).is_some() {
        return sudokupad::read(object);
    }
    if let Some(Value::Array(rows)) = object.get("grid") {
        let first = rows.first().and_then(|row| row.as_array()?.first());
        if first.is_some_and(Value::is_object) {
            return fpuzzles::read(object);
        }
    }
    if object.get("puzzle").is_some_and(Value::is_string) {
        return own(value);
    }
    any_grid(object)
}

fn own(value: Value) -> Result<Content, Wrong> {
    let record: Record = serde_json::from_value(value).map_err(|error| Wrong::broken(error.to_string()))?;
    let count = record.puzzle.chars().filter(|&sign| sign != '+').count();
    let size = (4..=25).find(|size| size * size == count);
    let mut content = Content::new(
        size.ok_or_else(|| Wrong::broken(format!("its puzzle has {count} cells; no board has that many")))?,
    )?;
    if let Some(board) = record.board {
        content.board = board.features(content.size)?;
    }
    let (mut index, mut placed) = (0, false);
    let cells = content.characters(&record.puzzle.replace('+', ""))?;
    for sign in record.puzzle.chars() {
        if sign == '+' {
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
        content.open = record.open.map(|open| lists(&open, "open", content.size)).transpose()?;
        if content.lists_only && content.open.is_some() {
            return Err(Wrong::broken("it has both `open` and candidates that are the puzzle")
                .help("if candidates were deleted, write `\"candidates_are\": \"progress\"`"));
        }
    }
    content.note = record.note.unwrap_or_default();
    Ok(content)
}

/// The digits of each cell, of d characters for each.
fn lists(text: &str, name: &str, size: usize) -> Result<Vec<DigitSet>, Wrong> {
    let marks: Vec<char> = text.chars().collect();
    if marks.len() != size.pow(3) {
        let (count, wanted) = (marks.len(), size.pow(3));
        return Err(Wrong::broken(format!("its `{name}` has {count} characters; {wanted} are needed")));
    }
    let digit = |mark: &char| Digit::from_symbol(*mark).filter(|digit| digit.index() < size);
    Ok(marks.chunks(size).map(|list| list.iter().filter_map(digit).collect()).collect())
}

impl Board {
    fn features(self, size: usize) -> Result<Features, Wrong> {
        let spec = match self {
            Board::Spec(spec) => spec,
            Board::Name(name) => BoardSpec::named(&name).ok_or_else(|| {
                Wrong::broken(format!("the board `{name}` is not known"))
                    .help("give it with `--board`, or write its description")
            })?,
        };
        if spec.size != size {
            return Err(Wrong::broken(format!("its board has {} rows, and its puzzle {size}", spec.size)));
        }
        let board = Geometry::new(spec).map_err(|error| Wrong::broken(format!("its board is invalid: {error}")))?;
        Ok(Features::of(&board))
    }
}

/// The names that grids have in other programs, those of puzzles first.
const NAMES: [&str; 12] =
    ["puzzle", "grid", "board", "quiz", "question", "problem", "givens", "clues", "initial", "start", "sudoku", "rows"];

/// The first grid in an object that is no solution: rows of numbers, or one text.
fn any_grid(object: &Map<String, Value>) -> Result<Content, Wrong> {
    let solved =
        |name: &str| ["solution", "solved", "answer"].iter().any(|word| name.to_ascii_lowercase().contains(word));
    let known = NAMES.iter().filter_map(|name| object.get(*name));
    let others = object.iter().filter(|(name, _)| !solved(name)).map(|(_, value)| value);
    for value in known.chain(others) {
        match value {
            Value::Array(rows) if rows.len() >= 4 => return super::matrix::read(&value.to_string()),
            Value::String(text) => {
                let count = text.chars().count();
                let Some(size) = (4..=25).find(|size| size * size == count) else { continue };
                let mut content = Content::new(size)?;
                if let Ok(givens) = content.characters(text) {
                    content.givens = givens;
                    return Ok(content);
                }
            }
            _ => {}
        }
    }
    Err(Wrong::broken("it holds no grid: no list of rows, and no text with one character for each cell"))
}

/// The object on one line.
pub(super) fn write(view: &View<'_>) -> Result<String, String> {
    let listed = view.has_lists();
    let are = if view.puzzle.lists_only { "puzzle" } else { "progress" };
    let spec = view.puzzle.geometry.spec();
    let known = BoardSpec::named(&spec.name)
        .and_then(|known| Geometry::new(known).ok())
        .is_some_and(|board| board.spec() == spec);
    let board = if known { Board::Name(spec.name.clone()) } else { Board::Spec(spec.clone()) };
    let record = Record {
        puzzle: view.marked_digits(),
        candidates: listed.then(|| candidate_line(&view.puzzle.geometry, &view.state)),
        candidates_are: listed.then(|| are.to_string()),
        open: view.puzzle.open.as_ref().map(|_| lists_line(&view.puzzle.geometry, |cell| view.state.open(cell))),
        board: (!view.features.is_plain()).then_some(board),
        note: Some(view.puzzle.note.clone()).filter(|note| !note.is_empty()),
    };
    serde_json::to_string(&record).map_err(|error| error.to_string())
}
