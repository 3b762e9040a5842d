//! Almost locked sets that two digits link to another. In: the sets of a state with their links. Out: [`DoublyLinked`]: for each
//! two digits the sets that both link to one and the same set.

use super::locked::LockedSets;
use super::rows;

/// Sets as bits, by their number; a row for each two digits.
pub(in crate::engine) struct DoublyLinked {
    words: usize,
    size: usize,
    /// Whatever the other set.
    any: Vec<u64>,
    /// Where the other set has a larger number.
    later: Vec<u64>,
}

impl DoublyLinked {
    pub fn new<const W: usize>(sets: &LockedSets<W>) -> DoublyLinked {
        let size = sets.size();
        let words = rows::words_for(sets.sets.len());
        let mut out =
            DoublyLinked { words, size, any: vec![0; words * size * size], later: vec![0; words * size * size] };
        let mut known = Vec::new();
        for (number, set) in sets.sets.iter().enumerate() {
            let digits = set.digits.iter().map(|digit| digit.index());
            known.clear();
            let linked = digits.filter_map(|digit| Some((digit, sets.linked(digit, number as u32)?)));
            known.extend(linked.filter(|(_, row)| !rows::is_empty(row)));
            for (at, (a, first)) in known.iter().enumerate() {
                for (b, second) in &known[at + 1..] {
                    out.note(number, [*a, *b], first, second);
                }
            }
        }
        out
    }

    fn note(&mut self, number: usize, [a, b]: [usize; 2], first: &[u64], second: &[u64]) {
        let (word, bit) = (number / 64, 1u64 << (number % 64));
        let shared = |range: std::ops::Range<usize>| rows::meet(&first[range.clone()], &second[range]);
        let later = first[word] & second[word] > bit || shared(word + 1..self.words);
        if !later && !shared(0..word + 1) {
            return;
        }
        for (a, b) in [(a, b), (b, a)] {
            let row = (a * self.size + b) * self.words + word;
            self.any[row] |= bit;
            self.later[row] |= if later { bit } else { 0 };
        }
    }

    /// The sets that both digits link to another, with `later` to one with a larger number.
    pub fn row(&self, [a, b]: [usize; 2], later: bool) -> &[u64] {
        let begin = (a * self.size + b) * self.words;
        let rows = if later { &self.later } else { &self.any };
        &rows[begin..begin + self.words]
    }
}
