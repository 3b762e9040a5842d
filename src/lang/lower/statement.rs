//! Statements of a pattern. In: the lines that choose and require. Out: the body of a variant.

use super::names::{Place, Rule};
use super::{Checked, Said};
use crate::lang::ast::{Statement as Line, StatementKind};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Condition, Kind, Statement};

impl Rule<'_> {
    /// Checks a line; lines that conclude or name are left alone.
    pub fn statement(&mut self, line: &Line, out: &mut Vec<Statement>) -> Checked<()> {
        self.place = Place::Pattern;
        match &line.kind {
            StatementKind::Binding(binding) => self.binding(binding, out),
            StatementKind::Let(name, noun) => {
                let id = self.symbols.iter().position(|symbol| symbol.span == name.span);
                let value = self.noun(noun)?;
                let id = id.ok_or(Said)?;
                let var = crate::lang::ir::VarId(id);
                if value.kind == Kind::Candidate && self.symbols[id].kind.is_none() {
                    return Err(Said);
                }
                out.push(Statement::Let { var, value: value.expr });
                Ok(())
            }
            StatementKind::Require(condition, each) => {
                match self.repeated(condition, each.as_ref())? {
                    // One condition a line: what `and` joins is what several lines say.
                    Condition::And(parts) if each.is_none() => out.extend(parts.into_iter().map(Statement::Require)),
                    condition => out.push(Statement::Require(condition)),
                }
                Ok(())
            }
            StatementKind::Trail(trail) => {
                let trail = self.trail(trail, &line.span)?;
                out.push(Statement::Trail(trail));
                Ok(())
            }
            StatementKind::Chain(chain) => {
                let chain = self.chain(chain)?;
                out.push(Statement::Chain(chain));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A second sentence.
    pub fn second_because(&mut self, first: &Line, second: &Line) {
        let diagnostic =
            Diagnostic::error("E0203", second.span.clone(), "a rule gives one reason", "a second `because`");
        self.note(diagnostic.label(first.span.clone(), "the first"));
    }
}
