//! Rules that assume that the puzzle has one solution: rectangles, loops, BUGs. Right rules are proved, wrong ones refuted.

use super::*;
use crate::common::quick_or_full;

/// The condition that a wrong rule lacks.
#[derive(Clone, Copy, PartialEq)]
enum Missing {
    Nothing,
    /// The cells are closed: exchanging their digits breaks no house.
    Closed,
    /// No cell of the set is a given: a given allows only its own digit.
    GivensAllow,
    /// One of the two digits has no place in the house outside the corners.
    LockedDigit,
    /// For a BUG: without the extra candidate, every house has two places for each digit.
    HousePairs,
    /// For a BUG: `HousePairs`, and without the extra candidate every cell has two candidates. (In the wrong rule it may have
    /// fewer.)
    CellAndHousePairs,
}

/// A rule about the corners A, B, C, D of a rectangle, with the names that its conditions need.
struct Rectangle {
    rule: Rule,
    /// One digit of A.
    x: Id,
    /// The other digit of A.
    y: Id,
    /// The corner in the row of A.
    cell_b: Id,
    /// The corner in the column of A.
    cell_c: Id,
    /// The corner opposite A.
    cell_d: Id,
    /// All four corners.
    corners: Id,
    /// The candidates of the corners other than x and y. If none of them were true, exchanging x and y in the corners would
    /// give a second solution.
    guardians: Id,
}

/// Returns a rule with the conditions on the corners, but for the missing one, and without a conclusion.
fn rectangle(missing: Missing) -> Rectangle {
    let mut rule = Rule { assumes_one_solution: true, ..Rule::default() };
    let cell_a = rule.name("A", Kind::Cell, VarShape::Single, Origin::Chosen);
    let x = rule.name("x", Kind::Digit, VarShape::Single, Origin::Pattern);
    let y = rule.name("y", Kind::Digit, VarShape::Single, Origin::Pattern);
    rule.choose(cell_a, None, vec![Condition::Exactly(digits(v(cell_a)), vec![x, y])]);
    let cell_b = cell_within(&mut rule, "B", line_of(HouseClass::Row, cell_a));
    let cell_c = cell_within(&mut rule, "C", line_of(HouseClass::Column, cell_a));
    let cell_d =
        cell_within(&mut rule, "D", and(line_of(HouseClass::Row, cell_c), line_of(HouseClass::Column, cell_b)));
    let corners = rule.define("S", Kind::Cell, plus(&[v(cell_a), v(cell_b), v(cell_c), v(cell_d)]));
    if missing != Missing::Closed {
        rule.require(PredicateId::Closed.applied_to(vec![v(corners)]));
    }
    rule.require(Condition::GivensAllow(every(v(corners)), plus(&[v(x), v(y)])));
    let guardians = other_candidates(&mut rule, plus(&[v(x), v(y)]), corners);
    Rectangle { rule, x, y, cell_b, cell_c, cell_d, corners, guardians }
}

fn cell_within(rule: &mut Rule, name: &str, cells: Expr) -> Id {
    let id = rule.name(name, Kind::Cell, VarShape::Single, Origin::Chosen);
    rule.choose(id, None, vec![Condition::Within(v(id), cells)]);
    id
}

/// Returns the cells of the row or column of a cell.
fn line_of(class: HouseClass, cell: Id) -> Expr {
    cells_of(Expr::HousesOf(class, b(v(cell))))
}

/// Defines G: the candidates of a set of cells other than some digits.
fn other_candidates(rule: &mut Rule, digits: Expr, set: Id) -> Id {
    rule.define("G", Kind::Candidate, isin(minus(Expr::AllDigits, digits), v(set)))
}

/// Types 1, 2 and 5: one of the guardians is true.
fn unique_rectangle_1_2_5(missing: Missing) -> Technique {
    let Rectangle { mut rule, guardians, .. } = rectangle(missing);
    rule.conclude(Claim::SomeTrue(v(guardians)));
    rule.technique("unique_rectangle_1_2_5")
}

