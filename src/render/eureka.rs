//! Chains in Eureka notation. In: the nodes of a chain. Out: `(3=8)r2c2 - (8=9)r2c5`: neighbouring nodes in
//! one cell share its name, `=` is a strong link and `-` a weak one.

use crate::engine::ChainStep;
use crate::grid::{Geometry, notation};

/// The chain as text.
pub fn eureka(geometry: &Geometry, chain: &[ChainStep]) -> String {
    let mut out = String::new();
    for run in chain.chunk_by(|a, b| a.node.cell == b.node.cell) {
        if !out.is_empty() {
            out.push_str(if run[0].strong { " = " } else { " - " });
        }
        out.push('(');
        for (place, step) in run.iter().enumerate() {
            if place > 0 {
                out.push(if step.strong { '=' } else { '-' });
            }
            out.push(step.node.digit.symbol());
        }
        out.push(')');
        out.push_str(&notation::cell(geometry, run[0].node.cell));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Candidate, Digit};

    fn chain(nodes: &[(bool, u8, usize, usize)]) -> String {
        let geometry = Geometry::standard(9).unwrap();
        let steps: Vec<ChainStep> = nodes
            .iter()
            .map(|&(strong, digit, row, column)| ChainStep {
                strong,
                node: Candidate::new(Digit(digit - 1), geometry.cell(row - 1, column - 1)),
            })
            .collect();
        eureka(&geometry, &steps)
    }

    #[test]
    fn bivalue_cells_are_one_group_each() {
        let nodes = [
            (false, 3, 2, 2),
            (true, 8, 2, 2),
            (false, 8, 2, 5),
            (true, 9, 2, 5),
            (false, 9, 2, 8),
            (true, 7, 2, 8),
            (false, 7, 5, 8),
            (true, 3, 5, 8),
        ];
        assert_eq!(chain(&nodes), "(3=8)r2c2 - (8=9)r2c5 - (9=7)r2c8 - (7=3)r5c8");
    }

    #[test]
    fn weak_links_inside_a_cell_and_strong_ones_between_cells() {
        let nodes = [(false, 1, 1, 1), (true, 1, 1, 5), (false, 2, 1, 5), (true, 2, 4, 5)];
        assert_eq!(chain(&nodes), "(1)r1c1 = (1-2)r1c5 = (2)r4c5");
    }

    #[test]
    fn a_single_digit_walks_from_cell_to_cell() {
        let nodes = [(false, 4, 1, 1), (true, 4, 1, 5), (false, 4, 2, 4), (true, 4, 7, 4)];
        assert_eq!(chain(&nodes), "(4)r1c1 = (4)r1c5 - (4)r2c4 = (4)r7c4");
    }
}
