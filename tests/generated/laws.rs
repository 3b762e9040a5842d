//! Laws of every rule. In: a rule, a board, states. Out: the first violation, in words that begin with the law.
//!
//! - (a) The engine finds what brute force finds.
//! - (b) The prover reads a rule as the evaluator does.
//! - (c) A proved rule is never wrong, and a vacuous rule finds nothing.
//! - (d) A rule in other words means the same.
//! - (e) A refuted rule finds the wrong deduction of its counterexample.

use super::boards::{BOARDS, Board, Sample, contradicts, sample, sample_of};
use super::choices::Choices;
use super::rule::{Rule, Wording};
use crate::brute_force::{Bounds, naive_effects, naive_matches};
use pinion::engine::{Engine, Lens, Limits, MemberId, NoPlan, SearchMode};
use pinion::grid::formats::read_one;
use pinion::grid::{Candidate, Geometry, State, draw, notation};
use pinion::lang::compile;
use pinion::lang::diagnostic::Severity;
use pinion::lang::ir::{Choose, Expr, Kind, Origin, Space, Statement, Technique, VarId, VarShape};
use pinion::proof::{Counterexample, ProofLimits, Prover, Status, solutions};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Eliminations and placements of each match.
pub type Effects = BTreeSet<(Vec<Candidate>, Vec<Candidate>)>;

/// Number of cases on which the laws were checked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Rules that the compiler accepts.
    pub rules: usize,
    pub searches: usize,
    /// Searches with at least one match.
    pub found: usize,
    /// States on which the prover's reading of a rule was compared.
    pub readings: usize,
    /// Searches by a rule in other words.
    pub rewordings: usize,
    pub proved: usize,
    pub proved_on_every_board: usize,
    /// Matches of proved rules that were compared with a solution.
    pub proved_matches: usize,
    pub refuted: usize,
    pub undecided: usize,
}

impl Tally {
    pub fn add(&mut self, other: &Tally) {
        self.rules += other.rules;
        self.searches += other.searches;
        self.found += other.found;
        self.readings += other.readings;
        self.rewordings += other.rewordings;
        self.proved += other.proved;
        self.proved_on_every_board += other.proved_on_every_board;
        self.proved_matches += other.proved_matches;
        self.refuted += other.refuted;
        self.undecided += other.undecided;
    }
}

/// Brute force is skipped if a rule has more bindings than this by the estimate of [`estimated_bindings`].
const MAX_BINDINGS: f64 = 60_000.0;

/// States with this many solutions or more are skipped.
const MAX_SOLUTIONS: usize = 3_000;

/// Bounds of brute force. They are needed because a rule may have more bindings than the estimate, for example in families
/// of sets.
const BOUNDS: Bounds = Bounds { links: 0, values: 1_000_000 };

fn limits() -> Limits {
    Limits { instructions: 3_000_000, matches: 20_000, ..Limits::default() }
}

/// Returns the first technique of a text, or `None` if the text has an error.
pub fn compile_accepted(text: &str) -> Option<Technique> {
    let (lowered, diagnostics) = compile(text);
    let has_error = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    if has_error { None } else { lowered.techniques.into_iter().next() }
}

fn engine(board: &Board, technique: &Technique) -> Result<Engine, String> {
    Engine::new(Arc::clone(&board.geometry), std::slice::from_ref(technique), &[])
        .map_err(|errors| format!("cannot be planned: {errors:?}"))
}

/// Returns true if a parameter value gives a set of the rule a negative size, such as `cells[n - 2]` for n = 1. The engine
/// refuses such a rule, and the error asks for a larger minimum of the parameter.
pub fn has_negative_size(technique: &Technique) -> bool {
    match Engine::new(Arc::clone(&BOARDS[0].geometry), std::slice::from_ref(technique), &[]) {
        Ok(_) => false,
        Err(errors) => errors.iter().any(|error| matches!(error.reason, NoPlan::CountOutOfRange { .. })),
    }
}

/// Returns the effects that the engine finds, or `None` if a limit is reached.
fn effects_by_engine(engine: &Engine, member: usize, state: &State) -> Option<Effects> {
    let outcome = engine.position(state).find(member, SearchMode::All, &limits());
    if !outcome.limits.is_empty() {
        return None;
    }
    Some(outcome.matches.into_iter().map(|found| (found.eliminations, found.placements)).collect())
}

