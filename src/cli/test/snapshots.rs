//! Compares the matches of rules on the positions of test files with accepted snapshots. Out: an outcome for each position, pending snapshots
//! and their review, and stale snapshots, which no position has any more.
//!
//! The test file `wing.test` holds positions for the rules of `wing.pinion` beside it. The test file `all.test` holds positions for all rules
//! of its folder. Snapshots are in the subfolder `snapshots`: `.snap` files are accepted, `.snap.new` files (of `--pending`) are not.

use crate::cli::input::{MAX_FILE_BYTES, format_failure, read_text};
use crate::cli::prelude::*;
use crate::cli::test::TestedRules;
use crate::cli::test::library::CATALOGUE;
use crate::cli::test::rules::{TestKind, TestOutcome, TestVerdict, contradiction_message};
use crate::render::candidate_grid;
use crate::solve::{Catalogue, RuleFile, Step};
use crate::workbench::hunt::grid;
use crate::workbench::snapshots::{
    Snapshot, TestPosition, contents, deduction_texts, entry_passes, expects_nothing, positions, snapshot,
    state_after_steps, technique_code,
};
use crate::workbench::{Engines, contradictions};
use console::Term;
use similar::{ChangeTag, TextDiff};
use std::io::{BufRead, ErrorKind, IsTerminal};

/// The test file for every rule of a folder.
const ALL_TESTS: &str = "all.test";

#[derive(Default)]
pub struct Snapshots {
    pub outcomes: Vec<TestOutcome>,
    /// New snapshots, and snapshots that differ from the accepted ones.
    pub pending: Vec<NewSnapshot>,
    /// Paths of accepted snapshots that still hold.
    pub accepted: Vec<PathBuf>,
    /// Paths of snapshots that no position has any more.
    pub stale: Vec<PathBuf>,
    /// Techniques without a match on any position of a test file, with the number of positions.
    pub silent: Vec<(String, usize)>,
    pub outcomes_with_match: BTreeSet<usize>,
    /// Old and new paths of snapshots whose positions have another name now.
    pub renamed: Vec<(PathBuf, PathBuf)>,
    pub highest_exit: Exit,
}

/// The snapshot of a position in this run, beside the accepted snapshot.
pub struct NewSnapshot {
    pub path: PathBuf,
    /// Contents of the accepted snapshot; `None` if no snapshot was accepted yet.
    pub old: Option<String>,
    pub new: Snapshot,
    geometry: Arc<Geometry>,
    state: State,
    steps: Vec<Step>,
    pub outcome: usize,
}

