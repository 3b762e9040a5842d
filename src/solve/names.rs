//! Names of techniques, here and in other programs. In: titles with placeholders, parameters; RON tables of other programs; a name, id or
//! code as typed. Out: the names that a member's matches can have; [`Catalogue`]s; every member and every step with a typed name
//! ([`Meaning`]).
//!
//! A catalogue only names and rates: a technique exists if the rulebook has it.

use super::embedded;
use super::profile::{ArgRange, ProfileError, Row, member_label, read_ron};
use super::step::Step;
use crate::engine::MemberId;
use crate::lang::ir::{Space, Technique, Template, TemplatePart};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// Returns a name for comparison, in lower case without blanks, hyphens and underscores: `Two-Words`, `two words` and `two_words` agree.
pub fn fold_name(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-') && !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// The names that matches of a member can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberNames {
    /// Title of the case, if the technique has cases.
    pub case: Option<String>,
    /// Name regardless of shape: the title of the case or of the header, or else the id.
    pub title: String,
    /// Names by shape (`called`), in order.
    pub by_shape: Vec<ShapeName>,
    /// True if some name by shape depends on the match, so that it is not listed here.
    pub depends_on_match: bool,
    /// True if some match may have the title as its name.
    pub can_be_title: bool,
}

/// A name for matches of one shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeName {
    /// The name.
    pub name: String,
    /// True if the name contains the title.
    pub contains_title: bool,
}

impl MemberNames {
    /// Returns all listed names, the title first.
    pub fn all(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.title).chain(self.by_shape.iter().map(|shape| &shape.name))
    }

    /// Returns true if a listed name is this one.
    pub fn has(&self, name: &str) -> bool {
        self.all().any(|one| fold_name(one) == fold_name(name))
    }

    /// Returns true if the title of the case is this name.
    pub fn is_case(&self, name: &str) -> bool {
        self.case.as_ref().is_some_and(|case| fold_name(case) == fold_name(name))
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
    builds_on_name(title).then_some(title)
}

/// Returns the names of one member in the grid or in a view.
pub fn member_names(technique: &Technique, variant: usize, args: &[u32], space: Space) -> MemberNames {
    if let Some(frame) = frame(technique, space) {
        let mut names = member_names(technique, variant, args, Space::Rc);
        names.title = filled(technique, frame, args, &names.title).unwrap_or_default();
        for shape in &mut names.by_shape {
            shape.name = filled(technique, frame, args, &shape.name).unwrap_or_default();
            shape.contains_title = true;
        }
        return names;
    }
    // The name that a join builds its title on is known only with a step.
    let [case, header] =
        [technique.variants.get(variant).and_then(|variant| variant.title.as_ref()), header(technique, space)]
            .map(|title| Some(filled(technique, title?, args, "")?.trim().to_string()));
    let title = if space == Space::Rc { case.clone().or(header) } else { header };
    let mut names = MemberNames {
        case,
        title: title.unwrap_or_else(|| technique.id.clone()),
        by_shape: Vec::new(),
        depends_on_match: false,
        can_be_title: true,
    };
    let Some(variant) = technique.variants.get(variant) else { return names };
    names.depends_on_match = variant.join.is_some();
    names.can_be_title = variant.step_titles.iter().all(|name| name.when.is_some());
    for name in &variant.step_titles {
        match filled(technique, &name.title, args, &names.title) {
            Some(text) => {
                names.by_shape.push(ShapeName { name: text, contains_title: builds_on_name(&name.title) });
            }
            None => names.depends_on_match = true,
        }
    }
    names
}

