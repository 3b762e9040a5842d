//! What a word is. In: a place. Out: of a name of a rule its kind and the line that introduces it, of a technique its comment, of a
//! word of the language what sort of word it is.

use super::Workspace;
use super::document::Document;
use super::names::technique;
use crate::lang::ast::{Item, Statement, StatementKind};
use crate::lang::words::{FUNCTIONS, KINDS, is_reserved};
use std::ops::Range;

/// The text for a place, in Markdown, and the word that it is about.
pub fn hover(workspace: &Workspace, document: &Document, at: usize) -> Option<(String, Range<usize>)> {
    let word = document.word_at(at)?;
    let name = &document.text[word.clone()];
    let text = local(document, word.start, name).or_else(|| of_technique(workspace, name)).or_else(|| of_word(name));
    Some((text?, word))
}

/// A name of the item around it, by the line that introduces it.
fn local(document: &Document, at: usize, name: &str) -> Option<String> {
    let item = document.item_at(at)?;
    let inside = |span: &Range<usize>| *span == item;
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

fn of_technique(workspace: &Workspace, name: &str) -> Option<String> {
    if let Some(one) = technique(workspace, name) {
        let doc: Vec<&str> = one.doc.iter().map(|line| line.text.as_str()).collect();
        return Some(format!("**technique {name}**\n\n{}", doc.join("\n")));
    }
    let one = workspace.rulebook.techniques().iter().find(|one| one.id == name)?;
    let file = workspace.rulebook.file_of(name).map_or(String::new(), |file| format!("\n\n`{}`", file.name));
    Some(format!("**technique {name}**\n\n{}{file}", one.doc.join("\n")))
}

fn of_word(name: &str) -> Option<String> {
    let kind = KINDS.iter().find(|(one, many)| name == *one || name == *many);
    let words = match kind {
        Some((one, many)) => format!("`{one}`: a kind of name; `{many}[n]` is a set of n of them"),
        None if FUNCTIONS.contains(&name) => format!("`{name}(…)`: a function"),
        None if is_reserved(name) => format!("`{name}`: a word of the language"),
        None => return None,
    };
    Some(format!("{words}, see docs/language.md."))
}
