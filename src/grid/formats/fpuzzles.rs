//! The JSON of f-puzzles, alone or packed in a link. In: JSON. Out: [`Content`], and the way back.
//!
//! Corner marks, colours, the solution and what the page remembers of its own settings are no part of a puzzle.

use super::content::{Content, Wrong};
use super::features::{self, Shape, sorted};
use super::hold::View;
use super::packed;
use crate::grid::{Cell, DigitSet};
use serde_json::{Map, Value, json};

/// Keys that are read elsewhere or do not matter for solving; every other key is a constraint that is not supported.
const OTHER_KEYS: [&str; 16] = [
    "size",
    "grid",
    "title",
    "author",
    "ruleset",
    "rules",
    "solution",
    "highlightConflicts",
    "disabledlogic",
    "truecandidatesoptions",
    "successMessage",
    "msgcorrect",
    "customRuleConversion",
    "metadata",
    "extraregion",
    "id",
];

/// Reads what stands after `?load=`.
pub(super) fn read_packed(text: &str) -> Result<Content, Wrong> {
    read(&packed::object(&packed::from_lz(text)?)?)
}

/// Reads the JSON.
pub(super) fn read(object: &Map<String, Value>) -> Result<Content, Wrong> {
    let rows = object.get("grid").and_then(Value::as_array).ok_or_else(|| Wrong::broken("it has no `grid`"))?;
    let size = object.get("size").and_then(Value::as_u64).map_or(rows.len(), |size| size as usize);
    let mut content = Content::new(size)?;
    let cells: Vec<&Value> =
        rows.iter().filter_map(Value::as_array).filter(|row| row.len() == size).flatten().collect();
    if rows.len() != size || cells.len() != size * size {
        return Err(Wrong::broken(format!("its `grid` has not {size} rows of {size} cells")));
    }
    let mut given_lists = vec![None; cells.len()];
    for (index, cell) in cells.iter().enumerate() {
        if let Some(number) = number(cell.get("value")).filter(|&number| number != 0) {
            let given = cell.get("given").and_then(Value::as_bool).unwrap_or(false);
            let digit = Some(content.digit(number)?);
            if given { content.givens[index] = digit } else { content.placed[index] = digit }
        }
        content.lists[index] = marks(&content, cell.get("centerPencilMarks"))?;
        given_lists[index] = marks(&content, cell.get("givenPencilMarks"))?;
    }
    if given_lists.iter().any(Option::is_some) {
        content.lists_only = true;
        for (list, given) in content.lists.iter_mut().zip(given_lists) {
            *list = match (*list, given) {
                (Some(list), Some(given)) => Some(list & given),
                (list, given) => list.or(given),
            };
        }
    }
    content.board.shape = shape(size, &cells)?;
    let words = ["title", "author"].map(|key| object.get(key).and_then(Value::as_str).unwrap_or_default());
    content.note = words.join(" ");
    constraints(object, &mut content)?;
    Ok(content)
}

/// The regions: a cell that names none is in the usual one, `null` is in none.
fn shape(size: usize, cells: &[&Value]) -> Result<Shape, Wrong> {
    let usual = features::usual_boxes(size);
    let region = |(index, cell): (usize, &&Value)| match cell.get("region") {
        None => usual.as_ref().map(|boxes| boxes[index] as u64),
        Some(region) => number(Some(region)),
    };
    let regions: Vec<Option<u64>> = cells.iter().enumerate().map(region).collect();
    if regions.iter().all(Option::is_none) {
        return Ok(Shape::None);
    }
    let regions: Option<Vec<u64>> = regions.into_iter().collect();
    let regions = regions.ok_or_else(|| Wrong::broken("some of its cells are in no region"))?;
    Ok(features::shape(size, features::numbered(regions.into_iter())))
}

fn constraints(object: &Map<String, Value>, content: &mut Content) -> Result<(), Wrong> {
    for (key, _) in object.iter().filter(|(_, value)| is_set(value)) {
        let board = &mut content.board;
        match key.as_str() {
            "diagonal+" => board.rising = true,
            "diagonal-" => board.falling = true,
            "antiknight" => board.knight = true,
            "antiking" => board.king = true,
            "disjointgroups" => board.disjoint = true,
            key if OTHER_KEYS.contains(&key) => {}
            key => return Err(Wrong::constraint(key)),
        }
    }
    let extra = object.get("extraregion").and_then(Value::as_array);
    for (number, region) in (1..).zip(extra.into_iter().flatten()) {
        let names = region.get("cells").and_then(Value::as_array);
        let cells: Option<Vec<Cell>> =
            names.into_iter().flatten().map(|name| cell_named(name.as_str()?, content.size)).collect();
        let cells = cells.ok_or_else(|| Wrong::broken("an `extraregion` names a cell that does not exist"))?;
        if cells.len() != content.size {
            return Err(Wrong::constraint(&format!("extraregion of {} cells", cells.len())));
        }
        content.board.houses.push((format!("extra region {number}"), sorted(&cells)));
    }
    Ok(())
}

