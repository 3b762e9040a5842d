//! Almost locked sets, families of them, steps put together and views: rules in the checked form, the judge and the
//! machine on small states, and views compared with equivalent rules.

use super::rules::{chosen, hidden_subset, naked_subset, technique, v, within_cells};
use super::{ALL, any_state, check, machine, state_of};
use crate::brute_force::{Bounds, naive_effects, naive_matches};
use crate::common::cases;
use pinion::engine::{Engine, Lens, Limits, SearchMode, SearchOutcome};
use pinion::grid::{Candidate, Geometry, State};
use pinion::lang::ir::*;
use pinion::proof::{StepCheck, check_cited};
use pinion::render::{step_lines, unstyled};
use pinion::solve::step_of;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

fn set(name: &str, shape: VarShape) -> Var {
    Var { name: name.into(), kind: Kind::Cell, shape, origin: Origin::Chosen }
}

fn index(name: &str, kind: Kind) -> Var {
    Var { name: name.into(), kind, shape: VarShape::Single, origin: Origin::Index }
}

fn choose(var: usize, such_that: Vec<Condition>) -> Statement {
    Statement::Choose(Choose { var: VarId(var), size: None, for_each: None, such_that })
}

fn als(var: usize, over: u32, more: Vec<Condition>) -> Statement {
    let mut such_that = vec![Condition::AlmostLocked(v(var), over)];
    such_that.extend(more);
    Statement::Choose(Choose { var: VarId(var), size: Some((Expr::Number(1), None)), for_each: None, such_that })
}

fn petals(family: usize, index: usize, of: Expr, more: Vec<Condition>) -> Statement {
    let mut such_that = vec![Condition::AlmostLocked(member(family, index), 1)];
    such_that.extend(more);
    let per = Some((VarId(index), of));
    Statement::Choose(Choose { var: VarId(family), size: Some((Expr::Number(1), None)), for_each: per, such_that })
}

fn member(family: usize, index: usize) -> Expr {
    Expr::Member(VarId(family), VarId(index))
}

fn has(digit: usize, of: Expr) -> Condition {
    Condition::NotEmpty(within_cells(v(digit), of))
}

/// Every place of the digit in the one set sees every place of it in the other; both have it.
fn linking(digit: usize, a: Expr, b: Expr) -> Vec<Condition> {
    let places = |of: &Expr| Operand::every(Expr::CellsOf(boxed(within_cells(v(digit), of.clone()))));
    vec![has(digit, a.clone()), has(digit, b.clone()), Condition::Sees(places(&a), places(&b))]
}

fn differ(a: usize, b: usize) -> Condition {
    Condition::Not(Box::new(Condition::Equal(v(a), v(b))))
}

fn one_of(digit: usize, cells: Vec<Expr>) -> Conclusion {
    Conclusion { claim: Claim::SomeTrue(within_cells(v(digit), Expr::Union(cells))), for_each: None }
}

fn rule(id: &str, vars: Vec<Var>, body: Vec<Statement>, conclusions: Vec<Conclusion>, per: &[usize]) -> Technique {
    let per = per.iter().map(|&name| VarId(name)).collect();
    technique(id, &[], Variant { vars, body, conclusions, merge_by: per, ..Variant::default() })
}

pub fn two_sets(per: &[usize]) -> Technique {
    let vars =
        vec![set("A", VarShape::Set), set("B", VarShape::Set), chosen("x", Kind::Digit), chosen("z", Kind::Digit)];
    let body = vec![
        als(0, 1, vec![]),
        als(1, 1, vec![differ(0, 1)]),
        choose(2, linking(2, v(0), v(1))),
        choose(3, vec![]),
        Statement::Require(Condition::And(vec![has(3, v(0)), has(3, v(1))])),
    ];
    rule("two_sets", vars, body, vec![one_of(3, vec![v(0), v(1)])], per)
}

