//! Runs the examples, near misses and snapshots of rules. Out: the outcome of each test as text, JSON, annotations or JUnit XML; snapshots
//! that the user accepts.

use crate::cli::check::annotations_of;
use crate::cli::corpus::{parallel_each, processor_count};
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
use std::fmt::Write;

#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TestKind {
    #[default]
    /// An `example` in a rule file.
    Example,
    /// A `near_miss` in a rule file.
    NearMiss,
    /// A line of a test file with the technique, the grid and the expected deductions, as in HoDoKu's library of tests.
    Case,
    /// All matches on a position of a test file.
    Snapshot,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TestVerdict {
    #[default]
    Passed,
    /// The deductions differ from the listed deductions, or contradict the solution.
    Failed,
    Unusable,
    New,
    Changed,
}

#[derive(Default, Serialize)]
pub struct TestOutcome {
    /// Id of the technique, or label of the tested member: `id(4)`.
    pub technique: String,
    pub kind: TestKind,
    pub title: Option<String>,
    pub file: Option<String>,
    pub line: Option<usize>,
    pub verdict: TestVerdict,
    pub missing: Vec<String>,
    pub extra: Vec<String>,
    pub message: Option<String>,
    pub nearest: Vec<String>,
}

const MAX_PRINTED: usize = 12;

const MAX_NAMED: usize = 3;

/// Returns the message of a test whose deductions contradict the solution. `contradictions` has a sentence for each
/// wrong deduction, and is not empty.
pub fn contradiction_message(contradictions: &[String]) -> String {
    let (named, rest) = contradictions.split_at(contradictions.len().min(MAX_NAMED));
    let more = if rest.is_empty() { String::new() } else { format!("; and {} more", rest.len()) };
    format!("a rule that concludes this is wrong, so it cannot be accepted: {}{more}", named.join("; "))
}

impl TestOutcome {
    pub fn has_passed(&self) -> bool {
        self.verdict == TestVerdict::Passed
    }

    /// Returns the id of the technique, without the arguments of a member.
    fn technique_id(&self) -> &str {
        self.technique.split('(').next().unwrap_or_default()
    }

    fn code(&self) -> &'static str {
        match self.kind {
            TestKind::Example => "failed-example",
            TestKind::NearMiss => "failed-near-miss",
            TestKind::Case => "failed-case",
            TestKind::Snapshot if self.verdict == TestVerdict::Failed => "wrong-snapshot",
            TestKind::Snapshot => "changed-snapshot",
        }
    }

    fn heading(&self) -> String {
        let kind = match self.kind {
            TestKind::Example => "example",
            TestKind::NearMiss => "near miss",
            TestKind::Case => "case",
            TestKind::Snapshot => "snapshot",
        };
        let location = match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}: "),
            (Some(file), None) => format!("{file}: "),
            _ => String::new(),
        };
        let title = self.title.as_ref().map_or(String::new(), |title| format!(" \"{title}\""));
        format!("{location}{kind} {}{title}", self.technique)
    }

    fn lines(&self) -> Vec<Line> {
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

    /// Returns the message, the missing and extra deductions, and the near misses.
    fn details(&self) -> Vec<Line> {
        let (missing, extra) = match self.kind {
            TestKind::NearMiss => ("not found:", "found"),
            TestKind::Snapshot => ("no longer found:", "found now:"),
            _ => ("not found:", "found, but not listed:"),
        };
        let mut lines = Vec::new();
        if let Some(message) = &self.message {
            lines.push(Line::text(format!("    {message}")));
        }
        for (heading, deductions, role) in
            [(missing, &self.missing, Role::Elimination), (extra, &self.extra, Role::Placement)]
        {
            for deduction in deductions.iter().take(MAX_PRINTED) {
                lines.push(Line::text(format!("    {heading} ")).with(role, deduction.as_str()));
            }
            if deductions.len() > MAX_PRINTED {
                lines.push(Line::styled(Role::Quiet, format!("    and {} more", deductions.len() - MAX_PRINTED)));
            }
        }
        lines.extend(self.nearest.iter().map(|line| Line::text(format!("    {line}"))));
        lines
    }
}

