//! `pinion rate`. In: puzzles, one after the other. Out: what the profile rates each of them, in their order, and the steps
//! that decide it.

use crate::cli::batch::admitted;
use crate::cli::corpus::{processors, while_running};
use crate::cli::prelude::*;
use crate::cli::source::{PuzzleSource, Unread};
use crate::grid::draw;
use crate::proof::shared_digits;
use crate::render::headline;
use crate::solve::{Outcome, PuzzleRating, RatingBy, Unwatched, Walk};
use crate::workbench::first_wrong_step;
use std::sync::Mutex;

/// Rate puzzles by the prices of their steps
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion rate 6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4
  pinion rate puzzles.txt --why
  pinion rate puzzles.txt --profile hodoku --format json

The profile says how prices become a rating: the largest price (three numbers: of all steps, up to the first placement, of
the first step), or their sum and a level. docs/ratings.md tells how to write prices of your own.")]
pub struct RateArgs {
    #[command(flatten)]
    puzzle: PuzzleArg,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    guard: GuardArg,
    /// Name the steps that decide the rating
    #[arg(long)]
    why: bool,
    #[command(flatten)]
    time: RunTimeArg,
}

/// The profile that rates where none is named.
const USUAL: &str = "explainer";

/// The program, profile and rules of a rating, without which it is worth nothing.
#[derive(Clone, Default, Serialize)]
struct With {
    pinion: &'static str,
    profile: String,
    hash: String,
}

/// A step that decides a rating.
#[derive(Serialize)]
struct Decides {
    what: &'static str,
    step: usize,
    price: String,
    name: String,
    text: String,
}

/// A rated puzzle for programs.
#[derive(Default, Serialize)]
struct RatingRecord {
    line: usize,
    puzzle: Option<String>,
    status: &'static str,
    message: Option<String>,
    rating: Option<String>,
    first_placement: Option<String>,
    first_step: Option<String>,
    level: Option<String>,
    unpriced: usize,
    one_solution_assumed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    why: Vec<Decides>,
    with: With,
}

/// The end of a puzzle's path: one word, a remark behind the rating, the exit code.
type PathEnd = (&'static str, &'static str, Exit);

const SOLVED: PathEnd = ("solved", "", Exit::Done);
/// The puzzle has several solutions, and every digit that all of them share is placed.
const SHARED: PathEnd = ("shared", " (several solutions: rated up to what all of them share)", Exit::Done);
const STUCK: PathEnd = ("stuck", " (not solved)", Exit::Short);
const BROKEN: PathEnd = ("broken", " (no solution)", Exit::Puzzle);

/// Classifies the end of a path. Counts solutions only if the path leaves the end open.
fn path_end(walk: &Walk, puzzle: &Puzzle, state: &State, one: bool) -> PathEnd {
    match walk.outcome {
        Outcome::Solved => SOLVED,
        Outcome::Broken(_) => BROKEN,
        Outcome::Stuck if one => STUCK,
        Outcome::Stuck => match shared_digits(&puzzle.geometry, state) {
            None => BROKEN,
            Some(shared) => {
                let mut cells = puzzle.geometry.cells().zip(&shared);
                let is_reached = cells.all(|(cell, digit)| digit.is_none() || walk.end.value(cell) == *digit);
                if is_reached { SHARED } else { STUCK }
            }
        },
    }
}

/// The result for one puzzle.
struct RatedPuzzle {
    exit: Exit,
    failure: Option<Failure>,
    text: String,
    record: RatingRecord,
}

/// Rates puzzles.
pub fn run(args: &RateArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    args.time.begin_run();
    let _busy = busy("rating");
    let mut asked = args.profile.clone();
    asked.profile.get_or_insert_with(|| USUAL.to_string());
    let solvers = Solvers::new(global, &asked)?;
    let with =
        With { pinion: env!("CARGO_PKG_VERSION"), profile: solvers.profile().name.clone(), hash: hash(&solvers) };
    if out.is_text() {
        let is_assumed = !args.guard.unchecked && solvers.may_assume_one_solution();
        let assumed = if is_assumed { "one solution is assumed" } else { "one solution is not assumed" };
        let words = format!("# Pinion {}, profile {} ({}), {assumed}", with.pinion, with.profile, with.hash);
        out.lines(&[Line::styled(Role::Quiet, words)])?;
    }
    let rater = Rater { args, with, solvers: Mutex::new(solvers) };
    let board = args.puzzle.geometry()?;
    rater.all(PuzzleSource::open(&args.puzzle.puzzle, board.as_ref())?, out)
}

/// Returns a digest of the profile and the rules, twelve characters long.
fn hash(solvers: &Solvers) -> String {
    let profile = serde_json::to_string(solvers.profile()).unwrap_or_default();
    let mut hasher = blake3::Hasher::new();
    hasher.update(profile.as_bytes());
    for file in solvers.rulebook().files() {
        hasher.update(file.text.as_bytes());
    }
    hasher.finalize().to_hex()[..12].to_string()
}

