//! Rules that assume one solution: rectangles, loops, graves. Right ones are proved, wrong ones refuted.

use super::*;
use crate::common::share;

/// The corners of a rectangle: names x, y, A, B, C, D, the set of all, and what is more than x and y in it.
struct Corners {
    r: Rule,
    x: Id,
    y: Id,
    b: Id,
    c: Id,
    d: Id,
    s: Id,
    g: Id,
}

fn rectangle(closed: bool, open: bool) -> Corners {
    let mut r = Rule { unique: true, ..Rule::default() };
    let a = r.name("A", Kind::Cell, VarShape::Single, Origin::Chosen);
    let x = r.name("x", Kind::Digit, VarShape::Single, Origin::Pattern);
    let y = r.name("y", Kind::Digit, VarShape::Single, Origin::Pattern);
    r.choose(a, None, vec![Condition::Exactly(digits(v(a)), vec![x, y])]);
    let line = |class, c: Id| cells_of(Expr::HousesOf(class, b(v(c))));
    let other = |r: &mut Rule, name: &str, all: Expr| {
        let id = r.name(name, Kind::Cell, VarShape::Single, Origin::Chosen);
        r.choose(id, None, vec![Condition::Within(v(id), all)]);
        id
    };
    let second = other(&mut r, "B", line(HouseClass::Row, a));
    let third = other(&mut r, "C", line(HouseClass::Column, a));
    let fourth = other(&mut r, "D", and(line(HouseClass::Row, third), line(HouseClass::Column, second)));
    let s = r.lets("S", Kind::Cell, plus(&[v(a), v(second), v(third), v(fourth)]));
    if closed {
        r.need(PredicateId::Closed.applied_to(vec![v(s)]));
    }
    if open {
        r.need(Condition::GivensAllow(every(v(s)), plus(&[v(x), v(y)])));
    }
    let g = r.lets("G", Kind::Candidate, isin(minus(Expr::AllDigits, plus(&[v(x), v(y)])), v(s)));
    Corners { r, x, y, b: second, c: third, d: fourth, s, g }
}

fn ur_1_2_5(closed: bool, open: bool) -> Technique {
    let mut it = rectangle(closed, open);
    it.r.conclude(Claim::SomeTrue(v(it.g)));
    it.r.technique("unique_rectangle_1_2_5")
}

fn ur_3(most: u32) -> Technique {
    let Corners { mut r, x, y, s, g, .. } = rectangle(true, true);
    let h = r.house("h", HouseClass::Any);
    r.need(Condition::Within(cells(v(g)), cells_of(v(h))));
    r.need(cmp(count(cells(v(g))), Comparison::Equal, num(2)));
    let t = r.set("s", 1, Some(most), Some(minus(cells_of(v(h)), v(s))));
    r.need(Condition::Lacks(every(v(t)), plus(&[v(x), v(y)])));
    let all = plus(&[digits(v(t)), digits(v(g))]);
    r.need(cmp(count(all.clone()), Comparison::Equal, Expr::Add(b(count(v(t))), b(num(1)))));
    let d = r.index("d", Kind::Digit);
    let there = plus(&[isin(v(d), v(t)), and(v(g), isin(v(d), v(s)))]);
    r.conclude_for(d, all, Claim::SomeTrue(there));
    r.technique("unique_rectangle_3")
}

fn ur_4(within: bool) -> Technique {
    let Corners { mut r, x, y, s, g, .. } = rectangle(true, true);
    r.need(cmp(count(cells(v(g))), Comparison::Equal, num(2)));
    let h = r.house("h", HouseClass::Any);
    r.need(Condition::Within(cells(v(g)), cells_of(v(h))));
    if within {
        r.need(Condition::Within(isin(v(x), cells_of(v(h))), v(s)));
    }
    r.conclude(Claim::Eliminate(isin(v(y), cells(v(g)))));
    r.technique("unique_rectangle_4")
}

