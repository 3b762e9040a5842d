//! One form for all puzzles that are the same but for order and names. In: clues on a board of boxes. Out: the least puzzle
//! that bands, rows of a band, stacks, columns of a stack, transposing and relabelling make of it.
//!
//! Least is meant row by row, an empty cell before 1, 1 before 2: the form that is known as "minlex". Arrangements are
//! compared one row at a time, and only those whose rows so far are least are followed.

use super::geometry::{BoardSpec, Geometry};
use super::ids::Digit;
use super::notation;
use std::cmp::Ordering;
use std::fmt;

/// Why a board has no canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoCanonicalForm(String);

impl fmt::Display for NoCanonicalForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = BoardSpec::standard_sizes().filter(|size| *size <= LARGEST);
        let boards = notation::and(&sizes.map(|size| format!("{size}×{size}")).collect::<Vec<_>>());
        let name = &self.0;
        write!(
            f,
            "there is no canonical form on the board {name}: boards of {boards} have one, with boxes of any shape, \
             and without further houses or moves"
        )
    }
}

/// The largest board: on larger ones there are too many orders of columns.
const LARGEST: usize = 9;

/// Returns the canonical form of the clues, row by row.
///
/// # Errors
/// If the board has more than 9 rows, no boxes, further houses or further pairs of cells that see each other.
pub fn canonical(geometry: &Geometry, clues: &[Option<Digit>]) -> Result<Vec<Option<Digit>>, NoCanonicalForm> {
    let spec = geometry.spec();
    let boxes = spec.boxes().filter(|_| spec.size <= LARGEST && spec.extra.is_empty() && spec.sees.is_empty());
    let (height, width) = boxes.ok_or_else(|| NoCanonicalForm(spec.name.clone()))?;
    let size = spec.size;
    let cells: Vec<u8> = clues.iter().map(|clue| clue.map_or(0, |digit| digit.0 + 1)).collect();
    let mut grids = vec![ClueGrid { cells, size, height, width }];
    if height == width {
        grids.push(grids[0].transposed());
    }
    let mut least = Vec::with_capacity(size * size);
    let mut open: Vec<Arrangement> = grids.iter().flat_map(Arrangement::beginnings).collect();
    for _ in 0..size {
        let row = least_row(&mut open);
        least.extend(row);
    }
    Ok(least.into_iter().map(|number: u8| number.checked_sub(1).map(Digit)).collect())
}

/// Extends arrangements by a row, keeps those whose row is least, and returns the row.
fn least_row(open: &mut Vec<Arrangement<'_>>) -> Vec<u8> {
    let mut best: Vec<u8> = Vec::new();
    let mut next = Vec::new();
    for one in open.iter() {
        for row in one.next_rows() {
            let (numbers, extended) = one.with(row);
            match if best.is_empty() { Ordering::Less } else { numbers.cmp(&best) } {
                Ordering::Less => (best, next) = (numbers, vec![extended]),
                Ordering::Equal => next.push(extended),
                Ordering::Greater => {}
            }
        }
    }
    *open = next;
    best
}

/// Clues as numbers, 0 for none.
struct ClueGrid {
    cells: Vec<u8>,
    size: usize,
    /// Rows of a box.
    height: usize,
    /// Columns of a box.
    width: usize,
}

impl ClueGrid {
    fn transposed(&self) -> ClueGrid {
        let cells =
            (0..self.cells.len()).map(|at: usize| self.cells[at % self.size * self.size + at / self.size]).collect();
        ClueGrid { cells, size: self.size, height: self.width, width: self.height }
    }

    fn row(&self, row: usize) -> &[u8] {
        &self.cells[row * self.size..(row + 1) * self.size]
    }

    fn is_empty_row(&self, row: usize) -> bool {
        self.row(row).iter().all(|&number| number == 0)
    }

    fn is_empty_column(&self, column: usize) -> bool {
        (0..self.size).all(|row| self.row(row)[column] == 0)
    }

