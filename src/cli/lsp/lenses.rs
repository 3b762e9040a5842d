//! Lenses above items: commands, and for a rule its proof. In: a file. Out: lenses: a place, words, a command with the place it is
//! about.

use super::answer::Work;
use super::commands::subject_at;
use super::jobs::Found;
use super::places::{position, range};
use super::server::Server;
use crate::cli::prove::knowledge::soundness_of;
use crate::editor::Document;
use crate::lang::ast::{Ident, Item};
use crate::solve::Soundness;
use crate::workbench::examples;
use serde_json::{Value, json};
use std::rc::Rc;

/// The lenses of a file.
pub fn lenses(uri: &str, document: &Document) -> Value {
    let mut all = Vec::new();
    for item in &document.tree.items {
        let mut lens = |id: &Ident, title: &str, command: &str| {
            let arguments = json!([uri, position(document, id.span.start)]);
            let command = json!({ "title": title, "command": command, "arguments": arguments });
            all.push(json!({ "range": range(document, &id.span), "command": command }));
        };
        match item {
            Item::Technique(one) if !one.broken => {
                lens(&one.id, "Run examples", "pinion.test");
                lens(&one.id, "Prove", "pinion.prove");
                // The words take a proof: an editor asks for them when it shows the lens.
                let data = json!([uri, position(document, one.id.span.start)]);
                all.push(json!({ "range": range(document, &one.id.span), "data": data }));
            }
            Item::Example(one) if !one.grids.is_empty() => {
                lens(&one.id, "Run", "pinion.test");
                lens(&one.id, "Show matches", "pinion.matches");
                if !one.near_miss {
                    lens(&one.id, "Insert a near miss", "pinion.nearMiss");
                }
            }
            _ => {}
        }
    }
    Value::Array(all)
}

/// The lens that says whether a rule is proved on the boards of its examples: after a bounded amount of work, or from an earlier run.
///
/// # Errors
/// When there is no such rule any more, in words.
pub fn resolved(server: &Server, params: &Value) -> Result<Work, String> {
    let place = params["data"].clone();
    let subject = subject_at(server, &place)?;
    let lens = params.clone();
    Ok(Box::new(move |halt| {
        let is_due: Rc<dyn Fn() -> bool> = Rc::new(move || halt.is_due());
        let words = |name: &str| {
            let geometry = subject.book.board(name).ok()?;
            let soundness = soundness_of(&subject.book, &subject.technique, &geometry, &is_due)?;
            Some(match soundness {
                Soundness::Unproved => format!("not proved on {name}"),
                other => format!("{} on {name}", other.word()),
            })
        };
        let boards = examples::boards(&subject.technique);
        let all: Vec<String> = boards.into_iter().filter_map(words).collect();
        let mut value = lens;
        value["command"] = json!({ "title": all.join(", "), "command": "pinion.prove", "arguments": place });
        Found { value, ..Found::default() }
    }))
}
