//! Definitions, references and renames of names. In: a file and a byte offset. Out: byte ranges in files. Also lists
//! the items of a file.
//!
//! A name that a rule declares is local to the rule. The name of an item is visible in all files, including tables
//! (profiles and catalogues, in RON).

use super::Workspace;
use super::document::{Document, MAX_ANALYZED_BYTES, built_in_documents};
use super::table_scan::scan_table;
use crate::lang::ast::{Ident, Item};
use crate::lang::words::{can_be_name, is_cell_name};
use serde::Serialize;
use std::ops::Range;

struct ResolvedName {
    name: String,
    /// URI and byte range of the item to which the name is local; `None` for the name of an item.
    scope: Option<(String, Range<usize>)>,
}

impl ResolvedName {
    /// Returns true if a word is in the scope of the name, and can stand for the name there.
    fn scope_contains(&self, uri: &str, document: &Document, word: &Range<usize>) -> bool {
        match &self.scope {
            Some((file, item)) => {
                file == uri && item.start <= word.start && word.end <= item.end && !names_item(document, word)
            }
            None => names_item(document, word),
        }
    }
}

pub(super) fn is_in_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn resolve(workspace: &Workspace, uri: &str, document: &Document, at: usize) -> Option<ResolvedName> {
    if let Some(word) = rule_name_in_table(document, at) {
        return Some(ResolvedName { name: document.text[word].to_owned(), scope: None });
    }
    let word = document.word_at(at)?;
    let name = document.text[word.clone()].to_string();
    if names_item(document, &word) {
        return is_item(workspace, &name).then_some(ResolvedName { name, scope: None });
    }
    if !can_be_name(&name) {
        return None;
    }
    let scope = document.item_at(word.start).map(|item| (uri.to_string(), item));
    Some(ResolvedName { name, scope })
}

fn item_names(document: &Document) -> impl Iterator<Item = &Ident> {
    document.tree.items.iter().filter_map(Item::id)
}

fn is_item(workspace: &Workspace, name: &str) -> bool {
    let built_in = built_in_documents().iter().map(|(_, document)| document);
    workspace.documents.values().chain(built_in).flat_map(item_names).any(|id| id.name == name)
}

/// Returns the byte range of the rule name at a byte offset of a table.
pub fn rule_name_in_table(document: &Document, at: usize) -> Option<Range<usize>> {
    if document.has_syntax_tree {
        return None;
    }
    let mut tokens = scan_table(&document.text, at).tokens.into_iter();
    let token = tokens.find(|token| token.span.start <= at && at <= token.span.end && token.names_rule())?;
    Some(token.span)
}

