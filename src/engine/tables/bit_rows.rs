//! Bit rows. In: how many bits a row has. Out: rows of machine words side by side, with the few set operations that
//! searches in graphs need. A row is a slice of words.

/// Rows of equal length.
#[derive(Clone, Debug, Default)]
pub(crate) struct BitRows {
    words: usize,
    data: Vec<u64>,
}

/// Number of words that hold `bits` bits.
pub(crate) fn words_for(bits: usize) -> usize {
    bits.div_ceil(64)
}

impl BitRows {
    /// Makes an empty table with room for about `rows` rows of `bits` bits.
    pub fn new(rows: usize, bits: usize) -> BitRows {
        BitRows { words: words_for(bits), data: Vec::with_capacity(rows * words_for(bits)) }
    }

    /// Adds an empty row and returns it.
    pub fn push(&mut self) -> &mut [u64] {
        let begin = self.data.len();
        self.data.resize(begin + self.words, 0);
        &mut self.data[begin..]
    }

    /// The row with a number.
    #[inline]
    pub fn row(&self, number: usize) -> &[u64] {
        &self.data[number * self.words..(number + 1) * self.words]
    }
}

/// Puts a bit into a row.
#[inline]
pub(crate) fn set(row: &mut [u64], bit: usize) {
    row[bit / 64] |= 1 << (bit % 64);
}

/// Words that are worked with at once.
const AT_ONCE: usize = 4;

/// The first bit of a row that another has not.
#[inline]
pub(crate) fn first_beyond(row: &[u64], other: &[u64]) -> Option<usize> {
    let words = row.iter().zip(other).map(|(row, other)| row & !other);
    words.enumerate().find(|(_, word)| *word != 0).map(|(at, word)| at * 64 + word.trailing_zeros() as usize)
}

/// Returns true if a row has a bit.
#[inline]
pub(crate) fn has(row: &[u64], bit: usize) -> bool {
    row[bit / 64] >> (bit % 64) & 1 == 1
}

/// Puts the bits of another row into a row.
#[inline]
pub(crate) fn add(row: &mut [u64], other: &[u64]) {
    combine(row, other, |row, other| row | other);
}

/// Takes the bits of another row out of a row.
#[inline]
pub(crate) fn take(row: &mut [u64], other: &[u64]) {
    combine(row, other, |row, other| row & !other);
}

/// Leaves the bits of a row that another has, too.
#[inline]
pub(crate) fn keep(row: &mut [u64], other: &[u64]) {
    combine(row, other, |row, other| row & other);
}

/// Combines two rows word by word, up to the end of the shorter one. Four words at a time compile to vector instructions;
/// rows are too short for wider ones to pay.
#[inline(always)]
fn combine(row: &mut [u64], other: &[u64], op: impl Fn(u64, u64) -> u64) {
    let words = row.len().min(other.len());
    let (chunks, rest) = row[..words].as_chunks_mut::<AT_ONCE>();
    let (others, other_rest) = other[..words].as_chunks::<AT_ONCE>();
    for (row, other) in chunks.iter_mut().zip(others) {
        *row = std::array::from_fn(|at| op(row[at], other[at]));
    }
    rest.iter_mut().zip(other_rest).for_each(|(row, other)| *row = op(*row, *other));
}

/// Returns true if a row has no bit.
#[inline]
pub(crate) fn is_empty(row: &[u64]) -> bool {
    let (chunks, rest) = row.as_chunks::<AT_ONCE>();
    chunks.iter().all(|words| words.iter().fold(0, |all, word| all | word) == 0) && rest.iter().all(|&word| word == 0)
}

/// Returns true if two rows have a common bit.
#[inline]
pub(crate) fn meet(a: &[u64], b: &[u64]) -> bool {
    let words = a.len().min(b.len());
    let (a, rest_of_a) = a[..words].as_chunks::<AT_ONCE>();
    let (b, rest_of_b) = b[..words].as_chunks::<AT_ONCE>();
    a.iter().zip(b).any(|(a, b)| a.iter().zip(b).fold(0, |all, (a, b)| all | a & b) != 0)
        || rest_of_a.iter().zip(rest_of_b).any(|(a, b)| a & b != 0)
}

/// The bits of a row, ascending.
#[inline]
pub(crate) fn bits(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    let mut words = row.iter().enumerate();
    let (mut first, mut rest) = (0, 0);
    std::iter::from_fn(move || {
        while rest == 0 {
            let (at, &word) = words.next()?;
            (first, rest) = (at * 64, word);
        }
        let bit = first + rest.trailing_zeros() as usize;
        rest &= rest - 1;
        Some(bit)
    })
}
