//! Positions of test files, against the steps that a rule finds there.
//!
//! - Snapshots. In: a rulebook, a technique, positions. Out: all that the rule finds on a position, as text, in files that insta's own tools
//!   read and review.
//! - Cases of a library. In: a case, the steps of its technique. Out: whether they agree. A case lists eliminations or placements. A
//!   placement is equivalent to the eliminations of the other candidates of its cell, so a rule may conclude either. The cells of the
//!   pattern are not compared, but a length that the case gives is, for chains.

use super::hunt::grid;
use super::question::{Engines, searches};
use super::scaffold::identifier_words;
use crate::engine::{ChainStep, Halt, Limits, Value};
use crate::grid::formats::{FormatError, LibraryLine, read_library_line, read_many};
use crate::grid::{Candidate, Digit, DigitSet, Geometry, State, notation};
use crate::lang::ir::Technique;
use crate::render::step_lines;
use crate::solve::{Rulebook, Step, apply, step_of};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A snapshot as its file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The test file, by its name.
    pub source: String,
    /// The technique.
    pub expression: String,
    /// The text.
    pub contents: String,
}

impl Snapshot {
    /// The text of its file.
    pub fn print(&self) -> String {
        let [source, expression] = [&self.source, &self.expression].map(|text| yaml_scalar(text));
        format!("---\nsource: {source}\nexpression: {expression}\n---\n{}\n", self.contents.trim_end())
    }
}

/// The text as YAML has it: in quotes unless it is a word.
fn yaml_scalar(text: &str) -> String {
    let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-'));
    if is_word { text.to_owned() } else { format!("{text:?}") }
}

/// The contents of a file that this module or insta wrote: what follows its head.
pub fn contents(text: &str) -> Option<String> {
    let text = text.replace("\r\n", "\n");
    let (_, contents) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
    Some(contents.trim_end().to_owned())
}

/// A technique ready to be searched on positions of several boards.
pub struct StepFinder<'r> {
    engines: Engines<'r>,
    halt: Halt,
}

