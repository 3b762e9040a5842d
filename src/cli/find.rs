//! `pinion find` prints the matches of techniques on a position. `pinion explain-move` prints the techniques that lead from one position to
//! another.

use crate::cli::batch::{Batch, for_each_puzzle_streaming, objection};
use crate::cli::input::one_puzzle;
use crate::cli::prelude::*;
use crate::cli::rules::techniques_named;
use crate::cli::why::{advance, early_end_note};
use crate::engine::{LimitHit, MemberId};
use crate::proof::{Uniqueness, WrongMoves, clues_have_unique_solution, uniqueness};
use crate::render::{Headlines, Scene, StepRecord, cut_notes, step_lines};
use crate::solve::{Cut, Soundness, Step, StepSearch, UnknownTechnique};
use crate::workbench::explain::{Difference, Explained, difference, explain};
use crate::workbench::wrong_move_words;
use serde::ser::{SerializeSeq, SerializeStruct, Serializer};

/// Show what techniques match on a puzzle as it stands
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion find grid.txt
  pinion find grid.txt --technique NAME
  pinion find - --technique NAME --rules my-rules/ < grid.txt

NAME is the id of a rule or the name of its steps, as `pinion list` shows them; case, blanks, - and _ make no
difference. Pinion searches the puzzle as it stands; with --after N, the position after N steps of `pinion solve`. --draw
draws each match, with a legend below it; --svg writes pictures. Without a technique, Pinion shows three matches of each
name; --most N shows the first N matches of any name.")]
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

pub fn run(args: &FindArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let mut solvers = Solvers::new(global, &args.profile)?;
    if let (Some(name), 0) = (&args.technique, args.after) {
        solvers = solvers.only_for(name);
    }
    let mut pictures = Pictures::on_request(&args.picture, out);
    for_each_puzzle_streaming(&args.puzzle, None, out, |puzzle, state, is_unique, batch| {
        args.time.begin();
        let solver = solvers.on(&puzzle.geometry, is_unique);
        let (steps, state) = advance(&solver, state, args.after);
        if batch.out.is_text() {
            batch.out.lines(&Vec::from_iter(early_end_note(args.after, steps)))?;
        }
        let mut search = match solver.find(&state, args.technique.as_deref(), args.limit) {
            Ok(search) => search,
            Err(error) => return Err(technique_not_searched(&solvers, is_unique, error)),
        };
        let (status, exit) = match search.is_empty() {
            true => ("nothing", Exit::Unsuccessful),
            false => ("found", Exit::Done),
        };
        batch.count(status, exit);
        if !batch.out.is_text() {
            let max_steps = args.most.unwrap_or(usize::MAX);
            let (search, copies) = (RefCell::new(search), RefCell::default());
            let record = FindRecord { geometry: &puzzle.geometry, search, max_steps, copies };
            return Ok(batch.value(puzzle, status, &record)?);
        }
        let count = print_matches(args, &solver, &state, &mut search, &mut pictures, batch)?;
        if count == 0 && !is_unique {
            let note = uniqueness_note(&mut solvers, &puzzle.geometry, args.technique.as_deref());
            batch.out.lines(&Vec::from_iter(note))?;
        }
        Ok(())
    })
}

/// Prints matches as they are found, then the summary. Returns the number of matches.
fn print_matches(
    args: &FindArgs,
    solver: &Solver,
    state: &State,
    search: &mut StepSearch<'_>,
    pictures: &mut Pictures,
    batch: &mut Batch<'_>,
) -> Result<usize, CommandError> {
    let geometry = solver.geometry();
    let max_shown = args.most.unwrap_or(usize::MAX);
    // Some techniques have thousands of matches on a grid.
    let max_per_name = if args.technique.is_none() && args.most.is_none() { MAX_PER_NAME } else { usize::MAX };
    let mut count = 0;
    let mut shown_count = 0;
    let mut members = BTreeSet::new();
    let mut count_by_name: BTreeMap<String, usize> = BTreeMap::new();
    let mut headlines = Headlines::default();
    for step in search.by_ref() {
        // Another rule has found this match before, with the same headline.
        if headlines.add(geometry, &step).is_some() {
            continue;
        }
        count += 1;
        let count_of_name = count_by_name.entry(step.name.clone()).or_default();
        *count_of_name += 1;
        if count <= max_shown && *count_of_name <= max_per_name {
            shown_count += 1;
            let text = step_lines(geometry, &step, 2);
            let drawing = pictures.draw(geometry, &Scene::of_step(geometry, state, &step), &text)?;
            batch.out.lines(&text)?;
            batch.out.lines(&drawing)?;
            batch.out.flush()?;
        }
        members.insert(step.member);
    }
    let summary = match count {
        0 => Line::styled(Role::Failure, "Nothing found on the grid as it is."),
        1 => Line::styled(Role::Quiet, "1 match."),
        _ if shown_count == count => Line::styled(Role::Quiet, format!("{count} matches.")),
        _ if args.most.is_some() => Line::styled(Role::Quiet, format!("{count} matches, {shown_count} shown.")),
        _ => {
            let reason = format!("at most {MAX_PER_NAME} of each name. --technique NAME shows all of one.");
            Line::styled(Role::Quiet, format!("{count} matches, {shown_count} shown: {reason}"))
        }
    };
    batch.out.lines(&[summary])?;
    batch.out.lines(&search_notes(args, search))?;
    batch.out.lines(&soundness_notes(solver, &members))?;
    Ok(count)
}

