//! Special cases: one rule implied by another.
//!
//! In: two members. Out: values for the general rule's names with which it matches wherever the special rule does and
//! concludes all of it; `None` only says that no such values were found.
//!
//! The question has two quantifiers. So possible values are tried one by one among the special rule's names, each as a
//! question without a board. Open chains are compared by their links and ends (`covers`). [`direct_cases`] reduces the pairs
//! found to those that don't follow from others.

use super::encode::{Bound, Cells, Encoder, Refusal, Scope, constant};
use super::prover::{Prover, Rule};
use super::question::{Chains, Place, by_lemma};
use super::solver::{Answer, Lit};
use crate::lang::ir::{
    Chain, ChainEnd, Choose, Claim, Condition, Expr, Graph, Kind, LengthUnit, Origin, Statement, Technique, VarId,
    VarShape, Variant, Weak,
};
use petgraph::algo::tred::{dag_to_toposorted_adjacency_list, dag_transitive_reduction_closure};
use petgraph::algo::{condensation, toposort};
use petgraph::graph::{DiGraph, NodeIndex};

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

impl Prover<'_> {
    /// Finds values for `general`'s names with which, in every match of `special`, it concludes all that `special`
    /// concludes; `None` if none were found.
    ///
    /// # Errors
    /// A part of either rule that cannot be encoded.
    pub fn implied_by(&self, special: Member<'_>, general: Member<'_>) -> Result<Implied, Refusal> {
        let case = |one: Member<'_>| Refusal::NoCase { technique: one.technique.id.clone(), case: one.variant };
        let a = special.technique.variants.get(special.variant).ok_or_else(|| case(special))?;
        let b = general.technique.variants.get(general.variant).ok_or_else(|| case(general))?;
        // Consequences of a single solution are not among the cited facts.
        let rule = Rule { variant: a, args: special.args, unique: false };
        self.choices(rule, Rule { variant: b, args: general.args, unique: false })
    }

    /// Returns true if every match of the changed rule is a match of the original with equal bindings.
    pub fn says_no_more(&self, changed: Member<'_>, before: Member<'_>) -> bool {
        let cases = changed.technique.variants.get(changed.variant).zip(before.technique.variants.get(before.variant));
        let rule = |variant, args| Rule { variant, args, unique: false };
        cases.is_some_and(|(a, b)| self.same(rule(a, changed.args), rule(b, before.args)).unwrap_or(false))
    }

    fn same(&self, a: Rule<'_>, b: Rule<'_>) -> Result<bool, Refusal> {
        let mut encoder = self.pose(Place::Anywhere, a, Chains::Ends)?;
        let target = encoder.target();
        let first = encoder.concluded(&a.variant.conclusions, &target)?;
        let effect = encoder.circuit.or2(first.eliminated, first.placed);
        encoder.circuit.clause(&[effect]);
        encoder.unnamed = Default::default();
        let mut scope = Scope::new(b.variant, b.args);
        scope.bound.clone_from(&encoder.scope.bound);
        let outer = encoder.enter(scope);
        let says = says_as_much(&mut encoder, b.variant, &target, first);
        encoder.enter(outer);
        Ok(encoder.solve(&[!says?], CONFLICTS) == Answer::No)
    }

    fn choices(&self, a: Rule<'_>, b: Rule<'_>) -> Result<Implied, Refusal> {
        // The other rule is read in the first one's world, with names of its own.
        let mut encoder = self.pose(Place::Anywhere, a, Chains::Ends)?;
        // A pattern of open size can't be demanded, whatever the values.
        if let Some(statement) = by_lemma(b.variant).next() {
            encoder.demands(statement)?;
        }
        let target = encoder.target();
        let first = encoder.concluded(&a.variant.conclusions, &target)?;
        let effect = encoder.circuit.or2(first.eliminated, first.placed);
        encoder.circuit.clause(&[effect]);
        let names = names(b.variant);
        let options: Vec<Vec<Choice>> = names.iter().map(|&id| options(&mut encoder, a, b, id)).collect();
        // Conditions of the special rule must not look up unnamed houses of the general one.
        encoder.unnamed = Default::default();
        let mut walk = Walk { chosen: Vec::new(), tries: 0 };
        while let Some(choice) = walk.next(&options).filter(|_| !self.halt.is_due()) {
            let mut scope = Scope::new(b.variant, b.args);
            for ((&id, options), &at) in names.iter().zip(&options).zip(&choice) {
                scope.bound[id.0] = Some(options[at].1.clone());
            }
            let outer = encoder.enter(scope);
            let says = says_as_much(&mut encoder, b.variant, &target, first);
            encoder.enter(outer);
            if encoder.solve(&[!says?], CONFLICTS) == Answer::No {
                let named = names.iter().zip(&options).zip(&choice);
                return Ok(Some(
                    named
                        .map(|((&id, options), &at)| (b.variant.var(id).name.clone(), options[at].0.clone()))
                        .collect(),
                ));
            }
        }
        Ok(None)
    }
}

