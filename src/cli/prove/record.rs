//! Records of verdicts, for the output and for the cache. From these records, other commands derive whether added rules are sound on a board.
//!
//! The key of a cached record is a hash of the IR of the rule, its arguments, the link sources, the techniques that it uses under assumptions,
//! the board and the sources of the prover. A record also contains its key, and a seal over key and content. A record that was damaged,
//! edited or renamed is ignored, and the rule is proved again. If the cache cannot be read or written, proofs run without a cache.

use crate::cli::corpus::{in_order, processor_count};
use crate::cli::prelude::*;
use crate::lang::ir::{ItemName, LinkSource, Space, dependencies, reachable};
use crate::proof::{Counterexample, Member, Premise, Status, SuggestedChange, Suggestion, Verdict, cache_key};
use crate::render::Scene;
use crate::solve::{AddedRuleSoundness, Soundness, member_label, member_names};
use crate::workbench::{ExplainedLine, SourceLine, quick_verdict, soundness_of};
use serde::Deserialize;
use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Default, Serialize, Deserialize)]
pub struct VerdictRecord {
    pub technique: String,
    pub args: Vec<u32>,
    #[serde(rename = "case")]
    pub variant: usize,
    /// `id(4)`.
    pub label: String,
    pub name: String,
    pub board: String,
    /// `proved`, `supposed`, `refuted`, `undecided` or `vacuous`.
    pub status: String,
    /// For a rule with assumptions: true if everything that the rule uses under the assumptions is proved.
    pub sound: Option<bool>,
    /// True if the verdict holds on every board, because the proof uses only facts that the rule cites.
    pub every_board: bool,
    /// Reason of an undecided or vacuous verdict; for a proved rule that assumes one solution, how the second grid is made.
    pub reason: Option<String>,
    /// Lemmas, link sources and other techniques that the verdict rests on.
    pub rests_on: Vec<Premise>,
    pub counterexample: Option<CounterexampleRecord>,
    /// Suggestions to strengthen the rule, each with a line to paste; only with `--strengthen`.
    #[serde(rename = "more")]
    pub suggestions: Option<Vec<String>>,
    /// Members of other rules that include this member as a special case, in words; only with `--implied-by`.
    #[serde(default)]
    pub implied_by: Option<Vec<String>>,
    /// The members of `implied_by` that do not follow from other members of the list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub implied_directly_by: Vec<String>,
    /// Rules that cannot be compared with this one, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_comparable: Vec<String>,
    /// Changes that make a wrong rule right; each is proved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<String>,
    pub seconds: f64,
    pub clauses: u64,
    pub variables: u64,
    pub conflicts: u64,
    /// The picture of the counterexample; `None` for a cached record.
    #[serde(skip)]
    pub scene: Option<Scene>,
    /// True for a record of an earlier run.
    pub cached: bool,
}

#[derive(Serialize, Deserialize)]
pub struct CounterexampleRecord {
    /// The candidate grid, as `pinion find` reads it.
    pub grid: String,
    /// The wrongly concluded candidate, `r1c2<>3` or `r1c2=3`.
    pub concludes: String,
    /// The solution that contradicts the conclusion, row by row.
    pub solution: String,
    pub text: String,
    pub names: Vec<(String, String)>,
    pub lines: Vec<ExplainedLine>,
}

impl CounterexampleRecord {
    pub fn new(
        geometry: &Geometry,
        example: &Counterexample,
        (names, lines): (Vec<(String, String)>, Vec<ExplainedLine>),
    ) -> CounterexampleRecord {
        let facts: Vec<String> = lines.iter().flat_map(|line| &line.facts).map(|fact| format!("  {fact}\n")).collect();
        let requirements = match facts.is_empty() {
            true => String::new(),
            false => format!("Everything that the rule demands holds:\n\n{}\n", facts.concat()),
        };
        CounterexampleRecord {
            grid: example.grid().to_string(),
            concludes: notation::deduction(geometry, example.wrong, example.placed),
            solution: example.solution.iter().map(ToString::to_string).collect(),
            text: format!("{}\n{requirements}{}", example.drawing, example.contradiction),
            names,
            lines,
        }
    }
}

impl VerdictRecord {
    /// Converts a verdict; `seconds` is the time of the proof.
    pub fn new(technique: &Technique, verdict: Verdict, seconds: f64) -> VerdictRecord {
        let mut record = VerdictRecord {
            args: verdict.args,
            variant: verdict.variant,
            board: verdict.board,
            status: verdict.status.name().to_string(),
            rests_on: verdict.rests_on,
            seconds,
            clauses: verdict.effort.clauses,
            variables: verdict.effort.variables,
            conflicts: verdict.effort.conflicts,
            ..VerdictRecord::default()
        };
        match verdict.status {
            Status::Proved { every_board, exchange } => (record.every_board, record.reason) = (every_board, exchange),
            Status::Conditional { every_board, sound } => {
                (record.every_board, record.sound) = (every_board, Some(sound))
            }
            Status::Undecided(reason) | Status::Vacuous(reason) => record.reason = Some(reason),
            Status::Refuted(_) => {}
        }
        record.named(technique)
    }

