//! Rules in the IR about sets of houses, sets of candidates, closed sets of cells, templates, and conditions on every member
//! of a set. The engine is compared with brute force on them.

use super::rules::{
    boxed, candidates, choose, choose_set, chosen, chosen_set, conclude, count, digits, house_cells, index,
    intersection, minus, seeing_every, technique, union, v, var,
};
use pinion::lang::ir::*;

fn defined(name: &str, kind: Kind) -> Var {
    var(name, kind, VarShape::Set, Origin::Let)
}

fn define(name: usize, value: Expr) -> Statement {
    Statement::Let { var: VarId(name), value }
}

/// Returns the members of a set for which a condition on the loop variable `name` holds.
fn filter(name: usize, set: Expr, condition: Condition) -> Expr {
    Expr::Filter { var: VarId(name), set: boxed(set), condition: Box::new(condition) }
}

fn for_all(name: usize, set: Expr, condition: Condition) -> Condition {
    Condition::ForAll(VarId(name), set, Box::new(condition))
}

fn number(value: u32) -> Expr {
    Expr::Number(value)
}

fn require(condition: Condition) -> Statement {
    Statement::Require(condition)
}

/// The houses that a fish allows as base and cover.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fish {
    /// Rows covered by columns, or columns covered by rows.
    Basic,
    /// `Basic` without fins.
    Pure,
    /// Rows and boxes, covered by columns and boxes.
    Franken,
    /// Columns and boxes, covered by rows and boxes.
    FrankenColumns,
    /// Houses of any class, unless the fish is basic or Franken.
    Mutant,
}

/// Indices of the names of [`fish`].
const FISH_D: usize = 0;
const FISH_BASE: usize = 1;
const FISH_COVER: usize = 2;
const FISH_FINS: usize = 3;
const FISH_H: usize = 4;

/// Returns the conditions of the choice of the base, and those of the choice of the cover.
fn houses_of_fish(kind: Fish) -> (Vec<Condition>, Vec<Condition>) {
    let base = || v(FISH_BASE);
    let cover = || v(FISH_COVER);
    let lines_and_boxes = |line| union(&[Expr::AllHouses(line), Expr::AllHouses(HouseClass::Box)]);
    match kind {
        Fish::Basic | Fish::Pure => (
            vec![Condition::Incident(base(), Incidence::Parallel, base())],
            vec![Condition::Incident(cover(), Incidence::Crossing, base())],
        ),
        Fish::Franken | Fish::FrankenColumns => {
            let (base_lines, cover_lines) = match kind {
                Fish::Franken => (HouseClass::Row, HouseClass::Column),
                _ => (HouseClass::Column, HouseClass::Row),
            };
            let boxes = intersection(Expr::AllHouses(HouseClass::Box), union(&[base(), cover()]));
            let lines_of_base = intersection(Expr::AllHouses(HouseClass::Line), base());
            (
                vec![Condition::Within(base(), lines_and_boxes(base_lines))],
                vec![
                    Condition::Within(cover(), lines_and_boxes(cover_lines)),
                    Condition::Disjoint(base(), cover()),
                    Condition::NotEmpty(boxes),
                    Condition::NotEmpty(lines_of_base),
                ],
            )
        }
        Fish::Mutant => {
            let is_franken = |base_lines, cover_lines| {
                Condition::And(vec![
                    Condition::Within(base(), lines_and_boxes(base_lines)),
                    Condition::Within(cover(), lines_and_boxes(cover_lines)),
                ])
            };
            let is_simpler_fish = Condition::Or(vec![
                is_franken(HouseClass::Row, HouseClass::Column),
                is_franken(HouseClass::Column, HouseClass::Row),
            ]);
            // No Franken fish has boxes alone as its base.
            let is_mutant = Condition::Or(vec![
                Condition::Within(base(), Expr::AllHouses(HouseClass::Box)),
                Condition::Not(Box::new(is_simpler_fish)),
            ]);
            (vec![], vec![Condition::Disjoint(base(), cover()), is_mutant])
        }
    }
}