fn ur_6() -> Technique {
    let Corners { mut r, x, b: p, c: q, s, g, .. } = rectangle(true, true);
    r.need(Condition::Equal(cells(v(g)), plus(&[v(p), v(q)])));
    let inside = |class, c: Id| Condition::Within(isin(v(x), cells_of(Expr::HousesOf(class, b(v(c))))), v(s));
    let both = |class| Condition::And(vec![inside(class, p), inside(class, q)]);
    r.need(Condition::Or(vec![both(HouseClass::Row), both(HouseClass::Column)]));
    r.conclude(Claim::Eliminate(isin(v(x), plus(&[v(p), v(q)]))));
    r.technique("unique_rectangle_6")
}

fn hidden_rectangle() -> Technique {
    let Corners { mut r, x, y, d, s, .. } = rectangle(true, true);
    for class in [HouseClass::Row, HouseClass::Column] {
        r.need(Condition::Within(isin(v(x), cells_of(Expr::HousesOf(class, b(v(d))))), v(s)));
    }
    r.conclude(Claim::Eliminate(isin(v(y), v(d))));
    r.technique("hidden_rectangle")
}

fn avoidable(open: bool) -> Technique {
    let mut r = Rule { unique: true, ..Rule::default() };
    let (p, q) = (r.house("r", HouseClass::Row), r.house("s", HouseClass::Row));
    let (c, e) = (r.house("c", HouseClass::Column), r.house("e", HouseClass::Column));
    let set = and(plus(&[cells_of(v(p)), cells_of(v(q))]), plus(&[cells_of(v(c)), cells_of(v(e))]));
    let s = r.lets("S", Kind::Cell, set);
    let x = r.name("x", Kind::Digit, VarShape::Single, Origin::Pattern);
    let y = r.name("y", Kind::Digit, VarShape::Single, Origin::Pattern);
    r.need(Condition::Exactly(Expr::Values(b(v(s))), vec![x, y]));
    r.need(PredicateId::Closed.applied_to(vec![v(s)]));
    if open {
        r.need(Condition::GivensAllow(every(v(s)), plus(&[v(x), v(y)])));
    }
    let g = r.lets("G", Kind::Candidate, isin(minus(Expr::AllDigits, plus(&[v(x), v(y)])), v(s)));
    r.conclude(Claim::SomeTrue(v(g)));
    r.technique("avoidable_rectangle")
}

fn extended(n: u32, closed: bool) -> Technique {
    let mut r = Rule { unique: true, ..Rule::default() };
    let (k, l) = (r.house("k", HouseClass::Line), r.house("l", HouseClass::Line));
    r.need(Condition::Incident(v(k), Incidence::Parallel, v(l)));
    let m = r.houses("m", HouseClass::Line, n);
    r.need(Condition::Incident(v(m), Incidence::Crossing, v(k)));
    let s = r.lets("S", Kind::Cell, and(plus(&[cells_of(v(k)), cells_of(v(l))]), cells_of(v(m))));
    if closed {
        r.need(PredicateId::ClosedBetween.applied_to(vec![v(s), v(k), v(l)]));
    }
    let d = r.name("D", Kind::Digit, VarShape::Set, Origin::Chosen);
    r.choose(d, Some((num(n), Some(num(n)))), vec![]);
    r.need(Condition::GivensAllow(every(v(s)), v(d)));
    let values = || Expr::Values(b(v(s)));
    r.need(Condition::Or(vec![Condition::Within(values(), v(d)), Condition::No(values())]));
    let g = r.lets("G", Kind::Candidate, isin(minus(Expr::AllDigits, v(d)), v(s)));
    r.conclude(Claim::SomeTrue(v(g)));
    r.technique("extended_rectangle")
}

