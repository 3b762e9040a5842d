//! Columns and edges of drawings. In: lines. Out: labels of rows and columns, and the lines without them; the cells of drawings
//! whose empty cells are blanks, once for every way in which the columns can lie (several make a drawing ambiguous).

use super::boards::BoardChoice;
use super::puzzle::{CellMark, Reading, from_marks, text_of};
use crate::grid::{BoardSpec, Digit};

/// Widest cell with its gap to the next, in columns.
const WIDEST: usize = 5;

/// Widest gap between boxes that no bar fills.
const WIDEST_GAP: usize = 4;

/// A stretch of the columns that holds the cells of one box.
#[derive(Clone, Copy, Debug)]
struct Band {
    /// The column of its first cell.
    first: usize,
    /// The column after it.
    end: usize,
    /// Columns from one cell to the next.
    pitch: usize,
}

/// A number of a row, with the columns where it starts and ends.
#[derive(Clone)]
struct PlacedNumber {
    start: usize,
    end: usize,
    marks: Vec<CellMark>,
}

/// Returns the cells of `size` rows, once for every way of reading the columns that leaves no digit over.
pub(super) fn read(rows: &[(usize, &str)], size: usize) -> Vec<Vec<Vec<CellMark>>> {
    read_layouts(rows, size).unwrap_or_default()
}

fn read_layouts(rows: &[(usize, &str)], size: usize) -> Option<Vec<Vec<Vec<CellMark>>>> {
    let (_, across) = BoardSpec::usual_box_shape(size)?;
    let digits = rows.iter().map(|(index, text)| digits_of(*index, text, size)).collect::<Option<Vec<_>>>()?;
    let count: usize = digits.iter().map(Vec::len).sum();
    if count < size || count == size * size {
        return None;
    }
    let bars = bars_of(rows)?;
    let layouts = match bars.is_empty() {
        true => open_layouts(&digits, size, across),
        false => barred_layouts(&bars, rows, size, across)?,
    };
    let mut found: Vec<(Vec<String>, Vec<Vec<CellMark>>)> = Vec::new();
    for (bands, by_end) in layouts.iter().flat_map(|bands| [(bands, false), (bands, true)]) {
        let Some(cells) = cells_of(&digits, bands, across, by_end, rows) else { continue };
        let texts: Vec<String> = cells.iter().map(|cell| text_of(cell)).collect();
        if found.iter().all(|(known, _)| *known != texts) {
            found.push((texts, cells));
        }
    }
    Some(found.into_iter().map(|(_, cells)| cells).collect())
}

/// Reads the numbers of a row; returns `None` if it has other symbols.
fn digits_of(index: usize, text: &str, size: usize) -> Option<Vec<PlacedNumber>> {
    let mut out: Vec<PlacedNumber> = Vec::new();
    let mut touches = false;
    for (at, symbol) in text.chars().enumerate() {
        let blank = symbol == ' ' || symbol == '\u{a0}' || is_bar(symbol);
        let digit = symbol == '0' || Digit::from_symbol(symbol).is_some_and(|digit| digit.index() < size || size > 9);
        if !(blank || digit) {
            return None;
        }
        let mark = CellMark::new(symbol, index + 1, at + 1);
        match out.last_mut().filter(|_| touches && size > 9) {
            _ if blank => {}
            // Two digits that touch may be a number or two cells; layouts with one column for each cell separate them again.
            Some(number) => {
                number.end = at;
                number.marks.push(mark);
            }
            None => out.push(PlacedNumber { start: at, end: at, marks: vec![mark] }),
        }
        touches = !blank;
    }
    out.iter().all(|number| number.marks[0].symbol != '0').then_some(out)
}

/// Returns the columns of the bars, if they are the same in all rows that have any.
fn bars_of(rows: &[(usize, &str)]) -> Option<Vec<usize>> {
    let mut bars = rows.iter().filter(|(_, text)| !text.trim().is_empty()).map(|(_, text)| -> Vec<usize> {
        text.chars().enumerate().filter(|(_, c)| is_bar(*c)).map(|(at, _)| at).collect()
    });
    let first = bars.next()?;
    bars.all(|other| other == first).then_some(first)
}

