//! Names that nothing uses. In: a technique as written. Out: a finding for each.

use crate::lang::ast::{Ident, StatementKind, Technique};
use crate::lang::diagnostic::Diagnostic;

/// Names that are chosen or defined and stand nowhere else in the technique.
pub fn unused(text: &str, written: &Technique) -> Vec<Diagnostic> {
    let source = text.get(written.span.clone()).unwrap_or("");
    let mut declared: Vec<(&Ident, bool)> = Vec::new();
    for line in &written.body {
        match &line.kind {
            StatementKind::Binding(binding) => declared.extend(binding.names.iter().map(|(name, _)| (name, true))),
            StatementKind::Case(_, bindings) => {
                declared.extend(bindings.iter().flat_map(|one| &one.names).map(|(name, _)| (name, true)));
            }
            StatementKind::Let(name, _) => declared.push((name, false)),
            _ => {}
        }
    }
    let alone = |name: &&(&Ident, bool)| {
        let times = declared.iter().filter(|(other, _)| other.name == name.0.name).count();
        words(source).filter(|word| *word == name.0.name).count() <= times
    };
    let mut out: Vec<Diagnostic> = Vec::new();
    for (name, chosen) in declared.iter().filter(alone) {
        let (message, help) = match chosen {
            true => (
                format!("nothing else speaks of `{}`", name.name),
                "each thing that fits makes the same match again; leave the line out, or say with `some` that there is one",
            ),
            false => (format!("`{}` is defined and not used", name.name), "leave the line out"),
        };
        out.push(Diagnostic::warning("L0101", name.span.clone(), message, "not used").help(help));
    }
    out
}

/// The words of a text, those inside of quotes too: names stand in sentences between braces.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    code.flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '_')))
}
