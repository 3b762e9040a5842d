//! Link sources, open chains between sets of candidates, loops, clusters and rings, written as checked forms. Right ones
//! are proved, near misses are not.

use super::proof_ir::*;
use crate::common::share;
use pinion::grid::Geometry;
use pinion::lang::compile;
use pinion::lang::ir::{
    ChainEnd, Claim, Cluster, Comparison, Condition, Expr, Graph, HouseClass, Kind, Length, LengthUnit, LinkNode,
    LinkShape, LinkSource, Loop, OpenChain, Origin, PredicateId, Ring, Statement, Technique, VarShape, WeakLinks,
};
use pinion::proof::{ProofLimits, Prover, Status, Verdict};

fn source(rule: Rule, id: &str, left: (Id, Id), right: (Id, Id)) -> LinkSource {
    let node = |(digit, cell)| LinkNode { digit, cells: cell };
    LinkSource { id: id.into(), doc: vec![], left: node(left), right: node(right), pattern: rule.it }
}

/// The kinds of conclusions that an almost locked set has in a loop.
#[derive(Clone, Copy, PartialEq)]
pub enum Als {
    Right,
    /// Two digits more than cells.
    Loose,
    /// Concludes its own ends.
    Greedy,
}

pub fn als(what: Als) -> LinkSource {
    let mut r = Rule::default();
    let s = r.als("S", if what == Als::Loose { 2 } else { 1 });
    let [x, y] = ["x", "y"].map(|name| {
        let id = r.name(name, Kind::Digit, VarShape::Single, Origin::Chosen);
        r.choose(id, None, vec![Condition::Within(v(id), digits(v(s)))]);
        id
    });
    let d = r.index("d", Kind::Digit);
    let others = minus(digits(v(s)), plus(&[v(x), v(y)]));
    let of = if what == Als::Greedy { digits(v(s)) } else { others };
    r.conclude_for(d, of, Claim::SomeTrue(isin(v(d), v(s))));
    source(r, "als", (x, s), (y, s))
}

/// `whole` false: the house may have more places.
pub fn group(whole: bool) -> LinkSource {
    let mut r = Rule::default();
    let d = r.digit("d");
    let [p, q] = ["P", "Q"].map(|name| {
        let id = r.name(name, Kind::Cell, VarShape::Set, Origin::Chosen);
        r.choose(id, Some((num(1), None)), vec![PredicateId::Group.applied_to(vec![v(id)])]);
        id
    });
    let h = r.house("h", HouseClass::Any);
    let (all, named) = (isin(v(d), cells_of(v(h))), isin(v(d), plus(&[v(p), v(q)])));
    r.need(if whole { Condition::Equal(all, named) } else { Condition::Within(named, all) });
    r.need(cmp(Expr::Add(b(count(v(p))), b(count(v(q)))), Comparison::Greater, num(2)));
    source(r, "group", (d, p), (d, q))
}

/// Two places in a house, but for guardians.
pub fn open_house() -> LinkSource {
    let mut r = Rule::default();
    let (d, a, c) = (r.digit("d"), r.cell("A"), r.cell("B"));
    let h = r.house("h", HouseClass::Any);
    for cell in [a, c] {
        r.need(Condition::Within(v(cell), cells_of(v(h))));
        r.need(Condition::Has(every(v(cell)), v(d)));
    }
    let ends = isin(v(d), plus(&[v(a), v(c)]));
    let g = r.lets("G", Kind::Candidate, minus(isin(v(d), cells_of(v(h))), ends));
    r.it.guardians.push(g);
    source(r, "open_house", (d, a), (d, c))
}

/// The sources of this file and those of the prelude.
pub fn sources() -> Vec<LinkSource> {
    let mut out = vec![als(Als::Right), group(true), open_house()];
    out.extend(compile(include_str!("../rules/prelude.pinion")).0.sources.into_iter().filter(|one| {
        // The prelude may have come to declare some of them itself.
        !["als", "group", "open_house"].contains(&one.id.as_str())
    }));
    out
}