/// Lists layouts of rows without bars: the indent, the distance of cells, the gap between boxes.
fn open_layouts(digits: &[Vec<PlacedNumber>], size: usize, across: usize) -> Vec<Vec<Band>> {
    let first = digits.iter().flatten().map(|number| number.start).min().unwrap_or_default();
    let last = digits.iter().flatten().map(|number| number.end).max().unwrap_or_default();
    let mut out = Vec::new();
    // One blank before all rows is an empty column and no indent.
    for indent in (0..=first).filter(|&indent| indent != 1 || size > 9) {
        for pitch in 1..=WIDEST {
            for gap in 0..=if across < size { WIDEST_GAP } else { 0 } {
                let places: Vec<usize> =
                    (0..size).map(|column| indent + column * pitch + column / across * gap).collect();
                if (places[size - 2]..places[size - 1] + pitch).contains(&last) && first < places[1] + pitch {
                    let firsts = places.iter().step_by(across);
                    out.push(firsts.map(|&first| Band { first, end: first + across * pitch, pitch }).collect());
                }
            }
        }
    }
    out
}

/// Lists layouts of rows with a bar between two boxes, and perhaps around all.
fn barred_layouts(bars: &[usize], rows: &[(usize, &str)], size: usize, across: usize) -> Option<Vec<Vec<Band>>> {
    let count = size / across;
    let (left, right) = match (bars.len() + 1).checked_sub(count)? {
        0 => (false, false),
        1 => {
            let outside = rows.iter().all(|(_, text)| text.chars().take(bars[0]).all(|c| c == ' '));
            (outside, !outside)
        }
        2 => (true, true),
        _ => return None,
    };
    let mut starts: Vec<usize> = bars.iter().map(|bar| bar + 1).collect();
    let mut ends = bars[usize::from(left)..].to_vec();
    if !left {
        starts.insert(0, 0);
    }
    match right {
        true => starts.truncate(count),
        false => ends.push(usize::MAX),
    }
    let mut out = Vec::new();
    for (pitch, lead) in (1..=WIDEST).flat_map(|pitch| (0..=pitch).map(move |lead| (pitch, lead))) {
        for first_lead in if left { lead..=lead } else { 0..=lead } {
            let boxes = starts.iter().zip(&ends).enumerate();
            let bands = boxes.map(|(number, (&start, &end))| {
                let lead = if number == 0 { first_lead } else { lead };
                let first = start + lead;
                let needed = first + (across - 1) * pitch + 1;
                // The margins of a box are equal, or one of them is the distance of its cells.
                let fits = end == usize::MAX
                    || end.checked_sub(needed).is_some_and(|margin| {
                        let even = margin.abs_diff(lead) <= 1 || margin.min(lead) == 0;
                        margin <= pitch && (even || (number == 0 && !left))
                    });
                fits.then_some(Band { first, end: end.min(first + across * pitch + pitch), pitch })
            });
            out.extend(bands.collect::<Option<Vec<Band>>>());
        }
    }
    Some(out)
}

/// Returns one text for each cell, if every digit lies on a cell: by its first column, or by its last.
fn cells_of(
    digits: &[Vec<PlacedNumber>],
    bands: &[Band],
    across: usize,
    by_end: bool,
    rows: &[(usize, &str)],
) -> Option<Vec<Vec<CellMark>>> {
    let pitch = bands[0].pitch;
    let mut cells = Vec::with_capacity(rows.len() * bands.len() * across);
    for (numbers, (index, _)) in digits.iter().zip(rows) {
        let columns = bands.iter().flat_map(|band| (0..across).map(move |at| band.first + at * pitch));
        let mut line: Vec<Vec<CellMark>> =
            columns.map(|column| vec![CellMark::new('.', index + 1, column + 1)]).collect();
        let mut taken = vec![false; line.len()];
        for PlacedNumber { start, end, marks } in numbers {
            if pitch > 1 && marks.len() >= pitch.min(3) {
                return None;
            }
            // Digits that touch are cells of their own where a cell has one column.
            let (at, width) = if pitch == 1 { (*start, 1) } else { (if by_end { *end } else { *start }, 2) };
            for (at, marks) in (at..).zip(marks.chunks(width)) {
                let band = bands.iter().position(|band| (band.first..band.end).contains(&at))?;
                let offset = at - bands[band].first;
                let column = band * across + offset / pitch;
                if !offset.is_multiple_of(pitch)
                    || offset / pitch >= across
                    || std::mem::replace(&mut taken[column], true)
                {
                    return None;
                }
                line[column] = marks.to_vec();
            }
        }
        cells.extend(line);
    }
    Some(cells)
}

