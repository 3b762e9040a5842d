//! SudokuPad: JSON that is zipped and packed in a link, an f-puzzles puzzle in a link, or a short code for the digits alone.
//! In: what stands in the link. Out: [`Content`]. What is written is the f-puzzles form.
//!
//! Its lines, cages and pictures mean what its rules say in words, so a puzzle that has any is refused. Corner marks and
//! settings are no part of a puzzle.

use super::content::{Content, Wrong};
use super::features::{self, sorted};
use super::fpuzzles::{self, is_set, marks, number};
use super::hold::View;
use super::packed;
use crate::grid::{Cell, Geometry};
use serde_json::{Map, Value};

/// Keys of the JSON that are read or say nothing about the puzzle, with their zipped names.
const KNOWN_KEYS: [&str; 22] = [
    "id",
    "cells",
    "ce",
    "regions",
    "re",
    "cellSize",
    "cs",
    "cages",
    "ca",
    "metadata",
    "settings",
    "title",
    "t",
    "author",
    "rules",
    "solution",
    "source",
    "videos",
    "vd",
    "sudokuPad",
    "duration",
    "d",
];

/// Reads what stands after the host.
pub(super) fn read_path(path: &str) -> Result<Content, Wrong> {
    let path = path.trim_start_matches("sudoku/").trim_start_matches("?puzzleid=");
    let path = path.split(['?', '&', '#']).next().unwrap_or_default();
    if let Some(text) = ["fpuzzles", "fpuz"].iter().find_map(|prefix| path.strip_prefix(prefix)) {
        return fpuzzles::read_packed(text);
    }
    if let Some(text) = ["scl", "ctc", "scf"].iter().find_map(|prefix| path.strip_prefix(prefix)) {
        return read_zipped(&packed::from_lz(text)?);
    }
    if let Some(text) = path.strip_prefix("classic") {
        return read_classic(text);
    }
    Err(Wrong::broken("it has only SudokuPad's number of the puzzle, which lies on the server")
        .help("open it and copy a link that holds the puzzle: it goes on with scl, ctc or fpuzzles"))
}

/// Digits, each with the number of empty cells that follow.
fn read_classic(text: &str) -> Result<Content, Wrong> {
    const SIGNS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx";
    let mut cells = String::new();
    for sign in text.chars() {
        let at = SIGNS.find(sign).ok_or_else(|| Wrong::broken(format!("`{sign}` is not a sign of its short form")))?;
        cells.push_str(&(at % 10).to_string());
        cells.push_str(&"0".repeat(at / 10));
        if cells.len() > 625 {
            break;
        }
    }
    let size = (4..=9).find(|size| size * size == cells.len());
    let size = size.ok_or_else(|| Wrong::broken(format!("it has {} cells; no board has that many", cells.len())))?;
    let mut content = Content::new(size)?;
    content.givens = content.characters(&cells)?;
    Ok(content)
}

fn read_zipped(text: &str) -> Result<Content, Wrong> {
    read(&packed::object(text).or_else(|_| packed::object(&unzipped(text)))?)
}

/// A value under its full or its zipped name.
fn get<'v>(object: &'v Value, long: &str, short: &str) -> Option<&'v Value> {
    object.get(long).or_else(|| object.get(short))
}

/// Reads the JSON.
pub(super) fn read(object: &Map<String, Value>) -> Result<Content, Wrong> {
    let at = |long: &str, short: &str| object.get(long).or_else(|| object.get(short));
    let rows = at("cells", "ce").and_then(Value::as_array).ok_or_else(|| Wrong::broken("it has no `cells`"))?;
    let size = rows.len();
    let mut content = Content::new(size)?;
    let cells: Vec<&Value> =
        rows.iter().filter_map(Value::as_array).filter(|row| row.len() == size).flatten().collect();
    if cells.len() != size * size {
        return Err(Wrong::broken(format!("its `cells` are not {size} rows of {size}")));
    }
    if let Some((key, _)) = object.iter().find(|(key, value)| is_set(value) && !KNOWN_KEYS.contains(&key.as_str())) {
        let long = [("l", "lines"), ("a", "arrows"), ("o", "overlays"), ("u", "underlays")];
        return Err(Wrong::constraint(long.iter().find(|(short, _)| short == key).map_or(key, |(_, long)| long)));
    }
    for (index, cell) in cells.iter().enumerate() {
        if let Some(number) = number(get(cell, "value", "v")).filter(|&number| number != 0) {
            let given = cell.get("given").is_none_or(|given| given.as_bool() != Some(false));
            let digit = Some(content.digit(number)?);
            if given { content.givens[index] = digit } else { content.placed[index] = digit }
        }
        content.lists[index] = marks(&content, cell.get("centremarks"))?;
    }
    let regions = at("regions", "re").and_then(Value::as_array);
    let regions = regions.ok_or_else(|| Wrong::broken("it names no regions"))?;
    let mut numbers = vec![None; size * size];
    for (number, region) in regions.iter().enumerate() {
        for cell in cells_of(region, size)? {
            numbers[cell.index()] = Some(number);
        }
    }
    let numbers: Option<Vec<usize>> = numbers.into_iter().collect();
    let numbers = numbers.ok_or_else(|| Wrong::broken("some of its cells are in no region"))?;
    content.board.shape = features::shape(size, numbers);
    cages(at("cages", "ca"), &mut content)?;
    let metadata = object.get("metadata").unwrap_or(&Value::Null);
    let words =
        [at("title", "t").or_else(|| get(metadata, "title", "t")), metadata.get("author"), metadata.get("rules")];
    content.note = words.iter().flatten().filter_map(|value| value.as_str()).collect::<Vec<_>>().join(" ");
    Ok(content)
}

