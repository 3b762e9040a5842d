//! Reads grids on several lines, in any style of drawing. In: lines. Out: one [`Puzzle`] and the line after it.
//!
//! A paragraph is one grid, or several grids with the same number of lines. A grid may also have several paragraphs of equal height,
//! such as one for each band. Labels at the edges are removed. Then the rows are split into cells in the first way that gives n cells in
//! each of n rows: at separators (bars, tabs, semicolons, commas), with blank fields for empty cells; at blanks; after each character; by
//! columns of the text, with blanks for empty cells.

use super::boards::BoardChoice;
use super::borders::{self, DrawnRegions};
use super::columns::{self, is_bar};
use super::error::{self, FormatError};
use super::lines::{self, LineKind, TextLine, TextRow, explain_rows, has_digit_above, rows_from};
use super::puzzle::{CellMark, Puzzle, Reading, from_marks, is_x};
use super::{cell_texts, one_line};
use crate::grid::{BoardSpec, Digit};

/// Maximum number of rows of a grid: 25, and two of labels.
pub(super) const MAX_ROWS: usize = 27;

/// For each cell, in the order of the board, its characters.
type CellMarks = Vec<Vec<CellMark>>;

#[derive(Clone, Copy, Default)]
struct LabeledEdges {
    top: bool,
    bottom: bool,
    left: bool,
    right: bool,
}

/// Reads the grid that begins at a line. Also returns the line at which to continue. Short notes (a few words, or a number) directly
/// above or below the grid are skipped. If no board is required, borders around irregular regions replace the usual boxes.
pub(super) fn read_at(lines: &[TextLine], start: usize, boards: BoardChoice<'_>) -> (Reading, usize) {
    let (mut reading, next) = read_with_notes(lines, start, boards);
    if boards.required.is_some() {
        return (reading, next);
    }
    // In a table with hidden rows only, `next` may lie behind the last line.
    match borders::drawn_regions(&lines[start..next.min(lines.len())]) {
        DrawnRegions::Usual => {}
        DrawnRegions::Irregular(regions) => {
            if let Ok(board) = boards.board_with_regions((start + 1, 1), &regions) {
                return read_with_notes(lines, start, BoardChoice { required: Some(&board) });
            }
        }
        DrawnRegions::Unclear => {
            if let Ok(puzzle) = &mut reading {
                puzzle.remarks.push("the bars enclose no regions, so the boxes are the usual ones".to_string());
            }
        }
    }
    (reading, next)
}

fn read_with_notes(lines: &[TextLine], start: usize, boards: BoardChoice<'_>) -> (Reading, usize) {
    let (reading, next) = read_rows(lines, start, boards);
    if reading.is_ok() {
        return (reading, next);
    }
    read_between_notes(lines, start, boards).unwrap_or((reading, next))
}

fn read_between_notes(lines: &[TextLine], start: usize, boards: BoardChoice<'_>) -> Option<(Reading, usize)> {
    const MAX_NOTES: usize = 2;
    let rows = rows_from(lines, start);
    let above = rows.iter().take(MAX_NOTES).take_while(|row| is_note(row)).count();
    let below = rows.iter().rev().take(MAX_NOTES).take_while(|row| is_note(row)).count();
    // The first pair is (0, 0), which `read_rows` has tried.
    for (top, bottom) in (0..=above).flat_map(|top| (0..=below).map(move |bottom| (top, bottom))).skip(1) {
        let inner = rows.get(top..rows.len().saturating_sub(bottom))?;
        if inner.len() < 4 || !has_equal_paragraphs(inner) {
            return None;
        }
        let end = inner[inner.len() - 1].index + 1;
        let (Ok(mut puzzle), next) = read_rows(&lines[..end], inner[0].index, boards) else { continue };
        if next < end || !shows_last_column(&puzzle, inner) {
            continue;
        }
        let notes = rows[..top].iter().map(|row| row.text.trim());
        puzzle.remarks.extend(notes.map(|note| format!("`{note}` above the grid is no part of the puzzle")));
        // The caller decides about the notes below the grid.
        return Some((Ok(puzzle), end));
    }
    None
}

fn is_note(row: &TextRow) -> bool {
    lines::is_short_note(&row.text) && !row.text.starts_with("  ")
}

/// Returns true if all rows have a cell in the last column, or some row has a digit there.
fn shows_last_column(puzzle: &Puzzle, rows: &[TextRow]) -> bool {
    let size = puzzle.geometry.size();
    rows.iter().all(|row| row.width() >= size || row.has_gap() || row.text.contains(is_bar))
        || (0..size).any(|row| puzzle.digit(puzzle.geometry.cell(row, size - 1)).is_some())
}

