//! Checks examples and near misses. In: a rulebook, one of its techniques. Out: for each example, the difference between the deductions
//! that it lists and the deductions that the search finds; the coverage of the technique by its tests.

use super::names::names;
use super::question::{Engines, deduction_text, is_selected, searches};
use super::snapshots::TestPosition;
use super::soundness::contradictions;
use crate::engine::{Engine, Halt, Limits, Match, PlanError, SearchMode};
use crate::grid::formats::{FormatError, Puzzle, read_library_line, read_one};
use crate::grid::notation::{deductions, read_deductions};
use crate::grid::{Geometry, State};
use crate::lang::ir::{Example, RuleRef, Space, Technique};
use crate::solve::{Rulebook, member_label, member_names};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An example with its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedExample {
    /// Id of the technique.
    pub technique: String,
    /// Index of the example, from zero.
    pub number: usize,
    /// The id of the technique, with arguments if the example has arguments, for messages.
    pub label: String,
    /// The example.
    pub example: Example,
    /// Result of the check.
    pub verdict: Verdict,
}

/// Result of checking an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The search found exactly the listed deductions.
    Passed,
    /// The search found other deductions. Deductions are written as text, sorted.
    Failed {
        /// Deductions that are listed but not found.
        missing: Vec<String>,
        /// Deductions that are found but not listed.
        extra: Vec<String>,
    },
    /// Some deductions, listed or not, contradict the unique solution of the grid. One sentence for each.
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
    let position = example_position(rulebook, example)?;
    let engine = engines.for_board(&position.geometry).map_err(|error| plan_error_message(&error))?;
    let mut matches = Vec::new();
    for (_, found) in searches(engine, &position.state, limits, |member| is_selected(&example.args, member)) {
        if !found.limits.is_empty() {
            let help = "add conditions about the names that `pinion emit plan` shows first";
            return Err(format!("the search was cut short by a limit: {help}"));
        }
        matches.extend(found.matches);
    }
    let deductions =
        matches.iter().map(|rule_match| (rule_match.eliminations.as_slice(), rule_match.placements.as_slice()));
    let wrong = contradictions(&position.geometry, &position.state, deductions);
    if !wrong.is_empty() {
        return Ok(Verdict::Wrong(wrong));
    }
    let actual: BTreeSet<String> =
        matches.iter().map(|rule_match| deduction_text(&position.geometry, rule_match)).collect();
    let missing: Vec<String> = position.expected.difference(&actual).cloned().collect();
    let extra: Vec<String> = actual.difference(&position.expected).cloned().collect();
    let has_passed = missing.is_empty() && (extra.is_empty() || position.allows_extra);
    Ok(if has_passed { Verdict::Passed } else { Verdict::Failed { missing, extra } })
}

fn plan_error_message(error: &PlanError) -> String {
    format!("`{}` cannot be compiled: {}", error.technique, error.reason)
}

pub struct ExamplePosition {
    pub geometry: Arc<Geometry>,
    /// The position after the techniques of `after` have been applied.
    pub state: State,
    /// Expected deductions as canonical text, one entry for each match.
    pub expected: BTreeSet<String>,
    /// True if further matches are allowed: a line of a library lists only one match.
    pub allows_extra: bool,
}

/// Reads the grid and the expected deductions of an example, and applies the techniques of `after`.
///
/// # Errors
/// A message if the grid or a deduction cannot be read, or if a technique of `after` is unknown or leads to a contradiction.
pub fn example_position(rulebook: &Rulebook, example: &Example) -> Result<ExamplePosition, String> {
    let (puzzle, listed) = read_grid(rulebook, &example.grid, example.board.as_deref())?;
    let geometry = Arc::clone(&puzzle.geometry);
    let mut expected = BTreeSet::new();
    for line in &example.finds {
        let mut literals = read_deductions(&geometry, line).map_err(|error| format!("`{line}`: {error}"))?;
        literals.sort();
        let mut eliminations = Vec::new();
        let mut placements = Vec::new();
        for (candidate, is_placed) in literals {
            if is_placed {
                placements.push(candidate);
            } else {
                eliminations.push(candidate);
            }
        }
        expected.insert(deductions(&geometry, &eliminations, &placements));
    }
    let is_library_example = example.finds.is_empty() && !example.near_miss && !listed.is_empty();
    if is_library_example {
        expected.insert(listed);
    }
    let mut state = puzzle.state();
    apply_until_stuck(rulebook, &geometry, &example.after, &mut state)?;
    Ok(ExamplePosition { geometry, state, expected, allows_extra: is_library_example })
}

/// Reads a grid, or a library line (`:…`). Also returns the deductions that the library line lists, as text; empty for a grid.
fn read_grid(rulebook: &Rulebook, text: &str, board: Option<&str>) -> Result<(Puzzle, String), String> {
    let line = text.trim();
    let board = board.map(|name| rulebook.board(name)).transpose()?;
    if !line.starts_with(':') || line.contains('\n') {
        return Ok((read_one(text, board.as_ref()).map_err(unreadable_grid)?, String::new()));
    }
    let mut entry = read_library_line(line, 1).map_err(unreadable_grid)?;
    entry.eliminations.sort();
    entry.placements.sort();
    let listed = deductions(&entry.puzzle.geometry, &entry.eliminations, &entry.placements);
    Ok((entry.puzzle, listed))
}

