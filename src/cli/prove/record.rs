//! Verdicts as they are shown, written as JSON and kept from run to run. In: a verdict and the time it took. Out: records of this
//! run and of earlier ones; and from them the soundness of added rules on a board.
//!
//! A kept record is found by a hash of the rule as checked, its arguments, the link sources, the techniques that it uses under
//! suppositions, the board and the prover itself, so no change of any of them can be overlooked. It carries that hash and a seal over hash
//! and content: a record that was damaged, edited or moved is no record, and the rule is proved anew. A cache that cannot be read or written
//! is no reason to fail, nor to wait.

use crate::cli::corpus::{in_order, processors};
use crate::cli::files;
use crate::cli::prelude::*;
use crate::lang::ir::{LinkSource, Space, Technique};
use crate::proof::{Counterexample, Ground, Member, Status, SuggestedChange, Suggestion, Verdict, cache_key};
use crate::render::Scene;
use crate::solve::{AddedSoundness, Soundness, member_label, member_names};
use crate::workbench::{ExplainedLine, SourceLine, quick_verdict, soundness_of};
use serde::Deserialize;
use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// One member on one board.
#[derive(Default, Serialize, Deserialize)]
pub struct VerdictRecord {
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
    pub counterexample: Option<CounterexampleRecord>,
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
#[derive(Serialize, Deserialize)]
pub struct CounterexampleRecord {
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
    pub lines: Vec<ExplainedLine>,
}

impl CounterexampleRecord {
    /// With what the names of the rule stand for, and what it demands, line by line.
    pub fn new(
        geometry: &Geometry,
        example: &Counterexample,
        (names, lines): (Vec<(String, String)>, Vec<ExplainedLine>),
    ) -> CounterexampleRecord {
        let facts: Vec<String> = lines.iter().flat_map(|line| &line.facts).map(|fact| format!("  {fact}\n")).collect();
        let demanded = match facts.is_empty() {
            true => String::new(),
            false => format!("Everything that the rule demands holds:\n\n{}\n", facts.concat()),
        };
        CounterexampleRecord {
            grid: example.grid().to_string(),
            concludes: notation::deduction(geometry, example.wrong, example.placed),
            solution: example.solution.iter().map(ToString::to_string).collect(),
            text: format!("{}\n{demanded}{}", example.drawing, example.contradiction),
            names,
            lines,
        }
    }
}

impl VerdictRecord {
    /// From a verdict on a member, and the time it took.
    pub fn new(technique: &Technique, verdict: Verdict, seconds: f64) -> VerdictRecord {
        let mut record = VerdictRecord {
            args: verdict.args,
            case: verdict.variant,
            board: verdict.board,
            status: verdict.status.word().to_string(),
            rests_on: verdict.rests_on,
            seconds,
            clauses: verdict.effort.clauses,
            variables: verdict.effort.variables,
            conflicts: verdict.effort.conflicts,
            ..VerdictRecord::default()
        };
        match verdict.status {
            Status::Proved { every_board, exchange } => (record.every_board, record.reason) = (every_board, exchange),
            Status::Supposed { every_board, sound } => (record.every_board, record.sound) = (every_board, Some(sound)),
            Status::Undecided(reason) | Status::Vacuous(reason) => record.reason = Some(reason),
            Status::Refuted(_) => {}
        }
        record.named(technique)
    }

    /// With the names of a technique.
    pub fn named(mut self, technique: &Technique) -> VerdictRecord {
        self.technique.clone_from(&technique.id);
        self.label = member_label(&technique.id, &self.args);
        self.name = member_names(technique, self.case, &self.args, Space::Rc).title;
        self
    }

