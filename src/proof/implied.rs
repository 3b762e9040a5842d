//! One rule as a special case of another. In: two members. Out: what the other's names stand for, so that it
//! matches wherever the first does and concludes all of it; or nothing, which says only that none was found.
//!
//! Whether some choice of the other's names does is a question with two quantifiers. So the choices are tried
//! one by one among the first rule's own names, each a question without geometry.

use super::encode::{Bound, Cells, Encoder, Refusal, Scope, constant};
use super::prover::{Prover, Rule};
use super::question::{Chains, Place, by_lemma};
use super::solver::{Answer, Lit};
use crate::lang::ir::{
    Chain, ChainEnd, Choose, Claim, Condition, Expr, Kind, LengthUnit, Origin, Statement, Technique, VarId, VarShape,
    Variant, Weak,
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
    /// Which case.
    pub variant: usize,
}

/// What each name of the other rule stands for, if such a choice was found.
type Implied = Option<Vec<(String, String)>>;

/// What a name of the other rule can stand for, in words and as literals.
type Choice = (String, Bound);

impl Prover<'_> {
    /// What `general`'s names stand for in every match of `special`, such that it concludes all that
    /// `special` concludes; `None` where no such choice was found.
    ///
    /// # Errors
    /// The part of either rule that cannot be read.
    pub fn implied_by(&self, special: Member<'_>, general: Member<'_>) -> Result<Implied, Refusal> {
        let case = |one: Member<'_>| Refusal::NoCase { technique: one.technique.id.clone(), case: one.variant };
        let a = special.technique.variants.get(special.variant).ok_or_else(|| case(special))?;
        let b = general.technique.variants.get(general.variant).ok_or_else(|| case(general))?;
        // What one solution allows is left out: it is not in the cited facts.
        let rule = Rule { variant: a, args: special.args, unique: false };
        self.choices(rule, Rule { variant: b, args: general.args, unique: false })
    }

    /// Whether every match of a member whose rule was changed is one of the rule as it was, with the same names.
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
        // What has no size cannot be asked for, whatever the names stand for.
        if let Some(statement) = by_lemma(b.variant).next() {
            encoder.demands(statement)?;
        }
        let target = encoder.target();
        let first = encoder.concluded(&a.variant.conclusions, &target)?;
        let effect = encoder.circuit.or2(first.eliminated, first.placed);
        encoder.circuit.clause(&[effect]);
        let names = names(b.variant);
        let options: Vec<Vec<Choice>> = names.iter().map(|&id| options(&mut encoder, a, b, id)).collect();
        // Its houses without a name would be looked up by the first rule's conditions.
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

/// Whether the rule whose names are in scope matches and concludes what the first one concludes of the target.
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

/// What a name can stand for, made of the names in scope.
fn options(encoder: &mut Encoder<'_>, first: Rule<'_>, other: Rule<'_>, id: VarId) -> Vec<Choice> {
    let wanted = other.variant.var(id);
    let size = size_of(other, id);
    let scope = encoder.scope.variant;
    let bound: Vec<(String, Kind, VarShape, Bound)> = names(scope)
        .into_iter()
        .filter_map(|id| {
            let var = scope.var(id);
            // A set stands for a set only where every size it can have is one that is wanted.
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

/// How many a set holds, at least and at most. Single things and families have no size.
fn size_of(rule: Rule<'_>, id: VarId) -> Option<(i64, i64)> {
    rule.variant.body.iter().find_map(|statement| {
        let Statement::Choose(Choose { var, size: Some((low, high)), .. }) = statement else { return None };
        let most = high.as_ref().map_or(Some(i64::MAX), |high| constant(high, rule.args));
        (*var == id).then(|| Some((constant(low, rule.args)?, most?)))?
    })
}

/// Sets of single cells, which differ, so that a set has as many members as names.
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

/// For each named digit one of the single cells, or none.
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

    /// Counts up; `false` after the last way.
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

/// Whether every chain of `special` is one of `general`.
pub fn covers(general: &Variant, special: &Variant) -> bool {
    let (Some(b), Some(a)) = (chain(general), chain(special)) else { return false };
    let concludes = |variant: &Variant| variant.conclusions.iter().all(|one| matches!(one.claim, Claim::Some(_)));
    a.strong.iter().all(|source| b.strong.contains(source))
        && (b.weak == Weak::Any || a.weak == b.weak)
        && b.on.is_none()
        && b.length.high.is_none()
        && least(b).zip(least(a)).is_some_and(|(general, special)| general <= special)
        && ends_fit(b, a)
        && asks_for_no_more(general, special, a)
        && concludes(general)
        && concludes(special)
}

/// The one open chain of a rule.
fn chain(variant: &Variant) -> Option<&Chain> {
    let mut chains = variant.body.iter().filter_map(|statement| match statement {
        Statement::Chain(chain) => Some(chain),
        _ => None,
    });
    let first = chains.next()?;
    chains.next().is_none().then_some(first)
}

/// The fewest strong links; `None` where its length counts cells that links between cells may join.
fn least(chain: &Chain) -> Option<u32> {
    match chain.length.unit {
        LengthUnit::StrongLinks => Some(chain.length.low),
        LengthUnit::Links => Some(chain.length.low.div_ceil(2)),
        LengthUnit::Cells => chain.strong.iter().all(|source| source == "cell").then_some(chain.length.low),
    }
}

/// Whether the ends of one chain can be those of the other: cells for cells, one digit where the other asks for one.
fn ends_fit(general: &Chain, special: &Chain) -> bool {
    match ((general.from, general.to), (special.from, special.to)) {
        ((ChainEnd::At(a), ChainEnd::At(b)), (ChainEnd::At(c), ChainEnd::At(d))) => {
            a.cell != b.cell && c.cell != d.cell && (a.digit != b.digit || c.digit == d.digit)
        }
        ((ChainEnd::Candidate(a), ChainEnd::Candidate(b)), (c, d)) => a != b && c != d,
        _ => false,
    }
}

/// Whether a rule asks for nothing but its chain, and perhaps for ends in different cells, where the other has such ends.
fn asks_for_no_more(general: &Variant, special: &Variant, chain: &Chain) -> bool {
    let apart = match (chain.from, chain.to) {
        (ChainEnd::At(a), ChainEnd::At(b)) => a.cell != b.cell,
        _ => special.body.iter().any(demands_two_cells),
    };
    general.body.iter().all(|one| matches!(one, Statement::Chain(_)) || apart && demands_two_cells(one))
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
