//! A measurement told. In: sums. Out: a table with puzzles per second below it, or one value for programs.

use super::super::exit::Stop;
use super::super::output::Output;
use super::measure::{Measured, Row, Sums};
use crate::render::{Line, Role, counted};
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use std::time::Duration;

#[derive(Serialize)]
struct Record<'a> {
    puzzles: usize,
    solved: usize,
    stuck: usize,
    broken: usize,
    steps: usize,
    threads: usize,
    seconds: f64,
    puzzles_per_second: f64,
    mean_ms: f64,
    median_ms: f64,
    search_seconds: f64,
    techniques: Vec<RowRecord<'a>>,
    slowest: Vec<SlowRecord<'a>>,
}

#[derive(Serialize)]
struct RowRecord<'a> {
    technique: &'a str,
    searches: usize,
    found: usize,
    seconds: f64,
    microseconds_a_search: f64,
    share: f64,
}

#[derive(Serialize)]
struct SlowRecord<'a> {
    file: &'a str,
    line: usize,
    milliseconds: f64,
    steps: usize,
    outcome: &'a str,
}

/// Writes it.
pub fn tell(sums: &Sums, threads: usize, out: &mut Output) -> Result<(), Stop> {
    let record = record(sums, threads);
    if !out.is_text() {
        return Ok(out.value(&record)?);
    }
    let table = table(&record).to_string();
    table.lines().try_for_each(|line| out.text(line.trim_end()))?;
    let mut lines = vec![Line::text("")];
    for one in &record.slowest {
        let place = if one.file.is_empty() { String::new() } else { format!("{}:{}, ", one.file, one.line) };
        let told =
            format!("slowest: {place}{:.2} ms, {}, {}", one.milliseconds, counted(one.steps, "step"), one.outcome);
        lines.push(Line::of(Role::Quiet, told));
    }
    let broken = if record.broken > 0 { format!(", {} broken", record.broken) } else { String::new() };
    lines.push(Line::text(format!(
        "{} solved, {} stuck{broken}; {}",
        record.solved,
        record.stuck,
        counted(record.steps, "step")
    )));
    lines.push(Line::text(format!(
        "{} in {:.3} s on {}: {:.1} a second; a puzzle {:.3} ms on average, {:.3} ms in the median",
        counted(record.puzzles, "puzzle"),
        record.seconds,
        counted(threads, "thread"),
        record.puzzles_per_second,
        record.mean_ms,
        record.median_ms
    )));
    out.lines(&lines)?;
    Ok(())
}

fn record(sums: &Sums, threads: usize) -> Record<'_> {
    let count = |outcome: &str| sums.outcomes.get(outcome).copied().unwrap_or_default();
    let search: Duration = sums.rows.values().map(|row| row.time).sum();
    let mut rows: Vec<(&String, &Row)> = sums.rows.iter().collect();
    rows.sort_by(|(a, one), (b, other)| other.time.cmp(&one.time).then_with(|| a.cmp(b)));
    let mut times = sums.times.clone();
    times.sort_by_key(|time| std::cmp::Reverse(*time));
    let median = times.get(times.len() / 2).map_or(0.0, |time| millis(*time));
    let total: Duration = times.iter().sum();
    let puzzles = times.len();
    Record {
        puzzles,
        solved: count("solved"),
        stuck: count("stuck"),
        broken: count("broken"),
        steps: sums.steps,
        threads,
        seconds: sums.elapsed.as_secs_f64(),
        puzzles_per_second: ratio(puzzles as f64, sums.elapsed.as_secs_f64()),
        mean_ms: ratio(millis(total), puzzles as f64),
        median_ms: median,
        search_seconds: search.as_secs_f64(),
        techniques: rows.into_iter().map(|(label, row)| row_record(label, row, search)).collect(),
        slowest: sums.slowest.iter().map(slow_record).collect(),
    }
}

fn row_record<'a>(technique: &'a str, row: &Row, all: Duration) -> RowRecord<'a> {
    RowRecord {
        technique,
        searches: row.searches,
        found: row.found,
        seconds: row.time.as_secs_f64(),
        microseconds_a_search: ratio(row.time.as_secs_f64() * 1e6, row.searches as f64),
        share: ratio(row.time.as_secs_f64(), all.as_secs_f64()),
    }
}

fn slow_record(one: &Measured) -> SlowRecord<'_> {
    let Measured { file, line, time, steps, outcome } = one;
    SlowRecord { file, line: *line, milliseconds: millis(*time), steps: *steps, outcome }
}

fn table(record: &Record) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["technique", "searches", "found", "seconds", "µs a search", "share"]);
    for row in &record.techniques {
        table.add_row([
            row.technique.to_string(),
            row.searches.to_string(),
            row.found.to_string(),
            format!("{:.3}", row.seconds),
            format!("{:.1}", row.microseconds_a_search),
            format!("{:.1} %", row.share * 100.0),
        ]);
    }
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}
