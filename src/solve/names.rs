//! Names of techniques. In: titles with placeholders, parameters; a name, id or code as typed. Out: the names that a member's matches can
//! have; every member and every step with a typed name ([`Meaning`]).

use super::catalogue::{Target, alias};
use super::row::member_label;
use super::step::Step;
use crate::engine::MemberId;
use crate::lang::ir::{Space, Technique, Template, TemplatePart};

/// Returns a name for comparison, in lower case without blanks, hyphens and underscores: `Two-Words`, `two words` and `two_words` agree.
pub fn folded(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-') && !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// The names that matches of a member can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberNames {
    /// Title of the case, if the technique has cases.
    pub case: Option<String>,
    /// Name regardless of shape: the title of the case or of the header, or else the id.
    pub title: String,
    /// Names by shape, in order, each with true if it builds on the title.
    pub called: Vec<(String, bool)>,
    /// True if some name by shape depends on the match, so that it is not listed here.
    pub open: bool,
    /// True if some match may have the title as its name.
    pub title_stays: bool,
}

impl MemberNames {
    /// Returns all listed names, the title first.
    pub fn all(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.title).chain(self.called.iter().map(|(name, _)| name))
    }
}

/// Returns the names of one compiled member.
pub fn names_of(technique: &Technique, member: &MemberId) -> MemberNames {
    member_names(technique, member.variant, &member.args, member.space)
}

/// Returns the title of the header, or of a view.
pub fn header(technique: &Technique, space: Space) -> Option<&Template> {
    let view = technique.views.iter().find(|view| view.space == space).map(|view| &view.title);
    view.or(technique.title.as_ref())
}

/// Returns the title of a view that contains the name in the grid, such as `Seen by Rows {name}`.
pub fn frame(technique: &Technique, space: Space) -> Option<&Template> {
    let title = &technique.views.iter().find(|view| view.space == space)?.title;
    title.parts.iter().any(|part| matches!(part, TemplatePart::Name)).then_some(title)
}

/// Returns the names of one member in the grid or in a view.
pub fn member_names(technique: &Technique, variant: usize, args: &[u32], space: Space) -> MemberNames {
    if let Some(frame) = frame(technique, space) {
        let framed = |name: &str| filled(technique, frame, args, name).unwrap_or_default();
        let in_grid = member_names(technique, variant, args, Space::Rc);
        let called = in_grid.called.iter().map(|(name, _)| (framed(name), true)).collect();
        return MemberNames { title: framed(&in_grid.title), called, ..in_grid };
    }
    // The name that a join builds its title on is known only with a step.
    let fill = |template: &Template| filled(technique, template, args, "").map(|text| text.trim().to_string());
    let case = technique.variants.get(variant).and_then(|variant| variant.title.as_ref()).and_then(fill);
    let header = header(technique, space).and_then(fill);
    let title = if space == Space::Rc { case.clone().or(header) } else { header };
    let title = title.unwrap_or_else(|| technique.id.clone());
    let mut called = Vec::new();
    let mut open = technique.variants.get(variant).is_some_and(|variant| variant.join.is_some());
    let mut title_stays = true;
    for name in technique.variants.get(variant).map_or(&[][..], |variant| &variant.called) {
        let builds = name.title.parts.iter().any(|part| matches!(part, TemplatePart::Name));
        match filled(technique, &name.title, args, &title) {
            Some(text) => called.push((text, builds)),
            None => open = true,
        }
        title_stays &= name.when.is_some();
    }
    MemberNames { case, title, called, open, title_stays }
}

/// Fills the parameters of a title; `None` if it needs a match.
pub fn filled(technique: &Technique, template: &Template, args: &[u32], name: &str) -> Option<String> {
    filled_with(technique, template, args, name, &|_| None)
}