/// Returns the effects that brute force finds, or `None` if there are too many values to try.
fn effects_by_brute_force(
    technique: &Technique,
    member: &MemberId,
    geometry: &Geometry,
    state: &State,
) -> Option<Effects> {
    let lens = Lens::new(geometry.size(), member.space);
    let (view_state, board) = if lens.is_grid() {
        (state.clone(), geometry.clone())
    } else {
        (lens.state_in_view(state), Geometry::latin(geometry.size()))
    };
    if estimated_bindings(technique, &member.args, &board, &view_state) > MAX_BINDINGS {
        return None;
    }
    let variant = &technique.variants[member.variant];
    let view_effects = naive_effects(variant, &member.args, &board, &view_state, &[], BOUNDS)?;
    let in_grid = |list: Vec<Candidate>| {
        let mut list: Vec<Candidate> = list.into_iter().map(|candidate| lens.candidate_in_grid(candidate)).collect();
        list.sort();
        list
    };
    let mut effects = Effects::new();
    for (eliminations, placements) in view_effects {
        let (mut eliminations, placements) = (in_grid(eliminations), in_grid(placements));
        // A match does not list eliminations that a placement implies. In a view this is known only in the grid, because a
        // view has no boxes.
        eliminations.retain(|candidate| !placements.iter().any(|placed| geometry.excludes(*placed, *candidate)));
        effects.insert((eliminations, placements));
    }
    Some(effects)
}

/// Returns an estimate of the number of ways to give values to all names of a rule.
fn estimated_bindings(technique: &Technique, args: &[u32], board: &Geometry, state: &State) -> f64 {
    let unsolved_cells = state.unsolved_count() as f64;
    let board_size = board.size() as f64;
    let variant = &technique.variants[0];
    let mut bindings = 1.0;
    for (id, var) in variant.vars.iter().enumerate() {
        if !matches!(var.origin, Origin::Chosen | Origin::Pattern) {
            continue;
        }
        let elements: f64 = match var.kind {
            Kind::Digit => board_size,
            Kind::Cell => unsolved_cells,
            Kind::Candidate => 2.0 * unsolved_cells,
            _ => board.houses().len() as f64,
        };
        let elements = elements.max(1.0);
        bindings *= match var.shape {
            VarShape::Single => elements,
            VarShape::Family => elements.powf(board_size / 2.0),
            VarShape::Set => {
                let choice = variant.body.iter().find_map(|statement| match statement {
                    Statement::Choose(choose) if choose.var == VarId(id) => Some(choose),
                    _ => None,
                });
                let max_size = match choice {
                    Some(Choose { size: Some((_, Some(Expr::Number(number)))), .. }) => f64::from(*number),
                    Some(Choose { size: Some((_, Some(Expr::Param(index)))), .. }) => f64::from(args[*index]),
                    Some(Choose { size: Some((_, None)), .. }) => board_size / 2.0,
                    _ => 2.0,
                };
                elements.powf(max_size)
            }
        };
    }
    bindings
}

fn effects_as_text(geometry: &Geometry, effects: &Effects) -> String {
    let texts =
        effects.iter().map(|(eliminations, placements)| notation::deductions(geometry, eliminations, placements));
    texts.collect::<Vec<_>>().join(" / ")
}

/// Returns the board, the candidates of a state, and for each cell the number of candidates that the puzzle itself gave.
fn state_as_text(geometry: &Geometry, state: &State) -> String {
    let grid = draw::candidate_grid(geometry, state);
    let initial_counts: String =
        geometry.cells().map(|cell| state.initial_candidates(cell).0.count_ones().to_string()).collect();
    format!("on {}\n{grid}initial candidates of each cell: {initial_counts}\n", geometry.spec().name)
}

/// Returns a state, and up to three effects in only one of two sets.
fn difference_as_text(
    geometry: &Geometry,
    state: &State,
    (first_name, first): (&str, &Effects),
    (second_name, second): (&str, &Effects),
) -> String {
    let only_first: Effects = first.difference(second).take(3).cloned().collect();
    let only_second: Effects = second.difference(first).take(3).cloned().collect();
    format!(
        "{}{first_name} alone: {}\n{second_name} alone: {}",
        state_as_text(geometry, state),
        effects_as_text(geometry, &only_first),
        effects_as_text(geometry, &only_second)
    )
}

/// Checks the laws (a), (b) and (d) on two random states of a board.
pub fn check_on_states(
    rule: &Rule,
    technique: &Technique,
    choices: &mut Choices,
    tally: &mut Tally,
) -> Result<(), String> {
    let board = &BOARDS[choices.below(BOARDS.len())];
    let geometry = &board.geometry;
    let original = engine(board, technique)?;
    let mut reworded: Vec<(Wording, Engine)> = Vec::new();
    for wording in Wording::REWORDINGS {
        if let Some(technique) = compile_accepted(&rule.text(wording)) {
            let engine = engine(board, &technique).map_err(|error| format!("(d) {wording:?} {error}"))?;
            reworded.push((wording, engine));
        }
    }
    for _ in 0..2 {
        let Sample { state, .. } = sample(choices, board);
        for (index, member) in original.members().iter().enumerate() {
            let Some(found) = effects_by_engine(&original, index, &state) else { continue };
            tally.searches += 1;
            tally.found += usize::from(!found.is_empty());
            if let Some(expected) = effects_by_brute_force(technique, member, geometry, &state)
                && expected != found
            {
                let difference = difference_as_text(geometry, &state, ("engine", &found), ("brute force", &expected));
                return Err(format!("(a) {:?} {:?} {difference}", member.args, member.space));
            }
            for (wording, engine) in &reworded {
                tally.rewordings += 1;
                let Some(found_reworded) = effects_by_engine(engine, index, &state) else { continue };
                if found_reworded != found {
                    let difference =
                        difference_as_text(geometry, &state, ("original", &found), ("reworded", &found_reworded));
                    return Err(format!("(d) {wording:?} {:?} {difference}", member.args));
                }
            }
            if member.space == Space::Rc {
                check_reading(technique, member, geometry, &state, tally)?;
            }
        }
    }
    Ok(())
}

