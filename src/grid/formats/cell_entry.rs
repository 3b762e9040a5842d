//! Reads one cell of a list: a number, a text, a list of candidates, or an object. In: a value. Out: [`CellEntry`].

use super::boards::{SIZES, has_repetition, size_with_cells};
use super::cell_objects::Coordinates;
use super::error::{FormatError, broken};
use super::link::all_digits;
use super::values::{GroupEntry, NodeGroup, NodeKind, ValueNode};
use super::variant_keys::normalized_key;
use super::{arrays, cell_texts, encoding};
use crate::grid::Digit;

// Normalized keys of an object that describes a cell. `c` is the column, unless its value is a list.
const VALUE_KEYS: [&str; 9] = ["value", "v", "digit", "number", "val", "num", "n", "d", "clue"];
pub(super) const ROW_KEYS: [&str; 6] = ["row", "r", "y", "i", "rowindex", "line"];
pub(super) const COLUMN_KEYS: [&str; 8] = ["col", "column", "c", "x", "j", "colindex", "columnindex", "cell"];
// Normalized keys of flags, with or without `is` before them.
/// Flags of clues. `clue` alone is the key of a digit.
#[rustfmt::skip]
const GIVEN_KEYS: [&str; 12] = [
    "given", "fixed", "locked", "readonly", "prefilled", "isclue", "original", "preset", "static", "initial",
    "permanent", "frozen",
];
/// Flags of cells that the player may change.
const EDITABLE_KEYS: [&str; 7] = ["editable", "mutable", "user", "player", "entered", "userentered", "byuser"];
/// Flags of cells whose digit the player does not see.
const HIDDEN_KEYS: [&str; 6] = ["hidden", "blank", "empty", "removed", "masked", "covered"];
/// Flags of cells whose digit the player sees.
const VISIBLE_KEYS: [&str; 4] = ["revealed", "visible", "shown", "show"];
/// Texts other than `GIVEN_KEYS` that, under any key, mark the digit of a cell as a clue.
const GIVEN_WORDS: [&str; 2] = ["clue", "puzzle"];
/// Texts other than `EDITABLE_KEYS` that, under any key, mark the digit of a cell as placed.
const PLAYER_WORDS: [&str; 5] = ["guess", "filled", "input", "placed", "useradded"];
#[rustfmt::skip]
const CANDIDATE_KEYS: [&str; 16] = [
    "candidates", "notes", "pencilmarks", "marks", "possible", "possibilities", "options", "centermarks",
    "centremarks", "centerpencilmarks", "pencil", "pencilmark", "cands", "cand", "draft", "c",
];
/// Substrings of keys whose lists are not candidates; `colo` is in "color" and "colour".
#[rustfmt::skip]
const OTHER_LIST_KEYS: [&str; 16] = [
    "corner", "colo", "highlight", "style", "class", "peer", "neighbo", "history", "pos", "coord", "related",
    "conflict", "error", "region", "loc", "cell",
];

#[derive(Clone, Debug, Default)]
pub(super) struct CellEntry {
    pub digit: Option<u64>,
    /// True if the cell is empty because its value is 0.
    pub is_zero: bool,
    /// True if the cell is empty because of a symbol other than 0, such as `.` or `null`.
    pub is_blank: bool,
    /// Ascending digits of a quoted text: candidates on boards up to 9×9, a number on larger boards.
    pub text: Option<String>,
    pub candidates: Option<Vec<u64>>,
    /// True if the digit is a clue; `None` if the document doesn't say.
    pub is_given: Option<bool>,
    /// True if only a word such as `user` marks the digit as placed.
    pub has_player_word: bool,
    pub coordinates: Option<Coordinates>,
    /// True if the cell is empty because the document hides its digit.
    pub has_hidden_digit: bool,
    /// Error for a list in the cell's object that may be candidates in an unknown form.
    pub error: Option<FormatError>,
}

impl CellEntry {
    pub fn blank() -> CellEntry {
        CellEntry { is_blank: true, ..CellEntry::default() }
    }

    /// Returns the cell of a number; 0 is an empty cell.
    fn from_number(number: u64) -> CellEntry {
        match number {
            0 => CellEntry { is_zero: true, ..CellEntry::default() },
            digit => CellEntry { digit: Some(digit), ..CellEntry::default() },
        }
    }

