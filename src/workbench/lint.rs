//! Finds possible improvements of sound rules. In: a rulebook and a file of it. Out: diagnostics with `L` codes: unused names, redundant
//! requirements, expensive first choices, missing tests, shared names.
//!
//! A comment in the rule or above it excuses a finding and gives the reason:
//! `// allow L0103: four corners, any of which may lack x or y`.

use super::names::names;
use super::question::compiled;
use super::why::conditions_of;
use crate::eval::comparison_holds;
use crate::grid::Geometry;
use crate::lang::ast::{self, File, Ident, Item};
use crate::lang::codes::{LintProblem, Problem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{
    Comparison, Condition, Expr, HouseClass, Kind, PredicateId, Printer, Quantifier, Statement, Technique, VarShape,
    Variant,
};
use crate::lang::parse;
use crate::solve::{RuleFile, Rulebook, fold_name};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linted {
    pub findings: Vec<Diagnostic>,
    pub excused: usize,
    /// Number of techniques that were not examined because the caller cancelled.
    pub unexamined: usize,
}

/// The ids of the techniques with each folded name, in the order of the rulebook.
pub type NameOwners = BTreeMap<String, Vec<String>>;

pub fn name_owners(rulebook: &Rulebook) -> NameOwners {
    let mut all = NameOwners::new();
    for technique in rulebook.techniques() {
        for name in names(technique) {
            let owners = all.entry(fold_name(&name)).or_default();
            if !owners.contains(&technique.id) {
                owners.push(technique.id.clone());
            }
        }
    }
    all
}

/// Examines every technique of a file that no later file replaces, until `is_cancelled` returns true.
pub fn lint(rulebook: &Rulebook, file: &RuleFile, names: &NameOwners, is_cancelled: &dyn Fn() -> bool) -> Linted {
    let (tree, _) = parse(&file.text);
    let mut out = Linted::default();
    let mut previous_end = 0;
    for item in &tree.items {
        let Item::Technique(syntax) = item else { continue };
        if is_cancelled() {
            out.unexamined += 1;
            continue;
        }
        let excuses = excuses(&tree, &file.text, previous_end..syntax.span.end);
        previous_end = syntax.span.end;
        let id = &syntax.id.name;
        if rulebook.file_of(id).is_none_or(|defining| defining.name != file.name) {
            continue;
        }
        let Some(technique) = rulebook.techniques().iter().find(|technique| technique.id == *id) else { continue };
        let mut findings = unused_names(&file.text, syntax);
        findings.extend(redundant_requirements(rulebook, (&tree, &file.text), technique));
        findings.extend(expensive_start(rulebook, technique, syntax));
        findings.extend(missing_tests(technique, syntax));
        findings.extend(shared_names(technique, syntax, names));
        let mut is_used = vec![false; excuses.len()];
        for finding in findings {
            match excuses.iter().position(|excuse| excuse.code == finding.code && excuse.has_reason) {
                Some(index) => {
                    is_used[index] = true;
                    out.excused += 1;
                }
                None => out.findings.push(finding),
            }
        }
        let excuses = excuses.iter().zip(is_used);
        out.findings.extend(excuses.filter_map(|(excuse, is_used)| faulty_excuse(excuse, is_used)));
    }
    out.findings.sort_by_key(|finding| (finding.start(), finding.code));
    out
}

/// A comment that excuses a finding: `// allow L0103: the reason`.
struct Excuse {
    code: String,
    has_reason: bool,
    span: Range<usize>,
}

fn excuses(tree: &File, text: &str, part: Range<usize>) -> Vec<Excuse> {
    let mut out = Vec::new();
    for span in tree.comments.iter().filter(|span| part.contains(&span.start)) {
        let comment = text.get(span.clone()).unwrap_or_default();
        if let Some(words) = comment.trim_start_matches('/').trim().strip_prefix("allow ") {
            let (code, reason) = words.split_once(':').unwrap_or((words, ""));
            let (code, has_reason) = (code.trim().to_uppercase(), !reason.trim().is_empty());
            out.push(Excuse { code, has_reason, span: span.clone() });
        }
    }
    out
}

pub(super) fn excuse_spans(tree: &File, text: &str, part: Range<usize>) -> Vec<Range<usize>> {
    excuses(tree, text, part).into_iter().map(|excuse| excuse.span).collect()
}

/// Reports an excuse without a reason, or an excuse that no finding needs.
fn faulty_excuse(excuse: &Excuse, is_used: bool) -> Option<Diagnostic> {
    let code = excuse.code.to_string();
    let problem = match (excuse.has_reason, is_used) {
        (false, _) => LintProblem::ExcuseWithoutReason { code },
        (true, false) => LintProblem::ExcuseUnused { code },
        (true, true) => return None,
    };
    Some(problem.at(&excuse.span))
}

fn missing_tests(technique: &Technique, syntax: &ast::Technique) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if technique.examples.iter().all(|example| example.near_miss) {
        findings.push(LintProblem::NoExample { id: technique.id.clone() }.at(&syntax.id.span));
    }
    if technique.examples.iter().all(|example| !example.near_miss) {
        findings.push(LintProblem::NoNearMiss { id: technique.id.clone() }.at(&syntax.id.span));
    }
    findings
}

