//! Texts of steps: headlines, reasons, drawings and JSON records. The steps are made by hand, without a rule or a search.

use pinion::engine::{ChainNode, ChainStep, FamilyIndex, MemberId, SourceMatch, Value};
use pinion::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State};
use pinion::lang::ir::Space;
use pinion::render::{Scene, StepRecord, drawing, headline, step_lines, unstyled};
use pinion::solve::{BoundName, Cites, Deduction, Step};

fn board() -> Geometry {
    Geometry::standard(9).expect("a standard board")
}

/// Rows and columns are counted from one.
fn cell(row: usize, column: usize) -> Cell {
    board().cell(row - 1, column - 1)
}

fn candidate(digit: u8, row: usize, column: usize) -> Candidate {
    Candidate::new(Digit(digit - 1), cell(row, column))
}

fn digit_set(list: &[u8]) -> DigitSet {
    list.iter().map(|digit| Digit(digit - 1)).collect()
}

fn bound(name: &str, value: Value) -> BoundName {
    BoundName { name: name.into(), value, is_chosen: true, in_chain: false, is_guardian: false, is_ring: false }
}

fn step(name: &str) -> Step {
    Step {
        soundness: pinion::solve::Soundness::Proved,
        technique: "by_hand".into(),
        member: MemberId { technique: 0, args: Vec::new(), variant: 0, space: Space::Rc },
        args: Vec::new(),
        variant_title: None,
        title: name.into(),
        name: name.into(),
        bindings: Vec::new(),
        claims: Vec::new(),
        says: None,
        because: None,
        eliminations: Vec::new(),
        placements: Vec::new(),
        chain: Vec::new(),
        cites: Cites::default(),
        cost: Some(3200),
        cases: Vec::new(),
        parts: Vec::new(),
        assumes_one_solution: false,
        trial: None,
        guesses: 0,
    }
}

/// Returns the lines that are printed for a step.
fn step_text(step: &Step) -> String {
    unstyled(&step_lines(&board(), step, 2))
}

fn xyz_wing() -> Step {
    let cells = |row, column| Value::Cells(vec![cell(row, column)]);
    Step {
        bindings: vec![
            bound("pivot", cells(5, 5)),
            bound("x", Value::Digits(digit_set(&[1]))),
            bound("y", Value::Digits(digit_set(&[2]))),
            bound("z", Value::Digits(digit_set(&[3]))),
            bound("pincer1", cells(5, 9)),
            bound("pincer2", cells(4, 4)),
        ],
        claims: vec![Deduction::AtLeastOne(vec![candidate(3, 4, 4), candidate(3, 5, 5), candidate(3, 5, 9)])],
        eliminations: vec![candidate(3, 5, 4), candidate(3, 5, 6)],
        cites: Cites {
            cells: vec![
                (cell(4, 4), digit_set(&[2, 3])),
                (cell(5, 5), digit_set(&[1, 2, 3])),
                (cell(5, 9), digit_set(&[1, 3])),
            ],
            ..Cites::default()
        },
        ..step("XYZ-Wing")
    }
}

/// Returns a node of a chain that a strong link reaches.
fn strong(digit: u8, row: usize, column: usize) -> ChainStep {
    ChainStep { strong: true, node: ChainNode::single(candidate(digit, row, column)), source_match: None }
}

/// Returns a node that a weak link reaches, or the first node of an open chain.
fn weak(digit: u8, row: usize, column: usize) -> ChainStep {
    ChainStep { strong: false, ..strong(digit, row, column) }
}

fn xy_chain() -> Step {
    Step {
        bindings: vec![
            BoundName { in_chain: true, ..bound("z", Value::Digits(digit_set(&[3]))) },
            BoundName { in_chain: true, ..bound("A", Value::Cells(vec![cell(2, 2)])) },
            BoundName { in_chain: true, ..bound("B", Value::Cells(vec![cell(5, 8)])) },
        ],
        claims: vec![Deduction::AtLeastOne(vec![candidate(3, 2, 2), candidate(3, 5, 8)])],
        eliminations: vec![candidate(3, 5, 2)],
        chain: vec![
            weak(3, 2, 2),
            strong(8, 2, 2),
            weak(8, 2, 5),
            strong(9, 2, 5),
            weak(9, 2, 8),
            strong(7, 2, 8),
            weak(7, 5, 8),
            strong(3, 5, 8),
        ],
        ..step("XY-Chain")
    }
}

