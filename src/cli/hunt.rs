//! `pinion hunt`. In: a technique, puzzles or none. Out: positions where it is found, ready to be pasted into a rule file.

use crate::cli::corpus::{Corpus, CutShort};
use crate::cli::find::unknown;
use crate::cli::prelude::*;
use crate::cli::progress::progress;
use crate::cli::prove::record::knowledge;
use crate::engine::Limits;
use crate::grid::BoardSpec;
use crate::solve::Profile;
use crate::workbench::experiment::profile_of;
use crate::workbench::generate;
use crate::workbench::hunt::{ExampleHunt, FoundExample, HuntTally, NearMissGrid, deductions, grid};
use fastrand::Rng;
use std::cell::RefCell;

/// Look for puzzles in which a technique is found, and print them as examples
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion hunt --technique NAME
  pinion hunt --technique NAME --count 3 --seed 7 --seconds 60
  pinion hunt --technique NAME puzzles.txt --most 2
  pinion hunt --technique NAME --only-with OTHER,ANOTHER --needed

Without a file Pinion generates puzzles, the same for the same seed. It solves each with simple techniques (--walk) and
looks for the technique on every position on the way, the last one first. It prints an `example` with all deductions and,
if one candidate more or less removes the match, a `near_miss`. Paste both into your rule file.
The exit code is 1 if too few were found in time.")]
pub struct HuntArgs {
    /// Files with puzzles; without one, Pinion generates puzzles
    #[arg(value_name = "FILE")]
    files: Vec<String>,
    /// The technique, by its id or the name of its steps
    #[arg(short, long, value_name = "NAME")]
    technique: String,
    /// Every match must have this name
    #[arg(long, value_name = "NAME")]
    called: Option<String>,
    /// How many examples to look for
    #[arg(long, value_name = "N", default_value = "1")]
    count: usize,
    /// At most N `finds` lines in an example
    #[arg(long, value_name = "N", default_value = "3")]
    most: usize,
    /// Stop after S seconds
    #[arg(long, value_name = "S", default_value = "60")]
    seconds: u64,
    /// The seed of the random numbers
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// The profile that solves the puzzles on the way
    #[arg(long, value_name = "NAME", default_value = "basic")]
    walk: String,
    /// Solve with these techniques alone, in this order, separated by commas; instead of --walk
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "walk")]
    only_with: Vec<String>,
    /// Only positions where the others find nothing more: the technique is needed
    #[arg(long)]
    needed: bool,
    /// Of N finds take the one with the fewest candidates
    #[arg(long, value_name = "N", default_value = "1")]
    of: usize,
    /// The board: a size such as 16x16, a name such as windoku, or a board file
    #[arg(long, value_name = "NxN|NAME|FILE")]
    board: Option<String>,
    #[command(flatten)]
    profile: ProfileArg,
}

#[derive(Serialize)]
struct CatchRecord<'a> {
    technique: &'a str,
    grid: String,
    finds: Vec<String>,
    names: Vec<&'a str>,
    near_miss: Option<String>,
}

/// A line of its own, where a limit cut searches short.
#[derive(Serialize)]
struct CutRecord<'a> {
    /// Positions that were searched.
    positions: usize,
    /// Positions on which a limit cut the search short.
    #[serde(flatten)]
    cut: &'a CutShort,
}

/// If an example has no near miss, as many puzzles again are tried, and this many more.
const MORE: usize = 20;

/// Source of the positions.
enum Game<'b> {
    Puzzles(Box<Corpus<'b>>),
    Generated,
}

