//! Proofs of rules without links, built as IR: fish, almost locked sets, templates, joins, and in `one_solution.rs` rules that
//! assume a unique solution. Correct rules are proved, wrong rules are refuted.
//!
//! The short functions at the top (`v`, `isin`, …) build expressions, and [`Rule`] builds a technique. Other tests use them, too.

#[path = "proof_ir/one_solution.rs"]
mod one_solution;

use pinion::grid::Geometry;
use pinion::lang::ir::{
    Choose, Claim, Comparison, Conclusion, Condition, Expr, HouseClass, Incidence, Join, Kind, Operand, Origin,
    PredicateId, Quantifier, Statement, Technique, Var, VarId, VarShape, Variant,
};
use pinion::proof::{ProofLimits, Prover, Status};

pub type Id = VarId;

/// Boxes an expression.
pub fn b(e: Expr) -> Box<Expr> {
    Box::new(e)
}
/// The value of a name.
pub fn v(id: Id) -> Expr {
    Expr::Var(id)
}
pub fn num(n: u32) -> Expr {
    Expr::Number(n)
}
/// `d in c`: the candidates of some digits in some cells.
pub fn isin(d: Expr, c: Expr) -> Expr {
    Expr::CandidatesIn(b(d), b(c))
}
/// `cells(h)` of houses.
pub fn cells_of(h: Expr) -> Expr {
    Expr::HouseCells(b(h))
}
pub fn minus(x: Expr, y: Expr) -> Expr {
    Expr::Difference(b(x), b(y))
}
pub fn and(x: Expr, y: Expr) -> Expr {
    Expr::Intersection(b(x), b(y))
}
pub fn plus(parts: &[Expr]) -> Expr {
    Expr::Union(parts.to_vec())
}
pub fn count(x: Expr) -> Expr {
    Expr::Count(b(x))
}
pub fn digits(x: Expr) -> Expr {
    Expr::Digits(b(x))
}
/// `cells(x)` of candidates.
pub fn cells(x: Expr) -> Expr {
    Expr::CellsOf(b(x))
}
pub fn cmp(x: Expr, op: Comparison, y: Expr) -> Condition {
    Condition::Compare(x, op, y)
}
pub fn some(x: Expr) -> Condition {
    Condition::NotEmpty(x)
}
pub fn not(c: Condition) -> Condition {
    Condition::Not(Box::new(c))
}
pub fn every(x: Expr) -> Operand {
    Operand { quantifier: Quantifier::Every, cells: x }
}
/// `c for i in of`: the condition holds for every element.
pub fn for_all(i: Id, of: Expr, c: Condition) -> Condition {
    Condition::ForAll(i, of, Box::new(c))
}

/// Builds a technique with one variant.
#[derive(Default)]
pub struct Rule {
    pub variant: Variant,
    pub assumes_one_solution: bool,
}

