//! `pinion hunt`: searches puzzles for positions where a technique has a match, and prints them as examples for a rule file.

use crate::cli::corpus::{Corpus, CutShort};
use crate::cli::find::unknown_technique;
use crate::cli::prelude::*;
use crate::cli::progress::progress;
use crate::cli::prove::record::soundness_of_added_rules;
use crate::engine::Limits;
use crate::grid::BoardSpec;
use crate::solve::Profile;
use crate::workbench::experiment::profile_of;
use crate::workbench::generate;
use crate::workbench::hunt::{ExampleHunt, FoundExample, HuntTally, NearMissGrid, deductions, grid};
use fastrand::Rng;

/// Look for puzzles in which a technique is found, and print them as examples
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion hunt --technique NAME
  pinion hunt --technique NAME --count 3 --seed 7 --seconds 60
  pinion hunt --technique NAME puzzles.txt --most 2
  pinion hunt --technique NAME --only-with OTHER,ANOTHER --needed

Without a file Pinion generates puzzles, the same puzzles for the same seed. It solves each puzzle with simple techniques
(--walk) and looks for the technique on every position of the path, the last position first. It prints an `example` with all
deductions and, if one candidate more or less removes the match, a `near_miss`. Paste both into your rule file.
The exit code is 1 if too few examples were found in time.")]
#[command(mut_arg("board", |arg| arg.help(
    "The board of the puzzles, given or generated: a size such as 16x16, a name such as windoku, or a board file"
)))]
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
    /// Look for N examples
    #[arg(long, value_name = "N", default_value = "1")]
    count: NonZeroUsize,
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
    /// Only positions where the other techniques find nothing, so that the technique is needed
    #[arg(long)]
    needed: bool,
    /// Collect N times as many examples as wanted, and print those with the fewest candidates
    #[arg(long = "of", value_name = "N", default_value = "1")]
    choices: NonZeroUsize,
    #[command(flatten)]
    board: BoardArg,
    #[command(flatten)]
    profile: ProfileArg,
}

#[derive(Serialize)]
struct HuntRecord<'a> {
    technique: &'a str,
    grid: String,
    finds: Vec<String>,
    names: Vec<&'a str>,
    near_miss: Option<String>,
}

/// The last JSON record, if a limit cut searches short.
#[derive(Serialize)]
struct CutRecord<'a> {
    positions: usize,
    #[serde(flatten)]
    cut_short: &'a CutShort,
}

/// If there are enough examples, but too few have a near miss, the hunt tries as many puzzles again, plus this number.
const MORE_PUZZLES: usize = 20;

pub fn run(args: &HuntArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let board = args.board.geometry()?;
    let mut corpus = match args.files.is_empty() {
        true => None,
        false => Some(Corpus::open(&args.files, board.as_ref(), None)?),
    };
    let geometry = match (&corpus, &board) {
        (Some(Corpus { geometry, .. }), _) | (None, Some(geometry)) => Arc::clone(geometry),
        (None, None) => board_named("9x9")?,
    };
    limits::start_clock(Some(args.seconds));
    let mut solvers = Solvers::new(global, &args.profile)?;
    let solver = solvers.on(&geometry, ASSUME_UNIQUE);
    let walk_profile = walk_profile(args, &solver)?;
    let rulebook = solvers.rulebook.clone().without_uniqueness();
    let limits = Limits { halt: limits::halt(), ..Limits::default() };
    let soundness = soundness_of_added_rules(&rulebook, &geometry, false, None);
    let walker = Solver::with_soundness(&soundness, &rulebook, &geometry, &walk_profile, limits);
    let labels = labels(args, &solver)?;
    let search = ExampleHunt {
        solver: &solver,
        walker: &walker,
        technique: args.technique.clone(),
        labels,
        match_name: args.called.clone(),
        max_deductions: args.most,
        only_stuck_positions: args.needed,
        tally: RefCell::default(),
    };
    // An unknown name is reported before the search.
    search.solver.members_by_name(args.called.as_deref()).map_err(unknown_technique)?;
    let examples = hunt(args, &search, corpus.as_mut())?;
    let tally = search.tally.borrow();
    let cut_short = CutShort { count: tally.cut, limits: tally.limits.clone() };
    if out.is_text() {
        print_examples(&geometry, &examples, out)?;
    } else {
        print_records(&geometry, &examples, out)?;
        if cut_short.count > 0 {
            out.value(&CutRecord { positions: tally.positions, cut_short: &cut_short })?;
        }
    }
    if examples.len() < args.count.get() {
        remark(&search_summary(args, &tally));
    }
    if cut_short.count > 0 {
        let positions = count_phrase(cut_short.count, "position");
        let limits = cut_short.limit_list();
        remark(&format!("the search was cut short on {positions} by {limits}; there may be more examples"));
    }
    Ok(if examples.len() < args.count.get() { Exit::Unsuccessful } else { Exit::Done })
}

