//! A whole solution as text. In: a path. Out: numbered steps, how it ended, what it cost, and the candidate
//! grid where it is stuck.

use super::line::{Line, Role};
use super::scene::Scene;
use super::terminal::{columns, drawing};
use super::text::explained;
use super::words::{contradiction_words, counted, counted_as, thousands};
use crate::engine::LimitHit;
use crate::grid::{Geometry, State, draw};
use crate::solve::{Cost, Cut, MissingRow, Outcome, Path, Replay, Step, Trial};
use std::collections::BTreeMap;

/// How much is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detail {
    /// The steps.
    pub steps: bool,
    /// The candidates before every step.
    pub grids: bool,
    /// The price.
    pub cost: bool,
    /// The columns of the terminal, if it is one.
    pub width: Option<usize>,
}

/// The path as text.
pub fn path(geometry: &Geometry, path: &Path, detail: Detail) -> Vec<Line> {
    let mut lines = Vec::new();
    if detail.steps {
        let width = path.steps.len().to_string().len();
        let mut replay = Replay::new(path.start.clone());
        for (index, step) in path.steps.iter().enumerate() {
            if detail.grids {
                lines.extend(grid(geometry, replay.state(), detail.width));
                replay.apply(geometry, step);
            }
            lines.extend(numbered(geometry, step, (index, width)));
        }
        if !path.steps.is_empty() {
            lines.push(Line::default());
        }
    } else {
        lines.extend(uses(path));
    }
    lines.extend(ending(geometry, path, detail.width));
    lines.extend(cuts(&path.cuts));
    if detail.cost {
        lines.extend(cost(&path.cost));
    }
    lines
}

/// A step with its number, from zero, in a given number of columns.
pub(super) fn numbered(geometry: &Geometry, step: &Step, (index, width): (usize, usize)) -> Vec<Line> {
    // A bar for each guess that the step rests on.
    let number = format!("{:>width$}. {}", index + 1, "| ".repeat(step.guesses));
    let mut told = explained(geometry, step, number.len()).into_iter();
    let first = told.next().map(|line| Line::of(Role::Quiet, number).join(line));
    first.into_iter().chain(told).collect()
}

/// How often each technique was used, in order of first use.
fn uses(path: &Path) -> Vec<Line> {
    let mut order: Vec<&str> = Vec::new();
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for step in &path.steps {
        if !count.contains_key(step.name.as_str()) {
            order.push(&step.name);
        }
        *count.entry(&step.name).or_default() += 1;
    }
    order.iter().map(|name| Line::text(format!("{:>4} × {name}", count[name]))).collect()
}

pub(super) fn ending(geometry: &Geometry, path: &Path, columns: Option<usize>) -> Vec<Line> {
    let after = format!("after {}{}", counted(path.steps.len(), "step"), guesses(path));
    match path.outcome {
        Outcome::Solved => {
            let mut lines = vec![Line::of(Role::Good, "Solved").and(Role::Plain, format!(" {after}."))];
            lines.push(Line::text(draw::line(geometry, &path.end)));
            lines
        }
        Outcome::Stuck => {
            let open = counted(path.end.unsolved_count(), "cell");
            let words = format!(" {after}, {open} open: no technique finds anything. What is left:");
            let mut lines = vec![Line::of(Role::Bad, "Stuck").and(Role::Plain, words)];
            lines.extend(grid(geometry, &path.end, columns));
            lines
        }
        Outcome::Broken(contradiction) => {
            let words = format!(" {after}: {}.", contradiction_words(geometry, contradiction));
            let mut lines = vec![Line::of(Role::Bad, "Broken").and(Role::Plain, words)];
            lines.extend(grid(geometry, &path.end, columns));
            lines
        }
    }
}

/// How many guesses there were, and what became of them.
pub(super) fn guesses(path: &Path) -> String {
    let made = path.guesses();
    let back = path.steps.iter().filter(|step| matches!(step.trial, Some(Trial::TakenBack(_)))).count();
    match (made, back) {
        (0, _) => String::new(),
        (made, 0) => format!(" with {}", counted_as(made, "guess", "guesses")),
        (made, back) => format!(" with {}, {back} of them taken back", counted_as(made, "guess", "guesses")),
    }
}

/// The candidates as a drawn grid, in a form that fits the width.
pub fn grid(geometry: &Geometry, state: &State, width: Option<usize>) -> Vec<Line> {
    fitted(draw::candidate_grid(geometry, state), geometry, state, width)
}

/// A drawn grid, or where it does not fit a narrower form of it.
pub(super) fn fitted(grid: String, geometry: &Geometry, state: &State, width: Option<usize>) -> Vec<Line> {
    let lines: Vec<Line> = grid.lines().map(Line::drawn).collect();
    if width.is_none_or(|width| columns(&lines) <= width) {
        return lines;
    }
    drawing(geometry, &Scene::of_state(state.clone()), width)
}

/// A limit as messages name it.
pub fn limit_words(limit: LimitHit) -> &'static str {
    match limit {
        LimitHit::Matches => "the limit on matches",
        LimitHit::Instructions => "the limit on work",
        LimitHit::ChainLinks => "the limit on the length of chains",
        LimitHit::Templates => "the limit on templates of a digit",
        LimitHit::LockedCells => "the limit on the size of almost locked sets",
        LimitHit::Suppositions => "the limit on steps under a supposition",
        LimitHit::Loops => "the limit on loops or rings through the same place",
        LimitHit::Time => "the limit on time",
        LimitHit::Memory => "the limit on memory",
        LimitHit::Links => "the limit on strong links",
        LimitHit::Nodes => "the limit on nodes of chains",
    }
}

/// What was cut short, one line each.
pub fn cuts(cuts: &[Cut]) -> Vec<Line> {
    let words = |cut: &Cut| {
        format!("The search for {} was cut short by {}; there may be more.", cut.member, limit_words(cut.limit))
    };
    cuts.iter().map(|cut| Line::of(Role::Bad, "Note: ").and(Role::Plain, words(cut))).collect()
}

/// The price with its parts.
pub fn cost(cost: &Cost) -> Vec<Line> {
    let head = format!("{} (profile {})", thousands(cost.total), cost.profile);
    let mut lines = vec![Line::text("Cost: ").and(Role::Name, head)];
    let width = cost.lines.iter().map(|line| thousands(line.cost).len()).max().unwrap_or(0);
    for line in &cost.lines {
        lines.push(Line::text(format!("  {:>width$}  {} × {}", thousands(line.cost), line.uses, line.name)));
    }
    let names: Vec<String> = cost.unpriced.iter().map(|(name, uses)| format!("{uses} × {name}")).collect();
    if !names.is_empty() {
        lines.push(Line::of(Role::Bad, "Not priced by the profile: ").and(Role::Plain, names.join(", ")));
    }
    lines
}

/// Rows of the profile that no rule answers to: one line each with the reason, or where they are many, their names.
pub fn missing(rows: &[MissingRow]) -> Vec<Line> {
    const FEW: usize = 8;
    let head = "In the profile without a rule: ";
    let words = |row: &MissingRow| format!("{} ({})", row.row, row.reason);
    if rows.len() <= FEW {
        return rows.iter().map(|row| Line::of(Role::Bad, head).and(Role::Plain, words(row))).collect();
    }
    let mut names: Vec<&str> = rows.iter().map(|row| row.row.as_str()).collect();
    names.dedup();
    vec![Line::of(Role::Bad, head).and(Role::Plain, names.join(", "))]
}
