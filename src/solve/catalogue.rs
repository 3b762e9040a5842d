//! Names of techniques in other programs. In: RON tables. Out: [`Catalogue`]s of names, codes and ratings, each with the rules that it means
//! here.
//!
//! A table only names and rates: a technique exists if the rulebook has it.

use super::embedded;
use super::names::folded;
use super::profile::ProfileError;
use super::row::{ArgRange, Row, member_label};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

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
        super::profile::read_ron(source, text)
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
        self.called.is_empty() || self.called.iter().any(|called| folded(called) == folded(name))
    }

    /// Returns its label: `id(2)`.
    pub fn label(&self) -> String {
        member_label(&self.technique, &self.args)
    }
}

/// Returns all meanings of a name or code in the tables, in the order of their files. `None` if no table has a rule for it.
pub fn alias(typed: &str) -> Option<Vec<Target>> {
    let mut targets: Vec<Target> = Vec::new();
    for entry in entries_of(typed) {
        targets.extend(entry.means.iter().filter(|target| !targets.contains(target)).cloned().collect::<Vec<_>>());
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
