//! Requirements implied by others. In: a technique. Out: a finding for each requirement that can be left out.
//!
//! Only implications between two conditions are found: equal conditions, bounds of one number, sizes of listed sets. Nothing
//! is searched or proved, so every finding is certain, and many redundant requirements are missed.

use crate::lang::ast::File;
use crate::lang::codes::{LintProblem, Problem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{
    Comparison, Condition, Expr, HouseClass, Operand, PredicateId, Printer, Quantifier, Statement, Technique, Variant,
};
use crate::solve::Rulebook;
use crate::workbench::requirement::parts;
use std::ops::Range;

/// A condition, and the statement it is of.
struct Stated {
    statement: usize,
    condition: Condition,
    /// True for a condition that can be left out, unlike the size of a set.
    own: bool,
}

/// Every requirement that another one of its case implies, each once.
pub fn follows(rulebook: &Rulebook, (tree, text): (&File, &str), technique: &Technique) -> Vec<Diagnostic> {
    let places = rulebook.places_in(tree, &technique.id);
    // Conditions that an assumption puts on its names have no text of their own.
    let written = |place: &Range<usize>| text.get(place.clone()).is_some_and(|line| !line.starts_with("suppose"));
    let mut out: Vec<Diagnostic> = Vec::new();
    for (variant, places) in technique.variants.iter().zip(&places) {
        let printer = Printer { variant, params: &technique.params };
        let said = stated(variant);
        for (at, one) in said.iter().enumerate().filter(|(_, one)| one.own) {
            let by = said.iter().enumerate().find(|(other, reason)| {
                let both = implies(&one.condition, &reason.condition);
                // Of two equivalent conditions, the later one is superfluous.
                *other != at && implies(&reason.condition, &one.condition) && (!both || *other < at)
            });
            let (Some((_, by)), Some(place)) = (by, places.get(one.statement)) else { continue };
            if !written(place) {
                continue;
            }
            let finding = finding(printer, one, by, place, places.get(by.statement));
            if !out.contains(&finding) {
                out.push(finding);
            }
        }
    }
    out
}

fn finding(
    printer: Printer<'_>,
    one: &Stated,
    by: &Stated,
    place: &Range<usize>,
    reason: Option<&Range<usize>>,
) -> Diagnostic {
    let condition = printer.condition(&one.condition);
    let because = format!("`{}` says it already", printer.condition(&by.condition));
    match reason.filter(|reason| *reason != place) {
        Some(reason) => LintProblem::Follows { condition, because: None }.at(place).label(reason.clone(), because),
        None => LintProblem::Follows { condition, because: Some(because) }.at(place),
    }
}

/// Facts that a case states about its names, one by one.
fn stated(variant: &Variant) -> Vec<Stated> {
    let mut out = Vec::new();
    for (statement, body) in variant.body.iter().enumerate() {
        if matches!(body, Statement::Trail(_)) {
            continue;
        }
        if let Statement::Choose(choose) = body
            && choose.per.is_none()
            && let Some((low, high)) = &choose.size
        {
            let count = || Expr::Count(Box::new(Expr::Var(choose.var)));
            let bound = |how, to: &Expr| Condition::Compare(count(), how, to.clone());
            let mut all = vec![bound(Comparison::GreaterEqual, low)];
            all.extend(high.as_ref().map(|high| bound(Comparison::LessEqual, high)));
            if high.as_ref() == Some(low) {
                all = vec![bound(Comparison::Equal, low)];
            }
            out.extend(all.into_iter().map(|condition| Stated { statement, condition, own: false }));
        }
        let family = matches!(body, Statement::Choose(choose) if choose.per.is_some());
        if !family {
            out.extend(parts(body, variant).into_iter().map(|condition| Stated { statement, condition, own: true }));
        }
    }
    out
}

/// Returns true if one other condition implies this one; of two equivalent conditions, the later one counts.
pub fn superfluous(all: &[Condition], at: usize) -> bool {
    all.iter()
        .enumerate()
        .any(|(other, reason)| other != at && implies(reason, &all[at]) && (!implies(&all[at], reason) || other < at))
}

/// Returns true if the first condition alone implies the second.
fn implies(a: &Condition, b: &Condition) -> bool {
    if same(a, b) {
        return true;
    }
    match (a, b) {
        (Condition::Compare(x, how, n), Condition::Compare(y, what, m)) if x == y => match (n, m) {
            (Expr::Number(n), Expr::Number(m)) => bound(*how, i64::from(*n), *what, i64::from(*m)),
            _ => n == m && loosens(*how, *what),
        },
        (Condition::Exactly(set, names), b) => {
            listed(set, names.len(), b, |digit| names.iter().any(|&name| *digit == Expr::Var(name)))
        }
        (Condition::Holds(PredicateId::Conjugate, args, _), Condition::Has(cells, digits)) => {
            args[0] == *digits && args[1..].contains(&cells.of)
        }
        (Condition::Within(set, _), b) => is_some(set, b),
        (Condition::Some(set), b) => is_some(set, b),
        (Condition::Compare(Expr::Count(set), how, Expr::Number(n)), Condition::Some(other)) => {
            set.as_ref() == other && bound(*how, i64::from(*n), Comparison::GreaterEqual, 1)
        }
        (
            Condition::Holds(PredicateId::InOne(class), cells, _),
            Condition::Holds(PredicateId::InOne(HouseClass::Any), others, _),
        ) => cells == others && *class != HouseClass::Any,
        _ => false,
    }
}

/// Returns true if `b` follows from a set with exactly as many names as members.
fn listed(set: &Expr, count: usize, b: &Condition, has: impl Fn(&Expr) -> bool) -> bool {
    match b {
        Condition::Compare(Expr::Count(other), how, Expr::Number(n)) if other.as_ref() == set => {
            bound(Comparison::Equal, count as i64, *how, i64::from(*n))
        }
        Condition::Has(Operand { quantifier: Quantifier::Every, of }, digits) => {
            matches!(set, Expr::Digits(cells) if cells.as_ref() == of) && has(digits)
        }
        Condition::Some(other) => other == set && count > 0,
        _ => false,
    }
}

/// Returns true if a condition says no more than that a set has a member.
fn is_some(set: &Expr, b: &Condition) -> bool {
    match b {
        Condition::Some(other) => other == set,
        Condition::Compare(Expr::Count(other), how, Expr::Number(n)) => {
            other.as_ref() == set && bound(Comparison::GreaterEqual, 1, *how, i64::from(*n))
        }
        _ => false,
    }
}

/// Returns true if `x how n` implies `x what m` for every count `x ≥ 0`.
fn bound(how: Comparison, n: i64, what: Comparison, m: i64) -> bool {
    let holds = |x: i64, how: Comparison, n: i64| match how {
        Comparison::Equal => x == n,
        Comparison::NotEqual => x != n,
        Comparison::Less => x < n,
        Comparison::LessEqual => x <= n,
        Comparison::Greater => x > n,
        Comparison::GreaterEqual => x >= n,
    };
    let far = n.max(m) + 2;
    (0..=far).all(|x| !holds(x, how, n) || holds(x, what, m))
}

/// Returns true if a comparison is weaker than another one: `<= n` than `= n`, for instance.
fn loosens(how: Comparison, what: Comparison) -> bool {
    use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(
        (how, what),
        (Equal, LessEqual | GreaterEqual) | (Less, LessEqual | NotEqual) | (Greater, GreaterEqual | NotEqual)
    )
}

/// Returns true if two conditions are equal up to the order of their sides.
fn same(a: &Condition, b: &Condition) -> bool {
    let turned = match b {
        Condition::Sees(x, y) if x.quantifier == Quantifier::Every && y.quantifier == Quantifier::Every => {
            Condition::Sees(y.clone(), x.clone())
        }
        Condition::Disjoint(x, y) => Condition::Disjoint(y.clone(), x.clone()),
        Condition::Equal(x, y) => Condition::Equal(y.clone(), x.clone()),
        other => other.clone(),
    };
    a == b || *a == turned
}
