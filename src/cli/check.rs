//! `pinion check` and `pinion lint`. In: rule files, folders and profiles. Out: everything that is wrong with them, or what could be better,
//! drawn at its place. In a profile: what cannot be read, prices with errors, rows that can never be used.

use crate::cli::diagnostics::{self, Annotation, Region};
use crate::cli::input::{self, each_once};
use crate::cli::prelude::*;
use crate::cli::rules::{drawn, rulebook, width};
use crate::cli::test::{TestedRules, found, read};
use crate::engine::{Engine, Limits};
use crate::lang::diagnostic::{Diagnostic, Severity, line_and_column};
use crate::solve::{MissingRow, PriceFault, Profile, RuleFile, price_faults};
use crate::workbench::lint::{lint, name_owners};
use serde::Serializer;

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
    refused: Vec<&'a RefusedRule>,
}

/// A rule of the checked files that passes every check and still cannot be compiled for the common board.
#[derive(Serialize)]
struct RefusedRule {
    technique: String,
    message: String,
}

impl RefusedRule {
    fn words(&self) -> String {
        format!("`{}`: {}", self.technique, self.message)
    }
}

#[derive(Serialize)]
struct FindingRecord<'a> {
    /// From one.
    line: usize,
    /// From one.
    column: usize,
    finding: &'a Diagnostic,
}

