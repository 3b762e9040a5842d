//! What a technique nearly finds, in words. In: near misses. Out: lines.

use super::furthest::Furthest;
use super::miss::Miss;
use crate::render::{Line, Role, counted};

/// How far the pattern gets, in words.
pub fn begun(found: &Furthest) -> Vec<Line> {
    let names: Vec<String> = found.names.iter().map(|(name, value)| format!("{name} {value}")).collect();
    let names = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
    let place = found.line.map_or(String::new(), |line| format!(" (line {line})"));
    let (met, all) = found.met;
    let said = match (met, all) {
        (_, 1) => "its one requirement does not hold".to_string(),
        (0, all) => format!("not even the first of {all} requirements holds"),
        (1, all) => format!("the first of {all} requirements holds"),
        (met, all) => format!("the first {met} of {all} requirements hold"),
    };
    let place_of = if found.elsewhere { " anywhere on the grid" } else { "" };
    let mut lines = vec![Line::plain(format!("How far it gets{place_of}: {said}."))];
    lines.push(Line::plain("   ").and(Role::Name, &found.name).and(Role::Plain, names));
    lines.push(Line::of(Role::Quiet, format!("   The next is `{}`{place}:", found.requirement)));
    lines.push(Line::of(Role::Bad, format!("   {}.", found.fails)));
    if !found.would.is_empty() {
        lines.push(
            Line::plain("   With it this would show ").and(Role::Elimination, &found.would).and(Role::Plain, "."),
        );
    }
    lines
}

/// A near miss in words.
pub fn missed(number: usize, miss: &Miss) -> Vec<Line> {
    let names: Vec<String> = miss.names.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let head = Line::of(Role::Plain, format!("{number}. ")).and(Role::Name, &miss.name);
    let colon = if miss.pattern.is_empty() { "" } else { ": " };
    let mut lines = vec![head.and(Role::Plain, colon).and(Role::Pattern, &miss.pattern)];
    if !names.is_empty() {
        lines.push(Line::of(Role::Quiet, format!("   {}", names.join("  "))));
    }
    let place = miss.line.map_or(String::new(), |line| format!(" (line {line})"));
    let hold = if miss.met.1 == 1 { "holds" } else { "hold" };
    let (met, all) = (miss.met.0, counted(miss.met.1, "requirement"));
    let met = format!("   {met} of {all} {hold}; not `{}`{place}:", miss.requirement);
    let all = format!("   Every requirement holds, but `{}` shows nothing:", miss.requirement);
    lines.push(Line::of(Role::Quiet, if miss.met.0 == miss.met.1 { all } else { met }));
    lines.push(Line::of(Role::Bad, format!("   {}.", miss.fails)));
    if let Some(mend) = &miss.mend {
        let words = format!("   {} this would show ", capital(&mend.words));
        lines.push(Line::plain(words).and(Role::Elimination, &mend.shows).and(Role::Plain, "."));
    }
    if !miss.change.is_empty() {
        let verdict = miss.verdict.as_ref().map_or(String::new(), |verdict| format!("; {verdict}"));
        let would = if miss.would.is_empty() { String::new() } else { format!(" would show {}", miss.would) };
        lines.push(Line::plain(format!("   The rule {}{would}{verdict}.", miss.change)));
    }
    lines
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