/// Returns true if the rule in scope matches and concludes everything that the special rule concludes about the target.
fn says_as_much(
    encoder: &mut Encoder<'_>,
    variant: &Variant,
    target: &super::encode::Target,
    first: super::encode::Concluded,
) -> Result<Lit, Refusal> {
    let mut parts = Vec::new();
    for statement in &variant.body {
        parts.extend(encoder.demands(statement)?);
    }
    let own = encoder.concluded(&variant.conclusions, target)?;
    let removed = encoder.circuit.or([!first.eliminated, own.eliminated]);
    let placed = encoder.circuit.or([!first.placed, own.placed]);
    parts.extend([removed, placed]);
    Ok(encoder.circuit.and(parts))
}

/// The names that a match gives values to.
fn names(variant: &Variant) -> Vec<VarId> {
    let chosen = |id: &VarId| matches!(variant.var(*id).origin, Origin::Chosen | Origin::Pattern);
    (0..variant.vars.len()).map(VarId).filter(chosen).collect()
}

/// Possible values of a name, made of the names in scope.
fn options(encoder: &mut Encoder<'_>, first: Rule<'_>, other: Rule<'_>, id: VarId) -> Vec<Choice> {
    let wanted = other.variant.var(id);
    let size = size_of(other, id);
    let scope = encoder.scope.variant;
    let bound: Vec<(String, Kind, VarShape, Bound)> = names(scope)
        .into_iter()
        .filter_map(|id| {
            let var = scope.var(id);
            // A set can stand for a set only if every size that it can have is allowed.
            let fits = match (size_of(first, id), size) {
                (Some((low, high)), Some((least, most))) => least <= low && high <= most,
                (own, wanted) => own.is_none() && (wanted.is_none() || var.shape == VarShape::Single),
            };
            (fits || var.shape != VarShape::Set).then_some(())?;
            Some((var.name.clone(), var.kind, var.shape, encoder.scope.bound[id.0].clone()?))
        })
        .collect();
    let alike = bound.iter().filter(|(_, kind, shape, _)| *kind == wanted.kind && *shape == wanted.shape);
    let mut out: Vec<Choice> = alike.map(|(name, _, _, bound)| (name.clone(), bound.clone())).collect();
    let cells: Vec<(String, Vec<Lit>)> =
        bound.iter().filter_map(|(name, _, shape, bound)| single(name, *shape, bound)).collect();
    match (wanted.kind, wanted.shape) {
        (Kind::Cell, VarShape::Set) => out.extend(unions(encoder, &cells, size)),
        (Kind::Cell, VarShape::Family) => out.extend(families(encoder, &bound, &cells)),
        _ => {}
    }
    out
}

fn single(name: &str, shape: VarShape, bound: &Bound) -> Option<(String, Vec<Lit>)> {
    match bound {
        Bound::Cells(cells) if shape == VarShape::Single => Some((name.to_string(), cells.bits.clone())),
        _ => None,
    }
}

/// Least and greatest number of members of a set; `None` for single names and families.
fn size_of(rule: Rule<'_>, id: VarId) -> Option<(i64, i64)> {
    rule.variant.body.iter().find_map(|statement| {
        let Statement::Choose(Choose { var, size: Some((low, high)), .. }) = statement else { return None };
        let most = high.as_ref().map_or(Some(i64::MAX), |high| constant(high, rule.args));
        (*var == id).then(|| Some((constant(low, rule.args)?, most?)))?
    })
}

