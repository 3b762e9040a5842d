//! `pinion explain`. In: the code of a message. Out: what it means and what to do.

use super::exit::{Exit, Failure, Stop};
use super::output::Output;
use crate::lang;
use clap::Args;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion explain E0201

The codes stand in the messages of `pinion check`.";

/// Options.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The code, such as E0201
    #[arg(value_name = "CODE")]
    code: String,
}

/// Explains.
pub fn run(args: &ExplainArgs, out: &mut Output) -> Result<Exit, Stop> {
    let code = args.code.trim().to_uppercase();
    let Some(text) = explain(&code) else {
        let failure = Failure { exit: Exit::Short, message: format!("there is no message with the code `{code}`"), help: None };
        return Err(failure.help("a code is a letter and four digits, as in E0201; see docs/errors.md").into());
    };
    if out.is_text() { out.text(text)? } else { out.value(&text)? }
    Ok(Exit::Done)
}
fn explain(_: &str) -> Option<&'static str> { None }