fn builds_on_name(title: &Template) -> bool {
    title.parts.iter().any(|part| matches!(part, TemplatePart::Name))
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
            TemplatePart::WordChoice { param, words, otherwise } => {
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
    let typed = fold_name(typed);
    let mut scored: Vec<(u32, &str)> = known
        .map(|name| ((1000.0 * (1.0 - strsim::jaro_winkler(&typed, &fold_name(name)))) as u32, name))
        .filter(|(distance, _)| *distance < 250)
        .collect();
    scored.sort_unstable();
    // Keep the first of spellings that are equal when fold_name: capitals sort first, so the display name.
    scored.dedup_by_key(|(_, name)| fold_name(name));
    scored.into_iter().take(3).map(|(_, name)| name.to_string()).collect()
}

/// The meaning of a typed name.
///
/// An id is one technique. Any other name may be shared by many rules: those of the rulebook with this name, and those that a catalogue
/// lists under it. If a catalogue lists several rules under a name, the name is an id only in the exact spelling of the rule.
#[derive(Clone, Debug)]
pub struct Meaning {
    /// The fold_name name.
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
        let mut targets = targets_named(typed).unwrap_or_default();
        targets.retain(|target| techniques.iter().any(|technique| technique.id == target.technique));
        let has_several = targets.iter().any(|target| target.technique != targets[0].technique);
        let mut ids = techniques.iter().map(|technique| &technique.id);
        let exact = ids.any(|one| one == id || !has_several && fold_name(one) == fold_name(id));
        if exact {
            targets.clear();
        }
        Meaning { wanted: fold_name(typed), exact, targets }
    }

    /// Returns true if the name is the id of a technique, whatever its spelling.
    pub fn is_id(&self, technique: &Technique) -> bool {
        fold_name(&technique.id) == self.wanted
    }

    /// Returns true if no catalogue knows the name.
    pub(super) fn is_uncatalogued(&self) -> bool {
        self.targets.is_empty()
    }

    /// Returns true if matches of the member can have the name.
    pub fn has_member(&self, technique: &Technique, member: &MemberId) -> bool {
        let own = self.is_id(technique) || fold_name(&member_label(&technique.id, &member.args)) == self.wanted;
        own || !self.exact && (self.is_name(technique, member) || self.is_target(technique, member, None))
    }

    /// Returns true if the step, found by this technique, has the name.
    pub fn has_step(&self, step: &Step, technique: &Technique) -> bool {
        let own = fold_name(&step.technique) == self.wanted
            || fold_name(&member_label(&step.technique, &step.member.args)) == self.wanted;
        own || !self.exact && (self.is_called(step, technique) || self.is_target(technique, &step.member, Some(step)))
    }

    /// Returns true if a title or a listed shape of the member has the name.
    fn is_name(&self, technique: &Technique, member: &MemberId) -> bool {
        header_of(technique, member).is_some_and(|header| fold_name(&header) == self.wanted)
            || names_of(technique, member).has(&self.wanted)
    }

    /// Returns true if the step has the name, or if its name builds on a title that is the name.
    fn is_called(&self, step: &Step, technique: &Technique) -> bool {
        let names = names_of(technique, &step.member);
        let builds = names.by_shape.iter().any(|shape| shape.contains_title && shape.name == step.name);
        fold_name(&step.name) == self.wanted
            || (builds && fold_name(&step.title) == self.wanted)
            || header_of(technique, &step.member)
                .is_some_and(|header| header != step.title && fold_name(&header) == self.wanted)
    }

    /// Returns true if a catalogue lists the member under the name and, for a step, includes the step's own name.
    fn is_target(&self, technique: &Technique, member: &MemberId, step: Option<&Step>) -> bool {
        self.targets.iter().any(|target| {
            target.row().covers(technique, member) && step.is_none_or(|step| target.is_called(&step.name))
        })
    }
}

/// Returns the title of the header, which all cases share.
pub(super) fn header_of(technique: &Technique, member: &MemberId) -> Option<String> {
    filled(technique, header(technique, member.space)?, &member.args, "")
}

/// The table of one program or site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// Name of the program or site.
    pub name: String,
    /// Origin of the codes and ratings, in one line.
    #[serde(default)]
    pub about: String,
    /// Techniques.
    pub entries: Vec<Entry>,
}

