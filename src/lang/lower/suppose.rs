//! Suppositions and literals. In: `suppose …`, `conclude q`, `p: literal`. Out: their checked form.

use super::declare::opposite;
use super::names::{Role, Rule};
use super::rule_list;
use super::value::{Shape, Value, describe};
use super::{Checked, ErrorReported};
use crate::lang::ast::{self, Binding, Ident, Span};
use crate::lang::diagnostic::Diagnostic;
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
                        let message = "these two cases are not the only ones";
                        let help = format!("write `suppose {0}, or not {0}`", first.name);
                        let diagnostic = Diagnostic::error("E0510", second.span.clone(), message, "another candidate");
                        self.fail(diagnostic.label(first.span.clone(), "one candidate").help(help))
                    }
                    _ => {
                        let message = format!("`{}` is a literal: true or false already", first.name);
                        let help = format!("declare `{}: candidate`", first.name);
                        self.fail(Diagnostic::error("E0510", first.span.clone(), message, "a literal").help(help))
                    }
                }
            }
            ast::Cases::Each(noun) => {
                let value = self.noun(noun)?;
                if value.kind == Kind::Candidate {
                    return Ok(Cases::Each(value.expr));
                }
                let message = format!("only candidates can be supposed; this is {}", value.what());
                let help = "write `suppose each of digits(c) in c`, `suppose each of d in h`";
                self.fail(Diagnostic::error("E0302", value.span.clone(), message, value.what()).help(help))
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
                let declared = symbol.span.clone();
                let is = describe(kind, shape == VarShape::Single);
                let message = format!("one candidate or a literal is supposed; `{}` is {is}", name.name);
                let help = match kind {
                    Kind::Candidate => format!("write `suppose each of {}`", name.name),
                    _ => "declare `p: candidate` or `p: literal`, or write `suppose each of digits(c) in c`".to_owned(),
                };
                let diagnostic = Diagnostic::error("E0510", name.span.clone(), message, is).help(help);
                self.fail(diagnostic.label(declared, "declared here"))
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
                let found = rule_list::expand(members, &known, &mut rules);
                found.into_iter().for_each(|diagnostic| self.note(diagnostic));
                if rules.is_empty() { Err(ErrorReported) } else { Ok(InferenceMethods::Rules(rules)) }
            }
        }
    }

    /// `0..3 strong links`
    fn most(&mut self, length: &ast::ChainLength) -> Checked<u32> {
        match (length.low, length.high, length.unit) {
            (0, Some(high), ast::ChainUnit::StrongLinks) => Ok(high),
            _ => {
                let message = "give the maximum number of strong links of a case";
                let help = "write `0..3 strong links`";
                self.fail(Diagnostic::error("E0504", length.span.clone(), message, "no such length").help(help))
            }
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
        let message = "a literal is given by the supposition that takes it";
        let help = "write `p: literal` alone, and say more of it with `require`";
        self.fail(Diagnostic::error("E0510", qualifier.span.clone(), message, "not here").help(help))
    }

    /// Literals that are declared and not supposed.
    pub fn check_literals(&mut self, bindings: &[&Binding]) {
        let names = bindings.iter().filter(|binding| binding.kind.name == crate::lang::words::LITERAL);
        let names: Vec<&Ident> = names.flat_map(|binding| binding.names.iter().map(|(name, _)| name)).collect();
        for name in names {
            if self.find(&name.name).is_none_or(|id| self.literals.contains(&id)) {
                continue;
            }
            let message = format!("nothing gives `{}` a value", name.name);
            let help = format!("add `suppose {0} using singles, reaches contradiction` or the like", name.name);
            self.note(Diagnostic::error("E0510", name.span.clone(), message, "not supposed").help(help));
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
        let text = &name.name;
        let message = format!("`{text}` is {is}, not a literal");
        let help = match (kind, symbol.shape, not) {
            (Kind::Candidate, _, true) => format!("write `eliminate {text}`"),
            (Kind::Candidate, VarShape::Single, _) => format!("write `place {text}`"),
            (Kind::Candidate, ..) => format!("write `conclude some {text}`"),
            _ => "to conclude something of a cell or a digit write `conclude some z in A`, `eliminate z from A` or `place z in A`".to_owned(),
        };
        let diagnostic = Diagnostic::error("E0509", name.span.clone(), message, is).help(help);
        self.fail(diagnostic.label(declared, "declared here"))
    }

    /// Claims say themselves what is true and what is false, so a literal cannot be one of their candidates.
    pub fn no_literal(&mut self, noun: &ast::Noun) -> Checked<()> {
        for element in &noun.elements {
            let name = element.left.as_name().filter(|_| element.place.is_none());
            let Some(name) = name else { continue };
            let literal = self.find(&name.name).is_some_and(|id| self.symbols[id.0].role == Role::Literal);
            if literal {
                let message = format!("`{}` is a literal, and says itself whether it is true", name.name);
                let help = format!("write `conclude {0}` or `conclude not {0}` on a line of its own", name.name);
                return self.fail(Diagnostic::error("E0509", name.span.clone(), message, "a literal").help(help));
            }
        }
        Ok(())
    }
}
