//! A rule with one requirement less, or a weaker one. In: a case of a rule. Out: [`Weaker`] rules, each with what was
//! changed in words; wherever one matches and the rule does not, the rule misses by that requirement.

use super::requirement::parts;
use crate::lang::ir::{
    Chain, Claim, Comparison, Conclusion, Condition, Expr, Graph, InferenceMethods, Length, LinkShape, Loop, Node,
    Origin, PredicateId, Printer, Statement, Suppose, Technique, Trail, VarId, Variant, Weak,
};

/// One change of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weaker {
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

/// Every change of one requirement; `sources` are the available link sources.
pub fn weaker(technique: &Technique, case: usize, sources: &[String]) -> Vec<Weaker> {
    let variant = &technique.variants[case];
    let printer = Printer { variant, params: &technique.params };
    let mut out = Vec::new();
    for (statement, body) in variant.body.iter().enumerate() {
        let conditions = parts(body, variant);
        for part in 0..conditions.len() {
            for (words, near, change, fewer) in changes(&conditions[part], printer) {
                let fewer = fewer || is_node(body, &conditions[part]);
                let apply = |condition: Option<Condition>| with(variant, statement, part, &conditions, condition);
                let near = apply(near);
                let change = change.map(|change| apply(Some(change)));
                if is_bound(&near) {
                    let statement = Some(statement);
                    out.push(Weaker { statement, part, words, plainly: "", near, change, together: false, fewer });
                }
            }
        }
        if let Statement::Trail(trail) = body {
            out.extend(missing_nodes(variant, statement, trail));
        }
        let changed = graph_changes(body, sources);
        out.extend(changed.into_iter().map(|((words, plainly), body)| {
            let mut near = variant.clone();
            near.body[statement] = body;
            let statement = Some(statement);
            Weaker { statement, part: 0, words, plainly, near, change: None, together: false, fewer: false }
        }));
    }
    out.push(without_effect(variant));
    out
}

/// A fixed chain with a candidate missing at a node in a named house: its cell lies there, and the other end of the strong
/// link is the only place.
fn missing_nodes(variant: &Variant, statement: usize, trail: &Trail) -> Vec<Weaker> {
    let conditions = trail.conditions(&variant.vars);
    let mut out = Vec::new();
    for node in &trail.nodes {
        let at_node = |condition: &Condition| {
            matches!(condition, Condition::Has(cell, digit)
                if cell.of == Expr::Var(node.cell) && *digit == Expr::Var(node.digit))
        };
        let pairs = trail.links.iter().zip(trail.nodes.windows(2));
        let mut houses =
            pairs.filter(|(link, pair)| link.strong && pair.contains(node)).filter_map(|(link, _)| link.house);
        let (Some(house), Some(part)) = (houses.next(), conditions.iter().position(at_node)) else { continue };
        let looser = |condition: &Condition| match condition {
            Condition::Exactly(places, names) if names.contains(&node.cell) => {
                let other = names.iter().filter(|name| **name != node.cell).map(|&name| Expr::Var(name)).collect();
                Condition::Equal(places.clone(), Expr::Union(other))
            }
            condition if at_node(condition) => {
                let cells = Expr::CellsOf(Box::new(Expr::Var(house)));
                Condition::Within(Expr::Var(node.cell), cells)
            }
            other => other.clone(),
        };
        let all = Condition::And(conditions.iter().map(looser).collect());
        let mut near = variant.clone();
        near.body[statement] = Statement::Require(all);
        let (statement, words) = (Some(statement), String::new());
        out.push(Weaker { statement, part, words, plainly: "", near, change: None, together: true, fewer: true });
    }
    out
}

/// The rule with conclusions that always have an effect: it matches wherever the pattern is.
fn without_effect(variant: &Variant) -> Weaker {
    let all = Expr::In(Box::new(Expr::AllDigits), Box::new(Expr::AllCells));
    let near = Variant {
        conclusions: vec![Conclusion { claim: Claim::Eliminate(all), per: None }],
        guardians: Vec::new(),
        per: Vec::new(),
        ..variant.clone()
    };
    let words = String::new();
    Weaker { statement: None, part: 0, words, plainly: "", near, change: None, together: false, fewer: false }
}

