//! Steps checked without the engine: right ones hold, and what is tampered with is noticed.

use crate::common::{example_steps, geometry, paths, share, solver};
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

/// Every step of some paths with the state it was found in.
fn steps(mut look: impl FnMut(&Geometry, &State, &Step)) {
    let geometry = geometry(9);
    for path in paths() {
        for (state, step) in path.positions(&geometry).iter().zip(&path.steps) {
            look(&geometry, state, step);
        }
    }
}

#[test]
fn steps_follow_from_what_they_cite() {
    let mut count = 0;
    steps(|geometry, state, step| {
        let alone = if step.assumes_one_solution { StepCheck::OneSolution } else { StepCheck::Follows };
        assert_eq!(check(geometry, state, step), alone, "{step:?}");
        count += usize::from(!step.assumes_one_solution);
    });
    assert!(count > 200, "only {count} steps");
}

/// Paths of a few puzzles show few techniques; examples show each.
#[test]
fn steps_of_examples_follow_from_what_they_cite() {
    let rulebook = Rulebook::embedded();
    let assuming: BTreeSet<&str> =
        rulebook.techniques().iter().filter(|one| one.assumes_one_solution).map(|one| one.id.as_str()).collect();
    let mut followed = BTreeSet::new();
    let examples = example_steps().iter().filter(|example| {
        let board = &example.geometry;
        board.size() == 9 && !board.has_extra_pairs() && !assuming.contains(example.technique.as_str())
    });
    for example in examples.step_by(share(4, 1)) {
        for step in example.steps.iter().take(share(5, 20)) {
            assert_eq!(check(&example.geometry, &example.state, step), StepCheck::Follows, "{step:?}");
            followed.insert(step.technique.clone());
        }
    }
    assert!(followed.len() > share(20, 55), "only {followed:?}");
}

#[test]
fn nothing_cited_nothing_follows() {
    steps(|geometry, state, step| {
        let mut bare = step.clone();
        bare.cites = Default::default();
        bare.cases.clear();
        bare.assumes_one_solution = false;
        assert!(matches!(check(geometry, state, &bare), StepCheck::DoesNotFollow(_)), "{step:?}");
    });
}

/// Without its last cell a wing says less than it concludes.
#[test]
fn a_missing_cell_is_noticed() {
    let mut seen = 0;
    steps(|geometry, state, step| {
        let plain = step.member.space == Space::Rc && !step.technique.starts_with("als");
        let cells_alone = step.cites.links.is_empty() && step.cites.houses.is_empty();
        if step.technique.ends_with("wing") && plain && cells_alone {
            let mut less = step.clone();
            less.cites.cells.pop();
            assert!(matches!(check(geometry, state, &less), StepCheck::DoesNotFollow(_)), "{step:?}");
            seen += 1;
        }
    });
    assert!(seen > 0);
}

#[test]
fn other_candidates_and_false_links_are_noticed() {
    let mut seen = 0;
    steps(|geometry, state, step| {
        let Some((cell, digits)) = step.cites.cells.first().copied() else { return };
        let mut other = step.clone();
        other.cites.cells[0].1 = DigitSet::all(9) - digits;
        assert_eq!(check(geometry, state, &other), StepCheck::WrongCell(cell));
        seen += 1;
    });
    assert!(seen > 100);
}

/// The ends of a chain are not linked themselves, or there would be a shorter one.
#[test]
fn false_links_are_noticed() {
    let rulebook = Rulebook::embedded();
    let technique = rulebook.techniques().iter().find(|one| one.id == "xy_chain").expect("it is in the rulebook");
    let example = technique.examples.iter().find(|one| !one.near_miss).expect("it has one");
    let state = read_one(&example.grid, None).expect("a grid").state();
    let solver = solver(9);
    let found = solver.find_all(&state, Some("xy_chain")).expect("it is known");
    let step = found.steps.first().expect("the example matches");
    assert_eq!(check(solver.geometry(), &state, step), StepCheck::Follows);
    let mut link = step.clone();
    let (from, to) = (step.chain[0].node.clone(), step.chain[step.chain.len() - 1].node.clone());
    link.cites.links[0].to = to.clone();
    let (from, to) = (from.only().expect("a candidate"), to.only().expect("a candidate"));
    assert_eq!(check(solver.geometry(), &state, &link), StepCheck::WrongLink(from, to));
}

