//! Computes SVG paths. In: sets of cells; ends of links. Out: outlines of sets; curves of links that avoid candidates and each other.

use super::board::{BoardLayout, PixelPoint, short};
use crate::grid::{Cell, Geometry};

/// Returns the path around a set of cells, `inset` pixels inside their borders. Adjacent cells share one outline.
pub fn outline(layout: &BoardLayout, cells: &[Cell], inset: f64) -> String {
    let mut out = String::new();
    for &cell in cells {
        let neighbours = Neighbours { board: layout.geometry, cells, cell, inset };
        let (x, y) = layout.corner(cell);
        let right = x + layout.cell;
        let bottom = y + layout.cell;
        for (row, edge) in [(-1, y + inset), (1, bottom - inset)] {
            if !neighbours.in_set(row, 0) {
                let from = x + neighbours.end_inset((0, -1), (row, -1));
                let to = right - neighbours.end_inset((0, 1), (row, 1));
                out += &format!("M{} {}H{}", short(from), short(edge), short(to));
            }
        }
        for (column, edge) in [(-1, x + inset), (1, right - inset)] {
            if !neighbours.in_set(0, column) {
                let from = y + neighbours.end_inset((-1, 0), (-1, column));
                let to = bottom - neighbours.end_inset((1, 0), (1, column));
                out += &format!("M{} {}V{}", short(edge), short(from), short(to));
            }
        }
    }
    out
}

/// The neighbours of one cell in a set with an outline. Neighbours are given by their offset in rows and columns.
struct Neighbours<'a> {
    board: &'a Geometry,
    cells: &'a [Cell],
    cell: Cell,
    inset: f64,
}

impl Neighbours<'_> {
    fn in_set(&self, rows: isize, columns: isize) -> bool {
        let size = self.board.size();
        let Some(row) = self.board.row(self.cell).checked_add_signed(rows) else { return false };
        let Some(column) = self.board.column(self.cell).checked_add_signed(columns) else { return false };
        row < size && column < size && self.cells.contains(&self.board.cell(row, column))
    }

    /// Returns by how much one end of an outline segment is shortened. For the left end of the segment along the upper
    /// border, `beside` is the cell to the left, and `diagonal` is the cell above `beside`.
    ///
    /// If `beside` is not in the set, the outline turns inside this cell. If only `beside` is in the set, its segment
    /// continues this segment. If both are in the set, this segment is longer than the cell, up to the outline of
    /// `diagonal`.
    fn end_inset(&self, beside: (isize, isize), diagonal: (isize, isize)) -> f64 {
        match (self.in_set(beside.0, beside.1), self.in_set(diagonal.0, diagonal.1)) {
            (false, _) => self.inset,
            (true, false) => 0.0,
            (true, true) => -self.inset,
        }
    }
}

/// Distance from the ends of a curve to the centres of its candidates, in pixels. Marks have a smaller radius.
const RADIUS: f64 = 10.5;
/// Bends to try, as fractions of the distance between the ends. The first of equally good bends is used.
const BENDS: [f64; 11] = [0.12, -0.12, 0.22, -0.22, 0.34, -0.34, 0.5, -0.5, 0.7, -0.7, 0.0];
/// Number of intervals into which a curve is divided. The cost of a curve depends on the points between the intervals.
const SAMPLES: usize = 14;

struct Curve {
    from: PixelPoint,
    control: PixelPoint,
    to: PixelPoint,
}

/// Chooses the arcs of links one after the other.
pub struct Arcs {
    obstacles: Vec<PixelPoint>,
    drawn: Vec<PixelPoint>,
    /// Lowest and highest coordinate of the board.
    bounds: (f64, f64),
}

impl Arcs {
    pub fn new(obstacles: Vec<PixelPoint>, bounds: (f64, f64)) -> Arcs {
        Arcs { obstacles, drawn: Vec::new(), bounds }
    }

    pub fn next(&mut self, from: PixelPoint, to: PixelPoint) -> String {
        let mut obstacles = self.obstacles.clone();
        obstacles.retain(|obstacle| !is_within(*obstacle, from, 1.0) && !is_within(*obstacle, to, 1.0));
        let curves = BENDS.iter().map(|bend| Curve::new(from, to, *bend));
        let with_costs = curves.map(|curve| (self.cost(&curve, &obstacles), curve));
        // Costs that differ by less than 0.01 count as equal, so that rounding does not decide.
        let cheapest = with_costs.reduce(|best, next| if next.0 < best.0 - 0.01 { next } else { best });
        let Some((_, curve)) = cheapest else { return String::new() };
        self.drawn.extend(curve.samples());
        let (from, to) = (point_towards(from, curve.control, RADIUS), point_towards(to, curve.control, RADIUS));
        let [from, control, to] = [from, curve.control, to].map(|(x, y)| format!("{} {}", short(x), short(y)));
        format!("M{from}Q{control} {to}")
    }

    /// Returns the cost of a curve. A strong bend, points near obstacles or earlier arcs, and points outside of the board
    /// make a curve expensive.
    fn cost(&self, curve: &Curve, obstacles: &[PixelPoint]) -> f64 {
        let bounds = self.bounds.0..self.bounds.1;
        let mut cost = 0.6 * distance(curve.control, curve.at(0.5)) / 20.0;
        for point in curve.samples() {
            cost += 4.0 * obstacles.iter().filter(|obstacle| is_within(point, **obstacle, 11.0)).count() as f64;
            cost += 1.5 * self.drawn.iter().filter(|drawn| is_within(point, **drawn, 5.0)).count() as f64;
            cost += if bounds.contains(&point.0) && bounds.contains(&point.1) { 0.0 } else { 10.0 };
        }
        cost
    }
}

impl Curve {
    /// Makes a curve whose control point lies beside the middle, at `bend` times the distance of the ends.
    fn new(from: PixelPoint, to: PixelPoint, bend: f64) -> Curve {
        let dx = to.0 - from.0;
        let dy = to.1 - from.1;
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        Curve { from, control: (middle.0 - dy * bend, middle.1 + dx * bend), to }
    }

    /// Returns the points between the intervals of the curve, without its ends.
    fn samples(&self) -> impl Iterator<Item = PixelPoint> {
        (1..SAMPLES).map(|index| self.at(index as f64 / SAMPLES as f64))
    }

    /// Returns the point at parameter `t`, from 0 at the start to 1 at the end.
    fn at(&self, t: f64) -> PixelPoint {
        let Curve { from, control, to } = self;
        let a = (1.0 - t) * (1.0 - t);
        let b = 2.0 * t * (1.0 - t);
        let c = t * t;
        (a * from.0 + b * control.0 + c * to.0, a * from.1 + b * control.1 + c * to.1)
    }
}

pub fn distance(a: PixelPoint, b: PixelPoint) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// Returns true if the distance of two points is less than `limit`. Compares squares, because square roots are slow and
/// the function is called often.
fn is_within(a: PixelPoint, b: PixelPoint, limit: f64) -> bool {
    let dx = a.0 - b.0;
    let dy = a.1 - b.1;
    dx * dx + dy * dy < limit * limit
}

/// Returns the point that lies `pixels` from `from` towards `to`, but at most at 80 percent of the way.
fn point_towards(from: PixelPoint, to: PixelPoint, pixels: f64) -> PixelPoint {
    let length = distance(from, to).max(0.1);
    let pixels = pixels.min(length * 0.8);
    (from.0 + (to.0 - from.0) * pixels / length, from.1 + (to.1 - from.1) * pixels / length)
}