/// Returns the labels of the rules that `--technique` selects: `id(4)` if one member of a rule is selected, else `id`.
fn labels(args: &HuntArgs, solver: &Solver) -> Result<Vec<String>, Failure> {
    let mut labels: Vec<String> = Vec::new();
    for index in solver.members_by_name(Some(&args.technique)).map_err(unknown_technique)? {
        let member = &solver.members()[index];
        let id = &solver.techniques()[member.technique].id;
        let label = solver.member_label(member);
        match labels.iter_mut().find(|label| label.split('(').next() == Some(id)) {
            None => labels.push(label),
            // Variants of one member have equal labels.
            Some(previous) if *previous == label => {}
            Some(previous) => previous.clone_from(id),
        }
    }
    Ok(labels)
}

/// Returns the profile that solves the puzzles: the techniques of `--only-with`, or the profile of `--walk`.
fn walk_profile(args: &HuntArgs, solver: &Solver) -> Result<Profile, Failure> {
    if args.only_with.is_empty() {
        let profile = Profile::embedded(&args.walk);
        return profile.ok_or_else(|| Failure::usage(format!("there is no profile `{}`", args.walk)));
    }
    let mut members = Vec::new();
    for name in &args.only_with {
        members.extend(solver.members_by_name(Some(name.trim())).map_err(unknown_technique)?);
    }
    Ok(profile_of(solver, &members))
}

/// Returns up to `--count` examples, from a corpus or from generated puzzles. Examples with a near miss come first, then those with the fewest candidates.
fn hunt(
    args: &HuntArgs,
    search: &ExampleHunt,
    mut corpus: Option<&mut Corpus<'_>>,
) -> Result<Vec<FoundExample>, Failure> {
    let geometry = search.solver.geometry();
    let mut rng = Rng::with_seed(args.seed);
    let max_finds = args.count.saturating_mul(args.choices).get();
    let bar = progress(Some(max_finds));
    let mut examples: Vec<FoundExample> = Vec::new();
    let mut tried = 0;
    let mut max_tried = usize::MAX;
    while tried < max_tried && !limits::is_reached() {
        let start = match &mut corpus {
            Some(corpus) => match corpus.next() {
                Some(puzzle) => Some(puzzle.state()),
                None => break,
            },
            // `None` if the limit was reached.
            None => generate::puzzle(geometry, &mut rng, &limits::is_reached)
                .map(|givens| generate::state(geometry, &givens)),
        };
        tried += 1;
        if let Some(start) = start
            && let Some(found) = search.walk(&start, &mut rng).map_err(unknown_technique)?
        {
            examples.push(found);
            bar.inc(1);
        }
        // Additional puzzles are limited by number and not by time, so that the seed alone determines the examples.
        if examples.len() >= max_finds {
            let with_near_miss = examples.iter().filter(|found| found.near_miss.is_some()).count();
            max_tried =
                if with_near_miss >= args.count.get() { tried } else { max_tried.min(2 * tried + MORE_PUZZLES) };
        }
    }
    bar.finish_and_clear();
    examples.sort_by_key(|found| {
        let candidates: usize = geometry.cells().map(|cell| found.state.candidates(cell).len()).sum();
        (found.near_miss.is_none(), candidates)
    });
    examples.truncate(args.count.get());
    Ok(examples)
}