/// Runs the tests. The bool is true if all files could be parsed.
pub fn run(args: &TestArgs, global: &Global, out: &mut Output) -> Result<(Exit, bool), CommandError> {
    let _work = announce_work("reading rules");
    let mut loaded = TestedRules::read(&args.paths, global);
    for name in &args.board {
        let spec = board_named(name)?.spec().clone();
        loaded.rulebook = std::mem::take(&mut loaded.rulebook).with_board(spec);
    }
    if let Some(filter) = &args.filter {
        loaded.filter(filter);
        if loaded.ids.is_empty() {
            let failure = Failure::usage(format!("no technique has `{filter}` in its id or in one of its names"));
            return Err(failure.help("a test that runs nothing shows nothing; `pinion list` shows all names").into());
        }
    }
    let mut outcomes = check_examples(&loaded);
    let mut snapshots = snapshots::run(&loaded);
    let mut write_failures = if args.writes_files() { write_snapshots(args, &mut snapshots, out)? } else { Vec::new() };
    let untested_ids = find_untested(&loaded, &snapshots);
    outcomes.append(&mut snapshots.outcomes);
    if out.is_for_diagnostics() {
        let mut annotations: Vec<Annotation> = loaded.files().iter().flat_map(annotations_of).collect();
        annotations.extend(test_annotations(&loaded, &outcomes, &untested_ids));
        out.annotations(&annotations)?;
    } else if out.is_text() {
        print_results(args, &loaded, &outcomes, &snapshots, &untested_ids, out)?;
    } else {
        for outcome in &outcomes {
            out.value(outcome)?;
        }
    }
    if let Some(path) = &args.junit {
        match files::write(path, &junit(&outcomes, &untested_ids)) {
            Err(CommandError::Failure(failure)) => write_failures.push(failure),
            result => result?,
        }
    }
    if outcomes.is_empty() && untested_ids.is_empty() && !limits::is_reached() {
        remark("there is nothing to test: no technique was read");
    }
    let mut is_successful =
        !outcomes.is_empty() && outcomes.iter().all(TestOutcome::has_passed) && untested_ids.is_empty();
    if args.unreferenced == Unreferenced::Reject && !snapshots.stale.is_empty() {
        is_successful = false;
    }
    if args.mutate || args.coverage {
        if count(&outcomes, TestVerdict::Failed) + count(&outcomes, TestVerdict::Unusable) > 0 {
            remark("a test fails, so every change of a rule would seem to be noticed: mend the tests first");
        } else if strength::run(args, &loaded, out)? {
            is_successful = false;
        }
    }
    if let Some(limit) = limits::reached_limit() {
        remark(&format!("{limit}: not every test was made"));
        is_successful = false;
    }
    let exit = loaded.highest_exit.max(snapshots.highest_exit).max(if is_successful {
        Exit::Done
    } else {
        Exit::Unsuccessful
    });
    let exit = exit.max(report_write_failures(write_failures, out)?);
    Ok((exit, loaded.broken_files == 0))
}

fn test_annotations(loaded: &TestedRules, outcomes: &[TestOutcome], untested_ids: &[String]) -> Vec<Annotation> {
    let mut annotations = Vec::new();
    for outcome in outcomes.iter().filter(|outcome| !outcome.has_passed()) {
        let file = outcome.file.as_deref().unwrap_or_else(|| loaded.file_of(outcome.technique_id()));
        let message = format!("{}\n{}", outcome.heading(), unstyled(&outcome.details())).trim_end().to_owned();
        let region = outcome.line.map(Region::line);
        annotations.push(Annotation { region, ..Annotation::of_file(outcome.code(), file, message) });
    }
    for id in untested_ids {
        annotations.push(Annotation::of_file("untested-rule", loaded.file_of(id), untested_message(id)));
    }
    annotations
}

fn untested_message(id: &str) -> String {
    format!("{id} has no example and no accepted snapshot: nothing shows that it finds anything")
}

/// Renames, accepts, adds and deletes snapshot files, as the options say. Returns the failures, which are reported after the results.
fn write_snapshots(args: &TestArgs, snapshots: &mut Snapshots, out: &mut Output) -> Result<Vec<Failure>, CommandError> {
    let project = Project::around(&args.paths);
    let mut results = Vec::new();
    if args.accept || args.review || args.pending {
        results.extend(snapshots.renamed.iter().map(|(from, to)| project.rename(from, to)));
        results.extend(snapshots.accepted.iter().map(|path| remove_pending(&project, path)));
    }
    let count = snapshots.pending.len();
    for (index, pending) in snapshots.pending.iter().enumerate() {
        let decision = if args.accept {
            Decision::Accept
        } else if args.review {
            ask(pending, index + 1, count, out)?
        } else {
            Decision::Skip
        };
        results.push(match decision {
            Decision::Accept => match project.write(&pending.path, &pending.new.print()) {
                Ok(()) => {
                    snapshots.outcomes[pending.outcome].verdict = TestVerdict::Passed;
                    remove_pending(&project, &pending.path)
                }
                Err(failure) => Err(failure),
            },
            Decision::Reject => remove_pending(&project, &pending.path),
            Decision::Skip if args.pending => project.write(&pending_path(&pending.path), &pending.new.print()),
            Decision::Skip => Ok(()),
        });
    }
    if args.review && count > 0 {
        out.lines(&[Line::default()])?;
    }
    if args.unreferenced == Unreferenced::Delete {
        results.extend(snapshots.stale.iter().map(|path| project.remove(path)));
    }
    Ok(results.into_iter().filter_map(Result::err).collect())
}

