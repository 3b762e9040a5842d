//! Order and cost of techniques. In: RON text. Out: a checked [`Profile`], whose rows name techniques by id.
//!
//! A [`ProfileRow`] may cover a part of a technique: some members, one variant, or the matches that the rule gives a
//! certain name (`called "…"`). A match belongs to the first row that covers the match, so rows for a part stand before
//! the row for the whole technique.

use super::embedded;
use super::names::{Target, fold_name, names_of, targets_in_first_catalogue};
use super::price::{RowPrice, read_order};
use crate::engine::{Limits, MemberId};
use crate::lang::diagnostic::{Diagnostic, line_and_column};
use crate::lang::ir::{Space, Technique, member_label};
use crate::lang::line_ends::lone_cr_as_lf;
use crate::lang::{is_price_word, price};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Name of the profile that is used by default.
pub const DEFAULT: &str = "default";

/// Order and cost of techniques.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub name: String,
    /// Purpose, in one line.
    #[serde(default)]
    pub about: String,
    /// Built-in profile to build on. The rows of the base come first. A row of this profile replaces the row of the base
    /// that covers the same matches. A row with `after` is inserted after the rows of the named technique. All other rows
    /// of this profile come last.
    #[serde(default)]
    pub base: Option<String>,
    /// Rating of puzzles by the prices of their steps.
    #[serde(default)]
    pub rating: Rating,
    /// Choice among several derivations under a supposition.
    #[serde(default)]
    pub suppositions: Suppositions,
    /// Named expressions for prices and orders.
    #[serde(default)]
    pub named: BTreeMap<String, String>,
    /// Use of techniques without a row. Default: the setting of the base, or [`OtherTechniques::Unpriced`] without a
    /// base.
    #[serde(default)]
    pub others: OtherTechniques,
    pub rows: Vec<ProfileRow>,
}

/// Choice among several derivations under a supposition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Suppositions {
    /// The shortest derivation.
    #[default]
    Shortest,
    /// The derivation that is found first: inferences are made one at a time until there is a contradiction.
    FirstFound,
}

/// Use of techniques without a row. Such techniques come after all rows, in the order of the rule files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OtherTechniques {
    Off,
    /// Used without a price. The cost of a path lists the steps without a price.
    #[default]
    Unpriced,
    /// Used at this price.
    #[serde(rename = "After")]
    Priced {
        /// Price of the first use.
        first: u32,
        /// Price of each further use.
        again: u32,
    },
}

/// Rating of puzzles by the prices of their steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rating {
    /// Sum or maximum of the prices.
    #[serde(default)]
    pub by: RatingBy,
    /// Divisor of printed ratings: with 10, a price of 12 is printed as 1.2.
    #[serde(rename = "parts", default = "default_divisor")]
    pub divisor: u32,
    /// Names of the levels from the lowest on, each with its largest rating. Only the last level may have no largest
    /// rating.
    #[serde(default)]
    pub levels: Vec<(String, Option<u64>)>,
    /// Price of a puzzle that is stuck, in addition to its steps.
    #[serde(default)]
    pub unsolved: Option<u32>,
}

/// Function that computes the rating of a path from the prices of its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RatingBy {
    #[default]
    Sum,
    Max,
}

fn default_divisor() -> u32 {
    1
}

/// The reason why a profile cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ProfileError(pub String);

/// Reads RON; `source` names it in errors.
pub(super) fn read_ron<T: serde::de::DeserializeOwned>(source: &str, text: &str) -> Result<T, ProfileError> {
    ron::Options::default()
        .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
        .from_str(&lone_cr_as_lf(text))
        .map_err(|error| {
            let position = error.span.start;
            let message = match error.code {
                ron::Error::ExpectedComma => "a comma is missing here; text and expressions stand in quotes".to_owned(),
                ron::Error::ExpectedString => "text is missing here, in quotes".to_owned(),
                code => code.to_string(),
            };
            ProfileError(format!("{source}:{}:{}: {message}", position.line, position.col))
        })
}

