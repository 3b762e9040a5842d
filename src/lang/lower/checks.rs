//! Checks of a whole rule. In: a checked rule, and its header as written. Out: names that nothing restricts or uses, and parameters
//! without a use or with too many values.

use super::names::Rule;
use super::uses::is_moved;
use crate::lang::ast::{self, Binding};
use crate::lang::codes::{NameProblem, Problem, RuleProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{MOST_NAMES, Origin, VarShape};

impl Rule<'_> {
    /// Names that are chosen without any restriction, and names without a use.
    pub fn check_names(&mut self, bindings: &[&Binding]) {
        let bare = |name: &str| {
            let of = bindings.iter().find(|binding| binding.names.iter().any(|(ident, _)| ident.name == name));
            of.is_none_or(|binding| binding.qualifiers.is_empty())
        };
        let mut found = Vec::new();
        for symbol in &self.symbols {
            let (name, place) = (&symbol.name, symbol.span.clone());
            let used = symbol.in_pattern || symbol.in_conclusion || symbol.in_text;
            let set = symbol.shape != VarShape::Single;
            match symbol.origin {
                _ if self.doubtful.contains(name) => {}
                Origin::Chosen if bare(name) && !symbol.in_pattern && (set || !symbol.in_conclusion) => {
                    let problem =
                        RuleProblem::Unrestricted { name: name.clone(), members: set && symbol.in_conclusion };
                    found.push(problem.at(&place));
                }
                _ if is_moved(&place) => {}
                Origin::Chosen if !used => found.push(NameProblem::UnusedChoice { name: name.clone() }.at(&place)),
                Origin::Let if !used => found.push(NameProblem::UnusedDefinition { name: name.clone() }.at(&place)),
                _ => {}
            }
        }
        found.into_iter().for_each(|diagnostic| self.note(diagnostic));
    }

    /// More names than a rule may have.
    pub fn check_count(&mut self) {
        let Some(symbol) = self.symbols.get(MOST_NAMES) else { return };
        let (place, count) = (symbol.span.clone(), self.symbols.len());
        self.note(RuleProblem::TooManyNames { count }.at(&place));
    }
}

/// Ranges without a number, and names that parameters cannot have.
pub(super) fn check_header(item: &ast::Technique) -> Vec<Diagnostic> {
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
pub(super) fn too_many_members(item: &ast::Technique) -> Option<Diagnostic> {
    // Open ranges end at half of the board's size, and no value is larger than it.
    let values = |param: &ast::Param| u64::from(param.high.unwrap_or(4).min(9).saturating_sub(param.low) + 1);
    let count = item.params.iter().map(values).fold(1u64, u64::saturating_mul);
    let last = item.params.last().filter(|_| count > MOST_MEMBERS)?;
    let problem = RuleProblem::TooManyMembers { id: item.id.name.clone(), count, most: MOST_MEMBERS };
    Some(problem.at(&last.name.span))
}

/// Parameters that nothing in the rule depends on.
pub(super) fn unused_params(item: &ast::Technique, used: &[bool]) -> Vec<Diagnostic> {
    let unused = item.params.iter().zip(used).filter(|(_, used)| !**used);
    unused.map(|(param, _)| NameProblem::UnusedParameter { name: param.name.name.clone() }.at(&param.span)).collect()
}
