//! An audit told. In: sums. Out: a table with what was wrong below it, or one value for programs.

use super::super::exit::Stop;
use super::super::output::Output;
use super::count::{Count, Row, Shown};
use crate::render::{Line, Role, counted};
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

#[derive(Serialize)]
struct AuditRecord<'a> {
    puzzles: usize,
    no_solution: usize,
    several_solutions: usize,
    unreadable: usize,
    states: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    searches: Option<usize>,
    wrong: usize,
    path_seconds: f64,
    techniques: Vec<RowRecord<'a>>,
}

#[derive(Serialize)]
struct RowRecord<'a> {
    technique: &'a str,
    searched: usize,
    states: usize,
    #[serde(flatten)]
    found: Option<FoundRecord>,
    wrong: usize,
    limits: usize,
    seconds: f64,
    examples: &'a [Shown],
}

/// What was found, right or wrong.
#[derive(Serialize)]
struct FoundRecord {
    matches: usize,
    eliminations: usize,
    placements: usize,
}

/// Writes it; of an audit of what is `wrong_only` without what was not looked for.
pub fn tell(count: &Count, wrong_only: bool, out: &mut Output) -> Result<(), Stop> {
    if !out.is_text() {
        return Ok(out.value(&record(count, wrong_only))?);
    }
    let table = table(count, wrong_only).to_string();
    table.lines().try_for_each(|line| out.text(line.trim_end()))?;
    let mut lines = Vec::new();
    for row in count.rows.values().filter(|row| row.wrong > 0) {
        lines.extend(wrong(row, wrong_only));
    }
    lines.extend(skipped(count));
    let (wrong, looked) = (count.wrong(), looked(count, wrong_only));
    let role = if wrong == 0 && count.puzzles > 0 { Role::Good } else { Role::Bad };
    let (puzzles, states) = (counted(count.puzzles, "puzzle"), counted(count.states, "state"));
    lines.push(Line::of(role, format!("{puzzles}, {states}, {looked}, {wrong} wrong")));
    out.lines(&lines)?;
    Ok(())
}

/// How much was compared with the solutions.
fn looked(count: &Count, wrong_only: bool) -> String {
    match (wrong_only, count.matches(), count.searches()) {
        (true, _, 1) => "1 search".into(),
        (true, _, searches) => format!("{searches} searches"),
        (false, 1, _) => "1 match".into(),
        (false, matches, _) => format!("{matches} matches"),
    }
}

fn wrong(row: &Row, wrong_only: bool) -> Vec<Line> {
    let head = match wrong_only {
        true => format!("{}: {} wrong", row.label, row.wrong),
        false => format!("{}: {} of {} matches wrong", row.label, row.wrong, row.matches),
    };
    let mut lines = vec![Line::of(Role::Bad, head)];
    for shown in &row.shown {
        let Shown { file, line, .. } = shown;
        let place = if file.is_empty() { String::new() } else { format!("{file}:{line}, ") };
        let after = counted(shown.step, "step");
        lines.push(Line::text(format!("  {place}after {after}: {} contradicts the solution", shown.says)));
        lines.push(Line::of(Role::Quiet, format!("    {}", shown.state)));
    }
    lines
}

fn skipped(count: &Count) -> Option<Line> {
    let parts: Vec<String> =
        [(count.none, "without a solution"), (count.several, "with several"), (count.unreadable, "not readable")]
            .into_iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, words)| format!("{number} {words}"))
            .collect();
    (!parts.is_empty()).then(|| Line::text(format!("Skipped: {}", parts.join(", "))))
}

fn table(count: &Count, wrong_only: bool) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(match wrong_only {
        true => vec!["technique", "states", "searches", "wrong", "limits", "seconds"],
        false => vec!["technique", "states", "matches", "eliminations", "placements", "wrong", "limits", "seconds"],
    });
    for row in count.rows.values() {
        let Row { label, searched, states, matches, eliminations, placements, wrong, limits, time, .. } = row;
        let numbers = match wrong_only {
            true => vec![states, searched, wrong, limits],
            false => vec![states, matches, eliminations, placements, wrong, limits],
        };
        let seconds = format!("{:.3}", time.as_secs_f64());
        let numbers = numbers.into_iter().map(ToString::to_string);
        table.add_row([label.clone()].into_iter().chain(numbers).chain([seconds]));
    }
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table
}

fn record(count: &Count, wrong_only: bool) -> AuditRecord<'_> {
    AuditRecord {
        puzzles: count.puzzles,
        no_solution: count.none,
        several_solutions: count.several,
        unreadable: count.unreadable,
        states: count.states,
        matches: (!wrong_only).then(|| count.matches()),
        searches: wrong_only.then(|| count.searches()),
        wrong: count.wrong(),
        path_seconds: count.paths.as_secs_f64(),
        techniques: count.rows.values().map(|row| row_record(row, wrong_only)).collect(),
    }
}

fn row_record(row: &Row, wrong_only: bool) -> RowRecord<'_> {
    let Row { matches, eliminations, placements, .. } = *row;
    RowRecord {
        technique: &row.label,
        searched: row.searched,
        states: row.states,
        found: (!wrong_only).then_some(FoundRecord { matches, eliminations, placements }),
        wrong: row.wrong,
        limits: row.limits,
        seconds: row.time.as_secs_f64(),
        examples: &row.shown,
    }
}
