//! The canonical form ("minlex") of a puzzle. In: clues on a board with boxes. Out: the lexicographically smallest equivalent puzzle.
//!
//! Equivalent puzzles become equal by transposition, by relabelling the digits, and by permutations of bands, of the rows in a band, of
//! stacks and of the columns in a stack. Puzzles are compared row by row; an empty cell comes before 1, and 1
//! before 2. The search extends arrangements by one row at a time and keeps only the arrangements whose rows are smallest.

use super::geometry::{BoardSpec, Geometry};
use super::ids::Digit;
use super::notation;
use std::cmp::Ordering;

/// Error for a board whose puzzles have no canonical form. Contains the name of the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no canonical form on the board {}: boards of {} have one, with boxes of any shape, without extra houses, \
     and without cells that see each other outside of houses",
    .0, boards_with_canonical_form()
)]
pub struct NoCanonicalForm(String);

fn boards_with_canonical_form() -> String {
    let sizes = BoardSpec::standard_sizes().filter(|size| *size <= LARGEST);
    notation::join_with_and(&sizes.map(|size| format!("{size}×{size}")).collect::<Vec<_>>())
}

/// Largest board size. Larger boards have too many orders of columns to try.
const LARGEST: usize = 9;

/// Returns the canonical form of the clues, row by row.
///
/// # Errors
/// If the board has more than 9 rows, no boxes, extra houses, or cells that see each other outside of houses.
pub fn canonical(geometry: &Geometry, clues: &[Option<Digit>]) -> Result<Vec<Option<Digit>>, NoCanonicalForm> {
    let spec = geometry.spec();
    let size = spec.size;
    let no_form = NoCanonicalForm(spec.name.clone());
    if size > LARGEST || !spec.extra.is_empty() || !spec.sees.is_empty() {
        return Err(no_form);
    }
    let (height, width) = spec.boxes().ok_or(no_form)?;
    let cells: Vec<u8> = clues.iter().map(|clue| clue.map_or(0, |digit| digit.0 + 1)).collect();
    let mut grids = vec![ClueGrid { cells, size, height, width }];
    // A transposed grid has boxes of the same shape only if they are square.
    if height == width {
        grids.push(grids[0].transposed());
    }
    let mut numbers = Vec::with_capacity(size * size);
    let mut arrangements: Vec<Arrangement> = grids.iter().flat_map(Arrangement::without_rows).collect();
    for _ in 0..size {
        let row = smallest_row(&mut arrangements);
        numbers.extend(row);
    }
    Ok(numbers.into_iter().map(|number: u8| number.checked_sub(1).map(Digit)).collect())
}

/// Extends each arrangement by every possible next row, keeps the arrangements whose new row is smallest, and returns that row.
fn smallest_row(arrangements: &mut Vec<Arrangement<'_>>) -> Vec<u8> {
    let mut best: Vec<u8> = Vec::new();
    let mut extended = Vec::new();
    for arrangement in arrangements.iter() {
        for row in arrangement.next_rows() {
            let (numbers, longer) = arrangement.with_row(row);
            let order = if best.is_empty() { Ordering::Less } else { numbers.cmp(&best) };
            match order {
                Ordering::Less => (best, extended) = (numbers, vec![longer]),
                Ordering::Equal => extended.push(longer),
                Ordering::Greater => {}
            }
        }
    }
    *arrangements = extended;
    best
}

struct ClueGrid {
    /// Digit of each cell from one, row by row; 0 for an empty cell.
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

