//! Searches examples for a rule. In: a solver, a technique, positions. Out: positions where the technique finds something,
//! with the deductions and a near miss: a position with one candidate more or less where nothing is found.

use crate::engine::LimitHit;
use crate::grid::{Candidate, Cell, DigitSet, Geometry, State, draw, notation};
use crate::solve::{Cut, Outcome, Solver, Step, UnknownTechnique};
use fastrand::Rng;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Settings of a hunt.
pub struct ExampleHunt<'s> {
    /// Finds the technique.
    pub solver: &'s Solver,
    /// Walks the positions of a puzzle.
    pub walker: &'s Solver,
    /// The technique, by id or name.
    pub technique: String,
    /// The rules with this name, as a rule file writes them. A position is kept only if all matches of the rule have the name.
    pub labels: Vec<String>,
    /// Every match must have this name.
    pub called: Option<String>,
    /// Maximum number of different deductions.
    pub most: usize,
    /// True to accept only positions where the walking techniques find nothing.
    pub needed: bool,
    /// Progress so far.
    pub tally: RefCell<HuntTally>,
}

/// Numbers of positions examined and of positions rejected, by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HuntTally {
    /// Positions.
    pub positions: usize,
    /// More different deductions than are wanted.
    pub too_many: usize,
    /// A match of another name.
    pub other_name: usize,
    /// A limit cut the search short, other than the end of the hunt.
    pub cut: usize,
    /// The limits that did.
    pub limits: BTreeSet<LimitHit>,
}

impl HuntTally {
    /// Counts a position whose search was cut short.
    fn add_cuts(&mut self, cuts: &[Cut]) {
        let limits: Vec<LimitHit> = cuts.iter().map(|cut| cut.limit).filter(|limit| *limit != LimitHit::Time).collect();
        self.cut += usize::from(!limits.is_empty());
        self.limits.extend(limits);
    }
}

/// A position with what is found there.
#[derive(Clone, Debug)]
pub struct FoundExample {
    /// The rule that finds it, as a rule file names it.
    pub label: String,
    /// The position.
    pub state: State,
    /// Every match.
    pub steps: Vec<Step>,
    /// A similar position where nothing is found.
    pub near_miss: Option<NearMissGrid>,
}

/// A position that differs in one candidate.
#[derive(Clone, Debug)]
pub struct NearMissGrid {
    /// The position.
    pub state: State,
    /// In which candidate.
    pub candidate: Candidate,
    /// True if the near miss has the candidate and the catch lacks it; false for the reverse.
    pub added: bool,
}

