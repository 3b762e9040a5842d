//! An audit told. In: sums. Out: a table with what was wrong below it, or one value for programs.

use super::super::exit::Stop;
use super::super::output::Output;
use super::count::{Count, Row, Shown};
use super::work::Task;
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
    matches: usize,
    wrong: usize,
    path_seconds: f64,
    techniques: Vec<RowRecord<'a>>,
}

#[derive(Serialize)]
struct RowRecord<'a> {
    technique: &'a str,
    searched: usize,
    states: usize,
    matches: usize,
    eliminations: usize,
    placements: usize,
    wrong: usize,
    limits: usize,
    seconds: f64,
    examples: Vec<ExampleRecord<'a>>,
}

#[derive(Serialize)]
struct ExampleRecord<'a> {
    file: &'a str,
    line: usize,
    #[serde(flatten)]
    shown: &'a Shown,
}

/// Writes it.
pub fn tell(count: &Count, tasks: &[Task], out: &mut Output) -> Result<(), Stop> {
    if !out.is_text() {
        return Ok(out.value(&record(count, tasks))?);
    }
    let table = table(count).to_string();
    table.lines().try_for_each(|line| out.text(line.trim_end()))?;
    let mut lines = Vec::new();
    for row in count.rows.values().filter(|row| row.wrong > 0) {
        lines.extend(wrong(row, tasks));
    }
    lines.extend(skipped(count));
    let (wrong, matches) = (count.wrong(), count.matches());
    let role = if wrong == 0 && count.puzzles > 0 { Role::Good } else { Role::Bad };
    let (puzzles, states) = (counted(count.puzzles, "puzzle"), counted(count.states, "state"));
    let matches = if matches == 1 { "1 match".to_string() } else { format!("{matches} matches") };
    lines.push(Line::of(role, format!("{puzzles}, {states}, {matches}, {wrong} wrong")));
    out.lines(&lines)?;
    Ok(())
}

fn wrong(row: &Row, tasks: &[Task]) -> Vec<Line> {
    let head = format!("{}: {} of {} matches wrong", row.label, row.wrong, row.matches);
    let mut lines = vec![Line::of(Role::Bad, head)];
    for shown in &row.shown {
        let Task { file, puzzle } = &tasks[shown.task];
        let place = if file.is_empty() { String::new() } else { format!("{file}:{}, ", puzzle.line) };
        let after = counted(shown.step, "step");
        lines.push(Line::plain(format!("  {place}after {after}: {} contradicts the solution", shown.says)));
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
    (!parts.is_empty()).then(|| Line::plain(format!("Skipped: {}", parts.join(", "))))
}

fn table(count: &Count) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["technique", "states", "matches", "eliminations", "placements", "wrong", "limits", "seconds"]);
    for row in count.rows.values() {
        let Row { label, states, matches, eliminations, placements, wrong, limits, time, .. } = row;
        let numbers = [states, matches, eliminations, placements, wrong, limits].map(|number| number.to_string());
        let seconds = format!("{:.3}", time.as_secs_f64());
        table.add_row([label.clone()].into_iter().chain(numbers).chain([seconds]));
    }
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table
}

fn record<'a>(count: &'a Count, tasks: &'a [Task]) -> AuditRecord<'a> {
    AuditRecord {
        puzzles: count.puzzles,
        no_solution: count.none,
        several_solutions: count.several,
        unreadable: count.unreadable,
        states: count.states,
        matches: count.matches(),
        wrong: count.wrong(),
        path_seconds: count.paths.as_secs_f64(),
        techniques: count.rows.values().map(|row| row_record(row, tasks)).collect(),
    }
}

fn row_record<'a>(row: &'a Row, tasks: &'a [Task]) -> RowRecord<'a> {
    let example = |shown: &'a Shown| {
        let Task { file, puzzle } = &tasks[shown.task];
        ExampleRecord { file, line: puzzle.line, shown }
    };
    RowRecord {
        technique: &row.label,
        searched: row.searched,
        states: row.states,
        matches: row.matches,
        eliminations: row.eliminations,
        placements: row.placements,
        wrong: row.wrong,
        limits: row.limits,
        seconds: row.time.as_secs_f64(),
        examples: row.shown.iter().map(example).collect(),
    }
}
