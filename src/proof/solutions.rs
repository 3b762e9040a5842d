//! Solutions of a position. In: a board and a [`State`] with candidate lists. Out: the solutions, or whether there are none,
//! one or several (docs/decisions/0004-counting-solutions.md); and the mistakes of a player, which contradict the solution.
//!
//! A search by singles and guesses answers most questions; above a budget of guesses, the SAT solver takes over.

use super::solver::{Lit, SatAnswer, SatSolver};
use crate::grid::formats::Puzzle;
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State};

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
    puzzle.initial_state().is_none_or(|state| is_unique(&puzzle.geometry, &state))
}

/// Returns true if the position has one solution.
fn is_unique(geometry: &Geometry, state: &State) -> bool {
    matches!(uniqueness(geometry, state), Uniqueness::One(_))
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
    let mut search = SolutionSearch::new(geometry, most + 1, COUNTED.saturating_mul(most + 1));
    let is_finished = search.run(masks(geometry, state));
    let number = search.found.len().max(few);
    Count { number, is_exact: is_finished && number <= most }
}

/// Guesses for each counted solution.
const COUNTED: usize = 20;

/// Returns for each cell the digit that it has in all solutions, or `None` if there is no solution.
pub fn shared_digits(geometry: &Geometry, state: &State) -> Option<Vec<Option<Digit>>> {
    let mut shared: Vec<Option<Digit>> = solutions(geometry, state, 1).pop()?.into_iter().map(Some).collect();
    for cell in geometry.cells().filter(|&cell| state.value(cell).is_none()) {
        let Some(digit) = shared[cell.index()] else { continue };
        let mut without = state.clone();
        without.eliminate(Candidate::new(digit, cell));
        if let Some(other) = solutions(geometry, &without, 1).pop() {
            shared.iter_mut().zip(other).for_each(|(here, digit)| *here = here.filter(|known| *known == digit));
        }
    }
    Some(shared)
}

/// Returns the clues that can be left out one at a time: the puzzle still has one solution. `None` if it has not one.
pub fn superfluous_clues(puzzle: &Puzzle) -> Option<Vec<Candidate>> {
    let mut clues = Puzzle { placed: vec![None; puzzle.placed.len()], ..puzzle.clone() };
    if !puzzle.lists_only {
        clues.candidates = puzzle.initial_candidates.clone();
        clues.lists_only = puzzle.initial_candidates.is_some();
    }
    if !is_unique(&clues.geometry, &clues.state()) {
        return None;
    }
    let mut superfluous = Vec::new();
    // Candidate lists hold what their clues took away.
    for cell in puzzle.geometry.cells().filter(|_| clues.candidates.is_none()) {
        let Some(digit) = clues.givens[cell.index()].take() else { continue };
        if is_unique(&clues.geometry, &clues.state()) {
            superfluous.push(Candidate::new(digit, cell));
        }
        clues.givens[cell.index()] = Some(digit);
    }
    Some(superfluous)
}

/// Returns the candidates of each cell as bits, a solved cell with its digit alone.
fn masks(geometry: &Geometry, state: &State) -> Vec<u32> {
    geometry.cells().map(|cell| state.value(cell).map_or(state.candidates(cell).0, |digit| 1 << digit.0)).collect()
}

/// Up to `at_most` solutions of the position, as digits row by row; the order is always the same.
pub fn solutions(geometry: &Geometry, state: &State, at_most: usize) -> Vec<Vec<Digit>> {
    let cells = masks(geometry, state);
    let mut search = SolutionSearch::new(geometry, at_most, budget(geometry).saturating_mul(at_most));
    let mut found = if search.run(cells.clone()) { search.found } else { solve_by_sat(geometry, &cells, at_most) };
    found.truncate(at_most);
    found.into_iter().map(|cells| cells.into_iter().map(|mask| Digit(mask.trailing_zeros() as u8)).collect()).collect()
}

/// A search over one board.
struct SolutionSearch<'g> {
    geometry: &'g Geometry,
    /// The cells of the houses that hold every digit.
    houses: Vec<Vec<usize>>,
    all: u32,
    at_most: usize,
    /// Guesses that may still be made.
    budget: usize,
    /// Found so far.
    found: Vec<Vec<u32>>,
}

