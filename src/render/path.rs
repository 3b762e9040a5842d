//! A solution as text. In: a path. Out: its numbered steps, its end, its price, and the candidates where it is stuck ([`path_lines`]); or a
//! shorter form for a terminal, which begins and ends with the grid and writes a run of singles as one line ([`story_lines`]).

use super::line::{Line, Role};
use super::names::{contradiction_words, count_phrase, count_phrase_of, thousands};
use super::scene::Scene;
use super::terminal::{columns, drawing};
use super::text::{effect, step_lines};
use crate::engine::LimitHit;
use crate::grid::{Candidate, Geometry, State, draw};
use crate::solve::{Cut, MissingRow, Outcome, Path, PathCost, Replay, Step, Trial};
use std::collections::BTreeMap;

/// Options of [`path_lines`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathOptions {
    /// Writes the steps.
    pub steps: bool,
    /// Writes the candidates before every step.
    pub grids: bool,
    /// Writes the price.
    pub cost: bool,
    /// Columns of the terminal, if the output is one.
    pub width: Option<usize>,
}

/// Options of [`story_lines`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoryOptions {
    /// Writes singles one by one, too.
    pub all: bool,
    /// Draws every step that is not part of a run of singles.
    pub grids: bool,
    /// Columns of the terminal.
    pub width: usize,
}

