//! The examples and near misses of rules, run; and for an example that fails, what the rule nearly found.

use pinion::engine::Limits;
use pinion::grid::formats::read_one;
use pinion::grid::notation::deductions;
use pinion::solve::{Profile, Rulebook, Solver};
use pinion::workbench::{Asked, near_misses};

const RULE: &str = r#"
/// A cell with one candidate.
technique only_candidate "Only Candidate" {
  c: cell = {d}
  place d in c
}

example only_candidate "r2c1 still lists 1, so r1c1 and r2c3 are not solved yet" {
  grid """
    1   2  34 34
    134 34 1  2
    2   1  34 34
    34  34 2  1
  """
  finds r1c1=1
  finds r2c3=1
}

near_miss only_candidate "r1c1 has 3 as well, and r2c3 has 4" {
  grid """
    13  2  34 34
    134 34 14 2
    2   1  34 34
    34  34 2  1
  """
}
"#;

pub fn main() {
    let rules = Rulebook::embedded().with([("mine.pinion".to_string(), RULE.to_string())]);
    let technique = rules.techniques().iter().find(|one| one.id == "only_candidate").expect("it was added");
    for example in &technique.examples {
        let puzzle = read_one(&example.grid, None).expect("a grid");
        let solver = Solver::new(&rules, &puzzle.geometry, &Profile::default(), Limits::default());
        let found = solver.find_all(&puzzle.state(), Some(&technique.id)).expect("the name is known");
        let shown = found.steps.iter().map(|step| deductions(solver.geometry(), &step.eliminations, &step.placements));
        let mut shown: Vec<String> = shown.collect();
        shown.sort();
        let passed = shown == example.finds;
        println!("{}: {}", example.title.as_deref().unwrap_or("?"), if passed { "passed" } else { "failed" });
        assert!(passed, "{shown:?}");
        if example.near_miss {
            nearly(&rules, &solver, &technique.id, &puzzle.state());
        }
    }
}

/// What a rule nearly finds.
fn nearly(rules: &Rulebook, solver: &Solver, technique: &str, state: &pinion::grid::State) {
    let technique = rules.techniques().iter().find(|one| one.id == technique).expect("it is there");
    let own = |at: &usize| solver.techniques()[solver.members()[*at].technique].id == technique.id;
    let members: Vec<_> = (0..solver.members().len()).filter(own).map(|at| solver.members()[at].clone()).collect();
    let asked = Asked {
        rulebook: rules,
        geometry: solver.geometry(),
        state,
        technique,
        members: &members,
        on: &[],
        eliminate: &[],
        place: &[],
        most: 1,
        enough: &|| false,
    };
    let found = near_misses(&asked);
    for miss in &found.misses {
        println!("  nearly: {}", miss.fails);
    }
    assert!(!found.misses.is_empty());
}