/// Unions of single cells. Single names differ, so a union has as many members as names.
fn unions(encoder: &mut Encoder<'_>, cells: &[(String, Vec<Lit>)], size: Option<(i64, i64)>) -> Vec<Choice> {
    let mut out = Vec::new();
    let Some((least, most)) = size else { return out };
    let wanted = |subset: &u32| (least..=most).contains(&i64::from(subset.count_ones()));
    for subset in (1..1u32 << cells.len().min(8)).filter(wanted) {
        let members: Vec<_> =
            cells.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1).map(|(_, one)| one).collect();
        let bits = (0..encoder.world.count()).map(|cell| {
            let here: Vec<Lit> = members.iter().map(|(_, bits)| bits[cell]).collect();
            encoder.circuit.or(here)
        });
        let bits = bits.collect();
        let words: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
        out.push((words.join(" + "), Bound::Cells(Cells::closed(bits))));
    }
    out
}

/// Families with one single cell, or none, for each named digit.
fn families(
    encoder: &Encoder<'_>,
    bound: &[(String, Kind, VarShape, Bound)],
    cells: &[(String, Vec<Lit>)],
) -> Vec<Choice> {
    let digits: Vec<(&String, usize)> = bound
        .iter()
        .filter_map(|(name, _, shape, bound)| match bound {
            Bound::Digits(bits) if *shape == VarShape::Single => {
                Some((name, bits.iter().position(|&bit| bit == Lit::TRUE)?))
            }
            _ => None,
        })
        .collect();
    let none = Cells::closed(vec![Lit::FALSE; encoder.world.count()]);
    let choices = (cells.len() + 1).checked_pow(digits.len() as u32).unwrap_or(usize::MAX).min(MOST_TRIES);
    let mut out = Vec::new();
    for number in 0..choices {
        let mut members = vec![none.clone(); encoder.digits()];
        let (mut words, mut rest) = (Vec::new(), number);
        for &(digit, at) in &digits {
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

/// All ways to pick one option for each name, no option of two names.
struct Walk {
    chosen: Vec<usize>,
    tries: usize,
}

impl Walk {
    fn next(&mut self, options: &[Vec<Choice>]) -> Option<Vec<usize>> {
        loop {
            self.tries += 1;
            if self.tries > MOST_TRIES || options.iter().any(Vec::is_empty) {
                return None;
            }
            if self.chosen.is_empty() && self.tries == 1 {
                self.chosen = vec![0; options.len()];
            } else if !self.step(options) {
                return None;
            }
            let words: Vec<&String> = options.iter().zip(&self.chosen).map(|(options, &at)| &options[at].0).collect();
            let twice = words.iter().enumerate().any(|(i, word)| words[..i].contains(word));
            if !twice {
                return Some(self.chosen.clone());
            }
            self.tries -= 1;
        }
    }

    /// Advances to the next combination; returns false after the last one.
    fn step(&mut self, options: &[Vec<Choice>]) -> bool {
        for (at, options) in self.chosen.iter_mut().zip(options) {
            *at += 1;
            if *at < options.len() {
                return true;
            }
            *at = 0;
        }
        false
    }
}

/// Returns true if every chain of `special` is a chain of `general`. Which of several chains between two ends a rule reports
/// is not compared.
pub fn covers(general: &Variant, special: &Variant) -> bool {
    let (Some((general_graph, b)), Some((special_graph, a))) = (chain(general), chain(special)) else { return false };
    let concludes = |variant: &Variant| variant.conclusions.iter().all(|one| matches!(one.claim, Claim::Some(_)));
    special_graph.strong.iter().all(|source| general_graph.strong.contains(source))
        && (b.weak == Weak::Any || a.weak == b.weak)
        && general_graph.on.is_none()
        && b.length.high.is_none()
        && least(general_graph, b).zip(least(special_graph, a)).is_some_and(|(general, special)| general <= special)
        && ends_fit(b, a)
        && asks_for_no_more(general, special, a)
        && concludes(general)
        && concludes(special)
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
    matches!(inner.as_ref(), Condition::Equal(Expr::Cells(_), Expr::Cells(_)))
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
    let is_direct = |&(special, general): &(u32, u32)| {
        let [a, b] = [special, general].map(|rule| part[rule as usize]);
        a == b || reduced.contains_edge(rank[a.index()], rank[b.index()])
    };
    pairs.iter().map(is_direct).collect()
}
