//! The prover checks steps from what they cite, without the engine: correct steps follow, and changed steps do not.

use crate::common::{example_steps, geometry, paths, quick_or_full, solver};
use pinion::engine::Limits;
use pinion::grid::formats::read_one;
use pinion::grid::{DigitSet, Geometry, State};
use pinion::lang::ir::Space;
use pinion::proof::{StepCheck, check_cited};
use pinion::solve::{Profile, Rulebook, Solver, Step};
use std::collections::BTreeSet;
use std::sync::Arc;

fn check(geometry: &Geometry, state: &State, step: &Step) -> StepCheck {
    check_cited(geometry, state, &step.cited())
}

/// Calls a function with every step of some paths, and with the state before the step.
fn for_each_step(mut f: impl FnMut(&Geometry, &State, &Step)) {
    let geometry = geometry(9);
    for path in paths() {
        for (state, step) in path.positions(&geometry).iter().zip(&path.steps) {
            f(&geometry, state, step);
        }
    }
}

#[test]
fn steps_of_paths_follow_from_what_they_cite() {
    let mut count = 0;
    for_each_step(|geometry, state, step| {
        let expected = if step.assumes_one_solution { StepCheck::OneSolution } else { StepCheck::Follows };
        assert_eq!(check(geometry, state, step), expected, "{step:?}");
        count += usize::from(!step.assumes_one_solution);
    });
    assert!(count > 200, "only {count} steps");
}

/// The paths use few techniques, the examples all of them.
#[test]
fn steps_of_examples_follow_from_what_they_cite() {
    let rulebook = Rulebook::embedded();
    let techniques = rulebook.techniques().iter();
    let assuming_uniqueness: BTreeSet<&str> =
        techniques.filter(|technique| technique.assumes_one_solution).map(|technique| technique.id.as_str()).collect();
    let mut followed = BTreeSet::new();
    let examples = example_steps().iter().filter(|example| {
        let board = &example.geometry;
        board.size() == 9 && !board.has_extra_pairs() && !assuming_uniqueness.contains(example.technique.as_str())
    });
    for example in examples.step_by(quick_or_full(4, 1)) {
        for step in example.steps.iter().take(quick_or_full(5, 20)) {
            assert_eq!(check(&example.geometry, &example.state, step), StepCheck::Follows, "{step:?}");
            followed.insert(step.technique.clone());
        }
    }
    assert!(followed.len() > quick_or_full(20, 55), "only {followed:?}");
}

#[test]
fn a_step_that_cites_nothing_does_not_follow() {
    for_each_step(|geometry, state, step| {
        let mut bare = step.clone();
        bare.cites = Default::default();
        bare.cases.clear();
        bare.assumes_one_solution = false;
        assert!(matches!(check(geometry, state, &bare), StepCheck::DoesNotFollow(_)), "{step:?}");
    });
}

/// A wing needs all its cells.
#[test]
fn a_wing_without_its_last_cell_does_not_follow() {
    let mut checked_wings = 0;
    for_each_step(|geometry, state, step| {
        let is_wing_of_cells = step.technique.ends_with("wing") && !step.technique.starts_with("als");
        let cites_only_cells = step.cites.links.is_empty() && step.cites.houses.is_empty();
        if is_wing_of_cells && cites_only_cells && step.member.space == Space::Rc {
            let mut without_cell = step.clone();
            without_cell.cites.cells.pop();
            assert!(matches!(check(geometry, state, &without_cell), StepCheck::DoesNotFollow(_)), "{step:?}");
            checked_wings += 1;
        }
    });
    assert!(checked_wings > 0);
}

#[test]
fn a_cell_with_other_candidates_is_reported() {
    let mut checked_steps = 0;
    for_each_step(|geometry, state, step| {
        let Some((cell, digits)) = step.cites.cells.first().copied() else { return };
        let mut changed = step.clone();
        changed.cites.cells[0].1 = DigitSet::all(9) - digits;
        assert_eq!(check(geometry, state, &changed), StepCheck::WrongCell(cell));
        checked_steps += 1;
    });
    assert!(checked_steps > 100);
}