/// Hunts for examples of a technique.
pub fn run(args: &HuntArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let asked = asked_board(&args.board)?;
    let (mut game, geometry) = match args.files.as_slice() {
        [] => (Game::Generated, asked.clone().map_or_else(|| board("9x9"), Ok)?),
        files => {
            let corpus = Corpus::read(files, asked.as_ref(), None)?;
            let geometry = Arc::clone(&corpus.geometry);
            (Game::Puzzles(Box::new(corpus)), geometry)
        }
    };
    let mut solvers = Solvers::new(global, &args.profile)?;
    let solver = solvers.on(&geometry, true);
    let walk = walk(args, &solver)?;
    let book = solvers.rulebook().clone().without_uniqueness();
    let limits = Limits { halt: limits::halt(), ..Limits::default() };
    let walker = Solver::with_soundness(&knowledge(&book, &geometry, false), &book, &geometry, &walk, limits);
    let labels = labels(args, &solver)?;
    let search = ExampleHunt {
        solver: &solver,
        walker: &walker,
        technique: args.technique.clone(),
        labels,
        called: args.called.clone(),
        most: args.most,
        needed: args.needed,
        tally: RefCell::default(),
    };
    search.solver.members_by_name(args.called.as_deref()).map_err(unknown)?;
    let caught = hunt(args, &search, &mut game)?;
    let tally = search.tally.borrow();
    let cut = CutShort { count: tally.cut, limits: tally.limits.clone() };
    print_results(&geometry, &caught, (&tally, &cut), out)?;
    if caught.len() < args.count {
        remark(&searched(args, &tally));
    }
    if cut.count > 0 {
        let (positions, by) = (count_phrase(cut.count, "position"), cut.by());
        remark(&format!("the search was cut short on {positions} by {by}; there may be more examples"));
    }
    Ok(if caught.len() < args.count { Exit::Short } else { Exit::Done })
}

/// The rules that have the name, as a rule file names them: a family by its id if several members have it.
fn labels(args: &HuntArgs, solver: &Solver) -> Result<Vec<String>, Failure> {
    let members = solver.members_by_name(Some(&args.technique)).map_err(unknown)?;
    let mut labels: Vec<String> = Vec::new();
    for member in members.iter().map(|&at| &solver.members()[at]) {
        let (id, label) = (&solver.techniques()[member.technique].id, solver.member_label(member));
        match labels.iter_mut().find(|known| known.split('(').next() == Some(id)) {
            Some(known) if *known != label => known.clone_from(id),
            Some(_) => {}
            None => labels.push(label),
        }
    }
    Ok(labels)
}

/// The profile that walks: the techniques that are named, or one by its name.
fn walk(args: &HuntArgs, solver: &Solver) -> Result<Profile, Failure> {
    if args.only_with.is_empty() {
        let profile = Profile::embedded(&args.walk);
        return profile.ok_or_else(|| Failure::usage(format!("there is no profile `{}`", args.walk)));
    }
    let mut members = Vec::new();
    for name in &args.only_with {
        members.extend(solver.members_by_name(Some(name.trim())).map_err(unknown)?);
    }
    Ok(profile_of(solver, &members))
}

fn hunt(args: &HuntArgs, search: &ExampleHunt, game: &mut Game<'_>) -> Result<Vec<FoundExample>, Failure> {
    limits::begin(Some(args.seconds));
    let mut chance = Rng::with_seed(args.seed);
    let wanted = args.count * args.of.max(1);
    let bar = progress(wanted);
    let mut caught: Vec<FoundExample> = Vec::new();
    let (mut tried, mut last) = (0, usize::MAX);
    while tried < last && !limits::reached() {
        let Some(state) = game.next(search.solver.geometry(), &mut chance) else { break };
        tried += 1;
        if let Some(state) = state
            && let Some(one) = search.walk(&state, &mut chance).map_err(unknown)?
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
    caught.sort_by_key(|one| {
        let candidates = search.solver.geometry().cells().map(|cell| one.state.candidates(cell).len()).sum::<usize>();
        (one.near_miss.is_none(), candidates)
    });
    caught.truncate(args.count);
    Ok(caught)
}

impl Game<'_> {
    /// The next position; `None` in it where no puzzle came of the attempt.
    fn next(&mut self, geometry: &Geometry, chance: &mut Rng) -> Option<Option<State>> {
        match self {
            Game::Puzzles(corpus) => corpus.next().map(|puzzle| Some(puzzle.state())),
            Game::Generated => {
                let givens = generate::puzzle(geometry, chance, &limits::reached);
                Some(givens.map(|givens| generate::state(geometry, &givens)))
            }
        }
    }
}

