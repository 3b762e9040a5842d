//! Chains in Eureka notation.

use pinion::engine::{ChainNode, ChainStep, SourceMatch};
use pinion::grid::{Digit, Geometry};
use pinion::render::eureka;

/// A node of a chain: whether it is reached by a strong link, its digit, and its cells as (row, column), counted from one.
type Node<'n> = (bool, u8, &'n [(usize, usize)]);

fn chain_of(nodes: &[Node]) -> Vec<ChainStep> {
    let geometry = Geometry::standard(9).unwrap();
    let cells = |at: &[(usize, usize)]| at.iter().map(|&(row, column)| geometry.cell(row - 1, column - 1)).collect();
    let step = |&(strong, digit, at): &Node| {
        let node = ChainNode { digit: Digit(digit - 1), cells: cells(at) };
        ChainStep { strong, node, source_match: None }
    };
    nodes.iter().map(step).collect()
}

fn eureka_text(nodes: &[Node]) -> String {
    eureka(&Geometry::standard(9).unwrap(), &chain_of(nodes))
}

#[test]
fn two_nodes_in_a_bivalue_cell_are_written_as_one() {
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
    assert_eq!(eureka_text(nodes), "(3=8)r2c2 - (8=9)r2c5 - (9=7)r2c8 - (7=3)r5c8");
}

#[test]
fn a_weak_link_within_a_cell_is_written_in_parentheses() {
    let nodes: &[Node] = &[(false, 1, &[(1, 1)]), (true, 1, &[(1, 5)]), (false, 2, &[(1, 5)]), (true, 2, &[(4, 5)])];
    assert_eq!(eureka_text(nodes), "(1)r1c1 = (1-2)r1c5 = (2)r4c5");
}

#[test]
fn a_loop_repeats_its_first_node_at_the_end() {
    let nodes: &[Node] = &[(true, 2, &[(3, 1)]), (false, 2, &[(3, 5)]), (true, 2, &[(6, 5)]), (false, 2, &[(6, 1)])];
    assert_eq!(eureka_text(nodes), "(2)r6c1 = (2)r3c1 - (2)r3c5 = (2)r6c5 - (2)r6c1");
}

#[test]
fn a_group_is_written_with_all_its_cells() {
    let nodes: &[Node] =
        &[(false, 4, &[(1, 1)]), (true, 4, &[(1, 5), (1, 6)]), (false, 4, &[(2, 4)]), (true, 4, &[(7, 4)])];
    assert_eq!(eureka_text(nodes), "(4)r1c1 = (4)r1c56 - (4)r2c4 = (4)r7c4");
}

#[test]
fn an_almost_locked_set_is_written_behind_its_two_digits() {
    let mut steps = chain_of(&[
        (false, 4, &[(1, 1)]),
        (true, 5, &[(1, 1)]),
        (false, 5, &[(1, 5)]),
        (true, 7, &[(1, 6)]),
        (false, 7, &[(9, 6)]),
        (true, 1, &[(9, 6)]),
    ]);
    let geometry = Geometry::standard(9).unwrap();
    let cells = vec![geometry.cell(0, 4), geometry.cell(0, 5)];
    steps[3].source_match = Some(SourceMatch { source: "als".into(), cells, houses: Vec::new() });
    assert_eq!(eureka(&geometry, &steps), "(4=5)r1c1 - (5=7)r1c56 - (7=1)r9c6");
}
