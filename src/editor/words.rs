//! Completions, hover texts and token kinds of rule files. The hover text of a local name is the line that introduces
//! the name; the hover text of an item is the item's comment. A word of the language has a short description as its
//! hover text.

use super::Workspace;
use super::document::{Document, built_in_documents};
use super::names::{is_in_word, names_item, rule_name_in_table};
use crate::lang::ast::{Item, Statement, StatementKind};
use crate::lang::words::{
    self, FUNCTIONS, ITEMS, KINDS_WITHOUT_PLURAL, STATEMENTS, can_be_name, current_keywords, is_kind, is_reserved,
};
use crate::lang::{TokenClass, token_spans};
use serde::Serialize;
use std::ops::Range;

/// Completion kind, for the icon in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CompletionKind {
    Keyword,
    Function,
    /// A local name of the rule.
    Name,
    /// A kind of name, such as `cell`.
    Kind,
    /// The name of an item.
    Rule,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Completion {
    pub label: String,
    #[serde(rename = "sort")]
    pub kind: CompletionKind,
}

pub fn complete(workspace: &Workspace, document: &Document, at: usize) -> Vec<Completion> {
    let line_start = document.text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let line = &document.text[line_start..at];
    let before_word = line.trim_end_matches(is_in_word).trim_end();
    match before_word.rsplit(char::is_whitespace).next().unwrap_or("") {
        _ if before_word.trim_start().starts_with("strong:") => {
            item_names(workspace, |item| matches!(item, Item::StrongLink(_)))
        }
        _ if before_word.ends_with(':') => kinds(),
        // Statements are indented; items begin in the first column.
        "" if line.starts_with(' ') => {
            completions(STATEMENTS.iter().copied(), CompletionKind::Keyword).chain(local_names(document, at)).collect()
        }
        "" => completions(ITEMS.iter().copied(), CompletionKind::Keyword).collect(),
        "example" | "near_miss" | "join" | "using" | "by" | "after" => {
            item_names(workspace, |item| matches!(item, Item::Technique(_) | Item::RuleList(_)))
        }
        "uses" => item_names(workspace, |item| matches!(item, Item::Pattern(_))),
        _ => {
            let inner_words = current_keywords().filter(|word| !ITEMS.contains(word) && !STATEMENTS.contains(word));
            local_names(document, at)
                .into_iter()
                .chain(completions(FUNCTIONS.iter().copied(), CompletionKind::Function))
                .chain(completions(inner_words, CompletionKind::Keyword))
                .collect()
        }
    }
}

fn completions<'w>(words: impl Iterator<Item = &'w str>, kind: CompletionKind) -> impl Iterator<Item = Completion> {
    words.map(move |word| Completion { label: word.to_string(), kind })
}

fn kinds() -> Vec<Completion> {
    let words =
        words::kinds().flat_map(|(singular, plural)| [singular, plural]).chain(KINDS_WITHOUT_PLURAL.iter().copied());
    completions(words, CompletionKind::Kind).collect()
}

fn local_names(document: &Document, at: usize) -> Vec<Completion> {
    let Some(item) = document.item_at(at) else { return Vec::new() };
    let names = document.names_in(&item).into_iter();
    names.map(|name| Completion { label: name, kind: CompletionKind::Name }).collect()
}

/// Returns the names of items of the workspace and of built-in items, sorted.
fn item_names(workspace: &Workspace, is_wanted: fn(&Item) -> bool) -> Vec<Completion> {
    let built_in = built_in_documents().iter().map(|(_, document)| document);
    let items = workspace.documents.values().chain(built_in).flat_map(|document| &document.tree.items);
    let ids = items.filter(|item| is_wanted(item)).filter_map(Item::id);
    let mut names: Vec<String> = ids.map(|id| id.name.clone()).collect();
    names.sort();
    names.dedup();
    names.into_iter().map(|name| Completion { label: name, kind: CompletionKind::Rule }).collect()
}

/// Returns the hover text in Markdown of the word at a byte offset, and the range of the word.
pub fn hover(workspace: &Workspace, document: &Document, at: usize) -> Option<(String, Range<usize>)> {
    let word = rule_name_in_table(document, at).or_else(|| document.word_at(at))?;
    let name = &document.text[word.clone()];
    let may_be_local = document.has_syntax_tree && !names_item(document, &word);
    let local_text = if may_be_local { hover_of_local_name(document, word.start, name) } else { None };
    let text = local_text.or_else(|| hover_of_item(workspace, name)).or_else(|| hover_of_language_word(name));
    Some((text?, word))
}

