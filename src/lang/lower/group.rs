//! Groups of rules. In: `rules NAME = …` of this file and of others. Out: the techniques that they come to, each
//! once, in order; or what is wrong with a group.

use super::Known;
use crate::lang::ast::{Group, Item, Member};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::RuleRef;

impl<'a> Known<'a> {
    /// The group of a name, and whether it is of this file.
    pub fn group(&self, id: &str) -> Option<(&'a Group, bool)> {
        let own = self.file.items.iter().find_map(|item| match item {
            Item::Group(group) if group.id.name == id => Some(group),
            _ => None,
        });
        own.map(|own| (own, true)).or_else(|| self.patterns.groups.get(id).map(|other| (other, false)))
    }

    /// The names of all groups.
    pub fn groups(&self) -> Vec<&'a str> {
        let own = self.file.items.iter().filter_map(|item| match item {
            Item::Group(group) => Some(group.id.name.as_str()),
            _ => None,
        });
        own.chain(self.patterns.groups.keys().map(String::as_str)).collect()
    }
}

/// The techniques that a list comes to; groups give theirs. What is wrong with the list itself is said.
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

/// What a group cannot be in a list.
fn wrong(member: &Member, known: &Known) -> Option<Diagnostic> {
    let (group, here) = known.group(&member.id.name)?;
    let name = &member.id.name;
    if !member.args.is_empty() {
        let message = format!("`{name}` is a group of rules, not a family");
        let help = format!("write `{name}`");
        return Some(Diagnostic::error("E0212", member.span.clone(), message, "has no members to choose").help(help));
    }
    let message = format!("the group `{name}` cannot be read");
    (group.broken && !here).then(|| Diagnostic::error("E0212", member.span.clone(), message, "used here"))
}

/// A technique, or those of a group and of the groups in it, in order.
fn all<'m>(member: &'m Member, known: &Known<'m>) -> Vec<&'m Member> {
    let (mut out, mut seen) = (Vec::new(), Vec::new());
    let mut waiting = vec![member];
    while let Some(next) = waiting.pop() {
        match known.group(&next.id.name) {
            None => out.push(next),
            Some(_) if seen.contains(&&next.id.name) => {}
            Some((group, _)) => {
                seen.push(&next.id.name);
                waiting.extend(group.members.iter().rev());
            }
        }
    }
    out
}

/// Checks a group by itself: it does not hold itself, and its lists are such.
pub fn check(group: &Group, known: &Known) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = group.members.iter().filter_map(|member| wrong(member, known)).collect();
    for member in &group.members {
        let mut seen: Vec<&str> = Vec::new();
        let mut waiting = vec![member.id.name.as_str()];
        while let Some(next) = waiting.pop() {
            let Some((inner, _)) = known.group(next).filter(|_| !seen.contains(&next)) else { continue };
            seen.push(next);
            waiting.extend(inner.members.iter().map(|member| member.id.name.as_str()));
        }
        if seen.contains(&group.id.name.as_str()) {
            let message = format!("the group `{}` holds itself", group.id.name);
            let help = "a group may hold others, but not in a circle";
            found.push(Diagnostic::error("E0405", member.span.clone(), message, "in a circle").help(help));
        }
    }
    found
}
