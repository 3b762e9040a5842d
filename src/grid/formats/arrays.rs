//! Cells of arrays. In: values of a document. Out: the grid in a list, cell by cell. No value is left out: one that is no cell makes
//! the list no grid.

use super::boards::{self, BoardChoice, SIZES, has_repetition, size_with_cells};
use super::error::{self, FormatError, broken};
use super::link::all_digits;
use super::puzzle::{Content, is_symbol};
use super::rule_entries::simple;
use super::values::{NodeGroup, NodeKind, ValueNode};
use super::{cell_texts, columns, encoding};
use crate::grid::{BoardSpec, Digit};

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
/// Substrings of keys whose lists are no candidates.
#[rustfmt::skip]
const OTHER_LISTS: [&str; 14] = [
    "corner", "colo", "highlight", "style", "class", "peer", "neighbo", "history", "pos", "coord", "related",
    "conflict", "error", "region",
];

/// A cell of an array.
#[derive(Clone, Debug, Default)]
struct CellEntry {
    digit: Option<u64>,
    /// True if the cell is empty because of a 0.
    zero: bool,
    /// True if the cell is empty because of a symbol other than 0, such as `.` or `null`.
    blank: bool,
    /// Digits of a quoted text: candidates on small boards, a number on large ones.
    text: Option<String>,
    candidates: Option<Vec<u64>>,
    /// True if the digit is a clue, `None` if the text doesn't say.
    given: Option<bool>,
    /// Row and column, counted as in the document.
    place: Option<(u64, u64)>,
    /// Error for a list of the cell that is not understood.
    wrong: Option<FormatError>,
}

impl CellEntry {
    fn blank() -> CellEntry {
        CellEntry { blank: true, ..CellEntry::default() }
    }

    /// Returns the cell of a number; 0 is an empty cell.
    fn number(value: u64) -> CellEntry {
        CellEntry { digit: Some(value).filter(|value| *value > 0), zero: value == 0, ..CellEntry::default() }
    }

    /// Reads a number or word.
    fn of_text(text: &str, quoted: bool) -> Option<CellEntry> {
        let text = text.trim();
        let is_zero = text.chars().all(|c| c == '0') && !text.is_empty();
        if !is_zero && cell_texts::is_empty(text) || matches!(text, "x" | "X" | "-1.0") {
            return Some(CellEntry::blank());
        }
        let whole = encoding::value(text).map(|value| value.to_string());
        let number = whole.as_deref().unwrap_or(text);
        if !all_digits(number) {
            let mut symbols = number.chars();
            let digit = symbols.next().and_then(Digit::from_symbol).filter(|_| symbols.next().is_none())?;
            return Some(CellEntry::number(u64::from(digit.0) + 1));
        }
        let ascends = !number.starts_with('0') && number.as_bytes().is_sorted_by(|a, b| a < b);
        match number.len() {
            2..=9 if quoted && ascends => Some(CellEntry { text: Some(number.to_string()), ..CellEntry::default() }),
            1 | 2 => Some(CellEntry::number(number.parse().ok()?)),
            _ => None,
        }
    }

    /// Reads a value, if it can be a cell.
    fn of(value: &ValueNode<'_>) -> Option<CellEntry> {
        match &value.kind {
            NodeKind::Hole => Some(CellEntry::blank()),
            NodeKind::Text(text) => CellEntry::of_text(text, true),
            NodeKind::Word(word) => CellEntry::of_text(word, false),
            NodeKind::Group(_) => match value.object() {
                Some(object) => CellEntry::of_object(object),
                None => Some(CellEntry { candidates: Some(candidates_of(value)?), ..CellEntry::default() }),
            },
        }
    }

    /// Reads an object that describes one cell.
    fn of_object(object: &NodeGroup<'_>) -> Option<CellEntry> {
        let (candidates, wrong) = match marks_of(object) {
            Ok(list) => (Some(list).filter(|list| !list.is_empty()), None),
            Err(wrong) => (None, Some(wrong)),
        };
        let out = match named(object, &VALUES) {
            Some(value) => CellEntry::of_text(value.scalar()?, false)?,
            None if candidates.is_some() || object.entries.is_empty() => CellEntry::blank(),
            None => return None,
        };
        let [given, editable, row, column] =
            [&GIVEN[..], &EDITABLE, &ROWS, &COLUMNS].map(|names| named(object, names).and_then(ValueNode::scalar));
        let [row, column] = [row, column].map(|text| text?.parse().ok());
        Some(CellEntry {
            given: given.map(is_true).or(editable.map(|text| !is_true(text))),
            candidates: candidates.filter(|_| out.digit.is_none()),
            place: row.zip(column),
            wrong,
            ..out
        })
    }