    /// Returns every order of the columns that keeps stacks together. Empty columns keep their order, and so do empty
    /// stacks: to exchange them changes nothing.
    fn column_orders(&self) -> Vec<Vec<usize>> {
        let stacks: Vec<Vec<usize>> =
            (0..self.size / self.width).map(|stack| (stack * self.width..(stack + 1) * self.width).collect()).collect();
        let order: Vec<usize> = (0..stacks.len()).collect();
        let mut out = Vec::new();
        for order in permutations(&order, &|stack| stacks[stack].iter().all(|&column| self.is_empty_column(column))) {
            let mut lists: Vec<Vec<usize>> = vec![Vec::new()];
            for stack in order {
                let inner = permutations(&stacks[stack], &|column| self.is_empty_column(column));
                lists =
                    lists.iter().flat_map(|list| inner.iter().map(move |more| [&list[..], more].concat())).collect();
            }
            out.extend(lists);
        }
        out
    }
}

/// Returns the orders of some items in which those for which `keeps_order` is true keep theirs.
fn permutations(items: &[usize], keeps_order: &dyn Fn(usize) -> bool) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let first_kept = items.iter().position(|&item| keeps_order(item));
    let mut out = Vec::new();
    for (at, &item) in items.iter().enumerate() {
        if keeps_order(item) && first_kept != Some(at) {
            continue;
        }
        let rest: Vec<usize> = items.iter().copied().filter(|&other| other != item).collect();
        out.extend(permutations(&rest, keeps_order).into_iter().map(|tail| [vec![item], tail].concat()));
    }
    out
}

/// An order of columns, and of rows as far as they are chosen.
#[derive(Clone)]
struct Arrangement<'g> {
    grid: &'g ClueGrid,
    columns: Vec<usize>,
    /// Rows so far.
    rows: Vec<usize>,
    /// New number of each number, 0 if it has none yet.
    labels: [u8; LARGEST + 1],
    used: u8,
}

impl<'g> Arrangement<'g> {
    /// Returns the arrangements of a grid without a row.
    fn beginnings(grid: &'g ClueGrid) -> Vec<Arrangement<'g>> {
        let orders = grid.column_orders().into_iter();
        let beginnings =
            orders.map(|columns| Arrangement { grid, columns, rows: Vec::new(), labels: [0; LARGEST + 1], used: 0 });
        beginnings.collect()
    }

    /// Returns the rows that may come next: of this band, or of any other once it is full. Of empty rows of a band, and of
    /// empty bands, one stands for all.
    fn next_rows(&self) -> Vec<usize> {
        let height = self.grid.height;
        let current = self.rows.last().filter(|_| !self.rows.len().is_multiple_of(height)).map(|row| row / height);
        let mut empty_bands = Vec::new();
        let mut out: Vec<usize> = Vec::new();
        for row in (0..self.grid.size).filter(|row| !self.rows.contains(row)) {
            let own = row / height;
            let fits = current.map_or_else(|| self.rows.iter().all(|row| row / height != own), |band| band == own);
            let is_empty = self.grid.is_empty_row(row);
            if !fits || (is_empty && out.iter().any(|&other| other / height == own && self.grid.is_empty_row(other))) {
                continue;
            }
            let is_empty_band = is_empty && (own * height..(own + 1) * height).all(|row| self.grid.is_empty_row(row));
            if is_empty_band && current.is_none() {
                empty_bands.push(row);
            }
            if !is_empty_band || current.is_some() || empty_bands.len() == 1 {
                out.push(row);
            }
        }
        out
    }

    /// Returns the arrangement with one more row, and the numbers of that row.
    fn with(&self, row: usize) -> (Vec<u8>, Arrangement<'g>) {
        let mut out = self.clone();
        out.rows.push(row);
        let cells = self.grid.row(row);
        let mut numbers = Vec::with_capacity(cells.len());
        for &column in &self.columns {
            let number = cells[column] as usize;
            if number > 0 && out.labels[number] == 0 {
                out.used += 1;
                out.labels[number] = out.used;
            }
            numbers.push(out.labels[number]);
        }
        (numbers, out)
    }
}
