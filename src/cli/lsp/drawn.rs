//! Matches, drawn. In: a rulebook and an example. Out: the matches on its grid: words, a drawing in characters, a picture.

use crate::engine::{Halt, Limits};
use crate::grid::{Geometry, State};
use crate::lang::ir::{Example, Technique};
use crate::render::{Scene, drawing, explained, svg, unstyled};
use crate::solve::{Rulebook, Step};
use crate::workbench::{Subject, examples};
use data_encoding::BASE64;
use serde_json::{Value, json};

/// A match.
pub struct Drawn {
    /// Its headline.
    pub title: String,
    /// Its reason.
    pub text: String,
    /// The grid in characters, with a legend.
    pub characters: String,
    /// The same as a picture.
    pub svg: String,
}

impl Drawn {
    /// A step on its position.
    pub fn new(geometry: &Geometry, state: &State, step: &Step) -> Drawn {
        let scene = Scene::of_step(geometry, state, step);
        let told = explained(geometry, step, 0);
        let (title, text) =
            told.split_first().map_or_else(Default::default, |(title, rest)| (title.to_string(), unstyled(rest)));
        let characters = unstyled(&drawing(geometry, &scene, None));
        Drawn { title, text, characters, svg: svg(geometry, &scene, &[]) }
    }

    /// For an editor that shows it.
    pub fn record(&self) -> Value {
        json!({ "title": self.title, "text": self.text, "svg": self.svg, "characters": self.characters })
    }

    /// For a hover.
    pub fn markdown(&self, pictures: bool) -> String {
        let picture = match pictures {
            true => format!("![match](data:image/svg+xml;base64,{})", BASE64.encode(self.svg.as_bytes())),
            false => format!("```text\n{}```", self.characters),
        };
        format!("{}\n\n{picture}", self.title)
    }
}

/// The matches on the grid of an example, up to a limit, and whether there may be more.
///
/// # Errors
/// When the example cannot be tried, in words.
pub fn matches(
    book: &Rulebook,
    technique: &Technique,
    example: &Example,
    (most, halt): (usize, Halt),
) -> Result<(Vec<Drawn>, usize, bool), String> {
    let scene = examples::scene(book, example)?;
    let (geometry, state) = (&scene.geometry, &scene.state);
    let subject = Subject::new(book.with_used(vec![technique.clone()]), book.sources(), geometry)
        .ok_or_else(|| format!("`{}` cannot be compiled for the board {}", technique.id, geometry.spec().name))?;
    let limits = Limits { matches: 1000, halt, ..Limits::default() };
    let wanted = |args: &[u32]| example.args.is_empty() || example.args == args;
    let (seen, cut) = subject.matches_of(state, &limits, &|member| wanted(&member.args));
    let drawn = seen.iter().take(most).map(|seen| Drawn::new(geometry, state, &seen.step)).collect();
    Ok((drawn, seen.len(), cut))
}
