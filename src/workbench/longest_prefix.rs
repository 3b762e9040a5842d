//! Finds the longest prefix of a rule's requirements that a position satisfies, for rules that are not a single requirement
//! short.
//!
//! In: one member of a technique, a position. Out: the values that satisfy the prefix, in the author's order, and the
//! failure of the next requirement.
//!
//! Each prefix is a rule of its own, searched by the ordinary engine: without the later requirements, and without the names
//! that only those use.

use super::near_miss::{OneMember, graph_word, is_graph};
use super::question::{fits, limits, shows};
use super::requirement::{SourceLine, parts};
use super::shortfall::HOLDS;
use super::words::Wording;
use crate::engine::{Lens, Limits, Value};
use crate::lang::ir::{
    Claim, Conclusion, Condition, Expr, Kind, Node, Origin, PredicateId, Statement, Var, VarId, VarShape, Variant,
};
use crate::solve::{ViewContext, member_names};
use serde::Serialize;
use std::collections::BTreeSet;

/// At most this many beginnings of one length are compared.
const COMPARED: usize = 2_000;

/// The longest beginning of a pattern that something fulfils.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Furthest {
    /// The technique's member, by its name.
    pub name: String,
    /// Digits, cells and houses of the partial pattern.
    pub pattern: String,
    /// Values of the names bound so far.
    pub names: Vec<(String, String)>,
    /// Number of requirements that hold, from the first on, and number of all.
    pub met: (usize, usize),
    /// The next one, in the language's words.
    pub requirement: String,
    /// Line of that requirement in the file.
    pub line: Option<usize>,
    /// Reason why the next requirement fails, for the nearest of the values that reach it.
    pub fails: String,
    /// Conclusion of the pattern, if it is known by then.
    pub would: String,
    /// True if nothing that reaches so far fits the question, so that this is the best of the whole grid.
    pub elsewhere: bool,
    /// Distance to satisfying the next requirement: 1 is nearest.
    pub distance: usize,
}

/// One requirement: a condition of a statement, or a whole statement.
struct Step {
    statement: usize,
    part: Option<usize>,
}

/// Finds the longest prefix that a member satisfies; `None` if not even the first name can be bound.
pub(super) fn furthest(one: &OneMember<'_>) -> Option<Furthest> {
    let variant = one.variant();
    let steps = steps(variant);
    let asked = !(one.asked.eliminate.is_empty() && one.asked.place.is_empty());
    // Prefixes that can still lead to the requested conclusion come before longer ones that can't.
    for wanted in [true, false].into_iter().filter(|&wanted| asked || !wanted) {
        for met in (0..steps.len()).rev() {
            if (one.asked.enough)() {
                return None;
            }
            let Some(found) = beginning(one, &steps, met, wanted) else { continue };
            return Some(found);
        }
    }
    None
}

fn steps(variant: &Variant) -> Vec<Step> {
    let mut out = Vec::new();
    for (statement, body) in variant.body.iter().enumerate() {
        let whole = matches!(body, Statement::Choose(choose) if choose.per.is_some()) || is_graph(body);
        match whole {
            true => out.push(Step { statement, part: None }),
            false => {
                let conditions = parts(body, variant);
                let demands = |part: &usize| !matches!(conditions[*part], Condition::Holds(PredicateId::Group, ..));
                let all = (0..conditions.len()).filter(demands);
                out.extend(all.map(|part| Step { statement, part: Some(part) }));
            }
        }
    }
    out
}

