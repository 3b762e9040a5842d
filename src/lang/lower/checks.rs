//! Checks of a whole rule. In: a checked rule, and its header as written. Out: names that nothing restricts or uses, parameters
//! without a use or with too many values, and rules that grow too large with their names written out: sizes are counted, nothing is
//! written out for it.

use super::names::Lowering;
use super::uses::is_from_pattern;
use crate::lang::ast::{self, Binding, Span};
use crate::lang::codes::{NameProblem, Problem, RuleProblem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Expr, MAX_NAMES, Node, Origin, Statement, VarId, VarShape, Variant};
use std::collections::BTreeMap;

impl Lowering<'_> {
    /// Names that are chosen without any restriction, and names without a use.
    pub fn check_names(&mut self, bindings: &[&Binding]) {
        let mut found = Vec::new();
        for symbol in &self.symbols {
            let name = symbol.name.clone();
            let used = symbol.in_pattern || symbol.in_conclusion || symbol.in_text;
            let set = symbol.shape != VarShape::Single;
            let unrestricted = !symbol.in_pattern && (set || !symbol.in_conclusion) && is_bare(&name, bindings);
            found.push(match symbol.origin {
                _ if self.doubtful.contains(&name) => continue,
                Origin::Chosen if unrestricted => {
                    RuleProblem::Unrestricted { name, members: set && symbol.in_conclusion }.at(&symbol.span)
                }
                _ if is_from_pattern(&symbol.span) || used => continue,
                Origin::Chosen => NameProblem::UnusedChoice { name }.at(&symbol.span),
                Origin::Let => NameProblem::UnusedDefinition { name }.at(&symbol.span),
                _ => continue,
            });
        }
        found.into_iter().for_each(|diagnostic| self.note(diagnostic));
    }

    /// More names than a rule may have.
    pub fn check_count(&mut self) {
        let Some(symbol) = self.symbols.get(MAX_NAMES) else { return };
        let (place, count) = (symbol.span.clone(), self.symbols.len());
        self.note(RuleProblem::TooManyNames { count }.at(&place));
    }
}

/// Returns true if the line that chooses a name says nothing after its kind.
fn is_bare(name: &str, bindings: &[&Binding]) -> bool {
    let line = bindings.iter().find(|binding| binding.names.iter().any(|(ident, _)| ident.name == name));
    line.is_none_or(|binding| binding.qualifiers.is_empty())
}

/// Ranges without a number, and names that parameters cannot have.
pub fn check_header(item: &ast::Technique) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for (at, param) in item.params.iter().enumerate() {
        if let Some(high) = param.high.filter(|high| *high < param.low) {
            out.push(RuleProblem::EmptyRange { low: param.low, high }.at(&param.span));
        }
        if let Some(first) = item.params[..at].iter().find(|other| other.name.name == param.name.name) {
            let problem = NameProblem::ParameterTwice { name: param.name.name.clone() };
            out.push(problem.at_both(&param.name.span, &first.name.span));
        }
        if crate::lang::words::is_built_in(&param.name.name) {
            out.push(NameProblem::BuiltIn { name: param.name.name.clone() }.at(&param.name.span));
        }
    }
    out
}

/// Maximum members of a family on a 9×9 board: each is compiled and searched on its own.
const MOST_MEMBERS: u64 = 1_000;

/// The last parameter of too many, with what they come to.
pub fn too_many_members(item: &ast::Technique) -> Option<Diagnostic> {
    // Open ranges end at half of the board's size, and no value is larger than it.
    let lengths = item.params.iter().map(|param| param.high.unwrap_or(4).min(9).saturating_sub(param.low) + 1);
    let count = lengths.map(u64::from).fold(1u64, u64::saturating_mul);
    let last = item.params.last().filter(|_| count > MOST_MEMBERS)?;
    let problem = RuleProblem::TooManyMembers { id: item.id.name.clone(), count, most: MOST_MEMBERS };
    Some(problem.at(&last.name.span))
}

/// Parameters that nothing in the rule depends on.
pub fn unused_params(item: &ast::Technique, used: &[bool]) -> Vec<Diagnostic> {
    let unused = item.params.iter().zip(used).filter(|(_, used)| !**used);
    unused.map(|(param, _)| NameProblem::UnusedParameter { name: param.name.name.clone() }.at(&param.span)).collect()
}

/// Parts that a name may stand for, at most.
const MOST_OF_A_NAME: usize = 2_000;
/// Parts of all conditions and conclusions of a rule, at most.
const MOST_OF_A_RULE: usize = 50_000;

impl Lowering<'_> {
    /// Reports a rule with a name or with lines that are too large.
    pub fn check_size(&mut self, variant: &Variant, item: &Span) {
        let sizes = Sizes::of(variant);
        // Report the smallest of several names that grow from each other.
        if let Some((size, at, var)) = sizes.too_large(variant) {
            let name = self.symbols[var.0].name.clone();
            let problem = SyntaxProblem::LargeName { name, size, most: MOST_OF_A_NAME };
            return self.note(problem.at(self.places.get(at).unwrap_or(item)));
        }
        let names = variant.step_titles.iter().filter_map(|called| called.when.as_ref()).map(Node::Condition);
        let mut total = 0usize;
        for (at, node) in variant.nodes().chain(names).enumerate() {
            total = total.saturating_add(sizes.of_node(node));
            if total > MOST_OF_A_RULE {
                let place = self.places.get(at).unwrap_or(item);
                return self.note(SyntaxProblem::LargeRule { most: MOST_OF_A_RULE }.at(place));
            }
        }
    }
}

/// The number of parts that each `let` name stands for.
struct Sizes(BTreeMap<VarId, usize>);

impl Sizes {
    /// Counts in rounds: a name may be defined below those that mention it.
    fn of(variant: &Variant) -> Sizes {
        let mut sizes = Sizes(BTreeMap::new());
        for _ in variant.lets() {
            let before = sizes.0.clone();
            for (var, value) in variant.lets() {
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
                Node::Expr(Expr::Filter { .. }) => 0,
                Node::Condition(_) | Node::Expr(_) => 1,
                Node::Statement(_) | Node::Conclusion(_) | Node::Name(..) => 0,
            });
            true
        });
        total
    }
}
