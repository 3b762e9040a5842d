//! What is nearly found. In: nothing. Out: [`Miss`], plain data: what is missing, what the match would show, and with which
//! change it would be one.

use super::mend::Mend;
use crate::lang::ir::Technique;
use crate::render::Scene;
use serde::Serialize;

/// A pattern that is one requirement short.
#[derive(Clone, Debug, Serialize)]
pub struct Miss {
    /// What it would be called.
    pub name: String,
    /// What would be there, as the headline of a step says it; empty where that is not known.
    pub pattern: String,
    /// What the names would stand for.
    pub names: Vec<(String, String)>,
    /// How many requirements hold, and of how many.
    pub met: (usize, usize),
    /// The first requirement that fails, in the language's words.
    pub requirement: String,
    /// Its line in the file.
    pub line: Option<usize>,
    /// What is missing, in the field's words.
    pub fails: String,
    /// What the match would show without the requirement; empty where nothing is left to show.
    pub would: String,
    /// How far off it is: 1 is nearest.
    pub distance: usize,
    /// The change of one candidate with which the rule itself matches.
    pub mend: Option<Mend>,
    /// The change of the rule, as an author would make it.
    pub change: String,
    /// The changed rule as a technique of its own: only member, only case.
    #[serde(skip)]
    pub changed: Option<Box<Technique>>,
    /// The pattern as it would be, in the grid.
    #[serde(skip)]
    pub scene: Option<Box<Scene>>,
    /// Whether the changed rule would be sound, in a few words; see [`super::judge()`].
    pub verdict: Option<String>,
}
