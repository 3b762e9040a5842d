//! Techniques that others use under a supposition. In: compiled members. Out: for each supposition the members that it
//! uses, and an error for techniques that would come to use themselves.

use super::compiled::{Compiled, Trust};
use super::error::{NoPlan, PlanError};
use super::planned::Meaning;
use crate::grid::Geometry;
use crate::lang::ir::{Circles, InferenceMethods, LinkSource, RuleRef, Statement, Suppose, Technique};
use petgraph::graph::{DiGraph, NodeIndex};
use std::sync::Arc;

impl Compiled {
    /// Finds the members that a member's suppositions name: for each name in order, the engine's order. Techniques that
    /// assume one solution are passed over, unless the technique that supposes does so itself; so are those that find
    /// nothing on this board.
    pub(super) fn resolve_rules(&mut self, at: usize, techniques: &[Technique], trust: &[Trust]) -> Result<(), NoPlan> {
        let member = &self.members[at];
        let technique = &techniques[member.technique];
        let mut means: Vec<Meaning> = Vec::new();
        for statement in &technique.variants[member.variant].body {
            let Statement::Suppose(Suppose { by: InferenceMethods::Rules(named), .. }) = statement else { continue };
            let mut found: Vec<usize> = Vec::new();
            for name in named {
                for member in self.named(name, techniques)? {
                    let number = self.members[member].technique;
                    let allowed = technique.assumes_one_solution || !techniques[number].assumes_one_solution;
                    if allowed && trust[number] != Trust::Idle && !found.contains(&member) {
                        found.push(member);
                    }
                }
            }
            means.push((named.clone(), found));
        }
        if !means.is_empty() {
            self.resolve_rule_refs(at, means);
        }
        Ok(())
    }

    /// The members that a name means; none of a member that does not fit the board.
    fn named(&self, name: &RuleRef, techniques: &[Technique]) -> Result<Vec<usize>, NoPlan> {
        let id = &name.technique;
        let Some(number) = techniques.iter().position(|technique| technique.id == *id) else {
            return Err(NoPlan::UnknownUsed(id.clone()));
        };
        let params = &techniques[number].params;
        if let Some(args) = &name.args {
            let fits =
                |(arg, at): (&u32, usize)| params[at].low <= *arg && params[at].high.is_none_or(|high| *arg <= high);
            if args.len() != params.len() || !args.iter().zip(0..).all(fits) {
                let list: Vec<String> = args.iter().map(u32::to_string).collect();
                return Err(NoPlan::NoMember { technique: id.clone(), args: list.join(", ") });
            }
        }
        let of = |member: &usize| {
            let member = &self.members[*member];
            member.technique == number && name.args.as_ref().is_none_or(|args| *args == member.args)
        };
        Ok((0..self.members.len()).filter(of).collect())
    }

    /// The members that a member searches on its way.
    fn uses(&self, member: usize) -> impl Iterator<Item = usize> + '_ {
        let members_info = &self.members_info[member];
        let joined = members_info.join.iter().flat_map(|join| join.members.iter().map(|(other, _)| *other));
        members_info.uses.iter().copied().chain(joined)
    }
}

/// Compiles a rulebook; `trust` says by their ids what is known of techniques and link sources.
///
/// # Errors
/// One for each technique or link source that cannot be compiled, or that would come to use itself.
pub(super) fn compile(
    geometry: &Geometry,
    techniques: &Arc<[Technique]>,
    sources: &[LinkSource],
    trust: &dyn Fn(&str) -> Trust,
) -> Result<Compiled, Vec<PlanError>> {
    let (compiled, mut errors) = Compiled::new(geometry, techniques, sources, trust);
    errors.extend(circles(&compiled, techniques));
    errors.dedup();
    if errors.is_empty() { Ok(compiled) } else { Err(errors) }
}

/// An error for each technique with a member that comes to use itself.
fn circles(compiled: &Compiled, techniques: &[Technique]) -> Vec<PlanError> {
    let members = 0..compiled.members.len();
    let pairs = members.clone().flat_map(|member| compiled.uses(member).map(move |used| (member as u32, used as u32)));
    let circles = Circles::of(&DiGraph::<(), ()>::from_edges(pairs));
    let mut out: Vec<PlanError> = Vec::new();
    for member in members {
        let Some(circle) = circles.through(NodeIndex::new(member)) else { continue };
        let label = |at: &NodeIndex| {
            let member = &compiled.members[at.index()];
            let (id, args) = (&techniques[member.technique].id, &member.args);
            let args: Vec<String> = args.iter().map(u32::to_string).collect();
            if args.is_empty() { format!("`{id}`") } else { format!("`{id}({})`", args.join(", ")) }
        };
        let id = &techniques[compiled.members[member].technique].id;
        if out.iter().any(|error| error.technique == *id) {
            continue;
        }
        let names: Vec<String> = circle.iter().chain(&circle[..1]).map(label).collect();
        out.push(PlanError { technique: id.clone(), reason: NoPlan::Circle(names.join(" uses ")) });
    }
    out
}
