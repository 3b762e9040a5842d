//! A scene as SVG. In: a scene, a caption. Out: a self-contained picture, without scripts or external fonts, for light and dark pages and
//! for paper. Colour is never the only sign: marks differ by shape, weak links are dashed, outlines have patterns of dashes.
//!
//! - `mod.rs`: layers of a picture ([`Picture`]), the whole picture with caption and legend ([`svg`]).
//! - `board`: lines, numbers and digits.
//! - `paths`: coordinates, outlines of sets, curves of links.
//! - `bars`: bar charts.

mod bars;
mod board;
mod paths;

pub use bars::{Bar, bars};

use super::line::Line;
use super::scene::{Key, Mark, Scene, legend};
use super::signs::visible;
use crate::engine::ChainNode;
use crate::grid::{Cell, Geometry};
use paths::{Arcs, Layout, Point, distance, outline, short};
use serde::Serialize;

/// Style sheet of all pictures.
pub const STYLE: &str = include_str!("style.css");

/// Measures of a board's pictures, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measures {
    /// Side of the picture.
    pub side: f64,
    /// Distance to the first cell, across and down.
    pub edge: f64,
    /// Side of a cell.
    pub cell: f64,
    /// Candidates in a row of a cell.
    pub wide: usize,
    /// Rows of candidates in a cell.
    pub high: usize,
}

/// A scene in layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Layer below the lines of the board: houses and cells of the pattern.
    pub below: String,
    /// Digits as rows of text: see [`Picture::board`].
    pub digits: Vec<String>,
    /// Layer above the digits: outlines, links, marks and marked digits.
    pub above: String,
}

impl Picture {
    /// Draws a scene.
    pub fn new(geometry: &Geometry, scene: &Scene) -> Picture {
        let layout = Layout::new(geometry);
        let mut above = sets(&layout, scene) + &links(&layout, scene);
        for (&candidate, &mark) in &scene.marks {
            let (x, y) = layout.candidate(candidate);
            above += &format!("<use href=\"#{}\" x=\"{}\" y=\"{}\"/>", id(mark), short(x), short(y));
            above += &board::bold(&layout, candidate);
        }
        Picture { below: below(&layout, scene), digits: board::digits(&layout, &scene.state), above }
    }

    /// Returns the measures by which a page finds the cell or candidate under the pointer.
    pub fn measures(geometry: &Geometry) -> Measures {
        let layout = Layout::new(geometry);
        let (wide, high) = (layout.wide, layout.high);
        Measures { side: layout.side(), edge: layout.line(0), cell: layout.cell, wide, high }
    }

    /// Returns the parts that all pictures of a board share: the view box, shapes of marks, lines with numbers, and blank rows of text.
    pub fn board(geometry: &Geometry) -> (String, &'static str, String, String) {
        let layout = Layout::new(geometry);
        let blank = vec!["\u{a0}".to_string(); geometry.size() * (layout.high + 2)];
        let side = short(layout.side());
        (format!("0 0 {side} {side}"), board::SHAPES, board::lines(&layout), board::rows(&layout, &blank))
    }
}

/// Shapes of all marks, which a page contains once.
pub const SHAPES: &str = board::SHAPES;

/// Writes the picture alone, for a page that has the style and the shapes.
pub fn board_svg(geometry: &Geometry, picture: &Picture) -> String {
    let layout = Layout::new(geometry);
    let side = short(layout.side());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pinion\" viewBox=\"0 0 {side} {side}\" aria-hidden=\"true\">\
         {}{}{}{}</svg>",
        picture.below,
        board::lines(&layout),
        board::rows(&layout, &picture.digits),
        picture.above,
    )
}

/// Writes the picture with its caption and legend.
pub fn svg(geometry: &Geometry, scene: &Scene, caption: &[Line]) -> String {
    let (layout, picture) = (Layout::new(geometry), Picture::new(geometry, scene));
    let side = layout.side();
    // A letter of the caption is about 8.2 pixels wide.
    let letters = ((side - 24.0) / 8.2) as usize;
    let lines = caption.iter().flat_map(|line| line.wrapped(letters));
    let mut y = side + 18.0;
    let mut text = String::new();
    for (at, line) in lines.enumerate() {
        let (class, words) = (if at == 0 { "say head" } else { "say" }, escaped(&line.to_string()));
        text += &format!("<text class=\"{class}\" x=\"20\" y=\"{}\">{words}</text>\n", short(y));
        y += 19.0;
    }
    let (keys, end) = keys(geometry, scene, y + 4.0, side);
    let (width, height) = (short(side), short(end + 6.0));
    let title = escaped(&caption.first().map(Line::to_string).unwrap_or_default());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pinion\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n{}\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{}\n{}\n{}\n{}\n{text}{keys}</svg>\n",
        board::SHAPES,
        picture.below,
        board::lines(&layout),
        board::rows(&layout, &picture.digits),
        picture.above,
    )
}

/// Returns the id of a mark's shape.
fn id(mark: Mark) -> &'static str {
    match mark {
        Mark::Support => "support",
        Mark::Off => "off",
        Mark::On => "on",
        Mark::OneOf => "oneof",
        Mark::Supposed => "supposed",
        Mark::Guardian => "guardian",
        Mark::Goes => "goes",
        Mark::Placed => "placed",
    }
}