/// Two links: every digit of either set is locked in it, and the linking ones in both.
pub fn two_links() -> Technique {
    let vars = vec![
        set("A", VarShape::Set),
        set("B", VarShape::Set),
        chosen("x", Kind::Digit),
        chosen("y", Kind::Digit),
        index("d", Kind::Digit),
    ];
    let body = vec![
        als(0, 1, vec![]),
        als(1, 1, vec![differ(0, 1), Condition::Disjoint(v(0), v(1))]),
        choose(2, linking(2, v(0), v(1))),
        choose(3, linking(3, v(0), v(1))),
    ];
    let each = |cells: Expr, over: Expr| Conclusion {
        claim: Claim::SomeTrue(within_cells(v(4), cells)),
        for_each: Some((VarId(4), over)),
    };
    let links = || Expr::Union(vec![v(2), v(3)]);
    let rest = |of: usize| Expr::Difference(boxed(Expr::Digits(boxed(v(of)))), boxed(links()));
    let conclusions = vec![each(v(0), rest(0)), each(v(1), rest(1)), each(Expr::Union(vec![v(0), v(1)]), links())];
    rule("two_links", vars, body, conclusions, &[])
}

pub fn three_sets() -> Technique {
    let vars = vec![
        set("A", VarShape::Set),
        set("B", VarShape::Set),
        set("C", VarShape::Set),
        chosen("x", Kind::Digit),
        chosen("y", Kind::Digit),
        chosen("z", Kind::Digit),
    ];
    let body = vec![
        als(0, 1, vec![]),
        als(1, 1, vec![differ(0, 1)]),
        als(2, 1, vec![differ(0, 2), differ(1, 2)]),
        choose(3, linking(3, v(0), v(2))),
        choose(4, linking(4, v(1), v(2))),
        choose(5, vec![]),
        Statement::Require(Condition::And(vec![has(5, v(0)), has(5, v(1))])),
    ];
    rule("three_sets", vars, body, vec![one_of(5, vec![v(0), v(1)])], &[])
}

/// Sets with two digits too many, in a house, without a digit.
pub fn looser() -> Technique {
    let vars = vec![set("A", VarShape::Set), chosen("h", Kind::House(HouseClass::Line)), chosen("z", Kind::Digit)];
    let lacks = Condition::Not(Box::new(has(2, v(0))));
    let body = vec![
        choose(1, vec![]),
        choose(2, vec![]),
        als(0, 2, vec![Condition::Within(v(0), Expr::HouseCells(boxed(v(1)))), lacks]),
        Statement::Require(Condition::Compare(Expr::Count(boxed(v(0))), Comparison::LessEqual, Expr::Number(2))),
    ];
    let gone = within_cells(v(2), Expr::Difference(boxed(Expr::HouseCells(boxed(v(1)))), boxed(v(0))));
    rule("looser", vars, body, vec![Conclusion { claim: Claim::Eliminate(gone), for_each: None }], &[])
}

pub fn flower(disjoint: bool, per: &[usize]) -> Technique {
    let vars = vec![
        chosen("z", Kind::Digit),
        chosen("stem", Kind::Cell),
        set("petal", VarShape::Family),
        index("d", Kind::Digit),
    ];
    let mut more = vec![has(0, member(2, 3))];
    more.extend(linking(3, member(2, 3), v(1)));
    if disjoint {
        more.push(Condition::Disjoint(v(2), v(2)));
    }
    let body = vec![
        choose(0, vec![]),
        choose(1, vec![Condition::Lacks(Operand::every(v(1)), v(0))]),
        petals(2, 3, Expr::Digits(boxed(v(1))), more),
    ];
    rule("flower", vars, body, vec![one_of(0, vec![v(2)])], per)
}

