//! Reads a list of a document as a grid: rows of cells, rows of text, a flat list of cells, nested lists by box, or objects with the
//! row and column of each cell. If one value cannot be a cell, the list is no grid.

use super::boards::{self, BoardChoice, SIZES, has_repetition, size_with_cells};
use super::error::{self, FormatError, broken};
use super::link::all_digits;
use super::puzzle::{Content, is_symbol};
use super::values::{NodeGroup, NodeKind, ValueNode};
use super::variant_keys::normalized_key;
use super::{cell_texts, columns, encoding};
use crate::grid::{BoardSpec, Digit};

// Normalized keys of an object that describes a cell. `c` is the column, unless its value is a list.
const VALUE_KEYS: [&str; 9] = ["value", "v", "digit", "number", "val", "num", "n", "d", "clue"];
const ROW_KEYS: [&str; 6] = ["row", "r", "y", "i", "rowindex", "line"];
const COLUMN_KEYS: [&str; 8] = ["col", "column", "c", "x", "j", "colindex", "columnindex", "cell"];
const GIVEN_KEYS: [&str; 9] =
    ["given", "isgiven", "fixed", "isfixed", "locked", "readonly", "prefilled", "isinitial", "isclue"];
const EDITABLE_KEYS: [&str; 3] = ["editable", "mutable", "iseditable"];
#[rustfmt::skip]
const CANDIDATE_KEYS: [&str; 16] = [
    "candidates", "notes", "pencilmarks", "marks", "possible", "possibilities", "options", "centermarks",
    "centremarks", "centerpencilmarks", "pencil", "pencilmark", "cands", "cand", "draft", "c",
];
/// Substrings of keys whose lists are not candidates; `colo` is in "color" and "colour".
#[rustfmt::skip]
const OTHER_LIST_KEYS: [&str; 14] = [
    "corner", "colo", "highlight", "style", "class", "peer", "neighbo", "history", "pos", "coord", "related",
    "conflict", "error", "region",
];
/// Values that mean "no".
const FALSE_VALUES: [&str; 5] = ["false", "False", "0", "null", "None"];

/// A cell of a list.
#[derive(Clone, Debug, Default)]
struct CellEntry {
    digit: Option<u64>,
    /// True if the cell is empty because its value is 0.
    is_zero: bool,
    /// True if the cell is empty because of a symbol other than 0, such as `.` or `null`.
    is_blank: bool,
    /// Ascending digits of a quoted text: candidates on boards up to 9×9, a number on larger boards.
    text: Option<String>,
    candidates: Option<Vec<u64>>,
    /// True if the digit is a clue; `None` if the document doesn't say.
    is_given: Option<bool>,
    /// Row and column, counted as in the document.
    coordinates: Option<(u64, u64)>,
    /// Error for a list in the cell's object that may be candidates in an unknown form.
    error: Option<FormatError>,
}

impl CellEntry {
    fn blank() -> CellEntry {
        CellEntry { is_blank: true, ..CellEntry::default() }
    }

    /// Returns the cell of a number; 0 is an empty cell.
    fn from_number(number: u64) -> CellEntry {
        match number {
            0 => CellEntry { is_zero: true, ..CellEntry::default() },
            digit => CellEntry { digit: Some(digit), ..CellEntry::default() },
        }
    }

