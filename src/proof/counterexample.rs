//! A state in which a rule is wrong. In: a model of the pattern with a false conclusion. Out: a [`Counterexample`]: a
//! state as small as the solver's limits allow, the values of the names, the wrongly concluded candidate, and a
//! solution that contradicts the conclusion.

use super::encode::{Cells, Encoder, NameLits, givens, index_kind};
use super::prover::Prover;
use super::question::Query;
use super::solver::{Lit, Model, SatAnswer};
use crate::grid::formats::{Format, Puzzle, write};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State, draw, notation};
use crate::lang::ir::{Kind, VarId, Variant};
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
    /// The names of the rule with their values.
    pub names: Vec<(String, NamedValue)>,
    /// The candidate of the conclusion that the solution contradicts.
    pub wrong: Candidate,
    /// True if the wrong conclusion is a placement, false if it is an elimination.
    pub placed: bool,
    /// The solution, row by row.
    pub solution: Vec<Digit>,
    #[serde(skip)]
    grid: String,
    /// The position as text for people: the grid and, if the rule depends on the givens, the puzzle.
    #[serde(skip)]
    pub drawing: String,
    /// A sentence with the wrong conclusion, followed by the solution that contradicts the conclusion.
    #[serde(skip)]
    pub contradiction: String,
}

/// Maximum number of conflicts for the search for a state that can be read back from its printed grid. A grid that
/// cannot be read back is of little use, so this search may take longer than other searches.
const READABLE_CONFLICTS: u64 = 20_000;

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
    /// A single candidate.
    Candidate(Candidate),
    /// A set of candidates.
    Candidates(Vec<Candidate>),
    /// A family indexed by digits: for each cell of a member, a pair of the member's index and the cell.
    Family(Vec<(Digit, Cell)>),
    /// A family indexed by cells: for each cell of a member, a pair of the member's index and the cell.
    FamilyOfCells(Vec<(Cell, Cell)>),
}

impl Counterexample {
    /// Returns the position as text that can be read as a puzzle: a candidate grid or, if the rule depends on the
    /// givens, the puzzle with its placements and eliminations.
    pub fn grid(&self) -> &str {
        &self.grid
    }

    /// Makes a counterexample of a state that refutes a rule; the solution contradicts the conclusion about `wrong`.
    /// `reads_givens` is false for a rule that does not depend on the givens.
    pub(crate) fn new(
        geometry: &Geometry,
        (state, reads_givens): (State, bool),
        names: Vec<(String, NamedValue)>,
        wrong: Candidate,
        solution: Vec<Digit>,
    ) -> Counterexample {
        // If the rule depends on the givens, they must be the same when the text is read.
        let grid = if reads_givens && !draw::reads_back_from_candidates(geometry, &state) {
            puzzle_text(geometry, &state) + "\n"
        } else {
            draw::candidate_grid(geometry, &state)
        };
        // A wrong conclusion either eliminates the true candidate of the cell or places a false candidate.
        let truth = solution[wrong.cell.index()];
        let placed = wrong.digit != truth;
        let conclusion = notation::deduction(geometry, wrong, placed);
        let cell = notation::cell(geometry, wrong.cell);
        let mut solved = State::empty(geometry);
        geometry.cells().zip(&solution).for_each(|(cell, &digit)| solved.place(geometry, cell, digit));
        let solved = draw::candidate_grid(geometry, &solved);
        let contradiction =
            format!("The rule concludes {conclusion}, but in this solution {cell} is {truth}:\n\n{solved}");
        let drawing = drawing(geometry, &state, &grid);
        let board = geometry.spec().name.clone();
        Counterexample { board, state, names, wrong, placed, solution, grid, drawing, contradiction }
    }

    /// Adds the sentence that the puzzle has no other solution.
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

impl Prover<'_> {
    /// Shrinks a model in which the conclusion about the target is wrong. Returns the counterexample of the shrunk model.
    pub(super) fn shrunk_example(&self, query: &mut Query<'_>, model: Model) -> Counterexample {
        let is_grid = readable(&mut query.encoder);
        let is_puzzle = query.encoder.circuit.fresh();
        givens(&mut query.encoder, is_puzzle);
        let fixed = vec![query.wrong_conclusion];
        let mut shrinking = Shrinking { query, fixed, model, limit: self.limits.shrink.max(READABLE_CONFLICTS) };
        // Prefer a state that can be read back from its candidate grid, then a state that can be read back from a puzzle.
        let readable = [is_grid, is_puzzle].into_iter().find(|&is_readable| shrinking.try_with(is_readable));
        shrinking.fixed.extend(readable);
        shrinking.limit = self.limits.shrink;
        shrinking.remove_candidates();
        shrinking.lower_candidate_count();
        for cells in cell_choices(shrinking.query) {
            shrinking.move_to_front(&cells);
        }
        read(shrinking.query, self.geometry, &shrinking.model)
    }
}

