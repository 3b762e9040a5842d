//! The command line, the only module with files, clocks, threads and exit codes. In: arguments. Out: text on the standard output, messages
//! on the error stream, an exit code.
//!
//! A command reads its options (`args`), the rules and the profile (`rules`), and its puzzles. For each puzzle, it writes lines of text, or a
//! value as JSON or RON. Shared files, in reading order:
//!
//! - `exit`: failures and exit codes; `limits`: time, memory and signals; `progress`: progress bars.
//! - `output`: the standard output, tables, pictures, colours; `diagnostics`: diagnostics with their spans.
//! - `input`: reads text files and rule files; `files`: writes files; `source`, `pipe`: read puzzles one by one.
//! - `rules`: rulebooks, profiles and solvers.
//! - `batch`: commands that answer puzzle by puzzle; `corpus`: commands on collections, with many threads.
//!
//! Commands: `solve` (and hint) with `tour`, `find` (and explain-move), `why` (and why-not), `convert` work on puzzles; `rate`, `report`,
//! `audit`, `bench`, `experiments` (compare, stats), `hunt` on collections; `check` (and lint), `authoring` (new, fmt, emit), `test`,
//! `prove`, `watch`, `lsp` on rule files; `list` and `reference` print built-in data; `play` serves the playground.

/// Imports of nearly every command.
mod prelude {
    pub(super) use crate::cli::args::{BoardArg, Global, ProfileArg, PuzzleArg, UniquenessGuardArg, board_named};
    pub(super) use crate::cli::exit::{CommandError, Exit, Failure, remark};
    pub(super) use crate::cli::files;
    pub(super) use crate::cli::limits::{self, RunTimeArg, TimeArg, lock};
    pub(super) use crate::cli::output::{Output, PictureArg, Pictures, note};
    pub(super) use crate::cli::progress::announce_work;
    pub(super) use crate::cli::rules::{ASSUME_UNIQUE, Solvers};
    pub(super) use crate::engine::MemberId;
    pub(super) use crate::grid::formats::Puzzle;
    pub(super) use crate::grid::{Geometry, State, draw, notation};
    pub(super) use crate::lang::ir::Technique;
    pub(super) use crate::render::signs::visible;
    pub(super) use crate::render::{Line, Role, count_phrase};
    pub(super) use crate::solve::{Rulebook, Solver};
    pub(super) use clap::Args;
    pub(super) use serde::Serialize;
    pub(super) use std::cell::RefCell;
    pub(super) use std::collections::{BTreeMap, BTreeSet};
    pub(super) use std::num::NonZeroUsize;
    pub(super) use std::path::{Path, PathBuf};
    pub(super) use std::rc::Rc;
    pub(super) use std::sync::{Arc, Mutex};
    pub(super) use std::thread;
    pub(super) use std::time::{Duration, Instant};
}

mod args;
mod audit;
mod authoring;
mod batch;
mod bench;
mod check;
mod convert;
mod corpus;
pub mod diagnostics;
mod exit;
mod experiments;
mod files;
mod find;
mod hunt;
mod input;
mod limits;
mod list;
mod lsp;
mod output;
mod pipe;
mod play;
mod progress;
mod prove;
mod rate;
mod reference;
mod report;
mod rules;
mod solve;
mod source;
mod test;
pub mod tour;
mod watch;
mod why;

use crate::cli::args::OutputFormat;
use crate::cli::prelude::*;
use crate::render::signs;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// Solves Sudoku the way people do: every technique is a short text file
#[derive(Parser, Debug)]
#[command(name = "pinion", version, after_help = exit::HELP, max_term_width = 110)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Declares the commands: for each, the type of its options and the function that runs it.
macro_rules! commands {
    ($($name:ident($args:ty) => $run:path,)*) => {
        #[derive(Subcommand, Debug)]
        enum Command {
            $($name($args),)*
        }

        impl Command {
            fn run(&self, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
                match self {
                    $(Command::$name(args) => $run(args, global, out),)*
                }
            }
        }
    };
}

commands! {
    Solve(solve::SolveArgs) => solve::run,
    Rate(rate::RateArgs) => rate::run,
    Hint(solve::HintArgs) => solve::hint,
    Find(find::FindArgs) => find::run,
    Why(why::WhyArgs) => why::run,
    WhyNot(why::WhyNotArgs) => why::why_not,
    Report(report::ReportArgs) => report::run,
    Convert(convert::ConvertArgs) => convert::run,
    ExplainMove(find::ExplainMoveArgs) => find::explain_move,
    Audit(audit::AuditArgs) => audit::run,
    Bench(bench::BenchArgs) => bench::run,
    Compare(experiments::CompareArgs) => experiments::compare,
    Stats(experiments::StatsArgs) => experiments::stats,
    Hunt(hunt::HuntArgs) => hunt::run,
    Check(check::CheckArgs) => check::run,
    New(authoring::NewArgs) => authoring::new,
    Fmt(authoring::FmtArgs) => authoring::fmt,
    Lint(check::LintArgs) => check::run_lint,
    List(list::ListArgs) => list::list,
    Emit(authoring::EmitArgs) => authoring::emit,
    Prove(prove::ProveArgs) => prove::run,
    Test(test::TestArgs) => test::run,
    Watch(watch::WatchArgs) => watch::run,
    Lsp(lsp::LspArgs) => lsp::run,
    Play(play::PlayArgs) => play::run,
    Graph(reference::GraphArgs) => reference::graph,
    Board(reference::BoardArgs) => reference::draw_board,
    Explain(reference::ExplainArgs) => reference::explain,
    Completions(reference::CompletionsArgs) => reference::completions,
    Man(reference::ManArgs) => reference::man,
}

