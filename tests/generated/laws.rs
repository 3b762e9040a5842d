//! Laws of every rule. In: a rule, a state. Out: the first law that is broken, in words.
//!
//! (a) The machine finds what the plain evaluator finds. (b) The prover reads a rule as the plain evaluator does. (c) What is proved
//! is never wrong. (d) A rule said another way means the same. (e) A refuted rule fires on the grid that refutes it.

use super::boards::{BOARDS, Board, Sample, contradicts, sample, sample_of};
use super::choices::Choices;
use super::rule::{Rule, Wording};
use crate::brute_force::{Bounds, naive_effects, naive_matches};
use pinion::engine::{Engine, Lens, Limits, MemberId, NoPlan, SearchMode};
use pinion::grid::formats::read_one;
use pinion::grid::{Candidate, Geometry, State, draw, notation};
use pinion::lang::diagnostic::Severity;
use pinion::lang::ir::{Choose, Kind, Origin, Space, Statement, Technique, VarId, VarShape};
use pinion::lang::{compile, ir::Expr};
use pinion::proof::{ProofLimits, Prover, Status, solutions};
use std::collections::BTreeSet;
use std::sync::Arc;

pub type Effects = BTreeSet<(Vec<Candidate>, Vec<Candidate>)>;

/// Counts of what the laws were tried on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub rules: usize,
    /// Searches that were compared, and those of them that found something.
    pub searches: usize,
    pub found: usize,
    pub readings: usize,
    pub rewordings: usize,
    pub proved: usize,
    pub proved_on_every_board: usize,
    /// Matches of proved rules that were compared with a solution.
    pub proved_matches: usize,
    pub refuted: usize,
    pub undecided: usize,
}

impl Tally {
    pub fn add(&mut self, more: &Tally) {
        self.rules += more.rules;
        self.searches += more.searches;
        self.found += more.found;
        self.readings += more.readings;
        self.rewordings += more.rewordings;
        self.proved += more.proved;
        self.proved_on_every_board += more.proved_on_every_board;
        self.proved_matches += more.proved_matches;
        self.refuted += more.refuted;
        self.undecided += more.undecided;
    }
}

/// Ways to give names values that are tried on one state at most.
const MOST_WAYS: f64 = 60_000.0;
const MOST_SOLUTIONS: usize = 3_000;

/// Bounds of brute force. A rule may have more values than the estimate says, for example by families of sets.
const MOST: Bounds = Bounds { links: 0, values: 1_000_000 };

fn limits() -> Limits {
    Limits { instructions: 3_000_000, matches: 20_000, ..Limits::default() }
}

/// The technique of a text, if the checks accept it.
pub fn compile_accepted(text: &str) -> Option<Technique> {
    let (lowered, found) = compile(text);
    let refused = found.iter().any(|one| one.severity == Severity::Error);
    if refused { None } else { lowered.techniques.into_iter().next() }
}

pub fn engine(board: &Board, technique: &Technique) -> Result<Engine, String> {
    Engine::new(Arc::clone(&board.geometry), std::slice::from_ref(technique), &[])
        .map_err(|errors| format!("cannot be planned: {errors:?}"))
}

/// Returns true if a member of a family has a set with fewer than no members: an error asks for a parameter that begins with a larger number.
pub fn has_negative_size(technique: &Technique) -> bool {
    let planned = Engine::new(Arc::clone(&BOARDS[0].geometry), std::slice::from_ref(technique), &[]);
    planned
        .err()
        .is_some_and(|errors| errors.iter().any(|error| matches!(error.reason, NoPlan::CountOutOfRange { .. })))
}

/// Returns the matches of the machine, unless a limit is reached.
fn by_machine(engine: &Engine, member: usize, state: &State) -> Option<Effects> {
    let found = engine.position(state).find(member, SearchMode::All, &limits());
    found.limits.is_empty().then(|| found.matches.into_iter().map(|one| (one.eliminations, one.placements)).collect())
}

