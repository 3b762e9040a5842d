//! The judge and the machine: on small states both must find the same effects, rule by rule. What the judge
//! itself finds is pinned down by hand-made cases.

#[path = "oracle/meanings.rs"]
mod meanings;
#[path = "oracle/rules.rs"]
mod rules;

use pinion::engine::naive::naive_effects;
use pinion::engine::{Engine, Limits, Search};
use pinion::grid::{Candidate, Cell, Digit, Geometry, State, notation};
use pinion::lang::ir::{HouseClass, LinkSource, Technique};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

type Effects = BTreeSet<(Vec<Candidate>, Vec<Candidate>)>;

fn machine(board: &Arc<Geometry>, state: &State, rule: &Technique, sources: &[LinkSource]) -> Vec<(Vec<u32>, Effects)> {
    let engine = Engine::new(Arc::clone(board), std::slice::from_ref(rule), sources)
        .unwrap_or_else(|errors| panic!("{}: {errors:?}", rule.id));
    let mut position = engine.on(state);
    let members = engine.members().iter().enumerate();
    members
        .map(|(index, member)| {
            let found = position.find(index, Search::All, &Limits::default());
            assert!(found.limits.is_empty(), "{}: {:?}", rule.id, found.limits);
            (member.args.clone(), found.matches.into_iter().map(|one| (one.eliminations, one.placements)).collect())
        })
        .collect()
}

fn text(board: &Geometry, effects: &Effects) -> Vec<String> {
    effects.iter().map(|(gone, placed)| notation::deductions(board, gone, placed)).collect()
}

/// The machine and the judge agree on every member of a rule.
fn check(board: &Arc<Geometry>, state: &State, rule: &Technique, sources: &[LinkSource], most_links: usize) {
    for (args, found) in machine(board, state, rule, sources) {
        let expected = naive_effects(&rule.variants[0], &args, board, state, sources, most_links);
        let missing: Effects = expected.difference(&found).cloned().collect();
        let extra: Effects = found.difference(&expected).cloned().collect();
        assert!(
            missing.is_empty() && extra.is_empty(),
            "{}{args:?} on\n{}missing {:?}\nextra {:?}",
            rule.id,
            pinion::grid::draw::candidate_grid(board, state),
            text(board, &missing),
            text(board, &extra)
        );
    }
}

/// A state of a full grid with digits placed and wrong candidates taken away: at most `most` stay in a cell.
fn state_of(board: &Geometry, order: &[u16], placed: usize, most: usize) -> State {
    let spec = board.spec();
    let truth = |cell: Cell| {
        let row = board.row(cell);
        let shift = row % spec.box_rows * spec.box_columns + row / spec.box_rows;
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

fn plenty(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, cases, max_shrink_iters: 200, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(plenty(24))]

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
    fn chains((board, state) in any_state(&[4, 6])) {
        let sources = [rules::cell_source(), rules::house_source()];
        check(&board, &state, &rules::one_digit_chain(3), &sources, 3);
        check(&board, &state, &rules::cell_chain(4), &sources, 4);
        check(&board, &state, &rules::free_chain(3), &sources, 3);
    }
}
