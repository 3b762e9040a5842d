//! Examples and near misses. In: a rulebook, techniques of it. Out: for each example, whether the search found exactly the deductions
//! that it lists, and the differences.

use super::names::names;
use super::question::{Engines, is_of, searches, shows};
use super::snapshots::{StepFinder, TestPosition};
use super::soundness::contradictions;
use crate::engine::{Engine, Halt, Limits, Match, PlanError, Search};
use crate::grid::formats::{FormatError, Puzzle, read_library_line, read_one};
use crate::grid::notation::{deductions, read_deductions};
use crate::grid::{Geometry, State};
use crate::lang::ir::{Example, RuleRef, Space, Technique};
use crate::solve::{Rulebook, member_label, member_names};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An example with what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedExample {
    /// Id of the technique.
    pub technique: String,
    /// Index of the example, from zero.
    pub number: usize,
    /// The id of the technique for messages, with arguments if the example has them.
    pub label: String,
    /// The example.
    pub example: Example,
    /// Result of the check.
    pub verdict: Verdict,
}

/// Result of checking an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Just what it lists was found.
    Passed,
    /// Something else was found; deductions as text, sorted.
    Failed {
        /// Listed and not found.
        missing: Vec<String>,
        /// Found and not listed.
        extra: Vec<String>,
    },
    /// Deductions contradict the one solution of the grid, whether they are listed or not; a sentence about each.
    Wrong(Vec<String>),
    /// Not checked: a grid or deduction cannot be read, a rule cannot be compiled, or a limit was hit.
    Unusable(String),
}

impl CheckedExample {
    /// Returns true if the search found exactly what the example lists.
    pub fn passed(&self) -> bool {
        self.verdict == Verdict::Passed
    }
}

/// Checks every example of a technique. `halt` cancels the searches.
pub fn check_technique(rulebook: &Rulebook, technique: &Technique, halt: Halt) -> Vec<CheckedExample> {
    let mut engines = Engines::new(rulebook, technique);
    let limits = Limits { halt, ..Limits::default() };
    let examples = technique.examples.iter().enumerate().map(|(number, example)| CheckedExample {
        technique: technique.id.clone(),
        number,
        label: member_label(&technique.id, &example.args),
        example: example.clone(),
        verdict: verdict(rulebook, &mut engines, example, &limits).unwrap_or_else(Verdict::Unusable),
    });
    examples.collect()
}

fn verdict(
    rulebook: &Rulebook,
    engines: &mut Engines<'_>,
    example: &Example,
    limits: &Limits,
) -> Result<Verdict, String> {
    let scene = example_position(rulebook, example)?;
    let engine = engines.on(&scene.geometry).map_err(|error| no_plan(&error))?;
    let mut matches = Vec::new();
    for (_, found) in searches(engine, &scene.state, limits, |member| is_of(&example.args, member)) {
        if !found.limits.is_empty() {
            let help = "add conditions about the names that `pinion emit plan` shows first";
            return Err(format!("the search was cut short by a limit: {help}"));
        }
        matches.extend(found.matches);
    }
    let shown = matches.iter().map(|one| (one.eliminations.as_slice(), one.placements.as_slice()));
    let wrong = contradictions(&scene.geometry, &scene.state, shown);
    if !wrong.is_empty() {
        return Ok(Verdict::Wrong(wrong));
    }
    let found: BTreeSet<String> = matches.iter().map(|one| shows(&scene.geometry, one)).collect();
    let missing: Vec<String> = scene.wanted.difference(&found).cloned().collect();
    let extra: Vec<String> = found.difference(&scene.wanted).cloned().collect();
    let passed = missing.is_empty() && (extra.is_empty() || scene.open);
    Ok(if passed { Verdict::Passed } else { Verdict::Failed { missing, extra } })
}

fn no_plan(error: &PlanError) -> String {
    format!("`{}` cannot be compiled: {}", error.technique, error.reason)
}

/// The position of an example, ready to be searched.
pub struct ExamplePosition {
    /// The board.
    pub geometry: Arc<Geometry>,
    /// The position after the techniques of `after`.
    pub state: State,
    /// Expected deductions, one match each, in canonical text.
    pub wanted: BTreeSet<String>,
    /// True if other matches are allowed too: a line of a library lists only one.
    pub open: bool,
}

/// Reads the grid of an example and what it lists, and finds what is to be found first.
///
/// # Errors
/// A message if the grid or a deduction cannot be read, or if a technique of `after` is unknown or leads to a contradiction.
pub fn example_position(rulebook: &Rulebook, example: &Example) -> Result<ExamplePosition, String> {
    let (puzzle, listed) = read(rulebook, &example.grid, example.board.as_deref())?;
    let geometry = Arc::clone(&puzzle.geometry);
    let mut wanted = BTreeSet::new();
    for line in &example.finds {
        let mut list = read_deductions(&geometry, line).map_err(|error| format!("`{line}`: {error}"))?;
        list.sort();
        let (placed, eliminated): (Vec<_>, Vec<_>) = list.into_iter().partition(|(_, place)| *place);
        let [eliminated, placed] =
            [eliminated, placed].map(|list| list.into_iter().map(|(one, _)| one).collect::<Vec<_>>());
        wanted.insert(deductions(&geometry, &eliminated, &placed));
    }
    let open = example.finds.is_empty() && !example.near_miss && !listed.is_empty();
    if open {
        wanted.insert(listed);
    }
    let mut state = puzzle.state();
    after(rulebook, &geometry, &example.after, &mut state)?;
    Ok(ExamplePosition { geometry, state, wanted, open })
}

