//! `pinion convert`: reads puzzles in any format, and writes each puzzle in another format as soon as it is read. Puzzles that the format
//! cannot hold are refused. Information that the format loses is reported at the end.

use crate::cli::batch::{AboutArg, PuzzleResult, admit, canonical_form, for_each_puzzle};
use crate::cli::prelude::*;
use crate::cli::source::{PuzzleSource, ReadPuzzle};
use crate::cli::why::advance;
use crate::grid::formats::{FORMATS, Format, write};
use clap::builder::{PossibleValue, PossibleValuesParser};

/// Write puzzles in another format
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion convert 6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4 --to pm
  pinion convert puzzles.txt --to jsonl
  pinion convert puzzle.txt --to sudokuwiki-url --after 12
  pinion convert puzzles.txt --canonical | sort -u
  pinion convert puzzle.txt --count --clues

Pinion reads every format that it writes. docs/formats.md has an example of each format and says what it can hold. A puzzle
that the format cannot hold is refused; a note says what the format loses.")]
pub struct ConvertArgs {
    #[command(flatten)]
    puzzle: PuzzleArg,
    /// Write this format
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = format_names(),
        required_unless_present_any = ["canonical", "count", "clues"],
        default_value_if("canonical", "true", "81")
    )]
    to: Option<String>,
    /// Write the state after N steps of the path
    #[arg(long, value_name = "N")]
    after: Option<usize>,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    guard: UniquenessGuardArg,
    #[command(flatten)]
    time: TimeArg,
    #[command(flatten)]
    about: AboutArg,
}

fn format_names() -> PossibleValuesParser {
    FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.about)).collect::<Vec<_>>().into()
}

/// Information of puzzles that the format does not hold.
struct Loss {
    description: &'static str,
    puzzles: usize,
    /// Line of the first puzzle that lost this information.
    first_line: usize,
}

pub fn run(args: &ConvertArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    if args.about.canonical && args.to.is_some() && args.after.is_some() {
        return Err(Failure::usage("--canonical is about the clues: leave out --after").into());
    }
    // `81` is the default of `--canonical`.
    let is_record = args.about.canonical && args.to.as_deref() == Some("81") && !out.is_text();
    let has_answers = is_record || args.about.count.is_some() || args.about.clues;
    let Some(format) = args.to.as_deref().and_then(Format::named).filter(|_| !has_answers) else {
        return answer_questions(args, out);
    };
    if !out.is_text() {
        let failure = Failure::usage("--to writes the puzzles themselves, not records about them");
        return Err(failure.help("leave out `--format`; `--to jsonl` writes the puzzles as JSON").into());
    }
    let mut solvers = args.after.map(|_| Solvers::new(global, &args.profile)).transpose()?;
    let board = args.puzzle.board.geometry()?;
    let mut highest_exit = Exit::Done;
    let mut read_count = 0;
    let mut written_count = 0;
    let mut losses = Vec::new();
    let mut source = PuzzleSource::open(&args.puzzle.puzzle, board.as_ref())?;
    while let Some(puzzle) = source.next() {
        read_count += 1;
        match convert(args, format, solvers.as_mut(), source.name.as_deref(), puzzle) {
            Ok(converted) => {
                if converted.is_incomplete {
                    highest_exit = highest_exit.max(Exit::Unsuccessful);
                }
                if written_count > 0 && format.is_multiline {
                    out.data("\n")?;
                } else if written_count == 0
                    && let Some(head) = format.header
                {
                    out.data(&format!("{head}\n"))?;
                }
                out.data(&converted.text)?;
                written_count += 1;
                for description in converted.lost {
                    match losses.iter_mut().find(|loss: &&mut Loss| loss.description == description) {
                        Some(loss) => loss.puzzles += 1,
                        None => losses.push(Loss { description, puzzles: 1, first_line: converted.line }),
                    }
                }
            }
            Err(failure) => {
                out.flush()?;
                highest_exit = highest_exit.max(failure.report());
            }
        }
        if source.may_block() {
            out.flush()?;
        }
    }
    if written_count > 0
        && let Some(foot) = format.footer
    {
        out.data(foot)?;
    }
    out.flush()?;
    for Loss { description, puzzles, first_line } in losses {
        let mut message = format!("`{}` {description}", format.name);
        if read_count > 1 {
            message += &format!(" ({}, the first in line {first_line})", count_phrase(puzzles, "puzzle"));
        }
        remark(&message);
    }
    Ok(highest_exit)
}

struct Converted {
    line: usize,
    text: String,
    /// Descriptions of information that the format does not hold.
    lost: Vec<&'static str>,
    /// True if a limit ended the path before the step of `--after`.
    is_incomplete: bool,
}

/// Prints the answers of `--count`, `--clues` and `--canonical` for each puzzle.
fn answer_questions(args: &ConvertArgs, out: &mut Output) -> Result<Exit, CommandError> {
    // `--canonical` sets `--to` by default.
    if args.to.is_some() && !args.about.canonical || args.after.is_some() {
        let message = "--count and --clues write no puzzle: leave out --to and --after";
        return Err(Failure::usage(message).into());
    }
    for_each_puzzle(&args.puzzle, None, out, |puzzle, _, _| {
        let (mut lines, record) = args.about.answer(puzzle).map_err(CommandError::ThisPuzzle)?;
        lines.insert(0, Line::text(draw::givens_line(puzzle)));
        Ok(PuzzleResult { status: "done", exit: Exit::Done, lines, result: Box::new(record) })
    })
}

/// Converts one puzzle; `file` is the name for error messages.
fn convert(
    args: &ConvertArgs,
    format: &Format,
    solvers: Option<&mut Solvers>,
    file: Option<&str>,
    puzzle: ReadPuzzle,
) -> Result<Converted, Failure> {
    let mut puzzle = puzzle.map_err(|error| error.failure)?;
    let line = puzzle.line;
    let mut is_incomplete = false;
    if let (Some(steps), Some(solvers)) = (args.after, solvers) {
        (puzzle, is_incomplete) = advance_puzzle(args, &puzzle, steps, solvers)?;
    }
    if args.about.canonical {
        puzzle = canonical_form(&puzzle)?;
    }
    let written = write(&puzzle, format).map_err(|error| {
        let location = file.map_or(String::new(), |file| format!("{file}:{line}: "));
        let message = format!("{location}{} [{}]", error.message, error.code);
        Failure { help: error.help, ..Failure::unsuccessful(message) }
    })?;
    Ok(Converted { line, text: written.text, lost: written.lost, is_incomplete })
}

/// Returns the puzzle after some steps, and true if a limit ended the path before the last of these steps.
fn advance_puzzle(
    args: &ConvertArgs,
    puzzle: &Puzzle,
    steps: usize,
    solvers: &mut Solvers,
) -> Result<(Puzzle, bool), Failure> {
    let start = puzzle.state();
    let is_unique = admit(puzzle, &start, Some(&args.guard)).map_err(|objection| objection.into_failure(puzzle))?;
    args.time.begin();
    let (made, state) = advance(&solvers.on(&puzzle.geometry, is_unique), &start, steps);
    if made < steps {
        let (line, count) = (puzzle.line, count_phrase(made, "step"));
        let reason = match limits::reached_limit() {
            Some(limit) => format!("{limit} after {count}"),
            None => format!("the path has {count}"),
        };
        remark(&format!("line {line}: {reason}; the state after the last is written"));
    }
    Ok((puzzle.with_progress(&state), made < steps && limits::is_reached()))
}
