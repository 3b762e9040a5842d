//! Proofs of rules with links, built as IR: link sources, open chains between sets of candidates, loops, clusters and rings.
//! Correct rules are proved. Rules that lack a condition or conclude too much are refuted or not decided.

use super::proof_ir::*;
use crate::common::quick_or_full;
use pinion::grid::Geometry;
use pinion::lang::compile;
use pinion::lang::ir::{
    ChainEnd, Claim, Cluster, Comparison, Condition, Expr, Graph, HouseClass, Kind, Length, LengthUnit, LinkNode,
    LinkShape, LinkSource, Loop, OpenChain, Origin, PredicateId, Ring, Statement, Technique, VarShape, WeakLinks,
};
use pinion::proof::{ProofLimits, Prover, Status, Verdict};

/// Makes a link source of a rule. Each end is given by the names of its digit and its cells.
fn link_source(rule: Rule, id: &str, left: (Id, Id), right: (Id, Id)) -> LinkSource {
    let node = |(digit, cell)| LinkNode { digit, cells: cell };
    LinkSource { id: id.into(), doc: vec![], left: node(left), right: node(right), pattern: rule.variant }
}

/// Variants of the link source of almost locked sets.
#[derive(Clone, Copy, PartialEq)]
pub enum Als {
    Correct,
    /// The set has two digits more than cells, so its ends are not linked.
    TwoMoreDigits,
    /// In a loop the source concludes all its digits, also those of its ends.
    ConcludesEnds,
}

pub fn als(kind: Als) -> LinkSource {
    let mut r = Rule::default();
    let s = r.als("S", if kind == Als::TwoMoreDigits { 2 } else { 1 });
    let [x, y] = ["x", "y"].map(|name| {
        let id = r.name(name, Kind::Digit, VarShape::Single, Origin::Chosen);
        r.choose(id, None, vec![Condition::Within(v(id), digits(v(s)))]);
        id
    });
    let d = r.index("d", Kind::Digit);
    let others = minus(digits(v(s)), plus(&[v(x), v(y)]));
    let concluded = if kind == Als::ConcludesEnds { digits(v(s)) } else { others };
    r.conclude_for(d, concluded, Claim::SomeTrue(isin(v(d), v(s))));
    link_source(r, "als", (x, s), (y, s))
}

/// Variants of the link source of two groups that have a digit's places in a house.
#[derive(Clone, Copy, PartialEq)]
pub enum Groups {
    AllPlaces,
    /// The house may have more places, so the groups are not linked.
    SomePlaces,
}

pub fn group(kind: Groups) -> LinkSource {
    let mut r = Rule::default();
    let d = r.digit("d");
    let [p, q] = ["P", "Q"].map(|name| {
        let id = r.name(name, Kind::Cell, VarShape::Set, Origin::Chosen);
        r.choose(id, Some((num(1), None)), vec![PredicateId::Group.applied_to(vec![v(id)])]);
        id
    });
    let h = r.house("h", HouseClass::Any);
    let (all_places, named_places) = (isin(v(d), cells_of(v(h))), isin(v(d), plus(&[v(p), v(q)])));
    r.require(match kind {
        Groups::AllPlaces => Condition::Equal(all_places, named_places),
        Groups::SomePlaces => Condition::Within(named_places, all_places),
    });
    r.require(cmp(Expr::Add(b(count(v(p))), b(count(v(q)))), Comparison::Greater, num(2)));
    link_source(r, "group", (d, p), (d, q))
}

/// Returns a link source of two places in a house. All other places are guardians.
pub fn open_house() -> LinkSource {
    let mut r = Rule::default();
    let (d, a, c) = (r.digit("d"), r.cell("A"), r.cell("B"));
    let h = r.house("h", HouseClass::Any);
    for cell in [a, c] {
        r.require(Condition::Within(v(cell), cells_of(v(h))));
        r.require(Condition::Has(every(v(cell)), v(d)));
    }
    let ends = isin(v(d), plus(&[v(a), v(c)]));
    let g = r.define("G", Kind::Candidate, minus(isin(v(d), cells_of(v(h))), ends));
    r.variant.guardians.push(g);
    link_source(r, "open_house", (d, a), (d, c))
}

/// Returns the correct sources of this file, and the sources of the prelude that have other names.
pub fn sources() -> Vec<LinkSource> {
    let mut sources = vec![als(Als::Correct), group(Groups::AllPlaces), open_house()];
    for source in compile(include_str!("../rules/prelude.pinion")).0.sources {
        if !["als", "group", "open_house"].contains(&source.id.as_str()) {
            sources.push(source);
        }
    }
    sources
}

