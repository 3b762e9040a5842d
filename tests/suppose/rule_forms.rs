//! Rules with suppositions in the checked form, and an engine for them.

use crate::oracle::rules as shapes;
use pinion::engine::Engine;
use pinion::grid::Geometry;
use pinion::lang::ir::*;
use std::sync::Arc;

pub fn v(index: usize) -> Expr {
    Expr::Var(VarId(index))
}

fn var(name: &str, kind: Kind, shape: VarShape, origin: Origin) -> Var {
    Var { name: name.into(), kind, shape, origin }
}

/// A candidate that the rule chooses.
pub fn candidate(name: &str) -> Var {
    var(name, Kind::Candidate, VarShape::Single, Origin::Chosen)
}

/// The two sets that a literal is.
pub fn literal(name: &str) -> [Var; 2] {
    let not = format!("not {name}");
    [name, &not].map(|name| var(name, Kind::Candidate, VarShape::Set, Origin::Pattern))
}

pub fn singles(on: Option<Expr>) -> InferenceMethods {
    InferenceMethods::Singles { digits: on }
}

pub fn links(most: Option<u32>) -> InferenceMethods {
    InferenceMethods::Links { digits: None, strong: vec!["cell".into(), "house".into()], weak: WeakLinks::Any, most }
}

pub fn rules(list: &[(&str, Option<Vec<u32>>)]) -> InferenceMethods {
    let named =
        |(technique, args): &(&str, Option<Vec<u32>>)| RuleRef { technique: (*technique).into(), args: args.clone() };
    InferenceMethods::Rules(list.iter().map(named).collect())
}

fn choose(name: usize) -> Statement {
    Statement::Choose(Choose { var: VarId(name), size: None, for_each: None, such_that: Vec::new() })
}

fn claims(claims: &[Claim]) -> Vec<Conclusion> {
    claims.iter().map(|claim| Conclusion { claim: claim.clone(), for_each: None }).collect()
}

fn concluded(literal: Literal, holds: bool) -> Vec<Conclusion> {
    let (put, gone) = if holds { (literal.holds, literal.fails) } else { (literal.fails, literal.holds) };
    claims(&[Claim::Place(Expr::Var(put)), Claim::Eliminate(Expr::Var(gone))])
}

const Q: Literal = Literal { holds: VarId(1), fails: VarId(2) };

/// `p: candidate  suppose p …, reaches contradiction  eliminate p`
pub fn contradiction(by: InferenceMethods) -> Variant {
    let suppose = Suppose { cases: Cases::Candidate(VarId(0)), methods: by, shows: CaseResult::Contradiction };
    let body = vec![choose(0), Statement::Suppose(suppose)];
    Variant { vars: vec![candidate("p")], body, conclusions: claims(&[Claim::Eliminate(v(0))]), ..Variant::default() }
}

/// `p: candidate  suppose not p …, reaches contradiction  place p`
pub fn contradiction_of_not(by: InferenceMethods) -> Variant {
    let suppose = Suppose { cases: Cases::Not(VarId(0)), methods: by, shows: CaseResult::Contradiction };
    let body = vec![choose(0), Statement::Suppose(suppose)];
    Variant { vars: vec![candidate("p")], body, conclusions: claims(&[Claim::Place(v(0))]), ..Variant::default() }
}

/// `p: literal  suppose p …, reaches contradiction  conclude not p`
pub fn contradiction_of_literal(by: InferenceMethods) -> Variant {
    let p = Literal { holds: VarId(0), fails: VarId(1) };
    let suppose = Suppose { cases: Cases::Literal(p), methods: by, shows: CaseResult::Contradiction };
    let body = vec![Statement::Suppose(suppose)];
    Variant { vars: literal("p").to_vec(), body, conclusions: concluded(p, false), ..Variant::default() }
}

/// `p: candidate  suppose p, or not p …, all imply q  conclude q`
pub fn either(by: InferenceMethods) -> Variant {
    let suppose = Suppose { cases: Cases::Either(VarId(0)), methods: by, shows: CaseResult::AllImply(Q) };
    let mut vars = vec![candidate("p")];
    vars.extend(literal("q"));
    let body = vec![choose(0), Statement::Suppose(suppose)];
    Variant { vars, body, conclusions: concluded(Q, true), ..Variant::default() }
}

/// `c: cell  suppose each of digits(c) in c …, all imply q  conclude q`
pub fn each_of_cell(by: InferenceMethods) -> Variant {
    let of = Expr::CandidatesIn(Box::new(Expr::Digits(Box::new(v(0)))), Box::new(v(0)));
    let suppose = Suppose { cases: Cases::Each(of), methods: by, shows: CaseResult::AllImply(Q) };
    let mut vars = vec![var("c", Kind::Cell, VarShape::Single, Origin::Chosen)];
    vars.extend(literal("q"));
    let body = vec![choose(0), Statement::Suppose(suppose)];
    Variant { vars, body, conclusions: concluded(Q, true), ..Variant::default() }
}

/// `each_of_cell` with `all imply q without contradiction`.
pub fn each_without_contradiction(by: InferenceMethods) -> Variant {
    let mut variant = each_of_cell(by);
    if let Some(Statement::Suppose(suppose)) = variant.body.last_mut() {
        suppose.shows = CaseResult::AllImplyWithoutContradiction(Q);
    }
    variant
}

/// `each_of_cell` of a cell with two candidates.
pub fn each_of_pair(by: InferenceMethods) -> Variant {
    let mut variant = each_of_cell(by);
    let count = Expr::Count(Box::new(Expr::Digits(Box::new(v(0)))));
    variant.body.insert(1, Statement::Require(Condition::Compare(count, Comparison::Equal, Expr::Number(2))));
    variant
}

/// `h: house  d: digit  suppose each of (d in h) …, all imply q  conclude q`
pub fn each_of_house(by: InferenceMethods) -> Variant {
    let of = Expr::CandidatesIn(Box::new(v(3)), Box::new(Expr::HouseCells(Box::new(v(0)))));
    let suppose = Suppose { cases: Cases::Each(of), methods: by, shows: CaseResult::AllImply(Q) };
    let mut vars = vec![var("h", Kind::House(HouseClass::Any), VarShape::Single, Origin::Chosen)];
    vars.extend(literal("q"));
    vars.push(var("d", Kind::Digit, VarShape::Single, Origin::Chosen));
    let body = vec![choose(0), choose(3), Statement::Suppose(suppose)];
    Variant { vars, body, conclusions: concluded(Q, true), ..Variant::default() }
}

pub fn technique(id: &str, variant: Variant) -> Technique {
    shapes::technique(id, &[], variant)
}

/// By singles of the digits of what is supposed.
pub fn forms_of_one_digit() -> Vec<Technique> {
    let by = || singles(Some(Expr::Digits(Box::new(v(0)))));
    vec![
        technique("contradiction", contradiction(by())),
        technique("contradiction_of_not", contradiction_of_not(by())),
        technique("either", either(by())),
        technique("each_of_cell", each_of_cell(by())),
    ]
}

/// Every form of supposition with one method.
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

pub fn naked_subset() -> Technique {
    Technique { id: "pairs".into(), ..shapes::naked_subset() }
}

pub fn engine_of(board: &Arc<Geometry>, list: &[Technique]) -> Engine {
    let sources = [shapes::cell_source(), shapes::house_source()];
    Engine::new(Arc::clone(board), list, &sources).unwrap_or_else(|errors| panic!("{errors:?}"))
}