fn square(layout: &Layout, cell: Cell, class: &str) -> String {
    let ((x, y), side) = (layout.corner(cell), short(layout.cell));
    format!("<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\"/>", short(x), short(y))
}

/// Draws houses, then the cells of the pattern.
fn below(layout: &Layout, scene: &Scene) -> String {
    let mut out = String::new();
    let houses = scene.houses.iter().map(|(house, number)| (layout.geometry.house(*house), (*number).min(1)));
    let mut squares: Vec<(Cell, usize)> =
        houses.flat_map(|(house, class)| house.cells.iter().map(move |cell| (*cell, class))).collect();
    squares.sort_unstable_by_key(|(cell, class)| (*class, *cell));
    squares.dedup();
    for (cell, class) in squares {
        out += &square(layout, cell, if class == 0 { "h0" } else { "h1" });
    }
    scene.cells.iter().for_each(|&cell| out += &square(layout, cell, "cell"));
    out
}

/// Draws outlines, each with another inset, so that outlines of overlapping sets stay distinct.
fn sets(layout: &Layout, scene: &Scene) -> String {
    let mut out = String::new();
    for (number, cells) in scene.sets.iter().enumerate() {
        let path = outline(layout, cells, 2.0 + 1.5 * (number % 3) as f64);
        out += &format!("<path class=\"set s{}\" d=\"{path}\"/>", number % 4);
    }
    if !scene.fails.is_empty() {
        out += &format!("<path class=\"fails\" d=\"{}\"/>", outline(layout, &scene.fails, 2.0));
    }
    out
}

/// Draws links as arcs between the nearest candidates of their nodes.
fn links(layout: &Layout, scene: &Scene) -> String {
    let marked = scene.marks.keys().map(|&one| layout.candidate(one));
    let solved = layout.geometry.cells().filter(|cell| scene.state.value(*cell).is_some());
    let obstacles = marked.chain(solved.map(|cell| layout.centre(cell))).collect();
    let mut arcs = Arcs::new(obstacles, (layout.line(0) - 2.0, layout.line(layout.geometry.size()) + 2.0));
    let mut out = String::new();
    for link in &scene.links {
        let Some((from, to)) = nearest(layout, &link.from, &link.to) else { continue };
        let kind = if link.strong { "" } else { " weak" };
        let case = link.case.map_or(String::new(), |case| format!(" k{}\" marker-end=\"url(#tip)", case % 4));
        out += &format!("<path class=\"link{kind}{case}\" d=\"{}\"/>", arcs.next(from, to));
    }
    out
}

/// Returns the two nearest candidates of two nodes.
fn nearest(layout: &Layout, a: &ChainNode, b: &ChainNode) -> Option<(Point, Point)> {
    let [from, to] = [a, b].map(|node| node.candidates().map(|one| layout.candidate(one)).collect::<Vec<Point>>());
    let pairs = from.iter().flat_map(|a| to.iter().map(move |b| (*a, *b)));
    pairs.filter(|(a, b)| a != b).min_by(|(a, b), (c, d)| distance(*a, *b).total_cmp(&distance(*c, *d)))
}

/// Draws the legend below `top`; also returns its lower end.
fn keys(geometry: &Geometry, scene: &Scene, top: f64, side: f64) -> (String, f64) {
    let (mut x, mut y) = (20.0, top + 8.0);
    let mut out = String::new();
    let entries = legend(geometry, scene);
    let mut end = if entries.is_empty() { top - 12.0 } else { y + 8.0 };
    for (key, words) in &entries {
        let wide = 40.0 + 8.0 * words.chars().count() as f64;
        if x > 20.0 && x + wide > side {
            (x, y) = (20.0, y + 24.0);
        }
        out += &format!("<g transform=\"translate({} {})\">{}</g>", short(x), short(y), sample(*key));
        out += &format!(
            "<text class=\"say\" x=\"{}\" y=\"{}\">{}</text>\n",
            short(x + 26.0),
            short(y + 5.0),
            escaped(words)
        );
        x += wide;
        end = y + 8.0;
    }
    (out, end)
}

/// Draws the sample of a legend entry, around a point ten pixels to the right.
pub fn sample(key: Key) -> String {
    let set;
    let class = match key {
        Key::Mark(mark) => return format!("<use href=\"#{}\" x=\"9\" y=\"0\"/>", id(mark)),
        Key::Strong | Key::Weak => {
            let class = if key == Key::Strong { "link" } else { "link weak" };
            return format!("<path class=\"{class}\" d=\"M-2 0H20\"/>");
        }
        Key::Cells => "cell",
        Key::Set(number) => {
            set = format!("set s{}", number % 4);
            &set
        }
        Key::House(number) => {
            if number == 0 {
                "h0"
            } else {
                "h1"
            }
        }
        Key::Fails => "fails",
    };
    format!("<rect class=\"{class}\" x=\"0\" y=\"-8\" width=\"18\" height=\"16\"/>")
}

/// Escapes text for XML and HTML. Characters that would mislead a reader or are not allowed there become signs.
pub fn escaped(text: &str) -> String {
    let text = visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}
