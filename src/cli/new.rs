//! `pinion new`. In: a name, perhaps a technique to begin with. Out: a rule file to change, and what to do with it.

use super::files::Project;
use super::rules::rulebook;
use crate::cli::prelude::*;
use crate::solve::nearest;
use crate::workbench::{names, scaffold};
use std::path::Path;

/// Write a complete rule file for you to change
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion new my_rule
  pinion new rules/my_rule --like NAME

The file has a correct rule, an example and a near miss, so you can change it step by step. With --like they are copied
from a technique of the rulebook. Pinion never overwrites a file.")]
pub struct NewArgs {
    /// The identifier of the new rule, or the path of its file
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// Begin with this technique: its id or the name of its steps
    #[arg(long, value_name = "TECHNIQUE")]
    like: Option<String>,
}

/// Writes the file.
pub fn run(args: &NewArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let (id, path) = target(&args.name)?;
    let known = rulebook(global)?;
    if let Some(file) = known.file_of(&id) {
        let failure = Failure::usage(format!("the rulebook has a technique `{id}` already, in {}", file.name));
        return Err(failure.help("a file with its id would replace it; choose another name").into());
    }
    let text = match &args.like {
        None => scaffold::first_rule(&id),
        Some(like) => {
            let technique = technique(&known, like)?;
            scaffold::like(&known, &technique, &id)
                .ok_or_else(|| Failure::usage(format!("there is no rule of `{technique}` to begin with")))?
        }
    };
    Project::around(std::slice::from_ref(&path)).create(&path, &text)?;
    if let Some(like) = args.like.as_ref().filter(|_| !text.contains("\nexample ")) {
        let hunt = format!("`pinion hunt --rules {} --technique {id}` looks for one", path.display());
        remark(&format!("`{like}` has no example, so the new file has none: {hunt}"));
    }
    let shown = path.display();
    let mut lines = vec![Line::of(Role::Good, format!("wrote {shown}")), Line::text("Next:")];
    for (command, does) in [
        ("check", "everything that is wrong with it"),
        ("test", "whether its example and its near miss hold"),
        ("prove", "whether it is right in every grid"),
        ("lint", "what could be better"),
        ("watch", "all of this whenever it is saved"),
    ] {
        lines.push(Line::text(format!("  pinion {command:<5} {shown}  ")).and(Role::Quiet, does));
    }
    out.answer(&path, || lines)?;
    Ok(Exit::Done)
}

/// The identifier and the file that a name stands for.
fn target(name: &Path) -> Result<(String, PathBuf), Failure> {
    let path = if name.extension().is_some_and(|one| one == "pinion") { name.into() } else { with_extension(name) };
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    match scaffold::identifier(&stem) {
        Some(id) if id == stem => Ok((id, path)),
        Some(id) => {
            let failure = Failure::usage(format!("`{stem}` cannot be the identifier of a rule"));
            Err(failure.help(format!("small letters, digits and `_`, no word of the language: `{id}` would do")))
        }
        None => Err(Failure::usage("the identifier of a rule has letters, digits and `_`")),
    }
}

fn with_extension(name: &Path) -> PathBuf {
    let mut whole = name.as_os_str().to_owned();
    whole.push(".pinion");
    whole.into()
}

/// The id of a technique by its id or by one of its names.
fn technique(rulebook: &Rulebook, typed: &str) -> Result<String, Failure> {
    if let Some(technique) = names::technique(rulebook, typed) {
        return Ok(technique.id.clone());
    }
    let ids = rulebook.techniques().iter().map(|technique| technique.id.clone());
    let all: Vec<String> = ids.chain(rulebook.techniques().iter().flat_map(names::names)).collect();
    let near = nearest(typed, all.iter().map(String::as_str));
    let failure = Failure::usage(format!("there is no technique `{typed}`"));
    Err(match near.first() {
        Some(near) => failure.help(format!("did you mean `{near}`? `pinion list` shows all")),
        None => failure.help("`pinion list` shows all"),
    })
}