    /// Reads a number or word. Only a text in quotes may be a list of candidates, `"147"`. Returns `None` for a text that is no cell.
    fn from_text(text: &str, is_quoted: bool) -> Option<CellEntry> {
        let text = text.trim();
        let is_zero = text.chars().all(|c| c == '0') && !text.is_empty();
        if (!is_zero && cell_texts::is_empty(text)) || matches!(text, "x" | "X" | "-1.0") {
            return Some(CellEntry::blank());
        }
        let integer = encoding::whole_number(text).map(|value| value.to_string());
        let number = integer.as_deref().unwrap_or(text);
        if !all_digits(number) {
            let mut characters = number.chars();
            let (Some(symbol), None) = (characters.next(), characters.next()) else { return None };
            return Some(CellEntry::from_number(u64::from(Digit::from_symbol(symbol)?.0) + 1));
        }
        let ascends = !number.starts_with('0') && number.as_bytes().is_sorted_by(|a, b| a < b);
        match number.len() {
            2..=9 if is_quoted && ascends => Some(CellEntry { text: Some(number.to_string()), ..CellEntry::default() }),
            1 | 2 => Some(CellEntry::from_number(number.parse().ok()?)),
            _ => None,
        }
    }

    /// Reads a value. Returns `None` for a value that cannot be a cell.
    fn from_value(value: &ValueNode<'_>) -> Option<CellEntry> {
        match &value.kind {
            NodeKind::Hole => Some(CellEntry::blank()),
            NodeKind::Text(text) => CellEntry::from_text(text, true),
            NodeKind::Word(word) => CellEntry::from_text(word, false),
            NodeKind::Group(_) => match value.object() {
                Some(object) => CellEntry::from_object(object),
                None => Some(CellEntry { candidates: Some(distinct_digits(value)?), ..CellEntry::default() }),
            },
        }
    }

    /// Reads an object that describes one cell.
    fn from_object(object: &NodeGroup<'_>) -> Option<CellEntry> {
        let (candidates, error) = match candidates_of_object(object) {
            Ok(list) if list.is_empty() => (None, None),
            Ok(list) => (Some(list), None),
            Err(error) => (None, Some(error)),
        };
        let entry = match value_of(object, &VALUE_KEYS) {
            Some(value) => CellEntry::from_text(value.scalar()?, false)?,
            None if candidates.is_some() || object.entries.is_empty() => CellEntry::blank(),
            None => return None,
        };
        let [given, editable, row, column] = [&GIVEN_KEYS[..], &EDITABLE_KEYS, &ROW_KEYS, &COLUMN_KEYS]
            .map(|keys| value_of(object, keys).and_then(ValueNode::scalar));
        let [row, column] = [row, column].map(|text| text?.parse().ok());
        Some(CellEntry {
            is_given: given.map(is_true).or(editable.map(|text| !is_true(text))),
            candidates: if entry.digit.is_none() { candidates } else { None },
            coordinates: row.zip(column),
            error,
            ..entry
        })
    }

    /// Returns the digit, or the number of a quoted text.
    fn number(&self) -> Option<u64> {
        self.digit.or_else(|| self.text.as_ref()?.parse().ok())
    }
}

/// A list read as a grid.
pub(super) enum GridList {
    /// Rows of characters, to be read like a text.
    Rows(Vec<String>),
    /// Cells, or the error of a list that certainly is a grid.
    Content(Result<Content, FormatError>),
    /// The fault of a list that resembles a grid.
    Damaged(FormatError),
}

pub(super) fn is_cell(word: &str) -> bool {
    let word = word.trim_matches(['"', '\'']);
    word == "-1" || all_digits(word) || CellEntry::from_text(word, false).is_some()
}

/// Returns the row of cells in a value: the value itself, or the only list among up to three values, as in `([5, 3, 0], 1)`.
pub(super) fn row_of_cells<'v, 't>(value: &'v ValueNode<'t>) -> Option<&'v ValueNode<'t>> {
    let list = value.list()?;
    let count = list.entries.len();
    let mut lists = list.values().filter(|value| value.is_group());
    if count <= 3
        && let (Some(only), None) = (lists.next(), lists.next())
    {
        return row_of_cells(only);
    }
    ((3..=25).contains(&count) && list.values().all(|cell| CellEntry::from_value(cell).is_some())).then_some(value)
}

