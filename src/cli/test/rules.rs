//! Tests of rules. In: rule files with their examples and test files. Out: failed and new tests, a count; snapshots that are accepted or
//! wait; the result of each test for people, programs and CI, also in the XML that JUnit made common.

use crate::cli::check::annotated;
use crate::cli::corpus::{each, processors};
use crate::cli::diagnostics::{Annotation, Region};
use crate::cli::files::{self, Project};
use crate::cli::prelude::*;
use crate::cli::test::snapshots::{self, Decision, Snapshots, ask, pending_path};
use crate::cli::test::{TestArgs, TestedRules, Unreferenced, strength};
use crate::engine::{Engine, MemberId};
use crate::lang::ast::Item;
use crate::lang::diagnostic::line_and_column;
use crate::lang::parse;
use crate::render::signs::sign;
use crate::render::unstyled;
use crate::workbench::examples::{self, CheckedExample, check_technique};
use crate::workbench::{WhyNotQuery, judge_changes, miss_lines, near_misses, prefix_lines};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// Kind of test.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TestKind {
    #[default]
    /// An `example` in a rule file.
    Example,
    /// A `near_miss` in a rule file.
    NearMiss,
    /// The deductions that a library line of a test file lists.
    Case,
    /// All matches on a position of a test file.
    Snapshot,
}

/// Result of a test.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TestVerdict {
    #[default]
    /// As it must be.
    Passed,
    /// Other deductions than those listed.
    Failed,
    /// The test could not be tried.
    Unusable,
    /// A snapshot that nobody has accepted yet.
    New,
    /// A snapshot that differs from the accepted one.
    Changed,
}

/// A test with its result.
#[derive(Default, Serialize)]
pub struct TestOutcome {
    /// The technique, or the member of it that is meant.
    pub technique: String,
    /// Kind of test.
    pub kind: TestKind,
    /// Title.
    pub title: Option<String>,
    /// File of the test.
    pub file: Option<String>,
    /// From one.
    pub line: Option<usize>,
    /// Result of a test.
    pub verdict: TestVerdict,
    /// Deductions that were not found.
    pub missing: Vec<String>,
    /// Deductions that are not listed.
    pub extra: Vec<String>,
    /// Further explanation.
    pub message: Option<String>,
    /// Near misses of the missing deductions, in words.
    pub nearest: Vec<String>,
}

/// At most this many deductions are shown.
const SHOWN: usize = 12;

/// Wrong deductions that are named in a message.
const NAMED: usize = 3;

/// The message of a test whose deductions contradict the solution; at least one sentence about them.
pub fn wrong_words(wrong: &[String]) -> String {
    let more = wrong.len().saturating_sub(NAMED);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let first = wrong[..wrong.len().min(NAMED)].join("; ");
    format!("a rule that concludes this is wrong, so it cannot be accepted: {first}{more}")
}

impl TestOutcome {
    /// Returns true if the test passed.
    pub fn passed(&self) -> bool {
        self.verdict == TestVerdict::Passed
    }

