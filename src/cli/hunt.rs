//! `pinion hunt`. In: a technique, puzzles or none. Out: positions where it is found, ready to be pasted into a rule file.

use super::args::{Global, ProfileArg, board};
use super::exit::{Exit, Failure, Stop};
use super::find::unknown;
use super::input::puzzles;
use super::output::Output;
use super::progress::progress;
use super::rules::Solvers;
use crate::engine::Limits;
use crate::grid::{Geometry, State, notation};
use crate::render::{Line, Role};
use crate::solve::{Profile, Solver};
use crate::workbench::experiment::only;
use crate::workbench::generate;
use crate::workbench::hunt::{Catch, Near, Quarry, deductions, grid};
use clap::Args;
use fastrand::Rng;
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion hunt --technique NAME
  pinion hunt --technique NAME --count 3 --seed 7 --seconds 60
  pinion hunt --technique NAME puzzles.txt --most 2
  pinion hunt --technique NAME --only-with OTHER,ANOTHER --needed

Without a file, puzzles are generated: the same for the same seed. Each is solved with simple techniques (--walk) as far as
they go, and the technique is looked for on every position on the way, the last one first. What is found is printed as an
`example` with all its deductions and, where one candidate more or less makes an end of it, a `near_miss`. Where none does,
a few more puzzles are tried for an example that has one.
The exit code is 1 if nothing was found in time.";

/// Options.
#[derive(Args, Debug)]
pub struct HuntArgs {
    /// Files with puzzles; without any, puzzles are generated
    #[arg(value_name = "FILE")]
    files: Vec<String>,
    /// The technique, by its id or by what its steps are called
    #[arg(short, long, value_name = "NAME")]
    technique: String,
    /// Every match must have this name
    #[arg(long, value_name = "NAME")]
    called: Option<String>,
    /// How many examples are wanted
    #[arg(long, value_name = "N", default_value = "1")]
    count: usize,
    /// At most so many `finds` lines in an example
    #[arg(long, value_name = "N", default_value = "3")]
    most: usize,
    /// Stop after so many seconds
    #[arg(long, value_name = "S", default_value = "60")]
    seconds: u64,
    /// Where chance begins
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// The profile that walks the positions
    #[arg(long, value_name = "NAME", default_value = "basic")]
    walk: String,
    /// Walk with these techniques alone, in this order, separated by commas; in place of --walk
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "walk")]
    only_with: Vec<String>,
    /// Only positions where the walk finds nothing more: the technique is needed to go on
    #[arg(long)]
    needed: bool,
    /// Of so many finds the one with the fewest candidates
    #[arg(long, value_name = "N", default_value = "1")]
    of: usize,
    /// The board: a size such as 16x16, a name such as windoku, or a board file
    #[arg(long, value_name = "NxN|NAME|FILE")]
    board: Option<String>,
    #[command(flatten)]
    profile: ProfileArg,
}

#[derive(Serialize)]
struct CatchRecord {
    grid: String,
    finds: Vec<String>,
    names: Vec<String>,
    near_miss: Option<String>,
}

/// Where an example has no near miss, as many puzzles again are tried, and these.
const MORE: usize = 20;

/// Where positions come from.
enum Game {
    Puzzles(VecDeque<State>),
    Generated(Arc<Geometry>),
}

/// Hunts.
pub fn run(args: &HuntArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let asked = args.board.as_deref().map(board).transpose()?;
    let usual = || Geometry::standard(9).map(Arc::new).ok_or_else(|| Failure::usage("there is no such board"));
    let mut geometry = asked.clone().map_or_else(usual, Ok)?;
    let mut game = Game::Generated(Arc::clone(&geometry));
    if !args.files.is_empty() {
        let mut states = VecDeque::new();
        for file in &args.files {
            for puzzle in puzzles(file, asked.as_ref())?.list.into_iter().flatten() {
                geometry = Arc::clone(&puzzle.geometry);
                states.push_back(puzzle.state());
            }
        }
        game = Game::Puzzles(states);
    }
    let mut solvers = Solvers::new(global, &args.profile)?;
    let solver = solvers.on(&geometry, true);
    let walk = walk(args, &solver)?;
    let walker = Solver::new(&solvers.rulebook().clone().without_uniqueness(), &geometry, &walk, Limits::default());
    let quarry = Quarry {
        solver: &solver,
        walker: &walker,
        technique: args.technique.clone(),
        called: args.called.clone(),
        most: args.most,
        needed: args.needed,
    };
    let caught = hunt(args, &quarry, &mut game)?;
    tell(args, &geometry, &caught, out)?;
    Ok(if caught.len() < args.count { Exit::Short } else { Exit::Done })
}

