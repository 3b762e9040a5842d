//! Reads puzzles of SudokuPad and f-puzzles, as JSON or compressed in a link, and writes them in the form of f-puzzles. In: the text
//! after the host, or JSON. Out: [`Content`].
//!
//! SudokuPad has three forms: "zipped" (abbreviated and compressed) JSON of its own (`scl`, `ctc`, `scf`), a puzzle of f-puzzles
//! (`fpuz`), and a short code for the digits alone (`classic`). Only the text of the rules says what lines, cages and pictures mean,
//! so a puzzle with any of them is refused. Corner marks, colours, solutions and settings are ignored.

use super::boards::{self, Feature, RegionShape, cell_name, cell_named, sorted};
use super::error::{FormatError, broken, constraint};
use super::link;
use super::puzzle::{Content, Puzzle};
use super::table::PuzzleView;
use crate::grid::{Cell, DigitSet, Geometry};
use serde_json::{Map, Value, json};

/// Keys of the JSON, and their zipped forms, that are read or don't matter for solving.
#[rustfmt::skip]
const KNOWN_KEYS: [&str; 22] = [
    "id", "cells", "ce", "regions", "re", "cellSize", "cs", "cages", "ca", "metadata", "settings", "title", "t",
    "author", "rules", "solution", "source", "videos", "vd", "sudokuPad", "duration", "d",
];

/// Reads the part of a link after the host.
pub(super) fn read_path(path: &str) -> Result<Content, FormatError> {
    let path = path.trim_start_matches("sudoku/").trim_start_matches("?puzzleid=");
    let path = path.split(['?', '&', '#']).next().unwrap_or_default();
    if let Some(text) = ["fpuzzles", "fpuz"].iter().find_map(|prefix| path.strip_prefix(prefix)) {
        return read_packed_fpuzzles(text);
    }
    if let Some(text) = ["scl", "ctc", "scf"].iter().find_map(|prefix| path.strip_prefix(prefix)) {
        let text = link::from_lz(text)?;
        return read(&link::parse_object(&text).or_else(|_| link::parse_object(&unzip(&text)))?);
    }
    if let Some(text) = path.strip_prefix("classic") {
        return read_classic(text);
    }
    Err(broken("it has only SudokuPad's number of the puzzle, which lies on the server")
        .with_help("open it and copy a link that holds the puzzle: it goes on with scl, ctc or fpuzzles"))
}

/// Reads the short code. The value of a character is a digit (0 for an empty cell) plus ten times the number of empty cells after the digit.
fn read_classic(text: &str) -> Result<Content, FormatError> {
    const SIGNS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx";
    let mut cells = String::new();
    for symbol in text.chars() {
        let at = SIGNS.find(symbol).ok_or_else(|| broken(format!("`{symbol}` is not a sign of its short form")))?;
        cells.push_str(&(at % 10).to_string());
        cells.push_str(&"0".repeat(at / 10));
        // The largest board has 625 cells.
        if cells.len() > 625 {
            break;
        }
    }
    let size = boards::size_with_cells(cells.len()).filter(|size| *size <= 9);
    let size = size.ok_or_else(|| broken(format!("it has {} cells; no board has that many", cells.len())))?;
    let mut content = Content::new(size)?;
    content.givens = content.read_cells(&cells)?;
    Ok(content)
}

type Object = Map<String, Value>;

/// Returns the value under a full or a zipped key.
fn value_of_key<'v>(object: &'v Object, long: &str, short: &str) -> Option<&'v Value> {
    object.get(long).or_else(|| object.get(short))
}

/// Returns the cells of an array of `size` rows of `size` cells.
fn cells_of_rows(rows: &[Value], size: usize) -> Option<Vec<&Value>> {
    let full_rows = rows.iter().filter_map(Value::as_array).filter(|row| row.len() == size);
    let cells: Vec<&Value> = full_rows.flatten().collect();
    (rows.len() == size && cells.len() == size * size).then_some(cells)
}

