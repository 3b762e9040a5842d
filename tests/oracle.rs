//! The judge and the machine: on small states both must find the same effects, rule by rule. What the judge
//! itself finds is pinned down by hand-made cases.

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
use crate::common::cases;
use pinion::engine::{ChainStep, Engine, Limits, Match, RuleKnowledge, SearchMode};
use pinion::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State, notation};
use pinion::lang::ir::{HouseClass, Kind, LinkSource, Statement, Technique};
use proptest::prelude::*;
use sets::Fish;
use std::collections::BTreeMap;
use std::sync::Arc;

type Effect = (Vec<Candidate>, Vec<Candidate>);

const ALL: &str = "every value is tried";

/// The effects that the machine finds, each with the chain of one match that has it.
fn machine(board: &Arc<Geometry>, state: &State, engine: &Engine, member: usize) -> BTreeMap<Effect, String> {
    let found = engine.position(state).find(member, SearchMode::All, &Limits::default());
    assert!(found.limits.is_empty(), "{:?}", found.limits);
    let node = |step: &ChainStep| {
        let link = if step.strong { "=" } else { "-" };
        format!("{link} {}", notation::deductions(board, &[], &step.node.candidates().collect::<Vec<_>>()))
    };
    let chain = |one: &Match| one.chain.iter().map(node).collect::<Vec<_>>().join(" ");
    found.matches.iter().map(|one| ((one.eliminations.clone(), one.placements.clone()), chain(one))).collect()
}

/// The machine and the judge agree on every member of a rule. Of open chains the machine looks at one shortest
/// walk for each two ends, and drops it where it comes to a node twice, for then a smaller conclusion is
/// inside it: there it must find nothing that the judge does not, and something where the judge does.
fn check(board: &Arc<Geometry>, state: &State, rule: &Technique, sources: &[LinkSource], most_links: usize) {
    let engine = Engine::new(Arc::clone(board), std::slice::from_ref(rule), sources)
        .unwrap_or_else(|errors| panic!("{}: {errors:?}", rule.id));
    for (index, member) in engine.members().iter().enumerate() {
        let found = machine(board, state, &engine, index);
        let expected = naive_effects(&rule.variants[0], &member.args, board, state, sources, Bounds::links(most_links))
            .expect(ALL);
        let text = |(gone, placed): &Effect| notation::deductions(board, gone, placed);
        let missing: Vec<String> = expected.iter().filter(|effect| !found.contains_key(*effect)).map(text).collect();
        let extra = found.iter().filter(|(effect, _)| !expected.contains(*effect));
        let extra: Vec<String> = extra.map(|(effect, chain)| format!("{} {chain}", text(effect))).collect();
        let is_chain = rule.variants[0].body.iter().any(|statement| matches!(statement, Statement::Graph(_)));
        let enough = missing.is_empty() || (is_chain && !found.is_empty());
        assert!(
            enough && extra.is_empty(),
            "{}{:?} on\n{}{}\nmissing {missing:#?}\nextra {extra:#?}",
            rule.id,
            member.args,
            pinion::grid::draw::candidate_grid(board, state),
            pinion::grid::draw::values_line(board, state),
        );
    }
}

/// Two digits with the same two places in a row: a chain from the one to the other in one cell shows that the
/// cell holds nothing else.
fn one_cell() -> (Arc<Geometry>, State) {
    let board = Arc::new(Geometry::standard(4).expect("a standard size"));
    let mut state = State::empty(&board);
    for (cell, digit) in [(2, 0), (2, 1), (3, 0), (3, 1)] {
        state.eliminate(Candidate::new(Digit(digit), Cell(cell)));
    }
    (board, state)
}

#[test]
fn a_chain_may_begin_and_end_in_one_cell() {
    let (board, state) = one_cell();
    let rule = rules::free_chain(2);
    let sources = [rules::cell_source(), rules::house_source()];
    let effects = naive_effects(&rule.variants[0], &[], &board, &state, &sources, Bounds::links(2)).expect(ALL);
    let texts: Vec<String> = effects.iter().map(|(gone, placed)| notation::deductions(&board, gone, placed)).collect();
    assert_eq!(texts, ["r1c1<>34", "r1c12<>3 r2c34<>3", "r1c12<>4 r2c34<>4", "r1c2<>34", "r2c3<>34", "r2c4<>34"]);
}

#[test]
fn the_machine_finds_chains_in_one_cell() {
    let (board, state) = one_cell();
    let rule = rules::free_chain(2);
    let sources = [rules::cell_source(), rules::house_source()];
    let engine = Engine::new(Arc::clone(&board), std::slice::from_ref(&rule), &sources).expect("a good rule");
    let expected = naive_effects(&rule.variants[0], &[], &board, &state, &sources, Bounds::links(2)).expect(ALL);
    assert_eq!(machine(&board, &state, &engine, 0).into_keys().collect::<Vec<_>>(), Vec::from_iter(expected));
}

