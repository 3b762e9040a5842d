//! Test files. In: the text of one: puzzles and positions in any format, with comments, lines of a library among them.
//! Out: positions, each with a name that stays the same when others are added.

use crate::grid::formats::{FormatError, LibraryLine, read_library_line, read_many};
use crate::grid::{Digit, Geometry, State};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A position of a test file.
#[derive(Clone, Debug)]
pub struct Position {
    /// Letters and digits, different for different positions of a file.
    pub key: String,
    /// The line of the file where it begins, from one.
    pub line: usize,
    /// The board.
    pub geometry: Arc<Geometry>,
    /// The position.
    pub state: State,
    /// What the line of a library says of it, if it is one.
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
