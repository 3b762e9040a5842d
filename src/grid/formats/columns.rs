//! Reads drawings whose empty cells are blanks, by the columns of the text, and finds the labels of rows and columns. In: lines. Out: the
//! cells, once for every possible layout of the columns; labels, and the lines without labels.

use super::boards::BoardChoice;
use super::puzzle::{CellMark, Reading, from_marks, text_of};
use crate::grid::{BoardSpec, Digit};

/// Maximum distance of two neighbouring cells, in characters.
const LARGEST_PITCH: usize = 5;

/// Maximum number of additional blanks between two boxes without a bar.
const LARGEST_GAP: usize = 4;

/// The columns of the text that contain the cells of one box.
#[derive(Clone, Copy, Debug)]
struct BoxColumns {
    /// The column of the first cell.
    first: usize,
    /// The column after the box.
    end: usize,
    /// Number of columns from one cell to the next.
    pitch: usize,
}

/// A number in a row, with its first and last column.
#[derive(Clone)]
struct TextNumber {
    start: usize,
    end: usize,
    marks: Vec<CellMark>,
}

/// Returns the cells of `size` rows, once for every layout of the columns in which each digit lies in a cell. Returns `None` for rows
/// that are no such drawing.
pub(super) fn read(rows: &[(usize, &str)], size: usize) -> Option<Vec<Vec<Vec<CellMark>>>> {
    let (_, box_width) = BoardSpec::usual_box_shape(size)?;
    let digits = rows.iter().map(|(index, text)| digits_of(*index, text, size)).collect::<Option<Vec<_>>>()?;
    let count: usize = digits.iter().map(Vec::len).sum();
    if count < size || count == size * size {
        return None;
    }
    let bars = bars_of(rows)?;
    let layouts = if bars.is_empty() {
        layouts_without_bars(&digits, size, box_width)
    } else {
        layouts_with_bars(&bars, rows, size, box_width)?
    };
    let mut readings: Vec<Vec<Vec<CellMark>>> = Vec::new();
    let mut texts_of_readings: Vec<Vec<String>> = Vec::new();
    for boxes in &layouts {
        for alignment in [Alignment::Left, Alignment::Right] {
            let Some(cells) = cells_of(&digits, boxes, box_width, alignment, rows) else { continue };
            let texts: Vec<String> = cells.iter().map(|cell| text_of(cell)).collect();
            if !texts_of_readings.contains(&texts) {
                texts_of_readings.push(texts);
                readings.push(cells);
            }
        }
    }
    Some(readings)
}

/// The alignment of a number: its first or its last digit lies in the column of its cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alignment {
    Left,
    Right,
}

/// Reads the numbers of a row. Returns `None` if the row has other symbols, or a number that begins with 0.
fn digits_of(index: usize, text: &str, size: usize) -> Option<Vec<TextNumber>> {
    let mut numbers: Vec<TextNumber> = Vec::new();
    let mut is_after_digit = false;
    for (at, symbol) in text.chars().enumerate() {
        let is_gap = symbol == ' ' || symbol == '\u{a0}' || is_bar(symbol);
        let is_digit =
            symbol == '0' || Digit::from_symbol(symbol).is_some_and(|digit| digit.index() < size || size > 9);
        if !is_gap && !is_digit {
            return None;
        }
        if is_digit {
            let mark = CellMark::new(symbol, index + 1, at + 1);
            match numbers.last_mut() {
                // Two adjacent digits may be a number or two cells. Layouts with one column for each cell separate them again.
                Some(number) if is_after_digit && size > 9 => {
                    number.end = at;
                    number.marks.push(mark);
                }
                _ => numbers.push(TextNumber { start: at, end: at, marks: vec![mark] }),
            }
        }
        is_after_digit = is_digit;
    }
    numbers.iter().all(|number| number.marks[0].symbol != '0').then_some(numbers)
}

/// Returns the columns of the bars, if they are the same in all rows that are not blank.
fn bars_of(rows: &[(usize, &str)]) -> Option<Vec<usize>> {
    let mut bars = rows.iter().filter(|(_, text)| !text.trim().is_empty()).map(|(_, text)| -> Vec<usize> {
        text.chars().enumerate().filter(|(_, c)| is_bar(*c)).map(|(at, _)| at).collect()
    });
    let first = bars.next()?;
    bars.all(|other| other == first).then_some(first)
}

/// Lists the layouts of rows without bars, by indent, distance of cells and gap between boxes.
fn layouts_without_bars(digits: &[Vec<TextNumber>], size: usize, box_width: usize) -> Vec<Vec<BoxColumns>> {
    let first_digit = digits.iter().flatten().map(|number| number.start).min().unwrap_or_default();
    let last_digit = digits.iter().flatten().map(|number| number.end).max().unwrap_or_default();
    let largest_gap = if box_width < size { LARGEST_GAP } else { 0 };
    let mut layouts = Vec::new();
    // One blank before all rows is an empty column and no indent.
    for indent in (0..=first_digit).filter(|&indent| indent != 1 || size > 9) {
        for pitch in 1..=LARGEST_PITCH {
            for gap in 0..=largest_gap {
                let columns: Vec<usize> =
                    (0..size).map(|column| indent + column * pitch + column / box_width * gap).collect();
                // Some digit lies in the first two and in the last two columns of cells.
                let is_filled = first_digit < columns[1] + pitch
                    && (columns[size - 2]..columns[size - 1] + pitch).contains(&last_digit);
                if is_filled {
                    let firsts = columns.iter().step_by(box_width);
                    let boxes = firsts.map(|&first| BoxColumns { first, end: first + box_width * pitch, pitch });
                    layouts.push(boxes.collect());
                }
            }
        }
    }
    layouts
}

