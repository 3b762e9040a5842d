//! Checks that need all loaded files: references to techniques, rule lists and link sources must name existing items,
//! and no technique may use itself under a supposition.

use super::condition::DeterminerWord;
use super::declare::opposite_name;
use super::example::{arguments, is_allowed};
use super::item_graph::{link_source_names, supposed_rules};
use super::{ItemScope, Locate, NO_OTHER_FILES, Patterns};
use crate::lang::ast::{
    Example, Expr, ExprKind, File, Ident, Item, RuleName, Statement, StatementKind, Technique, contents_of,
};
use crate::lang::codes::{ChainProblem, NameProblem, Problem, RuleProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{self, ItemName, reachable};
use crate::lang::words;

pub struct LoadedRules<'a> {
    techniques: &'a [ir::Technique],
    sources: &'a [ir::LinkSource],
    patterns: &'a Patterns,
    dependencies: ir::Dependencies<'a>,
    /// Cycles of techniques.
    cycles: ir::Cycles<ItemName<'a>>,
}

impl<'a> LoadedRules<'a> {
    pub fn new(
        techniques: &'a [ir::Technique],
        sources: &'a [ir::LinkSource],
        patterns: &'a Patterns,
    ) -> LoadedRules<'a> {
        let dependencies = ir::dependencies(techniques.iter(), sources);
        let cycles = ir::Cycles::find(&dependencies);
        LoadedRules { techniques, sources, patterns, dependencies, cycles }
    }
}

/// Checks the references of a file to rules of all files.
pub fn check_across(
    file: &File,
    techniques: &[ir::Technique],
    sources: &[ir::LinkSource],
    patterns: &Patterns,
) -> Vec<Diagnostic> {
    check_loaded(file, &LoadedRules::new(techniques, sources, patterns), NO_OTHER_FILES)
}

/// Checks the references of a file to rules of all files. `locate` finds items of other files for messages.
pub fn check_loaded(file: &File, loaded: &LoadedRules, locate: Locate) -> Vec<Diagnostic> {
    let scope = ItemScope { file, patterns: loaded.patterns, cycles: &loaded.cycles, locate };
    let checker = Checker { loaded, scope };
    let mut diagnostics = Vec::new();
    for item in &file.items {
        match item {
            Item::Technique(technique) => {
                diagnostics.extend(checker.check_sources(&technique.body));
                diagnostics.extend(checker.check_suppositions(technique));
                diagnostics.extend(checker.check_joins(technique));
            }
            Item::Pattern(pattern) => {
                diagnostics.extend(checker.check_sources(&pattern.body));
                diagnostics.extend(checker.check_supposed_rules(&pattern.body));
            }
            Item::RuleList(list) => {
                diagnostics.extend(checker.check_members(&list.members));
                if checker.technique(&list.id.name).is_some() {
                    diagnostics.push(NameProblem::ListLikeTechnique { name: list.id.name.clone() }.at(&list.id.span));
                }
            }
            Item::Example(example) => {
                diagnostics.extend(checker.check_members(&example.after));
                diagnostics.extend(checker.check_example(example));
            }
            Item::StrongLink(_) => {}
        }
    }
    diagnostics
}

/// Adds `not q` to the names of a join by a literal `q`: a literal has two variables, and the joined steps must agree
/// on both.
pub fn complete_joins(techniques: &mut [ir::Technique]) {
    // For each join: the indexes of the technique and of the variant, and the names to add.
    let mut additions: Vec<(usize, usize, Vec<String>)> = Vec::new();
    for (technique_index, technique) in techniques.iter().enumerate() {
        for (variant_index, variant) in technique.variants.iter().enumerate() {
            let Some(join) = &variant.join else { continue };
            let Some(joined_technique) = techniques.iter().find(|technique| technique.id == join.technique) else {
                continue;
            };
            let opposites = join.by.iter().map(|name| opposite_name(name));
            let new =
                opposites.filter(|name| !join.by.contains(name) && every_variant_has_name(joined_technique, name));
            additions.push((technique_index, variant_index, new.collect()));
        }
    }
    for (technique, variant, names) in additions {
        if let Some(join) = &mut techniques[technique].variants[variant].join {
            join.by.extend(names);
        }
    }
}

fn every_variant_has_name(technique: &ir::Technique, name: &str) -> bool {
    technique.variants.iter().all(|variant| variant.vars.iter().any(|var| var.name == name))
}

