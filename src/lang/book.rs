//! Rule files that are loaded together. In: files as (name, text). Out: a [`Book`] with the techniques and link sources
//! of all files, and the diagnostics of each file.
//!
//! If a file declares a technique that an earlier file has declared (same id), the new technique takes the position of
//! the old one. Link sources are replaced in the same way. A file may use the patterns of every file that is loaded
//! earlier or in the same call.

use super::ast::Span;
use super::codes::{NameProblem, Problem};
use super::diagnostic::{Diagnostic, has_errors, line_and_column};
use super::ir::{ItemName, LinkSource, Technique};
use super::line_ends::lone_cr_as_lf;
use super::lower::{LoadedRules, Lowered, Patterns, check_loaded, complete_joins, item_name, lower_with};
use super::parse::parse;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFile {
    pub name: String,
    /// Text of the file, with a lone CR as LF.
    pub text: String,
    /// Diagnostics about the file, sorted by position.
    pub diagnostics: Vec<Diagnostic>,
    pub techniques: Vec<String>,
    pub sources: Vec<String>,
}

impl RuleFile {
    pub fn has_errors(&self) -> bool {
        has_errors(&self.diagnostics)
    }
}

/// The techniques, link sources and patterns of several rule files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    /// Techniques without errors, in order of the files.
    pub techniques: Vec<Technique>,
    /// Link sources without errors, in order of the files.
    pub sources: Vec<LinkSource>,
    /// Patterns and rule lists that files added later may use.
    pub patterns: Patterns,
    /// Files, in the order in which they were added.
    pub files: Vec<RuleFile>,
}

impl Book {
    /// Adds files, then checks the references between all files.
    pub fn with_files(mut self, files: impl IntoIterator<Item = (String, String)>) -> Book {
        let old_count = self.files.len();
        let mut trees = Vec::new();
        for (name, text) in files {
            let text = lone_cr_as_lf(&text).into_owned();
            let (tree, diagnostics) = parse(&text);
            self.patterns.add(&tree);
            trees.push(tree);
            self.files.push(RuleFile { name, text, diagnostics, techniques: Vec::new(), sources: Vec::new() });
        }
        let mut examples = Vec::new();
        for (index, tree) in (old_count..).zip(&trees) {
            let (lowered, diagnostics) = lower_with(tree, &self.patterns, &|item| locate(item, &self.files));
            let Lowered { techniques, sources, loose_examples } = lowered;
            let file = &mut self.files[index];
            file.diagnostics.extend(diagnostics);
            file.techniques = techniques.iter().map(|technique| technique.id.clone()).collect();
            file.sources = sources.iter().map(|source| source.id.clone()).collect();
            examples.extend(loose_examples);
            for technique in techniques {
                replace_or_push(&mut self.techniques, technique, |technique| &technique.id);
            }
            for source in sources {
                replace_or_push(&mut self.sources, source, |source| &source.id);
            }
        }
        complete_joins(&mut self.techniques);
        let Book { techniques, sources, patterns, files } = &mut self;
        let loaded = LoadedRules::new(techniques, sources, patterns);
        for (index, tree) in (old_count..).zip(&trees) {
            let diagnostics = check_loaded(tree, &loaded, &|item| locate(item, files));
            files[index].diagnostics.extend(diagnostics);
            files[index].diagnostics.sort_by_key(Diagnostic::start);
        }
        for (id, example) in examples {
            if let Some(technique) = self.techniques.iter_mut().find(|technique| technique.id == id) {
                technique.examples.push(example);
            }
        }
        self
    }

    /// Adds a diagnostic to two files that declare rules with the same name. The rules of the first `builtin_count`
    /// files may be replaced, so these files are ignored.
    pub fn report_clashes(&mut self, builtin_count: usize) {
        let mut clashes = Vec::new();
        let mut first_file: BTreeMap<ItemName, usize> = BTreeMap::new();
        for (index, file) in self.files.iter().enumerate().skip(builtin_count) {
            let techniques = file.techniques.iter().map(|id| ItemName::Technique(id));
            for rule in techniques.chain(file.sources.iter().map(|id| ItemName::LinkSource(id))) {
                let first_index = *first_file.entry(rule).or_insert(index);
                if first_index != index {
                    let first = &self.files[first_index];
                    clashes.extend(clash(rule, first, file).map(|diagnostic| (first_index, diagnostic)));
                    clashes.extend(clash(rule, file, first).map(|diagnostic| (index, diagnostic)));
                }
            }
        }
        for (index, diagnostic) in clashes {
            let file = &mut self.files[index];
            if !file.diagnostics.contains(&diagnostic) {
                file.diagnostics.push(diagnostic);
                file.diagnostics.sort_by_key(Diagnostic::start);
            }
        }
    }
}

/// Returns the diagnostic for `file` about a rule that `other` declares, too.
fn clash(rule: ItemName, file: &RuleFile, other: &RuleFile) -> Option<Diagnostic> {
    let keyword = if matches!(rule, ItemName::Technique(_)) { "technique" } else { "strong link" };
    let (line, column) = line_and_column(&other.text, id_span(rule, other)?.start);
    let location = format!("{}:{line}:{column}", other.name);
    Some(NameProblem::ItemInTwoFiles { keyword, id: rule.id().to_owned(), location }.at(&id_span(rule, file)?))
}

fn id_span(item: ItemName, file: &RuleFile) -> Option<Span> {
    let items = parse(&file.text).0.items;
    items.iter().filter_map(item_name).find(|(name, _)| *name == item).map(|(_, id)| id.span.clone())
}

/// Finds the line that declares an item, as `file:line`. If several files declare the item, the last file counts.
fn locate(item: ItemName, files: &[RuleFile]) -> Option<String> {
    // To find the line, a file is parsed. Files without the id are skipped to save time.
    files.iter().rev().filter(|file| file.text.contains(item.id())).find_map(|file| {
        let (line, _) = line_and_column(&file.text, id_span(item, file)?.start);
        Some(format!("{}:{line}", file.name))
    })
}

fn replace_or_push<T>(items: &mut Vec<T>, item: T, id: impl Fn(&T) -> &String) {
    match items.iter_mut().find(|old| id(old) == id(&item)) {
        Some(old) => *old = item,
        None => items.push(item),
    }
}