pub fn verdict_with(technique: &Technique, sources: &[LinkSource], rules: &[Technique]) -> Verdict {
    verdict_on(9, technique, sources, rules)
}

fn verdict_on(size: usize, technique: &Technique, sources: &[LinkSource], rules: &[Technique]) -> Verdict {
    let geometry = Geometry::standard(size).expect("a standard board");
    let limits = ProofLimits { shrink: 20, ..ProofLimits::default() };
    let start = std::time::Instant::now();
    let verdict = Prover::new(&geometry, sources).with_limits(limits).with_rules(rules).prove(technique, &[], 0);
    let seconds = start.elapsed().as_secs_f64();
    println!("{seconds:>8.3} s {}: {} {:?} {:?}", technique.id, verdict.status, verdict.rests_on, verdict.effort);
    verdict
}

pub fn proved(technique: &Technique) {
    let verdict = verdict_with(technique, &sources(), &[]);
    assert!(matches!(verdict.status, Status::Proved { every_board: true, .. }), "{}", verdict.status);
}

fn refuted(technique: &Technique, sources: &[LinkSource]) {
    let verdict = verdict_on(share(6, 9), technique, sources, &[]);
    assert!(matches!(verdict.status, Status::Refuted(_)), "{}: {}", technique.id, verdict.status);
}

/// Not decided, for a reason that says this.
pub fn not_decided(technique: &Technique, sources: &[LinkSource], wanted: &str) {
    let verdict = verdict_with(technique, sources, &[]);
    let Status::Undecided(reason) = &verdict.status else { panic!("{}: {}", technique.id, verdict.status) };
    assert!(reason.contains(wanted), "{reason}");
}

pub fn free(r: &mut Rule, name: &str) -> Id {
    r.name(name, Kind::Candidate, VarShape::Set, Origin::Pattern)
}

pub fn excluded(every: bool, of: Expr) -> Expr {
    Expr::Excluded { every, candidates: b(of) }
}

const LENGTH: Length = Length { low: 2, high: None, unit: LengthUnit::StrongLinks };

fn graph(on: Option<Expr>, strong: Vec<String>, shape: LinkShape) -> Statement {
    Statement::Graph(Graph { digits: on, strong, shape })
}

fn chain(r: &mut Rule, from: Id, to: Id, strong: &[&str]) {
    let (from, to) = (ChainEnd::Candidate(from), ChainEnd::Candidate(to));
    let strong = strong.iter().map(ToString::to_string).collect();
    r.it.body.push(graph(None, strong, LinkShape::Chain(OpenChain { from, to, length: LENGTH, weak: WeakLinks::Any })));
}

/// An open chain, of which a conclusion is made.
fn open_chain(strong: &[&str], conclude: fn(Expr, Expr) -> Claim) -> Technique {
    let mut r = Rule::default();
    let (p, q) = (free(&mut r, "p"), free(&mut r, "q"));
    chain(&mut r, p, q, strong);
    r.conclude(conclude(v(p), v(q)));
    r.technique("open_chain")
}

fn either(p: Expr, q: Expr) -> Claim {
    Claim::SomeTrue(plus(&[p, q]))
}

#[test]
fn chains_between_sets_are_proved() {
    proved(&open_chain(&["cell", "house", "als", "group"], either));
    proved(&open_chain(&["cell", "als"], |p, q| Claim::Eliminate(and(excluded(true, p), excluded(true, q)))));
    let mut r = Rule::default();
    let p = free(&mut r, "p");
    chain(&mut r, p, p, &["house", "als"]);
    r.conclude(Claim::SomeTrue(v(p)));
    proved(&r.technique("back_to_the_start"));
    // Both ends of one digit: said of their cells.
    let mut r = Rule::default();
    let (p, q) = (free(&mut r, "p"), free(&mut r, "q"));
    chain(&mut r, p, q, &["als"]);
    r.need(Condition::Equal(digits(v(p)), digits(v(q))));
    r.conclude(Claim::SomeTrue(isin(digits(v(p)), plus(&[cells(v(p)), cells(v(q))]))));
    proved(&r.technique("one_digit"));
}

