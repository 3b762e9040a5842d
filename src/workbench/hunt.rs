//! Searches examples for a rule. In: a solver, a technique, positions. Out: positions where the technique has matches,
//! with the steps of these matches and a near miss. A near miss is the position with one candidate added or removed, so
//! that the technique has no match.

use crate::engine::LimitHit;
use crate::grid::{Candidate, Cell, DigitSet, Geometry, State, draw, notation};
use crate::solve::{Cut, Outcome, Solver, Step, UnknownTechnique};
use fastrand::Rng;
use std::cell::RefCell;
use std::collections::BTreeSet;

pub struct ExampleHunt<'s> {
    pub solver: &'s Solver,
    /// Solver that makes the paths of puzzles.
    pub walker: &'s Solver,
    /// Id or name of the technique.
    pub technique: String,
    /// Labels of the rules that `technique` can mean, as in a rule file: `id(4)`. A position is an example of a rule only
    /// if `technique` is a name of all matches of the rule.
    pub labels: Vec<String>,
    /// Name that every match must have, if required.
    pub match_name: Option<String>,
    /// Maximum number of different deductions of an example.
    pub max_deductions: usize,
    /// True to accept only positions where the techniques of `walker` find nothing.
    pub only_stuck_positions: bool,
    pub tally: RefCell<HuntTally>,
}

/// Numbers of positions examined, and of positions rejected by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HuntTally {
    pub positions: usize,
    /// Number of positions with too many different deductions.
    pub too_many: usize,
    /// Number of positions with a match that has another name.
    pub other_name: usize,
    /// Number of positions whose search a limit cut short. Searches that the time limit of the whole hunt stopped are
    /// not counted.
    pub cut: usize,
    /// Limits that cut these searches short.
    pub limits: BTreeSet<LimitHit>,
}

impl HuntTally {
    fn add_cuts(&mut self, cuts: &[Cut]) {
        let limits: Vec<LimitHit> = cuts.iter().map(|cut| cut.limit).filter(|limit| *limit != LimitHit::Time).collect();
        self.cut += usize::from(!limits.is_empty());
        self.limits.extend(limits);
    }
}

#[derive(Clone, Debug)]
pub struct FoundExample {
    /// Label of the rule: `id(4)`.
    pub label: String,
    pub state: State,
    pub steps: Vec<Step>,
    pub near_miss: Option<NearMissGrid>,
}

/// A position that differs from an example in one candidate.
#[derive(Clone, Debug)]
pub struct NearMissGrid {
    pub state: State,
    pub candidate: Candidate,
    /// True if the candidate was added to the example, false if the candidate was removed.
    pub added: bool,
}