impl<'r> StepFinder<'r> {
    /// Prepares searches without compiling anything yet. `halt` cancels them.
    pub fn new(rulebook: &'r Rulebook, technique: &Technique, halt: Halt) -> StepFinder<'r> {
        StepFinder { engines: Engines::new(rulebook, technique), halt }
    }

    /// Every match, in canonical order: by effects, then by words. Equal deductions from equal values are one match.
    ///
    /// # Errors
    /// If the technique cannot be compiled for the board, or a limit cut the search short.
    pub fn steps(&mut self, geometry: &Arc<Geometry>, state: &State) -> Result<Vec<Step>, String> {
        let engine = self.engines.on(geometry).map_err(|error| format!("it cannot be compiled: {}", error.reason))?;
        let limits = Limits { halt: self.halt, ..Limits::default() };
        let mut steps = Vec::new();
        for (member, found) in searches(engine, state, &limits, |_| true) {
            if !found.limits.is_empty() {
                return Err(format!("a limit cut the search of member {:?} short", member.args));
            }
            for one in &found.matches {
                let step = step_of(one, engine.techniques(), geometry, state);
                steps.push((order(geometry, &step), step));
            }
        }
        steps.sort_by(|(a, _), (b, _)| a.cmp(b));
        steps.dedup_by(|(a, _), (b, _)| a == b);
        Ok(steps.into_iter().map(|(_, step)| step).collect())
    }
}

fn order(geometry: &Geometry, step: &Step) -> (Vec<Candidate>, Vec<Candidate>, String) {
    (step.placements.clone(), step.eliminations.clone(), text(geometry, step))
}

/// A step with its reason, as lines.
pub fn text(geometry: &Geometry, step: &Step) -> String {
    step_lines(geometry, step, 2).iter().map(|line| format!("{}\n", line.to_string().trim_end())).collect()
}

/// The text of a snapshot: the position, how many matches there are, and each with its reason.
pub fn snapshot(source: &str, technique: &str, position: &TestPosition, steps: &[Step]) -> Snapshot {
    let geometry = &position.geometry;
    let count = match steps.len() {
        0 => "nothing is found".to_owned(),
        1 => "1 match".to_owned(),
        many => format!("{many} matches"),
    };
    let mut contents = format!("{}\n\n{count}\n", grid(geometry, &position.state));
    for step in steps {
        contents.push_str(&text(geometry, step));
    }
    Snapshot { source: source.to_owned(), expression: technique.to_owned(), contents: contents.trim_end().to_owned() }
}

/// The deductions of steps, each once.
pub fn deduction_texts(geometry: &Geometry, steps: &[Step]) -> Vec<String> {
    let mut all: Vec<String> =
        steps.iter().map(|step| notation::deductions(geometry, &step.eliminations, &step.placements)).collect();
    all.dedup();
    all
}

/// The position after all deductions found in it.
pub fn after_steps(geometry: &Geometry, state: &State, steps: &[Step]) -> State {
    let mut next = state.clone();
    steps.iter().for_each(|step| apply(step, geometry, &mut next));
    next
}

/// A position of a test file.
#[derive(Clone, Debug)]
pub struct TestPosition {
    /// Letters and digits, different for different positions of a file.
    pub key: String,
    /// Line of the file where the position begins, from 1.
    pub line: usize,
    /// The board.
    pub geometry: Arc<Geometry>,
    /// The position.
    pub state: State,
    /// The entry of a library, if the line is one.
    pub library: Option<LibraryLine>,
}

impl TestPosition {
    /// Returns the part of the key that depends on the grid alone (values and candidates), not on the note.
    pub fn digest(&self) -> String {
        digest(&self.state)
    }
}

/// Reads a test file; what cannot be read does not keep the rest from being read.
pub fn positions(text: &str) -> (Vec<TestPosition>, Vec<FormatError>) {
    let lines: Vec<&str> = text.lines().collect();
    let (mut out, mut errors) = (Vec::new(), Vec::new());
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for puzzle in read_many(text, None) {
        let puzzle = match puzzle {
            Ok(puzzle) => puzzle,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        let line = lines.get(puzzle.line.saturating_sub(1)).copied().unwrap_or("");
        let library = line.starts_with(':').then(|| read_library_line(line, puzzle.line)).and_then(Result::ok);
        let state = puzzle.state();
        let name = match &library {
            Some(library) => library.code.as_str(),
            None => puzzle.note.trim_start_matches(['#', ';', '/', ' ']),
        };
        let mut key = key(name, &state);
        let times = seen.entry(key.clone()).or_default();
        *times += 1;
        if *times > 1 {
            key.push_str(&format!("_{times}"));
        }
        out.push(TestPosition { key, line: puzzle.line, geometry: puzzle.geometry, state, library });
    }
    (out, errors)
}

fn digest(state: &State) -> String {
    let (values, candidates) = state.values_and_candidates();
    let mut bytes = Vec::new();
    for (value, digits) in values.iter().zip(candidates) {
        bytes.extend(value.iter().map(|digit| 100 + digit.index() as u8));
        bytes.extend(digits.iter().map(|digit: Digit| digit.index() as u8));
        bytes.push(255);
    }
    blake3::hash(&bytes).to_hex()[..6].to_owned()
}

/// The first words of its note and a digest of its candidates: another place in the file is no other position.
fn key(note: &str, state: &State) -> String {
    let digest = digest(state);
    let words = identifier_words(note.chars().take(24));
    if words.is_empty() { digest } else { format!("{words}_{digest}") }
}

/// Suffix of a code whose technique must not be found.
const MUST_NOT: &str = "-x";

/// Returns true if nothing may be found in the case.
pub fn expects_nothing(case: &LibraryLine) -> bool {
    case.code.ends_with(MUST_NOT)
}

/// The code without the mark of such a case.
pub fn technique_code(case: &LibraryLine) -> &str {
    case.code.strip_suffix(MUST_NOT).unwrap_or(&case.code)
}

/// Returns true if the technique found in the case what it should.
pub fn case_passes(case: &LibraryLine, state: &State, steps: &[Step]) -> bool {
    match expects_nothing(case) {
        false => steps.iter().any(|step| agrees(case, state, step)),
        true => !steps.iter().any(|step| agrees(case, state, step) || is_about(case, step)),
    }
}

/// Returns true if a step concludes what the case lists, by a chain of its length if it gives one.
fn agrees(case: &LibraryLine, state: &State, step: &Step) -> bool {
    let length = case.extra.parse().ok();
    shows(case, state, step) && length.is_none_or(|length| lengths(step).is_none_or(|all| all.contains(&length)))
}

/// Returns true if a step concludes exactly what the case lists.
fn shows(case: &LibraryLine, state: &State, step: &Step) -> bool {
    let listed: BTreeSet<Candidate> = case.placements.iter().copied().collect();
    let placed: BTreeSet<Candidate> = step.placements.iter().copied().collect();
    let shown = worth(state, &step.eliminations, &step.placements);
    let wanted = worth(state, &case.eliminations, &case.placements);
    if case.eliminations.is_empty() && listed == placed {
        return shown == wanted;
    }
    !wanted.is_empty() && shown == wanted
}

/// Lengths in links that libraries may give a chain. `None` without a chain, or if a link comes from a set of cells, which
/// libraries count differently.
///
/// Libraries describe a chain with one elimination as a loop through it, with one more link for each end that is not in the
/// eliminated candidate's cell. A loop may run from a cell back to that cell, whose inner link does not count.
fn lengths(step: &Step) -> Option<Vec<usize>> {
    let nodes = step.chain.len();
    let (first, last) = (step.chain.first()?, step.chain.last()?);
    let has_link_of_cells = step.chain.windows(2).any(|pair| is_link_of_cells(&pair[0], &pair[1]));
    if has_link_of_cells || first.strong && is_link_of_cells(last, first) {
        return None;
    }
    if first.strong {
        return Some(vec![nodes, nodes - 1]);
    }
    match step.eliminations.as_slice() {
        [eliminated] => {
            let outside = [first, last].iter().filter(|end| end.node.cells != [eliminated.cell]).count();
            Some(vec![nodes - 1 + outside, nodes - 1])
        }
        _ => Some(vec![nodes - 1]),
    }
}

/// Returns true if a strong link joins two digits in different cells.
fn is_link_of_cells(from: &ChainStep, to: &ChainStep) -> bool {
    let (a, b) = (&from.node, &to.node);
    to.strong && a.digit != b.digit && a.cells != b.cells
}

/// The eliminations, and those in the cells of the placements, as far as the candidates are present.
fn worth(state: &State, eliminations: &[Candidate], placements: &[Candidate]) -> BTreeSet<Candidate> {
    let others = placements.iter().flat_map(|placed| {
        let rest = state.candidates(placed.cell) - DigitSet::single(placed.digit);
        rest.iter().map(|digit| Candidate::new(digit, placed.cell)).collect::<Vec<_>>()
    });
    eliminations.iter().copied().filter(|eliminated| state.has(*eliminated)).chain(others).collect()
}

/// Returns true if the digits of a step (of its free names or, if it has none, of its effects) are those of the case. A case
/// without digits fits every step.
fn is_about(case: &LibraryLine, step: &Step) -> bool {
    let wanted: DigitSet = case.digits.chars().filter_map(Digit::from_symbol).collect();
    if wanted.is_empty() {
        return true;
    }
    let named = step.bindings.iter().filter(|binding| binding.free).fold(DigitSet::EMPTY, |all, binding| {
        if let Value::Digits(digits) = &binding.value { all | *digits } else { all }
    });
    if !named.is_empty() {
        return wanted == named;
    }
    let shown = step.eliminations.iter().chain(&step.placements).map(|candidate| candidate.digit);
    wanted == shown.collect::<DigitSet>()
}
