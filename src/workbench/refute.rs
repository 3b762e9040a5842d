//! Searches counterexamples with the engine. In: a member of a technique, with everything that it uses. Out: a small state in which the
//! member contradicts a solution, if such a state is found; the facts that satisfy the rule in this state.
//!
//! [`by_positions`] runs before the prover: a rule that is wrong only in positions with many candidates is hard for the prover and easy for
//! the engine. [`by_search`] runs if the prover is undecided, because the prover does not model where loops, rings, suppositions and
//! templates occur. Finding nothing proves nothing.

use crate::engine::{ContradictedDigits, Engine, FamilyIndex, Limits, Match, PathCache, SearchMode, Value};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State};
use crate::lang::ir::{LinkSource, Space, Statement, Technique, with_dependencies};
use crate::proof::{Counterexample, Member, NamedValue};
use crate::solve::{ViewedPosition, false_deductions};
use crate::workbench::{ExplainedLine, SourceLine, Wording, generate};
use fastrand::Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

const STATES: usize = 400;

/// Number of states derived from each solved grid, because generating a grid takes longer than a search.
const STATES_PER_GRID: usize = 20;

/// Seed of the random states, fixed so that every run has the same result.
const SEED: u64 = 1;

/// Searches the [positions](generate::positions) of a board for one in which a member contradicts the solution. `usable_rules` are the techniques
/// and link sources that the member may use. If the rule assumes a unique solution, the position has one.
pub fn by_positions(
    geometry: &Arc<Geometry>,
    suspect: Member<'_>,
    usable_rules: (&[Technique], &[LinkSource]),
    halt: &dyn Fn() -> bool,
) -> Option<Counterexample> {
    let search = CounterexampleSearch::new(geometry, suspect, usable_rules)?;
    let positions = generate::positions(geometry, suspect.technique.assumes_one_solution, halt);
    search.first_refutation(positions.into_iter(), halt)
}

/// Searches random states for one that refutes a member. `usable_rules` are the techniques and link sources that the member may use. Returns `None`
/// for rules that assume a unique solution, because random states may have several.
pub fn by_search(
    geometry: &Arc<Geometry>,
    suspect: Member<'_>,
    usable_rules: (&[Technique], &[LinkSource]),
    halt: &dyn Fn() -> bool,
) -> Option<Counterexample> {
    if suspect.technique.assumes_one_solution {
        return None;
    }
    let search = CounterexampleSearch::new(geometry, suspect, usable_rules)?;
    let mut random = Rng::with_seed(SEED);
    let mut solution = Vec::new();
    let states = (0..STATES).map_while(|number| {
        if number % STATES_PER_GRID == 0 {
            solution = generate::solved_grid(geometry, &mut random, halt)?;
        }
        let candidates = generate::random_candidates(geometry, &solution, &mut random);
        Some((State::from_candidate_grid(geometry, &candidates), solution.clone()))
    });
    search.first_refutation(states, halt)
}

struct CounterexampleSearch<'a> {
    geometry: &'a Arc<Geometry>,
    engine: Engine,
    member: usize,
    suspect: Member<'a>,
}

