//! Special cases: one rule implied by another.
//!
//! In: two members. Out: values for the general rule's names with which it matches wherever the special rule does and
//! concludes all of it; `None` only says that no such values were found.
//!
//! The question has two quantifiers, which a SAT solver cannot answer at once. So values are tried one by one among the special
//! rule's names, each as a question without a board. Open chains are compared by their links and ends (`covers`). [`direct_cases`] reduces the pairs
//! found to those that don't follow from others.

use super::encode::{Bound, Cells, Concluded, Encoder, Scope, TargetLits, Unnamed, chosen_names};
use super::prover::{Prover, RuleCase};
use super::question::{Chains, WorldKind, by_lemma};
use super::solver::{Lit, SatAnswer};
use super::verdict::Refusal;
use crate::lang::ir::{
    Chain, ChainEnd, Claim, Condition, Expr, Graph, Kind, LengthUnit, Statement, Technique, VarId, VarShape, Variant,
    WeakLinks,
};
use petgraph::algo::tred::{dag_to_toposorted_adjacency_list, dag_transitive_reduction_closure};
use petgraph::algo::{condensation, toposort};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeSet;

/// At most this many choices are tried.
const MOST_TRIES: usize = 3_000;

/// Maximum conflicts for each.
const CONFLICTS: u64 = 5_000;

/// A member of a technique: its arguments and its case.
#[derive(Clone, Copy, Debug)]
pub struct Member<'t> {
    /// The technique.
    pub technique: &'t Technique,
    /// A value for each parameter.
    pub args: &'t [u32],
    /// Index of the case.
    pub variant: usize,
}

/// Value of each name of the general rule, if the search found one.
type Implied = Option<Vec<(String, String)>>;

/// A possible value of a name of the general rule, in words and as literals.
type Choice = (String, Bound);

/// A rule, read as the special one: its matches with an effect on a freely chosen candidate.
struct Special<'a> {
    encoder: Encoder<'a>,
    target: TargetLits,
    concluded: Concluded,
}

impl<'t> Member<'t> {
    fn rule(self) -> Result<RuleCase<'t>, Refusal> {
        let Member { technique, args, variant: case } = self;
        let Some(variant) = technique.variants.get(case) else {
            return Err(Refusal::NoCase { technique: technique.id.clone(), case });
        };
        // Consequences of a single solution are not among the cited facts.
        Ok(RuleCase { variant, args, unique: false })
    }
}

impl Prover<'_> {
    /// Finds values for `general`'s names with which, in every match of `special`, it concludes all that `special`
    /// concludes; `None` if none were found.
    ///
    /// # Errors
    /// A part of either rule that cannot be encoded.
    pub fn implied_by(&self, special: Member<'_>, general: Member<'_>) -> Result<Implied, Refusal> {
        self.choices(special.rule()?, general.rule()?)
    }

    /// Returns true if every match of the changed rule is a match of the original with equal bindings.
    pub fn only_narrows(&self, changed: Member<'_>, before: Member<'_>) -> bool {
        self.covers(changed, before).unwrap_or(false)
    }

    fn covers(&self, changed: Member<'_>, before: Member<'_>) -> Result<bool, Refusal> {
        let (changed, before) = (changed.rule()?, before.rule()?);
        let mut special = self.pose_special(changed, None)?;
        let names = special.encoder.scope.bound.clone();
        special.is_covered_by(before, names)
    }

    /// Demands a match with an effect. The pattern of the general rule must have an encoding of its own: a pattern of open
    /// size can't be demanded, whatever the values.
    fn pose_special<'a>(&'a self, rule: RuleCase<'a>, general: Option<&Variant>) -> Result<Special<'a>, Refusal> {
        let mut encoder = self.pose(WorldKind::Anywhere, rule, Chains::Ends)?;
        if let Some(statement) = general.and_then(|general| by_lemma(general).next()) {
            encoder.demands(statement)?;
        }
        let target = encoder.target();
        let concluded = encoder.concluded(&rule.variant.conclusions, &target)?;
        let effect = encoder.circuit.or2(concluded.eliminated, concluded.placed);
        encoder.circuit.clause(&[effect]);
        Ok(Special { encoder, target, concluded })
    }

    fn choices(&self, a: RuleCase<'_>, b: RuleCase<'_>) -> Result<Implied, Refusal> {
        // The other rule is read in the first one's world, with names of its own.
        let mut special = self.pose_special(a, Some(b.variant))?;
        let names: Vec<VarId> = chosen_names(b.variant).collect();
        let options: Vec<Vec<Choice>> = names.iter().map(|&id| options(&mut special.encoder, a, b, id)).collect();
        for choice in combinations(&options) {
            if self.cancellation.is_requested() {
                break;
            }
            let chosen: Vec<&Choice> = options.iter().zip(&choice).map(|(options, &at)| &options[at]).collect();
            let mut bound = vec![None; b.variant.vars.len()];
            names.iter().zip(&chosen).for_each(|(id, choice)| bound[id.0] = Some(choice.1.clone()));
            if special.is_covered_by(b, bound)? {
                let named = names.iter().zip(chosen);
                let words = named.map(|(&id, (words, _))| (b.variant.var(id).name.clone(), words.clone()));
                return Ok(Some(words.collect()));
            }
        }
        Ok(None)
    }
}