/// Type 3: the guardians lie in two cells of a house, and form a locked set with other cells of the house.
fn unique_rectangle_3() -> Technique {
    let Rectangle { mut rule, x, y, corners, guardians, .. } = rectangle(Missing::Nothing);
    let house = rule.house("h", HouseClass::Any);
    rule.require(Condition::Within(cells(v(guardians)), cells_of(v(house))));
    rule.require(cmp(count(cells(v(guardians))), Comparison::Equal, num(2)));
    let set = rule.set("s", 1, Some(4), Some(minus(cells_of(v(house)), v(corners))));
    rule.require(Condition::Lacks(every(v(set)), plus(&[v(x), v(y)])));
    let set_digits = plus(&[digits(v(set)), digits(v(guardians))]);
    rule.require(cmp(count(set_digits.clone()), Comparison::Equal, Expr::Add(b(count(v(set))), b(num(1)))));
    let d = rule.index("d", Kind::Digit);
    let places = plus(&[isin(v(d), v(set)), and(v(guardians), isin(v(d), v(corners)))]);
    rule.conclude_for(d, set_digits, Claim::SomeTrue(places));
    rule.technique("unique_rectangle_3")
}

/// Type 4: the guardians lie in two cells of a house. The x of the house is in one of the two cells, so neither cell is y.
fn unique_rectangle_4(missing: Missing) -> Technique {
    let Rectangle { mut rule, x, y, corners, guardians, .. } = rectangle(Missing::Nothing);
    rule.require(cmp(count(cells(v(guardians))), Comparison::Equal, num(2)));
    let house = rule.house("h", HouseClass::Any);
    rule.require(Condition::Within(cells(v(guardians)), cells_of(v(house))));
    if missing != Missing::LockedDigit {
        rule.require(Condition::Within(isin(v(x), cells_of(v(house))), v(corners)));
    }
    rule.conclude(Claim::Eliminate(isin(v(y), cells(v(guardians)))));
    rule.technique("unique_rectangle_4")
}

/// Type 6: the guardians lie in the opposite cells B and C, and x has no other places in their rows (or columns).
fn unique_rectangle_6() -> Technique {
    let Rectangle { mut rule, x, cell_b, cell_c, corners, guardians, .. } = rectangle(Missing::Nothing);
    let opposite = plus(&[v(cell_b), v(cell_c)]);
    rule.require(Condition::Equal(cells(v(guardians)), opposite.clone()));
    let is_locked = |class, cell: Id| Condition::Within(isin(v(x), line_of(class, cell)), v(corners));
    let both_locked = |class| Condition::And(vec![is_locked(class, cell_b), is_locked(class, cell_c)]);
    rule.require(Condition::Or(vec![both_locked(HouseClass::Row), both_locked(HouseClass::Column)]));
    rule.conclude(Claim::Eliminate(isin(v(x), opposite)));
    rule.technique("unique_rectangle_6")
}

/// x has no other places in the row and in the column of D: so D is not y.
fn hidden_rectangle() -> Technique {
    let Rectangle { mut rule, x, y, cell_d, corners, .. } = rectangle(Missing::Nothing);
    for class in [HouseClass::Row, HouseClass::Column] {
        rule.require(Condition::Within(isin(v(x), line_of(class, cell_d)), v(corners)));
    }
    rule.conclude(Claim::Eliminate(isin(v(y), v(cell_d))));
    rule.technique("hidden_rectangle")
}

/// The solved corners of a rectangle have x and y, and no corner is a given.
fn avoidable_rectangle(missing: Missing) -> Technique {
    let mut rule = Rule { assumes_one_solution: true, ..Rule::default() };
    let rows = [rule.house("r", HouseClass::Row), rule.house("s", HouseClass::Row)];
    let columns = [rule.house("c", HouseClass::Column), rule.house("e", HouseClass::Column)];
    let cells_of_lines = |[a, c]: [Id; 2]| plus(&[cells_of(v(a)), cells_of(v(c))]);
    let corners = rule.define("S", Kind::Cell, and(cells_of_lines(rows), cells_of_lines(columns)));
    let x = rule.name("x", Kind::Digit, VarShape::Single, Origin::Pattern);
    let y = rule.name("y", Kind::Digit, VarShape::Single, Origin::Pattern);
    rule.require(Condition::Exactly(Expr::Values(b(v(corners))), vec![x, y]));
    rule.require(PredicateId::Closed.applied_to(vec![v(corners)]));
    if missing != Missing::GivensAllow {
        rule.require(Condition::GivensAllow(every(v(corners)), plus(&[v(x), v(y)])));
    }
    let guardians = other_candidates(&mut rule, plus(&[v(x), v(y)]), corners);
    rule.conclude(Claim::SomeTrue(v(guardians)));
    rule.technique("avoidable_rectangle")
}

