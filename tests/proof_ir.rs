//! Rules with the constructs of shapes, written as checked forms: fish, sets that are almost locked, blossoms, sectors,
//! uniqueness. Right ones are proved, wrong ones refuted.

#[path = "proof_ir/one_solution.rs"]
mod one_solution;

use pinion::grid::Geometry;
use pinion::lang::ir::{
    Choose, Claim, Comparison, Conclusion, Condition, Expr, HouseClass, Incidence, Join, Kind, Operand, Origin,
    PredicateId, Quantifier, Statement, Technique, Var, VarId, VarShape, Variant,
};
use pinion::proof::{ProofLimits, Prover, Status};

pub type Id = VarId;

pub fn b(e: Expr) -> Box<Expr> {
    Box::new(e)
}
pub fn v(id: Id) -> Expr {
    Expr::Var(id)
}
pub fn num(n: u32) -> Expr {
    Expr::Number(n)
}
pub fn isin(d: Expr, c: Expr) -> Expr {
    Expr::CandidatesIn(b(d), b(c))
}
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
pub fn all(i: Id, of: Expr, c: Condition) -> Condition {
    Condition::ForAll(i, of, Box::new(c))
}

#[derive(Default)]
pub struct Rule {
    pub it: Variant,
    pub unique: bool,
}

impl Rule {
    pub fn name(&mut self, name: &str, kind: Kind, shape: VarShape, origin: Origin) -> Id {
        self.it.vars.push(Var { name: name.into(), kind, shape, origin });
        VarId(self.it.vars.len() - 1)
    }
    pub fn choose(&mut self, var: Id, size: Option<(Expr, Option<Expr>)>, such_that: Vec<Condition>) {
        self.it.body.push(Statement::Choose(Choose { var, size, for_each: None, such_that }));
    }
    pub fn one(&mut self, name: &str, kind: Kind) -> Id {
        let id = self.name(name, kind, VarShape::Single, Origin::Chosen);
        self.choose(id, None, vec![]);
        id
    }
    pub fn digit(&mut self, name: &str) -> Id {
        self.one(name, Kind::Digit)
    }
    pub fn cell(&mut self, name: &str) -> Id {
        self.one(name, Kind::Cell)
    }
    pub fn house(&mut self, name: &str, class: HouseClass) -> Id {
        self.one(name, Kind::House(class))
    }
    pub fn houses(&mut self, name: &str, class: HouseClass, n: u32) -> Id {
        let id = self.name(name, Kind::House(class), VarShape::Set, Origin::Chosen);
        self.choose(id, Some((num(n), Some(num(n)))), vec![]);
        id
    }
    pub fn set(&mut self, name: &str, low: u32, high: Option<u32>, within: Option<Expr>) -> Id {
        let id = self.name(name, Kind::Cell, VarShape::Set, Origin::Chosen);
        let such = within.map(|all| Condition::Within(v(id), all)).into_iter().collect();
        self.choose(id, Some((num(low), high.map(num))), such);
        id
    }
    pub fn als(&mut self, name: &str, over: u32) -> Id {
        let id = self.name(name, Kind::Cell, VarShape::Set, Origin::Chosen);
        self.choose(id, Some((num(1), None)), vec![Condition::AlmostLocked(v(id), over)]);
        id
    }
    pub fn index(&mut self, name: &str, kind: Kind) -> Id {
        self.name(name, kind, VarShape::Single, Origin::Index)
    }
    pub fn lets(&mut self, name: &str, kind: Kind, value: Expr) -> Id {
        let id = self.name(name, kind, VarShape::Set, Origin::Let);
        self.it.body.push(Statement::Let { var: id, value });
        id
    }
    pub fn need(&mut self, c: Condition) {
        self.it.body.push(Statement::Require(c));
    }
    pub fn link(&mut self, x: Expr, a: Expr, c: Expr) {
        for c in linking(x, a, c) {
            self.need(c);
        }
    }
    pub fn conclude(&mut self, claim: Claim) {
        self.it.conclusions.push(Conclusion { claim, for_each: None });
    }
    pub fn conclude_for(&mut self, index: Id, of: Expr, claim: Claim) {
        self.it.conclusions.push(Conclusion { claim, for_each: Some((index, of)) });
    }
    pub fn technique(self, id: &str) -> Technique {
        Technique {
            id: id.into(),
            doc: vec![],
            title: None,
            params: vec![],
            assumes_one_solution: self.unique,
            variants: vec![self.it],
            views: vec![],
            examples: vec![],
        }
    }
}

