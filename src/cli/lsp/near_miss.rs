//! A near miss for an example. In: an example. Out: an edit that writes below it the same grid with one candidate more or less, in
//! which the rule finds nothing.

use super::commands::{Subject, outcome};
use super::jobs::Found;
use super::places::range;
use crate::cli::hunt::block;
use crate::editor::Document;
use crate::engine::{Halt, Limits};
use crate::grid::notation;
use crate::render::unstyled;
use crate::solve::{Profile, Solver, member_label};
use crate::workbench::examples::scene;
use crate::workbench::hunt::{Near, Quarry};
use fastrand::Rng;
use serde_json::json;
use std::cell::RefCell;

/// Looks for one.
///
/// # Errors
/// When the example cannot be tried, in words.
pub fn insert(subject: &Subject, halt: Halt) -> Result<Found, String> {
    let Subject { book, technique, example, uri, .. } = subject;
    let (example, span) = example.as_ref().ok_or("a near miss is made of an example: put the cursor into one")?;
    let scene = scene(book, example)?;
    let limits = Limits { halt, ..Limits::default() };
    let solver = Solver::new(book, &scene.geometry, &Profile::empty(), limits);
    let label = member_label(&technique.id, &example.args);
    let quarry = Quarry {
        solver: &solver,
        walker: &solver,
        technique: label.clone(),
        labels: vec![label.clone()],
        called: None,
        most: usize::MAX,
        needed: false,
        tally: RefCell::default(),
    };
    // The same seed each time: the same example has the same near miss.
    let caught = quarry.look(&scene.state, &mut Rng::with_seed(1)).map_err(|error| error.typed)?;
    let caught = caught.ok_or_else(|| format!("{label} finds nothing here that a near miss could be made of"))?;
    let none = "no candidate more or less makes an end of the matches; change more by hand";
    let Near { state, candidate, added } = caught.near_miss.ok_or(none)?;
    let cell = notation::cell(&scene.geometry, candidate.cell);
    let title = match added {
        true => format!("{cell} has {} as well", candidate.digit),
        false => format!("{cell} lacks {}", candidate.digit),
    };
    let lines = block(&label, ("near_miss", &title), &scene.geometry, &state, &[]);
    let document = Document::new(subject.text().to_owned());
    let range = range(&document, &(span.end..span.end));
    let text = format!("\n\n{}", unstyled(&lines).trim_end());
    let edit = json!({ "changes": { uri: [{ "range": range, "newText": text }] } });
    let found = outcome(format!("near miss of {label}: {title}"), true, Vec::new());
    Ok(Found { edit: Some(edit), ..found })
}