/// Reads the JSON of SudokuPad, zipped or not.
pub(super) fn read(object: &Object) -> Result<Content, FormatError> {
    let rows =
        value_of_key(object, "cells", "ce").and_then(Value::as_array).ok_or_else(|| broken("it has no `cells`"))?;
    let size = rows.len();
    let mut content = Content::new(size)?;
    let cells = cells_of_rows(rows, size);
    let cells = cells.ok_or_else(|| broken(format!("its `cells` are not {size} rows of {size}")))?;
    if let Some((key, _)) = object.iter().find(|(key, value)| is_set(value) && !KNOWN_KEYS.contains(&key.as_str())) {
        let full_keys = [("l", "lines"), ("a", "arrows"), ("o", "overlays"), ("u", "underlays")];
        return Err(constraint(full_keys.iter().find(|(zipped, _)| zipped == key).map_or(key, |(_, full)| full)));
    }
    for (index, cell) in cells.iter().enumerate() {
        if let Some(number) = read_number(cell.get("value").or_else(|| cell.get("v"))).filter(|&number| number != 0) {
            content.put(index, number, cell.get("given").and_then(Value::as_bool) != Some(false))?;
        }
        content.lists[index] = read_marks(&content, cell.get("centremarks"))?;
    }
    let regions = value_of_key(object, "regions", "re").and_then(Value::as_array);
    let mut numbers = vec![None; size * size];
    for (number, region) in regions.ok_or_else(|| broken("it names no regions"))?.iter().enumerate() {
        for cell in cells_of(region, size)? {
            numbers[cell.index()] = Some(number);
        }
    }
    content.board.shape = boards::region_shape(size, require_region_of_each_cell(numbers)?);
    read_cages(value_of_key(object, "cages", "ca"), &mut content)?;
    let empty = Object::new();
    let metadata = object.get("metadata").and_then(Value::as_object).unwrap_or(&empty);
    let title = value_of_key(object, "title", "t").or_else(|| value_of_key(metadata, "title", "t"));
    let words = [title, metadata.get("author"), metadata.get("rules")];
    content.note = words.iter().flatten().filter_map(|value| value.as_str()).collect::<Vec<_>>().join(" ");
    Ok(content)
}

fn require_region_of_each_cell<T>(regions: Vec<Option<T>>) -> Result<Vec<T>, FormatError> {
    regions.into_iter().collect::<Option<_>>().ok_or_else(|| broken("some of its cells are in no region"))
}

/// Adds cages as houses. A cage is a house if it has no sum, its digits must differ, and it has a cell for each digit. Cages without
/// cells are headings, and rows or columns are houses anyway. Other cages are refused.
fn read_cages(cages: Option<&Value>, content: &mut Content) -> Result<(), FormatError> {
    let size = content.size;
    let rows_and_columns = Geometry::latin(size);
    for cage in cages.and_then(Value::as_array).into_iter().flatten() {
        let Some(cage) = cage.as_object() else { continue };
        let cells = match value_of_key(cage, "cells", "ce") {
            Some(cells) => sorted(&cells_of(cells, size)?),
            None => Vec::new(),
        };
        let digits_differ = cage.get("unique").and_then(Value::as_bool).unwrap_or(true);
        if value_of_key(cage, "value", "v").is_some_and(is_set) && !cells.is_empty() {
            return Err(constraint("cage with a sum"));
        }
        if cells.is_empty() || !digits_differ || rows_and_columns.houses().iter().any(|house| house.cells == cells) {
            continue;
        }
        if cells.len() != size {
            return Err(constraint(&format!("cage of {} cells", cells.len())));
        }
        let name = format!("cage {}", content.board.other_houses.len() + 1);
        content.board.other_houses.push((name, cells));
    }
    Ok(())
}

/// Reads a list of cells: pairs of row and column from zero, or names of cells.
fn cells_of(value: &Value, size: usize) -> Result<Vec<Cell>, FormatError> {
    let cells = value.as_array().into_iter().flatten().map(|cell| match cell.as_array() {
        Some(pair) => {
            let (row, column) = (pair.first()?.as_u64()? as usize, pair.get(1)?.as_u64()? as usize);
            (row < size && column < size).then(|| Cell((row * size + column) as u16))
        }
        None => cell_named(cell.as_str()?, size),
    });
    cells.collect::<Option<_>>().ok_or_else(|| broken("it names a cell that does not exist"))
}

/// Converts zipped JSON to JSON. The zipped form omits quotes around keys, and has `'` for `"`, `t` and `f` for true and false, and
/// nothing for `{}`.
fn unzip(text: &str) -> String {
    let quote = if text.contains('"') { '"' } else { '\'' };
    let mut json = String::with_capacity(text.len() * 2);
    let mut previous = ' ';
    let mut symbols = text.chars().peekable();
    while let Some(symbol) = symbols.next() {
        if symbol == quote {
            json.push('"');
            while let Some(inside) = symbols.next() {
                if inside == quote {
                    break;
                }
                match (inside, symbols.peek()) {
                    // JSON has no escaped apostrophe.
                    ('\\', Some('\'')) => json.extend(symbols.next()),
                    ('\\', Some(_)) => {
                        json.push('\\');
                        json.extend(symbols.next());
                    }
                    _ => json.push(inside),
                }
            }
            json.push('"');
        } else if is_in_word(symbol) {
            let mut word = String::from(symbol);
            while let Some(next) = symbols.next_if(|&symbol| is_in_word(symbol)) {
                word.push(next);
            }
            json.push_str(&unzip_word(&word, symbols.peek() == Some(&':')));
        } else {
            if matches!((previous, symbol), ('[' | ',', ',' | ']') | ('{', ',')) {
                json.push_str("{}");
            }
            json.push(symbol);
        }
        previous = if symbol.is_whitespace() { previous } else { symbol };
    }
    json
}

