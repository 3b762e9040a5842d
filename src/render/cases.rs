//! Cases under suppositions as text: a tree that reads downwards. In: a step with cases. Out: for each supposition its inferences, one a
//! line, and its end; then the conclusion from all cases. A step inside a case may have a tree of its own below it.

use super::line::{Line, Role};
use super::names::{Names, list};
use super::text::StepWords;
use crate::engine::CaseEnd;
use crate::grid::Candidate;
use crate::solve::{CaseStep, InnerStep};

/// Columns of one level of the tree.
const INDENT: usize = 2;

impl<'a> StepWords<'a> {
    /// Writes the cases of a step and its conclusion; nothing if it has no cases.
    pub fn cases(self, indent: usize) -> Vec<Line> {
        if self.step.cases.is_empty() {
            return Vec::new();
        }
        let mut lines = Vec::new();
        for (supposed, cases) in self.cases_by_supposition() {
            let words = format!("Suppose {}.", self.names.literal(supposed));
            lines.push(Line::indent(indent).and(Role::Quiet, words));
            lines.extend(cases.into_iter().flat_map(|case| self.case(case, indent + INDENT)));
        }
        lines.push(Line::indent(indent).and(Role::Quiet, self.conclusion()));
        lines
    }

    /// Returns the cases under each supposition. A step of several matches may have a supposition more than once, and perhaps with the
    /// same contradiction, which is listed once.
    fn cases_by_supposition(self) -> Vec<((Candidate, bool), Vec<&'a CaseStep>)> {
        let mut out: Vec<((Candidate, bool), Vec<&CaseStep>)> = Vec::new();
        for case in &self.step.cases {
            match out.iter_mut().find(|(supposed, _)| *supposed == case.supposed) {
                Some((_, known)) if !known.contains(&case) => known.push(case),
                Some(_) => {}
                None => out.push((case.supposed, vec![case])),
            }
        }
        out
    }

    fn case(self, case: &CaseStep, indent: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        for inner in &case.inferences {
            let line = Line::indent(indent);
            match inner {
                InnerStep::Step(step) => {
                    let inner = StepWords { names: self.names, step: step.as_ref() };
                    lines.push(line.join(inner.headline()));
                    lines.extend(inner.cases(indent + INDENT));
                }
                InnerStep::Links { chain, .. } => {
                    let end = format!(": {}", self.names.chain_end(chain));
                    lines.push(line.and(Role::Pattern, self.names.chain(chain)).and(Role::Quiet, end));
                }
                InnerStep::Naked(..) | InnerStep::Hidden(..) => {
                    lines.push(line.and(Role::Quiet, self.names.inference(inner)));
                }
            }
        }
        if !ends_with_its_conclusion(case) {
            lines.push(Line::indent(indent).and(Role::Quiet, self.names.case_end(case)));
        }
        lines
    }

    /// Writes the conclusion from all cases: `So r4c5 is not 3.`, `In every case r2c2 = 5.`
    pub fn conclusion(self) -> String {
        let (placements, eliminations) = (&self.step.placements, &self.step.eliminations);
        let shown: Vec<String> = match placements.len() + eliminations.len() {
            0..=4 => {
                let placed = placements.iter().map(|&one| (one, true));
                let literals = placed.chain(eliminations.iter().map(|&one| (one, false)));
                literals.map(|literal| self.names.literal(literal)).collect()
            }
            _ => vec![self.names.deductions(eliminations, placements)],
        };
        let groups = self.cases_by_supposition();
        let contradictory = groups.iter().filter(|(_, cases)| cases.iter().all(|case| case.is_contradiction())).count();
        let opening = match groups.len() - contradictory {
            0 => "So",
            1 if groups.len() > 1 => "In the remaining case",
            1 => "So",
            _ if contradictory > 0 => "In every remaining case",
            2 if groups[0].0.0 == groups[1].0.0 => "In both cases",
            _ => "In every case",
        };
        format!("{opening} {}.", list(&shown, "and"))
    }
}

/// Returns true if the last inference of a case already states its conclusion.
fn ends_with_its_conclusion(case: &CaseStep) -> bool {
    let CaseEnd::Shows(candidate, holds) = case.end else { return false };
    match case.inferences.last() {
        Some(InnerStep::Naked(one, _) | InnerStep::Hidden(one, ..)) => (*one, true) == (candidate, holds),
        Some(InnerStep::Links { chain, .. }) => {
            chain.last().is_some_and(|last| last.strong == holds && last.node.only() == Some(candidate))
        }
        Some(InnerStep::Step(_)) | None => false,
    }
}

impl Names<'_> {
    /// Writes an inference in one line.
    pub fn inference(self, inner: &InnerStep) -> String {
        match inner {
            InnerStep::Naked(one, why) => {
                format!("{}: nothing else is left there{}", self.literal((*one, true)), self.since(why))
            }
            InnerStep::Hidden(one, house, why) => {
                let (placed, house) = (self.literal((*one, true)), self.house(*house));
                format!("{placed}: the last place for {} in {house}{}", one.digit, self.since(why))
            }
            InnerStep::Links { chain, .. } => format!("{}: {}", self.chain(chain), self.chain_end(chain)),
            InnerStep::Step(step) => StepWords { names: self, step: step.as_ref() }.headline().to_string(),
        }
    }

    /// Writes earlier literals as a reason: `, since r4c5 = 3 and r4c67<>2`.
    fn since(self, why: &[(Candidate, bool)]) -> String {
        let mut words: Vec<String> =
            why.iter().filter(|(_, holds)| *holds).map(|&literal| self.literal(literal)).collect();
        let eliminated: Vec<Candidate> = why.iter().filter(|(_, holds)| !holds).map(|(one, _)| *one).collect();
        if !eliminated.is_empty() {
            words.push(self.deductions(&eliminated, &[]).replace(' ', ", "));
        }
        if words.is_empty() { String::new() } else { format!(", since {}", list(&words, "and")) }
    }

    /// Writes the end of a case in one line.
    pub fn case_end(self, case: &CaseStep) -> String {
        let since = self.since(&case.since);
        match &case.end {
            CaseEnd::Shows(candidate, holds) if (*candidate, *holds) == case.supposed => {
                format!("{}: this is the supposition", self.literal(case.supposed))
            }
            CaseEnd::Shows(candidate, holds) => format!("so {}{since}", self.literal((*candidate, *holds))),
            CaseEnd::EmptyCell(cell) => format!("{} has no candidate left{since}: a contradiction", self.cell(*cell)),
            CaseEnd::EmptyHouse(house, digit) => {
                format!("{} has no place left for {digit}{since}: a contradiction", self.house(*house))
            }
            CaseEnd::Both(node) => format!("{} would be both true and false: a contradiction", self.node(node)),
        }
    }
}
