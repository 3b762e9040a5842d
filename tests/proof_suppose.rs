//! Proofs of rules with suppositions, built as IR: the conclusion follows if everything that is used under the supposition is
//! sound. The verdict lists what it rests on.

use super::proof_graph::{Als, als, assert_undecided, prove_with, sources};
use super::proof_ir::*;
use pinion::grid::Geometry;
use pinion::lang::compile;
use pinion::lang::ir::{
    CaseResult, Cases, Claim, Condition, Expr, HouseClass, InferenceMethods, Join, Kind, Literal, Origin, RuleRef,
    Statement, Suppose, Technique, VarShape, Variant, WeakLinks,
};
use pinion::proof::{Member, Status, Verdict, cache_key};

/// Declares a literal: two sets of candidates. The candidate is in the first set if it is true, else in the second.
fn literal(r: &mut Rule, name: &str) -> Literal {
    let mut set = |name: &str| r.name(name, Kind::Candidate, VarShape::Set, Origin::Pattern);
    Literal { holds: set(name), fails: set(&format!("not {name}")) }
}

/// Concludes a literal.
fn conclude(r: &mut Rule, literal: Literal) {
    r.conclude(Claim::Place(v(literal.holds)));
    r.conclude(Claim::Eliminate(v(literal.fails)));
}

/// Concludes the negation of a literal.
fn conclude_not(r: &mut Rule, literal: Literal) {
    conclude(r, Literal { holds: literal.fails, fails: literal.holds });
}

fn suppose(r: &mut Rule, cases: Cases, methods: InferenceMethods, shows: CaseResult) {
    r.variant.body.push(Statement::Suppose(Suppose { cases, methods, shows }));
}

fn links(strong: &[&str]) -> InferenceMethods {
    let strong = strong.iter().map(ToString::to_string).collect();
    InferenceMethods::Links { digits: None, strong, weak: WeakLinks::Any, most: None }
}

const SINGLES: InferenceMethods = InferenceMethods::Singles { digits: None };

fn rules(names: &[&str]) -> InferenceMethods {
    InferenceMethods::Rules(names.iter().map(|name| RuleRef { technique: name.to_string(), args: None }).collect())
}

/// Fails unless the technique is sound. It may use the techniques `known`.
fn assert_sound(technique: &Technique, known: &[Technique]) -> Verdict {
    let verdict = prove_with(technique, &sources(), known);
    let Status::Conditional { sound, .. } = verdict.status else { panic!("{}: {}", technique.id, verdict.status) };
    assert!(sound, "{:?}", verdict.rests_on);
    verdict
}

/// `suppose p using … reaches contradiction`, with a conclusion about p.
fn contradiction(methods: InferenceMethods, claim: fn(Expr) -> Claim) -> Technique {
    let mut r = Rule::default();
    let p = r.choose_one("p", Kind::Candidate);
    suppose(&mut r, Cases::Candidate(p), methods, CaseResult::Contradiction);
    r.conclude(claim(v(p)));
    r.technique("contradiction")
}

#[test]
fn a_supposition_that_reaches_a_contradiction_is_false() {
    let verdict = assert_sound(&contradiction(SINGLES, Claim::Eliminate), &[]);
    assert!(verdict.rests_on.iter().any(|premise| premise.name.contains("last candidate of a cell")));
    let verdict = assert_sound(&contradiction(links(&["cell", "house", "als"]), Claim::Eliminate), &[]);
    assert!(verdict.rests_on.iter().any(|premise| premise.name == "strong link als" && premise.holds));
    let mut r = Rule::default();
    let p = r.choose_one("p", Kind::Candidate);
    suppose(&mut r, Cases::Not(p), SINGLES, CaseResult::Contradiction);
    r.conclude(Claim::Place(v(p)));
    assert_sound(&r.technique("not_p"), &[]);
    let mut r = Rule::default();
    let p = literal(&mut r, "p");
    suppose(&mut r, Cases::Literal(p), SINGLES, CaseResult::Contradiction);
    conclude_not(&mut r, p);
    assert_sound(&r.technique("supposed_literal"), &[]);
}

#[test]
fn a_contradiction_shows_only_that_the_supposition_is_false() {
    assert_undecided(&contradiction(SINGLES, Claim::Place), &sources(), "what is supposed is false");
    assert_undecided(
        &contradiction(SINGLES, |p| Claim::Eliminate(Expr::Excluded { every: true, candidates: b(p) })),
        &sources(),
        "is false",
    );
    let mut r = Rule::default();
    let p = literal(&mut r, "p");
    suppose(&mut r, Cases::Literal(p), SINGLES, CaseResult::Contradiction);
    conclude(&mut r, p);
    assert_undecided(&r.technique("conclusion_of_the_supposition"), &sources(), "what is supposed is false");
}

