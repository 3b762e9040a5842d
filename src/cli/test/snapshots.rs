//! Snapshots beside rule files. In: the loaded rules and the test files beside them. Out: the result for each position, pending snapshots with
//! their review, and snapshots that no position makes any more.
//!
//! Beside `rule.pinion` the file `rule.test` holds positions for its rules, and `all.test` for the rules of every file of
//! the folder. Snapshots lie in the folder `snapshots` there; those that `--pending` writes end in `.snap.new`.

use crate::cli::files;
use crate::cli::input::{LONGEST_FILE, format_failure, text};
use crate::cli::prelude::*;
use crate::cli::test::TestedRules;
use crate::cli::test::rules::{TestKind, TestOutcome, TestVerdict, wrong_words};
use crate::lang::ir::Technique;
use crate::render::candidate_grid as candidates;
use crate::solve::{Catalogue, RuleFile, Step};
use crate::workbench::contradictions;
use crate::workbench::hunt::grid;
use crate::workbench::snapshots::{
    Snapshot, StepFinder, TestPosition, after_steps, contents, deduction_texts, positions, snapshot,
};
use crate::workbench::snapshots::{case_passes, expects_nothing, technique_code};
use console::Term;
use similar::{ChangeTag, TextDiff};
use std::collections::BTreeSet;
use std::io::{BufRead, ErrorKind, IsTerminal};
use std::path::Path;

/// The test file for every rule of a folder.
const ALL: &str = "all.test";
/// The table of codes that lines of libraries have.
const CODES: &str = "hodoku";

/// Results of the test files.
#[derive(Default)]
pub struct Snapshots {
    /// In order of the rules and positions.
    pub outcomes: Vec<TestOutcome>,
    /// Snapshots that differ from the accepted ones.
    pub pending: Vec<Pending>,
    /// Accepted snapshots that are as they must be.
    pub accepted: Vec<PathBuf>,
    /// Files that nothing makes any more.
    pub stale: Vec<PathBuf>,
    /// Techniques that find nothing on all of their positions, with how many these are.
    pub silent: Vec<(String, usize)>,
    /// The outcomes of positions on which something is found.
    pub fired: BTreeSet<usize>,
    /// Snapshots of positions that have another name now: where they lie, and where they belong.
    pub moved: Vec<(PathBuf, PathBuf)>,
    /// The worst of what could not be read.
    pub worst: Exit,
}

/// A snapshot to be looked at.
pub struct Pending {
    /// Path of the accepted snapshot.
    pub path: PathBuf,
    /// Contents accepted before.
    pub old: Option<String>,
    /// Present snapshot.
    pub new: Snapshot,
    /// The board.
    pub geometry: Arc<Geometry>,
    /// The position.
    pub before: State,
    /// Steps found on it.
    pub steps: Vec<Step>,
    /// Index of its outcome.
    pub outcome: usize,
}

/// Searches every rule on the positions of its test files and compares.
pub fn run(loaded: &TestedRules) -> Snapshots {
    let mut out = Snapshots::default();
    let mut folders = BTreeSet::new();
    let mut made = BTreeSet::new();
    for file in loaded.files() {
        let path = Path::new(&file.name);
        let Some(folder) = path.parent().filter(|_| path.is_file()) else { continue };
        folders.insert(folder.to_path_buf());
        for tests in [path.with_extension("test"), folder.join(ALL)] {
            if tests.is_file() {
                one_file(loaded, file, &tests, &mut made, &mut out);
            } else if tests.symlink_metadata().is_ok() {
                let words = format!("{} is not a file: its tests were not run", tests.display());
                out.worst = out.worst.max(Failure::input(words).report());
            }
        }
    }
    let whole = folders.iter().filter(|folder| is_run_whole(loaded, folder));
    for tests in whole.flat_map(|folder| names_in(folder)).filter(|path| is_orphan(path)) {
        remark(&format!(
            "{} was not run: there is no rule file {}",
            tests.display(),
            tests.with_extension("pinion").display()
        ));
    }
    // Unreadable files may make some of them.
    if loaded.whole && loaded.worst == Exit::Done && out.worst == Exit::Done {
        out.stale = folders.iter().flat_map(|folder| stale(loaded, folder, &made)).collect();
    }
    out
}

/// Returns true for a test file that belongs to no rule file.
fn is_orphan(path: &Path) -> bool {
    path.is_file() && has_extension(path, "test") && !path.ends_with(ALL) && !path.with_extension("pinion").exists()
}

