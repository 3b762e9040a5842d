//! Finds the longest prefix of a rule's requirements that a position satisfies, for rules that fail more than one requirement.
//!
//! In: one member of a technique, a position. Out: the values that satisfy the prefix, and the failure of the next requirement.
//!
//! The engine searches each prefix as a rule: the rule without the later requirements, and without the names that occur only in these.

use super::near_miss::{MemberQuery, Miss, chain_or_supposition_noun, is_chain_or_supposition};
use super::phrases::{HOLDS, HOLDS_DISTANCE};
use super::question::deduction_text;
use super::weaken::{every_candidate, with_trivial_conclusion};
use super::why::conditions_of;
use super::wording::Wording;
use crate::engine::{Lens, Limits, MemberId, Value};
use crate::grid::Cell;
use crate::lang::ir::{
    Choose, Condition, Expr, Kind, Node, Origin, PredicateId, Statement, Var, VarId, VarShape, Variant,
};
use crate::solve::{ViewedPosition, member_names};
use serde::Serialize;
use std::collections::BTreeSet;

/// Maximum number of matches of one prefix that are compared.
const MAX_MATCHES: usize = 2_000;

/// Distance of a requirement whose names are not all bound.
const UNBOUND_DISTANCE: usize = 9;

/// The longest prefix of a pattern that a position satisfies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LongestPrefix {
    pub name: String,
    /// Digits, cells and houses of the partial pattern.
    pub pattern: String,
    /// Names bound by the prefix, each with the text of its value.
    pub names: Vec<(String, String)>,
    /// Number of requirements in the prefix, and number of requirements of the rule.
    pub met: (usize, usize),
    /// The next requirement, as rule text.
    pub requirement: String,
    /// Line of the next requirement in the rule file.
    pub line: Option<usize>,
    /// Reason why the next requirement fails for the nearest values that satisfy the prefix.
    #[serde(rename = "fails")]
    pub failure: String,
    /// Conclusion of the pattern, if the prefix determines it; otherwise empty.
    #[serde(rename = "would")]
    pub conclusion: String,
    /// True if no match of a prefix can lead to the expected deduction. The prefix is then the longest anywhere in the grid.
    pub elsewhere: bool,
    /// Distance to satisfying the next requirement: 1 is nearest.
    pub distance: usize,
}

/// The position of a requirement in the body of a rule: a condition of a statement, or a whole statement.
struct RequirementIndex {
    statement_index: usize,
    /// Index of the condition; `None` for a whole statement.
    condition_index: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Matches that can lead to the expected deduction.
    Expected,
    Any,
}

/// Finds the longest prefix that a member satisfies; `None` if not even the first name can be bound.
pub(super) fn prefix_of_member(member: &MemberQuery<'_>) -> Option<LongestPrefix> {
    let requirements = requirement_indexes(member.variant());
    // A shorter prefix that can lead to the expected deduction is a better answer than a longer prefix that can't.
    let scopes: &[Scope] =
        if member.query.expects_deduction() { &[Scope::Expected, Scope::Any] } else { &[Scope::Any] };
    for &scope in scopes {
        for length in (0..requirements.len()).rev() {
            if (member.query.is_cancelled)() {
                return None;
            }
            let prefix = search_prefix(member, &requirements, length, scope);
            if prefix.is_some() {
                return prefix;
            }
        }
    }
    None
}

fn requirement_indexes(variant: &Variant) -> Vec<RequirementIndex> {
    let mut indexes = Vec::new();
    for (statement_index, statement) in variant.body.iter().enumerate() {
        let is_family = matches!(statement, Statement::Choose(choose) if choose.for_each.is_some());
        if is_family || is_chain_or_supposition(statement) {
            indexes.push(RequirementIndex { statement_index, condition_index: None });
            continue;
        }
        for (condition_index, condition) in conditions_of(statement, variant).iter().enumerate() {
            if !defines_choice(condition) {
                indexes.push(RequirementIndex { statement_index, condition_index: Some(condition_index) });
            }
        }
    }
    indexes
}

/// Returns true for a condition that defines the sets to choose from.
fn defines_choice(condition: &Condition) -> bool {
    matches!(condition, Condition::Predicate(PredicateId::Group, ..))
}

