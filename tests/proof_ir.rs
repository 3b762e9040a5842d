//! Rules with the constructs of shapes, written as checked forms: fish, sets that are almost locked, blossoms, sectors,
//! uniqueness. Right ones are proved, wrong ones refuted.

use pinion::grid::Geometry;
use pinion::lang::ir::{
    Choose, Claim, Comparison, Conclusion, Condition, Expr, HouseClass, Incidence, Join, Kind, Operand, Origin,
    Quantifier, Statement, Technique, Var, VarId, VarShape, Variant,
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
    Expr::In(b(d), b(c))
}
pub fn cells_of(h: Expr) -> Expr {
    Expr::CellsOf(b(h))
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
    Expr::Cells(b(x))
}
pub fn cmp(x: Expr, op: Comparison, y: Expr) -> Condition {
    Condition::Compare(x, op, y)
}
pub fn some(x: Expr) -> Condition {
    Condition::Some(x)
}
pub fn not(c: Condition) -> Condition {
    Condition::Not(Box::new(c))
}
pub fn every(x: Expr) -> Operand {
    Operand { quantifier: Quantifier::Every, of: x }
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
        self.it.body.push(Statement::Choose(Choose { var, size, per: None, such_that }));
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
        self.it.conclusions.push(Conclusion { claim, per: None });
    }
    pub fn conclude_for(&mut self, index: Id, of: Expr, claim: Claim) {
        self.it.conclusions.push(Conclusion { claim, per: Some((index, of)) });
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
    let geometry = Geometry::standard(9).expect("a standard board");
    let limits = ProofLimits { shrink: 20, ..ProofLimits::default() };
    let start = std::time::Instant::now();
    let verdict = Prover::new(&geometry, &[]).with_limits(limits).prove(technique, &[], 0);
    println!("{:>8.3} s {}: {} {:?}", start.elapsed().as_secs_f64(), technique.id, verdict.status, verdict.effort);
    verdict.status
}

fn proved(technique: &Technique) {
    let status = verdict(technique);
    assert!(status.is_proved(), "{}: {status}", technique.id);
}

fn refuted(technique: &Technique) {
    let status = verdict(technique);
    assert!(matches!(status, Status::Refuted(_)), "{}: {status}", technique.id);
}

/// What is left out of a fish.
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
        r.need(Condition::Lie(v(base), Incidence::Parallel, v(base)));
        r.need(Condition::Lie(v(cover), Incidence::Crossing, v(base)));
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
    let most = if std::env::var("ALL").is_ok() { 7 } else { 3 };
    for n in 2..=most {
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
    r.conclude(Claim::Some(isin(v(z), plus(&[v(a), v(c)]))));
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
        r.conclude_for(i, of, Claim::Some(isin(v(i), v(s))));
    }
    r.conclude_for(i, plus(&[v(x), v(y)]), Claim::Some(isin(v(i), plus(&[v(a), v(c)]))));
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
    r.conclude(Claim::Some(isin(v(z), plus(&[v(a), v(c)]))));
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
        per: Some((index, per)),
        such_that: such,
    }));
    r.conclude(Claim::Some(isin(v(z), v(petal))));
    r.technique(if of_house { "house_blossom" } else { "death_blossom" })
}

/// Sue de Coq; `shared`: a digit of I and R may be in B too.
fn sectors(shared: bool) -> Technique {
    let mut r = Rule::default();
    let bx = r.house("b", HouseClass::Box);
    let l = r.house("l", HouseClass::Line);
    r.need(Condition::Lie(v(l), Incidence::Meeting, cells_of(v(bx))));
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
    r.conclude_for(d, di, Claim::Some(isin(v(d), plus(&[v(i), v(rr), v(bb)]))));
    r.conclude_for(d, or, Claim::Some(isin(v(d), v(rr))));
    r.conclude_for(d, ob, Claim::Some(isin(v(d), v(bb))));
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
    r.conclude(Claim::Place(Expr::Certain(b(v(d)))));
    proved(&r.technique("template_set"));
    let mut r = Rule::default();
    let d = r.digit("d");
    r.conclude(Claim::Eliminate(Expr::Impossible(b(v(d)))));
    proved(&r.technique("template_delete"));
    let mut r = Rule::default();
    let s = r.set("s", 2, Some(2), None);
    r.conclude(Claim::Eliminate(Expr::Impossible(b(v(s)))));
    proved(&r.technique("aligned_exclusion"));
}

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
        r.need(Condition::Closed(v(s)));
    }
    if open {
        r.need(Condition::OpenTo(every(v(s)), plus(&[v(x), v(y)])));
    }
    let g = r.lets("G", Kind::Candidate, isin(minus(Expr::AllDigits, plus(&[v(x), v(y)])), v(s)));
    Corners { r, x, y, b: second, c: third, d: fourth, s, g }
}

fn ur_1_2_5(closed: bool, open: bool) -> Technique {
    let mut it = rectangle(closed, open);
    it.r.conclude(Claim::Some(v(it.g)));
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
    r.conclude_for(d, all, Claim::Some(there));
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
    r.need(Condition::Closed(v(s)));
    if open {
        r.need(Condition::OpenTo(every(v(s)), plus(&[v(x), v(y)])));
    }
    let g = r.lets("G", Kind::Candidate, isin(minus(Expr::AllDigits, plus(&[v(x), v(y)])), v(s)));
    r.conclude(Claim::Some(v(g)));
    r.technique("avoidable_rectangle")
}

