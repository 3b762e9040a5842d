//! Grids on several lines, however they are drawn. In: lines. Out: one [`Puzzle`] and the line after it.
//!
//! A paragraph is read whole or not at all: it is one grid, or several with the same number of lines. A grid may also be spread over
//! paragraphs of equal height, such as one for each band. Rows are split in this order: by signs between the cells (bars,
//! tabs, semicolons, commas), so that a cell may be blank; by blanks; by characters; by columns, where blanks are the
//! empty cells. The first that gives n cells in each of n rows decides. Labels at the edges are removed before.

use super::boards::BoardChoice;
use super::columns::{self, is_bar};
use super::error::{self, FormatError};
use super::lines::{self, LineKind, TextRow, explain, has_digit_above, rows_from};
use super::puzzle::{CellMark, Puzzle, from_marks, is_blank};
use super::{cell_texts, one_line};
use crate::grid::BoardSpec;

/// The most rows of a grid with its labels.
const MOST_ROWS: usize = 27;

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
pub(super) fn read_at(lines: &[&str], start: usize, boards: BoardChoice<'_>) -> (Result<Puzzle, FormatError>, usize) {
    let found = read_rows(lines, start, boards);
    if found.0.is_ok() {
        return found;
    }
    without_short_notes(lines, start, boards).unwrap_or(found)
}

/// Reads the grid between up to two short lines above and up to two below that are no cells.
fn without_short_notes(
    lines: &[&str],
    start: usize,
    boards: BoardChoice<'_>,
) -> Option<(Result<Puzzle, FormatError>, usize)> {
    const MOST: usize = 2;
    let rows = rows_from(lines, start);
    let is_short_note = |row: &TextRow| lines::is_short_note(&row.text) && !row.text.starts_with("  ");
    let above = rows.iter().take(MOST).take_while(|row| is_short_note(row)).count();
    let below = rows.iter().rev().take(MOST).take_while(|row| is_short_note(row)).count();
    for (top, bottom) in (0..=above).flat_map(|top| (0..=below).map(move |bottom| (top, bottom))).skip(1) {
        let inner =
            rows.get(top..rows.len().saturating_sub(bottom)).filter(|inner| inner.len() >= 4 && is_regular(inner))?;
        let first = inner[0].index;
        let end = inner[inner.len() - 1].index + 1;
        let (Ok(mut puzzle), next) = read_rows(&lines[..end], first, boards) else { continue };
        if next < end || !shows_last_column(&puzzle, inner) {
            continue;
        }
        for row in &rows[..top] {
            puzzle.remarks.push(format!("`{}` above the grid is no part of the puzzle", row.text.trim()));
        }
        // Lines below the grid are judged separately.
        return Some((Ok(puzzle), end));
    }
    None
}

/// Returns true if all rows reach the last column, or a digit stands in it.
fn shows_last_column(puzzle: &Puzzle, rows: &[TextRow]) -> bool {
    let size = puzzle.geometry.size();
    let drawn = rows.iter().all(|row| row.width() >= size || row.has_gap() || row.text.contains(is_bar));
    drawn || (0..size).any(|row| puzzle.digit(puzzle.geometry.cell(row, size - 1)).is_some())
}

