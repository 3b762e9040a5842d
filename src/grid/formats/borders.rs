//! Finds irregular regions in the borders of a drawing. In: the lines of a drawing. Out: a symbol for the region of each cell.
//!
//! A region is what a flood fill from one of its cells reaches: the fill stops at the characters of bars and borders. In a drawing with
//! borders around every cell, only heavy and double lines part regions.

use super::boards::{are_usual_boxes, is_region_map, region_numbers, region_symbols};
use super::columns::is_bar;
use super::lines::{TextRow, is_line_or_corner, rows_from};
use rustc_hash::FxHashMap;

/// A line of the text, and a column. Columns count from one.
type Place = (usize, usize);

/// Maximum number of bytes of a line. The widest drawing is a 25×25 grid of candidates with two digits each.
const MAX_LINE: usize = 8_192;

/// Where borders are drawn. There is one more column on the left and one on the right of the text.
struct Canvas {
    /// For each line and column, true if a border is drawn there.
    is_border: Vec<Vec<bool>>,
}

/// Returns the regions that the borders of a drawing show: one symbol for each cell, row by row. Returns `None` if the borders show no
/// regions of n cells each, or if they show the usual boxes.
pub(super) fn irregular_regions(lines: &[&str]) -> Option<String> {
    if lines.iter().any(|line| line.len() > MAX_LINE) {
        return None;
    }
    let rows: Vec<TextRow> = rows_from(lines, 0).into_iter().filter(|row| !row.groups.is_empty()).collect();
    for is_border in [is_line as fn(char) -> bool, is_heavy_line] {
        for has_frame in [true, false] {
            let regions = Canvas::new(lines, &rows, is_border, has_frame).regions(&rows);
            if let Some(symbols) = regions.filter(|symbols| is_irregular(symbols)) {
                return Some(symbols);
            }
        }
    }
    None
}

/// Returns true for regions of n cells each that are neither the usual boxes nor the areas between lines that part only rows.
fn is_irregular(symbols: &str) -> bool {
    let symbols_of_cells: Vec<char> = symbols.chars().collect();
    let mut rows = symbols_of_cells.chunks(symbols_of_cells.len().isqrt().max(1));
    let has_row_as_region = rows.any(|row| row.iter().all(|symbol| *symbol == row[0]));
    is_region_map(symbols) && !are_usual_boxes(symbols) && !has_row_as_region
}

impl Canvas {
    /// Marks the borders of a drawing. With a frame, the area outside of the frame, which may have labels, becomes border, too.
    fn new(lines: &[&str], rows: &[TextRow], is_border: fn(char) -> bool, has_frame: bool) -> Canvas {
        let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default();
        let mut canvas = Vec::new();
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
            canvas.push(borders);
        }
        let mut canvas = Canvas { is_border: canvas };
        canvas.fill((0, 0));
        canvas.fill((0, width + 1));
        canvas
    }

    /// Returns a symbol for the region of each cell, or `None` if the cells are no square.
    fn regions(mut self, rows: &[TextRow]) -> Option<String> {
        let mut region_of_place: FxHashMap<Place, usize> = FxHashMap::default();
        let (mut labels, mut row_count): (Vec<usize>, usize) = (Vec::new(), 0);
        let has_wide_cells = rows.iter().any(|row| row.groups.iter().any(|group| group.len() > 1));
        for row in rows {
            let columns: Vec<usize> = if has_wide_cells {
                row.groups.iter().map(|group| group[0].column).collect()
            } else {
                row.marks().map(|mark| mark.column).collect()
            };
            let labels_before = labels.len();
            for place in columns.into_iter().map(|column| (row.index, column)) {
                if !region_of_place.contains_key(&place) {
                    let region = region_of_place.len();
                    region_of_place.extend(self.fill(place).into_iter().map(|place| (place, region)));
                }
                // Labels outside of a frame have no region.
                labels.extend(region_of_place.get(&place));
            }
            row_count += usize::from(labels.len() > labels_before);
        }
        (labels.len() == row_count * row_count).then(|| region_symbols(&region_numbers(labels.into_iter())))
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
    const LIGHT: &str = "|-+─│┄┆┈┊┌┐└┘├┤┬┴┼╌╎╭╮╯╰╴╵╶╷¦｜";
    is_line(symbol) && !LIGHT.contains(symbol)
}
