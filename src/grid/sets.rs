//! Sets of small numbers as bit masks: digits in one word, cells and houses in a fixed number of words.
//!
//! In: indices. Out: `Copy` values with the usual set operations; nothing here allocates.

use super::ids::{Cell, Digit};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

/// A set of digits, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DigitSet(pub u32);

impl DigitSet {
    /// No digit.
    pub const EMPTY: DigitSet = DigitSet(0);

    /// The digits of a board of the given size: 1 to `size`.
    #[inline]
    pub fn all(size: usize) -> Self {
        DigitSet(((1u64 << size) - 1) as u32)
    }

    /// The set of one digit.
    #[inline]
    pub fn single(digit: Digit) -> Self {
        DigitSet(1 << digit.0)
    }

    /// How many digits.
    #[inline]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `digit` is a member.
    #[inline]
    pub fn has(self, digit: Digit) -> bool {
        self.0 >> digit.0 & 1 == 1
    }

    /// Adds a digit.
    #[inline]
    pub fn insert(&mut self, digit: Digit) {
        self.0 |= 1 << digit.0;
    }

    /// Takes a digit away.
    #[inline]
    pub fn remove(&mut self, digit: Digit) {
        self.0 &= !(1 << digit.0);
    }

    /// The smallest digit.
    #[inline]
    pub fn first(self) -> Option<Digit> {
        (self.0 != 0).then(|| Digit(self.0.trailing_zeros() as u8))
    }

    /// The set of a digit, if there is one.
    #[inline]
    pub fn single_of(digit: Option<Digit>) -> DigitSet {
        DigitSet(u32::from(digit.is_some()) << digit.map_or(0, |digit| digit.0))
    }

    /// The members, smallest first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Digit> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let digit = DigitSet(rest).first()?;
            rest &= rest - 1;
            Some(digit)
        })
    }

    /// Whether every member is in `other`.
    #[inline]
    pub fn within(self, other: DigitSet) -> bool {
        self.0 & !other.0 == 0
    }
}

impl FromIterator<Digit> for DigitSet {
    #[inline]
    fn from_iter<T: IntoIterator<Item = Digit>>(digits: T) -> Self {
        let mut set = DigitSet::EMPTY;
        digits.into_iter().for_each(|digit| set.insert(digit));
        set
    }
}

impl BitOr for DigitSet {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        DigitSet(self.0 | other.0)
    }
}

impl BitAnd for DigitSet {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        DigitSet(self.0 & other.0)
    }
}

impl Sub for DigitSet {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        DigitSet(self.0 & !other.0)
    }
}

/// A set of indices below `64 * W`: `W` is 2 for boards up to 10×10, 4 up to 16×16, 10 up to 25×25.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits<const W: usize>(pub [u64; W]);

/// A set of houses; boards have at most 128.
pub type HouseSet = Bits<2>;

impl<const W: usize> Default for Bits<W> {
    #[inline]
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const W: usize> Bits<W> {
    /// The empty set.
    pub const EMPTY: Self = Bits([0; W]);

    /// The set of one index.
    #[inline]
    pub fn single(index: usize) -> Self {
        Bits(std::array::from_fn(|at| if at == index / 64 { 1 << (index % 64) } else { 0 }))
    }

    /// The indices below `count`.
    #[inline]
    pub fn below(count: usize) -> Self {
        let mut set = Self::EMPTY;
        for (at, word) in set.0.iter_mut().enumerate() {
            let left = count.saturating_sub(at * 64);
            *word = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
        }
        set
    }

    /// Adds an index.
    #[inline]
    pub fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    /// Takes an index away.
    #[inline]
    pub fn remove(&mut self, index: usize) {
        self.0[index / 64] &= !(1 << (index % 64));
    }

    /// Whether the index is a member.
    #[inline]
    pub fn has(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    /// How many members.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0u64, |all, word| all | word) == 0
    }

    /// Whether there is just one.
    #[inline]
    pub fn is_one(&self) -> bool {
        self.len() == 1
    }

    /// Whether every member is in `other`.
    #[inline]
    pub fn within(&self, other: &Self) -> bool {
        // Without a branch for each word: sets are tested all the time.
        (0..W).fold(0u64, |beyond, i| beyond | self.0[i] & !other.0[i]) == 0
    }

    /// Whether the two have a member in common.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        (0..W).fold(0u64, |both, i| both | self.0[i] & other.0[i]) != 0
    }

    /// The smallest member.
    #[inline]
    pub fn first(&self) -> Option<usize> {
        (0..W).find(|&i| self.0[i] != 0).map(|i| i * 64 + self.0[i].trailing_zeros() as usize)
    }

    /// Takes the smallest member away and returns it.
    #[inline]
    pub fn pop(&mut self) -> Option<usize> {
        // No word is reached by a computed index, so that the set can stay in registers of the processor.
        for (at, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                let index = at * 64 + word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(index);
            }
        }
        None
    }

    /// The members above `index`.
    #[inline]
    pub fn after(self, index: usize) -> Self {
        let up_to = u64::MAX >> (63 - index % 64);
        Bits(std::array::from_fn(|at| match at.cmp(&(index / 64)) {
            Ordering::Less => 0,
            Ordering::Equal => self.0[at] & !up_to,
            Ordering::Greater => self.0[at],
        }))
    }

    /// Compares the members, smallest first, as words in a dictionary are compared; of sets of one size.
    #[inline]
    pub fn cmp_members(&self, other: &Self) -> Ordering {
        for (one, other) in self.0.iter().zip(&other.0) {
            let differ = one ^ other;
            if differ != 0 {
                // The smallest member that just one of them has.
                let smallest = differ & differ.wrapping_neg();
                return if one & smallest != 0 { Ordering::Less } else { Ordering::Greater };
            }
        }
        Ordering::Equal
    }

    /// The members, smallest first.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> + Clone + use<W> {
        let mut rest = *self;
        std::iter::from_fn(move || rest.pop())
    }

    /// The members as cells.
    #[inline]
    pub fn cells(&self) -> impl Iterator<Item = Cell> + Clone + use<W> {
        self.iter().map(|index| Cell(index as u16))
    }
}

impl<const W: usize> FromIterator<usize> for Bits<W> {
    #[inline]
    fn from_iter<T: IntoIterator<Item = usize>>(indices: T) -> Self {
        let mut set = Self::EMPTY;
        indices.into_iter().for_each(|index| set.insert(index));
        set
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Self;
    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl<const W: usize> BitOrAssign for Bits<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        (0..W).for_each(|i| self.0[i] |= other.0[i]);
    }
}

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Self;
    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl<const W: usize> BitAndAssign for Bits<W> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        (0..W).for_each(|i| self.0[i] &= other.0[i]);
    }
}

impl<const W: usize> Sub for Bits<W> {
    type Output = Self;
    #[inline]
    fn sub(mut self, other: Self) -> Self {
        self -= other;
        self
    }
}

impl<const W: usize> SubAssign for Bits<W> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        (0..W).for_each(|i| self.0[i] &= !other.0[i]);
    }
}
