//! `pinion rate`. In: puzzles, one after the other. Out: what the profile rates each of them, in their order, and the steps
//! that decide it.

use crate::cli::admission::admitted;
use crate::cli::corpus::{in_order, processors};
use crate::cli::prelude::*;
use crate::cli::source::{Source, Unread};
use crate::grid::draw;
use crate::proof::shared_digits;
use crate::render::headline;
use crate::solve::{By, Outcome, Profile, Rated, Unwatched, Walk};
use crate::workbench::first_wrong;
use std::sync::{Mutex, PoisonError};

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
#[derive(Clone, Debug, Serialize)]
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
#[derive(Serialize)]
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

/// The end of a puzzle's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PathEnd {
    Solved,
    /// The puzzle has several solutions, and every digit that all of them share is placed.
    Shared,
    Stuck,
    /// There is no solution.
    Broken,
}

impl PathEnd {
    /// Classifies the end of a path. Counts solutions only if the path leaves the end open.
    fn of(walk: &Walk, puzzle: &Puzzle, state: &State, one: bool) -> PathEnd {
        match walk.outcome {
            Outcome::Solved => PathEnd::Solved,
            Outcome::Broken(_) => PathEnd::Broken,
            Outcome::Stuck if one => PathEnd::Stuck,
            Outcome::Stuck => match shared_digits(&puzzle.geometry, state) {
                None => PathEnd::Broken,
                Some(shared) => {
                    let mut cells = puzzle.geometry.cells().zip(&shared);
                    let is_reached = cells.all(|(cell, digit)| digit.is_none() || walk.end.value(cell) == *digit);
                    if is_reached { PathEnd::Shared } else { PathEnd::Stuck }
                }
            },
        }
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
    limits::heed_interrupts();
    args.time.begin();
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
        out.lines(&[Line::of(Role::Quiet, words)])?;
    }
    let rater = Rater { args, with, solvers: Mutex::new(solvers) };
    let board = args.puzzle.geometry()?;
    rater.all(Source::open(&args.puzzle.puzzle, board.as_ref())?, out)
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
    fn all(&self, puzzles: Source<'_>, out: &mut Output) -> Result<Exit, Stop> {
        let mut worst = Exit::Done;
        // The rating of a path that is cut short would be wrong.
        in_order(
            puzzles.take_while(|_| !limits::interrupted() && !limits::reached()),
            processors(),
            |_, puzzle| Some(self.one(puzzle)).filter(|_| !limits::reached()),
            |done: Option<RatedPuzzle>| {
                let Some(done) = done else { return Ok(()) };
                worst = worst.max(done.exit);
                if let Some(failure) = done.failure {
                    failure.report();
                }
                if out.is_text() {
                    out.text_if_any(&done.text)?
                } else {
                    out.value(&done.record)?
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
        let givens = draw::identity_line(&puzzle, &state);
        let one = match admitted(&puzzle, &state, Some(&self.args.guard)) {
            Ok(one) => one,
            Err(objection) => {
                let status = objection.status;
                return self.failed(puzzle.line, Some(givens), status, objection.at(&puzzle));
            }
        };
        let solver = self.solvers.lock().unwrap_or_else(PoisonError::into_inner).on(&puzzle.geometry, one);
        let walk = solver.walk(state.clone(), &mut Unwatched, false);
        let end = PathEnd::of(&walk, &puzzle, &state, one);
        let rated = walk.rated(&solver, matches!(end, PathEnd::Solved | PathEnd::Shared));
        let (status, exit) = match end {
            PathEnd::Solved => ("solved", Exit::Done),
            PathEnd::Shared => ("shared", Exit::Done),
            PathEnd::Stuck => ("stuck", Exit::Short),
            PathEnd::Broken => ("broken", Exit::Puzzle),
        };
        let wrong = match rated.outcome {
            Outcome::Broken(_) => first_wrong(&puzzle.geometry, &walk.clone().path(&solver)),
            _ => None,
        };
        let why = if self.args.why { deciding(&rated, &solver, &puzzle, walk) } else { Vec::new() };
        let profile = solver.profile();
        let shown = |number| Some(profile.rating.shown(number));
        let record = RatingRecord {
            line: puzzle.line,
            status,
            message: wrong.map(|one| one.text),
            rating: shown(rated.number),
            first_placement: shown(rated.first_placement),
            first_step: shown(rated.first_move),
            level: rated.level.clone(),
            unpriced: rated.unpriced,
            one_solution_assumed: one && solver.assumes_one_solution(),
            why,
            puzzle: Some(givens.clone()),
            with: self.with.clone(),
        };
        RatedPuzzle { exit, failure: None, text: text(&givens, profile, (&rated, end), &record), record }
    }

    fn failed(&self, line: usize, puzzle: Option<String>, status: &'static str, failure: Failure) -> RatedPuzzle {
        let record = RatingRecord {
            line,
            puzzle,
            status,
            message: Some(failure.message.clone()),
            rating: None,
            first_placement: None,
            first_step: None,
            level: None,
            unpriced: 0,
            one_solution_assumed: false,
            why: Vec::new(),
            with: self.with.clone(),
        };
        RatedPuzzle { exit: failure.exit, failure: Some(failure), text: String::new(), record }
    }
}

/// A puzzle's lines for people.
fn text(givens: &str, profile: &Profile, (rated, end): (&Rated, PathEnd), record: &RatingRecord) -> String {
    let shown = |number| profile.rating.shown(number);
    let rating = match (profile.rating.by, &rated.level) {
        (By::Max, _) => {
            format!("ED={}/{}/{}", shown(rated.number), shown(rated.first_placement), shown(rated.first_move))
        }
        (By::Sum, Some(level)) => format!("{level} ({})", shown(rated.number)),
        (By::Sum, None) => shown(rated.number),
    };
    let remark = match end {
        PathEnd::Solved => "",
        PathEnd::Shared => " (several solutions: rated up to what all of them share)",
        PathEnd::Stuck => " (not solved)",
        PathEnd::Broken => " (no solution)",
    };
    let mut text = format!("{givens} {rating}{remark}\n");
    if let Some(message) = &record.message {
        text.push_str(&format!("  {message}\n"));
    }
    for one in &record.why {
        text.push_str(&format!("  {} {}: step {}, {}\n", one.what, one.price, one.step, one.text));
    }
    text
}

/// The steps that decide the three numbers.
fn deciding(rated: &Rated, solver: &Solver, puzzle: &Puzzle, walk: Walk) -> Vec<Decides> {
    let what = match solver.profile().rating.by {
        By::Max => ["ER", "EP", "ED"],
        By::Sum => ["dearest", "dearest up to the first placement", "first"],
    };
    let path = walk.path(solver);
    let one = |(what, at): (&'static str, Option<usize>)| {
        let at = at?;
        let step = path.steps.get(at)?;
        let headline = headline(&puzzle.geometry, step).to_string();
        Some(Decides {
            what,
            step: at + 1,
            price: solver.profile().rating.shown(step.cost.map_or(0, u64::from)),
            name: step.name.clone(),
            text: headline,
        })
    };
    what.into_iter().zip(rated.deciding).filter_map(one).collect()
}
