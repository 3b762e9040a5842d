//! Explanations for people who do not know the rules: why, why not, and the counterexample, of every technique. No word of them is
//! a name of the rule or of the language.
//!
//! Each test first gives the rule names that no English word contains, so any name that reaches the reader is found.

use crate::common::share;
use pinion::engine::MemberId;
use pinion::lang::ir::{Space, Technique};
use pinion::proof::{ProofLimits, Prover, Status};
use pinion::render::step_lines;
use pinion::solve::Rulebook;
use pinion::workbench::examples::example_position;
use pinion::workbench::{
    CompiledTechnique, WhyNotQuery, miss_lines, near_misses, prefix_lines, refute, requirement_lines, why,
};
use std::cell::Cell;

/// A search for near misses ends after it has asked this often if it may go on: a limit of time would check less on a busy
/// machine.
const ROUNDS: u32 = 200;

/// Text in every name of a renamed rule.
const MARK: &str = "zq";

/// Words of the language that are none of the field, or mean another thing there.
const LANGUAGE: [&str; 16] = [
    "als",
    "chosen",
    "conclude",
    "disjoint",
    "forall",
    "guardians",
    "let",
    "linking",
    "require",
    "suppose",
    "technique",
    "those",
    "using",
    "values",
    "where",
    "within",
];

fn renamed(technique: &Technique) -> Technique {
    let mut technique = technique.clone();
    for variant in &mut technique.variants {
        for (at, var) in variant.vars.iter_mut().enumerate() {
            var.name = format!("{MARK}{at}");
        }
    }
    for (at, param) in technique.params.iter_mut().enumerate() {
        param.name = format!("{MARK}_{at}");
    }
    technique
}

/// Returns the first flaw of a sentence: a name of the rule, or a word or a sign of the language.
fn flaw(text: &str) -> Option<String> {
    if text.contains(MARK) {
        return Some("a name of the rule".into());
    }
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    if let Some(word) = words.iter().find(|word| LANGUAGE.contains(word) || word.contains('_')) {
        return Some(format!("`{word}`"));
    }
    // Links are written as the field writes them.
    let link = text.contains(" = ") || text.contains(" - ");
    let signs =
        if link { &["#", "&", "`", "!=", "[", " + "][..] } else { &["#", "&", "`", "!", "[", "+", "<=", "{", " - "] };
    if let Some(sign) = signs.iter().find(|sign| text.contains(**sign)) {
        return Some(format!("`{sign}`"));
    }
    let called = text.as_bytes().windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1] == b'(');
    called.then(|| "a function".into())
}

#[test]
fn flaws_are_seen() {
    for text in ["zq1 is r1c1", "digits(r1c1) = {5}", "r1c1 within row 1", "cells(row 1)", "#r1c1 <= 2", "in_one row"] {
        assert!(flaw(text).is_some(), "{text}");
    }
    for text in ["r1c1 has only 5 and 6", "(5)r1c1 = (6)r1c1: not both false: the only candidates of r1c1"] {
        assert_eq!(flaw(text), None, "{text}");
    }
}

/// The author is shown the names, so the check fails there.
#[test]
fn why_is_told_without_the_rule() {
    let rulebook = Rulebook::embedded();
    let (mut flaws, mut explained_ones, mut named, mut sentences) = (Vec::new(), 0, 0, 0);
    for original in rulebook.techniques().iter().step_by(share(3, 1)) {
        let technique = renamed(original);
        for example in technique.examples.iter().filter(|example| !example.near_miss) {
            let at = example_position(&rulebook, example).expect("a grid");
            let all = rulebook.with_dependencies(vec![technique.clone()]);
            let compiled = CompiledTechnique::new(all, rulebook.sources(), &at.geometry).expect("it can be used");
            let meant = |member: &MemberId| example.args.is_empty() || example.args == member.args;
            let found = compiled.matches_of(&at.state, &Default::default(), &meant);
            for seen in found.steps.iter().take(3) {
                let why = why(&rulebook, &compiled.techniques, &at.geometry, &at.state, seen);
                explained_ones += 1;
                let author = requirement_lines(why.file.as_deref(), &why.names, &why.lines, true);
                named += usize::from(author.iter().any(|line| line.to_string().contains(MARK)));
                let lines = requirement_lines(why.file.as_deref(), &why.names, &why.lines, false);
                sentences += lines.len();
                let told = step_lines(&at.geometry, &seen.step, 0).into_iter().map(|line| line.to_string());
                let of_the_rule = told.filter(|line| line.contains(MARK));
                let lines = lines.iter().map(ToString::to_string);
                let lines = lines.filter(|line| flaw(line).is_some() || line.len() > 400);
                flaws.extend(of_the_rule.chain(lines).map(|line| format!("{}: {line}", technique.id)));
            }
        }
    }
    flaws.dedup();
    assert!(flaws.is_empty(), "{}:\n{}", flaws.len(), flaws.join("\n"));
    println!("{explained_ones} matches in {sentences} sentences, {named} with names for their author");
    assert!(explained_ones > share(60, 200) && sentences > 3 * explained_ones && named * 10 > explained_ones * 9);
}