    /// Returns the record with the id, label and name of a technique.
    pub fn named(mut self, technique: &Technique) -> VerdictRecord {
        self.technique.clone_from(&technique.id);
        self.label = member_label(&technique.id, &self.args);
        self.name = member_names(technique, self.variant, &self.args, Space::Rc).title;
        self
    }

    fn soundness(&self) -> Soundness {
        soundness_of(&self.status, self.sound)
    }

    pub fn status_text(&self) -> String {
        match (self.status.as_str(), self.every_board) {
            ("proved", true) => "proved on every board".into(),
            ("proved", false) => format!("proved on {}", self.board),
            ("supposed", _) if self.sound == Some(true) => "proved with what it uses".into(),
            ("supposed", _) => "as sound as what it uses".into(),
            ("undecided", _) => "not decided".into(),
            ("vacuous", _) => "says nothing".into(),
            (status, _) => status.into(),
        }
    }
}

/// Describes a suggestion. `lines` has the source line of each statement of the rule.
pub fn suggestion_text(suggestion: &Suggestion, lines: &[Option<SourceLine>]) -> String {
    let statement = &suggestion.line;
    let line = suggestion.statement.and_then(|index| lines.get(index)?.as_ref());
    let location = match line {
        None => String::new(),
        Some(line) if line.text.contains(statement.as_str()) => format!(" (line {})", line.number),
        // The author wrote the statement differently.
        Some(line) => format!(" (line {}: `{}`)", line.number, line.text),
    };
    match suggestion.change {
        SuggestedChange::Conclude => format!("it could also conclude: {statement}"),
        SuggestedChange::Drop => format!("not needed: {statement}{location}"),
        SuggestedChange::DropTogether => format!("not needed, even together: {statement}"),
        SuggestedChange::DropOnlyOne => "only one of these can be dropped, not two together".to_owned(),
        SuggestedChange::Relax => format!("a weaker requirement is enough: {statement}{location}"),
    }
}

/// Version of the prover; `PINION_SOURCES` is a hash of the source files that influence a verdict.
const PROVER_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("PINION_SOURCES"));

/// The purpose of the seal, from which blake3 derives the key of the hash.
const SEAL_PURPOSE: &str = "pinion, verdicts of the prover that are kept from run to run";

/// The folder of the records below the cache folder.
const PROOFS: &str = "proofs";

const MAX_RECORD_BYTES: u64 = 1 << 20;

#[derive(Default)]
pub struct Cache {
    /// `None` if the cache is disabled, or there is no cache folder.
    folder: Option<PathBuf>,
    /// True once the user was informed that records cannot be written.
    is_failure_reported: AtomicBool,
}

impl Cache {
    pub fn open() -> Cache {
        Cache { folder: files::cache_folder(), ..Cache::default() }
    }

    /// Returns the key of a record. `rules` and `sources` are the techniques and link sources that the member may use.
    pub fn key(
        &self,
        member: Member<'_>,
        (rules, sources): (&[Technique], &[LinkSource]),
        geometry: &Geometry,
    ) -> Option<String> {
        self.folder.as_ref()?;
        cache_key(member, sources, rules, geometry, PROVER_VERSION)
    }

    /// Returns the record of an earlier run. Reports the file of this key if the file does not contain the record.
    pub fn get(&self, key: &str) -> Option<VerdictRecord> {
        match self.find(key) {
            Ok(record) => record,
            Err(path) => {
                remark(&format!("{} is not a record of this proof: it is proved again", path.display()));
                None
            }
        }
    }

    /// Returns the record of an earlier run, or the path of the file of this key if the file does not contain the record.
    fn find(&self, key: &str) -> Result<Option<VerdictRecord>, PathBuf> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let path = folder.join(PROOFS).join(key);
        let record = match files::read_limited(&path, MAX_RECORD_BYTES) {
            Ok(text) => unseal(key, &text),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            Err(_) => None,
        };
        match record {
            Some(record) => Ok(Some(VerdictRecord { cached: true, ..record })),
            None => Err(path),
        }
    }

    /// Writes a record. Reports only the first failure.
    pub fn put(&self, key: &str, record: &VerdictRecord) {
        let Some(folder) = &self.folder else { return };
        let name = Path::new(PROOFS).join(key);
        let result = serde_json::to_string(record).map_err(io::Error::from).and_then(|content| {
            let text = format!("{} {key}\n{content}\n", seal(key, &content));
            files::write_to_cache(folder, &name, text.as_bytes())
        });
        if let Err(error) = result
            && !self.is_failure_reported.swap(true, Ordering::Relaxed)
        {
            remark(&format!("proofs cannot be kept in {}: {error}", folder.join(PROOFS).display()));
        }
    }
}

