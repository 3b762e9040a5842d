//! Rules with views (`also in rn, cn`) and rules that join the steps of another rule. The engine is compared with brute force,
//! and its steps follow from what they cite.

use super::als::{EffectSets, assert_steps_follow, effect_sets, engine, find_all};
use super::rules::{hidden_subset, naked_subset, technique, w_wing, xyz_wing};
use super::{any_state, engine_effects, hidden_pair_state};
use crate::brute_force::{Bounds, naive_effects};
use crate::common::quick_or_full_cases;
use pinion::engine::{Engine, Lens, SearchOutcome};
use pinion::grid::{Candidate, Geometry, notation};
use pinion::lang::ir::*;
use pinion::render::{step_lines, unstyled};
use pinion::solve::step_of;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

fn with_views(mut rule: Technique) -> Technique {
    let title = |text: &str| Template { parts: vec![TemplatePart::Text(text.into())] };
    rule.views =
        vec![View { space: Space::Rn, title: title("In rows") }, View { space: Space::Cn, title: title("In columns") }];
    rule
}

/// Restricts the first name of a rule, a house, to a class.
fn in_class(mut rule: Technique, class: HouseClass) -> Technique {
    rule.variants[0].vars[0].kind = Kind::House(class);
    rule
}

fn member_in_space(engine: &Engine, space: Space) -> usize {
    engine.members().iter().position(|member| member.space == space).expect("the rule has the view")
}

/// Returns the eliminations and placements of each match.
fn effects(outcome: &SearchOutcome) -> BTreeSet<(Vec<Candidate>, Vec<Candidate>)> {
    outcome.matches.iter().map(|found| (found.eliminations.clone(), found.placements.clone())).collect()
}

proptest! {
    #![proptest_config(quick_or_full_cases(3, 12))]

    #[test]
    fn matches_in_a_view_are_mapped_from_its_board_to_the_grid((board, state) in any_state(&[4, 6])) {
        let latin = Geometry::latin(board.size());
        let rules = [naked_subset(), hidden_subset(), xyz_wing()].map(with_views);
        let engine = engine(&board, &rules);
        for (index, member) in engine.members().iter().enumerate().filter(|(_, member)| member.space != Space::Rc) {
            let variant = &rules[member.technique].variants[0];
            let lens = Lens::new(board.size(), member.space);
            let view_state = lens.state_in_view(&state);
            let in_grid = |list: &[Candidate]| {
                list.iter().map(|&candidate| lens.candidate_in_grid(candidate)).collect::<BTreeSet<_>>()
            };
            let expected: BTreeSet<EffectSets> =
                naive_effects(variant, &member.args, &latin, &view_state, &[], Bounds::without_chains())
                    .expect("no limit on the number of values")
                    .into_iter()
                    .map(|(eliminations, placements)| (in_grid(&eliminations), in_grid(&placements)))
                    .collect();
            prop_assert_eq!(effect_sets(&find_all(&engine, &state, index)), expected);
        }
    }

    /// In rn space a cell is a row and a digit, so a naked subset there is a hidden subset of a row in the grid.
    #[test]
    fn naked_in_a_view_is_hidden_in_the_grid((board, state) in any_state(&[4, 6, 9])) {
        let naked = engine(&board, &[with_views(in_class(naked_subset(), HouseClass::Row))]);
        for (class, space) in [(HouseClass::Row, Space::Rn), (HouseClass::Column, Space::Cn)] {
            let hidden = engine(&board, &[in_class(hidden_subset(), class)]);
            for (naked_index, member) in naked.members().iter().enumerate().filter(|(_, member)| member.space == space) {
                let hidden_index =
                    hidden.members().iter().position(|other| other.args == member.args).expect("a member");
                let found = effects(&find_all(&naked, &state, naked_index));
                prop_assert_eq!(found, effects(&find_all(&hidden, &state, hidden_index)));
            }
        }
    }
}

/// A rule that joins two hidden pairs which agree on the names `by`.
fn join_hidden_pairs(by: &[&str]) -> Technique {
    let by = by.iter().map(|name| name.to_string()).collect();
    let join = Join { technique: "hidden_subset".into(), args: vec![Expr::Param(0)], by };
    technique("joined_pairs", &[(2, Some(2))], Variant { join: Some(join), ..Variant::default() })
}

