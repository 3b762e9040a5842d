//! Rules in the IR with suppositions, and an engine for them.

use crate::oracle::rules::{self as shapes, candidates, choose, digits, house_cells, v, var};
use pinion::engine::Engine;
use pinion::grid::Geometry;
use pinion::lang::ir::*;
use std::sync::Arc;

fn chosen_candidate(name: &str) -> Var {
    var(name, Kind::Candidate, VarShape::Single, Origin::Chosen)
}

/// Returns the two names of a literal. The first is bound to the candidate if the literal is true, the second if it is
/// false; the other name is bound to the empty set.
fn literal(name: &str) -> [Var; 2] {
    let negated = format!("not {name}");
    [name, &negated].map(|name| var(name, Kind::Candidate, VarShape::Set, Origin::Pattern))
}

/// `using singles`, or `using singles on …`.
pub fn singles(on: Option<Expr>) -> InferenceMethods {
    InferenceMethods::Singles { digits: on }
}

/// `using links`, with at most `max_strong` strong links.
pub fn links(max_strong: Option<u32>) -> InferenceMethods {
    let strong = vec!["cell".into(), "house".into()];
    InferenceMethods::Links { digits: None, strong, weak: WeakLinks::Any, most: max_strong }
}

/// `using rules`: each technique by its id, with parameter values, or `None` for all of its parameter values.
pub fn rules(techniques: &[(&str, Option<Vec<u32>>)]) -> InferenceMethods {
    let references = techniques.iter().map(|(id, args)| RuleRef { technique: (*id).into(), args: args.clone() });
    InferenceMethods::Rules(references.collect())
}

fn claims(claims: &[Claim]) -> Vec<Conclusion> {
    claims.iter().map(|claim| Conclusion { claim: claim.clone(), for_each: None }).collect()
}

/// `conclude p` for a literal.
fn conclude(literal: Literal) -> Vec<Conclusion> {
    claims(&[Claim::Place(Expr::Var(literal.holds)), Claim::Eliminate(Expr::Var(literal.fails))])
}

/// `conclude not p` for a literal.
fn conclude_not(literal: Literal) -> Vec<Conclusion> {
    claims(&[Claim::Place(Expr::Var(literal.fails)), Claim::Eliminate(Expr::Var(literal.holds))])
}

/// The literal `q` of the rules below, behind the name 0.
const Q: Literal = Literal { holds: VarId(1), fails: VarId(2) };

/// `p: candidate  suppose p …, reaches contradiction  eliminate p`
pub fn contradiction(by: InferenceMethods) -> Variant {
    contradiction_of_candidate(Cases::Candidate(VarId(0)), by, Claim::Eliminate(v(0)))
}

/// `p: candidate  suppose not p …, reaches contradiction  place p`
pub fn contradiction_of_not(by: InferenceMethods) -> Variant {
    contradiction_of_candidate(Cases::Not(VarId(0)), by, Claim::Place(v(0)))
}

fn contradiction_of_candidate(cases: Cases, by: InferenceMethods, claim: Claim) -> Variant {
    let suppose = Suppose { cases, methods: by, shows: CaseResult::Contradiction };
    let body = vec![choose(0, vec![]), Statement::Suppose(suppose)];
    Variant { vars: vec![chosen_candidate("p")], body, conclusions: claims(&[claim]), ..Variant::default() }
}

/// `p: literal  suppose p …, reaches contradiction  conclude not p`
pub fn contradiction_of_literal(by: InferenceMethods) -> Variant {
    let p = Literal { holds: VarId(0), fails: VarId(1) };
    let suppose = Suppose { cases: Cases::Literal(p), methods: by, shows: CaseResult::Contradiction };
    let body = vec![Statement::Suppose(suppose)];
    Variant { vars: literal("p").to_vec(), body, conclusions: conclude_not(p), ..Variant::default() }
}