fn bug(n: u32, pairs: bool, houses: bool) -> Technique {
    let mut r = Rule { unique: true, ..Rule::default() };
    let c = r.index("c", Kind::Cell);
    let p = r.index("p", Kind::Candidate);
    let h = r.index("h", Kind::House(HouseClass::Any));
    let d = r.index("d", Kind::Digit);
    let more = |x: Expr| cmp(count(x), Comparison::Greater, num(2));
    let fat = Expr::Filter { var: c, set: b(Expr::AllCells), condition: Box::new(more(digits(v(c)))) };
    let fat = r.lets("fat", Kind::Cell, fat);
    r.need(some(v(fat)));
    r.need(cmp(count(v(fat)), Comparison::LessEqual, num(n)));
    let here = all(h, Expr::HousesOf(HouseClass::Any, b(cells(v(p)))), more(isin(digits(v(p)), cells_of(v(h)))));
    let g = Expr::Filter { var: p, set: b(isin(Expr::AllDigits, v(fat))), condition: Box::new(here) };
    let g = r.lets("G", Kind::Candidate, g);
    r.need(cmp(count(v(g)), Comparison::Equal, num(n)));
    let all_in = |x: Expr| isin(Expr::AllDigits, x);
    let op = if pairs { Comparison::Equal } else { Comparison::LessEqual };
    r.need(all(c, Expr::AllCells, cmp(count(minus(all_in(v(c)), v(g))), op, num(2))));
    if houses {
        let places = isin(v(d), cells_of(v(h)));
        let two = cmp(count(minus(places, v(g))), Comparison::Equal, num(2));
        let of = digits(cells(cells_of(v(h))));
        r.need(all(h, Expr::AllHouses(HouseClass::Any), all(d, of, two)));
    }
    r.conclude(Claim::SomeTrue(v(g)));
    r.technique(&format!("bug {n}"))
}

#[test]
fn bugs_are_proved() {
    proved_on(share(4, 9), &bug(1, true, true));
}

#[test]
fn wrong_bugs_are_refuted() {
    refuted_on(share(4, 9), &bug(1, false, false));
    refuted_on(share(6, 9), &bug(1, true, false));
}

#[test]
fn rules_of_one_solution_are_proved() {
    let size = share(6, 9);
    for rule in [ur_1_2_5(true, true), ur_3(4), ur_4(true), ur_6(), hidden_rectangle(), avoidable(true)] {
        proved_on(size, &rule);
    }
    proved_on(size, &extended(3, true));
}

#[test]
fn wrong_rules_of_one_solution_are_refuted() {
    for rule in [ur_1_2_5(false, true), ur_4(false), avoidable(false), extended(3, false)] {
        refuted_on(share(6, 9), &rule);
    }
}

/// A loop of cells with x and y and more; `how` says how it is known that the two digits can change places on it.
fn unique_loop(how: &str, open: bool) -> Technique {
    let mut r = Rule { unique: true, ..Rule::default() };
    let (x, y) = (r.digit("x"), r.digit("y"));
    let k = r.set("K", 6, Some(14), None);
    let h = r.index("h", Kind::House(HouseClass::Any));
    let here = || count(and(cells_of(v(h)), v(k)));
    let is = |n: u32| cmp(here(), Comparison::Equal, num(n));
    let every_house = |c: Condition| all(h, Expr::AllHouses(HouseClass::Any), c);
    match how {
        "closed" => r.need(PredicateId::Closed.applied_to(vec![v(k)])),
        "none or two" => r.need(every_house(Condition::Or(vec![is(0), is(2)]))),
        _ => r.need(every_house(cmp(here(), Comparison::LessEqual, num(2)))),
    }
    r.need(Condition::Connected(v(k)));
    if open {
        r.need(Condition::GivensAllow(every(v(k)), plus(&[v(x), v(y)])));
    }
    let g = r.lets("G", Kind::Candidate, isin(minus(Expr::AllDigits, plus(&[v(x), v(y)])), v(k)));
    r.conclude(Claim::SomeTrue(v(g)));
    r.technique("unique_loop")
}

/// One question for every size, on the board; where the rule says that the set is closed, on every board.
#[test]
fn loops_of_two_digits_are_proved_for_every_size() {
    let status = verdict(&unique_loop("closed", true));
    assert!(matches!(status, Status::Proved { every_board: true, .. }), "{status}");
    proved_on(share(6, 9), &unique_loop("none or two", true));
    assert!(!verdict_on(share(6, 9), &unique_loop("two at most", true)).is_proved());
}
