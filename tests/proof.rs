//! Rules proved, refuted, found vacuous.

use crate::common::share;
use pinion::engine::{Engine, Limits, SearchMode};
use pinion::grid::{Geometry, formats};
use pinion::lang::diagnostic::Severity;
use pinion::lang::ir::{LinkSource, Technique};
use pinion::lang::{Patterns, compile, compile_with, parse};
use pinion::proof::{Member, ProofLimits, Prover, Status, Verdict, direct_cases};
use pinion::solve::ProofRecord;
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rule_files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder).expect("readable").flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rule_files(&path, out);
        } else if path.extension().is_some_and(|ext| ext == "pinion") {
            out.push(path);
        }
    }
}

fn load(files: &[PathBuf]) -> (Vec<Technique>, Vec<LinkSource>) {
    let (mut techniques, mut sources) = (Vec::new(), Vec::new());
    let mut patterns = Patterns::default();
    for file in files {
        patterns.add(&parse(&fs::read_to_string(file).expect("rules are text")).0);
    }
    for file in files {
        let text = fs::read_to_string(file).expect("rules are text");
        let (lowered, found) = compile_with(&text, &patterns);
        assert!(!found.iter().any(|one| one.severity == Severity::Error), "{}: {found:?}", file.display());
        techniques.extend(lowered.techniques);
        sources.extend(lowered.sources);
    }
    (techniques, sources)
}

fn verdicts(techniques: &[Technique], sources: &[LinkSource], size: usize) -> Vec<Verdict> {
    verdicts_of(techniques, techniques, sources, size)
}

fn verdicts_of(asked: &[Technique], techniques: &[Technique], sources: &[LinkSource], size: usize) -> Vec<Verdict> {
    let geometry = Geometry::standard(size).expect("a standard board");
    let limits = ProofLimits { shrink: 50, ..ProofLimits::default() };
    let prover = Prover::new(&geometry, sources).with_limits(limits).with_rules(techniques);
    let mut out = Vec::new();
    for technique in asked {
        for (args, variant) in prover.members(technique) {
            let start = std::time::Instant::now();
            let verdict = prover.prove(technique, &args, variant);
            println!(
                "{:>8.3} s {} {:?} case {variant} {}x: {} {:?}",
                start.elapsed().as_secs_f64(),
                technique.id,
                args,
                size,
                verdict.status,
                verdict.effort
            );
            out.push(verdict);
        }
    }
    out
}

#[test]
fn a_proof_that_was_given_up_leaves_no_trace() {
    let files = ["prelude", "chains/x_chain", "forcing/forcing_chains"].map(|name| {
        let mut files = Vec::new();
        rule_files(&root().join("rules"), &mut files);
        files.into_iter().find(|file| file.to_string_lossy().ends_with(&format!("{name}.pinion")))
    });
    let files: Vec<PathBuf> = files.into_iter().flatten().collect();
    let (techniques, sources) = load(&files);
    assert!(techniques.len() >= 2);
    let geometry = Geometry::standard(6).expect("a standard board");
    let over = Rc::new(Cell::new(true));
    let asked = Rc::clone(&over);
    let prover =
        Prover::new(&geometry, &sources).with_rules(&techniques).with_cancellation(Rc::new(move || asked.get()));
    for technique in &techniques {
        over.set(true);
        let given_up = prover.prove(technique, &[], 0);
        assert!(matches!(given_up.status, Status::Undecided(_)), "{}: {}", technique.id, given_up.status);
        over.set(false);
        let settled = prover.prove(technique, &[], 0);
        let alone = Prover::new(&geometry, &sources).with_rules(&techniques).prove(technique, &[], 0);
        assert!(settled.status.is_proved(), "{}: {}", technique.id, settled.status);
        assert_eq!((settled.status, settled.rests_on), (alone.status, alone.rests_on));
    }
}

/// On nine rows `standing` asks for the proofs on record.
#[test]
fn every_rule_is_proved_on_six_rows() {
    let size = 6;
    let mut files = Vec::new();
    rule_files(&root().join("rules"), &mut files);
    let (techniques, sources) = load(&files);
    let asked: Vec<Technique> = techniques.iter().step_by(share(20, 1)).cloned().collect();
    for verdict in verdicts_of(&asked, &techniques, &sources, size) {
        let technique = techniques.iter().find(|one| one.id == verdict.technique).expect("it was proved");
        let recorded = ProofRecord::embedded().is_idle((technique, &verdict.args, verdict.variant), Some("6x6"));
        // All the lines of a board are no fish.
        let idle = recorded || verdict.args.contains(&(size as u32));
        let whole = idle && matches!(verdict.status, Status::Vacuous(_));
        let proved = verdict.status.is_proved();
        assert!(proved || whole, "{} {:?}: {}", verdict.technique, verdict.args, verdict.status);
    }
}

