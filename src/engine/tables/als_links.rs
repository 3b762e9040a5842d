//! Links between almost locked sets, for rules that combine two or three sets in a sequence.
//!
//! In: the sets of a state with their links, and the wanted eliminations. Out: [`SequenceSets`]: the sets that can be
//! an end of such a sequence, and the sets that can be between two ends. [`DoublyLinked`]: for each pair of digits, the
//! sets that have both digits as restricted common candidates with the same other set.
//!
//! A digit links two sets if it is a restricted common candidate of both: all its places in one set see all its places
//! in the other set. The two ends of a sequence have a common target of a digit z: a cell that sees all z of both sets, or
//! a shared cell that is the only place of z in both sets. For each target, the search examines the sets that can be an end with this
//! target, and all sets that a digit other than z links to one of these ends. A set is between two ends if two digits
//! link the set to two different ends.

use super::als::AlsTable;
use super::bit_rows;
use crate::grid::Bits;

/// A bit row with a bit for the number of each set.
type BitRow = Vec<u64>;

/// The sets that can take part in a sequence of two or three sets whose ends share a target.
pub(crate) struct SequenceSets {
    /// For each digit z, the sets that share a target of z with some set and are linked to that set by a digit other
    /// than z.
    pub linked: Vec<BitRow>,
    /// For each digit z, every set that has a target of z in common with other sets, if at least two of these have a
    /// third set between them. Some of the sets may have no set beside them.
    pub separated: Vec<BitRow>,
    /// Union of `separated` over all digits.
    pub ends: BitRow,
    /// The sets that are between two ends.
    pub middles: BitRow,
}

impl SequenceSets {
    /// Finds the sets. `targets` has, for each digit, the cells from which the digit could be eliminated.
    pub fn new<const W: usize>(sets: &AlsTable<W>, targets: &[Bits<W>]) -> SequenceSets {
        let size = sets.size();
        let words = bit_rows::words_for(sets.sets.len());
        let row = vec![0; words];
        let rows = vec![vec![0; words]; size];
        let sequences = SequenceSets { linked: rows.clone(), separated: rows, ends: row.clone(), middles: row };
        let mut search = LinkSearch {
            sets,
            words,
            linked_rows: vec![0; words * size],
            sets_by_target: Vec::new(),
            sets_by_only_place: Vec::new(),
            sequences,
        };
        (0..size).for_each(|digit| search.add_digit(digit, &targets[digit]));
        search.sequences
    }
}

/// The computation of [`SequenceSets`]. The rows and lists are buffers for one digit or one target.
struct LinkSearch<'s, const W: usize> {
    sets: &'s AlsTable<W>,
    words: usize,
    /// For each digit, the sets that the digit links to an end of the current target.
    linked_rows: BitRow,
    /// For each cell, the sets that have the cell as a target of the current digit.
    sets_by_target: Vec<Vec<u32>>,
    /// For each cell, the sets that have the current digit only in this cell.
    sets_by_only_place: Vec<Vec<u32>>,
    sequences: SequenceSets,
}

