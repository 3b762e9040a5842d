//! Rules in the IR about almost locked sets and families of them. On small states the engine finds what brute force finds,
//! merges matches as `one step per` says, and its steps follow from what they cite.

use super::rules::{
    boxed, candidates, choose, chosen, chosen_set, conclude, count, digits, house_cells, index, minus, places,
    technique, union, v, var,
};
use super::{check, state_of_solved_grid};
use crate::brute_force::{Bounds, naive_matches};
use crate::common::quick_or_full_cases;
use pinion::engine::{Engine, Limits, SearchMode, SearchOutcome};
use pinion::eval::Evaluator;
use pinion::grid::{Candidate, Geometry, State};
use pinion::lang::ir::*;
use pinion::proof::{StepCheck, check_cited};
use pinion::render::{step_lines, unstyled};
use pinion::solve::step_of;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Returns the choice of an almost locked set of a degree, with further conditions.
fn choose_als(name: usize, degree: u32, conditions: Vec<Condition>) -> Statement {
    let mut such_that = vec![Condition::AlmostLocked(v(name), degree)];
    such_that.extend(conditions);
    let size = Some((Expr::Number(1), None));
    Statement::Choose(Choose { var: VarId(name), size, for_each: None, such_that })
}

/// Returns the choice of an almost locked set for each `index` in `index_set`, with further conditions on each set.
fn choose_als_family(family: usize, index: usize, index_set: Expr, conditions: Vec<Condition>) -> Statement {
    let mut such_that = vec![Condition::AlmostLocked(member(family, index), 1)];
    such_that.extend(conditions);
    let size = Some((Expr::Number(1), None));
    Statement::Choose(Choose { var: VarId(family), size, for_each: Some((VarId(index), index_set)), such_that })
}

fn member(family: usize, index: usize) -> Expr {
    Expr::Member(VarId(family), VarId(index))
}

fn has(digit: usize, cells: Expr) -> Condition {
    Condition::NotEmpty(candidates(v(digit), cells))
}

/// Returns the conditions that a digit is a restricted common candidate of two sets: both have it, and every cell with it in
/// one set sees every cell with it in the other set.
fn linked_by(digit: usize, a: Expr, b: Expr) -> Vec<Condition> {
    let digit_cells = |set: &Expr| Operand::every(Expr::CellsOf(boxed(candidates(v(digit), set.clone()))));
    vec![has(digit, a.clone()), has(digit, b.clone()), Condition::Sees(digit_cells(&a), digit_cells(&b))]
}

fn differ(a: usize, b: usize) -> Condition {
    Condition::Not(Box::new(Condition::Equal(v(a), v(b))))
}

/// Returns the conclusion that one of the candidates of a digit in these cells is true.
fn some_true(digit: usize, cells: &[Expr]) -> Vec<Conclusion> {
    conclude(Claim::SomeTrue(candidates(v(digit), union(cells))))
}

/// Returns a rule without parameters. `merge_by` are the names of `one step per`.
fn rule(id: &str, vars: Vec<Var>, body: Vec<Statement>, conclusions: Vec<Conclusion>, merge_by: &[usize]) -> Technique {
    let merge_by = merge_by.iter().map(|&name| VarId(name)).collect();
    technique(id, &[], Variant { vars, body, conclusions, merge_by, ..Variant::default() })
}

/// Two sets A and B with a restricted common x and another common digit z. The names are A, B, x, z.
fn als_xz(merge_by: &[usize]) -> Technique {
    let [a, b, x, z] = [0, 1, 2, 3];
    let vars = vec![
        chosen_set("A", Kind::Cell),
        chosen_set("B", Kind::Cell),
        chosen("x", Kind::Digit),
        chosen("z", Kind::Digit),
    ];
    let body = vec![
        choose_als(a, 1, vec![]),
        choose_als(b, 1, vec![differ(a, b)]),
        choose(x, linked_by(x, v(a), v(b))),
        choose(z, vec![]),
        Statement::Require(Condition::And(vec![has(z, v(a)), has(z, v(b))])),
    ];
    rule("als_xz", vars, body, some_true(z, &[v(a), v(b)]), merge_by)
}

