//! Rules with sets of houses, guardians, sets of candidates, closed sets, templates and combinations, in the checked form.

use super::rules::{chosen, technique, v, within_cells as cand};
use pinion::lang::ir::*;

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

pub fn named(name: &str, kind: Kind, shape: VarShape, origin: Origin) -> Var {
    Var { name: name.into(), kind, shape, origin }
}

fn set(name: &str, kind: Kind) -> Var {
    named(name, kind, VarShape::Set, Origin::Chosen)
}

fn defined(name: &str, kind: Kind) -> Var {
    named(name, kind, VarShape::Set, Origin::Let)
}

fn index(name: &str, kind: Kind) -> Var {
    named(name, kind, VarShape::Single, Origin::Index)
}

fn cells(houses: Expr) -> Expr {
    Expr::HouseCells(boxed(houses))
}

fn minus(a: Expr, b: Expr) -> Expr {
    Expr::Difference(boxed(a), boxed(b))
}

fn both(a: Expr, b: Expr) -> Expr {
    Expr::Intersection(boxed(a), boxed(b))
}

fn plus(parts: &[Expr]) -> Expr {
    Expr::Union(parts.to_vec())
}

fn those(var: usize, of: Expr, when: Condition) -> Expr {
    Expr::Filter { var: VarId(var), set: boxed(of), condition: Box::new(when) }
}

fn count(of: Expr, how: Comparison, number: Expr) -> Statement {
    Statement::Require(counted(of, how, number))
}

fn counted(of: Expr, how: Comparison, number: Expr) -> Condition {
    Condition::Compare(Expr::Count(boxed(of)), how, number)
}

fn for_all(name: usize, of: Expr, part: Condition) -> Condition {
    Condition::ForAll(VarId(name), of, Box::new(part))
}

fn number(value: u32) -> Expr {
    Expr::Number(value)
}

fn choose(var: usize, such_that: Vec<Condition>) -> Statement {
    Statement::Choose(Choose { var: VarId(var), size: None, for_each: None, such_that })
}

fn choose_set(var: usize, size: Expr, such_that: Vec<Condition>) -> Statement {
    Statement::Choose(Choose { var: VarId(var), size: Some((size.clone(), Some(size))), for_each: None, such_that })
}

fn define(var: usize, value: Expr) -> Statement {
    Statement::Let { var: VarId(var), value }
}

fn require(condition: Condition) -> Statement {
    Statement::Require(condition)
}

fn claim(claim: Claim) -> Vec<Conclusion> {
    vec![Conclusion { claim, for_each: None }]
}

/// Kinds of fish.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fish {
    /// Lines one way, covered by lines the other way.
    Basic,
    /// `Basic` without guardians.
    Pure,
    /// Rows and boxes, covered by columns and boxes.
    Franken,
    /// Columns and boxes, covered by rows and boxes.
    FrankenColumns,
    /// Any houses.
    Mutant,
}

/// Returns the conditions on the houses of the base and of the cover.
fn houses_of_fish(kind: Fish) -> (Vec<Condition>, Vec<Condition>) {
    let (base, cover) = (|| v(1), || v(2));
    let houses = |line| plus(&[Expr::AllHouses(line), Expr::AllHouses(HouseClass::Box)]);
    match kind {
        Fish::Basic | Fish::Pure => (
            vec![Condition::Incident(base(), Incidence::Parallel, base())],
            vec![Condition::Incident(cover(), Incidence::Crossing, base())],
        ),
        Fish::Franken | Fish::FrankenColumns => {
            let (one, other) = match kind {
                Fish::Franken => (HouseClass::Row, HouseClass::Column),
                _ => (HouseClass::Column, HouseClass::Row),
            };
            let mixed = both(Expr::AllHouses(HouseClass::Box), plus(&[base(), cover()]));
            let lines = both(Expr::AllHouses(HouseClass::Line), base());
            (
                vec![Condition::Within(base(), houses(one))],
                vec![
                    Condition::Within(cover(), houses(other)),
                    Condition::Disjoint(base(), cover()),
                    Condition::NotEmpty(mixed),
                    Condition::NotEmpty(lines),
                ],
            )
        }
        Fish::Mutant => {
            let one_way = |a, b| {
                Condition::And(vec![Condition::Within(base(), houses(a)), Condition::Within(cover(), houses(b))])
            };
            let plain = Condition::Or(vec![
                one_way(HouseClass::Row, HouseClass::Column),
                one_way(HouseClass::Column, HouseClass::Row),
            ]);
            let mutant = Condition::Or(vec![
                Condition::Within(base(), Expr::AllHouses(HouseClass::Box)),
                Condition::Not(Box::new(plain)),
            ]);
            (vec![], vec![Condition::Disjoint(base(), cover()), mutant])
        }
    }
}

