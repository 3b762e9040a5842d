//! Refutations found by the engine. In: a member of a technique, with everything it uses. Out: a small state in which it
//! contradicts a solution, if one is found, and how each condition of the rule holds there.
//!
//! Real positions are tried first: a rule that is wrong in rich positions only is hard for the prover and easy for the
//! engine. The prover knows what loops, rings, assumptions and templates imply, not where they occur. So if it
//! has no answer, random states are searched as well. That proves nothing, but every contradiction found is a refutation.

use crate::engine::{Aim, Engine, FamilyIndex, Limits, Match, Memory, Search, Value};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State};
use crate::lang::ir::{LinkSource, Space, Statement, Technique, with_dependencies};
use crate::proof::{Counterexample, Member, NamedValue};
use crate::solve::{ViewContext, false_deductions};
use crate::workbench::{ExplainedLine, SourceLine, Wording, generate};
use fastrand::Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

/// States that are tried.
const STATES: usize = 400;

/// Number of states made from each solved grid: making a grid takes longer than a search, on a large board much longer.
const STATES_OF_A_GRID: usize = 20;

/// Fixed, because results that are equal in every run are easier to trust.
const SEED: u64 = 1;

/// Looks for a position, among [those that are shipped or made for a board](generate::positions), on which a member is wrong; `known`
/// has the techniques and link sources. The member contradicts the solution; for a rule that assumes one solution, it is the only one.
pub fn by_positions(
    geometry: &Arc<Geometry>,
    suspect: Member<'_>,
    known: (&[Technique], &[LinkSource]),
    halt: &dyn Fn() -> bool,
) -> Option<Counterexample> {
    let hunt = Hunt::new(geometry, suspect, known)?;
    let unique = suspect.technique.assumes_one_solution;
    let positions = generate::positions(geometry, unique, halt).into_iter();
    let (state, solution) =
        positions.take_while(|_| !halt()).find(|(state, solution)| hunt.wrong(state, solution).is_some())?;
    hunt.counterexample(state, solution, halt)
}

/// Searches random states for one that refutes a member; `known` are the techniques and links it may use. Rules that assume
/// one solution are skipped, because these states may have several.
pub fn by_search(
    geometry: &Arc<Geometry>,
    suspect: Member<'_>,
    known: (&[Technique], &[LinkSource]),
    halt: &dyn Fn() -> bool,
) -> Option<Counterexample> {
    if suspect.technique.assumes_one_solution {
        return None;
    }
    let hunt = Hunt::new(geometry, suspect, known)?;
    let mut chance = Rng::with_seed(SEED);
    let mut solution = Vec::new();
    for number in 0..STATES {
        if halt() {
            return None;
        }
        if number % STATES_OF_A_GRID == 0 {
            solution = generate::solved(geometry, &mut chance, halt)?;
        }
        let state = State::from_candidate_grid(geometry, &generate::position(geometry, &solution, &mut chance));
        if hunt.wrong(&state, &solution).is_some() {
            return hunt.counterexample(state, solution, halt);
        }
    }
    None
}

/// A search for wrong matches of one member.
struct Hunt<'a> {
    geometry: &'a Arc<Geometry>,
    engine: Engine,
    /// Index of the member in the engine.
    member: usize,
    suspect: Member<'a>,
}

impl<'a> Hunt<'a> {
    /// Returns `None` if the board has no such member, or a technique cannot be compiled for it.
    fn new(
        geometry: &'a Arc<Geometry>,
        suspect: Member<'a>,
        (others, sources): (&[Technique], &[LinkSource]),
    ) -> Option<Hunt<'a>> {
        let techniques = with_dependencies(vec![suspect.technique.clone()], others);
        let engine = Engine::new(Arc::clone(geometry), &techniques, sources).ok()?;
        let member = engine.members().iter().position(|member| {
            (member.technique, member.variant, member.space) == (0, suspect.variant, Space::Rc)
                && member.args == suspect.args
        })?;
        Some(Hunt { geometry, engine, member, suspect })
    }

    /// Finds a match with a wrong elimination or placement.
    fn wrong(&self, state: &State, solution: &[Digit]) -> Option<(Match, Candidate, bool)> {
        let limits = Limits { matches: 300, instructions: 500_000, suppositions: 20, ..Limits::default() };
        let (aim, memory) = (Aim::against(solution), Memory::default());
        let found = self.engine.with_aim(state, &aim, &memory).find(self.member, Search::First, &limits);
        found.matches.into_iter().find_map(|one| {
            let false_deductions = false_deductions(&one.eliminations, &one.placements, solution)?;
            let eliminated = false_deductions.eliminations.first().map(|eliminated| (*eliminated, false));
            let (candidate, placed) =
                eliminated.or_else(|| false_deductions.placements.first().map(|placed| (*placed, true)))?;
            Some((one, candidate, placed))
        })
    }

    /// The counterexample that a state with a wrong match gives, made small.
    fn counterexample(&self, state: State, solution: Vec<Digit>, halt: &dyn Fn() -> bool) -> Option<Counterexample> {
        let state = self.smaller(state, &solution, halt);
        let (found, wrong, _) = self.wrong(&state, &solution)?;
        let names = self.names(&found);
        let example = Counterexample::new(self.geometry, state, names, wrong, solution);
        Some(if self.suspect.technique.assumes_one_solution { example.with_uniqueness_note() } else { example })
    }

    /// Solves cells, house by house and one by one, and takes wrong candidates away, as long as the rule stays wrong.
    fn smaller(&self, state: State, solution: &[Digit], halt: &dyn Fn() -> bool) -> State {
        let mut best = state;
        // The state is replaced by what its candidate grid is read as, except for rules that depend on the puzzle's clues.
        if !self.suspect.technique.assumes_one_solution {
            self.replace(&mut best, solution, &[], None);
        }
        let houses = self.geometry.houses().iter().map(|house| house.cells.to_vec());
        let cells: Vec<Vec<Cell>> = houses.chain(self.geometry.cells().map(|cell| vec![cell])).collect();
        for solved in cells {
            if halt() {
                return best;
            }
            self.replace(&mut best, solution, &solved, None);
        }
        for cell in self.geometry.cells() {
            let truth = solution[cell.index()];
            for digit in best.candidates(cell).iter().filter(|&digit| digit != truth) {
                if halt() {
                    return best;
                }
                self.replace(&mut best, solution, &[], Some(Candidate::new(digit, cell)));
            }
        }
        best
    }

    /// Solves some cells and eliminates a candidate, if the rule is wrong on that state too.
    fn replace(&self, best: &mut State, solution: &[Digit], solved: &[Cell], eliminated: Option<Candidate>) {
        let mut next = best.clone();
        eliminated.iter().for_each(|&candidate| {
            next.eliminate(candidate);
        });
        for &cell in solved.iter().filter(|&&cell| best.value(cell).is_none()) {
            next.place(self.geometry, cell, solution[cell.index()]);
        }
        if !self.suspect.technique.assumes_one_solution {
            let lists: Vec<(DigitSet, bool)> = self.geometry.cells().map(|cell| shown(&next, cell)).collect();
            next = State::from_candidate_grid(self.geometry, &lists);
        }
        if next != *best && self.wrong(&next, solution).is_some() {
            *best = next;
        }
    }

    fn names(&self, found: &Match) -> Vec<(String, NamedValue)> {
        let vars = &self.suspect.technique.variants[self.suspect.variant].vars;
        let values = vars.iter().zip(&found.bindings);
        values.filter_map(|(var, value)| Some((var.name.clone(), named(value.as_ref()?)?))).collect()
    }
}