/// Cages without a sum whose cells differ are houses, if they have as many cells; those without cells are headings.
fn cages(cages: Option<&Value>, content: &mut Content) -> Result<(), Wrong> {
    let size = content.size;
    let lines = Geometry::latin(size);
    for cage in cages.and_then(Value::as_array).into_iter().flatten() {
        let cells = sorted(&get(cage, "cells", "ce").map_or(Ok(Vec::new()), |cells| cells_of(cells, size))?);
        let unique = cage.get("unique").and_then(Value::as_bool).unwrap_or(true);
        if get(cage, "value", "v").is_some_and(is_set) && !cells.is_empty() {
            return Err(Wrong::constraint("cage with a sum"));
        }
        if cells.is_empty() || !unique || lines.houses().iter().any(|house| house.cells == cells) {
            continue;
        }
        if cells.len() != size {
            return Err(Wrong::constraint(&format!("cage of {} cells", cells.len())));
        }
        let name = format!("cage {}", content.board.houses.len() + 1);
        content.board.houses.push((name, cells));
    }
    Ok(())
}

/// Cells as pairs row, column from zero, or by their names.
fn cells_of(value: &Value, size: usize) -> Result<Vec<Cell>, Wrong> {
    let pair = |value: &Value| {
        let pair = value.as_array()?;
        let (row, column) = (pair.first()?.as_u64()? as usize, pair.get(1)?.as_u64()? as usize);
        (row < size && column < size).then(|| Cell((row * size + column) as u16))
    };
    let cell = |value: &Value| pair(value).or_else(|| fpuzzles::cell_named(value.as_str()?, size));
    let cells: Option<Vec<Cell>> = value.as_array().into_iter().flatten().map(cell).collect();
    cells.ok_or_else(|| Wrong::broken("it names a cell that does not exist"))
}

/// The zipped form leaves out quotes around names, writes `'` for `"`, `t` and `f` for true and false, and nothing for `{}`.
fn unzipped(text: &str) -> String {
    let quote = if text.contains('"') { '"' } else { '\'' };
    let (mut out, mut last) = (String::with_capacity(text.len() * 2), ' ');
    let mut rest = text.chars().peekable();
    while let Some(sign) = rest.next() {
        if sign == quote {
            out.push('"');
            while let Some(inside) = rest.next().filter(|&inside| inside != quote) {
                match (inside, rest.peek()) {
                    ('\\', Some('\'')) => out.extend(rest.next()),
                    ('\\', Some(_)) => out.extend([Some('\\'), rest.next()].into_iter().flatten()),
                    _ => out.push(inside),
                }
            }
            out.push('"');
        } else if sign.is_ascii_alphanumeric() || matches!(sign, '#' | '-' | '+' | '.') {
            let mut word = String::from(sign);
            while let Some(more) = rest.next_if(|c| c.is_ascii_alphanumeric() || matches!(c, '#' | '-' | '+' | '.')) {
                word.push(more);
            }
            out.push_str(&word_of(&word, rest.peek() == Some(&':')));
        } else {
            if matches!((last, sign), ('[' | ',', ',' | ']') | ('{', ',')) {
                out.push_str("{}");
            }
            out.push(sign);
        }
        last = if sign.is_whitespace() { last } else { sign };
    }
    out
}

fn word_of(word: &str, is_name: bool) -> String {
    match word {
        _ if is_name => format!("\"{word}\""),
        "t" => "true".into(),
        "f" => "false".into(),
        "true" | "false" | "null" => word.into(),
        _ if serde_json::from_str::<serde_json::Number>(word).is_ok() => word.into(),
        _ => format!("\"{word}\""),
    }
}

/// The whole link.
pub(super) fn write(view: &View<'_>) -> Result<String, String> {
    fpuzzles::packed(view, false).map(|text| format!("https://sudokupad.app/fpuzzles{text}"))
}
