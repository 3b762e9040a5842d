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

mod admission;
mod args;
mod audit;
mod batch;
mod bench;
mod check;
mod compare;
mod convert;
mod corpus;
pub mod diagnostics;
mod emit;
mod exit;
mod explain_move;
mod files;
mod find;
mod fmt;
mod hunt;
mod input;
mod limits;
mod lookups;
mod lsp;
mod new;
mod output;
mod pipe;
mod play;
mod profiles;
mod progress;
mod prove;
mod rate;
mod report;
mod rules;
mod solve;
mod source;
mod stats;
mod test;
pub mod tour;
mod watch;
mod why;

use crate::cli::args::Global;
use crate::cli::exit::{Exit, Failure, Stop};
use crate::cli::output::Output;
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

#[derive(Subcommand, Debug)]
enum Command {
    /// Solve puzzles, step by step with reasons
    #[command(after_help = solve::AFTER)]
    Solve(solve::SolveArgs),
    /// Rate puzzles by the prices of their steps
    #[command(after_help = rate::AFTER)]
    Rate(rate::RateArgs),
    /// Show the next step only
    #[command(after_help = solve::HINT_AFTER)]
    Hint(solve::HintArgs),
    /// Show what techniques match on a puzzle as it stands
    #[command(after_help = find::AFTER)]
    Find(find::FindArgs),
    /// Show why a technique matches: everything that its rule demands
    #[command(after_help = why::AFTER)]
    Why(why::WhyArgs),
    /// Show what a technique nearly finds, and what is missing
    #[command(after_help = why::WHY_NOT_AFTER)]
    WhyNot(why::WhyNotArgs),
    /// Write a page with the pictures of every step, for one puzzle or a collection
    #[command(after_help = report::AFTER)]
    Report(report::ReportArgs),
    /// Write puzzles in another format
    #[command(after_help = convert::AFTER)]
    Convert(convert::ConvertArgs),
    /// Show which techniques justify the difference of two grids
    #[command(after_help = explain_move::AFTER)]
    ExplainMove(explain_move::ExplainMoveArgs),
    /// Compare every match along solution paths with the solutions
    #[command(after_help = audit::AFTER)]
    Audit(audit::AuditArgs),
    /// Measure how fast puzzles are solved, and what each technique costs
    #[command(after_help = bench::AFTER)]
    Bench(bench::BenchArgs),
    /// Compare techniques on puzzles: what each finds, what only it finds, what it unlocks
    #[command(after_help = compare::AFTER)]
    Compare(compare::CompareArgs),
    /// Count what each technique of the rulebook does on puzzles, and which it alone unlocks
    #[command(after_help = stats::AFTER)]
    Stats(stats::StatsArgs),
    /// Look for puzzles in which a technique is found, and print them as examples
    #[command(after_help = hunt::AFTER)]
    Hunt(hunt::HuntArgs),
    /// Check rule files
    #[command(after_help = check::AFTER)]
    Check(check::CheckArgs),
    /// Write a complete rule file for you to change
    #[command(after_help = new::AFTER)]
    New(new::NewArgs),
    /// Format rule files
    #[command(after_help = fmt::AFTER)]
    Fmt(fmt::FmtArgs),
    /// Say what could be better in correct rules
    #[command(after_help = check::LINT_AFTER)]
    Lint(check::LintArgs),
    /// Show the rulebook as a table
    #[command(after_help = lookups::LIST_AFTER)]
    List(lookups::ListArgs),
    /// Show what a stage of the compiler makes of a rule file
    #[command(after_help = emit::AFTER)]
    Emit(emit::EmitArgs),
    /// Prove rules, or show where they are wrong
    #[command(after_help = prove::AFTER)]
    Prove(prove::ProveArgs),
    /// Run the examples of rules, or cases of a library
    #[command(after_help = test::AFTER)]
    Test(test::TestArgs),
    /// Check, test and prove rule files whenever they are saved
    #[command(after_help = watch::AFTER)]
    Watch(watch::WatchArgs),
    /// Serve an editor: errors and fixes while you type, hover, completion, definitions, rename
    #[command(after_help = lsp::AFTER)]
    Lsp(lsp::LspArgs),
    /// Serve the playground to browsers of this machine
    #[command(after_help = play::AFTER)]
    Play(play::PlayArgs),
    /// Write the candidate graph of a puzzle, or what uses what in the rules
    #[command(after_help = lookups::GRAPH_AFTER)]
    Graph(lookups::GraphArgs),
    /// Draw a board, or list the boards that have a name
    #[command(after_help = lookups::BOARD_AFTER)]
    Board(lookups::BoardArgs),
    /// Say more about the code of a message
    #[command(after_help = lookups::EXPLAIN_AFTER)]
    Explain(lookups::ExplainArgs),
    /// Print a script that completes commands in a shell
    #[command(after_help = lookups::COMPLETIONS_AFTER)]
    Completions(lookups::CompletionsArgs),
    /// Print or write manual pages
    #[command(after_help = lookups::MAN_AFTER)]
    Man(lookups::ManArgs),
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
    limits::look_after(cli.global.memory);
    // The editor's thread needs the standard output, which the output of all others keeps for itself.
    if let Command::Lsp(args) = &cli.command {
        return exit::end(lsp::run(args)).into();
    }
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
    let read = |arguments: Vec<OsString>| {
        let matches = with_flowing_help(Cli::command()).try_get_matches_from(arguments)?;
        Cli::from_arg_matches(&matches)
    };
    read(arguments.clone()).map_err(|error| {
        let shown = |argument: OsString| OsString::from(signs::visible(&argument.to_string_lossy()).into_owned());
        read(arguments.into_iter().map(shown).collect()).err().unwrap_or(error)
    })
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
    match &cli.command {
        Command::Solve(args) => solve::run(args, global, out),
        Command::Rate(args) => rate::run(args, global, out),
        Command::Hint(args) => solve::hint(args, global, out),
        Command::Find(args) => find::run(args, global, out),
        Command::Why(args) => why::run(args, global, out),
        Command::WhyNot(args) => why::why_not(args, global, out),
        Command::Report(args) => report::run(args, global, out),
        Command::Convert(args) => convert::run(args, global, out),
        Command::ExplainMove(args) => explain_move::run(args, global, out),
        Command::Audit(args) => audit::run(args, global, out),
        Command::Bench(args) => bench::run(args, global, out),
        Command::Compare(args) => compare::run(args, global, out),
        Command::Stats(args) => stats::run(args, global, out),
        Command::Hunt(args) => hunt::run(args, global, out),
        Command::Check(args) => check::run(args, global, out),
        Command::New(args) => new::run(args, global, out),
        Command::Fmt(args) => fmt::run(args, global, out),
        Command::Lint(args) => check::run_lint(args, global, out),
        Command::List(args) => lookups::list(args, global, out),
        Command::Emit(args) => emit::run(args, global, out),
        Command::Prove(args) => prove::run(args, global, out),
        Command::Test(args) => test::run(args, global, out),
        Command::Lsp(args) => lsp::run(args),
        Command::Play(args) => play::run(args, out),
        Command::Graph(args) => lookups::graph(args, global, out),
        Command::Board(args) => lookups::draw_board(args, out),
        Command::Explain(args) => lookups::explain(args, out),
        Command::Watch(args) => watch::run(args, global, out),
        Command::Completions(args) => lookups::completions(args, out),
        Command::Man(args) => lookups::man(args, out),
    }
}