/// Returns the matches by brute force, unless its bounds are reached.
fn by_trying(technique: &Technique, member: &MemberId, geometry: &Geometry, state: &State) -> Option<Effects> {
    let lens = Lens::new(geometry.size(), member.space);
    let (view_state, board) = if lens.is_grid() {
        (state.clone(), geometry.clone())
    } else {
        (lens.state_in_view(state), Geometry::latin(geometry.size()))
    };
    let variant = &technique.variants[member.variant];
    if ways(technique, &member.args, &board, &view_state) > MOST_WAYS {
        return None;
    }
    let effects = naive_effects(variant, &member.args, &board, &view_state, &[], MOST)?;
    let back = |list: Vec<Candidate>| {
        let mut list: Vec<Candidate> = list.into_iter().map(|one| lens.candidate_in_grid(one)).collect();
        list.sort();
        list
    };
    // Candidates that a placement excludes are not listed, even if only a box of the grid excludes them.
    let listed = |(gone, placed): (Vec<Candidate>, Vec<Candidate>)| {
        let (mut gone, placed) = (back(gone), back(placed));
        gone.retain(|gone| !placed.iter().any(|put| geometry.excludes(*put, *gone)));
        (gone, placed)
    };
    Some(effects.into_iter().map(listed).collect())
}

/// A bound on how many ways there are to give all names values.
fn ways(technique: &Technique, args: &[u32], board: &Geometry, state: &State) -> f64 {
    let open = state.unsolved_count() as f64;
    let variant = &technique.variants[0];
    let number = |expr: &Expr| match expr {
        Expr::Number(number) => f64::from(*number),
        Expr::Param(index) => f64::from(args[*index]),
        _ => 2.0,
    };
    let of = |kind: Kind| match kind {
        Kind::Digit => board.size() as f64,
        Kind::Cell => open,
        Kind::Candidate => 2.0 * open,
        _ => board.houses().len() as f64,
    };
    let choice = |id: usize| {
        variant.body.iter().find_map(|statement| match statement {
            Statement::Choose(choose) if choose.var == VarId(id) => Some(choose),
            _ => None,
        })
    };
    let mut all = 1.0;
    for (id, var) in variant.vars.iter().enumerate() {
        let chosen = matches!(var.origin, Origin::Chosen | Origin::Pattern);
        let many = of(var.kind);
        all *= match (chosen, var.shape, choice(id)) {
            (false, ..) => 1.0,
            (_, VarShape::Single, _) => many.max(1.0),
            (_, VarShape::Family, _) => many.max(1.0).powf(board.size() as f64 / 2.0),
            (_, VarShape::Set, Some(Choose { size: Some((_, high)), .. })) => {
                let high = high.as_ref().map_or(board.size() as f64 / 2.0, number);
                many.max(1.0).powf(high).max(1.0)
            }
            (_, VarShape::Set, _) => many.max(1.0).powi(2),
        };
    }
    all
}

fn said(geometry: &Geometry, effects: &Effects) -> String {
    let one = |(gone, placed): &(Vec<Candidate>, Vec<Candidate>)| notation::deductions(geometry, gone, placed);
    effects.iter().map(one).collect::<Vec<_>>().join(" / ")
}

fn place(geometry: &Geometry, state: &State) -> String {
    let grid = draw::candidate_grid(geometry, state);
    let open: Vec<String> =
        geometry.cells().map(|cell| state.initial_candidates(cell).0.count_ones().to_string()).collect();
    format!("on {}\n{grid}left open by the puzzle: {}\n", geometry.spec().name, open.concat())
}

fn difference(
    geometry: &Geometry,
    state: &State,
    (one, mine): (&str, &Effects),
    (other, theirs): (&str, &Effects),
) -> String {
    let first: Effects = mine.difference(theirs).take(3).cloned().collect();
    let second: Effects = theirs.difference(mine).take(3).cloned().collect();
    format!(
        "{}{one} alone: {}\n{other} alone: {}",
        place(geometry, state),
        said(geometry, &first),
        said(geometry, &second)
    )
}