/// One technique of another program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Code there, with a variant if that matters: `0402-1`.
    #[serde(default)]
    pub code: Option<String>,
    /// Names there, the usual one first.
    pub names: Vec<String>,
    /// Difficulty there.
    #[serde(default)]
    pub rating: Option<f64>,
    /// Meaning here: matches of any of these. Empty if no rule is known for it.
    #[serde(default)]
    pub means: Vec<Target>,
    /// Further rules for its code in a library of that program, whose steps have more or fewer deductions than those of `means`. They are not
    /// found by its name.
    #[serde(default)]
    pub library: Vec<Target>,
}

impl Entry {
    /// Returns the meaning of its code in a library.
    pub fn answers(&self) -> impl Iterator<Item = &Target> {
        self.means.iter().chain(&self.library)
    }
}

/// Some matches of a technique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Id of the technique.
    pub technique: String,
    /// Members of a family: a range for each parameter; all members if empty.
    #[serde(default)]
    pub args: Vec<ArgRange>,
    /// Only this case.
    #[serde(default)]
    pub case: Option<String>,
    /// Only steps with one of these names; all if empty.
    #[serde(default)]
    pub called: Vec<String>,
}

impl Catalogue {
    /// Reads a table; `source` names it in errors.
    ///
    /// # Errors
    /// If the text is no table, with the place in the text.
    pub fn read(source: &str, text: &str) -> Result<Catalogue, ProfileError> {
        read_ron(source, text)
    }

    /// Returns a built-in table by name.
    pub fn embedded(name: &str) -> Option<Catalogue> {
        Catalogue::all_embedded().into_iter().find(|catalogue| catalogue.name == name)
    }

    /// Returns all built-in tables, sorted by file name.
    pub fn all_embedded() -> Vec<Catalogue> {
        embedded::catalogues().iter().filter_map(|(name, text)| Catalogue::read(name, text).ok()).collect()
    }

    /// Returns the entry of a code; if its variant is not listed, the entry of the code without variant.
    pub fn by_code(&self, code: &str) -> Option<&Entry> {
        let codes = [code, code.split('-').next().unwrap_or(code)];
        codes.into_iter().find_map(|code| self.entries.iter().find(|entry| entry.code.as_deref() == Some(code)))
    }
}

impl Target {
    /// Returns the row of a profile about its members.
    pub(super) fn row(&self) -> Row {
        Row { case: self.case.clone(), ..Row::of(self.technique.clone(), self.args.clone()) }
    }

    /// Returns true if it means steps of this name.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.called.is_empty() || self.called.iter().any(|called| fold_name(called) == fold_name(name))
    }

    /// Returns its label: `id(2)`.
    pub fn label(&self) -> String {
        member_label(&self.technique, &self.args)
    }
}

/// Returns all meanings of a name or code in the tables, in the order of their files. `None` if no table has a rule for it.
pub fn targets_named(typed: &str) -> Option<Vec<Target>> {
    let mut targets: Vec<Target> = Vec::new();
    for target in entries_of(typed).into_iter().flat_map(|entry| &entry.means) {
        if !targets.contains(target) {
            targets.push(target.clone());
        }
    }
    (!targets.is_empty()).then_some(targets)
}

/// Returns the meaning of a name or code in the first table that has a rule for it. A profile uses the names of one program, which may
/// distinguish techniques that share a name in another.
pub(super) fn first_alias(typed: &str) -> Option<Vec<Target>> {
    entries_of(typed).first().map(|entry| entry.means.clone())
}

/// Returns the entries of a name, or else of a code, that mean a rule.
fn entries_of(typed: &str) -> Vec<&'static Entry> {
    // Read once: a profile asks for many names.
    static CATALOGUES: LazyLock<Vec<Catalogue>> = LazyLock::new(Catalogue::all_embedded);
    let wanted = fold_name(typed);
    let all = CATALOGUES.iter().flat_map(|catalogue| &catalogue.entries).filter(|entry| !entry.means.is_empty());
    let mut entries: Vec<&Entry> =
        all.filter(|entry| entry.names.iter().any(|name| fold_name(name) == wanted)).collect();
    if entries.is_empty() {
        entries.extend(CATALOGUES.iter().find_map(|catalogue| catalogue.by_code(typed.trim())));
        entries.retain(|entry| !entry.means.is_empty());
    }
    entries
}
