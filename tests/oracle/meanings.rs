//! Expressions, conditions and conclusions, each pinned down on a state that a reader can check by eye.

use super::rules::{chosen, pattern, technique, v, within_cells};
use pinion::engine::Value;
use pinion::eval::Evaluator;
use pinion::grid::{Candidate, Cell, Digit, DigitSet, Geometry, HouseId, State};
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
    Expr::CellsOf(Box::new(v(0)))
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
        (Expr::Cells(boxed(row())), cells(&[1, 2, 3])),
        (both(), cells(&[1, 2])),
        (Expr::Digits(boxed(both())), digits(&[2, 3, 4])),
        (Expr::Digits(boxed(row())), digits(&[2, 3, 4])),
        (Expr::Values(boxed(row())), digits(&[1])),
        (Expr::Intersection(boxed(row()), boxed(both())), cells(&[1, 2])),
        (Expr::Difference(boxed(row()), boxed(both())), cells(&[0, 3])),
        (Expr::Cells(boxed(within_cells(v(1), row()))), cells(&[1, 2, 3])),
        (Expr::Seeing { every: true, of: boxed(both()) }, cells(&[3])),
        (Expr::HousesOf(HouseClass::Box, boxed(row())), Value::Houses(vec![HouseId(8), HouseId(9)])),
        (Expr::Times(boxed(v(1)), boxed(row())), Value::Number(1)),
        (Expr::Times(boxed(v(1)), boxed(Expr::AllCells)), Value::Number(4)),
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
    let some = |of| Operand { quantifier: Quantifier::Some, of };
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
        (Condition::Some(nothing()), false),
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
        (Condition::InOne(two(), HouseClass::Box), false),
        (Condition::InOne(two(), HouseClass::Line), true),
        (Condition::Connected(two()), true),
        (Condition::Conjugate(digit(3), v(2), v(3)), false),
        (Condition::Lie(v(0), Incidence::Through, v(2)), true),
        (Condition::Lie(v(0), Incidence::Meeting, Expr::AllHouses(HouseClass::Column)), true),
        (Condition::Lie(v(0), Incidence::Crossing, Expr::AllHouses(HouseClass::Column)), true),
        (Condition::Lie(v(0), Incidence::Parallel, Expr::AllHouses(HouseClass::Line)), false),
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
        variant.conclusions = vec![Conclusion { claim, per: None }];
        let bindings = with(|now| now.bindings().to_vec());
        let (gone, placed) = Evaluator::new(&variant, &[], &board, &state, &bindings).conclusions();
        pinion::grid::notation::deductions(&board, &gone, &placed)
    };
    let both = || Expr::Union(vec![v(2), v(3)]);
    assert_eq!(effect(Claim::Some(within_cells(v(1), both()))), "r1c4<>2");
    assert_eq!(effect(Claim::Some(within_cells(v(1), v(2)))), "r1c2=2");
    assert_eq!(effect(Claim::Some(within_cells(Expr::AllDigits, v(2)))), "");
    assert_eq!(effect(Claim::Eliminate(within_cells(Expr::AllDigits, both()))), "r1c2<>23 r1c3<>24");
    assert_eq!(effect(Claim::Place(within_cells(v(1), v(2)))), "r1c2=2");
    let nothing = Expr::Difference(Box::new(v(2)), Box::new(v(2)));
    assert_eq!(effect(Claim::Some(within_cells(v(1), nothing))), "");
}
