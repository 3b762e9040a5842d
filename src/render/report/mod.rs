//! Paths as one page. In: paths, one after the other. Out: self-contained HTML: pictures of every step with its reason, and for a
//! collection a table with charts.
//!
//! A page is written as a stream: its head, a row for each path, its foot. Only sums are kept, and they are in the foot, so the page is
//! valid after any number of rows. The steps of a path are compressed, layer by layer as [`Picture`] draws them; the page's script puts
//! the layers in place.

use super::line::{Line, html_lines, html_pieces};
use super::names::{capitalized, contradiction_words, count_phrase, thousands};
use super::path::{guesses, is_single};
use super::scene::Scene;
use super::signs::visible;
use super::svg::{Picture, STYLE, escaped, html_legend};
use super::text::{headline, step_lines};
use crate::grid::Geometry;
use crate::solve::{Outcome, Path, Replay};
use data_encoding::BASE64;
use miniz_oxide::deflate::compress_to_vec;
use serde::Serialize;
use std::cmp::Reverse;

/// A puzzle with its path, ready for a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageRow {
    puzzle: String,
    note: String,
    /// Outcome of the path, in words.
    end: String,
    steps: usize,
    hardest: String,
    rating: u64,
    /// Names of the steps, each once.
    uses: Vec<String>,
    /// Number of steps of each name, in that order.
    #[serde(skip)]
    times: Vec<usize>,
    #[serde(skip)]
    solved: bool,
    /// Compressed steps.
    path: String,
}

/// A step as the page shows it. The last entry of a path is its final position.
#[derive(Serialize)]
struct PageStep {
    name: String,
    head: String,
    says: String,
    single: bool,
    /// Rows of digits that differ from the step before, each with its index.
    rows: Vec<(usize, String)>,
    below: String,
    above: String,
    keys: String,
}

impl PageRow {
    /// Prepares a path. `puzzle` and `note` are texts of the source file.
    pub fn new(geometry: &Geometry, path: &Path, puzzle: String, note: String) -> PageRow {
        let (mut uses, mut times): (Vec<String>, Vec<usize>) = Default::default();
        for step in &path.steps {
            let name = visible(&step.name);
            let at = uses.iter().position(|known| *known == name).unwrap_or_else(|| {
                uses.push(name.into_owned());
                times.push(0);
                uses.len() - 1
            });
            times[at] += 1;
        }
        let steps = serde_json::to_vec(&page_steps(geometry, path)).unwrap_or_default();
        PageRow {
            puzzle,
            note: visible(&note).into_owned(),
            end: end(geometry, path),
            steps: path.steps.len(),
            hardest: path.hardest().map_or(String::new(), |at| visible(&path.steps[at].name).into_owned()),
            rating: path.cost.total,
            uses,
            times,
            solved: path.outcome == Outcome::Solved,
            path: BASE64.encode(&compress_to_vec(&steps, COMPRESSION)),
        }
    }
}

/// Compression level; a higher one takes twice as long and saves a tenth.
const COMPRESSION: u8 = 6;

fn end(geometry: &Geometry, path: &Path) -> String {
    let guesses = guesses(path);
    match path.outcome {
        Outcome::Solved => format!("solved{guesses}"),
        Outcome::Stuck => format!("stuck, {} open{guesses}", count_phrase(path.end.unsolved_count(), "cell")),
        Outcome::Broken(found) => format!("broken: {}", contradiction_words(geometry, found)),
    }
}

fn page_steps(geometry: &Geometry, path: &Path) -> Vec<PageStep> {
    let mut replay = Replay::new(path.start.clone());
    let mut shown = Vec::new();
    let mut out = Vec::new();
    for step in &path.steps {
        let state = replay.state();
        out.push(PageStep {
            name: visible(&step.name).into_owned(),
            head: html_pieces(&headline(geometry, step)),
            says: html_lines(&step_lines(geometry, step, 2)),
            single: is_single(geometry, state, step),
            ..picture(geometry, &Scene::of_step(geometry, state, step), &mut shown)
        });
        replay.apply(geometry, step);
    }
    let last = [Line::text(format!("{}.", capitalized(&end(geometry, path))))];
    let scene = Scene::of_state(path.end.clone());
    out.push(PageStep {
        head: html_pieces(&last[0]),
        says: html_lines(&last),
        ..picture(geometry, &scene, &mut shown)
    });
    out
}

