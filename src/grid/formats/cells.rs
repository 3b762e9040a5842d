//! Cells of arrays. In: values of a document. Out: the grid in a list, cell by cell. No value is left out: one that is no cell makes
//! the list no grid.

use super::boards::{self, BoardChoice};
use super::content::{Content, Wrong};
use super::values::{NodeGroup, NodeKind, ValueNode};
use super::variants::simple;
use super::{cell_texts, columns, encoding};
use crate::grid::{BoardSpec, Digit, DigitSet};

/// Keys of an object that describes a cell.
const VALUES: [&str; 9] = ["value", "v", "digit", "number", "val", "num", "n", "d", "clue"];
const ROWS: [&str; 6] = ["row", "r", "y", "i", "rowindex", "line"];
const COLUMNS: [&str; 8] = ["col", "column", "c", "x", "j", "colindex", "columnindex", "cell"];
const GIVEN: [&str; 9] =
    ["given", "isgiven", "fixed", "isfixed", "locked", "readonly", "prefilled", "isinitial", "isclue"];
const EDITABLE: [&str; 3] = ["editable", "mutable", "iseditable"];
#[rustfmt::skip]
const CANDIDATES: [&str; 16] = [
    "candidates", "notes", "pencilmarks", "marks", "possible", "possibilities", "options", "centermarks",
    "centremarks", "centerpencilmarks", "pencil", "pencilmark", "cands", "cand", "draft", "c",
];
/// Parts of the names of lists that are no candidates.
#[rustfmt::skip]
const OTHER_LISTS: [&str; 14] = [
    "corner", "colo", "highlight", "style", "class", "peer", "neighbo", "history", "pos", "coord", "related",
    "conflict", "error", "region",
];

/// The sizes of boards.
const SIZES: std::ops::RangeInclusive<usize> = 4..=25;

/// A cell of an array.
#[derive(Clone, Debug, Default)]
struct CellEntry {
    digit: Option<u64>,
    /// True if the cell is empty because of a 0.
    zero: bool,
    /// True if the cell is empty because of another word.
    blank: bool,
    /// Digits of a quoted text: candidates on small boards, a number on large ones.
    text: Option<String>,
    candidates: Option<Vec<u64>>,
    /// True if the digit is a clue, `None` if the text doesn't say.
    given: Option<bool>,
    /// Row and column, counted as in the document.
    place: Option<(u64, u64)>,
    /// Error for a list of the cell that is not understood.
    wrong: Option<Wrong>,
}

/// A list read as a grid.
pub(super) enum GridList {
    /// Rows of characters, to be read as a text.
    Rows(Vec<String>),
    /// Cells.
    Content(Result<Content, Wrong>),
    /// Damaged grid, with its fault.
    Almost(Wrong),
    /// No grid.
    None,
}

/// Returns true if a word can be a cell.
pub(super) fn is_cell(word: &str) -> bool {
    let word = word.trim_matches(['"', '\'']);
    word == "-1" || word.chars().all(|c| c.is_ascii_digit()) || scalar(word, false).is_some()
}

/// Returns the row of cells in a value: the value itself, or the only list beside a word or two (`([5, 3, 0], 1)`).
pub(super) fn row_in<'v, 't>(value: &'v ValueNode<'t>) -> Option<&'v ValueNode<'t>> {
    let entries = &value.list()?.entries;
    let mut lists = entries.iter().filter(|entry| entry.value.is_group());
    if entries.len() <= 3
        && let (Some(only), None) = (lists.next(), lists.next())
    {
        return row_in(&only.value);
    }
    let is_row = (3..=25).contains(&entries.len()) && entries.iter().all(|cell| entry(&cell.value).is_some());
    is_row.then_some(value)
}

/// Counts the characters or numbers of a value.
pub(super) fn count(value: &ValueNode<'_>) -> usize {
    match &value.kind {
        NodeKind::Group(group) => group.entries.iter().map(|entry| count(&entry.value)).sum(),
        NodeKind::Text(text) => text.chars().count(),
        NodeKind::Word(word) => word.chars().count(),
        NodeKind::Hole => 1,
    }
}

/// Returns true for brackets without anything inside.
pub(super) fn is_empty(value: &ValueNode<'_>) -> bool {
    matches!(&value.kind, NodeKind::Group(group) if group.entries.is_empty())
}

