//! `pinion rate`: prints the rating of each puzzle by a profile, and the steps that decide it.

use crate::cli::batch::admit;
use crate::cli::corpus::{in_order_until_stopped, processor_count};
use crate::cli::prelude::*;
use crate::cli::source::{PuzzleSource, ReadError};
use crate::proof::shared_digits;
use crate::render::headline;
use crate::solve::{Outcome, PuzzleRating, RatingBy, Unwatched, Walk};
use crate::workbench::first_wrong_step;

/// Rate puzzles by the prices of their steps
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion rate 6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4
  pinion rate puzzles.txt --why
  pinion rate puzzles.txt --profile hodoku --format json

The profile says how prices become a rating. Either the rating is the largest price (three numbers: of all steps, of the
steps up to the first placement, of the first step), or it is the sum of the prices and a level. docs/ratings.md says how to
write prices of your own.")]
pub struct RateArgs {
    #[command(flatten)]
    puzzle: PuzzleArg,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    guard: UniquenessGuardArg,
    /// Name the steps that decide the rating
    #[arg(long)]
    why: bool,
    #[command(flatten)]
    time: RunTimeArg,
}

const DEFAULT_PROFILE: &str = "explainer";

/// The origin of a rating: the version of Pinion, the profile and the rules. Only ratings of equal origin can be compared.
#[derive(Clone, Default, Serialize)]
struct RatingOrigin {
    pinion: &'static str,
    profile: String,
    hash: String,
}

#[derive(Serialize)]
struct DecidingStep {
    /// The number of the rating that the step decides, for instance `ER`.
    what: &'static str,
    step: usize,
    price: String,
    name: String,
    text: String,
}

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
    why: Vec<DecidingStep>,
    #[serde(rename = "with")]
    origin: RatingOrigin,
}

struct PathEnd {
    status: &'static str,
    remark: &'static str,
    exit: Exit,
}

const SOLVED: PathEnd = PathEnd { status: "solved", remark: "", exit: Exit::Done };
/// The puzzle has several solutions, and every digit that all solutions share is placed.
const SHARED: PathEnd =
    PathEnd { status: "shared", remark: " (several solutions: rated up to what all of them share)", exit: Exit::Done };
const STUCK: PathEnd = PathEnd { status: "stuck", remark: " (not solved)", exit: Exit::Unsuccessful };
const BROKEN: PathEnd = PathEnd { status: "broken", remark: " (no solution)", exit: Exit::Puzzle };

/// Classifies the end of a path. Computes solutions only if the path is stuck and the puzzle may have several.
fn path_end(walk: &Walk, puzzle: &Puzzle, state: &State, is_unique: bool) -> PathEnd {
    match walk.outcome {
        Outcome::Solved => SOLVED,
        Outcome::Broken(_) => BROKEN,
        Outcome::Stuck if is_unique => STUCK,
        Outcome::Stuck => match shared_digits(&puzzle.geometry, state) {
            None => BROKEN,
            Some(shared) => {
                let mut cells = puzzle.geometry.cells().zip(&shared);
                let are_placed = cells.all(|(cell, digit)| digit.is_none() || walk.end.value(cell) == *digit);
                if are_placed { SHARED } else { STUCK }
            }
        },
    }
}

struct RatedPuzzle {
    exit: Exit,
    failure: Option<Failure>,
    text: String,
    record: RatingRecord,
}

pub fn run(args: &RateArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    args.time.begin_interruptible();
    let _work = announce_work("rating");
    let mut profile = args.profile.clone();
    profile.profile.get_or_insert_with(|| DEFAULT_PROFILE.to_owned());
    let solvers = Solvers::new(global, &profile)?;
    let (pinion, profile) = (env!("CARGO_PKG_VERSION"), solvers.profile.name.clone());
    let origin = RatingOrigin { pinion, profile, hash: digest(&solvers) };
    if out.is_text() {
        let is_assumed = !args.guard.unchecked && solvers.may_assume_one_solution();
        let assumption = if is_assumed { "one solution is assumed" } else { "one solution is not assumed" };
        let RatingOrigin { pinion, profile, hash } = &origin;
        out.lines(&[Line::styled(
            Role::Quiet,
            format!("# Pinion {pinion}, profile {profile} ({hash}), {assumption}"),
        )])?;
    }
    let rater = Rater { args, origin, solvers: Mutex::new(solvers) };
    let board = args.puzzle.board.geometry()?;
    rater.rate_all(PuzzleSource::open(&args.puzzle.puzzle, board.as_ref())?, out)
}

/// Returns a digest of the profile and the rules, twelve characters long.
fn digest(solvers: &Solvers) -> String {
    let profile = serde_json::to_string(&solvers.profile).unwrap_or_default();
    let mut hasher = blake3::Hasher::new();
    hasher.update(profile.as_bytes());
    for file in solvers.rulebook.files() {
        hasher.update(file.text.as_bytes());
    }
    hasher.finalize().to_hex()[..12].to_string()
}

struct Rater<'a> {
    args: &'a RateArgs,
    origin: RatingOrigin,
    solvers: Mutex<Solvers>,
}

