//! The command line: the only room with files, clocks, threads and exit codes. In: arguments. Out: text on the standard output,
//! messages on the error stream, an exit code.
//!
//! A command reads its options (`args`), rules and profile (`rules`, `profiles`) and its puzzles, works on each, and writes lines or
//! values. Shared parts, in reading order:
//!
//! - `exit`: failures and exit codes; `limits`: time, memory and signals; `progress`: bars.
//! - `output`: the standard output, tables, pictures, colours; `diagnostics`: findings with their places.
//! - `input`: rule files and other texts; `files`: files that are written; `pipe`, `source`: puzzles as they are read.
//! - `rules`: rulebooks and solvers; `profiles`: faults of profiles; `admission`: whether a puzzle may be worked on.
//! - `batch`: commands that answer puzzle by puzzle; `corpus`: commands on collections, with many threads.
//!
//! Commands: `solve` (and hint) with `tour`, `find`, `why` (and why-not), `convert`, `explain_move` work on puzzles; `rate`, `report`,
//! `audit`, `bench`, `compare`, `stats`, `hunt` on collections; `check` (and lint), `fmt`, `new`, `emit`, `test`, `prove`, `watch`, `lsp`
//! on rule files; `lookups` prints what the program carries; `play` serves the playground.

/// Names that nearly every command uses.
mod prelude {
    pub(super) use crate::cli::args::{Global, GuardArg, ProfileArg, PuzzleArg, asked_board, board};
    pub(super) use crate::cli::exit::{Exit, Failure, Stop, remark};
    pub(super) use crate::cli::limits::{self, RunTimeArg, TimeArg, locked};
    pub(super) use crate::cli::output::{Output, note};
    pub(super) use crate::cli::progress::busy;
    pub(super) use crate::cli::rules::Solvers;
    pub(super) use crate::grid::formats::Puzzle;
    pub(super) use crate::grid::{Geometry, State, notation};
    pub(super) use crate::render::{Line, Role, count_phrase};
    pub(super) use crate::solve::{Rulebook, Solver};
    pub(super) use clap::Args;
    pub(super) use serde::Serialize;
    pub(super) use std::path::PathBuf;
    pub(super) use std::sync::Arc;
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
mod lookups;
mod lsp;
mod output;
mod play;
mod progress;
mod prove;
mod rate;
mod report;
mod rules;
mod solve;
mod source;
mod test;
pub mod tour;
mod watch;
mod why;

use crate::cli::prelude::*;
use crate::render::signs;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::backtrace::BacktraceStatus;
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

/// Declares the commands: the options of each, with its help, and the function that runs it.
macro_rules! commands {
    ($($name:ident($args:ty) => $run:path,)*) => {
        #[derive(Subcommand, Debug)]
        enum Command {
            $($name($args),)*
        }

        impl Command {
            fn run(&self, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
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
    List(lookups::ListArgs) => lookups::list,
    Emit(authoring::EmitArgs) => authoring::emit,
    Prove(prove::ProveArgs) => prove::run,
    Test(test::TestArgs) => test::run,
    Watch(watch::WatchArgs) => watch::run,
    Lsp(lsp::LspArgs) => lsp::run,
    Play(play::PlayArgs) => play::run,
    Graph(lookups::GraphArgs) => lookups::graph,
    Board(lookups::BoardArgs) => lookups::draw_board,
    Explain(lookups::ExplainArgs) => lookups::explain,
    Completions(lookups::CompletionsArgs) => lookups::completions,
    Man(lookups::ManArgs) => lookups::man,
}

/// Runs the command line that the process was given.
pub fn run() -> ExitCode {
    std::panic::set_hook(Box::new(|fault| {
        let trace = std::backtrace::Backtrace::capture();
        let trace = if trace.status() == BacktraceStatus::Captured { format!("\n{trace}") } else { String::new() };
        let _ = writeln!(io::stderr(), "{}{trace}", signs::visible_lines(&fault.to_string()));
    }));
    let cli = match parsed(std::env::args_os().collect()) {
        Ok(cli) => cli,
        Err(error) => return unparsed(&error),
    };
    output::choose(cli.global.color);
    limits::catch_signals();
    if let Err(failure) = limits::require_address_space() {
        return exit::end(Err(failure.into())).into();
    }
    limits::start_watchdog(cli.global.memory);
    let mut out = Output::new(cli.global.format);
    let result = command(&cli, &mut out);
    let result = match (result, out.flush()) {
        (Ok(_), Err(error)) => Err(Stop::Io(error)),
        (result, _) => result,
    };
    exit::end(result).into()
}

/// Parses the command line. In messages about it, foreign characters are shown as signs.
fn parsed(arguments: Vec<OsString>) -> Result<Cli, clap::Error> {
    parsed_as_given(&arguments).map_err(|error| {
        let shown: Vec<OsString> =
            arguments.iter().map(|argument| signs::visible(&argument.to_string_lossy()).into_owned().into()).collect();
        parsed_as_given(&shown).err().unwrap_or(error)
    })
}

fn parsed_as_given(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    Cli::from_arg_matches(&with_flowing_help(Cli::command()).try_get_matches_from(arguments)?)
}

/// Prints help, the version, or what is wrong with the command line.
fn unparsed(error: &clap::Error) -> ExitCode {
    let words = error.render();
    let _ = if error.use_stderr() {
        write!(output::error_stream(), "{}", words.ansi())
    } else if output::is_wanted(io::stdout().is_terminal()) {
        write!(anstream::AutoStream::always(io::stdout()), "{}", words.ansi())
    } else {
        write!(io::stdout(), "{words}")
    };
    ExitCode::from(error.exit_code() as u8)
}

/// Joins the lines of the text below the options to paragraphs, so that each terminal breaks them as it needs. Indented lines and
/// paragraphs stay separate.
fn with_flowing_help(mut command: clap::Command) -> clap::Command {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_string()).collect();
    for name in names {
        command = command.mut_subcommand(name, |sub| {
            let text = sub.get_after_help().map(ToString::to_string).unwrap_or_default();
            sub.after_help(joined_paragraphs(&text))
        });
    }
    command
}

fn joined_paragraphs(text: &str) -> String {
    let mut out = String::new();
    let mut before: Option<&str> = None;
    for line in text.lines() {
        if let Some(before) = before {
            let continues = is_prose(line) && is_prose(before) && !before.ends_with(':');
            out.push(if continues { ' ' } else { '\n' });
        }
        out.push_str(line);
        before = Some(line);
    }
    out
}

/// Returns true for a line of a paragraph: neither empty nor indented.
fn is_prose(line: &str) -> bool {
    !line.is_empty() && !line.starts_with(' ')
}

fn command(cli: &Cli, out: &mut Output) -> Result<Exit, Stop> {
    let global = &cli.global;
    let finds = matches!(cli.command, Command::Check(_) | Command::Lint(_) | Command::Test(_));
    if global.format.annotates() && !finds {
        let failure = Failure::usage("this command has no findings to annotate");
        return Err(failure.help("`--format sarif` and `--format github` are for check, lint and test").into());
    }
    if global.format.draws_graphs() && !matches!(cli.command, Command::Graph(_)) {
        let failure = Failure::usage("this command has no graph to write");
        return Err(failure.help("`--format dot` and `--format graphml` are for graph").into());
    }
    cli.command.run(global, out)
}