/// Searches the prefix of this length. Returns the match of the prefix that is nearest to satisfying the next
/// requirement.
fn search_prefix(
    member: &MemberQuery<'_>,
    requirements: &[RequirementIndex],
    length: usize,
    scope: Scope,
) -> Option<LongestPrefix> {
    let (variant, query) = (member.variant(), member.query);
    let next = &requirements[length];
    let (mut prefix, bound) = prefix_variant(variant, &requirements[..length], next);
    if scope == Scope::Expected {
        let mut names = variant.conclusions.iter().flat_map(|conclusion| Node::Conclusion(conclusion).names());
        if !names.all(|name| bound.contains(&name)) {
            return None;
        }
        prefix.conclusions.clone_from(&variant.conclusions);
    }
    let mut matches = member.matches(prefix, Limits { matches: MAX_MATCHES, ..query.limits() })?.steps;
    if scope == Scope::Expected {
        matches.retain(|matched| query.is_answered_by(matched));
    }
    let MemberId { variant: variant_index, args, space, .. } = member.member;
    let context = ViewedPosition::new(query.geometry, query.state, *space);
    let lens = Lens::new(query.geometry.size(), *space);
    // The best match has the fewest expected cells outside of its pattern, then the smallest distance.
    let mut best: Option<(usize, LongestPrefix)> = None;
    for matched in matches {
        if (query.is_cancelled)() {
            break;
        }
        let mut bindings: Vec<Option<Value>> = matched.rule_match.bindings.clone();
        bindings.resize(variant.vars.len(), None);
        for (index, value) in bindings.iter_mut().enumerate() {
            if !bound.contains(&VarId(index)) {
                *value = None;
            }
        }
        let wording = member.wording(&context, &bindings);
        let Miss { requirement, line, failure, distance, .. } = next_failure(member, next, &wording, &bound);
        let outside = query.cells.iter().filter(|cell| !has_cell(&bindings, &lens, **cell)).count();
        let is_worse = best.as_ref().is_some_and(|(best, prefix)| (*best, prefix.distance) <= (outside, distance));
        // After a cancellation, the evaluator has no reliable results.
        if (query.is_cancelled)() || is_worse {
            continue;
        }
        let conclusion = match scope {
            Scope::Expected => deduction_text(query.geometry, &matched.rule_match),
            Scope::Any => String::new(),
        };
        let prefix = LongestPrefix {
            name: member_names(query.technique, *variant_index, args, *space).title,
            pattern: wording.chosen_values(),
            names: wording.names(),
            met: (length, requirements.len()),
            requirement,
            line,
            failure,
            elsewhere: scope == Scope::Any && query.expects_deduction(),
            conclusion,
            distance,
        };
        best = Some((outside, prefix));
    }
    best.map(|(_, prefix)| prefix)
}

fn has_cell(bindings: &[Option<Value>], lens: &Lens, cell: Cell) -> bool {
    bindings.iter().flatten().any(|value| match lens.value_in_grid(value) {
        Value::Cells(cells) => cells.contains(&cell),
        Value::Candidates(candidates) => candidates.iter().any(|candidate| candidate.cell == cell),
        _ => false,
    })
}

/// Describes why the requirement after a prefix fails. Sets only the requirement, its line, the failure and the distance of the [`Miss`].
/// `bound` are the names that the prefix binds.
fn next_failure(
    member: &MemberQuery<'_>,
    next: &RequirementIndex,
    wording: &Wording<'_>,
    bound: &BTreeSet<VarId>,
) -> Miss {
    let requirement = member.requirements.iter().find(|requirement| {
        (requirement.statement_index, Some(requirement.condition_index)) == (next.statement_index, next.condition_index)
    });
    let Some(requirement) = requirement else {
        let statement = &member.variant().body[next.statement_index];
        let (requirement, line) = member.chain_or_supposition_line(next.statement_index);
        let failure = match statement {
            Statement::Choose(choose) => {
                let range = choose.for_each.as_ref().map_or_else(String::new, |(_, range)| wording.value_text(range));
                format!("missing: one for each of {range}")
            }
            _ if !member.query.expects_deduction() => {
                format!("missing: such a {}", chain_or_supposition_noun(statement))
            }
            _ => format!("missing: a {} that would show what was asked for", chain_or_supposition_noun(statement)),
        };
        return Miss { requirement, line, failure, distance: 1, ..Miss::default() };
    };
    let has_unbound_names = requirement.condition.free_names().into_iter().any(|name| !bound.contains(&name));
    requirement.failed(match &requirement.condition {
        Condition::Exactly(set, names) if has_unbound_names => wording.other_count(set, names, bound),
        _ if has_unbound_names => ("missing: what comes next; nothing fits".to_string(), UNBOUND_DISTANCE),
        // The pattern is reported although the requirement holds, because its match lacks the expected deduction.
        condition if wording.evaluator.holds(condition) => (HOLDS.into(), HOLDS_DISTANCE),
        condition => wording.failure(condition),
    })
}

