//! Typed ids of cells, digits, houses and candidates, and sets of them as bits.
//!
//! Digits are stored from zero and print as `1`–`9`, then `A`, `B` ….

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

/// A cell of the board, numbered row by row from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cell(pub u16);

/// A digit minus one: `Digit(0)` is the digit 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Digit(pub u8);

/// A house of a geometry, an index into [`Geometry::houses`](super::Geometry::houses).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HouseId(pub u16);

/// A digit that a cell may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Candidate {
    pub cell: Cell,
    pub digit: Digit,
}

impl Cell {
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl HouseId {
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Digit {
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the printed form: `1`–`9`, then `A` for ten and so on.
    pub fn symbol(self) -> char {
        match self.0 {
            0..=8 => char::from(b'1' + self.0),
            n => char::from(b'A' + (n - 9)),
        }
    }

    /// Reads a symbol: `1`–`9`, or a letter of either case. Returns `None` for anything else.
    pub fn from_symbol(symbol: char) -> Option<Digit> {
        match symbol {
            '1'..='9' => Some(Digit(symbol as u8 - b'1')),
            'A'..='P' => Some(Digit(symbol as u8 - b'A' + 9)),
            'a'..='p' => Some(Digit(symbol as u8 - b'a' + 9)),
            _ => None,
        }
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Width and alignment of `f` apply to the symbol.
        fmt::Display::fmt(&self.symbol(), f)
    }
}

impl Candidate {
    pub fn new(digit: Digit, cell: Cell) -> Self {
        Candidate { cell, digit }
    }
}

/// A set of digits as a bit mask; bit 0 is the digit 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DigitSet(pub u32);

impl DigitSet {
    pub const EMPTY: DigitSet = DigitSet(0);

    /// Returns the digits of a board of the given size: 1 to `size`.
    #[inline]
    pub fn all(size: usize) -> Self {
        DigitSet(((1u64 << size) - 1) as u32)
    }

    #[inline]
    pub fn single(digit: Digit) -> Self {
        DigitSet(1 << digit.0)
    }

    #[inline]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the candidates of a cell with these digits.
    pub fn in_cell(self, cell: Cell) -> impl Iterator<Item = Candidate> {
        self.iter().map(move |digit| Candidate::new(digit, cell))
    }

    /// Returns true if `digit` is a member.
    #[inline]
    pub fn has(self, digit: Digit) -> bool {
        self.0 >> digit.0 & 1 == 1
    }

    #[inline]
    pub fn insert(&mut self, digit: Digit) {
        self.0 |= 1 << digit.0;
    }

    #[inline]
    pub fn remove(&mut self, digit: Digit) {
        self.0 &= !(1 << digit.0);
    }

    /// Returns the smallest digit.
    #[inline]
    pub fn first(self) -> Option<Digit> {
        (self.0 != 0).then(|| Digit(self.0.trailing_zeros() as u8))
    }

    /// Returns the set of the digit, or the empty set for `None`.
    #[inline]
    pub fn from_option(digit: Option<Digit>) -> DigitSet {
        DigitSet(u32::from(digit.is_some()) << digit.map_or(0, |digit| digit.0))
    }

    /// Returns the members, smallest first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Digit> + Clone {
        let mut remaining = self.0;
        std::iter::from_fn(move || {
            let digit = DigitSet(remaining).first()?;
            remaining &= remaining - 1;
            Some(digit)
        })
    }

    /// Returns true if every member is in `other`.
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

/// A set of indices below `64 * W`. Sets of cells need a `W` of 2 for boards up to 10×10, 4 up to 16×16, 10 up to 25×25.
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
    pub const EMPTY: Self = Bits([0; W]);

    #[inline]
    pub fn single(index: usize) -> Self {
        Bits(std::array::from_fn(|at| if at == index / 64 { 1 << (index % 64) } else { 0 }))
    }

    /// Returns the indices below `count`.
    #[inline]
    pub fn below(count: usize) -> Self {
        let mut set = Self::EMPTY;
        for (at, word) in set.0.iter_mut().enumerate() {
            let bits = count.saturating_sub(at * 64);
            *word = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        }
        set
    }

    #[inline]
    pub fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    #[inline]
    pub fn remove(&mut self, index: usize) {
        self.0[index / 64] &= !(1 << (index % 64));
    }

    /// Returns true if the index is a member.
    #[inline]
    pub fn has(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0u64, |all, word| all | word) == 0
    }