impl Rule {
    pub fn name(&mut self, name: &str, kind: Kind, shape: VarShape, origin: Origin) -> Id {
        self.variant.vars.push(Var { name: name.into(), kind, shape, origin });
        VarId(self.variant.vars.len() - 1)
    }
    /// `size` is the least and the largest number of elements; without the largest there is no limit.
    pub fn choose(&mut self, var: Id, size: Option<(Expr, Option<Expr>)>, such_that: Vec<Condition>) {
        self.variant.body.push(Statement::Choose(Choose { var, size, for_each: None, such_that }));
    }
    pub fn choose_one(&mut self, name: &str, kind: Kind) -> Id {
        let id = self.name(name, kind, VarShape::Single, Origin::Chosen);
        self.choose(id, None, vec![]);
        id
    }
    pub fn digit(&mut self, name: &str) -> Id {
        self.choose_one(name, Kind::Digit)
    }
    pub fn cell(&mut self, name: &str) -> Id {
        self.choose_one(name, Kind::Cell)
    }
    pub fn house(&mut self, name: &str, class: HouseClass) -> Id {
        self.choose_one(name, Kind::House(class))
    }
    pub fn houses(&mut self, name: &str, class: HouseClass, n: u32) -> Id {
        let id = self.name(name, Kind::House(class), VarShape::Set, Origin::Chosen);
        self.choose(id, Some((num(n), Some(num(n)))), vec![]);
        id
    }
    pub fn set(&mut self, name: &str, low: u32, high: Option<u32>, within: Option<Expr>) -> Id {
        let id = self.name(name, Kind::Cell, VarShape::Set, Origin::Chosen);
        let conditions = within.map(|all| Condition::Within(v(id), all)).into_iter().collect();
        self.choose(id, Some((num(low), high.map(num))), conditions);
        id
    }
    /// Declares a set of cells with `surplus` more digits than cells.
    pub fn als(&mut self, name: &str, surplus: u32) -> Id {
        let id = self.name(name, Kind::Cell, VarShape::Set, Origin::Chosen);
        self.choose(id, Some((num(1), None)), vec![Condition::AlmostLocked(v(id), surplus)]);
        id
    }
    /// Declares a loop variable, such as d in `for d in D`.
    pub fn index(&mut self, name: &str, kind: Kind) -> Id {
        self.name(name, kind, VarShape::Single, Origin::Index)
    }
    pub fn define(&mut self, name: &str, kind: Kind, value: Expr) -> Id {
        let id = self.name(name, kind, VarShape::Set, Origin::Let);
        self.variant.body.push(Statement::Let { var: id, value });
        id
    }
    pub fn require(&mut self, c: Condition) {
        self.variant.body.push(Statement::Require(c));
    }
    /// Requires that a digit links two sets of cells, as in `x linking a, c`.
    pub fn link(&mut self, x: Expr, a: Expr, c: Expr) {
        for c in linking(x, a, c) {
            self.require(c);
        }
    }
    pub fn conclude(&mut self, claim: Claim) {
        self.variant.conclusions.push(Conclusion { claim, for_each: None });
    }
    pub fn conclude_for(&mut self, index: Id, of: Expr, claim: Claim) {
        self.variant.conclusions.push(Conclusion { claim, for_each: Some((index, of)) });
    }
    pub fn technique(self, id: &str) -> Technique {
        Technique {
            id: id.into(),
            doc: vec![],
            title: None,
            params: vec![],
            assumes_one_solution: self.assumes_one_solution,
            variants: vec![self.variant],
            views: vec![],
            examples: vec![],
        }
    }
}

/// Conditions of `x linking a, c`: both sets have the digit, and all its places in one set see all its places in the other.
fn linking(x: Expr, a: Expr, c: Expr) -> Vec<Condition> {
    let at = |s: &Expr| isin(x.clone(), s.clone());
    vec![some(at(&a)), some(at(&c)), Condition::Sees(every(cells(at(&a))), every(cells(at(&c))))]
}

fn prove_on(size: usize, technique: &Technique) -> Status {
    let geometry = Geometry::standard(size).expect("a standard board");
    let limits = ProofLimits { shrink: 20, ..ProofLimits::default() };
    let start = std::time::Instant::now();
    let verdict = Prover::new(&geometry, &[]).with_limits(limits).prove(technique, &[], 0);
    println!("{:>8.3} s {}: {} {:?}", start.elapsed().as_secs_f64(), technique.id, verdict.status, verdict.effort);
    verdict.status
}

fn assert_proved(technique: &Technique) {
    assert_proved_on(9, technique);
}

fn assert_proved_on(size: usize, technique: &Technique) {
    let status = prove_on(size, technique);
    assert!(status.is_proved(), "{}: {status}", technique.id);
}

fn assert_refuted(technique: &Technique) {
    assert_refuted_on(9, technique);
}

fn assert_refuted_on(size: usize, technique: &Technique) {
    let status = prove_on(size, technique);
    assert!(matches!(status, Status::Refuted(_)), "{}: {status}", technique.id);
}

/// Kinds of fish, and wrong variants of the basic fish.
#[derive(Clone, Copy, PartialEq)]
enum Fish {
    Basic,
    Franken,
    Mutant,
    /// The fins are not declared as guardians.
    FinsIgnored,
    /// A base line may have no candidate of the digit.
    EmptyBaseLine,
}

