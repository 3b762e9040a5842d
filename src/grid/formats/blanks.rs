//! Grids whose empty cells are blanks. In: lines. Out: the puzzle, and how many lines it takes.

use super::boards::Boards;
use super::error::FormatError;
use super::lines::{LineKind, kind_of};
use super::puzzle::{Mark, Puzzle, from_marks, is_blank};
use crate::grid::{BoardSpec, Digit};

/// A grid whose empty cells are blanks, with bars between its boxes or without; also how many lines it takes.
pub(super) fn grid(lines: &[&str], start: usize, boards: Boards<'_>) -> Option<(Result<Puzzle, FormatError>, usize)> {
    let sizes = boards.sizes().into_iter().filter(|&size| size <= 9).rev();
    sizes.into_iter().find_map(|size| blanks_of(lines, start, size, boards))
}

fn blanks_of(
    lines: &[&str],
    start: usize,
    size: usize,
    boards: Boards<'_>,
) -> Option<(Result<Puzzle, FormatError>, usize)> {
    let is_border = |text: &str| kind_of(text) == LineKind::Border;
    let rows: Vec<(usize, &&str)> =
        lines.iter().enumerate().skip(start).filter(|(_, text)| !is_border(text)).take(size).collect();
    let end = rows.last()?.0 + 1;
    let wide = is_wide(&rows, size);
    let cells: Vec<Vec<(usize, char)>> =
        rows.iter().map(|(_, text)| row_of(text, size, wide)).collect::<Option<_>>()?;
    let next = lines.get(end).copied().unwrap_or_default();
    let goes_on = !next.trim().is_empty() && !is_border(next) && row_of(next, size, wide).is_some();
    let digits = cells.iter().flatten().filter(|(_, symbol)| !is_blank(*symbol)).count();
    let spread = cells.iter().filter(|row| row.len() + 2 > size).count();
    if rows.len() != size || goes_on || digits < size || spread == 0 || rows[0].1.trim().is_empty() {
        return None;
    }
    if cells.iter().all(|row| row.len() == size && row.iter().all(|(_, symbol)| !is_blank(*symbol))) {
        return None;
    }
    let mut marks = Vec::with_capacity(size * size);
    for ((index, _), row) in rows.iter().zip(&cells) {
        let last = row.last().map_or(1, |(column, _)| *column);
        let padded = row.iter().copied().chain(std::iter::repeat((last, '.'))).take(size);
        marks.extend(padded.map(|(column, symbol)| Mark { symbol, placed: false, line: index + 1, column }));
    }
    Some((from_marks(&marks, size, boards), end))
}

/// A puzzle on one line whose empty cells are blanks; those at its end may be missing.
pub(super) fn on_a_line(text: &str, line: usize, boards: Boards<'_>) -> Option<Result<Puzzle, FormatError>> {
    let count = text.chars().count();
    let size = boards.sizes().into_iter().find(|size| (size * size - size + 1..=size * size).contains(&count))?;
    let cells = row_of(text, size * size, false).filter(|cells| cells.len() == count && size <= 9)?;
    let cells = cells.into_iter().chain((count + 1..).map(|column| (column, '.'))).take(size * size);
    let marks: Vec<Mark> = cells.map(|(column, symbol)| Mark { symbol, placed: false, line, column }).collect();
    Some(from_marks(&marks, size, boards))
}

/// Whether the cells of a grid are two characters wide: some row, or a part of one between bars, is longer than its cells are many.
fn is_wide(texts: &[(usize, &&str)], size: usize) -> bool {
    let across = BoardSpec::plain(size).and_then(|spec| spec.boxes()).map_or(size, |(_, columns)| columns);
    texts.iter().any(|(_, text)| match text.contains('|') {
        true => text.trim().split('|').any(|band| band.chars().count() > across),
        false => text.chars().count() > size,
    })
}

/// The cells of a row, each one character wide or two; the last ones may be missing.
fn row_of(text: &str, size: usize, wide: bool) -> Option<Vec<(usize, char)>> {
    let digit =
        |c: char| c == ' ' || (c.is_ascii_digit() && Digit::from_symbol(c).is_some_and(|digit| digit.index() < size));
    let signs: Vec<(usize, char)> = (1..).zip(text.chars()).collect();
    if signs.iter().any(|&(_, symbol)| !digit(symbol) && symbol != '|') {
        return None;
    }
    if !text.contains('|') {
        let cells = band_of(&signs, size, wide, false)?;
        return (signs.len() <= size * if wide { 2 } else { 1 }).then_some(cells);
    }
    let (_, across) = BoardSpec::plain(size)?.boxes()?;
    let parts = text.matches('|').count() + 1;
    let outer = usize::from(parts > size / across && text.trim_start().starts_with('|'));
    let bands = signs.split(|&(_, symbol)| symbol == '|').skip(outer).take(size / across);
    let mut out = Vec::new();
    for (number, band) in bands.enumerate() {
        let cells = band_of(band, across, wide, outer == 1 || number > 0)?;
        let last = band.first().map_or(1, |(column, _)| *column);
        let missing = across - cells.len();
        out.extend(cells);
        out.extend(std::iter::repeat_n((last, '.'), missing));
    }
    (out.len() <= size).then_some(out)
}

/// The cells of a row between two bars, at most `most` of them. Wide cells may have a blank before the first; between them are
/// blanks.
fn band_of(band: &[(usize, char)], most: usize, wide: bool, bar_before: bool) -> Option<Vec<(usize, char)>> {
    let cell = |&(column, symbol): &(usize, char)| (column, if symbol == ' ' { '.' } else { symbol });
    let (skip, step) = if wide { (usize::from(bar_before), 2) } else { (0, 1) };
    let between = wide && band.iter().skip(1 - skip).step_by(2).any(|&(_, symbol)| symbol != ' ');
    let cells: Vec<_> = band.iter().skip(skip).step_by(step).map(cell).collect();
    let fits = cells.len() <= most || cells[most..].iter().all(|&(_, symbol)| symbol == '.');
    (!between && fits).then(|| cells.into_iter().take(most).collect())
}