/// Checks the law (b) on one state: the prover finds a match exactly if the evaluator has one, and a wrong match exactly if
/// the evaluator has one.
fn check_reading(
    technique: &Technique,
    member: &MemberId,
    geometry: &Geometry,
    state: &State,
    tally: &mut Tally,
) -> Result<(), String> {
    // The prover asks about a candidate, and a solved state has none.
    if state.is_solved() || estimated_bindings(technique, &member.args, geometry, state) > MAX_BINDINGS {
        return Ok(());
    }
    let prover = Prover::new(geometry, &[]).with_limits(ProofLimits { board: 20_000, ..ProofLimits::default() });
    let Some(reading) = prover.reading(technique, &member.args, member.variant, state) else { return Ok(()) };
    let all_solutions = solutions(geometry, state, MAX_SOLUTIONS);
    if all_solutions.len() == MAX_SOLUTIONS {
        return Ok(());
    }
    let variant = &technique.variants[member.variant];
    let Some(matches) = naive_matches(variant, &member.args, geometry, state, &[], BOUNDS) else { return Ok(()) };
    let Some(effects) = naive_effects(variant, &member.args, geometry, state, &[], BOUNDS) else { return Ok(()) };
    tally.readings += 1;
    let has_match = !matches.is_empty();
    let is_wrong = effects.iter().any(|(eliminations, placements)| {
        all_solutions.iter().any(|solution| contradicts(solution, eliminations, placements))
    });
    if (reading.matches, reading.wrong) != (has_match, is_wrong) {
        return Err(format!(
            "(b) {:?} {}evaluator: match {has_match}, wrong {is_wrong}; prover: {reading:?}\n{}",
            member.args,
            state_as_text(geometry, state),
            effects_as_text(geometry, &effects)
        ));
    }
    Ok(())
}

/// Checks the laws (c) and (e) for the proof of a rule on a random board.
pub fn check_proofs(technique: &Technique, choices: &mut Choices, tally: &mut Tally) -> Result<(), String> {
    // The first board, 4×4, in five of eight cases.
    let board = &BOARDS[choices.below(8).saturating_sub(4)];
    let limits = ProofLimits { anywhere: 3_000, board: 5_000, shrink: 50, ..ProofLimits::default() };
    let prover = Prover::new(&board.geometry, &[]).with_limits(limits).with_rules(std::slice::from_ref(technique));
    for (args, variant) in prover.members(technique) {
        let verdict = prover.prove(technique, &args, variant);
        match verdict.status {
            Status::Proved { every_board: false, .. } => {
                tally.proved += 1;
                let claim = &board.geometry.spec().name;
                check_proved_rule(technique, &args, board, claim, choices, tally)?;
            }
            Status::Proved { every_board: true, .. } => {
                tally.proved += 1;
                tally.proved_on_every_board += 1;
                for other_board in BOARDS.iter() {
                    check_proved_rule(technique, &args, other_board, "every board", choices, tally)?;
                }
            }
            Status::Refuted(counterexample) => {
                tally.refuted += 1;
                check_counterexample(technique, &args, variant, board, &counterexample)?;
            }
            Status::Undecided(_) | Status::Conditional { .. } => tally.undecided += 1,
            Status::Vacuous(_) => check_vacuous_rule(technique, &args, board, choices, tally)?,
        }
    }
    Ok(())
}

/// Checks a proved rule on two random states of a board. `claim` says where the rule is proved.
fn check_proved_rule(
    technique: &Technique,
    args: &[u32],
    board: &Board,
    claim: &str,
    choices: &mut Choices,
    tally: &mut Tally,
) -> Result<(), String> {
    let engine = engine(board, technique)?;
    for _ in 0..2 {
        check_matches(&engine, args, &sample(choices, board), claim, tally)?;
    }
    Ok(())
}

