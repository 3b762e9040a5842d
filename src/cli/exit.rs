//! Exit codes, and the messages on the error stream.

use crate::cli::{output, progress};
use crate::render::signs::visible;
use std::io::{self, Write};
use std::process::ExitCode;

/// Exit codes in ascending order; [`HELP`] explains them. A run over many puzzles ends with the highest code of a puzzle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    #[default]
    Done = 0,
    Unsuccessful = 1,
    Usage = 2,
    Input = 3,
    Puzzle = 4,
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// The section about exit codes in the help of the program.
pub const HELP: &str = "\
Exit codes:
  0  done: solved, found, no errors
  1  stuck, nothing found, a check found errors, or a limit ended the run
  2  the command line cannot be understood
  3  a puzzle or a file cannot be read
  4  a puzzle has no solution, or several
  130  interrupted: the results so far are shown
A run over several puzzles ends with the highest code of a puzzle.";

#[derive(Debug)]
pub enum CommandError {
    Failure(Failure),
    /// A failure that concerns only the present puzzle; a run over several puzzles goes on with the next.
    ThisPuzzle(Failure),
    /// The standard output cannot be written, or its reader has closed it.
    Io(io::Error),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub exit: Exit,
    /// The message, without a full stop.
    pub message: String,
    /// Advice on a line of its own.
    pub help: Option<String>,
}

impl Failure {
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Usage, message: message.into(), help: None }
    }

    pub fn unsuccessful(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Unsuccessful, message: message.into(), help: None }
    }

    pub fn input(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Input, message: message.into(), help: None }
    }

    pub fn terminal(error: io::Error) -> Failure {
        Failure::input(format!("the terminal cannot be used: {error}"))
    }

    pub fn help(mut self, help: impl Into<String>) -> Failure {
        self.help = Some(help.into());
        self
    }

    /// Prints the failure on the error stream and returns its exit code. Errors of the error stream are ignored.
    pub fn report(&self) -> Exit {
        progress::clear_line();
        let mut out = output::error_stream();
        let error = output::ERROR_STYLE;
        let quiet = output::QUIET_STYLE;
        let _ = writeln!(out, "{error}error:{error:#} {}", visible(&self.message));
        if let Some(help) = &self.help {
            let _ = writeln!(out, "{quiet}  help:{quiet:#} {}", visible(help));
        }
        self.exit
    }
}

impl From<Failure> for CommandError {
    fn from(failure: Failure) -> CommandError {
        CommandError::Failure(failure)
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> CommandError {
        CommandError::Io(error)
    }
}

/// Returns the exit code of a command and reports its error. A closed output (`| head`) is no error.
pub fn exit_of(result: Result<Exit, CommandError>) -> Exit {
    match result {
        Ok(exit) => exit,
        Err(CommandError::Failure(failure) | CommandError::ThisPuzzle(failure)) => failure.report(),
        Err(CommandError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        Err(CommandError::Io(error)) => Failure::input(format!("the output cannot be written: {error}")).report(),
    }
}

pub fn remark(message: &str) {
    progress::clear_line();
    let note = output::NOTE_STYLE;
    let mut out = output::error_stream();
    let _ = writeln!(out, "{note}note:{note:#} {}", visible(message));
}