    /// Returns the code of the finding for a failed test.
    pub fn code(&self) -> &'static str {
        match self.kind {
            TestKind::Example => "failed-example",
            TestKind::NearMiss => "failed-near-miss",
            TestKind::Case => "failed-case",
            TestKind::Snapshot if self.verdict == TestVerdict::Failed => "wrong-snapshot",
            TestKind::Snapshot => "changed-snapshot",
        }
    }

    /// Returns the place, kind and title of the test.
    pub fn heading(&self) -> String {
        let kind = match self.kind {
            TestKind::Example => "example",
            TestKind::NearMiss => "near miss",
            TestKind::Case => "case",
            TestKind::Snapshot => "snapshot",
        };
        let place = match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}: "),
            (Some(file), None) => format!("{file}: "),
            _ => String::new(),
        };
        let title = self.title.as_ref().map_or(String::new(), |title| format!(" \"{title}\""));
        format!("{place}{kind} {}{title}", self.technique)
    }

    /// Returns the lines about a failed test; none if it passed.
    pub fn lines(&self) -> Vec<Line> {
        let word = match self.verdict {
            TestVerdict::Passed => return Vec::new(),
            TestVerdict::Failed | TestVerdict::Unusable => "failed ",
            TestVerdict::New => "new ",
            TestVerdict::Changed => "changed ",
        };
        let mut lines = vec![Line::styled(Role::Failure, word).with(Role::Plain, self.heading())];
        lines.extend(self.details());
        lines
    }

    /// Returns the deductions found instead, and the near misses.
    pub fn details(&self) -> Vec<Line> {
        let (missing, found) = match self.kind {
            TestKind::NearMiss => ("not found:", "found"),
            TestKind::Snapshot => ("no longer found:", "found now:"),
            _ => ("not found:", "found, but not listed:"),
        };
        let mut lines: Vec<Line> = self.message.iter().map(|words| Line::text(format!("    {words}"))).collect();
        for (words, all, role) in [(missing, &self.missing, Role::Elimination), (found, &self.extra, Role::Placement)] {
            let shown = all.iter().take(SHOWN);
            lines.extend(shown.map(|one| Line::text(format!("    {words} ")).with(role, one.as_str())));
            if all.len() > SHOWN {
                lines.push(Line::styled(Role::Quiet, format!("    and {} more", all.len() - SHOWN)));
            }
        }
        lines.extend(self.nearest.iter().map(|words| Line::text(format!("    {words}"))));
        lines
    }
}

/// Runs them; also says whether every file could be read.
pub fn run(args: &TestArgs, global: &Global, out: &mut Output) -> Result<(Exit, bool), Stop> {
    let _busy = busy("reading rules");
    let mut loaded = TestedRules::read(&args.paths, global);
    for name in &args.board {
        let spec = board(name)?.spec().clone();
        loaded.rulebook = std::mem::take(&mut loaded.rulebook).with_board(spec);
    }
    if let Some(filter) = &args.filter {
        loaded.keep(filter);
        if loaded.ids.is_empty() {
            let failure = Failure::usage(format!("no technique has `{filter}` in its id or in one of its names"));
            return Err(failure.help("a test that runs nothing shows nothing; `pinion list` shows all names").into());
        }
    }
    let mut outcomes = check_examples(&loaded);
    let mut snapshots = snapshots::run(&loaded);
    let mut unwritten = if args.writes() { settle(args, &mut snapshots, out)? } else { Vec::new() };
    let untested = untested(&loaded, &snapshots);
    outcomes.append(&mut snapshots.outcomes);
    if out.annotates() {
        let found = loaded.files().iter().flat_map(annotated);
        out.annotations(&found.chain(annotations(&loaded, &outcomes, &untested)).collect::<Vec<_>>())?;
    } else if out.is_text() {
        print_results(args, &loaded, &outcomes, &snapshots, &untested, out)?;
    } else {
        outcomes.iter().try_for_each(|one| out.value(one))?;
    }
    if let Some(path) = &args.junit {
        unwritten.extend(files::write(path, &junit(&outcomes, &untested)).err());
    }
    let broken = outcomes.iter().any(|one| matches!(one.verdict, TestVerdict::Failed | TestVerdict::Unusable));
    if outcomes.is_empty() && untested.is_empty() && !limits::reached() {
        remark("there is nothing to test: no technique was read");
    }
    let asked = args.mutate || args.coverage;
    if asked && broken {
        remark("a test fails, so every change of a rule would seem to be noticed: mend the tests first");
    }
    let weak = asked && !broken && strength::run(args, &loaded, out)?;
    let stale = args.unreferenced == Unreferenced::Reject && !snapshots.stale.is_empty();
    let failed =
        !untested.is_empty() || outcomes.is_empty() || !outcomes.iter().all(TestOutcome::passed) || stale || weak;
    let limit = limits::words();
    if let Some(words) = &limit {
        remark(&format!("{words}: not every test was made"));
    }
    let failed = failed || limit.is_some();
    let exit = loaded.worst.max(snapshots.worst).max(if failed { Exit::Short } else { Exit::Done });
    let exit = exit.max(report_unwritten(unwritten, out)?);
    Ok((exit, loaded.broken == 0))
}