/// Reads a puzzle on one line whose empty cells are blanks; those at its end may be missing.
pub(super) fn on_a_line(text: &str, line: usize, boards: BoardChoice<'_>) -> Option<Reading> {
    let count = text.chars().count();
    let size = boards.sizes().find(|size| (size * size - size + 1..=size * size).contains(&count))?;
    let are_cells =
        text.chars().all(|c| c == ' ' || c.to_digit(10).is_some_and(|digit| (1..=size as u32).contains(&digit)));
    if !(6..=9).contains(&size) || !are_cells {
        return None;
    }
    let cells = (1..=size * size).zip(text.chars().chain(std::iter::repeat(' ')));
    let marks = cells.map(|(column, c)| CellMark::new(if c == ' ' { '.' } else { c }, line, column));
    Some(from_marks(&marks.collect::<Vec<_>>(), size, boards))
}

/// A label of a row or a column, without the words before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EdgeLabel {
    Number(usize),
    Letter(u8),
}

/// Returns true if labels count rows or columns: from 0 or 1 on, down to 1, or from A on, perhaps without I.
pub(super) fn is_sequence(labels: &[EdgeLabel]) -> bool {
    let count = labels.len();
    let sequences: [fn(usize, usize) -> EdgeLabel; 5] = [
        |at, _| EdgeLabel::Number(at),
        |at, _| EdgeLabel::Number(at + 1),
        |at, count| EdgeLabel::Number(count - at),
        |at, _| EdgeLabel::Letter(at as u8),
        |at, _| EdgeLabel::Letter(at as u8 + u8::from(at >= 8)),
    ];
    count >= 4 && sequences.iter().any(|label| (0..count).all(|at| labels[at] == label(at, count)))
}

/// Returns the label at the beginning of a line, and the line with blanks in its place.
pub(super) fn left_label(text: &str) -> Option<(EdgeLabel, String)> {
    let symbols: Vec<char> = text.chars().collect();
    let mut at = next_sign(&symbols, 0)?;
    if is_bar(symbols[at]) || symbols[at] == '"' {
        at = next_sign(&symbols, at + 1)?;
    }
    let (label, mut end) = label(&symbols, at)?;
    if symbols.get(end) == Some(&'"') {
        end += 1;
    }
    match symbols.get(end) {
        Some(':' | ')' | '.' | ',' | ';' | '\t') => end += 1,
        Some(symbol) if !symbol.is_whitespace() && !is_bar(*symbol) => return None,
        _ => {}
    }
    // `1:` and `1.` may have a bar of the drawing, a tab or a comma behind them.
    if let Some(',' | '\t') = symbols.get(end).filter(|_| matches!(symbols[end - 1], ':' | '.' | ')')) {
        end += 1;
    }
    Some((label, symbols.iter().enumerate().map(|(at, &symbol)| if at < end { ' ' } else { symbol }).collect()))
}

/// Finds the next symbol that is no blank; a tab is none.
fn next_sign(symbols: &[char], from: usize) -> Option<usize> {
    (from..symbols.len()).find(|&at| !symbols[at].is_whitespace() || symbols[at] == '\t')
}

