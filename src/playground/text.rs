//! The rule text of the page, with its diagnostics, tokens, rules, completions and hover texts. Also provides built-in
//! rules as templates and the explanations of diagnostic codes.
//!
//! All positions are in UTF-16 units, because JavaScript counts in these units.

use crate::editor::{self, Document, TokenKind, Workspace, suggested_replacement};
use crate::grid::BoardSpec;
use crate::lang::codes;
use crate::lang::diagnostic::{Diagnostic, Severity};
use crate::lang::ir::Technique;
use crate::solve::{Profile, Rulebook};
use crate::workbench::{names, scaffold};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::Range;

/// The name of the text in messages.
pub const FILE: &str = "yours.pinion";

pub struct RuleText {
    workspace: Workspace,
    /// The built-in rules and the rules of the text.
    rulebook: Rulebook,
    ids: Vec<String>,
}

impl RuleText {
    pub fn new(built_in: &Rulebook, text: String) -> RuleText {
        let rulebook = built_in.clone().with([(FILE.to_string(), text.clone())]);
        let ids = rulebook.files().last().map_or(Vec::new(), |file| file.techniques.clone());
        let documents = BTreeMap::from([(FILE.to_string(), Document::new(text))]);
        RuleText { workspace: Workspace { documents }, rulebook, ids }
    }

    pub fn was_read_from(&self, text: &str) -> bool {
        self.document().text == text
    }

    /// Returns the built-in rules together with the rules of the text.
    pub fn rulebook(&self) -> &Rulebook {
        &self.rulebook
    }

    /// Returns the techniques of the text. If `only` is given, returns only the technique with this id.
    pub fn techniques<'t>(&'t self, only: Option<&'t str>) -> impl Iterator<Item = &'t Technique> {
        let ids = self.ids.iter().filter(move |id| only.is_none_or(|only| only == id.as_str()));
        ids.filter_map(|id| self.rulebook().techniques().iter().find(|technique| technique.id == *id))
    }

    fn document(&self) -> &Document {
        &self.workspace.documents[FILE]
    }

    /// Converts the byte range of a word or an item.
    fn utf16_span(&self, span: &Range<usize>) -> (usize, usize) {
        (self.document().utf16_offset(span.start), self.document().utf16_offset(span.end))
    }

    pub fn diagnostics(&self) -> Vec<Value> {
        // The text is the last file of the rulebook.
        let Some(file) = self.rulebook().files().last() else { return Vec::new() };
        file.diagnostics.iter().filter_map(|diagnostic| self.diagnostic_json(diagnostic)).collect()
    }

    /// Converts a diagnostic. Returns `None` for a diagnostic without a position.
    fn diagnostic_json(&self, diagnostic: &Diagnostic) -> Option<Value> {
        let (first, others) = diagnostic.labels.split_first()?;
        let (from, to) = self.utf16_span(&first.span);
        let more = others.iter().map(|label| {
            let (from, to) = self.utf16_span(&label.span);
            (from, to, &label.text)
        });
        Some(json!({
            "from": from,
            "to": to,
            "line": self.document().position(first.span.start).0 + 1,
            "error": diagnostic.severity == Severity::Error,
            "code": diagnostic.code,
            "message": diagnostic.message,
            "label": first.text,
            "help": diagnostic.help,
            "fix": suggested_replacement(diagnostic),
            "more": more.collect::<Vec<_>>(),
        }))
    }

    pub fn tokens(&self) -> Vec<(usize, usize, TokenKind)> {
        let tokens = editor::tokens(self.document()).into_iter().map(|(kind, span)| {
            let (from, to) = self.utf16_span(&span);
            (from, to, kind)
        });
        tokens.collect()
    }

    pub fn rules(&self) -> Vec<Value> {
        let symbols = editor::symbols(self.document()).into_iter();
        let rules = symbols.filter(|symbol| symbol.kind == "technique" && self.ids.contains(&symbol.name));
        let rules = rules.map(|symbol| {
            let (from, to) = self.utf16_span(&symbol.span);
            json!({ "id": symbol.name, "from": from, "to": to })
        });
        rules.collect()
    }

    /// Returns completions at a position; each replaces the text from `from` to the cursor.
    pub fn complete(&self, at: usize) -> Value {
        let document = self.document();
        let at = document.byte_offset(at);
        let from = document.word_at(at).map_or(at, |word| word.start.min(at));
        json!({ "from": document.utf16_offset(from), "list": editor::complete(&self.workspace, document, at) })
    }

    /// Returns the hover text of the word at a position, in Markdown.
    pub fn hover(&self, at: usize) -> Option<Value> {
        let document = self.document();
        let (text, word) = editor::hover(&self.workspace, document, document.byte_offset(at))?;
        let (from, to) = self.utf16_span(&word);
        Some(json!({ "from": from, "to": to, "text": text }))
    }
}

/// Returns the data for the first view of the page: the built-in rules in the order of the default profile, then those
/// that are not in the profile; the boards; the text of a new rule.
pub fn start(rulebook: &Rulebook) -> Value {
    let profile = Profile::default().resolved(rulebook.techniques());
    let mut techniques: Vec<&Technique> = rulebook.techniques().iter().collect();
    techniques.sort_by_key(|technique| {
        profile.rows.iter().position(|row| row.technique == technique.id).unwrap_or(usize::MAX)
    });
    let boards = BoardSpec::variants().into_iter().map(|spec| spec.name);
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "rules": techniques.into_iter().map(|technique| entry(rulebook, technique)).collect::<Vec<_>>(),
        "boards": boards.collect::<Vec<_>>(),
        "plain": scaffold::first_rule("my_rule"),
    })
}

/// Returns a built-in rule as an entry of a list, with the first paragraph of its comment.
fn entry(rulebook: &Rulebook, technique: &Technique) -> Value {
    let file = rulebook.file_of(&technique.id).map_or("", |file| file.name.as_str());
    let about: Vec<&str> =
        technique.doc.iter().map(String::as_str).take_while(|line| !line.trim().is_empty()).collect();
    json!({
        "id": technique.id,
        "names": names::names(technique),
        "family": file.split('/').nth(1).unwrap_or_default().replace('_', " "),
        "about": about.join(" ").trim(),
    })
}

/// Returns a built-in rule as a template, with an example and a near miss; also the grid and board of the
/// first example that is no near miss and follows no other step.
pub fn rule(rulebook: &Rulebook, id: &str) -> Result<Value, String> {
    let technique_and_text = names::technique(rulebook, id)
        .and_then(|technique| Some((technique, scaffold::copy_of(rulebook, &technique.id, &technique.id)?)));
    let (technique, text) = technique_and_text.ok_or_else(|| format!("there is no technique `{id}`"))?;
    let example = technique.examples.iter().find(|example| !example.near_miss && example.after.is_empty());
    Ok(json!({
        "text": text,
        "file": rulebook.file_of(&technique.id).map_or("", |file| &file.name),
        "grid": example.map(|example| &example.grid),
        "board": example.and_then(|example| example.board.as_ref()),
    }))
}

pub fn explain(code: &str) -> Result<Value, String> {
    let found = codes::catalogue().find(|known| known.code == code);
    let found = found.ok_or_else(|| format!("there is no message with the code `{code}`"))?;
    Ok(json!(codes::Code { text: found.text.trim(), ..*found }))
}
