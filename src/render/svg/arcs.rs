//! Links as arcs. In: where links begin and end, what they should not run over. Out: for each a curve, curved so that it keeps away
//! from candidates and other arcs.

use super::layout::{Point, short};

/// How far from its ends a curve begins and ends: outside of the marks.
const RADIUS: f64 = 10.5;
/// Bends that are tried, in parts of the distance; the first of the best is taken.
const BENDS: [f64; 11] = [0.12, -0.12, 0.22, -0.22, 0.34, -0.34, 0.5, -0.5, 0.7, -0.7, 0.0];
/// Points of a curve that are looked at.
const SAMPLES: usize = 14;

/// A curve with one control point.
struct Curve {
    from: Point,
    control: Point,
    to: Point,
}

/// Chooses the arcs one after another.
pub struct Arcs {
    obstacles: Vec<Point>,
    drawn: Vec<Point>,
    /// The board's upper and lower end.
    bounds: (f64, f64),
}

impl Arcs {
    /// No arc yet.
    pub fn new(obstacles: Vec<Point>, bounds: (f64, f64)) -> Arcs {
        Arcs { obstacles, drawn: Vec::new(), bounds }
    }

    /// The path of the next arc.
    pub fn next(&mut self, from: Point, to: Point) -> String {
        let others = self.obstacles.iter().filter(|other| !within(**other, from, 1.0) && !within(**other, to, 1.0));
        let others: Vec<Point> = others.copied().collect();
        let best =
            BENDS.iter().map(|bend| Curve::new(from, to, *bend)).map(|curve| (self.cost(&curve, &others), curve));
        let best = best.reduce(|best, next| if next.0 < best.0 - 0.01 { next } else { best });
        let Some((_, curve)) = best else { return String::new() };
        self.drawn.extend((1..SAMPLES).map(|at| curve.at(at as f64 / SAMPLES as f64)));
        let (from, to) = (towards(from, curve.control, RADIUS), towards(to, curve.control, RADIUS));
        let point = |(x, y): Point| format!("{} {}", short(x), short(y));
        format!("M{}Q{} {}", point(from), point(curve.control), point(to))
    }

    /// What speaks against a curve: what it runs over, arcs that it runs along, and how much it bends.
    fn cost(&self, curve: &Curve, others: &[Point]) -> f64 {
        let mut cost = 0.6 * distance(curve.control, curve.at(0.5)) / 20.0;
        for at in 1..SAMPLES {
            let point = curve.at(at as f64 / SAMPLES as f64);
            cost += 4.0 * others.iter().filter(|other| within(point, **other, 11.0)).count() as f64;
            cost += 1.5 * self.drawn.iter().filter(|other| within(point, **other, 5.0)).count() as f64;
            let inside = |place: f64| (self.bounds.0..self.bounds.1).contains(&place);
            cost += if inside(point.0) && inside(point.1) { 0.0 } else { 10.0 };
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

    fn at(&self, t: f64) -> Point {
        let mix = |a: f64, b: f64, c: f64| (1.0 - t) * (1.0 - t) * a + 2.0 * t * (1.0 - t) * b + t * t * c;
        (mix(self.from.0, self.control.0, self.to.0), mix(self.from.1, self.control.1, self.to.1))
    }
}

/// The distance of two points.
pub fn distance(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// Whether two points are nearer than that: what [`distance`] says, without its root, since it is asked very often.
fn within(a: Point, b: Point, by: f64) -> bool {
    let (across, down) = (a.0 - b.0, a.1 - b.1);
    across * across + down * down < by * by
}

fn towards(from: Point, to: Point, by: f64) -> Point {
    let long = distance(from, to).max(0.1);
    let by = by.min(long * 0.8);
    (from.0 + (to.0 - from.0) * by / long, from.1 + (to.1 - from.1) * by / long)
}
