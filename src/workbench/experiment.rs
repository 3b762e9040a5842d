//! Measures how much techniques contribute. In: a solver, techniques, puzzles. Out: for each puzzle, the deductions of each technique, and
//! the results of solving the puzzle with and without the technique.

use crate::engine::{LimitHit, MemberId};
use crate::grid::{Candidate, Geometry, State};
use crate::render::Headlines;
use crate::solve::{ArgRange, FoundSteps, OtherTechniques, Outcome, Profile, ProfileRow, Solver, Unwatched, Watch};
use std::collections::BTreeSet;

/// A technique to measure, or some of its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contender {
    pub name: String,
    /// Indexes of its members in [`Solver::members`].
    pub members: Vec<usize>,
}

/// A candidate, and true if it is placed, false if it is eliminated.
pub type FoundLiteral = (Candidate, bool);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PuzzleTrial {
    pub states: usize,
    pub solved_without: bool,
    /// For each technique, true if the puzzle is solved with this technique and without the others.
    pub solved_with: Vec<bool>,
    pub solved_with_all: bool,
    /// Limits that cut searches short while the puzzle was solved. Without the limits, the puzzle might be solved more often.
    pub limits: BTreeSet<LimitHit>,
    pub finds: Vec<TechniqueFinds>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TechniqueFinds {
    /// Number of positions in which the technique has a match.
    pub states: usize,
    /// Number of matches in all positions, without repeated headlines; see [`Headlines`].
    pub matches: usize,
    pub deductions: BTreeSet<FoundLiteral>,
    /// Number of positions in which a limit cut the search short.
    pub cut: usize,
    /// Limits that cut short the searches that `cut` counts.
    pub limits: BTreeSet<LimitHit>,
}

impl TechniqueFinds {
    fn add(&mut self, geometry: &Geometry, found: FoundSteps) {
        let mut headlines = Headlines::default();
        self.cut += usize::from(!found.cuts.is_empty());
        self.limits.extend(found.cuts.iter().map(|cut| cut.limit));
        self.states += usize::from(!found.steps.is_empty());
        for step in found.steps {
            self.matches += usize::from(headlines.add(geometry, &step).is_none());
            self.deductions.extend(step.eliminations.into_iter().map(|candidate| (candidate, false)));
            self.deductions.extend(step.placements.into_iter().map(|candidate| (candidate, true)));
        }
    }
}

pub struct Experiment {
    contenders: Vec<Contender>,
    solver_without: Solver,
    /// For each contender, a solver without the others.
    solvers_with: Vec<Solver>,
    solver_with_all: Solver,
    /// Every `interval`-th position of a path is examined.
    interval: usize,
}

impl Experiment {
    /// Makes the solvers. A contender without a row of the profile is tried after all rows. Every `interval`-th position of a path is examined.
    pub fn new(solver: &Solver, base: &Profile, contenders: &[Contender], interval: usize) -> Experiment {
        let all_members = member_ids(solver, contenders);
        let [solver_without, solver_with_all] = [&[][..], contenders]
            .map(|enabled| solver.reordered(&profile_with(solver, base, &all_members, &member_ids(solver, enabled))));
        let mut solvers_with = Vec::new();
        for contender in contenders {
            let members = member_ids(solver, std::slice::from_ref(contender));
            solvers_with.push(solver.reordered(&profile_with(solver, base, &all_members, &members)));
        }
        Experiment {
            solver_without,
            solvers_with,
            solver_with_all,
            contenders: contenders.to_vec(),
            interval: interval.max(1),
        }
    }

    /// Runs the experiment on a puzzle. `watch` receives every search with the index of its contender.
    pub fn run(&self, start: &State, watch: &mut dyn Watch) -> PuzzleTrial {
        let path = self.solver_with_all.solve(start.clone());
        let mut limits: BTreeSet<LimitHit> = path.cuts.iter().map(|cut| cut.limit).collect();
        let mut trial = PuzzleTrial {
            solved_with_all: path.outcome == Outcome::Solved,
            solved_without: is_solved(&self.solver_without, start, &mut limits),
            solved_with: self.solvers_with.iter().map(|solver| is_solved(solver, start, &mut limits)).collect(),
            finds: vec![TechniqueFinds::default(); self.contenders.len()],
            states: 0,
            limits,
        };
        for state in path.positions(self.solver_with_all.geometry()).iter().step_by(self.interval) {
            trial.states += 1;
            for (index, contender) in self.contenders.iter().enumerate() {
                watch.begin(index);
                let found = self.solver_with_all.find_all(state, Some(&contender.name)).unwrap_or_default();
                watch.end(index, found.steps.len());
                trial.finds[index].add(self.solver_with_all.geometry(), found);
            }
        }
        trial
    }
}

/// Returns true if a puzzle is solved. Adds the limits that cut searches of its path short to `limits`.
pub fn is_solved(solver: &Solver, start: &State, limits: &mut BTreeSet<LimitHit>) -> bool {
    let walk = solver.walk(start.clone(), &mut Unwatched);
    limits.extend(walk.cuts.iter().map(|cut| cut.limit));
    walk.outcome == Outcome::Solved
}

fn member_ids(solver: &Solver, contenders: &[Contender]) -> Vec<MemberId> {
    let indexes = contenders.iter().flat_map(|contender| &contender.members);
    indexes.map(|&index| solver.members()[index].clone()).collect()
}

/// Returns the base profile with the members in `enabled`, and without the other members in `disabled`. Enabled members without a row of
/// the base come after all rows.
fn profile_with(solver: &Solver, base: &Profile, disabled: &[MemberId], enabled: &[MemberId]) -> Profile {
    let mut rows: Vec<ProfileRow> = Vec::new();
    let excluded = disabled.iter().filter(|member| !enabled.contains(member));
    rows.extend(excluded.map(|member| row_of(solver, member, false)));
    // A disabled row of the base profile would suppress an enabled technique.
    let base_rows = base.rows.iter().filter(|row| row.enabled || !has_technique(solver, enabled, &row.technique));
    rows.extend(base_rows.cloned());
    rows.extend(enabled.iter().map(|member| row_of(solver, member, true)));
    Profile { rows, ..base.clone() }
}

fn row_of(solver: &Solver, member: &MemberId, enabled: bool) -> ProfileRow {
    let args = member.args.iter().map(|&value| ArgRange { low: value, high: Some(value) }).collect();
    ProfileRow { enabled, ..ProfileRow::for_members(solver.techniques()[member.technique].id.clone(), args) }
}

fn has_technique(solver: &Solver, members: &[MemberId], id: &str) -> bool {
    members.iter().any(|member| solver.techniques()[member.technique].id == id)
}

/// Returns a profile of some members only, in this order. `members` are indexes into [`Solver::members`].
pub fn profile_of(solver: &Solver, members: &[usize]) -> Profile {
    let empty = Profile { name: "only".into(), others: OtherTechniques::Off, ..Profile::empty() };
    let members: Vec<MemberId> = members.iter().map(|&index| solver.members()[index].clone()).collect();
    profile_with(solver, &empty, &[], &members)
}

pub fn profile_without(base: &Profile, technique: &str) -> Profile {
    let off = ProfileRow { enabled: false, ..ProfileRow::for_members(technique.into(), Vec::new()) };
    Profile { rows: std::iter::once(off).chain(base.rows.iter().cloned()).collect(), ..base.clone() }
}
