//! Reads a list of a document as a grid: rows of cells, rows of text, a flat list of cells, nested lists by box, or objects with the
//! row and column of each cell. If one value cannot be a cell, the list is no grid.

use super::boards::{self, BoardChoice, RegionShape, SIZES, size_with_cells};
use super::cell_entry::CellEntry;
use super::cell_objects::{self, CellName, Coordinates, ObjectGrid, coordinates_of_names};
use super::columns;
use super::error::{FormatError, broken, unclear};
use super::link::all_digits;
use super::puzzle::{Content, is_symbol};
use super::values::{GroupEntry, NodeGroup, NodeKind, ValueNode};
use super::variant_keys::normalized_key;
use crate::grid::{BoardSpec, Digit};

/// A list read as a grid.
pub(super) enum GridList {
    /// Rows of characters, to be read like a text.
    Rows(Vec<String>),
    Content(Content),
    /// The fault of a list that resembles a grid.
    Damaged(FormatError),
}

/// A grid, or the error of a list that certainly is a grid.
pub(super) type GridResult = Result<GridList, FormatError>;

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

/// Reads a list as a grid, and adds remarks for the user. Returns `None` if it is no grid.
pub(super) fn read_list(value: &ValueNode<'_>, remarks: &mut Vec<String>) -> Option<GridResult> {
    let list = value.list()?;
    let count = list.entries.len();
    if count < 2 {
        return None;
    }
    if let Some(grid) = read_nested_lists(value, remarks) {
        return Some(grid);
    }
    if count < 4 {
        return None;
    }
    if list.values().filter_map(ValueNode::object).any(has_descending_keys) {
        let message = "the keys of its rows count down, so its first cell may be the first or the last of a row";
        return Some(Err(unclear(message, "write the cells of each row from left to right")));
    }
    match list.values().map(row_of).collect::<Option<Vec<_>>>() {
        Some(rows) => read_rows(&rows, remarks),
        None => read_flat_list(list, remarks),
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

/// Returns true if the keys of a row count its columns from the last to the first.
fn has_descending_keys(row: &NodeGroup<'_>) -> bool {
    let numbers: Option<Vec<u64>> = row.entries.iter().map(|entry| number_at_end(entry.key.as_deref()?)).collect();
    numbers.is_some_and(|numbers| {
        numbers.len() >= *SIZES.start() && numbers.windows(2).all(|pair| Some(pair[0]) == pair[1].checked_add(1))
    })
}

/// Returns the number in the last digits of a key such as `row3`.
pub(super) fn number_at_end(key: &str) -> Option<u64> {
    let digits = key.len() - key.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    key[key.len() - digits..].parse().ok()
}

/// If a key says that its lists are columns or boxes, rearranges them as rows. Returns `None` for other keys and values, and an error if
/// the lists are a valid puzzle both as rows and as boxes.
pub(super) fn lists_as_rows<'t>(key: &str, value: &ValueNode<'t>) -> Result<Option<ValueNode<'t>>, FormatError> {
    const COLUMNS: [&str; 2] = ["columns", "cols"];
    const BOXES: [&str; 6] = ["boxes", "blocks", "subgrids", "squares", "nonets", "sectors"];
    let name = normalized_key(key);
    let is_columns = COLUMNS.contains(&name.as_str());
    if !is_columns && !BOXES.contains(&name.as_str()) {
        return Ok(None);
    }
    let Some(cells) = square_of_cells(value) else { return Ok(None) };
    let size = cells.len().isqrt();
    let order: Vec<usize> = if is_columns {
        (0..size * size).map(|index| index % size * size + index / size).collect()
    } else {
        let Some(order) = box_order(size) else { return Ok(None) };
        let Some(listed) = cells.iter().map(CellEntry::from_value).collect::<Option<Vec<_>>>() else { return Ok(None) };
        let by_box: Vec<CellEntry> = order.iter().map(|&at| listed[at].clone()).collect();
        if !are_boxes(&listed, &by_box, size, &format!("`{key}` is"), ", under the key `rows`")? {
            return Ok(None);
        }
        order
    };
    let ordered: Vec<GroupEntry<'t>> =
        order.into_iter().map(|at| GroupEntry { key: None, value: cells[at].clone() }).collect();
    let rows = ordered.chunks(size).map(|row| GroupEntry { key: None, value: list_of(row.to_vec(), value.line) });
    Ok(Some(list_of(rows.collect(), value.line)))
}

