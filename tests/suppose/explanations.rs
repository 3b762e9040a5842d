//! Explanations of steps with suppositions: each inference follows from what it cites, changed explanations are rejected, and
//! steps are written as text and as data.

use super::reference::random_states;
use super::rule_forms::{self, engine_of, links, rules, singles, technique};
use crate::common::states::middle_states;
use crate::common::{Mapping, geometry, quick_or_full};
use pinion::engine::{Inference, Limits, Match, SearchMode};
use pinion::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State};
use pinion::lang::ir::{InferenceMethods, RuleRef, Technique, Template, TemplatePart};
use pinion::proof::{Citation, CitedCase, CitedEnd, CitedInference, CitedStep, StepCheck, check_cited};
use pinion::render::{StepRecord, step_lines, unstyled};
use pinion::solve::{InnerStep, Rulebook, Step, step_of};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Maximum number of steps of a rule that are checked on one state.
const MAX_STEPS: usize = 15;

/// Limits that keep suppositions with techniques short: a few steps of techniques are enough for a test.
fn few_inner_steps() -> Limits {
    Limits { steps_per_assumption: 4, ..Limits::default() }
}

/// Returns evenly spaced steps of the first of these techniques.
fn steps(board: &Arc<Geometry>, state: &State, techniques: &[Technique]) -> Vec<Step> {
    let matches = engine_of(board, techniques).position(state).find(0, SearchMode::All, &few_inner_steps()).matches;
    let stride = matches.len().div_ceil(MAX_STEPS).max(1);
    matches.iter().step_by(stride).map(|found| step_of(found, techniques, board, state)).collect()
}

/// Returns the rule that `outer` makes, and then the built-in techniques with these ids, which the rule uses under its
/// suppositions.
fn with_techniques(ids: &[&str], outer: impl Fn(InferenceMethods) -> Technique) -> Vec<Technique> {
    let rulebook = Rulebook::embedded();
    let references = ids.iter().map(|id| RuleRef { technique: id.to_string(), args: None }).collect();
    let mut techniques = vec![outer(InferenceMethods::Rules(references))];
    let inner = rulebook.techniques().iter().filter(|technique| ids.contains(&technique.id.as_str()));
    techniques.extend(inner.cloned());
    techniques
}

fn assert_follows(board: &Geometry, state: &State, step: &Step) {
    assert_eq!(check_cited(board, state, &step.cited()), StepCheck::Follows, "{step:#?}");
}

/// Checks the explanations of rules on random states. Returns the number of steps and the number of their inferences.
fn check_explanations(boards: &[usize], count: u64, rules: &[Technique]) -> (usize, usize) {
    let (mut step_count, mut inference_count) = (0, 0);
    for (board, state) in random_states(boards, count) {
        for rule in rules {
            for step in steps(&board, &state, std::slice::from_ref(rule)) {
                assert_follows(&board, &state, &step);
                step_count += 1;
                inference_count += step.cases.iter().map(|case| case.inferences.len()).sum::<usize>();
            }
        }
    }
    (step_count, inference_count)
}

#[test]
fn explanations_by_singles_hold() {
    let (steps, inferences) = check_explanations(&[4, 6, 9], 9, &rule_forms::all_forms(&|| singles(None)));
    assert!(steps > 250 && inferences > steps, "{steps} steps, {inferences} inferences");
    let (steps, _) = check_explanations(&[6, 9], 4, &rule_forms::forms_of_one_digit());
    assert!(steps > 50, "{steps} steps");
}

#[test]
fn explanations_by_links_hold() {
    let (steps, inferences) = check_explanations(&[4, 6, 9], 9, &rule_forms::all_forms(&|| links(None)));
    assert!(steps > 200 && inferences > steps, "{steps} steps, {inferences} inferences");
}

/// Returns every `stride`-th state from the middle of solution paths, with its board.
fn states_in_the_middle(stride: usize) -> impl Iterator<Item = (Arc<Geometry>, State)> {
    middle_states().into_iter().step_by(stride).map(|state| (geometry(9), state))
}

/// Returns the steps of techniques inside the cases of a step.
fn inner_steps(step: &Step) -> impl Iterator<Item = &Step> {
    step.cases.iter().flat_map(|case| &case.inferences).filter_map(|inference| match inference {
        InnerStep::Step(step) => Some(step.as_ref()),
        _ => None,
    })
}

