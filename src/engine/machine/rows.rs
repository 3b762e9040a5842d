//! Rows of a table that is filled once for a board. In: a [`RowsSpec`] and, for each search, what its names can be. Out: the
//! rows that fit, one by one.

use super::super::matches::{LimitHit, Limits, Value};
use super::super::plan::{Column, Reg, RowsSpec, Set};
use super::{Board, Machine, run};
use crate::grid::Bits;
use std::ops::Range;

/// Larger tables are not kept.
const MOST_ROWS: usize = 200_000;

/// The rows, sorted, and where those begin that have a number in the first column.
pub(in crate::engine) struct RowTable {
    width: usize,
    numbers: Vec<u16>,
    /// For each number of a row the first row after it in which this number or one before it is another.
    others: Vec<u32>,
    starts: Vec<u32>,
    /// The sets of cells that the rows make, one after the other, as bits.
    sets: Vec<u64>,
}

impl RowTable {
    /// Lists all rows on a board where nothing is placed; `None` where there are too many.
    pub fn new<const W: usize>(spec: &RowsSpec, board: &Board<'_, W>) -> Option<RowTable> {
        let limits = Limits { matches: MOST_ROWS, ..Limits::default() };
        let width = spec.columns.len();
        let mut rows: Vec<Vec<Vec<u16>>> = Vec::new();
        let hit = run(&spec.program, board, &limits, &mut |report| {
            rows.push(report.bindings.iter().map(numbers).collect());
            rows.len() < MOST_ROWS
        });
        if hit.contains(&LimitHit::Instructions) || rows.len() >= MOST_ROWS {
            return None;
        }
        rows.sort_unstable();
        let first = |row: &Vec<Vec<u16>>| row.iter().flatten().next().map_or(0, |&number| usize::from(number));
        let last = rows.last().map_or(0, first);
        let starts = (0..=last + 1).map(|number| rows.partition_point(|row| first(row) < number) as u32).collect();
        let bits = |cells: &Vec<u16>| cells.iter().map(|&cell| usize::from(cell)).collect::<Bits<W>>().0;
        let sets = rows.iter().flat_map(|row| row[width..].iter().flat_map(bits)).collect();
        let numbers: Vec<u16> = rows.iter().flat_map(|row| row[..width].concat()).collect();
        let others = others(&numbers, width);
        Some(RowTable { width, numbers, others, starts, sets })
    }

    /// All rows, or those with a number in the first column.
    fn range(&self, first: Option<usize>) -> Range<usize> {
        let start = |number: usize| self.starts.get(number).map_or(self.numbers.len() / self.width, |&at| at as usize);
        first.map_or(0..start(usize::MAX), |first| start(first)..start(first + 1))
    }
}

/// For each number of sorted rows the first row after it in which this number or one before it is another.
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

/// The numbers of what a name stands for.
fn numbers(value: &Option<Value>) -> Vec<u16> {
    match value {
        Some(Value::Cells(cells)) => cells.iter().map(|cell| cell.0).collect(),
        Some(Value::Houses(houses)) => houses.iter().map(|house| house.0).collect(),
        _ => Vec::new(),
    }
}

impl<const W: usize> Machine<'_, W> {
    /// Starts a choice of rows.
    pub(super) fn start_rows(&mut self, rows: usize) {
        let first = match self.program.rows[rows].columns.first() {
            Some(Column::Known(value)) => Some(self.regs.v(*value)),
            _ => None,
        };
        self.rows[rows] = self.board.rows.get(rows).map_or(0..0, |table| table.range(first));
    }

    /// Goes on to the next row in which every name is what it can be; `false` where there is none.
    pub(super) fn next_row(&mut self, rows: usize, to: &[(Reg, Set)], sets: &[Reg]) -> bool {
        let Some(table) = self.board.rows.get(rows) else { return false };
        let columns = &self.program.rows[rows].columns;
        while !self.rows[rows].is_empty() {
            self.budget = self.budget.saturating_sub(1);
            let at = self.rows[rows].start;
            let row = &table.numbers[at * table.width..][..table.width];
            let misfit = columns.iter().zip(row).position(|(column, &number)| !self.fits(*column, number.into()));
            // Rows that begin with the same numbers fit no better.
            self.rows[rows].start = misfit.map_or(at + 1, |column| table.others[at * table.width + column] as usize);
            if misfit.is_none() {
                let chosen = &row[columns.len() - to.len()..];
                for (&(value, one), &number) in to.iter().zip(chosen) {
                    self.regs.values[usize::from(value)] = number;
                    self.regs.set_one(one, number.into());
                }
                let (made, _) = table.sets[at * sets.len() * W..].as_chunks();
                for (&set, &cells) in sets.iter().zip(made) {
                    self.regs.cells[usize::from(set)] = Bits(cells);
                }
                return true;
            }
        }
        false
    }

    #[inline]
    fn fits(&self, column: Column, number: usize) -> bool {
        match column {
            Column::Known(value) => self.regs.v(value) == number,
            Column::Chosen(Set::C(from)) => self.regs.c(from).has(number),
            Column::Chosen(Set::H(from)) => self.regs.h(from).has(number),
            Column::Chosen(_) => false,
        }
    }
}
