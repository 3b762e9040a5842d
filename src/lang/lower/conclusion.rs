//! Conclusions. In: `eliminate`, `place`, `conclude some`. Out: claims about candidates.

use super::Checked;
use super::names::{MentionPlace, Rule};
use super::value::{Shape, Value};
use crate::lang::ast::{Each, Noun, Statement as Line, StatementKind};
use crate::lang::codes::{KindProblem, Problem, RuleProblem};
use crate::lang::ir::{Claim, Conclusion, Expr, Kind};

impl Rule<'_> {
    /// Checks a concluding line; `None` for other lines.
    pub fn conclusion(&mut self, line: &Line) -> Option<Checked<Vec<Conclusion>>> {
        self.place = MentionPlace::Conclusion;
        self.mentions = 0;
        let checked = match &line.kind {
            StatementKind::Conclude(noun, each) => {
                self.claim(each, |rule| rule.candidates_in(noun, "conclude some").map(Claim::Some))
            }
            StatementKind::Place(noun, each) => {
                self.claim(each, |rule| rule.candidates_in(noun, "place").map(Claim::Place))
            }
            StatementKind::Eliminate(noun, None, each) => {
                self.claim(each, |rule| rule.candidates_in(noun, "eliminate").map(Claim::Eliminate))
            }
            StatementKind::Eliminate(noun, Some(from), each) => {
                self.claim(each, |rule| rule.from(noun, from).map(Claim::Eliminate))
            }
            StatementKind::ConcludeLinks(name, outside) => {
                return Some(self.every_link(name, *outside).map(|one| vec![one]));
            }
            StatementKind::ConcludeLiteral(not, name) => return Some(self.conclude_literal(not.is_some(), name)),
            _ => return None,
        };
        if checked.is_ok() && self.mentions == 0 {
            return Some(self.fail(RuleProblem::ConclusionOfNothing.at(&line.span)));
        }
        Some(checked.map(|one| vec![one]))
    }

    fn claim(&mut self, each: &[Each], claim: impl FnOnce(&mut Self) -> Checked<Claim>) -> Checked<Conclusion> {
        if let [first, second, ..] = each {
            return self.fail(RuleProblem::SecondFor.at_both(&second.span, &first.span));
        }
        let per = each.first().map(|each| self.each(each, &[Kind::Digit])).transpose();
        let index = each.first().and_then(|each| self.index_at(&each.index.span));
        let claim = self.in_loop(index, claim);
        Ok(Conclusion { per: per?, claim: claim? })
    }

    fn candidates_in(&mut self, noun: &Noun, word: &str) -> Checked<Expr> {
        self.no_literal(noun)?;
        let value = self.noun(noun)?;
        if value.kind == Kind::Candidate {
            return Ok(value.expr);
        }
        let (text, digits) = (self.source_hint(&value), value.kind == Kind::Digit);
        let problem = KindProblem::ClaimOfOther { word: word.to_owned(), what: value.what(), text, digits };
        self.fail(problem.at(&value.span))
    }

    /// A short name for a value in advice.
    fn source_hint(&self, value: &Value) -> String {
        match &value.expr {
            Expr::Var(id) => self.symbols[id.0].name.clone(),
            _ => "…".to_owned(),
        }
    }

    /// `eliminate D from C`
    fn from(&mut self, digits: &Noun, cells: &Noun) -> Checked<Expr> {
        let (digits, cells) = (self.noun(digits), self.noun(cells));
        let (digits, cells) = (digits?, cells?);
        if digits.kind == Kind::Candidate {
            return self.fail(KindProblem::CandidatesFrom.at_both(&digits.span, &cells.span));
        }
        let span = digits.span.start..cells.span.end;
        let cells = match cells.kind {
            Kind::Candidate => {
                Value { expr: self.cells_of(&cells, true, "the place")?, kind: Kind::Cell, shape: Shape::Many, ..cells }
            }
            _ => cells,
        };
        self.digits_in(digits, &cells, span).map(|value| value.expr)
    }
}