/// Proves a technique on 9×9. Techniques among `rules` may be used under suppositions.
pub fn prove_with(technique: &Technique, sources: &[LinkSource], rules: &[Technique]) -> Verdict {
    prove_on(9, technique, sources, rules)
}

fn prove_on(size: usize, technique: &Technique, sources: &[LinkSource], rules: &[Technique]) -> Verdict {
    let geometry = Geometry::standard(size).expect("a standard board");
    let limits = ProofLimits { shrink: 20, ..ProofLimits::default() };
    let start = std::time::Instant::now();
    let verdict = Prover::new(&geometry, sources).with_limits(limits).with_rules(rules).prove(technique, &[], 0);
    let seconds = start.elapsed().as_secs_f64();
    println!("{seconds:>8.3} s {}: {} {:?} {:?}", technique.id, verdict.status, verdict.rests_on, verdict.effort);
    verdict
}

pub fn assert_proved(technique: &Technique) {
    let verdict = prove_with(technique, &sources(), &[]);
    assert!(matches!(verdict.status, Status::Proved { every_board: true, .. }), "{}", verdict.status);
}

fn assert_refuted(technique: &Technique, sources: &[LinkSource]) {
    let verdict = prove_on(quick_or_full(6, 9), technique, sources, &[]);
    assert!(matches!(verdict.status, Status::Refuted(_)), "{}: {}", technique.id, verdict.status);
}

/// Fails unless the prover cannot decide the technique, for a reason with these words.
pub fn assert_undecided(technique: &Technique, sources: &[LinkSource], words: &str) {
    let verdict = prove_with(technique, sources, &[]);
    let Status::Undecided(reason) = &verdict.status else { panic!("{}: {}", technique.id, verdict.status) };
    assert!(reason.contains(words), "{reason}");
}

/// Declares a set of candidates that a statement about links binds.
pub fn link_name(r: &mut Rule, name: &str) -> Id {
    r.name(name, Kind::Candidate, VarShape::Set, Origin::Pattern)
}

/// `candidates excluded by every e`
fn excluded_by_every(e: Expr) -> Expr {
    Expr::Excluded { every: true, candidates: b(e) }
}

/// `candidates excluded by some e`
fn excluded_by_some(e: Expr) -> Expr {
    Expr::Excluded { every: false, candidates: b(e) }
}

const LENGTH: Length = Length { low: 2, high: None, unit: LengthUnit::StrongLinks };

fn graph(digits: Option<Expr>, strong: &[&str], shape: LinkShape) -> Statement {
    let strong = strong.iter().map(ToString::to_string).collect();
    Statement::Graph(Graph { digits, strong, shape })
}

fn chain(r: &mut Rule, from: Id, to: Id, strong: &[&str]) {
    let (from, to) = (ChainEnd::Candidate(from), ChainEnd::Candidate(to));
    r.variant.body.push(graph(
        None,
        strong,
        LinkShape::Chain(OpenChain { from, to, length: LENGTH, weak: WeakLinks::Any }),
    ));
}

/// Returns a rule with an open chain and a conclusion from its two ends.
fn open_chain(strong: &[&str], conclude: fn(Expr, Expr) -> Claim) -> Technique {
    let mut r = Rule::default();
    let (p, q) = (link_name(&mut r, "p"), link_name(&mut r, "q"));
    chain(&mut r, p, q, strong);
    r.conclude(conclude(v(p), v(q)));
    r.technique("open_chain")
}

fn either_end(p: Expr, q: Expr) -> Claim {
    Claim::SomeTrue(plus(&[p, q]))
}

#[test]
fn open_chains_are_proved() {
    assert_proved(&open_chain(&["cell", "house", "als", "group"], either_end));
    assert_proved(&open_chain(&["cell", "als"], |p, q| {
        Claim::Eliminate(and(excluded_by_every(p), excluded_by_every(q)))
    }));
    let mut r = Rule::default();
    let p = link_name(&mut r, "p");
    chain(&mut r, p, p, &["house", "als"]);
    r.conclude(Claim::SomeTrue(v(p)));
    assert_proved(&r.technique("back_to_the_start"));
    // If both ends have one digit, a conclusion can name this digit and the cells of the ends.
    let mut r = Rule::default();
    let (p, q) = (link_name(&mut r, "p"), link_name(&mut r, "q"));
    chain(&mut r, p, q, &["als"]);
    r.require(Condition::Equal(digits(v(p)), digits(v(q))));
    r.conclude(Claim::SomeTrue(isin(digits(v(p)), plus(&[cells(v(p)), cells(v(q))]))));
    assert_proved(&r.technique("one_digit"));
}

