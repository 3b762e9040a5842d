//! A rule as a question. In: a variant, its arguments, where to read it. Out: an [`Encoder`] in which the
//! pattern is demanded, names stand for something and what is only a renaming is left out.

use super::circuit::Circuit;
use super::encode::{Encoder, Refusal, Scope, Unnamed, board_layout, board_world, free_world};
use super::prover::Rule;
use super::solver::Lit;
use super::symmetry::break_symmetry;
use crate::grid::Geometry;
use crate::lang::ir::{Chain, Condition, LinkSource, Statement, Variant};

/// Half of the largest board.
const MOST_HALF: u32 = 12;

/// Where a rule is read.
#[derive(Clone, Copy)]
pub(super) enum Place<'g> {
    /// From the cited facts alone, on any board.
    Anywhere,
    /// On this board.
    Board(&'g Geometry),
}

/// How a chain of open length is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chains {
    /// By what it proves of its ends.
    Ends,
    /// Link by link, with this many strong links.
    Links(usize),
}

/// Reads a variant and demands its pattern.
pub(super) fn pose<'a>(
    place: Place<'_>,
    rule: Rule<'a>,
    sources: &'a [LinkSource],
    chains: Chains,
) -> Result<Encoder<'a>, Refusal> {
    let Rule { variant, args, unique } = rule;
    let mut circuit = Circuit::new();
    let (world, layout, unnamed, half) = match place {
        Place::Anywhere => {
            let (world, layout, unnamed) = free_world(&mut circuit, variant, args, MOST_HALF)?;
            (world, layout, unnamed, MOST_HALF)
        }
        Place::Board(geometry) => {
            let world = board_world(&mut circuit, geometry);
            let layout = board_layout(variant, world.count(), world.houses.len(), geometry.size());
            (world, layout, Unnamed::default(), geometry.size() as u32 / 2)
        }
    };
    let mut encoder =
        Encoder { circuit, world, scope: Scope::new(variant, args), unnamed, half, loose: None, exchange: Vec::new() };
    if unique || asks_the_puzzle(variant) {
        encoder.world.open_puzzle(&mut encoder.circuit);
    }
    encoder.bind_names(&layout)?;
    for statement in &variant.body {
        let demands = match statement {
            Statement::Chain(chain) => chain_demands(&mut encoder, chain, sources, chains)?,
            _ => encoder.demands(statement)?,
        };
        demands.into_iter().for_each(|demand| encoder.circuit.clause(&[demand]));
    }
    encoder.order_digits()?;
    if let Place::Board(geometry) = place {
        break_symmetry(&mut encoder, geometry);
    }
    if unique {
        encoder.exchange = encoder.exchanges()?;
    }
    Ok(encoder)
}

fn chain_demands<'a>(
    encoder: &mut Encoder<'a>,
    chain: &Chain,
    sources: &'a [LinkSource],
    chains: Chains,
) -> Result<Vec<Lit>, Refusal> {
    let used = sources_of(chain, sources)?;
    match chains {
        Chains::Ends => encoder.chain_facts(chain, &used),
        Chains::Links(strong) => encoder.chain_links(chain, &used, strong),
    }
}

/// The sources that a chain names.
pub(super) fn sources_of<'a>(chain: &Chain, sources: &'a [LinkSource]) -> Result<Vec<&'a LinkSource>, Refusal> {
    let find = |name: &String| {
        sources.iter().find(|source| source.id == *name).ok_or_else(|| format!("no strong link `{name}` is declared"))
    };
    chain.strong.iter().map(find).collect()
}

/// The open chains of a variant.
pub(super) fn chains_of(variant: &Variant) -> impl Iterator<Item = &Chain> {
    variant.body.iter().filter_map(|statement| match statement {
        Statement::Chain(chain) => Some(chain),
        _ => None,
    })
}

/// Whether a pattern asks what the puzzle itself leaves possible.
fn asks_the_puzzle(variant: &Variant) -> bool {
    fn asks(condition: &Condition) -> bool {
        matches!(condition, Condition::OpenTo(..)) || condition.parts().into_iter().any(asks)
    }
    variant.body.iter().any(|statement| match statement {
        Statement::Choose(choose) => choose.such_that.iter().any(asks),
        Statement::Require(condition) => asks(condition),
        _ => false,
    })
}
