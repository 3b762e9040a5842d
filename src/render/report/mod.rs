//! Paths as one HTML page. In: paths in order. Out: a self-contained page with a picture and the reason of every step. A page of several
//! paths also has tables with charts.
//!
//! A page is written as a stream: head, one JSON object for each path ([`PagePath`]), foot. The foot contains the sums, so no path has to
//! stay in memory. Each object contains the layers of all pictures of its path ([`Picture`]) as compressed text; the page's script draws them.

use super::line::{Line, html_lines, html_pieces};
use super::names::{capitalized, contradiction_words, count_phrase, thousands};
use super::path::{guess_words, is_single, use_counts};
use super::scene::Scene;
use super::signs::visible;
use super::svg::{Picture, STYLE, board_elements, escaped, html_legend};
use super::text::{headline, step_lines};
use crate::grid::Geometry;
use crate::solve::{Outcome, Path, PathCursor};
use data_encoding::BASE64;
use miniz_oxide::deflate::compress_to_vec;
use serde::Serialize;
use std::cmp::Reverse;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PagePath {
    puzzle: String,
    note: String,
    #[serde(rename = "end")]
    outcome: String,
    steps: usize,
    hardest: String,
    rating: u64,
    /// Names of the steps, each once.
    #[serde(rename = "uses")]
    names: Vec<String>,
    /// Number of steps of each name, in the order of `names`.
    #[serde(skip)]
    counts: Vec<usize>,
    #[serde(skip)]
    is_solved: bool,
    /// The [`PageStep`]s as JSON, deflated, in Base64.
    path: String,
}

/// A step as the page shows it. The last entry of a path shows the final position.
#[derive(Serialize)]
struct PageStep {
    name: String,
    head: String,
    says: String,
    single: bool,
    /// Rows of digits that differ from the previous picture, each with its index.
    #[serde(rename = "rows")]
    changed_digit_rows: Vec<(usize, String)>,
    #[serde(rename = "below")]
    layer_below_digits: String,
    #[serde(rename = "above")]
    layer_above_digits: String,
    #[serde(rename = "keys")]
    legend: String,
}

impl PagePath {
    /// Prepares a path. `puzzle` and `note` are texts of the source file.
    pub fn new(geometry: &Geometry, path: &Path, puzzle: String, note: String) -> PagePath {
        let uses = use_counts(path).into_iter();
        let (names, counts) = uses.map(|(name, count)| (visible(name).into_owned(), count)).unzip();
        let steps = serde_json::to_vec(&page_steps(geometry, path)).unwrap_or_default();
        PagePath {
            puzzle,
            note: visible(&note).into_owned(),
            outcome: outcome_words(geometry, path),
            steps: path.steps.len(),
            hardest: path.hardest().map_or(String::new(), |index| visible(&path.steps[index].name).into_owned()),
            rating: path.cost.total,
            names,
            counts,
            is_solved: path.outcome == Outcome::Solved,
            path: BASE64.encode(&compress_to_vec(&steps, COMPRESSION)),
        }
    }
}

/// Compression level. A higher level takes twice as long and makes the data only a tenth smaller.
const COMPRESSION: u8 = 6;

fn outcome_words(geometry: &Geometry, path: &Path) -> String {
    let guesses = guess_words(path);
    match path.outcome {
        Outcome::Solved => format!("solved{guesses}"),
        Outcome::Stuck => format!("stuck, {} open{guesses}", count_phrase(path.end.unsolved_count(), "cell")),
        Outcome::Broken(contradiction) => format!("broken: {}", contradiction_words(geometry, contradiction)),
    }
}

fn page_steps(geometry: &Geometry, path: &Path) -> Vec<PageStep> {
    let mut cursor = PathCursor::new(path.start.clone());
    let mut digit_rows = Vec::new();
    let mut page_steps = Vec::new();
    for step in &path.steps {
        let state = cursor.state();
        page_steps.push(PageStep {
            name: visible(&step.name).into_owned(),
            head: html_pieces(&headline(geometry, step)),
            says: html_lines(&step_lines(geometry, step, 2)),
            single: is_single(geometry, state, step),
            ..picture_step(geometry, &Scene::of_step(geometry, state, step), &mut digit_rows)
        });
        cursor.apply(geometry, step);
    }
    let outcome = Line::text(format!("{}.", capitalized(&outcome_words(geometry, path))));
    let scene = Scene::of_state(path.end.clone());
    page_steps.push(PageStep {
        head: html_pieces(&outcome),
        says: html_lines(std::slice::from_ref(&outcome)),
        ..picture_step(geometry, &scene, &mut digit_rows)
    });
    page_steps
}