/// Parses the text of a cache file: a line with the seal and the key, and the record as JSON. Returns `None` if this program did not write it under this key.
fn unseal(key: &str, text: &str) -> Option<VerdictRecord> {
    let (head, content) = text.strip_suffix('\n')?.split_once('\n')?;
    let is_genuine = head == format!("{} {key}", seal(key, content));
    if is_genuine { serde_json::from_str(content).ok() } else { None }
}

/// Computes the seal, a keyed hash. The seal protects against accidents, not against forgery, because the sources show the key.
fn seal(key: &str, content: &str) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new_derive_key(SEAL_PURPOSE);
    hasher.update(PROVER_VERSION.as_bytes());
    let hash_key = hasher.finalize();
    // A key has no line break, so the text determines key and content.
    blake3::keyed_hash(hash_key.as_bytes(), format!("{key}\n{content}").as_bytes())
}

/// Ending of the keys of bounded proofs. An unbounded proof may decide more rules, so its record has another key.
const QUICK_SUFFIX: &str = "-quick";

/// Bounded proofs of added rules on one board, with the verdicts of earlier runs.
struct QuickProofs<'r> {
    rulebook: &'r Rulebook,
    geometry: &'r Arc<Geometry>,
    cache: Cache,
}

/// Returns the soundness of all added rules on a board, from the cache or by bounded proofs. The bounds count work and not time, so that
/// the result depends only on the rules and the board. If `trusts_refuted`, refuted rules are used like others.
///
/// With `searched`, proves only the rules of these ids and the rules that they use; all other added rules count as unproved.
pub fn soundness_of_added_rules(
    rulebook: &Rulebook,
    geometry: &Arc<Geometry>,
    trusts_refuted: bool,
    searched: Option<&BTreeSet<String>>,
) -> AddedRuleSoundness {
    let mut added_soundness = AddedRuleSoundness::new(trusts_refuted);
    let mut added: Vec<&Technique> =
        rulebook.techniques().iter().filter(|technique| !rulebook.is_built_in(&technique.id)).collect();
    if let Some(searched) = searched {
        let graph = dependencies(rulebook.techniques().iter(), &[]);
        let used = reachable(&graph, searched.iter().map(|id| ItemName::Technique(id)));
        added.retain(|technique| used.contains(&ItemName::Technique(&technique.id)));
    }
    if added.is_empty() {
        return added_soundness;
    }
    let proofs = QuickProofs { rulebook, geometry, cache: Cache::open() };
    let size = geometry.size() as u32;
    let mut members = Vec::new();
    for technique in &added {
        members.extend(technique.member_variants(size).into_iter().map(|(args, variant)| (*technique, args, variant)));
    }
    let Ok(()) = in_order(
        members.into_iter(),
        processor_count(),
        |_, (technique, args, variant)| {
            let halt: Rc<dyn Fn() -> bool> = Rc::new(limits::is_reached);
            let soundness = proofs.soundness(Member { technique, args: &args, variant }, &halt);
            (technique, args, variant, soundness)
        },
        |(technique, args, variant, soundness)| {
            added_soundness.add(technique, (&args, variant), soundness);
            Ok::<(), Infallible>(())
        },
    );
    added_soundness.spread_refutations(&added, size);
    added_soundness
}

/// Returns the soundness of one technique on a board, which is the soundness of its worst member. Returns `None` if `halt` cancelled the proof.
pub fn technique_soundness(
    rulebook: &Rulebook,
    technique: &Technique,
    geometry: &Arc<Geometry>,
    halt: &Rc<dyn Fn() -> bool>,
) -> Option<Soundness> {
    let proofs = QuickProofs { rulebook, geometry, cache: Cache::open() };
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
    /// Returns the soundness of a member. The first of these verdicts decides: a cached verdict of an unbounded proof,
    /// a cached verdict of a bounded proof, the verdict of a new bounded proof.
    fn soundness(&self, member: Member<'_>, halt: &Rc<dyn Fn() -> bool>) -> Soundness {
        let rules = (self.rulebook.techniques(), self.rulebook.sources());
        let key = self.cache.key(member, rules, self.geometry);
        if let Some(key) = &key {
            if let Ok(Some(record)) = self.cache.find(key)
                && record.status != "undecided"
            {
                return record.soundness();
            }
            if let Ok(Some(record)) = self.cache.find(&format!("{key}{QUICK_SUFFIX}")) {
                return record.soundness();
            }
        }
        let _work = announce_work(format!("proving added rules on {}", self.geometry.spec().name));
        let clock = Instant::now();
        let verdict = quick_verdict(self.geometry, member, rules, halt);
        let record = VerdictRecord::new(member.technique, verdict, clock.elapsed().as_secs_f64());
        // The verdict of a cancelled proof is not cached.
        if let Some(key) = key
            && !halt()
        {
            self.cache.put(&format!("{key}{QUICK_SUFFIX}"), &record);
        }
        record.soundness()
    }
}
