//! Names of things on a board, and small words. In: cells, houses, candidates, chains, numbers. Out: text in the field's notation, and
//! English that contains it.

use crate::engine::{ChainNode, ChainStep, Value};
use crate::grid::{Candidate, Cell, Contradiction, Digit, DigitSet, Geometry, HouseId, notation};
use crate::solve::value_text;
pub use crate::solve::{digits_and, join_words};
use std::collections::BTreeMap;

/// Names of the cells, houses and candidates of one board.
#[derive(Clone, Copy)]
pub(super) struct BoardNames<'g> {
    /// The board.
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

    /// `r1c2, r1c5 and r4c6`; many cells in groups.
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
    pub fn candidates(self, list: &[Candidate]) -> String {
        notation::candidates(self.board, list)
    }

    /// `the candidates 3 in r5c5, r5c9 and r4c4`: cells with the same digits together.
    pub fn candidates_in_words(self, candidates: &[Candidate]) -> String {
        let mut groups: Vec<(DigitSet, Vec<Cell>)> = Vec::new();
        let mut cells: Vec<Cell> = candidates.iter().map(|candidate| candidate.cell).collect();
        cells.sort_unstable();
        cells.dedup();
        for cell in cells {
            let here = candidates.iter().filter(|candidate| candidate.cell == cell);
            let digits: DigitSet = here.map(|candidate| candidate.digit).collect();
            match groups.iter_mut().find(|(known, _)| *known == digits) {
                Some((_, members)) => members.push(cell),
                None => groups.push((digits, vec![cell])),
            }
        }
        let groups =
            groups.iter().map(|(digits, cells)| format!("{} in {}", digits_and(*digits), self.cells_in_words(cells)));
        let noun = if candidates.len() == 1 { "the candidate" } else { "the candidates" };
        format!("{noun} {}", join_words(&groups.collect::<Vec<_>>(), "and"))
    }

    /// `r5c5 or r5c9 is 3`, `r5c5 is 3 or r4c4 is 7`.
    pub fn one_of(self, candidates: &[Candidate]) -> String {
        let groups = by_digit(candidates).into_iter().map(|(digit, cells)| match cells.len() {
            0..=FEW_CELLS => {
                let cells: Vec<String> = cells.iter().map(|&cell| self.cell(cell)).collect();
                format!("{} is {digit}", join_words(&cells, "or"))
            }
            _ => format!("{digit} is in {}", self.cells(&cells)),
        });
        join_words(&groups.collect::<Vec<_>>(), "or")
    }

    /// `r5c5 and r5c9 are not 3`, `r5c5 is not 3 and r4c4 is not 7`; of many digits the deductions.
    pub fn none_of(self, candidates: &[Candidate]) -> String {
        let groups = by_digit(candidates);
        if groups.len() > FEW_DIGITS {
            return self.deductions(candidates, &[]);
        }
        let groups = groups.into_iter().map(|(digit, cells)| {
            let verb = if cells.len() == 1 { "is" } else { "are" };
            format!("{} {verb} not {digit}", self.cells_in_words(&cells))
        });
        join_words(&groups.collect::<Vec<_>>(), "and")
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

    /// `r1c1 is 5`, for a node of several cells `5 is in r1c25`; `is not` if it does not hold.
    pub fn node_claim(self, node: &ChainNode, holds: bool) -> String {
        let verb = if holds { "is" } else { "is not" };
        match node.only() {
            Some(one) => format!("{} {verb} {}", self.cell(one.cell), one.digit),
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

    /// The value of a rule's name, as records have it.
    pub fn value(self, value: &Value) -> String {
        value_text(value, self.board)
    }

    /// A contradiction in words, without an end mark.
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

    /// A chain in Eureka notation, `(3=8)r2c2 - (8=9)r2c5`.
    ///
    /// `=` is a strong link and `-` a weak one; neighbouring nodes in the same cells share the name of these cells. Two digits of a set
    /// that is strongly linked stand before the whole set: `(3=8)r1c12,r2c3`. A loop begins with a strong link and ends with its first
    /// node: `(1=2)r1c1 - (2=1)r1c2 - (1)r1c1`.
    pub fn chain(self, chain: &[ChainStep]) -> String {
        match chain {
            [first, .., last] if first.strong => {
                let mut closed = chain.to_vec();
                closed.rotate_right(1);
                closed.push(ChainStep { strong: false, node: last.node.clone(), via: None });
                self.open_chain(&closed)
            }
            _ => self.open_chain(chain),
        }
    }

    fn open_chain(self, chain: &[ChainStep]) -> String {
        let mut out = String::new();
        let mut at = 0;
        while at < chain.len() {
            let (cells, end) = shared_cells(chain, at);
            if at > 0 {
                out.push_str(if chain[at].strong { " = " } else { " - " });
            }
            out.push('(');
            for (index, step) in chain[at..end].iter().enumerate() {
                if index > 0 {
                    out.push(if step.strong { '=' } else { '-' });
                }
                out.push(step.node.digit.symbol());
            }
            out.push(')');
            out.push_str(&self.cells(cells));
            at = end;
        }
        out
    }

    /// The claim of a chain's last node: `r4c5 = 3`, `3 is not in r4c56`.
    pub fn chain_end(self, chain: &[ChainStep]) -> String {
        let Some(ChainStep { strong, node, .. }) = chain.last() else { return String::new() };
        node.only().map_or_else(|| self.node_claim(node, *strong), |one| self.literal((one, *strong)))
    }
}

/// Groups candidates by digit, in order; the cells of each digit in board order.
fn by_digit(candidates: &[Candidate]) -> BTreeMap<Digit, Vec<Cell>> {
    let mut groups: BTreeMap<Digit, Vec<Cell>> = BTreeMap::new();
    let mut candidates = candidates.to_vec();
    candidates.sort_unstable();
    candidates.dedup();
    candidates.iter().for_each(|one| groups.entry(one.digit).or_default().push(one.cell));
    groups
}

/// The cells that the nodes from `at` on share, and the index behind the last of these nodes.
fn shared_cells(chain: &[ChainStep], at: usize) -> (&[Cell], usize) {
    if let Some(cells) = linking_set(chain, at) {
        return (cells, at + 2);
    }
    let cells = &chain[at].node.cells;
    let mut end = at + 1;
    while end < chain.len() && chain[end].node.cells == *cells && linking_set(chain, end).is_none() {
        end += 1;
    }
    (cells, end)
}

/// The set of cells behind a strong link from this node to the next, if their digits and cells differ.
fn linking_set(chain: &[ChainStep], at: usize) -> Option<&[Cell]> {
    let (here, next) = (chain.get(at)?, chain.get(at + 1)?);
    let differ = here.node.digit != next.node.digit && here.node.cells != next.node.cells;
    next.via.as_ref().filter(|_| next.strong && differ).map(|via| via.cells.as_slice())
}

/// Writes a chain in Eureka notation: `(3=8)r2c2 - (8=9)r2c5`.
pub fn eureka(geometry: &Geometry, chain: &[ChainStep]) -> String {
    BoardNames::new(geometry).chain(chain)
}

/// Writes a contradiction in words, without an end mark.
pub fn contradiction_words(geometry: &Geometry, contradiction: Contradiction) -> String {
    BoardNames::new(geometry).contradiction(contradiction)
}

/// `1 step`, `2 steps`.
pub fn count_phrase(count: usize, noun: &str) -> String {
    count_phrase_of(count, noun, &format!("{noun}s"))
}

/// `1 guess`, `2 guesses`.
pub fn count_phrase_of(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// `12,345`.
pub fn thousands(number: u64) -> String {
    let mut out = number.to_string();
    for at in (1..out.len()).rev().skip(2).step_by(3) {
        out.insert(at, ',');
    }
    out
}

/// Returns the text with a capital first letter.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