struct Checker<'a> {
    loaded: &'a LoadedRules<'a>,
    scope: ItemScope<'a>,
}

impl Checker<'_> {
    fn technique(&self, id: &str) -> Option<&ir::Technique> {
        self.loaded.techniques.iter().find(|technique| technique.id == id)
    }

    fn check_sources(&self, lines: &[Statement]) -> Vec<Diagnostic> {
        let mut names: Vec<Ident> = Vec::new();
        for line in lines {
            names.extend(link_source_names(&line.kind).cloned());
            if let StatementKind::Called(_, Some((condition, _))) = &line.kind {
                // `some link by cell`
                let linked_by = contents_of::<(DeterminerWord, Ident)>(condition, "LinkedBy");
                names.extend(linked_by.into_iter().map(|(_, source)| source));
            }
        }
        names.iter().filter_map(|name| self.check_source(name)).collect()
    }

    fn check_source(&self, name: &Ident) -> Option<Diagnostic> {
        let known: Vec<&str> = self.loaded.sources.iter().map(|source| source.id.as_str()).collect();
        if known.contains(&name.name.as_str()) {
            return None;
        }
        let near = words::nearest(&name.name, &known);
        let problem = NameProblem::UnknownSource { name: name.name.clone(), near, sources: words::quoted(known) };
        Some(problem.at(&name.span))
    }

    fn check_joins(&self, technique: &Technique) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        for line in &technique.body {
            let StatementKind::Join(id, args, by) = &line.kind else { continue };
            // If the joined technique is in this file and has errors, its own errors suffice.
            let is_omitted = self.technique(&id.name).is_none() && declares_elsewhere(self.scope.file, id);
            if !is_omitted {
                diagnostics.extend(self.check_join(technique, id, args, by));
            }
        }
        diagnostics
    }

    /// Checks `join other(n) by d, base`: the technique, the values of its parameters, and the names. Each case of the
    /// technique must have all these names.
    fn check_join(&self, own: &Technique, id: &Ident, args: &[Expr], by: &[Ident]) -> Vec<Diagnostic> {
        let others = self.loaded.techniques.iter().filter(|technique| technique.id != own.id.name);
        let Some(joined_technique) = others.clone().find(|technique| technique.id == id.name) else {
            let near = words::nearest(&id.name, others.map(|technique| technique.id.as_str()));
            return vec![NameProblem::JoinOfNothing { name: id.name.clone(), near }.at(&id.span)];
        };
        if joined_technique.variants.iter().any(|variant| variant.join.is_some()) {
            return vec![NameProblem::JoinOfJoin { name: id.name.clone() }.at(&id.span)];
        }
        let mut diagnostics = Vec::new();
        if args.len() != joined_technique.params.len() {
            let wanted = joined_technique.params.iter().map(|param| param.name.clone()).collect();
            let problem = NameProblem::JoinArguments { name: id.name.clone(), wanted, given: args.len() };
            diagnostics.push(problem.at(&id.span));
        }
        for (arg, param) in args.iter().zip(&joined_technique.params) {
            diagnostics.extend(check_join_argument(own, arg, param));
        }
        diagnostics.extend(by.iter().filter_map(|name| check_join_name(name, joined_technique)));
        diagnostics
    }

    fn check_example(&self, example: &Example) -> Vec<Diagnostic> {
        let id = &example.id;
        // An example of a technique in this file is checked during the lowering of the file.
        if id.name.is_empty() || self.scope.file.technique(&id.name).is_some() {
            return Vec::new();
        }
        if let Some(technique) = self.technique(&id.name) {
            return arguments(example, &technique.params);
        }
        let near = words::nearest(&id.name, self.loaded.techniques.iter().map(|technique| &technique.id));
        vec![NameProblem::ExampleOfNothing { name: id.name.clone(), near }.at(&id.span)]
    }

    /// Checks the rules that a technique uses under suppositions. The rules must exist and must not use the technique
    /// itself. If a used rule assumes one solution, the technique must say `assuming one solution`.
    fn check_suppositions(&self, technique: &Technique) -> Vec<Diagnostic> {
        let mut diagnostics = self.check_supposed_rules(&technique.body);
        let supposition = technique.body.iter().find(|line| !supposed_rules(&line.kind).is_empty());
        let span = supposition.map_or(&technique.id.span, |line| &line.span).clone();
        let Some(checked) = self.technique(&technique.id.name) else { return diagnostics };
        let LoadedRules { dependencies, cycles, .. } = self.loaded;
        let node = ItemName::Technique(&checked.id);
        // Without a supposition, the cycle consists of joins, which `check_join` reports.
        if let Some(cycle) = cycles.through(node)
            && supposition.is_some()
        {
            let problem = ChainProblem::UsesItself { id: checked.id.clone(), directly: cycle.len() == 1 };
            diagnostics.push(self.scope.with_cycle(&cycle, node, problem.at(&span)));
        }
        let mut used: Vec<&str> =
            reachable(dependencies, dependencies.neighbors(node)).iter().map(|item| item.id()).collect();
        used.sort_unstable();
        let assumes_one_solution = |id: &str| self.technique(id).is_some_and(|used| used.assumes_one_solution);
        if let Some(used) = used.into_iter().find(|id| assumes_one_solution(id))
            && !checked.assumes_one_solution
        {
            let problem = RuleProblem::AssumesOneSolution { used: used.to_owned(), id: checked.id.clone() };
            diagnostics.push(problem.at(&span));
        }
        diagnostics
    }

    fn check_supposed_rules(&self, lines: &[Statement]) -> Vec<Diagnostic> {
        lines.iter().flat_map(|line| self.check_members(supposed_rules(&line.kind))).collect()
    }

    fn check_members(&self, members: &[RuleName]) -> Vec<Diagnostic> {
        members.iter().filter_map(|member| self.check_member(member)).collect()
    }

    fn check_member(&self, member: &RuleName) -> Option<Diagnostic> {
        let name = &member.id.name;
        if self.scope.rule_list(name).is_some() {
            return None;
        }
        if let Some(technique) = self.technique(name) {
            return check_member_arguments(member, technique);
        }
        // If the technique is in this file and has errors, its own errors suffice.
        if self.scope.file.technique(name).is_some() {
            return None;
        }
        let techniques = self.loaded.techniques.iter().map(|technique| technique.id.as_str());
        let near = words::nearest(name, techniques.chain(self.scope.rule_list_names()));
        Some(NameProblem::UnknownMember { name: name.clone(), near }.at(&member.id.span))
    }
}

