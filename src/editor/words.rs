//! Words of a rule file. In: a byte offset. Out: completions, which are words that fit there; hover texts: for a name of a rule its kind
//! and the line that introduces it, for a technique its comment, for a word of the language its category; and the classes of all tokens,
//! for colouring.

use super::Workspace;
use super::document::{Document, built_in_documents};
use super::names::{names_item, table_word};
use crate::lang::ast::{DocLine, Item, Statement, StatementKind};
use crate::lang::words::{FUNCTIONS, ITEMS, KINDS, OTHER_KINDS, STATEMENTS, is_free, is_kind, is_reserved, reserved};
use crate::lang::{TokenClass, token_spans};
use serde::Serialize;
use std::ops::Range;

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
    /// Completion kind, for the icon in the list.
    #[serde(rename = "sort")]
    pub kind: CompletionKind,
}

/// The list for a place.
pub fn complete(workspace: &Workspace, document: &Document, at: usize) -> Vec<Completion> {
    let line_start = document.text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let line = &document.text[line_start..at];
    let word = line.len() - line.trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_').len();
    let before = line[..line.len() - word].trim_end();
    match before.rsplit(|letter: char| letter.is_whitespace()).next().unwrap_or("") {
        _ if before.trim_start().starts_with("strong:") => rules(workspace, |item| matches!(item, Item::StrongLink(_))),
        _ if before.ends_with(':') => kinds(),
        "" if line.starts_with(' ') => {
            completions(STATEMENTS.iter().copied(), CompletionKind::Keyword).chain(names(document, at)).collect()
        }
        "" => completions(ITEMS.iter().copied(), CompletionKind::Keyword).collect(),
        "example" | "near_miss" | "join" | "using" | "by" | "after" => {
            rules(workspace, |item| matches!(item, Item::Technique(_) | Item::RuleList(_)))
        }
        "uses" => rules(workspace, |item| matches!(item, Item::Pattern(_))),
        _ => {
            let joints = reserved().filter(|word| !ITEMS.contains(word) && !STATEMENTS.contains(word));
            names(document, at)
                .into_iter()
                .chain(completions(FUNCTIONS.iter().copied(), CompletionKind::Function))
                .chain(completions(joints, CompletionKind::Keyword))
                .collect()
        }
    }
}

fn completions<'w>(all: impl Iterator<Item = &'w str>, kind: CompletionKind) -> impl Iterator<Item = Completion> {
    all.map(move |word| Completion { label: word.to_string(), kind })
}

fn kinds() -> Vec<Completion> {
    let all = KINDS.iter().flat_map(|(one, many)| [*one, *many]).chain(OTHER_KINDS.iter().copied());
    completions(all, CompletionKind::Kind).collect()
}

fn names(document: &Document, at: usize) -> Vec<Completion> {
    let item = document.item_at(at);
    let all = item.map_or(Vec::new(), |item| document.names_in(&item));
    all.into_iter().map(|name| Completion { label: name, kind: CompletionKind::Name }).collect()
}

/// Completions for rule names: those of the workspace, then built-in ones.
fn rules(workspace: &Workspace, wanted: fn(&Item) -> bool) -> Vec<Completion> {
    let built_in = built_in_documents().iter().map(|(_, document)| document);
    let items = workspace.documents.values().chain(built_in).flat_map(|document| &document.tree.items);
    let named = items.filter(|item| wanted(item)).filter_map(Item::id);
    let mut all: Vec<String> = named.map(|id| id.name.clone()).collect();
    all.sort();
    all.dedup();
    all.into_iter().map(|name| Completion { label: name, kind: CompletionKind::Rule }).collect()
}

/// The text for a place, in Markdown, and the word that it is about.
pub fn hover(workspace: &Workspace, document: &Document, at: usize) -> Option<(String, Range<usize>)> {
    let word = table_word(document, at).or_else(|| document.word_at(at))?;
    let name = &document.text[word.clone()];
    let is_local = !document.is_plain_text && !names_item(document, &word);
    let text = is_local.then(|| local(document, word.start, name)).flatten();
    let text = text.or_else(|| of_item(workspace, name)).or_else(|| of_word(name));
    Some((text?, word))
}

