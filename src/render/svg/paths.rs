//! Paths of a picture. In: sets of cells; ends of links. Out: outlines of sets, and curves that keep away from candidates and from each other.

use super::board::{BoardLayout, PixelPoint, short};
use crate::grid::{Cell, Geometry};

/// Returns the path around a set of cells, `inset` pixels inside their borders. Cells side by side have one line around them all.
pub fn outline(layout: &BoardLayout, cells: &[Cell], inset: f64) -> String {
    let mut out = String::new();
    for &cell in cells {
        let neighbours = Neighbours { board: layout.geometry, cells, cell, inset };
        let (x, y) = layout.corner(cell);
        let (right, low) = (x + layout.cell, y + layout.cell);
        for (up, edge) in [(-1, y + inset), (1, low - inset)] {
            if !neighbours.in_set(up, 0) {
                let from = x + neighbours.end((0, -1), (up, -1));
                let to = right - neighbours.end((0, 1), (up, 1));
                out += &format!("M{} {}H{}", short(from), short(edge), short(to));
            }
        }
        for (left, edge) in [(-1, x + inset), (1, right - inset)] {
            if !neighbours.in_set(0, left) {
                let from = y + neighbours.end((-1, 0), (-1, left));
                let to = low - neighbours.end((1, 0), (1, left));
                out += &format!("M{} {}V{}", short(edge), short(from), short(to));
            }
        }
    }
    out
}

/// A cell of a set with an outline.
struct Neighbours<'a> {
    board: &'a Geometry,
    /// The set.
    cells: &'a [Cell],
    cell: Cell,
    inset: f64,
}

impl Neighbours<'_> {
    /// Returns true if the set has the cell that lies `rows` below and `columns` to the right.
    fn in_set(&self, rows: isize, columns: isize) -> bool {
        let row = self.board.row(self.cell).checked_add_signed(rows).filter(|&row| row < self.board.size());
        let column = self.board.column(self.cell).checked_add_signed(columns).filter(|&at| at < self.board.size());
        row.zip(column).is_some_and(|(row, column)| self.cells.contains(&self.board.cell(row, column)))
    }

    /// Returns the distance from the border of the cell to the end of a side. Beside a neighbour in the set the side runs to the border; if
    /// the neighbour's own side is open, too, it runs on to the line around the corner.
    fn end(&self, beside: (isize, isize), beyond: (isize, isize)) -> f64 {
        match (self.in_set(beside.0, beside.1), self.in_set(beyond.0, beyond.1)) {
            (false, _) => self.inset,
            (true, false) => 0.0,
            (true, true) => -self.inset,
        }
    }
}

/// Distance between a curve and the centres of its ends: outside of the marks.
const RADIUS: f64 = 10.5;
/// Bends to try, as fractions of the distance; the first of the best is taken.
const BENDS: [f64; 11] = [0.12, -0.12, 0.22, -0.22, 0.34, -0.34, 0.5, -0.5, 0.7, -0.7, 0.0];
/// Number of intervals between the points of a curve that are examined.
const SAMPLES: usize = 14;

/// A quadratic Bézier curve.
struct Curve {
    from: PixelPoint,
    control: PixelPoint,
    to: PixelPoint,
}

/// Arcs of links, chosen one after the other.
pub struct Arcs {
    /// Points to keep away from.
    obstacles: Vec<PixelPoint>,
    /// Points of the arcs so far.
    drawn: Vec<PixelPoint>,
    /// Lowest and highest coordinate of the board.
    bounds: (f64, f64),
}

impl Arcs {
    /// Begins without arcs.
    pub fn new(obstacles: Vec<PixelPoint>, bounds: (f64, f64)) -> Arcs {
        Arcs { obstacles, drawn: Vec::new(), bounds }
    }

    /// Returns the path of the next arc.
    pub fn next(&mut self, from: PixelPoint, to: PixelPoint) -> String {
        let others = self.obstacles.iter().filter(|other| !within(**other, from, 1.0) && !within(**other, to, 1.0));
        let others: Vec<PixelPoint> = others.copied().collect();
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
    fn cost(&self, curve: &Curve, others: &[PixelPoint]) -> f64 {
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
    fn new(from: PixelPoint, to: PixelPoint, bend: f64) -> Curve {
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        Curve { from, control: (middle.0 - down * bend, middle.1 + across * bend), to }
    }

    /// Returns the point at `t`, from 0 to 1.
    fn at(&self, t: f64) -> PixelPoint {
        let Curve { from, control, to } = self;
        let (a, b, c) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
        (a * from.0 + b * control.0 + c * to.0, a * from.1 + b * control.1 + c * to.1)
    }
}

/// Returns the distance between two points.
pub fn distance(a: PixelPoint, b: PixelPoint) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// Returns true if two points are nearer than `by`. Without the root of [`distance`], since it is called very often.
fn within(a: PixelPoint, b: PixelPoint, by: f64) -> bool {
    let (across, down) = (a.0 - b.0, a.1 - b.1);
    across * across + down * down < by * by
}

/// Returns the point `by` pixels from `from` towards `to`, but no more than most of the way.
fn towards(from: PixelPoint, to: PixelPoint, by: f64) -> PixelPoint {
    let long = distance(from, to).max(0.1);
    let by = by.min(long * 0.8);
    (from.0 + (to.0 - from.0) * by / long, from.1 + (to.1 - from.1) * by / long)
}
