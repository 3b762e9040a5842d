//! Checks across files. In: a file and everything that was loaded. Out: errors for link sources and techniques that the file
//! names and nobody declares.

use super::declare::opposite;
use super::dependencies::links;
use super::example::arguments;
use super::strata::Strata;
use super::{Known, Patterns, Place};
use crate::lang::ast::{Condition, Expr, ExprKind, File, Ident, Item, Statement, StatementKind, Technique};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir;
use crate::lang::words;

/// All files, lowered.
pub struct Loaded<'a> {
    pub(super) techniques: &'a [ir::Technique],
    sources: &'a [ir::LinkSource],
    patterns: &'a Patterns,
    /// Items that these techniques use.
    pub(super) uses: ir::Dependencies<'a>,
    /// Circles of techniques.
    pub(super) circles: ir::Circles<ir::Declared<'a>>,
}

impl<'a> Loaded<'a> {
    /// Finds what the techniques use.
    pub fn new(techniques: &'a [ir::Technique], sources: &'a [ir::LinkSource], patterns: &'a Patterns) -> Loaded<'a> {
        let uses = ir::dependencies(techniques.iter(), sources);
        Loaded { techniques, sources, patterns, circles: ir::Circles::of(&uses), uses }
    }
}

/// Checks the names that a file takes from others, once all files are lowered.
pub fn check_across(
    file: &File,
    techniques: &[ir::Technique],
    sources: &[ir::LinkSource],
    patterns: &Patterns,
) -> Vec<Diagnostic> {
    check_loaded(file, &Loaded::new(techniques, sources, patterns), &|_| None)
}

/// Checks the names that a file takes from others; `place` finds items of other files for messages.
pub fn check_loaded(file: &File, loaded: &Loaded, place: Place) -> Vec<Diagnostic> {
    let &Loaded { techniques, sources, patterns, ref circles, .. } = loaded;
    let strata = Strata { loaded, known: Known { file, patterns, circles, place } };
    let mut out = Vec::new();
    for item in &file.items {
        match item {
            Item::Technique(technique) => {
                out.extend(check_chains(&technique.body, sources));
                out.extend(strata.technique(technique));
                for line in &technique.body {
                    let StatementKind::Join(id, members, by) = &line.kind else { continue };
                    // One that is here and has errors is not checked.
                    if techniques.iter().any(|other| other.id == id.name) || !declares(file, id) {
                        out.extend(check_join(technique, id, members, by, techniques));
                    }
                }
            }
            Item::Pattern(pattern) => {
                out.extend(check_chains(&pattern.body, sources));
                out.extend(strata.lines(&pattern.body));
            }
            Item::RuleList(rule_list) => out.extend(strata.rule_list(rule_list)),
            Item::Example(example) => {
                out.extend(strata.list(&example.after));
                out.extend(check_example(file, example, techniques));
            }
            Item::Source(_) => {}
        }
    }
    out
}

/// Lets joins by a literal compare both of its names: what it says is true, and what it says is false.
pub fn complete_joins(techniques: &mut [ir::Technique]) {
    let has = |id: &str, name: &str| {
        let joined = techniques.iter().find(|technique| technique.id == id);
        joined.is_some_and(|one| one.variants.iter().all(|variant| variant.vars.iter().any(|var| var.name == name)))
    };
    let mut more: Vec<(usize, usize, Vec<String>)> = Vec::new();
    for (at, technique) in techniques.iter().enumerate() {
        for (number, variant) in technique.variants.iter().enumerate() {
            let Some(join) = &variant.join else { continue };
            let opposites = join.by.iter().map(|name| opposite(name));
            let new = opposites.filter(|name| !join.by.contains(name) && has(&join.technique, name)).collect();
            more.push((at, number, new));
        }
    }
    for (at, number, names) in more {
        if let Some(join) = &mut techniques[at].variants[number].join {
            join.by.extend(names);
        }
    }
}

/// Returns true if a file has another technique of this name.
fn declares(file: &File, id: &Ident) -> bool {
    let here = |item: &&Item| matches!(item, Item::Technique(technique) if technique.id.name == id.name);
    let own = |item: &Item| matches!(item, Item::Technique(technique) if technique.span.contains(&id.span.start));
    file.items.iter().filter(here).any(|item| !own(item))
}

fn check_chains(lines: &[Statement], sources: &[ir::LinkSource]) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for line in lines {
        let mut names: Vec<&Ident> = links(&line.kind).collect();
        if let StatementKind::Called(_, Some((when, _))) = &line.kind {
            sources_of(when, &mut names);
        }
        out.extend(names.into_iter().filter_map(|name| unknown_source(name, sources)));
    }
    out
}

