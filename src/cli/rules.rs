//! Rules and profiles for a command. In: the options. Out: a rulebook without errors, a profile; findings in
//! added files go to the error stream.

use crate::cli::prelude::*;
use crate::cli::prove::record::knowledge;
use crate::cli::{check, diagnostics, input, output};
use crate::engine::{Limits, MemberId};
use crate::lang::ir::Technique;
use crate::solve::{OtherTechniques, Profile, RuleFile, Soundness, price_faults};
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
    let mut replaced: Vec<(&RuleFile, &String, &RuleFile)> = Vec::new();
    for file in added {
        for id in &file.techniques {
            let old = carried.iter().find(|file| file.techniques.contains(id));
            replaced.extend(old.map(|old| (file, id, old)));
        }
    }
    if replaced.is_empty() {
        return;
    }
    let before = Rulebook::embedded();
    replaced.retain(|(_, id, _)| technique(&before, id) != technique(rulebook, id));
    match replaced.len() {
        0..=NAMED => replaced
            .iter()
            .for_each(|(file, id, old)| remark(&format!("`{id}` of {} takes the place of {}", file.name, old.name))),
        many => remark(&format!("{many} techniques of the added files take the place of those of the rulebook")),
    }
}

fn technique<'r>(rulebook: &'r Rulebook, id: &str) -> Option<&'r Technique> {
    rulebook.techniques().iter().find(|one| one.id == id)
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
    let faults = price_faults(&profile.resolved(rulebook.techniques()), rulebook.techniques());
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
    let board = &solver.geometry().spec().name;
    let members = solver.members().iter().enumerate();
    for (soundness, withheld, word, end) in [
        (Soundness::Refuted, true, "refuted", "used only if you name it or give --trust; `pinion prove` shows why"),
        (Soundness::Refuted, false, "refuted", "used because of --trust; its steps are marked and may be wrong"),
        (
            Soundness::Unproved,
            false,
            "not proved",
            "used; its steps are marked and may be wrong. `pinion prove` may decide it",
        ),
    ] {
        let labels: BTreeSet<String> = members
            .clone()
            .filter(|(at, one)| solver.soundness(*at) == soundness && !is_built_in(solver, rulebook, one))
            .filter(|(at, _)| solver.withheld().contains(at) == withheld)
            .map(|(_, one)| format!("`{}`", solver.member_label(one)))
            .collect();
        let (names, end) = (Vec::from_iter(labels.iter().map(String::as_str)).join(", "), end.to_owned());
        match labels.len() {
            0 => {}
            1 => remark(&format!("{names} is {word} on the board {board} and {end}")),
            _ => {
                let end = end.replace("name it ", "name them ").replace("its steps", "their steps");
                let end = end.replace("decide it", "decide them");
                remark(&format!("{names} are {word} on the board {board} and {end}"));
            }
        }
    }
    let left_out = members.filter(|(at, one)| solver.withheld().contains(at) && is_built_in(solver, rulebook, one));
    let left_out: BTreeSet<usize> = left_out.map(|(_, one)| one.technique).collect();
    let words = match left_out.len() {
        0 => return,
        1 => format!("one technique is not proved on the board {board} and is left out"),
        many => format!("{many} techniques are not proved on the board {board} and are left out"),
    };
    remark(&format!("{words}; `pinion list` with this board shows which"));
}

/// Returns true if the rule of a member is built in.
fn is_built_in(solver: &Solver, rulebook: &Rulebook, member: &MemberId) -> bool {
    rulebook.is_built_in(&solver.techniques()[member.technique].id)
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
        let mut ready = self.ready.iter();
        if let Some((_, solver)) = ready.find(|(kind, one)| *kind == with && one.geometry().spec() == geometry.spec()) {
            return Arc::clone(solver);
        }
        let less = (!with).then(|| self.rulebook.clone().without_uniqueness());
        let rulebook = less.as_ref().unwrap_or(&self.rulebook);
        let solver = Arc::new(Solver::with_soundness(
            &knowledge(rulebook, geometry, self.trusting),
            rulebook,
            geometry,
            &self.profile,
            Limits { halt: limits::halt(), ..Limits::default() },
        ));
        for error in solver.plan_errors() {
            let board = &geometry.spec().name;
            remark(&format!("on the board {board} `{}` is left out: {}", error.technique, error.reason));
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
        let assuming = techniques.iter().filter(|one| one.assumes_one_solution);
        let assuming: BTreeSet<&str> = assuming.map(|one| one.id.as_str()).collect();
        let profile = self.profile.resolved(techniques);
        let is_used = profile.rows.iter().any(|row| row.enabled && assuming.contains(row.technique.as_str()));
        self.uniqueness && (is_used || !matches!(profile.others, OtherTechniques::Off))
    }

    /// True if techniques that assume one solution are wanted.
    pub fn uniqueness(&self) -> bool {
        self.uniqueness
    }
}
