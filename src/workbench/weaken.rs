//! A rule with one requirement less, or a weaker one. In: a case of a rule. Out: [`WeakerRule`]s, each with what was
//! changed in words; wherever one matches and the rule does not, the rule misses by that requirement.

use super::why::parts;
use crate::lang::ir::{
    Chain, Claim, Comparison, Conclusion, Condition, Expr, Graph, InferenceMethods, Length, LinkShape, Loop, Node,
    Operand, Origin, PredicateId, Printer, Statement, Suppose, Technique, Trail, VarId, Variant, WeakLinks,
};

/// One change of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeakerRule {
    /// The changed statement; `None` if only an effect is missing.
    pub statement: Option<usize>,
    /// Index of the condition in the statement.
    pub part: usize,
    /// The change in the author's words: `without …`, `with … in place of …`.
    pub words: String,
    /// The changed chain, loop or assumption in the field's words.
    pub plainly: &'static str,
    /// The changed rule; what it finds besides is nearly found.
    pub near: Variant,
    /// The change to suggest to the author, if it differs from `near`.
    pub change: Option<Variant>,
    /// True if several conditions of the statement may fail together: a chain that lacks a node lacks its links too.
    pub together: bool,
    /// True if the changed rule only adds patterns with something already missing: a candidate, a place.
    pub fewer: bool,
}

impl WeakerRule {
    /// A rule changed in a statement, or one that only has an effect where the rule has none.
    fn new(statement: Option<usize>, near: Variant) -> WeakerRule {
        let words = String::new();
        WeakerRule { statement, part: 0, words, plainly: "", near, change: None, together: false, fewer: false }
    }
}

/// Every change of one requirement; `sources` are the available link sources.
pub fn weaker(technique: &Technique, case: usize, sources: &[String]) -> Vec<WeakerRule> {
    let variant = &technique.variants[case];
    let printer = Printer { variant, params: &technique.params };
    let mut out = Vec::new();
    for (statement, body) in variant.body.iter().enumerate() {
        let conditions = parts(body, variant);
        for (part, condition) in conditions.iter().enumerate() {
            for ConditionChange { words, near, written, fewer } in changes(condition, printer) {
                let near = with(variant, statement, part, &conditions, near);
                if is_bound(&near) {
                    let change = written.map(|one| with(variant, statement, part, &conditions, Some(one)));
                    let fewer = fewer || is_node(body, condition);
                    out.push(WeakerRule { part, words, change, fewer, ..WeakerRule::new(Some(statement), near) });
                }
            }
        }
        if let Statement::Trail(trail) = body {
            out.extend(missing_nodes(variant, statement, trail));
        }
        for ((words, plainly), body) in graph_changes(body, sources) {
            let mut near = variant.clone();
            near.body[statement] = body;
            out.push(WeakerRule { words, plainly, ..WeakerRule::new(Some(statement), near) });
        }
    }
    out.push(WeakerRule::new(None, without_effect(variant)));
    out
}

/// A fixed chain with a candidate missing at a node in a named house: its cell lies there, and the other end of the strong
/// link is the only place.
fn missing_nodes(variant: &Variant, statement: usize, trail: &Trail) -> Vec<WeakerRule> {
    let conditions = trail.conditions(&variant.vars);
    let mut out = Vec::new();
    for node in &trail.nodes {
        let has_digit = Condition::Has(Operand::every(Expr::Var(node.cell)), Expr::Var(node.digit));
        let mut houses = trail
            .links
            .iter()
            .zip(trail.nodes.windows(2))
            .filter_map(|(link, pair)| link.house.filter(|_| link.strong && pair.contains(node)));
        let Some(part) = conditions.iter().position(|condition| *condition == has_digit) else { continue };
        let Some(house) = houses.next() else { continue };
        let looser = conditions.iter().map(|condition| match condition {
            Condition::Exactly(places, names) if names.contains(&node.cell) => {
                let other = names.iter().filter(|name| **name != node.cell).map(|&name| Expr::Var(name)).collect();
                Condition::Equal(places.clone(), Expr::Union(other))
            }
            condition if *condition == has_digit => {
                Condition::Within(Expr::Var(node.cell), Expr::HouseCells(Box::new(Expr::Var(house))))
            }
            other => other.clone(),
        });
        let mut near = variant.clone();
        near.body[statement] = Statement::Require(Condition::And(looser.collect()));
        out.push(WeakerRule { part, together: true, fewer: true, ..WeakerRule::new(Some(statement), near) });
    }
    out
}

/// The rule with conclusions that always have an effect: it matches wherever the pattern is.
pub(super) fn without_effect(variant: &Variant) -> Variant {
    let conclusions = vec![Conclusion { claim: Claim::Eliminate(every_candidate()), for_each: None }];
    Variant { conclusions, guardians: Vec::new(), merge_by: Vec::new(), ..variant.clone() }
}

