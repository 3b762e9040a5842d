//! Grids on several lines, plain or of candidates. In: [`Row`]s. Out: one [`Puzzle`] and where it ends.
//!
//! A plain grid is n rows of n characters, however they are grouped. Candidate lists are n² groups. A grid
//! may go on over blank lines, but it must end where a paragraph ends, or with the paragraph it began in:
//! so a lost row is reported and not filled up from the next puzzle.

use super::blanks;
use super::boards::Boards;
use super::error::{self, FormatError};
use super::lines::{Row, has_digit_above, rows_from, strange};
use super::lists::from_lists;
use super::one_line;
use super::puzzle::{Mark, Puzzle, from_marks, unknown};

/// Reads the grid that begins at a line; also says at which line to go on.
pub(super) fn read_at(lines: &[&str], start: usize, boards: Boards<'_>) -> (Result<Puzzle, FormatError>, usize) {
    let rows = rows_from(lines, start);
    let Some(first) = rows.first() else {
        return (Err(FormatError::new(error::EMPTY, (start + 1, 1), "there is no puzzle here")), start + 1);
    };
    if let Some(result) = small_line(lines, &rows, boards) {
        return (result, first.index + 1);
    }
    if let Some((result, used)) = plain(&rows, boards) {
        return (result, rows[used - 1].index + 1);
    }
    if let Some(found) = blanks::grid(lines, start, boards) {
        return found;
    }
    if let Some((result, used)) = candidates(&rows, boards) {
        return (result, rows[used - 1].index + 1);
    }
    if first.is_title()
        && let Some((result, used)) = grid(&rows[1..], boards)
    {
        return (result, rows[used].index + 1);
    }
    if let Some(result) = blanks::on_a_line(lines[start], start + 1, boards) {
        return (result, start + 1);
    }
    let paragraph: Vec<&Row> = rows.iter().take_while(|row| row.paragraph == first.paragraph).collect();
    let paragraph = &paragraph[..whole_puzzles(&rows[..paragraph.len()], boards)];
    let next = paragraph.last().map_or(start, |row| row.index) + 1;
    (Err(explain(paragraph, boards)), next)
}

/// Where puzzles on a line each begin below rows that are no grid; the number of rows where none do.
fn whole_puzzles(rows: &[Row], boards: Boards<'_>) -> usize {
    let is_whole = |row: &Row| {
        let small = row.groups[0].len();
        matches!(small, 16 | 25) && boards.with_cells(small).is_some()
    };
    let of_large_grid = |from: usize| rows.len() >= 9 && has_digit_above(&rows[from..], 4);
    (1..rows.len()).find(|&at| is_whole(&rows[at]) && !of_large_grid(at)).unwrap_or(rows.len())
}

/// A plain grid or candidate lists from the first row on; also how many rows it takes.
fn grid(rows: &[Row], boards: Boards<'_>) -> Option<(Result<Puzzle, FormatError>, usize)> {
    plain(rows, boards).or_else(|| candidates(rows, boards))
}

/// 16 characters are a 4×4 puzzle or a row of a 16×16 grid: the rows that follow tell. So are 25 on a board of 5×5.
fn small_line(lines: &[&str], rows: &[Row], boards: Boards<'_>) -> Option<Result<Puzzle, FormatError>> {
    let first = rows.first()?;
    // A `+` is no cell: it says that the digit after it was placed.
    let length = first.groups[0].iter().filter(|mark| mark.symbol != '+').count();
    let small = matches!(length, 16 | 25) && boards.with_cells(length).is_some();
    let rows = &rows[..rows.len().min(16)];
    let large = boards.has(16)
        && rows.len() == 16
        && rows.iter().all(|row| row.width() == 16)
        && (has_digit_above(rows, 4) || !boards.has(4));
    (small && !large).then(|| one_line::read(first.index + 1, lines[first.index], boards))
}