fn unreadable_grid(FormatError { line, column, message, help, .. }: FormatError) -> String {
    let help = help.map_or(String::new(), |help| format!("; {help}"));
    format!("the grid cannot be read, line {line}, character {column}: {message}{help}")
}

/// Returns the boards on which a rule is proved: those that its examples name if every example names one; otherwise only 9×9.
pub fn boards(technique: &Technique) -> Vec<&str> {
    let every_example_names_one = technique.examples.iter().all(|example| example.board.is_some());
    if technique.examples.is_empty() || !every_example_names_one {
        return vec!["9x9"];
    }
    let names: BTreeSet<&str> = technique.examples.iter().filter_map(|example| example.board.as_deref()).collect();
    names.into_iter().collect()
}

/// Applies the first match of the first rule in the list that has a match, until no rule has one.
fn apply_until_stuck(
    rulebook: &Rulebook,
    geometry: &Arc<Geometry>,
    rules: &[RuleRef],
    state: &mut State,
) -> Result<(), String> {
    let mut techniques: Vec<Technique> = Vec::new();
    for rule in rules {
        let Some(technique) = rulebook.techniques().iter().find(|technique| technique.id == rule.technique) else {
            return Err(format!("`after` names `{}`, which is no technique", rule.technique));
        };
        if techniques.iter().all(|earlier| earlier.id != technique.id) {
            techniques.push(technique.clone());
        }
    }
    let techniques = rulebook.with_dependencies(techniques);
    let engine = Engine::new(Arc::clone(geometry), &techniques, rulebook.sources());
    let engine = engine.map_err(|errors| errors.first().map_or(String::new(), plan_error_message))?;
    let members: Vec<usize> = rules.iter().flat_map(|rule| members_of(&engine, rule)).collect();
    while let Some(rule_match) = first_match(&engine, &members, state) {
        rule_match.placements.iter().for_each(|placed| state.place(geometry, placed.cell, placed.digit));
        rule_match.eliminations.iter().for_each(|&eliminated| {
            state.eliminate(eliminated);
        });
        if state.contradiction(geometry).is_some() {
            return Err("what the `after` techniques find leads to a contradiction".to_owned());
        }
    }
    Ok(())
}

/// Returns the indexes of the members that a rule reference names, in the engine's order.
fn members_of(engine: &Engine, rule: &RuleRef) -> Vec<usize> {
    let members = engine.members().iter().enumerate().filter(|(_, member)| {
        engine.techniques()[member.technique].id == rule.technique
            && rule.args.as_ref().is_none_or(|args| *args == member.args)
    });
    members.map(|(index, _)| index).collect()
}

fn first_match(engine: &Engine, members: &[usize], state: &State) -> Option<Match> {
    let mut position = engine.position(state);
    let mut results = members.iter().map(|&member| position.find(member, SearchMode::First, &Limits::default()));
    results.find_map(|found| found.matches.into_iter().next())
}

/// Board size for the members that [`coverage`] counts.
const SIZE: u32 = 9;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Number of members.
    pub members: usize,
    /// Labels of the members that match in no test.
    pub untested_members: Vec<String>,
    /// Number of names that steps can have.
    pub names: usize,
    pub unseen_names: Vec<String>,
}

/// Measures which members and step names occur in the examples and test positions.
pub fn coverage(rulebook: &Rulebook, technique: &Technique, positions: &[TestPosition]) -> Coverage {
    let examples = technique.examples.iter().filter(|example| !example.near_miss);
    let examples = examples.filter_map(|example| example_position(rulebook, example).ok());
    let mut states: Vec<(Arc<Geometry>, State)> =
        examples.map(|position| (position.geometry, position.state)).collect();
    states.extend(positions.iter().map(|position| (position.geometry.clone(), position.state.clone())));
    let mut engines = Engines::new(rulebook, technique);
    let mut seen_members: BTreeSet<(Vec<u32>, usize)> = BTreeSet::new();
    let mut seen_names: BTreeSet<String> = BTreeSet::new();
    for (geometry, state) in states {
        for step in engines.steps(&geometry, &state, Halt::default()).unwrap_or_default() {
            seen_members.insert((step.member.args.clone(), step.member.variant));
            seen_names.insert(step.name);
        }
    }
    let mut coverage = Coverage::default();
    for (args, variant) in technique.member_variants(SIZE) {
        coverage.members += 1;
        if seen_members.contains(&(args.clone(), variant)) {
            continue;
        }
        let mut label = member_label(&technique.id, &args);
        if technique.variants.len() > 1
            && let Some(title) = member_names(technique, variant, &args, Space::Rc).variant_title
        {
            label.push_str(&format!(" \"{title}\""));
        }
        coverage.untested_members.push(label);
    }
    let names = names(technique);
    coverage.names = names.len();
    coverage.unseen_names = names.into_iter().filter(|name| !seen_names.contains(name)).collect();
    coverage
}