/// The rules of one file of cases, with the link sources of the prelude and its own.
fn case(path: &Path) -> (Vec<Technique>, Vec<LinkSource>) {
    load(&[root().join("rules/prelude.pinion"), path.to_path_buf()])
}

fn cases(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    rule_files(&root().join("tests").join(folder), &mut files);
    files
}

/// The engine finds the wrong conclusion on the state, read back from the text that was printed.
fn fires(technique: &[Technique], sources: &[LinkSource], size: usize, verdict: &Verdict) {
    let Status::Refuted(example) = &verdict.status else { panic!("{}: {}", verdict.technique, verdict.status) };
    let geometry = Arc::new(Geometry::standard(size).expect("a standard board"));
    let puzzle = formats::read_one(example.grid(), Some(&geometry)).expect("the grid is readable");
    let state = puzzle.state();
    assert_eq!(
        state.values_and_candidates(),
        example.state.values_and_candidates(),
        "{}: the grid reads back as the state",
        verdict.technique
    );
    let engine = Engine::new(geometry, technique, sources).expect("the rule compiles");
    let mut position = engine.position(&state);
    let hit = engine.members().iter().enumerate().any(|(index, member)| {
        member.args == verdict.args
            && member.variant == verdict.variant
            && position.find(index, SearchMode::All, &Limits::default()).matches.iter().any(|found| {
                let list = if example.placed { &found.placements } else { &found.eliminations };
                list.contains(&example.wrong)
            })
    });
    assert!(
        hit,
        "{}: the engine does not conclude\n{example}\n{}",
        verdict.technique,
        engine
            .members()
            .iter()
            .enumerate()
            .map(|(i, m)| format!(
                "{m:?} {:?}\n{}",
                position.find(i, SearchMode::All, &Limits::default()),
                engine.plan_text(i)
            ))
            .collect::<String>()
    );
}