impl<'g> SolutionSearch<'g> {
    /// Prepares a search for `at_most` solutions with `budget` guesses.
    fn new(geometry: &'g Geometry, at_most: usize, budget: usize) -> SolutionSearch<'g> {
        let full = geometry.houses().iter().filter(|house| house.cells.len() == geometry.size());
        let houses = full.map(|house| house.cells.iter().map(|cell| cell.index()).collect()).collect();
        let all = DigitSet::all(geometry.size()).0;
        SolutionSearch { geometry, houses, all, at_most, budget, found: Vec::new() }
    }

    /// Searches below these candidates. `false` when the budget ran out before the search was over.
    fn run(&mut self, mut cells: Vec<u32>) -> bool {
        let singles = (0..cells.len()).filter(|&cell| cells[cell].is_power_of_two()).collect();
        if cells.contains(&0) || !self.settle(&mut cells, singles) {
            return true;
        }
        self.descend(&cells)
    }

    fn descend(&mut self, cells: &[u32]) -> bool {
        let Some(guesses) = self.guesses(cells) else {
            self.found.push(cells.to_vec());
            return true;
        };
        for (cell, bit) in guesses {
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
                for peer in self.geometry.peers(Cell(cell as u16)) {
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

    /// Cells and digits of which one is right: the candidates of the cell with the fewest, or the places of a digit with two in
    /// some house if every cell has more candidates.
    fn guesses(&self, cells: &[u32]) -> Option<Vec<(usize, u32)>> {
        let open = (0..cells.len()).filter(|&cell| !cells[cell].is_power_of_two());
        let best = open.min_by_key(|&cell| cells[cell].count_ones())?;
        for house in self.houses.iter().filter(|_| cells[best].count_ones() != 2) {
            let (mut once, mut twice, mut more) = (0, 0, 0);
            for &cell in house {
                more |= twice & cells[cell];
                twice |= once & cells[cell];
                once |= cells[cell];
            }
            if let Some(bit) = bits(twice & !more).next() {
                let places = house.iter().filter(|&&cell| cells[cell] & bit != 0);
                return Some(places.map(|&cell| (cell, bit)).collect());
            }
        }
        Some(bits(cells[best]).map(|bit| (best, bit)).collect())
    }
}

fn bits(mask: u32) -> impl Iterator<Item = u32> {
    (0..32).map(|digit| 1 << digit).filter(move |bit| mask & bit != 0)
}

/// Up to `at_most` solutions.
fn solve_by_sat(geometry: &Geometry, cells: &[u32], at_most: usize) -> Vec<Vec<u32>> {
    let (mut solver, size) = (SatSolver::default(), geometry.size());
    // One for each digit in each cell.
    let lits: Vec<Lit> = (0..size.pow(3)).map(|_| Lit::positive(solver.variable())).collect();
    demand(geometry, cells, &lits, &mut solver);
    let mut found = Vec::new();
    while found.len() < at_most {
        let SatAnswer::Yes(model) = solver.solve(&[], u64::MAX) else { break };
        let (mut solution, mut differs) = (vec![0; cells.len()], Vec::new());
        for (cell, digit) in present(cells).filter(|&(cell, digit)| model.holds(lits[cell * size + digit])) {
            solution[cell] = 1 << digit;
            differs.push(!lits[cell * size + digit]);
        }
        found.push(solution);
        solver.add(&differs);
    }
    found
}

/// The cells with each of their digits.
fn present(cells: &[u32]) -> impl Iterator<Item = (usize, usize)> + '_ {
    cells.iter().enumerate().flat_map(|(cell, &mask)| digits(mask).map(move |digit| (cell, digit)))
}

fn digits(mask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |digit| mask >> digit & 1 == 1)
}

/// Adds the rules of Sudoku: a digit in each cell, each digit in each house, different digits in peers.
fn demand(geometry: &Geometry, cells: &[u32], lits: &[Lit], solver: &mut SatSolver) {
    let size = geometry.size();
    for (cell, &mask) in cells.iter().enumerate() {
        let one: Vec<Lit> = digits(mask).map(|digit| lits[cell * size + digit]).collect();
        solver.add(&one);
        for (index, &a) in one.iter().enumerate() {
            one[index + 1..].iter().for_each(|&b| solver.add(&[!a, !b]));
        }
    }
    for house in geometry.houses().iter().filter(|house| house.cells.len() == size) {
        for digit in 0..size {
            let places = house.cells.iter().map(|cell| cell.index()).filter(|&cell| cells[cell] >> digit & 1 == 1);
            solver.add(&places.map(|cell| lits[cell * size + digit]).collect::<Vec<Lit>>());
        }
    }
    for (cell, digit) in present(cells) {
        let peers = geometry.peers(Cell(cell as u16)).iter().map(|peer| peer.index());
        for peer in peers.filter(|&peer| peer > cell && cells[peer] >> digit & 1 == 1) {
            solver.add(&[!lits[cell * size + digit], !lits[peer * size + digit]]);
        }
    }
}

/// The reason why a position has no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistakes {
    /// The clues alone have one solution, and these contradict it.
    AgainstSolution(Slips),
    /// The clues alone have several solutions, and these are in none of them. If there are none, each fits some solution,
    /// but they do not all fit the same.
    InNoSolution(Slips),
    /// The clues alone have no solution.
    CluesUnsolvable,
}

/// Wrong digits and wrongly removed candidates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slips {
    /// Digits that are placed and wrong.
    pub digits: Vec<Candidate>,
    /// Candidates that were removed and are true.
    pub removed: Vec<Candidate>,
}