impl<'a> Special<'a> {
    /// Returns true if another rule, with these values of its names, matches and concludes everything that this rule
    /// concludes about the target.
    fn is_covered_by(&mut self, rule: RuleCase<'a>, names: Vec<Option<Bound>>) -> Result<bool, Refusal> {
        let Special { encoder, target, concluded } = self;
        // The conditions of one rule must not look up unnamed houses of the other.
        encoder.unnamed = Unnamed::default();
        let mut scope = Scope::new(rule.variant, rule.args);
        scope.bound = names;
        let says = encoder.in_scope(scope, |encoder| {
            let mut parts = Vec::new();
            for statement in &rule.variant.body {
                parts.extend(encoder.demands(statement)?);
            }
            let own = encoder.concluded(&rule.variant.conclusions, target)?;
            parts.push(encoder.circuit.or([!concluded.eliminated, own.eliminated]));
            parts.push(encoder.circuit.or([!concluded.placed, own.placed]));
            Ok(encoder.circuit.and(parts))
        })?;
        Ok(encoder.solve(&[!says], CONFLICTS) == SatAnswer::No)
    }
}

/// Possible values of a name, made of the names in scope.
fn options(encoder: &mut Encoder<'_>, first: RuleCase<'_>, other: RuleCase<'_>, id: VarId) -> Vec<Choice> {
    let wanted = other.variant.var(id);
    let size = size_of(other, id);
    let scope = encoder.scope.variant;
    let (mut out, mut cells, mut digits) = (Vec::new(), Vec::new(), Vec::new());
    for id in chosen_names(scope) {
        let var = scope.var(id);
        // A set can stand for a set only if every size that it can have is allowed.
        let fits = match (size_of(first, id), size) {
            (Some((low, high)), Some((least, most))) => least <= low && high <= most,
            (own, wanted) => own.is_none() && (wanted.is_none() || var.shape == VarShape::Single),
        };
        let Some(bound) = encoder.scope.bound[id.0].clone().filter(|_| fits || var.shape != VarShape::Set) else {
            continue;
        };
        match (&bound, var.shape) {
            (Bound::Cells(set), VarShape::Single) => cells.push((var.name.clone(), set.bits.clone())),
            (Bound::Digits(bits), VarShape::Single) => {
                digits.extend(bits.iter().position(|&bit| bit == Lit::TRUE).map(|digit| (var.name.clone(), digit)));
            }
            _ => {}
        }
        if (var.kind, var.shape) == (wanted.kind, wanted.shape) {
            out.push((var.name.clone(), bound));
        }
    }
    match (wanted.kind, wanted.shape) {
        (Kind::Cell, VarShape::Set) => out.extend(unions(encoder, &cells, size)),
        (Kind::Cell, VarShape::Family) => out.extend(families(encoder, &digits, &cells)),
        _ => {}
    }
    out
}

/// Least and greatest number of members of a set; `None` for single names and families.
fn size_of(rule: RuleCase<'_>, id: VarId) -> Option<(i64, i64)> {
    let (low, high) = rule.variant.choice(id)?.size.as_ref()?;
    let most = high.as_ref().map_or(Some(i64::MAX), |high| high.constant(rule.args));
    Some((low.constant(rule.args)?, most?))
}

/// Unions of single cells. Single names differ, so a union has as many members as names.
fn unions(encoder: &mut Encoder<'_>, cells: &[(String, Vec<Lit>)], size: Option<(i64, i64)>) -> Vec<Choice> {
    let mut out = Vec::new();
    let Some((least, most)) = size else { return out };
    for subset in 1..1u32 << cells.len().min(8) {
        if !(least..=most).contains(&i64::from(subset.count_ones())) {
            continue;
        }
        let members: Vec<_> =
            cells.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1).map(|(_, one)| one).collect();
        let all = 0..encoder.world.count();
        let bits = all.map(|cell| encoder.circuit.or(members.iter().map(|(_, bits)| bits[cell]))).collect();
        let words: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
        out.push((words.join(" + "), Bound::Cells(Cells::closed(bits))));
    }
    out
}

/// Families with one single cell, or none, for each named digit.
fn families(encoder: &Encoder<'_>, digits: &[(String, usize)], cells: &[(String, Vec<Lit>)]) -> Vec<Choice> {
    let none = Cells::closed(vec![Lit::FALSE; encoder.world.count()]);
    let choices = (cells.len() + 1).checked_pow(digits.len() as u32).unwrap_or(usize::MAX).min(MOST_TRIES);
    let mut out = Vec::new();
    for number in 0..choices {
        let mut members = vec![none.clone(); encoder.digits()];
        let (mut words, mut rest) = (Vec::new(), number);
        for &(ref digit, at) in digits {
            if let Some((name, bits)) = (rest % (cells.len() + 1)).checked_sub(1).map(|cell| &cells[cell]) {
                members[at] = Cells::closed(bits.clone());
                words.push(format!("[{digit}] = {name}"));
            }
            rest /= cells.len() + 1;
        }
        out.push((words.join(", "), Bound::Family(members)));
    }
    out
}

