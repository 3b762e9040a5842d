//! `pinion find` and `pinion explain-move`: techniques on puzzles as they stand. In: puzzles, perhaps a name; two positions. Out: every
//! match; the techniques that justify the difference.

use crate::cli::batch::{PuzzleHalt, Reply, each_streaming, objection};
use crate::cli::input::one_puzzle;
use crate::cli::output::{PictureArg, Pictures};
use crate::cli::prelude::*;
use crate::cli::why::{after, short_of};
use crate::engine::{LimitHit, Limits, MemberId};
use crate::grid::Digit;
use crate::proof::{Slips, Uniqueness, had_unique_solution, uniqueness};
use crate::render::{Headlines, Scene, StepRecord, cut_notes, step_lines};
use crate::solve::{Cut, Profile, Soundness, StepSearch, UnknownTechnique};
use crate::workbench::explain::{Difference, Explained, difference, explain};
use crate::workbench::slip_words;
use serde::ser::{SerializeSeq, SerializeStruct, Serializer};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Show what techniques match on a puzzle as it stands
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion find grid.txt
  pinion find grid.txt --technique NAME
  pinion find - --technique NAME --rules my-rules/ < grid.txt

NAME is the id of a rule or the name of its steps, as `pinion list` shows them; case, blanks, - and _ make no
difference. The puzzle is not solved first. --draw draws each match, with a legend below it; --svg writes pictures. With
--after N Pinion looks at the position after N steps of `pinion solve`. Without a technique three matches of each name are
shown; --most N shows the first N of all.")]
pub struct FindArgs {
    #[command(flatten)]
    puzzle: PuzzleArg,
    /// Only this technique, by its id or the name of its steps
    #[arg(short, long, value_name = "NAME")]
    technique: Option<String>,
    #[command(flatten)]
    picture: PictureArg,
    /// Look at the position after N steps of the solution path
    #[arg(long, value_name = "N", default_value = "0")]
    after: usize,
    /// Show at most N matches
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    /// End the search for each technique after N matches
    #[arg(long, value_name = "N", default_value = "10000")]
    limit: usize,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: TimeArg,
}

/// Finds every match.
pub fn run(args: &FindArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let mut solvers = Solvers::new(global, &args.profile)?;
    let mut pictures = Pictures::new(&args.picture, false, out);
    each_streaming(&args.puzzle, None, out, |puzzle, state, one, reply| {
        let solver = solvers.on(&puzzle.geometry, one);
        args.time.begin();
        let (made, state) = &after(&solver, state, args.after);
        if reply.is_text() {
            reply.lines(&Vec::from_iter(short_of(args.after, *made)))?;
        }
        let found = solver.find(state, args.technique.as_deref(), args.limit);
        let mut found = found.map_err(|error| rule_disabled(&solvers, one, error))?;
        let (status, exit) = match found.is_empty() {
            true => ("nothing", Exit::Short),
            false => ("found", Exit::Done),
        };
        reply.status(status, exit);
        if !reply.is_text() {
            let most = args.most.unwrap_or(usize::MAX);
            let (found, copies) = (RefCell::new(found), RefCell::default());
            reply.value(status, &FindRecord { geometry: &puzzle.geometry, found, most, copies })?;
            return Ok(());
        }
        let count = print_matches(args, (&puzzle.geometry, state, &solver), &mut found, &mut pictures, reply)?;
        if count == 0 && !one {
            let left_out = left_out(&mut solvers, &puzzle.geometry, args.technique.as_deref());
            reply.lines(&Vec::from_iter(left_out))?;
        }
        Ok(())
    })
}