/// n base houses and n cover houses, `min_size <= n <= max_size`. At most `max_fins` places of d in the base are outside of
/// the cover; they are guardians. A place that two base houses share is a fin, too.
pub fn fish(kind: Fish, min_size: u32, max_size: u32, max_fins: u32) -> Technique {
    let has_lines_only = matches!(kind, Fish::Basic | Fish::Pure);
    let class = if has_lines_only { HouseClass::Line } else { HouseClass::Any };
    let vars = vec![
        chosen("d", Kind::Digit),
        chosen_set("base", Kind::House(class)),
        chosen_set("cover", Kind::House(class)),
        defined("fins", Kind::Candidate),
        index("h", Kind::House(class)),
    ];
    let (d, base, cover, h) = (|| v(FISH_D), || v(FISH_BASE), || v(FISH_COVER), || v(FISH_H));
    let (base_conditions, cover_conditions) = houses_of_fish(kind);
    let has_d = |cells| Condition::NotEmpty(candidates(d(), cells));
    let mut fin_cells = minus(house_cells(base()), house_cells(cover()));
    let mut target_cells = minus(house_cells(cover()), house_cells(base()));
    if !has_lines_only {
        fin_cells = union(&[fin_cells, Expr::Overlap(boxed(base()))]);
        target_cells = union(&[target_cells, Expr::Overlap(boxed(cover()))]);
    }
    let mut body = vec![
        choose(FISH_D, vec![]),
        choose_set(FISH_BASE, Expr::Param(0), base_conditions),
        choose_set(FISH_COVER, Expr::Param(0), cover_conditions),
        require(for_all(FISH_H, base(), has_d(house_cells(h())))),
        require(for_all(FISH_H, cover(), has_d(intersection(house_cells(h()), house_cells(base()))))),
        define(FISH_FINS, candidates(d(), fin_cells)),
    ];
    let mut guardians = vec![];
    if kind == Fish::Pure {
        let base_places = Expr::CellsOf(boxed(candidates(d(), house_cells(base()))));
        body.push(require(Condition::Within(base_places, house_cells(cover()))));
    } else {
        body.push(require(count(v(FISH_FINS), Comparison::LessEqual, number(max_fins))));
        guardians.push(VarId(FISH_FINS));
    }
    let conclusions = conclude(Claim::Eliminate(candidates(d(), target_cells)));
    let variant = Variant { vars, body, conclusions, guardians, ..Variant::default() };
    technique("fish", &[(min_size, Some(max_size))], variant)
}

/// BUG: without at most `max_extra` extra candidates G, every cell has two candidates and every house has each digit twice.
/// One of the extra candidates is true.
pub fn bug(max_extra: u32) -> Technique {
    let [fat, extra, c, p, h, d] = [0, 1, 2, 3, 4, 5];
    let any_house = Kind::House(HouseClass::Any);
    let vars = vec![
        defined("fat", Kind::Cell),
        defined("G", Kind::Candidate),
        index("c", Kind::Cell),
        index("p", Kind::Candidate),
        index("h", any_house),
        index("d", Kind::Digit),
    ];
    let fat_cells = filter(c, Expr::AllCells, count(digits(v(c)), Comparison::Greater, number(2)));
    let is_frequent = count(candidates(digits(v(p)), house_cells(v(h))), Comparison::Greater, number(2));
    let houses_of_p = Expr::HousesOf(HouseClass::Any, boxed(Expr::CellsOf(boxed(v(p)))));
    let all_candidates = |cells| candidates(Expr::AllDigits, cells);
    let extra_candidates = filter(p, all_candidates(v(fat)), for_all(h, houses_of_p, is_frequent));
    let rest_of_cell = minus(all_candidates(v(c)), v(extra));
    let rest_of_house = minus(candidates(v(d), house_cells(v(h))), v(extra));
    let is_pair = |set| count(set, Comparison::Equal, number(2));
    let body = vec![
        define(fat, fat_cells),
        require(Condition::NotEmpty(v(fat))),
        define(extra, extra_candidates),
        require(count(v(extra), Comparison::LessEqual, number(max_extra))),
        require(for_all(c, Expr::AllCells, is_pair(rest_of_cell))),
        require(for_all(
            h,
            Expr::AllHouses(HouseClass::Any),
            for_all(d, digits(house_cells(v(h))), is_pair(rest_of_house)),
        )),
    ];
    let variant = Variant { vars, body, conclusions: conclude(Claim::SomeTrue(v(extra))), ..Variant::default() };
    technique("bug", &[], variant)
}

