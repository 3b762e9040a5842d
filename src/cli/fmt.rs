//! `pinion fmt`. In: rule files and folders, or the standard input. Out: the same files in canonical layout, or which
//! of them are not.

use crate::cli::files::Project;
use crate::cli::input::{RuleFiles, exact_text, file_name, rule_files};
use crate::cli::output;
use crate::cli::prelude::*;
use crate::cli::rules::drawn;
use crate::lang::format::{Unformatted, format};
use crate::lang::has_no_item;
use crate::lang::line_ends::{LineEnd, all_as_lf, are_mixed};
use crate::solve::RuleFile;
use similar::{ChangeTag, TextDiff};
use std::io::Write;
use std::path::Path;

/// Format rule files
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion fmt my-rule.pinion
  pinion fmt --check rules/
  pinion fmt - < my-rule.pinion

Without a path Pinion formats every .pinion file below the current folder. With - it reads standard input and prints the
result. Only blanks, newlines and the breaks of long lines change; each file keeps its line ends, LF, CR LF or CR, and its byte order
mark. A file with syntax errors is left alone.")]
pub struct FmtArgs {
    /// Rule files, folders of .pinion files, or - for standard input
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Write nothing; show what would change, with exit code 1 if anything would
    #[arg(long)]
    check: bool,
}

#[derive(Serialize)]
struct FormattedFile<'a> {
    file: &'a str,
    /// `unchanged`, `formatted`, `would_change`, `errors`.
    status: &'a str,
}

/// Number of files by result.
#[derive(Default)]
struct FormatTally {
    unchanged: usize,
    changed: usize,
    failed: usize,
}

/// Formats rule files.
pub fn run(args: &FmtArgs, _global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    if args.paths.iter().any(|path| path == Path::new("-")) {
        return standard_input(args, out);
    }
    let here = [PathBuf::from(".")];
    let paths: &[PathBuf] = if args.paths.is_empty() { &here } else { &args.paths };
    let (project, mut tally) = (Project::around(paths), FormatTally::default());
    let RuleFiles { paths, mut failures } = rule_files(paths);
    for file in &paths {
        match file_name(file).and_then(|_| exact_text(file)) {
            Ok(text) => one((args, &project), file, &text, &mut tally, out)?,
            Err(failure) => failures.push(failure),
        }
    }
    let worst = failures.iter().map(Failure::report).max().unwrap_or_default();
    if out.is_text() {
        out.lines(&[summary(args, &tally)])?;
    }
    let short = tally.failed > 0 || (args.check && tally.changed > 0);
    Ok(worst.max(if short { Exit::Short } else { Exit::Done }))
}

fn one(
    (args, project): (&FmtArgs, &Project),
    file: &Path,
    source: &str,
    tally: &mut FormatTally,
    out: &mut Output,
) -> Result<(), Stop> {
    let name = &file.display().to_string();
    if has_no_item(source) {
        remark(&format!("{name} has no technique: the file is empty or holds only comments [W0103]"));
    }
    let status = match format(source) {
        Ok(text) if text == source => {
            tally.unchanged += 1;
            "unchanged"
        }
        Ok(text) => {
            tally.changed += 1;
            if args.check {
                if out.is_text() {
                    out.lines(&difference(name, source, &text))?;
                }
                "would_change"
            } else {
                project.write(file, &text)?;
                if out.is_text() {
                    out.lines(&[Line::text(format!("formatted {name}"))])?;
                }
                "formatted"
            }
        }
        Err(reason) => {
            tally.failed += 1;
            complain(name, source, &reason);
            "errors"
        }
    };
    if !out.is_text() {
        out.value(&FormattedFile { file: name, status })?;
    }
    Ok(())
}