    /// Returns the digit, or the number of a quoted text.
    fn value(&self) -> Option<u64> {
        self.digit.or_else(|| self.text.as_ref()?.parse().ok())
    }
}

/// A list read as a grid.
pub(super) enum GridList {
    /// Rows of characters, to be read as a text.
    Rows(Vec<String>),
    /// Cells, or the error of a list that certainly is a grid.
    Content(Result<Content, FormatError>),
    /// Damaged grid, with its fault.
    Almost(FormatError),
}

impl GridList {
    fn almost(words: String) -> GridList {
        GridList::Almost(broken(words))
    }
}

/// Returns true if a word can be a cell.
pub(super) fn is_cell(word: &str) -> bool {
    let word = word.trim_matches(['"', '\'']);
    word == "-1" || all_digits(word) || CellEntry::of_text(word, false).is_some()
}

/// Returns the row of cells in a value: the value itself, or the only list beside a word or two (`([5, 3, 0], 1)`).
pub(super) fn row_in<'v, 't>(value: &'v ValueNode<'t>) -> Option<&'v ValueNode<'t>> {
    let list = value.list()?;
    let count = list.entries.len();
    let mut lists = list.values().filter(|value| value.is_group());
    if count <= 3
        && let (Some(only), None) = (lists.next(), lists.next())
    {
        return row_in(only);
    }
    ((3..=25).contains(&count) && list.values().all(|cell| CellEntry::of(cell).is_some())).then_some(value)
}

/// Counts the characters or numbers of a value.
pub(super) fn count(value: &ValueNode<'_>) -> usize {
    match &value.kind {
        NodeKind::Group(group) => group.values().map(count).sum(),
        NodeKind::Text(text) => text.chars().count(),
        NodeKind::Word(word) => word.chars().count(),
        NodeKind::Hole => 1,
    }
}

/// Returns the numbers, words and texts of a value.
pub(super) fn texts<'v>(value: &'v ValueNode<'_>) -> Vec<&'v str> {
    match &value.kind {
        NodeKind::Group(group) => group.values().flat_map(texts).collect(),
        _ => vec![value.scalar().unwrap_or_default().trim()],
    }
}

/// Returns one symbol for each cell of a list or text that may be a map of regions.
pub(super) fn region_symbols(value: &ValueNode<'_>) -> Option<String> {
    let all = texts(value);
    match all.len() {
        0..=25 => Some(all.concat().split_whitespace().collect()),
        _ => Some(boards::region_symbols(&boards::region_numbers(all.into_iter()))),
    }
}

/// Returns the candidates in a list or text; `None` if one is repeated.
fn candidates_of(value: &ValueNode<'_>) -> Option<Vec<u64>> {
    let numbers: Option<Vec<u64>> = match &value.kind {
        NodeKind::Group(group) => {
            group.values().map(|value| CellEntry::of_text(value.scalar()?, false)?.digit).collect()
        }
        _ => value.scalar()?.split_whitespace().flat_map(str::chars).map(|c| c.to_digit(10).map(u64::from)).collect(),
    };
    numbers.filter(|numbers| !has_repetition(numbers) && numbers.len() <= 25)
}

/// Returns the value under the first of these names.
fn named<'v, 't>(object: &'v NodeGroup<'t>, names: &[&str]) -> Option<&'v ValueNode<'t>> {
    let found = names.iter().find_map(|wanted| {
        object.entries.iter().find(|entry| entry.key.as_deref().is_some_and(|key| simple(key) == *wanted))
    });
    found.map(|entry| &entry.value)
}

/// Returns true if the object of some cell lists candidates, but not under the key of f-puzzles.
pub(super) fn lists_candidates(rows: &ValueNode<'_>) -> bool {
    let Some(rows) = rows.list() else { return false };
    let mut cells = rows.values().filter_map(ValueNode::list).flat_map(NodeGroup::values).filter_map(ValueNode::object);
    cells.any(|cell| {
        cell.get("centerPencilMarks").is_none()
            && cell.get("givenPencilMarks").is_none()
            && !matches!(marks_of(cell), Ok(list) if list.is_empty())
    })
}