/// Converts failed tests, and rules without tests, to annotations.
fn annotations(loaded: &TestedRules, outcomes: &[TestOutcome], untested: &[String]) -> Vec<Annotation> {
    let failed = outcomes.iter().filter(|one| !one.passed()).map(|one| {
        let id = one.technique.split('(').next().unwrap_or_default();
        let (file, details) =
            (one.file.clone().unwrap_or_else(|| loaded.file_of(id).to_owned()), unstyled(&one.details()));
        let words = format!("{}\n{details}", one.heading()).trim_end().to_owned();
        Annotation { region: one.line.map(Region::line), ..Annotation::of_file(one.code(), &file, words) }
    });
    let bare = untested.iter().map(|id| {
        let words = format!("{id} has no example and no accepted snapshot: nothing shows that it finds anything");
        Annotation::of_file("untested-rule", loaded.file_of(id), words)
    });
    failed.chain(bare).collect()
}

/// Writes what was asked for: snapshots that are accepted, pending ones, those of positions that have another name now; and
/// deletes stale ones. Returns the failures, so that the results are shown first.
fn settle(args: &TestArgs, snapshots: &mut Snapshots, out: &mut Output) -> Result<Vec<Failure>, Stop> {
    let project = Project::around(&args.paths);
    let mut failures = Vec::new();
    if args.accept || args.review || args.pending {
        failures.extend(snapshots.moved.iter().filter_map(|(from, to)| project.rename(from, to).err()));
        failures.extend(snapshots.accepted.iter().filter_map(|path| forget(&project, path).err()));
    }
    let count = snapshots.pending.len();
    for (number, one) in snapshots.pending.iter().enumerate() {
        let answer = match () {
            () if args.accept => Decision::Accept,
            () if args.review => ask(one, number + 1, count, out)?,
            () => Decision::Skip,
        };
        let written = match answer {
            Decision::Accept => project.write(&one.path, &one.new.print()).and_then(|()| {
                snapshots.outcomes[one.outcome].verdict = TestVerdict::Passed;
                forget(&project, &one.path)
            }),
            Decision::Reject => forget(&project, &one.path),
            Decision::Skip if args.pending => project.write(&pending_path(&one.path), &one.new.print()),
            Decision::Skip => Ok(()),
        };
        failures.extend(written.err());
    }
    if args.review && count > 0 {
        out.lines(&[Line::default()])?;
    }
    if args.unreferenced == Unreferenced::Delete {
        failures.extend(snapshots.stale.iter().filter_map(|path| project.remove(path).err()));
    }
    Ok(failures)
}

/// Deletes the pending snapshot of an accepted one, if there is one.
fn forget(project: &Project, accepted: &Path) -> Result<(), Failure> {
    let path = pending_path(accepted);
    if path.symlink_metadata().is_ok() { project.remove(&path) } else { Ok(()) }
}

/// Reports the first file that was not written, and how many others there are.
fn report_unwritten(mut failures: Vec<Failure>, out: &mut Output) -> Result<Exit, Stop> {
    out.flush()?;
    let count = failures.len();
    let Some(first) = failures.first_mut() else { return Ok(Exit::Done) };
    if count > 1 {
        first.message += &format!(" (and {})", count_phrase(count - 1, "more file"));
    }
    first.report();
    Ok(first.exit)
}