/// Returns the label at the end of a line, and the line without it.
pub(super) fn right_label(text: &str) -> Option<(EdgeLabel, String)> {
    let symbols: Vec<char> = text.trim_end().chars().collect();
    let last = symbols.len().checked_sub(1)?;
    let start = (0..=last).rev().take_while(|&at| symbols[at].is_ascii_alphanumeric()).last()?;
    let (label, end) = label(&symbols, start)?;
    let before = *symbols.get(start.checked_sub(1)?)?;
    let parted = before.is_whitespace() || is_bar(before) || matches!(before, ',' | ';');
    let keep = if matches!(before, ',' | ';' | '\t') { start - 1 } else { start };
    (end == symbols.len() && parted).then(|| (label, symbols[..keep].iter().collect::<String>().trim_end().to_string()))
}

/// Reads a label: a number of at most two digits or a letter, perhaps after `r`, `row` and the like, or in brackets as R writes it.
fn label(symbols: &[char], at: usize) -> Option<(EdgeLabel, usize)> {
    let mut start = at;
    let bracket = symbols[at] == '[' || symbols[at] == '(';
    if bracket {
        start += 1;
    }
    let word: String =
        symbols[start..].iter().take_while(|symbol| symbol.is_alphabetic()).collect::<String>().to_lowercase();
    if matches!(word.as_str(), "r" | "row" | "line" | "zeile" | "c" | "col" | "column" | "v" | "x") {
        let mut after = start + word.chars().count();
        while symbols.get(after) == Some(&' ') {
            after += 1;
        }
        if symbols.get(after).is_some_and(char::is_ascii_digit) {
            start = after;
        }
    }
    if symbols.get(start) == Some(&'#') {
        start += 1;
    }
    let digits: String =
        symbols[start.min(symbols.len())..].iter().take_while(|symbol| symbol.is_ascii_digit()).collect();
    let (label, mut end) = match (digits.parse(), symbols.get(start)) {
        (Ok(number), _) if digits.len() <= 2 => (EdgeLabel::Number(number), start + digits.len()),
        (_, Some(letter)) if letter.is_ascii_alphabetic() => {
            (EdgeLabel::Letter(letter.to_ascii_uppercase() as u8 - b'A'), start + 1)
        }
        _ => return None,
    };
    if bracket {
        end += usize::from(symbols.get(end) == Some(&','));
        if !matches!(symbols.get(end), Some(']' | ')')) {
            return None;
        }
        end += 1;
    }
    Some((label, end))
}

/// Returns true if a line has nothing but the labels of `count` columns, perhaps with one word above the labels of rows.
pub(super) fn is_header(text: &str, count: usize) -> bool {
    // R writes `[,1]`.
    let text = text.replace("[,", " ").replace(',', " ");
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || is_bar(c) || matches!(c, ';' | '"' | '\'' | ':'))
        .filter(|word| !word.is_empty())
        .collect();
    let joined = words.concat();
    let spread = words.len() < count && joined.chars().count() == count;
    match words.len().checked_sub(count) {
        Some(0) => are_counting(&words),
        Some(1) => are_counting(&words[1..]),
        _ => spread && are_counting(&joined.split("").filter(|symbol| !symbol.is_empty()).collect::<Vec<_>>()),
    }
}

/// Returns true if words are labels in their order, each perhaps with a bracket or point behind it.
fn are_counting(words: &[&str]) -> bool {
    let labels = words.iter().map(|word| {
        let symbols: Vec<char> = word.trim_end_matches([']', '.', ')']).chars().collect();
        symbols.first()?;
        label(&symbols, 0).filter(|(_, end)| *end == symbols.len()).map(|(label, _)| label)
    });
    labels.collect::<Option<Vec<_>>>().is_some_and(|labels| is_sequence(&labels))
}

/// Vertical lines that are not in ASCII.
#[rustfmt::skip]
const BARS: [char; 11] = [
    '\u{a6}', '\u{2502}', '\u{2503}', '\u{2506}', '\u{2507}', '\u{250a}', '\u{250b}', '\u{254e}', '\u{254f}', '\u{2551}',
    '\u{ff5c}',
];

/// Returns true if the symbol is a vertical line between cells.
pub(super) fn is_bar(symbol: char) -> bool {
    symbol == '|' || (!symbol.is_ascii() && BARS.contains(&symbol))
}
