//! Completions. In: a byte offset. Out: words that fit there: kinds after a colon, rules after words that name one, words
//! that begin a line at its beginning, otherwise names of the rule, functions and joining words.

use super::Workspace;
use super::document::Document;
use super::document::carried;
use super::names::identifier;
use crate::lang::ast::Item;
use crate::lang::words::{FUNCTIONS, ITEMS, KINDS, OTHER_KINDS, STATEMENTS, reserved};
use serde::Serialize;

/// Completion kind, for the icon in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CompletionKind {
    /// A word of the language.
    Keyword,
    /// A function.
    Function,
    /// A name of the rule.
    Name,
    /// A kind.
    Kind,
    /// A rule.
    Rule,
}

/// A word that may come next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Completion {
    /// The word.
    pub label: String,
    /// The completion kind.
    pub sort: CompletionKind,
}

/// The list for a place.
pub fn complete(workspace: &Workspace, document: &Document, at: usize) -> Vec<Completion> {
    let line_start = document.text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let line = &document.text[line_start..at];
    let word = line.len() - line.trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_').len();
    let before = line[..line.len() - word].trim_end();
    match before.rsplit(|letter: char| letter.is_whitespace()).next().unwrap_or("") {
        _ if before.trim_start().starts_with("strong:") => rules(workspace, |item| matches!(item, Item::Source(_))),
        _ if before.ends_with(':') => kinds(),
        "" if line.starts_with(' ') => {
            words(STATEMENTS.iter().copied(), CompletionKind::Keyword).chain(names(document, at)).collect()
        }
        "" => words(ITEMS.iter().copied(), CompletionKind::Keyword).collect(),
        "example" | "near_miss" | "join" | "using" | "by" | "after" => {
            rules(workspace, |item| matches!(item, Item::Technique(_) | Item::RuleList(_)))
        }
        "uses" => rules(workspace, |item| matches!(item, Item::Pattern(_))),
        _ => {
            let joints = reserved().filter(|word| !ITEMS.contains(word) && !STATEMENTS.contains(word));
            names(document, at)
                .into_iter()
                .chain(words(FUNCTIONS.iter().copied(), CompletionKind::Function))
                .chain(words(joints, CompletionKind::Keyword))
                .collect()
        }
    }
}

fn words<'w>(all: impl Iterator<Item = &'w str>, sort: CompletionKind) -> impl Iterator<Item = Completion> {
    all.map(move |word| Completion { label: word.to_string(), sort })
}

fn kinds() -> Vec<Completion> {
    let all = KINDS.iter().flat_map(|(one, many)| [*one, *many]).chain(OTHER_KINDS.iter().copied());
    words(all, CompletionKind::Kind).collect()
}

fn names(document: &Document, at: usize) -> Vec<Completion> {
    let item = document.item_at(at);
    let all = item.map_or(Vec::new(), |item| document.names_in(&item));
    all.into_iter().map(|name| Completion { label: name, sort: CompletionKind::Name }).collect()
}

/// Completions for rule names: those of the workspace, then built-in ones.
fn rules(workspace: &Workspace, wanted: fn(&Item) -> bool) -> Vec<Completion> {
    let carried = carried().iter().map(|(_, document)| document);
    let items = workspace.documents.values().chain(carried).flat_map(|document| &document.tree.items);
    let named = items.filter(|item| wanted(item)).filter_map(identifier);
    let mut all: Vec<String> = named.map(|id| id.name.clone()).collect();
    all.sort();
    all.dedup();
    all.into_iter().map(|name| Completion { label: name, sort: CompletionKind::Rule }).collect()
}
