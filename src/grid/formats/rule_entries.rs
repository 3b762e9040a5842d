//! Parts of a document beside its puzzle that change its rules: regions in place of boxes, and constraints. In: a key and its value.
//! Out: [`RulePart`].

use super::arrays;
use super::boards::{self, SIZES, has_repetition, is_region_map};
use super::link::all_digits;
use super::values::{NodeKind, ValueNode};

/// Meaning of an entry beside a puzzle.
pub(super) enum RulePart {
    /// Regions in place of the boxes: one symbol for each cell.
    Regions(String),
    /// A value that may replace the boxes and is not understood.
    Shape,
    /// A constraint, by its name.
    Constraint(String),
    /// A value without influence on the rules.
    Other,
}

/// Parts of the names of regions.
#[rustfmt::skip]
const SHAPES: [&str; 16] = [
    "region", "boxes", "jigsaw", "irregular", "area", "block", "zone", "shape", "layout", "group", "house",
    "partition", "piece", "omino", "extra", "cells",
];

/// Parts of the names of constraints, and of boards that must be asked for.
#[rustfmt::skip]
const CONSTRAINTS: [&str; 41] = [
    "cage", "killer", "thermo", "arrow", "palindrome", "kropki", "sandwich", "renban", "whisper", "inequalit",
    "quadruple", "parity", "diagonal", "antik", "consecutive", "windoku", "hyper", "constraint", "variant", "xsudoku",
    "sudokux", "evenodd", "oddeven", "greaterthan", "extraregion", "extrahouse", "disjoint", "knight", "samurai",
    "littlekiller", "xvsudoku", "clone", "nurikabe", "loop", "chaos", "fog", "modular", "entropic", "zipper",
    "kingsmove", "toroidal",
];

/// Whole names of constraints that are parts of other words.
const SHORT_CONSTRAINTS: [&str; 12] =
    ["isx", "x", "xv", "sums", "lines", "dots", "king", "odd", "even", "odds", "evens", "circles"];

/// Names whose value is the kind of puzzle.
const KINDS: [&str; 11] =
    ["type", "kind", "rules", "rule", "ruleset", "mode", "style", "category", "genre", "tags", "layout"];

/// Kinds of puzzles without other rules.
#[rustfmt::skip]
const PLAIN: [&str; 12] = [
    "classic", "classical", "standard", "normal", "regular", "plain", "sudoku", "none", "9x9", "default", "vanilla",
    "basic",
];

/// Classifies an entry of an object.
pub(super) fn part(key: &str, value: &ValueNode<'_>) -> RulePart {
    if !is_set(value) {
        return RulePart::Other;
    }
    let name = simple(key);
    let is_shape = SHAPES.iter().any(|word| name.contains(word));
    if let Some(symbols) = regions(value, is_shape) {
        return RulePart::Regions(symbols);
    }
    let mut texts = Vec::new();
    texts_of(value, &mut texts);
    let unusual = match () {
        () if name.starts_with("variant") => texts.iter().find(|text| !PLAIN.contains(&simple(text).as_str())),
        () if KINDS.contains(&name.as_str()) => {
            texts.iter().find(|text| is_constraint(&simple(text)) || simple(text).contains("jigsaw"))
        }
        () => None,
    };
    if let Some(text) = unusual {
        return RulePart::Constraint(format!("{key}: {text}"));
    }
    let flag = name.strip_prefix("is").unwrap_or(&name);
    let short = SHORT_CONSTRAINTS.contains(&name.as_str()) && (value.is_group() || name.len() < 4);
    let is_number = value.scalar().is_some_and(all_digits);
    match () {
        () if name.starts_with("variant") => RulePart::Other,
        () if short || is_constraint(flag) => RulePart::Constraint(key.to_string()),
        () if is_shape && !is_number && (value.is_group() || arrays::count(value) >= 16) => RulePart::Shape,
        () => RulePart::Other,
    }
}

/// Returns true if a name contains that of a constraint.
fn is_constraint(name: &str) -> bool {
    CONSTRAINTS.iter().any(|word| name.contains(word))
}

/// Returns a name in small letters, without symbols between its words.
pub(super) fn simple(name: &str) -> String {
    name.to_lowercase().replace(['_', '-', ' '], "")
}

/// Returns true unless a value says no, nothing or zero.
fn is_set(value: &ValueNode<'_>) -> bool {
    const UNSET: [&str; 9] = ["", "0", "null", "None", "nil", "undefined", "false", "False", "no"];
    match &value.kind {
        NodeKind::Group(group) => group.values().any(is_set),
        _ => value.scalar().is_some_and(|text| !UNSET.contains(&text.trim())),
    }
}

