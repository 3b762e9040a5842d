//! Suppositions: what the engine finds against a plain reading of their meaning, the explanations of what it finds, limits
//! and errors.

#[path = "suppose/explanations.rs"]
mod explanations;
#[path = "suppose/path_cache.rs"]
mod path_cache;
#[path = "suppose/reference.rs"]
mod reference;
#[path = "suppose/rule_forms.rs"]
mod rule_forms;

use crate::common::{geometry, share};
use pinion::engine::{LimitHit, Limits, Match, SearchMode};
use pinion::grid::{Candidate, Geometry, State, notation};
use pinion::lang::ir::*;
use reference::{expected_effects, random_states};
use rule_forms::{engine_of, links, rules, singles, technique};
use std::collections::BTreeSet;
use std::sync::Arc;

fn all(board: &Arc<Geometry>, state: &State, list: &[Technique]) -> Vec<Match> {
    let found = engine_of(board, list).position(state).find(0, SearchMode::All, &Limits::default());
    assert!(found.limits.is_empty(), "{:?}", found.limits);
    found.matches
}

/// The effects of every form of rule are those of the plain reading.
fn agree(boards: &[usize], count: u64, forms: &[Technique]) {
    let mut effects = 0;
    for (board, state) in random_states(boards, count) {
        for rule in forms {
            let found = all(&board, &state, std::slice::from_ref(rule));
            let effect = |one: &Match| notation::deductions(&board, &one.eliminations, &one.placements);
            let found: BTreeSet<String> = found.iter().map(effect).collect();
            let expected = expected_effects(&board, &state, &rule.variants[0]);
            assert_eq!(found, expected, "{} on {}", rule.id, pinion::grid::draw::candidate_grid(&board, &state));
            effects += expected.len();
        }
    }
    assert!(effects > share(10, 100), "only {effects} effects");
}

#[test]
fn singles_end_where_plain_counting_ends() {
    agree(&[4, 6, 9], share(2, 15), &rule_forms::all_forms(&|| singles(None)));
}

#[test]
fn singles_of_one_digit() {
    agree(&[4, 6, 9], 15, &rule_forms::forms_of_one_digit());
}

#[test]
fn links_alone() {
    agree(&[4, 6, 9], share(2, 12), &rule_forms::all_forms(&|| links(None)));
    agree(&[4, 6], share(2, 10), &rule_forms::all_forms(&|| links(Some(2))));
}

/// The first match is the one with the fewest inferences, and every match says how many it has.
#[test]
fn the_shortest_explanation_comes_first() {
    for (board, state) in random_states(&[9], 3) {
        for rule in rule_forms::all_forms(&|| singles(None)) {
            let engine = engine_of(&board, std::slice::from_ref(&rule));
            let all = engine.position(&state).find(0, SearchMode::All, &Limits::default()).matches;
            let counts: Vec<u32> = all.iter().map(Match::inferences).collect();
            assert!(counts.is_sorted(), "{}: {counts:?}", rule.id);
            let first = engine.position(&state).find(0, SearchMode::First, &Limits::default()).matches;
            assert_eq!(first.first(), all.first());
        }
    }
}

fn uses(id: &str, other: &str) -> Technique {
    technique(id, rule_forms::contradiction(rules(&[(other, None)])))
}

#[test]
fn a_technique_must_not_come_to_use_itself() {
    let board = geometry(9);
    let list = [uses("one", "two"), uses("two", "three"), uses("three", "one")];
    let errors = pinion::engine::Engine::new(board.clone(), &list, &[]).err().expect("a circle");
    let said: Vec<String> = errors.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(
        said.join("\n"),
        @r"
        one: it uses itself under its supposition: `one` uses `two` uses `three` uses `one`; let it use only techniques that do not use it in turn
        two: it uses itself under its supposition: `two` uses `three` uses `one` uses `two`; let it use only techniques that do not use it in turn
        three: it uses itself under its supposition: `three` uses `one` uses `two` uses `three`; let it use only techniques that do not use it in turn
        "
    );
    let error = |list: &[Technique]| {
        let errors = pinion::engine::Engine::new(board.clone(), list, &[]).err().expect("a name that nothing has");
        errors[0].to_string()
    };
    insta::assert_snapshot!(
        error(&[uses("one", "nothing")]),
        @r"
        one: there is no technique `nothing` to use under a supposition
        "
    );
    let member = technique("one", rule_forms::contradiction(rules(&[("pairs", Some(vec![7]))])));
    insta::assert_snapshot!(
        error(&[member, rule_forms::naked_subset()]),
        @r"
        one: `pairs` has no member `pairs(7)` to use under a supposition
        "
    );
}

/// Techniques add to what singles find, and what they find under a supposition is right.
#[test]
fn techniques_find_more_than_singles() {
    let (mut more, mut nested) = (0, 0);
    for (board, state) in random_states(&[9], 3) {
        let by = |list: &[(&str, Option<Vec<u32>>)]| technique("outer", rule_forms::contradiction(rules(list)));
        let plain = all(&board, &state, &[by(&[])]);
        let inner = technique("inner", rule_forms::contradiction(singles(None)));
        let with = all(&board, &state, &[by(&[("pairs", None)]), rule_forms::naked_subset()]);
        let deep = all(&board, &state, &[by(&[("inner", None)]), inner]);
        let effects = |list: &[Match]| -> BTreeSet<Vec<Candidate>> {
            list.iter().map(|one| [one.eliminations.clone(), one.placements.clone()].concat()).collect()
        };
        assert!(effects(&plain).is_subset(&effects(&with)) && effects(&plain).is_subset(&effects(&deep)));
        more += effects(&with).len() - effects(&plain).len();
        nested += effects(&deep).len() - effects(&plain).len();
    }
    assert!(more > 0 && nested > 0, "{more} and {nested}");
}

/// Under a supposition a technique that assumes one solution is used only by one that does so too.
#[test]
fn one_solution_is_not_assumed_in_secret() {
    let assuming = Technique { assumes_one_solution: true, ..rule_forms::naked_subset() };
    let outer = |assumes_one_solution| Technique {
        assumes_one_solution,
        ..technique("outer", rule_forms::contradiction(rules(&[("pairs", None)])))
    };
    let mut used = 0;
    for (board, state) in random_states(&[9], 4) {
        let honest = all(&board, &state, &[outer(true), assuming.clone()]);
        let plain = all(&board, &state, &[outer(false), assuming.clone()]);
        assert_eq!(plain, all(&board, &state, &[technique("outer", rule_forms::contradiction(rules(&[])))]));
        used += honest.len() - plain.len();
    }
    assert!(used > 0);
}

#[test]
fn the_limit_on_steps_is_told() {
    let list = [technique("outer", rule_forms::contradiction(rules(&[("pairs", None)]))), rule_forms::naked_subset()];
    let limits = Limits { steps_per_assumption: 0, ..Limits::default() };
    let mut told = 0;
    for (board, state) in random_states(&[9], 4) {
        let engine = engine_of(&board, &list);
        let mut position = engine.position(&state);
        let cut = position.find(0, SearchMode::All, &limits);
        told += usize::from(cut.limits == [LimitHit::Suppositions]);
        // Results found under other limits are not reused.
        assert_eq!(position.find(0, SearchMode::All, &Limits::default()).matches, all(&board, &state, &list));
    }
    assert!(told > 0);
}
