//! Loads rules and profiles. In: the options. Out: a rulebook without errors, a profile, solvers; diagnostics of added files go to the error
//! stream.

use crate::cli::prelude::*;
use crate::cli::prove::record::soundness_of_added_rules;
use crate::cli::{check, diagnostics, input, output};
use crate::engine::{Limits, MemberId};
use crate::grid::BoardSpec;
use crate::solve::{AddedRuleSoundness, OtherTechniques, Profile, RuleFile, Soundness, TypedName, price_faults};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{Write, stderr};

/// Returns the built-in rulebook with the files of `--rules`. Fails if one of them cannot be read or has errors.
pub fn rulebook(global: &Global) -> Result<Rulebook, Failure> {
    let added = input::read_rule_files(&global.rules)?;
    let built_in = Rulebook::embedded();
    let built_in_files = built_in.files().len();
    let rulebook = built_in.with(added);
    let files = &rulebook.files()[built_in_files..];
    for file in files {
        print_diagnostics(file);
    }
    match files.iter().filter(|file| file.has_errors()).count() {
        0 => {
            report_replaced(&rulebook, built_in_files);
            Ok(rulebook)
        }
        1 => Err(Failure::input("a rule file has errors, nothing was done")),
        count => Err(Failure::input(format!("{count} rule files have errors, nothing was done"))),
    }
}

const MAX_NAMED: usize = 5;

/// Reports the built-in techniques that an added file replaces by a different technique. The first `built_in_files` files are built in.
fn report_replaced(rulebook: &Rulebook, built_in_files: usize) {
    let (built_in, added) = rulebook.files().split_at(built_in_files);
    // (added file, technique id, built-in file)
    let mut replaced: Vec<(&RuleFile, &String, &RuleFile)> = Vec::new();
    for added_file in added {
        for id in &added_file.techniques {
            if let Some(built_in_file) = built_in.iter().find(|file| file.techniques.contains(id)) {
                replaced.push((added_file, id, built_in_file));
            }
        }
    }
    if replaced.is_empty() {
        return;
    }
    let original = Rulebook::embedded();
    replaced.retain(|(_, id, _)| technique(&original, id) != technique(rulebook, id));
    if replaced.len() > MAX_NAMED {
        let count = replaced.len();
        return remark(&format!("{count} techniques of the added files take the place of those of the rulebook"));
    }
    for (added_file, id, built_in_file) in replaced {
        remark(&format!("`{id}` of {} takes the place of {}", added_file.name, built_in_file.name));
    }
}

fn technique<'r>(rulebook: &'r Rulebook, id: &str) -> Option<&'r Technique> {
    rulebook.techniques().iter().find(|technique| technique.id == id)
}

pub fn print_diagnostics(file: &RuleFile) {
    // The error stream removes colours that it does not support.
    let has_colours = true;
    let _ = write!(output::error_stream(), "{}", draw_diagnostics(file, has_colours));
}

/// Draws the diagnostics of a file, or returns an empty text if there are none.
pub fn draw_diagnostics(file: &RuleFile, has_colours: bool) -> String {
    if file.diagnostics.is_empty() {
        return String::new();
    }
    diagnostics::draw(&file.name, &file.text, &file.diagnostics, has_colours, diagnostics_width())
}

/// Returns the number of columns for diagnostics: the width of the terminal between 60 and 120, or 100 without a terminal.
pub fn diagnostics_width() -> usize {
    terminal_size::terminal_size_of(stderr()).map_or(100, |(width, _)| usize::from(width.0)).clamp(60, 120)
}

pub fn profile(argument: &ProfileArg) -> Result<Profile, Failure> {
    let Some(name) = &argument.profile else { return Ok(Profile::default()) };
    let path = Path::new(name);
    let embedded = Profile::embedded(name);
    // A file takes precedence over a built-in profile of this name, a folder does not.
    if path.exists() && !(path.is_dir() && embedded.is_some()) {
        let text = input::read_text(path)?;
        return Profile::read(name, &text)
            .map_err(|error| Failure::input(format!("the profile cannot be read: {error}")));
    }
    embedded.ok_or_else(|| {
        let names: Vec<String> = Profile::all_embedded().into_iter().map(|profile| profile.name).collect();
        Failure::usage(format!("there is no profile `{name}`, and no file of that name"))
            .help(format!("the profiles are {}", names.join(", ")))
    })
}

