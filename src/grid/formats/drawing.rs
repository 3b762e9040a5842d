//! Grids on several lines, however they are drawn. In: lines. Out: one [`Puzzle`] and the line after it.
//!
//! A paragraph is read whole or not at all: it is one grid, or several with the same number of lines. A grid may also be spread over
//! paragraphs of equal height, such as one for each band. Rows are split in this order: by symbols between the cells (bars,
//! tabs, semicolons, commas), so that a cell may be blank; by blanks; by characters; by columns, where blanks are the
//! empty cells. The first that gives n cells in each of n rows decides. Labels at the edges are removed before.

use super::boards::BoardChoice;
use super::columns::{self, is_bar};
use super::error::{self, FormatError};
use super::lines::{self, LineKind, TextRow, explain, has_digit_above, kind_of, rows_from};
use super::puzzle::{CellMark, Puzzle, Reading, from_marks, is_x};
use super::{cell_texts, one_line};
use crate::grid::BoardSpec;

/// The most rows of a grid with its labels.
const MOST_ROWS: usize = 27;

/// The characters of each cell.
type CellMarks = Vec<Vec<CellMark>>;

/// Edges of a drawing that have labels.
#[derive(Clone, Copy, Default)]
struct Edges {
    top: bool,
    bottom: bool,
    left: bool,
    right: bool,
}

/// Reads the grid that begins at a line. Also returns the line at which to continue. A few words or a number right above or below the
/// grid are left out.
pub(super) fn read_at(lines: &[&str], start: usize, boards: BoardChoice<'_>) -> (Reading, usize) {
    let found = read_rows(lines, start, boards);
    if found.0.is_ok() {
        return found;
    }
    without_short_notes(lines, start, boards).unwrap_or(found)
}

/// Reads the grid between up to two short lines above and up to two below that are no cells.
fn without_short_notes(lines: &[&str], start: usize, boards: BoardChoice<'_>) -> Option<(Reading, usize)> {
    const MOST: usize = 2;
    let rows = rows_from(lines, start);
    let above = rows.iter().take(MOST).take_while(|row| is_note(row)).count();
    let below = rows.iter().rev().take(MOST).take_while(|row| is_note(row)).count();
    for (top, bottom) in (0..=above).flat_map(|top| (0..=below).map(move |bottom| (top, bottom))).skip(1) {
        let inner = rows.get(top..rows.len().saturating_sub(bottom))?;
        if inner.len() < 4 || !is_regular(inner) {
            return None;
        }
        let end = inner[inner.len() - 1].index + 1;
        let (Ok(mut puzzle), next) = read_rows(&lines[..end], inner[0].index, boards) else { continue };
        if next < end || !shows_last_column(&puzzle, inner) {
            continue;
        }
        let notes = rows[..top].iter().map(|row| row.text.trim());
        puzzle.remarks.extend(notes.map(|note| format!("`{note}` above the grid is no part of the puzzle")));
        // Lines below the grid are judged separately.
        return Some((Ok(puzzle), end));
    }
    None
}

fn is_note(row: &TextRow) -> bool {
    lines::is_short_note(&row.text) && !row.text.starts_with("  ")
}

/// Returns true if all rows reach the last column, or a digit stands in it.
fn shows_last_column(puzzle: &Puzzle, rows: &[TextRow]) -> bool {
    let size = puzzle.geometry.size();
    rows.iter().all(|row| row.width() >= size || row.has_gap() || row.text.contains(is_bar))
        || (0..size).any(|row| puzzle.digit(puzzle.geometry.cell(row, size - 1)).is_some())
}

