//! The size of a rule with its names written out. In: a checked rule. Out: an error where a few lines grow to more than any
//! planner or prover can take. Sizes are counted; nothing is written out for it.

use super::names::Rule;
use crate::lang::ast::Span;
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::ir::{Expr, Node, Statement, VarId, Variant};
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
        let names = variant.called.iter().filter_map(|called| called.when.as_ref()).map(Node::Condition);
        let mut total = 0usize;
        for (at, node) in variant.nodes().chain(names).enumerate() {
            total = total.saturating_add(sizes.of_node(node));
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
                let size = sizes.of_node(Node::Expr(value));
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

    /// Counts the parts of a node.
    fn of_node(&self, node: Node<'_>) -> usize {
        let mut total = 0usize;
        node.walk(&mut |part| {
            total = total.saturating_add(match part {
                Node::Expr(Expr::Var(var)) => self.0.get(var).copied().unwrap_or(1),
                // Counted by its condition.
                Node::Expr(Expr::Those { .. }) => 0,
                Node::Condition(_) | Node::Expr(_) => 1,
                Node::Statement(_) | Node::Conclusion(_) | Node::Name(..) => 0,
            });
            true
        });
        total
    }
}