impl<'a> FindingRecord<'a> {
    fn new(file: &RuleFile, finding: &'a Diagnostic) -> FindingRecord<'a> {
        let (line, column) = line_and_column(&file.text, finding.start());
        FindingRecord { line, column, finding }
    }
}

/// Prints everything that is wrong with some files.
pub fn run(args: &CheckArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    args.time.begin();
    let _busy = busy("checking");
    let (profiles, paths) = split(&args.paths);
    let mut worst = Exit::Done;
    let all: Vec<PathBuf> = paths.iter().chain(&global.rules).cloned().collect();
    let files = read(&each_once(found(&all, &mut worst)), &mut worst);
    let known = Rulebook::embedded();
    let own = known.files().len();
    let rulebook = known.with(files);
    let files = &rulebook.files()[own..];
    let refused = refused(&rulebook, files);
    let profiles = CheckedProfile::read(&profiles, &rulebook)?;
    if out.annotates() {
        let mut all = Vec::new();
        for file in files {
            all.extend(annotated(file));
            let of_file = refused.iter().filter(|one| declares(file, &one.technique));
            all.extend(of_file.map(|one| Annotation::of_file("not-compiled", &file.name, one.words())));
        }
        all.extend(profiles.iter().flat_map(CheckedProfile::annotations));
        out.annotations(&all)?;
    }
    for file in files {
        if out.is_text() {
            out.styled(&drawn(file, out.has_colours()))?;
            continue;
        }
        out.value(&FileRecord {
            file: &file.name,
            techniques: &file.techniques,
            sources: &file.sources,
            findings: file.diagnostics.iter().map(|finding| FindingRecord::new(file, finding)).collect(),
            refused: refused.iter().filter(|one| declares(file, &one.technique)).collect(),
        })?;
    }
    if out.is_text() {
        for one in &refused {
            out.lines(&[Line::styled(Role::Failure, "error: ").with(Role::Plain, one.words())])?;
        }
        if files.iter().any(|file| !file.diagnostics.is_empty()) {
            out.lines(&[Line::default()])?;
        }
        if !files.is_empty() || profiles.is_empty() {
            out.lines(&[summary(files, refused.len())])?;
        }
    }
    profiles.iter().try_for_each(|one| one.print(out))?;
    let is_fine =
        profiles.iter().all(CheckedProfile::is_fine) && refused.is_empty() && !files.iter().any(RuleFile::has_errors);
    Ok(worst.max(if is_fine { Exit::Done } else { Exit::Short }))
}

/// Separates profiles from other paths.
fn split(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    paths.iter().cloned().partition(|path| path.extension().is_some_and(|extension| extension == "ron"))
}

/// Finds the rules of these files that cannot be compiled. Rules of files with errors are left out: they may fail because of those.
fn refused(rulebook: &Rulebook, files: &[RuleFile]) -> Vec<RefusedRule> {
    let Some(geometry) = Geometry::standard(9) else { return Vec::new() };
    let errors = Engine::new(Arc::new(geometry), rulebook.techniques(), rulebook.sources()).err().unwrap_or_default();
    errors
        .into_iter()
        .filter(|error| files.iter().any(|file| !file.has_errors() && declares(file, &error.technique)))
        .map(|error| RefusedRule { technique: error.technique, message: error.reason.to_string() })
        .collect()
}

/// Returns true if a file declares a technique or a link source.
fn declares(file: &RuleFile, id: &String) -> bool {
    file.techniques.contains(id) || file.sources.contains(id)
}

/// The findings of a file at their places.
pub fn annotated(file: &RuleFile) -> impl Iterator<Item = Annotation> {
    file.diagnostics.iter().map(|found| Annotation::new(&file.name, &file.text, found))
}

fn summary(files: &[RuleFile], refused: usize) -> Line {
    let findings = files.iter().flat_map(|file| &file.diagnostics);
    let (errors, warnings): (Vec<_>, Vec<_>) = findings.partition(|finding| finding.severity == Severity::Error);
    let (errors, warnings) = (errors.len() + refused, warnings.len());
    let techniques = files.iter().map(|file| file.techniques.len()).sum();
    let words = format!("{}, {}: ", count_phrase(files.len(), "file"), count_phrase(techniques, "technique"));
    let role = if errors > 0 { Role::Failure } else { Role::Success };
    let found = match (errors, warnings) {
        (0, 0) => "no errors".to_string(),
        (errors, 0) => count_phrase(errors, "error"),
        (errors, warnings) => format!("{}, {}", count_phrase(errors, "error"), count_phrase(warnings, "warning")),
    };
    Line::text(words).with(role, found)
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
    args.time.begin_run();
    let _busy = busy("reading rules");
    let (profiles, paths) = split(&args.paths);
    if paths.is_empty() && !profiles.is_empty() {
        let profiles = CheckedProfile::read(&profiles, &rulebook(global)?)?;
        if out.annotates() {
            out.annotations(&profiles.iter().flat_map(CheckedProfile::annotations).collect::<Vec<_>>())?;
        }
        profiles.iter().try_for_each(|one| one.print(out))?;
        return Ok(if profiles.iter().all(CheckedProfile::is_fine) { Exit::Done } else { Exit::Short });
    }
    let loaded = TestedRules::read(&paths, global);
    let names = name_owners(&loaded.rulebook);
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
        } else if !out.is_text() {
            let errors = file.diagnostics.iter().filter(|one| one.severity == Severity::Error);
            let findings = errors.chain(&linted.findings).map(|finding| FindingRecord::new(file, finding)).collect();
            out.value(&LintRecord { file: &file.name, findings, excused: linted.excused })?;
        } else if !linted.findings.is_empty() {
            out.styled(&diagnostics::draw(&file.name, &file.text, &linted.findings, out.has_colours(), width()))?;
            out.lines(&[Line::default()])?;
        }
    }
    let mut profiles = CheckedProfile::read(&profiles, &loaded.rulebook)?;
    if out.annotates() {
        annotations.extend(profiles.iter().flat_map(CheckedProfile::annotations));
        out.annotations(&annotations)?;
    }
    if out.is_text() {
        let mut words = match findings {
            0 if loaded.broken > 0 => format!("{} with errors", count_phrase(loaded.broken, "file")),
            0 => "no findings".to_owned(),
            many => count_phrase(many, "finding"),
        };
        if excused > 0 {
            words.push_str(&format!(", {excused} excused"));
        }
        let role = if findings == 0 && loaded.broken == 0 { Role::Success } else { Role::Failure };
        let head = format!("{}, {}: ", count_phrase(loaded.count, "file"), count_phrase(loaded.ids.len(), "technique"));
        out.lines(&[Line::text(head).with(role, words)])?;
    }
    let why = limits::why_ended().filter(|_| left > 0);
    if let Some((words, _)) = &why {
        remark(&format!("{words}: {} not looked at", count_phrase(left, "technique")));
    }
    if paths.is_empty() {
        // For people, built-in profiles without a fault are left out.
        let own = CheckedProfile::embedded(&loaded.rulebook);
        profiles.extend(own.filter(|one| !one.is_fine() || !out.is_text()));
    }
    profiles.iter().try_for_each(|one| one.print(out))?;
    let is_fine = findings == 0 && profiles.iter().all(CheckedProfile::is_fine);
    let exit = loaded.worst.max(if is_fine { Exit::Done } else { Exit::Short });
    Ok(exit.max(why.map_or(Exit::Done, |(_, exit)| exit)))
}

/// A profile with the first kind of thing that is wrong with it.
#[derive(Default, Serialize)]
struct CheckedProfile {
    #[serde(rename = "profile")]
    name: String,
    #[serde(skip)]
    text: String,
    rows: usize,
    /// The error of a profile that cannot be read.
    error: Option<String>,
    /// Prices with errors.
    #[serde(rename = "price_errors", serialize_with = "messages")]
    prices: Vec<PriceFault>,
    /// Rows that can never be used, on the common board.
    never_used: Vec<MissingRow>,
}