/// Draws a scene as a step without texts. `digit_rows` are the rows of digits of the previous picture; the function
/// replaces them by the rows of this picture.
fn picture_step(geometry: &Geometry, scene: &Scene, digit_rows: &mut Vec<String>) -> PageStep {
    let Picture { below, digits, above } = Picture::new(geometry, scene);
    digit_rows.resize(digits.len(), String::new());
    let changed = digits.iter().enumerate().filter(|(index, text)| digit_rows[*index] != **text);
    let changed_digit_rows = changed.map(|(index, text)| (index, text.clone())).collect();
    *digit_rows = digits;
    PageStep {
        name: String::new(),
        head: String::new(),
        says: String::new(),
        single: false,
        changed_digit_rows,
        layer_below_digits: below,
        layer_above_digits: above,
        legend: html_legend(geometry, scene),
    }
}

pub struct Page<'p> {
    geometry: &'p Geometry,
    title: String,
    profile: &'p str,
    puzzles: usize,
    solved: usize,
    steps: usize,
    /// Outcome and rating of the path, if the page has exactly one path.
    only_path: Option<(String, u64)>,
    charts: Charts,
}

impl<'p> Page<'p> {
    /// Begins a page. `profile` is the name of the profile that rates the paths.
    pub fn new(geometry: &'p Geometry, title: &str, profile: &'p str) -> Page<'p> {
        let (title, charts) = (title.to_owned(), Charts::default());
        Page { geometry, title, profile, puzzles: 0, solved: 0, steps: 0, only_path: None, charts }
    }

    pub fn head(&self) -> String {
        let (css, style) = (include_str!("page.css").to_owned(), STYLE.to_owned());
        let parts = [("{css}", css), ("{style}", style), ("{title}", escaped(&self.title))];
        fill_template(include_str!("head.html"), &parts)
    }

    /// Returns the text of a path, and adds the path to the sums.
    pub fn add_path(&mut self, path: &PagePath) -> String {
        let comma = if self.puzzles > 0 { ",\n" } else { "" };
        self.only_path = if self.puzzles == 0 { Some((path.outcome.clone(), path.rating)) } else { None };
        self.puzzles += 1;
        self.solved += usize::from(path.is_solved);
        self.steps += path.steps;
        self.charts.add(path);
        format!("{comma}{}", script_json(&serde_json::to_string(path).unwrap_or_default()))
    }

    pub fn foot(&self) -> String {
        let (steps, profile) = (thousands(self.steps as u64), self.profile);
        let summary = match &self.only_path {
            Some((outcome, rating)) => {
                let (outcome, rating) = (capitalized(outcome), thousands(*rating));
                format!("{outcome}, {steps} steps; rated {rating} by the profile {profile}.")
            }
            None => {
                let (count, solved) = (thousands(self.puzzles as u64), thousands(self.solved as u64));
                format!("{count} puzzles, {solved} solved, {steps} steps; rated by the profile {profile}.")
            }
        };
        let is_collection = self.puzzles > 1;
        // The page of a single path hides the list of puzzles.
        let list_attribute = if is_collection { "" } else { " hidden" };
        let mut parts = vec![
            ("{names}", script_json(&serde_json::to_string(&self.charts.names()).unwrap_or_default())),
            ("{js}", include_str!("page.js").to_owned()),
            ("{list_attribute}", list_attribute.to_owned()),
            ("{charts}", if is_collection { self.charts.html() } else { String::new() }),
            ("{title}", escaped(&self.title)),
            ("{summary}", escaped(&summary)),
        ];
        parts.extend(board_elements(self.geometry));
        fill_template(include_str!("foot.html"), &parts)
    }
}

pub fn page(geometry: &Geometry, title: &str, profile: &str, paths: &[PagePath]) -> String {
    let mut page = Page::new(geometry, title, profile);
    let objects: String = paths.iter().map(|path| page.add_path(path)).collect();
    page.head() + &objects + &page.foot()
}

/// Escapes JSON for a script element, so that no text in it looks like the end of the element.
fn script_json(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Replaces the placeholders of a template in one pass, because a replacement may contain the name of a placeholder.
fn fill_template(template: &str, parts: &[(&str, String)]) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some(brace) = rest.find('{') {
        let (before, after) = rest.split_at(brace);
        filled += before;
        if let Some((name, text)) = parts.iter().find(|(name, _)| after.starts_with(name)) {
            filled += text;
            rest = &after[name.len()..];
        } else {
            filled += "{";
            rest = &after[1..];
        }
    }
    filled + rest
}

#[derive(Clone, Copy, Default)]
struct Usage {
    /// Number of puzzles with a step of the technique.
    puzzles: usize,
    steps: usize,
    /// Number of puzzles in which the technique is the hardest step.
    hardest: usize,
}

/// Sums over the puzzles of a page. In the tables, a bar behind each number shows the size of the number.
#[derive(Default)]
struct Charts {
    /// Name and usage of each technique, in the order of first use.
    usage: Vec<(String, Usage)>,
    /// Number of puzzles in each rating range. Element `n` counts the ratings that are smaller than [`rating_bound`] `n`, but not smaller than
    /// the bound before it.
    rating_counts: Vec<usize>,
    highest_rating: u64,
}

