//! One search: a program run on an indexed state, its reports merged and put in order.
//!
//! In: a member and how much is wanted. Out: [`Found`]. Matches with the same effect and the same cells and
//! digits are one; chains come shortest first.

use super::chain::Links;
use super::compiled::{Compiled, SourceProgram};
use super::facts::Facts;
use super::machine::{self, Board, Report};
use super::matches::{Found, LimitHit, Limits, Match, MemberId, Search, Value};
use super::plan::{Output, Program};
use super::tables::Tables;
use crate::grid::{Candidate, Cell, Digit, State};
use std::collections::BTreeSet;

/// A state with what was derived from it so far.
pub(super) struct Indexed<'e, const W: usize> {
    compiled: &'e Compiled,
    tables: &'e Tables<W>,
    facts: Facts<'e, W>,
    links: Option<Links>,
}

impl<'e, const W: usize> Indexed<'e, W> {
    pub fn new(compiled: &'e Compiled, tables: &'e Tables<W>, state: &'e State) -> Self {
        Indexed { compiled, tables, facts: Facts::new(tables, state), links: None }
    }

    pub fn find(&mut self, member: usize, search: Search, limits: &Limits) -> Found {
        let program = &self.compiled.programs[member];
        self.prepare_links(program);
        let board = Board { tables: self.tables, facts: &self.facts, links: self.links.as_ref() };
        // With chains the shortest is wanted, which only the whole search knows.
        let first_counts = search == Search::First && program.chains.is_empty();
        let mut reports: Vec<Report> = Vec::new();
        let mut hit: Vec<LimitHit> = machine::run(program, &board, limits, &mut |report| {
            reports.push(report);
            !first_counts && reports.len() < limits.matches
        });
        if reports.len() >= limits.matches && !first_counts {
            hit.push(LimitHit::Matches);
        }
        reports.sort_by_key(|report| report.rank);
        let mut matches = merged(reports, &self.compiled.members[member]);
        if search == Search::First {
            matches.truncate(1);
        }
        Found { matches, limits: hit }
    }

    /// Derives the strong links that a program's chains ask for.
    fn prepare_links(&mut self, program: &Program) {
        let wanted: BTreeSet<usize> = program.chains.iter().flat_map(|chain| chain.strong.iter().copied()).collect();
        if program.chains.is_empty() {
            return;
        }
        let count = self.compiled.sources.len();
        let mut links = self.links.take().unwrap_or_else(|| Links::new(self.tables, &self.facts, count));
        for source in wanted {
            if !links.has_source(source) {
                let pairs = self.pairs(&self.compiled.sources[source]);
                links.add_source(source, &pairs);
            }
        }
        self.links = Some(links);
    }

    /// Runs a link source.
    fn pairs(&self, source: &SourceProgram) -> Vec<(Candidate, Candidate)> {
        let board = Board { tables: self.tables, facts: &self.facts, links: None };
        let mut pairs = Vec::new();
        machine::run(&source.program, &board, &Limits::default(), &mut |report| {
            let end = |(digit, cell): (Output, Output)| {
                let find = |output: Output| source.program.outputs.iter().position(|&known| known == output);
                let digit = only_digit(report.bindings[find(digit)?].as_ref()?)?;
                let cell = only_cell(report.bindings[find(cell)?].as_ref()?)?;
                Some(Candidate::new(digit, cell))
            };
            if let (Some(a), Some(b)) = (end(source.ends[0]), end(source.ends[1])) {
                pairs.push((a, b));
            }
            true
        });
        pairs
    }
}

fn only_digit(value: &Value) -> Option<Digit> {
    match value {
        Value::Digits(digits) => digits.first(),
        _ => None,
    }
}

fn only_cell(value: &Value) -> Option<Cell> {
    match value {
        Value::Cells(cells) => cells.first().copied(),
        _ => None,
    }
}

/// Reports that agree in effect, cells and digits become one match, the first of them.
fn merged(reports: Vec<Report>, member: &MemberId) -> Vec<Match> {
    let mut seen = BTreeSet::new();
    let mut matches = Vec::new();
    for report in reports {
        let mut cells: Vec<Cell> = Vec::new();
        let mut digits = crate::grid::DigitSet::EMPTY;
        for value in report.bindings.iter().flatten() {
            match value {
                Value::Cells(more) => cells.extend(more),
                Value::Family(pairs) => cells.extend(pairs.iter().map(|(_, cell)| cell)),
                Value::Candidates(list) => cells.extend(list.iter().map(|candidate| candidate.cell)),
                Value::Digits(more) => digits = digits | *more,
                Value::Houses(_) | Value::Number(_) => {}
            }
        }
        cells.sort_unstable();
        cells.dedup();
        if seen.insert((report.eliminations.clone(), report.placements.clone(), cells, digits)) {
            matches.push(Match {
                member: member.clone(),
                bindings: report.bindings,
                eliminations: report.eliminations,
                placements: report.placements,
                chain: report.chain,
            });
        }
    }
    matches
}
