//! The size of a rule with its names written out. In: a checked rule. Out: an error where a few lines grow to more than any
//! planner or prover can take. Sizes are counted; nothing is written out for it.

use super::names::Rule;
use crate::lang::ast::Span;
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::ir::{Conclusion, Condition, Expr, Statement, VarId, Variant};
use std::collections::BTreeMap;

/// Parts that a name may stand for, at most.
const MOST_OF_A_NAME: usize = 2_000;
/// Parts of all conditions and conclusions of a rule, at most.
const MOST_OF_A_RULE: usize = 50_000;

impl Rule<'_> {
    /// Reports a rule with a name or with lines that are too large.
    pub fn check_size(&mut self, variant: &Variant, item: &Span) {
        let sizes = Sizes::of(variant);
        let place = |rule: &Self, at: usize| rule.places.get(at).cloned().unwrap_or_else(|| item.clone());
        // Report the smallest of several names that grow from each other.
        if let Some((size, at, var)) = sizes.too_large(variant) {
            let name = self.symbols[var.0].name.clone();
            let problem = SyntaxProblem::LargeName { name, size, most: MOST_OF_A_NAME };
            return self.note(problem.at(&place(self, at)));
        }
        let body = variant.body.iter().map(|statement| sizes.statement(statement));
        let conclusions = variant.conclusions.iter().map(|conclusion| sizes.conclusion(conclusion));
        let names = variant.called.iter().filter_map(|called| called.when.as_ref()).map(|when| sizes.condition(when));
        let mut total = 0usize;
        for (at, size) in body.chain(conclusions).chain(names).enumerate() {
            total = total.saturating_add(size);
            if total > MOST_OF_A_RULE {
                return self.note(SyntaxProblem::LargeRule { most: MOST_OF_A_RULE }.at(&place(self, at)));
            }
        }
    }
}

/// The number of parts that each `let` name stands for.
struct Sizes(BTreeMap<VarId, usize>);

impl Sizes {
    /// Counts in rounds: a name may be defined below those that mention it.
    fn of(variant: &Variant) -> Sizes {
        let lets = || {
            variant.body.iter().filter_map(|statement| match statement {
                Statement::Let { var, value } => Some((*var, value)),
                _ => None,
            })
        };
        let mut sizes = Sizes(BTreeMap::new());
        for _ in lets() {
            let before = sizes.0.clone();
            for (var, value) in lets() {
                let size = sizes.expr(value);
                sizes.0.insert(var, size);
            }
            if sizes.0 == before {
                break;
            }
        }
        sizes
    }

    /// Finds the smallest name that is too large: its size, its statement and the name.
    fn too_large(&self, variant: &Variant) -> Option<(usize, usize, VarId)> {
        let lets = variant.body.iter().enumerate().filter_map(|(at, statement)| match statement {
            Statement::Let { var, .. } => Some((*self.0.get(var)?, at, *var)),
            _ => None,
        });
        lets.filter(|(size, ..)| *size > MOST_OF_A_NAME).min()
    }

    fn conclusion(&self, conclusion: &Conclusion) -> usize {
        let per = conclusion.per.as_ref().map_or(0, |(_, of)| self.expr(of));
        self.expr(&conclusion.claim.noun()).saturating_add(per)
    }

    fn statement(&self, statement: &Statement) -> usize {
        match statement {
            Statement::Let { value, .. } => self.expr(value),
            Statement::Require(condition) => self.condition(condition),
            Statement::Choose(choose) => {
                let per = choose.per.as_ref().map_or(0, |(_, of)| self.expr(of));
                let all = choose.such_that.iter().map(|one| self.condition(one));
                all.fold(per, usize::saturating_add)
            }
            _ => 1,
        }
    }

    fn condition(&self, condition: &Condition) -> usize {
        let exprs = condition.exprs().into_iter().map(|expr| self.expr(expr));
        let parts = condition.parts().into_iter().map(|part| self.condition(part));
        exprs.chain(parts).fold(1, usize::saturating_add)
    }

    fn expr(&self, expr: &Expr) -> usize {
        let own = match expr {
            Expr::Var(var) => self.0.get(var).copied().unwrap_or(1),
            Expr::Those { when, .. } => self.condition(when),
            _ => 1,
        };
        expr.children().into_iter().map(|child| self.expr(child)).fold(own, usize::saturating_add)
    }
}