/// Counts the characters of all texts and words of a value. An empty entry of a list counts as one.
pub(super) fn count_characters(value: &ValueNode<'_>) -> usize {
    match &value.kind {
        NodeKind::Group(group) => group.values().map(count_characters).sum(),
        NodeKind::Text(text) => text.chars().count(),
        NodeKind::Word(word) => word.chars().count(),
        NodeKind::Hole => 1,
    }
}

/// Returns all texts and words of a value, trimmed. An empty entry of a list is an empty text.
pub(super) fn scalars<'v>(value: &'v ValueNode<'_>) -> Vec<&'v str> {
    match &value.kind {
        NodeKind::Group(group) => group.values().flat_map(scalars).collect(),
        _ => vec![value.scalar().unwrap_or_default().trim()],
    }
}

/// Returns one symbol for each cell of a value that may be a map of regions.
pub(super) fn region_symbols(value: &ValueNode<'_>) -> String {
    let scalars = scalars(value);
    // Up to 25 texts are the rows of a map; more are the labels of single cells.
    match scalars.len() {
        0..=25 => scalars.concat().split_whitespace().collect(),
        _ => boards::region_symbols(&boards::region_numbers(scalars.into_iter())),
    }
}

/// Returns the digits in a list, or in a text of one character for each digit. Returns `None` if a digit repeats or there is anything
/// else.
fn distinct_digits(value: &ValueNode<'_>) -> Option<Vec<u64>> {
    let digits: Option<Vec<u64>> = match &value.kind {
        NodeKind::Group(group) => {
            group.values().map(|value| CellEntry::from_text(value.scalar()?, false)?.digit).collect()
        }
        _ => value.scalar()?.split_whitespace().flat_map(str::chars).map(|c| c.to_digit(10).map(u64::from)).collect(),
    };
    digits.filter(|digits| !has_repetition(digits) && digits.len() <= 25)
}

/// Returns the value under the first of these normalized keys that the object has.
fn value_of<'v, 't>(object: &'v NodeGroup<'t>, keys: &[&str]) -> Option<&'v ValueNode<'t>> {
    let entry = keys.iter().find_map(|wanted| {
        object.entries.iter().find(|entry| entry.key.as_deref().is_some_and(|key| normalized_key(key) == *wanted))
    });
    entry.map(|entry| &entry.value)
}

/// Returns true if some cell object in the rows has a list of candidates under a key other than those of f-puzzles.
pub(super) fn has_candidate_lists(rows: &ValueNode<'_>) -> bool {
    let Some(rows) = rows.list() else { return false };
    let mut cells = rows.values().filter_map(ValueNode::list).flat_map(NodeGroup::values).filter_map(ValueNode::object);
    cells.any(|cell| {
        let has_fpuzzles_key = cell.get("centerPencilMarks").is_some() || cell.get("givenPencilMarks").is_some();
        // An error is a list in an unknown form.
        !has_fpuzzles_key && candidates_of_object(cell).map_or(true, |list| !list.is_empty())
    })
}

/// Returns the candidates that an object lists for its cell, or an error for a list that may be candidates in an unknown form.
fn candidates_of_object(object: &NodeGroup<'_>) -> Result<Vec<u64>, FormatError> {
    let mut candidates = Vec::new();
    for entry in &object.entries {
        let key = entry.key.as_deref().unwrap_or_default();
        let name = normalized_key(key);
        let is_list = matches!(&entry.value.kind, NodeKind::Group(list) if !list.entries.is_empty());
        if CANDIDATE_KEYS.contains(&name.as_str()) && (name != "c" || is_list) {
            candidates = candidates_of_value(&entry.value).ok_or_else(|| {
                broken(format!("`{key}` of a cell is no list of its digits"))
                    .with_help("list the candidates of a cell: [1, 2, 3]")
            })?;
        } else if is_list && !OTHER_LIST_KEYS.iter().any(|word| name.contains(word)) {
            let message = format!("nothing says what `{key}` of a cell lists");
            return Err(broken(message).with_help("call the candidates of a cell `candidates`"));
        }
    }
    Ok(candidates)
}