/// Searches every rule on the positions of its test files, and compares the matches with the accepted snapshots.
pub fn run(loaded: &TestedRules) -> Snapshots {
    let mut out = Snapshots::default();
    let mut folders = BTreeSet::new();
    // Paths of the snapshots of all positions.
    let mut current = BTreeSet::new();
    for file in loaded.files() {
        let path = Path::new(&file.name);
        // Built-in rules are not files.
        if !path.is_file() {
            continue;
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        folders.insert(folder.to_owned());
        for test_file in [path.with_extension("test"), folder.join(ALL_TESTS)] {
            if test_file.is_file() {
                run_test_file(loaded, file, &test_file, &mut current, &mut out);
            } else if test_file.symlink_metadata().is_ok() {
                let message = format!("{} is not a file: its tests were not run", test_file.display());
                out.highest_exit = out.highest_exit.max(Failure::input(message).report());
            }
        }
    }
    for folder in folders.iter().filter(|folder| tests_all_rules_of(loaded, folder)) {
        for test_file in paths_in(folder).iter().filter(|path| is_orphan(path)) {
            let rule_file = test_file.with_extension("pinion");
            remark(&format!("{} was not run: there is no rule file {}", test_file.display(), rule_file.display()));
        }
    }
    // An incomplete run does not show which snapshots are stale.
    if !loaded.is_filtered && loaded.highest_exit == Exit::Done && out.highest_exit == Exit::Done {
        out.stale = folders.iter().flat_map(|folder| stale_snapshots(loaded, folder, &current)).collect();
    }
    out
}

fn is_orphan(path: &Path) -> bool {
    path.is_file()
        && has_extension(path, "test")
        && !path.ends_with(ALL_TESTS)
        && !path.with_extension("pinion").exists()
}

/// Returns the positions of all test files for a technique. Files that cannot be read are ignored.
pub fn positions_of(loaded: &TestedRules, technique: &Technique) -> Vec<TestPosition> {
    let mut all_positions = Vec::new();
    for file in loaded.files().iter().filter(|file| file.techniques.contains(&technique.id)) {
        let path = Path::new(&file.name);
        for test_file in [path.with_extension("test"), path.with_file_name(ALL_TESTS)] {
            if test_file.is_file()
                && let Ok(text) = read_text(&test_file)
            {
                all_positions.extend(positions(&text).0);
            }
        }
    }
    all_positions
}

fn snapshot_path(test_file: &Path, technique: &Technique, position: &TestPosition) -> PathBuf {
    let folder = test_file.parent().unwrap_or(Path::new("")).join("snapshots");
    folder.join(format!("{}@{}.snap", technique.id, position.key))
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// Tests the rules of `file` on the positions of a test file. Adds the paths of the snapshots to `current`.
fn run_test_file(
    loaded: &TestedRules,
    file: &RuleFile,
    test_file: &Path,
    current: &mut BTreeSet<PathBuf>,
    out: &mut Snapshots,
) {
    let name = test_file.display().to_string();
    let text = match read_text(test_file) {
        Ok(text) => text,
        Err(failure) => return out.highest_exit = out.highest_exit.max(failure.report()),
    };
    let (positions, errors) = positions(&text);
    for error in &errors {
        out.highest_exit = out.highest_exit.max(format_failure(Some(&name), error).report());
    }
    if positions.is_empty() && errors.is_empty() {
        out.highest_exit = out.highest_exit.max(Failure::input(format!("there is no puzzle in {name}")).report());
    }
    for technique in loaded.techniques() {
        if !file.techniques.contains(&technique.id) {
            continue;
        }
        let all_positions = positions_of(loaded, technique);
        let all_paths: BTreeSet<PathBuf> =
            all_positions.iter().map(|position| snapshot_path(test_file, technique, position)).collect();
        let _work = announce_work(format!("searching positions for {}", technique.id));
        let mut engines = Engines::new(&loaded.rulebook, technique);
        let mut has_match = false;
        for position in &positions {
            let path = snapshot_path(test_file, technique, position);
            current.insert(path.clone());
            let old_path = path_before_renaming(technique, position, &path, &|path| {
                all_paths.contains(path) || current.contains(path)
            });
            if let Some(old_path) = &old_path {
                out.renamed.push((old_path.clone(), path.clone()));
                current.insert(old_path.clone());
            }
            let outcome = passed_outcome(&technique.id, TestKind::Snapshot, &name, position);
            let steps = match engines.steps(&position.geometry, &position.state, limits::halt()) {
                Ok(steps) => steps,
                Err(reason) => {
                    let (verdict, message) = (TestVerdict::Unusable, Some(reason));
                    out.outcomes.push(TestOutcome { verdict, message, ..outcome });
                    continue;
                }
            };
            has_match |= !steps.is_empty();
            let is_only_rule = file.techniques.len() == 1 && !test_file.ends_with(ALL_TESTS);
            out.outcomes.extend(library_outcome(&technique.id, is_only_rule, &name, position, &steps));
            let outcome_index = out.outcomes.len();
            if !steps.is_empty() {
                out.outcomes_with_match.insert(outcome_index);
            }
            let new_snapshot = NewSnapshot {
                old: accepted_text(old_path.as_ref().unwrap_or(&path)).and_then(|text| contents(&text)),
                path,
                new: snapshot(&file_name(test_file), &technique.id, position, &steps),
                geometry: Arc::clone(&position.geometry),
                state: position.state.clone(),
                steps,
                outcome: outcome_index,
            };
            add_outcome(outcome, new_snapshot, out);
        }
        if !has_match && !positions.is_empty() {
            out.silent.push((technique.id.clone(), positions.len()));
        }
    }
}

/// Returns the path of the snapshot that the position had under an earlier name: the file name ends in the digest of the
/// position, and no position uses the path now.
fn path_before_renaming(
    technique: &Technique,
    position: &TestPosition,
    path: &Path,
    is_in_use: &dyn Fn(&PathBuf) -> bool,
) -> Option<PathBuf> {
    if path.is_file() {
        return None;
    }
    let digest = position.digest();
    paths_in(path.parent()?).into_iter().filter(|old_path| !is_in_use(old_path)).find(|old_path| {
        let name = file_name(old_path);
        let key = name.strip_prefix(&format!("{}@", technique.id)).and_then(|rest| rest.strip_suffix(".snap"));
        key.is_some_and(|key| key == digest || key.ends_with(&format!("_{digest}")))
    })
}

/// Reads an accepted snapshot. Returns `None` if there is no such file. Reports a folder or an unreadable file with this
/// name, and returns `None`.
fn accepted_text(path: &Path) -> Option<String> {
    match files::read_limited(path, MAX_FILE_BYTES as u64) {
        Ok(text) => Some(text),
        Err(error) => {
            if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
                remark(&format!("{} is not a file of text, so it is no snapshot", path.display()));
            }
            None
        }
    }
}

fn passed_outcome(technique: &str, kind: TestKind, file: &str, position: &TestPosition) -> TestOutcome {
    TestOutcome {
        technique: technique.to_owned(),
        kind,
        title: Some(position.key.clone()),
        file: Some(file.to_owned()),
        line: Some(position.line),
        ..TestOutcome::default()
    }
}

/// Compares the deductions of a library line with the steps of a technique. Returns `None` if the position is not a
/// library line, or if the code of the line means another technique of a test file for several rules.
fn library_outcome(
    technique: &str,
    is_only_rule: bool,
    file: &str,
    position: &TestPosition,
    steps: &[Step],
) -> Option<TestOutcome> {
    let case = position.library.as_ref()?;
    let catalogue = Catalogue::embedded(CATALOGUE);
    let entry = catalogue.as_ref().and_then(|catalogue| catalogue.by_code(technique_code(case)));
    let has_code = entry.is_some_and(|entry| entry.library_targets().any(|target| target.technique == technique));
    if !is_only_rule && !has_code {
        return None;
    }
    let outcome = passed_outcome(technique, TestKind::Case, file, position);
    if entry_passes(case, &position.state, steps) {
        return Some(outcome);
    }
    let listed = notation::deductions(&position.geometry, &case.eliminations, &case.placements);
    let extra = deduction_texts(&position.geometry, steps);
    let (missing, message) = match expects_nothing(case) {
        true => (Vec::new(), Some(format!("the line says that this must not be found: {listed}"))),
        false => (vec![listed], None),
    };
    Some(TestOutcome { verdict: TestVerdict::Failed, missing, extra, message, ..outcome })
}

/// Compares a new snapshot with the accepted one, and adds the completed `outcome` to `out`.
fn add_outcome(outcome: TestOutcome, snapshot: NewSnapshot, out: &mut Snapshots) {
    let NewSnapshot { path, old, new, geometry, state, steps, .. } = &snapshot;
    let deductions = steps.iter().map(|step| (step.eliminations.as_slice(), step.placements.as_slice()));
    let wrong = contradictions(geometry, state, deductions);
    if !wrong.is_empty() {
        // A snapshot with wrong deductions fails even if it was accepted.
        let (verdict, message) = (TestVerdict::Failed, Some(contradiction_message(&wrong)));
        out.outcomes.push(TestOutcome { verdict, message, ..outcome });
        return;
    }
    if old.as_ref() == Some(&new.contents) {
        out.outcomes.push(outcome);
        out.accepted.push(path.clone());
        return;
    }
    let verdict = if old.is_some() { TestVerdict::Changed } else { TestVerdict::New };
    let found = deduction_texts(geometry, steps);
    // The deductions of a snapshot are the texts behind `=>` of its headlines.
    let headlines = old.iter().flat_map(|old| old.lines()).filter(|line| !line.starts_with(' '));
    let accepted: Vec<String> = headlines.filter_map(|line| Some(line.rsplit_once(" => ")?.1.to_owned())).collect();
    let missing: Vec<String> = accepted.iter().filter(|deduction| !found.contains(deduction)).cloned().collect();
    let extra: Vec<String> = found.iter().filter(|deduction| !accepted.contains(deduction)).cloned().collect();
    let mut message = None;
    if missing.is_empty() && extra.is_empty() {
        message = Some(match verdict {
            TestVerdict::New => "nothing is found".to_owned(),
            _ => "the same deductions in other words, or for other reasons".to_owned(),
        });
    }
    out.outcomes.push(TestOutcome { verdict, missing, extra, message, ..outcome });
    out.pending.push(snapshot);
}

pub fn pending_path(path: &Path) -> PathBuf {
    path.with_extension("snap.new")
}

/// Returns the snapshots of a folder that are not in `current` and belong to tested rules. If all rule files of the
/// folder are tested, also returns the snapshots of rules that no longer exist.
fn stale_snapshots(loaded: &TestedRules, folder: &Path, current: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let tested_files = tested_files_in(loaded, folder);
    let tests_all_rules = tests_all_rules_of(loaded, folder);
    let mut stale = paths_in(&folder.join("snapshots"));
    stale.retain(|path| {
        let name = file_name(path);
        // The name of a snapshot is `technique@key.snap`.
        let Some((technique, rest)) = name.split_once('@') else { return false };
        if !rest.ends_with(".snap") && !rest.ends_with(".snap.new") {
            return false;
        }
        let exists = loaded.rulebook.techniques().iter().any(|rule| rule.id == technique);
        let is_tested = tested_files.iter().any(|file| file.techniques.iter().any(|id| id == technique));
        // `current` has the paths of accepted snapshots: `with_extension("")` removes the `.new` of a pending one.
        let is_current =
            current.contains(path) || has_extension(path, "new") && current.contains(&path.with_extension(""));
        (is_tested || (tests_all_rules && !exists)) && !is_current
    });
    stale
}

fn tested_files_in<'l>(loaded: &'l TestedRules, folder: &Path) -> Vec<&'l RuleFile> {
    loaded.files().iter().filter(|file| Path::new(&file.name).parent() == Some(folder)).collect()
}