impl Default for Profile {
    fn default() -> Self {
        Profile::embedded(DEFAULT).unwrap_or_else(Profile::empty)
    }
}

impl Profile {
    /// Reads a profile; `source` names it in errors.
    ///
    /// # Errors
    /// A message with line and column if the text is no profile.
    pub fn read(source: &str, text: &str) -> Result<Profile, ProfileError> {
        let profile: Profile = read_ron(source, text)?;
        let profile = profile.with_base().map_err(|message| ProfileError(format!("{source}: {message}")))?;
        let fault =
            profile.unknown_level().or_else(|| profile.level_out_of_order()).or_else(|| profile.unusable_name());
        match fault {
            None => Ok(profile),
            Some(ProfileFault { quoted, message }) => {
                Err(ProfileError(format!("{source}{}: {message}", position_of(&quoted, text))))
            }
        }
    }

    pub fn empty() -> Profile {
        Profile {
            name: DEFAULT.into(),
            about: String::new(),
            base: None,
            rating: Rating::default(),
            suppositions: Suppositions::default(),
            named: BTreeMap::new(),
            others: OtherTechniques::default(),
            rows: Vec::new(),
        }
    }

    /// Returns the profile with the rows and settings of its base, if it has a base.
    fn with_base(self) -> Result<Profile, String> {
        let Some(name) = &self.base else {
            return match self.rows.iter().find(|row| row.after.is_some()) {
                None => Ok(self),
                Some(ProfileRow { technique, .. }) => Err(format!(
                    "the row of `{technique}` says `after`, but the profile has no `base` with rows to follow"
                )),
            };
        };
        let base = Profile::embedded(name).ok_or_else(|| {
            let names: Vec<String> = Profile::all_embedded().into_iter().map(|profile| profile.name).collect();
            format!("`{name}` is not a profile to build on; there are {}", names.join(", "))
        })?;
        let mut rows = base.rows;
        for row in self.rows {
            let replaced = rows.iter().position(|base_row| base_row.covers_same_matches(&row));
            let Some(predecessor) = &row.after else {
                match replaced {
                    Some(index) => rows[index] = row,
                    None => rows.push(row),
                }
                continue;
            };
            if let Some(index) = replaced {
                rows.remove(index);
            }
            // Rows with the same predecessor stay in the order of the file.
            let index = rows
                .iter()
                .rposition(|earlier| earlier.technique == *predecessor || earlier.after.as_ref() == Some(predecessor));
            let Some(index) = index else {
                let technique = &row.technique;
                return Err(format!(
                    "the row of `{technique}` comes after `{predecessor}`, which has no row in the base"
                ));
            };
            rows.insert(index + 1, row);
        }
        Ok(Profile {
            rows,
            others: unless_default(self.others, base.others),
            rating: unless_default(self.rating, base.rating),
            suppositions: unless_default(self.suppositions, base.suppositions),
            named: base.named.into_iter().chain(self.named).collect(),
            ..self
        })
    }

    pub fn embedded(name: &str) -> Option<Profile> {
        let file = format!("{name}.ron");
        let (name, text) = embedded::PROFILES.iter().find(|(path, _)| path.rsplit('/').next() == Some(&file))?;
        Profile::read(name, text).ok()
    }

    /// Returns all built-in profiles, sorted by file name.
    pub fn all_embedded() -> Vec<Profile> {
        embedded::PROFILES.iter().filter_map(|(name, text)| Profile::read(name, text).ok()).collect()
    }

    /// Adds the profile's choice of derivations to the limits of a search.
    pub(super) fn limits(&self, limits: Limits) -> Limits {
        Limits { first_found: self.suppositions == Suppositions::FirstFound, ..limits }
    }

