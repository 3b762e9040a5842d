//! Solutions of a position. In: a board and a [`State`] with candidate lists. Out: the solutions, or their number
//! (docs/decisions/0004-counting-solutions.md); superfluous clues; and the mistakes of a player, which contradict the
//! solution.
//!
//! A search by singles and guesses answers most questions; above a budget of guesses, the SAT solver takes over.

use super::solver::{Lit, SatAnswer, SatSolver};
use crate::grid::formats::Puzzle;
use crate::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State};

/// Returns the number of guesses that a search may make for each solution before the SAT solver takes over. The number
/// is small on large boards, where a search with a wrong first guess may take forever.
fn guess_budget(geometry: &Geometry) -> usize {
    if geometry.size() <= 9 { 2_000 } else { 100 }
}

/// Number of solutions: none, one or more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Uniqueness {
    /// No solution.
    None,
    /// Exactly one solution.
    One(Vec<Digit>),
    /// At least two solutions.
    Many(Vec<Digit>, Vec<Digit>),
}

/// Returns true if the clues alone have one solution. A puzzle without placements and eliminations is not examined; the
/// result is then true.
pub fn clues_have_unique_solution(puzzle: &Puzzle) -> bool {
    puzzle.initial_state().is_none_or(|state| is_unique(&puzzle.geometry, &state))
}

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

/// The number of solutions of a position, possibly a lower bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The number of solutions found.
    pub number: usize,
    /// True if there are no other solutions, false if there may be others.
    pub is_exact: bool,
}

/// Counts the solutions of the position up to `most` + 1. On large boards the count may end earlier to limit the time.
pub fn count(geometry: &Geometry, state: &State, most: usize) -> Count {
    let up_to_two = solutions(geometry, state, 2.min(most + 1)).len();
    if up_to_two < 2 || most < 2 {
        return Count { number: up_to_two, is_exact: up_to_two <= most };
    }
    let mut search = SolutionSearch::new(geometry, most + 1, GUESSES_PER_COUNTED.saturating_mul(most + 1));
    let is_finished = search.run(masks(geometry, state));
    let number = search.found.len().max(up_to_two);
    Count { number, is_exact: is_finished && number <= most }
}

/// Maximum number of guesses for each counted solution.
const GUESSES_PER_COUNTED: usize = 20;

/// Returns for each cell the digit that it has in all solutions, or `None` if there is no solution.
pub fn shared_digits(geometry: &Geometry, state: &State) -> Option<Vec<Option<Digit>>> {
    let mut shared: Vec<Option<Digit>> = solutions(geometry, state, 1).pop()?.into_iter().map(Some).collect();
    for cell in geometry.cells().filter(|&cell| state.value(cell).is_none()) {
        let Some(digit) = shared[cell.index()] else { continue };
        let mut without = state.clone();
        without.eliminate(Candidate::new(digit, cell));
        if let Some(other) = solutions(geometry, &without, 1).pop() {
            for (shared, digit) in shared.iter_mut().zip(other) {
                if *shared != Some(digit) {
                    *shared = None;
                }
            }
        }
    }
    Some(shared)
}

/// Returns every clue that can be removed alone: without the clue, but with all other clues, the puzzle still has one
/// solution. `None` if the puzzle does not have exactly one solution.
pub fn superfluous_clues(puzzle: &Puzzle) -> Option<Vec<Candidate>> {
    let mut clues = Puzzle { placed: vec![None; puzzle.placed.len()], ..puzzle.clone() };
    if !puzzle.lists_are_puzzle {
        clues.candidates = puzzle.initial_candidates.clone();
        clues.lists_are_puzzle = puzzle.initial_candidates.is_some();
    }
    if !is_unique(&clues.geometry, &clues.state()) {
        return None;
    }
    let mut superfluous = Vec::new();
    // Candidate lists repeat the eliminations that the clues cause, so every clue would count as superfluous.
    if clues.candidates.is_some() {
        return Some(superfluous);
    }
    for cell in puzzle.geometry.cells() {
        let Some(digit) = clues.givens[cell.index()].take() else { continue };
        if is_unique(&clues.geometry, &clues.state()) {
            superfluous.push(Candidate::new(digit, cell));
        }
        clues.givens[cell.index()] = Some(digit);
    }
    Some(superfluous)
}

