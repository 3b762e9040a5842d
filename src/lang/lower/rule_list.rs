//! Rule lists. In: `rules NAME = …` of this file and of others. Out: the techniques in them, each
//! once, in order; or what is wrong with a rule list.

use super::Known;
use crate::lang::ast::{Item, Member, RuleList};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Declared, RuleRef};

impl<'a> Known<'a> {
    /// The rule list of a name, and whether it is of this file.
    pub fn rule_list(&self, id: &str) -> Option<(&'a RuleList, bool)> {
        let own = self.file.items.iter().find_map(|item| match item {
            Item::RuleList(rule_list) if rule_list.id.name == id => Some(rule_list),
            _ => None,
        });
        own.map(|own| (own, true)).or_else(|| self.patterns.rule_lists.get(id).map(|other| (other, false)))
    }

    /// The names of all rule lists.
    pub fn rule_lists(&self) -> Vec<&'a str> {
        let own = self.file.items.iter().filter_map(|item| match item {
            Item::RuleList(rule_list) => Some(rule_list.id.name.as_str()),
            _ => None,
        });
        own.chain(self.patterns.rule_lists.keys().map(String::as_str)).collect()
    }
}

/// The techniques of a list, those of its rule lists among them, and errors in the list itself.
pub fn expand(members: &[Member], known: &Known, out: &mut Vec<RuleRef>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for member in members {
        found.extend(wrong(member, known));
        for one in all(member, known) {
            let args = (!one.args.is_empty()).then(|| one.args.iter().map(|number| number.value).collect());
            let rule = RuleRef { technique: one.id.name.clone(), args };
            if !out.contains(&rule) {
                out.push(rule);
            }
        }
    }
    found
}

/// Why a list cannot name this rule list.
fn wrong(member: &Member, known: &Known) -> Option<Diagnostic> {
    let (rule_list, here) = known.rule_list(&member.id.name)?;
    let name = &member.id.name;
    if !member.args.is_empty() {
        let message = format!("`{name}` is a rule list, not a family");
        let help = format!("write `{name}`");
        return Some(Diagnostic::error("E0212", member.span.clone(), message, "has no members to choose").help(help));
    }
    let message = format!("the rule list `{name}` cannot be read");
    (rule_list.broken && !here).then(|| Diagnostic::error("E0212", member.span.clone(), message, "used here"))
}

/// A technique, or those of a rule list and of the rule lists in it, in order.
pub fn all<'m>(member: &'m Member, known: &Known<'m>) -> Vec<&'m Member> {
    let (mut out, mut seen) = (Vec::new(), Vec::new());
    let mut waiting = vec![member];
    while let Some(next) = waiting.pop() {
        match known.rule_list(&next.id.name) {
            None => out.push(next),
            Some(_) if seen.contains(&&next.id.name) => {}
            Some((rule_list, _)) => {
                seen.push(&next.id.name);
                waiting.extend(rule_list.members.iter().rev());
            }
        }
    }
    out
}

/// Checks a rule list by itself: it does not hold itself, and its lists are such.
pub fn check(rule_list: &RuleList, known: &Known) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = rule_list.members.iter().filter_map(|member| wrong(member, known)).collect();
    let own = Declared::RuleList(&rule_list.id.name);
    for member in &rule_list.members {
        if known.circles.join(own, Declared::RuleList(&member.id.name)) {
            let message = format!("the rule list `{}` contains itself", rule_list.id.name);
            let help = "a rule list may hold others, but not in a circle: take one of these names out";
            let error = Diagnostic::error("E0405", member.span.clone(), message, "in a circle").help(help);
            found.push(known.with_circle(&known.circles.through(own).unwrap_or_default(), own, error));
        }
    }
    found
}