/// The sources that `some link by …` asks for.
fn sources_of<'s>(condition: &'s Condition, out: &mut Vec<&'s Ident>) {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => parts.iter().for_each(|part| sources_of(part, out)),
        Condition::Not(inner, _) => sources_of(inner, out),
        Condition::LinkedBy(_, source) => out.push(source),
        Condition::Mixed(..) | Condition::GivensAllow(_) => {}
        Condition::Clause(clause) => {
            let inner = clause.subject.elements.iter().map(|element| &element.left.kind);
            for kind in inner {
                if let ExprKind::Paren(inner) = kind {
                    sources_of(inner, out);
                }
            }
        }
    }
}

/// `join other(n) by d, base`: the technique, its member, and names that each of its cases has.
fn check_join(
    own: &Technique,
    id: &Ident,
    members: &[Expr],
    by: &[Ident],
    techniques: &[ir::Technique],
) -> Vec<Diagnostic> {
    let Some(joined) = techniques.iter().find(|technique| technique.id == id.name && technique.id != own.id.name)
    else {
        let others = techniques.iter().map(|technique| technique.id.as_str()).filter(|other| *other != own.id.name);
        let help = match words::nearest(&id.name, others) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`join` names another technique by its identifier, the word after `technique`".to_owned(),
        };
        let message = format!("there is no other technique `{}`", id.name);
        return vec![Diagnostic::error("E0211", id.span.clone(), message, "nothing to join").help(help)];
    };
    if joined.variants.iter().any(|variant| variant.join.is_some()) {
        let message = format!("`{}` joins steps itself", id.name);
        let help = "join the steps of a technique that finds them";
        return vec![Diagnostic::error("E0211", id.span.clone(), message, "nothing to join").help(help)];
    }
    let mut out = Vec::new();
    if members.len() != joined.params.len() {
        let wanted: Vec<&str> = joined.params.iter().map(|param| param.name.as_str()).collect();
        let message = format!("`{}` has {} parameters, not {}", id.name, wanted.len(), members.len());
        let help = match wanted.as_slice() {
            [] => format!("write `join {} by …`", id.name),
            names => format!("write `join {}({}) by …`", id.name, names.join(", ")),
        };
        out.push(Diagnostic::error("E0211", id.span.clone(), message, "not a member of it").help(help));
    }
    out.extend(members.iter().zip(&joined.params).filter_map(|(member, param)| outside(own, member, param)));
    out.extend(by.iter().filter_map(|name| unknown_name(name, joined)));
    out
}

/// A member that the joined technique does not have.
fn outside(own: &Technique, member: &Expr, param: &ir::Param) -> Option<Diagnostic> {
    let range = match &member.kind {
        ExprKind::Number(number) => (*number, Some(*number)),
        ExprKind::Name(name) => {
            let own = own.params.iter().find(|own| own.name.name == name.name)?;
            (own.low, own.high)
        }
        _ => return None,
    };
    let too_large = match (range.1, param.high) {
        (Some(high), Some(limit)) => high > limit,
        (None, Some(_)) => true,
        _ => false,
    };
    if range.0 >= param.low && !too_large {
        return None;
    }
    let high = param.high.map_or("half of the board's size".to_owned(), |high| high.to_string());
    let message = format!("`{}` runs from {} to {high}", param.name, param.low);
    Some(Diagnostic::error("E0211", member.span.clone(), message, "not all of these are members"))
}

fn unknown_name(name: &Ident, joined: &ir::Technique) -> Option<Diagnostic> {
    let names = |variant: &ir::Variant| -> Vec<String> {
        let lasting = variant.vars.iter().filter(|var| var.origin != ir::Origin::Index);
        lasting.map(|var| var.name.clone()).collect()
    };
    let all: Vec<Vec<String>> = joined.variants.iter().map(names).collect();
    if all.iter().all(|names| names.contains(&name.name)) {
        return None;
    }
    let help = words::nearest(&name.name, all.iter().flatten().map(String::as_str))
        .map(|near| format!("did you mean `{near}`?"));
    let text = if all.len() > 1 { "not in every case of it" } else { "not one of its names" };
    let message = format!("`{}` has no name `{}`", joined.id, name.name);
    Some(Diagnostic::error("E0211", name.span.clone(), message, text).help_if(help))
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
