//! A solution as text. In: a path. Out: numbered steps, outcome, price, and the candidates of a stuck position ([`path_lines`]); or a
//! shorter text for a terminal, with the first and the last grid and with consecutive singles in one line ([`short_path_lines`]).

use super::line::{Line, Role};
use super::names::{contradiction_words, count_phrase, count_phrase_of, thousands};
use super::scene::Scene;
use super::terminal::{drawing, text_width};
use super::text::{effect, step_lines};
use crate::engine::LimitHit;
use crate::grid::{Candidate, Geometry, State, draw};
use crate::solve::{Cut, MissingRow, Outcome, Path, PathCost, PathCursor, Step, Trial};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathOptions {
    pub steps: bool,
    /// Writes the candidates before every step.
    pub grids: bool,
    pub cost: bool,
    /// Columns of the terminal, if the output is one.
    pub width: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortPathOptions {
    /// Writes every single on a line of its own instead of combining consecutive singles.
    pub all_lines: bool,
    /// Draws the grid of every step that is no single.
    pub grids: bool,
    pub width: usize,
}

pub fn path_lines(geometry: &Geometry, path: &Path, options: PathOptions) -> Vec<Line> {
    let mut lines = Vec::new();
    if options.steps {
        let width = path.steps.len().to_string().len();
        let mut cursor = PathCursor::new(path.start.clone());
        for (index, step) in path.steps.iter().enumerate() {
            if options.grids {
                lines.extend(candidate_grid(geometry, cursor.state(), options.width));
                cursor.apply(geometry, step);
            }
            lines.extend(numbered_step(geometry, step, index, width));
        }
        if !path.steps.is_empty() {
            lines.push(Line::default());
        }
    } else {
        let counts = use_counts(path).into_iter();
        lines.extend(counts.map(|(name, count)| Line::text(format!("{count:>4} × {name}"))));
    }
    lines.extend(outcome_lines(geometry, path, options.width));
    lines.extend(cut_notes(&path.cuts));
    if options.cost {
        lines.extend(cost_lines(&path.cost));
    }
    lines
}

pub fn short_path_lines(geometry: &Geometry, path: &Path, options: ShortPathOptions) -> Vec<Line> {
    let mut lines = position_lines(geometry, &path.start, Some(options.width));
    lines.push(Line::default());
    let width = path.steps.len().to_string().len();
    let mut cursor = PathCursor::new(path.start.clone());
    let mut singles: Vec<(usize, &Step)> = Vec::new();
    for (index, step) in path.steps.iter().enumerate() {
        if !options.all_lines && step.soundness.is_proved() && is_single(geometry, cursor.state(), step) {
            singles.push((index, step));
        } else {
            lines.extend(single_lines(geometry, &std::mem::take(&mut singles), width));
            lines.extend(numbered_step(geometry, step, index, width));
            if options.grids {
                let scene = Scene::of_step(geometry, cursor.state(), step);
                lines.extend(drawing(geometry, &scene, Some(options.width)));
            }
        }
        cursor.apply(geometry, step);
    }
    lines.extend(single_lines(geometry, &singles, width));
    if !path.steps.is_empty() {
        lines.push(Line::default());
    }
    lines.extend(story_end(geometry, path, options.width));
    lines
}

/// Returns true if a step only places digits, and each digit is the last candidate of its cell or has only one place in a
/// house. The headline of such a step says everything.
pub fn is_single(geometry: &Geometry, state: &State, step: &Step) -> bool {
    step.trial.is_none()
        && step.eliminations.is_empty()
        && step
            .placements
            .iter()
            .all(|&placed| state.candidates(placed.cell).len() == 1 || is_last_place(geometry, state, placed))
}

fn is_last_place(geometry: &Geometry, state: &State, placed: Candidate) -> bool {
    geometry.houses_of(placed.cell).iter().any(|&house| {
        let mut other_cells = geometry.house(house).cells.iter().filter(|&&cell| cell != placed.cell);
        !other_cells.any(|&cell| state.has(Candidate::new(placed.digit, cell)))
    })
}

/// Writes consecutive singles, each given with its index, in one line. A lone single is written like any other step.
fn single_lines(geometry: &Geometry, singles: &[(usize, &Step)], width: usize) -> Vec<Line> {
    match singles {
        [] => Vec::new(),
        [(index, step)] => numbered_step(geometry, step, *index, width),
        [(first, step), .., (last, _)] => {
            let head = Line::styled(Role::Quiet, step_number(step, *first, width));
            let words = format!("{} (to step {}): ", count_phrase(singles.len(), "single"), last + 1);
            let mut line = head.with(Role::Plain, words);
            for (number, (_, step)) in singles.iter().enumerate() {
                line = line.with(Role::Plain, if number == 0 { "" } else { " " }).join(effect(geometry, step));
            }
            vec![line]
        }
    }
}

fn story_end(geometry: &Geometry, path: &Path, width: usize) -> Vec<Line> {
    let mut lines = match path.outcome {
        Outcome::Solved => {
            let mut lines = position_lines(geometry, &path.end, Some(width));
            let words = format!(" {}.", step_count_words(path));
            lines.push(Line::styled(Role::Success, "Solved").with(Role::Plain, words));
            lines
        }
        Outcome::Stuck | Outcome::Broken(_) => outcome_lines(geometry, path, Some(width)),
    };
    if let Some(index) = path.hardest() {
        let rating = format!(". Rating: {} (profile {}).", thousands(path.cost.total), path.cost.profile);
        let line = Line::text("Hardest: ").with(Role::Name, &path.steps[index].name);
        lines.push(line.with(Role::Quiet, format!(", step {}", index + 1)).with(Role::Plain, rating));
    }
    lines
}

/// Writes the number of a step in `width` columns, and a bar for each guess that the step rests on: ` 7. | `.
fn step_number(step: &Step, index: usize, width: usize) -> String {
    format!("{:>width$}. {}", index + 1, "| ".repeat(step.guesses))
}

fn numbered_step(geometry: &Geometry, step: &Step, index: usize, width: usize) -> Vec<Line> {
    let number = step_number(step, index, width);
    let mut lines = step_lines(geometry, step, number.len());
    if let Some(first) = lines.first_mut() {
        *first = Line::styled(Role::Quiet, number).join(std::mem::take(first));
    }
    lines
}

/// Counts the steps of each name, in order of first use.
pub(super) fn use_counts(path: &Path) -> Vec<(&str, usize)> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for step in &path.steps {
        match counts.iter_mut().find(|(name, _)| *name == step.name) {
            Some((_, count)) => *count += 1,
            None => counts.push((step.name.as_str(), 1)),
        }
    }
    counts
}

