//! Checks of a whole rule: unrestricted names, unused names, parameters, and the size of the rule. The size counts the
//! nodes of all expressions as if every `let` name were replaced by its value.

use super::expand::is_from_pattern;
use super::names::{Lowering, MentionPlace};
use crate::lang::ast::{self, Binding, Span};
use crate::lang::codes::{NameProblem, Problem, RuleProblem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Expr, MAX_NAMES, Node, Origin, Statement, VarId, VarShape, Variant};
use crate::lang::words;
use std::collections::BTreeMap;

impl Lowering<'_> {
    /// Reports names that are chosen without any restriction, and names that are never used.
    pub fn check_names(&self, bindings: &[&Binding]) {
        for symbol in &self.symbols {
            let name = symbol.name.clone();
            if self.suppressed_names.contains(&name) {
                continue;
            }
            let is_set = symbol.shape != VarShape::Single;
            // A conclusion restricts a single name, but not the members of a set.
            let is_in_conclusion = symbol.mentions.contains(&MentionPlace::Conclusion);
            let is_restricted = symbol.mentions.contains(&MentionPlace::Pattern) || (is_in_conclusion && !is_set);
            let is_unused = symbol.mentions.is_empty() && !is_from_pattern(&symbol.span);
            let problem = match symbol.origin {
                Origin::Chosen if !is_restricted && !has_qualifiers(&name, bindings) => {
                    let is_set_in_conclusion = is_set && is_in_conclusion;
                    self.report(RuleProblem::Unrestricted { name, is_set_in_conclusion }.at(&symbol.span));
                    continue;
                }
                Origin::Chosen if is_unused => NameProblem::UnusedChoice { name },
                Origin::Let if is_unused => NameProblem::UnusedDefinition { name },
                _ => continue,
            };
            self.report(problem.at(&symbol.span));
        }
    }

    pub fn check_name_count(&self) {
        let Some(symbol) = self.symbols.get(MAX_NAMES) else { return };
        let problem = RuleProblem::TooManyNames { count: self.symbols.len() };
        self.report(problem.at(&symbol.span));
    }

    /// Reports a `let` name whose value has too many nodes, or a rule with too many nodes. `id_span` are the bytes of
    /// the rule's id.
    pub fn check_size(&self, variant: &Variant, id_span: &Span) {
        let sizes = NameSizes::new(variant);
        // Only the smallest name that is too large is reported, because larger names may contain it.
        if let Some((size, statement, var)) = sizes.smallest_too_large(variant) {
            let name = self.symbols[var.0].name.clone();
            let problem = SyntaxProblem::LargeName { name, size, most: MAX_NAME_SIZE };
            return self.report(problem.at(self.statement_spans.get(statement).unwrap_or(id_span)));
        }
        let conditions = variant.step_titles.iter().filter_map(|title| title.when.as_ref()).map(Node::Condition);
        let mut total = 0usize;
        for (index, node) in variant.nodes().chain(conditions).enumerate() {
            total = total.saturating_add(sizes.size_of(node));
            if total > MAX_RULE_SIZE {
                // The nodes begin with the statements. Conclusions and titles have no span here, so the id is reported.
                let span = self.statement_spans.get(index).unwrap_or(id_span);
                return self.report(SyntaxProblem::LargeRule { most: MAX_RULE_SIZE }.at(span));
            }
        }
    }
}

/// Returns true if the line that chooses a name has qualifiers, such as `sees pivot`.
fn has_qualifiers(name: &str, bindings: &[&Binding]) -> bool {
    let binding = bindings.iter().find(|binding| binding.names.iter().any(|(ident, _)| ident.name == name));
    binding.is_some_and(|binding| !binding.qualifiers.is_empty())
}

/// Checks the parameters of a technique: their ranges and names.
pub fn check_header(item: &ast::Technique) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for (index, param) in item.params.iter().enumerate() {
        let name = &param.name.name;
        if let Some(high) = param.high
            && high < param.low
        {
            diagnostics.push(RuleProblem::EmptyRange { low: param.low, high }.at(&param.span));
        }
        if let Some(first) = item.params[..index].iter().find(|other| other.name.name == *name) {
            let problem = NameProblem::ParameterTwice { name: name.clone() };
            diagnostics.push(problem.at_both(&param.name.span, &first.name.span));
        }
        if words::is_built_in(name) {
            diagnostics.push(NameProblem::BuiltIn { name: name.clone() }.at(&param.name.span));
        }
    }
    diagnostics
}

/// Maximum number of members of a technique on a 9×9 board. Each member is compiled and searched separately.
const MAX_MEMBERS: u64 = 1_000;

/// Reports a technique with too many members at its last parameter.
pub fn check_member_count(item: &ast::Technique) -> Option<Diagnostic> {
    // On a 9×9 board, an open range ends at 4 (half of 9), and no value exceeds 9.
    let lengths = item.params.iter().map(|param| param.high.unwrap_or(4).min(9).saturating_sub(param.low) + 1);
    let count = lengths.map(u64::from).fold(1u64, u64::saturating_mul);
    let last = item.params.last()?;
    if count <= MAX_MEMBERS {
        return None;
    }
    let problem = RuleProblem::TooManyMembers { id: item.id.name.clone(), count, most: MAX_MEMBERS };
    Some(problem.at(&last.name.span))
}

pub fn unused_params(item: &ast::Technique, used: &[bool]) -> Vec<Diagnostic> {
    let unused = item.params.iter().zip(used).filter(|(_, used)| !**used);
    unused.map(|(param, _)| NameProblem::UnusedParameter { name: param.name.name.clone() }.at(&param.span)).collect()
}

/// Maximum number of nodes in the value of a `let` name.
const MAX_NAME_SIZE: usize = 2_000;
/// Maximum number of nodes of all conditions and conclusions of a rule.
const MAX_RULE_SIZE: usize = 50_000;

/// For each `let` name, the number of nodes in its value. In the value, each other `let` name counts as many nodes as
/// its own value has.
struct NameSizes(BTreeMap<VarId, usize>);

impl NameSizes {
    fn new(variant: &Variant) -> NameSizes {
        let mut sizes = NameSizes(BTreeMap::new());
        // A name may be used before its definition, so sizes are computed in rounds, until a round changes no size.
        // Each round gives at least one more name its final size.
        for _ in variant.lets() {
            let before = sizes.0.clone();
            for (var, value) in variant.lets() {
                let size = sizes.size_of(Node::Expr(value));
                sizes.0.insert(var, size);
            }
            if sizes.0 == before {
                break;
            }
        }
        sizes
    }

    /// Finds the smallest of the names that are too large. Returns the size, the index of the name's statement, and the
    /// name.
    fn smallest_too_large(&self, variant: &Variant) -> Option<(usize, usize, VarId)> {
        let lets = variant.body.iter().enumerate().filter_map(|(index, statement)| match statement {
            Statement::Let { var, .. } => Some((*self.0.get(var)?, index, *var)),
            _ => None,
        });
        lets.filter(|(size, ..)| *size > MAX_NAME_SIZE).min()
    }

    fn size_of(&self, node: Node<'_>) -> usize {
        let mut total = 0usize;
        node.walk(&mut |part| {
            total = total.saturating_add(match part {
                Node::Expr(Expr::Var(var)) => self.0.get(var).copied().unwrap_or(1),
                // The set and the condition of a filter are counted, not the filter itself.
                Node::Expr(Expr::Filter { .. }) => 0,
                Node::Condition(_) | Node::Expr(_) => 1,
                Node::Statement(_) | Node::Conclusion(_) | Node::Name(..) => 0,
            });
            true
        });
        total
    }
}
