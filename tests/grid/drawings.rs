//! Random drawings of puzzles: each is read back or refused, and none is read as another puzzle. The seeds are fixed, so every run has
//! the same drawings. They are made without regard to how the reader works.

#[path = "drawings/candidates.rs"]
mod candidates;
#[path = "drawings/json_documents.rs"]
mod json_documents;
#[path = "drawings/languages.rs"]
mod languages;
#[path = "drawings/regions.rs"]
mod regions;

use crate::common::quick_or_full;
use fastrand::Rng;
use pinion::grid::draw::givens_line;
use pinion::grid::formats::read_many;

/// Each size with the numbers of rows and columns of its boxes.
const SIZES: [(usize, usize, usize); 8] =
    [(4, 2, 2), (6, 2, 3), (8, 2, 4), (9, 3, 3), (10, 2, 5), (12, 3, 4), (16, 4, 4), (25, 5, 5)];

const SYMBOLS: &[u8] = b"123456789ABCDEFGHIJKLMNOP";

/// A puzzle in a random layout, with lines of other text around it.
struct Drawing {
    size: usize,
    /// The puzzle as one line.
    cells: String,
    lines: Vec<String>,
    lines_before: Vec<&'static str>,
    lines_after: Vec<&'static str>,
    line_end: &'static str,
}

impl Drawing {
    fn text(&self) -> String {
        let lines = self.lines.iter().map(String::as_str);
        let all_lines = self.lines_before.iter().copied().chain(lines).chain(self.lines_after.iter().copied());
        all_lines.map(|line| format!("{line}{}", self.line_end)).collect()
    }
}

/// The rows of a random puzzle, 0 for an empty cell.
fn random_puzzle(random: &mut Rng, (size, height, width): (usize, usize, usize)) -> Vec<Vec<usize>> {
    // Shuffles the bands (or stacks), and the lines within each of them.
    let mut shuffled = |band_size: usize| {
        let mut bands: Vec<usize> = (0..size / band_size).collect();
        random.shuffle(&mut bands);
        let mut order = Vec::new();
        for band in bands {
            let mut lines: Vec<usize> = (band * band_size..(band + 1) * band_size).collect();
            random.shuffle(&mut lines);
            order.extend(lines);
        }
        order
    };
    let (rows, columns, digits) = (shuffled(height), shuffled(width), shuffled(size));
    // Each row of a band is shifted by a box, and each band by one cell more: a full grid for every size.
    let digit = |row: usize, column: usize| digits[(column + row % height * width + row / height) % size] + 1;
    let full_grid: Vec<Vec<usize>> =
        rows.iter().map(|&row| columns.iter().map(|&column| digit(row, column)).collect()).collect();
    let percent_kept = [30, 40, 50][random.usize(..3)];
    full_grid
        .iter()
        .map(|row| row.iter().map(|&digit| if random.usize(..100) < percent_kept { digit } else { 0 }).collect())
        .collect()
}

fn pick<T: Clone>(random: &mut Rng, choices: &[T]) -> T {
    choices[random.usize(..choices.len())].clone()
}

/// Labels of rows or columns: `A`, `1`, `0` or `r1` for the first one, if `letter` is `r`.
fn labels(random: &mut Rng, size: usize, letter: &str) -> Vec<String> {
    let kind = random.usize(..4);
    (0..size)
        .map(|at| match kind {
            0 => char::from(b'A' + at as u8).to_string(),
            1 => (at + 1).to_string(),
            2 => at.to_string(),
            _ => format!("{letter}{}", at + 1),
        })
        .collect()
}

/// A layout of the cells in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    /// `53..7....`
    Compact,
    /// `5 3 . . 7 . . . .`
    Spaced,
    /// A blank before each cell besides the one between cells.
    Padded,
    /// `5 3 . | . 7 . | . . .`
    BoxBars,
    /// `5|3|.|.|7|.|.|.|.`
    CellBars,
    /// `5,3,,,7,,,,`
    Separated,
    /// `| 5 | 3 | . |` below a head
    Markdown,
    /// Blanks for empty cells
    Columns,
}

const STYLES: [Style; 8] = [
    Style::Compact,
    Style::Spaced,
    Style::Padded,
    Style::BoxBars,
    Style::CellBars,
    Style::Separated,
    Style::Markdown,
    Style::Columns,
];

