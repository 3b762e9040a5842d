//! Writes explanations, near misses and solution counts as lines. If `author` is true, the lines also contain the lines of the rule and the
//! values of its names.

use super::longest_prefix::LongestPrefix;
use super::near_miss::Miss;
use super::why::ExplainedLine;
use crate::grid::{Candidate, Geometry, notation};
use crate::proof::{Count, Mistakes, WrongMoves};
use crate::render::{Line, Role, capitalized, count_phrase, thousands};
use std::collections::BTreeSet;

/// `a = r1c2  x = 5`.
fn name_values(names: &[(String, String)]) -> String {
    names.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join("  ")
}

/// Writes the facts that satisfy a rule. For the author, writes the file and the names, then the facts below their lines.
pub fn requirement_lines(
    file: Option<&str>,
    names: &[(String, String)],
    lines: &[ExplainedLine],
    author: bool,
) -> Vec<Line> {
    if !author {
        let mut listed_facts = BTreeSet::new();
        let facts = lines.iter().flat_map(|line| &line.facts).filter(|fact| listed_facts.insert(*fact));
        return facts.map(|fact| Line::styled(Role::Success, format!("  {fact}"))).collect();
    }
    let head = [file.unwrap_or_default().to_string(), name_values(names)].join("  ");
    let mut out = vec![Line::styled(Role::Quiet, head.trim().to_string())];
    for ExplainedLine { line, text, facts } in lines {
        let number = line.map_or_else(|| "    ".to_string(), |number| format!("{number:>4}"));
        out.push(Line::styled(Role::Quiet, number).with(Role::Plain, format!("  {text}")));
        out.extend(facts.iter().map(|fact| Line::styled(Role::Success, format!("        {fact}"))));
    }
    out
}

pub fn prefix_lines(prefix: &LongestPrefix, author: bool) -> Vec<Line> {
    let share = match prefix.met {
        (_, 1) => "its one requirement does not hold".to_string(),
        (0, total) => format!("not even the first of {total} requirements holds"),
        (1, total) => format!("the first of {total} requirements holds"),
        (met, total) => format!("the first {met} of {total} requirements hold"),
    };
    let scope = if prefix.elsewhere { " anywhere on the grid" } else { "" };
    let colon = if prefix.pattern.is_empty() { "" } else { ": " };
    let mut lines = vec![Line::text(format!("How far it gets{scope}: {share}."))];
    let head = Line::text("   ").with(Role::Name, &prefix.name).with(Role::Plain, colon);
    lines.push(head.with(Role::Pattern, &prefix.pattern));
    if author {
        lines.extend(author_lines(&prefix.names, &prefix.requirement, prefix.line));
    }
    lines.push(Line::styled(Role::Failure, format!("   {}.", prefix.failure)));
    if !prefix.conclusion.is_empty() {
        lines.push(
            Line::text("   With it this would show ")
                .with(Role::Elimination, &prefix.conclusion)
                .with(Role::Plain, "."),
        );
    }
    lines
}

/// Writes the values of the names, and the requirement with its line number.
fn author_lines(names: &[(String, String)], requirement: &str, line: Option<usize>) -> Vec<Line> {
    let names = name_values(names);
    let position = line.map_or(String::new(), |line| format!("line {line}: "));
    let mut lines = Vec::new();
    if !names.is_empty() {
        lines.push(Line::styled(Role::Quiet, format!("   {names}")));
    }
    lines.push(Line::styled(Role::Quiet, format!("   {position}`{requirement}`")));
    lines
}

/// Writes a near miss. `number` is its number in the list.
pub fn miss_lines(number: usize, miss: &Miss, author: bool) -> Vec<Line> {
    let head = Line::styled(Role::Plain, format!("{number}. ")).with(Role::Name, &miss.name);
    let colon = if miss.pattern.is_empty() { "" } else { ": " };
    let mut lines = vec![head.with(Role::Plain, colon).with(Role::Pattern, &miss.pattern)];
    let met = match miss.met {
        (met, total) if met == total => "   Every requirement holds.".to_string(),
        (met, total) => {
            format!("   {met} of {} {}.", count_phrase(total, "requirement"), if total == 1 { "holds" } else { "hold" })
        }
    };
    lines.push(Line::styled(Role::Quiet, met));
    if author {
        lines.extend(author_lines(&miss.names, &miss.requirement, miss.line));
    }
    lines.push(Line::styled(Role::Failure, format!("   {}.", miss.failure)));
    if let Some(change) = &miss.grid_change {
        let words = format!("   {} this would show ", capitalized(&change.phrase));
        lines.push(Line::text(words).with(Role::Elimination, &change.conclusion).with(Role::Plain, "."));
    }
    if author && !miss.rule_change.is_empty() {
        let verdict = miss.verdict.as_ref().map_or(String::new(), |verdict| format!("; {verdict}"));
        let effect =
            if miss.conclusion.is_empty() { String::new() } else { format!(" would show {}", miss.conclusion) };
        lines.push(Line::text(format!("   The rule {}{effect}{verdict}.", miss.rule_change)));
    }
    lines
}

/// `10 solutions`, `more than 1,000 solutions`.
pub fn solutions_words(count: Count) -> String {
    match (count.number, count.is_exact) {
        (0, true) => "no solution".to_string(),
        (1, true) => "1 solution".to_string(),
        (number, true) => format!("{} solutions", thousands(number as u64)),
        (0..=2, false) => "several solutions".to_string(),
        (number, false) => format!("more than {} solutions", thousands(number as u64 - 1)),
    }
}

/// `r1c2 is not 5; r3c4 is 7, but 7 was removed there`: wrong digits and wrongly removed candidates.
pub fn wrong_move_words(geometry: &Geometry, wrong_moves: &WrongMoves) -> String {
    let mut words = Vec::new();
    for Candidate { digit, cell } in &wrong_moves.digits {
        words.push(format!("{} is not {digit}", notation::cell(geometry, *cell)));
    }
    for Candidate { digit, cell } in &wrong_moves.removed {
        words.push(format!("{} is {digit}, but {digit} was removed there", notation::cell(geometry, *cell)));
    }
    words.join("; ")
}

/// Describes the mistakes of a player because of which a position has no solution.
pub fn mistake_words(geometry: &Geometry, mistakes: &Mistakes) -> String {
    match mistakes {
        Mistakes::AgainstSolution(wrong_moves) => {
            format!("{} (the clues alone have one solution)", wrong_move_words(geometry, wrong_moves))
        }
        Mistakes::InNoSolution(wrong_moves) if wrong_moves.is_empty() => {
            "the clues alone have several; each change of yours fits some of them, but no solution fits all".to_string()
        }
        Mistakes::InNoSolution(wrong_moves) => {
            format!("{} (in every solution of the clues alone)", wrong_move_words(geometry, wrong_moves))
        }
        Mistakes::CluesUnsolvable => "the clues alone have none".to_string(),
    }
}
