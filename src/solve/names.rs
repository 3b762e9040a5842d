//! Names of techniques, in Pinion and in other programs.
//!
//! - [`MemberNames`]: the names that the matches of a member can have.
//! - [`Catalogue`]: the names, codes and ratings of another program, read from RON.
//! - [`TypedName`]: a name as the user typed it, with tests for the members and steps that have the name.

use super::embedded;
use super::profile::{ArgRange, ProfileError, ProfileRow, read_ron};
use super::step::Step;
use crate::engine::MemberId;
use crate::lang::ir::{Space, Technique, Template, TemplatePart, member_label};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// Returns a name in lower case without blanks, hyphens and underscores, for comparison: `Two-Words` and `two_words`
/// become equal.
pub fn fold_name(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-') && !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// The names that matches of a member can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberNames {
    /// Title of the variant, if the variant has one.
    pub variant_title: Option<String>,
    /// Name of matches that no `called` line names: the title of the variant or of the header, or else the id.
    pub title: String,
    /// Names in the rule's `called` lines, in order.
    pub by_shape: Vec<ShapeName>,
    /// Names that depend on the match, with [`ANY_TEXT`] in place of the values of the match.
    pub patterns: Vec<String>,
    /// True if some match may have the title as its name.
    pub can_be_title: bool,
}

/// The name in a line `called "XY-Chain" when …` of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeName {
    pub name: String,
    pub contains_title: bool,
}

impl MemberNames {
    /// Returns the title, then the names in `called` lines.
    pub fn listed(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.title).chain(self.by_shape.iter().map(|shape| &shape.name))
    }

    /// Returns true if one of the listed names equals `name`.
    pub fn has(&self, name: &str) -> bool {
        self.listed().any(|listed| fold_name(listed) == fold_name(name))
    }

    /// Returns true if some match may be called `name`, whether the name is listed or not.
    pub fn may_have(&self, name: &str) -> bool {
        self.has(name) || self.patterns.iter().any(|pattern| fits(pattern, &fold_name(name)))
    }

    /// Returns true if the title of the variant equals `name`.
    pub fn is_variant_title(&self, name: &str) -> bool {
        self.variant_title.as_ref().is_some_and(|title| fold_name(title) == fold_name(name))
    }
}

/// Stands for any text in the pattern of a name.
const ANY_TEXT: &str = "\0";

/// Returns true if the pieces of the pattern occur in the folded name, one after the other.
fn fits(pattern: &str, name: &str) -> bool {
    let mut rest = name;
    for piece in pattern.split(ANY_TEXT).map(fold_name) {
        let Some(start) = rest.find(&piece) else { return false };
        rest = &rest[start + piece.len()..];
    }
    true
}

pub fn names_of(technique: &Technique, member: &MemberId) -> MemberNames {
    member_names(technique, member.variant, &member.args, member.space)
}

/// Returns the title of the technique's view of `space`. If the technique has no such view, returns the title of its header.
pub fn header(technique: &Technique, space: Space) -> Option<&Template> {
    match technique.views.iter().find(|view| view.space == space) {
        Some(view) => Some(&view.title),
        None => technique.title.as_ref(),
    }
}

/// Returns the title of the view of `space` if the title contains `{name}`, the place for the name in the grid:
/// `Seen by Rows {name}`.
pub fn view_title_with_name(technique: &Technique, space: Space) -> Option<&Template> {
    let title = &technique.views.iter().find(|view| view.space == space)?.title;
    contains_name(title).then_some(title)
}

