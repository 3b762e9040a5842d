//! Classifies the entries of an object beside its puzzle that may change the rules: regions in place of boxes, and constraints.
//! In: a key and its value. Out: [`RuleEntry`].

use super::arrays;
use super::boards::{self, SIZES, has_repetition, is_region_map};
use super::link::all_digits;
use super::values::{NodeKind, ValueNode};

/// Meaning of an entry beside a puzzle.
pub(super) enum RuleEntry {
    /// Regions in place of the boxes: one symbol for each cell.
    Regions(String),
    /// A value that may describe regions but cannot be read.
    UnknownRegions,
    /// The name of a constraint.
    Constraint(String),
    /// A value without influence on the rules.
    Other,
}

/// Substrings of the keys of regions.
#[rustfmt::skip]
const REGION_KEYS: [&str; 16] = [
    "region", "boxes", "jigsaw", "irregular", "area", "block", "zone", "shape", "layout", "group", "house",
    "partition", "piece", "omino", "extra", "cells",
];

/// Substrings of the keys of constraints, and of board features that the user must request with `--board`.
#[rustfmt::skip]
const CONSTRAINTS: [&str; 41] = [
    "cage", "killer", "thermo", "arrow", "palindrome", "kropki", "sandwich", "renban", "whisper", "inequalit",
    "quadruple", "parity", "diagonal", "antik", "consecutive", "windoku", "hyper", "constraint", "variant", "xsudoku",
    "sudokux", "evenodd", "oddeven", "greaterthan", "extraregion", "extrahouse", "disjoint", "knight", "samurai",
    "littlekiller", "xvsudoku", "clone", "nurikabe", "loop", "chaos", "fog", "modular", "entropic", "zipper",
    "kingsmove", "toroidal",
];

/// Keys of constraints that must match as a whole, because other words contain them.
const SHORT_CONSTRAINTS: [&str; 12] =
    ["isx", "x", "xv", "sums", "lines", "dots", "king", "odd", "even", "odds", "evens", "circles"];

/// Keys whose value is the kind of puzzle.
const KIND_KEYS: [&str; 11] =
    ["type", "kind", "rules", "rule", "ruleset", "mode", "style", "category", "genre", "tags", "layout"];

/// Kinds of puzzles without additional rules.
#[rustfmt::skip]
const CLASSIC_KINDS: [&str; 12] = [
    "classic", "classical", "standard", "normal", "regular", "plain", "sudoku", "none", "9x9", "default", "vanilla",
    "basic",
];

/// Classifies an entry of an object.
pub(super) fn classify(key: &str, value: &ValueNode<'_>) -> RuleEntry {
    if !is_set(value) {
        return RuleEntry::Other;
    }
    let name = normalized_key(key);
    let is_region_key = REGION_KEYS.iter().any(|word| name.contains(word));
    if let Some(symbols) = regions(value, is_region_key) {
        return RuleEntry::Regions(symbols);
    }
    let mut texts = Vec::new();
    collect_texts(value, &mut texts);
    let is_variant_key = name.starts_with("variant");
    let variant = if is_variant_key {
        texts.iter().find(|text| !CLASSIC_KINDS.contains(&normalized_key(text).as_str()))
    } else if KIND_KEYS.contains(&name.as_str()) {
        texts.iter().find(|text| names_constraint(&normalized_key(text)) || normalized_key(text).contains("jigsaw"))
    } else {
        None
    };
    if let Some(text) = variant {
        return RuleEntry::Constraint(format!("{key}: {text}"));
    }
    if is_variant_key {
        return RuleEntry::Other;
    }
    let flag_name = name.strip_prefix("is").unwrap_or(&name);
    let is_short_constraint = SHORT_CONSTRAINTS.contains(&name.as_str()) && (value.is_group() || name.len() < 4);
    if is_short_constraint || names_constraint(flag_name) {
        return RuleEntry::Constraint(key.to_string());
    }
    let is_number = value.scalar().is_some_and(all_digits);
    if is_region_key && !is_number && (value.is_group() || arrays::count_characters(value) >= SMALLEST_MAP) {
        return RuleEntry::UnknownRegions;
    }
    RuleEntry::Other
}

/// Number of cells of the smallest map of regions, 4×4.
const SMALLEST_MAP: usize = 16;

/// Returns true if a normalized name contains the name of a constraint.
fn names_constraint(name: &str) -> bool {
    CONSTRAINTS.iter().any(|word| name.contains(word))
}

