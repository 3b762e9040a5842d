//! Explanations: each holds by what it cites, alone; what is tampered with is noticed; and how they read.

use super::reference::random_states;
use super::rule_forms::{self, engine_of, links, rules, singles, technique};
use crate::common::states::middle_states;
use crate::common::{Mapping, geometry, share};
use pinion::engine::{Inference, Limits, Match, SearchMode};
use pinion::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State};
use pinion::lang::ir::{InferenceMethods, RuleRef, Technique};
use pinion::proof::{CitedCase, CitedEnd, CitedInference, CitedStep, StepCheck, check_cited};
use pinion::render::{StepRecord, step_lines, unstyled};
use pinion::solve::{InnerStep, Rulebook, Step, step_of};
use std::collections::BTreeSet;
use std::sync::Arc;

/// At most this many matches of each rule are examined.
const SOME: usize = 15;

/// The steps of the first of some techniques, spread over all that it finds.
fn steps(board: &Arc<Geometry>, state: &State, list: &[Technique]) -> Vec<Step> {
    // Techniques go on for long: a few of their steps are enough.
    let limits = Limits { steps_per_assumption: 4, ..Limits::default() };
    let found = engine_of(board, list).position(state).find(0, SearchMode::All, &limits).matches;
    let every = found.len().div_ceil(SOME).max(1);
    found.iter().step_by(every).map(|one| step_of(one, list, board, state)).collect()
}

/// Techniques of the rulebook, behind one that supposes by them.
fn with_techniques(ids: &[&str], outer: impl Fn(InferenceMethods) -> Technique) -> Vec<Technique> {
    let rulebook = Rulebook::embedded();
    let known = |id: &&&str| rulebook.techniques().iter().any(|one| one.id == ***id);
    let ids: Vec<&str> = ids.iter().filter(known).copied().collect();
    let named: Vec<RuleRef> = ids.iter().map(|id| RuleRef { technique: id.to_string(), args: None }).collect();
    let inner = rulebook.techniques().iter().filter(|one| ids.contains(&one.id.as_str()));
    std::iter::once(outer(InferenceMethods::Rules(named))).chain(inner.cloned()).collect()
}

/// The explanations of every form of rule hold; returns how many there were, and their inferences.
fn hold(boards: &[usize], count: u64, forms: &[Technique]) -> (usize, usize) {
    let (mut seen, mut inferences) = (0, 0);
    for (board, state) in random_states(boards, count) {
        for rule in forms {
            for step in steps(&board, &state, std::slice::from_ref(rule)) {
                assert_eq!(check_cited(&board, &state, &step.cited()), StepCheck::Follows, "{step:#?}");
                seen += 1;
                inferences += step.cases.iter().map(|case| case.inferences.len()).sum::<usize>();
            }
        }
    }
    (seen, inferences)
}

#[test]
fn explanations_by_singles_hold() {
    let (seen, inferences) = hold(&[4, 6, 9], 9, &rule_forms::all_forms(&|| singles(None)));
    assert!(seen > 250 && inferences > seen, "{seen} steps, {inferences} inferences");
    assert!(hold(&[6, 9], 4, &rule_forms::forms_of_one_digit()).0 > 50);
}

#[test]
fn explanations_by_links_hold() {
    let (seen, inferences) = hold(&[4, 6, 9], 9, &rule_forms::all_forms(&|| links(None)));
    assert!(seen > 200 && inferences > seen, "{seen} steps, {inferences} inferences");
}

/// Positions in the middle of solution paths.
fn middle(every: usize) -> impl Iterator<Item = (Arc<Geometry>, State)> {
    middle_states().into_iter().step_by(every).map(|state| (geometry(9), state))
}

/// The steps inside of all cases.
fn inside(step: &Step) -> impl Iterator<Item = &Step> {
    step.cases.iter().flat_map(|case| &case.inferences).filter_map(|inner| match inner {
        InnerStep::Step(step) => Some(step.as_ref()),
        _ => None,
    })
}