#[test]
fn eliminations_by_one_end_are_refuted() {
    refuted(&open_chain(&["cell", "house"], |p, _| Claim::Eliminate(excluded(true, p))), &sources());
    refuted(&open_chain(&["cell"], |p, _| Claim::SomeTrue(p)), &sources());
    refuted(&open_chain(&["group"], |p, q| Claim::Eliminate(excluded(false, plus(&[p, q])))), &sources());
}

#[test]
fn chains_need_their_sources() {
    let only = |one: LinkSource| vec![one];
    refuted(&open_chain(&["group"], either), &only(group(false)));
    refuted(&open_chain(&["als"], either), &only(als(Als::Loose)));
    not_decided(&open_chain(&["open_house"], either), &sources(), "only rings may use it");
    not_decided(&open_chain(&["cell", "nothing"], either), &sources(), "no strong link `nothing`");
}

/// An almost locked set does not say that its two digits are not both true in it.
#[test]
fn an_als_is_no_weak_link() {
    let mut r = Rule::default();
    let s = r.als("S", 1);
    let (x, y) = (r.digit("x"), r.digit("y"));
    let c = r.cell("c");
    r.need(Condition::Has(every(v(c)), v(y)));
    r.need(Condition::Exactly(digits(v(c)), vec![x, y]));
    r.link(v(x), v(s), v(c));
    r.need(some(isin(v(y), v(s))));
    // c is not x, or x is not in S; then y is in S. Were it weak, y would not be in S where x is.
    r.conclude(Claim::SomeTrue(plus(&[
        isin(v(y), v(c)),
        minus(isin(Expr::AllDigits, v(s)), isin(plus(&[v(x), v(y)]), v(s))),
    ])));
    let verdict = verdict_with(&r.technique("als_as_weak_link"), &[], &[]);
    assert!(matches!(verdict.status, Status::Refuted(_)), "{}", verdict.status);
}

fn round(strong: &[&str], conclude: fn(Id) -> Claim) -> Technique {
    let mut r = Rule::default();
    let k = free(&mut r, "K");
    let strong = strong.iter().map(ToString::to_string).collect();
    r.it.body.push(graph(
        None,
        strong,
        LinkShape::Loop(Loop { name: k, colours: None, length: LENGTH, weak: WeakLinks::Any }),
    ));
    r.conclude(conclude(k));
    r.technique("loop")
}

/// Concludes every link of the loop.
fn every_link(loop_name: pinion::lang::ir::VarId) -> Claim {
    Claim::Links { loop_name, outside_cells: false }
}

#[test]
fn loops_are_proved_with_their_sources() {
    proved(&round(&["cell", "house", "als", "group"], every_link));
    proved(&round(&["cell", "house", "als", "group"], |loop_name| Claim::Links { loop_name, outside_cells: true }));
    let greedy = [als(Als::Greedy)];
    not_decided(&round(&["als"], every_link), &greedy, "if exactly one end is");
    not_decided(
        &round(&["als"], |k| Claim::Eliminate(excluded(false, v(k)))),
        &sources(),
        "exactly one end of each link",
    );
    // The conclusions of a source play no part in an open chain.
    assert!(verdict_with(&open_chain(&["als"], either), &greedy, &[]).status.is_proved());
}

/// A cluster with what the rule makes of its colours.
fn cluster(on: bool, rest: impl FnOnce(&mut Rule, Option<Id>, Expr, Expr)) -> Technique {
    let mut r = Rule::default();
    let d = on.then(|| r.digit("d"));
    let (blue, green) = coloured(&mut r, d, ["blue", "green"]);
    rest(&mut r, d, v(blue), v(green));
    r.technique("cluster")
}

fn coloured(r: &mut Rule, on: Option<Id>, names: [&str; 2]) -> (Id, Id) {
    let colours = names.map(|name| free(r, name));
    let strong = vec!["cell".to_string(), "house".to_string()];
    r.it.body.push(graph(on.map(v), strong, LinkShape::Cluster(Cluster { colours })));
    (colours[0], colours[1])
}

fn both_hit(a: Expr, c: Expr) -> Claim {
    Claim::Eliminate(and(excluded(false, a), excluded(false, c)))
}