/// Cases of a supposition, from which q follows.
#[derive(Clone, Copy, Debug)]
enum SupposedCases {
    /// The candidates of a cell.
    Cell,
    /// The places of a digit in a house.
    House,
    /// Places of a digit in a house, without one cell. The cases do not cover everything.
    PartOfHouse,
    /// A candidate and its negation.
    CandidateOrNot,
    /// A candidate alone. The case does not cover everything.
    Candidate,
}

/// `suppose … all imply q`; `conclude` adds the conclusion about q.
fn all_imply(cases: SupposedCases, conclude: fn(&mut Rule, Literal)) -> Technique {
    let mut r = Rule::default();
    let ir_cases = match cases {
        SupposedCases::Cell => {
            let c = r.cell("c");
            Cases::Each(isin(digits(v(c)), v(c)))
        }
        SupposedCases::House => {
            let (d, h) = (r.digit("d"), r.house("h", HouseClass::Any));
            Cases::Each(isin(v(d), cells_of(v(h))))
        }
        SupposedCases::PartOfHouse => {
            let (d, h, c) = (r.digit("d"), r.house("h", HouseClass::Any), r.cell("c"));
            Cases::Each(minus(isin(v(d), cells_of(v(h))), isin(v(d), v(c))))
        }
        SupposedCases::CandidateOrNot => Cases::Either(r.choose_one("p", Kind::Candidate)),
        SupposedCases::Candidate => Cases::Candidate(r.choose_one("p", Kind::Candidate)),
    };
    let q = literal(&mut r, "q");
    suppose(&mut r, ir_cases, links(&["cell", "house"]), CaseResult::AllImply(q));
    conclude(&mut r, q);
    r.technique(&format!("{cases:?}"))
}

#[test]
fn consequences_of_all_cases_hold_if_one_case_must_be_true() {
    for cases in [SupposedCases::Cell, SupposedCases::House, SupposedCases::CandidateOrNot] {
        assert_sound(&all_imply(cases, conclude), &[]);
        assert_sound(&without_contradiction(all_imply(cases, conclude)), &[]);
        assert_undecided(&all_imply(cases, conclude_not), &sources(), "what all cases imply holds");
    }
    for cases in [SupposedCases::PartOfHouse, SupposedCases::Candidate] {
        assert_undecided(&all_imply(cases, conclude), &sources(), "nothing in the rule says that one does");
        assert_undecided(
            &without_contradiction(all_imply(cases, conclude)),
            &sources(),
            "nothing in the rule says that one does",
        );
    }
}

/// Replaces `all imply q` by `all imply q without contradiction`.
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

/// The cases are the places of a fish in one of its cover houses, and its fins. That one of them is true follows from the other
/// conditions of the rule. Without the fins, it does not follow.
#[test]
fn the_conditions_of_a_rule_may_show_that_one_case_is_true() {
    for has_fin_cases in [true, false] {
        let mut r = Rule::default();
        let d = r.digit("d");
        let base = r.houses("base", HouseClass::Row, 2);
        let cover = r.houses("cover", HouseClass::Column, 2);
        let h = r.house("h", HouseClass::Column);
        let i = r.index("i", Kind::House(HouseClass::Row));
        r.require(Condition::Within(v(h), v(cover)));
        r.require(for_all(i, v(base), some(isin(v(d), cells_of(v(i))))));
        let fins = r.define("fins", Kind::Candidate, isin(v(d), minus(cells_of(v(base)), cells_of(v(cover)))));
        let places = isin(v(d), and(cells_of(v(h)), cells_of(v(base))));
        let q = literal(&mut r, "q");
        let cases = Cases::Each(if has_fin_cases { plus(&[places, v(fins)]) } else { places });
        suppose(&mut r, cases, links(&["house"]), CaseResult::AllImply(q));
        conclude(&mut r, q);
        let technique = r.technique("fish_and_fins");
        if has_fin_cases {
            assert_sound(&technique, &[]);
        } else {
            assert_undecided(&technique, &sources(), "nothing in the rule says that one does");
        }
    }
}

fn compile_rule(text: &str) -> Technique {
    compile(text).0.techniques.remove(0)
}

const PAIR: &str = "technique pair \"Pair\" {\n  h: house\n  s: cells[2] in h\n  require #digits(s) = 2\n  \
                    eliminate digits(s) from h - s\n}\n";

#[test]
fn the_verdict_depends_on_the_techniques_under_the_supposition() {
    let outer = contradiction(rules(&["pair"]), Claim::Eliminate);
    let verdict = assert_sound(&outer, &[compile_rule(PAIR)]);
    let pair = verdict.rests_on.iter().find(|premise| premise.name == "technique pair").expect("it is listed");
    assert_eq!(pair.verdict.as_deref(), Some("proved on every board"));
    // With three digits the pair rule is wrong, and every rule that uses it is unsound.
    let wrong = compile_rule(&PAIR.replace("= 2\n", "= 3\n"));
    let verdict = prove_with(&outer, &sources(), std::slice::from_ref(&wrong));
    assert!(matches!(verdict.status, Status::Conditional { sound: false, .. }), "{}", verdict.status);
    assert!(!verdict.status.is_proved());
    let unknown = prove_with(&outer, &sources(), &[]);
    assert!(!unknown.status.is_proved() && unknown.rests_on.iter().any(|premise| !premise.holds));
    // The outer rule does not assume a unique solution, so it must not use a rule that does.
    let uniqueness_rule = Technique { assumes_one_solution: true, ..compile_rule(PAIR) };
    assert!(!prove_with(&outer, &sources(), std::slice::from_ref(&uniqueness_rule)).status.is_proved());
}

