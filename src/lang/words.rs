//! The words of the language and the search for the one that was meant. In: a word as written. Out: what
//! it can be, and the nearest of a list.

/// A list of words.
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

/// Statements that may have a block.
pub const BLOCKS: &[&str] = word_list! { chain loop cluster ring suppose };

/// Words that join the parts of a statement.
const JOINTS: &[&str] = word_list! {
    for in when otherwise some every no not and or with has lacks sees seeing within disjoint from to on weak link
    assuming grid finds meeting avoiding through crossing parallel connected by using those
};

/// Words reserved for future use.
const KEPT: &[&str] = word_list! { path kind relation rectangle };

/// The kinds, singular and plural.
pub const KINDS: &[(&str, &str)] = &[
    ("digit", "digits"),
    ("cell", "cells"),
    ("candidate", "candidates"),
    ("house", "houses"),
    ("row", "rows"),
    ("column", "columns"),
    ("box", "boxes"),
    ("line", "lines"),
];

/// Functions, `digits(…)`.
pub const FUNCTIONS: &[&str] = word_list! {
    digits values cells row column box rows columns boxes lines houses overlap in_no_template in_every_template
    in_no_combination times
};

/// Returns the kind meant by an unknown word: an abbreviation, or a name from elsewhere.
pub fn meant_kind(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let (begun, several) = word.strip_suffix('s').map_or((word.as_str(), false), |one| (one, true));
    let one = match begun {
        "block" | "square" | "nonet" | "region" => "box",
        "unit" | "sector" => "house",
        "value" | "number" => "digit",
        "field" => "cell",
        "spot" => return Some(GROUP),
        _ if begun.len() < 2 => return None,
        _ => KINDS.iter().find(|(one, _)| one.starts_with(begun))?.0,
    };
    KINDS.iter().find(|(kind, _)| *kind == one).map(|(one, many)| if several { *many } else { *one })
}

/// The kind of almost locked sets: a set with a condition of its own.
pub const ALS: &str = "als";

/// The kind of one cell, or of all cells of a box and a line: a set with a condition of its own.
pub const GROUP: &str = "group";

/// The kind of a candidate or its opposite.
pub const LITERAL: &str = "literal";

/// Kinds without a word for several.
pub const OTHER_KINDS: &[&str] = &[ALS, GROUP, LITERAL];

/// The eliminations of a match; names of steps can ask for them.
pub const ELIMINATED: &str = "eliminated";

/// Returns the phrase of the language for a function of other notations.
pub fn said_otherwise(function: &str) -> Option<&'static str> {
    Some(match function {
        "peers" | "neighbours" | "neighbors" | "buddies" | "sees" | "seen" | "common_peers" => {
            "`cells seeing c`, `cells seeing every s` or `cells seeing some s`"
        }
        "impossible" => "`in_no_template(d)` for digits, `in_no_combination(s)` for cells",
        "certain" => "`in_every_template(d)`",
        "candidates" | "cands" | "options" => "`digits(c)`",
        "places" | "positions" | "spots" | "locations" => "`d in h`: the places of d in h",
        "count" | "size" | "len" | "length" | "number" => "`#s` or `#(d in h)`",
        "union" => "`a + b`",
        "intersection" | "intersect" | "common" | "shared" => "`a & b`",
        "difference" | "without" | "except" => "`a - b`",
        _ => return None,
    })
}

/// Returns true if the word cannot be a name.
pub fn is_reserved(word: &str) -> bool {
    ITEMS.contains(&word) || STATEMENTS.contains(&word) || JOINTS.contains(&word) || KEPT.contains(&word)
}

/// Lists every word that has a meaning of its own.
pub fn reserved() -> impl Iterator<Item = &'static str> {
    ITEMS.iter().chain(STATEMENTS).chain(JOINTS).copied()
}

/// Returns true if the word is a place in a grid, `r1c2` or `r1c12`.
pub fn is_cell_name(word: &str) -> bool {
    let numbers = word.strip_prefix(['r', 'R']).and_then(|rest| rest.split_once(['c', 'C']));
    numbers.is_some_and(|(row, column)| is_number(row) && is_number(column))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns true if the word names a kind that has a plural.
pub fn is_kind(word: &str) -> bool {
    KINDS.iter().any(|(one, many)| word == *one || word == *many)
}

/// Returns true if the word names a kind, a function or a value.
pub fn is_built_in(word: &str) -> bool {
    is_kind(word) || FUNCTIONS.contains(&word) || OTHER_KINDS.contains(&word) || word == ELIMINATED
}

/// Returns true if the word has no meaning of its own, so that it can be a name.
pub fn is_free(word: &str) -> bool {
    !is_reserved(word) && !is_built_in(word)
}

/// Finds the nearest word of a list within two typing errors (one in short words).
pub fn nearest(word: &str, among: impl IntoIterator<Item = impl AsRef<str>>) -> Option<String> {
    let length = word.chars().count();
    if length > 40 {
        return None;
    }
    let allowed = match length {
        0 | 1 => 0,
        2..=4 => 1,
        _ => 2,
    };
    among
        .into_iter()
        .map(|other| (strsim::damerau_levenshtein(&word.to_lowercase(), &other.as_ref().to_lowercase()), other))
        .filter(|(distance, other)| *distance <= allowed && other.as_ref() != word)
        // A swap of two letters is likelier than a missing one: `form` is `from` rather than `for`.
        .min_by_key(|(distance, other)| (*distance, other.as_ref().chars().count().abs_diff(length)))
        .map(|(_, other)| other.as_ref().to_owned())
}

/// Returns words in backquotes.
pub fn quoted(words: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<String> {
    words.into_iter().map(|word| format!("`{}`", word.as_ref())).collect()
}

/// Joins words as `a`, `a or b`, `a, b or c`.
pub fn either(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
