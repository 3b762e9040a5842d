//! Solutions of a position. In: a board and a [`State`] with candidate lists. Out: the solutions, or whether there are none,
//! one or several (docs/decisions/0004-counting-solutions.md).
//!
//! A search by singles and guesses answers most questions; above a budget of guesses, the SAT solver takes over.

use super::solver::{Answer, Lit, Solver};
use crate::grid::formats::Puzzle;
use crate::grid::{Candidate, Cell, Digit, Geometry, State};

/// Guesses that a search may make for each solution before the SAT solver takes over. A guess is cheap on
/// small boards; on large ones a search that guesses wrongly at the top never returns.
fn budget(geometry: &Geometry) -> usize {
    if geometry.size() <= 9 { 2_000 } else { 100 }
}

/// Number of solutions: none, one or more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Uniqueness {
    /// No solution.
    None,
    /// Exactly this one.
    One(Vec<Digit>),
    /// At least these two.
    Many(Vec<Digit>, Vec<Digit>),
}

/// Returns true if the puzzle has one solution by its clues alone, before placements and eliminations.
pub fn had_unique_solution(puzzle: &Puzzle) -> bool {
    let one = |state: State| matches!(uniqueness(&puzzle.geometry, &state), Uniqueness::One(_));
    puzzle.beginning().is_none_or(one)
}

/// Finds out whether the position has no, one or several solutions.
pub fn uniqueness(geometry: &Geometry, state: &State) -> Uniqueness {
    let mut found = solutions(geometry, state, 2).into_iter();
    match (found.next(), found.next()) {
        (Some(first), Some(second)) => Uniqueness::Many(first, second),
        (Some(only), None) => Uniqueness::One(only),
        (None, _) => Uniqueness::None,
    }
}

/// A number of solutions, possibly a lower bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Solutions that were found: if the count is not exact, this is the least number.
    pub number: usize,
    /// True if there are no others.
    pub is_exact: bool,
}

/// Counts the solutions of the position up to `most` + 1. On large boards the count may end earlier to limit the time.
pub fn count(geometry: &Geometry, state: &State, most: usize) -> Count {
    let few = solutions(geometry, state, 2.min(most + 1)).len();
    if few < 2 || most < 2 {
        return Count { number: few, is_exact: few <= most };
    }
    let mut search = Search::new(geometry, most + 1, COUNTED.saturating_mul(most + 1));
    let is_finished = search.run(masks(geometry, state));
    let number = search.found.len().max(few);
    Count { number, is_exact: is_finished && number <= most }
}

/// Guesses for each counted solution.
const COUNTED: usize = 20;

/// Returns for each cell the digit that it has in all solutions, or `None` if there is no solution.
pub fn shared_digits(geometry: &Geometry, state: &State) -> Option<Vec<Option<Digit>>> {
    let mut shared: Vec<Option<Digit>> = solutions(geometry, state, 1).pop()?.into_iter().map(Some).collect();
    let keep_equal = |shared: &mut Vec<Option<Digit>>, other: Vec<Digit>| {
        shared.iter_mut().zip(other).for_each(|(here, digit)| *here = here.filter(|known| *known == digit));
    };
    for cell in geometry.cells().filter(|&cell| state.value(cell).is_none()) {
        let Some(digit) = shared[cell.index()] else { continue };
        let mut without = state.clone();
        without.eliminate(Candidate::new(digit, cell));
        if let Some(other) = solutions(geometry, &without, 1).pop() {
            keep_equal(&mut shared, other);
        }
    }
    Some(shared)
}

/// Returns the clues that can be left out one at a time: the puzzle still has one solution. `None` if it has not one.
pub fn superfluous_clues(puzzle: &Puzzle) -> Option<Vec<Candidate>> {
    let is_unique = |puzzle: &Puzzle| matches!(uniqueness(&puzzle.geometry, &puzzle.state()), Uniqueness::One(_));
    let mut clues = Puzzle { placed: vec![None; puzzle.placed.len()], ..puzzle.clone() };
    if !puzzle.lists_only {
        clues.candidates = puzzle.open.clone();
        clues.lists_only = puzzle.open.is_some();
    }
    if !is_unique(&clues) {
        return None;
    }
    // Candidate lists hold what their clues took away.
    let given = puzzle.geometry.cells().filter(|_| clues.candidates.is_none());
    let given = given.filter_map(|cell| clues.givens[cell.index()].map(|digit| Candidate::new(digit, cell)));
    let is_superfluous = |clue: &Candidate| {
        let mut without = clues.clone();
        without.givens[clue.cell.index()] = None;
        is_unique(&without)
    };
    Some(given.filter(is_superfluous).collect())
}