/// Returns the candidates that an object lists for its cell.
///
/// # Errors
/// When it has a list that may be candidates in another form.
fn marks_of(object: &NodeGroup<'_>) -> Result<Vec<u64>, FormatError> {
    let mut found = Vec::new();
    for entry in &object.entries {
        let key = entry.key.as_deref().unwrap_or_default();
        let name = simple(key);
        let is_list = matches!(&entry.value.kind, NodeKind::Group(list) if !list.entries.is_empty());
        if CANDIDATES.contains(&name.as_str()) && (name != "c" || is_list) {
            found = listed_marks(&entry.value).ok_or_else(|| {
                let message = format!("`{key}` of a cell is no list of its digits");
                broken(message).with_help("list the candidates of a cell: [1, 2, 3]")
            })?;
        } else if is_list && !OTHER_LISTS.iter().any(|word| name.contains(word)) {
            let message = format!("nothing says what `{key}` of a cell lists");
            return Err(broken(message).with_help("call the candidates of a cell `candidates`"));
        }
    }
    Ok(found)
}

fn is_true(text: &str) -> bool {
    matches!(text, "true" | "True" | "1")
}

/// Returns candidates given as a list of digits, as text, or as true or 1 for each possible digit.
fn listed_marks(value: &ValueNode<'_>) -> Option<Vec<u64>> {
    const NO: [&str; 5] = ["false", "False", "0", "null", "None"];
    let list = match &value.kind {
        NodeKind::Hole => return Some(Vec::new()),
        NodeKind::Word(word) => return NO.contains(word).then(Vec::new),
        NodeKind::Text(text) if text.contains([',', ' ', ';']) => {
            let words = text.split([',', ' ', ';']).filter(|word| !word.is_empty());
            return words.map(|word| word.parse().ok().filter(|number| (1..=25).contains(number))).collect();
        }
        NodeKind::Text(_) => return candidates_of(value),
        NodeKind::Group(list) => list,
    };
    let flags = list.values().map(|value| value.scalar().filter(|text| is_true(text) || NO.contains(text)));
    let flags: Option<Vec<bool>> = flags.map(|text| text.map(is_true)).collect();
    match flags {
        Some(flags) if value.object().is_some() => {
            let set = list.entries.iter().zip(flags).filter(|(_, set)| *set);
            set.map(|(entry, _)| entry.key.as_deref()?.parse().ok()).collect()
        }
        Some(flags) if flags.contains(&false) => {
            let set = (1..).zip(&flags).filter(|(_, set)| **set);
            SIZES.contains(&flags.len()).then(|| set.map(|(digit, _)| digit).collect())
        }
        _ => value.list().and_then(|_| candidates_of(value)),
    }
}

