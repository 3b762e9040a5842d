//! Two thousand drawings of puzzles, made by chance and the same in every run: each is read back or refused, and none is read as
//! another puzzle. Nothing here knows how the reader works.

#[path = "drawings/candidates.rs"]
mod candidates;
#[path = "drawings/documents.rs"]
mod documents;
#[path = "drawings/languages.rs"]
mod languages;
#[path = "drawings/regions.rs"]
mod regions;

use crate::common::share;
use fastrand::Rng;
use pinion::grid::draw::givens_line;
use pinion::grid::formats::read_many;

/// A size with the rows and columns of its boxes.
const SIZES: [(usize, usize, usize); 8] =
    [(4, 2, 2), (6, 2, 3), (8, 2, 4), (9, 3, 3), (10, 2, 5), (12, 3, 4), (16, 4, 4), (25, 5, 5)];

const SIGNS: &[u8] = b"123456789ABCDEFGHIJKLMNOP";

/// A puzzle drawn somehow.
struct Drawing {
    size: usize,
    /// The puzzle as one line.
    cells: String,
    /// The lines of the drawing, and the words around them.
    lines: Vec<String>,
    before: Vec<&'static str>,
    after: Vec<&'static str>,
    end: &'static str,
}

impl Drawing {
    fn text(&self) -> String {
        let own = self.lines.iter().map(String::as_str);
        let all = self.before.iter().copied().chain(own).chain(self.after.iter().copied());
        all.map(|line| format!("{line}{}", self.end)).collect()
    }
}

/// Digits of a puzzle by rows, 0 for an empty cell.
fn puzzle(chance: &mut Rng, (size, height, width): (usize, usize, usize)) -> Vec<Vec<usize>> {
    let mut order = |block: usize| {
        let mut blocks: Vec<usize> = (0..size / block).collect();
        chance.shuffle(&mut blocks);
        let mut out = Vec::new();
        for number in blocks {
            let mut lines: Vec<usize> = (number * block..(number + 1) * block).collect();
            chance.shuffle(&mut lines);
            out.extend(lines);
        }
        out
    };
    let (rows, columns, digits) = (order(height), order(width), order(size));
    let digit = |row: usize, column: usize| digits[(column + row % height * width + row / height) % size] + 1;
    let full: Vec<Vec<usize>> =
        rows.iter().map(|&row| columns.iter().map(|&column| digit(row, column)).collect()).collect();
    let kept = [30, 40, 50][chance.usize(..3)];
    full.iter()
        .map(|row| row.iter().map(|&digit| if chance.usize(..100) < kept { digit } else { 0 }).collect())
        .collect()
}

fn pick<T: Clone>(chance: &mut Rng, of: &[T]) -> T {
    of[chance.usize(..of.len())].clone()
}

/// Labels of rows or columns.
fn labels(chance: &mut Rng, size: usize, letter: &str) -> Vec<String> {
    let kind = chance.usize(..4);
    (0..size)
        .map(|at| match kind {
            0 => char::from(b'A' + at as u8).to_string(),
            1 => (at + 1).to_string(),
            2 => at.to_string(),
            _ => format!("{letter}{}", at + 1),
        })
        .collect()
}

/// Signs between cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    Compact,
    Spaced,
    Padded,
    BoxBars,
    CellBars,
    Separated,
    Markdown,
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

