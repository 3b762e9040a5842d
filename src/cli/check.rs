//! `pinion check`. In: rule files, folders and profiles. Out: everything that is wrong with them, drawn at its place.

use super::annotations::Annotation;
use super::args::Global;
use super::exit::{Exit, Stop};
use super::input::each_once;
use super::limits::RunTimeArg;
use super::output::Output;
use super::profiles::{self, Looked};
use super::progress::busy;
use super::rules::drawn;
use super::test::{found, read};
use crate::engine::Engine;
use crate::grid::Geometry;
use crate::lang::diagnostic::{Diagnostic, Severity, line_and_column};
use crate::render::{Line, Role, counted};
use crate::solve::{RuleFile, Rulebook};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion check my-rule.pinion
  pinion check rules/ more-rules/
  pinion check mine.ron

`pinion explain CODE` says more about the code of a message.";

/// Options.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Rule files, folders of .pinion files, or profiles
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    time: RunTimeArg,
}

#[derive(Serialize)]
struct FileRecord<'a> {
    file: &'a str,
    techniques: &'a [String],
    sources: &'a [String],
    findings: Vec<FindingRecord<'a>>,
    /// Rules without a finding that cannot be compiled all the same.
    refused: Vec<RefusedRecord<'a>>,
}

#[derive(Serialize)]
struct RefusedRecord<'a> {
    technique: &'a str,
    message: &'a str,
}

#[derive(Serialize)]
struct FindingRecord<'a> {
    /// From one.
    line: usize,
    /// From one.
    column: usize,
    finding: &'a Diagnostic,
}

/// Checks.
pub fn run(args: &CheckArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    args.time.begin();
    let _busy = busy("checking");
    let (profiles, paths) = profiles::apart(&args.paths);
    let mut worst = Exit::Done;
    let all: Vec<PathBuf> = paths.iter().chain(&global.rules).cloned().collect();
    let files = read(&each_once(found(&all, &mut worst)), &mut worst);
    let known = Rulebook::embedded();
    let own = known.files().len();
    let rulebook = known.with(files);
    let files = &rulebook.files()[own..];
    let unplanned = unplanned(&rulebook, files);
    let looked = profiles::look_at(&profiles, &rulebook)?;
    if out.annotates() {
        let found = |file: &RuleFile| annotated(file).chain(unplanned_in(file, &unplanned)).collect::<Vec<_>>();
        let mut all: Vec<Annotation> = files.iter().flat_map(found).collect();
        all.extend(looked.iter().flat_map(Looked::annotations));
        out.annotations(&all)?;
    }
    for file in files {
        if out.is_text() { out.styled(&drawn(file, out.has_colours()))? } else { out.value(&record(file, &unplanned))? }
    }
    if out.is_text() {
        for (name, message) in &unplanned {
            out.lines(&[Line::of(Role::Bad, "error: ").and(Role::Plain, format!("`{name}`: {message}"))])?;
        }
        if files.iter().any(|file| !file.diagnostics.is_empty()) {
            out.lines(&[Line::default()])?;
        }
        if !files.is_empty() || profiles.is_empty() {
            out.lines(&[summary(files, unplanned.len())])?;
        }
    }
    for one in &looked {
        one.tell(out)?;
    }
    let is_fine = looked.iter().all(Looked::is_fine) && unplanned.is_empty() && !files.iter().any(RuleFile::has_errors);
    Ok(worst.max(if is_fine { Exit::Done } else { Exit::Short }))
}

/// Rules of these files that pass every check and still cannot be compiled for the common board.
fn unplanned(rulebook: &Rulebook, files: &[RuleFile]) -> Vec<(String, String)> {
    let Some(geometry) = Geometry::standard(9) else { return Vec::new() };
    let errors = Engine::new(Arc::new(geometry), rulebook.techniques(), rulebook.sources()).err().unwrap_or_default();
    // What is wrong with a file is said; what follows from it need not be.
    let right = || files.iter().filter(|file| !file.has_errors());
    let ours = |id: &String| right().any(|file| file.techniques.contains(id) || file.sources.contains(id));
    errors
        .into_iter()
        .filter(|error| ours(&error.technique))
        .map(|error| (error.technique, error.reason.to_string()))
        .collect()
}

/// The findings of a file at their places.
pub fn annotated(file: &RuleFile) -> impl Iterator<Item = Annotation> {
    file.diagnostics.iter().map(|found| Annotation::new(&file.name, &file.text, found))
}

/// Rules of a file that cannot be compiled.
fn unplanned_in<'a>(file: &'a RuleFile, all: &'a [(String, String)]) -> impl Iterator<Item = Annotation> {
    let ours = move |(id, _): &&(String, String)| file.techniques.contains(id) || file.sources.contains(id);
    all.iter().filter(ours).map(move |(id, message)| Annotation {
        code: "not-compiled".into(),
        is_error: true,
        file: file.name.clone(),
        region: None,
        message: format!("`{id}`: {message}"),
        others: Vec::new(),
    })
}

fn record<'a>(file: &'a RuleFile, unplanned: &'a [(String, String)]) -> FileRecord<'a> {
    let finding = |finding| {
        let (line, column) = line_and_column(&file.text, Diagnostic::start(finding));
        FindingRecord { line, column, finding }
    };
    let findings = file.diagnostics.iter().map(finding).collect();
    let ours = |id: &String| file.techniques.contains(id) || file.sources.contains(id);
    let refused = unplanned.iter().filter(|(id, _)| ours(id));
    let refused = refused.map(|(technique, message)| RefusedRecord { technique, message }).collect();
    FileRecord { file: &file.name, techniques: &file.techniques, sources: &file.sources, findings, refused }
}

fn summary(files: &[RuleFile], unplanned: usize) -> Line {
    let of = |severity| {
        let findings = files.iter().flat_map(|file| &file.diagnostics);
        findings.filter(|finding| finding.severity == severity).count()
    };
    let (errors, warnings) = (of(Severity::Error) + unplanned, of(Severity::Warning));
    let techniques = files.iter().map(|file| file.techniques.len()).sum();
    let words = format!("{}, {}: ", counted(files.len(), "file"), counted(techniques, "technique"));
    let role = if errors > 0 { Role::Bad } else { Role::Good };
    let found = match (errors, warnings) {
        (0, 0) => "no errors".to_string(),
        (errors, 0) => counted(errors, "error"),
        (errors, warnings) => format!("{}, {}", counted(errors, "error"), counted(warnings, "warning")),
    };
    Line::text(words).and(role, found)
}
