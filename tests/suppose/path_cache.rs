//! The engine caches the inferences of techniques under suppositions, from one state of a path to the next. Rules whose lists
//! of techniques begin alike share the cache. A search with the cache finds the same matches as a search without it.

use super::rule_forms::{self, engine_of, links, rules, singles, technique};
use crate::common::geometry;
use crate::common::states::middle_states;
use pinion::engine::{Limits, PathCache, SearchMode};
use pinion::lang::ir::Technique;

/// Returns four rules with suppositions, three of whose lists begin with `chains`, and then the techniques of the lists.
fn techniques() -> Vec<Technique> {
    let by = |ids: &[&str]| rules(&ids.iter().map(|id| (*id, None)).collect::<Vec<_>>());
    let refuting = |id: &str, ids: &[&str]| technique(id, rule_forms::contradiction_of_literal(by(ids)));
    vec![
        refuting("by_chains", &["chains"]),
        refuting("by_chains_and_nets", &["chains", "nets"]),
        refuting("by_nets_and_chains", &["nets", "chains"]),
        technique("each_by_chains_and_either", rule_forms::each_of_pair(by(&["chains", "either"]))),
        technique("chains", rule_forms::contradiction(links(None))),
        technique("nets", rule_forms::contradiction(singles(None))),
        technique("either", rule_forms::either(links(None))),
    ]
}

#[test]
fn cached_positions_change_no_result() {
    let limits = Limits::default();
    let (mut match_count, mut elimination_count) = (0, 0);
    for mut state in middle_states().into_iter().step_by(9).take(3) {
        let board = geometry(9);
        let (engine, cache) = (engine_of(&board, &techniques()), PathCache::default());
        // The list `chains` is searched before longer lists that begin with it, and then after them.
        for (step, members) in [[0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0]].into_iter().enumerate() {
            let mut cached_position = engine.position_on_path(&state, &cache);
            let mut eliminated = Vec::new();
            for member in members {
                // A new position has an empty cache.
                let uncached = engine.position(&state).find(member, SearchMode::AllEffects, &limits);
                let cached = cached_position.find(member, SearchMode::AllEffects, &limits);
                assert_eq!(uncached, cached, "member {member} after {step} steps");
                match_count += uncached.matches.len();
                eliminated.extend(uncached.matches.into_iter().flat_map(|found| found.eliminations));
            }
            elimination_count += eliminated.len();
            for candidate in eliminated.into_iter().take(2) {
                state.eliminate(candidate);
            }
        }
    }
    assert!(match_count > 100 && elimination_count > 100, "{match_count} matches, {elimination_count} eliminations");
}
