//! `pinion check` and `pinion lint`: print the diagnostics of rule files and profiles. Diagnostics of a profile are read errors, errors in
//! prices, and rows that can never be used.

use crate::cli::diagnostics::{self, Annotation, Region};
use crate::cli::input::{self, without_duplicates};
use crate::cli::prelude::*;
use crate::cli::rules::{diagnostics_width, draw_diagnostics, rulebook};
use crate::cli::test::{TestedRules, find_rule_files, read_files};
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
    refused: Vec<&'a RefusedRule>,
}

/// A rule without a diagnostic that nevertheless cannot be compiled for the 9×9 board.
#[derive(Serialize)]
struct RefusedRule {
    technique: String,
    message: String,
}

impl RefusedRule {
    fn full_message(&self) -> String {
        format!("`{}`: {}", self.technique, self.message)
    }
}

#[derive(Serialize)]
struct FindingRecord<'a> {
    /// Line, from 1.
    line: usize,
    /// Character in the line, from 1.
    column: usize,
    finding: &'a Diagnostic,
}

impl<'a> FindingRecord<'a> {
    fn new(file: &RuleFile, finding: &'a Diagnostic) -> FindingRecord<'a> {
        let (line, column) = line_and_column(&file.text, finding.start());
        FindingRecord { line, column, finding }
    }
}

pub fn run(args: &CheckArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    args.time.begin();
    let _work = announce_work("checking");
    let (profiles, paths) = split_profiles(&args.paths);
    let mut highest_exit = Exit::Done;
    let all_paths: Vec<PathBuf> = paths.iter().chain(&global.rules).cloned().collect();
    let rule_paths = without_duplicates(find_rule_files(&all_paths, &mut highest_exit));
    let files = read_files(&rule_paths, &mut highest_exit);
    let built_in = Rulebook::embedded();
    let built_in_files = built_in.files().len();
    let rulebook = built_in.with(files);
    let files = &rulebook.files()[built_in_files..];
    let refused = refused_rules(&rulebook, files);
    let profiles = CheckedProfile::read(&profiles, &rulebook)?;
    if out.is_for_diagnostics() {
        let mut annotations = Vec::new();
        for file in files {
            annotations.extend(annotations_of(file));
            for rule in refused.iter().filter(|rule| declares(file, &rule.technique)) {
                annotations.push(Annotation::of_file("not-compiled", &file.name, rule.full_message()));
            }
        }
        annotations.extend(profiles.iter().flat_map(CheckedProfile::annotations));
        out.annotations(&annotations)?;
    } else if out.is_text() {
        for file in files {
            out.styled_text(&draw_diagnostics(file, out.has_colours()))?;
        }
        for rule in &refused {
            out.lines(&[Line::styled(Role::Failure, "error: ").with(Role::Plain, rule.full_message())])?;
        }
        if files.iter().any(|file| !file.diagnostics.is_empty()) {
            out.lines(&[Line::default()])?;
        }
        if !files.is_empty() || profiles.is_empty() {
            out.lines(&[summary(files, refused.len())])?;
        }
    } else {
        for file in files {
            out.value(&FileRecord {
                file: &file.name,
                techniques: &file.techniques,
                sources: &file.sources,
                findings: file.diagnostics.iter().map(|finding| FindingRecord::new(file, finding)).collect(),
                refused: refused.iter().filter(|rule| declares(file, &rule.technique)).collect(),
            })?;
        }
    }
    for profile in &profiles {
        profile.print(out)?;
    }
    let is_done =
        profiles.iter().all(CheckedProfile::is_fine) && refused.is_empty() && !files.iter().any(RuleFile::has_errors);
    Ok(highest_exit.max(if is_done { Exit::Done } else { Exit::Unsuccessful }))
}

/// Splits paths into profiles (first) and other paths (second).
fn split_profiles(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    paths.iter().cloned().partition(|path| path.extension().is_some_and(|extension| extension == "ron"))
}

/// Finds the rules of `files` that cannot be compiled. Skips files with errors, because the errors may be the reason.
fn refused_rules(rulebook: &Rulebook, files: &[RuleFile]) -> Vec<RefusedRule> {
    let Some(geometry) = Geometry::standard(9) else { return Vec::new() };
    let files: Vec<&RuleFile> = files.iter().filter(|file| !file.has_errors()).collect();
    if files.is_empty() {
        return Vec::new();
    }
    let is_checked = |technique: &&Technique| files.iter().any(|file| file.techniques.contains(&technique.id));
    let techniques = rulebook.techniques().iter().filter(is_checked).cloned().collect();
    let engine = Engine::new(Arc::new(geometry), &rulebook.with_dependencies(techniques), rulebook.sources());
    let mut refused = Vec::new();
    for error in engine.err().unwrap_or_default() {
        if files.iter().any(|file| declares(file, &error.technique)) {
            refused.push(RefusedRule { technique: error.technique, message: error.reason.to_string() });
        }
    }
    refused
}

fn declares(file: &RuleFile, id: &String) -> bool {
    file.techniques.contains(id) || file.sources.contains(id)
}

pub fn annotations_of(file: &RuleFile) -> impl Iterator<Item = Annotation> {
    file.diagnostics.iter().map(|diagnostic| Annotation::new(&file.name, &file.text, diagnostic))
}

fn summary(files: &[RuleFile], refused: usize) -> Line {
    let diagnostics = files.iter().flat_map(|file| &file.diagnostics);
    let (errors, warnings): (Vec<_>, Vec<_>) =
        diagnostics.partition(|diagnostic| diagnostic.severity == Severity::Error);
    let (errors, warnings) = (errors.len() + refused, warnings.len());
    let techniques = files.iter().map(|file| file.techniques.len()).sum();
    let counts = format!("{}, {}: ", count_phrase(files.len(), "file"), count_phrase(techniques, "technique"));
    let role = if errors > 0 { Role::Failure } else { Role::Success };
    let verdict = match (errors, warnings) {
        (0, 0) => "no errors".to_owned(),
        (errors, 0) => count_phrase(errors, "error"),
        (errors, warnings) => format!("{}, {}", count_phrase(errors, "error"), count_phrase(warnings, "warning")),
    };
    Line::text(counts).with(role, verdict)
}

/// Say what could be better in correct rules and profiles
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion lint my-rule.pinion
  pinion lint mine.ron
  pinion lint

Without a path Pinion lints the built-in rulebook. `pinion explain CODE` says more about a code. To excuse a finding, write
a comment in the rule: // allow L0105: the reason")]
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

#[derive(Default)]
struct LintSums {
    findings: usize,
    /// Findings with an `allow` comment.
    excused: usize,
    /// Techniques that were not linted because the run ended early.
    not_linted: usize,
    annotations: Vec<Annotation>,
}

pub fn run_lint(args: &LintArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    args.time.begin_interruptible();
    let _work = announce_work("reading rules");
    let (profiles, paths) = split_profiles(&args.paths);
    if paths.is_empty() && !profiles.is_empty() {
        return lint_profiles(&CheckedProfile::read(&profiles, &rulebook(global)?)?, out);
    }
    let loaded = TestedRules::read(&paths, global);
    let mut sums = lint_rules(&loaded, out)?;
    let mut profiles = CheckedProfile::read(&profiles, &loaded.rulebook)?;
    if out.is_for_diagnostics() {
        sums.annotations.extend(profiles.iter().flat_map(CheckedProfile::annotations));
        out.annotations(&sums.annotations)?;
    }
    if out.is_text() {
        out.lines(&[lint_summary(&loaded, &sums)])?;
    }
    let mut exit = loaded.highest_exit;
    if sums.not_linted > 0
        && let Some((reason, early_exit)) = limits::early_end()
    {
        remark(&format!("{reason}: {} not linted", count_phrase(sums.not_linted, "technique")));
        exit = exit.max(early_exit);
    }
    if paths.is_empty() {
        // Text leaves out built-in profiles without a fault.
        let built_in = CheckedProfile::all_built_in(&loaded.rulebook);
        profiles.extend(built_in.filter(|profile| !profile.is_fine() || !out.is_text()));
    }
    for profile in &profiles {
        profile.print(out)?;
    }
    let is_done = sums.findings == 0 && profiles.iter().all(CheckedProfile::is_fine);
    Ok(exit.max(if is_done { Exit::Done } else { Exit::Unsuccessful }))
}

fn lint_profiles(profiles: &[CheckedProfile], out: &mut Output) -> Result<Exit, CommandError> {
    if out.is_for_diagnostics() {
        out.annotations(&profiles.iter().flat_map(CheckedProfile::annotations).collect::<Vec<_>>())?;
    }
    for profile in profiles {
        profile.print(out)?;
    }
    Ok(if profiles.iter().all(CheckedProfile::is_fine) { Exit::Done } else { Exit::Unsuccessful })
}

/// Lints the rules of each file and prints the findings. Annotations are not printed but collected, for the end of the run.
fn lint_rules(loaded: &TestedRules, out: &mut Output) -> Result<LintSums, CommandError> {
    let names = name_owners(&loaded.rulebook);
    let mut sums = LintSums::default();
    for file in loaded.files() {
        let _work = announce_work(format!("linting {}", file.name));
        let linted = lint(&loaded.rulebook, file, &names, &|| limits::early_end().is_some());
        sums.not_linted += linted.unexamined;
        if linted.unexamined > 0 && linted.unexamined == file.techniques.len() {
            continue;
        }
        sums.findings += linted.findings.len();
        sums.excused += linted.excused;
        if out.is_for_diagnostics() {
            let findings = linted.findings.iter().map(|finding| Annotation::new(&file.name, &file.text, finding));
            sums.annotations.extend(annotations_of(file).chain(findings));
        } else if !out.is_text() {
            let errors = file.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
            let findings = errors.chain(&linted.findings).map(|finding| FindingRecord::new(file, finding)).collect();
            out.value(&LintRecord { file: &file.name, findings, excused: linted.excused })?;
        } else if !linted.findings.is_empty() {
            let (findings, width) = (&linted.findings, diagnostics_width());
            out.styled_text(&diagnostics::draw(&file.name, &file.text, findings, out.has_colours(), width))?;
            out.lines(&[Line::default()])?;
        }
    }
    Ok(sums)
}

fn lint_summary(loaded: &TestedRules, sums: &LintSums) -> Line {
    let mut verdict = match sums.findings {
        0 if loaded.broken_files > 0 => format!("{} with errors", count_phrase(loaded.broken_files, "file")),
        0 => "no findings".to_owned(),
        count => count_phrase(count, "finding"),
    };
    if sums.excused > 0 {
        verdict += &format!(", {} excused", sums.excused);
    }
    let role = if sums.findings == 0 && loaded.broken_files == 0 { Role::Success } else { Role::Failure };
    let (files, techniques) = (count_phrase(loaded.files().len(), "file"), count_phrase(loaded.ids.len(), "technique"));
    Line::text(format!("{files}, {techniques}: ")).with(role, verdict)
}

/// A profile with its faults. Prices are checked only if the profile can be read. Rows are checked only if the prices have no errors.
#[derive(Default, Serialize)]
struct CheckedProfile {
    #[serde(rename = "profile")]
    name: String,
    #[serde(skip)]
    text: String,
    rows: usize,
    error: Option<String>,
    #[serde(rename = "price_errors", serialize_with = "messages")]
    price_faults: Vec<PriceFault>,
    /// Rows that can never be used on the 9×9 board.
    never_used: Vec<MissingRow>,
}

fn messages<S: Serializer>(faults: &[PriceFault], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(faults.iter().flat_map(|fault| &fault.diagnostics).map(|diagnostic| &diagnostic.message))
}

impl CheckedProfile {
    /// Reads and checks profiles. A text that is not a profile is a fault, a file that cannot be read an error.
    fn read(paths: &[PathBuf], rulebook: &Rulebook) -> Result<Vec<CheckedProfile>, CommandError> {
        let mut profiles = Vec::new();
        for path in paths {
            let name = path.display().to_string();
            let text = input::read_text(path)?;
            let checked = match Profile::read(&name, &text) {
                Ok(profile) => CheckedProfile::new(&profile, rulebook),
                Err(error) => CheckedProfile { error: Some(error.to_string()), ..CheckedProfile::default() },
            };
            profiles.push(CheckedProfile { name, text, ..checked });
        }
        Ok(profiles)
    }

