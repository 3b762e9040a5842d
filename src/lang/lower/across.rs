//! Checks across files. In: a file and everything that was loaded. Out: errors for link sources, techniques and rule lists that the
//! file names and nobody declares, and for suppositions that rest on themselves.

use super::declare::opposite;
use super::example::{arguments, is_allowed};
use super::uses::{links, supposed};
use super::{ItemScope, Locate, Patterns};
use crate::lang::ast::{Condition, Expr, ExprKind, File, Ident, Item, RuleName, Statement, StatementKind, Technique};
use crate::lang::codes::{ChainProblem, NameProblem, Problem, RuleProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{self, ItemName, reachable};
use crate::lang::words;

/// All files, lowered.
pub struct LoadedRules<'a> {
    techniques: &'a [ir::Technique],
    sources: &'a [ir::LinkSource],
    patterns: &'a Patterns,
    /// Items that these techniques use.
    uses: ir::Dependencies<'a>,
    /// Circles of techniques.
    circles: ir::Cycles<ir::ItemName<'a>>,
}

impl<'a> LoadedRules<'a> {
    /// Finds what the techniques use.
    pub fn new(
        techniques: &'a [ir::Technique],
        sources: &'a [ir::LinkSource],
        patterns: &'a Patterns,
    ) -> LoadedRules<'a> {
        let uses = ir::dependencies(techniques.iter(), sources);
        LoadedRules { techniques, sources, patterns, circles: ir::Cycles::find(&uses), uses }
    }
}

/// Checks the names that a file takes from others, once all files are lowered.
pub fn check_across(
    file: &File,
    techniques: &[ir::Technique],
    sources: &[ir::LinkSource],
    patterns: &Patterns,
) -> Vec<Diagnostic> {
    check_loaded(file, &LoadedRules::new(techniques, sources, patterns), &|_| None)
}

/// Checks the names that a file takes from others; `place` finds items of other files for messages.
pub fn check_loaded(file: &File, loaded: &LoadedRules, place: Locate) -> Vec<Diagnostic> {
    let &LoadedRules { techniques, sources, patterns, ref circles, .. } = loaded;
    let scope = RuleScope { loaded, known: ItemScope { file, patterns, circles, place } };
    let mut out = Vec::new();
    for item in &file.items {
        match item {
            Item::Technique(technique) => {
                out.extend(check_chains(&technique.body, sources));
                out.extend(scope.technique(technique));
                for line in &technique.body {
                    let StatementKind::Join(id, members, by) = &line.kind else { continue };
                    // A joined technique of this file that has errors is not checked.
                    if techniques.iter().any(|other| other.id == id.name) || !declares(file, id) {
                        out.extend(check_join(technique, id, members, by, techniques));
                    }
                }
            }
            Item::Pattern(pattern) => {
                out.extend(check_chains(&pattern.body, sources));
                out.extend(scope.supposed(&pattern.body));
            }
            Item::RuleList(list) => {
                out.extend(scope.list(&list.members));
                if scope.find(&list.id.name).is_some() {
                    out.push(NameProblem::ListLikeTechnique { name: list.id.name.clone() }.at(&list.id.span));
                }
            }
            Item::Example(example) => {
                out.extend(scope.list(&example.after));
                out.extend(check_example(file, example, techniques));
            }
            Item::Source(_) => {}
        }
    }
    out
}

/// Makes joins by a literal compare both of its names, for true and for false.
pub fn complete_joins(techniques: &mut [ir::Technique]) {
    let mut more: Vec<(usize, usize, Vec<String>)> = Vec::new();
    for (at, technique) in techniques.iter().enumerate() {
        for (number, variant) in technique.variants.iter().enumerate() {
            let Some(join) = &variant.join else { continue };
            let joined = techniques.iter().find(|technique| technique.id == join.technique);
            let opposites = join.by.iter().map(|name| opposite(name));
            let new = opposites.filter(|name| !join.by.contains(name) && joined.is_some_and(|one| has_name(one, name)));
            more.push((at, number, new.collect()));
        }
    }
    for (at, number, names) in more {
        if let Some(join) = &mut techniques[at].variants[number].join {
            join.by.extend(names);
        }
    }
}

/// Returns true if every case of a technique has a name.
fn has_name(technique: &ir::Technique, name: &str) -> bool {
    technique.variants.iter().all(|variant| variant.vars.iter().any(|var| var.name == name))
}

