//! Possible improvements of sound rules. In: a rulebook and a file of it. Out: diagnostics with `L` codes.
//!
//! A deliberate finding is excused by a comment in the rule or above it, with the reason:
//! `// allow L0103: four corners, any of which may lack x or y`.

pub(super) mod follows;
mod start;
mod unused;

use super::names::names;
use crate::lang::ast::{File, Item, Technique};
use crate::lang::codes::{LintProblem, Problem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::parse;
use crate::solve::{RuleFile, Rulebook, folded};
use std::collections::BTreeMap;
use std::ops::Range;

/// Findings of a file, and the number of excused ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linted {
    /// In order of place.
    pub findings: Vec<Diagnostic>,
    /// Findings with an excuse.
    pub excused: usize,
    /// Techniques that were not examined, because it was time to stop.
    pub left: usize,
}

/// The names of every technique, and who has them, in the order of the rulebook.
pub type Names = BTreeMap<String, Vec<String>>;

/// Collects the names of a rulebook.
pub fn names_of(rulebook: &Rulebook) -> Names {
    let mut all = Names::new();
    for technique in rulebook.techniques() {
        for name in names(technique) {
            let owners = all.entry(folded(&name)).or_default();
            if !owners.contains(&technique.id) {
                owners.push(technique.id.clone());
            }
        }
    }
    all
}

/// Examines every active technique of a file, until `enough` returns true.
pub fn lint(rulebook: &Rulebook, file: &RuleFile, names: &Names, enough: &dyn Fn() -> bool) -> Linted {
    let (tree, _) = parse(&file.text);
    let mut out = Linted::default();
    let mut from = 0;
    for item in &tree.items {
        let Item::Technique(written) = item else { continue };
        if enough() {
            out.left += 1;
            continue;
        }
        let excuses = excuses(&tree, &file.text, from..written.span.end);
        from = written.span.end;
        let in_force = rulebook.file_of(&written.id.name).is_some_and(|own| own.name == file.name);
        let technique = rulebook.techniques().iter().find(|one| one.id == written.id.name && in_force);
        let Some(technique) = technique else { continue };
        let mut found = unused::unused(&file.text, written);
        found.extend(follows::follows(rulebook, (&tree, &file.text), technique));
        found.extend(start::start(rulebook, technique, written));
        found.extend(untested(technique, written));
        found.extend(shared_names(technique, written, names));
        let mut needed = vec![false; excuses.len()];
        found.retain(|one| {
            let excuse = excuses.iter().position(|excuse| excuse.code == one.code && excuse.reason);
            if let Some(at) = excuse {
                needed[at] = true;
                out.excused += 1;
            }
            excuse.is_none()
        });
        out.findings.extend(found);
        out.findings.extend(excuses.iter().zip(&needed).filter_map(|(excuse, &needed)| wrong(excuse, needed)));
    }
    out.findings.sort_by_key(|one| (one.start(), one.code));
    out
}

/// `// allow L0103: the reason`
struct Excuse {
    code: String,
    reason: bool,
    span: Range<usize>,
}

/// The excuses in the comments of a part of a file.
fn excuses(tree: &File, text: &str, part: Range<usize>) -> Vec<Excuse> {
    let read = |span: &Range<usize>| {
        let words = text.get(span.clone())?.trim_start_matches('/').trim().strip_prefix("allow ")?;
        let (code, reason) = words.split_once(':').unwrap_or((words, ""));
        Some(Excuse { code: code.trim().to_uppercase(), reason: !reason.trim().is_empty(), span: span.clone() })
    };
    tree.comments.iter().filter(|span| part.contains(&span.start)).filter_map(read).collect()
}

/// Spans of the excuses in a part of a file.
pub(super) fn places_of_excuses(tree: &File, text: &str, part: Range<usize>) -> Vec<Range<usize>> {
    excuses(tree, text, part).into_iter().map(|excuse| excuse.span).collect()
}

fn wrong(excuse: &Excuse, needed: bool) -> Option<Diagnostic> {
    let code = excuse.code.to_string();
    let problem = match (excuse.reason, needed) {
        (false, _) => LintProblem::ExcuseWithoutReason { code },
        (true, false) => LintProblem::ExcuseUnused { code },
        _ => return None,
    };
    Some(problem.at(&excuse.span))
}

/// A rule that nothing shows at work, or nothing shows to stop.
fn untested(technique: &crate::lang::ir::Technique, written: &Technique) -> Vec<Diagnostic> {
    let place = written.id.span.clone();
    let mut out = Vec::new();
    if technique.examples.iter().all(|example| example.near_miss) {
        out.push(LintProblem::NoExample { id: technique.id.clone() }.at(&place));
    }
    if technique.examples.iter().all(|example| !example.near_miss) {
        out.push(LintProblem::NoNearMiss { id: technique.id.clone() }.at(&place));
    }
    out
}

/// Names that a technique before this one has too.
fn shared_names(technique: &crate::lang::ir::Technique, written: &Technique, all: &Names) -> Option<Diagnostic> {
    let own = names(technique);
    let shared = own.iter().filter_map(|name| {
        let first = all.get(&folded(name))?.first().filter(|owner| **owner != technique.id)?;
        Some((name, first))
    });
    let shared: Vec<(&String, &String)> = shared.collect();
    let (name, other) = *shared.first()?;
    let place = written.title.as_ref().map_or(&written.id.span, |title| &title.span);
    let (name, other) = (name.clone(), other.clone());
    Some(LintProblem::SharedName { name, other, more: shared.len() - 1 }.at(place))
}
