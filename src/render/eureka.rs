//! Chains in Eureka notation. In: the nodes of a chain. Out: `(3=8)r2c2 - (8=9)r2c5`: neighbouring nodes in
//! the same cells share their name, `=` is a strong link and `-` a weak one. Two digits of a set of cells, linked
//! strongly, stand before the whole set: `(3=8)r1c12,r2c3`. A loop begins with a strong link and ends where it began:
//! `(1=2)r1c1 - (2=1)r1c2 - (1)r1c1`.

use crate::engine::ChainStep;
use crate::grid::{Cell, Geometry, notation};

/// The chain as text.
pub fn eureka(geometry: &Geometry, chain: &[ChainStep]) -> String {
    match chain {
        [first, .., last] if first.strong => {
            let mut round = chain.to_vec();
            round.rotate_right(1);
            round.push(ChainStep { strong: false, node: last.node.clone(), via: None });
            written(geometry, &round)
        }
        _ => written(geometry, chain),
    }
}

fn written(geometry: &Geometry, chain: &[ChainStep]) -> String {
    let mut out = String::new();
    let mut at = 0;
    while at < chain.len() {
        let (cells, end) = run(chain, at);
        if at > 0 {
            out.push_str(if chain[at].strong { " = " } else { " - " });
        }
        out.push('(');
        for (place, step) in chain[at..end].iter().enumerate() {
            if place > 0 {
                out.push(if step.strong { '=' } else { '-' });
            }
            out.push(step.node.digit.symbol());
        }
        out.push(')');
        out.push_str(&notation::cells(geometry, cells));
        at = end;
    }
    out
}

/// The cells that the nodes from a place on have in common, and where these nodes end.
fn run(chain: &[ChainStep], at: usize) -> (&[Cell], usize) {
    if let Some(cells) = wide(chain, at) {
        return (cells, at + 2);
    }
    let cells = &chain[at].node.cells;
    let same =
        |end: &usize| chain.get(*end).is_some_and(|step| step.node.cells == *cells) && wide(chain, *end).is_none();
    let end = (at + 1..).find(|end| !same(end)).unwrap_or(chain.len());
    (cells, end)
}

/// The cells that make a strong link from this node to the next, if the two are different digits in different cells.
fn wide(chain: &[ChainStep], at: usize) -> Option<&[Cell]> {
    let (here, next) = (chain.get(at)?, chain.get(at + 1)?);
    let apart = here.node.digit != next.node.digit && here.node.cells != next.node.cells;
    next.via.as_ref().filter(|_| next.strong && apart).map(|via| via.cells.as_slice())
}