/// Returns true if a file has another technique of this name.
fn declares(file: &File, id: &Ident) -> bool {
    file.techniques().any(|one| one.id.name == id.name && !one.span.contains(&id.span.start))
}

fn check_chains(lines: &[Statement], sources: &[ir::LinkSource]) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for line in lines {
        let mut names: Vec<&Ident> = links(&line.kind).collect();
        if let StatementKind::Called(_, Some((when, _))) = &line.kind {
            sources_of(when, &mut names);
        }
        out.extend(names.into_iter().filter_map(|name| unknown_source(name, sources)));
    }
    out
}

/// Collects the sources that `some link by …` asks for.
fn sources_of<'s>(condition: &'s Condition, out: &mut Vec<&'s Ident>) {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => parts.iter().for_each(|part| sources_of(part, out)),
        Condition::Not(inner, _) => sources_of(inner, out),
        Condition::LinkedBy(_, source) => out.push(source),
        Condition::Mixed(..) | Condition::GivensAllow(_) => {}
        Condition::Clause(clause) => {
            let inner = clause.subject.elements.iter().map(|element| &element.left.kind);
            for kind in inner {
                if let ExprKind::Paren(inner) = kind {
                    sources_of(inner, out);
                }
            }
        }
    }
}

/// Checks `join other(n) by d, base`: the technique, its member, and names that each of its cases must have.
fn check_join(
    own: &Technique,
    id: &Ident,
    members: &[Expr],
    by: &[Ident],
    techniques: &[ir::Technique],
) -> Vec<Diagnostic> {
    let Some(joined) = techniques.iter().find(|technique| technique.id == id.name && technique.id != own.id.name)
    else {
        let others = techniques.iter().map(|technique| technique.id.as_str()).filter(|other| *other != own.id.name);
        let near = words::nearest(&id.name, others);
        return vec![NameProblem::JoinOfNothing { name: id.name.clone(), near }.at(&id.span)];
    };
    if joined.variants.iter().any(|variant| variant.join.is_some()) {
        return vec![NameProblem::JoinOfJoin { name: id.name.clone() }.at(&id.span)];
    }
    let mut out = Vec::new();
    if members.len() != joined.params.len() {
        let wanted = joined.params.iter().map(|param| param.name.clone()).collect();
        let problem = NameProblem::JoinArguments { name: id.name.clone(), wanted, given: members.len() };
        out.push(problem.at(&id.span));
    }
    out.extend(members.iter().zip(&joined.params).filter_map(|(member, param)| outside(own, member, param)));
    out.extend(by.iter().filter_map(|name| unknown_name(name, joined)));
    out
}

/// Reports a member that the joined technique lacks.
fn outside(own: &Technique, member: &Expr, param: &ir::Param) -> Option<Diagnostic> {
    let range = match &member.kind {
        ExprKind::Number(number) => (*number, Some(*number)),
        ExprKind::Name(name) => {
            let own = own.params.iter().find(|own| own.name.name == name.name)?;
            (own.low, own.high)
        }
        _ => return None,
    };
    let too_large = match (range.1, param.high) {
        (Some(high), Some(limit)) => high > limit,
        (None, Some(_)) => true,
        _ => false,
    };
    if range.0 >= param.low && !too_large {
        return None;
    }
    let problem = NameProblem::JoinOutside { name: param.name.clone(), low: param.low, high: param.high };
    Some(problem.at(&member.span))
}

fn unknown_name(name: &Ident, joined: &ir::Technique) -> Option<Diagnostic> {
    let all: Vec<Vec<&str>> = joined.variants.iter().map(lasting_names).collect();
    if all.iter().all(|names| names.contains(&name.name.as_str())) {
        return None;
    }
    let near = words::nearest(&name.name, all.iter().flatten());
    let (technique, several) = (joined.id.clone(), all.len() > 1);
    let error = NameProblem::JoinName { technique, name: name.name.clone(), several }.at(&name.span);
    Some(error.help_if(near.map(|near| format!("did you mean `{near}`?"))))
}

/// Lists the names of a case but for those of `for`.
fn lasting_names(variant: &ir::Variant) -> Vec<&str> {
    let lasting = variant.vars.iter().filter(|var| var.origin != ir::Origin::Index);
    lasting.map(|var| var.name.as_str()).collect()
}