#[test]
fn a_reason_from_a_conclusion_that_one_of_several_candidates_is_true() {
    insta::assert_snapshot!(
        step_text(&xyz_wing()),
        @r"
        XYZ-Wing: 1/2/3 in r4c4,r5c59 => r5c46<>3
          r4c4, r5c5 or r5c9 is 3; in each case r5c4 and r5c6 are not 3.
        "
    );
}

#[test]
fn a_reason_from_a_chain() {
    insta::assert_snapshot!(
        step_text(&xy_chain()),
        @r"
        XY-Chain: (3=8)r2c2 - (8=9)r2c5 - (9=7)r2c8 - (7=3)r5c8 => r5c2<>3
          If r2c2 is not 3, then r2c2 is 8, r2c5 is 9, r2c8 is 7 and r5c8 is 3. So r2c2 or r5c8 is 3; either way r5c2 is not 3.
        "
    );
}

/// Returns a step of a loop, with an almost locked set of two cells and three digits among its links.
fn loop_through_a_set() -> Step {
    let mut chain =
        vec![strong(4, 3, 1), weak(4, 3, 5), strong(6, 3, 5), weak(6, 6, 5), strong(2, 6, 1), weak(2, 3, 1)];
    let set = vec![cell(6, 1), cell(6, 5)];
    chain[4].source_match = Some(SourceMatch { source: "als".into(), cells: set, houses: Vec::new() });
    let cited_cell = |digits: &[u8], row, column| (cell(row, column), digit_set(digits));
    Step {
        eliminations: vec![candidate(2, 1, 1), candidate(4, 3, 8), candidate(6, 8, 5), candidate(9, 6, 9)],
        chain,
        cites: Cites {
            cells: vec![
                cited_cell(&[2, 4], 3, 1),
                cited_cell(&[4, 6], 3, 5),
                cited_cell(&[2, 9], 6, 1),
                cited_cell(&[6, 9], 6, 5),
            ],
            ..Cites::default()
        },
        ..step("Loop")
    }
}

#[test]
fn a_loop_repeats_its_first_node_and_explains_each_elimination_by_a_link() {
    insta::assert_snapshot!(
        step_text(&loop_through_a_set()),
        @r"
        Loop: (2=4)r3c1 - (4=6)r3c5 - (6=2)r6c15 - (2)r3c1 => r1c1<>2 r3c8<>4 r6c9<>9 r8c5<>6
          Exactly one end of each link of the loop is true: (4)r3c1 or (4)r3c5, so r3c8<>4; (6)r3c5 or (6)r6c5, so r8c5<>6; r6c15 lacks only one of 6 and 2 and contains 9, so r6c9<>9; (2)r6c1 or (2)r3c1, so r1c1<>2.
        "
    );
}

#[test]
fn guardians_are_named() {
    let step_with_guardians = |guardians: Vec<Candidate>| Step {
        bindings: vec![
            bound("base", Value::Houses(vec![HouseId(0), HouseId(3)])),
            BoundName { is_chosen: false, is_guardian: true, ..bound("fins", Value::Candidates(guardians)) },
        ],
        claims: vec![Deduction::Eliminate(vec![candidate(7, 7, 4)])],
        eliminations: vec![candidate(7, 7, 4)],
        ..step("By Hand")
    };
    let guardian_lists = [Vec::new(), vec![candidate(7, 8, 5)], vec![candidate(7, 8, 5), candidate(7, 9, 5)]];
    insta::assert_snapshot!(guardian_lists.map(|list| step_text(&step_with_guardians(list))).concat());
}

#[test]
fn only_conclusions_that_change_the_state_are_explained() {
    let mut chain = xy_chain();
    chain.claims.push(Deduction::AtLeastOne(vec![candidate(8, 2, 2), candidate(8, 2, 5)]));
    assert_eq!(step_text(&chain), step_text(&xy_chain()));
    chain.eliminations.push(candidate(8, 2, 9));
    assert!(step_text(&chain).contains("r2c2 or r2c5 is 8"), "{}", step_text(&chain));
}

