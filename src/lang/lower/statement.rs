//! Lowers the lines of a rule. Bindings and requirements become statements, conclusions become claims, and texts become
//! templates.

use super::names::{Lowering, MentionPlace, NameRole};
use super::typed_expr::{Shape, TypedExpr, has_difference_or_intersection};
use super::{ErrorReported, LowerResult};
use crate::lang::ast::{self, ForClause, Ident, RawText, Span, StatementKind, TermList, Text, TextPart};
use crate::lang::codes::{KindProblem, NameProblem, Problem, RuleProblem};
use crate::lang::ir::{Claim, Conclusion, Condition, Expr, Join, Kind, Statement, Template, TemplatePart, VarId};
use crate::lang::words;

impl Lowering<'_> {
    /// Appends the statements of a line to `statements`. Conclusions and texts have no statements.
    pub fn statement(&mut self, line: &ast::Statement, statements: &mut Vec<Statement>) -> LowerResult<()> {
        self.mention_place = MentionPlace::Pattern;
        let statement = match &line.kind {
            StatementKind::Binding(binding) => return self.binding(binding, statements),
            StatementKind::Suppose(suppose) => return self.suppose(suppose, statements),
            StatementKind::Require(condition, clauses) => {
                let condition = self.quantified(condition, clauses)?;
                match condition {
                    // `require A and B` means the same as two lines, so it is split.
                    Condition::And(parts) if clauses.is_empty() => {
                        statements.extend(parts.into_iter().map(Statement::Require));
                        return Ok(());
                    }
                    condition => Statement::Require(condition),
                }
            }
            StatementKind::Let(name, value) => {
                let (var, value) = self.definition(name, value)?;
                Statement::Let { var, value: value.expr }
            }
            StatementKind::Guardians(name, value) => {
                let (var, value) = self.definition(name, value)?;
                if value.kind != Kind::Candidate {
                    return self.fail(KindProblem::NoGuardians { actual: value.description() }.at(&value.span));
                }
                self.symbols[var.0].mentions.insert(MentionPlace::Pattern);
                self.guardians.push(var);
                Statement::Let { var, value: value.expr }
            }
            StatementKind::FixedChain(chain) => Statement::FixedChain(self.fixed_chain(chain, &line.span)?),
            StatementKind::Chain(chain) => Statement::Graph(self.chain(chain)?),
            StatementKind::Loop(pattern) => Statement::Graph(self.loop_pattern(pattern)?),
            StatementKind::Cluster(pattern) => Statement::Graph(self.cluster(pattern)?),
            StatementKind::Ring(pattern) => Statement::Graph(self.ring(pattern)?),
            _ => return Ok(()),
        };
        statements.push(statement);
        Ok(())
    }

    /// Lowers `let` and `guardians`; returns the name and its value.
    fn definition(&mut self, name: &Ident, value: &TermList) -> LowerResult<(VarId, TypedExpr)> {
        let value = self.let_value(value)?;
        let var = self.declared_var(name)?;
        if self.symbols[var.0].kind.is_none() {
            return Err(ErrorReported);
        }
        Ok((var, value))
    }

    /// Lowers the value of a `let`. For `-` and `&` between houses, the value is a set of cells.
    pub fn let_value(&mut self, value: &TermList) -> LowerResult<TypedExpr> {
        let value = self.term_list(value)?;
        match value.cells() {
            Some(cells) if value.is_house() && has_difference_or_intersection(&value.expr) => {
                Ok(TypedExpr { expr: cells, kind: Kind::Cell, ..value })
            }
            _ => Ok(value),
        }
    }

    /// Lowers the names of `one step per A, B`.
    pub fn merge_key(&mut self, names: &[Ident]) -> LowerResult<Vec<VarId>> {
        self.mention_place = MentionPlace::Text;
        let mut key: Vec<VarId> = Vec::new();
        self.check_all(names, |lowering, name| {
            let id = lowering.mentioned_var(name)?;
            if key.contains(&id) {
                return lowering.fail(KindProblem::TwiceInList.at(&name.span));
            }
            key.push(id);
            if lowering.symbols[id.0].role == NameRole::Literal {
                // A literal consists of two variables, and both variables belong to the key.
                key.push(lowering.literal(id).fails);
            }
            Ok(())
        })?;
        Ok(key)
    }

    /// Lowers `join other(n) by d, base`.
    pub fn join_line(&mut self, id: &Ident, args: &[ast::Expr], by: &[Ident]) -> LowerResult<Join> {
        let args = self.check_all(args, |lowering, arg| {
            let value = lowering.expr(arg)?;
            let number = lowering.require_number(&value, "an argument of `join`")?;
            if matches!(number, Expr::Number(_) | Expr::Param(_)) {
                return Ok(number);
            }
            lowering.fail(KindProblem::ComputedJoinArgument.at(&arg.span))
        })?;
        let by = by.iter().map(|name| name.name.clone()).collect();
        Ok(Join { technique: id.name.clone(), args, by })
    }

    /// Lowers a line that concludes; `None` for other lines.
    pub fn conclusion(&mut self, line: &ast::Statement) -> Option<LowerResult<Vec<Conclusion>>> {
        self.mention_place = MentionPlace::Conclusion;
        self.mention_count = 0;
        let conclusion = match &line.kind {
            StatementKind::Conclude(terms, clauses) => {
                self.claim(clauses, |lowering| lowering.claimed_candidates(terms, "conclude some").map(Claim::SomeTrue))
            }
            StatementKind::Place(terms, clauses) => {
                self.claim(clauses, |lowering| lowering.claimed_candidates(terms, "place").map(Claim::Place))
            }
            StatementKind::Eliminate(terms, None, clauses) => {
                self.claim(clauses, |lowering| lowering.claimed_candidates(terms, "eliminate").map(Claim::Eliminate))
            }
            StatementKind::Eliminate(digits, Some(cells), clauses) => {
                self.claim(clauses, |lowering| lowering.eliminate_from(digits, cells).map(Claim::Eliminate))
            }
            StatementKind::ConcludeLinks(name, outside) => {
                return Some(self.every_link(name, *outside).map(|conclusion| vec![conclusion]));
            }
            StatementKind::ConcludeLiteral(not, name) => return Some(self.conclude_literal(not.is_some(), name)),
            _ => return None,
        };
        if conclusion.is_ok() && self.mention_count == 0 {
            return Some(self.fail(RuleProblem::ConclusionOfNothing.at(&line.span)));
        }
        Some(conclusion.map(|conclusion| vec![conclusion]))
    }

    /// Lowers a claim and its `for` clause. The claim is checked even if the clause has an error.
    fn claim(
        &mut self,
        clauses: &[ForClause],
        lower: impl FnOnce(&mut Self) -> LowerResult<Claim>,
    ) -> LowerResult<Conclusion> {
        if let [first, second, ..] = clauses {
            return self.fail(RuleProblem::SecondFor.at_both(&second.span, &first.span));
        }
        let for_each = clauses.first().map(|clause| self.for_clause(clause, &[Kind::Digit])).transpose();
        let loop_var = clauses.first().and_then(|clause| self.loop_var_at(&clause.loop_var.span).ok());
        let claim = self.in_loop(loop_var, lower);
        Ok(Conclusion { for_each: for_each?, claim: claim? })
    }

    fn claimed_candidates(&mut self, terms: &TermList, word: &'static str) -> LowerResult<Expr> {
        self.refuse_literals(terms)?;
        let value = self.term_list(terms)?;
        if value.kind == Kind::Candidate {
            return Ok(value.expr);
        }
        let name = self.name_or_ellipsis(&value);
        let is_digits = value.kind == Kind::Digit;
        let problem = KindProblem::ClaimWithoutCandidates { word, actual: value.description(), name, is_digits };
        self.fail(problem.at(&value.span))
    }

    /// Returns the name of a value for advice, or `…` for a value without a name.
    pub fn name_or_ellipsis(&self, value: &TypedExpr) -> String {
        let symbol = value.expr.as_var().and_then(|id| self.symbols.get(id.0));
        symbol.map_or("…", |symbol| &symbol.name).to_owned()
    }

    /// Lowers `eliminate D from C`.
    fn eliminate_from(&mut self, digits: &TermList, cells: &TermList) -> LowerResult<Expr> {
        let (digits, cells) = (self.term_list(digits), self.term_list(cells));
        let (digits, mut cells) = (digits?, cells?);
        if digits.kind == Kind::Candidate {
            return self.fail(KindProblem::CandidatesFrom.at_both(&digits.span, &cells.span));
        }
        let span = digits.span.start..cells.span.end;
        if cells.kind == Kind::Candidate {
            let expr = self.require_cells_or_candidates(&cells, "the place")?;
            cells = TypedExpr { expr, kind: Kind::Cell, shape: Shape::Set, ..cells };
        }
        self.digits_in(digits, &cells, span).map(|value| value.expr)
    }
}

