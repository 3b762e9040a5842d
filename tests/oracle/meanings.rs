//! Truth tables: the values of expressions and conditions, and the effects of conclusions, on a state that a reader can check
//! by eye.

use super::rules::{
    boxed, candidates, chosen, chosen_set, conclude, digits, house_cells, index, intersection, minus, pattern, places,
    seeing_every, union, v,
};
use pinion::engine::Value;
use pinion::eval::Evaluator;
use pinion::grid::{BoardSpec, Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State};
use pinion::lang::ir::*;

/// Returns a board of 4×4 and a state: r1c1 is 1, r1c2 has the candidates 2 and 3, and r1c3 has 2 and 4. Every other cell has
/// all candidates that r1c1 leaves.
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
        index("i", Kind::Digit),
    ];
    Variant { vars, ..Variant::default() }
}

/// The loop variable `i`.
const I: VarId = VarId(4);

fn h() -> Expr {
    v(0)
}

fn d() -> Expr {
    v(1)
}

fn a() -> Expr {
    v(2)
}

fn b() -> Expr {
    v(3)
}

fn row_1() -> Expr {
    house_cells(h())
}

fn a_and_b() -> Expr {
    union(&[a(), b()])
}

fn no_cells() -> Expr {
    minus(a(), a())
}

/// Calls `test` with an evaluator in which h is row 1, d is 2, a is r1c2, b is r1c3 and the parameter is 5.
fn evaluate<T>(test: impl FnOnce(&Evaluator<'_>) -> T) -> T {
    let (board, state) = board();
    let variant = variant();
    let bindings = [
        Some(Value::Houses(vec![HouseId(0)])),
        Some(Value::Digits(DigitSet::single(Digit(1)))),
        Some(Value::Cells(vec![Cell(1)])),
        Some(Value::Cells(vec![Cell(2)])),
    ];
    test(&Evaluator::new(&variant, &[5], &board, &state, &bindings))
}

fn cells_value(list: &[u16]) -> Value {
    Value::Cells(list.iter().map(|&cell| Cell(cell)).collect())
}

fn digits_value(list: &[u8]) -> Value {
    Value::Digits(list.iter().map(|&digit| Digit(digit - 1)).collect())
}

#[test]
fn values_of_expressions() {
    for (expr, expected) in [
        (row_1(), cells_value(&[0, 1, 2, 3])),
        (Expr::CellsOf(boxed(row_1())), cells_value(&[1, 2, 3])),
        (a_and_b(), cells_value(&[1, 2])),
        (digits(a_and_b()), digits_value(&[2, 3, 4])),
        (digits(row_1()), digits_value(&[2, 3, 4])),
        (Expr::Values(boxed(row_1())), digits_value(&[1])),
        (intersection(row_1(), a_and_b()), cells_value(&[1, 2])),
        (minus(row_1(), a_and_b()), cells_value(&[0, 3])),
        (places(d(), h()), cells_value(&[1, 2, 3])),
        (seeing_every(a_and_b()), cells_value(&[3])),
        (Expr::HousesOf(HouseClass::Box, boxed(row_1())), Value::Houses(vec![HouseId(8), HouseId(9)])),
        (Expr::MaxOccurrences(boxed(d()), boxed(row_1())), Value::Number(1)),
        (Expr::MaxOccurrences(boxed(d()), boxed(Expr::AllCells)), Value::Number(4)),
        (Expr::Count(boxed(candidates(Expr::AllDigits, a_and_b()))), Value::Number(4)),
        (Expr::Subtract(boxed(Expr::Number(1)), boxed(Expr::Param(0))), Value::Number(-4)),
    ] {
        assert_eq!(evaluate(|evaluator| evaluator.value(&expr)), expected, "{expr:?}");
    }
}

#[test]
fn truth_of_conditions() {
    let every = Operand::every;
    let some = |cells| Operand { quantifier: Quantifier::Some, cells };
    let digit_1 = || Expr::Values(boxed(row_1()));
    let digit_3 = || minus(digits(a()), d());
    for (condition, expected) in [
        (Condition::Within(a(), row_1()), true),
        // An empty set is within no set.
        (Condition::Within(no_cells(), row_1()), false),
        (Condition::Within(row_1(), a_and_b()), false),
        (Condition::NotEmpty(no_cells()), false),
        (Condition::No(no_cells()), true),
        (Condition::Disjoint(a(), b()), true),
        (Condition::Exactly(a_and_b(), vec![VarId(3), VarId(2)]), true),
        (Condition::Exactly(a_and_b(), vec![VarId(3), VarId(3)]), false),
        (Condition::Sees(every(a()), every(b())), true),
        (Condition::Sees(every(a()), every(a())), false),
        (Condition::Sees(every(a_and_b()), some(a_and_b())), true),
        (Condition::Has(every(a_and_b()), d()), true),
        (Condition::Has(every(row_1()), d()), false),
        // A solved cell has its digit.
        (Condition::Has(some(row_1()), digit_1()), true),
        (Condition::Lacks(every(a_and_b()), digit_1()), true),
        (Condition::Lacks(every(row_1()), digit_1()), false),
        (PredicateId::InOneHouse(HouseClass::Box).applied_to(vec![a_and_b()]), false),
        (PredicateId::InOneHouse(HouseClass::Line).applied_to(vec![a_and_b()]), true),
        (Condition::Connected(a_and_b()), true),
        (PredicateId::Conjugate.applied_to(vec![digit_3(), a(), b()]), false),
        (Condition::Incident(h(), Incidence::Through, a()), true),
        (Condition::Incident(h(), Incidence::Meeting, Expr::AllHouses(HouseClass::Column)), true),
        (Condition::Incident(h(), Incidence::Crossing, Expr::AllHouses(HouseClass::Column)), true),
        (Condition::Incident(h(), Incidence::Parallel, Expr::AllHouses(HouseClass::Line)), false),
        (Condition::ForAll(I, d(), Box::new(Condition::Has(every(a_and_b()), Expr::Var(I)))), true),
        (Condition::Exists(I, Expr::AllDigits, Box::new(Condition::Lacks(every(a_and_b()), Expr::Var(I)))), true),
    ] {
        assert_eq!(evaluate(|evaluator| evaluator.holds(&condition)), expected, "{condition:?}");
    }
}

#[test]
fn effects_of_conclusions() {
    let effect = |claim: Claim| {
        let (board, state) = board();
        let variant = Variant { conclusions: conclude(claim), ..variant() };
        let bindings = evaluate(|evaluator| evaluator.bindings().to_vec());
        let (eliminations, placements) = Evaluator::new(&variant, &[], &board, &state, &bindings).conclusions();
        pinion::grid::notation::deductions(&board, &eliminations, &placements)
    };
    assert_eq!(effect(Claim::SomeTrue(candidates(d(), a_and_b()))), "r1c4<>2");
    assert_eq!(effect(Claim::SomeTrue(candidates(d(), a()))), "r1c2=2");
    assert_eq!(effect(Claim::SomeTrue(candidates(Expr::AllDigits, a()))), "");
    assert_eq!(effect(Claim::Eliminate(candidates(Expr::AllDigits, a_and_b()))), "r1c2<>23 r1c3<>24");
    assert_eq!(effect(Claim::Place(candidates(d(), a()))), "r1c2=2");
    assert_eq!(effect(Claim::SomeTrue(candidates(d(), no_cells()))), "");
}

/// Returns true if a predicate holds for these arguments (cells, digits or houses) on a board of four rows and in the state of
/// [`board`].
fn predicate_holds(geometry: &Geometry, id: PredicateId, args: &[Value]) -> bool {
    let state = board().1;
    let vars = args.iter().map(|value| match value {
        Value::Digits(_) => chosen("d", Kind::Digit),
        Value::Houses(_) => chosen("h", Kind::House(HouseClass::Any)),
        _ => chosen_set("s", Kind::Cell),
    });
    let variant = Variant { vars: vars.collect(), ..Variant::default() };
    let bindings: Vec<Option<Value>> = args.iter().cloned().map(Some).collect();
    let condition = id.applied_to((0..args.len()).map(v).collect());
    Evaluator::new(&variant, &[], geometry, &state, &bindings).holds(&condition)
}

/// Returns the cells of a list such as `11 23`, which means r1c1 and r2c3.
fn cells_at(list: &str) -> Value {
    let cell = |text: &str| {
        let number: u16 = text.parse().expect("a row and a column");
        let (row, column) = (number / 10, number % 10);
        Cell(4 * (row - 1) + column - 1)
    };
    Value::Cells(list.split_whitespace().map(cell).collect())
}

/// Returns the board of four rows on which cells a knight's move apart see each other, too.
fn knights() -> Geometry {
    let sees = vec![(1, 2), (2, 1), (1, -2), (2, -1)];
    Geometry::new(BoardSpec { sees, ..BoardSpec::standard(4).expect("a standard size") }).expect("a board")
}

#[test]
fn truth_table_of_in_one_house() {
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
            let holds = predicate_holds(&board().0, PredicateId::InOneHouse(class), &[cells_at(cells)]);
            assert_eq!(holds, expected, "{cells} in one {class:?}");
        }
    }
    assert!(!predicate_holds(&Geometry::latin(4), PredicateId::InOneHouse(HouseClass::Box), &[cells_at("11")]));
}

