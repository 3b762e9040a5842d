//! The engine compared with brute force, rule by rule, on small random states: both find the same eliminations and
//! placements. Other tests check the results of brute force on states made by hand.

#[path = "oracle/als.rs"]
mod als;
#[path = "oracle/meanings.rs"]
mod meanings;
#[path = "oracle/rule_texts.rs"]
mod rule_texts;
#[path = "oracle/rules.rs"]
pub mod rules;
#[path = "oracle/sets.rs"]
mod sets;
#[path = "oracle/views_and_joins.rs"]
mod views_and_joins;

use crate::brute_force::{Bounds, naive_effects};
use crate::common::quick_or_full_cases;
use pinion::engine::{ChainStep, Engine, Limits, Match, RuleKnowledge, SearchMode};
use pinion::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State, notation};
use pinion::lang::ir::{HouseClass, Kind, LinkSource, Statement, Technique};
use proptest::prelude::*;
use sets::Fish;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Eliminations and placements of a match.
type Effect = (Vec<Candidate>, Vec<Candidate>);

/// Returns the effects that brute force finds, with chains of at most `max_links` strong links.
fn brute_force_effects(
    board: &Geometry,
    state: &State,
    rule: &Technique,
    args: &[u32],
    sources: &[LinkSource],
    max_links: usize,
) -> BTreeSet<Effect> {
    let effects = naive_effects(&rule.variants[0], args, board, state, sources, Bounds::links(max_links));
    effects.expect("no limit on the number of values")
}

/// Returns the effects that the engine finds, each with the chain of a match.
fn engine_effects(board: &Arc<Geometry>, state: &State, engine: &Engine, member: usize) -> BTreeMap<Effect, String> {
    let found = engine.position(state).find(member, SearchMode::All, &Limits::default());
    assert!(found.limits.is_empty(), "{:?}", found.limits);
    let node = |step: &ChainStep| {
        let link = if step.strong { "=" } else { "-" };
        format!("{link} {}", notation::deductions(board, &[], &step.node.candidates().collect::<Vec<_>>()))
    };
    let chain = |found: &Match| found.chain.iter().map(node).collect::<Vec<_>>().join(" ");
    found.matches.iter().map(|found| ((found.eliminations.clone(), found.placements.clone()), chain(found))).collect()
}

fn effect_text(board: &Geometry, (eliminations, placements): &Effect) -> String {
    notation::deductions(board, eliminations, placements)
}

/// Fails if the engine and brute force find different effects for a member of a rule.
///
/// For open chains the engine may find fewer effects, but not none. It follows only one shortest walk between two ends, and
/// drops a walk that visits a node twice, because a part of such a walk shows more.
fn check(board: &Arc<Geometry>, state: &State, rule: &Technique, sources: &[LinkSource], max_links: usize) {
    let engine = Engine::new(Arc::clone(board), std::slice::from_ref(rule), sources)
        .unwrap_or_else(|errors| panic!("{}: {errors:?}", rule.id));
    for (index, member) in engine.members().iter().enumerate() {
        let found = engine_effects(board, state, &engine, index);
        let expected = brute_force_effects(board, state, rule, &member.args, sources, max_links);
        let mut missing = Vec::new();
        for effect in expected.iter().filter(|effect| !found.contains_key(*effect)) {
            missing.push(effect_text(board, effect));
        }
        let mut extra = Vec::new();
        for (effect, chain) in found.iter().filter(|(effect, _)| !expected.contains(*effect)) {
            extra.push(format!("{} {chain}", effect_text(board, effect)));
        }
        let is_chain = rule.variants[0].body.iter().any(|statement| matches!(statement, Statement::Graph(_)));
        let finds_enough = missing.is_empty() || (is_chain && !found.is_empty());
        assert!(
            finds_enough && extra.is_empty(),
            "{}{:?} on\n{}{}\nmissing {missing:#?}\nextra {extra:#?}",
            rule.id,
            member.args,
            pinion::grid::draw::candidate_grid(board, state),
            pinion::grid::draw::values_line(board, state),
        );
    }
}

/// Returns an empty 4×4 board on which 1 and 2 have only r1c1 and r1c2 in row 1: a hidden pair. A chain from 1 in r1c1 to 2 in
/// r1c1 shows that r1c1 has no other digit.
fn hidden_pair_state() -> (Arc<Geometry>, State) {
    let board = Arc::new(Geometry::standard(4).expect("a standard size"));
    let mut state = State::empty(&board);
    for (cell, digit) in [(2, 0), (2, 1), (3, 0), (3, 1)] {
        state.eliminate(Candidate::new(Digit(digit), Cell(cell)));
    }
    (board, state)
}

