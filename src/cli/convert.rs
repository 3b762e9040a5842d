//! `pinion convert`. In: puzzles in any format, one after the other. Out: the same in another format, as they are read; what
//! a format cannot hold is refused, and what it does not say is named.

use crate::cli::batch::{AboutArg, PuzzleHalt, PuzzleResult, admitted, canonical_form, each};
use crate::cli::prelude::*;
use crate::cli::source::{PuzzleSource, ReadPuzzle};
use crate::grid::draw;
use crate::grid::formats::{FORMATS, Format, write};
use crate::solve::apply;
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

Pinion reads every format that it writes. docs/formats.md has an example of each and says what it can hold. A puzzle that
the format cannot hold is refused; a note says what the format loses.")]
pub struct ConvertArgs {
    #[command(flatten)]
    puzzle: PuzzleArg,
    /// Write this format
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = names(),
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
    guard: GuardArg,
    #[command(flatten)]
    time: TimeArg,
    #[command(flatten)]
    about: AboutArg,
}

fn names() -> PossibleValuesParser {
    FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.about)).collect::<Vec<_>>().into()
}

/// Information dropped so far: a description, the number of puzzles, and the line of the first.
type Lost = Vec<(&'static str, usize, usize)>;

/// Converts puzzles.
pub fn run(args: &ConvertArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let Some(to) = args.to.as_ref().filter(|_| args.about.count.is_none() && !args.about.clues) else {
        return about(args, out);
    };
    let Some(format) = Format::named(to) else {
        return Err(Failure::usage(format!("there is no format `{to}`")).into());
    };
    let mut path =
        args.after.map(|steps| Ok::<_, Failure>((steps, Solvers::new(global, &args.profile)?))).transpose()?;
    let board = args.puzzle.geometry()?;
    let (mut worst, mut seen, mut written, mut lost) = (Exit::Done, 0, 0, Lost::new());
    let mut source = PuzzleSource::open(&args.puzzle.puzzle, board.as_ref())?;
    while let Some(puzzle) = source.next() {
        seen += 1;
        match one(args, format, &mut path, source.name.as_deref(), puzzle) {
            Ok(Converted { line, text, missing, missed }) => {
                if missed {
                    worst = worst.max(Exit::Short);
                }
                let head = if written == 0 { format.header } else { Some("").filter(|_| format.is_multiline) };
                if let Some(head) = head {
                    out.data(&format!("{head}\n"))?;
                }
                out.data(&text)?;
                written += 1;
                missing.into_iter().for_each(|words| count(&mut lost, words, line));
            }
            Err(failure) => {
                out.flush()?;
                worst = worst.max(failure.report());
            }
        }
        if source.must_wait() {
            out.flush()?;
        }
    }
    if let Some(foot) = format.footer.filter(|_| written > 0) {
        out.data(foot)?;
    }
    out.flush()?;
    for (words, puzzles, line) in lost {
        let which = format!(" ({}, the first in line {line})", count_phrase(puzzles, "puzzle"));
        remark(&format!("`{}` {words}{}", format.name, if seen > 1 { &which } else { "" }));
    }
    Ok(worst)
}

/// A puzzle in the format.
struct Converted {
    line: usize,
    text: String,
    /// Parts of the puzzle that the format cannot express.
    missing: Vec<&'static str>,
    /// True if a limit ended the path before the state that was asked for.
    missed: bool,
}

/// Answers questions about each puzzle in place of writing it in a format.
fn about(args: &ConvertArgs, out: &mut Output) -> Result<Exit, Stop> {
    if args.to.is_some() && !args.about.canonical || args.after.is_some() {
        let words = "--count and --clues write no puzzle: leave out --to and --after";
        return Err(Failure::usage(words).into());
    }
    each(&args.puzzle, None, out, |puzzle, _, _| {
        let (mut lines, record) = args.about.answer(puzzle).map_err(PuzzleHalt::Here)?;
        lines.insert(0, Line::text(draw::givens_line(puzzle)));
        Ok(PuzzleResult { status: "done", exit: Exit::Done, lines, result: Box::new(record) })
    })
}

/// Converts one puzzle.
fn one(
    args: &ConvertArgs,
    format: &Format,
    path: &mut Option<(usize, Solvers)>,
    file: Option<&str>,
    puzzle: ReadPuzzle,
) -> Result<Converted, Failure> {
    let mut puzzle = puzzle.map_err(|error| error.failure)?;
    let line = puzzle.line;
    let mut missed = false;
    if let Some((steps, solvers)) = path {
        (puzzle, missed) = later(args, &puzzle, *steps, solvers)?;
    }
    if args.about.canonical {
        puzzle = canonical_form(&puzzle)?;
    }
    let written = write(&puzzle, format).map_err(|error| {
        let place = file.map_or(String::new(), |file| format!("{file}:{line}: "));
        Failure { help: error.help, ..Failure::short(format!("{place}{} [{}]", error.message, error.code)) }
    })?;
    Ok(Converted { line, text: written.text, missing: written.lost, missed })
}

/// The puzzle after the given number of steps; true if a limit ended the path before.
fn later(args: &ConvertArgs, puzzle: &Puzzle, steps: usize, solvers: &mut Solvers) -> Result<(Puzzle, bool), Failure> {
    let mut state = puzzle.state();
    let one = admitted(puzzle, &state, Some(&args.guard)).map_err(|objection| objection.at(puzzle))?;
    let solver = solvers.on(&puzzle.geometry, one);
    args.time.begin();
    let path = solver.solve(state.clone());
    if path.steps.len() < steps {
        let (line, count) = (puzzle.line, count_phrase(path.steps.len(), "step"));
        let why = match limits::words() {
            Some(words) => format!("{words} after {count}"),
            None => format!("the path has {count}"),
        };
        remark(&format!("line {line}: {why}; the state after the last is written"));
    }
    path.steps.iter().take(steps).for_each(|step| apply(step, &puzzle.geometry, &mut state));
    Ok((puzzle.with_progress(&state), path.steps.len() < steps && limits::reached()))
}

fn count(lost: &mut Lost, words: &'static str, line: usize) {
    match lost.iter_mut().find(|(known, ..)| *known == words) {
        Some((_, puzzles, _)) => *puzzles += 1,
        None => lost.push((words, 1, line)),
    }
}
