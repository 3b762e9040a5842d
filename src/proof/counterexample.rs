//! A state in which a rule is wrong. In: a model of the pattern with a false conclusion. Out: a
//! [`Counterexample`]: the smallest state that the solver can be made to find, the names, the candidate that
//! the rule concludes wrongly, and a solution that shows it.

use super::encode::{Bound, Encoder, Target, givens, index_kind};
use super::solver::{Answer, Lit, Model};
use crate::grid::formats::{Format, Puzzle, write};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State, draw, notation};
use crate::lang::ir::{Kind, VarId};
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// A state, a binding and a solution that refute a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Counterexample {
    /// The board, by name.
    pub board: String,
    /// The state on which the rule fires.
    pub state: State,
    /// Each name with what it stands for.
    pub names: Vec<(String, Named)>,
    /// The conclusion that the solution contradicts.
    pub wrong: Candidate,
    /// True for a placement, false for an elimination.
    pub placed: bool,
    /// The solution, row by row.
    pub solution: Vec<Digit>,
    #[serde(skip)]
    grid: String,
    /// The position, drawn.
    #[serde(skip)]
    pub drawing: String,
    /// The conclusion, and the solution that contradicts it.
    #[serde(skip)]
    pub contradiction: String,
}

/// Conflicts for a state that reads back from its grid.
const READABLE: u64 = 20_000;

/// Value of a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Named {
    /// Digits.
    Digits(DigitSet),
    /// Cells.
    Cells(Vec<Cell>),
    /// Houses.
    Houses(Vec<HouseId>),
    /// A candidate.
    Candidate(Candidate),
    /// Candidates.
    Candidates(Vec<Candidate>),
    /// Members of a family with their index.
    Family(Vec<(Digit, Cell)>),
    /// As [`Named::Family`], indexed by cells.
    FamilyOfCells(Vec<(Cell, Cell)>),
}

impl Counterexample {
    /// The position as the puzzle reader takes it: a candidate grid; or, if the rule asks what the puzzle leaves open, the
    /// puzzle with its placements and eliminations.
    pub fn grid(&self) -> &str {
        &self.grid
    }

    /// Describes a state found to refute a rule: the wrong conclusion, whether it is a placement, and the solution.
    pub fn found(
        geometry: &Geometry,
        state: State,
        names: Vec<(String, Named)>,
        (wrong, placed): (Candidate, bool),
        solution: Vec<Digit>,
    ) -> Counterexample {
        let grid = grid_of(geometry, &state, true);
        described(geometry, (state, grid), names, (wrong, placed), solution)
    }

    /// Adds that the puzzle has one solution.
    #[must_use]
    pub fn of_one_solution(mut self) -> Counterexample {
        self.contradiction.push_str("\nThe puzzle has no other solution.\n");
        self
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.drawing, self.contradiction)
    }
}

/// Shrinks a model and reads it. `assumed` makes the conclusion false, `step` is the limit on conflicts for each question.
pub(super) fn smallest(
    encoder: &mut Encoder<'_>,
    geometry: &Geometry,
    target: &Target,
    assumed: &[Lit],
    mut model: Model,
    step: u64,
) -> Counterexample {
    let mut fixed = assumed.to_vec();
    // A text that does not read back as the state is of little use, so these questions may take longer than the others.
    let (grid, puzzle) = (readable(encoder), encoder.circuit.fresh());
    givens(encoder, puzzle);
    for form in [grid, puzzle] {
        fixed.push(form);
        match encoder.solve(&fixed, step.max(READABLE)) {
            Answer::Yes(better) => {
                model = better;
                break;
            }
            _ => drop(fixed.pop()),
        }
    }
    fewer_candidates(encoder, target, &fixed, &mut model, step);
    fewest_candidates(encoder, &mut fixed, &mut model, step);
    for cells in places(encoder, target) {
        nearest(encoder, &cells, &mut fixed, &mut model, step);
    }
    read(encoder, geometry, target, &model)
}

/// Literal that is true iff the puzzle leaves exactly the shown candidates open, which is how a candidate grid is read.
pub(super) fn readable(encoder: &mut Encoder<'_>) -> Lit {
    let mut parts = Vec::new();
    for cell in 0..encoder.world.count() {
        for digit in 0..encoder.world.cells[cell].open.len() {
            let shown = encoder.world.option(&mut encoder.circuit, cell, digit);
            parts.push(encoder.circuit.same(encoder.world.cells[cell].open[digit], shown));
        }
    }
    encoder.circuit.and(parts)
}