fn drawing(chance: &mut Rng) -> Drawing {
    let shape = if chance.usize(..3) == 0 { SIZES[3] } else { pick(chance, &SIZES) };
    let mut grid = puzzle(chance, shape);
    let size = shape.0;
    match chance.usize(..12) {
        0 => grid[0].fill(0),
        1 => grid[size - 1].fill(0),
        _ => {}
    }
    let style = pick(chance, &STYLES);
    let sign = |digit: usize| char::from(SIGNS[digit - 1]).to_string();
    let decimal = size > 9 && !matches!(style, Style::Compact | Style::Columns) && chance.bool();
    let mut empty = pick(chance, &[".", "0", "*", "_", "-", "?", "x", "\u{b7}", "\u{25a1}"]);
    match style {
        Style::Columns => empty = " ",
        Style::CellBars | Style::Markdown if chance.bool() => empty = "",
        Style::Separated if chance.bool() => empty = pick(chance, &["", "NaN", "None", "null", "undefined"]),
        _ => {}
    }
    if decimal && chance.usize(..3) == 0 {
        empty = pick(chance, &["..", "00", "__"]);
    }
    let float = style == Style::Separated && size <= 9 && matches!(empty, "" | "NaN") && chance.bool();
    let number = matches!(style, Style::Separated | Style::Spaced | Style::Padded) && chance.usize(..4) == 0;
    let places = pick(chance, &[".0", ".00", ".000e+00"]);
    let text = |digit: usize| match digit {
        _ if number => format!("{digit}{places}"),
        0 => empty.to_string(),
        _ if decimal => digit.to_string(),
        _ if float => format!("{digit}.0"),
        _ => sign(digit),
    };
    let cells: Vec<Vec<String>> = grid.iter().map(|row| row.iter().map(|&digit| text(digit)).collect()).collect();
    let lines = match style {
        Style::Separated => separated(chance, &cells),
        Style::Markdown => markdown(chance, &cells),
        _ => framed(chance, &cells, shape, style, empty),
    };
    let (before, after) = around(chance);
    let quoted = style != Style::Columns && chance.usize(..8) == 0;
    let lines = lines.into_iter().map(|line| if quoted { format!("> {line}") } else { line }).collect();
    let cells = grid.iter().flatten().map(|&digit| if digit == 0 { ".".to_string() } else { sign(digit) }).collect();
    Drawing { size, cells, lines, before, after, end: pick(chance, &["\n", "\n", "\r\n"]) }
}