/// Returns true if a condition says that a node of a chain has its digit.
fn is_node(statement: &Statement, condition: &Condition) -> bool {
    matches!(statement, Statement::Trail(_)) && matches!(condition, Condition::Some(_) | Condition::Has(..))
}

type Change = (String, Option<Condition>, Option<Condition>, bool);

/// Weaker versions of a condition: words, the condition to search with (`None`: without it), the change to suggest, and
/// whether it only adds patterns with something already missing.
fn changes(condition: &Condition, printer: Printer<'_>) -> Vec<Change> {
    let said = |condition: &Condition| printer.condition(condition);
    let in_place = |new: &Condition| format!("with `{}` instead of `{}`", said(new), said(condition));
    match condition {
        Condition::Exactly(set, names) => {
            let named = Expr::Union(names.iter().map(|&name| Expr::Var(name)).collect());
            let count = |by: i64| {
                let number = Expr::Number(u32::try_from(names.len() as i64 + by).unwrap_or(0));
                Condition::Compare(Expr::Count(Box::new(set.clone())), Comparison::Equal, number)
            };
            let more = match set {
                Expr::Digits(of) => Condition::Has(crate::lang::ir::Operand::every((**of).clone()), named.clone()),
                _ => Condition::Within(named.clone(), set.clone()),
            };
            let fewer = Condition::Within(set.clone(), named);
            let mut out =
                vec![(in_place(&more), Some(Condition::And(vec![more.clone(), count(1)])), Some(more), false)];
            if names.len() > 1 {
                let less = Condition::And(vec![fewer.clone(), count(-1)]);
                out.push((in_place(&fewer), Some(less), Some(fewer), true));
            }
            out
        }
        Condition::Compare(a, how, b) => compared(a, *how, b)
            .into_iter()
            .map(|(near, change)| {
                let fewer =
                    matches!((how, &change), (Comparison::Equal, Condition::Compare(_, Comparison::LessEqual, _)));
                (in_place(&change), Some(near), Some(change), fewer)
            })
            .collect(),
        Condition::AlmostLocked(cells, over) => {
            let near = Condition::AlmostLocked(cells.clone(), over + 1);
            vec![(in_place(&near), Some(near.clone()), Some(near), false)]
        }
        // A group is how the choice is made, no condition on it.
        Condition::Holds(PredicateId::Group, ..) => Vec::new(),
        other => vec![(format!("without `{}`", said(other)), None, None, false)],
    }
}

/// Numbers that are off by one, and the bound that would let them pass.
fn compared(a: &Expr, how: Comparison, b: &Expr) -> Vec<(Condition, Condition)> {
    let beside = |by: i32| {
        let one = Box::new(Expr::Number(1));
        match (b, by) {
            (Expr::Number(number), 1) => Expr::Number(number + 1),
            (Expr::Number(number), _) => Expr::Number(number.saturating_sub(1)),
            (_, 1) => Expr::Add(Box::new(b.clone()), one),
            _ => Expr::Subtract(Box::new(b.clone()), one),
        }
    };
    let off = |by: i32, how: Comparison| {
        let bound = if how == Comparison::Equal { b.clone() } else { beside(by) };
        let written = if how == Comparison::Equal {
            let loose = if by == 1 { Comparison::GreaterEqual } else { Comparison::LessEqual };
            Condition::Compare(a.clone(), loose, bound)
        } else {
            Condition::Compare(a.clone(), how, bound)
        };
        let near = match how {
            Comparison::Less | Comparison::Greater => Condition::Compare(a.clone(), Comparison::Equal, b.clone()),
            _ => Condition::Compare(a.clone(), Comparison::Equal, beside(by)),
        };
        (near, written)
    };
    match how {
        Comparison::Equal => vec![off(1, how), off(-1, how)],
        Comparison::Less | Comparison::LessEqual => vec![off(1, how)],
        Comparison::Greater | Comparison::GreaterEqual => vec![off(-1, how)],
        Comparison::NotEqual => Vec::new(),
    }
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
    let spoken: Vec<VarId> = variant.body.iter().map(Node::Statement).flat_map(Node::names).collect();
    let free = |name: &VarId| matches!(variant.var(*name).origin, Origin::Chosen | Origin::Pattern);
    (0..variant.vars.len()).map(VarId).filter(free).all(|name| spoken.contains(&name))
}