/// Counts the numbers and words of a value.
pub(super) fn leaves(value: &ValueNode<'_>) -> usize {
    match &value.kind {
        NodeKind::Group(group) => group.entries.iter().map(|entry| leaves(&entry.value)).sum(),
        _ => 1,
    }
}

/// Returns the numbers, words and texts of a value.
pub(super) fn texts(value: &ValueNode<'_>) -> Vec<String> {
    match &value.kind {
        NodeKind::Group(group) => group.entries.iter().flat_map(|entry| texts(&entry.value)).collect(),
        _ => vec![value.scalar().unwrap_or_default().trim().to_string()],
    }
}

/// Returns one sign for each cell of a list or text that may be a map of regions.
pub(super) fn signs(value: &ValueNode<'_>) -> Option<String> {
    let all = texts(value);
    if all.len() <= 25 {
        let text: String = all.concat().chars().filter(|c| !c.is_whitespace()).collect();
        return Some(text);
    }
    Some(boards::signs(&boards::numbered(all.into_iter())))
}

/// Returns the entry of a number or word.
fn scalar(text: &str, quoted: bool) -> Option<CellEntry> {
    let text = text.trim();
    let is_zero = text.chars().all(|c| c == '0') && !text.is_empty();
    if !is_zero && cell_texts::is_empty(text) || matches!(text, "x" | "X" | "-1.0") {
        return Some(CellEntry { blank: true, ..CellEntry::default() });
    }
    let whole = encoding::value(text).map(|value| value.to_string());
    let number = whole.as_deref().unwrap_or(text);
    let mut signs = number.chars();
    let digits = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    if digits && number.chars().count() <= 2 && !(quoted && number.len() == 2) {
        let value: u64 = number.parse().ok()?;
        return Some(CellEntry { digit: (value > 0).then_some(value), zero: value == 0, ..CellEntry::default() });
    }
    if digits && quoted && number.len() <= 9 {
        let ascends = !number.starts_with('0') && number.as_bytes().windows(2).all(|pair| pair[0] < pair[1]);
        return match number.len() {
            _ if ascends => Some(CellEntry { text: Some(number.to_string()), ..CellEntry::default() }),
            2 => Some(CellEntry {
                digit: number.parse().ok().filter(|value| *value > 0),
                zero: number == "00",
                ..CellEntry::default()
            }),
            _ => None,
        };
    }
    match (signs.next().and_then(Digit::from_symbol), signs.next()) {
        (Some(digit), None) => Some(CellEntry { digit: Some(u64::from(digit.0) + 1), ..CellEntry::default() }),
        _ => None,
    }
}

/// Returns the entry of a value, if it can be a cell.
fn entry(value: &ValueNode<'_>) -> Option<CellEntry> {
    match &value.kind {
        NodeKind::Hole => Some(CellEntry { blank: true, ..CellEntry::default() }),
        NodeKind::Text(text) => scalar(text, true),
        NodeKind::Word(word) => scalar(word, false),
        NodeKind::Group(_) => match value.object() {
            Some(object) => of_object(object),
            None => {
                let candidates = candidates_of(value)?;
                Some(CellEntry { candidates: Some(candidates), ..CellEntry::default() })
            }
        },
    }
}

/// Returns the candidates in a list or text; `None` if one is repeated.
fn candidates_of(value: &ValueNode<'_>) -> Option<Vec<u64>> {
    let numbers: Vec<u64> = match &value.kind {
        NodeKind::Group(group) => {
            let number = |value: &ValueNode<'_>| {
                value.scalar().and_then(|text| scalar(text, false)).and_then(|entry| entry.digit)
            };
            group.entries.iter().map(|entry| number(&entry.value)).collect::<Option<_>>()?
        }
        _ => value
            .scalar()?
            .chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| c.to_digit(10).map(u64::from))
            .collect::<Option<_>>()?,
    };
    let once = numbers.iter().enumerate().all(|(at, number)| !numbers[..at].contains(number));
    (once && numbers.len() <= 25).then_some(numbers)
}

/// Returns the value under the first of these names.
fn named<'v, 't>(object: &'v NodeGroup<'t>, names: &[&str]) -> Option<&'v ValueNode<'t>> {
    names.iter().find_map(|wanted| {
        object
            .entries
            .iter()
            .find(|entry| entry.key.as_deref().is_some_and(|key| simple(key) == *wanted))
            .map(|entry| &entry.value)
    })
}

