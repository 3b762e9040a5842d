//! Explanations for readers who do not know the rules: why a technique matches, why it does not, and counterexamples. They
//! contain no name of a rule and no keyword of the language.
//!
//! Each test first gives the names of a rule a mark that no English word contains, so that a printed name is found.

use crate::common::files::texts_below;
use crate::common::quick_or_full;
use pinion::engine::MemberId;
use pinion::lang::ir::{Space, Technique};
use pinion::proof::{ProofLimits, Prover, Status};
use pinion::render::step_lines;
use pinion::solve::Rulebook;
use pinion::workbench::examples::example_position;
use pinion::workbench::{
    WhyNotQuery, compiled, matches, miss_lines, near_misses, prefix_lines, refute, requirement_lines, why,
};
use std::cell::Cell;

/// Number of cancellation checks after which a search for near misses is cancelled. A time limit would make the test check less on
/// a busy machine.
const MAX_CANCELLATION_CHECKS: u32 = 200;

/// The author of a rule gets explanations with its names.
const FOR_AUTHOR: bool = true;
const FOR_READER: bool = false;

/// Part of every name in a rule of [`with_marked_names`].
const MARK: &str = "zq";

/// Keywords that are no Sudoku terms, or are terms with another meaning.
const KEYWORDS: [&str; 16] = [
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

fn with_marked_names(technique: &Technique) -> Technique {
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

/// Returns the first part of a sentence that belongs to the rule and its language: a name, a keyword, a sign or a function.
fn language_part(text: &str) -> Option<String> {
    if text.contains(MARK) {
        return Some("a name of the rule".into());
    }
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    if let Some(word) = words.iter().find(|word| KEYWORDS.contains(word) || word.contains('_')) {
        return Some(format!("`{word}`"));
    }
    // Eureka notation of links has some of the language's signs: `(5)r1c1 = (6)r1c1`.
    let has_links = text.contains(" = ") || text.contains(" - ");
    let signs =
        if has_links { &["#", "&", "`", "!=", "[", " + "][..] } else { &["#", "&", "`", "!", "[", "+", "<=", "{"] };
    if let Some(sign) = signs.iter().find(|sign| text.contains(**sign)) {
        return Some(format!("`{sign}`"));
    }
    let has_call = text.as_bytes().windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1] == b'(');
    if has_call { Some("a function".into()) } else { None }
}

#[test]
fn parts_of_the_language_are_found() {
    for text in ["zq1 is r1c1", "digits(r1c1) = {5}", "r1c1 within row 1", "cells(row 1)", "#r1c1 <= 2", "in_one row"] {
        assert!(language_part(text).is_some(), "{text}");
    }
    for text in ["r1c1 has only 5 and 6", "(5)r1c1 = (6)r1c1: not both false: the only candidates of r1c1"] {
        assert_eq!(language_part(text), None, "{text}");
    }
}

/// The explanation for the author of the rule has the names, which shows that the test would find them.
#[test]
fn explanations_of_matches_have_no_part_of_the_language() {
    let rulebook = Rulebook::embedded();
    let (mut flaws, mut explained_matches, mut matches_with_names, mut sentences) = (Vec::new(), 0, 0, 0);
    for original in rulebook.techniques().iter().step_by(quick_or_full(3, 1)) {
        let technique = with_marked_names(original);
        for example in technique.examples.iter().filter(|example| !example.near_miss) {
            let position = example_position(&rulebook, example).expect("a grid");
            let engine = compiled(&rulebook, &technique, &position.geometry).expect("compiles");
            let is_for_example = |member: &MemberId| example.args.is_empty() || example.args == member.args;
            let found = matches(&engine, &position.state, &Default::default(), &is_for_example);
            for found_step in found.steps.iter().take(3) {
                let why = why(&rulebook, engine.techniques(), &position.geometry, &position.state, found_step);
                explained_matches += 1;
                let lines_for_author = requirement_lines(why.file.as_deref(), &why.names, &why.lines, FOR_AUTHOR);
                matches_with_names += usize::from(lines_for_author.iter().any(|line| line.to_string().contains(MARK)));
                let lines = requirement_lines(why.file.as_deref(), &why.names, &why.lines, FOR_READER);
                sentences += lines.len();
                for line in lines.iter().map(ToString::to_string) {
                    if language_part(&line).is_some() || line.len() > 400 {
                        flaws.push(format!("{}: {line}", technique.id));
                    }
                }
                for line in step_lines(&position.geometry, &found_step.step, 0) {
                    if line.to_string().contains(MARK) {
                        flaws.push(format!("{}: {line}", technique.id));
                    }
                }
            }
        }
    }
    flaws.dedup();
    assert!(flaws.is_empty(), "{}:\n{}", flaws.len(), flaws.join("\n"));
    println!("{explained_matches} matches in {sentences} sentences, {matches_with_names} with names for their author");
    assert!(explained_matches > quick_or_full(60, 200) && sentences > 3 * explained_matches);
    assert!(matches_with_names * 10 > explained_matches * 9);
}