#[test]
fn conclusions_from_one_end_of_a_chain_are_refuted() {
    assert_refuted(&open_chain(&["cell", "house"], |p, _| Claim::Eliminate(excluded_by_every(p))), &sources());
    assert_refuted(&open_chain(&["cell"], |p, _| Claim::SomeTrue(p)), &sources());
    assert_refuted(&open_chain(&["group"], |p, q| Claim::Eliminate(excluded_by_some(plus(&[p, q])))), &sources());
}

#[test]
fn chains_need_correct_sources() {
    assert_refuted(&open_chain(&["group"], either_end), &[group(Groups::SomePlaces)]);
    assert_refuted(&open_chain(&["als"], either_end), &[als(Als::TwoMoreDigits)]);
    assert_undecided(&open_chain(&["open_house"], either_end), &sources(), "only rings may use it");
    assert_undecided(&open_chain(&["cell", "nothing"], either_end), &sources(), "no strong link `nothing`");
}

/// Two digits may both be true in an almost locked set.
#[test]
fn an_als_is_no_weak_link() {
    let mut r = Rule::default();
    let s = r.als("S", 1);
    let (x, y) = (r.digit("x"), r.digit("y"));
    let c = r.cell("c");
    r.require(Condition::Has(every(v(c)), v(y)));
    r.require(Condition::Exactly(digits(v(c)), vec![x, y]));
    r.link(v(x), v(s), v(c));
    r.require(some(isin(v(y), v(s))));
    // If c is x, then S has no x, so S has y. Nothing follows for y in c, nor for the other digits of S.
    r.conclude(Claim::SomeTrue(plus(&[
        isin(v(y), v(c)),
        minus(isin(Expr::AllDigits, v(s)), isin(plus(&[v(x), v(y)]), v(s))),
    ])));
    let verdict = prove_with(&r.technique("als_as_weak_link"), &[], &[]);
    assert!(matches!(verdict.status, Status::Refuted(_)), "{}", verdict.status);
}

fn loop_rule(strong: &[&str], conclude: fn(Id) -> Claim) -> Technique {
    let mut r = Rule::default();
    let k = link_name(&mut r, "K");
    r.variant.body.push(graph(
        None,
        strong,
        LinkShape::Loop(Loop { name: k, colours: None, length: LENGTH, weak: WeakLinks::Any }),
    ));
    r.conclude(conclude(k));
    r.technique("loop")
}

/// Concludes that exactly one end of each link is true.
fn every_link(loop_name: Id) -> Claim {
    Claim::Links { loop_name, outside_cells: false }
}

#[test]
fn loops_are_proved_with_their_sources() {
    assert_proved(&loop_rule(&["cell", "house", "als", "group"], every_link));
    assert_proved(&loop_rule(&["cell", "house", "als", "group"], |loop_name| Claim::Links {
        loop_name,
        outside_cells: true,
    }));
    let concluding_ends = [als(Als::ConcludesEnds)];
    assert_undecided(&loop_rule(&["als"], every_link), &concluding_ends, "if exactly one end is");
    assert_undecided(
        &loop_rule(&["als"], |k| Claim::Eliminate(excluded_by_some(v(k)))),
        &sources(),
        "exactly one end of each link",
    );
    // An open chain does not use the conclusions of its sources.
    assert!(prove_with(&open_chain(&["als"], either_end), &concluding_ends, &[]).status.is_proved());
}

/// Digits that the links of a cluster or a ring may have.
#[derive(Clone, Copy)]
enum LinkDigits {
    One,
    All,
}

impl LinkDigits {
    /// Declares the digit, if the links have only one.
    fn declare(self, r: &mut Rule) -> Option<Id> {
        match self {
            LinkDigits::One => Some(r.digit("d")),
            LinkDigits::All => None,
        }
    }
}

/// Returns a rule with a cluster of two colours. `complete` gets the digit of the cluster and the colours, and adds conditions and
/// conclusions.
fn cluster(digits: LinkDigits, complete: impl FnOnce(&mut Rule, Option<Id>, Expr, Expr)) -> Technique {
    let mut r = Rule::default();
    let d = digits.declare(&mut r);
    let (blue, green) = add_cluster(&mut r, d, ["blue", "green"]);
    complete(&mut r, d, v(blue), v(green));
    r.technique("cluster")
}