/// Prints matches as they are found, then the summary. Returns their number.
fn print_matches(
    args: &FindArgs,
    (geometry, state, solver): (&Geometry, &State, &Solver),
    found: &mut StepSearch<'_>,
    pictures: &mut Pictures,
    reply: &mut Reply<'_, '_>,
) -> Result<usize, PuzzleHalt> {
    let (mut many, mut shown, most) = (0, 0, args.most.unwrap_or(usize::MAX));
    // Some techniques have thousands of matches on a grid.
    let each = if args.technique.is_none() && args.most.is_none() { OF_EACH } else { usize::MAX };
    let (mut members, mut names) = (BTreeSet::new(), BTreeMap::<String, usize>::new());
    let mut headlines = Headlines::default();
    for step in found.by_ref() {
        if headlines.add(geometry, &step).is_some() {
            continue;
        }
        many += 1;
        let of_name = names.entry(step.name.clone()).or_default();
        *of_name += 1;
        if many <= most && *of_name <= each {
            shown += 1;
            let text = step_lines(geometry, &step, 2);
            let drawn = pictures.show(geometry, &Scene::of_step(geometry, state, &step), &text)?;
            reply.lines(&text)?;
            reply.lines(&drawn)?;
            reply.flush()?;
        }
        members.insert(step.member);
    }
    let end = match many {
        0 => Line::styled(Role::Failure, "Nothing found on the grid as it is."),
        1 => Line::styled(Role::Quiet, "1 match."),
        many if shown < many && args.most.is_none() => {
            let why = format!("at most {OF_EACH} of each name. --technique NAME shows all of one.");
            Line::styled(Role::Quiet, format!("{many} matches, {shown} shown: {why}"))
        }
        many if shown < many => Line::styled(Role::Quiet, format!("{many} matches, {shown} shown.")),
        many => Line::styled(Role::Quiet, format!("{many} matches.")),
    };
    reply.lines(&[end])?;
    let (full, others): (Vec<Cut>, Vec<Cut>) =
        found.cuts().iter().cloned().partition(|cut| cut.limit == LimitHit::Matches);
    let mut notes = cut_notes(&others);
    for Cut { member, .. } in full {
        let end = format!("ended at the limit of {} matches (--limit)", args.limit);
        notes.push(note(format!("The search for {member} {end}; there may be more.")));
    }
    // A limit on the whole run was reached.
    match found.not_searched().as_slice() {
        [] => {}
        [first] => notes.push(note(format!("{first} was not looked for."))),
        [first, ..] => {
            let many = found.not_searched().len();
            notes.push(note(format!("{many} techniques from {first} on were not looked for.")));
        }
    }
    notes.extend(unproved(solver, &members));
    reply.lines(&notes)?;
    Ok(many)
}

/// The most matches of one name that are shown if no technique is named.
const OF_EACH: usize = 3;

/// Matches for programs, searched while they are written.
struct FindRecord<'f> {
    geometry: &'f Geometry,
    found: RefCell<StepSearch<'f>>,
    most: usize,
    /// Matches that are no step of their own, noted while the steps are written.
    copies: RefCell<Vec<CopyRecord>>,
}

/// A match that reads as one of another rule.
#[derive(Serialize)]
struct CopyRecord {
    /// Number of the step that stands for both, from one.
    step: usize,
    /// The rule that finds it too.
    technique: String,
}

impl Serialize for FindRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("FindRecord", 4)?;
        record.serialize_field("steps", &Steps(self))?;
        record.serialize_field("also_found_by", &*self.copies.borrow())?;
        let found = self.found.borrow();
        record.serialize_field("cuts", found.cuts())?;
        record.serialize_field("not_searched", &found.not_searched())?;
        record.end()
    }
}

/// The steps of a record.
struct Steps<'r, 'f>(&'r FindRecord<'f>);

impl Serialize for Steps<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        let mut found = self.0.found.borrow_mut();
        let (mut headlines, mut written) = (Headlines::default(), 0);
        for step in found.by_ref() {
            match headlines.add(self.0.geometry, &step) {
                Some(number) if number < self.0.most => {
                    let copy = CopyRecord { step: number + 1, technique: step.technique };
                    self.0.copies.borrow_mut().push(copy);
                }
                None if written < self.0.most => {
                    list.serialize_element(&StepRecord::new(self.0.geometry, &step))?;
                    written += 1;
                }
                _ => {}
            }
        }
        list.end()
    }
}

/// Names the rules of matches that are not proved on this board, refuted ones in a line of their own.
fn unproved(solver: &Solver, found: &BTreeSet<MemberId>) -> Vec<Line> {
    let mut lines = Vec::new();
    for (soundness, head, end) in [
        (Soundness::Unproved, "Not proved", "What it concludes may be wrong."),
        (Soundness::Refuted, "Refuted", "What it concludes is wrong in some positions; `pinion prove` shows one."),
    ] {
        let all = solver.members().iter().enumerate().filter(|(at, _)| solver.soundness(*at) == soundness);
        let mut labels: Vec<String> =
            all.filter(|(_, one)| found.contains(one)).map(|(_, one)| solver.member_label(one)).collect();
        labels.dedup();
        if !labels.is_empty() {
            let board = &solver.geometry().spec().name;
            lines.push(Line::styled(
                Role::Failure,
                format!("{head} on the board {board}: {}. {end}", labels.join(", ")),
            ));
        }
    }
    lines
}

