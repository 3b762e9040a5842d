//! Expressions, conditions and conclusions, each pinned down on a state that a reader can check by eye.

use super::rules::{chosen, pattern, technique, v, within_cells};
use pinion::engine::Value;
use pinion::eval::Evaluator;
use pinion::grid::{BoardSpec, Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State};
use pinion::lang::ir::*;

/// 4×4: r1c1 = 1, r1c2 {2,3}, r1c3 {2,4}, the rest as it follows.
fn board() -> (Geometry, State) {
    let board = Geometry::standard(4).expect("a standard size");
    let mut state = State::empty(&board);
    state.place(&board, Cell(0), Digit(0));
    state.eliminate(Candidate::new(Digit(3), Cell(1)));
    state.eliminate(Candidate::new(Digit(2), Cell(2)));
    (board, state)
}

fn variant() -> Variant {
    let vars = vec![
        chosen("h", Kind::House(HouseClass::Any)),
        chosen("d", Kind::Digit),
        chosen("a", Kind::Cell),
        pattern("b", Kind::Cell),
        Var { name: "i".into(), kind: Kind::Digit, shape: VarShape::Single, origin: Origin::Index },
    ];
    technique("t", &[], Variant { vars, ..Variant::default() }).variants.remove(0)
}

/// h = row 1, d = 2, a = r1c2, b = r1c3.
fn with<T>(then: impl FnOnce(&Evaluator<'_>) -> T) -> T {
    let (board, state) = board();
    let variant = variant();
    let bindings = [
        Some(Value::Houses(vec![HouseId(0)])),
        Some(Value::Digits(DigitSet::single(Digit(1)))),
        Some(Value::Cells(vec![Cell(1)])),
        Some(Value::Cells(vec![Cell(2)])),
    ];
    then(&Evaluator::new(&variant, &[5], &board, &state, &bindings))
}

fn row() -> Expr {
    Expr::HouseCells(Box::new(v(0)))
}

fn cells(list: &[u16]) -> Value {
    Value::Cells(list.iter().map(|&cell| Cell(cell)).collect())
}

#[test]
fn expressions() {
    let boxed = Box::new;
    let both = || Expr::Union(vec![v(3), v(2)]);
    let digits = |list: &[u8]| Value::Digits(list.iter().map(|&digit| Digit(digit - 1)).collect());
    for (expr, expected) in [
        (row(), cells(&[0, 1, 2, 3])),
        (Expr::CellsOf(boxed(row())), cells(&[1, 2, 3])),
        (both(), cells(&[1, 2])),
        (Expr::Digits(boxed(both())), digits(&[2, 3, 4])),
        (Expr::Digits(boxed(row())), digits(&[2, 3, 4])),
        (Expr::Values(boxed(row())), digits(&[1])),
        (Expr::Intersection(boxed(row()), boxed(both())), cells(&[1, 2])),
        (Expr::Difference(boxed(row()), boxed(both())), cells(&[0, 3])),
        (Expr::CellsOf(boxed(within_cells(v(1), row()))), cells(&[1, 2, 3])),
        (Expr::Seeing { every: true, cells: boxed(both()) }, cells(&[3])),
        (Expr::HousesOf(HouseClass::Box, boxed(row())), Value::Houses(vec![HouseId(8), HouseId(9)])),
        (Expr::MaxOccurrences(boxed(v(1)), boxed(row())), Value::Number(1)),
        (Expr::MaxOccurrences(boxed(v(1)), boxed(Expr::AllCells)), Value::Number(4)),
        (Expr::Count(boxed(within_cells(Expr::AllDigits, both()))), Value::Number(4)),
        (Expr::Subtract(boxed(Expr::Number(1)), boxed(Expr::Param(0))), Value::Number(-4)),
    ] {
        assert_eq!(with(|now| now.value(&expr)), expected, "{expr:?}");
    }
}

#[test]
fn conditions() {
    let boxed = |expr: Expr| Box::new(expr);
    let one = |expr| Operand::every(expr);
    let some = |of| Operand { quantifier: Quantifier::Some, cells: of };
    let nothing = || Expr::Difference(boxed(v(2)), boxed(v(2)));
    let two = || Expr::Union(vec![v(2), v(3)]);
    let digit = |n: u8| match n {
        1 => Expr::Values(boxed(row())),
        2 => v(1),
        _ => Expr::Difference(boxed(Expr::Digits(boxed(v(2)))), boxed(v(1))),
    };
    for (condition, expected) in [
        (Condition::Within(v(2), row()), true),
        (Condition::Within(nothing(), row()), false),
        (Condition::Within(row(), two()), false),
        (Condition::NotEmpty(nothing()), false),
        (Condition::No(nothing()), true),
        (Condition::Disjoint(v(2), v(3)), true),
        (Condition::Exactly(two(), vec![VarId(3), VarId(2)]), true),
        (Condition::Exactly(two(), vec![VarId(3), VarId(3)]), false),
        (Condition::Sees(one(v(2)), one(v(3))), true),
        (Condition::Sees(one(v(2)), one(v(2))), false),
        (Condition::Sees(one(two()), some(two())), true),
        (Condition::Has(one(two()), v(1)), true),
        (Condition::Has(one(row()), v(1)), false),
        (Condition::Has(some(row()), digit(1)), true),
        (Condition::Lacks(one(two()), digit(1)), true),
        (Condition::Lacks(one(row()), digit(1)), false),
        (PredicateId::InOneHouse(HouseClass::Box).applied_to(vec![two()]), false),
        (PredicateId::InOneHouse(HouseClass::Line).applied_to(vec![two()]), true),
        (Condition::Connected(two()), true),
        (PredicateId::Conjugate.applied_to(vec![digit(3), v(2), v(3)]), false),
        (Condition::Incident(v(0), Incidence::Through, v(2)), true),
        (Condition::Incident(v(0), Incidence::Meeting, Expr::AllHouses(HouseClass::Column)), true),
        (Condition::Incident(v(0), Incidence::Crossing, Expr::AllHouses(HouseClass::Column)), true),
        (Condition::Incident(v(0), Incidence::Parallel, Expr::AllHouses(HouseClass::Line)), false),
        (Condition::ForAll(VarId(4), digit(2), Box::new(Condition::Has(one(two()), v(4)))), true),
        (Condition::Exists(VarId(4), Expr::AllDigits, Box::new(Condition::Lacks(one(two()), v(4)))), true),
    ] {
        assert_eq!(with(|now| now.holds(&condition)), expected, "{condition:?}");
    }
}

#[test]
fn conclusions() {
    let effect = |claim: Claim| {
        let (board, state) = board();
        let mut variant = variant();
        variant.conclusions = vec![Conclusion { claim, for_each: None }];
        let bindings = with(|now| now.bindings().to_vec());
        let (gone, placed) = Evaluator::new(&variant, &[], &board, &state, &bindings).conclusions();
        pinion::grid::notation::deductions(&board, &gone, &placed)
    };
    let both = || Expr::Union(vec![v(2), v(3)]);
    assert_eq!(effect(Claim::SomeTrue(within_cells(v(1), both()))), "r1c4<>2");
    assert_eq!(effect(Claim::SomeTrue(within_cells(v(1), v(2)))), "r1c2=2");
    assert_eq!(effect(Claim::SomeTrue(within_cells(Expr::AllDigits, v(2)))), "");
    assert_eq!(effect(Claim::Eliminate(within_cells(Expr::AllDigits, both()))), "r1c2<>23 r1c3<>24");
    assert_eq!(effect(Claim::Place(within_cells(v(1), v(2)))), "r1c2=2");
    let nothing = Expr::Difference(Box::new(v(2)), Box::new(v(2)));
    assert_eq!(effect(Claim::SomeTrue(within_cells(v(1), nothing))), "");
}

/// Returns true if a predicate holds on a board for cells, such as `11 23` for r1c1 and r2c3, digits and houses. The state is that of
/// [`board`].
fn predicate_holds(geometry: &Geometry, id: PredicateId, args: &[Value]) -> bool {
    let state = board().1;
    let vars = args.iter().map(|value| match value {
        Value::Digits(_) => chosen("d", Kind::Digit),
        Value::Houses(_) => chosen("h", Kind::House(HouseClass::Any)),
        _ => Var { shape: VarShape::Set, ..chosen("s", Kind::Cell) },
    });
    let variant = Variant { vars: vars.collect(), ..Variant::default() };
    let bindings: Vec<Option<Value>> = args.iter().cloned().map(Some).collect();
    let condition = id.applied_to((0..args.len()).map(v).collect());
    Evaluator::new(&variant, &[], geometry, &state, &bindings).holds(&condition)
}

fn at(list: &str) -> Value {
    let number = |cell: &str| cell.parse::<u16>().expect("a row and a column");
    Value::Cells(list.split_whitespace().map(number).map(|cell| Cell(cell / 10 * 4 + cell % 10 - 5)).collect())
}

/// The board of four rows on which cells that a knight's move joins see each other, too.
fn knights() -> Geometry {
    let sees = vec![(1, 2), (2, 1), (1, -2), (2, -1)];
    Geometry::new(BoardSpec { sees, ..BoardSpec::standard(4).expect("a standard size") }).expect("a board")
}

#[test]
fn in_one_house_is_defined_right() {
    let classes = [HouseClass::Any, HouseClass::Row, HouseClass::Column, HouseClass::Box, HouseClass::Line];
    for (cells, expected) in [
        ("", [true, true, true, true, true]),
        ("11", [true, true, true, true, true]),
        ("11 12", [true, true, false, true, true]),
        ("11 14", [true, true, false, false, true]),
        ("11 31", [true, false, true, false, true]),
        ("11 22", [true, false, false, true, false]),
        ("11 12 21 22", [true, false, false, true, false]),
        ("12 23", [false, false, false, false, false]),
        ("11 12 31", [false, false, false, false, false]),
    ] {
        for (class, expected) in classes.into_iter().zip(expected) {
            let holds = predicate_holds(&board().0, PredicateId::InOneHouse(class), &[at(cells)]);
            assert_eq!(holds, expected, "{cells} in one {class:?}");
        }
    }
    assert!(!predicate_holds(&Geometry::latin(4), PredicateId::InOneHouse(HouseClass::Box), &[at("11")]));
}

#[test]
fn groups_are_defined_right() {
    for (cells, expected) in [
        ("", false),
        // Solved.
        ("11", false),
        ("12", true),
        // All that are unsolved in the box and the line.
        ("13 14", true),
        ("12 22", true),
        ("11 12", false),
        ("23 24", true),
        // Of two boxes, of two lines, and without a line.
        ("12 13", false),
        ("12 21", false),
        ("13 24", false),
        ("13 14 23", false),
        ("12 13 14", false),
    ] {
        assert_eq!(predicate_holds(&board().0, PredicateId::Group, &[at(cells)]), expected, "{cells}");
    }
}

#[test]
fn closed_is_defined_right() {
    for (cells, expected, with_knights) in [
        ("", true, true),
        ("11", false, false),
        ("11 12", false, false),
        ("11 12 21 22", true, false),
        ("11 12 31 32", true, false),
        // Four boxes hold one each.
        ("11 13 31 33", false, false),
        ("11 12 21", false, false),
        ("11 12 13 14 21 22 23 24", true, false),
        ("11 12 23 24 31 32 43 44", true, false),
        ("11 12 13 14 21 22 23 24 31 32 33 34 41 42 43 44", true, true),
    ] {
        assert_eq!(predicate_holds(&board().0, PredicateId::Closed, &[at(cells)]), expected, "{cells}");
        assert_eq!(predicate_holds(&knights(), PredicateId::Closed, &[at(cells)]), with_knights, "{cells}");
    }
}

#[test]
fn closed_between_is_defined_right() {
    let house = |at: u16| Value::Houses(vec![HouseId(at)]);
    let (rows, columns, mixed) = ([0, 1], [4, 5], [0, 4]);
    for (cells, [k, l], expected) in [
        ("", rows, true),
        ("", mixed, false),
        ("11 21", rows, true),
        ("11 21", [1, 0], true),
        ("11 12 21 22", rows, true),
        ("11 13 21 23", rows, true),
        ("11 12 21 22", columns, true),
        // The partner is missing, or is another cell of the line.
        ("11", rows, false),
        ("11 22", rows, false),
        ("11 12 21", rows, false),
        // Not on the lines.
        ("11 21 31", rows, false),
        ("11 12", rows, false),
        // One line, no line, and lines that cross.
        ("11 12", [0, 0], false),
        ("11 12 21 22", [8, 9], false),
        ("11", mixed, false),
        // A box holds one of two partners.
        ("21 31", [1, 2], false),
    ] {
        let args = [at(cells), house(k), house(l)];
        assert_eq!(predicate_holds(&board().0, PredicateId::ClosedBetween, &args), expected, "{cells}, {k}, {l}");
        let with_knights = expected && cells.is_empty();
        assert_eq!(predicate_holds(&knights(), PredicateId::ClosedBetween, &args), with_knights, "{cells}, {k}, {l}");
    }
    let args = [at("21 31"), house(1), house(2)];
    assert!(predicate_holds(&Geometry::latin(4), PredicateId::ClosedBetween, &args));
}

#[test]
fn conjugate_is_defined_right() {
    let digits = |list: &[u8]| Value::Digits(list.iter().map(|&digit| Digit(digit - 1)).collect());
    for (list, a, b, expected) in [
        (&[3][..], "12", "14", true),
        (&[3], "14", "12", true),
        (&[4], "13", "14", true),
        // Three places in the row.
        (&[2], "12", "13", false),
        (&[2], "12", "13 14", true),
        (&[2], "12 13", "13 14", true),
        // A cell without the digit, which counts for nothing.
        (&[3], "12", "13", false),
        (&[3], "12 13", "14", true),
        (&[3], "12", "", false),
        // The same places twice.
        (&[3], "12 14", "12 13 14", false),
        // In a box, and in no house.
        (&[3], "12", "21 22", true),
        (&[3], "12", "21", false),
        (&[3], "12", "33", false),
        // In column 1 only three cells are unsolved.
        (&[4], "21 31", "41", true),
        (&[1], "11", "12", false),
        (&[3, 4], "12 13", "14", false),
    ] {
        let args = [digits(list), at(a), at(b)];
        assert_eq!(predicate_holds(&board().0, PredicateId::Conjugate, &args), expected, "{list:?} in {a}, {b}");
    }
}