fn read_rows(lines: &[TextLine], start: usize, boards: BoardChoice<'_>) -> (Reading, usize) {
    let rows = rows_from(lines, start);
    let Some(first) = rows.first() else {
        return (Err(FormatError::new(error::EMPTY, (start + 1, 1), "there is no puzzle here")), start + 1);
    };
    // 16 characters are a 4×4 puzzle, unless they are a row of a 16×16 grid; 25 characters may be a puzzle on a 5×5 board.
    if is_small_puzzle(first, boards) && !is_large_grid(&rows, boards) {
        return (one_line::read(first.index + 1, &lines[first.index], boards), first.index + 1);
    }
    if let Some(found) = read_with_empty_rows(lines, first.index, boards) {
        return found;
    }
    let heights = paragraph_heights(&rows);
    if shows_candidates_by_position(&rows[..heights[0]]) {
        let (candidates, puzzles) = ("candidates drawn in several lines for each cell", "cells on every line");
        return (Err(error::ambiguous(first.position(), candidates, puzzles)), rows[heights[0] - 1].index + 1);
    }
    let mut first_error = None;
    // Try the first paragraph, then the first two, and so on.
    for number in 0..heights.len() {
        let group = &rows[..heights[..=number].iter().sum()];
        if number > 0 && group.len() > 2 * MAX_ROWS {
            break;
        }
        let reading = if number == 0 {
            read_paragraph(group, boards)
        } else if are_bands(group) {
            read_grid(group, boards).map(|result| (result, group.len()))
        } else {
            None
        };
        match reading {
            Some((Ok(puzzle), used)) => return (Ok(puzzle), rows[used - 1].index + 1),
            Some((Err(error), used)) if first_error.is_none() => {
                first_error = Some((Err(error), rows[used - 1].index + 1));
            }
            _ => {}
        }
    }
    if let Some(first_error) = first_error {
        return first_error;
    }
    if let Some((result, used)) = read_grid_with_empty_line(lines, &rows, boards) {
        return (result, rows[used - 1].index + 1);
    }
    if let Some(result) = read_groups(&rows, boards) {
        return (result, rows[rows.len() - 1].index + 1);
    }
    // Each line of the first paragraph may be a puzzle whose empty cells are blanks.
    let paragraph = &rows[..heights[0]];
    let puzzles = paragraph.iter().map(|row| {
        let reading = columns::read_line_with_blanks(&lines[row.index], row.index + 1, boards);
        reading?.ok()
    });
    if let Some(puzzles) = puzzles.collect::<Option<Vec<Puzzle>>>()
        && let Some(first) = puzzles.into_iter().next()
    {
        return (Ok(first), start + 1);
    }
    let paragraph = &paragraph[..first_small_puzzle(paragraph, boards)];
    (Err(explain_rows(paragraph, boards)), paragraph.last().map_or(start, |row| row.index) + 1)
}

/// Returns true if a drawing has several lines for each row of cells, and each candidate has a fixed place in the field of its cell: on
/// 9×9, a line shows only 1 to 3, only 4 to 6 or only 7 to 9.
fn shows_candidates_by_position(rows: &[TextRow]) -> bool {
    let fields_by_row: Vec<Vec<&str>> =
        rows.iter().map(|row| row.text.trim().trim_matches(is_bar).split(is_bar).collect()).collect();
    let size = fields_by_row[0].len();
    let Some((_, width)) = BoardSpec::usual_box_shape(size) else { return false };
    if fields_by_row.iter().any(|fields| fields.len() != size || fields.iter().any(|f| f.chars().count() != width)) {
        return false;
    }
    let (mut digit_count, mut bands) = (0, Vec::new());
    for fields in fields_by_row {
        let places = fields.iter().flat_map(|field| field.chars().enumerate());
        let digits = places.filter_map(|(at, symbol)| Some((at, Digit::from_symbol(symbol)?.index())));
        let digits: Vec<(usize, usize)> = digits.collect();
        let Some(&(_, first)) = digits.first() else { continue };
        if digits.iter().any(|&(at, digit)| digit % width != at || digit / width != first / width) {
            return false;
        }
        digit_count += digits.len();
        bands.push(first / width);
    }
    digit_count > size && bands.iter().any(|band| *band != bands[0])
}

/// Returns the index of the first row that is a small puzzle below rows that are no grid, or the number of rows if there is none.
fn first_small_puzzle(rows: &[TextRow], boards: BoardChoice<'_>) -> usize {
    if is_large_grid(rows, boards) {
        return rows.len();
    }
    let is_puzzle = |at: usize| is_small_puzzle(&rows[at], boards) && !is_large_grid(&rows[at..], boards);
    (1..rows.len()).find(|&at| is_puzzle(at)).unwrap_or(rows.len())
}