    /// Reads a number or word. Only a text in quotes may be a list of candidates, `"147"`. Returns `None` for a text that is no cell.
    pub fn from_text(text: &str, is_quoted: bool) -> Option<CellEntry> {
        let text = text.trim();
        let is_zero = text.chars().all(|c| c == '0') && !text.is_empty();
        if (!is_zero && cell_texts::is_empty(text)) || matches!(text, "x" | "X" | "-1.0") {
            return Some(CellEntry::blank());
        }
        let integer = encoding::whole_number(text).map(|value| value.to_string());
        let number = integer.as_deref().unwrap_or(text);
        if !all_digits(number) {
            let mut characters = number.chars();
            let (Some(symbol), None) = (characters.next(), characters.next()) else { return None };
            return Some(CellEntry::from_number(u64::from(Digit::from_symbol(symbol)?.0) + 1));
        }
        let ascends = !number.starts_with('0') && number.as_bytes().is_sorted_by(|a, b| a < b);
        match number.len() {
            2..=9 if is_quoted && ascends => Some(CellEntry { text: Some(number.to_string()), ..CellEntry::default() }),
            1 | 2 => Some(CellEntry::from_number(number.parse().ok()?)),
            _ => None,
        }
    }

    /// Reads a value. Returns `None` for a value that cannot be a cell.
    pub fn from_value(value: &ValueNode<'_>) -> Option<CellEntry> {
        match &value.kind {
            NodeKind::Hole => Some(CellEntry::blank()),
            NodeKind::Text(text) => CellEntry::from_text(text, true),
            NodeKind::Word(word) => CellEntry::from_text(word, false),
            NodeKind::Group(_) => match value.object() {
                Some(object) => CellEntry::from_object(object),
                None => Some(CellEntry { candidates: Some(distinct_digits(value)?), ..CellEntry::default() }),
            },
        }
    }

    fn from_object(object: &NodeGroup<'_>) -> Option<CellEntry> {
        /// An object with more keys is no cell.
        const MOST_KEYS: usize = 64;
        if object.entries.len() > MOST_KEYS {
            return None;
        }
        let (candidates, list_error) = match candidates_of_object(object) {
            Ok(list) if list.is_empty() => (None, None),
            Ok(list) => (Some(list), None),
            Err(error) => (None, Some(error)),
        };
        let object = CellObject::new(object);
        let entry = match object.value(&VALUE_KEYS) {
            Some(value) => CellEntry::from_text(value.scalar()?, false)?,
            None if candidates.is_some() || object.entries.is_empty() => CellEntry::blank(),
            None => return None,
        };
        let (is_given, flag_error) = match object.is_given(entry.digit) {
            Ok(is_given) => (is_given, None),
            Err(error) => (None, Some(error)),
        };
        let word_is_given = object.entries.iter().find_map(|(_, entry)| match &entry.value.kind {
            NodeKind::Text(text) => meaning_of_word(text),
            _ => None,
        });
        let hides_digit = object.flag(&HIDDEN_KEYS) == Some(true) || object.flag(&VISIBLE_KEYS) == Some(false);
        let has_hidden_digit = entry.digit.is_some() && hides_digit;
        let entry = if has_hidden_digit { CellEntry::default() } else { entry };
        Some(CellEntry {
            is_given: is_given.or(word_is_given),
            candidates: if entry.digit.is_none() { candidates } else { None },
            has_player_word: is_given.is_none() && word_is_given == Some(false),
            coordinates: object.coordinates(),
            has_hidden_digit,
            error: list_error.or(flag_error),
            ..entry
        })
    }

    /// Returns the digit, or the number of a quoted text.
    pub fn number(&self) -> Option<u64> {
        self.digit.or_else(|| self.text.as_ref()?.parse().ok())
    }
}

/// An object of a cell, with the normalized key of each entry.
struct CellObject<'v, 't> {
    entries: Vec<(String, &'v GroupEntry<'t>)>,
}

impl<'v, 't> CellObject<'v, 't> {
    fn new(object: &'v NodeGroup<'t>) -> Self {
        let entries = object.entries.iter().filter_map(|entry| Some((normalized_key(entry.key.as_deref()?), entry)));
        CellObject { entries: entries.collect() }
    }

    /// Returns the entry under the first of these keys that the object has.
    fn entry(&self, keys: &[&str]) -> Option<&'v GroupEntry<'t>> {
        keys.iter().find_map(|wanted| self.entries.iter().find(|(name, _)| name == wanted)).map(|(_, entry)| *entry)
    }

    fn value(&self, keys: &[&str]) -> Option<&'v ValueNode<'t>> {
        self.entry(keys).map(|entry| &entry.value)
    }

