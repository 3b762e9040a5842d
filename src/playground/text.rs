//! The text of a rule file. In: what somebody has written so far. Out: what is wrong with it, what its words are, its rules; places
//! in units of UTF-16, as pages count.

use crate::editor::{self, Class, Completion, Document, Workspace, meant};
use crate::lang::diagnostic::{Diagnostic, Severity};
use crate::lang::format::format;
use crate::lang::ir::Technique;
use crate::solve::Rulebook;
use serde::Serialize;
use std::collections::BTreeMap;

/// What the text is called in messages.
pub const FILE: &str = "yours.pinion";

/// A text that was read, with the rulebook that it makes.
pub struct RuleText {
    workspace: Workspace,
    /// Ids of its techniques, in order.
    ids: Vec<String>,
}

/// Something wrong, at its place.
#[derive(Debug, Serialize)]
pub struct Finding {
    from: usize,
    to: usize,
    /// From one.
    line: usize,
    error: bool,
    code: &'static str,
    message: String,
    /// What is at the place.
    label: String,
    help: Option<String>,
    /// What would be right there.
    fix: Option<String>,
    /// Other places, with words.
    more: Vec<(usize, usize, String)>,
}

/// A technique of the text.
#[derive(Debug, Serialize)]
pub struct RuleRecord {
    id: String,
    from: usize,
    to: usize,
}

/// What a word is.
#[derive(Debug, Serialize)]
pub struct Hovered {
    from: usize,
    to: usize,
    /// In Markdown.
    text: String,
}

/// Words that may come next; each stands for what is between the places.
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

    /// Whether it is this text.
    pub fn is(&self, text: &str) -> bool {
        self.document().text == text
    }

    /// All rules at hand.
    pub fn rulebook(&self) -> &Rulebook {
        &self.workspace.rulebook
    }

    /// Its techniques, or the one with an id.
    pub fn techniques<'t>(&'t self, only: Option<&'t str>) -> impl Iterator<Item = &'t Technique> {
        let wanted = self.ids.iter().filter(move |id| only.is_none_or(|only| only == id.as_str()));
        wanted.filter_map(|id| self.rulebook().techniques().iter().find(|one| one.id == *id))
    }

    fn document(&self) -> &Document {
        &self.workspace.documents[FILE]
    }

    /// What is wrong with it.
    pub fn findings(&self) -> Vec<Finding> {
        let file = self.rulebook().files().last();
        file.map_or_else(Vec::new, |file| file.diagnostics.iter().filter_map(|one| self.finding(one)).collect())
    }

    fn finding(&self, found: &Diagnostic) -> Option<Finding> {
        let document = self.document();
        let (first, others) = found.labels.split_first()?;
        let more =
            others.iter().map(|one| (document.unit(one.span.start), document.unit(one.span.end), one.text.clone()));
        Some(Finding {
            from: document.unit(first.span.start),
            to: document.unit(first.span.end),
            line: document.position(first.span.start).0 + 1,
            error: found.severity == Severity::Error,
            code: found.code,
            message: found.message.clone(),
            label: first.text.clone(),
            help: found.help.clone(),
            fix: meant(found).map(str::to_string),
            more: more.collect(),
        })
    }

    /// What each token is, and where.
    pub fn tokens(&self) -> Vec<(usize, usize, Class)> {
        let document = self.document();
        let told = |(class, span): (Class, std::ops::Range<usize>)| {
            (document.unit(span.start), document.unit(span.end), class)
        };
        editor::tokens(document).into_iter().map(told).collect()
    }

    /// Its techniques with their places.
    pub fn rules(&self) -> Vec<RuleRecord> {
        let document = self.document();
        let symbols = editor::symbols(document);
        let rules = symbols.into_iter().filter(|one| one.sort == "technique" && self.ids.contains(&one.name));
        let record = |one: editor::Symbol| RuleRecord {
            from: document.unit(one.span.start),
            to: document.unit(one.span.end),
            id: one.name,
        };
        rules.map(record).collect()
    }

    /// What may come next.
    pub fn complete(&self, at: usize) -> Completions {
        let document = self.document();
        let at = document.byte(at);
        let from = document.word_at(at).map_or(at, |word| word.start.min(at));
        Completions { from: document.unit(from), list: editor::complete(&self.workspace, document, at) }
    }

    /// What a word is.
    pub fn hover(&self, at: usize) -> Option<Hovered> {
        let document = self.document();
        let (text, word) = editor::hover(&self.workspace, document, document.byte(at))?;
        Some(Hovered { from: document.unit(word.start), to: document.unit(word.end), text })
    }
}

/// The text in its canonical layout; nothing while it has errors.
pub fn formatted(text: &str) -> Option<String> {
    format(text).ok()
}