#[test]
fn techniques_that_use_themselves_are_sound_and_circular_proofs_are_not() {
    let outer = contradiction(rules(&["pair", "contradiction"]), Claim::Eliminate);
    let verdict = assert_sound(&outer, &[compile_rule(PAIR), outer.clone()]);
    assert!(verdict.rests_on.iter().any(|premise| premise.name == "technique contradiction"));
    // `second` concludes too much. That the two use each other proves neither of them.
    let first = Technique { id: "first".into(), ..contradiction(rules(&["second"]), Claim::Eliminate) };
    let second = Technique { id: "second".into(), ..contradiction(rules(&["first"]), Claim::Place) };
    let verdict = prove_with(&first, &sources(), &[first.clone(), second]);
    assert!(!verdict.status.is_proved(), "{:?}", verdict.rests_on);
}

/// One case uses a wrong rule under its supposition, the other one is proved on this board alone. In either order of the cases, a
/// join is no better than the worse one.
#[test]
fn a_join_is_proved_only_if_each_case_of_the_joined_technique_is() {
    let wrong_pair = compile_rule(&PAIR.replace("= 2\n", "= 3\n"));
    let unsound = contradiction(rules(&["pair"]), Claim::Eliminate).variants.remove(0);
    let text = "technique once \"Once\" {\n  c: cell\n  d: digit in digits(c)\n  \
                require (#cells = 81 and #(cells seeing c) = 19) or no d in row(c) - c\n  place d in c\n}\n";
    let on_this_board = compile_rule(text).variants.remove(0);
    let join = Join { technique: "joined".into(), args: vec![], by: vec![] };
    let variants = vec![Variant { join: Some(join), ..Variant::default() }];
    let twice = Technique { id: "twice".into(), variants, ..compile_rule(PAIR) };
    let status_with = |variants: &[&Variant]| {
        let variants = variants.iter().map(|&variant| variant.clone()).collect();
        let joined = Technique { id: "joined".into(), variants, ..compile_rule(PAIR) };
        prove_with(&twice, &sources(), &[wrong_pair.clone(), joined]).status
    };
    assert!(matches!(status_with(&[&on_this_board]), Status::Proved { every_board: false, .. }));
    for variants in [[&unsound, &on_this_board], [&on_this_board, &unsound]] {
        let status = status_with(&variants);
        assert!(matches!(status, Status::Conditional { sound: false, .. }), "{status}");
    }
}

/// The key of a cached proof changes with each link source and technique that the proof uses.
#[test]
fn cache_keys_depend_on_the_used_sources_and_techniques() {
    let geometry = Geometry::standard(9).expect("a standard board");
    let outer = contradiction(rules(&["pair"]), Claim::Eliminate);
    let key = |sources: &[_], rules: &[_]| {
        cache_key(Member { technique: &outer, args: &[], variant: 0 }, sources, rules, &geometry, "1").expect("a key")
    };
    let (pair, all) = (compile_rule(PAIR), sources());
    let key_of_pair = key(&all, std::slice::from_ref(&pair));
    assert_eq!(key_of_pair, key(&all, &[Technique { doc: vec!["words".into()], ..pair.clone() }]));
    assert_ne!(key_of_pair, key(&all, &[compile_rule(&PAIR.replace("= 2\n", "= 3\n"))]));
    assert_ne!(key_of_pair, key(&all, &[Technique { assumes_one_solution: true, ..pair.clone() }]));
    assert_ne!(key_of_pair, key(&all, &[]));
    let mut other_sources = all.clone();
    for source in &mut other_sources {
        if source.id == "als" {
            *source = als(Als::ConcludesEnds);
        }
    }
    assert_ne!(key_of_pair, key(&other_sources, std::slice::from_ref(&pair)));
    // Here `pair` uses the technique `deeper`.
    let mut using_deeper = pair.clone();
    using_deeper.variants = contradiction(rules(&["deeper"]), Claim::Eliminate).variants;
    let key_with_deeper = |text: &str| {
        let deeper = Technique { id: "deeper".into(), ..compile_rule(text) };
        key(&all, &[using_deeper.clone(), deeper])
    };
    assert_ne!(key_with_deeper(PAIR), key_with_deeper(&PAIR.replace("[2]", "[3]")));
}