    /// Returns true if the set has exactly one member.
    #[inline]
    pub fn is_one(&self) -> bool {
        self.len() == 1
    }

    /// Returns true if every member is in `other`.
    #[inline]
    pub fn within(&self, other: &Self) -> bool {
        // No branch for each word, because the engine calls this very often.
        (0..W).fold(0u64, |outside, i| outside | self.0[i] & !other.0[i]) == 0
    }

    /// Returns true if the sets have a member in common.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        (0..W).fold(0u64, |common, i| common | self.0[i] & other.0[i]) != 0
    }

    /// Returns the smallest member.
    #[inline]
    pub fn first(&self) -> Option<usize> {
        (0..W).find(|&i| self.0[i] != 0).map(|i| i * 64 + self.0[i].trailing_zeros() as usize)
    }

    /// Removes the smallest member and returns it.
    #[inline]
    pub fn pop(&mut self) -> Option<usize> {
        // No word is accessed by a computed index, so that the set can stay in CPU registers.
        for (at, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                let index = at * 64 + word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(index);
            }
        }
        None
    }

    /// Returns the members above `index`.
    #[inline]
    pub fn above(self, index: usize) -> Self {
        let up_to = u64::MAX >> (63 - index % 64);
        Bits(std::array::from_fn(|at| match at.cmp(&(index / 64)) {
            Ordering::Less => 0,
            Ordering::Equal => self.0[at] & !up_to,
            Ordering::Greater => self.0[at],
        }))
    }

    /// Compares the sorted lists of members lexicographically. Both sets must have the same size.
    #[inline]
    pub fn cmp_members(&self, other: &Self) -> Ordering {
        for (word, other_word) in self.0.iter().zip(&other.0) {
            let difference = word ^ other_word;
            if difference != 0 {
                // The set that has the smallest member of the difference comes first.
                let smallest = difference & difference.wrapping_neg();
                return if word & smallest != 0 { Ordering::Less } else { Ordering::Greater };
            }
        }
        Ordering::Equal
    }

    /// Returns the members, smallest first.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> + Clone + use<W> {
        let mut remaining = *self;
        std::iter::from_fn(move || remaining.pop())
    }

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

/// Implements operators of [`DigitSet`] by an expression on the bits of both sets.
macro_rules! digit_operators {
    ($($Op:ident $op:ident |$a:ident, $b:ident| $bits:expr;)*) => {$(
        impl $Op for DigitSet {
            type Output = Self;
            #[inline]
            fn $op(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                DigitSet($bits)
            }
        }
    )*};
}

digit_operators! {
    BitOr bitor |a, b| a | b;
    BitAnd bitand |a, b| a & b;
    Sub sub |a, b| a & !b;
}

/// Implements operators of [`Bits`] and their assigning forms by a statement on two words.
macro_rules! operators {
    ($($Op:ident $op:ident $Assign:ident $assign:ident |$a:ident, $b:ident| $statement:expr;)*) => {$(
        impl<const W: usize> $Op for Bits<W> {
            type Output = Self;
            #[inline]
            fn $op(mut self, other: Self) -> Self {
                self.$assign(other);
                self
            }
        }

        impl<const W: usize> $Assign for Bits<W> {
            #[inline]
            fn $assign(&mut self, other: Self) {
                for i in 0..W {
                    let ($a, $b) = (&mut self.0[i], other.0[i]);
                    $statement;
                }
            }
        }
    )*};
}

operators! {
    BitOr bitor BitOrAssign bitor_assign |a, b| *a |= b;
    BitAnd bitand BitAndAssign bitand_assign |a, b| *a &= b;
    Sub sub SubAssign sub_assign |a, b| *a &= !b;
}
