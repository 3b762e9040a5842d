//! The rulebook to read and to start from. In: the id of a rule, or the code of a message. Out: the rule's text with an example, or the
//! explanation of the code.

use super::Refusal;
use crate::grid::BoardSpec;
use crate::lang::codes;
use crate::lang::ir::Technique;
use crate::solve::{Profile, Rulebook};
use crate::workbench::{names, scaffold};
use serde::Serialize;

/// Data for the first view of the page.
#[derive(Debug, Serialize)]
pub struct StartRecord {
    version: &'static str,
    rules: Vec<RuleEntry>,
    /// Names of boards.
    boards: Vec<String>,
    /// The text of a rule to begin with.
    #[serde(rename = "plain")]
    template: String,
}

/// A rule of the rulebook, for a list.
#[derive(Debug, Serialize)]
struct RuleEntry {
    id: String,
    names: Vec<String>,
    family: String,
    /// The first paragraph of its comment.
    about: String,
}

/// A rule to start from.
#[derive(Debug, Serialize)]
pub struct RuleFileRecord {
    text: String,
    file: String,
    /// The grid of its first example.
    grid: Option<String>,
    /// The board of that example, if it names one.
    board: Option<String>,
}

/// The explanation of a diagnostic code.
#[derive(Debug, Serialize)]
pub struct CodeRecord {
    code: &'static str,
    text: &'static str,
    bad: &'static str,
    good: &'static str,
}

/// Lists the rules in the order of the default profile, those that it does not use last.
pub fn start(rulebook: &Rulebook) -> StartRecord {
    let profile = Profile::default().resolved(rulebook.techniques());
    let mut techniques: Vec<&Technique> = rulebook.techniques().iter().collect();
    techniques.sort_by_key(|technique| {
        profile.rows.iter().position(|row| row.technique == technique.id).unwrap_or(usize::MAX)
    });
    let rules = techniques.into_iter().map(|technique| entry(rulebook, technique)).collect();
    let boards = BoardSpec::variants().into_iter().map(|spec| spec.name).collect();
    StartRecord { version: env!("CARGO_PKG_VERSION"), rules, boards, template: scaffold::first_rule("my_rule") }
}

fn entry(rulebook: &Rulebook, technique: &Technique) -> RuleEntry {
    let file = rulebook.file_of(&technique.id).map_or("", |file| file.name.as_str());
    let family = file.split('/').nth(1).unwrap_or_default().replace('_', " ");
    let about: Vec<&str> =
        technique.doc.iter().map(String::as_str).take_while(|line| !line.trim().is_empty()).collect();
    RuleEntry {
        id: technique.id.clone(),
        names: names::names(technique),
        family,
        about: about.join(" ").trim().to_string(),
    }
}

/// Returns the text of a rule with an example and a near miss.
pub fn rule(rulebook: &Rulebook, id: &str) -> Result<RuleFileRecord, Refusal> {
    let found = names::technique(rulebook, id)
        .and_then(|technique| Some((technique, scaffold::like(rulebook, &technique.id, &technique.id)?)));
    let (technique, text) = found.ok_or_else(|| format!("there is no technique `{id}`"))?;
    let example = technique.examples.iter().find(|one| !one.near_miss && one.after.is_empty());
    Ok(RuleFileRecord {
        text,
        file: rulebook.file_of(&technique.id).map_or_else(String::new, |file| file.name.clone()),
        grid: example.map(|one| one.grid.clone()),
        board: example.and_then(|one| one.board.clone()),
    })
}

/// Explains a diagnostic code.
pub fn explain(code: &str) -> Result<CodeRecord, Refusal> {
    let found = codes::all().find(|known| known.code == code);
    let codes::Code { code, text, bad, good } =
        found.ok_or_else(|| format!("there is no message with the code `{code}`"))?;
    Ok(CodeRecord { code, text: text.trim(), bad, good })
}