fn read_rows(lines: &[&str], start: usize, boards: BoardChoice<'_>) -> (Result<Puzzle, FormatError>, usize) {
    let rows = rows_from(lines, start);
    let Some(first) = rows.first() else {
        return (Err(FormatError::new(error::EMPTY, (start + 1, 1), "there is no puzzle here")), start + 1);
    };
    if let Some(result) = small_line(lines, &rows, boards) {
        return (result, first.index + 1);
    }
    if let Some((result, end)) = with_empty_rows(lines, first.index, boards) {
        return (result, end);
    }
    let ends: Vec<usize> =
        (1..=rows.len()).filter(|&at| rows.get(at).is_none_or(|row| row.paragraph != rows[at - 1].paragraph)).collect();
    let mut wrong = None;
    for (number, &end) in ends.iter().enumerate() {
        let group = &rows[..end];
        let found = match number {
            0 => paragraph(group, boards),
            _ if end > 2 * MOST_ROWS || !is_even(group) => None,
            _ => whole(group, boards),
        };
        match found {
            Some((Ok(puzzle), used)) => return (Ok(puzzle), rows[used - 1].index + 1),
            Some((Err(error), used)) if wrong.is_none() => wrong = Some((error, rows[used - 1].index + 1)),
            _ => {}
        }
    }
    if wrong.is_none() {
        let found = blank_rows(lines, &rows, boards).or_else(|| flat(&rows, boards).map(|result| (result, rows.len())));
        if let Some((result, used)) = found {
            return (result, rows[used - 1].index + 1);
        }
        let on_a_line = |row: &TextRow| columns::on_a_line(lines[row.index], row.index + 1, boards);
        if rows[..ends[0]].iter().all(|row| on_a_line(row).is_some_and(|result| result.is_ok()))
            && let Some(result) = on_a_line(first)
        {
            return (result, start + 1);
        }
    }
    let (error, next) = wrong.unwrap_or_else(|| {
        let paragraph: Vec<&TextRow> = rows[..ends[0]].iter().collect();
        let paragraph = &paragraph[..whole_puzzles(&rows[..paragraph.len()], boards)];
        (explain(paragraph, boards), paragraph.last().map_or(start, |row| row.index) + 1)
    });
    (Err(error), next)
}

/// Finds the index of the first puzzle on a line of its own below rows that are no grid. Returns the number of rows if there is none.
fn whole_puzzles(rows: &[TextRow], boards: BoardChoice<'_>) -> usize {
    let begins = |at: &usize| is_small(&rows[*at], boards) && !of_large_grid(&rows[*at..], boards);
    if of_large_grid(rows, boards) { rows.len() } else { (1..rows.len()).find(begins).unwrap_or(rows.len()) }
}

/// Returns true if the line begins with as many characters as a small puzzle has.
fn is_small(row: &TextRow, boards: BoardChoice<'_>) -> bool {
    let length = row.groups.first().map_or(0, Vec::len);
    matches!(length, 16 | 25) && boards.with_cells(length).is_some()
}

/// Reads a line of 16 characters as a 4×4 puzzle, unless the next rows show a 16×16 grid; likewise 25 characters on a 5×5 board.
fn small_line(lines: &[&str], rows: &[TextRow], boards: BoardChoice<'_>) -> Option<Result<Puzzle, FormatError>> {
    let first = rows.first().filter(|first| is_small(first, boards))?;
    (!of_large_grid(rows, boards)).then(|| one_line::read(first.index + 1, lines[first.index], boards))
}

/// Returns true if these lines are rows of a 16×16 grid, even of a damaged one: 16 rows of 16 characters with a digit above 4, or
/// rows most of which have such a digit.
fn of_large_grid(rows: &[TextRow], boards: BoardChoice<'_>) -> bool {
    let near = &rows[..rows.len().min(16)];
    let first = |row: &TextRow| TextRow { groups: row.groups[..row.groups.len().min(1)].to_vec(), ..row.clone() };
    let above = near.iter().filter(|row| has_digit_above(&[first(row)], 4)).count();
    let whole = near.len() == 16 && near.iter().all(|row| row.width() == 16) && (above > 0 || !boards.has(4));
    boards.has(16) && (whole || (near.len() > 3 && above * 2 > near.len()))
}

/// Returns true if all paragraphs have equally many rows, but for a line of labels before or after them.
fn is_even(rows: &[TextRow]) -> bool {
    let mut heights: Vec<usize> = rows.chunk_by(|a, b| a.paragraph == b.paragraph).map(<[TextRow]>::len).collect();
    if heights.len() > 2 && (heights[0] == 1 || heights[0] == heights[1] + 1) {
        heights.remove(0);
    }
    heights.len() == 2 && (heights[0] == 1 || heights[1] == 1) || heights.windows(2).all(|pair| pair[0] == pair[1])
}