fn read_rows(lines: &[&str], start: usize, boards: BoardChoice<'_>) -> (Reading, usize) {
    let rows = rows_from(lines, start);
    let Some(first) = rows.first() else {
        return (Err(FormatError::new(error::EMPTY, (start + 1, 1), "there is no puzzle here")), start + 1);
    };
    // 16 characters are a 4×4 puzzle, unless the next rows show a 16×16 grid; likewise 25 characters on a 5×5 board.
    if is_small(first, boards) && !of_large_grid(&rows, boards) {
        return (one_line::read(first.index + 1, lines[first.index], boards), first.index + 1);
    }
    if let Some(found) = with_empty_rows(lines, first.index, boards) {
        return found;
    }
    let heights = heights(&rows);
    let mut wrong = None;
    for number in 0..heights.len() {
        let group = &rows[..heights[..=number].iter().sum()];
        let found = match number {
            0 => paragraph(group, boards),
            _ if group.len() > 2 * MOST_ROWS || !is_even(group) => None,
            _ => grid(group, boards).map(|result| (result, group.len())),
        };
        match found {
            Some((Ok(puzzle), used)) => return (Ok(puzzle), rows[used - 1].index + 1),
            Some((Err(error), used)) if wrong.is_none() => wrong = Some((Err(error), rows[used - 1].index + 1)),
            _ => {}
        }
    }
    if let Some(wrong) = wrong {
        return wrong;
    }
    if let Some((result, used)) =
        blank_rows(lines, &rows, boards).or_else(|| flat(&rows, boards).map(|result| (result, rows.len())))
    {
        return (result, rows[used - 1].index + 1);
    }
    let paragraph = &rows[..heights[0]];
    let mut on_lines =
        paragraph.iter().map(|row| columns::read_line_with_blanks(lines[row.index], row.index + 1, boards));
    if let Some(Some(Ok(puzzle))) = on_lines.next()
        && on_lines.all(|reading| matches!(reading, Some(Ok(_))))
    {
        return (Ok(puzzle), start + 1);
    }
    let paragraph = &paragraph[..whole_puzzles(paragraph, boards)];
    (Err(explain(paragraph, boards)), paragraph.last().map_or(start, |row| row.index) + 1)
}

/// Finds the index of the first puzzle on a line of its own below rows that are no grid. Returns the number of rows if there is none.
fn whole_puzzles(rows: &[TextRow], boards: BoardChoice<'_>) -> usize {
    let mut below = if of_large_grid(rows, boards) { 0..0 } else { 1..rows.len() };
    below.find(|&at| is_small(&rows[at], boards) && !of_large_grid(&rows[at..], boards)).unwrap_or(rows.len())
}

/// Returns true if the line begins with as many characters as a small puzzle has.
fn is_small(row: &TextRow, boards: BoardChoice<'_>) -> bool {
    let length = row.groups.first().map_or(0, Vec::len);
    matches!(length, 16 | 25) && boards.size_with_cells(length).is_some()
}

/// Returns true if these lines are rows of a 16×16 grid, even of a damaged one: 16 rows of 16 characters with a digit above 4, or
/// rows most of which have such a digit.
fn of_large_grid(rows: &[TextRow], boards: BoardChoice<'_>) -> bool {
    let near = &rows[..rows.len().min(16)];
    let above = near.iter().filter(|row| has_digit_above(row.groups.iter().take(1).flatten(), 4)).count();
    let whole = near.len() == 16 && near.iter().all(|row| row.width() == 16) && (above > 0 || !boards.has_size(4));
    boards.has_size(16) && (whole || (near.len() > 3 && above * 2 > near.len()))
}

/// Returns the number of rows of each paragraph.
fn heights(rows: &[TextRow]) -> Vec<usize> {
    rows.chunk_by(|a, b| a.paragraph == b.paragraph).map(<[TextRow]>::len).collect()
}

/// Returns true if blank lines divide the rows into bands of one height, or not at all. Any other blank line may be an empty row.
fn is_regular(rows: &[TextRow]) -> bool {
    heights(rows).windows(2).all(|pair| pair[0] == pair[1])
}

/// Returns true if all paragraphs have equally many rows, but for a line of labels before or after them.
fn is_even(rows: &[TextRow]) -> bool {
    let mut heights = heights(rows);
    if heights.len() > 2 && (heights[0] == 1 || heights[0] == heights[1] + 1) {
        heights.remove(0);
    }
    heights.len() == 2 && heights.contains(&1) || heights.windows(2).all(|pair| pair[0] == pair[1])
}

/// Reads the first grid of a paragraph. Also returns the number of its rows.
fn paragraph(rows: &[TextRow], boards: BoardChoice<'_>) -> Option<(Reading, usize)> {
    let mut wrong = None;
    for height in (4..=rows.len().min(MOST_ROWS)).rev().filter(|height| rows.len().is_multiple_of(*height)) {
        let mut grids = rows.chunks(height).map(|rows| grid(rows, boards));
        let Some(first) = grids.next().flatten() else { continue };
        if !grids.all(|grid| grid.is_some()) {
            continue;
        }
        if first.is_ok() {
            return Some((first, height));
        }
        wrong.get_or_insert((first, height));
    }
    match (flat(rows, boards), wrong) {
        (Some(Ok(puzzle)), _) => Some((Ok(puzzle), rows.len())),
        (flat, wrong) => wrong.or(flat.map(|result| (result, rows.len()))),
    }
}