#[test]
fn brute_force_finds_chains_that_begin_and_end_in_one_cell() {
    let (board, state) = hidden_pair_state();
    let rule = rules::free_chain(2);
    let sources = [rules::cell_source(), rules::house_source()];
    let effects = brute_force_effects(&board, &state, &rule, &[], &sources, 2);
    let texts: Vec<String> = effects.iter().map(|effect| effect_text(&board, effect)).collect();
    assert_eq!(texts, ["r1c1<>34", "r1c12<>3 r2c34<>3", "r1c12<>4 r2c34<>4", "r1c2<>34", "r2c3<>34", "r2c4<>34"]);
}

#[test]
fn the_engine_finds_every_chain_that_begins_and_ends_in_one_cell() {
    let (board, state) = hidden_pair_state();
    let rule = rules::free_chain(2);
    let sources = [rules::cell_source(), rules::house_source()];
    let engine = Engine::new(Arc::clone(&board), std::slice::from_ref(&rule), &sources).expect("a good rule");
    let expected = brute_force_effects(&board, &state, &rule, &[], &sources, 2);
    assert_eq!(engine_effects(&board, &state, &engine, 0).into_keys().collect::<BTreeSet<_>>(), expected);
}

/// The candidates of each cell come from two solved grids, so that each digit has two places in each house. Of the candidates
/// that are added to this pattern (BUG), one is true. An added candidate is (cell, digit), both counted from zero.
#[test]
fn one_of_the_candidates_beyond_a_bug_is_true() {
    let board = Arc::new(Geometry::standard(4).expect("a standard size"));
    for (added, expected) in [
        (vec![(0, 1)], "r1c1=2"),
        (vec![(0, 1), (0, 3)], "r1c1<>13"),
        (vec![(0, 1), (9, 1)], "r12c2<>2 r34c1<>2"),
        (vec![(0, 1), (1, 0)], "r1c1<>1 r1c2<>2"),
        (vec![(0, 1), (9, 1), (15, 1)], "r4c1<>2"),
    ] {
        let mut state = State::empty(&board);
        for cell in board.cells() {
            let shift = board.row(cell) % 2 * 2 + board.row(cell) / 2;
            let digit = ((board.column(cell) + shift) % 4) as u8;
            let extra = added.iter().filter(|(at, _)| *at == cell.0).map(|(_, digit)| Digit(*digit));
            state.restrict(cell, [Digit(digit), Digit((digit + 2) % 4)].into_iter().chain(extra).collect());
        }
        let rule = sets::bug(3);
        check(&board, &state, &rule, &[], 0);
        let effects = brute_force_effects(&board, &state, &rule, &[], &[], 0);
        let texts: Vec<String> = effects.iter().map(|effect| effect_text(&board, effect)).collect();
        assert_eq!(texts.join(" / "), expected, "{added:?}");
    }
}

/// Returns a state of a solved grid. `placed` cells are solved; every other cell has its right candidate and fewer than
/// `max_candidates` wrong ones. The random numbers `order`, one for each cell, decide which.
fn state_of_solved_grid(board: &Geometry, order: &[u16], placed: usize, max_candidates: usize) -> State {
    let (rows, columns) = board.spec().boxes().expect("a board with boxes");
    let right_digit = |cell: Cell| {
        let row = board.row(cell);
        let shift = row % rows * columns + row / rows;
        Digit(((board.column(cell) + shift) % board.size()) as u8)
    };
    let mut state = State::empty(board);
    let mut cells: Vec<Cell> = board.cells().collect();
    cells.sort_by_key(|cell| order[cell.index()]);
    cells.iter().take(placed).for_each(|&cell| state.place(board, cell, right_digit(cell)));
    for &cell in cells.iter().skip(placed) {
        let mut wrong: Vec<Digit> = state.candidates(cell).iter().filter(|digit| *digit != right_digit(cell)).collect();
        wrong.sort_by_key(|digit| order[(cell.index() * 7 + digit.index() * 13) % order.len()]);
        let kept = usize::from(order[cell.index()]) % max_candidates;
        for digit in wrong.into_iter().skip(kept) {
            state.eliminate(Candidate::new(digit, cell));
        }
    }
    state
}

fn any_state(sizes: &'static [usize]) -> impl Strategy<Value = (Arc<Geometry>, State)> {
    prop::sample::select(sizes).prop_flat_map(|size| {
        let board = Arc::new(Geometry::standard(size).expect("a standard size"));
        let order = prop::collection::vec(any::<u16>(), size * size);
        (order, 0..size * size, 2usize..=4).prop_map(move |(order, placed, max)| {
            (Arc::clone(&board), state_of_solved_grid(&board, &order, placed, max))
        })
    })
}