/// Reads a list as a grid; `None` if it is no grid.
pub(super) fn grid(value: &ValueNode<'_>) -> Option<GridList> {
    let list = value.list()?;
    let count = list.entries.len();
    if count < 2 {
        return None;
    }
    if let Some(blocks) = blocks(value) {
        return Some(GridList::Content(blocks));
    }
    match list.values().map(row_of).collect::<Option<Vec<_>>>() {
        _ if count < 4 => None,
        Some(rows) => of_rows(&rows),
        None => flat(list),
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

/// Reads rows that are lists.
fn of_rows(rows: &[&NodeGroup<'_>]) -> Option<GridList> {
    let size = rows.len();
    // Rows such as `["53..7...."]`: a list of one text each.
    let single = rows.iter().map(|row| row.values().next().filter(|_| row.entries.len() == 1)?.scalar());
    if let Some(texts) = single.collect::<Option<Vec<_>>>() {
        return of_texts(&texts);
    }
    let cells = rows.iter().map(|row| row.values().map(CellEntry::of).collect());
    let cells: Vec<Vec<CellEntry>> = cells.collect::<Option<_>>()?;
    let mut trailing = rows.iter().filter(|row| row.trailing).map(|row| row.entries.len());
    let first = trailing.next().unwrap_or_default();
    if let Some(other) = trailing.find(|&other| other != first) {
        let error = broken(format!("some rows that end in a comma have {first} cells, others {other}"));
        return Some(GridList::Almost(error.with_help("write `null` for an empty cell")));
    }
    let without_lists = cells.iter().flatten().all(|cell| cell.candidates.is_none());
    if SIZES.contains(&size) && uneven_row(rows, size).is_none() {
        let padded = cells.into_iter().flat_map(|row| row.into_iter().chain([CellEntry::blank()]).take(size));
        return Some(content(padded.collect(), size));
    }
    // A damaged grid: most rows have cells, and most rows have the width of a board.
    let (common, usual) = usual_width(rows);
    if !SIZES.contains(&usual) || common * 3 < size * 2 || !without_lists || size * usual < 20 {
        return None;
    }
    Some(GridList::almost(match uneven_row(rows, usual) {
        Some(at) => format!("row {} has {} cells; the others have {usual}", at + 1, rows[at].entries.len()),
        None => format!("it has {size} rows of {usual} cells; a {usual}×{usual} grid has {usual} rows"),
    }))
}

/// Finds a row of another width; a comma at its end may stand for a last cell.
fn uneven_row(rows: &[&NodeGroup<'_>], width: usize) -> Option<usize> {
    rows.iter().position(|row| row.entries.len() != width && !(row.entries.len() + 1 == width && row.trailing))
}

/// Returns the number of the rows with the most common width, and that width.
fn usual_width(rows: &[&NodeGroup<'_>]) -> (usize, usize) {
    let widths: Vec<usize> = rows.iter().map(|row| row.entries.len()).collect();
    let counted = widths.iter().map(|width| (widths.iter().filter(|other| *other == width).count(), *width));
    counted.max_by_key(|(count, _)| *count).unwrap_or_default()
}

/// Reads rows that are texts.
fn of_texts(texts: &[&str]) -> Option<GridList> {
    let size = texts.len();
    let rows = texts.iter().map(|text| match text.chars().count() == size {
        true => text.replace(' ', "."),
        false => text.chars().filter(|c| !(c.is_whitespace() || "|,".contains(*c))).collect(),
    });
    let rows: Vec<String> = rows.collect();
    if !SIZES.contains(&size) || !rows.iter().flat_map(|row| row.chars()).all(is_symbol) {
        return None;
    }
    let widths: Vec<usize> = rows.iter().map(|row| row.chars().count()).collect();
    let Some(at) = widths.iter().position(|width| *width != size) else {
        // Sixteen texts without a digit above 4 may be sixteen puzzles of 4×4.
        let small = rows.concat().chars().all(|c| !c.is_alphanumeric() || matches!(c, '0'..='4' | 'x' | 'X'));
        return (size != 16 || !small).then_some(GridList::Rows(rows));
    };
    let good = widths.iter().filter(|width| **width == size).count();
    (good * 2 > size)
        .then(|| GridList::almost(format!("row {} has {} cells; the others have {size}", at + 1, widths[at])))
}

/// Reads a flat list: one text for each row, or one value for each cell.
fn flat(list: &NodeGroup<'_>) -> Option<GridList> {
    let texts: Option<Vec<&str>> = list.values().map(ValueNode::scalar).collect();
    if let Some(texts) = texts.filter(|texts| texts.iter().all(|text| text.trim().chars().count() >= 4)) {
        return of_texts(&texts);
    }
    let mut cells: Vec<CellEntry> = list.values().map(CellEntry::of).collect::<Option<_>>()?;
    if cells.iter().all(|cell| cell.place.is_some()) {
        return Some(GridList::Content(placed(&cells)));
    }
    if size_with_cells(cells.len()).is_none() && list.trailing && size_with_cells(cells.len() + 1).is_some() {
        cells.push(CellEntry::blank());
    }
    match (size_with_cells(cells.len()), cells.len()) {
        (Some(size), _) => Some(content(cells, size)),
        (None, count) => {
            (count > 12).then(|| GridList::almost(format!("it has {count} cells; no board has that many")))
        }
    }
}

/// Returns the lengths of nested lists of cells, if all lists of a depth have the same length.
fn shape(value: &ValueNode<'_>, depth: usize) -> Option<Vec<usize>> {
    let Some(list) = value.list() else { return CellEntry::of(value).map(|_| Vec::new()) };
    if depth == 4 {
        return None;
    }
    let mut shapes = list.values().map(|value| shape(value, depth + 1));
    let first = shapes.next()??;
    shapes.all(|other| other.as_ref() == Some(&first)).then(|| [vec![list.entries.len()], first].concat())
}

/// Collects the cells of nested lists.
fn leaves(value: &ValueNode<'_>) -> Vec<CellEntry> {
    match value.list() {
        Some(list) => list.values().flat_map(leaves).collect(),
        None => CellEntry::of(value).into_iter().collect(),
    }
}

/// Reads nested lists, b×b×b×b or n×b×b. Tries them by rows and by boxes, and takes the order in which no house has a digit twice.
fn blocks(value: &ValueNode<'_>) -> Option<Result<Content, FormatError>> {
    let (size, rows, columns) = match *shape(value, 0)? {
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
    // Cells by boxes: box after box, each in board order.
    let mut order: Vec<usize> = (0..size * size).collect();
    order.sort_by_key(|&cell| boxes[cell]);
    let mut by_box = vec![CellEntry::default(); size * size];
    order.into_iter().zip(&by_row).for_each(|(cell, entry)| by_box[cell] = entry.clone());
    let cells = match (is_valid(&by_row, size), is_valid(&by_box, size)) {
        (true, true) => {
            let message = "its cells are a puzzle row by row and box by box";
            return Some(Err(broken(message).with_help(format!("write {size} lists of {size} cells"))));
        }
        (false, true) => by_box,
        _ => by_row,
    };
    match content(cells, size) {
        GridList::Content(content) => Some(content),
        _ => None,
    }
}

/// Returns true if cells have a digit, and none twice in a house.
fn is_valid(cells: &[CellEntry], size: usize) -> bool {
    digits_of(cells, size).is_ok_and(|content| content.into_puzzle(1, BoardChoice { required: None }).is_ok())
}

/// Reads cells, each with its row and column.
fn placed(cells: &[CellEntry]) -> Result<Content, FormatError> {
    const ADVICE: &str = "list every cell, or write rows of cells";
    let numbers = cells.iter().filter_map(|cell| cell.place).flat_map(|(row, column)| [row, column]);
    let (least, most) = (numbers.clone().min().unwrap_or_default(), numbers.max().unwrap_or_default());
    let digit = cells.iter().filter_map(|cell| cell.digit).max().unwrap_or_default();
    let needed = most.saturating_add(u64::from(least == 0)).max(digit) as usize;
    let size = match size_with_cells(cells.len()).filter(|size| most <= *size as u64) {
        Some(size) => size,
        None if (7..=9).contains(&needed) => 9,
        None if BoardSpec::usual_box_shape(needed).is_some() && needed > 9 => needed,
        None => {
            let message = format!("it lists {} cells with row and column, and not the size of the board", cells.len());
            return Err(broken(message).with_help(ADVICE));
        }
    };
    if least > 0 && most < size as u64 {
        return Err(broken("it counts rows and columns from 0 or from 1: nothing shows from which").with_help(ADVICE));
    }
    let mut all = vec![CellEntry::default(); size * size];
    for cell in cells {
        let (row, column) = cell.place.unwrap_or_default();
        let base = u64::from(least > 0);
        let index = ((row - base) as usize) * size + (column - base) as usize;
        match all.get_mut(index) {
            Some(here) if column - base < size as u64 && here.place.is_none() => *here = cell.clone(),
            _ => {
                return Err(broken(format!("row {row}, column {column} is listed twice or is not on the board")));
            }
        }
    }
    match content(all, size) {
        GridList::Content(content) => content,
        _ => Err(broken("its cells are no grid")),
    }
}

/// Reads the name of a cell: `r1c2`, or `A1`. Also returns true if it has a letter.
fn place_named(key: &str) -> Option<((u64, u64), bool)> {
    let key = key.to_ascii_uppercase();
    if let Some((row, column)) = key.strip_prefix('R').and_then(|rest| rest.split_once('C')) {
        return Some(((row.parse().ok()?, column.parse().ok()?), false));
    }
    let letter = "ABCDEFGHIJ".find(key.chars().next()?)? as u64 + 1;
    let number = key.get(1..)?.parse().ok().filter(|number| (1..=9).contains(number))?;
    Some(((letter, number), true))
}

/// Reads an object whose keys are cells: `r1c2`, or `A1` with a letter for the row or, as in spreadsheets, for the column. Also returns a
/// remark on the letters.
pub(super) fn named_cells(object: &NodeGroup<'_>) -> Option<(Result<Content, FormatError>, Option<&'static str>)> {
    if object.entries.len() < SMALLEST_OBJECT {
        return None;
    }
    let places = object.entries.iter().map(|cell| place_named(cell.key.as_deref()?));
    let places: Vec<((u64, u64), bool)> = places.collect::<Option<_>>()?;
    let entries: Vec<CellEntry> = object.values().map(CellEntry::of).collect::<Option<_>>()?;
    let by_letter = places[0].1;
    // With a J, there is no I.
    let with_j = by_letter && places.iter().any(|((letter, _), _)| *letter == 10);
    if places.iter().any(|(place, letter)| *letter != by_letter || with_j && place.0 == 9) {
        return None;
    }
    let mut places: Vec<(u64, u64)> = places.into_iter().map(|(place, _)| place).collect();
    if with_j {
        places.iter_mut().for_each(|(letter, _)| *letter = (*letter).min(9));
    }
    // The order of the keys decides: cells are listed row by row.
    let remark = match (places.is_sorted(), places.is_sorted_by_key(|&(row, column)| (column, row))) {
        _ if !by_letter => None,
        (true, false) => Some("the letters of the cells are read as rows"),
        (false, true) => {
            places.iter_mut().for_each(|(row, column)| std::mem::swap(row, column));
            Some("the letters of the cells are read as columns")
        }
        _ => {
            let message =
                "nothing shows if the letters of its cells are rows, as in Sudoku, or columns, as in spreadsheets";
            let error = FormatError::new(error::AMBIGUOUS, (1, 1), message);
            return Some((Err(error.with_help("list the cells row by row, or name them r1c1")), None));
        }
    };
    let cells = entries.into_iter().zip(places).map(|(entry, place)| CellEntry { place: Some(place), ..entry });
    Some((placed(&cells.collect::<Vec<_>>()), remark))
}

/// Fewest cells of an object that names its cells.
const SMALLEST_OBJECT: usize = 8;

/// Reads the grid of these cells: as rows of text if some cell is a list of candidates, and no cell says that it is a clue.
fn content(mut cells: Vec<CellEntry>, size: usize) -> GridList {
    if let Some(wrong) = cells.iter_mut().find_map(|cell| cell.wrong.take()) {
        return GridList::Content(Err(wrong));
    }
    let listed = cells.iter().any(|cell| cell.candidates.is_some() || (size <= 9 && cell.text.is_some()));
    if !listed || cells.iter().any(|cell| cell.blank && cell.candidates.is_some()) {
        return GridList::Content(digits_of(&cells, size));
    }
    let texts = cells.into_iter().map(|cell| match (cell.candidates, cell.text, cell.digit) {
        (Some(list), ..) if !list.is_empty() => list.into_iter().map(symbol_of).collect(),
        (_, Some(text), _) => text,
        (.., Some(digit)) => symbol_of(digit).to_string(),
        _ => ".".to_string(),
    });
    GridList::Rows(texts.collect::<Vec<String>>().chunks(size).map(|row| row.join(" ")).collect())
}

/// Returns the symbol of a digit, or `0` for a number that is none.
fn symbol_of(number: u64) -> char {
    number.checked_sub(1).filter(|at| *at < 25).map_or('0', |at| Digit(at as u8).symbol())
}

fn digits_of(cells: &[CellEntry], size: usize) -> Result<Content, FormatError> {
    let mut content = Content::new(size)?;
    let largest = cells.iter().filter_map(CellEntry::value).max().unwrap_or_default();
    if cells.iter().any(|cell| cell.zero) && cells.iter().any(|cell| cell.blank) && largest < size as u64 {
        let message = "some cells are 0 and some are empty in another way, so 0 may be a digit";
        return Err(broken(message).with_help(format!("write 0 for an empty cell, and 1 to {size} for digits")));
    }
    for (index, cell) in cells.iter().enumerate() {
        if let Some(number) = cell.value() {
            content.put(index, number, cell.given != Some(false))?;
        }
        if let Some(list) = &cell.candidates {
            content.lists[index] = Some(list.iter().map(|&number| content.digit(number)).collect::<Result<_, _>>()?);
        }
    }
    Ok(content)
}
