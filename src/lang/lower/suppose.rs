//! Suppositions and literals. In: `suppose …`, `conclude q`, `p: literal`. Out: their checked form.

use super::declare::opposite;
use super::names::{Role, Rule};
use super::uses;
use super::value::{Shape, Value, describe};
use super::{Checked, ErrorReported};
use crate::lang::ast::{self, Binding, Ident, Span};
use crate::lang::codes::{ChainProblem, KindProblem, Problem};
use crate::lang::ir::{
    Cases, Claim, Conclusion, Condition, Expr, InferenceMethods, Kind, Literal, RuleRef, Shows, Statement, Suppose,
    VarId, VarShape,
};

impl Rule<'_> {
    pub fn suppose(&mut self, written: &ast::Suppose, out: &mut Vec<Statement>) -> Checked<()> {
        let cases = self.cases(&written.cases);
        let by = self.means(&written.means, &written.span);
        let shows = match &written.shows {
            ast::Shows::Contradiction => Ok(Shows::Contradiction),
            ast::Shows::AllImply(not, name, without) => self.introduced(name).map(|id| {
                let literal = self.literal(id);
                let literal = if not.is_some() { literal.opposite() } else { literal };
                if without.is_some() { Shows::AllImplyWithout(literal) } else { Shows::AllImply(literal) }
            }),
        };
        let suppose = Suppose { cases: cases?, by: by?, shows: shows? };
        let said_false = matches!(written.shows, ast::Shows::AllImply(Some(_), ..));
        let false_one = suppose.shows.literal().filter(|_| said_false).map(|literal| literal.fails);
        out.push(Statement::Suppose(suppose));
        out.extend(false_one.map(|name| Statement::Require(Condition::Some(Expr::Var(name)))));
        Ok(())
    }

    fn cases(&mut self, cases: &ast::Cases) -> Checked<Cases> {
        match cases {
            ast::Cases::One(name) => self.supposed(name, false),
            ast::Cases::Not(name) => self.supposed(name, true),
            ast::Cases::Either(first, second) => {
                let (case, other) = (self.supposed(first, false)?, self.supposed(second, true)?);
                match (case, other) {
                    (Cases::Candidate(p), Cases::Not(again)) if p == again => Ok(Cases::Either(p)),
                    (Cases::Candidate(_), Cases::Not(_)) => {
                        let problem = ChainProblem::OtherCases { name: first.name.clone() };
                        self.fail(problem.at_both(&second.span, &first.span))
                    }
                    _ => self.fail(ChainProblem::EitherLiteral { name: first.name.clone() }.at(&first.span)),
                }
            }
            ast::Cases::Each(noun) => {
                let value = self.noun(noun)?;
                if value.kind == Kind::Candidate {
                    return Ok(Cases::Each(value.expr));
                }
                self.fail(KindProblem::SupposedOther { what: value.what() }.at(&value.span))
            }
        }
    }

    /// A candidate or a literal by its name, or the opposite.
    fn supposed(&mut self, name: &Ident, not: bool) -> Checked<Cases> {
        let Some(id) = self.find(&name.name) else { return self.unknown(name) };
        self.mention(id);
        let symbol = &self.symbols[id.0];
        let Some(kind) = symbol.kind else { return Err(ErrorReported) };
        match (symbol.role, kind, symbol.shape) {
            (Role::Literal, ..) => {
                self.literals.push(id);
                let literal = self.literal(id);
                Ok(Cases::Literal(if not { literal.opposite() } else { literal }))
            }
            (_, Kind::Candidate, VarShape::Single) if not => Ok(Cases::Not(id)),
            (_, Kind::Candidate, VarShape::Single) => Ok(Cases::Candidate(id)),
            (_, kind, shape) => {
                let (place, declared) = (name.span.clone(), symbol.span.clone());
                let is = describe(kind, shape == VarShape::Single);
                let (name, candidates) = (name.name.clone(), kind == Kind::Candidate);
                self.fail(ChainProblem::NotSupposable { name, is, candidates }.at_both(&place, &declared))
            }
        }
    }

    fn means(&mut self, means: &ast::InferenceMethods, header: &Span) -> Checked<InferenceMethods> {
        match means {
            ast::InferenceMethods::Singles(on) => {
                Ok(InferenceMethods::Singles { on: self.on(on.as_ref(), "what singles are `on`")? })
            }
            ast::InferenceMethods::Links(on, most, links) => {
                let on = self.on(on.as_ref(), "what links are `on`");
                let most = most.as_ref().map(|most| self.most(most)).transpose();
                let (strong, weak) = self.links(links, header, "supposition")?;
                Ok(InferenceMethods::Links { on: on?, strong, weak, most: most? })
            }
            ast::InferenceMethods::Rules(members) => {
                let known = self.known.ok_or(ErrorReported)?;
                let mut rules: Vec<RuleRef> = Vec::new();
                let found = uses::techniques_of(members, &known, &mut rules);
                found.into_iter().for_each(|diagnostic| self.note(diagnostic));
                if rules.is_empty() { Err(ErrorReported) } else { Ok(InferenceMethods::Rules(rules)) }
            }
        }
    }

    /// `0..3 strong links`
    fn most(&mut self, length: &ast::ChainLength) -> Checked<u32> {
        match (length.low, length.high, length.unit) {
            (0, Some(high), ast::ChainUnit::StrongLinks) => Ok(high),
            _ => self.fail(ChainProblem::CaseLength.at(&length.span)),
        }
    }

    /// Returns both names of a literal.
    pub fn literal(&self, holds: VarId) -> Literal {
        let fails = opposite(&self.symbols[holds.0].name);
        let fails = self.symbols.iter().position(|symbol| symbol.name == fails);
        Literal { holds, fails: fails.map_or(holds, VarId) }
    }

    /// A literal where a set stands: its candidate, whatever is said of it.
    pub fn either_way(&mut self, id: VarId, span: Span) -> Checked<Value> {
        let Literal { holds, fails } = self.literal(id);
        let both = Expr::Union(vec![Expr::Var(holds), Expr::Var(fails)]);
        Ok(Value::new(both, Kind::Candidate, Shape::One, span))
    }

    /// A literal has no relations: what it may be is up to the supposition.
    pub fn alone(&mut self, binding: &Binding) -> Checked<()> {
        let Some(qualifier) = binding.qualifiers.first() else { return Ok(()) };
        self.fail(ChainProblem::RestrictedLiteral.at(&qualifier.span))
    }

    /// Literals that are declared and not supposed.
    pub fn check_literals(&mut self, bindings: &[&Binding]) {
        let names = bindings.iter().filter(|binding| binding.kind.name == crate::lang::words::LITERAL);
        let names: Vec<&Ident> = names.flat_map(|binding| binding.names.iter().map(|(name, _)| name)).collect();
        for name in names {
            if self.find(&name.name).is_none_or(|id| self.literals.contains(&id)) {
                continue;
            }
            self.note(ChainProblem::LiteralUnused { name: name.name.clone() }.at(&name.span));
        }
    }

    /// `conclude q`, `conclude not p`
    pub fn conclude_literal(&mut self, not: bool, name: &Ident) -> Checked<Vec<Conclusion>> {
        let Some(id) = self.find(&name.name) else { return self.unknown(name) };
        self.mention(id);
        let symbol = &self.symbols[id.0];
        if symbol.role == Role::Literal {
            let literal = self.literal(id);
            let Literal { holds, fails } = if not { literal.opposite() } else { literal };
            let alone = |claim| Conclusion { claim, per: None };
            return Ok(vec![alone(Claim::Place(Expr::Var(holds))), alone(Claim::Eliminate(Expr::Var(fails)))]);
        }
        let Some(kind) = symbol.kind else { return Err(ErrorReported) };
        let (declared, is) = (symbol.span.clone(), describe(kind, symbol.shape == VarShape::Single));
        let instead = match (kind, symbol.shape, not) {
            (Kind::Candidate, _, true) => Some("eliminate"),
            (Kind::Candidate, VarShape::Single, _) => Some("place"),
            (Kind::Candidate, ..) => Some("conclude some"),
            _ => None,
        };
        self.fail(ChainProblem::NoLiteral { name: name.name.clone(), is, instead }.at_both(&name.span, &declared))
    }

    /// Claims say themselves what is true and what is false, so a literal cannot be one of their candidates.
    pub fn no_literal(&mut self, noun: &ast::Noun) -> Checked<()> {
        for element in &noun.elements {
            let name = element.left.as_name().filter(|_| element.place.is_none());
            let Some(name) = name else { continue };
            let literal = self.find(&name.name).is_some_and(|id| self.symbols[id.0].role == Role::Literal);
            if literal {
                return self.fail(ChainProblem::LiteralInClaim { name: name.name.clone() }.at(&name.span));
            }
        }
        Ok(())
    }
}
