//! `pinion completions` and `pinion man`. In: the commands as they are declared. Out: a script for a shell, manual pages.

use super::Cli;
use super::exit::{Exit, Stop};
use super::files::Project;
use super::output::Output;
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};
use std::path::PathBuf;

/// Examples of `completions`, below the options.
pub const COMPLETIONS_AFTER: &str = "\
Example:
  pinion completions bash > ~/.local/share/bash-completion/completions/pinion
  pinion completions zsh > ~/.zfunc/_pinion
  pinion completions fish > ~/.config/fish/completions/pinion.fish";

/// Examples of `man`, below the options.
pub const MAN_AFTER: &str = "\
Example:
  pinion man --out ~/.local/share/man/man1
  pinion man > pinion.1

Without --out the page of the program itself is printed; with it, that page and one for each command are written.";

/// Options of `completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// For which shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Options of `man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// Write the pages to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints a script.
pub fn completions(args: &CompletionsArgs, out: &mut Output) -> Result<Exit, Stop> {
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "pinion", &mut script);
    out.data(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

/// Prints or writes pages.
pub fn man(args: &ManArgs, out: &mut Output) -> Result<Exit, Stop> {
    let Some(folder) = &args.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page)?;
        out.data(&String::from_utf8_lossy(&page))?;
        return Ok(Exit::Done);
    };
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let project = Project::around(std::slice::from_ref(folder));
    for command in std::iter::once(&program).chain(program.get_subcommands()).filter(|one| !one.is_hide_set()) {
        let man = clap_mangen::Man::new(command.clone());
        let mut page = Vec::new();
        man.render(&mut page)?;
        project.write(&folder.join(man.get_filename()), &String::from_utf8_lossy(&page))?;
    }
    if out.is_text() {
        out.text(&format!("wrote the pages to {}", folder.display()))?;
    }
    Ok(Exit::Done)
}