/// The positions of the test files that are for a technique.
pub fn positions_of(loaded: &TestedRules, technique: &Technique) -> Vec<TestPosition> {
    let own = loaded.files().iter().filter(|file| file.techniques.contains(&technique.id));
    let tests = own.flat_map(|file| {
        let path = Path::new(&file.name);
        [path.with_extension("test"), path.with_file_name(ALL)]
    });
    let texts = tests.filter(|path| path.is_file()).filter_map(|path| text(&path).ok());
    texts.flat_map(|text| positions(&text).0).collect()
}

/// The snapshot of a position of a test file, in the folder beside the file.
fn snapshot_path(tests: &Path, technique: &Technique, position: &TestPosition) -> PathBuf {
    let folder = tests.parent().unwrap_or(Path::new("")).join("snapshots");
    folder.join(format!("{}@{}.snap", technique.id, position.key))
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|one| one == extension)
}

fn one_file(loaded: &TestedRules, file: &RuleFile, tests: &Path, made: &mut BTreeSet<PathBuf>, out: &mut Snapshots) {
    let name = tests.display().to_string();
    let read = match text(tests) {
        Ok(text) => text,
        Err(failure) => return out.worst = out.worst.max(failure.report()),
    };
    let (positions, errors) = positions(&read);
    for error in &errors {
        out.worst = out.worst.max(format_failure(Some(&name), error).report());
    }
    if positions.is_empty() && errors.is_empty() {
        out.worst = out.worst.max(Failure::input(format!("there is no puzzle in {name}")).report());
    }
    let own = loaded.techniques().into_iter().filter(|technique| file.techniques.contains(&technique.id));
    for technique in own {
        let all = positions_of(loaded, technique);
        let names: BTreeSet<PathBuf> = all.iter().map(|one| snapshot_path(tests, technique, one)).collect();
        let _busy = busy(format!("searching positions for {}", technique.id));
        let mut finder = StepFinder::new(&loaded.rulebook, technique, limits::halt());
        let mut fired = false;
        for position in &positions {
            let path = snapshot_path(tests, technique, position);
            made.insert(path.clone());
            let from = renamed(technique, position, &path, &|one| names.contains(one) || made.contains(one));
            out.moved.extend(from.clone().map(|from| (from, path.clone())));
            made.extend(from.clone());
            let steps = match finder.steps(&position.geometry, &position.state) {
                Ok(steps) => steps,
                Err(why) => {
                    let outcome = blank(&technique.id, TestKind::Snapshot, &name, position);
                    out.outcomes.push(TestOutcome { verdict: TestVerdict::Unusable, message: Some(why), ..outcome });
                    continue;
                }
            };
            fired |= !steps.is_empty();
            let alone = file.techniques.len() == 1 && !tests.ends_with(ALL);
            out.outcomes.extend(case(&technique.id, alone, &name, position, &steps));
            let new = snapshot(&name_of(tests), &technique.id, position, &steps);
            let old = accepted_text(from.as_ref().unwrap_or(&path)).and_then(|text| contents(&text));
            compare((&technique.id, &name), position, &steps, path, (old, new), out);
            if !steps.is_empty() {
                out.fired.insert(out.outcomes.len() - 1);
            }
        }
        if !fired && !positions.is_empty() {
            out.silent.push((technique.id.clone(), positions.len()));
        }
    }
}

/// The snapshot that a position had under another name: its key ends in the same digest, and no position has it now.
fn renamed(
    technique: &Technique,
    position: &TestPosition,
    path: &Path,
    taken: &dyn Fn(&PathBuf) -> bool,
) -> Option<PathBuf> {
    if path.is_file() {
        return None;
    }
    let digest = position.digest();
    let mut old = names_in(path.parent()?).into_iter().filter(|one| !taken(one));
    old.find(|one| {
        let name = name_of(one);
        let key = name.strip_prefix(&format!("{}@", technique.id)).and_then(|rest| rest.strip_suffix(".snap"));
        key.is_some_and(|key| key == digest || key.ends_with(&format!("_{digest}")))
    })
}

/// The text of an accepted snapshot. Something else in its place is named, and counts as no snapshot.
fn accepted_text(path: &Path) -> Option<String> {
    match files::read(path, LONGEST_FILE as u64) {
        Ok(text) => Some(text),
        Err(error) => {
            if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
                remark(&format!("{} is not a file of text, so it is no snapshot", path.display()));
            }
            None
        }
    }
}

