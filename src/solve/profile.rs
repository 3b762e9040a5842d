//! Order and cost of techniques. In: RON text. Out: [`Profile`]: rows that name techniques by id, checked.
//!
//! A [`Row`] may be narrower than a technique: some members of a family, one case, one name by shape. A match belongs to the first row that
//! fits it, so narrow rows stand before wide ones.

use super::embedded;
use super::names::{Target, first_alias, fold_name, names_of};
use super::price::{RowPrice, read_order};
use crate::engine::{Limits, MemberId};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Space, Technique};
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
    /// Name by which users choose it.
    pub name: String,
    /// Purpose, in one line.
    #[serde(default)]
    pub about: String,
    /// Built-in profile to build on. Its rows come first, in their order; a row here about the same matches replaces one of them, and all
    /// other rows here follow.
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
    /// Use of techniques without a row; by default as in the base, if there is one.
    #[serde(default)]
    pub others: OtherTechniques,
    /// Rows, simplest first.
    pub rows: Vec<Row>,
}

/// Choice among several derivations under a supposition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Suppositions {
    /// The shortest derivation.
    #[default]
    Shortest,
    /// The derivation that is found first: one inference after the other, up to the first contradiction.
    FirstFound,
}

/// Use of techniques without a row. They come after all rows, in the order of the rule files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OtherTechniques {
    /// Not used.
    Off,
    /// Used without a price; the cost of a path lists their steps.
    #[default]
    Unpriced,
    /// Used at this price.
    After {
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
    /// Units of price in a rating of one: with 10, a price of 12 is printed as 1.2.
    #[serde(default = "one")]
    pub parts: u32,
    /// Levels from the lowest on, each with its largest number, if it has one.
    #[serde(default)]
    pub levels: Vec<(String, Option<u64>)>,
    /// Price of a puzzle that is stuck, in addition to its steps.
    #[serde(default)]
    pub unsolved: Option<u32>,
}

/// The way in which prices are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RatingBy {
    /// The sum of all prices.
    #[default]
    Sum,
    /// The largest price; also computed up to the first placement and for the first step.
    Max,
}

fn one() -> u32 {
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
            let at = error.span.start;
            let words = match error.code {
                ron::Error::ExpectedComma => "a comma is missing here; text and expressions stand in quotes".to_owned(),
                ron::Error::ExpectedString => "text is missing here, in quotes".to_owned(),
                code => code.to_string(),
            };
            ProfileError(format!("{source}:{}:{}: {words}", at.line, at.col))
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
    /// If the text is no profile, with the place in the text.
    pub fn read(source: &str, text: &str) -> Result<Profile, ProfileError> {
        let profile: Profile = read_ron(source, text)?;
        let whole = profile.with_base().map_err(|words| ProfileError(format!("{source}: {words}")))?;
        match whole.unknown_level().or_else(|| whole.level_out_of_order()).or_else(|| whole.unusable_name()) {
            None => Ok(whole),
            Some((quoted, words)) => Err(ProfileError(format!("{source}{}: {words}", place_of(&quoted, text)))),
        }
    }

    /// Returns a profile without rows.
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

    /// Adds the profile to the one that it builds on, if there is one.
    fn with_base(self) -> Result<Profile, String> {
        let Some(name) = &self.base else {
            return match self.rows.iter().find(|row| row.after.is_some()) {
                None => Ok(self),
                Some(Row { technique, .. }) => Err(format!(
                    "the row of `{technique}` says `after`, but there is no `base` with rows to come behind"
                )),
            };
        };
        let base = Profile::embedded(name).ok_or_else(|| {
            let names: Vec<String> = Profile::all_embedded().into_iter().map(|one| one.name).collect();
            format!("`{name}` is not a profile to build on; there are {}", names.join(", "))
        })?;
        let mut rows = base.rows;
        for row in self.rows {
            match (rows.iter().position(|other| other.covers_same_matches(&row)), &row.after) {
                (Some(at), None) => rows[at] = row,
                (None, None) => rows.push(row),
                (known, Some(before)) => {
                    known.map(|at| rows.remove(at));
                    // Rows behind the same technique stay in the order of the file.
                    let at = rows
                        .iter()
                        .rposition(|other| other.technique == *before || other.after.as_ref() == Some(before));
                    let at = at.ok_or_else(|| {
                        format!("the row of `{}` comes after `{before}`, which has no row in the base", row.technique)
                    })?;
                    rows.insert(at + 1, row);
                }
            }
        }
        Ok(Profile {
            rows,
            others: own_or(self.others, base.others),
            rating: own_or(self.rating, base.rating),
            suppositions: own_or(self.suppositions, base.suppositions),
            named: base.named.into_iter().chain(self.named).collect(),
            ..self
        })
    }

    /// Returns a built-in profile by name.
    pub fn embedded(name: &str) -> Option<Profile> {
        let file = format!("{name}.ron");
        let (name, text) = embedded::profiles().iter().find(|(path, _)| path.rsplit('/').next() == Some(&file))?;
        Profile::read(name, text).ok()
    }

    /// Returns all built-in profiles, sorted by file name.
    pub fn all_embedded() -> Vec<Profile> {
        embedded::profiles().iter().filter_map(|(name, text)| Profile::read(name, text).ok()).collect()
    }

    /// Adds the profile's choice of derivations to the limits of a search.
    pub(super) fn limits(&self, limits: Limits) -> Limits {
        Limits { first_found: self.suppositions == Suppositions::FirstFound, ..limits }
    }

    /// Replaces other names by ids: a row whose technique is a name or code of another program becomes a row for each rule with that meaning.
    pub fn resolved(&self, techniques: &[Technique]) -> Profile {
        let rows = self.rows.iter().flat_map(|row| {
            let mut ids = techniques.iter().map(|technique| &technique.id);
            if ids.clone().any(|id| *id == row.technique) {
                return vec![row.clone()];
            }
            first_alias(&row.technique).map(|means| row.rows_for(&means)).unwrap_or_else(|| {
                let id = ids.find(|id| fold_name(id) == fold_name(&row.technique)).unwrap_or(&row.technique);
                vec![Row { technique: id.clone(), ..row.clone() }]
            })
        });
        Profile { rows: rows.collect(), ..self.clone() }
    }

    /// Finds a row's level that the rating does not have. Returns the level, and a message; so do the other checks.
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
        let mut pairs = self.rating.levels.windows(2).map(|pair| (&pair[0], &pair[1]));
        pairs.find_map(|((low, low_end), (high, high_end))| match (low_end, high_end) {
            (None, _) => {
                let words = format!(
                    "the level `{low}` has no end, so no puzzle has `{high}`: only the last level may have none"
                );
                Some((low.clone(), words))
            }
            (Some(end), Some(next)) if next <= end => {
                let words = format!(
                    "the level `{high}` ends at {next}, and `{low}` before it at {end}, so no puzzle has it: \
                     levels stand from the lowest on"
                );
                Some((high.clone(), words))
            }
            _ => None,
        })
    }

    /// Finds a name that prices cannot use: a word of the language, or no name at all.
    fn unusable_name(&self) -> Option<(String, String)> {
        let name = self.named.keys().find(|name| !is_name(name) || is_price_word(name))?;
        let words = if is_name(name) {
            format!("`{name}` is a word of the language; give the expression another name")
        } else {
            format!("`{name}` cannot stand in a price: a name has letters, digits and `_`, a letter first")
        };
        Some((name.clone(), words))
    }
}

