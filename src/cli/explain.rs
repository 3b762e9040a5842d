//! `pinion explain`. In: the code of a message. Out: what it means, a text that has the fault and one that has not.

use super::exit::{Exit, Failure, Stop};
use super::output::Output;
use crate::grid::formats::CODES;
use crate::lang::codes;
use crate::render::{Line, Role};
use clap::Args;
use serde::Serialize;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion explain E0201

docs/errors.md lists the codes of rule files, docs/formats.md those of puzzles.";

/// Options.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The code, such as E0201
    #[arg(value_name = "CODE")]
    code: String,
}

#[derive(Serialize)]
struct CodeRecord {
    code: &'static str,
    text: &'static str,
    bad: &'static str,
    good: &'static str,
}

/// Explains.
pub fn run(args: &ExplainArgs, out: &mut Output) -> Result<Exit, Stop> {
    let typed = args.code.trim();
    if let Some((code, text)) = CODES.iter().find(|(code, _)| code.eq_ignore_ascii_case(typed)) {
        if out.is_text() {
            out.lines(&[Line::of(Role::Bad, *code).and(Role::Plain, format!(": {text}"))])?;
            let words = "A puzzle cannot be read. docs/formats.md says how puzzles are written.";
            out.lines(&[Line::default(), Line::text(words)])?;
        } else {
            out.value(&CodeRecord { code, text, bad: "", good: "" })?;
        }
        return Ok(Exit::Done);
    }
    let Some(found) = codes::all().find(|known| known.code.eq_ignore_ascii_case(typed)) else {
        let message = format!("there is no message with the code `{typed}`");
        let help =
            "a code is a letter and digits, as in E0201 or P03; docs/errors.md and docs/formats.md have them all";
        return Err(Failure { exit: Exit::Short, message, help: Some(help.into()) }.into());
    };
    if !out.is_text() {
        out.value(&CodeRecord { code: found.code, text: found.text, bad: found.bad, good: found.good })?;
        return Ok(Exit::Done);
    }
    let (title, rest) = found.text.trim().split_once('\n').unwrap_or((found.text.trim(), ""));
    out.lines(&[Line::of(Role::Bad, found.code).and(Role::Plain, format!(": {title}"))])?;
    out.lines(&rest.lines().map(Line::text).collect::<Vec<_>>())?;
    for (heading, text) in [("Wrong:", found.bad), ("Right:", found.good)] {
        out.lines(&[Line::default(), Line::of(Role::Name, heading)])?;
        out.lines(&text.trim_matches('\n').lines().map(|line| Line::text(format!("    {line}"))).collect::<Vec<_>>())?;
    }
    Ok(Exit::Done)
}