/// d, base, cover, fins, h: sets of n houses with at most `most` places of d not covered.
pub fn fish(kind: Fish, low: u32, high: u32, most: u32) -> Technique {
    let class = if matches!(kind, Fish::Basic | Fish::Pure) { HouseClass::Line } else { HouseClass::Any };
    let vars = vec![
        chosen("d", Kind::Digit),
        set("base", Kind::House(class)),
        set("cover", Kind::House(class)),
        defined("fins", Kind::Candidate),
        index("h", Kind::House(class)),
    ];
    let (d, base, cover, h) = (|| v(0), || v(1), || v(2), || v(4));
    let (base_lies, cover_lies) = houses_of_fish(kind);
    let there = |cells| Condition::NotEmpty(cand(d(), cells));
    let mut body = vec![
        choose(0, vec![]),
        choose_set(1, Expr::Param(0), base_lies),
        choose_set(2, Expr::Param(0), cover_lies),
        require(for_all(4, base(), there(cells(h())))),
        require(for_all(4, cover(), there(both(cells(h()), cells(base()))))),
    ];
    let outside = minus(cells(base()), cells(cover()));
    let plain = matches!(kind, Fish::Basic | Fish::Pure);
    let aside = if plain { outside } else { plus(&[outside, Expr::Overlap(boxed(base()))]) };
    let mut target = minus(cells(cover()), cells(base()));
    if !plain {
        target = plus(&[target, Expr::Overlap(boxed(cover()))]);
    }
    let mut guardians = vec![];
    if kind == Fish::Pure {
        let inside = Expr::CellsOf(boxed(cand(d(), cells(base()))));
        body.push(define(3, cand(d(), aside)));
        body.push(require(Condition::Within(inside, cells(cover()))));
    } else {
        body.push(define(3, cand(d(), aside)));
        body.push(count(v(3), Comparison::LessEqual, number(most)));
        guardians.push(VarId(3));
    }
    let conclusions = claim(Claim::Eliminate(cand(d(), target)));
    let variant = Variant { vars, body, conclusions, guardians, ..Variant::default() };
    technique("fish", &[(low, Some(high))], variant)
}

/// Cells with more than two candidates, and the candidates without which each cell and house has two of each.
pub fn bug(most: u32) -> Technique {
    let house = Kind::House(HouseClass::Any);
    let vars = vec![
        defined("fat", Kind::Cell),
        defined("G", Kind::Candidate),
        index("c", Kind::Cell),
        index("p", Kind::Candidate),
        index("h", house),
        index("d", Kind::Digit),
    ];
    let digits = |of| Expr::Digits(boxed(of));
    let fat = those(2, Expr::AllCells, counted(digits(v(2)), Comparison::Greater, number(2)));
    let here = || cand(digits(v(3)), cells(v(4)));
    let often = counted(here(), Comparison::Greater, number(2));
    let houses = Expr::HousesOf(HouseClass::Any, boxed(Expr::CellsOf(boxed(v(3)))));
    let all = |cells| cand(Expr::AllDigits, cells);
    let extra = those(3, all(v(0)), for_all(4, houses, often));
    let in_cell = counted(minus(all(v(2)), v(1)), Comparison::Equal, number(2));
    let in_house = counted(minus(cand(v(5), cells(v(4))), v(1)), Comparison::Equal, number(2));
    let body = vec![
        define(0, fat),
        require(Condition::NotEmpty(v(0))),
        define(1, extra),
        count(v(1), Comparison::LessEqual, number(most)),
        require(for_all(2, Expr::AllCells, in_cell)),
        require(for_all(4, Expr::AllHouses(HouseClass::Any), for_all(5, digits(cells(v(4))), in_house))),
    ];
    let variant = Variant { vars, body, conclusions: claim(Claim::SomeTrue(v(1))), ..Variant::default() };
    technique("bug", &[], variant)
}