/// The corners S of two rows and two columns, with digits x and y that the givens allow in each corner. A is a corner with x
/// and y, and every corner has x.
///
/// `is_guarded`: S is `closed`, and x is placed in A unless one of the guardians G is true. Otherwise S is `closed between`
/// the rows, and x in A or one of G is true. G are the candidates of S other than x and y.
pub fn corners(is_guarded: bool) -> Technique {
    let [row1, row2, column1, column2, x, y, all_corners, others, a] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
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
    let cells_of_rows = union(&[house_cells(v(row1)), house_cells(v(row2))]);
    let cells_of_columns = union(&[house_cells(v(column1)), house_cells(v(column2))]);
    let pair = || union(&[v(x), v(y)]);
    let every_corner = || Operand { quantifier: Quantifier::Every, cells: v(all_corners) };
    let is_closed = match is_guarded {
        true => PredicateId::Closed.applied_to(vec![v(all_corners)]),
        false => PredicateId::ClosedBetween.applied_to(vec![v(all_corners), v(row1), v(row2)]),
    };
    let body = vec![
        choose(row1, vec![]),
        choose(row2, vec![]),
        choose(column1, vec![]),
        choose(column2, vec![]),
        define(all_corners, intersection(cells_of_rows, cells_of_columns)),
        require(is_closed),
        choose(a, vec![Condition::Within(v(a), v(all_corners))]),
        choose(x, vec![]),
        choose(y, vec![Condition::Within(pair(), digits(v(a)))]),
        require(Condition::GivensAllow(every_corner(), pair())),
        require(Condition::Has(every_corner(), v(x))),
        define(
            others,
            minus(candidates(minus(Expr::AllDigits, pair()), v(all_corners)), candidates(v(y), v(all_corners))),
        ),
    ];
    let x_in_a = candidates(v(x), v(a));
    let (claim, guardians) = match is_guarded {
        true => (Claim::Place(x_in_a), vec![VarId(others)]),
        false => (Claim::SomeTrue(union(&[v(others), x_in_a])), vec![]),
    };
    technique("corners", &[], Variant { vars, body, conclusions: conclude(claim), guardians, ..Variant::default() })
}

/// Sets of candidates that are filtered, joined, intersected, subtracted and compared. The rule is not sound: only its
/// matches matter.
pub fn candidate_sets() -> Technique {
    let [d, h, places, members, p, k, strong_houses, pair_digits, e] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    let any_house = Kind::House(HouseClass::Any);
    let vars = vec![
        chosen("d", Kind::Digit),
        chosen("h", any_house),
        defined("K", Kind::Candidate),
        defined("L", Kind::Candidate),
        index("p", Kind::Candidate),
        index("k", any_house),
        defined("H", any_house),
        defined("D", Kind::Digit),
        index("e", Kind::Digit),
    ];
    let is_pair = |digit, house| count(candidates(v(digit), house_cells(v(house))), Comparison::Equal, number(2));
    let in_h = |digits| candidates(digits, house_cells(v(h)));
    let in_strong_houses = || candidates(v(pair_digits), house_cells(v(strong_houses)));
    let is_strong = Condition::NotEmpty(intersection(v(p), in_strong_houses()));
    let body = vec![
        choose(d, vec![]),
        choose(h, vec![]),
        define(places, minus(in_h(v(d)), candidates(v(d), Expr::Overlap(boxed(v(strong_houses)))))),
        define(strong_houses, filter(k, Expr::AllHouses(HouseClass::Any), is_pair(d, k))),
        define(pair_digits, filter(e, digits(house_cells(v(h))), is_pair(e, h))),
        define(members, filter(p, union(&[in_h(v(pair_digits)), v(places)]), is_strong)),
        require(Condition::NotEmpty(v(places))),
        require(Condition::NotEmpty(v(members))),
        require(Condition::Within(v(members), union(&[v(places), in_h(v(pair_digits))]))),
        require(Condition::Disjoint(
            intersection(v(places), v(members)),
            candidates(minus(Expr::AllDigits, v(d)), Expr::AllCells),
        )),
        require(Condition::Not(Box::new(Condition::Equal(v(places), in_strong_houses())))),
        require(for_all(p, v(members), Condition::Within(digits(v(p)), v(pair_digits)))),
    ];
    let excluded = candidates(digits(v(members)), seeing_every(Expr::CellsOf(boxed(v(members)))));
    let variant = Variant { vars, body, conclusions: conclude(Claim::Eliminate(excluded)), ..Variant::default() };
    technique("candidate_sets", &[], variant)
}

