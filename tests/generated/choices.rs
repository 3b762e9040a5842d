//! Random choices that shrink. In: a seed, or a list of numbers. Out: the numbers that a generator asks for, and a shorter list
//! for which something still fails.
//!
//! Whatever a generator builds is a function of the list. Past its end every choice is 0, and 0 is the simplest choice. So a
//! generator needs no shrinking of its own: to shrink the list is to shrink what is built.

use std::collections::BTreeSet;

/// The most choices that one generator makes.
const MOST: usize = 4_000;

/// A list of choices that is read from the front, or a seed that makes one.
pub struct Choices {
    made: Vec<u32>,
    next: usize,
    seed: Option<u64>,
}

impl Choices {
    /// Choices that follow from a seed.
    pub fn from_seed(seed: u64) -> Choices {
        Choices {
            made: Vec::new(),
            next: 0,
            seed: Some(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03),
        }
    }

    /// Choices that were made before.
    pub fn replay(made: &[u32]) -> Choices {
        Choices { made: made.to_vec(), next: 0, seed: None }
    }

    /// Returns the numbers handed out so far.
    pub fn made(&self) -> &[u32] {
        &self.made[..self.next.min(self.made.len())]
    }

    /// A number below a bound; 0 where the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        if self.next == self.made.len() && self.next < MOST {
            let drawn = self.seed.as_mut().map(draw);
            self.made.extend(drawn);
        }
        let made = self.made.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        if bound == 0 { 0 } else { made as usize % bound }
    }

    /// True `some` times of `of`.
    pub fn chance(&mut self, some: usize, of: usize) -> bool {
        // 0 is "no".
        self.below(of) >= of - some
    }

    /// One of a list that is not empty.
    pub fn pick<'t, T: ?Sized>(&mut self, list: &[&'t T]) -> &'t T {
        list[self.below(list.len())]
    }
}

/// The next number of a generator (splitmix64).
fn draw(seed: &mut u64) -> u32 {
    *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = (*seed ^ (*seed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((mixed ^ (mixed >> 31)) >> 32) as u32
}

/// A smaller list for which `fails` still says so: numbers are left out, in blocks, and made smaller.
pub fn shrink(failing: &[u32], fails: &mut dyn FnMut(&[u32]) -> bool) -> Vec<u32> {
    const TRIES: usize = 500;
    let mut best = failing.to_vec();
    let mut seen = BTreeSet::new();
    let mut tries = 0;
    loop {
        let before = best.clone();
        for candidate in smaller(&best) {
            if tries >= TRIES {
                return best;
            }
            if simpler(&candidate, &best) && seen.insert(candidate.clone()) {
                tries += 1;
                if fails(&candidate) {
                    best = candidate;
                    break;
                }
            }
        }
        if best == before {
            return best;
        }
    }
}

fn simpler(a: &[u32], b: &[u32]) -> bool {
    (a.len(), a) < (b.len(), b)
}

/// Lists that are a step simpler, the boldest first.
fn smaller(list: &[u32]) -> Vec<Vec<u32>> {
    let mut out = Vec::new();
    let mut block = list.len().next_power_of_two() / 2;
    while block > 0 {
        for start in (0..list.len()).step_by(block) {
            let end = (start + block).min(list.len());
            out.push([&list[..start], &list[end..]].concat());
            let mut zeroed = list.to_vec();
            zeroed[start..end].fill(0);
            out.push(zeroed);
        }
        block /= 2;
    }
    for at in 0..list.len() {
        for value in [list[at] % 64, list[at] / 2, list[at].saturating_sub(1)] {
            let mut lower = list.to_vec();
            lower[at] = value;
            out.push(lower);
        }
    }
    out
}