#[test]
fn a_drawing_marks_eliminated_candidates_and_cells_of_the_pattern() {
    let mut state = State::empty(&board());
    state.place(&board(), cell(1, 1), Digit(0));
    // Only the candidates 1, 2 and 3 remain.
    for cell in board().cells() {
        for digit in (DigitSet::all(9) - digit_set(&[1, 2, 3])).iter() {
            state.eliminate(Candidate::new(digit, cell));
        }
    }
    insta::assert_snapshot!(unstyled(&drawing(&board(), &Scene::of_step(&board(), &state, &xyz_wing()), None)));
}

#[test]
fn a_reason_for_eliminations() {
    let step = Step {
        bindings: vec![
            bound("h", Value::Houses(vec![HouseId(0)])),
            bound("s", Value::Cells(vec![cell(1, 2), cell(1, 5)])),
        ],
        claims: vec![Deduction::Eliminate(vec![candidate(4, 1, 3), candidate(7, 1, 3), candidate(4, 1, 9)])],
        eliminations: vec![candidate(4, 1, 3), candidate(7, 1, 3)],
        cites: Cites {
            cells: vec![(cell(1, 2), digit_set(&[4, 7])), (cell(1, 5), digit_set(&[4, 7]))],
            ..Cites::default()
        },
        ..step("Naked Pair")
    };
    insta::assert_snapshot!(
        step_text(&step),
        @r"
        Naked Pair: 4/7 in r1c25, r1 => r1c3<>47
          The candidates of r1c2 and r1c5 together exclude the candidates 4 and 7 in r1c3.
        "
    );
}

#[test]
fn a_reason_for_a_placement_and_a_reason_written_by_the_author() {
    let placed = Step {
        bindings: vec![bound("c", Value::Cells(vec![cell(3, 4)])), bound("d", Value::Digits(digit_set(&[5])))],
        claims: vec![Deduction::Place(vec![candidate(5, 3, 4)])],
        placements: vec![candidate(5, 3, 4)],
        cites: Cites { cells: vec![(cell(3, 4), digit_set(&[5]))], ..Cites::default() },
        ..step("Naked Single")
    };
    let by_author = Step { because: Some("5 is all that r3c4 can hold".into()), ..placed.clone() };
    insta::assert_snapshot!(
        step_text(&placed) + &step_text(&by_author),
        @r"
        Naked Single: 5 in r3c4 => r3c4=5
          The candidates of r3c4 leave only 5 in r3c4.
        Naked Single: 5 in r3c4 => r3c4=5
          5 is all that r3c4 can hold.
        "
    );
}

#[test]
fn a_reason_from_a_single_candidate_that_must_be_true() {
    let step = Step {
        bindings: vec![bound(
            "pincer",
            Value::Family(vec![
                (FamilyIndex::Digit(Digit(0)), vec![cell(1, 1)]),
                (FamilyIndex::Digit(Digit(1)), vec![cell(9, 9)]),
            ]),
        )],
        claims: vec![Deduction::AtLeastOne(vec![candidate(3, 1, 1)])],
        placements: vec![candidate(3, 1, 1)],
        cites: Cites {
            cells: vec![(cell(1, 1), digit_set(&[1, 3])), (cell(9, 9), digit_set(&[2, 3]))],
            ..Cites::default()
        },
        ..step("By Hand")
    };
    insta::assert_snapshot!(
        step_text(&step),
        @r"
        By Hand: r1c1,r9c9 => r1c1=3
          3 in r1c1 must be true.
        "
    );
}

