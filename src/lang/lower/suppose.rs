//! Lowers suppositions and the literals that they bind.

use super::declare::opposite_name;
use super::names::{Lowering, NameRole};
use super::rule_list::append_techniques;
use super::{ErrorReported, LowerResult};
use crate::lang::ast::{self, Binding, ChainUnit, Ident, Span, TermList};
use crate::lang::codes::{ChainProblem, KindProblem, Problem};
use crate::lang::ir::{
    CaseResult, Cases, Claim, Conclusion, Condition, InferenceMethods, Kind, Literal, RuleRef, Statement, Suppose,
    VarId, VarShape,
};
use crate::lang::words;

impl Lowering<'_> {
    pub fn suppose(&mut self, suppose: &ast::Suppose, statements: &mut Vec<Statement>) -> LowerResult<()> {
        let cases = self.cases(&suppose.cases);
        let methods = self.inference_methods(&suppose.methods, &suppose.span);
        let shows = match &suppose.shows {
            ast::CaseResult::Contradiction => Ok(CaseResult::Contradiction),
            ast::CaseResult::AllImply(not, name, without) => self.implied_literal(name, not.is_some()).map(|literal| {
                if without.is_some() {
                    CaseResult::AllImplyWithoutContradiction(literal)
                } else {
                    CaseResult::AllImply(literal)
                }
            }),
        };
        let is_negated = matches!(suppose.shows, ast::CaseResult::AllImply(Some(_), ..));
        let suppose = Suppose { cases: cases?, methods: methods?, shows: shows? };
        let implied = suppose.shows.literal();
        statements.push(Statement::Suppose(suppose));
        if let Some(literal) = implied
            && is_negated
        {
            // In `all imply not q`, the candidate q must be false.
            statements.push(Statement::Require(Condition::NotEmpty(literal.fails.into())));
        }
        Ok(())
    }

    /// Returns the literal of `all imply q` or, if `not` is true, of `all imply not q`.
    fn implied_literal(&mut self, name: &Ident, not: bool) -> LowerResult<Literal> {
        let literal = self.literal(self.declared_var(name)?);
        Ok(if not { literal.opposite() } else { literal })
    }

    fn cases(&mut self, cases: &ast::Cases) -> LowerResult<Cases> {
        match cases {
            ast::Cases::Name(name) => self.supposed_name(name),
            ast::Cases::Not(name) => Ok(match self.supposed_name(name)? {
                Cases::Candidate(id) => Cases::Not(id),
                Cases::Literal(literal) => Cases::Literal(literal.opposite()),
                cases => cases,
            }),
            ast::Cases::Either(first, second) => match (self.supposed_name(first)?, self.supposed_name(second)?) {
                (Cases::Candidate(p), Cases::Candidate(q)) if p == q => Ok(Cases::Either(p)),
                (Cases::Candidate(_), Cases::Candidate(_)) => {
                    let problem = ChainProblem::IncompleteCases { name: first.name.clone() };
                    self.fail(problem.at_both(&second.span, &first.span))
                }
                _ => self.fail(ChainProblem::EitherLiteral { name: first.name.clone() }.at(&first.span)),
            },
            ast::Cases::Each(terms) => {
                let value = self.term_list(terms)?;
                if value.kind == Kind::Candidate {
                    return Ok(Cases::Each(value.expr));
                }
                self.fail(KindProblem::SupposedWithoutCandidate { actual: value.description() }.at(&value.span))
            }
        }
    }

    /// Lowers the name of a candidate or of a literal after `suppose`.
    fn supposed_name(&mut self, name: &Ident) -> LowerResult<Cases> {
        let id = self.mentioned_var(name)?;
        let symbol = &self.symbols[id.0];
        let kind = symbol.kind.ok_or(ErrorReported)?;
        if symbol.role == NameRole::Literal {
            self.supposed_literals.push(id);
            return Ok(Cases::Literal(self.literal(id)));
        }
        if kind == Kind::Candidate && symbol.shape == VarShape::Single {
            return Ok(Cases::Candidate(id));
        }
        let actual = symbol.description();
        let are_candidates = kind == Kind::Candidate;
        let problem = ChainProblem::NotSupposable { name: name.name.clone(), actual, are_candidates };
        self.fail(problem.at_both(&name.span, &symbol.span))
    }

    fn inference_methods(&mut self, methods: &ast::InferenceMethods, header: &Span) -> LowerResult<InferenceMethods> {
        match methods {
            ast::InferenceMethods::Singles(on) => {
                Ok(InferenceMethods::Singles { digits: self.on_digits(on.as_ref())? })
            }
            ast::InferenceMethods::Links(on, length, block) => {
                let digits = self.on_digits(on.as_ref());
                let most = length.as_ref().map(|length| self.max_strong_links(length)).transpose();
                let (strong, weak) = self.link_block(block, header, "supposition")?;
                Ok(InferenceMethods::Links { digits: digits?, strong, weak, most: most? })
            }
            ast::InferenceMethods::Rules(members) => {
                let scope = self.scope.ok_or(ErrorReported)?;
                let mut rules: Vec<RuleRef> = Vec::new();
                for diagnostic in append_techniques(members, &scope, &mut rules) {
                    self.report(diagnostic);
                }
                if rules.is_empty() { Err(ErrorReported) } else { Ok(InferenceMethods::Rules(rules)) }
            }
        }
    }

    /// Returns the maximum of `0..3 strong links`.
    fn max_strong_links(&self, length: &ast::ChainLength) -> LowerResult<u32> {
        match (length.low, length.high, length.unit) {
            (0, Some(high), ChainUnit::StrongLinks) => Ok(high),
            _ => self.fail(ChainProblem::CaseLength.at(&length.span)),
        }
    }

    /// Returns both variables of a literal. `holds` is the variable with the literal's name.
    pub fn literal(&self, holds: VarId) -> Literal {
        let opposite = opposite_name(&self.symbols[holds.0].name);
        let fails = self.symbols.iter().position(|symbol| symbol.name == opposite);
        Literal { holds, fails: fails.map_or(holds, VarId) }
    }

    /// Reports a literal with qualifiers. Only a supposition gives a literal its value.
    pub fn refuse_qualifiers(&self, binding: &Binding) -> LowerResult<()> {
        let Some(qualifier) = binding.qualifiers.first() else { return Ok(()) };
        self.fail(ChainProblem::RestrictedLiteral.at(&qualifier.span))
    }

    pub fn check_literals(&self, bindings: &[&Binding]) {
        let literals = bindings.iter().filter(|binding| binding.kind.name == words::LITERAL);
        for (name, _) in literals.flat_map(|binding| &binding.names) {
            if self.find(&name.name).is_some_and(|id| !self.supposed_literals.contains(&id)) {
                self.report(ChainProblem::LiteralUnused { name: name.name.clone() }.at(&name.span));
            }
        }
    }

    /// Lowers `conclude q` or, if `not` is true, `conclude not q` to a placement and an elimination. The set of one of
    /// the two claims is empty.
    pub fn conclude_literal(&mut self, not: bool, name: &Ident) -> LowerResult<Vec<Conclusion>> {
        let id = self.mentioned_var(name)?;
        let symbol = &self.symbols[id.0];
        if symbol.role == NameRole::Literal {
            let literal = self.literal(id);
            let Literal { holds, fails } = if not { literal.opposite() } else { literal };
            let claims = [Claim::Place(holds.into()), Claim::Eliminate(fails.into())];
            return Ok(claims.map(|claim| Conclusion { claim, for_each: None }).to_vec());
        }
        let kind = symbol.kind.ok_or(ErrorReported)?;
        let instead = match (kind, symbol.shape) {
            (Kind::Candidate, _) if not => Some("eliminate"),
            (Kind::Candidate, VarShape::Single) => Some("place"),
            (Kind::Candidate, _) => Some("conclude some"),
            _ => None,
        };
        let problem = ChainProblem::NoLiteral { name: name.name.clone(), actual: symbol.description(), instead };
        self.fail(problem.at_both(&name.span, &symbol.span))
    }

    /// Reports literals in a claim. A literal already determines whether its candidate is true or false.
    pub fn refuse_literals(&self, terms: &TermList) -> LowerResult<()> {
        for name in terms.terms.iter().filter_map(|term| term.as_name()) {
            if self.find(&name.name).is_some_and(|id| self.symbols[id.0].role == NameRole::Literal) {
                return self.fail(ChainProblem::LiteralInClaim { name: name.name.clone() }.at(&name.span));
            }
        }
        Ok(())
    }
}
