//! The rule text of the page, with its diagnostics, tokens, rules, completions and hover texts. Also provides built-in
//! rules as templates and the explanations of diagnostic codes.
//!
//! All positions are in UTF-16 units, because JavaScript counts in these units.

use crate::editor::{self, Completion, Document, TokenKind, Workspace, suggested_replacement};
use crate::grid::BoardSpec;
use crate::lang::codes;
use crate::lang::diagnostic::{Diagnostic, Severity};
use crate::lang::ir::Technique;
use crate::solve::{Profile, Rulebook};
use crate::workbench::{names, scaffold};
use serde::Serialize;
use std::collections::BTreeMap;

/// The name of the text in messages.
pub const FILE: &str = "yours.pinion";

/// A rule text, with the rulebook that contains it.
pub struct RuleText {
    workspace: Workspace,
    /// Ids of the techniques, in the order of the text.
    ids: Vec<String>,
}

/// A diagnostic at its position.
#[derive(Debug, Serialize)]
pub struct TextDiagnostic {
    from: usize,
    to: usize,
    /// Line number, from one.
    line: usize,
    error: bool,
    code: &'static str,
    message: String,
    /// Label of the position.
    label: String,
    help: Option<String>,
    /// A replacement for the text at the position.
    fix: Option<String>,
    /// Further positions: start, end, label.
    more: Vec<(usize, usize, String)>,
}

/// A technique of the text and its position.
#[derive(Debug, Serialize)]
pub struct RuleRecord {
    id: String,
    from: usize,
    to: usize,
}

/// Hover text of the word between two positions.
#[derive(Debug, Serialize)]
pub struct HoverRecord {
    from: usize,
    to: usize,
    /// The hover text, in Markdown.
    text: String,
}

/// Completions; each replaces the text from `from` to the cursor.
#[derive(Debug, Serialize)]
pub struct Completions {
    from: usize,
    list: Vec<Completion>,
}

impl RuleText {
    /// Reads a text.
    pub fn new(built_in: &Rulebook, text: String) -> RuleText {
        let rulebook = built_in.clone().with([(FILE.to_string(), text.clone())]);
        let ids = rulebook.files().last().map_or(Vec::new(), |file| file.techniques.clone());
        let documents = BTreeMap::from([(FILE.to_string(), Document::new(text))]);
        RuleText { workspace: Workspace { rulebook, documents }, ids }
    }

    pub fn was_read_from(&self, text: &str) -> bool {
        self.document().text == text
    }

    /// Returns the built-in rules together with the rules of the text.
    pub fn rulebook(&self) -> &Rulebook {
        &self.workspace.rulebook
    }

    /// Returns the techniques of the text. If `only` is given, returns only the technique with this id.
    pub fn techniques<'t>(&'t self, only: Option<&'t str>) -> impl Iterator<Item = &'t Technique> {
        let ids = self.ids.iter().filter(move |id| only.is_none_or(|only| only == id.as_str()));
        ids.filter_map(|id| self.rulebook().techniques().iter().find(|technique| technique.id == *id))
    }

    fn document(&self) -> &Document {
        &self.workspace.documents[FILE]
    }

    pub fn diagnostics(&self) -> Vec<TextDiagnostic> {
        // The text is the last file of the rulebook.
        let Some(file) = self.rulebook().files().last() else { return Vec::new() };
        file.diagnostics.iter().filter_map(|diagnostic| self.text_diagnostic(diagnostic)).collect()
    }

    /// Converts a diagnostic. Returns `None` for a diagnostic without a position.
    fn text_diagnostic(&self, diagnostic: &Diagnostic) -> Option<TextDiagnostic> {
        let document = self.document();
        let (first, others) = diagnostic.labels.split_first()?;
        let more = others.iter().map(|label| {
            (document.utf16_offset(label.span.start), document.utf16_offset(label.span.end), label.text.clone())
        });
        Some(TextDiagnostic {
            from: document.utf16_offset(first.span.start),
            to: document.utf16_offset(first.span.end),
            line: document.position(first.span.start).0 + 1,
            error: diagnostic.severity == Severity::Error,
            code: diagnostic.code,
            message: diagnostic.message.clone(),
            label: first.text.clone(),
            help: diagnostic.help.clone(),
            fix: suggested_replacement(diagnostic).map(str::to_string),
            more: more.collect(),
        })
    }

    /// Returns start, end and kind of each token.
    pub fn tokens(&self) -> Vec<(usize, usize, TokenKind)> {
        let document = self.document();
        let tokens = editor::tokens(document).into_iter();
        tokens.map(|(kind, span)| (document.utf16_offset(span.start), document.utf16_offset(span.end), kind)).collect()
    }