impl ExampleHunt<'_> {
    /// Returns the position with the fewest candidates on the walk of a puzzle where the technique is found.
    ///
    /// # Errors
    /// If no technique has the name.
    pub fn walk(&self, start: &State, chance: &mut Rng) -> Result<Option<FoundExample>, UnknownTechnique> {
        let path = self.walker.solve(start.clone());
        if self.needed {
            if !path.cuts.is_empty() {
                // A search was cut short, so the walking techniques might find more: the technique may not be needed here.
                self.tally.borrow_mut().add_cuts(&path.cuts);
                return Ok(None);
            }
            return if path.outcome == Outcome::Stuck { self.examine(&path.end, chance) } else { Ok(None) };
        }
        // Later positions have fewer candidates, but with most cells solved there are few candidates left to add for a near
        // miss.
        let mut first = None;
        for state in path.positions(self.walker.geometry()).iter().rev() {
            match self.examine(state, chance)? {
                Some(caught) if caught.near_miss.is_some() => return Ok(Some(caught)),
                caught => first = first.or(caught),
            }
        }
        Ok(first)
    }

    /// Returns what the technique finds on a position, if it is what is wanted: of several rules with the name, what the
    /// first finds that finds something.
    ///
    /// # Errors
    /// When nothing has the technique's name.
    pub fn examine(&self, state: &State, chance: &mut Rng) -> Result<Option<FoundExample>, UnknownTechnique> {
        let found = self.solver.find_all(state, Some(&self.technique))?;
        self.tally.borrow_mut().positions += 1;
        if !found.cuts.is_empty() {
            self.tally.borrow_mut().add_cuts(&found.cuts);
            return Ok(None);
        }
        for label in &self.labels {
            let id = label.split('(').next().unwrap_or(label);
            let steps: Vec<Step> = found.steps.iter().filter(|step| step.technique == id).cloned().collect();
            if let Some(steps) = self.wanted(label, steps, state)? {
                let near_miss = self.near_miss(label, state, &steps, chance)?;
                return Ok(Some(FoundExample { label: label.clone(), state: state.clone(), steps, near_miss }));
            }
        }
        Ok(None)
    }

    /// Returns the steps of a rule if they make an example of it.
    fn wanted(&self, label: &str, steps: Vec<Step>, state: &State) -> Result<Option<Vec<Step>>, UnknownTechnique> {
        // A cell with one candidate belongs into an example only if the match needs it.
        let (values, candidates) = state.values_and_candidates();
        let has_single = values.iter().zip(candidates).any(|(value, digits)| value.is_none() && digits.len() < 2);
        let mut cited = steps.iter().flat_map(|step| &step.cites.cells);
        if has_single && !cited.any(|(_, digits)| digits.len() == 1) {
            return Ok(None);
        }
        let is_named = steps.iter().all(|step| self.called.as_ref().is_none_or(|name| step.name == *name));
        let deductions = deductions(self.solver.geometry(), &steps);
        let all = if *label == self.technique || steps.is_empty() {
            deductions.clone()
        } else {
            let whole = self.solver.find_all(state, Some(label))?;
            self::deductions(self.solver.geometry(), &whole.steps)
        };
        let mut tally = self.tally.borrow_mut();
        let refused = match () {
            () if deductions.is_empty() => return Ok(None),
            () if !is_named || all != deductions => &mut tally.other_name,
            () if deductions.len() > self.most => &mut tally.too_many,
            () => return Ok(Some(steps)),
        };
        *refused += 1;
        Ok(None)
    }

    /// Finds a near miss: the position with one candidate added or, failing that, removed, so that nothing is found.
    fn near_miss(
        &self,
        label: &str,
        state: &State,
        steps: &[Step],
        chance: &mut Rng,
    ) -> Result<Option<NearMissGrid>, UnknownTechnique> {
        let geometry = self.solver.geometry();
        let cited = steps.iter().flat_map(|step| step.cites.cells.iter().map(|(cell, _)| *cell));
        let houses = steps.iter().flat_map(|step| &step.cites.houses);
        let more = cited.clone().chain(houses.flat_map(|&house| geometry.house(house).cells.iter().copied()));
        let more = candidates_of(more, state, |one| {
            let mut peers = geometry.cells().filter(|&other| geometry.sees(one.cell, other));
            !state.has(one) && peers.all(|other| state.value(other) != Some(one.digit))
        });
        let less = candidates_of(cited, state, |one| {
            let mut concluded = steps.iter().flat_map(|step| step.eliminations.iter().chain(&step.placements));
            state.has(one) && state.candidates(one.cell).len() > 2 && !concluded.any(|other| *other == one)
        });
        for (mut changes, added) in [(more, true), (less, false)] {
            chance.shuffle(&mut changes);
            for candidate in changes {
                let here = state.candidates(candidate.cell);
                let one = DigitSet::single(candidate.digit);
                let digits = if added { here | one } else { here - one };
                let near = with_candidates(geometry, state, candidate.cell, digits);
                if near.contradiction(geometry).is_some() {
                    continue;
                }
                let found = self.solver.find_all(&near, Some(label))?;
                // A search that was cut short does not show that there is nothing.
                if found.steps.is_empty() && found.cuts.is_empty() {
                    return Ok(Some(NearMissGrid { state: near, candidate, added }));
                }
            }
        }
        Ok(None)
    }
}

/// The candidates, present or not, of the unsolved ones of some cells that are wanted, each once.
fn candidates_of(
    cells: impl Iterator<Item = Cell>,
    state: &State,
    wanted: impl Fn(Candidate) -> bool,
) -> Vec<Candidate> {
    let size = state.values_and_candidates().1.iter().fold(DigitSet::EMPTY, |all, digits| all | *digits);
    let open = cells.filter(|&cell| state.value(cell).is_none());
    let all = open.flat_map(|cell| size.iter().map(move |digit| Candidate::new(digit, cell)));
    let mut out: Vec<Candidate> = all.filter(|&one| wanted(one)).collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// Returns the position with other candidates in a cell.
pub(super) fn with_candidates(geometry: &Geometry, state: &State, at: Cell, digits: DigitSet) -> State {
    let mut out = State::empty(geometry);
    let solved = geometry.cells().filter_map(|cell| Some((cell, state.value(cell)?)));
    solved.for_each(|(cell, digit)| out.place(geometry, cell, digit));
    for cell in geometry.cells().filter(|&cell| state.value(cell).is_none()) {
        out.restrict(cell, if cell == at { digits } else { state.candidates(cell) });
    }
    out
}

/// The different deductions of steps as text, each once, sorted.
pub fn deductions(geometry: &Geometry, steps: &[Step]) -> Vec<String> {
    let mut out: Vec<String> =
        steps.iter().map(|step| notation::deductions(geometry, &step.eliminations, &step.placements)).collect();
    out.sort();
    out.dedup();
    out
}

/// A position as rows of candidates, as grids of examples are written.
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