/// Returns true if the row begins with 16 or 25 characters, as many as the cells of a small puzzle.
fn is_small_puzzle(row: &TextRow, boards: BoardChoice<'_>) -> bool {
    let length = row.groups.first().map_or(0, Vec::len);
    matches!(length, 16 | 25) && boards.allowed_size_with_cells(length).is_some()
}

/// Returns true if the lines are rows of a 16×16 grid and no 4×4 puzzles: 16 rows of 16 characters, some with a digit above 4. A damaged
/// grid is recognized by a digit above 4 in most rows.
fn is_large_grid(rows: &[TextRow], boards: BoardChoice<'_>) -> bool {
    let near = &rows[..rows.len().min(16)];
    let with_large_digit = near.iter().filter(|row| has_digit_above(row.groups.iter().take(1).flatten(), 4)).count();
    let is_full_grid =
        near.len() == 16 && near.iter().all(|row| row.width() == 16) && (with_large_digit > 0 || !boards.has_size(4));
    boards.has_size(16) && (is_full_grid || (near.len() > 3 && with_large_digit * 2 > near.len()))
}

fn paragraph_heights(rows: &[TextRow]) -> Vec<usize> {
    rows.chunk_by(|a, b| a.paragraph == b.paragraph).map(<[TextRow]>::len).collect()
}

/// Returns true if all paragraphs have the same height. Otherwise a blank line may be an empty row.
fn has_equal_paragraphs(rows: &[TextRow]) -> bool {
    paragraph_heights(rows).windows(2).all(|pair| pair[0] == pair[1])
}

/// Returns true if all paragraphs have the same height, apart from a line of labels before them, or after a single one.
fn are_bands(rows: &[TextRow]) -> bool {
    let mut heights = paragraph_heights(rows);
    if heights.len() > 2 && (heights[0] == 1 || heights[0] == heights[1] + 1) {
        heights.remove(0);
    }
    heights.len() == 2 && heights.contains(&1) || heights.windows(2).all(|pair| pair[0] == pair[1])
}

/// Reads the first grid of a paragraph. Also returns the number of its rows.
fn read_paragraph(rows: &[TextRow], boards: BoardChoice<'_>) -> Option<(Reading, usize)> {
    let is_cut = rows.len() > lines::MAX_ROWS;
    let mut first_error = None;
    for height in (4..=rows.len().min(MAX_ROWS)).rev() {
        let rest = rows.len() % height;
        if rest > 0 && !is_cut {
            continue;
        }
        let rows = &rows[..rows.len() - rest];
        let grids: Option<Vec<Reading>> = rows.chunks(height).map(|rows| read_grid(rows, boards)).collect();
        let Some(first) = grids.and_then(|grids| grids.into_iter().next()) else { continue };
        if first.is_ok() {
            return Some((first, height));
        }
        first_error.get_or_insert((first, height));
    }
    match read_groups(rows, boards) {
        Some(Ok(puzzle)) => Some((Ok(puzzle), rows.len())),
        other => first_error.or(other.map(|reading| (reading, rows.len()))),
    }
}

/// Reads rows that have the shape of one grid. Rows that have only bars are tried as empty rows first, then as parts of a border.
fn read_grid(rows: &[TextRow], boards: BoardChoice<'_>) -> Option<Reading> {
    if let Some(reading) = read_rows_with_labels(rows, boards) {
        return Some(reading);
    }
    let filled: Vec<TextRow> = rows.iter().filter(|row| !row.has_only_bars()).cloned().collect();
    if filled.len() < rows.len() { read_rows_with_labels(&filled, boards) } else { None }
}

fn read_rows_with_labels(rows: &[TextRow], boards: BoardChoice<'_>) -> Option<Reading> {
    for (top, bottom) in [(true, true), (true, false), (false, true), (false, false)] {
        let inner = rows.get(usize::from(top)..rows.len().saturating_sub(usize::from(bottom)))?;
        let size = inner.len();
        if !boards.has_size(size)
            || top && !(columns::is_header(&rows[0].text, size) || has_empty_header(rows))
            || bottom && !columns::is_header(&rows[rows.len() - 1].text, size)
        {
            continue;
        }
        let edges = LabeledEdges { top, bottom, ..LabeledEdges::default() };
        if let Some(result) = read_inner_rows(rows, inner, edges, boards) {
            return Some(result);
        }
    }
    None
}

/// Returns true if the first row is the empty header of a table in Markdown: a border such as `|---|` follows the first row, and no
/// other row.
fn has_empty_header(rows: &[TextRow]) -> bool {
    let [first, second, ..] = rows else { return false };
    first.has_only_bars()
        && second.index == first.index + 2
        && rows[1..].windows(2).all(|pair| pair[1].index == pair[0].index + 1)
}