/// Returns notes on searches that limits ended, and on techniques that were not searched.
fn search_notes(args: &FindArgs, search: &StepSearch<'_>) -> Vec<Line> {
    let (cuts_by_count, other_cuts): (Vec<Cut>, Vec<Cut>) =
        search.cuts().iter().cloned().partition(|cut| cut.limit == LimitHit::Matches);
    let mut notes = cut_notes(&other_cuts);
    for Cut { member, .. } in cuts_by_count {
        let reason = format!("ended at the limit of {} matches (--limit)", args.limit);
        notes.push(note(format!("The search for {member} {reason}; there may be more.")));
    }
    // A technique is not searched only if a limit ended the whole run.
    match search.not_searched().as_slice() {
        [] => {}
        [technique] => notes.push(note(format!("{technique} was not looked for."))),
        [first, rest @ ..] => {
            let count = rest.len() + 1;
            notes.push(note(format!("{count} techniques from {first} on were not looked for.")));
        }
    }
    notes
}

/// Maximum number of matches of one name that are shown without `--technique` and `--most`.
const MAX_PER_NAME: usize = 3;

/// The JSON record of a puzzle's matches. The search runs while the record is serialized.
struct FindRecord<'f> {
    geometry: &'f Geometry,
    search: RefCell<StepSearch<'f>>,
    max_steps: usize,
    /// Matches that repeat the headline of a step, collected while the steps are serialized.
    copies: RefCell<Vec<CopyRecord>>,
}

/// A match with the same headline as an earlier match of another rule.
#[derive(Serialize)]
struct CopyRecord {
    /// Number of the step with this headline, from 1.
    step: usize,
    technique: String,
}

impl Serialize for FindRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("FindRecord", 4)?;
        // The steps come first: their serialization fills `copies` and completes the search.
        record.serialize_field("steps", &StepsField(self))?;
        record.serialize_field("also_found_by", &*self.copies.borrow())?;
        let search = self.search.borrow();
        record.serialize_field("cuts", search.cuts())?;
        record.serialize_field("not_searched", &search.not_searched())?;
        record.end()
    }
}

/// The field `steps` of a [`FindRecord`].
struct StepsField<'r, 'f>(&'r FindRecord<'f>);

impl Serialize for StepsField<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let FindRecord { geometry, search, max_steps, copies } = self.0;
        let mut list = serializer.serialize_seq(None)?;
        let mut headlines = Headlines::default();
        let mut count = 0;
        for step in search.borrow_mut().by_ref() {
            match headlines.add(geometry, &step) {
                Some(index) if index < *max_steps => {
                    copies.borrow_mut().push(CopyRecord { step: index + 1, technique: step.technique });
                }
                None if count < *max_steps => {
                    list.serialize_element(&StepRecord::new(geometry, &step))?;
                    count += 1;
                }
                _ => {}
            }
        }
        list.end()
    }
}

