//! Special cases: one rule implied by another.
//!
//! In: two members. Out: values for the names of the general rule. With these values, the general rule matches wherever
//! the special rule matches and concludes everything that the special rule concludes. `None` means that no such values
//! were found, although such values may exist.
//!
//! The question has two quantifiers (there are values such that for every match …), and a SAT solver answers questions
//! with only one quantifier. So values built from the names of the special rule are tried one by one, each as a
//! question without a board. Open chains are compared by their links and ends ([`covers_chains`]). [`direct_cases`]
//! drops each pair that follows from other pairs.

use super::encode::{Cells, Encoder, NameLits, OpenSlots, Scope, TargetEffects, TargetLits, chosen_names};
use super::prover::{Prover, RuleVariant};
use super::question::{ChainEncoding, WorldKind, lemma_statements};
use super::solver::{Lit, SatAnswer};
use super::verdict::Refusal;
use crate::lang::ir::{
    ChainEnd, Claim, Condition, Expr, Graph, Kind, LengthUnit, OpenChain, Statement, Technique, VarId, VarShape,
    Variant, WeakLinks,
};
use petgraph::algo::tred::{dag_to_toposorted_adjacency_list, dag_transitive_reduction_closure};
use petgraph::algo::{condensation, toposort};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeSet;

/// Maximum number of combinations of values that are tried.
const MAX_TRIES: usize = 3_000;

/// Maximum number of conflicts for each combination.
const CONFLICTS: u64 = 5_000;

/// Maximum number of single cells whose unions are tried. The unions of all subsets are tried, so their number doubles
/// with each cell.
const MAX_UNITED_CELLS: usize = 8;

/// A member: a technique with parameter values and one of its variants.
#[derive(Clone, Copy, Debug)]
pub struct Member<'t> {
    /// The technique.
    pub technique: &'t Technique,
    /// A value for each parameter.
    pub args: &'t [u32],
    /// Index of the variant.
    pub variant: usize,
}

/// Each name of the general rule with its value as text.
type ValueTexts = Vec<(String, String)>;

/// A possible value of a name of the general rule.
struct Choice {
    text: String,
    value: NameLits,
}

/// A name of the special rule for a single cell.
struct NamedCell {
    name: String,
    bits: Vec<Lit>,
}

/// The special rule as a question: matches with an effect on the target, which may be any candidate.
struct SpecialQuery<'a> {
    encoder: Encoder<'a>,
    target: TargetLits,
    concluded: TargetEffects,
}

impl<'t> Member<'t> {
    fn rule(self) -> Result<RuleVariant<'t>, Refusal> {
        let Member { technique, args, variant: case } = self;
        let Some(variant) = technique.variants.get(case) else {
            return Err(Refusal::NoVariant { technique: technique.id.clone(), variant: case });
        };
        // The clauses about a single solution depend on the board, so this question without a board omits them.
        Ok(RuleVariant { variant, args, assumes_one_solution: false })
    }
}

