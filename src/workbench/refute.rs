//! Wrong rules that the prover has no answer to. In: a member of a technique, with what it is made with. Out: a small state on
//! which it concludes what a solution contradicts, if one is found.
//!
//! Of loops, rings, suppositions and templates the prover knows what they promise, not where they are. So where it has no
//! answer, states made by chance are searched with the engine. That proves nothing, but what it finds is a refutation.
//! Of every refutation: what the rule demands there.

use crate::engine::{Engine, FamilyIndex, Limits, Match, Search, Value};
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State};
use crate::lang::ir::{LinkSource, Space, Statement, Technique, Var, with_used};
use crate::proof::{Counterexample, Member, Named};
use crate::solve::ViewContext;
use crate::workbench::{Because, SourceLine, Told, generate};
use fastrand::Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

/// States that are tried.
const STATES: usize = 400;

/// States that are made of one solved grid: to find one takes longer than a search, on a large board much longer.
const STATES_OF_A_GRID: usize = 20;

/// What is the same in every run is easier to trust.
const SEED: u64 = 1;

/// Looks for a state that refutes a member; `others` are the techniques that it may use. A rule that assumes one
/// solution is not looked at: these states may have several.
pub fn by_search(
    geometry: &Arc<Geometry>,
    suspect: Member<'_>,
    (others, sources): (&[Technique], &[LinkSource]),
    halt: &dyn Fn() -> bool,
) -> Option<Counterexample> {
    if suspect.technique.assumes_one_solution {
        return None;
    }
    let engine =
        Engine::new(Arc::clone(geometry), &with_used(vec![suspect.technique.clone()], others), sources).ok()?;
    let wanted = |member: &crate::engine::MemberId| {
        (member.technique, member.variant, member.space) == (0, suspect.variant, Space::Rc)
            && member.args == suspect.args
    };
    let member = engine.members().iter().position(wanted)?;
    let mut chance = Rng::with_seed(SEED);
    let mut hunt = Hunt { geometry, engine: &engine, member, suspect };
    let mut solution = Vec::new();
    for number in 0..STATES {
        if halt() {
            return None;
        }
        if number % STATES_OF_A_GRID == 0 {
            solution = generate::solved(geometry, &mut chance, halt)?;
        }
        let state = State::shown(geometry, &position(geometry, &solution, &mut chance));
        if hunt.wrong(&state, &solution).is_some() {
            let state = hunt.smaller(state, &solution, halt);
            let (found, wrong, placed) = hunt.wrong(&state, &solution)?;
            let names = hunt.names(&found);
            return Some(Counterexample::found(geometry, state, names, (wrong, placed), solution));
        }
    }
    None
}

/// What every cell may hold: of some cells the solution alone, of the others some wrong candidates too.
fn position(geometry: &Geometry, solution: &[Digit], chance: &mut Rng) -> Vec<(DigitSet, bool)> {
    let (solved, kept) = (chance.usize(1..9), chance.usize(1..6));
    let mut cells = Vec::new();
    for cell in geometry.cells() {
        let truth = solution[cell.index()];
        let is_solved = chance.usize(..10) < solved;
        let all = DigitSet::all(geometry.size()).iter();
        let listed = all.filter(|&digit| digit == truth || chance.usize(..10) < kept).collect();
        cells.push(if is_solved { (DigitSet::single(truth), true) } else { (listed, false) });
    }
    cells
}

struct Hunt<'a> {
    geometry: &'a Geometry,
    engine: &'a Engine,
    member: usize,
    suspect: Member<'a>,
}

