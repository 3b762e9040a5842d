//! Finds irregular regions in the borders of a drawing. In: the lines of a drawing. Out: [`DrawnRegions`].
//!
//! A region is what a flood fill from one of its cells reaches: the fill stops at the characters of bars and borders. In a drawing with
//! borders around every cell, only heavy and double lines part regions.

use super::boards::{are_usual_boxes, is_region_map, region_numbers, region_symbols};
use super::columns::is_bar;
use super::drawing::{MAX_ROWS, fields_of};
use super::lines::{TextLine, TextRow, is_line_or_corner, rows_from};
use crate::grid::geometry::box_numbers;
use rustc_hash::FxHashMap;

/// A line of the text, and a column. Columns count from one.
type Place = (usize, usize);

/// Maximum size of a drawing: its lines times the bytes of the longest line. A 25×25 grid of candidates has at most 450,000.
const MAX_SIZE: usize = 500_000;

/// The borders of a drawing. There is one more column on the left and one on the right of the text.
struct BorderMap {
    /// For each line and column, true if a border is drawn there.
    is_border: Vec<Vec<bool>>,
}

pub(super) enum DrawnRegions {
    /// The usual boxes, or none.
    Usual,
    /// Other regions: one symbol for each cell, row by row.
    Irregular(String),
    /// Bars that differ between rows and do not enclose regions.
    Unclear,
}

/// Finds the regions of a drawing. Without horizontal borders, bars between every k columns show boxes that are k columns wide.
pub(super) fn drawn_regions(lines: &[TextLine]) -> DrawnRegions {
    let is_too_large = lines.iter().any(|line| line.len() * lines.len() > MAX_SIZE);
    if is_too_large || !lines.iter().any(|line| line.contains(is_line)) {
        return DrawnRegions::Usual;
    }
    let rows: Vec<TextRow> = rows_from(lines, 0).into_iter().filter(|row| !row.groups.is_empty()).collect();
    if rows.len() > MAX_ROWS {
        return DrawnRegions::Usual;
    }
    let is_compact = rows.iter().all(|row| row.width() == rows.len());
    let columns: Vec<Vec<usize>> = rows.iter().map(|row| columns_of_cells(row, rows.len(), is_compact)).collect();
    // In an aligned drawing, empty cells may be blanks below or above other cells.
    let mut all_columns = columns.concat();
    all_columns.sort_unstable();
    all_columns.dedup();
    let columns = if all_columns.len() == rows.len() { vec![all_columns; rows.len()] } else { columns };
    for is_border in [is_line as fn(char) -> bool, is_heavy_line] {
        for has_frame in [true, false] {
            let map = BorderMap::new(lines, &rows, is_border, has_frame);
            let Some(areas) = map.areas(&rows, &columns) else { continue };
            let symbols = boxes_between_bars(&areas).unwrap_or_else(|| region_symbols(&areas));
            if is_irregular(&symbols) {
                return DrawnRegions::Irregular(symbols);
            }
        }
    }
    let is_unclear = has_uneven_bars(&rows, is_bar) || has_uneven_bars(&rows, |c| is_bar(c) && is_heavy_line(c));
    if is_unclear { DrawnRegions::Unclear } else { DrawnRegions::Usual }
}

/// Returns true if two numbers of bars each occur in several rows with bars. A single row may be a header, or drawn carelessly.
fn has_uneven_bars(rows: &[TextRow], is_counted_bar: fn(char) -> bool) -> bool {
    let bar_count = |row: &TextRow| row.text.chars().filter(|&symbol| is_counted_bar(symbol)).count();
    let mut counts: Vec<usize> = rows.iter().map(bar_count).filter(|&count| count > 0).collect();
    counts.sort_unstable();
    counts.chunk_by(|a, b| a == b).filter(|rows| rows.len() > 1).count() > 1
}

/// Returns a column of each cell of a row. In a compact drawing, each character is a cell. Otherwise a cell is a group of characters or, if
/// there are n fields inside of a frame, a field, which may be blank.
fn columns_of_cells(row: &TextRow, size: usize, is_compact: bool) -> Vec<usize> {
    let fields = fields_of(row, is_bar);
    if is_compact {
        row.marks().map(|mark| mark.column).collect()
    } else if fields.len() == size + 2 {
        fields[1..=size].iter().map(|field| field.column).collect()
    } else {
        row.groups.iter().map(|group| group[0].column).collect()
    }
}

