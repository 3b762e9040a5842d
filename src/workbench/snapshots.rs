//! Positions of test files, and the steps that a rule finds in them.
//!
//! - [`snapshot`] writes all steps of a rule in a position, in the file format of insta.
//! - [`entry_passes`] compares the steps with an entry of a library. An entry lists placements or eliminations. A placement and the
//!   eliminations of the other candidates of its cell are equivalent. If the entry gives the length of a chain, the length is compared, too.
//!   The cells of the pattern are not compared.

use super::hunt::grid;
use super::question::{Engines, searches};
use super::scaffold::identifier_words;
use crate::engine::{ChainStep, Halt, Limits, Value};
use crate::grid::formats::{FormatError, LibraryLine, read_library_line, read_many};
use crate::grid::{Candidate, Digit, DigitSet, Geometry, State, notation};
use crate::render::step_lines;
use crate::solve::{Step, apply, is_loop, step_of};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The contents of a snapshot file. The fields are named as in insta.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Name of the test file.
    pub source: String,
    /// Id of the technique.
    pub expression: String,
    pub contents: String,
}

impl Snapshot {
    pub fn print(&self) -> String {
        let [source, expression] = [&self.source, &self.expression].map(|text| yaml_scalar(text));
        format!("---\nsource: {source}\nexpression: {expression}\n---\n{}\n", self.contents.trim_end())
    }
}

/// Writes a text as a YAML scalar: in quotes unless it is a word.
fn yaml_scalar(text: &str) -> String {
    let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-'));
    if is_word { text.to_owned() } else { format!("{text:?}") }
}

/// Returns the text of a snapshot file after its YAML head; `None` if the file has no head.
pub fn contents(text: &str) -> Option<String> {
    let text = text.replace("\r\n", "\n");
    let (_, contents) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
    Some(contents.trim_end().to_owned())
}

impl Engines<'_> {
    /// Returns the steps of all matches, sorted by effects, then by text. Steps with equal effects and text are listed once.
    ///
    /// # Errors
    /// If the technique cannot be compiled for the board, or a limit cut the search short.
    pub fn steps(&mut self, geometry: &Arc<Geometry>, state: &State, halt: Halt) -> Result<Vec<Step>, String> {
        let engine = self.for_board(geometry).map_err(|error| format!("it cannot be compiled: {}", error.reason))?;
        let limits = Limits { halt, ..Limits::default() };
        let mut steps = Vec::new();
        for (member, found) in searches(engine, state, &limits, |_| true) {
            if !found.limits.is_empty() {
                return Err(format!("a limit cut the search of member {:?} short", member.args));
            }
            for rule_match in &found.matches {
                let step = step_of(rule_match, engine.techniques(), geometry, state);
                steps.push((sort_key(geometry, &step), step));
            }
        }
        steps.sort_by(|(a, _), (b, _)| a.cmp(b));
        steps.dedup_by(|(a, _), (b, _)| a == b);
        Ok(steps.into_iter().map(|(_, step)| step).collect())
    }
}

fn sort_key(geometry: &Geometry, step: &Step) -> (Vec<Candidate>, Vec<Candidate>, String) {
    (step.placements.clone(), step.eliminations.clone(), text(geometry, step))
}

/// Writes a step with its reason.
pub fn text(geometry: &Geometry, step: &Step) -> String {
    step_lines(geometry, step, 2).iter().map(|line| format!("{}\n", line.to_string().trim_end())).collect()
}

/// Makes a snapshot: the position, the number of matches, and each match with its reason. `source` is the name of the test file.
pub fn snapshot(source: &str, technique: &str, position: &TestPosition, steps: &[Step]) -> Snapshot {
    let geometry = &position.geometry;
    let count = match steps.len() {
        0 => "nothing is found".to_owned(),
        1 => "1 match".to_owned(),
        count => format!("{count} matches"),
    };
    let mut contents = format!("{}\n\n{count}\n", grid(geometry, &position.state));
    for step in steps {
        contents.push_str(&text(geometry, step));
    }
    Snapshot { source: source.to_owned(), expression: technique.to_owned(), contents: contents.trim_end().to_owned() }
}

/// Writes the deductions of steps. Equal texts of consecutive steps are listed once.
pub fn deduction_texts(geometry: &Geometry, steps: &[Step]) -> Vec<String> {
    let mut texts: Vec<String> =
        steps.iter().map(|step| notation::deductions(geometry, &step.eliminations, &step.placements)).collect();
    texts.dedup();
    texts
}

pub fn state_after_steps(geometry: &Geometry, state: &State, steps: &[Step]) -> State {
    let mut next = state.clone();
    steps.iter().for_each(|step| apply(step, geometry, &mut next));
    next
}

#[derive(Clone, Debug)]
pub struct TestPosition {
    /// Key of the position in its file: letters, digits and `_`.
    pub key: String,
    /// First line of the position in the file, counted from 1.
    pub line: usize,
    pub geometry: Arc<Geometry>,
    pub state: State,
    pub library: Option<LibraryLine>,
}

impl TestPosition {
    /// Returns the part of the key that depends on values and candidates only, not on the note.
    pub fn digest(&self) -> String {
        digest(&self.state)
    }
}

