//! Reads one cell of a list: a number, a text, a list of candidates, or an object. In: a value. Out: [`CellEntry`].

use super::boards::{SIZES, has_repetition, size_with_cells};
use super::cell_objects::{self, Coordinates};
use super::error::{FormatError, broken};
use super::link::all_digits;
use super::values::{GroupEntry, NodeGroup, NodeKind, ValueNode};
use super::variant_keys::normalized_key;
use super::{arrays, cell_texts, encoding};
use crate::grid::Digit;

// Normalized keys of an object that describes a cell. `c` is the column, unless its value is a list.
const VALUE_KEYS: [&str; 9] = ["value", "v", "digit", "number", "val", "num", "n", "d", "clue"];
const ROW_KEYS: [&str; 6] = ["row", "r", "y", "i", "rowindex", "line"];
const COLUMN_KEYS: [&str; 8] = ["col", "column", "c", "x", "j", "colindex", "columnindex", "cell"];
#[rustfmt::skip]
const GIVEN_KEYS: [&str; 21] = [
    "given", "isgiven", "fixed", "isfixed", "locked", "islocked", "readonly", "isreadonly", "prefilled", "isprefilled",
    "isinitial", "isclue", "original", "isoriginal", "preset", "ispreset", "static", "isstatic", "initial", "permanent",
    "frozen",
];
#[rustfmt::skip]
const EDITABLE_KEYS: [&str; 10] = [
    "editable", "mutable", "iseditable", "user", "isuser", "player", "isplayer", "entered", "userentered", "byuser",
];
/// Keys of flags that are set for a cell whose digit the player does not see.
const HIDDEN_KEYS: [&str; 10] =
    ["hidden", "ishidden", "blank", "isblank", "empty", "isempty", "removed", "isremoved", "masked", "covered"];
/// Keys of flags that are set for a cell whose digit the player sees.
const VISIBLE_KEYS: [&str; 7] = ["revealed", "isrevealed", "visible", "isvisible", "shown", "isshown", "show"];
/// Texts in quotes, under any key, that mark the digit of a cell as a clue.
#[rustfmt::skip]
const GIVEN_WORDS: [&str; 10] = [
    "given", "clue", "fixed", "initial", "original", "preset", "static", "prefilled", "puzzle", "locked",
];
/// Texts in quotes, under any key, that mark the digit of a cell as placed.
const PLAYER_WORDS: [&str; 9] =
    ["user", "player", "entered", "guess", "filled", "input", "placed", "editable", "useradded"];
/// Those of `PLAYER_WORDS` that mean a placed digit only if another cell is marked as a clue: a clue may be "filled", too.
const WEAK_PLAYER_WORDS: [&str; 4] = ["filled", "input", "placed", "editable"];
/// Texts that mark a cell as empty.
const EMPTY_WORDS: [&str; 4] = ["", "empty", "blank", "none"];
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
/// Values in lower case that mean "no".
const FALSE_VALUES: [&str; 7] = ["false", "0", "null", "none", "no", "n", ""];
/// Values in lower case that mean "yes".
const TRUE_VALUES: [&str; 4] = ["true", "1", "yes", "y"];

/// A cell of a list.
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
    /// True if the digit is placed according to a word that a clue may have, too, if no cell is marked as a clue.
    pub has_weak_player_word: bool,
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

    /// Reads an object that describes one cell.
    fn from_object(object: &NodeGroup<'_>) -> Option<CellEntry> {
        /// An object with more keys is no cell.
        const MOST_KEYS: usize = 64;
        if object.entries.len() > MOST_KEYS {
            return None;
        }
        let (candidates, mut error) = match candidates_of_object(object) {
            Ok(list) if list.is_empty() => (None, None),
            Ok(list) => (Some(list), None),
            Err(error) => (None, Some(error)),
        };
        let entry = match value_of(object, &VALUE_KEYS) {
            Some(value) => CellEntry::from_text(value.scalar()?, false)?,
            None if candidates.is_some() || object.entries.is_empty() => CellEntry::blank(),
            None => return None,
        };
        let [row, column] =
            [&ROW_KEYS[..], &COLUMN_KEYS].map(|keys| value_of(object, keys).and_then(ValueNode::scalar)?.parse().ok());
        let is_given = is_given(object, entry.digit).unwrap_or_else(|fault| {
            error = error.take().or(Some(fault));
            None
        });
        let [is_hidden, is_visible] =
            [&HIDDEN_KEYS[..], &VISIBLE_KEYS].map(|keys| as_flag(value_of(object, keys)?.scalar()?));
        let hides_digit = entry.digit.is_some() && (is_hidden == Some(true) || is_visible == Some(false));
        let entry = if hides_digit { CellEntry { has_hidden_digit: true, ..CellEntry::default() } } else { entry };
        Some(CellEntry {
            is_given,
            candidates: if entry.digit.is_none() { candidates } else { None },
            has_weak_player_word: is_given == Some(false) && !has_flag_for_clue(object),
            coordinates: row.zip(column),
            error,
            ..entry
        })
    }

    /// Returns the digit, or the number of a quoted text.
    pub fn number(&self) -> Option<u64> {
        self.digit.or_else(|| self.text.as_ref()?.parse().ok())
    }
}