impl<'a> CounterexampleSearch<'a> {
    /// Returns `None` if the board has no such member, or if some technique cannot be compiled for the board.
    fn new(
        geometry: &'a Arc<Geometry>,
        suspect: Member<'a>,
        (usable_techniques, sources): (&[Technique], &[LinkSource]),
    ) -> Option<CounterexampleSearch<'a>> {
        let techniques = with_dependencies(vec![suspect.technique.clone()], usable_techniques);
        let engine = Engine::new(Arc::clone(geometry), &techniques, sources).ok()?;
        let member = engine.members().iter().position(|member| {
            (member.technique, member.variant, member.space) == (0, suspect.variant, Space::Rc)
                && member.args == suspect.args
        })?;
        Some(CounterexampleSearch { geometry, engine, member, suspect })
    }

    /// Makes a counterexample of the first state in which the member contradicts the solution. Each state comes with its solution.
    fn first_refutation(
        &self,
        states: impl Iterator<Item = (State, Vec<Digit>)>,
        halt: &dyn Fn() -> bool,
    ) -> Option<Counterexample> {
        for (state, solution) in states {
            if halt() {
                return None;
            }
            if self.wrong_match(&state, &solution).is_some() {
                return self.counterexample(state, solution, halt);
            }
        }
        None
    }

    /// Finds a match that contradicts the solution, with its first false deduction.
    fn wrong_match(&self, state: &State, solution: &[Digit]) -> Option<(Match, Candidate)> {
        // Small limits, because many states are searched.
        let limits = Limits { matches: 300, instructions: 500_000, steps_per_assumption: 20, ..Limits::default() };
        let aim = ContradictedDigits::new(solution);
        let memory = PathCache::default();
        let matches =
            self.engine.position_against(state, &aim, &memory).find(self.member, SearchMode::First, &limits).matches;
        for rule_match in matches {
            let (eliminations, placements) = (&rule_match.eliminations, &rule_match.placements);
            if let Some(wrong) = false_deductions(eliminations, placements, solution) {
                let first = *wrong.eliminations.first().or(wrong.placements.first())?;
                return Some((rule_match, first));
            }
        }
        None
    }

    /// Makes a small counterexample of a state with a wrong match.
    fn counterexample(&self, state: State, solution: Vec<Digit>, halt: &dyn Fn() -> bool) -> Option<Counterexample> {
        let state = self.smaller(state, &solution, halt);
        let (rule_match, wrong) = self.wrong_match(&state, &solution)?;
        let names = self.names(&rule_match);
        let example = Counterexample::new(self.geometry, (state, true), names, wrong, solution);
        Some(if self.suspect.technique.assumes_one_solution { example.with_uniqueness_note() } else { example })
    }

    /// Solves houses, then cells, and removes false candidates. Keeps every change after which the rule is still wrong.
    fn smaller(&self, mut state: State, solution: &[Digit], halt: &dyn Fn() -> bool) -> State {
        if !self.suspect.technique.assumes_one_solution {
            // Without changes, this call replaces the state by the state that is read from its candidate grid, if the
            // rule is still wrong there.
            self.try_change(&mut state, solution, &[], None);
        }
        let houses = self.geometry.houses().iter().map(|house| house.cells.to_vec());
        let cell_groups: Vec<Vec<Cell>> = houses.chain(self.geometry.cells().map(|cell| vec![cell])).collect();
        for cells in cell_groups {
            if halt() {
                return state;
            }
            self.try_change(&mut state, solution, &cells, None);
        }
        for cell in self.geometry.cells() {
            let truth = solution[cell.index()];
            for digit in state.candidates(cell).iter().filter(|&digit| digit != truth) {
                if halt() {
                    return state;
                }
                self.try_change(&mut state, solution, &[], Some(Candidate::new(digit, cell)));
            }
        }
        state
    }

    /// Solves some cells and eliminates a candidate. Keeps the change only if the rule is still wrong in the changed
    /// state.
    fn try_change(&self, state: &mut State, solution: &[Digit], solved: &[Cell], eliminated: Option<Candidate>) {
        let mut changed = state.clone();
        if let Some(candidate) = eliminated {
            changed.eliminate(candidate);
        }
        for &cell in solved.iter().filter(|&&cell| state.value(cell).is_none()) {
            changed.place(self.geometry, cell, solution[cell.index()]);
        }
        // A uniqueness rule depends on the clues, which a candidate grid does not contain.
        if !self.suspect.technique.assumes_one_solution {
            let cells = self.geometry.cells().map(|cell| match changed.value(cell) {
                Some(value) => (DigitSet::single(value), true),
                None => (changed.candidates(cell), false),
            });
            changed = State::from_candidate_grid(self.geometry, &cells.collect::<Vec<(DigitSet, bool)>>());
        }
        if changed != *state && self.wrong_match(&changed, solution).is_some() {
            *state = changed;
        }
    }

    fn names(&self, rule_match: &Match) -> Vec<(String, NamedValue)> {
        let vars = &self.suspect.technique.variants[self.suspect.variant].vars;
        let values = vars.iter().zip(&rule_match.bindings);
        values.filter_map(|(var, value)| Some((var.name.clone(), to_named_value(value.as_ref()?)?))).collect()
    }
}

