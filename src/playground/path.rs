//! A path step by step. In: a grid, which step. Out: that step in its grid, with its reason. Steps are made when they are asked for.

use super::picture::Drawn;
use super::{Playground, Refusal};
use crate::engine::Limits;
use crate::grid::State;
use crate::render::{Scene, contradiction_words, counted, explained, headline, html, is_single, pieces};
use crate::solve::{Knowledge, Profile, Solver, Soundness, Step, apply};
use crate::workbench::Subject;
use serde::Serialize;

/// A path as far as it was walked.
pub struct Walked {
    solver: Solver,
    /// The rules of the text.
    own: Vec<Subject>,
    own_first: bool,
    known: Knowledge,
    /// The position before each step, then the last.
    states: Vec<State>,
    steps: Vec<Step>,
}

/// A step as a page shows it.
#[derive(Debug, Serialize)]
pub struct StepRecord {
    /// From zero; the number of steps where there is no further one.
    at: usize,
    /// HTML.
    head: String,
    told: String,
    /// The rule of the step.
    technique: Option<String>,
    single: bool,
    /// Whether the path ends here.
    end: bool,
    picture: Drawn,
    /// The grid after the step; it reads back.
    line: String,
}

/// A step by its number; `own_first`: whether the rules of the text are tried before all others.
pub fn step(here: &mut Playground, at: usize, own_first: bool) -> Result<StepRecord, Refusal> {
    let fits = here.walked.as_ref().is_some_and(|walked| walked.own_first == own_first);
    let mut walked = match here.walked.take().filter(|_| fits) {
        Some(walked) => walked,
        None => {
            let known = here.know()?;
            begun(here, own_first, known)?
        }
    };
    let found = walked.show(at);
    here.walked = Some(walked);
    Ok(found)
}

fn begun(here: &Playground, own_first: bool, known: Knowledge) -> Result<Walked, Refusal> {
    let (text, position) = here.both()?;
    let one = position.has_one_solution();
    let book = text.rulebook();
    let subject = |technique: &crate::lang::ir::Technique| {
        Subject::new(book.with_used(vec![technique.clone()]), book.sources(), position.geometry())
    };
    let may = |technique: &&crate::lang::ir::Technique| one || !technique.assumes_one_solution;
    let own = text.techniques(None).filter(may).filter_map(subject).collect();
    let less = (!one).then(|| book.clone().without_uniqueness());
    let book = less.as_ref().unwrap_or(book);
    let solver = Solver::knowing(&known, book, position.geometry(), &Profile::default(), Limits::default());
    Ok(Walked { solver, own, own_first, known, states: vec![position.state.clone()], steps: Vec::new() })
}

impl Walked {
    fn show(&mut self, at: usize) -> StepRecord {
        while self.steps.len() <= at && self.walk() {}
        let geometry = self.solver.geometry();
        let at = at.min(self.steps.len());
        let state = &self.states[at];
        let line = crate::grid::draw::puzzle_line(geometry, self.states.get(at + 1).unwrap_or(state));
        match self.steps.get(at) {
            Some(step) => StepRecord {
                at,
                head: pieces(&headline(geometry, step)),
                told: html(&explained(geometry, step, 2)),
                technique: Some(step.technique.clone()),
                single: is_single(geometry, state, step),
                end: false,
                picture: Drawn::new(geometry, &Scene::of_step(geometry, state, step)),
                line,
            },
            None => StepRecord {
                at,
                head: self.ended(state),
                told: String::new(),
                technique: None,
                single: false,
                end: true,
                picture: Drawn::new(geometry, &Scene::of_state(state.clone())),
                line,
            },
        }
    }

    fn ended(&self, state: &State) -> String {
        let steps = counted(self.steps.len(), "step");
        match state.contradiction(self.solver.geometry()) {
            Some(found) => format!("A contradiction: {}.", contradiction_words(self.solver.geometry(), found)),
            None if state.is_solved() => format!("Solved after {steps}."),
            None => format!("Stuck after {steps}: no technique finds anything more."),
        }
    }

    /// The first match of a rule of the text that is not refuted.
    fn first(&self, subject: &Subject, state: &State) -> Option<Step> {
        let steps = subject.matches(state, &Limits::default()).0.into_iter().map(|seen| seen.step);
        let marked = |step: Step| {
            let soundness = self.known.of(&subject.techniques[0], (&step.member.args, step.member.variant));
            Step { soundness, ..step }
        };
        steps.map(marked).find(|step| step.soundness != Soundness::Refuted)
    }

    /// Goes on by a step; whether there is one.
    fn walk(&mut self) -> bool {
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