/// Whether a value says something.
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

/// A number, written as one or as text.
pub(super) fn number(value: Option<&Value>) -> Option<u64> {
    let value = value?;
    value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// A set of candidates; no list where nothing is noted.
pub(super) fn marks(content: &Content, value: Option<&Value>) -> Result<Option<DigitSet>, Wrong> {
    let list = value.and_then(Value::as_array).filter(|list| !list.is_empty());
    let digit = |value: &Value| {
        let number =
            number(Some(value)).ok_or_else(|| Wrong::broken(format!("the candidate {value} is not a number")))?;
        content.digit(number)
    };
    list.map(|list| list.iter().map(digit).collect()).transpose()
}

/// `R1C2`, counted from one.
pub(super) fn cell_named(name: &str, size: usize) -> Option<Cell> {
    let (row, column) = name.strip_prefix(['R', 'r'])?.split_once(['C', 'c'])?;
    let line = |text: &str| text.parse::<usize>().ok().filter(|number| (1..=size).contains(number));
    Some(Cell(((line(row)? - 1) * size + line(column)? - 1) as u16))
}

/// `R1C2`.
pub(super) fn name_of(cell: Cell, size: usize) -> String {
    format!("R{}C{}", cell.index() / size + 1, cell.index() % size + 1)
}

/// The whole link.
pub(super) fn write(view: &View<'_>) -> Result<String, String> {
    packed(view, true).map(|text| format!("https://f-puzzles.com/?load={text}"))
}

/// What stands after `?load=`. Placed digits are told from clues, or are clues.
pub(super) fn packed(view: &View<'_>, told: bool) -> Result<String, String> {
    if view.has_lists() {
        view.refuse_empty_cells()?;
    }
    let text = packed::to_lz(&json_of(view, told).to_string());
    match text.len() {
        0..=packed::LONGEST_LINK => Ok(text),
        count => Err(format!("the link would have {count} characters; at most {} are read", packed::LONGEST_LINK)),
    }
}

fn json_of(view: &View<'_>, told: bool) -> Value {
    let size = view.size();
    let usual = features::usual_boxes(size);
    let marks = if view.puzzle.lists_only { "givenPencilMarks" } else { "centerPencilMarks" };
    let cell = |index: usize| {
        let (cell, mut out) = (Cell(index as u16), Map::new());
        if let Some(digit) = view.digit(cell) {
            out.insert("value".into(), json!(digit.0 + 1));
            if !told || view.is_given(cell) {
                out.insert("given".into(), json!(true));
            }
        } else if let Some(list) = view.list(cell) {
            out.insert(marks.into(), list.iter().map(|digit| json!(digit.0 + 1)).collect());
        }
        match &view.features.shape {
            Shape::Usual => {}
            Shape::None => drop(out.insert("region".into(), Value::Null)),
            Shape::Regions(numbers) if usual.as_ref().is_some_and(|boxes| boxes[index] == numbers[index]) => {}
            Shape::Regions(numbers) => drop(out.insert("region".into(), json!(numbers[index]))),
        }
        Value::Object(out)
    };
    let row = |row: usize| (0..size).map(|column| cell(row * size + column)).collect();
    let grid: Vec<Value> = (0..size).map(row).collect();
    let mut out = Map::new();
    out.insert("size".into(), json!(size));
    if !view.puzzle.note.is_empty() {
        out.insert("title".into(), json!(view.puzzle.note));
    }
    out.insert("grid".into(), json!(grid));
    let board = &view.features;
    let flags = [
        ("diagonal+", board.rising),
        ("diagonal-", board.falling),
        ("antiknight", board.knight),
        ("antiking", board.king),
        ("disjointgroups", board.disjoint),
    ];
    for (key, _) in flags.into_iter().filter(|(_, on)| *on) {
        out.insert(key.into(), json!(true));
    }
    let names = |cells: &[Cell]| cells.iter().map(|&cell| name_of(cell, size)).collect::<Vec<_>>();
    let extra: Vec<Value> = view.other_houses().iter().map(|(_, cells)| json!({ "cells": names(cells) })).collect();
    if !extra.is_empty() {
        out.insert("extraregion".into(), json!(extra));
    }
    Value::Object(out)
}
