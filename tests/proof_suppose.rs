//! Suppositions, written as checked forms: what they show follows if what is used under them is sound.

use super::proof_graph::{Als, als, sources, verdict_with};
use super::proof_ir::*;
use pinion::grid::Geometry;
use pinion::lang::compile;
use pinion::lang::ir::{
    CaseResult, Cases, Claim, Condition, Expr, HouseClass, InferenceMethods, Kind, Literal, Origin, RuleRef, Statement,
    Suppose, Technique, VarShape, WeakLinks,
};
use pinion::proof::{Member, Status, Verdict, cache_key};

fn literal(r: &mut Rule, name: &str) -> Literal {
    let mut set = |name: &str| r.name(name, Kind::Candidate, VarShape::Set, Origin::Pattern);
    Literal { holds: set(name), fails: set(&format!("not {name}")) }
}

fn conclude(r: &mut Rule, literal: Literal, so: bool) {
    let (yes, no) = if so { (literal.holds, literal.fails) } else { (literal.fails, literal.holds) };
    r.conclude(Claim::Place(v(yes)));
    r.conclude(Claim::Eliminate(v(no)));
}

fn suppose(r: &mut Rule, cases: Cases, by: InferenceMethods, shows: CaseResult) {
    r.it.body.push(Statement::Suppose(Suppose { cases, methods: by, shows }));
}

fn links(strong: &[&str]) -> InferenceMethods {
    let strong = strong.iter().map(ToString::to_string).collect();
    InferenceMethods::Links { digits: None, strong, weak: WeakLinks::Any, most: None }
}

const SINGLES: InferenceMethods = InferenceMethods::Singles { digits: None };

fn rules(names: &[&str]) -> InferenceMethods {
    InferenceMethods::Rules(names.iter().map(|name| RuleRef { technique: name.to_string(), args: None }).collect())
}

fn sound(technique: &Technique, known: &[Technique]) -> Verdict {
    let verdict = verdict_with(technique, &sources(), known);
    let Status::Supposed { sound, .. } = verdict.status else { panic!("{}: {}", technique.id, verdict.status) };
    assert!(sound, "{:?}", verdict.rests_on);
    verdict
}

fn refused(technique: &Technique, wanted: &str) {
    let verdict = verdict_with(technique, &sources(), &[]);
    let Status::Undecided(reason) = &verdict.status else { panic!("{}: {}", technique.id, verdict.status) };
    assert!(reason.contains(wanted), "{reason}");
}

/// `suppose p using … reaches contradiction`, and what is made of it.
fn contradiction(by: InferenceMethods, claim: fn(Expr) -> Claim) -> Technique {
    let mut r = Rule::default();
    let p = r.one("p", Kind::Candidate);
    suppose(&mut r, Cases::Candidate(p), by, CaseResult::Contradiction);
    r.conclude(claim(v(p)));
    r.technique("contradiction")
}

#[test]
fn contradictions_say_what_is_false() {
    let verdict = sound(&contradiction(SINGLES, Claim::Eliminate), &[]);
    assert!(verdict.rests_on.iter().any(|premise| premise.name.contains("last candidate of a cell")));
    let verdict = sound(&contradiction(links(&["cell", "house", "als"]), Claim::Eliminate), &[]);
    assert!(verdict.rests_on.iter().any(|premise| premise.name == "strong link als" && premise.holds));
    let mut r = Rule::default();
    let p = r.one("p", Kind::Candidate);
    suppose(&mut r, Cases::Not(p), SINGLES, CaseResult::Contradiction);
    r.conclude(Claim::Place(v(p)));
    sound(&r.technique("not_p"), &[]);
    let mut r = Rule::default();
    let p = literal(&mut r, "p");
    suppose(&mut r, Cases::Literal(p), SINGLES, CaseResult::Contradiction);
    conclude(&mut r, p, false);
    sound(&r.technique("either_way"), &[]);
}

#[test]
fn a_contradiction_shows_nothing_else() {
    refused(&contradiction(SINGLES, Claim::Place), "what is supposed is false");
    refused(
        &contradiction(SINGLES, |p| Claim::Eliminate(Expr::Excluded { every: true, candidates: b(p) })),
        "is false",
    );
    let mut r = Rule::default();
    let p = literal(&mut r, "p");
    suppose(&mut r, Cases::Literal(p), SINGLES, CaseResult::Contradiction);
    conclude(&mut r, p, true);
    refused(&r.technique("the_wrong_way"), "what is supposed is false");
}

/// `suppose … all imply q`, with the candidates of a cell, of a house, or of either.
fn agree(which: &str, so: bool) -> Technique {
    let mut r = Rule::default();
    let cases = match which {
        "cell" => {
            let c = r.cell("c");
            Cases::Each(isin(digits(v(c)), v(c)))
        }
        "house" | "part of a house" => {
            let (d, h, c) = (r.digit("d"), r.house("h", HouseClass::Any), r.cell("c"));
            let all = isin(v(d), cells_of(v(h)));
            Cases::Each(if which == "house" { all } else { minus(all, isin(v(d), v(c))) })
        }
        "or not" => Cases::Either(r.one("p", Kind::Candidate)),
        _ => Cases::Candidate(r.one("p", Kind::Candidate)),
    };
    let q = literal(&mut r, "q");
    suppose(&mut r, cases, links(&["cell", "house"]), CaseResult::AllImply(q));
    conclude(&mut r, q, so);
    r.technique(which)
}

#[test]
fn consequences_of_all_cases_hold() {
    for which in ["cell", "house", "or not"] {
        sound(&agree(which, true), &[]);
        sound(&without_contradiction(agree(which, true)), &[]);
        refused(&agree(which, false), "what all cases imply holds");
    }
    for which in ["part of a house", "one alone"] {
        refused(&agree(which, true), "nothing in the rule says that one does");
        refused(&without_contradiction(agree(which, true)), "nothing in the rule says that one does");
    }
}