pub(super) fn every_candidate() -> Expr {
    Expr::In(Box::new(Expr::AllDigits), Box::new(Expr::AllCells))
}

/// Returns true if a condition says that a node of a chain has its digit.
fn is_node(statement: &Statement, condition: &Condition) -> bool {
    matches!(statement, Statement::Trail(_)) && matches!(condition, Condition::Some(_) | Condition::Has(..))
}

/// A weaker version of a condition.
struct ConditionChange {
    /// The change in the author's words.
    words: String,
    /// The condition to search with; `None` to search without it.
    near: Option<Condition>,
    /// The condition to suggest.
    written: Option<Condition>,
    /// True if it only adds patterns with something already missing.
    fewer: bool,
}

/// Weaker versions of a condition.
fn changes(condition: &Condition, printer: Printer<'_>) -> Vec<ConditionChange> {
    let mut out = Vec::new();
    match condition {
        Condition::Exactly(set, names) => {
            let named = Expr::Union(names.iter().map(|&name| Expr::Var(name)).collect());
            let more = match set {
                Expr::Digits(of) => Condition::Has(Operand::every((**of).clone()), named.clone()),
                _ => Condition::Within(named.clone(), set.clone()),
            };
            out.push((Condition::And(vec![more.clone(), counts(set, names.len() + 1)]), more, false));
            if names.len() > 1 {
                let fewer = Condition::Within(set.clone(), named);
                out.push((Condition::And(vec![fewer.clone(), counts(set, names.len() - 1)]), fewer, true));
            }
        }
        Condition::Compare(a, how, b) => {
            for by in [1, -1] {
                out.extend(off_by_one(a, *how, b, by).map(|(near, written)| {
                    let fewer = (*how, by) == (Comparison::Equal, -1);
                    (near, written, fewer)
                }));
            }
        }
        Condition::AlmostLocked(cells, over) => {
            let near = Condition::AlmostLocked(cells.clone(), over + 1);
            out.push((near.clone(), near, false));
        }
        // A group is how the choice is made, no condition on it.
        Condition::Predicate(PredicateId::Group, ..) => {}
        other => {
            let words = format!("without `{}`", printer.condition(other));
            return vec![ConditionChange { words, near: None, written: None, fewer: false }];
        }
    }
    let changes = out.into_iter().map(|(near, written, fewer)| {
        let words = format!("with `{}` instead of `{}`", printer.condition(&written), printer.condition(condition));
        ConditionChange { words, near: Some(near), written: Some(written), fewer }
    });
    changes.collect()
}

fn counts(set: &Expr, number: usize) -> Condition {
    Condition::Compare(Expr::Count(Box::new(set.clone())), Comparison::Equal, Expr::Number(number as u32))
}

/// The comparison with a number that is larger or smaller by one, and the bound that would let it pass; `None` if the comparison
/// holds for it anyway.
fn off_by_one(a: &Expr, how: Comparison, b: &Expr, by: i32) -> Option<(Condition, Condition)> {
    let one = Box::new(Expr::Number(1));
    let beside = match (b, by) {
        (Expr::Number(number), 1) => Expr::Number(number + 1),
        (Expr::Number(number), _) => Expr::Number(number.saturating_sub(1)),
        (_, 1) => Expr::Add(Box::new(b.clone()), one),
        _ => Expr::Subtract(Box::new(b.clone()), one),
    };
    let (near, (loose, bound)) = match (how, by) {
        (Comparison::Equal, 1) => (&beside, (Comparison::GreaterEqual, b)),
        (Comparison::Equal, _) => (&beside, (Comparison::LessEqual, b)),
        (Comparison::Less, 1) | (Comparison::Greater, -1) => (b, (how, &beside)),
        (Comparison::LessEqual, 1) | (Comparison::GreaterEqual, -1) => (&beside, (how, &beside)),
        _ => return None,
    };
    let near = Condition::Compare(a.clone(), Comparison::Equal, near.clone());
    Some((near, Condition::Compare(a.clone(), loose, bound.clone())))
}

/// The variant with another condition, or none, in one part of a statement.
fn with(variant: &Variant, statement: usize, part: usize, conditions: &[Condition], new: Option<Condition>) -> Variant {
    let mut other = variant.clone();
    let mut all = conditions.to_vec();
    match new {
        Some(Condition::And(several)) => {
            all.splice(part..=part, several);
        }
        Some(one) => all[part] = one,
        None => {
            all.remove(part);
        }
    }
    other.body[statement] = other.body[statement].with_conditions(all);
    other
}

