//! Random puzzles with a map of irregular regions below them. Each is read with these regions or refused.

use super::pick;
use fastrand::Rng;
use pinion::grid::Cell;
use pinion::grid::draw::givens_line;
use pinion::grid::formats::{Puzzle, read_many};

const SIZES: [(usize, usize, usize); 4] = [(4, 2, 2), (6, 2, 3), (8, 2, 4), (9, 3, 3)];

/// The region number of each cell. The regions are boxes that have exchanged cells, and each is connected.
fn regions(random: &mut Rng, (size, height, width): (usize, usize, usize)) -> Vec<usize> {
    let mut map: Vec<usize> =
        (0..size * size).map(|at| at / size / height * (size / width) + at % size / width).collect();
    for _ in 0..400 {
        let (a, b) = (random.usize(..map.len()), random.usize(..map.len()));
        map.swap(a, b);
        let is_valid = is_connected(&map, map[a], size) && is_connected(&map, map[b], size);
        if !is_valid {
            map.swap(a, b);
        }
    }
    map
}

fn is_connected(map: &[usize], region: usize, size: usize) -> bool {
    let cells: Vec<usize> = (0..map.len()).filter(|&at| map[at] == region).collect();
    let (mut seen, mut work_list) = (vec![cells[0]], vec![cells[0]]);
    while let Some(at) = work_list.pop() {
        for &other in &cells {
            let distance = (at / size).abs_diff(other / size) + (at % size).abs_diff(other % size);
            if distance == 1 && !seen.contains(&other) {
                seen.push(other);
                work_list.push(other);
            }
        }
    }
    seen.len() == cells.len()
}

/// Random clues, 0 for an empty cell. No row, column or region has a digit twice.
fn clues(random: &mut Rng, map: &[usize], size: usize) -> Vec<usize> {
    let mut grid = vec![0; map.len()];
    for at in 0..map.len() {
        let digit = random.usize(1..=size);
        let sees = |other: usize| other / size == at / size || other % size == at % size || map[other] == map[at];
        let is_free = (0..map.len()).all(|other| grid[other] != digit || !sees(other));
        if is_free && random.usize(..3) == 0 {
            grid[at] = digit;
        }
    }
    grid
}

/// The symbols of the cells, one row a line or all on one line.
fn rows_or_line(random: &mut Rng, symbols: &[String], size: usize, between: &str) -> Vec<String> {
    if random.usize(..4) == 0 {
        return vec![symbols.concat()];
    }
    symbols.chunks(size).map(|row| row.join(between)).collect()
}

/// The clues of a puzzle on one line, the region number of each cell, and the text with puzzle and map.
fn random_drawing(random: &mut Rng) -> (String, Vec<usize>, String) {
    let shape = pick(random, &SIZES);
    let size = shape.0;
    let (map, empty) = (regions(random, shape), pick(random, &[".", "0", "_", "*"]));
    let grid = clues(random, &map, size);
    let first_region = pick(random, b"1Aa");
    let cells: Vec<String> =
        grid.iter().map(|digit| if *digit == 0 { empty.into() } else { digit.to_string() }).collect();
    let symbols: Vec<String> = map.iter().map(|region| char::from(first_region + *region as u8).to_string()).collect();
    let (cell_gap, region_gap) = (pick(random, &["", " "]), pick(random, &["", " "]));
    let mut lines = rows_or_line(random, &cells, size, cell_gap);
    match random.usize(..5) {
        0 => {}
        1 => lines.push(String::new()),
        2 => lines.push("Regions:".into()),
        3 => lines.extend([String::new(), "# regions".into()]),
        _ => lines.extend([String::new(), "Jigsaw layout".into(), String::new()]),
    }
    lines.extend(rows_or_line(random, &symbols, size, region_gap));
    let line = grid.iter().map(|digit| if *digit == 0 { ".".into() } else { digit.to_string() }).collect();
    let line_end = pick(random, &["\n", "\r\n", "\r"]);
    (line, map, lines.iter().map(|line| format!("{line}{line_end}")).collect())
}

#[test]
fn puzzles_with_maps_of_regions_are_read_or_refused() {
    let mut read_count = 0;
    for seed in 0..500 {
        let (line, map, text) = random_drawing(&mut Rng::with_seed(seed));
        let size = map.len().isqrt();
        // A map in which each row has every region looks like a solution.
        if map.chunks(size).all(|row| (1..size).all(|at| !row[..at].contains(&row[at]))) {
            continue;
        }
        let puzzles: Vec<_> = read_many(&text, None).into_iter().flatten().collect();
        let is_faithful = |puzzle: &Puzzle| {
            let region = |at: usize| puzzle.geometry.region(Cell(at as u16));
            let agrees = |a: usize, b: usize| (map[a] == map[b]) == (region(a) == region(b));
            givens_line(puzzle) == line && (1..map.len()).all(|at| (0..at).all(|other| agrees(at, other)))
        };
        assert!(
            puzzles.is_empty() || (puzzles.len() == 1 && is_faithful(&puzzles[0])),
            "seed {seed}:\n{text}\n{puzzles:?}"
        );
        read_count += usize::from(!puzzles.is_empty());
    }
    println!("{read_count} of 500 maps are read");
    assert!(read_count >= 400, "{read_count} of 500 maps are read");
}