/// Reports the first name that an earlier technique has, too.
fn shared_names(technique: &Technique, syntax: &ast::Technique, owners: &NameOwners) -> Option<Diagnostic> {
    let own_names = names(technique);
    let mut shared = own_names.iter().filter_map(|name| {
        let first = owners.get(&fold_name(name))?.first()?;
        if *first == technique.id { None } else { Some((name.clone(), first.clone())) }
    });
    let (name, other) = shared.next()?;
    let span = syntax.title.as_ref().map_or(&syntax.id.span, |title| &title.span);
    Some(LintProblem::SharedName { name, other, more: shared.count() }.at(span))
}

/// Reports names that the rule chooses but does not use. The compiler already warns about unused `let` names.
fn unused_names(text: &str, syntax: &ast::Technique) -> Vec<Diagnostic> {
    let source = text.get(syntax.span.clone()).unwrap_or("");
    let bindings = syntax.body.iter().flat_map(ast::Statement::bindings);
    let declared: Vec<&Ident> = bindings.flat_map(|binding| &binding.names).map(|(name, _)| name).collect();
    let mut out = Vec::new();
    for name in &declared {
        let declarations = declared.iter().filter(|other| other.name == name.name).count();
        if words(source).filter(|word| *word == name.name).count() <= declarations {
            out.push(LintProblem::UnusedName { name: name.name.clone() }.at(&name.span));
        }
    }
    out
}

/// Returns the words of a text without its comments. Words in quotes count, because sentences contain names in braces.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    code.flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '_')))
}

/// A search with more initial choices is reported.
const MAX_WAYS: usize = 3_000;
/// Larger numbers of initial choices are reported as `more than a million`.
const MILLION: usize = 1_000_000;

/// Reports the first variant whose plan for 9×9 begins with names that no requirement narrows, if there are more than [`MAX_WAYS`]
/// choices of values for these names.
fn expensive_start(rulebook: &Rulebook, technique: &Technique, syntax: &ast::Technique) -> Option<Diagnostic> {
    let engine = compiled(rulebook, technique, &Arc::new(Geometry::standard(9)?))?;
    let mut examined_variants = Vec::new();
    for (number, member) in engine.members().iter().enumerate() {
        if member.technique != 0 || examined_variants.contains(&member.variant) {
            continue;
        }
        examined_variants.push(member.variant);
        let (names, ways) = unnarrowed_choices(technique, member.variant, &engine.plan(number).to_string());
        if ways > MAX_WAYS {
            let ways = if ways > MILLION { "more than a million".to_owned() } else { ways.to_string() };
            let problem = LintProblem::SlowStart { id: technique.id.clone(), ways, names: names.join(", ") };
            return Some(problem.at(&syntax.id.span));
        }
    }
    None
}

