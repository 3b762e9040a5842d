//! Bar charts as SVG. In: labelled numbers of a few kinds. Out: a self-contained picture.

use super::escaped;

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