/// The use of a text, which determines the allowed placeholders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextUse {
    /// The title of a technique or of a case. Allowed: parameters.
    Title,
    /// The text of `called`, and the titles of joins and views. Allowed: parameters, and `{name}` for the title that
    /// the step would have without this text.
    Called,
    /// The text of `says` or `because`. Allowed: any expression.
    Sentence,
}

impl Lowering<'_> {
    pub fn template(&mut self, text: &Text, text_use: TextUse) -> LowerResult<Template> {
        self.mention_place = MentionPlace::Text;
        let parts = self.check_all(&text.parts, |lowering, part| lowering.template_part(part, text_use))?;
        Ok(Template { parts })
    }

    fn template_part(&mut self, part: &TextPart, text_use: TextUse) -> LowerResult<TemplatePart> {
        match part {
            TextPart::Plain(text) => Ok(TemplatePart::Text(text.text.clone())),
            TextPart::WordChoice { span, param, words, otherwise } => {
                self.word_choice(span, param, words, otherwise.as_ref(), text_use)
            }
            TextPart::Placeholder { span, value } => self.placeholder(span, value, text_use),
        }
    }

    /// Finds a parameter and counts its use.
    fn used_param(&mut self, name: &str) -> Option<usize> {
        let index = self.params.iter().position(|param| param.name.name == name)?;
        self.params_used[index] = true;
        Some(index)
    }

    fn placeholder(&mut self, span: &Span, value: &TermList, text_use: TextUse) -> LowerResult<TemplatePart> {
        let name = match value.terms.as_slice() {
            [term] => term.as_name(),
            _ => None,
        };
        if let Some(index) = name.and_then(|name| self.used_param(&name.name)) {
            return Ok(TemplatePart::Param(index));
        }
        match (text_use, name) {
            (TextUse::Called, Some(name)) if name.name == "name" => Ok(TemplatePart::Name),
            (TextUse::Sentence, _) => {
                let value = self.term_list(value)?;
                Ok(match value.expr {
                    Expr::Var(id) => TemplatePart::Var(id),
                    expr => TemplatePart::Value(expr),
                })
            }
            (_, Some(name)) => self.fail_unknown_param(name, text_use),
            (_, None) => self.fail(NameProblem::NotAParameter.at(span)),
        }
    }

    fn fail_unknown_param<T>(&self, name: &Ident, text_use: TextUse) -> LowerResult<T> {
        let mut known: Vec<&str> = self.params.iter().map(|param| param.name.name.as_str()).collect();
        if text_use == TextUse::Called {
            known.push("name");
        }
        let near = words::nearest(&name.name, known);
        let is_declared = self.find(&name.name).is_some();
        self.fail(NameProblem::UnknownParameter { name: name.name.clone(), near, is_declared }.at(&name.span))
    }

    /// Lowers `{n: Pair, Triple, else Set of {n}}`. The text needs a word for each value of n, or `else`.
    fn word_choice(
        &mut self,
        span: &Span,
        param: &Ident,
        words: &[RawText],
        otherwise: Option<&Text>,
        text_use: TextUse,
    ) -> LowerResult<TemplatePart> {
        let Some(index) = self.used_param(&param.name) else { return self.fail_unknown_param(param, text_use) };
        let otherwise = otherwise.map(|text| self.template(text, text_use)).transpose()?;
        let declaration = &self.params[index];
        let low = declaration.low;
        let value_count = declaration.high.map(|high| high.saturating_sub(low).saturating_add(1));
        let (name, word_count) = (param.name.clone(), words.len() as u32);
        let problem = match (value_count, &otherwise) {
            (None, None) => Some(RuleProblem::WordsForOpenRange { name }),
            (Some(values), None) if values != word_count => {
                Some(RuleProblem::WordsMismatch { name, words: word_count, values, low, last: low + values - 1 })
            }
            (Some(values), Some(_)) if values <= word_count => {
                Some(RuleProblem::ElseUnused { words: word_count, values })
            }
            _ => None,
        };
        if let Some(problem) = problem {
            return self.fail(problem.at_both(span, &declaration.span));
        }
        let words = words.iter().map(|word| word.text.clone()).collect();
        Ok(TemplatePart::WordChoice { param: index, words, otherwise })
    }
}