fn fish(n: u32, kind: Fish) -> Technique {
    let mut r = Rule::default();
    let d = r.digit("d");
    let class = if matches!(kind, Fish::Mutant | Fish::Franken) { HouseClass::Any } else { HouseClass::Line };
    let base = r.houses("base", class, n);
    let cover = r.houses("cover", class, n);
    let h = r.index("h", Kind::House(class));
    if class == HouseClass::Line {
        r.require(Condition::Incident(v(base), Incidence::Parallel, v(base)));
        r.require(Condition::Incident(v(cover), Incidence::Crossing, v(base)));
    } else {
        r.require(Condition::Disjoint(v(base), v(cover)));
    }
    let classes = |a, c| plus(&[Expr::AllHouses(a), Expr::AllHouses(c)]);
    let (rows, columns) = (classes(HouseClass::Row, HouseClass::Box), classes(HouseClass::Column, HouseClass::Box));
    let orientations = [(rows.clone(), columns.clone()), (columns, rows)];
    let is_franken = |(base_houses, cover_houses): &(Expr, Expr)| {
        Condition::And(vec![
            Condition::Within(v(base), base_houses.clone()),
            Condition::Within(v(cover), cover_houses.clone()),
        ])
    };
    match kind {
        Fish::Franken => {
            r.require(is_franken(&orientations[0]));
            r.require(some(and(Expr::AllHouses(HouseClass::Box), plus(&[v(base), v(cover)]))));
        }
        Fish::Mutant => r.require(Condition::Or(vec![
            Condition::Within(v(base), Expr::AllHouses(HouseClass::Box)),
            not(Condition::Or(orientations.iter().map(is_franken).collect())),
        ])),
        _ => {}
    }
    if kind != Fish::EmptyBaseLine {
        r.require(for_all(h, v(base), some(isin(v(d), cells_of(v(h))))));
    }
    r.require(for_all(h, v(cover), some(isin(v(d), and(cells_of(v(h)), cells_of(v(base)))))));
    let overlap = |x: Id| Expr::Overlap(b(v(x)));
    let fins = plus(&[minus(cells_of(v(base)), cells_of(v(cover))), overlap(base)]);
    let fins = r.define("fins", Kind::Candidate, isin(v(d), fins));
    if kind != Fish::FinsIgnored {
        r.variant.guardians.push(fins);
    }
    r.require(cmp(count(v(fins)), Comparison::LessEqual, num(5)));
    let eliminated = plus(&[minus(cells_of(v(cover)), cells_of(v(base))), overlap(cover)]);
    r.conclude(Claim::Eliminate(isin(v(d), eliminated)));
    r.technique(&format!("fish {n}"))
}

#[test]
fn fish_are_proved() {
    for n in 2..=3 {
        for kind in [Fish::Basic, Fish::Franken, Fish::Mutant] {
            assert_proved(&fish(n, kind));
        }
    }
}

#[test]
fn wrong_fish_are_refuted() {
    assert_refuted(&fish(2, Fish::FinsIgnored));
    assert_refuted(&fish(2, Fish::EmptyBaseLine));
}

/// A rule, or a wrong variant of it that lacks a condition.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Correct,
    Wrong,
}

/// Two almost locked sets with the digits x and z. In the wrong form x is in both sets, but not a restricted common digit.
fn als_xz(form: Form) -> Technique {
    let mut r = Rule::default();
    let (a, c) = (r.als("A", 1), r.als("B", 1));
    let (x, z) = (r.digit("x"), r.digit("z"));
    r.require(not(Condition::Equal(v(a), v(c))));
    if form == Form::Correct {
        r.link(v(x), v(a), v(c));
    } else {
        r.require(some(isin(v(x), v(a))));
        r.require(some(isin(v(x), v(c))));
    }
    r.require(some(isin(v(z), v(a))));
    r.require(some(isin(v(z), v(c))));
    r.conclude(Claim::SomeTrue(isin(v(z), plus(&[v(a), v(c)]))));
    r.technique("als_xz")
}

/// Two disjoint almost locked sets with two restricted common digits.
fn als_double() -> Technique {
    let mut r = Rule::default();
    let (a, c) = (r.als("A", 1), r.als("B", 1));
    let (x, y) = (r.digit("x"), r.digit("y"));
    let i = r.index("i", Kind::Digit);
    r.require(not(Condition::Equal(v(a), v(c))));
    r.require(Condition::Disjoint(v(a), v(c)));
    r.link(v(x), v(a), v(c));
    r.link(v(y), v(a), v(c));
    for s in [a, c] {
        let others = minus(digits(v(s)), plus(&[v(x), v(y)]));
        r.conclude_for(i, others, Claim::SomeTrue(isin(v(i), v(s))));
    }
    r.conclude_for(i, plus(&[v(x), v(y)]), Claim::SomeTrue(isin(v(i), plus(&[v(a), v(c)]))));
    r.technique("als_xz_double")
}