#[test]
fn mutants_are_refuted_and_fire() {
    let files = cases("mutants");
    assert!(files.len() >= 20);
    let mut failed = Vec::new();
    for file in files.into_iter().step_by(share(12, 1)) {
        let (techniques, sources) = case(&file);
        for verdict in verdicts(&techniques, &sources, 9) {
            match &verdict.status {
                Status::Refuted(_) => fires(&techniques, &sources, 9, &verdict),
                other => failed.push(format!("{} {:?}: {other}", verdict.technique, verdict.args)),
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn empty_rules_are_reported() {
    let files = cases("vacuous");
    assert!(files.len() >= 10);
    let mut failed = Vec::new();
    for file in files.into_iter().step_by(share(6, 1)) {
        let (techniques, sources) = case(&file);
        for verdict in verdicts(&techniques, &sources, 9) {
            if !matches!(verdict.status, Status::Vacuous(_)) {
                failed.push(format!("{} {:?}: {}", verdict.technique, verdict.args, verdict.status));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn more_rules_are_proved() {
    let mut failed = Vec::new();
    for file in cases("proved").into_iter().step_by(share(16, 1)) {
        let (techniques, sources) = case(&file);
        for size in [9, 6] {
            for verdict in verdicts(&techniques, &sources, size) {
                if !verdict.status.is_proved() && (size == 9 || !matches!(verdict.status, Status::Vacuous(_))) {
                    failed.push(format!("{} {:?} {size}: {}", verdict.technique, verdict.args, verdict.status));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn suggestions(text: &str, args: &[u32]) -> Vec<String> {
    let prelude = fs::read_to_string(root().join("rules/prelude.pinion")).expect("readable");
    let sources = compile(&prelude).0.sources;
    let (lowered, found) = compile(text);
    assert!(found.iter().all(|one| one.severity != Severity::Error), "{found:?}");
    let geometry = Geometry::standard(9).expect("a standard board");
    let prover = Prover::new(&geometry, &sources);
    let technique = &lowered.techniques[0];
    let mut out = prover.strengthen(technique, args, 0);
    out.extend(prover.weaken(technique, args, 0));
    out.into_iter().map(|one| format!("{:?}: {}", one.change, one.line)).collect()
}

/// Conditions that may be dropped or relaxed, and further conclusions, of rules of each kind.
#[test]
fn other_consequences_are_found() {
    let found: [(&str, &[u32], &[&str]); 12] = [
        ("chains/remote_pair", &[], &[]),
        ("wings/w_wing", &[], &["Conclude: conclude some y in P + Q"]),
        ("intersections/locked_candidates", &[], &["Drop: #(d in source) >= 2"]),
        ("wings/pivot_wing", &[3], &["Drop: #(digits(pivot) - z) = n - 1", "Relax: digits(pincer[d]) within d + z"]),
        ("chains/xy_chain", &[], &[]),
        ("subsets/naked_subset", &[3], &[]),
        ("subsets/hidden_subset", &[2], &[]),
        ("wings/pivot_wing", &[4], &["Drop: #(digits(pivot) - z) = n - 1", "Relax: digits(pincer[d]) within d + z"]),
        (
            "intersections/multiple_lines",
            &[],
            &[
                "Drop: r meeting a",
                "Drop: r meeting b",
                "Drop: s meeting a",
                "Drop: s meeting b",
                "Drop: r parallel s",
                "DropTogether: r meeting a; r meeting b; s meeting a; s meeting b; r parallel s",
            ],
        ),
        (
            "wings/xy_wing",
            &[],
            &[
                "Relax: digits(pivot) within x + y",
                "Relax: digits(pincer1) within x + z",
                "Relax: digits(pincer2) within y + z",
            ],
        ),
        (
            "wings/xyz_wing",
            &[],
            &[
                "Relax: digits(pivot) within x + y + z",
                "Relax: digits(pincer1) within x + z",
                "Relax: digits(pincer2) within y + z",
            ],
        ),
        (
            "wings/bent_set",
            &[4],
            &["Drop: s connected", "Drop: z within digits(s)", "DropTogether: s connected; z within digits(s)"],
        ),
    ];
    for (file, args, wanted) in found.into_iter().take(share(4, 12)) {
        let text = fs::read_to_string(root().join("rules").join(file).with_extension("pinion")).expect("readable");
        assert_eq!(suggestions(&text, args), wanted, "{file} {args:?}");
    }
}

#[test]
fn special_cases_that_follow_from_others_are_known() {
    // A chain of four, with all that follows.
    let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    assert_eq!(direct_cases(&pairs), [true, false, false, true, false, true]);
    // Two ways lead to rule 3, and neither goes through the other.
    assert_eq!(direct_cases(&[(0, 1), (0, 2), (1, 3), (2, 3), (0, 3)]), [true, true, true, true, false]);
    // Rules 1 and 2 are special cases of each other: none of these pairs can be left out for the other.
    assert_eq!(direct_cases(&[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3), (0, 3)]), [true, true, true, true, true, false]);
    assert_eq!(direct_cases(&[]), [false; 0]);
}

#[test]
fn special_cases_are_found() {
    let mut files = Vec::new();
    rule_files(&root().join("rules"), &mut files);
    let (techniques, sources) = load(&files);
    let geometry = Geometry::standard(9).expect("a standard board");
    let prover = Prover::new(&geometry, &sources);
    let find = |id: &str| techniques.iter().find(|one| one.id == id).expect("a rule");
    for (special, general, args, wanted) in [
        ("xy_wing", "pivot_wing", vec![3], true),
        ("xyz_wing", "pivot_wing", vec![3], true),
        ("xyz_wing", "pivot_wing", vec![4], false),
        ("xyz_wing", "xy_wing", vec![], false),
        ("xy_wing", "bent_set", vec![4], false),
    ] {
        let special_member = Member { technique: find(special), args: &[], variant: 0 };
        let general_member = Member { technique: find(general), args: &args, variant: 0 };
        let start = std::time::Instant::now();
        let found = prover.implied_by(special_member, general_member).expect("they can be compared");
        println!("IMPLIED {special} {general} {found:?} {:?}", start.elapsed());
        assert_eq!(found.is_some(), wanted, "{special} in {general}: {found:?}");
    }
}

/// A set of the other rule is made of as many cells as it must have.
#[test]
fn a_set_has_its_size() {
    let text = "technique wide \"Wide\" {\n  pivot: cell = {a, b, c, z}\n  p: cell = {a, z} sees pivot\n  \
                q: cell = {b, z} sees pivot\n  r: cell = {b, c, z} sees pivot sees q\n  \
                conclude some z in pivot, p, q, r\n}\n";
    let wide = compile(text).0.techniques.remove(0);
    let mut files = Vec::new();
    rule_files(&root().join("rules"), &mut files);
    let (techniques, sources) = load(&files);
    let geometry = Geometry::standard(9).expect("a standard board");
    let prover = Prover::new(&geometry, &sources);
    let bent = techniques.iter().find(|one| one.id == "bent_set").expect("a rule");
    let special = Member { technique: &wide, args: &[], variant: 0 };
    let names = |n: u32| prover.implied_by(special, Member { technique: bent, args: &[n], variant: 0 });
    let found = names(4).expect("they can be compared").expect("four cells with four digits");
    assert!(found.contains(&("s".to_string(), "pivot + p + q + r".to_string())), "{found:?}");
    assert_eq!(names(5), Ok(None));
}