/// Reads rows that have the shape of one grid.
fn grid(rows: &[TextRow], boards: BoardChoice<'_>) -> Option<Reading> {
    let solid: Vec<TextRow> = rows.iter().filter(|row| !row.has_only_bars()).cloned().collect();
    of_rows(rows, boards).or_else(|| if solid.len() < rows.len() { of_rows(&solid, boards) } else { None })
}

fn of_rows(rows: &[TextRow], boards: BoardChoice<'_>) -> Option<Reading> {
    for (top, bottom) in [(true, true), (true, false), (false, true), (false, false)] {
        let inner = rows.get(usize::from(top)..rows.len().saturating_sub(usize::from(bottom)))?;
        let size = inner.len();
        if !boards.has_size(size)
            || top && !(columns::is_header(&rows[0].text, size) || is_empty_head(rows))
            || bottom && !columns::is_header(&rows[rows.len() - 1].text, size)
        {
            continue;
        }
        if let Some(result) = framed(rows, inner, Edges { top, bottom, ..Edges::default() }, boards) {
            return Some(result);
        }
    }
    None
}

/// Returns true if the first row is the empty head of a table in Markdown: a rule separates it from the others, and no other two rows.
fn is_empty_head(rows: &[TextRow]) -> bool {
    let [first, second, ..] = rows else { return false };
    first.has_only_bars()
        && second.index == first.index + 2
        && rows[1..].windows(2).all(|pair| pair[1].index == pair[0].index + 1)
}

/// Reads `inner` with labels at the left or right, or without.
fn framed(rows: &[TextRow], inner: &[TextRow], edges: Edges, boards: BoardChoice<'_>) -> Option<Reading> {
    let (size, position) = (inner.len(), inner[0].position());
    let mut found: Vec<(Edges, Reading)> = Vec::new();
    let joined = joined_labels(inner);
    if joined.is_some_and(|(_, sure)| !sure) {
        return Some(Err(error::ambiguous(position, "cells with labels beside them", "cells without labels")));
    }
    for (left, right) in [(false, false), (true, false), (false, true), (true, true)] {
        if joined.is_some_and(|((at_left, at_right), _)| at_left && !left || at_right && !right) {
            continue;
        }
        let Some(stripped) = without_labels(inner, left, right) else { continue };
        let edges = Edges { left, right, ..edges };
        if let Some(cells) = parted(&stripped, size) {
            let mut result = cell_texts::read(&cells, size, boards);
            if !(edges.top || left) && looks_like_head(inner, &cells, size) {
                let message = "column numbers above a grid that lacks a row";
                result = result.and(Err(error::ambiguous(position, "a row of the grid", message)));
            }
            // Labels that count all rows are no cells: an error of the reading with them as cells does not count.
            if result.as_ref().err().is_none_or(|error| error.code == error::AMBIGUOUS) {
                found = vec![(edges, result)];
                break;
            }
            found.push((edges, result));
            continue;
        }
        let lines: Vec<(usize, &str)> = stripped.iter().map(|row| (row.index, row.text.as_str())).collect();
        if is_regular(inner) && !is_one_smaller(&lines, size, boards) {
            found.extend(aligned(&lines, size, boards).into_iter().map(|result| (edges, result)));
        }
    }
    let readings: Vec<&Puzzle> = found.iter().filter_map(|(_, result)| result.as_ref().ok()).collect();
    if readings.windows(2).any(|pair| pair[0] != pair[1]) {
        let other = "cells in another way; write a dot for an empty cell";
        return Some(Err(error::ambiguous(position, "cells in one way", other)));
    }
    let best = found.iter().position(|(_, result)| result.is_ok()).unwrap_or_default();
    let (edges, result) = found.into_iter().nth(best)?;
    Some(result.map(|puzzle| with_remarks(puzzle, rows, edges)))
}

/// Reads rows by their columns, in every way that leaves no digit over.
fn aligned(rows: &[(usize, &str)], size: usize, boards: BoardChoice<'_>) -> Vec<Reading> {
    columns::read(rows, size).iter().map(|cells| cell_texts::read(cells, size, boards)).collect()
}

