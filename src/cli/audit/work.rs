//! The work of an audit. In: puzzles, techniques, threads. Out: sums, the same whoever does which
//! puzzle.

use super::super::parallel::each;
use super::super::rules::Solvers;
use super::count::{At, Count, RowKey};
use crate::engine::{Aim, Memory};
use crate::grid::formats::Puzzle;
use crate::grid::{Digit, State};
use crate::proof::{Uniqueness, had_unique_solution, uniqueness};
use crate::solve::{Solver, Survey};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A puzzle, behind the file that it is from.
type Task = (Arc<str>, Puzzle);

/// What all threads share.
struct Shared<'a> {
    solvers: Mutex<Solvers>,
    /// Place of each technique in the rulebook, which boards may change.
    order: BTreeMap<String, usize>,
    wanted: Wanted<'a>,
}

/// What is looked for, and where.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// Names of techniques; none means those in use.
    pub names: &'a [String],
    /// Only every n-th state.
    pub every: usize,
    /// The number of puzzles before the first.
    pub skipped: usize,
    /// Only what contradicts the solution.
    pub wrong_only: bool,
}

/// Does every puzzle.
pub fn all(tasks: impl Iterator<Item = Task> + Send, solvers: Solvers, wanted: Wanted<'_>, threads: usize) -> Count {
    let ids = solvers.rulebook().techniques().iter().enumerate();
    let order = ids.map(|(place, technique)| (technique.id.clone(), place)).collect();
    let shared = Shared { solvers: Mutex::new(solvers), order, wanted };
    let mut count = Count::default();
    each(tasks, threads, |number, (file, puzzle)| shared.puzzle(number, &file, &puzzle), |one| count.add(one));
    count
}

impl Shared<'_> {
    fn puzzle(&self, number: usize, file: &str, puzzle: &Puzzle) -> Count {
        let start = puzzle.state();
        let solution = match uniqueness(&puzzle.geometry, &start) {
            Uniqueness::One(solution) => solution,
            Uniqueness::None => return Count { none: 1, ..Count::default() },
            Uniqueness::Many(..) => return Count { several: 1, ..Count::default() },
        };
        let one = had_unique_solution(puzzle);
        let solver = self.solvers.lock().unwrap_or_else(PoisonError::into_inner).on(&puzzle.geometry, one);
        let groups = self.groups(&solver);
        let clock = Instant::now();
        let path = solver.solve(start);
        let (states, went_wrong) = solver.states(&path, &solution);
        let mut count = Count { puzzles: 1, paths: clock.elapsed(), ..Count::default() };
        let (aim, memory) = (Aim::against(&solution), Memory::default());
        for (step, state) in states.iter().enumerate() {
            // The state of a wrong step is one to look at, whatever the sample.
            let last = went_wrong && step + 1 == states.len();
            if (step + number + self.wanted.skipped).is_multiple_of(self.wanted.every) || last {
                count.states += 1;
                let survey = match self.wanted.wrong_only {
                    true => solver.survey_against(state, &aim, &memory),
                    false => solver.survey(state),
                };
                let at = At { task: number, file, line: puzzle.line, step };
                look(survey, &groups, &Place { solver: &solver, at, state, solution: &solution }, &mut count);
            }
        }
        count
    }

    /// The members to look for, those together that differ in their case only.
    fn groups(&self, solver: &Solver) -> BTreeMap<RowKey, Vec<usize>> {
        let asked: BTreeSet<usize> = match self.wanted.names {
            [] => solver.members_asked(None).into_iter().flatten().collect(),
            // Here a technique may be left out that other boards have.
            names => names.iter().filter_map(|name| solver.members_asked(Some(name)).ok()).flatten().collect(),
        };
        let mut groups: BTreeMap<RowKey, Vec<usize>> = BTreeMap::new();
        for at in asked {
            let member = &solver.members()[at];
            let id = &solver.techniques()[member.technique].id;
            let place = self.order.get(id).copied().unwrap_or(usize::MAX);
            groups.entry((place, member.args.clone())).or_default().push(at);
        }
        groups
    }
}

/// A state of a path.
struct Place<'a> {
    solver: &'a Solver,
    at: At<'a>,
    state: &'a State,
    solution: &'a [Digit],
}

fn look(mut survey: Survey<'_>, groups: &BTreeMap<RowKey, Vec<usize>>, place: &Place<'_>, count: &mut Count) {
    let &Place { solver, at, state, solution } = place;
    for (key, members) in groups {
        let clock = Instant::now();
        let cases: Vec<_> = members.iter().map(|&member| survey.weigh(member, solution)).collect();
        let time = clock.elapsed();
        let row = count.rows.entry(key.clone()).or_default();
        if row.label.is_empty() {
            row.label = solver.member_label(&solver.members()[members[0]]);
        }
        row.state(solver.geometry(), at, state, &cases, time);
    }
}