/// Reads a test file. Returns the positions, and the errors of lines that cannot be read.
pub fn positions(text: &str) -> (Vec<TestPosition>, Vec<FormatError>) {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = Vec::new();
    let mut errors = Vec::new();
    let mut key_counts: BTreeMap<String, usize> = BTreeMap::new();
    for puzzle in read_many(text, None) {
        let puzzle = match puzzle {
            Ok(puzzle) => puzzle,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        let line = lines.get(puzzle.line.saturating_sub(1)).copied().unwrap_or("");
        let library = if line.starts_with(':') { read_library_line(line, puzzle.line).ok() } else { None };
        let state = puzzle.state();
        let name = match &library {
            Some(library) => library.code.as_str(),
            None => puzzle.note.trim_start_matches(['#', ';', '/', ' ']),
        };
        let mut key = key(name, &state);
        let count = key_counts.entry(key.clone()).or_default();
        *count += 1;
        if *count > 1 {
            key.push_str(&format!("_{count}"));
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

/// Returns the key of a position: the first words of its note, and a digest of its candidates. The key does not depend on the line of the
/// position in the file.
fn key(note: &str, state: &State) -> String {
    let digest = digest(state);
    let words = identifier_words(note.chars().take(24));
    if words.is_empty() { digest } else { format!("{words}_{digest}") }
}

/// Suffix of the code of an entry in which the technique must not be found.
const NOT_FOUND_SUFFIX: &str = "-x";

pub fn expects_nothing(entry: &LibraryLine) -> bool {
    entry.code.ends_with(NOT_FOUND_SUFFIX)
}

/// Returns the code of an entry without the suffix `-x`.
pub fn technique_code(entry: &LibraryLine) -> &str {
    entry.code.strip_suffix(NOT_FOUND_SUFFIX).unwrap_or(&entry.code)
}

pub fn entry_passes(entry: &LibraryLine, state: &State, steps: &[Step]) -> bool {
    if expects_nothing(entry) {
        return !steps.iter().any(|step| agrees(entry, state, step) || has_digits_of_entry(entry, step));
    }
    steps.iter().any(|step| agrees(entry, state, step))
}

/// Returns true if a step concludes the listed deductions and, if the entry gives a length, by a chain of this length.
fn agrees(entry: &LibraryLine, state: &State, step: &Step) -> bool {
    if !has_listed_deductions(entry, state, step) {
        return false;
    }
    match (entry.extra.parse().ok(), lengths(step)) {
        (Some(length), Some(lengths)) => lengths.contains(&length),
        _ => true,
    }
}

/// Returns true if a step concludes exactly the deductions that the entry lists.
fn has_listed_deductions(entry: &LibraryLine, state: &State, step: &Step) -> bool {
    let listed: BTreeSet<Candidate> = entry.placements.iter().copied().collect();
    let placed: BTreeSet<Candidate> = step.placements.iter().copied().collect();
    let has_same_placements = entry.eliminations.is_empty() && listed == placed;
    let found = as_eliminations(state, &step.eliminations, &step.placements);
    let expected = as_eliminations(state, &entry.eliminations, &entry.placements);
    found == expected && (has_same_placements || !expected.is_empty())
}

/// Returns the lengths, in links, that libraries may give a chain. `None` without a chain, or if a link comes from a set of cells, because
/// libraries count such links differently.
///
/// Libraries close a chain with one elimination to a loop through the eliminated candidate. Each end outside of the candidate's cell then
/// adds a link. Some libraries do not count the link within the first cell of a loop.
fn lengths(step: &Step) -> Option<Vec<usize>> {
    let nodes = step.chain.len();
    let (first, last) = (step.chain.first()?, step.chain.last()?);
    let has_link_of_cells = step.chain.windows(2).any(|pair| is_link_of_cells(&pair[0], &pair[1]));
    if has_link_of_cells || is_link_of_cells(last, first) {
        return None;
    }
    if is_loop(&step.chain) {
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
    let a = &from.node;
    let b = &to.node;
    to.strong && a.digit != b.digit && a.cells != b.cells
}

/// Returns the present candidates among the eliminations, and the other candidates in the cells of the placements.
fn as_eliminations(state: &State, eliminations: &[Candidate], placements: &[Candidate]) -> BTreeSet<Candidate> {
    let mut all: BTreeSet<Candidate> =
        eliminations.iter().copied().filter(|eliminated| state.has(*eliminated)).collect();
    for placed in placements {
        let other_digits = state.candidates(placed.cell) - DigitSet::single(placed.digit);
        all.extend(other_digits.in_cell(placed.cell));
    }
    all
}

/// Returns true if a step has exactly the digits of the entry, or if the entry has no digits. The digits of a step are
/// the digits that its rule chose or, without such digits, the digits of its effects.
fn has_digits_of_entry(entry: &LibraryLine, step: &Step) -> bool {
    let expected: DigitSet = entry.digits.chars().filter_map(Digit::from_symbol).collect();
    if expected.is_empty() {
        return true;
    }
    let mut chosen = DigitSet::EMPTY;
    for binding in step.bindings.iter().filter(|binding| binding.is_chosen) {
        if let Value::Digits(digits) = &binding.value {
            chosen = chosen | *digits;
        }
    }
    if !chosen.is_empty() {
        return expected == chosen;
    }
    let effects = step.eliminations.iter().chain(&step.placements).map(|candidate| candidate.digit);
    expected == effects.collect::<DigitSet>()
}