/// One set for each place of a digit in a house.
pub fn house_flower() -> Technique {
    let vars = vec![
        chosen("h", Kind::House(HouseClass::Any)),
        chosen("d", Kind::Digit),
        chosen("z", Kind::Digit),
        set("petal", VarShape::Family),
        index("c", Kind::Cell),
    ];
    let places = Expr::CellsOf(boxed(within_cells(v(1), Expr::HouseCells(boxed(v(0))))));
    let mut more = vec![has(2, member(3, 4))];
    more.extend(linking(1, member(3, 4), v(4)));
    let body = vec![
        choose(0, vec![]),
        choose(1, vec![]),
        choose(2, vec![]),
        Statement::Require(Condition::NotEmpty(places.clone())),
        petals(3, 4, places, more),
    ];
    rule("house_flower", vars, body, vec![one_of(2, vec![v(3)])], &[])
}

fn engine(board: &Arc<Geometry>, rules: &[Technique]) -> Engine {
    Engine::new(Arc::clone(board), rules, &[]).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn all(engine: &Engine, state: &State, member: usize) -> SearchOutcome {
    let found = engine.position(state).find(member, SearchMode::All, &Limits::default());
    assert!(found.limits.is_empty(), "{:?}", found.limits);
    found
}

type Effect = (BTreeSet<Candidate>, BTreeSet<Candidate>);

/// `one step per` by the judge: the effects of its matches united by the values of these names. The order of
/// names that may change places is the machine's own, so only what is shown is compared.
fn bundled(board: &Geometry, state: &State, rule: &Technique) -> BTreeSet<Effect> {
    let variant = &rule.variants[0];
    let mut groups: BTreeMap<Vec<_>, Effect> = BTreeMap::new();
    for bindings in naive_matches(variant, &[], board, state, &[], Bounds::links(0)).expect(ALL) {
        let now = pinion::eval::Evaluator::new(variant, &[], board, state, &bindings);
        let (gone, placed) = now.conclusions();
        let key = variant.merge_by.iter().map(|name| bindings[name.0].clone()).collect();
        let group = groups.entry(key).or_default();
        group.0.extend(gone);
        group.1.extend(placed);
    }
    groups.into_values().filter(|(gone, placed)| !gone.is_empty() || !placed.is_empty()).collect()
}

fn with_views(mut rule: Technique) -> Technique {
    let title = |text: &str| Template { parts: vec![TemplatePart::Text(text.into())] };
    rule.views =
        vec![View { space: Space::Rn, title: title("In rows") }, View { space: Space::Cn, title: title("In columns") }];
    rule
}

fn of_class(mut rule: Technique, class: HouseClass) -> Technique {
    rule.variants[0].vars[0].kind = Kind::House(class);
    rule
}

fn effects(found: &SearchOutcome) -> BTreeSet<(Vec<Candidate>, Vec<Candidate>)> {
    found.matches.iter().map(|one| (one.eliminations.clone(), one.placements.clone())).collect()
}

/// States on which the judge can try every choice of sets: a third or more is solved.
fn late_state() -> impl Strategy<Value = (Arc<Geometry>, State)> {
    prop::sample::select(&[(4usize, 4usize..11), (6, 20..30)][..]).prop_flat_map(|(size, solved)| {
        let board = Arc::new(Geometry::standard(size).expect("a standard size"));
        let order = prop::collection::vec(any::<u16>(), size * size);
        (order, solved).prop_map(move |(order, placed)| (Arc::clone(&board), state_of(&board, &order, placed, 3)))
    })
}

proptest! {
    #![proptest_config(cases(3, 12))]

    #[test]
    fn almost_locked_sets((board, state) in late_state()) {
        for rule in [two_sets(&[]), two_links(), three_sets(), looser()] {
            check(&board, &state, &rule, &[], 0);
        }
    }

    #[test]
    fn families_of_sets((board, state) in late_state()) {
        for rule in [flower(false, &[]), flower(true, &[]), house_flower()] {
            check(&board, &state, &rule, &[], 0);
        }
    }

    #[test]
    fn steps_of_several_matches((board, state) in late_state()) {
        for rule in [two_sets(&[0, 1]), flower(false, &[1, 2])] {
            let engine = engine(&board, std::slice::from_ref(&rule));
            let found = all(&engine, &state, 0);
            let set = |list: &[Candidate]| list.iter().copied().collect::<BTreeSet<_>>();
            let shown: BTreeSet<Effect> =
                found.matches.iter().map(|one| (set(&one.eliminations), set(&one.placements))).collect();
            prop_assert_eq!(&shown, &bundled(&board, &state, &rule));
            let first = engine.position(&state).find(0, SearchMode::First, &Limits::default());
            prop_assert_eq!(first.matches.first(), found.matches.first());
        }
    }

    /// The matches in a view are those that the judge finds on the view's board, mapped back to the grid.
    #[test]
    fn views((board, state) in any_state(&[4, 6])) {
        let rule = with_views(super::rules::xyz_wing());
        let engine = engine(&board, std::slice::from_ref(&rule));
        let latin = Geometry::latin(board.size());
        for (index, member) in engine.members().iter().enumerate().skip(1) {
            let lens = Lens::new(board.size(), member.space);
            let seen = lens.state_in_view(&state);
            let in_grid = |list: &[Candidate]| {
                list.iter().map(|&one| lens.candidate_in_grid(one)).collect::<BTreeSet<_>>()
            };
            let expected: BTreeSet<Effect> = naive_effects(&rule.variants[0], &[], &latin, &seen, &[], Bounds::links(0))
                .expect(ALL)
                .into_iter()
                .map(|(gone, placed)| (in_grid(&gone), in_grid(&placed)))
                .collect();
            let found = all(&engine, &state, index);
            let set = |list: &[Candidate]| list.iter().copied().collect::<BTreeSet<_>>();
            let found: BTreeSet<Effect> =
                found.matches.iter().map(|one| (set(&one.eliminations), set(&one.placements))).collect();
            prop_assert_eq!(found, expected);
        }
    }

    /// Cells of a row seen as digits in it: naked there is hidden here, for rows and for columns.
    #[test]
    fn naked_in_a_view_is_hidden_in_the_grid((board, state) in any_state(&[4, 6, 9])) {
        let naked = engine(&board, &[with_views(of_class(naked_subset(), HouseClass::Row))]);
        for (class, space) in [(HouseClass::Row, Space::Rn), (HouseClass::Column, Space::Cn)] {
            let hidden = engine(&board, &[of_class(hidden_subset(), class)]);
            for (index, member) in naked.members().iter().enumerate().filter(|(_, member)| member.space == space) {
                let plain = hidden.members().iter().position(|other| other.args == member.args).expect("a member");
                prop_assert_eq!(effects(&all(&naked, &state, index)), effects(&all(&hidden, &state, plain)));
            }
        }
    }
}

/// A rule whose steps two by two are those of another.
fn join(by: &[&str]) -> Technique {
    let by = by.iter().map(|name| name.to_string()).collect();
    let join = Join { technique: "hidden_subset".into(), args: vec![Expr::Param(0)], by };
    technique("both", &[(2, Some(2))], Variant { join: Some(join), ..Variant::default() })
}

#[test]
fn a_join_needs_its_technique_and_its_names() {
    let board = Arc::new(Geometry::standard(4).expect("a standard size"));
    let message = |rules: &[Technique]| {
        let errors = Engine::new(Arc::clone(&board), rules, &[]).err().expect("an error");
        errors[0].to_string()
    };
    assert_eq!(message(&[join(&["h"])]), "both: there is no technique `hidden_subset` to join the steps of");
    let unnamed = message(&[hidden_subset(), join(&["x"])]);
    assert_eq!(unnamed, "both: not every case of `hidden_subset` has the name `x`");
}

proptest! {
    #![proptest_config(cases(3, 10))]

    #[test]
    fn joined_steps((board, state) in any_state(&[4, 6, 9])) {
        let engine = engine(&board, &[join(&["D"]), hidden_subset()]);
        let single = engine.members().iter().position(|member| member.technique == 1).expect("a member");
        let parts = all(&engine, &state, single).matches;
        let mut expected = BTreeSet::new();
        for (at, a) in parts.iter().enumerate() {
            for b in &parts[at + 1..] {
                if a.bindings[1] == b.bindings[1] && a.eliminations != b.eliminations {
                    let mut both: Vec<Candidate> = a.eliminations.iter().chain(&b.eliminations).copied().collect();
                    both.sort();
                    both.dedup();
                    expected.insert((both, Vec::new()));
                }
            }
        }
        let found = all(&engine, &state, 0);
        prop_assert_eq!(effects(&found), expected);
        prop_assert!(found.matches.iter().all(|one| one.parts.len() == 2));
    }
}

/// Every step follows from what it cites, looked at by the checker that knows no engine.
fn cited(board: &Arc<Geometry>, state: &State, rules: &[Technique]) {
    let engine = engine(board, rules);
    for (index, member) in engine.members().iter().enumerate() {
        for found in all(&engine, state, index).matches {
            let step = step_of(&found, rules, board, state);
            let check = check_cited(board, state, &step.cited());
            assert_eq!(check, StepCheck::Follows, "{member:?}\n{}", unstyled(&step_lines(board, &step, 2)));
        }
    }
}

proptest! {
    #![proptest_config(cases(4, 24))]

    #[test]
    fn steps_cite_enough((board, state) in any_state(&[4, 6, 9])) {
        let rules = [
            naked_subset(),
            hidden_subset(),
            of_class(hidden_subset(), HouseClass::Column),
            super::rules::xyz_wing(),
            super::rules::w_wing(),
        ];
        rules.into_iter().for_each(|rule| cited(&board, &state, &[with_views(rule)]));
        cited(&board, &state, &[join(&["D"]), hidden_subset()]);
    }

    #[test]
    fn steps_of_sets_cite_enough((board, state) in late_state()) {
        for rule in [two_sets(&[0, 1]), two_links(), flower(false, &[1, 2]), house_flower()] {
            cited(&board, &state, &[rule]);
        }
    }
}

#[test]
fn a_step_of_a_view_speaks_of_the_grid() {
    let (board, state) = super::one_cell();
    let rules = [with_views(of_class(naked_subset(), HouseClass::Row))];
    let engine = engine(&board, &rules);
    let index = engine.members().iter().position(|member| member.space == Space::Rn).expect("a member");
    let found = all(&engine, &state, index).matches.remove(0);
    let text = unstyled(&step_lines(&board, &step_of(&found, &rules, &board, &state), 2));
    let expected = "In rows: 1 in r1c12, 2 in r1c12, r1 => r1c12<>34\n  \
        1 in row 1 is in column 1 or 2 and 2 in row 1 is in column 1 or 2. \
        These places exclude the candidates 3 and 4 in r1c1 and r1c2.\n";
    assert_eq!(text, expected);
}

#[test]
fn the_machine_reads_a_mapped_state() {
    // One row with everything open but one digit that has two places: the view has one cell with two values.
    let (board, state) = super::one_cell();
    let lens = Lens::new(4, Space::Rn);
    let seen = lens.state_in_view(&state);
    let texts: Vec<usize> = Geometry::latin(4).cells().map(|cell| seen.candidates(cell).len()).collect();
    assert_eq!(texts[..4], [2, 2, 4, 4]);
    let rule = with_views(of_class(naked_subset(), HouseClass::Row));
    let engine = engine(&board, std::slice::from_ref(&rule));
    let index = engine.members().iter().position(|member| member.space == Space::Rn).expect("a member");
    let texts: Vec<String> = machine(&board, &state, &engine, index)
        .into_keys()
        .map(|(gone, placed)| pinion::grid::notation::deductions(&board, &gone, &placed))
        .collect();
    assert_eq!(texts, ["r1c12<>34"]);
}
