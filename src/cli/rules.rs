//! Rules and profiles for a command. In: the options. Out: a rulebook without errors, a profile; findings in
//! added files go to the error stream.

use crate::cli::prelude::*;
use crate::cli::prove::record::knowledge;
use crate::cli::{check, diagnostics, input, output};
use crate::engine::Limits;
use crate::solve::{Others, Profile, RuleFile, Soundness, faults};
use std::collections::BTreeSet;
use std::io::{Write, stderr};
use std::path::Path;

/// The embedded rulebook with the added files.
pub fn rulebook(global: &Global) -> Result<Rulebook, Failure> {
    let added = input::read_rule_files(&global.rules)?;
    let known = Rulebook::embedded();
    let own = known.files().len();
    let rulebook = known.with(added);
    let files = &rulebook.files()[own..];
    files.iter().for_each(print_findings);
    match files.iter().filter(|file| file.has_errors()).count() {
        0 => {
            say_replaced(&rulebook, own);
            Ok(rulebook)
        }
        1 => Err(Failure::input("a rule file has errors, nothing was done")),
        many => Err(Failure::input(format!("{many} rule files have errors, nothing was done"))),
    }
}

/// At most this many replaced techniques are named one by one.
const NAMED: usize = 5;

/// Says which added techniques take the place of others, where they say something else.
fn say_replaced(rulebook: &Rulebook, own: usize) {
    let (carried, added) = rulebook.files().split_at(own);
    let carries = |id: &String| carried.iter().find(|file| file.techniques.contains(id));
    let pairs = added.iter().flat_map(|file| file.techniques.iter().map(move |id| (file, id)));
    let mut replaced: Vec<(&RuleFile, &String, &RuleFile)> =
        pairs.filter_map(|(file, id)| Some((file, id, carries(id)?))).collect();
    if replaced.is_empty() {
        return;
    }
    let before = Rulebook::embedded();
    let of = |book: &Rulebook, id: &String| book.techniques().iter().find(|one| one.id == *id).cloned();
    replaced.retain(|(_, id, _)| of(&before, id) != of(rulebook, id));
    match replaced.len() {
        0 => {}
        1..=NAMED => replaced
            .iter()
            .for_each(|(file, id, old)| remark(&format!("`{id}` of {} takes the place of {}", file.name, old.name))),
        many => remark(&format!("{many} techniques of the added files take the place of those of the rulebook")),
    }
}

/// Draws the findings of a file on the error stream.
pub fn print_findings(file: &RuleFile) {
    let _ = write!(output::error_stream(), "{}", drawn(file, true));
}

/// The findings of a file as text.
pub fn drawn(file: &RuleFile, colours: bool) -> String {
    if file.diagnostics.is_empty() {
        return String::new();
    }
    diagnostics::draw(&file.name, &file.text, &file.diagnostics, colours, width())
}

/// Columns for drawings: those of the terminal, within reason.
pub fn width() -> usize {
    terminal_size::terminal_size_of(stderr()).map_or(100, |(width, _)| usize::from(width.0)).clamp(60, 120)
}

/// The profile that was asked for.
pub fn profile(argument: &ProfileArg) -> Result<Profile, Failure> {
    let Some(name) = &argument.profile else { return Ok(Profile::default()) };
    // A folder that happens to have the name of a profile is none.
    if Path::new(name).exists() && !(Path::new(name).is_dir() && Profile::embedded(name).is_some()) {
        let text = input::text(Path::new(name))?;
        return Profile::read(name, &text)
            .map_err(|error| Failure::input(format!("the profile cannot be read: {error}")));
    }
    Profile::embedded(name).ok_or_else(|| {
        let known: Vec<String> = Profile::all_embedded().into_iter().map(|profile| profile.name).collect();
        Failure::usage(format!("there is no profile `{name}`, and no file of that name"))
            .help(format!("known are {}", known.join(", ")))
    })
}

/// Checks the prices of a profile; errors go to the error stream.
fn prices(argument: &ProfileArg, profile: &Profile, rulebook: &Rulebook) -> Result<(), Failure> {
    let faults = faults(&profile.resolved(rulebook.techniques()), rulebook.techniques());
    if faults.is_empty() {
        return Ok(());
    }
    let name = argument.profile.as_deref().unwrap_or(&profile.name);
    let text = input::text(Path::new(name)).unwrap_or_default();
    let _ = write!(output::error_stream(), "{}", check::drawn_prices(name, &text, &faults, true));
    Err(Failure::input("the profile has prices with errors, nothing was done"))
}

