//! Examples and near misses of rule files. In: what was loaded. Out: those that do not hold, with what was found
//! instead, and a count.

use super::super::args::Global;
use super::super::exit::{Exit, Stop};
use super::super::output::Output;
use super::TestArgs;
use super::loaded::Loaded;
use crate::lang::ast::Item;
use crate::lang::ir::Technique;
use crate::lang::parse;
use crate::render::{Line, Role, counted};
use crate::solve::Rulebook;
use crate::workbench::examples::{Checked, Verdict, check};
use serde::Serialize;

/// An example, as programs get it.
#[derive(Serialize)]
struct ExampleRecord<'a> {
    technique: &'a str,
    title: Option<&'a str>,
    file: Option<String>,
    line: Option<usize>,
    near_miss: bool,
    /// `passed`, `failed`, `unusable`.
    verdict: &'a str,
    missing: &'a [String],
    extra: &'a [String],
    message: Option<&'a str>,
}

/// Runs them.
pub fn run(args: &TestArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let loaded = Loaded::read(&args.paths, global);
    let techniques = loaded.techniques();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let checked = check(&loaded.rulebook, &techniques, threads);
    let without: Vec<&Technique> =
        techniques.iter().copied().filter(|one| one.examples.iter().all(|example| example.near_miss)).collect();
    if out.is_text() {
        tell(args, &loaded, &techniques, &checked, out)?;
        for technique in &without {
            let what = "has no example: nothing shows that it finds anything";
            out.lines(&[Line::of(Role::Bad, "untested ").and(Role::Plain, format!("{} {what}", technique.id))])?;
        }
        out.lines(&[summary(&loaded, &checked, without.len())])?;
    } else {
        checked.iter().try_for_each(|one| out.value(&record(&loaded.rulebook, one)))?;
    }
    let failed = !without.is_empty() || checked.is_empty() || !checked.iter().all(Checked::passed);
    Ok(loaded.worst.max(if failed { Exit::Short } else { Exit::Done }))
}

fn tell(
    args: &TestArgs,
    loaded: &Loaded,
    techniques: &[&Technique],
    checked: &[Checked],
    out: &mut Output,
) -> Result<(), Stop> {
    for technique in techniques {
        let own: Vec<&Checked> = checked.iter().filter(|one| one.technique == technique.id).collect();
        let passed = own.iter().filter(|one| one.passed()).count();
        if args.verbose && !own.is_empty() {
            let role = if passed == own.len() { Role::Good } else { Role::Bad };
            let words = if passed == own.len() { "passed " } else { "failed " };
            let count = format!("{} of {}", passed, counted(own.len(), "example"));
            out.lines(&[Line::of(role, words).and(Role::Plain, format!("{}, {count}", technique.id))])?;
        }
        for one in own.into_iter().filter(|one| !one.passed()) {
            out.lines(&failure(&loaded.rulebook, one))?;
        }
    }
    Ok(())
}

/// An example that does not hold, with what was found instead.
fn failure(rulebook: &Rulebook, one: &Checked) -> Vec<Line> {
    let word = if one.example.near_miss { "near miss" } else { "example" };
    let title = one.example.title.as_ref().map_or(String::new(), |title| format!(" \"{title}\""));
    let place = place(rulebook, one).map_or(String::new(), |(file, line)| format!("{file}:{line}: "));
    let mut lines =
        vec![Line::of(Role::Bad, "failed ").and(Role::Plain, format!("{place}{word} {}{title}", one.label))];
    match &one.verdict {
        Verdict::Passed => {}
        Verdict::Unusable(why) => lines.push(Line::plain(format!("    {why}"))),
        Verdict::Failed { missing, extra } => {
            let say = |words: &str, all: &[String], role: Role| -> Vec<Line> {
                let line = |one: &String| Line::plain(format!("    {words} ")).and(role, one.clone());
                all.iter().take(SHOWN).map(line).chain(more(all.len())).collect()
            };
            let found = if one.example.near_miss { "found" } else { "found, but not listed:" };
            lines.extend(say("not found:", missing, Role::Elimination));
            lines.extend(say(found, extra, Role::Placement));
            if missing.is_empty() && extra.is_empty() {
                lines.push(Line::plain("    nothing is listed"));
            }
        }
    }
    lines
}

/// So many deductions are shown.
const SHOWN: usize = 12;

fn more(count: usize) -> Option<Line> {
    let left = count.saturating_sub(SHOWN);
    (left > 0).then(|| Line::of(Role::Quiet, format!("    and {left} more")))
}

/// The file and the line of an example.
fn place(rulebook: &Rulebook, one: &Checked) -> Option<(String, usize)> {
    rulebook.files().iter().rev().find_map(|file| {
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
        Some((file.name.clone(), file.text.get(..at)?.matches('\n').count() + 1))
    })
}

fn record<'a>(rulebook: &Rulebook, one: &'a Checked) -> ExampleRecord<'a> {
    let (file, line) = place(rulebook, one).unzip();
    let none: &[String] = &[];
    let (verdict, missing, extra, message) = match &one.verdict {
        Verdict::Passed => ("passed", none, none, None),
        Verdict::Failed { missing, extra } => ("failed", missing.as_slice(), extra.as_slice(), None),
        Verdict::Unusable(why) => ("unusable", none, none, Some(why.as_str())),
    };
    let title = one.example.title.as_deref();
    let near_miss = one.example.near_miss;
    ExampleRecord { technique: &one.label, title, file, line, near_miss, verdict, missing, extra, message }
}

fn summary(loaded: &Loaded, checked: &[Checked], without: usize) -> Line {
    let passed = checked.iter().filter(|one| one.passed()).count();
    let words = format!("{}, {}: ", counted(loaded.files, "file"), counted(loaded.ids.len(), "technique"));
    let mut end = format!("{passed} of {} passed", counted(checked.len(), "example"));
    if without > 0 {
        end.push_str(&format!(", {} without one", counted(without, "technique")));
    }
    if loaded.broken > 0 {
        end.push_str(&format!(", {} with errors", counted(loaded.broken, "file")));
    }
    let good = passed == checked.len() && passed > 0 && without == 0 && loaded.broken == 0;
    Line::plain(words).and(if good { Role::Good } else { Role::Bad }, end)
}