fn remove_pending(project: &Project, accepted: &Path) -> Result<(), Failure> {
    let path = pending_path(accepted);
    if path.symlink_metadata().is_ok() { project.remove(&path) } else { Ok(()) }
}

/// Reports the first file that was not written, and the number of further files.
fn report_write_failures(mut failures: Vec<Failure>, out: &mut Output) -> Result<Exit, CommandError> {
    out.flush()?;
    let count = failures.len();
    let Some(first) = failures.first_mut() else { return Ok(Exit::Done) };
    if count > 1 {
        first.message += &format!(" (and {})", count_phrase(count - 1, "more file"));
    }
    first.report();
    Ok(first.exit)
}

/// Returns the techniques that have neither an example nor an accepted snapshot with a match.
fn find_untested(loaded: &TestedRules, snapshots: &Snapshots) -> Vec<String> {
    let mut with_snapshot = BTreeSet::new();
    for outcome in snapshots.outcomes_with_match.iter().filter_map(|&index| snapshots.outcomes.get(index)) {
        if outcome.kind == TestKind::Snapshot && outcome.has_passed() {
            with_snapshot.insert(outcome.technique.as_str());
        }
    }
    let mut untested_ids = Vec::new();
    for technique in loaded.techniques() {
        let has_example = technique.examples.iter().any(|example| !example.near_miss);
        if !has_example && !with_snapshot.contains(technique.id.as_str()) {
            untested_ids.push(technique.id.clone());
        }
    }
    untested_ids
}

fn print_results(
    args: &TestArgs,
    loaded: &TestedRules,
    outcomes: &[TestOutcome],
    snapshots: &Snapshots,
    untested_ids: &[String],
    out: &mut Output,
) -> Result<(), CommandError> {
    for id in &loaded.ids {
        let rule_outcomes: Vec<&TestOutcome> = outcomes.iter().filter(|outcome| outcome.technique_id() == id).collect();
        let passed = rule_outcomes.iter().filter(|outcome| outcome.has_passed()).count();
        let tests = rule_outcomes.len();
        if args.verbose && tests > 0 {
            let (role, word) = if passed == tests { (Role::Success, "passed ") } else { (Role::Failure, "failed ") };
            let counts = format!("{id}, {passed} of {}", count_phrase(tests, "test"));
            out.lines(&[Line::styled(role, word).with(Role::Plain, counts)])?;
        }
        for outcome in rule_outcomes {
            out.lines(&outcome.lines())?;
        }
    }
    // (first word, text)
    let mut notes: Vec<(&str, String)> = Vec::new();
    for id in untested_ids {
        notes.push(("untested ", untested_message(id)));
    }
    for (id, count) in &snapshots.silent {
        let positions = if *count == 1 { "the one position".to_owned() } else { format!("all {count} positions") };
        notes.push(("silent ", format!("{id} finds nothing on {positions} of its test file")));
    }
    if args.unreferenced != Unreferenced::Ignore {
        let word = if args.unreferenced == Unreferenced::Delete { "deleted " } else { "stale " };
        notes.extend(snapshots.stale.iter().map(|path| (word, format!("{}: no test makes it", path.display()))));
    }
    for (word, text) in notes {
        out.lines(&[Line::styled(Role::Failure, word).with(Role::Plain, text)])?;
    }
    out.lines(&[summary(loaded, outcomes, untested_ids.len(), snapshots)])?;
    let has_pending = outcomes.iter().any(|outcome| matches!(outcome.verdict, TestVerdict::New | TestVerdict::Changed));
    if has_pending && !args.review {
        let advice = "`pinion test --review` shows snapshots one at a time, `--accept` takes all";
        out.lines(&[Line::styled(Role::Quiet, advice)])?;
    }
    let are_renamed = args.accept || args.review || args.pending;
    if !snapshots.renamed.is_empty() && !are_renamed {
        let count = count_phrase(snapshots.renamed.len(), "position");
        let advice = format!("{count} with another name now: `--accept` renames the snapshots");
        out.lines(&[Line::styled(Role::Quiet, advice)])?;
    }
    Ok(())
}