/// (a), (b) and (d) on some states.
pub fn check_on_states(
    rule: &Rule,
    technique: &Technique,
    choices: &mut Choices,
    tally: &mut Tally,
) -> Result<(), String> {
    let board = &BOARDS[choices.below(BOARDS.len())];
    let machine = engine(board, technique)?;
    let otherwise = Wording::REWORDINGS.iter().filter_map(|said| Some((*said, compile_accepted(&rule.text(*said))?)));
    let mut variants = Vec::new();
    for (said, technique) in otherwise {
        variants.push((said, engine(board, &technique).map_err(|error| format!("{said:?} {error}"))?));
    }
    for _ in 0..2 {
        let Sample { state, .. } = sample(choices, board);
        let geometry = &board.geometry;
        for (index, member) in machine.members().iter().enumerate() {
            let Some(found) = by_machine(&machine, index, &state) else { continue };
            tally.searches += 1;
            tally.found += usize::from(!found.is_empty());
            if let Some(tried) = by_trying(technique, member, geometry, &state)
                && tried != found
            {
                let words = difference(geometry, &state, ("the machine", &found), ("the evaluator", &tried));
                return Err(format!("(a) {:?} {:?} {words}", member.args, member.space));
            }
            for (said, engine) in &variants {
                tally.rewordings += 1;
                let Some(other) = by_machine(engine, index, &state) else { continue };
                if other != found {
                    let words = difference(geometry, &state, ("as it is", &found), ("said otherwise", &other));
                    return Err(format!("(d) {said:?} {:?} {words}", member.args));
                }
            }
            if member.space == Space::Rc {
                read(technique, member, geometry, &state, tally)?;
            }
        }
    }
    Ok(())
}

/// (b): the prover finds a match where the evaluator does, and a wrong one where one is.
fn read(
    technique: &Technique,
    member: &MemberId,
    geometry: &Geometry,
    state: &State,
    tally: &mut Tally,
) -> Result<(), String> {
    // The prover asks about a candidate, and a solved state has none.
    if ways(technique, &member.args, geometry, state) > MOST_WAYS || state.is_solved() {
        return Ok(());
    }
    let prover = Prover::new(geometry, &[]).with_limits(ProofLimits { board: 20_000, ..ProofLimits::default() });
    let Some(reading) = prover.reading(technique, &member.args, member.variant, state) else { return Ok(()) };
    let all = solutions(geometry, state, MOST_SOLUTIONS);
    if all.len() == MOST_SOLUTIONS {
        return Ok(());
    }
    let variant = &technique.variants[member.variant];
    let Some(matches) = naive_matches(variant, &member.args, geometry, state, &[], MOST) else { return Ok(()) };
    let Some(effects) = naive_effects(variant, &member.args, geometry, state, &[], MOST) else { return Ok(()) };
    tally.readings += 1;
    let matches = !matches.is_empty();
    let wrong = effects.iter().any(|(gone, placed)| all.iter().any(|solution| contradicts(solution, gone, placed)));
    if (reading.matches, reading.wrong) != (matches, wrong) {
        let both = format!("the evaluator says a match {matches}, wrong {wrong}; the prover reads {reading:?}");
        return Err(format!("(b) {:?} {}{both}\n{}", member.args, place(geometry, state), said(geometry, &effects)));
    }
    Ok(())
}

/// (c) and (e).
pub fn check_proofs(technique: &Technique, choices: &mut Choices, tally: &mut Tally) -> Result<(), String> {
    // The plain board more often than the others.
    let board = &BOARDS[choices.below(8).saturating_sub(4)];
    let limits = ProofLimits { anywhere: 3_000, board: 5_000, shrink: 50, ..ProofLimits::default() };
    let prover = Prover::new(&board.geometry, &[]).with_limits(limits).with_rules(std::slice::from_ref(technique));
    for (args, variant) in prover.members(technique) {
        let verdict = prover.prove(technique, &args, variant);
        match verdict.status {
            Status::Proved { every_board, .. } => {
                tally.proved += 1;
                tally.proved_on_every_board += usize::from(every_board);
                never_wrong(technique, &args, (board, every_board), choices, tally)?;
            }
            Status::Refuted(example) => {
                tally.refuted += 1;
                fires(technique, (&args, variant), board, &example)?;
            }
            Status::Undecided(_) | Status::Supposed { .. } => tally.undecided += 1,
            // The rule finds nothing on any state of the board.
            Status::Vacuous(_) => never_found(technique, &args, board, choices, tally)?,
        }
    }
    Ok(())
}

