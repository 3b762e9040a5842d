//! Coordinates and paths of a picture. In: a board; sets of cells; ends of links. Out: points of cells and candidates in pixels from the
//! upper left, outlines of sets, and curves that keep away from candidates and from each other.

use crate::grid::{Candidate, Cell, Geometry};

/// Side of the room for one candidate.
const SLOT: f64 = 20.0;
/// Room between the candidates and the border of their cell, for outlines.
const RIM: f64 = 4.0;
/// Room for the numbers of rows and columns.
const EDGE: f64 = 20.0;

/// Measures of a board's pictures, in pixels.
pub struct Layout<'g> {
    /// The board.
    pub geometry: &'g Geometry,
    /// Candidates in a row of a cell.
    pub wide: usize,
    /// Rows of candidates in a cell.
    pub high: usize,
    /// Side of a cell.
    pub cell: f64,
}

/// A point: across, down.
pub type Point = (f64, f64);

impl<'g> Layout<'g> {
    /// Measures a board.
    pub fn new(geometry: &'g Geometry) -> Layout<'g> {
        let size = geometry.size();
        let wide = (1..).find(|wide| wide * wide >= size).unwrap_or(1);
        Layout { geometry, wide, high: size.div_ceil(wide), cell: wide as f64 * SLOT + 2.0 * RIM }
    }

    /// Returns the side of the picture, with the numbers of rows and columns.
    pub fn side(&self) -> f64 {
        self.line(self.geometry.size()) + 3.0
    }

    /// Returns the coordinate of the line before a row or column.
    pub fn line(&self, before: usize) -> f64 {
        EDGE + before as f64 * self.cell
    }

    /// Returns the upper left corner of a cell.
    pub fn corner(&self, cell: Cell) -> Point {
        (self.line(self.geometry.column(cell)), self.line(self.geometry.row(cell)))
    }

    /// Returns the centre of a cell.
    pub fn centre(&self, cell: Cell) -> Point {
        let (x, y) = self.corner(cell);
        (x + self.cell / 2.0, y + self.cell / 2.0)
    }

    /// Returns the centre of a candidate.
    pub fn candidate(&self, candidate: Candidate) -> Point {
        let ((x, y), at) = (self.corner(candidate.cell), candidate.digit.index());
        (x + self.across(at % self.wide), y + self.down(at / self.wide))
    }

    /// Returns the centre of a column of candidates, from the left of the cell.
    pub fn across(&self, column: usize) -> f64 {
        RIM + (column as f64 + 0.5) * SLOT
    }

    /// Returns the centre of a row of candidates, from the top of the cell.
    pub fn down(&self, row: usize) -> f64 {
        RIM + (row as f64 + 0.5) * (self.cell - 2.0 * RIM) / self.high as f64
    }
}

/// Writes a number with at most one decimal.
pub fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

/// Returns the path around a set of cells, `inset` pixels inside their borders. Cells side by side have one line around them all.
pub fn outline(layout: &Layout, cells: &[Cell], inset: f64) -> String {
    let size = layout.geometry.size() as isize;
    let in_set = |row: isize, column: isize| {
        let on_board = (0..size).contains(&row) && (0..size).contains(&column);
        on_board && cells.contains(&layout.geometry.cell(row as usize, column as usize))
    };
    let mut out = String::new();
    for &cell in cells {
        let (row, column) = (layout.geometry.row(cell) as isize, layout.geometry.column(cell) as isize);
        let (x, y) = layout.corner(cell);
        let (right, low) = (x + layout.cell, y + layout.cell);
        // The distance from the border of the cell to the end of a side. Beside a neighbour in the set the side runs to the border; if the
        // neighbour's own side is open, too, it runs on to the line around the corner.
        let end = |beside: bool, beyond: bool| match (beside, beyond) {
            (false, _) => inset,
            (true, false) => 0.0,
            (true, true) => -inset,
        };
        for (up, edge) in [(-1, y + inset), (1, low - inset)] {
            if !in_set(row + up, column) {
                let from = x + end(in_set(row, column - 1), in_set(row + up, column - 1));
                let to = right - end(in_set(row, column + 1), in_set(row + up, column + 1));
                out += &format!("M{} {}H{}", short(from), short(edge), short(to));
            }
        }
        for (left, edge) in [(-1, x + inset), (1, right - inset)] {
            if !in_set(row, column + left) {
                let from = y + end(in_set(row - 1, column), in_set(row - 1, column + left));
                let to = low - end(in_set(row + 1, column), in_set(row + 1, column + left));
                out += &format!("M{} {}V{}", short(edge), short(from), short(to));
            }
        }
    }
    out
}

/// Distance between a curve and the centres of its ends: outside of the marks.
const RADIUS: f64 = 10.5;
/// Bends to try, as fractions of the distance; the first of the best is taken.
const BENDS: [f64; 11] = [0.12, -0.12, 0.22, -0.22, 0.34, -0.34, 0.5, -0.5, 0.7, -0.7, 0.0];
/// Number of intervals between the points of a curve that are examined.
const SAMPLES: usize = 14;

/// A quadratic Bézier curve.
struct Curve {
    from: Point,
    control: Point,
    to: Point,
}

/// Arcs of links, chosen one after the other.
pub struct Arcs {
    /// Points to keep away from.
    obstacles: Vec<Point>,
    /// Points of the arcs so far.
    drawn: Vec<Point>,
    /// Lowest and highest coordinate of the board.
    bounds: (f64, f64),
}

impl Arcs {
    /// Begins without arcs.
    pub fn new(obstacles: Vec<Point>, bounds: (f64, f64)) -> Arcs {
        Arcs { obstacles, drawn: Vec::new(), bounds }
    }