/// Checks the prices of a profile, and prints their diagnostics on the error stream.
fn check_prices(argument: &ProfileArg, profile: &Profile, rulebook: &Rulebook) -> Result<(), Failure> {
    let faults = price_faults(&profile.resolved(rulebook.techniques()), rulebook.techniques());
    if faults.is_empty() {
        return Ok(());
    }
    let name = argument.profile.as_deref().unwrap_or(&profile.name);
    let text = input::read_text(Path::new(name)).unwrap_or_default();
    // The error stream removes colours that it does not support.
    let has_colours = true;
    let _ = write!(output::error_stream(), "{}", check::draw_price_faults(name, &text, &faults, has_colours));
    Err(Failure::input("the profile has prices with errors, nothing was done"))
}

/// Reports the added rules that are not proved on a board, and the number of built-in rules that are not used there.
fn report_unproved(solver: &Solver, rulebook: &Rulebook, added_soundness: &AddedRuleSoundness) {
    let board = &solver.geometry().spec().name;
    // Labels of added members. The key is their soundness, and true if they are withheld.
    let mut added: BTreeMap<(Soundness, bool), BTreeSet<String>> = BTreeMap::new();
    let mut unused_built_in = BTreeSet::new();
    for (index, member) in solver.members().iter().enumerate() {
        let is_withheld = solver.withheld().contains(&index);
        let technique = &solver.techniques()[member.technique];
        if !rulebook.is_built_in(&technique.id) {
            let is_searched = added_soundness.has_verdict(technique, (&member.args, member.variant));
            if !is_searched {
                continue;
            }
            let labels = added.entry((solver.soundness(index), is_withheld)).or_default();
            labels.insert(format!("`{}`", solver.member_label(member)));
        } else if is_withheld {
            unused_built_in.insert(member.technique);
        }
    }
    // The worst rules come first.
    for ((soundness, is_withheld), labels) in added.iter().rev() {
        let (is, it, its) = if labels.len() == 1 { ("is", "it", "its") } else { ("are", "them", "their") };
        let (verdict, usage) = match (soundness, is_withheld) {
            (Soundness::Refuted, true) => {
                ("refuted", format!("used only if you name {it} or give --trust; `pinion prove` shows why"))
            }
            (Soundness::Refuted, false) => {
                ("refuted", format!("used because of --trust; {its} steps are marked and may be wrong"))
            }
            (Soundness::Unproved, false) => {
                let advice = format!("`pinion prove` may decide {it}");
                ("not proved", format!("used; {its} steps are marked and may be wrong. {advice}"))
            }
            _ => continue,
        };
        let names = Vec::from_iter(labels.iter().map(String::as_str)).join(", ");
        remark(&format!("{names} {is} {verdict} on the board {board} and {usage}"));
    }
    let message = match unused_built_in.len() {
        0 => return,
        1 => format!("one technique is not proved on the board {board} and is left out"),
        count => format!("{count} techniques are not proved on the board {board} and are left out"),
    };
    remark(&format!("{message}; `pinion list` with this board shows which"));
}

/// Returns the techniques that have the typed name on some board. The largest board has the members of all smaller boards.
pub fn techniques_named<'r>(rulebook: &'r Rulebook, name: &str) -> Vec<&'r Technique> {
    let typed_name = TypedName::new(name, rulebook.techniques());
    let largest_size = BoardSpec::standard_sizes().max().unwrap_or_default() as u32;
    let mut named = Vec::new();
    for technique in rulebook.techniques() {
        let mut members = MemberId::all_of(technique, largest_size).into_iter();
        // A technique may have no member on any board.
        if typed_name.is_id(technique) || members.any(|member| typed_name.covers_member(technique, &member)) {
            named.push(technique);
        }
    }
    named
}

