//! The review of snapshots. In: a snapshot that differs from the accepted one. Out: the picture of it, and what is to become of it.

use super::snapshots::Pending;
use crate::cli::exit::Stop;
use crate::cli::output::Output;
use crate::render::{Line, Role, grid as candidates};
use crate::workbench::hunt::grid;
use crate::workbench::snapshots::after;
use console::Term;
use similar::{ChangeTag, TextDiff};
use std::io::{BufRead, IsTerminal};

/// What was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Accept,
    Reject,
    Skip,
}

/// Shows one and asks; keys on a terminal, lines elsewhere. The end of the input skips.
pub fn ask(one: &Pending, number: usize, count: usize, out: &mut Output) -> Result<Answer, Stop> {
    out.lines(&shown(one, number, count, out.width()))?;
    loop {
        out.lines(&[Line::of(Role::Name, "accept [a], reject [r], skip [s]?")])?;
        out.flush()?;
        let key = if std::io::stdin().is_terminal() {
            Term::stdout().read_char().ok()
        } else {
            let mut line = String::new();
            match std::io::stdin().lock().read_line(&mut line) {
                Ok(0) | Err(_) => None,
                Ok(_) => line.trim().chars().next().or(Some(' ')),
            }
        };
        match key.map(|key| key.to_ascii_lowercase()) {
            Some('a' | 'y') => return Ok(Answer::Accept),
            Some('r' | 'n') => return Ok(Answer::Reject),
            Some('s') | None => return Ok(Answer::Skip),
            Some(_) => {}
        }
    }
}

/// The position before and after, and what changes in the text.
fn shown(one: &Pending, number: usize, count: usize, columns: Option<usize>) -> Vec<Line> {
    let word = if one.old.is_some() { "changed" } else { "new" };
    let head = format!("{number} of {count}: {word} snapshot {}", one.path.display());
    let mut lines = vec![Line::default(), Line::of(Role::Name, head)];
    let next = after(&one.geometry, &one.before, &one.steps);
    let (left, right) = (grid(&one.geometry, &one.before), grid(&one.geometry, &next));
    let width = left.lines().map(|line| line.chars().count()).max().unwrap_or(0).max(6);
    if columns.is_some_and(|columns| 2 * width + 6 > columns) {
        for (words, state) in [("before", &one.before), ("after", &next)] {
            lines.push(Line::of(Role::Quiet, words));
            lines.extend(candidates(&one.geometry, state, columns));
        }
    } else {
        lines.push(Line::of(Role::Quiet, format!("  {:<width$}    after", "before")));
        for (left, right) in left.lines().zip(right.lines()) {
            let role = if left.split_whitespace().eq(right.split_whitespace()) { Role::Plain } else { Role::Placement };
            lines.push(Line::text(format!("  {left:<width$}    ")).and(role, right));
        }
    }
    lines.push(Line::default());
    let old = one.old.clone().unwrap_or_default();
    // The position is drawn above.
    let text = |text: &str| text.split_once("\n\n").map_or(text.to_owned(), |(_, rest)| rest.to_owned()) + "\n";
    let (old, new) = (if old.is_empty() { String::new() } else { text(&old) }, text(&one.new.contents));
    for change in TextDiff::from_lines(&old, &new).iter_all_changes() {
        let text = change.value().trim_end();
        lines.push(match change.tag() {
            ChangeTag::Delete => Line::of(Role::Elimination, format!("- {text}")),
            ChangeTag::Insert => Line::of(Role::Placement, format!("+ {text}")),
            ChangeTag::Equal => Line::text(format!("  {text}")),
        });
    }
    lines
}
