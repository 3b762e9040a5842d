//! Writes new rule files. In: an identifier, and optionally a technique to copy. Out: the text of a complete file with a sound rule and a
//! valid example, which an author changes step by step.

use super::lint::excuse_spans;
use crate::lang::ast::{File, Item, Technique};
use crate::lang::format::format;
use crate::lang::{parse, words};
use crate::render::capitalized;
use crate::solve::Rulebook;
use std::ops::Range;

/// The text of a new rule, with `my_rule` and `My Rule` as placeholders for its identifier and name.
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

/// Returns the words of letters and digits in lower case, joined by `_`.
pub(super) fn identifier_words(letters: impl Iterator<Item = char>) -> String {
    let mapped: String =
        letters.map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    mapped.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_")
}

/// Makes a name from an identifier: `xy_loop` becomes `Xy Loop`.
pub fn title(id: &str) -> String {
    let words = id.split('_').filter(|word| !word.is_empty());
    words.map(capitalized).collect::<Vec<_>>().join(" ")
}

/// Returns the text of a new rule with a small pattern, for the author to change.
pub fn first_rule(id: &str) -> String {
    FIRST_RULE.replace("my_rule", id).replace("My Rule", &title(id))
}

/// Copies the rule of a technique under another name, with an example and a near miss; `None` if the rulebook lacks the technique.
pub fn copy_of(rulebook: &Rulebook, technique: &str, id: &str) -> Option<String> {
    let file = rulebook.file_of(technique)?;
    let (tree, _) = parse(&file.text);
    let rule = tree.items.iter().find_map(|item| match item {
        Item::Technique(rule) if rule.id.name == technique => Some(rule),
        _ => None,
    })?;
    // Arguments and text of the first example; text of the first near miss with the same arguments.
    let mut example: Option<(Vec<u32>, String)> = None;
    let mut near_miss = None;
    for file in rulebook.files() {
        let (tree, _) = parse(&file.text);
        for item in &tree.items {
            let Item::Example(found) = item else { continue };
            if found.id.name != technique {
                continue;
            }
            let args: Vec<u32> = found.args.iter().map(|number| number.value).collect();
            let text = with_changes(&file.text, found.span.clone(), vec![(found.id.span.clone(), id.to_owned())]);
            match (&example, found.near_miss) {
                (None, false) => example = Some((args, text)),
                (Some((example_args, _)), true) if near_miss.is_none() && *example_args == args => {
                    near_miss = Some(text);
                }
                _ => {}
            }
        }
    }
    let mut parts = vec![renamed_rule((&tree, &file.text), rule, id)];
    parts.extend(example.map(|(_, text)| text));
    parts.extend(near_miss);
    let text = parts.join("\n\n");
    Some(format(&text).unwrap_or(text))
}

/// Returns the comment and the rule with another identifier and name. Excuses of lint findings are removed, because their reasons belong to
/// the original.
fn renamed_rule((tree, source): (&File, &str), rule: &Technique, id: &str) -> String {
    let comment: String = rule.doc.iter().map(|line| format!("/// {}\n", line.text)).collect();
    let mut changes = vec![(rule.id.span.clone(), id.to_owned())];
    if let Some(old_title) = &rule.title {
        let placeholders: String = rule.params.iter().map(|param| format!(" {{{}}}", param.name.name)).collect();
        changes.push((old_title.span.clone(), format!("\"{}{placeholders}\"", title(id))));
    }
    let excuses = excuse_spans(tree, source, rule.span.clone());
    changes.extend(excuses.into_iter().map(|span| (with_preceding_blanks(source, span), String::new())));
    changes.sort_by_key(|(span, _)| span.start);
    comment + &with_changes(source, rule.span.clone(), changes)
}

/// Extends the span of a comment to the left, over blanks and one line end.
fn with_preceding_blanks(source: &str, span: Range<usize>) -> Range<usize> {
    let before = source.get(..span.start).unwrap_or("");
    let code = before.trim_end_matches([' ', '\t']);
    code.strip_suffix('\n').unwrap_or(code).len()..span.end
}

/// Returns the text of `span` with the spans of `changes` replaced. `changes` are sorted.
fn with_changes(source: &str, span: Range<usize>, changes: Vec<(Range<usize>, String)>) -> String {
    let mut text = String::new();
    let mut position = span.start;
    for (changed, replacement) in changes {
        text.push_str(source.get(position..changed.start).unwrap_or(""));
        text.push_str(&replacement);
        position = changed.end;
    }
    text.push_str(source.get(position..span.end).unwrap_or(""));
    text
}
