//! Bit rows: sets of small numbers as slices of 64-bit words, with set operations.

/// Bit rows of equal length, stored one after the other in a single vector.
#[derive(Clone, Debug, Default)]
pub(crate) struct BitRows {
    words: usize,
    data: Vec<u64>,
}

pub(crate) fn words_for(bits: usize) -> usize {
    bits.div_ceil(64)
}

impl BitRows {
    /// Makes an empty table with room for about `rows` rows of `bits` bits.
    pub fn new(rows: usize, bits: usize) -> BitRows {
        BitRows { words: words_for(bits), data: Vec::with_capacity(rows * words_for(bits)) }
    }

    /// Appends an empty row and returns it.
    pub fn push(&mut self) -> &mut [u64] {
        let begin = self.data.len();
        self.data.resize(begin + self.words, 0);
        &mut self.data[begin..]
    }

    #[inline]
    pub fn row(&self, index: usize) -> &[u64] {
        &self.data[index * self.words..(index + 1) * self.words]
    }
}

#[inline]
pub(crate) fn set(row: &mut [u64], bit: usize) {
    row[bit / 64] |= 1 << (bit % 64);
}

/// Number of words that are processed together, so that the compiler uses vector instructions. Rows are short, so
/// larger chunks would not be faster.
const CHUNK: usize = 4;

/// Returns the first bit that is set in `row` and not in `other`.
#[inline]
pub(crate) fn first_beyond(row: &[u64], other: &[u64]) -> Option<usize> {
    let words = row.iter().zip(other).map(|(row, other)| row & !other);
    words.enumerate().find(|(_, word)| *word != 0).map(|(index, word)| index * 64 + word.trailing_zeros() as usize)
}

#[inline]
pub(crate) fn has(row: &[u64], bit: usize) -> bool {
    row[bit / 64] >> (bit % 64) & 1 == 1
}

#[inline]
pub(crate) fn add(row: &mut [u64], other: &[u64]) {
    combine(row, other, |row, other| row | other);
}

#[inline]
pub(crate) fn remove(row: &mut [u64], other: &[u64]) {
    combine(row, other, |row, other| row & !other);
}

/// Removes from a row the bits that `other` lacks.
#[inline]
pub(crate) fn intersect(row: &mut [u64], other: &[u64]) {
    combine(row, other, |row, other| row & other);
}

/// Replaces each word of a row by `op` of this word and the same word of another row, up to the end of the shorter row.
#[inline(always)]
fn combine(row: &mut [u64], other: &[u64], op: impl Fn(u64, u64) -> u64) {
    let words = row.len().min(other.len());
    let (chunks, rest) = row[..words].as_chunks_mut::<CHUNK>();
    let (other_chunks, other_rest) = other[..words].as_chunks::<CHUNK>();
    for (row, other) in chunks.iter_mut().zip(other_chunks) {
        *row = std::array::from_fn(|index| op(row[index], other[index]));
    }
    rest.iter_mut().zip(other_rest).for_each(|(row, other)| *row = op(*row, *other));
}

#[inline]
pub(crate) fn is_empty(row: &[u64]) -> bool {
    let (chunks, rest) = row.as_chunks::<CHUNK>();
    chunks.iter().all(|words| words.iter().fold(0, |all, word| all | word) == 0) && rest.iter().all(|&word| word == 0)
}

#[inline]
pub(crate) fn meet(a: &[u64], b: &[u64]) -> bool {
    let words = a.len().min(b.len());
    let (a, rest_of_a) = a[..words].as_chunks::<CHUNK>();
    let (b, rest_of_b) = b[..words].as_chunks::<CHUNK>();
    a.iter().zip(b).any(|(a, b)| a.iter().zip(b).fold(0, |all, (a, b)| all | a & b) != 0)
        || rest_of_a.iter().zip(rest_of_b).any(|(a, b)| a & b != 0)
}

/// Returns the bits of a row in ascending order.
#[inline]
pub(crate) fn bits(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    let mut words = row.iter().enumerate();
    // The bits of the current word that are not yet returned, and the number of its first bit.
    let mut remaining = 0;
    let mut first_bit = 0;
    std::iter::from_fn(move || {
        while remaining == 0 {
            let (index, &word) = words.next()?;
            (remaining, first_bit) = (word, index * 64);
        }
        let bit = first_bit + remaining.trailing_zeros() as usize;
        remaining &= remaining - 1;
        Some(bit)
    })
}