/// Returns true for characters of zipped keys, numbers and colours.
fn is_in_word(symbol: char) -> bool {
    symbol.is_ascii_alphanumeric() || matches!(symbol, '#' | '-' | '+' | '.')
}

fn unzip_word(word: &str, is_key: bool) -> String {
    match word {
        _ if is_key => format!("\"{word}\""),
        "t" => "true".into(),
        "f" => "false".into(),
        "true" | "false" | "null" => word.into(),
        _ if serde_json::from_str::<serde_json::Number>(word).is_ok() => word.into(),
        _ => format!("\"{word}\""),
    }
}

pub(super) fn write(view: &PuzzleView<'_>) -> Result<String, String> {
    // SudokuPad does not distinguish placed digits from clues.
    let givens = view.cells().map(|cell| view.puzzle.digit(cell)).collect();
    let puzzle = Puzzle { givens, ..view.puzzle.clone() };
    pack_fpuzzles(&PuzzleView::new(&puzzle)).map(|text| format!("https://sudokupad.app/fpuzzles{text}"))
}

/// Keys of f-puzzles that switch on a feature of the board.
const FPUZZLES_FLAGS: [(&str, Feature); 5] = [
    ("diagonal+", Feature::Rising),
    ("diagonal-", Feature::Falling),
    ("antiknight", Feature::Knight),
    ("antiking", Feature::King),
    ("disjointgroups", Feature::Disjoint),
];

/// Keys of f-puzzles that are read elsewhere or do not matter for solving. Every other key is a constraint that is not supported.
#[rustfmt::skip]
const OTHER_FPUZZLES_KEYS: [&str; 16] = [
    "size", "grid", "title", "author", "ruleset", "rules", "solution", "highlightConflicts", "disabledlogic",
    "truecandidatesoptions", "successMessage", "msgcorrect", "customRuleConversion", "metadata", "extraregion", "id",
];

/// Reads the text after `?load=` in a link to f-puzzles.
pub(super) fn read_packed_fpuzzles(text: &str) -> Result<Content, FormatError> {
    read_fpuzzles(&link::parse_object(&link::from_lz(text)?)?)
}

pub(super) fn read_fpuzzles(object: &Object) -> Result<Content, FormatError> {
    let rows = object.get("grid").and_then(Value::as_array).ok_or_else(|| broken("it has no `grid`"))?;
    let size = object.get("size").and_then(Value::as_u64).map_or(rows.len(), |size| size as usize);
    let mut content = Content::new(size)?;
    let cells = cells_of_rows(rows, size);
    let cells = cells.ok_or_else(|| broken(format!("its `grid` has not {size} rows of {size} cells")))?;
    for (index, cell) in cells.iter().enumerate() {
        if let Some(number) = read_number(cell.get("value")).filter(|&number| number != 0) {
            content.put(index, number, cell.get("given").and_then(Value::as_bool) == Some(true))?;
        }
        let center_marks = read_marks(&content, cell.get("centerPencilMarks"))?;
        let given_marks = read_marks(&content, cell.get("givenPencilMarks"))?;
        content.lists_are_puzzle |= given_marks.is_some();
        content.lists[index] = match (center_marks, given_marks) {
            (Some(center_marks), Some(given_marks)) => Some(center_marks & given_marks),
            (center_marks, given_marks) => center_marks.or(given_marks),
        };
    }
    content.board.shape = fpuzzles_regions(size, &cells)?;
    content.note = ["title", "author"].map(|key| object.get(key).and_then(Value::as_str).unwrap_or_default()).join(" ");
    read_fpuzzles_constraints(object, &mut content)?;
    Ok(content)
}

/// Reads the regions. A cell without the key `region` is in its usual box; a cell with `null` is in no region.
fn fpuzzles_regions(size: usize, cells: &[&Value]) -> Result<RegionShape, FormatError> {
    let usual = boards::usual_box_numbers(size);
    let regions = cells.iter().enumerate().map(|(index, cell)| match cell.get("region") {
        None => usual.as_ref().map(|boxes| boxes[index] as u64),
        region => read_number(region),
    });
    let regions: Vec<Option<u64>> = regions.collect();
    if regions.iter().all(Option::is_none) {
        return Ok(RegionShape::None);
    }
    let regions = require_region_of_each_cell(regions)?;
    Ok(boards::region_shape(size, boards::region_numbers(regions.into_iter())))
}

