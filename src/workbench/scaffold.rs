//! New rule files. In: an identifier, and optionally a technique to start from. Out: the text of a complete file whose rule
//! is sound and whose example holds, so that an author can change it step by step.

use super::lint::places_of_excuses;
use crate::lang::ast::{Example, File, Item, Technique};
use crate::lang::format::format;
use crate::lang::{parse, words};
use crate::solve::Rulebook;
use std::ops::Range;

/// The text for a new rule; `my_rule` and `My Rule` stand for its identifier and name.
const PLAIN: &str = include_str!("scaffold.pinion");

/// Makes an identifier from a word: `XY-Loop` becomes `xy_loop`; `None` if no letter is left.
pub fn identifier(word: &str) -> Option<String> {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let mapped: String = word.chars().map(plain).collect();
    let parts: Vec<&str> = mapped.split('_').filter(|part| !part.is_empty()).collect();
    let mut id = parts.join("_");
    if id.starts_with(|c: char| c.is_ascii_digit()) {
        id.insert(0, '_');
    }
    if words::is_reserved(&id) || words::is_built_in(&id) {
        id.push_str("_rule");
    }
    (!id.is_empty()).then_some(id)
}

/// The name that an identifier suggests: `xy_loop` is "Xy Loop".
pub fn title(id: &str) -> String {
    let upper = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>())
    };
    id.split('_').filter_map(upper).collect::<Vec<_>>().join(" ")
}

/// A rule to begin with.
pub fn plain(id: &str) -> String {
    PLAIN.replace("my_rule", id).replace("My Rule", &title(id))
}

/// Copies the rule of a technique under another name, with an example and a near miss; `None` if the rulebook lacks it.
pub fn like(rulebook: &Rulebook, technique: &str, id: &str) -> Option<String> {
    let file = rulebook.file_of(technique)?;
    let (tree, _) = parse(&file.text);
    let rule = tree.items.iter().find_map(|item| match item {
        Item::Technique(one) if one.id.name == technique => Some(one),
        _ => None,
    })?;
    let mut parts = vec![renamed_rule((&tree, &file.text), rule, id)];
    let mut near = None;
    let mut shown = None;
    for file in rulebook.files() {
        let (tree, _) = parse(&file.text);
        for item in &tree.items {
            let Item::Example(one) = item else { continue };
            let text = || renamed_example(&file.text, one, id);
            match (one.near_miss, &shown, &near) {
                _ if one.id.name != technique => {}
                (false, None, _) => shown = Some((values(one), text())),
                (true, Some((args, _)), None) if *args == values(one) => near = Some(text()),
                _ => {}
            }
        }
    }
    parts.extend(shown.map(|(_, text)| text));
    parts.extend(near);
    let text = parts.join("\n\n");
    Some(format(&text).unwrap_or(text))
}

fn values(example: &Example) -> Vec<u32> {
    example.args.iter().map(|number| number.value).collect()
}

/// The comment and the rule with another identifier and name. Excuses of lint findings are left out, because their reasons
/// belong to the original.
fn renamed_rule((tree, source): (&File, &str), rule: &Technique, id: &str) -> String {
    let comment: String = rule.doc.iter().map(|line| format!("/// {}\n", line.text)).collect();
    let mut changes = vec![(rule.id.span.clone(), id.to_owned())];
    if let Some(old) = &rule.title {
        let params = rule.params.iter().map(|param| format!(" {{{}}}", param.name.name));
        let placeholders: String = params.collect();
        changes.push((old.span.clone(), format!("\"{}{placeholders}\"", title(id))));
    }
    let excuses = places_of_excuses(tree, source, rule.span.clone());
    changes.extend(excuses.into_iter().map(|place| (with_blanks(source, place), String::new())));
    changes.sort_by_key(|(place, _)| place.start);
    comment + &with_changes(source, rule.span.clone(), changes)
}

/// The place of a comment with the blanks and the end of the line before it.
fn with_blanks(source: &str, place: Range<usize>) -> Range<usize> {
    let before = source.get(..place.start).unwrap_or("");
    let code = before.trim_end_matches([' ', '\t']);
    code.strip_suffix('\n').unwrap_or(code).len()..place.end
}

fn renamed_example(source: &str, example: &Example, id: &str) -> String {
    with_changes(source, example.span.clone(), vec![(example.id.span.clone(), id.to_owned())])
}

/// A part of a text in which some places read differently.
fn with_changes(source: &str, part: Range<usize>, changes: Vec<(Range<usize>, String)>) -> String {
    let mut out = String::new();
    let mut at = part.start;
    for (place, text) in changes {
        out.push_str(source.get(at..place.start).unwrap_or(""));
        out.push_str(&text);
        at = place.end;
    }
    out.push_str(source.get(at..part.end).unwrap_or(""));
    out
}