/// Reads the first grid of a paragraph. Also returns the number of its rows.
fn paragraph(rows: &[TextRow], boards: BoardChoice<'_>) -> Option<(Result<Puzzle, FormatError>, usize)> {
    let mut wrong = None;
    for height in (4..=rows.len().min(MOST_ROWS)).rev().filter(|height| rows.len().is_multiple_of(*height)) {
        let mut grids = rows.chunks(height).map(|rows| grid(rows, boards));
        let Some(first) = grids.next().flatten() else { continue };
        if !grids.all(|grid| grid.is_some()) {
            continue;
        }
        match first {
            Ok(puzzle) => return Some((Ok(puzzle), height)),
            Err(error) if wrong.is_none() => wrong = Some((error, height)),
            Err(_) => {}
        }
    }
    if let Some(Ok(puzzle)) = flat(rows, boards) {
        return Some((Ok(puzzle), rows.len()));
    }
    let full = wrong.map(|(error, height)| (Err(error), height));
    full.or_else(|| flat(rows, boards).map(|result| (result, rows.len())))
}

/// Reads a grid that takes all of these rows.
fn whole(rows: &[TextRow], boards: BoardChoice<'_>) -> Option<(Result<Puzzle, FormatError>, usize)> {
    grid(rows, boards).map(|result| (result, rows.len()))
}

/// Reads rows that have the shape of one grid.
fn grid(rows: &[TextRow], boards: BoardChoice<'_>) -> Option<Result<Puzzle, FormatError>> {
    let solid: Vec<TextRow> = rows.iter().filter(|row| !row.is_hollow()).cloned().collect();
    of_rows(rows, boards).or_else(|| if solid.len() < rows.len() { of_rows(&solid, boards) } else { None })
}

fn of_rows(rows: &[TextRow], boards: BoardChoice<'_>) -> Option<Result<Puzzle, FormatError>> {
    for (top, bottom) in [(true, true), (true, false), (false, true), (false, false)] {
        let inner = rows.get(usize::from(top)..rows.len().saturating_sub(usize::from(bottom)))?;
        let size = inner.len();
        let is_header = |row: &TextRow| columns::is_header(&row.text, size);
        let heads = (!top || rows.first().is_some_and(|row| is_header(row) || is_empty_head(rows)))
            && (!bottom || rows.last().is_some_and(is_header));
        if !heads || !boards.has(size) {
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
    first.is_hollow()
        && second.index == first.index + 2
        && rows[1..].windows(2).all(|pair| pair[1].index == pair[0].index + 1)
}

/// Reads `inner` with labels at the left or right, or without.
fn framed(
    rows: &[TextRow],
    inner: &[TextRow],
    edges: Edges,
    boards: BoardChoice<'_>,
) -> Option<Result<Puzzle, FormatError>> {
    let size = inner.len();
    let mut found: Vec<(Edges, Result<Puzzle, FormatError>)> = Vec::new();
    let joined = joined_labels(inner);
    if joined.is_some_and(|(_, sure)| !sure) {
        return Some(Err(error::ambiguous(inner[0].place(), "cells with labels beside them", "cells without labels")));
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
                let words = "column numbers above a grid that lacks a row";
                result = result.and(Err(error::ambiguous(inner[0].place(), "a row of the grid", words)));
            }
            // Labels that count all rows are no cells: an error of the reading with them as cells does not count.
            match (result, found.is_empty()) {
                (Err(error), _) if error.code != error::AMBIGUOUS => found.push((edges, Err(error))),
                (result, true) => {
                    found.push((edges, result));
                    break;
                }
                (result, false) => {
                    found = vec![(edges, result)];
                    break;
                }
            }
            continue;
        }
        let lines: Vec<(usize, &str)> = stripped.iter().map(|row| (row.index, row.text.as_str())).collect();
        if !is_regular(inner) || is_one_smaller(&lines, size, boards) {
            continue;
        }
        found.extend(columns::read(&lines, size).iter().map(|cells| (edges, cell_texts::read(cells, size, boards))));
    }
    let readings: Vec<&Puzzle> = found.iter().filter_map(|(_, result)| result.as_ref().ok()).collect();
    if readings.windows(2).any(|pair| pair[0] != pair[1]) {
        let (one, other) = ("cells in one way", "cells in another way; write a dot for an empty cell");
        return Some(Err(error::ambiguous(inner[0].place(), one, other)));
    }
    let best = found.iter().position(|(_, result)| result.is_ok()).unwrap_or_default();
    let (edges, result) = found.into_iter().nth(best)?;
    Some(result.map(|puzzle| with_remarks(puzzle, rows, edges)))
}