/// Returns the value of a name as a counterexample contains it; `None` for kinds of values that a counterexample cannot
/// contain.
fn to_named_value(value: &Value) -> Option<NamedValue> {
    Some(match value {
        Value::Digits(digits) => NamedValue::Digits(*digits),
        Value::Cells(cells) => NamedValue::Cells(cells.clone()),
        Value::Houses(houses) => NamedValue::Houses(houses.clone()),
        Value::Candidates(candidates) => NamedValue::Candidates(candidates.clone()),
        Value::Family(members) => family(members),
        Value::Number(_) | Value::Places(_) => return None,
    })
}

/// Returns the names of a refuted rule with their values in the counterexample, and the facts that satisfy the rule there, line by line.
pub fn explain(
    geometry: &Geometry,
    (technique, variant, args): (&Technique, usize, &[u32]),
    example: &Counterexample,
    lines: &[Option<SourceLine>],
) -> (Vec<(String, String)>, Vec<ExplainedLine>) {
    let rule = &technique.variants[variant];
    let mut bindings: Vec<Option<Value>> = Vec::new();
    for var in &rule.vars {
        let named_value = example.names.iter().find(|(name, _)| *name == var.name);
        bindings.push(named_value.map(|(_, value)| to_value(value)));
    }
    let context = ViewedPosition::new(geometry, &example.state, Space::Rc);
    // A counterexample may lack the values of `let` names.
    for statement in &rule.body {
        if let Statement::Let { var, value } = statement {
            let evaluator = Wording::new(rule, args, &context, &bindings).evaluator;
            let value = evaluator.value(value);
            bindings[var.0].get_or_insert(value);
        }
    }
    let wording = Wording::new(rule, args, &context, &bindings);
    (wording.names(), super::why::explain_body(technique, variant, &wording, lines, &[]))
}

fn to_value(named: &NamedValue) -> Value {
    match named {
        NamedValue::Digits(digits) => Value::Digits(*digits),
        NamedValue::Cells(cells) => Value::Cells(cells.clone()),
        NamedValue::Houses(houses) => Value::Houses(houses.clone()),
        NamedValue::Candidate(candidate) => Value::Candidates(vec![*candidate]),
        NamedValue::Candidates(candidates) => Value::Candidates(candidates.clone()),
        NamedValue::Family(members) => {
            family_value(members.iter().map(|(digit, cell)| (FamilyIndex::Digit(*digit), *cell)))
        }
        NamedValue::FamilyOfCells(members) => {
            family_value(members.iter().map(|(index, cell)| (FamilyIndex::Cell(*index), *cell)))
        }
    }
}

fn family_value(members: impl Iterator<Item = (FamilyIndex, Cell)>) -> Value {
    let mut family: BTreeMap<FamilyIndex, Vec<Cell>> = BTreeMap::new();
    members.for_each(|(index, cell)| family.entry(index).or_default().push(cell));
    Value::Family(family.into_iter().collect())
}

fn family(members: &[(FamilyIndex, Vec<Cell>)]) -> NamedValue {
    let mut of_digits = Vec::new();
    let mut of_cells = Vec::new();
    for (index, cells) in members {
        match index {
            FamilyIndex::Digit(digit) => of_digits.extend(cells.iter().map(|cell| (*digit, *cell))),
            FamilyIndex::Cell(index) => of_cells.extend(cells.iter().map(|cell| (*index, *cell))),
        }
    }
    if of_cells.is_empty() { NamedValue::Family(of_digits) } else { NamedValue::FamilyOfCells(of_cells) }
}
