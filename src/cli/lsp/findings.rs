//! Findings of rule files and tables. In: diagnostics, or a profile, board or catalogue that is being written. Out: findings as the editor
//! gets them, fixes for those whose help names the right word, the canonical layout, and completions of tables.
//!
//! The names of fields are asked of the readers of tables, so they are written in one place.

use crate::cli::lsp::answer::range;
use crate::cli::lsp::server::Server;
use crate::editor::{Document, MAX_ANALYZED_BYTES, Scan, TableToken, scan, suggested_replacement};
use crate::grid::{BoardSpec, Geometry};
use crate::lang::diagnostic::{Diagnostic, Severity};
use crate::lang::format::format;
use crate::lang::line_ends::lone_cr_as_lf;
use crate::solve::{Catalogue, Profile, Rulebook, nearest, price_faults, targets_named};
use crate::workbench::names::names;
use ron::error::Error;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ops::Range;

/// The findings of a file. A fix travels with its finding.
pub fn findings(uri: &str, document: &Document, all: &[Diagnostic]) -> Vec<Value> {
    let mut out = Vec::new();
    for found in all {
        let Some((first, others)) = found.labels.split_first() else { continue };
        let mut message = found.message.clone();
        for more in [(!first.text.is_empty()).then_some(&first.text), found.help.as_ref()].into_iter().flatten() {
            message += &format!("\n{more}");
        }
        let related = others.iter().map(
            |label| json!({ "location": { "uri": uri, "range": range(document, &label.span) }, "message": label.text }),
        );
        out.push(json!({
            "range": range(document, &first.span),
            "severity": if found.severity == Severity::Error { 1 } else { 2 },
            "code": found.code,
            "source": "pinion",
            "message": message,
            "relatedInformation": related.collect::<Vec<_>>(),
            "data": suggested_replacement(found),
        }));
    }
    out
}

/// Returns the finding for a file that is too long to be checked.
pub fn too_long(document: &Document) -> Value {
    let message = format!(
        "this file is longer than {MAX_ANALYZED_BYTES} bytes, so it is not checked here; `pinion check` reads it"
    );
    json!({ "range": range(document, &(0..0)), "severity": 3, "source": "pinion", "message": message })
}

/// A fix for each finding that was sent with one.
pub fn actions(uri: &str, params: &Value) -> Value {
    let mut actions = Vec::new();
    for one in params["context"]["diagnostics"].as_array().into_iter().flatten() {
        let Some(word) = one["data"].as_str() else { continue };
        actions.push(json!({
            "title": format!("Change to `{word}`"),
            "kind": "quickfix",
            "diagnostics": [one],
            "isPreferred": true,
            "edit": { "changes": { uri: [{ "range": one["range"], "newText": word }] } },
        }));
    }
    Value::Array(actions)
}

/// The edit that brings the file into its canonical layout; nothing while it has errors.
pub fn formatted(document: &Document) -> Value {
    match format(&document.text) {
        Ok(text) if text != document.text => {
            json!([{ "range": range(document, &(0..document.text.len())), "newText": text }])
        }
        Ok(_) => json!([]),
        Err(_) => Value::Null,
    }
}

/// Kind of table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TableKind {
    Profile,
    Board,
    Catalogue,
}

/// Recognizes a table by the fields that only its kind has. None if RON is used for something else.
fn kind(found: &Scan) -> Option<TableKind> {
    let top = found.tokens.iter().filter(|piece| !piece.is_string && piece.path.is_empty());
    let top: BTreeSet<&str> = top.map(|piece| piece.text.as_str()).collect();
    match () {
        () if top.contains("rows") => Some(TableKind::Profile),
        () if top.contains("entries") => Some(TableKind::Catalogue),
        () if top.contains("size") && top.contains("name") => Some(TableKind::Board),
        () => None,
    }
}

/// Everything that is wrong with a table.
pub fn table_findings(document: &Document, book: &Rulebook) -> Vec<Value> {
    let found = scan(&document.text, usize::MAX);
    let Some(kind) = kind(&found) else { return Vec::new() };
    let problems = match kind {
        TableKind::Profile => profile(&document.text, &found, book),
        TableKind::Board => board(&document.text, &found),
        TableKind::Catalogue => catalogue(&document.text, &found, book),
    };
    let mut out = Vec::new();
    for TableProblem { span, is_error, message, meant } in problems {
        let severity = if is_error { 1 } else { 2 };
        let range = range(document, &span);
        out.push(json!({
            "range": range, "severity": severity, "source": "pinion", "message": message, "data": meant
        }));
    }
    out
}