/// Two sets A and B with two restricted commons x and y. Every other digit of A is in A, every other digit of B is in B, and x
/// and y are in A or B.
fn als_xz_double() -> Technique {
    let [a, b, x, y, d] = [0, 1, 2, 3, 4];
    let vars = vec![
        chosen_set("A", Kind::Cell),
        chosen_set("B", Kind::Cell),
        chosen("x", Kind::Digit),
        chosen("y", Kind::Digit),
        index("d", Kind::Digit),
    ];
    let body = vec![
        choose_als(a, 1, vec![]),
        choose_als(b, 1, vec![differ(a, b), Condition::Disjoint(v(a), v(b))]),
        choose(x, linked_by(x, v(a), v(b))),
        choose(y, linked_by(y, v(a), v(b))),
    ];
    let each_digit = |digits: Expr, cells: Expr| Conclusion {
        claim: Claim::SomeTrue(candidates(v(d), cells)),
        for_each: Some((VarId(d), digits)),
    };
    let common = || union(&[v(x), v(y)]);
    let conclusions = vec![
        each_digit(minus(digits(v(a)), common()), v(a)),
        each_digit(minus(digits(v(b)), common()), v(b)),
        each_digit(common(), union(&[v(a), v(b)])),
    ];
    rule("als_xz_double", vars, body, conclusions, &[])
}

/// Sets A and B that a third set C links by x and y, with a common digit z.
fn als_xy_wing() -> Technique {
    let [a, b, c, x, y, z] = [0, 1, 2, 3, 4, 5];
    let mut vars = ["A", "B", "C"].map(|name| chosen_set(name, Kind::Cell)).to_vec();
    vars.extend(["x", "y", "z"].map(|name| chosen(name, Kind::Digit)));
    let body = vec![
        choose_als(a, 1, vec![]),
        choose_als(b, 1, vec![differ(a, b)]),
        choose_als(c, 1, vec![differ(a, c), differ(b, c)]),
        choose(x, linked_by(x, v(a), v(c))),
        choose(y, linked_by(y, v(b), v(c))),
        choose(z, vec![]),
        Statement::Require(Condition::And(vec![has(z, v(a)), has(z, v(b))])),
    ];
    rule("als_xy_wing", vars, body, some_true(z, &[v(a), v(b)]), &[])
}

/// A set of degree 2, of at most two cells of a line and without the digit z. The rule is not sound: only its matches matter.
fn als_of_degree_two() -> Technique {
    let [a, h, z] = [0, 1, 2];
    let vars = vec![chosen_set("A", Kind::Cell), chosen("h", Kind::House(HouseClass::Line)), chosen("z", Kind::Digit)];
    let lacks_z = Condition::Not(Box::new(has(z, v(a))));
    let body = vec![
        choose(h, vec![]),
        choose(z, vec![]),
        choose_als(a, 2, vec![Condition::Within(v(a), house_cells(v(h))), lacks_z]),
        Statement::Require(count(v(a), Comparison::LessEqual, Expr::Number(2))),
    ];
    let excluded = candidates(v(z), minus(house_cells(v(h)), v(a)));
    rule("als_of_degree_two", vars, body, conclude(Claim::Eliminate(excluded)), &[])
}

/// Death Blossom: a set with z for each digit d of the stem, linked to the stem by d. The names are z, stem, petal, d.
fn death_blossom(has_disjoint_petals: bool, merge_by: &[usize]) -> Technique {
    let [z, stem, petal, d] = [0, 1, 2, 3];
    let vars = vec![
        chosen("z", Kind::Digit),
        chosen("stem", Kind::Cell),
        var("petal", Kind::Cell, VarShape::Family, Origin::Chosen),
        index("d", Kind::Digit),
    ];
    let mut conditions = vec![has(z, member(petal, d))];
    conditions.extend(linked_by(d, member(petal, d), v(stem)));
    if has_disjoint_petals {
        // `petal disjoint petal` means that no two petals share a cell.
        conditions.push(Condition::Disjoint(v(petal), v(petal)));
    }
    let body = vec![
        choose(z, vec![]),
        choose(stem, vec![Condition::Lacks(Operand::every(v(stem)), v(z))]),
        choose_als_family(petal, d, digits(v(stem)), conditions),
    ];
    rule("death_blossom", vars, body, some_true(z, &[v(petal)]), merge_by)
}

/// A set with z for each place c of a digit d in a house, linked to the place by d.
fn death_blossom_of_house() -> Technique {
    let [h, d, z, petal, c] = [0, 1, 2, 3, 4];
    let vars = vec![
        chosen("h", Kind::House(HouseClass::Any)),
        chosen("d", Kind::Digit),
        chosen("z", Kind::Digit),
        var("petal", Kind::Cell, VarShape::Family, Origin::Chosen),
        index("c", Kind::Cell),
    ];
    let mut conditions = vec![has(z, member(petal, c))];
    conditions.extend(linked_by(d, member(petal, c), v(c)));
    let body = vec![
        choose(h, vec![]),
        choose(d, vec![]),
        choose(z, vec![]),
        Statement::Require(Condition::NotEmpty(places(v(d), v(h)))),
        choose_als_family(petal, c, places(v(d), v(h)), conditions),
    ];
    rule("death_blossom_of_house", vars, body, some_true(z, &[v(petal)]), &[])
}

