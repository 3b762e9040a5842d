//! Finds the longest prefix of a rule's requirements that a position satisfies, for rules that are not a single requirement
//! short.
//!
//! In: one member of a technique, a position. Out: the values that satisfy the prefix, in the author's order, and the
//! failure of the next requirement.
//!
//! Each prefix is a rule of its own, searched by the ordinary engine: without the later requirements, and without the names
//! that only those use.

use super::near_miss::{Failing, OneMember, graph_word, is_graph};
use super::phrases::HOLDS;
use super::question::shows;
use super::weaken::{every_candidate, without_effect};
use super::why::parts;
use super::wording::Wording;
use crate::engine::{Lens, Limits, Value};
use crate::grid::Cell;
use crate::lang::ir::{
    Choose, Condition, Expr, Kind, Node, Origin, PredicateId, Statement, Var, VarId, VarShape, Variant,
};
use crate::solve::{ViewContext, member_names};
use serde::Serialize;
use std::collections::BTreeSet;

/// At most this many beginnings of one length are compared.
const COMPARED: usize = 2_000;

/// The longest beginning of a pattern that something fulfils.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LongestPrefix {
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
struct Demand {
    statement: usize,
    part: Option<usize>,
}

/// Finds the longest prefix that a member satisfies; `None` if not even the first name can be bound.
pub(super) fn furthest(one: &OneMember<'_>) -> Option<LongestPrefix> {
    let steps = steps(one.variant());
    // Prefixes that can still lead to the requested conclusion come before longer ones that can't.
    for wanted in [true, false].into_iter().filter(|&wanted| one.asked.wants_effect() || !wanted) {
        for met in (0..steps.len()).rev() {
            if (one.asked.enough)() {
                return None;
            }
            let found = beginning(one, &steps, met, wanted);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

fn steps(variant: &Variant) -> Vec<Demand> {
    let mut out = Vec::new();
    for (statement, body) in variant.body.iter().enumerate() {
        if matches!(body, Statement::Choose(choose) if choose.for_each.is_some()) || is_graph(body) {
            out.push(Demand { statement, part: None });
            continue;
        }
        for (part, condition) in parts(body, variant).iter().enumerate() {
            if !is_of_the_choice(condition) {
                out.push(Demand { statement, part: Some(part) });
            }
        }
    }
    out
}

/// Returns true for a condition that says from what a set is chosen.
fn is_of_the_choice(condition: &Condition) -> bool {
    matches!(condition, Condition::Predicate(PredicateId::Group, ..))
}

/// Searches the values that satisfy the first `met` steps and come nearest to the next one.
fn beginning(one: &OneMember<'_>, steps: &[Demand], met: usize, wanted: bool) -> Option<LongestPrefix> {
    let (variant, asked) = (one.variant(), one.asked);
    let (mut shorter, known) = shortened(variant, &steps[..met], &steps[met]);
    if wanted {
        let mut names = variant.conclusions.iter().flat_map(|one| Node::Conclusion(one).names());
        if !names.all(|name| known.contains(&name)) {
            return None;
        }
        shorter.conclusions.clone_from(&variant.conclusions);
    }
    let (seen, _) = one.matches(shorter, Limits { matches: COMPARED, ..asked.limits() })?;
    let context = ViewContext::new(asked.geometry, asked.state, one.member.space);
    let lens = Lens::new(asked.geometry.size(), one.member.space);
    let mut best: Option<(usize, LongestPrefix)> = None;
    for seen in seen.into_iter().filter(|seen| !wanted || asked.fits(seen, true)) {
        if (asked.enough)() {
            break;
        }
        let bindings: Vec<Option<Value>> = (0..variant.vars.len())
            .map(|at| seen.found.bindings.get(at).cloned().flatten().filter(|_| known.contains(&VarId(at))))
            .collect();
        let wording = one.wording(&context, &bindings);
        let Failing { requirement, line, fails, distance } = next(one, &steps[met], &wording, &known);
        let outside = asked.on.iter().filter(|cell| !is_about(&bindings, &lens, **cell)).count();
        if (asked.enough)()
            || best.as_ref().is_some_and(|(cells, found)| (*cells, found.distance) <= (outside, distance))
        {
            continue;
        }
        let found = LongestPrefix {
            name: member_names(asked.technique, one.member.variant, &one.member.args, one.member.space).title,
            pattern: wording.cast(),
            names: wording.names(),
            met: (met, steps.len()),
            requirement,
            line,
            fails,
            elsewhere: !wanted && asked.wants_effect(),
            would: if wanted { shows(asked.geometry, &seen.found) } else { String::new() },
            distance,
        };
        best = Some((outside, found));
    }
    best.map(|(_, found)| found)
}

fn is_about(bindings: &[Option<Value>], lens: &Lens, cell: Cell) -> bool {
    bindings.iter().flatten().any(|value| match lens.value(value) {
        Value::Cells(cells) => cells.contains(&cell),
        Value::Candidates(list) => list.iter().any(|one| one.cell == cell),
        _ => false,
    })
}

/// The next requirement and the reason why it fails.
fn next(one: &OneMember<'_>, step: &Demand, wording: &Wording<'_>, known: &BTreeSet<VarId>) -> Failing {
    let own = one.requirements.iter().find(|own| (own.statement, Some(own.part)) == (step.statement, step.part));
    let Some(own) = own else {
        let statement = &one.variant().body[step.statement];
        let (requirement, line) = one.graph_line(step.statement);
        let fails = match statement {
            Statement::Choose(choose) => {
                let of = choose.for_each.as_ref().map_or_else(String::new, |(_, of)| wording.value(of));
                format!("missing: one for each of {of}")
            }
            _ if !one.asked.wants_effect() => format!("missing: such a {}", graph_word(statement)),
            _ => format!("missing: a {} that would show what was asked for", graph_word(statement)),
        };
        return Failing { requirement, line, fails, distance: 1 };
    };
    let is_open = own.condition.free_names().into_iter().any(|name| !known.contains(&name));
    own.failing(match &own.condition {
        Condition::Exactly(set, names) if is_open => wording.other_count(set, names, known),
        _ if is_open => ("missing: what comes next; nothing fits".to_string(), 9),
        condition if wording.evaluator.holds(condition) => (HOLDS.into(), 99),
        condition => wording.fails(condition),
    })
}

/// The rule with some of its steps alone, and the names that have a value then.
fn shortened(variant: &Variant, kept: &[Demand], next: &Demand) -> (Variant, BTreeSet<VarId>) {
    let mut body: Vec<Statement> = Vec::new();
    let mut known = BTreeSet::new();
    for (at, statement) in variant.body.iter().enumerate() {
        let own: Vec<&Demand> = kept.iter().filter(|step| step.statement == at).collect();
        let Some(shorter) = shorter_statement(variant, statement, &own) else { continue };
        if !own.is_empty() || at < next.statement || at == next.statement && next.part.is_some() {
            add_names(variant, &shorter, &mut known);
        }
        body.push(shorter);
    }
    // A name that occurs in a kept requirement brings its declaration.
    loop {
        let before = known.len();
        for statement in &body {
            if declared(statement).is_some_and(|name| known.contains(&name)) {
                add_names(variant, statement, &mut known);
            }
        }
        if known.len() == before {
            break;
        }
    }
    body.retain(|statement| declared(statement).is_none_or(|name| known.contains(&name)));
    let mut out = without_effect(variant);
    for name in (0..variant.vars.len()).map(VarId).filter(|name| !known.contains(name)) {
        let var = &mut out.vars[name.0];
        if var.origin != Origin::Index {
            body.push(Statement::Let { var: name, value: anything(var) });
            *var = Var { origin: Origin::Let, shape: VarShape::Set, ..var.clone() };
        }
    }
    (Variant { body, step_titles: Vec::new(), says: None, because: None, ..out }, known)
}

/// A statement with some of its conditions; `None` if nothing of it remains.
fn shorter_statement(variant: &Variant, statement: &Statement, kept: &[&Demand]) -> Option<Statement> {
    let mut all = Vec::new();
    for (part, condition) in parts(statement, variant).into_iter().enumerate() {
        if kept.iter().any(|step| step.part.is_none_or(|own| own == part)) || is_of_the_choice(&condition) {
            all.push(condition);
        }
    }
    match statement {
        Statement::Let { .. } => Some(statement.clone()),
        Statement::Choose(choose) if choose.for_each.is_some() && kept.is_empty() => None,
        Statement::Choose(choose) => Some(Statement::Choose(Choose { such_that: all, ..choose.clone() })),
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

/// Adds the names that a statement declares or uses.
fn add_names(variant: &Variant, statement: &Statement, known: &mut BTreeSet<VarId>) {
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

/// Some value for a name that no statement uses.
fn anything(var: &Var) -> Expr {
    match var.kind {
        Kind::Digit => Expr::AllDigits,
        Kind::Cell => Expr::AllCells,
        Kind::House(class) => Expr::AllHouses(class),
        Kind::Number => Expr::Number(0),
        _ => every_candidate(),
    }
}

/// Returns the member that satisfies the largest share of its requirements; among equals, the nearest to the next one.
pub fn longest_prefix(all: impl IntoIterator<Item = LongestPrefix>) -> Option<LongestPrefix> {
    all.into_iter().min_by_key(|one| (one.would.is_empty(), one.met.1 - one.met.0, one.distance))
}
