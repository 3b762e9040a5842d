//! Random JSON documents with one or several puzzles. Either all puzzles are read, in order, or some are missing and there is an error.

use super::{pick, random_puzzle};
use fastrand::Rng;
use pinion::grid::draw::givens_line;
use pinion::grid::formats::read_many;

const SHAPES: [(usize, usize, usize); 2] = [(9, 3, 3), (6, 2, 3)];

/// A grid as a value of JSON or Python: one string, a list of strings, a list of numbers, or a list of lists.
fn grid_value(random: &mut Rng, grid: &[Vec<usize>]) -> String {
    let empty_entry = pick(random, &["0", "null", "\"\"", "\".\""]);
    let empty_symbol = pick(random, &["0", ".", "0"]);
    let text = |row: &Vec<usize>| -> String { row.iter().map(|&digit| cell_text(digit, empty_symbol)).collect() };
    let list = |row: &Vec<usize>| {
        let cells: Vec<String> = row.iter().map(|&digit| cell_text(digit, empty_entry)).collect();
        format!("[{}]", cells.join(", "))
    };
    let gap = pick(random, &["", " ", "\n  "]);
    match random.usize(..4) {
        0 => format!("\"{}\"", grid.iter().map(text).collect::<String>()),
        1 => {
            let strings: Vec<String> = grid.iter().map(|row| format!("\"{}\"", text(row))).collect();
            format!("[{}]", strings.join(&format!(",{gap}")))
        }
        2 => list(&grid.concat()),
        _ => format!("[{gap}{}{gap}]", grid.iter().map(list).collect::<Vec<_>>().join(&format!(",{gap}"))),
    }
}

/// The text of a digit, or of an empty cell if it is 0.
fn cell_text(digit: usize, empty: &str) -> String {
    if digit == 0 { empty.to_string() } else { digit.to_string() }
}

/// The clues of each puzzle on one line, and a document with these puzzles.
fn document(random: &mut Rng) -> (Vec<String>, String) {
    let shape = if random.usize(..4) == 0 { SHAPES[1] } else { SHAPES[0] };
    let grids: Vec<Vec<Vec<usize>>> = (0..random.usize(1..5)).map(|_| random_puzzle(random, shape)).collect();
    let line =
        |grid: &Vec<Vec<usize>>| -> String { grid.iter().flatten().map(|&digit| cell_text(digit, ".")).collect() };
    let name = pick(random, &["puzzle", "grid", "board", "clues", "BaseGrid", "value"]);
    let layout = random.usize(..5);
    let values: Vec<String> = grids.iter().map(|grid| grid_value(random, grid)).collect();
    let object = |random: &mut Rng, (at, value): (usize, &String)| {
        let mut entries = vec![format!("\"{name}\": {value}")];
        if random.bool() {
            entries.insert(0, format!("\"id\": {at}"));
        }
        if random.bool() {
            entries.push(format!("\"rating\": {}.{}", random.usize(1..9), random.usize(..9)));
        }
        if random.usize(..3) == 0 {
            entries.push("\"level\": \"hard\"".into());
        }
        format!("{{{}}}", entries.join(", "))
    };
    let objects: Vec<String> = values.iter().enumerate().map(|entry| object(random, entry)).collect();
    let text = match layout {
        0 => format!("[{}]", objects.join(",\n ")),
        1 => format!("{{\"count\": {}, \"puzzles\": [{}]}}", objects.len(), objects.join(",\n ")),
        2 => format!("{{\"data\": {{\"items\": [{}], \"page\": 1}}, \"ok\": true}}", objects.join(", ")),
        3 => objects.join("\n"),
        _ => {
            let named: Vec<String> =
                values.iter().enumerate().map(|(at, value)| format!("\"p{at}\": {value}")).collect();
            format!("{{{}}}", named.join(",\n"))
        }
    };
    (grids.iter().map(line).collect(), text + "\n")
}

#[test]
fn documents_are_read_whole_or_have_an_error() {
    let mut whole_count = 0;
    for seed in 0..1_000 {
        let (lines, text) = document(&mut Rng::with_seed(seed));
        let results = read_many(&text, None);
        let puzzles: Vec<String> = results.iter().flatten().map(givens_line).collect();
        let is_whole = puzzles == lines;
        let mut remaining_lines = lines.iter();
        let in_order = puzzles.iter().all(|puzzle| remaining_lines.any(|line| line == puzzle));
        let has_error = results.iter().any(Result::is_err);
        assert!(is_whole || (in_order && has_error), "seed {seed}:\n{text}\n{puzzles:?}");
        whole_count += usize::from(is_whole);
    }
    println!("{whole_count} of 1000 documents are read whole");
    assert!(whole_count >= 900, "{whole_count} of 1000 documents are read whole");
}
