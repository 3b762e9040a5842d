//! `pinion solve` and `pinion hint`: print the solution path of puzzles, or the next step.
//!
//! `--verify` checks every step of a path without the engine: a step must follow from the cells, houses and links that it cites, and agree
//! with the solution. Steps that assume a unique solution are only compared with the solution. Guesses, and steps that rest on a guess,
//! are not compared with the solution.

use crate::cli::batch::{AboutArg, AboutRecord, PuzzleResult, broken_reason, for_each_puzzle};
use crate::cli::find::uniqueness_note;
use crate::cli::prelude::*;
use crate::cli::{progress, tour};
use crate::grid::{Candidate, Digit};
use crate::proof::{StepCheck, Uniqueness, check_cited, mistakes, uniqueness};
use crate::render::{
    PathOptions, PathRecord, Scene, ShortPathOptions, StepRecord, VerifiedRecord, candidate_grid, cost_lines,
    cut_notes, missing_row_lines, path_lines, short_path_lines, step_lines,
};
use crate::solve::{Outcome, Path, PathCursor, Step, Trial};
use crate::workbench::{first_wrong_step, mistake_words};
use std::mem::ManuallyDrop;

/// Solve puzzles, step by step with reasons
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion solve 6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4
  pinion solve puzzles.txt --format json
  pinion solve puzzles.txt --profile classic --summary

The line of a step has the technique, the pattern and the conclusion; the line below has the reason. On a terminal the path
begins and ends with the grid, and a run of singles is one line.
With --format json or ron there is one line for each puzzle, see docs/cli.md.")]
pub struct SolveArgs {
    #[command(flatten)]
    puzzle: PuzzleArg,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: TimeArg,
    #[command(flatten)]
    guard: UniquenessGuardArg,
    #[command(flatten)]
    about: AboutArg,
    /// Count the uses of each technique instead of printing the steps
    #[arg(long, visible_alias = "only-summary")]
    summary: bool,
    /// Guess when no technique finds anything, and take back what leads to a contradiction
    #[arg(long)]
    guess: bool,
    /// Draw the candidates before every step; on a terminal, draw each step that is not a single
    #[arg(short, long)]
    verbose: bool,
    /// On a terminal, print every step: otherwise a run of singles is one line
    #[arg(long)]
    all: bool,
    /// Step through the path on the terminal: forward, back, why, other matches
    #[arg(short, long, conflicts_with_all = ["summary", "verbose"])]
    interactive: bool,
    /// Check every step again without the engine: it must follow from what it cites, and agree with the solution
    #[arg(long)]
    verify: bool,
}

#[derive(Serialize)]
struct PathAndAnswers {
    #[serde(flatten)]
    path: PathRecord,
    about: AboutRecord,
}

pub fn run(args: &SolveArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let mut solvers = Solvers::new(global, &args.profile)?;
    let width = out.width();
    let path_options =
        PathOptions { steps: !args.summary, grids: args.verbose, cost: args.profile.profile.is_some(), width };
    let mut missing_rows = Vec::new();
    if args.interactive && width.is_none() {
        return Err(Failure::usage("--interactive needs a terminal to show the path on").into());
    }
    let exit = for_each_puzzle(&args.puzzle, Some(&args.guard), out, |puzzle, state, is_unique| {
        let geometry = &puzzle.geometry;
        args.time.begin();
        let solver = solvers.on(geometry, is_unique);
        let path = if args.guess { solver.solve_guessing(state.clone()) } else { solver.solve(state.clone()) };
        let (status, mut exit) = match path.outcome {
            Outcome::Solved => ("solved", Exit::Done),
            Outcome::Stuck => ("stuck", Exit::Unsuccessful),
            // The puzzle has a solution, so a rule was wrong.
            Outcome::Broken(_) if is_unique => ("broken", Exit::Unsuccessful),
            Outcome::Broken(_) => ("broken", Exit::Puzzle),
        };
        let mut lines = solution_lines(args, geometry, &path, path_options);
        let wrong_step = first_wrong_step(geometry, &path);
        lines.extend(wrong_step.iter().map(|step| note(step.text.as_str())));
        if args.interactive {
            progress::end_work();
            tour::run(&solver, &solvers.rulebook, &path).map_err(Failure::terminal)?;
            lines.clear();
        }
        let mut record = PathRecord::new(geometry, &path);
        record.wrong_step = wrong_step;
        if args.summary {
            record.steps.clear();
        }
        if args.verify {
            let solution = match uniqueness(geometry, state) {
                Uniqueness::One(solution) => Some(solution),
                _ => None,
            };
            let verified = verify(geometry, &path, solution.as_deref());
            if verified.wrong.is_some() {
                exit = exit.max(Exit::Unsuccessful);
            }
            lines.push(verified_line(&verified));
            record.verified = Some(verified);
        }
        if matches!(path.outcome, Outcome::Broken(_))
            && let Some(mistakes) = mistakes(puzzle, state)
        {
            lines.push(Line::styled(Role::Failure, format!("{}.", mistake_words(geometry, &mistakes))));
        }
        let result: Box<dyn erased_serde::Serialize> = if args.about.has_questions() {
            let (answers, about) = args.about.answer(puzzle).map_err(CommandError::ThisPuzzle)?;
            lines.extend(answers);
            Box::new(PathAndAnswers { path: record, about })
        } else {
            Box::new(record)
        };
        missing_rows = path.cost.missing;
        Ok(PuzzleResult { status, exit, lines, result })
    })?;
    if path_options.cost && out.is_text() {
        out.lines(&missing_row_lines(&missing_rows))?;
    }
    Ok(exit)
}

