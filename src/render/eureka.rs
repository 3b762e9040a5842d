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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{ChainNode, Via};
    use crate::grid::Digit;

    type Node<'n> = (bool, u8, &'n [(usize, usize)]);

    fn chain(nodes: &[Node]) -> Vec<ChainStep> {
        let geometry = Geometry::standard(9).unwrap();
        let cells =
            |at: &[(usize, usize)]| at.iter().map(|&(row, column)| geometry.cell(row - 1, column - 1)).collect();
        let step = |&(strong, digit, at): &Node| {
            let node = ChainNode { digit: Digit(digit - 1), cells: cells(at) };
            ChainStep { strong, node, via: None }
        };
        nodes.iter().map(step).collect()
    }

    fn text(nodes: &[Node]) -> String {
        eureka(&Geometry::standard(9).unwrap(), &chain(nodes))
    }

    #[test]
    fn bivalue_cells_are_one_group_each() {
        let nodes: &[Node] = &[
            (false, 3, &[(2, 2)]),
            (true, 8, &[(2, 2)]),
            (false, 8, &[(2, 5)]),
            (true, 9, &[(2, 5)]),
            (false, 9, &[(2, 8)]),
            (true, 7, &[(2, 8)]),
            (false, 7, &[(5, 8)]),
            (true, 3, &[(5, 8)]),
        ];
        assert_eq!(text(nodes), "(3=8)r2c2 - (8=9)r2c5 - (9=7)r2c8 - (7=3)r5c8");
    }

    #[test]
    fn weak_links_inside_a_cell_and_strong_ones_between_cells() {
        let nodes: &[Node] =
            &[(false, 1, &[(1, 1)]), (true, 1, &[(1, 5)]), (false, 2, &[(1, 5)]), (true, 2, &[(4, 5)])];
        assert_eq!(text(nodes), "(1)r1c1 = (1-2)r1c5 = (2)r4c5");
    }

    #[test]
    fn a_loop_ends_where_it_began() {
        let nodes: &[Node] =
            &[(true, 2, &[(3, 1)]), (false, 2, &[(3, 5)]), (true, 2, &[(6, 5)]), (false, 2, &[(6, 1)])];
        assert_eq!(text(nodes), "(2)r6c1 = (2)r3c1 - (2)r3c5 = (2)r6c5 - (2)r6c1");
    }

    #[test]
    fn groups_have_their_cells() {
        let nodes: &[Node] =
            &[(false, 4, &[(1, 1)]), (true, 4, &[(1, 5), (1, 6)]), (false, 4, &[(2, 4)]), (true, 4, &[(7, 4)])];
        assert_eq!(text(nodes), "(4)r1c1 = (4)r1c56 - (4)r2c4 = (4)r7c4");
    }

    #[test]
    fn a_set_of_cells_stands_behind_its_two_digits() {
        let mut steps = chain(&[
            (false, 4, &[(1, 1)]),
            (true, 5, &[(1, 1)]),
            (false, 5, &[(1, 5)]),
            (true, 7, &[(1, 6)]),
            (false, 7, &[(9, 6)]),
            (true, 1, &[(9, 6)]),
        ]);
        let geometry = Geometry::standard(9).unwrap();
        let cells = vec![geometry.cell(0, 4), geometry.cell(0, 5)];
        steps[3].via = Some(Via { source: "als".into(), cells, houses: Vec::new() });
        assert_eq!(eureka(&geometry, &steps), "(4=5)r1c1 - (5=7)r1c56 - (7=1)r9c6");
    }
}