/// Techniques without an example and without an accepted snapshot on which something is found.
fn untested(loaded: &TestedRules, snapshots: &Snapshots) -> Vec<String> {
    let fired = snapshots.fired.iter().filter_map(|&at| snapshots.outcomes.get(at));
    let fired = fired.filter(|one| one.kind == TestKind::Snapshot && one.passed());
    let fired: BTreeSet<&str> = fired.map(|one| one.technique.as_str()).collect();
    let techniques = loaded.techniques().into_iter();
    let bare = techniques.filter(|one| one.examples.iter().all(|example| example.near_miss));
    bare.map(|one| one.id.clone()).filter(|id| !fired.contains(id.as_str())).collect()
}

fn print_results(
    args: &TestArgs,
    loaded: &TestedRules,
    outcomes: &[TestOutcome],
    snapshots: &Snapshots,
    untested: &[String],
    out: &mut Output,
) -> Result<(), Stop> {
    for id in &loaded.ids {
        let own = outcomes.iter().filter(|one| one.technique.split('(').next() == Some(id.as_str()));
        let own: Vec<&TestOutcome> = own.collect();
        let passed = own.iter().filter(|one| one.passed()).count();
        if args.verbose && !own.is_empty() {
            let good = passed == own.len();
            let (role, word) = if good { (Role::Success, "passed ") } else { (Role::Failure, "failed ") };
            let words = format!("{id}, {passed} of {}", count_phrase(own.len(), "test"));
            out.lines(&[Line::styled(role, word).with(Role::Plain, words)])?;
        }
        for one in own.into_iter().filter(|one| !one.passed()) {
            out.lines(&one.lines())?;
        }
    }
    let mut notes: Vec<(&str, String)> = Vec::new();
    for id in untested {
        let words = format!("{id} has no example and no accepted snapshot: nothing shows that it finds anything");
        notes.push(("untested ", words));
    }
    for (id, count) in &snapshots.silent {
        let positions = if *count == 1 { "the one position".to_owned() } else { format!("all {count} positions") };
        notes.push(("silent ", format!("{id} finds nothing on {positions} of its test file")));
    }
    if args.unreferenced != Unreferenced::Ignore {
        let word = if args.unreferenced == Unreferenced::Delete { "deleted " } else { "stale " };
        notes.extend(snapshots.stale.iter().map(|path| (word, format!("{}: no test makes it", path.display()))));
    }
    for (word, words) in notes {
        out.lines(&[Line::styled(Role::Failure, word).with(Role::Plain, words)])?;
    }
    out.lines(&[summary(loaded, outcomes, untested.len(), snapshots)])?;
    let waiting = outcomes.iter().any(|one| matches!(one.verdict, TestVerdict::New | TestVerdict::Changed));
    if waiting && !args.review {
        let words = "`pinion test --review` shows snapshots one at a time, `--accept` takes all";
        out.lines(&[Line::styled(Role::Quiet, words)])?;
    }
    if !(snapshots.moved.is_empty() || args.accept || args.review || args.pending) {
        let count = count_phrase(snapshots.moved.len(), "position");
        let words = format!("{count} with another name now: `--accept` renames the snapshots");
        out.lines(&[Line::styled(Role::Quiet, words)])?;
    }
    Ok(())
}

fn summary(loaded: &TestedRules, outcomes: &[TestOutcome], untested: usize, snapshots: &Snapshots) -> Line {
    let [passed, failed, unusable, new, changed] =
        [TestVerdict::Passed, TestVerdict::Failed, TestVerdict::Unusable, TestVerdict::New, TestVerdict::Changed]
            .map(|verdict| outcomes.iter().filter(|one| one.verdict == verdict).count());
    let files = count_phrase(loaded.count, "file");
    let words = format!("{files}, {}: ", count_phrase(loaded.ids.len(), "technique"));
    let mut end = format!("{passed} of {} passed", count_phrase(outcomes.len(), "test"));
    let more = [(failed + unusable, "failed"), (new, "new"), (changed, "changed"), (snapshots.stale.len(), "stale")];
    for (count, word) in more.into_iter().filter(|(count, _)| *count > 0) {
        end.push_str(&format!(", {count} {word}"));
    }
    if untested > 0 {
        end.push_str(&format!(", {} without an example", count_phrase(untested, "technique")));
    }
    if loaded.broken > 0 {
        end.push_str(&format!(", {} with errors", count_phrase(loaded.broken, "file")));
    }
    let good = passed == outcomes.len() && passed > 0 && untested == 0 && loaded.broken == 0;
    Line::text(words).with(if good { Role::Success } else { Role::Failure }, end)
}