struct Rater<'a> {
    args: &'a RateArgs,
    with: With,
    solvers: Mutex<Solvers>,
}

impl Rater<'_> {
    /// Rates puzzles on all processors and prints the ratings in the order of the puzzles, as they come.
    fn all(&self, puzzles: PuzzleSource<'_>, out: &mut Output) -> Result<Exit, Stop> {
        let mut worst = Exit::Done;
        while_running(
            puzzles,
            processors(),
            |_, puzzle| self.one(puzzle),
            |done| {
                worst = worst.max(done.exit);
                if let Some(failure) = done.failure {
                    failure.report();
                }
                if !out.is_text() {
                    out.value(&done.record)?;
                } else if !done.text.is_empty() {
                    out.text(&done.text)?;
                }
                out.flush()
            },
        )?;
        if let Some((words, exit)) = limits::why_ended() {
            remark(&format!("{words}: not every puzzle was rated"));
            worst = worst.max(exit);
        }
        Ok(worst)
    }

    fn one(&self, puzzle: Result<Puzzle, Unread>) -> RatedPuzzle {
        let puzzle = match puzzle {
            Ok(puzzle) => puzzle,
            Err(Unread { line, failure }) => return self.failed(line, None, "unreadable", failure),
        };
        let state = puzzle.state();
        let givens = draw::lossless_line(&puzzle, &state);
        let one = match admitted(&puzzle, &state, Some(&self.args.guard)) {
            Ok(one) => one,
            Err(objection) => {
                let status = objection.status;
                return self.failed(puzzle.line, Some(givens), status, objection.at(&puzzle));
            }
        };
        let solver = locked(&self.solvers).on(&puzzle.geometry, one);
        let walk = solver.walk(state.clone(), &mut Unwatched);
        let (status, remark, exit) = path_end(&walk, &puzzle, &state, one);
        let rated = walk.rating(&solver, exit == Exit::Done);
        let wrong = match rated.outcome {
            Outcome::Broken(_) => first_wrong_step(&puzzle.geometry, &walk.clone().path(&solver)),
            _ => None,
        };
        let why = if self.args.why { deciding(&rated, &solver, &puzzle, walk) } else { Vec::new() };
        let rating = &solver.profile().rating;
        let [number, first_placement, first_step] =
            [rated.number, rated.first_placement, rated.first_move].map(|number| rating.display(number));
        let all = match (rating.by, &rated.level) {
            (RatingBy::Max, _) => format!("ED={number}/{first_placement}/{first_step}"),
            (RatingBy::Sum, Some(level)) => format!("{level} ({number})"),
            (RatingBy::Sum, None) => number.clone(),
        };
        let mut text = format!("{givens} {all}{remark}\n");
        let message = wrong.map(|one| one.text);
        text.extend(message.iter().map(|message| format!("  {message}\n")));
        text.extend(why.iter().map(|one| format!("  {} {}: step {}, {}\n", one.what, one.price, one.step, one.text)));
        let record = RatingRecord {
            line: puzzle.line,
            puzzle: Some(givens),
            status,
            message,
            rating: Some(number),
            first_placement: Some(first_placement),
            first_step: Some(first_step),
            level: rated.level.clone(),
            unpriced: rated.unpriced,
            one_solution_assumed: one && solver.assumes_one_solution(),
            why,
            with: self.with.clone(),
        };
        RatedPuzzle { exit, failure: None, text, record }
    }

    fn failed(&self, line: usize, puzzle: Option<String>, status: &'static str, failure: Failure) -> RatedPuzzle {
        let (message, with) = (Some(failure.message.clone()), self.with.clone());
        let record = RatingRecord { line, puzzle, status, message, with, ..RatingRecord::default() };
        RatedPuzzle { exit: failure.exit, failure: Some(failure), text: String::new(), record }
    }
}

/// The steps that decide the three numbers.
fn deciding(rated: &PuzzleRating, solver: &Solver, puzzle: &Puzzle, walk: Walk) -> Vec<Decides> {
    let what = match solver.profile().rating.by {
        RatingBy::Max => ["ER", "EP", "ED"],
        RatingBy::Sum => ["dearest", "dearest up to the first placement", "first"],
    };
    let path = walk.path(solver);
    let steps = what.into_iter().zip(rated.deciding).filter_map(|(what, at)| Some((what, at?, path.steps.get(at?)?)));
    steps
        .map(|(what, at, step)| Decides {
            what,
            step: at + 1,
            price: solver.profile().rating.display(step.cost.map_or(0, u64::from)),
            name: step.name.clone(),
            text: headline(&puzzle.geometry, step).to_string(),
        })
        .collect()
}
