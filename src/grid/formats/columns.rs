//! Columns and edges of drawings. In: lines. Out: labels of rows and columns, and the lines without them; the cells of drawings
//! whose empty cells are blanks, once for every way in which the columns can lie (several make a drawing ambiguous).

use super::boards::BoardChoice;
use super::error::FormatError;
use super::puzzle::{CellMark, Puzzle, from_marks};
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

/// The digits of a row: each with the column where it starts and the one where it ends.
type Digits = Vec<(usize, usize, Vec<CellMark>)>;

/// Returns the cells of `size` rows, once for every way of reading the columns that leaves no digit over.
pub(super) fn read(rows: &[(usize, &str)], size: usize) -> Vec<Vec<Vec<CellMark>>> {
    let Some((_, across)) = BoardSpec::standard(size).and_then(|spec| spec.boxes()) else { return Vec::new() };
    let Some(digits) = rows.iter().map(|(index, text)| digits_of(*index, text, size)).collect::<Option<Vec<_>>>()
    else {
        return Vec::new();
    };
    let count: usize = digits.iter().map(Vec::len).sum();
    if count < size || count == size * size {
        return Vec::new();
    }
    let Some(bars) = bars_of(rows) else { return Vec::new() };
    let layouts = match bars.is_empty() {
        true => open_layouts(&digits, size, across),
        false => barred_layouts(&bars, rows, size, across),
    };
    let mut found: Vec<(Vec<String>, Vec<Vec<CellMark>>)> = Vec::new();
    for bands in layouts {
        for by_end in [false, true] {
            let Some(cells) = cells_of(&digits, &bands, across, by_end, rows) else { continue };
            let texts = cells.iter().map(|cell| cell.iter().map(|mark| mark.symbol).collect::<String>()).collect();
            if found.iter().all(|(known, _)| *known != texts) {
                found.push((texts, cells));
            }
        }
    }
    found.into_iter().map(|(_, cells)| cells).collect()
}

/// Reads the digits of a row; returns `None` if it has other signs.
fn digits_of(index: usize, text: &str, size: usize) -> Option<Digits> {
    let mut out: Digits = Vec::new();
    let mut touches = false;
    for (at, symbol) in text.chars().enumerate() {
        let blank = symbol == ' ' || symbol == '\u{a0}' || is_bar(symbol);
        let digit = symbol == '0' || Digit::from_symbol(symbol).is_some_and(|digit| digit.index() < size || size > 9);
        if !(blank || digit) {
            return None;
        }
        let mark = CellMark { symbol, placed: false, line: index + 1, column: at + 1 };
        match out.last_mut().filter(|_| touches && size > 9) {
            _ if blank => {}
            // Two digits that touch may be a number or two cells; layouts with one column for each cell separate them again.
            Some((_, end, marks)) => {
                *end = at;
                marks.push(mark);
            }
            None => out.push((at, at, vec![mark])),
        }
        touches = !blank;
    }
    (!out.iter().any(|(_, _, marks): &(usize, usize, Vec<CellMark>)| marks[0].symbol == '0')).then_some(out)
}

/// Returns the columns of the bars, if they are the same in all rows that have any.
fn bars_of(rows: &[(usize, &str)]) -> Option<Vec<usize>> {
    let bars =
        |text: &str| -> Vec<usize> { text.chars().enumerate().filter(|(_, c)| is_bar(*c)).map(|(at, _)| at).collect() };
    let mut all: Option<Vec<usize>> = None;
    for (_, text) in rows.iter().filter(|(_, text)| !text.trim().is_empty()) {
        let here = bars(text);
        if all.get_or_insert_with(|| here.clone()) != &here {
            return None;
        }
    }
    all
}

