//! Examples and near misses. In: a rulebook, techniques of it. Out: for each example whether just what it lists was
//! found, and what was found instead.

use super::contradictions;
use super::names::names;
use super::snapshots::Finder;
use super::snapshots::Position;
use crate::engine::{Engine, Halt, Limits, Match, MemberId, Search};
use crate::grid::formats::{Puzzle, read_library_line, read_one};
use crate::grid::notation::{deductions, read_deductions};
use crate::grid::{Candidate, Geometry, State};
use crate::lang::ir::{Example, RuleRef, Space, Technique};
use crate::solve::{Rulebook, member_label, member_names};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An example with what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Id of the technique.
    pub technique: String,
    /// Index of the example, from zero.
    pub number: usize,
    /// The technique, or the member that the example names.
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

impl Checked {
    /// Returns true if the search found exactly what the example lists.
    pub fn passed(&self) -> bool {
        self.verdict == Verdict::Passed
    }
}

/// Checks every example of a technique. `halt` cancels the searches.
pub fn check_one(rulebook: &Rulebook, technique: &Technique, halt: Halt) -> Vec<Checked> {
    let mut examiner = Examiner { rulebook, technique, engines: Vec::new(), halt };
    let one = |(number, example): (usize, &Example)| Checked {
        technique: technique.id.clone(),
        number,
        label: member_label(&technique.id, &example.args),
        example: example.clone(),
        verdict: examiner.verdict(example).unwrap_or_else(Verdict::Unusable),
    };
    technique.examples.iter().enumerate().map(one).collect()
}

/// The position of an example, ready to be searched.
pub struct Scene {
    /// The board.
    pub geometry: Arc<Geometry>,
    /// The position, after what is to be found first.
    pub state: State,
    /// Expected deductions, one match each, in canonical text.
    pub wanted: BTreeSet<String>,
    /// True if other matches are allowed too: a line of a library lists only one.
    pub open: bool,
}

/// Reads the grid of an example and what it lists, and finds what is to be found first.
///
/// # Errors
/// When something of it cannot be read, in words.
pub fn scene(rulebook: &Rulebook, example: &Example) -> Result<Scene, String> {
    let (puzzle, listed) = read(rulebook, &example.grid, example.board.as_deref())?;
    let geometry = Arc::clone(&puzzle.geometry);
    let mut wanted = BTreeSet::new();
    for line in &example.finds {
        let list = read_deductions(&geometry, line).map_err(|error| format!("`{line}`: {error}"))?;
        let pick = |place: bool| {
            let mut list: Vec<Candidate> = list.iter().filter(|(_, p)| *p == place).map(|(c, _)| *c).collect();
            list.sort();
            list
        };
        wanted.insert(deductions(&geometry, &pick(false), &pick(true)));
    }
    let open = example.finds.is_empty() && !example.near_miss && !listed.is_empty();
    if open {
        wanted.insert(listed);
    }
    let mut state = puzzle.state();
    after(rulebook, &geometry, &example.after, &mut state)?;
    Ok(Scene { geometry, state, wanted, open })
}

/// A puzzle, and what a line of a library lists.
fn read(rulebook: &Rulebook, text: &str, board: Option<&str>) -> Result<(Puzzle, String), String> {
    let line = text.trim();
    let board = board.map(|name| rulebook.board(name)).transpose()?;
    let words = |error: crate::grid::formats::FormatError| {
        let help = error.help.map_or(String::new(), |help| format!("; {help}"));
        format!("the grid cannot be read, line {}, character {}: {}{help}", error.line, error.column, error.message)
    };
    if !line.starts_with(':') || line.contains('\n') {
        return Ok((read_one(text, board.as_ref()).map_err(words)?, String::new()));
    }
    let case = read_library_line(line, 1).map_err(words)?;
    let (mut eliminated, mut placed) = (case.eliminations, case.placements);
    eliminated.sort();
    placed.sort();
    let listed = deductions(&case.puzzle.geometry, &eliminated, &placed);
    Ok((case.puzzle, listed))
}

/// Names of the boards that a rule is for: those of its examples if each of them names one, otherwise the common one.
pub fn boards(technique: &Technique) -> Vec<&str> {
    let named: Option<BTreeSet<&str>> = technique.examples.iter().map(|example| example.board.as_deref()).collect();
    match named {
        Some(named) if !named.is_empty() => named.into_iter().collect(),
        _ => vec!["9x9"],
    }
}

