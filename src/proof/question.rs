//! A rule as a question. In: a variant, its arguments, and where to read it. Out: an [`Encoder`] in which the pattern is
//! demanded, names have values, and mere renamings are excluded.

use super::circuit::Circuit;
use super::encode::{Encoder, Refusal, Scope, Unnamed, board_layout, board_world, free_world};
use super::prover::{Prover, Rule};
use super::solver::{Answer, Lit};
use super::symmetry::break_symmetry;
use crate::grid::{Geometry, State};
use crate::lang::ir::{Condition, LinkShape, LinkSource, Node, Statement, Technique, Variant};
use std::collections::BTreeSet;

/// Half of the largest board.
const MOST_HALF: u32 = 12;

/// The world in which a rule is read.
#[derive(Clone, Copy)]
pub(super) enum Place<'g> {
    /// From the cited facts alone, on any board.
    Anywhere,
    /// On this board, up to the names of digits and the symmetries of the board.
    Board(&'g Geometry),
    /// This board, with all of its states, including those that differ only by a symmetry.
    State(&'g Geometry),
}

/// Encoding of chains of open length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chains {
    /// By what it proves of its ends.
    Ends,
    /// Link by link, with this many strong links.
    Links(usize),
}

impl Prover<'_> {
    /// Reads a variant and demands its pattern.
    pub(super) fn pose<'a>(&'a self, place: Place<'_>, rule: Rule<'a>, chains: Chains) -> Result<Encoder<'a>, Refusal> {
        let mut encoder =
            begin(place, rule, Circuit::until(self.halt.clone(), self.transcripts.begin(), self.limits.literals))?;
        for statement in &rule.variant.body {
            if self.halt.is_due() {
                return Err(Refusal::GivenUp);
            }
            let demands = match chains {
                Chains::Ends => facts(&mut encoder, statement, self.sources)?,
                Chains::Links(strong) => links(&mut encoder, statement, self.sources, strong)?,
            };
            demands.into_iter().for_each(|demand| encoder.circuit.clause(&[demand]));
        }
        if !matches!(place, Place::State(_)) {
            encoder.order_digits()?;
        }
        if let Place::Board(geometry) = place {
            break_symmetry(&mut encoder, geometry);
        }
        if rule.unique {
            encoder.exchange = encoder.exchanges()?;
        }
        Ok(encoder)
    }
}

/// The names of a variant, of whose pattern nothing is demanded yet.
pub(super) fn begin<'a>(place: Place<'_>, rule: Rule<'a>, mut circuit: Circuit) -> Result<Encoder<'a>, Refusal> {
    let Rule { variant, args, unique } = rule;
    let (world, layout, unnamed, half) = match place {
        Place::Anywhere => {
            let (world, layout, unnamed) = free_world(&mut circuit, variant, args, MOST_HALF)?;
            (world, layout, unnamed, MOST_HALF)
        }
        Place::Board(geometry) | Place::State(geometry) => {
            let world = board_world(&mut circuit, geometry);
            let layout = board_layout(variant, world.count(), world.houses.len(), geometry.size());
            (world, layout, Unnamed::default(), geometry.size() as u32 / 2)
        }
    };
    let mut encoder = Encoder {
        circuit,
        world,
        scope: Scope::new(variant, args),
        unnamed,
        half,
        loose: None,
        owed: Vec::new(),
        exchange: Vec::new(),
        lemmas: BTreeSet::new(),
        flaws: Vec::new(),
    };
    if unique || asks_the_puzzle(variant) {
        encoder.world.open_puzzle(&mut encoder.circuit);
    }
    encoder.bind_names(&layout, !matches!(place, Place::State(_)))?;
    Ok(encoder)
}

/// Facts about a statement; for patterns of links, those that their lemmas provide.
fn facts<'a>(encoder: &mut Encoder<'a>, statement: &Statement, sources: &'a [LinkSource]) -> Result<Vec<Lit>, Refusal> {
    match statement {
        Statement::Graph(graph) => {
            let on = graph.on.as_ref();
            match &graph.shape {
                LinkShape::Chain(chain) => encoder.chain_facts(on, chain, &sources_of(&graph.strong, sources)?),
                LinkShape::Loop(round) => encoder.loop_facts(on, round),
                LinkShape::Cluster(cluster) => encoder.cluster_facts(on, cluster),
                LinkShape::Ring(ring) => encoder.ring_facts(on, ring),
            }
        }
        Statement::Suppose(suppose) => encoder.suppose_facts(suppose),
        _ => encoder.demands(statement),
    }
}