/// Two parallel lines cross three others. If the six cells had only three digits, exchanging the two lines there would give a
/// second solution.
fn extended_rectangle(missing: Missing) -> Technique {
    let mut rule = Rule { assumes_one_solution: true, ..Rule::default() };
    let (k, l) = (rule.house("k", HouseClass::Line), rule.house("l", HouseClass::Line));
    rule.require(Condition::Incident(v(k), Incidence::Parallel, v(l)));
    let crossing = rule.houses("m", HouseClass::Line, 3);
    rule.require(Condition::Incident(v(crossing), Incidence::Crossing, v(k)));
    let set = rule.define("S", Kind::Cell, and(plus(&[cells_of(v(k)), cells_of(v(l))]), cells_of(v(crossing))));
    if missing != Missing::Closed {
        rule.require(PredicateId::ClosedBetween.applied_to(vec![v(set), v(k), v(l)]));
    }
    let three_digits = rule.name("D", Kind::Digit, VarShape::Set, Origin::Chosen);
    rule.choose(three_digits, Some((num(3), Some(num(3)))), vec![]);
    rule.require(Condition::GivensAllow(every(v(set)), v(three_digits)));
    let values = || Expr::Values(b(v(set)));
    rule.require(Condition::Or(vec![Condition::Within(values(), v(three_digits)), Condition::No(values())]));
    let guardians = other_candidates(&mut rule, v(three_digits), set);
    rule.conclude(Claim::SomeTrue(v(guardians)));
    rule.technique("extended_rectangle")
}

/// BUG with one extra candidate: without it, every cell has two candidates and every house has each digit twice.
fn bug(missing: Missing) -> Technique {
    let mut rule = Rule { assumes_one_solution: true, ..Rule::default() };
    let c = rule.index("c", Kind::Cell);
    let p = rule.index("p", Kind::Candidate);
    let h = rule.index("h", Kind::House(HouseClass::Any));
    let d = rule.index("d", Kind::Digit);
    let more_than_two = |set: Expr| cmp(count(set), Comparison::Greater, num(2));
    let fat_cells = Expr::Filter { var: c, set: b(Expr::AllCells), condition: Box::new(more_than_two(digits(v(c)))) };
    let fat_cells = rule.define("fat", Kind::Cell, fat_cells);
    rule.require(some(v(fat_cells)));
    rule.require(cmp(count(v(fat_cells)), Comparison::LessEqual, num(1)));
    let is_extra =
        for_all(h, Expr::HousesOf(HouseClass::Any, b(cells(v(p)))), more_than_two(isin(digits(v(p)), cells_of(v(h)))));
    let extra = Expr::Filter { var: p, set: b(isin(Expr::AllDigits, v(fat_cells))), condition: Box::new(is_extra) };
    let extra = rule.define("G", Kind::Candidate, extra);
    rule.require(cmp(count(v(extra)), Comparison::Equal, num(1)));
    let comparison = if missing == Missing::CellAndHousePairs { Comparison::LessEqual } else { Comparison::Equal };
    let rest_of_cell = minus(isin(Expr::AllDigits, v(c)), v(extra));
    rule.require(for_all(c, Expr::AllCells, cmp(count(rest_of_cell), comparison, num(2))));
    if missing == Missing::Nothing {
        let rest_of_house = minus(isin(v(d), cells_of(v(h))), v(extra));
        let is_pair = cmp(count(rest_of_house), Comparison::Equal, num(2));
        let unsolved_digits = digits(cells(cells_of(v(h))));
        rule.require(for_all(h, Expr::AllHouses(HouseClass::Any), for_all(d, unsolved_digits, is_pair)));
    }
    rule.conclude(Claim::SomeTrue(v(extra)));
    rule.technique("bug 1")
}

