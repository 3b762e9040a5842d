//! Rules as clauses. In: a checked rule and the world in which the rule is read. Out: literals for the pattern and the
//! conclusions of the rule.
//!
//! Every literal stands for a statement about a state. This module guarantees that every real board, state, solution
//! and binding satisfies all clauses. So if a question has no model, there is no counterexample on any board that the
//! world describes. In the world of one board, the clauses are equivalent to the rule unless [`Encoder::inexact`] names
//! a construct.
//!
//! In reading order:
//!
//! - `world`: cells, houses, a state and its solution, built from a board. `open_world`: the same, built from a rule's names.
//! - `names`, `values`: values as literals. `exprs`, `sets`, `conditions`: the constructs of rules.
//! - `lemmas`: chains and suppositions by a lemma that covers all of them. `links`: chains link by link.
//! - `uniqueness`: arguments from the single solution. `claims`: conclusions. `lazy`: clauses added on demand.

mod claims;
mod conditions;
mod exprs;
mod lazy;
mod lemmas;
mod links;
mod names;
mod open_world;
mod sets;
mod uniqueness;
mod values;
mod world;

pub(super) use claims::{TargetEffects, TargetLits};
pub(super) use lemmas::node_expr;
pub(super) use links::LinkRules;
pub(super) use names::{NameLits, chosen_names};
pub(super) use open_world::{MOST_DIGITS, open_world};
pub(super) use uniqueness::givens;
pub(super) use values::Cells;
pub(super) use world::{World, board_layout, board_world, index_kind};

use super::circuit::Circuit;
use super::solver::Lit;
use super::verdict::{Lemma, Refusal};
use crate::lang::ir::{Expr, VAR_ID_END, VarId, Variant};
use lazy::LazyFact;
use open_world::HouseSlot;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use values::Lits;

/// The names of one pattern and their values.
#[derive(Clone)]
pub(super) struct Scope<'a> {
    pub variant: &'a Variant,
    pub args: &'a [u32],
    pub values: Vec<Option<NameLits>>,
    /// For each loop variable, the member for which the variable currently stands; `None` outside of the variable's
    /// loop.
    pub loop_members: Vec<Option<usize>>,
    /// Values of expressions, by the expression and its loop members. The map is never iterated.
    memo: FxHashMap<(Expr, Vec<Option<usize>>), Lits>,
}

impl<'a> Scope<'a> {
    pub fn new(variant: &'a Variant, args: &'a [u32]) -> Scope<'a> {
        let values = vec![None; variant.vars.len()];
        Scope { variant, args, values, loop_members: vec![None; VAR_ID_END], memo: FxHashMap::default() }
    }
}

/// The houses of the open world, and its generic digit.
#[derive(Default)]
pub(super) struct OpenSlots {
    pub houses: Vec<HouseSlot>,
    /// Index of the generic digit. It represents all digits without a name: if a conclusion is false for one of them, it is
    /// false for the generic digit.
    pub generic_digit: Option<usize>,
}

/// Translates patterns, as read in a world, to clauses of `circuit`.
pub(super) struct Encoder<'a> {
    pub circuit: Circuit,
    pub world: World,
    pub scope: Scope<'a>,
    pub slots: OpenSlots,
    /// A construct whose clauses are weaker than its meaning, or `None`. With such a construct, a model may be no
    /// counterexample.
    pub inexact: Option<&'static str>,
    /// Facts whose clauses are added only if a model violates them; see [`Encoder::solve`].
    pub lazy_facts: Vec<LazyFact>,
    /// Descriptions of the second grids, which are made from the solution by an exchange of digits. Because the solution
    /// is unique, each second grid equals it or solves another puzzle; a clause for each grid says so.
    pub second_grids: Vec<String>,
    pub lemmas: BTreeSet<Lemma>,
    /// Obstacles that would keep a rule from matching a chain or cluster that is encoded link by link.
    pub flaws: Vec<Flaw>,
}

/// An obstacle that keeps a rule from matching a chain or cluster that is encoded link by link. For a chain, the obstacle is a shorter
/// chain between the same ends that violates the required length; for a cluster, a further candidate that belongs to
/// the cluster.
#[derive(Clone, Debug)]
pub(super) struct Flaw {
    pub exists: Lit,
    pub nodes: Vec<FlawNode>,
}

#[derive(Clone, Debug)]
pub(super) struct FlawNode {
    /// For each candidate, the literal "the node has the candidate".
    pub candidates: Vec<Lit>,
    /// Reasons why a candidate does not count as a part of this node. Each inner list has a literal for each candidate,
    /// true if the reason applies to the candidate: for example, the candidate is absent.
    pub excuses: Vec<Vec<Lit>>,
}

impl<'a> Encoder<'a> {
    /// Makes an encoder whose names have no values yet.
    pub fn new(circuit: Circuit, world: World, scope: Scope<'a>, slots: OpenSlots) -> Encoder<'a> {
        Encoder {
            circuit,
            world,
            scope,
            slots,
            inexact: None,
            lazy_facts: Vec::new(),
            second_grids: Vec::new(),
            lemmas: BTreeSet::new(),
            flaws: Vec::new(),
        }
    }

    /// Runs `read` with another pattern's scope in place of the current one.
    pub fn in_scope<T>(&mut self, scope: Scope<'a>, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.scope, scope);
        let result = read(self);
        self.scope = outer;
        result
    }

    /// Runs `read` while a loop variable stands for the element with index `member`.
    fn with_loop_variable<T>(&mut self, variable: VarId, member: usize, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scope.loop_members[variable.0].replace(member);
        let result = read(self);
        self.scope.loop_members[variable.0] = outer;
        result
    }

    pub fn digits(&self) -> usize {
        self.world.digits.len()
    }
}

/// Returns `count` literals of which only the one at index `member` is true.
fn one_hot(count: usize, member: usize) -> Vec<Lit> {
    (0..count).map(|index| Lit::constant(index == member)).collect()
}
