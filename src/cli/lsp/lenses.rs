//! What can be done with an item, written above it. In: a file. Out: lenses: a place, words, a command with the place it is about.

use super::places::{position, range};
use crate::editor::Document;
use crate::lang::ast::{Ident, Item};
use serde_json::{Value, json};

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