    /// Returns the text under the first of these keys of flags that the object has.
    fn flag_text(&self, keys: &[&str]) -> Option<&'v str> {
        let entry = keys.iter().find_map(|wanted| self.entries.iter().find(|(name, _)| is_flag_key(name, &[*wanted])));
        entry?.1.value.scalar()
    }

    fn flag(&self, keys: &[&str]) -> Option<bool> {
        as_flag(self.flag_text(keys)?)
    }

    /// Returns true if a flag marks the digit of the cell as a clue, and `None` if there is no such flag.
    fn is_given(&self, digit: Option<u64>) -> Result<Option<bool>, FormatError> {
        let Some(text) = self.flag_text(&GIVEN_KEYS) else {
            return Ok(self.flag(&EDITABLE_KEYS).map(|is_editable| !is_editable));
        };
        match as_flag(text) {
            Some(false) if digit.is_none() => Ok(None),
            Some(flag) => Ok(Some(flag)),
            // The key may have the digit of the clue as its value.
            None if digit.is_some() && text.parse().ok() == digit => Ok(Some(true)),
            None => Err(broken(format!("nothing says if `{text}` marks the digit of a cell as a clue"))
                .with_help("write `\"given\": true` or `\"given\": false`")),
        }
    }

    fn coordinates(&self) -> Option<Coordinates> {
        let [row, column] = [&ROW_KEYS[..], &COLUMN_KEYS].map(|keys| self.value(keys)?.scalar()?.trim().parse().ok());
        row.zip(column)
    }
}

pub(super) fn coordinates_of_object(object: &NodeGroup<'_>) -> Option<Coordinates> {
    CellObject::new(object).coordinates()
}

/// Returns true if a normalized key is one of the keys of flags, perhaps with `is` before it.
fn is_flag_key(name: &str, keys: &[&str]) -> bool {
    keys.contains(&name) || name.strip_prefix("is").is_some_and(|rest| keys.contains(&rest))
}

/// Returns true for a text that marks a digit as a clue, false for one that marks it as placed, and `None` for other texts.
fn meaning_of_word(text: &str) -> Option<bool> {
    let text = text.trim().to_lowercase();
    let is_among = |words: &[&str]| words.contains(&text.as_str());
    if is_among(&GIVEN_KEYS) || is_among(&GIVEN_WORDS) {
        Some(true)
    } else if is_among(&EDITABLE_KEYS) || is_among(&PLAYER_WORDS) {
        Some(false)
    } else {
        None
    }
}

/// Returns true if the values of a normalized key in all cells are read with each cell: flags, words for clues, or candidates.
pub(super) fn is_key_of_cell(name: &str, values: &[&str]) -> bool {
    let are_flags = || values.iter().all(|text| as_flag(text).is_some());
    CANDIDATE_KEYS.contains(&name)
        || is_flag_key(name, &GIVEN_KEYS)
        || (meaning_of_flag(name) != FlagMeaning::Unknown && are_flags())
        || values.iter().all(|text| {
            let is_empty_cell = matches!(text.trim().to_lowercase().as_str(), "" | "empty" | "blank" | "none");
            is_empty_cell || meaning_of_word(text).is_some()
        })
}

/// Returns the digits in a list, or in a text of one character for each digit. Returns `None` if a digit repeats or there is anything
/// else.
fn distinct_digits(value: &ValueNode<'_>) -> Option<Vec<u64>> {
    let digits: Option<Vec<u64>> = match &value.kind {
        NodeKind::Group(group) => {
            group.values().map(|value| CellEntry::from_text(value.scalar()?, false)?.digit).collect()
        }
        _ => value.scalar()?.split_whitespace().flat_map(str::chars).map(|c| c.to_digit(10).map(u64::from)).collect(),
    };
    digits.filter(|digits| !has_repetition(digits) && digits.len() <= 25)
}

/// Returns the key under which a cell object has its digit.
pub(super) fn value_key<'v>(object: &'v NodeGroup<'_>) -> Option<&'v str> {
    CellObject::new(object).entry(&VALUE_KEYS)?.key.as_deref()
}

/// Returns true if some cell object in the rows has a list of candidates under a key other than those of f-puzzles.
pub(super) fn has_candidate_lists(rows: &ValueNode<'_>) -> bool {
    let Some(rows) = rows.list() else { return false };
    let mut cells = rows.values().filter_map(ValueNode::list).flat_map(NodeGroup::values).filter_map(ValueNode::object);
    cells.any(|cell| {
        let has_fpuzzles_key = cell.get("centerPencilMarks").is_some() || cell.get("givenPencilMarks").is_some();
        // An error is a list in an unknown form.
        !has_fpuzzles_key && candidates_of_object(cell).map_or(true, |list| !list.is_empty())
    })
}

