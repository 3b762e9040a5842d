//! Suppositions: the engine compared with `reference.rs`, a slow and simple implementation of their meaning. Also the order of
//! matches, limits, and errors in rules.

#[path = "suppose/explanations.rs"]
mod explanations;
#[path = "suppose/path_cache.rs"]
mod path_cache;
#[path = "suppose/reference.rs"]
mod reference;
#[path = "suppose/rule_forms.rs"]
mod rule_forms;

use crate::common::{geometry, quick_or_full};
use pinion::engine::{Engine, LimitHit, Limits, Match, SearchMode};
use pinion::grid::{Candidate, Geometry, State, notation};
use pinion::lang::ir::*;
use reference::{expected_effects, random_states};
use rule_forms::{engine_of, links, rules, singles, technique};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns all matches of the first of some techniques. The others are used under its suppositions.
fn all_matches(board: &Arc<Geometry>, state: &State, techniques: &[Technique]) -> Vec<Match> {
    let found = engine_of(board, techniques).position(state).find(0, SearchMode::All, &Limits::default());
    assert!(found.limits.is_empty(), "{:?}", found.limits);
    found.matches
}

/// Fails if the engine and the reference find different effects for a rule, on `count` random states of each board size.
fn compare_with_reference(sizes: &[usize], count: u64, rules: &[Technique]) {
    let mut effects = 0;
    for (board, state) in random_states(sizes, count) {
        for rule in rules {
            let matches = all_matches(&board, &state, std::slice::from_ref(rule));
            let effect = |found: &Match| notation::deductions(&board, &found.eliminations, &found.placements);
            let found: BTreeSet<String> = matches.iter().map(effect).collect();
            let expected = expected_effects(&board, &state, &rule.variants[0]);
            assert_eq!(found, expected, "{} on {}", rule.id, pinion::grid::draw::candidate_grid(&board, &state));
            effects += expected.len();
        }
    }
    assert!(effects > quick_or_full(10, 100), "only {effects} effects");
}

#[test]
fn singles_of_all_digits() {
    compare_with_reference(&[4, 6, 9], quick_or_full(2, 15), &rule_forms::all_forms(&|| singles(None)));
}

#[test]
fn singles_of_one_digit() {
    compare_with_reference(&[4, 6, 9], 15, &rule_forms::forms_of_one_digit());
}

#[test]
fn links_without_and_with_a_limit() {
    compare_with_reference(&[4, 6, 9], quick_or_full(2, 12), &rule_forms::all_forms(&|| links(None)));
    compare_with_reference(&[4, 6], quick_or_full(2, 10), &rule_forms::all_forms(&|| links(Some(2))));
}

#[test]
fn the_match_with_the_fewest_inferences_comes_first() {
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

/// Returns a technique that uses another technique under its supposition.
fn technique_using(id: &str, other: &str) -> Technique {
    technique(id, rule_forms::contradiction(rules(&[(other, None)])))
}

#[test]
fn cycles_and_unknown_techniques_are_reported() {
    let board = geometry(9);
    let cycle = [technique_using("one", "two"), technique_using("two", "three"), technique_using("three", "one")];
    let errors = Engine::new(board.clone(), &cycle, &[]).err().expect("a cycle");
    let messages: Vec<String> = errors.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(
        messages.join("\n"),
        @r"
        one: it uses itself under its supposition: `one` uses `two` uses `three` uses `one`; let it use only techniques that do not use it in turn
        two: it uses itself under its supposition: `two` uses `three` uses `one` uses `two`; let it use only techniques that do not use it in turn
        three: it uses itself under its supposition: `three` uses `one` uses `two` uses `three`; let it use only techniques that do not use it in turn
        "
    );
    let first_error = |techniques: &[Technique]| {
        let errors = Engine::new(board.clone(), techniques, &[]).err().expect("an unknown technique or member");
        errors[0].to_string()
    };
    insta::assert_snapshot!(
        first_error(&[technique_using("one", "nothing")]),
        @"one: there is no technique `nothing` to use under a supposition"
    );
    let member = technique("one", rule_forms::contradiction(rules(&[("pairs", Some(vec![7]))])));
    insta::assert_snapshot!(
        first_error(&[member, rule_forms::naked_subset()]),
        @"one: `pairs` has no member `pairs(7)` to use under a supposition"
    );
}

/// Under a supposition, singles with naked subsets find more than singles alone, and so do singles with another supposition.
#[test]
fn techniques_under_a_supposition_find_more_than_singles() {
    let (mut more_by_subsets, mut more_by_suppositions) = (0, 0);
    for (board, state) in random_states(&[9], 3) {
        let effects = |techniques: &[Technique]| -> BTreeSet<Vec<Candidate>> {
            let matches = all_matches(&board, &state, techniques);
            matches.into_iter().map(|found| [found.eliminations, found.placements].concat()).collect()
        };
        let inner = technique("inner", rule_forms::contradiction(singles(None)));
        let by_singles = effects(&[technique("outer", rule_forms::contradiction(rules(&[])))]);
        let by_subsets = effects(&[technique_using("outer", "pairs"), rule_forms::naked_subset()]);
        let by_suppositions = effects(&[technique_using("outer", "inner"), inner]);
        assert!(by_singles.is_subset(&by_subsets) && by_singles.is_subset(&by_suppositions));
        more_by_subsets += by_subsets.len() - by_singles.len();
        more_by_suppositions += by_suppositions.len() - by_singles.len();
    }
    assert!(more_by_subsets > 0 && more_by_suppositions > 0, "{more_by_subsets} and {more_by_suppositions}");
}

/// A technique that assumes a unique solution is used under a supposition only if the outer technique assumes it, too.
#[test]
fn a_technique_without_the_assumption_uses_none_that_assumes_a_unique_solution() {
    let assuming = Technique { assumes_one_solution: true, ..rule_forms::naked_subset() };
    let outer = technique_using("outer", "pairs");
    let assuming_outer = Technique { assumes_one_solution: true, ..outer.clone() };
    let singles_only = technique("outer", rule_forms::contradiction(rules(&[])));
    let mut more = 0;
    for (board, state) in random_states(&[9], 4) {
        let without_assumption = all_matches(&board, &state, &[outer.clone(), assuming.clone()]);
        assert_eq!(without_assumption, all_matches(&board, &state, std::slice::from_ref(&singles_only)));
        let with_assumption = all_matches(&board, &state, &[assuming_outer.clone(), assuming.clone()]);
        more += with_assumption.len() - without_assumption.len();
    }
    assert!(more > 0);
}

#[test]
fn a_reached_limit_on_steps_is_reported() {
    let techniques = [technique_using("outer", "pairs"), rule_forms::naked_subset()];
    let limits = Limits { steps_per_assumption: 0, ..Limits::default() };
    let mut reports = 0;
    for (board, state) in random_states(&[9], 4) {
        let engine = engine_of(&board, &techniques);
        let mut position = engine.position(&state);
        let limited = position.find(0, SearchMode::All, &limits);
        reports += usize::from(limited.limits == [LimitHit::Suppositions]);
        // A search with other limits does not reuse the cached results.
        let found = position.find(0, SearchMode::All, &Limits::default());
        assert_eq!(found.matches, all_matches(&board, &state, &techniques));
    }
    assert!(reports > 0);
}