/// Describes the search: positions searched, and reasons why matches are not shown.
fn searched(args: &HuntArgs, tally: &HuntTally) -> String {
    let mut words = format!("{} looked at", count_phrase(tally.positions, "position"));
    let most = format!("more than {} (--most)", count_phrase(args.most, "deduction"));
    let why = [(tally.too_many, most.as_str()), (tally.other_name, "other names (--called)")];
    for (count, why) in why.into_iter().filter(|(count, _)| *count > 0) {
        words.push_str(&format!("; refused on {count}: {why}"));
    }
    words
}

fn print_results(
    geometry: &Geometry,
    caught: &[FoundExample],
    (tally, cut): (&HuntTally, &CutShort),
    out: &mut Output,
) -> Result<(), Stop> {
    if !out.is_text() {
        let records = caught.iter().map(|one| CatchRecord {
            technique: &one.label,
            grid: grid(geometry, &one.state),
            finds: deductions(geometry, &one.steps),
            names: one.steps.iter().map(|step| step.name.as_str()).collect(),
            near_miss: one.near_miss.as_ref().map(|near| grid(geometry, &near.state)),
        });
        out.value(&records.collect::<Vec<_>>())?;
        if cut.count > 0 {
            out.value(&CutRecord { positions: tally.positions, cut })?;
        }
        return Ok(());
    }
    let mut lines = Vec::new();
    for one in caught {
        let finds = deductions(geometry, &one.steps);
        lines.extend(block(&one.label, ("example", &one.steps[0].name), geometry, &one.state, &finds));
        match &one.near_miss {
            Some(near) => lines.extend(near_miss_block(&one.label, geometry, near)),
            None => {
                let words = "// No near miss: no candidate more or less makes an end of it. Change more by hand.";
                lines.extend([Line::text(words), Line::default()]);
            }
        }
    }
    if caught.is_empty() {
        lines.push(Line::styled(Role::Failure, "Nothing found in time."));
    }
    Ok(out.lines(&lines)?)
}

/// The difference between a near miss and the position of its example.
pub fn near_miss_title(geometry: &Geometry, NearMissGrid { candidate, added, .. }: &NearMissGrid) -> String {
    let cell = notation::cell(geometry, candidate.cell);
    match added {
        true => format!("{cell} has {} as well", candidate.digit),
        false => format!("{cell} lacks {}", candidate.digit),
    }
}

/// A near miss as a rule file has it.
pub fn near_miss_block(technique: &str, geometry: &Geometry, near: &NearMissGrid) -> Vec<Line> {
    block(technique, ("near_miss", &near_miss_title(geometry, near)), geometry, &near.state, &[])
}

/// An example or a near miss as a rule file has it.
fn block(
    technique: &str,
    (word, title): (&str, &str),
    geometry: &Geometry,
    state: &State,
    finds: &[String],
) -> Vec<Line> {
    let mut lines = vec![Line::text(format!("{word} {technique} \"{title}\" {{"))];
    let spec = geometry.spec();
    if BoardSpec::standard(spec.size).is_none_or(|standard| standard != *spec) {
        lines.push(Line::text(format!("  board \"{}\"", spec.name)));
    }
    lines.push(Line::text("  grid \"\"\""));
    lines.extend(grid(geometry, state).lines().map(|row| Line::text(format!("    {row}"))));
    lines.push(Line::text("  \"\"\""));
    lines.extend(finds.iter().map(|find| Line::text(format!("  finds {find}"))));
    lines.extend([Line::text("}"), Line::text("")]);
    lines
}
