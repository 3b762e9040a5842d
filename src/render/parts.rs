//! Drawn grids cut to a width. In: a text with grids in it. Out: its lines; a grid that is too wide comes in parts, one below
//! another, each with the columns it shows.

use super::line::{Line, Role};
use std::ops::Range;

/// The lines of a text, indented, with the grids in it cut to a width.
pub fn in_parts(text: &str, indent: usize, width: Option<usize>) -> Vec<Line> {
    let all: Vec<&str> = text.lines().collect();
    let mut out = Vec::new();
    for block in all.chunk_by(|a, b| is_drawn(a) == is_drawn(b)) {
        let drawn = is_drawn(block[0]);
        match width.map(|width| width.saturating_sub(indent)).filter(|_| drawn) {
            Some(width) if columns(block) > width => out.extend(parts(block, indent, width)),
            _ => out.extend(block.iter().map(|line| Line { fixed: drawn, ..indented(line, indent) })),
        }
    }
    out
}

/// Returns true for a line of a drawn grid.
fn is_drawn(line: &str) -> bool {
    line.starts_with(['|', '+']) && line.ends_with(['|', '+'])
}

fn indented(text: &str, indent: usize) -> Line {
    Line::text(if text.is_empty() { String::new() } else { " ".repeat(indent) + text })
}

/// The columns of the longest line.
fn columns(grid: &[&str]) -> usize {
    grid.iter().map(|line| line.chars().count()).max().unwrap_or(0)
}

/// The parts of a grid: each as many boxes as fit, or if a box does not fit, as many cells.
fn parts(grid: &[&str], indent: usize, width: usize) -> Vec<Line> {
    let signs: Vec<Vec<char>> = grid.iter().map(|line| line.chars().collect()).collect();
    let end = columns(grid) - 1;
    let (mut out, mut start, mut cells) = (Vec::new(), 0, 0);
    while start < end {
        let cut = next_cut(&signs, start, width).min(end);
        let shown = cells_in(&signs, start..cut);
        let words = match shown {
            1 => format!("Column {}:", cells + 1),
            count => format!("Columns {} to {}:", cells + 1, cells + count),
        };
        out.push(Line::of(Role::Quiet, " ".repeat(indent) + &words));
        for line in &signs {
            let text: String = line.iter().skip(start).take(cut + 1 - start).collect();
            out.push(Line { fixed: true, ..indented(text.trim_end(), indent) });
        }
        (start, cells) = (cut, cells + shown);
    }
    out
}

/// The last column at which a part that begins at `start` may end: a border of all rows, or else a blank between cells.
fn next_cut(signs: &[Vec<char>], start: usize, width: usize) -> usize {
    let all = |at: usize, of: &[char]| signs.iter().all(|line| line.get(at).is_none_or(|sign| of.contains(sign)));
    let last = start + width.max(2) - 1;
    let end = signs.iter().map(Vec::len).max().unwrap_or(1) - 1;
    if last >= end {
        return end;
    }
    let mut within = (start + 1..=last).rev();
    within
        .clone()
        .find(|&at| all(at, &['|', '+']))
        .or_else(|| within.find(|&at| all(at, &[' ', '-', '|', '+']) && !all(at + 1, &[' ', '-', '|', '+'])))
        .unwrap_or(last)
}

/// Counts the cells of a row between two columns.
fn cells_in(signs: &[Vec<char>], range: Range<usize>) -> usize {
    let row = signs.iter().find(|line| line.first() == Some(&'|'));
    let text: String = row.into_iter().flatten().skip(range.start).take(range.len()).collect();
    text.split([' ', '|']).filter(|word| !word.is_empty()).count()
}