/// Returns the literal that is true iff in each cell the givens allow exactly the candidates of the cell. A candidate
/// grid that is read as a puzzle has this property.
pub(super) fn readable(encoder: &mut Encoder<'_>) -> Lit {
    let mut parts = Vec::new();
    for cell in 0..encoder.world.cell_count() {
        for digit in 0..encoder.world.cells[cell].allowed.len() {
            let is_shown = encoder.world.can_hold(&mut encoder.circuit, cell, digit);
            parts.push(encoder.circuit.iff(encoder.world.cells[cell].allowed[digit], is_shown));
        }
    }
    encoder.circuit.and(parts)
}

/// A model that is shrunk step by step.
struct Shrinking<'p, 'r> {
    query: &'p mut Query<'r>,
    /// Literals that hold in the model and in every smaller model.
    fixed: Vec<Lit>,
    model: Model,
    limit: u64,
}

impl Shrinking<'_, '_> {
    /// Searches for a model in which `lit` and all of `fixed` are true. If there is such a model, keeps it and returns
    /// true.
    fn try_with(&mut self, lit: Lit) -> bool {
        self.fixed.push(lit);
        let answer = self.query.encoder.solve(&self.fixed, self.limit);
        self.fixed.pop();
        let SatAnswer::Yes(model) = answer else { return false };
        self.model = model;
        true
    }

    /// Removes candidates: first solves cells, then removes single candidates. The solution, the names and the target
    /// stay the same, so most literals are fixed and each question is quick.
    fn remove_candidates(&mut self) {
        let world = &self.query.encoder.world;
        let mut fixed = self.fixed.clone();
        for bits in world.cells.iter().map(|cell| &cell.solution).chain(&cell_choices(self.query)) {
            fixed.extend(bits.iter().copied().filter(|&bit| self.model.holds(bit)));
        }
        let unsolved_cells = world.cells.iter().map(|cell| cell.unsolved);
        let removable: Vec<Lit> = unsolved_cells.chain(world.candidates()).collect();
        for &lit in &removable {
            if !self.model.holds(lit) {
                continue;
            }
            let mut assumed = fixed.clone();
            assumed.extend(removable.iter().map(|&lit| !lit).filter(|&lit| self.model.holds(lit)));
            assumed.push(!lit);
            if let SatAnswer::Yes(smaller) = self.query.encoder.solve(&assumed, self.limit) {
                self.model = smaller;
            }
        }
    }

    fn lower_candidate_count(&mut self) {
        let candidates: Vec<Lit> = self.query.encoder.world.candidates().collect();
        let mut count = self.model.true_indices(&candidates).len() as i64;
        // Try large steps first. If a step fails, halve it; if the smallest step fails, stop.
        let mut step = (count / 4).max(1);
        while step > 0 && count > 1 {
            let has_more = self.query.encoder.circuit.at_least(&candidates, count - step + 1);
            if self.try_with(!has_more) {
                count = self.model.true_indices(&candidates).len() as i64;
                step = step.min(count / 4).max(1);
            } else {
                step /= 2;
            }
        }
        let has_more = self.query.encoder.circuit.at_least(&candidates, count + 1);
        self.fixed.push(!has_more);
    }

    /// Moves the chosen cell to the smallest possible index by binary search.
    fn move_to_front(&mut self, bits: &[Lit]) {
        let Some(mut best) = self.model.first_true(bits) else { return };
        let mut low = 0;
        while low < best {
            let middle = low + (best - low) / 2;
            let is_near = self.query.encoder.circuit.or(bits[..=middle].iter().copied());
            if self.try_with(is_near) {
                best = self.model.first_true(bits).unwrap_or(middle);
            } else {
                low = middle + 1;
            }
        }
        self.fixed.push(bits[best]);
    }
}

/// Returns the literals that choose the cells of each name, then the literals that choose the cell of the target.
fn cell_choices(query: &Query<'_>) -> Vec<Vec<Lit>> {
    let mut out = Vec::new();
    for value in query.encoder.scope.values.iter().flatten() {
        match value {
            NameLits::Cells(cells) => out.push(cells.bits.clone()),
            NameLits::Candidate { cell, .. } => out.push(cell.clone()),
            NameLits::Family(members) => out.extend(members.iter().map(|member| member.bits.clone())),
            NameLits::Digits(_) | NameLits::Houses(_) | NameLits::Candidates(_) => {}
        }
    }
    out.push(query.target.cell.clone());
    out
}

pub(super) fn solution_of(encoder: &Encoder<'_>, model: &Model) -> Vec<Digit> {
    encoder.world.cells.iter().map(|cell| digit(model.first_true(&cell.solution).unwrap_or(0))).collect()
}