impl Charts {
    fn add(&mut self, path: &PagePath) {
        for (name, count) in path.names.iter().zip(&path.counts) {
            let index = self.usage.iter().position(|(listed, _)| listed == name).unwrap_or_else(|| {
                self.usage.push((name.clone(), Usage::default()));
                self.usage.len() - 1
            });
            let usage = &mut self.usage[index].1;
            usage.puzzles += 1;
            usage.steps += count;
            usage.hardest += usize::from(path.hardest == *name);
        }
        let range = (0..RATING_BOUNDS).take_while(|&index| rating_bound(index) <= path.rating).count();
        self.rating_counts.resize(self.rating_counts.len().max(range + 1), 0);
        self.rating_counts[range] += 1;
        self.highest_rating = self.highest_rating.max(path.rating);
    }

    fn names(&self) -> Vec<&str> {
        self.sorted_usage().into_iter().map(|(name, _)| name).collect()
    }

    fn sorted_usage(&self) -> Vec<(&str, Usage)> {
        let mut sorted: Vec<(&str, Usage)> = self.usage.iter().map(|(name, usage)| (name.as_str(), *usage)).collect();
        sorted.sort_by_key(|(_, usage)| Reverse((usage.puzzles, usage.steps)));
        sorted
    }

    fn html(&self) -> String {
        technique_chart(&self.sorted_usage()) + &self.rating_chart()
    }

    /// Writes the table of the number of puzzles in each rating range. Empty ranges at both ends are left out.
    fn rating_chart(&self) -> String {
        let last_bound =
            (0..RATING_BOUNDS).find(|&index| rating_bound(index) >= self.highest_rating).unwrap_or(RATING_BOUNDS - 1);
        // One range ends at each bound up to the last. One more range contains all higher ratings.
        let mut counts: Vec<usize> =
            (0..=last_bound).map(|index| self.rating_counts.get(index).copied().unwrap_or(0)).collect();
        counts.push(self.rating_counts.iter().skip(last_bound + 1).sum());
        let first = counts.iter().position(|&count| count > 0).unwrap_or(0);
        let largest = counts.iter().copied().max().unwrap_or(0);
        counts.truncate(counts.iter().rposition(|&count| count > 0).map_or(0, |index| index + 1));
        let mut body = String::new();
        for (index, &count) in counts.iter().enumerate().skip(first) {
            let from = thousands(if index == 0 { 0 } else { rating_bound(index - 1) });
            let to = if index > last_bound {
                "and more".to_string()
            } else {
                format!("to {}", thousands(rating_bound(index)))
            };
            body += &format!("<tr><td>{from} {to}</td>{}</tr>", bar_cell(count, largest));
        }
        boxed_table("How hard the puzzles are", "<th>rating</th><th class=\"n\">puzzles</th>", &body)
    }
}

const RATING_BOUNDS: usize = 90;

/// Returns a bound between rating ranges. Each bound is about 1.5 times the previous bound.
fn rating_bound(index: usize) -> u64 {
    [1000, 1500, 2000, 3000, 5000, 7000][index % 6] * 10_u64.pow((index / 6) as u32)
}

/// Writes a table cell with a number and a bar. The length of the bar is the number's share of the largest number.
fn bar_cell(number: usize, largest: usize) -> String {
    let share = 100 * number / largest.max(1);
    format!("<td class=\"n\"><span style=\"--w:{share}\">{}</span></td>", thousands(number as u64))
}

fn boxed_table(title: &str, head: &str, body: &str) -> String {
    format!(
        "<div class=\"box\"><h2>{title}</h2><div class=\"scroll\"><table><thead><tr>{head}</tr></thead>\
         <tbody>{body}</tbody></table></div></div>\n"
    )
}

fn technique_chart(usage: &[(&str, Usage)]) -> String {
    let largest = usage.iter().fold(Usage::default(), |largest, (_, usage)| Usage {
        puzzles: largest.puzzles.max(usage.puzzles),
        steps: largest.steps.max(usage.steps),
        hardest: largest.hardest.max(usage.hardest),
    });
    let rows = usage.iter().map(|(name, usage)| {
        let puzzles = bar_cell(usage.puzzles, largest.puzzles);
        let (steps, hardest) = (bar_cell(usage.steps, largest.steps), bar_cell(usage.hardest, largest.hardest));
        format!("<tr><td>{}</td>{puzzles}{steps}{hardest}</tr>", escaped(name))
    });
    let head =
        "<th>technique</th><th class=\"n\">puzzles</th><th class=\"n\">steps</th><th class=\"n\">hardest in</th>";
    boxed_table("Techniques used, and where each is the hardest step", head, &rows.collect::<String>())
}
