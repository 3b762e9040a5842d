//! Every rule file as a whole: its comment, its examples (exactly these deductions), its near misses (none).

mod common;

use pinion::engine::{Engine, Limits, Search};
use pinion::grid::formats::read_one;
use pinion::grid::notation::{deductions, read_deductions};
use pinion::lang::ir::{Example, Technique};
use pinion::solve::Rulebook;
use std::collections::BTreeSet;

/// The deductions of every match of a technique (of one member, if the example names one), as text.
fn found(rulebook: &Rulebook, technique: &Technique, example: &Example) -> (BTreeSet<String>, BTreeSet<String>) {
    let puzzle = read_one(&example.grid, None).unwrap_or_else(|e| panic!("{}: {}", technique.id, e.message));
    let geometry = puzzle.geometry.clone();
    let engine = Engine::new(geometry.clone(), std::slice::from_ref(technique), rulebook.sources()).expect("compiles");
    let state = puzzle.state();
    let mut position = engine.on(&state);
    let mut all = BTreeSet::new();
    for (number, member) in engine.members().iter().enumerate() {
        if example.args.is_empty() || example.args == member.args {
            let found = position.find(number, Search::All, &Limits::default());
            assert!(found.limits.is_empty(), "{}: a limit was hit", technique.id);
            all.extend(found.matches.iter().map(|m| deductions(&geometry, &m.eliminations, &m.placements)));
        }
    }
    let wanted = example.finds.iter().map(|line| {
        let list = read_deductions(&geometry, line).unwrap_or_else(|e| panic!("{}: {e:?}", technique.id));
        let pick = |place: bool| list.iter().filter(|(_, p)| *p == place).map(|(c, _)| *c).collect::<Vec<_>>();
        let (mut gone, mut placed) = (pick(false), pick(true));
        gone.sort();
        placed.sort();
        deductions(&geometry, &gone, &placed)
    });
    (all, wanted.collect())
}

#[test]
fn examples_find_exactly_what_they_say_and_near_misses_nothing() {
    let rulebook = Rulebook::embedded();
    let mut checked = 0;
    for technique in rulebook.techniques() {
        for example in &technique.examples {
            let (found, wanted) = found(&rulebook, technique, example);
            assert_eq!(example.near_miss, wanted.is_empty());
            assert_eq!(found, wanted, "{} {:?}", technique.id, example.title);
            checked += 1;
        }
    }
    assert!(checked >= 2 * rulebook.techniques().len());
}

#[test]
fn every_rule_has_its_comment_an_example_and_a_near_miss() {
    let rulebook = Rulebook::embedded();
    assert!(rulebook.techniques().len() >= 15);
    for technique in rulebook.techniques() {
        assert!(technique.doc.len() >= 3, "{} does not say what, why and whence", technique.id);
        assert!(technique.examples.iter().any(|e| !e.near_miss), "{} has no example", technique.id);
        assert!(technique.examples.iter().any(|e| e.near_miss), "{} has no near miss", technique.id);
    }
    for file in rulebook.files() {
        assert_eq!(file.diagnostics, vec![], "{}", file.name);
    }
}