fn random_drawing(random: &mut Rng) -> Drawing {
    let shape = if random.usize(..3) == 0 { SIZES[3] } else { pick(random, &SIZES) };
    let mut grid = random_puzzle(random, shape);
    let size = shape.0;
    match random.usize(..12) {
        0 => grid[0].fill(0),
        1 => grid[size - 1].fill(0),
        _ => {}
    }
    let style = pick(random, &STYLES);
    let symbol = |digit: usize| char::from(SYMBOLS[digit - 1]).to_string();
    // Digits over 9 are numbers such as `12`, not letters.
    let numbers_over_9 = size > 9 && !matches!(style, Style::Compact | Style::Columns) && random.bool();
    let mut empty_cell = pick(random, &[".", "0", "*", "_", "-", "?", "x", "\u{b7}", "\u{25a1}"]);
    match style {
        Style::Columns => empty_cell = " ",
        Style::CellBars | Style::Markdown if random.bool() => empty_cell = "",
        Style::Separated if random.bool() => empty_cell = pick(random, &["", "NaN", "None", "null", "undefined"]),
        _ => {}
    }
    if numbers_over_9 && random.usize(..3) == 0 {
        empty_cell = pick(random, &["..", "00", "__"]);
    }
    let clues_are_decimal = style == Style::Separated && size <= 9 && matches!(empty_cell, "" | "NaN") && random.bool();
    let all_cells_are_decimal =
        matches!(style, Style::Separated | Style::Spaced | Style::Padded) && random.usize(..4) == 0;
    let decimal_places = pick(random, &[".0", ".00", ".000e+00"]);
    let cell_text = |digit: usize| match digit {
        _ if all_cells_are_decimal => format!("{digit}{decimal_places}"),
        0 => empty_cell.to_string(),
        _ if numbers_over_9 => digit.to_string(),
        _ if clues_are_decimal => format!("{digit}.0"),
        _ => symbol(digit),
    };
    let cells: Vec<Vec<String>> = grid.iter().map(|row| row.iter().map(|&digit| cell_text(digit)).collect()).collect();
    let lines = match style {
        Style::Separated => separated(random, &cells),
        Style::Markdown => markdown(random, &cells),
        _ => framed(random, &cells, shape, style, empty_cell),
    };
    let (lines_before, lines_after) = surrounding_lines(random);
    let is_quoted = style != Style::Columns && random.usize(..8) == 0;
    let lines = lines.into_iter().map(|line| if is_quoted { format!("> {line}") } else { line }).collect();
    let cells = grid.iter().flatten().map(|&digit| if digit == 0 { ".".to_string() } else { symbol(digit) }).collect();
    Drawing { size, cells, lines, lines_before, lines_after, line_end: pick(random, &["\n", "\n", "\r\n"]) }
}

/// Lines before and after a drawing.
fn surrounding_lines(random: &mut Rng) -> (Vec<&'static str>, Vec<&'static str>) {
    match random.usize(..12) {
        4 => (vec!["9"], vec![]),
        5 => (vec!["$ curl -s https://example.org/grid?size=9"], vec![]),
        6 => (vec!["Hi all,", ""], vec!["", "(c) 2024"]),
        7 => (vec!["12)", ""], vec!["***"]),
        0 => (vec!["Here is my puzzle:"], vec!["thanks!"]),
        1 => (vec!["Puzzle 12 (hard)", ""], vec!["", "Rating 7.2, 26 clues"]),
        2 => (vec!["```text"], vec!["```"]),
        3 => (vec!["On Monday Ann wrote"], vec![]),
        _ => (vec![], vec![]),
    }
}

/// One line for each row, with a separator between the cells; perhaps with labels in the first line and the first column.
fn separated(random: &mut Rng, cells: &[Vec<String>]) -> Vec<String> {
    let separator = pick(random, &[",", ";", "\t", ", "]);
    let (has_column_labels, has_row_labels) = (random.usize(..3) == 0, random.usize(..3) == 0);
    let (mut row_labels, column_labels) = (labels(random, cells.len(), "r"), labels(random, cells.len(), "c"));
    let mut table: Vec<Vec<String>> = cells.to_vec();
    if has_column_labels {
        table.insert(0, column_labels);
        row_labels.insert(0, String::new());
    }
    if has_row_labels {
        table.iter_mut().zip(row_labels).for_each(|(row, label)| row.insert(0, label));
    }
    table.iter().map(|row| row.join(separator)).collect()
}

/// A table in Markdown. Its head holds labels, blanks, or the first row of the puzzle.
fn markdown(random: &mut Rng, cells: &[Vec<String>]) -> Vec<String> {
    let size = cells.len();
    let mut table: Vec<Vec<String>> = cells.to_vec();
    match random.usize(..3) {
        0 => table.insert(0, labels(random, size, "c")),
        1 => table.insert(0, vec![" ".to_string(); size]),
        _ => {}
    }
    let mut lines: Vec<String> = table.iter().map(|row| format!("| {} |", row.join(" | "))).collect();
    lines.insert(1, format!("|{}", "---|".repeat(size)));
    lines
}