/// Returns notes on the rules that have a match and are not proved on this board: a line for unproved rules, and a line for refuted rules.
fn soundness_notes(solver: &Solver, matched: &BTreeSet<MemberId>) -> Vec<Line> {
    let mut lines = Vec::new();
    for (soundness, verdict, advice) in [
        (Soundness::Unproved, "Not proved", "What it concludes may be wrong."),
        (Soundness::Refuted, "Refuted", "What it concludes is wrong in some positions; `pinion prove` shows one."),
    ] {
        let mut labels = Vec::new();
        for (index, member) in solver.members().iter().enumerate() {
            if solver.soundness(index) == soundness && matched.contains(member) {
                labels.push(solver.member_label(member));
            }
        }
        labels.dedup();
        if !labels.is_empty() {
            let board = &solver.geometry().spec().name;
            let message = format!("{verdict} on the board {board}: {}. {advice}", labels.join(", "));
            lines.push(Line::styled(Role::Failure, message));
        }
    }
    lines
}

/// Returns a note if techniques were not searched because the puzzle is not known to have a unique solution. With a `name`, the note
/// concerns only the techniques of this name.
pub fn uniqueness_note(solvers: &mut Solvers, geometry: &Arc<Geometry>, name: Option<&str>) -> Option<Line> {
    // If cells see each other outside of houses, the solver excludes these techniques anyway.
    if !solvers.allows_uniqueness || geometry.has_extra_pairs() {
        return None;
    }
    let solver = solvers.on(geometry, ASSUME_UNIQUE);
    let mut techniques = BTreeSet::new();
    for member in solver.members_by_name(name).unwrap_or_default() {
        let technique = solver.members()[member].technique;
        if solver.techniques()[technique].assumes_one_solution {
            techniques.insert(technique);
        }
    }
    let subject = match techniques.len() {
        0 => return None,
        1 => "One technique that assumes one solution was".to_owned(),
        count => format!("{count} techniques that assume one solution were"),
    };
    Some(Line::styled(Role::Quiet, format!("{subject} not looked for: this puzzle is not known to have just one.")))
}

/// Returns the error for a name that is not searched on a puzzle: the rule is left out there, or no rule has the name.
pub fn technique_not_searched(solvers: &Solvers, is_unique: bool, error: UnknownTechnique) -> CommandError {
    if techniques_named(&solvers.rulebook, &error.typed).is_empty() {
        return unknown_technique(error).into();
    }
    let reason = if !solvers.allows_uniqueness {
        "it assumes one solution, and --no-uniqueness leaves such techniques out"
    } else if !is_unique {
        "it assumes one solution, and this puzzle is not known to have just one"
    } else {
        "it is left out on this board"
    };
    CommandError::ThisPuzzle(Failure::usage(format!("`{}` is not looked for: {reason}", error.typed)))
}

pub fn unknown_technique(error: UnknownTechnique) -> Failure {
    let failure = Failure::usage(format!("no technique is called `{}`", error.typed));
    match error.nearest.as_slice() {
        [] => failure.help("`pinion list` shows them all; `--rules FILE` adds rules of your own"),
        names => failure.help(format!("did you mean {}? `pinion list` shows them all", names.join(" or "))),
    }
}

/// Show which techniques justify the difference of two grids
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion explain-move before.txt after.txt
  pinion explain-move before.txt after.txt --profile classic --rules my-rules/

Both files are grids of candidates. If a single step makes the whole difference, Pinion names every technique with such a
step; otherwise it shows the simplest steps that together make the difference. The exit code is 1 if no technique makes some
part of the difference.")]
pub struct ExplainMoveArgs {
    /// The position before
    #[arg(value_name = "BEFORE", allow_hyphen_values = true)]
    before: String,
    /// The position after
    #[arg(value_name = "AFTER", allow_hyphen_values = true)]
    after: String,
    #[command(flatten)]
    board: BoardArg,
    /// Explain N of the techniques that make the whole difference, and only name the others
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
    /// Steps that each make the whole difference.
    #[serde(rename = "alone")]
    single_steps: Vec<StepRecord>,
    /// Steps that make the difference together, if no single step does.
    #[serde(rename = "together")]
    consecutive_steps: Vec<StepRecord>,
    /// The part of the difference that no technique makes.
    #[serde(rename = "left")]
    unexplained: String,
    added: String,
    limit: Option<String>,
    /// The part of the difference that contradicts the solution of the first grid.
    #[serde(rename = "wrong")]
    contradiction: Option<String>,
}