/// Says which added rules are refuted or unproved on a board, and how many built-in ones are not used there.
fn say_unproved(solver: &Solver, rulebook: &Rulebook) {
    let of = |at: usize| &solver.techniques()[solver.members()[at].technique];
    let labels = |wanted: Soundness, withheld: bool| {
        let all = (0..solver.members().len()).filter(|&at| solver.soundness(at) == wanted);
        let added = all.filter(|&at| !rulebook.is_own(&of(at).id) && solver.withheld().contains(&at) == withheld);
        let labels: BTreeSet<String> =
            added.map(|at| format!("`{}`", solver.member_label(&solver.members()[at]))).collect();
        (labels.len(), Vec::from_iter(labels).join(", "))
    };
    let board = &solver.geometry().spec().name;
    for (soundness, withheld, end) in [
        (Soundness::Refuted, true, "used only if you name it or give --trust; `pinion prove` shows why"),
        (Soundness::Refuted, false, "used because of --trust; its steps are marked and may be wrong"),
        (Soundness::Unproved, false, "used; its steps are marked and may be wrong. `pinion prove` may decide it"),
    ] {
        let word = if soundness == Soundness::Refuted { "refuted" } else { "not proved" };
        match labels(soundness, withheld) {
            (0, _) => {}
            (1, names) => remark(&format!("{names} is {word} on the board {board} and {end}")),
            (_, names) => {
                let end = end
                    .replace("name it ", "name them ")
                    .replace("its steps", "their steps")
                    .replace("decide it", "decide them");
                remark(&format!("{names} are {word} on the board {board} and {end}"));
            }
        }
    }
    let techniques: BTreeSet<usize> = solver
        .withheld()
        .iter()
        .filter(|&&at| rulebook.is_own(&of(at).id))
        .map(|&at| solver.members()[at].technique)
        .collect();
    let name = &solver.geometry().spec().name;
    let words = match techniques.len() {
        0 => return,
        1 => format!("one technique is not proved on the board {name} and is left out"),
        many => format!("{many} techniques are not proved on the board {name} and are left out"),
    };
    remark(&format!("{words}; `pinion list` with this board shows which"));
}

/// Solvers for every board that turns up, each compiled once. Techniques that assume one solution are in them where
/// the puzzle is known to have one, and the user did not switch them off.
pub struct Solvers {
    rulebook: Rulebook,
    profile: Profile,
    /// True if techniques that assume one solution are wanted.
    uniqueness: bool,
    /// True if refuted rules are used all the same.
    trusting: bool,
    ready: Vec<(bool, Arc<Solver>)>,
}

/// At most this many are kept: in some files each puzzle has a board of its own.
const KEPT: usize = 16;

impl Solvers {
    /// Reads the rules and the profile; no solver is compiled yet.
    pub fn new(global: &Global, argument: &ProfileArg) -> Result<Solvers, Failure> {
        let (rulebook, profile) = (rulebook(global)?, profile(argument)?);
        prices(argument, &profile, &rulebook)?;
        Ok(Solvers {
            rulebook,
            profile,
            uniqueness: !argument.no_uniqueness,
            trusting: argument.trust,
            ready: Vec::new(),
        })
    }

    /// The solver for a board, for puzzles that have one solution or may have several.
    pub fn on(&mut self, geometry: &Arc<Geometry>, one_solution: bool) -> Arc<Solver> {
        let with = one_solution && self.uniqueness;
        let known =
            |(kind, solver): &&(bool, Arc<Solver>)| *kind == with && solver.geometry().spec() == geometry.spec();
        if let Some((_, solver)) = self.ready.iter().find(known) {
            return Arc::clone(solver);
        }
        let less = (!with).then(|| self.rulebook.clone().without_uniqueness());
        let rulebook = less.as_ref().unwrap_or(&self.rulebook);
        let solver = Arc::new(Solver::knowing(
            &knowledge(rulebook, geometry, self.trusting),
            rulebook,
            geometry,
            &self.profile,
            Limits { halt: limits::halt(), ..Limits::default() },
        ));
        for error in solver.left_out() {
            remark(&format!(
                "on the board {} `{}` is left out: {}",
                geometry.spec().name,
                error.technique,
                error.reason
            ));
        }
        say_unproved(&solver, rulebook);
        if self.ready.len() == KEPT {
            self.ready.remove(0);
        }
        self.ready.push((with, Arc::clone(&solver)));
        solver
    }

    /// The order and cost of techniques.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The rules at hand.
    pub fn rulebook(&self) -> &Rulebook {
        &self.rulebook
    }

    /// Returns true if such techniques are wanted and the profile uses some.
    pub fn may_assume_one_solution(&self) -> bool {
        let techniques = self.rulebook.techniques();
        let assumes = |id: &str| techniques.iter().any(|one| one.id == id && one.assumes_one_solution);
        let profile = self.profile.resolved(techniques);
        let is_used = profile.rows.iter().any(|row| row.enabled && assumes(&row.technique));
        self.uniqueness && (is_used || !matches!(profile.others, Others::Off))
    }

    /// True if techniques that assume one solution are wanted.
    pub fn uniqueness(&self) -> bool {
        self.uniqueness
    }
}