/// Two rows and two columns whose corners are closed and allowed x and y by the givens.
pub fn corners(place: bool) -> Technique {
    let vars = vec![
        chosen("r", Kind::House(HouseClass::Row)),
        chosen("s", Kind::House(HouseClass::Row)),
        chosen("c", Kind::House(HouseClass::Column)),
        chosen("e", Kind::House(HouseClass::Column)),
        chosen("x", Kind::Digit),
        chosen("y", Kind::Digit),
        defined("S", Kind::Cell),
        defined("G", Kind::Candidate),
        chosen("A", Kind::Cell),
    ];
    let corners = both(plus(&[cells(v(0)), cells(v(1))]), plus(&[cells(v(2)), cells(v(3))]));
    let pair = || plus(&[v(4), v(5)]);
    let closed = match place {
        true => PredicateId::Closed.applied_to(vec![v(6)]),
        false => PredicateId::ClosedBetween.applied_to(vec![v(6), v(0), v(1)]),
    };
    let body = vec![
        choose(0, vec![]),
        choose(1, vec![]),
        choose(2, vec![]),
        choose(3, vec![]),
        define(6, corners),
        require(closed),
        choose(8, vec![Condition::Within(v(8), v(6))]),
        choose(4, vec![]),
        choose(5, vec![Condition::Within(plus(&[v(4), v(5)]), Expr::Digits(boxed(v(8))))]),
        require(Condition::GivensAllow(Operand { quantifier: Quantifier::Every, cells: v(6) }, pair())),
        require(Condition::Has(Operand { quantifier: Quantifier::Every, cells: v(6) }, v(4))),
        define(7, minus(cand(minus(Expr::AllDigits, pair()), v(6)), cand(v(5), v(6)))),
    ];
    let conclusions = match place {
        true => claim(Claim::Place(cand(v(4), v(8)))),
        false => claim(Claim::SomeTrue(plus(&[v(7), cand(v(4), v(8))]))),
    };
    let guardians = if place { vec![VarId(7)] } else { vec![] };
    technique("corners", &[], Variant { vars, body, conclusions, guardians, ..Variant::default() })
}

/// Candidates compared, joined and taken apart, in loops over digits, houses and candidates.
pub fn candidate_sets() -> Technique {
    let house = Kind::House(HouseClass::Any);
    let vars = vec![
        chosen("d", Kind::Digit),
        chosen("h", house),
        defined("K", Kind::Candidate),
        defined("L", Kind::Candidate),
        index("p", Kind::Candidate),
        index("k", house),
        defined("H", house),
        defined("D", Kind::Digit),
        index("e", Kind::Digit),
    ];
    let sees = |cells| Expr::Seeing { every: true, cells: boxed(cells) };
    let strong =
        those(5, Expr::AllHouses(HouseClass::Any), counted(cand(v(0), cells(v(5))), Comparison::Equal, number(2)));
    let two =
        those(8, Expr::Digits(boxed(cells(v(1)))), counted(cand(v(8), cells(v(1))), Comparison::Equal, number(2)));
    let members =
        those(4, plus(&[cand(v(7), cells(v(1))), v(2)]), Condition::NotEmpty(both(v(4), cand(v(7), cells(v(6))))));
    let body = vec![
        choose(0, vec![]),
        choose(1, vec![]),
        define(2, minus(cand(v(0), cells(v(1))), cand(v(0), Expr::Overlap(boxed(v(6)))))),
        define(6, strong),
        define(7, two),
        define(3, members),
        require(Condition::NotEmpty(v(2))),
        require(Condition::NotEmpty(v(3))),
        require(Condition::Within(v(3), plus(&[v(2), cand(v(7), cells(v(1)))]))),
        require(Condition::Disjoint(both(v(2), v(3)), cand(minus(Expr::AllDigits, v(0)), Expr::AllCells))),
        require(Condition::Not(Box::new(Condition::Equal(v(2), cand(v(7), cells(v(6))))))),
        require(for_all(4, v(3), Condition::Within(Expr::Digits(boxed(v(4))), v(7)))),
    ];
    let gone = cand(Expr::Digits(boxed(v(3))), sees(Expr::CellsOf(boxed(v(3)))));
    technique(
        "candidate_sets",
        &[],
        Variant { vars, body, conclusions: claim(Claim::Eliminate(gone)), ..Variant::default() },
    )
}