/// Searches the values that satisfy the first `met` steps and come nearest to the next one.
fn beginning(one: &OneMember<'_>, steps: &[Step], met: usize, wanted: bool) -> Option<Furthest> {
    let (variant, asked) = (one.variant(), one.asked);
    let (shorter, known) = shortened(variant, &steps[..met], &steps[met]);
    let concludes =
        variant.conclusions.iter().flat_map(|one| Node::Conclusion(one).names()).all(|name| known.contains(&name));
    if wanted && !concludes {
        return None;
    }
    let shorter = if wanted { Variant { conclusions: variant.conclusions.clone(), ..shorter } } else { shorter };
    let subject = one.subject(shorter)?;
    let (seen, _) = subject.matches_of(asked.state, &Limits { matches: COMPARED, ..limits(asked) }, &one.wanted());
    let context = ViewContext::new(asked.geometry, asked.state, one.member.space);
    let lens = Lens::new(asked.geometry.size(), one.member.space);
    let mut best: Option<(usize, usize, Furthest)> = None;
    for seen in seen.into_iter().filter(|seen| !wanted || fits(asked, seen, true)) {
        if (asked.enough)() {
            break;
        }
        let bindings: Vec<Option<Value>> = (0..variant.vars.len())
            .map(|at| seen.found.bindings.get(at).cloned().flatten().filter(|_| known.contains(&VarId(at))))
            .collect();
        let wording = Wording::new(variant, &one.member.args, &context, &bindings).until(asked.enough);
        let (requirement, line, fails, distance) = next(one, &steps[met], &wording, &known);
        let outside = asked.on.iter().filter(|cell| !about(&bindings, &lens, **cell)).count();
        if (asked.enough)() || best.as_ref().is_some_and(|(cells, far, _)| (*cells, *far) <= (outside, distance)) {
            continue;
        }
        let found = Furthest {
            name: member_names(asked.technique, one.member.variant, &one.member.args, one.member.space).title,
            pattern: wording.cast(),
            names: wording.names(),
            met: (met, steps.len()),
            requirement,
            line: line.map(|line| line.number),
            fails,
            elsewhere: !(wanted || asked.eliminate.is_empty() && asked.place.is_empty()),
            would: if wanted { shows(asked.geometry, &seen) } else { String::new() },
            distance,
        };
        best = Some((outside, distance, found));
    }
    best.map(|(_, _, found)| found)
}

fn about(bindings: &[Option<Value>], lens: &Lens, cell: crate::grid::Cell) -> bool {
    bindings.iter().flatten().any(|value| match lens.value(value) {
        Value::Cells(cells) => cells.contains(&cell),
        Value::Candidates(list) => list.iter().any(|one| one.cell == cell),
        _ => false,
    })
}

/// The next requirement and what is wrong with it.
fn next(
    one: &OneMember<'_>,
    step: &Step,
    wording: &Wording<'_>,
    known: &BTreeSet<VarId>,
) -> (String, Option<SourceLine>, String, usize) {
    let statement = &one.variant().body[step.statement];
    let found = step
        .part
        .and_then(|part| one.requirements.iter().find(|own| (own.statement, own.part) == (step.statement, part)));
    let Some(own) = found else {
        let line = one.lines.get(step.statement).cloned().flatten();
        let text = line.as_ref().map_or_else(|| "the chain".into(), |line| line.text.clone());
        let fails = match statement {
            Statement::Choose(choose) => {
                let of = choose.per.as_ref().map_or_else(String::new, |(_, of)| wording.value(of));
                format!("missing: one for each of {of}")
            }
            _ if one.asked.eliminate.is_empty() && one.asked.place.is_empty() => {
                format!("missing: such a {}", graph_word(statement))
            }
            _ => format!("missing: a {} that would show what was asked for", graph_word(statement)),
        };
        return (text, line, fails, 1);
    };
    let open = own.condition.free_names().into_iter().any(|name| !known.contains(&name));
    let (fails, distance) = match &own.condition {
        Condition::Exactly(set, names) if open => wording.other_count(set, names, known),
        _ if open => ("missing: what comes next; nothing fits".to_string(), 9),
        condition if wording.evaluator.holds(condition) => (HOLDS.into(), 99),
        condition => wording.fails(condition),
    };
    (own.text.clone(), own.line.clone(), fails, distance)
}