/// Returns a field of a profile, or that of its base if the profile leaves it out.
fn own_or<T: Default + PartialEq>(own: T, base: T) -> T {
    if own == T::default() { base } else { own }
}

/// Returns the place of a quoted text: `:3:7`; empty if the text is not there.
fn place_of(quoted: &str, text: &str) -> String {
    text.find(&format!("\"{quoted}\"")).map_or_else(String::new, |at| {
        let before = &text[..at];
        let line = before.matches('\n').count() + 1;
        format!(":{line}:{}", before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1)
    })
}

/// Returns true for a letter followed by letters, digits and `_`.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|one| one.is_ascii_alphanumeric() || one == '_')
}

/// Matches of a list of which only the shortest counts, whether it has a price or not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchGroups {
    /// Expressions of the match; those with equal values form a group.
    #[serde(deserialize_with = "read_order")]
    pub by: Vec<String>,
    /// Order among equally short matches; then the first that is found counts.
    #[serde(default, deserialize_with = "read_order", skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
}

/// One line of a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Name in the profile, if it differs from the rule's own name.
    #[serde(default)]
    pub title: Option<String>,
    /// Id of the technique, or its name or code in another program.
    pub technique: String,
    /// Members of a family: a range for each parameter; all members if empty.
    #[serde(default)]
    pub args: Vec<ArgRange>,
    /// Only this case.
    #[serde(default)]
    pub case: Option<String>,
    /// Only matches with this name.
    #[serde(default)]
    pub called: Option<String>,
    /// Rows of one group count their uses together.
    #[serde(default)]
    pub group: Option<String>,
    /// Neighbouring rows of one list are searched together: the match with the smallest price is taken; among equal prices, the one with the
    /// smallest `order`, then the shortest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<String>,
    /// Expressions of the match that choose among equally cheap ones: the smallest first value, then the smallest second value, and so on.
    #[serde(default, deserialize_with = "read_order", skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// Matches of which only one counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alike: Option<MatchGroups>,
    /// Lowest level of a puzzle that uses the row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// True if its steps place nothing: they eliminate the other candidates of the cell.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub eliminates: bool,
    /// Cost of the first use: a number, or an expression of the match.
    #[serde(default)]
    pub first: Option<RowPrice>,
    /// Cost of each further use; by default as the first.
    #[serde(default)]
    pub again: Option<u32>,
    /// A row that is off excludes its matches.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// In a profile that builds on another: the row follows the last row of this technique there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl Row {
    /// Returns a row for some members, without a price.
    pub fn of(technique: String, args: Vec<ArgRange>) -> Row {
        Row { technique, args, enabled: true, ..Row::default() }
    }

    /// Returns true if it takes only matches to which a clause of its price applies.
    pub fn is_conditional(&self) -> bool {
        let clauses = self.first.as_ref().and_then(RowPrice::clauses);
        clauses.is_some_and(|clauses| clauses.iter().all(|clause| clause.contains(" when ")))
    }

    /// Returns true if it takes all matches of its members.
    pub fn takes_all(&self) -> bool {
        self.called.is_none() && !self.is_conditional()
    }

    /// Returns true if it takes the same matches as another row.
    pub(super) fn covers_same_matches(&self, other: &Row) -> bool {
        (&self.technique, &self.args, &self.case, &self.called)
            == (&other.technique, &other.args, &other.case, &other.called)
    }

    /// Returns true if the row is about a member, whatever the names of its matches.
    pub fn covers(&self, technique: &Technique, member: &MemberId) -> bool {
        self.technique == technique.id
            && (self.args.is_empty() || self.args.len() == member.args.len())
            && self.args.iter().zip(&member.args).all(|(range, &value)| range.has(value))
            && self.case.as_ref().is_none_or(|case| names_of(technique, member).is_case(case))
    }

    /// Returns the smallest value of each parameter.
    pub(super) fn smallest_args(&self, technique: &Technique) -> Vec<u32> {
        match self.args.as_slice() {
            [] => technique.params.iter().map(|param| param.low).collect(),
            args => args.iter().map(|range| range.low).collect(),
        }
    }

    /// Returns the name of the row in tables.
    pub fn label(&self) -> String {
        let shape = self.title.as_ref().or(self.called.as_ref()).or(self.case.as_ref());
        shape.cloned().unwrap_or_else(|| member_label(&self.technique, &self.args))
    }

    /// Returns a row for each target of its name, all with its price and title.
    pub(super) fn rows_for(&self, means: &[Target]) -> Vec<Row> {
        let mut rows = Vec::new();
        for target in means {
            let row = Row {
                title: self.title.clone().or_else(|| Some(self.technique.clone())),
                technique: target.technique.clone(),
                args: if self.args.is_empty() { target.args.clone() } else { self.args.clone() },
                case: self.case.clone().or_else(|| target.case.clone()),
                group: self.group.clone().or_else(|| Some(self.technique.clone())),
                ..self.clone()
            };
            let called = target.called.iter().map(|called| Some(self.called.as_ref().unwrap_or(called).clone()));
            rows.extend(called.map(|called| Row { called, ..row.clone() }));
            if target.called.is_empty() {
                rows.push(row);
            }
        }
        rows
    }

    /// Returns the key by which uses are counted: the group, or the row alone.
    pub fn count_key(&self, index: usize) -> String {
        self.group.clone().unwrap_or_else(|| format!("#{index}"))
    }
}

