//! The rulebook to read and to start from. In: the id of a rule, the code of a message. Out: its text with an example, what it means.

use super::Refusal;
use crate::grid::BoardSpec;
use crate::lang::codes;
use crate::lang::ir::Technique;
use crate::solve::{Profile, Rulebook};
use crate::workbench::{names, scaffold};
use serde::Serialize;

/// What a page shows first.
#[derive(Debug, Serialize)]
pub struct Start {
    version: &'static str,
    rules: Vec<Entry>,
    /// Boards that have a name.
    boards: Vec<String>,
    /// A rule to begin with.
    plain: String,
}

/// A rule of the rulebook.
#[derive(Debug, Serialize)]
struct Entry {
    id: String,
    names: Vec<String>,
    family: String,
    /// The first lines of its comment.
    about: String,
}

/// A rule to start from.
#[derive(Debug, Serialize)]
pub struct RuleFileRecord {
    text: String,
    file: String,
    /// The grid of its first example, and its board.
    grid: Option<String>,
    board: Option<String>,
}

/// What a code means.
#[derive(Debug, Serialize)]
pub struct CodeRecord {
    code: &'static str,
    text: &'static str,
    bad: &'static str,
    good: &'static str,
}

/// The rules in the order of the default profile, those that it does not use last.
pub fn start(rulebook: &Rulebook) -> Start {
    let profile = Profile::default().resolved(rulebook.techniques());
    let place = |id: &str| profile.rows.iter().position(|row| row.technique == id).unwrap_or(usize::MAX);
    let mut all: Vec<&Technique> = rulebook.techniques().iter().collect();
    all.sort_by_key(|one| place(&one.id));
    let rules = all.into_iter().map(|one| entry(rulebook, one)).collect();
    let boards = BoardSpec::variants().into_iter().map(|spec| spec.name).collect();
    Start { version: env!("CARGO_PKG_VERSION"), rules, boards, plain: scaffold::plain("my_rule") }
}

fn entry(rulebook: &Rulebook, technique: &Technique) -> Entry {
    let file = rulebook.file_of(&technique.id).map_or("", |file| file.name.as_str());
    let family = file.split('/').nth(1).unwrap_or_default().replace('_', " ");
    let about: Vec<&str> =
        technique.doc.iter().map(String::as_str).take_while(|line| !line.trim().is_empty()).collect();
    Entry {
        id: technique.id.clone(),
        names: names::names(technique),
        family,
        about: about.join(" ").trim().to_string(),
    }
}

/// A rule with an example and a near miss.
pub fn rule(rulebook: &Rulebook, id: &str) -> Result<RuleFileRecord, Refusal> {
    let missing = || format!("there is no technique `{id}`");
    let technique = names::technique(rulebook, id).ok_or_else(missing)?;
    let text = scaffold::like(rulebook, &technique.id, &technique.id).ok_or_else(missing)?;
    let example = technique.examples.iter().find(|one| !one.near_miss && one.after.is_empty());
    Ok(RuleFileRecord {
        text,
        file: rulebook.file_of(&technique.id).map_or_else(String::new, |file| file.name.clone()),
        grid: example.map(|one| one.grid.clone()),
        board: example.and_then(|one| one.board.clone()),
    })
}

/// What a code means.
pub fn explain(code: &str) -> Result<CodeRecord, Refusal> {
    let found = codes::all().find(|known| known.code == code);
    let codes::Code { code, text, bad, good } =
        found.ok_or_else(|| format!("there is no message with the code `{code}`"))?;
    Ok(CodeRecord { code, text: text.trim(), bad, good })
}
