//! Lines of a rule. In: the lines that choose and require, that conclude, and the texts that name a step. Out: the body of a variant,
//! claims about candidates, templates whose placeholders are filled by parameters, names and expressions that exist.

use super::names::{Lowering, MentionPlace, NameRole};
use super::value::{Shape, TypedExpr, has_set_operation};
use super::{ErrorReported, LowerResult};
use crate::lang::ast::{
    Each, Expr as Written, Ident, Noun, Raw, Span, Statement as Line, StatementKind, Text, TextPart,
};
use crate::lang::codes::{KindProblem, NameProblem, Problem, RuleProblem};
use crate::lang::ir::{
    Claim, Conclusion, Condition, Expr, Graph, Join, Kind, Statement, Template, TemplatePart, VarId,
};
use crate::lang::words;

impl Lowering<'_> {
    /// Checks a line; lines that conclude or name are left alone.
    pub fn statement(&mut self, line: &Line, out: &mut Vec<Statement>) -> LowerResult<()> {
        self.place = MentionPlace::Pattern;
        match &line.kind {
            StatementKind::Binding(binding) => self.binding(binding, out),
            StatementKind::Let(name, noun) => self.define(name, noun, out).map(drop),
            StatementKind::Guardians(name, noun) => self.guardians(name, noun, out),
            StatementKind::Require(condition, each) => {
                match self.repeated(condition, each)? {
                    // `require A and B` means the same as two lines, so it is split.
                    Condition::And(parts) if each.is_empty() => out.extend(parts.into_iter().map(Statement::Require)),
                    condition => out.push(Statement::Require(condition)),
                }
                Ok(())
            }
            StatementKind::Trail(trail) => self.trail(trail, &line.span).map(|trail| out.push(Statement::Trail(trail))),
            StatementKind::Suppose(written) => self.suppose(written, out),
            StatementKind::Chain(written) => add_graph(self.chain(written), out),
            StatementKind::Loop(written) => add_graph(self.loop_(written), out),
            StatementKind::Cluster(written) => add_graph(self.cluster(written), out),
            StatementKind::Ring(written) => add_graph(self.ring(written), out),
            _ => Ok(()),
        }
    }

    /// Lowers `let` and `guardians`; returns the name and its value.
    fn define(&mut self, name: &Ident, noun: &Noun, out: &mut Vec<Statement>) -> LowerResult<(VarId, TypedExpr)> {
        let value = self.defined(noun)?;
        let var = self.introduced(name)?;
        self.symbols[var.0].kind.ok_or(ErrorReported)?;
        out.push(Statement::Let { var, value: value.expr.clone() });
        Ok((var, value))
    }

    /// Lowers the value of a `let`. `-` and `&` between houses give cells.
    pub fn defined(&mut self, noun: &Noun) -> LowerResult<TypedExpr> {
        let value = self.noun(noun)?;
        match value.as_cells(false) {
            Some(cells) if value.is_house() && has_set_operation(&value.expr) => {
                Ok(TypedExpr { expr: cells, kind: Kind::Cell, ..value })
            }
            _ => Ok(value),
        }
    }

    /// `guardians fins = d in base - cover`
    fn guardians(&mut self, name: &Ident, noun: &Noun, out: &mut Vec<Statement>) -> LowerResult<()> {
        let (var, value) = self.define(name, noun, out)?;
        if value.kind != Kind::Candidate {
            return self.fail(KindProblem::NoGuardians { what: value.what() }.at(&value.span));
        }
        self.symbols[var.0].in_pattern = true;
        self.guardians.push(var);
        Ok(())
    }

    /// `one step per A, B`
    pub fn merge_key(&mut self, names: &[Ident]) -> LowerResult<Vec<VarId>> {
        self.place = MentionPlace::Text;
        let mut out: Vec<VarId> = Vec::new();
        let checked = self.each_of(names, |rule, name| {
            let id = rule.mentioned(name)?;
            if out.contains(&id) {
                return rule.fail(KindProblem::TwiceInList.at(&name.span));
            }
            out.push(id);
            if rule.symbols[id.0].role == NameRole::Literal {
                // A literal is two names, and both belong to the key.
                out.push(rule.literal(id).fails);
            }
            Ok(())
        });
        checked.map(|_| out)
    }

    /// `join other(n) by d, base`
    pub fn join_of(&mut self, id: &Ident, members: &[Written], by: &[Ident]) -> LowerResult<Join> {
        let args = self.each_of(members, |rule, member| {
            let value = rule.expr(member)?;
            let number = rule.number_of(&value, "the member of a family")?;
            if matches!(number, Expr::Number(_) | Expr::Param(_)) {
                return Ok(number);
            }
            rule.fail(KindProblem::ComputedMember.at(&member.span))
        })?;
        let by = by.iter().map(|name| name.name.clone()).collect();
        Ok(Join { technique: id.name.clone(), args, by })
    }
}

fn add_graph(graph: LowerResult<Graph>, out: &mut Vec<Statement>) -> LowerResult<()> {
    graph.map(|graph| out.push(Statement::Graph(graph)))
}