pub(super) fn list_of(entries: Vec<GroupEntry<'_>>, line: usize) -> ValueNode<'_> {
    ValueNode { kind: NodeKind::Group(NodeGroup { entries, has_trailing_comma: false }), line }
}

/// Returns the cells of n lists of n cells or n texts of n characters.
fn square_of_cells<'t>(value: &ValueNode<'t>) -> Option<Vec<ValueNode<'t>>> {
    let list = value.list()?;
    let size = list.entries.len();
    if !SIZES.contains(&size) {
        return None;
    }
    let mut cells = Vec::new();
    for row in list.values() {
        match (row.list(), row.scalar()) {
            (Some(row), _) => cells.extend(row.values().cloned()),
            (_, Some(text)) => cells.extend(
                text.chars()
                    .map(|symbol| ValueNode { kind: NodeKind::Text(symbol.to_string().into()), line: row.line }),
            ),
            (None, None) => return None,
        }
        if !cells.len().is_multiple_of(size) {
            return None;
        }
    }
    if cells.len() == size * size { Some(cells) } else { None }
}

/// Returns the text of a row that consists of one text: `["53..7...."]`.
fn only_text<'v>(row: &'v NodeGroup<'_>) -> Option<&'v str> {
    let [only] = row.entries.as_slice() else { return None };
    only.value.scalar()
}

