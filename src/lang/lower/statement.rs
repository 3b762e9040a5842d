//! Statements of a pattern. In: the lines that choose and require. Out: the body of a variant.

use super::names::{MentionPlace, Role, Rule};
use super::value::{Value, is_cut};
use super::{Checked, ErrorReported};
use crate::lang::ast::{Expr as Written, Ident, Noun, Statement as Line, StatementKind};
use crate::lang::codes::{KindProblem, NameProblem, Problem};
use crate::lang::ir::{Condition, Expr, Join, Kind, Statement, VarId};

impl Rule<'_> {
    /// Checks a line; lines that conclude or name are left alone.
    pub fn statement(&mut self, line: &Line, out: &mut Vec<Statement>) -> Checked<()> {
        self.place = MentionPlace::Pattern;
        match &line.kind {
            StatementKind::Binding(binding) => self.binding(binding, out),
            StatementKind::Let(name, noun) => self.define(name, noun, out).map(drop),
            StatementKind::Guardians(name, noun) => self.guardians(name, noun, out),
            StatementKind::Require(condition, each) => {
                match self.repeated(condition, each)? {
                    // One condition a line: what `and` joins is what several lines say.
                    Condition::And(parts) if each.is_empty() => out.extend(parts.into_iter().map(Statement::Require)),
                    condition => out.push(Statement::Require(condition)),
                }
                Ok(())
            }
            StatementKind::Trail(trail) => {
                let trail = self.trail(trail, &line.span)?;
                out.push(Statement::Trail(trail));
                Ok(())
            }
            StatementKind::Chain(written) => self.chain(written).map(|graph| out.push(Statement::Graph(graph))),
            StatementKind::Loop(written) => self.loop_(written).map(|graph| out.push(Statement::Graph(graph))),
            StatementKind::Cluster(written) => self.cluster(written).map(|graph| out.push(Statement::Graph(graph))),
            StatementKind::Ring(written) => self.ring(written).map(|graph| out.push(Statement::Graph(graph))),
            StatementKind::Suppose(written) => self.suppose(written, out),
            _ => Ok(()),
        }
    }

    /// `let` and what is like it: the name, and the kind of its value.
    fn define(&mut self, name: &Ident, noun: &Noun, out: &mut Vec<Statement>) -> Checked<(VarId, Value)> {
        let id = self.symbols.iter().position(|symbol| symbol.span == name.span);
        let value = self.defined(noun)?;
        let id = id.ok_or(ErrorReported)?;
        if self.symbols[id].kind.is_none() {
            return Err(ErrorReported);
        }
        out.push(Statement::Let { var: VarId(id), value: value.expr.clone() });
        Ok((VarId(id), value))
    }

    /// Lowers the value of a `let`. `-` and `&` between houses give cells.
    pub fn defined(&mut self, noun: &Noun) -> Checked<Value> {
        let value = self.noun(noun)?;
        match value.as_cells(false) {
            Some(cells) if value.is_house() && is_cut(&value.expr) => {
                Ok(Value { expr: cells, kind: Kind::Cell, ..value })
            }
            _ => Ok(value),
        }
    }

    /// `guardians fins = d in base - cover`
    fn guardians(&mut self, name: &Ident, noun: &Noun, out: &mut Vec<Statement>) -> Checked<()> {
        let (var, value) = self.define(name, noun, out)?;
        if value.kind != Kind::Candidate {
            return self.fail(KindProblem::NoGuardians { what: value.what() }.at(&value.span));
        }
        self.symbols[var.0].in_pattern = true;
        self.guardians.push(var);
        Ok(())
    }

    /// `one step per A, B`
    pub fn per(&mut self, names: &[Ident]) -> Checked<Vec<VarId>> {
        self.place = MentionPlace::Text;
        let mut out: Vec<VarId> = Vec::new();
        let checked = self.each_of(names, |rule, name| {
            let Some(id) = rule.find(&name.name) else { return rule.unknown(name) };
            rule.mention(id);
            if out.contains(&id) {
                return rule.fail(KindProblem::TwiceInList.at(&name.span));
            }
            out.push(id);
            if rule.symbols[id.0].role == Role::Literal {
                // Matches agree where they agree on what is true and on what is false.
                out.push(rule.literal(id).fails);
            }
            Ok(())
        });
        checked.map(|_| out)
    }

    /// `join other(n) by d, base`
    pub fn join_of(&mut self, id: &Ident, members: &[Written], by: &[Ident]) -> Checked<Join> {
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

    /// A second line of which a rule has one.
    pub fn second(&mut self, what: &str, first: &Line, second: &Line) {
        self.note(NameProblem::SecondLine { word: what.to_owned() }.at_both(&second.span, &first.span));
    }
}