/// Returns, for each cell, the bit mask of its candidates; for a solved cell, the bit of its digit.
fn masks(geometry: &Geometry, state: &State) -> Vec<u32> {
    geometry.cells().map(|cell| state.possible_digits(cell).0).collect()
}

/// Returns up to `at_most` solutions of the position, each as digits row by row. The order is always the same.
pub fn solutions(geometry: &Geometry, state: &State, at_most: usize) -> Vec<Vec<Digit>> {
    let cells = masks(geometry, state);
    let mut search = SolutionSearch::new(geometry, at_most, guess_budget(geometry).saturating_mul(at_most));
    let mut found = if search.run(cells.clone()) { search.found } else { solve_by_sat(geometry, &cells, at_most) };
    found.truncate(at_most);
    let solutions = found.iter().map(|masks| masks.iter().map(|mask| Digit(mask.trailing_zeros() as u8)).collect());
    solutions.collect()
}

/// A search for solutions on one board. Cells are bit masks of their candidates.
struct SolutionSearch<'g> {
    geometry: &'g Geometry,
    /// The cells of each house that holds every digit.
    houses: Vec<Vec<usize>>,
    all_digits: u32,
    /// Number of solutions after which the search ends.
    at_most: usize,
    guesses_left: usize,
    found: Vec<Vec<u32>>,
}