pub fn run() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        let trace = Backtrace::capture();
        let trace = if trace.status() == BacktraceStatus::Captured { format!("\n{trace}") } else { String::new() };
        let _ = writeln!(io::stderr(), "{}{trace}", signs::visible_lines(&panic.to_string()));
    }));
    let cli = match parse(std::env::args_os().collect()) {
        Ok(cli) => cli,
        Err(error) => return print_clap_error(&error),
    };
    output::set_colour_choice(cli.global.color);
    limits::catch_signals();
    if let Err(failure) = limits::require_address_space() {
        return exit::exit_of(Err(failure.into())).into();
    }
    limits::start_watchdog(cli.global.memory);
    let mut out = Output::new(cli.global.format);
    let mut result = run_command(&cli, &mut out);
    if let Err(error) = out.flush()
        && result.is_ok()
    {
        result = Err(CommandError::Io(error));
    }
    exit::exit_of(result).into()
}

/// Parses the command line. Makes control characters of the arguments visible in error messages.
fn parse(arguments: Vec<OsString>) -> Result<Cli, clap::Error> {
    match parse_unchanged(&arguments) {
        Ok(cli) => Ok(cli),
        Err(error) => {
            let mut visible = Vec::new();
            for argument in &arguments {
                visible.push(signs::visible(&argument.to_string_lossy()).into_owned().into());
            }
            // An error message quotes arguments, so a second parse, of the visible arguments, produces the message. If
            // the second parse succeeds, the first message remains.
            Err(parse_unchanged(&visible).err().unwrap_or(error))
        }
    }
}

fn parse_unchanged(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    Cli::from_arg_matches(&with_joined_help(Cli::command()).try_get_matches_from(arguments)?)
}

fn print_clap_error(error: &clap::Error) -> ExitCode {
    let message = error.render();
    let _ = if error.use_stderr() {
        write!(output::error_stream(), "{}", message.ansi())
    } else if output::wants_colours(io::stdout().is_terminal()) {
        write!(anstream::AutoStream::always(io::stdout()), "{}", message.ansi())
    } else {
        write!(io::stdout(), "{message}")
    };
    ExitCode::from(error.exit_code() as u8)
}

/// Joins the lines of each paragraph below the options, so that clap can wrap the paragraph to the width of the terminal.
fn with_joined_help(mut command: clap::Command) -> clap::Command {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_string()).collect();
    for name in names {
        command = command.mut_subcommand(name, |sub| {
            let text = sub.get_after_help().map(ToString::to_string).unwrap_or_default();
            sub.after_help(join_paragraphs(&text))
        });
    }
    command
}

fn join_paragraphs(text: &str) -> String {
    let mut out = String::new();
    let mut previous: Option<&str> = None;
    for line in text.lines() {
        if let Some(previous) = previous {
            // A line that ends with a colon stands above a list.
            let is_same_paragraph = is_prose(line) && is_prose(previous) && !previous.ends_with(':');
            out.push(if is_same_paragraph { ' ' } else { '\n' });
        }
        out.push_str(line);
        previous = Some(line);
    }
    out
}

/// Returns true for a line of a paragraph: neither empty nor indented.
fn is_prose(line: &str) -> bool {
    !line.is_empty() && !line.starts_with(' ')
}

fn run_command(cli: &Cli, out: &mut Output) -> Result<Exit, CommandError> {
    let global = &cli.global;
    let has_diagnostics = matches!(cli.command, Command::Check(_) | Command::Lint(_) | Command::Test(_));
    if global.format.is_for_diagnostics() && !has_diagnostics {
        let failure = Failure::usage("this command has no findings to annotate");
        return Err(failure.help("`--format sarif` and `--format github` are for check, lint and test").into());
    }
    if global.format.is_for_graphs() && !matches!(cli.command, Command::Graph(_)) {
        let failure = Failure::usage("this command has no graph to write");
        return Err(failure.help("`--format dot` and `--format graphml` are for graph").into());
    }
    if global.format != OutputFormat::Text && matches!(cli.command, Command::Man(_) | Command::Completions(_)) {
        return Err(Failure::usage("this command writes only text").help("leave out `--format`").into());
    }
    cli.command.run(global, out)
}