/// Returns the names that a plan for 9×9 chooses before any requirement narrows a choice, and the number of ways to choose them.
fn unnarrowed_choices(technique: &Technique, variant: usize, plan: &str) -> (Vec<String>, usize) {
    let mut names = Vec::new();
    let mut ways = 1usize;
    for line in plan.lines().filter_map(|line| line.strip_prefix("; ")) {
        let Some((name, how)) = line.split_once(": ") else { continue };
        let Some(var) = technique.variants[variant].vars.iter().find(|var| var.name == name) else { continue };
        // The plan text describes a choice without constraints by one of these phrases.
        let is_unnarrowed = how.starts_with("narrowed by 0 ") || how.ends_with("of a set, cut by []");
        if !is_unnarrowed {
            break;
        }
        let values = match var.kind {
            Kind::Digit => 9,
            Kind::Cell => 81,
            Kind::House(HouseClass::Line) => 18,
            Kind::House(_) => 27,
            // Assumptions are examined for all candidates at once.
            _ => 1,
        };
        names.push(name.to_owned());
        // A set is counted as a pair.
        ways = ways.saturating_mul(if var.shape == VarShape::Single { values } else { values * (values - 1) / 2 });
    }
    (names, ways)
}

struct StatedCondition {
    statement_index: usize,
    condition: Condition,
    /// True for a requirement that can be dropped; false for the size of a set.
    is_requirement: bool,
}

/// Reports every requirement that another condition of its variant implies, each once.
///
/// Only implications between two conditions are found: equal conditions, bounds of one number, sizes of listed sets. So every finding is
/// certain, but many redundant requirements are missed.
fn redundant_requirements(rulebook: &Rulebook, (tree, text): (&File, &str), technique: &Technique) -> Vec<Diagnostic> {
    let spans_by_variant = rulebook.statement_spans_in(tree, &technique.id);
    let mut out: Vec<Diagnostic> = Vec::new();
    for (variant, spans) in technique.variants.iter().zip(&spans_by_variant) {
        let printer = Printer { variant, params: &technique.params };
        let stated = stated_conditions(variant);
        let conditions: Vec<&Condition> = stated.iter().map(|stated| &stated.condition).collect();
        for (index, redundant) in stated.iter().enumerate().filter(|(_, stated)| stated.is_requirement) {
            let Some(cause) = implying_condition(&conditions, index) else { continue };
            let Some(span) = spans.get(redundant.statement_index) else { continue };
            // The conditions of a supposition have no text of their own.
            if text.get(span.clone()).is_none_or(|line| line.starts_with("suppose")) {
                continue;
            }
            let cause = &stated[cause];
            let finding = redundancy(printer, redundant, cause, span, spans.get(cause.statement_index));
            if !out.contains(&finding) {
                out.push(finding);
            }
        }
    }
    out
}

/// Makes the diagnostic of a redundant requirement at `span`. `cause_span` is the span of the condition that implies it.
fn redundancy(
    printer: Printer<'_>,
    redundant: &StatedCondition,
    cause: &StatedCondition,
    span: &Range<usize>,
    cause_span: Option<&Range<usize>>,
) -> Diagnostic {
    let condition = printer.condition(&redundant.condition);
    let because = format!("`{}` says it already", printer.condition(&cause.condition));
    match cause_span {
        Some(cause_span) if cause_span != span => {
            LintProblem::Follows { condition, because: None }.at(span).label(cause_span.clone(), because)
        }
        _ => LintProblem::Follows { condition, because: Some(because) }.at(span),
    }
}

/// Returns the conditions of a variant, including the sizes of its sets.
fn stated_conditions(variant: &Variant) -> Vec<StatedCondition> {
    let mut out = Vec::new();
    for (statement_index, statement) in variant.body.iter().enumerate() {
        if matches!(statement, Statement::FixedChain(_)) {
            continue;
        }
        if let Statement::Choose(choose) = statement
            && choose.for_each.is_none()
            && let Some((low, high)) = &choose.size
        {
            let bounds = match high {
                Some(high) if high == low => vec![(Comparison::Equal, low)],
                Some(high) => vec![(Comparison::GreaterEqual, low), (Comparison::LessEqual, high)],
                None => vec![(Comparison::GreaterEqual, low)],
            };
            for (comparison, bound) in bounds {
                let count = Expr::Count(Box::new(Expr::Var(choose.var)));
                let condition = Condition::Compare(count, comparison, bound.clone());
                out.push(StatedCondition { statement_index, condition, is_requirement: false });
            }
        }
        let is_family = matches!(statement, Statement::Choose(choose) if choose.for_each.is_some());
        if !is_family {
            let conditions = conditions_of(statement, variant).into_iter();
            out.extend(conditions.map(|condition| StatedCondition {
                statement_index,
                condition,
                is_requirement: true,
            }));
        }
    }
    out
}