/// Words around a drawing.
fn around(chance: &mut Rng) -> (Vec<&'static str>, Vec<&'static str>) {
    match chance.usize(..12) {
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

/// A table of one line for each row.
fn separated(chance: &mut Rng, cells: &[Vec<String>]) -> Vec<String> {
    let between = pick(chance, &[",", ";", "\t", ", "]);
    let (head, index) = (chance.usize(..3) == 0, chance.usize(..3) == 0);
    let (rows, columns) = (labels(chance, cells.len(), "r"), labels(chance, cells.len(), "c"));
    let mut table: Vec<Vec<String>> = cells.to_vec();
    if head {
        table.insert(0, columns);
    }
    if index {
        let corner = head.then(String::new);
        table.iter_mut().zip(corner.into_iter().chain(rows)).for_each(|(row, label)| row.insert(0, label));
    }
    table.iter().map(|row| row.join(between)).collect()
}

/// A table in Markdown; its head may be empty, labels, or the first row.
fn markdown(chance: &mut Rng, cells: &[Vec<String>]) -> Vec<String> {
    let size = cells.len();
    let mut table: Vec<Vec<String>> = cells.to_vec();
    match chance.usize(..3) {
        0 => table.insert(0, labels(chance, size, "c")),
        1 => table.insert(0, vec![" ".to_string(); size]),
        _ => {}
    }
    let mut lines: Vec<String> = table.iter().map(|row| format!("| {} |", row.join(" | "))).collect();
    lines.insert(1, format!("|{}", "---|".repeat(size)));
    lines
}

/// Rows with or without bars, rules and labels.
fn framed(
    chance: &mut Rng,
    cells: &[Vec<String>],
    (size, height, width): (usize, usize, usize),
    style: Style,
    empty: &str,
) -> Vec<String> {
    let wide = cells.iter().flatten().map(|cell| cell.chars().count()).max().unwrap_or(1);
    let wide = if style == Style::Padded { wide + 1 } else { wide };
    let bar = pick(chance, &["|", "\u{2502}", "\u{2503}", "\u{2551}"]);
    let outer = chance.usize(..3) > 0;
    let boxes = style == Style::BoxBars || (style != Style::CellBars && chance.usize(..3) == 0);
    let blank = if matches!(style, Style::Compact) || (style == Style::Columns && chance.bool()) { "" } else { " " };
    let margin = pick(chance, &["", " "]);
    let (left, right, top) = (chance.usize(..4) == 0, chance.usize(..8) == 0, chance.usize(..5) == 0);
    let (rows, columns) = (labels(chance, size, "r"), labels(chance, size, "c"));
    let keeps_blanks = style == Style::Columns && chance.bool();
    let own = |cell: &String| if style == Style::Compact { cell.clone() } else { format!("{cell:>wide$}") };
    let mut lines: Vec<String> = Vec::new();
    for (row, label) in cells.iter().zip(&rows) {
        let texts: Vec<String> = row.iter().map(own).collect();
        let (parts, between): (Vec<String>, String) = match (style, boxes) {
            (Style::CellBars, _) => {
                (texts.iter().map(|text| format!("{margin}{text}{margin}")).collect(), bar.to_string())
            }
            (_, true) => (texts.chunks(width).map(|band| band.join(blank)).collect(), format!("{margin}{bar}{margin}")),
            _ => (vec![texts.join(blank)], String::new()),
        };
        let mut line = parts.join(&between);
        if outer && !between.is_empty() {
            let margin = if boxes { margin } else { "" };
            line = format!("{bar}{margin}{line}{margin}{bar}");
        }
        if left {
            line = format!("{label:>3} {line}");
        }
        if right {
            line = format!("{line} {label}");
        }
        lines.push(if keeps_blanks { line } else { line.trim_end().to_string() });
    }
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default();
    let rule = match chance.usize(..5) {
        0 => None,
        1 if empty != "-" => Some("-".repeat(longest)),
        2 => Some("=".repeat(longest)),
        3 => Some(String::new()),
        _ => Some(format!("+{}+", "-".repeat(longest.max(4) - 2))),
    };
    let each = style == Style::CellBars && chance.bool();
    let mut out = Vec::new();
    for (number, line) in lines.into_iter().enumerate() {
        let parted = number > 0 && (number % height == 0 || each && rule.as_deref() != Some(""));
        out.extend(rule.clone().filter(|_| parted));
        out.push(line);
    }
    if top {
        out.insert(0, format!("{}{}", " ".repeat(if left { 5 } else { 1 }), columns.join(" ")));
    }
    out
}

/// Puzzles that are read from a text.
fn read(text: &str) -> Vec<String> {
    read_many(text, None).into_iter().flatten().map(|puzzle| givens_line(&puzzle)).collect()
}

#[test]
fn drawings_are_read_back_or_refused() {
    let mut right = 0;
    for seed in 0..share(400, 2_000) {
        let drawing = drawing(&mut Rng::with_seed(seed));
        let found = read(&drawing.text());
        assert!(found.is_empty() || found == [drawing.cells.clone()], "seed {seed}:\n{}\n{found:?}", drawing.text());
        right += usize::from(!found.is_empty());
    }
    assert!(right >= share(320, 1_600), "only {right} drawings are read");
}

/// A lost row, an end too early: what is left is no puzzle of its own.
#[test]
fn damaged_drawings_are_no_other_puzzles() {
    for seed in 0..share(400, 2_000) {
        let chance = &mut Rng::with_seed(seed);
        let mut drawing = drawing(chance);
        let is_row = |line: &String| line.chars().any(|c| c.is_ascii_digit());
        let rows: Vec<usize> = (0..drawing.lines.len()).filter(|&at| is_row(&drawing.lines[at])).collect();
        let at = pick(chance, &rows);
        match chance.bool() {
            true => drop(drawing.lines.remove(at)),
            false => drawing.lines.truncate(at),
        }
        let found = read(&drawing.text());
        // A line of labels or of none but empty cells may be what was lost.
        assert!(
            found.is_empty() || found == [drawing.cells.clone()],
            "seed {seed}, {}:\n{}\n{found:?}",
            drawing.size,
            drawing.text()
        );
    }
}