/// Reads `inner`, the rows without labels above and below, with or without labels at the left and right.
fn read_inner_rows(
    rows: &[TextRow],
    inner: &[TextRow],
    edges: LabeledEdges,
    boards: BoardChoice<'_>,
) -> Option<Reading> {
    let (size, position) = (inner.len(), inner[0].position());
    let mut readings: Vec<(LabeledEdges, Reading)> = Vec::new();
    let labels = labels_in_fields(inner);
    if labels.as_ref().is_some_and(|labels| !labels.are_certain) {
        return Some(Err(error::ambiguous(position, "cells with labels beside them", "cells without labels")));
    }
    for (left, right) in [(false, false), (true, false), (false, true), (true, true)] {
        if labels.as_ref().is_some_and(|labels| labels.left && !left || labels.right && !right) {
            continue;
        }
        let Some(stripped) = without_labels(inner, left, right) else { continue };
        let edges = LabeledEdges { left, right, ..edges };
        if let Some(cells) = split_into_cells(&stripped, size) {
            let mut result = cell_texts::read(&cells, size, boards);
            if result.is_ok() && !(edges.top || left) && may_be_header(inner, &cells, size) {
                let message = "column numbers above a grid that lacks a row";
                result = Err(error::ambiguous(position, "a row of the grid", message));
            }
            // Earlier readings took the labels for cells. This reading is final if it succeeds or is ambiguous.
            let ends_search = match &result {
                Ok(_) => true,
                Err(fault) => fault.code == error::AMBIGUOUS,
            };
            if ends_search {
                readings = vec![(edges, result)];
                break;
            }
            readings.push((edges, result));
            continue;
        }
        let lines: Vec<(usize, &str)> = stripped.iter().map(|row| (row.index, row.text.as_str())).collect();
        if has_equal_paragraphs(inner) && !is_smaller_grid_with_number(&lines, size, boards) {
            readings.extend(read_aligned(&lines, size, boards).into_iter().map(|result| (edges, result)));
        }
    }
    let puzzles: Vec<&Puzzle> = readings.iter().filter_map(|(_, result)| result.as_ref().ok()).collect();
    if puzzles.windows(2).any(|pair| pair[0] != pair[1]) {
        let other = "cells in another way; write a dot for an empty cell";
        return Some(Err(error::ambiguous(position, "cells in one way", other)));
    }
    let first_puzzle = readings.iter().position(|(_, result)| result.is_ok());
    // Without a puzzle, report the first error.
    let (edges, result) = readings.into_iter().nth(first_puzzle.unwrap_or(0))?;
    Some(result.map(|puzzle| with_remark_on_labels(puzzle, rows, edges)))
}

/// Reads aligned rows by the columns of the text, once for each possible layout.
fn read_aligned(rows: &[(usize, &str)], size: usize, boards: BoardChoice<'_>) -> Vec<Reading> {
    let layouts = columns::read(rows, size).unwrap_or_default();
    layouts.iter().map(|cells| cell_texts::read(cells, size, boards)).collect()
}

/// Labels that share a field with the first or last cell of a row. Only a blank separates label and cell, as in `1 5|3|…`.
struct FieldLabels {
    left: bool,
    right: bool,
    /// True if a blank in a field always follows or precedes a label, so that the labels can't be candidates.
    are_certain: bool,
}

/// Finds labels in the fields of the first and last cells. Returns `None` if there are no such labels, or if the rows are no grid
/// while the labels are in them.
fn labels_in_fields(rows: &[TextRow]) -> Option<FieldLabels> {
    let (left, right, stripped) =
        [(true, true), (true, false), (false, true)].into_iter().find_map(|(left, right)| {
            let stripped = without_labels(rows, left, right)?;
            split_into_cells(&stripped, rows.len())?;
            Some((left, right, stripped))
        })?;
    split_into_cells(rows, rows.len())?;
    let mut fields = stripped.iter().flat_map(|row| row.text.split(|c| is_bar(c) || matches!(c, '\t' | ';' | ',')));
    let has_blank_in_field = fields.any(|field| field.trim().contains(char::is_whitespace));
    Some(FieldLabels { left, right, are_certain: !has_blank_in_field })
}

/// Returns true if the rows are an aligned grid with one row less, and a single number above or below the grid.
fn is_smaller_grid_with_number(lines: &[(usize, &str)], size: usize, boards: BoardChoice<'_>) -> bool {
    let splits = [lines.split_first(), lines.split_last()];
    boards.has_size(size - 1)
        && splits.into_iter().flatten().any(|((_, outer_line), grid)| {
            lines::is_short_note(outer_line)
                && outer_line.split_whitespace().count() == 1
                && read_aligned(grid, size - 1, boards).iter().any(Result::is_ok)
        })
}

