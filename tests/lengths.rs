//! Lengths: what is left out as too long is longer, loops are as long as their rule says, and the cheapest match is the same
//! whether dear ones are left out or not.

use crate::common::{geometry, puzzles, share, solver, states_along};
use crate::steps::LOOPS;
use pinion::engine::{Engine, Limits, Match, SearchMode};
use pinion::grid::State;
use pinion::grid::formats::read_one;
use pinion::solve::{Profile, RowPrice, Rulebook, Solver};
use std::collections::BTreeSet;

/// Some states from the middle of paths on.
fn states(solver: &Solver) -> Vec<State> {
    let of_path = |start: State| {
        let all = states_along(solver, &start);
        let middle = all.len() / 2;
        all.into_iter().skip(middle).step_by(11).take(2)
    };
    puzzles().into_iter().flat_map(|puzzle| of_path(puzzle.state())).collect()
}

#[test]
fn only_longer_chains_are_left_out() {
    let (solver, rulebook) = (solver(9), Rulebook::embedded());
    let engine = Engine::new(geometry(9), rulebook.techniques(), rulebook.sources()).expect("the rulebook compiles");
    let wanted = [
        "x_chain",
        "aic",
        "forcing_chain",
        "nice_loop",
        "x_cycle",
        "bidirectional_cycle",
        "grouped_x_chain",
        "xy_chain",
    ];
    let of = |id: &str| engine.members().iter().position(|member| engine.techniques()[member.technique].id == id);
    let (mut kept, mut left_out) = (0, 0);
    for state in states(&solver) {
        for member in wanted.iter().filter_map(|id| of(id)) {
            let find =
                |limits: Limits| engine.position(&state).find(member, SearchMode::AllWithDuplicates, &limits).matches;
            let all = find(Limits::default());
            for longest in [4, 6, 9] {
                let short: Vec<Match> = all.iter().filter(|one| one.chain.len() <= longest as usize).cloned().collect();
                assert_eq!(
                    find(Limits { max_length: longest, ..Limits::default() }),
                    short,
                    "{:?}",
                    engine.members()[member]
                );
                kept += short.len();
                left_out += all.len() - short.len();
            }
        }
    }
    assert!(kept > 50 && left_out > 50, "{kept} {left_out}");
}

/// The matches of a rule on the grid with loops.
fn matches(lines: &str, limits: Limits) -> Vec<Match> {
    let text = format!("technique round \"Round\" {{\n{lines}\n}}\n");
    let rulebook = Rulebook::embedded().with([("round.pinion".to_string(), text)]);
    let engine = Engine::new(geometry(6), rulebook.techniques(), rulebook.sources()).expect("the rulebook compiles");
    let ours = engine.members().iter().position(|member| engine.techniques()[member.technique].id == "round");
    let state = read_one(LOOPS, None).expect("a grid").state();
    engine.position(&state).find(ours.expect("it compiles"), SearchMode::AllWithDuplicates, &limits).matches
}

fn looped(length: &str, conclusion: &str) -> String {
    let head = if conclusion.contains("excluded") { "loop K coloured A, B" } else { "loop K" };
    format!("  {head}, {length} {{\n    strong: cell, house\n    weak: any\n  }}\n  {conclusion}")
}

#[test]
fn loops_are_as_long_as_their_rule_says() {
    let links = |length: &str| -> BTreeSet<usize> {
        let found = matches(&looped(length, "conclude every link of K"), Limits::default());
        found.iter().map(|one| one.chain.len()).collect()
    };
    assert_eq!(links("4 links"), BTreeSet::from([4]));
    assert_eq!(links("6..8 links"), BTreeSet::from([6, 8]));
    assert_eq!(links("2 strong links"), BTreeSet::from([4]));
    assert_eq!(links("3..4 strong links"), BTreeSet::from([6, 8]));
    assert_eq!(links("2..4 strong links"), links("4..8 links"));
}

#[test]
fn one_of_the_two_ways_around_a_loop_is_true() {
    let both = "eliminate candidates excluded by some A & candidates excluded by some B";
    let (coloured, plain) = (looped("2.. strong links", both), looped("2.. strong links", "conclude every link of K"));
    let first = Limits { first_found: true, ..Limits::default() };
    let gone = |found: &[Match]| -> BTreeSet<_> { found.iter().flat_map(|one| one.eliminations.clone()).collect() };
    let (ways, links) = (matches(&coloured, Limits::default()), matches(&plain, Limits::default()));
    let more = ways.iter().filter(|one| {
        let of_links = links.iter().find(|other| other.chain == one.chain);
        of_links.is_some_and(|of_links| one.eliminations.len() > of_links.eliminations.len())
    });
    assert!(more.count() > 0, "nodes that are no neighbours exclude something together");
    assert!(gone(&links).is_subset(&gone(&ways)));
    // Only the first of several equally short chains is followed.
    let found_first = matches(&coloured, first);
    assert!(!found_first.is_empty() && found_first.len() < ways.len(), "{} {}", found_first.len(), ways.len());
    assert!(gone(&found_first).is_subset(&gone(&ways)));
}

/// A product of which nothing is known before it is worked out, so that nothing is left out as too dear.
fn hidden(clause: &str) -> String {
    match clause.split_once(" when ") {
        Some((value, when)) => format!("product(1, {value}) when {when}"),
        None => format!("product(1, {clause})"),
    }
}

#[test]
fn the_cheapest_is_the_same_whether_dear_ones_are_looked_at_or_not() {
    let profile = Profile::embedded("explainer").expect("it is built in");
    let mut slow = profile.clone();
    for row in &mut slow.rows {
        if let Some(RowPrice::Clauses(clauses)) = &mut row.first {
            clauses.iter_mut().for_each(|clause| *clause = hidden(clause));
        }
    }
    let solve = |profile: &Profile, start: State| {
        Solver::new(&Rulebook::embedded(), &geometry(9), profile, Limits::default()).solve(start)
    };
    let mut listed = 0;
    for puzzle in &puzzles()[share(5..6, 0..7)] {
        let (quick, slow) = (solve(&profile, puzzle.state()), solve(&slow, puzzle.state()));
        assert_eq!(quick.steps, slow.steps);
        listed += quick.steps.iter().filter(|step| !step.chain.is_empty()).count();
    }
    assert!(listed > share(0, 5), "only {listed} steps are of a list");
}
