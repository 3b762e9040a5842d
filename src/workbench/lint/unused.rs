//! Names that nothing uses. In: a technique as written. Out: a finding for each.

use crate::lang::ast::{Ident, StatementKind, Technique};
use crate::lang::codes::{LintProblem, Problem};
use crate::lang::diagnostic::Diagnostic;

/// Names that are chosen and stand nowhere else in the technique; definitions that are not used get a warning anyway.
pub fn unused(text: &str, written: &Technique) -> Vec<Diagnostic> {
    let source = text.get(written.span.clone()).unwrap_or("");
    let mut declared: Vec<&Ident> = Vec::new();
    for line in &written.body {
        match &line.kind {
            StatementKind::Binding(binding) => declared.extend(binding.names.iter().map(|(name, _)| name)),
            StatementKind::Case(_, bindings) => {
                declared.extend(bindings.iter().flat_map(|one| &one.names).map(|(name, _)| name));
            }
            _ => {}
        }
    }
    let alone = |name: &&&Ident| {
        let times = declared.iter().filter(|other| other.name == name.name).count();
        words(source).filter(|word| *word == name.name).count() <= times
    };
    let finding = |name: &&Ident| LintProblem::UnusedName { name: name.name.clone() }.at(&name.span);
    declared.iter().filter(alone).map(finding).collect()
}

/// The words of a text, including those in quotes: sentences have names in braces.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    code.flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '_')))
}
