//! A scene as SVG. In: a scene, a caption. Out: a self-contained picture, without scripts or external fonts, for light and dark pages and
//! for paper. Colour is never the only sign: marks differ by shape, weak links are dashed, outlines have patterns of dashes.
//!
//! - `mod.rs`: layers of a picture ([`Picture`]), the whole picture with caption and legend ([`svg`]); bar charts.
//! - `board`: coordinates; lines of the board, numbers and digits.
//! - `paths`: outlines of sets, curves of links.

mod board;
mod paths;

use super::line::Line;
use super::scene::{LegendKey, Mark, Scene, legend};
use super::signs::visible;
use crate::engine::ChainNode;
use crate::grid::{Cell, Geometry};
use board::{BoardLayout, PixelPoint, short};
use paths::{Arcs, distance, outline};
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
        let layout = BoardLayout::new(geometry);
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
        let layout = BoardLayout::new(geometry);
        let (wide, high) = (layout.wide, layout.high);
        Measures { side: layout.side(), edge: layout.line(0), cell: layout.cell, wide, high }
    }

    /// Returns the parts that all pictures of a board share: the view box, shapes of marks, lines with numbers, and blank rows of text.
    pub fn board(geometry: &Geometry) -> (String, &'static str, String, String) {
        let layout = BoardLayout::new(geometry);
        let blank = vec!["\u{a0}".to_string(); geometry.size() * (layout.high + 2)];
        let side = short(layout.side());
        (format!("0 0 {side} {side}"), board::SHAPES, board::lines(&layout), board::rows(&layout, &blank))
    }
}

/// Shapes of all marks, which a page contains once.
pub const SHAPES: &str = board::SHAPES;

/// Writes the picture alone, for a page that has the style and the shapes.
pub fn board_svg(geometry: &Geometry, picture: &Picture) -> String {
    let layout = BoardLayout::new(geometry);
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
    let (layout, picture) = (BoardLayout::new(geometry), Picture::new(geometry, scene));
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
    let (keys, end) = legend_below(geometry, scene, y + 4.0, side);
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
        Mark::Eliminated => "goes",
        Mark::Placed => "placed",
    }
}

fn square(layout: &BoardLayout, cell: Cell, class: &str) -> String {
    let ((x, y), side) = (layout.corner(cell), short(layout.cell));
    format!("<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\"/>", short(x), short(y))
}

/// Draws houses, then the cells of the pattern.
fn below(layout: &BoardLayout, scene: &Scene) -> String {
    let mut out = String::new();
    let houses = scene.houses.iter().map(|(house, number)| (layout.geometry.house(*house), (*number).min(1)));
    let mut squares: Vec<(Cell, usize)> =
        houses.flat_map(|(house, class)| house.cells.iter().map(move |cell| (*cell, class))).collect();
    squares.sort_unstable_by_key(|(cell, class)| (*class, *cell));
    squares.dedup();
    for (cell, class) in squares {
        out += &square(layout, cell, &format!("h{class}"));
    }
    scene.cells.iter().for_each(|&cell| out += &square(layout, cell, "cell"));
    out
}