/// Returns the names of one member in the grid or in a view.
pub fn member_names(technique: &Technique, variant: usize, args: &[u32], space: Space) -> MemberNames {
    if let Some(frame) = view_title_with_name(technique, space) {
        let mut names = member_names(technique, variant, args, Space::Rc);
        names.title = filled(technique, frame, args, &names.title).unwrap_or_default();
        for shape in &mut names.by_shape {
            shape.name = filled(technique, frame, args, &shape.name).unwrap_or_default();
            shape.contains_title = true;
        }
        for pattern in &mut names.patterns {
            *pattern = filled(technique, frame, args, pattern).unwrap_or_default();
        }
        return names;
    }
    let variant = technique.variants.get(variant);
    let variant_title = filled_title(technique, variant.and_then(|variant| variant.title.as_ref()), args);
    let header = filled_title(technique, header(technique, space), args);
    let title = if space == Space::Rc { variant_title.clone().or(header) } else { header };
    let mut names = MemberNames {
        variant_title,
        title: title.unwrap_or_else(|| technique.id.clone()),
        by_shape: Vec::new(),
        patterns: Vec::new(),
        can_be_title: true,
    };
    let Some(variant) = variant else { return names };
    if variant.join.is_some()
        && let Some(title) = variant.title.as_ref().or(technique.title.as_ref())
    {
        // The title of a `join` may contain the name of its first part, which depends on the match.
        names.patterns.extend(filled(technique, title, args, ANY_TEXT));
    }
    names.can_be_title = variant.step_titles.iter().all(|shape| shape.when.is_some());
    for shape in &variant.step_titles {
        match filled(technique, &shape.title, args, &names.title) {
            Some(name) => names.by_shape.push(ShapeName { name, contains_title: contains_name(&shape.title) }),
            None => {
                let any_value = |_: &TemplatePart| Some(ANY_TEXT.to_string());
                names.patterns.extend(filled_with(technique, &shape.title, args, &names.title, &any_value));
            }
        }
    }
    names
}

fn filled_title(technique: &Technique, title: Option<&Template>, args: &[u32]) -> Option<String> {
    let title = filled(technique, title?, args, "")?;
    Some(title.trim().to_string())
}

fn contains_name(title: &Template) -> bool {
    title.parts.iter().any(|part| matches!(part, TemplatePart::Name))
}

/// Fills the parameters and `{name}` of a title. Returns `None` if the title needs values of a match.
pub fn filled(technique: &Technique, template: &Template, args: &[u32], name: &str) -> Option<String> {
    filled_with(technique, template, args, name, &|_| None)
}

/// Fills the placeholders of a text. `value` returns the text of a placeholder that needs a match. Returns `None` if
/// `value` does.
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
                // The first word stands for the smallest value of the parameter.
                let low = technique.params.get(*param)?.low;
                let index = args.get(*param)?.checked_sub(low)? as usize;
                match words.get(index) {
                    Some(word) => out.push_str(word),
                    None => out.push_str(&filled_with(technique, otherwise.as_ref()?, args, name, value)?),
                }
            }
            TemplatePart::Var(_) | TemplatePart::Value(_) => out.push_str(&value(part)?),
        }
    }
    Some(out)
}

/// Largest Jaro-Winkler distance, in thousandths, of names that resemble each other.
const MAX_NAME_DISTANCE: u32 = 250;

/// Returns up to three names that resemble the typed name, the nearest first.
pub fn nearest<'n>(typed: &str, names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let typed = fold_name(typed);
    let mut by_distance: Vec<(u32, &str)> = names
        .map(|name| ((1000.0 * (1.0 - strsim::jaro_winkler(&typed, &fold_name(name)))) as u32, name))
        .filter(|(distance, _)| *distance < MAX_NAME_DISTANCE)
        .collect();
    by_distance.sort_unstable();
    // Capitals sort before small letters, so the first of several spellings is the display name.
    by_distance.dedup_by_key(|(_, name)| fold_name(name));
    by_distance.into_iter().take(3).map(|(_, name)| name.to_string()).collect()
}

/// A name as the user typed it, with the rules that it refers to.
///
/// An id means one technique. Any other name may mean several rules: the rules of the rulebook with this name, and the
/// rules that a catalogue lists under the name. If a catalogue lists several rules under a name, the name counts as an
/// id only if it is spelt exactly like the id.
#[derive(Clone, Debug)]
pub struct TypedName {
    /// The typed name, folded.
    name: String,
    /// True if the name is an id, with or without parameters. An id means nothing else.
    is_only_id: bool,
    /// Rules that catalogues list under the name.
    targets: Vec<Target>,
}

