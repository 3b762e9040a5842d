//! Chains in Eureka notation.

use pinion::engine::{ChainNode, ChainStep, SourceMatch};
use pinion::grid::{Digit, Geometry};
use pinion::render::eureka;

fn board() -> Geometry {
    Geometry::standard(9).expect("a standard board")
}

/// Returns a node that a strong link reaches. `cells` are (row, column), counted from one.
fn strong(digit: u8, cells: &[(usize, usize)]) -> ChainStep {
    let cells = cells.iter().map(|&(row, column)| board().cell(row - 1, column - 1)).collect();
    ChainStep { strong: true, node: ChainNode { digit: Digit(digit - 1), cells }, source_match: None }
}

/// Returns a node that a weak link reaches, or the first node of an open chain.
fn weak(digit: u8, cells: &[(usize, usize)]) -> ChainStep {
    ChainStep { strong: false, ..strong(digit, cells) }
}

#[test]
fn two_nodes_in_a_bivalue_cell_are_written_as_one() {
    let chain = [
        weak(3, &[(2, 2)]),
        strong(8, &[(2, 2)]),
        weak(8, &[(2, 5)]),
        strong(9, &[(2, 5)]),
        weak(9, &[(2, 8)]),
        strong(7, &[(2, 8)]),
        weak(7, &[(5, 8)]),
        strong(3, &[(5, 8)]),
    ];
    assert_eq!(eureka(&board(), &chain), "(3=8)r2c2 - (8=9)r2c5 - (9=7)r2c8 - (7=3)r5c8");
}

#[test]
fn a_weak_link_within_a_cell_is_written_in_parentheses() {
    let chain = [weak(1, &[(1, 1)]), strong(1, &[(1, 5)]), weak(2, &[(1, 5)]), strong(2, &[(4, 5)])];
    assert_eq!(eureka(&board(), &chain), "(1)r1c1 = (1-2)r1c5 = (2)r4c5");
}

#[test]
fn a_loop_repeats_its_first_node_at_the_end() {
    let chain = [strong(2, &[(3, 1)]), weak(2, &[(3, 5)]), strong(2, &[(6, 5)]), weak(2, &[(6, 1)])];
    assert_eq!(eureka(&board(), &chain), "(2)r6c1 = (2)r3c1 - (2)r3c5 = (2)r6c5 - (2)r6c1");
}

#[test]
fn a_group_is_written_with_all_its_cells() {
    let chain = [weak(4, &[(1, 1)]), strong(4, &[(1, 5), (1, 6)]), weak(4, &[(2, 4)]), strong(4, &[(7, 4)])];
    assert_eq!(eureka(&board(), &chain), "(4)r1c1 = (4)r1c56 - (4)r2c4 = (4)r7c4");
}

#[test]
fn an_almost_locked_set_is_written_behind_its_two_digits() {
    let mut chain = [
        weak(4, &[(1, 1)]),
        strong(5, &[(1, 1)]),
        weak(5, &[(1, 5)]),
        strong(7, &[(1, 6)]),
        weak(7, &[(9, 6)]),
        strong(1, &[(9, 6)]),
    ];
    let cells = vec![board().cell(0, 4), board().cell(0, 5)];
    chain[3].source_match = Some(SourceMatch { source: "als".into(), cells, houses: Vec::new() });
    assert_eq!(eureka(&board(), &chain), "(4=5)r1c1 - (5=7)r1c56 - (7=1)r9c6");
}