/// Reads a grid, or a line of a library (`:…`) with the deductions that it lists.
fn read(rulebook: &Rulebook, text: &str, board: Option<&str>) -> Result<(Puzzle, String), String> {
    let line = text.trim();
    let board = board.map(|name| rulebook.board(name)).transpose()?;
    if !line.starts_with(':') || line.contains('\n') {
        return Ok((read_one(text, board.as_ref()).map_err(unreadable)?, String::new()));
    }
    let mut case = read_library_line(line, 1).map_err(unreadable)?;
    case.eliminations.sort();
    case.placements.sort();
    let listed = deductions(&case.puzzle.geometry, &case.eliminations, &case.placements);
    Ok((case.puzzle, listed))
}

fn unreadable(FormatError { line, column, message, help, .. }: FormatError) -> String {
    let help = help.map_or(String::new(), |help| format!("; {help}"));
    format!("the grid cannot be read, line {line}, character {column}: {message}{help}")
}

/// Returns the boards that a rule is for: those that its examples name, or 9×9 if some example names none.
pub fn boards(technique: &Technique) -> Vec<&str> {
    let named: Option<BTreeSet<&str>> = technique.examples.iter().map(|example| example.board.as_deref()).collect();
    match named {
        Some(named) if !named.is_empty() => named.into_iter().collect(),
        _ => vec!["9x9"],
    }
}

/// Applies techniques until none has a match; each time, the first in the list that has one.
fn after(rulebook: &Rulebook, geometry: &Arc<Geometry>, rules: &[RuleRef], state: &mut State) -> Result<(), String> {
    let mut named: Vec<Technique> = Vec::new();
    for rule in rules {
        let known = rulebook.techniques().iter().find(|one| one.id == rule.technique);
        let known = known.ok_or_else(|| format!("`after` names `{}`, which is no technique", rule.technique))?;
        if named.iter().all(|one| one.id != known.id) {
            named.push(known.clone());
        }
    }
    let techniques = rulebook.with_used(named);
    let engine = Engine::new(Arc::clone(geometry), &techniques, rulebook.sources());
    let engine = engine.map_err(|errors| errors.first().map_or(String::new(), no_plan))?;
    let order: Vec<usize> = rules.iter().flat_map(|rule| members_of(&engine, rule)).collect();
    while let Some(found) = first_match(&engine, &order, state) {
        found.placements.iter().for_each(|one| state.place(geometry, one.cell, one.digit));
        found.eliminations.iter().for_each(|&one| {
            state.eliminate(one);
        });
        if state.contradiction(geometry).is_some() {
            return Err("what the `after` techniques find leads to a contradiction".to_owned());
        }
    }
    Ok(())
}

/// The members that a rule names, in the engine's order.
fn members_of(engine: &Engine, rule: &RuleRef) -> Vec<usize> {
    let named = engine.members().iter().enumerate().filter(|(_, member)| {
        engine.techniques()[member.technique].id == rule.technique
            && rule.args.as_ref().is_none_or(|args| *args == member.args)
    });
    named.map(|(at, _)| at).collect()
}

fn first_match(engine: &Engine, members: &[usize], state: &State) -> Option<Match> {
    let mut position = engine.on(state);
    members.iter().find_map(|&at| position.find(at, Search::First, &Limits::default()).matches.into_iter().next())
}

/// The size of the board on which the members of a technique are counted.
const SIZE: u32 = 9;

/// Coverage of a technique by its examples and near misses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Members and cases there are.
    pub members: usize,
    /// Members and cases that no test triggers.
    pub idle: Vec<String>,
    /// Names that steps can have.
    pub names: usize,
    /// Names that no step of a test has.
    pub unseen: Vec<String>,
}

/// Returns the members, variants and names that occur in the positions of the tests.
pub fn coverage(rulebook: &Rulebook, technique: &Technique, positions: &[TestPosition]) -> Coverage {
    let mut finder = StepFinder::new(rulebook, technique, Halt::default());
    let mut fired: BTreeSet<(Vec<u32>, usize)> = BTreeSet::new();
    let mut called: BTreeSet<String> = BTreeSet::new();
    let scenes = technique.examples.iter().filter(|example| !example.near_miss);
    let scenes = scenes
        .filter_map(|example| example_position(rulebook, example).ok())
        .map(|scene| (scene.geometry, scene.state));
    for (geometry, state) in scenes.chain(positions.iter().map(|one| (one.geometry.clone(), one.state.clone()))) {
        for step in finder.steps(&geometry, &state).unwrap_or_default() {
            fired.insert((step.member.args.clone(), step.member.variant));
            called.insert(step.name);
        }
    }
    let mut out = Coverage::default();
    for args in technique.members(SIZE) {
        for variant in 0..technique.variants.len() {
            out.members += 1;
            if !fired.contains(&(args.clone(), variant)) {
                let case = member_names(technique, variant, &args, Space::Rc).case;
                let case =
                    case.filter(|_| technique.variants.len() > 1).map_or(String::new(), |case| format!(" \"{case}\""));
                out.idle.push(format!("{}{case}", member_label(&technique.id, &args)));
            }
        }
    }
    let all = names(technique);
    out.names = all.len();
    out.unseen = all.into_iter().filter(|name| !called.contains(name)).collect();
    out
}