/// Eliminates the candidates that are in no template of a digit.
pub fn in_no_template() -> Technique {
    let conclusions = claim(Claim::Eliminate(Expr::InNoTemplate(boxed(v(0)))));
    let variant = Variant {
        vars: vec![chosen("d", Kind::Digit)],
        body: vec![choose(0, vec![])],
        conclusions,
        ..Variant::default()
    };
    technique("in_no_template", &[], variant)
}

/// Places the candidates that are in every template of a digit.
pub fn in_every_template() -> Technique {
    let conclusions = claim(Claim::Place(Expr::InEveryTemplate(boxed(v(0)))));
    let variant = Variant {
        vars: vec![chosen("d", Kind::Digit)],
        body: vec![choose(0, vec![])],
        conclusions,
        ..Variant::default()
    };
    technique("in_every_template", &[], variant)
}

/// The two rules above with all digits at once.
pub fn templates_of_all_digits(certain: bool) -> Technique {
    let of_digit = |all| Expr::Intersection(boxed(all), boxed(cand(v(0), Expr::AllCells)));
    let claim_of = |certain: bool| match certain {
        true => Claim::Place(of_digit(Expr::InEveryTemplate(boxed(Expr::AllDigits)))),
        false => Claim::Eliminate(of_digit(Expr::InNoTemplate(boxed(Expr::AllDigits)))),
    };
    let variant = Variant {
        vars: vec![chosen("d", Kind::Digit)],
        body: vec![choose(0, vec![])],
        conclusions: claim(claim_of(certain)),
        ..Variant::default()
    };
    technique("templates_of_all_digits", &[], variant)
}

/// Eliminates the candidates that are in no assignment of n cells.
pub fn in_no_assignment(most: u32) -> Technique {
    let vars = vec![set("s", Kind::Cell)];
    let conclusions = claim(Claim::Eliminate(Expr::InNoTemplate(boxed(v(0)))));
    let body = vec![choose_set(0, Expr::Param(0), vec![])];
    technique("in_no_assignment", &[(1, Some(most))], Variant { vars, body, conclusions, ..Variant::default() })
}

/// Lines, boxes and digits chosen_members, each with a condition on every member.
pub fn chosen_members(kind: Kind) -> Technique {
    let vars = vec![chosen("d", Kind::Digit), set("S", kind), index("m", kind)];
    let (part, conclusion) = match kind {
        Kind::Digit => {
            let few = counted(cand(v(2), Expr::AllCells), Comparison::LessEqual, number(4));
            (few, cand(v(1), Expr::CellsOf(boxed(cand(v(0), Expr::AllCells)))))
        }
        Kind::Cell => {
            let few = counted(Expr::Digits(boxed(v(2))), Comparison::Less, number(3));
            (few, cand(v(0), Expr::Seeing { every: true, cells: boxed(v(1)) }))
        }
        _ => {
            let few = counted(cand(v(0), cells(v(2))), Comparison::Equal, number(2));
            (few, cand(v(0), both(cells(v(1)), minus(cells(v(1)), Expr::Overlap(boxed(v(1)))))))
        }
    };
    let body = vec![choose(0, vec![]), choose_set(1, number(2), vec![]), require(for_all(2, v(1), part))];
    let variant = Variant { vars, body, conclusions: claim(Claim::Eliminate(conclusion)), ..Variant::default() };
    technique("chosen_members", &[], variant)
}
