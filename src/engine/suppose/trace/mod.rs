//! What follows from a supposed literal, with reasons. In: what a [`Tracer`] draws. Out: for everything that became true or false
//! the inferences that it needs.

mod tracer;

use super::board::Marked;
use super::literal::Literal;
use crate::engine::matches::{Case, CaseEnd, Inference, LimitHit};
use std::ops::Range;
pub(super) use tracer::Tracer;

/// Steps, the last first.
type Needs = Vec<u16>;

/// Of a candidate that no step changed.
const NONE: u16 = u16::MAX;

/// An inference that was drawn.
struct Made {
    /// `None` is the supposition itself.
    inference: Option<Inference>,
    /// Where the steps are that it rests on at first hand, some more than once; of singles where they were asked for.
    reasons: Range<usize>,
    /// How many inferences it is made of.
    count: u32,
}

/// Everything that was drawn from one literal.
pub(super) struct Trace<const W: usize> {
    pub now: Marked<W>,
    supposed: Literal,
    made: Vec<Made>,
    /// The steps that others rest on, one after the other.
    reasons: Vec<u16>,
    cell_count: usize,
    /// For each candidate (digit × cells + cell) the step that made it false.
    gone: Vec<u16>,
    /// The step that made it true.
    put: Vec<u16>,
    end: Option<(CaseEnd, Needs)>,
    /// Whether there may be more to infer.
    pub unfinished: bool,
    /// Limits that cut it short.
    pub limits: Vec<LimitHit>,
}

impl<const W: usize> Trace<W> {
    /// Whether it comes to a contradiction.
    pub fn refuted(&self) -> bool {
        self.end.is_some()
    }

    /// What an end needs: `None` is the contradiction.
    fn needs(&self, shows: Option<Literal>) -> Needs {
        let Some((candidate, holds)) = shows else {
            return self.end.as_ref().map(|(_, needs)| needs.clone()).unwrap_or_default();
        };
        let number = candidate.digit.index() * self.cell_count + candidate.cell.index();
        let step = if holds { self.put[number] } else { self.gone[number] };
        self.behind(&[step])
    }

    /// All steps that some rest on, and these.
    fn behind(&self, steps: &[u16]) -> Needs {
        let mut needed = vec![false; self.made.len()];
        let mut needs = Needs::with_capacity(self.made.len());
        // What a step rests on comes before it.
        let known = steps.iter().map(|&step| usize::from(step)).filter(|&step| step < self.made.len());
        let last = known.inspect(|&step| needed[step] = true).max();
        for step in last.into_iter().flat_map(|last| (0..=last).rev()) {
            if needed[step] {
                needs.push(step as u16);
                self.reasons_of(step).iter().for_each(|&reason| needed[usize::from(reason)] = true);
            }
        }
        needs
    }

    fn reasons_of(&self, step: usize) -> &[u16] {
        &self.reasons[self.made[step].reasons.clone()]
    }

    /// How many inferences an end needs.
    pub fn count(&self, shows: Option<Literal>) -> u32 {
        self.size(&self.needs(shows))
    }

    fn size(&self, needs: &Needs) -> u32 {
        needs.iter().map(|&step| self.made[usize::from(step)].count).sum()
    }

    /// The inferences that an end needs, in order.
    pub fn case(&self, shows: Option<Literal>) -> Case {
        let needs = self.needs(shows).into_iter().rev();
        let inferences = needs.filter_map(|step| self.made[usize::from(step)].inference.clone()).collect();
        let end = match (shows, &self.end) {
            (Some((candidate, holds)), _) => CaseEnd::Shows(candidate, holds),
            (None, Some((end, _))) => end.clone(),
            (None, None) => CaseEnd::Shows(self.supposed.0, self.supposed.1),
        };
        Case { supposed: self.supposed, inferences, end, known_length: None }
    }
}