/// Returns the boxes of k columns and n / k rows if bars part the cells into areas of k whole columns each.
fn boxes_between_bars(areas: &[usize]) -> Option<String> {
    let size = areas.len().isqrt();
    let first_area = *areas.first()?;
    let (first, others) = areas.split_at_checked(size)?;
    let width = first.iter().take_while(|area| **area == first_area).count();
    let are_columns = others.chunks(size).all(|row| row == first);
    let are_equally_wide = first.chunk_by(|a, b| a == b).all(|area| area.len() == width);
    if !are_columns || !are_equally_wide || width == 1 || width == size {
        return None;
    }
    box_numbers(size, size / width, width).ok().map(|boxes| region_symbols(&boxes))
}

/// Returns true for regions of n cells each that are neither the usual boxes nor the areas between lines that part only rows.
fn is_irregular(symbols: &str) -> bool {
    let symbols_of_cells: Vec<char> = symbols.chars().collect();
    let mut rows = symbols_of_cells.chunks(symbols_of_cells.len().isqrt().max(1));
    let has_row_as_region = rows.any(|row| row.iter().all(|symbol| *symbol == row[0]));
    is_region_map(symbols) && !are_usual_boxes(symbols) && !has_row_as_region
}

impl BorderMap {
    /// Marks the borders of a drawing. With a frame, the area outside of the frame, which may have labels, becomes border, too.
    fn new(lines: &[TextLine], rows: &[TextRow], is_border: fn(char) -> bool, has_frame: bool) -> BorderMap {
        let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default();
        let mut is_border_by_line = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let has_cells = rows.iter().any(|row| row.index == index);
            let mut borders = vec![false; width + 2];
            for (column, symbol) in (1..).zip(line.chars()) {
                // Beside cells, `-` is an empty cell and `+` marks a placed digit.
                borders[column] = is_border(symbol) && !(has_cells && matches!(symbol, '-' | '+' | '='));
            }
            if !has_frame {
                borders[0] = true;
                borders[width + 1] = true;
            }
            is_border_by_line.push(borders);
        }
        let mut map = BorderMap { is_border: is_border_by_line };
        map.fill((0, 0));
        map.fill((0, width + 1));
        map
    }

    /// Returns the number of the area of each cell, or `None` if the cells are no square.
    fn areas(mut self, rows: &[TextRow], columns: &[Vec<usize>]) -> Option<Vec<usize>> {
        let mut area_of_place: FxHashMap<Place, usize> = FxHashMap::default();
        let (mut areas, mut row_count): (Vec<usize>, usize) = (Vec::new(), 0);
        for (row, columns) in rows.iter().zip(columns) {
            let areas_before = areas.len();
            for place in columns.iter().map(|&column| (row.index, column)) {
                if !area_of_place.contains_key(&place) {
                    let area = area_of_place.len();
                    area_of_place.extend(self.fill(place).into_iter().map(|place| (place, area)));
                }
                // Labels outside of a frame have no area.
                areas.extend(area_of_place.get(&place));
            }
            row_count += usize::from(areas.len() > areas_before);
        }
        (areas.len() == row_count * row_count).then(|| region_numbers(areas.into_iter()))
    }

    /// Fills the area around a place as if it were border. Returns the places that were filled; none if the place was border.
    fn fill(&mut self, place: Place) -> Vec<Place> {
        let mut filled = Vec::new();
        let mut open = vec![place];
        while let Some((line, column)) = open.pop() {
            let Some(is_border) = self.is_border.get_mut(line).and_then(|line| line.get_mut(column)) else { continue };
            if !*is_border {
                *is_border = true;
                filled.push((line, column));
                open.extend([(line + 1, column), (line, column + 1)]);
                open.extend(line.checked_sub(1).map(|line_above| (line_above, column)));
                open.extend(column.checked_sub(1).map(|column_before| (line, column_before)));
            }
        }
        filled
    }
}

fn is_line(symbol: char) -> bool {
    is_line_or_corner(symbol) || is_bar(symbol)
}

/// Returns true for heavy and double lines, and for corners with such a line.
fn is_heavy_line(symbol: char) -> bool {
    const LIGHT: &str = "|-+–—―─│┄┆┈┊┌┐└┘├┤┬┴┼╌╎╭╮╯╰╴╵╶╷¦｜";
    is_line(symbol) && !LIGHT.contains(symbol)
}
