//! Diagnostics and completions of tables: RON files with a profile, a board or a catalogue.
//!
//! The names of fields are taken from the error messages of the deserializers, so that no list repeats the fields of the types.

use crate::cli::diagnostics::message_with_advice;
use crate::cli::lsp::answer::range;
use crate::cli::lsp::diagnostics::{ERROR, WARNING};
use crate::cli::lsp::server::Server;
use crate::editor::{Document, TableScan, TableToken, scan_table};
use crate::grid::{BoardSpec, Geometry};
use crate::lang::line_ends::lone_cr_as_lf;
use crate::solve::{Catalogue, Profile, Rulebook, nearest, price_faults, targets_named};
use crate::workbench::names::names;
use ron::error::Error;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TableKind {
    Profile,
    Board,
    Catalogue,
}

/// Recognizes a table by fields that no table of another kind has. Returns `None` for other RON files.
fn table_kind(scan: &TableScan) -> Option<TableKind> {
    let has_field =
        |name: &str| scan.tokens.iter().any(|token| !token.is_string && token.path.is_empty() && token.text == name);
    if has_field("rows") {
        Some(TableKind::Profile)
    } else if has_field("entries") {
        Some(TableKind::Catalogue)
    } else if has_field("size") && has_field("name") {
        Some(TableKind::Board)
    } else {
        None
    }
}

pub fn table_diagnostics(document: &Document, rulebook: &Rulebook) -> Vec<Value> {
    let scan = scan_table(&document.text, usize::MAX);
    let Some(kind) = table_kind(&scan) else { return Vec::new() };
    let problems = match kind {
        TableKind::Profile => check_profile(&document.text, &scan, rulebook),
        TableKind::Board => check_board(&document.text, &scan),
        TableKind::Catalogue => check_catalogue(&document.text, &scan, rulebook),
    };
    let diagnostics = problems.into_iter().map(|TableProblem { span, severity, message, replacement }| {
        let range = range(document, &span);
        json!({ "range": range, "severity": severity, "source": "pinion", "message": message, "data": replacement })
    });
    diagnostics.collect()
}

struct TableProblem {
    span: Range<usize>,
    severity: u8,
    message: String,
    /// The word that was probably meant.
    replacement: Option<String>,
}

fn error(span: Range<usize>, message: impl Into<String>) -> TableProblem {
    TableProblem { span, severity: ERROR, message: message.into(), replacement: None }
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, TableProblem> {
    let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    options.from_str(text).map_err(|fault| {
        let start = byte_offset(text, fault.span.start.line, fault.span.start.col);
        let end = byte_offset(text, fault.span.end.line, fault.span.end.col);
        let replacement = match &fault.code {
            Error::NoSuchStructField { expected, found, .. } | Error::NoSuchEnumVariant { expected, found, .. } => {
                nearest(found, expected.iter().copied()).into_iter().next()
            }
            _ => None,
        };
        TableProblem { replacement, ..error(start..end.max(start), fault.code.to_string()) }
    })
}

/// Returns the byte offset of a line and a column, both from 1.
fn byte_offset(text: &str, line: usize, column: usize) -> usize {
    let text = &*lone_cr_as_lf(text);
    let line_start = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
    let rest = text.get(line_start..).unwrap_or("");
    line_start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(offset, _)| offset)
}

fn check_profile(text: &str, scan: &TableScan, rulebook: &Rulebook) -> Vec<TableProblem> {
    let profile: Profile = match parse(text) {
        Ok(profile) => profile,
        Err(problem) => return vec![problem],
    };
    let mut problems = unknown_rules(scan, rulebook);
    // `Profile::read` also checks that the base exists, and that rows come after existing rows.
    if let Err(fault) = Profile::read("", text) {
        let message = fault.0.trim_start_matches(": ").to_owned();
        let field = if profile.base.is_some() && !message.contains("comes after") { "base" } else { "after" };
        let span = strings_of(scan, field).next().map_or(0..0, |token| token.span.clone());
        problems.push(error(span, message));
        return problems;
    }
    for fault in price_faults(&profile.resolved(rulebook.techniques()), rulebook.techniques()) {
        let price = scan.tokens.iter().find(|token| token.is_string && token.text == fault.text);
        let offset = price.map_or(0, |token| token.span.start);
        for diagnostic in &fault.diagnostics {
            let Some(label) = diagnostic.labels.first() else { continue };
            let span = offset + label.span.start..offset + label.span.end;
            problems.push(error(span, message_with_advice(diagnostic)));
        }
    }
    problems
}

fn check_catalogue(text: &str, scan: &TableScan, rulebook: &Rulebook) -> Vec<TableProblem> {
    match parse::<Catalogue>(text) {
        Ok(_) => unknown_rules(scan, rulebook),
        Err(problem) => vec![problem],
    }
}

fn check_board(text: &str, scan: &TableScan) -> Vec<TableProblem> {
    let fault = match parse::<BoardSpec>(text) {
        Err(problem) => return vec![problem],
        Ok(spec) => Geometry::new(spec).err(),
    };
    let Some(fault) = fault else { return Vec::new() };
    let size = scan.tokens.iter().find(|token| !token.is_string && token.text == "size");
    vec![error(size.map_or(0..0, |token| token.span.clone()), fault.to_string())]
}