/// Returns the counterexample of a model in which the conclusion about the target is wrong.
pub(super) fn read(query: &Query<'_>, geometry: &Geometry, model: &Model) -> Counterexample {
    let Query { encoder, target, .. } = query;
    let mut state = State::empty(geometry);
    let solution = solution_of(encoder, model);
    let mut reads_givens = false;
    for (cell, lits) in geometry.cells().zip(&encoder.world.cells) {
        if model.holds(lits.unsolved) {
            state.restrict(cell, model.true_indices(&lits.candidate).into_iter().map(digit).collect());
        } else {
            state.place(geometry, cell, solution[cell.index()]);
        }
        if !lits.allowed.is_empty() {
            reads_givens = true;
            state.set_initial_candidates(cell, model.true_indices(&lits.allowed).into_iter().map(digit).collect());
        }
    }
    let [wrong_digit, wrong_cell] = [&target.digit, &target.cell].map(|bits| model.first_true(bits).unwrap_or(0));
    let wrong = Candidate::new(digit(wrong_digit), cell(wrong_cell));
    Counterexample::new(geometry, (state, reads_givens), name_values(encoder, model), wrong, solution)
}

fn digit(index: usize) -> Digit {
    Digit(index as u8)
}

fn cell(index: usize) -> Cell {
    Cell(index as u16)
}

/// Returns the puzzle followed by its placements and eliminations, on one line.
fn puzzle_text(geometry: &Geometry, state: &State) -> String {
    let all = DigitSet::all(geometry.size());
    // A line without a digit does not read as a puzzle.
    let has_digit = geometry.cells().any(|cell| state.value(cell).is_some());
    if has_digit && geometry.cells().all(|cell| given(state, cell).is_some() || state.initial_candidates(cell) == all) {
        return draw::puzzle_line(geometry, state);
    }
    let puzzle = Puzzle {
        givens: geometry.cells().map(|cell| given(state, cell)).collect(),
        placed: geometry.cells().map(|cell| state.value(cell).filter(|_| given(state, cell).is_none())).collect(),
        candidates: Some(geometry.cells().map(|cell| state.possible_digits(cell)).collect()),
        initial_candidates: Some(state.all_initial_candidates().to_vec()),
        ..Puzzle::empty(Arc::new(geometry.clone()), 1)
    };
    match Format::named("jsonl").map(|format| write(&puzzle, format)) {
        Some(Ok(written)) => written.text,
        _ => draw::puzzle_line(geometry, state),
    }
}

/// Returns the digit of a given: a solved cell in which the givens allow no other digit.
fn given(state: &State, cell: Cell) -> Option<Digit> {
    let digit = state.value(cell)?;
    (state.initial_candidates(cell) == DigitSet::single(digit)).then_some(digit)
}

fn name_values(encoder: &Encoder<'_>, model: &Model) -> Vec<(String, NamedValue)> {
    let names = encoder.scope.variant.vars.iter().enumerate();
    names.filter_map(|(id, var)| Some((var.name.clone(), name_value(encoder, VarId(id), model)?))).collect()
}

fn name_value(encoder: &Encoder<'_>, id: VarId, model: &Model) -> Option<NamedValue> {
    Some(match encoder.scope.values[id.0].as_ref()? {
        NameLits::Digits(bits) => NamedValue::Digits(model.true_indices(bits).into_iter().map(digit).collect()),
        NameLits::Cells(set) => NamedValue::Cells(cells(model, &set.bits).collect()),
        NameLits::Houses(set) => {
            let houses = model.true_indices(&set.bits).into_iter();
            NamedValue::Houses(houses.map(|house| HouseId(house as u16)).collect())
        }
        NameLits::Candidate { digit: d, cell: c } => {
            NamedValue::Candidate(Candidate::new(digit(model.first_true(d)?), cell(model.first_true(c)?)))
        }
        NameLits::Candidates(set) => {
            let digits = encoder.digits();
            let indices = model.true_indices(&set.bits).into_iter();
            let candidates = indices.map(|index| Candidate::new(digit(index % digits), cell(index / digits)));
            NamedValue::Candidates(candidates.collect())
        }
        NameLits::Family(family) => family_value(encoder.scope.variant, id, family, model),
    })
}

fn family_value(variant: &Variant, id: VarId, family: &[Cells], model: &Model) -> NamedValue {
    let members = family.iter().enumerate();
    let members = members.flat_map(|(index, member)| cells(model, &member.bits).map(move |cell| (index, cell)));
    match index_kind(variant, id) {
        Some(Kind::Cell) => NamedValue::FamilyOfCells(members.map(|(index, member)| (cell(index), member)).collect()),
        _ => NamedValue::Family(members.map(|(index, member)| (digit(index), member)).collect()),
    }
}

fn cells(model: &Model, bits: &[Lit]) -> impl Iterator<Item = Cell> + use<> {
    model.true_indices(bits).into_iter().map(cell)
}

/// Draws a state. If `text` is a single line, appends the line to the drawing.
fn drawing(geometry: &Geometry, state: &State, text: &str) -> String {
    let mut drawing = draw::grid_with_braces(geometry, state);
    let has_braces = drawing.contains('{');
    if text.lines().count() == 1 {
        let format = if text.starts_with('{') {
            "as JSON: its digits, its candidates now, and what it left open"
        } else {
            "with placed digits (+) and deleted candidates (digit, row, column)"
        };
        drawing.push_str(&format!("\nThe puzzle, {format}:\n\n{text}\n"));
    }
    if has_braces {
        drawing.push_str("\nIn braces: an unsolved cell with one candidate.\n");
    }
    drawing
}