impl Prover<'_> {
    /// Finds values for the names of `general` with which `general` concludes, in every match of `special`, everything
    /// that `special` concludes. `None` if no values were found.
    ///
    /// # Errors
    /// The part of one of the rules that cannot be encoded.
    pub fn implied_by(&self, special: Member<'_>, general: Member<'_>) -> Result<Option<ValueTexts>, Refusal> {
        self.find_values(special.rule()?, general.rule()?)
    }

    /// Returns true if every match of the changed rule is a match of the original with equal bindings.
    pub fn only_narrows(&self, changed: Member<'_>, original: Member<'_>) -> bool {
        self.is_implied_with_equal_names(changed, original).unwrap_or(false)
    }

    fn is_implied_with_equal_names(&self, special: Member<'_>, general: Member<'_>) -> Result<bool, Refusal> {
        let (special, general) = (special.rule()?, general.rule()?);
        let mut query = self.special_query(special, None)?;
        let values = query.encoder.scope.values.clone();
        query.is_covered_by(general, values)
    }

    /// Encodes the matches of the special rule that have an effect. A general rule with a pattern of open size cannot
    /// be encoded, so the result is then an error.
    fn special_query<'a>(
        &'a self,
        rule: RuleVariant<'a>,
        general: Option<&Variant>,
    ) -> Result<SpecialQuery<'a>, Refusal> {
        let mut encoder = self.encode_pattern(WorldKind::Anywhere, rule, ChainEncoding::ByLemma)?;
        if let Some(statement) = general.and_then(|general| lemma_statements(general).next()) {
            encoder.pattern_literals(statement)?;
        }
        let target = encoder.target();
        let concluded = encoder.target_effects(&rule.variant.conclusions, &target)?;
        let has_effect = encoder.circuit.or2(concluded.eliminated, concluded.placed);
        encoder.circuit.add_clause(&[has_effect]);
        Ok(SpecialQuery { encoder, target, concluded })
    }

    fn find_values(&self, special: RuleVariant<'_>, general: RuleVariant<'_>) -> Result<Option<ValueTexts>, Refusal> {
        // The general rule is encoded in the world of the special rule, but with separate names.
        let mut query = self.special_query(special, Some(general.variant))?;
        let names: Vec<VarId> = chosen_names(general.variant).collect();
        let choices: Vec<Vec<Choice>> =
            names.iter().map(|&name| choices(&mut query.encoder, special, general, name)).collect();
        for combination in combinations(&choices) {
            if self.cancellation.is_requested() {
                break;
            }
            let mut values = vec![None; general.variant.vars.len()];
            let mut texts = Vec::with_capacity(names.len());
            for ((name, choices), &index) in names.iter().zip(&choices).zip(&combination) {
                values[name.0] = Some(choices[index].value.clone());
                texts.push((general.variant.var(*name).name.clone(), choices[index].text.clone()));
            }
            if query.is_covered_by(general, values)? {
                return Ok(Some(texts));
            }
        }
        Ok(None)
    }
}

impl<'a> SpecialQuery<'a> {
    /// Returns true if the general rule, with `values` for its names, matches and concludes everything that the special
    /// rule concludes about the target.
    fn is_covered_by(&mut self, general: RuleVariant<'a>, values: Vec<Option<NameLits>>) -> Result<bool, Refusal> {
        let SpecialQuery { encoder, target, concluded } = self;
        // The conditions of the general rule must not use the slots of the special rule.
        encoder.slots = OpenSlots::default();
        let mut scope = Scope::new(general.variant, general.args);
        scope.values = values;
        let is_covered = encoder.in_scope(scope, |encoder| {
            let mut parts = Vec::new();
            for statement in &general.variant.body {
                parts.extend(encoder.pattern_literals(statement)?);
            }
            let by_general = encoder.target_effects(&general.variant.conclusions, target)?;
            parts.push(encoder.circuit.or([!concluded.eliminated, by_general.eliminated]));
            parts.push(encoder.circuit.or([!concluded.placed, by_general.placed]));
            Ok(encoder.circuit.and(parts))
        })?;
        Ok(encoder.solve(&[!is_covered], CONFLICTS) == SatAnswer::No)
    }
}

/// Returns the possible values of a name of the general rule, built from the names of the special rule.
fn choices(encoder: &mut Encoder<'_>, special: RuleVariant<'_>, general: RuleVariant<'_>, name: VarId) -> Vec<Choice> {
    let wanted = general.variant.var(name);
    let wanted_size = size_of(general, name);
    let variant = encoder.scope.variant;
    let mut out = Vec::new();
    let mut cells = Vec::new();
    let mut digits = Vec::new();
    for id in chosen_names(variant) {
        let var = variant.var(id);
        let Some(value) = encoder.scope.values[id.0].clone() else { continue };
        if var.shape == VarShape::Set && !has_fitting_size(size_of(special, id), wanted_size) {
            continue;
        }
        match (&value, var.shape) {
            (NameLits::Cells(set), VarShape::Single) => {
                cells.push(NamedCell { name: var.name.clone(), bits: set.bits.clone() });
            }
            (NameLits::Digits(bits), VarShape::Single) => {
                digits.extend(bits.iter().position(|&bit| bit == Lit::TRUE).map(|digit| (var.name.clone(), digit)));
            }
            _ => {}
        }
        if (var.kind, var.shape) == (wanted.kind, wanted.shape) {
            out.push(Choice { text: var.name.clone(), value });
        }
    }
    match (wanted.kind, wanted.shape) {
        (Kind::Cell, VarShape::Set) => {
            if let Some(size) = wanted_size {
                out.extend(unions(encoder, &cells, size));
            }
        }
        (Kind::Cell, VarShape::Family) => out.extend(families(encoder, &digits, &cells)),
        _ => {}
    }
    out
}

