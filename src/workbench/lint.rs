//! Possible improvements of sound rules. In: a rulebook and a file of it. Out: diagnostics with `L` codes: names that nothing uses,
//! requirements that others imply, expensive first choices, missing tests, shared names.
//!
//! A deliberate finding is excused by a comment in the rule or above it, with the reason:
//! `// allow L0103: four corners, any of which may lack x or y`.

use super::names::names;
use super::why::parts;
use crate::engine::Engine;
use crate::eval::compares;
use crate::grid::Geometry;
use crate::lang::ast::{self, File, Ident, Item, StatementKind};
use crate::lang::codes::{LintProblem, Problem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{
    Comparison, Condition, Expr, HouseClass, Kind, Operand, PredicateId, Printer, Quantifier, Statement, Technique,
    VarShape, Variant,
};
use crate::lang::parse;
use crate::solve::{RuleFile, Rulebook, fold_name};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Findings of a file, and the number of excused ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linted {
    /// In order of place.
    pub findings: Vec<Diagnostic>,
    /// Findings with an excuse.
    pub excused: usize,
    /// Techniques that were not examined, because it was time to stop.
    pub left: usize,
}

/// The names of every technique, and who has them, in the order of the rulebook.
pub type NameOwners = BTreeMap<String, Vec<String>>;

/// Collects the names of a rulebook.
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

/// Examines every active technique of a file, until `enough` returns true.
pub fn lint(rulebook: &Rulebook, file: &RuleFile, names: &NameOwners, enough: &dyn Fn() -> bool) -> Linted {
    let (tree, _) = parse(&file.text);
    let mut out = Linted::default();
    let mut from = 0;
    for item in &tree.items {
        let Item::Technique(written) = item else { continue };
        if enough() {
            out.left += 1;
            continue;
        }
        let excuses = excuses(&tree, &file.text, from..written.span.end);
        from = written.span.end;
        let in_force = rulebook.file_of(&written.id.name).is_some_and(|own| own.name == file.name);
        let technique = rulebook.techniques().iter().find(|one| one.id == written.id.name && in_force);
        let Some(technique) = technique else { continue };
        let mut found = unused(&file.text, written);
        found.extend(follows(rulebook, (&tree, &file.text), technique));
        found.extend(expensive_start(rulebook, technique, written));
        found.extend(untested(technique, written));
        found.extend(shared_names(technique, written, names));
        let mut needed = vec![false; excuses.len()];
        found.retain(|one| {
            let excuse = excuses.iter().position(|excuse| excuse.code == one.code && excuse.reason);
            if let Some(at) = excuse {
                needed[at] = true;
                out.excused += 1;
            }
            excuse.is_none()
        });
        out.findings.extend(found);
        out.findings.extend(excuses.iter().zip(&needed).filter_map(|(excuse, &needed)| wrong(excuse, needed)));
    }
    out.findings.sort_by_key(|one| (one.start(), one.code));
    out
}

/// `// allow L0103: the reason`
struct Excuse {
    code: String,
    reason: bool,
    span: Range<usize>,
}

/// The excuses in the comments of a part of a file.
fn excuses(tree: &File, text: &str, part: Range<usize>) -> Vec<Excuse> {
    let mut out = Vec::new();
    for span in tree.comments.iter().filter(|span| part.contains(&span.start)) {
        let comment = text.get(span.clone()).unwrap_or_default();
        if let Some(words) = comment.trim_start_matches('/').trim().strip_prefix("allow ") {
            let (code, reason) = words.split_once(':').unwrap_or((words, ""));
            let (code, reason) = (code.trim().to_uppercase(), !reason.trim().is_empty());
            out.push(Excuse { code, reason, span: span.clone() });
        }
    }
    out
}

/// Spans of the excuses in a part of a file.
pub(super) fn places_of_excuses(tree: &File, text: &str, part: Range<usize>) -> Vec<Range<usize>> {
    excuses(tree, text, part).into_iter().map(|excuse| excuse.span).collect()
}

fn wrong(excuse: &Excuse, needed: bool) -> Option<Diagnostic> {
    let code = excuse.code.to_string();
    let problem = match (excuse.reason, needed) {
        (false, _) => LintProblem::ExcuseWithoutReason { code },
        (true, false) => LintProblem::ExcuseUnused { code },
        _ => return None,
    };
    Some(problem.at(&excuse.span))
}

/// A rule that nothing shows at work, or nothing shows to stop.
fn untested(technique: &Technique, written: &ast::Technique) -> Vec<Diagnostic> {
    let (place, id) = (&written.id.span, || technique.id.clone());
    let no_example = technique.examples.iter().all(|example| example.near_miss);
    let no_near_miss = technique.examples.iter().all(|example| !example.near_miss);
    let findings = [
        no_example.then(|| LintProblem::NoExample { id: id() }.at(place)),
        no_near_miss.then(|| LintProblem::NoNearMiss { id: id() }.at(place)),
    ];
    findings.into_iter().flatten().collect()
}

/// Names that a technique before this one has too.
fn shared_names(technique: &Technique, written: &ast::Technique, all: &NameOwners) -> Option<Diagnostic> {
    let own = names(technique);
    let mut shared = own.iter().filter_map(|name| {
        let first = all.get(&fold_name(name))?.first().filter(|owner| **owner != technique.id)?;
        Some((name.clone(), first.clone()))
    });
    let (name, other) = shared.next()?;
    let place = written.title.as_ref().map_or(&written.id.span, |title| &title.span);
    Some(LintProblem::SharedName { name, other, more: shared.count() }.at(place))
}

/// Names that are chosen and stand nowhere else in the technique; definitions that are not used get a warning anyway.
fn unused(text: &str, written: &ast::Technique) -> Vec<Diagnostic> {
    let source = text.get(written.span.clone()).unwrap_or("");
    let mut declared: Vec<&Ident> = Vec::new();
    for line in &written.body {
        match &line.kind {
            StatementKind::Binding(binding) => declared.extend(binding.names.iter().map(|(name, _)| name)),
            StatementKind::Case(_, bindings) => {
                declared.extend(bindings.iter().flat_map(|one| &one.names).map(|(name, _)| name));
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    for name in &declared {
        let times = declared.iter().filter(|other| other.name == name.name).count();
        if words(source).filter(|word| *word == name.name).count() <= times {
            out.push(LintProblem::UnusedName { name: name.name.clone() }.at(&name.span));
        }
    }
    out
}

/// The words of a text, including those in quotes: sentences have names in braces.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    code.flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '_')))
}

/// A search may begin in this many ways without a finding.
const FEW: usize = 3_000;

/// Finds a case whose plan for the common board begins with names that no requirement narrows, in more ways than a few.
fn expensive_start(rulebook: &Rulebook, technique: &Technique, written: &ast::Technique) -> Option<Diagnostic> {
    let geometry = Arc::new(Geometry::standard(9)?);
    let engine = Engine::new(geometry, &rulebook.with_used(vec![technique.clone()]), rulebook.sources()).ok()?;
    let mut seen = Vec::new();
    for (number, member) in engine.members().iter().enumerate() {
        if member.technique != 0 || seen.contains(&member.variant) {
            continue;
        }
        seen.push(member.variant);
        let (names, ways) = beginning(technique, member.variant, &engine.plan_text(number));
        if ways > FEW {
            let ways = if ways > 1_000_000 { "more than a million".to_owned() } else { ways.to_string() };
            let problem = LintProblem::SlowStart { id: technique.id.clone(), ways, names: names.join(", ") };
            return Some(problem.at(&written.id.span));
        }
    }
    None
}

/// The names that a plan chooses before anything narrows the choice, and in how many ways.
fn beginning(technique: &Technique, variant: usize, plan: &str) -> (Vec<String>, usize) {
    let (mut names, mut ways) = (Vec::new(), 1usize);
    for line in plan.lines().filter_map(|line| line.strip_prefix("; ")) {
        let Some((name, how)) = line.split_once(": ") else { continue };
        let Some(var) = technique.variants[variant].vars.iter().find(|var| var.name == name) else { continue };
        let open = how.starts_with("narrowed by 0 ") || how.ends_with("of a set, cut by []");
        if !open {
            break;
        }
        let one = match var.kind {
            Kind::Digit => 9,
            Kind::Cell => 81,
            Kind::House(HouseClass::Line) => 18,
            Kind::House(_) => 27,
            // Assumptions are examined for all candidates at once.
            _ => 1,
        };
        names.push(name.to_owned());
        ways = ways.saturating_mul(if var.shape == VarShape::Single { one } else { one * (one - 1) / 2 });
    }
    (names, ways)
}

/// A condition, and the statement it is of.
struct Stated {
    statement: usize,
    condition: Condition,
    /// True for a condition that can be left out, unlike the size of a set.
    own: bool,
}

/// Every requirement that another one of its case implies, each once.
///
/// Only implications between two conditions are found: equal conditions, bounds of one number, sizes of listed sets. Nothing
/// is searched or proved, so every finding is certain, and many redundant requirements are missed.
fn follows(rulebook: &Rulebook, (tree, text): (&File, &str), technique: &Technique) -> Vec<Diagnostic> {
    let places = rulebook.places_in(tree, &technique.id);
    let mut out: Vec<Diagnostic> = Vec::new();
    for (variant, places) in technique.variants.iter().zip(&places) {
        let printer = Printer { variant, params: &technique.params };
        let all = stated(variant);
        let conditions: Vec<&Condition> = all.iter().map(|one| &one.condition).collect();
        for (at, one) in all.iter().enumerate().filter(|(_, one)| one.own) {
            let by = reason_for(&conditions, at).map(|by| &all[by]);
            let (Some(by), Some(place)) = (by, places.get(one.statement)) else { continue };
            // Conditions that an assumption puts on its names have no text of their own.
            if text.get(place.clone()).is_none_or(|line| line.starts_with("suppose")) {
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
            && choose.for_each.is_none()
            && let Some((low, high)) = &choose.size
        {
            let (first, high) = match high {
                Some(high) if high == low => (Comparison::Equal, None),
                high => (Comparison::GreaterEqual, high.as_ref()),
            };
            let bounds = [(first, Some(low)), (Comparison::LessEqual, high)];
            for (how, bound) in bounds.into_iter().filter_map(|(how, bound)| Some((how, bound?))) {
                let count = Expr::Count(Box::new(Expr::Var(choose.var)));
                let condition = Condition::Compare(count, how, bound.clone());
                out.push(Stated { statement, condition, own: false });
            }
        }
        let family = matches!(body, Statement::Choose(choose) if choose.for_each.is_some());
        if !family {
            out.extend(parts(body, variant).into_iter().map(|condition| Stated { statement, condition, own: true }));
        }
    }
    out
}

/// Returns true if one other condition implies this one; of two equivalent conditions, the later one counts.
pub(super) fn superfluous(all: &[Condition], at: usize) -> bool {
    reason_for(&all.iter().collect::<Vec<_>>(), at).is_some()
}

/// Finds another condition that implies this one; of two equivalent conditions, an earlier one.
fn reason_for(all: &[&Condition], at: usize) -> Option<usize> {
    (0..all.len()).find(|&by| by != at && implies(all[by], all[at]) && (by < at || !implies(all[at], all[by])))
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
        (Condition::Predicate(PredicateId::Conjugate, args, _), Condition::Has(cells, digits)) => {
            args[0] == *digits && args[1..].contains(&cells.cells)
        }
        (Condition::Within(set, _), b) => is_some(set, b),
        (Condition::Some(set), b) => is_some(set, b),
        (Condition::Compare(Expr::Count(set), how, Expr::Number(n)), Condition::Some(other)) => {
            set.as_ref() == other && bound(*how, i64::from(*n), Comparison::GreaterEqual, 1)
        }
        (
            Condition::Predicate(PredicateId::InOneHouse(class), cells, _),
            Condition::Predicate(PredicateId::InOneHouse(HouseClass::Any), others, _),
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
        Condition::Has(Operand { quantifier: Quantifier::Every, cells: of }, digits) => {
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
    (0..=n.max(m) + 2).all(|x| !compares(x, how, n) || compares(x, what, m))
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