/// Lists the layouts of rows with a bar between two boxes, and perhaps at the left and right edge.
fn layouts_with_bars(
    bars: &[usize],
    rows: &[(usize, &str)],
    size: usize,
    box_width: usize,
) -> Option<Vec<Vec<BoxColumns>>> {
    let count = size / box_width;
    let (has_left_bar, has_right_bar) = match (bars.len() + 1).checked_sub(count)? {
        0 => (false, false),
        1 => {
            let is_at_left = rows.iter().all(|(_, text)| text.chars().take(bars[0]).all(|c| c == ' '));
            (is_at_left, !is_at_left)
        }
        2 => (true, true),
        _ => return None,
    };
    let mut starts: Vec<usize> = bars.iter().map(|bar| bar + 1).collect();
    // `None` stands for the end of a box without a bar to its right.
    let mut ends: Vec<Option<usize>> = bars[usize::from(has_left_bar)..].iter().copied().map(Some).collect();
    if !has_left_bar {
        starts.insert(0, 0);
    }
    if has_right_bar {
        starts.truncate(count);
    } else {
        ends.push(None);
    }
    let mut layouts = Vec::new();
    // The margin is the number of columns between a bar and the cell after it.
    for (pitch, margin) in (1..=LARGEST_PITCH).flat_map(|pitch| (0..=pitch).map(move |margin| (pitch, margin))) {
        for first_margin in if has_left_bar { margin..=margin } else { 0..=margin } {
            let spans = starts.iter().zip(&ends).enumerate();
            let boxes = spans.map(|(number, (&start, &end))| {
                let margin = if number == 0 { first_margin } else { margin };
                let first = start + margin;
                let end_of_cells = first + (box_width - 1) * pitch + 1;
                let max_end = first + box_width * pitch + pitch;
                let Some(end) = end else { return Some(BoxColumns { first, end: max_end, pitch }) };
                let right_margin = end.checked_sub(end_of_cells)?;
                // The margins of a box differ by at most one, or one of them is missing. Before the first box, a margin without a bar
                // may have any width.
                let is_even = right_margin.abs_diff(margin) <= 1 || right_margin.min(margin) == 0;
                let fits = right_margin <= pitch && (is_even || (number == 0 && !has_left_bar));
                fits.then_some(BoxColumns { first, end: end.min(max_end), pitch })
            });
            layouts.extend(boxes.collect::<Option<Vec<BoxColumns>>>());
        }
    }
    Some(layouts)
}

/// Returns the marks of each cell, row by row. Returns `None` if a number does not lie in the column of a cell.
fn cells_of(
    digits: &[Vec<TextNumber>],
    boxes: &[BoxColumns],
    box_width: usize,
    alignment: Alignment,
    rows: &[(usize, &str)],
) -> Option<Vec<Vec<CellMark>>> {
    let pitch = boxes[0].pitch;
    let mut cells = Vec::with_capacity(rows.len() * boxes.len() * box_width);
    for (numbers, (index, _)) in digits.iter().zip(rows) {
        let columns = boxes.iter().flat_map(|columns| (0..box_width).map(move |at| columns.first + at * pitch));
        let mut line: Vec<Vec<CellMark>> =
            columns.map(|column| vec![CellMark::new('.', index + 1, column + 1)]).collect();
        let mut is_filled = vec![false; line.len()];
        for TextNumber { start, end, marks } in numbers {
            // A number needs a blank before the next, and has at most two digits.
            if pitch > 1 && marks.len() >= pitch.min(3) {
                return None;
            }
            // If a cell has one column, adjacent digits are separate cells.
            let (at, width) = match alignment {
                _ if pitch == 1 => (*start, 1),
                Alignment::Left => (*start, 2),
                Alignment::Right => (*end, 2),
            };
            for (at, marks) in (at..).zip(marks.chunks(width)) {
                let box_index = boxes.iter().position(|columns| (columns.first..columns.end).contains(&at))?;
                let offset = at - boxes[box_index].first;
                let column = box_index * box_width + offset / pitch;
                if !offset.is_multiple_of(pitch) || offset / pitch >= box_width || is_filled[column] {
                    return None;
                }
                is_filled[column] = true;
                line[column] = marks.to_vec();
            }
        }
        cells.extend(line);
    }
    Some(cells)
}

