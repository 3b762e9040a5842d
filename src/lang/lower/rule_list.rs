//! Expands rule lists into techniques and checks them.

use super::ItemScope;
use crate::lang::ast::{RuleList, RuleName};
use crate::lang::codes::{NameProblem, Problem, RuleProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{ItemName, RuleRef};

/// Appends the techniques that `members` name to `techniques`, without repetitions. Rule lists are expanded into their
/// techniques. Returns the diagnostics about `members`.
pub fn append_techniques(members: &[RuleName], scope: &ItemScope, techniques: &mut Vec<RuleRef>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for member in members {
        diagnostics.extend(check_member(member, scope));
        for RuleName { id, args, .. } in flatten(member, scope) {
            let args = if args.is_empty() { None } else { Some(args.iter().map(|number| number.value).collect()) };
            let rule = RuleRef { technique: id.name.clone(), args };
            if !techniques.contains(&rule) {
                techniques.push(rule);
            }
        }
    }
    diagnostics
}

/// Returns the error of a member that names a rule list with arguments or a broken rule list.
fn check_member(member: &RuleName, scope: &ItemScope) -> Option<Diagnostic> {
    let (list, is_in_file) = scope.rule_list(&member.id.name)?;
    let name = member.id.name.clone();
    if !member.args.is_empty() {
        return Some(NameProblem::ListWithArguments { name }.at(&member.span));
    }
    // An error of a rule list in this file is reported at the list itself.
    if list.broken && !is_in_file {
        return Some(NameProblem::BrokenList { name }.at(&member.span));
    }
    None
}

/// Returns the techniques that a member names: the member itself, or everything in its rule list, depth first.
pub fn flatten<'m>(member: &'m RuleName, scope: &ItemScope<'m>) -> Vec<&'m RuleName> {
    let mut techniques: Vec<&RuleName> = Vec::new();
    let mut expanded_lists: Vec<&str> = Vec::new();
    let mut stack = vec![member];
    while let Some(next) = stack.pop() {
        match scope.rule_list(&next.id.name) {
            None => techniques.push(next),
            Some(_) if expanded_lists.contains(&next.id.name.as_str()) => {}
            Some((list, _)) => {
                expanded_lists.push(&next.id.name);
                stack.extend(list.members.iter().rev());
            }
        }
    }
    techniques
}

/// Checks the members of a rule list, and that the list does not contain itself, directly or indirectly.
pub fn check_rule_list(list: &RuleList, scope: &ItemScope) -> Vec<Diagnostic> {
    let mut diagnostics: Vec<Diagnostic> =
        list.members.iter().filter_map(|member| check_member(member, scope)).collect();
    let own = ItemName::RuleList(&list.id.name);
    for member in &list.members {
        if scope.cycles.contain_both(own, ItemName::RuleList(&member.id.name)) {
            let diagnostic = RuleProblem::ListInCircle { name: list.id.name.clone() }.at(&member.span);
            diagnostics.push(scope.with_cycle(&scope.cycles.through(own).unwrap_or_default(), own, diagnostic));
        }
    }
    diagnostics
}
