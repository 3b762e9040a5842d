//! Random drawings of candidate grids, with marks on cells, brackets, bars, rules, padding and labels. Each is read back or refused.

use super::{SYMBOLS, labels, pick, random_puzzle, surrounding_lines};
use crate::common::quick_or_full;
use fastrand::Rng;
use pinion::grid::formats::{Puzzle, read_many};
use pinion::grid::{Digit, DigitSet};

const SIZES: [(usize, usize, usize); 6] = [(4, 2, 2), (6, 2, 3), (8, 2, 4), (9, 3, 3), (12, 3, 4), (16, 4, 4)];

/// A candidate grid in a random layout.
struct Drawing {
    /// The candidates of each cell. The list of a solved cell is its digit.
    lists: Vec<DigitSet>,
    /// True if there are blanks between the candidates of a cell.
    is_spaced: bool,
    text: String,
}

/// The candidates that clues leave, some of them removed; every cell keeps at least one.
fn candidates(random: &mut Rng, (size, height, width): (usize, usize, usize)) -> Vec<DigitSet> {
    let clues = random_puzzle(random, (size, height, width));
    let sees = |(row_a, column_a): (usize, usize), (row_b, column_b): (usize, usize)| {
        row_a == row_b
            || column_a == column_b
            || (row_a / height == row_b / height && column_a / width == column_b / width)
    };
    let cells: Vec<(usize, usize)> = (0..size * size).map(|at| (at / size, at % size)).collect();
    let percent_removed = [0, 30, 60][random.usize(..3)];
    let mut lists = vec![DigitSet::all(size); size * size];
    for &cell in &cells {
        let clue = clues[cell.0][cell.1];
        if clue == 0 {
            continue;
        }
        for (list, &peer) in lists.iter_mut().zip(&cells) {
            if sees(cell, peer) {
                list.remove(digit(clue));
            }
        }
        lists[cell.0 * size + cell.1] = DigitSet::single(digit(clue));
    }
    lists
        .into_iter()
        .map(|list| {
            let digits: Vec<Digit> = list.iter().collect();
            let kept = pick(random, &digits);
            digits.into_iter().filter(|digit| *digit == kept || random.usize(..100) >= percent_removed).collect()
        })
        .collect()
}

fn digit(number: usize) -> Digit {
    Digit(number as u8 - 1)
}

/// Adds a mark to the text of a cell, as in `*189` or `B(189)`. Marks have letters only if the board has no letters for digits.
fn marked(random: &mut Rng, text: &str, size: usize) -> String {
    const SYMBOL_MARKS: [(&str, &str); 14] = [
        ("*", ""),
        ("", "*"),
        ("*", "*"),
        ("#", ""),
        ("", "#"),
        ("@", ""),
        ("(", ")"),
        ("[", "]"),
        ("<", ">"),
        ("", "!"),
        ("~", ""),
        ("", "'"),
        ("=", "="),
        ("^", ""),
    ];
    const LETTER_MARKS: [(&str, &str); 10] = [
        ("A", ""),
        ("a", ""),
        ("", "a"),
        ("", "B"),
        ("B(", ")"),
        ("(", ")c"),
        ("d[", "]"),
        ("*a", ""),
        ("", "b*"),
        ("aB", ""),
    ];
    let may_have_letters = size <= 9 && random.bool();
    let (before, after) = if may_have_letters { pick(random, &LETTER_MARKS) } else { pick(random, &SYMBOL_MARKS) };
    format!("{before}{text}{after}")
}