/// Returns true if a file declares the technique `id` outside of the item that contains `id`.
fn declares_elsewhere(file: &File, id: &Ident) -> bool {
    file.techniques().any(|technique| technique.id.name == id.name && !technique.span.contains(&id.span.start))
}

/// Returns an error if an argument of a `join` can exceed the range of the joined technique's parameter.
fn check_join_argument(own: &Technique, arg: &Expr, param: &ir::Param) -> Option<Diagnostic> {
    let (low, high) = match &arg.kind {
        ExprKind::Number(number) => (*number, Some(*number)),
        ExprKind::Name(name) => {
            let own_param = own.params.iter().find(|own_param| own_param.name.name == name.name)?;
            (own_param.low, own_param.high)
        }
        _ => return None,
    };
    let is_too_large = match (high, param.high) {
        (Some(high), Some(limit)) => high > limit,
        (None, Some(_)) => true,
        (_, None) => false,
    };
    if low >= param.low && !is_too_large {
        return None;
    }
    let problem = NameProblem::JoinOutside { name: param.name.clone(), low: param.low, high: param.high };
    Some(problem.at(&arg.span))
}

/// Returns an error if a case of the joined technique lacks the name. Loop variables do not count.
fn check_join_name(name: &Ident, joined_technique: &ir::Technique) -> Option<Diagnostic> {
    let names = |variant: &ir::Variant| -> Vec<String> {
        let vars = variant.vars.iter().filter(|var| var.origin != ir::Origin::Index);
        vars.map(|var| var.name.clone()).collect()
    };
    let names_by_case: Vec<Vec<String>> = joined_technique.variants.iter().map(names).collect();
    if names_by_case.iter().all(|names| names.contains(&name.name)) {
        return None;
    }
    let near = words::nearest(&name.name, names_by_case.iter().flatten());
    let technique = joined_technique.id.clone();
    let has_cases = names_by_case.len() > 1;
    let diagnostic = NameProblem::JoinName { technique, name: name.name.clone(), has_cases }.at(&name.span);
    Some(diagnostic.help_if(near.map(|near| format!("did you mean `{near}`?"))))
}

/// Returns an error if a technique has no member with these arguments.
fn check_member_arguments(member: &RuleName, technique: &ir::Technique) -> Option<Diagnostic> {
    let wanted = technique.params.len();
    let given = member.args.len();
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