    fn soundness(&self) -> Soundness {
        soundness_of(&self.status, self.sound)
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

/// A suggestion in words; `lines` are those of the rule's file.
pub fn suggestion(more: &Suggestion, lines: &[Option<SourceLine>]) -> String {
    let words = &more.line;
    let line = more.statement.and_then(|at| lines.get(at)?.as_ref());
    // The author's line, where it says it in other words.
    let line = line.map_or(String::new(), |line| match line.text.contains(words.as_str()) {
        true => format!(" (line {})", line.number),
        false => format!(" (line {}: `{}`)", line.number, line.text),
    });
    match more.change {
        SuggestedChange::Conclude => format!("it could also conclude: {words}"),
        SuggestedChange::Drop => format!("not needed: {words}{line}"),
        SuggestedChange::Together => format!("not needed, even together: {words}"),
        SuggestedChange::Alone => "only one of these can be dropped, not two together".to_owned(),
        SuggestedChange::Relax => format!("a weaker requirement is enough: {words}{line}"),
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
    reported: AtomicBool,
}

impl Cache {
    /// The records in the cache folder.
    pub fn open(off: bool) -> Cache {
        Cache { folder: files::cache_folder().filter(|_| !off), reported: AtomicBool::default() }
    }

    /// The name of a record; `rules` and `sources` are those that the member may use.
    pub fn key(
        &self,
        member: Member<'_>,
        (rules, sources): (&[Technique], &[LinkSource]),
        geometry: &Geometry,
    ) -> Option<String> {
        self.folder.as_ref()?;
        cache_key(member, sources, rules, geometry, PROVER)
    }

    /// A record of an earlier run, for a proof that is made if there is none.
    pub fn get(&self, key: &str) -> Option<VerdictRecord> {
        self.find(key).unwrap_or_else(|path| {
            remark(&format!("{} is not a record of this proof: it is proved again", path.display()));
            None
        })
    }

    /// A record of an earlier run; the path of what is in its place and none.
    fn find(&self, key: &str) -> Result<Option<VerdictRecord>, PathBuf> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let path = folder.join(PROOFS).join(key);
        let found = match files::read(&path, LONGEST) {
            Ok(text) => unsealed(key, &text),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            Err(_) => None,
        };
        found.map(|record| Some(VerdictRecord { cached: true, ..record })).ok_or(path)
    }

    /// Writes a record to the cache.
    pub fn put(&self, key: &str, record: &VerdictRecord) {
        let Some(folder) = &self.folder else { return };
        let kept =
            sealed(key, record).and_then(|text| files::put(folder, &Path::new(PROOFS).join(key), text.as_bytes()));
        if let Err(error) = kept
            && !self.reported.swap(true, Ordering::Relaxed)
        {
            remark(&format!("proofs cannot be kept in {}: {error}", folder.join(PROOFS).display()));
        }
    }
}

/// A record as it is written: its seal and its key in the first line, below them what they are of.
fn sealed(key: &str, record: &VerdictRecord) -> io::Result<String> {
    let content = serde_json::to_string(record)?;
    Ok(format!("{} {key}\n{content}\n", seal(key, &content)))
}

/// The record that a text holds, if it is the one that was written under this key by this program.
fn unsealed(key: &str, text: &str) -> Option<VerdictRecord> {
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

/// Ending of the keys of bounded proofs. A proof without bounds may decide more, so it has a record of its own.
const QUICK: &str = "-quick";

/// Bounded proofs of added rules on one board, with the verdicts of earlier runs.
struct QuickProofs<'r> {
    rulebook: &'r Rulebook,
    geometry: &'r Arc<Geometry>,
    cache: Cache,
}

/// The soundness of all added rules on a board. If `trusting`, refuted rules are used all the same. Without a cache every call proves
/// again; a verdict depends on the rules and the board alone, never on time.
pub fn knowledge(rulebook: &Rulebook, geometry: &Arc<Geometry>, trusting: bool) -> AddedSoundness {
    let mut out = AddedSoundness::new(trusting);
    let added: Vec<&Technique> = rulebook.techniques().iter().filter(|one| !rulebook.is_built_in(&one.id)).collect();
    if added.is_empty() {
        return out;
    }
    let proofs = QuickProofs { rulebook, geometry, cache: Cache::open(false) };
    let size = geometry.size() as u32;
    let cases = added
        .iter()
        .flat_map(|one| one.member_variants(size).into_iter().map(move |(args, variant)| (one, args, variant)));
    let Ok(()) = in_order(
        cases,
        processors(),
        |_, (technique, args, variant)| {
            let member = Member { technique, args: &args, variant };
            (technique, proofs.soundness(member, &(Rc::new(limits::reached) as _)), args, variant)
        },
        |(technique, soundness, args, variant)| {
            out.add(technique, (&args, variant), soundness);
            Ok::<(), Infallible>(())
        },
    );
    out.spread_refutations(&added, size);
    out
}

/// The soundness of one technique on a board: that of its worst member. `None` if it was given up.
pub fn technique_soundness(
    rulebook: &Rulebook,
    technique: &Technique,
    geometry: &Arc<Geometry>,
    halt: &Rc<dyn Fn() -> bool>,
) -> Option<Soundness> {
    let proofs = QuickProofs { rulebook, geometry, cache: Cache::open(false) };
    let mut worst = Soundness::Proved;
    for (args, variant) in technique.member_variants(geometry.size() as u32) {
        worst = worst.max(proofs.soundness(Member { technique, args: &args, variant }, halt));
        if halt() {
            return None;
        }
    }
    Some(worst)
}

impl QuickProofs<'_> {
    /// The soundness of a member by a verdict of an earlier run, or else by a proof; one without bounds counts more than a bounded one.
    fn soundness(&self, member: Member<'_>, halt: &Rc<dyn Fn() -> bool>) -> Soundness {
        let known = (self.rulebook.techniques(), self.rulebook.sources());
        let key = self.cache.key(member, known, self.geometry).unwrap_or_default();
        let quick = format!("{key}{QUICK}");
        let settled = self.earlier(&key).filter(|record| record.status != "undecided");
        if let Some(record) = settled.or_else(|| self.earlier(&quick)) {
            return record.soundness();
        }
        let _busy = busy(format!("proving added rules on {}", self.geometry.spec().name));
        let clock = Instant::now();
        let verdict = quick_verdict(self.geometry, member, known, halt);
        let record = VerdictRecord::new(member.technique, verdict, clock.elapsed().as_secs_f64());
        // A proof that a limit or an interrupt ended decides nothing.
        if !halt() && !key.is_empty() {
            self.cache.put(&quick, &record);
        }
        record.soundness()
    }

    fn earlier(&self, key: &str) -> Option<VerdictRecord> {
        self.cache.find(key).ok().flatten()
    }
}
