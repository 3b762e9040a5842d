//! Strength of the tests of rules. In: the loaded rules. Out: requirements that no test notices when they are missing,
//! members and names that no test brings about.

use crate::cli::corpus::{each, processors};
use crate::cli::prelude::*;
use crate::cli::test::snapshots::positions_of;
use crate::cli::test::{Loaded, TestArgs};
use crate::lang::ir::Technique;
use crate::workbench::examples::{Coverage, coverage};
use crate::workbench::mutate::{Fate, Mutant, mutants, settle};

/// Test strength of a technique, as written to JSON.
#[derive(Serialize)]
struct StrengthRecord<'a> {
    technique: &'a str,
    members: Option<usize>,
    idle: Option<&'a [String]>,
    names: Option<usize>,
    unseen: Option<&'a [String]>,
    requirements: Vec<MutantRecord<'a>>,
}

#[derive(Serialize)]
struct MutantRecord<'a> {
    change: &'a str,
    line: Option<usize>,
    /// `test`, `unbuildable`, `proof`, `fewer`, `same`, `still_true`, `unsettled`, `untested`.
    noticed_by: &'static str,
    test: Option<&'a str>,
}

/// One technique.
struct Strength<'a> {
    technique: &'a Technique,
    coverage: Option<Coverage>,
    mutants: Vec<Mutant>,
}

/// Prints the strength of the tests. Returns true if the lack of some requirement would stay unnoticed.
pub fn run(args: &TestArgs, loaded: &Loaded, out: &mut Output) -> Result<bool, Stop> {
    let techniques = loaded.techniques();
    let strength = |technique| {
        let positions = positions_of(loaded, technique);
        let mut mutants = mutants(&loaded.rulebook, technique, &positions);
        if args.mutate {
            settle(&loaded.rulebook, &mut mutants);
        }
        let coverage = args.coverage.then(|| coverage(&loaded.rulebook, technique, &positions));
        Strength { technique, coverage, mutants }
    };
    let mut all: Vec<Strength> = Vec::new();
    each(techniques.into_iter(), processors(), |_, technique| strength(technique), |one| all.push(one));
    if !out.is_text() {
        all.iter().try_for_each(|one| out.value(&record(args, one)))?;
    } else {
        out.lines(&all.iter().flat_map(|one| lines(args, one)).collect::<Vec<_>>())?;
        out.lines(&summary(args, &all))?;
    }
    Ok(args.mutate && all.iter().flat_map(|one| &one.mutants).any(|one| one.fate.survives()))
}

fn lines(args: &TestArgs, one: &Strength) -> Vec<Line> {
    let mut lines = Vec::new();
    let id = &one.technique.id;
    let mut say = |role: Role, word: &str, text: String| lines.push(Line::of(role, word).and(Role::Plain, text));
    if let Some(coverage) = &one.coverage {
        let list = |all: &[String]| match all.len() {
            0..=6 => all.join(", "),
            many => format!("{} and {} more", all[..6].join(", "), many - 6),
        };
        if !coverage.idle.is_empty() {
            say(Role::Bad, "idle ", format!("{id}: no test brings about {}", list(&coverage.idle)));
        }
        if !coverage.unseen.is_empty() {
            say(Role::Bad, "unseen ", format!("{id}: no step is called {}", list(&coverage.unseen)));
        }
    }
    for mutant in &one.mutants {
        let place = mutant.line.map_or(String::new(), |line| format!(" (line {line})"));
        let words = format!("{id} {}{place}", mutant.words);
        match &mutant.fate {
            Fate::Test(test) if args.verbose => say(Role::Good, "noticed ", format!("{words}: by the {test}")),
            Fate::Unbuildable if args.verbose => say(Role::Good, "noticed ", format!("{words}: it cannot be compiled")),
            Fate::Proof if args.verbose => say(Role::Good, "noticed ", format!("{words}: by a proof")),
            Fate::Fewer if args.verbose => {
                say(
                    Role::Good,
                    "spared ",
                    format!("{words}: still right, and more only where something is missing already"),
                );
            }
            Fate::Same if args.verbose => say(Role::Good, "spared ", format!("{words}: what it finds is the same")),
            Fate::Test(_) | Fate::Unbuildable | Fate::Proof if args.mutate => {}
            Fate::StillTrue => {
                say(Role::Bad, "survives ", format!("{words}: no test notices, and the rule is still right"));
            }
            Fate::Unsettled if args.mutate => {
                say(Role::Bad, "survives ", format!("{words}: no test notices; no quick proof says that it is wrong"));
            }
            Fate::Unsettled | Fate::Proof => say(Role::Bad, "untested ", format!("{words}: no test notices")),
            _ => {}
        }
    }
    lines
}

fn summary(args: &TestArgs, all: &[Strength]) -> Vec<Line> {
    let mutants = || all.iter().flat_map(|one| &one.mutants);
    let count = |wanted: &dyn Fn(&Fate) -> bool| mutants().filter(|one| wanted(&one.fate)).count();
    let mut lines = Vec::new();
    if args.coverage {
        let covered = all.iter().filter_map(|one| one.coverage.as_ref());
        let sum = |of: &dyn Fn(&Coverage) -> usize| covered.clone().map(of).sum::<usize>();
        let (members, idle) = (sum(&|one| one.members), sum(&|one| one.idle.len()));
        let (names, unseen) = (sum(&|one| one.names), sum(&|one| one.unseen.len()));
        let tested = count(&Fate::is_tested);
        let words = format!(
            "tests bring about {} of {}, {} of {}, and notice {tested} of {}",
            members - idle,
            counted(members, "member"),
            names - unseen,
            counted(names, "name"),
            counted(mutants().count(), "requirement"),
        );
        lines.push(Line::of(Role::Name, words));
    }
    if args.mutate {
        let survive = count(&Fate::survives);
        let spared = [(Fate::Fewer, "only take less"), (Fate::Same, "change nothing")];
        let spared: String = spared
            .iter()
            .map(|(fate, what)| (count(&|one| one == fate), what))
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}, "))
            .collect();
        let words = format!(
            "{}: {} noticed by tests, {} by proofs, {spared}{survive} survive",
            counted(mutants().count(), "change"),
            count(&Fate::is_tested),
            count(&|fate| *fate == Fate::Proof),
        );
        lines.push(Line::of(if survive == 0 { Role::Good } else { Role::Bad }, words));
        if survive > 0 {
            let help = "Of what survives: add a near miss in which only that fails, or write the rule as it says.";
            lines.push(Line::of(Role::Quiet, help));
        }
    }
    lines
}

fn record<'a>(args: &TestArgs, one: &'a Strength) -> StrengthRecord<'a> {
    let mutant = |mutant: &'a Mutant| {
        let (noticed_by, test) = match &mutant.fate {
            Fate::Test(test) => ("test", Some(test.as_str())),
            Fate::Unbuildable => ("unbuildable", None),
            Fate::Proof => ("proof", None),
            Fate::Fewer => ("fewer", None),
            Fate::Same => ("same", None),
            Fate::StillTrue => ("still_true", None),
            Fate::Unsettled => (if args.mutate { "unsettled" } else { "untested" }, None),
        };
        MutantRecord { change: &mutant.words, line: mutant.line, noticed_by, test }
    };
    let coverage = one.coverage.as_ref();
    StrengthRecord {
        technique: &one.technique.id,
        members: coverage.map(|one| one.members),
        idle: coverage.map(|one| one.idle.as_slice()),
        names: coverage.map(|one| one.names),
        unseen: coverage.map(|one| one.unseen.as_slice()),
        requirements: one.mutants.iter().map(mutant).collect(),
    }
}