/// Steps of techniques inside.
#[test]
fn explanations_by_techniques_hold() {
    let ids = ["locked_candidates", "naked_subset", "hidden_subset", "xy_wing", "x_chain", "xy_chain"];
    let list = with_techniques(&ids, |by| technique("outer", rule_forms::each_of_pair(by)));
    let mut found: BTreeSet<String> = BTreeSet::new();
    for (board, state) in middle(6) {
        for step in steps(&board, &state, &list) {
            assert_eq!(check_cited(&board, &state, &step.cited()), StepCheck::Follows, "{step:#?}");
            found.extend(inside(&step).map(|inner| inner.technique.clone()));
        }
    }
    assert!(found.len() > 2, "{found:?}");
}

/// Steps inside that suppose something themselves.
#[test]
fn suppositions_within_suppositions_hold() {
    let list = [
        technique("outer", rule_forms::each_of_pair(rules(&[("inner", None)]))),
        technique("inner", rule_forms::contradiction(links(None))),
    ];
    let mut nested = 0;
    for (board, state) in middle(20) {
        for step in steps(&board, &state, &list) {
            assert_eq!(check_cited(&board, &state, &step.cited()), StepCheck::Follows, "{step:#?}");
            nested += inside(&step).filter(|inner| !inner.cases.is_empty()).count();
        }
    }
    assert!(nested > 3, "{nested}");
}

/// Nearly every inference is needed, and so is each case; an end that is not reached is noticed.
#[test]
fn omissions_are_noticed() {
    let (board, state) = middle(7).last().expect("a state");
    let (mut seen, mut twice, mut missed) = (0, 0, 0);
    for rule in [
        rule_forms::contradiction(singles(None)),
        rule_forms::each_of_cell(singles(None)),
        rule_forms::either(singles(None)),
    ] {
        for step in steps(&board, &state, &[technique("rule", rule)]) {
            let cited = step.cited();
            for (number, case) in cited.cases.iter().enumerate() {
                for at in 0..case.inferences.len() {
                    let mut less = cited.clone();
                    less.cases[number].inferences.remove(at);
                    let checked = check_cited(&board, &state, &less);
                    seen += 1;
                    match checked {
                        StepCheck::WrongCase(at, _) => assert_eq!(at, number),
                        // Two inferences may give the same reason.
                        checked => {
                            assert_eq!(checked, StepCheck::Follows);
                            twice += 1;
                        }
                    }
                }
                let mut other = cited.clone();
                other.cases[number].end = CitedEnd::EmptyCell(board.cell(0, 0));
                if case.end != other.cases[number].end {
                    let checked = check_cited(&board, &state, &other);
                    assert_eq!(checked, StepCheck::WrongCase(number, Box::new(StepCheck::NotTheEnd)));
                }
                // The conclusion of a short case may follow from the cited cells alone.
                let mut fewer = cited.clone();
                fewer.cases.remove(number);
                let noticed = matches!(check_cited(&board, &state, &fewer), StepCheck::DoesNotFollow(_));
                missed += usize::from(!noticed && case.inferences.len() > 1);
            }
        }
    }
    assert!(seen > 100 && twice * 10 < seen && missed * 50 < seen, "{seen}, {twice} twice, {missed} missed");
}

