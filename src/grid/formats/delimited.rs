//! Cells told by what parts them: empty fields between commas, blocks of cells on one line, cells that are blanks. In: lines.
//! Out: marks for the readers of rows and of lines.

use super::boards::Boards;
use super::error::FormatError;
use super::lines::{LineKind, kind_of};
use super::puzzle::{Mark, Puzzle, from_marks, is_blank, is_symbol};
use crate::grid::{BoardSpec, Digit};

/// The sizes whose rows may have empty fields.
const SIZES: [usize; 8] = [4, 6, 8, 9, 10, 12, 16, 25];

/// The cells of a line whose fields are parted by commas, semicolons or tabs, if some are empty: one for each field.
pub(super) fn cells(line: usize, text: &str) -> Option<Vec<Vec<Mark>>> {
    let separator = [',', ';', '\t'].into_iter().find(|&sign| text.matches(sign).count() >= 3)?;
    let mut fields: Vec<(usize, &str)> = Vec::new();
    let mut column = 1;
    for field in text.split(separator) {
        fields.push((column, field.trim().trim_matches('"')));
        column += field.chars().count() + 1;
    }
    let fits = |count: usize| SIZES.iter().any(|&size| count == size || count == size * size);
    let trailing = fields.last().is_some_and(|(_, field)| field.is_empty());
    // Ten fields with an empty last one are nine and a comma at the end.
    if trailing && (fields.len() == 10 || !fits(fields.len())) && fits(fields.len() - 1) {
        fields.pop();
    }
    let small = fields.iter().all(|(_, field)| field.chars().count() <= 1);
    if !small || !fits(fields.len()) || fields.iter().all(|(_, field)| !field.is_empty()) {
        return None;
    }
    let mark = |&(column, field): &(usize, &str)| Mark {
        symbol: field.chars().next().unwrap_or('.'),
        placed: false,
        line,
        column,
    };
    Some(fields.iter().map(|field| vec![mark(field)]).collect())
}

/// Where blocks of cells of one length end that are a whole puzzle together, such as nine blocks of nine. Blocks that could be
/// lists of candidates are none.
pub(super) fn blocks(text: &str) -> Option<usize> {
    let first = text.split_whitespace().next()?;
    let length = first.chars().count();
    if text.starts_with(char::is_whitespace) || length < 2 {
        return None;
    }
    let is_block = |word: &&str| word.chars().count() == length && word.chars().all(is_symbol);
    let words: Vec<&str> = text.split_whitespace().take_while(is_block).collect();
    let size = SIZES.iter().copied().find(|size| size * size == words.len() * length && size * size > 25)?;
    if words.len() < 2 || words.iter().all(|word| is_list(word, size)) {
        return None;
    }
    let last = words.last()?;
    Some(last.as_ptr() as usize - text.as_ptr() as usize + last.len())
}

/// Whether a block could be the candidates of a cell: its digits ascend, or each stands in its place.
fn is_list(word: &str, size: usize) -> bool {
    let digits: Vec<Option<usize>> = word.chars().map(|c| Digit::from_symbol(c).map(|digit| digit.index())).collect();
    let in_place =
        digits.len() == size && digits.iter().enumerate().all(|(at, digit)| digit.is_none_or(|digit| digit == at));
    let ascending = digits.windows(2).all(|pair| matches!(pair, [Some(a), Some(b)] if a < b));
    in_place || ascending
}

/// A grid whose empty cells are blanks, with bars between its boxes or without; also how many lines it takes.
pub(super) fn blanks(lines: &[&str], start: usize, boards: Boards<'_>) -> Option<(Result<Puzzle, FormatError>, usize)> {
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
pub(super) fn blanks_on_a_line(text: &str, line: usize, boards: Boards<'_>) -> Option<Result<Puzzle, FormatError>> {
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

/// The cells of a row between two bars, at most so many. Wide ones may have a blank before the first; what lies between them is blank.
fn band_of(band: &[(usize, char)], most: usize, wide: bool, bar_before: bool) -> Option<Vec<(usize, char)>> {
    let cell = |&(column, symbol): &(usize, char)| (column, if symbol == ' ' { '.' } else { symbol });
    let (skip, step) = if wide { (usize::from(bar_before), 2) } else { (0, 1) };
    let between = wide && band.iter().skip(1 - skip).step_by(2).any(|&(_, symbol)| symbol != ' ');
    let cells: Vec<_> = band.iter().skip(skip).step_by(step).map(cell).collect();
    let fits = cells.len() <= most || cells[most..].iter().all(|&(_, symbol)| symbol == '.');
    (!between && fits).then(|| cells.into_iter().take(most).collect())
}
