//! A scene as SVG. In: a scene, a caption. Out: a picture of its own, without scripts or fonts of others, for light and dark pages
//! and for paper. Nothing is told by colour alone: marks differ by shape, weak links are dashed, outlines have patterns of dashes.

mod arcs;
mod frame;
mod layout;
mod outline;

use super::line::Line;
use super::scene::{Key, Mark, Scene, legend};
use super::signs::visible;
use crate::engine::ChainNode;
use crate::grid::{Candidate, Cell, Geometry};
use arcs::{Arcs, distance};
use layout::{Layout, Point, short};
use serde::Serialize;

/// The style of all pictures.
pub const STYLE: &str = include_str!("style.css");

/// The measures of a board's pictures, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measures {
    /// The side of the picture.
    pub side: f64,
    /// What lies before the first cell, across and down.
    pub edge: f64,
    /// The side of a cell.
    pub cell: f64,
    /// Candidates side by side in a cell.
    pub wide: usize,
    /// Rows of candidates in a cell.
    pub high: usize,
}

/// A scene in layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Below the lines of the board: houses and cells.
    pub below: String,
    /// The digits, as rows of text: see [`Picture::board`].
    pub digits: Vec<String>,
    /// Above them: outlines, links, marks and the digits that have marks.
    pub above: String,
}

impl Picture {
    /// Draws a scene.
    pub fn new(geometry: &Geometry, scene: &Scene) -> Picture {
        let layout = Layout::new(geometry);
        let mut above = String::new();
        above += &sets(&layout, scene);
        above += &links(&layout, scene);
        for (&candidate, &mark) in &scene.marks {
            let (x, y) = layout.place(candidate);
            above += &format!("<use href=\"#{}\" x=\"{}\" y=\"{}\"/>", id(mark), short(x), short(y));
            above += &frame::bold(&layout, candidate);
        }
        Picture { below: below(&layout, scene), digits: frame::digits(&layout, &scene.state), above }
    }

    /// Where cells and candidates of a board are in its pictures: what a page needs to know at what someone points.
    pub fn measures(geometry: &Geometry) -> Measures {
        let layout = Layout::new(geometry);
        let (wide, high) = (layout.wide, layout.high);
        Measures { side: layout.side(), edge: layout.line(0), cell: layout.cell, wide, high }
    }

    /// What all pictures of a board share: the part of the plane, the shapes of marks, lines and numbers, and rows of text
    /// without their characters.
    pub fn board(geometry: &Geometry) -> (String, &'static str, String, String) {
        let layout = Layout::new(geometry);
        let blank = vec!["\u{a0}".to_string(); geometry.size() * (layout.high + 2)];
        let side = short(layout.side());
        (format!("0 0 {side} {side}"), frame::SHAPES, frame::lines(&layout), frame::rows(&layout, &blank))
    }
}

/// The shapes of all marks, which a page has once.
pub const SHAPES: &str = frame::SHAPES;

/// The picture alone, for a page that has the style and the shapes.
pub fn board_svg(geometry: &Geometry, picture: &Picture) -> String {
    let layout = Layout::new(geometry);
    let side = short(layout.side());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pinion\" viewBox=\"0 0 {side} {side}\" aria-hidden=\"true\">\
         {}{}{}{}</svg>",
        picture.below,
        frame::lines(&layout),
        frame::rows(&layout, &picture.digits),
        picture.above,
    )
}

/// The picture with its caption and legend.
pub fn svg(geometry: &Geometry, scene: &Scene, caption: &[Line]) -> String {
    let (layout, picture) = (Layout::new(geometry), Picture::new(geometry, scene));
    let side = layout.side();
    // A letter of the caption is about so wide.
    let letters = ((side - 24.0) / 8.2) as usize;
    let said: Vec<String> =
        caption.iter().flat_map(|line| line.wrapped(letters)).map(|line| line.to_string()).collect();
    let mut y = side + 18.0;
    let mut text = String::new();
    for (at, line) in said.iter().enumerate() {
        let class = if at == 0 { "say head" } else { "say" };
        text += &format!("<text class=\"{class}\" x=\"20\" y=\"{}\">{}</text>\n", short(y), escaped(line));
        y += 19.0;
    }
    let (keys, end) = keys(geometry, scene, y + 4.0, side);
    let (width, height) = (short(side), short(end + 6.0));
    let title = escaped(&caption.first().map(Line::to_string).unwrap_or_default());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pinion\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n{}\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{}\n{}\n{}\n{}\n{text}{keys}</svg>\n",
        frame::SHAPES,
        picture.below,
        frame::lines(&layout),
        frame::rows(&layout, &picture.digits),
        picture.above,
    )
}