pub fn explain_move(args: &ExplainMoveArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let board = args.board.geometry()?;
    let before = one_puzzle(&args.before, board.as_ref())?;
    let after = one_puzzle(&args.after, board.as_ref())?;
    let geometry = &before.geometry;
    if geometry.spec() != after.geometry.spec() {
        return Err(Failure::input("the two grids are of different boards").into());
    }
    let mut solvers = Solvers::new(global, &args.profile)?;
    let start = before.state();
    let solutions = uniqueness(geometry, &start);
    let is_unique = matches!(solutions, Uniqueness::One(_)) && clues_have_unique_solution(&before);
    args.time.begin();
    let solver = solvers.on(geometry, is_unique);
    let difference = difference(geometry, &start, &after.state());
    let explanation = explain(&solver, &start, &difference);
    let mut contradiction = None;
    match &solutions {
        Uniqueness::One(solution) => {
            // The part of the difference that contradicts the solution.
            let mut wrong_moves =
                WrongMoves { digits: difference.placed.clone(), removed: difference.eliminated.clone() };
            wrong_moves.digits.retain(|candidate| solution[candidate.cell.index()] != candidate.digit);
            wrong_moves.removed.retain(|candidate| solution[candidate.cell.index()] == candidate.digit);
            if !wrong_moves.is_empty() {
                contradiction =
                    Some(format!("{} (the first grid has one solution)", wrong_move_words(geometry, &wrong_moves)));
            }
        }
        Uniqueness::None => {
            let objection = objection(&before, &start);
            contradiction = objection.map(|objection| format!("the first grid: {}", objection.message));
        }
        Uniqueness::Many(..) => {}
    }
    let unexplained = difference_notation(geometry, &explanation.unexplained);
    let is_complete = unexplained.is_empty() && !limits::is_reached();
    if out.is_text() {
        if let Some(message) = contradiction {
            out.lines(&[Line::styled(Role::Failure, format!("Wrong: {message}."))])?;
        }
        out.lines(&explanation_lines(args, geometry, &difference, &explanation, &unexplained))?;
    } else {
        out.value(&MoveRecord {
            difference: difference_notation(geometry, &difference),
            single_steps: step_records(geometry, &explanation.single_steps),
            consecutive_steps: step_records(geometry, &explanation.consecutive_steps),
            unexplained,
            // An added candidate is written `r1c2+3`.
            added: notation::deductions(geometry, &[], &difference.added).replace('=', "+"),
            limit: limits::reached_limit(),
            contradiction,
        })?;
    }
    Ok(if is_complete && difference.added.is_empty() { Exit::Done } else { Exit::Unsuccessful })
}

fn step_records(geometry: &Geometry, steps: &[Step]) -> Vec<StepRecord> {
    steps.iter().map(|step| StepRecord::new(geometry, step)).collect()
}

fn difference_notation(geometry: &Geometry, difference: &Difference) -> String {
    notation::deductions(geometry, &difference.eliminated, &difference.placed)
}

fn explanation_lines(
    args: &ExplainMoveArgs,
    geometry: &Geometry,
    difference: &Difference,
    explanation: &Explained,
    unexplained: &str,
) -> Vec<Line> {
    let mut lines = Vec::new();
    let notation = difference_notation(geometry, difference);
    let heading = if notation.is_empty() { "Nothing is different.".into() } else { format!("Different: {notation}") };
    lines.push(Line::styled(Role::Name, heading));
    if !difference.added.is_empty() {
        let mut candidates = Vec::new();
        for candidate in &difference.added {
            candidates.push(format!("{} in {}", candidate.digit, notation::cell(geometry, candidate.cell)));
        }
        lines.push(Line::styled(
            Role::Failure,
            format!("Only the second grid has these candidates: {}.", candidates.join(", ")),
        ));
    }
    let single_steps = &explanation.single_steps;
    if single_steps.len() > 1 {
        lines.push(Line::styled(Role::Quiet, "Each of these steps makes the whole difference:"));
    }
    let (explained_steps, named_steps) = single_steps.split_at(single_steps.len().min(args.most));
    for step in explained_steps.iter().chain(&explanation.consecutive_steps) {
        lines.extend(step_lines(geometry, step, 2));
    }
    if !named_steps.is_empty() {
        let names: Vec<&str> = named_steps.iter().map(|step| step.name.as_str()).collect();
        lines.push(Line::styled(Role::Quiet, format!("So do {}.", names.join(", "))));
    }
    if !unexplained.is_empty() {
        let message = match limits::is_reached() {
            true => format!("Not shown in time: {unexplained}."),
            false => format!("No technique of the profile shows {unexplained}."),
        };
        lines.push(Line::styled(Role::Failure, message));
    }
    lines.extend(limits::limit_note("there may be more, or simpler, techniques that show it"));
    lines
}