fn named(value: &Value) -> Option<NamedValue> {
    Some(match value {
        Value::Digits(digits) => NamedValue::Digits(*digits),
        Value::Cells(cells) => NamedValue::Cells(cells.clone()),
        Value::Houses(houses) => NamedValue::Houses(houses.clone()),
        Value::Candidates(all) => NamedValue::Candidates(all.clone()),
        Value::Family(members) => family(members),
        Value::Number(_) | Value::Places(_) => return None,
    })
}

/// Values of a refuted rule's names in the counterexample, and the demands of the rule on them, line by line.
pub fn explain(
    geometry: &Geometry,
    (technique, case, args): (&Technique, usize, &[u32]),
    example: &Counterexample,
    lines: &[Option<SourceLine>],
) -> (Vec<(String, String)>, Vec<ExplainedLine>) {
    let variant = &technique.variants[case];
    let named = variant.vars.iter().map(|var| example.names.iter().find(|(name, _)| *name == var.name));
    let mut bindings: Vec<Option<Value>> = named.map(|found| found.map(|(_, named)| value(named))).collect();
    let context = ViewContext::new(geometry, &example.state, Space::Rc);
    for statement in &variant.body {
        if let Statement::Let { var, value } = statement {
            let value = Wording::new(variant, args, &context, &bindings).evaluator.value(value);
            bindings[var.0].get_or_insert(value);
        }
    }
    let wording = Wording::new(variant, args, &context, &bindings);
    (wording.names(), super::why::demanded((technique, case), &wording, lines, Vec::new))
}

fn value(named: &NamedValue) -> Value {
    match named {
        NamedValue::Digits(digits) => Value::Digits(*digits),
        NamedValue::Cells(cells) => Value::Cells(cells.clone()),
        NamedValue::Houses(houses) => Value::Houses(houses.clone()),
        NamedValue::Candidate(one) => Value::Candidates(vec![*one]),
        NamedValue::Candidates(all) => Value::Candidates(all.clone()),
        NamedValue::Family(all) => members(all.iter().map(|(index, cell)| (FamilyIndex::Digit(*index), *cell))),
        NamedValue::FamilyOfCells(all) => members(all.iter().map(|(index, cell)| (FamilyIndex::Cell(*index), *cell))),
    }
}

fn members(all: impl Iterator<Item = (FamilyIndex, Cell)>) -> Value {
    let mut out: BTreeMap<FamilyIndex, Vec<Cell>> = BTreeMap::new();
    all.for_each(|(index, cell)| out.entry(index).or_default().push(cell));
    Value::Family(out.into_iter().collect())
}

/// Candidates of a cell as shown, and whether it is solved.
fn shown(state: &State, cell: Cell) -> (DigitSet, bool) {
    state.value(cell).map_or((state.candidates(cell), false), |value| (DigitSet::single(value), true))
}

fn family(members: &[(FamilyIndex, Vec<Cell>)]) -> NamedValue {
    let (mut of_digits, mut of_cells) = (Vec::new(), Vec::new());
    for (index, cells) in members {
        match index {
            FamilyIndex::Digit(digit) => of_digits.extend(cells.iter().map(|cell| (*digit, *cell))),
            FamilyIndex::Cell(at) => of_cells.extend(cells.iter().map(|cell| (*at, *cell))),
        }
    }
    if of_cells.is_empty() { NamedValue::Family(of_digits) } else { NamedValue::FamilyOfCells(of_cells) }
}