fn with_remark_on_labels(mut puzzle: Puzzle, rows: &[TextRow], edges: LabeledEdges) -> Puzzle {
    let has_header = edges.top && rows.first().is_some_and(|row| !row.has_only_bars());
    let sides = [
        (has_header, "above"),
        (edges.bottom, "below"),
        (edges.left, "on the left of"),
        (edges.right, "on the right of"),
    ];
    let names: Vec<&str> = sides.into_iter().filter(|(has_labels, _)| *has_labels).map(|(_, name)| name).collect();
    if !names.is_empty() {
        puzzle.remarks.push(format!("the labels {} the grid are no part of the puzzle", names.join(" and ")));
    }
    puzzle
}

/// Returns true if the first of n rows may be a header that counts the columns, so that the grid lacks a row. One cell below must be
/// empty, or a list of candidates. A list counts only if the first row is drawn differently, or if the list has the digit above it.
fn may_be_header(rows: &[TextRow], cells: &[Vec<CellMark>], size: usize) -> bool {
    let text = rows[0].text.trim();
    let has_separators = separator_count(&rows[0]) > 0;
    let is_drawn_differently =
        rows[1].index > rows[0].index + 1 || separator_count(&rows[0]) != separator_count(&rows[1]);
    let (header, below) = cells.split_at(size);
    // A header has no irregular bar, as in `1 2 3 | 4`, and no number in braces.
    let numbers_between_bars: Vec<usize> =
        text.split(is_bar).map(|part| part.split_whitespace().count()).filter(|&count| count > 0).collect();
    let is_regular = numbers_between_bars.windows(2).all(|pair| pair[0] == pair[1]) && !text.contains('{');
    is_regular
        && text.contains(|c: char| c.is_whitespace() || is_bar(c) || matches!(c, ',' | ';'))
        && (columns::is_header(&rows[0].text, size)
            || (has_empty_header(rows) && header.iter().all(|cell| is_empty(cell))))
        && below.iter().zip(header.iter().cycle()).any(|(cell, above)| {
            let lists_digit_above = cell.iter().any(|mark| above.iter().any(|above| above.symbol == mark.symbol));
            let is_list = size <= 9 && cell.len() > 1;
            is_empty(cell) || is_list && (is_drawn_differently || size > 4 && !has_separators && lists_digit_above)
        })
}

/// Counts the bars and tabs of a row.
fn separator_count(row: &TextRow) -> usize {
    row.text.chars().filter(|&c| is_bar(c) || c == '\t').count()
}

fn is_empty(cell: &[CellMark]) -> bool {
    cell.iter().all(CellMark::is_blank)
}

/// Returns the rows without the labels at the requested sides. Returns `None` if a requested side has no labels.
fn without_labels(rows: &[TextRow], left: bool, right: bool) -> Option<Vec<TextRow>> {
    let mut stripped = rows.to_vec();
    if left {
        stripped = without_side_labels(&stripped, columns::split_left_label)?;
    }
    if right {
        stripped = without_side_labels(&stripped, columns::split_right_label)?;
    }
    Some(stripped)
}

/// Removes the label that `split_label` finds in each row. Returns `None` if the labels are no sequence.
fn without_side_labels(
    rows: &[TextRow],
    split_label: fn(&str) -> Option<(columns::EdgeLabel, String)>,
) -> Option<Vec<TextRow>> {
    let split: Option<Vec<_>> = rows.iter().map(|row| split_label(&row.text)).collect();
    let (labels, texts): (Vec<columns::EdgeLabel>, Vec<String>) = split?.into_iter().unzip();
    if !columns::is_sequence(&labels) {
        return None;
    }
    Some(rows.iter().zip(texts).map(|(row, text)| TextRow::new(row.index, row.paragraph, text)).collect())
}

/// Returns the cells of `size` rows, if separators, blanks or single characters give `size` cells in each row.
fn split_into_cells(rows: &[TextRow], size: usize) -> Option<CellMarks> {
    let separators = [is_bar as fn(char) -> bool, |c| c == '\t', |c| c == ';'];
    if let Some(cells) = separators.into_iter().find_map(|separator| split_at_separators(rows, size, separator)) {
        return Some(cells);
    }
    match (split_at_blanks(rows, size), split_at_separators(rows, size, |c| c == ',')) {
        (None, None) => {}
        // A comma may separate cells or candidates.
        (Some(_), Some(_)) => return None,
        (cells, None) | (None, cells) => return cells,
    }
    if rows.iter().any(TextRow::has_gap) {
        return None;
    }
    // The number of bars may differ here, because rows around irregular regions have different borders.
    if rows.iter().all(|row| row.groups.len() == size) {
        return Some(rows.iter().flat_map(|row| row.groups.iter().cloned()).collect());
    }
    let marks: Vec<CellMark> = rows.iter().flat_map(TextRow::marks).collect();
    let is_uniform = rows.iter().all(|row| row.bar_count() == rows[0].bar_count() && row.width() == size);
    if !is_uniform || marks.iter().any(|mark| mark.symbol == '{') {
        return None;
    }
    // Without a blank symbol, characters are cells only if all rows are grouped alike; otherwise blanks may be empty cells.
    let has_blanks = marks.iter().any(|mark| mark.is_blank() || is_x(mark.symbol));
    let are_grouped_alike =
        rows.windows(2).all(|pair| pair[0].groups.iter().map(Vec::len).eq(pair[1].groups.iter().map(Vec::len)));
    (has_blanks || are_grouped_alike).then(|| marks.into_iter().map(|mark| vec![mark]).collect())
}