impl TypedName {
    /// Looks up a name in a rulebook and the catalogues.
    pub fn new(typed: &str, techniques: &[Technique]) -> TypedName {
        let typed = typed.trim();
        let id = typed.split('(').next().unwrap_or(typed);
        let mut targets = targets_named(typed).unwrap_or_default();
        targets.retain(|target| techniques.iter().any(|technique| technique.id == target.technique));
        let has_several_rules = targets.iter().any(|target| target.technique != targets[0].technique);
        let is_only_id = techniques
            .iter()
            .any(|technique| technique.id == id || !has_several_rules && fold_name(&technique.id) == fold_name(id));
        if is_only_id {
            targets.clear();
        }
        TypedName { name: fold_name(typed), is_only_id, targets }
    }

    /// Returns true if the name is the id of a technique, in any spelling.
    pub fn is_id(&self, technique: &Technique) -> bool {
        fold_name(&technique.id) == self.name
    }

    pub(super) fn is_catalogued(&self) -> bool {
        !self.targets.is_empty()
    }

    /// Returns true if matches of the member can have the name.
    pub fn covers_member(&self, technique: &Technique, member: &MemberId) -> bool {
        if self.is_id(technique) || fold_name(&member_label(&technique.id, &member.args)) == self.name {
            return true;
        }
        !self.is_only_id && (self.names_member(technique, member) || self.is_target(technique, member, None))
    }

    /// Returns true if the step, found by this technique, has the name.
    pub fn covers_step(&self, step: &Step, technique: &Technique) -> bool {
        if self.is_id(technique) || fold_name(&member_label(&step.technique, &step.member.args)) == self.name {
            return true;
        }
        !self.is_only_id && (self.names_step(step, technique) || self.is_target(technique, &step.member, Some(step)))
    }

    /// Returns true if the name is a title of the member or stands in a `called` line.
    fn names_member(&self, technique: &Technique, member: &MemberId) -> bool {
        header_of(technique, member).is_some_and(|header| fold_name(&header) == self.name)
            || names_of(technique, member).has(&self.name)
    }

    /// Returns true if the name is the step's name, the title of its header, or the title that the step's name
    /// contains.
    fn names_step(&self, step: &Step, technique: &Technique) -> bool {
        let names = names_of(technique, &step.member);
        let contains_title = names.by_shape.iter().any(|shape| shape.contains_title && shape.name == step.name);
        fold_name(&step.name) == self.name
            || (contains_title && fold_name(&step.title) == self.name)
            || header_of(technique, &step.member)
                .is_some_and(|header| header != step.title && fold_name(&header) == self.name)
    }

    /// Returns true if a catalogue lists the member under the name and, for a step, allows the step's own name.
    fn is_target(&self, technique: &Technique, member: &MemberId, step: Option<&Step>) -> bool {
        self.targets
            .iter()
            .any(|target| target.row().covers(technique, member) && step.is_none_or(|step| target.has_name(&step.name)))
    }
}

/// Returns the title of the header, which all variants share.
pub(super) fn header_of(technique: &Technique, member: &MemberId) -> Option<String> {
    filled(technique, header(technique, member.space)?, &member.args, "")
}

/// Names, codes and ratings of techniques in another program or site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    pub name: String,
    /// Origin of the codes and ratings, in one line.
    #[serde(default)]
    pub about: String,
    pub entries: Vec<Entry>,
}

/// One technique of another program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Code in the other program, with a variant if the variant matters: `0402-1`.
    #[serde(default)]
    pub code: Option<String>,
    /// Names in the other program, the usual name first.
    pub names: Vec<String>,
    /// Difficulty in the other program.
    #[serde(default)]
    pub rating: Option<f64>,
    /// Rules of Pinion whose matches the entry means; empty if no rule is known.
    #[serde(default)]
    pub means: Vec<Target>,
    /// Further rules for the code in the other program's library of test positions. The steps of these rules have more or
    /// fewer deductions than the steps of `means`, so the names of the entry do not mean these rules.
    #[serde(default)]
    pub library: Vec<Target>,
}