/// The profile that walks: the techniques that are named, or one by its name.
fn walk(args: &HuntArgs, solver: &Solver) -> Result<Profile, Failure> {
    if args.only_with.is_empty() {
        let none = || Failure::usage(format!("there is no profile `{}`", args.walk));
        return Profile::embedded(&args.walk).ok_or_else(none);
    }
    let mut members = Vec::new();
    for name in &args.only_with {
        members.extend(solver.members_asked(Some(name.trim())).map_err(unknown)?);
    }
    Ok(only(solver, &members))
}

fn hunt(args: &HuntArgs, quarry: &Quarry, game: &mut Game) -> Result<Vec<Catch>, Failure> {
    let (clock, limit) = (Instant::now(), Duration::from_secs(args.seconds));
    let mut chance = Rng::with_seed(args.seed);
    let wanted = args.count * args.of.max(1);
    let bar = progress(wanted);
    let mut caught: Vec<Catch> = Vec::new();
    let (mut tried, mut last) = (0, usize::MAX);
    while tried < last && clock.elapsed() < limit {
        let Some(state) = game.next(&mut chance) else { break };
        tried += 1;
        if let Some(state) = state
            && let Some(one) = quarry.walk(&state, &mut chance).map_err(unknown)?
        {
            caught.push(one);
            bar.inc(1);
        }
        // Counted in puzzles, not in time, so that a seed says what is found.
        if caught.len() >= wanted {
            let whole = caught.iter().filter(|one| one.near_miss.is_some()).count() >= args.count;
            last = if whole { tried } else { last.min(2 * tried + MORE) };
        }
    }
    bar.finish_and_clear();
    let candidates =
        |one: &Catch| quarry.solver.geometry().cells().map(|cell| one.state.candidates(cell).len()).sum::<usize>();
    caught.sort_by_key(|one| (one.near_miss.is_none(), candidates(one)));
    caught.truncate(args.count);
    Ok(caught)
}

impl Game {
    /// The next position; `None` in it where no puzzle came of the attempt.
    fn next(&mut self, chance: &mut Rng) -> Option<Option<State>> {
        match self {
            Game::Puzzles(states) => states.pop_front().map(Some),
            Game::Generated(geometry) => {
                Some(generate::puzzle(geometry, chance).map(|givens| generate::state(geometry, &givens)))
            }
        }
    }
}

fn tell(args: &HuntArgs, geometry: &Geometry, caught: &[Catch], out: &mut Output) -> Result<(), Stop> {
    if !out.is_text() {
        let record = |one: &Catch| CatchRecord {
            grid: grid(geometry, &one.state),
            finds: deductions(geometry, &one.steps),
            names: one.steps.iter().map(|step| step.name.clone()).collect(),
            near_miss: one.near_miss.as_ref().map(|near| grid(geometry, &near.state)),
        };
        return Ok(out.value(&caught.iter().map(record).collect::<Vec<_>>())?);
    }
    let mut lines = Vec::new();
    for one in caught {
        lines.extend(block(
            &args.technique,
            "example",
            &one.steps[0].name,
            &grid(geometry, &one.state),
            &deductions(geometry, &one.steps),
        ));
        if let Some(Near { state, candidate, added }) = &one.near_miss {
            let cell = notation::cell(geometry, candidate.cell);
            let title = match added {
                true => format!("{cell} has {} as well", candidate.digit),
                false => format!("{cell} lacks {}", candidate.digit),
            };
            lines.extend(block(&args.technique, "near_miss", &title, &grid(geometry, state), &[]));
        } else {
            lines.push(Line::plain(
                "// No near miss: no candidate more or less makes an end of it. Change more by hand.",
            ));
            lines.push(Line::plain(""));
        }
    }
    if caught.is_empty() {
        lines.push(Line::of(Role::Bad, "Nothing found in time."));
    }
    out.lines(&lines)?;
    Ok(())
}

fn block(technique: &str, word: &str, title: &str, grid: &str, finds: &[String]) -> Vec<Line> {
    let mut lines = vec![Line::plain(format!("{word} {technique} \"{title}\" {{")), Line::plain("  grid \"\"\"")];
    lines.extend(grid.lines().map(|row| Line::plain(format!("    {row}"))));
    lines.push(Line::plain("  \"\"\""));
    lines.extend(finds.iter().map(|find| Line::plain(format!("  finds {find}"))));
    lines.extend([Line::plain("}"), Line::plain("")]);
    lines
}