/// Returns the path as text. On a terminal, a run of singles is one line; elsewhere every step has a line.
fn solution_lines(args: &SolveArgs, geometry: &Geometry, path: &Path, options: PathOptions) -> Vec<Line> {
    let Some(width) = options.width else { return path_lines(geometry, path, options) };
    if !options.steps || args.interactive {
        return path_lines(geometry, path, options);
    }
    let mut lines =
        short_path_lines(geometry, path, ShortPathOptions { all_lines: args.all, grids: args.verbose, width });
    lines.extend(cut_notes(&path.cuts));
    if options.cost {
        lines.extend(cost_lines(&path.cost));
    }
    lines
}

/// Show the next step only
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion hint 6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4
  pinion hint - < grid.txt

Pinion takes a grid of candidates as it is, so you can ask at any point of a solution.")]
pub struct HintArgs {
    #[command(flatten)]
    puzzle: PuzzleArg,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: TimeArg,
    #[command(flatten)]
    picture: PictureArg,
    #[command(flatten)]
    guard: UniquenessGuardArg,
}

pub fn hint(args: &HintArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    // Dropping the rulebook would take a tenth of the time of a hint, and the process ends anyway.
    let mut solvers = ManuallyDrop::new(Solvers::new(global, &args.profile)?);
    let mut pictures = Pictures::on_terminal(&args.picture, out);
    let width = out.width();
    for_each_puzzle(&args.puzzle, Some(&args.guard), out, |puzzle, state, is_unique| {
        let geometry = &puzzle.geometry;
        if state.contradiction(geometry).is_some() {
            let reason = broken_reason(puzzle, state).unwrap_or_default();
            let lines = vec![Line::styled(Role::Failure, "Broken").with(Role::Plain, format!(": {reason}."))];
            return Ok(no_step("broken", Exit::Puzzle, lines));
        }
        if state.is_solved() {
            let lines =
                vec![Line::styled(Role::Success, "Solved").with(Role::Plain, ": there is nothing left to find.")];
            return Ok(no_step("solved", Exit::Done, lines));
        }
        args.time.begin();
        let next = solvers.on(geometry, is_unique).next(state);
        Ok(match &next.step {
            Some(step) => {
                let mut lines = step_lines(geometry, step, 2);
                let scene = Scene::of_step(geometry, state, step);
                let drawing = pictures.draw(geometry, &scene, &lines)?;
                lines.extend(drawing);
                let result = Box::new(Some(StepRecord::new(geometry, step)));
                PuzzleResult { status: "found", exit: Exit::Done, lines, result }
            }
            None => {
                let mut lines =
                    vec![Line::styled(Role::Failure, "Stuck").with(Role::Plain, ": no technique finds anything here.")];
                lines.extend(candidate_grid(geometry, state, width));
                lines.extend(cut_notes(&next.cuts));
                if !is_unique {
                    lines.extend(uniqueness_note(&mut solvers, geometry, None));
                }
                no_step("stuck", Exit::Unsuccessful, lines)
            }
        })
    })
}

fn no_step(status: &'static str, exit: Exit, lines: Vec<Line>) -> PuzzleResult {
    PuzzleResult { status, exit, lines, result: Box::new(None::<StepRecord>) }
}