/// Lists layouts of rows without bars: the indent, the distance of cells, the gap between boxes.
fn open_layouts(digits: &[Digits], size: usize, across: usize) -> Vec<Vec<Band>> {
    let first = digits.iter().flatten().map(|(start, ..)| *start).min().unwrap_or_default();
    let last = digits.iter().flatten().map(|(_, end, _)| *end).max().unwrap_or_default();
    let mut out = Vec::new();
    // One blank before all rows is an empty column and no indent.
    for indent in (0..=first).filter(|&indent| indent != 1 || size > 9) {
        for pitch in 1..=WIDEST {
            for gap in 0..=if across < size { WIDEST_GAP } else { 0 } {
                let place = |column: usize| indent + column * pitch + column / across * gap;
                if first > place(1) + pitch - 1 || last < place(size - 2) || last > place(size - 1) + pitch - 1 {
                    continue;
                }
                let band = |number: usize| Band {
                    first: place(number * across),
                    end: place((number + 1) * across) - gap,
                    pitch,
                };
                out.push((0..size / across).map(band).collect());
            }
        }
    }
    out
}

/// Lists layouts of rows with a bar between two boxes, and perhaps around all.
fn barred_layouts(bars: &[usize], rows: &[(usize, &str)], size: usize, across: usize) -> Vec<Vec<Band>> {
    let count = size / across;
    let outside = |at: usize| rows.iter().all(|(_, text)| text.chars().take(at).all(|c| c == ' '));
    let (left, right) = match bars.len() + 1 - count.min(bars.len() + 1) {
        0 => (false, false),
        1 => (outside(bars[0]), !outside(bars[0])),
        2 => (true, true),
        _ => return Vec::new(),
    };
    let mut starts: Vec<usize> = bars.iter().map(|bar| bar + 1).collect();
    let mut ends: Vec<usize> = bars.to_vec();
    match left {
        true => ends.rotate_left(1),
        false => starts.insert(0, 0),
    }
    ends.truncate(if left { bars.len() - 1 } else { bars.len() });
    match right {
        true => starts.truncate(starts.len() - 1),
        false => ends.push(usize::MAX),
    }
    if starts.len() != count || ends.len() != count || (bars.len() + 1 < count) {
        return Vec::new();
    }
    let mut out = Vec::new();
    for pitch in 1..=WIDEST {
        for lead in 0..=pitch {
            for first_lead in if left { lead..=lead } else { 0..=lead } {
                let band = |number: usize| {
                    let lead = if number == 0 { first_lead } else { lead };
                    let first = starts[number] + lead;
                    Band { first, end: ends[number].min(first + across * pitch + pitch), pitch }
                };
                let bands: Vec<Band> = (0..count).map(band).collect();
                let fits = |number: usize| {
                    let needed = bands[number].first + (across - 1) * pitch + 1;
                    let lead = if number == 0 { first_lead } else { lead };
                    // The margins of a box are equal, or one of them is the distance of its cells.
                    ends[number] == usize::MAX
                        || ends[number].checked_sub(needed).is_some_and(|margin| {
                            let even = margin.abs_diff(lead) <= 1 || margin.min(lead) == 0;
                            margin <= pitch && (even || (number == 0 && !left))
                        })
                };
                if (0..count).all(fits) {
                    out.push(bands);
                }
            }
        }
    }
    out
}

/// Returns one text for each cell, if every digit lies on a cell: by its first column, or by its last.
fn cells_of(
    digits: &[Digits],
    bands: &[Band],
    across: usize,
    by_end: bool,
    rows: &[(usize, &str)],
) -> Option<Vec<Vec<CellMark>>> {
    let pitch = bands[0].pitch;
    let size = bands.len() * across;
    let mut cells = Vec::with_capacity(size * size);
    for (row, (index, _)) in digits.iter().zip(rows) {
        let blank = |column: usize| {
            let band = bands[column / across];
            let at = band.first + column % across * pitch;
            vec![CellMark { symbol: '.', placed: false, line: index + 1, column: at + 1 }]
        };
        let mut line: Vec<Vec<CellMark>> = (0..size).map(blank).collect();
        let mut taken = vec![false; size];
        let single: Digits = match pitch {
            1 => row
                .iter()
                .flat_map(|(start, _, marks)| (*start..).zip(marks).map(|(at, mark)| (at, at, vec![*mark])))
                .collect(),
            _ => row.clone(),
        };
        for (start, end, marks) in single {
            if marks.len() > 2 || marks.len() >= pitch && pitch > 1 {
                return None;
            }
            let at = if by_end { end } else { start };
            let band = bands.iter().position(|band| (band.first..band.end).contains(&at))?;
            let offset = at - bands[band].first;
            let column = band * across + offset / pitch;
            if !offset.is_multiple_of(pitch) || offset / pitch >= across || std::mem::replace(&mut taken[column], true)
            {
                return None;
            }
            line[column] = marks;
        }
        cells.extend(line);
    }
    Some(cells)
}