/// Adds a cluster to a rule and returns its colours.
fn add_cluster(r: &mut Rule, digit: Option<Id>, names: [&str; 2]) -> (Id, Id) {
    let colours = names.map(|name| link_name(r, name));
    r.variant.body.push(graph(digit.map(v), &["cell", "house"], LinkShape::Cluster(Cluster { colours })));
    (colours[0], colours[1])
}

/// Eliminates the candidates that each of two colours excludes.
fn excluded_by_both(a: Expr, c: Expr) -> Claim {
    Claim::Eliminate(and(excluded_by_some(a), excluded_by_some(c)))
}

#[test]
fn rules_about_one_cluster_are_proved() {
    for digits in [LinkDigits::One, LinkDigits::All] {
        assert_proved(&cluster(digits, |r, _, blue, green| r.conclude(excluded_by_both(blue, green))));
        assert_proved(&cluster(digits, |r, _, blue, _| {
            r.require(some(and(blue.clone(), excluded_by_some(blue.clone()))));
            r.conclude(Claim::Eliminate(blue));
        }));
    }
    assert_proved(&cluster(LinkDigits::All, |r, _, blue, green| {
        let c = r.cell("c");
        r.require(Condition::Within(isin(Expr::AllDigits, v(c)), excluded_by_some(blue.clone())));
        r.conclude(Claim::Eliminate(blue));
        r.conclude(Claim::Place(green));
    }));
    assert_proved(&cluster(LinkDigits::All, |r, _, blue, _| {
        let (h, e) = (r.house("h", HouseClass::Any), r.digit("e"));
        r.require(Condition::Within(isin(v(e), cells_of(v(h))), excluded_by_some(blue.clone())));
        r.conclude(Claim::Eliminate(blue));
    }));
}

#[test]
fn rules_about_two_clusters_are_proved() {
    assert_proved(&cluster(LinkDigits::One, |r, d, blue, green| {
        let (red, yellow) = add_cluster(r, d, ["red", "yellow"]);
        r.require(some(and(blue, excluded_by_some(v(red)))));
        r.conclude(excluded_by_both(green, v(yellow)));
    }));
    assert_proved(&cluster(LinkDigits::One, |r, d, blue, _| {
        let (red, yellow) = add_cluster(r, d, ["red", "yellow"]);
        r.require(some(and(blue.clone(), excluded_by_some(v(red)))));
        r.require(some(and(blue.clone(), excluded_by_some(v(yellow)))));
        r.conclude(Claim::Eliminate(blue));
    }));
}

#[test]
fn wrong_rules_about_clusters_are_refuted() {
    assert_refuted(
        &cluster(LinkDigits::One, |r, _, blue, _| r.conclude(excluded_by_both(blue.clone(), blue))),
        &sources(),
    );
    assert_refuted(
        &cluster(LinkDigits::One, |r, _, blue, green| {
            r.require(some(and(blue, excluded_by_some(green.clone()))));
            r.conclude(Claim::Eliminate(green));
        }),
        &sources(),
    );
}

/// Returns a rule with a ring, and the name of its guardians.
fn ring(digits: LinkDigits) -> (Rule, Id) {
    let mut r = Rule::default();
    let d = digits.declare(&mut r);
    let (k, g) = (link_name(&mut r, "K"), link_name(&mut r, "G"));
    r.variant.body.push(graph(d.map(v), &["open_house"], LinkShape::Ring(Ring { name: k, low: 5, guardians: g })));
    (r, g)
}

#[test]
fn rings_are_proved() {
    for digits in [LinkDigits::One, LinkDigits::All] {
        let (mut r, g) = ring(digits);
        r.conclude(Claim::SomeTrue(v(g)));
        assert_proved(&r.technique("ring"));
    }
    let (mut r, g) = ring(LinkDigits::One);
    r.conclude(Claim::Eliminate(excluded_by_every(v(g))));
    assert_proved(&r.technique("ring_that_excludes"));
    let (mut r, g) = ring(LinkDigits::One);
    r.conclude(Claim::Eliminate(excluded_by_some(v(g))));
    assert_undecided(&r.technique("ring_of_any_guardian"), &sources(), "a ring has a true guardian");
}

/// In an even ring every second cell can have the digit, without a true guardian.
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
        r.require(Condition::Within(ends.clone(), cells_of(v(h))));
        guardians.push(minus(isin(v(d), cells_of(v(h))), isin(v(d), ends)));
    }
    r.require(Condition::Has(every(plus(&corners.map(v))), v(d)));
    let g = r.define("G", Kind::Candidate, plus(&guardians));
    r.require(some(v(g)));
    r.conclude(Claim::SomeTrue(v(g)));
    assert_refuted(&r.technique("even_ring"), &[]);
}