/// Returns the entry of an object that describes one cell.
fn of_object(object: &NodeGroup<'_>) -> Option<CellEntry> {
    let value = named(object, &VALUES);
    let (candidates, wrong) = match marks_of(object) {
        Ok(list) => (Some(list).filter(|list| !list.is_empty()), None),
        Err(wrong) => (None, Some(wrong)),
    };
    let mut out = match value {
        Some(value) => scalar(value.scalar()?, false)?,
        None if candidates.is_some() || object.entries.is_empty() => CellEntry { blank: true, ..CellEntry::default() },
        None => return None,
    };
    let flag = |names: &[&str]| {
        named(object, names).and_then(ValueNode::scalar).map(|text| matches!(text, "true" | "True" | "1"))
    };
    out.given = flag(&GIVEN).or_else(|| flag(&EDITABLE).map(|editable| !editable));
    out.candidates = if out.digit.is_none() { candidates } else { None };
    let number = |names: &[&str]| named(object, names).and_then(ValueNode::scalar).and_then(|text| text.parse().ok());
    out.place = number(&ROWS).zip(number(&COLUMNS));
    out.wrong = wrong;
    Some(out)
}

/// Returns true if some cell of rows of objects lists candidates under a name that f-puzzles does not use.
pub(super) fn lists_candidates(rows: &ValueNode<'_>) -> bool {
    let Some(rows) = rows.list() else { return false };
    let cells = rows.entries.iter().filter_map(|row| row.value.list()).flat_map(|row| &row.entries);
    cells.filter_map(|cell| cell.value.object()).any(|cell| {
        cell.get("centerPencilMarks").is_none()
            && cell.get("givenPencilMarks").is_none()
            && !matches!(marks_of(cell), Ok(list) if list.is_empty())
    })
}

/// Returns the candidates that an object lists for its cell.
///
/// # Errors
/// When it has a list that may be candidates in another form.
fn marks_of(object: &NodeGroup<'_>) -> Result<Vec<u64>, Wrong> {
    let mut found = Vec::new();
    for entry in &object.entries {
        let key = entry.key.as_deref().unwrap_or_default();
        let name = simple(key);
        let is_list = matches!(&entry.value.kind, NodeKind::Group(list) if !list.entries.is_empty());
        if CANDIDATES.contains(&name.as_str()) && (name != "c" || is_list) {
            found = listed_marks(&entry.value).ok_or_else(|| {
                let words = format!("`{key}` of a cell is no list of its digits");
                Wrong::broken(words).help("list the candidates of a cell: [1, 2, 3]")
            })?;
        } else if is_list && !OTHER_LISTS.iter().any(|word| name.contains(word)) {
            let words = format!("nothing says what `{key}` of a cell lists");
            return Err(Wrong::broken(words).help("call the candidates of a cell `candidates`"));
        }
    }
    Ok(found)
}

/// Returns candidates given as a list of digits, as text, or as true or 1 for each possible digit.
fn listed_marks(value: &ValueNode<'_>) -> Option<Vec<u64>> {
    const YES: [&str; 3] = ["true", "True", "1"];
    const NO: [&str; 5] = ["false", "False", "0", "null", "None"];
    match &value.kind {
        NodeKind::Hole => Some(Vec::new()),
        NodeKind::Word(word) => NO.contains(word).then(Vec::new),
        NodeKind::Text(text) if text.contains([',', ' ', ';']) => {
            let words = text.split([',', ' ', ';']).filter(|word| !word.is_empty());
            words.map(|word| word.parse().ok().filter(|number| (1..=25).contains(number))).collect()
        }
        NodeKind::Text(_) => candidates_of(value),
        NodeKind::Group(list) => {
            let flags: Option<Vec<bool>> = list
                .entries
                .iter()
                .map(|entry| {
                    let text = entry.value.scalar()?;
                    if YES.contains(&text) { Some(true) } else { NO.contains(&text).then_some(false) }
                })
                .collect();
            let Some(flags) = flags.filter(|flags| flags.contains(&false)) else {
                return if value.list().is_some() { candidates_of(value) } else { keys_of(list) };
            };
            if value.list().is_none() {
                let set = list.entries.iter().zip(flags).filter(|(_, set)| *set);
                return set.map(|(entry, _)| entry.key.as_deref()?.parse().ok()).collect();
            }
            SIZES
                .contains(&flags.len())
                .then(|| (1..).zip(flags).filter(|(_, set)| *set).map(|(digit, _)| digit).collect())
        }
    }
}