/// Reads a puzzle on one line whose empty cells are blanks. Blanks at the end of the last row may be missing.
pub(super) fn read_line_with_blanks(text: &str, line: usize, boards: BoardChoice<'_>) -> Option<Reading> {
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

/// A label of a row or a column, without a word such as `row` before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EdgeLabel {
    Number(usize),
    /// Index of the letter, 0 for A.
    Letter(u8),
}

/// Returns true if labels count rows or columns: up from 0 or 1, down to 1, or from A on, with or without the letter I.
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
pub(super) fn split_left_label(text: &str) -> Option<(EdgeLabel, String)> {
    let symbols: Vec<char> = text.chars().collect();
    let mut at = next_symbol(&symbols, 0)?;
    if is_bar(symbols[at]) || symbols[at] == '"' {
        at = next_symbol(&symbols, at + 1)?;
    }
    let (label, mut end) = read_label(&symbols, at)?;
    if symbols.get(end) == Some(&'"') {
        end += 1;
    }
    match symbols.get(end) {
        Some(':' | ')' | '.' | ',' | ';' | '\t') => end += 1,
        Some(symbol) if !symbol.is_whitespace() && !is_bar(*symbol) => return None,
        _ => {}
    }
    // A tab or a comma may follow `1:` or `1.`.
    if matches!(symbols[end - 1], ':' | '.' | ')') && matches!(symbols.get(end), Some(',' | '\t')) {
        end += 1;
    }
    Some((label, symbols.iter().enumerate().map(|(at, &symbol)| if at < end { ' ' } else { symbol }).collect()))
}

/// Returns the index of the next symbol that is not blank. A tab is a symbol.
fn next_symbol(symbols: &[char], from: usize) -> Option<usize> {
    (from..symbols.len()).find(|&at| !symbols[at].is_whitespace() || symbols[at] == '\t')
}

/// Returns the label at the end of a line, and the line without the label.
pub(super) fn split_right_label(text: &str) -> Option<(EdgeLabel, String)> {
    let symbols: Vec<char> = text.trim_end().chars().collect();
    let last = symbols.len().checked_sub(1)?;
    let start = (0..=last).rev().take_while(|&at| symbols[at].is_ascii_alphanumeric()).last()?;
    let (label, end) = read_label(&symbols, start)?;
    let before = *symbols.get(start.checked_sub(1)?)?;
    let is_separate = before.is_whitespace() || is_bar(before) || matches!(before, ',' | ';');
    if end != symbols.len() || !is_separate {
        return None;
    }
    let kept = if matches!(before, ',' | ';' | '\t') { start - 1 } else { start };
    Some((label, symbols[..kept].iter().collect::<String>().trim_end().to_string()))
}

/// Reads a label: a number of at most two digits or a letter, perhaps after a word such as `row`, or in brackets as R writes it. Also
/// returns the index after the label.
fn read_label(symbols: &[char], at: usize) -> Option<(EdgeLabel, usize)> {
    let mut start = at;
    let has_bracket = symbols[at] == '[' || symbols[at] == '(';
    if has_bracket {
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
    if has_bracket {
        end += usize::from(symbols.get(end) == Some(&','));
        if !matches!(symbols.get(end), Some(']' | ')')) {
            return None;
        }
        end += 1;
    }
    Some((label, end))
}

/// Returns true if a line has only the labels of `count` columns, perhaps after one word above the labels of the rows.
pub(super) fn is_header(text: &str, count: usize) -> bool {
    // R writes `[,1]`.
    let text = text.replace("[,", " ").replace(',', " ");
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || is_bar(c) || matches!(c, ';' | '"' | '\'' | ':'))
        .filter(|word| !word.is_empty())
        .collect();
    let joined = words.concat();
    let is_one_character_each = words.len() < count && joined.chars().count() == count;
    match words.len().checked_sub(count) {
        Some(0) => is_label_sequence(&words),
        Some(1) => is_label_sequence(&words[1..]),
        _ => {
            is_one_character_each
                && is_label_sequence(&joined.split("").filter(|symbol| !symbol.is_empty()).collect::<Vec<_>>())
        }
    }
}

/// Returns true if the words are labels in sequence, each perhaps with a bracket or point after it.
fn is_label_sequence(words: &[&str]) -> bool {
    let labels = words.iter().map(|word| {
        let symbols: Vec<char> = word.trim_end_matches([']', '.', ')']).chars().collect();
        symbols.first()?;
        read_label(&symbols, 0).filter(|(_, end)| *end == symbols.len()).map(|(label, _)| label)
    });
    labels.collect::<Option<Vec<_>>>().is_some_and(|labels| is_sequence(&labels))
}

/// Vertical lines outside of ASCII.
#[rustfmt::skip]
const BARS: [char; 11] = [
    '\u{a6}', '\u{2502}', '\u{2503}', '\u{2506}', '\u{2507}', '\u{250a}', '\u{250b}', '\u{254e}', '\u{254f}', '\u{2551}',
    '\u{ff5c}',
];

/// Returns true if the symbol is a vertical line between cells.
pub(super) fn is_bar(symbol: char) -> bool {
    symbol == '|' || (!symbol.is_ascii() && BARS.contains(&symbol))
}
