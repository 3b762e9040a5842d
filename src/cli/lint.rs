//! `pinion lint`. In: rule files. Out: what could be better about them, drawn at its place.

use super::annotations::Annotation;
use super::args::Global;
use super::check::annotated;
use super::diagnostics;
use super::exit::{Exit, Stop, remark};
use super::interrupt;
use super::limits::RunTimeArg;
use super::output::Output;
use super::profiles::{self, Looked};
use super::progress::busy;
use super::rules::width;
use super::test::Loaded;
use crate::lang::diagnostic::{Diagnostic, Severity, line_and_column};
use crate::render::{Line, Role, counted};
use crate::workbench::lint::{lint, names_of};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion lint my-rule.pinion
  pinion lint mine.ron
  pinion lint

Without a path Pinion looks at the built-in rulebook. `pinion explain CODE` says more about a code. To excuse a finding,
write a comment in the rule: // allow L0105: the reason";

/// Options.
#[derive(Args, Debug)]
pub struct LintArgs {
    /// Rule files, folders of .pinion files, or profiles [default: the built-in rules and profiles]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    time: RunTimeArg,
}

#[derive(Serialize)]
struct FileRecord<'a> {
    file: &'a str,
    findings: Vec<FindingRecord<'a>>,
    excused: usize,
}

#[derive(Serialize)]
struct FindingRecord<'a> {
    /// From one.
    line: usize,
    /// From one.
    column: usize,
    finding: &'a Diagnostic,
}

/// Lints.
pub fn run(args: &LintArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    interrupt::heed();
    args.time.begin();
    let _busy = busy("reading rules");
    let (profiles, paths) = profiles::apart(&args.paths);
    if paths.is_empty() && !profiles.is_empty() {
        let looked = profiles::look_at(&profiles, &super::rules::rulebook(global)?)?;
        if out.annotates() {
            out.annotations(&looked.iter().flat_map(Looked::annotations).collect::<Vec<_>>())?;
        }
        looked.iter().try_for_each(|one| one.tell(out))?;
        return Ok(if looked.iter().all(Looked::is_fine) { Exit::Done } else { Exit::Short });
    }
    let loaded = Loaded::read(&paths, global);
    let names = names_of(&loaded.rulebook);
    let (mut findings, mut excused, mut left, mut annotations) = (0, 0, 0, Vec::new());
    for file in loaded.files() {
        let _busy = busy(format!("looking at {}", file.name));
        let linted = lint(&loaded.rulebook, file, &names, &|| interrupt::why().is_some());
        left += linted.left;
        if linted.left > 0 && linted.left == file.techniques.len() {
            continue;
        }
        findings += linted.findings.len();
        excused += linted.excused;
        if out.annotates() {
            annotations.extend(annotated(file));
            annotations.extend(linted.findings.iter().map(|found| Annotation::new(&file.name, &file.text, found)));
            continue;
        }
        if out.is_text() {
            if !linted.findings.is_empty() {
                out.styled(&diagnostics::draw(&file.name, &file.text, &linted.findings, out.has_colours(), width()))?;
                out.lines(&[Line::default()])?;
            }
            continue;
        }
        let record = |finding| {
            let (line, column) = line_and_column(&file.text, Diagnostic::start(finding));
            FindingRecord { line, column, finding }
        };
        let errors = file.diagnostics.iter().filter(|one| one.severity == Severity::Error);
        let findings = errors.chain(&linted.findings).map(record).collect();
        out.value(&FileRecord { file: &file.name, findings, excused: linted.excused })?;
    }
    let looked = profiles::look_at(&profiles, &loaded.rulebook)?;
    if out.annotates() {
        annotations.extend(looked.iter().flat_map(Looked::annotations));
        out.annotations(&annotations)?;
    }
    if out.is_text() {
        let mut words = match findings {
            0 if loaded.broken > 0 => format!("{} with errors", counted(loaded.broken, "file")),
            0 => "no findings".to_owned(),
            many => counted(many, "finding"),
        };
        if excused > 0 {
            words.push_str(&format!(", {excused} excused"));
        }
        let role = if findings == 0 && loaded.broken == 0 { Role::Good } else { Role::Bad };
        let head = format!("{}, {}: ", counted(loaded.count, "file"), counted(loaded.ids.len(), "technique"));
        out.lines(&[Line::text(head).and(role, words)])?;
    }
    let why = interrupt::why().filter(|_| left > 0);
    if let Some((words, _)) = &why {
        remark(&format!("{words}: {} not looked at", counted(left, "technique")));
    }
    // Of the program's own profiles people are told what is wrong alone.
    let own = if paths.is_empty() { profiles::look_at_own(&loaded.rulebook) } else { Vec::new() };
    let own: Vec<&Looked> = own.iter().filter(|one| !one.is_fine() || !out.is_text()).collect();
    for one in looked.iter().chain(own.iter().copied()) {
        one.tell(out)?;
    }
    let fine = looked.iter().chain(own).all(Looked::is_fine);
    let found = if findings > 0 || !fine { Exit::Short } else { Exit::Done };
    Ok(loaded.worst.max(found).max(why.map_or(Exit::Done, |(_, exit)| exit)))
}