/// Returns the keys of an object whose values are all true.
fn keys_of(object: &NodeGroup<'_>) -> Option<Vec<u64>> {
    let is_true = |entry: &super::values::GroupEntry<'_>| matches!(entry.value.scalar(), Some("true" | "True" | "1"));
    object.entries.iter().map(|entry| entry.key.as_deref()?.parse().ok().filter(|_| is_true(entry))).collect()
}

/// Reads a list as a grid.
pub(super) fn grid(value: &ValueNode<'_>) -> GridList {
    let Some(list) = value.list() else { return GridList::None };
    let count = list.entries.len();
    if count < 4 && count != 2 && count != 3 {
        return GridList::None;
    }
    if let Some(blocks) = blocks(value) {
        return GridList::Content(blocks);
    }
    if count < 4 {
        return GridList::None;
    }
    let lists: Option<Vec<&NodeGroup<'_>>> = list.entries.iter().map(|entry| row_of(&entry.value)).collect();
    match lists {
        Some(rows) => of_rows(&rows),
        None => flat(list),
    }
}

/// Returns the cells of a row: a list, perhaps in brackets of its own, or an object whose keys count the columns, as pandas writes it.
fn row_of<'v, 't>(value: &'v ValueNode<'t>) -> Option<&'v NodeGroup<'t>> {
    if let Some(object) = value.object() {
        let keys: Option<Vec<&str>> = object.entries.iter().map(|entry| entry.key.as_deref()).collect();
        return keys.filter(|keys| columns::is_header(&keys.join(" "), keys.len())).map(|_| object);
    }
    let list = value.list()?;
    match list.entries.as_slice() {
        [only] => only.value.list().filter(|inner| inner.entries.len() >= 4).or(Some(list)),
        _ => Some(list),
    }
}

/// Reads rows that are lists.
fn of_rows(rows: &[&NodeGroup<'_>]) -> GridList {
    let size = rows.len();
    // A row in brackets that is one text.
    let single = |row: &&NodeGroup<'_>| match row.entries.as_slice() {
        [only] => only.value.scalar().map(str::to_string),
        _ => None,
    };
    if let Some(texts) = rows.iter().map(single).collect::<Option<Vec<_>>>() {
        return of_texts(&texts);
    }
    let cells: Option<Vec<Vec<CellEntry>>> =
        rows.iter().map(|row| row.entries.iter().map(|cell| entry(&cell.value)).collect()).collect();
    let Some(cells) = cells else { return GridList::None };
    if !SIZES.contains(&size) && size <= 25 {
        return GridList::None;
    }
    let width = |at: usize| rows[at].entries.len();
    let fits = |at: usize| width(at) == size || (width(at) + 1 == size && rows[at].trailing);
    let mut trailing = (0..size).filter(|&at| rows[at].trailing).map(width);
    let first = trailing.next();
    if let Some(other) = trailing.find(|&other| Some(other) != first) {
        let words = format!("a comma ends rows of {} and of {other} cells", first.unwrap_or_default());
        return GridList::Almost(Wrong::broken(words).help("write `null` for an empty cell"));
    }
    if SIZES.contains(&size) && (0..size).all(fits) {
        let padded = cells.into_iter().flat_map(|mut row| {
            row.resize_with(size, || CellEntry { blank: true, ..CellEntry::default() });
            row
        });
        return content(padded.collect(), size);
    }
    // A damaged grid has cells in most rows, and most rows as long as a board is wide.
    let usual =
        (0..size).map(width).max_by_key(|&wide| (0..size).filter(|&at| width(at) == wide).count()).unwrap_or_default();
    let equal = (0..size).filter(|&at| width(at) == usual).count();
    let without_lists = cells.iter().flatten().all(|cell| cell.candidates.is_none());
    if !SIZES.contains(&usual) || equal * 3 < size * 2 || !without_lists || size * usual < 20 {
        return GridList::None;
    }
    match (0..size).find(|&at| width(at) != usual && !(width(at) + 1 == usual && rows[at].trailing)) {
        Some(at) => {
            GridList::Almost(Wrong::broken(format!("row {} has {} cells; the others have {usual}", at + 1, width(at))))
        }
        None => GridList::Almost(Wrong::broken(format!(
            "it has {size} rows of {usual} cells; a {usual}×{usual} grid has {usual} rows"
        ))),
    }
}