fn messages<S: Serializer>(faults: &[PriceFault], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(faults.iter().flat_map(|fault| &fault.diagnostics).map(|one| &one.message))
}

impl CheckedProfile {
    /// Checks the profiles in some files.
    fn read(paths: &[PathBuf], rulebook: &Rulebook) -> Result<Vec<CheckedProfile>, Stop> {
        let mut all = Vec::new();
        for path in paths {
            let (name, text) = (path.display().to_string(), input::text(path)?);
            let found = match Profile::read(&name, &text) {
                Ok(profile) => CheckedProfile::new(&profile, rulebook),
                Err(error) => CheckedProfile { error: Some(error.to_string()), ..CheckedProfile::default() },
            };
            all.push(CheckedProfile { name, text, ..found });
        }
        Ok(all)
    }

    /// Checks the profiles of the program.
    fn embedded(rulebook: &Rulebook) -> impl Iterator<Item = CheckedProfile> {
        Profile::all_embedded()
            .into_iter()
            .map(|profile| CheckedProfile { name: profile.name.clone(), ..CheckedProfile::new(&profile, rulebook) })
    }

    fn new(profile: &Profile, rulebook: &Rulebook) -> CheckedProfile {
        let prices = price_faults(&profile.resolved(rulebook.techniques()), rulebook.techniques());
        let mut checked = CheckedProfile { rows: profile.rows.len(), prices, ..CheckedProfile::default() };
        if let Some(geometry) = Geometry::standard(9).filter(|_| checked.prices.is_empty()) {
            let solver = Solver::new(rulebook, &Arc::new(geometry), profile, Limits::default());
            checked.never_used.clone_from(&solver.ranking().missing);
        }
        checked
    }

    /// Returns true if the profile has no fault.
    fn is_fine(&self) -> bool {
        self.error.is_none() && self.prices.is_empty() && self.never_used.is_empty()
    }

    /// The faults as annotations.
    fn annotations(&self) -> Vec<Annotation> {
        let CheckedProfile { name, text, .. } = self;
        let mut all = Vec::new();
        all.extend(self.error.iter().map(|error| Annotation::of_file("unreadable-profile", name, error.clone())));
        for fault in &self.prices {
            let at = place(text, &fault.text);
            all.extend(fault.diagnostics.iter().map(|found| match at {
                Some(at) => Annotation::new(name, text, &found.clone().shifted(at)),
                None => Annotation { region: None, others: Vec::new(), ..Annotation::new(name, &fault.text, found) },
            }));
        }
        for MissingRow { row, reason } in &self.never_used {
            let region = place(text, row).map(|at| Region::new(text, &(at..at + row.len())));
            let words = format!("the row of `{row}` can never be used: {reason}");
            all.push(Annotation { is_error: false, region, ..Annotation::of_file("unused-row", name, words) });
        }
        all
    }

    /// Prints the faults.
    fn print(&self, out: &mut Output) -> Result<(), Stop> {
        let CheckedProfile { name, never_used, .. } = self;
        if !out.is_text() {
            return Ok(out.value(self)?);
        }
        if let Some(error) = &self.error {
            Failure::input(format!("the profile cannot be read: {error}")).report();
            return Ok(());
        }
        if !self.prices.is_empty() {
            return Ok(out.styled(&drawn_prices(name, &self.text, &self.prices, out.has_colours()))?);
        }
        for MissingRow { row, reason } in never_used {
            let words = format!("{name}: the row of `{row}` can never be used: {reason}");
            out.lines(&[Line::styled(Role::Failure, "warning: ").with(Role::Plain, words)])?;
        }
        let (role, end) = match never_used.len() {
            0 => (Role::Success, "nothing to mend".to_owned()),
            many => (Role::Failure, format!("{} that can never be used", count_phrase(many, "row"))),
        };
        Ok(out.lines(&[
            Line::text(format!("{name}, a profile of {}: ", count_phrase(self.rows, "row"))).with(role, end)
        ])?)
    }
}

/// Returns the byte offset of a string in a profile. None if RON escapes some of its characters.
fn place(profile: &str, text: &str) -> Option<usize> {
    profile.find(&format!("\"{text}\"")).map(|at| at + 1)
}

/// Draws the faults of prices at their places.
pub fn drawn_prices(name: &str, text: &str, faults: &[PriceFault], colours: bool) -> String {
    let mut out = String::new();
    for PriceFault { text: price, diagnostics: found } in faults {
        let (source, at) = place(text, price).map_or((price.as_str(), 0), |at| (text, at));
        let found: Vec<Diagnostic> = found.iter().cloned().map(|one| one.shifted(at)).collect();
        out += &diagnostics::draw(name, source, &found, colours, width());
    }
    out
}