/// The nearest misses are searched for at most this many failed examples.
const EXPLAINED: usize = 3;
/// Time for the near misses of one example.
const PATIENCE: Duration = Duration::from_secs(6);

/// Checks all examples and near misses.
pub fn check_examples(loaded: &TestedRules) -> Vec<TestOutcome> {
    let techniques = loaded.techniques();
    let mut checked = Vec::new();
    each(
        techniques.iter(),
        processors(),
        |_, technique| check_technique(&loaded.rulebook, technique, limits::halt()),
        |all| checked.extend(all),
    );
    let mut outcomes: Vec<TestOutcome> = checked.iter().map(|one| outcome(&loaded.rulebook, one)).collect();
    let missing = outcomes.iter_mut().zip(&checked).filter(|(outcome, _)| !outcome.missing.is_empty());
    for (outcome, one) in missing.take(EXPLAINED) {
        outcome.nearest = nearest(&loaded.rulebook, one).unwrap_or_default();
    }
    outcomes
}

/// Finds near misses of the first deductions that a failed example lacks.
fn nearest(rulebook: &Rulebook, one: &CheckedExample) -> Option<Vec<String>> {
    let examples::Verdict::Failed { missing, .. } = &one.verdict else { return None };
    let technique = rulebook.techniques().iter().find(|technique| technique.id == one.technique)?;
    let scene = examples::example_position(rulebook, &one.example).ok()?;
    let engine =
        Engine::new(Arc::clone(&scene.geometry), &rulebook.with_used(vec![technique.clone()]), rulebook.sources())
            .ok()?;
    let args = &one.example.args;
    let meant = engine.members().iter().filter(|one| one.technique == 0 && (args.is_empty() || *args == one.args));
    let members: Vec<MemberId> = meant.cloned().collect();
    let wanted = notation::read_deductions(&scene.geometry, missing.first()?).ok()?;
    let (placed, eliminated): (Vec<_>, Vec<_>) = wanted.into_iter().partition(|(_, placed)| *placed);
    let [placed, eliminated] = [placed, eliminated].map(|all| all.into_iter().map(|(one, _)| one).collect::<Vec<_>>());
    let clock = Instant::now();
    let asked = WhyNotQuery {
        rulebook,
        geometry: &scene.geometry,
        state: &scene.state,
        technique,
        members: &members,
        on: &[],
        eliminate: &eliminated,
        place: &placed,
        most: 1,
        enough: &|| clock.elapsed() >= PATIENCE || limits::reached(),
        halt: limits::halt(),
    };
    let mut found = near_misses(&asked);
    judge_changes(&asked, &mut found, 1);
    if let Some(furthest) = &found.furthest {
        return Some(prefix_lines(furthest, true).into_iter().map(|line| line.to_string()).collect());
    }
    let miss = found.misses.first()?;
    let lines = miss_lines(1, miss, true).into_iter().map(|line| line.to_string());
    let lines = lines.map(|line| line.strip_prefix("1. ").map_or(line.clone(), |rest| format!("nearly found: {rest}")));
    Some(lines.collect())
}