impl Lowering<'_> {
    /// Checks a concluding line; `None` for other lines.
    pub fn conclusion(&mut self, line: &Line) -> Option<LowerResult<Vec<Conclusion>>> {
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

    fn claim(&mut self, each: &[Each], claim: impl FnOnce(&mut Self) -> LowerResult<Claim>) -> LowerResult<Conclusion> {
        if let [first, second, ..] = each {
            return self.fail(RuleProblem::SecondFor.at_both(&second.span, &first.span));
        }
        let for_each = each.first().map(|each| self.each(each, &[Kind::Digit])).transpose();
        let index = each.first().and_then(|each| self.index_at(&each.index.span));
        let claim = self.in_loop(index, claim);
        Ok(Conclusion { for_each: for_each?, claim: claim? })
    }

    fn candidates_in(&mut self, noun: &Noun, word: &str) -> LowerResult<Expr> {
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
    pub fn source_hint(&self, value: &TypedExpr) -> String {
        match &value.expr {
            Expr::Var(id) => self.symbols.get(id.0).map_or("…", |symbol| &symbol.name).to_owned(),
            _ => "…".to_owned(),
        }
    }

    /// `eliminate D from C`
    fn from(&mut self, digits: &Noun, cells: &Noun) -> LowerResult<Expr> {
        let (digits, cells) = (self.noun(digits), self.noun(cells));
        let (digits, cells) = (digits?, cells?);
        if digits.kind == Kind::Candidate {
            return self.fail(KindProblem::CandidatesFrom.at_both(&digits.span, &cells.span));
        }
        let span = digits.span.start..cells.span.end;
        let cells = match cells.kind {
            Kind::Candidate => TypedExpr {
                expr: self.cells_of(&cells, true, "the place")?,
                kind: Kind::Cell,
                shape: Shape::Many,
                ..cells
            },
            _ => cells,
        };
        self.digits_in(digits, &cells, span).map(|value| value.expr)
    }
}

/// Kind of text, which decides what placeholders may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextUse {
    /// The name of a technique or of a case: parameters.
    Title,
    /// The text of `called`, and the names of joins and views. Allowed: parameters, and `{name}`, the title so far.
    Called,
    /// `says` and `because`: everything.
    Sentence,
}

impl Lowering<'_> {
    pub fn template(&mut self, text: &Text, purpose: TextUse) -> LowerResult<Template> {
        self.place = MentionPlace::Text;
        let parts = self.each_of(&text.parts, |rule, part| rule.part(part, purpose))?;
        Ok(Template { parts })
    }

    fn part(&mut self, part: &TextPart, purpose: TextUse) -> LowerResult<TemplatePart> {
        match part {
            TextPart::Plain(raw) => Ok(TemplatePart::Text(raw.text.clone())),
            TextPart::WordChoice { span, param, words, otherwise } => {
                self.words(span, param, words, otherwise.as_ref(), purpose)
            }
            TextPart::Placeholder { span, value } => self.placeholder(span, value, purpose),
        }
    }

    fn param(&self, name: &str) -> Option<usize> {
        self.params.iter().position(|param| param.name.name == name)
    }

    fn placeholder(&mut self, span: &Span, value: &Noun, purpose: TextUse) -> LowerResult<TemplatePart> {
        let name = match value.elements.as_slice() {
            [only] => only.as_name(),
            _ => None,
        };
        if let Some(at) = name.and_then(|name| self.param(&name.name)) {
            self.params_used[at] = true;
            return Ok(TemplatePart::Param(at));
        }
        match (purpose, name) {
            (TextUse::Called, Some(name)) if name.name == "name" => Ok(TemplatePart::Name),
            (TextUse::Sentence, _) => {
                let value = self.noun(value)?;
                Ok(match value.expr {
                    Expr::Var(id) => TemplatePart::Var(id),
                    expr => TemplatePart::Value(expr),
                })
            }
            (_, Some(name)) => self.unknown_param(name, purpose),
            (_, None) => self.fail(NameProblem::NotAParameter.at(span)),
        }
    }

    fn unknown_param<T>(&mut self, name: &Ident, purpose: TextUse) -> LowerResult<T> {
        let mut known: Vec<&str> = self.params.iter().map(|param| param.name.name.as_str()).collect();
        if purpose == TextUse::Called {
            known.push("name");
        }
        let near = words::nearest(&name.name, known);
        let declared = self.find(&name.name).is_some();
        self.fail(NameProblem::UnknownParameter { name: name.name.clone(), near, declared }.at(&name.span))
    }

    /// `{n: Pair, Triple, else Set of {n}}`
    fn words(
        &mut self,
        span: &Span,
        param: &Ident,
        words: &[Raw],
        otherwise: Option<&Text>,
        purpose: TextUse,
    ) -> LowerResult<TemplatePart> {
        let Some(at) = self.param(&param.name) else { return self.unknown_param(param, purpose) };
        self.params_used[at] = true;
        let rest = otherwise.map(|text| self.template(text, purpose)).transpose()?;
        let declared = &self.params[at];
        let (low, high, place) = (declared.low, declared.high, declared.span.clone());
        let (name, count) = (param.name.clone(), words.len() as u32);
        let problem = match (high.map(|high| high.saturating_sub(low).saturating_add(1)), &rest) {
            (None, None) => Some(RuleProblem::WordsForOpenRange { name }),
            (Some(wanted), None) if wanted != count => {
                Some(RuleProblem::WordsMismatch { name, words: count, wanted, low, last: low + wanted - 1 })
            }
            (Some(wanted), Some(_)) if wanted <= count => Some(RuleProblem::ElseUnused { words: count, wanted }),
            _ => None,
        };
        if let Some(problem) = problem {
            return self.fail(problem.at_both(span, &place));
        }
        let words = words.iter().map(|word| word.text.clone()).collect();
        Ok(TemplatePart::WordChoice { param: at, words, otherwise: rest })
    }
}
