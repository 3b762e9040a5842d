//! What other programs call techniques. In: RON tables. Out: [`Catalogue`]s: names, codes and ratings with what each of
//! them means here.
//!
//! A table only names and rates: a technique exists where the rulebook has it.

use super::arg_range::ArgRange;
use super::embedded;
use super::names::folded;
use super::profile::ProfileError;
use super::row::Row;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// The table of one program or site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// Its name.
    pub name: String,
    /// What the codes and ratings are, in one line.
    #[serde(default)]
    pub about: String,
    /// Its techniques.
    pub entries: Vec<Entry>,
}

/// One technique of another program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its code there, with a variant where that matters: `0402-1`.
    #[serde(default)]
    pub code: Option<String>,
    /// Its names, the usual one first.
    pub names: Vec<String>,
    /// Its difficulty there.
    #[serde(default)]
    pub rating: Option<f64>,
    /// What it is here: matches of any of these. Empty where no rule is known to answer to it.
    #[serde(default)]
    pub means: Vec<Target>,
    /// Rules that tell it as that program's library does, where it tells less or more in one step than `means`. They
    /// answer to its code in a library, not to its name.
    #[serde(default)]
    pub library: Vec<Target>,
}

impl Entry {
    /// What answers to its code in a library.
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
    /// Members of a family: a range for each parameter, all members where it is empty.
    #[serde(default)]
    pub args: Vec<ArgRange>,
    /// Only this case.
    #[serde(default)]
    pub case: Option<String>,
    /// Only steps with one of these names; all where it is empty.
    #[serde(default)]
    pub called: Vec<String>,
}

impl Catalogue {
    /// Reads a table; `source` names it in errors.
    ///
    /// # Errors
    /// With the place in the text.
    pub fn read(source: &str, text: &str) -> Result<Catalogue, ProfileError> {
        super::profile::read_ron(source, text)
    }

    /// A table of the binary, by its name.
    pub fn embedded(name: &str) -> Option<Catalogue> {
        Catalogue::all_embedded().into_iter().find(|catalogue| catalogue.name == name)
    }

    /// Every table of the binary, by file name.
    pub fn all_embedded() -> Vec<Catalogue> {
        embedded::catalogues().iter().filter_map(|(name, text)| Catalogue::read(name, text).ok()).collect()
    }

    /// The entry of a code; where a variant is not listed, that of the code without it.
    pub fn by_code(&self, code: &str) -> Option<&Entry> {
        let find = |wanted: &str| self.entries.iter().find(|entry| entry.code.as_deref() == Some(wanted));
        find(code).or_else(|| find(code.split('-').next()?))
    }
}

impl Target {
    /// The row of a profile that speaks of its members.
    pub(super) fn row(&self) -> Row {
        Row { case: self.case.clone(), ..Row::of(self.technique.clone(), self.args.clone()) }
    }

    /// Returns true if it means steps of this name.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.called.is_empty() || self.called.iter().any(|called| folded(called) == folded(name))
    }

    /// How it is shown: `id(2)`.
    pub fn label(&self) -> String {
        super::row::member_label(&self.technique, &self.args)
    }
}

/// Everything that the tables say a name or a code means, in the order of their files. `None` if no table has it, or
/// none knows a rule for it.
pub fn alias(typed: &str) -> Option<Vec<Target>> {
    let mut targets: Vec<Target> = Vec::new();
    for entry in entries_of(typed) {
        targets.extend(entry.means.iter().filter(|target| !targets.contains(target)).cloned().collect::<Vec<_>>());
    }
    (!targets.is_empty()).then_some(targets)
}

/// The meaning of a name or a code in the first table that has a rule for it. A profile speaks as one program does, which
/// may tell apart what another calls by one name.
pub(super) fn first_alias(typed: &str) -> Option<Vec<Target>> {
    entries_of(typed).first().map(|entry| entry.means.clone())
}

/// The entries of a name, or else of a code, that mean a rule.
fn entries_of(typed: &str) -> Vec<&'static Entry> {
    // Read once: a profile asks for many names.
    static CATALOGUES: OnceLock<Vec<Catalogue>> = OnceLock::new();
    let catalogues = CATALOGUES.get_or_init(Catalogue::all_embedded);
    let wanted = folded(typed);
    let has_name = |entry: &&Entry| entry.names.iter().any(|name| folded(name) == wanted);
    let mut entries: Vec<&Entry> =
        catalogues.iter().flat_map(|catalogue| &catalogue.entries).filter(has_name).collect();
    entries.retain(|entry| !entry.means.is_empty());
    if entries.is_empty() {
        entries.extend(catalogues.iter().find_map(|catalogue| catalogue.by_code(typed.trim())));
        entries.retain(|entry| !entry.means.is_empty());
    }
    entries
}
