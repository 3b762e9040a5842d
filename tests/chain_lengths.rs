//! Lengths of chains and loops. A limit on the length removes only longer chains, a loop has the length that its rule asks for,
//! and the solver finds the cheapest match even though it limits the length by the price.

use crate::common::{geometry, puzzles, quick_or_full, solver, states_along};
use crate::steps::LOOPS;
use pinion::engine::{Engine, Limits, Match, SearchMode};
use pinion::grid::formats::read_one;
use pinion::grid::{Candidate, State};
use pinion::solve::{Profile, RowPrice, Rulebook, Solver};
use std::collections::BTreeSet;

/// Returns two states from the second half of each puzzle's path.
fn late_states(solver: &Solver) -> Vec<State> {
    let mut late_states = Vec::new();
    for puzzle in puzzles() {
        let states = states_along(solver, &puzzle.state());
        let middle = states.len() / 2;
        late_states.extend(states.into_iter().skip(middle).step_by(11).take(2));
    }
    late_states
}

#[test]
fn a_limit_on_the_length_removes_only_longer_chains() {
    let (solver, rulebook) = (solver(9), Rulebook::embedded());
    let engine = Engine::new(geometry(9), rulebook.techniques(), rulebook.sources()).expect("the rulebook compiles");
    let ids = [
        "x_chain",
        "aic",
        "forcing_chain",
        "nice_loop",
        "x_cycle",
        "bidirectional_cycle",
        "grouped_x_chain",
        "xy_chain",
    ];
    let members: Vec<usize> = ids.iter().filter_map(|id| member_of(&engine, id)).collect();
    let (mut kept, mut removed) = (0, 0);
    for state in late_states(&solver) {
        for &member in &members {
            let find =
                |limits: Limits| engine.position(&state).find(member, SearchMode::AllWithDuplicates, &limits).matches;
            let all = find(Limits::default());
            for max_length in [4, 6, 9] {
                let mut short = all.clone();
                short.retain(|found| found.chain.len() <= max_length as usize);
                let found = find(Limits { max_length, ..Limits::default() });
                assert_eq!(found, short, "{:?}", engine.members()[member]);
                kept += short.len();
                removed += all.len() - short.len();
            }
        }
    }
    assert!(kept > 50 && removed > 50, "{kept} {removed}");
}

/// Returns the index of a technique's first member.
fn member_of(engine: &Engine, id: &str) -> Option<usize> {
    engine.members().iter().position(|member| engine.techniques()[member.technique].id == id)
}

/// Returns the matches on the grid [`LOOPS`] of a rule with these lines.
fn matches(lines: &str, limits: Limits) -> Vec<Match> {
    let text = format!("technique round \"Round\" {{\n{lines}\n}}\n");
    let rulebook = Rulebook::embedded().with([("round.pinion".to_string(), text)]);
    let engine = Engine::new(geometry(6), rulebook.techniques(), rulebook.sources()).expect("the rulebook compiles");
    let member = member_of(&engine, "round").expect("the rule has a member");
    let state = read_one(LOOPS, None).expect("a grid").state();
    engine.position(&state).find(member, SearchMode::AllWithDuplicates, &limits).matches
}

/// Returns the lines of a rule for loops of a length. A conclusion about excluded candidates needs coloured nodes.
fn loop_lines(length: &str, conclusion: &str) -> String {
    let head = if conclusion.contains("excluded") { "loop K coloured A, B" } else { "loop K" };
    format!("  {head}, {length} {{\n    strong: cell, house\n    weak: any\n  }}\n  {conclusion}")
}

#[test]
fn loops_have_the_length_that_their_rule_asks_for() {
    let link_counts = |length: &str| -> BTreeSet<usize> {
        let found = matches(&loop_lines(length, "conclude every link of K"), Limits::default());
        found.iter().map(|found| found.chain.len()).collect()
    };
    assert_eq!(link_counts("4 links"), BTreeSet::from([4]));
    assert_eq!(link_counts("6..8 links"), BTreeSet::from([6, 8]));
    assert_eq!(link_counts("2 strong links"), BTreeSet::from([4]));
    assert_eq!(link_counts("3..4 strong links"), BTreeSet::from([6, 8]));
    assert_eq!(link_counts("2..4 strong links"), link_counts("4..8 links"));
}

/// In a loop either all nodes of colour A are true or all of colour B. Candidates that both colours exclude are false: those
/// that the links exclude, and those that see two nodes of different colours without a link between them.
#[test]
fn the_colours_of_a_loop_exclude_more_than_its_links() {
    let by_colours =
        loop_lines("2.. strong links", "eliminate candidates excluded by some A & candidates excluded by some B");
    let by_links = loop_lines("2.. strong links", "conclude every link of K");
    let eliminations = |matches: &[Match]| -> BTreeSet<Candidate> {
        matches.iter().flat_map(|found| found.eliminations.clone()).collect()
    };
    let colour_matches = matches(&by_colours, Limits::default());
    let link_matches = matches(&by_links, Limits::default());
    let excludes_more = |found: &Match| {
        let by_links = link_matches.iter().find(|link_match| link_match.chain == found.chain);
        by_links.is_some_and(|by_links| found.eliminations.len() > by_links.eliminations.len())
    };
    assert!(colour_matches.iter().any(excludes_more));
    assert!(eliminations(&link_matches).is_subset(&eliminations(&colour_matches)));
    // With `first_found` the search follows only the first of several equally short chains.
    let first_matches = matches(&by_colours, Limits { first_found: true, ..Limits::default() });
    assert!(!first_matches.is_empty() && first_matches.len() < colour_matches.len());
    assert!(eliminations(&first_matches).is_subset(&eliminations(&colour_matches)));
}

/// Returns a clause with the same price. The solver derives no limit from a product, so it searches all lengths.
fn without_length_limit(clause: &str) -> String {
    match clause.split_once(" when ") {
        Some((value, condition)) => format!("product(1, {value}) when {condition}"),
        None => format!("product(1, {clause})"),
    }
}

#[test]
fn limits_by_price_do_not_change_the_path() {
    let profile = Profile::embedded("explainer").expect("a built-in profile");
    let mut unlimited_profile = profile.clone();
    for row in &mut unlimited_profile.rows {
        if let Some(RowPrice::Clauses(clauses)) = &mut row.first {
            clauses.iter_mut().for_each(|clause| *clause = without_length_limit(clause));
        }
    }
    let solve = |profile: &Profile, start: State| {
        Solver::new(&Rulebook::embedded(), &geometry(9), profile, Limits::default()).solve(start)
    };
    let mut chain_steps = 0;
    for puzzle in &puzzles()[quick_or_full(5..6, 0..7)] {
        let (limited, unlimited) = (solve(&profile, puzzle.state()), solve(&unlimited_profile, puzzle.state()));
        assert_eq!(limited.steps, unlimited.steps);
        chain_steps += limited.steps.iter().filter(|step| !step.chain.is_empty()).count();
    }
    assert!(chain_steps > quick_or_full(0, 5), "only {chain_steps} steps are chains");
}