fn plain(rows: &[Row], boards: Boards<'_>) -> Option<(Result<Puzzle, FormatError>, usize)> {
    let size = rows.first()?.width();
    if !boards.has(size) || rows.len() < size || rows[..size].iter().any(|row| row.width() != size) {
        return None;
    }
    let braces = rows[..size].iter().flat_map(Row::marks).any(|mark| mark.symbol == '{');
    if braces || !ends_well(rows, size) || strange(&rows[..size]).is_some() {
        return None;
    }
    let marks: Vec<Mark> = rows[..size].iter().flat_map(Row::marks).collect();
    Some((from_marks(&marks, size, boards), size))
}

/// n² groups: n on each line, or else a paragraph or all rows that hold n² together.
fn candidates(rows: &[Row], boards: Boards<'_>) -> Option<(Result<Puzzle, FormatError>, usize)> {
    let first = rows.first()?;
    let groups = |rows: &[Row]| rows.iter().map(|row| row.groups.len()).sum::<usize>();
    let across = first.groups.len();
    let even = boards.has(across)
        && rows.len() >= across
        && rows[..across].iter().all(|row| row.groups.len() == across)
        && ends_well(rows, across);
    let paragraph = rows.iter().take_while(|row| row.paragraph == first.paragraph).count();
    let ends = [even.then_some(across), Some(paragraph), Some(rows.len())];
    let (used, size) = ends
        .into_iter()
        .flatten()
        .find_map(|used| boards.with_cells(groups(&rows[..used])).map(|size| (used, size)))?;
    if strange(&rows[..used]).is_some() {
        return None;
    }
    let lists: Vec<&[Mark]> = rows[..used].iter().flat_map(|row| row.groups.iter().map(Vec::as_slice)).collect();
    if lists.iter().all(|list| list.len() == 1) {
        let marks: Vec<Mark> = lists.concat();
        return Some((from_marks(&marks, size, boards), used));
    }
    Some((from_lists(&lists, size, false, boards), used))
}

/// Whether a grid of this many rows ends with a paragraph, or within the one it began in.
fn ends_well(rows: &[Row], count: usize) -> bool {
    let last = rows[count - 1].paragraph;
    last == rows[0].paragraph || rows.get(count).is_none_or(|next| next.paragraph != last)
}

/// Whether lines are words about a puzzle, such as a title or what a program writes below a grid.
pub(super) fn is_prose(lines: &[&str]) -> bool {
    rows_from(lines, 0).iter().all(Row::is_title)
}

/// Why these rows are no grid.
fn explain(rows: &[&Row], boards: Boards<'_>) -> FormatError {
    let place = rows[0].place();
    if let Some(mark) = strange(rows.iter().copied()) {
        return unknown(mark);
    }
    let cells: usize = rows.iter().map(|row| row.width()).sum();
    if let [_] = rows {
        let words = format!("a row of {cells} characters is not a puzzle; {}", boards.nearest(cells));
        return FormatError::new(error::LENGTH, place, words);
    }
    let size = usual_width(rows);
    let groups: usize = rows.iter().map(|row| row.groups.len()).sum();
    if !boards.has(size) {
        let words = format!("{} rows with {groups} groups of characters are not a grid", rows.len());
        return FormatError::new(error::ROWS, place, words)
            .help("a grid has n rows of n cells; candidate lists have n² groups parted by blanks");
    }
    let odd = rows.iter().enumerate().find(|(_, row)| row.width() != size);
    match odd {
        Some((index, row)) => {
            let words = format!("row {} has {} cells; the others have {size}", index + 1, row.width());
            FormatError::new(error::ROWS, row.place(), words)
        }
        None => {
            let words = format!("{} rows of {size} cells; a {size}×{size} grid has {size} rows", rows.len());
            FormatError::new(error::ROWS, place, words)
        }
    }
}

/// The width that most rows have; of two as common, the larger.
fn usual_width(rows: &[&Row]) -> usize {
    let common = |width: usize| rows.iter().filter(|row| row.width() == width).count();
    rows.iter().map(|row| row.width()).max_by_key(|&width| (common(width), width)).unwrap_or_default()
}