/// Returns true if another condition implies the condition at `index`. Of two equivalent conditions, the later is redundant.
pub(super) fn is_redundant(conditions: &[Condition], index: usize) -> bool {
    implying_condition(&conditions.iter().collect::<Vec<_>>(), index).is_some()
}

/// Returns the index of another condition that implies the condition at `index`. An equivalent condition counts only if
/// it is earlier.
fn implying_condition(conditions: &[&Condition], index: usize) -> Option<usize> {
    (0..conditions.len()).find(|&other| {
        other != index
            && implies(conditions[other], conditions[index])
            && (other < index || !implies(conditions[index], conditions[other]))
    })
}

fn implies(a: &Condition, b: &Condition) -> bool {
    if is_equal(a, b) {
        return true;
    }
    if let (Some((set, first, n)), Some((other, second, m))) = (implied_count(a), stated_count(b)) {
        return set == other && bound_implies(first, n, second, m);
    }
    match (a, b) {
        (Condition::Compare(x, first, n), Condition::Compare(y, second, m)) if x == y => match (n, m) {
            (Expr::Number(n), Expr::Number(m)) => bound_implies(*first, i64::from(*n), *second, i64::from(*m)),
            _ => n == m && is_weaker(*first, *second),
        },
        (Condition::Exactly(Expr::Digits(cells), names), Condition::Has(operand, Expr::Var(digit))) => {
            operand.quantifier == Quantifier::Every && **cells == operand.cells && names.contains(digit)
        }
        (Condition::Predicate(PredicateId::Conjugate, args, _), Condition::Has(cells, digits)) => {
            args[0] == *digits && args[1..].contains(&cells.cells)
        }
        (
            Condition::Predicate(PredicateId::InOneHouse(class), cells, _),
            Condition::Predicate(PredicateId::InOneHouse(HouseClass::Any), others, _),
        ) => cells == others && *class != HouseClass::Any,
        _ => false,
    }
}

/// Returns the bound of the size of a set that is all that a condition says: `#S >= 2`, or `>= 1` for a set that is not empty.
fn stated_count(condition: &Condition) -> Option<(&Expr, Comparison, i64)> {
    match condition {
        Condition::Compare(Expr::Count(set), how, Expr::Number(number)) => Some((set, *how, i64::from(*number))),
        Condition::NotEmpty(set) => Some((set, Comparison::GreaterEqual, 1)),
        _ => None,
    }
}

/// Returns a bound of the size of a set that a condition implies.
fn implied_count(condition: &Condition) -> Option<(&Expr, Comparison, i64)> {
    match condition {
        Condition::Exactly(set, names) => Some((set, Comparison::Equal, names.len() as i64)),
        Condition::Within(set, _) => Some((set, Comparison::GreaterEqual, 1)),
        _ => stated_count(condition),
    }
}

/// Returns true if the first bound of a count implies the second, as `= 2` implies `>= 1`. Larger counts than those tested
/// satisfy the same bounds as the last.
fn bound_implies(first: Comparison, n: i64, second: Comparison, m: i64) -> bool {
    (0..=n.max(m) + 2).all(|count| !comparison_holds(count, first, n) || comparison_holds(count, second, m))
}

/// Returns true if the second comparison is weaker than the first, as `<= n` is weaker than `= n`.
fn is_weaker(first: Comparison, second: Comparison) -> bool {
    use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(
        (first, second),
        (Equal, LessEqual | GreaterEqual) | (Less, LessEqual | NotEqual) | (Greater, GreaterEqual | NotEqual)
    )
}

/// Returns true if two conditions are equal, or equal after exchanging the operands of a symmetric condition.
fn is_equal(a: &Condition, b: &Condition) -> bool {
    let exchanged = match b {
        Condition::Sees(x, y) if x.quantifier == Quantifier::Every && y.quantifier == Quantifier::Every => {
            Condition::Sees(y.clone(), x.clone())
        }
        Condition::Disjoint(x, y) => Condition::Disjoint(y.clone(), x.clone()),
        Condition::Equal(x, y) => Condition::Equal(y.clone(), x.clone()),
        other => other.clone(),
    };
    a == b || *a == exchanged
}
