//! Order and cost of techniques. In: RON text. Out: [`Profile`], plain data that names techniques by id.
//!
//! A row may be narrower than a technique: some members of a family, one case, one name by shape. A match
//! belongs to the first row that fits it, so narrow rows stand before wide ones.

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

/// The profile that is used when none is named.
pub const DEFAULT: &str = "default";

/// Order and cost of techniques.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The name it is chosen by.
    pub name: String,
    /// What it is for, in one line.
    #[serde(default)]
    pub about: String,
    /// The built-in profile that it changes: its rows are tried too, in their order, but where a row here is about the
    /// same, this one stands in its place. All other rows here come behind.
    #[serde(default)]
    pub base: Option<String>,
    /// How a puzzle is rated by the prices of its steps.
    #[serde(default)]
    pub rating: Rating,
    /// Which argument suppositions tell.
    #[serde(default)]
    pub suppositions: Suppositions,
    /// Expressions that prices and orders use by a name.
    #[serde(default)]
    pub named: BTreeMap<String, String>,
    /// What becomes of techniques that no row names; as in the base, if there is one and this says nothing.
    #[serde(default)]
    pub others: Others,
    /// Simplest first.
    pub rows: Vec<Row>,
}

/// Which argument suppositions tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Suppositions {
    /// The shortest.
    #[default]
    Shortest,
    /// The one that is found first: one inference after the other, up to the first contradiction.
    FirstFound,
}

/// Techniques that no row names come after all rows, in the order of the rule files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Others {
    /// They are not used.
    Off,
    /// They are used and cost nothing; the total says how many such steps there were.
    #[default]
    Unpriced,
    /// They are used at this price.
    After {
        /// For the first use.
        first: u32,
        /// For each further use.
        again: u32,
    },
}

/// How a puzzle is rated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rating {
    /// What the number is made of.
    #[serde(default)]
    pub by: By,
    /// What one is in prices: with 10, a price of 12 is printed as 1.2.
    #[serde(default = "one")]
    pub parts: u32,
    /// Levels from the lowest on, each with the largest number that it has, if it has one.
    #[serde(default)]
    pub levels: Vec<(String, Option<u64>)>,
    /// What a puzzle costs besides that no step is found for.
    #[serde(default)]
    pub unsolved: Option<u32>,
}

/// What a rating is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum By {
    /// The sum of all prices.
    #[default]
    Sum,
    /// The largest price: of all steps, up to the first placement, of the first step.
    Max,
}

fn one() -> u32 {
    1
}

/// Why a profile cannot be read.
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
    /// With the place in the text.
    pub fn read(source: &str, text: &str) -> Result<Profile, ProfileError> {
        let profile: Profile = read_ron(source, text)?;
        let Some(base) = profile.base.clone() else {
            return match profile.rows.iter().find(|row| row.after.is_some()) {
                None => profile.without_slips(source, text),
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
                whole.without_slips(source, text)
            }
            None => {
                let names: Vec<String> = Profile::all_embedded().into_iter().map(|one| one.name).collect();
                let names = names.join(", ");
                Err(ProfileError(format!("{source}: `{base}` is not a profile to build on; there are {names}")))
            }
        }
    }

    /// A profile without rows.
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

    /// The profile with the rows of the one that it changes.
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
            // What says the same comes in the order of the file.
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

    /// A profile of the binary, by its name.
    pub fn embedded(name: &str) -> Option<Profile> {
        let file = format!("{name}.ron");
        let (name, text) = embedded::profiles().iter().find(|(path, _)| path.rsplit('/').next() == Some(&file))?;
        Profile::read(name, text).ok()
    }

    /// Every profile of the binary, by file name.
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
    /// How its searches go.
    pub(super) fn limits(&self, limits: Limits) -> Limits {
        Limits { first_found: self.suppositions == Suppositions::FirstFound, ..limits }
    }

    /// The profile with ids in the place of other names: a row whose technique is no id but a name or a code that some
    /// program has for it becomes a row for each rule that answers to it.
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