impl Slips {
    /// Returns true if nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.digits.is_empty() && self.removed.is_empty()
    }

    /// Compares a position with a solution, a digit for each cell.
    pub fn against(puzzle: &Puzzle, state: &State, solution: &[Digit]) -> Slips {
        let mut slips = Slips::default();
        for cell in puzzle.geometry.cells() {
            let right = Candidate::new(solution[cell.index()], cell);
            match puzzle.digit(cell).or_else(|| state.value(cell)) {
                Some(digit) if digit != right.digit => slips.digits.push(Candidate::new(digit, cell)),
                None if is_removed(puzzle, right) => slips.removed.push(right),
                _ => {}
            }
        }
        slips
    }
}

/// Finds the mistakes of a position that has no solution. `None` if the puzzle is as its author left it: then there is nothing to
/// compare it with.
pub fn mistakes(puzzle: &Puzzle, state: &State) -> Option<Mistakes> {
    let clues = puzzle.initial_state()?;
    Some(match uniqueness(&puzzle.geometry, &clues) {
        Uniqueness::None => Mistakes::CluesUnsolvable,
        Uniqueness::One(solution) => Mistakes::AgainstSolution(Slips::against(puzzle, state, &solution)),
        Uniqueness::Many(..) => Mistakes::InNoSolution(in_none(puzzle, &clues)),
    })
}

/// Finds the digits and removed candidates that no solution of the clues agrees with.
fn in_none(puzzle: &Puzzle, clues: &State) -> Slips {
    let mut slips = Slips::default();
    for cell in puzzle.geometry.cells().filter(|&cell| puzzle.givens[cell.index()].is_none()) {
        match puzzle.placed[cell.index()].map(|digit| Candidate::new(digit, cell)) {
            Some(placed) if !is_possible(&puzzle.geometry, clues, placed) => slips.digits.push(placed),
            Some(_) => {}
            None => slips.removed.extend(only_removed(puzzle, cell, clues)),
        }
    }
    slips
}

/// Returns true if some solution has a candidate.
fn is_possible(geometry: &Geometry, state: &State, one: Candidate) -> bool {
    let mut with = state.clone();
    with.place(geometry, one.cell, one.digit);
    state.has(one) && !solutions(geometry, &with, 1).is_empty()
}

/// Returns the removed candidate of a cell that has this digit in all solutions, if there is one.
fn only_removed(puzzle: &Puzzle, cell: Cell, clues: &State) -> Option<Candidate> {
    let all = clues.candidates(cell).iter().map(|digit| Candidate::new(digit, cell));
    let (removed, kept): (Vec<Candidate>, Vec<Candidate>) = all.partition(|&one| is_removed(puzzle, one));
    if removed.is_empty() || kept.into_iter().any(|one| is_possible(&puzzle.geometry, clues, one)) {
        return None;
    }
    let mut possible = removed.into_iter().filter(|&one| is_possible(&puzzle.geometry, clues, one));
    possible.next().filter(|_| possible.next().is_none())
}

/// Returns true if the text lists the candidates of a cell, and this one is not among them.
fn is_removed(puzzle: &Puzzle, one: Candidate) -> bool {
    puzzle.candidates.as_ref().is_some_and(|lists| !lists[one.cell.index()].has(one.digit))
}
