//! Rows of a table that is filled once for a board. In: a [`RowsSpec`] and, for each search, what its names can be. Out: the
//! rows that fit, one by one.

use super::super::matches::{LimitHit, Limits, Value};
use super::super::plan::{Column, Reg, RowsSpec, Set};
use super::super::rows::{set as set_bit, take as take_bits, words_for};
use super::{Board, Machine, run};
use crate::grid::Bits;
use std::ops::Range;

/// Larger tables are not kept.
const MOST_ROWS: usize = 200_000;

/// The rows, sorted, and where those begin that have a number in the first column.
pub(in crate::engine) struct RowTable {
    width: usize,
    numbers: Vec<u16>,
    starts: Vec<u32>,
    /// The cells of the sets that the rows make, one after the other, and where each ends.
    cells: Vec<u16>,
    ends: Vec<u32>,
    /// For each cell the rows whose set has it that must lie in some cells, as bits; none where there is no such set.
    having: Vec<Bitrow>,
}

/// Rows as bits, by their number.
type Bitrow = Vec<u64>;

/// The rows that are left to look at.
#[derive(Clone)]
pub(super) enum Left {
    Range(Range<usize>),
    Bits(Bitrow),
}

impl Left {
    fn next(&mut self) -> Option<usize> {
        match self {
            Left::Range(range) => range.next(),
            Left::Bits(row) => {
                let at = row.iter().position(|&word| word != 0)?;
                let bit = row[at].trailing_zeros() as usize;
                row[at] &= row[at] - 1;
                Some(at * 64 + bit)
            }
        }
    }
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
        let cells: Vec<u16> = rows.iter().flat_map(|row| row[width..].concat()).collect();
        let lengths = rows.iter().flat_map(|row| row[width..].iter().map(Vec::len));
        let ends = lengths.scan(0, |end, length| {
            *end += length as u32;
            Some(*end)
        });
        let ends = std::iter::once(0).chain(ends).collect();
        let numbers = rows.iter().flat_map(|row| row[..width].concat()).collect();
        let mut having = Vec::new();
        if let Some((set, _)) = spec.within {
            having.resize(board.tables.cell_count, vec![0; words_for(rows.len())]);
            for (at, row) in rows.iter().enumerate() {
                row[width + set].iter().for_each(|&cell| set_bit(&mut having[usize::from(cell)], at));
            }
        }
        Some(RowTable { width, numbers, starts, cells, ends, having })
    }

    /// Those of some rows whose set lies in these cells.
    fn lying<const W: usize>(&self, range: Range<usize>, within: &Bits<W>) -> Bitrow {
        let mut row = vec![0; self.having.first().map_or(0, Vec::len)];
        range.for_each(|at| set_bit(&mut row, at));
        for (_, having) in self.having.iter().enumerate().filter(|(cell, _)| !within.has(*cell)) {
            take_bits(&mut row, having);
        }
        row
    }

    /// All rows, or those with a number in the first column.
    fn range(&self, first: Option<usize>) -> Range<usize> {
        let start = |number: usize| self.starts.get(number).map_or(self.numbers.len() / self.width, |&at| at as usize);
        first.map_or(0..start(usize::MAX), |first| start(first)..start(first + 1))
    }
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
        let left = |table: &RowTable| match self.program.rows[rows].within {
            None => Left::Range(table.range(first)),
            Some((_, cells)) => Left::Bits(table.lying(table.range(first), self.regs.c(cells))),
        };
        self.rows[rows] = self.board.rows.get(rows).map_or(Left::Range(0..0), left);
    }

    /// Goes on to the next row in which every name is what it can be; `false` where there is none.
    pub(super) fn next_row(&mut self, rows: usize, to: &[(Reg, Set)], sets: &[Reg]) -> bool {
        let Some(table) = self.board.rows.get(rows) else { return false };
        let columns = &self.program.rows[rows].columns;
        while let Some(at) = self.rows[rows].next() {
            self.budget = self.budget.saturating_sub(1);
            let row = &table.numbers[at * table.width..][..table.width];
            if columns.iter().zip(row).all(|(column, &number)| self.fits(*column, number.into())) {
                let chosen = &row[columns.len() - to.len()..];
                for (&(value, one), &number) in to.iter().zip(chosen) {
                    self.regs.values[usize::from(value)] = number;
                    self.regs.set_one(one, number.into());
                }
                for (number, &set) in sets.iter().enumerate() {
                    let ends = &table.ends[at * sets.len() + number..];
                    let cells = &table.cells[ends[0] as usize..ends[1] as usize];
                    self.regs.cells[usize::from(set)] = cells.iter().map(|&cell| usize::from(cell)).collect();
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