/// Draws a scene, as a step without texts; `shown` are the rows of digits of the picture before.
fn picture(geometry: &Geometry, scene: &Scene, shown: &mut Vec<String>) -> PageStep {
    let Picture { below, digits, above } = Picture::new(geometry, scene);
    shown.resize(digits.len(), String::new());
    let changed = digits.iter().enumerate().filter(|(at, text)| shown[*at] != **text);
    let rows = changed.map(|(at, text)| (at, text.clone())).collect();
    *shown = digits;
    let keys = html_legend(geometry, scene);
    PageStep { name: String::new(), head: String::new(), says: String::new(), single: false, rows, below, above, keys }
}

/// A page that is being written.
pub struct Page<'p> {
    geometry: &'p Geometry,
    title: String,
    profile: &'p str,
    puzzles: usize,
    solved: usize,
    steps: usize,
    /// Outcome and rating of the first path, until there is a second.
    only: Option<(String, u64)>,
    charts: Charts,
}

impl<'p> Page<'p> {
    /// Begins a page. `profile` is the name of the profile that rates the paths.
    pub fn new(geometry: &'p Geometry, title: &str, profile: &'p str) -> Page<'p> {
        let (title, charts) = (title.to_owned(), Charts::default());
        Page { geometry, title, profile, puzzles: 0, solved: 0, steps: 0, only: None, charts }
    }

    /// Returns the text before the first path.
    pub fn head(&self) -> String {
        let parts = [("{css}", include_str!("page.css")), ("{style}", STYLE), ("{title}", &escaped(&self.title))];
        filled(TEMPLATE.0, &parts)
    }

    /// Returns the text of a path, and counts it.
    pub fn row(&mut self, one: &PageRow) -> String {
        let comma = if self.puzzles > 0 { ",\n" } else { "" };
        self.only = (self.puzzles == 0).then(|| (one.end.clone(), one.rating));
        self.puzzles += 1;
        self.solved += usize::from(one.solved);
        self.steps += one.steps;
        self.charts.add(one);
        format!("{comma}{}", in_script(&serde_json::to_string(one).unwrap_or_default()))
    }

    /// Returns the text after the last path.
    pub fn foot(&self) -> String {
        let (steps, profile) = (thousands(self.steps as u64), self.profile);
        let summary = match &self.only {
            Some((end, rating)) => {
                format!("{}, {steps} steps; rated {} by the profile {profile}.", capitalized(end), thousands(*rating))
            }
            None => {
                let (count, solved) = (thousands(self.puzzles as u64), thousands(self.solved as u64));
                format!("{count} puzzles, {solved} solved, {steps} steps; rated by the profile {profile}.")
            }
        };
        let many = self.puzzles > 1;
        let (view, shapes, lines, rows) = Picture::board(self.geometry);
        let parts = [
            ("{names}", in_script(&serde_json::to_string(&self.charts.names()).unwrap_or_default())),
            ("{js}", include_str!("page.js").to_owned()),
            ("{view}", view),
            ("{shapes}", shapes.to_string()),
            ("{lines}", lines),
            ("{rows}", rows),
            ("{all}", if many { "" } else { " hidden" }.to_owned()),
            ("{charts}", if many { self.charts.html() } else { String::new() }),
            ("{title}", escaped(&self.title)),
            ("{summary}", escaped(&summary)),
        ];
        filled(TEMPLATE.1, &parts.each_ref().map(|(name, text)| (*name, text.as_str())))
    }
}

/// The templates before and after the paths.
const TEMPLATE: (&str, &str) = (include_str!("head.html"), include_str!("foot.html"));

/// Writes the page of some paths.
pub fn page(geometry: &Geometry, title: &str, profile: &str, puzzles: &[PageRow]) -> String {
    let mut page = Page::new(geometry, title, profile);
    let rows: String = puzzles.iter().map(|one| page.row(one)).collect();
    page.head() + &rows + &page.foot()
}

/// Escapes JSON for a script element, so that nothing in it looks like the end of the element.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Replaces the placeholders of a template in one pass, since a replacement may contain the name of a placeholder.
fn filled(template: &str, parts: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        let (before, after) = rest.split_at(at);
        let (text, used) =
            parts.iter().find(|(name, _)| after.starts_with(name)).map_or(("{", 1), |(name, text)| (*text, name.len()));
        out += before;
        out += text;
        rest = &after[used..];
    }
    out + rest
}

/// Use of a technique in a collection.
#[derive(Clone, Copy, Default)]
struct Usage {
    /// Puzzles with a step of it.
    puzzles: usize,
    steps: usize,
    /// Puzzles whose hardest step it is.
    hardest: usize,
}

/// Sums over the puzzles of a collection, for tables whose numbers have bars behind them.
#[derive(Default)]
struct Charts {
    /// Each technique, in the order of first use.
    usage: Vec<(String, Usage)>,
    /// Number of puzzles between two bounds of the rating; see [`bound`].
    ratings: Vec<usize>,
    /// Highest rating.
    highest: u64,
}

