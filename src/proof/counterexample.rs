//! A state in which a rule is wrong. In: a model of the pattern with a false conclusion. Out: a
//! [`Counterexample`]: the smallest state that the solver can be made to find, the names, the candidate that
//! the rule concludes wrongly, and a solution that shows it.

use super::encode::{Bound, Encoder, givens, index_kind};
use super::question::Posed;
use super::solver::{Lit, Model, SatAnswer};
use super::step_check::options;
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
    pub names: Vec<(String, NamedValue)>,
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
pub enum NamedValue {
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
    /// As [`NamedValue::Family`], indexed by cells.
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
        names: Vec<(String, NamedValue)>,
        (wrong, placed): (Candidate, bool),
        solution: Vec<Digit>,
    ) -> Counterexample {
        let grid = grid_of(geometry, &state, true);
        described(geometry, (state, grid), names, (wrong, placed), solution)
    }

    /// Adds that the puzzle has one solution.
    #[must_use]
    pub fn with_uniqueness_note(mut self) -> Counterexample {
        self.contradiction.push_str("\nThe puzzle has no other solution.\n");
        self
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.drawing, self.contradiction)
    }
}

/// Shrinks a model in which the target is wrongly concluded, and reads it; `limit` is that of conflicts for each question.
pub(super) fn smallest(posed: &mut Posed<'_>, geometry: &Geometry, model: Model, limit: u64) -> Counterexample {
    // A text that does not read back as the state is of little use, so these questions may take longer than the others.
    let (grid, puzzle) = (readable(&mut posed.encoder), posed.encoder.circuit.fresh());
    givens(&mut posed.encoder, puzzle);
    let fixed = vec![posed.wrong];
    let mut shrinking = Shrinking { posed, fixed, model, limit: limit.max(READABLE) };
    if let Some(form) = [grid, puzzle].into_iter().find(|&form| shrinking.holds_with(form)) {
        shrinking.fixed.push(form);
    }
    shrinking.limit = limit;
    shrinking.leave_out_candidates();
    shrinking.lower_number();
    for cells in places(shrinking.posed) {
        shrinking.move_to_front(&cells);
    }
    read(shrinking.posed, geometry, &shrinking.model)
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

/// A model that is made smaller step by step.
struct Shrinking<'p, 'r> {
    posed: &'p mut Posed<'r>,
    /// Literals that hold in the model and in every smaller one.
    fixed: Vec<Lit>,
    model: Model,
    /// Conflicts for each question.
    limit: u64,
}

impl Shrinking<'_, '_> {
    /// Looks for a model in which one more literal holds, and takes it; returns false if none was found.
    fn holds_with(&mut self, lit: Lit) -> bool {
        self.fixed.push(lit);
        let answer = self.posed.encoder.solve(&self.fixed, self.limit);
        self.fixed.pop();
        let SatAnswer::Yes(model) = answer else { return false };
        self.model = model;
        true
    }

    /// Keeps solution, names and target and takes away what can be: first whole cells, which become solved, then
    /// single candidates. Each question is small, for little is left open in it.
    fn leave_out_candidates(&mut self) {
        let world = &self.posed.encoder.world;
        let mut kept = self.fixed.clone();
        for bits in world.cells.iter().map(|cell| &cell.solution).chain(&places(self.posed)) {
            kept.extend(bits.iter().copied().filter(|&bit| self.model.holds(bit)));
        }
        let cells = world.cells.iter().map(|cell| cell.unsolved);
        let parts: Vec<Lit> = cells.chain(world.candidates()).collect();
        for &one in &parts {
            if !self.model.holds(one) {
                continue;
            }
            let mut assumed = kept.clone();
            assumed.extend(parts.iter().map(|&lit| !lit).filter(|&lit| self.model.holds(lit)));
            assumed.push(!one);
            if let SatAnswer::Yes(smaller) = self.posed.encoder.solve(&assumed, self.limit) {
                self.model = smaller;
            }
        }
    }

    /// Lowers the number of candidates step by step.
    fn lower_number(&mut self) {
        let all: Vec<Lit> = self.posed.encoder.world.candidates().collect();
        let mut best = self.model.true_among(&all).len() as i64;
        // Large steps first; a step that fails is halved, and the smallest one that fails ends the search.
        let mut step = (best / 4).max(1);
        while step > 0 && best > 1 {
            let more = self.posed.encoder.circuit.at_least(&all, best - step + 1);
            if self.holds_with(!more) {
                best = self.model.true_among(&all).len() as i64;
                step = step.min(best / 4).max(1);
            } else {
                step /= 2;
            }
        }
        let more = self.posed.encoder.circuit.at_least(&all, best + 1);
        self.fixed.push(!more);
    }

    /// Brings the first cell of a choice as near to the first cell of the board as it goes.
    fn move_to_front(&mut self, bits: &[Lit]) {
        let Some(mut best) = self.model.first_among(bits) else { return };
        let mut low = 0;
        while low < best {
            let middle = low + (best - low) / 2;
            let near = self.posed.encoder.circuit.or(bits[..=middle].iter().copied());
            if self.holds_with(near) {
                best = self.model.first_among(bits).unwrap_or(middle);
            } else {
                low = middle + 1;
            }
        }
        self.fixed.push(bits[best]);
    }
}

/// The cells of each single name in order, then of the target.
fn places(posed: &Posed<'_>) -> Vec<Vec<Lit>> {
    let mut out = Vec::new();
    for bound in posed.encoder.scope.bound.iter().flatten() {
        match bound {
            Bound::Cells(cells) => out.push(cells.bits.clone()),
            Bound::Candidate { cell, .. } => out.push(cell.clone()),
            Bound::Family(members) => out.extend(members.iter().map(|member| member.bits.clone())),
            Bound::Digits(_) | Bound::Houses(_) | Bound::Candidates(_) => {}
        }
    }
    out.push(posed.target.cell.clone());
    out
}

/// The solution of a model.
pub(super) fn solution_of(encoder: &Encoder<'_>, model: &Model) -> Vec<Digit> {
    encoder.world.cells.iter().map(|cell| digit(model.first_among(&cell.solution).unwrap_or(0))).collect()
}

/// Reads a model in which the target is wrongly concluded.
pub(super) fn read(posed: &Posed<'_>, geometry: &Geometry, model: &Model) -> Counterexample {
    let Posed { encoder, target, .. } = posed;
    let (mut state, solution) = (State::empty(geometry), solution_of(encoder, model));
    for (cell, lits) in geometry.cells().zip(&encoder.world.cells) {
        match model.holds(lits.unsolved) {
            true => state.restrict(cell, model.true_among(&lits.candidate).into_iter().map(digit).collect()),
            false => state.place(geometry, cell, solution[cell.index()]),
        }
        if !lits.open.is_empty() {
            state.set_initial_candidates(cell, model.true_among(&lits.open).into_iter().map(digit).collect());
        }
    }
    let [wrong_digit, wrong_cell] = [&target.digit, &target.cell].map(|bits| model.first_among(bits).unwrap_or(0));
    let wrong = Candidate::new(digit(wrong_digit), cell(wrong_cell));
    let placed = solution[wrong.cell.index()] != wrong.digit;
    let asks_the_puzzle = encoder.world.cells.iter().any(|lits| !lits.open.is_empty());
    let grid = grid_of(geometry, &state, asks_the_puzzle);
    described(geometry, (state, grid), names(encoder, model), (wrong, placed), solution)
}

fn digit(index: usize) -> Digit {
    Digit(index as u8)
}

fn cell(index: usize) -> Cell {
    Cell(index as u16)
}

/// Text that reads back as the state: a candidate grid, or the puzzle if other candidates are open in it and that matters.
fn grid_of(geometry: &Geometry, state: &State, asks_the_puzzle: bool) -> String {
    match asks_the_puzzle && !draw::reads_back_from_candidates(geometry, state) {
        true => with_its_puzzle(geometry, state) + "\n",
        false => draw::candidate_grid(geometry, state),
    }
}

/// The puzzle followed by its placements and eliminations, on one line.
fn with_its_puzzle(geometry: &Geometry, state: &State) -> String {
    let all = DigitSet::all(geometry.size());
    // A line without a digit reads as no puzzle.
    let has_digit = geometry.cells().any(|cell| state.value(cell).is_some());
    if has_digit && geometry.cells().all(|cell| given(state, cell).is_some() || state.initial_candidates(cell) == all) {
        return draw::puzzle_line(geometry, state);
    }
    let puzzle = Puzzle {
        geometry: Arc::new(geometry.clone()),
        givens: geometry.cells().map(|cell| given(state, cell)).collect(),
        placed: geometry.cells().map(|cell| state.value(cell).filter(|_| given(state, cell).is_none())).collect(),
        candidates: Some(geometry.cells().map(|cell| options(state, cell)).collect()),
        lists_only: false,
        initial_candidates: Some(state.all_initial_candidates().to_vec()),
        line: 1,
        note: String::new(),
        remarks: Vec::new(),
    };
    let written = Format::named("jsonl").map(|format| write(&puzzle, format));
    written.and_then(Result::ok).map_or_else(|| draw::puzzle_line(geometry, state), |written| written.text)
}

/// The digit of a cell that the puzzle leaves no other.
fn given(state: &State, cell: Cell) -> Option<Digit> {
    state.value(cell).filter(|&digit| state.initial_candidates(cell) == DigitSet::single(digit))
}

fn names(encoder: &Encoder<'_>, model: &Model) -> Vec<(String, NamedValue)> {
    let mut out = Vec::new();
    for (id, var) in encoder.scope.variant.vars.iter().enumerate() {
        let named = match &encoder.scope.bound[id] {
            Some(Bound::Digits(bits)) => NamedValue::Digits(model.true_among(bits).into_iter().map(digit).collect()),
            Some(Bound::Cells(set)) => NamedValue::Cells(cells(model, &set.bits).collect()),
            Some(Bound::Houses(set)) => {
                NamedValue::Houses(model.true_among(&set.bits).into_iter().map(|house| HouseId(house as u16)).collect())
            }
            Some(Bound::Candidate { digit: d, cell: c }) => match (model.first_among(d), model.first_among(c)) {
                (Some(d), Some(c)) => NamedValue::Candidate(Candidate::new(digit(d), cell(c))),
                _ => continue,
            },
            Some(Bound::Candidates(set)) => {
                let (all, digits) = (model.true_among(&set.bits).into_iter(), encoder.digits());
                NamedValue::Candidates(all.map(|at| Candidate::new(digit(at % digits), cell(at / digits))).collect())
            }
            Some(Bound::Family(family)) => {
                let members = family.iter().enumerate();
                let members = members.flat_map(|(at, one)| cells(model, &one.bits).map(move |cell| (at, cell)));
                match index_kind(encoder.scope.variant, VarId(id)) {
                    Some(Kind::Cell) => NamedValue::FamilyOfCells(members.map(|(at, one)| (cell(at), one)).collect()),
                    _ => NamedValue::Family(members.map(|(at, one)| (digit(at), one)).collect()),
                }
            }
            None => continue,
        };
        out.push((var.name.clone(), named));
    }
    out
}

fn cells(model: &Model, bits: &[Lit]) -> impl Iterator<Item = Cell> + use<> {
    model.true_among(bits).into_iter().map(cell)
}

/// Adds the texts. A text of the state that is no grid is printed below the grid.
fn described(
    geometry: &Geometry,
    (state, grid): (State, String),
    names: Vec<(String, NamedValue)>,
    (wrong, placed): (Candidate, bool),
    solution: Vec<Digit>,
) -> Counterexample {
    let mut drawing = draw::grid_with_braces(geometry, &state);
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