/// Returns true if every size in the range `own` lies in the range `wanted`.
fn has_fitting_size(own: Option<(i64, i64)>, wanted: Option<(i64, i64)>) -> bool {
    match (own, wanted) {
        (Some((low, high)), Some((least, most))) => least <= low && high <= most,
        (own, wanted) => own.is_none() && wanted.is_none(),
    }
}

/// Returns the least and the greatest number of members of a set; `None` for single names and families.
fn size_of(rule: RuleVariant<'_>, id: VarId) -> Option<(i64, i64)> {
    let (low, high) = rule.variant.choice(id)?.size.as_ref()?;
    let most = match high {
        Some(high) => high.constant(rule.args)?,
        None => i64::MAX,
    };
    Some((low.constant(rule.args)?, most))
}

/// Returns the unions of `least` to `most` single cells. Single names stand for different cells, so a union has as many
/// members as names.
fn unions(encoder: &mut Encoder<'_>, cells: &[NamedCell], (least, most): (i64, i64)) -> Vec<Choice> {
    let mut out = Vec::new();
    for subset in 1..1u32 << cells.len().min(MAX_UNITED_CELLS) {
        if !(least..=most).contains(&i64::from(subset.count_ones())) {
            continue;
        }
        let indexed = cells.iter().enumerate();
        let members: Vec<&NamedCell> =
            indexed.filter(|(index, _)| subset >> index & 1 == 1).map(|(_, cell)| cell).collect();
        let board = 0..encoder.world.cell_count();
        let bits = board.map(|cell| encoder.circuit.or(members.iter().map(|member| member.bits[cell]))).collect();
        let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
        out.push(Choice { text: names.join(" + "), value: NameLits::Cells(Cells::modelled(bits)) });
    }
    out
}

/// Returns the families in which the member for each named digit is one of `cells` or empty. `digits` are pairs of a
/// digit's name and its index.
fn families(encoder: &Encoder<'_>, digits: &[(String, usize)], cells: &[NamedCell]) -> Vec<Choice> {
    let empty = Cells::modelled(vec![Lit::FALSE; encoder.world.cell_count()]);
    // Each family is written as a number in base `base`: the k-th position is the cell number of the k-th named digit,
    // or 0 if the member is empty.
    let base = cells.len() + 1;
    let count = base.checked_pow(digits.len() as u32).unwrap_or(usize::MAX).min(MAX_TRIES);
    let mut out = Vec::new();
    for number in 0..count {
        let mut members = vec![empty.clone(); encoder.digits()];
        let mut texts = Vec::new();
        let mut remaining = number;
        for (digit_name, digit) in digits {
            if let Some(cell) = (remaining % base).checked_sub(1) {
                members[*digit] = Cells::modelled(cells[cell].bits.clone());
                texts.push(format!("[{digit_name}] = {}", cells[cell].name));
            }
            remaining /= base;
        }
        out.push(Choice { text: texts.join(", "), value: NameLits::Family(members) });
    }
    out
}

/// Returns combinations of one choice for each name, as indices of the choices. No two names get the same choice. The
/// index for the first name changes fastest.
fn combinations(choices: &[Vec<Choice>]) -> impl Iterator<Item = Vec<usize>> {
    let count = choices.iter().fold(1usize, |count, choices| count.saturating_mul(choices.len()));
    let all = (0..count).map(move |mut number| {
        let mut combination = Vec::with_capacity(choices.len());
        for choices in choices {
            combination.push(number % choices.len());
            number /= choices.len();
        }
        combination
    });
    let distinct = all.filter(move |combination| {
        let texts: BTreeSet<&String> =
            choices.iter().zip(combination).map(|(choices, &index)| &choices[index].text).collect();
        texts.len() == combination.len()
    });
    distinct.take(MAX_TRIES)
}

/// Returns true if every chain of `special` is a chain of `general`. If several chains join the same ends, the two
/// rules may report different chains.
pub fn covers_chains(general: &Variant, special: &Variant) -> bool {
    let Some((general_graph, general_chain)) = only_chain(general) else { return false };
    let Some((special_graph, special_chain)) = only_chain(special) else { return false };
    let least_lengths =
        min_strong_links(general_graph, general_chain).zip(min_strong_links(special_graph, special_chain));
    let lengths_fit =
        general_chain.length.high.is_none() && least_lengths.is_some_and(|(general, special)| general <= special);
    let links_fit = special_graph.strong.iter().all(|source| general_graph.strong.contains(source))
        && (general_chain.weak == WeakLinks::Any || special_chain.weak == general_chain.weak)
        && general_graph.digits.is_none();
    let mut conclusions = general.conclusions.iter().chain(&special.conclusions);
    let conclude_from_ends = conclusions.all(|conclusion| matches!(conclusion.claim, Claim::SomeTrue(_)));
    let pattern_fits = ends_fit(general_chain, special_chain) && requires_only_chain(general, special, special_chain);
    links_fit && lengths_fit && pattern_fits && conclude_from_ends
}