    fn all_built_in(rulebook: &Rulebook) -> impl Iterator<Item = CheckedProfile> {
        Profile::all_embedded()
            .into_iter()
            .map(|profile| CheckedProfile { name: profile.name.clone(), ..CheckedProfile::new(&profile, rulebook) })
    }

    fn new(profile: &Profile, rulebook: &Rulebook) -> CheckedProfile {
        let price_faults = price_faults(&profile.resolved(rulebook.techniques()), rulebook.techniques());
        let mut checked = CheckedProfile { rows: profile.rows.len(), price_faults, ..CheckedProfile::default() };
        if checked.price_faults.is_empty()
            && let Some(geometry) = Geometry::standard(9)
        {
            let solver = Solver::new(rulebook, &Arc::new(geometry), profile, Limits::default());
            checked.never_used.clone_from(&solver.ranking().missing);
        }
        checked
    }

    fn is_fine(&self) -> bool {
        self.error.is_none() && self.price_faults.is_empty() && self.never_used.is_empty()
    }

    fn annotations(&self) -> Vec<Annotation> {
        let CheckedProfile { name, text, .. } = self;
        let mut annotations = Vec::new();
        if let Some(error) = &self.error {
            annotations.push(Annotation::of_file("unreadable-profile", name, error.clone()));
        }
        for PriceFault { text: price, diagnostics } in &self.price_faults {
            for diagnostic in diagnostics {
                annotations.push(match string_offset(text, price) {
                    Some(offset) => Annotation::new(name, text, &diagnostic.clone().shifted(offset)),
                    // The place of the price in the profile is not known.
                    None => {
                        let annotation = Annotation::new(name, price, diagnostic);
                        Annotation { region: None, related: Vec::new(), ..annotation }
                    }
                });
            }
        }
        for MissingRow { row, reason } in &self.never_used {
            let region = string_offset(text, row).map(|offset| Region::new(text, &(offset..offset + row.len())));
            let message = format!("the row of `{row}` can never be used: {reason}");
            annotations.push(Annotation {
                is_error: false,
                region,
                ..Annotation::of_file("unused-row", name, message)
            });
        }
        annotations
    }

