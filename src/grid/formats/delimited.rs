//! Cells told apart by separators: empty fields between commas, blocks of cells on one line. In: lines.
//! Out: marks for the readers of rows and of lines.

use super::puzzle::{Mark, is_symbol};
use crate::grid::Digit;

/// The sizes whose rows may have empty fields.
const SIZES: [usize; 8] = [4, 6, 8, 9, 10, 12, 16, 25];

/// The cells of a line whose fields are separated by commas, semicolons or tabs, if some are empty: one for each field.
pub(super) fn cells(line: usize, text: &str) -> Option<Vec<Vec<Mark>>> {
    let separator = [',', ';', '\t'].into_iter().find(|&sign| text.matches(sign).count() >= 3)?;
    let mut fields: Vec<(usize, &str)> = Vec::new();
    let mut column = 1;
    for field in text.split(separator) {
        fields.push((column, field.trim().trim_matches('"')));
        column += field.chars().count() + 1;
    }
    let fits = |count: usize| SIZES.iter().any(|&size| count == size || count == size * size);
    let trailing = fields.last().is_some_and(|(_, field)| field.is_empty());
    // Ten fields with an empty last one are nine and a comma at the end.
    if trailing && (fields.len() == 10 || !fits(fields.len())) && fits(fields.len() - 1) {
        fields.pop();
    }
    let small = fields.iter().all(|(_, field)| field.chars().count() <= 1);
    if !small || !fits(fields.len()) || fields.iter().all(|(_, field)| !field.is_empty()) {
        return None;
    }
    let mark = |&(column, field): &(usize, &str)| Mark {
        symbol: field.chars().next().unwrap_or('.'),
        placed: false,
        line,
        column,
    };
    Some(fields.iter().map(|field| vec![mark(field)]).collect())
}

/// Where blocks of cells of one length end that are a whole puzzle together, such as nine blocks of nine. Blocks that could be
/// lists of candidates are none.
pub(super) fn blocks(text: &str) -> Option<usize> {
    let first = text.split_whitespace().next()?;
    let length = first.chars().count();
    if text.starts_with(char::is_whitespace) || length < 2 {
        return None;
    }
    let is_block = |word: &&str| word.chars().count() == length && word.chars().all(is_symbol);
    let words: Vec<&str> = text.split_whitespace().take_while(is_block).collect();
    let size = SIZES.iter().copied().find(|size| size * size == words.len() * length && size * size > 25)?;
    if words.len() < 2 || words.iter().all(|word| is_list(word, size)) {
        return None;
    }
    let last = words.last()?;
    Some(last.as_ptr() as usize - text.as_ptr() as usize + last.len())
}

/// Whether a block could be the candidates of a cell: its digits ascend, or each stands in its place.
fn is_list(word: &str, size: usize) -> bool {
    let digits: Vec<Option<usize>> = word.chars().map(|c| Digit::from_symbol(c).map(|digit| digit.index())).collect();
    let in_place =
        digits.len() == size && digits.iter().enumerate().all(|(at, digit)| digit.is_none_or(|digit| digit == at));
    let ascending = digits.windows(2).all(|pair| matches!(pair, [Some(a), Some(b)] if a < b));
    in_place || ascending
}
