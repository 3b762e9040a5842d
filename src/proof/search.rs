//! Solutions by search: cells as masks of candidates, singles until nothing moves, then a guess.
//!
//! In: a board and the candidates of every cell. Out: solutions in a fixed order, or word that the budget ran out.

use crate::grid::Geometry;

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

/// What to guess: a cell, and the digits to try in it; or the places to try for a digit.
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

    /// The cell with the fewest candidates, or a digit with two places in a house where every cell has more.
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