fn is_true(text: &str) -> bool {
    matches!(text, "true" | "True" | "1")
}

fn as_flag(text: &str) -> Option<bool> {
    match text {
        _ if is_true(text) => Some(true),
        _ if FALSE_VALUES.contains(&text) => Some(false),
        _ => None,
    }
}

/// Returns candidates that are written as a list of digits, as a text, or as a flag for each digit.
fn candidates_of_value(value: &ValueNode<'_>) -> Option<Vec<u64>> {
    let list = match &value.kind {
        NodeKind::Hole => return Some(Vec::new()),
        NodeKind::Word(word) => return FALSE_VALUES.contains(word).then(Vec::new),
        NodeKind::Text(text) if text.contains([',', ' ', ';']) => {
            let numbers = text.split([',', ' ', ';']).filter(|number| !number.is_empty());
            return numbers.map(|number| number.parse().ok().filter(|number| (1..=25).contains(number))).collect();
        }
        NodeKind::Text(_) => return distinct_digits(value),
        NodeKind::Group(list) => list,
    };
    let flags: Option<Vec<bool>> = list.values().map(|value| as_flag(value.scalar()?)).collect();
    let is_object = value.object().is_some();
    match flags {
        // An object such as `{"1": true, "2": false}`.
        Some(flags) if is_object => {
            let true_entries = list.entries.iter().zip(flags).filter(|(_, flag)| *flag);
            true_entries.map(|(entry, _)| entry.key.as_deref()?.parse().ok()).collect()
        }
        // A flag for each digit. Without a false flag, a 1 is the digit 1.
        Some(flags) if flags.contains(&false) => {
            let true_digits = (1..).zip(&flags).filter(|(_, flag)| **flag).map(|(digit, _)| digit);
            SIZES.contains(&flags.len()).then(|| true_digits.collect())
        }
        _ if is_object => None,
        _ => distinct_digits(value),
    }
}

/// Reads a list as a grid. Returns `None` if it is no grid.
pub(super) fn read_list(value: &ValueNode<'_>) -> Option<GridList> {
    let list = value.list()?;
    let count = list.entries.len();
    if count < 2 {
        return None;
    }
    if let Some(grid) = read_nested_lists(value) {
        return Some(GridList::Content(grid));
    }
    if count < 4 {
        return None;
    }
    match list.values().map(row_of).collect::<Option<Vec<_>>>() {
        Some(rows) => read_rows(&rows),
        None => read_flat_list(list),
    }
}

/// Returns the cells of a row: a list, perhaps in brackets of its own, or an object whose keys count the columns, as pandas writes it.
fn row_of<'v, 't>(value: &'v ValueNode<'t>) -> Option<&'v NodeGroup<'t>> {
    if let Some(object) = value.object() {
        let keys: Vec<&str> = object.entries.iter().map(|entry| entry.key.as_deref()).collect::<Option<_>>()?;
        return columns::is_header(&keys.join(" "), keys.len()).then_some(object);
    }
    let list = value.list()?;
    match list.entries.as_slice() {
        [only] => only.value.list().filter(|inner| inner.entries.len() >= 4).or(Some(list)),
        _ => Some(list),
    }
}

/// Returns the text of a row that consists of one text: `["53..7...."]`.
fn only_text<'v>(row: &'v NodeGroup<'_>) -> Option<&'v str> {
    let [only] = row.entries.as_slice() else { return None };
    only.value.scalar()
}

