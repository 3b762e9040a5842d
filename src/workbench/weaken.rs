//! Weakens a rule. In: a variant of a rule. Out: [`WeakerRule`]s, each with one requirement dropped or weakened, and a phrase for the
//! change. If a weaker rule matches and the rule does not, the rule fails by this requirement.

use super::why::conditions_of;
use crate::lang::ir::{
    Claim, Comparison, Conclusion, Condition, Expr, FixedChain, Graph, InferenceMethods, Length, LinkShape, Loop, Node,
    OpenChain, Operand, Origin, PredicateId, Printer, Statement, Suppose, Technique, VarId, Variant, WeakLinks,
};
use std::borrow::Cow;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weakening {
    /// One requirement of the statement with this index.
    Requirement(usize),
    /// One node of a chain of fixed length, given the index of the chain's statement. Without the node, its strong links
    /// are not required either.
    ChainNode(usize),
    /// The conclusions: all requirements are unchanged, and the rule also matches without an effect.
    #[default]
    Conclusions,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WeakerRule {
    pub weakening: Weakening,
    /// Index of the changed condition in the statement; 0 if no condition is changed.
    pub condition_index: usize,
    pub drops_condition: bool,
    /// The change, as a phrase about the rule text: `without …`, `with … instead of …`.
    pub rule_phrase: String,
    /// The change of a chain, loop or supposition, as a phrase without rule text: `with other digits`.
    pub plain_phrase: &'static str,
    pub variant: Variant,
    /// The changed variant to suggest to the author, if it differs from `variant`.
    pub suggestion: Option<Variant>,
    /// True if the changed rule only adds degenerate patterns, with fewer candidates or places than the rule requires.
    pub adds_only_degenerate: bool,
}

/// Returns every change of one requirement. `sources` are the ids of the available link sources.
pub fn weaker_rules(technique: &Technique, variant_index: usize, sources: &[String]) -> Vec<WeakerRule> {
    let variant = &technique.variants[variant_index];
    let printer = Printer { variant, params: &technique.params };
    let mut out = Vec::new();
    for (statement_index, statement) in variant.body.iter().enumerate() {
        let weakening = Weakening::Requirement(statement_index);
        let conditions = conditions_of(statement, variant);
        for (condition_index, condition) in conditions.iter().enumerate() {
            let text = printer.condition(condition);
            for (versions, is_degenerate) in weaker_versions(condition) {
                let rule_phrase = match &versions {
                    Some((_, suggested)) => format!("with `{}` instead of `{text}`", printer.condition(suggested)),
                    None => format!("without `{text}`"),
                };
                let drops_condition = versions.is_none();
                let (searched, suggested) = versions.unzip();
                let changed = with_condition(variant, statement_index, condition_index, &conditions, searched);
                if !binds_all_names(&changed) {
                    continue;
                }
                let suggestion = suggested.map(|suggested| {
                    with_condition(variant, statement_index, condition_index, &conditions, Some(suggested))
                });
                out.push(WeakerRule {
                    weakening,
                    condition_index,
                    drops_condition,
                    rule_phrase,
                    variant: changed,
                    suggestion,
                    adds_only_degenerate: is_degenerate || requires_digit_of_node(statement, condition),
                    ..WeakerRule::default()
                });
            }
        }
        if let Statement::FixedChain(chain) = statement {
            out.extend(missing_nodes(variant, statement_index, chain));
        }
        for ((rule_phrase, plain_phrase), changed) in chain_or_supposition_changes(statement, sources) {
            let mut variant = variant.clone();
            variant.body[statement_index] = changed;
            let rule_phrase = rule_phrase.into_owned();
            out.push(WeakerRule { weakening, rule_phrase, plain_phrase, variant, ..WeakerRule::default() });
        }
    }
    out.push(WeakerRule { variant: with_trivial_conclusion(variant), ..WeakerRule::default() });
    out
}

/// For each node with a strong link in a named house, returns the rule without this node. In the changed rule, the cell of
/// the node lies in the house but lacks the digit, so the other end of the link is the only place of the digit.
fn missing_nodes(variant: &Variant, statement_index: usize, chain: &FixedChain) -> Vec<WeakerRule> {
    let conditions = chain.conditions(&variant.vars);
    let mut out = Vec::new();
    for node in &chain.nodes {
        let has_digit = Condition::Has(Operand::every(Expr::Var(node.cells)), Expr::Var(node.digit));
        let mut links = chain.links.iter().zip(chain.nodes.windows(2));
        let house = links.find_map(|(link, ends)| if link.strong && ends.contains(node) { link.house } else { None });
        let Some(condition_index) = conditions.iter().position(|condition| *condition == has_digit) else { continue };
        let Some(house) = house else { continue };
        let weaker = conditions.iter().map(|condition| match condition {
            Condition::Exactly(places, names) if names.contains(&node.cells) => {
                let other_names = names.iter().filter(|name| **name != node.cells);
                Condition::Equal(places.clone(), Expr::Union(other_names.map(|&name| Expr::Var(name)).collect()))
            }
            condition if *condition == has_digit => {
                Condition::Within(Expr::Var(node.cells), Expr::HouseCells(Box::new(Expr::Var(house))))
            }
            other => other.clone(),
        });
        let mut changed = variant.clone();
        changed.body[statement_index] = Statement::Require(Condition::And(weaker.collect()));
        out.push(WeakerRule {
            weakening: Weakening::ChainNode(statement_index),
            condition_index,
            variant: changed,
            adds_only_degenerate: true,
            ..WeakerRule::default()
        });
    }
    out
}

/// Returns the rule with the elimination of every candidate as its only conclusion. That always has an effect, so the rule matches
/// wherever its pattern occurs.
pub(super) fn with_trivial_conclusion(variant: &Variant) -> Variant {
    let conclusions = vec![Conclusion { claim: Claim::Eliminate(every_candidate()), for_each: None }];
    Variant { conclusions, guardians: Vec::new(), merge_by: Vec::new(), ..variant.clone() }
}

pub(super) fn every_candidate() -> Expr {
    Expr::CandidatesIn(Box::new(Expr::AllDigits), Box::new(Expr::AllCells))
}

fn requires_digit_of_node(statement: &Statement, condition: &Condition) -> bool {
    matches!(statement, Statement::FixedChain(_)) && matches!(condition, Condition::NotEmpty(_) | Condition::Has(..))
}

/// Returns the weaker versions of a condition: the condition to search with and the condition to suggest to the author, or
/// `None` for no condition at all; and [`WeakerRule::adds_only_degenerate`].
fn weaker_versions(condition: &Condition) -> Vec<(Option<(Condition, Condition)>, bool)> {
    let mut versions = Vec::new();
    match condition {
        Condition::Exactly(set, names) => {
            let named = Expr::Union(names.iter().map(|&name| Expr::Var(name)).collect());
            let with_others = match set {
                Expr::Digits(inner) => Condition::Has(Operand::every((**inner).clone()), named.clone()),
                _ => Condition::Within(named.clone(), set.clone()),
            };
            let one_more = Condition::And(vec![with_others.clone(), has_count(set, names.len() + 1)]);
            versions.push((Some((one_more, with_others)), false));
            if names.len() > 1 {
                let with_some = Condition::Within(set.clone(), named);
                let one_less = Condition::And(vec![with_some.clone(), has_count(set, names.len() - 1)]);
                versions.push((Some((one_less, with_some)), true));
            }
        }
        Condition::Compare(a, comparison, b) => {
            for offset in [1, -1] {
                // One less than `=` requires is a degenerate pattern. One less than a bound such as `>=` is not: the author
                // has chosen the bound to exclude smaller patterns.
                let is_degenerate = *comparison == Comparison::Equal && offset == -1;
                versions.extend(off_by_one(a, *comparison, b, offset).map(|pair| (Some(pair), is_degenerate)));
            }
        }
        Condition::AlmostLocked(cells, degree) => {
            let next_degree = Condition::AlmostLocked(cells.clone(), degree + 1);
            versions.push((Some((next_degree.clone(), next_degree)), false));
        }
        // `group` defines the sets to choose from, so it is no requirement.
        Condition::Predicate(PredicateId::Group, ..) => {}
        _ => versions.push((None, false)),
    }
    versions
}

fn has_count(set: &Expr, number: usize) -> Condition {
    Condition::Compare(Expr::Count(Box::new(set.clone())), Comparison::Equal, Expr::Number(number as u32))
}

/// Returns two conditions: `a` fails the comparison with `b` by exactly `offset` (1 or -1), and the weaker comparison to
/// suggest. Example: for `a = 2` and the offset 1, `a = 3` and `a >= 2`. `None` if the comparison cannot fail in this
/// direction.
fn off_by_one(a: &Expr, comparison: Comparison, b: &Expr, offset: i32) -> Option<(Condition, Condition)> {
    let one = Box::new(Expr::Number(1));
    let neighbour = match (b, offset) {
        (Expr::Number(number), 1) => Expr::Number(number + 1),
        (Expr::Number(number), _) => Expr::Number(number.saturating_sub(1)),
        (_, 1) => Expr::Add(Box::new(b.clone()), one),
        _ => Expr::Subtract(Box::new(b.clone()), one),
    };
    let (missed_value, weaker, bound) = match (comparison, offset) {
        (Comparison::Equal, 1) => (&neighbour, Comparison::GreaterEqual, b),
        (Comparison::Equal, _) => (&neighbour, Comparison::LessEqual, b),
        (Comparison::Less, 1) | (Comparison::Greater, -1) => (b, comparison, &neighbour),
        (Comparison::LessEqual, 1) | (Comparison::GreaterEqual, -1) => (&neighbour, comparison, &neighbour),
        _ => return None,
    };
    let searched = Condition::Compare(a.clone(), Comparison::Equal, missed_value.clone());
    Some((searched, Condition::Compare(a.clone(), weaker, bound.clone())))
}

/// Returns the variant with one of the `conditions` of a statement replaced, or removed if `replacement` is `None`.
fn with_condition(
    variant: &Variant,
    statement_index: usize,
    condition_index: usize,
    conditions: &[Condition],
    replacement: Option<Condition>,
) -> Variant {
    let mut changed = variant.clone();
    let mut conditions = conditions.to_vec();
    match replacement {
        Some(Condition::And(parts)) => {
            conditions.splice(condition_index..=condition_index, parts);
        }
        Some(condition) => conditions[condition_index] = condition,
        None => {
            conditions.remove(condition_index);
        }
    }
    changed.body[statement_index] = changed.body[statement_index].with_conditions(conditions);
    changed
}

/// Returns true if every name occurs in some requirement. A name without a requirement would match any value. Also returns
/// true for a rule with a chain or a supposition, because these statements bind names themselves.
fn binds_all_names(variant: &Variant) -> bool {
    if variant.body.iter().any(|statement| matches!(statement, Statement::Graph(_) | Statement::Suppose(_))) {
        return true;
    }
    let used: Vec<VarId> = variant.body.iter().map(Node::Statement).flat_map(Node::names).collect();
    (0..variant.vars.len())
        .map(VarId)
        .filter(|name| matches!(variant.var(*name).origin, Origin::Chosen | Origin::Pattern))
        .all(|name| used.contains(&name))
}

/// A change as a phrase about the rule text, and as a phrase without rule text.
type Phrases = (Cow<'static, str>, &'static str);

const WITHOUT_ON: Phrases = (Cow::Borrowed("without `on`: nodes of any digit"), "with other digits");
const ANY_WEAK: Phrases = (Cow::Borrowed("with `weak: any`"), "with weak links of other kinds");
const BY_SINGLES: Phrases = (Cow::Borrowed("`using singles` instead of links"), "with singles instead of links");
const MORE_LINKS: Phrases = (Cow::Borrowed("with more strong links in a case"), "with more strong links in a case");

fn chain_or_supposition_changes(statement: &Statement, sources: &[String]) -> Vec<(Phrases, Statement)> {
    match statement {
        Statement::Graph(graph) => {
            let weaker = weaker_graphs(graph, sources).into_iter();
            weaker.map(|(phrases, graph)| (phrases, Statement::Graph(graph))).collect()
        }
        Statement::Suppose(suppose) => {
            let weaker = weaker_methods(&suppose.methods).into_iter();
            weaker
                .map(|(phrases, methods)| (phrases, Statement::Suppose(Suppose { methods, ..suppose.clone() })))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn weaker_graphs(graph: &Graph, sources: &[String]) -> Vec<(Phrases, Graph)> {
    let mut out = Vec::new();
    if let LinkShape::Chain(OpenChain { length, weak, .. }) | LinkShape::Loop(Loop { length, weak, .. }) = graph.shape {
        if length.low > 1 {
            let phrases = (format!("with chains shorter than {}", length.low).into(), "that is shorter");
            out.push((phrases, with_bounds(graph, |length, _| length.low = 1)));
        }
        if let Some(high) = length.high {
            let phrases = (format!("with chains longer than {high}").into(), "that is longer");
            out.push((phrases, with_bounds(graph, |length, _| length.high = None)));
        }
        if graph.digits.is_some() {
            out.push((WITHOUT_ON, Graph { digits: None, ..graph.clone() }));
        }
        if weak != WeakLinks::Any {
            out.push((ANY_WEAK, with_bounds(graph, |_, weak| *weak = WeakLinks::Any)));
        }
    }
    for source in sources.iter().filter(|source| !graph.strong.contains(source)) {
        let rule_phrase = format!("with `strong: {}, {source}`", graph.strong.join(", "));
        let strong = graph.strong.iter().chain([source]).cloned().collect();
        out.push(((rule_phrase.into(), "with strong links of other kinds"), Graph { strong, ..graph.clone() }));
    }
    out
}

/// Returns a chain or a loop with another length or other weak links.
fn with_bounds(graph: &Graph, change: impl FnOnce(&mut Length, &mut WeakLinks)) -> Graph {
    let mut changed = graph.clone();
    if let LinkShape::Chain(OpenChain { length, weak, .. }) | LinkShape::Loop(Loop { length, weak, .. }) =
        &mut changed.shape
    {
        change(length, weak);
    }
    changed
}

/// Returns inference methods that allow more under a supposition.
fn weaker_methods(methods: &InferenceMethods) -> Vec<(Phrases, InferenceMethods)> {
    let singles = InferenceMethods::Singles { digits: None };
    let InferenceMethods::Links { digits, strong, weak, most } = methods else {
        let is_limited = matches!(methods, InferenceMethods::Singles { digits: Some(_) });
        return if is_limited { vec![(WITHOUT_ON, singles)] } else { Vec::new() };
    };
    let versions = [
        (MORE_LINKS, most.is_some(), (digits.clone(), *weak, None)),
        (WITHOUT_ON, digits.is_some(), (None, *weak, *most)),
        (ANY_WEAK, *weak != WeakLinks::Any, (digits.clone(), WeakLinks::Any, *most)),
    ];
    let versions = versions.into_iter().filter(|(_, is_weaker, _)| *is_weaker);
    let versions = versions.map(|(phrases, _, (digits, weak, most))| {
        (phrases, InferenceMethods::Links { digits, strong: strong.clone(), weak, most })
    });
    versions.chain([(BY_SINGLES, singles)]).collect()
}