pub fn engine(board: &Arc<Geometry>, rules: &[Technique]) -> Engine {
    Engine::new(Arc::clone(board), rules, &[]).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Returns all matches that the engine finds for a member.
pub fn find_all(engine: &Engine, state: &State, member: usize) -> SearchOutcome {
    let outcome = engine.position(state).find(member, SearchMode::All, &Limits::default());
    assert!(outcome.limits.is_empty(), "{:?}", outcome.limits);
    outcome
}

/// Asserts that every step of the rules follows from what it cites. The checker knows nothing of the engine.
pub fn assert_steps_follow(board: &Arc<Geometry>, state: &State, rules: &[Technique]) {
    let engine = engine(board, rules);
    for (index, member) in engine.members().iter().enumerate() {
        for found in find_all(&engine, state, index).matches {
            let step = step_of(&found, rules, board, state);
            let check = check_cited(board, state, &step.cited());
            assert_eq!(check, StepCheck::Follows, "{member:?}\n{}", unstyled(&step_lines(board, &step, 2)));
        }
    }
}

/// Eliminations and placements.
pub type EffectSets = (BTreeSet<Candidate>, BTreeSet<Candidate>);

pub fn effect_sets(outcome: &SearchOutcome) -> BTreeSet<EffectSets> {
    let set = |list: &[Candidate]| list.iter().copied().collect::<BTreeSet<_>>();
    outcome.matches.iter().map(|found| (set(&found.eliminations), set(&found.placements))).collect()
}

/// Returns the effects that `one step per` asks for, by brute force: the union of the effects of all matches that agree on the
/// values of the names. Only effects can be compared with the engine, because it binds interchangeable names in one order
/// only.
fn naive_merged_effects(board: &Geometry, state: &State, rule: &Technique) -> BTreeSet<EffectSets> {
    let variant = &rule.variants[0];
    let mut groups: BTreeMap<Vec<_>, EffectSets> = BTreeMap::new();
    for bindings in naive_matches(variant, &[], board, state, &[], Bounds::without_chains())
        .expect("no limit on the number of values")
    {
        let (eliminations, placements) = Evaluator::new(variant, &[], board, state, &bindings).conclusions();
        let key = variant.merge_by.iter().map(|name| bindings[name.0].clone()).collect();
        let merged = groups.entry(key).or_default();
        merged.0.extend(eliminations);
        merged.1.extend(placements);
    }
    let effects = groups.into_values();
    effects.filter(|(eliminations, placements)| !eliminations.is_empty() || !placements.is_empty()).collect()
}

/// Returns states with few unsolved cells, so that brute force can try every choice of sets.
fn late_state() -> impl Strategy<Value = (Arc<Geometry>, State)> {
    let sizes_and_solved_cells = &[(4usize, 4usize..11), (6, 20..30)][..];
    prop::sample::select(sizes_and_solved_cells).prop_flat_map(|(size, solved)| {
        let board = Arc::new(Geometry::standard(size).expect("a standard size"));
        let order = prop::collection::vec(any::<u16>(), size * size);
        (order, solved)
            .prop_map(move |(order, placed)| (Arc::clone(&board), state_of_solved_grid(&board, &order, placed, 3)))
    })
}

proptest! {
    #![proptest_config(quick_or_full_cases(3, 12))]

    #[test]
    fn rules_of_almost_locked_sets((board, state) in late_state()) {
        for rule in [als_xz(&[]), als_xz_double(), als_xy_wing(), als_of_degree_two()] {
            check(&board, &state, &rule, &[], 0);
        }
    }

    #[test]
    fn families_of_almost_locked_sets((board, state) in late_state()) {
        for rule in [death_blossom(false, &[]), death_blossom(true, &[]), death_blossom_of_house()] {
            check(&board, &state, &rule, &[], 0);
        }
    }

    /// `one step per A, B`, and `one step per stem, petal`.
    #[test]
    fn merged_steps_have_the_effects_of_all_their_matches((board, state) in late_state()) {
        for rule in [als_xz(&[0, 1]), death_blossom(false, &[1, 2])] {
            let engine = engine(&board, std::slice::from_ref(&rule));
            let found = find_all(&engine, &state, 0);
            prop_assert_eq!(&effect_sets(&found), &naive_merged_effects(&board, &state, &rule));
            let first = engine.position(&state).find(0, SearchMode::First, &Limits::default());
            prop_assert_eq!(first.matches.first(), found.matches.first());
        }
    }
}

proptest! {
    #![proptest_config(quick_or_full_cases(4, 24))]

    #[test]
    fn steps_of_almost_locked_sets_cite_enough((board, state) in late_state()) {
        for rule in [als_xz(&[0, 1]), als_xz_double(), death_blossom(false, &[1, 2]), death_blossom_of_house()] {
            assert_steps_follow(&board, &state, &[rule]);
        }
    }
}
