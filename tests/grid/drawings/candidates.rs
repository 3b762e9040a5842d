//! Drawings of candidate grids: marks on cells, brackets, bars, rules, padding and labels. Each is read back or refused.

use super::{SIGNS, around, labels, pick, puzzle};
use crate::common::share;
use fastrand::Rng;
use pinion::grid::formats::{Puzzle, read_many};
use pinion::grid::{Digit, DigitSet};

const SIZES: [(usize, usize, usize); 6] = [(4, 2, 2), (6, 2, 3), (8, 2, 4), (9, 3, 3), (12, 3, 4), (16, 4, 4)];

/// A candidate grid drawn somehow.
struct Drawing {
    /// The candidates of each cell; of a solved one, its digit.
    lists: Vec<DigitSet>,
    /// True if blanks part the candidates of a cell.
    is_spaced: bool,
    text: String,
}

/// The candidates that clues leave, some of them removed; every cell keeps at least one.
fn candidates(chance: &mut Rng, (size, height, width): (usize, usize, usize)) -> Vec<DigitSet> {
    let clues = puzzle(chance, (size, height, width));
    let sees = |(row, column): (usize, usize), (other, across): (usize, usize)| {
        row == other || column == across || (row / height == other / height && column / width == across / width)
    };
    let cells = || (0..size * size).map(|at| (at / size, at % size));
    let thin = [0, 30, 60][chance.usize(..3)];
    let mut free = vec![DigitSet::all(size); size * size];
    for (cell, clue) in cells().map(|cell| (cell, clues[cell.0][cell.1])).filter(|(_, clue)| *clue > 0) {
        cells()
            .filter(|&other| sees(cell, other))
            .for_each(|(row, column)| free[row * size + column].remove(digit(clue)));
        free[cell.0 * size + cell.1] = DigitSet::single(digit(clue));
    }
    free.into_iter()
        .map(|free| {
            let all: Vec<Digit> = free.iter().collect();
            let kept = pick(chance, &all);
            all.into_iter().filter(|digit| *digit == kept || chance.usize(..100) >= thin).collect()
        })
        .collect()
}

/// The digit of a number.
fn digit(number: usize) -> Digit {
    Digit(number as u8 - 1)
}

