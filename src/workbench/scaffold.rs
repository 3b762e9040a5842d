//! New rule files. In: an identifier, and optionally a technique to start from. Out: the text of a complete file whose rule
//! is sound and whose example holds, so that an author can change it step by step.

use super::lint::places_of_excuses;
use crate::lang::ast::{File, Item, Technique};
use crate::lang::format::format;
use crate::lang::{parse, words};
use crate::render::capitalized;
use crate::solve::Rulebook;
use std::ops::Range;

/// The text for a new rule; `my_rule` and `My Rule` stand for its identifier and name.
const FIRST_RULE: &str = include_str!("scaffold.pinion");

/// Makes an identifier from a word: `XY-Loop` becomes `xy_loop`; `None` if no letter is left.
pub fn identifier(word: &str) -> Option<String> {
    let mut id = identifier_words(word.chars());
    if id.starts_with(|c: char| c.is_ascii_digit()) {
        id.insert(0, '_');
    }
    if words::is_reserved(&id) || words::is_built_in(&id) {
        id.push_str("_rule");
    }
    (!id.is_empty()).then_some(id)
}

/// Lowercase words of letters and digits, joined by `_`.
pub(super) fn identifier_words(letters: impl Iterator<Item = char>) -> String {
    let mapped: String =
        letters.map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    mapped.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_")
}

/// The name that an identifier suggests: `xy_loop` is "Xy Loop".
pub fn title(id: &str) -> String {
    let words = id.split('_').filter(|word| !word.is_empty());
    words.map(capitalized).collect::<Vec<_>>().join(" ")
}

/// A rule to begin with.
pub fn first_rule(id: &str) -> String {
    FIRST_RULE.replace("my_rule", id).replace("My Rule", &title(id))
}

/// Copies the rule of a technique under another name, with an example and a near miss; `None` if the rulebook lacks it.
pub fn copy_of(rulebook: &Rulebook, technique: &str, id: &str) -> Option<String> {
    let file = rulebook.file_of(technique)?;
    let (tree, _) = parse(&file.text);
    let rule = tree.items.iter().find_map(|item| match item {
        Item::Technique(one) if one.id.name == technique => Some(one),
        _ => None,
    })?;
    let mut shown: Option<(Vec<u32>, String)> = None;
    let mut near = None;
    for file in rulebook.files() {
        let (tree, _) = parse(&file.text);
        for item in &tree.items {
            let Item::Example(one) = item else { continue };
            if one.id.name != technique {
                continue;
            }
            let args: Vec<u32> = one.args.iter().map(|number| number.value).collect();
            let text = with_changes(&file.text, one.span.clone(), vec![(one.id.span.clone(), id.to_owned())]);
            match (one.near_miss, &shown, &near) {
                (false, None, _) => shown = Some((args, text)),
                (true, Some((shown, _)), None) if *shown == args => near = Some(text),
                _ => {}
            }
        }
    }
    let mut parts = vec![renamed_rule((&tree, &file.text), rule, id)];
    parts.extend(shown.map(|(_, text)| text));
    parts.extend(near);
    let text = parts.join("\n\n");
    Some(format(&text).unwrap_or(text))
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