/// Reads rows that are texts.
fn of_texts(texts: &[String]) -> GridList {
    let size = texts.len();
    let cells = |text: &String| match text.chars().count() == size {
        true => text.replace(' ', "."),
        false => text.chars().filter(|c| !(c.is_whitespace() || "|,".contains(*c))).collect(),
    };
    let rows: Vec<String> = texts.iter().map(cells).collect();
    if !SIZES.contains(&size) || !rows.iter().all(|row: &String| row.chars().all(super::puzzle::is_symbol)) {
        return GridList::None;
    }
    let good = rows.iter().filter(|row: &&String| row.chars().count() == size).count();
    if good == size {
        // Sixteen puzzles of 4×4 have no digit above 4.
        let small = size == 16
            && !rows.iter().any(|row| row.chars().any(|c| c.is_alphanumeric() && !matches!(c, '0'..='4' | 'x' | 'X')));
        return if small { GridList::None } else { GridList::Rows(rows) };
    }
    match rows.iter().position(|row| row.chars().count() != size).filter(|_| good * 2 > size) {
        Some(at) => {
            let count = rows[at].chars().count();
            GridList::Almost(Wrong::broken(format!("row {} has {count} cells; the others have {size}", at + 1)))
        }
        None => GridList::None,
    }
}

/// Reads a list without lists of rows in it.
fn flat(list: &NodeGroup<'_>) -> GridList {
    let texts: Option<Vec<String>> =
        list.entries.iter().map(|entry| entry.value.scalar().map(str::to_string)).collect();
    if let Some(texts) = texts.filter(|texts| texts.iter().all(|text| text.trim().chars().count() >= 4)) {
        return of_texts(&texts);
    }
    let cells: Option<Vec<CellEntry>> = list.entries.iter().map(|cell| entry(&cell.value)).collect();
    let Some(mut cells) = cells else { return GridList::None };
    if cells.iter().all(|cell| cell.place.is_some()) {
        return GridList::Content(placed(&cells));
    }
    let size = |count: usize| SIZES.into_iter().find(|size| size * size == count);
    if size(cells.len()).is_none() && list.trailing && size(cells.len() + 1).is_some() {
        cells.push(CellEntry { blank: true, ..CellEntry::default() });
    }
    match size(cells.len()) {
        Some(size) => content(cells, size),
        None if cells.len() > 12 => {
            GridList::Almost(Wrong::broken(format!("it has {} cells; no board has that many", cells.len())))
        }
        None => GridList::None,
    }
}

/// Reads nested lists, b×b×b×b or n×b×b, by rows or by boxes: the order in which no digit is twice in a house.
fn blocks(value: &ValueNode<'_>) -> Option<Result<Content, Wrong>> {
    fn shape(value: &ValueNode<'_>, depth: usize) -> Option<Vec<usize>> {
        let Some(list) = value.list() else { return entry(value).map(|_| Vec::new()) };
        if depth == 4 {
            return None;
        }
        let mut shapes = list.entries.iter().map(|entry| shape(&entry.value, depth + 1));
        let mut first = shapes.next()??;
        if !shapes.all(|other| other.as_ref() == Some(&first)) {
            return None;
        }
        first.insert(0, list.entries.len());
        Some(first)
    }
    fn leaves(value: &ValueNode<'_>, out: &mut Vec<CellEntry>) {
        match value.list() {
            Some(list) => list.entries.iter().for_each(|entry| leaves(&entry.value, out)),
            None => out.extend(entry(value)),
        }
    }
    let dims = shape(value, 0)?;
    let (size, rows, columns) = match dims.as_slice() {
        [bands, stacks, rows, columns] if bands == columns && stacks == rows && rows == columns => {
            (rows * columns, *rows, *columns)
        }
        [size, rows, columns] if *size == rows * columns && SIZES.contains(size) => (*size, *rows, *columns),
        _ => return None,
    };
    if BoardSpec::standard(size)?.boxes()? != (rows, columns) {
        return None;
    }
    let mut cells = Vec::new();
    leaves(value, &mut cells);
    if cells.iter().any(|cell| cell.digit > Some(size as u64)) {
        return None;
    }
    let boxes = boards::usual_boxes(size)?;
    // Cells by boxes: box after box, each in board order.
    let mut order: Vec<usize> = (0..size * size).collect();
    order.sort_by_key(|&cell| boxes[cell]);
    let mut by_box = vec![CellEntry::default(); size * size];
    order.into_iter().zip(&cells).for_each(|(cell, entry)| by_box[cell] = entry.clone());
    let by_row = cells;
    let cells = match (is_valid(&by_row, size), is_valid(&by_box, size)) {
        (true, false) => by_row,
        (false, true) => by_box,
        (false, false) => by_row,
        (true, true) => {
            let words = "its cells are a puzzle row by row and box by box";
            return Some(Err(Wrong::broken(words).help(format!("write {size} lists of {size} cells"))));
        }
    };
    match content(cells, size) {
        GridList::Content(content) => Some(content),
        _ => None,
    }
}