/// Fills the placeholders of a text. `value` fills those that need a match; `None` if it cannot.
pub fn filled_with(
    technique: &Technique,
    template: &Template,
    args: &[u32],
    name: &str,
    value: &dyn Fn(&TemplatePart) -> Option<String>,
) -> Option<String> {
    let mut out = String::new();
    for part in &template.parts {
        match part {
            TemplatePart::Text(text) => out.push_str(text),
            TemplatePart::Name => out.push_str(name),
            TemplatePart::Param(param) => out.push_str(&args.get(*param)?.to_string()),
            TemplatePart::Words { param, words, otherwise } => {
                let low = technique.params.get(*param)?.low;
                let place = args.get(*param)?.checked_sub(low)? as usize;
                match (words.get(place), otherwise) {
                    (Some(word), _) => out.push_str(word),
                    (None, Some(rest)) => out.push_str(&filled_with(technique, rest, args, name, value)?),
                    (None, None) => return None,
                }
            }
            TemplatePart::Var(_) | TemplatePart::Value(_) => out.push_str(&value(part)?),
        }
    }
    Some(out)
}

/// Returns up to three known names that resemble the typed one, the nearest first.
pub fn nearest<'n>(typed: &str, known: impl Iterator<Item = &'n str>) -> Vec<String> {
    let typed = folded(typed);
    let mut scored: Vec<(u32, &str)> = known
        .map(|name| ((1000.0 * (1.0 - strsim::jaro_winkler(&typed, &folded(name)))) as u32, name))
        .filter(|(distance, _)| *distance < 250)
        .collect();
    scored.sort_unstable();
    // Keep the first of spellings that are equal when folded: capitals sort first, so the display name.
    scored.dedup_by_key(|(_, name)| folded(name));
    scored.into_iter().take(3).map(|(_, name)| name.to_string()).collect()
}

/// The meaning of a typed name.
///
/// An id is one technique. Any other name may be shared by many rules: those of the rulebook with this name, and those that a catalogue
/// lists under it. If a catalogue lists several rules under a name, the name is an id only in the exact spelling of the rule.
#[derive(Clone, Debug)]
pub struct Meaning {
    /// The folded name.
    wanted: String,
    /// True if the name is an id, with or without parameters: then nothing else has it.
    exact: bool,
    /// Rules that catalogues list under the name.
    targets: Vec<Target>,
}

impl Meaning {
    /// Looks up a name in a rulebook and the catalogues.
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

    /// Returns true if the step, found by this technique, has the name.
    pub fn has_step(&self, step: &Step, technique: &Technique) -> bool {
        let own = folded(&step.technique) == self.wanted
            || folded(&member_label(&step.technique, &step.member.args)) == self.wanted;
        own || !self.exact && (self.is_called(step, technique) || self.is_target(technique, &step.member, Some(step)))
    }

    /// Returns true if a title or a listed shape of the member has the name.
    fn is_name(&self, technique: &Technique, member: &MemberId) -> bool {
        let names = names_of(technique, member);
        header_of(technique, member).is_some_and(|header| folded(&header) == self.wanted)
            || names.all().any(|name| folded(name) == self.wanted)
    }

    /// Returns true if the step has the name, or if its name builds on a title that is the name.
    fn is_called(&self, step: &Step, technique: &Technique) -> bool {
        let names = names_of(technique, &step.member);
        let builds = names.called.iter().any(|(name, builds)| *builds && *name == step.name);
        folded(&step.name) == self.wanted
            || (builds && folded(&step.title) == self.wanted)
            || header_of(technique, &step.member)
                .is_some_and(|header| header != step.title && folded(&header) == self.wanted)
    }

    /// Returns true if a catalogue lists the member under the name and, for a step, includes the step's own name.
    fn is_target(&self, technique: &Technique, member: &MemberId, step: Option<&Step>) -> bool {
        self.targets.iter().any(|target| {
            target.row().speaks_of(technique, member) && step.is_none_or(|step| target.is_called(&step.name))
        })
    }
}

/// Returns the title of the header, which all cases share.
pub(super) fn header_of(technique: &Technique, member: &MemberId) -> Option<String> {
    filled(technique, header(technique, member.space)?, &member.args, "")
}