/// A conclusion of one step is no conclusion of the facts of another.
#[test]
fn a_wrong_conclusion_is_noticed() {
    let mut before: Option<Step> = None;
    let mut seen = 0;
    steps(|geometry, state, step| {
        if let Some(last) = before.replace(step.clone()) {
            let mut mixed = step.clone();
            mixed.eliminations.clone_from(&last.eliminations);
            mixed.placements.clone_from(&last.placements);
            if step.cites.cells.len() < 3 && !mixed.eliminations.is_empty() {
                seen += usize::from(check(geometry, state, &mixed) != StepCheck::Follows);
            }
        }
    });
    assert!(seen > 0);
}

/// A position with two digits or more left in a quarter of its cells.
const LATE: &str = "
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

/// Some loops here have an elimination in one of their own cells.
pub const LOOPS: &str = "
    126 16  3  1246 5   14
    126 5   4  126  12  3
    14  3   2  14   6   5
    5   146 16 3    14  2
    146 2   16 5    3   14
    3   14  5  124  124 6
";

/// All steps that have a name on a position.
fn named(size: usize, grid: &str, name: &str) -> (State, Vec<Step>) {
    let state = read_one(grid, None).expect("a grid").state();
    let found = solver(size).find_all(&state, Some(name)).expect("it is known");
    (state, found.steps)
}

#[test]
fn an_almost_locked_set_leaves_a_cell_one_candidate() {
    let (state, mut steps) = named(9, LATE, "als_cell_aic");
    steps.retain(|step| step.name == "ALS-Cell AIC");
    assert!(!steps.is_empty());
    for step in steps {
        assert!(
            step.chain
                .iter()
                .any(|one| one.source_match.as_ref().is_some_and(|source_match| source_match.source == "als_cell"))
        );
        assert_eq!(check(solver(9).geometry(), &state, &step), StepCheck::Follows);
    }
}

#[test]
fn end_sets_of_a_chain_tell_all_their_digits() {
    let mut several = 0;
    for name in share(&["als_chain_ends"][..], &["als_chain_ends", "als_chain_ends_alike"]) {
        let (state, steps) = named(9, LATE, name);
        assert!(!steps.is_empty());
        for step in steps.into_iter().step_by(share(5, 1)) {
            let digits: DigitSet = step.eliminations.iter().map(|gone| gone.digit).collect();
            several += usize::from(digits.len() > 1);
            assert_eq!(check(solver(9).geometry(), &state, &step), StepCheck::Follows, "{step:?}");
        }
    }
    assert!(several > 0);
}

/// The conclusions outside a loop's cells are a part of all its conclusions.
#[test]
fn loops_conclude_less_outside_of_their_cells() {
    let shown = |name: &str| -> Vec<_> {
        let (state, steps) = named(6, LOOPS, name);
        let follows = |step: &Step| check(solver(6).geometry(), &state, step) == StepCheck::Follows;
        assert!(steps.iter().step_by(share(4, 1)).all(follows), "{name}");
        steps.into_iter().map(|step| (step.chain, step.eliminations)).collect()
    };
    let (all, outside) = (shown("nice_loop"), shown("nice_loop_outside"));
    let of = |chain| all.iter().find(|(known, _)| known == chain).map(|(_, gone)| gone);
    let mut less = 0;
    for (chain, gone) in &outside {
        let more = of(chain).expect("the same loop");
        assert!(gone.iter().all(|one| more.contains(one)));
        less += usize::from(gone.len() < more.len());
    }
    assert!(less > 0);
}

/// A link source with sets of houses among its names.
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

/// Here the two lines of a fish have a few places for 8 outside of the lines that cross them.
const FISHY: &str = "
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
fn a_link_rests_on_all_houses_of_its_source() {
    let rulebook = Rulebook::embedded().with([("fish_chain.pinion".to_string(), ALMOST_FISH.to_string())]);
    let geometry = Arc::new(Geometry::standard(9).expect("a board"));
    let solver = Solver::new(&rulebook, &geometry, &Profile::default(), Limits::default());
    let state = read_one(FISHY, None).expect("a grid").state();
    let steps = solver.find_all(&state, Some("fish_chain")).expect("it is known").steps;
    let by_fish = |step: &Step| {
        step.chain.iter().filter_map(|one| one.source_match.as_ref()).any(|source_match| source_match.houses.len() == 4)
    };
    assert!(steps.iter().any(by_fish), "{steps:?}");
    for step in &steps {
        assert_eq!(check(&geometry, &state, step), StepCheck::Follows, "{step:?}");
    }
}