proptest! {
    #![proptest_config(quick_or_full_cases(4, 24))]

    #[test]
    fn wings_subsets_and_locked_candidates((board, state) in any_state(&[4, 6, 9])) {
        for rule in [
            rules::hidden_single(),
            rules::locked(HouseClass::Box, HouseClass::Line),
            rules::locked(HouseClass::Line, HouseClass::Box),
            rules::naked_subset(),
            rules::hidden_subset(),
            rules::xyz_wing(),
            rules::pivot_wing(),
            rules::w_wing(),
        ] {
            check(&board, &state, &rule, &[], 0);
        }
    }

    #[test]
    fn bent_sets((board, state) in any_state(&[4, 6])) {
        check(&board, &state, &rules::bent_set(), &[], 0);
    }

    #[test]
    fn chains_of_one_digit((board, state) in any_state(&[4, 6])) {
        check(&board, &state, &rules::one_digit_chain(3), &[rules::house_source()], 3);
    }

    #[test]
    fn chains_of_cells((board, state) in any_state(&[4, 6])) {
        check(&board, &state, &rules::cell_chain(4), &[rules::cell_source()], 4);
    }

    #[test]
    fn chains_of_any_kind((board, state) in any_state(&[4, 6])) {
        check(&board, &state, &rules::free_chain(3), &[rules::cell_source(), rules::house_source()], 3);
    }

    #[test]
    fn fish_of_all_kinds((board, state) in any_state(&[4])) {
        for kind in [Fish::Basic, Fish::Pure, Fish::Franken, Fish::FrankenColumns] {
            check(&board, &state, &sets::fish(kind, 1, 2, 2), &[], 0);
        }
        check(&board, &state, &sets::fish(Fish::Mutant, 1, 1, 2), &[], 0);
    }

    #[test]
    fn basic_fish_with_two_lines((board, state) in any_state(&[6])) {
        check(&board, &state, &sets::fish(Fish::Basic, 2, 2, 3), &[], 0);
    }

    #[test]
    fn sets_of_candidates((board, state) in any_state(&[4, 6])) {
        for rule in [sets::candidate_sets(), sets::in_no_template(), sets::in_every_template(), sets::in_no_assignment(2)] {
            check(&board, &state, &rule, &[], 0);
        }
        for certain in [false, true] {
            check(&board, &state, &sets::templates_of_all_digits(certain), &[], 0);
        }
    }

    #[test]
    fn assignments_of_three_cells((board, state) in any_state(&[4])) {
        check(&board, &state, &sets::in_no_assignment(3), &[], 0);
    }

    #[test]
    fn names_chosen_from_sets((board, state) in any_state(&[4])) {
        for kind in [Kind::Digit, Kind::Cell, Kind::House(HouseClass::Any), Kind::House(HouseClass::Box)] {
            check(&board, &state, &sets::chosen_members(kind), &[], 0);
        }
    }

    #[test]
    fn closed_sets_of_corners((board, mut state) in any_state(&[4]), givens in any::<u64>()) {
        // Some of the solved cells are givens: those whose bit in `givens` is set.
        for cell in board.cells() {
            let is_given = givens >> cell.index() & 1 == 1;
            if let Some(digit) = state.value(cell)
                && is_given
            {
                state.set_initial_candidates(cell, DigitSet::single(digit));
            }
        }
        for guarded in [false, true] {
            check(&board, &state, &sets::corners(guarded), &[], 0);
        }
    }

    #[test]
    fn knowing_that_a_rule_is_sound_loses_no_match((board, state) in any_state(&[6, 9])) {
        for kind in [Fish::Basic, Fish::Pure, Fish::Franken] {
            let rule = sets::fish(kind, 2, 2, 2);
            let plain = Engine::new(Arc::clone(&board), std::slice::from_ref(&rule), &[]).expect("a good rule");
            let trusting = Engine::with_knowledge(Arc::clone(&board), std::slice::from_ref(&rule), &[], &|_| RuleKnowledge::Sound);
            let trusting = trusting.expect("a good rule");
            prop_assert_eq!(engine_effects(&board, &state, &plain, 0), engine_effects(&board, &state, &trusting, 0));
        }
    }

    #[test]
    fn unusual_rules((board, state) in any_state(&[4, 6])) {
        let (rules, sources) = rule_texts::compiled(rule_texts::SHAPES);
        for rule in &rules {
            check(&board, &state, rule, &sources, 0);
        }
    }

    #[test]
    fn unusual_chains((board, state) in any_state(&[4, 6])) {
        for (text, most_links) in rule_texts::CHAINS {
            let (rules, sources) = rule_texts::compiled(text);
            check(&board, &state, &rules[0], &sources, *most_links);
        }
    }
}
