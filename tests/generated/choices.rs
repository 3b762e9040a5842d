//! Random choices that can be shrunk.
//!
//! A generator asks for one choice after the other. The choices come from a seed or from a list, so whatever the generator
//! builds is a function of the list. Past the end of the list every choice is 0, the simplest choice. If something fails,
//! [`shrink`] finds a simpler list for which it still fails: generators need no shrinking of their own.

use std::collections::BTreeSet;

/// Maximum number of random choices. Later choices are 0.
const MAX_CHOICES: usize = 4_000;

/// A sequence of choices, which a generator reads from the front.
pub struct Choices {
    /// The choices drawn so far, or the given list.
    made: Vec<u32>,
    /// Index of the next choice.
    next: usize,
    /// State of the random generator; `None` for a given list.
    random: Option<u64>,
}

impl Choices {
    pub fn from_seed(seed: u64) -> Choices {
        let random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
        Choices { made: Vec::new(), next: 0, random: Some(random) }
    }

    /// Returns the choices of a given list.
    pub fn replay(made: &[u32]) -> Choices {
        Choices { made: made.to_vec(), next: 0, random: None }
    }

    /// Returns the choices that the generator has read.
    pub fn made(&self) -> &[u32] {
        &self.made[..self.next.min(self.made.len())]
    }

    /// Returns a number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        if self.next == self.made.len()
            && self.next < MAX_CHOICES
            && let Some(random) = &mut self.random
        {
            self.made.push(draw(random));
        }
        let choice = self.made.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        if bound == 0 { 0 } else { choice as usize % bound }
    }

    /// Returns true with a probability of `part / whole`. The choice 0 gives false.
    pub fn chance(&mut self, part: usize, whole: usize) -> bool {
        self.below(whole) >= whole - part
    }

    /// Returns an item of a list that is not empty.
    pub fn pick<'t, T: ?Sized>(&mut self, list: &[&'t T]) -> &'t T {
        list[self.below(list.len())]
    }
}

/// Returns the next number of the random generator splitmix64.
fn draw(random: &mut u64) -> u32 {
    *random = random.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = (*random ^ (*random >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((mixed ^ (mixed >> 31)) >> 32) as u32
}

/// Returns a simpler list for which `fails` is still true. Simpler lists lack numbers, or have smaller numbers.
pub fn shrink(failing: &[u32], fails: &mut dyn FnMut(&[u32]) -> bool) -> Vec<u32> {
    const MAX_TRIES: usize = 500;
    let mut simplest = failing.to_vec();
    let mut tried = BTreeSet::new();
    loop {
        let before = simplest.clone();
        for list in simplifications(&simplest) {
            if tried.len() >= MAX_TRIES {
                return simplest;
            }
            if is_simpler(&list, &simplest) && tried.insert(list.clone()) && fails(&list) {
                simplest = list;
                break;
            }
        }
        if simplest == before {
            return simplest;
        }
    }
}

fn is_simpler(a: &[u32], b: &[u32]) -> bool {
    (a.len(), a) < (b.len(), b)
}

/// Returns lists without a block of numbers, lists with a block of zeros, and lists with one smaller number. Large blocks come
/// first.
fn simplifications(list: &[u32]) -> Vec<Vec<u32>> {
    let mut simplified = Vec::new();
    let mut block = list.len().next_power_of_two() / 2;
    while block > 0 {
        for start in (0..list.len()).step_by(block) {
            let end = (start + block).min(list.len());
            simplified.push([&list[..start], &list[end..]].concat());
            let mut zeroed = list.to_vec();
            zeroed[start..end].fill(0);
            simplified.push(zeroed);
        }
        block /= 2;
    }
    for index in 0..list.len() {
        // Most bounds of choices are far below 64, so the remainder often means a similar choice.
        for number in [list[index] % 64, list[index] / 2, list[index].saturating_sub(1)] {
            let mut lowered = list.to_vec();
            lowered[index] = number;
            simplified.push(lowered);
        }
    }
    simplified
}