/// Returns the cells of rows with a separator between every two cells.
fn split_at_separators(rows: &[TextRow], size: usize, is_separator: fn(char) -> bool) -> Option<CellMarks> {
    let fields: Vec<Vec<CellField>> = rows.iter().map(|row| fields_of(row, is_separator)).collect();
    if fields.iter().any(|row| row.len() < size) {
        return None;
    }
    let are_bars = is_separator('|');
    let has_frame =
        |row: &Vec<CellField>| row.len() > 2 && row[0].text.trim().is_empty() && row[row.len() - 1].text.is_empty();
    let is_framed = are_bars && fields.iter().all(has_frame);
    let styles = [
        [true, true, false],
        [true, false, false],
        [false, true, false],
        [false, false, false],
        [true, true, true],
        [false, false, true],
    ];
    let cells = styles.into_iter().find_map(|[begins_row, ends_row, is_doubled]| {
        // Only bars begin a row or are doubled.
        let is_possible = if are_bars { !is_framed || begins_row && ends_row } else { !begins_row && !is_doubled };
        if !is_possible {
            return None;
        }
        fields_of_cells(&fields, size, [begins_row, ends_row, is_doubled])
    });
    cells_of(&cells?, size)
}

/// Returns the fields that are cells, if each row has `size` such fields. A separator may begin or end a row, or be doubled between boxes.
fn fields_of_cells(
    fields: &[Vec<CellField>],
    size: usize,
    [begins_row, ends_row, is_doubled]: [bool; 3],
) -> Option<Vec<&CellField>> {
    let mut cells: Vec<&CellField> = Vec::with_capacity(size * size);
    for (number, row) in (1..).zip(fields) {
        let mut row = row.as_slice();
        if begins_row {
            let (first, rest) = row.split_first()?;
            if !first.text.trim().is_empty() {
                return None;
            }
            row = rest;
        }
        if ends_row {
            let (last, rest) = row.split_last()?;
            if !last.text.is_empty() {
                return None;
            }
            row = rest;
        }
        cells.extend(row.iter().filter(|field| !(is_doubled && field.text.is_empty())));
        if cells.len() != number * size {
            return None;
        }
    }
    Some(cells)
}

pub(super) fn fields_of(row: &TextRow, is_separator: fn(char) -> bool) -> Vec<CellField> {
    let mut fields = vec![CellField { line: row.index + 1, column: 1, text: String::new() }];
    for (column, symbol) in (1..).zip(row.text.chars()) {
        match fields.last_mut() {
            Some(field) if !is_separator(symbol) => field.text.push(symbol),
            _ => fields.push(CellField { line: row.index + 1, column: column + 1, text: String::new() }),
        }
    }
    fields
}

pub(super) struct CellField {
    line: usize,
    pub column: usize,
    text: String,
}

impl CellField {
    /// Splits the field into candidates or digits at blanks, commas and slashes. An empty field is one blank symbol.
    fn entries(&self) -> CellMarks {
        // A single blank symbol is kept, because 0 may be a digit.
        if cell_texts::is_empty(&self.text) && self.text.trim().chars().count() != 1 {
            return vec![vec![CellMark::new('.', self.line, self.column)]];
        }
        let marks = (self.column..).zip(self.text.chars());
        let marks: Vec<CellMark> = marks.map(|(column, symbol)| CellMark::new(symbol, self.line, column)).collect();
        let entries = marks.split(|mark| separates_entries(mark.symbol)).filter(|entry| !entry.is_empty());
        entries.map(<[CellMark]>::to_vec).collect()
    }
}

/// Returns true for symbols between the candidates of one cell.
fn separates_entries(symbol: char) -> bool {
    symbol.is_whitespace() || matches!(symbol, ',' | '/')
}