#[test]
fn why_not_is_told_without_the_rule() {
    let rulebook = Rulebook::embedded();
    let (mut flaws, mut told, mut named) = (Vec::new(), 0, 0);
    for original in rulebook.techniques().iter().step_by(share(11, 1)) {
        let technique = renamed(original);
        for example in technique.examples.iter().filter(|example| example.near_miss).take(1) {
            let at = example_position(&rulebook, example).expect("a grid");
            let spaces = [Space::Rc].into_iter().chain(technique.views.iter().map(|view| view.space)).take(2);
            let of_space = |space| {
                let all = technique.member_variants(at.geometry.size() as u32).into_iter();
                let all = all.filter(|(args, _)| example.args.is_empty() || example.args == *args).take(3);
                all.map(move |(args, variant)| MemberId { technique: 0, args, variant, space }).collect::<Vec<_>>()
            };
            let members = spaces.flat_map(of_space).collect::<Vec<_>>();
            let asked = Cell::new(0_u32);
            let found = near_misses(&WhyNotQuery {
                rulebook: &rulebook,
                geometry: &at.geometry,
                state: &at.state,
                technique: &technique,
                members: &members,
                cells: &[],
                eliminate: &[],
                place: &[],
                max_misses: 2,
                is_cancelled: &|| asked.replace(asked.get() + 1) > ROUNDS,
                halt: pinion::engine::Halt::default(),
            });
            let text = |author: bool| {
                let misses = found.misses.iter().flat_map(|miss| miss_lines(1, miss, author));
                let all = misses.chain(found.longest_prefix.iter().flat_map(|furthest| prefix_lines(furthest, author)));
                // The name of the step is the field's.
                let names: Vec<&str> = found.longest_prefix.iter().map(|furthest| furthest.name.as_str()).collect();
                all.map(|line| names.iter().fold(line.to_string(), |line, name| line.replace(name, "")))
                    .collect::<Vec<_>>()
            };
            told += usize::from(!text(false).is_empty());
            named += usize::from(text(true).iter().any(|line| line.contains(MARK)));
            // The headline that the pattern would have.
            let head = |line: &String| line.starts_with("1. ") && !line.contains(MARK);
            let lines = text(false).into_iter().filter(|line| !head(line) && flaw(line).is_some());
            flaws.extend(lines.map(|line| format!("{}: {line}", technique.id)));
        }
    }
    assert!(flaws.is_empty(), "{}:\n{}", flaws.len(), flaws.join("\n"));
    println!("{told} told, {named} with names for their author");
    assert!(told > share(5, 90) && named * 10 > told * 8, "{told}, {named}");
}

#[test]
fn counterexamples_are_told_without_the_rule() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mutants");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().map(|file| file.path()).collect();
    files.sort();
    let board = crate::common::geometry(9);
    let (mut flaws, mut sentences) = (Vec::new(), 0);
    for file in files.iter().step_by(share(24, 4)) {
        let text = std::fs::read_to_string(file).expect("readable");
        let rulebook = Rulebook::embedded().with([("mutant.pinion".to_string(), text)]);
        let ids = &rulebook.files().last().expect("it was added").techniques;
        for original in rulebook.techniques().iter().filter(|one| ids.contains(&one.id)) {
            let technique = renamed(original);
            let limits = ProofLimits { shrink: 50, ..ProofLimits::default() };
            let prover = Prover::new(&board, rulebook.sources()).with_rules(rulebook.techniques()).with_limits(limits);
            for (args, variant) in prover.members(&technique) {
                let Status::Refuted(example) = prover.prove(&technique, &args, variant).status else { continue };
                let (names, lines) = refute::explain(&board, (&technique, variant, &args), &example, &[]);
                assert!(
                    requirement_lines(None, &names, &lines, true).iter().any(|line| line.to_string().contains(MARK))
                );
                let told = requirement_lines(None, &names, &lines, false).into_iter().map(|line| line.to_string());
                let told: Vec<String> = told.chain([example.contradiction.replace(['+', '|'], "")]).collect();
                sentences += told.len();
                let wrong = told.iter().filter(|line| flaw(line).is_some());
                flaws.extend(wrong.map(|line| format!("{}: {line}", technique.id)));
            }
        }
    }
    assert!(flaws.is_empty(), "{}:\n{}", flaws.len(), flaws.join("\n"));
    assert!(sentences > share(5, 40), "{sentences}");
}