fn unknown_source(name: &Ident, sources: &[ir::LinkSource]) -> Option<Diagnostic> {
    let known: Vec<&str> = sources.iter().map(|source| source.id.as_str()).collect();
    if known.contains(&name.name.as_str()) {
        return None;
    }
    let near = words::nearest(&name.name, &known);
    let problem = NameProblem::UnknownSource { name: name.name.clone(), near, sources: words::quoted(known) };
    Some(problem.at(&name.span))
}

fn check_example(file: &File, example: &crate::lang::ast::Example, techniques: &[ir::Technique]) -> Vec<Diagnostic> {
    let id = &example.id;
    if id.name.is_empty() || file.technique(&id.name).is_some() {
        return Vec::new();
    }
    if let Some(technique) = techniques.iter().find(|technique| technique.id == id.name) {
        return arguments(example, &technique.params);
    }
    let near = words::nearest(&id.name, techniques.iter().map(|technique| &technique.id));
    vec![NameProblem::ExampleOfNothing { name: id.name.clone(), near }.at(&id.span)]
}

/// Everything that a file can refer to.
struct RuleScope<'a> {
    loaded: &'a LoadedRules<'a>,
    known: ItemScope<'a>,
}

impl RuleScope<'_> {
    fn find(&self, id: &str) -> Option<&ir::Technique> {
        self.loaded.techniques.iter().find(|technique| technique.id == id)
    }

    /// Checks what the suppositions of a technique name, and that it does not rest on itself.
    fn technique(&self, written: &Technique) -> Vec<Diagnostic> {
        let mut out = self.supposed(&written.body);
        let supposition = written.body.iter().find(|line| !supposed(&line.kind).is_empty());
        let place = supposition.map_or(&written.id.span, |line| &line.span).clone();
        let Some(own) = self.find(&written.id.name) else { return out };
        let LoadedRules { uses, circles, .. } = self.loaded;
        let node = ItemName::Technique(&own.id);
        // A circle of joined steps is reported at the `join`.
        if let Some(circle) = circles.through(node).filter(|_| supposition.is_some()) {
            let error = ChainProblem::UsesItself { id: own.id.clone(), alone: circle.len() == 1 }.at(&place);
            out.push(self.known.with_circle(&circle, node, error));
        }
        let mut below: Vec<&str> = reachable(uses, uses.neighbors(node)).iter().map(|used| used.id()).collect();
        below.sort_unstable();
        let assumes = below.iter().find(|id| self.find(id).is_some_and(|one| one.assumes_one_solution));
        if let Some(one) = assumes.filter(|_| !own.assumes_one_solution) {
            out.push(RuleProblem::AssumesOneSolution { used: (*one).to_owned(), id: own.id.clone() }.at(&place));
        }
        out
    }

    /// Checks the names in the suppositions of a rule.
    fn supposed(&self, lines: &[Statement]) -> Vec<Diagnostic> {
        lines.iter().flat_map(|line| self.list(supposed(&line.kind))).collect()
    }

    /// Checks the names in a list.
    fn list(&self, members: &[RuleName]) -> Vec<Diagnostic> {
        members.iter().filter_map(|member| self.member(member)).collect()
    }

    fn member(&self, member: &RuleName) -> Option<Diagnostic> {
        let name = &member.id.name;
        if self.known.rule_list(name).is_some() {
            return None;
        }
        if let Some(technique) = self.find(name) {
            return no_member(member, technique);
        }
        // A technique of this file that has errors is not checked.
        if self.known.file.technique(name).is_some() {
            return None;
        }
        let techniques = self.loaded.techniques.iter().map(|technique| technique.id.as_str());
        let near = words::nearest(name, techniques.chain(self.known.rule_lists()));
        Some(NameProblem::UnknownMember { name: name.clone(), near }.at(&member.id.span))
    }
}

/// Returns an error if a technique lacks this member.
fn no_member(member: &RuleName, technique: &ir::Technique) -> Option<Diagnostic> {
    let (wanted, given) = (technique.params.len(), member.args.len());
    if given == 0 {
        return None;
    }
    if given != wanted {
        return Some(NameProblem::MemberArguments { name: technique.id.clone(), wanted, given }.at(&member.span));
    }
    let mut args = member.args.iter().zip(&technique.params);
    let (number, param) = args.find(|(number, param)| !is_allowed(number.value, param))?;
    let problem = NameProblem::MemberOutside { name: param.name.clone(), low: param.low, high: param.high };
    Some(problem.at(&number.span))
}