fn random_drawing(random: &mut Rng) -> Drawing {
    let shape = if random.bool() { SIZES[3] } else { pick(random, &SIZES) };
    let (size, height, width) = shape;
    let lists = candidates(random, shape);
    let percent_marked = [0, 5, 20, 60][random.usize(..4)];
    let all_in_brackets = random.usize(..10) == 0;
    let bar = pick(random, &["", "", "|", "\u{2502}", "\u{2551}"]);
    let has_cell_bars = !bar.is_empty() && random.usize(..4) == 0;
    let separators: &[&str] = if has_cell_bars { &[",", ", ", " ", "/"] } else { &[",", ",", "/"] };
    let separator = if random.usize(..8) == 0 { pick(random, separators) } else { "" };
    let numbers_over_9 = size > 9 && !separator.is_empty() && random.bool();
    let cell_text = |random: &mut Rng, list: &DigitSet| {
        let symbol = |digit: Digit| {
            if numbers_over_9 {
                (digit.index() + 1).to_string()
            } else {
                char::from(SYMBOLS[digit.index()]).to_string()
            }
        };
        let symbols: Vec<String> = list.iter().map(symbol).collect();
        let text = symbols.join(separator);
        if all_in_brackets && (symbols.len() > 1 || separator.is_empty()) {
            format!("[{text}]")
        } else if random.usize(..100) < percent_marked {
            marked(random, &text, size)
        } else {
            text
        }
    };
    let cells: Vec<String> = lists.iter().map(|list| cell_text(random, list)).collect();
    let has_outer_bars = random.usize(..3) > 0;
    let is_padded = random.usize(..4) > 0;
    let cell_width = |column: usize| {
        let widths = (0..size).map(|row| cells[row * size + column].chars().count());
        if is_padded { widths.max().unwrap_or(1) } else { 1 }
    };
    let (has_left_labels, has_top_labels) = (random.usize(..5) == 0, random.usize(..6) == 0);
    let (row_labels, column_labels) = (labels(random, size, "r"), labels(random, size, "c"));
    let gap = pick(random, &[" ", "  ", "\t"]);
    let mut lines: Vec<String> = Vec::new();
    for row in 0..size {
        let texts: Vec<String> = (0..size)
            .map(|column| format!("{:<width$}", cells[row * size + column], width = cell_width(column)))
            .collect();
        let parts: Vec<String> =
            if has_cell_bars { texts } else { texts.chunks(width).map(|cells| cells.join(gap)).collect() };
        let mut line = if bar.is_empty() { parts.join(gap) } else { parts.join(&format!(" {bar} ")) };
        if has_outer_bars && !bar.is_empty() {
            line = format!("{bar} {line} {bar}");
        }
        if has_left_labels {
            line = format!("{:>3} {line}", row_labels[row]);
        }
        lines.push(line.trim_end().to_string());
    }
    let line_width = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default();
    let rule = match random.usize(..5) {
        0 => None,
        1 => Some(String::new()),
        2 => Some("-".repeat(line_width)),
        3 => Some(format!(":{}+{}:", "-".repeat(line_width / 2), "-".repeat(line_width / 2))),
        _ => Some(format!("+{}+", "-".repeat(line_width.max(4) - 2))),
    };
    let mut framed_lines = Vec::new();
    for (number, line) in lines.into_iter().enumerate() {
        let is_first_of_later_band = number > 0 && number % height == 0;
        if is_first_of_later_band {
            framed_lines.extend(rule.clone());
        }
        framed_lines.push(line);
    }
    let has_dashed_rule = rule.as_ref().is_some_and(|rule| !rule.is_empty());
    if has_dashed_rule && random.bool() {
        framed_lines.insert(0, format!(".{}.", "-".repeat(line_width)));
        framed_lines.push(format!("'{}'", "-".repeat(line_width)));
    }
    if has_top_labels {
        let texts: Vec<String> =
            (0..size).map(|column| format!("{:<width$}", column_labels[column], width = cell_width(column))).collect();
        framed_lines.insert(0, format!("{}{}", " ".repeat(if has_left_labels { 5 } else { 1 }), texts.join(" ")));
    }
    let is_quoted = random.usize(..10) == 0;
    let (lines_before, lines_after) = surrounding_lines(random);
    let all_lines = lines_before
        .iter()
        .map(ToString::to_string)
        .chain(framed_lines)
        .chain(lines_after.iter().map(ToString::to_string));
    let line_end = pick(random, &["\n", "\n", "\r\n"]);
    let text = all_lines
        .map(|line| if is_quoted { format!("> {line}{line_end}") } else { format!("{line}{line_end}") })
        .collect();
    Drawing { lists, is_spaced: separator == " ", text }
}

/// The candidates of each cell of a puzzle that was read. The list of a solved cell is its digit.
fn lists_of(puzzle: &Puzzle) -> Vec<DigitSet> {
    let digit = |cell| puzzle.digit(cell).map_or(DigitSet::EMPTY, DigitSet::single);
    puzzle.candidates.clone().unwrap_or_else(|| puzzle.geometry.cells().map(digit).collect())
}

/// Returns true if no puzzle was read, or exactly the grid that was drawn.
fn is_faithful(drawing: &Drawing, puzzles: &[Puzzle]) -> bool {
    puzzles.is_empty() || (puzzles.len() == 1 && lists_of(&puzzles[0]) == drawing.lists)
}

fn read(text: &str) -> Vec<Puzzle> {
    read_many(text, None).into_iter().flatten().collect()
}

#[test]
fn candidate_grids_are_read_back_or_refused() {
    let mut read_count = 0;
    for seed in 0..quick_or_full(400, 2_000) {
        let drawing = random_drawing(&mut Rng::with_seed(seed));
        let puzzles = read(&drawing.text);
        assert!(is_faithful(&drawing, &puzzles), "seed {seed}:\n{}\n{puzzles:?}", drawing.text);
        read_count += usize::from(!puzzles.is_empty());
    }
    assert!(read_count >= quick_or_full(380, 1_900), "only {read_count} drawings are read");
}

/// Without one row, without all rows from one on, or without the last cell of a row, a drawing is no other grid.
#[test]
fn damaged_candidate_grids_are_refused_or_read_unchanged() {
    for seed in 0..quick_or_full(200, 1_000) {
        let random = &mut Rng::with_seed(seed);
        let mut drawing = random_drawing(random);
        let mut lines: Vec<String> = drawing.text.lines().map(str::to_string).collect();
        let is_row = |line: &String| line.chars().filter(char::is_ascii_digit).count() >= 4;
        let rows: Vec<usize> = (0..lines.len()).filter(|&at| is_row(&lines[at])).collect();
        let at = pick(random, &rows);
        match random.usize(..3) {
            0 => drop(lines.remove(at)),
            1 => lines.truncate(at),
            // The last word is one of the candidates of a cell. No reader can know that it is missing.
            _ if drawing.is_spaced => continue,
            _ => {
                let without_last_cell = lines[at].trim_end_matches(|c: char| !c.is_whitespace()).trim_end().to_string();
                lines[at] = without_last_cell;
            }
        }
        drawing.text = lines.join("\n");
        let puzzles = read(&drawing.text);
        assert!(is_faithful(&drawing, &puzzles), "seed {seed}:\n{}\n{puzzles:?}", drawing.text);
    }
}