fn als_xy_wing() -> Technique {
    let mut r = Rule::default();
    let (a, c, e) = (r.als("A", 1), r.als("B", 1), r.als("C", 1));
    let (x, y, z) = (r.digit("x"), r.digit("y"), r.digit("z"));
    r.link(v(x), v(a), v(e));
    r.link(v(y), v(c), v(e));
    r.require(some(isin(v(z), v(a))));
    r.require(some(isin(v(z), v(c))));
    r.conclude(Claim::SomeTrue(isin(v(z), plus(&[v(a), v(c)]))));
    r.technique("als_xy_wing")
}

/// Stems of a blossom, which has one petal (an almost locked set) for each candidate of the stem.
#[derive(Clone, Copy, PartialEq)]
enum Stem {
    /// The candidates of a cell.
    Cell,
    /// The candidates of a cell, but the petals need not see the cell. The rule is wrong.
    UnlinkedCell,
    /// The places of a digit in a house.
    House,
}

fn blossom(stem: Stem) -> Technique {
    let mut r = Rule::default();
    let z = r.digit("z");
    let (index, indices, digit, cell);
    if stem == Stem::House {
        let h = r.house("h", HouseClass::Any);
        let d = r.digit("d");
        index = r.index("c", Kind::Cell);
        indices = cells(isin(v(d), cells_of(v(h))));
        (digit, cell) = (v(d), v(index));
    } else {
        let stem_cell = r.cell("stem");
        r.require(Condition::Lacks(every(v(stem_cell)), v(z)));
        index = r.index("d", Kind::Digit);
        indices = digits(v(stem_cell));
        (digit, cell) = (v(index), v(stem_cell));
    }
    let petal = r.name("petal", Kind::Cell, VarShape::Family, Origin::Chosen);
    let member = Expr::Member(petal, index);
    let mut conditions = vec![Condition::AlmostLocked(member.clone(), 1), some(isin(v(z), member.clone()))];
    let mut link = linking(digit, member, cell);
    if stem == Stem::UnlinkedCell {
        let Some(Condition::Sees(..)) = link.pop() else { panic!("the last condition is `sees`") };
    }
    conditions.extend(link);
    r.variant.body.push(Statement::Choose(Choose {
        var: petal,
        size: Some((num(1), None)),
        for_each: Some((index, indices)),
        such_that: conditions,
    }));
    r.conclude(Claim::SomeTrue(isin(v(z), v(petal))));
    r.technique(if stem == Stem::House { "house_blossom" } else { "death_blossom" })
}

/// Sue de Coq: cells I in the intersection of a box and a line, R in the rest of the line, B in the rest of the box, with as many
/// digits as cells. In the wrong form a digit of I may be in R and in B.
fn sue_de_coq(form: Form) -> Technique {
    let mut r = Rule::default();
    let box_house = r.house("b", HouseClass::Box);
    let line = r.house("l", HouseClass::Line);
    r.require(Condition::Incident(v(line), Incidence::Meeting, cells_of(v(box_house))));
    let (box_cells, line_cells) = (cells_of(v(box_house)), cells_of(v(line)));
    let i = r.set("I", 2, Some(3), Some(and(box_cells.clone(), line_cells.clone())));
    let in_line = r.set("R", 1, None, Some(minus(line_cells, v(i))));
    let in_box = r.set("B", 1, None, Some(minus(minus(box_cells, v(i)), v(in_line))));
    let d = r.index("d", Kind::Digit);
    let (i_digits, line_digits, box_digits) = (digits(v(i)), digits(v(in_line)), digits(v(in_box)));
    if form == Form::Correct {
        r.require(Condition::No(isin(and(i_digits.clone(), line_digits.clone()), v(in_box))));
    }
    let add = |x: Expr, y: Expr| Expr::Add(b(x), b(y));
    r.require(cmp(count(i_digits.clone()), Comparison::GreaterEqual, add(count(v(i)), num(2))));
    let cell_count = add(add(count(v(i)), count(v(in_line))), count(v(in_box)));
    let (line_only, box_only) = (minus(line_digits, i_digits.clone()), minus(box_digits, i_digits.clone()));
    let digit_count = add(add(count(i_digits.clone()), count(line_only.clone())), count(box_only.clone()));
    r.require(cmp(cell_count, Comparison::Equal, digit_count));
    r.conclude_for(d, i_digits, Claim::SomeTrue(isin(v(d), plus(&[v(i), v(in_line), v(in_box)]))));
    r.conclude_for(d, line_only, Claim::SomeTrue(isin(v(d), v(in_line))));
    r.conclude_for(d, box_only, Claim::SomeTrue(isin(v(d), v(in_box))));
    r.technique("sue_de_coq")
}