/// Returns true if the word is in a position where the name of an item is expected. A name in any other position is
/// local.
pub(super) fn names_item(document: &Document, word: &Range<usize>) -> bool {
    let line_start = document.text[..word.start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let before = document.text[line_start..word.start].trim_start();
    let mut words = before.split(|character| !is_in_word(character)).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or("");
    let second = words.next();
    match first {
        "technique" | "pattern" | "example" | "near_miss" | "uses" | "join" => second.is_none(),
        "rules" | "after" => true,
        // `strong link name` in a header, or `strong: name` in the block of a chain.
        "strong" => second.is_none_or(|second| second != "link" || before.trim_end().ends_with("link")),
        _ => before.trim_end().ends_with("link by") || before.contains("using rules"),
    }
}

fn occurrences(workspace: &Workspace, resolved: &ResolvedName) -> Vec<FileSpan> {
    let mut spans = Vec::new();
    for (uri, document) in &workspace.documents {
        let mut words = document.words();
        words.retain(|word| {
            document.text[word.clone()] == resolved.name && resolved.scope_contains(uri, document, word)
        });
        spans.extend(words.into_iter().map(|span| FileSpan { file: uri.clone(), span }));
        if !document.has_syntax_tree && resolved.scope.is_none() && document.text.len() <= MAX_ANALYZED_BYTES {
            let tokens = scan_table(&document.text, 0).tokens.into_iter();
            let tokens = tokens.filter(|token| token.names_rule() && token.text == resolved.name);
            spans.extend(tokens.map(|token| FileSpan { file: uri.clone(), span: token.span }));
        }
    }
    spans
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSpan {
    /// URI of the file, or name of a built-in file.
    pub file: String,
    pub span: Range<usize>,
}

/// Finds the definition of a name. Items of the workspace come before built-in items. The definition of a local name is
/// its first occurrence in the item.
pub fn definition(workspace: &Workspace, uri: &str, document: &Document, at: usize) -> Vec<FileSpan> {
    let Some(resolved) = resolve(workspace, uri, document, at) else { return Vec::new() };
    if resolved.scope.is_some() {
        return occurrences(workspace, &resolved).into_iter().take(1).collect();
    }
    let in_workspace = workspace.documents.iter().map(|(uri, document)| (uri.as_str(), document));
    let declarations = declarations_of(in_workspace, &resolved.name);
    if !declarations.is_empty() {
        return declarations;
    }
    declarations_of(built_in_documents().iter().map(|(name, document)| (*name, document)), &resolved.name)
}

fn declarations_of<'d>(files: impl Iterator<Item = (&'d str, &'d Document)>, name: &str) -> Vec<FileSpan> {
    let mut declarations = Vec::new();
    for (file, document) in files {
        let ids = item_names(document).filter(|id| id.name == name);
        declarations.extend(ids.map(|id| FileSpan { file: file.to_owned(), span: id.span.clone() }));
    }
    declarations
}

pub fn references(workspace: &Workspace, uri: &str, document: &Document, at: usize) -> Vec<FileSpan> {
    match resolve(workspace, uri, document, at) {
        Some(resolved) => occurrences(workspace, &resolved),
        None => Vec::new(),
    }
}

/// Finds all occurrences of the name at a byte offset, for replacement by a new name.
///
/// # Errors
/// If the name cannot be renamed. The error is a message.
pub fn rename(
    workspace: &Workspace,
    uri: &str,
    document: &Document,
    at: usize,
    new: &str,
) -> Result<Vec<FileSpan>, String> {
    let resolved = resolve(workspace, uri, document, at).ok_or("there is no name here")?;
    let mut item_names = workspace.documents.values().flat_map(item_names);
    if resolved.scope.is_none() && item_names.all(|id| id.name != resolved.name) {
        return Err(format!("`{}` is a rule of the program, and no file of yours has it", resolved.name));
    }
    if !new.starts_with(char::is_alphabetic) || !new.chars().all(is_in_word) {
        return Err(format!("`{new}` is not a name: letters, digits and _, a letter first"));
    }
    if !can_be_name(new) || is_cell_name(new) {
        return Err(format!("`{new}` is a word of the language"));
    }
    if let Some((_, item)) = &resolved.scope
        && document.names_in(item).iter().any(|name| name == new)
    {
        return Err(format!("the rule has the name `{new}` already"));
    }
    Ok(occurrences(workspace, &resolved))
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ItemSymbol {
    /// Name of the item. For an example, the kind of example, the technique and the title.
    pub name: String,
    /// Kind of the item: `technique`, `pattern`, `links`, `list` or `example`.
    pub kind: &'static str,
    pub span: Range<usize>,
    pub name_span: Range<usize>,
}

pub fn symbols(document: &Document) -> Vec<ItemSymbol> {
    document.tree.items.iter().map(symbol).collect()
}

fn symbol(item: &Item) -> ItemSymbol {
    let kind = match item {
        Item::Technique(_) => "technique",
        Item::Pattern(_) => "pattern",
        Item::StrongLink(_) => "links",
        Item::RuleList(_) => "list",
        Item::Example(_) => "example",
    };
    let (name, name_span) = match item {
        Item::Example(example) => {
            let noun = if example.near_miss { "near miss" } else { "example" };
            let title = example.title.as_ref().map_or(String::new(), |title| format!(": {}", title.text));
            (format!("{noun} of {}{title}", example.id.name), example.id.span.clone())
        }
        _ => item.id().map(|id| (id.name.clone(), id.span.clone())).unwrap_or_default(),
    };
    ItemSymbol { name, kind, span: item.span().clone(), name_span }
}