fn linking(x: Expr, a: Expr, c: Expr) -> Vec<Condition> {
    let at = |s: &Expr| isin(x.clone(), s.clone());
    vec![some(at(&a)), some(at(&c)), Condition::Sees(every(cells(at(&a))), every(cells(at(&c))))]
}

fn verdict(technique: &Technique) -> Status {
    verdict_on(9, technique)
}

fn verdict_on(size: usize, technique: &Technique) -> Status {
    let geometry = Geometry::standard(size).expect("a standard board");
    let limits = ProofLimits { shrink: 20, ..ProofLimits::default() };
    let start = std::time::Instant::now();
    let verdict = Prover::new(&geometry, &[]).with_limits(limits).prove(technique, &[], 0);
    println!("{:>8.3} s {}: {} {:?}", start.elapsed().as_secs_f64(), technique.id, verdict.status, verdict.effort);
    verdict.status
}

fn proved(technique: &Technique) {
    proved_on(9, technique);
}

fn proved_on(size: usize, technique: &Technique) {
    let status = verdict_on(size, technique);
    assert!(status.is_proved(), "{}: {status}", technique.id);
}

fn refuted(technique: &Technique) {
    refuted_on(9, technique);
}

fn refuted_on(size: usize, technique: &Technique) {
    let status = verdict_on(size, technique);
    assert!(matches!(status, Status::Refuted(_)), "{}: {status}", technique.id);
}

/// Kinds of fish, and fish with a part left out.
#[derive(Clone, Copy, PartialEq)]
enum Fish {
    Basic,
    Franken,
    Mutant,
    NoFins,
    NoCandidates,
}

fn fish(n: u32, what: Fish) -> Technique {
    let mut r = Rule::default();
    let d = r.digit("d");
    let any = if matches!(what, Fish::Mutant | Fish::Franken) { HouseClass::Any } else { HouseClass::Line };
    let base = r.houses("base", any, n);
    let cover = r.houses("cover", any, n);
    let h = r.index("h", Kind::House(any));
    if any == HouseClass::Line {
        r.need(Condition::Incident(v(base), Incidence::Parallel, v(base)));
        r.need(Condition::Incident(v(cover), Incidence::Crossing, v(base)));
    } else {
        r.need(Condition::Disjoint(v(base), v(cover)));
    }
    let classes = |a, c| plus(&[Expr::AllHouses(a), Expr::AllHouses(c)]);
    let (rows, columns) = (classes(HouseClass::Row, HouseClass::Box), classes(HouseClass::Column, HouseClass::Box));
    let ways = [(rows.clone(), columns.clone()), (columns, rows)];
    let franken = |(a, c): &(Expr, Expr)| {
        Condition::And(vec![Condition::Within(v(base), a.clone()), Condition::Within(v(cover), c.clone())])
    };
    match what {
        Fish::Franken => {
            r.need(franken(&ways[0]));
            r.need(some(and(Expr::AllHouses(HouseClass::Box), plus(&[v(base), v(cover)]))));
        }
        Fish::Mutant => r.need(Condition::Or(vec![
            Condition::Within(v(base), Expr::AllHouses(HouseClass::Box)),
            not(Condition::Or(ways.iter().map(franken).collect())),
        ])),
        _ => {}
    }
    if what != Fish::NoCandidates {
        r.need(all(h, v(base), some(isin(v(d), cells_of(v(h))))));
    }
    r.need(all(h, v(cover), some(isin(v(d), and(cells_of(v(h)), cells_of(v(base)))))));
    let over = |x: Id| Expr::Overlap(b(v(x)));
    let fins = plus(&[minus(cells_of(v(base)), cells_of(v(cover))), over(base)]);
    let fins = r.lets("fins", Kind::Candidate, isin(v(d), fins));
    if what != Fish::NoFins {
        r.it.guardians.push(fins);
    }
    r.need(cmp(count(v(fins)), Comparison::LessEqual, num(5)));
    let out = plus(&[minus(cells_of(v(cover)), cells_of(v(base))), over(cover)]);
    r.conclude(Claim::Eliminate(isin(v(d), out)));
    r.technique(&format!("fish {n}"))
}