fn extended(n: u32, closed: bool) -> Technique {
    let mut r = Rule { unique: true, ..Rule::default() };
    let (k, l) = (r.house("k", HouseClass::Line), r.house("l", HouseClass::Line));
    r.need(Condition::Lie(v(k), Incidence::Parallel, v(l)));
    let m = r.houses("m", HouseClass::Line, n);
    r.need(Condition::Lie(v(m), Incidence::Crossing, v(k)));
    let s = r.lets("S", Kind::Cell, and(plus(&[cells_of(v(k)), cells_of(v(l))]), cells_of(v(m))));
    if closed {
        r.need(Condition::ClosedBetween(v(s), v(k), v(l)));
    }
    let d = r.name("D", Kind::Digit, VarShape::Set, Origin::Chosen);
    r.choose(d, Some((num(n), Some(num(n)))), vec![]);
    r.need(Condition::OpenTo(every(v(s)), v(d)));
    let values = || Expr::Values(b(v(s)));
    r.need(Condition::Or(vec![Condition::Within(values(), v(d)), Condition::No(values())]));
    let g = r.lets("G", Kind::Candidate, isin(minus(Expr::AllDigits, v(d)), v(s)));
    r.conclude(Claim::Some(v(g)));
    r.technique("extended_rectangle")
}

fn bug(n: u32, pairs: bool, houses: bool) -> Technique {
    let mut r = Rule { unique: true, ..Rule::default() };
    let c = r.index("c", Kind::Cell);
    let p = r.index("p", Kind::Candidate);
    let h = r.index("h", Kind::House(HouseClass::Any));
    let d = r.index("d", Kind::Digit);
    let more = |x: Expr| cmp(count(x), Comparison::Greater, num(2));
    let fat = Expr::Those { var: c, of: b(Expr::AllCells), when: Box::new(more(digits(v(c)))) };
    let fat = r.lets("fat", Kind::Cell, fat);
    r.need(some(v(fat)));
    r.need(cmp(count(v(fat)), Comparison::LessEqual, num(n)));
    let here = all(h, Expr::HousesOf(HouseClass::Any, b(cells(v(p)))), more(isin(digits(v(p)), cells_of(v(h)))));
    let g = Expr::Those { var: p, of: b(isin(Expr::AllDigits, v(fat))), when: Box::new(here) };
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
    r.conclude(Claim::Some(v(g)));
    r.technique(&format!("bug {n}"))
}

/// What joins steps of another technique holds if that one does.
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

#[test]
fn bugs_are_proved() {
    for n in 1..=if std::env::var("ALL").is_ok() { 4 } else { 1 } {
        proved(&bug(n, true, true));
    }
}

#[test]
fn wrong_bugs_are_refuted() {
    refuted(&bug(1, false, false));
    refuted(&bug(1, true, false));
}

#[test]
fn rules_of_one_solution_are_proved() {
    proved(&ur_1_2_5(true, true));
    proved(&ur_3(4));
    proved(&ur_4(true));
    proved(&ur_6());
    proved(&hidden_rectangle());
    proved(&avoidable(true));
    proved(&extended(3, true));
    if std::env::var("ALL").is_ok() {
        proved(&extended(4, true));
    }
}

#[test]
fn wrong_rules_of_one_solution_are_refuted() {
    refuted(&ur_1_2_5(false, true));
    refuted(&ur_4(false));
    refuted(&avoidable(false));
    refuted(&extended(3, false));
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
        "closed" => r.need(Condition::Closed(v(k))),
        "none or two" => r.need(every_house(Condition::Or(vec![is(0), is(2)]))),
        _ => r.need(every_house(cmp(here(), Comparison::LessEqual, num(2)))),
    }
    r.need(Condition::Connected(v(k)));
    if open {
        r.need(Condition::OpenTo(every(v(k)), plus(&[v(x), v(y)])));
    }
    let g = r.lets("G", Kind::Candidate, isin(minus(Expr::AllDigits, plus(&[v(x), v(y)])), v(k)));
    r.conclude(Claim::Some(v(g)));
    r.technique("unique_loop")
}

/// One question for every size, on the board; where the rule says that the set is closed, on every board.
#[test]
fn loops_of_two_digits_are_proved_for_every_size() {
    let status = verdict(&unique_loop("closed", true));
    assert!(matches!(status, Status::Proved { every_board: true, .. }), "{status}");
    proved(&unique_loop("none or two", true));
    assert!(!verdict(&unique_loop("two at most", true)).is_proved());
}

/// A chain of two sets and two spots, `(x=y)S - (y)P = (y)Q - (y=x)T`.
fn set_chain(strong: bool) -> Technique {
    let mut r = Rule::default();
    let (s, t) = (r.als("S", 1), r.als("T", 1));
    let (x, y) = (r.digit("x"), r.digit("y"));
    let [p, q] = ["P", "Q"].map(|name| {
        let id = r.name(name, Kind::Cell, VarShape::Set, Origin::Chosen);
        r.choose(id, Some((num(1), None)), vec![Condition::Spot(v(id))]);
        id
    });
    for set in [s, t] {
        r.need(some(isin(v(x), v(set))));
    }
    r.link(v(y), v(s), v(p));
    if strong {
        r.need(Condition::Conjugate(v(y), v(p), v(q)));
    }
    r.link(v(y), v(q), v(t));
    r.conclude(Claim::Some(isin(v(x), plus(&[v(s), v(t)]))));
    r.technique("set_chain")
}

#[test]
fn chains_of_sets_are_proved() {
    proved(&set_chain(true));
    refuted(&set_chain(false));
}
