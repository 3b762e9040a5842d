//! Mutation testing and coverage of rules (`--mutate`, `--coverage`). Out: mutants that no test detects; members and step names that no test
//! produces.

use crate::cli::corpus::{parallel_each, processor_count};
use crate::cli::prelude::*;
use crate::cli::test::snapshots::positions_of;
use crate::cli::test::{TestArgs, TestedRules};
use crate::workbench::examples::coverage;
use crate::workbench::mutate::{Fate, Mutant, decide_by_proof, mutants};

/// The strength of the tests of a technique. Coverage is absent without `--coverage`.
#[derive(Serialize)]
struct StrengthRecord<'a> {
    technique: &'a str,
    members: Option<usize>,
    idle: Option<Vec<String>>,
    names: Option<usize>,
    unseen: Option<Vec<String>>,
    /// Mutants: the rule without a requirement, or with a weaker one.
    requirements: Vec<MutantRecord>,
}

#[derive(Serialize)]
struct MutantRecord {
    change: String,
    line: Option<usize>,
    /// The check that detects the mutant, or the reason why none does:
    /// - `test`, `unbuildable` (the compiler), `proof`: a check.
    /// - `same`: the mutant finds the same matches.
    /// - `fewer`: the mutant finds more only where candidates are missing already.
    /// - `still_true`: the mutant is sound as well.
    /// - `unsettled`: the prover did not decide. `untested`: without `--mutate`, the prover was not asked.
    noticed_by: &'static str,
    test: Option<String>,
    #[serde(skip)]
    fate: Fate,
}

/// Prints the strength of the tests. Returns true if some mutant survives.
pub fn run(args: &TestArgs, loaded: &TestedRules, out: &mut Output) -> Result<bool, CommandError> {
    let mut strengths: Vec<StrengthRecord> = Vec::new();
    parallel_each(
        loaded.techniques().into_iter(),
        processor_count(),
        |_, technique| {
            let positions = positions_of(loaded, technique);
            let mut mutants = mutants(&loaded.rulebook, technique, &positions);
            if args.mutate {
                decide_by_proof(&loaded.rulebook, &mut mutants);
            }
            let coverage = if args.coverage { Some(coverage(&loaded.rulebook, technique, &positions)) } else { None };
            let coverage = coverage.as_ref();
            StrengthRecord {
                technique: &technique.id,
                members: coverage.map(|coverage| coverage.members),
                idle: coverage.map(|coverage| coverage.untested_members.clone()),
                names: coverage.map(|coverage| coverage.names),
                unseen: coverage.map(|coverage| coverage.unseen_names.clone()),
                requirements: mutants.into_iter().map(|mutant| MutantRecord::new(mutant, args.mutate)).collect(),
            }
        },
        |strength| strengths.push(strength),
    );
    if out.is_text() {
        for strength in &strengths {
            out.lines(&strength_lines(args, strength))?;
        }
        if args.coverage {
            out.lines(&[coverage_summary(&strengths)])?;
        }
        if args.mutate {
            out.lines(&mutation_summary(&strengths))?;
        }
    } else {
        for strength in &strengths {
            out.value(strength)?;
        }
    }
    Ok(args.mutate && fates(&strengths).any(Fate::survives))
}