    /// Returns the path of the next arc.
    pub fn next(&mut self, from: Point, to: Point) -> String {
        let others = self.obstacles.iter().filter(|other| !within(**other, from, 1.0) && !within(**other, to, 1.0));
        let others: Vec<Point> = others.copied().collect();
        let curves = BENDS.iter().map(|bend| Curve::new(from, to, *bend));
        let priced = curves.map(|curve| (self.cost(&curve, &others), curve));
        let best = priced.reduce(|best, next| if next.0 < best.0 - 0.01 { next } else { best });
        let Some((_, curve)) = best else { return String::new() };
        self.drawn.extend((1..SAMPLES).map(|at| curve.at(at as f64 / SAMPLES as f64)));
        let (from, to) = (towards(from, curve.control, RADIUS), towards(to, curve.control, RADIUS));
        let [from, control, to] = [from, curve.control, to].map(|(x, y)| format!("{} {}", short(x), short(y)));
        format!("M{from}Q{control} {to}")
    }

    /// Prices a curve by its bend, the obstacles and arcs that it touches, and its points outside of the board.
    fn cost(&self, curve: &Curve, others: &[Point]) -> f64 {
        let mut cost = 0.6 * distance(curve.control, curve.at(0.5)) / 20.0;
        for at in 1..SAMPLES {
            let point = curve.at(at as f64 / SAMPLES as f64);
            cost += 4.0 * others.iter().filter(|other| within(point, **other, 11.0)).count() as f64;
            cost += 1.5 * self.drawn.iter().filter(|other| within(point, **other, 5.0)).count() as f64;
            let bounds = self.bounds.0..self.bounds.1;
            cost += if bounds.contains(&point.0) && bounds.contains(&point.1) { 0.0 } else { 10.0 };
        }
        cost
    }
}

impl Curve {
    fn new(from: Point, to: Point, bend: f64) -> Curve {
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        Curve { from, control: (middle.0 - down * bend, middle.1 + across * bend), to }
    }

    /// Returns the point at `t`, from 0 to 1.
    fn at(&self, t: f64) -> Point {
        let Curve { from, control, to } = self;
        let (a, b, c) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
        (a * from.0 + b * control.0 + c * to.0, a * from.1 + b * control.1 + c * to.1)
    }
}

/// Returns the distance between two points.
pub fn distance(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// Returns true if two points are nearer than `by`. Without the root of [`distance`], since it is called very often.
fn within(a: Point, b: Point, by: f64) -> bool {
    let (across, down) = (a.0 - b.0, a.1 - b.1);
    across * across + down * down < by * by
}

/// Returns the point `by` pixels from `from` towards `to`, but no more than most of the way.
fn towards(from: Point, to: Point, by: f64) -> Point {
    let long = distance(from, to).max(0.1);
    let by = by.min(long * 0.8);
    (from.0 + (to.0 - from.0) * by / long, from.1 + (to.1 - from.1) * by / long)
}
