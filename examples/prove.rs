//! Rules proved, and one that is wrong with a grid that shows it.

use pinion::grid::Geometry;
use pinion::proof::{Prover, Status};
use pinion::solve::Rulebook;

const RULES: &str = r#"
/// The pivot has a third candidate that no pincer answers to.
technique forgotten "Forgotten" {
  pivot: cell with 3 candidates
  a: cell = {x, z} sees pivot
  b: cell = {y, z} sees pivot
  require pivot has x, y
  conclude some z in a, b
}
"#;

pub fn main() {
    let rules = Rulebook::embedded().with([("mine.pinion".to_string(), RULES.to_string())]);
    let board = Geometry::standard(9).expect("a standard board");
    let prover = Prover::new(&board, rules.sources()).with_rules(rules.techniques());
    for id in ["xyz_wing", "forgotten"] {
        let technique = rules.techniques().iter().find(|one| one.id == id).expect("it is there");
        let verdict = prover.prove(technique, &[], 0);
        println!("{id}: {}", verdict.status);
        match verdict.status {
            Status::Proved { every_board, .. } => assert!(every_board && id == "xyz_wing"),
            Status::Refuted(_) => assert_eq!(id, "forgotten"),
            other => panic!("{id} is settled: {other}"),
        }
    }
}