/// Something that is wrong.
struct TableProblem {
    span: Range<usize>,
    is_error: bool,
    message: String,
    /// The word that was probably meant.
    meant: Option<String>,
}

fn error(span: Range<usize>, message: impl Into<String>) -> TableProblem {
    TableProblem { span, is_error: true, message: message.into(), meant: None }
}

/// Reads a table.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, TableProblem> {
    let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    options.from_str(text).map_err(|fault| {
        let [start, end] = [fault.span.start, fault.span.end].map(|at| byte_of(text, at.line, at.col));
        let meant = match &fault.code {
            Error::NoSuchStructField { expected, found, .. } | Error::NoSuchEnumVariant { expected, found, .. } => {
                nearest(found, expected.iter().copied()).into_iter().next()
            }
            _ => None,
        };
        TableProblem { meant, ..error(start..end.max(start), fault.code.to_string()) }
    })
}

/// The byte of a line and a column, both from one.
fn byte_of(text: &str, line: usize, column: usize) -> usize {
    let text = &*lone_cr_as_lf(text);
    let start = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
    let rest = text.get(start..).unwrap_or("");
    start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
}

fn profile(text: &str, found: &Scan, book: &Rulebook) -> Vec<TableProblem> {
    let written: Profile = match read(text) {
        Ok(profile) => profile,
        Err(problem) => return vec![problem],
    };
    let mut problems = unknown_rules(found, book);
    // Rows that name other rows can be checked only with the base.
    if let Err(fault) = Profile::read("", text) {
        let words = fault.0.trim_start_matches(": ").to_owned();
        let field = if written.base.is_some() && !words.contains("comes after") { "base" } else { "after" };
        let span = strings_of(found, field).next().map_or(0..0, |piece| piece.span.clone());
        problems.push(error(span, words));
        return problems;
    }
    for fault in price_faults(&written.resolved(book.techniques()), book.techniques()) {
        let piece = found.tokens.iter().find(|piece| piece.is_string && piece.text == fault.text);
        let start = piece.map_or(0, |piece| piece.span.start);
        problems.extend(fault.diagnostics.iter().filter_map(|one| {
            let label = one.labels.first()?;
            let help = one.help.as_ref().map_or(String::new(), |help| format!("\n{help}"));
            let message = format!("{}\n{}{help}", one.message, label.text);
            Some(error(start + label.span.start..start + label.span.end, message))
        }));
    }
    problems
}

fn catalogue(text: &str, found: &Scan, book: &Rulebook) -> Vec<TableProblem> {
    match read::<Catalogue>(text) {
        Ok(_) => unknown_rules(found, book),
        Err(problem) => vec![problem],
    }
}

fn board(text: &str, found: &Scan) -> Vec<TableProblem> {
    let spec: BoardSpec = match read(text) {
        Ok(spec) => spec,
        Err(problem) => return vec![problem],
    };
    let size = found.tokens.iter().find(|piece| !piece.is_string && piece.text == "size");
    let span = size.map_or(0..0, |piece| piece.span.clone());
    Geometry::new(spec).err().map(|fault| error(span, fault.to_string())).into_iter().collect()
}

/// Rows about rules that do not exist.
fn unknown_rules(found: &Scan, book: &Rulebook) -> Vec<TableProblem> {
    let ids: BTreeSet<&str> = book.techniques().iter().map(|one| one.id.as_str()).collect();
    let unknown = found.tokens.iter().filter(|piece| piece.names_rule());
    let unknown = unknown.filter(|piece| !ids.contains(piece.text.as_str()) && targets_named(&piece.text).is_none());
    unknown
        .map(|piece| {
            let meant = nearest(&piece.text, ids.iter().copied()).into_iter().next();
            let help = meant.as_ref().map_or(String::new(), |name| format!("\ndid you mean `{name}`?"));
            let message = format!("no rule is called `{}`{help}", piece.text);
            TableProblem { span: piece.span.clone(), is_error: false, message, meant }
        })
        .collect()
}