#[test]
fn truth_table_of_group() {
    for (cells, expected) in [
        ("", false),
        // A solved cell.
        ("11", false),
        ("12", true),
        // All unsolved cells that a box and a line share.
        ("13 14", true),
        ("12 22", true),
        ("11 12", false),
        ("23 24", true),
        // Cells of two boxes or of two lines.
        ("12 13", false),
        ("12 21", false),
        ("13 24", false),
        ("13 14 23", false),
        ("12 13 14", false),
    ] {
        assert_eq!(predicate_holds(&board().0, PredicateId::Group, &[cells_at(cells)]), expected, "{cells}");
    }
}

#[test]
fn truth_table_of_closed() {
    for (cells, expected, with_knights) in [
        ("", true, true),
        ("11", false, false),
        ("11 12", false, false),
        ("11 12 21 22", true, false),
        ("11 12 31 32", true, false),
        // Each of the four boxes has only one of the cells.
        ("11 13 31 33", false, false),
        ("11 12 21", false, false),
        ("11 12 13 14 21 22 23 24", true, false),
        ("11 12 23 24 31 32 43 44", true, false),
        ("11 12 13 14 21 22 23 24 31 32 33 34 41 42 43 44", true, true),
    ] {
        assert_eq!(predicate_holds(&board().0, PredicateId::Closed, &[cells_at(cells)]), expected, "{cells}");
        assert_eq!(predicate_holds(&knights(), PredicateId::Closed, &[cells_at(cells)]), with_knights, "{cells}");
    }
}

