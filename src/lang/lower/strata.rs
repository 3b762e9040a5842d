//! Checks of suppositions. In: rule lists and `suppose … using rules …`, and every technique that was loaded.
//! Out: names of techniques that are not there, suppositions that rest on themselves, premises that are not said.

use super::Known;
use super::across::Loaded;
use super::dependencies::supposed;
use crate::lang::ast::{Item, Member, RuleList, Span, Statement, Technique};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{self, Declared, reachable};
use crate::lang::words;

/// All that a file can refer to.
#[derive(Clone, Copy)]
pub struct Strata<'a> {
    pub loaded: &'a Loaded<'a>,
    pub known: Known<'a>,
}

impl Strata<'_> {
    fn find(&self, id: &str) -> Option<&ir::Technique> {
        self.loaded.techniques.iter().find(|technique| technique.id == id)
    }

    /// Checks what the suppositions of a technique name, and that it does not rest on itself.
    pub fn technique(&self, written: &Technique) -> Vec<Diagnostic> {
        let mut out = self.lines(&written.body);
        let supposition = written.body.iter().find(|line| !supposed(&line.kind).is_empty());
        let place = supposition.map_or(&written.id.span, |line| &line.span).clone();
        let Some(own) = self.find(&written.id.name) else { return out };
        let Loaded { uses, circles, .. } = self.loaded;
        let node = Declared::Technique(&own.id);
        // A circle of joined steps is found where they are joined.
        if let Some(circle) = circles.through(node).filter(|_| supposition.is_some()) {
            let message = format!("`{}` uses itself under its own supposition", own.id);
            let help = match circle.as_slice() {
                [_] => "a supposition may only use simpler techniques: leave this rule out of the list",
                _ => {
                    "a supposition may only use simpler techniques: leave one of these rules out of the list that names it"
                }
            };
            let error = Diagnostic::error("E0511", place.clone(), message, "in a circle").help(help);
            out.push(self.known.with_circle(&circle, node, error));
        }
        let mut below: Vec<&str> = reachable(uses, uses.neighbors(node)).iter().map(|used| used.id()).collect();
        below.sort_unstable();
        let assumes = below.iter().find(|id| self.find(id).is_some_and(|one| one.assumes_one_solution));
        if let Some(one) = assumes.filter(|_| !own.assumes_one_solution) {
            let message = format!("`{one}` assumes one solution, so `{}` does too", own.id);
            let help = "end the header with `assuming one solution`";
            out.push(Diagnostic::error("E0416", place, message, "by this").help(help));
        }
        out
    }

    /// Checks the names in the lines of a rule.
    pub fn lines(&self, lines: &[Statement]) -> Vec<Diagnostic> {
        lines.iter().flat_map(|line| supposed(&line.kind)).filter_map(|member| self.member(member)).collect()
    }

    /// Checks the names in a list.
    pub fn list(&self, members: &[Member]) -> Vec<Diagnostic> {
        members.iter().filter_map(|member| self.member(member)).collect()
    }

    pub fn rule_list(&self, rule_list: &RuleList) -> Vec<Diagnostic> {
        let mut out: Vec<Diagnostic> = rule_list.members.iter().filter_map(|member| self.member(member)).collect();
        if self.find(&rule_list.id.name).is_some() {
            let message = format!("a technique is called `{}` too", rule_list.id.name);
            let help = "give the rule list another name";
            out.push(Diagnostic::error("E0208", rule_list.id.span.clone(), message, "a rule list").help(help));
        }
        out
    }

    fn member(&self, member: &Member) -> Option<Diagnostic> {
        let name = &member.id.name;
        if self.known.rule_list(name).is_some() {
            return None;
        }
        let Some(technique) = self.find(name) else {
            let here = |item: &Item| matches!(item, Item::Technique(technique) if technique.id.name == *name);
            return (!self.known.file.items.iter().any(here)).then(|| self.unknown(member));
        };
        fits(member, technique)
    }

    fn unknown(&self, member: &Member) -> Diagnostic {
        let name = &member.id.name;
        let techniques = self.loaded.techniques.iter().map(|technique| technique.id.as_str());
        let help = match words::nearest(name, techniques.chain(self.known.rule_lists())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name a technique by its identifier, the word after `technique`, or a rule list".to_owned(),
        };
        let message = format!("there is no technique or rule list `{name}`");
        Diagnostic::error("E0212", member.id.span.clone(), message, "not declared").help(help)
    }
}

/// Returns true if a technique has this member.
fn fits(member: &Member, technique: &ir::Technique) -> Option<Diagnostic> {
    if member.args.is_empty() {
        return None;
    }
    let name = &technique.id;
    let fail = |span: Span, message: String| Some(Diagnostic::error("E0212", span, message, "no such member"));
    if member.args.len() != technique.params.len() {
        let message = format!("`{name}` has {} parameters, not {}", technique.params.len(), member.args.len());
        return fail(member.span.clone(), message);
    }
    let outside = member
        .args
        .iter()
        .zip(&technique.params)
        .find(|(number, param)| number.value < param.low || param.high.is_some_and(|high| number.value > high));
    let (number, param) = outside?;
    let high = param.high.map_or("half of the board's size".to_owned(), |high| high.to_string());
    fail(number.span.clone(), format!("`{}` runs from {} to {high}", param.name, param.low))
}
