//! Order and cost of techniques. In: RON text. Out: [`Profile`], data that names techniques by id.
//!
//! A row may be narrower than a technique: some members of a family, one case, one name by shape. A match belongs to the first row that
//! fits it, so narrow rows stand before wide ones.

use super::catalogue::first_alias;
use super::embedded;
use super::names::folded;
use super::row::Row;
use crate::engine::Limits;
use crate::lang::ir::Technique;
use crate::lang::line_ends::lone_cr_as_lf;
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
    pub others: Others,
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
pub enum Others {
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
    pub by: By,
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
pub enum By {
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileError(pub String);

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ProfileError {}

impl Profile {
    /// Reads a profile; `source` names it in errors.
    ///
    /// # Errors
    /// If the text is no profile, with the place in the text.
    pub fn read(source: &str, text: &str) -> Result<Profile, ProfileError> {
        let profile: Profile = read_ron(source, text)?;
        let Some(base) = profile.base.clone() else {
            return match profile.rows.iter().find(|row| row.after.is_some()) {
                None => profile.checked(source, text),
                Some(row) => {
                    let words = "says `after`, but there is no `base` with rows to come behind";
                    Err(ProfileError(format!("{source}: the row of `{}` {words}", row.technique)))
                }
            };
        };
        match Profile::embedded(&base) {
            Some(base) => {
                let whole = profile.on(base);
                let whole = whole.map_err(|ProfileError(words)| ProfileError(format!("{source}: {words}")))?;
                whole.checked(source, text)
            }
            None => {
                let names: Vec<String> = Profile::all_embedded().into_iter().map(|one| one.name).collect();
                let names = names.join(", ");
                Err(ProfileError(format!("{source}: `{base}` is not a profile to build on; there are {names}")))
            }
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
            others: Others::default(),
            rows: Vec::new(),
        }
    }

    /// Adds the profile to the one that it builds on.
    fn on(self, base: Profile) -> Result<Profile, ProfileError> {
        let mut rows = base.rows;
        for row in self.rows {
            let known = rows.iter().position(|other| other.is_about(&row));
            let Some(before) = row.after.clone() else {
                match known {
                    Some(at) => rows[at] = row,
                    None => rows.push(row),
                }
                continue;
            };
            if let Some(at) = known {
                rows.remove(at);
            }
            // Rows behind the same technique stay in the order of the file.
            let is_before = |other: &Row| other.technique == before || other.after.as_ref() == Some(&before);
            let at = rows.iter().rposition(is_before).ok_or_else(|| {
                let row = &row.technique;
                ProfileError(format!("the row of `{row}` comes after `{before}`, which has no row in the base"))
            })?;
            rows.insert(at + 1, row);
        }
        let others = if self.others == Others::default() { base.others } else { self.others };
        let rating = if self.rating == Rating::default() { base.rating } else { self.rating };
        let suppositions =
            if self.suppositions == Suppositions::default() { base.suppositions } else { self.suppositions };
        let mut named = base.named;
        named.extend(self.named);
        Ok(Profile { rows, others, rating, suppositions, named, ..self })
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
}

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

impl Profile {
    /// Adds the profile's choice of derivations to the limits of a search.
    pub(super) fn limits(&self, limits: Limits) -> Limits {
        Limits { first_found: self.suppositions == Suppositions::FirstFound, ..limits }
    }

    /// Replaces other names by ids: a row whose technique is a name or code of another program becomes a row for each rule with that meaning.
    pub fn resolved(&self, techniques: &[Technique]) -> Profile {
        let has = |row: &Row| techniques.iter().any(|technique| technique.id == row.technique);
        let written_so = |name: &str| techniques.iter().find(|technique| folded(&technique.id) == folded(name));
        let rows = self.rows.iter().flat_map(|row| match (!has(row)).then(|| first_alias(&row.technique)) {
            None => vec![row.clone()],
            Some(Some(means)) => row.meaning(&means),
            Some(None) => {
                let id = written_so(&row.technique).map(|technique| technique.id.clone());
                vec![Row { technique: id.unwrap_or_else(|| row.technique.clone()), ..row.clone() }]
            }
        });
        Profile { rows: rows.collect(), ..self.clone() }
    }
}

impl Default for Profile {
    fn default() -> Self {
        Profile::embedded(DEFAULT).unwrap_or_else(Profile::empty)
    }
}
