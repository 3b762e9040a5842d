//! Puzzles with a map of irregular regions below them. Each is read on its board or refused; none is read on another.

use super::pick;
use fastrand::Rng;
use pinion::grid::draw::givens_line;
use pinion::grid::formats::read_many;

const SIZES: [(usize, usize, usize); 4] = [(4, 2, 2), (6, 2, 3), (8, 2, 4), (9, 3, 3)];

/// The number of its region for each cell: boxes whose cells changed places, each region in one piece.
fn regions(chance: &mut Rng, (size, height, width): (usize, usize, usize)) -> Vec<usize> {
    let mut map: Vec<usize> =
        (0..size * size).map(|at| at / size / height * (size / width) + at % size / width).collect();
    for _ in 0..400 {
        let (a, b) = (chance.usize(..map.len()), chance.usize(..map.len()));
        let (here, there) = (map[a], map[b]);
        map.swap(a, b);
        if !(is_connected(&map, here, size) && is_connected(&map, there, size)) {
            map.swap(a, b);
        }
    }
    map
}

/// Returns true if a region is in one piece.
fn is_connected(map: &[usize], region: usize, size: usize) -> bool {
    let cells: Vec<usize> = (0..map.len()).filter(|&at| map[at] == region).collect();
    let (mut seen, mut waiting) = (vec![cells[0]], vec![cells[0]]);
    while let Some(at) = waiting.pop() {
        let beside = |other: &&usize| {
            let (row, column) = ((at / size).abs_diff(**other / size), (at % size).abs_diff(**other % size));
            row + column == 1 && !seen.contains(other)
        };
        let new: Vec<usize> = cells.iter().filter(beside).copied().collect();
        seen.extend(&new);
        waiting.extend(new);
    }
    seen.len() == cells.len()
}

/// Digits without one twice in a row, column or region; 0 for an empty cell.
fn clues(chance: &mut Rng, map: &[usize], size: usize) -> Vec<usize> {
    let mut grid = vec![0; map.len()];
    for at in 0..map.len() {
        let digit = chance.usize(1..=size);
        let sees = |other: usize| other / size == at / size || other % size == at % size || map[other] == map[at];
        let is_free = (0..map.len()).all(|other| grid[other] != digit || !sees(other));
        if is_free && chance.usize(..3) == 0 {
            grid[at] = digit;
        }
    }
    grid
}

/// Rows of signs, or all of them on a line.
fn block(chance: &mut Rng, signs: &[String], size: usize, between: &str) -> Vec<String> {
    if chance.usize(..4) == 0 {
        return vec![signs.concat()];
    }
    signs.chunks(size).map(|row| row.join(between)).collect()
}

/// A puzzle with its map: the clues, the signs of the regions, and the text.
fn drawing(chance: &mut Rng) -> (String, Vec<usize>, String) {
    let shape = pick(chance, &SIZES);
    let size = shape.0;
    let (map, empty) = (regions(chance, shape), pick(chance, &[".", "0", "_", "*"]));
    let grid = clues(chance, &map, size);
    let first = pick(chance, b"1Aa");
    let cells: Vec<String> =
        grid.iter().map(|digit| if *digit == 0 { empty.into() } else { digit.to_string() }).collect();
    let signs: Vec<String> = map.iter().map(|region| char::from(first + *region as u8).to_string()).collect();
    let (spaced, apart) = (pick(chance, &["", " "]), pick(chance, &["", " "]));
    let mut lines = block(chance, &cells, size, spaced);
    match chance.usize(..5) {
        0 => {}
        1 => lines.push(String::new()),
        2 => lines.push("Regions:".into()),
        3 => lines.extend([String::new(), "# regions".into()]),
        _ => lines.extend([String::new(), "Jigsaw layout".into(), String::new()]),
    }
    lines.extend(block(chance, &signs, size, apart));
    let line = grid.iter().map(|digit| if *digit == 0 { ".".into() } else { digit.to_string() }).collect();
    let end = pick(chance, &["\n", "\r\n", "\r"]);
    (line, map, lines.iter().map(|line| format!("{line}{end}")).collect())
}

#[test]
fn maps_of_regions_are_read_or_refused() {
    let mut right = 0;
    for seed in 0..500 {
        let (line, map, text) = drawing(&mut Rng::with_seed(seed));
        let size = map.len().isqrt();
        // Regions that are columns look like a solution.
        if map.chunks(size).all(|row| (1..size).all(|at| !row[..at].contains(&row[at]))) {
            continue;
        }
        let found: Vec<_> = read_many(&text, None).into_iter().flatten().collect();
        let is_right = |puzzle: &pinion::grid::formats::Puzzle| {
            let region = |at: usize| {
                puzzle.geometry.region(puzzle.geometry.cell(at / puzzle.geometry.size(), at % puzzle.geometry.size()))
            };
            let same = |a: usize, b: usize| (map[a] == map[b]) == (region(a) == region(b));
            givens_line(puzzle) == line && (1..map.len()).all(|at| (0..at).all(|other| same(at, other)))
        };
        assert!(found.is_empty() || (found.len() == 1 && is_right(&found[0])), "seed {seed}:\n{text}\n{found:?}");
        right += usize::from(!found.is_empty());
    }
    println!("{right} of 500 maps are read");
    assert!(right >= 400, "{right} of 500 maps are read");
}