/// Returns true if every name occurs in some requirement; a name that occurs in none would match any value.
fn is_bound(variant: &Variant) -> bool {
    if variant.body.iter().any(|statement| matches!(statement, Statement::Graph(_) | Statement::Suppose(_))) {
        return true;
    }
    let used: Vec<VarId> = variant.body.iter().map(Node::Statement).flat_map(Node::names).collect();
    (0..variant.vars.len())
        .map(VarId)
        .filter(|name| matches!(variant.var(*name).origin, Origin::Chosen | Origin::Pattern))
        .all(|name| used.contains(&name))
}

/// A change as the author would write it, and in the field's words.
type Words = (String, &'static str);

const ON: (&str, &str) = ("without `on`: nodes of any digit", "with other digits");
const WEAK: (&str, &str) = ("with `weak: any`", "with weak links of other kinds");
const SINGLES: (&str, &str) = ("`using singles` instead of links", "with singles instead of links");
const MOST: (&str, &str) = ("with more strong links in a case", "with more strong links in a case");

/// The ways to ask less of a chain and its like, or of a supposition, with the changed statement.
fn graph_changes(statement: &Statement, sources: &[String]) -> Vec<(Words, Statement)> {
    match statement {
        Statement::Graph(graph) => {
            let weaker = weaker_graphs(graph, sources).into_iter();
            weaker.map(|(words, graph)| (words, Statement::Graph(graph))).collect()
        }
        Statement::Suppose(suppose) => {
            let weaker = weaker_inferences(&suppose.methods).into_iter();
            weaker
                .map(|((words, plainly), by)| {
                    ((words.into(), plainly), Statement::Suppose(Suppose { methods: by, ..suppose.clone() }))
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the ways to ask less of a pattern of links.
fn weaker_graphs(graph: &Graph, sources: &[String]) -> Vec<(Words, Graph)> {
    let mut out = Vec::new();
    if let LinkShape::Chain(Chain { length, weak, .. }) | LinkShape::Loop(Loop { length, weak, .. }) = graph.shape {
        if length.low > 1 {
            let mut shorter = graph.clone();
            bounds(&mut shorter.shape, |length, _| length.low = 1);
            out.push(((format!("with chains shorter than {}", length.low), "that is shorter"), shorter));
        }
        if let Some(high) = length.high {
            let mut longer = graph.clone();
            bounds(&mut longer.shape, |length, _| length.high = None);
            out.push(((format!("with chains longer than {high}"), "that is longer"), longer));
        }
        if graph.digits.is_some() {
            out.push(((ON.0.into(), ON.1), Graph { digits: None, ..graph.clone() }));
        }
        if weak != WeakLinks::Any {
            let mut other = graph.clone();
            bounds(&mut other.shape, |_, weak| *weak = WeakLinks::Any);
            out.push(((WEAK.0.into(), WEAK.1), other));
        }
    }
    for source in sources.iter().filter(|source| !graph.strong.contains(source)) {
        let words = format!("with `strong: {}, {source}`", graph.strong.join(", "));
        let strong = graph.strong.iter().chain([source]).cloned().collect();
        out.push(((words, "with strong links of other kinds"), Graph { strong, ..graph.clone() }));
    }
    out
}

/// Changes the length and the weak links of a chain or a loop.
fn bounds(shape: &mut LinkShape, change: impl FnOnce(&mut Length, &mut WeakLinks)) {
    if let LinkShape::Chain(Chain { length, weak, .. }) | LinkShape::Loop(Loop { length, weak, .. }) = shape {
        change(length, weak);
    }
}

/// Returns the ways to allow more inferences under a supposition.
fn weaker_inferences(by: &InferenceMethods) -> Vec<((&'static str, &'static str), InferenceMethods)> {
    let mut out = Vec::new();
    match by {
        InferenceMethods::Links { digits: on, strong, weak, most } => {
            let (strong, weak, most) = (strong.clone(), *weak, *most);
            if most.is_some() {
                let (on, strong) = (on.clone(), strong.clone());
                out.push((MOST, InferenceMethods::Links { digits: on, strong, weak, most: None }));
            }
            if on.is_some() {
                out.push((ON, InferenceMethods::Links { digits: None, strong: strong.clone(), weak, most }));
            }
            if weak != WeakLinks::Any {
                out.push((WEAK, InferenceMethods::Links { digits: on.clone(), strong, weak: WeakLinks::Any, most }));
            }
            out.push((SINGLES, InferenceMethods::Singles { digits: None }));
        }
        InferenceMethods::Singles { digits: Some(_) } => out.push((ON, InferenceMethods::Singles { digits: None })),
        InferenceMethods::Singles { digits: None } | InferenceMethods::Rules(_) => {}
    }
    out
}