/// A name of the item around it, by the line that introduces it.
fn local(document: &Document, at: usize, name: &str) -> Option<String> {
    let span = document.item_at(at)?;
    let item = document.tree.items.iter().find(|item| *item.span() == span)?;
    if let Item::Technique(technique) = item
        && let Some(param) = technique.params.iter().find(|param| param.name.name == name)
    {
        let range = document.text.get(param.span.clone())?;
        return Some(format!(
            "```pinion\n{range}\n```\n\na parameter: there is a member of the family for each number"
        ));
    }
    let introducing = item.body().iter().find(|line| introduces(line, name));
    let line = introducing.or_else(|| first_mention(document, item, name).filter(|_| is_free(name)))?;
    Some(format!("```pinion\n{}\n```", document.text.get(line.span.clone())?.trim()))
}

/// Returns true if a line declares a name.
fn introduces(line: &Statement, name: &str) -> bool {
    let bindings = match &line.kind {
        StatementKind::Binding(binding) => std::slice::from_ref(binding),
        StatementKind::Case(_, bindings) => bindings,
        StatementKind::Let(known, _) | StatementKind::Guardians(known, _) => return known.name == name,
        _ => return false,
    };
    bindings.iter().flat_map(|binding| &binding.names).any(|(known, _)| known.name == name)
}

/// Finds the line in which a name stands first.
fn first_mention<'d>(document: &'d Document, item: &'d Item, name: &str) -> Option<&'d Statement> {
    let words = document.words().into_iter().filter(|word| document.text[word.clone()] == *name);
    let place = words.map(|word| word.start).find(|start| item.span().contains(start))?;
    item.body().iter().find(|line| line.span.contains(&place))
}

/// Hover text of an item: its comment, and a note if the item is built in.
fn of_item(workspace: &Workspace, name: &str) -> Option<String> {
    let mine = workspace.documents.values().map(|document| (None, document));
    let documents = mine.chain(built_in_documents().iter().map(|(file, document)| (Some(*file), document)));
    let mut items = documents.flat_map(|(file, document)| document.tree.items.iter().map(move |item| (file, item)));
    let (file, item) = items.find(|(_, item)| item.id().is_some_and(|id| id.name == name))?;
    let (kind, doc): (&str, &[DocLine]) = match item {
        Item::Technique(one) => ("technique", &one.doc),
        Item::Pattern(one) => ("pattern", &one.doc),
        Item::StrongLink(one) => ("strong link", &one.doc),
        Item::RuleList(one) => ("rules", &one.doc),
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

/// Token type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenKind {
    /// A word of the language.
    Keyword,
    /// A kind.
    Kind,
    /// A function.
    Function,
    /// A name.
    Name,
    /// A number.
    Number,
    /// A text in quotes.
    Text,
    /// A comment.
    Comment,
}

/// All tokens of a file but marks.
pub fn tokens(document: &Document) -> Vec<(TokenKind, Range<usize>)> {
    let sorted = token_spans(&document.text).into_iter().filter_map(|token| sort(document, token));
    // A token of several lines is one for each of them.
    sorted.flat_map(|(class, span)| by_line(&document.text, span).into_iter().map(move |line| (class, line))).collect()
}

fn sort(document: &Document, (class, span): (TokenClass, Range<usize>)) -> Option<(TokenKind, Range<usize>)> {
    let kind = match class {
        TokenClass::Word => class_of_word(document, &span),
        TokenClass::Number => TokenKind::Number,
        TokenClass::Text | TokenClass::OpenText => TokenKind::Text,
        TokenClass::Comment | TokenClass::Doc => TokenKind::Comment,
        TokenClass::Mark | TokenClass::Newline => return None,
    };
    Some((kind, span))
}

fn class_of_word(document: &Document, span: &Range<usize>) -> TokenKind {
    let word = &document.text[span.clone()];
    let called = document.text[span.end..].starts_with('(');
    match () {
        () if called && FUNCTIONS.contains(&word) => TokenKind::Function,
        () if is_kind(word) || OTHER_KINDS.contains(&word) => TokenKind::Kind,
        () if is_reserved(word) => TokenKind::Keyword,
        () => TokenKind::Name,
    }
}

fn by_line(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let mut start = span.start;
    let mut out = Vec::new();
    for line in text[span].split_inclusive(['\n', '\r']) {
        let wide = line.trim_end_matches(['\r', '\n']).len();
        if wide > 0 {
            out.push(start..start + wide);
        }
        start += line.len();
    }
    out
}
