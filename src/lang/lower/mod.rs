//! The lowering: from the syntax tree of one file to checked rules in the IR, with a diagnostic for every error in
//! names, kinds and content. A rule with an error is omitted. The other rules of the file are lowered.
//!
//! Files in reading order:
//! - [`technique`]: techniques, patterns and link sources; runs the passes below. [`example`]: examples and near
//!   misses.
//! - [`expand`]: replaces `uses` lines by the lines of the pattern. [`rule_list`]: replaces rule lists by techniques.
//! - [`names`]: the names of one rule. [`declare`]: their declarations. [`infer_kinds`]: their kinds.
//! - [`statement`]: lines, conclusions and texts. [`binding`], [`chain`], [`suppose`]: bindings, chains, suppositions.
//! - [`condition`], [`relation`], [`set_predicates`]: conditions. [`expr`], [`typed_expr`]: expressions and their
//!   kinds.
//! - [`checks`], [`views`]: checks of a whole rule. [`cross_file`]: checks that need all files. [`item_graph`]:
//!   dependencies and cycles.
//! - [`price`]: prices in profiles, which use names of a checked rule.
//!
//! Data flow: `ast::Technique` → lines with expanded patterns → declared names → `ir::Variant` for each case →
//! `ir::Technique`. Messages are worded in [`super::codes`] only.

mod binding;
mod chain;
mod checks;
mod condition;
mod cross_file;
mod declare;
mod example;
mod expand;
mod expr;
mod infer_kinds;
mod item_graph;
mod names;
mod price;
mod relation;
mod rule_list;
mod set_predicates;
mod statement;
mod suppose;
mod technique;
mod typed_expr;
mod views;

pub use cross_file::{LoadedRules, check_across, check_loaded, complete_joins};
pub use item_graph::{file_dependencies, item_name};
pub use price::{is_price_word, price};

use super::ast;
use super::codes::{NameProblem, Problem, SyntaxProblem};
use super::diagnostic::{Diagnostic, has_errors};
use super::ir;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lowered {
    /// Techniques without errors, in order, each with its examples of this file.
    pub techniques: Vec<ir::Technique>,
    /// Link sources without errors, in order.
    pub sources: Vec<ir::LinkSource>,
    /// Examples of techniques that are not in this file, each with the id of its technique.
    pub loose_examples: Vec<(String, ir::Example)>,
}

/// Patterns and rule lists of all loaded files, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patterns {
    patterns: BTreeMap<String, ast::Pattern>,
    rule_lists: BTreeMap<String, ast::RuleList>,
}

/// The patterns and rule lists that a file may use. An item of the file hides a loaded item with the same name.
#[derive(Clone, Copy)]
pub(crate) struct ItemScope<'a> {
    file: &'a ast::File,
    patterns: &'a Patterns,
    /// While a file is lowered: cycles of patterns and of rule lists. In checks across files: cycles of techniques.
    cycles: &'a ir::Cycles<ir::ItemName<'a>>,
    locate: Locate<'a>,
}

/// Returns the position of an item's declaration as `file:line`; `None` if the position is unknown.
pub type Locate<'a> = &'a dyn Fn(ir::ItemName) -> Option<String>;

/// A [`Locate`] for messages without positions in other files.
pub const NO_OTHER_FILES: Locate = &|_| None;

/// An error that is already reported.
pub(crate) struct ErrorReported;

/// A result whose error is already reported.
pub(crate) type LowerResult<T> = Result<T, ErrorReported>;

/// Maximum number of rule lists in a file. The expansion of a rule list may visit all other rule lists.
const MAX_RULE_LISTS: usize = 256;

/// Lowers a file. `locate` finds items of other files for messages.
pub fn lower_with(file: &ast::File, patterns: &Patterns, locate: Locate) -> (Lowered, Vec<Diagnostic>) {
    let cycles = patterns.cycles(file);
    let scope = ItemScope { file, patterns, cycles: &cycles, locate };
    let mut lowered = Lowered::default();
    if let Some(list) = file.rule_lists().nth(MAX_RULE_LISTS) {
        return (lowered, vec![SyntaxProblem::TooManyLists { most: MAX_RULE_LISTS }.at(&list.id.span)]);
    }
    let mut diagnostics = duplicate_items(file);
    for item in &file.items {
        match item {
            ast::Item::Technique(technique) => {
                let rule = technique::technique(technique, &scope);
                if !has_errors(&rule.diagnostics) {
                    lowered.techniques.extend(rule.technique);
                }
                diagnostics.extend(rule.diagnostics);
            }
            ast::Item::StrongLink(link) => {
                let (source, rule_diagnostics) = technique::link_source(link, &scope);
                if !has_errors(&rule_diagnostics) {
                    lowered.sources.extend(source);
                }
                diagnostics.extend(rule_diagnostics);
            }
            ast::Item::Pattern(pattern) => diagnostics.extend(technique::check_pattern(pattern, &scope)),
            ast::Item::RuleList(list) => diagnostics.extend(rule_list::check_rule_list(list, &scope)),
            ast::Item::Example(_) => {}
        }
    }
    diagnostics.extend(example::examples(&scope, &mut lowered));
    diagnostics.sort_by(|a, b| (a.start(), a.code).cmp(&(b.start(), b.code)));
    // A line is checked once for each case, so the same diagnostic may occur several times.
    diagnostics.dedup();
    (lowered, diagnostics)
}

/// Returns the spans of the statements of a technique. Each variant has the spans of [`ir::Variant::body`], in order,
/// followed by the spans of the conclusions. A statement from a pattern has the span of the line that uses the pattern.
pub fn statement_spans(file: &ast::File, technique: &str, patterns: &Patterns) -> Vec<Vec<ast::Span>> {
    let cycles = patterns.cycles(file);
    let scope = ItemScope { file, patterns, cycles: &cycles, locate: NO_OTHER_FILES };
    // If several techniques have the id, the last one counts, as in a rulebook.
    match file.techniques().rev().find(|candidate| candidate.id.name == technique) {
        Some(technique) => technique::technique(technique, &scope).spans,
        None => Vec::new(),
    }
}

/// Reports items of one kind with the same name.
fn duplicate_items(file: &ast::File) -> Vec<Diagnostic> {
    let mut first_ids: BTreeMap<ir::ItemName, &ast::Ident> = BTreeMap::new();
    let mut diagnostics = Vec::new();
    for (item, id) in file.items.iter().filter(|item| !item.is_broken()).filter_map(item_name) {
        if id.name.is_empty() {
            continue;
        }
        let keyword = match item {
            ir::ItemName::Technique(_) => "technique",
            ir::ItemName::LinkSource(_) => "strong link",
            ir::ItemName::Pattern(_) => "pattern",
            ir::ItemName::RuleList(_) => "rule list",
        };
        match first_ids.entry(item) {
            Entry::Vacant(entry) => {
                entry.insert(id);
            }
            Entry::Occupied(first) => {
                let problem = NameProblem::ItemTwice { keyword, name: id.name.clone() };
                diagnostics.push(problem.at_both(&id.span, &first.get().span));
            }
        }
    }
    diagnostics
}