/// Writes the outcome of a path and the last position: a solved position in one line, any other as a grid of candidates.
fn outcome_lines(geometry: &Geometry, path: &Path, width: Option<usize>) -> Vec<Line> {
    let after = step_count_words(path);
    let (outcome, words) = match path.outcome {
        Outcome::Solved => {
            let line = Line::styled(Role::Success, "Solved").with(Role::Plain, format!(" {after}."));
            return vec![line, Line::text(draw::values_line(geometry, &path.end))];
        }
        Outcome::Stuck => {
            let unsolved = count_phrase(path.end.unsolved_count(), "cell");
            let reason = match path.cuts.is_empty() {
                true => "no technique finds anything",
                false => "nothing more was found within the limits",
            };
            ("Stuck", format!(" {after}, {unsolved} open: {reason}. What is left:"))
        }
        Outcome::Broken(contradiction) => {
            ("Broken", format!(" {after}: {}.", contradiction_words(geometry, contradiction)))
        }
    };
    let mut lines = vec![Line::styled(Role::Failure, outcome).with(Role::Plain, words)];
    lines.extend(candidate_grid(geometry, &path.end, width));
    lines
}

/// `after 51 steps with 3 guesses`.
fn step_count_words(path: &Path) -> String {
    format!("after {}{}", count_phrase(path.steps.len(), "step"), guess_words(path))
}

/// ` with 3 guesses, 1 of them taken back`; empty without guesses.
pub(super) fn guess_words(path: &Path) -> String {
    let guesses = path.guesses();
    if guesses == 0 {
        return String::new();
    }
    let words = format!(" with {}", count_phrase_of(guesses, "guess", "guesses"));
    match path.steps.iter().filter(|step| matches!(step.trial, Some(Trial::TakenBack(_)))).count() {
        0 => words,
        taken_back => format!("{words}, {taken_back} of them taken back"),
    }
}

/// Draws the digits of a position. Also draws the candidates, if some candidate that the digits allow is missing.
pub fn position_lines(geometry: &Geometry, state: &State, width: Option<usize>) -> Vec<Line> {
    let mut digits_only = State::empty(geometry);
    for cell in geometry.cells() {
        if let Some(digit) = state.value(cell) {
            digits_only.place(geometry, cell, digit);
        }
    }
    if geometry.cells().any(|cell| digits_only.candidates(cell) != state.candidates(cell)) {
        return candidate_grid(geometry, state, width);
    }
    let drawn =
        draw::bordered_grid(geometry, &|cell| state.value(cell).map_or(".".to_string(), |digit| digit.to_string()));
    lines_within_width(&drawn, geometry, state, width)
}

/// Draws the candidates of a position in a form that fits the width.
pub fn candidate_grid(geometry: &Geometry, state: &State, width: Option<usize>) -> Vec<Line> {
    lines_within_width(&draw::candidate_grid(geometry, state), geometry, state, width)
}

/// Returns the lines of a drawn grid. If the grid is too wide, returns a narrower drawing of the state.
fn lines_within_width(drawn: &str, geometry: &Geometry, state: &State, width: Option<usize>) -> Vec<Line> {
    let lines: Vec<Line> = drawn.lines().map(Line::drawing).collect();
    if width.is_none_or(|width| text_width(&lines) <= width) {
        return lines;
    }
    drawing(geometry, &Scene::of_state(state.clone()), width)
}

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

pub fn cut_notes(cuts: &[Cut]) -> Vec<Line> {
    let notes = cuts.iter().map(|cut| {
        format!("The search for {} was cut short by {}; there may be more.", cut.member, limit_words(cut.limit))
    });
    notes.map(|note| Line::styled(Role::Failure, "Note: ").with(Role::Plain, note)).collect()
}

/// Writes the cost of a path: the sum, the price of each step name, and the steps without a price.
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

/// Writes the rows of a profile that have no rule. Few rows get a line each, with the reason; many rows share one line
/// of names.
pub fn missing_row_lines(rows: &[MissingRow]) -> Vec<Line> {
    const MAX_LINES: usize = 8;
    let head = Line::styled(Role::Failure, "In the profile without a rule: ");
    if rows.len() <= MAX_LINES {
        let words = rows.iter().map(|row| format!("{} ({})", row.row, row.reason));
        return words.map(|words| head.clone().with(Role::Plain, words)).collect();
    }
    let mut names: Vec<&str> = rows.iter().map(|row| row.row.as_str()).collect();
    names.dedup();
    vec![head.with(Role::Plain, names.join(", "))]
}