/// If a rule writes no headline, the default headline depends on the kinds of values that its names have.
#[test]
fn default_headlines_by_kind_of_values() {
    let cell_list =
        |at: &[(usize, usize)]| -> Vec<Cell> { at.iter().map(|&(row, column)| cell(row, column)).collect() };
    let cells = |name: &str, at: &[(usize, usize)]| bound(name, Value::Cells(cell_list(at)));
    let cites_of = |all: &[(usize, usize, &[u8])]| {
        let cells = all.iter().map(|&(row, column, list)| (cell(row, column), digit_set(list))).collect();
        Cites { cells, ..Cites::default() }
    };
    let default_cites = || cites_of(&[(1, 1, &[1, 3, 5]), (1, 2, &[5, 7]), (1, 6, &[3, 5]), (2, 1, &[1, 7])]);
    let step_with = |name: &str, bindings: Vec<BoundName>| Step {
        bindings,
        cites: default_cites(),
        eliminations: vec![candidate(9, 9, 9)],
        ..step(name)
    };
    let sets = || vec![cells("I", &[(1, 1), (1, 2)]), cells("R", &[(1, 6)]), cells("B", &[(2, 1)])];
    let sets_and = |binding: BoundName| [sets(), vec![binding]].concat();
    let family = |members: &[(u8, &[(usize, usize)])]| {
        let member = |&(digit, at): &(u8, &[(usize, usize)])| (FamilyIndex::Digit(Digit(digit - 1)), cell_list(at));
        bound("petal", Value::Family(members.iter().map(member).collect()))
    };
    let candidates = |name: &str, list: &[(u8, usize, usize)]| {
        bound(name, Value::Candidates(list.iter().map(|&(digit, row, column)| candidate(digit, row, column)).collect()))
    };
    let digits = |name: &str, list: &[u8]| bound(name, Value::Digits(digit_set(list)));
    let houses = |name: &str, list: &[u16]| bound(name, Value::Houses(list.iter().map(|&id| HouseId(id)).collect()));
    let ring = BoundName { is_ring: true, ..candidates("K", &[(4, 1, 1), (4, 1, 5), (4, 3, 2)]) };
    let mut chain_and_sets = Step { cites: default_cites(), ..xy_chain() };
    // The headline names the digit 8, and not 3, because the chain shows 3 at its end.
    chain_and_sets.bindings.extend(sets_and(digits("x", &[3])));
    chain_and_sets.bindings.push(digits("z", &[8]));
    let placement = Step {
        eliminations: Vec::new(),
        placements: vec![candidate(1, 1, 1)],
        ..step_with("a digit of a house", vec![houses("h", &[8]), digits("d", &[1]), cells("c", &[(1, 1)])])
    };
    let pivot = bound("pivot", Value::Places(vec![(HouseId(0), Digit(4)), (HouseId(11), Digit(4))]));
    let places = Step {
        cites: cites_of(&[(1, 1, &[5]), (1, 2, &[5]), (4, 3, &[5]), (8, 3, &[5])]),
        ..step_with("digits in houses", vec![pivot, houses("x", &[9, 10])])
    };
    let parts = vec![step_with("", sets()), step_with("", sets()), step_with("", vec![houses("h", &[0, 2, 9])])];
    let steps = [
        xyz_wing(),
        step_with("one set", vec![houses("h", &[0]), cells("s", &[(1, 1), (1, 2)])]),
        step_with("several sets", sets()),
        step_with("sets and a digit of them", sets_and(digits("z", &[7]))),
        placement,
        step_with("houses", vec![digits("d", &[4]), houses("base", &[0, 5, 20]), houses("cover", &[9, 10, 11])]),
        step_with("a family of cells", vec![family(&[(1, &[(1, 1)]), (2, &[(1, 6)])]), digits("z", &[9])]),
        step_with("a family of sets", vec![family(&[(1, &[(1, 1), (1, 2)]), (2, &[(1, 6)])])]),
        step_with(
            "two colours",
            vec![digits("d", &[4]), candidates("blue", &[(4, 1, 1)]), candidates("green", &[(4, 1, 5)])],
        ),
        step_with("a ring", vec![ring, candidates("G", &[(4, 9, 1)])]),
        chain_and_sets,
        places,
        Step { parts, ..step_with("two in one", sets()) },
        step_with("nothing", vec![cells("s", &[]), candidates("none", &[])]),
    ];
    let lines: Vec<String> = steps.iter().map(|step| headline(&board(), step).to_string()).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn records_and_steps_are_unchanged_after_json_and_ron() {
    for step in [xyz_wing(), xy_chain(), loop_through_a_set()] {
        let record = StepRecord::new(&board(), &step);
        let json = serde_json::to_string(&record).expect("JSON");
        assert_eq!(serde_json::from_str::<StepRecord>(&json).expect("JSON"), record);
        let ron = ron::to_string(&record).expect("RON");
        assert_eq!(ron::from_str::<StepRecord>(&ron).expect("RON"), record);
        let json = serde_json::to_string(&step).expect("JSON");
        assert_eq!(serde_json::from_str::<Step>(&json).expect("JSON"), step);
    }
    insta::assert_json_snapshot!(StepRecord::new(&board(), &xyz_wing()));
}