fn summary(loaded: &TestedRules, outcomes: &[TestOutcome], untested: usize, snapshots: &Snapshots) -> Line {
    let passed = count(outcomes, TestVerdict::Passed);
    let (files, techniques) = (count_phrase(loaded.files().len(), "file"), count_phrase(loaded.ids.len(), "technique"));
    let mut verdict = format!("{passed} of {} passed", count_phrase(outcomes.len(), "test"));
    for (count, word) in [
        (count(outcomes, TestVerdict::Failed) + count(outcomes, TestVerdict::Unusable), "failed"),
        (count(outcomes, TestVerdict::New), "new"),
        (count(outcomes, TestVerdict::Changed), "changed"),
        (snapshots.stale.len(), "stale"),
    ] {
        if count > 0 {
            verdict += &format!(", {count} {word}");
        }
    }
    if untested > 0 {
        verdict += &format!(", {} without an example", count_phrase(untested, "technique"));
    }
    if loaded.broken_files > 0 {
        verdict += &format!(", {} with errors", count_phrase(loaded.broken_files, "file"));
    }
    let is_good = passed == outcomes.len() && passed > 0 && untested == 0 && loaded.broken_files == 0;
    Line::text(format!("{files}, {techniques}: ")).with(if is_good { Role::Success } else { Role::Failure }, verdict)
}

fn count(outcomes: &[TestOutcome], verdict: TestVerdict) -> usize {
    outcomes.iter().filter(|outcome| outcome.verdict == verdict).count()
}

const MAX_EXPLAINED: usize = 3;
const NEAR_MISS_TIME: Duration = Duration::from_secs(6);

fn check_examples(loaded: &TestedRules) -> Vec<TestOutcome> {
    let techniques = loaded.techniques();
    let mut examples: Vec<CheckedExample> = Vec::new();
    parallel_each(
        techniques.iter(),
        processor_count(),
        |_, technique| check_technique(&loaded.rulebook, technique, limits::halt()),
        |checked| examples.extend(checked),
    );
    let mut outcomes = Vec::new();
    let mut explained = 0;
    for example in &examples {
        let mut outcome = example_outcome(&loaded.rulebook, example);
        if !outcome.missing.is_empty() && explained < MAX_EXPLAINED {
            explained += 1;
            outcome.nearest = near_miss_lines(&loaded.rulebook, example).unwrap_or_default();
        }
        outcomes.push(outcome);
    }
    outcomes
}

/// Searches for a near miss with the first deductions that a failed example lacks. Returns lines about the nearest one.
fn near_miss_lines(rulebook: &Rulebook, checked: &CheckedExample) -> Option<Vec<String>> {
    let examples::Verdict::Failed { missing, .. } = &checked.verdict else { return None };
    let technique = rulebook.techniques().iter().find(|technique| technique.id == checked.technique)?;
    let position = examples::example_position(rulebook, &checked.example).ok()?;
    let techniques = rulebook.with_dependencies(vec![technique.clone()]);
    let engine = Engine::new(Arc::clone(&position.geometry), &techniques, rulebook.sources()).ok()?;
    let args = &checked.example.args;
    // The tested technique is the first technique of the engine. An example without arguments is for all members.
    let mut members: Vec<MemberId> = engine.members().to_vec();
    members.retain(|member| member.technique == 0 && (args.is_empty() || *args == member.args));
    let mut eliminate = Vec::new();
    let mut place = Vec::new();
    for (candidate, is_placement) in notation::read_deductions(&position.geometry, missing.first()?).ok()? {
        if is_placement { place.push(candidate) } else { eliminate.push(candidate) }
    }
    let clock = Instant::now();
    let query = WhyNotQuery {
        rulebook,
        geometry: &position.geometry,
        state: &position.state,
        technique,
        members: &members,
        cells: &[],
        eliminate: &eliminate,
        place: &place,
        max_misses: 1,
        is_cancelled: &|| clock.elapsed() >= NEAR_MISS_TIME || limits::is_reached(),
        halt: limits::halt(),
    };
    let mut near_misses = near_misses(&query);
    judge_changes(&query, &mut near_misses, 1);
    if let Some(prefix) = &near_misses.longest_prefix {
        return Some(prefix_lines(prefix, true).iter().map(Line::to_string).collect());
    }
    let mut lines: Vec<String> = miss_lines(1, near_misses.misses.first()?, true).iter().map(Line::to_string).collect();
    for line in &mut lines {
        if let Some(rest) = line.strip_prefix("1. ") {
            *line = format!("nearly found: {rest}");
        }
    }
    Some(lines)
}