impl ExampleHunt<'_> {
    /// Returns the last position on the path of a puzzle where the technique has a match, preferably with a near miss.
    ///
    /// # Errors
    /// If no technique has the name.
    pub fn walk(&self, start: &State, random: &mut Rng) -> Result<Option<FoundExample>, UnknownTechnique> {
        let path = self.walker.solve(start.clone());
        if self.only_stuck_positions {
            if !path.cuts.is_empty() {
                // Without the limit, the walker might find more, so the technique may not be needed here.
                self.tally.borrow_mut().add_cuts(&path.cuts);
                return Ok(None);
            }
            return if path.outcome == Outcome::Stuck { self.examine(&path.end, random) } else { Ok(None) };
        }
        // Later positions have fewer candidates, but if most cells are solved, few candidates can be added for a near
        // miss.
        let mut without_near_miss = None;
        for state in path.positions(self.walker.geometry()).iter().rev() {
            match self.examine(state, random)? {
                Some(example) if example.near_miss.is_some() => return Ok(Some(example)),
                example => without_near_miss = without_near_miss.or(example),
            }
        }
        Ok(without_near_miss)
    }

    /// Returns the position as an example of the first rule in `labels` whose matches fit the settings.
    ///
    /// # Errors
    /// If no technique has the name.
    pub fn examine(&self, state: &State, random: &mut Rng) -> Result<Option<FoundExample>, UnknownTechnique> {
        let found = self.solver.find_all(state, Some(&self.technique))?;
        self.tally.borrow_mut().positions += 1;
        if !found.cuts.is_empty() {
            self.tally.borrow_mut().add_cuts(&found.cuts);
            return Ok(None);
        }
        for label in &self.labels {
            let id = label.split('(').next().unwrap_or(label);
            let steps: Vec<Step> = found.steps.iter().filter(|step| step.technique == id).cloned().collect();
            if let Some(steps) = self.accepted_steps(label, steps, state)? {
                let near_miss = self.near_miss(label, state, &steps, random)?;
                return Ok(Some(FoundExample { label: label.clone(), state: state.clone(), steps, near_miss }));
            }
        }
        Ok(None)
    }

    /// Returns the steps of a rule if the position with these steps is a good example. If not, counts the position as
    /// rejected, unless the rule has no match.
    fn accepted_steps(
        &self,
        label: &str,
        steps: Vec<Step>,
        state: &State,
    ) -> Result<Option<Vec<Step>>, UnknownTechnique> {
        // An unsolved cell with one candidate would distract from the match, unless a step cites such a cell.
        let (values, candidates) = state.values_and_candidates();
        let has_single = values.iter().zip(candidates).any(|(value, digits)| value.is_none() && digits.len() < 2);
        let mut cited = steps.iter().flat_map(|step| &step.cites.cells);
        if has_single && !cited.any(|(_, digits)| digits.len() == 1) {
            return Ok(None);
        }
        let step_deductions = deductions(self.solver.geometry(), &steps);
        if step_deductions.is_empty() {
            return Ok(None);
        }
        let mut has_name = steps.iter().all(|step| self.match_name.as_ref().is_none_or(|name| step.name == *name));
        // A hunt for a name finds only the matches with this name. The rule may have further matches.
        if *label != self.technique {
            let all_steps = self.solver.find_all(state, Some(label))?.steps;
            has_name &= deductions(self.solver.geometry(), &all_steps) == step_deductions;
        }
        let mut tally = self.tally.borrow_mut();
        if !has_name {
            tally.other_name += 1;
            return Ok(None);
        }
        if step_deductions.len() > self.max_deductions {
            tally.too_many += 1;
            return Ok(None);
        }
        Ok(Some(steps))
    }

    /// Finds a near miss: a position with one candidate added in which the rule has no match. If none is found, tries
    /// to remove one candidate.
    fn near_miss(
        &self,
        label: &str,
        state: &State,
        steps: &[Step],
        random: &mut Rng,
    ) -> Result<Option<NearMissGrid>, UnknownTechnique> {
        let geometry = self.solver.geometry();
        let cited_cells = steps.iter().flat_map(|step| step.cites.cells.iter().map(|(cell, _)| *cell));
        let houses = steps.iter().flat_map(|step| &step.cites.houses);
        let house_cells = houses.flat_map(|&house| geometry.house(house).cells.iter().copied());
        let to_add = candidates_where(cited_cells.clone().chain(house_cells), state, |candidate| {
            let mut peers = geometry.cells().filter(|&other| geometry.sees(candidate.cell, other));
            !state.has(candidate) && peers.all(|peer| state.value(peer) != Some(candidate.digit))
        });
        let to_remove = candidates_where(cited_cells, state, |candidate| {
            let mut effects = steps.iter().flat_map(|step| step.eliminations.iter().chain(&step.placements));
            let has_enough = state.candidates(candidate.cell).len() > 2;
            state.has(candidate) && has_enough && !effects.any(|effect| *effect == candidate)
        });
        for (mut candidates, added) in [(to_add, true), (to_remove, false)] {
            random.shuffle(&mut candidates);
            for candidate in candidates {
                let changed = with_change(geometry, state, candidate, added);
                if changed.contradiction(geometry).is_some() {
                    continue;
                }
                let found = self.solver.find_all(&changed, Some(label))?;
                // A search that a limit cut short does not show that there is no match.
                if found.steps.is_empty() && found.cuts.is_empty() {
                    return Ok(Some(NearMissGrid { state: changed, candidate, added }));
                }
            }
        }
        Ok(None)
    }
}

/// Returns the candidates of the unsolved cells among `cells` that satisfy a predicate, sorted and without repetition.
/// A candidate may be present or absent.
fn candidates_where(
    cells: impl Iterator<Item = Cell>,
    state: &State,
    predicate: impl Fn(Candidate) -> bool,
) -> Vec<Candidate> {
    let digits = state.values_and_candidates().1.iter().fold(DigitSet::EMPTY, |union, digits| union | *digits);
    let mut candidates = BTreeSet::new();
    for cell in cells.filter(|&cell| state.value(cell).is_none()) {
        candidates.extend(digits.in_cell(cell).filter(|&candidate| predicate(candidate)));
    }
    candidates.into_iter().collect()
}

/// Returns the position with a candidate of an unsolved cell added or, if `add` is false, removed.
pub(super) fn with_change(geometry: &Geometry, state: &State, candidate: Candidate, add: bool) -> State {
    let mut changed = State::empty(geometry);
    for cell in geometry.cells() {
        if let Some(digit) = state.value(cell) {
            changed.place(geometry, cell, digit);
        }
    }
    let digit = DigitSet::single(candidate.digit);
    for cell in geometry.cells().filter(|&cell| state.value(cell).is_none()) {
        let digits = match (cell == candidate.cell, add) {
            (false, _) => state.candidates(cell),
            (true, true) => state.candidates(cell) | digit,
            (true, false) => state.candidates(cell) - digit,
        };
        changed.restrict(cell, digits);
    }
    changed
}

pub fn deductions(geometry: &Geometry, steps: &[Step]) -> Vec<String> {
    let mut texts: Vec<String> =
        steps.iter().map(|step| notation::deductions(geometry, &step.eliminations, &step.placements)).collect();
    texts.sort();
    texts.dedup();
    texts
}

/// Writes a position as rows of candidates, as in the grid of an example.
pub fn grid(geometry: &Geometry, state: &State) -> String {
    let size = geometry.size();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for row in 0..size {
        rows.push((0..size).map(|column| draw::cell_text(geometry, state, geometry.cell(row, column))).collect());
    }
    let widths: Vec<usize> =
        (0..size).map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0)).collect();
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join(" ").trim_end().to_string()
    });
    lines.collect::<Vec<_>>().join("\n")
}