/// Returns the open chain of a rule, or `None` if the rule has no open chain or has several.
fn only_chain(variant: &Variant) -> Option<(&Graph, &OpenChain)> {
    let graphs = variant.body.iter().filter_map(Statement::graph);
    let mut chains = graphs.filter_map(|graph| Some((graph, graph.chain()?)));
    let first = chains.next()?;
    chains.next().is_none().then_some(first)
}

/// Returns the least number of strong links of a chain, or `None` if the length of the chain counts cells and some
/// strong links join two cells.
fn min_strong_links(graph: &Graph, chain: &OpenChain) -> Option<u32> {
    match chain.length.unit {
        LengthUnit::StrongLinks => Some(chain.length.low),
        LengthUnit::Links => Some(chain.length.low.div_ceil(2)),
        LengthUnit::Cells if graph.strong.iter().all(|source| source == "cell") => Some(chain.length.low),
        LengthUnit::Cells => None,
    }
}

/// Returns true if the ends of the special chain can be ends of the general chain: if the general chain ends in cells,
/// the special chain does so, too; if the general chain needs ends of one digit, the special chain has such ends.
fn ends_fit(general: &OpenChain, special: &OpenChain) -> bool {
    match ((general.from, general.to), (special.from, special.to)) {
        ((ChainEnd::At(from), ChainEnd::At(to)), (ChainEnd::At(special_from), ChainEnd::At(special_to))) => {
            from.cells != to.cells
                && special_from.cells != special_to.cells
                && (from.digit != to.digit || special_from.digit == special_to.digit)
        }
        ((ChainEnd::Candidate(from), ChainEnd::Candidate(to)), (special_from, special_to)) => {
            from != to && special_from != special_to
        }
        _ => false,
    }
}

/// Returns true if the general rule requires only its chain. The general rule may also require ends in different cells
/// if the special rule has ends in different cells.
fn requires_only_chain(general: &Variant, special: &Variant, special_chain: &OpenChain) -> bool {
    let special_has_two_cells = match (special_chain.from, special_chain.to) {
        (ChainEnd::At(from), ChainEnd::At(to)) => from.cells != to.cells,
        _ => special.body.iter().any(requires_two_cells),
    };
    general.body.iter().all(|statement| {
        let is_chain = statement.graph().is_some_and(|graph| graph.chain().is_some());
        is_chain || special_has_two_cells && requires_two_cells(statement)
    })
}

/// Returns true for `require cells(p) != cells(q)`.
fn requires_two_cells(statement: &Statement) -> bool {
    let Statement::Require(Condition::Not(inner)) = statement else { return false };
    matches!(inner.as_ref(), Condition::Equal(Expr::CellsOf(_), Expr::CellsOf(_)))
}

/// Returns, for each pair (special, general) of rules, false if the pair follows from two other pairs, otherwise true.
/// From (A, B) and (B, C) follows (A, C).
///
/// Rules are given by number. Pairs of rules that are special cases of each other are always kept.
pub fn direct_cases(pairs: &[(u32, u32)]) -> Vec<bool> {
    let graph = DiGraph::<(), ()>::from_edges(pairs);
    let components = condensation(graph.map(|node, ()| node, |_, ()| ()), true);
    let mut component = vec![NodeIndex::new(0); graph.node_count()];
    for node in components.node_indices() {
        components[node].iter().for_each(|rule| component[rule.index()] = node);
    }
    let order = toposort(&components, None).unwrap_or_default();
    let (sorted, rank) = dag_to_toposorted_adjacency_list::<_, u32>(&components, &order);
    let (reduced, _) = dag_transitive_reduction_closure(&sorted);
    let mut out = Vec::with_capacity(pairs.len());
    for &(special, general) in pairs {
        let a = component[special as usize];
        let b = component[general as usize];
        out.push(a == b || reduced.contains_edge(rank[a.index()], rank[b.index()]));
    }
    out
}