/// Writes the name of a member or of several: `id`, `id(4)`, `id(5..)`.
pub fn member_label<T: fmt::Display>(technique: &str, args: &[T]) -> String {
    if args.is_empty() {
        return technique.into();
    }
    let args: Vec<String> = args.iter().map(T::to_string).collect();
    format!("{technique}({})", args.join(", "))
}

fn yes() -> bool {
    true
}

/// A range of values of a parameter, written as in a rule: `"4"`, `"3..6"`, `"5.."`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ArgRange {
    /// Smallest value.
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
        range.map_err(|_: std::num::ParseIntError| {
            format!("`{text}` is not a range of numbers; write \"4\", \"3..6\" or \"5..\"")
        })
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

/// A price of a profile that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceFault {
    /// The expression.
    pub text: String,
    /// Diagnostics; positions are bytes of the expression.
    pub diagnostics: Vec<Diagnostic>,
}

/// Finds the prices of a profile that cannot be read, each expression once.
pub fn price_faults(profile: &Profile, techniques: &[Technique]) -> Vec<PriceFault> {
    let mut faults: Vec<PriceFault> = Vec::new();
    for row in &profile.rows {
        let price_of = row.first.as_ref().and_then(RowPrice::clauses).unwrap_or_default();
        let groups = row.alike.iter().flat_map(|groups| groups.by.iter().chain(&groups.order));
        let clauses = price_of.iter().chain(&row.order).chain(groups);
        for (technique, member) in cases_of(row, techniques) {
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

/// Returns the cases of the techniques that a row is about, each with one member.
fn cases_of<'t>(row: &'t Row, techniques: &'t [Technique]) -> impl Iterator<Item = (&'t Technique, MemberId)> {
    let known = techniques.iter().enumerate().filter(|(_, technique)| technique.id == row.technique);
    known.flat_map(move |(index, technique)| {
        let args = row.smallest_args(technique);
        let members = (0..technique.variants.len()).map(move |variant| {
            (technique, MemberId { technique: index, args: args.clone(), variant, space: Space::Rc })
        });
        members.filter(move |(_, member)| row.covers(technique, member))
    })
}
