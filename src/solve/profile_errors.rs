//! Errors of a profile that a reader of RON does not see. In: a profile and its text, or the techniques that it prices. Out: the first
//! contradiction in its levels or names, with its place; expressions of prices that cannot be read.

use super::price::Price;
use super::profile::{Profile, ProfileError};
use super::row::Row;
use crate::engine::MemberId;
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Space, Technique};
use crate::lang::is_word_of_prices;
use crate::lang::price;

/// A price of a profile that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceFault {
    /// The expression.
    pub text: String,
    /// Diagnostics; positions are bytes of the expression.
    pub found: Vec<Diagnostic>,
}

/// Finds the prices of a profile that cannot be read, each expression once.
pub fn faults(profile: &Profile, techniques: &[Technique]) -> Vec<PriceFault> {
    let mut faults: Vec<PriceFault> = Vec::new();
    for row in &profile.rows {
        let price_of = row.first.as_ref().and_then(Price::clauses).unwrap_or_default();
        let groups = row.alike.iter().flat_map(|groups| groups.by.0.iter().chain(&groups.order.0));
        let clauses = price_of.iter().chain(&row.order.0).chain(groups);
        for (technique, member) in cases_of(row, techniques) {
            for text in clauses.clone() {
                let Err(found) = price(technique, member.variant, text, &profile.named) else { continue };
                if faults.iter().all(|fault| fault.text != *text) {
                    faults.push(PriceFault { text: text.clone(), found });
                }
            }
        }
    }
    faults
}

/// Returns the cases of the techniques that a row is about, each with one member.
fn cases_of<'t>(row: &'t Row, techniques: &'t [Technique]) -> impl Iterator<Item = (&'t Technique, MemberId)> {
    let known = techniques.iter().enumerate().filter(|(_, technique)| technique.id == row.technique);
    known.flat_map(move |(index, technique)| {
        let args: Vec<u32> = match row.args.as_slice() {
            [] => technique.params.iter().map(|param| param.low).collect(),
            args => args.iter().map(|range| range.low).collect(),
        };
        let variants = 0..technique.variants.len();
        let members =
            variants.map(move |variant| MemberId { technique: index, args: args.clone(), variant, space: Space::Rc });
        members.filter(move |member| row.speaks_of(technique, member)).map(move |member| (technique, member))
    })
}

impl Profile {
    /// Checks levels and names of expressions; `source` names the profile in errors.
    pub(super) fn checked(self, source: &str, text: &str) -> Result<Profile, ProfileError> {
        let fault = self.unknown_level().or_else(|| self.level_out_of_order()).or_else(|| self.unusable_name());
        let Some((quoted, words)) = fault else { return Ok(self) };
        let place = text.find(&format!("\"{quoted}\"")).map_or_else(String::new, |at| {
            let before = &text[..at];
            let line = before.matches('\n').count() + 1;
            format!(":{line}:{}", before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1)
        });
        Err(ProfileError(format!("{source}{place}: {words}")))
    }

    /// Finds a row's level that the rating does not have. Returns the name, and a message; so do the other checks.
    fn unknown_level(&self) -> Option<(String, String)> {
        let names: Vec<String> = self.rating.levels.iter().map(|(name, _)| name.clone()).collect();
        let row = self.rows.iter().find(|row| row.level.as_ref().is_some_and(|level| !names.contains(level)))?;
        let level = row.level.clone()?;
        let known = match names.as_slice() {
            [] => "the rating has no `levels`".to_owned(),
            names => format!("there are {}", names.join(", ")),
        };
        let words =
            format!("the row of `{}` has the level `{level}`, which the rating does not have; {known}", row.label());
        Some((level, words))
    }

    /// Finds a level that no puzzle can have: levels stand from the lowest on, and only the last may have no end.
    fn level_out_of_order(&self) -> Option<(String, String)> {
        let pair = self
            .rating
            .levels
            .windows(2)
            .find(|pair| pair[0].1.is_none_or(|low| pair[1].1.is_some_and(|high| high <= low)))?;
        let (low, high) = (&pair[0], &pair[1]);
        let words = match (low.1, high.1) {
            (Some(end), Some(next)) => format!(
                "the level `{}` ends at {next}, and `{}` before it at {end}, so no puzzle has it: levels stand from the lowest on",
                high.0, low.0
            ),
            _ => format!(
                "the level `{}` has no end, so no puzzle has `{}`: only the last level may have none",
                low.0, high.0
            ),
        };
        Some((if low.1.is_some() { &high.0 } else { &low.0 }.clone(), words))
    }

    /// Finds a name that prices cannot use: a word of the language, or no name at all.
    fn unusable_name(&self) -> Option<(String, String)> {
        let name = self.named.keys().find(|name| !is_name(name) || is_word_of_prices(name))?;
        let words = if is_name(name) {
            format!("`{name}` is a word of the language; give the expression another name")
        } else {
            format!("`{name}` cannot stand in a price: a name has letters, digits and `_`, a letter first")
        };
        Some((name.clone(), words))
    }
}

/// Returns true for a letter followed by letters, digits and `_`.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|one| one.is_ascii_alphanumeric() || one == '_')
}