fn example_outcome(rulebook: &Rulebook, checked: &CheckedExample) -> TestOutcome {
    let example = &checked.example;
    let (file, line) = location_of(rulebook, checked).unzip();
    let outcome = TestOutcome {
        technique: checked.label.clone(),
        kind: if example.near_miss { TestKind::NearMiss } else { TestKind::Example },
        title: example.title.clone(),
        file,
        line,
        ..TestOutcome::default()
    };
    match checked.verdict.clone() {
        examples::Verdict::Passed => outcome,
        examples::Verdict::Failed { missing, extra } => {
            TestOutcome { verdict: TestVerdict::Failed, missing, extra, ..outcome }
        }
        examples::Verdict::Wrong(contradictions) => {
            let message = Some(contradiction_message(&contradictions));
            TestOutcome { verdict: TestVerdict::Failed, message, ..outcome }
        }
        examples::Verdict::Unusable(reason) => {
            TestOutcome { verdict: TestVerdict::Unusable, message: Some(reason), ..outcome }
        }
    }
}

fn location_of(rulebook: &Rulebook, checked: &CheckedExample) -> Option<(String, usize)> {
    let compiled = &checked.example;
    // A rule of a later file replaces a rule of an earlier file.
    for file in rulebook.files().iter().rev() {
        // Parsing is slow, so only files with the name are parsed.
        if !file.text.contains(&checked.technique) {
            continue;
        }
        for item in parse(&file.text).0.items {
            let Item::Example(example) = item else { continue };
            let title = example.title.as_ref().map(|title| &title.text);
            if example.id.name == checked.technique
                && example.near_miss == compiled.near_miss
                && title == compiled.title.as_ref()
                && example.grids.first().is_some_and(|grid| grid.text == compiled.grid)
            {
                return Some((file.name.clone(), line_and_column(&file.text, example.span.start).0));
            }
        }
    }
    None
}

/// Returns the JUnit XML: a suite for each technique, a case for each test.
fn junit(outcomes: &[TestOutcome], untested_ids: &[String]) -> String {
    let mut suites: BTreeMap<&str, Vec<&TestOutcome>> = BTreeMap::new();
    for outcome in outcomes {
        suites.entry(outcome.technique_id()).or_default().push(outcome);
    }
    for id in untested_ids {
        suites.entry(id).or_default();
    }
    let failed = outcomes.iter().filter(|outcome| !outcome.has_passed()).count();
    let tests = outcomes.len() + untested_ids.len();
    let failures = failed + untested_ids.len();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"pinion\" tests=\"{tests}\" failures=\"{failures}\">");
    for (technique, outcomes) in suites {
        let is_untested = untested_ids.iter().any(|id| id == technique);
        let failed = outcomes.iter().filter(|outcome| !outcome.has_passed()).count();
        // A rule without tests has one failed case.
        let tests = outcomes.len() + usize::from(is_untested);
        let failures = failed + usize::from(is_untested);
        let name = xml_escaped(technique);
        let _ = writeln!(out, "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\">");
        for outcome in outcomes {
            write_test_case(&mut out, technique, outcome);
        }
        if is_untested {
            let _ = writeln!(out, "    <testcase name=\"has an example\" classname=\"{name}\">");
            out.push_str("      <failure message=\"nothing shows that it finds anything\"/>\n    </testcase>\n");
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn write_test_case(out: &mut String, technique: &str, outcome: &TestOutcome) {
    let name = xml_escaped(&outcome.heading());
    let class = xml_escaped(technique);
    let _ = write!(out, "    <testcase name=\"{name}\" classname=\"{class}\"");
    if outcome.has_passed() {
        out.push_str("/>\n");
        return;
    }
    let message = match outcome.verdict {
        TestVerdict::New => "a new snapshot",
        TestVerdict::Changed => "the snapshot changed",
        TestVerdict::Unusable => "it could not be tried",
        TestVerdict::Failed if outcome.kind == TestKind::Snapshot => "deductions that contradict the solution",
        _ => "other deductions than those listed",
    };
    let details: String = outcome.details().iter().map(|line| format!("{}\n", line.to_string().trim())).collect();
    let details = xml_escaped(details.trim());
    let _ = writeln!(out, ">\n      <failure message=\"{message}\">{details}</failure>\n    </testcase>");
}

/// Escapes text for XML. Control characters, which XML cannot hold, become visible symbols.
fn xml_escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            // A reader would convert unescaped line ends and tabs to blanks.
            '\n' | '\r' | '\t' => out.push_str(&format!("&#{};", u32::from(c))),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push_str(&xml_escaped(&sign(c))),
            c => out.push(c),
        }
    }
    out
}