/// Collects the first texts of a value.
fn texts_of(value: &ValueNode<'_>, out: &mut Vec<String>) {
    const MOST: usize = 64;
    match &value.kind {
        NodeKind::Group(group) => group.values().take(MOST).for_each(|value| texts_of(value, out)),
        _ if out.len() < MOST => out.extend(value.scalar().filter(|_| is_set(value)).map(str::to_string)),
        _ => {}
    }
}

/// Returns one symbol for each cell, if the value is a map of regions or lists the cells of each. Under another name than one of regions,
/// a symbol other than 0 must stand twice in a row: a puzzle has no such digit.
fn regions(value: &ValueNode<'_>, is_shape: bool) -> Option<String> {
    const MOST_TEXTS: usize = 2 * 625;
    let texts = arrays::texts(value);
    if texts.len() > MOST_TEXTS || arrays::count(value) < 16 {
        return None;
    }
    let symbols = arrays::region_symbols(value).filter(|symbols| is_region_map(symbols)).filter(|symbols| {
        let symbols: Vec<char> = symbols.chars().collect();
        let width = symbols.len().isqrt();
        let has_signs = texts.concat().chars().filter(|c| c.is_alphanumeric()).count() >= symbols.len();
        is_shape || (has_signs && symbols.chunks(width).filter(|row| has_repetition(row)).count() * 2 > width)
    });
    symbols.or_else(|| listed(value))
}

/// Returns one symbol for each cell, if the value lists the cells of n regions by row and column, by name or by number, from 0 or from 1.
fn listed(value: &ValueNode<'_>) -> Option<String> {
    let NodeKind::Group(group) = &value.kind else { return None };
    let size = group.entries.len();
    if !SIZES.contains(&size) {
        return None;
    }
    let regions = group.values().map(|region| cells_of(region, size));
    let regions: Vec<Vec<(u64, u64)>> = regions.collect::<Option<_>>()?;
    let (rows, columns): (Vec<u64>, Vec<u64>) = regions.iter().flatten().copied().unzip();
    let by_number = rows.iter().all(|row| *row == NUMBERED);
    let (least_row, least_column) = (*rows.iter().min()?, *columns.iter().min()?);
    let mut numbers = vec![None; size * size];
    for (number, region) in regions.iter().enumerate() {
        for (row, column) in region {
            let at = (row - least_row).checked_mul(size as u64)?.checked_add(column - least_column)?;
            if numbers.get_mut(usize::try_from(at).ok()?)?.replace(number).is_some() {
                return None;
            }
        }
    }
    let numbers = numbers.into_iter().collect::<Option<Vec<_>>>()?;
    (least_column < 2 && (by_number || least_row == least_column)).then(|| boards::region_symbols(&numbers))
}

/// Returns the places of the cells of a region: a list, perhaps the only one of that length in an object or list.
fn cells_of(region: &ValueNode<'_>, size: usize) -> Option<Vec<(u64, u64)>> {
    let NodeKind::Group(region) = &region.kind else { return None };
    let inside = region.values().find_map(|value| match &value.kind {
        NodeKind::Group(list) if list.entries.len() == size => Some(list),
        _ => None,
    });
    let list = inside.filter(|_| region.entries.len() < size).unwrap_or(region);
    list.values().map(place).collect::<Option<Vec<_>>>().filter(|cells| cells.len() == size)
}

/// Row of cells that are given by a number alone.
const NUMBERED: u64 = u64::MAX;

/// Reads row and column of a cell, as they are counted there; a number alone becomes the column.
fn place(value: &ValueNode<'_>) -> Option<(u64, u64)> {
    if let NodeKind::Group(group) = &value.kind {
        let (row, column) = match group.entries.as_slice() {
            _ if value.object().is_some() => (
                ["row", "r", "y"].iter().find_map(|name| number(group.get(name)?)),
                ["col", "column", "c", "x"].iter().find_map(|name| number(group.get(name)?)),
            ),
            [row, column] => (number(&row.value), number(&column.value)),
            _ => return None,
        };
        return row.zip(column);
    }
    let text = value.scalar()?.trim().to_ascii_lowercase();
    let pair = text.strip_prefix('r').and_then(|rest| rest.split_once('c')).or_else(|| text.split_once(','));
    match pair {
        Some((row, column)) => row.trim().parse().ok().zip(column.trim().parse().ok()),
        None => Some((NUMBERED, text.parse().ok()?)),
    }
}

fn number(value: &ValueNode<'_>) -> Option<u64> {
    value.scalar()?.trim().parse().ok()
}
