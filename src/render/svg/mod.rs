//! Draws a scene as SVG. In: a scene, a caption. Out: a self-contained picture, without scripts or external fonts, for light and dark pages
//! and for print. Colour is never the only distinction: marks differ by shape, weak links are dashed, outlines have dash patterns.
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
pub use board::SHAPES;
use board::{BoardLayout, PixelPoint, short};
use paths::{Arcs, distance, outline};
use std::collections::BTreeSet;

pub const STYLE: &str = include_str!("style.css");

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Layer below the lines of the board: houses and cells of the pattern.
    pub below: String,
    /// Digits as rows of text, between the two layers.
    pub digits: Vec<String>,
    /// Layer above the digits: outlines, links, marks and marked digits.
    pub above: String,
}

impl Picture {
    pub fn new(geometry: &Geometry, scene: &Scene) -> Picture {
        let layout = BoardLayout::new(geometry);
        let mut above = draw_outlines(&layout, scene) + &draw_links(&layout, scene);
        for (&candidate, &mark) in &scene.marks {
            let (x, y) = layout.candidate(candidate);
            above += &format!("<use href=\"#{}\" x=\"{}\" y=\"{}\"/>", shape_id(mark), short(x), short(y));
            above += &board::bold(&layout, candidate);
        }
        Picture { below: draw_background(&layout, scene), digits: board::digits(&layout, &scene.state), above }
    }
}

/// Returns the dimensions by which a page finds the cell or candidate under the pointer: in pixels, the side of the picture,
/// the distance from its left and upper border to the first cell, and the side of a cell; numbers of candidates in a cell.
pub fn picture_measures(geometry: &Geometry) -> serde_json::Value {
    let layout = BoardLayout::new(geometry);
    serde_json::json!({
        "side": layout.side(),
        "edge": layout.line(0),
        "cell": layout.cell,
        "wide": layout.wide,
        "high": layout.high,
    })
}

/// Returns the SVG elements that all pictures of a board share, each with its placeholder in a page: the view box, the shapes
/// of all marks, the lines of the board with their numbers, and rows of text without digits, which a script writes.
pub fn board_elements(geometry: &Geometry) -> [(&'static str, String); 4] {
    let layout = BoardLayout::new(geometry);
    // Each row of the board has `layout.high` rows of candidates, a row of givens and a row of placed digits.
    let blank = vec!["\u{a0}".to_string(); geometry.size() * (layout.high + 2)];
    let side = short(layout.side());
    [
        ("{view}", format!("0 0 {side} {side}")),
        ("{shapes}", SHAPES.to_owned()),
        ("{lines}", board::lines(&layout)),
        ("{rows}", board::rows(&layout, &blank)),
    ]
}

/// Writes the picture without style and shapes, for a page that contains these once for all pictures.
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

pub fn svg(geometry: &Geometry, scene: &Scene, caption: &[Line]) -> String {
    let layout = BoardLayout::new(geometry);
    let picture = Picture::new(geometry, scene);
    let side = layout.side();
    let letters = ((side - CAPTION_MARGINS) / LETTER_WIDTH) as usize;
    let lines = caption.iter().flat_map(|line| line.wrapped(letters));
    let mut y = side + 18.0;
    let mut text = String::new();
    for (index, line) in lines.enumerate() {
        let class = if index == 0 { "say head" } else { "say" };
        let words = escaped(&line.to_string());
        text += &format!("<text class=\"{class}\" x=\"20\" y=\"{}\">{words}</text>\n", short(y));
        y += CAPTION_LINE;
    }
    let (keys, bottom) = legend_below(geometry, scene, y + 4.0, side);
    let width = short(side);
    let height = short(bottom + 6.0);
    let title = escaped(&caption.first().map(Line::to_string).unwrap_or_default());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pinion\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n{}\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{}\n{}\n{}\n{}\n{text}{keys}</svg>\n",
        SHAPES,
        picture.below,
        board::lines(&layout),
        board::rows(&layout, &picture.digits),
        picture.above,
    )
}