fn outcome(rulebook: &Rulebook, one: &CheckedExample) -> TestOutcome {
    let (file, line) = place(rulebook, one).unzip();
    let mut outcome = TestOutcome {
        technique: one.label.clone(),
        kind: if one.example.near_miss { TestKind::NearMiss } else { TestKind::Example },
        title: one.example.title.clone(),
        file,
        line,
        ..TestOutcome::default()
    };
    (outcome.verdict, outcome.message) = match &one.verdict {
        examples::Verdict::Passed => (TestVerdict::Passed, None),
        examples::Verdict::Failed { missing, extra } => {
            (outcome.missing, outcome.extra) = (missing.clone(), extra.clone());
            (TestVerdict::Failed, None)
        }
        examples::Verdict::Wrong(wrong) => (TestVerdict::Failed, Some(wrong_words(wrong))),
        examples::Verdict::Unusable(why) => (TestVerdict::Unusable, Some(why.clone())),
    };
    outcome
}

/// The file and the line of an example.
fn place(rulebook: &Rulebook, one: &CheckedExample) -> Option<(String, usize)> {
    rulebook.files().iter().rev().find_map(|file| {
        if !file.text.contains(&one.technique) {
            return None;
        }
        let (tree, _) = parse(&file.text);
        let at = tree.items.iter().find_map(|item| match item {
            Item::Example(example)
                if example.id.name == one.technique
                    && example.near_miss == one.example.near_miss
                    && example.title.as_ref().map(|title| &title.text) == one.example.title.as_ref()
                    && example.grids.first().is_some_and(|grid| grid.text == one.example.grid) =>
            {
                Some(example.span.start)
            }
            _ => None,
        })?;
        Some((file.name.clone(), line_and_column(&file.text, at).0))
    })
}

/// The text of a report: a suite for each technique, a case for each test.
pub fn junit(outcomes: &[TestOutcome], untested: &[String]) -> String {
    let mut suites: BTreeMap<&str, Vec<&TestOutcome>> = BTreeMap::new();
    for one in outcomes {
        suites.entry(one.technique.split('(').next().unwrap_or("")).or_default().push(one);
    }
    for id in untested {
        suites.entry(id).or_default();
    }
    let failed = outcomes.iter().filter(|one| !one.passed()).count();
    let (tests, failures) = (outcomes.len() + untested.len(), failed + untested.len());
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"pinion\" tests=\"{tests}\" failures=\"{failures}\">");
    for (technique, list) in suites {
        let bare = usize::from(untested.iter().any(|id| id == technique));
        let failed = list.iter().filter(|one| !one.passed()).count();
        let (tests, failures) = (list.len() + bare, failed + bare);
        let _ =
            writeln!(out, "  <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\">", escaped(technique));
        list.iter().for_each(|one| case(&mut out, technique, one));
        if bare > 0 {
            let name = escaped(technique);
            let _ = writeln!(out, "    <testcase name=\"has an example\" classname=\"{name}\">");
            out.push_str("      <failure message=\"nothing shows that it finds anything\"/>\n    </testcase>\n");
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn case(out: &mut String, technique: &str, one: &TestOutcome) {
    let _ = write!(out, "    <testcase name=\"{}\" classname=\"{}\"", escaped(&one.heading()), escaped(technique));
    if one.passed() {
        out.push_str("/>\n");
        return;
    }
    let word = match one.verdict {
        TestVerdict::New => "a new snapshot",
        TestVerdict::Changed => "the snapshot changed",
        TestVerdict::Unusable => "it could not be tried",
        TestVerdict::Failed if one.kind == TestKind::Snapshot => "deductions that contradict the solution",
        _ => "other deductions than those listed",
    };
    let details: String = one.details().iter().map(|line| format!("{}\n", line.to_string().trim())).collect();
    let _ =
        writeln!(out, ">\n      <failure message=\"{word}\">{}</failure>\n    </testcase>", escaped(details.trim()));
}

/// With the characters that mean something in XML written out, and signs for those that it cannot hold.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            // Elsewhere a reader would make blanks of them.
            '\n' | '\r' | '\t' => out.push_str(&format!("&#{};", u32::from(c))),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push_str(&escaped(&sign(c))),
            c => out.push(c),
        }
    }
    out
}