/// Returns the sides at which labels stand in one field with a cell: a symbol separates the cells, and a blank the label from the first
/// or last. Also returns true if blanks separate nothing but the labels, so that these can't be candidates.
fn joined_labels(rows: &[TextRow]) -> Option<((bool, bool), bool)> {
    let (edges, stripped) = [(true, true), (true, false), (false, true)].into_iter().find_map(|(left, right)| {
        let stripped = without_labels(rows, left, right)?;
        parted(&stripped, rows.len()).map(|_| ((left, right), stripped))
    })?;
    parted(rows, rows.len())?;
    let fields = stripped.iter().flat_map(|row| row.text.split(|c| is_bar(c) || matches!(c, '\t' | ';' | ',')));
    let spaced = fields.map(str::trim).any(|field| field.contains(char::is_whitespace));
    Some((edges, !spaced))
}

/// Returns true if aligned rows are a grid with one row less below or above a number, and nothing stands in their last column.
fn is_one_smaller(lines: &[(usize, &str)], size: usize, boards: BoardChoice<'_>) -> bool {
    let ends = [lines.split_first(), lines.split_last()];
    boards.has_size(size - 1)
        && ends.into_iter().flatten().any(|((_, end), rest)| {
            lines::is_short_note(end)
                && end.split_whitespace().count() == 1
                && aligned(rest, size - 1, boards).iter().any(Result::is_ok)
        })
}

/// Adds a remark on the edges that were read as labels.
fn with_remarks(mut puzzle: Puzzle, rows: &[TextRow], edges: Edges) -> Puzzle {
    let head = edges.top && rows.first().is_some_and(|row| !row.has_only_bars());
    let edges =
        [(head, "above"), (edges.bottom, "below"), (edges.left, "on the left of"), (edges.right, "on the right of")];
    let named: Vec<&str> = edges.into_iter().filter(|(labels, _)| *labels).map(|(_, words)| words).collect();
    if !named.is_empty() {
        puzzle.remarks.push(format!("the labels {} the grid are no part of the puzzle", named.join(" and ")));
    }
    puzzle
}

/// Returns true if the first of n rows counts the columns, and the grid may lack a row: a cell below is empty, or has several
/// candidates while the first row is drawn in another way, or lists the digit that stands above it.
fn looks_like_head(rows: &[TextRow], cells: &[Vec<CellMark>], size: usize) -> bool {
    let text = rows[0].text.trim();
    let [first, second] = [0, 1].map(|row| rows[row].text.chars().filter(|&c| is_bar(c) || c == '\t').count());
    let differs = rows[1].index > rows[0].index + 1 || first != second;
    let (head, below) = cells.split_at(size);
    text.contains(|c: char| c.is_whitespace() || is_bar(c) || matches!(c, ',' | ';'))
        && (columns::is_header(&rows[0].text, size) || (is_empty_head(rows) && head.iter().all(|cell| is_empty(cell))))
        && below.iter().zip(head.iter().cycle()).any(|(cell, above)| {
            let lists_head = cell.iter().any(|mark| above.iter().any(|above| above.symbol == mark.symbol));
            let is_list = size <= 9 && cell.len() > 1;
            is_empty(cell) || is_list && (differs || size > 4 && first == 0 && lists_head)
        })
}

/// Returns true for symbols of an empty cell only.
fn is_empty(cell: &[CellMark]) -> bool {
    cell.iter().all(CellMark::is_blank)
}

/// Returns the rows without the labels at these sides. Returns `None` if there are no labels.
fn without_labels(rows: &[TextRow], left: bool, right: bool) -> Option<Vec<TextRow>> {
    let mut out = rows.to_vec();
    for (_, side) in [(left, columns::left_label as fn(&str) -> _), (right, columns::right_label)]
        .into_iter()
        .filter(|(wanted, _)| *wanted)
    {
        let stripped: Option<Vec<_>> = out.iter().map(|row| side(&row.text)).collect();
        let (labels, texts): (Vec<columns::EdgeLabel>, Vec<String>) = stripped?.into_iter().unzip();
        if !columns::is_sequence(&labels) {
            return None;
        }
        out = out.iter().zip(texts).map(|(row, text)| TextRow::new(row.index, row.paragraph, text)).collect();
    }
    Some(out)
}