/// `all imply q without contradiction` finds less, and proves no more.
fn without_contradiction(mut technique: Technique) -> Technique {
    for statement in &mut technique.variants[0].body {
        if let Statement::Suppose(Suppose { shows, .. }) = statement
            && let CaseResult::AllImply(literal) = *shows
        {
            *shows = CaseResult::AllImplyWithoutContradiction(literal);
        }
    }
    technique
}

/// The cases of a fish with fins: its places in one of the covers, or a fin.
#[test]
fn case_coverage_may_need_the_rest_of_the_rule() {
    for all in [true, false] {
        let mut r = Rule::default();
        let d = r.digit("d");
        let base = r.houses("base", HouseClass::Row, 2);
        let cover = r.houses("cover", HouseClass::Column, 2);
        let h = r.house("h", HouseClass::Column);
        let i = r.index("i", Kind::House(HouseClass::Row));
        r.need(Condition::Within(v(h), v(cover)));
        r.need(super::proof_ir::all(i, v(base), some(isin(v(d), cells_of(v(i))))));
        let fins = r.lets("fins", Kind::Candidate, isin(v(d), minus(cells_of(v(base)), cells_of(v(cover)))));
        let places = isin(v(d), and(cells_of(v(h)), cells_of(v(base))));
        let q = literal(&mut r, "q");
        let cases = Cases::Each(if all { plus(&[places, v(fins)]) } else { places });
        suppose(&mut r, cases, links(&["house"]), CaseResult::AllImply(q));
        conclude(&mut r, q, true);
        let technique = r.technique("fish_and_fins");
        if all {
            sound(&technique, &[]);
        } else {
            refused(&technique, "nothing in the rule says that one does");
        }
    }
}

fn rule(text: &str) -> Technique {
    compile(text).0.techniques.remove(0)
}

const PAIR: &str = "technique pair \"Pair\" {\n  h: house\n  s: cells[2] in h\n  require #digits(s) = 2\n  \
                    eliminate digits(s) from h - s\n}\n";

#[test]
fn techniques_under_a_supposition_have_their_own_verdicts() {
    let outer = contradiction(rules(&["pair"]), Claim::Eliminate);
    let verdict = sound(&outer, &[rule(PAIR)]);
    let pair = verdict.rests_on.iter().find(|premise| premise.name == "technique pair").expect("it is listed");
    assert_eq!(pair.verdict.as_deref(), Some("proved on every board"));
    // With a third digit the rule is wrong, and so is every rule that rests on it.
    let wrong = rule(&PAIR.replace("= 2\n", "= 3\n"));
    let verdict = verdict_with(&outer, &sources(), std::slice::from_ref(&wrong));
    assert!(matches!(verdict.status, Status::Supposed { sound: false, .. }), "{}", verdict.status);
    assert!(!verdict.status.is_proved());
    let unknown = verdict_with(&outer, &sources(), &[]);
    assert!(!unknown.status.is_proved() && unknown.rests_on.iter().any(|one| !one.holds));
    // One solution is a premise that the outer rule must name.
    let single = Technique { assumes_one_solution: true, ..rule(PAIR) };
    assert!(!verdict_with(&outer, &sources(), std::slice::from_ref(&single)).status.is_proved());
}

#[test]
fn a_technique_may_be_used_inside_itself() {
    let outer = contradiction(rules(&["pair", "contradiction"]), Claim::Eliminate);
    let verdict = sound(&outer, &[rule(PAIR), outer.clone()]);
    assert!(verdict.rests_on.iter().any(|premise| premise.name == "technique contradiction"));
    // Two that use each other: neither is taken for proved because of the other alone.
    let first = Technique { id: "first".into(), ..contradiction(rules(&["second"]), Claim::Eliminate) };
    let second = Technique { id: "second".into(), ..contradiction(rules(&["first"]), Claim::Place) };
    let verdict = verdict_with(&first, &sources(), &[first.clone(), second]);
    assert!(!verdict.status.is_proved(), "{:?}", verdict.rests_on);
}

/// A kept verdict is not that of another source, nor that of another group.
#[test]
fn keys_know_sources_and_rule_lists() {
    let geometry = Geometry::standard(9).expect("a standard board");
    let outer = contradiction(rules(&["pair"]), Claim::Eliminate);
    let key = |sources: &[_], rules: &[_]| {
        cache_key(Member { technique: &outer, args: &[], variant: 0 }, sources, rules, &geometry, "1").expect("a key")
    };
    let (pair, all) = (rule(PAIR), sources());
    let own = key(&all, std::slice::from_ref(&pair));
    assert_eq!(own, key(&all, &[Technique { doc: vec!["words".into()], ..pair.clone() }]));
    assert_ne!(own, key(&all, &[rule(&PAIR.replace("= 2\n", "= 3\n"))]));
    assert_ne!(own, key(&all, &[Technique { assumes_one_solution: true, ..pair.clone() }]));
    assert_ne!(own, key(&all, &[]));
    let others: Vec<_> = all.iter().cloned().map(|one| if one.id == "als" { als(Als::Greedy) } else { one }).collect();
    assert_ne!(own, key(&others, std::slice::from_ref(&pair)));
    // Techniques that are used indirectly count too.
    let mut through = pair.clone();
    through.variants = contradiction(rules(&["deeper"]), Claim::Eliminate).variants;
    let with = |deeper: &str| {
        let deeper = Technique { id: "deeper".into(), ..rule(deeper) };
        key(&all, &[through.clone(), deeper])
    };
    assert_ne!(with(PAIR), with(&PAIR.replace("[2]", "[3]")));
}
