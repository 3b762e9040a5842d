//! Rules as clauses. In: the checked form of a rule and a world to read it in. Out: literals for its pattern and its
//! conclusions.
//!
//! Every literal stands for a statement about a state. All of this module keeps one promise: whatever a real board, state,
//! solution and binding are, their truth values satisfy all clauses. So a question without a model has no counterexample on
//! any board that the world describes. On the world of one board the clauses say neither more nor less than the rule, unless
//! [`Encoder::loose`] names a construct.
//!
//! In reading order: `world` (cells, houses, a state and its solution; built from a board) and `open_world` (built from a
//! rule's names); `names` and `values` (values as literals); `exprs`, `sets`, `conditions`; `lemmas`, `links`, `uniqueness`
//! (chains and assumptions, by lemma or link by link; single solutions); `claims` (conclusions); `lazy` (clauses added on
//! demand).

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

pub(super) use claims::{Concluded, TargetLits};
pub(super) use lemmas::noun;
pub(super) use links::LinkRules;
pub(super) use names::{Bound, chosen_names};
pub(super) use open_world::{DIGITS, free_world};
pub(super) use uniqueness::givens;
pub(super) use values::Cells;
pub(super) use world::{World, board_layout, board_world, index_kind};

use super::circuit::Circuit;
use super::solver::Lit;
use super::verdict::{Lemma, Refusal};
use crate::lang::ir::{Condition, Expr, HouseClass, VAR_ID_END, VarId, Variant};
use lazy::Owed;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use values::Lits;

/// The names of one pattern and what they stand for.
#[derive(Clone)]
pub(super) struct Scope<'a> {
    pub variant: &'a Variant,
    pub args: &'a [u32],
    pub bound: Vec<Option<Bound>>,
    /// The member that a running name of the rule or of a definition stands for now.
    pub running: Vec<Option<usize>>,
    /// Values of expressions, by the values of the names that run outside of them; never iterated.
    memo: FxHashMap<(Expr, Vec<Option<usize>>), Lits>,
}

impl<'a> Scope<'a> {
    /// A scope in which no name has a value.
    pub fn new(variant: &'a Variant, args: &'a [u32]) -> Scope<'a> {
        let bound = vec![None; variant.vars.len()];
        Scope { variant, args, bound, running: vec![None; VAR_ID_END], memo: FxHashMap::default() }
    }
}

/// Houses that no name stands for but that a condition speaks of, by the condition.
#[derive(Clone, Debug, Default)]
pub(super) struct Unnamed {
    /// The house in which a digit has just two places.
    pub conjugate: Vec<(Condition, usize)>,
    /// `row(c)` and its like.
    pub through: Vec<(HouseClass, VarId, usize)>,
    /// The digit that stands for any digit without a name that a conclusion is wrong about.
    pub generic: Option<usize>,
}

/// Reads patterns in a world.
pub(super) struct Encoder<'a> {
    pub circuit: Circuit,
    pub world: World,
    pub scope: Scope<'a>,
    pub unnamed: Unnamed,
    /// Half of the board's size: the end of an open range.
    pub half: u32,
    /// A construct of which the clauses say less than it means: a model may be no counterexample.
    pub loose: Option<&'static str>,
    /// Facts that are encoded only as far as a model violates them; see [`Encoder::solve`].
    pub owed: Vec<Owed>,
    /// The second grids that are demanded to be the solution or none, in words.
    pub exchange: Vec<String>,
    /// The lemmas that clauses were taken from.
    pub lemmas: BTreeSet<Lemma>,
    /// Obstacles that would keep a rule from seeing a layout.
    pub flaws: Vec<Flaw>,
}

/// An obstacle that keeps a rule from seeing a laid-out chain or cluster: a chain between the same ends that is too short,
/// or a further candidate that belongs to the cluster.
#[derive(Clone, Debug)]
pub(super) struct Flaw {
    /// Literal: the obstacle exists.
    pub is: Lit,
    /// The nodes that it is made of.
    pub nodes: Vec<FlawNode>,
}

/// A node of a flaw.
#[derive(Clone, Debug)]
pub(super) struct FlawNode {
    /// For each candidate, a literal: the node has it.
    pub at: Vec<Lit>,
    /// For each candidate, literals of which one must hold if it no longer belongs to the obstacle.
    pub unless: Vec<Vec<Lit>>,
}

impl<'a> Encoder<'a> {
    /// Makes an encoder whose names have no values yet.
    pub fn new(circuit: Circuit, world: World, scope: Scope<'a>, unnamed: Unnamed, half: u32) -> Encoder<'a> {
        let (owed, exchange, lemmas, flaws) = (Vec::new(), Vec::new(), BTreeSet::new(), Vec::new());
        Encoder { circuit, world, scope, unnamed, half, loose: None, owed, exchange, lemmas, flaws }
    }

    /// Reads with another pattern's scope in place of the current one.
    pub fn in_scope<T>(&mut self, scope: Scope<'a>, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.scope, scope);
        let made = read(self);
        self.scope = outer;
        made
    }

    /// Reads with a running name standing for one member of what it runs over.
    fn with_running<T>(&mut self, name: VarId, member: usize, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scope.running[name.0].replace(member);
        let made = read(self);
        self.scope.running[name.0] = outer;
        made
    }

    /// Number of digits of the world.
    pub fn digits(&self) -> usize {
        self.world.digits.len()
    }
}

/// The literals of one member of a set: true for it, false for the others.
fn one_hot(count: usize, member: usize) -> Vec<Lit> {
    (0..count).map(|other| Lit::constant(other == member)).collect()
}