/// Returns the candidates that an object lists for its cell, or an error for a list that may be candidates in an unknown form.
fn candidates_of_object(object: &NodeGroup<'_>) -> Result<Vec<u64>, FormatError> {
    let mut candidates = Vec::new();
    for entry in &object.entries {
        let key = entry.key.as_deref().unwrap_or_default();
        let name = normalized_key(key);
        let is_list = matches!(&entry.value.kind, NodeKind::Group(list) if !list.entries.is_empty());
        if CANDIDATE_KEYS.contains(&name.as_str()) && (name != "c" || is_list) {
            candidates = candidates_of_value(&entry.value).ok_or_else(|| {
                broken(format!("`{key}` of a cell is no list of its digits"))
                    .with_help("list the candidates of a cell: [1, 2, 3]")
            })?;
        } else if is_list
            && entry.value.object().and_then(coordinates_of_object).is_none()
            && !OTHER_LIST_KEYS.iter().any(|word| name.contains(word))
        {
            let message = format!("nothing says what `{key}` of a cell lists");
            return Err(broken(message).with_help("call the candidates of a cell `candidates`"));
        }
    }
    Ok(candidates)
}

/// Returns true for "yes", false for "no" and for nothing, and `None` for other texts.
pub(super) fn as_flag(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "true" | "1" | "yes" | "y" => Some(true),
        "false" | "0" | "no" | "n" | "" | "null" | "none" | "nil" | "undefined" => Some(false),
        _ => None,
    }
}

/// Returns candidates that are written as a list of digits, as a text, or as a flag for each digit.
fn candidates_of_value(value: &ValueNode<'_>) -> Option<Vec<u64>> {
    let list = match &value.kind {
        NodeKind::Hole => return Some(Vec::new()),
        NodeKind::Word(word) => return (as_flag(word) == Some(false)).then(Vec::new),
        NodeKind::Text(text) if text.contains([',', ' ', ';']) => {
            let numbers = text.split([',', ' ', ';']).filter(|number| !number.is_empty());
            return numbers.map(|number| number.parse().ok().filter(|number| (1..=25).contains(number))).collect();
        }
        NodeKind::Text(_) => return distinct_digits(value),
        NodeKind::Group(list) => list,
    };
    let flags: Option<Vec<bool>> = list.values().map(|value| as_flag(value.scalar()?)).collect();
    let is_object = value.object().is_some();
    match flags {
        // An object such as `{"1": true, "2": false}`.
        Some(flags) if is_object => {
            let true_entries = list.entries.iter().zip(flags).filter(|(_, flag)| *flag);
            true_entries.map(|(entry, _)| entry.key.as_deref()?.parse().ok()).collect()
        }
        // A flag for each digit. Without a false flag, a 1 is the digit 1.
        Some(flags) if flags.contains(&false) => {
            let true_digits = (1..).zip(&flags).filter(|(_, flag)| **flag).map(|(digit, _)| digit);
            SIZES.contains(&flags.len()).then(|| true_digits.collect())
        }
        _ if is_object => None,
        _ => distinct_digits(value),
    }
}

/// Meaning of a flag for each cell.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FlagMeaning {
    /// Set for clues.
    Clue,
    /// Set for cells whose digits are not clues.
    Placed,
    /// Set for cells whose digit the player does not see.
    Hidden,
    /// Set for cells whose digit the player sees.
    Visible,
    Unknown,
}

fn meaning_of_flag(name: &str) -> FlagMeaning {
    let meanings = [
        (&GIVEN_KEYS[..], FlagMeaning::Clue),
        (&EDITABLE_KEYS, FlagMeaning::Placed),
        (&HIDDEN_KEYS, FlagMeaning::Hidden),
        (&VISIBLE_KEYS, FlagMeaning::Visible),
    ];
    meanings.into_iter().find(|(keys, _)| is_flag_key(name, keys)).map_or(FlagMeaning::Unknown, |(_, meaning)| meaning)
}

/// Returns a flag for each cell of a board and its meaning, if all values are flags. Under an unknown key, 0 and 1 are no flags.
pub(super) fn flags_of_cells(key: &str, value: &ValueNode<'_>) -> Option<(FlagMeaning, Vec<bool>)> {
    let texts = arrays::scalars(value);
    size_with_cells(texts.len())?;
    let name = normalized_key(key);
    // The key of flags may be in the plural: `givens`.
    let meaning = match meaning_of_flag(&name) {
        FlagMeaning::Unknown => meaning_of_flag(name.trim_end_matches('s')),
        meaning => meaning,
    };
    let are_words = texts.iter().all(|text| matches!(text.to_lowercase().as_str(), "true" | "false"));
    if !are_words && meaning == FlagMeaning::Unknown {
        return None;
    }
    let flags: Vec<bool> = texts.iter().map(|text| as_flag(text)).collect::<Option<_>>()?;
    Some((meaning, flags))
}
