//! Paths as one page. In: paths, one after the other. Out: HTML that needs nothing else: pictures of every step with its reason, and
//! for a collection a table with charts. The steps are packed, layer by layer as [`Picture`] draws them; the page's script only puts
//! them in place.
//!
//! A page is written as a stream: its head, a row for each path, its foot. Only sums are kept, and they are in the foot, so it is a
//! valid page after any number of rows.

mod charts;

use super::html::{html, keys, pieces};
use super::line::Line;
use super::path::guesses;
use super::scene::Scene;
use super::signs::visible;
use super::story::is_single;
use super::svg::{Picture, STYLE, escaped};
use super::text::{explained, headline};
use super::words::{contradiction_words, counted, thousands};
use crate::grid::Geometry;
use crate::solve::{Outcome, Path, Replay};
use charts::Charts;
use data_encoding::BASE64;
use miniz_oxide::deflate::compress_to_vec;
use serde::Serialize;

/// What a page says of one puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reported {
    puzzle: String,
    note: String,
    /// How it ended, in words.
    end: String,
    steps: usize,
    hardest: String,
    rating: u64,
    /// The names of its steps, each once.
    uses: Vec<String>,
    /// How often each was used, in the same order.
    #[serde(skip)]
    times: Vec<usize>,
    #[serde(skip)]
    solved: bool,
    /// Its steps, packed.
    path: String,
}

/// A step as the page shows it.
#[derive(Serialize)]
struct Shown {
    name: String,
    head: String,
    says: String,
    single: bool,
    /// Rows of digits that differ from those of the step before.
    rows: Vec<(usize, String)>,
    below: String,
    above: String,
    keys: String,
}

impl Reported {
    /// A path; `puzzle` and `note` are what the file says.
    pub fn new(geometry: &Geometry, path: &Path, puzzle: String, note: String) -> Reported {
        let (mut uses, mut times): (Vec<String>, Vec<usize>) = Default::default();
        for step in &path.steps {
            match uses.iter().position(|name| *name == visible(&step.name)) {
                Some(at) => times[at] += 1,
                None => {
                    uses.push(visible(&step.name).into_owned());
                    times.push(1);
                }
            }
        }
        let steps = serde_json::to_vec(&shown(geometry, path)).unwrap_or_default();
        Reported {
            puzzle,
            note: visible(&note).into_owned(),
            end: end(geometry, path),
            steps: path.steps.len(),
            hardest: path.hardest().map_or(String::new(), |at| visible(&path.steps[at].name).into_owned()),
            rating: path.cost.total,
            uses,
            times,
            solved: path.outcome == Outcome::Solved,
            path: BASE64.encode(&compress_to_vec(&steps, PACKED)),
        }
    }
}

/// How hard the packing tries: more takes as long again for a tenth less.
const PACKED: u8 = 6;

fn end(geometry: &Geometry, path: &Path) -> String {
    let guesses = guesses(path);
    match path.outcome {
        Outcome::Solved => format!("solved{guesses}"),
        Outcome::Stuck => format!("stuck, {} open{guesses}", counted(path.end.unsolved_count(), "cell")),
        Outcome::Broken(found) => format!("broken: {}", contradiction_words(geometry, found)),
    }
}

/// Every step, then the last position.
fn shown(geometry: &Geometry, path: &Path) -> Vec<Shown> {
    let mut replay = Replay::new(path.start.clone());
    let mut known = Vec::new();
    let mut out = Vec::new();
    for step in &path.steps {
        let state = replay.state();
        out.push(Shown {
            name: visible(&step.name).into_owned(),
            head: pieces(&headline(geometry, step)),
            says: html(&explained(geometry, step, 2)),
            single: is_single(geometry, state, step),
            ..picture(geometry, &Scene::of_step(geometry, state, step), &mut known)
        });
        replay.apply(geometry, step);
    }
    let last = [Line::text(format!("{}.", capital(&end(geometry, path))))];
    let scene = Scene::of_state(path.end.clone());
    out.push(Shown { head: pieces(&last[0]), says: html(&last), ..picture(geometry, &scene, &mut known) });
    out
}

fn picture(geometry: &Geometry, scene: &Scene, known: &mut Vec<String>) -> Shown {
    let Picture { below, digits, above } = Picture::new(geometry, scene);
    known.resize(digits.len(), String::new());
    let changed = |(at, text): (usize, &String)| (known[at] != *text).then(|| (at, text.clone()));
    let rows = digits.iter().enumerate().filter_map(changed).collect();
    *known = digits;
    let keys = keys(geometry, scene);
    Shown { name: String::new(), head: String::new(), says: String::new(), single: false, rows, below, above, keys }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A page while it is written.
pub struct Page<'p> {
    geometry: &'p Geometry,
    title: String,
    profile: &'p str,
    puzzles: usize,
    solved: usize,
    steps: usize,
    /// The end and the rating of the path, as long as there is one only.
    only: Option<(String, u64)>,
    charts: Charts,
}

impl<'p> Page<'p> {
    /// Begins a page with a title; `profile` rates the paths.
    pub fn new(geometry: &'p Geometry, title: &str, profile: &'p str) -> Page<'p> {
        let (puzzles, solved, steps, only) = (0, 0, 0, None);
        Page { geometry, title: title.to_owned(), profile, puzzles, solved, steps, only, charts: Charts::default() }
    }

    /// The text before the first path.
    pub fn head(&self) -> String {
        let parts = [("{css}", include_str!("page.css")), ("{style}", STYLE), ("{title}", &escaped(&self.title))];
        filled(TEMPLATE.0, &parts)
    }

    /// The text of a path.
    pub fn row(&mut self, one: &Reported) -> String {
        let comma = if self.puzzles > 0 { ",\n" } else { "" };
        self.only = (self.puzzles == 0).then(|| (one.end.clone(), one.rating));
        self.puzzles += 1;
        self.solved += usize::from(one.solved);
        self.steps += one.steps;
        self.charts.add(one);
        format!("{comma}{}", in_script(&serde_json::to_string(one).unwrap_or_default()))
    }

    /// The text after the last path.
    pub fn foot(&self) -> String {
        let (steps, profile) = (thousands(self.steps as u64), self.profile);
        let summary = match &self.only {
            Some((end, rating)) => {
                format!("{}, {steps} steps; rated {} by the profile {profile}.", capital(end), thousands(*rating))
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

/// The template before and after the paths.
const TEMPLATE: (&str, &str) = (include_str!("head.html"), include_str!("foot.html"));

/// The page of some paths.
pub fn page(geometry: &Geometry, title: &str, profile: &str, puzzles: &[Reported]) -> String {
    let mut page = Page::new(geometry, title, profile);
    let rows: String = puzzles.iter().map(|one| page.row(one)).collect();
    page.head() + &rows + &page.foot()
}

/// JSON for a script element: nothing in it may look like its end.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// A template with its placeholders replaced in one pass: a text may hold the name of any placeholder.
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