    /// Replaces the names of techniques by ids. A row with a name or code of another program becomes a row for each
    /// rule that the name means.
    pub fn resolved(&self, techniques: &[Technique]) -> Profile {
        let rows = self.rows.iter().flat_map(|row| {
            if techniques.iter().any(|technique| technique.id == row.technique) {
                return vec![row.clone()];
            }
            if let Some(targets) = targets_in_first_catalogue(&row.technique) {
                return row.rows_for(&targets);
            }
            let name = fold_name(&row.technique);
            let id = techniques.iter().map(|technique| &technique.id).find(|id| fold_name(id) == name);
            vec![ProfileRow { technique: id.unwrap_or(&row.technique).clone(), ..row.clone() }]
        });
        Profile { rows: rows.collect(), ..self.clone() }
    }

    /// Finds a row with a level that the rating does not have.
    fn unknown_level(&self) -> Option<ProfileFault> {
        let names: Vec<String> = self.rating.levels.iter().map(|(name, _)| name.clone()).collect();
        let row = self.rows.iter().find(|row| row.level.as_ref().is_some_and(|level| !names.contains(level)))?;
        let level = row.level.clone()?;
        let existing = match names.as_slice() {
            [] => "the rating has no `levels`".to_owned(),
            names => format!("there are {}", names.join(", ")),
        };
        let message =
            format!("the row of `{}` has the level `{level}`, which the rating does not have; {existing}", row.label());
        Some(ProfileFault { quoted: level, message })
    }

    /// Finds a level that no puzzle can have: levels stand from the lowest on, and only the last level may have no end.
    fn level_out_of_order(&self) -> Option<ProfileFault> {
        for pair in self.rating.levels.windows(2) {
            let [(low, low_end), (high, high_end)] = pair else { continue };
            let Some(low_end) = low_end else {
                let message = format!(
                    "the level `{low}` has no end, so no puzzle has `{high}`: only the last level may have none"
                );
                return Some(ProfileFault { quoted: low.clone(), message });
            };
            if let Some(high_end) = high_end
                && high_end <= low_end
            {
                let message = format!(
                    "the level `{high}` ends at {high_end}, and `{low}` before it at {low_end}, so no puzzle has it: \
                     levels stand from the lowest on"
                );
                return Some(ProfileFault { quoted: high.clone(), message });
            }
        }
        None
    }

    /// Finds a named expression that prices cannot use, because its name is a word of the language or no name at all.
    fn unusable_name(&self) -> Option<ProfileFault> {
        let name = self.named.keys().find(|name| !is_name(name) || is_price_word(name))?;
        let message = if is_name(name) {
            format!("`{name}` is a word of the language; give the expression another name")
        } else {
            format!("`{name}` cannot stand in a price: a name has letters, digits and `_`, a letter first")
        };
        Some(ProfileFault { quoted: name.clone(), message })
    }
}

/// A fault of a profile that is valid RON.
struct ProfileFault {
    /// The faulty text; it stands in quotes in the file.
    quoted: String,
    message: String,
}

/// Returns `value` unless it is the default; for the default, returns the base's value.
fn unless_default<T: Default + PartialEq>(value: T, base: T) -> T {
    if value == T::default() { base } else { value }
}

/// Returns line and column of a quoted text: `:3:7`; empty if the text does not occur.
fn position_of(quoted: &str, text: &str) -> String {
    let Some(start) = text.find(&format!("\"{quoted}\"")) else { return String::new() };
    let (line, column) = line_and_column(text, start);
    format!(":{line}:{column}")
}

/// Returns true for a letter followed by letters, digits and `_`.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Groups of matches. Only the shortest match of a group counts, even if a longer match has a lower price.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchGroups {
    /// Group keys: matches with equal values of these expressions form a group.
    #[serde(deserialize_with = "read_order")]
    pub by: Vec<String>,
    /// Sort keys among equally short matches. Among matches with equal keys, the match that is found first counts.
    #[serde(default, deserialize_with = "read_order", skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Row", deny_unknown_fields)]
