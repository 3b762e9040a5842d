//! Names. In: a place. Out: where what stands there is defined, where it is used, the edits that rename it, the items of a file. A name
//! of a rule means something inside of its item; items are known to all files.

use super::Workspace;
use super::document::Document;
use crate::lang::ast::{Item, Technique};
use crate::lang::words::{is_built_in, is_place, is_reserved};
use serde::Serialize;
use std::ops::Range;

/// The name of an item and where it stands.
pub fn identifier(item: &Item) -> Option<&crate::lang::ast::Ident> {
    match item {
        Item::Technique(one) => Some(&one.id),
        Item::Pattern(one) => Some(&one.id),
        Item::Source(one) => Some(&one.id),
        Item::RuleList(one) => Some(&one.id),
        Item::Example(_) => None,
    }
}

/// What a word means.
struct Meaning {
    name: String,
    /// The file and item that it is known in; nothing for the name of an item.
    inside: Option<(String, Range<usize>)>,
}

fn meaning(workspace: &Workspace, uri: &str, document: &Document, at: usize) -> Option<Meaning> {
    let word = document.word_at(at)?;
    let name = document.text[word.clone()].to_string();
    if is_reserved(&name) || is_built_in(&name) {
        return None;
    }
    let items = workspace.documents.values().flat_map(|document| &document.tree.items);
    let is_item = items.filter_map(identifier).any(|id| id.name == name);
    let inside = document.item_at(word.start).map(|item| (uri.to_string(), item));
    Some(Meaning { name, inside: inside.filter(|_| !is_item) })
}

/// Every place of a name, by file.
fn places(workspace: &Workspace, meaning: &Meaning) -> Vec<Place> {
    let mut out = Vec::new();
    for (uri, document) in &workspace.documents {
        for word in document.words() {
            let here = meaning
                .inside
                .as_ref()
                .is_none_or(|(file, item)| file == uri && item.start <= word.start && word.end <= item.end);
            if here && document.text[word.clone()] == meaning.name {
                out.push(Place { file: uri.clone(), span: word });
            }
        }
    }
    out
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The address of the file.
    pub file: String,
    /// Bytes of its text.
    pub span: Range<usize>,
}

/// Where a name is defined: the item of that name, else its first place in its rule.
pub fn definition(workspace: &Workspace, uri: &str, document: &Document, at: usize) -> Vec<Place> {
    let Some(meaning) = meaning(workspace, uri, document, at) else { return Vec::new() };
    if meaning.inside.is_some() {
        return places(workspace, &meaning).into_iter().take(1).collect();
    }
    let defined = workspace.documents.iter().flat_map(|(uri, document)| {
        let ids = document.tree.items.iter().filter_map(identifier);
        let own = ids.filter(|id| id.name == meaning.name);
        own.map(move |id| Place { file: uri.clone(), span: id.span.clone() })
    });
    defined.collect()
}

/// Every place of a name.
pub fn references(workspace: &Workspace, uri: &str, document: &Document, at: usize) -> Vec<Place> {
    meaning(workspace, uri, document, at).map_or_else(Vec::new, |meaning| places(workspace, &meaning))
}

/// Every place of a name that can be given another name.
///
/// # Errors
/// When it cannot, in words.
pub fn rename(
    workspace: &Workspace,
    uri: &str,
    document: &Document,
    at: usize,
    new: &str,
) -> Result<Vec<Place>, String> {
    let meaning = meaning(workspace, uri, document, at).ok_or("there is no name here")?;
    let letters = |text: &str| text.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if !new.starts_with(|letter: char| letter.is_alphabetic()) || !letters(new) {
        return Err(format!("`{new}` is not a name: letters, digits and _, a letter first"));
    }
    if is_reserved(new) || is_built_in(new) || is_place(new) {
        return Err(format!("`{new}` is a word of the language"));
    }
    if let Some((_, item)) = &meaning.inside
        && document.names_in(item).iter().any(|known| known == new)
    {
        return Err(format!("the rule has the name `{new}` already"));
    }
    Ok(places(workspace, &meaning))
}

/// An item of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Symbol {
    /// What it is called.
    pub name: String,
    /// What it is: `technique`, `pattern`, `links`, `list` or `example`.
    pub sort: &'static str,
    /// The whole item.
    pub span: Range<usize>,
    /// Its name.
    pub id: Range<usize>,
}

/// The items of a file.
pub fn symbols(document: &Document) -> Vec<Symbol> {
    let one = |item: &Item| {
        let (name, span, id, sort) = match item {
            Item::Technique(one) => (one.id.name.clone(), &one.span, &one.id.span, "technique"),
            Item::Pattern(one) => (one.id.name.clone(), &one.span, &one.id.span, "pattern"),
            Item::Source(one) => (one.id.name.clone(), &one.span, &one.id.span, "links"),
            Item::RuleList(one) => (one.id.name.clone(), &one.span, &one.id.span, "list"),
            Item::Example(one) => {
                let kind = if one.near_miss { "near miss" } else { "example" };
                let title = one.title.as_ref().map_or(String::new(), |title| format!(": {}", title.text));
                (format!("{kind} of {}{title}", one.id.name), &one.span, &one.id.span, "example")
            }
        };
        Symbol { name, sort, span: span.clone(), id: id.clone() }
    };
    document.tree.items.iter().map(one).collect()
}

/// The technique of a name in any file.
pub fn technique<'s>(workspace: &'s Workspace, name: &str) -> Option<&'s Technique> {
    workspace.documents.values().flat_map(|document| &document.tree.items).find_map(|item| match item {
        Item::Technique(one) if one.id.name == name => Some(one),
        _ => None,
    })
}
