//! Verdicts as they are shown, written as JSON and kept from run to run. In: a verdict and the time it took. Out: plain data; a record of an
//! earlier run.
//!
//! A kept record is found by a hash of the rule as checked, its arguments, the link sources, the techniques that it uses under
//! suppositions, the board and the prover itself, so no change of any of them can be overlooked. It carries that hash and a seal over hash
//! and content: a record that was damaged, edited or moved is no record, and the rule is proved anew. A cache that cannot be read or written
//! is no reason to fail, nor to wait.

use crate::cli::files;
use crate::cli::prelude::*;
use crate::lang::ir::{LinkSource, Technique};
use crate::proof::{Change, Counterexample, Ground, Status, Suggestion, Verdict, cache_key};
use crate::render::Scene;
use crate::workbench::{Because, SourceLine};
use serde::Deserialize;
use std::cell::Cell;
use std::io::{self, ErrorKind};
use std::path::Path;

/// A member to be proved.
#[derive(Clone, Debug)]
pub struct Selected {
    /// Index of the technique.
    pub technique: usize,
    /// Values of its parameters.
    pub args: Vec<u32>,
    /// Index of the case.
    pub variant: usize,
    /// `id(4)`.
    pub label: String,
    /// Display name.
    pub name: String,
}

/// One member on one board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofRecord {
    /// Id of the technique.
    pub technique: String,
    /// Values of its parameters.
    pub args: Vec<u32>,
    /// Which case, from zero.
    pub case: usize,
    /// `id(4)`.
    pub label: String,
    /// Display name.
    pub name: String,
    /// The board asked for.
    pub board: String,
    /// `proved`, `supposed`, `refuted`, `undecided` or `vacuous`.
    pub status: String,
    /// For a rule with assumptions: true if all that it uses under them is proved.
    pub sound: Option<bool>,
    /// Proved from the cited facts alone, so on every board.
    pub every_board: bool,
    /// Reason of an undecided or vacuous verdict; for a proved rule that assumes one solution, how the second grid is made.
    pub reason: Option<String>,
    /// Lemmas, link sources and other techniques that the verdict rests on.
    pub rests_on: Vec<Ground>,
    /// The grid in which it is wrong.
    pub counterexample: Option<ExampleRecord>,
    /// Possible improvements, if they were asked for: each with a line to paste.
    pub more: Option<Vec<String>>,
    /// Members of other rules that conclude all that this one does, with what their names stand for.
    #[serde(default)]
    pub implied_by: Option<Vec<String>>,
    /// Rules of `implied_by` that do not follow from others of the list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub implied_directly_by: Vec<String>,
    /// Rules that could not be compared with it, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_comparable: Vec<String>,
    /// Changes that make a wrong rule true, each proved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<String>,
    /// Time, in seconds.
    pub seconds: f64,
    /// Clauses of all questions.
    pub clauses: u64,
    /// Variables of all questions.
    pub variables: u64,
    /// Conflicts of the solver.
    pub conflicts: u64,
    /// The counterexample in its grid, where it was found in this run.
    #[serde(skip)]
    pub scene: Option<Scene>,
    /// True for a record of an earlier run.
    pub cached: bool,
}

/// A counterexample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExampleRecord {
    /// The candidate grid, as `pinion find` reads it.
    pub grid: String,
    /// The wrongly concluded candidate, `r1c2<>3` or `r1c2=3`.
    pub concludes: String,
    /// The solution that contradicts it, row by row.
    pub solution: String,
    /// All of it, drawn.
    pub text: String,
    /// Each name of the rule with what it stands for.
    pub names: Vec<(String, String)>,
    /// The lines of the rule with what they demand.
    pub lines: Vec<Because>,
}

impl ExampleRecord {
    /// With what the names of the rule stand for, and what it demands, line by line.
    pub fn new(
        geometry: &Geometry,
        example: &Counterexample,
        (names, lines): (Vec<(String, String)>, Vec<Because>),
    ) -> ExampleRecord {
        let facts: Vec<String> = lines.iter().flat_map(|line| &line.facts).map(|fact| format!("  {fact}\n")).collect();
        let demanded = match facts.is_empty() {
            true => String::new(),
            false => format!("Everything that the rule demands holds:\n\n{}\n", facts.concat()),
        };
        ExampleRecord {
            grid: example.grid().to_string(),
            concludes: notation::deduction(geometry, example.wrong, example.placed),
            solution: example.solution.iter().map(ToString::to_string).collect(),
            text: format!("{}\n{demanded}{}", example.drawing, example.contradiction),
            names,
            lines,
        }
    }
}

impl ProofRecord {
    /// From a verdict; `lines` are those of the rule's file.
    pub fn new(
        verdict: &Verdict,
        one: &Selected,
        (more, lines): (Option<Vec<Suggestion>>, &[Option<SourceLine>]),
        seconds: f64,
    ) -> ProofRecord {
        let (every_board, reason) = match &verdict.status {
            Status::Proved { every_board, exchange } => (*every_board, exchange.clone()),
            Status::Supposed { every_board, .. } => (*every_board, None),
            Status::Undecided(reason) | Status::Vacuous(reason) => (false, Some(reason.clone())),
            Status::Refuted(_) => (false, None),
        };
        ProofRecord {
            technique: verdict.technique.clone(),
            args: verdict.args.clone(),
            case: verdict.variant,
            label: one.label.clone(),
            name: one.name.clone(),
            board: verdict.board.clone(),
            status: verdict.status.word().to_string(),
            sound: match verdict.status {
                Status::Supposed { sound, .. } => Some(sound),
                _ => None,
            },
            every_board,
            reason,
            rests_on: verdict.rests_on.clone(),
            counterexample: None,
            implied_by: None,
            implied_directly_by: Vec::new(),
            not_comparable: Vec::new(),
            repairs: Vec::new(),
            more: more.map(|more| more.iter().map(|one| said(one, lines)).collect()),
            seconds,
            clauses: verdict.effort.clauses,
            variables: verdict.effort.variables,
            conflicts: verdict.effort.conflicts,
            scene: None,
            cached: false,
        }
    }