/// Checks the steps of a path in order, up to the first error.
fn verify(geometry: &Geometry, path: &Path, solution: Option<&[Digit]>) -> VerifiedRecord {
    let mut cursor = PathCursor::new(path.start.clone());
    let mut record = VerifiedRecord::default();
    for (index, step) in path.steps.iter().enumerate() {
        let rests_on_guess = step.guesses > 0 || step.trial == Some(Trial::Guess);
        let mut error = None;
        // Neither a guess nor the withdrawal of a guess follows from cited parts of the grid.
        if step.trial.is_none() {
            error = citation_error(geometry, cursor.state(), step);
        }
        if error.is_none()
            && !rests_on_guess
            && let Some(solution) = solution
        {
            error = solution_error(geometry, step, solution);
        }
        if let Some(error) = error {
            record.wrong = Some(format!("step {}, {}: {error}", index + 1, step.name));
            return record;
        }
        record.steps += 1;
        record.one_solution += usize::from(step.assumes_one_solution && !rests_on_guess);
        record.guesses += usize::from(rests_on_guess || step.trial.is_some());
        cursor.apply(geometry, step);
    }
    record
}

/// Returns the reason why a step does not follow from the cells, houses and links that it cites.
fn citation_error(geometry: &Geometry, state: &State, step: &Step) -> Option<String> {
    match check_cited(geometry, state, &step.cited()) {
        StepCheck::Follows | StepCheck::OneSolution => None,
        StepCheck::DoesNotFollow(candidate) => {
            let is_placement = step.placements.contains(&candidate);
            let deduction = notation::deduction(geometry, candidate, is_placement);
            Some(format!("{deduction} does not follow from what it cites"))
        }
        StepCheck::WrongCase(index, reason) => {
            let assumption = match step.cases.get(index) {
                Some(case) => notation::deduction(geometry, case.supposed.0, case.supposed.1),
                None => String::new(),
            };
            Some(format!("the case {assumption} does not reach its end: {}", check_message(geometry, &reason)))
        }
        check => Some(check_message(geometry, &check)),
    }
}

fn check_message(geometry: &Geometry, check: &StepCheck) -> String {
    match check {
        StepCheck::Follows => String::new(),
        StepCheck::OneSolution => "a step inside rests on one solution, which the step itself does not assume".into(),
        StepCheck::WrongCell(cell) => format!("{} has other candidates than it says", notation::cell(geometry, *cell)),
        StepCheck::WrongLink(a, b) => {
            format!("{} and {} are not a strong link", eureka(geometry, *a), eureka(geometry, *b))
        }
        StepCheck::DoesNotFollow(candidate) => format!("{} does not follow", eureka(geometry, *candidate)),
        StepCheck::Undecided(candidate) => format!("no answer for {} within the limit", eureka(geometry, *candidate)),
        StepCheck::WrongCase(_, reason) => check_message(geometry, reason),
        StepCheck::NotLast(candidate) => format!("{} is not the last one left", eureka(geometry, *candidate)),
        StepCheck::NotTheEnd => "its inferences end in something else".into(),
    }
}

/// Returns a candidate in Eureka notation: `(5)r2c3`.
fn eureka(geometry: &Geometry, candidate: Candidate) -> String {
    format!("({}){}", candidate.digit, notation::cell(geometry, candidate.cell))
}

/// Returns the message about the first deduction of a step that contradicts the solution.
fn solution_error(geometry: &Geometry, step: &Step, solution: &[Digit]) -> Option<String> {
    let wrong_elimination = step.eliminations.iter().find(|candidate| is_true(candidate, solution));
    let wrong_placement = step.placements.iter().find(|candidate| !is_true(candidate, solution));
    let deduction = match wrong_elimination {
        Some(candidate) => notation::deduction(geometry, *candidate, false),
        None => notation::deduction(geometry, *wrong_placement?, true),
    };
    Some(format!("{deduction} contradicts the solution"))
}

fn is_true(candidate: &Candidate, solution: &[Digit]) -> bool {
    solution[candidate.cell.index()] == candidate.digit
}

fn verified_line(verified: &VerifiedRecord) -> Line {
    if let Some(error) = &verified.wrong {
        return Line::styled(Role::Failure, "Not verified: ").with(Role::Plain, error.clone());
    }
    let steps = count_phrase(verified.steps, "step");
    let mut message = format!("{steps}, each follows from what it cites and agrees with the solution.");
    let mut exceptions = Vec::new();
    if verified.one_solution > 0 {
        let (rest, agree) = if verified.one_solution == 1 { ("rests", "agrees") } else { ("rest", "agree") };
        let steps = count_phrase(verified.one_solution, "step");
        exceptions.push(format!("{steps} {rest} on there being one solution, and only {agree} with it"));
    }
    if verified.guesses > 0 {
        let are_guesses = if verified.guesses == 1 { "is a guess" } else { "are guesses or rest on one" };
        let steps = count_phrase(verified.guesses, "step");
        exceptions.push(format!("{steps} {are_guesses}, and not compared with the solution"));
    }
    if !exceptions.is_empty() {
        message += &format!(" But {}.", exceptions.join("; "));
    }
    Line::styled(Role::Success, "Verified: ").with(Role::Plain, message)
}