/// Reads a puzzle on one line whose empty cells are blanks; those at its end may be missing.
pub(super) fn on_a_line(text: &str, line: usize, boards: BoardChoice<'_>) -> Option<Result<Puzzle, FormatError>> {
    let count = text.chars().count();
    let size = boards.sizes().into_iter().find(|size| (size * size - size + 1..=size * size).contains(&count))?;
    let is_cell = |c: char| c == ' ' || (c.is_ascii_digit() && Digit::from_symbol(c).is_some_and(|d| d.index() < size));
    if !(6..=9).contains(&size) || !text.chars().all(is_cell) {
        return None;
    }
    let cells = text.chars().chain(std::iter::repeat(' ')).take(size * size);
    let mark =
        |(column, c): (usize, char)| CellMark { symbol: if c == ' ' { '.' } else { c }, placed: false, line, column };
    let marks: Vec<CellMark> = (1..).zip(cells).map(mark).collect();
    Some(from_marks(&marks, size, boards))
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
    let numbers = |number: &dyn Fn(usize) -> usize| (0..count).all(|at| labels[at] == EdgeLabel::Number(number(at)));
    let letters = |letter: &dyn Fn(u8) -> u8| (0..count).all(|at| labels[at] == EdgeLabel::Letter(letter(at as u8)));
    count >= 4
        && (numbers(&|at| at)
            || numbers(&|at| at + 1)
            || numbers(&|at| count - at)
            || letters(&|at| at)
            || letters(&|at| at + u8::from(at >= 8)))
}

/// Returns the label at the beginning of a line, and the line with blanks in its place.
pub(super) fn left_label(text: &str) -> Option<(EdgeLabel, String)> {
    let signs: Vec<char> = text.chars().collect();
    let blank = |at: usize| signs.get(at).is_some_and(|sign| sign.is_whitespace() && *sign != '\t');
    let mut at = (0..signs.len()).find(|&at| !blank(at))?;
    if is_bar(signs[at]) || signs[at] == '"' {
        at += 1;
        at = (at..signs.len()).find(|&at| !blank(at))?;
    }
    let (label, mut end) = label(&signs, at)?;
    if signs.get(end) == Some(&'"') {
        end += 1;
    }
    match signs.get(end) {
        Some(':' | ')' | '.' | ',' | ';' | '\t') => end += 1,
        Some(sign) if !sign.is_whitespace() && !is_bar(*sign) => return None,
        _ => {}
    }
    // `1:` and `1.` may have a bar of the drawing, a tab or a comma behind them.
    if let Some(',' | '\t') = signs.get(end).filter(|_| matches!(signs[end - 1], ':' | '.' | ')')) {
        end += 1;
    }
    Some((label, signs.iter().enumerate().map(|(at, &sign)| if at < end { ' ' } else { sign }).collect()))
}

