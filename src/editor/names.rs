//! Definitions, references and renames. In: a byte offset. Out: places and edits; also the items of a file.
//!
//! A name of a rule is local to its item. Items are visible in all files, including profiles and other tables.

use super::Workspace;
use super::document::{Document, MAX_ANALYZED_BYTES, built_in_documents};
use super::scan::scan;
use crate::lang::ast::{Ident, Item};
use crate::lang::words::{is_cell_name, is_free};
use serde::Serialize;
use std::ops::Range;

/// Resolved name of a word.
struct ResolvedName {
    name: String,
    /// The file and item to which the name is local; `None` for the name of an item.
    inside: Option<(String, Range<usize>)>,
}

impl ResolvedName {
    /// Returns true if a word that is spelt like the name can be the name.
    fn may_stand(&self, uri: &str, document: &Document, word: &Range<usize>) -> bool {
        match &self.inside {
            Some((file, item)) => {
                file == uri && item.start <= word.start && word.end <= item.end && !names_item(document, word)
            }
            None => names_item(document, word),
        }
    }
}

pub(super) fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn meaning(workspace: &Workspace, uri: &str, document: &Document, at: usize) -> Option<ResolvedName> {
    if let Some(word) = table_word(document, at) {
        return Some(ResolvedName { name: document.text[word].to_owned(), inside: None });
    }
    let word = document.word_at(at)?;
    let name = document.text[word.clone()].to_string();
    if names_item(document, &word) {
        return is_item(workspace, &name).then_some(ResolvedName { name, inside: None });
    }
    if !is_free(&name) {
        return None;
    }
    let inside = document.item_at(word.start).map(|item| (uri.to_string(), item));
    Some(ResolvedName { name, inside })
}

/// The names of the items of a file.
fn identifiers(document: &Document) -> impl Iterator<Item = &Ident> {
    document.tree.items.iter().filter_map(Item::id)
}

fn is_item(workspace: &Workspace, name: &str) -> bool {
    let built_in = built_in_documents().iter().map(|(_, document)| document);
    workspace.documents.values().chain(built_in).flat_map(identifiers).any(|id| id.name == name)
}

/// The string at a place that names a rule, in a table.
pub fn table_word(document: &Document, at: usize) -> Option<Range<usize>> {
    if !document.is_plain_text {
        return None;
    }
    let pieces = scan(&document.text, at).tokens.into_iter();
    let mut here = pieces.filter(|piece| piece.span.start <= at && at <= piece.span.end && piece.names_rule());
    here.next().map(|piece| piece.span)
}

/// Returns true if an item is named at this position; all other words are local names.
pub(super) fn names_item(document: &Document, word: &Range<usize>) -> bool {
    let line_start = document.text[..word.start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let before = document.text[line_start..word.start].trim_start();
    let mut words = before.split(|letter| !is_letter(letter)).filter(|word| !word.is_empty());
    let (first, second) = (words.next().unwrap_or(""), words.next());
    match first {
        "technique" | "pattern" | "example" | "near_miss" | "uses" | "join" => second.is_none(),
        "rules" | "after" => true,
        // `strong link name`, and the list of a chain.
        "strong" => second.is_none_or(|second| second != "link" || before.trim_end().ends_with("link")),
        _ => before.trim_end().ends_with("link by") || before.contains("using rules"),
    }
}

/// Every place of a name, by file.
fn places(workspace: &Workspace, meaning: &ResolvedName) -> Vec<FileSpan> {
    let mut out = Vec::new();
    for (uri, document) in &workspace.documents {
        let mut words = document.words();
        words.retain(|word| document.text[word.clone()] == meaning.name && meaning.may_stand(uri, document, word));
        out.extend(words.into_iter().map(|span| FileSpan { file: uri.clone(), span }));
        if document.is_plain_text && meaning.inside.is_none() && document.text.len() <= MAX_ANALYZED_BYTES {
            let rows = scan(&document.text, 0).tokens.into_iter();
            let rows = rows.filter(|piece| piece.names_rule() && piece.text == meaning.name);
            out.extend(rows.map(|piece| FileSpan { file: uri.clone(), span: piece.span }));
        }
    }
    out
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSpan {
    /// The address of the file.
    pub file: String,
    /// Bytes of its text.
    pub span: Range<usize>,
}

/// Finds the definition of a name: a workspace item, then a built-in item; for names local to a rule, the first occurrence.
pub fn definition(workspace: &Workspace, uri: &str, document: &Document, at: usize) -> Vec<FileSpan> {
    let Some(meaning) = meaning(workspace, uri, document, at) else { return Vec::new() };
    if meaning.inside.is_some() {
        return places(workspace, &meaning).into_iter().take(1).collect();
    }
    let mine = workspace.documents.iter().map(|(uri, document)| (uri.as_str(), document));
    let found = declarations(mine, &meaning.name);
    match found.is_empty() {
        true => declarations(built_in_documents().iter().map(|(name, document)| (*name, document)), &meaning.name),
        false => found,
    }
}

/// Lists the places where files declare an item.
fn declarations<'d>(files: impl Iterator<Item = (&'d str, &'d Document)>, name: &str) -> Vec<FileSpan> {
    let ids = files.flat_map(|(file, document)| identifiers(document).map(move |id| (file, id)));
    let own = ids.filter(|(_, id)| id.name == name);
    own.map(|(file, id)| FileSpan { file: file.to_owned(), span: id.span.clone() }).collect()
}

/// Every place of a name.
pub fn references(workspace: &Workspace, uri: &str, document: &Document, at: usize) -> Vec<FileSpan> {
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
) -> Result<Vec<FileSpan>, String> {
    let meaning = meaning(workspace, uri, document, at).ok_or("there is no name here")?;
    let mut mine = workspace.documents.values().flat_map(identifiers);
    if meaning.inside.is_none() && mine.all(|id| id.name != meaning.name) {
        return Err(format!("`{}` is a rule of the program, and no file of yours has it", meaning.name));
    }
    if !new.starts_with(char::is_alphabetic) || !new.chars().all(is_letter) {
        return Err(format!("`{new}` is not a name: letters, digits and _, a letter first"));
    }
    if !is_free(new) || is_cell_name(new) {
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
pub struct ItemSymbol {
    /// The name as written.
    pub name: String,
    /// The keyword: `technique`, `pattern`, `links`, `list` or `example`.
    pub sort: &'static str,
    /// The whole item.
    pub span: Range<usize>,
    /// Span of the name.
    pub id: Range<usize>,
}

/// The items of a file.
pub fn symbols(document: &Document) -> Vec<ItemSymbol> {
    document.tree.items.iter().map(symbol).collect()
}

fn symbol(item: &Item) -> ItemSymbol {
    let sort = match item {
        Item::Technique(_) => "technique",
        Item::Pattern(_) => "pattern",
        Item::StrongLink(_) => "links",
        Item::RuleList(_) => "list",
        Item::Example(_) => "example",
    };
    let (name, id) = match item {
        Item::Example(one) => {
            let kind = if one.near_miss { "near miss" } else { "example" };
            let title = one.title.as_ref().map_or(String::new(), |title| format!(": {}", title.text));
            (format!("{kind} of {}{title}", one.id.name), one.id.span.clone())
        }
        _ => item.id().map(|id| (id.name.clone(), id.span.clone())).unwrap_or_default(),
    };
    ItemSymbol { name, sort, span: item.span().clone(), id }
}
