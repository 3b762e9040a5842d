//! Tests of rules. In: rule files with their examples and test files. Out: failed and new tests, a count; snapshots that are accepted or
//! wait.

use crate::cli::check::annotated;
use crate::cli::corpus::{each, processors};
use crate::cli::diagnostics::{Annotation, Region};
use crate::cli::files::{self, Project};
use crate::cli::prelude::*;
use crate::cli::test::outcome::{Kind, Outcome, Verdict, junit, wrong_words};
use crate::cli::test::snapshots::{self, Decision, Snapshots, ask, pending_path};
use crate::cli::test::{Loaded, TestArgs, Unreferenced, strength};
use crate::engine::{Engine, MemberId};
use crate::lang::ast::Item;
use crate::lang::diagnostic::line_and_column;
use crate::lang::parse;
use crate::render::unstyled;
use crate::workbench::examples::{self, Checked, check_one};
use crate::workbench::{Asked, begun, judge, missed, near_misses};
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs them; also says whether every file could be read.
pub fn run(args: &TestArgs, global: &Global, out: &mut Output) -> Result<(Exit, bool), Stop> {
    let _busy = busy("reading rules");
    let mut loaded = Loaded::read(&args.paths, global);
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
    let broken = outcomes.iter().any(|one| matches!(one.verdict, Verdict::Failed | Verdict::Unusable));
    if outcomes.is_empty() && untested.is_empty() && !limits::reached() {
        remark("there is nothing to test: no technique was read");
    }
    let asked = args.mutate || args.coverage;
    if asked && broken {
        remark("a test fails, so every change of a rule would seem to be noticed: mend the tests first");
    }
    let weak = asked && !broken && strength::run(args, &loaded, out)?;
    let stale = args.unreferenced == Unreferenced::Reject && !snapshots.stale.is_empty();
    let failed = !untested.is_empty() || outcomes.is_empty() || !outcomes.iter().all(Outcome::passed) || stale || weak;
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
fn annotations(loaded: &Loaded, outcomes: &[Outcome], untested: &[String]) -> Vec<Annotation> {
    let file_of = |id: &str| loaded.rulebook.file_of(id).map_or(String::new(), |file| file.name.clone());
    let failed = outcomes.iter().filter(|one| !one.passed()).map(|one| Annotation {
        code: one.code().into(),
        is_error: true,
        file: one.file.clone().unwrap_or_else(|| file_of(one.technique.split('(').next().unwrap_or_default())),
        region: one.line.map(Region::line),
        message: format!("{}\n{}", one.heading(), unstyled(&one.details())).trim_end().to_owned(),
        others: Vec::new(),
    });
    let bare = untested.iter().map(|id| Annotation {
        code: "untested-rule".into(),
        is_error: true,
        file: file_of(id),
        region: None,
        message: format!("{id} has no example and no accepted snapshot: nothing shows that it finds anything"),
        others: Vec::new(),
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
                snapshots.outcomes[one.outcome].verdict = Verdict::Passed;
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
        first.message += &format!(" (and {})", counted(count - 1, "more file"));
    }
    first.report();
    Ok(first.exit)
}

/// Techniques without an example and without an accepted snapshot on which something is found.
fn untested(loaded: &Loaded, snapshots: &Snapshots) -> Vec<String> {
    let fires = |id: &str| {
        let mut fired = snapshots.fired.iter().filter_map(|&at| snapshots.outcomes.get(at));
        fired.any(|one| one.kind == Kind::Snapshot && one.technique == id && one.passed())
    };
    let techniques = loaded.techniques().into_iter();
    let bare = techniques.filter(|one| one.examples.iter().all(|example| example.near_miss) && !fires(&one.id));
    bare.map(|one| one.id.clone()).collect()
}

fn print_results(
    args: &TestArgs,
    loaded: &Loaded,
    outcomes: &[Outcome],
    snapshots: &Snapshots,
    untested: &[String],
    out: &mut Output,
) -> Result<(), Stop> {
    for id in &loaded.ids {
        let of = |one: &&Outcome| one.technique.split('(').next() == Some(id.as_str());
        let own: Vec<&Outcome> = outcomes.iter().filter(of).collect();
        let passed = own.iter().filter(|one| one.passed()).count();
        if args.verbose && !own.is_empty() {
            let good = passed == own.len();
            let (role, word) = if good { (Role::Good, "passed ") } else { (Role::Bad, "failed ") };
            let words = format!("{id}, {passed} of {}", counted(own.len(), "test"));
            out.lines(&[Line::of(role, word).and(Role::Plain, words)])?;
        }
        for one in own.into_iter().filter(|one| !one.passed()) {
            out.lines(&one.lines())?;
        }
    }
    let mut lines = Vec::new();
    let mut say = |word: &str, text: String| lines.push(Line::of(Role::Bad, word).and(Role::Plain, text));
    for id in untested {
        say("untested ", format!("{id} has no example and no accepted snapshot: nothing shows that it finds anything"));
    }
    for (id, count) in &snapshots.silent {
        let positions = if *count == 1 { "the one position".to_owned() } else { format!("all {count} positions") };
        say("silent ", format!("{id} finds nothing on {positions} of its test file"));
    }
    if args.unreferenced != Unreferenced::Ignore {
        let word = if args.unreferenced == Unreferenced::Delete { "deleted " } else { "stale " };
        snapshots.stale.iter().for_each(|path| say(word, format!("{}: no test makes it", path.display())));
    }
    out.lines(&lines)?;
    out.lines(&[summary(loaded, outcomes, untested.len(), snapshots)])?;
    let waiting = outcomes.iter().any(|one| matches!(one.verdict, Verdict::New | Verdict::Changed));
    if waiting && !args.review {
        let words = "`pinion test --review` shows snapshots one at a time, `--accept` takes all";
        out.lines(&[Line::of(Role::Quiet, words)])?;
    }
    if !(snapshots.moved.is_empty() || args.accept || args.review || args.pending) {
        let count = counted(snapshots.moved.len(), "position");
        out.lines(&[Line::of(
            Role::Quiet,
            format!("{count} with another name now: `--accept` renames the snapshots"),
        )])?;
    }
    Ok(())
}

fn summary(loaded: &Loaded, outcomes: &[Outcome], untested: usize, snapshots: &Snapshots) -> Line {
    let of = |verdict| outcomes.iter().filter(|one| one.verdict == verdict).count();
    let (passed, files) = (of(Verdict::Passed), counted(loaded.count, "file"));
    let words = format!("{files}, {}: ", counted(loaded.ids.len(), "technique"));
    let mut end = format!("{passed} of {} passed", counted(outcomes.len(), "test"));
    let more = [
        (of(Verdict::Failed) + of(Verdict::Unusable), "failed"),
        (of(Verdict::New), "new"),
        (of(Verdict::Changed), "changed"),
        (snapshots.stale.len(), "stale"),
    ];
    for (count, word) in more.into_iter().filter(|(count, _)| *count > 0) {
        end.push_str(&format!(", {count} {word}"));
    }
    if untested > 0 {
        end.push_str(&format!(", {} without an example", counted(untested, "technique")));
    }
    if loaded.broken > 0 {
        end.push_str(&format!(", {} with errors", counted(loaded.broken, "file")));
    }
    let good = passed == outcomes.len() && passed > 0 && untested == 0 && loaded.broken == 0;
    Line::text(words).and(if good { Role::Good } else { Role::Bad }, end)
}

/// The nearest misses are searched for at most this many failed examples.
const EXPLAINED: usize = 3;
/// Time for the near misses of one example.
const PATIENCE: Duration = Duration::from_secs(6);

/// Checks all examples and near misses.
pub fn check_examples(loaded: &Loaded) -> Vec<Outcome> {
    let techniques = loaded.techniques();
    let mut checked = Vec::new();
    each(
        techniques.iter(),
        processors(),
        |_, technique| check_one(&loaded.rulebook, technique, limits::halt()),
        |all| checked.extend(all),
    );
    let mut outcomes: Vec<Outcome> = checked.iter().map(|one| outcome(&loaded.rulebook, one)).collect();
    let missing = outcomes.iter_mut().zip(&checked).filter(|(outcome, _)| !outcome.missing.is_empty());
    for (outcome, one) in missing.take(EXPLAINED) {
        outcome.nearest = nearest(&loaded.rulebook, one).unwrap_or_default();
    }
    outcomes
}

/// Finds near misses of the first deductions that a failed example lacks.
fn nearest(rulebook: &Rulebook, one: &Checked) -> Option<Vec<String>> {
    let examples::Verdict::Failed { missing, .. } = &one.verdict else { return None };
    let technique = rulebook.techniques().iter().find(|technique| technique.id == one.technique)?;
    let scene = examples::scene(rulebook, &one.example).ok()?;
    let engine =
        Engine::new(Arc::clone(&scene.geometry), &rulebook.with_used(vec![technique.clone()]), rulebook.sources())
            .ok()?;
    let args = &one.example.args;
    let meant = |member: &&MemberId| member.technique == 0 && (args.is_empty() || *args == member.args);
    let members: Vec<MemberId> = engine.members().iter().filter(meant).cloned().collect();
    let wanted = notation::read_deductions(&scene.geometry, missing.first()?).ok()?;
    let pick = |place: bool| wanted.iter().filter(|(_, p)| *p == place).map(|(one, _)| *one).collect::<Vec<_>>();
    let clock = Instant::now();
    let asked = Asked {
        rulebook,
        geometry: &scene.geometry,
        state: &scene.state,
        technique,
        members: &members,
        on: &[],
        eliminate: &pick(false),
        place: &pick(true),
        most: 1,
        enough: &|| clock.elapsed() >= PATIENCE || limits::reached(),
        halt: limits::halt(),
    };
    let mut found = near_misses(&asked);
    judge(&asked, &mut found, 1);
    if let Some(furthest) = &found.furthest {
        return Some(begun(furthest, true).into_iter().map(|line| line.to_string()).collect());
    }
    let miss = found.misses.first()?;
    let lines = missed(1, miss, true).into_iter().map(|line| line.to_string());
    let lines = lines.map(|line| line.strip_prefix("1. ").map_or(line.clone(), |rest| format!("nearly found: {rest}")));
    Some(lines.collect())
}

fn outcome(rulebook: &Rulebook, one: &Checked) -> Outcome {
    let (file, line) = place(rulebook, one).unzip();
    let (verdict, missing, extra, message) = match &one.verdict {
        examples::Verdict::Passed => (Verdict::Passed, Vec::new(), Vec::new(), None),
        examples::Verdict::Failed { missing, extra } => (Verdict::Failed, missing.clone(), extra.clone(), None),
        examples::Verdict::Wrong(wrong) => (Verdict::Failed, Vec::new(), Vec::new(), Some(wrong_words(wrong))),
        examples::Verdict::Unusable(why) => (Verdict::Unusable, Vec::new(), Vec::new(), Some(why.clone())),
    };
    let kind = if one.example.near_miss { Kind::NearMiss } else { Kind::Example };
    let (technique, title) = (one.label.clone(), one.example.title.clone());
    Outcome { technique, kind, title, file, line, verdict, missing, extra, message, nearest: Vec::new() }
}

/// The file and the line of an example.
fn place(rulebook: &Rulebook, one: &Checked) -> Option<(String, usize)> {
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
