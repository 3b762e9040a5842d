//! Mutation testing and coverage of rules. In: the loaded rules. Out: requirements that can be removed without a test that fails,
//! members and names that no test produces.

use crate::cli::corpus::{each, processors};
use crate::cli::prelude::*;
use crate::cli::test::snapshots::positions_of;
use crate::cli::test::{TestArgs, TestedRules};
use crate::lang::ir::Technique;
use crate::workbench::examples::{Coverage, coverage};
use crate::workbench::mutate::{Fate, Mutant, decide_by_proof, mutants};

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

/// The mutants and the coverage of one technique.
struct Strength<'a> {
    technique: &'a Technique,
    coverage: Option<Coverage>,
    mutants: Vec<Mutant>,
}

/// Prints the strength of the tests. Returns true if some mutant survives.
pub fn run(args: &TestArgs, loaded: &TestedRules, out: &mut Output) -> Result<bool, Stop> {
    let mut all: Vec<Strength> = Vec::new();
    each(
        loaded.techniques().into_iter(),
        processors(),
        |_, technique| {
            let positions = positions_of(loaded, technique);
            let mut mutants = mutants(&loaded.rulebook, technique, &positions);
            if args.mutate {
                decide_by_proof(&loaded.rulebook, &mut mutants);
            }
            let coverage = args.coverage.then(|| coverage(&loaded.rulebook, technique, &positions));
            Strength { technique, coverage, mutants }
        },
        |one| all.push(one),
    );
    if !out.is_text() {
        all.iter().try_for_each(|one| out.value(&StrengthRecord::new(args, one)))?;
    } else {
        out.lines(&all.iter().flat_map(|one| lines(args, one)).collect::<Vec<_>>())?;
        out.lines(&summary(args, &all))?;
    }
    Ok(args.mutate && all.iter().flat_map(|one| &one.mutants).any(|one| one.fate.survives()))
}

fn lines(args: &TestArgs, one: &Strength) -> Vec<Line> {
    let id = &one.technique.id;
    let mut lines = Vec::new();
    if let Some(coverage) = &one.coverage {
        for (word, lack, all) in
            [("idle ", "no test brings about", &coverage.idle), ("unseen ", "no step is called", &coverage.unseen)]
        {
            let list = match all.len() {
                0 => continue,
                1..=6 => all.join(", "),
                many => format!("{} and {} more", all[..6].join(", "), many - 6),
            };
            lines.push(Line::styled(Role::Failure, word).with(Role::Plain, format!("{id}: {lack} {list}")));
        }
    }
    lines.extend(one.mutants.iter().filter_map(|mutant| mutant_line(args, id, mutant)));
    lines
}

fn mutant_line(args: &TestArgs, id: &str, mutant: &Mutant) -> Option<Line> {
    let (role, word, why) = match &mutant.fate {
        Fate::Test(test) if args.verbose => (Role::Success, "noticed ", format!("by the {test}")),
        Fate::Unbuildable if args.verbose => (Role::Success, "noticed ", "it cannot be compiled".into()),
        Fate::Proof if args.verbose => (Role::Success, "noticed ", "by a proof".into()),
        Fate::DegenerateOnly if args.verbose => {
            (Role::Success, "spared ", "still right; finds more only on grids that lack candidates already".into())
        }
        Fate::Equivalent if args.verbose => (Role::Success, "spared ", "what it finds is the same".into()),
        Fate::Sound => (Role::Failure, "survives ", "no test notices, and the rule is still right".into()),
        Fate::Undecided if args.mutate => {
            (Role::Failure, "survives ", "no test notices; no quick proof says that it is wrong".into())
        }
        Fate::Undecided => (Role::Failure, "untested ", "no test notices".into()),
        Fate::Proof if !args.mutate => (Role::Failure, "untested ", "no test notices".into()),
        _ => return None,
    };
    let place = mutant.line.map_or(String::new(), |line| format!(" (line {line})"));
    Some(Line::styled(role, word).with(Role::Plain, format!("{id} {}{place}: {why}", mutant.words)))
}

fn summary(args: &TestArgs, all: &[Strength]) -> Vec<Line> {
    let fates: Vec<&Fate> = all.iter().flat_map(|one| &one.mutants).map(|mutant| &mutant.fate).collect();
    let tested = fates.iter().filter(|fate| fate.is_tested()).count();
    let mut lines = Vec::new();
    if args.coverage {
        let (mut members, mut idle, mut names, mut unseen) = (0, 0, 0, 0);
        for one in all.iter().filter_map(|one| one.coverage.as_ref()) {
            (members, idle) = (members + one.members, idle + one.idle.len());
            (names, unseen) = (names + one.names, unseen + one.unseen.len());
        }
        let words = format!(
            "tests bring about {} of {}, {} of {}, and notice {tested} of {}",
            members - idle,
            count_phrase(members, "member"),
            names - unseen,
            count_phrase(names, "name"),
            count_phrase(fates.len(), "requirement"),
        );
        lines.push(Line::styled(Role::Name, words));
    }
    if args.mutate {
        let survive = fates.iter().filter(|fate| fate.survives()).count();
        let proved = count_of(&fates, &Fate::Proof);
        let mut spared = String::new();
        for (fate, words) in [(Fate::DegenerateOnly, "only take less"), (Fate::Equivalent, "change nothing")] {
            match count_of(&fates, &fate) {
                0 => {}
                count => spared += &format!("{count} {words}, "),
            }
        }
        let changes = count_phrase(fates.len(), "change");
        let words = format!("{changes}: {tested} noticed by tests, {proved} by proofs, {spared}{survive} survive");
        lines.push(Line::styled(if survive == 0 { Role::Success } else { Role::Failure }, words));
        if survive > 0 {
            let help = "For each change that survives, add a near miss in which only this requirement fails, or write the rule as changed.";
            lines.push(Line::styled(Role::Quiet, help));
        }
    }
    lines
}

fn count_of(fates: &[&Fate], wanted: &Fate) -> usize {
    fates.iter().filter(|fate| **fate == wanted).count()
}

impl<'a> MutantRecord<'a> {
    fn new(mutant: &'a Mutant, is_settled: bool) -> MutantRecord<'a> {
        let (noticed_by, test) = match &mutant.fate {
            Fate::Test(test) => ("test", Some(test.as_str())),
            Fate::Unbuildable => ("unbuildable", None),
            Fate::Proof => ("proof", None),
            Fate::DegenerateOnly => ("fewer", None),
            Fate::Equivalent => ("same", None),
            Fate::Sound => ("still_true", None),
            Fate::Undecided => (if is_settled { "unsettled" } else { "untested" }, None),
        };
        MutantRecord { change: &mutant.words, line: mutant.line, noticed_by, test }
    }
}

impl<'a> StrengthRecord<'a> {
    fn new(args: &TestArgs, one: &'a Strength) -> StrengthRecord<'a> {
        let coverage = one.coverage.as_ref();
        StrengthRecord {
            technique: &one.technique.id,
            members: coverage.map(|one| one.members),
            idle: coverage.map(|one| one.idle.as_slice()),
            names: coverage.map(|one| one.names),
            unseen: coverage.map(|one| one.unseen.as_slice()),
            requirements: one.mutants.iter().map(|mutant| MutantRecord::new(mutant, args.mutate)).collect(),
        }
    }
}