/// Ways to pick one option for each name, no option of two names, by the places of the options: the first names change first.
fn combinations(options: &[Vec<Choice>]) -> impl Iterator<Item = Vec<usize>> {
    let count = options.iter().fold(1usize, |count, options| count.saturating_mul(options.len()));
    let all = (0..count).map(move |mut number| {
        let mut places = Vec::with_capacity(options.len());
        for options in options {
            places.push(number % options.len());
            number /= options.len();
        }
        places
    });
    let distinct = all.filter(move |places| {
        let words: BTreeSet<&String> = options.iter().zip(places).map(|(options, &at)| &options[at].0).collect();
        words.len() == places.len()
    });
    distinct.take(MOST_TRIES)
}

/// Returns true if every chain of `special` is a chain of `general`. Which of several chains between two ends a rule reports
/// is not compared.
pub fn covers(general: &Variant, special: &Variant) -> bool {
    let (Some((general_graph, b)), Some((special_graph, a))) = (chain(general), chain(special)) else { return false };
    let mut conclusions = general.conclusions.iter().chain(&special.conclusions);
    special_graph.strong.iter().all(|source| general_graph.strong.contains(source))
        && (b.weak == WeakLinks::Any || a.weak == b.weak)
        && general_graph.digits.is_none()
        && b.length.high.is_none()
        && least(general_graph, b).zip(least(special_graph, a)).is_some_and(|(general, special)| general <= special)
        && ends_fit(b, a)
        && asks_for_no_more(general, special, a)
        && conclusions.all(|one| matches!(one.claim, Claim::Some(_)))
}

/// The one open chain of a rule.
fn chain(variant: &Variant) -> Option<(&Graph, &Chain)> {
    let graphs = variant.body.iter().filter_map(Statement::graph);
    let mut chains = graphs.filter_map(|graph| Some((graph, graph.chain()?)));
    let first = chains.next()?;
    chains.next().is_none().then_some(first)
}

/// Least number of strong links; `None` if the length counts cells, because links between cells may join them.
fn least(graph: &Graph, chain: &Chain) -> Option<u32> {
    match chain.length.unit {
        LengthUnit::StrongLinks => Some(chain.length.low),
        LengthUnit::Links => Some(chain.length.low.div_ceil(2)),
        LengthUnit::Cells => graph.strong.iter().all(|source| source == "cell").then_some(chain.length.low),
    }
}

/// Returns true if the ends of one chain can be ends of the other: cells for cells, and one digit if the other needs one.
fn ends_fit(general: &Chain, special: &Chain) -> bool {
    match ((general.from, general.to), (special.from, special.to)) {
        ((ChainEnd::At(a), ChainEnd::At(b)), (ChainEnd::At(c), ChainEnd::At(d))) => {
            a.cell != b.cell && c.cell != d.cell && (a.digit != b.digit || c.digit == d.digit)
        }
        ((ChainEnd::Candidate(a), ChainEnd::Candidate(b)), (c, d)) => a != b && c != d,
        _ => false,
    }
}

/// Returns true if a rule demands only its chain, and at most that its ends are in different cells if the other rule's ends
/// are.
fn asks_for_no_more(general: &Variant, special: &Variant, chain: &Chain) -> bool {
    let distinct = match (chain.from, chain.to) {
        (ChainEnd::At(a), ChainEnd::At(b)) => a.cell != b.cell,
        _ => special.body.iter().any(demands_two_cells),
    };
    general
        .body
        .iter()
        .all(|one| one.graph().is_some_and(|graph| graph.chain().is_some()) || distinct && demands_two_cells(one))
}

/// `require cells(p) != cells(q)`
fn demands_two_cells(statement: &Statement) -> bool {
    let Statement::Require(Condition::Not(inner)) = statement else { return false };
    matches!(inner.as_ref(), Condition::Equal(Expr::UnsolvedCells(_), Expr::UnsolvedCells(_)))
}

/// Returns for each pair (special, general) true unless it follows from others: if every A is a B and every B is a C, then every A is a C.
/// Rules are numbers; of rules that are special cases of each other every pair counts.
pub fn direct_cases(pairs: &[(u32, u32)]) -> Vec<bool> {
    let graph = DiGraph::<(), ()>::from_edges(pairs);
    let equals = condensation(graph.map(|node, ()| node, |_, ()| ()), true);
    let mut part = vec![NodeIndex::new(0); graph.node_count()];
    for node in equals.node_indices() {
        equals[node].iter().for_each(|rule| part[rule.index()] = node);
    }
    let order = toposort(&equals, None).unwrap_or_default();
    let (sorted, rank) = dag_to_toposorted_adjacency_list::<_, u32>(&equals, &order);
    let (reduced, _) = dag_transitive_reduction_closure(&sorted);
    let parts = pairs.iter().map(|&(special, general)| (part[special as usize], part[general as usize]));
    parts.map(|(a, b)| a == b || reduced.contains_edge(rank[a.index()], rank[b.index()])).collect()
}