/// Returns the label at the end of a line, and the line without it.
pub(super) fn right_label(text: &str) -> Option<(EdgeLabel, String)> {
    let signs: Vec<char> = text.trim_end().chars().collect();
    let last = signs.len().checked_sub(1)?;
    let start = (0..=last).rev().take_while(|&at| signs[at].is_ascii_alphanumeric()).last()?;
    let (label, end) = label(&signs, start)?;
    let before = *signs.get(start.checked_sub(1)?)?;
    let parted = before.is_whitespace() || is_bar(before) || matches!(before, ',' | ';');
    let keep = if matches!(before, ',' | ';' | '\t') { start - 1 } else { start };
    (end == signs.len() && parted).then(|| (label, signs[..keep].iter().collect::<String>().trim_end().to_string()))
}

/// Reads a label: a number of at most two digits or a letter, perhaps after `r`, `row` and the like, or in brackets as R writes it.
fn label(signs: &[char], at: usize) -> Option<(EdgeLabel, usize)> {
    let mut start = at;
    let bracket = signs[at] == '[' || signs[at] == '(';
    if bracket {
        start += 1;
    }
    let word: String = signs[start..].iter().take_while(|sign| sign.is_alphabetic()).collect::<String>().to_lowercase();
    if matches!(word.as_str(), "r" | "row" | "line" | "zeile" | "c" | "col" | "column" | "v" | "x") {
        let mut after = start + word.chars().count();
        while signs.get(after) == Some(&' ') {
            after += 1;
        }
        if signs.get(after).is_some_and(char::is_ascii_digit) {
            start = after;
        }
    }
    if signs.get(start) == Some(&'#') {
        start += 1;
    }
    let digits: String = signs[start.min(signs.len())..].iter().take_while(|sign| sign.is_ascii_digit()).collect();
    let (label, mut end) = match (digits.parse(), signs.get(start)) {
        (Ok(number), _) if digits.len() <= 2 => (EdgeLabel::Number(number), start + digits.len()),
        (_, Some(letter)) if letter.is_ascii_alphabetic() => {
            (EdgeLabel::Letter(letter.to_ascii_uppercase() as u8 - b'A'), start + 1)
        }
        _ => return None,
    };
    if bracket {
        end += usize::from(signs.get(end) == Some(&','));
        if !matches!(signs.get(end), Some(']' | ')')) {
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
    let words: Vec<&str> = text.split(is_between_labels).filter(|word| !word.is_empty()).collect();
    let is_counting = |words: &[&str]| {
        let labels: Option<Vec<EdgeLabel>> = words.iter().map(label_of).collect();
        words.len() == count && labels.is_some_and(|labels| is_sequence(&labels))
    };
    let joined: Vec<char> = words.concat().chars().collect();
    let each: Option<Vec<EdgeLabel>> =
        joined.iter().map(|&sign| label(&[sign], 0).map(|(label, _)| label)).collect::<Option<_>>();
    let spread = words.len() < count && joined.len() == count;
    is_counting(&words)
        || (words.len() == count + 1 && is_counting(&words[1..]))
        || (spread && each.is_some_and(|labels| is_sequence(&labels)))
}

/// Reads a word that is a label, perhaps with a bracket or point behind it.
fn label_of(word: &&str) -> Option<EdgeLabel> {
    let signs: Vec<char> = word.trim_end_matches([']', '.', ')']).chars().collect();
    if signs.is_empty() {
        None
    } else {
        label(&signs, 0).filter(|(_, end)| *end == signs.len()).map(|(label, _)| label)
    }
}

/// Returns true for signs between labels.
fn is_between_labels(sign: char) -> bool {
    sign.is_whitespace() || is_bar(sign) || matches!(sign, ';' | '"' | '\'' | ':')
}

/// Returns true if the sign is a vertical line between cells.
pub(super) fn is_bar(sign: char) -> bool {
    matches!(
        sign,
        '|' | '\u{a6}'
            | '\u{2502}'
            | '\u{2503}'
            | '\u{2506}'
            | '\u{2507}'
            | '\u{250a}'
            | '\u{250b}'
            | '\u{254e}'
            | '\u{254f}'
            | '\u{2551}'
            | '\u{ff5c}'
    )
}
