//! What is wrong with a file. In: diagnostics. Out: the same for an editor, fixes for those whose help says what was meant, and the
//! file in its canonical layout.

use super::places::range;
use crate::editor::{Document, meant};
use crate::lang::diagnostic::{Diagnostic, Severity};
use crate::lang::format::format;
use serde_json::{Value, json};

/// The findings of a file. A fix travels with its finding.
pub fn findings(uri: &str, document: &Document, all: &[Diagnostic]) -> Vec<Value> {
    let one = |found: &Diagnostic| {
        let (first, others) = found.labels.split_first()?;
        let mut message = found.message.clone();
        for more in [(!first.text.is_empty()).then_some(&first.text), found.help.as_ref()].into_iter().flatten() {
            message += &format!("\n{more}");
        }
        let related = |label: &crate::lang::diagnostic::Label| json!({ "location": { "uri": uri, "range": range(document, &label.span) }, "message": label.text });
        Some(json!({
            "range": range(document, &first.span),
            "severity": if found.severity == Severity::Error { 1 } else { 2 },
            "code": found.code,
            "source": "pinion",
            "message": message,
            "relatedInformation": others.iter().map(related).collect::<Vec<_>>(),
            "data": meant(found),
        }))
    };
    all.iter().filter_map(one).collect()
}

/// A fix for each finding that was sent with one.
pub fn actions(uri: &str, params: &Value) -> Value {
    let found = params["context"]["diagnostics"].as_array().into_iter().flatten();
    let action = |one: &Value| {
        let word = one["data"].as_str()?;
        Some(json!({
            "title": format!("Change to `{word}`"),
            "kind": "quickfix",
            "diagnostics": [one],
            "isPreferred": true,
            "edit": { "changes": { uri: [{ "range": one["range"], "newText": word }] } },
        }))
    };
    Value::Array(found.filter_map(action).collect())
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
