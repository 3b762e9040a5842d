//! Tables of related values that the board alone determines. In: rows of numbers, as a program lists them. Out:
//! [`RowTable`]: the rows in order, with skip indexes.

use crate::grid::Bits;
use std::ops::Range;

/// Sorted rows, with the start of each group that shares its first number.
pub(in crate::engine) struct RowTable {
    pub width: usize,
    pub numbers: Vec<u16>,
    /// For each number of a row, the first later row that differs in this column or an earlier one.
    pub others: Vec<u32>,
    starts: Vec<u32>,
    /// The sets of cells that the rows make, one after the other, as bits.
    pub sets: Vec<u64>,
}

impl RowTable {
    /// The rows, each with the numbers of what every name stands for; the first `width` names stand for one thing each, the
    /// others for sets of cells.
    pub fn of<const W: usize>(mut rows: Vec<Vec<Vec<u16>>>, width: usize) -> RowTable {
        rows.sort_unstable();
        let first = |row: &Vec<Vec<u16>>| row.iter().flatten().next().map_or(0, |&number| usize::from(number));
        let last = rows.last().map_or(0, first);
        let starts = (0..=last + 1).map(|number| rows.partition_point(|row| first(row) < number) as u32).collect();
        let bits = |cells: &Vec<u16>| cells.iter().map(|&cell| usize::from(cell)).collect::<Bits<W>>().0;
        let sets = rows.iter().flat_map(|row| row[width..].iter().flat_map(bits)).collect();
        let numbers: Vec<u16> = rows.iter().flat_map(|row| row[..width].concat()).collect();
        let others = others(&numbers, width);
        RowTable { width, numbers, others, starts, sets }
    }

    /// Range of all rows, or of those that begin with `first`.
    pub fn range(&self, first: Option<usize>) -> Range<usize> {
        let start = |number: usize| self.starts.get(number).map_or(self.numbers.len() / self.width, |&at| at as usize);
        first.map_or(0..start(usize::MAX), |first| start(first)..start(first + 1))
    }
}

/// For each number of sorted rows, finds the first later row that differs in this column or an earlier one.
fn others(numbers: &[u16], width: usize) -> Vec<u32> {
    let count = numbers.len() / width.max(1);
    let mut others = vec![count as u32; numbers.len()];
    for at in (1..count).rev() {
        let (before, here) = (&numbers[(at - 1) * width..][..width], &numbers[at * width..][..width]);
        let same = before.iter().zip(here).take_while(|(a, b)| a == b).count();
        for column in 0..width {
            others[(at - 1) * width + column] = if column < same { others[at * width + column] } else { at as u32 };
        }
    }
    others
}
