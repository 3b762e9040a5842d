//! Measures the use of techniques. In: a solver, techniques, puzzles. Out: for each puzzle, the deductions of each
//! technique, and whether the puzzle is solved with it and without it.

use crate::engine::{LimitHit, MemberId};
use crate::grid::{Candidate, Geometry, State};
use crate::render::Headlines;
use crate::solve::{ArgRange, FoundSteps, OtherTechniques, Outcome, Profile, Row, Solver, Unwatched, Watch};
use std::collections::BTreeSet;

/// A technique or some of its members, by the names that the author gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contender {
    /// As asked for.
    pub name: String,
    /// By their places in [`Solver::members`].
    pub members: Vec<usize>,
}

/// A deduction: a candidate and its truth.
pub type Shown = (Candidate, bool);

/// Results for one puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PuzzleTrial {
    /// Number of positions examined.
    pub states: usize,
    /// True if the puzzle is solved without any of the techniques.
    pub without: bool,
    /// For each technique, true if the puzzle is solved with it alone.
    pub with: Vec<bool>,
    /// True if the puzzle is solved with all techniques.
    pub with_all: bool,
    /// The limits that cut searches of these solutions short: more of them may solve the puzzle.
    pub limits: BTreeSet<LimitHit>,
    /// Deductions of each technique.
    pub finds: Vec<TechniqueFinds>,
}

/// Deductions of a technique in the positions of a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TechniqueFinds {
    /// Positions on which it matches.
    pub states: usize,
    /// Matches on all of them, counted as they are listed: each line once.
    pub matches: usize,
    /// The deductions, without repetitions.
    pub shown: BTreeSet<Shown>,
    /// Positions on which a limit cut its search short.
    pub cut: usize,
    /// The limits that did.
    pub limits: BTreeSet<LimitHit>,
}

impl TechniqueFinds {
    /// Adds what is found on a position; a line of another rule that stands there already is no further match.
    fn add(&mut self, geometry: &Geometry, found: FoundSteps) {
        let mut headlines = Headlines::default();
        self.cut += usize::from(!found.cuts.is_empty());
        self.limits.extend(found.cuts.iter().map(|cut| cut.limit));
        self.states += usize::from(!found.steps.is_empty());
        for step in found.steps {
            self.matches += usize::from(headlines.add(geometry, &step).is_none());
            self.shown.extend(step.eliminations.into_iter().map(|candidate| (candidate, false)));
            self.shown.extend(step.placements.into_iter().map(|candidate| (candidate, true)));
        }
    }
}

/// A profile and techniques that are tried beside it.
pub struct Experiment {
    contenders: Vec<Contender>,
    without: Solver,
    with: Vec<Solver>,
    with_all: Solver,
    every: usize,
}

impl Experiment {
    /// Takes the contenders out of the profile; each comes back at the place it has there, or else after all rows. Every
    /// this many positions are examined.
    pub fn new(solver: &Solver, base: &Profile, contenders: &[Contender], every: usize) -> Experiment {
        let all = members(solver, contenders);
        let [without, with_all] =
            [&[][..], contenders].map(|back| solver.reordered(&changed(solver, base, &all, &members(solver, back))));
        let with = contenders
            .iter()
            .map(|one| solver.reordered(&changed(solver, base, &all, &members(solver, std::slice::from_ref(one)))));
        Experiment { without, with: with.collect(), with_all, contenders: contenders.to_vec(), every: every.max(1) }
    }

    /// Runs the experiment on a puzzle; `watch` receives every search with the number of its contender.
    pub fn run(&self, start: &State, watch: &mut dyn Watch) -> PuzzleTrial {
        let path = self.with_all.solve(start.clone());
        let mut limits: BTreeSet<LimitHit> = path.cuts.iter().map(|cut| cut.limit).collect();
        let mut trial = PuzzleTrial {
            with_all: path.outcome == Outcome::Solved,
            without: is_solved(&self.without, start, &mut limits),
            with: self.with.iter().map(|solver| is_solved(solver, start, &mut limits)).collect(),
            finds: vec![TechniqueFinds::default(); self.contenders.len()],
            states: 0,
            limits,
        };
        for state in path.positions(self.with_all.geometry()).iter().step_by(self.every) {
            trial.states += 1;
            for (number, one) in self.contenders.iter().enumerate() {
                watch.begin(number);
                let found = self.with_all.find_all(state, Some(&one.name)).unwrap_or_default();
                watch.end(number, found.steps.len());
                trial.finds[number].add(self.with_all.geometry(), found);
            }
        }
        trial
    }
}

/// Returns true if a puzzle is solved; collects the limits that cut searches of its path short.
pub fn is_solved(solver: &Solver, start: &State, limits: &mut BTreeSet<LimitHit>) -> bool {
    let walk = solver.walk(start.clone(), &mut Unwatched);
    limits.extend(walk.cuts.iter().map(|cut| cut.limit));
    walk.outcome == Outcome::Solved
}

fn members(solver: &Solver, contenders: &[Contender]) -> Vec<MemberId> {
    contenders.iter().flat_map(|one| &one.members).map(|&at| solver.members()[at].clone()).collect()
}

/// A profile without some members, and with others: these come after its rows unless it has them anyway.
fn changed(solver: &Solver, base: &Profile, out: &[MemberId], back: &[MemberId]) -> Profile {
    let mut rows: Vec<Row> = Vec::new();
    rows.extend(out.iter().filter(|one| !back.contains(one)).map(|member| row_of(solver, member, false)));
    // A disabled row of the base profile would suppress the technique.
    rows.extend(base.rows.iter().filter(|old| old.enabled || !has_technique(solver, back, &old.technique)).cloned());
    rows.extend(back.iter().map(|member| row_of(solver, member, true)));
    Profile { rows, ..base.clone() }
}

fn row_of(solver: &Solver, member: &MemberId, enabled: bool) -> Row {
    let args = member.args.iter().map(|&value| ArgRange { low: value, high: Some(value) }).collect();
    Row { enabled, ..Row::for_members(solver.techniques()[member.technique].id.clone(), args) }
}

fn has_technique(solver: &Solver, members: &[MemberId], id: &str) -> bool {
    members.iter().any(|member| solver.techniques()[member.technique].id == id)
}

/// A profile of some members alone, in this order; by their places in [`Solver::members`].
pub fn profile_of(solver: &Solver, members: &[usize]) -> Profile {
    let nothing = Profile { name: "only".into(), others: OtherTechniques::Off, ..Profile::empty() };
    let back: Vec<MemberId> = members.iter().map(|&at| solver.members()[at].clone()).collect();
    changed(solver, &nothing, &[], &back)
}

/// The profile without a technique.
pub fn profile_without(base: &Profile, technique: &str) -> Profile {
    let off = Row { enabled: false, ..Row::for_members(technique.into(), Vec::new()) };
    Profile { rows: std::iter::once(off).chain(base.rows.iter().cloned()).collect(), ..base.clone() }
}