fn read_rows(rows: &[&NodeGroup<'_>], remarks: &mut Vec<String>) -> Option<GridResult> {
    let size = rows.len();
    if let Some(texts) = rows.iter().map(|row| only_text(row)).collect::<Option<Vec<_>>>() {
        return read_texts(&texts).map(Ok);
    }
    let cells = rows.iter().map(|row| row.values().map(CellEntry::from_value).collect());
    let cells: Vec<Vec<CellEntry>> = cells.collect::<Option<_>>()?;
    let mut widths_with_comma = rows.iter().filter(|row| row.has_trailing_comma).map(|row| row.entries.len());
    let first = widths_with_comma.next().unwrap_or_default();
    if let Some(other) = widths_with_comma.find(|&other| other != first) {
        let error = broken(format!("some rows that end in a comma have {first} cells, others {other}"));
        return Some(Ok(GridList::Damaged(error.with_help("write `null` for an empty cell"))));
    }
    let has_lists = cells.iter().flatten().any(|cell| cell.candidates.is_some());
    if SIZES.contains(&size) && uneven_row(rows, size).is_none() {
        if let Some(objects) = all_objects(rows.iter().flat_map(|row| row.values()))
            && objects.len() == size * size
        {
            return read_objects(&objects, &cells.concat(), Some(ListOrder::Rows(size)), remarks).transpose();
        }
        let padded = cells.into_iter().flat_map(|row| row.into_iter().chain([CellEntry::blank()]).take(size));
        return Some(grid_of_cells(padded.collect(), size));
    }
    // A damaged grid has at least 20 cells, and at least two thirds of its rows have the width of a board.
    let (rows_of_width, width) = usual_width(rows);
    if !SIZES.contains(&width) || rows_of_width * 3 < size * 2 || has_lists || size * width < 20 {
        return None;
    }
    Some(Ok(GridList::Damaged(broken(match uneven_row(rows, width) {
        Some(at) => format!("row {} has {} cells; the others have {width}", at + 1, rows[at].entries.len()),
        None => format!("it has {size} rows of {width} cells; a {width}×{width} grid has {width} rows"),
    }))))
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
fn read_flat_list(list: &NodeGroup<'_>, remarks: &mut Vec<String>) -> Option<GridResult> {
    let texts: Option<Vec<&str>> = list.values().map(ValueNode::scalar).collect();
    if let Some(texts) = texts
        && texts.iter().all(|text| text.trim().chars().count() >= 4)
    {
        return read_texts(&texts).map(Ok);
    }
    let mut cells: Vec<CellEntry> = list.values().map(CellEntry::from_value).collect::<Option<_>>()?;
    if let Some(objects) = all_objects(list.values()) {
        let order = size_with_cells(cells.len()).map(ListOrder::Flat);
        if let Some(grid) = read_objects(&objects, &cells, order, remarks).transpose() {
            return Some(grid);
        }
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
    Some(Ok(GridList::Damaged(broken(format!("it has {} cells; no board has that many", cells.len())))))
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

/// Returns the values in nested lists that are no lists.
fn leaf_values<'v, 't>(value: &'v ValueNode<'t>) -> Vec<&'v ValueNode<'t>> {
    match value.list() {
        Some(list) => list.values().flat_map(leaf_values).collect(),
        None => vec![value],
    }
}

fn leaves(value: &ValueNode<'_>) -> Vec<CellEntry> {
    leaf_values(value).into_iter().filter_map(CellEntry::from_value).collect()
}

fn all_objects<'v, 't>(values: impl Iterator<Item = &'v ValueNode<'t>>) -> Option<Vec<&'v NodeGroup<'t>>>
where
    't: 'v,
{
    values.map(ValueNode::object).collect()
}

/// The order of the cells in a list, with the number of rows.
#[derive(Clone, Copy)]
enum ListOrder {
    /// One list for each row.
    Rows(usize),
    /// One list of all cells.
    Flat(usize),
}

/// Reads cells that are all objects. A place that the objects name is used; in a list of rows it must agree with the rows. Without places
/// the cells are in the order of the list. Returns `None` if the cells have neither places nor an order.
fn read_objects(
    objects: &[&NodeGroup<'_>],
    cells: &[CellEntry],
    order: Option<ListOrder>,
    remarks: &mut Vec<String>,
) -> Result<Option<GridList>, FormatError> {
    let rows_and_columns: Option<Vec<Coordinates>> = cells.iter().map(|cell| cell.coordinates).collect();
    let places = match rows_and_columns {
        Some(places) => Some(places),
        None => cell_objects::places(objects, matches!(order, Some(ListOrder::Rows(_))), remarks)?,
    };
    if let (Some(ListOrder::Rows(size)), Some(places)) = (order, &places) {
        let in_rows = (0..size as u64).flat_map(|row| (0..size as u64).map(move |column| (row, column)));
        // Larger numbers are positions on the screen.
        let are_indices = places.iter().all(|&(row, column)| row.max(column) <= *SIZES.end() as u64);
        if are_indices && !in_rows.eq(cell_objects::from_zero(places)) {
            let message = "the places of its cells differ from their places in the rows";
            return Err(unclear(message, "give each cell its `row` and `col`, in one list"));
        }
    }
    let has_places = places.is_some();
    let (size, indices) = match (order, places) {
        (Some(ListOrder::Rows(size)), _) | (Some(ListOrder::Flat(size)), None) => (size, (0..size * size).collect()),
        (_, Some(places)) => board_indices(&places, cells)?,
        (None, None) => return Ok(None),
    };
    grid_of_objects(cells, &ObjectGrid { objects, indices: &indices, size, has_places }, remarks).map(Some)
}

fn grid_of_objects(cells: &[CellEntry], grid: &ObjectGrid<'_, '_>, remarks: &mut Vec<String>) -> GridResult {
    let size = grid.size;
    let is_full = cells.len() == size * size && cells.iter().all(|cell| cell.digit.is_some());
    let shape = grid.read_other_keys(is_full, remarks)?;
    if cells.iter().any(|cell| cell.has_hidden_digit) {
        remarks.push("the digits of hidden cells are not read".to_string());
    }
    let mut in_board_order = vec![CellEntry::default(); size * size];
    for (&index, cell) in grid.indices.iter().zip(cells) {
        in_board_order[index] = cell.clone();
    }
    match grid_of_cells(in_board_order, size)? {
        GridList::Content(mut content) => {
            content.board.shape = shape;
            Ok(GridList::Content(content))
        }
        GridList::Rows(_) if shape != RegionShape::Usual => Err(broken("its cells list candidates and regions")
            .with_help("give the regions of the board as one list: `regions`")),
        grid => Ok(grid),
    }
}

/// Reads nested lists of bands, stacks, rows and columns (3×3×3×3), or of boxes, rows and columns (9×3×3). The cells may be listed row by row or box by box; only one order gives a valid puzzle.
fn read_nested_lists(value: &ValueNode<'_>, remarks: &mut Vec<String>) -> Option<GridResult> {
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
    if let Some(objects) = all_objects(leaf_values(value).into_iter())
        && let Some(grid) = read_objects(&objects, &by_row, None, remarks).transpose()
    {
        return Some(grid);
    }
    let by_box: Vec<CellEntry> = box_order(size)?.into_iter().map(|at| by_row[at].clone()).collect();
    let are_boxes = are_boxes(&by_row, &by_box, size, "its cells are", "");
    Some(are_boxes.and_then(|are_boxes| grid_of_cells(if are_boxes { by_box } else { by_row }, size)))
}

/// Returns true if only the box order of listed cells is a valid puzzle. It is an error if both orders are; `cells_are` and `place`
/// are parts of the message and the help.
fn are_boxes(
    by_row: &[CellEntry],
    by_box: &[CellEntry],
    size: usize,
    cells_are: &str,
    place: &str,
) -> Result<bool, FormatError> {
    if !is_valid(by_box, size) || !is_valid(by_row, size) {
        return Ok(is_valid(by_box, size));
    }
    let help = format!("write {size} lists of {size} cells, one for each row{place}");
    Err(unclear(format!("{cells_are} a puzzle row by row and box by box"), help))
}

/// Returns, for each cell of a board, its index in a list that has the cells of the first box, then those of the second box, and so on.
fn box_order(size: usize) -> Option<Vec<usize>> {
    let boxes = boards::usual_box_numbers(size)?;
    // The cells of the board, box after box, and in board order within a box.
    let mut cells_of_boxes: Vec<usize> = (0..size * size).collect();
    cells_of_boxes.sort_by_key(|&cell| boxes[cell]);
    let mut order = vec![0; size * size];
    for (at, cell) in cells_of_boxes.into_iter().enumerate() {
        order[cell] = at;
    }
    Some(order)
}

/// Returns true if the cells are a puzzle on the standard board: they have digits, and none repeats in a house.
fn is_valid(cells: &[CellEntry], size: usize) -> bool {
    content_of_cells(cells, size).is_ok_and(|content| content.into_puzzle(1, BoardChoice { required: None }).is_ok())
}

/// Returns the number of rows of the board, and the index of each cell of a list, from its row and column.
fn board_indices(places: &[Coordinates], cells: &[CellEntry]) -> Result<(usize, Vec<usize>), FormatError> {
    const ADVICE: &str = "list every cell, or write rows of cells";
    let numbers = places.iter().flat_map(|&(row, column)| [row, column]);
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
    let mut is_listed = vec![false; size * size];
    let mut indices = Vec::with_capacity(places.len());
    for &(row, column) in places {
        let index = ((row - base) as usize) * size + (column - base) as usize;
        match is_listed.get_mut(index) {
            Some(is_listed) if column - base < size as u64 && !*is_listed => *is_listed = true,
            _ => {
                return Err(broken(format!("row {row}, column {column} is listed twice or is not on the board")));
            }
        }
        indices.push(index);
    }
    Ok((size, indices))
}

/// Reads an object whose keys are the names of cells, and adds remarks for the user.
pub(super) fn read_named_cells(object: &NodeGroup<'_>, remarks: &mut Vec<String>) -> Option<GridResult> {
    /// Fewest cells that tell a grid from other objects with short keys.
    const FEWEST_CELLS: usize = 8;
    if object.entries.len() < FEWEST_CELLS {
        return None;
    }
    let names = object.entries.iter().map(|entry| CellName::parse(entry.key.as_deref()?));
    let names: Vec<CellName> = names.collect::<Option<_>>()?;
    let entries: Vec<CellEntry> = object.values().map(CellEntry::from_value).collect::<Option<_>>()?;
    let objects = all_objects(object.values()).unwrap_or_default();
    Some(coordinates_of_names(&names)?.and_then(|(places, remark)| {
        remarks.extend(remark.map(str::to_string));
        let (size, indices) = board_indices(&places, &entries)?;
        let grid = ObjectGrid { objects: &objects, indices: &indices, size, has_places: true };
        grid_of_objects(&entries, &grid, remarks)
    }))
}

/// Converts cells to a grid. A cell with one candidate may be solved or unsolved. If some cell is marked as empty beside its candidates,
/// the list tells solved from unsolved cells. Otherwise the cells become rows of text, and the reader of drawn grids decides.
fn grid_of_cells(mut cells: Vec<CellEntry>, size: usize) -> GridResult {
    if let Some(error) = cells.iter_mut().find_map(|cell| cell.error.take()) {
        return Err(error);
    }
    let has_lists = cells.iter().any(|cell| cell.candidates.is_some() || (size <= 9 && cell.text.is_some()));
    if !has_lists || cells.iter().any(|cell| cell.is_blank && cell.candidates.is_some()) {
        return content_of_cells(&cells, size).map(GridList::Content);
    }
    let texts = cells.into_iter().map(|cell| match (cell.candidates, cell.text, cell.digit) {
        (Some(list), ..) if !list.is_empty() => list.into_iter().map(symbol_of).collect(),
        (_, Some(text), _) => text,
        (.., Some(digit)) => symbol_of(digit).to_string(),
        _ => ".".to_string(),
    });
    Ok(GridList::Rows(texts.collect::<Vec<String>>().chunks(size).map(|row| row.join(" ")).collect()))
}

/// Returns the symbol of a digit (1 for the first digit), or `0` for a number that is no digit.
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
    // If words mark every digit as placed, such as `filled`, the digits are clues.
    let has_clue = cells.iter().any(|cell| cell.number().is_some() && cell.is_given != Some(false));
    for (index, cell) in cells.iter().enumerate() {
        if let Some(number) = cell.number() {
            let is_placed = cell.is_given == Some(false) && (has_clue || !cell.has_player_word);
            content.put(index, number, !is_placed)?;
        }
        if let Some(list) = &cell.candidates {
            content.lists[index] = Some(list.iter().map(|&number| content.digit(number)).collect::<Result<_, _>>()?);
        }
    }
    Ok(content)
}
