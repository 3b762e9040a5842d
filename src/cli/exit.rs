//! The end of a run. In: outcomes and failures. Out: exit codes and messages on the error stream.

use crate::cli::{output, progress};
use crate::render::signs::visible;
use std::io::{self, Write};
use std::process::ExitCode;

/// Exit codes, worst last; of many puzzles the worst counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Done: solved, found, without errors.
    #[default]
    Done = 0,
    /// Stuck, nothing found, a check found errors, or a limit ended the run.
    Short = 1,
    /// The command line cannot be understood.
    Usage = 2,
    /// A puzzle or a file cannot be read.
    Input = 3,
    /// A puzzle has no solution, or several.
    Puzzle = 4,
    /// Interrupted; what was done is shown.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// The text about exit codes in the help of the program.
pub const HELP: &str = "\
Exit codes:
  0  done: solved, found, no errors
  1  stuck, nothing found, a check found errors, or a limit ended the run
  2  the command line cannot be understood
  3  a puzzle or a file cannot be read
  4  a puzzle has no solution, or several
  130  interrupted: what was done until then is shown
Of many puzzles the highest code counts.";

/// Why a command stops.
#[derive(Debug)]
pub enum Stop {
    /// With words for the user.
    Failure(Failure),
    /// The output cannot be written, or has no reader.
    Io(io::Error),
}

/// A failure in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The code to end with.
    pub exit: Exit,
    /// Description, without an end mark.
    pub message: String,
    /// Advice.
    pub help: Option<String>,
}

impl Failure {
    /// Creates a failure about the command line.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Usage, message: message.into(), help: None }
    }

    /// Creates a failure of the work itself.
    pub fn short(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Short, message: message.into(), help: None }
    }

    /// Creates a failure about something that was to be read.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Input, message: message.into(), help: None }
    }

    /// The terminal cannot be read or written.
    pub fn from_io(error: io::Error) -> Failure {
        Failure::input(format!("the terminal cannot be used: {error}"))
    }

    /// Adds advice.
    pub fn help(mut self, help: impl Into<String>) -> Failure {
        self.help = Some(help.into());
        self
    }

    /// Prints the failure on the error stream and returns its exit code. An error stream without a reader is no reason to stop.
    pub fn report(&self) -> Exit {
        progress::shown();
        let mut out = output::error_stream();
        let (bad, quiet) = (output::BAD, output::QUIET);
        let _ = writeln!(out, "{bad}error:{bad:#} {}", visible(&self.message));
        if let Some(help) = &self.help {
            let _ = writeln!(out, "{quiet}  help:{quiet:#} {}", visible(help));
        }
        self.exit
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Io(error)
    }
}

/// Returns the exit code of a command and reports its failure. A reader that went away (`| head`) is no failure.
pub fn end(result: Result<Exit, Stop>) -> Exit {
    match result {
        Ok(exit) => exit,
        Err(Stop::Failure(failure)) => failure.report(),
        Err(Stop::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        Err(Stop::Io(error)) => Failure::input(format!("the output cannot be written: {error}")).report(),
    }
}

/// Prints a remark on the error stream.
pub fn remark(words: &str) {
    progress::shown();
    let (note, mut out) = (output::NOTE, output::error_stream());
    let _ = writeln!(out, "{note}note:{note:#} {}", visible(words));
}
