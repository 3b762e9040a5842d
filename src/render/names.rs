//! Writes names of cells, houses, candidates and chains. In: these values and their board. Out: text in Sudoku notation, or English
//! phrases that contain the notation. The comment of a function is an example of its output.

use crate::engine::{ChainNode, ChainStep};
use crate::grid::{Candidate, Cell, Contradiction, Digit, DigitSet, Geometry, HouseId, notation};
use crate::solve::is_loop;
pub use crate::solve::{digits_in_words, join_words};
use std::collections::BTreeMap;

#[derive(Clone, Copy)]
pub(super) struct BoardNames<'g> {
    pub board: &'g Geometry,
}

/// The most cells that a sentence names one by one.
const FEW_CELLS: usize = 5;
/// The most digits for which a sentence lists eliminations in words.
const FEW_DIGITS: usize = 3;

impl<'g> BoardNames<'g> {
    pub fn new(board: &'g Geometry) -> BoardNames<'g> {
        BoardNames { board }
    }

    /// `r1c2`.
    pub fn cell(self, cell: Cell) -> String {
        notation::cell(self.board, cell)
    }

    /// `r1c25,r45c6`.
    pub fn cells(self, cells: &[Cell]) -> String {
        notation::cells(self.board, cells)
    }

    /// `r1c2, r1c5 and r4c6`; more than [`FEW_CELLS`] cells as `r1c25,r45c6`.
    pub fn cells_in_words(self, cells: &[Cell]) -> String {
        if cells.len() > FEW_CELLS {
            return self.cells(cells);
        }
        let cells: Vec<String> = cells.iter().map(|&cell| self.cell(cell)).collect();
        join_words(&cells, "and")
    }

    /// `row 3`.
    pub fn house(self, house: HouseId) -> String {
        self.board.house(house).to_string()
    }

    /// `r13b2`.
    pub fn houses(self, houses: &[HouseId]) -> String {
        notation::houses(self.board, houses)
    }

    /// `rows 1 and 3 and box 2`.
    pub fn houses_in_words(self, houses: &[HouseId]) -> String {
        notation::houses_in_words(self.board, houses)
    }

    /// `(5)r1c25, (7)r5c5`.
    pub fn candidates(self, candidates: &[Candidate]) -> String {
        notation::candidates(self.board, candidates)
    }

    /// `the candidates 3 in r5c5, r5c9 and r4c4`. Cells with the same digits are grouped.
    pub fn candidates_in_words(self, candidates: &[Candidate]) -> String {
        let mut groups: Vec<(DigitSet, Vec<Cell>)> = Vec::new();
        let mut cells: Vec<Cell> = candidates.iter().map(|candidate| candidate.cell).collect();
        cells.sort_unstable();
        cells.dedup();
        for cell in cells {
            let in_cell = candidates.iter().filter(|candidate| candidate.cell == cell);
            let digits: DigitSet = in_cell.map(|candidate| candidate.digit).collect();
            match groups.iter_mut().find(|(group_digits, _)| *group_digits == digits) {
                Some((_, cells)) => cells.push(cell),
                None => groups.push((digits, vec![cell])),
            }
        }
        let phrases = groups
            .iter()
            .map(|(digits, cells)| format!("{} in {}", digits_in_words(*digits), self.cells_in_words(cells)));
        let noun = if candidates.len() == 1 { "the candidate" } else { "the candidates" };
        format!("{noun} {}", join_words(&phrases.collect::<Vec<_>>(), "and"))
    }

    /// `r5c5 or r5c9 is 3`, `r5c5 is 3 or r4c4 is 7`.
    pub fn some_is_true(self, candidates: &[Candidate]) -> String {
        let clauses = by_digit(candidates).into_iter().map(|(digit, cells)| match cells.len() {
            0..=FEW_CELLS => {
                let cells: Vec<String> = cells.iter().map(|&cell| self.cell(cell)).collect();
                format!("{} is {digit}", join_words(&cells, "or"))
            }
            _ => format!("{digit} is in {}", self.cells(&cells)),
        });
        join_words(&clauses.collect::<Vec<_>>(), "or")
    }

    /// `r5c5 and r5c9 are not 3`, `r5c5 is not 3 and r4c4 is not 7`; for more than [`FEW_DIGITS`] digits `r1c1<>5 r2c34<>3`.
    pub fn all_are_false(self, candidates: &[Candidate]) -> String {
        let cells_by_digit = by_digit(candidates);
        if cells_by_digit.len() > FEW_DIGITS {
            return self.deductions(candidates, &[]);
        }
        let clauses = cells_by_digit.into_iter().map(|(digit, cells)| {
            let verb = if cells.len() == 1 { "is" } else { "are" };
            format!("{} {verb} not {digit}", self.cells_in_words(&cells))
        });
        join_words(&clauses.collect::<Vec<_>>(), "and")
    }

    /// `5 in r1c1`.
    pub fn digit_in_cell(self, candidate: Candidate) -> String {
        format!("{} in {}", candidate.digit, self.cell(candidate.cell))
    }

    /// `r4c5 = 3`, `r4c5 is not 3`.
    pub fn literal(self, (candidate, holds): (Candidate, bool)) -> String {
        let verb = if holds { "=" } else { "is not" };
        format!("{} {verb} {}", self.cell(candidate.cell), candidate.digit)
    }

    /// `(5)r1c25`.
    pub fn node(self, node: &ChainNode) -> String {
        format!("({}){}", node.digit, self.cells(&node.cells))
    }

    /// `r1c1 is 5`, `5 is in r1c25` for a node of several cells; `r1c1 is not 5` if `holds` is false.
    pub fn node_claim(self, node: &ChainNode, holds: bool) -> String {
        let verb = if holds { "is" } else { "is not" };
        match node.only() {
            Some(candidate) => format!("{} {verb} {}", self.cell(candidate.cell), candidate.digit),
            None => format!("{} {verb} in {}", node.digit, self.cells(&node.cells)),
        }
    }

    /// `r1c1=5` or `r1c1<>5`.
    pub fn deduction(self, candidate: Candidate, placed: bool) -> String {
        notation::deduction(self.board, candidate, placed)
    }

    /// `r1c1=5 r2c34<>3`.
    pub fn deductions(self, eliminations: &[Candidate], placements: &[Candidate]) -> String {
        notation::deductions(self.board, eliminations, placements)
    }

    /// `row 3 has no place left for 5`, `r1c1 has no candidate left`.
    pub fn contradiction(self, contradiction: Contradiction) -> String {
        match contradiction {
            Contradiction::EmptyCell(cell) => format!("{} has no candidate left", self.cell(cell)),
            Contradiction::NoPlace(digit, house) => format!("{} has no place left for {digit}", self.house(house)),
            Contradiction::Repeated(digit, house) => format!("{digit} is twice in {}", self.house(house)),
            Contradiction::SeenTwice(digit, a, b) => {
                format!("{digit} is in both {} and {}, which see each other", self.cell(a), self.cell(b))
            }
        }
    }

    /// `(3=8)r2c2 - (8=9)r2c5`: a chain in Eureka notation.
    ///
    /// `=` is a strong link, `-` a weak link. Consecutive nodes in the same cells share the name of these cells. Two digits with a strong
    /// link through a set of cells stand before the whole set: `(3=8)r1c12,r2c3`. The text of a loop begins and ends with the same node:
    /// `(1=2)r1c1 - (2=1)r1c2 - (1)r1c1`.
    pub fn chain(self, chain: &[ChainStep]) -> String {
        match chain.last() {
            // The text begins and ends with the last node. A strong link leads from the last node to the first.
            Some(last) if is_loop(chain) => {
                let mut closed = chain.to_vec();
                closed.rotate_right(1);
                closed.push(ChainStep { strong: false, node: last.node.clone(), source_match: None });
                self.open_chain(&closed)
            }
            _ => self.open_chain(chain),
        }
    }

    fn open_chain(self, chain: &[ChainStep]) -> String {
        let mut text = String::new();
        let mut start = 0;
        while start < chain.len() {
            let (cells, end) = shared_cells(chain, start);
            if start > 0 {
                text.push_str(if chain[start].strong { " = " } else { " - " });
            }
            text.push('(');
            for (index, step) in chain[start..end].iter().enumerate() {
                if index > 0 {
                    text.push(if step.strong { '=' } else { '-' });
                }
                text.push(step.node.digit.symbol());
            }
            text.push(')');
            text.push_str(&self.cells(cells));
            start = end;
        }
        text
    }

    /// `r4c5 = 3`, `3 is not in r4c56`: states that the last node is true (after a strong link) or false (after a weak link).
    pub fn chain_end(self, chain: &[ChainStep]) -> String {
        let Some(ChainStep { strong, node, .. }) = chain.last() else { return String::new() };
        match node.only() {
            Some(candidate) => self.literal((candidate, *strong)),
            None => self.node_claim(node, *strong),
        }
    }
}

/// Groups candidates by digit. The cells of each digit are in board order, without repetition.
fn by_digit(candidates: &[Candidate]) -> BTreeMap<Digit, Vec<Cell>> {
    let mut groups: BTreeMap<Digit, Vec<Cell>> = BTreeMap::new();
    let mut candidates = candidates.to_vec();
    candidates.sort_unstable();
    candidates.dedup();
    candidates.iter().for_each(|candidate| groups.entry(candidate.digit).or_default().push(candidate.cell));
    groups
}

/// Returns the cells that the nodes from `start` on share in the printed chain, and the index of the first node after them.
fn shared_cells(chain: &[ChainStep], start: usize) -> (&[Cell], usize) {
    if let Some(cells) = linking_set(chain, start) {
        return (cells, start + 2);
    }
    let cells = &chain[start].node.cells;
    let mut end = start + 1;
    while end < chain.len() && chain[end].node.cells == *cells && linking_set(chain, end).is_none() {
        end += 1;
    }
    (cells, end)
}

/// Returns the set of cells that makes the strong link from the node at `index` to the next node. `None` if the two nodes
/// have equal digits or equal cells.
fn linking_set(chain: &[ChainStep], index: usize) -> Option<&[Cell]> {
    let from = chain.get(index)?;
    let to = chain.get(index + 1)?;
    if !to.strong || from.node.digit == to.node.digit || from.node.cells == to.node.cells {
        return None;
    }
    to.source_match.as_ref().map(|source_match| source_match.cells.as_slice())
}

/// Writes a chain in Eureka notation: `(3=8)r2c2 - (8=9)r2c5`.
pub fn eureka(geometry: &Geometry, chain: &[ChainStep]) -> String {
    BoardNames::new(geometry).chain(chain)
}

/// Writes a contradiction as a clause without a full stop.
pub fn contradiction_words(geometry: &Geometry, contradiction: Contradiction) -> String {
    BoardNames::new(geometry).contradiction(contradiction)
}

/// `1 step`, `2 steps`.
pub fn count_phrase(count: usize, noun: &str) -> String {
    count_phrase_of(count, noun, &format!("{noun}s"))
}

/// `1 guess`, `2 guesses`.
pub fn count_phrase_of(count: usize, singular: &str, plural: &str) -> String {
    format!("{count} {}", if count == 1 { singular } else { plural })
}

/// `12,345`.
pub fn thousands(number: u64) -> String {
    let mut text = number.to_string();
    for position in (1..text.len()).rev().skip(2).step_by(3) {
        text.insert(position, ',');
    }
    text
}

pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