#[test]
fn almost_locked_sets_are_proved() {
    assert_proved(&als_xz(Form::Correct));
    assert_proved(&als_double());
    assert_proved(&als_xy_wing());
    assert_proved(&blossom(Stem::Cell));
    assert_proved(&blossom(Stem::House));
    assert_proved(&sue_de_coq(Form::Correct));
}

#[test]
fn wrong_rules_of_almost_locked_sets_are_refuted() {
    assert_refuted(&als_xz(Form::Wrong));
    assert_refuted(&blossom(Stem::UnlinkedCell));
    assert_refuted(&sue_de_coq(Form::Wrong));
}

#[test]
fn rules_of_templates_are_proved() {
    let mut r = Rule::default();
    let d = r.digit("d");
    r.conclude(Claim::Place(Expr::InEveryTemplate(b(v(d)))));
    assert_proved(&r.technique("template_set"));
    let mut r = Rule::default();
    let d = r.digit("d");
    r.conclude(Claim::Eliminate(Expr::InNoTemplate(b(v(d)))));
    assert_proved(&r.technique("template_delete"));
    let mut r = Rule::default();
    let s = r.set("s", 2, Some(2), None);
    r.conclude(Claim::Eliminate(Expr::InNoTemplate(b(v(s)))));
    assert_proved(&r.technique("aligned_exclusion"));
}

#[test]
fn a_join_has_the_verdict_of_the_joined_technique() {
    let rules = [fish(2, Fish::Basic), Technique { id: "wrong".into(), ..fish(2, Fish::FinsIgnored) }];
    let join_of = |id: &str| {
        let join = Join { technique: id.into(), args: vec![], by: vec!["d".into(), "base".into()] };
        Technique {
            id: "siamese".into(),
            variants: vec![Variant { join: Some(join), ..Variant::default() }],
            ..fish(2, Fish::Basic)
        }
    };
    let geometry = Geometry::standard(9).expect("a standard board");
    let status = |id: &str| Prover::new(&geometry, &[]).with_rules(&rules).prove(&join_of(id), &[], 0).status;
    assert!(status("fish 2").is_proved());
    assert!(matches!(status("wrong"), Status::Refuted(_)));
    assert!(matches!(status("unknown"), Status::Undecided(_)));
}

/// A chain of two sets and two groups, `(x=y)S - (y)P = (y)Q - (y=x)T`. The wrong form lacks the strong link from P to Q.
fn set_chain(form: Form) -> Technique {
    let mut r = Rule::default();
    let (s, t) = (r.als("S", 1), r.als("T", 1));
    let (x, y) = (r.digit("x"), r.digit("y"));
    let [p, q] = ["P", "Q"].map(|name| {
        let id = r.name(name, Kind::Cell, VarShape::Set, Origin::Chosen);
        r.choose(id, Some((num(1), None)), vec![PredicateId::Group.applied_to(vec![v(id)])]);
        id
    });
    for set in [s, t] {
        r.require(some(isin(v(x), v(set))));
    }
    r.link(v(y), v(s), v(p));
    if form == Form::Correct {
        r.require(PredicateId::Conjugate.applied_to(vec![v(y), v(p), v(q)]));
    }
    r.link(v(y), v(q), v(t));
    r.conclude(Claim::SomeTrue(isin(v(x), plus(&[v(s), v(t)]))));
    r.technique("set_chain")
}

#[test]
fn chains_of_sets_are_proved_and_wrong_ones_refuted() {
    assert_proved(&set_chain(Form::Correct));
    assert_refuted(&set_chain(Form::Wrong));
}