/// The text of a cell with a mark; letters only where no letter is a digit.
fn marked(chance: &mut Rng, text: &str, size: usize) -> String {
    const SIGNED: [(&str, &str); 14] = [
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
    const LETTERED: [(&str, &str); 10] = [
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
    let (before, after) = match size <= 9 && chance.bool() {
        true => pick(chance, &LETTERED),
        false => pick(chance, &SIGNED),
    };
    format!("{before}{text}{after}")
}

fn drawing(chance: &mut Rng) -> Drawing {
    let shape = if chance.bool() { SIZES[3] } else { pick(chance, &SIZES) };
    let (size, height, width) = shape;
    let lists = candidates(chance, shape);
    let percent = [0, 5, 20, 60][chance.usize(..4)];
    let all_in_brackets = chance.usize(..10) == 0;
    let bar = pick(chance, &["", "", "|", "\u{2502}", "\u{2551}"]);
    let all_bars = !bar.is_empty() && chance.usize(..4) == 0;
    let parts: &[&str] = if all_bars { &[",", ", ", " ", "/"] } else { &[",", ",", "/"] };
    let inside = if chance.usize(..8) == 0 { pick(chance, parts) } else { "" };
    let decimal = size > 9 && !inside.is_empty() && chance.bool();
    let own = |chance: &mut Rng, list: &DigitSet| {
        let sign = |digit: Digit| match decimal {
            true => (digit.index() + 1).to_string(),
            false => char::from(SIGNS[digit.index()]).to_string(),
        };
        let signs: Vec<String> = list.iter().map(sign).collect();
        let text = signs.join(inside);
        match () {
            () if all_in_brackets && (signs.len() > 1 || inside.is_empty()) => format!("[{text}]"),
            () if chance.usize(..100) < percent => marked(chance, &text, size),
            () => text,
        }
    };
    let cells: Vec<String> = lists.iter().map(|list| own(chance, list)).collect();
    let outer = chance.usize(..3) > 0;
    let padded = chance.usize(..4) > 0;
    let wide = |column: usize| match padded {
        true => (0..size).map(|row| cells[row * size + column].chars().count()).max().unwrap_or(1),
        false => 1,
    };
    let (left, top) = (chance.usize(..5) == 0, chance.usize(..6) == 0);
    let (rows, columns) = (labels(chance, size, "r"), labels(chance, size, "c"));
    let gap = pick(chance, &[" ", "  ", "\t"]);
    let mut lines: Vec<String> = Vec::new();
    for row in 0..size {
        let texts: Vec<String> =
            (0..size).map(|column| format!("{:<wide$}", cells[row * size + column], wide = wide(column))).collect();
        let parts: Vec<String> = match all_bars {
            true => texts,
            false => texts.chunks(width).map(|part| part.join(gap)).collect(),
        };
        let mut line = if bar.is_empty() { parts.join(gap) } else { parts.join(&format!(" {bar} ")) };
        if outer && !bar.is_empty() {
            line = format!("{bar} {line} {bar}");
        }
        if left {
            line = format!("{:>3} {line}", rows[row]);
        }
        lines.push(line.trim_end().to_string());
    }
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default();
    let rule = match chance.usize(..5) {
        0 => None,
        1 => Some(String::new()),
        2 => Some("-".repeat(longest)),
        3 => Some(format!(":{}+{}:", "-".repeat(longest / 2), "-".repeat(longest / 2))),
        _ => Some(format!("+{}+", "-".repeat(longest.max(4) - 2))),
    };
    let mut out = Vec::new();
    for (number, line) in lines.into_iter().enumerate() {
        out.extend(rule.clone().filter(|_| number > 0 && number % height == 0));
        out.push(line);
    }
    let dashed = rule.as_ref().is_some_and(|rule| !rule.is_empty());
    if dashed && chance.bool() {
        out.insert(0, format!(".{}.", "-".repeat(longest)));
        out.push(format!("'{}'", "-".repeat(longest)));
    }
    if top {
        let texts: Vec<String> =
            (0..size).map(|column| format!("{:<wide$}", columns[column], wide = wide(column))).collect();
        out.insert(0, format!("{}{}", " ".repeat(if left { 5 } else { 1 }), texts.join(" ")));
    }
    let quoted = chance.usize(..10) == 0;
    let (before, after) = around(chance);
    let all = before.iter().map(ToString::to_string).chain(out).chain(after.iter().map(ToString::to_string));
    let end = pick(chance, &["\n", "\n", "\r\n"]);
    let text = all.map(|line| if quoted { format!("> {line}{end}") } else { format!("{line}{end}") }).collect();
    Drawing { lists, is_spaced: inside == " ", text }
}

/// The candidates of each cell, as they are read.
fn lists_of(puzzle: &Puzzle) -> Vec<DigitSet> {
    let digit = |cell| puzzle.digit(cell).map_or(DigitSet::EMPTY, DigitSet::single);
    puzzle.candidates.clone().unwrap_or_else(|| puzzle.geometry.cells().map(digit).collect())
}

/// Returns true if nothing is read, or the grid that was drawn.
fn is_faithful(drawing: &Drawing, found: &[Puzzle]) -> bool {
    found.is_empty() || (found.len() == 1 && lists_of(&found[0]) == drawing.lists)
}

fn read(text: &str) -> Vec<Puzzle> {
    read_many(text, None).into_iter().flatten().collect()
}

#[test]
fn candidate_grids_are_read_back_or_refused() {
    let mut right = 0;
    for seed in 0..share(400, 2_000) {
        let drawing = drawing(&mut Rng::with_seed(seed));
        let found = read(&drawing.text);
        assert!(is_faithful(&drawing, &found), "seed {seed}:\n{}\n{found:?}", drawing.text);
        right += usize::from(!found.is_empty());
    }
    assert!(right >= share(380, 1_900), "only {right} drawings are read");
}

/// A lost row, an end too early, a lost cell: what is left is no grid of its own.
#[test]
fn damaged_candidate_grids_are_no_other_grids() {
    for seed in 0..share(200, 1_000) {
        let chance = &mut Rng::with_seed(seed);
        let mut drawing = drawing(chance);
        let mut lines: Vec<String> = drawing.text.lines().map(str::to_string).collect();
        let is_row = |line: &String| line.chars().filter(char::is_ascii_digit).count() >= 4;
        let rows: Vec<usize> = (0..lines.len()).filter(|&at| is_row(&lines[at])).collect();
        let at = pick(chance, &rows);
        match chance.usize(..3) {
            0 => drop(lines.remove(at)),
            1 => lines.truncate(at),
            // The last word is one candidate of a cell: no reader can miss it.
            _ if drawing.is_spaced => continue,
            _ => {
                let cut = lines[at].trim_end_matches(|c: char| !c.is_whitespace()).trim_end().to_string();
                lines[at] = cut;
            }
        }
        drawing.text = lines.join("\n");
        let found = read(&drawing.text);
        assert!(is_faithful(&drawing, &found), "seed {seed}:\n{}\n{found:?}", drawing.text);
    }
}