fn unknown_rules(scan: &TableScan, rulebook: &Rulebook) -> Vec<TableProblem> {
    let ids: BTreeSet<&str> = rulebook.techniques().iter().map(|technique| technique.id.as_str()).collect();
    let mut problems = Vec::new();
    for TableToken { text, span, .. } in scan.tokens.iter().filter(|token| token.names_rule()) {
        if ids.contains(text.as_str()) || targets_named(text).is_some() {
            continue;
        }
        let replacement = nearest(text, ids.iter().copied()).into_iter().next();
        let mut message = format!("no rule is called `{text}`");
        if let Some(name) = &replacement {
            message += &format!("\ndid you mean `{name}`?");
        }
        problems.push(TableProblem { span: span.clone(), severity: WARNING, message, replacement });
    }
    problems
}

fn strings_of<'s>(scan: &'s TableScan, field: &'s str) -> impl Iterator<Item = &'s TableToken> {
    scan.tokens.iter().filter(move |token| token.is_string && token.path.last().is_some_and(|name| name == field))
}

/// Kinds of completions in the protocol.
const FIELD: u8 = 5;
const VALUE: u8 = 20;
const RULE: u8 = 18;
const TEXT: u8 = 1;

pub fn complete_table(server: &Server, document: &Document, offset: usize) -> Value {
    let scan = scan_table(&document.text, offset);
    let context = &scan.context;
    let Some(table) = table_kind(&scan) else { return Value::Null };
    let field = context.path.last().map_or("", String::as_str);
    let mut items = Vec::new();
    if context.in_string {
        for (label, kind) in possible_strings(server, &scan, field) {
            items.push(json!({ "label": label, "kind": kind, "insertText": label }));
        }
    } else if context.begins_field {
        let names_in_struct = scan.tokens.iter().filter(|token| !token.is_string && token.group == context.group);
        let present: BTreeSet<&str> = names_in_struct.map(|token| token.text.as_str()).collect();
        for name in fields_at(table, &context.path) {
            if !present.contains(name.as_str()) {
                items.push(json!({ "label": name, "kind": FIELD, "insertText": format!("{name}: ") }));
            }
        }
    } else {
        for value in possible_values(field) {
            items.push(json!({ "label": value, "kind": VALUE, "insertText": value }));
        }
    }
    json!({ "isIncomplete": false, "items": items })
}

fn possible_strings(server: &Server, scan: &TableScan, field: &str) -> Vec<(String, u8)> {
    let techniques = server.rulebook.techniques();
    let mut strings: Vec<(String, u8)> = match field {
        "technique" | "after" => techniques.iter().map(|technique| (technique.id.clone(), RULE)).collect(),
        "base" => Profile::all_embedded().into_iter().map(|profile| (profile.name, VALUE)).collect(),
        "called" | "case" => {
            let id = scan.tokens.iter().find(|token| token.names_rule() && token.group == scan.context.group);
            let rule = id.and_then(|id| techniques.iter().find(|technique| technique.id == id.text));
            rule.map_or_else(Vec::new, |rule| names(rule).into_iter().map(|name| (name, TEXT)).collect())
        }
        // Other fields get the strings that the file already has for the field.
        _ => strings_of(scan, field).map(|token| (token.text.clone(), TEXT)).collect(),
    };
    strings.sort();
    strings.dedup();
    strings
}

/// Returns the field names of the struct at a path. The deserializer lists them in the error about the unknown field `zz`.
fn fields_at(table: TableKind, path: &[String]) -> Vec<String> {
    let mut text = "(zz: 0)".to_owned();
    for field in path.iter().rev() {
        text = match field.as_str() {
            "rows" | "entries" | "means" | "library" | "extra" => format!("({field}: [{text}])"),
            "others" => format!("({field}: After{text})"),
            "regions" => format!("({field}: Boxes{text})"),
            _ => format!("({field}: {text})"),
        };
    }
    match table {
        TableKind::Profile => names_in_error::<Profile>(&text),
        TableKind::Board => names_in_error::<BoardSpec>(&text),
        TableKind::Catalogue => names_in_error::<Catalogue>(&text),
    }
}

/// Returns the words that can be the value of a field. The deserializer lists them in the error about the unknown variant `Zz`.
fn possible_values(field: &str) -> Vec<String> {
    match field {
        "others" => names_in_error::<Profile>("(others: Zz)"),
        "by" => names_in_error::<Profile>("(rating: (by: Zz))"),
        "regions" => names_in_error::<BoardSpec>("(regions: Zz)"),
        "enabled" => vec!["true".into(), "false".into()],
        _ => Vec::new(),
    }
}

/// Returns the names that the deserializer of `T` expects instead of an unknown name in `text`.
fn names_in_error<T: DeserializeOwned>(text: &str) -> Vec<String> {
    match ron::from_str::<T>(text).err().map(|fault| fault.code) {
        Some(Error::NoSuchStructField { expected, .. } | Error::NoSuchEnumVariant { expected, .. }) => {
            expected.iter().map(|name| (*name).to_owned()).collect()
        }
        _ => Vec::new(),
    }
}
