//! A path step by step. In: a grid and the number of a step. Out: that step in its grid, with its reason. Steps are found when they
//! are first requested.

use super::picture::PictureRecord;
use super::{Playground, Refusal};
use crate::engine::Limits;
use crate::grid::State;
use crate::lang::ir::Technique;
use crate::render::{Scene, contradiction_words, counted, explained, headline, html, is_single, pieces};
use crate::solve::{Knowledge, Profile, Solver, Soundness, Step, apply};
use crate::workbench::Subject;
use serde::Serialize;

/// The part of a path that is known so far.
pub struct PathSoFar {
    solver: Solver,
    /// Rules of the text.
    own: Vec<Subject>,
    /// True if rules of the text are tried before all others.
    own_first: bool,
    knowledge: Knowledge,
    /// The position before each step, then the last one.
    states: Vec<State>,
    steps: Vec<Step>,
}

/// A step as the page shows it.
#[derive(Debug, Serialize)]
pub struct StepView {
    /// Index of the step; at the end of the path the number of steps.
    at: usize,
    /// HTML.
    head: String,
    /// HTML.
    #[serde(rename = "told")]
    reason: String,
    /// The rule of the step.
    technique: Option<String>,
    single: bool,
    /// True if the path ends here.
    end: bool,
    picture: PictureRecord,
    /// The grid after the step, as text that the page can read back.
    line: String,
}

/// Returns a step by its number, from zero. If `own_first`, rules of the text are tried before all others.
pub fn step(here: &mut Playground, at: usize, own_first: bool) -> Result<StepView, Refusal> {
    let mut path = match here.path.take().filter(|path| path.own_first == own_first) {
        Some(path) => path,
        None => {
            let knowledge = here.knowledge()?;
            begin(here, own_first, knowledge)?
        }
    };
    let step = path.show(at);
    here.path = Some(path);
    Ok(step)
}

/// Begins a path. Rules that assume one solution are used only if the grid has one.
fn begin(here: &Playground, own_first: bool, knowledge: Knowledge) -> Result<PathSoFar, Refusal> {
    let (text, grid) = here.text_and_grid()?;
    let is_unique = grid.has_one_solution();
    let book = text.rulebook();
    let usable = text.techniques(None).filter(|technique| is_unique || !technique.assumes_one_solution);
    let subject =
        |technique: &Technique| Subject::new(book.with_used(vec![technique.clone()]), book.sources(), grid.geometry());
    let own = usable.filter_map(subject).collect();
    let restricted = (!is_unique).then(|| book.clone().without_uniqueness());
    let book = restricted.as_ref().unwrap_or(book);
    let solver = Solver::knowing(&knowledge, book, grid.geometry(), &Profile::default(), Limits::default());
    Ok(PathSoFar { solver, own, own_first, knowledge, states: vec![grid.state.clone()], steps: Vec::new() })
}

impl PathSoFar {
    fn show(&mut self, at: usize) -> StepView {
        while self.steps.len() <= at && self.advance() {}
        let geometry = self.solver.geometry();
        let at = at.min(self.steps.len());
        let state = &self.states[at];
        let line = crate::grid::draw::puzzle_line(geometry, self.states.get(at + 1).unwrap_or(state));
        match self.steps.get(at) {
            Some(step) => StepView {
                at,
                head: pieces(&headline(geometry, step)),
                reason: html(&explained(geometry, step, 2)),
                technique: Some(step.technique.clone()),
                single: is_single(geometry, state, step),
                end: false,
                picture: PictureRecord::new(geometry, &Scene::of_step(geometry, state, step)),
                line,
            },
            None => StepView {
                at,
                head: self.end_words(state),
                reason: String::new(),
                technique: None,
                single: false,
                end: true,
                picture: PictureRecord::new(geometry, &Scene::of_state(state.clone())),
                line,
            },
        }
    }

    fn end_words(&self, state: &State) -> String {
        let steps = counted(self.steps.len(), "step");
        match state.contradiction(self.solver.geometry()) {
            Some(found) => format!("A contradiction: {}.", contradiction_words(self.solver.geometry(), found)),
            None if state.is_solved() => format!("Solved after {steps}."),
            None => format!("Stuck after {steps}: no technique finds anything more."),
        }
    }

    /// Finds the first match of a rule of the text, unless its member is refuted.
    fn first(&self, subject: &Subject, state: &State) -> Option<Step> {
        let mut steps = subject.matches(state, &Limits::default()).0.into_iter().map(|seen| seen.step);
        steps.find_map(|step| {
            let soundness = self.knowledge.of(&subject.techniques[0], (&step.member.args, step.member.variant));
            (soundness != Soundness::Refuted).then_some(Step { soundness, ..step })
        })
    }

    /// Adds a step; returns false if the path ends here.
    fn advance(&mut self) -> bool {
        let Some(state) = self.states.last().cloned() else { return false };
        if state.is_solved() || state.contradiction(self.solver.geometry()).is_some() {
            return false;
        }
        let own = if self.own_first { self.own.iter().find_map(|subject| self.first(subject, &state)) } else { None };
        let Some(step) = own.or_else(|| self.solver.next(&state).step) else { return false };
        let mut next = state;
        apply(&step, self.solver.geometry(), &mut next);
        self.states.push(next);
        self.steps.push(step);
        true
    }
}