#[test]
fn explanations_by_techniques_hold() {
    let ids = ["locked_candidates", "naked_subset", "hidden_subset", "xy_wing", "x_chain", "xy_chain"];
    let techniques = with_techniques(&ids, |by| technique("outer", rule_forms::each_of_pair(by)));
    let mut used_techniques: BTreeSet<String> = BTreeSet::new();
    for (board, state) in states_in_the_middle(6) {
        for step in steps(&board, &state, &techniques) {
            assert_follows(&board, &state, &step);
            used_techniques.extend(inner_steps(&step).map(|inner| inner.technique.clone()));
        }
    }
    assert!(used_techniques.len() > 2, "{used_techniques:?}");
}

#[test]
fn explanations_by_suppositions_within_suppositions_hold() {
    let techniques = [
        technique("outer", rule_forms::each_of_pair(rules(&[("inner", None)]))),
        technique("inner", rule_forms::contradiction(links(None))),
    ];
    let mut inner_suppositions = 0;
    for (board, state) in states_in_the_middle(20) {
        for step in steps(&board, &state, &techniques) {
            assert_follows(&board, &state, &step);
            inner_suppositions += inner_steps(&step).filter(|inner| !inner.cases.is_empty()).count();
        }
    }
    assert!(inner_suppositions > 3, "{inner_suppositions}");
}

/// Counts of explanations that lack a part.
#[derive(Debug, Default)]
struct Omissions {
    /// Explanations that lack an inference.
    inferences: usize,
    /// Explanations that still follow, because another inference gives the same reason.
    needless_inferences: usize,
    /// Explanations that still follow without a case, although the case has several inferences.
    needless_cases: usize,
}

#[test]
fn explanations_with_an_omission_are_rejected() {
    let (board, state) = states_in_the_middle(7).last().expect("a state");
    let mut omissions = Omissions::default();
    for rule in [
        rule_forms::contradiction(singles(None)),
        rule_forms::each_of_cell(singles(None)),
        rule_forms::either(singles(None)),
    ] {
        for step in steps(&board, &state, &[technique("rule", rule)]) {
            let cited = step.cited();
            for case_index in 0..cited.cases.len() {
                check_omitted_inferences(&board, &state, &cited, case_index, &mut omissions);
                check_wrong_end(&board, &state, &cited, case_index);
                check_omitted_case(&board, &state, &cited, case_index, &mut omissions);
            }
        }
    }
    let Omissions { inferences, needless_inferences, needless_cases } = omissions;
    assert!(inferences > 100, "{omissions:?}");
    assert!(needless_inferences * 10 < inferences && needless_cases * 50 < inferences, "{omissions:?}");
}

fn check_omitted_inferences(
    board: &Geometry,
    state: &State,
    cited: &CitedStep,
    case_index: usize,
    omissions: &mut Omissions,
) {
    for inference in 0..cited.cases[case_index].inferences.len() {
        let mut shortened = cited.clone();
        shortened.cases[case_index].inferences.remove(inference);
        omissions.inferences += 1;
        match check_cited(board, state, &shortened) {
            StepCheck::WrongCase(wrong_case, _) => assert_eq!(wrong_case, case_index),
            check => {
                assert_eq!(check, StepCheck::Follows);
                omissions.needless_inferences += 1;
            }
        }
    }
}

/// A case that is said to end at an empty cell is rejected, because the cell r1c1 is not empty.
fn check_wrong_end(board: &Geometry, state: &State, cited: &CitedStep, case_index: usize) {
    let wrong_end = CitedEnd::EmptyCell(board.cell(0, 0));
    if cited.cases[case_index].end != wrong_end {
        let mut changed = cited.clone();
        changed.cases[case_index].end = wrong_end;
        let not_the_end = StepCheck::WrongCase(case_index, Box::new(StepCheck::NotTheEnd));
        assert_eq!(check_cited(board, state, &changed), not_the_end);
    }
}

fn check_omitted_case(
    board: &Geometry,
    state: &State,
    cited: &CitedStep,
    case_index: usize,
    omissions: &mut Omissions,
) {
    let mut shortened = cited.clone();
    shortened.cases.remove(case_index);
    let is_rejected = matches!(check_cited(board, state, &shortened), StepCheck::DoesNotFollow(_));
    // The result of a case with one inference may follow from the cited cells alone.
    if !is_rejected && cited.cases[case_index].inferences.len() > 1 {
        omissions.needless_cases += 1;
    }
}

