//! The lowering. In: the syntax tree of one file. Out: checked rules, and a diagnostic for every error in their names, kinds and
//! content. A rule with an error is left out; the others are not.
//!
//! Files in reading order:
//! - [`technique`]: one item; the order of the passes below. [`example`]: examples and near misses.
//! - [`uses`]: patterns and rule lists are expanded into the items that use them.
//! - [`declare`], then [`settle`]: every name gets its kind, whatever the order of lines. [`names`]: the names of one rule.
//! - [`statement`]: lines and texts; [`binding`], [`chain`]: one kind of line each.
//! - [`condition`], [`relation`], [`shape`]: conditions. [`expr`], [`value`]: expressions and their kinds.
//! - [`checks`], [`views`]: checks of a whole rule. [`across`]: checks that need all files.
//! - [`price`]: prices of profiles, which use names of a checked rule.
//!
//! Data flow: `ast::Technique` → lines with patterns expanded → declared names → `ir::Variant` for each case → `ir::Technique`. No file
//! here words a message: it names a finding of [`super::codes`] and its place.

mod across;
mod binding;
mod chain;
mod checks;
mod condition;
mod declare;
mod example;
mod expr;
mod names;
mod price;
mod relation;
mod settle;
mod shape;
mod statement;
mod technique;
mod uses;
mod value;
mod views;

pub use across::{LoadedRules, check_across, check_loaded, complete_joins};
pub use price::{is_price_word, price};
pub use uses::{declared, file_dependencies};

use super::ast;
use super::codes::{NameProblem, Problem, SyntaxProblem};
use super::diagnostic::{Diagnostic, has_errors};
use super::ir;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// LowerResult items of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lowered {
    /// In order, each with the examples of this file.
    pub techniques: Vec<ir::Technique>,
    /// In order.
    pub sources: Vec<ir::LinkSource>,
    /// Examples that name a technique which this file does not hold.
    pub loose_examples: Vec<(String, ir::Example)>,
}

/// Every pattern and every rule list at hand, by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patterns {
    patterns: BTreeMap<String, ast::Pattern>,
    rule_lists: BTreeMap<String, ast::RuleList>,
}

/// Scope of patterns and rule lists: those of the file come before those of other files.
#[derive(Clone, Copy)]
pub(crate) struct ItemScope<'a> {
    file: &'a ast::File,
    patterns: &'a Patterns,
    /// The circles of patterns and of rule lists.
    circles: &'a ir::Cycles<ir::ItemName<'a>>,
    place: Locate<'a>,
}

/// Finds the place where an item is declared, as `file:line`, if that is known.
pub type Locate<'a> = &'a dyn Fn(ir::ItemName) -> Option<String>;

/// An error that was already reported.
pub(crate) struct ErrorReported;

/// Or why not, which was already reported.
pub(crate) type LowerResult<T> = Result<T, ErrorReported>;

/// Checks a file; its own patterns come before those of others. `place` finds items of other files for messages.
pub fn lower_with(file: &ast::File, patterns: &Patterns, place: Locate) -> (Lowered, Vec<Diagnostic>) {
    let circles = patterns.circles(file);
    let known = ItemScope { file, patterns, circles: &circles, place };
    let mut out = Lowered::default();
    if let Some(refused) = too_many_lists(file) {
        return (out, vec![refused]);
    }
    let mut found = twice(file);
    for item in &file.items {
        match item {
            ast::Item::Technique(technique) => {
                let (lowered, diagnostics) = technique::technique(technique, &known);
                out.techniques.extend(lowered.filter(|_| !has_errors(&diagnostics)));
                found.extend(diagnostics);
            }
            ast::Item::Source(source) => {
                let (lowered, diagnostics) = technique::source(source, &known);
                out.sources.extend(lowered.filter(|_| !has_errors(&diagnostics)));
                found.extend(diagnostics);
            }
            ast::Item::Pattern(pattern) => found.extend(technique::pattern(pattern, &known)),
            ast::Item::RuleList(rule_list) => found.extend(uses::check_list(rule_list, &known)),
            ast::Item::Example(_) => {}
        }
    }
    found.extend(example::examples(&known, &mut out));
    found.sort_by(|a, b| (a.start(), a.code).cmp(&(b.start(), b.code)));
    // A line is checked once for each case.
    found.dedup();
    (out, found)
}

/// Returns the places of the statements of a technique: for each case the byte ranges of their lines, in the order of
/// [`ir::Variant::body`], then those of its conclusions. What a pattern brings in stands at the line that uses it.
pub fn statement_spans(file: &ast::File, technique: &str, patterns: &Patterns) -> Vec<Vec<ast::Span>> {
    let circles = patterns.circles(file);
    let known = ItemScope { file, patterns, circles: &circles, place: &|_| None };
    let found = file.techniques().rev().find(|one| one.id.name == technique);
    found.map_or_else(Vec::new, |found| technique::places(found, &known))
}

/// Lists of rules in a file, at most: each is looked through with all that it holds.
const MOST_LISTS: usize = 256;

fn too_many_lists(file: &ast::File) -> Option<Diagnostic> {
    let first = file.rule_lists().nth(MOST_LISTS)?;
    Some(SyntaxProblem::TooManyLists { most: MOST_LISTS }.at(&first.id.span))
}

/// Reports items of one kind and name.
fn twice(file: &ast::File) -> Vec<Diagnostic> {
    let mut seen: BTreeMap<ir::ItemName, &ast::Ident> = BTreeMap::new();
    let mut out = Vec::new();
    for (item, id) in file.items.iter().filter(|item| !item.is_broken()).filter_map(declared) {
        let what = match item {
            _ if id.name.is_empty() => continue,
            ir::ItemName::Technique(_) => "technique",
            ir::ItemName::LinkSource(_) => "strong link",
            ir::ItemName::Pattern(_) => "pattern",
            ir::ItemName::RuleList(_) => "rule list",
        };
        match seen.entry(item) {
            Entry::Vacant(free) => _ = free.insert(id),
            Entry::Occupied(first) => {
                out.push(NameProblem::ItemTwice { what, name: id.name.clone() }.at_both(&id.span, &first.get().span))
            }
        }
    }
    out
}