    /// Status as a column of `pinion prove`. [`Status`] displays as a sentence with the reason; verdicts of premises are worded by
    /// the prover.
    pub fn words(&self) -> String {
        match (self.status.as_str(), self.every_board) {
            ("proved", true) => "proved on every board".into(),
            ("proved", false) => format!("proved on {}", self.board),
            ("supposed", _) if self.sound == Some(true) => "proved with what it uses".into(),
            ("supposed", _) => "as sound as what it uses".into(),
            ("undecided", _) => "not decided".into(),
            ("vacuous", _) => "says nothing".into(),
            (other, _) => other.into(),
        }
    }
}

/// A suggestion in words.
fn said(more: &Suggestion, lines: &[Option<SourceLine>]) -> String {
    let words = &more.line;
    let line = more.statement.and_then(|at| lines.get(at)?.as_ref());
    // The author's line, where it says it in other words.
    let line = line.map_or(String::new(), |line| match line.text.contains(words.as_str()) {
        true => format!(" (line {})", line.number),
        false => format!(" (line {}: `{}`)", line.number, line.text),
    });
    match more.change {
        Change::Conclude => format!("it could also conclude: {words}"),
        Change::Drop => format!("not needed: {words}{line}"),
        Change::Together => format!("not needed, even together: {words}"),
        Change::Alone => "only one of these can be dropped, not two together".to_owned(),
        Change::Relax => format!("a weaker requirement is enough: {words}{line}"),
    }
}

/// Changes with every change of the sources that a verdict rests on.
const PROVER: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("PINION_SOURCES"));

/// The purpose of the seal, which is part of its key.
const PURPOSE: &str = "pinion, verdicts of the prover that are kept from run to run";

/// The folder of the records below the cache folder.
const PROOFS: &str = "proofs";

/// No record is longer, in bytes.
const LONGEST: u64 = 1 << 20;

/// The cache folder with the records; none where it is switched off or there is no place for one.
pub struct Cache {
    folder: Option<PathBuf>,
    /// True once the user was informed that nothing can be kept.
    reported: Cell<bool>,
}

impl Cache {
    /// The records in the cache folder.
    pub fn open(off: bool) -> Cache {
        Cache { folder: files::cache_folder().filter(|_| !off), reported: Cell::default() }
    }

    /// The name of a record.
    pub fn key(
        &self,
        (technique, args, variant): (&Technique, &[u32], usize),
        sources: &[LinkSource],
        rules: &[Technique],
        geometry: &Geometry,
    ) -> Option<String> {
        self.folder.as_ref()?;
        cache_key((technique, args, variant), sources, rules, geometry, PROVER)
    }

    /// A record of an earlier run, for a proof that is made if there is none.
    pub fn get(&self, key: &str) -> Option<ProofRecord> {
        self.find(key).unwrap_or_else(|path| {
            remark(&format!("{} is not a record of this proof: it is proved again", path.display()));
            None
        })
    }

    /// A record of an earlier run; the path of what is in its place and none.
    pub fn find(&self, key: &str) -> Result<Option<ProofRecord>, PathBuf> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let path = folder.join(PROOFS).join(key);
        let found = match files::read(&path, LONGEST) {
            Ok(text) => unsealed(key, &text),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            Err(_) => None,
        };
        let known = |record| ProofRecord { cached: true, ..record };
        found.map(known).map(Some).ok_or(path)
    }

    /// Writes a record to the cache.
    pub fn put(&self, key: &str, record: &ProofRecord) {
        let Some(folder) = &self.folder else { return };
        let kept =
            sealed(key, record).and_then(|text| files::put(folder, &Path::new(PROOFS).join(key), text.as_bytes()));
        if let Err(error) = kept
            && !self.reported.replace(true)
        {
            remark(&format!("proofs cannot be kept in {}: {error}", folder.join(PROOFS).display()));
        }
    }
}

/// A record as it is written: its seal and its key in the first line, below them what they are of.
fn sealed(key: &str, record: &ProofRecord) -> io::Result<String> {
    let content = serde_json::to_string(record)?;
    Ok(format!("{} {key}\n{content}\n", seal(key, &content)))
}

/// The record that a text holds, if it is the one that was written under this key by this program.
fn unsealed(key: &str, text: &str) -> Option<ProofRecord> {
    let (head, content) = text.strip_suffix('\n')?.split_once('\n')?;
    let genuine = head == format!("{} {key}", seal(key, content));
    if genuine { serde_json::from_str(content).ok() } else { None }
}

/// Computes the seal. It cannot arise by accident; a reader of the sources can make it.
fn seal(key: &str, content: &str) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new_derive_key(PURPOSE);
    hasher.update(PROVER.as_bytes());
    let own = hasher.finalize();
    // A key has no line break, so no other key and content give the same text.
    blake3::keyed_hash(own.as_bytes(), format!("{key}\n{content}").as_bytes())
}