#[test]
fn fish_are_proved() {
    for n in 2..=3 {
        for what in [Fish::Basic, Fish::Franken, Fish::Mutant] {
            proved(&fish(n, what));
        }
    }
}

#[test]
fn wrong_fish_are_refuted() {
    refuted(&fish(2, Fish::NoFins));
    refuted(&fish(2, Fish::NoCandidates));
}

fn als_xz(restricted: bool) -> Technique {
    let mut r = Rule::default();
    let (a, c) = (r.als("A", 1), r.als("B", 1));
    let (x, z) = (r.digit("x"), r.digit("z"));
    r.need(not(Condition::Equal(v(a), v(c))));
    match restricted {
        true => r.link(v(x), v(a), v(c)),
        false => [a, c].into_iter().for_each(|s| r.need(some(isin(v(x), v(s))))),
    }
    r.need(some(isin(v(z), v(a))));
    r.need(some(isin(v(z), v(c))));
    r.conclude(Claim::SomeTrue(isin(v(z), plus(&[v(a), v(c)]))));
    r.technique("als_xz")
}

fn als_double(disjoint: bool) -> Technique {
    let mut r = Rule::default();
    let (a, c) = (r.als("A", 1), r.als("B", 1));
    let (x, y) = (r.digit("x"), r.digit("y"));
    let i = r.index("i", Kind::Digit);
    r.need(not(Condition::Equal(v(a), v(c))));
    if disjoint {
        r.need(Condition::Disjoint(v(a), v(c)));
    }
    r.link(v(x), v(a), v(c));
    r.link(v(y), v(a), v(c));
    for s in [a, c] {
        let of = minus(digits(v(s)), plus(&[v(x), v(y)]));
        r.conclude_for(i, of, Claim::SomeTrue(isin(v(i), v(s))));
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
    r.need(some(isin(v(z), v(a))));
    r.need(some(isin(v(z), v(c))));
    r.conclude(Claim::SomeTrue(isin(v(z), plus(&[v(a), v(c)]))));
    r.technique("als_xy_wing")
}

/// `linked` false: the petals need not see the stem.
fn blossom(of_house: bool, linked: bool) -> Technique {
    let mut r = Rule::default();
    let z = r.digit("z");
    let (index, per, digit, place);
    if of_house {
        let h = r.house("h", HouseClass::Any);
        let d = r.digit("d");
        index = r.index("c", Kind::Cell);
        per = cells(isin(v(d), cells_of(v(h))));
        (digit, place) = (v(d), v(index));
    } else {
        let stem = r.cell("stem");
        r.need(Condition::Lacks(every(v(stem)), v(z)));
        index = r.index("d", Kind::Digit);
        per = digits(v(stem));
        (digit, place) = (v(index), v(stem));
    }
    let petal = r.name("petal", Kind::Cell, VarShape::Family, Origin::Chosen);
    let member = Expr::Member(petal, index);
    let mut such = vec![Condition::AlmostLocked(member.clone(), 1), some(isin(v(z), member.clone()))];
    such.extend(linking(digit, member, place).into_iter().take(if linked { 3 } else { 2 }));
    r.it.body.push(Statement::Choose(Choose {
        var: petal,
        size: Some((num(1), None)),
        for_each: Some((index, per)),
        such_that: such,
    }));
    r.conclude(Claim::SomeTrue(isin(v(z), v(petal))));
    r.technique(if of_house { "house_blossom" } else { "death_blossom" })
}

/// Sue de Coq; `shared`: a digit of I and R may be in B too.
fn sectors(shared: bool) -> Technique {
    let mut r = Rule::default();
    let bx = r.house("b", HouseClass::Box);
    let l = r.house("l", HouseClass::Line);
    r.need(Condition::Incident(v(l), Incidence::Meeting, cells_of(v(bx))));
    let (bc, lc) = (cells_of(v(bx)), cells_of(v(l)));
    let i = r.set("I", 2, Some(3), Some(and(bc.clone(), lc.clone())));
    let rr = r.set("R", 1, None, Some(minus(lc, v(i))));
    let bb = r.set("B", 1, None, Some(minus(minus(bc, v(i)), v(rr))));
    let d = r.index("d", Kind::Digit);
    let (di, dr, db) = (digits(v(i)), digits(v(rr)), digits(v(bb)));
    if !shared {
        r.need(Condition::No(isin(and(di.clone(), dr.clone()), v(bb))));
    }
    let add = |x: Expr, y: Expr| Expr::Add(b(x), b(y));
    r.need(cmp(count(di.clone()), Comparison::GreaterEqual, add(count(v(i)), num(2))));
    let left = add(add(count(v(i)), count(v(rr))), count(v(bb)));
    let (or, ob) = (minus(dr, di.clone()), minus(db, di.clone()));
    let right = add(add(count(di.clone()), count(or.clone())), count(ob.clone()));
    r.need(cmp(left, Comparison::Equal, right));
    r.conclude_for(d, di, Claim::SomeTrue(isin(v(d), plus(&[v(i), v(rr), v(bb)]))));
    r.conclude_for(d, or, Claim::SomeTrue(isin(v(d), v(rr))));
    r.conclude_for(d, ob, Claim::SomeTrue(isin(v(d), v(bb))));
    r.technique("sue_de_coq")
}

#[test]
fn almost_locked_sets_are_proved() {
    proved(&als_xz(true));
    proved(&als_double(true));
    proved(&als_xy_wing());
    proved(&blossom(false, true));
    proved(&blossom(true, true));
    proved(&sectors(false));
}

#[test]
fn wrong_sets_are_refuted() {
    refuted(&als_xz(false));
    refuted(&blossom(false, false));
    refuted(&sectors(true));
}

#[test]
fn templates_are_proved() {
    let mut r = Rule::default();
    let d = r.digit("d");
    r.conclude(Claim::Place(Expr::InEveryTemplate(b(v(d)))));
    proved(&r.technique("template_set"));
    let mut r = Rule::default();
    let d = r.digit("d");
    r.conclude(Claim::Eliminate(Expr::InNoTemplate(b(v(d)))));
    proved(&r.technique("template_delete"));
    let mut r = Rule::default();
    let s = r.set("s", 2, Some(2), None);
    r.conclude(Claim::Eliminate(Expr::InNoTemplate(b(v(s)))));
    proved(&r.technique("aligned_exclusion"));
}

/// A rule that joins the steps of a technique is proved if that technique is.
#[test]
fn joined_rules_are_proved() {
    let rules = [fish(2, Fish::Basic), Technique { id: "wrong".into(), ..fish(2, Fish::NoFins) }];
    let join = |of: &str| {
        let join = Join { technique: of.into(), args: vec![], by: vec!["d".into(), "base".into()] };
        Technique {
            id: "siamese".into(),
            variants: vec![Variant { join: Some(join), ..Variant::default() }],
            ..fish(2, Fish::Basic)
        }
    };
    let geometry = Geometry::standard(9).expect("a standard board");
    let status = |of: &str| Prover::new(&geometry, &[]).with_rules(&rules).prove(&join(of), &[], 0).status;
    assert!(status("fish 2").is_proved());
    assert!(matches!(status("wrong"), Status::Refuted(_)));
    assert!(matches!(status("unknown"), Status::Undecided(_)));
}

/// A chain of two sets and two groups, `(x=y)S - (y)P = (y)Q - (y=x)T`.
fn set_chain(strong: bool) -> Technique {
    let mut r = Rule::default();
    let (s, t) = (r.als("S", 1), r.als("T", 1));
    let (x, y) = (r.digit("x"), r.digit("y"));
    let [p, q] = ["P", "Q"].map(|name| {
        let id = r.name(name, Kind::Cell, VarShape::Set, Origin::Chosen);
        r.choose(id, Some((num(1), None)), vec![PredicateId::Group.applied_to(vec![v(id)])]);
        id
    });
    for set in [s, t] {
        r.need(some(isin(v(x), v(set))));
    }
    r.link(v(y), v(s), v(p));
    if strong {
        r.need(PredicateId::Conjugate.applied_to(vec![v(y), v(p), v(q)]));
    }
    r.link(v(y), v(q), v(t));
    r.conclude(Claim::SomeTrue(isin(v(x), plus(&[v(s), v(t)]))));
    r.technique("set_chain")
}

#[test]
fn chains_of_sets_are_proved() {
    proved(&set_chain(true));
    refuted(&set_chain(false));
}
