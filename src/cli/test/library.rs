//! The cases of a regression library. In: its file. Out: a table of codes with what passed, and the cases that failed.

use super::super::input::{format_failure, text};
use super::TestArgs;
use crate::cli::prelude::*;
use crate::grid::formats::{LibraryLine, read_library_line};
use crate::render::headline;
use crate::solve::{Catalogue, Entry, Target};
use crate::workbench::contradictions;
use crate::workbench::snapshots::deduction_texts;
use crate::workbench::snapshots::{case_passes, expects_nothing, technique_code};
use comfy_table::{Table, presets};
use std::path::Path;

/// The table of codes that libraries use.
const CODES: &str = "hodoku";

/// Result of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum CaseVerdict {
    Passed,
    Failed,
    NotCovered,
}

/// A case with its verdict, as programs get it.
#[derive(Serialize)]
struct LibraryCase {
    line: usize,
    code: String,
    digits: String,
    name: String,
    expects_nothing: bool,
    /// Deductions that the case lists.
    lists: String,
    verdict: CaseVerdict,
    /// The techniques asked, or why none was.
    techniques: Vec<String>,
    /// Deductions of each match.
    found: Vec<String>,
    #[serde(skip)]
    lines: Vec<Line>,
}

/// A row of the table.
struct CodeRow {
    code: String,
    name: String,
    counts: [usize; 3],
    missing: String,
}

/// Runs every case.
pub fn run(args: &TestArgs, file: &Path, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let text = text(file)?;
    let file = file.display().to_string();
    let Some(catalogue) = Catalogue::embedded(CODES) else {
        return Err(Failure::input(format!("there is no table of codes `{CODES}`")).into());
    };
    let mut solvers = Solvers::new(global, &args.profile)?;
    let mut rows: Vec<CodeRow> = Vec::new();
    let mut worst = Exit::Done;
    for (number, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with(':')) {
        let case = match read_library_line(line, number + 1) {
            Ok(case) => case,
            Err(error) => {
                worst = worst.max(format_failure(Some(&file), &error).report());
                continue;
            }
        };
        if !args.code.is_empty() && !args.code.iter().any(|code| case.code.starts_with(code.as_str())) {
            continue;
        }
        if let Some(words) = limits::words() {
            remark(&format!("{words}: the cases from line {} on were not tried", number + 1));
            worst = worst.max(Exit::Short);
            break;
        }
        let _busy = busy(format!("line {}", number + 1));
        let record = judge(&case, number + 1, &catalogue, &mut solvers);
        count(&mut rows, &record);
        if !out.is_text() {
            out.value(&record)?;
        } else if args.verbose && record.verdict == CaseVerdict::Failed {
            out.lines(&record.lines)?;
        }
    }
    if rows.is_empty() && worst == Exit::Done {
        return Err(match args.code.as_slice() {
            [] => Failure::input(format!("there is no case in {file}")),
            codes => Failure::usage(format!("no case in {file} has a code that begins with {}", codes.join(" or "))),
        }
        .into());
    }
    let [passed, failed, open] = [CaseVerdict::Passed, CaseVerdict::Failed, CaseVerdict::NotCovered]
        .map(|verdict| rows.iter().map(|row| row.counts[verdict as usize]).sum::<usize>());
    if out.is_text() {
        table(&rows).to_string().lines().try_for_each(|line| out.text(line.trim_end()))?;
        out.text(&format!("{passed} of {} passed", passed + failed + open))?;
    }
    Ok(worst.max(if failed > 0 { Exit::Short } else { Exit::Done }))
}

fn judge(case: &LibraryLine, line: usize, catalogue: &Catalogue, solvers: &mut Solvers) -> LibraryCase {
    let geometry = &case.puzzle.geometry;
    let entry = catalogue.by_code(technique_code(case));
    let mut record = LibraryCase {
        line,
        code: case.code.clone(),
        digits: case.digits.clone(),
        name: entry.and_then(|entry| entry.names.first()).cloned().unwrap_or_default(),
        expects_nothing: expects_nothing(case),
        lists: notation::deductions(geometry, &case.eliminations, &case.placements),
        verdict: CaseVerdict::NotCovered,
        techniques: Vec::new(),
        found: Vec::new(),
        lines: Vec::new(),
    };
    let solver = solvers.on(geometry, true);
    let means: Vec<Target> = entry.into_iter().flat_map(Entry::library_targets).cloned().collect();
    record.techniques = means.iter().map(Target::label).collect();
    if !solver.techniques().iter().any(|rule| means.iter().any(|target| target.technique == rule.id)) {
        return record;
    }
    let state = case.puzzle.state();
    let found = solver.find_targets(&state, &means);
    let deductions = found.steps.iter().map(|step| (step.eliminations.as_slice(), step.placements.as_slice()));
    let wrong = contradictions(geometry, &state, deductions);
    let passed = case_passes(case, &state, &found.steps) && wrong.is_empty();
    record.verdict = if passed { CaseVerdict::Passed } else { CaseVerdict::Failed };
    record.found = deduction_texts(geometry, &found.steps);
    record.found.sort();
    record.found.dedup();
    let wanted = if record.expects_nothing { "must not find" } else { "must find" };
    let head = format!("line {line}: {} {} ", record.code, record.name);
    record.lines = vec![Line::styled(Role::Failure, head).with(Role::Plain, format!("{wanted} {}", record.lists))];
    record.lines.extend(found.steps.iter().map(|step| Line::text("  found ").join(headline(geometry, step))));
    if found.steps.is_empty() {
        record.lines.push(Line::styled(Role::Quiet, "  found nothing"));
    }
    record.lines.extend(wrong.into_iter().map(|words| Line::styled(Role::Failure, format!("  {words}"))));
    record.lines.extend(crate::render::cut_notes(&found.cuts));
    record
}

fn count(rows: &mut Vec<CodeRow>, record: &LibraryCase) {
    let at = rows.iter().position(|row| row.code == record.code).unwrap_or_else(|| {
        let (code, name) = (record.code.clone(), record.name.clone());
        rows.push(CodeRow { code, name, counts: [0; 3], missing: String::new() });
        rows.len() - 1
    });
    rows[at].counts[record.verdict as usize] += 1;
    if record.verdict == CaseVerdict::NotCovered {
        rows[at].missing = match record.techniques.as_slice() {
            [] => "no rule is known for it".to_string(),
            techniques => format!("no rule {}", techniques.join(", ")),
        };
    }
}

fn table(rows: &[CodeRow]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["code", "technique", "passed", "failed", "not covered", ""]);
    for row in rows {
        let [passed, failed, open] = row.counts.map(|count| if count == 0 { "-".into() } else { count.to_string() });
        table.add_row([row.code.clone(), row.name.clone(), passed, failed, open, row.missing.clone()]);
    }
    table
}