pub struct ProfileRow {
    /// Name of the row in tables, if it differs from the name of the rule.
    #[serde(default)]
    pub title: Option<String>,
    /// Id of the technique, or its name or code in another program.
    pub technique: String,
    /// Ranges of the parameters that select members; empty for all members.
    #[serde(default)]
    pub args: Vec<ArgRange>,
    /// Title of the variant, if the row covers one variant only.
    #[serde(rename = "case", default)]
    pub variant_title: Option<String>,
    /// Name of the matches, if the row covers only the matches that the rule gives this name.
    #[serde(rename = "called", default)]
    pub match_name: Option<String>,
    /// Name of the group. Rows of one group count their uses together.
    #[serde(default)]
    pub group: Option<String>,
    /// Name of the list. Neighbouring rows of one list compete: the match with the smallest price is taken. Among
    /// matches of equal price, the smallest `order` wins, then the shortest match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<String>,
    /// Sort keys for equally cheap matches, as expressions of the match. The smallest first key wins, then the smallest
    /// second key, and so on.
    #[serde(default, deserialize_with = "read_order", skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// Groups of matches; only the shortest match of a group counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alike: Option<MatchGroups>,
    /// Level that a puzzle has at least if its path uses the row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// True to eliminate the other candidates of a cell instead of placing its digit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub eliminates: bool,
    /// Cost of the first use: a number, or an expression of the match.
    #[serde(default)]
    pub first: Option<RowPrice>,
    /// Cost of each further use. Default: `first`.
    #[serde(default)]
    pub again: Option<u32>,
    /// False to exclude the matches of the row.
    #[serde(default = "enabled_by_default")]
    pub enabled: bool,
    /// Id of a technique of the base profile. The row is inserted after the last row of this technique.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl ProfileRow {
    /// Returns a row without a price for some members of a technique.
    pub fn for_members(technique: String, args: Vec<ArgRange>) -> ProfileRow {
        ProfileRow { technique, args, enabled: true, ..ProfileRow::default() }
    }

    /// Returns true if every clause of the price has a condition, as in `12 when #s = 2`. Such a row takes only the
    /// matches to which a clause applies.
    pub fn is_conditional(&self) -> bool {
        let clauses = self.first.as_ref().and_then(RowPrice::clauses);
        clauses.is_some_and(|clauses| clauses.iter().all(|clause| clause.contains(" when ")))
    }

    /// Returns true if the row takes all matches of its members.
    pub fn takes_all(&self) -> bool {
        self.match_name.is_none() && !self.is_conditional()
    }

    pub(super) fn covers_same_matches(&self, other: &ProfileRow) -> bool {
        (&self.technique, &self.args, &self.variant_title, &self.match_name)
            == (&other.technique, &other.args, &other.variant_title, &other.match_name)
    }

    /// Returns true if the row covers matches of a member, whatever the names of the matches are.
    pub fn covers(&self, technique: &Technique, member: &MemberId) -> bool {
        self.technique == technique.id
            && (self.args.is_empty() || self.args.len() == member.args.len())
            && self.args.iter().zip(&member.args).all(|(range, &value)| range.has(value))
            && self.variant_title.as_ref().is_none_or(|title| names_of(technique, member).is_variant_title(title))
    }

    /// Returns the smallest value of each parameter that the row covers.
    pub(super) fn smallest_args(&self, technique: &Technique) -> Vec<u32> {
        match self.args.as_slice() {
            [] => technique.params.iter().map(|param| param.low).collect(),
            args => args.iter().map(|range| range.low).collect(),
        }
    }

    /// Returns the name of the row in tables.
    pub fn label(&self) -> String {
        let name = self.title.as_ref().or(self.match_name.as_ref()).or(self.variant_title.as_ref());
        name.cloned().unwrap_or_else(|| member_label(&self.technique, &self.args))
    }

