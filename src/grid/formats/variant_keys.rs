//! Classifies the entries of a JSON object other than its puzzle: an entry may give regions in place of the boxes, or name a constraint.
//! In: a key and its value. Out: [`EntryKind`].

use super::boards::{self, SIZES, SMALLEST_PUZZLE, has_repetition, is_region_map};
use super::link::all_digits;
use super::values::{NodeKind, ValueNode};
use super::{arrays, cell_entry};

/// The influence of an entry on the rules of the puzzle in the object.
pub(super) enum EntryKind {
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

/// Keys of constraints that must match as a whole, because other words contain these keys.
const SHORT_CONSTRAINTS: [&str; 12] =
    ["isx", "x", "xv", "sums", "lines", "dots", "king", "odd", "even", "odds", "evens", "circles"];

/// Keys whose value is the kind of puzzle.
#[rustfmt::skip]
const KIND_KEYS: [&str; 17] = [
    "type", "kind", "rules", "rule", "ruleset", "mode", "style", "category", "genre", "tags", "layout", "gametype",
    "puzzletype", "sudokutype", "subtype", "instructions", "variation",
];

/// Kinds of puzzles without additional rules.
#[rustfmt::skip]
const CLASSIC_KINDS: [&str; 12] = [
    "classic", "classical", "standard", "normal", "regular", "plain", "sudoku", "none", "9x9", "default", "vanilla",
    "basic",
];

pub(super) fn classify(key: &str, value: &ValueNode<'_>) -> EntryKind {
    if !is_set(value) {
        return EntryKind::Other;
    }
    let name = normalized_key(key);
    let is_region_key = REGION_KEYS.iter().any(|word| name.contains(word));
    if let Some(symbols) = regions(value, is_region_key) {
        return EntryKind::Regions(symbols);
    }
    let mut texts = Vec::new();
    collect_texts(value, &mut texts);
    if name.starts_with("variant") {
        let is_classic = |text: &str| CLASSIC_KINDS.contains(&normalized_key(text).as_str());
        return match texts.iter().find(|text| !is_classic(text)) {
            Some(text) => EntryKind::Constraint(format!("{key}: {text}")),
            None => EntryKind::Other,
        };
    }
    let names_variant = |text: &str| {
        let text = normalized_key(text);
        names_constraint(&text) || text.contains("jigsaw")
    };
    if KIND_KEYS.contains(&name.as_str())
        && let Some(text) = texts.iter().find(|text| names_variant(text))
    {
        return EntryKind::Constraint(format!("{key}: {text}"));
    }
    // A key of four or more letters with a single value, such as `lines: 9`, is more likely a setting than a constraint.
    let is_short_constraint = SHORT_CONSTRAINTS.contains(&name.as_str()) && (value.is_group() || name.len() < 4);
    let flag_name = name.strip_prefix("is").unwrap_or(&name);
    if is_short_constraint || names_constraint(flag_name) {
        return EntryKind::Constraint(key.to_string());
    }
    let is_number = value.scalar().is_some_and(all_digits);
    if is_region_key && !is_number && (value.is_group() || arrays::count_characters(value) >= SMALLEST_PUZZLE) {
        return EntryKind::UnknownRegions;
    }
    EntryKind::Other
}

/// Returns true if a normalized key of a cell object names a constraint, and its value is set.
pub(super) fn is_constraint_of_cell(name: &str, value: &ValueNode<'_>) -> bool {
    let flag_name = name.strip_prefix("is").unwrap_or(name);
    // "narrow" contains "arrow".
    let is_named = names_constraint(&flag_name.replace("narrow", "")) || matches!(flag_name, "sum" | "odd" | "even");
    is_named && is_set(value)
}

pub(super) fn names_constraint(name: &str) -> bool {
    CONSTRAINTS.iter().any(|word| name.contains(word))
}

/// Returns a key in lower case, without `_`, `-` and blanks.
pub(super) fn normalized_key(key: &str) -> String {
    key.to_lowercase().replace(['_', '-', ' '], "")
}

/// Returns true unless the value means no, nothing or zero.
fn is_set(value: &ValueNode<'_>) -> bool {
    match &value.kind {
        NodeKind::Group(group) => group.values().any(is_set),
        _ => value.scalar().is_some_and(|text| cell_entry::as_flag(text) != Some(false)),
    }
}

/// Maximum number of texts of a value that are examined, and maximum number of entries of each group that are examined.
const MAX_TEXTS: usize = 64;

fn collect_texts(value: &ValueNode<'_>, texts: &mut Vec<String>) {
    if let NodeKind::Group(group) = &value.kind {
        group.values().take(MAX_TEXTS).for_each(|value| collect_texts(value, texts));
    } else if texts.len() < MAX_TEXTS && is_set(value) {
        texts.extend(value.scalar().map(str::to_string));
    }
}

/// Returns one symbol for each cell, if the value is a map of regions or lists the cells of each region.
fn regions(value: &ValueNode<'_>, is_region_key: bool) -> Option<String> {
    /// Twice the number of cells of the largest board, for cells that are listed by row and column.
    const MAX_COORDINATES: usize = 2 * 625;
    let texts = arrays::scalars(value);
    if texts.len() > MAX_COORDINATES || arrays::count_characters(value) < SMALLEST_PUZZLE {
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

/// Returns one symbol for each cell, if the value lists the cells of n regions. A cell is a pair (row, column), a name (`r1c2`), or a
/// number. All count from 0, or all from 1.
fn regions_of_listed_cells(value: &ValueNode<'_>) -> Option<String> {
    let regions = value.group()?;
    let size = regions.entries.len();
    if !SIZES.contains(&size) {
        return None;
    }
    let cells = regions.values().map(|region| cells_of(region, size)).collect::<Option<Vec<_>>>()?.concat();
    // The number of a cell, row by row. `largest_first` is that of the first cell, if rows and columns count from 1.
    let (numbers, largest_first): (Option<Vec<u64>>, u64) =
        match cells.iter().map(|cell| pair(cell)).collect::<Option<Vec<_>>>() {
            Some(pairs) => {
                let numbers = pairs.iter().map(|(row, column)| row.checked_mul(size as u64)?.checked_add(*column));
                (numbers.collect(), size as u64 + 1)
            }
            None => (cells.iter().map(|cell| number(cell)).collect(), 1),
        };
    let numbers = numbers?;
    let first = *numbers.iter().min()?;
    if first != 0 && first != largest_first {
        return None;
    }
    let mut region_of_cell = vec![None; size * size];
    // Each region has `size` cells.
    for (position, number) in numbers.into_iter().enumerate() {
        if region_of_cell.get_mut((number - first) as usize)?.replace(position / size).is_some() {
            return None;
        }
    }
    let numbers = region_of_cell.into_iter().collect::<Option<Vec<usize>>>()?;
    Some(boards::region_symbols(&numbers))
}

/// Returns the cells of a region. The region is a list of `size` cells, or a shorter list or object that contains such a list.
fn cells_of<'v, 't>(region: &'v ValueNode<'t>, size: usize) -> Option<Vec<&'v ValueNode<'t>>> {
    let region = region.group()?;
    let inner_list = region.values().filter_map(ValueNode::group).find(|list| list.entries.len() == size);
    let list = inner_list.filter(|_| region.entries.len() < size).unwrap_or(region);
    if list.entries.len() == size { Some(list.values().collect()) } else { None }
}

/// Reads row and column: an object, a list, or a text such as `r1c2` or `1,2`.
fn pair(cell: &ValueNode<'_>) -> Option<(u64, u64)> {
    let Some(text) = cell.scalar() else { return pair_of_group(cell) };
    let text = text.trim().to_ascii_lowercase();
    let (row, column) =
        text.strip_prefix('r').and_then(|rest| rest.split_once('c')).or_else(|| text.split_once(','))?;
    Some((row.trim().parse().ok()?, column.trim().parse().ok()?))
}

/// Reads an object or list of row and column.
pub(super) fn pair_of_group(value: &ValueNode<'_>) -> Option<(u64, u64)> {
    let group = value.group()?;
    if value.object().is_some() {
        return cell_entry::coordinates_of_object(group);
    }
    let [row, column] = group.entries.as_slice() else { return None };
    number(&row.value).zip(number(&column.value))
}

fn number(value: &ValueNode<'_>) -> Option<u64> {
    value.scalar()?.trim().parse().ok()
}
