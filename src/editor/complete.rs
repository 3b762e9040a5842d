//! What may come next. In: a place. Out: words that fit there: kinds behind a colon, rules behind words that name one, words that begin
//! a line at its beginning, else names of the rule, functions and words that join.

use super::Workspace;
use super::document::Document;
use super::names::identifier;
use crate::lang::ast::Item;
use crate::lang::words::{FUNCTIONS, ITEMS, KINDS, OTHER_KINDS, STATEMENTS, reserved};
use serde::Serialize;

/// What a completion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
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
    /// What it is.
    pub sort: Sort,
}

/// The list for a place.
pub fn complete(workspace: &Workspace, document: &Document, at: usize) -> Vec<Completion> {
    let line_start = document.text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = &document.text[line_start..at];
    let word = line.len() - line.trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_').len();
    let before = line[..line.len() - word].trim_end();
    match before.rsplit(|letter: char| letter.is_whitespace()).next().unwrap_or("") {
        _ if before.ends_with(':') => kinds(),
        "" if line.starts_with(' ') => {
            words(STATEMENTS.iter().copied(), Sort::Keyword).chain(names(document, at)).collect()
        }
        "" => words(ITEMS.iter().copied(), Sort::Keyword).collect(),
        "example" | "near_miss" | "join" | "using" | "by" | "after" => rules(workspace, false),
        "uses" => rules(workspace, true),
        _ => {
            let joints = reserved().filter(|word| !ITEMS.contains(word) && !STATEMENTS.contains(word));
            names(document, at)
                .into_iter()
                .chain(words(FUNCTIONS.iter().copied(), Sort::Function))
                .chain(words(joints, Sort::Keyword))
                .collect()
        }
    }
}

fn words<'w>(all: impl Iterator<Item = &'w str>, sort: Sort) -> impl Iterator<Item = Completion> {
    all.map(move |word| Completion { label: word.to_string(), sort })
}

fn kinds() -> Vec<Completion> {
    let all = KINDS.iter().flat_map(|(one, many)| [*one, *many]).chain(OTHER_KINDS.iter().copied());
    words(all, Sort::Kind).collect()
}

fn names(document: &Document, at: usize) -> Vec<Completion> {
    let item = document.item_at(at);
    let all = item.map_or(Vec::new(), |item| document.names_in(&item));
    all.into_iter().map(|name| Completion { label: name, sort: Sort::Name }).collect()
}

/// Techniques and groups, or patterns.
fn rules(workspace: &Workspace, patterns: bool) -> Vec<Completion> {
    let items = workspace.documents.values().flat_map(|document| &document.tree.items);
    let wanted = items.filter(|item| matches!(item, Item::Pattern(_)) == patterns);
    let mut all: Vec<String> = wanted.filter_map(identifier).map(|id| id.name.clone()).collect();
    if !patterns {
        all.extend(workspace.rulebook.techniques().iter().map(|one| one.id.clone()));
    }
    all.sort();
    all.dedup();
    all.into_iter().map(|name| Completion { label: name, sort: Sort::Rule }).collect()
}