fn blank(technique: &str, kind: TestKind, file: &str, position: &TestPosition) -> TestOutcome {
    TestOutcome {
        technique: technique.to_owned(),
        kind,
        title: Some(position.key.clone()),
        file: Some(file.to_owned()),
        line: Some(position.line),
        ..TestOutcome::default()
    }
}

/// Checks a library line that concerns the technique: by its code, or because the file has no other technique.
fn case(technique: &str, alone: bool, file: &str, position: &TestPosition, steps: &[Step]) -> Option<TestOutcome> {
    let case = position.library.as_ref()?;
    let catalogue = Catalogue::embedded(CODES);
    let entry = catalogue.as_ref().and_then(|catalogue| catalogue.by_code(technique_code(case)));
    let meant = entry.is_some_and(|entry| entry.library_targets().any(|target| target.technique == technique));
    if !alone && !meant {
        return None;
    }
    let outcome = blank(technique, TestKind::Case, file, position);
    if case_passes(case, &position.state, steps) {
        return Some(outcome);
    }
    let listed = notation::deductions(&position.geometry, &case.eliminations, &case.placements);
    let found = deduction_texts(&position.geometry, steps);
    let (missing, message) = match expects_nothing(case) {
        true => (Vec::new(), Some(format!("the line says that this must not be found: {listed}"))),
        false => (vec![listed], None),
    };
    Some(TestOutcome { verdict: TestVerdict::Failed, missing, extra: found, message, ..outcome })
}

fn compare(
    (technique, file): (&str, &str),
    position: &TestPosition,
    steps: &[Step],
    path: PathBuf,
    (old, new): (Option<String>, Snapshot),
    out: &mut Snapshots,
) {
    let outcome = blank(technique, TestKind::Snapshot, file, position);
    let deductions = steps.iter().map(|step| (step.eliminations.as_slice(), step.placements.as_slice()));
    let wrong = contradictions(&position.geometry, &position.state, deductions);
    if !wrong.is_empty() {
        // Accepted or not: a snapshot says what is right, and this is not.
        out.outcomes.push(TestOutcome { verdict: TestVerdict::Failed, message: Some(wrong_words(&wrong)), ..outcome });
        return;
    }
    if old.as_ref() == Some(&new.contents) {
        out.outcomes.push(outcome);
        out.accepted.push(path);
        return;
    }
    let found = deduction_texts(&position.geometry, steps);
    let verdict = if old.is_some() { TestVerdict::Changed } else { TestVerdict::New };
    let before: Vec<String> = old.iter().flat_map(|old| deductions_in(old)).collect();
    let missing: Vec<String> = before.iter().filter(|one| !found.contains(one)).cloned().collect();
    let extra: Vec<String> = found.iter().filter(|one| !before.contains(one)).cloned().collect();
    let message = (missing.is_empty() && extra.is_empty()).then(|| match (verdict, found.is_empty()) {
        (TestVerdict::New, _) => "nothing is found".to_owned(),
        _ => "the same deductions in other words, or for other reasons".to_owned(),
    });
    let at = out.outcomes.len();
    out.outcomes.push(TestOutcome { verdict, missing, extra, message, ..outcome });
    let (geometry, before, steps) = (Arc::clone(&position.geometry), position.state.clone(), steps.to_vec());
    out.pending.push(Pending { path, old, new, geometry, before, steps, outcome: at });
}

/// The deductions of a snapshot, as its lines have them after `=>`.
fn deductions_in(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with(' '));
    lines.filter_map(|line| Some(line.rsplit_once(" => ")?.1.to_owned())).collect()
}

/// Returns the path of a pending snapshot.
pub fn pending_path(path: &Path) -> PathBuf {
    path.with_extension("snap.new")
}

/// Snapshots that no position makes, of the rules that were run; and of rules that no file has any more, where every rule
/// file of the folder was run.
fn stale(loaded: &TestedRules, folder: &Path, made: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let (run, whole) = (files_in(loaded, folder), is_run_whole(loaded, folder));
    let mut all = names_in(&folder.join("snapshots"));
    all.retain(|path| {
        let name = name_of(path);
        let Some((technique, rest)) = name.split_once('@') else { return false };
        let known = loaded.rulebook.techniques().iter().any(|one| one.id == technique);
        let was_run = run.iter().any(|file| file.techniques.iter().any(|id| id == technique));
        let is_ours = (rest.ends_with(".snap") || rest.ends_with(".snap.new")) && (was_run || (whole && !known));
        // A pending snapshot belongs to one that was made.
        let is_pending = has_extension(path, "new") && made.contains(&path.with_extension(""));
        is_ours && !is_pending && !made.contains(path)
    });
    all
}