/// Says that techniques were not searched because the puzzle is not known to have one solution, if there are any.
pub fn left_out(solvers: &mut Solvers, geometry: &Arc<Geometry>, name: Option<&str>) -> Option<Line> {
    if !solvers.uniqueness() || geometry.has_extra_pairs() {
        return None;
    }
    let whole = solvers.on(geometry, true);
    let members = whole.members_by_name(name).unwrap_or_default();
    let mut techniques: Vec<usize> = members.into_iter().map(|at| whole.members()[at].technique).collect();
    techniques.retain(|&at| whole.techniques()[at].assumes_one_solution);
    techniques.sort_unstable();
    techniques.dedup();
    let words = match techniques.len() {
        0 => return None,
        1 => "One technique that assumes one solution was".to_string(),
        many => format!("{many} techniques that assume one solution were"),
    };
    Some(Line::styled(Role::Quiet, format!("{words} not looked for: this puzzle is not known to have just one.")))
}

/// Returns the reason why a name is not searched: no rule has it, or the rule assumes one solution.
pub fn rule_disabled(solvers: &Solvers, one: bool, error: UnknownTechnique) -> PuzzleHalt {
    refused(solvers, one, &error).map_or_else(|| PuzzleHalt::All(unknown(error)), PuzzleHalt::Here)
}

/// Returns the reason why a technique that assumes one solution was not searched, if the name is one's.
fn refused(solvers: &Solvers, one: bool, error: &UnknownTechnique) -> Option<Failure> {
    let geometry = Geometry::standard(9).map(Arc::new)?;
    let (typed, limits) = (&error.typed, Limits::default());
    let whole = Solver::new(solvers.rulebook(), &geometry, &Profile::default(), limits);
    if !whole.has_name(typed) && whole.members_by_name(Some(typed)).is_err() {
        return None;
    }
    let reason = match (solvers.uniqueness(), one) {
        (false, _) => "it assumes one solution, and --no-uniqueness leaves such techniques out",
        (_, false) => "it assumes one solution, and this puzzle is not known to have just one",
        _ => "it is left out on this board",
    };
    Some(Failure::usage(format!("`{typed}` is not looked for: {reason}")))
}

/// Creates the failure for a name that no rule has.
pub fn unknown(error: UnknownTechnique) -> Failure {
    let failure = Failure::usage(format!("no technique is called `{}`", error.typed));
    match error.nearest.as_slice() {
        [] => failure.help("`pinion list` shows them all; `--rules FILE` adds rules of your own"),
        near => failure.help(format!("did you mean {}? `pinion list` shows them all", near.join(" or "))),
    }
}

/// Show which techniques justify the difference of two grids
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion explain-move before.txt after.txt
  pinion explain-move before.txt after.txt --profile classic --rules my-rules/

Both are grids of candidates. If one step shows the whole difference, Pinion names every technique with such a step;
otherwise it shows the simplest steps that together make it. The exit code is 1 if something is left that no technique
shows.")]
pub struct ExplainMoveArgs {
    /// The position before
    #[arg(value_name = "BEFORE", allow_hyphen_values = true)]
    before: String,
    /// The position after
    #[arg(value_name = "AFTER", allow_hyphen_values = true)]
    after: String,
    /// Read both for this board only: a size such as 16x16, a name such as windoku, or a board file
    #[arg(long, value_name = "NxN|NAME|FILE")]
    board: Option<String>,
    /// Explain N of the techniques that show all of it; the others are named
    #[arg(long, value_name = "N", default_value = "3")]
    most: usize,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: TimeArg,
}

#[derive(Serialize)]
struct MoveRecord {
    difference: String,
    alone: Vec<StepRecord>,
    together: Vec<StepRecord>,
    left: String,
    added: String,
    /// The limit that ended the search early.
    limit: Option<String>,
    /// Differences that contradict the solution of the first grid.
    wrong: Option<String>,
}

