//! A whole solution for a person at a terminal. In: a path. Out: the grid where it begins, the steps with runs of singles as one
//! line, the grid where it ends, the hardest step and the rating.

use super::line::{Line, Role};
use super::path::{ending, fitted, grid, guesses, numbered};
use super::scene::Scene;
use super::terminal::drawing;
use super::text::effect;
use super::words::{counted, thousands};
use crate::grid::draw::bordered;
use crate::grid::{Candidate, Geometry, State};
use crate::solve::{Outcome, Path, Replay, Step};

/// How a path is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Telling {
    /// Singles one by one, too.
    pub all: bool,
    /// Each other step drawn.
    pub grids: bool,
    /// The columns of the terminal.
    pub width: usize,
}

/// The path as a story.
pub fn story(geometry: &Geometry, path: &Path, telling: Telling) -> Vec<Line> {
    let mut lines = position(geometry, &path.start, Some(telling.width));
    lines.push(Line::default());
    let width = path.steps.len().to_string().len();
    let mut replay = Replay::new(path.start.clone());
    let mut singles: Vec<(usize, &Step)> = Vec::new();
    for (at, step) in path.steps.iter().enumerate() {
        let single = !telling.all && step.soundness.is_proved() && is_single(geometry, replay.state(), step);
        if !single {
            lines.extend(run(geometry, &std::mem::take(&mut singles), width));
            lines.extend(numbered(geometry, step, (at, width)));
            if telling.grids {
                let scene = Scene::of_step(geometry, replay.state(), step);
                lines.extend(drawing(geometry, &scene, Some(telling.width)));
            }
        } else {
            singles.push((at, step));
        }
        replay.apply(geometry, step);
    }
    lines.extend(run(geometry, &singles, width));
    if !path.steps.is_empty() {
        lines.push(Line::default());
    }
    lines.extend(end(geometry, path, telling.width));
    lines
}

/// Whether a step only places digits, each the last candidate of its cell or with its last place in a house: there is nothing to
/// tell of it.
pub fn is_single(geometry: &Geometry, state: &State, step: &Step) -> bool {
    let last = |placed: &Candidate| {
        let other = |house: &crate::grid::HouseId| {
            geometry
                .house(*house)
                .cells
                .iter()
                .any(|&cell| cell != placed.cell && state.has(Candidate::new(placed.digit, cell)))
        };
        state.candidates(placed.cell).len() == 1 || !geometry.houses_of(placed.cell).iter().all(other)
    };
    step.trial.is_none() && step.eliminations.is_empty() && step.placements.iter().all(last)
}

/// A run of singles: one as any step, more of them as one line.
fn run(geometry: &Geometry, singles: &[(usize, &Step)], width: usize) -> Vec<Line> {
    match singles {
        [] => Vec::new(),
        [(at, step)] => numbered(geometry, step, (*at, width)),
        [(first, _), .., (last, _)] => {
            let guessed = "| ".repeat(singles[0].1.guesses);
            let head = Line::of(Role::Quiet, format!("{:>width$}. {guessed}", first + 1));
            let words = format!("{} (to step {}): ", counted(singles.len(), "single"), last + 1);
            let mut line = head.and(Role::Plain, words);
            for (number, (_, step)) in singles.iter().enumerate() {
                line = line.and(Role::Plain, if number == 0 { "" } else { " " }).join(effect(geometry, step));
            }
            vec![line]
        }
    }
}

/// The grid of a puzzle; where candidates are missing that its digits leave, with all candidates.
pub fn position(geometry: &Geometry, state: &State, width: Option<usize>) -> Vec<Line> {
    let mut plain = State::empty(geometry);
    let solved = geometry.cells().filter_map(|cell| Some((cell, state.value(cell)?)));
    solved.for_each(|(cell, digit)| plain.place(geometry, cell, digit));
    if geometry.cells().any(|cell| plain.candidates(cell) != state.candidates(cell)) {
        return grid(geometry, state, width);
    }
    let drawn = bordered(geometry, &|cell| state.value(cell).map_or(".".to_string(), |digit| digit.to_string()));
    fitted(drawn, geometry, state, width)
}

/// The last grid, how it ended, and what was hardest.
fn end(geometry: &Geometry, path: &Path, width: usize) -> Vec<Line> {
    let mut lines = match path.outcome {
        Outcome::Solved => {
            let after = format!(" after {}{}.", counted(path.steps.len(), "step"), guesses(path));
            let mut lines = position(geometry, &path.end, Some(width));
            lines.push(Line::of(Role::Good, "Solved").and(Role::Plain, after));
            lines
        }
        Outcome::Stuck | Outcome::Broken(_) => ending(geometry, path, Some(width)),
    };
    if let Some(at) = path.hardest() {
        let name = &path.steps[at].name;
        let rating = format!(". Rating: {} (profile {}).", thousands(path.cost.total), path.cost.profile);
        let place = format!(", step {}", at + 1);
        let line = Line::text("Hardest: ").and(Role::Name, name).and(Role::Quiet, place);
        lines.push(line.and(Role::Plain, rating));
    }
    lines
}