/// Returns the cells of `size` rows, if symbols between them, blanks or single characters give `size` in each.
fn parted(rows: &[TextRow], size: usize) -> Option<CellMarks> {
    let separators = [is_bar as fn(char) -> bool, |c| c == '\t', |c| c == ';'];
    if let Some(cells) = separators.into_iter().find_map(|separator| by_separator(rows, size, separator)) {
        return Some(cells);
    }
    match (by_blanks(rows, size), by_separator(rows, size, |c| c == ',')) {
        (None, None) => {}
        (Some(_), Some(_)) => return None,
        (cells, None) | (None, cells) => return cells,
    }
    if rows.iter().any(TextRow::has_gap) {
        return None;
    }
    // Around irregular regions, rows have different numbers of bars.
    if rows.iter().all(|row| row.groups.len() == size) {
        return Some(rows.iter().flat_map(|row| row.groups.iter().cloned()).collect());
    }
    let marks: Vec<CellMark> = rows.iter().flat_map(TextRow::marks).collect();
    let even = rows.iter().all(|row| row.bar_count() == rows[0].bar_count() && row.width() == size);
    if !even || marks.iter().any(|mark| mark.symbol == '{') {
        return None;
    }
    let blanks = marks.iter().any(|mark| mark.is_blank() || is_x(mark.symbol));
    let regular = blanks
        || rows.windows(2).all(|pair| pair[0].groups.iter().map(Vec::len).eq(pair[1].groups.iter().map(Vec::len)));
    regular.then(|| marks.into_iter().map(|mark| vec![mark]).collect())
}

/// Returns the cells of rows with a symbol between every two cells: outer symbols are optional, and doubled ones separate boxes.
fn by_separator(rows: &[TextRow], size: usize, parts: fn(char) -> bool) -> Option<CellMarks> {
    let fields: Vec<Vec<CellField>> = rows.iter().map(|row| fields_of(row, parts)).collect();
    if fields.iter().any(|row| row.len() < size) {
        return None;
    }
    // Only bars stand outside of a row, or doubled; of other symbols one may follow the last cell.
    let bars = parts('|');
    let is_framed = bars
        && fields
            .iter()
            .all(|row| row[0].text.trim().is_empty() && row[row.len() - 1].text.is_empty() && row.len() > 2);
    let ways = [
        (true, true, false),
        (true, false, false),
        (false, true, false),
        (false, false, false),
        (true, true, true),
        (false, false, true),
    ];
    let mut ways = ways.into_iter().filter(
        |&(first, last, doubled)| {
            if bars { !is_framed || (first && last) } else { !first && !doubled }
        },
    );
    let fields = ways.find_map(|(first, last, doubled)| {
        let mut cells: Vec<&CellField> = Vec::with_capacity(size * size);
        for (number, row) in (1..).zip(&fields) {
            let mut row = row.as_slice();
            if first {
                row = row.split_first().filter(|(field, _)| field.text.trim().is_empty())?.1;
            }
            if last {
                row = row.split_last().filter(|(field, _)| field.text.is_empty())?.1;
            }
            cells.extend(row.iter().filter(|field| !(doubled && field.text.is_empty())));
            if cells.len() != number * size {
                return None;
            }
        }
        Some(cells)
    });
    cells_of(&fields?, size)
}

/// Returns the fields of a row between symbols.
fn fields_of(row: &TextRow, parts: fn(char) -> bool) -> Vec<CellField> {
    let mut fields = vec![CellField { line: row.index + 1, column: 1, text: String::new() }];
    for (column, symbol) in (1..).zip(row.text.chars()) {
        match fields.last_mut() {
            Some(field) if !parts(symbol) => field.text.push(symbol),
            _ => fields.push(CellField { line: row.index + 1, column: column + 1, text: String::new() }),
        }
    }
    fields
}

/// The text of one cell and its place.
struct CellField {
    line: usize,
    column: usize,
    text: String,
}

impl CellField {
    /// Splits the field into candidates or digits at blanks, commas and slashes.
    fn entries(&self) -> CellMarks {
        // Keep the symbol of an empty cell: 0 may be a digit.
        if cell_texts::is_empty(&self.text) && self.text.trim().chars().count() != 1 {
            return vec![vec![CellMark::new('.', self.line, self.column)]];
        }
        let marks = (self.column..).zip(self.text.chars());
        let marks: Vec<CellMark> = marks.map(|(column, symbol)| CellMark::new(symbol, self.line, column)).collect();
        let entries = marks.split(|mark| parts_entries(mark.symbol)).filter(|entry| !entry.is_empty());
        entries.map(<[CellMark]>::to_vec).collect()
    }
}

