//! Names of techniques without a match. In: titles with placeholders, parameters. Out: the names that a member's
//! matches can have, and the comparison by which a user's spelling finds them.

use crate::engine::MemberId;
use crate::lang::ir::{Space, Technique, Template, TemplatePart};

/// A name as it is compared: small letters and digits only, so `Two-Words`, `two words` and `two_words` agree.
pub fn folded(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-') && !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// What the matches of a member can be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberNames {
    /// The filled title of the case, if the technique has cases.
    pub case: Option<String>,
    /// The name before its shape is looked at: the case's title, the header's, or the id.
    pub title: String,
    /// Names by shape, in order. Each says whether it builds on the title.
    pub called: Vec<(String, bool)>,
    /// Whether some name by shape depends on the match, so that it is not known here.
    pub open: bool,
    /// Whether some match may keep the title.
    pub title_stays: bool,
}

impl MemberNames {
    /// Every name that is known: the title first.
    pub fn all(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.title).chain(self.called.iter().map(|(name, _)| name))
    }
}

/// The names of one compiled member.
pub fn names_of(technique: &Technique, member: &MemberId) -> MemberNames {
    member_names(technique, member.variant, &member.args, member.space)
}

/// The header's title, or the title of a view.
pub fn header(technique: &Technique, space: Space) -> Option<&Template> {
    let view = technique.views.iter().find(|view| view.space == space).map(|view| &view.title);
    view.or(technique.title.as_ref())
}

/// The name of a view that is put around the names on the grid as it is, such as `Seen by Rows {name}`.
pub fn frame(technique: &Technique, space: Space) -> Option<&Template> {
    let title = &technique.views.iter().find(|view| view.space == space)?.title;
    title.parts.iter().any(|part| matches!(part, TemplatePart::Name)).then_some(title)
}

/// The names of one member in the grid as it is, or in a view.
pub fn member_names(technique: &Technique, variant: usize, args: &[u32], space: Space) -> MemberNames {
    if let Some(frame) = frame(technique, space) {
        let framed = |name: &str| filled(technique, frame, args, name).unwrap_or_default();
        let plain = member_names(technique, variant, args, Space::Rc);
        let called = plain.called.iter().map(|(name, _)| (framed(name), true)).collect();
        return MemberNames { title: framed(&plain.title), called, ..plain };
    }
    // What a join builds its title on is known only once there is a step.
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

/// A title with its parameters filled in; `None` if it needs a match.
pub fn filled(technique: &Technique, template: &Template, args: &[u32], name: &str) -> Option<String> {
    filled_with(technique, template, args, name, &|_| None)
}

/// Text with its placeholders filled; `value` speaks for what only a match knows. `None` if it has no answer.
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

/// The known names nearest to what was typed, best first.
pub fn nearest<'n>(typed: &str, known: impl Iterator<Item = &'n str>) -> Vec<String> {
    let typed = folded(typed);
    let mut scored: Vec<(u32, &str)> = known
        .map(|name| ((1000.0 * (1.0 - strsim::jaro_winkler(&typed, &folded(name)))) as u32, name))
        .filter(|(distance, _)| *distance < 250)
        .collect();
    scored.sort_unstable();
    // Of spellings that count as one the first will do: capitals, so the display name.
    scored.dedup_by_key(|(_, name)| folded(name));
    scored.into_iter().take(3).map(|(_, name)| name.to_string()).collect()
}