/// Argument of [`Solvers::on`] for a solver whose techniques may assume one solution.
pub const ASSUME_UNIQUE: bool = true;

/// Solvers for the boards of the puzzles, each compiled once.
pub struct Solvers {
    pub rulebook: Rulebook,
    pub profile: Profile,
    /// False if `--no-uniqueness` excludes techniques that assume a unique solution.
    pub allows_uniqueness: bool,
    /// True if refuted rules are used like others (`--trust`).
    trusts_refuted: bool,
    /// Ids of the only techniques that the command searches; `None` if it may search all.
    searched: Option<BTreeSet<String>>,
    /// Each with true if it uses techniques that assume a unique solution.
    compiled: VecDeque<(bool, Arc<Solver>)>,
}

/// Maximum number of solvers in memory: in some files each puzzle has a board of its own.
const MAX_COMPILED: usize = 16;

impl Solvers {
    /// Reads the rules and the profile. Solvers are compiled when they are needed.
    pub fn new(global: &Global, argument: &ProfileArg) -> Result<Solvers, Failure> {
        let rulebook = rulebook(global)?;
        let profile = profile(argument)?;
        check_prices(argument, &profile, &rulebook)?;
        Ok(Solvers {
            rulebook,
            profile,
            allows_uniqueness: !argument.no_uniqueness,
            trusts_refuted: argument.trust,
            searched: None,
            compiled: VecDeque::new(),
        })
    }

    /// Proves only the added rules that a search for the techniques with this name needs. The path of a puzzle needs all rules, so the
    /// solvers must not be used for paths.
    pub fn only_for(mut self, name: &str) -> Solvers {
        let named = techniques_named(&self.rulebook, name);
        self.searched = Some(named.iter().map(|technique| technique.id.clone()).collect());
        self
    }

    /// Returns the solver for a board. The solver uses techniques that assume a unique solution if `is_unique` is true and the user allows
    /// such techniques.
    pub fn on(&mut self, geometry: &Arc<Geometry>, is_unique: bool) -> Arc<Solver> {
        let uses_uniqueness = is_unique && self.allows_uniqueness;
        for (also_uses_uniqueness, solver) in &self.compiled {
            if *also_uses_uniqueness == uses_uniqueness && solver.geometry().spec() == geometry.spec() {
                return Arc::clone(solver);
            }
        }
        let rulebook = match uses_uniqueness {
            true => Cow::Borrowed(&self.rulebook),
            false => Cow::Owned(self.rulebook.clone().without_uniqueness()),
        };
        let soundness = soundness_of_added_rules(&rulebook, geometry, self.trusts_refuted, self.searched.as_ref());
        let are_proofs_cut = !soundness.is_empty() && limits::is_reached();
        let solver = Arc::new(Solver::with_soundness(
            &soundness,
            &rulebook,
            geometry,
            &self.profile,
            Limits { halt: limits::halt(), ..Limits::default() },
        ));
        for error in solver.plan_errors() {
            let board = &geometry.spec().name;
            remark(&format!("on the board {board} `{}` is left out: {}", error.technique, error.reason));
        }
        report_unproved(&solver, &rulebook, &soundness);
        if are_proofs_cut {
            // The next puzzle has its own time limit, within which the proofs may succeed.
            return solver;
        }
        if self.compiled.len() == MAX_COMPILED {
            self.compiled.pop_front();
        }
        self.compiled.push_back((uses_uniqueness, Arc::clone(&solver)));
        solver
    }

    /// Returns true if the user allows techniques that assume a unique solution, and the profile uses such a technique.
    pub fn may_assume_one_solution(&self) -> bool {
        let profile = self.profile.resolved(self.rulebook.techniques());
        let is_used = profile.rows.iter().filter(|row| row.enabled).any(|row| {
            technique(&self.rulebook, &row.technique).is_some_and(|technique| technique.assumes_one_solution)
        });
        self.allows_uniqueness && (is_used || !matches!(profile.others, OtherTechniques::Off))
    }
}