/// Returns true if cells have a digit, and none twice in a house.
fn is_valid(cells: &[CellEntry], size: usize) -> bool {
    digits_of(cells, size).is_ok_and(|content| content.into_puzzle(1, BoardChoice { only: None }).is_ok())
}

/// Reads cells, each with its row and column.
fn placed(cells: &[CellEntry]) -> Result<Content, Wrong> {
    let numbers = || cells.iter().filter_map(|cell| cell.place).flat_map(|(row, column)| [row, column]);
    let (least, most) = (numbers().min().unwrap_or_default(), numbers().max().unwrap_or_default());
    let digit = cells.iter().filter_map(|cell| cell.digit).max().unwrap_or_default();
    let whole = SIZES.into_iter().find(|size| size * size == cells.len() && most < *size as u64 + 1);
    let needed = most.saturating_add(u64::from(least == 0)).max(digit) as usize;
    let size = match whole {
        Some(size) => size,
        None if (7..=9).contains(&needed) => 9,
        None if SIZES.contains(&needed) && BoardSpec::standard(needed).is_some() && needed > 9 => needed,
        None => {
            let words = format!("it lists {} cells with row and column, and not the size of the board", cells.len());
            return Err(Wrong::broken(words).help("list every cell, or write rows of cells"));
        }
    };
    if least > 0 && most < size as u64 {
        let words = "it counts rows and columns from 0 or from 1: nothing shows from which";
        return Err(Wrong::broken(words).help("list every cell, or write rows of cells"));
    }
    let mut all = vec![CellEntry::default(); size * size];
    for cell in cells {
        let (row, column) = cell.place.unwrap_or_default();
        let base = u64::from(least > 0);
        let index = ((row - base) as usize) * size + (column - base) as usize;
        match all.get_mut(index) {
            Some(here) if column - base < size as u64 && here.place.is_none() => *here = cell.clone(),
            _ => {
                return Err(Wrong::broken(format!(
                    "row {row}, column {column} is listed twice or is not on the board"
                )));
            }
        }
    }
    match content(all, size) {
        GridList::Content(content) => content,
        _ => Err(Wrong::broken("its cells are no grid")),
    }
}