/// Returns the hover text of a local name: the line that introduces the name.
fn hover_of_local_name(document: &Document, at: usize, name: &str) -> Option<String> {
    let span = document.item_at(at)?;
    let item = document.tree.items.iter().find(|item| *item.span() == span)?;
    if let Item::Technique(technique) = item
        && let Some(param) = technique.params.iter().find(|param| param.name.name == name)
    {
        let range = document.text.get(param.span.clone())?;
        return Some(format!("```pinion\n{range}\n```\n\na parameter: the technique has a member for each number"));
    }
    let declaration = item.body().iter().find(|line| declares(line, name));
    let line = match declaration {
        Some(line) => line,
        None if can_be_name(name) => first_mention(document, item, name)?,
        None => return None,
    };
    Some(format!("```pinion\n{}\n```", document.text.get(line.span.clone())?.trim()))
}

fn declares(line: &Statement, name: &str) -> bool {
    match &line.kind {
        StatementKind::Let(declared, _) | StatementKind::Guardians(declared, _) => declared.name == name,
        _ => line.bindings().iter().flat_map(|binding| &binding.names).any(|(declared, _)| declared.name == name),
    }
}

fn first_mention<'d>(document: &'d Document, item: &'d Item, name: &str) -> Option<&'d Statement> {
    let words = document.words().into_iter().filter(|word| document.text[word.clone()] == *name);
    let first = words.map(|word| word.start).find(|start| item.span().contains(start))?;
    item.body().iter().find(|line| line.span.contains(&first))
}

/// Returns the hover text of an item: its comment, and its file if it is built in.
fn hover_of_item(workspace: &Workspace, name: &str) -> Option<String> {
    let in_workspace = workspace.documents.values().map(|document| (None, document));
    let documents = in_workspace.chain(built_in_documents().iter().map(|(file, document)| (Some(*file), document)));
    let mut items = documents.flat_map(|(file, document)| document.tree.items.iter().map(move |item| (file, item)));
    let (file, item) = items.find(|(_, item)| item.id().is_some_and(|id| id.name == name))?;
    let kind = match item {
        Item::Technique(_) => "technique",
        Item::Pattern(_) => "pattern",
        Item::StrongLink(_) => "strong link",
        Item::RuleList(_) => "rules",
        Item::Example(_) => return None,
    };
    let doc: Vec<&str> = item.doc().iter().map(|line| line.text.as_str()).collect();
    let file = file.map_or(String::new(), |file| format!("\n\n`{file}`"));
    Some(format!("**{kind} {name}**\n\n{}{file}", doc.join("\n")))
}

/// Hover text of the function `times`. The name of the function does not mention the counted cells.
const TIMES: &str = "`times(d, S)`: how many cells of S can have the digit d at the same time, at most; a solved cell counts if d \
                     is its value";

/// Returns the hover text of a kind, function or reserved word.
fn hover_of_language_word(name: &str) -> Option<String> {
    let kind = words::kinds().find(|(singular, plural)| name == *singular || name == *plural);
    let description = match kind {
        Some((singular, plural)) => format!("`{singular}`: a kind of name; `{plural}[n]` is a set of n of them"),
        None if name == "times" => TIMES.to_owned(),
        None if FUNCTIONS.contains(&name) => format!("`{name}(…)`: a function"),
        None if is_reserved(name) => format!("`{name}`: a word of the language"),
        None => return None,
    };
    Some(format!("{description}, see docs/language.md."))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenKind {
    Keyword,
    /// A kind of name, such as `cell`.
    Kind,
    Function,
    Name,
    Number,
    Text,
    Comment,
}

/// Returns the kind and byte range of each token except punctuation. Editors require tokens of one line, so a token of
/// several lines is split into its lines.
pub fn tokens(document: &Document) -> Vec<(TokenKind, Range<usize>)> {
    let mut tokens = Vec::new();
    for (class, span) in token_spans(&document.text) {
        let kind = match class {
            TokenClass::Word => kind_of_word(document, &span),
            TokenClass::Number => TokenKind::Number,
            TokenClass::Text | TokenClass::OpenText => TokenKind::Text,
            TokenClass::Comment | TokenClass::Doc => TokenKind::Comment,
            TokenClass::Mark | TokenClass::Newline => continue,
        };
        tokens.extend(split_into_lines(&document.text, span).into_iter().map(|line| (kind, line)));
    }
    tokens
}

fn kind_of_word(document: &Document, span: &Range<usize>) -> TokenKind {
    let word = &document.text[span.clone()];
    let is_called = document.text[span.end..].starts_with('(');
    if is_called && FUNCTIONS.contains(&word) {
        TokenKind::Function
    } else if is_kind(word) || KINDS_WITHOUT_PLURAL.contains(&word) {
        TokenKind::Kind
    } else if is_reserved(word) {
        TokenKind::Keyword
    } else {
        TokenKind::Name
    }
}

/// Returns the byte range of each line of a span, without line ends and empty lines.
fn split_into_lines(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let mut start = span.start;
    let mut lines = Vec::new();
    for line in text[span].split_inclusive(['\n', '\r']) {
        let length = line.trim_end_matches(['\r', '\n']).len();
        if length > 0 {
            lines.push(start..start + length);
        }
        start += line.len();
    }
    lines
}
