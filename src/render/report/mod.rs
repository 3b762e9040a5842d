//! Paths as one page. In: paths. Out: HTML that needs nothing else: pictures of every step with its reason, and for a collection a
//! table with charts. The steps are packed, layer by layer as [`Picture`] draws them; the page's script only puts them in place.

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
use charts::charts;
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
    let last = [Line::plain(format!("{}.", capital(&end(geometry, path))))];
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

#[derive(Serialize)]
struct Data<'r> {
    puzzles: &'r [Reported],
    names: Vec<&'r str>,
}

/// The page. `names` are those of the steps, the simplest first.
pub fn page(geometry: &Geometry, title: &str, profile: &str, puzzles: &[Reported]) -> String {
    let names = charts::names(puzzles).into_iter().map(|(name, _)| name).collect();
    let data = serde_json::to_string(&Data { puzzles, names }).unwrap_or_default();
    let solved = puzzles.iter().filter(|one| one.solved).count();
    let steps: usize = puzzles.iter().map(|one| one.steps).sum();
    let (steps, solved) = (thousands(steps as u64), thousands(solved as u64));
    let summary = match puzzles {
        [one] => {
            format!("{}, {steps} steps; rated {} by the profile {profile}.", capital(&one.end), thousands(one.rating))
        }
        _ => {
            let count = thousands(puzzles.len() as u64);
            format!("{count} puzzles, {solved} solved, {steps} steps; rated by the profile {profile}.")
        }
    };
    let (view, shapes, lines, rows) = Picture::board(geometry);
    let many = puzzles.len() > 1;
    let parts = [
        ("{css}", include_str!("page.css")),
        ("{style}", STYLE),
        ("{js}", include_str!("page.js")),
        ("{view}", &view),
        ("{shapes}", shapes),
        ("{lines}", &lines),
        ("{rows}", &rows),
        ("{all}", if many { "" } else { " hidden" }),
        ("{charts}", &if many { charts(puzzles) } else { String::new() }),
        ("{title}", &escaped(title)),
        ("{summary}", &escaped(&summary)),
        // Nothing in a script element may look like its end.
        ("{data}", &data.replace('<', "\\u003c")),
    ];
    filled(include_str!("page.html"), &parts)
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