/// Returns the marks of the cell in each field. If a cell has several entries, all entries must be single characters or, on boards
/// over 9×9, all must be decimal numbers. Returns `None` for other entries, or if an entry is missing beside a comma.
fn cells_of(fields: &[&CellField], size: usize) -> Option<CellMarks> {
    let mut texts = fields.iter().map(|field| field.text.trim());
    if texts.any(|text| text.starts_with([',', '/']) || text.ends_with([',', '/'])) {
        return None;
    }
    let cells: Vec<CellMarks> = fields.iter().map(|field| field.entries()).collect();
    if cells.iter().filter(|cell| cell.len() > 1).flatten().all(|entry| digit_range(entry, size).len() <= 1) {
        return Some(cells.into_iter().map(|cell| cell.concat()).collect());
    }
    let cells = cells.into_iter().map(|cell| {
        let entries = cell.into_iter().map(|entry| with_number_as_symbol(entry, size));
        entries.collect::<Option<CellMarks>>().map(|entries| entries.concat())
    });
    cells.collect()
}

fn with_number_as_symbol(entry: Vec<CellMark>, size: usize) -> Option<Vec<CellMark>> {
    let range = digit_range(&entry, size);
    if range.is_empty() {
        return Some(entry);
    }
    let number = cell_texts::number_as_mark(&entry[range.clone()], size)?;
    Some([&entry[..range.start], &[number], &entry[range.end..]].concat())
}

/// Returns the range of digits in an entry, without the decoration around them; the range is empty if there is no digit. On boards over
/// 9×9, letters are digits.
fn digit_range(entry: &[CellMark], size: usize) -> std::ops::Range<usize> {
    let is_digit: fn(&CellMark) -> bool = match size {
        0..=9 => |mark| mark.symbol.is_numeric(),
        _ => |mark| mark.symbol.is_alphanumeric(),
    };
    entry.iter().position(is_digit).unwrap_or_default()..entry.iter().rposition(is_digit).map_or(0, |last| last + 1)
}

/// Splits rows into cells at blanks and bars, if commas or slashes separate the candidates of a cell.
fn split_at_blanks(rows: &[TextRow], size: usize) -> Option<CellMarks> {
    let mut fields = Vec::with_capacity(size * size);
    for row in rows {
        fields.extend(fields_of(row, |c| c.is_whitespace() || is_bar(c)).into_iter().filter(|f| !f.text.is_empty()));
        if fields.len() % size != 0 {
            return None;
        }
    }
    let has_lists = fields.iter().any(|field| field.text.contains(separates_entries));
    if fields.len() != size * size || !has_lists {
        return None;
    }
    cells_of(&fields.iter().collect::<Vec<_>>(), size)
}

/// Reads n² groups of characters that are not on n lines: all on one line, each on its own line, or rows that continue on further lines.
fn read_groups(rows: &[TextRow], boards: BoardChoice<'_>) -> Option<Reading> {
    if let [row] = rows
        && row.has_gap()
    {
        return read_fields_of_line(row, boards);
    }
    let widths: Vec<usize> = rows.iter().map(|row| row.groups.len()).collect();
    let Some(size) = boards.allowed_size_with_cells(widths.iter().sum()) else { return read_four_blocks(rows, boards) };
    // A number above rows is no cell; rows of n groups are read elsewhere.
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
    // If each row is as long as the rows of another board, the characters are cells of that board, not lists of candidates.
    let width = rows[0].width();
    if widths[0] == 1 && boards.has_size(width) && width != size && rows.iter().all(|row| row.width() == width) {
        return None;
    }
    let are_parts_of_rows = (2..size).contains(&widths[0]) && widths.iter().all(|&width| width == widths[0]);
    if are_parts_of_rows {
        let (parts, boxes) = ("rows that continue on the next line", "boxes one after another");
        return Some(Err(error::ambiguous(rows[0].position(), parts, boxes)));
    }
    let cells: CellMarks = rows.iter().flat_map(|row| row.groups.iter().cloned()).collect();
    if cells.iter().flatten().any(|mark| !mark.symbol.is_ascii() && !mark.is_blank()) {
        return None;
    }
    if cells.iter().all(|cell| cell.len() == 1) {
        Some(from_marks(&cells.concat(), size, boards))
    } else {
        Some(cell_texts::read(&cells, size, boards))
    }
}

/// Reads a puzzle of 4×4 written as four blocks on a line.
fn read_four_blocks(rows: &[TextRow], boards: BoardChoice<'_>) -> Option<Reading> {
    let [row] = rows else { return None };
    let has_four_blocks = row.groups.len() == 4 && row.groups.iter().all(|group| group.len() == 4);
    if !has_four_blocks || !boards.has_size(4) || has_digit_above(row.groups.iter().flatten(), 4) {
        return None;
    }
    Some(from_marks(&row.groups.concat(), 4, boards))
}