/// Average width of a letter of the caption, in pixels.
const LETTER_WIDTH: f64 = 8.2;
/// Height of a line of the caption, in pixels.
const CAPTION_LINE: f64 = 19.0;
/// Space to the left and right of the caption, in pixels.
const CAPTION_MARGINS: f64 = 24.0;

fn shape_id(mark: Mark) -> &'static str {
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

/// Draws the houses, and above them the cells of the pattern.
fn draw_background(layout: &BoardLayout, scene: &Scene) -> String {
    let mut out = String::new();
    let mut squares: BTreeSet<(usize, Cell)> = BTreeSet::new();
    for (house, number) in &scene.houses {
        // Houses of the rule's first name of houses have class `h0`, all other houses have class `h1`.
        let class = (*number).min(1);
        squares.extend(layout.geometry.house(*house).cells.iter().map(|cell| (class, *cell)));
    }
    for (class, cell) in squares {
        out += &square(layout, cell, &format!("h{class}"));
    }
    scene.cells.iter().for_each(|&cell| out += &square(layout, cell, "cell"));
    out
}

/// Draws outlines. Three insets alternate, so that outlines of overlapping sets stay distinct.
fn draw_outlines(layout: &BoardLayout, scene: &Scene) -> String {
    let mut out = String::new();
    for (number, cells) in scene.sets.iter().enumerate() {
        let path = outline(layout, cells, 2.0 + 1.5 * (number % 3) as f64);
        out += &format!("<path class=\"set s{}\" d=\"{path}\"/>", number % 4);
    }
    if !scene.contradictions.is_empty() {
        out += &format!("<path class=\"fails\" d=\"{}\"/>", outline(layout, &scene.contradictions, 2.0));
    }
    out
}

fn draw_links(layout: &BoardLayout, scene: &Scene) -> String {
    let marked = scene.marks.keys().map(|&candidate| layout.candidate(candidate));
    let solved = layout.geometry.cells().filter(|cell| scene.state.value(*cell).is_some());
    let obstacles = marked.chain(solved.map(|cell| layout.centre(cell))).collect();
    let mut arcs = Arcs::new(obstacles, (layout.line(0) - 2.0, layout.line(layout.geometry.size()) + 2.0));
    let mut out = String::new();
    for link in &scene.links {
        let Some((from, to)) = nearest_candidates(layout, &link.from, &link.to) else { continue };
        let kind = if link.strong { "" } else { " weak" };
        let case = link.case.map_or(String::new(), |case| format!(" k{}\" marker-end=\"url(#tip)", case % 4));
        out += &format!("<path class=\"link{kind}{case}\" d=\"{}\"/>", arcs.next(from, to));
    }
    out
}

fn nearest_candidates(layout: &BoardLayout, a: &ChainNode, b: &ChainNode) -> Option<(PixelPoint, PixelPoint)> {
    let from = a.candidates().map(|candidate| layout.candidate(candidate));
    let to: Vec<PixelPoint> = b.candidates().map(|candidate| layout.candidate(candidate)).collect();
    let pairs = from.flat_map(|from| to.iter().map(move |to| (from, *to)));
    pairs.filter(|(from, to)| from != to).min_by(|(a, b), (c, d)| distance(*a, *b).total_cmp(&distance(*c, *d)))
}

/// Draws the legend below the y coordinate `top`. Also returns the y coordinate of the lower end of the legend.
fn legend_below(geometry: &Geometry, scene: &Scene, top: f64, side: f64) -> (String, f64) {
    let mut x = 20.0;
    let mut y = top + 8.0;
    let mut out = String::new();
    let entries = legend(geometry, scene);
    let mut bottom = if entries.is_empty() { top - 12.0 } else { y + 8.0 };
    for (key, words) in &entries {
        let width = 40.0 + 8.0 * words.chars().count() as f64;
        if x > 20.0 && x + width > side {
            (x, y) = (20.0, y + 24.0);
        }
        out += &format!("<g transform=\"translate({} {})\">{}</g>", short(x), short(y), sample(*key));
        let (left, base, words) = (short(x + 26.0), short(y + 5.0), escaped(words));
        out += &format!("<text class=\"say\" x=\"{left}\" y=\"{base}\">{words}</text>\n");
        x += width;
        bottom = y + 8.0;
    }
    (out, bottom)
}