fn complain(name: &str, source: &str, reason: &Unformatted) {
    match reason {
        Unformatted::Unreadable(found) => {
            let file = RuleFile {
                name: name.to_owned(),
                text: source.to_owned(),
                diagnostics: found.clone(),
                techniques: Vec::new(),
                sources: Vec::new(),
            };
            let _ = write!(output::error_stream(), "{}", drawn(&file, true));
            remark(&format!("{name} has errors and is left as it is"));
        }
        Unformatted::Changed => {
            remark(&format!(
                "{name} is left as it is: formatted, it would say something else. Please report this file"
            ));
        }
    }
}

fn standard_input(args: &FmtArgs, out: &mut Output) -> Result<Exit, Stop> {
    if args.paths.len() > 1 {
        return Err(Failure::usage("give `-` alone to format the standard input, or files").into());
    }
    let source = exact_text(Path::new("-"))?;
    let formatted = format(&source);
    if !out.is_text() {
        let status = match &formatted {
            Ok(text) if *text == source => "unchanged",
            Ok(_) if args.check => "would_change",
            Ok(_) => "formatted",
            Err(_) => "errors",
        };
        out.value(&InputRecord { file: "-", status, text: formatted.as_ref().ok().filter(|_| !args.check) })?;
    }
    match formatted {
        Ok(text) if !out.is_text() => Ok(if args.check && text != source { Exit::Short } else { Exit::Done }),
        Ok(text) if args.check => {
            out.lines(&difference("standard input", &source, &text))?;
            Ok(if text == source { Exit::Done } else { Exit::Short })
        }
        Ok(text) => {
            if !text.is_empty() {
                out.data(&text)?;
            }
            Ok(Exit::Done)
        }
        Err(reason) => {
            complain("standard input", &source, &reason);
            Ok(Exit::Short)
        }
    }
}

/// The standard input.
#[derive(Serialize)]
struct InputRecord<'a> {
    file: &'a str,
    status: &'a str,
    /// Formatted, unless it was only looked at.
    text: Option<&'a String>,
}

/// Lines of two texts that are compared, at most.
const MOST_COMPARED: usize = 100_000;

/// The changed lines with their neighbours, as `diff -u` shows them.
fn difference(name: &str, before: &str, after: &str) -> Vec<Line> {
    let ends = are_mixed(before).then(|| {
        let words = format!("{name}: its lines end in different ways; most end in {}", LineEnd::of(before).name());
        Line::of(Role::Name, words)
    });
    let mut lines = Vec::from_iter(ends);
    let (before, after) = (&*all_as_lf(before), &*all_as_lf(after));
    let count = before.lines().count() + after.lines().count();
    if count > MOST_COMPARED {
        let words =
            format!("{name}: not in canonical layout; its {count} lines before and after are too many to compare");
        lines.push(Line::of(Role::Name, words));
        return lines;
    }
    let diff = TextDiff::from_lines(before, after);
    let heading = lines.len();
    for hunk in diff.unified_diff().context_radius(2).iter_hunks() {
        if lines.len() == heading {
            lines.push(Line::of(Role::Name, format!("{name}: not in canonical layout")));
        }
        lines.push(Line::of(Role::Quiet, hunk.header().to_string()));
        for change in hunk.iter_changes() {
            let text = change.value().trim_end_matches(['\n', '\r']);
            lines.push(match change.tag() {
                ChangeTag::Delete => Line::of(Role::Elimination, format!("-{text}")),
                ChangeTag::Insert => Line::of(Role::Placement, format!("+{text}")),
                ChangeTag::Equal => Line::text(format!(" {text}")),
            });
        }
    }
    lines
}

fn summary(args: &FmtArgs, tally: &FormatTally) -> Line {
    let files = |count| counted(count, "file");
    let done = if args.check { "would be formatted" } else { "formatted" };
    let role = if tally.failed > 0 || (args.check && tally.changed > 0) { Role::Bad } else { Role::Good };
    let mut words = format!("{} {done}, {} unchanged", files(tally.changed), tally.unchanged);
    if tally.failed > 0 {
        words.push_str(&format!(", {} with errors", tally.failed));
    }
    Line::of(role, words)
}
