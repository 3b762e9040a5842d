//! `pinion explain-move`. In: two positions. Out: the techniques that justify the difference.

use super::input::one_puzzle;
use crate::cli::batch::objection;
use crate::cli::prelude::*;
use crate::grid::{Candidate, Digit};
use crate::proof::{Slips, Uniqueness, had_unique_solution, uniqueness};
use crate::render::{StepRecord, explained};
use crate::workbench::explain::{Difference, Explained, difference, explain};
use crate::workbench::slip_words;

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
    let is_true = |one: &&Candidate| solution[one.cell.index()] == one.digit;
    Slips {
        digits: wanted.placed.iter().filter(|one| !is_true(one)).copied().collect(),
        removed: wanted.eliminated.iter().filter(is_true).copied().collect(),
    }
}

/// Explains the difference of two positions.
pub fn run(args: &ExplainMoveArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let asked = args.board.as_deref().map(board).transpose()?;
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
    let (left, whole) =
        (notation_of(geometry, &found.left), found.left.eliminated.is_empty() && found.left.placed.is_empty());
    if out.is_text() {
        let wrong = wrong.map(|words| Line::of(Role::Bad, format!("Wrong: {words}.")));
        out.lines(&Vec::from_iter(wrong))?;
        out.lines(&explanation(args, geometry, &wanted, &found, &left))?;
    } else {
        let records = |steps: &[crate::solve::Step]| steps.iter().map(|step| StepRecord::new(geometry, step)).collect();
        let (alone, together) = (records(&found.alone), records(&found.together));
        let added = notation::deductions(geometry, &[], &wanted.added).replace('=', "+");
        let limit = limits::words();
        out.value(&MoveRecord {
            difference: notation_of(geometry, &wanted),
            alone,
            together,
            left,
            added,
            limit,
            wrong,
        })?;
    }
    let whole = whole && !limits::reached();
    Ok(if whole && wanted.added.is_empty() { Exit::Done } else { Exit::Short })
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
    lines.push(Line::of(Role::Name, words));
    if !wanted.added.is_empty() {
        let cells: Vec<String> =
            wanted.added.iter().map(|one| format!("{} in {}", one.digit, notation::cell(geometry, one.cell))).collect();
        lines.push(Line::of(Role::Bad, format!("The second has what the first has not: {}.", cells.join(", "))));
    }
    let several = found.alone.len() > 1;
    if several {
        lines.push(Line::of(Role::Quiet, "Each of these shows all of it:"));
    }
    let most = found.alone.len().min(args.most);
    let shown = found.alone[..most].iter().chain(&found.together);
    lines.extend(shown.flat_map(|step| explained(geometry, step, 2)));
    if most < found.alone.len() {
        let names: Vec<&str> = found.alone[most..].iter().map(|step| step.name.as_str()).collect();
        lines.push(Line::of(Role::Quiet, format!("So do {}.", names.join(", "))));
    }
    if !left.is_empty() {
        let words = match limits::reached() {
            true => format!("Not shown in time: {left}."),
            false => format!("No technique of the profile shows {left}."),
        };
        lines.push(Line::of(Role::Bad, words));
    }
    lines.extend(limits::sentence("there may be more, or simpler, techniques that show it"));
    lines
}