#[test]
fn explanations_of_near_misses_have_no_part_of_the_language() {
    let rulebook = Rulebook::embedded();
    let (mut flaws, mut explained_grids, mut grids_with_names) = (Vec::new(), 0, 0);
    for original in rulebook.techniques().iter().step_by(quick_or_full(11, 1)) {
        let technique = with_marked_names(original);
        for example in technique.examples.iter().filter(|example| example.near_miss).take(1) {
            let position = example_position(&rulebook, example).expect("a grid");
            // To save time: the first three members in two spaces.
            let mut members = Vec::new();
            for space in [Space::Rc].into_iter().chain(technique.views.iter().map(|view| view.space)).take(2) {
                let variants = technique.member_variants(position.geometry.size() as u32).into_iter();
                let variants = variants.filter(|(args, _)| example.args.is_empty() || example.args == *args);
                members.extend(variants.take(3).map(|(args, variant)| MemberId { technique: 0, args, variant, space }));
            }
            let cancellation_checks = Cell::new(0_u32);
            let found = near_misses(&WhyNotQuery {
                rulebook: &rulebook,
                geometry: &position.geometry,
                state: &position.state,
                technique: &technique,
                members: &members,
                cells: &[],
                eliminate: &[],
                place: &[],
                max_misses: 2,
                is_cancelled: &|| cancellation_checks.replace(cancellation_checks.get() + 1) > MAX_CANCELLATION_CHECKS,
                halt: pinion::engine::Halt::default(),
            });
            let lines = |for_author: bool| {
                let mut lines = Vec::new();
                for miss in &found.misses {
                    lines.extend(miss_lines(1, miss, for_author).iter().map(ToString::to_string));
                }
                if let Some(prefix) = &found.longest_prefix {
                    // The name of the step may have words that are keywords, too.
                    lines.extend(
                        prefix_lines(prefix, for_author).iter().map(|line| line.to_string().replace(&prefix.name, "")),
                    );
                }
                lines
            };
            explained_grids += usize::from(!lines(FOR_READER).is_empty());
            grids_with_names += usize::from(lines(FOR_AUTHOR).iter().any(|line| line.contains(MARK)));
            for line in lines(FOR_READER) {
                // The first line of a near miss is the headline that the step would have.
                let is_headline = line.starts_with("1. ") && !line.contains(MARK);
                if !is_headline && language_part(&line).is_some() {
                    flaws.push(format!("{}: {line}", technique.id));
                }
            }
        }
    }
    assert!(flaws.is_empty(), "{}:\n{}", flaws.len(), flaws.join("\n"));
    println!("{explained_grids} grids explained, {grids_with_names} with names for their author");
    assert!(explained_grids > quick_or_full(5, 90), "{explained_grids}");
    assert!(grids_with_names * 10 > explained_grids * 8, "{grids_with_names} of {explained_grids}");
}

#[test]
fn explanations_of_counterexamples_have_no_part_of_the_language() {
    let board = crate::common::geometry(9);
    let (mut flaws, mut sentences) = (Vec::new(), 0);
    for (_, text) in texts_below("tests/mutants", "pinion").into_iter().step_by(quick_or_full(24, 4)) {
        let rulebook = Rulebook::embedded().with([("mutant.pinion".to_string(), text)]);
        let ids = &rulebook.files().last().expect("the added file").techniques;
        for original in rulebook.techniques().iter().filter(|technique| ids.contains(&technique.id)) {
            let technique = with_marked_names(original);
            let limits = ProofLimits { shrink: 50, ..ProofLimits::default() };
            let prover = Prover::new(&board, rulebook.sources()).with_rules(rulebook.techniques()).with_limits(limits);
            for (args, variant) in prover.members(&technique) {
                let Status::Refuted(example) = prover.prove(&technique, &args, variant).status else { continue };
                let (names, lines) = refute::explain(&board, (&technique, variant, &args), &example, &[]);
                let lines_for_author = requirement_lines(None, &names, &lines, FOR_AUTHOR);
                assert!(lines_for_author.iter().any(|line| line.to_string().contains(MARK)));
                let lines = requirement_lines(None, &names, &lines, FOR_READER);
                let mut shown: Vec<String> = lines.iter().map(ToString::to_string).collect();
                // The grid in the contradiction is drawn with `+` and `|`.
                shown.push(example.contradiction.replace(['+', '|'], ""));
                sentences += shown.len();
                for line in shown {
                    if language_part(&line).is_some() {
                        flaws.push(format!("{}: {line}", technique.id));
                    }
                }
            }
        }
    }
    assert!(flaws.is_empty(), "{}:\n{}", flaws.len(), flaws.join("\n"));
    assert!(sentences > quick_or_full(5, 40), "{sentences}");
}
