//! Inlay hints: kinds of names, names of parameters in examples, ends of open ranges. Also the members of a technique, for hovers.

use crate::cli::lsp::answer::{offset, position};
use crate::cli::lsp::server::Server;
use crate::editor::Document;
use crate::lang::ast::Item;
use crate::lang::ir::{Origin, Space, Technique, VarShape};
use crate::solve::member_names;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

/// Kinds of hints in the protocol: a hint behind a name, and a hint before a value.
const TYPE: u8 = 1;
const PARAMETER: u8 = 2;

/// The board size that hints and hovers assume.
const SIZE: u32 = 9;

struct Hint {
    offset: usize,
    label: String,
    kind: u8,
}

pub fn hints(server: &Server, document: &Document, range: &Value) -> Value {
    let visible = offset(document, &range["start"])..=offset(document, &range["end"]);
    let mut hints = Vec::new();
    let words = document.words();
    for item in &document.tree.items {
        match item {
            Item::Technique(technique) if overlaps(&technique.span, &visible) => {
                for param in &technique.params {
                    if param.high.is_none() {
                        // An open range ends at half the size of the board.
                        let label = format!("{} on {SIZE}×{SIZE}", SIZE / 2);
                        hints.push(Hint { offset: param.span.end, label, kind: TYPE });
                    }
                }
                if let Some(compiled) = technique_with_id(server, &technique.id.name) {
                    hints.extend(kind_hints(document, &words, &technique.span, compiled));
                }
            }
            Item::Example(example) if overlaps(&example.span, &visible) => {
                let Some(compiled) = technique_with_id(server, &example.id.name) else { continue };
                for (arg, param) in example.args.iter().zip(&compiled.params) {
                    let label = format!("{}: ", param.name);
                    hints.push(Hint { offset: arg.span.start, label, kind: PARAMETER });
                }
            }
            _ => {}
        }
    }
    hints.retain(|hint| visible.contains(&hint.offset));
    hints
        .into_iter()
        .map(|hint| json!({ "position": position(document, hint.offset), "label": hint.label, "kind": hint.kind }))
        .collect()
}

fn overlaps(span: &Range<usize>, visible: &RangeInclusive<usize>) -> bool {
    span.start <= *visible.end() && *visible.start() <= span.end
}

fn technique_with_id<'s>(server: &'s Server, id: &str) -> Option<&'s Technique> {
    server.rulebook.techniques().iter().find(|technique| technique.id == id)
}

/// Returns a hint with the kind behind the first occurrence of each name, unless the author wrote the kind there. `item` is the span of the
/// technique. `words` has the spans of all words of the file.
fn kind_hints(document: &Document, words: &[Range<usize>], item: &Range<usize>, technique: &Technique) -> Vec<Hint> {
    let mut kinds: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for var in technique.variants.iter().flat_map(|variant| &variant.vars) {
        // The kind of a declared name is written in the rule.
        let is_declared = var.origin == Origin::Chosen;
        let kind = var.kind.description(var.shape == VarShape::Single).trim_start_matches("a ");
        let kind = if is_declared { None } else { Some(kind) };
        let first_kind = kinds.entry(&var.name).or_insert(kind);
        // A name with different kinds in the variants of a rule gets no hint.
        if *first_kind != kind {
            *first_kind = None;
        }
    }
    let mut hints = Vec::new();
    for word in words.iter().filter(|word| item.start <= word.start && word.end <= item.end) {
        let name = &document.text[word.clone()];
        if document.text[word.end..].trim_start().starts_with(':') {
            kinds.remove(name);
        } else if let Some(Some(kind)) = kinds.remove(name) {
            hints.push(Hint { offset: word.end, label: format!(": {kind}"), kind: TYPE });
        }
    }
    hints
}

/// Returns a Markdown list of the members of a technique with one parameter on the 9×9 board, each with the names of its steps.
pub fn members(technique: &Technique) -> String {
    const MAX_LISTED: usize = 9;
    let [param] = technique.params.as_slice() else { return String::new() };
    let mut list = String::from("\n");
    for args in technique.members(SIZE).into_iter().take(MAX_LISTED) {
        let member = member_names(technique, 0, &args, Space::Rc);
        let mut names: Vec<&str> = member.listed().map(String::as_str).collect();
        if !member.can_be_title {
            // The title is the first name.
            names.remove(0);
        }
        list += &format!("\n- `{} = {}`: {}", param.name, args[0], names.join(", "));
    }
    list
}