fn fates<'a>(strengths: &'a [StrengthRecord<'_>]) -> impl Iterator<Item = &'a Fate> {
    strengths.iter().flat_map(|strength| &strength.requirements).map(|mutant| &mutant.fate)
}

/// Returns a line for uncovered members, for uncovered names, and for each mutant that is worth a line.
fn strength_lines(args: &TestArgs, strength: &StrengthRecord) -> Vec<Line> {
    let id = strength.technique;
    let mut lines = Vec::new();
    for (word, missing, names) in
        [("idle ", "no test has a match of", &strength.idle), ("unseen ", "no step is called", &strength.unseen)]
    {
        if let Some(names) = names.as_ref().filter(|names| !names.is_empty()) {
            let message = format!("{id}: {missing} {}", shorten(names));
            lines.push(Line::styled(Role::Failure, word).with(Role::Plain, message));
        }
    }
    lines.extend(strength.requirements.iter().filter_map(|mutant| mutant_line(args, id, mutant)));
    lines
}

/// Returns the first six names, and the number of further names.
fn shorten(names: &[String]) -> String {
    const MAX_SHOWN: usize = 6;
    match names.len() {
        0..=MAX_SHOWN => names.join(", "),
        count => format!("{} and {} more", names[..MAX_SHOWN].join(", "), count - MAX_SHOWN),
    }
}

/// Returns the line of a mutant. Mutants that need no attention have a line only with `--verbose`.
fn mutant_line(args: &TestArgs, id: &str, mutant: &MutantRecord) -> Option<Line> {
    let (role, word, reason) = match &mutant.fate {
        Fate::Undecided if !args.mutate => (Role::Failure, "untested ", "no test notices".to_owned()),
        // Without `--mutate`, no proof was asked for. If one is known anyway, only `--verbose` shows it.
        Fate::Proof if !args.mutate && !args.verbose => (Role::Failure, "untested ", "no test notices".into()),
        Fate::Undecided => (Role::Failure, "survives ", "no test notices; no quick proof says that it is wrong".into()),
        Fate::Sound => (Role::Failure, "survives ", "no test notices, and the rule is still right".into()),
        Fate::Test(test) => (Role::Success, "noticed ", format!("by the {test}")),
        Fate::Unbuildable => (Role::Success, "noticed ", "it cannot be compiled".into()),
        Fate::Proof => (Role::Success, "noticed ", "by a proof".into()),
        Fate::DegenerateOnly => {
            (Role::Success, "spared ", "still right; finds more only on grids that lack candidates already".into())
        }
        Fate::Equivalent => (Role::Success, "spared ", "what it finds is the same".into()),
    };
    if role == Role::Success && !args.verbose {
        return None;
    }
    let line = mutant.line.map_or(String::new(), |line| format!(" (line {line})"));
    Some(Line::styled(role, word).with(Role::Plain, format!("{id} {}{line}: {reason}", mutant.change)))
}

fn coverage_summary(strengths: &[StrengthRecord]) -> Line {
    let tested = fates(strengths).filter(|fate| fate.is_tested()).count();
    let members: usize = strengths.iter().filter_map(|strength| strength.members).sum();
    let names: usize = strengths.iter().filter_map(|strength| strength.names).sum();
    let covered_members = members - strengths.iter().filter_map(|strength| strength.idle.as_ref()).flatten().count();
    let covered_names = names - strengths.iter().filter_map(|strength| strength.unseen.as_ref()).flatten().count();
    let (members, names) = (count_phrase(members, "member"), count_phrase(names, "name"));
    let requirements = count_phrase(fates(strengths).count(), "requirement");
    let coverage = format!("{covered_members} of {members}, {covered_names} of {names}");
    Line::styled(Role::Name, format!("tests cover {coverage}, and notice {tested} of {requirements}"))
}

fn mutation_summary(strengths: &[StrengthRecord]) -> Vec<Line> {
    let changes = count_phrase(fates(strengths).count(), "change");
    let tested = fates(strengths).filter(|fate| fate.is_tested()).count();
    let surviving = fates(strengths).filter(|fate| fate.survives()).count();
    let [proved, fewer, same] = [Fate::Proof, Fate::DegenerateOnly, Fate::Equivalent]
        .map(|wanted| fates(strengths).filter(|fate| **fate == wanted).count());
    let mut summary = format!("{changes}: {tested} noticed by tests, {proved} by proofs, ");
    if fewer > 0 {
        summary += &format!("{fewer} only take less, ");
    }
    if same > 0 {
        summary += &format!("{same} change nothing, ");
    }
    summary += &format!("{surviving} survive");
    if surviving == 0 {
        return vec![Line::styled(Role::Success, summary)];
    }
    let advice = "For each change that survives, add a near miss in which only this requirement fails, or write the rule as changed.";
    vec![Line::styled(Role::Failure, summary), Line::styled(Role::Quiet, advice)]
}

impl MutantRecord {
    /// Creates the record of a mutant; `is_settled` is true if mutants were proved.
    fn new(mutant: Mutant, is_settled: bool) -> MutantRecord {
        let Mutant { words: change, line, fate, .. } = mutant;
        let (noticed_by, test) = match &fate {
            Fate::Test(test) => ("test", Some(test.clone())),
            Fate::Unbuildable => ("unbuildable", None),
            Fate::Proof => ("proof", None),
            Fate::DegenerateOnly => ("fewer", None),
            Fate::Equivalent => ("same", None),
            Fate::Sound => ("still_true", None),
            Fate::Undecided => (if is_settled { "unsettled" } else { "untested" }, None),
        };
        MutantRecord { change, line, noticed_by, test, fate }
    }
}
