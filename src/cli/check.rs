//! `pinion check` and `pinion lint`. In: rule files, folders and profiles. Out: everything that is wrong with them, or what could be better,
//! drawn at its place.

use crate::cli::diagnostics::{self, Annotation};
use crate::cli::input::each_once;
use crate::cli::prelude::*;
use crate::cli::profiles::{self, CheckedProfile};
use crate::cli::rules::{drawn, width};
use crate::cli::test::{Loaded, found, read};
use crate::engine::Engine;
use crate::lang::diagnostic::{Diagnostic, Severity, line_and_column};
use crate::solve::RuleFile;
use crate::workbench::lint::{lint, names_of};

/// Check rule files
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion check my-rule.pinion
  pinion check rules/ more-rules/
  pinion check mine.ron

`pinion explain CODE` says more about the code of a message.")]
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

/// Prints everything that is wrong with some files.
pub fn run(args: &CheckArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    args.time.begin();
    let _busy = busy("checking");
    let (profiles, paths) = profiles::split(&args.paths);
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
        all.extend(looked.iter().flat_map(CheckedProfile::annotations));
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
        one.print(out)?;
    }
    let is_fine =
        looked.iter().all(CheckedProfile::is_fine) && unplanned.is_empty() && !files.iter().any(RuleFile::has_errors);
    Ok(worst.max(if is_fine { Exit::Done } else { Exit::Short }))
}

/// Rules of these files that pass every check and still cannot be compiled for the common board.
fn unplanned(rulebook: &Rulebook, files: &[RuleFile]) -> Vec<(String, String)> {
    let Some(geometry) = Geometry::standard(9) else { return Vec::new() };
    let errors = Engine::new(Arc::new(geometry), rulebook.techniques(), rulebook.sources()).err().unwrap_or_default();
    // The errors of a file are reported; rules that fail because of them need not be.
    let right = || files.iter().filter(|file| !file.has_errors());
    let ours = |id: &String| right().any(|file| file.techniques.contains(id) || file.sources.contains(id));
    errors
        .into_iter()
        .filter(|error| ours(&error.technique))
        .map(|error| (error.technique, error.reason.to_string()))
        .collect()
}

/// Returns true if a file declares a technique or a link source.
fn declares(file: &RuleFile, id: &String) -> bool {
    file.techniques.contains(id) || file.sources.contains(id)
}

impl<'a> FindingRecord<'a> {
    fn new(text: &str, finding: &'a Diagnostic) -> FindingRecord<'a> {
        let (line, column) = line_and_column(text, finding.start());
        FindingRecord { line, column, finding }
    }
}

/// The findings of a file at their places.
pub fn annotated(file: &RuleFile) -> impl Iterator<Item = Annotation> {
    file.diagnostics.iter().map(|found| Annotation::new(&file.name, &file.text, found))
}

/// Rules of a file that cannot be compiled.
fn unplanned_in<'a>(file: &'a RuleFile, all: &'a [(String, String)]) -> impl Iterator<Item = Annotation> {
    all.iter().filter(|(id, _)| declares(file, id)).map(move |(id, message)| Annotation {
        code: "not-compiled".into(),
        is_error: true,
        file: file.name.clone(),
        region: None,
        message: format!("`{id}`: {message}"),
        others: Vec::new(),
    })
}

fn record<'a>(file: &'a RuleFile, unplanned: &'a [(String, String)]) -> FileRecord<'a> {
    let findings = file.diagnostics.iter().map(|finding| FindingRecord::new(&file.text, finding)).collect();
    let refused = unplanned.iter().filter(|(id, _)| declares(file, id));
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

/// Say what could be better in correct rules
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion lint my-rule.pinion
  pinion lint mine.ron
  pinion lint

Without a path Pinion looks at the built-in rulebook. `pinion explain CODE` says more about a code. To excuse a finding,
write a comment in the rule: // allow L0105: the reason")]
pub struct LintArgs {
    /// Rule files, folders of .pinion files, or profiles [default: the built-in rules and profiles]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    time: RunTimeArg,
}

#[derive(Serialize)]
struct LintRecord<'a> {
    file: &'a str,
    findings: Vec<FindingRecord<'a>>,
    excused: usize,
}

/// Prints findings about correct rules.
pub fn run_lint(args: &LintArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    limits::heed_interrupts();
    args.time.begin();
    let _busy = busy("reading rules");
    let (profiles, paths) = profiles::split(&args.paths);
    if paths.is_empty() && !profiles.is_empty() {
        let looked = profiles::look_at(&profiles, &super::rules::rulebook(global)?)?;
        if out.annotates() {
            out.annotations(&looked.iter().flat_map(CheckedProfile::annotations).collect::<Vec<_>>())?;
        }
        looked.iter().try_for_each(|one| one.print(out))?;
        return Ok(if looked.iter().all(CheckedProfile::is_fine) { Exit::Done } else { Exit::Short });
    }
    let loaded = Loaded::read(&paths, global);
    let names = names_of(&loaded.rulebook);
    let (mut findings, mut excused, mut left, mut annotations) = (0, 0, 0, Vec::new());
    for file in loaded.files() {
        let _busy = busy(format!("looking at {}", file.name));
        let linted = lint(&loaded.rulebook, file, &names, &|| limits::why_ended().is_some());
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
        let errors = file.diagnostics.iter().filter(|one| one.severity == Severity::Error);
        let findings = errors.chain(&linted.findings).map(|finding| FindingRecord::new(&file.text, finding)).collect();
        out.value(&LintRecord { file: &file.name, findings, excused: linted.excused })?;
    }
    let looked = profiles::look_at(&profiles, &loaded.rulebook)?;
    if out.annotates() {
        annotations.extend(looked.iter().flat_map(CheckedProfile::annotations));
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
    let why = limits::why_ended().filter(|_| left > 0);
    if let Some((words, _)) = &why {
        remark(&format!("{words}: {} not looked at", counted(left, "technique")));
    }
    // For people, built-in profiles without a fault are left out.
    let own = if paths.is_empty() { profiles::look_at_own(&loaded.rulebook) } else { Vec::new() };
    let own: Vec<&CheckedProfile> = own.iter().filter(|one| !one.is_fine() || !out.is_text()).collect();
    for one in looked.iter().chain(own.iter().copied()) {
        one.print(out)?;
    }
    let fine = looked.iter().chain(own).all(CheckedProfile::is_fine);
    let found = if findings > 0 || !fine { Exit::Short } else { Exit::Done };
    Ok(loaded.worst.max(found).max(why.map_or(Exit::Done, |(_, exit)| exit)))
}