    fn print(&self, out: &mut Output) -> Result<(), CommandError> {
        let CheckedProfile { name, never_used, .. } = self;
        if !out.is_text() {
            return Ok(out.value(self)?);
        }
        if let Some(error) = &self.error {
            Failure::input(format!("the profile cannot be read: {error}")).report();
            return Ok(());
        }
        if !self.price_faults.is_empty() {
            return Ok(out.styled_text(&draw_price_faults(name, &self.text, &self.price_faults, out.has_colours()))?);
        }
        for MissingRow { row, reason } in never_used {
            let message = format!("{name}: the row of `{row}` can never be used: {reason}");
            out.lines(&[Line::styled(Role::Failure, "warning: ").with(Role::Plain, message)])?;
        }
        let (role, verdict) = match never_used.len() {
            0 => (Role::Success, "nothing to mend".to_owned()),
            count => (Role::Failure, format!("{} that can never be used", count_phrase(count, "row"))),
        };
        let heading = format!("{name}, a profile of {}: ", count_phrase(self.rows, "row"));
        Ok(out.lines(&[Line::text(heading).with(role, verdict)])?)
    }
}

/// Returns the byte offset of a string in a profile, or `None` if RON escapes some of its characters.
fn string_offset(profile: &str, string: &str) -> Option<usize> {
    profile.find(&format!("\"{string}\"")).map(|quote| quote + 1)
}

/// Draws the faults of prices in the text of the profile, or in the price alone if its offset is unknown.
pub fn draw_price_faults(name: &str, text: &str, faults: &[PriceFault], has_colours: bool) -> String {
    let mut out = String::new();
    for PriceFault { text: price, diagnostics } in faults {
        let (source, offset) = match string_offset(text, price) {
            Some(offset) => (text, offset),
            None => (price.as_str(), 0),
        };
        let shifted: Vec<Diagnostic> = diagnostics.iter().map(|fault| fault.clone().shifted(offset)).collect();
        out += &diagnostics::draw(name, source, &shifted, has_colours, diagnostics_width());
    }
    out
}
