//! The words of the rule language, and the search for the word most similar to an unknown one.

use super::ir::KIND_WORDS;

/// Builds a list of words: `word_list! { a b }` is `&["a", "b"]`.
macro_rules! word_list {
    ($($word:tt)*) => { &[$(stringify!($word)),*] };
}
pub(super) use word_list;

/// Words that begin an item, in column 1.
pub const ITEMS: &[&str] = word_list! { technique pattern strong example near_miss rules };

/// Words that begin a statement of a technique.
pub const STATEMENTS: &[&str] = word_list! {
    case let require chain eliminate place conclude called says because guardians uses join loop cluster ring suppose
};

/// First words of statements that may have a block in braces.
pub const BLOCKS: &[&str] = word_list! { chain loop cluster ring suppose };

/// Keywords that stand inside statements.
const INNER_KEYWORDS: &[&str] = word_list! {
    for in when otherwise some every no not and or with has lacks sees seeing within disjoint from to on weak link
    assuming grid finds meeting avoiding through crossing parallel connected by using those
};

const FUTURE_KEYWORDS: &[&str] = word_list! { path kind relation rectangle };

/// Returns the kinds that have a plural: singular and plural.
pub fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    KIND_WORDS.iter().map(|(kind, _, plural)| (kind.singular(), *plural))
}

/// Names of functions, such as `digits` in `digits(…)`.
pub const FUNCTIONS: &[&str] = word_list! {
    digits values cells row column box rows columns boxes lines houses overlap in_no_template in_every_template
    in_no_combination times
};

/// Returns the kind that an unknown word stands for: an abbreviation such as `dig`, or a synonym such as `block`.
pub fn kind_synonym(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let (stem, is_plural) = match word.strip_suffix('s') {
        Some(stem) => (stem, true),
        None => (word.as_str(), false),
    };
    let kind = match foreign_word("kind", stem) {
        Some(kind) => kind,
        None if stem.len() < 2 => return None,
        None => kinds().find(|(singular, _)| singular.starts_with(stem))?.0,
    };
    let plural = kinds().find(|(singular, _)| is_plural && *singular == kind);
    Some(plural.map_or(kind, |(_, plural)| plural))
}

/// Returns the text of `grammar/foreign_words.txt` for a word or mark in a place, such as `function` and `peers`.
pub fn foreign_word(place: &str, word: &str) -> Option<&'static str> {
    include_str!("../../grammar/foreign_words.txt").lines().find_map(|line| {
        let (words, text) = line.rsplit_once(" => ")?;
        let mut words = words.split(' ');
        (words.next() == Some(place) && words.any(|known| known == word)).then_some(text)
    })
}

/// The kind word for almost locked sets.
pub const ALS: &str = "als";

/// The kind word for groups: one unsolved cell, or all unsolved cells that a box and a line share.
pub const GROUP: &str = "group";

/// The kind word for literals: a candidate or its negation.
pub const LITERAL: &str = "literal";

pub const KINDS_WITHOUT_PLURAL: &[&str] = &[ALS, GROUP, LITERAL];

/// The word for the eliminations of a match, in conditions of `called` lines and in prices.
pub const ELIMINATED: &str = "eliminated";

/// Returns true if the word is a keyword, which cannot be a name.
pub fn is_reserved(word: &str) -> bool {
    ITEMS.contains(&word)
        || STATEMENTS.contains(&word)
        || INNER_KEYWORDS.contains(&word)
        || FUTURE_KEYWORDS.contains(&word)
}

/// Returns all keywords, except those reserved for future use.
pub fn current_keywords() -> impl Iterator<Item = &'static str> {
    ITEMS.iter().chain(STATEMENTS).chain(INNER_KEYWORDS).copied()
}

/// Returns true if the word names a cell by its coordinates, `r1c2` or `r1c12`.
pub fn is_cell_name(word: &str) -> bool {
    let numbers = word.strip_prefix(['r', 'R']).and_then(|rest| rest.split_once(['c', 'C']));
    numbers.is_some_and(|(row, column)| is_number(row) && is_number(column))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns true if the word names a kind that has a plural.
pub fn is_kind(word: &str) -> bool {
    kinds().any(|(singular, plural)| word == singular || word == plural)
}

/// Returns true if the word names a kind, a function or a built-in value.
pub fn is_built_in(word: &str) -> bool {
    is_kind(word) || FUNCTIONS.contains(&word) || KINDS_WITHOUT_PLURAL.contains(&word) || word == ELIMINATED
}

pub fn can_be_name(word: &str) -> bool {
    !is_reserved(word) && !is_built_in(word)
}

/// Finds the word of `vocabulary` that is most similar to `word`. Allows two typing errors, but only one error in a
/// word of two to four letters, and none in a single letter.
pub fn nearest(word: &str, vocabulary: impl IntoIterator<Item = impl AsRef<str>>) -> Option<String> {
    let length = word.chars().count();
    let max_distance = match length {
        0 | 1 => 0,
        2..=4 => 1,
        5..=40 => 2,
        // No word of the language has more than 40 letters, and comparing long words takes long.
        _ => return None,
    };
    vocabulary
        .into_iter()
        .map(|known| (strsim::damerau_levenshtein(&word.to_lowercase(), &known.as_ref().to_lowercase()), known))
        .filter(|(distance, known)| *distance <= max_distance && known.as_ref() != word)
        // Words of equal length come first, because two swapped letters are likelier than a missing letter: `form`
        // suggests `from` and not `for`.
        .min_by_key(|(distance, known)| (*distance, known.as_ref().chars().count().abs_diff(length)))
        .map(|(_, known)| known.as_ref().to_owned())
}

/// Returns words in backquotes.
pub fn quoted(words: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<String> {
    words.into_iter().map(|word| format!("`{}`", word.as_ref())).collect()
}

/// Joins words as `a`, `a or b`, `a, b or c`.
pub fn either(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [front @ .., last] => format!("{} or {last}", front.join(", ")),
    }
}
