//! Links between almost locked sets, for rules that combine two or three sets in a row.
//!
//! In: the sets of a state with their links, and the wanted eliminations. Out: [`LinkedTriples`]: sets that can be an end of
//! such a row, and sets that can stand between two ends. [`DoublyLinked`]: for each two digits, the sets that both link to
//! one other set.
//!
//! The two ends share a target: a candidate z seen by all z of both, or the one cell in which both have z. So for each
//! target, the sets that can have it as ends are examined together with all sets they are linked to by other digits. A set
//! stands between two of them if two digits link it to two different ends.

use super::als::AlsTable;
use super::bit_rows;
use crate::grid::Bits;

/// Sets as bits, by their number.
type BitRow = Vec<u64>;

/// Sets that some target leaves useful.
pub(crate) struct LinkedTriples {
    /// For each digit z, the sets linked to another set that shares a target of z.
    linked: Vec<BitRow>,
    /// For each digit z, the sets that share a target of z with another set, with a third set between them.
    separated: Vec<BitRow>,
    /// Union of `separated` over all digits.
    ends: BitRow,
    /// The sets between two such.
    middles: BitRow,
}

impl LinkedTriples {
    /// Finds the useful sets. `targets` has, for each digit, the cells where it could be eliminated.
    pub fn new<const W: usize>(sets: &AlsTable<W>, targets: &[Bits<W>]) -> LinkedTriples {
        let size = sets.size();
        let words = bit_rows::words_for(sets.sets.len());
        let (row, rows) = (vec![0; words], vec![vec![0; words]; size]);
        let triples = LinkedTriples { linked: rows.clone(), separated: rows, ends: row.clone(), middles: row };
        let mut work = LinkSearch { sets, words, reached: vec![0; words * size], lists: Default::default(), triples };
        (0..size).for_each(|digit| work.digit(digit, &targets[digit]));
        work.triples
    }

    /// The sets that are linked by another digit to one with which they share a target of a digit.
    pub fn linked(&self, digit: usize) -> &[u64] {
        &self.linked[digit]
    }

    /// Sets that share a target of the digit with another set, with a third set between them.
    pub fn separated(&self, digit: usize) -> &[u64] {
        &self.separated[digit]
    }

    /// Sets that are an end for some digit.
    pub fn ends(&self) -> &[u64] {
        &self.ends
    }

    /// The sets between two such.
    pub fn middles(&self) -> &[u64] {
        &self.middles
    }
}

struct LinkSearch<'s, const W: usize> {
    sets: &'s AlsTable<W>,
    words: usize,
    /// For each digit, the sets that it links to.
    reached: BitRow,
    /// For each cell, the sets that have it as a target, and the sets that have the digit only there.
    lists: [Vec<Vec<u32>>; 2],
    triples: LinkedTriples,
}

impl<const W: usize> LinkSearch<'_, W> {
    fn digit(&mut self, digit: usize, targets: &Bits<W>) {
        for lists in &mut self.lists {
            lists.iter_mut().for_each(Vec::clear);
            lists.resize_with(W * 64, Vec::new);
        }
        for &number in self.sets.with(digit) {
            let Some(mark) = self.sets.mark(&self.sets.sets[number as usize], digit) else { continue };
            (mark.seen & *targets).iter().for_each(|cell| self.lists[0][cell].push(number));
            if let Some(cell) = mark.places.first().filter(|_| mark.places.is_one()) {
                self.lists[1][cell].push(number);
            }
        }
        let lists = std::mem::take(&mut self.lists);
        lists.iter().flatten().filter(|list| list.len() > 1).for_each(|list| self.target(digit, list));
        self.lists = lists;
    }

    /// Examines the sets that share a target.
    fn target(&mut self, digit: usize, list: &[u32]) {
        let words = self.words;
        self.reached.fill(0);
        let [mut once, mut twice, mut one, mut two] = [(); 4].map(|()| vec![0u64; words]);
        let mut from = vec![0u64; words];
        for &number in list {
            from.fill(0);
            for other in self.sets.sets[number as usize].digits.iter().map(|other| other.index()) {
                let Some(row) = self.sets.linked(other, number).filter(|_| other != digit) else { continue };
                bit_rows::add(&mut from, &row);
                bit_rows::add(&mut self.reached[other * words..(other + 1) * words], &row);
            }
            gather(&mut once, &mut twice, &from);
        }
        self.reached.chunks_exact(words).for_each(|row| gather(&mut one, &mut two, row));
        for &number in list.iter().filter(|&&number| bit_rows::has(&one, number as usize)) {
            bit_rows::set(&mut self.triples.linked[digit], number as usize);
        }
        bit_rows::keep(&mut two, &twice);
        if bit_rows::is_empty(&two) {
            return;
        }
        bit_rows::add(&mut self.triples.middles, &two);
        for &number in list {
            bit_rows::set(&mut self.triples.separated[digit], number as usize);
            bit_rows::set(&mut self.triples.ends, number as usize);
        }
    }
}

/// Keeps what came once, and what came more than once.
fn gather(once: &mut [u64], twice: &mut [u64], row: &[u64]) {
    for ((once, twice), row) in once.iter_mut().zip(twice).zip(row) {
        *twice |= *once & row;
        *once |= row;
    }
}

/// Sets as bits, by their number; a row for each two digits.
pub(crate) struct DoublyLinked {
    words: usize,
    size: usize,
    /// Whatever the other set.
    any: Vec<u64>,
    /// As `any`, restricted to other sets with a larger index.
    later: Vec<u64>,
}

impl DoublyLinked {
    pub fn new<const W: usize>(sets: &AlsTable<W>) -> DoublyLinked {
        let size = sets.size();
        let words = bit_rows::words_for(sets.sets.len());
        let mut out =
            DoublyLinked { words, size, any: vec![0; words * size * size], later: vec![0; words * size * size] };
        let mut known = Vec::new();
        for (number, set) in sets.sets.iter().enumerate() {
            let digits = set.digits.iter().map(|digit| digit.index());
            known.clear();
            let linked = digits.filter_map(|digit| Some((digit, sets.linked(digit, number as u32)?)));
            known.extend(linked.filter(|(_, row)| !bit_rows::is_empty(row)));
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
        let later = first[word] & second[word] > bit || bit_rows::meet(&first[word + 1..], &second[word + 1..]);
        if !later && !bit_rows::meet(&first[..=word], &second[..=word]) {
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