    /// Returns the techniques of the text with their positions.
    pub fn rules(&self) -> Vec<RuleRecord> {
        let document = self.document();
        let mut rules = Vec::new();
        for symbol in editor::symbols(document) {
            if symbol.kind == "technique" && self.ids.contains(&symbol.name) {
                let from = document.utf16_offset(symbol.span.start);
                let to = document.utf16_offset(symbol.span.end);
                rules.push(RuleRecord { id: symbol.name, from, to });
            }
        }
        rules
    }

    /// Returns completions at a position.
    pub fn complete(&self, at: usize) -> Completions {
        let document = self.document();
        let at = document.byte_offset(at);
        let from = document.word_at(at).map_or(at, |word| word.start.min(at));
        Completions { from: document.utf16_offset(from), list: editor::complete(&self.workspace, document, at) }
    }

    /// Returns the hover text of the word at a position.
    pub fn hover(&self, at: usize) -> Option<HoverRecord> {
        let document = self.document();
        let (text, word) = editor::hover(&self.workspace, document, document.byte_offset(at))?;
        Some(HoverRecord { from: document.utf16_offset(word.start), to: document.utf16_offset(word.end), text })
    }
}

/// Data for the first view of the page.
#[derive(Debug, Serialize)]
pub struct StartRecord {
    version: &'static str,
    rules: Vec<RuleEntry>,
    boards: Vec<String>,
    /// The text of a new rule.
    #[serde(rename = "plain")]
    template: String,
}

/// A built-in rule in a list.
#[derive(Debug, Serialize)]
struct RuleEntry {
    id: String,
    names: Vec<String>,
    family: String,
    /// The first paragraph of the rule's comment.
    about: String,
}

/// A built-in rule as a template.
#[derive(Debug, Serialize)]
pub struct RuleFileRecord {
    text: String,
    /// Name of the file that contains the rule.
    file: String,
    /// The grid of the first example.
    grid: Option<String>,
    /// The board of the first example, if the example names one.
    board: Option<String>,
}

/// Lists the built-in rules in the order of the default profile. Rules that are not in the profile come last.
pub fn start(rulebook: &Rulebook) -> StartRecord {
    let profile = Profile::default().resolved(rulebook.techniques());
    let mut techniques: Vec<&Technique> = rulebook.techniques().iter().collect();
    techniques.sort_by_key(|technique| {
        profile.rows.iter().position(|row| row.technique == technique.id).unwrap_or(usize::MAX)
    });
    let rules = techniques.into_iter().map(|technique| entry(rulebook, technique)).collect();
    let boards = BoardSpec::variants().into_iter().map(|spec| spec.name).collect();
    StartRecord { version: env!("CARGO_PKG_VERSION"), rules, boards, template: scaffold::first_rule("my_rule") }
}

fn entry(rulebook: &Rulebook, technique: &Technique) -> RuleEntry {
    let file = rulebook.file_of(&technique.id).map_or("", |file| file.name.as_str());
    let family = file.split('/').nth(1).unwrap_or_default().replace('_', " ");
    let about: Vec<&str> =
        technique.doc.iter().map(String::as_str).take_while(|line| !line.trim().is_empty()).collect();
    RuleEntry {
        id: technique.id.clone(),
        names: names::names(technique),
        family,
        about: about.join(" ").trim().to_string(),
    }
}

/// Returns a built-in rule as a template, with an example and a near miss.
pub fn rule(rulebook: &Rulebook, id: &str) -> Result<RuleFileRecord, String> {
    let technique_and_text = names::technique(rulebook, id)
        .and_then(|technique| Some((technique, scaffold::copy_of(rulebook, &technique.id, &technique.id)?)));
    let (technique, text) = technique_and_text.ok_or_else(|| format!("there is no technique `{id}`"))?;
    let example = technique.examples.iter().find(|example| !example.near_miss && example.after.is_empty());
    Ok(RuleFileRecord {
        text,
        file: rulebook.file_of(&technique.id).map_or_else(String::new, |file| file.name.clone()),
        grid: example.map(|example| example.grid.clone()),
        board: example.and_then(|example| example.board.clone()),
    })
}

/// Explains a diagnostic code.
pub fn explain(code: &str) -> Result<codes::Code, String> {
    let found = codes::catalogue().find(|known| known.code == code);
    let found = found.ok_or_else(|| format!("there is no message with the code `{code}`"))?;
    Ok(codes::Code { text: found.text.trim(), ..*found })
}