fn tests_all_rules_of(loaded: &TestedRules, folder: &Path) -> bool {
    let tested_files = tested_files_in(loaded, folder);
    let mut rule_files = paths_in(folder).into_iter().filter(|path| has_extension(path, "pinion"));
    rule_files.all(|path| tested_files.iter().any(|file| Path::new(&file.name).file_name() == path.file_name()))
}

/// Returns the sorted paths in a folder. An empty path means the current folder.
fn paths_in(folder: &Path) -> Vec<PathBuf> {
    let readable = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = std::fs::read_dir(readable) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| folder.join(entry.file_name())).collect();
    paths.sort();
    paths
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Accept,
    Reject,
    Skip,
}

/// Shows a pending snapshot and asks for a decision. The answer is a key on a terminal, else a line of the standard input. The end of the
/// input means [`Decision::Skip`].
pub fn ask(snapshot: &NewSnapshot, number: usize, count: usize, out: &mut Output) -> Result<Decision, CommandError> {
    out.lines(&comparison(snapshot, number, count, out.width()))?;
    loop {
        out.lines(&[Line::styled(Role::Name, "accept [a], reject [r], skip [s]?")])?;
        out.flush()?;
        let key = if std::io::stdin().is_terminal() {
            Term::stdout().read_char().ok()
        } else {
            let mut line = String::new();
            match std::io::stdin().lock().read_line(&mut line) {
                Ok(0) | Err(_) => None,
                // An empty line is a wrong key, not the end.
                Ok(_) => Some(line.trim().chars().next().unwrap_or(' ')),
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

/// Returns the position before and after the steps (side by side if there is room), and the difference of the two snapshots.
fn comparison(snapshot: &NewSnapshot, number: usize, count: usize, columns: Option<usize>) -> Vec<Line> {
    let NewSnapshot { geometry, state, steps, .. } = snapshot;
    let word = if snapshot.old.is_some() { "changed" } else { "new" };
    let heading = format!("{number} of {count}: {word} snapshot {}", snapshot.path.display());
    let mut lines = vec![Line::default(), Line::styled(Role::Name, heading)];
    let end = state_after_steps(geometry, state, steps);
    let left = grid(geometry, state);
    let right = grid(geometry, &end);
    // At least as wide as the heading "before".
    let width = left.lines().map(|line| line.chars().count()).max().unwrap_or(0).max(6);
    // Side by side needs 2 columns of indentation, and 4 between the grids.
    if columns.is_some_and(|columns| 2 * width + 6 > columns) {
        for (heading, state) in [("before", state), ("after", &end)] {
            lines.push(Line::styled(Role::Quiet, heading));
            lines.extend(candidate_grid(geometry, state, columns));
        }
    } else {
        lines.push(Line::styled(Role::Quiet, format!("  {:<width$}    after", "before")));
        for (left, right) in left.lines().zip(right.lines()) {
            let role = if left.split_whitespace().eq(right.split_whitespace()) { Role::Plain } else { Role::Placement };
            lines.push(Line::text(format!("  {left:<width$}    ")).with(role, right));
        }
    }
    lines.push(Line::default());
    let old = match snapshot.old.as_deref() {
        None | Some("") => String::new(),
        Some(old) => without_position(old),
    };
    let new = without_position(&snapshot.new.contents);
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

/// Returns the text of a snapshot without the position, which ends with an empty line.
fn without_position(text: &str) -> String {
    text.split_once("\n\n").map_or(text, |(_, rest)| rest).to_owned() + "\n"
}
