//! Snapshots: all that a rule finds on a position, as text. In: a rulebook, a technique, positions. Out: texts, in files
//! that insta's own tools read and review.

use super::hunt::grid;
use crate::engine::{Engine, Halt, Limits, Search};
use crate::grid::formats::{FormatError, LibraryLine, read_library_line, read_many};
use crate::grid::{Digit, Geometry, State, notation};
use crate::lang::ir::Technique;
use crate::render::explained;
use crate::solve::{Rulebook, Step, step_of};
use std::collections::BTreeMap;
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
        let scalar = |text: &str| {
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-');
            let safe = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && text.chars().all(plain);
            if safe { text.to_owned() } else { format!("{text:?}") }
        };
        format!(
            "---\nsource: {}\nexpression: {}\n---\n{}\n",
            scalar(&self.source),
            scalar(&self.expression),
            self.contents.trim_end()
        )
    }
}

/// The contents of a file that this module or insta wrote: what follows its head.
pub fn contents(text: &str) -> Option<String> {
    let text = text.replace("\r\n", "\n");
    let (_, contents) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
    Some(contents.trim_end().to_owned())
}

/// A technique ready to be searched on positions of several boards.
pub struct Finder<'r> {
    rulebook: &'r Rulebook,
    techniques: Vec<Technique>,
    engines: Vec<Engine>,
    halt: Halt,
}

impl<'r> Finder<'r> {
    /// Prepares searches without compiling anything yet. `halt` cancels them.
    pub fn new(rulebook: &'r Rulebook, technique: &Technique, halt: Halt) -> Finder<'r> {
        Finder { rulebook, techniques: rulebook.with_used(vec![technique.clone()]), engines: Vec::new(), halt }
    }

    /// Every match, in canonical order: by effects, then by words. Equal deductions from equal values are one match.
    ///
    /// # Errors
    /// If the technique cannot be compiled for the board, or a limit cut the search short.
    pub fn steps(&mut self, geometry: &Arc<Geometry>, state: &State) -> Result<Vec<Step>, String> {
        let known = self.engines.iter().position(|engine| engine.geometry().spec() == geometry.spec());
        let at = match known {
            Some(at) => at,
            None => {
                let engine = Engine::new(Arc::clone(geometry), &self.techniques, self.rulebook.sources());
                let first = |errors: Vec<crate::engine::PlanError>| {
                    errors.first().map_or(String::new(), |error| format!("it cannot be compiled: {}", error.reason))
                };
                self.engines.push(engine.map_err(first)?);
                self.engines.len() - 1
            }
        };
        let engine = &self.engines[at];
        let mut position = engine.on(state);
        let mut steps = Vec::new();
        for (number, member) in engine.members().iter().enumerate().filter(|(_, member)| member.technique == 0) {
            let limits = Limits { halt: self.halt, ..Limits::default() };
            let found = position.find(number, Search::All, &limits);
            if !found.limits.is_empty() {
                return Err(format!("a limit cut the search of member {:?} short", member.args));
            }
            steps.extend(found.matches.iter().map(|one| step_of(one, &self.techniques, geometry, state)));
        }
        let order = |step: &Step| (step.placements.clone(), step.eliminations.clone(), text(geometry, step));
        steps.sort_by_cached_key(order);
        steps.dedup_by_key(|step| order(step));
        Ok(steps)
    }
}

/// A step with its reason, as lines.
pub fn text(geometry: &Geometry, step: &Step) -> String {
    explained(geometry, step, 2).iter().map(|line| format!("{}\n", line.to_string().trim_end())).collect()
}

/// The text of a snapshot: the position, how many matches there are, and each with its reason.
pub fn snapshot(source: &str, technique: &str, position: &Position, steps: &[Step]) -> Snapshot {
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
pub fn shown(geometry: &Geometry, steps: &[Step]) -> Vec<String> {
    let mut all: Vec<String> =
        steps.iter().map(|step| notation::deductions(geometry, &step.eliminations, &step.placements)).collect();
    all.dedup();
    all
}

/// The position after all deductions found in it.
pub fn after(geometry: &Geometry, state: &State, steps: &[Step]) -> State {
    let mut next = state.clone();
    for step in steps {
        step.placements.iter().for_each(|one| next.place(geometry, one.cell, one.digit));
        step.eliminations.iter().for_each(|&one| {
            next.eliminate(one);
        });
    }
    next
}

/// A position of a test file.
#[derive(Clone, Debug)]
pub struct Position {
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

impl Position {
    /// Returns the part of the key that depends on the grid alone (values and candidates), not on the note.
    pub fn digest(&self) -> String {
        digest(&self.state)
    }
}

/// Reads a test file; what cannot be read does not keep the rest from being read.
pub fn positions(text: &str) -> (Vec<Position>, Vec<FormatError>) {
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
        out.push(Position { key, line: puzzle.line, geometry: puzzle.geometry, state, library });
    }
    (out, errors)
}

fn digest(state: &State) -> String {
    let (values, candidates) = state.parts();
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
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let words: String = note.chars().take(24).map(plain).collect();
    let words: Vec<&str> = words.split('_').filter(|word| !word.is_empty()).collect();
    if words.is_empty() { digest } else { format!("{}_{digest}", words.join("_")) }
}
