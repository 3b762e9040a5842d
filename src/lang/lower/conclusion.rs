//! Conclusions. In: `eliminate`, `place`, `conclude some`. Out: claims about candidates.

use super::Checked;
use super::names::{Place, Rule};
use super::value::{Shape, Value};
use crate::lang::ast::{Each, Noun, Statement as Line, StatementKind};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Claim, Conclusion, Expr, Kind};

impl Rule<'_> {
    /// Checks a concluding line; `None` for other lines.
    pub fn conclusion(&mut self, line: &Line) -> Option<Checked<Vec<Conclusion>>> {
        self.place = Place::Conclusion;
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
            let message = "this conclusion names nothing of the pattern";
            let help = "a conclusion uses names that other lines choose";
            return Some(
                self.fail(Diagnostic::error("E0402", line.span.clone(), message, "true of every grid").help(help)),
            );
        }
        Some(checked.map(|one| vec![one]))
    }

    fn claim(&mut self, each: &[Each], claim: impl FnOnce(&mut Self) -> Checked<Claim>) -> Checked<Conclusion> {
        if let [first, second, ..] = each {
            let message = "a conclusion is repeated by one `for`";
            let help = "join the sets: `conclude some d in A for d in digits(A)` is about one digit at a time";
            let diagnostic = Diagnostic::error("E0413", second.span.clone(), message, "a second `for`");
            return self.fail(diagnostic.label(first.span.clone(), "the first").help(help));
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
        let message = format!("`{word}` is about candidates; this is {}", value.what());
        let text = self.source_hint(&value);
        let help = match (word, value.kind) {
            ("eliminate", Kind::Digit) => format!("say from where: `eliminate {text} from …`"),
            (_, Kind::Digit) => format!("say where: `{word} {text} in …`"),
            _ => format!("say which digit: `{word} d in {text}`"),
        };
        self.fail(Diagnostic::error("E0302", value.span.clone(), message, value.what()).help(help))
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
            let message = "these candidates have a place already, so `from` says nothing";
            let help = "write `eliminate d from A`, or `eliminate d in A`";
            return self.fail(
                Diagnostic::error("E0302", digits.span.clone(), message, "candidates")
                    .label(cells.span, "a second place")
                    .help(help),
            );
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