/// Compares the matches of a proved rule on one state with the solution of the state.
fn check_matches(engine: &Engine, args: &[u32], sample: &Sample, claim: &str, tally: &mut Tally) -> Result<(), String> {
    let Sample { state, solution } = sample;
    for (index, member) in engine.members().iter().enumerate().filter(|(_, member)| member.args == args) {
        let matches = engine.position(state).find(index, SearchMode::All, &limits()).matches;
        tally.proved_matches += matches.len();
        for found in matches {
            if contradicts(solution, &found.eliminations, &found.placements) {
                let state_text = state_as_text(engine.geometry(), state);
                let deductions = notation::deductions(engine.geometry(), &found.eliminations, &found.placements);
                return Err(format!("(c) {member:?} proved on {claim} and wrong {state_text}{deductions}"));
            }
        }
    }
    Ok(())
}

/// Checks the law (b) on one state of a board. If the rule is proved there, checks the law (c) on a state of each solution of
/// the board, and on states of `other_boards` if the rule is proved on every board.
pub fn check_on_every_solution(
    technique: &Technique,
    board: &Board,
    other_boards: &[Board],
    choices: &mut Choices,
    tally: &mut Tally,
) -> Result<(), String> {
    let limits = ProofLimits { anywhere: 3_000, board: 5_000, shrink: 0, ..ProofLimits::default() };
    let prover = Prover::new(&board.geometry, &[]).with_limits(limits).with_rules(std::slice::from_ref(technique));
    let engine_here = engine(board, technique)?;
    for member in engine_here.members().iter().filter(|member| member.space == Space::Rc) {
        let Sample { state, .. } = sample(choices, board);
        check_reading(technique, member, &board.geometry, &state, tally)?;
    }
    for (args, variant) in prover.members(technique) {
        let Status::Proved { every_board, .. } = prover.prove(technique, &args, variant).status else { continue };
        tally.proved += 1;
        for solution in &board.solutions {
            let sample = sample_of(choices, &board.geometry, solution);
            check_matches(&engine_here, &args, &sample, "4x4", tally)?;
        }
        if !every_board {
            continue;
        }
        for other in other_boards {
            let engine_there = engine(other, technique)?;
            for solution in &other.solutions {
                let sample = sample_of(choices, &other.geometry, solution);
                check_matches(&engine_there, &args, &sample, "every board", tally)?;
            }
        }
    }
    Ok(())
}

/// Checks on a random state that a rule without any match on the board finds nothing.
fn check_vacuous_rule(
    technique: &Technique,
    args: &[u32],
    board: &Board,
    choices: &mut Choices,
    tally: &mut Tally,
) -> Result<(), String> {
    let engine = engine(board, technique)?;
    let Sample { state, .. } = sample(choices, board);
    for (index, member) in engine.members().iter().enumerate() {
        if member.args == args && member.space == Space::Rc {
            tally.searches += 1;
            let outcome = engine.position(&state).find(index, SearchMode::First, &limits());
            if !outcome.matches.is_empty() {
                return Err(format!(
                    "(c) {args:?} called vacuous, but found {}",
                    state_as_text(&board.geometry, &state)
                ));
            }
        }
    }
    Ok(())
}

/// Checks the law (e): a refuted rule has a match on the grid of its counterexample, and the match has the wrong deduction.
fn check_counterexample(
    technique: &Technique,
    args: &[u32],
    variant: usize,
    board: &Board,
    counterexample: &Counterexample,
) -> Result<(), String> {
    // The counterexample of a view is on the board of the view, which has no boxes.
    let latin = Board::new(Geometry::latin(board.geometry.size()));
    let board = if counterexample.board == board.geometry.spec().name { board } else { &latin };
    let puzzle = read_one(counterexample.grid(), Some(&board.geometry))
        .map_err(|error| format!("(e) unreadable: {error:?}\n{counterexample}"))?;
    let state = puzzle.state();
    let engine = engine(board, technique)?;
    let mut position = engine.position(&state);
    for (index, member) in engine.members().iter().enumerate() {
        if member.args != args || member.variant != variant || member.space != Space::Rc {
            continue;
        }
        let outcome = position.find(index, SearchMode::All, &limits());
        // A search that a limit cut short may have missed the match.
        let is_cut_short = !outcome.limits.is_empty();
        if is_cut_short {
            return Ok(());
        }
        for found in outcome.matches {
            let wrong = counterexample.wrong;
            let has_deduction = if counterexample.placed {
                found.placements.contains(&wrong)
            } else {
                // A match does not list eliminations that a placement implies.
                found.eliminations.contains(&wrong)
                    || found.placements.iter().any(|placed| board.geometry.excludes(*placed, wrong))
            };
            if has_deduction {
                return Ok(());
            }
        }
    }
    Err(format!("(e) {args:?} does not find the counterexample on {}\n{counterexample}", board.geometry.spec().name))
}
