//! Documents with one puzzle or several, in layouts of chance. All puzzles are read in their order, or an error says which are not.

use super::{pick, puzzle};
use fastrand::Rng;
use pinion::grid::draw::givens_line;
use pinion::grid::formats::read_many;

const SHAPES: [(usize, usize, usize); 2] = [(9, 3, 3), (6, 2, 3)];

/// A grid as a value of JSON or Python.
fn value(chance: &mut Rng, grid: &[Vec<usize>]) -> String {
    let empty = pick(chance, &["0", "null", "\"\"", "\".\""]);
    let zero = pick(chance, &["0", ".", "0"]);
    let text = |row: &Vec<usize>| -> String {
        row.iter().map(|digit| if *digit == 0 { zero.to_string() } else { digit.to_string() }).collect()
    };
    let list = |row: &Vec<usize>| {
        let cells: Vec<String> =
            row.iter().map(|digit| if *digit == 0 { empty.to_string() } else { digit.to_string() }).collect();
        format!("[{}]", cells.join(", "))
    };
    let gap = pick(chance, &["", " ", "\n  "]);
    match chance.usize(..4) {
        0 => format!("\"{}\"", grid.iter().map(text).collect::<String>()),
        1 => format!(
            "[{}]",
            grid.iter().map(|row| format!("\"{}\"", text(row))).collect::<Vec<_>>().join(&format!(",{gap}"))
        ),
        2 => list(&grid.concat()),
        _ => format!("[{gap}{}{gap}]", grid.iter().map(list).collect::<Vec<_>>().join(&format!(",{gap}"))),
    }
}

/// A document and the clues of its puzzles.
fn document(chance: &mut Rng) -> (Vec<String>, String) {
    let shape = if chance.usize(..4) == 0 { SHAPES[1] } else { SHAPES[0] };
    let grids: Vec<Vec<Vec<usize>>> = (0..chance.usize(1..5)).map(|_| puzzle(chance, shape)).collect();
    let lines = |grid: &Vec<Vec<usize>>| -> String {
        grid.iter().flatten().map(|digit| if *digit == 0 { ".".into() } else { digit.to_string() }).collect()
    };
    let name = pick(chance, &["puzzle", "grid", "board", "clues", "BaseGrid", "value"]);
    let wrap = chance.usize(..5);
    let values: Vec<String> = grids.iter().map(|grid| value(chance, grid)).collect();
    let object = |chance: &mut Rng, (at, value): (usize, &String)| {
        let mut entries = vec![format!("\"{name}\": {value}")];
        if chance.bool() {
            entries.insert(0, format!("\"id\": {at}"));
        }
        if chance.bool() {
            entries.push(format!("\"rating\": {}.{}", chance.usize(1..9), chance.usize(..9)));
        }
        if chance.usize(..3) == 0 {
            entries.push("\"level\": \"hard\"".into());
        }
        format!("{{{}}}", entries.join(", "))
    };
    let objects: Vec<String> = values.iter().enumerate().map(|entry| object(chance, entry)).collect();
    let text = match wrap {
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
    (grids.iter().map(lines).collect(), text + "\n")
}

#[test]
fn documents_are_read_whole_or_named() {
    let mut right = 0;
    for seed in 0..1_000 {
        let (lines, text) = document(&mut Rng::with_seed(seed));
        let found = read_many(&text, None);
        let puzzles: Vec<String> = found.iter().flatten().map(givens_line).collect();
        let is_whole = puzzles == lines;
        let mut rest = lines.iter();
        let in_order = puzzles.iter().all(|puzzle| rest.any(|line| line == puzzle));
        let is_named = found.iter().any(Result::is_err);
        assert!(is_whole || (in_order && is_named), "seed {seed}:\n{text}\n{puzzles:?}");
        right += usize::from(is_whole);
    }
    println!("{right} of 1000 documents are read whole");
    assert!(right >= 900, "{right} of 1000 documents are read whole");
}