/// Two full grids laid over each other, with some candidates more: one of these is true.
#[test]
fn candidates_beyond_two() {
    let board = Arc::new(Geometry::standard(4).expect("a standard size"));
    for (more, found) in [
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
            let extra = more.iter().filter(|(at, _)| *at == cell.0).map(|(_, digit)| Digit(*digit));
            state.restrict(cell, [Digit(digit), Digit((digit + 2) % 4)].into_iter().chain(extra).collect());
        }
        let rule = sets::bug(3);
        check(&board, &state, &rule, &[], 0);
        let effects = naive_effects(&rule.variants[0], &[], &board, &state, &[], Bounds::links(0)).expect(ALL);
        let texts: Vec<String> =
            effects.iter().map(|(gone, placed)| notation::deductions(&board, gone, placed)).collect();
        assert_eq!(texts.join(" / "), found, "{more:?}");
    }
}

/// A state of a full grid with digits placed and wrong candidates taken away: at most `most` stay in a cell.
fn state_of(board: &Geometry, order: &[u16], placed: usize, most: usize) -> State {
    let (rows, columns) = board.spec().boxes().expect("a board with boxes");
    let truth = |cell: Cell| {
        let row = board.row(cell);
        let shift = row % rows * columns + row / rows;
        Digit(((board.column(cell) + shift) % board.size()) as u8)
    };
    let mut state = State::empty(board);
    let mut cells: Vec<Cell> = board.cells().collect();
    cells.sort_by_key(|cell| order[cell.index()]);
    cells.iter().take(placed).for_each(|&cell| state.place(board, cell, truth(cell)));
    for &cell in cells.iter().skip(placed) {
        let mut others: Vec<Digit> = state.candidates(cell).iter().filter(|digit| *digit != truth(cell)).collect();
        others.sort_by_key(|digit| order[(cell.index() * 7 + digit.index() * 13) % order.len()]);
        let keep = usize::from(order[cell.index()]) % most;
        others.into_iter().skip(keep).for_each(|digit| {
            state.eliminate(Candidate::new(digit, cell));
        });
    }
    state
}

fn any_state(sizes: &'static [usize]) -> impl Strategy<Value = (Arc<Geometry>, State)> {
    prop::sample::select(sizes).prop_flat_map(|size| {
        let board = Arc::new(Geometry::standard(size).expect("a standard size"));
        let order = prop::collection::vec(any::<u16>(), size * size);
        (order, 0..size * size, 2usize..=4)
            .prop_map(move |(order, placed, most)| (Arc::clone(&board), state_of(&board, &order, placed, most)))
    })
}

proptest! {
    #![proptest_config(cases(4, 24))]

    #[test]
    fn shapes((board, state) in any_state(&[4, 6, 9])) {
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
    fn sets_of_any_cells((board, state) in any_state(&[4, 6])) {
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
    fn sets_of_houses((board, state) in any_state(&[4])) {
        for kind in [Fish::Basic, Fish::Pure, Fish::Franken, Fish::FrankenColumns] {
            check(&board, &state, &sets::fish(kind, 1, 2, 2), &[], 0);
        }
        check(&board, &state, &sets::fish(Fish::Mutant, 1, 1, 2), &[], 0);
    }

    #[test]
    fn sets_of_lines((board, state) in any_state(&[6])) {
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
    fn three_cells((board, state) in any_state(&[4])) {
        check(&board, &state, &sets::in_no_assignment(3), &[], 0);
    }

    #[test]
    fn members_of_sets((board, state) in any_state(&[4])) {
        for kind in [Kind::Digit, Kind::Cell, Kind::House(HouseClass::Any), Kind::House(HouseClass::Box)] {
            check(&board, &state, &sets::chosen_members(kind), &[], 0);
        }
    }

    #[test]
    fn closed_sets((board, mut state) in any_state(&[4]), kept in any::<u64>()) {
        // Some of the solved cells are the puzzle's own.
        for cell in board.cells() {
            if let Some(digit) = state.value(cell).filter(|_| kept >> cell.index() & 1 == 1) {
                state.set_initial_candidates(cell, DigitSet::single(digit));
            }
        }
        for guarded in [false, true] {
            check(&board, &state, &sets::corners(guarded), &[], 0);
        }
    }

    #[test]
    fn sound_rules_need_no_search_elsewhere((board, state) in any_state(&[6, 9])) {
        for kind in [Fish::Basic, Fish::Pure, Fish::Franken] {
            let rule = sets::fish(kind, 2, 2, 2);
            let plain = Engine::new(Arc::clone(&board), std::slice::from_ref(&rule), &[]).expect("a good rule");
            let trusting = Engine::with_knowledge(Arc::clone(&board), std::slice::from_ref(&rule), &[], &|_| RuleKnowledge::Sound);
            let trusting = trusting.expect("a good rule");
            prop_assert_eq!(machine(&board, &state, &plain, 0), machine(&board, &state, &trusting, 0));
        }
    }

    #[test]
    fn odd_rules((board, state) in any_state(&[4, 6])) {
        let (rules, sources) = rule_texts::compiled(rule_texts::SHAPES);
        for rule in &rules {
            check(&board, &state, rule, &sources, 0);
        }
    }

    #[test]
    fn odd_chains((board, state) in any_state(&[4, 6])) {
        for (text, most_links) in rule_texts::CHAINS {
            let (rules, sources) = rule_texts::compiled(text);
            check(&board, &state, &rules[0], &sources, *most_links);
        }
    }
}