/// Writes a path step by step.
pub fn path_lines(geometry: &Geometry, path: &Path, detail: PathOptions) -> Vec<Line> {
    let mut lines = Vec::new();
    if detail.steps {
        let width = path.steps.len().to_string().len();
        let mut replay = Replay::new(path.start.clone());
        for (index, step) in path.steps.iter().enumerate() {
            if detail.grids {
                lines.extend(candidate_grid(geometry, replay.state(), detail.width));
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
    lines.extend(cut_notes(&path.cuts));
    if detail.cost {
        lines.extend(cost_lines(&path.cost));
    }
    lines
}

/// Writes a path for a person at a terminal.
pub fn story_lines(geometry: &Geometry, path: &Path, telling: StoryOptions) -> Vec<Line> {
    let mut lines = position_lines(geometry, &path.start, Some(telling.width));
    lines.push(Line::default());
    let width = path.steps.len().to_string().len();
    let mut replay = Replay::new(path.start.clone());
    let mut singles: Vec<(usize, &Step)> = Vec::new();
    for (index, step) in path.steps.iter().enumerate() {
        if !telling.all && step.soundness.is_proved() && is_single(geometry, replay.state(), step) {
            singles.push((index, step));
        } else {
            lines.extend(run_of_singles(geometry, &std::mem::take(&mut singles), width));
            lines.extend(numbered(geometry, step, (index, width)));
            if telling.grids {
                let scene = Scene::of_step(geometry, replay.state(), step);
                lines.extend(drawing(geometry, &scene, Some(telling.width)));
            }
        }
        replay.apply(geometry, step);
    }
    lines.extend(run_of_singles(geometry, &singles, width));
    if !path.steps.is_empty() {
        lines.push(Line::default());
    }
    lines.extend(story_end(geometry, path, telling.width));
    lines
}

/// Returns true if a step only places digits, each the last candidate of its cell or in its last place in a house, so that its headline
/// says everything.
pub fn is_single(geometry: &Geometry, state: &State, step: &Step) -> bool {
    step.trial.is_none()
        && step.eliminations.is_empty()
        && step
            .placements
            .iter()
            .all(|&placed| state.candidates(placed.cell).len() == 1 || is_last_place(geometry, state, placed))
}

/// Returns true if some house of the candidate has no other place for its digit.
fn is_last_place(geometry: &Geometry, state: &State, one: Candidate) -> bool {
    geometry.houses_of(one.cell).iter().any(|&house| {
        let mut others = geometry.house(house).cells.iter().filter(|&&cell| cell != one.cell);
        !others.any(|&cell| state.has(Candidate::new(one.digit, cell)))
    })
}

/// Writes a run of singles: one like any step, several in one line. Each comes with its index; `width` is the number of columns for numbers.
fn run_of_singles(geometry: &Geometry, singles: &[(usize, &Step)], width: usize) -> Vec<Line> {
    match singles {
        [] => Vec::new(),
        [(index, step)] => numbered(geometry, step, (*index, width)),
        [(first, step), .., (last, _)] => {
            let guesses = "| ".repeat(step.guesses);
            let head = Line::styled(Role::Quiet, format!("{:>width$}. {guesses}", first + 1));
            let words = format!("{} (to step {}): ", count_phrase(singles.len(), "single"), last + 1);
            let mut line = head.with(Role::Plain, words);
            for (number, (_, step)) in singles.iter().enumerate() {
                line = line.with(Role::Plain, if number == 0 { "" } else { " " }).join(effect(geometry, step));
            }
            vec![line]
        }
    }
}

/// Writes the last grid, the outcome and the hardest step.
fn story_end(geometry: &Geometry, path: &Path, width: usize) -> Vec<Line> {
    let mut lines = match path.outcome {
        Outcome::Solved => {
            let after = format!(" after {}{}.", count_phrase(path.steps.len(), "step"), guesses(path));
            let mut lines = position_lines(geometry, &path.end, Some(width));
            lines.push(Line::styled(Role::Success, "Solved").with(Role::Plain, after));
            lines
        }
        Outcome::Stuck | Outcome::Broken(_) => ending(geometry, path, Some(width)),
    };
    if let Some(at) = path.hardest() {
        let rating = format!(". Rating: {} (profile {}).", thousands(path.cost.total), path.cost.profile);
        let line = Line::text("Hardest: ").with(Role::Name, &path.steps[at].name);
        lines.push(line.with(Role::Quiet, format!(", step {}", at + 1)).with(Role::Plain, rating));
    }
    lines
}

/// Writes a step with its index and the number of columns for step numbers, behind a bar for each guess that it rests on.
fn numbered(geometry: &Geometry, step: &Step, (index, width): (usize, usize)) -> Vec<Line> {
    let number = format!("{:>width$}. {}", index + 1, "| ".repeat(step.guesses));
    let mut lines = step_lines(geometry, step, number.len());
    if let Some(first) = lines.first_mut() {
        *first = Line::styled(Role::Quiet, number).join(std::mem::take(first));
    }
    lines
}

/// Writes the number of uses of each technique, in order of first use.
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

/// Writes the outcome of a path, with the candidates unless it is solved.
fn ending(geometry: &Geometry, path: &Path, columns: Option<usize>) -> Vec<Line> {
    let after = format!("after {}{}", count_phrase(path.steps.len(), "step"), guesses(path));
    let (first, words) = match path.outcome {
        Outcome::Solved => {
            let line = Line::styled(Role::Success, "Solved").with(Role::Plain, format!(" {after}."));
            return vec![line, Line::text(draw::values_line(geometry, &path.end))];
        }
        Outcome::Stuck => {
            let open = count_phrase(path.end.unsolved_count(), "cell");
            ("Stuck", format!(" {after}, {open} open: no technique finds anything. What is left:"))
        }
        Outcome::Broken(found) => ("Broken", format!(" {after}: {}.", contradiction_words(geometry, found))),
    };
    let mut lines = vec![Line::styled(Role::Failure, first).with(Role::Plain, words)];
    lines.extend(candidate_grid(geometry, &path.end, columns));
    lines
}

/// Writes the number of guesses: ` with 3 guesses, 1 of them taken back`.
pub(super) fn guesses(path: &Path) -> String {
    let taken_back = path.steps.iter().filter(|step| matches!(step.trial, Some(Trial::TakenBack(_)))).count();
    match (path.guesses(), taken_back) {
        (0, _) => String::new(),
        (made, 0) => format!(" with {}", count_phrase_of(made, "guess", "guesses")),
        (made, back) => format!(" with {}, {back} of them taken back", count_phrase_of(made, "guess", "guesses")),
    }
}

/// Draws a position: the digits, or all candidates if some are missing that the digits allow.
pub fn position_lines(geometry: &Geometry, state: &State, width: Option<usize>) -> Vec<Line> {
    let mut placed = State::empty(geometry);
    for cell in geometry.cells() {
        if let Some(digit) = state.value(cell) {
            placed.place(geometry, cell, digit);
        }
    }
    if geometry.cells().any(|cell| placed.candidates(cell) != state.candidates(cell)) {
        return candidate_grid(geometry, state, width);
    }
    let drawn =
        draw::bordered_grid(geometry, &|cell| state.value(cell).map_or(".".to_string(), |digit| digit.to_string()));
    fitted(&drawn, geometry, state, width)
}

/// Draws the candidates in a form that fits the width.
pub fn candidate_grid(geometry: &Geometry, state: &State, width: Option<usize>) -> Vec<Line> {
    fitted(&draw::candidate_grid(geometry, state), geometry, state, width)
}

/// Returns the lines of a drawn grid, or a narrower drawing of the state if they are too wide.
fn fitted(drawn: &str, geometry: &Geometry, state: &State, width: Option<usize>) -> Vec<Line> {
    let lines: Vec<Line> = drawn.lines().map(Line::drawing).collect();
    if width.is_none_or(|width| columns(&lines) <= width) {
        return lines;
    }
    drawing(geometry, &Scene::of_state(state.clone()), width)
}

/// Names a limit, for messages.
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

/// Writes a note for each search that a limit cut short.
pub fn cut_notes(cuts: &[Cut]) -> Vec<Line> {
    let notes = cuts.iter().map(|cut| {
        format!("The search for {} was cut short by {}; there may be more.", cut.member, limit_words(cut.limit))
    });
    notes.map(|note| Line::styled(Role::Failure, "Note: ").with(Role::Plain, note)).collect()
}

/// Writes a price with its parts.
pub fn cost_lines(cost: &PathCost) -> Vec<Line> {
    let head = format!("{} (profile {})", thousands(cost.total), cost.profile);
    let mut lines = vec![Line::text("Cost: ").with(Role::Name, head)];
    let width = cost.lines.iter().map(|line| thousands(line.cost).len()).max().unwrap_or(0);
    for line in &cost.lines {
        lines.push(Line::text(format!("  {:>width$}  {} × {}", thousands(line.cost), line.uses, line.name)));
    }
    let names: Vec<String> = cost.unpriced.iter().map(|(name, uses)| format!("{uses} × {name}")).collect();
    if !names.is_empty() {
        lines.push(Line::styled(Role::Failure, "Not priced by the profile: ").with(Role::Plain, names.join(", ")));
    }
    lines
}

/// Writes the profile's rows without a rule: a line each with the reason or, if they are many, all names in one line.
pub fn missing_row_lines(rows: &[MissingRow]) -> Vec<Line> {
    const FEW: usize = 8;
    let head = Line::styled(Role::Failure, "In the profile without a rule: ");
    if rows.len() <= FEW {
        let words = rows.iter().map(|row| format!("{} ({})", row.row, row.reason));
        return words.map(|words| head.clone().with(Role::Plain, words)).collect();
    }
    let mut names: Vec<&str> = rows.iter().map(|row| row.row.as_str()).collect();
    names.dedup();
    vec![head.with(Role::Plain, names.join(", "))]
}