impl Rater<'_> {
    /// Rates puzzles on all processors. Prints the ratings in the order of the puzzles, each as soon as possible.
    fn rate_all(&self, puzzles: PuzzleSource<'_>, out: &mut Output) -> Result<Exit, CommandError> {
        let mut highest_exit = Exit::Done;
        in_order_until_stopped(
            puzzles,
            processor_count(),
            |_, puzzle| self.rate(puzzle),
            |rated| {
                highest_exit = highest_exit.max(rated.exit);
                if let Some(failure) = rated.failure {
                    failure.report();
                }
                if !out.is_text() {
                    out.value(&rated.record)?;
                } else if !rated.text.is_empty() {
                    out.text(&rated.text)?;
                }
                out.flush()
            },
        )?;
        if let Some((reason, exit)) = limits::early_end() {
            remark(&format!("{reason}: not every puzzle was rated"));
            highest_exit = highest_exit.max(exit);
        }
        Ok(highest_exit)
    }

    fn rate(&self, puzzle: Result<Puzzle, ReadError>) -> RatedPuzzle {
        let puzzle = match puzzle {
            Ok(puzzle) => puzzle,
            Err(ReadError { line, failure, .. }) => return self.not_rated(line, None, "unreadable", failure),
        };
        let state = puzzle.state();
        let givens = draw::lossless_line(&puzzle, &state);
        let is_unique = match admit(&puzzle, &state, Some(&self.args.guard)) {
            Ok(is_unique) => is_unique,
            Err(objection) => {
                let status = objection.status;
                return self.not_rated(puzzle.line, Some(givens), status, objection.into_failure(&puzzle));
            }
        };
        let solver = lock(&self.solvers).on(&puzzle.geometry, is_unique);
        let walk = solver.walk(state.clone(), &mut Unwatched);
        let end = path_end(&walk, &puzzle, &state, is_unique);
        let puzzle_rating = walk.rating(&solver, end.exit == Exit::Done);
        let message = match puzzle_rating.outcome {
            Outcome::Broken(_) => first_wrong_step(&puzzle.geometry, &walk.clone().path(&solver)).map(|step| step.text),
            _ => None,
        };
        let why = if self.args.why { deciding_steps(&puzzle_rating, &solver, &puzzle, walk) } else { Vec::new() };
        let rating_rule = &solver.profile().rating;
        let [number, first_placement, first_step] =
            [puzzle_rating.number, puzzle_rating.first_placement, puzzle_rating.first_move]
                .map(|number| rating_rule.display(number));
        let full_rating = match (rating_rule.by, &puzzle_rating.level) {
            (RatingBy::Max, _) => format!("ED={number}/{first_placement}/{first_step}"),
            (RatingBy::Sum, Some(level)) => format!("{level} ({number})"),
            (RatingBy::Sum, None) => number.clone(),
        };
        let mut text = format!("{givens} {full_rating}{}\n", end.remark);
        if let Some(message) = &message {
            text += &format!("  {message}\n");
        }
        for DecidingStep { what, step, price, text: headline, .. } in &why {
            text += &format!("  {what} {price}: step {step}, {headline}\n");
        }
        let record = RatingRecord {
            line: puzzle.line,
            puzzle: Some(givens),
            status: end.status,
            message,
            rating: Some(number),
            first_placement: Some(first_placement),
            first_step: Some(first_step),
            level: puzzle_rating.level.clone(),
            unpriced: puzzle_rating.unpriced,
            one_solution_assumed: is_unique && solver.assumes_one_solution(),
            why,
            origin: self.origin.clone(),
        };
        RatedPuzzle { exit: end.exit, failure: None, text, record }
    }

    fn not_rated(&self, line: usize, puzzle: Option<String>, status: &'static str, failure: Failure) -> RatedPuzzle {
        let (message, origin) = (Some(failure.message.clone()), self.origin.clone());
        let record = RatingRecord { line, puzzle, status, message, origin, ..RatingRecord::default() };
        RatedPuzzle { exit: failure.exit, failure: Some(failure), text: String::new(), record }
    }
}

/// Returns the steps that decide the three numbers of a rating: of the whole path, up to the first placement, and of the first step.
fn deciding_steps(rating: &PuzzleRating, solver: &Solver, puzzle: &Puzzle, walk: Walk) -> Vec<DecidingStep> {
    let numbers = match solver.profile().rating.by {
        RatingBy::Max => ["ER", "EP", "ED"],
        RatingBy::Sum => ["dearest", "dearest up to the first placement", "first"],
    };
    let path = walk.path(solver);
    let mut deciding = Vec::new();
    for (what, index) in numbers.into_iter().zip(rating.deciding) {
        let Some(index) = index else { continue };
        let Some(step) = path.steps.get(index) else { continue };
        deciding.push(DecidingStep {
            what,
            step: index + 1,
            price: solver.profile().rating.display(step.cost.map_or(0, u64::from)),
            name: step.name.clone(),
            text: headline(&puzzle.geometry, step).to_string(),
        });
    }
    deciding
}