/// Adds the features of the board that f-puzzles has keys for. Refuses other constraints.
fn read_fpuzzles_constraints(object: &Object, content: &mut Content) -> Result<(), FormatError> {
    for (key, _) in object.iter().filter(|(_, value)| is_set(value)) {
        match FPUZZLES_FLAGS.iter().find(|(flag, _)| flag == key) {
            Some((_, feature)) => _ = content.board.named.insert(*feature),
            None if OTHER_FPUZZLES_KEYS.contains(&key.as_str()) => {}
            None => return Err(constraint(key)),
        }
    }
    let extra = object.get("extraregion").and_then(Value::as_array);
    for (number, region) in (1..).zip(extra.into_iter().flatten()) {
        let names = region.get("cells").and_then(Value::as_array).into_iter().flatten();
        let cells: Option<Vec<Cell>> = names.map(|name| cell_named(name.as_str()?, content.size)).collect();
        let cells = cells.ok_or_else(|| broken("an `extraregion` names a cell that does not exist"))?;
        if cells.len() != content.size {
            return Err(constraint(&format!("extraregion of {} cells", cells.len())));
        }
        content.board.other_houses.push((format!("extra region {number}"), sorted(&cells)));
    }
    Ok(())
}

/// Returns true unless a value is null, false or empty.
pub(super) fn is_set(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(on) => *on,
        Value::Number(_) => true,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(object) => !object.is_empty(),
    }
}

/// Returns a number that is written as a number or as a text.
pub(super) fn read_number(value: Option<&Value>) -> Option<u64> {
    let value = value?;
    value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// Reads a list of candidates. Returns `None` if there is no list or an empty one.
fn read_marks(content: &Content, value: Option<&Value>) -> Result<Option<DigitSet>, FormatError> {
    let Some(list) = value.and_then(Value::as_array).filter(|list| !list.is_empty()) else { return Ok(None) };
    let digits = list.iter().map(|value| {
        let digit = read_number(Some(value)).ok_or_else(|| broken(format!("the candidate {value} is not a number")));
        content.digit(digit?)
    });
    digits.collect::<Result<_, _>>().map(Some)
}

pub(super) fn write_fpuzzles(view: &PuzzleView<'_>) -> Result<String, String> {
    pack_fpuzzles(view).map(|text| format!("https://f-puzzles.com/?load={text}"))
}

/// Returns the text after `?load=`.
fn pack_fpuzzles(view: &PuzzleView<'_>) -> Result<String, String> {
    view.refuse_empty_lists()?;
    let text = link::to_lz(&fpuzzles_json(view).to_string());
    match text.len() {
        0..=link::LONGEST_LINK => Ok(text),
        count => Err(format!("the link would have {count} characters; at most {} are read", link::LONGEST_LINK)),
    }
}

fn fpuzzles_json(view: &PuzzleView<'_>) -> Value {
    let size = view.size();
    let usual = boards::usual_box_numbers(size);
    let candidates_key = if view.puzzle.lists_are_puzzle { "givenPencilMarks" } else { "centerPencilMarks" };
    let cells = view.cells().map(|cell| {
        let (index, mut record) = (cell.index(), json!({}));
        if let Some(digit) = view.puzzle.digit(cell) {
            record["value"] = json!(digit.0 + 1);
            if view.is_given(cell) {
                record["given"] = json!(true);
            }
        } else if let Some(list) = view.list(cell) {
            record[candidates_key] = list.iter().map(|digit| json!(digit.0 + 1)).collect();
        }
        match &view.features.shape {
            RegionShape::Usual => {}
            RegionShape::None => record["region"] = Value::Null,
            RegionShape::Regions(numbers) if usual.as_ref().is_some_and(|boxes| boxes[index] == numbers[index]) => {}
            RegionShape::Regions(numbers) => record["region"] = json!(numbers[index]),
        }
        record
    });
    let cells: Vec<Value> = cells.collect();
    let mut puzzle = json!({ "size": size });
    if !view.puzzle.note.is_empty() {
        puzzle["title"] = json!(view.puzzle.note);
    }
    puzzle["grid"] = cells.chunks(size).map(|row| json!(row)).collect();
    for key in view.features.names(&FPUZZLES_FLAGS) {
        puzzle[key] = json!(true);
    }
    let extra = view.features.houses_without_fpuzzles_key(size).into_iter().map(|(_, cells)| {
        let names: Vec<String> = cells.into_iter().map(|cell| cell_name(cell, size)).collect();
        json!({ "cells": names })
    });
    let extra: Vec<Value> = extra.collect();
    if !extra.is_empty() {
        puzzle["extraregion"] = json!(extra);
    }
    puzzle
}
