//! Explanations, near misses and solutions in lines of text. In: results; and whether the reader is the rule's author, who
//! also sees its lines and the values of its names. Out: lines.

use super::longest_prefix::LongestPrefix;
use super::near_miss::Miss;
use super::why::ExplainedLine;
use crate::grid::{Candidate, Geometry, notation};
use crate::proof::{Count, Mistakes, Slips};
use crate::render::{Line, Role, capitalized, count_phrase, thousands};
use std::collections::BTreeSet;

/// Names with their values, for the rule's author.
fn names(names: &[(String, String)]) -> String {
    names.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join("  ")
}

/// The requirements of a rule; for its author with file, names and lines.
pub fn requirement_lines(
    file: Option<&str>,
    named: &[(String, String)],
    lines: &[ExplainedLine],
    author: bool,
) -> Vec<Line> {
    if !author {
        let mut known = BTreeSet::new();
        let facts = lines.iter().flat_map(|line| &line.facts).filter(|fact| known.insert(*fact));
        return facts.map(|fact| Line::styled(Role::Success, format!("  {fact}"))).collect();
    }
    let head = [file.unwrap_or_default().to_string(), names(named)].join("  ");
    let mut out = vec![Line::styled(Role::Quiet, head.trim().to_string())];
    for ExplainedLine { line, text, facts } in lines {
        let number = line.map_or_else(|| "    ".to_string(), |number| format!("{number:>4}"));
        out.push(Line::styled(Role::Quiet, number).with(Role::Plain, format!("  {text}")));
        out.extend(facts.iter().map(|fact| Line::styled(Role::Success, format!("        {fact}"))));
    }
    out
}

/// The longest satisfied prefix of requirements, in words.
pub fn prefix_lines(found: &LongestPrefix, author: bool) -> Vec<Line> {
    let said = match found.met {
        (_, 1) => "its one requirement does not hold".to_string(),
        (0, all) => format!("not even the first of {all} requirements holds"),
        (1, all) => format!("the first of {all} requirements holds"),
        (met, all) => format!("the first {met} of {all} requirements hold"),
    };
    let place_of = if found.elsewhere { " anywhere on the grid" } else { "" };
    let colon = if found.pattern.is_empty() { "" } else { ": " };
    let mut lines = vec![Line::text(format!("How far it gets{place_of}: {said}."))];
    let head = Line::text("   ").with(Role::Name, &found.name).with(Role::Plain, colon);
    lines.push(head.with(Role::Pattern, &found.pattern));
    if author {
        lines.extend(in_the_rule(&found.names, &found.requirement, found.line));
    }
    lines.push(Line::styled(Role::Failure, format!("   {}.", found.fails)));
    if !found.would.is_empty() {
        lines.push(
            Line::text("   With it this would show ").with(Role::Elimination, &found.would).with(Role::Plain, "."),
        );
    }
    lines
}

/// The names, and the requirement as the rule has it.
fn in_the_rule(named: &[(String, String)], requirement: &str, line: Option<usize>) -> Vec<Line> {
    let named = names(named);
    let place = line.map_or(String::new(), |line| format!("line {line}: "));
    let mut lines = Vec::new();
    if !named.is_empty() {
        lines.push(Line::styled(Role::Quiet, format!("   {named}")));
    }
    lines.push(Line::styled(Role::Quiet, format!("   {place}`{requirement}`")));
    lines
}

/// A near miss in words.
pub fn miss_lines(number: usize, miss: &Miss, author: bool) -> Vec<Line> {
    let head = Line::styled(Role::Plain, format!("{number}. ")).with(Role::Name, &miss.name);
    let colon = if miss.pattern.is_empty() { "" } else { ": " };
    let mut lines = vec![head.with(Role::Plain, colon).with(Role::Pattern, &miss.pattern)];
    let met = match miss.met {
        (met, all) if met == all => "   Every requirement holds.".to_string(),
        (met, all) => {
            format!("   {met} of {} {}.", count_phrase(all, "requirement"), if all == 1 { "holds" } else { "hold" })
        }
    };
    lines.push(Line::styled(Role::Quiet, met));
    if author {
        lines.extend(in_the_rule(&miss.names, &miss.requirement, miss.line));
    }
    lines.push(Line::styled(Role::Failure, format!("   {}.", miss.fails)));
    if let Some(mend) = &miss.grid_change {
        let words = format!("   {} this would show ", capitalized(&mend.words));
        lines.push(Line::text(words).with(Role::Elimination, &mend.shows).with(Role::Plain, "."));
    }
    if author && !miss.change.is_empty() {
        let verdict = miss.verdict.as_ref().map_or(String::new(), |verdict| format!("; {verdict}"));
        let would = if miss.would.is_empty() { String::new() } else { format!(" would show {}", miss.would) };
        lines.push(Line::text(format!("   The rule {}{would}{verdict}.", miss.change)));
    }
    lines
}

/// Number of solutions in words: `10 solutions`, `more than 1,000 solutions`.
pub fn solutions_words(count: Count) -> String {
    match (count.number, count.is_exact) {
        (0, true) => "no solution".to_string(),
        (1, true) => "1 solution".to_string(),
        (number, true) => format!("{} solutions", thousands(number as u64)),
        (0..=2, false) => "several solutions".to_string(),
        (number, false) => format!("more than {} solutions", thousands(number as u64 - 1)),
    }
}

/// Wrong digits and wrongly removed candidates, one after the other.
pub fn slip_words(geometry: &Geometry, slips: &Slips) -> String {
    let mut words = Vec::new();
    for Candidate { digit, cell } in &slips.digits {
        words.push(format!("{} is not {digit}", notation::cell(geometry, *cell)));
    }
    for Candidate { digit, cell } in &slips.removed {
        words.push(format!("{} is {digit}, but {digit} was removed there", notation::cell(geometry, *cell)));
    }
    words.join("; ")
}

/// Mistakes of a player, as the reason why a position has no solution.
pub fn mistake_words(geometry: &Geometry, mistakes: &Mistakes) -> String {
    match mistakes {
        Mistakes::AgainstSolution(slips) => {
            format!("{} (the clues alone have one solution)", slip_words(geometry, slips))
        }
        Mistakes::InNoSolution(slips) if slips.is_empty() => {
            "the clues alone have several; each change of yours fits some of them, but no solution fits all".to_string()
        }
        Mistakes::InNoSolution(slips) => {
            format!("{} (in every solution of the clues alone)", slip_words(geometry, slips))
        }
        Mistakes::CluesUnsolvable => "the clues alone have none".to_string(),
    }
}