/// Writes the legend of a scene as HTML: for each entry a sample and its words.
pub fn html_legend(geometry: &Geometry, scene: &Scene) -> String {
    let entries = legend(geometry, scene).into_iter().map(|(key, words)| {
        let (sample, words) = (sample(key), escaped(&words));
        format!(
            "<span><svg class=\"pinion\" viewBox=\"-3 -11 26 22\" aria-hidden=\"true\">{sample}</svg>{words}</span>"
        )
    });
    entries.collect()
}

/// Draws the sample of a legend entry. Its centre is about 9 pixels to the right of the origin.
pub fn sample(key: LegendKey) -> String {
    let class = match key {
        LegendKey::Mark(mark) => return format!("<use href=\"#{}\" x=\"9\" y=\"0\"/>", shape_id(mark)),
        LegendKey::Strong => return "<path class=\"link\" d=\"M-2 0H20\"/>".into(),
        LegendKey::Weak => return "<path class=\"link weak\" d=\"M-2 0H20\"/>".into(),
        LegendKey::Cells => "cell".to_owned(),
        LegendKey::Set(number) => format!("set s{}", number % 4),
        LegendKey::House(number) => format!("h{}", number.min(1)),
        LegendKey::Contradictions => "fails".to_owned(),
    };
    format!("<rect class=\"{class}\" x=\"0\" y=\"-8\" width=\"18\" height=\"16\"/>")
}

/// Escapes text for XML and HTML. Misleading characters, and characters that XML forbids, become signs.
pub fn escaped(text: &str) -> String {
    let text = visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

/// A bar of a bar chart. It has a part for each kind of thing that is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    pub label: String,
    pub parts: Vec<u64>,
}

/// Height of a row of the bar chart, in pixels.
const ROW_HEIGHT: usize = 22;
/// Width of the labels, in pixels.
const LABEL_WIDTH: usize = 230;
/// Length of the longest bar, in pixels.
const MAX_BAR: usize = 460;
/// Colours of the kinds. After the last colour, the first is used again.
const COLOURS: [&str; 4] = ["#3b6ea5", "#d98032", "#5b8c5a", "#8a6fb0"];

/// Draws a chart of horizontal bars. `kinds` are the names of the parts of each bar.
pub fn bars(title: &str, kinds: &[&str], bars: &[Bar]) -> String {
    let largest = bars.iter().map(|bar| bar.parts.iter().sum::<u64>()).max().unwrap_or(0).max(1);
    let width = LABEL_WIDTH + MAX_BAR + 90;
    let height = (bars.len() + 3) * ROW_HEIGHT;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    out += &text(10, ROW_HEIGHT, "start", title, " font-weight=\"bold\"");
    let mut x = 10;
    for (index, kind) in kinds.iter().enumerate() {
        out += &rect(x, ROW_HEIGHT + 12, 12, COLOURS[index % COLOURS.len()]);
        out += &text(x + 17, ROW_HEIGHT + 23, "start", kind, "");
        x += 40 + 8 * kind.chars().count();
    }
    for (row, bar) in bars.iter().enumerate() {
        let y = (row + 2) * ROW_HEIGHT + 10;
        out += &text(LABEL_WIDTH - 8, y + 14, "end", &bar.label, "");
        let mut x = LABEL_WIDTH;
        for (index, part) in bar.parts.iter().enumerate() {
            let length = (part * MAX_BAR as u64 / largest) as usize;
            out += &rect(x, y + 3, length, COLOURS[index % COLOURS.len()]);
            x += length;
        }
        let sums: Vec<String> = bar.parts.iter().map(u64::to_string).collect();
        out += &text(x + 6, y + 14, "start", &sums.join(" + "), " fill=\"#555\"");
    }
    out + "</svg>\n"
}

fn rect(x: usize, y: usize, width: usize, colour: &str) -> String {
    format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"14\" fill=\"{colour}\"/>\n")
}

fn text(x: usize, y: usize, anchor: &str, words: &str, attributes: &str) -> String {
    let words = escaped(words);
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\"{attributes}>{words}</text>\n")
}