impl<'g> SolutionSearch<'g> {
    fn new(geometry: &'g Geometry, at_most: usize, guesses_left: usize) -> SolutionSearch<'g> {
        let full_houses = geometry.houses().iter().filter(|house| house.cells.len() == geometry.size());
        let houses = full_houses.map(|house| house.cells.iter().map(|cell| cell.index()).collect()).collect();
        let all_digits = DigitSet::all(geometry.size()).0;
        SolutionSearch { geometry, houses, all_digits, at_most, guesses_left, found: Vec::new() }
    }

    /// Searches for the solutions of a position. Returns false if the guesses ran out before the search was complete.
    fn run(&mut self, mut cells: Vec<u32>) -> bool {
        let singles = (0..cells.len()).filter(|&cell| cells[cell].is_power_of_two()).collect();
        if cells.contains(&0) || !self.place_singles(&mut cells, singles) {
            return true;
        }
        self.descend(&cells)
    }

    /// Branches on the candidates of [`SolutionSearch::guesses`] in a position without singles. Returns false if the
    /// guesses ran out.
    fn descend(&mut self, cells: &[u32]) -> bool {
        let Some(guesses) = self.guesses(cells) else {
            self.found.push(cells.to_vec());
            return true;
        };
        for (cell, bit) in guesses {
            if self.found.len() >= self.at_most {
                return true;
            }
            if self.guesses_left == 0 {
                return false;
            }
            self.guesses_left -= 1;
            let mut next = cells.to_vec();
            next[cell] = bit;
            if self.place_singles(&mut next, vec![cell]) && !self.descend(&next) {
                return false;
            }
        }
        true
    }

    /// Places naked and hidden singles until there are no more. `queue` has the cells with one candidate whose digit is
    /// not yet removed from their peers. Returns false if a cell or a house cannot be filled.
    fn place_singles(&self, cells: &mut [u32], mut queue: Vec<usize>) -> bool {
        loop {
            while let Some(cell) = queue.pop() {
                let bit = cells[cell];
                for peer in self.geometry.peers(Cell(cell as u16)) {
                    let candidates = &mut cells[peer.index()];
                    if *candidates & bit != 0 {
                        *candidates &= !bit;
                        match candidates.count_ones() {
                            0 => return false,
                            1 => queue.push(peer.index()),
                            _ => {}
                        }
                    }
                }
            }
            if !self.place_last_places(cells, &mut queue) {
                return false;
            }
            if queue.is_empty() {
                return true;
            }
        }
    }

    /// Places each digit that has one place left in a house, and appends the cell to `queue`. Returns false if a house
    /// cannot be filled.
    fn place_last_places(&self, cells: &mut [u32], queue: &mut Vec<usize>) -> bool {
        for house in &self.houses {
            let mut once = 0;
            let mut twice = 0;
            for &cell in house {
                twice |= once & cells[cell];
                once |= cells[cell];
            }
            if once != self.all_digits {
                return false;
            }
            let with_one_place = once & !twice;
            for &cell in house {
                let hidden = cells[cell] & with_one_place;
                if hidden != 0 && !cells[cell].is_power_of_two() {
                    if !hidden.is_power_of_two() {
                        return false;
                    }
                    cells[cell] = hidden;
                    queue.push(cell);
                }
            }
        }
        true
    }

    /// Returns the candidates to branch on, of which exactly one is true, as pairs of a cell and the bit of a digit.
    /// `None` if all cells are solved.
    ///
    /// The result has the candidates of a cell with two candidates. If there is no such cell, it has the two places of
    /// a digit that has two places in some house. If there is no such digit, it has the candidates of the cell with the
    /// fewest candidates.
    fn guesses(&self, cells: &[u32]) -> Option<Vec<(usize, u32)>> {
        let unsolved = (0..cells.len()).filter(|&cell| !cells[cell].is_power_of_two());
        let best = unsolved.min_by_key(|&cell| cells[cell].count_ones())?;
        if cells[best].count_ones() == 2 {
            return Some(bits(cells[best]).map(|bit| (best, bit)).collect());
        }
        for house in &self.houses {
            let mut once = 0;
            let mut twice = 0;
            let mut more = 0;
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

/// Splits a mask into masks with a single bit.
fn bits(mask: u32) -> impl Iterator<Item = u32> {
    digits(mask).map(|digit| 1 << digit)
}

fn solve_by_sat(geometry: &Geometry, cells: &[u32], at_most: usize) -> Vec<Vec<u32>> {
    let mut solver = SatSolver::default();
    let size = geometry.size();
    // For each candidate (cell × size + digit), the literal that the candidate is true.
    let lits: Vec<Lit> = (0..size.pow(3)).map(|_| Lit::positive(solver.new_variable())).collect();
    add_rules(geometry, cells, &lits, &mut solver);
    let mut found = Vec::new();
    while found.len() < at_most {
        let SatAnswer::Yes(model) = solver.solve(&[], u64::MAX) else { break };
        let mut solution = vec![0; cells.len()];
        let mut differs = Vec::new();
        for (cell, digit) in candidates(cells) {
            let lit = lits[cell * size + digit];
            if model.holds(lit) {
                solution[cell] = 1 << digit;
                differs.push(!lit);
            }
        }
        found.push(solution);
        solver.add_clause(&differs);
    }
    found
}

/// Returns the candidates as pairs of cell and digit.
fn candidates(cells: &[u32]) -> impl Iterator<Item = (usize, usize)> + '_ {
    cells.iter().enumerate().flat_map(|(cell, &mask)| digits(mask).map(move |digit| (cell, digit)))
}

/// Returns the indices of the digits in a mask.
fn digits(mask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |digit| mask >> digit & 1 == 1)
}

/// Adds the rules of Sudoku: a digit in each cell, each digit in each house, different digits in peers.
fn add_rules(geometry: &Geometry, cells: &[u32], lits: &[Lit], solver: &mut SatSolver) {
    let size = geometry.size();
    for (cell, &mask) in cells.iter().enumerate() {
        let of_cell: Vec<Lit> = digits(mask).map(|digit| lits[cell * size + digit]).collect();
        solver.add_clause(&of_cell);
        for (index, &a) in of_cell.iter().enumerate() {
            of_cell[index + 1..].iter().for_each(|&b| solver.add_clause(&[!a, !b]));
        }
    }
    for house in geometry.houses().iter().filter(|house| house.cells.len() == size) {
        for digit in 0..size {
            let places = house.cells.iter().map(|cell| cell.index()).filter(|&cell| cells[cell] >> digit & 1 == 1);
            solver.add_clause(&places.map(|cell| lits[cell * size + digit]).collect::<Vec<Lit>>());
        }
    }
    for (cell, digit) in candidates(cells) {
        let peers = geometry.peers(Cell(cell as u16)).iter().map(|peer| peer.index());
        for peer in peers.filter(|&peer| peer > cell && cells[peer] >> digit & 1 == 1) {
            solver.add_clause(&[!lits[cell * size + digit], !lits[peer * size + digit]]);
        }
    }
}

/// The reason why a position has no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistakes {
    /// The clues alone have one solution, which these digits and removals contradict.
    AgainstSolution(WrongMoves),
    /// The clues alone have several solutions. None of these solutions agrees with the listed digits and removals. If
    /// the lists are empty, each digit and removal agrees with some solution, but no solution agrees with all.
    InNoSolution(WrongMoves),
    /// The clues alone have no solution.
    CluesUnsolvable,
}

/// Moves of a player that are wrong: placed digits and removed candidates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrongMoves {
    /// Placed digits that are wrong.
    pub digits: Vec<Candidate>,
    /// Removed candidates that are true.
    pub removed: Vec<Candidate>,
}

