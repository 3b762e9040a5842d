//! The inferences of techniques under suppositions are cached along a path and shared by lists of techniques with a common
//! beginning. A search with the cache finds what one without it finds.

use super::rule_forms::{self, engine_of, links, rules, singles, technique};
use crate::common::geometry;
use crate::common::states::middle_states;
use pinion::engine::{Limits, PathCache, SearchMode};
use pinion::lang::ir::Technique;

/// Suppositions by lists of techniques, of which some begin alike.
fn list() -> Vec<Technique> {
    let by = |names: &[&str]| rules(&names.iter().map(|name| (*name, None)).collect::<Vec<_>>());
    let outer = |id: &str, names: &[&str]| technique(id, rule_forms::contradiction_of_literal(by(names)));
    vec![
        outer("short", &["chains"]),
        outer("long", &["chains", "nets"]),
        outer("other", &["nets", "chains"]),
        technique("agreeing", rule_forms::each_of_pair(by(&["chains", "either"]))),
        technique("chains", rule_forms::contradiction(links(None))),
        technique("nets", rule_forms::contradiction(singles(None))),
        technique("either", rule_forms::either(links(None))),
    ]
}

#[test]
fn cached_positions_change_no_result() {
    let limits = Limits::default();
    let (mut found, mut refuted) = (0, 0);
    for mut state in middle_states().into_iter().step_by(9).take(3) {
        let board = geometry(9);
        let (engine, memory) = (engine_of(&board, &list()), PathCache::default());
        for step in 0..3 {
            let mut kept = engine.position_on_path(&state, &memory);
            // In turn, so that a list is looked for first that others begin with, and last.
            let members = [[0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0]][step];
            let mut gone = Vec::new();
            for member in members {
                // Nothing is kept for a state on its own, and no list before another.
                let fresh = engine.position(&state).find(member, SearchMode::AllEffects, &limits);
                let with = kept.find(member, SearchMode::AllEffects, &limits);
                assert_eq!(fresh, with, "member {member} after {step} steps");
                found += fresh.matches.len();
                gone.extend(fresh.matches.into_iter().flat_map(|one| one.eliminations));
            }
            refuted += gone.len();
            gone.into_iter().take(2).for_each(|candidate| {
                state.eliminate(candidate);
            });
        }
    }
    assert!(found > 100 && refuted > 100, "{found} matches, {refuted} eliminations");
}