/// Returns the candidates of each cell as bits, a solved cell with its digit alone.
fn masks(geometry: &Geometry, state: &State) -> Vec<u32> {
    geometry.cells().map(|cell| state.value(cell).map_or(state.candidates(cell).0, |digit| 1 << digit.0)).collect()
}

/// Up to `at_most` solutions of the position, as digits row by row; the order is always the same.
pub fn solutions(geometry: &Geometry, state: &State, at_most: usize) -> Vec<Vec<Digit>> {
    let cells = masks(geometry, state);
    let mut search = Search::new(geometry, at_most, budget(geometry).saturating_mul(at_most));
    let mut found = if search.run(cells.clone()) { search.found } else { solve_by_sat(geometry, &cells, at_most) };
    found.truncate(at_most);
    found.into_iter().map(|cells| cells.into_iter().map(|mask| Digit(mask.trailing_zeros() as u8)).collect()).collect()
}

/// A search over one board.
pub(super) struct Search<'g> {
    geometry: &'g Geometry,
    /// The cells of the houses that hold every digit.
    houses: Vec<Vec<usize>>,
    all: u32,
    at_most: usize,
    /// Guesses that may still be made.
    budget: usize,
    /// Found so far.
    pub found: Vec<Vec<u32>>,
}

/// A guess: a cell with the digits to try, or a digit with the places to try.
enum Guess {
    Cell(usize),
    Places(u32, Vec<usize>),
}

impl<'g> Search<'g> {
    /// Prepares a search for `at_most` solutions with `budget` guesses.
    pub fn new(geometry: &'g Geometry, at_most: usize, budget: usize) -> Search<'g> {
        let full = geometry.houses().iter().filter(|house| house.cells.len() == geometry.size());
        let houses = full.map(|house| house.cells.iter().map(|cell| cell.index()).collect()).collect();
        let all = crate::grid::DigitSet::all(geometry.size()).0;
        Search { geometry, houses, all, at_most, budget, found: Vec::new() }
    }

    /// Searches below these candidates. `false` when the budget ran out before the search was over.
    pub fn run(&mut self, mut cells: Vec<u32>) -> bool {
        let singles = (0..cells.len()).filter(|&cell| cells[cell].is_power_of_two()).collect();
        if cells.contains(&0) || !self.settle(&mut cells, singles) {
            return true;
        }
        self.descend(&cells)
    }

    fn descend(&mut self, cells: &[u32]) -> bool {
        let Some(guess) = self.guess(cells) else {
            self.found.push(cells.to_vec());
            return true;
        };
        let tries: Vec<(usize, u32)> = match guess {
            Guess::Cell(cell) => bits(cells[cell]).map(|bit| (cell, bit)).collect(),
            Guess::Places(bit, places) => places.into_iter().map(|cell| (cell, bit)).collect(),
        };
        for (cell, bit) in tries {
            if self.found.len() >= self.at_most {
                return true;
            }
            if self.budget == 0 {
                return false;
            }
            self.budget -= 1;
            let mut next = cells.to_vec();
            next[cell] = bit;
            if self.settle(&mut next, vec![cell]) && !self.descend(&next) {
                return false;
            }
        }
        true
    }

    /// Places singles, naked and hidden, until nothing moves; `queue` holds the cells that just became
    /// single. `false` when a cell or a house cannot be filled.
    fn settle(&self, cells: &mut [u32], mut queue: Vec<usize>) -> bool {
        loop {
            while let Some(cell) = queue.pop() {
                let bit = cells[cell];
                for peer in self.geometry.peers(crate::grid::Cell(cell as u16)) {
                    let here = &mut cells[peer.index()];
                    if *here & bit != 0 {
                        *here &= !bit;
                        match here.count_ones() {
                            0 => return false,
                            1 => queue.push(peer.index()),
                            _ => {}
                        }
                    }
                }
            }
            if !self.hidden(cells, &mut queue) {
                return false;
            }
            if queue.is_empty() {
                return true;
            }
        }
    }

    fn hidden(&self, cells: &mut [u32], queue: &mut Vec<usize>) -> bool {
        for house in &self.houses {
            let (mut once, mut twice) = (0, 0);
            for &cell in house {
                twice |= once & cells[cell];
                once |= cells[cell];
            }
            if once != self.all {
                return false;
            }
            let alone = once & !twice;
            for &cell in house {
                let only = cells[cell] & alone;
                if only != 0 && !cells[cell].is_power_of_two() {
                    if !only.is_power_of_two() {
                        return false;
                    }
                    cells[cell] = only;
                    queue.push(cell);
                }
            }
        }
        true
    }

    /// The cell with the fewest candidates, or a digit with two places in some house if every cell has more.
    fn guess(&self, cells: &[u32]) -> Option<Guess> {
        let open = (0..cells.len()).filter(|&cell| !cells[cell].is_power_of_two());
        let best = open.min_by_key(|&cell| cells[cell].count_ones())?;
        if cells[best].count_ones() == 2 {
            return Some(Guess::Cell(best));
        }
        for house in &self.houses {
            let (mut once, mut twice, mut more) = (0, 0, 0);
            for &cell in house {
                more |= twice & cells[cell];
                twice |= once & cells[cell];
                once |= cells[cell];
            }
            if let Some(bit) = bits(twice & !more).next() {
                let places = house.iter().copied().filter(|&cell| cells[cell] & bit != 0).collect();
                return Some(Guess::Places(bit, places));
            }
        }
        Some(Guess::Cell(best))
    }
}

fn bits(mask: u32) -> impl Iterator<Item = u32> {
    (0..32).map(|digit| 1 << digit).filter(move |bit| mask & bit != 0)
}

/// Up to `at_most` solutions.
fn solve_by_sat(geometry: &Geometry, cells: &[u32], at_most: usize) -> Vec<Vec<u32>> {
    let mut solver = Solver::new();
    let at = Literals::new(geometry, &mut solver);
    demand(geometry, cells, &at, &mut solver);
    let mut found = Vec::new();
    while found.len() < at_most {
        let Answer::Yes(model) = solver.solve(&[], u64::MAX) else { break };
        let (mut solution, mut differs) = (vec![0; cells.len()], Vec::new());
        for (cell, digit) in present(cells).filter(|&(cell, digit)| model.holds(at.lit(cell, digit))) {
            solution[cell] = 1 << digit;
            differs.push(!at.lit(cell, digit));
        }
        found.push(solution);
        solver.add(&differs);
    }
    found
}

/// One for each digit in each cell.
struct Literals {
    size: usize,
    all: Vec<Lit>,
}

impl Literals {
    fn new(geometry: &Geometry, solver: &mut Solver) -> Literals {
        let size = geometry.size();
        Literals { size, all: (0..size.pow(3)).map(|_| Lit::positive(solver.variable())).collect() }
    }