#[test]
fn truth_table_of_closed_between() {
    let house = |id: u16| Value::Houses(vec![HouseId(id)]);
    // Rows have the ids 0 to 3, columns 4 to 7, boxes 8 to 11.
    let (rows, columns, crossing) = ([0, 1], [4, 5], [0, 4]);
    for (cells, [k, l], expected) in [
        ("", rows, true),
        ("", crossing, false),
        ("11 21", rows, true),
        ("11 21", [1, 0], true),
        ("11 12 21 22", rows, true),
        ("11 13 21 23", rows, true),
        ("11 12 21 22", columns, true),
        // A cell has no partner in the other row, or its partner is missing.
        ("11", rows, false),
        ("11 22", rows, false),
        ("11 12 21", rows, false),
        // A cell is on neither row, or both cells are on one row.
        ("11 21 31", rows, false),
        ("11 12", rows, false),
        // One row twice, boxes, and lines that cross.
        ("11 12", [0, 0], false),
        ("11 12 21 22", [8, 9], false),
        ("11", crossing, false),
        // A box has only one of two partners.
        ("21 31", [1, 2], false),
    ] {
        let args = [cells_at(cells), house(k), house(l)];
        assert_eq!(predicate_holds(&board().0, PredicateId::ClosedBetween, &args), expected, "{cells}, {k}, {l}");
        let with_knights = expected && cells.is_empty();
        assert_eq!(predicate_holds(&knights(), PredicateId::ClosedBetween, &args), with_knights, "{cells}, {k}, {l}");
    }
    let args = [cells_at("21 31"), house(1), house(2)];
    assert!(predicate_holds(&Geometry::latin(4), PredicateId::ClosedBetween, &args));
}

#[test]
fn truth_table_of_conjugate() {
    for (list, a, b, expected) in [
        (&[3][..], "12", "14", true),
        (&[3], "14", "12", true),
        (&[4], "13", "14", true),
        // Three places in the row.
        (&[2], "12", "13", false),
        (&[2], "12", "13 14", true),
        (&[2], "12 13", "13 14", true),
        // A cell without the digit is ignored.
        (&[3], "12", "13", false),
        (&[3], "12 13", "14", true),
        (&[3], "12", "", false),
        // Places that are in both sets.
        (&[3], "12 14", "12 13 14", false),
        // All places in a box, then not all of them, then places without a common house.
        (&[3], "12", "21 22", true),
        (&[3], "12", "21", false),
        (&[3], "12", "33", false),
        // In column 1 only three cells are unsolved.
        (&[4], "21 31", "41", true),
        (&[1], "11", "12", false),
        (&[3, 4], "12 13", "14", false),
    ] {
        let args = [digits_value(list), cells_at(a), cells_at(b)];
        assert_eq!(predicate_holds(&board().0, PredicateId::Conjugate, &args), expected, "{list:?} in {a}, {b}");
    }
}