    /// Returns rows with the price and title of this row, for the targets that its `technique` means.
    pub(super) fn rows_for(&self, targets: &[Target]) -> Vec<ProfileRow> {
        let mut rows = Vec::new();
        for target in targets {
            let row = ProfileRow {
                title: self.title.clone().or_else(|| Some(self.technique.clone())),
                technique: target.technique.clone(),
                args: if self.args.is_empty() { target.args.clone() } else { self.args.clone() },
                variant_title: self.variant_title.clone().or_else(|| target.variant_title.clone()),
                group: self.group.clone().or_else(|| Some(self.technique.clone())),
                ..self.clone()
            };
            for target_name in &target.match_names {
                let match_name = self.match_name.clone().or_else(|| Some(target_name.clone()));
                rows.push(ProfileRow { match_name, ..row.clone() });
            }
            if target.match_names.is_empty() {
                rows.push(row);
            }
        }
        rows
    }
}

fn enabled_by_default() -> bool {
    true
}

/// A range of values of a parameter, written as in a rule: `"4"`, `"3..6"`, `"5.."`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ArgRange {
    pub low: u32,
    /// Largest value, if there is one.
    pub high: Option<u32>,
}

impl ArgRange {
    /// Returns true if the value lies in the range.
    pub fn has(self, value: u32) -> bool {
        value >= self.low && self.high.is_none_or(|high| value <= high)
    }
}

impl TryFrom<String> for ArgRange {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (low, high) = text.split_once("..").unwrap_or((&text, &text));
        let high = if high.is_empty() { Ok(None) } else { high.trim().parse().map(Some) };
        let range = low.trim().parse().and_then(|low| Ok(ArgRange { low, high: high? }));
        let range: Self = range.map_err(|_: std::num::ParseIntError| {
            format!("`{text}` is not a range of numbers; write \"4\", \"3..6\" or \"5..\"")
        })?;
        match range.high {
            Some(high) if high < range.low => {
                Err(format!("`{text}` is an empty range; write the smaller number first: \"{high}..{}\"", range.low))
            }
            _ => Ok(range),
        }
    }
}

impl From<ArgRange> for String {
    fn from(range: ArgRange) -> String {
        range.to_string()
    }
}

impl fmt::Display for ArgRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.high {
            Some(high) if high == self.low => write!(f, "{high}"),
            Some(high) => write!(f, "{}..{high}", self.low),
            None => write!(f, "{}..", self.low),
        }
    }
}

/// A price of a profile with its errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceFault {
    /// The expression.
    pub text: String,
    /// Errors in the expression. Spans are byte offsets into `text`.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks the prices, orders and group keys of a profile. Returns each faulty expression once.
pub fn price_faults(profile: &Profile, techniques: &[Technique]) -> Vec<PriceFault> {
    let mut faults: Vec<PriceFault> = Vec::new();
    for row in &profile.rows {
        let price_clauses = row.first.as_ref().and_then(RowPrice::clauses).unwrap_or_default();
        let groups = row.alike.iter().flat_map(|groups| groups.by.iter().chain(&groups.order));
        let clauses = price_clauses.iter().chain(&row.order).chain(groups);
        for (technique, member) in covered_variants(row, techniques) {
            for text in clauses.clone() {
                let Err(diagnostics) = price(technique, member.variant, text, &profile.named) else { continue };
                if faults.iter().all(|fault| fault.text != *text) {
                    faults.push(PriceFault { text: text.clone(), diagnostics });
                }
            }
        }
    }
    faults
}

/// Returns the variants that a row covers, each as the member with the smallest parameters.
fn covered_variants<'t>(
    row: &'t ProfileRow,
    techniques: &'t [Technique],
) -> impl Iterator<Item = (&'t Technique, MemberId)> {
    let of_row = techniques.iter().enumerate().filter(|(_, technique)| technique.id == row.technique);
    of_row.flat_map(move |(index, technique)| {
        let args = row.smallest_args(technique);
        let members = (0..technique.variants.len()).map(move |variant| {
            (technique, MemberId { technique: index, args: args.clone(), variant, space: Space::Rc })
        });
        members.filter(move |(_, member)| row.covers(technique, member))
    })
}