#[test]
fn colours_are_proved() {
    for on in [true, false] {
        proved(&cluster(on, |r, _, blue, green| r.conclude(both_hit(blue, green))));
        proved(&cluster(on, |r, _, blue, _| {
            r.need(some(and(blue.clone(), excluded(false, blue.clone()))));
            r.conclude(Claim::Eliminate(blue));
        }));
    }
    proved(&cluster(false, |r, _, blue, green| {
        let c = r.cell("c");
        r.need(Condition::Within(isin(Expr::AllDigits, v(c)), excluded(false, blue.clone())));
        r.conclude(Claim::Eliminate(blue));
        r.conclude(Claim::Place(green));
    }));
    proved(&cluster(false, |r, _, blue, _| {
        let (h, e) = (r.house("h", HouseClass::Any), r.digit("e"));
        r.need(Condition::Within(isin(v(e), cells_of(v(h))), excluded(false, blue.clone())));
        r.conclude(Claim::Eliminate(blue));
    }));
}

#[test]
fn two_clusters_are_proved() {
    proved(&cluster(true, |r, d, a, not_a| {
        let (c, not_c) = coloured(r, d, ["B", "b"]);
        r.need(some(and(a, excluded(false, v(c)))));
        r.conclude(both_hit(not_a, v(not_c)));
    }));
    proved(&cluster(true, |r, d, a, _| {
        let (c, not_c) = coloured(r, d, ["B", "b"]);
        r.need(some(and(a.clone(), excluded(false, v(c)))));
        r.need(some(and(a.clone(), excluded(false, v(not_c)))));
        r.conclude(Claim::Eliminate(a));
    }));
}

#[test]
fn wrong_colours_are_refuted() {
    refuted(&cluster(true, |r, _, blue, _| r.conclude(both_hit(blue.clone(), blue))), &sources());
    refuted(
        &cluster(true, |r, _, blue, green| {
            r.need(some(and(blue, excluded(false, green.clone()))));
            r.conclude(Claim::Eliminate(green));
        }),
        &sources(),
    );
}

fn ring(on: bool) -> (Rule, Id) {
    let mut r = Rule::default();
    let d = on.then(|| r.digit("d"));
    let (k, g) = (free(&mut r, "K"), free(&mut r, "G"));
    let strong = vec!["open_house".to_string()];
    r.it.body.push(graph(d.map(v), strong, LinkShape::Ring(Ring { name: k, low: 5, guardians: g })));
    (r, g)
}

#[test]
fn rings_are_proved() {
    for on in [true, false] {
        let (mut r, g) = ring(on);
        r.conclude(Claim::SomeTrue(v(g)));
        proved(&r.technique("ring"));
    }
    let (mut r, g) = ring(true);
    r.conclude(Claim::Eliminate(excluded(true, v(g))));
    proved(&r.technique("ring_that_excludes"));
    let (mut r, g) = ring(true);
    r.conclude(Claim::Eliminate(excluded(false, v(g))));
    not_decided(&r.technique("ring_of_any_guardian"), &sources(), "a ring has a true guardian");
}

/// Four cells can hold a digit in turn.
#[test]
fn an_even_ring_is_refuted() {
    let mut r = Rule::default();
    let d = r.digit("d");
    let corners = ["A", "B", "C", "D"].map(|name| r.cell(name));
    let mut guardians = Vec::new();
    for at in 0..4 {
        let (a, c) = (corners[at], corners[(at + 1) % 4]);
        let h = r.house(["h", "i", "j", "k"][at], HouseClass::Line);
        let ends = plus(&[v(a), v(c)]);
        r.need(Condition::Within(ends.clone(), cells_of(v(h))));
        guardians.push(minus(isin(v(d), cells_of(v(h))), isin(v(d), ends)));
    }
    r.need(Condition::Has(every(plus(&corners.map(v))), v(d)));
    let g = r.lets("G", Kind::Candidate, plus(&guardians));
    r.need(some(v(g)));
    r.conclude(Claim::SomeTrue(v(g)));
    refuted(&r.technique("even_ring"), &[]);
}