/// Returns a rule with the requirements of a prefix only, and the names that the prefix binds. `next` is the requirement after the prefix.
fn prefix_variant(variant: &Variant, kept: &[RequirementIndex], next: &RequirementIndex) -> (Variant, BTreeSet<VarId>) {
    let mut body: Vec<Statement> = Vec::new();
    let mut bound = BTreeSet::new();
    for (index, statement) in variant.body.iter().enumerate() {
        let kept_parts: Vec<&RequirementIndex> = kept.iter().filter(|kept| kept.statement_index == index).collect();
        let Some(shorter) = shorter_statement(variant, statement, &kept_parts) else { continue };
        let is_reached =
            index < next.statement_index || index == next.statement_index && next.condition_index.is_some();
        if !kept_parts.is_empty() || is_reached {
            add_names(variant, &shorter, &mut bound);
        }
        body.push(shorter);
    }
    // If a name is bound, the names in its declaration are bound, too. Repeat this until nothing changes.
    loop {
        let old_count = bound.len();
        for statement in &body {
            if declared_name(statement).is_some_and(|name| bound.contains(&name)) {
                add_names(variant, statement, &mut bound);
            }
        }
        if bound.len() == old_count {
            break;
        }
    }
    body.retain(|statement| declared_name(statement).is_none_or(|name| bound.contains(&name)));
    // Every other name gets a constant value, because the engine expects a value for each name.
    let mut prefix = with_trivial_conclusion(variant);
    for name in (0..variant.vars.len()).map(VarId).filter(|name| !bound.contains(name)) {
        let var = &mut prefix.vars[name.0];
        if var.origin != Origin::Index {
            body.push(Statement::Let { var: name, value: constant(var) });
            *var = Var { origin: Origin::Let, shape: VarShape::Set, ..var.clone() };
        }
    }
    (Variant { body, step_titles: Vec::new(), says: None, because: None, ..prefix }, bound)
}

/// Returns a statement with only the kept conditions. `None` for a requirement without a kept condition, and for a family, chain or
/// supposition that is not kept. Declarations of other names always remain.
fn shorter_statement(variant: &Variant, statement: &Statement, kept: &[&RequirementIndex]) -> Option<Statement> {
    let mut conditions = Vec::new();
    for (condition_index, condition) in conditions_of(statement, variant).into_iter().enumerate() {
        let is_kept = kept.iter().any(|kept| kept.condition_index.is_none_or(|index| index == condition_index));
        if is_kept || defines_choice(&condition) {
            conditions.push(condition);
        }
    }
    match statement {
        Statement::Let { .. } => Some(statement.clone()),
        Statement::Choose(choose) if choose.for_each.is_some() && kept.is_empty() => None,
        statement if is_chain_or_supposition(statement) && kept.is_empty() => None,
        Statement::Choose(choose) => Some(Statement::Choose(Choose { such_that: conditions, ..choose.clone() })),
        statement if is_chain_or_supposition(statement) => Some(statement.clone()),
        _ if conditions.is_empty() => None,
        _ => Some(Statement::Require(Condition::And(conditions))),
    }
}

fn declared_name(statement: &Statement) -> Option<VarId> {
    match statement {
        Statement::Choose(choose) => Some(choose.var),
        Statement::Let { var, .. } => Some(*var),
        _ => None,
    }
}

/// Adds the names that a statement declares or uses, except loop variables.
fn add_names(variant: &Variant, statement: &Statement, bound: &mut BTreeSet<VarId>) {
    let mut names: Vec<VarId> = declared_name(statement).into_iter().collect();
    match statement {
        Statement::Choose(_) | Statement::Let { .. } | Statement::Require(_) => {
            names.extend(Node::Statement(statement).names());
        }
        // The ends and nodes of a chain may be any names.
        _ => names.extend((0..variant.vars.len()).map(VarId)),
    }
    bound.extend(names.into_iter().filter(|name| variant.var(*name).origin != Origin::Index));
}

/// Returns a constant value for a name that no statement uses.
fn constant(var: &Var) -> Expr {
    match var.kind {
        Kind::Digit => Expr::AllDigits,
        Kind::Cell => Expr::AllCells,
        Kind::House(class) => Expr::AllHouses(class),
        Kind::Number => Expr::Number(0),
        _ => every_candidate(),
    }
}

/// Returns the best prefix: a prefix with a conclusion, then a prefix with few missing requirements, then a near prefix.
pub fn longest_prefix(prefixes: impl IntoIterator<Item = LongestPrefix>) -> Option<LongestPrefix> {
    prefixes
        .into_iter()
        .min_by_key(|prefix| (prefix.conclusion.is_empty(), prefix.met.1 - prefix.met.0, prefix.distance))
}