impl Charts {
    /// Adds a puzzle.
    fn add(&mut self, one: &PageRow) {
        for (name, times) in one.uses.iter().zip(&one.times) {
            let at = self.usage.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                self.usage.push((name.clone(), Usage::default()));
                self.usage.len() - 1
            });
            let usage = &mut self.usage[at].1;
            usage.puzzles += 1;
            usage.steps += times;
            usage.hardest += usize::from(one.hardest == *name);
        }
        let range = (0..BOUNDS).take_while(|&at| bound(at) <= one.rating).count();
        self.ratings.resize(self.ratings.len().max(range + 1), 0);
        self.ratings[range] += 1;
        self.highest = self.highest.max(one.rating);
    }

    /// Returns every name, the most used first.
    fn names(&self) -> Vec<&str> {
        self.sorted().into_iter().map(|(name, _)| name).collect()
    }

    fn sorted(&self) -> Vec<(&str, Usage)> {
        let mut all: Vec<(&str, Usage)> = self.usage.iter().map(|(name, usage)| (name.as_str(), *usage)).collect();
        all.sort_by_key(|(_, usage)| Reverse((usage.puzzles, usage.steps)));
        all
    }

    /// Writes the charts as HTML.
    fn html(&self) -> String {
        technique_chart(&self.sorted()) + &self.rating_chart()
    }

    /// Draws the number of puzzles between two bounds of the rating.
    fn rating_chart(&self) -> String {
        let last = (0..BOUNDS).find(|&at| bound(at) >= self.highest).unwrap_or(BOUNDS - 1);
        let mut counts: Vec<(u64, u64, usize)> = Vec::new();
        for at in 0..=last {
            let from = at.checked_sub(1).map_or(0, bound);
            counts.push((from, bound(at), self.ratings.get(at).copied().unwrap_or(0)));
        }
        counts.push((bound(last), u64::MAX, self.ratings.iter().skip(last + 1).sum()));
        let first = counts.iter().position(|(.., count)| *count > 0).unwrap_or(0);
        let end = counts.iter().rposition(|(.., count)| *count > 0).map_or(0, |at| at + 1);
        let highest = counts.iter().map(|(.., count)| *count).max().unwrap_or(0);
        let rows = counts.get(first..end).unwrap_or_default().iter().map(|(from, to, count)| {
            let to = if *to == u64::MAX { "and more".to_string() } else { format!("to {}", thousands(*to)) };
            format!("<tr><td>{} {to}</td>{}</tr>", thousands(*from), bar_cell(*count, highest))
        });
        let body: String = rows.collect();
        boxed("How hard the puzzles are", "<th>rating</th><th class=\"n\">puzzles</th>", &body)
    }
}

/// Number of bounds of ratings.
const BOUNDS: usize = 90;

/// Returns a bound of ratings, about half as large again as the one before.
fn bound(at: usize) -> u64 {
    [1000, 1500, 2000, 3000, 5000, 7000][at % 6] * 10_u64.pow((at / 6) as u32)
}

/// Writes a table cell with a bar that compares the number with the largest one.
fn bar_cell(number: usize, largest: usize) -> String {
    let share = 100 * number / largest.max(1);
    format!("<td class=\"n\"><span style=\"--w:{share}\">{}</span></td>", thousands(number as u64))
}

fn boxed(title: &str, head: &str, body: &str) -> String {
    format!(
        "<div class=\"box\"><h2>{title}</h2><div class=\"scroll\"><table><thead><tr>{head}</tr></thead>\
         <tbody>{body}</tbody></table></div></div>\n"
    )
}

fn technique_chart(usage: &[(&str, Usage)]) -> String {
    let largest = usage.iter().fold(Usage::default(), |most, (_, usage)| Usage {
        puzzles: most.puzzles.max(usage.puzzles),
        steps: most.steps.max(usage.steps),
        hardest: most.hardest.max(usage.hardest),
    });
    let rows = usage.iter().map(|(name, usage)| {
        let puzzles = bar_cell(usage.puzzles, largest.puzzles);
        let (steps, hardest) = (bar_cell(usage.steps, largest.steps), bar_cell(usage.hardest, largest.hardest));
        format!("<tr><td>{}</td>{puzzles}{steps}{hardest}</tr>", escaped(name))
    });
    let head =
        "<th>technique</th><th class=\"n\">puzzles</th><th class=\"n\">steps</th><th class=\"n\">hardest in</th>";
    boxed("Techniques used, and where each is the hardest step", head, &rows.collect::<String>())
}