/// Keeps solution, names and target and takes away what can be: first whole cells, which become solved, then
/// single candidates. Each question is small, for little is left open in it.
fn fewer_candidates(encoder: &mut Encoder<'_>, target: &Target, fixed: &[Lit], model: &mut Model, limit: u64) {
    let mut kept = fixed.to_vec();
    for bits in encoder.world.cells.iter().map(|cell| &cell.solution).chain(&places(encoder, target)) {
        kept.extend(bits.iter().copied().filter(|&bit| model.holds(bit)));
    }
    let cells: Vec<Lit> = encoder.world.cells.iter().map(|cell| cell.unsolved).collect();
    let candidates: Vec<Lit> = encoder.world.cells.iter().flat_map(|cell| cell.candidate.iter().copied()).collect();
    for part in [&cells, &candidates] {
        for &one in part {
            if !model.holds(one) {
                continue;
            }
            let mut assumed = kept.clone();
            assumed.extend(cells.iter().chain(&candidates).map(|&lit| !lit).filter(|&lit| model.holds(lit)));
            assumed.push(!one);
            if let Answer::Yes(smaller) = encoder.solve(&assumed, limit) {
                *model = smaller;
            }
        }
    }
}

/// Lowers the number of candidates step by step.
fn fewest_candidates(encoder: &mut Encoder<'_>, fixed: &mut Vec<Lit>, model: &mut Model, limit: u64) {
    let all: Vec<Lit> = encoder.world.cells.iter().flat_map(|cell| cell.candidate.iter().copied()).collect();
    let count = |model: &Model| all.iter().filter(|&&lit| model.holds(lit)).count() as i64;
    let mut best = count(model);
    // Large steps first; a step that fails is halved, and the smallest one that fails ends the search.
    let mut step = (best / 4).max(1);
    while step > 0 && best > 1 {
        let more = encoder.circuit.at_least(&all, best - step + 1);
        fixed.push(!more);
        match encoder.solve(fixed, limit) {
            Answer::Yes(smaller) => {
                best = count(&smaller);
                *model = smaller;
                step = step.min(best / 4).max(1);
            }
            _ => step /= 2,
        }
        fixed.pop();
    }
    let more = encoder.circuit.at_least(&all, best + 1);
    fixed.push(!more);
}

/// The cells of each single name in order, then of the target.
fn places(encoder: &Encoder<'_>, target: &Target) -> Vec<Vec<Lit>> {
    let mut out = Vec::new();
    for bound in encoder.scope.bound.iter().flatten() {
        match bound {
            Bound::Cells(cells) => out.push(cells.bits.clone()),
            Bound::Candidate { cell, .. } => out.push(cell.clone()),
            Bound::Family(members) => out.extend(members.iter().map(|member| member.bits.clone())),
            Bound::Digits(_) | Bound::Houses(_) | Bound::Candidates(_) => {}
        }
    }
    out.push(target.cell.clone());
    out
}

/// Brings the first cell of a choice as near to the first cell of the board as it goes.
fn nearest(encoder: &mut Encoder<'_>, bits: &[Lit], fixed: &mut Vec<Lit>, model: &mut Model, limit: u64) {
    let place = |model: &Model| bits.iter().position(|&bit| model.holds(bit));
    let Some(mut best) = place(model) else { return };
    let mut low = 0;
    while low < best {
        let middle = low + (best - low) / 2;
        let near = encoder.circuit.or(bits[..=middle].iter().copied());
        fixed.push(near);
        match encoder.solve(fixed, limit) {
            Answer::Yes(nearer) => {
                best = place(&nearer).unwrap_or(middle);
                *model = nearer;
            }
            _ => low = middle + 1,
        }
        fixed.pop();
    }
    fixed.push(bits[best]);
}

pub(super) fn read(encoder: &Encoder<'_>, geometry: &Geometry, target: &Target, model: &Model) -> Counterexample {
    let holding = |bits: &[Lit]| (0..bits.len()).find(|&at| model.holds(bits[at])).unwrap_or(0);
    let mut state = State::empty(geometry);
    let mut solution = Vec::new();
    for (cell, lits) in geometry.cells().zip(&encoder.world.cells) {
        let digit = Digit(holding(&lits.solution) as u8);
        solution.push(digit);
        let candidates = (0..geometry.size()).filter(|&d| model.holds(lits.candidate[d])).map(|d| Digit(d as u8));
        match model.holds(lits.unsolved) {
            true => state.restrict(cell, candidates.collect()),
            false => state.place(geometry, cell, digit),
        }
        if !lits.open.is_empty() {
            let open = (0..geometry.size()).filter(|&d| model.holds(lits.open[d])).map(|d| Digit(d as u8));
            state.set_open(cell, open.collect());
        }
    }
    let wrong = Candidate::new(Digit(holding(&target.digit) as u8), Cell(holding(&target.cell) as u16));
    let placed = solution[wrong.cell.index()] != wrong.digit;
    let names = names(encoder, model);
    let asks_the_puzzle = encoder.world.cells.iter().any(|lits| !lits.open.is_empty());
    let grid = grid_of(geometry, &state, asks_the_puzzle);
    described(geometry, (state, grid), names, (wrong, placed), solution)
}

/// Text that reads back as the state: a candidate grid, or the puzzle if other candidates are open in it and that matters.
fn grid_of(geometry: &Geometry, state: &State, asks_the_puzzle: bool) -> String {
    match asks_the_puzzle && !draw::leaves_what_it_shows(geometry, state) {
        true => with_its_puzzle(geometry, state) + "\n",
        false => draw::candidate_grid(geometry, state),
    }
}