    fn lit(&self, cell: usize, digit: usize) -> Lit {
        self.all[cell * self.size + digit]
    }
}

fn present(cells: &[u32]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let digits = |mask: u32| (0..32).filter(move |digit| mask >> digit & 1 == 1);
    cells.iter().enumerate().flat_map(move |(cell, &mask)| digits(mask).map(move |digit| (cell, digit)))
}

/// Adds the rules of Sudoku: a digit in each cell, each digit in each house, different digits in peers.
fn demand(geometry: &Geometry, cells: &[u32], at: &Literals, solver: &mut Solver) {
    let has = |cell: usize, digit: usize| cells[cell] >> digit & 1 == 1;
    for (cell, &mask) in cells.iter().enumerate() {
        let digits = (0..geometry.size()).filter(|digit| mask >> digit & 1 == 1);
        let lits: Vec<Lit> = digits.map(|digit| at.lit(cell, digit)).collect();
        solver.add(&lits);
        for (index, &a) in lits.iter().enumerate() {
            lits[index + 1..].iter().for_each(|&b| solver.add(&[!a, !b]));
        }
    }
    for house in geometry.houses().iter().filter(|house| house.cells.len() == geometry.size()) {
        for digit in 0..geometry.size() {
            let places = house.cells.iter().map(|cell| cell.index()).filter(|&cell| has(cell, digit));
            solver.add(&places.map(|cell| at.lit(cell, digit)).collect::<Vec<Lit>>());
        }
    }
    for (cell, digit) in present(cells) {
        let later = geometry.peers(Cell(cell as u16)).iter().map(|peer| peer.index()).filter(|&peer| peer > cell);
        later
            .filter(|&peer| has(peer, digit))
            .for_each(|peer| solver.add(&[!at.lit(cell, digit), !at.lit(peer, digit)]));
    }
}