impl Entry {
    /// Returns all rules that the code means in a library: `means`, then `library`.
    pub fn library_targets(&self) -> impl Iterator<Item = &Target> {
        self.means.iter().chain(&self.library)
    }
}

/// A technique that an entry means, or some of its members or matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    pub technique: String,
    /// Ranges of the parameters that select members; empty for all members.
    #[serde(default)]
    pub args: Vec<ArgRange>,
    /// Title of the variant, if only one variant is meant.
    #[serde(rename = "case", default)]
    pub variant_title: Option<String>,
    /// Names of the steps that are meant; empty for all steps.
    #[serde(rename = "called", default)]
    pub match_names: Vec<String>,
}

impl Catalogue {
    /// Reads a table; `source` names it in errors.
    ///
    /// # Errors
    /// A message with line and column if the text is no table.
    pub fn read(source: &str, text: &str) -> Result<Catalogue, ProfileError> {
        read_ron(source, text)
    }

    pub fn embedded(name: &str) -> Option<Catalogue> {
        Catalogue::all_embedded().into_iter().find(|catalogue| catalogue.name == name)
    }

    /// Returns all built-in tables, sorted by file name.
    pub fn all_embedded() -> Vec<Catalogue> {
        embedded::CATALOGUES.iter().filter_map(|(name, text)| Catalogue::read(name, text).ok()).collect()
    }

    /// Returns the entry of a code. If the variant in a code (`0402-1`) has no entry, returns the entry of `0402`.
    pub fn by_code(&self, code: &str) -> Option<&Entry> {
        let codes = [code, code.split('-').next().unwrap_or(code)];
        codes.into_iter().find_map(|code| self.entries.iter().find(|entry| entry.code.as_deref() == Some(code)))
    }
}

impl Target {
    /// Returns a profile row that covers the members of the target.
    pub(super) fn row(&self) -> ProfileRow {
        let row = ProfileRow::for_members(self.technique.clone(), self.args.clone());
        ProfileRow { variant_title: self.variant_title.clone(), ..row }
    }

    /// Returns true if the target includes steps of this name.
    pub(super) fn has_name(&self, name: &str) -> bool {
        self.match_names.is_empty() || self.match_names.iter().any(|listed| fold_name(listed) == fold_name(name))
    }

    /// Returns the label of the target's members: `id(2)`.
    pub fn label(&self) -> String {
        member_label(&self.technique, &self.args)
    }
}

/// Returns all targets of a name or code in the catalogues, in the order of their files; `None` if no catalogue has a
/// rule for it.
pub fn targets_named(typed: &str) -> Option<Vec<Target>> {
    let mut targets: Vec<Target> = Vec::new();
    for target in entries_of(typed).into_iter().flat_map(|entry| &entry.means) {
        if !targets.contains(target) {
            targets.push(target.clone());
        }
    }
    (!targets.is_empty()).then_some(targets)
}

/// Returns the targets of a name or code in the first catalogue that lists it with a rule. A profile uses the names of one
/// program, and this program may distinguish techniques that share a name in another program.
pub(super) fn targets_in_first_catalogue(typed: &str) -> Option<Vec<Target>> {
    entries_of(typed).first().map(|entry| entry.means.clone())
}

/// Returns the entries with this name that mean a rule. If there are none, looks for an entry with this code.
fn entries_of(typed: &str) -> Vec<&'static Entry> {
    static CATALOGUES: LazyLock<Vec<Catalogue>> = LazyLock::new(Catalogue::all_embedded);
    let folded_name = fold_name(typed);
    let with_rules = CATALOGUES.iter().flat_map(|catalogue| &catalogue.entries).filter(|entry| !entry.means.is_empty());
    let mut entries: Vec<&Entry> =
        with_rules.filter(|entry| entry.names.iter().any(|name| fold_name(name) == folded_name)).collect();
    if entries.is_empty() {
        entries.extend(CATALOGUES.iter().find_map(|catalogue| catalogue.by_code(typed.trim())));
        entries.retain(|entry| !entry.means.is_empty());
    }
    entries
}