/// `p: candidate  suppose p, or not p …, all imply q  conclude q`
pub fn either(by: InferenceMethods) -> Variant {
    let suppose = Suppose { cases: Cases::Either(VarId(0)), methods: by, shows: CaseResult::AllImply(Q) };
    let mut vars = vec![chosen_candidate("p")];
    vars.extend(literal("q"));
    let body = vec![choose(0, vec![]), Statement::Suppose(suppose)];
    Variant { vars, body, conclusions: conclude(Q), ..Variant::default() }
}

/// `c: cell  suppose each of digits(c) in c …, all imply q  conclude q`
pub fn each_of_cell(by: InferenceMethods) -> Variant {
    let suppose =
        Suppose { cases: Cases::Each(candidates(digits(v(0)), v(0))), methods: by, shows: CaseResult::AllImply(Q) };
    let mut vars = vec![var("c", Kind::Cell, VarShape::Single, Origin::Chosen)];
    vars.extend(literal("q"));
    let body = vec![choose(0, vec![]), Statement::Suppose(suppose)];
    Variant { vars, body, conclusions: conclude(Q), ..Variant::default() }
}

/// [`each_of_cell`] with `all imply q without contradiction`.
pub fn each_without_contradiction(by: InferenceMethods) -> Variant {
    let mut variant = each_of_cell(by);
    if let Some(Statement::Suppose(suppose)) = variant.body.last_mut() {
        suppose.shows = CaseResult::AllImplyWithoutContradiction(Q);
    }
    variant
}

/// [`each_of_cell`] for cells with two candidates.
pub fn each_of_pair(by: InferenceMethods) -> Variant {
    let mut variant = each_of_cell(by);
    let is_bivalue = shapes::count(digits(v(0)), Comparison::Equal, Expr::Number(2));
    variant.body.insert(1, Statement::Require(is_bivalue));
    variant
}

/// `h: house  d: digit  suppose each of (d in h) …, all imply q  conclude q`
pub fn each_of_house(by: InferenceMethods) -> Variant {
    let suppose = Suppose {
        cases: Cases::Each(candidates(v(3), house_cells(v(0)))),
        methods: by,
        shows: CaseResult::AllImply(Q),
    };
    let mut vars = vec![var("h", Kind::House(HouseClass::Any), VarShape::Single, Origin::Chosen)];
    vars.extend(literal("q"));
    vars.push(var("d", Kind::Digit, VarShape::Single, Origin::Chosen));
    let body = vec![choose(0, vec![]), choose(3, vec![]), Statement::Suppose(suppose)];
    Variant { vars, body, conclusions: conclude(Q), ..Variant::default() }
}

pub fn technique(id: &str, variant: Variant) -> Technique {
    shapes::technique(id, &[], variant)
}

/// Returns rules with `using singles on d`, where d are the digits of the supposed candidates.
pub fn forms_of_one_digit() -> Vec<Technique> {
    let by = || singles(Some(digits(v(0))));
    vec![
        technique("contradiction", contradiction(by())),
        technique("contradiction_of_not", contradiction_of_not(by())),
        technique("either", either(by())),
        technique("each_of_cell", each_of_cell(by())),
    ]
}

/// Returns a rule for each form of supposition, all with the same method.
pub fn all_forms(by: &dyn Fn() -> InferenceMethods) -> Vec<Technique> {
    vec![
        technique("contradiction", contradiction(by())),
        technique("contradiction_of_not", contradiction_of_not(by())),
        technique("contradiction_of_literal", contradiction_of_literal(by())),
        technique("either", either(by())),
        technique("each_of_cell", each_of_cell(by())),
        technique("each_without_contradiction", each_without_contradiction(by())),
        technique("each_of_house", each_of_house(by())),
    ]
}

/// A technique `pairs` that rules can use under their suppositions.
pub fn naked_subset() -> Technique {
    Technique { id: "pairs".into(), ..shapes::naked_subset() }
}

pub fn engine_of(board: &Arc<Geometry>, list: &[Technique]) -> Engine {
    let sources = [shapes::cell_source(), shapes::house_source()];
    Engine::new(Arc::clone(board), list, &sources).unwrap_or_else(|errors| panic!("{errors:?}"))
}
