//! Rows of a table that is filled once for a board. In: a [`RowsSpec`] and, for each search, what its names can be. Out: the
//! rows that fit, one by one.

use super::super::matches::{LimitHit, Limits, Value};
use super::super::plan::{Column, Reg, RowsSpec, Set};
use super::{Machine, SearchContext, run};
use crate::engine::tables::board::RowTable;
use crate::grid::Bits;

/// Larger tables are not kept.
const MOST_ROWS: usize = 200_000;

/// Lists all rows on a board where nothing is placed; `None` where there are too many.
pub(in crate::engine) fn list<const W: usize>(spec: &RowsSpec, context: &SearchContext<'_, W>) -> Option<RowTable> {
    let limits = Limits { matches: MOST_ROWS, ..Limits::default() };
    let mut rows: Vec<Vec<Vec<u16>>> = Vec::new();
    let hit = run(&spec.program, context, &limits, &mut |report| {
        rows.push(report.bindings.iter().map(numbers).collect());
        rows.len() < MOST_ROWS
    });
    let whole = !hit.contains(&LimitHit::Instructions) && rows.len() < MOST_ROWS;
    whole.then(|| RowTable::new::<W>(rows, spec.columns.len()))
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
        self.rows[rows] = self.context.rows.get(rows).map_or(0..0, |table| table.range(first));
    }

    /// Goes on to the next row in which every name is what it can be; `false` where there is none.
    pub(super) fn next_row(&mut self, rows: usize, to: &[(Reg, Set)], sets: &[Reg]) -> bool {
        let Some(table) = self.context.rows.get(rows) else { return false };
        let columns = &self.program.rows[rows].columns;
        while !self.rows[rows].is_empty() {
            self.budget = self.budget.saturating_sub(1);
            let at = self.rows[rows].start;
            let row = &table.numbers[at * table.width..][..table.width];
            let misfit = columns.iter().zip(row).position(|(column, &number)| !self.fits(*column, number.into()));
            // Rows that begin with the same numbers fit no better.
            self.rows[rows].start =
                misfit.map_or(at + 1, |column| table.next_different[at * table.width + column] as usize);
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