#[test]
fn bugs_are_proved() {
    assert_proved_on(quick_or_full(4, 9), &bug(Missing::Nothing));
}

#[test]
fn wrong_bugs_are_refuted() {
    assert_refuted_on(quick_or_full(4, 9), &bug(Missing::CellAndHousePairs));
    assert_refuted_on(quick_or_full(6, 9), &bug(Missing::HousePairs));
}

#[test]
fn rules_of_one_solution_are_proved() {
    let size = quick_or_full(6, 9);
    for rule in [
        unique_rectangle_1_2_5(Missing::Nothing),
        unique_rectangle_3(),
        unique_rectangle_4(Missing::Nothing),
        unique_rectangle_6(),
        hidden_rectangle(),
        avoidable_rectangle(Missing::Nothing),
        extended_rectangle(Missing::Nothing),
    ] {
        assert_proved_on(size, &rule);
    }
}

#[test]
fn wrong_rules_of_one_solution_are_refuted() {
    for rule in [
        unique_rectangle_1_2_5(Missing::Closed),
        unique_rectangle_4(Missing::LockedDigit),
        avoidable_rectangle(Missing::GivensAllow),
        extended_rectangle(Missing::Closed),
    ] {
        assert_refuted_on(quick_or_full(6, 9), &rule);
    }
}

/// The condition by which a rule knows that exchanging two digits on a loop breaks no house.
#[derive(Clone, Copy)]
enum LoopCondition {
    /// `K closed`.
    Closed,
    /// Every house has two cells of the loop or none.
    NoneOrTwo,
    /// Every house has at most two cells of the loop: not enough.
    AtMostTwo,
}

/// A loop of cells: one of its candidates other than x and y is true.
fn unique_loop(condition: LoopCondition) -> Technique {
    let mut rule = Rule { assumes_one_solution: true, ..Rule::default() };
    let (x, y) = (rule.digit("x"), rule.digit("y"));
    let loop_cells = rule.set("K", 6, Some(14), None);
    let h = rule.index("h", Kind::House(HouseClass::Any));
    let in_every_house = |comparisons: &[(Comparison, u32)]| {
        let cells_in_house = || count(and(cells_of(v(h)), v(loop_cells)));
        let compared = comparisons.iter().map(|&(comparison, n)| cmp(cells_in_house(), comparison, num(n)));
        for_all(h, Expr::AllHouses(HouseClass::Any), Condition::Or(compared.collect()))
    };
    rule.require(match condition {
        LoopCondition::Closed => PredicateId::Closed.applied_to(vec![v(loop_cells)]),
        LoopCondition::NoneOrTwo => in_every_house(&[(Comparison::Equal, 0), (Comparison::Equal, 2)]),
        LoopCondition::AtMostTwo => in_every_house(&[(Comparison::LessEqual, 2)]),
    });
    rule.require(Condition::Connected(v(loop_cells)));
    rule.require(Condition::GivensAllow(every(v(loop_cells)), plus(&[v(x), v(y)])));
    let guardians = other_candidates(&mut rule, plus(&[v(x), v(y)]), loop_cells);
    rule.conclude(Claim::SomeTrue(v(guardians)));
    rule.technique("unique_loop")
}

/// `K closed` is proved on every board. `NoneOrTwo` depends on the houses of the board, so it is proved on one board.
#[test]
fn loops_of_two_digits_are_proved_for_every_size() {
    let status = prove_on(9, &unique_loop(LoopCondition::Closed));
    assert!(matches!(status, Status::Proved { every_board: true, .. }), "{status}");
    assert_proved_on(quick_or_full(6, 9), &unique_loop(LoopCondition::NoneOrTwo));
    assert!(!prove_on(quick_or_full(6, 9), &unique_loop(LoopCondition::AtMostTwo)).is_proved());
}