/// The puzzle followed by its placements and eliminations, on one line.
fn with_its_puzzle(geometry: &Geometry, state: &State) -> String {
    let all = DigitSet::all(geometry.size());
    let given = |cell: Cell| state.value(cell).filter(|&digit| state.open(cell) == DigitSet::single(digit));
    // A line without a digit reads as no puzzle.
    let has_digit = geometry.cells().any(|cell| state.value(cell).is_some());
    if has_digit && geometry.cells().all(|cell| given(cell).is_some() || state.open(cell) == all) {
        return draw::puzzle_line(geometry, state);
    }
    let list = |cell| state.value(cell).map_or_else(|| state.candidates(cell), DigitSet::single);
    let puzzle = Puzzle {
        geometry: Arc::new(geometry.clone()),
        givens: geometry.cells().map(given).collect(),
        placed: geometry.cells().map(|cell| state.value(cell).filter(|_| given(cell).is_none())).collect(),
        candidates: Some(geometry.cells().map(list).collect()),
        lists_only: false,
        open: Some(state.open_all().to_vec()),
        line: 1,
        note: String::new(),
        remarks: Vec::new(),
    };
    let written = Format::named("jsonl").map(|format| write(&puzzle, format));
    written.and_then(Result::ok).map_or_else(|| draw::puzzle_line(geometry, state), |written| written.text)
}

fn names(encoder: &Encoder<'_>, model: &Model) -> Vec<(String, Named)> {
    let members = |bits: &[Lit]| (0..bits.len()).filter(|&at| model.holds(bits[at])).collect::<Vec<_>>();
    let cells = |bits: &[Lit]| members(bits).into_iter().map(|cell| Cell(cell as u16)).collect::<Vec<_>>();
    let mut out = Vec::new();
    for id in (0..encoder.scope.variant.vars.len()).map(VarId) {
        let named = match &encoder.scope.bound[id.0] {
            Some(Bound::Digits(bits)) => {
                Named::Digits(members(bits).into_iter().map(|digit| Digit(digit as u8)).collect())
            }
            Some(Bound::Cells(set)) => Named::Cells(cells(&set.bits)),
            Some(Bound::Houses(set)) => {
                Named::Houses(members(&set.bits).into_iter().map(|house| HouseId(house as u16)).collect())
            }
            Some(Bound::Candidate { digit, cell }) => match (members(digit).first(), members(cell).first()) {
                (Some(&digit), Some(&cell)) => Named::Candidate(Candidate::new(Digit(digit as u8), Cell(cell as u16))),
                _ => continue,
            },
            Some(Bound::Candidates(set)) => Named::Candidates(
                members(&set.bits)
                    .into_iter()
                    .map(|at| {
                        Candidate::new(Digit((at % encoder.digits()) as u8), Cell((at / encoder.digits()) as u16))
                    })
                    .collect(),
            ),
            Some(Bound::Family(family)) if index_kind(encoder.scope.variant, id) == Some(Kind::Cell) => {
                let pairs = family.iter().enumerate().flat_map(|(index, member)| {
                    cells(&member.bits).into_iter().map(move |cell| (Cell(index as u16), cell))
                });
                Named::FamilyOfCells(pairs.collect())
            }
            Some(Bound::Family(family)) => {
                let pairs = family.iter().enumerate().flat_map(|(digit, member)| {
                    cells(&member.bits).into_iter().map(move |cell| (Digit(digit as u8), cell))
                });
                Named::Family(pairs.collect())
            }
            None => continue,
        };
        out.push((encoder.scope.variant.var(id).name.clone(), named));
    }
    out
}

/// Adds the texts. A text of the state that is no grid is printed below the grid.
fn described(
    geometry: &Geometry,
    (state, grid): (State, String),
    names: Vec<(String, Named)>,
    (wrong, placed): (Candidate, bool),
    solution: Vec<Digit>,
) -> Counterexample {
    let mut drawing = draw::marked_grid(geometry, &state);
    let in_braces = drawing.contains('{');
    if grid.lines().count() == 1 {
        let since = match grid.starts_with('{') {
            true => "as JSON: its digits, its candidates now, and what it left open",
            false => "with placed digits (+) and deleted candidates (digit, row, column)",
        };
        drawing.push_str(&format!("\nThe puzzle, {since}:\n\n{grid}\n"));
    }
    if in_braces {
        drawing.push_str("\nIn braces: an unsolved cell with one candidate.\n");
    }
    let conclusion = notation::deduction(geometry, wrong, placed);
    let place = notation::cell(geometry, wrong.cell);
    let truth = solution[wrong.cell.index()];
    let mut solved = State::empty(geometry);
    geometry.cells().zip(&solution).for_each(|(cell, &digit)| solved.place(geometry, cell, digit));
    let solved = draw::candidate_grid(geometry, &solved);
    let contradiction =
        format!("The rule concludes {conclusion}, but in this solution {place} is {truth}:\n\n{solved}");
    let board = geometry.spec().name.clone();
    Counterexample { board, state, names, wrong, placed, solution, grid, drawing, contradiction }
}