/// Returns true if the digit of a cell object is a clue, and `None` if the object doesn't say.
fn is_given(object: &NodeGroup<'_>, digit: Option<u64>) -> Result<Option<bool>, FormatError> {
    if let Some(text) = value_of(object, &GIVEN_KEYS).and_then(ValueNode::scalar) {
        return match as_flag(text) {
            Some(false) if digit.is_none() => Ok(None),
            Some(flag) => Ok(Some(flag)),
            // The key may have the digit of the clue as its value.
            None if digit.is_some() && text.parse().ok() == digit => Ok(Some(true)),
            None => Err(broken(format!("nothing says if `{text}` marks the digit of a cell as a clue"))
                .with_help("write `\"given\": true` or `\"given\": false`")),
        };
    }
    if let Some(is_editable) = value_of(object, &EDITABLE_KEYS).and_then(|value| as_flag(value.scalar()?)) {
        return Ok(Some(!is_editable));
    }
    for value in object.values() {
        let NodeKind::Text(text) = &value.kind else { continue };
        let text = text.trim().to_lowercase();
        if GIVEN_WORDS.contains(&text.as_str()) {
            return Ok(Some(true));
        }
        if PLAYER_WORDS.contains(&text.as_str()) {
            return Ok(Some(false));
        }
    }
    Ok(None)
}

/// Returns true if a flag, or a text other than `WEAK_PLAYER_WORDS`, says if the digit of a cell is a clue.
fn has_flag_for_clue(object: &NodeGroup<'_>) -> bool {
    let is_flag = |keys: &[&str]| value_of(object, keys).and_then(|value| as_flag(value.scalar()?)).is_some();
    let has_strong_word = object.values().any(|value| {
        let NodeKind::Text(text) = &value.kind else { return false };
        let text = text.trim().to_lowercase();
        PLAYER_WORDS.contains(&text.as_str()) && !WEAK_PLAYER_WORDS.contains(&text.as_str())
    });
    has_strong_word || is_flag(&GIVEN_KEYS) || is_flag(&EDITABLE_KEYS)
}

/// Returns true if the values of a normalized key in all cells are read with each cell: flags, words for clues, or candidates.
pub(super) fn is_key_of_cell(name: &str, values: &[&str]) -> bool {
    let are_flags =
        [&GIVEN_KEYS[..], &EDITABLE_KEYS, &HIDDEN_KEYS, &VISIBLE_KEYS].iter().any(|keys| keys.contains(&name));
    CANDIDATE_KEYS.contains(&name)
        || GIVEN_KEYS.contains(&name)
        || (are_flags && values.iter().all(|text| as_flag(text).is_some()))
        || values.iter().all(|text| is_word_of_cell(text))
}

/// Returns true if a text marks a digit as a clue or as placed, or a cell as empty.
fn is_word_of_cell(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    [&GIVEN_WORDS[..], &PLAYER_WORDS, &EMPTY_WORDS].iter().any(|words| words.contains(&text.as_str()))
}

pub(super) fn is_row_key(name: &str) -> bool {
    ROW_KEYS.contains(&name)
}

pub(super) fn is_column_key(name: &str) -> bool {
    COLUMN_KEYS.contains(&name)
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

/// Returns the value under the first of these normalized keys that the object has.
fn value_of<'v, 't>(object: &'v NodeGroup<'t>, keys: &[&str]) -> Option<&'v ValueNode<'t>> {
    entry_of(object, keys).map(|entry| &entry.value)
}

fn entry_of<'v, 't>(object: &'v NodeGroup<'t>, keys: &[&str]) -> Option<&'v GroupEntry<'t>> {
    keys.iter().find_map(|wanted| {
        object.entries.iter().find(|entry| entry.key.as_deref().is_some_and(|key| normalized_key(key) == *wanted))
    })
}

/// Returns the key under which a cell object has its digit.
pub(super) fn value_key<'v>(object: &'v NodeGroup<'_>) -> Option<&'v str> {
    entry_of(object, &VALUE_KEYS)?.key.as_deref()
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
            && !is_object_of_place(&entry.value)
            && !OTHER_LIST_KEYS.iter().any(|word| name.contains(word))
        {
            let message = format!("nothing says what `{key}` of a cell lists");
            return Err(broken(message).with_help("call the candidates of a cell `candidates`"));
        }
    }
    Ok(candidates)
}

/// Returns true for an object of row and column.
fn is_object_of_place(value: &ValueNode<'_>) -> bool {
    value.object().is_some() && cell_objects::pair(value).is_some()
}

fn as_flag(text: &str) -> Option<bool> {
    let text = text.trim().to_lowercase();
    if TRUE_VALUES.contains(&text.as_str()) {
        Some(true)
    } else if FALSE_VALUES.contains(&text.as_str()) {
        Some(false)
    } else {
        None
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

/// Returns a flag for each cell of a board and its meaning, if all values are flags. Under an unknown key, 0 and 1 are no flags.
pub(super) fn flags_of_cells(key: &str, value: &ValueNode<'_>) -> Option<(FlagMeaning, Vec<bool>)> {
    let texts = arrays::scalars(value);
    size_with_cells(texts.len())?;
    let name = normalized_key(key);
    // The key of flags may be in the plural: `givens`.
    let names = [name.as_str(), name.trim_end_matches('s')];
    let meaning = if names.iter().any(|name| GIVEN_KEYS.contains(name)) {
        FlagMeaning::Clue
    } else if names.iter().any(|name| EDITABLE_KEYS.contains(name)) {
        FlagMeaning::Placed
    } else if names.iter().any(|name| HIDDEN_KEYS.contains(name)) {
        FlagMeaning::Hidden
    } else if names.iter().any(|name| VISIBLE_KEYS.contains(name)) {
        FlagMeaning::Visible
    } else {
        FlagMeaning::Unknown
    };
    let are_words = texts.iter().all(|text| matches!(text.to_lowercase().as_str(), "true" | "false"));
    if !are_words && meaning == FlagMeaning::Unknown {
        return None;
    }
    let flags: Vec<bool> = texts.iter().map(|text| as_flag(text)).collect::<Option<_>>()?;
    Some((meaning, flags))
}
