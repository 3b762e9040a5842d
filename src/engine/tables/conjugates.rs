//! Sets of cells that between them have all places of a digit in a house. In: the sets of a state. Out: [`Conjugates`]: for
//! each digit and some of its places the sets that have just the others.

use super::board::Tables;
use super::index::Index;
use super::locked::{LockedSets, Mark};
use super::rows;
use crate::grid::Bits;
use rustc_hash::FxHashMap;

/// Sets as bits, by their number.
pub(in crate::engine) struct Conjugates<const W: usize> {
    words: usize,
    /// By a digit and places of it; only ever looked up.
    rows: FxHashMap<(usize, Bits<W>), Vec<u64>>,
    /// For each digit the sets with such a partner.
    partnered: Vec<Vec<u64>>,
    none: Vec<u64>,
}

impl<const W: usize> Conjugates<W> {
    pub fn new(tables: &Tables<W>, facts: &Index<W>, sets: &LockedSets<W>, whole: bool) -> Self {
        let houses_of = if whole { &tables.whole_houses_of } else { &tables.houses_of };
        let words = rows::words_for(sets.sets.len());
        let none = vec![0; words];
        let mut out =
            Conjugates { words, rows: FxHashMap::default(), partnered: vec![none.clone(); tables.size], none };
        let mut inside: Vec<Vec<(u32, Mark<W>)>> = vec![Vec::new(); tables.house.len()];
        for digit in 0..tables.size {
            inside.iter_mut().for_each(Vec::clear);
            for &number in sets.with(digit) {
                let Some(&mark) = sets.mark(&sets.sets[number as usize], digit) else { continue };
                let houses = mark.places.first().map(|first| houses_of[first]).unwrap_or_default();
                for house in houses.iter().filter(|&house| mark.places.within(&tables.house[house])) {
                    inside[house].push((number, mark));
                }
            }
            for (house, list) in inside.iter().enumerate() {
                out.house(digit, &(tables.house[house] & facts.places[digit]), list, whole);
            }
        }
        out
    }

    /// Notes the pairs of sets that have all places of a house.
    fn house(&mut self, digit: usize, places: &Bits<W>, list: &[(u32, Mark<W>)], whole: bool) {
        let largest = list.iter().map(|(_, mark)| mark.places.len()).max().unwrap_or(0);
        for (at, (a, one)) in list.iter().enumerate() {
            let left = *places - one.places;
            if left.len() > largest {
                continue;
            }
            for (b, other) in &list[at + 1..] {
                if left.within(&other.places) && !(whole && one.places == other.places) {
                    self.note(digit, *a, other.places);
                    self.note(digit, *b, one.places);
                }
            }
        }
    }

    /// A set has a partner with these places.
    fn note(&mut self, digit: usize, set: u32, places: Bits<W>) {
        let words = self.words;
        let row = self.rows.entry((digit, places)).or_insert_with(|| vec![0; words]);
        rows::set(row, set as usize);
        rows::set(&mut self.partnered[digit], set as usize);
    }

    /// The sets that with some places of a digit have all of a house.
    pub fn of(&self, digit: usize, places: &Bits<W>) -> &[u64] {
        self.rows.get(&(digit, *places)).unwrap_or(&self.none)
    }

    /// The sets for which there is another.
    pub fn partnered(&self, digit: usize) -> &[u64] {
        &self.partnered[digit]
    }
}
