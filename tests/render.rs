//! Steps in words, from steps made by hand: no rule and no search is needed for them.

use pinion::engine::{ChainNode, ChainStep, FamilyIndex, MemberId, Value};
use pinion::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId};
use pinion::lang::ir::Space;
use pinion::render::{StepRecord, explained, plain};
use pinion::solve::{Binding, Cites, Deduction, Step};

fn board() -> Geometry {
    Geometry::standard(9).expect("a standard board")
}

fn cell(row: usize, column: usize) -> Cell {
    board().cell(row - 1, column - 1)
}

fn candidate(digit: u8, row: usize, column: usize) -> Candidate {
    Candidate::new(Digit(digit - 1), cell(row, column))
}

fn digits(list: &[u8]) -> DigitSet {
    list.iter().map(|digit| Digit(digit - 1)).collect()
}

fn bound(name: &str, value: Value, concluded: bool) -> Binding {
    Binding { name: name.into(), value, free: true, concluded, guards: false }
}

fn step(name: &str) -> Step {
    Step {
        technique: "by_hand".into(),
        member: MemberId { technique: 0, args: Vec::new(), variant: 0, space: Space::Rc },
        args: Vec::new(),
        case: None,
        title: name.into(),
        name: name.into(),
        bindings: Vec::new(),
        claims: Vec::new(),
        because: None,
        eliminations: Vec::new(),
        placements: Vec::new(),
        chain: Vec::new(),
        cites: Cites::default(),
        cost: Some(3200),
        cases: Vec::new(),
        assumes_one_solution: false,
        trial: None,
        guesses: 0,
    }
}

fn told(step: &Step) -> String {
    plain(&explained(&board(), step, 2))
}

fn xyz_wing() -> Step {
    let cells = |row, column| Value::Cells(vec![cell(row, column)]);
    Step {
        bindings: vec![
            bound("pivot", cells(5, 5), true),
            bound("x", Value::Digits(digits(&[1])), false),
            bound("y", Value::Digits(digits(&[2])), false),
            bound("z", Value::Digits(digits(&[3])), true),
            bound("pincer1", cells(5, 9), true),
            bound("pincer2", cells(4, 4), true),
        ],
        claims: vec![Deduction::Some(vec![candidate(3, 4, 4), candidate(3, 5, 5), candidate(3, 5, 9)])],
        eliminations: vec![candidate(3, 5, 4), candidate(3, 5, 6)],
        cites: Cites {
            cells: vec![(cell(4, 4), digits(&[2, 3])), (cell(5, 5), digits(&[1, 2, 3])), (cell(5, 9), digits(&[1, 3]))],
            ..Cites::default()
        },
        ..step("XYZ-Wing")
    }
}

fn xy_chain() -> Step {
    let node = |strong, digit, row, column| ChainStep {
        strong,
        node: ChainNode::single(candidate(digit, row, column)),
        via: None,
    };
    Step {
        bindings: vec![
            bound("z", Value::Digits(digits(&[3])), true),
            bound("A", Value::Cells(vec![cell(2, 2)]), true),
            bound("B", Value::Cells(vec![cell(5, 8)]), true),
        ],
        claims: vec![Deduction::Some(vec![candidate(3, 2, 2), candidate(3, 5, 8)])],
        eliminations: vec![candidate(3, 5, 2)],
        chain: vec![
            node(false, 3, 2, 2),
            node(true, 8, 2, 2),
            node(false, 8, 2, 5),
            node(true, 9, 2, 5),
            node(false, 9, 2, 8),
            node(true, 7, 2, 8),
            node(false, 7, 5, 8),
            node(true, 3, 5, 8),
        ],
        ..step("XY-Chain")
    }
}

#[test]
fn one_of_several_candidates() {
    insta::assert_snapshot!(told(&xyz_wing()));
}

#[test]
fn a_chain() {
    insta::assert_snapshot!(told(&xy_chain()));
}

#[test]
fn candidates_that_go() {
    let step = Step {
        bindings: vec![
            bound("h", Value::Houses(vec![HouseId(0)]), false),
            bound("s", Value::Cells(vec![cell(1, 2), cell(1, 5)]), true),
        ],
        claims: vec![Deduction::Eliminate(vec![candidate(4, 1, 3), candidate(7, 1, 3), candidate(4, 1, 9)])],
        eliminations: vec![candidate(4, 1, 3), candidate(7, 1, 3)],
        cites: Cites { cells: vec![(cell(1, 2), digits(&[4, 7])), (cell(1, 5), digits(&[4, 7]))], ..Cites::default() },
        ..step("Naked Pair")
    };
    insta::assert_snapshot!(told(&step));
}

#[test]
fn a_digit_that_is_placed_and_the_authors_words() {
    let placed = Step {
        bindings: vec![bound("c", Value::Cells(vec![cell(3, 4)]), true), bound("d", Value::Digits(digits(&[5])), true)],
        claims: vec![Deduction::Place(vec![candidate(5, 3, 4)])],
        placements: vec![candidate(5, 3, 4)],
        cites: Cites { cells: vec![(cell(3, 4), digits(&[5]))], ..Cites::default() },
        ..step("Naked Single")
    };
    let own = Step { because: Some("5 is all that r3c4 can hold".into()), ..placed.clone() };
    insta::assert_snapshot!(told(&placed) + &told(&own));
}

#[test]
fn a_family_and_a_single_candidate() {
    let step = Step {
        bindings: vec![bound(
            "pincer",
            Value::Family(vec![
                (FamilyIndex::Digit(Digit(0)), vec![cell(1, 1)]),
                (FamilyIndex::Digit(Digit(1)), vec![cell(9, 9)]),
            ]),
            true,
        )],
        claims: vec![Deduction::Some(vec![candidate(3, 1, 1)])],
        placements: vec![candidate(3, 1, 1)],
        cites: Cites { cells: vec![(cell(1, 1), digits(&[1, 3])), (cell(9, 9), digits(&[2, 3]))], ..Cites::default() },
        ..step("By Hand")
    };
    insta::assert_snapshot!(told(&step));
}

#[test]
fn records_go_to_json_and_ron_and_back() {
    for step in [xyz_wing(), xy_chain()] {
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