/// Draws outlines, each with another inset, so that outlines of overlapping sets stay distinct.
fn sets(layout: &BoardLayout, scene: &Scene) -> String {
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
fn links(layout: &BoardLayout, scene: &Scene) -> String {
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
fn nearest(layout: &BoardLayout, a: &ChainNode, b: &ChainNode) -> Option<(PixelPoint, PixelPoint)> {
    let [from, to] = [a, b].map(|node| node.candidates().map(|one| layout.candidate(one)).collect::<Vec<PixelPoint>>());
    let pairs = from.iter().flat_map(|a| to.iter().map(move |b| (*a, *b)));
    pairs.filter(|(a, b)| a != b).min_by(|(a, b), (c, d)| distance(*a, *b).total_cmp(&distance(*c, *d)))
}

/// Draws the legend below `top`; also returns its lower end.
fn legend_below(geometry: &Geometry, scene: &Scene, top: f64, side: f64) -> (String, f64) {
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
        let (left, base, words) = (short(x + 26.0), short(y + 5.0), escaped(words));
        out += &format!("<text class=\"say\" x=\"{left}\" y=\"{base}\">{words}</text>\n");
        x += wide;
        end = y + 8.0;
    }
    (out, end)
}

/// Writes the legend of a scene: for each entry a sample and its words.
pub fn html_legend(geometry: &Geometry, scene: &Scene) -> String {
    let entries = legend(geometry, scene).into_iter().map(|(key, words)| {
        let (sample, words) = (sample(key), escaped(&words));
        format!(
            "<span><svg class=\"pinion\" viewBox=\"-3 -11 26 22\" aria-hidden=\"true\">{sample}</svg>{words}</span>"
        )
    });
    entries.collect()
}

/// Draws the sample of a legend entry, around a point ten pixels to the right.
pub fn sample(key: LegendKey) -> String {
    let class = match key {
        LegendKey::Mark(mark) => return format!("<use href=\"#{}\" x=\"9\" y=\"0\"/>", id(mark)),
        LegendKey::Strong => return "<path class=\"link\" d=\"M-2 0H20\"/>".into(),
        LegendKey::Weak => return "<path class=\"link weak\" d=\"M-2 0H20\"/>".into(),
        LegendKey::Cells => "cell".to_owned(),
        LegendKey::Set(number) => format!("set s{}", number % 4),
        LegendKey::House(number) => format!("h{}", number.min(1)),
        LegendKey::Fails => "fails".to_owned(),
    };
    format!("<rect class=\"{class}\" x=\"0\" y=\"-8\" width=\"18\" height=\"16\"/>")
}

/// Escapes text for XML and HTML. Characters that would mislead a reader or are not allowed there become signs.
pub fn escaped(text: &str) -> String {
    let text = visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

/// A bar with a part for each kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Words before the bar.
    pub label: String,
    /// Length of each part.
    pub parts: Vec<u64>,
}

/// Height of a row, in pixels.
const ROW: usize = 22;
/// Width of the labels, in pixels.
const LEFT: usize = 230;
/// Length of the longest bar, in pixels.
const WIDE: usize = 460;
const COLOURS: [&str; 4] = ["#3b6ea5", "#d98032", "#5b8c5a", "#8a6fb0"];

/// Draws a chart of horizontal bars, with the name of each kind of part.
pub fn bars(title: &str, kinds: &[&str], bars: &[Bar]) -> String {
    let most = bars.iter().map(|bar| bar.parts.iter().sum::<u64>()).max().unwrap_or(0).max(1);
    let (width, height) = (LEFT + WIDE + 90, (bars.len() + 3) * ROW);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    out += &text(10, ROW, "start", title, " font-weight=\"bold\"");
    let mut x = 10;
    for (at, kind) in kinds.iter().enumerate() {
        out += &rect(x, ROW + 12, 12, COLOURS[at % COLOURS.len()]);
        out += &text(x + 17, ROW + 23, "start", kind, "");
        x += 40 + 8 * kind.chars().count();
    }
    for (row, bar) in bars.iter().enumerate() {
        let y = (row + 2) * ROW + 10;
        out += &text(LEFT - 8, y + 14, "end", &bar.label, "");
        let mut x = LEFT;
        for (at, part) in bar.parts.iter().enumerate() {
            let long = (part * WIDE as u64 / most) as usize;
            out += &rect(x, y + 3, long, COLOURS[at % COLOURS.len()]);
            x += long;
        }
        let sums: Vec<String> = bar.parts.iter().map(u64::to_string).collect();
        out += &text(x + 6, y + 14, "start", &sums.join(" + "), " fill=\"#555\"");
    }
    out + "</svg>\n"
}

fn rect(x: usize, y: usize, width: usize, colour: &str) -> String {
    format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"14\" fill=\"{colour}\"/>\n")
}

fn text(x: usize, y: usize, anchor: &str, words: &str, more: &str) -> String {
    let words = escaped(words);
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\"{more}>{words}</text>\n")
}