/// Finds what these techniques find, the first that finds something each time, until none does.
fn after(rulebook: &Rulebook, geometry: &Arc<Geometry>, rules: &[RuleRef], state: &mut State) -> Result<(), String> {
    let mut named: Vec<Technique> = Vec::new();
    for rule in rules {
        let known = rulebook.techniques().iter().find(|one| one.id == rule.technique);
        let known = known.ok_or_else(|| format!("there is no technique `{}` to begin with", rule.technique))?;
        if named.iter().all(|one| one.id != known.id) {
            named.push(known.clone());
        }
    }
    let techniques = rulebook.with_used(named);
    let engine = engine(rulebook, geometry, &techniques)?;
    let fits = |rule: &RuleRef, member: &MemberId| {
        techniques[member.technique].id == rule.technique && rule.args.as_ref().is_none_or(|args| *args == member.args)
    };
    let all = engine.members();
    let of = |rule| (0..all.len()).filter(|&at| fits(rule, &all[at])).collect::<Vec<_>>();
    let order: Vec<usize> = rules.iter().flat_map(of).collect();
    let step = |state: &State| {
        let mut position = engine.on(state);
        order.iter().find_map(|&at| position.find(at, Search::First, &Limits::default()).matches.into_iter().next())
    };
    while let Some(found) = step(state) {
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

fn engine(rulebook: &Rulebook, geometry: &Arc<Geometry>, techniques: &[Technique]) -> Result<Engine, String> {
    Engine::new(Arc::clone(geometry), techniques, rulebook.sources()).map_err(|errors| {
        errors
            .first()
            .map_or(String::new(), |error| format!("`{}` cannot be compiled: {}", error.technique, error.reason))
    })
}

/// Searches one technique on the boards of its examples, each compiled once.
struct Examiner<'r> {
    rulebook: &'r Rulebook,
    technique: &'r Technique,
    engines: Vec<Engine>,
    halt: Halt,
}

impl Examiner<'_> {
    fn verdict(&mut self, example: &Example) -> Result<Verdict, String> {
        let scene = scene(self.rulebook, example)?;
        let matches = self.matches(&scene, &example.args)?;
        let shown = matches.iter().map(|one| (one.eliminations.as_slice(), one.placements.as_slice()));
        let wrong = contradictions(&scene.geometry, &scene.state, shown.clone());
        if !wrong.is_empty() {
            return Ok(Verdict::Wrong(wrong));
        }
        let found: BTreeSet<String> =
            shown.map(|(eliminated, placed)| deductions(&scene.geometry, eliminated, placed)).collect();
        let missing: Vec<String> = scene.wanted.difference(&found).cloned().collect();
        let extra: Vec<String> = found.difference(&scene.wanted).cloned().collect();
        let passed = missing.is_empty() && (extra.is_empty() || scene.open);
        Ok(if passed { Verdict::Passed } else { Verdict::Failed { missing, extra } })
    }

    /// Every match, of one member or of all.
    fn matches(&mut self, scene: &Scene, args: &[u32]) -> Result<Vec<Match>, String> {
        let at = self.engine(&scene.geometry)?;
        let engine = &self.engines[at];
        let mut position = engine.on(&scene.state);
        let mut all = Vec::new();
        for (number, member) in engine.members().iter().enumerate() {
            if member.technique != 0 || !(args.is_empty() || args == member.args) {
                continue;
            }
            let limits = Limits { halt: self.halt, ..Limits::default() };
            let found = position.find(number, Search::All, &limits);
            if !found.limits.is_empty() {
                return Err(
                    "the search was cut short by a limit: say more of the names that `pinion emit plan` shows first"
                        .to_owned(),
                );
            }
            all.extend(found.matches);
        }
        Ok(all)
    }

    fn engine(&mut self, geometry: &Arc<Geometry>) -> Result<usize, String> {
        let known = self.engines.iter().position(|engine| engine.geometry().spec() == geometry.spec());
        if let Some(at) = known {
            return Ok(at);
        }
        let techniques = self.rulebook.with_used(vec![self.technique.clone()]);
        self.engines.push(engine(self.rulebook, geometry, &techniques)?);
        Ok(self.engines.len() - 1)
    }
}

/// The size of the board whose members are counted.
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

/// Searches all positions of the tests.
pub fn coverage(rulebook: &Rulebook, technique: &Technique, positions: &[Position]) -> Coverage {
    let mut finder = Finder::new(rulebook, technique, Halt::default());
    let mut fired: BTreeSet<(Vec<u32>, usize)> = BTreeSet::new();
    let mut called: BTreeSet<String> = BTreeSet::new();
    let scenes = technique.examples.iter().filter(|example| !example.near_miss);
    let scenes = scenes.filter_map(|example| scene(rulebook, example).ok()).map(|scene| (scene.geometry, scene.state));
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
