//! Names of techniques as they are typed. In: a name, an id or a code. Out: [`Meaning`]: every member and every step that has it.
//!
//! An id is one technique. Any other name may be shared by many rules: those of the rulebook that are called so, and those
//! that some program calls so. If a program uses a name for several rules, it is an id only as it is written in the rule.

use super::catalogue::{Target, alias};
use super::names::{folded, names_of};
use super::row::member_label;
use super::step::Step;
use crate::engine::MemberId;
use crate::lang::ir::Technique;

/// Everything that a typed name stands for.
#[derive(Clone, Debug)]
pub struct Meaning {
    /// The name as it is compared.
    wanted: String,
    /// True if the name is an id, or an id with parameters: then nothing else has it.
    exact: bool,
    /// Rules that some program calls so.
    targets: Vec<Target>,
}

impl Meaning {
    /// Finds out what a name stands for in a rulebook.
    pub fn new(typed: &str, techniques: &[Technique]) -> Meaning {
        let typed = typed.trim();
        let id = typed.split('(').next().unwrap_or(typed);
        let mut targets = alias(typed).unwrap_or_default();
        targets.retain(|target| techniques.iter().any(|technique| technique.id == target.technique));
        let has_several = targets.iter().any(|target| target.technique != targets[0].technique);
        let is_id = |technique: &Technique| technique.id == id || !has_several && folded(&technique.id) == folded(id);
        let exact = techniques.iter().any(is_id);
        if exact {
            targets.clear();
        }
        Meaning { wanted: folded(typed), exact, targets }
    }

    /// Returns true if the name is the id of a technique, whatever its spelling.
    pub fn is_id(&self, technique: &Technique) -> bool {
        folded(&technique.id) == self.wanted
    }

    /// Returns true if no catalogue knows the name.
    pub(super) fn is_uncatalogued(&self) -> bool {
        self.targets.is_empty()
    }

    /// Returns true if matches of the member can have the name.
    pub fn has_member(&self, technique: &Technique, member: &MemberId) -> bool {
        let own = self.is_id(technique) || folded(&member_label(&technique.id, &member.args)) == self.wanted;
        own || !self.exact && (self.is_name(technique, member) || self.is_target(technique, member, None))
    }

    /// Returns true if the step, of this technique, has the name.
    pub fn has_step(&self, step: &Step, technique: &Technique) -> bool {
        let label = || folded(&member_label(&step.technique, &step.member.args));
        let own = folded(&step.technique) == self.wanted || label() == self.wanted;
        own || !self.exact && (self.is_called(step, technique) || self.is_target(technique, &step.member, Some(step)))
    }

    /// Returns true if a case or a shape of the member is called so, whatever names matches may bring.
    fn is_name(&self, technique: &Technique, member: &MemberId) -> bool {
        let names = names_of(technique, member);
        header_of(technique, member).is_some_and(|header| folded(&header) == self.wanted)
            || names.all().any(|name| folded(name) == self.wanted)
    }

    /// Returns true if the step has the name itself, or its title where the name builds on the title.
    fn is_called(&self, step: &Step, technique: &Technique) -> bool {
        let names = names_of(technique, &step.member);
        let builds = names.called.iter().any(|(name, builds)| *builds && *name == step.name);
        folded(&step.name) == self.wanted
            || (builds && folded(&step.title) == self.wanted)
            || header_of(technique, &step.member)
                .is_some_and(|header| header != step.title && folded(&header) == self.wanted)
    }

    /// Returns true if a program calls the member so; of a step, also that its own name is one that the program means.
    fn is_target(&self, technique: &Technique, member: &MemberId, step: Option<&Step>) -> bool {
        self.targets.iter().any(|target| {
            target.row().speaks_of(technique, member) && step.is_none_or(|step| target.is_called(&step.name))
        })
    }
}

/// The filled title of the header: cases have one in common.
pub(super) fn header_of(technique: &Technique, member: &MemberId) -> Option<String> {
    super::names::filled(technique, super::names::header(technique, member.space)?, &member.args, "")
}