impl<const W: usize> LinkSearch<'_, W> {
    fn add_digit(&mut self, digit: usize, targets: &Bits<W>) {
        for lists in [&mut self.sets_by_target, &mut self.sets_by_only_place] {
            lists.iter_mut().for_each(Vec::clear);
            lists.resize_with(W * 64, Vec::new);
        }
        for &number in self.sets.numbers_with(digit) {
            let Some(digit_places) = self.sets.digit_places(&self.sets.sets[number as usize], digit) else { continue };
            (digit_places.seen & *targets).iter().for_each(|cell| self.sets_by_target[cell].push(number));
            if let Some(cell) = digit_places.places.first()
                && digit_places.places.is_one()
            {
                self.sets_by_only_place[cell].push(number);
            }
        }
        let by_target = std::mem::take(&mut self.sets_by_target);
        let by_only_place = std::mem::take(&mut self.sets_by_only_place);
        for ends in by_target.iter().chain(&by_only_place) {
            if ends.len() > 1 {
                self.add_target(digit, ends);
            }
        }
        (self.sets_by_target, self.sets_by_only_place) = (by_target, by_only_place);
    }

    /// Adds the sets of all sequences between two of `ends`. All `ends` share one target of `digit`.
    fn add_target(&mut self, digit: usize, ends: &[u32]) {
        let words = self.words;
        self.linked_rows.fill(0);
        let [mut linked_to_one_end, mut linked_to_two_ends, mut linked_by_one_digit, mut linked_by_two_digits] =
            [(); 4].map(|()| vec![0u64; words]);
        let mut linked_to_end = vec![0u64; words];
        for &end in ends {
            linked_to_end.fill(0);
            for other in self.sets.sets[end as usize].digits.iter().map(|other| other.index()) {
                if other == digit {
                    continue;
                }
                if let Some(row) = self.sets.linked(other, end) {
                    bit_rows::add(&mut linked_to_end, &row);
                    bit_rows::add(&mut self.linked_rows[other * words..(other + 1) * words], &row);
                }
            }
            count_up_to_two(&mut linked_to_one_end, &mut linked_to_two_ends, &linked_to_end);
        }
        for row in self.linked_rows.chunks_exact(words) {
            count_up_to_two(&mut linked_by_one_digit, &mut linked_by_two_digits, row);
        }
        for &end in ends {
            if bit_rows::has(&linked_by_one_digit, end as usize) {
                bit_rows::set(&mut self.sequences.linked[digit], end as usize);
            }
        }
        let mut middles = linked_by_two_digits;
        bit_rows::intersect(&mut middles, &linked_to_two_ends);
        if bit_rows::is_empty(&middles) {
            return;
        }
        bit_rows::add(&mut self.sequences.middles, &middles);
        // The rows only narrow a search, so they may also have ends that no middle is linked to.
        for &end in ends {
            bit_rows::set(&mut self.sequences.separated[digit], end as usize);
            bit_rows::set(&mut self.sequences.ends, end as usize);
        }
    }
}

/// Counts how many rows have each bit, up to two: `once` has the bits of at least one row, `twice` the bits of at least
/// two.
fn count_up_to_two(once: &mut [u64], twice: &mut [u64], row: &[u64]) {
    for ((once, twice), row) in once.iter_mut().zip(twice).zip(row) {
        *twice |= *once & row;
        *once |= row;
    }
}

/// For each pair of digits, the row of the sets that both digits link to the same other set.
pub(crate) struct DoublyLinked {
    words: usize,
    size: usize,
    /// The row of each pair of digits; its index is digit × digits + digit.
    any: Vec<u64>,
    /// Rows like those of `any`, for sets that are linked to a set with a larger number.
    later: Vec<u64>,
}

impl DoublyLinked {
    pub fn new<const W: usize>(sets: &AlsTable<W>) -> DoublyLinked {
        let size = sets.size();
        let words = bit_rows::words_for(sets.sets.len());
        let mut out =
            DoublyLinked { words, size, any: vec![0; words * size * size], later: vec![0; words * size * size] };
        let mut linked_rows = Vec::new();
        for (number, set) in sets.sets.iter().enumerate() {
            linked_rows.clear();
            for digit in set.digits.iter().map(|digit| digit.index()) {
                if let Some(row) = sets.linked(digit, number as u32)
                    && !bit_rows::is_empty(&row)
                {
                    linked_rows.push((digit, row));
                }
            }
            for (index, (a, a_row)) in linked_rows.iter().enumerate() {
                for (b, b_row) in &linked_rows[index + 1..] {
                    out.add(number, [*a, *b], a_row, b_row);
                }
            }
        }
        out
    }

    /// Adds a set to the row of two digits if both digits link the set to the same other set. `a_row` has the sets that
    /// digit `a` links to the set, `b_row` those of digit `b`.
    fn add(&mut self, number: usize, [a, b]: [usize; 2], a_row: &[u64], b_row: &[u64]) {
        let (word, bit) = (number / 64, 1u64 << (number % 64));
        // No set is linked to itself, so neither row has `bit`. If the common bits exceed `bit` as a number, one of
        // them is the bit of a set with a larger number.
        let is_later = a_row[word] & b_row[word] > bit || bit_rows::meet(&a_row[word + 1..], &b_row[word + 1..]);
        if !is_later && !bit_rows::meet(&a_row[..=word], &b_row[..=word]) {
            return;
        }
        for (a, b) in [(a, b), (b, a)] {
            let index = (a * self.size + b) * self.words + word;
            self.any[index] |= bit;
            if is_later {
                self.later[index] |= bit;
            }
        }
    }

    /// Returns the row of the sets that both digits link to the same other set. With `later`, the other set must have a
    /// larger number.
    pub fn row(&self, [a, b]: [usize; 2], later: bool) -> &[u64] {
        let begin = (a * self.size + b) * self.words;
        let rows = if later { &self.later } else { &self.any };
        &rows[begin..begin + self.words]
    }
}