    /// Returns every order of the columns that keeps stacks together. Empty columns of a stack keep their relative order, because
    /// exchanging empty columns changes nothing. Empty stacks keep their relative order for the same reason.
    fn column_orders(&self) -> Vec<Vec<usize>> {
        let stacks: Vec<Vec<usize>> =
            (0..self.size / self.width).map(|stack| (stack * self.width..(stack + 1) * self.width).collect()).collect();
        let is_empty_stack = |stack: usize| stacks[stack].iter().all(|&column| self.is_empty_column(column));
        let stack_numbers: Vec<usize> = (0..stacks.len()).collect();
        let mut orders = Vec::new();
        for stack_order in permutations(&stack_numbers, &is_empty_stack) {
            let mut prefixes: Vec<Vec<usize>> = vec![Vec::new()];
            for stack in stack_order {
                let in_stack = permutations(&stacks[stack], &|column| self.is_empty_column(column));
                prefixes = prefixes
                    .iter()
                    .flat_map(|prefix| in_stack.iter().map(move |columns| [&prefix[..], columns].concat()))
                    .collect();
            }
            orders.extend(prefixes);
        }
        orders
    }
}

/// Returns the permutations in which the items with a true `keeps_order` stay in their relative order.
fn permutations(items: &[usize], keeps_order: &dyn Fn(usize) -> bool) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let first_kept = items.iter().position(|&item| keeps_order(item));
    let mut orders = Vec::new();
    for (at, &item) in items.iter().enumerate() {
        if keeps_order(item) && first_kept != Some(at) {
            continue;
        }
        let remaining: Vec<usize> = items.iter().copied().filter(|&other| other != item).collect();
        orders.extend(permutations(&remaining, keeps_order).into_iter().map(|tail| [vec![item], tail].concat()));
    }
    orders
}

/// An order of the columns and of some rows, with new labels of the digits in these rows.
#[derive(Clone)]
struct Arrangement<'g> {
    grid: &'g ClueGrid,
    columns: Vec<usize>,
    /// The rows chosen so far, in their new order.
    rows: Vec<usize>,
    /// New digit of each digit, both from one; 0 if none is assigned yet.
    labels: [u8; LARGEST + 1],
    label_count: u8,
}

impl<'g> Arrangement<'g> {
    /// Returns one arrangement without rows for each order of the columns.
    fn without_rows(grid: &'g ClueGrid) -> Vec<Arrangement<'g>> {
        let labels = [0; LARGEST + 1];
        let orders = grid.column_orders().into_iter();
        orders.map(|columns| Arrangement { grid, columns, rows: Vec::new(), labels, label_count: 0 }).collect()
    }

    /// Returns the rows that may come next: the remaining rows of an unfinished band, otherwise all rows of unused bands. Empty rows
    /// of a band give equal grids, so only the first is returned. For the same reason, only one row of all empty bands is returned.
    fn next_rows(&self) -> Vec<usize> {
        let height = self.grid.height;
        let band_of = |row: usize| row / height;
        let unfinished_band = match self.rows.last() {
            Some(&row) if !self.rows.len().is_multiple_of(height) => Some(band_of(row)),
            _ => None,
        };
        let is_empty_band = |band: usize| (band * height..(band + 1) * height).all(|row| self.grid.is_empty_row(row));
        let mut next_rows: Vec<usize> = Vec::new();
        for row in (0..self.grid.size).filter(|row| !self.rows.contains(row)) {
            let band = band_of(row);
            let is_possible = match unfinished_band {
                Some(unfinished) => band == unfinished,
                None => self.rows.iter().all(|&used| band_of(used) != band),
            };
            let is_duplicate = self.grid.is_empty_row(row)
                && next_rows.iter().any(|&other| {
                    let is_same_band = band_of(other) == band && self.grid.is_empty_row(other);
                    is_same_band || is_empty_band(band) && is_empty_band(band_of(other))
                });
            if is_possible && !is_duplicate {
                next_rows.push(row);
            }
        }
        next_rows
    }

    /// Returns the numbers of a row after relabelling, and the arrangement with that row appended.
    fn with_row(&self, row: usize) -> (Vec<u8>, Arrangement<'g>) {
        let mut longer = self.clone();
        longer.rows.push(row);
        let cells = self.grid.row(row);
        let mut numbers = Vec::with_capacity(cells.len());
        for &column in &self.columns {
            let number = cells[column] as usize;
            if number > 0 && longer.labels[number] == 0 {
                longer.label_count += 1;
                longer.labels[number] = longer.label_count;
            }
            numbers.push(longer.labels[number]);
        }
        (numbers, longer)
    }
}