/// The two ends of a chain are not linked, so a link between them is false.
#[test]
fn a_false_link_is_reported() {
    let rulebook = Rulebook::embedded();
    let technique = rulebook.techniques().iter().find(|technique| technique.id == "xy_chain").expect("in the rulebook");
    let example = technique.examples.iter().find(|example| !example.near_miss).expect("an example");
    let state = read_one(&example.grid, None).expect("a grid").state();
    let solver = solver(9);
    let found = solver.find_all(&state, Some("xy_chain")).expect("a known technique");
    let step = found.steps.first().expect("the example matches");
    assert_eq!(check(solver.geometry(), &state, step), StepCheck::Follows);
    let (first, last) = (&step.chain[0].node, &step.chain[step.chain.len() - 1].node);
    let mut changed = step.clone();
    changed.cites.links[0].to = last.clone();
    let (first, last) = (first.only().expect("a candidate"), last.only().expect("a candidate"));
    assert_eq!(check(solver.geometry(), &state, &changed), StepCheck::WrongLink(first, last));
}

/// Some step has a conclusion that does not follow from what the next step cites.
#[test]
fn a_step_with_the_conclusion_of_another_does_not_follow() {
    let mut previous: Option<Step> = None;
    let mut rejected_steps = 0;
    for_each_step(|geometry, state, step| {
        if let Some(previous) = previous.replace(step.clone()) {
            let mut changed = step.clone();
            changed.eliminations = previous.eliminations;
            changed.placements = previous.placements;
            if step.cites.cells.len() < 3 && !changed.eliminations.is_empty() {
                rejected_steps += usize::from(check(geometry, state, &changed) != StepCheck::Follows);
            }
        }
    });
    assert!(rejected_steps > 0);
}

/// A position near the end of a path, with chains of almost locked sets.
const LATE_GRID: &str = "
    57 1  6  4  237 39  279 257  8
    57 2  8  79 6   1   3   457  459
    9  4  3  5  27  8   6   27   1
    2  37 19 6  37  349 8   1457 459
    8  5  4  79 1   2   79  3    6
    6  37 19 8  5   349 279 1247 49
    3  8  7  1  4   6   5   9    2
    1  6  2  3  9   5   4   8    7
    4  9  5  2  8   7   1   6    3
";

/// A 6×6 grid on which some loops have an elimination in one of their own cells.
pub const LOOPS: &str = "
    126 16  3  1246 5   14
    126 5   4  126  12  3
    14  3   2  14   6   5
    5   146 16 3    14  2
    146 2   16 5    3   14
    3   14  5  124  124 6
";

/// Returns the state of a grid, and all steps that a technique finds on it.
fn state_and_steps(size: usize, grid: &str, name: &str) -> (State, Vec<Step>) {
    let state = read_one(grid, None).expect("a grid").state();
    let found = solver(size).find_all(&state, Some(name)).expect("a known technique");
    (state, found.steps)
}

#[test]
fn steps_with_links_of_an_almost_locked_set_and_a_cell_follow() {
    let (state, mut steps) = state_and_steps(9, LATE_GRID, "als_cell_aic");
    steps.retain(|step| step.name == "ALS-Cell AIC");
    assert!(!steps.is_empty());
    for step in steps {
        let mut source_matches = step.chain.iter().filter_map(|chain_step| chain_step.source_match.as_ref());
        assert!(source_matches.any(|source_match| source_match.source == "als_cell"));
        assert_eq!(check(solver(9).geometry(), &state, &step), StepCheck::Follows);
    }
}