impl Hunt<'_> {
    /// A match with a candidate that is wrongly eliminated, or placed.
    fn wrong(&mut self, state: &State, solution: &[Digit]) -> Option<(Match, Candidate, bool)> {
        let limits = Limits { matches: 300, instructions: 500_000, suppositions: 20, ..Limits::default() };
        let found = self.engine.on(state).find(self.member, Search::All, &limits);
        let truth = |one: &Candidate| solution[one.cell.index()] == one.digit;
        found.matches.into_iter().find_map(|one| {
            let gone = one.eliminations.iter().find(|gone| truth(gone)).map(|gone| (*gone, false));
            let wrong = gone.or_else(|| one.placements.iter().find(|put| !truth(put)).map(|put| (*put, true)));
            wrong.map(|(candidate, placed)| (one, candidate, placed))
        })
    }

    /// Solves cells, and takes wrong candidates away, as long as the rule stays wrong.
    fn smaller(&mut self, state: State, solution: &[Digit], halt: &dyn Fn() -> bool) -> State {
        let mut best = state;
        let cells: Vec<Cell> = self.geometry.cells().collect();
        for cell in cells {
            if best.value(cell).is_some() || halt() {
                continue;
            }
            let truth = solution[cell.index()];
            let mut tries = vec![(DigitSet::single(truth), true)];
            let wrong = best.candidates(cell).iter().filter(|digit| *digit != truth);
            tries.extend(wrong.map(|digit| (DigitSet::single(digit), false)));
            for (digits, solved) in tries {
                let mut lists: Vec<(DigitSet, bool)> = self.geometry.cells().map(|cell| shown(&best, cell)).collect();
                let here = &mut lists[cell.index()];
                *here = if solved { (digits, true) } else { (here.0 - digits, false) };
                let next = State::shown(self.geometry, &lists);
                if self.wrong(&next, solution).is_some() {
                    best = next;
                }
                if best.value(cell).is_some() {
                    break;
                }
            }
        }
        best
    }

    fn names(&self, found: &Match) -> Vec<(String, Named)> {
        let vars = &self.suspect.technique.variants[self.suspect.variant].vars;
        let named = |value: &Value| -> Option<Named> {
            Some(match value {
                Value::Digits(digits) => Named::Digits(*digits),
                Value::Cells(cells) => Named::Cells(cells.clone()),
                Value::Houses(houses) => Named::Houses(houses.clone()),
                Value::Candidates(all) => Named::Candidates(all.clone()),
                Value::Family(members) => family(members),
                Value::Number(_) | Value::Places(_) => return None,
            })
        };
        let all = vars.iter().zip(&found.bindings);
        all.filter_map(|(var, value)| Some((var.name.clone(), named(value.as_ref()?)?))).collect()
    }
}

/// What the names of a refuted rule stand for in the counterexample, and what the rule demands of that, line by line.
pub fn demanded(
    geometry: &Geometry,
    (technique, case, args): (&Technique, usize, &[u32]),
    example: &Counterexample,
    lines: &[Option<SourceLine>],
) -> (Vec<(String, String)>, Vec<Because>) {
    let variant = &technique.variants[case];
    let value = |var: &Var| example.names.iter().find(|(name, _)| *name == var.name).map(|(_, named)| value(named));
    let mut bindings: Vec<Option<Value>> = variant.vars.iter().map(value).collect();
    let context = ViewContext::new(geometry, &example.state, Space::Rc);
    for statement in &variant.body {
        if let Statement::Let { var, value } = statement {
            let value = Told::new(variant, args, &context, &bindings).evaluator.value(value);
            bindings[var.0].get_or_insert(value);
        }
    }
    let told = Told::new(variant, args, &context, &bindings);
    (told.names(), super::why::demanded((technique, case), &told, lines, Vec::new))
}

fn value(named: &Named) -> Value {
    match named {
        Named::Digits(digits) => Value::Digits(*digits),
        Named::Cells(cells) => Value::Cells(cells.clone()),
        Named::Houses(houses) => Value::Houses(houses.clone()),
        Named::Candidate(one) => Value::Candidates(vec![*one]),
        Named::Candidates(all) => Value::Candidates(all.clone()),
        Named::Family(all) => members(all.iter().map(|(index, cell)| (FamilyIndex::Digit(*index), *cell))),
        Named::FamilyOfCells(all) => members(all.iter().map(|(index, cell)| (FamilyIndex::Cell(*index), *cell))),
    }
}

fn members(all: impl Iterator<Item = (FamilyIndex, Cell)>) -> Value {
    let mut out: BTreeMap<FamilyIndex, Vec<Cell>> = BTreeMap::new();
    all.for_each(|(index, cell)| out.entry(index).or_default().push(cell));
    Value::Family(out.into_iter().collect())
}

/// What a cell shows, and whether it is solved.
fn shown(state: &State, cell: Cell) -> (DigitSet, bool) {
    state.value(cell).map_or((state.candidates(cell), false), |value| (DigitSet::single(value), true))
}

fn family(members: &[(FamilyIndex, Vec<Cell>)]) -> Named {
    let of_digit = |(index, cells): &(FamilyIndex, Vec<Cell>)| match index {
        FamilyIndex::Digit(digit) => Some(cells.iter().map(|cell| (*digit, *cell)).collect::<Vec<_>>()),
        FamilyIndex::Cell(_) => None,
    };
    let of_cell = |(index, cells): &(FamilyIndex, Vec<Cell>)| match index {
        FamilyIndex::Cell(at) => Some(cells.iter().map(|cell| (*at, *cell)).collect::<Vec<_>>()),
        FamilyIndex::Digit(_) => None,
    };
    let by_digit: Option<Vec<Vec<(Digit, Cell)>>> = members.iter().map(of_digit).collect();
    match by_digit {
        Some(members) => Named::Family(members.concat()),
        None => Named::FamilyOfCells(members.iter().filter_map(of_cell).flatten().collect()),
    }
}