/// Returns a rule that chooses a digit `d`, the name 0, and concludes `claim`.
fn rule_of_digit(id: &str, claim: Claim) -> Technique {
    let variant = Variant {
        vars: vec![chosen("d", Kind::Digit)],
        body: vec![choose(0, vec![])],
        conclusions: conclude(claim),
        ..Variant::default()
    };
    technique(id, &[], variant)
}

/// Eliminates the candidates of a digit that are in none of its templates.
pub fn in_no_template() -> Technique {
    rule_of_digit("in_no_template", Claim::Eliminate(Expr::InNoTemplate(boxed(v(0)))))
}

/// Places the candidates of a digit that are in each of its templates.
pub fn in_every_template() -> Technique {
    rule_of_digit("in_every_template", Claim::Place(Expr::InEveryTemplate(boxed(v(0)))))
}

/// [`in_every_template`] if `is_certain`, else [`in_no_template`], but in other words: `in_every_template(digits)` is
/// intersected with the candidates of one digit.
pub fn templates_of_all_digits(is_certain: bool) -> Technique {
    let of_digit = |set| intersection(set, candidates(v(0), Expr::AllCells));
    let claim = match is_certain {
        true => Claim::Place(of_digit(Expr::InEveryTemplate(boxed(Expr::AllDigits)))),
        false => Claim::Eliminate(of_digit(Expr::InNoTemplate(boxed(Expr::AllDigits)))),
    };
    rule_of_digit("templates_of_all_digits", claim)
}

/// Eliminates the candidates of n cells, at most `max_cells`, that are in no assignment of digits to these cells.
pub fn in_no_assignment(max_cells: u32) -> Technique {
    let vars = vec![chosen_set("s", Kind::Cell)];
    let conclusions = conclude(Claim::Eliminate(Expr::InNoTemplate(boxed(v(0)))));
    let body = vec![choose_set(0, Expr::Param(0), vec![])];
    let variant = Variant { vars, body, conclusions, ..Variant::default() };
    technique("in_no_assignment", &[(1, Some(max_cells))], variant)
}

/// Two digits, cells or houses, with a condition on each of them.
pub fn chosen_members(kind: Kind) -> Technique {
    let [d, set, member] = [0, 1, 2];
    let vars = vec![chosen("d", Kind::Digit), chosen_set("S", kind), index("m", kind)];
    let (condition, excluded) = match kind {
        Kind::Digit => {
            let is_rare = count(candidates(v(member), Expr::AllCells), Comparison::LessEqual, number(4));
            (is_rare, candidates(v(set), Expr::CellsOf(boxed(candidates(v(d), Expr::AllCells)))))
        }
        Kind::Cell => {
            let has_few_digits = count(digits(v(member)), Comparison::Less, number(3));
            (has_few_digits, candidates(v(d), seeing_every(v(set))))
        }
        _ => {
            let is_strong = count(candidates(v(d), house_cells(v(member))), Comparison::Equal, number(2));
            let cells_of_one_house = minus(house_cells(v(set)), Expr::Overlap(boxed(v(set))));
            (is_strong, candidates(v(d), intersection(house_cells(v(set)), cells_of_one_house)))
        }
    };
    let body = vec![choose(d, vec![]), choose_set(set, number(2), vec![]), require(for_all(member, v(set), condition))];
    let variant = Variant { vars, body, conclusions: conclude(Claim::Eliminate(excluded)), ..Variant::default() };
    technique("chosen_members", &[], variant)
}