/// Returns the sides at which labels stand in one field with a cell: a sign separates the cells, and a blank the label from the first
/// or last. Also returns true if blanks separate nothing but the labels, so that these can't be candidates.
fn joined_labels(rows: &[TextRow]) -> Option<((bool, bool), bool)> {
    let size = rows.len();
    let reads = |left, right| without_labels(rows, left, right).filter(|rows| parted(rows, size).is_some());
    let mut sides = [(true, true), (true, false), (false, true)].into_iter();
    let (edges, rows) = sides.find_map(|(left, right)| reads(left, right).map(|rows| ((left, right), rows)))?;
    reads(false, false)?;
    let parts = |sign: char| is_bar(sign) || matches!(sign, '\t' | ';' | ',');
    let spaced = |row: &TextRow| row.text.split(parts).any(|field| field.trim().contains(char::is_whitespace));
    Some((edges, !rows.iter().any(spaced)))
}

/// Returns true if blank lines divide the rows into bands of one height, or not at all. Any other blank line may be an empty row.
fn is_regular(rows: &[TextRow]) -> bool {
    let heights: Vec<usize> = rows.chunk_by(|a, b| a.paragraph == b.paragraph).map(<[TextRow]>::len).collect();
    heights.windows(2).all(|pair| pair[0] == pair[1])
}

/// Returns true if aligned rows are a grid with one row less below or above a number, and nothing stands in their last column.
fn is_one_smaller(lines: &[(usize, &str)], size: usize, boards: BoardChoice<'_>) -> bool {
    let is_grid = |rows: &[(usize, &str)]| {
        columns::read(rows, size - 1).iter().any(|cells| cell_texts::read(cells, size - 1, boards).is_ok())
    };
    let ends = [lines.split_first(), lines.split_last()];
    boards.has(size - 1) && ends.into_iter().flatten().any(|(end, rest)| is_number(end) && is_grid(rest))
}

/// Returns true for a number alone on its line.
fn is_number(line: &(usize, &str)) -> bool {
    lines::is_short_note(line.1) && line.1.split_whitespace().count() == 1
}

/// Adds a remark on the edges that were read as labels.
fn with_remarks(mut puzzle: Puzzle, rows: &[TextRow], edges: Edges) -> Puzzle {
    let head = edges.top && rows.first().is_some_and(|row| !row.is_hollow());
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
    let signs = |row: &TextRow| row.text.chars().filter(|&sign| is_bar(sign) || sign == '\t').count();
    let differs = rows[1].index > rows[0].index + 1 || signs(&rows[0]) != signs(&rows[1]);
    let open = size > 4 && signs(&rows[0]) == 0;
    let lists = |(at, cell): (usize, &Vec<CellMark>)| {
        let lists_head = || cell.iter().any(|mark| cells[at % size].iter().any(|above| above.symbol == mark.symbol));
        size <= 9 && cell.len() > 1 && (differs || open && lists_head())
    };
    let parted = rows[0].text.trim().chars().any(|c| c.is_whitespace() || is_bar(c) || matches!(c, ',' | ';'));
    let counts = columns::is_header(&rows[0].text, size)
        || (is_empty_head(rows) && cells[..size].iter().all(|cell| is_empty_cell(cell)));
    parted && counts && cells[size..].iter().enumerate().any(|entry| is_empty_cell(entry.1) || lists(entry))
}