#[test]
fn a_join_needs_its_technique_and_its_names() {
    let board = Arc::new(Geometry::standard(4).expect("a standard size"));
    let message = |rules: &[Technique]| {
        let errors = Engine::new(Arc::clone(&board), rules, &[]).err().expect("an error");
        errors[0].to_string()
    };
    let without_technique = message(&[join_hidden_pairs(&["h"])]);
    assert_eq!(without_technique, "joined_pairs: there is no technique `hidden_subset` to join the steps of");
    let without_name = message(&[hidden_subset(), join_hidden_pairs(&["x"])]);
    assert_eq!(without_name, "joined_pairs: not every case of `hidden_subset` has the name `x`");
}

proptest! {
    #![proptest_config(quick_or_full_cases(3, 10))]

    #[test]
    fn a_join_unites_each_pair_of_matches_with_equal_digits((board, state) in any_state(&[4, 6, 9])) {
        let engine = engine(&board, &[join_hidden_pairs(&["D"]), hidden_subset()]);
        let hidden_pair = engine.members().iter().position(|member| member.technique == 1).expect("a member");
        let pairs = find_all(&engine, &state, hidden_pair).matches;
        let digits = 1; // Index of the name `D` of `hidden_subset`.
        let mut expected = BTreeSet::new();
        for (position, a) in pairs.iter().enumerate() {
            for b in &pairs[position + 1..] {
                if a.bindings[digits] == b.bindings[digits] && a.eliminations != b.eliminations {
                    let both: BTreeSet<Candidate> = a.eliminations.iter().chain(&b.eliminations).copied().collect();
                    expected.insert((Vec::from_iter(both), Vec::new()));
                }
            }
        }
        let joined = find_all(&engine, &state, 0);
        prop_assert_eq!(effects(&joined), expected);
        prop_assert!(joined.matches.iter().all(|found| found.parts.len() == 2));
    }
}

proptest! {
    #![proptest_config(quick_or_full_cases(4, 24))]

    #[test]
    fn steps_with_views_and_joined_steps_cite_enough((board, state) in any_state(&[4, 6, 9])) {
        let rules =
            [naked_subset(), hidden_subset(), in_class(hidden_subset(), HouseClass::Column), xyz_wing(), w_wing()];
        for rule in rules {
            assert_steps_follow(&board, &state, &[with_views(rule)]);
        }
        assert_steps_follow(&board, &state, &[join_hidden_pairs(&["D"]), hidden_subset()]);
    }
}

#[test]
fn a_step_of_a_view_speaks_of_the_grid() {
    let (board, state) = hidden_pair_state();
    let rules = [with_views(in_class(naked_subset(), HouseClass::Row))];
    let engine = engine(&board, &rules);
    let found = find_all(&engine, &state, member_in_space(&engine, Space::Rn)).matches.remove(0);
    let text = unstyled(&step_lines(&board, &step_of(&found, &rules, &board, &state), 2));
    let expected = "In rows: 1 in r1c12, 2 in r1c12, r1 => r1c12<>34\n  \
        1 in row 1 is in column 1 or 2 and 2 in row 1 is in column 1 or 2. \
        These places exclude the candidates 3 and 4 in r1c1 and r1c2.\n";
    assert_eq!(text, expected);
}

/// In row 1 the digits 1 and 2 have only the places r1c1 and r1c2, so in rn space the first two cells have two candidates.
#[test]
fn the_engine_searches_the_state_of_the_view() {
    let (board, state) = hidden_pair_state();
    let view_state = Lens::new(4, Space::Rn).state_in_view(&state);
    let counts: Vec<usize> = Geometry::latin(4).cells().map(|cell| view_state.candidates(cell).len()).collect();
    assert_eq!(counts[..4], [2, 2, 4, 4]);
    let rule = with_views(in_class(naked_subset(), HouseClass::Row));
    let engine = engine(&board, std::slice::from_ref(&rule));
    let effects = engine_effects(&board, &state, &engine, member_in_space(&engine, Space::Rn)).into_keys();
    let texts: Vec<String> =
        effects.map(|(eliminations, placements)| notation::deductions(&board, &eliminations, &placements)).collect();
    assert_eq!(texts, ["r1c12<>34"]);
}
