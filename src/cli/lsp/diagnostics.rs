//! Diagnostics of rule files in the protocol, their fixes, and formatting.

use crate::cli::diagnostics::message_with_advice;
use crate::cli::lsp::answer::range;
use crate::editor::{Document, MAX_ANALYZED_BYTES, suggested_replacement};
use crate::lang::diagnostic::{Diagnostic, Severity};
use crate::lang::format::format;
use serde_json::{Value, json};

pub const ERROR: u8 = 1;
pub const WARNING: u8 = 2;
const INFORMATION: u8 = 3;

/// Converts the diagnostics of a rule file. If a fix is known, the field `data` has the replacement, for [`fixes`].
pub fn rule_diagnostics(uri: &str, document: &Document, diagnostics: &[Diagnostic]) -> Vec<Value> {
    let mut converted = Vec::new();
    for diagnostic in diagnostics {
        let Some((first, others)) = diagnostic.labels.split_first() else { continue };
        let mut related = Vec::new();
        for label in others {
            let location = json!({ "uri": uri, "range": range(document, &label.span) });
            related.push(json!({ "location": location, "message": label.text }));
        }
        converted.push(json!({
            "range": range(document, &first.span),
            "severity": if diagnostic.severity == Severity::Error { ERROR } else { WARNING },
            "code": diagnostic.code,
            "source": "pinion",
            "message": message_with_advice(diagnostic),
            "relatedInformation": related,
            "data": suggested_replacement(diagnostic),
        }));
    }
    converted
}

pub fn too_long_diagnostic(document: &Document) -> Value {
    let message = format!(
        "this file is longer than {MAX_ANALYZED_BYTES} bytes, so it is not checked here; `pinion check` reads it"
    );
    json!({ "range": range(document, &(0..0)), "severity": INFORMATION, "source": "pinion", "message": message })
}

/// Returns a code action for each diagnostic of the request that has a replacement.
pub fn fixes(uri: &str, params: &Value) -> Value {
    let mut actions = Vec::new();
    for diagnostic in params["context"]["diagnostics"].as_array().into_iter().flatten() {
        let Some(replacement) = diagnostic["data"].as_str() else { continue };
        let edit = json!({ "range": diagnostic["range"], "newText": replacement });
        actions.push(json!({
            "title": format!("Change to `{replacement}`"),
            "kind": "quickfix",
            "diagnostics": [diagnostic],
            "isPreferred": true,
            "edit": { "changes": { uri: [edit] } },
        }));
    }
    Value::Array(actions)
}

/// Returns the edits that format the file, or null if the file has errors.
pub fn formatting(document: &Document) -> Value {
    match format(&document.text) {
        Ok(text) if text != document.text => {
            json!([{ "range": range(document, &(0..document.text.len())), "newText": text }])
        }
        Ok(_) => json!([]),
        Err(_) => Value::Null,
    }
}