/// Reads an object whose keys are cells: `r1c2`, or `A1` with a letter for the row or, as in spreadsheets, for the column. Also returns a
/// remark on the letters.
pub(super) fn named_cells(object: &NodeGroup<'_>) -> Option<(Result<Content, Wrong>, Option<&'static str>)> {
    let place = |key: &str| -> Option<((u64, u64), bool)> {
        let key = key.to_ascii_uppercase();
        if let Some((row, column)) = key.strip_prefix('R').and_then(|rest| rest.split_once('C')) {
            return Some(((row.parse().ok()?, column.parse().ok()?), false));
        }
        let (letter, number) = (key.chars().next()?, key.get(1..)?);
        let letter = u64::try_from("ABCDEFGHIJ".find(letter)?).ok()? + 1;
        Some(((letter, number.parse().ok().filter(|number| (1..=9).contains(number))?), true))
    };
    if object.entries.len() < SMALLEST_OBJECT {
        return None;
    }
    let places: Vec<((u64, u64), bool)> =
        object.entries.iter().map(|cell| place(cell.key.as_deref()?)).collect::<Option<_>>()?;
    let entries: Vec<CellEntry> = object.entries.iter().map(|cell| entry(&cell.value)).collect::<Option<_>>()?;
    let by_letter = places[0].1;
    let mut places: Vec<(u64, u64)> =
        places.into_iter().map(|(place, letter)| (letter == by_letter).then_some(place)).collect::<Option<_>>()?;
    // With a J, there is no I.
    if by_letter && places.iter().any(|(letter, _)| *letter == 10) {
        let without_i = |(letter, number): (u64, u64)| (letter != 9).then_some((letter.min(9), number));
        places = places.into_iter().map(without_i).collect::<Option<_>>()?;
    }
    let turned = |(row, column): &(u64, u64)| (*column, *row);
    // The order of the keys decides: cells are listed row by row.
    let remark = match (places.is_sorted(), places.is_sorted_by_key(turned)) {
        _ if !by_letter => None,
        (true, false) => Some("the letters of the cells are read as rows"),
        (false, true) => {
            places.iter_mut().for_each(|place| *place = turned(place));
            Some("the letters of the cells are read as columns")
        }
        _ => {
            let words =
                "nothing shows if the letters of its cells are rows, as in Sudoku, or columns, as in spreadsheets";
            return Some((Err(Wrong::ambiguous(words).help("list the cells row by row, or name them r1c1")), None));
        }
    };
    let cells: Vec<CellEntry> =
        entries.into_iter().zip(places).map(|(entry, place)| CellEntry { place: Some(place), ..entry }).collect();
    Some((placed(&cells), remark))
}

/// Fewest cells of an object that names its cells.
const SMALLEST_OBJECT: usize = 8;

/// Reads the grid of these cells.
fn content(mut cells: Vec<CellEntry>, size: usize) -> GridList {
    if let Some(wrong) = cells.iter_mut().find_map(|cell| cell.wrong.take()) {
        return GridList::Content(Err(wrong));
    }
    match listed(&cells, size) {
        true => rows_of_lists(&cells, size),
        false => GridList::Content(digits_of(&cells, size)),
    }
}

/// Returns true if some cell is a list of candidates, and no cell says that it is a clue.
fn listed(cells: &[CellEntry], size: usize) -> bool {
    cells.iter().any(|cell: &CellEntry| cell.candidates.is_some() || (size <= 9 && cell.text.is_some()))
        && !cells.iter().any(|cell| cell.blank && cell.candidates.is_some())
}

/// Reads candidates of cells as rows of text.
fn rows_of_lists(cells: &[CellEntry], size: usize) -> GridList {
    let shown = |cell: &CellEntry| match (&cell.candidates, &cell.text, cell.digit) {
        (Some(list), ..) if !list.is_empty() => list.iter().map(|&number| symbol_of(number)).collect(),
        (_, Some(text), _) => text.clone(),
        (.., Some(digit)) => symbol_of(digit).to_string(),
        _ => ".".to_string(),
    };
    GridList::Rows(cells.chunks(size).map(|row| row.iter().map(shown).collect::<Vec<_>>().join(" ")).collect())
}

/// Returns the sign of a digit, or `0` for a number that is none.
fn symbol_of(number: u64) -> char {
    number.checked_sub(1).filter(|at| *at < 25).map_or('0', |at| Digit(at as u8).symbol())
}

fn digits_of(cells: &[CellEntry], size: usize) -> Result<Content, Wrong> {
    let mut content = Content::new(size)?;
    let number = |cell: &CellEntry| cell.digit.or_else(|| cell.text.as_ref()?.parse().ok());
    let largest = cells.iter().filter_map(number).max().unwrap_or_default();
    if cells.iter().any(|cell| cell.zero) && cells.iter().any(|cell| cell.blank) && largest < size as u64 {
        let words = "some cells are 0 and some are empty in another way, so 0 may be a digit";
        return Err(Wrong::broken(words).help(format!("write 0 for an empty cell, and 1 to {size} for digits")));
    }
    for (index, cell) in cells.iter().enumerate() {
        if let Some(number) = number(cell) {
            let digit = Some(content.digit(number)?);
            if cell.given == Some(false) { content.placed[index] = digit } else { content.givens[index] = digit }
        }
        if let Some(list) = &cell.candidates {
            let digits: Result<DigitSet, Wrong> = list.iter().map(|&number| content.digit(number)).collect();
            content.lists[index] = Some(digits?);
        }
    }
    Ok(content)
}
