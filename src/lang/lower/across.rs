//! What one file cannot know of another. In: a file and everything that was loaded. Out: link sources and
//! techniques that it names and that nobody declares.

use super::example::arguments;
use crate::lang::ast::{File, Ident, Item, StatementKind};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir;
use crate::lang::words;

/// Checks the names that a file takes from others, once all files are lowered.
pub fn check_across(file: &File, techniques: &[ir::Technique], sources: &[ir::LinkSource]) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for item in &file.items {
        match item {
            Item::Technique(technique) => {
                for line in &technique.body {
                    let StatementKind::Chain(chain) = &line.kind else { continue };
                    out.extend(chain.strong.iter().flatten().filter_map(|name| unknown_source(name, sources)));
                }
            }
            Item::Example(example) => out.extend(check_example(file, example, techniques)),
            Item::Source(_) => {}
        }
    }
    out
}

fn unknown_source(name: &Ident, sources: &[ir::LinkSource]) -> Option<Diagnostic> {
    if sources.iter().any(|source| source.id == name.name) {
        return None;
    }
    let known: Vec<&str> = sources.iter().map(|source| source.id.as_str()).collect();
    let help = match words::nearest(&name.name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let all: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            format!(
                "there are {}; declare more with `strong link {} (x)A = (y)B {{`",
                words::either(&all).replace(" or ", " and "),
                name.name
            )
        }
    };
    let message = format!("there is no strong link called `{}`", name.name);
    Some(Diagnostic::error("E0207", name.span.clone(), message, "not declared").help(help))
}

fn check_example(file: &File, example: &crate::lang::ast::Example, techniques: &[ir::Technique]) -> Vec<Diagnostic> {
    let here = |item: &Item| matches!(item, Item::Technique(technique) if technique.id.name == example.id.name);
    if example.id.name.is_empty() || file.items.iter().any(here) {
        return Vec::new();
    }
    if let Some(technique) = techniques.iter().find(|technique| technique.id == example.id.name) {
        return arguments(example, &technique.params);
    }
    let help = match words::nearest(&example.id.name, techniques.iter().map(|technique| technique.id.as_str())) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "an example names the technique by its identifier, the word after `technique`".to_owned(),
    };
    let message = format!("there is no technique `{}`", example.id.name);
    vec![Diagnostic::error("E0209", example.id.span.clone(), message, "not declared").help(help)]
}