/// Returns true if the symbol stands between the candidates of one cell.
fn parts_entries(symbol: char) -> bool {
    symbol.is_whitespace() || matches!(symbol, ',' | '/')
}

/// Returns one cell for each field. None if a comma has nothing on one side, or if an entry of a cell with several is neither one
/// character nor, on all cells of a board over 9×9, a decimal number.
fn cells_of(fields: &[&CellField], size: usize) -> Option<CellMarks> {
    let mut texts = fields.iter().map(|field| field.text.trim());
    if texts.any(|text| text.starts_with([',', '/']) || text.ends_with([',', '/'])) {
        return None;
    }
    let cells: Vec<CellMarks> = fields.iter().map(|field| field.entries()).collect();
    if cells.iter().filter(|cell| cell.len() > 1).flatten().all(|entry| core(entry, size).len() <= 1) {
        return Some(cells.into_iter().map(|cell| cell.concat()).collect());
    }
    let cells = cells.into_iter().map(|cell| {
        let entries = cell.into_iter().map(|entry| with_number(entry, size));
        entries.collect::<Option<CellMarks>>().map(|entries| entries.concat())
    });
    cells.collect()
}

/// Returns an entry with one symbol for its decimal number.
fn with_number(entry: Vec<CellMark>, size: usize) -> Option<Vec<CellMark>> {
    let range = core(&entry, size);
    if range.is_empty() {
        return Some(entry);
    }
    let number = cell_texts::number(&entry[range.clone()], size)?;
    Some([&entry[..range.start], &[number], &entry[range.end..]].concat())
}

/// Returns the digits of an entry, without the marks around them: letters are digits on boards over 9×9.
fn core(entry: &[CellMark], size: usize) -> std::ops::Range<usize> {
    let is_digit: fn(&CellMark) -> bool = match size {
        0..=9 => |mark| mark.symbol.is_numeric(),
        _ => |mark| mark.symbol.is_alphanumeric(),
    };
    entry.iter().position(is_digit).unwrap_or_default()..entry.iter().rposition(is_digit).map_or(0, |last| last + 1)
}

/// Returns the cells of rows that blanks and bars separate, if commas or slashes separate the candidates of a cell.
fn by_blanks(rows: &[TextRow], size: usize) -> Option<CellMarks> {
    let mut fields = Vec::with_capacity(size * size);
    for row in rows {
        fields.extend(fields_of(row, |c| c.is_whitespace() || is_bar(c)).into_iter().filter(|f| !f.text.is_empty()));
        if fields.len() % size != 0 {
            return None;
        }
    }
    let lists = fields.iter().any(|field| field.text.contains(parts_entries));
    (fields.len() == size * size && lists).then(|| cells_of(&fields.iter().collect::<Vec<_>>(), size))?
}

/// Reads n² groups on one line, one group on each line, or rows that begin on a new line and continue on others.
fn flat(rows: &[TextRow], boards: BoardChoice<'_>) -> Option<Reading> {
    if let [row] = rows
        && row.has_gap()
    {
        return fields_of_all(row, boards);
    }
    let widths: Vec<usize> = rows.iter().map(|row| row.groups.len()).collect();
    let Some(size) = boards.size_with_cells(widths.iter().sum()) else { return four_blocks(rows, boards) };
    // A number above rows is no cell.
    if widths[0] == 1 && widths.contains(&size)
        || widths.iter().all(|&width| width == size)
        || rows.iter().any(|row| row.bar_count() != rows[0].bar_count() || row.has_gap())
    {
        return None;
    }
    let mut ends = vec![0];
    widths.iter().for_each(|width| ends.push(ends[ends.len() - 1] + width));
    if rows.len() > 1 && !(1..=size).all(|row| ends.contains(&(row * size))) {
        return None;
    }
    let cells: CellMarks = rows.iter().flat_map(|row| row.groups.iter().cloned()).collect();
    if cells.iter().flatten().any(|mark| !mark.symbol.is_ascii() && !mark.is_blank()) {
        return None;
    }
    match cells.iter().all(|cell| cell.len() == 1) {
        true => Some(from_marks(&cells.concat(), size, boards)),
        false => Some(cell_texts::read(&cells, size, boards)),
    }
}