/// The strings of a field.
fn strings_of<'f>(found: &'f Scan, field: &'f str) -> impl Iterator<Item = &'f TableToken> {
    found.tokens.iter().filter(move |piece| piece.is_string && piece.path.last().is_some_and(|name| name == field))
}

/// Returns completions at a byte offset.
pub fn complete_table(server: &Server, document: &Document, at: usize) -> Value {
    let found = scan(&document.text, at);
    let context = &found.context;
    let Some(kind) = kind(&found) else { return Value::Null };
    let field = context.path.last().map_or("", String::as_str);
    let words = match (context.in_string, context.begins_field) {
        (true, _) => strings(server, &found, field),
        (false, true) => fields(kind, &context.path).into_iter().map(|name| (format!("{name}: "), FIELD)).collect(),
        (false, false) => values(field).into_iter().map(|name| (name, VALUE)).collect(),
    };
    let known = found.tokens.iter().filter(|piece| !piece.is_string && piece.group == context.group);
    let known: BTreeSet<&str> = known.map(|piece| piece.text.as_str()).collect();
    let mut items = Vec::new();
    for (text, kind) in words {
        let label = text.trim_end_matches(": ");
        if kind != FIELD || !known.contains(label) {
            items.push(json!({ "label": label, "kind": kind, "insertText": text }));
        }
    }
    json!({ "isIncomplete": false, "items": items })
}

const FIELD: u8 = 5;
const VALUE: u8 = 20;
const RULE: u8 = 18;
const TEXT: u8 = 1;

/// Returns the possible strings of a field.
fn strings(server: &Server, found: &Scan, field: &str) -> Vec<(String, u8)> {
    let mut all: Vec<(String, u8)> = match field {
        "technique" | "after" => server.book.techniques().iter().map(|one| (one.id.clone(), RULE)).collect(),
        "base" => Profile::all_embedded().into_iter().map(|one| (one.name, VALUE)).collect(),
        "called" | "case" => {
            let row = found.tokens.iter().find(|piece| piece.names_rule() && piece.group == found.context.group);
            let id = row.map(|piece| piece.text.as_str());
            let rule = server.book.techniques().iter().find(|one| Some(one.id.as_str()) == id);
            rule.into_iter().flat_map(names).map(|name| (name, TEXT)).collect()
        }
        // Whatever the file has there already.
        _ => strings_of(found, field).map(|piece| (piece.text.clone(), TEXT)).collect(),
    };
    all.sort();
    all.dedup();
    all
}

/// The fields of a struct: what its reader expects where it finds something else.
fn fields(kind: TableKind, path: &[String]) -> Vec<String> {
    let inner = path.iter().rev().fold("(zz: 0)".to_owned(), |inner, field| match field.as_str() {
        "rows" | "entries" | "means" | "library" | "extra" => format!("({field}: [{inner}])"),
        "others" => format!("({field}: After{inner})"),
        "regions" => format!("({field}: Boxes{inner})"),
        _ => format!("({field}: {inner})"),
    });
    expected(match kind {
        TableKind::Profile => options::<Profile>(&inner),
        TableKind::Board => options::<BoardSpec>(&inner),
        TableKind::Catalogue => options::<Catalogue>(&inner),
    })
}

/// The words that may be the value of a field.
fn values(field: &str) -> Vec<String> {
    match field {
        "others" => expected(options::<Profile>("(others: Zz)")),
        "by" => expected(options::<Profile>("(rating: (by: Zz))")),
        "regions" => expected(options::<BoardSpec>("(regions: Zz)")),
        "enabled" => vec!["true".into(), "false".into()],
        _ => Vec::new(),
    }
}

fn options<T: DeserializeOwned>(text: &str) -> Option<Error> {
    ron::from_str::<T>(text).err().map(|fault| fault.code)
}

fn expected(fault: Option<Error>) -> Vec<String> {
    match fault {
        Some(Error::NoSuchStructField { expected, .. } | Error::NoSuchEnumVariant { expected, .. }) => {
            expected.iter().map(|name| (*name).to_owned()).collect()
        }
        _ => Vec::new(),
    }
}