/// With all cited causes, one candidate of the cell (or one place in the house) is left. Without the last cause, more are left.
#[test]
fn causes_of_singles_are_sufficient_and_necessary() {
    let mut checked = 0;
    for (board, state) in random_states(&[4, 6], 4) {
        for rule in rule_forms::all_forms(&|| singles(None)) {
            for step in steps(&board, &state, &[rule]) {
                for inference in step.cases.iter().flat_map(|case| &case.inferences) {
                    let (InnerStep::Naked(_, causes) | InnerStep::Hidden(_, _, causes)) = inference else { continue };
                    assert_eq!(alternatives(&board, &state, inference, causes), 1, "{inference:?}");
                    if let Some((_, earlier_causes)) = causes.split_last() {
                        assert!(alternatives(&board, &state, inference, earlier_causes) > 1, "{inference:?}");
                    }
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 100, "{checked}");
}

/// Returns the number of candidates of the cell of a naked single, or of places of a hidden single, after the causes.
fn alternatives(board: &Geometry, state: &State, single: &InnerStep, causes: &[(Candidate, bool)]) -> usize {
    let mut changed = state.clone();
    for &(candidate, is_true) in causes {
        if is_true {
            changed.place(board, candidate.cell, candidate.digit);
        } else {
            changed.eliminate(candidate);
        }
    }
    match single {
        InnerStep::Naked(candidate, _) => changed.candidates(candidate.cell).len(),
        InnerStep::Hidden(candidate, house, _) => {
            let cells = board.house(*house).cells.iter();
            cells.filter(|&&cell| changed.has(Candidate::new(candidate.digit, cell))).count()
        }
        _ => unreachable!("not a single"),
    }
}

/// Changes the explanation with the most inferences. It is rejected if its first and last inference are exchanged, and if an
/// inner step assumes one solution.
#[test]
fn false_inferences_are_rejected() {
    let rule = [technique("rule", rule_forms::contradiction(singles(None)))];
    let explained = random_states(&[9], 8).flat_map(|(board, state)| {
        steps(&board, &state, &rule).into_iter().map(move |step| (board.clone(), state.clone(), step))
    });
    let longest = explained.max_by_key(|(.., step)| step.cases[0].inferences.len());
    let (board, state, step) = longest.expect("a step");
    let last = step.cases[0].inferences.len() - 1;
    let mut cited = step.cited();
    assert_eq!(check_cited(&board, &state, &cited), StepCheck::Follows);
    cited.cases[0].inferences.swap(0, last);
    let check = check_cited(&board, &state, &cited);
    assert!(
        matches!(&check, StepCheck::WrongCase(0, reason) if matches!(**reason, StepCheck::NotLast(_))),
        "{check:?}"
    );
    let unique = CitedStep { one_solution: true, ..Default::default() };
    cited.cases[0].inferences.insert(0, CitedInference::Step(Box::new(unique)));
    let reason = Box::new(StepCheck::OneSolution);
    assert_eq!(check_cited(&board, &state, &cited), StepCheck::WrongCase(0, reason));
    cited.one_solution = true;
    assert_eq!(check_cited(&board, &state, &cited), StepCheck::OneSolution);
}

/// Eliminations and placements of the matches of a rule, after `map`.
fn mapped_effects(
    board: &Arc<Geometry>,
    state: &State,
    rule: &Technique,
    map: impl Fn(Candidate) -> Candidate,
) -> BTreeSet<(Vec<Candidate>, Vec<Candidate>)> {
    let engine = engine_of(board, std::slice::from_ref(rule));
    let matches = engine.position(state).find(0, SearchMode::All, &Limits::default()).matches;
    let mapped = |list: &[Candidate]| -> Vec<Candidate> { list.iter().map(|&candidate| map(candidate)).collect() };
    matches.iter().map(|found| (mapped(&found.eliminations), mapped(&found.placements))).collect()
}

#[test]
fn a_transformed_state_has_the_transformed_conclusions() {
    let mut compared = 0;
    for (number, (board, state)) in random_states(&[9], quick_or_full(1, 2)).enumerate() {
        let mapping = Mapping::from_seed(9, 3, number as u64);
        let copy = mapping.state(&board, &state);
        for methods in [singles(None), links(None)] {
            for rule in rule_forms::all_forms(&|| methods.clone()) {
                let expected = mapped_effects(&board, &state, &rule, |candidate| mapping.candidate(candidate));
                let found = mapped_effects(&board, &copy, &rule, |candidate| candidate);
                assert_eq!(found, expected, "{} on state {number}", rule.id);
                compared += expected.len();
                for step in steps(&board, &copy, &[rule]).iter().take(5) {
                    assert_follows(&board, &copy, step);
                }
            }
        }
    }
    assert!(compared > quick_or_full(100, 200), "{compared}");
}

/// Maximum number of inferences of a step in a snapshot.
const MAX_INFERENCES: u32 = 8;

/// Returns a step of the first technique, with its board. If there are other techniques, the step uses one of them.
fn step_for_snapshot(techniques: &[Technique]) -> (Arc<Geometry>, Step) {
    let needs_inner_step = techniques.len() > 1;
    for (board, state) in states_in_the_middle(5) {
        let engine = engine_of(&board, techniques);
        let matches = engine.position(&state).find(0, SearchMode::All, &few_inner_steps()).matches;
        let is_suitable =
            |found: &&Match| found.inferences() <= MAX_INFERENCES && (has_inner_step(found) || !needs_inner_step);
        if let Some(found) = matches.iter().filter(is_suitable).max_by_key(|found| found.inferences()) {
            let step = step_of(found, techniques, &board, &state);
            assert_follows(&board, &state, &step);
            return (board, step);
        }
    }
    panic!("no step is suitable");
}

fn has_inner_step(found: &Match) -> bool {
    let mut inferences = found.cases.iter().flat_map(|case| &case.inferences);
    inferences.any(|inference| matches!(inference, Inference::Rule(_)))
}

fn step_as_text(techniques: &[Technique]) -> String {
    let (board, step) = step_for_snapshot(techniques);
    unstyled(&step_lines(&board, &step, 2))
}

#[test]
fn steps_with_cases_read_as_trees() {
    let titled = |variant| {
        let title = Some(Template { parts: vec![TemplatePart::Text("Forced".into())] });
        Technique { title, ..technique("outer", variant) }
    };
    let by_techniques =
        with_techniques(&["naked_subset", "locked_candidates"], |by| titled(rule_forms::each_of_pair(by)));
    insta::assert_snapshot!(
        step_as_text(&by_techniques),
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
        step_as_text(&[titled(rule_forms::contradiction(singles(None)))]),
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
        step_as_text(&[titled(rule_forms::contradiction(links(None)))]),
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
        step_as_text(&[titled(rule_forms::each_of_cell(singles(None)))]),
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
        step_as_text(&[titled(rule_forms::each_of_pair(rules(&[("inner", None)]))), inner]),
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
    let (board, step) = step_for_snapshot(&[technique("outer", rule_forms::each_of_cell(singles(None)))]);
    let record = StepRecord::new(&board, &step);
    let json = serde_json::to_string(&record).expect("it serializes");
    assert_eq!(serde_json::from_str::<StepRecord>(&json).expect("it deserializes"), record);
    let text = ron::to_string(&step).expect("it serializes");
    assert_eq!(ron::from_str::<Step>(&text).expect("it deserializes"), step);
    insta::assert_snapshot!(serde_json::to_string_pretty(&record.cases[0]).expect("it serializes"));
    let engine = engine_of(&board, &[technique("outer", rule_forms::each_of_cell(links(Some(3))))]);
    insta::assert_snapshot!(engine.plan(0).to_string());
}

/// Column 1 has the places r2c1 and r8c1 for the digit 1, and column 3 has r2c3 and r9c3. If r2c5 is 1, the places in row 2 are
/// excluded, so r8c1 and r9c3 are 1. Both are in box 7: a contradiction.
#[test]
fn a_contradiction_of_two_independent_inferences_holds() {
    let board = Geometry::standard(9).expect("a board");
    let digit_1_at = |row: usize, column: usize| Candidate::new(Digit(0), board.cell(row - 1, column - 1));
    let mut state = State::empty(&board);
    for row in [1, 3, 4, 5, 6, 7, 8] {
        state.eliminate(digit_1_at(row, 3));
    }
    for row in [1, 3, 4, 5, 6, 7, 9] {
        state.eliminate(digit_1_at(row, 1));
    }
    // Houses are numbered from row 1 on, then from column 1 on.
    let column = |number: u16| HouseId(9 + number - 1);
    let supposed = digit_1_at(2, 5);
    let inferences = vec![
        CitedInference::LastOfHouse(digit_1_at(9, 3), column(3)),
        CitedInference::LastOfHouse(digit_1_at(8, 1), column(1)),
    ];
    let end = CitedEnd::TrueAndFalse(vec![digit_1_at(8, 1)]);
    let step = CitedStep {
        cases: vec![CitedCase { supposed: (supposed, true), inferences, end }],
        eliminations: vec![supposed],
        ..CitedStep::default()
    };
    assert_eq!(check_cited(&board, &state, &step), StepCheck::Follows);
    // Here r8c3 is another place in column 3, so r9c3 is not the last one.
    let mut wider_state = State::empty(&board);
    for row in [1, 3, 4, 5, 6, 7] {
        wider_state.eliminate(digit_1_at(row, 3));
    }
    assert!(matches!(check_cited(&board, &wider_state, &step), StepCheck::WrongCase(..)));
}

/// Row 1 has its digit 1, so no inference can derive another 1 there. From such a case nothing follows.
#[test]
fn a_placed_digit_is_not_derived_again() {
    let board = Geometry::standard(9).expect("a board");
    let candidate = |column: u16, digit: u8| Candidate::new(Digit(digit - 1), Cell(column - 1));
    let mut state = State::empty(&board);
    state.place(&board, Cell(0), Digit(0));
    let supposed = Candidate::new(Digit(4), Cell(40));
    let check = |inference: CitedInference| {
        let end = CitedEnd::TrueAndFalse(vec![candidate(2, 1)]);
        let step = CitedStep {
            cases: vec![CitedCase { supposed: (supposed, true), inferences: vec![inference], end }],
            eliminations: vec![supposed],
            ..CitedStep::default()
        };
        check_cited(&board, &state, &step)
    };
    let step_that_cites = |cells, strong| {
        let cites = Citation { cells, strong, ..Citation::default() };
        let step = CitedStep { cites, eliminations: vec![candidate(2, 1)], ..CitedStep::default() };
        CitedInference::Step(Box::new(step))
    };
    let digits_2_3 = DigitSet::single(Digit(1)) | DigitSet::single(Digit(2));
    for inference in [
        CitedInference::LastOfHouse(candidate(2, 1), HouseId(0)),
        CitedInference::LastOfCell(candidate(1, 2)),
        step_that_cites(vec![(Cell(0), digits_2_3)], Vec::new()),
        step_that_cites(Vec::new(), vec![(candidate(1, 2), candidate(1, 3))]),
        step_that_cites(Vec::new(), vec![(candidate(2, 1), candidate(3, 1))]),
    ] {
        assert!(matches!(check(inference.clone()), StepCheck::WrongCase(..)), "{inference:?}");
    }
}

/// The case places 1 in r1c2, and the naked pair of 1 and 2 in r1c34 eliminates this candidate: so the cell and its houses have
/// no place left.
#[test]
fn eliminations_of_a_placed_candidate_are_contradictions() {
    let board = geometry(4);
    let digits_1_2 = DigitSet::single(Digit(0)) | DigitSet::single(Digit(1));
    let mut state = State::empty(&board);
    let pair = [board.cell(0, 2), board.cell(0, 3)];
    for cell in pair {
        state.restrict(cell, digits_1_2);
    }
    let placed = Candidate { cell: board.cell(0, 1), digit: Digit(0) };
    let cells = pair.iter().map(|&cell| (cell, digits_1_2)).collect();
    let cites = Citation { cells, ..Citation::default() };
    let naked_pair = CitedStep { cites, eliminations: vec![placed], ..CitedStep::default() };
    let refutation = |end: CitedEnd, inferences: Vec<CitedInference>| CitedStep {
        cases: vec![CitedCase { supposed: (placed, true), inferences, end }],
        eliminations: vec![placed],
        ..CitedStep::default()
    };
    let house = board.houses_of(placed.cell)[0];
    for end in [
        CitedEnd::EmptyCell(placed.cell),
        CitedEnd::EmptyHouse(house, placed.digit),
        CitedEnd::TrueAndFalse(vec![placed]),
    ] {
        let complete = refutation(end.clone(), vec![CitedInference::Step(Box::new(naked_pair.clone()))]);
        assert_eq!(check_cited(&board, &state, &complete), StepCheck::Follows, "{end:?}");
        let without_pair = refutation(end.clone(), Vec::new());
        let not_the_end = StepCheck::WrongCase(0, Box::new(StepCheck::NotTheEnd));
        assert_eq!(check_cited(&board, &state, &without_pair), not_the_end, "{end:?}");
    }
}