/// Literals that lay out a statement link by link.
fn links<'a>(
    encoder: &mut Encoder<'a>,
    statement: &Statement,
    sources: &'a [LinkSource],
    strong: usize,
) -> Result<Vec<Lit>, Refusal> {
    let Some(graph) = statement.graph() else { return encoder.demands(statement) };
    let on = graph.on.as_ref();
    match &graph.shape {
        LinkShape::Chain(chain) => encoder.chain_links(on, chain, &sources_of(&graph.strong, sources)?, strong),
        LinkShape::Cluster(one) => encoder.cluster_links(on, one, &sources_of(&graph.strong, sources)?, strong + 1),
        LinkShape::Loop(_) | LinkShape::Ring(_) => encoder.demands(statement),
    }
}

/// The sources that these names stand for.
pub(super) fn sources_of<'a>(names: &[String], sources: &'a [LinkSource]) -> Result<Vec<&'a LinkSource>, Refusal> {
    let find =
        |name: &String| sources.iter().find(|source| source.id == *name).ok_or_else(|| Refusal::NoSource(name.clone()));
    names.iter().map(find).collect()
}

/// Statements about which only lemmas are known: patterns of links, and assumptions.
pub(super) fn by_lemma(variant: &Variant) -> impl Iterator<Item = &Statement> {
    variant.body.iter().filter(|statement| matches!(statement, Statement::Graph(_) | Statement::Suppose(_)))
}

/// Returns true if a pattern asks which digits the puzzle itself leaves possible.
fn asks_the_puzzle(variant: &Variant) -> bool {
    let asks = |node: Node<'_>| matches!(node, Node::Condition(Condition::GivensAllow(..)));
    variant.nodes().any(|node| node.has(&asks))
}

/// Result of reading a rule in one state. Used to compare the encoder with the reference evaluator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// True if the pattern matches.
    pub matches: bool,
    /// True if a match has an elimination or placement that some solution of the state contradicts.
    pub wrong: bool,
}

impl Prover<'_> {
    /// Reads one member in a state of the prover's board that has a solution. `None` if a construct has no exact encoding,
    /// or if the limit on conflicts is reached.
    pub fn reading(&self, technique: &Technique, args: &[u32], variant: usize, state: &State) -> Option<Reading> {
        let variant = technique.variants.get(variant)?;
        let rule = Rule { variant, args, unique: false };
        let place = Place::State(self.geometry);
        let mut posed = self.pose_at(place, rule, Chains::Ends).ok()?;
        if posed.encoder.loose.is_some() {
            return None;
        }
        for (cell, lits) in self.geometry.cells().zip(&posed.encoder.world.cells) {
            let mut facts = vec![(lits.unsolved, state.value(cell).is_none())];
            for digit in 0..self.geometry.size() {
                let digits = [Some(state.candidates(cell)), (!lits.open.is_empty()).then(|| state.open(cell))];
                let known = [Some(lits.candidate[digit]), lits.open.get(digit).copied()];
                let both = known.into_iter().zip(digits).filter_map(|(lit, digits)| Some((lit?, digits?)));
                facts.extend(both.map(|(lit, digits)| (lit, digits.0 >> digit & 1 == 1)));
            }
            facts.extend(state.value(cell).map(|value| (lits.solution[value.index()], true)));
            for (lit, holds) in facts {
                posed.encoder.circuit.clause(&[if holds { lit } else { !lit }]);
            }
        }
        let mut asked = |assumed: &[Lit]| match posed.encoder.solve(assumed, self.limits.board) {
            Answer::Yes(_) => Some(true),
            Answer::No => Some(false),
            Answer::Limit => None,
        };
        Some(Reading { matches: asked(&[])?, wrong: asked(&[posed.wrong])? })
    }
}