/// The rule with some of its steps alone, and the names that have a value then.
fn shortened(variant: &Variant, kept: &[Step], next: &Step) -> (Variant, BTreeSet<VarId>) {
    let mut body: Vec<Option<Statement>> = Vec::new();
    let mut known = BTreeSet::new();
    for (at, statement) in variant.body.iter().enumerate() {
        let own: Vec<&Step> = kept.iter().filter(|step| step.statement == at).collect();
        let statement = shorter_statement(variant, statement, &own);
        let reached = !own.is_empty() || at < next.statement || at == next.statement && next.part.is_some();
        if let Some(statement) = statement.as_ref().filter(|_| reached) {
            speak(variant, statement, &mut known);
        }
        body.push(statement);
    }
    // A name that occurs in a kept requirement brings its declaration.
    loop {
        let before = known.len();
        for statement in body.iter().flatten() {
            if declared(statement).is_some_and(|name| known.contains(&name)) {
                speak(variant, statement, &mut known);
            }
        }
        if known.len() == before {
            break;
        }
    }
    let spoken = |statement: &Statement| declared(statement).is_none_or(|name| known.contains(&name));
    let mut body: Vec<Statement> = body.into_iter().flatten().filter(|statement| spoken(statement)).collect();
    let mut vars = variant.vars.clone();
    for name in (0..vars.len()).map(VarId).filter(|name| !known.contains(name)) {
        let var = &mut vars[name.0];
        if var.origin != Origin::Index {
            body.push(Statement::Let { var: name, value: anything(var) });
            *var = Var { origin: Origin::Let, shape: VarShape::Set, ..var.clone() };
        }
    }
    let all = Expr::In(Box::new(Expr::AllDigits), Box::new(Expr::AllCells));
    let conclusions = vec![Conclusion { claim: Claim::Eliminate(all), per: None }];
    let (guardians, per, called) = (Vec::new(), Vec::new(), Vec::new());
    (Variant { vars, body, conclusions, guardians, per, called, says: None, because: None, ..variant.clone() }, known)
}

/// A statement with some of its conditions; `None` if nothing of it remains.
fn shorter_statement(variant: &Variant, statement: &Statement, kept: &[&Step]) -> Option<Statement> {
    let conditions = parts(statement, variant);
    let left = |(part, condition): (usize, Condition)| {
        let here = kept.iter().any(|step| step.part.is_none_or(|own| own == part));
        (here || matches!(condition, Condition::Holds(PredicateId::Group, ..))).then_some(condition)
    };
    let all: Vec<Condition> = conditions.into_iter().enumerate().filter_map(left).collect();
    match statement {
        Statement::Let { .. } => Some(statement.clone()),
        Statement::Choose(choose) if choose.per.is_some() && kept.is_empty() => None,
        Statement::Choose(choose) => {
            Some(Statement::Choose(crate::lang::ir::Choose { such_that: all, ..choose.clone() }))
        }
        graph if is_graph(graph) => (!kept.is_empty()).then(|| graph.clone()),
        _ => (!all.is_empty()).then_some(Statement::Require(Condition::And(all))),
    }
}

/// The name that a statement declares.
fn declared(statement: &Statement) -> Option<VarId> {
    match statement {
        Statement::Choose(choose) => Some(choose.var),
        Statement::Let { var, .. } => Some(*var),
        _ => None,
    }
}

/// Adds the names that a statement speaks of.
fn speak(variant: &Variant, statement: &Statement, known: &mut BTreeSet<VarId>) {
    let mut names: Vec<VarId> = declared(statement).into_iter().collect();
    match statement {
        Statement::Choose(_) | Statement::Let { .. } | Statement::Require(_) => {
            names.extend(Node::Statement(statement).names());
        }
        // The ends and nodes of a chain may be any names.
        _ => names.extend((0..variant.vars.len()).map(VarId)),
    }
    known.extend(names.into_iter().filter(|name| variant.var(*name).origin != Origin::Index));
}

/// Some value for a name that nothing speaks of.
fn anything(var: &Var) -> Expr {
    match var.kind {
        Kind::Digit => Expr::AllDigits,
        Kind::Cell => Expr::AllCells,
        Kind::House(class) => Expr::AllHouses(class),
        Kind::Number => Expr::Number(0),
        _ => Expr::In(Box::new(Expr::AllDigits), Box::new(Expr::AllCells)),
    }
}

/// Returns the member that satisfies the largest share of its requirements; among equals, the nearest to the next one.
pub fn best(all: impl IntoIterator<Item = Furthest>) -> Option<Furthest> {
    let open = |one: &Furthest| (one.would.is_empty(), one.met.1 - one.met.0, one.distance);
    all.into_iter().min_by_key(open)
}