/// Rows with or without bars between cells or boxes, rules (lines such as `---`) between rows, and labels.
fn framed(
    random: &mut Rng,
    cells: &[Vec<String>],
    (size, height, width): (usize, usize, usize),
    style: Style,
    empty_cell: &str,
) -> Vec<String> {
    let cell_width = cells.iter().flatten().map(|cell| cell.chars().count()).max().unwrap_or(1);
    let cell_width = if style == Style::Padded { cell_width + 1 } else { cell_width };
    let bar = pick(random, &["|", "\u{2502}", "\u{2503}", "\u{2551}"]);
    let has_outer_bars = random.usize(..3) > 0;
    let has_box_bars = style == Style::BoxBars || (style != Style::CellBars && random.usize(..3) == 0);
    let gap = if matches!(style, Style::Compact) || (style == Style::Columns && random.bool()) { "" } else { " " };
    let margin = pick(random, &["", " "]);
    let (has_left_labels, has_right_labels, has_top_labels) =
        (random.usize(..4) == 0, random.usize(..8) == 0, random.usize(..5) == 0);
    let (row_labels, column_labels) = (labels(random, size, "r"), labels(random, size, "c"));
    let keeps_blanks = style == Style::Columns && random.bool();
    let cell_text = |cell: &String| if style == Style::Compact { cell.clone() } else { format!("{cell:>cell_width$}") };
    let mut lines: Vec<String> = Vec::new();
    for (row, label) in cells.iter().zip(&row_labels) {
        let texts: Vec<String> = row.iter().map(cell_text).collect();
        let mut line = if style == Style::CellBars {
            let cells_with_margin: Vec<String> = texts.iter().map(|text| format!("{margin}{text}{margin}")).collect();
            cells_with_margin.join(bar)
        } else if has_box_bars {
            let boxes: Vec<String> = texts.chunks(width).map(|cells| cells.join(gap)).collect();
            boxes.join(&format!("{margin}{bar}{margin}"))
        } else {
            texts.join(gap)
        };
        if has_outer_bars && (style == Style::CellBars || has_box_bars) {
            let margin = if has_box_bars { margin } else { "" };
            line = format!("{bar}{margin}{line}{margin}{bar}");
        }
        if has_left_labels {
            line = format!("{label:>3} {line}");
        }
        if has_right_labels {
            line = format!("{line} {label}");
        }
        lines.push(if keeps_blanks { line } else { line.trim_end().to_string() });
    }
    let line_width = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default();
    let rule = match random.usize(..5) {
        0 => None,
        1 if empty_cell != "-" => Some("-".repeat(line_width)),
        // Word processors make a long dash of two hyphens.
        2 => Some(if line_width.is_multiple_of(2) { "=" } else { "\u{2014}" }.repeat(line_width)),
        3 => Some(String::new()),
        _ => Some(format!("+{}+", "-".repeat(line_width.max(4) - 2))),
    };
    let rule_after_each_row = style == Style::CellBars && random.bool();
    let mut framed_lines = Vec::new();
    for (number, line) in lines.into_iter().enumerate() {
        let is_first_of_band = number % height == 0;
        let needs_rule = number > 0 && (is_first_of_band || rule_after_each_row && rule.as_deref() != Some(""));
        if needs_rule {
            framed_lines.extend(rule.clone());
        }
        framed_lines.push(line);
    }
    if has_top_labels {
        framed_lines
            .insert(0, format!("{}{}", " ".repeat(if has_left_labels { 5 } else { 1 }), column_labels.join(" ")));
    }
    framed_lines
}

/// The clues of all puzzles that are read from a text; errors are ignored.
fn read(text: &str) -> Vec<String> {
    read_many(text, None).into_iter().flatten().map(|puzzle| givens_line(&puzzle)).collect()
}

#[test]
fn drawings_are_read_back_or_refused() {
    let mut read_count = 0;
    for seed in 0..quick_or_full(400, 2_000) {
        let drawing = random_drawing(&mut Rng::with_seed(seed));
        let puzzles = read(&drawing.text());
        assert!(
            puzzles.is_empty() || puzzles == [drawing.cells.clone()],
            "seed {seed}:\n{}\n{puzzles:?}",
            drawing.text()
        );
        read_count += usize::from(!puzzles.is_empty());
    }
    assert!(read_count >= quick_or_full(320, 1_600), "only {read_count} drawings are read");
}

/// Without one row, or without all rows from one on, a drawing is no other puzzle.
#[test]
fn damaged_drawings_are_refused_or_read_unchanged() {
    for seed in 0..quick_or_full(400, 2_000) {
        let random = &mut Rng::with_seed(seed);
        let mut drawing = random_drawing(random);
        let is_row = |line: &String| line.chars().any(|c| c.is_ascii_digit());
        let rows: Vec<usize> = (0..drawing.lines.len()).filter(|&at| is_row(&drawing.lines[at])).collect();
        let at = pick(random, &rows);
        if random.bool() {
            drawing.lines.remove(at);
        } else {
            drawing.lines.truncate(at);
        }
        let puzzles = read(&drawing.text());
        // The drawing may be read unchanged, because the lost line may hold labels or only empty cells.
        assert!(
            puzzles.is_empty() || puzzles == [drawing.cells.clone()],
            "seed {seed}, {}:\n{}\n{puzzles:?}",
            drawing.size,
            drawing.text()
        );
    }
}
