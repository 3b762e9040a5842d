//! Hover texts. In: a byte offset. Out: for a name of a rule its kind and the line that introduces it, for a technique its
//! comment, for a word of the language its category.

use super::Workspace;
use super::document::Document;
use super::document::carried;
use super::names::{identifier, names_item, table_word};
use crate::lang::ast::{DocLine, Item, Statement, StatementKind};
use crate::lang::words::{FUNCTIONS, KINDS, is_reserved};
use std::ops::Range;

/// The text for a place, in Markdown, and the word that it is about.
pub fn hover(workspace: &Workspace, document: &Document, at: usize) -> Option<(String, Range<usize>)> {
    let word = table_word(document, at).or_else(|| document.word_at(at))?;
    let name = &document.text[word.clone()];
    let is_local = !document.is_blank && !names_item(document, &word);
    let text = is_local.then(|| local(document, word.start, name)).flatten();
    let text = text.or_else(|| of_item(workspace, name)).or_else(|| of_word(name));
    Some((text?, word))
}

/// A name of the item around it, by the line that introduces it.
fn local(document: &Document, at: usize, name: &str) -> Option<String> {
    let item = document.item_at(at)?;
    let inside = |span: &Range<usize>| *span == item;
    let params = document.tree.items.iter().find_map(|one| match one {
        Item::Technique(one) if inside(&one.span) => Some(one.params.as_slice()),
        _ => None,
    });
    if let Some(param) = params.unwrap_or_default().iter().find(|param| param.name.name == name) {
        let range = document.text.get(param.span.clone())?;
        return Some(format!(
            "```pinion\n{range}\n```\n\na parameter: there is a member of the family for each number"
        ));
    }
    let body: &[Statement] = document.tree.items.iter().find_map(|one| match one {
        Item::Technique(one) if inside(&one.span) => Some(one.body.as_slice()),
        Item::Pattern(one) if inside(&one.span) => Some(one.body.as_slice()),
        Item::Source(one) if inside(&one.span) => Some(one.body.as_slice()),
        _ => None,
    })?;
    let introduced = |statement: &&Statement| match &statement.kind {
        StatementKind::Binding(binding) => binding.names.iter().any(|(known, _)| known.name == name),
        StatementKind::Case(_, bindings) => {
            bindings.iter().any(|binding| binding.names.iter().any(|(known, _)| known.name == name))
        }
        StatementKind::Let(known, _) | StatementKind::Guardians(known, _) => known.name == name,
        _ => false,
    };
    let first = || {
        let words = document.words().into_iter().filter(|word| document.text[word.clone()] == *name);
        let place = words.map(|word| word.start).find(|start| (item.start..item.end).contains(start))?;
        body.iter().find(|one| one.span.contains(&place))
    };
    let is_name = !is_reserved(name) && !crate::lang::words::is_built_in(name);
    let line = body.iter().find(introduced).or_else(|| first().filter(|_| is_name))?;
    Some(format!("```pinion\n{}\n```", document.text.get(line.span.clone())?.trim()))
}

/// Hover text of an item: its comment, and a note if the item is built in.
fn of_item(workspace: &Workspace, name: &str) -> Option<String> {
    let mine = workspace.documents.values().flat_map(|document| document.tree.items.iter().map(|item| (None, item)));
    let carried = carried().iter();
    let carried = carried.flat_map(|(file, document)| document.tree.items.iter().map(move |item| (Some(*file), item)));
    let named = |(_, item): &(Option<&str>, &Item)| identifier(item).is_some_and(|id| id.name == name);
    let (file, item) = mine.chain(carried).find(named)?;
    let (kind, doc): (&str, &[DocLine]) = match item {
        Item::Technique(one) => ("technique", one.doc.as_slice()),
        Item::Pattern(one) => ("pattern", one.doc.as_slice()),
        Item::Source(one) => ("strong link", one.doc.as_slice()),
        Item::RuleList(one) => ("rules", one.doc.as_slice()),
        Item::Example(_) => return None,
    };
    let doc: Vec<&str> = doc.iter().map(|line| line.text.as_str()).collect();
    let file = file.map_or(String::new(), |file| format!("\n\n`{file}`"));
    Some(format!("**{kind} {name}**\n\n{}{file}", doc.join("\n")))
}

/// The function whose value is no property of the position alone.
const TIMES: &str = "`times(d, S)`: how many cells of S can have the digit d at the same time, at most; a solved cell counts if d \
                     is its value";

fn of_word(name: &str) -> Option<String> {
    let kind = KINDS.iter().find(|(one, many)| name == *one || name == *many);
    let words = match kind {
        Some((one, many)) => format!("`{one}`: a kind of name; `{many}[n]` is a set of n of them"),
        None if name == "times" => TIMES.to_owned(),
        None if FUNCTIONS.contains(&name) => format!("`{name}(…)`: a function"),
        None if is_reserved(name) => format!("`{name}`: a word of the language"),
        None => return None,
    };
    Some(format!("{words}, see docs/language.md."))
}