/// The reasons cited for a last candidate or place remove all others, and each of them removes one.
#[test]
fn reasons_are_enough_and_all_needed() {
    let mut seen = 0;
    for (board, state) in random_states(&[4, 6], 4) {
        for rule in rule_forms::all_forms(&|| singles(None)) {
            for step in steps(&board, &state, &[rule]) {
                for inner in step.cases.iter().flat_map(|case| &case.inferences) {
                    let left = |since: &[(Candidate, bool)]| {
                        let mut now = state.clone();
                        for &(one, holds) in since {
                            if holds {
                                now.place(&board, one.cell, one.digit);
                            } else {
                                now.eliminate(one);
                            }
                        }
                        match inner {
                            InnerStep::Naked(one, _) => now.candidates(one.cell).len(),
                            InnerStep::Hidden(one, house, _) => {
                                let cells = board.house(*house).cells.iter();
                                cells.filter(|&&cell| now.has(Candidate::new(one.digit, cell))).count()
                            }
                            _ => unreachable!("singles only"),
                        }
                    };
                    let (InnerStep::Naked(_, since) | InnerStep::Hidden(_, _, since)) = inner else { continue };
                    assert_eq!(left(since), 1, "{inner:?}");
                    // Without the last reason more is left.
                    assert!(since.is_empty() || left(&since[..since.len() - 1]) > 1, "{inner:?}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

/// A step inside that assumes one solution is no proof; neither is a last candidate that is not the last.
#[test]
fn false_inferences_are_noticed() {
    let rule = [technique("rule", rule_forms::contradiction(singles(None)))];
    let all = random_states(&[9], 8).flat_map(|(board, state)| {
        steps(&board, &state, &rule).into_iter().map(move |step| (board.clone(), state.clone(), step))
    });
    let (board, state, step) = all.max_by_key(|(.., step)| step.cases[0].inferences.len()).expect("a step");
    let last = step.cases[0].inferences.len() - 1;
    let mut cited = step.cited();
    assert_eq!(check_cited(&board, &state, &cited), StepCheck::Follows);
    cited.cases[0].inferences.swap(0, last);
    let checked = check_cited(&board, &state, &cited);
    assert!(matches!(&checked, StepCheck::WrongCase(0, why) if matches!(**why, StepCheck::NotLast(_))), "{checked:?}");
    let secret = pinion::proof::CitedStep { one_solution: true, ..Default::default() };
    cited.cases[0].inferences.insert(0, CitedInference::Step(Box::new(secret)));
    let why = Box::new(StepCheck::OneSolution);
    assert_eq!(check_cited(&board, &state, &cited), StepCheck::WrongCase(0, why));
    cited.one_solution = true;
    assert_eq!(check_cited(&board, &state, &cited), StepCheck::OneSolution);
}

/// A relabelled, permuted or transposed grid has the same conclusions, and each is explained.
#[test]
fn copies_have_the_same_conclusions() {
    let shown = |board: &Arc<Geometry>, state: &State, rule: &Technique, map: &dyn Fn(Candidate) -> Candidate| {
        let found =
            engine_of(board, std::slice::from_ref(rule)).position(state).find(0, SearchMode::All, &Limits::default());
        let one = |list: &[Candidate]| -> Vec<Candidate> { list.iter().map(|&one| map(one)).collect() };
        let effects = found.matches.iter().map(|found| (one(&found.eliminations), one(&found.placements)));
        effects.collect::<BTreeSet<_>>()
    };
    let mut compared = 0;
    for (number, (board, state)) in random_states(&[9], share(1, 2)).enumerate() {
        let mapping = Mapping::from_seed(9, 3, number as u64);
        let copy = mapping.state(&board, &state);
        for by in [singles(None), links(None)] {
            for rule in rule_forms::all_forms(&|| by.clone()) {
                let here = shown(&board, &state, &rule, &|one| mapping.candidate(one));
                assert_eq!(here, shown(&board, &copy, &rule, &|one| one), "{} on state {number}", rule.id);
                compared += here.len();
                for step in steps(&board, &copy, &[rule]).iter().take(5) {
                    assert_eq!(check_cited(&board, &copy, &step.cited()), StepCheck::Follows);
                }
            }
        }
    }
    assert!(compared > share(100, 200), "{compared}");
}

/// Inferences in a step that is shown.
const MOST: u32 = 8;

/// A position, and a step of a technique on it: where it uses others, one that shows them.
fn shown(list: &[Technique]) -> (Arc<Geometry>, Step) {
    let count = |one: &Match| one.cases.iter().flat_map(|case| &case.inferences).filter(|one| is_rule(one)).count();
    let limits = Limits { steps_per_assumption: 4, ..Limits::default() };
    for (board, state) in middle(5) {
        let found = engine_of(&board, list).position(&state).find(0, SearchMode::All, &limits).matches;
        let fits = |one: &&Match| one.inferences() <= MOST && (list.len() == 1 || count(one) > 0);
        if let Some(one) = found.iter().filter(fits).max_by_key(|one| one.inferences()) {
            let step = step_of(one, list, &board, &state);
            assert_eq!(check_cited(&board, &state, &step.cited()), StepCheck::Follows);
            return (board, step);
        }
    }
    panic!("it finds something");
}

fn is_rule(inference: &Inference) -> bool {
    matches!(inference, Inference::Rule(_))
}

fn told(list: &[Technique]) -> String {
    let (board, step) = shown(list);
    unstyled(&step_lines(&board, &step, 2))
}

#[test]
fn steps_with_cases_read_as_trees() {
    let titled = |variant| {
        let text = pinion::lang::ir::TemplatePart::Text("Forced".into());
        let title = Some(pinion::lang::ir::Template { parts: vec![text] });
        Technique { title, ..technique("outer", variant) }
    };
    let by = with_techniques(&["naked_subset", "locked_candidates"], |by| titled(rule_forms::each_of_pair(by)));
    insta::assert_snapshot!(
        told(&by),
        @r"
        Forced: 1/2 in r8c1 => r6c3<>1
          Suppose r8c1 = 1.
            r4c1 = 8: nothing else is left there, since r8c1 = 1
            r6c4 = 8: the last place for 8 in row 6, since r4c1 = 8
            r3c6 = 8: the last place for 8 in column 6, since r4c1 = 8
            Pointing: 2 in b2 => r78c4<>2
            r7c4 = 1: nothing else is left there, since r7c4<>2
            r7c7 = 2: the last place for 2 in row 7, since r7c4<>2
            r4c7 = 1: nothing else is left there, since r4c1 = 8 and r7c7 = 2
            column 6 has no place left for 1, since r8c1 = 1, r7c4 = 1 and r4c7 = 1: a contradiction
          Suppose r8c1 = 2.
            Naked Pair: 1/8 in r46c1 => r456c2<>1 r6c3<>1
            so r6c3 is not 1
          In the remaining case r6c3 is not 1.
        "
    );
    insta::assert_snapshot!(
        told(&[titled(rule_forms::contradiction(singles(None)))]),
        @r"
        Forced => r7c9<>7
          Suppose r7c9 = 7.
            r7c8 = 1: nothing else is left there, since r7c9 = 7
            r7c5 = 2: the last place for 2 in row 7, since r7c9 = 7
            r9c3 = 1: the last place for 1 in row 9, since r7c8 = 1
            r2c1 = 2: the last place for 2 in row 2, since r7c5 = 2
            r2c3 = 7: nothing else is left there, since r9c3 = 1
            r1c8 = 2: the last place for 2 in row 1, since r7c5 = 2 and r2c1 = 2
            r1c5 = 7: the last place for 7 in row 1, since r2c3 = 7 and r1c8 = 2
            r8c1 = 7: the last place for 7 in row 8, since r7c9 = 7 and r2c3 = 7
            row 6 has no place left for 7, since r7c9 = 7, r1c5 = 7 and r8c1 = 7: a contradiction
          So r7c9 is not 7.
        "
    );
    insta::assert_snapshot!(
        told(&[titled(rule_forms::contradiction(links(None)))]),
        @r"
        Forced => r8c1<>1
          Suppose r8c1 = 1.
            (1)r8c1 - (1)r6c1: r6c1 is not 1
            (1)r8c1 - (1)r8c6 = (1)r7c5 - (1)r6c5: r6c5 is not 1
            (1)r8c1 - (1)r9c3 = (1)r9c9 - (1)r6c9: r6c9 is not 1
            row 6 has no place left for 1: a contradiction
          So r8c1 is not 1.
        "
    );
    insta::assert_snapshot!(
        told(&[titled(rule_forms::each_of_cell(singles(None)))]),
        @r"
        Forced: 2/5 in r8c5 => r8c5<>2
          Suppose r8c5 = 2.
            r8c6 = 1: nothing else is left there, since r8c5 = 2
            r2c1 = 2: the last place for 2 in row 2, since r8c5 = 2
            r3c5 = 5: the last place for 5 in column 5, since r8c5 = 2
            r1c8 = 2: the last place for 2 in row 1, since r8c5 = 2 and r2c1 = 2
            r1c5 = 6: the last place for 6 in column 5, since r3c5 = 5
            r1c1 = 7: the last place for 7 in row 1, since r1c8 = 2 and r1c5 = 6
            r2c3 = 1: nothing else is left there, since r1c1 = 7
            r8c1 = 4: nothing else is left there, since r8c6 = 1 and r1c1 = 7
            r9c3 has no candidate left, since r2c3 = 1 and r8c1 = 4: a contradiction
          Suppose r8c5 = 5.
            so r8c5 is not 2, since r8c5 = 5
          In the remaining case r8c5 is not 2.
        "
    );
    let inner = Technique { id: "inner".into(), ..titled(rule_forms::contradiction(links(None))) };
    insta::assert_snapshot!(
        told(&[titled(rule_forms::each_of_pair(rules(&[("inner", None)]))), inner]),
        @r"
        Forced: 1/2 in r8c1 => r9c3<>2
          Suppose r8c1 = 1.
            r4c1 = 8: nothing else is left there, since r8c1 = 1
            r3c6 = 8: the last place for 8 in column 6, since r4c1 = 8
            Forced => r7c4<>2
              Suppose r7c4 = 2.
                (2)r7c4 - (2)r8c6: r8c6 is not 2
                (2)r7c4 - (2)r9c6: r9c6 is not 2
                column 6 has no place left for 2: a contradiction
              So r7c4 is not 2.
            r7c4 = 1: nothing else is left there, since r7c4<>2
            r7c7 = 2: the last place for 2 in row 7, since r7c4<>2
            r4c7 = 1: nothing else is left there, since r4c1 = 8 and r7c7 = 2
            column 6 has no place left for 1, since r8c1 = 1, r7c4 = 1 and r4c7 = 1: a contradiction
          Suppose r8c1 = 2.
            so r9c3 is not 2, since r8c1 = 2
          In the remaining case r9c3 is not 2.
        "
    );
}

#[test]
fn steps_with_cases_serialize() {
    let (board, step) = shown(&[technique("outer", rule_forms::each_of_cell(singles(None)))]);
    let record = StepRecord::new(&board, &step);
    let json = serde_json::to_string(&record).expect("it serializes");
    assert_eq!(serde_json::from_str::<StepRecord>(&json).expect("and back"), record);
    let text = ron::to_string(&step).expect("it serializes");
    assert_eq!(ron::from_str::<Step>(&text).expect("and back"), step);
    insta::assert_snapshot!(serde_json::to_string_pretty(&record.cases[0]).expect("it serializes"));
    let engine = engine_of(&board, &[technique("outer", rule_forms::each_of_cell(links(Some(3))))]);
    insta::assert_snapshot!(engine.plan_text(0));
}

#[test]
fn a_contradiction_of_two_inferences_side_by_side_holds() {
    let board = Geometry::standard(9).expect("a board");
    let one = |row: u16, column: u16| Candidate::new(Digit(0), Cell(9 * row + column));
    let mut state = State::empty(&board);
    for row in (0..9).filter(|row| *row != 1) {
        if row != 8 {
            state.eliminate(one(row, 2));
        }
        if row != 7 {
            state.eliminate(one(row, 0));
        }
    }
    // Rows come first among the houses, then columns.
    let column = |number: u16| HouseId(9 + number);
    let lasts =
        vec![CitedInference::LastOfHouse(one(8, 2), column(2)), CitedInference::LastOfHouse(one(7, 0), column(0))];
    let end = CitedEnd::TrueAndFalse(vec![one(7, 0)]);
    let step = CitedStep {
        cases: vec![CitedCase { supposed: (one(1, 4), true), inferences: lasts, end }],
        eliminations: vec![one(1, 4)],
        ..CitedStep::default()
    };
    assert_eq!(check_cited(&board, &state, &step), StepCheck::Follows);
    // With a third place in column 1 nothing is the last one left there.
    let mut other = State::empty(&board);
    (0..9).filter(|row| ![1, 7, 8].contains(row)).for_each(|row| _ = other.eliminate(one(row, 2)));
    assert!(matches!(check_cited(&board, &other, &step), StepCheck::WrongCase(..)));
}

/// A case in which row 1 has its digit 1 already cannot show another one there: nothing follows from such a case.
#[test]
fn what_a_position_has_is_no_last_one() {
    let board = Geometry::standard(9).expect("a board");
    let one = |cell: u16, digit: u8| Candidate::new(Digit(digit), Cell(cell));
    let mut state = State::empty(&board);
    state.place(&board, Cell(0), Digit(0));
    let wrong = |inference: CitedInference| {
        let end = CitedEnd::TrueAndFalse(vec![one(1, 0)]);
        let step = CitedStep {
            cases: vec![CitedCase { supposed: (one(40, 4), true), inferences: vec![inference], end }],
            eliminations: vec![one(40, 4)],
            ..CitedStep::default()
        };
        check_cited(&board, &state, &step)
    };
    let inner = |cells, strong| {
        let step = CitedStep { cells, strong, eliminations: vec![one(1, 0)], ..CitedStep::default() };
        CitedInference::Step(Box::new(step))
    };
    let two = DigitSet::single(Digit(1)) | DigitSet::single(Digit(2));
    for inference in [
        CitedInference::LastOfHouse(one(1, 0), HouseId(0)),
        CitedInference::LastOfCell(one(0, 1)),
        inner(vec![(Cell(0), two)], Vec::new()),
        inner(Vec::new(), vec![(one(0, 1), one(0, 2))]),
        inner(Vec::new(), vec![(one(1, 0), one(2, 0))]),
    ] {
        assert!(matches!(wrong(inference.clone()), StepCheck::WrongCase(..)), "{inference:?}");
    }
}

/// A step that eliminates the candidate that its case has placed ends the case: neither its cell nor its houses have a place left.
#[test]
fn eliminations_of_a_placed_candidate_are_contradictions() {
    let board = geometry(4);
    let digits = |list: &[u8]| -> DigitSet { list.iter().map(|&digit| Digit(digit)).collect() };
    let mut state = State::empty(&board);
    let pair = [board.cell(0, 2), board.cell(0, 3)];
    pair.iter().for_each(|&cell| state.restrict(cell, digits(&[0, 1])));
    let placed = Candidate { cell: board.cell(0, 1), digit: Digit(0) };
    let eliminates = CitedStep {
        cells: pair.iter().map(|&cell| (cell, digits(&[0, 1]))).collect(),
        eliminations: vec![placed],
        ..CitedStep::default()
    };
    let case = |end: CitedEnd, inferences: Vec<CitedInference>| CitedStep {
        cases: vec![CitedCase { supposed: (placed, true), inferences, end }],
        eliminations: vec![placed],
        ..CitedStep::default()
    };
    let house = board.houses_of(placed.cell)[0];
    let ends = [
        CitedEnd::EmptyCell(placed.cell),
        CitedEnd::EmptyHouse(house, placed.digit),
        CitedEnd::TrueAndFalse(vec![placed]),
    ];
    for end in ends {
        let whole = case(end.clone(), vec![CitedInference::Step(Box::new(eliminates.clone()))]);
        assert_eq!(check_cited(&board, &state, &whole), StepCheck::Follows, "{end:?}");
        let without = case(end.clone(), Vec::new());
        let missing = StepCheck::WrongCase(0, Box::new(StepCheck::NotTheEnd));
        assert_eq!(check_cited(&board, &state, &without), missing, "{end:?}");
    }
}