/// The shape of a mark.
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

/// Houses, then the cells of the pattern.
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

/// Outlines, one further inside than the other, so that those of cells that two sets share do not lie on one another.
fn sets(layout: &Layout, scene: &Scene) -> String {
    let mut out = String::new();
    for (number, cells) in scene.sets.iter().enumerate() {
        let path = outline::outline(layout, cells, 2.0 + 1.5 * (number % 3) as f64);
        out += &format!("<path class=\"set s{}\" d=\"{path}\"/>", number % 4);
    }
    if !scene.fails.is_empty() {
        out += &format!("<path class=\"fails\" d=\"{}\"/>", outline::outline(layout, &scene.fails, 2.0));
    }
    out
}

fn links(layout: &Layout, scene: &Scene) -> String {
    let marked = scene.marks.keys().map(|&one| layout.place(one));
    let solved = layout.geometry.cells().filter(|cell| scene.state.value(*cell).is_some());
    let middles = solved.map(|cell| layout.corner(cell)).map(|(x, y)| (x + layout.cell / 2.0, y + layout.cell / 2.0));
    let size = layout.geometry.size();
    let mut arcs = Arcs::new(marked.chain(middles).collect(), (layout.line(0) - 2.0, layout.line(size) + 2.0));
    let mut out = String::new();
    for link in &scene.links {
        let Some((from, to)) = nearest(layout, &link.from, &link.to) else { continue };
        let kind = if link.strong { "" } else { " weak" };
        let case = link.case.map_or(String::new(), |case| format!(" k{}\" marker-end=\"url(#tip)", case % 4));
        out += &format!("<path class=\"link{kind}{case}\" d=\"{}\"/>", arcs.next(from, to));
    }
    out
}

/// The two candidates of two nodes that are nearest to each other.
fn nearest(layout: &Layout, a: &ChainNode, b: &ChainNode) -> Option<(Point, Point)> {
    let places = |node: &ChainNode| node.candidates().map(|one: Candidate| layout.place(one)).collect::<Vec<_>>();
    let (from, to) = (places(a), places(b));
    let pairs = from.iter().flat_map(|a| to.iter().map(move |b| (*a, *b)));
    pairs.filter(|(a, b)| a != b).min_by(|(a, b), (c, d)| distance(*a, *b).total_cmp(&distance(*c, *d)))
}

/// The legend below the picture, and where it ends.
fn keys(geometry: &Geometry, scene: &Scene, top: f64, side: f64) -> (String, f64) {
    let (mut x, mut y) = (20.0, top + 8.0);
    let mut out = String::new();
    let entries = legend(geometry, scene);
    let last = if entries.is_empty() { top - 12.0 } else { y + 8.0 };
    let mut end = last;
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

/// What an entry looks like, around a point ten to the right.
pub fn sample(key: Key) -> String {
    let line = |class: &str| format!("<path class=\"{class}\" d=\"M-2 0H20\"/>");
    let square = |class: &str| format!("<rect class=\"{class}\" x=\"0\" y=\"-8\" width=\"18\" height=\"16\"/>");
    match key {
        Key::Cells => square("cell"),
        Key::Mark(mark) => format!("<use href=\"#{}\" x=\"9\" y=\"0\"/>", id(mark)),
        Key::Set(number) => square(&format!("set s{}", number % 4)),
        Key::House(number) => square(if number == 0 { "h0" } else { "h1" }),
        Key::Strong => line("link"),
        Key::Weak => line("link weak"),
        Key::Fails => square("fails"),
    }
}

/// Text for XML and HTML, with signs for what would mislead a reader or is not allowed there.
pub fn escaped(text: &str) -> String {
    let text = visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}