fn search_summary(args: &HuntArgs, tally: &HuntTally) -> String {
    let mut summary = format!("{} looked at", count_phrase(tally.positions, "position"));
    if tally.too_many > 0 {
        let deductions = count_phrase(args.most, "deduction");
        summary += &format!("; refused on {}: more than {deductions} (--most)", tally.too_many);
    }
    if tally.other_name > 0 {
        summary += &format!("; refused on {}: other names (--called)", tally.other_name);
    }
    summary
}

fn print_records(geometry: &Geometry, examples: &[FoundExample], out: &mut Output) -> Result<(), CommandError> {
    let mut records = Vec::new();
    for found in examples {
        records.push(HuntRecord {
            technique: &found.label,
            grid: grid(geometry, &found.state),
            finds: deductions(geometry, &found.steps),
            names: found.steps.iter().map(|step| step.name.as_str()).collect(),
            near_miss: found.near_miss.as_ref().map(|near| grid(geometry, &near.state)),
        });
    }
    Ok(out.value(&records)?)
}

fn print_examples(geometry: &Geometry, examples: &[FoundExample], out: &mut Output) -> Result<(), CommandError> {
    let mut lines = Vec::new();
    for found in examples {
        let finds = deductions(geometry, &found.steps);
        let heading = format!("example {} \"{}\"", found.label, found.steps[0].name);
        lines.extend(rule_file_block(&heading, geometry, &found.state, &finds));
        match &found.near_miss {
            Some(near) => lines.extend(near_miss_block(&found.label, geometry, near)),
            None => lines.extend([Line::text(NO_NEAR_MISS), Line::default()]),
        }
    }
    if examples.is_empty() {
        lines.push(Line::styled(Role::Failure, "Nothing found in time."));
    }
    Ok(out.lines(&lines)?)
}

const NO_NEAR_MISS: &str =
    "// No near miss: adding or removing one candidate does not stop the match. Change the grid by hand.";

/// Returns the difference between a near miss and the position of its example.
pub fn near_miss_title(geometry: &Geometry, NearMissGrid { candidate, added, .. }: &NearMissGrid) -> String {
    let cell = notation::cell(geometry, candidate.cell);
    match added {
        true => format!("{cell} has {} as well", candidate.digit),
        false => format!("{cell} lacks {}", candidate.digit),
    }
}

pub fn near_miss_block(technique: &str, geometry: &Geometry, near: &NearMissGrid) -> Vec<Line> {
    let heading = format!("near_miss {technique} \"{}\"", near_miss_title(geometry, near));
    rule_file_block(&heading, geometry, &near.state, &[])
}

/// Returns an example or a near miss in the syntax of rule files.
fn rule_file_block(heading: &str, geometry: &Geometry, state: &State, finds: &[String]) -> Vec<Line> {
    let mut lines = vec![Line::text(format!("{heading} {{"))];
    let spec = geometry.spec();
    // A standard board needs no `board` line, because the size of the grid determines the board.
    if BoardSpec::standard(spec.size).is_none_or(|standard| standard != *spec) {
        lines.push(Line::text(format!("  board \"{}\"", spec.name)));
    }
    lines.push(Line::text("  grid \"\"\""));
    lines.extend(grid(geometry, state).lines().map(|row| Line::text(format!("    {row}"))));
    lines.push(Line::text("  \"\"\""));
    lines.extend(finds.iter().map(|deduction| Line::text(format!("  finds {deduction}"))));
    lines.extend([Line::text("}"), Line::text("")]);
    lines
}