/// Returns the differences that contradict the solution, which has a digit for each cell.
fn wrong(wanted: &Difference, solution: &[Digit]) -> Slips {
    let (mut digits, mut removed) = (wanted.placed.clone(), wanted.eliminated.clone());
    digits.retain(|one| solution[one.cell.index()] != one.digit);
    removed.retain(|one| solution[one.cell.index()] == one.digit);
    Slips { digits, removed }
}

/// Explains the difference of two positions.
pub fn explain_move(args: &ExplainMoveArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let asked = asked_board(&args.board)?;
    let (before, after) = (one_puzzle(&args.before, asked.as_ref())?, one_puzzle(&args.after, asked.as_ref())?);
    let geometry = &before.geometry;
    if geometry.spec() != after.geometry.spec() {
        return Err(Failure::input("the two grids are of different boards").into());
    }
    let mut solvers = Solvers::new(global, &args.profile)?;
    let (start, end) = (before.state(), after.state());
    let solutions = uniqueness(geometry, &start);
    let unique = matches!(solutions, Uniqueness::One(_)) && had_unique_solution(&before);
    let solver = solvers.on(geometry, unique);
    args.time.begin();
    let wanted = difference(geometry, &start, &end);
    let found = explain(&solver, &start, &wanted);
    let wrong = match &solutions {
        Uniqueness::One(solution) => {
            let wrong = wrong(&wanted, solution);
            (!wrong.is_empty()).then(|| format!("{} (the first grid has one solution)", slip_words(geometry, &wrong)))
        }
        Uniqueness::None => objection(&before, &start).map(|found| format!("the first grid: {}", found.words)),
        Uniqueness::Many(..) => None,
    };
    let left = notation_of(geometry, &found.left);
    let is_whole = found.left.eliminated.is_empty() && found.left.placed.is_empty() && !limits::reached();
    if out.is_text() {
        let wrong = wrong.map(|words| Line::styled(Role::Failure, format!("Wrong: {words}.")));
        out.lines(&Vec::from_iter(wrong))?;
        out.lines(&explanation(args, geometry, &wanted, &found, &left))?;
    } else {
        out.value(&MoveRecord {
            difference: notation_of(geometry, &wanted),
            alone: found.alone.iter().map(|step| StepRecord::new(geometry, step)).collect(),
            together: found.together.iter().map(|step| StepRecord::new(geometry, step)).collect(),
            left,
            added: notation::deductions(geometry, &[], &wanted.added).replace('=', "+"),
            limit: limits::words(),
            wrong,
        })?;
    }
    Ok(if is_whole && wanted.added.is_empty() { Exit::Done } else { Exit::Short })
}

fn notation_of(geometry: &Geometry, difference: &Difference) -> String {
    notation::deductions(geometry, &difference.eliminated, &difference.placed)
}

fn explanation(
    args: &ExplainMoveArgs,
    geometry: &Geometry,
    wanted: &Difference,
    found: &Explained,
    left: &str,
) -> Vec<Line> {
    let mut lines = Vec::new();
    let all = notation_of(geometry, wanted);
    let words = if all.is_empty() { "Nothing is different.".into() } else { format!("Different: {all}") };
    lines.push(Line::styled(Role::Name, words));
    if !wanted.added.is_empty() {
        let cells: Vec<String> =
            wanted.added.iter().map(|one| format!("{} in {}", one.digit, notation::cell(geometry, one.cell))).collect();
        lines
            .push(Line::styled(Role::Failure, format!("The second has what the first has not: {}.", cells.join(", "))));
    }
    let several = found.alone.len() > 1;
    if several {
        lines.push(Line::styled(Role::Quiet, "Each of these shows all of it:"));
    }
    let most = found.alone.len().min(args.most);
    let shown = found.alone[..most].iter().chain(&found.together);
    lines.extend(shown.flat_map(|step| step_lines(geometry, step, 2)));
    if most < found.alone.len() {
        let names: Vec<&str> = found.alone[most..].iter().map(|step| step.name.as_str()).collect();
        lines.push(Line::styled(Role::Quiet, format!("So do {}.", names.join(", "))));
    }
    if !left.is_empty() {
        let words = match limits::reached() {
            true => format!("Not shown in time: {left}."),
            false => format!("No technique of the profile shows {left}."),
        };
        lines.push(Line::styled(Role::Failure, words));
    }
    lines.extend(limits::sentence("there may be more, or simpler, techniques that show it"));
    lines
}