/// Reads all cells on one line, with a separator between every two cells, so that cells may be blank.
fn read_fields_of_line(row: &TextRow, boards: BoardChoice<'_>) -> Option<Reading> {
    [|c: char| c == '\t', |c: char| c == ';', |c: char| c == ','].into_iter().find_map(|is_separator| {
        let mut fields = fields_of(row, is_separator);
        let last_is_blank = fields.last().is_some_and(|field| field.text.trim().is_empty());
        if boards.allowed_size_with_cells(fields.len()).is_none() && last_is_blank {
            fields.pop();
        }
        let size = boards.allowed_size_with_cells(fields.len())?;
        Some(cell_texts::read(&cells_of(&fields.iter().collect::<Vec<_>>(), size)?, size, boards))
    })
}

/// Reads a grid of aligned rows in which some rows, perhaps the first or last, are empty: lines of blanks up to the last column. Also
/// returns the line after the grid.
pub(super) fn read_with_empty_rows(
    lines: &[TextLine],
    start: usize,
    boards: BoardChoice<'_>,
) -> Option<(Reading, usize)> {
    let near = &lines[start..lines.len().min(start + 2 * MAX_ROWS)];
    if !near.iter().any(|line| !line.is_empty() && is_blank(line)) {
        return None;
    }
    boards.sizes().rev().filter(|size| *size > 5).find_map(|size| {
        let rows = (start..lines.len()).filter(|&at| lines[at].kind != LineKind::Border);
        let rows: Vec<(usize, &TextLine)> = rows.take(size).map(|at| (at, &lines[at])).collect();
        if rows.len() < size {
            return None;
        }
        let end = rows[size - 1].0 + 1;
        let width = rows.iter().map(|(_, row)| row.trim_end().chars().count()).max()?;
        let empty_rows = rows.iter().filter(|(_, row)| is_blank(row)).count();
        let has_note = [rows[0].1, rows[size - 1].1].iter().any(|row| lines::is_short_note(row) && !is_blank(row));
        let are_rows = rows.iter().all(|(_, row)| {
            if is_blank(row) { row.len() == width && width >= size } else { row.kind == LineKind::Row }
        });
        let continues = lines.get(end).is_some_and(|line| line.kind == LineKind::Row);
        if empty_rows == 0 || empty_rows > size / 2 || has_note || !are_rows || continues {
            return None;
        }
        let rows: Vec<(usize, &str)> = rows.iter().map(|(at, row)| (*at, row.text.as_str())).collect();
        Some((only_aligned_reading(&rows, size, boards)?, end))
    })
}

/// Reads aligned rows. Returns `None` unless exactly one layout is possible.
fn only_aligned_reading(rows: &[(usize, &str)], size: usize, boards: BoardChoice<'_>) -> Option<Reading> {
    let mut readings = read_aligned(rows, size, boards);
    if readings.len() == 1 { readings.pop() } else { None }
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// Reads a grid in which one row is an empty line. Also returns the number of rows that are not empty. The grid is ambiguous if the
/// other rows are a smaller grid. It is also ambiguous if the empty line may separate bands, so that an empty row at the edge is missing.
fn read_grid_with_empty_line(
    lines: &[TextLine],
    rows: &[TextRow],
    boards: BoardChoice<'_>,
) -> Option<(Reading, usize)> {
    let (start, used) = (rows[0].index, rows.len());
    let size = used + 1;
    if !boards.has_size(size) || size <= 5 {
        return None;
    }
    let grid_lines: Vec<(usize, &str)> =
        (start..).zip(lines.get(start..start + size)?.iter().map(|line| line.text.as_str())).collect();
    let (blank, filled): (Vec<_>, Vec<_>) = grid_lines.iter().copied().partition(|(_, line)| is_blank(line));
    let begins_paragraph = start == 0 || is_blank(&lines[start - 1]);
    let ends_with_row = !is_blank(grid_lines[size - 1].1);
    if rows[used - 1].index >= start + size || filled.len() != used || !ends_with_row || !begins_paragraph {
        return None;
    }
    let blank_row = blank[0].0 - start;
    let height = BoardSpec::usual_box_shape(size).map_or(size, |(height, _)| height);
    let may_separate_bands = blank_row % height == 0 || (blank_row + 1) % height == 0;
    let result = only_aligned_reading(&grid_lines, size, boards)?;
    let may_be_smaller_grid =
        || boards.has_size(size - 1) && read_aligned(&filled, size - 1, boards).iter().any(Result::is_ok);
    if may_separate_bands || may_be_smaller_grid() {
        let (empty_row, gap) = ("an empty row where a line is blank", "a gap; write a dot for an empty cell");
        return Some((Err(error::ambiguous(rows[0].position(), empty_row, gap)), used));
    }
    Some((result, used))
}