/// Returns a key in lower case, without `_`, `-` and blanks.
pub(super) fn normalized_key(key: &str) -> String {
    key.to_lowercase().replace(['_', '-', ' '], "")
}

/// Returns true unless the value means no, nothing or zero.
fn is_set(value: &ValueNode<'_>) -> bool {
    const UNSET: [&str; 9] = ["", "0", "null", "None", "nil", "undefined", "false", "False", "no"];
    match &value.kind {
        NodeKind::Group(group) => group.values().any(is_set),
        _ => value.scalar().is_some_and(|text| !UNSET.contains(&text.trim())),
    }
}

/// Appends the first texts of a value.
fn collect_texts(value: &ValueNode<'_>, texts: &mut Vec<String>) {
    const MOST: usize = 64;
    if let NodeKind::Group(group) = &value.kind {
        group.values().take(MOST).for_each(|value| collect_texts(value, texts));
    } else if texts.len() < MOST && is_set(value) {
        texts.extend(value.scalar().map(str::to_string));
    }
}

/// Returns one symbol for each cell, if the value is a map of regions or lists the cells of each region.
fn regions(value: &ValueNode<'_>, is_region_key: bool) -> Option<String> {
    /// Twice the number of cells of the largest board, for cells that are listed by row and column.
    const MOST_TEXTS: usize = 2 * 625;
    let texts = arrays::scalars(value);
    if texts.len() > MOST_TEXTS || arrays::count_characters(value) < SMALLEST_MAP {
        return None;
    }
    let symbols = arrays::region_symbols(value);
    if is_region_map(&symbols) && (is_region_key || is_surely_region_map(&texts, &symbols)) {
        return Some(symbols);
    }
    regions_of_listed_cells(value)
}

/// Returns true if a map of regions cannot be a puzzle: most rows repeat a symbol, and the texts have a letter or digit for each cell.
fn is_surely_region_map(texts: &[&str], symbols: &str) -> bool {
    let symbols: Vec<char> = symbols.chars().collect();
    let width = symbols.len().isqrt();
    let has_symbols = texts.concat().chars().filter(|c| c.is_alphanumeric()).count() >= symbols.len();
    has_symbols && symbols.chunks(width).filter(|row| has_repetition(row)).count() * 2 > width
}

/// Returns one symbol for each cell, if the value lists the cells of n regions by row and column, by name or by number, from 0 or from 1.
fn regions_of_listed_cells(value: &ValueNode<'_>) -> Option<String> {
    let NodeKind::Group(group) = &value.kind else { return None };
    let size = group.entries.len();
    if !SIZES.contains(&size) {
        return None;
    }
    let regions = group.values().map(|region| cells_of(region, size));
    let regions: Vec<Vec<(u64, u64)>> = regions.collect::<Option<_>>()?;
    let (rows, columns): (Vec<u64>, Vec<u64>) = regions.iter().flatten().copied().unzip();
    let are_numbers = rows.iter().all(|row| *row == ROW_OF_NUMBERED_CELLS);
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
    (least_column < 2 && (are_numbers || least_row == least_column)).then(|| boards::region_symbols(&numbers))
}

/// Returns row and column of each cell of a region. The cells are the region's list, or a list of that length in an object or list.
fn cells_of(region: &ValueNode<'_>, size: usize) -> Option<Vec<(u64, u64)>> {
    let NodeKind::Group(region) = &region.kind else { return None };
    let inside = region.values().find_map(|value| match &value.kind {
        NodeKind::Group(list) if list.entries.len() == size => Some(list),
        _ => None,
    });
    let list = match inside {
        Some(inside) if region.entries.len() < size => inside,
        _ => region,
    };
    list.values().map(coordinates).collect::<Option<Vec<_>>>().filter(|cells| cells.len() == size)
}

/// Stands for the row of a cell that is given by a single number.
const ROW_OF_NUMBERED_CELLS: u64 = u64::MAX;

/// Reads row and column of a cell, counted as in the document. A single number is returned as the column.
fn coordinates(value: &ValueNode<'_>) -> Option<(u64, u64)> {
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
        None => Some((ROW_OF_NUMBERED_CELLS, text.parse().ok()?)),
    }
}

fn number(value: &ValueNode<'_>) -> Option<u64> {
    value.scalar()?.trim().parse().ok()
}
