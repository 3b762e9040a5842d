//! Tables of numbers. In: a heading and rows. Out: a table for people, or lines of comma separated values.

use super::output::Output;
use crate::grid::formats::csv_field;
use crate::render::signs::visible;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};
use std::io;

/// A table; every column but the first holds numbers.
pub struct Sheet {
    head: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Sheet {
    /// With these headings.
    pub fn new(head: &[&'static str]) -> Sheet {
        Sheet { head: head.to_vec(), rows: Vec::new() }
    }

    /// One row more.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Writes it, as comma separated values or for people.
    pub fn tell(&self, csv: bool, out: &mut Output) -> io::Result<()> {
        if csv {
            let heads = self.head.iter().map(|word| word.to_string()).collect();
            let lines = std::iter::once(&heads).chain(&self.rows);
            return lines.map(|cells: &Vec<String>| csv_line(cells)).try_for_each(|line| out.data(&line));
        }
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(self.head.clone());
        self.rows.iter().for_each(|row| {
            table.add_row(row.iter().map(|cell| visible(cell)));
        });
        if let Some(first) = table.column_mut(0) {
            // Long names are broken between their words where the terminal is narrow.
            let any_width = ColumnConstraint::LowerBoundary(Width::Fixed(1));
            first.set_padding((0, 1)).set_delimiter('_').set_constraint(any_width);
        }
        table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
        table_to(&mut table, out)
    }
}

/// Writes a table; on a terminal not wider than that.
pub fn table_to(table: &mut Table, out: &mut Output) -> io::Result<()> {
    if let Some(width) = out.width() {
        whole_words(table);
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width.min(usize::from(u16::MAX)) as u16);
    }
    table.to_string().lines().try_for_each(|line| out.text(line.trim_end()))
}

/// Columns of words without blanks are as wide as their words: nothing is broken inside of a word.
fn whole_words(table: &mut Table) {
    let broken: Vec<bool> = (0..table.column_count())
        .map(|at| table.row_iter().filter_map(|row| row.cell_iter().nth(at)).any(|cell| cell.content().contains(' ')))
        .collect();
    for (column, broken) in table.column_iter_mut().zip(broken) {
        if !broken && column.constraint().is_none() {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
}

fn csv_line(cells: &[String]) -> String {
    // Numbers and the dash of an empty cell are no formulas.
    let field = |cell: &String| match cell.as_str() {
        "-" => cell.clone(),
        _ if cell.parse::<f64>().is_ok() => cell.clone(),
        _ => csv_field(cell),
    };
    cells.iter().map(field).collect::<Vec<_>>().join(",")
}