fn read_rows(rows: &[&NodeGroup<'_>]) -> Option<GridList> {
    let size = rows.len();
    if let Some(texts) = rows.iter().map(|row| only_text(row)).collect::<Option<Vec<_>>>() {
        return read_texts(&texts);
    }
    let cells = rows.iter().map(|row| row.values().map(CellEntry::from_value).collect());
    let cells: Vec<Vec<CellEntry>> = cells.collect::<Option<_>>()?;
    let mut widths_with_comma = rows.iter().filter(|row| row.has_trailing_comma).map(|row| row.entries.len());
    let first = widths_with_comma.next().unwrap_or_default();
    if let Some(other) = widths_with_comma.find(|&other| other != first) {
        let error = broken(format!("some rows that end in a comma have {first} cells, others {other}"));
        return Some(GridList::Damaged(error.with_help("write `null` for an empty cell")));
    }
    let has_lists = cells.iter().flatten().any(|cell| cell.candidates.is_some());
    if SIZES.contains(&size) && uneven_row(rows, size).is_none() {
        let padded = cells.into_iter().flat_map(|row| row.into_iter().chain([CellEntry::blank()]).take(size));
        return Some(grid_of_cells(padded.collect(), size));
    }
    // A damaged grid has at least 20 cells, and at least two thirds of its rows have the width of a board.
    let (rows_of_width, width) = usual_width(rows);
    if !SIZES.contains(&width) || rows_of_width * 3 < size * 2 || has_lists || size * width < 20 {
        return None;
    }
    Some(GridList::Damaged(broken(match uneven_row(rows, width) {
        Some(at) => format!("row {} has {} cells; the others have {width}", at + 1, rows[at].entries.len()),
        None => format!("it has {size} rows of {width} cells; a {width}×{width} grid has {width} rows"),
    })))
}

/// Finds the first row of another width. An empty cell may follow a comma at the end of a row.
fn uneven_row(rows: &[&NodeGroup<'_>], width: usize) -> Option<usize> {
    rows.iter()
        .position(|row| row.entries.len() != width && !(row.entries.len() + 1 == width && row.has_trailing_comma))
}

/// Returns (number of rows, width) for the most common width.
fn usual_width(rows: &[&NodeGroup<'_>]) -> (usize, usize) {
    let widths: Vec<usize> = rows.iter().map(|row| row.entries.len()).collect();
    let counted = widths.iter().map(|width| (widths.iter().filter(|other| *other == width).count(), *width));
    counted.max_by_key(|(count, _)| *count).unwrap_or_default()
}

fn read_texts(texts: &[&str]) -> Option<GridList> {
    let size = texts.len();
    let row_of_text = |text: &&str| -> String {
        if text.chars().count() == size {
            text.replace(' ', ".")
        } else {
            text.chars().filter(|c| !(c.is_whitespace() || "|,".contains(*c))).collect()
        }
    };
    let rows: Vec<String> = texts.iter().map(row_of_text).collect();
    if !SIZES.contains(&size) || !rows.iter().flat_map(|row| row.chars()).all(is_symbol) {
        return None;
    }
    let widths: Vec<usize> = rows.iter().map(|row| row.chars().count()).collect();
    let Some(at) = widths.iter().position(|width| *width != size) else {
        // Sixteen texts without a digit above 4 may be sixteen puzzles of 4×4.
        let has_small_digits =
            rows.concat().chars().all(|c| !c.is_alphanumeric() || matches!(c, '0'..='4' | 'x' | 'X'));
        return if size == 16 && has_small_digits { None } else { Some(GridList::Rows(rows)) };
    };
    let full_rows = widths.iter().filter(|width| **width == size).count();
    if full_rows * 2 <= size {
        return None;
    }
    Some(GridList::Damaged(broken(format!("row {} has {} cells; the others have {size}", at + 1, widths[at]))))
}

/// Reads a flat list: one text for each row, or one value for each cell.
fn read_flat_list(list: &NodeGroup<'_>) -> Option<GridList> {
    let texts: Option<Vec<&str>> = list.values().map(ValueNode::scalar).collect();
    if let Some(texts) = texts
        && texts.iter().all(|text| text.trim().chars().count() >= 4)
    {
        return read_texts(&texts);
    }
    let mut cells: Vec<CellEntry> = list.values().map(CellEntry::from_value).collect::<Option<_>>()?;
    if cells.iter().all(|cell| cell.coordinates.is_some()) {
        return Some(GridList::Content(place_by_coordinates(&cells)));
    }
    if size_with_cells(cells.len()).is_none() && list.has_trailing_comma && size_with_cells(cells.len() + 1).is_some() {
        cells.push(CellEntry::blank());
    }
    if let Some(size) = size_with_cells(cells.len()) {
        return Some(grid_of_cells(cells, size));
    }
    // Up to 12 cells may be any list. A longer list is probably a damaged puzzle.
    if cells.len() <= 12 {
        return None;
    }
    Some(GridList::Damaged(broken(format!("it has {} cells; no board has that many", cells.len()))))
}

/// Returns the lengths of nested lists of cells, outermost first. Returns `None` if lists of the same depth differ in length, or the
/// lists are more than four deep.
fn nested_lengths(value: &ValueNode<'_>, depth: usize) -> Option<Vec<usize>> {
    let Some(list) = value.list() else { return CellEntry::from_value(value).map(|_| Vec::new()) };
    if depth == 4 {
        return None;
    }
    let mut inner_lengths = list.values().map(|value| nested_lengths(value, depth + 1));
    let first = inner_lengths.next()??;
    if inner_lengths.any(|lengths| lengths.as_ref() != Some(&first)) {
        return None;
    }
    Some([vec![list.entries.len()], first].concat())
}

fn leaves(value: &ValueNode<'_>) -> Vec<CellEntry> {
    match value.list() {
        Some(list) => list.values().flat_map(leaves).collect(),
        None => CellEntry::from_value(value).into_iter().collect(),
    }
}

/// Reads nested lists of b×b×b×b or n×b×b cells. The cells may be listed row by row or box by box; only one order gives a valid puzzle.
fn read_nested_lists(value: &ValueNode<'_>) -> Option<Result<Content, FormatError>> {
    let (size, rows, columns) = match *nested_lengths(value, 0)? {
        [bands, stacks, rows, columns] if [bands, stacks, rows] == [columns; 3] => (rows * columns, rows, columns),
        [size, rows, columns] if size == rows * columns && SIZES.contains(&size) => (size, rows, columns),
        _ => return None,
    };
    if BoardSpec::usual_box_shape(size)? != (rows, columns) {
        return None;
    }
    let by_row = leaves(value);
    if by_row.iter().any(|cell| cell.digit > Some(size as u64)) {
        return None;
    }
    let boxes = boards::usual_box_numbers(size)?;
    // The cells of the board, box after box, and in board order within a box.
    let mut cells_of_boxes: Vec<usize> = (0..size * size).collect();
    cells_of_boxes.sort_by_key(|&cell| boxes[cell]);
    let mut by_box = vec![CellEntry::default(); size * size];
    for (cell, entry) in cells_of_boxes.into_iter().zip(&by_row) {
        by_box[cell] = entry.clone();
    }
    let cells = match (is_valid(&by_row, size), is_valid(&by_box, size)) {
        (true, true) => {
            let message = "its cells are a puzzle row by row and box by box";
            return Some(Err(broken(message).with_help(format!("write {size} lists of {size} cells"))));
        }
        (false, true) => by_box,
        _ => by_row,
    };
    match grid_of_cells(cells, size) {
        GridList::Content(content) => Some(content),
        GridList::Rows(_) | GridList::Damaged(_) => None,
    }
}

/// Returns true if the cells are a puzzle on the standard board: they have digits, and none repeats in a house.
fn is_valid(cells: &[CellEntry], size: usize) -> bool {
    content_of_cells(cells, size).is_ok_and(|content| content.into_puzzle(1, BoardChoice { required: None }).is_ok())
}

/// Arranges cells by their rows and columns.
fn place_by_coordinates(cells: &[CellEntry]) -> Result<Content, FormatError> {
    const ADVICE: &str = "list every cell, or write rows of cells";
    let numbers = cells.iter().filter_map(|cell| cell.coordinates).flat_map(|(row, column)| [row, column]);
    let (smallest, largest) = (numbers.clone().min().unwrap_or_default(), numbers.max().unwrap_or_default());
    let largest_digit = cells.iter().filter_map(|cell| cell.digit).max().unwrap_or_default();
    let smallest_size = largest.saturating_add(u64::from(smallest == 0)).max(largest_digit) as usize;
    let size = match size_with_cells(cells.len()).filter(|size| largest <= *size as u64) {
        // The list has every cell.
        Some(size) => size,
        // 7 and 8 occur on 9×9 boards far more often than on 8×8; smaller numbers leave the size open.
        None if (7..=9).contains(&smallest_size) => 9,
        None if smallest_size > 9 && BoardSpec::usual_box_shape(smallest_size).is_some() => smallest_size,
        None => {
            let message = format!("it lists {} cells with row and column, and not the size of the board", cells.len());
            return Err(broken(message).with_help(ADVICE));
        }
    };
    if smallest > 0 && largest < size as u64 {
        return Err(broken("it counts rows and columns from 0 or from 1: nothing shows from which").with_help(ADVICE));
    }
    let base = u64::from(smallest > 0);
    let mut grid = vec![CellEntry::default(); size * size];
    for cell in cells {
        let (row, column) = cell.coordinates.unwrap_or_default();
        let index = ((row - base) as usize) * size + (column - base) as usize;
        match grid.get_mut(index) {
            Some(entry) if column - base < size as u64 && entry.coordinates.is_none() => *entry = cell.clone(),
            _ => {
                return Err(broken(format!("row {row}, column {column} is listed twice or is not on the board")));
            }
        }
    }
    match grid_of_cells(grid, size) {
        GridList::Content(content) => content,
        GridList::Rows(_) | GridList::Damaged(_) => Err(broken("its cells are no grid")),
    }
}

/// The name of a cell as numbers from one: `r1c2`, or a letter and a digit, such as `A1`.
struct CellName {
    /// Row of `r1c2`, or number of the letter.
    first: u64,
    /// Column of `r1c2`, or the digit.
    second: u64,
    has_letter: bool,
}

impl CellName {
    fn parse(key: &str) -> Option<CellName> {
        let key = key.to_ascii_uppercase();
        if let Some((row, column)) = key.strip_prefix('R').and_then(|rest| rest.split_once('C')) {
            return Some(CellName { first: row.parse().ok()?, second: column.parse().ok()?, has_letter: false });
        }
        let first = "ABCDEFGHIJ".find(key.chars().next()?)? as u64 + 1;
        let second = key.get(1..)?.parse().ok().filter(|number| (1..=9).contains(number))?;
        Some(CellName { first, second, has_letter: true })
    }
}

/// Reads an object whose keys are cells: `r1c2`, or `A1` with a letter for the row or, as in spreadsheets, for the column. Also returns
/// a remark on the meaning of the letters.
pub(super) fn read_named_cells(object: &NodeGroup<'_>) -> Option<(Result<Content, FormatError>, Option<&'static str>)> {
    /// Fewest cells that tell a grid from other objects with short keys.
    const FEWEST_CELLS: usize = 8;
    if object.entries.len() < FEWEST_CELLS {
        return None;
    }
    let names = object.entries.iter().map(|entry| CellName::parse(entry.key.as_deref()?));
    let names: Vec<CellName> = names.collect::<Option<_>>()?;
    let entries: Vec<CellEntry> = object.values().map(CellEntry::from_value).collect::<Option<_>>()?;
    let has_letters = names[0].has_letter;
    // Some programs skip the letter I: then J is the ninth letter.
    let skips_i = has_letters && names.iter().any(|name| name.first == 10);
    if names.iter().any(|name| name.has_letter != has_letters || (skips_i && name.first == 9)) {
        return None;
    }
    let number_of_letter = |number: u64| if skips_i { number.min(9) } else { number };
    let mut coordinates: Vec<(u64, u64)> =
        names.iter().map(|name| (number_of_letter(name.first), name.second)).collect();
    let mut remark = None;
    if has_letters {
        // Cells are listed row by row, so the order of the keys shows if the letter or the digit is the row.
        let is_sorted_by_letter = coordinates.is_sorted();
        let is_sorted_by_digit = coordinates.is_sorted_by_key(|&(letter, digit)| (digit, letter));
        if is_sorted_by_letter == is_sorted_by_digit {
            let message =
                "nothing shows if the letters of its cells are rows, as in Sudoku, or columns, as in spreadsheets";
            let error = FormatError::new(error::AMBIGUOUS, (1, 1), message);
            return Some((Err(error.with_help("list the cells row by row, or name them r1c1")), None));
        }
        if is_sorted_by_digit {
            coordinates = coordinates.into_iter().map(|(column, row)| (row, column)).collect();
            remark = Some("the letters of the cells are read as columns");
        } else {
            remark = Some("the letters of the cells are read as rows");
        }
    }
    let cells = entries.into_iter().zip(coordinates);
    let cells: Vec<CellEntry> =
        cells.map(|(entry, coordinates)| CellEntry { coordinates: Some(coordinates), ..entry }).collect();
    Some((place_by_coordinates(&cells), remark))
}

/// Converts cells to a grid. Cells with candidates become rows of text, so that solved cells are recognized as in a drawn grid. But if
/// some cell is empty and has candidates, then unsolved cells are already known.
fn grid_of_cells(mut cells: Vec<CellEntry>, size: usize) -> GridList {
    if let Some(error) = cells.iter_mut().find_map(|cell| cell.error.take()) {
        return GridList::Content(Err(error));
    }
    let has_lists = cells.iter().any(|cell| cell.candidates.is_some() || (size <= 9 && cell.text.is_some()));
    if !has_lists || cells.iter().any(|cell| cell.is_blank && cell.candidates.is_some()) {
        return GridList::Content(content_of_cells(&cells, size));
    }
    let texts = cells.into_iter().map(|cell| match (cell.candidates, cell.text, cell.digit) {
        (Some(list), ..) if !list.is_empty() => list.into_iter().map(symbol_of).collect(),
        (_, Some(text), _) => text,
        (.., Some(digit)) => symbol_of(digit).to_string(),
        _ => ".".to_string(),
    });
    GridList::Rows(texts.collect::<Vec<String>>().chunks(size).map(|row| row.join(" ")).collect())
}

/// Returns the symbol of a digit from one, or `0` for a number that is no digit.
fn symbol_of(number: u64) -> char {
    match number {
        1..=25 => Digit(number as u8 - 1).symbol(),
        _ => '0',
    }
}

/// Converts cells to the content of a grid: digits, candidates, and which digits are clues.
fn content_of_cells(cells: &[CellEntry], size: usize) -> Result<Content, FormatError> {
    let mut content = Content::new(size)?;
    let largest = cells.iter().filter_map(CellEntry::number).max().unwrap_or_default();
    if cells.iter().any(|cell| cell.is_zero) && cells.iter().any(|cell| cell.is_blank) && largest < size as u64 {
        let message = "some cells are 0 and some are empty in another way, so 0 may be a digit";
        return Err(broken(message).with_help(format!("write 0 for an empty cell, and 1 to {size} for digits")));
    }
    for (index, cell) in cells.iter().enumerate() {
        if let Some(number) = cell.number() {
            content.put(index, number, cell.is_given != Some(false))?;
        }
        if let Some(list) = &cell.candidates {
            content.lists[index] = Some(list.iter().map(|&number| content.digit(number)).collect::<Result<_, _>>()?);
        }
    }
    Ok(content)
}