#[test]
fn steps_of_chains_with_sets_at_their_ends_follow() {
    let mut steps_with_several_digits = 0;
    for name in quick_or_full(&["als_chain_ends"][..], &["als_chain_ends", "als_chain_ends_alike"]) {
        let (state, steps) = state_and_steps(9, LATE_GRID, name);
        assert!(!steps.is_empty());
        for step in steps.into_iter().step_by(quick_or_full(5, 1)) {
            let digits: DigitSet = step.eliminations.iter().map(|candidate| candidate.digit).collect();
            steps_with_several_digits += usize::from(digits.len() > 1);
            assert_eq!(check(solver(9).geometry(), &state, &step), StepCheck::Follows, "{step:?}");
        }
    }
    assert!(steps_with_several_digits > 0);
}

/// `nice_loop_outside` concludes only about cells outside the loop, `nice_loop` about all cells.
#[test]
fn conclusions_outside_a_loop_are_a_part_of_all_its_conclusions() {
    let chains_and_eliminations = |name: &str| -> Vec<_> {
        let (state, steps) = state_and_steps(6, LOOPS, name);
        let follows = |step: &Step| check(solver(6).geometry(), &state, step) == StepCheck::Follows;
        assert!(steps.iter().step_by(quick_or_full(4, 1)).all(follows), "{name}");
        steps.into_iter().map(|step| (step.chain, step.eliminations)).collect()
    };
    let all = chains_and_eliminations("nice_loop");
    let mut loops_with_more = 0;
    for (chain, outside) in &chains_and_eliminations("nice_loop_outside") {
        let (_, eliminations) = all.iter().find(|(all_chain, _)| all_chain == chain).expect("the same loop");
        assert!(outside.iter().all(|candidate| eliminations.contains(candidate)));
        loops_with_more += usize::from(eliminations.len() > outside.len());
    }
    assert!(loops_with_more > 0);
}

/// A link source that names sets of houses, and a chain that uses it.
const ALMOST_FISH: &str = "
strong link almost_fish (d)F = (d)P {
  d: digit
  base: lines[2] parallel
  cover: lines[2] crossing base
  require some d in h for h in base
  F, P: group
  require (d in F) = (d in base - cover)
  k: line in cover
  require (d in P) = (d in k & base)
}

technique fish_chain \"Chain of Fish\" {
  chain from p to q, 2.. strong links, shortest {
    strong: almost_fish, house
    weak: same digit
  }
  conclude some p, q
}
";

/// A grid with an almost fish of 8: two base lines have a few places for 8 outside the cover lines.
const ALMOST_FISH_GRID: &str = "
    7     568  456   25 468 1   9   26  3
    1236  1368 36    9  68  7   4   126 5
    12469 1569 4569  25 46  3   8   126 7
    369   3569 35679 14 139 459 2   357 8
    8     359  2     7  39  59  1   4   6
    134   135  3457  6  2   8   357 357 9
    369   7    1     48 5   49  36  38  2
    5     2    38    18 178 6   37  9   4
    69    4    689   3  789 2   567 578 1
";

#[test]
fn a_link_cites_all_houses_of_its_source() {
    let rulebook = Rulebook::embedded().with([("fish_chain.pinion".to_string(), ALMOST_FISH.to_string())]);
    let geometry = Arc::new(Geometry::standard(9).expect("a board"));
    let solver = Solver::new(&rulebook, &geometry, &Profile::default(), Limits::default());
    let state = read_one(ALMOST_FISH_GRID, None).expect("a grid").state();
    let steps = solver.find_all(&state, Some("fish_chain")).expect("a known technique").steps;
    // Two base houses and two cover houses.
    let has_link_of_four_houses = |step: &Step| {
        let mut source_matches = step.chain.iter().filter_map(|chain_step| chain_step.source_match.as_ref());
        source_matches.any(|source_match| source_match.houses.len() == 4)
    };
    assert!(steps.iter().any(has_link_of_four_houses), "{steps:?}");
    for step in &steps {
        assert_eq!(check(&geometry, &state, step), StepCheck::Follows, "{step:?}");
    }
}