impl WrongMoves {
    /// Returns true if no move is wrong.
    pub fn is_empty(&self) -> bool {
        self.digits.is_empty() && self.removed.is_empty()
    }

    /// Compares a position with a solution, a digit for each cell.
    pub fn against(puzzle: &Puzzle, state: &State, solution: &[Digit]) -> WrongMoves {
        let mut wrong_moves = WrongMoves::default();
        for cell in puzzle.geometry.cells() {
            let truth = Candidate::new(solution[cell.index()], cell);
            match puzzle.digit(cell).or_else(|| state.value(cell)) {
                Some(digit) if digit != truth.digit => wrong_moves.digits.push(Candidate::new(digit, cell)),
                None if is_removed(puzzle, truth) => wrong_moves.removed.push(truth),
                _ => {}
            }
        }
        wrong_moves
    }
}

/// Finds the mistakes of a position that has no solution. `None` if the puzzle has no placements or removals that could
/// be mistakes.
pub fn mistakes(puzzle: &Puzzle, state: &State) -> Option<Mistakes> {
    let clues = puzzle.initial_state()?;
    Some(match uniqueness(&puzzle.geometry, &clues) {
        Uniqueness::None => Mistakes::CluesUnsolvable,
        Uniqueness::One(solution) => Mistakes::AgainstSolution(WrongMoves::against(puzzle, state, &solution)),
        Uniqueness::Many(..) => Mistakes::InNoSolution(wrong_moves_in_all_solutions(puzzle, &clues)),
    })
}

/// Finds the placed digits and removed candidates that contradict every solution of the clues.
fn wrong_moves_in_all_solutions(puzzle: &Puzzle, clues: &State) -> WrongMoves {
    let mut wrong_moves = WrongMoves::default();
    for cell in puzzle.geometry.cells() {
        if puzzle.givens[cell.index()].is_some() {
            continue;
        }
        match puzzle.placed[cell.index()].map(|digit| Candidate::new(digit, cell)) {
            Some(placed) if !is_possible(&puzzle.geometry, clues, placed) => wrong_moves.digits.push(placed),
            Some(_) => {}
            None => wrong_moves.removed.extend(removed_truth(puzzle, cell, clues)),
        }
    }
    wrong_moves
}

/// Returns true if a candidate is true in some solution.
fn is_possible(geometry: &Geometry, state: &State, candidate: Candidate) -> bool {
    let mut placed = state.clone();
    placed.place(geometry, candidate.cell, candidate.digit);
    state.has(candidate) && !solutions(geometry, &placed, 1).is_empty()
}

/// Returns the removed candidate of a cell if that candidate is true in all solutions of the clues.
fn removed_truth(puzzle: &Puzzle, cell: Cell, clues: &State) -> Option<Candidate> {
    let candidates = clues.candidates(cell).iter().map(|digit| Candidate::new(digit, cell));
    let (mut removed, kept): (Vec<Candidate>, Vec<Candidate>) =
        candidates.partition(|&candidate| is_removed(puzzle, candidate));
    if removed.is_empty() || kept.into_iter().any(|candidate| is_possible(&puzzle.geometry, clues, candidate)) {
        return None;
    }
    removed.retain(|&candidate| is_possible(&puzzle.geometry, clues, candidate));
    match removed.as_slice() {
        &[candidate] => Some(candidate),
        // If several removed candidates are possible, none of them is true in all solutions.
        _ => None,
    }
}

/// Returns true if the text of the puzzle lists candidates, but does not list `candidate`.
fn is_removed(puzzle: &Puzzle, candidate: Candidate) -> bool {
    puzzle.candidates.as_ref().is_some_and(|lists| !lists[candidate.cell.index()].has(candidate.digit))
}