/// Returns true for signs of an empty cell only.
fn is_empty_cell(cell: &[CellMark]) -> bool {
    cell.iter().all(|mark| is_blank(mark.symbol))
}

/// Returns the rows without the labels at these sides. Returns `None` if there are no labels.
fn without_labels(rows: &[TextRow], left: bool, right: bool) -> Option<Vec<TextRow>> {
    let mut out = rows.to_vec();
    for (wanted, side) in [(left, columns::left_label as fn(&str) -> _), (right, columns::right_label)] {
        if !wanted {
            continue;
        }
        let stripped: Vec<(columns::EdgeLabel, String)> =
            out.iter().map(|row| side(&row.text)).collect::<Option<_>>()?;
        if !columns::is_sequence(&stripped.iter().map(|(label, _)| *label).collect::<Vec<_>>()) {
            return None;
        }
        out = out.iter().zip(stripped).map(|(row, (_, text))| TextRow::new(row.index, row.paragraph, text)).collect();
    }
    Some(out)
}

/// Returns the cells of `size` rows, if signs between them, blanks or single characters give `size` in each.
fn parted(rows: &[TextRow], size: usize) -> Option<Vec<Vec<CellMark>>> {
    for separator in [is_bar as fn(char) -> bool, |c| c == '\t', |c| c == ';'] {
        if let Some(cells) = by_separator(rows, size, separator) {
            return Some(cells);
        }
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
    if rows.iter().any(|row| row.bars() != rows[0].bars()) {
        return None;
    }
    let pattern = |row: &TextRow| row.groups.iter().map(Vec::len).collect::<Vec<_>>();
    let braces = rows.iter().flat_map(TextRow::marks).any(|mark| mark.symbol == '{');
    let blanks =
        rows.iter().flat_map(TextRow::marks).any(|mark| is_blank(mark.symbol) || matches!(mark.symbol, 'x' | 'X'));
    let regular = blanks || rows.windows(2).all(|pair| pattern(&pair[0]) == pattern(&pair[1]));
    let by_character = !braces && regular && rows.iter().all(|row| row.width() == size);
    by_character.then(|| rows.iter().flat_map(TextRow::marks).map(|mark| vec![mark]).collect())
}

/// Returns the cells of rows with a sign between every two cells: outer signs are optional, and doubled ones separate boxes.
fn by_separator(rows: &[TextRow], size: usize, parts: fn(char) -> bool) -> Option<Vec<Vec<CellMark>>> {
    let fields: Vec<Vec<(usize, String)>> = rows.iter().map(|row| fields_of(&row.text, parts)).collect();
    if fields.iter().any(|row| row.len() < size) {
        return None;
    }
    let bars = parts('|');
    // Only bars stand outside of a row; of other signs one may follow the last cell.
    let ways: &[(bool, bool, bool)] = match bars {
        true => &[
            (true, true, false),
            (true, false, false),
            (false, true, false),
            (false, false, false),
            (true, true, true),
            (false, false, true),
        ],
        false => &[(false, true, false), (false, false, false)],
    };
    let is_framed =
        bars && fields.iter().all(|row| row[0].1.trim().is_empty() && row[row.len() - 1].1.is_empty() && row.len() > 2);
    for &(first, last, doubled) in ways.iter().filter(|(first, last, _)| !is_framed || (*first && *last)) {
        let trimmed: Option<Vec<&[(usize, String)]>> = fields
            .iter()
            .map(|row| {
                let mut row = row.as_slice();
                if first {
                    row = row.split_first().filter(|(field, _)| field.1.trim().is_empty())?.1;
                }
                if last {
                    row = row.split_last().filter(|(field, _)| field.1.is_empty())?.1;
                }
                Some(row)
            })
            .collect();
        let Some(trimmed) = trimmed else { continue };
        let kept = |row: &[(usize, String)]| -> Vec<(usize, String)> {
            row.iter().filter(|(_, field)| !(doubled && field.is_empty())).cloned().collect()
        };
        let kept: Vec<Vec<(usize, String)>> = trimmed.into_iter().map(kept).collect();
        if kept.iter().any(|row| row.len() != size) {
            continue;
        }
        let fields: Vec<CellField> = kept
            .into_iter()
            .zip(rows)
            .flat_map(|(row, line)| {
                row.into_iter().map(|(column, text)| CellField { line: line.index + 1, column, text })
            })
            .collect();
        return cells_of(&fields, size);
    }
    None
}

/// Returns the fields of a line, each with its first column.
fn fields_of(text: &str, parts: fn(char) -> bool) -> Vec<(usize, String)> {
    let mut out = vec![(1, String::new())];
    for (column, sign) in (1..).zip(text.chars()) {
        match out.last_mut() {
            Some((_, field)) if !parts(sign) => field.push(sign),
            _ => out.push((column + 1, String::new())),
        }
    }
    out
}

/// The text of one cell and its place.
struct CellField {
    line: usize,
    column: usize,
    text: String,
}

impl CellField {
    /// Splits the field into candidates or digits at blanks, commas and slashes.
    fn entries(&self) -> Vec<Vec<CellMark>> {
        // Keep the sign of an empty cell: 0 may be a digit.
        if cell_texts::is_empty(&self.text) && self.text.trim().chars().count() != 1 {
            return vec![vec![CellMark { symbol: '.', placed: false, line: self.line, column: self.column }]];
        }
        let mark = |(column, symbol)| CellMark { symbol, placed: false, line: self.line, column };
        let marks: Vec<CellMark> = (self.column..).zip(self.text.chars()).map(mark).collect();
        marks
            .split(|mark| parts_entries(mark.symbol))
            .filter(|entry| !entry.is_empty())
            .map(<[CellMark]>::to_vec)
            .collect()
    }
}

/// Returns true if the sign stands between the candidates of one cell.
fn parts_entries(sign: char) -> bool {
    sign.is_whitespace() || matches!(sign, ',' | '/')
}

/// Returns one cell for each field. None if a comma has nothing on one side, or if an entry of a cell with several is neither one
/// character nor, on all cells of a board over 9×9, a decimal number.
fn cells_of(fields: &[CellField], size: usize) -> Option<Vec<Vec<CellMark>>> {
    if fields.iter().any(|field: &CellField| {
        let text = field.text.trim();
        text.starts_with([',', '/']) || text.ends_with([',', '/'])
    }) {
        return None;
    }
    let cells: Vec<Vec<Vec<CellMark>>> = fields.iter().map(CellField::entries).collect();
    let lists = || cells.iter().filter(|cell| cell.len() > 1);
    if lists().flatten().all(|entry| core(entry, size).len() <= 1) {
        return Some(cells.into_iter().map(|cell| cell.concat()).collect());
    }
    let number = |entry: Vec<CellMark>| -> Option<Vec<CellMark>> {
        let range = core(&entry, size);
        if range.is_empty() {
            return Some(entry);
        }
        let number = cell_texts::number(&entry[range.clone()], size)?;
        Some([&entry[..range.start], &[number], &entry[range.end..]].concat())
    };
    cells
        .into_iter()
        .map(|cell| cell.into_iter().map(number).collect::<Option<Vec<_>>>().map(|cell| cell.concat()))
        .collect()
}

/// Returns the digits of an entry, without the marks around them: letters are digits on boards over 9×9.
fn core(entry: &[CellMark], size: usize) -> std::ops::Range<usize> {
    let inside = |mark: &CellMark| mark.symbol.is_numeric() || (size > 9 && mark.symbol.is_alphabetic());
    let start = entry.iter().position(inside).unwrap_or_default();
    start..entry.iter().rposition(inside).map_or(start, |last| last + 1)
}

/// Returns the cells of rows that blanks and bars separate, if commas or slashes separate the candidates of a cell.
fn by_blanks(rows: &[TextRow], size: usize) -> Option<Vec<Vec<CellMark>>> {
    let is_blank = |sign: char| sign.is_whitespace() || is_bar(sign);
    let mut fields = Vec::with_capacity(size * size);
    for row in rows {
        let parts = fields_of(&row.text, is_blank).into_iter().filter(|(_, text)| !text.is_empty());
        let line = row.index + 1;
        fields.extend(parts.map(|(column, text)| CellField { line, column, text }));
        if fields.len() % size != 0 {
            return None;
        }
    }
    (fields.len() == size * size && fields.iter().any(|field: &CellField| field.text.contains(parts_entries)))
        .then(|| cells_of(&fields, size))?
}

/// Reads n² groups on one line, one group on each line, or rows that begin on a new line and continue on others.
fn flat(rows: &[TextRow], boards: BoardChoice<'_>) -> Option<Result<Puzzle, FormatError>> {
    if let [row] = rows
        && row.has_gap()
    {
        return fields_of_all(row, boards);
    }
    let count: usize = rows.iter().map(|row| row.groups.len()).sum();
    let Some(size) = boards.with_cells(count) else { return four_blocks(rows, boards) };
    // A number above rows is no cell.
    if rows[0].groups.len() == 1 && rows.iter().any(|row| row.groups.len() == size) {
        return None;
    }
    if rows.iter().all(|row| row.groups.len() == size) || rows.iter().any(|row| row.bars() != rows[0].bars()) {
        return None;
    }
    let sums: Vec<usize> = rows
        .iter()
        .scan(0, |sum, row| {
            *sum += row.groups.len();
            Some(*sum)
        })
        .collect();
    let begins = (1..=size).all(|row| sums.contains(&(row * size)));
    if !(rows.len() == 1 || begins) || rows.iter().any(TextRow::has_gap) {
        return None;
    }
    let cells: Vec<Vec<CellMark>> = rows.iter().flat_map(|row| row.groups.iter().cloned()).collect();
    if cells.iter().flatten().any(|mark| !mark.symbol.is_ascii() && !is_blank(mark.symbol)) {
        return None;
    }
    match cells.iter().all(|cell| cell.len() == 1) {
        true => Some(from_marks(&cells.concat(), size, boards)),
        false => Some(cell_texts::read(&cells, size, boards)),
    }
}

/// Reads a puzzle of 4×4 as four blocks on a line.
fn four_blocks(rows: &[TextRow], boards: BoardChoice<'_>) -> Option<Result<Puzzle, FormatError>> {
    let [row] = rows else { return None };
    let four = row.groups.len() == 4 && row.groups.iter().all(|group| group.len() == 4);
    (four && boards.has(4) && !has_digit_above(rows, 4)).then(|| from_marks(&row.groups.concat(), 4, boards))
}

/// Reads all cells on one line, with a sign between every two, so that some can be empty.
fn fields_of_all(row: &TextRow, boards: BoardChoice<'_>) -> Option<Result<Puzzle, FormatError>> {
    [|c: char| c == '\t', |c: char| c == ';', |c: char| c == ','].into_iter().find_map(|parts| {
        let mut fields = fields_of(&row.text, parts);
        if boards.with_cells(fields.len()).is_none() && fields.last().is_some_and(|(_, field)| field.trim().is_empty())
        {
            fields.pop();
        }
        let size = boards.with_cells(fields.len())?;
        let line = row.index + 1;
        let fields: Vec<CellField> =
            fields.into_iter().map(|(column, text)| CellField { line, column, text }).collect();
        Some(cell_texts::read(&cells_of(&fields, size)?, size, boards))
    })
}

/// Reads a grid of aligned rows, some of which (even the first or last) are blanks up to the last column. Also returns the line
/// after it.
pub(super) fn with_empty_rows(
    lines: &[&str],
    start: usize,
    boards: BoardChoice<'_>,
) -> Option<(Result<Puzzle, FormatError>, usize)> {
    let is_blank = |line: &str| line.trim().is_empty();
    let near = &lines[start..lines.len().min(start + 2 * MOST_ROWS)];
    if !near.iter().any(|line| !line.is_empty() && is_blank(line)) {
        return None;
    }
    let kind = |at: usize| lines.get(at).map_or(LineKind::Blank, |line| lines::kind_of(line));
    boards.sizes().into_iter().rev().filter(|size| *size > 5).find_map(|size| {
        let at = (start..lines.len()).filter(|&at| kind(at) != LineKind::Border).take(size);
        let rows: Vec<(usize, &str)> = at.map(|at| (at, lines[at])).collect();
        let end = rows.last().filter(|_| rows.len() == size)?.0 + 1;
        let width = rows.iter().map(|(_, row)| row.trim_end().chars().count()).max()?;
        let is_row = |(at, row): &(usize, &str)| match is_blank(row) {
            true => row.len() == width && width >= size,
            false => kind(*at) == LineKind::Row,
        };
        let blank = rows.iter().filter(|(_, row)| is_blank(row)).count();
        let is_number =
            |row: Option<&(usize, &str)>| row.is_some_and(|(_, row)| lines::is_short_note(row) && !is_blank(row));
        let noted = is_number(rows.first()) || is_number(rows.last());
        if blank == 0 || blank > size / 2 || noted || !rows.iter().all(is_row) || kind(end) == LineKind::Row {
            return None;
        }
        match columns::read(&rows, size).as_slice() {
            [cells] => Some((cell_texts::read(cells, size, boards), end)),
            _ => None,
        }
    })
}

/// Reads a grid with one empty row that is an empty line. The grid ends with the text or before another empty line. If the line may as
/// well separate bands of a grid that lost an empty row at its edge, or stand in a smaller grid, the grid is refused.
fn blank_rows(
    lines: &[&str],
    rows: &[TextRow],
    boards: BoardChoice<'_>,
) -> Option<(Result<Puzzle, FormatError>, usize)> {
    let start = rows[0].index;
    boards.sizes().into_iter().rev().filter(|size| *size > rows.len() / 2 && *size > 5).find_map(|size| {
        let used = rows.iter().take_while(|row| row.index < start + size).count();
        let text = lines.get(start..start + size)?;
        let alone = used + 1 == size && used == rows.len() && !text[size - 1].trim().is_empty();
        let before = start == 0 || lines[start - 1].trim().is_empty();
        let blank = text.iter().position(|line| line.trim().is_empty())?;
        let only_rows = text.iter().filter(|line| !line.trim().is_empty()).count() == used;
        if !alone || !before || !only_rows {
            return None;
        }
        let texts: Vec<(usize, &str)> = (start..).zip(text.iter().copied()).collect();
        let filled: Vec<(usize, &str)> = texts.iter().filter(|(_, line)| !line.trim().is_empty()).copied().collect();
        let height = BoardSpec::standard(size).and_then(|spec| spec.boxes()).map_or(size, |(height, _)| height);
        let may_part_bands = blank % height == 0 || (blank + 1) % height == 0;
        let is_smaller = || {
            let readings = columns::read(&filled, size - 1);
            boards.has(size - 1) && readings.iter().any(|cells| cell_texts::read(cells, size - 1, boards).is_ok())
        };
        match columns::read(&texts, size).as_slice() {
            [_] if may_part_bands || is_smaller() => {
                let (one, other) = ("an empty row where a line is blank", "a gap; write a dot for an empty cell");
                Some((Err(error::ambiguous(rows[0].place(), one, other)), used))
            }
            [cells] => Some((cell_texts::read(cells, size, boards), used)),
            _ => None,
        }
    })
}