/// The files of a folder that are meant.
fn files_in<'l>(loaded: &'l TestedRules, folder: &Path) -> Vec<&'l RuleFile> {
    loaded.files().iter().filter(|file| Path::new(&file.name).parent() == Some(folder)).collect()
}

/// Returns true if every rule file of a folder is meant.
fn is_run_whole(loaded: &TestedRules, folder: &Path) -> bool {
    let run = files_in(loaded, folder);
    let mut rules = names_in(folder).into_iter().filter(|path| has_extension(path, "pinion"));
    rules.all(|path| run.iter().any(|file| Path::new(&file.name).file_name() == path.file_name()))
}

/// Lists the paths in a folder, in order; an empty name is the current folder.
fn names_in(folder: &Path) -> Vec<PathBuf> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = std::fs::read_dir(here) else { return Vec::new() };
    let mut all: Vec<PathBuf> = entries.flatten().map(|entry| folder.join(entry.file_name())).collect();
    all.sort();
    all
}

/// Decision on a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Accept,
    Reject,
    Skip,
}

/// Shows one and asks; keys on a terminal, lines elsewhere. The end of the input skips.
pub fn ask(one: &Pending, number: usize, count: usize, out: &mut Output) -> Result<Decision, Stop> {
    out.lines(&comparison(one, number, count, out.width()))?;
    loop {
        out.lines(&[Line::styled(Role::Name, "accept [a], reject [r], skip [s]?")])?;
        out.flush()?;
        let key = if std::io::stdin().is_terminal() {
            Term::stdout().read_char().ok()
        } else {
            let mut line = String::new();
            match std::io::stdin().lock().read_line(&mut line) {
                Ok(0) | Err(_) => None,
                Ok(_) => line.trim().chars().next().or(Some(' ')),
            }
        };
        match key.map(|key| key.to_ascii_lowercase()) {
            Some('a' | 'y') => return Ok(Decision::Accept),
            Some('r' | 'n') => return Ok(Decision::Reject),
            Some('s') | None => return Ok(Decision::Skip),
            Some(_) => {}
        }
    }
}

/// The position before and after, and what changes in the text.
fn comparison(one: &Pending, number: usize, count: usize, columns: Option<usize>) -> Vec<Line> {
    let word = if one.old.is_some() { "changed" } else { "new" };
    let head = format!("{number} of {count}: {word} snapshot {}", one.path.display());
    let mut lines = vec![Line::default(), Line::styled(Role::Name, head)];
    let next = after_steps(&one.geometry, &one.before, &one.steps);
    let (left, right) = (grid(&one.geometry, &one.before), grid(&one.geometry, &next));
    let width = left.lines().map(|line| line.chars().count()).max().unwrap_or(0).max(6);
    if columns.is_some_and(|columns| 2 * width + 6 > columns) {
        for (words, state) in [("before", &one.before), ("after", &next)] {
            lines.push(Line::styled(Role::Quiet, words));
            lines.extend(candidates(&one.geometry, state, columns));
        }
    } else {
        lines.push(Line::styled(Role::Quiet, format!("  {:<width$}    after", "before")));
        for (left, right) in left.lines().zip(right.lines()) {
            let role = if left.split_whitespace().eq(right.split_whitespace()) { Role::Plain } else { Role::Placement };
            lines.push(Line::text(format!("  {left:<width$}    ")).with(role, right));
        }
    }
    lines.push(Line::default());
    let old = one.old.as_deref().filter(|old| !old.is_empty()).map_or(String::new(), without_position);
    let new = without_position(&one.new.contents);
    for change in TextDiff::from_lines(&old, &new).iter_all_changes() {
        let text = change.value().trim_end();
        lines.push(match change.tag() {
            ChangeTag::Delete => Line::styled(Role::Elimination, format!("- {text}")),
            ChangeTag::Insert => Line::styled(Role::Placement, format!("+ {text}")),
            ChangeTag::Equal => Line::text(format!("  {text}")),
        });
    }
    lines
}

/// The text of a snapshot below the position.
fn without_position(text: &str) -> String {
    text.split_once("\n\n").map_or(text, |(_, rest)| rest).to_owned() + "\n"
}