/// Reads a puzzle of 4×4 as four blocks on a line.
fn four_blocks(rows: &[TextRow], boards: BoardChoice<'_>) -> Option<Reading> {
    let [row] = rows else { return None };
    let four = row.groups.len() == 4 && row.groups.iter().all(|group| group.len() == 4);
    (four && boards.has_size(4) && !has_digit_above(row.groups.iter().flatten(), 4))
        .then(|| from_marks(&row.groups.concat(), 4, boards))
}

/// Reads all cells on one line, with a symbol between every two, so that some can be empty.
fn fields_of_all(row: &TextRow, boards: BoardChoice<'_>) -> Option<Reading> {
    [|c: char| c == '\t', |c: char| c == ';', |c: char| c == ','].into_iter().find_map(|parts| {
        let mut fields = fields_of(row, parts);
        let last_is_blank = fields.last().is_some_and(|field| field.text.trim().is_empty());
        if boards.size_with_cells(fields.len()).is_none() && last_is_blank {
            fields.pop();
        }
        let size = boards.size_with_cells(fields.len())?;
        Some(cell_texts::read(&cells_of(&fields.iter().collect::<Vec<_>>(), size)?, size, boards))
    })
}

/// Reads a grid of aligned rows, some of which (even the first or last) are blanks up to the last column. Also returns the line
/// after it.
pub(super) fn with_empty_rows(lines: &[&str], start: usize, boards: BoardChoice<'_>) -> Option<(Reading, usize)> {
    let near = &lines[start..lines.len().min(start + 2 * MOST_ROWS)];
    if !near.iter().any(|line| !line.is_empty() && is_blank(line)) {
        return None;
    }
    boards.sizes().rev().filter(|size| *size > 5).find_map(|size| {
        let rows = (start..lines.len()).filter(|&at| kind_of(lines[at]) != LineKind::Border);
        let rows: Vec<(usize, &str)> = rows.take(size).map(|at| (at, lines[at])).collect();
        let end = rows.last().filter(|_| rows.len() == size)?.0 + 1;
        let width = rows.iter().map(|(_, row)| row.trim_end().chars().count()).max()?;
        let blank = rows.iter().filter(|(_, row)| is_blank(row)).count();
        let noted = [rows[0].1, rows[size - 1].1].iter().any(|row| lines::is_short_note(row) && !is_blank(row));
        let are_rows = rows.iter().all(|(_, row)| match is_blank(row) {
            true => row.len() == width && width >= size,
            false => kind_of(row) == LineKind::Row,
        });
        let goes_on = lines.get(end).is_some_and(|line| kind_of(line) == LineKind::Row);
        if blank == 0 || blank > size / 2 || noted || !are_rows || goes_on {
            return None;
        }
        let mut readings = aligned(&rows, size, boards);
        readings.pop().filter(|_| readings.is_empty()).map(|result| (result, end))
    })
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// Reads a grid with one empty row that is an empty line. The grid ends with the text or before another empty line. If the line may as
/// well separate bands of a grid that lost an empty row at its edge, or stand in a smaller grid, the grid is refused.
fn blank_rows(lines: &[&str], rows: &[TextRow], boards: BoardChoice<'_>) -> Option<(Reading, usize)> {
    let (start, used) = (rows[0].index, rows.len());
    let size = used + 1;
    let text = lines.get(start..start + size).filter(|_| boards.has_size(size) && size > 5)?;
    let texts: Vec<(usize, &str)> = (start..).zip(text.iter().copied()).collect();
    let (blank, filled): (Vec<_>, Vec<_>) = texts.iter().copied().partition(|(_, line)| is_blank(line));
    let before = start == 0 || is_blank(lines[start - 1]);
    if rows[used - 1].index >= start + size || filled.len() != used || is_blank(text[size - 1]) || !before {
        return None;
    }
    let blank = blank[0].0 - start;
    let height = BoardSpec::usual_box_shape(size).map_or(size, |(height, _)| height);
    let may_part_bands = blank % height == 0 || (blank + 1) % height == 0;
    let mut readings = aligned(&texts, size, boards);
    let result = readings.pop().filter(|_| readings.is_empty())?;
    if may_part_bands || boards.has_size(size - 1) && aligned(&filled, size - 1, boards).iter().any(Result::is_ok) {
        let (one, other) = ("an empty row where a line is blank", "a gap; write a dot for an empty cell");
        return Some((Err(error::ambiguous(rows[0].position(), one, other)), used));
    }
    Some((result, used))
}