fn never_wrong(
    technique: &Technique,
    args: &[u32],
    (asked, every_board): (&'static Board, bool),
    choices: &mut Choices,
    tally: &mut Tally,
) -> Result<(), String> {
    let boards: Vec<&'static Board> = if every_board { BOARDS.iter().collect() } else { vec![asked] };
    for board in boards {
        let engine = engine(board, technique)?;
        for _ in 0..2 {
            let claim = if every_board { "every board" } else { &*asked.geometry.spec().name };
            right_on(&engine, args, &sample(choices, board), claim, tally)?;
        }
    }
    Ok(())
}

/// (c) for one state.
fn right_on(engine: &Engine, args: &[u32], sample: &Sample, claim: &str, tally: &mut Tally) -> Result<(), String> {
    let Sample { state, solution } = sample;
    for (index, member) in engine.members().iter().enumerate().filter(|(_, member)| member.args == args) {
        let found = engine.position(state).find(index, SearchMode::All, &limits());
        tally.proved_matches += found.matches.len();
        for one in found.matches {
            if contradicts(solution, &one.eliminations, &one.placements) {
                let words = notation::deductions(engine.geometry(), &one.eliminations, &one.placements);
                let where_ = place(engine.geometry(), state);
                return Err(format!("(c) {member:?} proved on {claim} and wrong {where_}{words}"));
            }
        }
    }
    Ok(())
}

/// (b) and (c) on a state of every solution of a board, and of what is proved everywhere on those of others.
pub fn check_on_every_solution(
    technique: &Technique,
    (board, others): (&Board, &[Board]),
    choices: &mut Choices,
    tally: &mut Tally,
) -> Result<(), String> {
    let limits = ProofLimits { anywhere: 3_000, board: 5_000, shrink: 0, ..ProofLimits::default() };
    let prover = Prover::new(&board.geometry, &[]).with_limits(limits).with_rules(std::slice::from_ref(technique));
    let here = engine(board, technique)?;
    for member in here.members().iter().filter(|member| member.space == Space::Rc) {
        let Sample { state, .. } = sample(choices, board);
        read(technique, member, &board.geometry, &state, tally)?;
    }
    for (args, variant) in prover.members(technique) {
        let Status::Proved { every_board, .. } = prover.prove(technique, &args, variant).status else { continue };
        tally.proved += 1;
        for solution in &board.solutions {
            right_on(&here, &args, &sample_of(choices, &board.geometry, solution), "4x4", tally)?;
        }
        for other in others.iter().filter(|_| every_board) {
            let there = engine(other, technique)?;
            for solution in &other.solutions {
                right_on(&there, &args, &sample_of(choices, &other.geometry, solution), "every board", tally)?;
            }
        }
    }
    Ok(())
}

fn never_found(
    technique: &Technique,
    args: &[u32],
    board: &'static Board,
    choices: &mut Choices,
    tally: &mut Tally,
) -> Result<(), String> {
    let engine = engine(board, technique)?;
    let Sample { state, .. } = sample(choices, board);
    for (index, member) in engine.members().iter().enumerate() {
        if member.args == args && member.space == Space::Rc {
            tally.searches += 1;
            let found = engine.position(&state).find(index, SearchMode::First, &limits());
            if !found.matches.is_empty() {
                return Err(format!("(c) {:?} called vacuous, but found {}", args, place(&board.geometry, &state)));
            }
        }
    }
    Ok(())
}

fn fires(
    technique: &Technique,
    (args, variant): (&[u32], usize),
    board: &Board,
    example: &pinion::proof::Counterexample,
) -> Result<(), String> {
    // A refutation in a view is of the board of the views.
    let there = example.board == board.geometry.spec().name;
    let latin = Board::new(Geometry::latin(board.geometry.size()));
    let board = if there { board } else { &latin };
    let puzzle = read_one(example.grid(), Some(&board.geometry))
        .map_err(|error| format!("(e) unreadable: {error:?}\n{example}"))?;
    let state = puzzle.state();
    let engine = engine(board, technique)?;
    let mut position = engine.position(&state);
    let mut cut = false;
    let hit = engine.members().iter().enumerate().any(|(index, member)| {
        if member.args != args || member.variant != variant || member.space != Space::Rc {
            return false;
        }
        let found = position.find(index, SearchMode::All, &limits());
        cut |= !found.limits.is_empty();
        found.matches.iter().any(|found| {
            let list = if example.placed { &found.placements } else { &found.eliminations };
            // Candidates that a placement excludes are not listed.
            let excludes = |put: &Candidate| board.geometry.excludes(*put, example.wrong);
            list.contains(&example.wrong) || !example.placed && found.placements.iter().any(excludes)
        })
    });
    // A search that a limit cut short may have missed it.
    if hit || cut {
        Ok(())
    } else {
        Err(format!("(e) {args:?} does not fire on {}\n{example}", board.geometry.spec().name))
    }
}
