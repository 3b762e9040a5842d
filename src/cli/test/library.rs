//! Runs the cases of a regression library (`--library`). Out: the number of passed cases by code, and the cases that failed.

use super::TestArgs;
use crate::cli::input::{format_failure, read_text};
use crate::cli::output::print_lines;
use crate::cli::prelude::*;
use crate::grid::formats::{LibraryLine, read_library_line};
use crate::render::{cut_notes, headline};
use crate::solve::{Catalogue, Entry, Target};
use crate::workbench::contradictions;
use crate::workbench::snapshots::{deduction_texts, entry_passes, expects_nothing, technique_code};
use comfy_table::{Table, presets};

/// The catalogue with the codes of libraries.
pub const CATALOGUE: &str = "hodoku";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum CaseVerdict {
    Passed,
    Failed,
    /// No rule is known for the code.
    NotCovered,
}

#[derive(Serialize)]
struct LibraryCase {
    line: usize,
    code: String,
    digits: String,
    name: String,
    #[serde(rename = "must_not")]
    must_find_nothing: bool,
    #[serde(rename = "lists")]
    listed_deductions: String,
    verdict: CaseVerdict,
    techniques: Vec<String>,
    found: Vec<String>,
    /// The output with `--verbose`, if the case failed.
    #[serde(skip)]
    lines: Vec<Line>,
}

struct CodeRow {
    code: String,
    name: String,
    /// Number of cases by `CaseVerdict as usize`.
    counts: [usize; 3],
    why_not_covered: String,
}

pub fn run(args: &TestArgs, file: &Path, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let text = read_text(file)?;
    let file = file.display().to_string();
    let Some(catalogue) = Catalogue::embedded(CATALOGUE) else {
        return Err(Failure::input(format!("there is no table of codes `{CATALOGUE}`")).into());
    };
    let mut solvers = Solvers::new(global, &args.profile)?;
    let mut rows: Vec<CodeRow> = Vec::new();
    let mut highest_exit = Exit::Done;
    for (number, line) in (1..).zip(text.lines()) {
        if !line.starts_with(':') {
            continue;
        }
        let case = match read_library_line(line, number) {
            Ok(case) => case,
            Err(error) => {
                highest_exit = highest_exit.max(format_failure(Some(&file), &error).report());
                continue;
            }
        };
        if !args.code.is_empty() && !args.code.iter().any(|code| case.code.starts_with(code.as_str())) {
            continue;
        }
        if let Some(limit) = limits::reached_limit() {
            remark(&format!("{limit}: the cases from line {number} on were not tried"));
            highest_exit = highest_exit.max(Exit::Unsuccessful);
            break;
        }
        let _work = announce_work(format!("line {number}"));
        let record = judge_case(&case, number, &catalogue, &mut solvers);
        count_case(&mut rows, &record);
        if !out.is_text() {
            out.value(&record)?;
        } else if args.verbose && record.verdict == CaseVerdict::Failed {
            out.lines(&record.lines)?;
        }
    }
    if rows.is_empty() && highest_exit == Exit::Done {
        return Err(match args.code.as_slice() {
            [] => Failure::input(format!("there is no case in {file}")),
            codes => Failure::usage(format!("no case in {file} has a code that begins with {}", codes.join(" or "))),
        }
        .into());
    }
    let [passed, failed, not_covered] = [CaseVerdict::Passed, CaseVerdict::Failed, CaseVerdict::NotCovered]
        .map(|verdict| rows.iter().map(|row| row.counts[verdict as usize]).sum::<usize>());
    if out.is_text() {
        print_lines(&table(&rows), out)?;
        out.text(&format!("{passed} of {} passed", passed + failed + not_covered))?;
    }
    Ok(highest_exit.max(if failed > 0 { Exit::Unsuccessful } else { Exit::Done }))
}

fn judge_case(case: &LibraryLine, line: usize, catalogue: &Catalogue, solvers: &mut Solvers) -> LibraryCase {
    let geometry = &case.puzzle.geometry;
    let entry = catalogue.by_code(technique_code(case));
    let mut record = LibraryCase {
        line,
        code: case.code.clone(),
        digits: case.digits.clone(),
        name: entry.and_then(|entry| entry.names.first()).cloned().unwrap_or_default(),
        must_find_nothing: expects_nothing(case),
        listed_deductions: notation::deductions(geometry, &case.eliminations, &case.placements),
        verdict: CaseVerdict::NotCovered,
        techniques: Vec::new(),
        found: Vec::new(),
        lines: Vec::new(),
    };
    let solver = solvers.on(geometry, ASSUME_UNIQUE);
    let targets: Vec<Target> = entry.into_iter().flat_map(Entry::library_targets).cloned().collect();
    record.techniques = targets.iter().map(Target::label).collect();
    if !solver.techniques().iter().any(|rule| targets.iter().any(|target| target.technique == rule.id)) {
        return record;
    }
    let state = case.puzzle.state();
    let found = solver.find_targets(&state, &targets);
    let deductions = found.steps.iter().map(|step| (step.eliminations.as_slice(), step.placements.as_slice()));
    let wrong = contradictions(geometry, &state, deductions);
    let passed = entry_passes(case, &state, &found.steps) && wrong.is_empty();
    record.verdict = if passed { CaseVerdict::Passed } else { CaseVerdict::Failed };
    record.found = deduction_texts(geometry, &found.steps);
    record.found.sort();
    record.found.dedup();
    let requirement = if record.must_find_nothing { "must not find" } else { "must find" };
    let heading = format!("line {line}: {} {} ", record.code, record.name);
    let demand = format!("{requirement} {}", record.listed_deductions);
    record.lines = vec![Line::styled(Role::Failure, heading).with(Role::Plain, demand)];
    record.lines.extend(found.steps.iter().map(|step| Line::text("  found ").join(headline(geometry, step))));
    if found.steps.is_empty() {
        record.lines.push(Line::styled(Role::Quiet, "  found nothing"));
    }
    record.lines.extend(wrong.into_iter().map(|message| Line::styled(Role::Failure, format!("  {message}"))));
    record.lines.extend(cut_notes(&found.cuts));
    record
}

fn count_case(rows: &mut Vec<CodeRow>, record: &LibraryCase) {
    let index = rows.iter().position(|row| row.code == record.code).unwrap_or_else(|| {
        let (code, name) = (record.code.clone(), record.name.clone());
        rows.push(CodeRow { code, name, counts: [0; 3], why_not_covered: String::new() });
        rows.len() - 1
    });
    let row = &mut rows[index];
    row.counts[record.verdict as usize] += 1;
    if record.verdict == CaseVerdict::NotCovered {
        row.why_not_covered = match record.techniques.as_slice() {
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
        let [passed, failed, not_covered] =
            row.counts.map(|count| if count == 0 { "-".to_owned() } else { count.to_string() });
        table.add_row([row.code.clone(), row.name.clone(), passed, failed, not_covered, row.why_not_covered.clone()]);
    }
    table
}