/// The ways to ask less of a chain and its like, or of a supposition, with the changed statement.
fn graph_changes(statement: &Statement, sources: &[String]) -> Vec<(Words, Statement)> {
    let mut out = Vec::new();
    match statement {
        Statement::Graph(graph) => {
            let weaker = weaker_graphs(graph, sources).into_iter();
            out.extend(weaker.map(|(words, graph)| (words, Statement::Graph(graph))));
        }
        Statement::Suppose(suppose) => {
            for (words, by) in more_means(&suppose.by) {
                out.push((words, Statement::Suppose(Suppose { by, ..suppose.clone() })));
            }
        }
        _ => {}
    }
    out
}

/// Returns the ways to ask less of a pattern of links.
fn weaker_graphs(graph: &Graph, sources: &[String]) -> Vec<(Words, Graph)> {
    let mut out = Vec::new();
    if let LinkShape::Chain(Chain { length, weak, .. }) | LinkShape::Loop(Loop { length, weak, .. }) = graph.shape {
        for (words, longer) in lengths(length) {
            out.push((words, with_bounds(graph, longer, weak)));
        }
        if graph.on.is_some() {
            out.push((said(ON), Graph { on: None, ..graph.clone() }));
        }
        if weak != Weak::Any {
            out.push((said(WEAK), with_bounds(graph, length, Weak::Any)));
        }
    }
    for (words, strong) in more_links(&graph.strong, sources) {
        out.push((words, Graph { strong, ..graph.clone() }));
    }
    out
}

/// Returns a chain or a loop with another length and other weak links.
fn with_bounds(graph: &Graph, length: Length, weak: Weak) -> Graph {
    let shape = match &graph.shape {
        LinkShape::Chain(chain) => LinkShape::Chain(Chain { length, weak, ..chain.clone() }),
        LinkShape::Loop(one) => LinkShape::Loop(Loop { length, weak, ..one.clone() }),
        other => other.clone(),
    };
    Graph { shape, ..graph.clone() }
}

/// A change as the author would write it, and in the field's words.
type Words = (String, &'static str);

const ON: (&str, &str) = ("without `on`: nodes of any digit", "with other digits");
const WEAK: (&str, &str) = ("with `weak: any`", "with weak links of other kinds");
const SINGLES: (&str, &str) = ("`using singles` instead of links", "with singles instead of links");
const MOST: (&str, &str) = ("with more strong links in a case", "with more strong links in a case");

fn said((words, plainly): (&str, &'static str)) -> Words {
    (words.to_string(), plainly)
}

fn lengths(length: Length) -> Vec<(Words, Length)> {
    let mut out = Vec::new();
    if length.low > 1 {
        out.push((
            (format!("with chains shorter than {}", length.low), "that is shorter"),
            Length { low: 1, ..length },
        ));
    }
    if let Some(high) = length.high {
        out.push(((format!("with chains longer than {high}"), "that is longer"), Length { high: None, ..length }));
    }
    out
}

fn more_links(strong: &[String], sources: &[String]) -> Vec<(Words, Vec<String>)> {
    let other = |source: &&String| !strong.contains(source);
    let with = |source: &String| {
        let all = strong.iter().chain([source]).cloned().collect();
        let words = format!("with `strong: {}, {source}`", strong.join(", "));
        ((words, "with strong links of other kinds"), all)
    };
    sources.iter().filter(other).map(with).collect()
}

fn more_means(by: &InferenceMethods) -> Vec<(Words, InferenceMethods)> {
    match by {
        InferenceMethods::Links { on, strong, weak, most } => {
            let links = |on: &Option<Expr>, weak: Weak, most| InferenceMethods::Links {
                on: on.clone(),
                strong: strong.clone(),
                weak,
                most,
            };
            let mut out = Vec::new();
            if most.is_some() {
                out.push((said(MOST), links(on, *weak, None)));
            }
            if on.is_some() {
                out.push((said(ON), links(&None, *weak, *most)));
            }
            if *weak != Weak::Any {
                out.push((said(WEAK), links(on, Weak::Any, *most)));
            }
            out.push((said(SINGLES), InferenceMethods::Singles { on: None }));
            out
        }
        InferenceMethods::Singles { on: Some(_) } => vec![(said(ON), InferenceMethods::Singles { on: None })],
        InferenceMethods::Singles { on: None } | InferenceMethods::Rules(_) => Vec::new(),
    }
}
