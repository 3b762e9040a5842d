//! The examples and near misses of a text. In: its rules. Out: for each whether it is as it says, and its grid to look at.

use super::picture::Drawn;
use super::text::RuleText;
use crate::engine::Halt;
use crate::render::Scene;
use crate::workbench::examples::{Checked, Verdict, check_one, scene};
use serde::Serialize;

/// An example and what became of it.
#[derive(Debug, Serialize)]
pub struct ExampleRecord {
    label: String,
    title: Option<String>,
    near_miss: bool,
    passed: bool,
    /// Why it could not be tried.
    unusable: Option<String>,
    /// What it lists and is not found, and what is found and not listed.
    missing: Vec<String>,
    extra: Vec<String>,
    finds: Vec<String>,
    board: Option<String>,
    grid: String,
    picture: Option<Drawn>,
}

/// What is found in all examples of the text.
#[derive(Debug, Serialize)]
pub struct Tested {
    examples: Vec<ExampleRecord>,
    /// Rules without an example or without a near miss, in words.
    without: Vec<String>,
}

/// Runs them.
pub fn test(text: &RuleText) -> Tested {
    let book = text.rulebook();
    let record = |one: Checked| {
        let (unusable, missing, extra) = match &one.verdict {
            Verdict::Passed => (None, Vec::new(), Vec::new()),
            Verdict::Failed { missing, extra } => (None, missing.clone(), extra.clone()),
            Verdict::Unusable(words) => (Some(words.clone()), Vec::new(), Vec::new()),
            Verdict::Wrong(wrong) => (Some(wrong.join("; ")), Vec::new(), Vec::new()),
        };
        let scene = scene(book, &one.example).ok();
        ExampleRecord {
            passed: one.passed(),
            label: one.label,
            title: one.example.title,
            near_miss: one.example.near_miss,
            unusable,
            missing,
            extra,
            finds: one.example.finds,
            board: one.example.board,
            grid: one.example.grid,
            picture: scene.map(|scene| Drawn::new(&scene.geometry, &Scene::of_state(scene.state))),
        }
    };
    let mut without = Vec::new();
    for technique in text.techniques(None) {
        for (near, noun) in [(false, "example"), (true, "near miss")] {
            if technique.examples.iter().all(|one| one.near_miss != near) {
                without.push(format!("`{}` has no {noun} yet.", technique.id));
            }
        }
    }
    let examples =
        text.techniques(None).flat_map(|technique| check_one(book, technique, Halt::default())).map(record).collect();
    Tested { examples, without }
}
